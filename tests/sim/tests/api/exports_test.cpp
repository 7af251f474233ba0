// The simulated libraries export the same C symbols as the real ones, plus the control entries, and
// nothing else.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <sstream>
#include <string>

namespace sim_test { namespace {

/// Returns the defined dynamic symbols of a library, from nm.
std::set<std::string> exports_of(const std::string& library) {
  std::set<std::string> symbols;
  const std::string command =
      std::string(QNNPP_NM) + " -D --defined-only " QNNPP_SIM_DIR "/" + library;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return symbols;
  char line[512];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    std::istringstream words{line};
    std::string address;
    std::string type;
    std::string name;
    if (words >> address >> type >> name) symbols.insert(name);
  }
  EXPECT_EQ(::pclose(pipe), 0);
  return symbols;
}

const std::set<std::string> rpcmem_symbols{"rpcmem_init",
                                           "rpcmem_deinit",
                                           "rpcmem_alloc",
                                           "rpcmem_alloc2",
                                           "rpcmem_free",
                                           "rpcmem_to_fd",
                                           "remote_register_buf",
                                           "remote_register_buf_attr",
                                           "remote_register_buf_attr2",
                                           "remote_register_fd",
                                           "remote_register_fd2",
                                           "remote_register_dma_handle",
                                           "remote_register_dma_handle_attr",
                                           "fastrpc_mmap",
                                           "fastrpc_munmap",
                                           "qnnpp_sim_rpcmem_control"};

TEST(sim_exports, libQnnHtp_has_its_provider_and_the_control_entry) {
  EXPECT_EQ(exports_of("libQnnHtp.so"),
            (std::set<std::string>{"QnnInterface_getProviders", "qnnpp_sim_control"}));
}

TEST(sim_exports, libQnnSystem_has_its_provider) {
  EXPECT_EQ(exports_of("libQnnSystem.so"),
            (std::set<std::string>{"QnnSystemInterface_getProviders"}));
}

TEST(sim_exports, libcdsprpc_has_rpcmem_and_FastRPC_registration) {
  EXPECT_EQ(exports_of("libcdsprpc.so"), rpcmem_symbols);
}

TEST(sim_exports, the_older_libcdsprpc_lacks_alloc2_and_nothing_else) {
  std::set<std::string> expected = rpcmem_symbols;
  expected.erase("rpcmem_alloc2");
  EXPECT_EQ(exports_of("no_alloc2/libcdsprpc.so"), expected);
}

}}  // namespace sim_test
