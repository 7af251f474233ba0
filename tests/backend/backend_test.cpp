// Backend: the objects that it creates, the order of their release, and what is released after a
// failure.
#include "qnnpp/backend/backend.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/core/detail/access.hpp"

#include "../support/contracts.hpp"
#include "fake_library.hpp"
#include "fakes/system.hpp"

namespace {

using fakes::is_loaded;
using qnnpp::Backend;
using qnnpp::BackendOptions;
using qnnpp::Capability;
using qnnpp::Errc;
using qnnpp::Htp;
using qnnpp::c_api::LogLevel;
using qnnpp::c_api::PropertyKey;
using Table = qnnpp::c_api::InterfaceTable;
using Calls = std::vector<std::string>;

static_assert(!std::is_copy_constructible_v<Backend<Htp>>);
static_assert(std::is_nothrow_move_constructible_v<Backend<Htp>>);

class backend : public fakes::Fake {
 protected:
  /// Loads with a logger, so that there are three objects.
  [[nodiscard]] static qnnpp::Result<Backend<Htp>> load() {
    return Backend<Htp>::load({.library = path, .log = qnnpp::log_to_platform(LogLevel::warn)});
  }
  template <class T>
  static void expect_qnn(const qnnpp::Result<T>& result, int code, const char* step) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, Errc::qnn);
    EXPECT_EQ(result.error().code, code);
    EXPECT_STREQ(result.error().step, step);
    EXPECT_EQ(result.error().object, path);
  }
};

// ---- creation -----------------------------------------------------------------------------------

TEST_F(backend, creates_log_backend_and_device_in_this_order) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(calls(), (Calls{"QnnLog_create", "QnnBackend_create", "QnnDevice_create"}));
  EXPECT_NE(loaded->native(), nullptr);
  EXPECT_NE(loaded->native_device(), nullptr);
  EXPECT_NE(loaded->native_log(), nullptr);
}

TEST_F(backend, that_knows_no_devices_has_a_null_device) {
  fake().device_create_result = 0xFFFF'0000'0000'0000 | 1000;
  {
    const auto loaded = load();
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(loaded->native_device(), nullptr);
    EXPECT_NE(loaded->native(), nullptr);
  }
  EXPECT_EQ(calls().back(), "QnnLog_free");
  EXPECT_EQ(calls().size(), 5u);  // no QnnDevice_free
  expect_nothing_open();
}

TEST_F(backend, whose_provider_left_the_device_functions_out_has_a_null_device) {
  fake().null_slots[0] = offsetof(Table, device_create) / sizeof(void*);
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->native_device(), nullptr);
}

TEST_F(backend, LOAD_06_upper_bits_of_a_success_are_no_error) {
  fake().log_create_result = fake().backend_create_result = fake().device_create_result =
      0xABCD'0000'0000'0000;
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_NE(loaded->native_device(), nullptr);
}

TEST_F(backend, LOAD_01_nothing_stays_open_when_the_logger_fails) {
  fake().log_create_result = 11002;
  expect_qnn(load(), 11002, "QnnLog_create");
  EXPECT_EQ(calls(), Calls{"QnnLog_create"});
  expect_nothing_open();
}

TEST_F(backend, LOAD_01_nothing_stays_open_when_the_backend_fails) {
  fake().backend_create_result = 0xABCD'0000'0000'0000 | 4000;
  expect_qnn(load(), 4000, "QnnBackend_create");
  EXPECT_EQ(calls(), (Calls{"QnnLog_create", "QnnBackend_create", "QnnLog_free"}));
  expect_nothing_open();
}

TEST_F(backend, LOAD_01_nothing_stays_open_when_the_device_fails) {
  fake().device_create_result = 14002;
  expect_qnn(load(), 14002, "QnnDevice_create");
  EXPECT_EQ(calls(), (Calls{"QnnLog_create", "QnnBackend_create", "QnnDevice_create",
                            "QnnBackend_free", "QnnLog_free"}));
  expect_nothing_open();
}

