// Ways to graphs that are prepared with options, and to binaries that state DLBC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/model/survey.hpp"

#include "flow/ways.hpp"

namespace flow {

/// Composes two operations with these options and returns their binary. Their tensors are larger
/// than a small VTCM, so that the context needs spill-fill memory.
inline std::vector<std::byte> composed_with(Tools& t, const GraphOptions& options) {
  const std::vector<std::uint32_t> dimensions{1, 65536};
  auto composing = must(Context<Composing>::create(t.backend()));
  auto graph = must(Graph<Composing, RegisteredIo>::create(composing, "positive", options));
  const auto x = must(graph.add_tensor(
      {.name = "x", .kind = c_api::TensorType::app_write, .dimensions = dimensions}));
  const auto z = must(
      graph.add_tensor({.name = "z", .kind = c_api::TensorType::native, .dimensions = dimensions}));
  const auto y = must(graph.add_tensor(
      {.name = "y", .kind = c_api::TensorType::app_read, .dimensions = dimensions}));
  must(graph.add_node({.name = "first", .type = "Relu", .inputs = {x}, .outputs = {z}}));
  must(graph.add_node({.name = "second", .type = "Relu", .inputs = {z}, .outputs = {y}}));
  (void)must(std::move(graph).finalize());
  return must(must(std::move(composing).finalize()).serialize());
}

/// Composes a graph with each option in turn. Reports the options that the library refuses; throws
/// the error of the first one if it refuses all of them.
inline std::string compose_with_each_option(Tools& t) {
  struct Choice {
    const char* name;
    GraphOptions options;
  };
  const std::vector<Choice> choices{
      {"vtcm_mb", {.vtcm_mb = 1}},
      {"optimization_level", {.optimization_level = 3}},
      {"precision", {.precision = c_api::Precision::float16}},
      {"hvx_threads", {.hvx_threads = 4}},
      {"dlbc", {.dlbc = true}},
      {"dlbc_weights", {.dlbc_weights = true}},
      {"priority", {.priority = c_api::Priority::low}},
  };
  std::string refused;
  std::optional<Error> first;
  std::size_t made = 0;
  for (const Choice& choice : choices) try {
      (void)composed_with(t, choice.options);
      ++made;
    } catch (const Exception& failure) {
      if (!first) first = failure.error();
      refused += std::string(refused.empty() ? "without " : ", ") + choice.name;
    }
  if (made == 0) throw Exception(*first);
  return refused;
}

/// A binary that needs spill-fill memory and states that a graph was prepared with DLBC: the first
/// given one, otherwise a composed one. Empty if there is none and the library cannot compose one.
inline std::vector<model::BinarySource> dlbc_binary(Tools& t, std::vector<std::byte>& composed) {
  const auto fits = [&](const model::BinarySource& source) {
    const auto found = model::survey(t.backend(), source);
    if (!found || found->memory.spill_fill.or_zero() == 0) return false;
    for (const GraphSpec& graph : found->graphs)
      if (graph.preparation.dlbc == true) return true;
    return false;
  };
  for (const std::string& path : t.given.binaries)
    if (auto source = model::BinarySource::file(path); fits(source)) return {source};
  try {
    composed = composed_with(t, {.dlbc = true});
  } catch (const Exception&) {
    return {};
  }
  const model::BinarySource source{.name = "composed", .bytes = composed};
  if (!fits(source)) return {};
  return {source};
}

inline void add_graph_option_ways(Ways& ways) {
  ways.push_back({"compose.options", compose_with_each_option});

  ways.push_back(
      {"dlbc.group", [](Tools& t) {
         std::vector<std::byte> composed;
         const auto sources = dlbc_binary(t, composed);
         if (sources.empty()) return std::string(no_such_binary);
         const auto need = must(model::survey(t.backend(), sources[0])).memory.spill_fill;
         (void)must(Context<Finalized>::restore(t.backend(), must(sources[0].open()),
                                                {.group = ContextGroup::head(need.or_zero())}));
         return std::string();
       }});
  ways.push_back(
      {"dlbc.shared_spill_fill", [](Tools& t) {
         std::vector<std::byte> composed;
         const auto sources = dlbc_binary(t, composed);
         if (sources.empty()) return std::string(no_such_binary);
         auto context = must(Context<Deferred>::create(t.backend(), must(sources[0].open()))
                                 .and_then(transition::query));
         auto pool = must(SharedSpillFill::allocate(t.rpcmem(), context.requirements()));
         (void)must(std::move(context).register_buffers({.spill_fill = std::move(pool)}));
         return std::string();
       }});
  ways.push_back({"dlbc.list", [](Tools& t) {
                    std::vector<std::byte> composed;
                    const auto sources = dlbc_binary(t, composed);
                    if (sources.empty()) return std::string(no_such_binary);
                    (void)must(restore_list(t.backend(), {must(sources[0].open())},
                                            {.share_resources = true}));
                    return std::string();
                  }});
  ways.push_back({"dlbc.automatic", [](Tools& t) {
                    std::vector<std::byte> composed;
                    const auto sources = dlbc_binary(t, composed);
                    if (sources.empty()) return std::string(no_such_binary);
                    const auto loaded = must(model::load(t.backend(), t.rpcmem(), sources));
                    execute_all(loaded.context(0), t.rpcmem());
                    return std::string(model::name_of(loaded.report().sharing));
                  }});
}

}  // namespace flow
