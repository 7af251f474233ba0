// Results of a benchmark: rows of a table, the same rows as JSON, and data for a picture.
//
// A program of bench/ is called as `<program> --output FOLDER`, prints its table and writes
// FOLDER/<name>.json, a list of objects, and FOLDER/<name>.md, the table for
// docs/performance/<name>.md
//
//   name        name of the figure, unique in the file
//   value       the figure, a number
//   unit        of the figure: instructions, bytes, calls, ns, ratio...
//   goal        "<= 3", "= 0"...; null for a figure that is only shown
//   met         whether the figure keeps the goal; null without a goal, and while the bound lies
//               within the figure's interval: undecided
//   comparison  the figure's reference or a remark, in words
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// A 95 % interval.
struct Interval {
  double low = 0.0;
  double high = 0.0;
  [[nodiscard]] bool holds(double value) const { return low <= value && value <= high; }
};

/// Bound that a figure must keep.
struct Goal {
  std::string text;
  std::optional<bool> met = {};  ///< Nothing if that is undecided.

  [[nodiscard]] const char* verdict() const { return !met ? "undecided" : *met ? "yes" : "NO"; }
};

struct Row {
  bool is_detail = false;
  std::string name;
  double value = 0.0;
  std::string unit;
  std::optional<Goal> goal;
  std::string comparison;
};

/// Formats a number without an exponent and without insignificant digits.
[[nodiscard]] inline std::string number(double value) {
  char text[64];
  if (value == static_cast<double>(static_cast<long long>(value))) {
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
  } else {
    const double size = value < 0 ? -value : value;
    std::snprintf(text, sizeof text, size >= 100 ? "%.1f" : size >= 0.01 ? "%.3f" : "%.3g", value);
  }
  return text;
}

/// Returns "95 %: 0.9 to 1.1".
[[nodiscard]] inline std::string text(const Interval& interval) {
  return "95 %: " + number(interval.low) + " to " + number(interval.high);
}

/// The rows of one benchmark.
class Report {
 public:
  /// `arguments`: the arguments of main().
  Report(std::string name, int count, char** arguments) : name_(std::move(name)) {
    for (int i = 1; i + 1 < count; ++i)
      if (std::strcmp(arguments[i], "--output") == 0) folder_ = arguments[i + 1];
  }

  /// Adds a figure without a goal.
  void show(std::string row, double value, std::string unit, std::string comparison) {
    rows_.push_back(
        {false, std::move(row), value, std::move(unit), std::nullopt, std::move(comparison)});
  }
  /// Adds a figure without a goal to the JSON only, not to docs/performance/<name>.md.
  void detail(std::string row, double value, std::string unit, std::string comparison) {
    show(std::move(row), value, std::move(unit), std::move(comparison));
    rows_.back().is_detail = true;
  }
  void at_most(double bound, std::string row, double value, std::string unit,
               std::string comparison) {
    add({"<= " + number(bound), value <= bound}, std::move(row), value, std::move(unit),
        std::move(comparison));
  }
  /// Adds a figure with an interval: the goal is met or not if the whole interval says so.
  void at_most(double bound, std::string row, double value, std::string unit,
               const Interval& interval) {
    Goal goal{"<= " + number(bound)};
    if (interval.high <= bound || interval.low > bound) goal.met = interval.high <= bound;
    add(std::move(goal), std::move(row), value, std::move(unit), text(interval));
  }
  void exactly(double wanted, std::string row, double value, std::string unit,
               std::string comparison) {
    add({"= " + number(wanted), value == wanted}, std::move(row), value, std::move(unit),
        std::move(comparison));
  }
  /// Adds a figure whose goal is more than a bound of this figure.
  void judged(std::string goal, bool met, std::string row, double value, std::string unit,
              std::string comparison) {
    add({std::move(goal), met}, std::move(row), value, std::move(unit), std::move(comparison));
  }

  /// Returns the path of a file in the output folder, such as the data of a picture.
  [[nodiscard]] std::string file(const std::string& name) const { return folder_ + "/" + name; }

  /// Prints the table and writes the files. Returns the exit code of the program: 0 if they were
  /// written, even if goals are not met.
  [[nodiscard]] int finish() const {
    print();
    return write_json() && write_table() ? EXIT_SUCCESS : EXIT_FAILURE;
  }

 private:
  void add(Goal goal, std::string row, double value, std::string unit, std::string comparison) {
    rows_.push_back(
        {false, std::move(row), value, std::move(unit), std::move(goal), std::move(comparison)});
  }

  void print() const {
    int name_width = 6;
    int unit_width = 4;
    for (const Row& row : rows_) {
      name_width = std::max(name_width, static_cast<int>(row.name.size()));
      unit_width = std::max(unit_width, static_cast<int>(row.unit.size()));
    }
    std::printf("\n%s\n%-*s  %14s  %-*s  %-10s  %-9s  %s\n", name_.c_str(), name_width, "figure",
                "value", unit_width, "unit", "goal", "met", "against");
    for (const Row& row : rows_)
      std::printf("%-*s  %14s  %-*s  %-10s  %-9s  %s\n", name_width, row.name.c_str(),
                  number(row.value).c_str(), unit_width, row.unit.c_str(),
                  row.goal ? row.goal->text.c_str() : "", row.goal ? row.goal->verdict() : "",
                  row.comparison.c_str());
    std::fflush(stdout);
  }

  [[nodiscard]] static std::string quoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + '"';
  }

  [[nodiscard]] bool write_table() const {
    const std::string path = file(name_ + ".md");
    std::ofstream table(path);
    table << "| figure | value | unit | goal | met | against |\n|---|---:|---|---|---|---|\n";
    for (const Row& row : rows_)
      if (!row.is_detail)
        table << "| " << row.name << " | " << number(row.value) << " | " << row.unit << " | "
              << (row.goal ? row.goal->text : "") << " | "
              << (!row.goal                ? ""
                  : row.goal->met == false ? "**no**"
                                           : row.goal->verdict())
              << " | " << row.comparison << " |\n";
    return flushed(table, path);
  }

  [[nodiscard]] static bool flushed(std::ofstream& stream, const std::string& path) {
    if (stream.flush()) return true;
    std::fprintf(stderr, "%s: the file cannot be written\n", path.c_str());
    return false;
  }

  [[nodiscard]] bool write_json() const {
    const std::string path = file(name_ + ".json");
    std::ofstream json(path);
    json << "[";
    const char* separator = "\n";
    for (const Row& row : rows_) {
      char value[64];
      std::snprintf(value, sizeof value, "%.12g", row.value);
      json << separator << "  {\"name\": " << quoted(row.name) << ", \"value\": " << value
           << ", \"unit\": " << quoted(row.unit)
           << ", \"goal\": " << (row.goal ? quoted(row.goal->text) : "null") << ", \"met\": "
           << (!row.goal || !row.goal->met ? "null"
               : *row.goal->met            ? "true"
                                           : "false")
           << ", \"comparison\": " << quoted(row.comparison) << "}";
      separator = ",\n";
    }
    json << "\n]\n";
    return flushed(json, path);
  }

  std::string name_;
  std::string folder_ = ".";
  std::vector<Row> rows_;
};

}  // namespace bench
