// System::metadata: the needs that binaries of every version report, and the needs that they do not
// report.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/backend/system.hpp"

#include "fakes/system.hpp"

namespace {

using qnnpp::ContextSpec;
using qnnpp::System;
using Bytes = std::optional<std::uint64_t>;

class metadata : public ::testing::Test {
 protected:
  static constexpr const char* path = FAKES_DIR "fake_system.so";

  void SetUp() override {
    library_ = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    control_ = reinterpret_cast<fakes::SystemControlFn>(::dlsym(library_, "fake_system_control"))();
    *control_ = fakes::SystemControl();
  }
  void TearDown() override {
    EXPECT_EQ(control_->live_contexts, 0);
    if (library_ != nullptr) ::dlclose(library_);
  }

  [[nodiscard]] fakes::SystemBehaviour& fake() const { return control_->behaviour; }
  [[nodiscard]] ContextSpec read() const {
    constexpr std::array<std::byte, 24> binary{};
    auto system = System::load(path);
    auto spec = system->metadata(binary, "model.bin");
    EXPECT_TRUE(spec.has_value()) << spec.error().message();
    return spec ? *spec : ContextSpec{};
  }

 private:
  fakes::SystemControl* control_ = nullptr;
  void* library_ = nullptr;
};

TEST_F(metadata, of_every_version_tells_who_made_the_binary) {
  for (const std::uint32_t version : {1u, 2u, 3u}) {
    fake().info_version = version;
    const ContextSpec spec = read();
    EXPECT_EQ(spec.build_id, "v2.43.0");
    EXPECT_EQ(spec.core_api.minor, 32u);
    EXPECT_EQ(spec.backend_api.minor, 43u);
    EXPECT_EQ(spec.blob_bytes, 123456u);
    EXPECT_EQ(spec.dsp_arch, version == 3 ? std::optional(79u) : std::nullopt);
    EXPECT_EQ(spec.soc_model, version == 3 ? std::optional(69u) : std::nullopt);
  }
  fake().build_id = nullptr;
  EXPECT_EQ(read().build_id, "");
}

TEST_F(metadata, tells_the_largest_spill_fill_of_the_graphs) {
  const ContextSpec spec = read();
  ASSERT_EQ(spec.graphs.size(), 3u);
  EXPECT_EQ(spec.graphs[0].spill_fill_bytes, Bytes(4096));
  EXPECT_EQ(spec.graphs[2].spill_fill_bytes, Bytes(3 * 4096));
  EXPECT_EQ(spec.spill_fill_bytes(), Bytes(3 * 4096));
}

TEST_F(metadata, of_older_versions_has_spill_fill_in_an_array_in_any_order) {
  for (const std::uint32_t version : {1u, 2u}) {
    fake().info_version = version;
    fake().graph_info_version = 1;
    const ContextSpec spec = read();
    EXPECT_EQ(spec.graphs[0].spill_fill_bytes, Bytes(4096));
    EXPECT_EQ(spec.spill_fill_bytes(), Bytes(3 * 4096));
  }
}

TEST_F(metadata, with_an_array_for_some_graphs_only_does_not_tell_the_need) {
  fake().info_version = 2;
  fake().graph_info_version = 1;
  fake().hardware_entries = 2;
  const ContextSpec spec = read();
  EXPECT_EQ(spec.graphs[1].spill_fill_bytes, Bytes(2 * 4096));
  EXPECT_EQ(spec.graphs[2].spill_fill_bytes, Bytes());
  EXPECT_EQ(spec.spill_fill_bytes(), Bytes());
}

TEST_F(metadata, with_entries_for_graphs_that_there_are_not_is_read_all_the_same) {
  fake().info_version = 1;
  fake().graph_info_version = 1;
  fake().hardware_entries = 5;
  EXPECT_EQ(read().spill_fill_bytes(), Bytes(3 * 4096));
}

TEST_F(metadata, of_an_unknown_hardware_version_does_not_tell_the_need) {
  fake().info_version = 2;
  fake().graph_info_version = 1;
  fake().hardware_version = 2;
  EXPECT_EQ(read().spill_fill_bytes(), Bytes());
}

TEST_F(metadata, with_blobs_of_version_2_tells_constants_and_op_data_but_no_spill_fill) {
  fake().blob_version = 2;
  const ContextSpec spec = read();
  EXPECT_EQ(spec.graphs[1].constant_bytes, Bytes(200));
  EXPECT_EQ(spec.graphs[1].op_data_bytes, Bytes(20));
  EXPECT_EQ(spec.graphs[1].spill_fill_bytes, Bytes());
}

TEST_F(metadata, BIN_03_with_blobs_of_two_versions_tells_what_both_say) {
  fake().blob_version = 12;
  const ContextSpec spec = read();
  EXPECT_EQ(spec.graphs[1].spill_fill_bytes, Bytes(2 * 4096));
  EXPECT_EQ(spec.graphs[1].preparation.vtcm_mb, 8u);
  EXPECT_EQ(spec.graphs[1].constant_bytes, Bytes(200));
  EXPECT_EQ(spec.graphs[1].op_data_bytes, Bytes(20));
  EXPECT_EQ(spec.graphs[1].io_bytes, Bytes(2 * 16384));
  EXPECT_EQ(spec.graphs[1].shared_weights_bytes, Bytes(1000));
  EXPECT_EQ(spec.graphs[1].unread_metadata_bytes, 0u);
}

TEST_F(metadata, BIN_03_behind_the_last_known_version_is_counted_and_not_read) {
  fake().blob_version = 12;
  for (const std::uint32_t newer : {1u, 48u}) {
    fake().blob_bytes = 112 + newer;
    const ContextSpec spec = read();
    EXPECT_EQ(spec.graphs[1].shared_weights_bytes, Bytes(1000));
    EXPECT_EQ(spec.graphs[1].unread_metadata_bytes, newer);
  }
  fake().blob_bytes = 0;
  fake().blob_version = 9;
  EXPECT_EQ(read().graphs[0].unread_metadata_bytes, 40u) << "no version in it is known";
  fake().blob_version = 0;
  EXPECT_EQ(read().graphs[0].unread_metadata_bytes, 0u);
}

TEST_F(metadata, whose_second_version_is_cut_short_tells_the_first_only) {
  fake().blob_version = 12;
  for (const std::uint32_t bytes : {40u, 44u, 111u}) {
    fake().blob_bytes = bytes;
    const ContextSpec spec = read();
    EXPECT_EQ(spec.graphs[0].spill_fill_bytes, Bytes(4096));
    EXPECT_EQ(spec.graphs[0].constant_bytes, Bytes());
    EXPECT_EQ(spec.graphs[0].unread_metadata_bytes, bytes - 40);
  }
}

TEST_F(metadata, states_the_vtcm_in_megabytes_for_binaries_that_say_it_in_bytes) {
  for (const std::uint32_t size : {8u, 8u << 20u}) {
    fake().vtcm_size = size;
    EXPECT_EQ(read().graphs[0].preparation.vtcm_mb, 8u);
  }
}

TEST_F(metadata, without_blobs_or_with_unknown_or_short_ones_does_not_tell_the_need) {
  for (const std::uint32_t version : {0u, 9u}) {
    fake().blob_version = version;
    EXPECT_EQ(read().spill_fill_bytes(), Bytes());
  }
  for (const std::uint32_t version : {1u, 2u})
    for (const std::uint32_t bytes : {1u, 3u, 4u, 39u}) {
      fake().blob_version = version;
      fake().blob_bytes = bytes;
      const ContextSpec spec = read();
      EXPECT_EQ(spec.spill_fill_bytes(), Bytes());
      EXPECT_EQ(spec.graphs[0].constant_bytes, Bytes());
    }
}

TEST_F(metadata, of_short_graph_infos_has_no_blobs) {
  fake().version = {1, 1, 0};
  fake().graph_stride = 64;
  fake().graph_info_version = 2;
  EXPECT_EQ(read().spill_fill_bytes(), Bytes());
}

TEST_F(metadata, that_says_0_is_unknown_before_core_api_2_27_and_a_need_of_0_since) {
  fake().spill_fill_bytes = 0;
  fake().core_api = {2, 26, 0};
  EXPECT_EQ(read().spill_fill_bytes(), Bytes());
  fake().core_api = {2, 27, 0};
  EXPECT_EQ(read().spill_fill_bytes(), Bytes(0));
  fake().spill_fill_bytes = 4096;
  fake().core_api = {2, 20, 0};
  EXPECT_EQ(read().spill_fill_bytes(), Bytes(3 * 4096));
}

TEST_F(metadata, without_graphs_does_not_tell_the_need) {
  fake().graph_count = 0;
  EXPECT_EQ(read().spill_fill_bytes(), Bytes());
}

TEST_F(metadata, of_another_backend_does_not_tell_the_need) {
  fake().backend_id = 3;
  for (const std::uint32_t version : {1u, 2u, 3u}) {
    fake().info_version = version;
    EXPECT_EQ(read().spill_fill_bytes(), std::nullopt);
    EXPECT_EQ(read().dsp_arch, std::nullopt);
    EXPECT_EQ(read().graphs.size(), 3u);
  }
}

TEST_F(metadata, that_makes_no_sense_is_refused_with_its_reason) {
  const auto refused = [this](const char* reason) {
    constexpr std::array<std::byte, 24> binary{};
    const auto spec = System::load(path)->metadata(binary, "model.bin");
    ASSERT_FALSE(spec.has_value());
    EXPECT_EQ(spec.error().kind, qnnpp::Errc::no_metadata);
    EXPECT_EQ(spec.error().object, "model.bin");
    EXPECT_NE(spec.error().detail.find(reason), std::string::npos) << spec.error().detail;
    fake() = {};
  };
  fake().graph_info_version = 77;
  refused("the version of a graph is 77; qnnpp reads versions 1 to 3");
  fake().without_graphs_array = true;
  refused("3 graphs, but their address is null");
  fake().without_inputs_array = true;
  refused("1 tensors, but their address is null");
}

// Each count is larger than the real one: the largest value of its field, or one more than the
// limit. An access after the array would crash at the end of the memory, or a sanitizer would
// report it.
TEST_F(metadata, that_counts_more_than_the_limit_is_refused_before_anything_is_allocated) {
  const auto refused = [](qnnpp::Errc kind, const std::string& words) {
    constexpr std::array<std::byte, 24> binary{};
    const auto spec = System::load(path)->metadata(binary, "model.bin");
    ASSERT_FALSE(spec.has_value()) << words;
    EXPECT_EQ(spec.error().kind, kind) << spec.error().message();
    EXPECT_EQ(spec.error().object, "model.bin");
    EXPECT_NE(spec.error().detail.find(words), std::string::npos) << spec.error().detail;
    EXPECT_LT(spec.error().detail.size(), 200u);
  };
  using qnnpp::Errc;
  namespace most = qnnpp::detail::most;
  for (const std::uint32_t version : {1u, 2u, 3u}) {
    for (const std::uint32_t count : {most::graphs + 1, 0xFFFFFFFFu}) {
      fake() = {.info_version = version, .said_graphs = count};
      refused(Errc::no_metadata, "it reports " + std::to_string(count) + " graphs; at most 65536");
    }
    for (const std::uint32_t count : {most::tensors + 1, 0xFFFFFFFFu}) {
      fake() = {.info_version = version, .said_inputs = count};
      refused(Errc::no_metadata, "it reports " + std::to_string(count) + " tensors; at most");
    }
    for (const std::uint32_t tensor_version : {1u, 2u})
      for (const std::uint32_t rank : {most::rank + 1, 0xFFFFFFFFu}) {
        fake() = {.info_version = version, .tensor_version = tensor_version, .said_rank = rank};
        refused(Errc::unsupported_tensor,
                "it reports " + std::to_string(rank) + " dimensions; at most 16");
      }
    const std::string name(most::name_bytes + 1, 'n');
    fake() = {.info_version = version, .graph_name = name.c_str()};
    refused(Errc::no_metadata, "has more than 4096 bytes");
    fake() = {.info_version = version, .input_name = name.c_str()};
    refused(Errc::unsupported_tensor, "has more than 4096 bytes");
    fake() = {.info_version = version, .build_id = name.c_str()};
    refused(Errc::no_metadata, "has more than 4096 bytes");
  }
  for (const std::uint32_t version : {1u, 2u}) {
    fake() = {.info_version = version, .graph_info_version = 1, .said_hardware_bytes = 0xFFFFFFFF};
    refused(Errc::no_metadata, "hardware infos; at most 65536");
  }
}

TEST(metadata_of_two_graphs, has_no_more_tensors_together_than_the_limit) {
  namespace c_api = qnnpp::c_api;
  c_api::Tensor tensor{};
  tensor.version = c_api::TensorVersion::v1;
  c_api::SystemContextGraphInfo graphs[2] = {};
  for (auto& graph : graphs) graph.version = c_api::SystemContextGraphInfoVersion::v1;
  graphs[0].graph_info_v1 = {"one", 1, &tensor, 1, &tensor};
  graphs[1].graph_info_v1 = {"two", qnnpp::detail::most::tensors - 1, &tensor, 0, nullptr};
  c_api::SystemContextBinaryInfo info{};
  info.version = c_api::SystemContextBinaryInfoVersion::v1;
  info.context_binary_info_v1 = {};
  info.context_binary_info_v1.num_graphs = 2;
  info.context_binary_info_v1.graphs = graphs;
  const auto spec = qnnpp::detail::context_spec(info, sizeof graphs[0], "model.bin");
  ASSERT_FALSE(spec.has_value());
  EXPECT_EQ(spec.error().kind, qnnpp::Errc::no_metadata);
  EXPECT_EQ(spec.error().detail, "it reports 262143 tensors; at most 262142 are read");
}

TEST_F(metadata, whose_names_are_as_long_as_may_be_is_read) {
  const std::string name(qnnpp::detail::most::name_bytes, 'n');
  fake().graph_name = fake().input_name = fake().build_id = name.c_str();
  const ContextSpec spec = read();
  EXPECT_EQ(spec.graphs.at(0).name, name);
  EXPECT_EQ(spec.graphs.at(0).inputs.at(0).name, name);
  EXPECT_EQ(spec.build_id, name);
}

TEST_F(metadata, of_a_library_that_counts_too_many_providers_is_not_looked_for) {
  fake().said_providers = 0xFFFFFFFF;
  const auto system = System::load(path);
  ASSERT_FALSE(system.has_value());
  EXPECT_EQ(system.error().kind, qnnpp::Errc::not_qnn);
  EXPECT_NE(system.error().detail.find("4294967295 providers; at most 256"), std::string::npos)
      << system.error().detail;
}

}  // namespace
