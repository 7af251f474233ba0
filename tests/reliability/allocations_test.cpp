// Every allocation of every public operation on backends, contexts, memory and graphs fails once.
// Nothing is left, and the next run works.
#include "allocations.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/format.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/kv_cache.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/tensor_arena.hpp"
#include "qnnpp/throw.hpp"

#include "imported.hpp"
#include "job.hpp"
#include "temporary_folder.hpp"

namespace support::allocations { namespace {

using namespace qnnpp;

struct Nothing {};
Nothing nothing() { return {}; }

// ------------------------------------------------------------------------------------- backends

class allocations_of_a_backend : public AllocationTest {};

TEST_F(allocations_of_a_backend, fail_while_it_is_loaded) {
  each("Backend::load", recorded,
       [](BackendOptions& options) { return Backend<Htp>::load(std::move(options)); });
  each(
      "Backend::load, with a log sink",
      [] {
        auto options = recorded();
        options.log = log_to<log_nothing>(c_api::LogLevel::debug);
        return options;
      },
      [](BackendOptions& options) { return Backend<Htp>::load(std::move(options)); });
  each(
      "Backend::load, with the other sinks",
      [] {
        auto options = recorded();
        options.log = log_to_file("/dev/null", c_api::LogLevel::debug);
        return options;
      },
      [](BackendOptions& options) { return Backend<Htp>::load(std::move(options)); });
  each("log_to", nothing, [](Nothing&) {
    return log_to([text = std::string(100, 'x')](c_api::LogLevel, std::string_view) {},
                  c_api::LogLevel::warn);
  });
  each(
      "log_to_file, of a folder that does not exist",
      [] {
        auto options = recorded();
        options.log = log_to_file("/there/is/no/such/folder/file.log", c_api::LogLevel::warn);
        return options;
      },
      [](BackendOptions& options) {
        return Backend<Htp>::load(std::move(options)).error().message();
      });
  each(
      "Backend::load, without a system library",
      [] { return BackendOptions{.library = QNNPP_RECORDER}; },
      [](BackendOptions& options) { return Backend<Htp>::load(std::move(options)); });
  each(
      "Backend::load, of no library, and its message",
      [] { return BackendOptions{.library = "/a/library/that/is/not/there/libQnnHtp.so"}; },
      [](BackendOptions& options) {
        return Backend<Htp>::load(std::move(options)).error().message();
      });
  each(
      "Backend::load, of a file that is no library",
      [] { return BackendOptions{.library = "/proc/self/status"}; },
      [](BackendOptions& options) {
        return Backend<Htp>::load(std::move(options)).error().message();
      });
  each(
      "Backend::load, of a library without providers",
      [] { return BackendOptions{.library = rpcmem_library}; },
      [](BackendOptions& options) {
        return Backend<Htp>::load(std::move(options)).error().message();
      });
}

TEST_F(allocations_of_a_backend, fail_while_it_fails_to_start) {
  for (const auto slot :
       {sim::Slot::log_create, sim::Slot::backend_create, sim::Slot::device_create})
    each(
        "Backend::load, whose C call fails",
        [slot] {
          control().clear_faults();
          control().fail_call(slot, 1, 14001, true);
          auto options = recorded();
          options.log = log_to<log_nothing>(c_api::LogLevel::debug);
          return options;
        },
        [](BackendOptions& options) { return !Backend<Htp>::load(std::move(options)); });
  control().clear_faults();
}

TEST_F(allocations_of_a_backend, fail_while_it_is_used) {
  each("Backend::build_id", nothing, [&](Nothing&) { return backend().build_id(); });
  each("Backend::platform_info", nothing, [&](Nothing&) { return backend().platform_info(); });
  each("Backend::chip", nothing, [&](Nothing&) { return backend().chip().has_value(); });
  each("Backend::share", nothing, [&](Nothing&) {
    const auto shared = backend().share();
    return shared.native() != nullptr;
  });
  each("Backend::capability", nothing, [&](Nothing&) {
    return backend().capability(c_api::PropertyKey::context_support_deferred_graph_init);
  });
  each("Backend::external_weights", nothing,
       [&](Nothing&) { return backend().external_weights(); });
  each(
      "Backend::close", [] { return must(Backend<Htp>::load(recorded())); },
      [](Backend<Htp>& loaded) { return std::move(loaded).close(); });
  each(
      "Backend::close, in use", [&] { return backend().share(); },
      [](Backend<Htp>& shared) { return std::move(shared).close().error().message(); });
}

TEST_F(allocations_of_a_backend, fail_while_it_is_loaded_with_options_of_its_device) {
  const auto optioned = [](DeviceOptions options) {
    auto all = recorded();
    all.device = std::move(options);
    return all;
  };
  const auto platform = must(backend().platform_info());
  each(
      "Backend::load, with options of its device",
      [&] {
        return optioned({.soc_model = 69,
                         .arch = c_api::HtpDeviceArch::v79,
                         .process_domain = ProcessDomainKind::signed_,
                         .platform = platform});
      },
      [](BackendOptions& options) { return Backend<Htp>::load(std::move(options)); });
  each(
      "Backend::load, with no process domain, and its message",
      [&] { return optioned({.process_domain = static_cast<ProcessDomainKind>(200)}); },
      [](BackendOptions& options) {
        return Backend<Htp>::load(std::move(options)).error().message();
      });
  each(
      "Backend::load, whose device refuses its options",
      [&] {
        control().clear_faults();
        control().fail_call(sim::Slot::device_create, 1, 1000, true);
        return optioned({.process_domain = ProcessDomainKind::secure});
      },
      [](BackendOptions& options) {
        return Backend<Htp>::load(std::move(options)).error().message();
      });
  control().clear_faults();
}

TEST_F(allocations_of_a_backend, fail_while_its_performance_is_voted_for) {
  each("Performance::vote", nothing,
       [&](Nothing&) { return Performance::vote(backend(), PerformanceMode::burst); });
  each("Performance::vote, for no such core, and its message", nothing, [&](Nothing&) {
    return Performance::vote(backend(), PerformanceMode::burst, {9, 9}).error().message();
  });
  each("Performance::vote, with a wrong value, and its message", nothing, [&](Nothing&) {
    return Performance::vote(backend(), {.rpc_polling_us = 10000}).error().message();
  });
  const auto voted = [&] { return must(Performance::vote(backend(), PerformanceMode::burst)); };
  each("Performance::change", voted,
       [](Performance& vote) { return vote.change(PerformanceMode::balanced); });
  each("Performance::close", voted, [](Performance& vote) { return std::move(vote).close(); });
  each(
      "Performance::vote, with a setting that the device lacks",
      [] {
        control().fail_call(sim::Slot::perf_set_power_config, 1, 13004, true);
        return Nothing{};
      },
      [&](Nothing&) {
        const auto vote = must(Performance::vote(backend(), PerformanceMode::burst));
        return vote.refused().size() == 3;
      });
  control().clear_faults();
}

TEST_F(allocations_of_a_backend, fail_in_its_libraries) {
  each(
      "SharedLibrary::open", [] { return std::string(QNNPP_RECORDER); },
      [](std::string& path) { return SharedLibrary::open(std::move(path)); });
  each(
      "SharedLibrary::symbol", [] { return must(SharedLibrary::open(QNNPP_RECORDER)); },
      [](SharedLibrary& library) {
        library.pin();
        return std::pair(library.folder(), library.symbol("a_function_that_is_not_there").error());
      });
  each(
      "Interface::choose", [] { return must(SharedLibrary::open(QNNPP_RECORDER)); },
      [](SharedLibrary& library) { return Interface::choose(library, 0); });
  each(
      "Interface::choose, of no such backend",
      [] { return must(SharedLibrary::open(QNNPP_RECORDER)); },
      [](SharedLibrary& library) { return Interface::choose(library, 77).error().message(); });
  each(
      "System::load", [] { return std::string(QNNPP_RECORDER); },
      [](std::string& path) { return System::load(std::move(path)); });
  each(
      "System::metadata", [] { return must(System::load(QNNPP_RECORDER)); },
      [&](System& system) { return system.metadata(bytes(), networks[0].name); });
  each(
      "System::metadata, of no binary", [] { return must(System::load(QNNPP_RECORDER)); },
      [&](System& system) {
        const std::vector<std::byte> wrong(4096, std::byte{0x5A});
        return system.metadata(wrong, networks[0].name).error().message();
      });
}

/// Calls a log callback as QNN does.
void log(c_api::LogCallback callback, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  callback(format, c_api::LogLevel::error, 0, arguments);
  va_end(arguments);
}
/// Stores the length of the last text.
struct LengthOfALine {
  static inline std::size_t length = 0;
  void operator()(c_api::LogLevel, std::string_view text) const { length = text.size(); }
};
constinit LengthOfALine length_of_a_line;

TEST_F(allocations_of_a_backend, fail_in_no_callback_that_c_calls) {
  const std::string text(2000, 'x');
  const std::size_t slot = must(detail::log_slots->take(
      log_to<length_of_a_line>(c_api::LogLevel::error).sink, c_api::LogLevel::error));
  const detail::LogSlotUse use(slot);
  const c_api::LogCallback callback = detail::LogSlots::callback(slot);
  log(callback, "%s", text.c_str());
  EXPECT_EQ(LengthOfALine::length, 2000u);
  {
    // An exception must not pass through C code, so the text is cut off instead.
    const AllocationFault fault(1);
    log(callback, "%s", text.c_str());
  }
  EXPECT_EQ(LengthOfALine::length, 511u);
  {
    const AllocationFault fault(1);
    log(callback, "%s", "a short text needs no memory");
    EXPECT_EQ(AllocationFault::allocations(), 0u);
  }
}

TEST_F(allocations_of_a_backend, fail_in_sinks_that_drop_the_line) {
  int calls = 0;
  const auto throws = [&calls](c_api::LogLevel, std::string_view) {
    ++calls;
    throw 7;
  };
  for (const LogOptions& options :
       {log_to(throws, c_api::LogLevel::error), log_to_stderr(c_api::LogLevel::error)}) {
    const std::size_t slot = must(detail::log_slots->take(options.sink, c_api::LogLevel::error));
    const detail::LogSlotUse use(slot);
    const AllocationFault fault(1);
    log(detail::LogSlots::callback(slot), "%s", "a line that is long enough to need memory");
  }
  EXPECT_EQ(calls, 1);
}

// ------------------------------------------------------------------------------------- contexts

class allocations_of_a_context : public AllocationTest {
 protected:
  static RestoreOptions head(std::uint64_t bytes) {
    RestoreOptions options;
    options.group = ContextGroup::head(bytes);
    return options;
  }
};

TEST_F(allocations_of_a_context, fail_in_its_binary) {
  each(
      "ContextBinary::own", [&] { return std::pair(bytes(), networks[0].name); },
      [](auto& given) {
        return ContextBinary::own(std::move(given.first), std::move(given.second));
      });
  each(
      "ContextBinary::borrow", [&] { return networks[0].name; },
      [&](std::string& name) { return ContextBinary::borrow(bytes(), name); });
  const TemporaryFolder folder;
  const std::string path = folder.file("a context binary.bin");
  {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes().data()),
               static_cast<std::streamsize>(bytes().size()));
  }
  each(
      "ContextBinary::map", [&] { return path; },
      [](const std::string& file) { return ContextBinary::map(file); });
  each(
      "ContextBinary::read", [&] { return path; },
      [](const std::string& file) { return ContextBinary::read(file); });
  each(
      "ContextBinary::read, of no file", [&] { return folder.file("no such file"); },
      [](const std::string& file) { return ContextBinary::read(file).error().message(); });
  each(
      "ContextBinary::map, of no file", [&] { return folder.file("no such file"); },
      [](const std::string& file) { return ContextBinary::map(file).error().message(); });
  each(
      "ContextBinary::map, of a folder", [&] { return folder.path(); },
      [](const std::string& file) { return ContextBinary::map(file).error().message(); });
}

