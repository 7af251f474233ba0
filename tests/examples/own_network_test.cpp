// The network of docs/own-network.md: its binary can be loaded and computes the numbers of the
// page.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/model/load.hpp"

#include "fixture.hpp"
#include "temporary_folder.hpp"

int own_network_main(int argc, char** argv);

namespace support { namespace {

using namespace qnnpp;

class own_network : public LoadedTest {
 protected:
  /// Runs the program and returns its exit code; stdout and stderr are kept.
  int compose(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "own_network");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = own_network_main(static_cast<int>(arguments.size()), argv.data());
    printed = testing::internal::GetCapturedStdout();
    error = testing::internal::GetCapturedStderr();
    return status;
  }
  void expect_failed(const std::string& words) const {
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
    EXPECT_NE(error.find(words), std::string::npos) << error;
  }

  TemporaryFolder folder;
  std::string printed;
  std::string error;
};

TEST_F(own_network, is_written_loaded_and_executed_without_a_copy) {
  const std::string file = folder.file("mlp.bin");
  ASSERT_EQ(compose({htp_library, file}), 0) << error;
  EXPECT_EQ(printed, file + ": graph mlp, 2048 bytes\n") << "the page says the same";
  EXPECT_EQ(std::filesystem::file_size(file), 2048u);

  auto loaded = must(model::load(backend(), allocator(), {file}));
  std::vector<Graph<Retrieved, RegisteredIo>> graphs;
  graphs.push_back(must(loaded.graph<RegisteredIo>("mlp")));
  auto pipeline = must(Pipeline::create(allocator(), std::move(graphs)));
  const std::vector<float> rows{0, 0, 0, 1, 1, 0, 1, 1};
  must(write_elements(pipeline.input<float>("x"), rows));
  must(pipeline.execute());
  std::vector<float> y(4);
  must(read_elements(pipeline.output<float>("y"), y));
  EXPECT_EQ(y, (std::vector<float>{0, 1, 1, 0}));
  EXPECT_EQ(control().counters().copied_in_bytes + control().counters().copied_out_bytes, 0u);
}

TEST_F(own_network, says_in_one_line_why_it_was_not_written) {
  EXPECT_EQ(compose({htp_library}), 1);
  expect_failed("usage: own_network BACKEND OUTPUT");
  EXPECT_EQ(compose({rpcmem_library, folder.path() + "/mlp.bin"}), 1);
  expect_failed("does not export QnnInterface_getProviders");
  EXPECT_EQ(compose({htp_library, folder.path() + "/none/mlp.bin"}), 1);
  expect_failed("/none/mlp.bin: cannot be written");
}

TEST_F(own_network, is_dropped_whole_where_a_call_fails) {
  for (const auto slot :
       {sim::Slot::context_create, sim::Slot::graph_create, sim::Slot::tensor_create_graph_tensor,
        sim::Slot::backend_validate_op_config, sim::Slot::graph_add_node, sim::Slot::graph_finalize,
        sim::Slot::context_get_binary}) {
    control().fail_call(slot, 1, 1002);
    EXPECT_EQ(compose({htp_library, folder.path() + "/mlp.bin"}), 1);
    expect_failed("returned 1002");
    EXPECT_FALSE(std::filesystem::exists(folder.path() + "/mlp.bin"));
    control().clear_faults();
  }
}

}}  // namespace support