/// Returns the error text of a load in which the first call that sets `result` returns `code`.
class start_failure : public backend {
 protected:
  [[nodiscard]] std::string of(std::uint64_t& result, std::uint64_t code) const {
    fake().log_create_result = fake().backend_create_result = fake().device_create_result = 0;
    result = code;
    const auto loaded = Backend<Htp>::load({.library = path});
    EXPECT_FALSE(loaded.has_value());
    expect_nothing_open();
    return loaded ? std::string() : loaded.error().message();
  }
  static void expect_words(const std::string& line, std::initializer_list<const char*> words) {
    for (const char* const word : words)
      EXPECT_NE(line.find(word), std::string::npos) << word << " in: " << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
  void SetUp() override {
    backend::SetUp();
    if (const char* const set = std::getenv("ADSP_LIBRARY_PATH")) before_ = set;
    ::unsetenv("ADSP_LIBRARY_PATH");
  }
  void TearDown() override {
    if (before_)
      ::setenv("ADSP_LIBRARY_PATH", before_->c_str(), 1);
    else
      ::unsetenv("ADSP_LIBRARY_PATH");
    backend::TearDown();
  }

 private:
  std::optional<std::string> before_;
};

TEST_F(start_failure, without_the_library_on_the_DSP_names_it_and_where_it_is_looked_for) {
  // The line that host library 2.45 logs.
  fake().device_create_log =
      "DspTransport.openSession qnn_open failed, 0x80000406; Failed to load skel, error: 1002";
  expect_words(of(fake().device_create_result, 14001),
               {path, "QnnDevice_create returned 14001",
                "the skel library (libQnnHtpV..Skel.so) cannot be loaded on the DSP",
                "ADSP_LIBRARY_PATH is not set", "the stub library in use is unknown; ",
                "FAKE with backend API 5.25.0", "log: DspTransport.openSession"});
  ::setenv("ADSP_LIBRARY_PATH", "/vendor/dsp;/here", 1);
  expect_words(of(fake().device_create_result, 14001), {"ADSP_LIBRARY_PATH is /vendor/dsp;/here"});
  // Host library 2.51 logs the URI that it opens.
  fake().device_create_log =
      "openSessionForPriority failed: uri=file:///libQnnHtpV73Skel.so?qnn_2_51_0_skel";
  expect_words(of(fake().device_create_result, 14001),
               {"the skel library (libQnnHtpV73Skel.so) cannot be loaded on the DSP"});
}

TEST_F(start_failure, is_not_explained_by_what_another_thread_logs_meanwhile) {
  static const fakes::Control* fake_control;
  fake_control = control;
  fake().device_create_begins = [] {
    std::thread([] {
      fake_control->emit(LogLevel::error, "%s", "qnn_open failed: Failed to load skel");
    }).join();
  };
  const std::string line = of(fake().device_create_result, 14001);
  EXPECT_EQ(line.find("qnn_open"), std::string::npos) << line;
  EXPECT_EQ(line.find("cannot be loaded on the DSP"), std::string::npos) << line;
}

TEST_F(start_failure, without_a_library_that_the_log_names_names_it_alone) {
  const struct {
    const char* log;
    const char* words;
  } cases[] = {
      // glibc's loader: for a name that it searches for, and for the file beside the host library.
      {"Failed in loading stub: libQnnHtpV73Stub.so: cannot open shared object file: No such file "
       "or directory",
       "(the stub library (libQnnHtpV73Stub.so) cannot be loaded; put the one of this SDK beside"},
      {"Failed in loading stub: /sdk/lib/libQnnHtpV73Stub.so: file too short",
       "(the stub library (/sdk/lib/libQnnHtpV73Stub.so) cannot be loaded; put the one of this "
       "SDK"},
      {"Failed in loading stub: libcdsprpc.so: cannot open shared object file: No such file or "
       "directory",
       "(FastRPC (libcdsprpc.so), which the stub library needs, cannot be loaded; "},
      // Android's loader.
      {"QnnDsp <W> Failed in loading stub: dlopen failed: library \"libQnnHtpV79Stub.so\" not "
       "found",
       "(the stub library (libQnnHtpV79Stub.so) cannot be loaded; "},
      {"Failed in loading stub: dlopen failed: library \"libcdsprpc.so\" not found: needed by "
       "/data/app/x/lib/arm64/libQnnHtpV79Stub.so in namespace clns-4",
       "(FastRPC (libcdsprpc.so), which the stub library needs, cannot be loaded; "},
      {"Failed in loading stub: libc++_shared.so: cannot open shared object file",
       "(libc++_shared.so, which the stub library needs, cannot be loaded; "}};
  for (const auto& each : cases) {
    const std::string line = std::string(each.log) + "; Failed to load skel, error: 4000";
    fake().device_create_log = line.c_str();
    const std::string message = of(fake().device_create_result, 14001);
    expect_words(message, {each.words, each.log});
    EXPECT_EQ(message.find("libQnnHtpV..Stub.so"), std::string::npos) << message;
    EXPECT_EQ(message.find("ADSP_LIBRARY_PATH is"), std::string::npos) << message;
  }
}

TEST_F(start_failure, without_the_stub_library_or_FastRPC_names_both) {
  // Lines that host library 2.45 logs. They name the skel although something else is missing.
  for (const char* const line :
       {"loadRemoteSymbols failed with err 4000; Failed to load skel, error: 4000",
        "Failed in loading stub"}) {
    fake().device_create_log = line;
    expect_words(of(fake().device_create_result, 14001),
                 {"(the stub library (libQnnHtpV..Stub.so) or FastRPC (libcdsprpc.so) cannot be "
                  "loaded; the stub library in use is unknown; ",
                  line});
  }
}

TEST_F(start_failure, without_the_library_of_QAIRT_that_has_the_functions_names_all_of_them) {
  fake().device_create_log = "dlopen failed: library libQairtHtpV79Stub.so not found";
  const std::string line = of(fake().device_create_result, 14001);
  expect_words(line, {"copy libQairtHtp.so, libQairtSystem.so and libQairtHtpV..Stub.so",
                      "log: dlopen failed: library libQairtHtpV79Stub.so not found"});
  EXPECT_EQ(line.find("libQnnHtpV..Stub.so"), std::string::npos) << line;
}

TEST_F(start_failure, of_a_library_that_logs_nothing_names_each_thing_that_may_be_missing) {
  expect_words(
      of(fake().device_create_result, 14001),
      {"stub library", "skel library", "FastRPC", "SoC is not known", "ADSP_LIBRARY_PATH is"});
}

TEST_F(start_failure, on_an_unknown_SoC_says_so_with_the_version_of_the_library) {
  expect_words(of(fake().backend_create_result, 4000),
               {"QnnBackend_create returned 4000", "does not know this SoC", "backend API 5.25.0"});
  fake().backend_create_result = 0;
  fake().log_create_result = 11002;
  const auto logging = load();
  ASSERT_FALSE(logging.has_value());
  expect_words(logging.error().message(),
               {"QnnLog_create returned 11002", "does not know this SoC", "backend API 5.25.0"});
}

TEST_F(start_failure, with_libraries_of_two_SDKs_says_which_must_be_of_one) {
  expect_words(
      of(fake().device_create_result, 1008),
      {"QnnDevice_create returned 1008", "skel", "different SDKs",
       "the log does not name the library of another build; ",
       "the stub library in use is unknown; ADSP_LIBRARY_PATH is not set; ", "backend API 5.25.0"});
}

/// Start failures of a process in which the loader has opened a stub library.
class start_failure_with_a_stub : public start_failure {
 protected:
  static constexpr const char* stub = FAKES_DIR "libQnnHtpV79Stub.so";

