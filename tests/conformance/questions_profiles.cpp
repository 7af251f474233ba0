// O: profiles and their events. G: options of graphs that are retrieved. L: loggers. Y: profiles in
// files, by the system library.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/htp/profile.hpp"

#include "errors.hpp"
#include "results.hpp"

namespace conformance {
namespace {

ProfileHandle profile_at(Host& host, ProfileLevel level) {
  if (host.backend == nullptr) host.start();
  ProfileHandle profile = nullptr;
  if (const ErrorHandle code = host.qnn.profile_create(host.backend, level, &profile); code != 0)
    give_up("profileCreate " + std::to_string(code));
  return profile;
}

std::string list_of(Host& host, const ProfileEventId* events, std::uint32_t count);

/// Describes an event and its sub-events: "type/unit[sub-events]".
std::string text_of(Host& host, ProfileEventId event) {
  ProfileEventData data{};
  if (const ErrorHandle code = host.qnn.profile_get_event_data(event, &data); code != 0)
    return "data " + std::to_string(code);
  std::string text = std::to_string(data.type) + "/" + std::to_string(data.unit);
  if (data.identifier == nullptr) text += " no name";
  const ProfileEventId* events = nullptr;
  std::uint32_t count = 0;
  if (host.qnn.profile_get_sub_events(event, &events, &count) != 0 || count == 0) return text;
  return text + "[" + list_of(host, events, count) + "]";
}

/// Describes events. Writes equal neighbours once, with dots: their number depends on the binary.
std::string list_of(Host& host, const ProfileEventId* events, std::uint32_t count) {
  std::string list, last;
  bool repeats = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string text = text_of(host, events[i]);
    if (i != 0 && text == last) {
      if (!repeats) list += "...";
      repeats = true;
      continue;
    }
    list += (i == 0 ? "" : " ") + text;
    last = text;
    repeats = false;
  }
  return list;
}

/// Reports the events of a profile: their types and units, which do not depend on times.
void say_events(Host& host, ProfileHandle profile, const char* what) {
  const ProfileEventId* events = nullptr;
  std::uint32_t count = 0;
  if (const ErrorHandle code = host.qnn.profile_get_events(profile, &events, &count); code != 0) {
    say_code(what, code);
    return;
  }
  say("%s %s", what, count == 0 ? "no events" : list_of(host, events, count).c_str());
}

/// Reports the type and the name of an event.
void say_name(Host& host, ProfileEventId event) {
  ProfileEventData data{};
  code(host.qnn.profile_get_event_data(event, &data));
  say("%u '%s'", data.type, data.identifier == nullptr ? "NULL" : data.identifier);
}

/// Reports the names of the events at the top level.
void say_names(Host& host, ProfileHandle profile) {
  const ProfileEventId* events = nullptr;
  std::uint32_t count = 0;
  host.qnn.profile_get_events(profile, &events, &count);
  for (std::uint32_t i = 0; i < count; ++i) say_name(host, events[i]);
}

/// Turns the op trace of a profile on.
ErrorHandle trace(Host& host, ProfileHandle profile) {
  ProfileConfig config{ProfileConfigOption::enable_optrace, {nullptr}};
  config.enable_optrace = 1;
  const ProfileConfig* list[] = {&config, nullptr};
  return host.qnn.profile_set_config(profile, list);
}

/// Makes a folder in the folder for temporary files; an Android device has no /tmp.
std::string temporary_folder() {
  std::error_code failure;
  std::filesystem::path folder = std::filesystem::temp_directory_path(failure);
  if (failure) folder = ".";
  std::string name = (folder / "conformance-XXXXXX").string();
  return ::mkdtemp(name.data()) == nullptr ? folder.string() : name;
}

/// Creates a context with a profile, without adding to the answer unless it fails.
ContextHandle create_profiled(Host& host, ProfileHandle profile,
                              const ContextConfig** config = nullptr) {
  auto* const out = new ContextHandle{};
  const ErrorHandle code = host.qnn.context_create_from_binary(
      host.backend, host.device, config, given.main->bytes.data(), given.main->bytes.size(), out,
      profile);
  if (code != 0) say_code("create", code);
  return *out;
}

/// Executes with a profile, without adding to the answer unless it fails.
void run_with(Host& host, GraphHandle graph, ProfileHandle profile) {
  const ErrorHandle code = host.run(graph, profile);
  if (code != 0) say_code("execute", code);
}

GraphHandle retrieve_of(Host& host, ContextHandle context) {
  GraphHandle graph = nullptr;
  host.qnn.graph_retrieve(context, host.tensors().name.c_str(), &graph);
  return graph;
}

/// Profiles creation, execution and release at a level, and reports the events of each.
void say_life(Host& host, ProfileLevel level) {
  const ProfileHandle profile = profile_at(host, level);
  const ContextHandle context = create_profiled(host, profile);
  say_events(host, profile, "create");
  const GraphHandle graph = retrieve_of(host, context);
  run_with(host, graph, profile);
  say_events(host, profile, "execute");
  host.qnn.context_free(context, profile);
  say_events(host, profile, "free");
}

/// Options of a retrieved graph; reports the code of each.
void set_htp(Host& host, GraphHandle graph, const char* what, const HtpGraphCustomConfig& custom) {
  HtpGraphCustomConfig copy = custom;
  GraphConfig config{GraphConfigOption::custom, {nullptr}};
  config.custom_config = &copy;
  const GraphConfig* list[] = {&config, nullptr};
  say_code(what, host.qnn.graph_set_config(graph, list));
}
HtpGraphCustomConfig option(HtpGraphConfigOption which) {
  HtpGraphCustomConfig custom{};
  custom.option = which;
  return custom;
}

std::atomic<int> lines{0};
std::atomic<bool> is_exiting{false};
std::atomic<std::uintptr_t> other_threads{0};
void count_line(const char*, LogLevel, std::uint64_t, va_list) { ++lines; }
void count_thread(const char*, LogLevel, std::uint64_t, va_list) {
  ++lines;
  if (::gettid() != ::getpid()) ++other_threads;
}

/// Starts with a logger whose callback reports the level of its first line at exit.
void log_at_exit(Host& host, LogLevel level) {
  host.qnn.log_create(
      [](const char*, LogLevel of, std::uint64_t, va_list) {
        if (is_exiting.exchange(false)) say("called at exit, level %u", static_cast<unsigned>(of));
      },
      level, &host.logger);
  host.qnn.backend_create(host.logger, nullptr, &host.backend);
  host.qnn.device_create(host.logger, nullptr, &host.device);
}

/// Opens a file of the system library in a folder, and reports the code.
SystemProfileSerializationTargetHandle open_target(Host& host, const char* name,
                                                   const char* folder) {
  SystemProfileSerializationTarget target{};
  target.type = SystemProfileSerializationTargetType::file;
  target.file = {name, folder};
  SystemProfileSerializationTargetConfig configs[1]{};
  configs[0].type = SystemProfileSerializationTargetConfigType::serialization_header;
  configs[0].serialization_header = {"app", "1.0", "2.0"};
  SystemProfileSerializationTargetHandle made = nullptr;
  say_code("open",
           host.system.system_profile_create_serialization_target(target, configs, 1, &made));
  return made;
}

/// Returns the events of an execution, for the system library. Their profile is never freed.
std::vector<SystemProfileProfileEventV1> system_events_of(Host& host) {
  const ProfileHandle profile = profile_at(host, profile_level::basic);
  run_with(host, retrieve_of(host, create_profiled(host, nullptr)), profile);
  const ProfileEventId* ids = nullptr;
  std::uint32_t count = 0;
  host.qnn.profile_get_events(profile, &ids, &count);
  std::vector<SystemProfileProfileEventV1> events(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    events[i].type = SystemProfileEventDataType::event_data;
    host.qnn.profile_get_event_data(ids[i], &events[i].event_data);
  }
  return events;
}

/// Writes events, and reports the code.
void write_to(Host& host, SystemProfileSerializationTargetHandle target,
              std::vector<SystemProfileProfileEventV1> events) {
  SystemProfileProfileData data{};
  data.version = SystemProfileProfileDataVersion::v1;
  data.v1.header = {1000,
                    2000,
                    0,
                    0,
                    SystemProfileMethodType::backend_execute,
                    SystemProfileVisibility::public_,
                    "graph"};
  data.v1.profiling_events = events.data();
  data.v1.num_profiling_events = static_cast<std::uint32_t>(events.size());
  const SystemProfileProfileData* list[] = {&data};
  say_code("write", host.system.system_profile_serialize_event_data(target, list, 1));
}

void need_target(Host& host) {
  // Slots 13 to 15 exist since core API 2.30 (SDK 2.40).
  host.need_core(30);
  if (host.system.system_profile_create_serialization_target == nullptr)
    give_up("not asked: not in this version");
}

}  // namespace

