// Checks a text against the Trace Event Format as the importers of Chrome and Perfetto read it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace support {

/// Returns what is wrong with a trace; empty: nothing.
inline std::vector<std::string> faults_of_trace(std::string_view text) {
  using Json = nlohmann::json;
  // Viewers read objects whose keys differ; a parser keeps one of equal keys.
  std::vector<std::string> faults;
  std::vector<std::set<std::string>> open_objects;
  const auto look = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == Json::parse_event_t::object_end) open_objects.pop_back();
    if (event == Json::parse_event_t::key &&
        !open_objects.back().insert(parsed.get<std::string>()).second)
      faults.push_back("two members " + parsed.get<std::string>());
    return true;
  };
  const Json trace = Json::parse(text, look, false);
  if (trace.is_discarded()) return {"no JSON"};
  if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array())
    return {"no traceEvents"};
  if (!trace.contains("displayTimeUnit") ||
      (trace["displayTimeUnit"] != "ns" && trace["displayTimeUnit"] != "ms"))
    faults.push_back("displayTimeUnit is neither ns nor ms");

  /// Nanoseconds of a time in microseconds.
  const auto ns = [](const Json& time) { return std::llround(time.get<double>() * 1000.0); };
  std::map<std::pair<long long, long long>, std::vector<std::pair<long long, long long>>> slices;
  std::size_t number = 0;
  for (const Json& event : trace["traceEvents"]) {
    const auto fault = [&](const std::string& what) {
      faults.push_back("event " + std::to_string(number) + ": " + what);
    };
    const auto need = [&](const char* member, bool (*fits)(const Json&)) {
      const bool has = event.is_object() && event.contains(member) && fits(event[member]);
      if (!has) fault(std::string("member ") + member);
      return has;
    };
    const auto is_text = [](const Json& value) { return value.is_string(); };
    const auto is_id = [](const Json& value) { return value.is_number_unsigned(); };
    const auto is_time = [](const Json& value) {
      return value.is_number() && value.get<double>() >= 0 && std::isfinite(value.get<double>());
    };
    const auto is_object = [](const Json& value) { return value.is_object() && !value.empty(); };
    // Each missing member is a fault of its own.
    const auto all = [](std::initializer_list<bool> present) {
      return std::find(present.begin(), present.end(), false) == present.end();
    };
    if (all({need("ph", is_text), need("name", is_text), need("pid", is_id), need("tid", is_id)})) {
      const std::string phase = event["ph"];
      if (phase == "M") {
        if (event["name"] != "process_name" && event["name"] != "thread_name")
          fault("unknown metadata");
        if (need("args", is_object) &&
            !(event["args"].contains("name") && event["args"]["name"].is_string()))
          fault("metadata without a name");
      } else if (phase == "X") {
        if (all({need("ts", is_time), need("dur", is_time)}))
          slices[{event["pid"].get<long long>(), event["tid"].get<long long>()}].push_back(
              {ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])});
        if (event.contains("args") && !event["args"].is_object()) fault("member args");
      } else if (phase == "C") {
        need("ts", is_time);
        if (need("args", is_object))
          for (const Json& value : event["args"])
            if (!value.is_number()) fault("a counter that is no number");
      } else if (phase == "i") {
        need("ts", is_time);
        if (need("s", is_text) && event["s"] != "t" && event["s"] != "p" && event["s"] != "g")
          fault("scope of an instant");
      } else {
        fault("phase " + phase);
      }
    }
    ++number;
  }

  // Slices of one thread are nested or apart.
  for (auto& [thread, all] : slices) {
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    std::vector<long long> open;
    for (const auto& [start, end] : all) {
      while (!open.empty() && open.back() <= start) open.pop_back();
      if (!open.empty() && end > open.back())
        faults.push_back("two slices of thread " + std::to_string(thread.second) + " overlap");
      open.push_back(end);
    }
  }
  return faults;
}

}  // namespace support
