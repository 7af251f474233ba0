// Every call of a job over C objects that the program has made itself fails, once and permanently.
// Nothing is left, and the error names the call that failed.
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"

#include "by_hand.hpp"
#include "faults.hpp"
#include "job.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class adopt_faults : public FaultsTest {
 protected:
  void SetUp() override {
    FaultsTest::SetUp();
    if (HasFatalFailure()) return;
    Network first{.name = "first"};
    Network second{.name = "second", .seed = 9, .x_name = "y", .y_name = "z"};
    first.io = second.io = c_api::TensorMemType::memhandle;
    parts_ = recorded_parts({first, second});
  }

  /// Frees by hand what it still has.
  struct Freed : ByHand {
    using ByHand::ByHand;
    Freed(const Freed&) = delete;
    Freed& operator=(const Freed&) = delete;
    ~Freed() { free(); }
  };

  /// Makes the C objects and runs the job on them, which frees those that it owns.
  Result<float> run() const override {
    Freed objects(provider_of(QNNPP_RECORDER));
    if (auto made = objects.create(); !made) return fail(std::move(made).error());
    if (auto made = objects.restore(parts_.binaries[0]); !made)
      return fail(std::move(made).error());
    auto backend = Backend<Htp>::adopt(objects.provider, objects.handles, ownership_,
                                       {.system_library = parts_.system});
    if (!backend) return fail(std::move(backend).error());
    const BackendHandles handles = objects.handles;
    if (ownership_ == Ownership::owned) objects.handles = {};
    auto context = Context<Finalized>::adopt(*backend, objects.context, ownership_,
                                             {.name = "first.bin", .binary = parts_.binaries[0]});
    if (!context && ownership_ == Ownership::owned) {
      // The context stays the program's, the backend has been given away.
      objects.free();
    }
    if (!context) return fail(std::move(context).error());
    if (ownership_ == Ownership::owned) objects.context = nullptr;
    auto outcome = executed(*backend, *context);
    if (!outcome || !releases_) return outcome;
    // The last objects of the job are the handles, which the program frees.
    auto released = std::move(*context).release();
    if (!released) return fail(std::move(released).error());
    objects.context = *released;
    if (auto given = std::move(*backend).release(); !given) return fail(std::move(given).error());
    objects.handles = handles;
    return outcome;
  }

  /// Runs the adopted context and a new one, with external buffers, as a pipeline.
  Result<float> executed(const Backend<Htp>& backend, const Context<Finalized>& first) const {
    auto rpcmem = RpcmemAllocator::load(parts_.rpcmem);
    if (!rpcmem) return fail(std::move(rpcmem).error());
    auto queried = ContextBinary::borrow(parts_.binaries[1], "second.bin")
                       .and_then([&](ContextBinary binary) {
                         return Context<Deferred>::create(backend, std::move(binary));
                       })
                       .and_then(transition::query);
    if (!queried) return fail(std::move(queried).error());
    auto pool = SharedSpillFill::allocate(*rpcmem, queried->requirements());
    if (!pool) return fail(std::move(pool).error());
    auto weights = MemRegion<Weights>::allocate(*rpcmem, queried->requirements());
    if (!weights) return fail(std::move(weights).error());
    auto second =
        std::move(*queried)
            .register_buffers({.weights = std::move(*weights), .spill_fill = std::move(*pool)})
            .and_then(transition::finalize);
    if (!second) return fail(std::move(second).error());
    std::vector<Graph<Retrieved>> graphs;
    for (const Context<Finalized>* context : {&first, std::as_const(second).operator->()}) {
      auto graph = Graph<Retrieved>::retrieve(*context, context->graphs()[0].name);
      if (!graph) return fail(std::move(graph).error());
      graphs.push_back(std::move(*graph));
    }
    auto pipeline = Pipeline::create(*rpcmem, std::move(graphs));
    if (!pipeline) return fail(std::move(pipeline).error());
    const std::vector<float> in = parts_.networks[0].input();
    if (auto done = write_elements(pipeline->input<float>("x"), in); !done)
      return fail(std::move(done).error());
    if (auto done = pipeline->execute(); !done) return fail(std::move(done).error());
    auto z = pipeline->output<float>("z");
    if (!z) return fail(std::move(z).error());
    return largest_difference(*z, parts_.networks[1].reference(parts_.networks[0].reference(in)));
  }

  Parts parts_;
  Ownership ownership_ = Ownership::borrowed;
  bool releases_ = false;
};

TEST_F(adopt_faults, the_job_asks_for_the_graph_of_the_adopted_context_twice) {
  run_clean();
  EXPECT_EQ(count(Slot::backend_create), 1);
  EXPECT_EQ(count(Slot::log_create), 1);
  EXPECT_EQ(count(Slot::graph_retrieve), 3) << "by adopt(), and by the pipeline for two graphs";
  EXPECT_EQ(count(Slot::context_free), 2);
  EXPECT_EQ(count(Slot::backend_free), 1);
}

TEST_F(adopt_faults, LOAD_01_the_job_fails_at_any_call_with_1002_and_leaves_nothing) {
  for (const Ownership ownership : {Ownership::borrowed, Ownership::owned})
    for (const bool releases : {false, true}) {
      ownership_ = ownership;
      releases_ = releases;
      run_clean();
      fail_each_call(1002);
    }
}

TEST_F(adopt_faults, SSR_01_the_job_fails_at_any_call_with_a_restart_and_leaves_nothing) {
  for (const Ownership ownership : {Ownership::borrowed, Ownership::owned}) {
    ownership_ = ownership;
    run_clean();
    expect_misuse();
    fail_each_call(1007);
  }
}

TEST_F(adopt_faults, two_calls_fail_in_one_run_and_nothing_is_left) {
  ownership_ = Ownership::owned;
  run_clean();
  fail_two_calls(1, 4);
}

TEST_F(adopt_faults, the_job_runs_again_after_every_failure) {
  run_clean();
  succeed_after_failures(3);
}

}}  // namespace support
