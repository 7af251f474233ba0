// Returns references that dangle if the object is a temporary.
#pragma once
#include "qnnpp/core/upward.hpp"
namespace qnnpp {
class Dangles {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& lasting() const& noexcept { return name_; }
  [[nodiscard]] std::span<const int> elements() const;

 private:
  std::string name_;
};
}  // namespace qnnpp
namespace qnnpp::inline v1 {
}  // namespace qnnpp::inline v1
