// ONNX files with context binaries: the reader, and the programs that take them.
#include "tool/onnx.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fixture.hpp"
#include "onnx_file.hpp"
#include "run_main.hpp"
#include "temporary_folder.hpp"
#include "tool/program.hpp"

int make_binaries_main(int argc, char** argv);
int qnnpp_plan_main(int argc, char** argv);
int qnnpp_run_main(int argc, char** argv);

namespace support { namespace {

using qnnpp::Errc;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}
std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
qnnpp::Error onnx_error(const std::string& file) {
  const auto read = tool::read_onnx(bytes_of(file), "m.onnx");
  EXPECT_FALSE(read) << "an error was expected";
  return read ? qnnpp::Error() : read.error();
}

// ---------------------------------------------------------------------------------- the reader

TEST(an_onnx_file, has_the_contexts_of_its_nodes_in_it_or_beside_it) {
  const std::string inside = onnx::model(onnx::ep_context(std::string("a\0b", 3), true));
  const auto embedded = tool::read_onnx(bytes_of(inside), "m.onnx");
  ASSERT_TRUE(embedded) << embedded.error().message();
  ASSERT_EQ(embedded->contexts.size(), 1u);
  EXPECT_EQ(text_of(embedded->contexts[0].bytes), std::string("a\0b", 3));
  const std::string both =
      onnx::model(onnx::node("Relu", "") + onnx::ep_context("folder/m_qnn.bin", false) +
                  onnx::node("EPContext", onnx::attribute("main_context", 0) +
                                              onnx::attribute("source", "QNN")) +
                  onnx::node("EPContext", onnx::attribute("ep_cache_context", "inside")));
  const auto read = tool::read_onnx(bytes_of(both), "m.onnx");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->nodes, 4u);
  ASSERT_EQ(read->contexts.size(), 2u) << "a node without main context shares that of another one";
  EXPECT_EQ(read->contexts[0].file, "folder/m_qnn.bin");
  EXPECT_TRUE(read->contexts[0].bytes.empty());
  EXPECT_EQ(text_of(read->contexts[1].bytes), "inside") << "embedded is the default";
}

TEST(an_onnx_file, without_a_context_says_what_to_do) {
  const auto error = onnx_error(onnx::model(onnx::node("Relu", "") + onnx::node("Add", "")));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  for (const char* const words : {"m.onnx", "none of its 2 nodes is an EPContext",
                                  "ep.context_enable=1", "ep.context_embed_mode=1", "give a .bin"})
    EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
}

TEST(an_onnx_file, that_is_wrong_is_malformed_and_says_why) {
  const std::string good = onnx::model(onnx::ep_context("c", true));
  const std::pair<std::string, const char*> cases[] = {
      {"", "no ONNX model"},
      {"no model", "damaged"},
      {onnx::number(1, 8), "no ONNX model"},
      {onnx::bytes(7, ""), "no ONNX model"},
      {onnx::number(1, 8) + onnx::number(7, 1), "no ONNX model"},
      {good + '\x0B', "damaged"},                   // A group.
      {good + '\x00', "damaged"},                   // Field 0.
      {good + std::string(11, '\xFF'), "damaged"},  // A number of more than ten bytes.
      {good + "\x08" + std::string(9, '\xFF') + '\x02', "damaged"},  // More than 64 bits.
      {good + onnx::varint(9 << 3 | 2) + onnx::varint(UINT64_MAX), "damaged"},
      {onnx::model(onnx::ep_context("", true)), "no ep_cache_context"},
      {onnx::model(onnx::node("EPContext", "")), "no ep_cache_context"},
      {onnx::model(onnx::node("EPContext", onnx::attribute("source", "OpenVINO"))),
       "not one of QNN"},
      {onnx::model(onnx::ep_context("", false)), "no ep_cache_context"},
      {onnx::model(onnx::ep_context("/etc/passwd", false)), "no file in its folder"},
      {onnx::model(onnx::ep_context("a/../../b.bin", false)), "no file in its folder"},
      {onnx::model(onnx::ep_context("..", false)), "no file in its folder"},
      {onnx::model(onnx::ep_context(std::string("a\0b", 3), false)), "no file in its folder"}};
  for (const auto& [file, why] : cases) {
    const auto error = onnx_error(file);
    EXPECT_EQ(error.kind, Errc::malformed) << why;
    EXPECT_NE(error.message().find(why), std::string::npos) << error.message();
  }
  EXPECT_TRUE(tool::read_onnx(bytes_of(onnx::model(onnx::ep_context("..b/c..", false))), "m.onnx"));
}

