// SharedBuffer: the placement of tensors, what is refused, and that a refusal keeps nothing.
#include "qnnpp/memory/shared_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

#include "../support/contracts.hpp"
#include "../support/forms.hpp"
#include "../support/results.hpp"
#include "../support/sized_types.hpp"
#include "counting_allocator.hpp"
#include "tracking_allocator.hpp"

namespace {

using memory_test::CountingAllocator;
using memory_test::Counts;
using memory_test::Track;
using memory_test::TrackingAllocator;
using qnnpp::DmaBuf;
using qnnpp::DmaBuffer;
using qnnpp::Errc;
using qnnpp::Error;
using qnnpp::MemRegion;
using qnnpp::MultiTensor;
using qnnpp::Overlap;
using qnnpp::PerTensor;
using qnnpp::ScheduledTensor;
using qnnpp::SharedBuffer;
using qnnpp::TensorIo;
using qnnpp::TensorPlacement;
using qnnpp::TensorSpec;
using support::error_of;
using support::FormNames;
using support::Forms;
using support::must;
using Type = qnnpp::c_api::DataType;
using Specs = std::vector<TensorSpec>;

constexpr auto rw = qnnpp::CpuUse::read_write;

/// Returns a view of a tensor. The memory is coherent and belongs to the test, so the view stays
/// valid after the access.
template <class T, std::size_t Rank, class Buffer>
qnnpp::Result<qnnpp::TensorView<T, Rank>> view_of(const Buffer& buffer, std::string_view name) {
  const auto opened = buffer.template access<T>(name, rw);
  if (!opened) return qnnpp::fail(opened.error());
  return opened->template view<Rank>();
}

std::byte* start_of(const MemRegion<TensorIo>& region) {
  const auto opened = must(region.access(rw));
  return opened.bytes().data();
}

TensorSpec tensor(std::string name, std::vector<std::uint32_t> dimensions,
                  Type type = Type::float_32) {
  return {.name = std::move(name), .data_type = type, .dimensions = std::move(dimensions)};
}
/// Returns a tensor of `size` bytes.
TensorSpec bytes(std::string name, std::uint32_t size) {
  return tensor(std::move(name), {size}, Type::uint_8);
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
std::uint64_t end_of(const TensorPlacement& placement) {
  return placement.offset_bytes + placement.size_bytes;
}
bool overlap(const TensorPlacement& a, const TensorPlacement& b) {
  return a.offset_bytes < end_of(b) && b.offset_bytes < end_of(a);
}
/// Returns the size of the only DMA buffer of a form that has one.
std::uint64_t buffer_bytes(const SharedBuffer<MultiTensor>& buffer) {
  return qnnpp::detail::Access::block(buffer)->memory.at(0)->size_bytes;
}

static_assert(qnnpp::TensorList<Specs> && qnnpp::TensorList<std::span<const TensorSpec>>);
static_assert(!qnnpp::TensorList<std::vector<ScheduledTensor>> && !qnnpp::TensorList<int>);
static_assert(!std::is_copy_constructible_v<SharedBuffer<PerTensor>> &&
              std::is_nothrow_move_constructible_v<SharedBuffer<PerTensor>> &&
              std::is_nothrow_move_assignable_v<SharedBuffer<MultiTensor>>);

// ---- what every form does --------------------------------------------------------------------

template <class Form>
class shared_buffer : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(track.live, 0) << "memory is left"; }

  template <class... Lists>
  qnnpp::Result<SharedBuffer<Form>> allocate(const Lists&... lists) {
    return SharedBuffer<Form>::allocate(TrackingAllocator(track), lists...);
  }

  Track track;
};
TYPED_TEST_SUITE(shared_buffer, Forms, FormNames);

TYPED_TEST(shared_buffer, SHB_06_has_the_bytes_of_each_type_and_no_more) {
  for (const Type type : support::sized_types) {
    for (const std::uint32_t elements : {1u, 7u, 64u, 129u}) {
      const auto buffer = must(this->allocate(Specs{tensor("t", {elements}, type)}));
      const std::uint64_t wanted = (std::uint64_t{elements} * qnnpp::element_bits(type) + 7) / 8;
      EXPECT_EQ(buffer.tensors()[0].size_bytes, wanted) << qnnpp::name_of(type);
      EXPECT_EQ(buffer.tensors()[0].offset_bytes, 0u);
      EXPECT_EQ(buffer.size_bytes(), wanted) << qnnpp::name_of(type);
      EXPECT_EQ(this->track.sizes.back(), wanted);
      EXPECT_EQ(must(buffer.template access<std::byte>("t", rw)).size(), wanted);
    }
  }
}

TYPED_TEST(shared_buffer, SHB_06_four_bit_elements_fill_whole_bytes) {
  for (const Type type : {Type::sfixed_point_4, Type::ufixed_point_4}) {
    const auto buffer = must(this->allocate(Specs{tensor("t", {3, 3}, type)}));
    EXPECT_EQ(buffer.size_bytes(), 5u);
    EXPECT_EQ(must(buffer.template access<std::byte>("t", rw)).size(), 5u);
    EXPECT_EQ(error_of(buffer.template access<std::uint8_t>("t", rw)).kind, Errc::type_mismatch);
    EXPECT_EQ(error_of(buffer.template access<std::int8_t>("t", rw)).kind, Errc::type_mismatch);
  }
}

