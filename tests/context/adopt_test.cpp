// Contexts that a program has created itself: who frees them, what works with them, and what is
// refused.
#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"

#include "by_hand.hpp"
#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class adopting : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (HasFatalFailure()) return;
    network_.io = c_api::TensorMemType::memhandle;
    binary_ = binary_of(must(load()), {network_});
    must(objects_.create());
    must(objects_.restore(binary_));
    control().reset_counters();
  }
  void TearDown() override {
    backend_.reset();
    objects_.free();
    SimTest::TearDown();
  }
  /// The backend, adopted as borrowed by the first call.
  const Backend<Htp>& backend() {
    if (!backend_)
      backend_.emplace(
          must(Backend<Htp>::adopt(objects_.provider, objects_.handles, Ownership::borrowed,
                                   {.system_library = system_library})));
    return *backend_;
  }
  ContextDescription described() const { return {.name = "net.bin", .binary = binary_}; }
  Result<Context<Finalized>> adopt(Ownership ownership = Ownership::borrowed) {
    return Context<Finalized>::adopt(backend(), objects_.context, ownership, described());
  }
  std::vector<GraphSpec> graphs_of_it() {
    const auto context = must(adopt());
    return context.graphs();
  }
  /// Returns the error of a description.
  Error error_with(ContextDescription description) {
    return error_of(Context<Finalized>::adopt(backend(), objects_.context, Ownership::owned,
                                              std::move(description)));
  }
  /// Executes the network over registered tensors and returns the largest difference.
  float difference(const Context<Finalized>& context, const char* name = "net") const {
    auto rpcmem = must(load_rpcmem());
    auto graph = must(must(Graph<Retrieved>::retrieve(context, name)).bind(rpcmem));
    const std::vector<float> in = network_.input();
    must(write_elements(graph.input<float>("x"), in));
    if (!graph.execute()) return std::numeric_limits<float>::infinity();
    return largest_difference(must(graph.output<float>("y")), network_.reference(in));
  }
  static std::uint64_t live() { return control().counters().live_contexts; }

  Network network_;
  std::vector<std::byte> binary_;
  ByHand objects_{provider_of(htp_library)};
  std::optional<Backend<Htp>> backend_;
};

TEST_F(adopting, a_borrowed_context_executes_and_is_never_freed) {
  {
    auto context = must(adopt());
    EXPECT_EQ(context.native(), objects_.context);
    EXPECT_EQ(context.name(), "net.bin");
    EXPECT_EQ(context.graphs().size(), 1u);
    EXPECT_EQ(context.acceleration(), Acceleration::not_requested);
    EXPECT_FALSE(must(context.vtcm_backup()));
    EXPECT_LT(difference(context), tolerance);
  }
  EXPECT_TRUE(succeeds(must(adopt()).close()));
  EXPECT_FALSE(must(must(adopt()).reclaim()));
  EXPECT_EQ(calls(Slot::context_free), 0u);
  EXPECT_EQ(live(), 1u);
}

TEST_F(adopting, an_owned_context_is_freed_once) {
  {
    const auto context = must(adopt(Ownership::owned));
    EXPECT_LT(difference(context), tolerance);
  }
  EXPECT_EQ(live(), 0u);
  must(objects_.restore(binary_));
  EXPECT_TRUE(succeeds(must(adopt(Ownership::owned)).close()));
  EXPECT_EQ(calls(Slot::context_free), 2u);
  EXPECT_EQ(live(), 0u);
  objects_.context = nullptr;
}

TEST_F(adopting, close_returns_the_error_of_an_owned_context) {
  auto context = must(adopt(Ownership::owned));
  control().fail_call(Slot::context_free, 1, 5001);
  EXPECT_EQ(error_of(std::move(context).close()).code, 5001);
  objects_.context = nullptr;
}

TEST_F(adopting, a_profile_records_the_free_of_an_owned_context_only) {
  auto profile = must(Profile::create(backend()));
  EXPECT_TRUE(succeeds(must(adopt()).close(&profile)));
  EXPECT_EQ(profile.records().size(), 0u);
  EXPECT_TRUE(succeeds(must(adopt(Ownership::owned)).close(&profile)));
  EXPECT_EQ(profile.records().size(), 1u);
  objects_.context = nullptr;
}

TEST_F(adopting, the_graphs_may_be_described_without_a_system_library) {
  const std::vector<GraphSpec> graphs = graphs_of_it();
  backend_.reset();
  backend_.emplace(
      must(Backend<Htp>::adopt(objects_.provider, objects_.handles, Ownership::borrowed)));
  const auto context = must(Context<Finalized>::adopt(*backend_, objects_.context,
                                                      Ownership::borrowed, {.graphs = graphs}));
  EXPECT_EQ(context.name(), "adopted context");
  EXPECT_LT(difference(context), tolerance);
}

