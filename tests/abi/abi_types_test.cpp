// Properties of the types of abi/ beside their layouts.
#include <gtest/gtest.h>

#include <tuple>
#include <type_traits>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/system_interface.hpp"

namespace qnnpp::c_api { namespace {

TEST(abi_types, records_are_plain_data) {
#define SIZES(...)
#define ALIGNMENTS SIZES
#define RECORD(type, c_name, sizes, alignments)             \
  EXPECT_TRUE(std::is_standard_layout_v<type>) << #type;    \
  EXPECT_TRUE(std::is_trivially_copyable_v<type>) << #type; \
  EXPECT_TRUE(std::is_aggregate_v<type>) << #type;
#include "facts/all.inc"
}

TEST(abi_types, enumerations_are_32_bits_without_sign) {
#define NUMBERS(...)
#define VALUE(type, enumerator, c_name, numbers) \
  static_assert(std::is_same_v<std::underlying_type_t<type>, std::uint32_t>);
#include "facts/all.inc"
  static_assert(std::is_same_v<std::underlying_type_t<PropertyKey>, std::uint32_t>);
}

TEST(abi_types, handles_are_distinct_pointers_that_become_void_pointers) {
  using Handles = std::tuple<LogHandle, BackendHandle, DeviceHandle, ContextHandle, GraphHandle,
                             MemHandle, ProfileHandle, SignalHandle, SystemDlcHandle,
                             SystemContextHandle, SystemProfileSerializationTargetHandle>;
  const auto conversions = []<typename... Handle>(std::tuple<Handle...>*) {
    static_assert((std::is_pointer_v<Handle> && ...));
    static_assert((std::is_convertible_v<Handle, void*> && ...));
    static_assert((!std::is_convertible_v<void*, Handle> && ...));
    const auto from = []<typename Source>(Source*) {
      return (int{std::is_convertible_v<Source, Handle>} + ...);
    };
    return (from(static_cast<Handle*>(nullptr)) + ...);
  };
  EXPECT_EQ(conversions(static_cast<Handles*>(nullptr)), int{std::tuple_size_v<Handles>})
      << "each converts to itself and to no other";
}

TEST(abi_types, slots_are_typed_by_their_calls) {
  static_assert(std::is_invocable_r_v<ErrorHandle, PropertyHasCapabilityFn, PropertyKey>);
  static_assert(!std::is_invocable_v<PropertyHasCapabilityFn, int>);
  static_assert(std::is_invocable_r_v<ErrorHandle, ContextFreeFn, ContextHandle, ProfileHandle>);
  static_assert(!std::is_invocable_v<ContextFreeFn, GraphHandle, ProfileHandle>);
  static_assert(
      std::is_invocable_r_v<ErrorHandle, GraphExecuteFn, GraphHandle, const Tensor*, std::uint32_t,
                            Tensor*, std::uint32_t, ProfileHandle, SignalHandle>);
  static_assert(std::is_invocable_r_v<ErrorHandle, GetTensorRawDataFn, ContextHandle, GraphHandle,
                                      std::uint64_t, ClientBuffer*>);
  static_assert(
      std::is_invocable_r_v<ErrorHandle, ContextBinaryDmaDataProviderFn, ContextBinaryDataRequest,
                            ContextBinaryDmaDataResponse*, void*>);
  static_assert(std::is_invocable_r_v<ErrorHandle, ContextBinaryRawDataReleaseFn,
                                      ContextBinaryRawDataMem, void*>);
}

TEST(abi_types, a_list_entry_is_initialized_but_not_assigned) {
  const ContextParamsV1 params{.config = nullptr,
                               .binary_buffer = nullptr,
                               .binary_buffer_size = 64,
                               .profile = nullptr,
                               .notify_func = nullptr,
                               .notify_param = nullptr};
  EXPECT_EQ(params.binary_buffer_size, 64u);
  static_assert(!std::is_copy_assignable_v<ContextParamsV1>);
}

}}  // namespace qnnpp::c_api
