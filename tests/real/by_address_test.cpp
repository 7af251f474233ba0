// Registered tensors on Qualcomm's library, which registers none: bound by address.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/memory/tensor_arena.hpp"

#include "library.hpp"
#include "one_relu.hpp"

namespace real { namespace {

using namespace qnnpp;
using Codes = std::vector<std::uint8_t>;

Backend<Htp> backend_with(TensorMemory memory) {
  return value_or_throw(
      Backend<Htp>::load({.library = htp(), .system_library = system(), .tensor_memory = memory}));
}

Context<Finalized> restored(const Backend<Htp>& backend) {
  return value_or_throw(Context<Finalized>::restore(
      backend, value_or_throw(ContextBinary::own(value_or_throw(binary(backend)), "net"))));
}

Codes read(const SharedBuffer<MultiTensor>& memory, const char* tensor) {
  const auto opened = value_or_throw(memory.access<const std::uint8_t>(tensor, CpuUse::read));
  return {opened.elements().begin(), opened.elements().end()};
}

TEST(tensors_by_address, are_needed_although_the_library_says_that_it_registers) {
  const auto backend = backend_with(TensorMemory::registered);
  for (const auto key : {c_api::PropertyKey::memory_support_mem_type_ion,
                         c_api::PropertyKey::memory_support_mem_type_custom})
    EXPECT_EQ(backend.capability(key), Capability::supported);
  const auto context = restored(backend);
  const auto bound =
      value_or_throw(Graph<Retrieved>::retrieve(context, "net")).bind(MemfdAllocator());
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().code, 1000);
  EXPECT_NE(bound.error().message().find("BackendOptions::tensor_memory"), std::string::npos)
      << bound.error().message();
}

TEST(tensors_by_address, compute_what_raw_memory_does_in_every_way_to_bind_them) {
  const Codes x{0, 50, 100, 127, 128, 129, 200, 255};
  Codes in = x, expected(8);
  for (const TensorMemory mode : {TensorMemory::either, TensorMemory::by_address}) {
    const auto backend = backend_with(mode);
    const auto context = restored(backend);
    const auto graph = [&] { return value_or_throw(Graph<Retrieved>::retrieve(context, "net")); };
    auto plain = value_or_throw(graph().bind({raw("x", in), raw("y", expected)}));
    value_or_throw(plain.execute());
    EXPECT_NE(expected, x);

    auto unbound = graph();
    const auto memory = value_or_throw(
        SharedBuffer<MultiTensor>::allocate(MemfdAllocator(), unbound.inputs(), unbound.outputs()));
    const auto tensors = value_or_throw(RegisteredTensors::create(context, memory));
    EXPECT_EQ(backend.tensor_memory(), TensorMemory::by_address);
    auto bound = value_or_throw(std::move(unbound).bind(tensors));
    EXPECT_EQ(bound.io_cost(), plain.io_cost());
    const auto write = [&](const char* tensor) {
      value_or_throw(write_elements(memory.access<std::uint8_t>(tensor, CpuUse::write), x));
    };
    write("x");
    value_or_throw(bound.execute());
    EXPECT_EQ(read(memory, "y"), expected);

    value_or_throw(bound.exchange("x", "y"));
    write("y");
    value_or_throw(bound.execute());
    EXPECT_EQ(read(memory, "x"), expected);

    const auto other = value_or_throw(SharedBuffer<MultiTensor>::allocate(
        MemfdAllocator(), std::vector{memory.tensors()[1].spec}));
    const auto others = value_or_throw(RegisteredTensors::create(context, other));
    value_or_throw(bound.rebind(registered(others, "y")));
    value_or_throw(bound.execute());
    EXPECT_EQ(read(other, "y"), expected);

    EXPECT_EQ((Graph<Retrieved, RegisteredIo>::retrieve(context, "net")).error().kind,
              Errc::memory_type_mismatch);
  }
}

TEST(tensors_by_address, do_not_make_the_library_take_external_buffers) {
  const auto backend = backend_with(TensorMemory::either);
  const auto deferred = Context<Deferred>::create(
      backend, value_or_throw(ContextBinary::own(value_or_throw(binary(backend)), "net")));
  ASSERT_FALSE(deferred);
  EXPECT_EQ(deferred.error().kind, Errc::capability_missing);
}

}}  // namespace real