TEST_F(adopting, a_binary_without_a_system_library_is_refused) {
  backend_.emplace(
      must(Backend<Htp>::adopt(objects_.provider, objects_.handles, Ownership::borrowed)));
  const Error error = error_of(adopt(Ownership::owned));
  EXPECT_EQ(error.kind, Errc::no_metadata);
  EXPECT_NE(error.message().find("AdoptOptions::system_library"), std::string::npos);
  EXPECT_EQ(live(), 1u);
}

TEST_F(adopting, a_description_has_a_binary_or_graphs) {
  const std::vector<GraphSpec> graphs = graphs_of_it();
  EXPECT_EQ(error_with({.binary = binary_, .graphs = graphs}).kind, Errc::invalid_argument);
  EXPECT_EQ(error_with({.name = "nothing"}).kind, Errc::invalid_argument);
  std::vector<GraphSpec> without = graphs;
  without[0].outputs.clear();
  const Error error = error_with({.graphs = without});
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_NE(error.message().find("graph net has no outputs"), std::string::npos);
  std::vector<GraphSpec> with_nul = graphs;
  with_nul[0].name = std::string("n\0t", 3);
  EXPECT_EQ(error_with({.graphs = with_nul}).kind, Errc::invalid_argument);
  EXPECT_EQ(error_with({.binary = binary_, .enabled_graphs = {"other"}}).kind, Errc::unknown_name);
  EXPECT_EQ(error_with({.binary = std::as_bytes(std::span("no binary"))}).code, 30010);
  EXPECT_EQ(live(), 1u);
}

TEST_F(adopting, a_null_handle_is_refused) {
  const Error error =
      error_of(Context<Finalized>::adopt(backend(), nullptr, Ownership::owned, described()));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "net.bin");
}

TEST_F(adopting, a_context_that_the_library_does_not_know_is_refused_by_its_code) {
  const auto unknown = reinterpret_cast<c_api::ContextHandle>(std::uintptr_t{0x7FFF});
  const Error error =
      error_of(Context<Finalized>::adopt(backend(), unknown, Ownership::owned, described()));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_STREQ(error.step, "QnnGraph_retrieve");
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_EQ(calls(Slot::context_free), 0u);
  expect_misuse();
}

TEST_F(adopting, a_graph_that_the_context_does_not_have_is_refused) {
  std::vector<GraphSpec> graphs = graphs_of_it();
  graphs[0].name = "other";
  const Error error = error_with({.graphs = std::move(graphs)});
  EXPECT_EQ(error.code, 6003);
  EXPECT_NE(error.message().find("graph other"), std::string::npos) << error.message();
  EXPECT_EQ(live(), 1u);
}

TEST_F(adopting, only_enabled_graphs_are_retrieved) {
  const std::vector<Network> two{network_, {.name = "two", .seed = 5}};
  const std::vector<std::byte> both = binary_of(must(load()), two);
  ByHand other(objects_.provider);
  other.handles = objects_.handles;
  must(other.restore(both));
  {
    const auto context = must(Context<Finalized>::adopt(
        backend(), other.context, Ownership::owned, {.binary = both, .enabled_graphs = {"two"}}));
    EXPECT_EQ(context.graphs().size(), 1u);
    EXPECT_EQ(error_of(Graph<Retrieved>::retrieve(context, "net")).found, 1u) << "not enabled";
    EXPECT_TRUE(succeeds(Graph<Retrieved>::retrieve(context, "two")));
  }
}

TEST_F(adopting, a_handle_that_a_Context_has_is_refused) {
  const auto context = must(adopt());
  const Error again = error_of(adopt(Ownership::owned));
  EXPECT_EQ(again.kind, Errc::in_use);
  EXPECT_EQ(again.object, "net.bin");
  const auto own =
      must(Context<Finalized>::restore(backend(), must(ContextBinary::own(binary_, "own.bin"))));
  EXPECT_EQ(
      error_of(Context<Finalized>::adopt(backend(), own.native(), Ownership::borrowed, described()))
          .kind,
      Errc::in_use);
  EXPECT_EQ(live(), 2u);
}

