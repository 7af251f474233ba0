// FAULT lasting: what name() returns may outlive its object; write const&
// FAULT lasting: what elements() returns may outlive its object; write const&
// FAULT namespaces: has a short inline namespace; write namespace a { inline namespace b {
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp {

/// Returns references that dangle if the object is a temporary. Threads: any.
class Dangles {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& lasting() const& noexcept { return name_; }
  [[nodiscard]] std::span<const int> elements() const;

 private:
  [[nodiscard]] const std::string& hidden() const noexcept { return name_; }
  std::string name_;
};

}  // namespace qnnpp

namespace qnnpp::inline v1 {}
