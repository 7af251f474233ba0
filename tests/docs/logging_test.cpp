// The code of docs/logging.md.
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/throw.hpp"

#include "fixture.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;

class the_document_on_logging : public LoadedTest {
 protected:
  const std::string library = QNNPP_RECORDER;
};

TEST_F(the_document_on_logging, shows_a_log_file) {
  const TemporaryFolder folder;
  const std::string path = folder.file("qnn.log");
  const auto backend = value_or_throw(
      Backend<Htp>::load({.library = library, .log = log_to_file(path, c_api::LogLevel::info)}));
  EXPECT_TRUE(std::ifstream(path).is_open());
  EXPECT_NE(backend.native_log(), nullptr);
}

TEST_F(the_document_on_logging, shows_a_sink) {
  std::vector<std::string> warnings;
  auto sink = [&warnings](c_api::LogLevel level, std::string_view text) {
    if (level <= c_api::LogLevel::warn) warnings.emplace_back(text);
  };
  auto backend = value_or_throw(
      Backend<Htp>::load({.library = library, .log = log_to(sink, c_api::LogLevel::info)}));
  EXPECT_NE(backend.native_log(), nullptr);
}

}}  // namespace support
