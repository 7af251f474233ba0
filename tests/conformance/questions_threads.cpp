// S: threads. N: starting without a suitable device. Q, F-13, X-4: failures of the DSP, caused by
// the stand-in for FastRPC or by the simulated HTP.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "host.hpp"

namespace conformance {
namespace {

constexpr int slow_us = 100000;
// Numbers of the DSP's methods that the host library calls.
constexpr int method_load = 4;
constexpr int method_map = 9;

/// Runs two functions at once while every remote call is slow, and reports whether the remote calls
/// overlapped.
template <class First, class Second>
void say_overlap(Host& host, First first, Second second) {
  host.standin.delay(slow_us);
  std::thread one(first), two(second);
  one.join();
  two.join();
  say("%s", host.standin.most_at_once() > 1 ? "overlap" : "one after another");
  host.standin.delay(0);
}

/// Creates two contexts and runs the same function on both at once.
template <class Make, class Act>
void say_overlap_of_two(Host& host, Make make, Act act) {
  host.need(host.standin.most_at_once);
  host.start();
  const Context a = make(), b = make();
  say_overlap(host, [&] { act(a); }, [&] { act(b); });
}

/// Starts as start() does, and reports the code of each call.
void start_with_codes(Host& host) {
  const auto silent = [](const char*, LogLevel, std::uint64_t, va_list) {};
  say_code("logCreate", host.qnn.log_create(silent, LogLevel::error, &host.logger));
  say_code("backendCreate", host.qnn.backend_create(host.logger, nullptr, &host.backend));
  say_code("deviceCreate", host.qnn.device_create(host.logger, nullptr, &host.device));
}

/// Reports the calls that work without a device.
void say_what_else_starts(Host& host) {
  const DevicePlatformInfo* info = nullptr;
  say_code("platform info", host.qnn.device_get_platform_info(nullptr, &info));
  say_code("capability",
           host.qnn.property_has_capability(PropertyKey::context_support_deferred_graph_init));
  ContextHandle context = nullptr;
  say_code("create", host.qnn.context_create_from_binary(
                         host.backend, nullptr, nullptr, given.main->bytes.data(),
                         given.main->bytes.size(), &context, nullptr));
}

/// Creates a context after `fail` has made the DSP or rpcmem fail, and reports the memory and
/// mappings that stay.
template <class Fail>
void say_failed_creation(Host& host, Fail fail) {
  host.need(host.standin.allocations);
  host.start();
  const int before = host.standin.allocations();
  fail();
  const Context context = host.create();
  say("out %s", word_for(context.handle));
  say("%s", host.standin.allocations() > before ? "memory left" : "nothing left");
  host.tear_down();
}

}  // namespace

void ask_threads(Catalogue& ask) {
  ask("S-1a", "two finalizes at once while the DSP is slow", [](Host& host) {
    say_overlap_of_two(
        host, [&] { return host.deferred(); },
        [&](const Context& each) { host.qnn.context_finalize(each.handle, nullptr); });
  });
  ask("S-1b", "a finalize and an execution of another context", [](Host& host) {
    host.need(host.standin.most_at_once);
    host.start();
    const Context a = host.deferred(), b = host.create();
    const GraphHandle graph = b.retrieve();
    say_overlap(
        host, [&] { host.qnn.context_finalize(a.handle, nullptr); },
        [&] {
          for (int i = 0; i < 5; ++i) host.run(graph);
        });
  });
  ask("S-1c", "frees of two contexts", [](Host& host) {
    say_overlap_of_two(
        host, [&] { return host.create(); },
        [&](const Context& each) { host.qnn.context_free(each.handle, nullptr); });
  });
  ask("S-2", "registrations of tensors with two contexts", [](Host& host) {
    say_overlap_of_two(
        host, [&] { return host.create(); },
        [&](const Context& each) {
          const MemDescriptor descriptor = ion(host.allocate(page_bytes).fd, {64, 64});
          MemHandle handle = nullptr;
          host.qnn.mem_register(each.handle, &descriptor, 1, &handle);
        });
  });
  ask("S-3", "two executions of one graph", [](Host& host) {
    host.need(host.standin.most_at_once);
    host.start();
    const GraphHandle graph = host.create().retrieve();
    say_overlap(host, [&] { host.run(graph); }, [&] { host.run(graph); });
  });
  ask("S-4a", "executions of two contexts that share a spill-fill buffer", [](Host& host) {
    host.need(host.standin.most_at_once);
    host.start();
    const Buffer buffer = host.spill_buffer();
    GraphHandle graphs[2];
    for (GraphHandle& graph : graphs) {
      const Context context = host.deferred();
      context.add(spill_fill(buffer));
      context.finalize();
      graph = context.retrieve();
    }
    say_overlap(host, [&] { host.run(graphs[0]); }, [&] { host.run(graphs[1]); });
  });
  ask("S-4b", "executions of two contexts of a group", [](Host& host) {
    host.need(host.standin.most_at_once);
    host.start();
    const Context head = host.create(Options().group(nullptr, given.main->spill_fill + (1 << 20)));
    const Context member = host.create(Options().group(head.handle, 0));
    const GraphHandle graphs[] = {head.retrieve(), member.retrieve()};
    say_overlap(host, [&] { host.run(graphs[0]); }, [&] { host.run(graphs[1]); });
  });
  ask("S-5a", "4 threads x 50 registrations and deregistrations of tensors in one context",
      [](Host& host) {
        host.need_memory();
        host.start();
        const Context context = host.create();
        const Buffer buffer = host.allocate(65536);
        std::atomic<int> errors = 0;
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < 4; ++t)
          threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
              const MemDescriptor descriptor = shared(buffer.fd, 65536, t * 8192, {64, 64});
              MemHandle handle = nullptr;
              errors += host.qnn.mem_register(context.handle, &descriptor, 1, &handle) != 0;
              errors += host.qnn.mem_de_register(&handle, 1) != 0;
            }
          });
        for (std::thread& thread : threads) thread.join();
        say("%d errors", errors.load());
        context.free();
        host.tear_down();
      });
  ask("S-5b", "4 threads x 5 deferred creations, finalizes and frees", [](Host& host) {
    host.need_core(27);
    Options options = Options().deferred();
    host.start();
    std::atomic<int> errors = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) {
          ContextHandle context = nullptr;
          errors += host.qnn.context_create_from_binary(
                        host.backend, host.device, options.get(), given.main->bytes.data(),
                        given.main->bytes.size(), &context, nullptr) != 0;
          errors += host.qnn.context_finalize(context, nullptr) != 0;
          errors += host.qnn.context_free(context, nullptr) != 0;
        }
      });
    for (std::thread& thread : threads) thread.join();
    say("%d errors", errors.load());
    host.tear_down();
  });
  ask("S-6", "an asynchronous execution: its code", [](Host& host) {
    host.start();
    const Context context = host.create();
    const GraphHandle graph = context.retrieve();
    GraphTensors all = host.raw_tensors();
    say_code("executeAsync",
             host.qnn.graph_execute_async(
                 graph, all.inputs.data(), static_cast<std::uint32_t>(all.inputs.size()),
                 all.outputs.data(), static_cast<std::uint32_t>(all.outputs.size()), nullptr,
                 nullptr, [](void*, NotifyStatus) {}, nullptr));
  });
}

