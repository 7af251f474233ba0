// A: createFromBinaryListAsync. B: createFromBinaryWithCallback.
#include <cstring>
#include <mutex>
#include <thread>

#include "host.hpp"

namespace conformance {
namespace {

using Core = ContextConfigOption;
using Htp = HtpContextConfigOption;

/// Notifications, and their threads.
struct Notes {
  std::mutex mutex;
  std::thread::id caller = std::this_thread::get_id();
  bool returned = false;
  std::vector<ContextHandle> contexts;
};
Notes* notes = nullptr;

void notify(ContextHandle context, GraphHandle graph, const char* name, ContextNotifyType type,
            void*, ErrorHandle status) {
  const std::lock_guard lock(notes->mutex);
  say("%s(context %s, graph %s, name %s, %llu)",
      type == ContextNotifyType::graph_init ? "graph" : "context",
      context == nullptr ? "NULL" : "set", graph == nullptr ? "NULL" : "set",
      name == nullptr ? "NULL" : "set", static_cast<unsigned long long>(status));
  if (std::this_thread::get_id() != notes->caller) say("on another thread");
  if (notes->returned) say("after the call returned");
  if (type == ContextNotifyType::context_init && context != nullptr)
    notes->contexts.push_back(context);
}

/// Creates an entry of a list.
const ContextParams* entry(const void* bytes, std::size_t size, Options options = {},
                           ContextNotifyFn notification = notify) {
  return new ContextParams{ContextParamsVersion::v1,
                           {.v1 = {options.get(), bytes, size, nullptr, notification, nullptr}}};
}
const ContextParams* entry(const Binary* binary, Options options = {}) {
  if (binary == nullptr) give_up("no such binary");
  return entry(binary->bytes.data(), binary->bytes.size(), options);
}

/// Creates the list, reports its code and frees the contexts.
void create_list(Host& host, std::vector<const ContextParams*> entries, Options options = {}) {
  host.start();
  notes = new Notes;
  entries.push_back(nullptr);
  const ErrorHandle code = host.qnn.context_create_from_binary_list_async(
      host.backend, host.device, entries.data(), options.get(), nullptr);
  {
    const std::lock_guard lock(notes->mutex);
    notes->returned = true;
    say("list %llu", static_cast<unsigned long long>(code));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  for (const ContextHandle context : notes->contexts) host.free(context);
  host.free_device();
}

/// Asks for a list of two whose options have this one.
template <Htp option, std::uint64_t value = 1>
void ask_list_option(Catalogue& ask, const char* id, const char* text) {
  ask(id, text, [](Host& host) {
    create_list(host, {entry(given.main), entry(given.main)}, Options().custom(option, value));
  });
}

}  // namespace

void ask_lists(Catalogue& ask) {
  ask("A-1", "a list of two: notifications, their threads and times",
      [](Host& host) { create_list(host, {entry(given.main), entry(given.main)}); });
  ask("A-2", "one entry for another architecture", [](Host& host) {
    create_list(host, {entry(given.main), entry(given.other_arch), entry(given.main)});
  });
  ask("A-2b", "one entry with an unknown option", [](Host& host) {
    create_list(host,
                {entry(given.main), entry(given.main, Options().custom(static_cast<Htp>(4711)))});
  });
  ask("A-3", "an entry that is no context binary", [](Host& host) {
    Pages junk = Pages::of(page_bytes);
    junk.fill(0x5A);
    create_list(host, {entry(given.main), entry(junk.data, junk.size)});
  });
  ask("A-3b", "an entry that is cut in half", [](Host& host) {
    create_list(host, {entry(given.main->bytes.data(), given.main->bytes.size() / 2)});
  });
  ask("A-4a", "notify NULL", [](Host& host) {
    create_list(host, {entry(given.main->bytes.data(), given.main->bytes.size(), {}, nullptr)});
  });
  ask("A-4b", "size 0",
      [](Host& host) { create_list(host, {entry(given.main->bytes.data(), 0)}); });
  ask("A-4c", "binary NULL",
      [](Host& host) { create_list(host, {entry(nullptr, given.main->bytes.size())}); });
  ask("A-4d", "an empty list", [](Host& host) { create_list(host, {}); });
  ask("A-4e", "list NULL", [](Host& host) {
    host.start();
    say_code("list", host.qnn.context_create_from_binary_list_async(host.backend, host.device,
                                                                    nullptr, nullptr, nullptr));
  });
  ask("A-5", "params version 2, callback NULL", [](Host& host) {
    host.need_core(32);
    auto* const v2 = new ContextParamsV2{
        nullptr, given.main->bytes.data(), given.main->bytes.size(), nullptr, notify, nullptr,
        nullptr};
    ContextParams params{ContextParamsVersion::v2,
                         {.v1 = {nullptr, nullptr, 0, nullptr, nullptr, nullptr}}};
    std::memcpy(static_cast<void*>(&params.v2), &v2, sizeof v2);
    create_list(host, {&params});
  });
  ask("A-5b", "params version 7", [](Host& host) {
    ContextParams params{static_cast<ContextParamsVersion>(7),
                         {.v1 = {nullptr, given.main->bytes.data(), given.main->bytes.size(),
                                 nullptr, notify, nullptr}}};
    create_list(host, {&params});
  });
  ask("A-6", "SHARE_RESOURCES in the list's options", [](Host& host) {
    create_list(host, {entry(given.main), entry(given.main)},
                Options().custom(Htp::share_resources));
  });
  ask("A-6b", "SHARE_RESOURCES with an optimisation type", [](Host& host) {
    create_list(
        host, {entry(given.main), entry(given.main)},
        Options().custom(Htp::share_resources).custom(Htp::share_resources_optimization_type, 1));
  });
  ask("A-7", "SHARE_RESOURCES in an entry's options", [](Host& host) {
    create_list(host,
                {entry(given.main, Options().custom(Htp::share_resources)), entry(given.main)});
  });
  ask("A-8a", "an optimisation type alone in the list's options", [](Host& host) {
    create_list(host, {entry(given.main)},
                Options().custom(Htp::share_resources_optimization_type, 0));
  });
  ask("A-8b", "IO_MEM_ESTIMATION in the list's options", [](Host& host) {
    create_list(host, {entry(given.main)}, Options().custom(Htp::io_mem_estimation));
  });
  ask("A-8c", "a group in the list's options", [](Host& host) {
    create_list(host, {entry(given.main), entry(given.main)},
                Options().group(nullptr, given.main->spill_fill + (1 << 20)));
  });
  ask("A-8d", "INIT_ACCELERATION in the list's options", [](Host& host) {
    create_list(host, {entry(given.main)}, Options().custom(Htp::init_acceleration));
  });
  ask("A-8e", "an unknown HTP option in the list's options", [](Host& host) {
    create_list(host, {entry(given.main)}, Options().custom(static_cast<Htp>(4711)));
  });
  ask_list_option<Htp::lora_weight_sharing_ram_preload_enabled>(
      ask, "A-8f", "HTP option 16 in the list's options");
  ask_list_option<Htp::reused_io_limit>(ask, "A-8g", "HTP option 17 in the list's options");
  ask_list_option<Htp::reference_weight_sharing_enabled>(ask, "A-8h",
                                                         "HTP option 18 in the list's options");
  ask_list_option<Htp::concurrent_deserialization_extra_size>(
      ask, "A-8i", "HTP option 19 in the list's options");
  ask_list_option<Htp::graph_splitting_enabled>(ask, "A-8j", "HTP option 20 in the list's options");
  ask_list_option<Htp::concurrent_deserialization_patch, 0>(ask, "A-8k",
                                                            "HTP option 21 in the list's options");
  ask_list_option<Htp::graph_splitting_configs>(ask, "A-8l", "HTP option 22 in the list's options");
  ask_list_option<Htp::lora_preload_buffer_groups, 0>(ask, "A-8m",
                                                      "HTP option 23 in the list's options");
  ask_list_option<Htp::reserved_24>(ask, "A-8n", "HTP option 24 in the list's options");
  ask_list_option<Htp::parallel_weight_loading, 0>(ask, "A-8o",
                                                   "HTP option 25 in the list's options");
  ask_list_option<Htp::reserved_26>(ask, "A-8p", "HTP option 26 in the list's options");
  ask("A-8q", "HTP option 17 in an entry's options", [](Host& host) {
    create_list(host,
                {entry(given.main, Options().custom(Htp::reused_io_limit)), entry(given.main)});
  });
  ask("A-8r", "HTP option 17 in the list's options and DEFER_GRAPH_INIT in an entry's",
      [](Host& host) {
        create_list(host, {entry(given.main, Options().deferred())},
                    Options().custom(Htp::reused_io_limit));
      });
  ask("A-9a", "PERSISTENT_BINARY in the list's options",
      [](Host& host) { create_list(host, {entry(given.main)}, Options().persistent()); });
  ask("A-9b", "MEMORY_LIMIT_HINT in the list's options",
      [](Host& host) { create_list(host, {entry(given.main)}, Options().hint()); });
  ask("A-9c", "DEFER_GRAPH_INIT in the list's options",
      [](Host& host) { create_list(host, {entry(given.main)}, Options().deferred()); });
  ask("A-9d", "PRIORITY in the list's options", [](Host& host) {
    create_list(host, {entry(given.main)}, Options().core(Core::priority, std::uint64_t{100}));
  });
  ask("A-10", "DEFER_GRAPH_INIT in an entry's options; property, finalize", [](Host& host) {
    host.start();
    notes = new Notes;
    const ContextParams* entries[] = {entry(given.main, Options().deferred()), nullptr};
    say_code("list", host.qnn.context_create_from_binary_list_async(host.backend, host.device,
                                                                    entries, nullptr, nullptr));
    if (notes->contexts.empty()) return;
    Context context;
    context.host = &host;
    context.handle = notes->contexts[0];
    say_code("property", context.property(HtpContextPropertyOption::weights_buffer_size));
    context.finalize();
    context.free();
    host.tear_down();
  });
}

namespace {

ErrorHandle provide_raw(ContextBinaryDataRequest, ContextBinaryRawDataResponse*, void*) {
  return 0;
}
ErrorHandle release_raw(ContextBinaryRawDataMem, void*) { return 0; }

Host* provider_host = nullptr;
ErrorHandle provide_dma(ContextBinaryDataRequest request, ContextBinaryDmaDataResponse* response,
                        void*) {
  say("provide(mapping %u, %s)", request.is_backend_mapping_needed,
      request.offset % page_bytes == 0 ? "aligned" : "not aligned");
  const std::uint64_t start = request.offset / page_bytes * page_bytes;
  const std::uint64_t size =
      (request.offset + request.size - start + page_bytes - 1) / page_bytes * page_bytes;
  const Buffer buffer = provider_host->allocate(size);
  std::memcpy(buffer.start + (request.offset - start), given.main->bytes.data() + request.offset,
              request.size);
  response->dma_buffer = {buffer.fd, buffer.start};
  response->data_start_offset = request.offset - start;
  response->aligned_size = size;
  return 0;
}
ErrorHandle release_dma(ContextBinaryDmaDataMem memory, void*) {
  say("release(%s)", memory.dma_buffer.data == nullptr ? "NULL" : "set");
  return 0;
}
ErrorHandle provide_nothing(ContextBinaryDataRequest, ContextBinaryDmaDataResponse*, void*) {
  say("provide");
  return 1002;
}

ContextBinaryCallback dma_callback(ContextBinaryDmaDataProviderFn provide) {
  ContextBinaryCallback callback{};
  callback.type = ContextBinaryCallbackType::dma_buffer;
  callback.dma_buffer_callback.version = ContextBinaryDmaBufferCallbackVersion::v1;
  callback.dma_buffer_callback.v1 = {provide, release_dma, nullptr};
  return callback;
}

void create_with(Host& host, const ContextBinaryCallback* callback, Options options = {},
                 const void* bytes = given.main->bytes.data()) {
  host.need_core(28);
  host.start();
  provider_host = &host;
  ContextHandle context = preset<ContextHandle>();
  const ErrorHandle code =
      say_code("create", host.qnn.context_create_from_binary_with_callback(
                             host.backend, host.device, options.get(), callback, bytes,
                             given.main->bytes.size(), &context, nullptr, nullptr));
  if (code != 0)
    say("out %s", word_for(context));
  else
    host.free(context);
  host.tear_down();
}

}  // namespace

void ask_callbacks(Catalogue& ask) {
  ask("B-1a", "callback NULL", [](Host& host) { create_with(host, nullptr); });
  ask("B-1b", "raw buffer callback", [](Host& host) {
    ContextBinaryCallback callback{};
    callback.type = ContextBinaryCallbackType::raw_buffer;
    callback.raw_buffer_callback.version = ContextBinaryRawBufferCallbackVersion::v1;
    callback.raw_buffer_callback.v1 = {provide_raw, release_raw, nullptr};
    create_with(host, &callback);
  });
  ask("B-1c", "binary NULL", [](Host& host) {
    const ContextBinaryCallback callback = dma_callback(provide_dma);
    create_with(host, &callback, {}, nullptr);
  });
  ask("B-1d", "callback of no type", [](Host& host) {
    ContextBinaryCallback callback{};
    create_with(host, &callback);
  });
  ask("B-2", "dma buffer callback with this binary", [](Host& host) {
    const ContextBinaryCallback callback = dma_callback(provide_dma);
    create_with(host, &callback);
  });
  ask("B-3", "dma buffer callback, deferred", [](Host& host) {
    const ContextBinaryCallback callback = dma_callback(provide_dma);
    create_with(host, &callback, Options().deferred());
  });
  ask("B-5", "dma buffer callback whose provider fails", [](Host& host) {
    const ContextBinaryCallback callback = dma_callback(provide_nothing);
    create_with(host, &callback);
  });
}

}  // namespace conformance
