// Every allocation of every public operation on models, residencies, manifests and reports fails
// once. Nothing is left, and the next run works.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/domain_plan.hpp"
#include "qnnpp/report/format.hpp"
#include "qnnpp/report/json.hpp"

#include "allocations.hpp"
#include "plan/memory_map.hpp"
#include "temporary_folder.hpp"

namespace support::allocations { namespace {

using namespace qnnpp;
using model::BinarySource;
using model::LoadOptions;
using model::SpillFillSharing;

class allocations_of_a_model : public AllocationTest {
 protected:
  using Memory = NeverFailing<RpcmemAllocator>;
  Memory memory() const { return {rpcmem()}; }

  std::vector<BinarySource> sources() const {
    return {{networks[0].name + ".bin", bytes(0), {}}, {networks[1].name + ".bin", bytes(1), {}}};
  }
  model::Manifest manifest() const {
    model::Manifest made;
    for (const BinarySource& source : sources())
      made.entries.push_back(must(model::manifest_entry(backend(), source, source.name)));
    return made;
  }
  model::MemoryReport report() const {
    const auto loaded = must(model::load(backend(), rpcmem(), sources()));
    return loaded.report();
  }
};

TEST_F(allocations_of_a_model, fail_in_each_way_to_load_it) {
  for (const auto sharing : {SpillFillSharing::automatic, SpillFillSharing::external_buffer,
                             SpillFillSharing::context_group, SpillFillSharing::none})
    each(
        "model::load", [&] { return LoadOptions{.sharing = sharing}; },
        [&](const LoadOptions& options) {
          return model::load(backend(), memory(), sources(), options);
        });
  each(
      "model::load, in one call",
      [] { return LoadOptions{.sharing = SpillFillSharing::none, .in_one_call = restore_list}; },
      [&](const LoadOptions& options) {
        return model::load(backend(), memory(), sources(), options);
      });
  const auto written = manifest();
  each(
      "model::load, with a manifest",
      [&] {
        LoadOptions options;
        options.progress = [](const model::Progress&) { return true; };
        return options;
      },
      [&](const LoadOptions& options) {
        return model::expected_by(written, sources(), model::digest_of)
            .and_then([&](const std::vector<BinarySource>& expected) {
              return model::load(backend(), memory(), expected, options);
            });
      });
  each(
      "model::load, of functions",
      [&] {
        std::vector<BinarySource> functions;
        for (std::size_t i = 0; i < 2; ++i)
          functions.push_back(BinarySource::function(
              sources()[i].name,
              [this, i] { return ContextBinary::own(std::vector<std::byte>(bytes(i)), "b"); },
              /*wipe=*/true));
        return functions;
      },
      [&](const std::vector<BinarySource>& functions) {
        return model::load(backend(), memory(), functions);
      });
  each(
      "model::load, within a time limit and with a stop", [] { return Stop(); },
      [&](const Stop& stop) {
        return model::load(
            backend(), memory(), sources(),
            {.sharing = SpillFillSharing::none, .stop = stop, .at_most = std::chrono::hours(1)});
      });
  each(
      "model::load, stopped",
      [] {
        Stop stop;
        stop.pull();
        return stop;
      },
      [&](const Stop& stop) {
        return model::load(backend(), memory(), sources(), {.stop = stop}).error().message();
      });
  each(
      "model::load, cancelled",
      [] {
        LoadOptions options;
        options.progress = [](const model::Progress& progress) {
          return progress.phase != model::LoadPhase::finalizing;
        };
        return options;
      },
      [&](const LoadOptions& options) {
        return model::load(backend(), memory(), sources(), options).error().message();
      });
  each(
      "model::load, refused external buffers",
      [] {
        control().clear_faults();
        control().fail_call(sim::Slot::context_get_property, 1, 1000, true);
        return LoadOptions{};
      },
      [&](const LoadOptions& options) {
        return model::load(backend(), memory(), sources(), options);
      });
  each(
      "model::load, without room for external buffers",
      [] {
        control().clear_faults();
        control().fail_call(sim::Slot::mem_register, 1, 8003, true);
        return LoadOptions{};
      },
      [&](const LoadOptions& options) {
        return model::load(backend(), memory(), sources(), options);
      });
  each(
      "model::load, whose last call fails",
      [] {
        control().clear_faults();
        control().fail_call(sim::Slot::context_finalize, 2, 5005);
        return LoadOptions{.sharing = SpillFillSharing::external_buffer};
      },
      [&](const LoadOptions& options) {
        return !model::load(backend(), memory(), sources(), options);
      });
  control().clear_faults();
  each(
      "model::load, of no file",
      [] { return std::vector<std::string>{"/a/file/that/is/not/there.bin"}; },
      [&](const std::vector<std::string>& paths) {
        return model::load(backend(), memory(), paths).error().message();
      });
}

TEST_F(allocations_of_a_model, fail_while_its_graphs_are_found) {
  const auto loaded = [&] { return must(model::load(backend(), rpcmem(), sources())); };
  each("Model::graph", loaded,
       [&](const model::Model& made) { return made.graph(networks[1].name); });
  each("Model::graph, of no such name", loaded, [&](const model::Model& made) {
    return made.graph("a graph that is not there").error().message();
  });
}

TEST_F(allocations_of_a_model, fail_while_its_graphs_are_chained) {
  each(
      "Model::pipeline", [&] { return must(model::load(backend(), rpcmem(), sources())); },
      [&](const model::Model& made) {
        return made.pipeline(memory(), {networks[0].name, networks[1].name},
                             {.wires = {{0, networks[0].y_name, 1, networks[1].x_name}}});
      });
}

struct None {};
None none() { return {}; }

TEST_F(allocations_of_a_model, fail_while_it_is_surveyed) {
  const BinarySource source = sources()[0];
  each("model::can_defer", none, [&](None&) { return model::can_defer(backend()); });
  each("BinarySource::open", none, [&](None&) { return source.open(); });
  each("model::survey", none, [&](None&) { return model::survey(backend(), source); });
  each("model::read_metadata", none,
       [&](None&) { return model::read_metadata(backend(), source); });
  each(
      "model::survey, by a system library", [] { return must(System::load(QNNPP_RECORDER)); },
      [&](System& system) { return model::survey(system, source); });
  each("BinarySource::size_bytes, of no file", none, [](None&) {
    return BinarySource::file("/a/file/that/is/not/there.bin").size_bytes().error().message();
  });
}

TEST_F(allocations_of_a_model, fail_in_its_manifest) {
  const auto made = [&] { return manifest(); };
  const BinarySource source = sources()[0];
  each("manifest_entry", none,
       [&](None&) { return model::manifest_entry(backend(), source, source.name); });
  each(
      "manifest_entry, by a system library", [] { return must(System::load(QNNPP_RECORDER)); },
      [&](System& system) { return model::manifest_entry(system, source, source.name); });
  each("digest_of, sampled", none, [](None&) {
    const std::vector<std::byte> large(500'000, std::byte{3});
    return model::to_string(model::digest_of(large));
  });
  each("Manifest::path_of", made, [&](model::Manifest& all) {
    all.folder = "a folder whose name is on the heap";
    return all.path_of(all.entries[0]);
  });
  each("expected_by", made,
       [&](model::Manifest& all) { return model::expected_by(all, sources(), model::digest_of); });
  each("Manifest::report", made, [](model::Manifest& all) {
    return all.report(SpillFillSharing::none, "a reason of more than a few characters");
  });
  each(
      "manifest_from_json, malformed", [] { return std::string("{\"schema\": 7, \"b\": ["); },
      [](std::string& text) {
        return model::manifest_from_json(text, "a manifest with a name on the heap")
            .error()
            .message();
      });
  const TemporaryFolder folder;
  auto full = manifest();
  full.entries[0].memory.name = "a name with \"quotes\" and \u00e4, on the heap";
  full.external_weights = ExternalWeights::refused;
  const std::string text = model::to_json(full);
  each("to_json, of a manifest", none, [&](None&) { return model::to_json(full); });
  each("manifest_from_json", none, [&](None&) {
    return model::manifest_from_json(text, "a manifest with a name on the heap");
  });
  each("write_manifest", none,
       [&](None&) { return model::write_manifest(full, folder.file("a manifest.json")); });
  each("write_manifest, of what cannot be read", none, [&](None&) {
    model::Manifest twice = full;
    twice.entries[1].memory.name = twice.entries[0].memory.name;
    return model::write_manifest(twice, folder.file("a manifest.json")).error().message();
  });
  each("read_manifest", none,
       [&](None&) { return model::read_manifest(folder.file("a manifest.json")); });
  each("read_manifest, of no file", none,
       [&](None&) { return model::read_manifest(folder.file("no such file")).error().message(); });
}

TEST_F(allocations_of_a_model, fail_in_its_report) {
  const auto told = report();
  each("plan_domains", none, [&](None&) { return model::plan_domains(told).packing.size(); });
  each("to_text", none, [&](None&) {
    return model::to_text(told) + model::to_text(model::plan_domains(told), told);
  });
  each("to_svg", none, [&](None&) { return plan::to_svg(told); });
  each("to_json, of a report", none, [&](None&) { return model::to_json(told); });
}

class allocations_of_a_residency : public allocations_of_a_model {
 protected:
  using Payload = std::unique_ptr<int>;
  using Residency = model::Residency<Payload>;
  using Options = Residency::Options;

  Options options(std::size_t most_contexts = 0) const {
    Options made;
    made.max_contexts = most_contexts;
    made.payload = [](std::size_t place, const Context<Finalized>&) -> Result<Payload> {
      return std::make_unique<int>(static_cast<int>(place));
    };
    return made;
  }
  /// Returns a residency that has loaded the contexts at `places`. It is on the heap, so that a
  /// test can move it.
  std::unique_ptr<Residency> residency(std::size_t most_contexts,
                                       const std::vector<std::size_t>& places) const {
    auto made = must(Residency::create(backend(), memory(), sources(), options(most_contexts)));
    for (const std::size_t place : places) (void)must(made.acquire(place));
    return std::make_unique<Residency>(std::move(made));
  }
};

TEST_F(allocations_of_a_residency, fail_while_it_is_made) {
  each(
      "Residency::create", [&] { return options(); },
      [&](Options& given) {
        return Residency::create(backend(), memory(), sources(), std::move(given));
      });
  each(
      "Residency::create, of a wrong order",
      [&] {
        auto made = options();
        made.order = model::UseOrder::cyclic({0, 1, 7});
        return made;
      },
      [&](Options& given) {
        return Residency::create(backend(), memory(), sources(), std::move(given))
            .error()
            .message();
      });
}

TEST_F(allocations_of_a_residency, fail_while_its_contexts_are_acquired) {
  each(
      "Residency::acquire, a hit", [&] { return residency(0, {0}); },
      [](auto& made) { return made->acquire(0); });
  each(
      "Residency::acquire, which loads", [&] { return residency(0, {}); },
      [](auto& made) { return made->acquire(1); });
  each(
      "Residency::acquire, which evicts", [&] { return residency(1, {0}); },
      [](auto& made) { return made->acquire(1); });
  each(
      "Residency::acquire, which fails",
      [&] {
        control().clear_faults();
        auto made = residency(0, {0});
        control().fail_call(sim::Slot::mem_register, 1, 8003, true);
        return made;
      },
      [](auto& made) { return !made->acquire(1); });
  control().clear_faults();
  const auto patience = std::chrono::milliseconds(1);
  each(
      "Residency::acquire_for, which evicts", [&] { return residency(1, {0}); },
      [&](auto& made) { return made->acquire_for(1, patience); });
  each(
      "Residency::acquire_shared, twice", [&] { return residency(0, {}); },
      [](auto& made) {
        return made->acquire_shared(0).and_then([&](auto first) {
          (void)first;
          return made->acquire_shared(0);
        });
      });
  each(
      "Residency::acquire_shared_for", [&] { return residency(1, {0}); },
      [&](auto& made) { return made->acquire_shared_for(1, patience); });
  each(
      "Residency::acquire_for, in vain",
      [&] {
        auto made = residency(1, {});
        auto pinned = must(made->acquire(0));
        return std::pair(std::move(made), std::move(pinned));
      },
      [&](auto& given) { return given.first->acquire_for(1, patience).error().message(); });
  each(
      "Residency::settle", [&] { return residency(0, {0}); },
      [](auto& made) { return made->settle(); });
  each(
      "Residency::recover", [&] { return residency(0, {0, 1}); },
      [](auto& made) { return made->recover(); });
  each(
      "Residency::stats", [&] { return residency(0, {0}); },
      [](auto& made) {
        made->forget_learnt();
        return made->stats().loads;
      });
}

TEST_F(allocations_of_a_residency, fail_while_only_a_payload_is_built) {
  using Graphs = std::vector<Graph<Retrieved>>;
  using WithGraphs = model::Residency<Graphs>;
  struct Prepared {
    std::unique_ptr<WithGraphs> residency;
    Graphs kept;
    std::optional<WithGraphs::SharedPinned> pinned = {};
  };
  // Context 0 loses its payload because its graph is kept. Its next payload fails once.
  const auto without_payload = [&](bool pins_the_other) {
    const auto failing = std::make_shared<int>(0);
    WithGraphs::Options made;
    made.max_contexts = 2;
    made.payload = [this, failing](std::size_t place,
                                   const Context<Finalized>& context) -> Result<Graphs> {
      if ((*failing)-- > 0) return fail(Error::make(Errc::allocation_failed, "mmap", {}));
      auto graph = Graph<Retrieved>::retrieve(context, networks[place % 2].name);
      if (!graph) return fail(std::move(graph).error());
      Graphs graphs;
      graphs.push_back(std::move(*graph));
      return graphs;
    };
    std::vector<BinarySource> three = sources();
    three.push_back(three[0]);
    Prepared prepared{std::make_unique<WithGraphs>(must(WithGraphs::create(
                          backend(), memory(), std::move(three), std::move(made)))),
                      {}};
    {
      const auto pinned = must(prepared.residency->acquire(0));
      prepared.kept = std::move(pinned.payload());
    }
    (void)must(prepared.residency->acquire(1));
    (void)must(prepared.residency->acquire(2));
    if (pins_the_other) prepared.pinned.emplace(must(prepared.residency->acquire_shared(2)));
    *failing = 1;
    return prepared;
  };
  each(
      "Residency::acquire, which evicts for a payload", [&] { return without_payload(false); },
      [](Prepared& made) { return made.residency->acquire(0); });
  each(
      "Residency::acquire_for, without success for a payload",
      [&] { return without_payload(true); },
      [](Prepared& made) {
        return made.residency->acquire_for(0, std::chrono::milliseconds(1)).error().message();
      });
}

TEST_F(allocations_of_a_residency, fail_while_more_dead_contexts_are_pinned_than_it_has_places) {
  struct Prepared {
    std::unique_ptr<Residency> residency;
    std::vector<Residency::Pinned> pins;
  };
  const auto restarted = [&] {
    control().clear_faults();
    Prepared made{residency(0, {}), {}};
    made.pins.reserve(8);
    for (std::size_t restarts = 0; restarts < 6; ++restarts) {
      made.pins.push_back(must(made.residency->acquire(restarts % 2)));
      control().fail_call(sim::Slot::context_finalize, 1, 1007);
      if (restarts < 5) (void)must(made.residency->acquire(1 - restarts % 2));
    }
    EXPECT_EQ(made.residency->stats().recoveries, 5u);
    return made;
  };
  each("Residency::acquire, which recovers", restarted, [](Prepared& made) {
    const auto pinned = made.residency->acquire(0);
    for (const auto& each : made.pins)
      if (*each.payload() != static_cast<int>(each.index()))
        ADD_FAILURE() << "a pinned context is gone";
    return pinned.has_value();
  });
  each("~Pinned, after the residency", restarted, [](Prepared& made) {
    made.residency.reset();
    made.pins.clear();
    return true;
  });
  control().clear_faults();
}

TEST_F(allocations_of_a_residency, works_on_after_an_allocation_of_a_load_has_failed) {
  for (std::uint64_t which = 1; which <= 60; which += 3) {
    const auto made = residency(1, {0});
    {
      const Recording recording(&AllocationFaultsTest::pause_in_a_call);
      const AllocationFault fault(which);
      try {
        (void)made->acquire(1);
      } catch (const std::bad_alloc&) {
      }
    }
    for (const std::size_t place : {1u, 0u, 1u}) {
      const auto pinned = made->acquire(place);
      ASSERT_TRUE(succeeds(pinned)) << which;
      EXPECT_EQ(*pinned->payload(), static_cast<int>(place));
    }
    EXPECT_EQ(made->stats().resident_contexts, 1u) << which;
  }
}

}}  // namespace support::allocations
