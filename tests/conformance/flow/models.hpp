// Ways to many contexts: model::load, residency, manifests, and closing in every order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/manifest.hpp"

#include "flow/ways.hpp"

namespace flow {

/// Loads all binaries as a model, executes every graph, and reports how spill-fill is shared.
inline std::string load_model(Tools& t, model::LoadOptions options,
                              const std::vector<model::BinarySource>& binaries) {
  options.contexts.share_without_dlbc = true;
  const auto loaded = must(model::load(t.backend(), t.rpcmem(), binaries, options));
  for (std::size_t i = 0; i < loaded.size(); ++i) execute_all(loaded.context(i), t.rpcmem());
  return model::name_of(loaded.report().sharing);
}

inline std::string load_model(Tools& t, model::LoadOptions options) {
  return load_model(t, std::move(options), model::BinarySource::files(t.given.many()));
}

using Residents = model::Residency<>;

/// Acquires each context in turn, `rounds` times, and executes its graphs.
inline std::string take_turns(Tools& t, Residents::Options options, int rounds = 2,
                              bool expects_metadata = false) {
  auto sources = model::BinarySource::files(t.given.many());
  if (expects_metadata)
    for (model::BinarySource& source : sources)
      source.expected = must(model::read_metadata(t.backend(), source));
  options.contexts.share_without_dlbc = true;
  auto residents =
      must(Residents::create(t.backend(), t.rpcmem(), std::move(sources), std::move(options)));
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < residents.size(); ++i) {
      const auto pinned = must(residents.acquire(i));
      execute_all(pinned.context(), t.rpcmem());
    }
  const auto stats = residents.stats();
  return std::string(model::name_of(stats.sharing)) +
         (stats.evictions != 0 ? ", with evictions" : ", without evictions");
}

/// Returns a manifest whose numbers are those of the binaries' metadata.
inline model::Manifest manifest_of_metadata(Tools& t) {
  model::Manifest manifest;
  for (const std::string& path : t.given.binaries) {
    const auto source = model::BinarySource::file(path);
    manifest.entries.push_back(must(model::read_metadata(t.backend(), source)));
    const auto binary = must(ContextBinary::map(path));
    manifest.entries.back().digest = model::digest_of(binary.bytes());
  }
  return manifest;
}