  void SetUp() override {
    start_failure::SetUp();
    loaded_ = ::dlopen(stub, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(loaded_, nullptr) << ::dlerror();
  }
  void TearDown() override {
    if (loaded_ != nullptr) ::dlclose(loaded_);
    start_failure::TearDown();
  }

 private:
  void* loaded_ = nullptr;
};

TEST_F(start_failure_with_a_stub, of_another_SDK_names_its_file_and_both_builds) {
  // Lines that host library 2.51 logs with the stub of 2.45.
  fake().device_create_log =
      "Stub lib id mismatch: expected (v2.51.0.260929181845), detected (v2.45.0.260326154327); "
      "loadRemoteSymbols failed with err 1008; Failed to load skel, error: 1008";
  const std::string line = of(fake().device_create_result, 1008);
  expect_words(line, {path, "(the stub library ", stub,
                      " is of build v2.45.0.260326154327, needed is v2.51.0.260929181845; put the "
                      "stub of the backend library's SDK beside the backend library; "});
  EXPECT_EQ(line.find("ADSP_LIBRARY_PATH is"), std::string::npos) << line;
}

TEST_F(start_failure, with_a_stub_of_another_SDK_names_its_file_though_it_is_closed) {
  // Android's host library closes a stub that it refuses.
  static const fakes::Control* fake_control;
  fake_control = control;
  fake().device_create_begins = [] {
    void* const stub = ::dlopen(FAKES_DIR "libQnnHtpV79Stub.so", RTLD_NOW | RTLD_LOCAL);
    fake_control->emit(LogLevel::error, "%s",
                       "QnnDsp <E> Stub lib id mismatch: expected (v2.46.0.260424121129), detected "
                       "(v2.43.1.260218230411_193851)");
    if (stub != nullptr) ::dlclose(stub);
  };
  fake().device_create_log = "QnnDsp <E> Failed to load skel, error: 1008";
  const std::string line = of(fake().device_create_result, 1008);
  EXPECT_FALSE(is_loaded(FAKES_DIR "libQnnHtpV79Stub.so"));
  expect_words(line, {"(the stub library " FAKES_DIR "libQnnHtpV79Stub.so is of build "
                      "v2.43.1.260218230411_193851, needed is v2.46.0.260424121129; put the stub"});
}

TEST_F(start_failure, with_a_stub_of_another_SDK_that_is_not_loaded_says_so) {
  fake().device_create_log = "Stub lib id mismatch: expected (v2.46.0), detected (v2.43.1)";
  expect_words(
      of(fake().device_create_result, 1008),
      {"(the stub library (its file is unknown) is of build v2.43.1, needed is v2.46.0; "});
}

TEST_F(start_failure_with_a_stub, and_a_skel_of_another_SDK_names_both_and_where_the_skel_may_be) {
  ::setenv("ADSP_LIBRARY_PATH", "/vendor/dsp;/here", 1);
  // Lines that host library 2.51 logs; 2.45 does not name the core.
  for (const char* const core : {"", "devKey={deviceId=0 coreId=0 pdId=0} "}) {
    const std::string log = std::string("Skel lib id mismatch: ") + core +
                            "expected (v2.51.0.260929181845), detected (v2.30.0.241231143225); "
                            "Error in verify skel version; Failed to load skel, error: 1008";
    fake().device_create_log = log.c_str();
    expect_words(of(fake().device_create_result, 1008),
                 {"(the skel library (libQnnHtpV79Skel.so) is of build v2.30.0.241231143225, "
                  "needed is v2.51.0.260929181845; the DSP opens it, so its folder is unknown; "
                  "ADSP_LIBRARY_PATH is /vendor/dsp;/here; the stub library in use is ",
                  stub});
  }
}

TEST_F(start_failure_with_a_stub, and_without_a_skel_names_both) {
  fake().device_create_log =
      "DspTransport.openSession qnn_open failed, 0x80000406; Failed to load skel, error: 1002";
  expect_words(of(fake().device_create_result, 14001),
               {"the skel library (libQnnHtpV79Skel.so) cannot be loaded on the DSP; "
                "ADSP_LIBRARY_PATH is not set; the stub library in use is ",
                stub});
}

TEST_F(backend, LOAD_01_is_not_created_by_a_provider_that_cannot_free_it) {
  for (const std::size_t slot : {offsetof(Table, backend_create), offsetof(Table, backend_free),
                                 offsetof(Table, log_create), offsetof(Table, log_free)}) {
    fake().null_slots[0] = static_cast<std::int32_t>(slot / sizeof(void*));
    const auto loaded = load();
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().kind, Errc::slot_null);
  }
  EXPECT_TRUE(calls().empty());
}

TEST_F(backend, LOAD_01_a_library_that_is_refused_is_closed) {
  constexpr const char* refused = FAKES_DIR "fake_refused_backend.so";
  void* handle = ::dlopen(refused, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr);
  reinterpret_cast<fakes::ControlFn>(::dlsym(handle, "fake_control"))()
      ->behaviour.providers[0]
      .core = {2, 7, 0};
  const auto loaded = Backend<Htp>::load({.library = refused});
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, Errc::version_unsupported);
  ::dlclose(handle);
  EXPECT_FALSE(is_loaded(refused));
}