TEST_F(allocations_of_a_context, fail_in_each_transition) {
  each(
      "Context<Deferred>::create", [&] { return binary(); },
      [&](ContextBinary& given) {
        return Context<Deferred>::create(backend(), std::move(given),
                                         {.enabled_graphs = {networks[0].name}});
      });
  each(
      "Context<Deferred>::create, of an unknown graph", [&] { return binary(); },
      [&](ContextBinary& given) {
        return Context<Deferred>::create(backend(), std::move(given),
                                         {.enabled_graphs = {"a graph that is not in the binary"}})
            .error()
            .message();
      });
  each(
      "Context<Deferred>::query", [&] { return deferred(); },
      [](Context<Deferred>& context) { return std::move(context).query(); });
  each(
      "Context<Queried>::register_buffers",
      [&] {
        auto context = queried();
        auto buffers = buffers_for(context);
        return std::pair(std::move(context), std::move(buffers));
      },
      [](auto& given) { return std::move(given.first).register_buffers(std::move(given.second)); });
  const auto with_buffers = [&] {
    auto context = queried();
    auto buffers = buffers_for(context);
    return std::pair(std::move(context), std::move(buffers));
  };
  each("Context<Queried>::check_buffers", with_buffers,
       [](auto& given) { return given.first.check_buffers(given.second); });
  each(
      "Context<Queried>::check_buffers, moved from",
      [&] {
        auto given = with_buffers();
        const auto taken = std::move(given.second.weights);
        return given;
      },
      [](auto& given) { return given.first.check_buffers(given.second).error().message(); });
  each(
      "Context<Registered>::finalize", [&] { return registered_context(); },
      [](Context<Registered>& context) { return std::move(context).finalize(); });
  each(
      "Context<Finalized>::restore", [&] { return binary(); },
      [&](ContextBinary& given) {
        return Context<Finalized>::restore(backend(), std::move(given),
                                           {.persistent_binary = true});
      });
  each(
      "Context<Finalized>::reclaim", [&] { return finalized(); },
      [](Context<Finalized>& context) { return std::move(context).reclaim(); });
  each(
      "Context<Finalized>::close", [&] { return finalized(); },
      [](Context<Finalized>& context) { return std::move(context).close(); });
  each(
      "Context<Finalized>::spill_fill", [&] { return finalized(); },
      [](Context<Finalized>& context) {
        const auto lease = context.spill_fill().lease();
        return 0;
      });
  each(
      "Context<Finalized>::spill_fill, in use", [&] { return finalized(); },
      [](Context<Finalized>& context) {
        const auto lease = context.spill_fill().try_lease();
        return context.spill_fill().lease_for(std::chrono::seconds(1)).error().message() +
               context.spill_fill().try_lease().error().message();
      });
  each(
      "Context<Finalized>, a group", [&] { return std::pair(binary(0), binary(1)); },
      [&](auto& given) {
        return Context<Finalized>::restore(backend(), std::move(given.second), head(1 << 20))
            .and_then([&](Context<Finalized> first) {
              RestoreOptions options;
              options.group = first.as_group_head();
              return Context<Finalized>::restore(backend(), std::move(given.first), options);
            });
      });
}