TYPED_TEST(shared_buffer, SHB_06_a_tensor_without_a_size_is_refused_by_its_name) {
  constexpr std::uint32_t most = UINT32_MAX;
  struct Case {
    TensorSpec bad;
    Errc kind;
  };
  TensorSpec flags = tensor("bad", {1, 128});
  flags.dynamic_dimensions = {1};
  const Case cases[] = {
      {tensor("bad", {4, 0}), Errc::unsupported_tensor},
      {tensor("bad", {}), Errc::unsupported_tensor},
      {tensor("bad", {4}, Type::string), Errc::unsupported_tensor},
      {tensor("bad", {4}, Type::undefined), Errc::unsupported_tensor},
      {flags, Errc::unsupported_tensor},
      {tensor("bad", {most, most, most}), Errc::too_large},
  };
  for (const Case& one : cases) {
    for (const Specs& specs :
         {Specs{one.bad, tensor("good", {4})}, Specs{tensor("good", {4}), one.bad}}) {
      const Error error = error_of(this->allocate(specs));
      EXPECT_EQ(error.kind, one.kind) << error.message();
      EXPECT_EQ(error.object, "bad");
    }
  }
  EXPECT_TRUE(this->track.sizes.empty()) << "found out before anything is allocated";
}

TYPED_TEST(shared_buffer, SHB_06_a_dynamic_dimension_has_the_memory_of_its_maximum) {
  TensorSpec dynamic = tensor("tokens", {1, 128});
  dynamic.dynamic_dimensions = {0, 1};
  EXPECT_EQ(must(this->allocate(Specs{dynamic})).size_bytes(),
            must(this->allocate(Specs{tensor("tokens", {1, 128})})).size_bytes());
}

TYPED_TEST(shared_buffer, holds_the_tensors_of_all_lists_in_their_order) {
  const Specs inputs{tensor("b", {2}), tensor("a", {3})};
  const Specs none;
  const std::vector<TensorSpec> outputs{tensor("c", {4}, Type::uint_8)};
  const auto buffer = must(this->allocate(inputs, none, std::span<const TensorSpec>(outputs)));
  ASSERT_EQ(buffer.tensors().size(), 3u);
  EXPECT_EQ(buffer.tensors()[0].spec.name, "b");
  EXPECT_EQ(buffer.tensors()[1].spec.name, "a");
  EXPECT_EQ(buffer.tensors()[2].spec.name, "c");
  EXPECT_EQ(buffer.tensors()[2].spec.data_type, Type::uint_8);
  EXPECT_EQ(buffer.tensors()[1].spec.dimensions, std::vector<std::uint32_t>{3});
}

TYPED_TEST(shared_buffer, of_a_name_that_is_given_twice_is_refused) {
  for (const Specs& specs : {Specs{tensor("x", {2}), tensor("y", {2}), tensor("x", {3})},
                             Specs{tensor("x", {2}), tensor("x", {2})}}) {
    const Error error = error_of(this->allocate(specs));
    EXPECT_EQ(error.kind, Errc::duplicate_name);
    EXPECT_EQ(error.object, "x");
  }
  EXPECT_EQ(error_of(this->allocate(Specs{tensor("x", {2})}, Specs{tensor("x", {2})})).kind,
            Errc::duplicate_name)
      << "across lists";
}

TYPED_TEST(shared_buffer, of_no_tensor_is_refused) {
  EXPECT_EQ(error_of(this->allocate(Specs{})).kind, Errc::empty);
  EXPECT_EQ(error_of(this->allocate(Specs{}, Specs{})).kind, Errc::empty);
  EXPECT_TRUE(this->track.sizes.empty());
}

TYPED_TEST(shared_buffer, passes_an_error_of_its_allocator_on) {
  this->track.fail_at = 1;
  const Error error = error_of(this->allocate(Specs{tensor("x", {2})}));
  EXPECT_EQ(error.kind, Errc::allocation_failed);
  EXPECT_EQ(error.needed, 8u);
}

TYPED_TEST(shared_buffer, gives_elements_where_the_tensor_lies) {
  const auto buffer = must(this->allocate(
      Specs{tensor("x", {2, 3}), tensor("y", {5}, Type::int_8), tensor("z", {2}, Type::int_64)}));
  const auto x = must(buffer.template access<float>("x", rw));
  const auto y = must(buffer.template access<std::int8_t>("y", rw));
  const auto z = must(buffer.template access<std::int64_t>("z", rw));
  ASSERT_EQ(x.size(), 6u);
  ASSERT_EQ(y.size(), 5u);
  ASSERT_EQ(z.size(), 2u);
  std::fill(x.elements().begin(), x.elements().end(), 1.5f);
  std::fill(y.elements().begin(), y.elements().end(), std::int8_t{-3});
  std::fill(z.elements().begin(), z.elements().end(), INT64_MIN);
  EXPECT_TRUE(std::all_of(x.elements().begin(), x.elements().end(),
                          [](float value) { return value == 1.5f; }));
  EXPECT_TRUE(std::all_of(y.elements().begin(), y.elements().end(),
                          [](std::int8_t value) { return value == -3; }));
  EXPECT_TRUE(std::all_of(z.elements().begin(), z.elements().end(),
                          [](auto value) { return value == INT64_MIN; }));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& placement = buffer.tensors()[i];
    const auto& block = *qnnpp::detail::Access::block(buffer);
    const auto access = must(buffer.template access<std::byte>(placement.spec.name, rw));
    EXPECT_EQ(access.elements().data(), block.memory_of(i).data() + placement.offset_bytes);
  }
}

