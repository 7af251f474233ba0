// System: graphs from the metadata of a context binary, in every layout that system libraries use.
#include "qnnpp/backend/system.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fakes/system.hpp"

namespace {

using qnnpp::Errc;
using qnnpp::GraphSpec;
using qnnpp::System;

class system_library : public ::testing::Test {
 protected:
  static constexpr const char* path = FAKES_DIR "fake_system.so";

  void SetUp() override {
    library_ = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    control = reinterpret_cast<fakes::SystemControlFn>(::dlsym(library_, "fake_system_control"))();
    *control = fakes::SystemControl();
  }
  void TearDown() override {
    if (library_ != nullptr) ::dlclose(library_);
  }

  [[nodiscard]] fakes::SystemBehaviour& fake() const { return control->behaviour; }
  [[nodiscard]] qnnpp::Result<std::vector<GraphSpec>> graphs() const {
    auto system = System::load(path);
    if (!system) return qnnpp::fail(system.error());
    auto read = system->metadata(binary, "model.bin");
    if (!read) return qnnpp::fail(read.error());
    return read->graphs;
  }
  /// Expects the graphs that fakes/system.hpp describes.
  void expect_graphs(std::uint32_t count) const {
    const auto read = graphs();
    ASSERT_TRUE(read.has_value()) << read.error().message();
    ASSERT_EQ(read->size(), count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const GraphSpec& graph = (*read)[i];
      EXPECT_EQ(graph.name, "graph" + std::to_string(i));
      ASSERT_EQ(graph.inputs.size(), i + 1);
      for (std::uint32_t k = 0; k <= i; ++k) {
        EXPECT_EQ(graph.inputs[k].name, "in" + std::to_string(k));
        EXPECT_EQ(graph.inputs[k].size_bytes().value(), (k + 1) * sizeof(float));
      }
      ASSERT_EQ(graph.outputs.size(), 1u);
      EXPECT_EQ(graph.outputs[0].name, "out");
      EXPECT_EQ(graph.outputs[0].size_bytes().value(), 2u);
    }
    EXPECT_EQ(control->live_contexts, 0);
  }

  std::array<std::byte, 24> binary{};
  fakes::SystemControl* control = nullptr;

 private:
  void* library_ = nullptr;
};

TEST_F(system_library, reads_the_graphs_of_every_version_of_metadata) {
  for (const std::uint32_t info_version : {1u, 2u, 3u})
    for (const std::uint32_t graph_info_version : {1u, 2u, 3u}) {
      fake().info_version = info_version;
      fake().graph_info_version = graph_info_version;
      expect_graphs(3);
    }
}

TEST_F(system_library, of_version_1_1_has_graphs_64_bytes_apart) {
  fake().version = {1, 1, 0};
  fake().graph_stride = 64;
  fake().graph_info_version = 2;
  expect_graphs(3);
  fake().graph_count = fakes::most_graphs;
  expect_graphs(fakes::most_graphs);
}

TEST_F(system_library, of_version_1_2_and_later_has_graphs_88_bytes_apart) {
  for (const std::uint32_t minor : {2u, 4u, 7u, 14u}) {
    fake().version = {1, minor, 0};
    fake().graph_count = fakes::most_graphs;
    expect_graphs(fakes::most_graphs);
  }
}

TEST_F(system_library, reads_tensors_of_both_versions) {
  fake().tensor_version = 1;
  expect_graphs(2 + 1);
  fake().tensor_version = 2;
  expect_graphs(2 + 1);
}

TEST_F(system_library, is_given_the_whole_binary) {
  ASSERT_TRUE(graphs().has_value());
  EXPECT_EQ(control->binary, binary.data());
  EXPECT_EQ(control->binary_bytes, binary.size());
}

TEST_F(system_library, reads_no_graphs_from_a_binary_without_any) {
  fake().graph_count = 0;
  expect_graphs(0);
}

TEST_F(system_library, refuses_a_malformed_binary_by_its_name) {
  fake().metadata_result = 0xABCD'0000'0000'0000 | 30010;
  const auto read = graphs();
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().kind, Errc::qnn);
  EXPECT_EQ(read.error().code, 30010);
  EXPECT_EQ(read.error().object, "model.bin");
  EXPECT_STREQ(read.error().step, "QnnSystemContext_getMetadata");
  EXPECT_EQ(control->live_contexts, 0);
}

