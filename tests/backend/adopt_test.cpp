// Backends made of C objects that a program has created itself: who frees what, and what is
// refused.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/sim/control.hpp"

#include "by_hand.hpp"
#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

constexpr auto deferred = c_api::PropertyKey::context_support_deferred_graph_init;

class adopting_a_backend : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (!HasFatalFailure()) must(objects_.create());
  }
  void TearDown() override {
    objects_.free();
    SimTest::TearDown();
  }
  Result<Backend<Htp>> adopt(Ownership ownership, const AdoptOptions& options = {}) const {
    return Backend<Htp>::adopt(objects_.provider, objects_.handles, ownership, options);
  }
  /// Expects that log, backend and device live, or none of them.
  static void expect_live(std::uint64_t count) {
    const sim::Counters now = control().counters();
    EXPECT_EQ(now.live_logs, count);
    EXPECT_EQ(now.live_backends, count);
    EXPECT_EQ(now.live_devices, count);
  }
  void expect_handles(const BackendHandles& found) const {
    EXPECT_EQ(found.backend, objects_.handles.backend);
    EXPECT_EQ(found.device, objects_.handles.device);
    EXPECT_EQ(found.log, objects_.handles.log);
  }
  /// A copy of the provider, to be changed.
  c_api::Interface copy() const { return copy_of(*objects_.provider); }

  ByHand objects_{provider_of(htp_library)};
};

TEST_F(adopting_a_backend, that_is_borrowed_calls_nothing_and_frees_nothing) {
  control().reset_counters();
  {
    const auto backend = must(adopt(Ownership::borrowed));
    EXPECT_EQ(backend.native(), objects_.handles.backend);
    EXPECT_EQ(backend.native_device(), objects_.handles.device);
    EXPECT_EQ(backend.native_log(), objects_.handles.log);
  }
  EXPECT_TRUE(succeeds(must(adopt(Ownership::borrowed)).close()));
  EXPECT_EQ(control().counters().calls, 0u);
  expect_live(1);
}

TEST_F(adopting_a_backend, ORD_08_that_is_owned_frees_device_backend_and_log) {
  {
    const auto backend = must(adopt(Ownership::owned));
  }
  objects_.handles = {};
  expect_live(0);
  must(objects_.create());
  EXPECT_TRUE(succeeds(must(adopt(Ownership::owned)).close()));
  objects_.handles = {};
  expect_live(0);
}

TEST_F(adopting_a_backend, that_is_owned_reports_the_error_of_each_free) {
  for (const Slot slot : {Slot::device_free, Slot::backend_free, Slot::log_free}) {
    auto backend = must(adopt(Ownership::owned));
    control().fail_call(slot, 1, 1002);
    const Error error = error_of(std::move(backend).close());
    EXPECT_EQ(error.code, 1002);
    EXPECT_STREQ(error.step, c_api::slots[static_cast<std::size_t>(slot)].name);
    EXPECT_EQ(error.object, htp_library);
    control().clear_faults();
    objects_.handles = {};
    must(objects_.create());
  }
  expect_misuse();  // The failed frees have left objects with others above them.
}

TEST_F(adopting_a_backend, needs_neither_a_device_nor_a_log) {
  BackendHandles handles = objects_.handles;
  handles.device = nullptr;
  handles.log = nullptr;
  control().reset_counters();
  {
    const auto backend = must(Backend<Htp>::adopt(objects_.provider, handles, Ownership::borrowed));
    EXPECT_EQ(backend.native_device(), nullptr);
    EXPECT_EQ(backend.native_log(), nullptr);
    EXPECT_TRUE(succeeds(backend.platform_info()));
  }
  expect_live(1);
}

TEST_F(adopting_a_backend, answers_as_a_loaded_one_does) {
  const auto loaded = must(load());
  const auto adopted = must(adopt(Ownership::borrowed, {.system_library = system_library}));
  EXPECT_EQ(must(adopted.build_id()), must(loaded.build_id()));
  EXPECT_EQ(adopted.provider().native(), loaded.provider().native());
  EXPECT_EQ(adopted.backend_version().minor, loaded.backend_version().minor);
  EXPECT_EQ(adopted.capability(deferred), loaded.capability(deferred));
  EXPECT_EQ(adopted.is_emulation(), loaded.is_emulation());
  EXPECT_EQ(must(adopted.platform_info()), must(loaded.platform_info()));
  EXPECT_EQ(adopted.chip(), loaded.chip());
  EXPECT_EQ(adopted.external_weights(), loaded.external_weights());
  EXPECT_EQ(adopted.tensor_memory(), TensorMemory::registered);
  const auto& block = *detail::Access::block(adopted);
  EXPECT_EQ(block.library.path(), detail::Access::block(loaded)->library.path());
  EXPECT_EQ(block.sdk(), detail::Access::block(loaded)->sdk());
  EXPECT_EQ(block.system->path(), system_library);
  EXPECT_TRUE(succeeds(Performance::vote(adopted, PerformanceMode::burst)));
  EXPECT_TRUE(succeeds(Profile::create(adopted)));
}