TEST_F(backend, whose_library_is_not_there_is_an_error_with_its_path) {
  const auto loaded = Backend<Htp>::load({.library = "/no/such/libQnnHtp.so"});
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, Errc::library_not_found);
  EXPECT_EQ(loaded.error().object, "/no/such/libQnnHtp.so");
}

TEST_F(backend, without_a_path_asks_the_loader_for_the_usual_name) {
  // In a new process, because an earlier test may have loaded the simulated HTP of this name.
  const auto ask = [] {
    const auto htp = Backend<Htp>::load();
    std::fputs(htp ? "found" : htp.error().object.c_str(), stderr);
    std::exit(0);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), testing::Eq("libQnnHtp.so"));
}

TEST_F(backend, of_another_id_is_refused) {
  fake().providers[0].backend_id = 3;
  EXPECT_EQ(load().error().kind, Errc::not_qnn);
  fake().providers[0].backend_id = 6;
  EXPECT_TRUE(load().has_value());
}

// ---- destruction --------------------------------------------------------------------------------

TEST_F(backend, ORD_08_frees_device_then_backend_then_log) {
  {
    const auto loaded = load();
    ASSERT_TRUE(loaded.has_value());
  }
  EXPECT_EQ(calls(), (Calls{"QnnLog_create", "QnnBackend_create", "QnnDevice_create",
                            "QnnDevice_free", "QnnBackend_free", "QnnLog_free"}));
  expect_nothing_open();
}