TYPED_TEST(shared_buffer, gives_elements_of_the_types_that_carry_the_tensor) {
  const auto buffer = must(this->allocate(Specs{tensor("half", {4}, Type::float_16),
                                                tensor("fixed", {4}, Type::ufixed_point_8),
                                                tensor("flag", {4}, Type::bool_8)}));
  EXPECT_EQ(must(buffer.template access<std::uint16_t>("half", rw)).size(), 4u);
  EXPECT_EQ(must(buffer.template access<const std::uint16_t>("half", rw)).size(), 4u);
  EXPECT_EQ(must(buffer.template access<std::uint8_t>("fixed", rw)).size(), 4u);
  EXPECT_EQ(must(buffer.template access<bool>("flag", rw)).size(), 4u);
  EXPECT_EQ(must(buffer.template access<std::byte>("half", rw)).size(), 8u);
  EXPECT_EQ(error_of(buffer.template access<std::int16_t>("half", rw)).kind, Errc::type_mismatch);
  EXPECT_EQ(error_of(buffer.template access<std::int8_t>("fixed", rw)).kind, Errc::type_mismatch);
}

TYPED_TEST(shared_buffer, elements_of_another_type_are_refused_with_both_types) {
  const auto buffer = must(this->allocate(Specs{tensor("x", {2, 3})}));
  for (const Error& error : {error_of(buffer.template access<std::int32_t>("x", rw)),
                             error_of(view_of<std::int32_t, 2>(buffer, "x"))}) {
    EXPECT_EQ(error.kind, Errc::type_mismatch);
    EXPECT_EQ(error.object, "x");
    EXPECT_TRUE(contains(error.detail, "FLOAT_32")) << error.detail;
    EXPECT_TRUE(contains(error.detail, "INT_32")) << error.detail;
  }
}

TYPED_TEST(shared_buffer, gives_a_view_of_the_shape) {
  const auto buffer =
      must(this->allocate(Specs{tensor("first", {7}), tensor("image", {1, 2, 3, 4})}));
  const auto view = must(view_of<float, 4>(buffer, "image"));
  EXPECT_EQ(view.extent(0), 1u);
  EXPECT_EQ(view.extent(1), 2u);
  EXPECT_EQ(view.extent(2), 3u);
  EXPECT_EQ(view.extent(3), 4u);
  view(0, 1, 2, 3) = 9.0f;
  EXPECT_EQ(must(buffer.template access<float>("image", rw))[23], 9.0f);
}

TYPED_TEST(shared_buffer, a_view_of_another_rank_is_refused_with_both_sides) {
  const auto buffer = must(this->allocate(Specs{tensor("image", {1, 2, 3, 4})}));
  const Error error = error_of(view_of<float, 3>(buffer, "image"));
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.object, "image");
  EXPECT_TRUE(contains(error.detail, "[1, 2, 3, 4]")) << error.detail;
  EXPECT_TRUE(contains(error.detail, "rank 3")) << error.detail;
  EXPECT_EQ(error_of(view_of<float, 5>(buffer, "image")).kind, Errc::shape_mismatch);
}

TYPED_TEST(shared_buffer, a_view_of_bytes_is_for_elements_of_one_byte) {
  const auto buffer = must(this->allocate(
      Specs{tensor("x", {2, 3}), bytes("raw", 6), tensor("nibbles", {4}, Type::ufixed_point_4)}));
  EXPECT_EQ(must(view_of<std::byte, 1>(buffer, "raw")).extent(0), 6u);
  const Error error = error_of(view_of<std::byte, 2>(buffer, "x"));
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_TRUE(contains(error.detail, "FLOAT_32")) << error.detail;
  EXPECT_EQ(error_of(view_of<std::byte, 1>(buffer, "nibbles")).kind, Errc::type_mismatch);
}

TYPED_TEST(shared_buffer, an_unknown_name_is_refused_with_those_that_there_are) {
  const auto buffer = must(this->allocate(Specs{tensor("x", {2}), tensor("y", {2})}));
  const Error errors[] = {error_of(buffer.template access<float>("z", rw)),
                          error_of(view_of<float, 1>(buffer, "z")),
                          error_of(buffer.access("z", qnnpp::CpuUse::read))};
  for (const Error& error : errors) {
    EXPECT_EQ(error.kind, Errc::unknown_name);
    EXPECT_EQ(error.object, "z");
    EXPECT_TRUE(contains(error.detail, "x, y")) << error.detail;
  }
  EXPECT_FALSE(buffer.template access<float>("", rw).has_value());
  EXPECT_FALSE(buffer.template access<float>("xx", rw).has_value());
}

TYPED_TEST(shared_buffer, lists_the_most_similar_names_of_very_many) {
  Specs many;
  for (int i = 0; i < 17; ++i) many.push_back(bytes("t" + std::to_string(i), 8));
  const auto buffer = must(this->allocate(many));
  EXPECT_EQ(error_of(buffer.template access<float>("T15x", rw)).detail,
            "the buffer holds: t15, t1, t10 and 14 more");
}

TYPED_TEST(shared_buffer, finds_each_of_many_names) {
  Specs many;
  for (std::uint32_t i = 0; i < 100; ++i) many.push_back(bytes("t" + std::to_string(i), i + 1));
  const auto buffer = must(this->allocate(many));
  for (std::uint32_t i = 0; i < 100; ++i)
    ASSERT_EQ(must(buffer.template access<std::uint8_t>("t" + std::to_string(i), rw)).size(),
              i + 1);
}

