// Gives away references to what a temporary takes with it.
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
