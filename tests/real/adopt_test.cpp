// Handles that a program has made itself with Qualcomm's library, adopted and given back.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../support/by_hand.hpp"
#include "library.hpp"
#include "one_relu.hpp"

namespace real { namespace {

using namespace qnnpp;

/// Executes graph "net" of a context and expects the positive part of what it reads.
void expect_works(const Context<Finalized>& context) {
  const std::vector<std::uint8_t> in{0, 100, 128, 129, 140, 200, 255, 127};
  std::vector<std::uint8_t> out(in.size(), 0);
  auto graph = value_or_throw(value_or_throw(Graph<Retrieved, AnyIo>::retrieve(context, "net"))
                                  .bind({raw("x", in), raw("y", out)}));
  const auto done = graph.execute();
  ASSERT_TRUE(done.has_value()) << done.error().message();
  EXPECT_EQ(out, (std::vector<std::uint8_t>{128, 128, 128, 129, 140, 200, 255, 128}));
}

class adopted_handles : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(objects_.provider, nullptr);
    const auto made = objects_.create();
    ASSERT_TRUE(made.has_value()) << made.error().message();
    binary_ = value_or_throw(binary(value_or_throw(load())));
    const auto restored = objects_.restore(binary_);
    ASSERT_TRUE(restored.has_value()) << restored.error().message();
  }
  void TearDown() override { objects_.free(); }
  Backend<Htp> adopt(Ownership ownership) const {
    return value_or_throw(Backend<Htp>::adopt(
        objects_.provider, objects_.handles, ownership,
        {.system_library = real::system(), .tensor_memory = TensorMemory::either}));
  }
  Result<Context<Finalized>> adopt(const Backend<Htp>& backend, c_api::ContextHandle handle,
                                   Ownership ownership) const {
    return Context<Finalized>::adopt(backend, handle, ownership,
                                     {.name = "net.bin", .binary = binary_});
  }

  support::ByHand objects_{support::provider_of(htp().c_str())};
  std::vector<std::byte> binary_;
};

TEST_F(adopted_handles, execute_while_they_are_borrowed_and_stay_the_programs) {
  for (int i = 0; i < 2; ++i) {
    const auto backend = adopt(Ownership::borrowed);
    EXPECT_TRUE(backend.is_emulation());
    EXPECT_EQ(value_or_throw(backend.build_id()),
              value_or_throw(value_or_throw(load()).build_id()));
    const auto context = value_or_throw(adopt(backend, objects_.context, Ownership::borrowed));
    expect_works(context);
    const auto added = value_or_throw(Context<Finalized>::restore(
        backend, value_or_throw(ContextBinary::own(binary_, "added.bin"))));
    expect_works(added);
  }
  const auto context =
      value_or_throw(adopt(adopt(Ownership::borrowed), objects_.context, Ownership::borrowed));
  expect_works(context);
}

TEST_F(adopted_handles, are_freed_if_they_are_owned) {
  {
    const auto backend = adopt(Ownership::owned);
    const auto context = value_or_throw(adopt(backend, objects_.context, Ownership::owned));
    expect_works(context);
  }
  // The library knows the numbers no more.
  const c_api::InterfaceTable& qnn = objects_.provider->table;
  EXPECT_EQ(qnn.context_free(objects_.context, nullptr) & 0xFFFF, 5002u);
  EXPECT_NE(qnn.device_free(objects_.handles.device) & 0xFFFF, 0u);
  objects_ = support::ByHand(objects_.provider);
}

TEST_F(adopted_handles, are_given_back) {
  auto backend = adopt(Ownership::owned);
  auto context = value_or_throw(adopt(backend, objects_.context, Ownership::owned));
  EXPECT_EQ(value_or_throw(std::move(context).release()), objects_.context);
  const BackendHandles handles = value_or_throw(std::move(backend).release());
  EXPECT_EQ(handles.backend, objects_.handles.backend);
  expect_works(
      value_or_throw(adopt(adopt(Ownership::borrowed), objects_.context, Ownership::borrowed)));
}

TEST_F(adopted_handles, that_the_library_does_not_know_are_refused) {
  const auto backend = adopt(Ownership::borrowed);
  const auto unknown =
      adopt(backend, reinterpret_cast<c_api::ContextHandle>(std::uintptr_t{77}), Ownership::owned);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, 5002) << unknown.error().message();
  const auto context = value_or_throw(adopt(backend, objects_.context, Ownership::borrowed));
  std::vector<GraphSpec> graphs = context.graphs();
  graphs[0].name = "none";
  // Another backend, so that a Context may have the handle.
  const auto second = value_or_throw(load());
  const auto none =
      Context<Finalized>::adopt(second, objects_.context, Ownership::borrowed, {.graphs = graphs});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, 6003) << none.error().message();
}

}}  // namespace real