void ask_failures(Catalogue& ask) {
  ask("N-1", "the chip is not known: logCreate, backendCreate, deviceCreate", [](Host& host) {
    host.need(host.standin.forget_chip);
    host.standin.forget_chip();
    start_with_codes(host);
  });
  ask("N-2", "the library on the DSP is of another SDK", [](Host& host) {
    host.need(host.standin.change_sdk);
    host.standin.change_sdk();
    start_with_codes(host);
  });
  ask("N-3", "the library on the DSP cannot be opened", [](Host& host) {
    host.need(host.standin.fail_open);
    host.standin.fail_open(0, 1000, 1);
    start_with_codes(host);
  });
  ask("N-4", "the same: platform info, a capability, a context without a device", [](Host& host) {
    host.need(host.standin.fail_open);
    host.standin.fail_open(0, 1000, 1);
    host.qnn.backend_create(nullptr, nullptr, &host.backend);
    say_what_else_starts(host);
  });
  ask("N-5", "the chip is not known: platform info, a capability, a context", [](Host& host) {
    host.need(host.standin.forget_chip);
    host.standin.forget_chip();
    say_what_else_starts(host);
  });
  ask("F-13a", "finalize: the mapping fails once", [](Host& host) {
    host.need(host.standin.fail_map);
    host.start();
    const Context context = host.deferred();
    host.standin.fail_map(0, 1, 1);
    context.finalize();
    context.free();
    host.tear_down();
  });
  ask("F-13b", "finalize: the mapping fails always", [](Host& host) {
    host.need(host.standin.fail_map);
    host.start();
    const Context context = host.deferred();
    host.standin.fail_map(0, 1000, 1);
    context.finalize();
    host.standin.fail_map(0, 0, 0);
    context.finalize();
    context.free();
    host.tear_down();
  });
  ask("F-13c", "finalize with external spill-fill: the mapping fails always; retry from creation",
      [](Host& host) {
        host.need(host.standin.fail_map);
        host.start();
        const Buffer buffer = host.spill_buffer();
        const Context context = host.deferred();
        const MemHandle handle = context.add(spill_fill(buffer));
        host.standin.fail_map(0, 1000, 1);
        context.finalize();
        host.standin.fail_map(0, 0, 0);
        host.deregister({handle});
        context.free();
        const Context again = host.deferred();
        again.add(spill_fill(buffer));
        again.finalize();
        again.free();
        host.tear_down();
      });
  ask("F-13d", "finalize: the DSP maps nothing once", [](Host& host) {
    host.need(host.standin.fail_status);
    host.start();
    const Context context = host.deferred();
    host.standin.fail_status(method_map, 0, 1, 1);
    context.finalize();
    context.free();
  });
  ask("X-4a", "create: the mapping fails always",
      [](Host& host) { say_failed_creation(host, [&] { host.standin.fail_map(0, 1000, 1); }); });
  ask("X-4b", "create: rpcmem has no memory", [](Host& host) {
    say_failed_creation(host, [&] {
      host.need(host.standin.fail_allocation);
      host.standin.fail_allocation(0, 1000);
    });
  });
  ask("X-4c", "create: the DSP maps nothing, on every process domain", [](Host& host) {
    say_failed_creation(host, [&] { host.standin.fail_status(method_map, 0, 1000, 1); });
  });
  ask("Q-1", "remote calls return 39 twice while executing", [](Host& host) {
    host.need(host.standin.fail_return);
    host.start();
    const GraphHandle graph = host.create().retrieve();
    host.standin.fail_return(0, 2, 39);
    host.execute(graph);
  });
  ask("Q-2", "after that: execute, deviceFree, contextFree, deviceFree", [](Host& host) {
    host.need(host.standin.allocations);
    host.need(host.standin.fail_return);
    host.start();
    const int before = host.standin.allocations();
    const Context context = host.create();
    const GraphHandle graph = context.retrieve();
    const MemHandle handle = context.add(ion(host.allocate(page_bytes).fd, {64, 64}));
    host.standin.fail_return(0, 2, 39);
    host.execute(graph);
    host.execute(graph);
    const Context again = host.create();
    host.free_device();
    host.deregister({handle});
    context.free();
    again.free();
    say("%d allocations left", host.standin.allocations() - before - 1);
    host.tear_down();
  });
  ask("Q-3", "a remote call returns 39 once; execute again", [](Host& host) {
    host.need(host.standin.fail_return);
    host.start();
    const Context context = host.create();
    const GraphHandle graph = context.retrieve();
    host.standin.fail_return(0, 1, 39);
    host.execute(graph);
    host.execute(graph);
    context.free();
    host.tear_down();
  });
  ask("Q-4", "the mapping call alone returns 39 in create", [](Host& host) {
    host.need(host.standin.fail_map);
    host.start();
    host.standin.fail_map(0, 1000, 39);
    host.create();
    host.standin.fail_map(0, 0, 0);
    host.tear_down();
  });
  ask("Q-5a", "three creations after one that failed on the first process domain only",
      [](Host& host) {
        host.need(host.standin.fail_status);
        host.start();
        host.standin.fail_status(method_map, 0, 1, 1);
        for (int i = 0; i < 4; ++i) host.create();
      });
  ask("Q-5b", "three creations after one that failed on all process domains", [](Host& host) {
    host.need(host.standin.fail_status);
    host.start();
    host.standin.fail_status(method_map, 0, 1000, 1);
    host.create();
    host.standin.fail_status(-1, 0, 0, 0);
    for (int i = 0; i < 3; ++i) host.create();
  });
  ask("Q-5c", "three deferred creations and finalizes after one that failed on all process domains",
      [](Host& host) {
        host.need(host.standin.fail_status);
        host.start();
        host.standin.fail_status(method_map, 0, 1000, 1);
        host.deferred().finalize();
        host.standin.fail_status(-1, 0, 0, 0);
        for (int i = 0; i < 3; ++i) host.deferred().finalize();
      });
  ask("Q-7", "the creation that fails with 2147483647: out variable, device, context",
      [](Host& host) {
        host.need(host.standin.fail_status);
        host.start();
        host.standin.fail_status(method_map, 0, 1000, 1);
        host.create();
        host.standin.fail_status(-1, 0, 0, 0);
        const Context context = host.create();
        say("out %s", word_for(context.handle));
        host.free_device();
        context.free();
        host.free_device();
      });
  ask("Q-6", "spill-fill registered again after a finalize that failed by the DSP", [](Host& host) {
    host.need(host.standin.fail_status);
    host.start();
    const Buffer buffer = host.spill_buffer();
    const Context context = host.deferred();
    context.add(spill_fill(buffer));
    host.standin.fail_status(method_load, 0, 1000, 1);
    context.finalize();
    host.standin.fail_status(-1, 0, 0, 0);
    context.free();
    const Context again = host.deferred();
    again.add(spill_fill(buffer));
    again.finalize();
  });
}

}  // namespace conformance
