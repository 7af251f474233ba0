// LoadOptions::ahead: QNN's calls stay as they are, the next buffers are allocated meanwhile, and
// nothing is left however the load ends.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/core/stop.hpp"
#include "qnnpp/memory/any_allocator.hpp"

#include "model_fixture.hpp"
#include "noted_allocator.hpp"
#include "recorder.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;
using namespace std::chrono_literals;
using model::BinarySource;
using model::LoadOptions;
using model::LoadPhase;
using model::SpillFillSharing;
using sim::Slot;

/// Returns the number of threads of this process.
std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

/// Calls of the recording libraries, in their order.
struct Call {
  std::size_t slot;
  std::thread::id thread;
};
struct Calls {
  std::mutex mutex;
  std::vector<Call> made;
  std::function<void()> at_finalize;
};
Calls& all_calls() {
  static Calls calls;
  return calls;
}

class a_load_ahead : public ModelTest {
 protected:
  static constexpr std::size_t contexts = 6;

  void SetUp() override {
    ModelTest::SetUp();
    if (HasFatalFailure()) return;
    for (std::size_t i = 0; i < contexts; ++i) {
      add_network({.name = "n" + std::to_string(i),
                   .rows = i == contexts / 2 ? 8u : 2u,
                   .width = 16,
                   .hidden = 32,
                   .seed = static_cast<std::uint32_t>(i + 1)});
      const std::string path = folder_.file(sources[i].name);
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(sources[i].bytes.data()),
                 static_cast<std::streamsize>(sources[i].bytes.size()));
      files.push_back(BinarySource::file(path));
    }
    control().reset_counters();
    // The first thread of a process may start one of a sanitizer, which stays.
    std::thread([] {}).join();
    threads_before_ = threads_of_this_process();
    for (int i = 0; i < 20; ++i) {
      std::this_thread::sleep_for(1ms);
      threads_before_ = std::min(threads_before_, threads_of_this_process());
    }
  }

  static std::vector<LoadOptions> ways(std::size_t ahead) {
    using enum SpillFillSharing;
    return {{.sharing = external_buffer, .ahead = ahead},
            {.sharing = context_group, .ahead = ahead},
            {.sharing = none, .ahead = ahead},
            {.ahead = ahead}};
  }

  NotedAllocator<true> noted(Allocations& allocations) const { return {allocator(), allocations}; }

  /// Expects that nothing of a model is left, nor its thread.
  void expect_nothing_loaded() const {
    const sim::Counters left = control().counters();
    EXPECT_EQ(left.live_contexts, 0u);
    EXPECT_EQ(left.live_weights_registrations + left.live_spill_fill_registrations, 0u);
    EXPECT_EQ(left.mapped_fds, 0u);
    EXPECT_EQ(left.device_bytes + left.internal_bytes, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
    EXPECT_EQ(mappings_of(folder_.path()), 0u);
    // A thread that has been joined may be listed for a moment.
    for (int i = 0; i < 1000 && threads_of_this_process() != threads_before_; ++i)
      std::this_thread::sleep_for(1ms);
    EXPECT_EQ(threads_of_this_process(), threads_before_);
    expect_no_misuse();
  }

  /// Loads over the recording libraries and returns their calls.
  std::vector<Call> calls_of(const LoadOptions& options) const {
    auto backend = must(load_recorder());
    const auto rpcmem = must(RpcmemAllocator::load(QNNPP_RECORDER));
    all_calls().made.clear();
    const Recording recording([](std::size_t slot, bool entering, const void* const*) {
      if (!entering) return;
      Calls& calls = all_calls();
      {
        const std::scoped_lock known(calls.mutex);
        calls.made.push_back({slot, std::this_thread::get_id()});
      }
      if (slot == static_cast<std::size_t>(Slot::context_finalize) && calls.at_finalize)
        calls.at_finalize();
    });
    {
      const auto loaded = must(model::load(backend, rpcmem, files, options));
      EXPECT_EQ(loaded.size(), contexts);
    }
    return std::exchange(all_calls().made, {});
  }
  static bool is_of_rpcmem(const Call& call) { return call.slot >= rpcmem_alloc_slot; }

  std::vector<BinarySource> files;

 private:
  TemporaryFolder folder_;
  std::ptrdiff_t threads_before_ = 0;
};

