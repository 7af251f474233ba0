// fmt formatters of the types of model/, and all those of format.hpp.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "qnnpp/format.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/model/report_text.hpp"
#include "qnnpp/model/sharing.hpp"

template <>
struct fmt::formatter<qnnpp::model::SpillFillSharing> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::model::SpillFillSharing sharing, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::model::name_of(sharing), context);
  }
};

template <>
struct fmt::formatter<qnnpp::model::SizeSource> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::model::SizeSource source, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::model::name_of(source), context);
  }
};

/// Tables, as of to_text(): many lines.
template <>
struct fmt::formatter<qnnpp::model::MemoryReport> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::model::MemoryReport& report, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::model::to_text(report), context);
  }
};