void ask_profiles(Catalogue& ask) {
  ask("O-1a", "events of a basic profile", [](Host& h) { say_life(h, profile_level::basic); });
  ask("O-1b", "events of a detailed profile",
      [](Host& h) { say_life(h, profile_level::detailed); });
  ask("O-1c", "events of a linting profile", [](Host& h) {
    if (given.no_memory) give_up("not asked: the emulation's events vary with its threads");
    say_life(h, htp_profile_level::linting);
  });
  ask("O-1d", "events of a profile of level 1000",
      [](Host& h) { say_life(h, profile_level::backend); });
  ask("O-1e", "events of a detailed profile with an op trace", [](Host& h) {
    const ProfileHandle profile = profile_at(h, profile_level::detailed);
    say_code("optrace", trace(h, profile));
    const ContextHandle context = create_profiled(h, profile);
    say_events(h, profile, "create");
    run_with(h, retrieve_of(h, context), profile);
    say_events(h, profile, "execute");
  });
  ask("O-2", "events of a deferred creation and of its finalize", [](Host& h) {
    const ProfileHandle profile = profile_at(h, profile_level::basic);
    h.need_core(27);
    auto* const options = new Options();
    const ContextHandle context = create_profiled(h, profile, options->deferred().get());
    say_events(h, profile, "create");
    say_code("finalize", h.qnn.context_finalize(context, profile));
    say_events(h, profile, "finalize");
  });
  ask("O-3a", "a profile used again: events of the last call only", [](Host& h) {
    const ProfileHandle profile = profile_at(h, profile_level::basic);
    const GraphHandle graph = retrieve_of(h, create_profiled(h, nullptr));
    const ProfileEventId* events = nullptr;
    std::uint32_t once = 0, twice = 0;
    run_with(h, graph, profile), h.qnn.profile_get_events(profile, &events, &once);
    run_with(h, graph, profile), h.qnn.profile_get_events(profile, &events, &twice);
    say("%s", once == twice ? "as many" : twice == 2 * once ? "twice as many" : "others");
  });
  ask("O-3b", "one profile of two graphs", [](Host& h) {
    const ProfileHandle profile = profile_at(h, profile_level::basic);
    const GraphHandle first = retrieve_of(h, create_profiled(h, nullptr));
    const GraphHandle second = retrieve_of(h, create_profiled(h, nullptr));
    run_with(h, first, profile), run_with(h, second, profile);
    say_events(h, profile, "execute");
    say_code("profileFree", h.qnn.profile_free(profile));
  });
  ask("O-3c", "a profile freed between two executions of another", [](Host& h) {
    const ProfileHandle first = profile_at(h, profile_level::basic);
    const ProfileHandle second = profile_at(h, profile_level::detailed);
    const GraphHandle graph = retrieve_of(h, create_profiled(h, first));
    run_with(h, graph, first);
    say_code("profileFree", h.qnn.profile_free(first));
    run_with(h, graph, second);
    say_code("profileFree", h.qnn.profile_free(second));
  });
  ask("O-3d", "a profile after its context, its device and its backend", [](Host& h) {
    const ProfileHandle profile = profile_at(h, profile_level::basic);
    const ContextHandle context = create_profiled(h, profile);
    run_with(h, retrieve_of(h, context), profile);
    h.qnn.context_free(context, nullptr);
    h.tear_down();
    const ProfileEventId* events = nullptr;
    std::uint32_t count = 0;
    say_code("events", h.qnn.profile_get_events(profile, &events, &count));
    say_code("profileFree", h.qnn.profile_free(profile));
  });
  ask("O-3e", "a profile in two executions at once", [](Host& h) {
    h.need(h.standin.most_at_once);
    const ProfileHandle profile = profile_at(h, profile_level::basic);
    const GraphHandle first = retrieve_of(h, create_profiled(h, nullptr));
    const GraphHandle second = retrieve_of(h, create_profiled(h, nullptr));
    h.standin.delay(100000);
    std::thread one([&] { run_with(h, first, profile); });
    std::thread two([&] { run_with(h, second, profile); });
    one.join(), two.join();
    say_code("profileFree", h.qnn.profile_free(profile));
  });
  ask("O-3f", "profileFree during an execution", [](Host& h) {
    h.need(h.standin.most_at_once);
    const ProfileHandle profile = profile_at(h, profile_level::basic);
    const GraphHandle graph = retrieve_of(h, create_profiled(h, nullptr));
    h.standin.delay(300000);
    std::thread one([&] { run_with(h, graph, profile); });
    ::usleep(100000);
    const ErrorHandle code = h.qnn.profile_free(profile);
    one.join();
    say_code("profileFree", code);
  });
  ask("O-4", "extended events: code, type of value, time", [](Host& h) {
    const ProfileHandle profile = profile_at(h, profile_level::detailed);
    run_with(h, retrieve_of(h, create_profiled(h, nullptr)), profile);
    const ProfileEventId* events = nullptr;
    std::uint32_t count = 0;
    h.qnn.profile_get_events(profile, &events, &count);
    for (std::uint32_t i = 0; i < std::min(count, 2u); ++i) {
      ProfileExtendedEventData data{};
      code(h.qnn.profile_get_extended_event_data(events[i], &data));
      say("version %u, value type %#x, time %s", static_cast<unsigned>(data.version),
          static_cast<unsigned>(data.v1.value.data_type), data.v1.timestamp == 0 ? "0" : "set");
    }
  });
  ask("O-4b", "names of the events that are not of nodes: creation, execution, release",
      [](Host& h) {
        const ProfileHandle profile = profile_at(h, profile_level::detailed);
        const ContextHandle context = create_profiled(h, profile);
        say_names(h, profile);
        run_with(h, retrieve_of(h, context), profile);
        say_names(h, profile);
        h.qnn.context_free(context, profile);
        say_names(h, profile);
      });
  ask("O-4c", "names of the events of a linting profile below the first node", [](Host& h) {
    const ProfileHandle profile = profile_at(h, htp_profile_level::linting);
    run_with(h, retrieve_of(h, create_profiled(h, nullptr)), profile);
    const ProfileEventId* events = nullptr;
    std::uint32_t count = 0;
    h.qnn.profile_get_events(profile, &events, &count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const ProfileEventId *nodes = nullptr, *parts = nullptr;
      std::uint32_t some = 0;
      if (h.qnn.profile_get_sub_events(events[i], &nodes, &some) != 0 || some == 0) continue;
      say_name(h, events[i]);
      if (h.qnn.profile_get_sub_events(nodes[0], &parts, &some) != 0) continue;
      for (std::uint32_t k = 0; k < some; ++k) say_name(h, parts[k]);
    }
  });
  ask("O-4d", "the event of an op trace", [](Host& h) {
    const ProfileHandle profile = profile_at(h, profile_level::detailed);
    say_code("optrace", trace(h, profile));
    run_with(h, retrieve_of(h, create_profiled(h, profile)), profile);
    const ProfileEventId* events = nullptr;
    std::uint32_t count = 0;
    h.qnn.profile_get_events(profile, &events, &count);
    for (std::uint32_t i = 0; i < count; ++i) {
      ProfileEventData plain{};
      h.qnn.profile_get_event_data(events[i], &plain);
      if (plain.type != profile_event_type::trace) continue;
      say_name(h, events[i]);
      say("value %s", plain.value == 0 ? "0" : "not 0");
      ProfileExtendedEventData data{};
      code(h.qnn.profile_get_extended_event_data(events[i], &data));
      const ProfileBackendOpaqueObject& object = data.v1.backend_opaque_object;
      say("type %u unit %u, bytes %s, data %s, file '%s'", data.v1.type, data.v1.unit,
          object.opaque_object.len != 0 ? "some" : "none",
          object.opaque_object.data != nullptr ? "set" : "NULL",
          object.file_name != nullptr ? object.file_name : "NULL");
    }
  });
  ask("O-6", "times of executions without a profile, with a basic one, with a detailed one",
      [](Host& h) {
        h.need_dsp();
        const GraphHandle graph = graph_of(h);
        code(time_executions(h, graph, "no profile"));
        code(time_executions(h, graph, "basic", profile_at(h, profile_level::basic)));
        code(time_executions(h, graph, "detailed", profile_at(h, profile_level::detailed)));
      });
  ask("O-5", "events of a graphFinalize of a retrieved graph", [](Host& h) {
    const ProfileHandle profile = profile_at(h, profile_level::basic);
    const GraphHandle graph = retrieve_of(h, create_profiled(h, nullptr));
    say_code("graphFinalize", h.qnn.graph_finalize(graph, profile, nullptr));
    say_events(h, profile, "finalize");
  });
}