TEST_F(system_library, that_cannot_read_a_binary_names_the_SDK_of_the_binary_and_its_own_version) {
  fake().version = {1, 1, 0};
  std::string text(300, 'x');
  text.replace(40, 8, "v2.31.0.");  // not a build id: part of something else
  text.replace(100, 29, "v2.29.0.241129103708_105762.4");
  const auto bytes = std::as_bytes(std::span(text));
  for (const std::uint32_t code : {30010u, 30001u}) {
    fake().metadata_result = code;
    const auto system = System::load(path);
    ASSERT_TRUE(system.has_value());
    const auto read = system->metadata(bytes, "model.bin");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().detail,
              "SDK 2.29.0 made the binary, " + std::string(path) + " has system API 1.1.0");
  }
  fake().metadata_result = 30010;
  const auto read = graphs();
  EXPECT_EQ(read.error().detail,
            "the file names no SDK that made it, " + std::string(path) + " has system API 1.1.0");
  EXPECT_NE(read.error().message().find("newer than the system library"), std::string::npos);
}

TEST_F(system_library, that_gives_no_metadata_is_an_error) {
  fake().null_info = true;
  const auto read = graphs();
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().kind, Errc::no_metadata);
  EXPECT_EQ(read.error().object, "model.bin");
  EXPECT_EQ(control->live_contexts, 0);
}

TEST_F(system_library, whose_metadata_has_an_unknown_version_is_an_error_that_names_it) {
  fake().info_version = 4;
  const auto read = graphs();
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().kind, Errc::no_metadata);
  EXPECT_NE(read.error().detail.find("version is 4"), std::string::npos) << read.error().detail;
  EXPECT_EQ(control->live_contexts, 0);
}

TEST_F(system_library, whose_tensors_have_an_unknown_version_is_an_error_of_that_binary) {
  fake().tensor_version = 3;
  const auto read = graphs();
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().kind, Errc::unsupported_tensor);
  EXPECT_EQ(read.error().object, "model.bin");
  EXPECT_NE(read.error().detail.find("version is 3"), std::string::npos) << read.error().detail;
  EXPECT_EQ(control->live_contexts, 0);
}

TEST_F(system_library, that_cannot_make_a_context_is_an_error) {
  fake().create_result = 30002;
  const auto read = graphs();
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, 30002);
  EXPECT_STREQ(read.error().step, "QnnSystemContext_create");
  EXPECT_EQ(control->live_contexts, 0);
}

// ---- loading ------------------------------------------------------------------------------------

TEST_F(system_library, tells_its_version) {
  const auto system = System::load(path);
  ASSERT_TRUE(system.has_value());
  EXPECT_EQ(system->version().major, 1u);
  EXPECT_EQ(system->version().minor, 2u);
}

TEST_F(system_library, takes_the_provider_of_api_1_from_the_list) {
  fake().provider_count = 3;
  fake().first_is_null = true;
  fake().version = {1, 7, 0};
  const auto system = System::load(path);
  ASSERT_TRUE(system.has_value());
  EXPECT_EQ(system->version().minor, 7u);
}

TEST_F(system_library, LOAD_02_of_another_major_is_not_taken) {
  fake().version = {2, 7, 0};
  const auto system = System::load(path);
  ASSERT_FALSE(system.has_value());
  EXPECT_EQ(system.error().kind, Errc::not_qnn);
  EXPECT_EQ(system.error().object, path);
  EXPECT_EQ(system.error().detail, "needs system API 1; found 2.7.0");
}

TEST_F(system_library, without_a_provider_is_not_taken) {
  fake().provider_count = 0;
  const auto system = System::load(path);
  EXPECT_EQ(system.error().kind, Errc::not_qnn);
  EXPECT_EQ(system.error().detail, "needs system API 1; found no provider");
}

TEST_F(system_library, LOAD_01_without_a_needed_function_is_not_taken) {
  fake().without_get_metadata = true;
  EXPECT_EQ(System::load(path).error().kind, Errc::slot_null);
}

TEST_F(system_library, LOAD_01_that_is_none_is_not_taken) {
  EXPECT_EQ(System::load(FAKES_DIR "fake_nothing.so").error().kind, Errc::symbol_missing);
  EXPECT_EQ(System::load("/no/such/libQnnSystem.so").error().kind, Errc::library_not_found);
}

TEST_F(system_library, LOAD_06_an_error_of_the_list_is_told) {
  fake().get_providers_result = 0xABCD'0000'0000'0000 | 1004;
  const auto system = System::load(path);
  ASSERT_FALSE(system.has_value());
  EXPECT_EQ(system.error().code, 1004);
}

}  // namespace