TEST_F(adopting_a_backend, opens_no_system_library_that_is_not_named) {
  const auto adopted = must(adopt(Ownership::borrowed));
  EXPECT_FALSE(detail::Access::block(adopted)->system.has_value());
}

TEST_F(adopting_a_backend, leaves_the_log_to_the_program) {
  const auto backend = must(adopt(Ownership::borrowed));
  control().fail_call(Slot::device_get_platform_info, 1, 1002);
  const Error error = error_of(backend.platform_info());
  EXPECT_EQ(error.code, 1002);
  EXPECT_EQ(error.log, "") << "no callback of qnnpp is there";
  EXPECT_EQ(calls(Slot::log_create), 1u);
}

TEST_F(adopting_a_backend, keeps_what_the_program_says_of_its_device) {
  const auto backend = must(adopt(
      Ownership::borrowed,
      {.device = {.arch = c_api::HtpDeviceArch::v75, .process_domain = ProcessDomainKind::secure},
       .tensor_memory = TensorMemory::by_address}));
  const auto& block = *detail::Access::block(backend);
  EXPECT_TRUE(block.is_secure);
  EXPECT_EQ(block.prepares_for, 75u);
  EXPECT_EQ(backend.tensor_memory(), TensorMemory::by_address);
  EXPECT_EQ(calls(Slot::device_create), 1u);
}

TEST_F(adopting_a_backend, of_a_null_interface_or_a_null_backend_is_refused) {
  const Error no_interface = error_of(Backend<Htp>::adopt(
      static_cast<const c_api::Interface*>(nullptr), objects_.handles, Ownership::owned));
  EXPECT_EQ(no_interface.kind, Errc::invalid_argument);
  EXPECT_NE(no_interface.message().find("QnnInterface_getProviders"), std::string::npos);
  BackendHandles handles = objects_.handles;
  handles.backend = nullptr;
  const Error no_backend =
      error_of(Backend<Htp>::adopt(objects_.provider, handles, Ownership::owned));
  EXPECT_EQ(no_backend.kind, Errc::invalid_argument);
  EXPECT_EQ(no_backend.object, htp_library);
  EXPECT_NE(no_backend.message().find("the backend is null"), std::string::npos);
  expect_live(1);
}

TEST_F(adopting_a_backend, LOAD_02_of_another_core_API_is_refused) {
  for (const c_api::Version version : {c_api::Version{1, 30, 0}, {2, 17, 9}, {3, 0, 0}}) {
    c_api::Interface other = copy();
    other.api_version.core_api_version = version;
    const Error error = error_of(Backend<Htp>::adopt(&other, objects_.handles, Ownership::owned));
    EXPECT_EQ(error.kind, Errc::version_unsupported);
    EXPECT_NE(error.message().find(detail::version_text(version)), std::string::npos);
  }
  expect_live(1);
}

TEST_F(adopting_a_backend, of_another_backend_is_refused) {
  c_api::Interface other = copy();
  other.backend_id = c_api::backend_id::htp + 1;
  other.provider_name = "GPU_QTI_AISW";
  const Error error = error_of(Backend<Htp>::adopt(&other, objects_.handles, Ownership::owned));
  EXPECT_EQ(error.kind, Errc::not_qnn);
  EXPECT_NE(error.message().find("GPU_QTI_AISW (backend id 7)"), std::string::npos)
      << error.message();
  expect_live(1);
}

TEST_F(adopting_a_backend, LOAD_03_needs_the_functions_that_free_what_is_owned) {
  c_api::Interface lacking = copy();
  lacking.table.device_free = nullptr;
  EXPECT_EQ(error_of(Backend<Htp>::adopt(&lacking, objects_.handles, Ownership::owned)).kind,
            Errc::slot_null);
  expect_live(1);
  EXPECT_TRUE(succeeds(Backend<Htp>::adopt(&lacking, objects_.handles, Ownership::borrowed)));
}

