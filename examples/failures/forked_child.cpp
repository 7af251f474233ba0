// A program loads the backend, forks, and uses it in the child.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main() try {
  using namespace qnnpp;
  const auto backend = value_or_throw(Backend<Htp>::load({}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load());

  const pid_t child = ::fork();
  if (child == 0) {
    const auto network = model::load(backend, rpcmem, {"stem.bin"});
    if (!network) std::fprintf(stderr, "%s\n", network.error().message().c_str());
    ::_exit(network ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
