// The code of docs/kv-cache.md.
#include "qnnpp/memory/kv_cache.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/throw.hpp"

#include "copies.hpp"
#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;

class the_document_on_the_cache : public LoadedTest {
 protected:
  static TensorSpec spec(const char* name, c_api::TensorType kind, std::uint32_t positions) {
    return {.name = name,
            .kind = kind,
            .data_type = c_api::DataType::uint_8,
            .dimensions = {2, positions, 4}};
  }
  static GraphSpec graph_of(const char* name, std::uint32_t tokens, std::uint32_t positions) {
    return {.name = name,
            .inputs = {spec("x", c_api::TensorType::app_write, tokens),
                       spec("keys", c_api::TensorType::app_write, positions)},
            .outputs = {spec("new_keys", c_api::TensorType::app_read, tokens),
                        spec("y", c_api::TensorType::app_read, positions)}};
  }
  SharedBuffer<MultiTensor> own_memory(const GraphSpec& graph) const {
    return must(SharedBuffer<MultiTensor>::allocate(
        allocator(), std::vector{graph.inputs.front(), graph.outputs.back()}));
  }
};

TEST_F(the_document_on_the_cache, shows_a_cache_of_two_graphs) {
  const std::vector graphs{graph_of("prefill", 3, 6), graph_of("decode", 1, 9)};
  const auto context = context_of_copies(backend(), graphs);
  const RpcmemAllocator& rpcmem = allocator();
  const auto of_many = own_memory(graphs[0]), of_one = own_memory(graphs[1]);
  const auto prefill_io = must(RegisteredTensors::create(context, of_many));
  const auto decode_io = must(RegisteredTensors::create(context, of_one));

  auto prefill = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "prefill"));
  auto decode = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "decode"));
  // keys [2, 6, 4] and new_keys [2, 3, 4] in prefill, [2, 9, 4] and [2, 1, 4] in decode
  auto cache = value_or_throw(KvCache::allocate(
      rpcmem, {{.cache = "keys", .next = "new_keys", .axis = 1}}, prefill, decode));
  auto tensors = value_or_throw(RegisteredTensors::create(context, cache.memory()));
  auto many = value_or_throw(std::move(prefill).bind(prefill_io, tensors));
  auto one = value_or_throw(std::move(decode).bind(decode_io, tensors));

  value_or_throw(cache.use(0));  // prefill, the first graph of allocate()
  value_or_throw(many.execute());
  value_or_throw(cache.append(3));

  value_or_throw(cache.use(1));  // decode
  for (int token = 0; token < 4; ++token) {
    value_or_throw(one.execute());
    value_or_throw(cache.append(1));
  }
  value_or_throw(cache.rewind(5));  // takes the last two positions back

  EXPECT_EQ(cache.length(), 5u);
  EXPECT_EQ(cache.capacity(), 9u);
}

TEST_F(the_document_on_the_cache, shows_a_whole_state_that_is_exchanged_or_updated_in_place) {
  const GraphSpec whole{.name = "step",
                        .inputs = {spec("state", c_api::TensorType::app_readwrite, 4)},
                        .outputs = {spec("next_state", c_api::TensorType::app_readwrite, 4)}};
  const auto context = context_of_copies(backend(), {whole});
  const RpcmemAllocator& rpcmem = allocator();
  {
    auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "step"));
    const std::vector<std::uint8_t> first_state(2 * 4 * 4);
    auto bound = value_or_throw(std::move(graph).bind(rpcmem));
    value_or_throw(write_elements(bound.input<std::uint8_t>("state"), first_state));
    for (int run = 0; run < 3; ++run) {
      value_or_throw(bound.execute());
      value_or_throw(bound.exchange("state", "next_state"));
    }
  }
  {
    using enum c_api::TensorType;
    const auto token = context_of_copies(
        backend(), {{.name = "token",
                     .inputs = {spec("past_key", app_write, 4), spec("past_value", app_write, 4)},
                     .outputs = {spec("key", app_read, 4), spec("value", app_read, 4)}}});
    auto bound = value_or_throw(
        value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(token, "token")).bind(rpcmem));
    value_or_throw(bound.exchange({{"past_key", "key"}, {"past_value", "value"}}));
  }
  {
    auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "step"));
    auto memory = value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, graph.inputs()));
    auto tensors = value_or_throw(RegisteredTensors::create(context, memory));
    auto bound = value_or_throw(std::move(graph).bind(
        {registered(tensors, "state"), registered("next_state", tensors, "state")}));
    value_or_throw(bound.execute());
  }
}

}}  // namespace support