void ask_graph_options(Catalogue& ask) {
  ask("G-1", "priorities of a retrieved graph: 0, 100, 150, 200, 77", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    for (const std::uint32_t value : {0u, 100u, 150u, 200u, 77u}) {
      GraphConfig config{GraphConfigOption::priority, {nullptr}};
      config.priority = static_cast<Priority>(value);
      const GraphConfig* list[] = {&config, nullptr};
      code(h.qnn.graph_set_config(graph, list));
    }
  });
  ask("G-1b", "priority after an execution, then an execution", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    h.execute(graph);
    GraphConfig config{GraphConfigOption::priority, {nullptr}};
    config.priority = static_cast<Priority>(200);
    const GraphConfig* list[] = {&config, nullptr};
    code(h.qnn.graph_set_config(graph, list));
    h.execute(graph);
  });
  ask("G-2", "HTP options of a retrieved graph", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    HtpGraphCustomConfig custom = option(HtpGraphConfigOption::optimization);
    for (const auto type :
         {HtpGraphOptimizationType::finalize_optimization_flag,
          HtpGraphOptimizationType::enable_dlbc, HtpGraphOptimizationType::enable_dlbc_weights}) {
      custom.optimization_option = {type, 1};
      set_htp(h, graph, "optimization", custom);
    }
    custom = option(HtpGraphConfigOption::precision), custom.precision = Precision::float16;
    set_htp(h, graph, "precision", custom);
    custom = option(HtpGraphConfigOption::vtcm_size_in_mb), custom.vtcm_size_in_mb = 4;
    set_htp(h, graph, "vtcm", custom);
    custom = option(HtpGraphConfigOption::num_hvx_threads), custom.num_hvx_threads = 2;
    set_htp(h, graph, "hvx", custom);
    custom = option(HtpGraphConfigOption::num_hvx_threads), custom.num_hvx_threads = 100;
    set_htp(h, graph, "hvx 100", custom);
    custom = option(HtpGraphConfigOption::num_cores), custom.num_cores = 1;
    set_htp(h, graph, "cores", custom);
    custom = option(HtpGraphConfigOption::vtcm_size_in_bytes), custom.vtcm_size_in_bytes = 1 << 20;
    set_htp(h, graph, "vtcm bytes", custom);
    custom = option(HtpGraphConfigOption::share_io_buffer), custom.share_io_buffer = true;
    set_htp(h, graph, "share I/O", custom);
    custom = option(HtpGraphConfigOption::weights_packing), custom.weights_packing = true;
    set_htp(h, graph, "packing", custom);
    custom = option(HtpGraphConfigOption::parallel_graph_execution_config);
    set_htp(h, graph, "parallel", custom);
    custom = option(HtpGraphConfigOption::hmx_bounding);
    set_htp(h, graph, "hmx bounding", custom);
    custom = option(HtpGraphConfigOption{4711});
    set_htp(h, graph, "unknown", custom);
  });
  ask("G-2b", "option CUSTOM with NULL", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    const GraphConfig config{GraphConfigOption::custom, {nullptr}};
    const GraphConfig* list[] = {&config, nullptr};
    code(h.qnn.graph_set_config(graph, list));
  });
  ask("G-2c", "vector threads of a retrieved graph, then an execution", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    HtpGraphCustomConfig custom = option(HtpGraphConfigOption::num_hvx_threads);
    custom.num_hvx_threads = 2;
    set_htp(h, graph, "hvx", custom);
    h.execute(graph);
  });
  ask("G-6a", "times of executions with 1, 2 and 4 vector threads", [](Host& h) {
    h.need_dsp();
    const GraphHandle graph = graph_of(h);
    for (const auto& [threads, what] :
         {std::pair{1u, "1 thread"}, {2u, "2 threads"}, {4u, "4 threads"}}) {
      HtpGraphCustomConfig custom = option(HtpGraphConfigOption::num_hvx_threads);
      custom.num_hvx_threads = threads;
      set_htp(h, graph, "hvx", custom);
      time_executions(h, graph, what);
    }
  });
  ask("G-6b", "times of executions at high priority and at low priority, at once", [](Host& h) {
    h.need_dsp();
    h.start();
    const GraphHandle graphs[] = {h.create().retrieve(), h.create().retrieve()};
    for (const int i : {0, 1}) {
      GraphConfig config{GraphConfigOption::priority, {nullptr}};
      config.priority = i == 0 ? Priority::high : Priority::low;
      const GraphConfig* list[] = {&config, nullptr};
      code(h.qnn.graph_set_config(graphs[i], list));
    }
    double times[2]{};
    const auto run = [&](int which) {
      times[which] = time_of([&] {
        for (int i = 0; i < 30; ++i) h.run(graphs[which]);
      });
    };
    std::thread high(run, 0), low(run, 1);
    high.join(), low.join();
    note("30 executions at high priority %.0f us, at low priority %.0f us", times[0], times[1]);
  });
  ask("G-2d", "graphSetConfig: an empty list, NULL", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    const GraphConfig* none[] = {nullptr};
    code(h.qnn.graph_set_config(graph, none)), code(h.qnn.graph_set_config(graph, nullptr));
  });
  ask("G-2e", "newer HTP options of a retrieved graph: VTCM retention, cached weights, precision",
      [](Host& h) {
        const GraphHandle graph = graph_of(h);
        HtpGraphCustomConfig custom = option(HtpGraphConfigOption::optimization);
        for (const auto type : {HtpGraphOptimizationType::enable_vtcm_retention,
                                HtpGraphOptimizationType::enable_cached_weights}) {
          custom.optimization_option = {type, 1};
          set_htp(h, graph, "optimization", custom);
        }
        custom = option(HtpGraphConfigOption::precision_compensation);
        custom.precision_compensation = true;
        set_htp(h, graph, "compensation", custom);
        h.execute(graph);
      });
  ask("G-3", "priority of a graph of a deferred context", [](Host& h) {
    h.start();
    const Context context = h.deferred();
    h.finalize(context.handle);
    GraphConfig config{GraphConfigOption::priority, {nullptr}};
    config.priority = static_cast<Priority>(200);
    const GraphConfig* list[] = {&config, nullptr};
    code(h.qnn.graph_set_config(context.retrieve(), list));
  });
  ask("G-4", "number of profiled executions, and section updates, of a retrieved graph",
      [](Host& h) {
        const GraphHandle graph = graph_of(h);
        GraphConfig config{GraphConfigOption::set_profiling_num_executions, {nullptr}};
        config.num_profiling_executions = 3;
        const GraphConfig* list[] = {&config, nullptr};
        code(h.qnn.graph_set_config(graph, list));
        config.option = GraphConfigOption::enable_binary_section_weights_updates;
        config.enable_binary_section_weights_updates = 1;
        code(h.qnn.graph_set_config(graph, list));
      });
  ask("G-5", "graphGetProperty: NULL, an empty list, CUSTOM", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    code(h.qnn.graph_get_property(graph, nullptr));
    GraphProperty* none[] = {nullptr};
    code(h.qnn.graph_get_property(graph, none));
    GraphProperty property{GraphPropertyOption::custom, {nullptr}};
    GraphProperty* list[] = {&property, nullptr};
    code(h.qnn.graph_get_property(graph, list));
  });
}

