// libQnnSystem.so: metadata of binaries, and the codes of wrong calls.
#include "qnnpp/abi/htp/system.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "qnnpp/abi/system_interface.hpp"

#include "fixture.hpp"

namespace sim_test { namespace {

class sim_system : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    void* const library = ::dlopen(QNNPP_SIM_DIR "/libQnnSystem.so", RTLD_NOW | RTLD_LOCAL);
    const auto get = reinterpret_cast<c_api::SystemInterfaceGetProvidersFn>(
        ::dlsym(library, "QnnSystemInterface_getProviders"));
    ASSERT_NE(get, nullptr);
    const c_api::SystemInterface** list = nullptr;
    std::uint32_t count = 0;
    EXPECT_EQ(code(get(nullptr, &count)), 1004u);
    ASSERT_EQ(code(get(&list, &count)), 0u);
    ASSERT_EQ(count, 1u);
    EXPECT_STREQ(list[0]->provider_name, "SYSTEM_QTI_AISW");
    table = &list[0]->table;
    ASSERT_EQ(code(table->system_context_create(&context)), 0u);
  }
  void TearDown() override {
    EXPECT_EQ(code(table->system_context_free(context)), 0u);
    EXPECT_EQ(code(table->system_context_free(context)), 0u) << "a second free returns 0, too";
    EXPECT_EQ(code(table->system_context_free(nullptr)), 30000u);
    SimTest::TearDown();
  }

  /// The two known versions of a graph's needs in its metadata.
  struct Blob {
    c_api::HtpSystemContextGraphBlobInfo first;
    c_api::HtpSystemContextGraphBlobInfoV2 second;
  };
  static Blob blob_of(const c_api::SystemContextGraphInfoV3& graph) {
    Blob blob{};
    EXPECT_GE(graph.graph_blob_info_size, sizeof blob);
    std::memcpy(&blob, graph.graph_blob_info, sizeof blob);
    return blob;
  }
  /// Returns the graphs of a binary's metadata, until the next call.
  const c_api::SystemContextGraphInfo* graphs_of(const std::vector<std::byte>& binary) {
    const c_api::SystemContextBinaryInfo* info = nullptr;
    EXPECT_EQ(
        code(table->system_context_get_meta_data(context, binary.data(), binary.size(), &info)),
        0u);
    return info->context_binary_info_v3.graphs;
  }

  const c_api::SystemInterfaceTable* table = nullptr;
  c_api::SystemContextHandle context = nullptr;
};

TEST_F(sim_system, metadata_names_graphs_tensors_and_the_spill_fill_need_of_each_graph) {
  const Chain small{.name = "small"};
  const Chain wide{.name = "wide", .width = 128};
  const auto binary = binary_of({small, wide});
  const c_api::SystemContextBinaryInfo* info = nullptr;
  ASSERT_EQ(code(table->system_context_get_meta_data(context, binary.data(), binary.size(), &info)),
            0u);
  ASSERT_EQ(info->version, c_api::SystemContextBinaryInfoVersion::v3);
  const c_api::SystemContextBinaryInfoV3& v3 = info->context_binary_info_v3;
  EXPECT_EQ(v3.backend_id, 6u);
  EXPECT_EQ(v3.core_api_version.minor, 32u);
  EXPECT_EQ(v3.soc_model, 69u);
  ASSERT_EQ(v3.num_graphs, 2u);
  std::uint64_t largest = 0;
  for (std::uint32_t i = 0; i < 2; ++i) {
    ASSERT_EQ(v3.graphs[i].version, c_api::SystemContextGraphInfoVersion::v3);
    const c_api::SystemContextGraphInfoV3& graph = v3.graphs[i].graph_info_v3;
    const Chain& chain = i == 0 ? small : wide;
    EXPECT_EQ(chain.name, graph.graph_name);
    ASSERT_EQ(graph.num_graph_inputs, 1u);
    EXPECT_STREQ(graph.graph_inputs[0].v1.name, "in");
    EXPECT_EQ(graph.graph_inputs[0].v1.dimensions[1], chain.width);
    ASSERT_EQ(graph.num_graph_outputs, 1u);
    EXPECT_STREQ(graph.graph_outputs[0].v1.name, "out");
    std::uint64_t footprint = 0;
    EXPECT_EQ(code(table->system_tensor_get_memory_footprint(graph.graph_outputs[0], &footprint)),
              0u);
    EXPECT_EQ(footprint, chain.io_bytes());
    const Blob blob = blob_of(graph);
    ASSERT_EQ(blob.first.version, c_api::HtpSystemContextGraphInfoBlobVersion::version_v1);
    largest =
        std::max(largest, blob.first.context_binary_graph_blob_info_v1.spill_fill_buffer_size);
  }
  DeferredConfig deferred;
  c_api::ContextHandle made = nullptr;
  ASSERT_EQ(create(binary, deferred.configs(), made), 0u);
  EXPECT_GT(largest, 0u);
  EXPECT_LT(largest, piece_bytes);
  EXPECT_EQ(ask(made).spill_fill, piece_bytes) << "the deferred query rounds it up";
}