TEST_F(backend, ORD_08_is_not_freed_before_the_last_of_what_was_made_from_it) {
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  std::optional child = qnnpp::detail::Access::block(*loaded);
  {
    const Backend<Htp> gone = std::move(*loaded);
  }
  EXPECT_EQ(record().live_backends, 1);
  EXPECT_EQ(record().live_devices, 1);
  child.reset();
  expect_nothing_open();
}

TEST_F(backend, is_freed_now_when_another_is_assigned_to_it) {
  auto first = load();
  ASSERT_TRUE(first.has_value());
  auto second = load();
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(record().live_backends, 2);
  *first = std::move(*second);
  EXPECT_EQ(record().live_backends, 1);
  EXPECT_NE(first->native(), nullptr);
}

TEST_F(backend, LOAD_05_leaves_its_library_loaded) {
  constexpr const char* kept = FAKES_DIR "fake_kept_backend.so";
  {
    auto loaded = Backend<Htp>::load({.library = kept});
    ASSERT_TRUE(loaded.has_value());
    EXPECT_TRUE(std::move(*loaded).close().has_value());
  }
  EXPECT_TRUE(is_loaded(kept));
}

TEST_F(backend, close_frees_now_and_reports_success) {
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_TRUE(std::move(*loaded).close().has_value());
  expect_nothing_open();
  EXPECT_EQ(calls().size(), 6u);
}

TEST_F(backend, close_frees_all_and_returns_the_first_error) {
  fake().backend_free_result = 0xABCD'0000'0000'0000 | 4002;
  fake().log_free_result = 11004;
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  expect_qnn(std::move(*loaded).close(), 4002, "QnnBackend_free");
  expect_nothing_open();
  EXPECT_EQ(calls().size(), 6u);
}