TYPED_TEST(shared_buffer, ION_04_its_memory_lives_as_long_as_somebody_refers_to_it) {
  auto buffer = std::optional(must(this->allocate(Specs{tensor("x", {2}), tensor("y", {2})})));
  const int live = this->track.live;
  auto kept = std::optional(qnnpp::detail::Access::block(*buffer));
  auto moved = std::optional(*std::move(buffer));
  buffer.reset();
  EXPECT_TRUE(moved->template access<float>("x", rw).has_value());
  moved.reset();
  EXPECT_EQ(this->track.live, live) << "a registration would be left without its memory";
  kept.reset();
  EXPECT_EQ(this->track.live, 0);
}

TYPED_TEST(shared_buffer, is_freed_now_when_another_is_assigned_to_it) {
  auto buffer = must(this->allocate(Specs{tensor("x", {2})}));
  buffer = must(this->allocate(Specs{tensor("y", {3})}));
  EXPECT_EQ(this->track.live, 1);
  EXPECT_EQ(buffer.tensors()[0].spec.name, "y");
}

TYPED_TEST(shared_buffer, ORD_09_that_was_moved_from_breaks_a_contract) {
  auto buffer = must(this->allocate(Specs{tensor("x", {2})}));
  const auto taken = std::move(buffer);
  EXPECT_CONTRACT(moved_buffer, (void)buffer.tensors());
  EXPECT_CONTRACT(moved_buffer, (void)buffer.size_bytes());
  EXPECT_CONTRACT(moved_buffer, (void)buffer.template access<float>("x", rw));
  EXPECT_CONTRACT(moved_buffer, (void)(view_of<float, 1>(buffer, "x")));
  EXPECT_CONTRACT(moved_buffer, (void)buffer.access("x", qnnpp::CpuUse::read));
  EXPECT_TRUE(taken.template access<float>("x", rw).has_value());
}

// ---- a buffer for each tensor ----------------------------------------------------------------

template <class Form>
class buffer_per_tensor : public shared_buffer<Form> {};
using FormsPerTensor = testing::Types<PerTensor, DmaBuf>;
TYPED_TEST_SUITE(buffer_per_tensor, FormsPerTensor, FormNames);

TYPED_TEST(buffer_per_tensor, ION_03_each_tensor_has_a_descriptor_of_its_own_from_its_first_byte) {
  const auto buffer = must(this->allocate(Specs{bytes("a", 10), bytes("b", 300), bytes("c", 1)}));
  EXPECT_EQ(this->track.sizes, (std::vector<std::uint64_t>{10, 300, 1}));
  EXPECT_EQ(buffer.size_bytes(), 311u);
  const auto& block = *qnnpp::detail::Access::block(buffer);
  EXPECT_NE(block.memory_of(0).fd, block.memory_of(1).fd);
  EXPECT_NE(block.memory_of(1).fd, block.memory_of(2).fd);
  for (const TensorPlacement& placement : buffer.tensors()) EXPECT_EQ(placement.offset_bytes, 0u);
}

TYPED_TEST(buffer_per_tensor, is_described_to_QNN_by_its_form) {
  const auto buffer = must(this->allocate(Specs{bytes("a", 10)}));
  EXPECT_EQ(qnnpp::detail::Access::block(buffer)->type,
            (std::is_same_v<TypeParam, DmaBuf> ? qnnpp::c_api::MemType::dma_buf
                                               : qnnpp::c_api::MemType::ion));
}

TYPED_TEST(buffer_per_tensor, an_allocator_that_fails_at_any_tensor_leaks_nothing_and_names_it) {
  const Specs specs{bytes("a", 10), bytes("b", 20), bytes("c", 30)};
  for (std::size_t k = 1; k <= specs.size(); ++k) {
    this->track = {};
    this->track.fail_at = k;
    const Error error = error_of(this->allocate(specs));
    EXPECT_EQ(error.kind, Errc::allocation_failed);
    EXPECT_EQ(error.needed, 10 * k);
    EXPECT_TRUE(contains(error.detail, "tensor " + specs[k - 1].name)) << error.detail;
    EXPECT_EQ(this->track.sizes.size(), k) << "nothing is tried after it";
    EXPECT_EQ(this->track.live, 0);
  }
}

TYPED_TEST(buffer_per_tensor, ION_03_takes_memory_of_your_own_that_begins_at_its_start) {
  for (const std::uint64_t size : {24u, 25u, 4096u}) {
    auto region = must(MemRegion<TensorIo>::allocate(TrackingAllocator(this->track), size));
    std::byte* const data = start_of(region);
    const auto buffer =
        must(SharedBuffer<TypeParam>::from_region(std::move(region), tensor("x", {2, 3})));
    const auto x = must(buffer.template access<float>("x", rw));
    EXPECT_EQ(static_cast<void*>(x.elements().data()), data);
    EXPECT_EQ(x.size(), 6u);
    EXPECT_EQ(buffer.size_bytes(), size);
  }
}

TYPED_TEST(buffer_per_tensor, SHB_02_memory_of_your_own_that_is_too_small_is_refused) {
  auto region = must(MemRegion<TensorIo>::allocate(TrackingAllocator(this->track), 23));
  const Error error =
      error_of(SharedBuffer<TypeParam>::from_region(std::move(region), tensor("x", {2, 3})));
  EXPECT_EQ(error.kind, Errc::too_small);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(error.needed, 24u);
  EXPECT_EQ(error.found, 23u);
  const Error none =
      error_of(SharedBuffer<TypeParam>::from_region(MemRegion<TensorIo>(), tensor("x", {2, 3})));
  EXPECT_EQ(none.kind, Errc::too_small);
  EXPECT_EQ(none.found, 0u);
}

