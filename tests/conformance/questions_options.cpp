// C: options of deferred and other contexts. X: state after failed creations, after tear-down and
// at the end of the process.
#include <fcntl.h>
#include <sys/mman.h>

#include <array>
#include <cstdlib>

#include "host.hpp"

namespace conformance {
namespace {

using Core = ContextConfigOption;
using Htp = HtpContextConfigOption;

/// Creates the options of a question. The function has no captures, so that a row can have a
/// pointer to it.
using Making = Options (*)();

/// Creates a context with the options, finalizes it if deferred, continues until a call fails, and
/// frees the context.
void try_options(Host& host, Options options, bool is_deferred) {
  host.start();
  if (is_deferred) options.deferred();
  const Context context = host.create(options);
  if (context.created != 0) {
    say("out %s", context.handle == nullptr ? "NULL" : word_for(context.handle));
    if (context.handle == nullptr || context.handle == preset<ContextHandle>())
      return host.tear_down();
    host.free_device();
    context.free();
    return host.tear_down();
  }
  if (!is_deferred || context.finalize() == 0)
    if (const GraphHandle graph = context.retrieve(); graph != nullptr) host.execute(graph);
  context.free();
  host.tear_down();
}

struct Row {
  const char* id;
  const char* name;
  Making make;
};

const std::array rows = {
    Row{"01", "MEMORY_LIMIT_HINT", [] { return Options().hint(); }},
    Row{"02", "PERSISTENT_BINARY", [] { return Options().persistent(); }},
    Row{"03", "MEMORY_LIMIT_HINT and PERSISTENT_BINARY",
        [] { return Options().hint().persistent(); }},
    Row{"04", "MEMORY_LIMIT_HINT of 0",
        [] { return Options().core(Core::memory_limit_hint, std::uint64_t{0}); }},
    Row{"05", "PRIORITY low", [] { return Options().core(Core::priority, std::uint64_t{0}); }},
    Row{"06", "PRIORITY 77", [] { return Options().core(Core::priority, std::uint64_t{77}); }},
    Row{"07", "BINARY_COMPATIBILITY strict",
        [] { return Options().core(Core::binary_compatibility, std::uint64_t{1}); }},
    Row{"08", "BINARY_COMPATIBILITY 5",
        [] { return Options().core(Core::binary_compatibility, std::uint64_t{5}); }},
    Row{"09", "async queue depth 10",
        [] { return Options().core(Core::async_execution_queue_depth, std::uint64_t{10} << 32); }},
    Row{"10", "ERROR_REPORTING detailed",
        [] { return Options().core(Core::error_reporting, std::uint64_t{1}); }},
    Row{"11", "OEM_STRING",
        [] { return Options().core(Core::oem_string, static_cast<const void*>("text")); }},
    Row{"12", "ENABLE_GRAPHS with an unknown name",
        [] {
          static const char* const names[] = {"no such graph", nullptr};
          return Options().core(Core::enable_graphs, static_cast<const void*>(names));
        }},
    Row{"13", "ENABLE_GRAPHS with an empty list",
        [] {
          static const char* const names[] = {nullptr};
          return Options().core(Core::enable_graphs, static_cast<const void*>(names));
        }},
    Row{"14", "GRAPH_RETENTION_ORDER with an unknown name",
        [] {
          static const char* const names[] = {"no such graph", nullptr};
          return Options().core(Core::graph_retention_order, static_cast<const void*>(names));
        }},
    Row{"15", "core option 11",
        [] { return Options().core(static_cast<Core>(11), std::uint64_t{1}); }},
    Row{"16", "core option 12",
        [] { return Options().core(static_cast<Core>(12), std::uint64_t{1}); }},
    Row{"17", "core option 4711",
        [] { return Options().core(static_cast<Core>(4711), std::uint64_t{1}); }},
    Row{"18", "a group of its own, max above the need",
        [] { return Options().group(nullptr, given.main->spill_fill + (1 << 20)); }},
    Row{"19", "a group of its own, max 0", [] { return Options().group(nullptr, 0); }},
    Row{"20", "a group of its own, max one byte below the need",
        [] { return Options().group(nullptr, given.main->spill_fill - 1); }},
    Row{"21", "a group with an unknown head",
        [] { return Options().group(no_such<ContextHandle>(), 1 << 30); }},
    Row{"22", "WEIGHT_SHARING", [] { return Options().custom(Htp::weight_sharing_enabled); }},
    Row{"23", "FILE_READ_MEMORY_BUDGET",
        [] { return Options().custom(Htp::file_read_memory_budget, 16); }},
    Row{"24", "DSP_MEMORY_PROFILING",
        [] { return Options().custom(Htp::dsp_memory_profiling_enabled); }},
    Row{"25", "SHARE_RESOURCES", [] { return Options().custom(Htp::share_resources); }},
    Row{"26", "IO_MEM_ESTIMATION", [] { return Options().custom(Htp::io_mem_estimation); }},
    Row{"27", "PREPARE_ONLY", [] { return Options().custom(Htp::prepare_only); }},
    Row{"28", "INIT_ACCELERATION", [] { return Options().custom(Htp::init_acceleration); }},
    Row{"29", "SKIP_VALIDATION_ON_BINARY_SECTION",
        [] { return Options().custom(Htp::skip_validation_on_binary_section); }},
    Row{"30", "SHARE_RESOURCES_OPTIMIZATION_TYPE",
        [] { return Options().custom(Htp::share_resources_optimization_type, 0); }},
    Row{"31", "USE_EXTENDED_UDMA", [] { return Options().custom(Htp::use_extended_udma); }},
    Row{"32", "REGISTER_CONCURRENT_RESOURCE_SHARING",
        [] { return Options().custom(Htp::register_concurrent_resource_sharing, 0, 1 << 30); }},
    Row{"33", "HTP option 13", [] { return Options().custom(Htp::lora_weight_sharing_enabled); }},
    Row{"34", "HTP option 14", [] { return Options().custom(Htp::reserved_14); }},
    Row{"35", "HTP option 15", [] { return Options().custom(Htp::reserved_15); }},
    Row{"36", "HTP option 16",
        [] { return Options().custom(Htp::lora_weight_sharing_ram_preload_enabled); }},
    Row{"37", "HTP option 17", [] { return Options().custom(Htp::reused_io_limit); }},
    Row{"38", "HTP option 18",
        [] { return Options().custom(Htp::reference_weight_sharing_enabled); }},
    Row{"39", "HTP option 4711", [] { return Options().custom(static_cast<Htp>(4711)); }},
    Row{"40", "PERSISTENT_BINARY and MEMORY_LIMIT_HINT",
        [] { return Options().persistent().hint(); }},
    Row{"41", "HTP option 19",
        [] { return Options().custom(Htp::concurrent_deserialization_extra_size); }},
    Row{"42", "HTP option 20", [] { return Options().custom(Htp::graph_splitting_enabled); }},
    Row{"43", "HTP option 21",
        [] { return Options().custom(Htp::concurrent_deserialization_patch, 0); }},
    Row{"44", "HTP option 22", [] { return Options().custom(Htp::graph_splitting_configs); }},
    Row{"45", "HTP option 23", [] { return Options().custom(Htp::lora_preload_buffer_groups, 0); }},
    Row{"46", "HTP option 24", [] { return Options().custom(Htp::reserved_24); }},
    Row{"47", "HTP option 25", [] { return Options().custom(Htp::parallel_weight_loading, 0); }},
    Row{"48", "HTP option 26", [] { return Options().custom(Htp::reserved_26); }},
    Row{"53", "HTP option 21, a descriptor that is not open",
        [] { return Options().custom(Htp::concurrent_deserialization_patch, 4711); }},
    Row{"54", "HTP option 21, a descriptor that cannot be read",
        [] {
          return Options().custom(Htp::concurrent_deserialization_patch,
                                  static_cast<std::uint64_t>(::open("/dev/null", O_WRONLY)));
        }},
    Row{"55", "HTP option 21, a descriptor that cannot be written",
        [] {
          return Options().custom(Htp::concurrent_deserialization_patch,
                                  static_cast<std::uint64_t>(::open("/dev/zero", O_RDONLY)));
        }},
    Row{"56", "HTP option 21, an empty file",
        [] {
          return Options().custom(Htp::concurrent_deserialization_patch,
                                  static_cast<std::uint64_t>(::memfd_create("patch", 0)));
        }},
};

/// Adds the two questions of a row. The row is a template parameter because answers have no
/// captures.
template <std::size_t row>
void ask_row(Catalogue& ask) {
  static const std::string ids[] = {std::string("C-") + rows[row].id + "d",
                                    std::string("C-") + rows[row].id + "n"};
  static const std::string texts[] = {std::string("deferred: ") + rows[row].name,
                                      std::string("not deferred: ") + rows[row].name};
  ask(ids[0].c_str(), texts[0].c_str(),
      [](Host& host) { try_options(host, rows[row].make(), true); });
  ask(ids[1].c_str(), texts[1].c_str(),
      [](Host& host) { try_options(host, rows[row].make(), false); });
}
template <std::size_t... each>
void ask_rows(Catalogue& ask, std::index_sequence<each...>) {
  (ask_row<each>(ask), ...);
}

/// Creates the head of a group with a maximum of `max` bytes.
Context head_of(Host& host, std::uint64_t max) {
  return host.create(Options().group(nullptr, max));
}

/// Reports the state after a failed creation: the out variable, the device, the context.
void say_remains(Host& host, const Context& context) {
  say("out %s", word_for(context.handle));
  if (host.free_device() == 0) return;
  context.free();
  host.free_device();
}

}  // namespace

void ask_options(Catalogue& ask) {
  ask_rows(ask, std::make_index_sequence<rows.size()>{});
  ask("C-50", "deferred first, then MEMORY_LIMIT_HINT", [](Host& host) {
    host.start();
    host.create(Options().deferred().hint());
  });
  ask("C-51", "MEMORY_LIMIT_HINT given twice, the second 0", [](Host& host) {
    host.start();
    const Context context =
        host.create(Options().hint().core(Core::memory_limit_hint, std::uint64_t{0}));
    context.free();
  });
  ask("C-52", "DEFER_GRAPH_INIT given twice", [](Host& host) {
    host.start();
    const Context context = host.create(Options().deferred().deferred());
    context.finalize();
    context.free();
  });

  ask("C-60", "group: head, a member, execute both, free head first", [](Host& host) {
    host.start();
    const Context head = head_of(host, given.main->spill_fill + (1 << 20));
    const Context member = host.create(Options().group(head.handle, 0));
    host.execute(head.retrieve());
    const GraphHandle graph = member.retrieve();
    host.execute(graph);
    head.free();
    host.execute(graph);
    member.free();
    host.tear_down();
  });
  ask("C-61", "group: free the member first", [](Host& host) {
    host.start();
    const Context head = head_of(host, given.main->spill_fill + (1 << 20));
    const Context member = host.create(Options().group(head.handle, 0));
    member.free();
    head.free();
    host.tear_down();
  });
  ask("C-62", "group: a new member after the head was freed", [](Host& host) {
    host.start();
    const Context head = head_of(host, given.main->spill_fill + (1 << 20));
    const Context member = host.create(Options().group(head.handle, 0));
    head.free();
    host.create(Options().group(head.handle, 0));
    member.free();
  });
  ask("C-63", "group: the head is a context without a group", [](Host& host) {
    host.start();
    const Context plain = host.create();
    say_remains(host, host.create(Options().group(plain.handle, 1 << 30)));
  });
  ask("C-64", "group: the head's max is below the member's need", [](Host& host) {
    host.start();
    const Context head =
        host.create(Options().group(nullptr, given.main->spill_fill - 1), given.smaller);
    say_remains(host, host.create(Options().group(head.handle, 0)));
  });
  ask("C-65", "group: a head as member of itself by a member's handle", [](Host& host) {
    host.start();
    const Context head = head_of(host, given.main->spill_fill + (1 << 20));
    const Context member = host.create(Options().group(head.handle, 0));
    host.create(Options().group(member.handle, 0));
  });
  ask("C-66", "group: two heads", [](Host& host) {
    host.start();
    head_of(host, given.main->spill_fill + (1 << 20));
    head_of(host, given.main->spill_fill + (1 << 20));
  });
  ask("C-67", "group and MEMORY_LIMIT_HINT and PERSISTENT_BINARY", [](Host& host) {
    host.start();
    say_remains(
        host,
        host.create(
            Options().group(nullptr, given.main->spill_fill + (1 << 20)).hint().persistent()));
  });
}

namespace {

/// Frees everything when the process ends. The first was there before the libraries were loaded, so
/// it outlives their own static objects.
struct AtEnd {
  Host* host = nullptr;
  ContextHandle context = nullptr;
  ~AtEnd() { end(); }
  void end() {
    if (host == nullptr) return;
    host->free(context);
    host->tear_down();
    host = nullptr;
  }
};
AtEnd at_end;

void start_at_end(Host& host) {
  host.start();
  const Context context = host.create();
  host.execute(context.retrieve());
  at_end.host = &host;
  at_end.context = context.handle;
}

}  // namespace

void ask_creation(Catalogue& ask) {
  ask("X-1a", "junk: the out variable", [](Host& host) {
    host.start();
    Pages junk = Pages::of(page_bytes);
    junk.fill(0x5A);
    say_remains(host, host.create({}, junk));
  });
  ask("X-1b", "an unknown option: the out variable and the device", [](Host& host) {
    host.start();
    say_remains(host, host.create(Options().custom(static_cast<Htp>(4711))));
  });
  ask("X-2a", "MEMORY_LIMIT_HINT without PERSISTENT_BINARY: what stays", [](Host& host) {
    host.start();
    say_remains(host, host.create(Options().hint()));
  });
  ask("X-2b", "group too small: what stays", [](Host& host) {
    host.start();
    say_remains(host, host.create(Options().group(nullptr, given.main->spill_fill / 2)));
  });
  ask("X-2c", "concurrent sharing: what stays", [](Host& host) {
    host.start();
    say_remains(
        host, host.create(Options().custom(Htp::register_concurrent_resource_sharing, 0, 1 << 30)));
  });
  ask("X-2d", "deferred with MEMORY_LIMIT_HINT: what stays", [](Host& host) {
    host.start();
    say_remains(host, host.create(Options().deferred().hint()));
  });
  ask("X-2e", "deferred in a group: what stays", [](Host& host) {
    host.start();
    say_remains(
        host, host.create(Options().deferred().group(nullptr, given.main->spill_fill + (1 << 20))));
  });
  ask("X-2f", "deferred with concurrent sharing: what stays", [](Host& host) {
    host.start();
    const Context context = host.create(
        Options().deferred().custom(Htp::register_concurrent_resource_sharing, 0, 1 << 30));
    if (context.created == 0) context.finalize();
    say_remains(host, context);
  });
  ask("X-3a", "group with max 0: what stays", [](Host& host) {
    host.start();
    const Context context = host.create(Options().group(nullptr, 0));
    say("out %s", word_for(context.handle));
    context.free();
    host.free_device();
  });
  ask("X-3b", "group with an unknown head: what stays", [](Host& host) {
    host.start();
    const Context context = host.create(Options().group(no_such<ContextHandle>(), 1 << 30));
    say("out %s", word_for(context.handle));
    context.free();
    host.free_device();
  });
  ask("X-5a", "backendFree with a live context, then contextFree, deviceFree", [](Host& host) {
    host.start();
    const Context context = host.create();
    host.free_backend();
    context.free();
    host.free_device();
  });
  ask("X-5b", "backendFree with a deferred context, then finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    host.free_backend();
    context.finalize();
    host.free_device();
  });
  ask("X-5c", "backendFree before deviceFree, nothing else alive", [](Host& host) {
    host.start();
    host.free_backend();
    host.free_device();
  });
  ask("X-5d", "deviceFree before backendFree, nothing else alive", [](Host& host) {
    host.start();
    host.tear_down();
  });
  ask("X-6a", "deviceFree with a live context", [](Host& host) {
    host.start();
    const Context context = host.create();
    host.free_device();
    context.free();
    host.tear_down();
  });
  ask("X-6b", "deviceFree with a deferred context", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    host.free_device();
    context.free();
    host.tear_down();
  });
  ask("X-6c", "deviceFree twice", [](Host& host) {
    host.start();
    host.free_device();
    host.free_device();
  });
  ask("X-6d", "backendFree twice", [](Host& host) {
    host.start();
    host.free_device();
    host.free_backend();
    host.free_backend();
  });
  ask("X-6e", "contextFree twice", [](Host& host) {
    host.start();
    const Context context = host.create();
    context.free();
    context.free();
  });
  ask("X-6f", "everything again after a complete tear-down", [](Host& host) {
    host.start();
    const Context context = host.create();
    context.free();
    host.tear_down();
    host.start();
    host.create().free();
    host.tear_down();
  });
  ask("X-7a", "exit: an object that was there before the libraries frees everything",
      [](Host& host) {
        start_at_end(host);
        std::exit(0);
      });
  ask("X-7b", "exit: a handler that was registered after the load frees everything",
      [](Host& host) {
        start_at_end(host);
        std::atexit([] { at_end.end(); });
        std::exit(0);
      });
  ask("X-6g", "a second backend and a second device beside the first", [](Host& host) {
    host.start();
    BackendHandle backend = nullptr;
    DeviceHandle device = nullptr;
    say_code("backendCreate", host.qnn.backend_create(nullptr, nullptr, &backend));
    say_code("deviceCreate", host.qnn.device_create(nullptr, nullptr, &device));
    say("%s", backend == host.backend ? "the same backend" : "another backend");
    say("%s", device == host.device ? "the same device" : "another device");
  });
  ask("X-6h", "context of a NULL device", [](Host& host) {
    host.start();
    host.device = nullptr;
    host.create().free();
  });
  ask("X-6i", "logFree before the backend that uses it", [](Host& host) {
    LogHandle logger = nullptr;
    say_code("logCreate", host.qnn.log_create(nullptr, LogLevel::error, &logger));
    say_code("backendCreate", host.qnn.backend_create(logger, nullptr, &host.backend));
    say_code("logFree", host.qnn.log_free(logger));
    host.free_backend();
    say_code("logFree", host.qnn.log_free(logger));
  });
  ask("X-6j", "profiles and signals alive at backendFree", [](Host& host) {
    host.start();
    ProfileHandle profile = nullptr;
    SignalHandle signal = nullptr;
    say_code("profile", host.qnn.profile_create(host.backend, profile_level::basic, &profile));
    say_code("signal", host.qnn.signal_create(host.backend, nullptr, &signal));
    host.tear_down();
    say_code("profileFree", host.qnn.profile_free(profile));
    say_code("signalFree", host.qnn.signal_free(signal));
  });
  ask("X-7", "retrieve an unknown name, then a graph twice", [](Host& host) {
    host.start();
    const Context context = host.create();
    GraphHandle none = preset<GraphHandle>();
    say_code("retrieve", host.qnn.graph_retrieve(context.handle, "no such graph", &none));
    say("graph %s", word_for(none));
    say("%s", context.retrieve() == context.retrieve() ? "the same handle" : "another handle");
  });
  ask("X-8", "graph of a freed context: execute", [](Host& host) {
    host.start();
    const Context context = host.create();
    const GraphHandle graph = context.retrieve();
    context.free();
    host.execute(graph);
  });
  ask("X-9", "two graphs in one binary, one of them enabled: retrieve, execute", [](Host& host) {
    if (given.two_graphs == nullptr) return say("no such binary");
    host.start();
    const GraphTensors first = host.tensors(given.two_graphs);
    const char* names[] = {first.name.c_str(), nullptr};
    const Context context = host.create(
        Options().core(Core::enable_graphs, static_cast<const void*>(names)), given.two_graphs);
    GraphHandle graph = nullptr;
    say_code("retrieve", host.qnn.graph_retrieve(context.handle, names[0], &graph));
    context.free();
  });
}

}  // namespace conformance