TEST_F(sim_system, the_second_version_of_a_graph_s_needs_is_directly_behind_the_first) {
  const Chain chain{.width = 128};
  const auto binary = binary_of({chain});
  const c_api::SystemContextGraphInfoV3& graph = graphs_of(binary)[0].graph_info_v3;
  ASSERT_EQ(graph.graph_blob_info_size, 40u + 72u);
  const Blob blob = blob_of(graph);
  EXPECT_EQ(blob.first.context_binary_graph_blob_info_v1.vtcm_size, 1u) << "256 bytes, rounded up";
  EXPECT_EQ(blob.second.version, c_api::HtpSystemContextGraphInfoBlobVersion::version_v2);
  EXPECT_EQ(blob.second.io_tensor_size, 2 * chain.io_bytes());
  EXPECT_EQ(blob.second.const_size, std::uint64_t{chain.layers} * 128 * 128 * sizeof(float));
  EXPECT_GE(blob.second.op_data_size, (2 * chain.layers - 1) * 512u) << "512 for each node";
  EXPECT_EQ(blob.second.shared_weights_size, 0u);
}

TEST_F(sim_system, graphs_that_share_weights_have_no_constants_and_name_the_shared_size) {
  const Chain one{.name = "one"};
  const Chain two{.name = "two"};
  const Chain three{.name = "three", .seed = 2};
  const auto apart = binary_of({one, two, three});
  const auto shared = binary_of({one, two, three}, SharedWeights{}.configs());
  const std::uint64_t weights = std::uint64_t{one.layers} * 64 * 64 * sizeof(float);
  EXPECT_EQ(apart.size() - shared.size(), weights) << "two has the contents of one";
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Blob own = blob_of(graphs_of(apart)[i].graph_info_v3);
    EXPECT_EQ(own.second.const_size, weights);
    EXPECT_EQ(own.second.shared_weights_size, 0u);
    const Blob sharing = blob_of(graphs_of(shared)[i].graph_info_v3);
    EXPECT_EQ(sharing.second.const_size, 0u);
    EXPECT_EQ(sharing.second.shared_weights_size, 2 * weights);
  }
  c_api::ContextHandle made = nullptr;
  ASSERT_EQ(create(shared, nullptr, made), 0u);
  std::vector<float> out;
  const std::uint32_t tensors = ids_of(one).out;
  ASSERT_EQ(run_raw(graph_of(made, "three"), three, out, 2 * tensors + 1), 0u);
  EXPECT_LT(largest_difference(three.reference(three.input()), out.data()), 1e-4f);
}

TEST_F(sim_system, a_graph_s_needs_may_have_the_first_version_alone_or_an_unknown_third_one) {
  const auto binary = binary_of({Chain{}});
  for (const std::uint32_t bytes : {40u, 113u, 136u}) {
    ::setenv("QNNPP_SIM_GRAPH_BLOB_BYTES", std::to_string(bytes).c_str(), 1);
    const c_api::SystemContextGraphInfoV3& graph = graphs_of(binary)[0].graph_info_v3;
    EXPECT_EQ(graph.graph_blob_info_size, bytes);
    std::vector<std::byte> blob(bytes);
    std::memcpy(blob.data(), graph.graph_blob_info, bytes);
    EXPECT_EQ(blob[0], std::byte{1});
    for (const auto& [at, version] : {std::pair{40u, 2u}, std::pair{112u, 3u}}) {
      EXPECT_TRUE(at >= bytes || blob[at] == static_cast<std::byte>(version)) << bytes;
    }
  }
  ::setenv("QNNPP_SIM_GRAPH_BLOB_BYTES", "many", 1);
  EXPECT_EQ(graphs_of(binary)[0].graph_info_v3.graph_blob_info_size, 112u);
  ::unsetenv("QNNPP_SIM_GRAPH_BLOB_BYTES");
}