TEST_F(allocations_of_a_context, fail_in_a_list) {
  each(
      "restore_list",
      [&] {
        std::vector<ContextBinary> list;
        list.push_back(binary(0));
        list.push_back(binary(1));
        return list;
      },
      [&](std::vector<ContextBinary>& list) {
        return restore_list(backend(), std::move(list), {.priority = c_api::Priority::high},
                            {{networks[0].name}, {}});
      });
  each(
      "restore_list, of which all is shared and kept",
      [&] {
        set(&sim::Config::shared_resources, 1);
        std::vector<ContextBinary> list;
        list.push_back(binary(0));
        list.push_back(binary(1));
        return list;
      },
      [&](std::vector<ContextBinary>& list) {
        return restore_list(backend(), std::move(list),
                            {.persistent_binary = true,
                             .share_resources = true,
                             .patience = std::chrono::milliseconds::max()});
      });
  each(
      "restore_list, of a graph that is not there",
      [&] {
        std::vector<ContextBinary> list;
        list.push_back(binary(0));
        return list;
      },
      [&](std::vector<ContextBinary>& list) {
        return restore_list(backend(), std::move(list), {}, {{"a graph that is not in the binary"}})
            .error()
            .message();
      });
  each(
      "restore_list, of which one fails",
      [&] {
        std::vector<ContextBinary> list;
        list.push_back(binary(0));
        auto wrong = bytes(1);
        wrong.back() ^= std::byte{1};  // The metadata is correct; the weights are not.
        list.push_back(must(ContextBinary::own(std::move(wrong), "wrong.bin")));
        return list;
      },
      [&](std::vector<ContextBinary>& list) { return !restore_list(backend(), std::move(list)); });
  each(
      "restore_list, whose call fails",
      [&] {
        control().clear_faults();
        control().fail_call(sim::Slot::context_create_from_binary_list_async, 1, 1002);
        std::vector<ContextBinary> list;
        list.push_back(binary(0));
        list.push_back(binary(1));
        return list;
      },
      [&](std::vector<ContextBinary>& list) { return !restore_list(backend(), std::move(list)); });
  control().clear_faults();
}

/// When a failed creation returns, stores a live empty context in the variable from which its
/// handle is read.
struct LeavesAContext {
  static inline c_api::ContextCreateFn create = nullptr;
  static inline c_api::BackendHandle backend = nullptr;
  static inline bool is_creating = false;

  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (is_creating) return;
    if (slot == static_cast<std::size_t>(sim::Slot::context_create) && !entering) {
      is_creating = true;
      EXPECT_EQ(create(backend, nullptr, nullptr, argument<c_api::ContextHandle*>(arguments, 3)),
                0u);
      is_creating = false;
    }
    HeapWatch::pause(entering);
  }
};

TEST_F(allocations_of_a_context, ORD_14_fail_while_a_failed_creation_leaves_one) {
  LeavesAContext::create = *backend().provider().find<&c_api::InterfaceTable::context_create>();
  LeavesAContext::backend = backend().native();
  std::optional<Recording> recording;
  each(
      "Context<Composing>::create, which leaves one",
      [&] {
        recording.emplace(&LeavesAContext::hook);
        control().clear_faults();
        control().fail_call(sim::Slot::context_create, 1, 5000);
        return 0;
      },
      [&](int) { return !Context<Composing>::create(backend()); });
  control().clear_faults();
}

TEST_F(allocations_of_a_context, fail_while_it_fails) {
  using sim::Slot;
  const auto failing = [](Slot slot) {
    control().clear_faults();
    control().fail_call(slot, 1, 1002, true);
  };
  each(
      "Context<Deferred>::create, whose call fails",
      [&] {
        failing(Slot::context_create_from_binary);
        return binary();
      },
      [&](ContextBinary& given) {
        return !Context<Deferred>::create(backend(), std::move(given));
      });
  control().clear_faults();
  each(
      "Context<Queried>::register_buffers, whose call fails",
      [&] {
        control().clear_faults();
        auto context = queried();
        auto buffers = buffers_for(context);
        control().fail_call(Slot::mem_register, 2, 1002);
        return std::pair(std::move(context), std::move(buffers));
      },
      [](auto& given) {
        return !std::move(given.first).register_buffers(std::move(given.second));
      });
  each(
      "Context<Registered>::finalize, whose call fails",
      [&] {
        control().clear_faults();
        auto context = registered_context();
        failing(Slot::context_finalize);
        return context;
      },
      [](Context<Registered>& context) { return !std::move(context).finalize(); });
  each(
      "Context<Finalized>::close, whose call fails",
      [&] {
        control().clear_faults();
        auto context = finalized();
        failing(Slot::context_free);
        return context;
      },
      [](Context<Finalized>& context) { return !std::move(context).close(); });
  control().clear_faults();
}

// --------------------------------------------------------------------------------------- memory

class allocations_of_memory : public AllocationTest {
 protected:
  /// Failures of this allocator's own allocations are not under test.
  NeverFailing<RpcmemAllocator> memory() const { return {rpcmem()}; }
  TensorSpec spec(const char* tensor) const { return networks[0].spec(tensor); }
  std::vector<TensorSpec> specs() const { return {spec("x"), spec("y")}; }
};

// Covers the allocators' own code.
TEST_F(allocations_of_memory, fail_in_the_allocators) {
  each(
      "RpcmemAllocator::load", [] { return std::string(QNNPP_RECORDER); },
      [](const std::string& path) { return RpcmemAllocator::load(path); });
  each("RpcmemAllocator::allocate", nothing, [&](Nothing&) { return rpcmem().allocate(4096); });
  each("MemfdAllocator::allocate", nothing,
       [](Nothing&) { return MemfdAllocator().allocate(4096); });
  each("DmaHeapAllocator::open, of no heap", nothing, [](Nothing&) {
    return DmaHeapAllocator::open("/dev/dma_heap/a heap that is not there").error().message();
  });
}

