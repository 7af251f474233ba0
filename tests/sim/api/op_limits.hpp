// Limits of the simulated HTP that a node meets.
#pragma once

#include <string>

#include "qnnpp/abi/op.hpp"

#include "sim/api/call.hpp"
#include "sim/ops/ops.hpp"

namespace qnnpp::sim::detail {

/// Returns the status of a node, with the right reason if it is of an op package: the client's, if
/// its backend has none, else a limit of the simulated HTP, which runs no op package. `config` can
/// be read.
inline Status with_limit(const Call& call, std::uint64_t backend, const c_api::OpConfig& config,
                         Status status) {
  if (status.ok() || config.version != c_api::OpConfigVersion::v1) return status;
  const c_api::OpConfigV1& op = config.v1;
  const auto found = call.dev().backends.find(backend);
  if (found == nullptr || found->op_packages.empty() || op.name == nullptr ||
      op.package_name == nullptr || op.type_name == nullptr ||
      op.package_name == std::string{op_package_name})
    return status;
  const std::string what = std::string{op.type_name} + " of op package " + op.package_name;
  status.lacks = what;
  status.reason = "the simulated HTP does not compute " + what + " (node " + op.name +
                  "): it runs no op packages";
  return status;
}

}  // namespace qnnpp::sim::detail
