// U: the room that a context needs in a process domain, as the library's log states it, and how
// many contexts fit.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "host.hpp"

namespace conformance {
namespace {

using Htp = HtpContextConfigOption;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;
/// Most contexts of a domain, and of all, so that a question ends.
constexpr std::uint64_t most_in_a_domain = 400;
constexpr std::uint64_t most_contexts = 2000;

/// Estimate in the latest refusal for want of room; 0: none.
std::uint64_t estimate = 0;

void read_estimate(const char* format, LogLevel, std::uint64_t, std::va_list arguments) {
  char text[4096];
  std::vsnprintf(text, sizeof text, format, arguments);
  if (given.log) std::fprintf(stderr, "    %s\n", text);
  const char* const refusal = std::strstr(text, "Failed to find available PD");
  const char* const number = refusal == nullptr ? nullptr : std::strstr(refusal, "estimate ");
  if (number != nullptr) estimate = std::strtoull(number + std::strlen("estimate "), nullptr, 10);
}

Options limit_of(std::uint64_t megabytes) {
  Options options;
  if (megabytes != 0) options.custom(Htp::reused_io_limit, megabytes);
  return options;
}

/// Says what a refusal counted, against one without a limit that counted `without`. The library
/// counts inputs and outputs in pages.
void say_room(Host& host, std::uint64_t without, std::uint64_t megabytes) {
  if (estimate == 0) return;
  const GraphTensors tensors = host.tensors();
  std::uint64_t least = 0, pages = 0;
  for (const auto* const side : {&tensors.inputs, &tensors.outputs})
    for (const Tensor& tensor : *side) {
      least += bytes_of(tensor);
      pages += page_bytes;
    }
  const std::uint64_t io = without + megabytes * mib - estimate;
  say(io >= least && io <= least + pages ? "the limit instead of inputs and outputs"
      : estimate == without              ? "the same room"
                                         : "other room");
  if (given.log)
    std::fprintf(
        stderr, "    %llu without, %llu with %llu MB\n", static_cast<unsigned long long>(without),
        static_cast<unsigned long long>(estimate), static_cast<unsigned long long>(megabytes));
}

/// Creates a context. The library may use `context` until it is finalized.
ErrorHandle create(Host& host, const Options& options, ContextHandle& context) {
  return host.qnn.context_create_from_binary(host.backend, host.device, options.get(),
                                             given.main->bytes.data(), given.main->bytes.size(),
                                             &context, nullptr);
}

enum class Way { deferred, at_once };

/// Starts the library, creates contexts until one is refused, says the code and how many domains of
/// contexts with the refusal's estimate are full, and ends the library. A library that refuses an
/// undeferred one counts wrong afterwards.
void fill(Host& host, Way way, std::uint64_t megabytes) {
  host.need(host.standin.domain_bytes);
  const std::uint64_t domain_bytes = host.standin.domain_bytes();
  if (given.main->weights + given.main->spill_fill < domain_bytes / most_in_a_domain)
    give_up("not asked: small contexts");
  host.start(read_estimate);
  estimate = 0;
  std::vector<ContextHandle> contexts;
  ErrorHandle code = 0;
  while (code == 0 && contexts.size() <= most_contexts) {
    Options options = limit_of(megabytes);
    if (way == Way::deferred) options.deferred();
    auto& context = *new ContextHandle{};
    code = create(host, options, context);
    if (code == 0) contexts.push_back(context);
    if (code == 0 && way == Way::deferred) code = host.qnn.context_finalize(context, nullptr);
  }
  if (code == 0) give_up("not asked: no refusal");
  say_code(way == Way::deferred ? "finalize" : "create", code);
  const std::uint64_t made = contexts.size() - (way == Way::deferred ? 1 : 0);
  for (const ContextHandle context : contexts) host.qnn.context_free(context, nullptr);
  host.qnn.device_free(host.device);
  host.qnn.backend_free(host.backend);
  if (estimate == 0) return say("no estimate in the log");
  const std::uint64_t each = domain_bytes / estimate;
  if (each != 0 && made % each == 0)
    say("%llu domains full", static_cast<unsigned long long>(made / each));
  else
    say("another number");
  if (given.log)
    std::fprintf(stderr, "    %llu contexts of %llu bytes with a limit of %llu MB\n",
                 static_cast<unsigned long long>(made), static_cast<unsigned long long>(estimate),
                 static_cast<unsigned long long>(megabytes));
}

/// Number of contexts of a list that were made.
int made_in_list = 0;
void count(ContextHandle context, GraphHandle, const char*, ContextNotifyType, void*, ErrorHandle) {
  if (context != nullptr) ++made_in_list;
}

}  // namespace

void ask_room(Catalogue& ask) {
  ask("U-1", "deferred contexts until one is refused: no REUSED_IO_LIMIT, 30, 500 MB",
      [](Host& host) {
        fill(host, Way::deferred, 0);
        const std::uint64_t without = estimate;
        for (const std::uint64_t megabytes : {30u, 500u}) {
          fill(host, Way::deferred, megabytes);
          say_room(host, without, megabytes);
        }
      });
  ask("U-2a", "contexts until one is refused", [](Host& host) { fill(host, Way::at_once, 0); });
  ask("U-2b", "the same with REUSED_IO_LIMIT 1 MB",
      [](Host& host) { fill(host, Way::at_once, 1); });
  ask("U-3", "a list of two with REUSED_IO_LIMIT 4000 MB, after U-1 without it", [](Host& host) {
    fill(host, Way::deferred, 0);
    const std::uint64_t without = estimate;
    host.start(read_estimate);
    estimate = 0;
    const ContextParams params{ContextParamsVersion::v1,
                               {.v1 = {nullptr, given.main->bytes.data(), given.main->bytes.size(),
                                       nullptr, count, nullptr}}};
    const ContextParams* list[] = {&params, &params, nullptr};
    say_code("list", host.qnn.context_create_from_binary_list_async(host.backend, host.device, list,
                                                                    limit_of(4000).get(), nullptr));
    say("%d made", made_in_list);
    say_room(host, without, 4000);
  });
}

}  // namespace conformance
