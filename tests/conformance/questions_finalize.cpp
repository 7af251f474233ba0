// F: deferred creation and finalize. M: external weights and spill-fill on this platform.
#include "host.hpp"

namespace conformance {
namespace {

/// Creates a deferred context and registers the external buffers that the binary needs.
Context with_buffers(Host& host) {
  const Context context = host.deferred();
  context.add(weights(host.weights_buffer()));
  context.add(spill_fill(host.spill_buffer()));
  return context;
}

/// Creates a deferred context whose finalize fails, by an option that only finalize refuses.
Context to_fail(Host& host) {
  return host.create(
      Options().deferred().core(static_cast<ContextConfigOption>(4711), std::uint64_t{1}));
}

void use(Host& host, const Context& context) {
  if (const GraphHandle graph = context.retrieve(); graph != nullptr) host.execute(graph);
  context.free();
}

}  // namespace

void ask_finalize(Catalogue& ask) {
  ask("M-1a", "register external weights and finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(weights(host.weights_buffer()));
    context.finalize();
    context.free();
    host.tear_down();
  });
  ask("M-1b", "the same with weights and spill-fill", [](Host& host) {
    host.start();
    const Context context = with_buffers(host);
    if (context.finalize() == 0)
      use(host, context);
    else
      context.free();
    host.tear_down();
  });
  ask("M-2", "external weights at an offset of one page", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(weights(host.allocate(given.main->weights + page_bytes), page_bytes));
    context.finalize();
  });
  ask("M-4", "spill-fill only, the whole flow", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(spill_fill(host.spill_buffer()));
    context.finalize();
    use(host, context);
    host.tear_down();
  });
  ask("M-5", "does finalize write into the external weights buffer", [](Host& host) {
    host.start();
    const Buffer buffer = host.weights_buffer();
    const Context context = host.deferred();
    context.add(weights(buffer));
    context.finalize();
    std::uint64_t written = 0;
    for (std::uint64_t i = 0; i < buffer.size; ++i) written += buffer.start[i] != 0;
    say("%s", written == 0 ? "nothing written" : "written");
  });
  ask("M-7", "is spill-fill mapped at register or at finalize", [](Host& host) {
    host.need(host.standin.maps);
    host.start();
    const Context context = host.deferred();
    const int before = host.standin.maps();
    context.add(spill_fill(host.spill_buffer()));
    say("%s", host.standin.maps() == before ? "not mapped yet" : "mapped");
    context.finalize();
    say("%s", host.standin.maps() == before ? "not mapped yet" : "mapped");
  });
  ask("M-8", "one spill-fill fd in two contexts, the second larger: mappings of the second",
      [](Host& host) {
        host.need(host.standin.live_maps);
        host.start();
        Buffer buffer = host.allocate(given.main->spill_fill + page_bytes);
        int maps[2];
        for (const int i : {0, 1}) {
          const int before = host.standin.live_maps();
          buffer.size = given.main->spill_fill + static_cast<std::uint64_t>(i) * page_bytes;
          const Context context = host.deferred();
          context.add(spill_fill(buffer));
          context.finalize();
          maps[i] = host.standin.live_maps() - before;
        }
        say("%d fewer than of the first", maps[0] - maps[1]);
      });
  ask("M-9", "spill-fill fd shorter than the size registered", [](Host& host) {
    host.start();
    Buffer buffer = host.allocate(page_bytes);
    buffer.size = given.main->spill_fill;
    const Context context = host.deferred();
    context.add(spill_fill(buffer));
    context.finalize();
  });
  ask("M-10", "spill-fill freed between register and finalize", [](Host& host) {
    host.start();
    const Buffer buffer = host.spill_buffer();
    const Context context = host.deferred();
    context.add(spill_fill(buffer));
    host.release(buffer);
    context.finalize();
    context.free();
  });

  ask("F-0", "deferred creation, finalize, retrieve, execute, free", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.finalize();
    use(host, context);
    host.tear_down();
  });
  ask("F-2", "after the out variable was NULL in finalize: what still works", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    *context.out = nullptr;
    context.finalize();
    context.finalize();
    context.free();
    host.free_device();
    host.free_backend();
    host.free_device();
  });
  ask("F-7", "profile of create freed before finalize", [](Host& host) {
    host.start();
    ProfileHandle profile = nullptr;
    say_code("profile", host.qnn.profile_create(host.backend, profile_level::basic, &profile));
    Options options = Options().deferred();
    Pages binary = Pages::copy(given.main->bytes.data(), given.main->bytes.size());
    ContextHandle context = nullptr;
    say_code("create",
             host.qnn.context_create_from_binary(host.backend, host.device, options.get(),
                                                 binary.data, binary.size, &context, profile));
    say_code("profileFree", host.qnn.profile_free(profile));
    host.finalize(context);
    host.free(context);
  });
  ask("F-8", "finalize twice", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.finalize();
    context.finalize();
    context.free();
  });
  ask("F-9", "finalize of a context that is not deferred", [](Host& host) {
    host.start();
    const Context context = host.create();
    context.finalize();
    context.free();
  });
  ask("F-10", "finalize after a finalize that failed", [](Host& host) {
    host.start();
    const Context context = to_fail(host);
    context.finalize();
    context.finalize();
    context.free();
  });
  ask("F-10b", "the same where external weights failed", [](Host& host) {
    host.start();
    const Context context = with_buffers(host);
    context.finalize();
    context.finalize();
    context.free();
  });
  ask("F-11a", "after a failed finalize: property, retrieve, free", [](Host& host) {
    host.start();
    const Context context = to_fail(host);
    context.finalize();
    say_code("property", context.property(HtpContextPropertyOption::weights_buffer_size));
    context.retrieve();
    context.free();
    host.tear_down();
  });
  ask("F-11b", "after a failed finalize: buffers given back first", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    const MemHandle first = context.add(weights(host.weights_buffer()));
    const MemHandle second = context.add(spill_fill(host.spill_buffer()));
    *context.out = no_such<ContextHandle>();
    context.finalize();
    host.deregister({first});
    host.deregister({second});
    context.free();
    host.tear_down();
  });
  ask("F-11c", "a new context after a failed finalize", [](Host& host) {
    host.start();
    const Context context = to_fail(host);
    context.finalize();
    context.free();
    const Context again = host.deferred();
    again.finalize();
    again.free();
    host.tear_down();
  });
  ask("F-12a", "spill-fill registered, finalize fails at a core option, free: the handle",
      [](Host& host) {
        host.start();
        const Context context = to_fail(host);
        const MemHandle spill = context.add(spill_fill(host.spill_buffer()));
        context.finalize();
        context.free();
        host.deregister({spill});
        host.tear_down();
      });
  ask("F-12b", "the same, at an HTP option", [](Host& host) {
    host.start();
    const Context context =
        host.create(Options().deferred().custom(static_cast<HtpContextConfigOption>(4711)));
    const MemHandle spill = context.add(spill_fill(host.spill_buffer()));
    context.finalize();
    context.free();
    host.deregister({spill});
    host.tear_down();
  });
  ask("F-12c", "the same with weights and spill-fill, at an HTP option", [](Host& host) {
    host.start();
    const Context context =
        host.create(Options().deferred().custom(static_cast<HtpContextConfigOption>(4711)));
    const MemHandle first = context.add(weights(host.weights_buffer()));
    const MemHandle second = context.add(spill_fill(host.spill_buffer()));
    context.finalize();
    context.free();
    host.deregister({first});
    host.deregister({second});
    host.tear_down();
  });
  ask("F-14", "nothing registered", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.finalize();
    context.free();
  });
  ask("F-15", "spill-fill registered before weights", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(spill_fill(host.spill_buffer()));
    context.add(weights(host.weights_buffer()));
    context.finalize();
    context.free();
  });
  ask("F-16a", "register, deregister, finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    host.deregister({context.add(spill_fill(host.spill_buffer()))});
    context.finalize();
    context.free();
  });
  ask("F-16b", "register, deregister, register again, finalize", [](Host& host) {
    host.start();
    const Buffer buffer = host.spill_buffer();
    const Context context = host.deferred();
    host.deregister({context.add(spill_fill(buffer))});
    context.add(spill_fill(buffer));
    context.finalize();
    context.free();
  });
  ask("F-16c", "weights registered, deregistered, finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    host.deregister({context.add(weights(host.weights_buffer()))});
    context.finalize();
    context.free();
  });
  ask("F-17", "free before finalize with registered buffers, then deregister", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    const MemHandle spill = context.add(spill_fill(host.spill_buffer()));
    context.free();
    host.deregister({spill});
    host.tear_down();
  });
  ask("F-18", "four deferred contexts, finalized as 3 0 2 1 and freed as 1 3 0 2", [](Host& host) {
    host.start();
    std::vector<Context> contexts;
    for (int i = 0; i < 4; ++i) contexts.push_back(host.deferred());
    for (const std::size_t i : {3u, 0u, 2u, 1u}) contexts[i].finalize();
    for (const std::size_t i : {1u, 3u, 0u, 2u}) contexts[i].free();
    host.tear_down();
  });
  ask("F-19", "retrieve before finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.retrieve();
  });
  ask("F-20", "tensor memory registered before finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    const std::vector<MemHandle> handles = host.add_tensors(context);
    context.finalize();
    if (const GraphHandle graph = context.retrieve(); graph != nullptr) {
      host.execute(graph, handles);
      host.execute(graph, handles);
    }
  });
  ask("F-21", "rpcmem allocations: of create, finalize, free", [](Host& host) {
    host.need(host.standin.allocations);
    host.start();
    const int before = host.standin.allocations();
    const Context context = host.deferred();
    say("%d", host.standin.allocations() - before);
    context.finalize();
    say("%s", host.standin.allocations() > before ? "more" : "none");
    context.free();
    say("%d left", host.standin.allocations() - before);
  });
  ask("F-22a", "DEFER_GRAPH_INIT with value 0", [](Host& host) {
    host.start();
    host.create(Options().deferred(0));
  });
  ask("F-22b", "DEFER_GRAPH_INIT with value 2", [](Host& host) {
    host.start();
    const Context context = host.create(Options().deferred(2));
    context.finalize();
    context.free();
  });
}

