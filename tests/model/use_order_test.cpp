// The order of use, the choice of the reused buffer, and what fits.
#include "qnnpp/model/use_order.hpp"

#include <cerrno>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/model/detail/room.hpp"

#include "results.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::UseOrder;
using model::detail::Capacity;
using model::detail::Occupancy;
using model::detail::WeightsPool;

UseOrder begun(UseOrder order, std::size_t contexts) {
  EXPECT_FALSE(order.begin(contexts).has_value());
  return order;
}

TEST(an_order_of_use, without_a_sequence_is_that_of_the_binaries) {
  const UseOrder order = begun(UseOrder::cyclic(), 3);
  EXPECT_EQ(order.expected(0), 0u);
  EXPECT_EQ(order.expected(2), 2u);
  EXPECT_EQ(order.expected(3), 0u);
  EXPECT_EQ(begun(UseOrder::once(), 3).expected(3), std::nullopt);
  EXPECT_EQ(begun(UseOrder::unknown(), 3).expected(0), std::nullopt);
}

TEST(an_order_of_use, names_a_place_that_is_no_contexts) {
  EXPECT_EQ(UseOrder::once({0, 7, 1}).begin(3), 7u);
  EXPECT_EQ(UseOrder::cyclic({0, 3}).begin(3), 3u);
  EXPECT_EQ(UseOrder::cyclic({0, 2}).begin(3), std::nullopt);
}

TEST(an_order_of_use, tells_distances_as_a_walk_along_it_does) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t contexts = 1 + random() % 6;
    std::vector<std::size_t> sequence(1 + random() % 9);
    for (auto& each : sequence) each = random() % contexts;
    const bool is_cyclic = random() % 2 == 0;
    UseOrder order =
        begun(is_cyclic ? UseOrder::cyclic(sequence) : UseOrder::once(sequence), contexts);
    for (std::size_t now = 0; now < sequence.size(); ++now) {
      for (std::size_t context = 0; context < contexts; ++context)
        for (std::uint64_t skipped = 0; skipped < 12; ++skipped) {
          std::uint64_t expected = UseOrder::never;
          for (std::uint64_t ahead = skipped; ahead < skipped + sequence.size(); ++ahead) {
            const std::uint64_t at = now + ahead;
            if (!is_cyclic && at >= sequence.size()) break;
            if (sequence[at % sequence.size()] != context) continue;
            expected = ahead;
            break;
          }
          ASSERT_EQ(order.distance(context, skipped), expected);
        }
      order.note(sequence[now]);
    }
  }
}

TEST(an_order_of_use, goes_on_behind_the_next_place_of_a_context_that_was_not_expected) {
  UseOrder order = begun(UseOrder::cyclic(), 5);
  order.note(0);
  order.note(3);
  EXPECT_EQ(order.expected(), 4u);
  order.note(1);
  EXPECT_EQ(order.expected(), 2u);
}

TEST(an_order_of_use, stays_where_it_is_when_the_last_one_is_asked_for_again) {
  UseOrder order = begun(UseOrder::cyclic({0, 1, 0, 2}), 3);
  order.note(0);
  order.note(0);
  EXPECT_EQ(order.expected(), 1u);
}

TEST(an_order_of_use, stays_where_it_is_for_a_context_that_is_not_in_it) {
  UseOrder cyclic = begun(UseOrder::cyclic({0, 1}), 3);
  cyclic.note(2);
  EXPECT_EQ(cyclic.expected(), 0u);
  UseOrder once = begun(UseOrder::once({0, 1}), 3);
  once.note(0);
  once.note(1);
  once.note(0);
  EXPECT_EQ(once.expected(), std::nullopt);
}

MemRegion<Weights> region(std::uint64_t bytes) {
  return must(MemRegion<Weights>::allocate(MemfdAllocator(), bytes));
}

TEST(a_pool_of_weights_buffers, gives_the_smallest_that_is_at_most_a_quarter_too_large) {
  WeightsPool pool;
  for (const std::uint64_t bytes : {9000u, 5001u, 5000u, 4500u, 4000u, 3999u})
    pool.put(region(bytes));
  EXPECT_EQ(pool.bytes(), 31500u);
  EXPECT_EQ(pool.take(4000).size_bytes(), 4000u);
  EXPECT_EQ(pool.take(4000).size_bytes(), 4500u);
  EXPECT_EQ(pool.fitting_bytes(4000), 5000u);
  EXPECT_EQ(pool.take(4000).size_bytes(), 5000u);
  EXPECT_FALSE(pool.take(4000)) << "5001 is too large, 3999 too small";
  EXPECT_EQ(pool.bytes(), 18000u);
  EXPECT_FALSE(pool.take(0));
}