TYPED_TEST(buffer_per_tensor, ION_03_memory_of_your_own_within_a_buffer_is_refused) {
  auto whole = must(TrackingAllocator(this->track).allocate(8192));
  auto region = must(MemRegion<TensorIo>::from_buffer(std::move(whole), 4096));
  const Error error =
      error_of(SharedBuffer<TypeParam>::from_region(std::move(region), tensor("x", {2, 3})));
  EXPECT_EQ(error.kind, Errc::misaligned);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(error.needed, 0u);
  EXPECT_EQ(error.found, 4096u);
}

/// Returns a region of 64 bytes, which start at `data` for the CPU and at a multiple of
/// `start_alignment` for the device.
MemRegion<TensorIo> starting(std::byte* data, std::uint64_t start_alignment) {
  return must(MemRegion<TensorIo>::from_buffer(
      must(DmaBuffer::from_native(1000, 64,
                                  {.fd = qnnpp::FdUse::borrow,
                                   .data = data,
                                   .needs_sync = false,
                                   .start_alignment = start_alignment}))));
}

void expect_misaligned(const Error& error, std::uint64_t needed, std::uint64_t found) {
  EXPECT_EQ(error.kind, Errc::misaligned);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(error.needed, needed);
  EXPECT_EQ(error.found, found);
  EXPECT_FALSE(contains(error.message(), "offset")) << error.message();
}

alignas(128) std::byte own_bytes[128];

TYPED_TEST(buffer_per_tensor, of_memory_that_starts_at_no_element_is_refused) {
  const auto hold = [](std::byte* data, std::uint64_t alignment, Type type = Type::float_32) {
    return SharedBuffer<TypeParam>::from_region(starting(data, alignment), tensor("x", {2}, type));
  };
  expect_misaligned(error_of(hold(nullptr, 2)), 4, 2);
  expect_misaligned(error_of(hold(own_bytes + 1, 4096)), 4, 1);
  expect_misaligned(error_of(hold(own_bytes + 4, 4096, Type::float_64)), 8, 4);
  EXPECT_TRUE(hold(nullptr, 4).has_value());
  EXPECT_TRUE(hold(own_bytes + 4, 4).has_value());
  EXPECT_TRUE(hold(own_bytes + 1, 1, Type::uint_8).has_value());
  EXPECT_TRUE(hold(own_bytes + 1, 1, Type::sfixed_point_4).has_value());
}

/// An allocator whose own mapping starts at any byte.
struct AtAByte {
  [[nodiscard]] qnnpp::Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    return DmaBuffer::from_native(
        1000, bytes, {.fd = qnnpp::FdUse::borrow, .data = own_bytes + 1, .needs_sync = false});
  }
};

TYPED_TEST(shared_buffer, of_an_allocator_whose_mapping_starts_at_no_element_is_refused) {
  expect_misaligned(error_of(SharedBuffer<TypeParam>::allocate(AtAByte(), Specs{tensor("x", {2})})),
                    4, 1);
  EXPECT_TRUE(SharedBuffer<TypeParam>::allocate(AtAByte(), Specs{bytes("x", 2)}).has_value());
}

TYPED_TEST(buffer_per_tensor, SHB_06_memory_of_your_own_for_a_tensor_without_a_size_is_refused) {
  auto region = must(MemRegion<TensorIo>::allocate(TrackingAllocator(this->track), 64));
  const Error error =
      error_of(SharedBuffer<TypeParam>::from_region(std::move(region), tensor("x", {0})));
  EXPECT_EQ(error.kind, Errc::unsupported_tensor);
  EXPECT_EQ(error.object, "x");
}

// ---- one buffer for all ----------------------------------------------------------------------

using multi_tensor = shared_buffer<MultiTensor>;

TEST_F(multi_tensor, SHB_02_tensors_lie_aligned_within_the_buffer_and_none_over_another) {
  std::mt19937 random(20260214);
  for (int round = 0; round < 300; ++round) {
    Specs specs(1 + random() % 12);
    for (std::size_t i = 0; i < specs.size(); ++i)
      specs[i] = bytes("t" + std::to_string(i), 1 + static_cast<std::uint32_t>(random() % 700));
    const auto buffer = must(allocate(specs));
    const auto& placed = buffer.tensors();
    for (std::size_t i = 0; i < placed.size(); ++i) {
      ASSERT_EQ(placed[i].spec.name, specs[i].name);
      ASSERT_EQ(placed[i].offset_bytes % 128, 0u);
      ASSERT_LE(end_of(placed[i]), buffer_bytes(buffer));
      for (std::size_t j = 0; j < i; ++j) ASSERT_FALSE(overlap(placed[i], placed[j]));
    }
    EXPECT_EQ(track.live, 1);
  }
}

TEST_F(multi_tensor, is_the_smallest_buffer_that_any_order_of_its_tensors_needs) {
  std::mt19937 random(20260215);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> sizes(1 + random() % 5);
    for (auto& size : sizes) size = 1 + static_cast<std::uint32_t>(random() % 400);
    Specs specs;
    for (const std::uint32_t size : sizes)
      specs.push_back(bytes("t" + std::to_string(specs.size()), size));
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::uint64_t smallest = UINT64_MAX;
    do {
      std::uint64_t end = 0;
      for (const std::size_t i : order) end = (end + 127) / 128 * 128 + sizes[i];
      smallest = std::min(smallest, end);
    } while (std::next_permutation(order.begin(), order.end()));
    const auto buffer = must(allocate(specs));
    ASSERT_EQ(buffer_bytes(buffer), smallest);
    ASSERT_EQ(buffer.size_bytes(), smallest);
  }
}

