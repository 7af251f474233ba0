// Memory of others, imported by its descriptor, as tensor memory of each form: registered, executed
// in place, and refused as dma-bufs where the backend lacks capability 1104.
#include <type_traits>
#include <utility>

#include "qnnpp/core/detail/access.hpp"

#include "forms.hpp"
#include "imported.hpp"
#include "tensor_memory.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

template <class Form>
class imported_tensors : public TensorMemoryTest {
 protected:
  ImportedIo<Form> import() { return must(ImportedIo<Form>::make(network, lender)); }

  static constexpr int buffers = std::is_same_v<Form, MultiTensor> ? 1 : 2;
  Lender lender;
};
TYPED_TEST_SUITE(imported_tensors, Forms, FormNames);

TYPED_TEST(imported_tensors, ION_01_a_graph_runs_in_memory_of_others_and_nothing_is_copied) {
  const auto context = this->finalized(this->queried(this->network));
  const auto io = this->import();
  EXPECT_LT(must(io.execute(context, this->network)), tolerance);
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.in_place, 2u);
  EXPECT_EQ(counters.copied_in + counters.copied_out, 0u);
}

TYPED_TEST(imported_tensors, ION_04_memory_of_others_is_given_back_after_its_deregistration) {
  const auto context = this->restored(this->network);
  {
    const auto tensors = must(this->import().register_with(context));
    EXPECT_EQ(this->registrations(), 2u);
    EXPECT_EQ(this->lender.lent, this->buffers);
    EXPECT_EQ(this->lender.returned, 0) << "the registration keeps it";
  }
  EXPECT_EQ(this->registrations(), 0u);
  EXPECT_EQ(this->lender.returned, this->buffers);
}

TYPED_TEST(imported_tensors, SHB_03_memory_of_others_whose_registration_fails_is_given_back) {
  const auto context = this->restored(this->network);
  control().fail_call(Slot::mem_register, 1, 8003);
  EXPECT_EQ(error_of(this->import().register_with(context)).code, 8003);
  EXPECT_EQ(this->lender.returned, this->buffers);
  EXPECT_EQ(this->calls(Slot::mem_de_register), 0u);
}

using imported_dma_bufs = imported_tensors<DmaBuf>;

TEST_F(imported_dma_bufs, are_mapped_by_the_registration_because_QNN_gets_their_address) {
  const auto context = restored(network);
  const auto io = import();
  const auto* const block = qnnpp::detail::Access::block(io.of_x())->memory[0].get();
  EXPECT_EQ(block->data(), nullptr);
  const auto tensors = must(io.register_with(context));
  EXPECT_NE(block->data(), nullptr);
}

TEST_F(imported_dma_bufs, LOAD_04_are_refused_before_they_are_mapped_or_registered) {
  set(&sim::Config::dma_buf, 0);
  const auto context = restored(network);
  {
    const auto io = import();
    const std::uint64_t before = control().counters().calls;
    const Error error = error_of(io.register_with(context));
    EXPECT_EQ(error.kind, Errc::capability_missing);
    EXPECT_EQ(error.object, "net.bin");
    EXPECT_EQ(control().counters().calls, before + 1) << "the question for the capability";
    EXPECT_EQ(mappings_of("memfd:dmabuf"), 0u);
  }
  EXPECT_EQ(lender.returned, 2);
  const auto as_ion = must(ImportedIo<PerTensor>::make(network, lender));
  EXPECT_LT(must(as_ion.execute(context, network)), tolerance) << "ION needs no capability";
}

TEST_F(imported_dma_bufs, that_cannot_be_mapped_are_refused_before_any_call) {
  const auto context = restored(network);
  const auto memory = must(allocator().allocate(network.io_bytes()));
  auto region = must(MemRegion<TensorIo>::from_buffer(
      must(DmaBuffer::from_native(memory.fd(), 1u << 20, {.needs_sync = false}))));
  const auto x = must(SharedBuffer<DmaBuf>::from_region(std::move(region), network.spec("x")));
  EXPECT_EQ(error_of(RegisteredTensors::create(context, x)).kind, Errc::too_small);
  EXPECT_EQ(calls(Slot::mem_register), 0u);
}

}}  // namespace support
