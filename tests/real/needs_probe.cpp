// Asks a host library what a context binary needs: needs_probe HTP SYSTEM BINARY. Prints its
// answers, then finalizes the context, whose estimate the library logs; the log is on stderr.
#include <cstdio>
#include <utility>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_binary.hpp"

namespace {

int fail_with(const qnnpp::Error& error) {
  std::fprintf(stderr, "needs_probe: %s\n", error.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace qnnpp;
  if (argc != 4) return 2;
  const auto backend = Backend<Htp>::load({.library = argv[1],
                                           .system_library = argv[2],
                                           .log = log_to_stderr(c_api::LogLevel::verbose)});
  if (!backend) return fail_with(backend.error());
  auto binary = ContextBinary::map(argv[3]);
  if (!binary) return fail_with(binary.error());
  auto context =
      Context<Deferred>::create(*backend, std::move(*binary)).and_then(transition::query);
  if (!context) return fail_with(context.error());
  const BufferRequirements needs = context->requirements();
  std::fprintf(stderr, "asks for weights %llu spill-fill %llu alignment %llu\n",
               static_cast<unsigned long long>(needs.weights_bytes),
               static_cast<unsigned long long>(needs.spill_fill_bytes),
               static_cast<unsigned long long>(needs.start_alignment));
  const auto done = std::move(*context).register_buffers({}).and_then(transition::finalize);
  return done ? 0 : fail_with(done.error());
}