inline void add_model_ways(Ways& ways) {
  using model::SpillFillSharing;
  ways.push_back({"readme.first_program", [](Tools& t) {
                    const auto network =
                        must(model::load(t.backend(), t.rpcmem(), t.given.binaries));
                    const std::vector<std::string> names = network.graph_names();
                    std::vector<Graph<Retrieved>> graphs;
                    for (const std::string& name : names)
                      graphs.push_back(must(network.graph(name)));
                    execute(must(network.pipeline(t.rpcmem(), names, in_any_order(graphs))), 1);
                    return std::string();
                  }});
  ways.push_back(
      {"readme.quick_start", [](Tools& t) {
         std::vector<Context<Queried>> asked;
         for (const std::string& path : t.given.binaries)
           asked.push_back(must(ContextBinary::map(path)
                                    .and_then([&](ContextBinary binary) {
                                      return Context<Deferred>::create(t.backend(),
                                                                       std::move(binary));
                                    })
                                    .and_then(transition::query)));
         const auto spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), asked));
         std::vector<Context<Finalized>> contexts;
         for (auto& context : asked) {
           auto weights = must(MemRegion<Weights>::allocate(t.rpcmem(), context.requirements()));
           contexts.push_back(
               must(std::move(context)
                        .register_buffers({.weights = std::move(weights), .spill_fill = spill_fill})
                        .and_then(transition::finalize)));
         }
         for (const auto& context : contexts)
           for (const GraphSpec& spec : context.graphs())
             must(must(Graph<Retrieved>::retrieve(context, spec.name).and_then([&](auto graph) {
                    return bound_and_written(std::move(graph), t.rpcmem());
                  })).execute());
         return std::string();
       }});

  ways.push_back({"model.automatic", [](Tools& t) { return load_model(t, {}); }});
  ways.push_back({"model.automatic_without_external_weights", [](Tools& t) {
                    return load_model(t, {.contexts = {.external_weights = false}});
                  }});
  ways.push_back({"model.external_buffer", [](Tools& t) {
                    return load_model(t, {.sharing = SpillFillSharing::external_buffer});
                  }});
  ways.push_back({"model.external_buffer_without_external_weights", [](Tools& t) {
                    return load_model(t, {.sharing = SpillFillSharing::external_buffer,
                                          .contexts = {.external_weights = false}});
                  }});
  ways.push_back(
      {"model.vtcm_backup", [](Tools& t) {
         const auto loaded =
             must(model::load(t.backend(), t.rpcmem(), t.given.many(),
                              {.contexts = {.share_without_dlbc = true, .vtcm_backup = true}}));
         for (std::size_t i = 0; i < loaded.size(); ++i) execute_all(loaded.context(i), t.rpcmem());
         const model::MemoryReport& report = loaded.report();
         const bool says_why = report.reason.find("; no VTCM backup buffer: ") != std::string::npos;
         return std::to_string(report.vtcm_backup_bytes) + " bytes" +
                (says_why ? ", left out with a reason" : "");
       }});
  ways.push_back({"model.context_group", [](Tools& t) {
                    return load_model(t, {.sharing = SpillFillSharing::context_group});
                  }});
  ways.push_back(
      {"model.none", [](Tools& t) { return load_model(t, {.sharing = SpillFillSharing::none}); }});
  ways.push_back({"model.none_in_one_call", [](Tools& t) {
                    return load_model(
                        t, {.sharing = SpillFillSharing::none, .in_one_call = restore_list});
                  }});
  ways.push_back({"model.persistent_with_high_priority", [](Tools& t) {
                    return load_model(t, {.contexts = {.persistent_binaries = true,
                                                       .priority = c_api::Priority::high}});
                  }});
  ways.push_back({"model.cancelled", [](Tools& t) {
                    return load_model(t, {.progress = [](const model::Progress& progress) {
                                        return progress.context == 0;
                                      }});
                  }});
  ways.push_back({"model.by_a_manifest", [](Tools& t) {
                    model::Manifest manifest;
                    for (const std::string& path : t.given.binaries)
                      manifest.entries.push_back(must(model::manifest_entry(
                          t.backend(), model::BinarySource::file(path), path)));
                    return load_model(t, {},
                                      must(model::expected_by(
                                          manifest, model::BinarySource::files(t.given.many()),
                                          model::digest_of)));
                  }});
  ways.push_back({"model.by_a_manifest_of_metadata", [](Tools& t) {
                    return load_model(
                        t, {},
                        must(model::expected_by(manifest_of_metadata(t),
                                                model::BinarySource::files(t.given.many()),
                                                model::digest_of)));
                  }});
  ways.push_back({"model.enabled_graphs_with_an_unknown_name", [](Tools& t) {
                    std::vector<model::BinarySource> sources{
                        model::BinarySource::file(t.given.binaries[0])};
                    sources[0].enabled_graphs = {"no such graph"};
                    const auto loaded = must(model::load(t.backend(), t.rpcmem(), sources));
                    execute_all(loaded.context(0), t.rpcmem());
                    return std::string();
                  }});
  ways.push_back({"model.with_a_file_that_is_no_context_binary", [](Tools& t) {
                    const std::vector<std::byte> junk(4096, std::byte{0x5A});
                    std::vector<model::BinarySource> sources{
                        model::BinarySource::file(t.given.binaries[0]),
                        {.name = "junk", .bytes = junk}};
                    (void)must(model::load(t.backend(), t.rpcmem(), sources));
                    return std::string();
                  }});
  ways.push_back(
      {"model.pipeline", [](Tools& t) {
         const auto loaded = must(model::load(t.backend(), t.rpcmem(), t.given.binaries));
         if (loaded.context(0).graphs().empty()) return std::string("no metadata");
         execute(must(loaded.pipeline(t.rpcmem(), {loaded.context(0).graphs().front().name})), 1);
         return std::string();
       }});

  ways.push_back({"residency.all_fit", [](Tools& t) { return take_turns(t, {}); }});
  ways.push_back(
      {"residency.two_at_a_time", [](Tools& t) { return take_turns(t, {.max_contexts = 2}); }});
  ways.push_back({"residency.in_a_known_order", [](Tools& t) {
                    return take_turns(t, {.max_contexts = 2, .order = model::UseOrder::cyclic()});
                  }});
  ways.push_back({"residency.prefetching", [](Tools& t) {
                    return take_turns(t, {.max_contexts = 2,
                                          .order = model::UseOrder::cyclic(),
                                          .prefetch = model::Prefetch::ahead});
                  }});
  ways.push_back(
      {"residency.with_needs_of_metadata", [](Tools& t) { return take_turns(t, {}, 2, true); }});
  ways.push_back({"residency.too_small_a_budget",
                  [](Tools& t) { return take_turns(t, {.budget_bytes = 1}); }});
  ways.push_back({"residency.with_a_file_that_is_no_context_binary", [](Tools& t) {
                    const std::vector<std::byte> junk(4096, std::byte{0x5A});
                    auto residents =
                        must(Residents::create(t.backend(), t.rpcmem(),
                                               {model::BinarySource::file(t.given.binaries[0]),
                                                {.name = "junk", .bytes = junk}}));
                    (void)must(residents.acquire(1));
                    return std::string();
                  }});
  ways.push_back({"residency.with_a_binary_for_another_device", [](Tools& t) {
                    // Evicting all others does not make enough room, so nothing is evicted
                    // (RES-04).
                    if (t.given.refused.empty()) return std::string(no_such_binary);
                    auto residents =
                        must(Residents::create(t.backend(), t.rpcmem(),
                                               {model::BinarySource::file(t.given.binaries[0]),
                                                model::BinarySource::file(t.given.refused[0])}));
                    (void)must(residents.acquire(0));
                    const auto refused = residents.acquire(1);
                    if (residents.stats().evictions != 0) return std::string("with evictions");
                    (void)must(Result<Residents::Pinned>(unexpect, refused.error()));
                    return std::string();
                  }});
  ways.push_back(
      {"model.with_a_binary_for_another_device", [](Tools& t) {
         if (t.given.refused.empty()) return std::string(no_such_binary);
         (void)must(model::load(t.backend(), t.rpcmem(),
                                std::vector<std::string>{t.given.binaries[0], t.given.refused[0]}));
         return std::string();
       }});
  ways.push_back(
      {"residency.bound_graphs", [](Tools& t) {
         using Graphs = std::vector<Graph<Bound>>;
         using Bounds = model::Residency<Graphs>;
         std::vector<model::BinarySource> sources;
         for (const std::string& path : t.given.many())
           sources.push_back(model::BinarySource::file(path));
         const RpcmemAllocator& rpcmem = t.rpcmem();
         auto residents = must(Bounds::create(
             t.backend(), rpcmem, std::move(sources),
             {.max_contexts = 2,
              .payload = [&rpcmem](std::size_t,
                                   const Context<Finalized>& context) -> Result<Graphs> {
                Graphs graphs;
                for (const GraphSpec& spec : context.graphs()) {
                  auto bound =
                      Graph<Retrieved>::retrieve(context, spec.name).and_then([&](auto graph) {
                        return bound_and_written(std::move(graph), rpcmem);
                      });
                  if (!bound) return fail(std::move(bound).error());
                  graphs.push_back(std::move(*bound));
                }
                return graphs;
              }}));
         for (int round = 0; round < 2; ++round)
           for (std::size_t i = 0; i < residents.size(); ++i) {
             const auto pinned = must(residents.acquire(i));
             for (auto& graph : pinned.payload()) must(graph.execute());
           }
         return std::string();
       }});
}

