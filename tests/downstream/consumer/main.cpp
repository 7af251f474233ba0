// Uses qnnpp as a project of its own would: the umbrella, and the simulated device where it was asked for.
#include "qnnpp/qnnpp.hpp"

#include <cstdio>

#ifdef QNNPP_SIM_DIR
#include <dlfcn.h>
#endif

int main() {
  std::printf("qnnpp %u.%u\n", qnnpp::version_major, qnnpp::version_minor);
  const auto backend = qnnpp::Backend<qnnpp::Htp>::load({.library = "libQnnNowhere.so"});
  if (backend || backend.error().kind != qnnpp::Errc::library_not_found) return 1;
#ifdef QNNPP_SIM_DIR
  for (const char* library : {QNNPP_SIM_DIR "/libQnnHtp.so", QNNPP_SIM_DIR "/libQnnSystem.so",
                              QNNPP_SIM_DIR "/libcdsprpc.so"}) {
    if (dlopen(library, RTLD_NOW | RTLD_LOCAL) == nullptr) {
      std::printf("%s\n", dlerror());
      return 1;
    }
  }
#endif
  return 0;
}
