// A program that forks after it has loaded QNN. Usage: forks LIBRARY RPCMEM WAY
//   calls     the child calls every kind of object, which returns foreign_process
//   returns   the child destroys all objects and returns from main
//   exits     the child calls exit() with objects of static storage
//   waits     the child uses what another thread of the parent holds, and destroys it
//   first     the child of a process that has loaded nothing loads QNN itself
// In each way the parent then executes, and ends with 0 if all is as it should be.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/report/profile_file.hpp"

#include "../exits/objects.hpp"

namespace {

using namespace qnnpp;
using exits::must;
using exits::Objects;

constexpr unsigned patience_s = 20;

void expect(bool is_so, const char* what) {
  if (is_so) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::_Exit(3);
}

template <class Value>
bool is_foreign(const Result<Value>& result) {
  return !result && result.error().kind == Errc::foreign_process;
}

/// Forks. Returns whether this is the child, which a signal ends if it waits for ever. The parent
/// waits until the child has ended with 0.
bool is_child() {
  const pid_t child = ::fork();
  expect(child >= 0, "fork");
  if (child == 0) {
    ::alarm(patience_s);
    return true;
  }
  int status = 0;
  expect(::waitpid(child, &status, 0) == child, "waitpid");
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ends with 0");
  return false;
}

/// Calls every kind of object in a child.
void expect_all_foreign(Objects& of, const RpcmemAllocator& rpcmem) {
  const Backend<Htp>& backend = *of.backend;
  expect(is_foreign(of.graph->execute()), "Graph::execute");
  expect(is_foreign(of.graph->execute(&*of.profile)), "Graph::execute with a profile");
  expect(is_foreign(of.graph->execute({.at_most = std::chrono::hours(2)})),
         "Graph::execute with a time limit");
  expect(is_foreign(of.graph->execute({.stop = of.stop})), "Graph::execute with a stop");
  expect(is_foreign(Graph<Retrieved>::retrieve(*of.context, "net")), "Graph::retrieve");
  expect(is_foreign(Context<Composing>::create(backend, {.name = "new"})), "Context::create");
  expect(is_foreign(of.composed->serialize()), "Context::serialize");
  expect(is_foreign(backend.build_id()), "Backend::build_id");
  expect(is_foreign(backend.platform_info()), "Backend::platform_info");
  expect(is_foreign(Performance::vote(backend, PerformanceMode::burst)), "Performance::vote");
  expect(is_foreign(of.vote->change(PerformanceMode::burst)), "Performance::change");
  expect(is_foreign(Profile::create(backend)), "Profile::create");
  expect(is_foreign(ProfileFile::create(backend, "none")), "ProfileFile::create");
  expect(is_foreign(Backend<Htp>::load({.library = of.library})), "Backend::load");
  expect(is_foreign(Backend<Htp>::adopt(backend.provider().native(), {.backend = backend.native()},
                                        Ownership::borrowed)),
         "Backend::adopt");
  expect(is_foreign(Context<Finalized>::adopt(backend, of.context->native(), Ownership::borrowed,
                                              {.graphs = of.context->graphs()})),
         "Context::adopt");
  expect(is_foreign(rpcmem.allocate(4096)), "RpcmemAllocator::allocate");
  const auto buffer = must(SharedBuffer<MultiTensor>::allocate(
      MemfdAllocator(), std::vector<TensorSpec>{{.name = "x", .dimensions = {2, 4}}}));
  expect(is_foreign(RegisteredTensors::create(*of.context, buffer)), "RegisteredTensors::create");
  const Error error = of.graph->execute().error();
  expect(error.message() ==
             "net: QnnGraph_execute: this process was forked, and QNN's objects belong to its "
             "parent; fork before the first Backend::load(), or call exec() in the child",
         error.message().c_str());
}

/// A thread that holds the right to execute and a context of a residency until the object ends.
class OtherThread {
 public:
  OtherThread(const SharedSpillFill& right, model::Residency<>& residency)
      : thread_([this, &right, &residency] {
          const auto lease = must(right.lease());
          const auto pinned = must(residency.acquire(0));
          std::unique_lock lock(mutex_);
          holds_ = true;
          changed_.notify_all();
          changed_.wait(lock, [this] { return ends_; });
        }) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return holds_; });
  }
  OtherThread(const OtherThread&) = delete;
  OtherThread& operator=(const OtherThread&) = delete;
  ~OtherThread() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool holds_ = false;
  bool ends_ = false;
  std::thread thread_;
};

Objects global;

int returns_in_the_child(const char* library) {
  Objects objects;
  objects.make(library);
  if (is_child()) return 0;
  must(objects.graph->execute());
  return 0;
}

int waits_in_the_child(const char* library, const RpcmemAllocator& rpcmem) {
  Objects objects;
  objects.make(library);
  auto right = must(SharedSpillFill::allocate(rpcmem, {.spill_fill_bytes = 4096}));
  const std::vector<std::byte> binary = must(objects.composed->serialize());
  std::vector<model::BinarySource> sources(1);
  sources[0].name = "net.bin";
  sources[0].bytes = binary;
  auto residency = std::optional(must(model::Residency<>::create(
      *objects.backend, rpcmem, std::move(sources),
      {.order = model::UseOrder::cyclic(), .prefetch = model::Prefetch::ahead})));
  const auto held = std::make_unique<OtherThread>(right, *residency);
  if (is_child()) {
    expect(is_foreign(right.lease()), "SharedSpillFill::lease");
    expect(is_foreign(right.lease_for(std::chrono::milliseconds(1))), "SharedSpillFill::lease_for");
    expect(is_foreign(residency->acquire(0)), "Residency::acquire");
    expect(is_foreign(objects.graph->execute()), "Graph::execute");
    residency.reset();
    objects = {};
    std::_Exit(0);  // The thread that OtherThread would join is not here.
  }
  must(objects.graph->execute());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const char* const library = argv[1];
  const std::string way = argv[3];
  if (way == "first") {
    if (is_child()) {
      Objects objects;
      objects.make(library);
      return 0;
    }
    return returns_in_the_child(library);
  }
  const auto rpcmem = must(RpcmemAllocator::load(argv[2]));
  if (way == "returns") return returns_in_the_child(library);
  if (way == "waits") return waits_in_the_child(library, rpcmem);
  global.make(library);
  if (is_child()) {
    if (way == "calls") expect_all_foreign(global, rpcmem);
    std::exit(0);
  }
  must(global.graph->execute());
  return 0;
}