TEST_F(adopting_a_backend, checks_its_options_before_it_owns_anything) {
  const Error system = error_of(adopt(Ownership::owned, {.system_library = "/no/libQnnSystem.so"}));
  EXPECT_EQ(system.kind, Errc::library_not_found);
  const Error domain = error_of(
      adopt(Ownership::owned, {.device = {.process_domain = static_cast<ProcessDomainKind>(77)}}));
  EXPECT_EQ(domain.kind, Errc::invalid_argument);
  expect_live(1);
}

TEST_F(adopting_a_backend, that_a_Backend_has_already_is_refused) {
  {
    const auto first = must(adopt(Ownership::borrowed));
    const Error again = error_of(adopt(Ownership::owned));
    EXPECT_EQ(again.kind, Errc::in_use);
    EXPECT_NE(again.message().find("Backend::share()"), std::string::npos) << again.message();
  }
  EXPECT_TRUE(succeeds(adopt(Ownership::borrowed)));
  const auto loaded = must(load());
  const BackendHandles handles{.backend = loaded.native()};
  EXPECT_EQ(
      error_of(Backend<Htp>::adopt(loaded.provider().native(), handles, Ownership::borrowed)).kind,
      Errc::in_use);
}

TEST_F(adopting_a_backend, on_many_threads_succeeds_on_one) {
  std::atomic<int> succeeded{0};
  std::atomic<int> waiting{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto backend = adopt(Ownership::borrowed);
      if (backend) ++succeeded;
      ++waiting;
      while (waiting != 4) std::this_thread::yield();
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(succeeded, 1);
}

TEST_F(adopting_a_backend, takes_the_pointer_that_QNNs_own_headers_declare) {
  struct {  // As QnnInterface_t.
    std::uint32_t backendId;
    const char* providerName;
    struct {
      struct {
        std::uint32_t major, minor, patch;
      } coreApiVersion, backendApiVersion;
    } apiVersion;
    c_api::InterfaceTable v2;
  } const sdk{objects_.provider->backend_id,
              objects_.provider->provider_name,
              {{2, 27, 0}, {5, 43, 0}},
              copy().table};
  const auto backend = must(Backend<Htp>::adopt(&sdk, objects_.handles, Ownership::borrowed));
  EXPECT_EQ(backend.backend_version().minor, 43u);
  EXPECT_TRUE(succeeds(backend.build_id()));
}

TEST_F(adopting_a_backend, whose_functions_are_in_no_library_uses_the_providers_name) {
  c_api::Interface other = copy();
  other.table.backend_free = nullptr;  // Of no file.
  other.provider_name = "a table";
  auto backend = must(Backend<Htp>::adopt(&other, objects_.handles, Ownership::borrowed));
  EXPECT_EQ(detail::Access::block(backend)->library.path(), "a table");
  const auto second = backend.share();
  EXPECT_EQ(error_of(std::move(backend).close()).object, "a table");
}

class releasing_a_backend : public adopting_a_backend {};

TEST_F(releasing_a_backend, gives_back_what_was_adopted_and_can_be_adopted_again) {
  for (const Ownership ownership : {Ownership::borrowed, Ownership::owned}) {
    control().reset_counters();
    expect_handles(must(must(adopt(ownership)).release()));
    EXPECT_EQ(control().counters().calls, 0u);
    expect_live(1);
  }
}

TEST_F(releasing_a_backend, gives_back_what_was_loaded) {
  auto loaded = must(load());
  const c_api::BackendHandle backend = loaded.native();
  ByHand released(loaded.provider().native());
  released.handles = must(std::move(loaded).release());
  EXPECT_EQ(released.handles.backend, backend);
  expect_live(2);
  EXPECT_TRUE(
      succeeds(Backend<Htp>::adopt(released.provider, released.handles, Ownership::borrowed)));
  released.free();
  expect_live(1);
}

TEST_F(releasing_a_backend, is_refused_while_another_owner_lives_which_frees_it_then) {
  {
    auto backend = must(adopt(Ownership::owned));
    const auto second = backend.share();
    const Error error = error_of(std::move(backend).release());
    EXPECT_EQ(error.kind, Errc::in_use);
    EXPECT_STREQ(error.step, "releasing a backend");
    expect_live(1);
  }
  expect_live(0);
  objects_.handles = {};
}

}}  // namespace support