TEST_F(backend, close_tells_each_of_the_three_errors) {
  fake().device_free_result = 14003;
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  expect_qnn(std::move(*loaded).close(), 14003, "QnnDevice_free");
  fake().device_free_result = 0;
  fake().log_free_result = 11004;
  auto again = load();
  ASSERT_TRUE(again.has_value());
  expect_qnn(std::move(*again).close(), 11004, "QnnLog_free");
  expect_nothing_open();
}

TEST_F(backend, ORD_08_close_is_refused_while_children_live_and_the_last_of_them_frees_it) {
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  std::optional child = qnnpp::detail::Access::block(*loaded);
  const auto closed = std::move(*loaded).close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().kind, Errc::in_use);
  EXPECT_EQ(closed.error().object, path);
  EXPECT_EQ(closed.error().needed, 1u);
  EXPECT_EQ(closed.error().found, 2u);
  EXPECT_EQ(record().live_backends, 1);
  child.reset();
  expect_nothing_open();
}

TEST_F(backend, ORD_09_a_closed_backend_breaks_a_contract) {
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  Backend<Htp>& used = *loaded;
  (void)std::move(*loaded).close();
  EXPECT_CONTRACT(moved_backend, (void)used.core_version());
  EXPECT_CONTRACT(moved_backend, (void)used.share());
  EXPECT_CONTRACT(moved_backend, (void)std::move(used).close());
}

// ---- queries ------------------------------------------------------------------------------------

TEST_F(backend, LOAD_04_answers_whether_a_capability_is_there) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  const PropertyKey key{217};
  EXPECT_EQ(loaded->capability(key), Capability::supported);
  EXPECT_EQ(record().asked_capability, 217u);
  EXPECT_TRUE(qnnpp::detail::Access::block(*loaded)
                  ->require(key, "deferred initialisation", "a.bin")
                  .has_value());
}

TEST_F(backend, LOAD_04_a_capability_that_is_not_there_is_an_error_with_its_name) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  const PropertyKey key{217};
  fake().capability_result = 1000;
  EXPECT_EQ(loaded->capability(key), Capability::unsupported);
  const auto required =
      qnnpp::detail::Access::block(*loaded)->require(key, "deferred initialisation", "a.bin");
  ASSERT_FALSE(required.has_value());
  EXPECT_EQ(required.error().kind, Errc::capability_missing);
  EXPECT_EQ(required.error().object, "a.bin");
  EXPECT_EQ(required.error().detail,
            "deferred initialisation: not supported by " + std::string(path));
}

TEST_F(backend, LOAD_04_a_capability_that_is_not_known_is_an_error_with_its_name) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  const PropertyKey key{217};
  fake().capability_result = 2000;
  EXPECT_EQ(loaded->capability(key), Capability::unknown);
  const auto required =
      qnnpp::detail::Access::block(*loaded)->require(key, "deferred initialisation", "a.bin");
  ASSERT_FALSE(required.has_value());
  EXPECT_EQ(required.error().kind, Errc::capability_missing);
  EXPECT_EQ(
      required.error().message(),
      "a.bin: QnnProperty_hasCapability: deferred initialisation: not known to " +
          std::string(path) +
          ", which has core API 2.18; the feature needs 2.27; use the libraries of a newer SDK or "
          "another strategy");
}

TEST_F(backend, LOAD_04_an_answer_is_told_by_its_low_16_bits) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  fake().capability_result = 0xABCD'0000'0000'0000;
  EXPECT_EQ(loaded->capability(PropertyKey{1}), Capability::supported);
  fake().capability_result = 0xABCD'0000'0000'0000 | 1000;
  EXPECT_EQ(loaded->capability(PropertyKey{1}), Capability::unsupported);
}

TEST_F(backend, LOAD_04_that_cannot_be_asked_knows_no_capability) {
  fake().null_slots[0] = offsetof(Table, property_has_capability) / sizeof(void*);
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->capability(PropertyKey{217}), Capability::unknown);
}

