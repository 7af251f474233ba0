// Ways in which a client of the simulated HTP can end while its engine has a context.
// Usage: engine_exits FOLDER BINARY WAY
//   well        frees the context before exit
//   leave       frees nothing
//   handler     frees it in an atexit handler that is older than the libraries
//   destructor  frees it in a destructor of the program, which runs after all handlers
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "qnnpp/abi/interface.hpp"

namespace {

namespace c_api = qnnpp::c_api;

const c_api::InterfaceTable* qnn = nullptr;
c_api::BackendHandle backend = nullptr;
c_api::ContextHandle context = nullptr;
bool is_late = false;

void release() {
  if (qnn->context_free(context, nullptr) != 0 || qnn->backend_free(backend) != 0) std::_Exit(3);
}
[[gnu::destructor]] void last() {
  if (is_late) release();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string way = argv[3];
  if (way == "handler") std::atexit(release);
  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<char> binary{std::istreambuf_iterator<char>(file), {}};
  void* const library = ::dlopen((std::string(argv[1]) + "/libQnnHtp.so").c_str(), RTLD_NOW);
  const auto get = reinterpret_cast<c_api::InterfaceGetProvidersFn>(
      ::dlsym(library, "QnnInterface_getProviders"));
  const c_api::Interface** providers = nullptr;
  std::uint32_t count = 0;
  if (get == nullptr || get(&providers, &count) != 0) return 2;
  qnn = &providers[0]->table;
  if (qnn->backend_create(nullptr, nullptr, &backend) != 0) return 2;
  if (qnn->context_create_from_binary(backend, nullptr, nullptr, binary.data(), binary.size(),
                                      &context, nullptr) != 0)
    return 4;
  is_late = way == "destructor";
  if (way == "well") release();
  return 0;
}