TEST_F(a_load_ahead, calls_qnn_in_the_order_and_on_the_thread_of_a_load_without) {
  for (std::size_t way = 0; way < ways(0).size(); ++way) {
    SCOPED_TRACE(name_of(ways(0)[way].sharing));
    std::vector<std::size_t> expected;
    std::map<std::size_t, int> expected_of_rpcmem;
    for (const std::size_t ahead : {0u, 1u, 3u, 1000u}) {
      SCOPED_TRACE(ahead);
      std::vector<std::size_t> order;
      std::map<std::size_t, int> of_rpcmem;
      int elsewhere = 0;
      for (const Call& call : calls_of(ways(ahead)[way])) {
        const bool is_here = call.thread == std::this_thread::get_id();
        if (is_of_rpcmem(call)) {
          ++of_rpcmem[call.slot];
          if (!is_here) ++elsewhere;
        } else {
          order.push_back(call.slot);
          EXPECT_TRUE(is_here);
        }
      }
      if (ahead == 0) {
        expected = order;
        expected_of_rpcmem = of_rpcmem;
        EXPECT_EQ(elsewhere, 0);
      }
      EXPECT_EQ(order, expected);
      EXPECT_EQ(of_rpcmem, expected_of_rpcmem);
      // All weights but the first: rpcmem_alloc2 and rpcmem_to_fd.
      const bool has_buffers = of_rpcmem[rpcmem_alloc2_slot] > 1;
      EXPECT_EQ(elsewhere, ahead == 0 || !has_buffers ? 0 : 2 * (int{contexts} - 1));
    }
  }
  expect_nothing_loaded();
}

