// What the simulated HTP judges of binaries that its engine runs, what the engine cannot, and what
// failures leave.
#include <sys/wait.h>

#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "stacks.hpp"
#include "temporary_folder.hpp"

namespace engine { namespace {

using namespace qnnpp;
using sim_test::ask;
using sim_test::code;
using sim_test::qnn;

/// A small network.
Stack small(const std::string& name = "small", std::uint32_t vtcm_mb = 1) {
  return make_stack(name, 2, 7, vtcm_mb);
}

class engine_limits : public EngineTest {
 protected:
  /// Creates a context and frees it. Returns the code.
  std::uint32_t load_once(const std::vector<std::byte>& binary) {
    c_api::ContextHandle context = nullptr;
    const std::uint32_t result = create(binary, nullptr, context);
    if (result == 0) {
      EXPECT_EQ(free_context(context), 0u);
    }
    return result;
  }
  static std::uint64_t up2m(std::uint64_t bytes) {
    return (bytes + 0x1FFFFF) / 0x200000 * 0x200000;
  }
};

TEST_F(engine_limits, needs_are_those_of_the_metadata) {
  const Stack stack = make_stack("net", 16, 1);
  const Description description(stack.binary);
  c_api::HtpSystemContextGraphBlobInfo first{};
  c_api::HtpSystemContextGraphBlobInfoV2 second{};
  ASSERT_EQ(description.graph().graph_blob_info_size, sizeof first + sizeof second);
  const auto* const blob = static_cast<const std::byte*>(description.graph().graph_blob_info);
  std::memcpy(&first, blob, sizeof first);
  std::memcpy(&second, blob + sizeof first, sizeof second);
  const std::uint64_t spill_fill = first.context_binary_graph_blob_info_v1.spill_fill_buffer_size;

  sim_test::DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(stack.binary, config.configs(), context), 0u);
  const sim_test::AskedFor asked = ask(context);
  EXPECT_EQ(asked.weights, up2m(second.const_size));
  EXPECT_EQ(asked.spill_fill, up2m(spill_fill));
  EXPECT_EQ(asked.alignment, 4096u);
  ASSERT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  // The run list is the op data and a half, by steps of 256 bytes.
  const std::uint64_t run_list = second.op_data_size + (second.op_data_size / 2 + 255) / 256 * 256;
  EXPECT_EQ(control().counters().pd_used_bytes[0],
            up2m(second.const_size) + second.io_tensor_size + run_list + spill_fill +
                first.context_binary_graph_blob_info_v1.vtcm_size);
}

TEST_F(engine_limits, BIN_02_a_binary_for_a_newer_chip_is_refused_and_for_an_older_one_loads) {
  const real::Digits digits;
  std::vector<std::vector<std::byte>> stems;
  for (const real::Chip& chip : std::span(real::chips).subspan(1))
    stems.push_back(digits::make_binary<RegisteredIo>(real::backend_for(chip),
                                                      digits::make_segments(digits.weights)[0]));
  for (std::size_t device = 1; device < std::size(real::chips); ++device) {
    set(&sim::Config::arch, real::chips[device].arch);
    for (std::size_t i = 0; i < stems.size(); ++i)
      EXPECT_EQ(load_once(stems[i]), i + 1 <= device ? 0u : 5005u)
          << real::chips[i + 1].name << " on " << real::chips[device].name;
  }
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(engine_limits, BIN_01_a_binary_of_a_newer_SDK_than_the_host_library_is_refused) {
  const Stack stack = small();
  EXPECT_EQ(load_once(stack.binary), 0u);
  for (const sim::HostLibrary older : {sim::HostLibrary::v2_43_1, sim::HostLibrary::v2_48_40}) {
    set(&sim::Config::host_library, static_cast<std::uint32_t>(older));
    EXPECT_EQ(load_once(stack.binary), 5000u);
  }
}

TEST_F(engine_limits, a_damaged_binary_gets_the_answer_of_the_engine) {
  const Stack stack = small();
  const auto real_backend = real::backend_for(real::chips[1]);
  std::vector<std::byte> damaged = stack.binary;
  damaged.resize(damaged.size() / 2);
  for (int way = 0; way < 2; ++way) {
    const auto own = Context<Finalized>::restore(
        real_backend, value_or_throw(ContextBinary::borrow(damaged, "damaged")));
    ASSERT_FALSE(own.has_value());
    EXPECT_EQ(load_once(damaged), own.error().code) << own.error().message();
    EXPECT_NE(Description(damaged).code(), 0u);
    damaged = stack.binary;
    std::fill_n(damaged.begin(), 8, std::byte{0});
  }
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(engine_limits, contexts_of_two_VTCM_sizes_are_refused_by_the_engines_name) {
  const Stack one = small("one", 1), two = small("two", 2);
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(one.binary, nullptr, context), 0u);
  static std::string logged;
  c_api::LogHandle logger = nullptr;
  const auto keep = [](const char* format, c_api::LogLevel, std::uint64_t, std::va_list arguments) {
    char line[1000];
    (void)std::vsnprintf(line, sizeof line, format, arguments);
    logged += line;
  };
  ASSERT_EQ(code(qnn().log_create(keep, c_api::LogLevel::error, &logger)), 0u);
  EXPECT_EQ(load_once(two.binary), 1100u);
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
  EXPECT_NE(logged.find("the engine (QNNPP_SIM_ENGINE): contexts that live at a time"),
            std::string::npos)
      << logged;
  EXPECT_EQ(free_context(context), 0u);
  EXPECT_EQ(load_once(two.binary), 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(engine_limits, graphs_that_share_weights_are_refused) {
  const auto real_backend = real::backend_for(real::chips[1]);
  std::vector<std::byte> binary;
  {
    auto context = value_or_throw(
        Context<Composing>::create(real_backend, {.weight_sharing = true, .name = "shared"}));
    compose_stack(context, "prefill", 2, 7, 1);
    compose_stack(context, "decode", 2, 7, 1);
    binary = value_or_throw(value_or_throw(std::move(context).finalize()).serialize());
  }
  c_api::HtpSystemContextGraphBlobInfoV2 second{};
  const Description description(binary);
  std::memcpy(&second,
              static_cast<const std::byte*>(description.graph().graph_blob_info) +
                  sizeof(c_api::HtpSystemContextGraphBlobInfo),
              sizeof second);
  ASSERT_NE(second.shared_weights_size, 0u);
  EXPECT_EQ(load_once(binary), 1000u);
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(engine_limits, binaries_of_the_simulated_HTP_run_beside) {
  const Stack stack = small();
  const sim_test::Chain chain;
  const auto binary = binary_of({chain});
  const Loaded loaded = load(stack, nullptr);
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  std::vector<float> out;
  EXPECT_EQ(sim_test::run_raw(graph_of(context), chain, out), 0u);
  EXPECT_LT(sim_test::largest_difference(chain.reference(chain.input()), out.data()), 1e-4f);
  EXPECT_EQ(execute(loaded), Output::right);
}

TEST_F(engine_limits, RES_01_a_context_without_room_in_a_process_domain_is_refused) {
  const Stack stack = small();
  sim::Config config = control().config();
  config.pd_budget_bytes = 3 << 20;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(load_once(stack.binary), 1002u);
  EXPECT_EQ(control().counters().pd_refusals, 1u);
}

TEST_F(engine_limits, every_fault_in_turn_leaves_nothing) {
  const Stack stack = small();
  ASSERT_EQ(code(qnn().backend_free(backend)), 0u);
  bool is_other_way = false;  // Automatic sharing has found room in another way.
  const auto flow = [&]() -> Result<void> {
    is_other_way = false;
    auto simulated = Backend<Htp>::load(
        {.library = support::htp_library, .system_library = support::system_library});
    if (!simulated) return fail(std::move(simulated).error());
    const AnyAllocator memory = rpcmem();
    auto loaded =
        model::load(*simulated, memory,
                    std::vector<model::BinarySource>{{.name = "small", .bytes = stack.binary}});
    if (!loaded) return fail(std::move(loaded).error());
    is_other_way = loaded->report().reason.find(" returned 1002") != std::string::npos ||
                   loaded->report().external_weights == ExternalWeights::refused;
    auto pipeline = loaded->pipeline(memory, {"small"});
    if (!pipeline) return fail(std::move(pipeline).error());
    {
      auto in = pipeline->input<float>("in");
      if (!in) return fail(std::move(in).error());
      std::ranges::copy(stack.input, in->elements().begin());
    }
    if (auto done = pipeline->execute(); !done) return fail(std::move(done).error());
    auto out = pipeline->output<float>("out");
    if (!out) return fail(std::move(out).error());
    EXPECT_TRUE(std::ranges::equal(out->elements(), stack.wanted));
    return {};
  };
  std::size_t failed = 0, other_ways = 0;
  for (std::uint32_t at = 1;; ++at) {
    control().fail_any_call(at, 1002);
    const auto result = flow();
    const bool fired = control().counters().faults_fired != 0;
    control().clear_faults();
    failed += result ? 0 : 1;
    other_ways += result && is_other_way ? 1 : 0;
    EXPECT_TRUE(fired || !is_other_way);
    expect_nothing_left();
    control().reset_counters();
    if (!fired) break;
    ASSERT_LT(at, 200u);
  }
  EXPECT_GE(failed + other_ways, 10u);
  EXPECT_GE(other_ways, 3u) << "creation, query, registration";
  // Nothing is left in the engine either: it takes another VTCM size.
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
  EXPECT_EQ(load_once(small("two", 2).binary), 0u);
}

/// Runs engine_exits, which loads a binary and ends in one way. Returns its exit code; -1 for a
/// signal.
int end_by(const Stack& stack, const std::string& way, const std::string& variables = "") {
  const support::TemporaryFolder folder;
  const std::string file = folder.file("net.bin");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(stack.binary.data()),
             static_cast<std::streamsize>(stack.binary.size()));
  const int status = std::system((variables + " " QNNPP_ENGINE_EXITS " " QNNPP_SIM_DIR " '" + file +
                                  "' " + way + " >/dev/null 2>&1")
                                     .c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(engine_limits, PRC_04_the_end_of_the_process_frees_nothing_of_the_engine) {
  const Stack stack = small();
  for (const char* const way : {"well", "leave", "handler", "destructor"})
    EXPECT_EQ(end_by(stack, way), 0) << way;
}

TEST_F(engine_limits, the_simulated_HTP_itself_is_no_engine) {
  // The program ends with 4 if the creation fails.
  EXPECT_EQ(end_by(small(), "well", "QNNPP_SIM_ENGINE=" QNNPP_SIM_DIR), 4);
}

}}  // namespace engine
