// A shared object with its own copy of qnnpp, as a plugin of a user has it; see object.h.
#include "object.h"

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

namespace {

using namespace qnnpp;

// Has no destructor, which would keep the object mapped until its thread ends.
thread_local char message_of_thread[1024];

ObjectAnswer answer_of(const Error& error) {
  std::snprintf(message_of_thread, sizeof message_of_thread, "%s", error.message().c_str());
  switch (error.kind) {
    case Errc::would_deadlock: return object_would_deadlock;
    case Errc::in_use: return object_in_use;
    case Errc::timed_out: return object_timed_out;
    default: return object_failed;
  }
}

/// Stores a value and answers object_done, or answers what the error is.
template <class Value>
ObjectAnswer keep(std::optional<Value>& in, Result<Value> result) {
  if (!result) return answer_of(result.error());
  in.emplace(std::move(*result));
  return object_done;
}

template <class Purpose>
Result<MemRegion<Purpose>> lent(void* data, int fd, unsigned long bytes) {
  return DmaBuffer::from_native(fd, bytes, {.fd = FdUse::borrow, .data = data, .needs_sync = false})
      .and_then(
          [](DmaBuffer buffer) { return MemRegion<Purpose>::from_buffer(std::move(buffer)); });
}

struct Objects {
  std::string binary;
  std::vector<float> in = std::vector<float>(4 * 32, 1.0f);
  std::vector<float> out = std::vector<float>(4 * 32);
  std::optional<SharedSpillFill> shared;
  std::optional<SpillFillLease> lease;
  std::optional<Backend<Htp>> backend;
  std::optional<Context<Finalized>> context;
  std::optional<Graph<Bound>> graph;
  std::optional<Context<Registered>> with_weights;

  Result<Context<Queried>> query() {
    return ContextBinary::map(binary)
        .and_then([this](ContextBinary own) {
          return Context<Deferred>::create(*backend, std::move(own));
        })
        .and_then(transition::query);
  }
  Result<Graph<Bound>> bind() {
    return Graph<Retrieved>::retrieve(*context, "net").and_then([this](Graph<Retrieved> retrieved) {
      return std::move(retrieved).bind({raw("x", in), raw("y", out)});
    });
  }
};
Objects objects;

constexpr ObjectFunctions functions = {
    .share =
        [](void* data, int fd, unsigned long bytes) {
          return keep(objects.shared,
                      lent<SpillFill>(data, fd, bytes).transform([](MemRegion<SpillFill> region) {
                        return SharedSpillFill::from_region(std::move(region));
                      }));
        },
    .handle = []() -> void* { return &*objects.shared; },
    .lease =
        [](void* handle, int milliseconds) {
          const SharedSpillFill& shared = *static_cast<SharedSpillFill*>(handle);
          if (milliseconds < 0) return keep(objects.lease, shared.lease());
          if (milliseconds == 0) return keep(objects.lease, shared.try_lease());
          return keep(objects.lease, shared.lease_for(std::chrono::milliseconds(milliseconds)));
        },
    // A thread that waits stores its lease when this one ends.
    .give_back = [] { std::exchange(objects.lease, std::nullopt); },
    .load =
        [](const char* htp, const char* binary) {
          objects.binary = binary;
          if (const auto loaded = keep(objects.backend, Backend<Htp>::load({.library = htp})))
            return loaded;
          auto finalized = objects.query().and_then([](Context<Queried> queried) {
            return std::move(queried)
                .register_buffers({.spill_fill = *objects.shared})
                .and_then(transition::finalize);
          });
          if (const auto made = keep(objects.context, std::move(finalized))) return made;
          return keep(objects.graph, objects.bind());
        },
    .execute =
        [] {
          const Result<void> done = objects.graph->execute();
          return done ? object_done : answer_of(done.error());
        },
    .put_weights =
        [](void* data, int fd, unsigned long bytes) {
          return keep(objects.with_weights, objects.query().and_then([&](Context<Queried> queried) {
            return lent<Weights>(data, fd, bytes).and_then([&](MemRegion<Weights> weights) {
              return std::move(queried).register_buffers(
                  {.weights = std::move(weights), .spill_fill = *objects.shared});
            });
          }));
        },
    .message = [] { return static_cast<const char*>(message_of_thread); },
};

}  // namespace

__attribute__((visibility("default"))) const ObjectFunctions* object_functions() {
  return &functions;
}
