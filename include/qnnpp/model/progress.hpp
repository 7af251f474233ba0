// Progress: how far the loading of a model has come.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// What is done with a context. The names are those of messages: "cancelled while querying".
enum class Step : std::uint8_t { surveying, creating, querying, registering, finalizing, loaded };

[[nodiscard]] constexpr const char* name_of(Step step) noexcept {
  switch (step) {
    case Step::surveying: return "surveying";
    case Step::creating: return "creating";
    case Step::querying: return "querying";
    case Step::registering: return "registering";
    case Step::finalizing: return "finalizing";
    case Step::loaded: return "loaded";
  }
  return "?";
}

/// Told before a step begins, and once a context is complete (`loaded`); bytes are those of the
/// binaries whose contexts are complete, and of all.
struct Progress {
  const std::string& binary;
  std::size_t context = 0;   ///< Its place in the list.
  std::size_t contexts = 0;  ///< Length of the list.
  Step step = Step::creating;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
};

/// Called on the loading thread. `false`: stop; everything made so far is released and loading ends
/// with the error `cancelled`.
using ProgressCallback = std::function<bool(const Progress&)>;

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
