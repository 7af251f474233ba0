// Every allocation of every public operation on profiles, their files and traces fails once.
// Nothing is left, and the next run works.
#include <fmt/format.h>

#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/profile.hpp"
#include "qnnpp/format.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/report/profile_file.hpp"
#include "qnnpp/report/trace.hpp"

#include "allocations.hpp"
#include "temporary_folder.hpp"

namespace support::allocations { namespace {

using namespace qnnpp;

class allocations_of_a_profile : public AllocationTest {
 protected:
  Profile profile() const { return must(Profile::create(backend(), ProfileLevel::detailed)); }
  /// A graph that executes, and a profile.
  struct Executed {
    Context<Finalized> context;
    SharedBuffer<MultiTensor> buffer;
    Graph<Bound> graph;
    Profile profile;
  };
  Executed executed() const {
    auto context = finalized();
    auto graph = must(Graph<Retrieved>::retrieve(context, networks[0].name));
    auto buffer =
        must(SharedBuffer<MultiTensor>::allocate(rpcmem(), graph.inputs(), graph.outputs()));
    auto bound = must(std::move(graph).bind(must(RegisteredTensors::create(context, buffer))));
    return {std::move(context), std::move(buffer), std::move(bound), profile()};
  }
  /// A profile with a record.
  Profile with_records() const {
    Executed made = executed();
    EXPECT_TRUE(succeeds(made.graph.execute(&made.profile)));
    return std::move(made.profile);
  }
};

TEST_F(allocations_of_a_profile, fail_while_it_is_created_and_closed) {
  each(
      "Profile::create", [] { return 0; },
      [&](int) { return Profile::create(backend(), ProfileLevel::op_trace); });
  each(
      "Profile::create, at no level", [] { return 0; },
      [&](int) {
        return Profile::create(backend(), static_cast<ProfileLevel>(77)).error().message();
      });
  each(
      "Profile::close", [&] { return with_records(); },
      [](Profile& made) { return std::move(made).close(); });
  each("Profile::take", [&] { return with_records(); }, [](Profile& made) { return made.take(); });
  each(
      "Profile::records", [&] { return with_records(); },
      [](Profile& made) { return made.records().size(); });
}

TEST_F(allocations_of_a_profile, that_fail_while_it_is_read_lose_no_record) {
  Executed made = executed();
  ASSERT_TRUE(succeeds(made.graph.execute(&made.profile)));
  ASSERT_EQ(made.profile.records().size(), 1u);
  ASSERT_TRUE(succeeds(made.graph.execute(&made.profile)));
  ASSERT_TRUE(succeeds(made.graph.execute(&made.profile)));
  bool is_read = false;
  std::uint64_t failed = 0;
  while (!is_read) {
    const AllocationFault fault(failed + 1);
    try {
      is_read = made.profile.records().size() == 3;
      ASSERT_TRUE(is_read);
    } catch (const std::bad_alloc&) {
      ++failed;
    }
  }
  EXPECT_GT(failed, 2u);
  for (const ProfileRecord& record : made.profile.records())
    EXPECT_EQ(record.events.size(), made.profile.records().front().events.size());
}

TEST_F(allocations_of_a_profile, that_fail_while_a_call_is_recorded_leave_no_part_of_it) {
  const Recording recording(&pause_in_a_call);
  Executed made = executed();
  Profile other = profile();
  ASSERT_TRUE(succeeds(made.graph.execute(&other)));
  std::uint64_t failed = 0;
  for (bool is_recorded = false; !is_recorded;) {
    const AllocationFault fault(failed + 1);
    try {
      is_recorded = made.graph.execute(&made.profile).has_value();
    } catch (const std::bad_alloc&) {
      ++failed;
    }
  }
  EXPECT_GT(failed, 2u);
  ASSERT_EQ(made.profile.records().size(), 1u);
  const ProfileRecord& record = made.profile.records().front();
  const ProfileRecord& expected = other.records().front();
  EXPECT_EQ(record.object, expected.object);
  ASSERT_EQ(record.events.size(), expected.events.size());
  for (std::size_t i = 0; i < record.events.size(); ++i) {
    EXPECT_EQ(record.events[i].node, expected.events[i].node);
    EXPECT_EQ(record.events[i].parent, expected.events[i].parent);
  }
}

TEST_F(allocations_of_a_profile, fail_while_calls_are_recorded) {
  each(
      "Context<Deferred>::create, with a profile", [&] { return std::pair(binary(), profile()); },
      [&](auto& given) {
        return Context<Deferred>::create(backend(), std::move(given.first),
                                         {.profile = &given.second});
      });
  each(
      "Context<Registered>::finalize, with a profile",
      [&] { return std::pair(registered_context(), profile()); },
      [](auto& given) { return std::move(given.first).finalize(&given.second); });
  each(
      "Context<Finalized>::close, with a profile", [&] { return std::pair(restored(), profile()); },
      [](auto& given) { return std::move(given.first).close(&given.second); });
  each(
      "Graph::execute, with a profile", [&] { return executed(); },
      [](Executed& made) { return made.graph.execute(&made.profile); });
  each(
      "Graph::execute, under a lease with a profile", [&] { return executed(); },
      [](Executed& made) {
        return made.context.spill_fill().lease().and_then(
            [&](SpillFillLease lease) { return made.graph.execute(lease, &made.profile); });
      });
}

TEST_F(allocations_of_a_profile, fail_while_calls_of_a_pipeline_are_recorded) {
  const auto made = [&] {
    std::vector<Graph<Retrieved>> graphs;
    for (std::size_t i = 0; i < 2; ++i)
      graphs.push_back(must(Graph<Retrieved>::retrieve(finalized(i), networks[i].name)));
    PipelineOptions options;
    options.wires = {{0, networks[0].y_name, 1, networks[1].x_name}};
    auto line = must(Pipeline::create(rpcmem(), std::move(graphs), options));
    (void)must(line.access(CpuUse::write));
    return std::pair(std::move(line), profile());
  };
  each("Pipeline::execute, with a profile", made,
       [](auto& given) { return given.first.execute(&given.second); });
}

TEST_F(allocations_of_a_profile, fail_while_calls_of_a_load_are_recorded) {
  const std::vector<model::BinarySource> sources{
      {.name = "a binary on the heap.bin", .bytes = bytes(0)},
      {.name = "another binary on the heap.bin", .bytes = bytes(1)}};
  const NeverFailing<RpcmemAllocator> memory{rpcmem()};
  for (const auto sharing :
       {model::SpillFillSharing::external_buffer, model::SpillFillSharing::none})
    each(
        "model::load, with a profile and progress", [&] { return profile(); },
        [&](Profile& made) {
          const model::Trace trace;
          return model::load(
              backend(), memory, sources,
              {.sharing = sharing, .progress = trace.on_progress(), .profile = &made});
        });
}

TEST_F(allocations_of_a_profile, fail_while_it_becomes_text) {
  each(
      "to_text, of a record", [&] { return with_records(); },
      [](Profile& made) { return to_text(made.records().front()); });
  each(
      "format, of a profile", [&] { return with_records(); },
      [](Profile& made) { return fmt::format("{}", made); });
  each(
      "Trace::text", [&] { return with_records(); },
      [](Profile& made) {
        model::Trace trace;
        trace.add(made);
        trace.add_memory("a counter whose name is on the heap", 1, 2);
        return trace.text();
      });
}

TEST_F(allocations_of_a_profile, fail_while_it_becomes_a_file) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a profile whose name is on the heap.bin");
  const std::string app_name = "a program whose name is on the heap";
  const auto created = [&] { return must(ProfileFile::create(backend(), path, app_name)); };
  each(
      "ProfileFile::create", [] { return 0; },
      [&](int) { return ProfileFile::create(backend(), path, app_name); });
  each(
      "ProfileFile::create, in no folder", [] { return 0; },
      [&](int) {
        return ProfileFile::create(backend(), folder.file("no such folder/file.bin"), app_name)
            .error()
            .message();
      });
  each(
      "ProfileFile::write", [&] { return std::pair(created(), with_records()); },
      [](auto& made) { return made.first.write(made.second); });
  each("ProfileFile::close", created, [](ProfileFile& made) { return std::move(made).close(); });
}

TEST_F(allocations_of_a_profile, fail_while_it_becomes_a_trace_of_a_model) {
  const std::vector<model::BinarySource> sources{
      {.name = "a binary on the heap.bin", .bytes = bytes()}};
  const NeverFailing<RpcmemAllocator> memory{rpcmem()};
  const auto loaded = [&](const model::Trace& trace) {
    return model::load(backend(), memory, sources, {.progress = trace.on_progress()});
  };
  each(
      "Trace::on_progress", [] { return model::Trace(); },
      [&](const model::Trace& trace) { return loaded(trace); });
  each(
      "Trace::add_memory, of a report",
      [&] {
        model::Trace trace;
        const auto made = must(loaded(trace));
        return std::pair(std::move(trace), made.report());
      },
      [](auto& given) {
        given.first.add_memory(given.second);
        return given.first.text();
      });
  const TemporaryFolder folder;
  each(
      "Trace::write", [&] { return with_records(); },
      [&](const Profile& made) {
        model::Trace trace;
        trace.add(made);
        return trace.write(folder.file("a trace whose name is on the heap.json"));
      });
}

}}  // namespace support::allocations
