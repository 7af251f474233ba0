// Features that external buffers exclude (EXT-03, EXT-05, EXT-06), and contexts that may be queried
// (EXT-10).
#include <utility>

#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

/// HTP options of the last creation from a binary.
struct HtpOptionsOfACreation {
  static inline std::vector<c_api::HtpContextConfigOption> options;
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering || slot != static_cast<std::size_t>(Slot::context_create_from_binary)) return;
    options.clear();
    for (auto config = argument<const c_api::ContextConfig**>(arguments, 2); *config != nullptr;
         ++config)
      if ((*config)->option == c_api::ContextConfigOption::custom)
        options.push_back(
            static_cast<const c_api::HtpContextCustomConfig*>((*config)->custom_config)->option);
  }
};

class exclusions : public LoadedTest {
 protected:
  /// Creates a deferred context with one more option, as a client in C does. Returns the code.
  std::uint64_t create_with(const c_api::HtpContextCustomConfig& custom) {
    const auto create =
        *backend().provider().find<&c_api::InterfaceTable::context_create_from_binary>();
    const auto free = *backend().provider().find<&c_api::InterfaceTable::context_free>();
    c_api::ContextConfig deferred{};
    deferred.option = c_api::ContextConfigOption::defer_graph_init;
    deferred.is_graph_init_deferred = 1;
    c_api::ContextConfig more{};
    more.option = c_api::ContextConfigOption::custom;
    more.custom_config = const_cast<c_api::HtpContextCustomConfig*>(&custom);
    const c_api::ContextConfig* configs[] = {&deferred, &more, nullptr};
    const auto bytes = binary_of(backend(), {Network{}});
    c_api::ContextHandle made = nullptr;
    const std::uint64_t code = create(backend().native(), backend().native_device(), configs,
                                      bytes.data(), bytes.size(), &made, nullptr);
    if (made != nullptr) (void)free(made, nullptr);
    return code & 0xFFFFu;
  }
};

TEST_F(exclusions, EXT_03_EXT_05_EXT_06_no_option_of_a_deferred_context_excludes_external_buffers) {
  const auto recorder = must(load_recorder());
  const Recording recording(&HtpOptionsOfACreation::hook);
  const auto context = must(Context<Deferred>::create(recorder, binary(Network{}),
                                                      {.priority = c_api::Priority::high,
                                                       .enabled_graphs = {Network{}.name},
                                                       .persistent_binary = true,
                                                       .file_read_memory_budget_mb = 7,
                                                       .init_acceleration = true}));
  using Option = c_api::HtpContextConfigOption;
  EXPECT_EQ(HtpOptionsOfACreation::options,
            (std::vector<Option>{Option::file_read_memory_budget, Option::init_acceleration}));
}

TEST_F(exclusions, EXT_03_concurrent_resource_sharing_beside_deferral_is_refused_by_QNN) {
  c_api::HtpContextCustomConfig custom{};
  custom.option = c_api::HtpContextConfigOption::register_concurrent_resource_sharing;
  EXPECT_EQ(create_with(custom), 1000u);
  expect_misuse();
  // the refused creation leaves objects that keep the device and the backend permanently
  control().reset_config();
}

TEST_F(exclusions, EXT_05_extended_udma_beside_deferral_is_accepted_by_QNN) {
  c_api::HtpContextCustomConfig custom{};
  custom.option = c_api::HtpContextConfigOption::use_extended_udma;
  custom.use_extended_udma = true;
  EXPECT_EQ(create_with(custom), 0u) << "a misuse that only the simulated HTP names";
  expect_misuse();
}

TEST_F(exclusions, EXT_06_a_backend_with_a_secure_process_domain_takes_no_external_buffers) {
  set(&sim::Config::secure_domains, 1);
  const auto bytes = binary_of(backend(), {Network{}});
  const auto secure = must(Backend<Htp>::load(
      {.library = htp_library, .device = {.process_domain = ProcessDomainKind::secure}}));
  auto context = must(Context<Deferred>::create(secure, must(ContextBinary::borrow(bytes, "a.bin")))
                          .and_then(transition::query));
  auto weights = weights_for(context);
  const auto refused = context.check_buffers({.weights = std::move(weights)});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, Errc::capability_missing);
  EXPECT_EQ(refused.error().detail, "a secure process domain takes no external buffers");
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  EXPECT_TRUE(std::move(context).register_buffers({}).and_then(transition::finalize).has_value())
      << "QNN allocates the memory itself";
}

template <class Object>
concept AnswersNeeds = requires(Object object) { std::move(object).query(); };

TEST_F(exclusions, EXT_10_a_deferred_context_is_asked_for_its_needs) {
  static_assert(AnswersNeeds<Context<Deferred>>);
  const auto context =
      must(Context<Deferred>::create(backend(), binary(Network{})).and_then(transition::query));
  EXPECT_GT(context.requirements().weights_bytes, 0u);
}

TEST_F(exclusions, EXT_10_a_context_that_is_not_deferred_is_not_asked) {
  static_assert(!AnswersNeeds<Context<Finalized>>);
  static_assert(!AnswersNeeds<Context<Registered>>);
  const auto recorder = must(load_recorder());
  control().reset_counters();
  const auto context = must(Context<Finalized>::restore(recorder, binary(Network{})));
  EXPECT_EQ(calls(Slot::context_get_property), 0u);
}

}}  // namespace support
