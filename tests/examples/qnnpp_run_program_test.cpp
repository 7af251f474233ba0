// qnnpp-run as a whole: each option, wrong inputs, and Ctrl-C, which leaves nothing behind.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "qnnpp/graph/compose.hpp"

#include "digits/files.hpp"
#include "digits/task.hpp"
#include "fixture.hpp"
#include "run/npy.hpp"
#include "temporary_folder.hpp"
#include "tool/progress.hpp"

int assistant_main(int argc, char** argv);
int make_binaries_main(int argc, char** argv);
int qnnpp_run_main(int argc, char** argv);

namespace support { namespace {

using sim::Slot;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// Return value and output of a run.
struct Ended {
  int status = -1;
  std::string out;
  std::string error;
};

Ended call(int (*program)(int, char**), Words arguments, bool capture_error = true) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  if (capture_error) testing::internal::CaptureStderr();
  Ended ended;
  ended.status = program(static_cast<int>(arguments.size()), argv.data());
  if (capture_error) ended.error = testing::internal::GetCapturedStderr();
  ended.out = testing::internal::GetCapturedStdout();
  return ended;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The four binaries of the examples, and their graphs stem, features, gate and classifier.
class qnnpp_run : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (HasFatalFailure()) return;
    set(&sim::Config::vtcm_bytes, 32768);
    const Ended made =
        call(&make_binaries_main, {"make_binaries", "--backend", htp_library, "--output",
                                   folder.path(), "--input_output_tensor_mem_type", "memhandle"});
    ASSERT_EQ(made.status, 0) << made.error;
    control().reset_counters();
  }