// F-1 to F-6: arguments of create that the library reads again.
void ask_lifetimes(Catalogue& ask) {
  ask("F-1a", "out variable set to NULL before finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    *context.out = nullptr;
    context.finalize();
  });
  ask("F-1b", "out variable set to an unknown number before finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    *context.out = no_such<ContextHandle>();
    context.finalize();
  });
  ask("F-1c", "out variable set to another live context's handle before finalize", [](Host& host) {
    host.start();
    const Context other = host.create();
    const Context context = host.deferred();
    *context.out = other.handle;
    context.finalize();
    context.free();
    other.free();
    host.tear_down();
  });
  ask("F-1d", "page of the out variable taken away before finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    Pages{reinterpret_cast<char*>(context.out), page_bytes}.protect();
    context.finalize();
  });
  ask("F-3a", "config array taken away before finalize", [](Host& host) {
    host.start();
    const Context context =
        host.create(Options().deferred().custom(HtpContextConfigOption::io_mem_estimation));
    context.options.array.protect();
    context.finalize();
  });
  ask("F-3b", "config structs taken away before finalize", [](Host& host) {
    host.start();
    const Context context =
        host.create(Options().deferred().custom(HtpContextConfigOption::io_mem_estimation));
    context.options.structs.protect();
    context.finalize();
  });
  ask("F-3c", "HTP custom structs taken away before finalize", [](Host& host) {
    host.start();
    const Context context =
        host.create(Options().deferred().custom(HtpContextConfigOption::io_mem_estimation));
    context.options.customs.protect();
    context.finalize();
  });
  ask("F-3d", "all three taken away: property and register", [](Host& host) {
    host.start();
    const Context context =
        host.create(Options().deferred().custom(HtpContextConfigOption::io_mem_estimation));
    context.options.array.protect();
    context.options.structs.protect();
    context.options.customs.protect();
    say_code("property", context.property(HtpContextPropertyOption::weights_buffer_size));
    context.add(spill_fill(host.spill_buffer()));
  });
  ask("F-4a", "binary taken away before finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.binary.protect();
    context.finalize();
  });
  ask("F-4b", "binary overwritten with junk before finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.binary.fill(0x5A);
    context.finalize();
  });
  ask("F-5a", "all of them taken away after finalize: retrieve, execute, free", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.finalize();
    context.options.array.protect();
    context.options.structs.protect();
    context.binary.protect();
    Pages{reinterpret_cast<char*>(context.out), page_bytes}.protect();
    use(host, context);
    host.tear_down();
  });
  ask("F-5b", "the same with PERSISTENT_BINARY", [](Host& host) {
    host.start();
    const Context context = host.create(Options().deferred().persistent());
    context.finalize();
    context.options.array.protect();
    context.options.structs.protect();
    context.binary.protect();
    use(host, context);
    host.tear_down();
  });
  ask("F-6", "not deferred: all taken away after create", [](Host& host) {
    host.start();
    const Context context =
        host.create(Options().custom(HtpContextConfigOption::io_mem_estimation));
    context.options.array.protect();
    context.options.structs.protect();
    context.options.customs.protect();
    context.binary.protect();
    Pages{reinterpret_cast<char*>(context.out), page_bytes}.protect();
    use(host, context);
    host.tear_down();
  });
  ask("F-6b", "not deferred, graph switching of a binary with one graph: binary taken away",
      [](Host& host) {
        host.start();
        const Context context = host.create(Options().persistent().hint());
        context.binary.protect();
        use(host, context);
      });
}

}  // namespace conformance
