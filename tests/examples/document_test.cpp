// docs/from-the-tutorial.md is correct: its table matches the counted statements, and its links
// lead to tests.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "statements.hpp"

namespace support { namespace {

const std::string root = QNNPP_SOURCE_DIR "/";

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Statements count(const std::string& path, const std::vector<std::string>& functions) {
  const std::string source = text_of(root + path);
  Statements sum;
  for (const std::string& function : functions) {
    const std::string body = body_of(source, function);
    EXPECT_NE(body, "") << path << " defines no " << function;
    sum += count_statements(body);
  }
  return sum;
}

TEST(statements, ends_of_statements_and_words_that_begin_one_are_counted) {
  const Statements count = count_statements(body_of(R"(
    int f(int a) {
      for (int i = 0; i < a; ++i) g(i);   // a comment; with one
      const char* text = ";";
      if (a == 0) goto done;
      if (a == 1) { g(a); return 1; }
      if (a == 2) g([&] { return a; }());
    done:
      return 0;
    })",
                                                    "f"));
  EXPECT_EQ(count.statements, 4u + 8u);
  EXPECT_EQ(count.error_branches, 2u + 1u) << "the last one is a lambda's return: no grammar";
}

TEST(statements, a_function_that_is_only_called_has_no_body) {
  EXPECT_EQ(body_of("int g() { return f(1); }", "f"), "");
  EXPECT_EQ(body_of("int g() { return f(1); } void f(int) { }", "f"), "{ }");
}

TEST(the_document_on_the_tutorial, counts_what_plain_C_and_the_examples_take) {
  const std::string document = text_of(root + "docs/from-the-tutorial.md");
  const std::vector<std::string> common = {"tutorial_load_rpcmem", "tensor_bytes", "allocate"};
  struct Row {
    std::string name;
    std::vector<std::string> functions;       // Those that the C function calls.
    std::vector<std::string> ours = {"run"};  // Those of the program.
    // Those of the program's headers.
    std::vector<std::pair<std::string, std::vector<std::string>>> headers = {};
  };
  for (const Row& row :
       {Row{"ion_buffers", {"register_ion"}}, Row{"multi_tensor_buffer", {"describe_shared"}},
        Row{"external_buffers", {"get_property", "register_external"}},
        Row{"online_prepare", {"register_ion"}},
        Row{"camera_ring", {"register_ion", "sync_reading"}, {"import_buffer", "run"}},
        Row{"decoder",
            {"describe_shared", "rows_of", "append", "lengthen_rows", "fill_positions"},
            {"make", "add", "run"},
            {{"decoder/compose.hpp", {"fill_positions"}},
             {"decoder/hidden.hpp", {"write_tokens", "read_hidden"}}}}}) {
    std::vector<std::string> functions = common;
    functions.insert(functions.end(), row.functions.begin(), row.functions.end());
    functions.push_back("tutorial_" + row.name);
    const Statements c = count("tests/examples/tutorial_in_c.c", functions);
    Statements ours = count("examples/" + row.name + ".cpp", row.ours);
    for (const auto& [header, names] : row.headers) ours += count("examples/" + header, names);
    const std::string line =
        "| [" + row.name + ".cpp](../examples/" + row.name + ".cpp) | " +
        std::to_string(c.statements) + " | " + std::to_string(c.error_branches) + " | " +
        std::to_string(ours.statements) + " | " + std::to_string(ours.error_branches) + " |";
    EXPECT_NE(document.find(line), std::string::npos) << line;
  }
}

TEST(the_document_on_the_tutorial, links_to_tests_that_there_are) {
  const std::string document = text_of(root + "docs/from-the-tutorial.md");
  constexpr std::string_view link = "`](../";
  std::size_t links = 0;
  for (std::size_t at = document.find(link); at != std::string::npos;
       at = document.find(link, at + 1), ++links) {
    const std::size_t begin = document.rfind('`', at - 1) + 1;
    const std::string name = document.substr(begin, at - begin);
    const std::size_t path = at + link.size();
    const std::string file = document.substr(path, document.find(')', path) - path);
    EXPECT_NE(text_of(root + file).find(name), std::string::npos) << name << " in " << file;
  }
  EXPECT_GE(links, 9u);
}

}}  // namespace support
