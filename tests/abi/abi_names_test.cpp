// Contents of abi/ beside its facts: every error code has a name, capabilities their versions.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/htp/profile.hpp"
#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/core/detail/error_names.hpp"

namespace qnnpp::c_api { namespace {

TEST(abi_names, capabilities_of_the_main_path_have_their_documented_keys) {
  EXPECT_EQ(static_cast<int>(PropertyKey::context_support_deferred_graph_init), 217);
  EXPECT_EQ(static_cast<int>(PropertyKey::context_support_graph_retention_order), 221);
  EXPECT_EQ(static_cast<int>(PropertyKey::graph_support_async_execution), 304);
}

/// Reports whether an enumerator is the number of an error.
bool is_error(std::string_view enumeration, std::uint32_t number) {
  return enumeration.ends_with("Error") && number != 0;
}

TEST(abi_names, every_error_code_has_a_name_and_a_hint) {
  int errors = 0;
#define NUMBERS(...)
#define VALUE(type, enumerator, c_name, numbers)                           \
  if (is_error(#type, static_cast<std::uint32_t>(type::enumerator))) {     \
    EXPECT_STRNE(qnnpp::detail::error_name(code_of(type::enumerator)), "") \
        << #type "::" #enumerator;                                         \
    ++errors;                                                              \
  }
#include "facts/all.inc"
#undef NUMBERS
  EXPECT_GT(errors, 150);
}

TEST(abi_names, capabilities_name_the_core_api_that_brought_them) {
  EXPECT_EQ(first_minor_of(PropertyKey::context_support_deferred_graph_init), 27u);
  EXPECT_EQ(first_minor_of(PropertyKey::context_support_binary_section_updates), 32u);
  EXPECT_EQ(first_minor_of(PropertyKey::memory_support_mem_type_dma_buf), 0u);
}

TEST(abi_names, a_zeroed_tensor_is_dense_raw_and_written_by_the_application) {
  const TensorV1 tensor{};
  EXPECT_EQ(tensor.data_format, tensor_data_format::dense);
  EXPECT_EQ(tensor.mem_type, TensorMemType::raw);
  EXPECT_EQ(tensor.type, TensorType::app_write);
}

}}  // namespace qnnpp::c_api
