// Ways to measure calls: profiles of every level, attached to every call that has one.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "qnnpp/backend/profile.hpp"
#include "qnnpp/report/profile_file.hpp"

#include "flow/ways.hpp"

namespace flow {

/// Executes the first graph of a context with a profile.
inline void execute_first(const Context<Finalized>& context, const RpcmemAllocator& rpcmem,
                          Profile& profile) {
  auto graph = must(Graph<Retrieved>::retrieve(context, context.graphs().front().name));
  const auto buffer =
      must(SharedBuffer<MultiTensor>::allocate(rpcmem, graph.inputs(), graph.outputs()));
  clear(buffer);
  const auto tensors = must(RegisteredTensors::create(context, buffer));
  auto bound = must(std::move(graph).bind(tensors));
  must(bound.execute(&profile));
  auto lease = must(context.spill_fill().lease());
  must(bound.execute(lease, &profile));
}

/// Returns the number of records. Throws the first error of reading events.
inline std::string records_of(const Profile& profile) {
  for (const ProfileRecord& record : profile.records())
    if (record.error) throw Exception(*record.error);
  return std::to_string(profile.records().size()) + " calls";
}

/// Restores a context, executes it twice and closes it, all with a profile.
inline std::string profiled(Tools& t, ProfileLevel level) {
  auto profile = must(Profile::create(t.backend(), level));
  auto context = must(Context<Finalized>::restore(t.backend(), t.binary(), {.profile = &profile}));
  execute_first(context, t.rpcmem(), profile);
  must(std::move(context).close(&profile));
  return records_of(profile);
}

/// Path of a file of this process, in the folder for temporary files; an Android device has no
/// /tmp. The destructor removes the file.
struct ProfilePath {
  ProfilePath() {
    std::error_code failure;
    std::filesystem::path folder = std::filesystem::temp_directory_path(failure);
    if (failure) folder = ".";
    name = (folder / ("qnnpp-flow-" + std::to_string(::getpid()) + ".profile")).string();
  }
  ProfilePath(const ProfilePath&) = delete;
  ProfilePath& operator=(const ProfilePath&) = delete;
  ~ProfilePath() { (void)std::remove(name.c_str()); }

  std::string name;
};

inline void add_profile_ways(Ways& ways) {
  ways.push_back({"profile.basic", [](Tools& t) { return profiled(t, {}); }});
  ways.push_back(
      {"profile.detailed", [](Tools& t) { return profiled(t, ProfileLevel::detailed); }});
  ways.push_back({"profile.linting", [](Tools& t) { return profiled(t, ProfileLevel::linting); }});
  ways.push_back(
      {"profile.op_trace", [](Tools& t) { return profiled(t, ProfileLevel::op_trace); }});
  ways.push_back(
      {"profile.external_buffers", [](Tools& t) {
         auto profile = must(Profile::create(t.backend()));
         auto context = queried(t, 0, {.profile = &profile});
         const auto pool = must(SharedSpillFill::allocate(t.rpcmem(), context.requirements()));
         auto complete = must(
             must(std::move(context).register_buffers({.spill_fill = pool})).finalize(&profile));
         execute_first(complete, t.rpcmem(), profile);
         must(std::move(complete).close(&profile));
         return records_of(profile);
       }});
  ways.push_back(
      {"profile.model", [](Tools& t) {
         auto profile = must(Profile::create(t.backend()));
         const auto loaded =
             must(model::load(t.backend(), t.rpcmem(), t.given.many(), {.profile = &profile}));
         return profile.records().size() >= loaded.size() ? std::string() : records_of(profile);
       }});
  ways.push_back({"profile.freed_before_its_context", [](Tools& t) {
                    auto profile = std::optional(must(Profile::create(t.backend())));
                    const auto context = must(Context<Finalized>::restore(t.backend(), t.binary(),
                                                                          {.profile = &*profile}));
                    execute_first(context, t.rpcmem(), *profile);
                    must(std::move(*profile).close());
                    profile.reset();
                    execute_all(context, t.rpcmem());
                    return std::string();
                  }});
  ways.push_back(
      {"profile.of_another_backend", [](Tools& t) {
         const auto other = must(t.load());
         auto profile = must(Profile::create(other));
         return must(Context<Finalized>::restore(t.backend(), t.binary(), {.profile = &profile}))
             .name();
       }});
  ways.push_back({"profile.file", [](Tools& t) {
                    auto profile = must(Profile::create(t.backend()));
                    const auto context = must(Context<Finalized>::restore(t.backend(), t.binary(),
                                                                          {.profile = &profile}));
                    execute_first(context, t.rpcmem(), profile);
                    const ProfilePath path;
                    auto file = must(ProfileFile::create(t.backend(), path.name));
                    must(file.write(profile));
                    must(std::move(file).close());
                    return std::string();
                  }});
}

}  // namespace flow