/// Destroys four objects in each of their 24 orders. `make` creates them again for each order and
/// returns functions that destroy them.
template <class Make>
std::string in_every_order(Make make) {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  do {
    const std::array<std::function<void()>, 4> drop = make();
    for (const std::size_t next : order) drop[next]();
  } while (std::ranges::next_permutation(order).found);
  return {};
}

/// Storage of an object until it is destroyed.
template <class T>
auto kept(T object) {
  return std::make_shared<std::optional<T>>(std::move(object));
}

inline void add_closing_ways(Ways& ways) {
  ways.push_back({"close.deferred", [](Tools& t) {
                    must(must(Context<Deferred>::create(t.backend(), t.binary())).close());
                    return std::string();
                  }});
  ways.push_back({"close.queried", [](Tools& t) {
                    must(queried(t).close());
                    return std::string();
                  }});
  ways.push_back(
      {"close.registered", [](Tools& t) {
         auto context = queried(t);
         auto weights = must(MemRegion<Weights>::allocate(t.rpcmem(), context.requirements()));
         auto spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), context.requirements()));
         must(must(std::move(context).register_buffers(
                       {.weights = std::move(weights), .spill_fill = std::move(spill_fill)}))
                  .close());
         return std::string();
       }});
  ways.push_back({"close.finalized", [](Tools& t) {
                    must(must(Context<Finalized>::restore(t.backend(), t.binary())).close());
                    return std::string();
                  }});
  ways.push_back({"close.backend_before_its_context", [](Tools& t) {
                    auto backend = must(t.load());
                    const auto context = must(Context<Finalized>::restore(backend, t.binary()));
                    must(std::move(backend).close());
                    return std::string();
                  }});
  ways.push_back(
      {"close.in_every_order_of_backend_context_tensors_graph", [](Tools& t) {
         return in_every_order([&]() -> std::array<std::function<void()>, 4> {
           auto backend = kept(must(t.load()));
           auto context = kept(must(Context<Finalized>::restore(**backend, t.binary())));
           if ((*context)->graphs().empty())
             must(Result<void>(unexpect,
                               qnnpp::detail::Access::block(*(*context))->metadata_error->error));
           auto graph =
               must(Graph<Retrieved>::retrieve(**context, (*context)->graphs().front().name));
           auto buffer = must(
               SharedBuffer<MultiTensor>::allocate(t.rpcmem(), graph.inputs(), graph.outputs()));
           auto tensors = kept(must(RegisteredTensors::create(**context, buffer)));
           auto bound = kept(must(std::move(graph).bind(**tensors)));
           must((*bound)->execute());
           return {[backend] { backend->reset(); }, [context] { context->reset(); },
                   [tensors] { tensors->reset(); }, [bound] { bound->reset(); }};
         });
       }});
  ways.push_back({"close.in_every_order_of_backend_allocator_contexts_spill_fill", [](Tools& t) {
                    return in_every_order([&]() -> std::array<std::function<void()>, 4> {
                      auto backend = kept(must(t.load()));
                      auto rpcmem = kept(must(RpcmemAllocator::load(t.given.rpcmem)));
                      std::vector<Context<Queried>> asked;
                      for (std::size_t i = 0; i < 2; ++i)
                        asked.push_back(must(Context<Deferred>::create(**backend, t.binary(i),
                                                                       {.share_without_dlbc = true})
                                                 .and_then(transition::query)));
                      auto spill_fill = kept(must(SharedSpillFill::allocate(**rpcmem, asked)));
                      std::vector<Context<Finalized>> made;
                      for (auto& context : asked)
                        made.push_back(must(std::move(context)
                                                .register_buffers({.spill_fill = **spill_fill})
                                                .and_then(transition::finalize)));
                      auto contexts = kept(std::move(made));
                      return {[backend] { backend->reset(); }, [rpcmem] { rpcmem->reset(); },
                              [contexts] { contexts->reset(); },
                              [spill_fill] { spill_fill->reset(); }};
                    });
                  }});
  ways.push_back({"close.nothing_before_the_process_ends", [](Tools& t) {
                    // The process ends with live objects and with the library's threads running.
                    static auto* const context =
                        new auto(must(Context<Finalized>::restore(t.backend(), t.binary())));
                    static auto* const backend = new auto(t.backend().share());
                    (void)context;
                    (void)backend;
                    return std::string(left_open);
                  }});
}

}  // namespace flow
