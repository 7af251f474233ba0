// Ways to backends and contexts: restored, deferred with external buffers, groups, lists, composed.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/graph/compose.hpp"

#include "flow/ways.hpp"

namespace flow {

inline void add_backend_ways(Ways& ways) {
  ways.push_back({"backend.load", [](Tools& t) {
                    (void)t.backend().build_id();
                    return std::string();
                  }});
  ways.push_back({"backend.log_to_platform", [](Tools& t) {
                    const auto backend = must(Backend<Htp>::load(
                        {.library = t.given.htp, .log = log_to_platform(c_api::LogLevel::error)}));
                    (void)must(Context<Finalized>::restore(backend, t.binary()));
                    return std::string();
                  }});
  ways.push_back({"log.to_callable", [](Tools& t) {
                    std::size_t lines = 0;
                    {
                      const auto backend = must(Backend<Htp>::load(
                          {.library = t.given.htp,
                           .log = log_to([&lines](c_api::LogLevel, std::string_view) { ++lines; },
                                         c_api::LogLevel::debug)}));
                      (void)must(Context<Finalized>::restore(backend, t.binary()));
                    }
                    return std::string();
                  }});
  ways.push_back(
      {"log.to_file", [](Tools& t) {
         const auto backend = must(Backend<Htp>::load(
             {.library = t.given.htp, .log = log_to_file("/dev/null", c_api::LogLevel::debug)}));
         (void)must(Context<Finalized>::restore(backend, t.binary()));
         return std::string();
       }});
  ways.push_back({"backend.two_at_once", [](Tools& t) {
                    const auto other = must(t.load());
                    execute_all(must(Context<Finalized>::restore(other, t.binary())), t.rpcmem());
                    execute_all(must(Context<Finalized>::restore(t.backend(), t.binary())),
                                t.rpcmem());
                    return std::string();
                  }});
  ways.push_back({"backend.again_after_close", [](Tools& t) {
                    for (int i = 0; i < 3; ++i) {
                      auto backend = must(t.load());
                      (void)must(Context<Finalized>::restore(backend, t.binary()));
                      must(std::move(backend).close());
                    }
                    return std::string();
                  }});
  ways.push_back({"backend.library_that_is_not_there", [](Tools&) {
                    (void)must(Backend<Htp>::load({.library = "/nowhere/libQnnHtp.so"}));
                    return std::string();
                  }});
}

/// Restores the first binary with `options` and executes its graphs.
inline std::string restore(Tools& t, const RestoreOptions& options) {
  execute_all(must(Context<Finalized>::restore(t.backend(), t.binary(), options)), t.rpcmem());
  return {};
}

/// Takes the first binary through all states, with the buffers that `buffers` creates for its
/// requirements.
template <class Buffers>
std::string defer(Tools& t, Buffers buffers, const DeferredOptions& options = {}) {
  auto context = queried(t, 0, options);
  ExternalBuffers memory = buffers(context.requirements());
  execute_all(
      must(std::move(context).register_buffers(std::move(memory)).and_then(transition::finalize)),
      t.rpcmem());
  return {};
}

/// Executes a context and returns the size of its VTCM backup buffer, or why it was left out.
inline std::string backed_up(Tools& t, const Context<Finalized>& context) {
  execute_all(context, t.rpcmem());
  const auto backup = context.vtcm_backup();
  if (!backup)
    return "left out, " + std::string(backup.error().step) + " returned " +
           std::to_string(backup.error().code);
  return *backup ? std::to_string(backup->size_bytes()) + " bytes of VTCM backup"
                 : "without VTCM backup";
}

/// Region of a larger DMA buffer. Its offset is the context's start alignment, and its size the
/// context's need.
template <class Purpose>
MemRegion<Purpose> at_an_offset(Tools& t, const BufferRequirements& need, std::uint64_t bytes) {
  return must(MemRegion<Purpose>::from_buffer(
      must(t.rpcmem().allocate(bytes + 2 * need.start_alignment)), need.start_alignment, bytes));
}

inline void add_context_ways(Ways& ways) {
  ways.push_back({"restore.as_it_is", [](Tools& t) { return restore(t, {}); }});
  ways.push_back({"restore.each_binary", [](Tools& t) {
                    for (const std::string& path : t.given.binaries)
                      execute_all(must(Context<Finalized>::restore(t.backend(),
                                                                   must(ContextBinary::map(path)))),
                                  t.rpcmem());
                    return std::string();
                  }});
  ways.push_back({"restore.high_priority",
                  [](Tools& t) { return restore(t, {.priority = c_api::Priority::high}); }});
  ways.push_back(
      {"restore.persistent", [](Tools& t) { return restore(t, {.persistent_binary = true}); }});
  ways.push_back({"restore.file_read_budget",
                  [](Tools& t) { return restore(t, {.file_read_memory_budget_mb = 16}); }});
  ways.push_back({"restore.init_acceleration",
                  [](Tools& t) { return restore(t, {.init_acceleration = true}); }});
  ways.push_back({"restore.strict_compatibility",
                  [](Tools& t) { return restore(t, {.strict_compatibility = true}); }});
  ways.push_back({"restore.graph_switching", [](Tools& t) {
                    return restore(t, {.persistent_binary = true, .graph_switching = true});
                  }});
  ways.push_back({"restore.memory_limit_without_persistent_binary",
                  [](Tools& t) { return restore(t, {.graph_switching = true}); }});
  ways.push_back({"restore.enabled_graphs", [](Tools& t) {
                    const auto first = must(Context<Finalized>::restore(t.backend(), t.binary()));
                    if (first.graphs().empty()) return std::string("no metadata");
                    return restore(t, {.enabled_graphs = {first.graphs().front().name}});
                  }});
  ways.push_back({"restore.enabled_graphs_with_an_unknown_name",
                  [](Tools& t) { return restore(t, {.enabled_graphs = {"no such graph"}}); }});
  ways.push_back({"restore.no_context_binary", [](Tools& t) {
                    (void)must(Context<Finalized>::restore(
                        t.backend(), must(ContextBinary::own(
                                         std::vector<std::byte>(4096, std::byte{0x5A}), "junk"))));
                    return std::string();
                  }});
  ways.push_back({"restore.truncated_binary", [](Tools& t) {
                    const auto whole = t.binary();
                    (void)must(Context<Finalized>::restore(
                        t.backend(), must(ContextBinary::borrow(
                                         whole.bytes().first(whole.bytes().size() / 2), "half"))));
                    return std::string();
                  }});

  ways.push_back({"restore.binary_for_another_device", [](Tools& t) {
                    if (t.given.refused.empty()) return std::string(no_such_binary);
                    (void)must(Context<Finalized>::restore(
                        t.backend(), must(ContextBinary::map(t.given.refused[0]))));
                    return std::string();
                  }});

  ways.push_back(
      {"deferred.binary_for_another_device", [](Tools& t) {
         if (t.given.refused.empty()) return std::string(no_such_binary);
         auto context = must(
             Context<Deferred>::create(t.backend(), must(ContextBinary::map(t.given.refused[0])))
                 .and_then(transition::query));
         (void)must(std::move(context).register_buffers({}).and_then(transition::finalize));
         return std::string();
       }});
  ways.push_back({"deferred.external_weights_and_spill_fill", [](Tools& t) {
                    return defer(t, [&](const BufferRequirements& need) {
                      return ExternalBuffers{
                          .weights = must(MemRegion<Weights>::allocate(t.rpcmem(), need)),
                          .spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), need))};
                    });
                  }});
  ways.push_back(
      {"deferred.external_weights_spill_fill_and_vtcm_backup", [](Tools& t) {
         auto context = queried(t);
         const BufferRequirements need = context.requirements();
         const auto spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), need));
         return backed_up(
             t, must(std::move(context)
                         .register_buffers(
                             {.weights = must(MemRegion<Weights>::allocate(t.rpcmem(), need)),
                              .spill_fill = spill_fill,
                              .vtcm_backup =
                                  must(SharedVtcmBackup::allocate(t.rpcmem(), need, spill_fill))})
                         .and_then(transition::finalize)));
       }});
  ways.push_back({"deferred.one_vtcm_backup_for_many", [](Tools& t) {
                    std::vector<Context<Queried>> asked;
                    for (std::size_t i = 0; i < t.given.many().size(); ++i)
                      asked.push_back(queried(t, i));
                    const auto backup = must(SharedVtcmBackup::allocate(t.rpcmem(), asked));
                    std::vector<Context<Finalized>> contexts;
                    for (auto& context : asked)
                      contexts.push_back(must(std::move(context)
                                                  .register_buffers({.vtcm_backup = backup})
                                                  .and_then(transition::finalize)));
                    std::string said;
                    for (const auto& context : contexts) said = backed_up(t, context);
                    return said;
                  }});
  ways.push_back({"deferred.vtcm_backup_too_small", [](Tools& t) {
                    return defer(t, [&](BufferRequirements need) {
                      need.vtcm_backup_bytes /= 2;
                      return ExternalBuffers{
                          .vtcm_backup = must(SharedVtcmBackup::allocate(t.rpcmem(), need))};
                    });
                  }});
  ways.push_back({"deferred.vtcm_backup_and_spill_fill_with_separate_rights", [](Tools& t) {
                    return defer(t, [&](const BufferRequirements& need) {
                      return ExternalBuffers{
                          .spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), need)),
                          .vtcm_backup = must(SharedVtcmBackup::allocate(t.rpcmem(), need))};
                    });
                  }});
  ways.push_back(
      {"deferred.vtcm_backup_of_two_priorities", [](Tools& t) {
         auto first = queried(t);
         const auto backup = must(SharedVtcmBackup::allocate(t.rpcmem(), first.requirements()));
         const auto context = must(std::move(first)
                                       .register_buffers({.vtcm_backup = backup})
                                       .and_then(transition::finalize));
         return defer(
             t, [&](const BufferRequirements&) { return ExternalBuffers{.vtcm_backup = backup}; },
             {.priority = c_api::Priority::high});
       }});
  ways.push_back({"deferred.external_spill_fill", [](Tools& t) {
                    return defer(t, [&](const BufferRequirements& need) {
                      return ExternalBuffers{.spill_fill =
                                                 must(SharedSpillFill::allocate(t.rpcmem(), need))};
                    });
                  }});
  ways.push_back({"deferred.external_weights", [](Tools& t) {
                    return defer(t, [&](const BufferRequirements& need) {
                      return ExternalBuffers{
                          .weights = must(MemRegion<Weights>::allocate(t.rpcmem(), need))};
                    });
                  }});
  ways.push_back({"deferred.nothing_external", [](Tools& t) {
                    return defer(t, [](const BufferRequirements&) { return ExternalBuffers{}; });
                  }});
  ways.push_back({"deferred.persistent_spill_fill", [](Tools& t) {
                    return defer(
                        t,
                        [&](const BufferRequirements& need) {
                          return ExternalBuffers{
                              .spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), need))};
                        },
                        {.persistent_binary = true});
                  }});
  ways.push_back({"deferred.high_priority_and_file_read_budget", [](Tools& t) {
                    return defer(
                        t, [](const BufferRequirements&) { return ExternalBuffers{}; },
                        {.priority = c_api::Priority::high, .file_read_memory_budget_mb = 16});
                  }});
  ways.push_back({"deferred.enabled_graphs_with_an_unknown_name", [](Tools& t) {
                    return defer(t, [](const BufferRequirements&) { return ExternalBuffers{}; },
                                 {.enabled_graphs = {"no such graph"}});
                  }});
  ways.push_back({"deferred.spill_fill_larger_than_needed", [](Tools& t) {
                    return defer(t, [&](BufferRequirements need) {
                      need.spill_fill_bytes = 2 * need.spill_fill_bytes + 4096;
                      return ExternalBuffers{.spill_fill =
                                                 must(SharedSpillFill::allocate(t.rpcmem(), need))};
                    });
                  }});
  ways.push_back({"deferred.spill_fill_too_small", [](Tools& t) {
                    return defer(t, [&](BufferRequirements need) {
                      need.spill_fill_bytes = need.spill_fill_bytes / 2;
                      return ExternalBuffers{.spill_fill =
                                                 must(SharedSpillFill::allocate(t.rpcmem(), need))};
                    });
                  }});
  ways.push_back({"deferred.spill_fill_at_an_offset", [](Tools& t) {
                    return defer(t, [&](const BufferRequirements& need) {
                      return ExternalBuffers{
                          .spill_fill = SharedSpillFill::from_region(
                              at_an_offset<SpillFill>(t, need, need.spill_fill_bytes))};
                    });
                  }});
  ways.push_back({"deferred.weights_at_an_offset", [](Tools& t) {
                    return defer(t, [&](const BufferRequirements& need) {
                      return ExternalBuffers{
                          .weights = at_an_offset<Weights>(t, need, need.weights_bytes)};
                    });
                  }});
  ways.push_back({"deferred.spill_fill_at_an_unaligned_offset", [](Tools& t) {
                    return defer(t, [&](const BufferRequirements& need) {
                      // A device without an alignment accepts every offset, so the way returns the
                      // error itself.
                      if (need.start_alignment == 1)
                        must<void>(fail(Error::make(Errc::misaligned, "sharing a spill-fill buffer",
                                                    "any offset is aligned")));
                      auto buffer = must(t.rpcmem().allocate(need.spill_fill_bytes + 101));
                      return ExternalBuffers{
                          .spill_fill = SharedSpillFill::from_region(
                              must(MemRegion<SpillFill>::from_buffer(std::move(buffer), 101)))};
                    });
                  }});
  ways.push_back({"deferred.buffers_of_memfd", [](Tools& t) {
                    const MemfdAllocator memfd;
                    return defer(t, [&](const BufferRequirements& need) {
                      return ExternalBuffers{.spill_fill =
                                                 must(SharedSpillFill::allocate(memfd, need))};
                    });
                  }});
  ways.push_back({"deferred.one_spill_fill_for_many", [](Tools& t) {
                    std::vector<Context<Queried>> asked;
                    for (std::size_t i = 0; i < t.given.many().size(); ++i)
                      asked.push_back(queried(t, i));
                    const auto spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), asked));
                    std::vector<Context<Finalized>> contexts;
                    for (auto& context : asked)
                      contexts.push_back(must(std::move(context)
                                                  .register_buffers({.spill_fill = spill_fill})
                                                  .and_then(transition::finalize)));
                    for (const auto& context : contexts) execute_all(context, t.rpcmem());
                    return std::string();
                  }});
  ways.push_back({"deferred.many_one_after_another_over_one_spill_fill", [](Tools& t) {
                    BufferRequirements largest;
                    for (std::size_t i = 0; i < t.given.many().size(); ++i) {
                      const BufferRequirements need = queried(t, i).requirements();
                      if (need.spill_fill_bytes > largest.spill_fill_bytes) largest = need;
                    }
                    const auto spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), largest));
                    for (std::size_t i = 0; i < t.given.many().size(); ++i)
                      execute_all(must(queried(t, i)
                                           .register_buffers({.spill_fill = spill_fill})
                                           .and_then(transition::finalize)),
                                  t.rpcmem());
                    return std::string();
                  }});
  ways.push_back({"deferred.weights_reclaimed_for_the_next", [](Tools& t) {
                    auto first = queried(t);
                    auto weights =
                        must(MemRegion<Weights>::allocate(t.rpcmem(), first.requirements()));
                    auto context = must(std::move(first)
                                            .register_buffers({.weights = std::move(weights)})
                                            .and_then(transition::finalize));
                    weights = must(std::move(context).reclaim());
                    execute_all(must(queried(t)
                                         .register_buffers({.weights = std::move(weights)})
                                         .and_then(transition::finalize)),
                                t.rpcmem());
                    return std::string();
                  }});
  ways.push_back({"deferred.finalize_fails_and_the_next_is_created_anew", [](Tools& t) {
                    // If external weights are refused, creation without them still works (ORD-13).
                    auto first = queried(t);
                    auto weights =
                        must(MemRegion<Weights>::allocate(t.rpcmem(), first.requirements()));
                    const auto tried = std::move(first)
                                           .register_buffers({.weights = std::move(weights)})
                                           .and_then(transition::finalize);
                    if (tried) return std::string("external weights");
                    defer(t, [](const BufferRequirements&) { return ExternalBuffers{}; });
                    return std::string("without external weights");
                  }});
  ways.push_back({"deferred.file_that_is_no_context_binary", [](Tools& t) {
                    (void)must(Context<Deferred>::create(
                        t.backend(), must(ContextBinary::own(
                                         std::vector<std::byte>(4096, std::byte{0x5A}), "junk"))));
                    return std::string();
                  }});
}