TEST_F(backend, that_tells_more_devices_than_there_may_be_has_no_chip) {
  namespace c_api = qnnpp::c_api;
  c_api::HtpDeviceDeviceInfoExtension extension{};
  extension.on_chip_device.soc_model = 57;
  extension.on_chip_device.arch = c_api::HtpDeviceArch::v75;
  c_api::DeviceHardwareDeviceInfo device{};
  device.version = c_api::DeviceHardwareDeviceInfoVersion::v1;
  device.v1.device_info_extension = reinterpret_cast<c_api::DeviceDeviceInfoExtension>(&extension);
  c_api::DevicePlatformInfo info{};
  info.version = c_api::DevicePlatformInfoVersion::v1;
  fake().platform_info = &info;
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  const auto chip_of = [&](std::uint32_t said, c_api::DeviceHardwareDeviceInfo* devices) {
    info.v1 = {said, devices};
    return loaded->chip();
  };
  const auto chip = chip_of(1, &device);
  ASSERT_TRUE(chip.has_value());
  EXPECT_EQ(chip->soc_model, 57u);
  EXPECT_EQ(chip->arch, c_api::HtpDeviceArch::v75);
  EXPECT_EQ(chip_of(0, nullptr), std::nullopt);
  EXPECT_EQ(chip_of(1, nullptr), std::nullopt) << "one device, at null";
  std::vector<c_api::DeviceHardwareDeviceInfo> most(qnnpp::detail::most::devices, device);
  EXPECT_TRUE(chip_of(qnnpp::detail::most::devices, most.data()).has_value());
  for (const std::uint32_t said : {qnnpp::detail::most::devices + 1, 0xFFFFFFFFu})
    EXPECT_EQ(chip_of(said, &device), std::nullopt) << said;
  EXPECT_EQ(record().live_platform_infos, 0) << "each answer is given back";
}

TEST_F(backend, tells_its_build_id) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->build_id().value(), "v2.25.0.fake");
  fake().build_id = nullptr;
  EXPECT_EQ(loaded->build_id().value(), "");
}

TEST_F(backend, that_cannot_tell_its_build_id_says_why) {
  fake().build_id_result = 1004;
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  expect_qnn(loaded->build_id(), 1004, "QnnBackend_getBuildId");
  fake().null_slots[0] = offsetof(Table, backend_get_build_id) / sizeof(void*);
  const auto without = load();
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->build_id().error().kind, Errc::slot_null);
}

TEST_F(backend, tells_its_versions) {
  fake().providers[0].core = {2, 32, 0};
  fake().providers[0].backend = {5, 43, 7};
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->core_version().minor, 32u);
  EXPECT_EQ(loaded->backend_version().minor, 43u);
  EXPECT_EQ(loaded->backend_version().patch, 7u);
  EXPECT_STREQ(loaded->provider().provider_name(), "FAKE");
}

// ---- the system library of a backend ------------------------------------------------------------

TEST_F(backend, lives_without_a_system_library_and_remembers_why) {
  const auto loaded = load();  // the folder has no libQnnSystem.so
  ASSERT_TRUE(loaded.has_value());
  EXPECT_FALSE(qnnpp::detail::Access::block(*loaded)->system.has_value());
  ASSERT_TRUE(qnnpp::detail::Access::block(*loaded)->system_error.has_value());
  EXPECT_EQ(qnnpp::detail::Access::block(*loaded)->system_error->object,
            FAKES_DIR "libQnnSystem.so");
}

TEST_F(backend, takes_the_system_library_that_is_asked_for) {
  const auto loaded =
      Backend<Htp>::load({.library = path, .system_library = FAKES_DIR "fake_system.so"});
  ASSERT_TRUE(loaded.has_value());
  EXPECT_TRUE(qnnpp::detail::Access::block(*loaded)->system.has_value());
  EXPECT_FALSE(qnnpp::detail::Access::block(*loaded)->system_error.has_value());
}

TEST_F(backend, fails_when_the_system_library_that_is_asked_for_cannot_be_had) {
  const auto loaded =
      Backend<Htp>::load({.library = path, .system_library = "/no/such/libQnnSystem.so"});
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, Errc::library_not_found);
  EXPECT_EQ(loaded.error().object, "/no/such/libQnnSystem.so");
  expect_nothing_open();
}

}  // namespace