TEST(an_onnx_file, that_is_cut_or_damaged_anywhere_is_read_or_an_error) {
  const std::string whole =
      onnx::model(onnx::node("Relu", "") + onnx::ep_context("m_qnn.bin", false) +
                  onnx::ep_context(std::string(300, 'c'), true));
  // Each text is at an address of its own, for the sanitizers.
  const auto read = [](const std::string& text) {
    const std::vector<char> copy(text.begin(), text.end());
    const auto file = std::as_bytes(std::span(copy));
    const auto found = tool::read_onnx(file, "m.onnx");
    if (!found) return;
    for (const auto& context : found->contexts)
      if (!context.bytes.empty()) {
        EXPECT_GE(context.bytes.data(), file.data());
        EXPECT_LE(context.bytes.data() + context.bytes.size(), file.data() + file.size());
      }
  };
  for (std::size_t length = 0; length < whole.size(); ++length) {
    read(whole.substr(0, length));
    EXPECT_FALSE(tool::read_onnx(bytes_of(whole).first(length), "cut.onnx") &&
                 length + 10 < whole.size())
        << length;
  }
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (unsigned value = 0; value < 256; ++value) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      read(damaged);
    }
  std::minstd_rand random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = whole;
    for (unsigned changes = 1 + random() % 8; changes != 0; --changes) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0: damaged[at] = static_cast<char>(random()); break;
        case 1: damaged.erase(at, 1 + random() % 9); break;
        default: damaged.insert(at, 1 + random() % 9, static_cast<char>(random()));
      }
      if (damaged.empty()) damaged = whole;
    }
    read(damaged);
  }
}

// -------------------------------------------------------------------------------- the programs

class an_onnx_file_of_a_program : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    ASSERT_EQ(
        run(&make_binaries_main, {"make_binaries", "--backend", htp_library, "--output",
                                  folder.path(), "--input_output_tensor_mem_type", "memhandle"}),
        0)
        << error;
    std::ifstream file(folder.file("stem.bin"), std::ios::binary);
    const std::string binary(std::istreambuf_iterator<char>(file), {});
    write("inside.onnx", onnx::model(onnx::ep_context(binary, true)));
    write("beside.onnx", onnx::model(onnx::ep_context("stem.bin", false)));
    write("twice.onnx",
          onnx::model(onnx::ep_context("gate.bin", false) + onnx::ep_context(binary, true)));
    write("plain.onnx", onnx::model(onnx::node("Relu", "")));
  }
  void write(const std::string& name, const std::string& text) const {
    tool::write(folder.file(name), text);
  }
  int run(int (*program)(int, char**), std::vector<std::string> arguments) {
    const Ended ended = run_main(program, std::move(arguments));
    error = ended.error;
    out = ended.out;
    return ended.status;
  }
  int execute(std::vector<std::string> more) {
    more.insert(more.begin(), {"qnnpp-run", "--backend", htp_library, "--rpcmem", rpcmem_library});
    return run(&qnnpp_run_main, more);
  }
  int plan(std::vector<std::string> more) {
    more.insert(more.begin(), {"qnnpp-plan", "--backend", htp_library});
    return run(&qnnpp_plan_main, more);
  }

  const TemporaryFolder folder;
  std::string out, error;
};

TEST_F(an_onnx_file_of_a_program, is_executed_and_planned_as_its_binary) {
  const std::string expected = folder.file("expected");
  ASSERT_EQ(execute({folder.file("stem.bin"), "--output", expected}), 0) << error;
  for (const char* const name : {"inside.onnx", "beside.onnx"}) {
    EXPECT_EQ(execute({folder.file(name), "--expect", "strokes=" + expected + "/stem/strokes.npy",
                       "--tolerance", "0"}),
              0)
        << error << out;
    EXPECT_EQ(plan({folder.file(name)}), 0) << error;
    EXPECT_NE(out.find("made by SDK"), std::string::npos) << out;
  }
  EXPECT_EQ(execute({folder.file("twice.onnx")}), 0) << error;
  for (const char* const words : {"gate: output", "stem: output", "twice.onnx#2: "})
    EXPECT_NE(out.find(words), std::string::npos) << out;
}

TEST_F(an_onnx_file_of_a_program, without_a_context_or_its_file_is_one_line) {
  const auto expect = [&](const std::string& file, const char* words) {
    for (const int status : {execute({file}), plan({file})}) {
      EXPECT_EQ(status, 1);
      EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
      EXPECT_NE(error.find(words), std::string::npos) << error;
    }
  };
  expect(folder.file("plain.onnx"), "ep.context_enable=1");
  expect(folder.file("none.onnx"), "cannot be read");
  std::filesystem::remove(folder.file("stem.bin"));
  expect(folder.file("beside.onnx"), "/stem.bin: ");
}

TEST_F(an_onnx_file_of_a_program, is_not_overwritten_nor_the_file_beside_it) {
  for (const char* const file : {"beside.onnx", "stem.bin"}) {
    EXPECT_EQ(execute({folder.file("beside.onnx"), "--json", folder.file(file)}), 2);
    EXPECT_NE(error.find("a binary and --json name one file"), std::string::npos) << error;
  }
}

TEST_F(an_onnx_file_of_a_program, is_in_a_manifest_if_its_binary_is_a_file) {
  const std::string manifest = folder.file("manifest.json");
  EXPECT_EQ(plan({folder.file("inside.onnx"), "--write-manifest", manifest}), 1);
  EXPECT_NE(error.find("ep.context_embed_mode=0"), std::string::npos) << error;
  EXPECT_FALSE(std::filesystem::exists(manifest));
  ASSERT_EQ(plan({folder.file("beside.onnx"), "--write-manifest", manifest}), 0) << error;
  EXPECT_EQ(execute({folder.file("beside.onnx"), "--manifest", manifest}), 0) << error;
}

}}  // namespace support