TEST_F(multi_tensor, its_last_tensor_is_not_padded) {
  const auto buffer = must(allocate(Specs{bytes("a", 128), bytes("b", 1), bytes("c", 127)}));
  EXPECT_EQ(buffer.tensors()[0].offset_bytes, 0u);
  EXPECT_EQ(buffer.tensors()[2].offset_bytes, 128u);
  EXPECT_EQ(buffer.tensors()[1].offset_bytes, 256u) << "it would pad most";
  EXPECT_EQ(buffer.size_bytes(), 257u);
}

TEST_F(multi_tensor, has_one_descriptor_and_one_allocation_for_all) {
  const auto buffer = must(allocate(Specs{bytes("a", 10), bytes("b", 20), bytes("c", 30)}));
  EXPECT_EQ(track.sizes.size(), 1u);
  EXPECT_EQ(qnnpp::detail::Access::block(buffer)->memory.size(), 1u);
  EXPECT_EQ(qnnpp::detail::Access::block(buffer)->type, qnnpp::c_api::MemType::custom);
}

/// Returns a tensor of 2^60 bytes.
TensorSpec huge(std::string name) {
  return tensor(std::move(name), {1u << 29, 1u << 28}, Type::float_64);
}

TEST_F(multi_tensor, SHB_06_a_sum_of_sizes_that_overflows_is_refused_and_names_the_tensor) {
  Specs specs;
  for (int i = 0; i < 15; ++i) specs.push_back(huge("t" + std::to_string(i)));
  // 15 * 2^60 bytes can be counted in 64 bits; 16 * 2^60 cannot.
  track.fail_at = 1;
  EXPECT_EQ(error_of(allocate(specs)).kind, Errc::allocation_failed);
  ASSERT_EQ(track.sizes.size(), 1u);
  EXPECT_EQ(track.sizes[0], 15u * (std::uint64_t{1} << 60));
  specs.push_back(bytes("small", 64));
  specs.push_back(huge("last"));
  specs.push_back(bytes("behind", 128));
  const Error error = error_of(allocate(specs));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "last");
  EXPECT_EQ(track.sizes.size(), 1u) << "nothing was asked for";
}

// ---- memory of your own for many tensors -----------------------------------------------------

class own_memory : public multi_tensor {
 protected:
  MemRegion<TensorIo> region(std::uint64_t size) {
    return must(MemRegion<TensorIo>::allocate(TrackingAllocator(track), size));
  }
  MemRegion<TensorIo> part(std::uint64_t whole, std::uint64_t offset, std::uint64_t size = 0) {
    return must(MemRegion<TensorIo>::from_buffer(must(TrackingAllocator(track).allocate(whole)),
                                                 offset, size));
  }
  static qnnpp::Result<SharedBuffer<MultiTensor>> place(MemRegion<TensorIo> region,
                                                        std::vector<TensorPlacement> tensors,
                                                        Overlap overlap = Overlap::refused) {
    return SharedBuffer<MultiTensor>::from_region(std::move(region), std::move(tensors), overlap);
  }
};

TEST_F(own_memory, SHB_02_has_its_tensors_where_they_were_placed) {
  auto memory = region(100);
  std::byte* const data = start_of(memory);
  const auto buffer =
      must(place(std::move(memory), {{bytes("b", 10), 90, 0}, {tensor("a", {4}), 4, 12345}}));
  EXPECT_EQ(buffer.tensors()[0].offset_bytes, 90u);
  EXPECT_EQ(buffer.tensors()[1].offset_bytes, 4u);
  EXPECT_EQ(buffer.tensors()[1].size_bytes, 16u) << "taken from the specification";
  const auto a = must(buffer.access<std::byte>("a", rw));
  const auto b = must(buffer.access<std::byte>("b", rw));
  EXPECT_EQ(&a[0], data + 4);
  EXPECT_EQ(&b[0], data + 90);
  EXPECT_EQ(buffer.size_bytes(), 100u);
}

TEST_F(own_memory, SHB_01_offsets_count_from_the_region_and_are_told_from_the_buffer) {
  auto memory = part(8192, 4096, 256);
  std::byte* const data = start_of(memory);
  const auto buffer =
      must(place(std::move(memory), {{bytes("a", 128), 0}, {bytes("b", 128), 128}}));
  EXPECT_EQ(buffer.tensors()[0].offset_bytes, 4096u);
  EXPECT_EQ(buffer.tensors()[1].offset_bytes, 4224u);
  const auto b = must(buffer.access<std::byte>("b", rw));
  EXPECT_EQ(&b[0], data + 128);
  EXPECT_EQ(buffer.size_bytes(), 8192u) << "the whole buffer";
}

TEST_F(own_memory, SHB_02_a_tensor_past_the_end_of_the_region_is_refused_with_both_sizes) {
  EXPECT_TRUE(place(region(100), {{bytes("a", 10), 90}}).has_value());
  const Error error = error_of(place(region(100), {{bytes("a", 10), 91}}));
  EXPECT_EQ(error.kind, Errc::too_small);
  EXPECT_EQ(error.object, "a");
  EXPECT_EQ(error.needed, 101u);
  EXPECT_EQ(error.found, 100u);
  EXPECT_EQ(error_of(place(part(8192, 4096, 100), {{bytes("a", 10), 91}})).kind, Errc::too_small)
      << "the buffer goes on, the region does not";
  EXPECT_EQ(error_of(place({}, {{bytes("a", 1), 0}})).kind, Errc::too_small);
}

