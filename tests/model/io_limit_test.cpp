// PD-02: models whose process domains count the inputs and outputs of one graph at a time.
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/report/domain_plan.hpp"

#include "model_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::SpillFillSharing;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

class an_io_limit : public ModelTest {
 protected:
  /// A network with `mib_each` MiB of inputs, and as many of outputs.
  static Network wide(const char* name, std::uint32_t mib_each,
                      c_api::TensorMemType io = c_api::TensorMemType::memhandle) {
    return {.name = name, .rows = 1024 * mib_each, .width = 256, .io = io};
  }
  /// Adds a binary of several graphs.
  void add(const std::string& name, const std::vector<Network>& graphs) {
    kept_.push_back(binary_of(backend(), graphs));
    sources.push_back({name, kept_.back(), {}});
  }
  Result<model::Model> load(model::LoadOptions options) const {
    return model::load(backend(), allocator(), sources, options);
  }
  static model::LoadOptions limited(SpillFillSharing sharing = SpillFillSharing::automatic) {
    return {.sharing = sharing, .contexts = {.one_graph_at_a_time = true}};
  }
  std::uint64_t room() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t bytes : control().counters().pd_used_bytes) sum += bytes;
    return sum;
  }
  void answer_as(sim::HostLibrary library) {
    sim::Config config = control().config();
    config.host_library = static_cast<std::uint32_t>(library);
    drop_backend();
    ASSERT_TRUE(control().set_config(config));
    reload_backend();
  }
  auto bind(const model::Model& model, std::size_t context, const char* graph) const {
    return must(Graph<Retrieved, RegisteredIo>::retrieve(model.context(context), graph))
        .bind(allocator());
  }

 private:
  std::vector<std::vector<std::byte>> kept_;
};

TEST_F(an_io_limit, PD_02_of_one_graph_at_a_time_counts_the_largest) {
  add("two.bin", {wide("large", 2), wide("small", 1)});
  std::uint64_t without = 0;
  {
    const auto model = must(load({}));
    without = room();
    EXPECT_FALSE(model.report().contexts[0].io_limit.value);
  }
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                             SpillFillSharing::none}) {
    const auto model = must(load(limited(sharing)));
    EXPECT_EQ(model.report().contexts[0].io_limit.value, 4 * mib);
    EXPECT_EQ(room(), without - 6 * mib + 4 * mib);
    EXPECT_EQ(model.report().reason.find("no gain"), std::string::npos);
    for (const char* const graph : {"small", "large", "small"}) {
      auto bound = must(bind(model, 0, graph));
      const Error error = error_of(bind(model, 0, graph[0] == 's' ? "large" : "small"));
      EXPECT_EQ(error.kind, Errc::too_large);
      EXPECT_NE(error.message().find("two.bin"), std::string::npos) << error.message();
      EXPECT_NE(error.message().find("close what is registered for other graphs first"),
                std::string::npos)
          << error.message();
    }
  }
  EXPECT_EQ(control().misuses("PD-02"), 0u);
}

TEST_F(an_io_limit, PD_02_of_a_list_counts_one_graph_of_all_contexts) {
  add("one.bin", {wide("one", 1)});
  add("two.bin", {wide("two", 2)});
  auto options = limited(SpillFillSharing::none);
  options.in_one_call = restore_list;
  const auto model = must(load(options));
  EXPECT_EQ(model.report().contexts[0].io_limit.value, 4 * mib);
  EXPECT_EQ(model.report().contexts[1].io_limit.value, 0u);
  const std::uint64_t limited_room = room();
  {
    auto bound = must(bind(model, 1, "two"));
    EXPECT_EQ(error_of(bind(model, 0, "one")).kind, Errc::too_large);
  }
  EXPECT_TRUE(succeeds(bind(model, 0, "one")));
  options.contexts.one_graph_at_a_time = false;
  const auto plain = must(load(options));
  EXPECT_EQ(room() - limited_room, limited_room + 2 * mib);
}