  [[nodiscard]] std::string binary(const std::string& graph) const {
    return folder.file(graph + ".bin");
  }
  /// Runs the program with all four binaries.
  [[nodiscard]] Ended all(const Words& more) const {
    Words words{binary("stem"), binary("features"), binary("gate"), binary("classifier")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  [[nodiscard]] Ended run(const Words& more, bool capture_error = true) const {
    Words words{"qnnpp-run", "--backend", htp_library, "--rpcmem", rpcmem_library};
    words.insert(words.end(), more.begin(), more.end());
    return call(&qnnpp_run_main, words, capture_error);
  }
  /// Runs the program with one binary and returns its JSON.
  [[nodiscard]] Json json(Words more) const {
    more.insert(more.begin(), {"--json", "-"});
    const Ended ended = run(more);
    EXPECT_EQ(ended.error, "");
    return Json::parse(ended.out);
  }
  /// Expects this exit code and one line on stderr with all of these words.
  static void expect_failed(const Ended& ended, const Words& words, int status = 1) {
    EXPECT_EQ(ended.status, status) << ended.out << ended.error;
    EXPECT_EQ(std::count(ended.error.begin(), ended.error.end(), '\n'), 1) << ended.error;
    EXPECT_EQ(ended.error.find("qnnpp-run: "), 0u) << ended.error;
    for (const std::string& word : words)
      EXPECT_NE(ended.error.find(word), std::string::npos) << word << "\n" << ended.error;
  }
  /// Expects that the command line is refused in one line with all of these words.
  static void expect_refused(const Ended& ended, const Words& words) {
    expect_failed(ended, words, 2);
  }
  /// Writes floats as .npy and returns the path.
  [[nodiscard]] std::string write_floats(const std::string& name,
                                         const std::vector<std::uint32_t>& shape,
                                         const std::vector<float>& numbers) const {
    const auto file = ::run::npy_file("<f4", shape, std::as_bytes(std::span(numbers)));
    std::ofstream(folder.file(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
    return folder.file(name);
  }

  const TemporaryFolder folder;
};

TEST_F(qnnpp_run, executes_each_graph_of_each_binary_and_prints_what_it_measured) {
  const Ended ended = all({"--repeat", "3", "--warmup", "2"});
  EXPECT_EQ(ended.status, 0) << ended.error;
  EXPECT_EQ(ended.error, "");
  EXPECT_EQ(calls(Slot::graph_execute), 4u * 5u);
  for (const char* const words :
       {"Hexagon v79", "spill-fill sharing: external_buffer", "classifier.bin: ", "median",
        "stem: input image FLOAT_32 [4, 28, 28, 1]",
        "classifier: output probabilities FLOAT_32 [4, 10]", "0 B copied each inference"})
    EXPECT_NE(ended.out.find(words), std::string::npos) << words << "\n" << ended.out;
}

TEST_F(qnnpp_run, PD_02_asks_for_the_io_limit_of_one_graph_at_a_time) {
  const Ended ended = all({"--one-graph-at-a-time"});
  EXPECT_EQ(ended.status, 0) << ended.error;
  EXPECT_NE(ended.out.find("; one_graph_at_a_time: no gain with these graphs"), std::string::npos)
      << ended.out;
  EXPECT_NE(all({"--one-graph-at-a-time", "--pipeline", "stem,features"}).status, 0);
}

TEST_F(qnnpp_run, shares_spill_fill_memory_in_each_way) {
  for (const char* const way : {"external_buffer", "context_group", "none"}) {
    const Json measured = json({binary("stem"), binary("gate"), "--sharing", way});
    EXPECT_EQ(measured["sharing"], way);
    EXPECT_EQ(measured["load"]["contexts"].size(), 2u);
  }
  EXPECT_EQ(json({binary("stem")})["sharing"], "external_buffer");
  control().reset_counters();
  EXPECT_EQ(json({binary("stem"), "--weights-in-qnn"})["sharing"], "external_buffer");
  EXPECT_EQ(calls(Slot::mem_register), 2u);  // Spill-fill, and inputs and outputs.
  set(&sim::Config::deferred_init, 0u);
  const Json fallen_back = json({binary("stem"), "--io", "raw", "--warmup", "3", "--seed", "9"});
  EXPECT_EQ(fallen_back["sharing"], "context_group");
  EXPECT_NE(fallen_back.value("reason", "").find("defer"), std::string::npos) << fallen_back;
  EXPECT_EQ(fallen_back.value("external_weights", ""), "untried");
  EXPECT_EQ(fallen_back.value("options", Json()),
            Json({{"io", "raw"}, {"repeat", 1}, {"warmup", 3}, {"seed", 9}}));
}

TEST_F(qnnpp_run, evicts_contexts_with_a_residency) {
  const Ended ended = all({"--residency", "2", "--json", folder.file("r.json")});
  EXPECT_EQ(ended.status, 0) << ended.error;
  EXPECT_NE(ended.out.find("by a residency, 2 evictions)"), std::string::npos) << ended.out;
  EXPECT_NE(all({"--residency", "3"}).out.find("by a residency, 1 eviction)"), std::string::npos);
  EXPECT_EQ(Json::parse(content_of(folder.file("r.json")))["executed"].size(), 4u);
  expect_refused(all({"--residency", "2", "--pipeline", "stem,features"}), {"excludes"});
  expect_refused(all({"--residency", "2", "--sharing", "none"}), {"excludes"});
}

TEST_F(qnnpp_run, checks_names_before_a_residency_loads_anything) {
  const std::string raw = folder.file("x.raw");
  std::ofstream(raw) << "12";
  const auto expect = [&](const char* option, const std::string& argument, const char* words) {
    control().reset_counters();
    expect_failed(all({"--residency", "2", option, argument}), {"nil: ", "no such ", words});
    EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
  };
  expect("--graph", "nil", "the graphs are classifier, features, gate, stem");
  expect("--input", "nil=" + raw, "the inputs are image, parts, positions, strokes");
  expect("--expect", "nil=" + raw, "the outputs are parts, positions, probabilities, strokes");
}

TEST_F(qnnpp_run, traces_each_context_that_a_residency_loads) {
  const std::string trace = folder.file("trace.json");
  const Json measured =
      json({binary("stem"), binary("gate"), "--residency", "1", "--trace", trace});
  const Json events = Json::parse(content_of(trace))["traceEvents"];
  Words acquired;
  std::vector<std::uint64_t> bytes;
  for (const Json& event : events) {
    const std::string name = event["name"];
    if (event["ph"] == "X" && name.find("acquire ") == 0) {
      acquired.push_back(name);
      EXPECT_GT(event["dur"], 0);
    }
    if (event["ph"] == "C" && name == "resident memory") bytes.push_back(event["args"]["bytes"]);
  }
  EXPECT_EQ(acquired, (Words{"acquire " + binary("stem"), "acquire " + binary("gate")}));
  ASSERT_EQ(bytes.size(), 2u);
  EXPECT_GT(bytes[0], 0u);
  EXPECT_GT(bytes[1], 0u);
  // The profile has no load: the residency creates no profiled context.
  EXPECT_EQ(measured["profile"].size(), 2u);
  for (const Json& context : measured["load"]["contexts"]) {
    EXPECT_GT(context["ms"], 0);
    EXPECT_TRUE(context["steps_ms"].empty()) << context;
  }
  expect_refused(all({"--residency", "2", "--report", folder.file("r.json")}), {"excludes"});
}

TEST_F(qnnpp_run, executes_only_the_graphs_that_are_named) {
  const Ended ended = all({"--graph", "gate", "--graph", "stem", "--json", "-"});
  const Json measured = Json::parse(ended.out);
  ASSERT_EQ(measured["executed"].size(), 2u);
  EXPECT_EQ(measured["executed"][0]["name"], "stem");
  EXPECT_EQ(measured["executed"][1]["name"], "gate");
  control().reset_counters();
  expect_failed(all({"--graph", "gate", "--graph", "nil"}),
                {"nil", "no such name", "the graphs are classifier, features, gate, stem"});
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
}

TEST_F(qnnpp_run, chooses_graphs_by_their_index_in_the_binary) {
  const Json measured = json({binary("gate"), binary("stem"), "--graph", "stem.bin:0"});
  ASSERT_EQ(measured["executed"].size(), 1u);
  EXPECT_EQ(measured["executed"][0]["name"], "stem");
  EXPECT_EQ(json({binary("gate"), binary("stem"), "--graph", "0"})["executed"].size(), 2u);
  EXPECT_EQ(json({binary("stem"), binary("features"), "--pipeline",
                  "stem.bin:0,features.bin:0"})["executed"][0]["stages"]
                .size(),
            2u);
  expect_failed(all({"--graph", "1"}), {"1", "no such name", "the graphs are classifier"});
}

TEST_F(qnnpp_run, executes_no_pipeline_in_the_wrong_order) {
  for (const char* const graphs : {"features,stem", "features,stem,gate,classifier"}) {
    const Ended ended = all({"--pipeline", graphs});
    expect_failed(ended, {"strokes of graph features (0)", "graph stem (1) makes it",
                          "and no --input gives it; put that graph first"});
    EXPECT_EQ(ended.out, "");
  }
  expect_failed(all({"--pipeline", "stem,stem"}), {"graph stem (1)", "reads the same tensors"});
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
}

TEST_F(qnnpp_run, says_what_it_filled_the_inputs_of_a_pipeline_with) {
  // The graph before is left out, so its output is an input.
  const Ended noise = all({"--pipeline", "gate,classifier"});
  EXPECT_NE(noise.out.find("pipeline: input parts FLOAT_32 [4, 14, 14, 20], filled with noise\n"),
            std::string::npos)
      << noise.out;
  EXPECT_NE(noise.out.find("pipeline: classifier reads positions of gate\n"), std::string::npos)
      << noise.out;
  // A file for an input says that it is not of the later graph.
  const std::string out = folder.file("out");
  ASSERT_EQ(all({"--graph", "stem", "--output", out, "--quiet"}).status, 0);
  const std::string file = out + "/stem/strokes.npy";
  const Ended given = all({"--pipeline", "features,stem", "--input", "strokes=" + file});
  EXPECT_EQ(given.error, "");
  EXPECT_NE(given.out.find(", filled with " + file + "\n"), std::string::npos) << given.out;
  EXPECT_NE(given.out.find("pipeline: input image FLOAT_32 [4, 28, 28, 1], filled with noise\n"),
            std::string::npos)
      << given.out;
}

TEST_F(qnnpp_run, names_the_inputs_if_one_is_none) {
  const std::string raw = folder.file("x.raw");
  std::ofstream(raw) << "12";
  expect_failed(run({binary("stem"), "--input", "weights=" + raw}),
                {"qnnpp-run: weights: no such input: it may be a constant of the model; the inputs "
                 "are image\n"});
}

TEST_F(qnnpp_run, opens_no_rpcmem_if_it_allocates_no_buffer) {
  set(&sim::Config::deferred_init, 0u);
  const Ended ended = run({binary("stem"), "--io", "raw", "--quiet", "--rpcmem", "none.so"});
  EXPECT_EQ(ended.status, 0) << ended.error;
  expect_failed(run({binary("stem"), "--quiet", "--rpcmem", "none.so"}), {"none.so"});
}

TEST_F(qnnpp_run, writes_outputs_that_the_next_run_accepts_as_input_and_as_expected) {
  const std::string out = folder.file("out");
  ASSERT_EQ(all({"--pipeline", "stem,features,gate,classifier", "--seed", "7", "--output", out,
                 "--json", folder.file("p.json"), "--quiet"})
                .status,
            0);
  const Json pipeline = Json::parse(content_of(folder.file("p.json")))["executed"][0];
  EXPECT_EQ(pipeline["inputs"][0]["filled_with"], "noise");
  EXPECT_EQ(pipeline["stages"].size(), 4u);
  EXPECT_EQ(pipeline["inputs"].size(), 1u);
  EXPECT_EQ(pipeline["outputs"].size(), 4u);
  // Each graph alone, with the tensors of the pipeline, both as .npy and as bytes.
  for (const std::string type : {".npy", ".raw"}) {
    const Ended ended =
        all({"--input", "strokes=" + out + "/pipeline/strokes" + type, "--input",
             "parts=" + out + "/pipeline/parts" + type, "--input",
             "positions=" + out + "/pipeline/positions" + type, "--seed", "7", "--expect",
             "strokes=" + out + "/pipeline/strokes" + type, "--expect",
             "parts=" + out + "/pipeline/parts" + type, "--expect",
             "positions=" + out + "/pipeline/positions" + type, "--expect",
             "probabilities=" + out + "/pipeline/probabilities" + type, "--tolerance", "0"});
    EXPECT_EQ(ended.status, 0) << ended.out << ended.error;
    EXPECT_NE(ended.out.find("probabilities of classifier: ok, largest difference 0 at"),
              std::string::npos)
        << ended.out;
  }
  // The bytes are those of the .npy file.
  const std::string npy = content_of(out + "/pipeline/probabilities.npy");
  const std::string raw = content_of(out + "/pipeline/probabilities.raw");
  EXPECT_EQ(raw.size(), 4u * 10 * 4);
  EXPECT_EQ(npy.substr(npy.size() - raw.size()), raw);
}

TEST_F(qnnpp_run, reports_a_mismatch_with_exit_code_3_and_its_largest_difference) {
  std::vector<float> numbers(40, 0.1f);
  numbers[23] = 5;
  const std::string wrong = write_floats("wrong.npy", {4, 10}, numbers);
  const Words compared{binary("classifier"), "--expect", "probabilities=" + wrong};
  const Ended shown = run(compared);
  EXPECT_EQ(shown.status, 3);
  EXPECT_EQ(shown.error, "");
  EXPECT_NE(shown.out.find("probabilities of classifier: MISMATCH"), std::string::npos)
      << shown.out;
  EXPECT_NE(shown.out.find("at [2, 3] ("), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find(", expected 5), cosine "), std::string::npos) << shown.out;
  Words quiet = compared;
  quiet.push_back("--quiet");
  const Ended silent = run(quiet);
  EXPECT_EQ(silent.out, "");
  expect_failed(silent, {"probabilities of classifier: MISMATCH"}, 3);
  Words to_file = quiet;
  to_file.insert(to_file.end(), {"--json", folder.file("m.json")});
  EXPECT_EQ(run(to_file).status, 3);
  const Json measured = Json::parse(content_of(folder.file("m.json")));
  EXPECT_EQ(measured["all_match"], false);
  EXPECT_EQ(measured["executed"][0]["comparisons"][0]["index"], Json({2, 3}));
  Words wide = compared;
  wide.insert(wide.end(), {"--tolerance", "5,1"});
  EXPECT_EQ(run(wide).status, 0);
}

TEST_F(qnnpp_run, compares_the_largest_number_of_each_row_by_top_1) {
  const std::string out = folder.file("out");
  ASSERT_EQ(run({binary("classifier"), "--output", out, "--quiet"}).status, 0);
  const std::string found = content_of(out + "/classifier/probabilities.raw");
  std::vector<float> numbers(40);
  std::memcpy(numbers.data(), found.data(), found.size());
  for (float& number : numbers) number = 3 * number + 7;  // The same order in each row.
  const Words top{binary("classifier"), "--top-1", "--expect",
                  "probabilities=" + write_floats("scaled.npy", {4, 10}, numbers)};
  EXPECT_EQ(run(top).status, 0);
  Words also_numbers = top;
  also_numbers.insert(also_numbers.end(), {"--tolerance", "0.01"});
  EXPECT_EQ(run(also_numbers).status, 3);
  const auto row = numbers.begin() + 10;
  const auto least = std::min_element(row, row + 10);
  const float number = std::exchange(*least, std::numeric_limits<float>::quiet_NaN());
  (void)write_floats("scaled.npy", {4, 10}, numbers);
  EXPECT_EQ(run(top).status, 3);
  *least = number;
  std::iter_swap(std::max_element(row, row + 10), std::min_element(row, row + 10));
  (void)write_floats("scaled.npy", {4, 10}, numbers);
  const Ended other = run(top);
  EXPECT_EQ(other.status, 3);
  EXPECT_NE(other.out.find("1 of 4 rows have another largest number"), std::string::npos)
      << other.out;
}

TEST_F(qnnpp_run, uses_registered_or_raw_memory_for_inputs_and_outputs) {
  const auto cost = [&](const char* io) {
    return json({binary("classifier"), "--io",
                 io})["executed"][0]["io_cost"]["copied_bytes_per_inference"]
        .get<std::uint64_t>();
  };
  EXPECT_EQ(cost("registered"), 0u);
  EXPECT_EQ(cost("raw"), 25248u);
  expect_refused(all({"--pipeline", "stem,features", "--io", "raw"}), {"--io registered"});
  // Both give the same numbers.
  const std::string out = folder.file("out");
  ASSERT_EQ(run({binary("stem"), "--output", out, "--quiet", "--io", "raw"}).status, 0);
  EXPECT_EQ(
      run({binary("stem"), "--expect", "strokes=" + out + "/stem/strokes.npy", "--tolerance", "0"})
          .status,
      0);
}

TEST_F(qnnpp_run, allocates_by_the_chosen_allocator) {
  EXPECT_EQ(run({binary("stem"), "--quiet", "--memory", "memfd", "--rpcmem", "none.so"}).status, 0);
  expect_failed(run({binary("stem"), "--memory", "rpcmem", "--rpcmem", "none.so"}),
                {"none.so", "cannot be opened"});
  expect_failed(run({binary("stem"), "--memory", "dma-heap", "--heap", folder.file("none")}),
                {"none", "open"});
  expect_refused(run({binary("stem"), "--memory", "ashmem"}), {"--memory", "not in {"});
}

TEST_F(qnnpp_run, writes_json_and_the_memory_report) {
  ASSERT_EQ(run({binary("stem"), "--quiet", "--repeat", "100", "--report", folder.file("m.json"),
                 "--json", folder.file("r.json")})
                .status,
            0);
  const Json report = Json::parse(content_of(folder.file("m.json")));
  EXPECT_EQ(report["schema"], "qnnpp-memory-report-2");
  const Json measured = Json::parse(content_of(folder.file("r.json")));
  EXPECT_EQ(measured["schema"], "qnnpp-run-1");
  EXPECT_EQ(measured["backend"]["dsp_arch"], 79);
  EXPECT_EQ(measured.value("options", Json()),
            Json({{"io", "registered"}, {"repeat", 100}, {"warmup", 0}, {"seed", 0}}));
  EXPECT_EQ(measured.value("external_weights", ""), "confirmed");
  const Json us = measured["executed"][0]["us"];
  EXPECT_EQ(us["count"], 100);
  EXPECT_LE(us["min"], us["median"]);
  EXPECT_LE(us["median"], us["p90"]);
  EXPECT_LE(us["p90"], us["p99"]);
  EXPECT_LE(us["p99"], us["max"]);
  EXPECT_GT(measured["executed"][0]["first_us"], 0);
  const Json steps = measured["load"]["contexts"][0]["steps_ms"];
  for (const char* const step : {"creating", "querying", "registering", "finalizing"})
    EXPECT_GT(steps.value(step, 0.0), 0) << step << steps;
  // A device that is full, or a pipe.
  expect_failed(run({binary("stem"), "--json", "/dev/full", "--quiet"}),
                {"/dev/full: the file cannot be written"});
}

// -------------------------------------------------------------------- power, profile, trace, log

TEST_F(qnnpp_run, votes_for_performance_and_prints_what_the_device_refused) {
  for (const char* const mode :
       {"burst", "sustained_high_performance", "high_performance", "balanced", "low_balanced",
        "high_power_saver", "power_saver", "low_power_saver", "extreme_power_saver"}) {
    const Json measured = json({binary("stem"), "--power", mode});
    EXPECT_EQ(measured["power"]["mode"], mode);
    EXPECT_TRUE(measured["power"]["refused"].empty());
  }
  EXPECT_TRUE(json({binary("stem")})["power"].is_null());
  EXPECT_NE(run({binary("stem"), "--power", "burst"}).out.find("performance: burst\n"),
            std::string::npos);
  expect_refused(run({binary("stem"), "--power", "fast"}), {"--power", "not in {"});
  // The oldest library does not know the compression engine.
  const std::string stem = binary("stem");
  const Ended decoding = run({stem, "--power", "llm_decode_balanced"});
  EXPECT_EQ(decoding.status, 0) << decoding.error;
  EXPECT_NE(decoding.out.find("performance: llm_decode_balanced; refused: CENG: "),
            std::string::npos)
      << decoding.out;
}

TEST_F(qnnpp_run, says_in_one_line_what_the_device_refused_even_if_it_prints_no_tables) {
  set(&sim::Config::power_options, 1u << 30);
  for (const Words& silent : {Words{"--quiet"}, Words{"--json", "-"}}) {
    Words words{binary("stem"), "--power", "burst"};
    words.insert(words.end(), silent.begin(), silent.end());
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.error.find("qnnpp-run: performance: burst; refused: "), 0u) << ended.error;
    EXPECT_EQ(std::count(ended.error.begin(), ended.error.end(), '\n'), 1) << ended.error;
  }
}

TEST_F(qnnpp_run, profiles_the_load_and_one_more_execution_of_each_graph) {
  for (const char* const level : {"basic", "detailed", "optrace", "linting"}) {
    control().reset_counters();
    const Json measured =
        json({binary("stem"), binary("gate"), "--profile", level, "--repeat", "3"});
    EXPECT_EQ(calls(Slot::graph_execute), 2u * 4u);
    EXPECT_EQ(measured["executed"][0]["us"]["count"], 3);
    std::vector<std::string> executions;
    for (const Json& record : measured["profile"])
      if (record["call"] == "QnnGraph_execute") executions.push_back(record["object"]);
    EXPECT_EQ(executions, (Words{"stem", "gate"})) << level;
    EXPECT_GT(measured["profile"].size(), 2u) << level;
    EXPECT_FALSE(measured["profile"].back()["events"].empty()) << level;
  }
  const Ended shown = all({"--pipeline", "stem,features", "--profile", "basic"});
  EXPECT_NE(shown.out.find("QnnGraph_execute features: "), std::string::npos) << shown.out;
  EXPECT_TRUE(json({binary("stem")})["profile"].empty());
  expect_refused(run({binary("stem"), "--profile", "all"}), {"--profile", "not in {"});
}

TEST_F(qnnpp_run, adds_the_trace_of_all_ops_to_a_detailed_profile) {
  const auto objects = [&](const char* level) {
    const Json record = json({binary("stem"), "--profile", level})["profile"].back();
    const Json& events = record["events"];
    return std::count_if(events.begin(), events.end(),
                         [](const Json& event) { return event["name"] == "op trace"; });
  };
  EXPECT_EQ(objects("detailed"), 0);
  EXPECT_GT(objects("optrace"), 0);
}

TEST_F(qnnpp_run, reports_events_that_are_missing) {
  EXPECT_TRUE(json({binary("stem"), "--profile", "basic"})["profile"].back().at("error").is_null());
  control().fail_call(Slot::profile_get_events, 1, 1003, true);
  const Json record = json({binary("stem"), "--profile", "basic"})["profile"].back();
  EXPECT_EQ(record["succeeded"], true);
  EXPECT_TRUE(record["events"].empty());
  EXPECT_NE(record.value("error", "").find("QnnProfile_getEvents returned 1003"), std::string::npos)
      << record;
}

TEST_F(qnnpp_run, writes_a_trace_of_the_load_the_executions_and_the_memory) {
  const std::string trace = folder.file("trace.json");
  ASSERT_EQ(run({binary("stem"), "--quiet", "--trace", trace}).status, 0);
  const Json events = Json::parse(content_of(trace))["traceEvents"];
  const auto count = [&](const std::string& phase, const std::string& words) {
    return std::count_if(events.begin(), events.end(), [&](const Json& event) {
      return event["ph"] == phase &&
             event["name"].get<std::string>().find(words) != std::string::npos;
    });
  };
  EXPECT_EQ(count("X", "QnnGraph_execute stem"), 1);
  EXPECT_GE(count("X", "finalizing"), 1);
  EXPECT_GE(count("C", "memory"), 1);
}

TEST_F(qnnpp_run, checks_the_files_to_write_before_it_loads_anything) {
  for (const char* const option : {"--json", "--trace", "--sdk-profile", "--report"}) {
    for (const std::string& path : {folder.file("none/x"), folder.path()}) {
      control().reset_counters();
      expect_failed(run({binary("stem"), option, path}), {path, "cannot be written"});
      EXPECT_EQ(calls(Slot::backend_create), 0u);
    }
    EXPECT_EQ(run({binary("stem"), option, folder.file("new")}).status, 0);
  }
  for (const char* const option : {"--json", "--trace", "--report"})
    EXPECT_EQ(run({binary("stem"), option, "/dev/null"}).status, 0);
  control().reset_counters();
  expect_failed(run({binary("stem"), "--sdk-profile", "/dev/null"}),
                {"--sdk-profile", "/dev/null", "not a regular file"});
  EXPECT_EQ(calls(Slot::backend_create), 0u);
  expect_failed(run({binary("stem"), "--output", binary("stem") + "/x"}), {"folder"});
  EXPECT_EQ(calls(Slot::backend_create), 0u);
}

TEST_F(qnnpp_run, checks_the_files_of_outputs_before_the_first_execution) {
  // A file instead of the last graph's folder, and a folder instead of its file.
  std::filesystem::create_directories(folder.file("a"));
  std::ofstream(folder.file("a/classifier")) << "x";
  std::filesystem::create_directories(folder.file("b/classifier/probabilities.raw"));
  for (const Words& how : {Words{}, Words{"--residency", "1"}})
    for (const char* const name : {"a", "b"}) {
      Words words{"--output", folder.file(name)};
      words.insert(words.end(), how.begin(), how.end());
      control().reset_counters();
      expect_failed(all(words), {folder.file(name) + "/classifier", "cannot be"});
      EXPECT_EQ(calls(Slot::graph_execute), 0u);
    }
}

TEST_F(qnnpp_run, refuses_to_write_a_file_that_the_command_line_names_elsewhere) {
  const std::string npy =
      write_floats("in.npy", {4, 28, 28, 1}, std::vector<float>(std::size_t{4} * 28 * 28));
  const std::string before = content_of(binary("stem"));
  std::filesystem::create_symlink("same.json", folder.file("link.json"));
  const std::string same = folder.file("same.json");
  const auto expect = [&](const Words& more, const Words& words, int status = 2) {
    control().reset_counters();
    Words all_words{binary("stem")};
    all_words.insert(all_words.end(), more.begin(), more.end());
    expect_failed(run(all_words), words, status);
    EXPECT_EQ(calls(Slot::graph_execute), 0u);
  };
  expect({"--report", binary("stem")}, {"a binary and --report name one file"});
  expect({"--json", npy, "--input", "image=" + npy}, {"--input and --json name one file"});
  expect({"--trace", npy, "--expect", "strokes=" + npy}, {"--expect and --trace name one file"});
  expect({"--json", same, "--trace", std::filesystem::relative(same).string()},
         {"--json and --trace name one file"});
  expect({"--json", same, "--trace", folder.file("link.json")},
         {"--json and --trace name one file"});
  expect({"--json", "-", "--report", "/dev/stdout"}, {"--json and --report name one file"});
  const std::string out = folder.file("out");
  expect({"--output", out, "--json", out + "/stem/../stem/strokes.npy"}, {"cannot be written"},
         1);  // The folder does not exist.
  std::filesystem::create_directories(out + "/stem");
  expect({"--output", out, "--json", out + "/stem/strokes.npy"},
         {"--json and --output name one file"});
  EXPECT_EQ(run({binary("stem"), "--quiet", "--output", out}).status, 0);
  expect({"--output", out, "--expect", "strokes=" + out + "/stem/strokes.npy"},
         {"--expect and --output name one file"});
  EXPECT_EQ(content_of(binary("stem")), before);
  EXPECT_EQ(run({binary("stem"), "--json", "/dev/null", "--trace", "/dev/null"}).status, 0);
  EXPECT_EQ(run({binary("stem"), "--quiet", "--output", out, "--json", out + "/m.json"}).status, 0);
}

TEST_F(qnnpp_run, writes_what_it_measured_to_its_files_if_a_later_call_fails) {
  const std::string json = folder.file("m.json");
  const std::string trace = folder.file("t.json");
  const std::string profile = folder.file("p.bin");
  const Words words{"--json", json, "--trace", trace, "--sdk-profile", profile};
  ASSERT_EQ(all(words).status, 0);
  EXPECT_TRUE(Json::parse(content_of(json))["error"].is_null());
  std::filesystem::remove(profile);
  control().reset_counters();
  control().fail_call(Slot::graph_execute, 5, 1002);  // Two of each graph, one with the profile.
  const Ended ended = all(words);
  expect_failed(ended, {"QnnGraph_execute returned 1002"});
  const Json measured = Json::parse(content_of(json));
  EXPECT_EQ("qnnpp-run: " + measured.value("error", "") + "\n", ended.error);
  EXPECT_EQ(measured["all_match"], false);
  EXPECT_EQ(measured["executed"].size(), 2u);
  EXPECT_NE(content_of(trace).find("QnnGraph_execute features"), std::string::npos);
  EXPECT_GT(std::filesystem::file_size(profile), 0u);
}

TEST_F(qnnpp_run, with_verbose_prints_all_that_was_logged_of_an_error_in_a_second_line) {
  for (const bool verbose : {false, true}) {
    control().fail_call(Slot::graph_execute, 1, 1002);
    Words words{binary("stem"), "--quiet"};
    if (verbose) words.push_back("--verbose");
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 1);
    const auto line = ended.error.find('\n');
    ASSERT_NE(line, std::string::npos);
    EXPECT_NE(ended.error.substr(0, line).find("QnnGraph_execute returned 1002"), std::string::npos)
        << ended.error;
    EXPECT_EQ(ended.error.substr(line + 1),
              verbose ? "qnnpp-run: QNN logged: QnnGraph_execute failed with 1002\n" : "");
  }
}

TEST_F(qnnpp_run, traces_the_step_at_which_a_load_fails) {
  const std::string trace = folder.file("t.json");
  std::ofstream(folder.file("cut.bin")) << content_of(binary("gate")).substr(0, 3000);
  expect_failed(run({binary("stem"), folder.file("cut.bin"), "--trace", trace}), {"cut.bin"});
  Words instants;
  const Json events = Json::parse(content_of(trace))["traceEvents"];
  for (const Json& event : events)
    if (event["ph"] == "i") instants.push_back(event["name"]);
  ASSERT_EQ(instants.size(), 1u);
  EXPECT_EQ(instants[0], "creating " + folder.file("cut.bin"));
}

TEST_F(qnnpp_run, replaces_old_json_if_the_file_of_a_tensor_is_wrong) {
  const std::string json = folder.file("m.json");
  ASSERT_EQ(run({binary("stem"), "--quiet", "--json", json}).status, 0);
  const std::string none = folder.file("none.npy");
  expect_failed(run({binary("stem"), "--json", json, "--input", "image=" + none}), {none});
  EXPECT_EQ(Json::parse(content_of(json))["all_match"], false);
}

TEST_F(qnnpp_run, counts_only_the_measured_executions_of_a_pipelines_stages) {
  for (const char* const warmup : {"0", "7"}) {
    const Json measured = json({binary("stem"), binary("features"), "--pipeline", "stem,features",
                                "--warmup", warmup, "--repeat", "3"});
    const Json& stages = measured["executed"][0]["stages"];
    EXPECT_EQ(stages.size(), 2u);
    for (const Json& stage : stages) {
      EXPECT_EQ(stage["executions"], 3);
      EXPECT_GT(stage["total_us"], 0);
    }
  }
}

TEST_F(qnnpp_run, states_no_percentile_of_few_executions) {
  const auto measured = [&](const char* repeat) {
    return json({binary("stem"), "--repeat", repeat})["executed"][0]["us"];
  };
  const Json one = measured("1");
  for (const char* const name : {"p10", "p90", "p99", "spread"})
    EXPECT_TRUE(one[name].is_null()) << one;
  EXPECT_TRUE(measured("99")["p99"].is_null());
  EXPECT_TRUE(measured("100")["p99"].is_number());
  EXPECT_TRUE(std::regex_search(run({binary("stem")}).out,
                                std::regex("stem +1 +[0-9.]+ +- +- +[0-9.]+ +[0-9.]+ +-\n")));
}

TEST_F(qnnpp_run, prints_what_it_measured_even_if_a_file_cannot_be_written) {
  const std::string file = folder.file("m.json");
  const Ended ended = run({binary("stem"), "--trace", "/dev/full", "--json", file});
  expect_failed(ended, {"/dev/full"});
  EXPECT_NE(ended.out.find("stem: output strokes"), std::string::npos) << ended.out;
  EXPECT_EQ(Json::parse(content_of(file))["all_match"], true);
}

TEST_F(qnnpp_run, writes_the_profile_to_the_file_of_the_sdk) {
  const std::string file = folder.file("profile.bin");
  EXPECT_EQ(run({binary("stem"), "--quiet", "--sdk-profile", file}).status, 0);
  EXPECT_GT(std::filesystem::file_size(file), 0u);
  expect_failed(run({binary("stem"), "--quiet", "--sdk-profile", folder.file("none/p.bin")}),
                {"none/p.bin", "cannot be written"});
}

TEST_F(qnnpp_run, writes_the_backends_log_to_stderr) {
  EXPECT_EQ(run({binary("stem"), "--log", "error"}).error, "");
  EXPECT_EQ(run({binary("stem"), "--log", "warn"}).status, 0);
  const Ended logged = run({binary("stem"), "--log", "info"});
  EXPECT_EQ(logged.status, 0);
  EXPECT_NE(logged.error.find(" info "), std::string::npos) << logged.error;
  expect_refused(run({binary("stem"), "--log", "all"}), {"--log", "not in {"});
}

// ------------------------------------------------------------------------------ wrong arguments

TEST_F(qnnpp_run, reports_wrong_files_before_it_loads_anything) {
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  std::ofstream(folder.file("cut.npy")) << "\x93NUMPY\1";
  std::ofstream(folder.file("text.npy")) << "no numbers";
  const auto expect = [&](const std::string& argument, const Words& words) {
    for (const char* const option : {"--input", "--expect"}) {
      control().reset_counters();
      expect_failed(run({binary("stem"), option, argument}), words);
      EXPECT_EQ(calls(Slot::backend_create), 0u);
    }
  };
  expect("image=" + folder.file("none.npy"), {"none.npy", "cannot be read", "No such file"});
  expect("image=" + folder.path(), {folder.path(), "not a regular file"});
  expect("image=" + folder.file("pipe"), {"pipe", "not a regular file"});
  expect("image=" + folder.file("cut.npy"), {"cut.npy", "cut off"});
  expect("image=" + folder.file("text.npy"), {"text.npy", "does not begin as a .npy file"});
  expect("image", {"image", "TENSOR=FILE"});
  expect("=x", {"TENSOR=FILE"});
  expect("image=", {"TENSOR=FILE"});
  const std::string raw = folder.file("x.raw");
  std::ofstream(raw) << "12";
  expect_failed(run({binary("stem"), "--input", "image=" + raw, "--input", "image=" + raw}),
                {"image: two files"});
}

TEST_F(qnnpp_run, reports_files_that_do_not_fit_the_tensor) {
  const auto expect = [&](const std::string& file, const Words& words) {
    expect_failed(run({binary("stem"), "--input", "image=" + file}), words);
  };
  expect(write_floats("shape.npy", {4, 784}, std::vector<float>(3136)),
         {"shape.npy", "image has [4, 28, 28, 1]", "the file has [4, 784]"});
  const auto doubles = ::run::npy_file("<f8", std::vector<std::uint32_t>{4, 28, 28, 1},
                                       std::vector<std::byte>(8 * 3136));
  std::ofstream(folder.file("type.npy"), std::ios::binary)
      .write(reinterpret_cast<const char*>(doubles.data()),
             static_cast<std::streamsize>(doubles.size()));
  expect(folder.file("type.npy"), {"type.npy", "FLOAT_32", "'<f4'", "'<f8'"});
  std::ofstream(folder.file("short.raw")) << std::string(3136 * 4 - 1, 'x');
  expect(folder.file("short.raw"), {"short.raw", "12544 bytes, got 12543", "tensor image"});
  std::ofstream(folder.file("empty.raw"));
  expect(folder.file("empty.raw"), {"empty.raw", "12544 bytes, got 0"});
  expect_failed(run({binary("stem"), "--input", "strokes=" + folder.file("short.raw")}),
                {"strokes: no such input", "the inputs are image"});
  expect_failed(run({binary("stem"), "--expect", "image=" + folder.file("short.raw")}),
                {"image", "choosing outputs", "the outputs are strokes"});
  expect_failed(run({binary("stem"), "--expect", "strokes=" + folder.file("shape.npy")}),
                {"shape.npy", "strokes has [4, 28, 28, 8]"});
}

TEST_F(qnnpp_run, checks_the_files_of_all_graphs_before_the_first_execution) {
  const std::string wrong = write_floats("wrong.npy", {4, 11}, std::vector<float>(44));
  std::ofstream(folder.file("short.raw")) << "12";
  for (const Words& how :
       {Words{}, Words{"--residency", "1"}, Words{"--pipeline", "stem,features,gate,classifier"}})
    for (const Words& file : {Words{"--expect", "probabilities=" + wrong, "tensor probabilities"},
                              Words{"--expect", "probabilities=" + folder.file("short.raw"),
                                    "needs exactly 160 bytes, got 2"}}) {
      Words words{file[0], file[1]};
      words.insert(words.end(), how.begin(), how.end());
      control().reset_counters();
      expect_failed(all(words), {file[2]});
      EXPECT_EQ(calls(Slot::graph_execute), 0u);
    }
  control().reset_counters();
  expect_failed(all({"--input", "positions=" + wrong}), {wrong, "tensor positions"});
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
}

TEST_F(qnnpp_run, reports_wrong_options_in_one_line) {
  expect_refused(run({}), {"binaries is required"});
  expect_failed(run({folder.file("none.bin")}), {"none.bin", "cannot be read"});
  expect_refused(run({binary("stem"), "--repeat", "0"}), {"--repeat", "whole number from 1"});
  expect_refused(run({binary("stem"), "--warmup", "-1"}), {"--warmup"});
  expect_refused(run({binary("stem"), "--io", "none"}), {"--io", "not in {"});
  expect_refused(run({binary("stem"), "--sharing", "all"}), {"--sharing", "not in {"});
  for (const char* const tolerance : {"x", "1,", "1,2,3", "-1", "nan", "inf", "", "1;2"})
    expect_refused(run({binary("stem"), "--expect", "strokes=x", "--tolerance", tolerance}),
                   {"--tolerance"});
  expect_refused(run({binary("stem"), "--top-1"}), {"--top-1", "--expect"});
  expect_refused(run({binary("stem"), "--tolerance", "1"}), {"--tolerance", "--expect"});
  for (const char* const way : {"context_group", "none"})
    expect_refused(run({binary("stem"), "--weights-in-qnn", "--sharing", way}),
                   {"--weights-in-qnn has no effect", way});
  expect_failed(run({binary("stem"), "--pipeline", "stem,nil"}),
                {"nil", "no such name", "the graphs are stem"});
  expect_refused(run({binary("stem"), "--no\x1b]0;title"}), {"\\x1b]0;title", "--help"});
  for (const char* const option : {"--output", "--json", "--trace", "--sdk-profile", "--report"})
    expect_refused(run({binary("stem"), option, ""}), {option, "the name is empty"});
  expect_refused(run({binary("stem"), "--json", folder.file("a"), "--trace", folder.file("./a")}),
                 {"--json and --trace name one file"});
}

TEST_F(qnnpp_run, states_the_defaults_of_its_options) {
  std::istringstream help(run({"--help"}).out);
  std::string text;
  for (std::string word; help >> word;) text += word + " ";
  for (const char* const words :
       {"allocator of all buffers; default: rpcmem", "spill-fill memory; default: automatic",
        "inputs and outputs; default: registered", "seed of the noise; default: 0",
        "executions of each graph; default: 1", "before the measured ones; default: 0"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  EXPECT_NE(run({binary("stem")}).out.find("ms, 1 context in "), std::string::npos);
}

/// Binaries of graphs that the network of digits does not have.
class qnnpp_run_of_other_tensors : public qnnpp_run {
 protected:
  /// Writes a binary of a graph `name`: `output` is the larger of 0 and `input`, or the same. With
  /// DLBC, a tensor in between needs spill-fill memory.
  [[nodiscard]] std::string write_binary(const std::string& name, const qnnpp::TensorSpec& input,
                                         const std::string& output, const char* type,
                                         const qnnpp::GraphOptions& options = {}) const {
    using namespace qnnpp;
    const auto backend = must(load());
    auto context = must(Context<Composing>::create(backend));
    auto graph = must(Graph<Composing>::create(context, name, options));
    TensorSpec to = input;
    to.name = output;
    to.kind = c_api::TensorType::app_read;
    auto x = must(graph.add_tensor(input));
    if (options.dlbc == true) {
      TensorSpec between = input;
      between.name = "between";
      between.kind = c_api::TensorType::native;
      const auto middle = must(graph.add_tensor(between));
      must(graph.add_node({.name = "first", .type = type, .inputs = {x}, .outputs = {middle}}));
      x = middle;
    }
    const auto y = must(graph.add_tensor(to));
    must(graph.add_node({.name = "node", .type = type, .inputs = {x}, .outputs = {y}}));
    (void)must(std::move(graph).finalize());
    const auto bytes = must(must(std::move(context).finalize()).serialize());
    const std::string path = folder.file(name + ".bin");
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path;
  }
};

TEST_F(qnnpp_run_of_other_tensors, shares_spill_fill_without_dlbc_only_if_asked_to) {
  const qnnpp::TensorSpec x{.name = "x",
                            .kind = qnnpp::c_api::TensorType::app_write,
                            .data_type = qnnpp::c_api::DataType::float_32,
                            .dimensions = {1024, 64}};
  const std::string file = write_binary("net", x, "y", "Relu", {.dlbc = true});
  expect_failed(run({file, "--sharing", "external_buffer"}),
                {"graph 'net' was prepared with DLBC"});
  const Json kept = json({file});
  EXPECT_EQ(kept["sharing"], "none");
  EXPECT_NE(kept.value("reason", "").find("DLBC"), std::string::npos) << kept;
  EXPECT_EQ(json({file, "--share-without-dlbc"})["sharing"], "external_buffer");
}

TEST_F(qnnpp_run_of_other_tensors, names_the_file_whose_shape_dynamic_dimensions_do_not_permit) {
  set(&sim::Config::dynamic_dimensions, 1u);
  qnnpp::TensorSpec x{.name = "x",
                      .kind = qnnpp::c_api::TensorType::app_write,
                      .data_type = qnnpp::c_api::DataType::float_32,
                      .dimensions = {4, 3},
                      .dynamic_dimensions = {1, 0}};
  const std::string first = write_binary("first", x, "y", "Relu");
  x.name = "y";
  const std::string second = write_binary("second", x, "z", "Relu");
  const std::string two = write_floats("two.npy", {2, 3}, std::vector<float>(6));
  const std::string four = write_floats("four.npy", {4, 3}, std::vector<float>(12));
  const auto expect = [&](const std::string& file, const char* shape) {
    expect_failed(run({first, "--input", "x=" + file}),
                  {file, "tensor x has [1 to 4, 3], the file has ", shape});
  };
  expect(write_floats("five.npy", {5, 3}, std::vector<float>(15)), "[5, 3]");
  expect(write_floats("flat.npy", {6}, std::vector<float>(6)), "[6]");
  expect(write_floats("none.npy", {0, 3}, {}), "[0, 3]");
  EXPECT_EQ(json({first, "--input", "x=" + two})["executed"][0]["outputs"][0]["dimensions"],
            Json({2, 3}));
  // A pipeline executes with the largest extents.
  const Words pipeline{first, second, "--pipeline", "first,second", "--input"};
  Words too_short = pipeline;
  too_short.push_back("x=" + two);
  expect_failed(run(too_short), {two, "tensor x has [4, 3], the file has [2, 3]"});
  Words whole = pipeline;
  whole.push_back("x=" + four);
  EXPECT_EQ(run(whole).status, 0);
}

TEST_F(qnnpp_run_of_other_tensors, tells_graphs_of_one_name_apart_by_their_binaries) {
  qnnpp::TensorSpec x{.name = "x",
                      .kind = qnnpp::c_api::TensorType::app_write,
                      .data_type = qnnpp::c_api::DataType::float_32,
                      .dimensions = {2, 3}};
  const auto write_net = [&](const char* name) {
    const std::string path = folder.file(name);
    std::filesystem::rename(write_binary("net", x, "y", "Relu"), path);
    return path;
  };
  const std::string first = write_net("first.bin");
  x.dimensions = {4, 3};
  const std::string second = write_net("second.bin");
  x.name = "y";
  std::filesystem::rename(write_binary("net", x, "z", "Relu"), folder.file("third.bin"));
  const std::string third = folder.file("third.bin");

  const Ended both = run({first, second});
  for (const char* const words :
       {"\nfirst.bin:net ", "\nsecond.bin:net ", "first.bin:net: input x FLOAT_32 [2, 3]"})
    EXPECT_NE(both.out.find(words), std::string::npos) << both.out;
  const Json one = json({first, second, "--graph", "second.bin:net"})["executed"];
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0]["context"], second);
  EXPECT_EQ(json({first, second, "--residency", "1", "--graph",
                  "second.bin:net"})["executed"][0]["context"],
            second);
  expect_failed(run({first, second, "--graph", "third.bin:net"}), {"no such name"});

  expect_failed(run({second, third, "--pipeline", "net"}),
                {"net", "write BINARY:GRAPH, such as second.bin:net"});
  const Ended chained = run({second, third, "--pipeline", "second.bin:net," + third + ":net"});
  EXPECT_EQ(chained.status, 0) << chained.error;
  for (const char* const words : {"  second.bin:net ", "  third.bin:net "})
    EXPECT_NE(chained.out.find(words), std::string::npos) << chained.out;

  // A file for each graph, though their inputs have one name.
  const std::string two = write_floats("two.npy", {2, 3}, std::vector<float>(6, 2));
  const std::string four = write_floats("four.npy", {4, 3}, std::vector<float>(12, 4));
  const Words files{first,      second,
                    "--input",  "first.bin:net/x=" + two,
                    "--input",  "second.bin:net/x=" + four,
                    "--expect", "first.bin:net/y=" + two,
                    "--expect", second + ":net/y=" + four};
  const Ended compared = run(files);
  EXPECT_EQ(compared.status, 0) << compared.error;
  EXPECT_NE(compared.out.find("y of second.bin:net: ok"), std::string::npos) << compared.out;
  Words twice = files;
  twice.insert(twice.end(), {"--input", "net/x=" + two});
  expect_failed(run(twice), {"x: two files"});
  expect_failed(run({first, second, "--input", "x=" + two}), {two, "tensor x has [4, 3]"});
}

TEST_F(qnnpp_run_of_other_tensors, says_that_4_bit_tensors_need_raw_memory) {
  const std::string file = write_binary("four",
                                        {.name = "x",
                                         .kind = qnnpp::c_api::TensorType::app_write,
                                         .data_type = qnnpp::c_api::DataType::sfixed_point_4,
                                         .dimensions = {2, 3},
                                         .quantisation = {0.25f, 0}},
                                        "y", "Reshape");
  expect_failed(run({file}), {"4-bit tensors need --io raw"});
  EXPECT_EQ(run({file, "--io", "raw"}).status, 0);
}

// ------------------------------------------------------------------------------------- Ctrl-C

/// Sends a signal to the process as soon as the simulated HTP was called `count` times.
class InterruptAfter {
 public:
  InterruptAfter(Slot slot, std::uint64_t count, int signal = SIGINT)
      : thread_([=] {
          while (control().calls(slot) < count) std::this_thread::yield();
          ::kill(::getpid(), signal);
        }) {}
  InterruptAfter(const InterruptAfter&) = delete;
  InterruptAfter& operator=(const InterruptAfter&) = delete;
  ~InterruptAfter() { thread_.join(); }

 private:
  std::thread thread_;
};

TEST_F(qnnpp_run, ends_with_130_and_leaves_nothing_after_ctrl_c) {
  for (const Words& words : {Words{"--graph", "stem"}, Words{"--pipeline", "stem,features"},
                             Words{"--residency", "1"}, Words{"--io", "raw"}}) {
    Words all_words = words;
    all_words.insert(all_words.end(), {"--repeat", "1000000000"});
    control().reset_counters();
    Ended ended;
    {
      const InterruptAfter interrupt(Slot::graph_execute, 3);
      ended = all(all_words);
    }
    EXPECT_EQ(ended.status, 130);
    EXPECT_NE(ended.out.find("microseconds"), std::string::npos) << ended.out;
    EXPECT_EQ(ended.error, "qnnpp-run: interrupted; everything is released\n");
    expect_nothing_left(descriptors());
  }
  // The program has restored the handler of the process.
  struct sigaction now{};
  ::sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST_F(qnnpp_run, ends_in_the_same_way_if_it_is_terminated_or_its_terminal_closes) {
  for (const int signal : {SIGTERM, SIGHUP}) {
    control().reset_counters();
    const std::string json = folder.file("m.json");
    Ended ended;
    {
      const InterruptAfter interrupt(Slot::graph_execute, 3, signal);
      ended = all({"--repeat", "1000000000", "--json", json});
    }
    EXPECT_EQ(ended.status, 128 + signal);
    EXPECT_EQ(ended.error, "qnnpp-run: interrupted; everything is released\n");
    EXPECT_EQ(Json::parse(content_of(json))["error"], "interrupted");
    expect_nothing_left(descriptors());
  }
}

TEST_F(qnnpp_run, ignores_a_signal_that_the_process_ignores) {
  struct sigaction ignored{};
  ignored.sa_handler = SIG_IGN;
  struct sigaction before{};
  ::sigaction(SIGHUP, &ignored, &before);
  Ended ended;
  {
    const InterruptAfter interrupt(Slot::graph_execute, 3, SIGHUP);
    ended = run({binary("stem"), "--repeat", "200"});
  }
  struct sigaction now{};
  ::sigaction(SIGHUP, &before, &now);
  EXPECT_EQ(ended.status, 0) << ended.error;
  EXPECT_EQ(now.sa_handler, SIG_IGN);
}

TEST_F(qnnpp_run, stops_loading_after_ctrl_c) {
  Words many{"--repeat", "1000000000"};
  for (int i = 0; i < 4000; ++i) many.push_back(binary("stem"));
  Ended ended;
  {
    const InterruptAfter interrupt(Slot::context_create_from_binary, 1);
    ended = run(many);
  }
  EXPECT_EQ(ended.status, 130) << ended.error;
  EXPECT_EQ(ended.error, "qnnpp-run: interrupted; everything is released\n");
  EXPECT_LT(calls(Slot::context_create_from_binary), 4000u);
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
}

/// Lets executions last for ever once the program has made `fast` calls of QnnGraph_execute. Then
/// sends a signal, unless it is 0.
class SlowAfter {
 public:
  explicit SlowAfter(std::uint64_t fast, int signal = 0)
      : thread_([=] {
          const auto wait_for = [](std::uint64_t count) {
            while (control().calls(Slot::graph_execute) < count) std::this_thread::yield();
          };
          wait_for(fast);
          sim::Config config = control().config();
          config.node_delay_us = 600'000'000;
          (void)control().set_config(config);
          // One may have begun before.
          wait_for(control().calls(Slot::graph_execute) + (signal == 0 ? 0 : 1));
          if (signal != 0) ::kill(::getpid(), signal);
        }) {}
  SlowAfter(const SlowAfter&) = delete;
  SlowAfter& operator=(const SlowAfter&) = delete;
  ~SlowAfter() { thread_.join(); }

 private:
  std::thread thread_;
};

TEST_F(qnnpp_run, ends_an_execution_in_progress_and_prints_what_was_measured_before) {
  const std::string file = folder.file("m.json");
  for (const Words& words : {Words{"--graph", "gate"}, Words{"--pipeline", "stem,features"},
                             Words{"--graph", "gate", "--residency", "1"}}) {
    Words all_words = words;
    all_words.insert(all_words.end(), {"--repeat", "1000000000", "--json", file});
    control().reset_counters();
    set(&sim::Config::node_delay_us, 0u);
    Ended ended;
    {
      const SlowAfter slow(8, SIGINT);
      ended = all(all_words);
    }
    EXPECT_EQ(ended.status, 130);
    EXPECT_EQ(ended.error, "qnnpp-run: interrupted; everything is released\n");
    const Json measured = Json::parse(content_of(file));
    EXPECT_EQ(measured["error"], "interrupted");
    EXPECT_EQ(measured["all_match"], false);
    ASSERT_EQ(measured["executed"].size(), 1u);
    const std::uint64_t count = measured["executed"][0]["us"]["count"];
    EXPECT_GE(count, 3u);
    EXPECT_LT(count, calls(Slot::graph_execute));
    EXPECT_TRUE(measured["executed"][0]["outputs"].empty());
    EXPECT_NE(ended.out.find("  " + std::to_string(count) + "  "), std::string::npos) << ended.out;
    expect_nothing_left(descriptors());
  }
}

TEST_F(qnnpp_run, ends_a_load_in_progress_where_the_library_does) {
  set(&sim::Config::host_library, static_cast<std::uint32_t>(sim::HostLibrary::v2_43_1));
  for (const Words& words : {Words{"--sharing", "none"}, Words{"--residency", "1"}}) {
    // Without a deferred initialisation, a residency restores each context by one call too.
    set(&sim::Config::deferred_init, words[0] == "--sharing" ? 1u : 0u);
    Words all_words = words;
    all_words.insert(all_words.end(), {"--io", "raw"});
    set(&sim::Config::load_delay_us, 0u);
    control().reset_counters();
    EXPECT_EQ(all(all_words).status, 0);
    const std::uint64_t failed = control().counters().failed_calls;
    set(&sim::Config::load_delay_us, 1'000'000u);
    control().reset_counters();
    Ended ended;
    {
      const InterruptAfter interrupt(Slot::context_create_from_binary_with_signal, 1);
      ended = all(all_words);
    }
    EXPECT_EQ(ended.status, 130);
    EXPECT_EQ(ended.out, "") << "nothing was executed";
    EXPECT_EQ(ended.error, "qnnpp-run: interrupted; everything is released\n");
    EXPECT_EQ(calls(Slot::context_create_from_binary_with_signal), 1u);
    EXPECT_GT(control().counters().failed_calls, failed) << "the creation";
    EXPECT_EQ(calls(Slot::graph_execute), 0u);
    expect_nothing_left(descriptors());
  }
}

TEST_F(qnnpp_run, ends_an_execution_that_reaches_its_timeout) {
  const std::string file = folder.file("m.json");
  const Words words{"--timeout", "0.05", "--json", file, "--repeat", "1000000000"};
  for (const Words& graphs : {Words{"--graph", "gate"}, Words{"--pipeline", "gate,classifier"}}) {
    Words all_words = words;
    all_words.insert(all_words.end(), graphs.begin(), graphs.end());
    control().reset_counters();
    set(&sim::Config::node_delay_us, 0u);
    Ended ended;
    {
      const SlowAfter slow(8);
      ended = all(all_words);
    }
    EXPECT_EQ(ended.status, 124);
    EXPECT_EQ(std::count(ended.error.begin(), ended.error.end(), '\n'), 1) << ended.error;
    EXPECT_EQ(ended.error.find("qnnpp-run: "), 0u) << ended.error;
    EXPECT_NE(ended.error.find("executing did not end in time"), std::string::npos) << ended.error;
    EXPECT_NE(ended.error.find(" ms of at most 50 ms"), std::string::npos) << ended.error;
    const Json measured = Json::parse(content_of(file));
    EXPECT_EQ("qnnpp-run: " + measured.value("error", "") + "\n", ended.error);
    ASSERT_EQ(measured["executed"].size(), 1u);
    EXPECT_GE(measured["executed"][0]["us"]["count"], 3u);
    EXPECT_NE(ended.out.find("microseconds"), std::string::npos) << ended.out;
    expect_nothing_left(descriptors());
  }
}

TEST_F(qnnpp_run, reports_an_execution_that_lasts_longer_although_nothing_ended_it) {
  set(&sim::Config::dsp_aborts, 0u);
  set(&sim::Config::node_delay_us, 2'000u);
  const std::string file = folder.file("m.json");
  const Ended ended =
      run({binary("gate"), "--timeout", "0.001", "--repeat", "1000", "--json", file});
  EXPECT_EQ(ended.status, 124);
  EXPECT_EQ(ended.error.find("qnnpp-run: gate: executing did not end in time"), 0u) << ended.error;
  EXPECT_NE(ended.error.find("it ended by itself after "), std::string::npos) << ended.error;
  EXPECT_NE(ended.error.find(" ms of at most 1 ms"), std::string::npos) << ended.error;
  EXPECT_EQ(Json::parse(content_of(file))["executed"][0]["us"]["count"], 1) << ended.out;
  EXPECT_EQ(calls(Slot::graph_execute), 1u);
}

TEST_F(qnnpp_run, takes_a_timeout_in_seconds_above_0) {
  for (const char* const time : {"0", "-1", "", "x", "1s", "nan", "inf"})
    expect_refused(run({binary("stem"), "--timeout", time}), {"--timeout"});
  for (const char* const time : {"1000", "1e9", "600.5"})
    EXPECT_EQ(run({binary("stem"), "--quiet", "--timeout", time}).status, 0) << time;
}

TEST_F(qnnpp_run, has_an_exit_code_for_each_way_to_end) {
  const std::string zeros = write_floats("zeros.npy", {4, 10}, std::vector<float>(40, 0.0f));
  const Words job{binary("classifier"), "--quiet", "--repeat", "3"};
  const auto code = [&](const Words& more) {
    Words words = job;
    words.insert(words.end(), more.begin(), more.end());
    return run(words).status;
  };
  EXPECT_EQ(code({}), 0);
  EXPECT_EQ(code({"--rpcmem", "none.so"}), 1);
  control().fail_call(Slot::graph_execute, 2, 1002);
  EXPECT_EQ(code({}), 1);
  EXPECT_EQ(code({"--repeat", "none"}), 2);
  EXPECT_EQ(code({"--expect", "probabilities=" + zeros}), 3);
  set(&sim::Config::node_delay_us, 600'000'000u);
  EXPECT_EQ(code({"--timeout", "0.001"}), 124);
  control().reset_counters();
  const InterruptAfter interrupt(Slot::graph_execute, 1);
  EXPECT_EQ(code({}), 130);
  const Ended help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("exit codes: 0: "), std::string::npos) << help.out;
}

// ---------------------------------------------------------------------------------- assistant

/// examples/assistant.cpp, which runs the four binaries.
class an_assistant : public qnnpp_run {
 protected:
  /// Gives the program the first eight images only.
  void SetUp() override {
    qnnpp_run::SetUp();
    std::string error;
    auto images = digits::load_all_images(QNNPP_DIGITS_DATA);
    images.pixels.resize(8 * digits::image_pixels);
    images.labels.resize(8);
    ASSERT_TRUE(digits::save_images(folder.file("images.bin"), images, error)) << error;
    std::filesystem::copy_file(QNNPP_DIGITS_DATA "/weights.bin", folder.file("weights.bin"));
  }
  [[nodiscard]] Ended work(const Words& more = {}) const { return work(more, true); }
  [[nodiscard]] Ended work(const Words& more, bool capture_error) const {
    Words words{"assistant", "--backend",   htp_library, "--rpcmem",   rpcmem_library,
                "--folder",  folder.path(), "--data",    folder.path()};
    words.insert(words.end(), more.begin(), more.end());
    return call(&assistant_main, words, capture_error);
  }
};

TEST_F(an_assistant, gives_back_its_vote_and_all_else_after_ctrl_c) {
  Ended ended;
  {
    const InterruptAfter interrupt(Slot::graph_execute, 8);
    ended = work({"--data", QNNPP_DIGITS_DATA});
  }
  EXPECT_EQ(ended.status, 130);
  EXPECT_EQ(ended.error, "assistant: interrupted; everything is released\n");
  EXPECT_EQ(ended.out.find("images right"), std::string::npos) << ended.out;
  expect_nothing_left(descriptors());
}

TEST_F(an_assistant, ends_with_an_error_and_leaves_nothing_if_a_call_fails) {
  (void)work();
  std::vector<Slot> called;
  for (std::uint32_t slot = 0; slot < sim::table_slots; ++slot)
    if (calls(static_cast<Slot>(slot)) > 0) called.push_back(static_cast<Slot>(slot));
  EXPECT_GT(called.size(), 15u);
  // Releases except that of the network, which the program closes; events, which their profile then
  // lacks; signals, without which Ctrl-C waits for an execution; and a lack of room in one way of
  // sharing, after which automatic sharing finds another one.
  const std::set<std::string> may_fail{"QnnBackend_free",
                                       "QnnDevice_free",
                                       "QnnLog_free",
                                       "QnnMem_deRegister",
                                       "QnnProfile_free",
                                       "QnnSignal_create",
                                       "QnnSignal_free",
                                       "QnnProfile_getEvents",
                                       "QnnProfile_getSubEvents",
                                       "QnnProfile_getExtendedEventData",
                                       "QnnContext_createFromBinary",
                                       "QnnContext_getProperty",
                                       "QnnMem_register",
                                       "QnnContext_finalize"};
  for (const Slot slot : called) {
    const std::string name = c_api::slots[static_cast<std::size_t>(slot)].name;
    SCOPED_TRACE(name);
    control().reset_counters();
    control().fail_call(slot, 1, 1002, false);
    const Ended ended = work();
    EXPECT_EQ(control().counters().faults_fired, 1u);
    control().clear_faults();
    EXPECT_EQ(ended.status, may_fail.contains(name) ? 0 : 1);
    const bool names_call = slot == Slot::graph_execute || slot == Slot::graph_retrieve;
    const std::string words = names_call          ? name + " returned 1002"
                              : ended.status == 0 ? ""
                                                  : "assistant: ";
    EXPECT_NE(ended.error.find(words), std::string::npos) << ended.error;
    expect_nothing_left(descriptors());
  }
}

TEST_F(an_assistant, checks_the_file_of_its_trace_before_it_loads_anything) {
  const Ended ended = work({"--trace", folder.file("none/t.json")});
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.error.find("none/t.json: the file cannot be written"), std::string::npos);
  EXPECT_EQ(calls(Slot::backend_create), 0u);
}

TEST_F(an_assistant, prints_its_result_even_if_the_trace_cannot_be_written) {
  const Ended ended = work({"--trace", "/dev/full"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.error.find("/dev/full: the file cannot be written"), std::string::npos);
  EXPECT_NE(ended.out.find("8 of 8 images right"), std::string::npos) << ended.out;
}

TEST(programs, make_no_call_of_the_c_api) {
  namespace fs = std::filesystem;
  const fs::path examples = QNNPP_SOURCE_DIR "/examples";
  std::vector<fs::path> sources{examples / "assistant.cpp", examples / "qnnpp-run.cpp"};
  for (const char* const folder : {"digits", "run", "tool"})  // The headers that they include.
    for (const auto& file : fs::directory_iterator(examples / folder))
      if (file.path().extension() == ".hpp") sources.push_back(file.path());
  const std::regex call("Qnn[A-Z][A-Za-z]*_|rpcmem_");
  for (const fs::path& source : sources) {
    const std::string text = content_of(source);
    ASSERT_FALSE(text.empty()) << source;
    EXPECT_FALSE(std::regex_search(text, call)) << source;
    const bool is_one_page = source.filename() == "assistant.cpp";
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), is_one_page ? 200 : 600) << source;
  }
}

// ----------------------------------------------------------------------------------- progress

/// Makes stderr a terminal while it lives.
class Terminal {
 public:
  explicit Terminal(unsigned short columns = 60)
      : master_(::posix_openpt(O_RDWR | O_NOCTTY)), old_(::dup(2)) {
    EXPECT_EQ(::grantpt(master_), 0);
    EXPECT_EQ(::unlockpt(master_), 0);
    const int slave = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    winsize size{};
    size.ws_col = columns;
    ::ioctl(slave, TIOCSWINSZ, &size);
    ::dup2(slave, 2);
    ::close(slave);
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { (void)drawn(); }

  /// Restores stderr and returns what was drawn.
  std::string drawn() {
    if (old_ < 0) return {};
    std::string text;
    char part[4096];
    for (ssize_t count = 0; (count = ::read(master_, part, sizeof(part))) > 0;)
      text.append(part, static_cast<std::size_t>(count));
    ::dup2(old_, 2);
    ::close(old_);
    ::close(master_);
    old_ = -1;
    return text;
  }

 private:
  int master_;
  int old_;
};

/// Returns what a terminal shows after this text, without colours.
std::string screen_of(const std::string& text) {
  std::string line;
  std::size_t at = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else if (text[i] == '\r') {
      at = 0;
    } else {
      if (at == line.size()) line += ' ';
      line[at++] = text[i];
    }
  }
  return line;
}

TEST_F(qnnpp_run, draws_one_line_of_progress_on_a_terminal_and_erases_it) {
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "xterm", 1);
  const auto drawn = [&](const Words& more) {
    Words words{binary("stem"), binary("gate"), "--repeat", "20"};
    words.insert(words.end(), more.begin(), more.end());
    Terminal terminal;
    EXPECT_EQ(run(words, false).status, 0);
    return terminal.drawn();
  };
  const std::string colours = drawn({});
  EXPECT_NE(colours.find("1 of 2, "), std::string::npos) << colours;
  EXPECT_NE(colours.find("\x1b[32m"), std::string::npos) << colours;
  EXPECT_EQ(colours.find('\n'), std::string::npos) << colours;
  EXPECT_EQ(screen_of(colours).find_first_not_of(' '), std::string::npos) << screen_of(colours);
  EXPECT_LT(screen_of(colours).size(), 60u);
  ::setenv("NO_COLOR", "1", 1);
  const std::string plain = drawn({});
  ::unsetenv("NO_COLOR");
  EXPECT_NE(plain.find("1 of 2, "), std::string::npos) << plain;
  EXPECT_EQ(plain.find('\x1b'), std::string::npos) << plain;
  EXPECT_EQ(drawn({"--quiet"}), "");
}