TEST(a_pool_of_weights_buffers, drops_what_would_not_be_given_out) {
  WeightsPool pool;
  pool.put(region(4000));
  pool.put(region(9000));
  pool.put(region(4100));
  EXPECT_EQ(pool.take_other(4000).size_bytes(), 9000u);
  EXPECT_EQ(pool.take_other(4000).size_bytes(), 4100u);
  EXPECT_FALSE(pool.take_other(4000));
  EXPECT_EQ(pool.take_other(0).size_bytes(), 4000u);
  EXPECT_EQ(pool.bytes(), 0u);
  EXPECT_EQ(pool.size(), 0u);
}

TEST(a_capacity, without_limits_takes_all) {
  EXPECT_TRUE(Capacity().affords(UINT64_MAX));
  EXPECT_TRUE(Capacity().admits({1000, UINT64_MAX}));
}

TEST(a_capacity, keeps_to_its_limits_to_the_byte_and_to_the_context) {
  const Capacity capacity(100, 3);
  EXPECT_TRUE(capacity.affords(100));
  EXPECT_FALSE(capacity.affords(101));
  EXPECT_TRUE(capacity.admits({3, 0}));
  EXPECT_FALSE(capacity.admits({4, 0}));
}

TEST(a_capacity, RES_01_does_not_try_again_what_was_refused_nor_more) {
  Capacity capacity;
  capacity.learn({{5, 500}}, {4, 400});
  EXPECT_EQ(capacity.learnt(), (Occupancy{4, 400}));
  EXPECT_FALSE(capacity.admits({5, 500}));
  EXPECT_FALSE(capacity.admits({6, 501}));
  EXPECT_TRUE(capacity.admits({5, 499})) << "fewer bytes";
  EXPECT_TRUE(capacity.admits({4, 900})) << "fewer contexts";
  capacity.learn({{3, 300}}, {2, 200});
  EXPECT_FALSE(capacity.admits({5, 499}));
  capacity.forget();
  EXPECT_TRUE(capacity.admits({6, 501}));
  EXPECT_EQ(capacity.learnt(), Occupancy{});
}

TEST(a_capacity, RES_01_is_not_lowered_by_a_refusal_of_what_fitted_after_all) {
  Capacity capacity;
  capacity.learn({{5, 500}}, {5, 500});
  EXPECT_TRUE(capacity.admits({5, 500}));
}

TEST(a_capacity, RES_01_is_exceeded_by_these_errors_alone) {
  for (const std::uint64_t code : {1002u, 5005u, 8003u})
    EXPECT_TRUE(qnnpp::detail::is_exhausted(Error::from_qnn(0xABCD0000u | code, "", ""))) << code;
  EXPECT_TRUE(qnnpp::detail::is_exhausted(Error::make(Errc::allocation_failed, "", "")));
  for (const std::uint64_t code : {1003u, 1010u}) {
    EXPECT_TRUE(qnnpp::detail::is_exhausted(Error::from_qnn(code, "QnnMem_register", ""))) << code;
    EXPECT_FALSE(qnnpp::detail::is_exhausted(Error::from_qnn(code, "QnnContext_finalize", "")))
        << code;
  }
  for (const std::uint64_t code : {4000u, 14001u}) {
    for (const char* step : {"QnnContext_createFromBinary", "QnnContext_createFromBinaryListAsync",
                             "QnnContext_finalize"})
      EXPECT_TRUE(qnnpp::detail::is_exhausted(Error::from_qnn(code, step, ""))) << step << code;
    for (const char* step : {"QnnBackend_create", "QnnDevice_create", "QnnMem_register"})
      EXPECT_FALSE(qnnpp::detail::is_exhausted(Error::from_qnn(code, step, ""))) << step << code;
  }
  Error half_made = Error::from_qnn(14001, "QnnContext_createFromBinary", "");
  for (const auto& [log, means_room] :
       {std::pair("Unable to pause polling for device 0; Skel side context cleanup failed", true),
        std::pair("Failed in loading stub: libQnnHtpV79Stub.so", false),
        std::pair("Failed to load skel, error: 4000", false)}) {
    half_made.log = log;
    EXPECT_EQ(qnnpp::detail::is_exhausted(half_made), means_room) << log;
  }
  for (const std::uint64_t code : {1000u, 1007u, 5004u})
    EXPECT_FALSE(qnnpp::detail::is_exhausted(Error::from_qnn(code, "", ""))) << code;
  EXPECT_FALSE(qnnpp::detail::is_exhausted(Error::make(Errc::too_large, "", "")));
  Error of_a_file = Error::make(Errc::file_unreadable, "open", "");
  for (const int code : {EMFILE, ENFILE, ENOMEM, ENOENT, EACCES, EIO, 0}) {
    of_a_file.code = static_cast<std::uint16_t>(code);
    EXPECT_EQ(qnnpp::detail::is_exhausted(of_a_file),
              code == EMFILE || code == ENFILE || code == ENOMEM)
        << code;
  }
}

}}  // namespace support
