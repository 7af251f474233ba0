// Contents of abi/ beside layouts and enumerators: names of ops, kinds of events, formats. Every
// error code has a name.
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

struct Name {
  std::string_view actual;
  std::string_view expected;
};

TEST(abi_names, ops_and_parameters_are_spelled_as_in_their_definitions) {
  constexpr Name names[]{{op_names::package_qti_aisw, "qti.aisw"},
                         {op_names::mat_mul::type, "MatMul"},
                         {op_names::mat_mul::transpose_in0, "transpose_in0"},
                         {op_names::mat_mul::transpose_in1, "transpose_in1"},
                         {op_names::fully_connected::type, "FullyConnected"},
                         {op_names::fully_connected::keep_dims, "keep_dims"},
                         {op_names::element_wise_add::type, "ElementWiseAdd"},
                         {op_names::element_wise_multiply::type, "ElementWiseMultiply"},
                         {op_names::relu::type, "Relu"},
                         {op_names::softmax::type, "Softmax"},
                         {op_names::softmax::axis, "axis"},
                         {op_names::softmax::beta, "beta"},
                         {op_names::reshape::type, "Reshape"},
                         {op_names::convert::type, "Convert"},
                         {op_names::transpose::type, "Transpose"},
                         {op_names::transpose::perm, "perm"},
                         {op_names::conv2d::type, "Conv2d"},
                         {op_names::conv2d::stride, "stride"},
                         {op_names::conv2d::pad_amount, "pad_amount"},
                         {op_names::conv2d::dilation, "dilation"},
                         {op_names::conv2d::group, "group"}};
  for (const Name& name : names) EXPECT_EQ(name.actual, name.expected);
}

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
#define VALUE(type, enumerator, numbers)                                   \
  if (is_error(#type, static_cast<std::uint32_t>(type::enumerator))) {     \
    EXPECT_STRNE(qnnpp::detail::error_name(code_of(type::enumerator)), "") \
        << #type "::" #enumerator;                                         \
    ++errors;                                                              \
  }
#include "facts/enumerators.inc"
#undef NUMBERS
#undef VALUE
  EXPECT_GT(errors, 150);
}

TEST(abi_names, events_have_their_numbers) {
  EXPECT_EQ(profile_level::basic, 1u);
  EXPECT_EQ(profile_level::detailed, 2u);
  EXPECT_EQ(htp_profile_level::linting, 7001u);
  EXPECT_EQ(profile_event_type::init, 100u);
  EXPECT_EQ(profile_event_type::finalize, 300u);
  EXPECT_EQ(profile_event_type::execute, 400u);
  EXPECT_EQ(profile_event_type::node, 404u);
  EXPECT_EQ(profile_event_type::deinit, 500u);
  EXPECT_EQ(profile_event_unit::microsec, 1u);
  EXPECT_EQ(profile_event_unit::bytes, 2u);
  EXPECT_EQ(profile_event_unit::cycles, 3u);
  EXPECT_EQ(profile_event_unit::count, 4u);
  EXPECT_EQ(profile_event_unit::object, 5u);
  EXPECT_EQ(htp_profile_event_type::graph_execute_accel_time_microsec, 3004u);
  EXPECT_EQ(htp_profile_event_type::context_load_bin_accel_time_microsec, 1004u);
  EXPECT_EQ(htp_profile_event_type::graph_apply_binary_section_acc, 9004u);
}

TEST(abi_names, formats_files_and_backends_have_their_numbers) {
  EXPECT_EQ(tensor_data_format::ubwc_rgba8888, 4u);
  EXPECT_EQ(tensor_data_format::ubwc_nv12_uv, 7u);
  EXPECT_EQ(tensor_data_format::hmx_weight_layout, 8u);
  EXPECT_EQ(tensor_data_format::ubwc_nv124r, 9u);
  EXPECT_EQ(tensor_data_format::ubwc_nv124r_y, 10u);
  EXPECT_EQ(tensor_data_format::ubwc_nv124r_uv, 11u);
  EXPECT_EQ(mem_invalid_fd, -1);
  EXPECT_EQ(backend_id::null, 0u);
  EXPECT_EQ(backend_id::htp, 6u);
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
