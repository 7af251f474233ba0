// Z: what a failure leaves behind, and the way back: numbers of contexts that keep old buffers, and
// what a creation leaves whose first remote call fails. Also the codes of a lack of memory, at each
// attempt.
#include "host.hpp"

namespace conformance {
namespace {

/// Work of a call: its remote calls, and the allocations that stay after it.
struct Work {
  int calls = 0;
  int allocations = 0;
};
template <class Call>
Work work_of(Host& host, Call call) {
  const Work before{host.standin.calls(), host.standin.allocations()};
  call();
  return {host.standin.calls() - before.calls, host.standin.allocations() - before.allocations};
}

/// Creates a deferred context without adding to the answer.
Context quiet_deferred(Host& host) {
  Context context{&host, Options().deferred(), {}, new ContextHandle{}, nullptr, 0};
  context.created = host.qnn.context_create_from_binary(
      host.backend, host.device, context.options.get(), given.main->bytes.data(),
      given.main->bytes.size(), context.out, nullptr);
  context.handle = *context.out;
  return context;
}

/// Whether the library maps external weights. A Linux library does not.
bool takes_weights = false;
void learn_weights(Host& host) {
  const Context context = quiet_deferred(host);
  const MemDescriptor descriptor = weights(host.weights_buffer());
  MemHandle handle = nullptr;
  takes_weights = host.qnn.mem_register(context.handle, &descriptor, 1, &handle) == 0 &&
                  host.qnn.context_finalize(context.handle, nullptr) == 0;
  host.qnn.context_free(context.handle, nullptr);
}

/// Returns descriptors of new external buffers: spill-fill, and weights where the library maps
/// them.
std::vector<MemDescriptor> buffers_of(Host& host, std::vector<Buffer>* made = nullptr) {
  std::vector<Buffer> buffers{host.spill_buffer()};
  std::vector<MemDescriptor> descriptors{spill_fill(buffers.front())};
  if (takes_weights) {
    buffers.push_back(host.weights_buffer());
    descriptors.push_back(weights(buffers.back()));
  }
  if (made != nullptr) *made = buffers;
  return descriptors;
}
std::vector<MemHandle> add_each(const Context& context, const std::vector<MemDescriptor>& buffers) {
  std::vector<MemHandle> handles;
  for (const MemDescriptor& buffer : buffers) handles.push_back(context.add(buffer));
  return handles;
}

/// Returns the work of one contextFinalize with these buffers. It is the second of two, because the
/// first opens the process domain.
Work work_of_finalize(Host& host, const std::vector<MemDescriptor>& buffers) {
  Work work;
  for (int i = 0; i < 2; ++i) {
    const Context context = quiet_deferred(host);
    for (const MemDescriptor& buffer : buffers) {
      MemHandle handle = nullptr;
      host.qnn.mem_register(context.handle, &buffer, 1, &handle);
    }
    work = work_of(host, [&] { host.qnn.context_finalize(context.handle, nullptr); });
    host.qnn.context_free(context.handle, nullptr);
  }
  return work;
}
Work work_of_creation(Host& host) {
  Work work;
  for (int i = 0; i < 2; ++i) {
    ContextHandle context = nullptr;
    work = work_of(host, [&] {
      host.qnn.context_create_from_binary(host.backend, host.device, nullptr,
                                          given.main->bytes.data(), given.main->bytes.size(),
                                          &context, nullptr);
    });
    host.qnn.context_free(context, nullptr);
  }
  return work;
}

/// Compares a call's own memory with that of a call without a mark and without buffers.
void say_compared(const Work& has, const Work& usual) {
  say("%s allocations", has.allocations == usual.allocations  ? "as many"
                        : has.allocations < usual.allocations ? "fewer"
                                                              : "more");
}
void say_left(Host& host, int allocations) {
  say("%s left", host.standin.allocations() > allocations ? "memory" : "nothing");
}

void start(Host& host) {
  host.need(host.standin.calls);
  host.need(host.standin.fail_return);
  host.need_core(27);
  host.need_memory();
  host.start();
  learn_weights(host);
}

/// Finalizes a context. Its remote calls from number `skip` on fail, `count` of them.
void finalize_in_vain(const Context& context, int skip, int count, int code) {
  const StandIn& standin = context.host->standin;
  standin.fail_return(skip, count, code);
  context.finalize();
  standin.fail_return(0, 0, 0);
}

/// A context whose contextFinalize has failed in its last remote call.
struct Marked {
  Context context;
  std::vector<Buffer> buffers;
  std::vector<MemHandle> handles;
};
Marked mark(Host& host, int code = rpc_failed, int last_calls = 1) {
  start(host);
  Marked marked;
  const std::vector<MemDescriptor> descriptors = buffers_of(host, &marked.buffers);
  const Work usual = work_of_finalize(host, descriptors);
  marked.context = host.deferred();
  marked.handles = add_each(marked.context, descriptors);
  finalize_in_vain(marked.context, usual.calls - last_calls, last_calls == 1 ? 1 : for_ever, code);
  return marked;
}
Marked mark_and_free(Host& host) {
  Marked marked = mark(host);
  marked.context.free();
  return marked;
}
/// The same without external buffers.
Context fail_and_free(Host& host) {
  start(host);
  const Work usual = work_of_finalize(host, {});
  const Context context = host.deferred();
  finalize_in_vain(context, usual.calls - 1, 1, rpc_failed);
  context.free();
  return context;
}
void release(Host& host, const Marked& marked) {
  for (const Buffer& buffer : marked.buffers) host.release(buffer);
}

/// Creates a deferred context with new buffers.
Context next(Host& host) {
  const Context context = host.deferred();
  add_each(context, buffers_of(host));
  return context;
}
void say_number(const Context& context, const Context& before) {
  say("%s number", context.handle == before.handle ? "the same" : "another");
}

/// Makes the last remote call of a creation fail, and frees the context if there is one.
void create_and_free(Host& host) {
  const Work usual = work_of_creation(host);
  host.standin.fail_return(usual.calls - 1, 1, rpc_failed);
  const Context context = host.create();
  host.standin.fail_return(0, 0, 0);
  say("out %s", word_for(context.handle));
  if (context.handle != nullptr) context.free();
}

/// Creates a context whose first remote call fails.
Context create_in_vain(Host& host, Options options, int code = rpc_failed) {
  start(host);
  host.standin.fail_return(0, 1, code);
  const Context context = host.create(options);
  host.standin.fail_return(0, 0, 0);
  say("out %s", word_for(context.handle));
  return context;
}
/// Creates a context whose first allocation fails.
Context create_without_memory(Host& host, Options options) {
  host.need(host.standin.fail_allocation);
  host.start();
  host.standin.fail_allocation(0, 1);
  const Context context = host.create(options);
  host.standin.fail_allocation(0, 0);
  say("out %s", word_for(context.handle));
  return context;
}

/// Loads three times while a failure lasts, then three times without it.
template <class Fail>
void load_in_vain(Host& host, Fail fail, void (*load)(Host&)) {
  host.start();
  fail(for_ever);
  for (int i = 0; i < 3; ++i) load(host);
  fail(0);
  say("then");
  for (int i = 0; i < 3; ++i) load(host);
}
void load_at_once(Host& host) { host.create(); }
void load_deferred(Host& host) {
  const Context context = host.deferred();
  if (context.created != 0) return;
  context.finalize();
  context.free();
}

/// Creates a list of one context, and frees the context. Returns the work of the creation.
Work work_of_list(Host& host) {
  static ContextHandle made;
  made = nullptr;
  const ContextNotifyFn note = [](ContextHandle context, GraphHandle, const char*,
                                  ContextNotifyType type, void*, ErrorHandle) {
    if (type == ContextNotifyType::context_init) made = context;
  };
  const ContextParams entry{ContextParamsVersion::v1,
                            {.v1 = {nullptr, given.main->bytes.data(), given.main->bytes.size(),
                                    nullptr, note, nullptr}}};
  const ContextParams* entries[] = {&entry, nullptr};
  const Work work = work_of(host, [&] {
    say_code("list", host.qnn.context_create_from_binary_list_async(host.backend, host.device,
                                                                    entries, nullptr, nullptr));
  });
  if (made != nullptr) host.free(made);
  return work;
}

void ask_marks(Catalogue& ask) {
  ask("Z-1a", "the last remote call of finalize returns 1, once; deregister, free, deregister",
      [](Host& host) {
        const Marked marked = mark(host);
        host.deregister(marked.handles);
        marked.context.free();
        host.deregister(marked.handles);
        host.tear_down();
      });
  ask("Z-1b", "the same with 39", [](Host& host) {
    const Marked marked = mark(host, rpc_restart);
    host.deregister(marked.handles);
    marked.context.free();
    host.tear_down();
  });
  ask("Z-1c", "the last two remote calls of finalize fail; the next context", [](Host& host) {
    mark(host, rpc_failed, 2).context.free();
    next(host);
  });
  ask("Z-2a", "the first remote call of finalize and all after it fail; the next context",
      [](Host& host) {
        start(host);
        const Context context = next(host);
        finalize_in_vain(context, 0, for_ever, rpc_failed);
        context.free();
        next(host);
      });
  ask("Z-2b", "the first remote call of finalize fails once; the next context", [](Host& host) {
    start(host);
    const Context context = next(host);
    finalize_in_vain(context, 0, 1, rpc_failed);
    context.free();
    next(host);
  });
  ask("Z-3", "the next context: other buffers, then a weights buffer", [](Host& host) {
    const Marked marked = mark_and_free(host);
    const Context context = next(host);
    say_number(context, marked.context);
    context.add(weights(host.weights_buffer()));
  });
  ask("Z-4a", "what such a finalize leaves, after contextFree and after deviceFree",
      [](Host& host) {
        start(host);
        const std::vector<MemDescriptor> descriptors = buffers_of(host);
        const Work usual = work_of_finalize(host, descriptors);
        const int allocations = host.standin.allocations();
        const Context context = host.deferred();
        add_each(context, descriptors);
        finalize_in_vain(context, usual.calls - 1, 1, rpc_failed);
        context.free();
        say_left(host, allocations);
        host.free_device();
        say_left(host, allocations);
      });
  ask("Z-4b", "the same with nothing registered", [](Host& host) {
    start(host);
    const Work usual = work_of_finalize(host, {});
    const int allocations = host.standin.allocations();
    const Context context = host.deferred();
    finalize_in_vain(context, usual.calls - 1, 1, rpc_failed);
    context.free();
    say_left(host, allocations);
  });
  ask("Z-5a", "the next context, after 8002: finalize, own memory", [](Host& host) {
    mark_and_free(host);
    const Context context = next(host);
    const Work work = work_of(host, [&] { context.finalize(); });
    context.free();
    say_compared(work, work_of_finalize(host, {}));
  });
  ask("Z-5b", "the same with nothing registered", [](Host& host) {
    mark_and_free(host);
    const Context context = host.deferred();
    const Work work = work_of(host, [&] { context.finalize(); });
    context.free();
    say_compared(work, work_of_finalize(host, {}));
  });
  ask("Z-5c", "the same, a creation that is not deferred", [](Host& host) {
    mark_and_free(host);
    Context context;
    const Work work = work_of(host, [&] { context = host.create(); });
    context.free();
    say_compared(work, work_of_creation(host));
  });
  ask("Z-5d", "the same, twice, after the old buffers were freed; the next context",
      [](Host& host) {
        release(host, mark_and_free(host));
        for (int i = 0; i < 2; ++i)
          if (const Context context = host.create(); context.created == 0) context.free();
        next(host);
      });
  ask("Z-5e", "finalize, twice, after the old buffers were freed; the next context",
      [](Host& host) {
        release(host, mark_and_free(host));
        for (int i = 0; i < 2; ++i) load_deferred(host);
        next(host);
      });
  ask("Z-6a", "memDeRegister before and after contextFree; the next context", [](Host& host) {
    const Marked marked = mark(host);
    host.deregister(marked.handles);
    marked.context.free();
    host.deregister(marked.handles);
    next(host);
  });
  ask("Z-6b", "contextFree twice; the next context", [](Host& host) {
    mark_and_free(host).context.free();
    next(host);
  });
  ask("Z-6c", "a deferred context created and freed; the next one", [](Host& host) {
    mark_and_free(host);
    host.deferred().free();
    next(host);
  });
  ask("Z-6d", "the old buffers freed; the next context", [](Host& host) {
    release(host, mark_and_free(host));
    next(host);
  });
  ask("Z-6e", "deviceFree and deviceCreate; the next context", [](Host& host) {
    mark_and_free(host);
    host.free_device();
    say_code("deviceCreate", host.qnn.device_create(host.logger, nullptr, &host.device));
    next(host);
  });
  ask("Z-6f", "backendFree and backendCreate; the next context", [](Host& host) {
    mark_and_free(host);
    host.free_backend();
    say_code("backendCreate", host.qnn.backend_create(host.logger, nullptr, &host.backend));
    next(host);
  });
  ask("Z-6g", "both freed and created; the next context", [](Host& host) {
    mark_and_free(host);
    host.tear_down();
    host.start();
    next(host);
  });
  ask("Z-7a", "finalize of the next context; the one after it", [](Host& host) {
    mark_and_free(host);
    load_deferred(host);
    next(host).finalize();
  });
  ask("Z-7b", "a creation that is not deferred; the next context", [](Host& host) {
    mark_and_free(host);
    host.create().free();
    next(host).finalize();
  });
  ask("Z-7c", "a finalize of the next context that fails, as all mappings do; the one after it",
      [](Host& host) {
        host.need(host.standin.fail_map);
        mark_and_free(host);
        host.standin.fail_map(0, for_ever, 12);
        load_deferred(host);
        host.standin.fail_map(0, 0, 0);
        next(host);
      });
  ask("Z-7d", "the same, a creation that is not deferred", [](Host& host) {
    host.need(host.standin.fail_map);
    mark_and_free(host);
    host.standin.fail_map(0, for_ever, 12);
    host.create();
    host.standin.fail_map(0, 0, 0);
    next(host);
  });
  ask("Z-8a", "the next context stays alive; the one after it", [](Host& host) {
    const Marked marked = mark_and_free(host);
    host.deferred();
    const Context context = next(host);
    say_number(context, marked.context);
    context.finalize();
  });
  ask("Z-8b", "the failed context is freed after the next one was created", [](Host& host) {
    const Marked marked = mark(host);
    const Context context = next(host);
    say_number(context, marked.context);
    marked.context.free();
    context.finalize();
  });
  ask("Z-9", "the memory of a deferred context that keeps the number", [](Host& host) {
    mark_and_free(host);
    const int allocations = host.standin.allocations();
    host.deferred();
    say_left(host, allocations);
  });
}

void ask_failed_creations(Catalogue& ask) {
  ask("Z-10a", "a deferred creation whose first remote call returns 1", [](Host& host) {
    create_in_vain(host, Options().deferred());
    host.free_device();
  });
  ask("Z-10b", "the same with 39", [](Host& host) {
    create_in_vain(host, Options().deferred(), rpc_restart);
    host.free_device();
  });
  ask("Z-10c", "a deferred creation whose first allocation fails", [](Host& host) {
    create_without_memory(host, Options().deferred());
    host.free_device();
  });
  ask("Z-11a", "contextFree of what that creation leaves; deviceFree, backendFree, twice",
      [](Host& host) {
        create_in_vain(host, Options().deferred()).free();
        host.tear_down();
        host.tear_down();
      });
  ask("Z-11b", "finalize of what that creation leaves",
      [](Host& host) { create_in_vain(host, Options().deferred()).finalize(); });
  ask("Z-11c", "the same as Z-11a after the failed allocation", [](Host& host) {
    create_without_memory(host, Options().deferred()).free();
    host.tear_down();
    host.tear_down();
  });
  ask("Z-12a", "not freed: backendFree, deviceFree; everything again", [](Host& host) {
    create_in_vain(host, Options().deferred());
    host.free_backend();
    host.free_device();
    host.start();
    host.create().free();
    host.tear_down();
  });
  ask("Z-12b", "not freed: a second device is created and freed; backendFree, the first device",
      [](Host& host) {
        create_in_vain(host, Options().deferred());
        const DeviceHandle first = host.device;
        say_code("deviceCreate", host.qnn.device_create(host.logger, nullptr, &host.device));
        host.free_device();
        host.free_backend();
        say_code("deviceFree", host.qnn.device_free(first));
      });
  ask("Z-13a", "a creation that is not deferred, first remote call: what stays", [](Host& host) {
    create_in_vain(host, {}).free();
    host.tear_down();
  });
  ask("Z-13b", "the same, first allocation", [](Host& host) {
    create_without_memory(host, {}).free();
    host.tear_down();
  });
}

void ask_more_marks(Catalogue& ask) {
  ask("Z-14a", "the last remote call of finalize fails, nothing registered; the next contexts",
      [](Host& host) {
        const Context failed = fail_and_free(host);
        const Context context = next(host);
        say_number(context, failed);
        context.finalize();
        context.free();
        next(host).finalize();
      });
  ask("Z-14b", "the same; then a creation that is not deferred", [](Host& host) {
    fail_and_free(host);
    Context context;
    const Work work = work_of(host, [&] { context = host.create(); });
    context.free();
    say_compared(work, work_of_creation(host));
    next(host).finalize();
  });
  ask("Z-15a", "a creation that is not deferred, last remote call, once; the next context",
      [](Host& host) {
        start(host);
        create_and_free(host);
        const Context context = next(host);
        context.finalize();
        context.free();
        host.tear_down();
      });
  ask("Z-15b", "the same; then a creation that is not deferred", [](Host& host) {
    start(host);
    create_and_free(host);
    host.create();
  });
  ask("Z-15c", "what that creation leaves", [](Host& host) {
    start(host);
    work_of_creation(host);
    const int allocations = host.standin.allocations();
    create_and_free(host);
    say_left(host, allocations);
  });
  ask("Z-15d", "each remote call of such a creation fails once, in turn; the next context",
      [](Host& host) {
        start(host);
        const Work usual = work_of_creation(host);
        ErrorHandle last = 1;
        for (int skip = 0; skip < usual.calls; ++skip) {
          ContextHandle context = nullptr;
          host.standin.fail_return(skip, 1, rpc_failed);
          const ErrorHandle code = host.qnn.context_create_from_binary(
              host.backend, host.device, nullptr, given.main->bytes.data(),
              given.main->bytes.size(), &context, nullptr);
          host.standin.fail_return(0, 0, 0);
          if (context != nullptr) host.qnn.context_free(context, nullptr);
          if (code != last) say_code("create", code);
          last = code;
        }
        next(host).finalize();
      });
  ask("Z-16a", "a list after a finalize that failed with buffers; the next context",
      [](Host& host) {
        mark_and_free(host);
        const Work work = work_of_list(host);
        next(host).finalize();
        say_compared(work, work_of_list(host));
      });
  ask("Z-16b", "the same after the old buffers were freed", [](Host& host) {
    release(host, mark_and_free(host));
    for (int i = 0; i < 2; ++i) work_of_list(host);
  });
}

void ask_lacks(Catalogue& ask) {
  ask("Z-20a", "a mapping fails once: creations", [](Host& host) {
    host.need(host.standin.fail_map);
    host.start();
    host.standin.fail_map(0, 1, 12);
    for (int i = 0; i < 3; ++i) host.create();
  });
  ask("Z-20b", "a mapping fails once: finalizes", [](Host& host) {
    host.need(host.standin.fail_map);
    host.start();
    host.standin.fail_map(0, 1, 12);
    for (int i = 0; i < 3; ++i) load_deferred(host);
  });
  ask("Z-21a", "all mappings fail: creations", [](Host& host) {
    host.need(host.standin.fail_map);
    load_in_vain(host, [&](int count) { host.standin.fail_map(0, count, 12); }, load_at_once);
  });
  ask("Z-21b", "all mappings fail: finalizes", [](Host& host) {
    host.need(host.standin.fail_map);
    load_in_vain(host, [&](int count) { host.standin.fail_map(0, count, 12); }, load_deferred);
  });
  ask("Z-21c", "all mappings fail: a deferred creation and memRegister", [](Host& host) {
    host.need(host.standin.fail_map);
    start(host);
    host.standin.fail_map(0, for_ever, 12);
    next(host);
  });
  ask("Z-22a", "the first allocation fails: creations", [](Host& host) {
    host.need(host.standin.fail_allocation);
    host.start();
    host.standin.fail_allocation(0, 1);
    for (int i = 0; i < 3; ++i) host.create();
  });
  ask("Z-22b", "the fourth allocation fails: creations", [](Host& host) {
    host.need(host.standin.fail_allocation);
    host.start();
    host.standin.fail_allocation(3, 1);
    for (int i = 0; i < 3; ++i) host.create();
  });
  ask("Z-23a", "all allocations fail: creations", [](Host& host) {
    host.need(host.standin.fail_allocation);
    load_in_vain(host, [&](int count) { host.standin.fail_allocation(0, count); }, load_at_once);
  });
  ask("Z-23b", "all allocations after the third fail: creations", [](Host& host) {
    host.need(host.standin.fail_allocation);
    load_in_vain(host, [&](int count) { host.standin.fail_allocation(3, count); }, load_at_once);
  });
  ask("Z-23c", "all allocations fail: finalizes", [](Host& host) {
    host.need(host.standin.fail_allocation);
    host.start();
    const Context first = host.deferred();
    host.standin.fail_allocation(0, for_ever);
    first.finalize();
    first.free();
    for (int i = 0; i < 2; ++i) load_deferred(host);
    host.standin.fail_allocation(0, 0);
    say("then");
    for (int i = 0; i < 3; ++i) load_deferred(host);
  });
}

}  // namespace

void ask_recovery(Catalogue& ask) {
  ask_marks(ask);
  ask_failed_creations(ask);
  ask_more_marks(ask);
  ask_lacks(ask);
}

}  // namespace conformance
