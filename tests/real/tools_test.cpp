// qnnpp-run and qnnpp-plan on Qualcomm's library: what they find out by themselves, and what they
// say.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "library.hpp"
#include "one_relu.hpp"
#include "onnx_file.hpp"
#include "run/npy.hpp"
#include "run_main.hpp"
#include "temporary_folder.hpp"
#include "tool/program.hpp"

int qnnpp_plan_main(int argc, char** argv);
int qnnpp_run_main(int argc, char** argv);

namespace real { namespace {

using support::Ended;

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The binary of one Relu for v79, in a file. The library reports a v68.
class real_tools : public testing::Test {
 protected:
  /// Prepares the binary in another process: the library prints when it is first loaded, which is
  /// to happen in the programs.
  void SetUp() override {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto bytes = binary(backend_for(chips[3]));
      std::string error;
      ::_exit(bytes && tool::write_file(path, *bytes, error) ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  /// Returns the arguments of qnnpp-run with the binary.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"qnnpp-run", "--backend", htp(), path};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  const support::TemporaryFolder folder;
  const std::string path = folder.file("net.bin");
};

TEST_F(real_tools, plan_no_group_and_warn_of_no_architecture) {
  const std::vector<std::string> words{"qnnpp-plan", "--backend", htp(),
                                       "--system",   system(),    path};
  const Ended ended = support::run_main(qnnpp_plan_main, words);
  EXPECT_EQ(ended.status, 0) << ended.error;
  EXPECT_TRUE(has(ended.out, "spill-fill sharing: none (")) << ended.out;
  EXPECT_TRUE(has(ended.out, "no context spills")) << ended.out;
  EXPECT_TRUE(has(ended.out, "device: emulated, which executes the binaries of every chip"));
  for (const char* const never : {"warning", "one by group", "one external buffer"})
    EXPECT_FALSE(has(ended.out, never)) << ended.out;
  auto grouped = words;
  grouped.insert(grouped.end(), {"--sharing", "context_group"});
  EXPECT_TRUE(has(support::run_main(qnnpp_plan_main, grouped).error, "plan with --sharing none"));
}

TEST_F(real_tools, execute_over_plain_memory_without_options_and_say_so) {
  const Ended ended = support::run_main(qnnpp_run_main, command({}));
  EXPECT_EQ(ended.status, 0) << ended.error;
  EXPECT_TRUE(has(ended.out, "inputs and outputs: raw (" + htp() + " registers no memory)"))
      << ended.out;
  EXPECT_TRUE(has(ended.out, "spill-fill sharing: none (no context spills)")) << ended.out;
  EXPECT_EQ(ended.out.find("backend: "), 0u) << "the library's own output is on stderr";
}

TEST_F(real_tools, write_nothing_but_json_to_standard_output) {
  const Ended ended = support::run_main(qnnpp_run_main, command({"--json", "-"}));
  EXPECT_EQ(ended.status, 0) << ended.error;
  const auto json = nlohmann::json::parse(ended.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << ended.out;
  EXPECT_EQ(json["options"]["io"], "raw");
  EXPECT_EQ(json["options"]["io_reason"], htp() + " registers no memory");
  EXPECT_EQ(json["executed"][0]["inputs"][0]["quantisation"].dump(),
            R"({"offset":-128,"scale":0.1})");
}

TEST_F(real_tools, refuse_registered_memory_and_say_what_to_use) {
  const Ended ended =
      support::run_main(qnnpp_run_main, command({"--memory", "memfd", "--io", "registered"}));
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.error, "registers no memory; use --io raw\n")) << ended.error;
  EXPECT_FALSE(has(ended.error, "ask for its capability")) << ended.error;
  const Ended pipeline = support::run_main(qnnpp_run_main, command({"--pipeline", "net"}));
  EXPECT_EQ(pipeline.status, 1);
  EXPECT_TRUE(has(pipeline.error, "which a pipeline needs")) << pipeline.error;
}

TEST_F(real_tools, name_graphs_by_index_and_the_inputs_that_exist) {
  EXPECT_EQ(support::run_main(qnnpp_run_main, command({"--graph", "0"})).status, 0);
  tool::write(folder.file("w.raw"), "weights");
  const Ended ended =
      support::run_main(qnnpp_run_main, command({"--input", "w=" + folder.file("w.raw")}));
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(
      has(ended.error, "w: no such input: it may be a constant of the model; the inputs are x\n"))
      << ended.error;
}

TEST_F(real_tools, take_a_file_whose_shape_has_other_ones) {
  // The tensor is [2, 4], of 8-bit codes.
  const auto write = [&](const std::vector<std::uint32_t>& shape) {
    const std::vector<float> numbers{-1, 0, 1, 2, -3, 4, -5, 6};
    tool::write(folder.file("x.npy"),
                ::run::npy_file("<f4", shape, std::as_bytes(std::span(numbers))));
    return support::run_main(qnnpp_run_main, command({"--input", "x=" + folder.file("x.npy")}));
  };
  EXPECT_EQ(write({1, 2, 1, 4}).status, 0);
  EXPECT_TRUE(has(write({8}).error, "shapes differ"));
}

TEST_F(real_tools, execute_onnx_files) {
  const std::string bytes = file_content(path);
  tool::write(folder.file("in.onnx"), support::onnx::model(support::onnx::ep_context(bytes, true)));
  tool::write(folder.file("by.onnx"),
              support::onnx::model(support::onnx::ep_context("net.bin", false)));
  for (const char* const name : {"in.onnx", "by.onnx"}) {
    const Ended ended =
        support::run_main(qnnpp_run_main, {"qnnpp-run", "--backend", htp(), folder.file(name)});
    EXPECT_EQ(ended.status, 0) << ended.error;
    EXPECT_TRUE(has(ended.out, "net: output y")) << ended.out;
  }
  tool::write(folder.file("no.onnx"), support::onnx::model(support::onnx::node("Relu", "")));
  EXPECT_TRUE(has(
      support::run_main(qnnpp_run_main, {"qnnpp-run", "--backend", htp(), folder.file("no.onnx")})
          .error,
      "ep.context_enable=1"));
}

TEST_F(real_tools, execute_a_model_of_onnx_runtime_as_its_session) {
  const char* const python = std::getenv("QNNPP_ONNX_PYTHON");
  if (python == nullptr) GTEST_SKIP() << "ONNX Runtime is not here: tests/conformance/python.sh";
  namespace onnx = support::onnx;
  tool::write(folder.file("model.onnx"),
              onnx::model(onnx::node("Relu", "") + onnx::value(11, "x", {1, 4, 3, 3}) +
                          onnx::value(12, "y", {1, 4, 3, 3})));
  const std::string make = std::string(python) + " '" QNNPP_ONNX_SCRIPT "' '" + folder.path() +
                           "' '" + htp() + "' > '" + folder.file("log") + "' 2>&1";
  ASSERT_EQ(std::system(make.c_str()), 0) << file_content(folder.file("log"));
  for (const char* const name : {"embedded.onnx", "beside.onnx"}) {
    const Ended ended =
        support::run_main(qnnpp_run_main, {"qnnpp-run", "--backend", htp(), folder.file(name),
                                           "--input", "x=" + folder.file("x.npy"), "--expect",
                                           "y=" + folder.file("y.npy"), "--tolerance", "0"});
    EXPECT_EQ(ended.status, 0) << ended.error << ended.out;
    EXPECT_TRUE(has(ended.out, "ok, largest difference 0")) << ended.out;
    EXPECT_TRUE(has(ended.out, "#0 QNN")) << "its long name is shortened: " << ended.out;
  }
}

TEST_F(real_tools, load_and_report_that_nothing_spills) {
  const auto backend = qnnpp::value_or_throw(load());
  EXPECT_TRUE(backend.is_emulation());
  for (const auto use : {qnnpp::model::FileUse::map, qnnpp::model::FileUse::read}) {
    const auto loaded = qnnpp::value_or_throw(
        qnnpp::model::load(backend, qnnpp::MemfdAllocator(),
                           std::vector{qnnpp::model::BinarySource::file(path, use)}));
    EXPECT_EQ(loaded.report().sharing, qnnpp::model::SpillFillSharing::none);
    EXPECT_EQ(loaded.report().reason, "no context spills");
  }
}

}}  // namespace real
