// The answers that a seed draws, and a device that behaves accordingly.
#include <set>

#include "fixture.hpp"
#include "sim/tables/unconfirmed.hpp"

namespace sim_test { namespace {

using sim::Unconfirmed;

class sim_seed : public SimTest {
 protected:
  static void use(std::uint64_t seed) {
    sim::Config config = control().config();
    config.seed = seed;
    ASSERT_TRUE(control().set_config(config));
  }
  /// Returns the first seed that draws this value.
  static std::uint64_t seed_for(Unconfirmed answer, std::uint64_t wanted) {
    for (std::uint64_t seed = 1; seed < 10000; ++seed)
      if (sim::drawn(seed, answer) == wanted) return seed;
    ADD_FAILURE() << "no seed draws " << wanted;
    return 0;
  }
};

/// Returns every answer for a seed.
std::vector<std::uint64_t> answers(std::uint64_t seed) {
  std::vector<std::uint64_t> all;
  for (const sim::UnconfirmedAnswer& answer : sim::unconfirmed_answers)
    all.push_back(sim::drawn(seed, answer.id));
  return all;
}

TEST_F(sim_seed, that_is_0_draws_the_default) {
  const std::vector<std::uint64_t> none = answers(0);
  for (std::size_t i = 0; i < none.size(); ++i)
    EXPECT_EQ(none[i], sim::unconfirmed_answers[i].candidates[0])
        << sim::unconfirmed_answers[i].what;
  const sim::Config config = control().config();
  EXPECT_EQ(config.start_alignment_bytes, sim::drawn(0, Unconfirmed::start_alignment));
  EXPECT_EQ(config.pd_count, sim::drawn(0, Unconfirmed::process_domains));
  EXPECT_EQ(config.pd_budget_bytes, sim::drawn(0, Unconfirmed::domain_bytes));
  EXPECT_EQ(config.error_high_bits, sim::drawn(0, Unconfirmed::error_high_bits));
}

TEST_F(sim_seed, draws_the_same_again_and_another_one_something_else) {
  EXPECT_EQ(answers(7), answers(7));
  std::set<std::vector<std::uint64_t>> different;
  for (std::uint64_t seed = 0; seed < 20; ++seed) different.insert(answers(seed));
  EXPECT_EQ(different.size(), 20u);
}

TEST_F(sim_seed, draws_every_candidate_within_200) {
  for (std::size_t i = 0; i < std::size(sim::unconfirmed_answers); ++i) {
    const sim::UnconfirmedAnswer& answer = sim::unconfirmed_answers[i];
    EXPECT_EQ(static_cast<std::size_t>(answer.id), i)
        << "the table has the order of the enumerators";
    std::set<std::uint64_t> found;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) found.insert(sim::drawn(seed, answer.id));
    const std::set<std::uint64_t> candidates(answer.candidates, answer.candidates + answer.count);
    EXPECT_EQ(found, candidates) << answer.what;
    EXPECT_GT(candidates.size(), 1u) << answer.what;
    EXPECT_EQ(candidates.size(), answer.count) << answer.what << ": a candidate appears twice";
  }
}

TEST_F(sim_seed, changes_the_device_but_not_what_the_client_has_set) {
  sim::Config config = control().config();
  config.pd_count = 13;
  ASSERT_TRUE(control().set_config(config));
  const std::uint64_t seed = seed_for(Unconfirmed::start_alignment, 256);
  use(seed);
  EXPECT_EQ(control().config().start_alignment_bytes, 256u);
  EXPECT_EQ(control().config().pd_count, 13u);
  use(0);
  EXPECT_EQ(control().config().start_alignment_bytes, 4096u);
  EXPECT_EQ(control().config().pd_count, 13u);
}

TEST_F(sim_seed, BUF_02_shows_a_client_that_takes_the_alignment_for_4096) {
  const auto binary = binary_of({Chain{}});
  sim::Config config = control().config();
  config.start_alignment_bytes = 65536;
  ASSERT_TRUE(control().set_config(config));
  DeferredConfig deferred;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, deferred.configs(), context), 0u);
  const AskedFor need = ask(context);
  EXPECT_EQ(need.alignment, 65536u);
  const Dma memory(4096 + need.spill_fill);
  c_api::MemHandle handle = nullptr;
  const ExternalDescriptor external{c_api::HtpMemType::shared_spillfill_buffer, memory.fd,
                                    memory.bytes, 4096};
  const auto registered = code(qnn().mem_register(context, &external.descriptor, 1, &handle));
  EXPECT_EQ(registered, 0u) << "the host library does not check the offset";
  EXPECT_EQ(control().misuses("BUF-02"), 1u);
  EXPECT_EQ(free_context(context), 0u);
}

TEST_F(sim_seed, changes_the_run_list_of_the_estimate) {
  const auto binary = binary_of({Chain{}});
  const auto estimate = [&](std::uint64_t per_cent) {
    use(seed_for(Unconfirmed::run_list, per_cent));
    c_api::ContextHandle context = nullptr;
    EXPECT_EQ(create(binary, nullptr, context), 0u);
    const std::uint64_t used = control().counters().pd_used_bytes[0];
    EXPECT_EQ(free_context(context), 0u);
    return used;
  };
  const std::uint64_t least = estimate(128);  // of 5120 bytes: 1433 more, rounded up to 1536
  EXPECT_EQ(estimate(150), least + 2560 - 1536);
  EXPECT_EQ(estimate(175), least + 3840 - 1536);
}

TEST_F(sim_seed, decides_the_code_where_the_documents_leave_several) {
  const auto binary = binary_of({Chain{}});
  sim::Config config = control().config();
  config.external_buffers = 0;
  ASSERT_TRUE(control().set_config(config));
  for (const std::uint64_t wanted : {1000u, 8001u, 8005u}) {
    use(seed_for(Unconfirmed::external_refused, wanted));
    DeferredConfig deferred;
    c_api::ContextHandle context = nullptr;
    ASSERT_EQ(create(binary, deferred.configs(), context), 0u);
    const Dma memory(ask(context).spill_fill);
    c_api::MemHandle handle = nullptr;
    const ExternalDescriptor external{c_api::HtpMemType::shared_spillfill_buffer, memory.fd,
                                      memory.bytes};
    EXPECT_EQ(code(qnn().mem_register(context, &external.descriptor, 1, &handle)), wanted);
    EXPECT_EQ(free_context(context), 0u);
  }
}

}}  // namespace sim_test