TEST_F(an_assistant, draws_no_progress_if_it_is_told_to_be_quiet) {
  const auto drawn = [&](const Words& more) {
    Terminal terminal;
    EXPECT_EQ(work(more, false).status, 0);
    return terminal.drawn();
  };
  EXPECT_NE(drawn({}).find("1 of 4, "), std::string::npos);
  EXPECT_EQ(drawn({"--quiet"}), "");
}

TEST(a_line_of_progress, is_erased_before_another_line_is_printed) {
  Terminal terminal;
  tool::ProgressLine progress;
  progress.draw(1, 2, "image 196");
  std::thread([&] { progress.print("warn: \x1b]0;title"); }).join();
  progress.draw(2, 2, "image 200", true);
  progress.erase();
  std::istringstream lines(terminal.drawn());
  std::string first;
  std::getline(lines, first);
  EXPECT_NE(first.find("image 196"), std::string::npos) << first;
  if (!first.empty() && first.back() == '\r') first.pop_back();  // The terminal's own.
  const std::string shown = screen_of(first);
  EXPECT_EQ(shown.substr(0, shown.find_last_not_of(' ') + 1), "warn: \\x1b]0;title");
  std::string second;
  std::getline(lines, second);
  EXPECT_EQ(screen_of(second).find_first_not_of(' '), std::string::npos) << second;
}

TEST(a_line_of_progress, fits_the_terminal) {
  const auto drawn = [](unsigned short columns) {
    Terminal terminal(columns);
    tool::ProgressLine progress;
    // Four characters of two columns each, then 50 of one.
    progress.draw(1, 2, "\u6a21\u578b\u6a21\u578b" + std::string(50, 'x'));
    std::string text = terminal.drawn();
    return screen_of(text);
  };
  EXPECT_EQ(drawn(40), "[##########..........] ????xxxxxxxxxxxx");
  EXPECT_EQ(drawn(24), "[##########..........] ");
  EXPECT_EQ(drawn(23), "");
  EXPECT_EQ(drawn(5), "");
}

}}  // namespace support