TEST_F(adopting, on_many_threads_one_gets_the_context) {
  (void)backend();
  std::atomic<int> succeeded{0};
  std::atomic<int> tried{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto context = adopt();
      if (context) ++succeeded;
      ++tried;
      while (tried != 4) std::this_thread::yield();
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(succeeded, 1);
}

TEST_F(adopting, LOAD_03_needs_the_functions_that_it_calls) {
  c_api::Interface lacking = copy_of(*objects_.provider);
  lacking.table.context_free = nullptr;
  backend_.emplace(must(Backend<Htp>::adopt(&lacking, objects_.handles, Ownership::borrowed,
                                            {.system_library = system_library})));
  EXPECT_EQ(error_of(adopt(Ownership::owned)).kind, Errc::slot_null);
  EXPECT_TRUE(succeeds(adopt(Ownership::borrowed)));
  lacking.table.graph_retrieve = nullptr;
  EXPECT_EQ(error_of(adopt(Ownership::borrowed)).kind, Errc::slot_null);
  backend_.reset();
}

TEST_F(adopting, an_adopted_backend_gives_new_contexts_external_buffers) {
  auto rpcmem = must(load_rpcmem());
  const auto old = must(adopt());
  auto queried =
      must(Context<Deferred>::create(backend(), must(ContextBinary::own(binary_, "new.bin")))
               .and_then(transition::query));
  auto weights = must(MemRegion<Weights>::allocate(rpcmem, queried.requirements()));
  const auto pool = must(SharedSpillFill::allocate(rpcmem, queried.requirements()));
  const auto context =
      must(std::move(queried)
               .register_buffers({.weights = std::move(weights), .spill_fill = pool})
               .and_then(transition::finalize));
  EXPECT_LT(difference(context), tolerance);
  EXPECT_LT(difference(old), tolerance);
}

TEST_F(adopting, its_graphs_and_those_of_a_new_context_make_a_pipeline) {
  Network second = network_;
  second.name = "second";
  second.x_name = "y";
  second.y_name = "z";
  second.seed = 9;
  auto rpcmem = must(load_rpcmem());
  const auto first = must(adopt());
  const auto next = must(Context<Finalized>::restore(
      backend(), must(ContextBinary::own(binary_of(must(load()), {second}), "second.bin"))));
  std::vector<Graph<Retrieved>> graphs;
  graphs.push_back(must(Graph<Retrieved>::retrieve(first, "net")));
  graphs.push_back(must(Graph<Retrieved>::retrieve(next, "second")));
  auto pipeline = must(Pipeline::create(rpcmem, std::move(graphs)));
  const std::vector<float> in = network_.input();
  must(write_elements(pipeline.input<float>("x"), in));
  EXPECT_TRUE(succeeds(pipeline.execute()));
  EXPECT_LT(largest_difference(must(pipeline.output<float>("z")),
                               second.reference(network_.reference(in))),
            tolerance);
}

TEST_F(adopting, objects_of_a_borrowed_context_may_outlive_it_and_its_backend) {
  auto rpcmem = must(load_rpcmem());
  auto graph = must(must(Graph<Retrieved>::retrieve(must(adopt()), "net")).bind(rpcmem));
  backend_.reset();
  must(write_elements(graph.input<float>("x"), network_.input()));
  EXPECT_TRUE(succeeds(graph.execute()));
}

TEST_F(adopting, the_objects_may_be_destroyed_in_any_order) {
  Network second = network_;
  second.name = "second";
  second.x_name = "y";
  second.y_name = "z";
  const std::vector<std::byte> bytes = binary_of(must(load()), {second});
  auto rpcmem = must(load_rpcmem());
  for (const Ownership ownership : {Ownership::borrowed, Ownership::owned}) {
    std::array<int, 4> order{0, 1, 2, 3};
    do {
      std::optional backend = must(Backend<Htp>::adopt(
          objects_.provider, objects_.handles, ownership, {.system_library = system_library}));
      std::optional old =
          must(Context<Finalized>::adopt(*backend, objects_.context, ownership, described()));
      auto queried =
          must(Context<Deferred>::create(*backend, must(ContextBinary::borrow(bytes, "second.bin")))
                   .and_then(transition::query));
      auto weights = must(MemRegion<Weights>::allocate(rpcmem, queried.requirements()));
      auto pool = must(SharedSpillFill::allocate(rpcmem, queried.requirements()));
      std::optional added =
          must(std::move(queried)
                   .register_buffers({.weights = std::move(weights), .spill_fill = std::move(pool)})
                   .and_then(transition::finalize));
      std::vector<Graph<Retrieved>> graphs;
      graphs.push_back(must(Graph<Retrieved>::retrieve(*old, "net")));
      graphs.push_back(must(Graph<Retrieved>::retrieve(*added, "second")));
      std::optional pipeline = must(Pipeline::create(rpcmem, std::move(graphs)));
      must(write_elements(pipeline->input<float>("x"), network_.input()));
      EXPECT_TRUE(succeeds(pipeline->execute()));
      for (const int which : order) {
        if (which == 0) backend.reset();
        if (which == 1) old.reset();
        if (which == 2) added.reset();
        if (which == 3) pipeline.reset();
      }
      const sim::Counters now = control().counters();
      EXPECT_EQ(now.live_contexts, ownership == Ownership::owned ? 0u : 1u);
      EXPECT_EQ(now.live_backends, ownership == Ownership::owned ? 0u : 1u);
      EXPECT_EQ(now.live_logs, ownership == Ownership::owned ? 0u : 1u);
      EXPECT_EQ(now.live_tensor_registrations, 0u);
      EXPECT_EQ(now.live_weights_registrations + now.live_spill_fill_registrations, 0u);
      if (ownership == Ownership::owned) {
        objects_ = ByHand(objects_.provider);
        must(objects_.create());
        must(objects_.restore(binary_));
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST_F(adopting, a_model_and_a_residency_load_over_an_adopted_backend) {
  Network other = network_;
  other.name = "other";
  const std::vector<std::byte> bytes = binary_of(must(load()), {other});
  std::vector<model::BinarySource> sources(1);
  sources[0].name = "other.bin";
  sources[0].bytes = bytes;
  auto rpcmem = must(load_rpcmem());
  const auto old = must(adopt());
  {
    const auto loaded = must(model::load(backend(), rpcmem, sources));
    EXPECT_LT(difference(loaded.context(0), "other"), tolerance);
  }
  auto residency = must(model::Residency<>::create(backend(), rpcmem, sources));
  const auto pinned = must(residency.acquire(0));
  EXPECT_LT(difference(pinned.context(), "other"), tolerance);
  EXPECT_LT(difference(old), tolerance);
}

TEST_F(adopting, SSR_01_a_restart_kills_an_adopted_context) {
  auto context = must(adopt(Ownership::owned));
  auto rpcmem = must(load_rpcmem());
  auto graph = must(must(Graph<Retrieved>::retrieve(context, "net")).bind(rpcmem));
  must(write_elements(graph.input<float>("x"), network_.input()));
  control().fail_call(Slot::graph_execute, 1, 1007);
  EXPECT_EQ(error_of(graph.execute()).code, 1007);
  EXPECT_EQ(error_of(graph.execute()).kind, Errc::dead);
  objects_.context = nullptr;
  expect_misuse();  // The simulated restart is reported, not made.
}

class releasing : public adopting {};

TEST_F(releasing, gives_the_handle_back_and_calls_nothing) {
  for (const Ownership ownership : {Ownership::borrowed, Ownership::owned}) {
    auto context = must(adopt(ownership));
    control().reset_counters();
    EXPECT_EQ(must(std::move(context).release()), objects_.context);
    EXPECT_EQ(control().counters().calls, 0u);
  }
  EXPECT_EQ(live(), 1u);
}

TEST_F(releasing, gives_back_a_context_that_was_restored) {
  auto context =
      must(Context<Finalized>::restore(backend(), must(ContextBinary::own(binary_, "own.bin"))));
  ByHand released(objects_.provider);
  released.context = must(std::move(context).release());
  EXPECT_EQ(live(), 2u);
  released.free();
  EXPECT_EQ(live(), 1u);
}

TEST_F(releasing, is_refused_while_a_graph_lives_which_is_named) {
  auto context = must(adopt());
  const auto graph = must(Graph<Retrieved>::retrieve(context, "net"));
  const Error error = error_of(std::move(context).release());
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_STREQ(error.step, "releasing a context");
  EXPECT_NE(error.message().find("graph net"), std::string::npos) << error.message();
}

TEST_F(releasing, is_refused_for_a_context_that_uses_memory_of_qnnpp) {
  auto rpcmem = must(load_rpcmem());
  const auto own = [&] { return must(ContextBinary::own(binary_, "own.bin")); };
  auto queried = must(Context<Deferred>::create(backend(), own()).and_then(transition::query));
  auto weights = must(MemRegion<Weights>::allocate(rpcmem, queried.requirements()));
  Error error = error_of(must(std::move(queried)
                                  .register_buffers({.weights = std::move(weights)})
                                  .and_then(transition::finalize))
                             .release());
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_NE(error.message().find("external buffers"), std::string::npos) << error.message();
  error = error_of(
      must(Context<Finalized>::restore(backend(), own(), {.persistent_binary = true})).release());
  EXPECT_NE(error.message().find("persistent binary"), std::string::npos) << error.message();
  error =
      error_of(must(Context<Finalized>::restore(
                        backend(), own(), {.group = ContextGroup::head(std::uint64_t{1} << 26)}))
                   .release());
  EXPECT_NE(error.message().find("group"), std::string::npos) << error.message();
  EXPECT_EQ(live(), 1u) << "closed, as by their destructors";
}

TEST_F(releasing, the_backend_names_the_contexts_that_keep_it) {
  const auto context = must(adopt());
  const Error error = error_of(std::move(*backend_).release());
  backend_.reset();
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_NE(error.message().find("net.bin"), std::string::npos) << error.message();
}

}}  // namespace support
