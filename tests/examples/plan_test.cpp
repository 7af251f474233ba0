// qnnpp-plan with a system library whose answers differ from the simulated HTP's.
#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "../backend/fakes/system.hpp"
#include "fixture.hpp"
#include "run_main.hpp"
#include "sealed_binary.hpp"
#include "temporary_folder.hpp"

int make_binaries_main(int argc, char** argv);
int qnnpp_plan_main(int argc, char** argv);

namespace support { namespace {

int run(int (*program)(int, char**), std::vector<std::string> arguments, std::string& error,
        std::string* output = nullptr) {
  const Ended ended = run_main(program, std::move(arguments));
  error = ended.error;
  if (output != nullptr) *output = ended.out;
  return ended.status;
}

class a_plan : public SimTest {
 protected:
  static constexpr const char* system_library = QNNPP_FAKES_DIR "/fake_system.so";

  void SetUp() override {
    SimTest::SetUp();
    library_ = ::dlopen(system_library, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    control = reinterpret_cast<fakes::SystemControlFn>(::dlsym(library_, "fake_system_control"))();
    *control = fakes::SystemControl();
  }
  void TearDown() override {
    if (library_ != nullptr) ::dlclose(library_);
    SimTest::TearDown();
  }

  fakes::SystemControl* control = nullptr;

 private:
  void* library_ = nullptr;
};

TEST_F(a_plan, shares_no_spill_fill_with_a_context_that_states_dlbc) {
  using Json = nlohmann::ordered_json;
  const TemporaryFolder folder;
  const std::string manifest = folder.file("manifest.json");
  Json json = Json::parse(std::ifstream(QNNPP_SOURCE_DIR "/docs/memory-map.json"), nullptr, false);
  json.erase("seal");
  json["binaries"][1]["graphs"] = Json::array({Json{{"name", "packed"}, {"dlbc", true}}});
  std::ofstream(manifest) << json;
  const std::string report = folder.file("report.json");
  std::string error;
  const auto plan = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"qnnpp-plan", "--manifest", manifest, "--json", report};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(&qnnpp_plan_main, arguments, error);
  };
  const auto reported = [&] { return Json::parse(std::ifstream(report), nullptr, false); };

  ASSERT_EQ(plan({}), 0) << error;
  EXPECT_EQ(reported()["sharing"], "external_buffer");
  EXPECT_FALSE(reported()["contexts"][0].contains("shares_spill_fill"));
  EXPECT_EQ(reported()["contexts"][1]["shares_spill_fill"], false);
  EXPECT_NE(reported().value("reason", "").find("graph 'packed' was prepared with DLBC"),
            std::string::npos)
      << reported();
  for (const char* way : {"external_buffer", "context_group"}) {
    EXPECT_EQ(plan({"--sharing", way}), 1);
    EXPECT_NE(error.find("graph 'packed' was prepared with DLBC"), std::string::npos) << error;
  }
  ASSERT_EQ(plan({"--share-without-dlbc"}), 0) << error;
  EXPECT_EQ(reported()["sharing"], "external_buffer");
}

TEST_F(a_plan, BIN_01_of_a_binary_of_a_newer_SDK_goes_on_from_its_metadata_and_warns) {
  const TemporaryFolder folder;
  std::string error;
  ASSERT_EQ(run(&make_binaries_main,
                {"make_binaries", "--backend", htp_library, "--output", folder.path()}, error),
            0)
      << error;
  const std::string newer = folder.file("stem.bin");
  {
    std::ifstream file(newer, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto bytes = made_by(std::as_bytes(std::span(text)), "v2.51.0.260929181845", 51);
    std::ofstream(newer, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  std::string output;
  ASSERT_EQ(run(&qnnpp_plan_main, {"qnnpp-plan", "--backend", htp_library, newer}, error, &output),
            0)
      << error;
  EXPECT_NE(output.find("SDK 2.51.0 made the binary, "), std::string::npos) << output;
  EXPECT_NE(output.find("planned from its metadata"), std::string::npos) << output;
}

TEST_F(a_plan, PD_02_prints_memory_and_room_side_by_side_and_leaves_out_what_is_no_binary) {
  const TemporaryFolder folder;
  std::string error, output;
  ASSERT_EQ(run(&make_binaries_main,
                {"make_binaries", "--backend", htp_library, "--output", folder.path()}, error),
            0)
      << error;
  const std::string junk = folder.file("junk.bin");
  std::ofstream(junk) << std::string(8192, 'x');
  std::vector<std::string> plan{"qnnpp-plan", "--backend", htp_library, junk,
                                folder.file("stem.bin")};
  ASSERT_EQ(run(&qnnpp_plan_main, plan, error, &output), 0) << error;
  EXPECT_NE(output.find("left out: " + junk), std::string::npos) << output;
  EXPECT_NE(output.find("stem.bin: for Hexagon v79"), std::string::npos) << output;
  EXPECT_NE(output.find("sharing saves memory, the I/O limit saves room:\nseparate buffers "),
            std::string::npos)
      << output;
  EXPECT_NE(output.find("no gain with these graphs"), std::string::npos) << output;

  sim::Config config = support::control().config();
  config.host_library = static_cast<std::uint32_t>(sim::HostLibrary::v2_46_0);
  ASSERT_TRUE(support::control().set_config(config));
  ASSERT_EQ(run(&qnnpp_plan_main, plan, error, &output), 0) << error;
  EXPECT_NE(output.find("  no gain on this version"), std::string::npos) << output;
  plan.insert(plan.end(), {"--write-manifest", folder.file("manifest.json")});
  EXPECT_EQ(run(&qnnpp_plan_main, plan, error), 1) << "a manifest lists all files";
  EXPECT_NE(error.find("junk.bin"), std::string::npos) << error;
}

TEST_F(a_plan, is_an_error_with_its_reason_and_no_manifest_if_metadata_is_hostile) {
  const TemporaryFolder folder;
  std::string error;
  ASSERT_EQ(run(&make_binaries_main,
                {"make_binaries", "--backend", htp_library, "--output", folder.path()}, error),
            0)
      << error;
  const std::string manifest = folder.file("manifest.json");
  const std::vector<std::string> plan{"qnnpp-plan",       "--backend",    htp_library,
                                      "--system",         system_library, folder.file("stem.bin"),
                                      "--write-manifest", manifest};
  control->behaviour.said_rank = 17;
  EXPECT_EQ(run(&qnnpp_plan_main, plan, error), 1);
  EXPECT_NE(error.find("stem.bin"), std::string::npos) << error;
  EXPECT_NE(error.find("17 dimensions; at most 16"), std::string::npos) << error;
  EXPECT_FALSE(std::filesystem::exists(manifest));
}

}}  // namespace support
