// Qualcomm's own library: its paths, and the smallest graph that it prepares.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"

namespace real {

/// Fails, and returns an empty path, if the variable is not set.
inline std::string path_in(const char* variable) {
  const char* const path = std::getenv(variable);
  if (path != nullptr && *path != '\0') return path;
  ADD_FAILURE() << variable << " names no library";
  return "";
}
inline std::string htp() { return path_in("QNNPP_REAL_HTP"); }
inline std::string system() { return path_in("QNNPP_REAL_SYSTEM"); }

/// Loads the library with these options of the device.
inline qnnpp::Result<qnnpp::Backend<qnnpp::Htp>> load(qnnpp::DeviceOptions device = {}) {
  return qnnpp::Backend<qnnpp::Htp>::load(
      {.library = htp(), .system_library = system(), .device = std::move(device)});
}

/// Composes graph "net", the positive part of 8 numbers, and returns its context.
inline qnnpp::Result<qnnpp::Context<qnnpp::Composed>> compose(
    const qnnpp::Backend<qnnpp::Htp>& backend) {
  using namespace qnnpp;
  auto context = Context<Composing>::create(backend, {.name = "net"});
  if (!context) return fail(std::move(context).error());
  {
    auto graph = Graph<Composing, AnyIo>::create(*context, "net");
    if (!graph) return fail(std::move(graph).error());
    using enum c_api::TensorType;
    auto x = graph->add_tensor({.name = "x", .kind = app_write, .dimensions = {2, 4}});
    if (!x) return fail(std::move(x).error());
    auto y = graph->add_tensor({.name = "y", .kind = app_read, .dimensions = {2, 4}});
    if (!y) return fail(std::move(y).error());
    if (auto node =
            graph->add_node({.name = "relu", .type = "Relu", .inputs = {*x}, .outputs = {*y}});
        !node)
      return fail(std::move(node).error());
    if (auto done = std::move(*graph).finalize(); !done) return fail(std::move(done).error());
  }
  return std::move(*context).finalize();
}

/// Binary of compose().
inline qnnpp::Result<std::vector<std::byte>> binary(const qnnpp::Backend<qnnpp::Htp>& backend) {
  auto composed = compose(backend);
  if (!composed) return qnnpp::fail(std::move(composed).error());
  return composed->serialize();
}

}  // namespace real
