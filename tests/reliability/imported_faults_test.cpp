// Every call of a job in memory of others fails, once and permanently, for each form of tensor
// memory. Nothing is left, and the owner gets its memory back.
#include <type_traits>
#include <utility>
#include <vector>

#include "faults.hpp"
#include "forms.hpp"
#include "imported.hpp"
#include "job.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

template <class Form>
class imported_faults : public FaultsTest {
 protected:
  void SetUp() override {
    FaultsTest::SetUp();
    if (HasFatalFailure()) return;
    set(&sim::Config::dma_buf, 1);
    parts_ = recorded_parts({{.io = c_api::TensorMemType::memhandle}});
  }
  void TearDown() override {
    EXPECT_GT(lender_.lent, 0);
    EXPECT_EQ(lender_.returned, lender_.lent);
    FaultsTest::TearDown();
  }
  Result<float> run() const override {
    const Network& network = parts_.networks[0];
    auto backend = Backend<Htp>::load({.library = parts_.backend,
                                       .system_library = parts_.system,
                                       .log = log_to<log_nothing>(c_api::LogLevel::error)});
    if (!backend) return fail(std::move(backend).error());
    const auto context =
        ContextBinary::borrow(parts_.binaries[0], "net.bin").and_then([&](ContextBinary binary) {
          return Context<Finalized>::restore(*backend, std::move(binary));
        });
    if (!context) return fail(context.error());
    const auto io = ImportedIo<Form>::make(network, lender_);
    if (!io) return fail(io.error());
    return io->execute(*context, network);
  }

  Parts parts_;

 private:
  mutable Lender lender_;
};
TYPED_TEST_SUITE(imported_faults, Forms, FormNames);

TYPED_TEST(imported_faults, the_job_registers_each_buffer_and_asks_for_dma_bufs_once) {
  this->run_clean();
  const bool together = std::is_same_v<TypeParam, MultiTensor>;
  EXPECT_EQ(this->count(Slot::mem_register), together ? 1 : 2);
  EXPECT_EQ(this->count(Slot::mem_de_register), together ? 1 : 2);
  const bool asks = std::is_same_v<TypeParam, DmaBuf>;
  EXPECT_EQ(this->count(Slot::property_has_capability), asks ? 1 : 0) << "granted once";
}

TYPED_TEST(imported_faults, SHB_03_the_job_fails_at_any_call_and_leaves_nothing) {
  this->run_clean();
  for (const std::uint32_t code : {1002u, 8003u}) this->fail_each_call(code);
}

TYPED_TEST(imported_faults, SSR_01_the_job_fails_at_any_call_with_a_restart_and_leaves_nothing) {
  this->run_clean();
  this->expect_misuse();
  this->fail_each_call(1007);
}

TYPED_TEST(imported_faults, two_calls_fail_in_one_run_and_nothing_is_left) {
  this->run_clean();
  this->fail_two_calls(1, 4);
}

TYPED_TEST(imported_faults, the_job_runs_again_after_every_failure) {
  this->run_clean();
  this->succeed_after_failures(1);
}

}}  // namespace support