TEST_F(own_memory, SHB_02_an_end_that_overflows_is_refused) {
  for (const std::uint64_t offset : {UINT64_MAX, UINT64_MAX - 9, UINT64_MAX - 10}) {
    const Error error = error_of(place(region(100), {{bytes("a", 10), offset}}));
    EXPECT_EQ(error.kind, Errc::too_small);
    EXPECT_GT(error.needed, error.found);
  }
}

TEST_F(own_memory, an_offset_that_no_element_can_begin_at_is_refused) {
  EXPECT_TRUE(place(region(100), {{tensor("a", {2}), 4}}).has_value());
  const Error error = error_of(place(region(100), {{tensor("a", {2}), 6}}));
  EXPECT_EQ(error.kind, Errc::misaligned);
  EXPECT_EQ(error.object, "a");
  EXPECT_EQ(error.needed, 4u);
  EXPECT_EQ(error.found, 6u);
  EXPECT_TRUE(place(region(100), {{bytes("a", 2), 7}}).has_value());
  EXPECT_TRUE(place(region(100), {{tensor("a", {2}, Type::sfixed_point_4), 7}}).has_value());
  EXPECT_EQ(error_of(place(part(100, 2), {{tensor("a", {2}), 4}})).kind, Errc::misaligned)
      << "counted from the buffer, which is what QNN sees";
  EXPECT_TRUE(place(part(100, 2), {{tensor("a", {2}), 2}}).has_value());
}

TEST_F(own_memory, of_tensors_that_start_at_no_element_is_refused) {
  expect_misaligned(error_of(place(starting(nullptr, 2), {{tensor("x", {2}), 0}})), 4, 2);
  expect_misaligned(error_of(place(starting(own_bytes + 1, 4096),
                                   {{bytes("first", 3), 0}, {tensor("x", {2}), 4}})),
                    4, 1);
  EXPECT_TRUE(place(starting(own_bytes + 4, 4), {{tensor("x", {2}), 4}}).has_value());
  EXPECT_TRUE(place(starting(own_bytes + 1, 1), {{bytes("x", 3), 1}}).has_value());
  const std::vector<ScheduledTensor> scheduled{{tensor("x", {2}), 0, 1}};
  expect_misaligned(error_of(SharedBuffer<MultiTensor>::allocate(AtAByte(), scheduled)), 4, 1);
}

TEST_F(own_memory, SHB_02_tensors_in_the_same_bytes_are_refused_with_both_names_and_places) {
  const Error error =
      error_of(place(region(100), {{bytes("late", 10), 9}, {bytes("early", 10), 0}}));
  EXPECT_EQ(error.kind, Errc::overlapping);
  EXPECT_EQ(error.object, "late");
  EXPECT_TRUE(contains(error.detail, "early")) << error.detail;
  EXPECT_TRUE(contains(error.detail, "byte 9")) << error.detail;
  EXPECT_TRUE(contains(error.detail, "10")) << error.detail;
  EXPECT_TRUE(place(region(100), {{bytes("late", 10), 10}, {bytes("early", 10), 0}}).has_value());
  EXPECT_EQ(error_of(place(region(100), {{bytes("a", 10), 5}, {bytes("b", 10), 5}})).kind,
            Errc::overlapping);
  EXPECT_EQ(error_of(place(region(100), {{bytes("big", 100), 0}, {bytes("in", 1), 50}})).kind,
            Errc::overlapping);
}

TEST_F(own_memory, SHB_02_tensors_in_the_same_bytes_are_allowed_to_who_asks) {
  const auto buffer =
      must(place(region(100), {{bytes("a", 10), 0}, {bytes("b", 10), 5}}, Overlap::allowed));
  const auto a = must(buffer.access<std::uint8_t>("a", rw));
  a[5] = 77;
  EXPECT_EQ(must(buffer.access<std::uint8_t>("b", rw))[0], 77);
}

TEST_F(own_memory, SHB_02_any_places_are_taken_or_refused_as_a_check_of_all_pairs_says) {
  std::mt19937 random(20260216);
  int taken = 0;
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<TensorPlacement> places(1 + random() % 4);
    bool fits = true;
    bool apart = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = {bytes("t" + std::to_string(i), 1 + static_cast<std::uint32_t>(random() % 30)),
                   random() % 110, 0};
      places[i].size_bytes = must(places[i].spec.size_bytes());
      fits = fits && end_of(places[i]) <= 100;
      for (std::size_t j = 0; j < i; ++j) apart = apart && !overlap(places[i], places[j]);
    }
    const auto buffer = place(region(100), places);
    ASSERT_EQ(buffer.has_value(), fits && apart);
    ++(buffer ? taken : refused);
    if (!buffer) {
      ASSERT_EQ(buffer.error().kind, fits ? Errc::overlapping : Errc::too_small);
    }
    ASSERT_EQ(place(region(100), places, Overlap::allowed).has_value(), fits);
  }
  EXPECT_GT(taken, 100);
  EXPECT_GT(refused, 100);
}

TEST_F(own_memory, of_no_tensor_or_of_one_name_twice_or_without_a_size_is_refused) {
  EXPECT_EQ(error_of(place(region(100), {})).kind, Errc::empty);
  EXPECT_EQ(error_of(place(region(100), {{bytes("a", 1), 0}, {bytes("a", 1), 1}})).kind,
            Errc::duplicate_name);
  const Error error = error_of(place(region(100), {{bytes("a", 1), 0}, {bytes("zero", 0), 1}}));
  EXPECT_EQ(error.kind, Errc::unsupported_tensor);
  EXPECT_EQ(error.object, "zero");
}