/// Owns a descriptor until the test gives it away.
struct LentFile {
  LentFile() : fd(::memfd_create("lent", MFD_CLOEXEC)) { EXPECT_EQ(::ftruncate(fd, 4096), 0); }
  LentFile(LentFile&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
  LentFile& operator=(LentFile&&) = delete;
  ~LentFile() {
    if (fd >= 0) ::close(fd);
  }
  int fd;
};

// If the creation fails, the deleter never runs and the caller keeps the descriptor.
TEST_F(allocations_of_memory, fail_while_it_is_lent) {
  for (const FdUse use : {FdUse::duplicate, FdUse::take, FdUse::borrow}) {
    each(
        "DmaBuffer::from_native", [] { return LentFile(); },
        [use](LentFile& file) {
          auto buffer = DmaBuffer::from_native(file.fd, 4096, {.fd = use, .needs_sync = false});
          if (use == FdUse::take && buffer) file.fd = -1;
          return buffer;
        });
    int made = 0;
    int given_back = 0;
    each(
        "DmaBuffer::from_native, with a deleter", [] { return LentFile(); },
        [&, use](LentFile& file) {
          const std::array<std::uint64_t, 64> large{};
          auto buffer = DmaBuffer::from_native(file.fd, 4096, {.fd = use, .needs_sync = false},
                                               [&given_back, large] {
                                                 (void)large;
                                                 ++given_back;
                                               });
          if (buffer) ++made;
          if (use == FdUse::take && buffer) file.fd = -1;
          return buffer;
        });
    EXPECT_GT(made, 0);
    EXPECT_EQ(given_back, made);
  }
  each("DmaBuffer::from_native, of no descriptor", nothing, [](Nothing&) {
    return DmaBuffer::from_native(-1, 4096).error().message() +
           DmaBuffer::from_native(0, 4096, {.start_alignment = 3}).error().message();
  });
  const auto lent = [](bool needs_sync) {
    const LentFile file;
    return must(MemRegion<TensorIo>::from_buffer(
        must(DmaBuffer::from_native(file.fd, 4096, {.needs_sync = needs_sync}))));
  };
  each(
      "MemRegion::access, which maps", [&] { return lent(false); },
      [](MemRegion<TensorIo>& region) {
        auto access = region.access(CpuUse::read_write);
        if (access) access->bytes()[0] = std::byte{1};
        return access ? std::move(*access).end() : Result<void>();
      });
  each(
      "MemRegion::access, which cannot be synchronised", [&] { return lent(true); },
      [](MemRegion<TensorIo>& region) { return region.access(CpuUse::read).error().message(); });
  each(
      "MemRegion::access, of a file that ends before",
      [] {
        const LentFile file;
        return must(MemRegion<TensorIo>::from_buffer(must(DmaBuffer::from_native(file.fd, 8192))));
      },
      [](MemRegion<TensorIo>& region) { return region.access(CpuUse::read).error().message(); });
}

TEST_F(allocations_of_memory, fail_while_it_is_imported_and_registered_in_each_form) {
  set(&sim::Config::dma_buf, 1);
  Lender lender;
  const auto form = [&](const std::string& name, auto io) {
    using Io = typename decltype(io)::type;
    each("SharedBuffer<" + name + ">::from_region, of memory of others", nothing,
         [&](Nothing&) { return Io::make(networks[0], lender); });
    each(
        "RegisteredTensors::create, of memory of others as " + name,
        [&] { return std::pair(restored(), must(Io::make(networks[0], lender))); },
        [](auto& given) { return given.second.register_with(given.first); });
  };
  form("PerTensor", std::type_identity<ImportedIo<PerTensor>>());
  form("MultiTensor", std::type_identity<ImportedIo<MultiTensor>>());
  form("DmaBuf", std::type_identity<ImportedIo<DmaBuf>>());
  EXPECT_GT(lender.lent, 0);
  EXPECT_EQ(lender.returned, lender.lent);
}

TEST_F(allocations_of_memory, fail_in_regions_and_shared_buffers) {
  each("MemRegion::allocate", nothing,
       [&](Nothing&) { return MemRegion<TensorIo>::allocate(memory(), 4096); });
  each(
      "MemRegion::from_buffer", [&] { return must(rpcmem().allocate(4096)); },
      [](DmaBuffer& buffer) { return MemRegion<TensorIo>::from_buffer(std::move(buffer), 128); });
  each(
      "MemRegion::from_buffer, too small", [&] { return must(rpcmem().allocate(4096)); },
      [](DmaBuffer& buffer) {
        return MemRegion<TensorIo>::from_buffer(std::move(buffer), 128, 8192).error().message();
      });
  each("SharedSpillFill::allocate", nothing, [&](Nothing&) {
    return SharedSpillFill::allocate(memory(), BufferRequirements{.spill_fill_bytes = 4096});
  });
  each(
      "SharedSpillFill::admit",
      [&] {
        return must(
            SharedSpillFill::allocate(rpcmem(), BufferRequirements{.spill_fill_bytes = 64}));
      },
      [](SharedSpillFill& pool) {
        return pool.admit({.spill_fill_bytes = 4096}, "a context whose name is on the heap")
            .error()
            .message();
      });
  const auto pool = [&] {
    return must(SharedSpillFill::allocate(rpcmem(), BufferRequirements{.spill_fill_bytes = 64}));
  };
  each(
      "SharedSpillFill::from_region",
      [&] { return must(MemRegion<SpillFill>::allocate(rpcmem(), 64)); },
      [](MemRegion<SpillFill>& region) {
        return SharedSpillFill::from_region(std::move(region)).size_bytes();
      });
  each("SharedSpillFill::lease", pool, [](SharedSpillFill& shared) { return shared.lease(); });
  each("SharedSpillFill::try_lease, lease_for", pool, [](SharedSpillFill& shared) {
    const auto lease = shared.try_lease();
    return shared.lease_for(std::chrono::seconds(1)).error().message() +
           shared.try_lease().error().message();
  });
  each(
      "SharedBuffer<PerTensor>::allocate", [&] { return specs(); },
      [&](auto& all) { return SharedBuffer<PerTensor>::allocate(memory(), all); });
  each(
      "SharedBuffer<DmaBuf>::allocate", [&] { return specs(); },
      [&](auto& all) { return SharedBuffer<DmaBuf>::allocate(memory(), all); });
  each(
      "SharedBuffer<MultiTensor>::allocate", [&] { return specs(); },
      [&](auto& all) { return SharedBuffer<MultiTensor>::allocate(memory(), all); });
  each(
      "SharedBuffer<MultiTensor>::allocate, scheduled",
      [&] { return std::vector<ScheduledTensor>{{spec("x"), 0, 1}, {spec("y"), 2, 3}}; },
      [&](const std::vector<ScheduledTensor>& all) {
        return SharedBuffer<MultiTensor>::allocate(memory(), std::span(all));
      });
  each(
      "SharedBuffer<PerTensor>::from_region",
      [&] { return must(MemRegion<TensorIo>::allocate(rpcmem(), 4096)); },
      [&](MemRegion<TensorIo>& region) {
        return SharedBuffer<PerTensor>::from_region(std::move(region), spec("x"));
      });
  each(
      "SharedBuffer<MultiTensor>::from_region",
      [&] { return must(MemRegion<TensorIo>::allocate(rpcmem(), 4096)); },
      [&](MemRegion<TensorIo>& region) {
        return SharedBuffer<MultiTensor>::from_region(std::move(region),
                                                      {{spec("x"), 0, 0}, {spec("y"), 1024, 0}});
      });
  each(
      "SharedBuffer<MultiTensor>::from_region, overlapping",
      [&] { return must(MemRegion<TensorIo>::allocate(rpcmem(), 4096)); },
      [&](MemRegion<TensorIo>& region) {
        return SharedBuffer<MultiTensor>::from_region(std::move(region),
                                                      {{spec("x"), 0, 0}, {spec("y"), 0, 0}})
            .error()
            .message();
      });
}

TEST_F(allocations_of_memory, fail_while_the_cpu_uses_it) {
  const auto buffer = [&] { return must(SharedBuffer<MultiTensor>::allocate(rpcmem(), specs())); };
  const std::string x = spec("x").name;
  each("SharedBuffer::access, of no such name", buffer, [&](auto& memory) {
    return memory.template access<float>("a tensor that is not there", CpuUse::read)
        .error()
        .message();
  });
  each("SharedBuffer::access, of another type", buffer, [&](auto& memory) {
    return memory.template access<std::int32_t>(x, CpuUse::read).error().message();
  });
  each("SharedBuffer::access", buffer, [&](auto& memory) {
    auto opened = memory.template access<float>(x, CpuUse::read_write);
    return opened ? std::move(*opened).close() : Result<void>();
  });
  each("TensorAccess::view", buffer, [&](auto& memory) {
    auto opened = memory.template access<float>(x, CpuUse::read_write);
    if (!opened) return Result<void>(unexpect, std::move(opened).error());
    auto elements = opened->template view<2>();
    if (!elements) return Result<void>(unexpect, std::move(elements).error());
    (*elements)(0, 0) = 1.0f;
    return Result<void>();
  });
  each("TensorAccess::view, of another rank", buffer, [&](auto& memory) {
    auto opened = memory.template access<float>(x, CpuUse::read_write);
    return opened.has_value() ? opened->template view<4>().error().message() : std::string();
  });
  each("SharedBuffer<MultiTensor>::access", buffer,
       [&](auto& memory) { return memory.access(CpuUse::read); });
}

TEST_F(allocations_of_memory, fail_while_an_arena_is_planned) {
  std::vector<ScheduledTensor> uses;
  for (std::uint32_t i = 0; i < 12; ++i)
    uses.push_back(
        {{.name = "a tensor whose name is on the heap", .dimensions = {32 * (i % 5 + 1)}},
         i,
         i + 1 + i % 3});
  each("TensorArena::plan", nothing, [&](Nothing&) { return TensorArena::plan(uses); });
  uses[3].last_use = 0;
  each("TensorArena::plan, of a wrong use", nothing,
       [&](Nothing&) { return TensorArena::plan(uses).error().message(); });
}

TEST_F(allocations_of_memory, fail_while_tensors_are_registered) {
  each(
      "RegisteredTensors::create",
      [&] {
        return std::pair(restored(), must(SharedBuffer<PerTensor>::allocate(rpcmem(), specs())));
      },
      [](auto& given) { return RegisteredTensors::create(given.first, given.second); });
  each(
      "RegisteredTensors::create, of some",
      [&] {
        return std::pair(restored(), must(SharedBuffer<MultiTensor>::allocate(rpcmem(), specs())));
      },
      [&](auto& given) {
        const std::vector<std::string> names{spec("y").name};
        return RegisteredTensors::create(given.first, given.second, names);
      });
  each(
      "RegisteredTensors::create, whose call fails",
      [&] {
        control().clear_faults();
        std::pair made(restored(), must(SharedBuffer<PerTensor>::allocate(rpcmem(), specs())));
        control().fail_call(sim::Slot::mem_register, 1, 8002);
        return made;
      },
      [](auto& given) { return !RegisteredTensors::create(given.first, given.second); });
  control().clear_faults();
  const auto made = [&] {
    auto context = restored();
    auto buffer = must(SharedBuffer<PerTensor>::allocate(rpcmem(), specs()));
    return must(RegisteredTensors::create(context, buffer));
  };
  each("RegisteredTensors::native", made,
       [&](RegisteredTensors& tensors) { return tensors.native(spec("x").name); });
  each("RegisteredTensors::close", made,
       [](RegisteredTensors& tensors) { return std::move(tensors).close(); });
}

// --------------------------------------------------------------------------------------- graphs

class allocations_of_a_graph : public AllocationTest {
 protected:
  struct Io {
    Context<Finalized> context;
    SharedBuffer<PerTensor> memory;
    RegisteredTensors tensors;
  };
  Io io() const {
    auto context = finalized();
    const std::vector<TensorSpec> specs{networks[0].spec("x"), networks[0].spec("y")};
    auto memory = must(SharedBuffer<PerTensor>::allocate(rpcmem(), specs));
    auto tensors = must(RegisteredTensors::create(context, memory));
    return {std::move(context), std::move(memory), std::move(tensors)};
  }
  template <class Io = AnyIo>
  Graph<Retrieved, Io> retrieved(const Context<Finalized>& context, std::size_t i = 0) const {
    return must(Graph<Retrieved, Io>::retrieve(context, networks[i].name));
  }
  Graph<Retrieved> retrieved() const { return retrieved(finalized()); }
  std::string x() const { return networks[0].x_name; }
  std::string y() const { return networks[0].y_name; }
};

TEST_F(allocations_of_a_graph, fail_while_it_is_retrieved) {
  each(
      "Graph::retrieve", [&] { return finalized(); },
      [&](auto& context) { return Graph<Retrieved>::retrieve(context, networks[0].name); });
  each(
      "Graph<Retrieved, RegisteredIo>::retrieve", [&] { return finalized(); },
      [&](auto& context) {
        return Graph<Retrieved, RegisteredIo>::retrieve(context, networks[0].name);
      });
  each(
      "Graph<Retrieved, RawIo>::retrieve, of the other", [&] { return finalized(); },
      [&](auto& context) {
        return Graph<Retrieved, RawIo>::retrieve(context, networks[0].name).error().message();
      });
  each(
      "Graph::retrieve, of no such name", [&] { return finalized(); },
      [&](auto& context) {
        return Graph<Retrieved>::retrieve(context, "a graph that is not there").error().message();
      });
}

TEST_F(allocations_of_a_graph, fail_while_it_is_bound) {
  std::vector<float> in(networks[0].io_elements()), out(networks[0].io_elements());
  each(
      "Graph::bind, raw", [&] { return retrieved(); },
      [&](Graph<Retrieved>& graph) {
        return std::move(graph).bind({raw(networks[0].x_name, in), raw(networks[0].y_name, out)});
      });
  each(
      "Graph::bind, of too few", [&] { return retrieved(); },
      [&](Graph<Retrieved>& graph) {
        return std::move(graph).bind({raw(networks[0].x_name, in)}).error().message();
      });
  each(
      "Graph::bind, registered",
      [&] {
        auto made = io();
        auto graph = retrieved(made.context);
        return std::pair(std::move(made), std::move(graph));
      },
      [](auto& given) { return std::move(given.second).bind(given.first.tensors); });
  each(
      "Graph<Retrieved, RegisteredIo>::bind",
      [&] {
        auto made = io();
        auto graph = retrieved<RegisteredIo>(made.context);
        return std::pair(std::move(made), std::move(graph));
      },
      [&](auto& given) {
        const std::string x_name = x(), y_name = y();
        return std::move(given.second)
            .bind(
                {registered(given.first.tensors, x_name), registered(given.first.tensors, y_name)});
      });
}

/// Counts the rows of an access.
Result<std::size_t> read_rows(const Result<TensorAccess<const float>>& access) {
  if (!access) return fail(access.error());
  return access->view<2>().transform([](const auto& view) { return view.extent(0); });
}

TEST_F(allocations_of_a_graph, fail_while_it_is_asked_whether_it_could_be_bound) {
  std::vector<float> in(networks[0].io_elements()), out(networks[0].io_elements());
  each(
      "Graph::check, raw", [&] { return retrieved(); },
      [&](Graph<Retrieved>& graph) {
        return graph.check({raw(networks[0].x_name, in), raw(networks[0].y_name, out)});
      });
  each(
      "Graph::check, of wrong names", [&] { return retrieved(); },
      [&](Graph<Retrieved>& graph) {
        return graph.check({raw("an input that is not there", in)}).error().message();
      });
  each(
      "Graph::check, registered",
      [&] {
        auto made = io();
        auto graph = retrieved(made.context);
        return std::pair(std::move(made), std::move(graph));
      },
      [](auto& given) { return given.second.check(given.first.tensors); });
}

TEST_F(allocations_of_a_graph, fail_while_it_is_bound_to_an_allocator) {
  each(
      "Graph::bind, an allocator", [&] { return retrieved(); },
      [&](Graph<Retrieved>& graph) {
        return std::move(graph).bind(NeverFailing<RpcmemAllocator>{rpcmem()});
      });
}

TEST_F(allocations_of_a_graph, fail_while_it_is_used) {
  const auto bound = [&] {
    auto made = io();
    auto graph = retrieved(made.context);
    return must(std::move(graph).bind(made.tensors));
  };
  each("Graph::io_cost", bound,
       [](Graph<Bound>& graph) { return graph.io_cost().copied_bytes_per_inference; });
  each(
      "Graph::execute, under a lease",
      [&] {
        auto made = io();
        auto graph = must(retrieved(made.context).bind(made.tensors));
        return std::pair(std::move(made.context), std::move(graph));
      },
      [](auto& given) {
        auto lease = given.first.spill_fill().lease();
        return lease ? given.second.execute(*lease)
                     : Result<void>(unexpect, std::move(lease).error());
      });
  each("Graph::execute", bound, [](Graph<Bound>& graph) { return graph.execute(); });
  each(
      "Graph::execute, with a time limit and a stop", [&] { return std::pair(bound(), Stop()); },
      [](auto& given) {
        return given.first.execute({.at_most = std::chrono::hours(1), .stop = given.second});
      });
  each(
      "Graph::execute, with a pulled stop", [&] { return std::pair(bound(), Stop()); },
      [](auto& given) {
        given.second.pull();
        return given.first.execute({.stop = given.second}).error().message();
      });
  each(
      "Graph::execute, which fails",
      [&] {
        control().clear_faults();
        auto graph = bound();
        control().fail_call(sim::Slot::graph_execute, 1, 6003);
        return graph;
      },
      [](Graph<Bound>& graph) { return !graph.execute(); });
  control().clear_faults();
  each("Graph::input", bound, [&](Graph<Bound>& graph) { return graph.input<float>(x()); });
  each("Graph::output", bound, [&](Graph<Bound>& graph) { return graph.output<float>(y()); });
  each("Graph::output, of no such name", bound, [&](Graph<Bound>& graph) {
    return graph.output<float>("an output that is not there").error().message();
  });
  each(
      "Graph::rebind, the first",
      [&] {
        auto made = io();
        auto graph = must(retrieved(made.context).bind(made.tensors));
        return std::pair(registered(x(), made.tensors, x()), std::move(graph));
      },
      [](auto& given) { return given.second.rebind(given.first); });
  each("Graph::rebind, of no such name", bound, [&](Graph<Bound>& graph) {
    const float* const nothing = nullptr;
    const Binding<> binding = raw("a tensor that is not there", std::span(nothing, 0));
    return graph.rebind(binding).error().message();
  });
  each("Graph::exchange, the first", bound,
       [&](Graph<Bound>& graph) { return graph.exchange(x(), y()); });
  each("Graph::exchange, of no such name", bound, [&](Graph<Bound>& graph) {
    return graph.exchange("an input that is not there", y()).error().message();
  });
  each(
      "Graph::set_priority, of a retrieved graph", [&] { return retrieved(); },
      [](Graph<Retrieved>& graph) { return graph.set_priority(c_api::Priority::high); });
  each(
      "Graph::set_hvx_threads", [&] { return retrieved(); },
      [](Graph<Retrieved>& graph) { return graph.set_hvx_threads(2); });
  each(
      "Graph::set_hvx_threads, of 0", [&] { return retrieved(); },
      [](Graph<Retrieved>& graph) { return graph.set_hvx_threads(0).error().message(); });
  each("Graph::set_priority", bound,
       [](Graph<Bound>& graph) { return graph.set_priority(c_api::Priority::high); });
  each("Graph::set_priority, of no priority", bound, [](Graph<Bound>& graph) {
    return graph.set_priority(c_api::Priority(77)).error().message();
  });
  each(
      "Graph::set_priority, which fails",
      [&] {
        control().clear_faults();
        auto graph = bound();
        control().fail_call(sim::Slot::graph_set_config, 1, 6032);
        return graph;
      },
      [](Graph<Bound>& graph) {
        return graph.set_priority(c_api::Priority::high).error().message();
      });
  control().clear_faults();
  each("Graph::unbind", bound, [](Graph<Bound>& graph) {
    const auto unbound = std::move(graph).unbind();
    return unbound.inputs().size();
  });
  each("Graph::close", bound, [](Graph<Bound>& graph) { return std::move(graph).close(); });
}

TEST_F(allocations_of_a_graph, fail_while_a_cache_is_made_and_used) {
  const auto graph_of = [](const char* name, std::uint32_t tokens, std::uint32_t positions) {
    const TensorSpec next{.name = "the new positions of the cache",
                          .kind = c_api::TensorType::app_read,
                          .dimensions = {2, tokens, 4}};
    const TensorSpec cache{.name = "the positions of the cache",
                           .kind = c_api::TensorType::app_write,
                           .dimensions = {2, positions, 4}};
    return GraphSpec{.name = name, .inputs = {cache}, .outputs = {next}};
  };
  const std::vector<KvTensor> tensors{
      {.cache = "the positions of the cache", .next = "the new positions of the cache", .axis = 1}};
  const GraphSpec prefill = graph_of("prefill", 3, 6), decode = graph_of("decode", 1, 9);
  const NeverFailing<RpcmemAllocator> allocator{rpcmem()};
  const auto made = [&] {
    auto cache = must(KvCache::allocate(allocator, tensors, prefill, decode));
    detail::Access::block(cache.memory())->order->has_executed = true;  // For append().
    return cache;
  };
  each(
      "KvCache::allocate", [] { return 0; },
      [&](int) { return KvCache::allocate(allocator, tensors, prefill, decode); });
  each(
      "KvCache::allocate, of no such tensor", [] { return 0; },
      [&](int) {
        std::vector<KvTensor> others = tensors;
        others[0].cache = "a cache that is not there";
        return KvCache::allocate(allocator, others, prefill).error().message();
      });
  each("KvCache::append", made, [](KvCache& cache) { return cache.append(3); });
  each("KvCache::append, of too many", made,
       [](KvCache& cache) { return cache.append(4).error().message(); });
  each(
      "KvCache::use",
      [&] {
        auto cache = made();
        must(cache.append(3));
        return cache;
      },
      [](KvCache& cache) { return cache.use(1); });
  each("KvCache::use, of no such graph", made,
       [](KvCache& cache) { return cache.use(2).error().message(); });
  each("KvCache::access, of no such cache", made, [](KvCache& cache) {
    return cache.access<float>("a cache that is not there", CpuUse::read).error().message();
  });
  each(
      "RegisteredTensors::create, of a cache", [&] { return std::pair(finalized(), made()); },
      [](auto& given) { return RegisteredTensors::create(given.first, given.second.memory()); });
}

TEST_F(allocations_of_a_graph, fail_while_it_has_dynamic_dimensions) {
  set(&sim::Config::dynamic_dimensions, 1);
  Network network = networks[0];
  network.dynamic_rows = true;
  const std::string x_name = x(), y_name = y();
  const std::vector<std::byte> bytes = binary_of(backend(), {network});
  const auto restore = [&] {
    return must(
        Context<Finalized>::restore(backend(), must(ContextBinary::borrow(bytes, "dynamic.bin"))));
  };
  const auto bound = [&] {
    auto graph = must(retrieved(restore()).bind(rpcmem()));
    must(graph.input<float>(x_name));
    return graph;
  };
  each("Context::restore, with dynamic dimensions", nothing, [&](Nothing&) {
    return ContextBinary::borrow(bytes, "dynamic.bin").and_then([&](ContextBinary binary) {
      return Context<Finalized>::restore(backend(), std::move(binary));
    });
  });
  each(
      "Graph::bind, with dynamic dimensions", [&] { return retrieved(restore()); },
      [&](Graph<Retrieved>& graph) {
        return std::move(graph).bind(NeverFailing<RpcmemAllocator>{rpcmem()});
      });
  each("Graph::set_extents", bound,
       [&](Graph<Bound>& graph) { return graph.set_extents(x_name, {3, network.width}); });
  each("Graph::set_extents, refused", bound, [&](Graph<Bound>& graph) {
    return graph.set_extents(x_name, {network.rows + 1, network.width}).error().message();
  });
  each("Graph::set_extents, of no such name", bound, [](Graph<Bound>& graph) {
    return graph.set_extents("an input that is not there", {1, 1}).error().message();
  });
  each("Graph::extents", bound,
       [&](Graph<Bound>& graph) { return graph.extents(y_name).value()[0]; });
  each("Graph::output, of smaller extents", bound, [&](Graph<Bound>& graph) {
    return graph.set_extents(x_name, {3, network.width})
        .and_then([&] { return graph.execute(); })
        .and_then([&] { return read_rows(graph.output<float>(y_name)); });
  });
  each(
      "Graph<Composing>::add_tensor, of dynamic dimensions",
      [&] {
        auto context = must(Context<Composing>::create(backend()));
        return std::pair(must(Graph<Composing>::create(context, network.name)), network.spec("x"));
      },
      [](auto& given) { return given.first.add_tensor(std::move(given.second)); });
}

/// Composes a layer as a program without exceptions does.
Result<Graph<Composing>> compose_open(const Context<Composing>& context, const Network& network,
                                      const std::vector<std::vector<float>>& matrices) {
  auto graph = Graph<Composing>::create(context, network.name, {.optimization_level = 3});
  if (!graph) return fail(std::move(graph).error());
  const auto weights = std::as_bytes(std::span(matrices[0]));
  auto x = graph->add_tensor(network.spec("x"));
  if (!x) return fail(std::move(x).error());
  auto constant = graph->add_static(
      {.name = "the weights, a name on the heap", .dimensions = {network.hidden, network.width}},
      weights);
  if (!constant) return fail(std::move(constant).error());
  TensorSpec made = network.spec("y");
  made.dimensions = {network.rows, network.hidden};
  auto y = graph->add_tensor(std::move(made));
  if (!y) return fail(std::move(y).error());
  auto added = graph->add_node({.name = "a node whose name is on the heap",
                                .type = "FullyConnected",
                                .inputs = {*x, *constant},
                                .outputs = {*y}});
  if (!added) return fail(std::move(added).error());
  return graph;
}
Result<Graph<Retrieved>> compose_all(const Context<Composing>& context, const Network& network,
                                     const std::vector<std::vector<float>>& matrices) {
  return compose_open(context, network, matrices).and_then(transition::finalize);
}

TEST_F(allocations_of_a_graph, fail_while_it_is_composed) {
  const std::vector<std::vector<float>> matrices{networks[0].matrix(0)};
  const auto composing = [&] { return must(Context<Composing>::create(backend())); };
  each("Context<Composing>::create", nothing, [&](Nothing&) {
    return Context<Composing>::create(backend(), {.priority = c_api::Priority::high,
                                                  .name = "a context with a name on the heap"});
  });
  each("Graph<Composing>::create", composing, [&](Context<Composing>& context) {
    return Graph<Composing>::create(context, networks[0].name, {.vtcm_mb = 1});
  });
  const auto with_graph = [&] {
    auto context = composing();
    auto graph = must(Graph<Composing>::create(context, networks[0].name));
    return std::pair(std::move(context), std::move(graph));
  };
  each("Graph<Composing>, moved", with_graph, [](auto& given) {
    Graph<Composing> moved(std::move(given.second));
    given.second = std::move(moved);
    return 0;
  });
  each("Graph<Composing>::add_tensor", with_graph,
       [&](auto& given) { return given.second.add_tensor(networks[0].spec("x")); });
  each("Graph<Composing>::add_static", with_graph, [&](auto& given) {
    return given.second.add_static(
        {.name = "constant", .dimensions = {networks[0].hidden, networks[0].width}},
        std::as_bytes(std::span(matrices[0])));
  });
  each("Graph<Composing>::add_static, of another size", with_graph, [&](auto& given) {
    return given.second
        .add_static({.name = "a constant whose name is on the heap", .dimensions = {3}},
                    std::as_bytes(std::span(matrices[0])))
        .error()
        .message();
  });
  each("Graph<Composing>::add_node, of no such tensor", with_graph, [&](auto& given) {
    return given.second
        .add_node({.name = "a node whose name is on the heap",
                   .type = "Relu",
                   .inputs = {GraphTensor()},
                   .params = {scalar_param("a parameter whose name is on the heap", 1.0f)}})
        .error()
        .message();
  });
  each("Graph<Composing>, all", composing,
       [&](Context<Composing>& context) { return compose_all(context, networks[0], matrices); });
  const auto composed = [&] {
    auto context = composing();
    (void)must(compose_all(context, networks[0], matrices));
    return context;
  };
  each("Context<Composing>::finalize", composed,
       [](Context<Composing>& context) { return std::move(context).finalize(); });
  each("Context<Composing>::check_finalize", composed,
       [](Context<Composing>& context) { return context.check_finalize(); });
  each("Context<Composing>::check_finalize, incomplete", with_graph,
       [](auto& given) { return given.first.check_finalize().error().message(); });
  each("NodeParam", nothing, [](Nothing&) {
    return NodeParam("a parameter whose name is on the heap", GraphTensor()).first;
  });
  each("Context<Composing>::finalize, incomplete", with_graph,
       [](auto& given) { return std::move(given.first).finalize().error().message(); });
  each(
      "Context<Composed>::serialize", [&] { return must(composed().finalize()); },
      [](Context<Composed>& context) { return context.serialize(); });
}

// The context knows a graph that QNN has finalized, or the context cannot be finalized.
TEST_F(allocations_of_a_graph, that_fail_while_it_is_finalized_leave_no_half_of_it) {
  const std::vector<std::vector<float>> matrices{networks[0].matrix(0)};
  const auto run = [&](std::uint64_t which) {
    auto context = must(Context<Composing>::create(backend()));
    auto graph = must(compose_open(context, networks[0], matrices));
    bool finalized = false;
    {
      const Recording recording(&AllocationFaultsTest::pause_in_a_call);
      const AllocationFault fault(which);
      try {
        finalized = std::move(graph).finalize().has_value();
      } catch (const std::bad_alloc&) {
      }
    }
    const std::size_t listed = qnnpp::detail::Access::block(context)->graphs.size();
    EXPECT_EQ(listed, finalized ? 1u : 0u) << which;
    EXPECT_EQ(std::move(context).finalize().has_value(), finalized) << which;
    return finalized;
  };
  std::uint64_t which = 1;
  while (!run(which) && !HasFailure() && which < 100) ++which;
  EXPECT_GT(which, 3u);
  EXPECT_LT(which, 100u);
}

// A graph whose record could not be allocated is finalized, and can be retrieved.
TEST_F(allocations_of_a_graph,
       that_fail_while_its_finalization_is_recorded_leave_it_in_its_context) {
  const Recording recording(&pause_in_a_call);
  const std::vector<std::vector<float>> matrices{networks[0].matrix(0)};
  std::uint64_t without_record = 0;
  const auto run = [&](std::uint64_t which) {
    auto profile = must(Profile::create(backend()));
    auto context = must(Context<Composing>::create(backend()));
    auto graph = must(compose_open(context, networks[0], matrices));
    bool returned = false;
    {
      const AllocationFault fault(which);
      try {
        returned = std::move(graph).finalize(&profile).has_value();
      } catch (const std::bad_alloc&) {
      }
    }
    const bool listed = !qnnpp::detail::Access::block(context)->graphs.empty();
    if (listed && !returned) ++without_record;
    const auto composed = std::move(context).finalize();
    EXPECT_EQ(composed.has_value(), listed) << which;
    if (composed) {
      EXPECT_TRUE(Graph<Retrieved>::retrieve(*composed, networks[0].name)) << which;
    }
    return returned;
  };
  std::uint64_t which = 1;
  while (!run(which) && !HasFailure() && which < 100) ++which;
  EXPECT_GT(without_record, 0u);
  EXPECT_LT(which, 100u);
}

// ------------------------------------------------------------------------------------ pipelines

class allocations_of_a_pipeline : public AllocationTest {
 protected:
  struct Parts {
    std::vector<Graph<Retrieved>> graphs;
    PipelineOptions options;
  };
  Parts parts(bool share_bytes) const {
    Parts made;
    for (std::size_t i = 0; i < 2; ++i)
      made.graphs.push_back(must(Graph<Retrieved>::retrieve(finalized(i), networks[i].name)));
    made.options = {.wires = {{0, networks[0].y_name, 1, networks[1].x_name}},
                    .share_bytes = share_bytes ? TensorArena::lay_out : nullptr};
    return made;
  }
  Pipeline pipeline() const {
    auto made = parts(false);
    auto line = must(Pipeline::create(rpcmem(), std::move(made.graphs), made.options));
    (void)must(line.access(CpuUse::write));
    return line;
  }
};

TEST_F(allocations_of_a_pipeline, fail_while_it_is_made) {
  for (const bool share_bytes : {false, true})
    each(
        "Pipeline::create", [&] { return parts(share_bytes); },
        [&](Parts& given) {
          return Pipeline::create(NeverFailing<RpcmemAllocator>{rpcmem()}, std::move(given.graphs),
                                  given.options);
        });
}

TEST_F(allocations_of_a_pipeline, fail_while_its_graphs_do_not_fit) {
  each(
      "Pipeline::create, of a wrong wire",
      [&] {
        auto made = parts(false);
        made.options.wires[0].input = "an input that is not there";
        return made;
      },
      [&](Parts& given) {
        return Pipeline::create(NeverFailing<RpcmemAllocator>{rpcmem()}, std::move(given.graphs),
                                given.options)
            .error()
            .message();
      });
}

TEST_F(allocations_of_a_pipeline, fail_while_its_order_is_refused) {
  each(
      "Pipeline::check, of a graph twice",
      [&] {
        Parts made;
        const auto context = finalized();
        for (std::size_t i = 0; i < 2; ++i)
          made.graphs.push_back(must(Graph<Retrieved>::retrieve(context, networks[0].name)));
        return made;
      },
      [](Parts& given) { return Pipeline::check(given.graphs, given.options).error().message(); });
  each(
      "Pipeline::check, of a name that is no input",
      [&] {
        auto made = parts(false);
        made.options.inputs = {"an input that is not there"};
        return made;
      },
      [](Parts& given) { return Pipeline::check(given.graphs, given.options).error().message(); });
  each(
      "Pipeline::execute, of an unwritten input",
      [&] {
        auto made = parts(false);
        return must(Pipeline::create(rpcmem(), std::move(made.graphs), made.options));
      },
      [](Pipeline& line) { return line.execute().error().message(); });
}

TEST_F(allocations_of_a_pipeline, fail_while_its_graphs_are_checked) {
  for (const bool fits : {true, false})
    each(
        fits ? "Pipeline::check" : "Pipeline::check, of a wrong wire",
        [&] {
          auto made = parts(true);
          if (!fits) made.options.wires[0].input = "an input that is not there";
          return made;
        },
        [&](Parts& given) {
          return Pipeline::check(given.graphs, given.options).has_value() == fits;
        });
}

TEST_F(allocations_of_a_pipeline, fail_while_it_is_used) {
  const auto made = [&] { return pipeline(); };
  each("Pipeline::execute", made, [](Pipeline& line) { return line.execute(); });
  each(
      "Pipeline::execute, which fails",
      [&] {
        control().clear_faults();
        auto line = pipeline();
        control().fail_call(sim::Slot::graph_execute, 2, 6003);
        return line;
      },
      [](Pipeline& line) { return !line.execute(); });
  control().clear_faults();
  each("Pipeline::input", made,
       [&](Pipeline& line) { return line.input<float>(networks[0].x_name); });
  each("Pipeline::output", made,
       [&](Pipeline& line) { return line.output<float>(networks[0].y_name); });
  each("Pipeline::output, of no such name", made, [&](Pipeline& line) {
    return line.output<float>("an output that is not there").error().message();
  });
  each("Pipeline::access", made, [](Pipeline& line) { return line.access(CpuUse::read); });
  each("Pipeline::inputs", made, [](Pipeline& line) { return line.inputs().size() == 1; });
  each("Pipeline::outputs", made, [](Pipeline& line) { return line.outputs().size() == 1; });
  each("Pipeline::wires", made, [](Pipeline& line) { return line.wires().size() == 1; });
}

// ----------------------------------------------------------------------------------------- jobs

class allocations_of_a_job : public AllocationTest {
 protected:
  /// Returns the four-context job with `contexts` contexts.
  support::Parts job(c_api::TensorMemType io, std::size_t contexts) const {
    support::Parts made;
    made.backend = made.system = made.rpcmem = QNNPP_RECORDER;
    made.asks_the_device = false;  // the answer needs memory whose allocation must not fail
    made.networks.resize(contexts);
    for (Network& each_network : made.networks) {
      each_network.io = io;
      made.binaries.push_back(binary_of(backend(), {each_network}));
    }
    return made;
  }
  /// Every allocation in optimised builds, and each seventh in other builds.
#if defined(NDEBUG)
  static constexpr std::uint64_t step = 1;
#else
  static constexpr std::uint64_t step = 7;
#endif
};

TEST_F(allocations_of_a_job, fail_from_its_beginning_to_its_end) {
  const auto graphs = job(c_api::TensorMemType::raw, 4);
  each("the four-context job", nothing, [&](Nothing&) { return run_job(graphs); }, step);
  const auto pipeline_of_graphs = job(c_api::TensorMemType::memhandle, 4);
  each(
      "the four-context job, as a pipeline", nothing,
      [&](Nothing&) { return run_pipeline(pipeline_of_graphs, true); }, step);
}

TEST_F(allocations_of_a_job, fail_while_one_of_its_calls_fails) {
  const auto graphs = job(c_api::TensorMemType::raw, 2);
  for (std::uint64_t call = 1; call <= 30; ++call)
    each(
        "a job of two contexts, one of whose calls fails",
        [call] {
          control().clear_faults();
          control().fail_any_call(call, 1002);
          return Nothing{};
        },
        [&](Nothing&) { return !run_job(graphs); }, step);
  control().clear_faults();
}

// ---------------------------------------------------------------------------------------- errors

class allocations_of_errors : public AllocationTest {};

TEST_F(allocations_of_errors, fail_in_their_texts) {
  for (int kind = 0; kind <= static_cast<int>(Errc::invalid_argument); ++kind)
    each(
        "Error::message",
        [kind] {
          Error error = Error::mismatch(static_cast<Errc>(kind), "doing a step of this length",
                                        "an object whose name is on the heap", 7, 9);
          error.detail = "a detail that is longer than a string object keeps";
          return error;
        },
        [](Error& error) {
          const Error copy(error);
          return copy.message() + fmt::format("{}", error);
        });
  each(
      "value_or_throw",
      [] {
        return Result<int>(unexpect, Error::make(Errc::dead, "step", "an object with a long name"));
      },
      [](Result<int>& result) -> int {
        try {
          return value_or_throw(std::move(result));
        } catch (const Exception& exception) {
          return static_cast<int>(exception.error().kind);
        }
      });
  each(
      "TensorSpec::size_bytes, of no type",
      [&] {
        TensorSpec spec = networks[0].spec("x");
        spec.data_type = c_api::DataType::undefined;
        return spec;
      },
      [](TensorSpec& spec) {
        const TensorSpec copy = spec;
        return fmt::format("{}", copy) + copy.size_bytes().error().message();
      });
}

}}  // namespace support::allocations