TEST_F(a_load_ahead, allocates_while_qnn_finalizes_and_never_more_than_asked) {
  for (const std::size_t ahead : {0u, 1u, 3u}) {
    SCOPED_TRACE(ahead);
    std::size_t finalized = 0;
    all_calls().at_finalize = [&] {
      const auto allocated = [] { return rpcmem_control().counters().live_allocations; };
      ++finalized;
      // The spill-fill, the weights of the contexts so far, and the next ones.
      const std::size_t all = 1 + std::min(finalized + ahead, contexts);
      for (int i = 0; i < 10'000 && allocated() < all; ++i) std::this_thread::sleep_for(1ms);
      EXPECT_EQ(allocated(), all);
      std::this_thread::sleep_for(2ms);
      EXPECT_EQ(allocated(), all) << "no more is allocated meanwhile";
    };
    (void)calls_of({.sharing = SpillFillSharing::external_buffer, .ahead = ahead});
    all_calls().at_finalize = {};
    EXPECT_EQ(finalized, contexts);
    expect_nothing_loaded();
  }
}

TEST_F(a_load_ahead, calls_the_functions_of_the_program_on_the_calling_thread) {
  std::vector<std::thread::id> threads;
  const auto note = [&] { threads.push_back(std::this_thread::get_id()); };
  std::vector<BinarySource> given;
  for (std::size_t i = 0; i < contexts; ++i) {
    if (i % 2 == 0) {
      given.push_back(BinarySource::function(sources[i].name, [&, i]() -> Result<ContextBinary> {
        note();
        return ContextBinary::borrow(sources[i].bytes, sources[i].name);
      }));
    } else {
      given.push_back(files[i]);
    }
    given.back().check = [&](std::span<const std::byte>) -> Result<void> {
      note();
      return {};
    };
  }
  Allocations allocations;
  for (LoadOptions options : ways(2)) {
    options.progress = [&](const model::Progress&) {
      note();
      return true;
    };
    expect_to_work(must(model::load(backend(), noted(allocations), given, options)));
  }
  EXPECT_GT(threads.size(), 10 * contexts);
  for (const std::thread::id thread : threads) EXPECT_EQ(thread, std::this_thread::get_id());
  EXPECT_NE(std::count(allocations.threads.begin(), allocations.threads.end(),
                       std::this_thread::get_id()),
            static_cast<std::ptrdiff_t>(allocations.threads.size()))
      << "the allocator is called on another thread";
}

TEST_F(a_load_ahead, calls_an_allocator_on_another_thread_only_if_it_declares_that) {
  const auto is_only_here = [&](const auto& memory, Allocations& allocations) {
    allocations.threads.clear();
    expect_to_work(must(model::load(backend(), memory, sources)));
    EXPECT_EQ(allocations.threads.size(), 1 + contexts);
    return std::all_of(allocations.threads.begin(), allocations.threads.end(),
                       [](std::thread::id each) { return each == std::this_thread::get_id(); });
  };
  Allocations allocations;
  const NotedAllocator<true> declared(allocator(), allocations);
  const NotedAllocator<false> undeclared(allocator(), allocations);
  EXPECT_FALSE(is_only_here(declared, allocations));
  EXPECT_TRUE(is_only_here(undeclared, allocations));
  EXPECT_FALSE(is_only_here(AnyAllocator(declared), allocations));
  EXPECT_TRUE(is_only_here(AnyAllocator(undeclared), allocations));
  EXPECT_FALSE(is_only_here(AnyAllocator(AnyAllocator(declared)), allocations));
}

TEST_F(a_load_ahead, that_fails_at_any_call_ends_as_one_without_and_leaves_nothing) {
  for (std::size_t way = 0; way < ways(0).size(); ++way) {
    SCOPED_TRACE(name_of(ways(0)[way].sharing));
    std::uint64_t failed = 0;
    for (bool is_over = false; !is_over;) {
      control().reset_counters();
      SCOPED_TRACE("call " + std::to_string(++failed));
      std::optional<Error> expected;
      for (const std::size_t ahead : {0u, 1u, 3u}) {
        reload_backend();
        control().reset_counters();
        control().fail_any_call(failed, 5001);
        const auto loaded = model::load(backend(), allocator(), files, ways(ahead)[way]);
        is_over = control().counters().faults_fired == 0;
        control().clear_faults();
        if (loaded) {
          ASSERT_TRUE(is_over);
          break;
        }
        if (!expected) expected = loaded.error();
        EXPECT_EQ(loaded.error().message(), expected->message());
        expect_nothing_loaded();
      }
    }
    EXPECT_GT(failed, contexts);
  }
}

TEST_F(a_load_ahead, that_finds_no_memory_for_a_context_says_what_one_without_says) {
  for (const auto call : {sim::RpcmemCall::alloc2, sim::RpcmemCall::to_fd})
    for (std::uint64_t k = 1; k <= contexts + 1; ++k)
      for (const bool is_persistent : {false, true}) {
        SCOPED_TRACE(k);
        std::optional<Error> expected;
        for (const std::size_t ahead : {0u, 1u, 3u}) {
          std::vector<std::string> told;
          rpcmem_control().fail_call(call, k, is_persistent);
          const Error error = error_of(model::load(backend(), allocator(), files,
                                                   {.sharing = SpillFillSharing::external_buffer,
                                                    .progress =
                                                        [&](const model::Progress& progress) {
                                                          told.push_back(progress.binary);
                                                          return true;
                                                        },
                                                    .ahead = ahead}));
          rpcmem_control().clear_faults();
          if (!expected) expected = error;
          EXPECT_EQ(error.message(), expected->message());
          if (k > 1) {
            EXPECT_EQ(told.back(), files[k - 2].name) << "the context that lacks it";
          }
          expect_nothing_loaded();
        }
      }
}

TEST_F(a_load_ahead, frees_what_it_has_allocated_for_a_context_that_is_not_loaded) {
  Allocations allocations;
  const Error error =
      error_of(model::load(backend(), noted(allocations), files,
                           {.sharing = SpillFillSharing::external_buffer,
                            .progress =
                                [&](const model::Progress& progress) {
                                  if (progress.phase != LoadPhase::finalizing) return true;
                                  for (int i = 0; i < 10'000 && allocations.count() < 1 + 4; ++i)
                                    std::this_thread::sleep_for(1ms);
                                  return false;
                                },
                            .ahead = 3}));
  EXPECT_EQ(error.kind, Errc::cancelled);
  EXPECT_EQ(error.object, files[0].name);
  EXPECT_EQ(allocations.count(), 1u + 4) << "spill-fill, the first context, and three more";
  expect_nothing_loaded();
}

TEST_F(a_load_ahead, is_cancelled_and_stopped_at_every_step_and_leaves_nothing) {
  for (const std::size_t ahead : {1u, 3u})
    for (LoadOptions options : ways(ahead))
      for (const bool by_stop : {false, true}) {
        SCOPED_TRACE(name_of(options.sharing));
        for (std::size_t allowed = 0;; ++allowed) {
          ASSERT_LE(allowed, 5 * contexts);
          Stop stop;
          if (by_stop) options.stop = stop;
          std::size_t told = 0;
          options.progress = [&](const model::Progress&) {
            if (told++ < allowed) return true;
            if (by_stop) stop.pull();
            return by_stop;
          };
          const auto loaded = model::load(backend(), allocator(), files, options);
          if (loaded) break;
          EXPECT_EQ(loaded.error().kind, Errc::cancelled);
          expect_nothing_loaded();
        }
      }
}

#ifdef __cpp_exceptions
TEST_F(a_load_ahead, whose_progress_throws_at_any_step_leaves_nothing) {
  struct Thrown {};
  for (LoadOptions options : ways(2))
    for (std::size_t allowed = 0;; ++allowed) {
      ASSERT_LE(allowed, 5 * contexts);
      std::size_t told = 0;
      options.progress = [&](const model::Progress&) {
        if (told++ == allowed) throw Thrown();
        return true;
      };
      bool is_thrown = false;
      try {
        expect_to_work(must(model::load(backend(), allocator(), files, options)));
      } catch (const Thrown&) {
        is_thrown = true;
      }
      expect_nothing_loaded();
      if (!is_thrown) break;
    }
}

TEST_F(a_load_ahead, throws_what_the_allocator_throws_when_the_context_is_due) {
  for (const std::size_t ahead : {0u, 1u, 3u})
    for (std::size_t k = 1; k <= contexts + 1; ++k) {
      SCOPED_TRACE(std::to_string(ahead) + ", call " + std::to_string(k));
      Allocations allocations;
      allocations.throwing = k;
      std::string last;
      std::string thrown;
      try {
        (void)model::load(backend(), noted(allocations), files,
                          {.sharing = SpillFillSharing::external_buffer,
                           .progress =
                               [&](const model::Progress& progress) {
                                 last = progress.binary;
                                 return true;
                               },
                           .ahead = ahead});
      } catch (const std::runtime_error& error) {
        thrown = error.what();
      }
      EXPECT_EQ(thrown, "call " + std::to_string(k));
      EXPECT_EQ(last, files[k == 1 ? contexts - 1 : k - 2].name);
      expect_nothing_loaded();
    }
}
#endif

TEST_F(a_load_ahead, is_as_one_without_if_there_is_nothing_to_prepare) {
  Allocations allocations;
  const auto memory = noted(allocations);
  // One context; contexts without weights of their own; bytes that are in memory already.
  (void)must(model::load(backend(), memory, {sources[0]}));
  (void)must(model::load(backend(), memory, sources, {.sharing = SpillFillSharing::none}));
  (void)must(model::load(
      backend(), memory, sources,
      {.sharing = SpillFillSharing::external_buffer, .contexts = {.external_weights = false}}));
  for (const std::thread::id thread : allocations.threads)
    EXPECT_EQ(thread, std::this_thread::get_id());
}

TEST_F(a_load_ahead, loads_again_what_the_backend_finalizes_only_without_external_weights) {
  reload_backend();
  control().fail_call(Slot::context_finalize, 1, 1002);
  const auto loaded = must(model::load(backend(), allocator(), files, {.ahead = 3}));
  EXPECT_EQ(loaded.report().external_weights, ExternalWeights::refused);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u) << "the spill-fill alone";
  expect_to_work(loaded);
}

TEST_F(a_load_ahead, in_a_child_that_its_progress_forks_ends_without_the_thread) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer ends such a child";
#endif
  const pid_t parent = ::getpid();
  pid_t child = 0;
  const auto loaded = model::load(
      backend(), allocator(), files,
      {.sharing = SpillFillSharing::external_buffer,
       .progress =
           [&](const model::Progress& progress) {
             if (child == 0 && ::getpid() == parent && progress.phase == LoadPhase::finalizing) {
               child = ::fork();
               if (child == 0) (void)::alarm(60);
             }
             return true;
           },
       .ahead = 2});
  if (::getpid() != parent) ::_exit(loaded ? 1 : 0);
  EXPECT_TRUE(succeeds(loaded));
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the child's load returns an error";
}

}}  // namespace support