TEST_F(an_io_limit, PD_02_that_gains_nothing_is_left_out_and_reported) {
  add("one.bin", {wide("one", 1)});
  add("raw.bin",
      {wide("a", 1, c_api::TensorMemType::raw), wide("b", 1, c_api::TensorMemType::raw)});
  auto model = must(load(limited()));
  EXPECT_NE(model.report().reason.find("; one_graph_at_a_time: no gain with these graphs"),
            std::string::npos)
      << model.report().reason;
  EXPECT_FALSE(model.report().contexts[1].io_limit.value);
}

TEST_F(an_io_limit, PD_02_of_a_library_that_takes_it_in_a_list_only_is_no_gain_on_this_version) {
  add("two.bin", {wide("large", 2), wide("small", 1)});
  answer_as(sim::HostLibrary::v2_46_0);
  {
    const auto model = must(load(limited()));
    EXPECT_NE(model.report().reason.find(
                  "; one_graph_at_a_time: no gain on this version, but with in_one_call"),
              std::string::npos)
        << model.report().reason;
    EXPECT_TRUE(succeeds(bind(model, 0, "large")));
  }
  auto options = limited(SpillFillSharing::none);
  options.in_one_call = restore_list;
  const auto model = must(load(options));
  EXPECT_EQ(model.report().contexts[0].io_limit.value, 4 * mib);
}

TEST_F(an_io_limit, PD_02_that_would_make_contexts_fit_is_named_by_the_load_that_fails) {
  for (const char* const name : {"one.bin", "two.bin", "three.bin"})
    add(name, {wide("large", 2), wide("small", 1)});
  std::uint64_t one = 0;
  {
    const auto model = must(model::load(backend(), allocator(), {sources[0]}));
    one = room();
  }
  sim::Config config = control().config();
  config.pd_count = 1;
  config.pd_budget_bytes = 3 * one - 3 * mib;
  ASSERT_TRUE(control().set_config(config));
  const Error error = error_of(load({}));
  EXPECT_EQ(error.code, 1002u);
  EXPECT_NE(error.message().find("(one_graph_at_a_time would count "), std::string::npos)
      << error.message();
  EXPECT_NE(error.message().find(" bytes for 3 contexts"), std::string::npos) << error.message();
  EXPECT_TRUE(succeeds(load(limited())));
}

TEST_F(an_io_limit, PD_02_fits_as_many_contexts_as_the_plan_says) {
  const auto bytes = binary_of(backend(), {wide("one", 3)});
  const auto source = model::BinarySource{"one.bin", bytes, {}};
  sim::Config config = control().config();
  config.pd_count = 4;
  config.pd_budget_bytes = 40 * mib;
  ASSERT_TRUE(control().set_config(config));
  const auto survey = must(model::survey(backend(), source));
  std::vector<std::size_t> numbers;
  for (const std::uint64_t limit_mb : {0u, 1u, 20u}) {
    std::vector<Context<Finalized>> contexts;
    for (;;) {
      auto context =
          Context<Finalized>::restore(backend(), own(bytes), {.reused_io_limit_mb = limit_mb});
      if (!context) break;
      contexts.push_back(std::move(*context));
    }
    numbers.push_back(contexts.size());
    model::ContextMemory memory = survey.memory;
    if (limit_mb != 0) memory.io_limit = {limit_mb * mib, model::SizeSource::metadata};
    model::MemoryReport report;
    report.contexts = std::vector<model::ContextMemory>(contexts.size(), memory);
    EXPECT_EQ(model::plan_domains(report, 40 * mib).packing.size(), 4u) << limit_mb;
    report.contexts.push_back(memory);
    EXPECT_EQ(model::plan_domains(report, 40 * mib).packing.size(), 5u) << limit_mb;
  }
  EXPECT_GT(numbers[1], numbers[0]);
  EXPECT_LT(numbers[2], numbers[0]) << "a limit above all inputs and outputs takes room";
}

}}  // namespace support