void ask_logs(Catalogue& ask) {
  ask("L-1", "a callback after logFree", [](Host& h) {
    h.qnn.log_create(count_line, LogLevel::debug, &h.logger);
    h.qnn.backend_create(h.logger, nullptr, &h.backend);
    h.qnn.device_create(h.logger, nullptr, &h.device);
    h.tear_down();
    say("%s", lines > 0 ? "lines" : "no lines");
    say_code("logFree", h.qnn.log_free(h.logger));
    lines = 0;
    BackendHandle again = nullptr;
    say_code("backendCreate", h.qnn.backend_create(nullptr, nullptr, &again));
    say("%s", lines > 0 ? "lines" : "no lines");
  });
  ask("L-2", "a callback at level error, then debug", [](Host& h) {
    h.qnn.log_create(count_line, LogLevel::error, &h.logger);
    h.qnn.backend_create(h.logger, nullptr, &h.backend);
    say("%s", lines > 0 ? "lines" : "no lines");
    say_code("set", h.qnn.log_set_log_level(h.logger, LogLevel::debug));
    h.qnn.device_create(h.logger, nullptr, &h.device);
    say("%s", lines > 0 ? "lines" : "no lines");
  });
  ask("L-3", "two loggers of two callbacks", [](Host& h) {
    LogHandle second = nullptr;
    say_code("first", h.qnn.log_create(count_line, LogLevel::debug, &h.logger));
    const int before = lines;
    say_code("second", h.qnn.log_create(count_thread, LogLevel::debug, &second));
    say("%s", lines > before ? "lines" : "no lines");
    h.qnn.backend_create(second, nullptr, &h.backend);
    say_code("logFree", h.qnn.log_free(second));
    say_code("logFree", h.qnn.log_free(h.logger));
  });
  ask("L-4", "threads of the callback, in a creation and an execution", [](Host& h) {
    h.qnn.log_create(count_thread, LogLevel::debug, &h.logger);
    h.qnn.backend_create(h.logger, nullptr, &h.backend);
    h.qnn.device_create(h.logger, nullptr, &h.device);
    h.execute(h.create().retrieve());
    say("%s", other_threads > 0 ? "others too" : "the caller's");
  });
  ask("L-5", "a callback at exit, with all objects alive", [](Host& h) {
    log_at_exit(h, LogLevel::debug);
    h.execute(h.create().retrieve());
    is_exiting = true;
    std::exit(0);
  });
  ask("L-6", "a callback at exit, after every object is freed", [](Host& h) {
    log_at_exit(h, LogLevel::debug);
    h.tear_down();
    say_code("logFree", h.qnn.log_free(h.logger));
    is_exiting = true;
    std::exit(0);
  });
  ask("L-6b", "a callback of level info at exit, after every object is freed", [](Host& h) {
    log_at_exit(h, LogLevel::info);
    h.tear_down();
    say_code("logFree", h.qnn.log_free(h.logger));
    is_exiting = true;
    std::exit(0);
  });
  ask("L-6c", "a callback of level warn at exit, after every object is freed", [](Host& h) {
    log_at_exit(h, LogLevel::warn);
    h.tear_down();
    say_code("logFree", h.qnn.log_free(h.logger));
    is_exiting = true;
    std::exit(0);
  });
  ask("L-6d", "a callback at exit, if its logger was freed and another one made", [](Host& h) {
    log_at_exit(h, LogLevel::debug);
    h.tear_down();
    say_code("logFree", h.qnn.log_free(h.logger));
    LogHandle second = nullptr;
    say_code("second", h.qnn.log_create(count_line, LogLevel::debug, &second));
    is_exiting = true;
    std::exit(0);
  });
  ask("L-6e", "the same with the callback of the other logger, which is alive", [](Host& h) {
    LogHandle first = nullptr;
    say_code("first", h.qnn.log_create(count_line, LogLevel::debug, &first));
    say_code("logFree", h.qnn.log_free(first));
    log_at_exit(h, LogLevel::debug);
    h.tear_down();
    is_exiting = true;
    std::exit(0);
  });
}

