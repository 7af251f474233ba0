// Objects for the questions about bad arguments, created without adding to the answer.
#pragma once

#include <string>

#include "host.hpp"

namespace conformance {

inline constexpr auto no_context = no_such<ContextHandle>;
inline constexpr auto no_graph = no_such<GraphHandle>;

/// Returns a graph of an initialized context.
inline GraphHandle graph_of(Host& host) {
  host.start();
  GraphHandle graph = nullptr;
  ContextHandle context = nullptr;
  host.qnn.context_create_from_binary(host.backend, host.device, nullptr, given.main->bytes.data(),
                                      given.main->bytes.size(), &context, nullptr);
  host.qnn.graph_retrieve(context, host.tensors().name.c_str(), &graph);
  return graph;
}
/// Returns an initialized context.
inline ContextHandle context_of(Host& host) {
  host.start();
  ContextHandle context = nullptr;
  host.qnn.context_create_from_binary(host.backend, host.device, nullptr, given.main->bytes.data(),
                                      given.main->bytes.size(), &context, nullptr);
  return context;
}
inline ContextHandle deferred_of(Host& host) {
  host.start();
  host.need_core(27);
  auto* const out = new ContextHandle{};
  host.qnn.context_create_from_binary(host.backend, host.device, Options().deferred().get(),
                                      given.main->bytes.data(), given.main->bytes.size(), out,
                                      nullptr);
  return *out;
}
inline ProfileHandle profile_of(Host& host) {
  host.start();
  ProfileHandle profile = nullptr;
  host.qnn.profile_create(host.backend, profile_level::basic, &profile);
  return profile;
}
inline SignalHandle signal_of(Host& host) {
  host.start();
  SignalHandle signal = nullptr;
  host.qnn.signal_create(host.backend, nullptr, &signal);
  return signal;
}
inline ErrorHandle create_from(Host& host, const void* bytes, std::size_t size,
                               Options options = {}) {
  if (host.backend == nullptr) host.start();
  auto* const out = new ContextHandle{preset<ContextHandle>()};
  const ErrorHandle code = host.qnn.context_create_from_binary(
      host.backend, host.device, options.get(), bytes, size, out, nullptr);
  say_code("create", code);
  if (code != 0) say("out %s", word_for(*out));
  return code;
}
inline Pages junk() {
  const Pages pages = Pages::of(page_bytes);
  pages.fill(0x5A);
  return pages;
}
inline HtpDevicePerfInfrastructure perf_of(Host& host) {
  host.start();
  DeviceInfrastructure infrastructure = nullptr;
  if (host.qnn.device_get_infrastructure(&infrastructure) != 0 || infrastructure == nullptr)
    give_up("no infrastructure");
  return reinterpret_cast<HtpDeviceInfrastructure*>(infrastructure)->perf_infra;
}
inline void code(ErrorHandle returned) { say("%llu", static_cast<unsigned long long>(returned)); }

}  // namespace conformance