inline void add_group_ways(Ways& ways) {
  ways.push_back({"group.head_and_members", [](Tools& t) {
                    std::uint64_t largest = 0;
                    std::size_t head = 0;
                    for (std::size_t i = 0; i < t.given.many().size(); ++i)
                      if (const auto need = queried(t, i).requirements().spill_fill_bytes;
                          need > largest)
                        largest = need, head = i;
                    const auto first = must(Context<Finalized>::restore(
                        t.backend(), t.binary(head),
                        {.group = ContextGroup::head(largest), .share_without_dlbc = true}));
                    std::vector<Context<Finalized>> members;
                    for (std::size_t i = 0; i < t.given.many().size(); ++i)
                      members.push_back(must(Context<Finalized>::restore(
                          t.backend(), t.binary(i),
                          {.group = first.as_group_head(), .share_without_dlbc = true})));
                    execute_all(first, t.rpcmem());
                    for (const auto& member : members) execute_all(member, t.rpcmem());
                    return std::string();
                  }});
  ways.push_back({"group.smaller_than_its_need", [](Tools& t) {
                    (void)must(Context<Finalized>::restore(
                        t.backend(), t.binary(),
                        {.group = ContextGroup::head(1), .share_without_dlbc = true}));
                    return std::string();
                  }});
  ways.push_back({"group.of_no_bytes", [](Tools& t) {
                    (void)must(Context<Finalized>::restore(t.backend(), t.binary(),
                                                           {.group = ContextGroup::head(0)}));
                    return std::string();
                  }});
  ways.push_back(
      {"group.head_closed_before_its_member", [](Tools& t) {
         const auto need = queried(t).requirements().spill_fill_bytes;
         auto head = must(Context<Finalized>::restore(
             t.backend(), t.binary(),
             {.group = ContextGroup::head(need), .share_without_dlbc = true}));
         const auto member = must(Context<Finalized>::restore(
             t.backend(), t.binary(), {.group = head.as_group_head(), .share_without_dlbc = true}));
         must(std::move(head).close());
         return std::string();
       }});

  ways.push_back({"list.all", [](Tools& t) {
                    for (const auto& context : must(restore_list(t.backend(), t.binaries())))
                      execute_all(context, t.rpcmem());
                    return std::string();
                  }});
  ways.push_back(
      {"list.persistent_with_high_priority", [](Tools& t) {
         (void)must(restore_list(t.backend(), t.binaries(),
                                 {.priority = c_api::Priority::high, .persistent_binary = true}));
         return std::string();
       }});
  ways.push_back({"list.shared_resources", [](Tools& t) {
                    (void)must(restore_list(t.backend(), t.binaries(),
                                            {.share_resources = true, .share_without_dlbc = true}));
                    return std::string();
                  }});
  ways.push_back({"list.with_a_file_that_is_no_context_binary", [](Tools& t) {
                    auto all = t.binaries();
                    all[1] = must(
                        ContextBinary::own(std::vector<std::byte>(4096, std::byte{0x5A}), "junk"));
                    (void)must(restore_list(t.backend(), std::move(all)));
                    return std::string();
                  }});
  ways.push_back({"list.with_a_binary_for_another_device", [](Tools& t) {
                    if (t.given.refused.empty()) return std::string(no_such_binary);
                    auto all = t.binaries();
                    all[1] = must(ContextBinary::map(t.given.refused[0]));
                    (void)must(restore_list(t.backend(), std::move(all)));
                    return std::string();
                  }});
  ways.push_back({"list.with_a_truncated_binary", [](Tools& t) {
                    const auto whole = t.binary();
                    auto all = t.binaries();
                    all[1] = must(ContextBinary::borrow(
                        whole.bytes().first(whole.bytes().size() / 2), "half"));
                    (void)must(restore_list(t.backend(), std::move(all)));
                    return std::string();
                  }});

  ways.push_back(
      {"compose.and_execute", [](Tools& t) {
         auto composing = must(Context<Composing>::create(t.backend()));
         auto graph = must(Graph<Composing, RegisteredIo>::create(composing, "positive"));
         const auto x = must(graph.add_tensor(
             {.name = "x", .kind = c_api::TensorType::app_write, .dimensions = {1, 8}}));
         const auto y = must(graph.add_tensor(
             {.name = "y", .kind = c_api::TensorType::app_read, .dimensions = {1, 8}}));
         must(graph.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}}));
         auto final = must(std::move(graph).finalize());
         const auto context = must(std::move(composing).finalize());
         auto bound = must(std::move(final).bind(t.rpcmem()));
         must(write_elements(bound.input<float>("x"), std::vector<float>(8, -1.0f)));
         must(bound.execute());
         const auto bytes = must(context.serialize());
         (void)must(Context<Finalized>::restore(t.backend(),
                                                must(ContextBinary::borrow(bytes, "composed"))));
         return std::string();
       }});
}

}  // namespace flow