// ---- lifetimes -------------------------------------------------------------------------------

class scheduled : public multi_tensor {
 protected:
  qnnpp::Result<SharedBuffer<MultiTensor>> plan(const std::vector<ScheduledTensor>& tensors) {
    return SharedBuffer<MultiTensor>::allocate(TrackingAllocator(track), tensors);
  }
};

TEST_F(scheduled, SHB_02_tensors_that_are_never_in_use_together_share_bytes) {
  std::vector<ScheduledTensor> chain;
  for (std::uint32_t i = 0; i < 10; ++i)
    chain.push_back({bytes("t" + std::to_string(i), 1000), i, i + 1});
  const auto buffer = must(plan(chain));
  EXPECT_EQ(buffer.size_bytes(), 2 * 1024u) << "two of them live at a time";
  EXPECT_EQ(buffer.tensors().size(), 10u);
}

TEST_F(scheduled, SHB_02_tensors_that_are_in_use_together_never_do) {
  std::mt19937 random(20260217);
  int shared = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<ScheduledTensor> tensors(2 + random() % 10);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::uint64_t first = random() % 8;
      tensors[i] = {bytes("t" + std::to_string(i), 1 + static_cast<std::uint32_t>(random() % 900)),
                    first, first + random() % 4};
    }
    const auto buffer = must(plan(tensors));
    const auto& placed = buffer.tensors();
    for (std::size_t i = 0; i < placed.size(); ++i) {
      ASSERT_EQ(placed[i].spec.name, tensors[i].spec.name);
      ASSERT_EQ(placed[i].size_bytes, must(tensors[i].spec.size_bytes()));
      ASSERT_EQ(placed[i].offset_bytes % 128, 0u);
      ASSERT_LE(end_of(placed[i]), buffer_bytes(buffer));
      for (std::size_t j = 0; j < i; ++j) {
        const bool together = tensors[i].first_use <= tensors[j].last_use &&
                              tensors[j].first_use <= tensors[i].last_use;
        if (together) {
          ASSERT_FALSE(overlap(placed[i], placed[j]));
        }
        shared += overlap(placed[i], placed[j]) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(shared, 100);
}

TEST_F(scheduled, SHB_05_only_tensors_that_look_the_same_to_QNN_begin_at_the_same_byte) {
  std::mt19937 random(20260218);
  int together = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<ScheduledTensor> tensors(3 + random() % 6);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const auto rows = 1 + static_cast<std::uint32_t>(random() % 2);
      tensors[i] = {tensor("t" + std::to_string(i), {rows, 2 / rows, 128},
                           random() % 2 == 0 ? Type::uint_8 : Type::int_8),
                    i, i};
    }
    const auto buffer = must(plan(tensors));
    for (std::size_t i = 0; i < tensors.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const TensorPlacement& a = buffer.tensors()[i];
        const TensorPlacement& b = buffer.tensors()[j];
        if (a.offset_bytes != b.offset_bytes) continue;
        ++together;
        ASSERT_EQ(a.spec.data_type, b.spec.data_type);
        ASSERT_EQ(a.spec.dimensions, b.spec.dimensions);
      }
  }
  EXPECT_GT(together, 10);
}

TEST_F(scheduled, refuses_what_other_lists_are_refused_for) {
  EXPECT_EQ(error_of(plan({})).kind, Errc::empty);
  EXPECT_EQ(error_of(plan({{bytes("a", 1), 0, 0}, {bytes("a", 1), 1, 1}})).kind,
            Errc::duplicate_name);
  const Error zero = error_of(plan({{bytes("a", 1), 0, 0}, {bytes("zero", 0), 1, 1}}));
  EXPECT_EQ(zero.kind, Errc::unsupported_tensor);
  EXPECT_EQ(zero.object, "zero");
  EXPECT_TRUE(track.sizes.empty());
}

TEST_F(scheduled, refuses_a_tensor_that_is_used_last_before_it_is_used_first) {
  const Error error = error_of(plan({{bytes("a", 1), 0, 0}, {bytes("b", 1), 5, 4}}));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "b");
  EXPECT_TRUE(contains(error.detail, "5")) << error.detail;
  EXPECT_TRUE(contains(error.detail, "4")) << error.detail;
}

TEST_F(scheduled, SHB_06_sizes_whose_sum_overflows_are_refused_by_the_tensor) {
  std::vector<ScheduledTensor> many;
  for (int i = 0; i < 17; ++i) many.push_back({huge("t" + std::to_string(i)), 0, 0});
  const Error error = error_of(plan(many));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object.substr(0, 1), "t");
}

TEST_F(scheduled, leaks_nothing_where_the_allocator_fails) {
  track.fail_at = 1;
  EXPECT_EQ(error_of(plan({{bytes("a", 1), 0, 0}})).kind, Errc::allocation_failed);
}

TEST(shared_buffer_of_a_short_allocator, BUF_03_is_refused_with_both_sizes) {
  Counts counts;
  counts.shortage_bytes = 1;
  const Specs specs{bytes("a", 10), bytes("b", 20)};
  for (const Error& error :
       {error_of(SharedBuffer<PerTensor>::allocate(CountingAllocator(counts), specs)),
        error_of(SharedBuffer<MultiTensor>::allocate(CountingAllocator(counts), specs))}) {
    EXPECT_EQ(error.kind, Errc::too_small);
    EXPECT_EQ(error.needed, error.found + 1);
  }
  EXPECT_EQ(counts.freed, counts.allocated);
}

}  // namespace