TEST_F(sim_system, events_of_profiles_are_lines_of_a_file) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("sim_system-" + std::to_string(::getpid()));
  c_api::SystemProfileSerializationTarget where{};
  where.type = c_api::SystemProfileSerializationTargetType::file;
  where.file = {"profile.txt", folder.c_str()};
  c_api::SystemProfileSerializationTargetConfig config{};
  config.type = c_api::SystemProfileSerializationTargetConfigType::serialization_header;
  config.serialization_header = {"app", "1.0", "2.0"};
  c_api::SystemProfileSerializationTargetHandle target = nullptr;
  ASSERT_EQ(code(table->system_profile_create_serialization_target(where, &config, 1, &target)),
            0u);
  c_api::SystemProfileProfileEventV1 node{}, event{};
  node.event_data = {404, 3, 77, "layer"};
  event.event_data = {3003, 3, 80, "cycles"};
  event.profile_sub_event_data = &node;
  event.num_sub_events = 1;
  c_api::SystemProfileProfileData data{};
  data.version = c_api::SystemProfileProfileDataVersion::v1;
  data.v1.header = {10,
                    20,
                    0,
                    5,
                    c_api::SystemProfileMethodType::backend_execute,
                    c_api::SystemProfileVisibility::public_,
                    "graph"};
  data.v1.profiling_events = &event;
  data.v1.num_profiling_events = 1;
  const c_api::SystemProfileProfileData* list[] = {&data};
  EXPECT_EQ(code(table->system_profile_serialize_event_data(target, list, 1)), 0u);
  EXPECT_EQ(code(table->system_profile_serialize_event_data(target, list, 0)), 30001u);
  EXPECT_EQ(code(table->system_profile_free_serialization_target(target)), 0u);
  EXPECT_EQ(code(table->system_profile_serialize_event_data(target, list, 1)), 30000u);
  std::ifstream file{folder / "profile.txt"};
  std::uint32_t bytes = 0;
  file.read(reinterpret_cast<char*>(&bytes), sizeof bytes);
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  EXPECT_EQ(bytes, text.size());
  EXPECT_EQ(text,
            "profile app 1.0 2.0\ncall 1 10 20 0 5 graph\nevent 0 3003 3 80 cycles\n"
            "event 1 404 3 77 layer\n");
  where.file.file_name = nullptr;
  EXPECT_EQ(code(table->system_profile_create_serialization_target(where, nullptr, 0, &target)),
            30001u);
  std::filesystem::remove_all(folder);
}

TEST_F(sim_system, what_is_no_binary_is_malformed_and_leaves_the_outputs_alone) {
  const auto binary = binary_of({Chain{}});
  const c_api::SystemContextBinaryInfo* info = nullptr;
  c_api::ContextBinarySize size = 77;
  std::vector<std::byte> copy = binary;
  EXPECT_EQ(code(table->system_context_get_meta_data(context, copy.data(), 100, &info)), 30010u);
  EXPECT_EQ(info, nullptr);
  ASSERT_EQ(code(table->system_context_get_meta_data(context, copy.data(), copy.size(), &info)),
            0u);
  const c_api::SystemContextBinaryInfo* const before = info;
  copy[130] ^= std::byte{1};
  EXPECT_EQ(
      code(table->system_context_get_binary_info(context, copy.data(), copy.size(), &info, &size)),
      30010u);
  EXPECT_EQ(info, before);
  EXPECT_EQ(size, 77u);
  EXPECT_EQ(code(table->system_context_get_meta_data(context, nullptr, 5, &info)), 30001u);
  EXPECT_EQ(
      code(table->system_context_get_meta_data(context, binary.data(), binary.size(), nullptr)),
      30001u);
  EXPECT_EQ(code(table->system_context_get_meta_data(nullptr, binary.data(), binary.size(), &info)),
            30000u);
  EXPECT_EQ(code(table->system_context_get_binary_info(context, copy.data(), copy.size(), &info,
                                                       nullptr)),
            30001u);
}

TEST_F(sim_system, loggers_of_the_system_library_are_its_own) {
  c_api::LogHandle other = nullptr;
  ASSERT_EQ(code(qnn().log_create(nullptr, c_api::LogLevel::warn, &other)), 0u);
  c_api::LogHandle logger = nullptr;
  ASSERT_EQ(code(table->system_log_create(nullptr, c_api::LogLevel::warn, &logger)), 0u);
  EXPECT_EQ(code(table->system_log_set_log_level(logger, c_api::LogLevel::debug)), 0u);
  EXPECT_EQ(code(table->system_log_set_log_level(logger, c_api::LogLevel{0})), 11003u);
  EXPECT_EQ(code(qnn().log_free(logger)), 11003u);
  EXPECT_EQ(code(qnn().log_free(other)), 0u);
  EXPECT_EQ(code(table->system_log_free(logger)), 0u);
  EXPECT_EQ(code(table->system_log_free(logger)), 11004u);
}

TEST_F(sim_system, deep_learning_containers_are_not_supported) {
  c_api::SystemDlcHandle dlc = nullptr;
  EXPECT_EQ(code(table->system_dlc_create_from_file(nullptr, "model.dlc", &dlc)), 1000u);
}

}}  // namespace sim_test