void ask_profile_files(Catalogue& ask) {
  ask("Y-1", "a file for profiles: open, close", [](Host& h) {
    need_target(h);
    const std::string folder = temporary_folder();
    const auto target = open_target(h, "profile.bin", folder.c_str());
    say_code("close", h.system.system_profile_free_serialization_target(target));
    say("%s", ::access((folder + "/profile.bin").c_str(), R_OK) == 0 ? "file" : "no file");
  });
  ask("Y-2", "the events of an execution written to a file", [](Host& h) {
    need_target(h);
    const std::vector<SystemProfileProfileEventV1> events = system_events_of(h);
    const std::string folder = temporary_folder();
    const auto target = open_target(h, "profile.bin", folder.c_str());
    write_to(h, target, events), write_to(h, target, events);
    say_code("close", h.system.system_profile_free_serialization_target(target));
    std::FILE* const file = std::fopen((folder + "/profile.bin").c_str(), "rb");
    if (file == nullptr) return say("no file");
    std::fseek(file, 0, SEEK_END);
    say("%s", std::ftell(file) > 0 ? "bytes" : "empty");
    std::fclose(file);
  });
  ask("Y-2b", "a file that exists already", [](Host& h) {
    need_target(h);
    const std::vector<SystemProfileProfileEventV1> events = system_events_of(h);
    const std::string folder = temporary_folder();
    std::fclose(std::fopen((folder + "/profile.bin").c_str(), "wb"));
    const auto target = open_target(h, "profile.bin", folder.c_str());
    write_to(h, target, events);
    say_code("close", h.system.system_profile_free_serialization_target(target));
    std::FILE* const file = std::fopen((folder + "/profile.bin").c_str(), "rb");
    std::fseek(file, 0, SEEK_END);
    say("%s", std::ftell(file) > 0 ? "bytes" : "empty");
    std::fclose(file);
  });
  ask("Y-3a", "a file in a folder that does not exist", [](Host& h) {
    need_target(h);
    const std::vector<SystemProfileProfileEventV1> events = system_events_of(h);
    const std::string folder = temporary_folder() + "/none";
    const auto target = open_target(h, "profile.bin", folder.c_str());
    write_to(h, target, events);
    say_code("close", h.system.system_profile_free_serialization_target(target));
    say("%s", ::access((folder + "/profile.bin").c_str(), R_OK) == 0 ? "file" : "no file");
  });
  ask("Y-3b", "a file with an empty name", [](Host& h) {
    need_target(h);
    open_target(h, "", temporary_folder().c_str());
  });
  ask("Y-3c", "a file without a name (NULL)", [](Host& h) {
    need_target(h);
    open_target(h, nullptr, temporary_folder().c_str());
  });
  ask("Y-3d", "a file without a folder (NULL)", [](Host& h) {
    need_target(h);
    if (::chdir(temporary_folder().c_str()) != 0) give_up("not asked: no folder");
    const auto target = open_target(h, "profile.bin", nullptr);
    say_code("close", h.system.system_profile_free_serialization_target(target));
    say("%s", ::access("profilelogs/profile.bin", R_OK) == 0 ? "profilelogs/profile.bin"
              : ::access("profile.bin", R_OK) == 0           ? "profile.bin"
                                                             : "no file");
  });
  ask("Y-4", "serializeEventData: NULL target, no events; free of NULL", [](Host& h) {
    need_target(h);
    code(h.system.system_profile_serialize_event_data(nullptr, nullptr, 0));
    const auto target = open_target(h, "profile.bin", temporary_folder().c_str());
    code(h.system.system_profile_serialize_event_data(target, nullptr, 0));
    code(h.system.system_profile_free_serialization_target(nullptr));
    code(h.system.system_profile_free_serialization_target(target));
  });
}

}  // namespace conformance
