// Damaged context binaries: every truncation, every flipped bit, and thousands of mutations with
// corrected checksums. The parser must not access memory outside the binary. An accepted binary
// must not run outside the memory of its plan.

#include <gtest/gtest.h>

#include "heap.hpp"
#include "sample_binary.hpp"

namespace qnnpp::sim::testing { namespace {

/// Parses a copy that ends at the end of its heap block, so that a sanitizer detects every read
/// beyond it.
std::uint32_t parse_code(std::span<const std::byte> binary) {
  const std::vector<std::byte> copy(binary.begin(), binary.end());
  BinaryContents contents;
  return parse(copy, sample_device, contents).code;
}

std::uint32_t inspect_code(std::span<const std::byte> binary) {
  const std::vector<std::byte> copy(binary.begin(), binary.end());
  BinaryContents contents;
  return inspect(copy, contents).code;
}

TEST(damaged_binary, of_every_length_but_its_own_is_refused) {
  std::vector<std::byte> binary = sample_binary();
  for (std::size_t length = 0; length < binary.size(); ++length) {
    ASSERT_EQ(parse_code(std::span(binary).first(length)), 30010u) << length;
    ASSERT_EQ(inspect_code(std::span(binary).first(length)), 30010u) << length;
  }
  binary.push_back(std::byte{0});
  EXPECT_EQ(parse_code(binary), 30010u);
}

TEST(damaged_binary, truncated_is_refused_even_when_its_checksums_and_total_are_right) {
  const std::vector<std::byte> binary = sample_binary();
  for (std::size_t length = binary_header_bytes; length < binary.size(); ++length) {
    std::vector<std::byte> cut(binary.begin(),
                               binary.begin() + static_cast<std::ptrdiff_t>(length));
    set_field(std::span(cut), 16, std::uint64_t{length});
    const std::uint64_t weights_offset =
        std::min<std::uint64_t>(field<std::uint64_t>(cut, 32), length);
    set_field(std::span(cut), 40, length - weights_offset);
    if (weights_offset == length) {
      set_field(std::span(cut), 32, weights_offset);
      set_field(std::span(cut), 24, std::uint64_t{length} - binary_header_bytes);
    }
    seal(cut);
    ASSERT_EQ(parse_code(cut), 30010u) << length;
  }
}

TEST(damaged_binary, with_any_bit_of_the_header_flipped_is_refused) {
  std::vector<std::byte> binary = sample_binary();
  for (std::size_t bit = 0; bit < binary_header_bytes * 8; ++bit) {
    const std::byte mask = std::byte{1} << (bit % 8);
    binary[bit / 8] ^= mask;
    const bool in_magic = bit / 8 < 8;
    const bool in_version = bit / 8 >= 8 && bit / 8 < 12;
    ASSERT_EQ(parse_code(binary), in_magic ? 30001u : in_version ? 5004u : 30010u) << "bit " << bit;
    // Metadata needs no weights, but the header's checksum covers the checksum of the weights.
    ASSERT_EQ(inspect_code(binary), 30010u) << "bit " << bit;
    binary[bit / 8] ^= mask;
  }
  EXPECT_EQ(parse_code(binary), 0u);
}

TEST(damaged_binary, with_any_byte_of_the_payload_changed_is_refused) {
  std::vector<std::byte> binary = sample_binary();
  for (std::size_t i = binary_header_bytes; i < binary.size(); ++i) {
    const std::byte mask = std::byte{1} << (i % 8);
    binary[i] ^= mask;
    ASSERT_EQ(parse_code(binary), 30010u) << "byte " << i;
    binary[i] ^= mask;
  }
}

/// Changes one to four places: bits, bytes, words with boundary values, or swapped words.
void mutate(std::vector<std::byte>& binary, Random& random) {
  const std::uint32_t telling[] = {
      0,          1,     2,          8,          9,          16,         255, 256,
      0x7FFFFFFF, 65536, 0x80000000, 0xFFFFFFFF, 0xFFFFFF00, 0x40000000, 562, 3};
  for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
    // Other tests cover the magic, the version and the checksums.
    const std::size_t start = random.below(8) == 0 ? 16 : binary_header_bytes;
    const std::size_t at = start + random.below(binary.size() - start - 8);
    switch (random.below(4)) {
      case 0: binary[at] ^= std::byte{1} << random.below(8); break;
      case 1: binary[at] = static_cast<std::byte>(random()); break;
      case 2: set_field(std::span(binary), at, telling[random.below(16)]); break;
      default: {
        const std::size_t from = start + random.below(binary.size() - start - 8);
        set_field(std::span(binary), at, field<std::uint32_t>(binary, from));
      }
    }
  }
}

/// Executes an accepted binary in memory of exactly the planned sizes, unless the sizes are
/// unreasonable.
bool execute_accepted(const BinaryContents& contents, std::span<const std::byte> weights) {
  bool executed = false;
  for (std::size_t g = 0; g < contents.network.graphs.size(); ++g) {
    const Graph& graph = contents.network.graphs[g];
    const GraphPlan& plan = contents.plan.graphs[g];
    std::uint64_t work = 0;
    for (const Op& op : plan.ops) work += std::min<std::uint64_t>(op_work(op), 1u << 24);
    if (plan.spill_fill_bytes > (1u << 24) || plan.io_copies_bytes > (1u << 24) ||
        plan.io_bytes > (1u << 24) || work > (1u << 24))
      continue;
    execute(graph, plan, weights, {});
    executed = true;
  }
  return executed;
}

TEST(damaged_binary, mutated_20000_times_never_crashes_and_runs_inside_its_memory_if_accepted) {
  const std::vector<std::byte> original = sample_binary();
  Random random(99);
  std::size_t accepted = 0, executed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> binary = original;
    mutate(binary, random);
    if (round % 4 != 0) seal(binary);
    BinaryContents contents;
    const Status status = parse(binary, sample_device, contents);
    ASSERT_TRUE(status.code == 0 || status.code == 30001 || status.code == 30010 ||
                status.code == 5005 || status.code == 5008)
        << status.code;
    ASSERT_EQ(status.ok(), status.reason.empty());
    if (status.ok() && round % 4 == 0) {
      ASSERT_EQ(binary, original);
    }
    if (status.ok()) {
      ++accepted;
      executed += execute_accepted(contents, std::span(binary).subspan(contents.weights_offset));
    }
    const std::uint32_t code = inspect(binary, contents).code;
    ASSERT_TRUE(code == 0 || code == 30010) << code;
  }
  EXPECT_GT(accepted, 500u) << "too few mutations pass the checks";
  EXPECT_GT(executed, 500u);
}

/// Returns the code for a binary with an inconsistent description or plan and correct checksums.
/// `change` modifies them after the planning.
template <typename Change>
std::uint32_t inconsistent(Change change) {
  Network network = sample_network();
  NetworkPlan plan;
  BinaryTarget target = sample_target();
  EXPECT_TRUE(plan_network(network, sample_vtcm_bytes, plan).ok());
  change(network.graphs[0], plan.graphs[0], network, target);
  return parse_code(serialize(network, plan, target));
}

TEST(damaged_binary, with_right_checksums_but_inconsistent_contents_is_refused) {
  using P = GraphPlan;
  using N = Network;
  using T = BinaryTarget;
  EXPECT_EQ(inconsistent([](Graph&, P&, N&, T&) {}), 0u);
  const auto expect_refused = [](const char* what, auto change) {
    EXPECT_EQ(inconsistent(change), 30010u) << what;
  };
  expect_refused("input behind the last tensor", [](Graph& g, P&, N&, T&) {
    g.nodes[1].inputs[0] = static_cast<std::uint32_t>(g.tensors.size());
  });
  expect_refused("output behind the last tensor", [](Graph& g, P&, N&, T&) {
    g.nodes[1].outputs[0] = static_cast<std::uint32_t>(g.tensors.size());
  });
  expect_refused("no output", [](Graph& g, P&, N&, T&) { g.nodes[1].outputs.clear(); });
  expect_refused("unknown op", [](Graph& g, P&, N&, T&) { g.nodes[1].type_name = "Tanh"; });
  expect_refused("other package", [](Graph& g, P&, N&, T&) { g.nodes[1].package_name = "x"; });
  expect_refused("parameter missing", [](Graph& g, P&, N&, T&) { g.nodes[0].params.clear(); });
  expect_refused("parameter's size",
                 [](Graph& g, P&, N&, T&) { g.nodes[0].params[0].tensor.data.pop_back(); });
  expect_refused("too many parameters",
                 [](Graph& g, P&, N&, T&) { g.nodes[0].params.resize(17, g.nodes[0].params[2]); });
  expect_refused("tensor without a name", [](Graph& g, P&, N&, T&) { g.tensors[0].name = ""; });
  expect_refused("NUL in a name", [](Graph& g, P&, N&, T&) { g.tensors[0].name[0] = '\0'; });
  expect_refused("id 0", [](Graph& g, P&, N&, T&) { g.tensors[0].id = 0; });
  expect_refused("same id", [](Graph& g, P&, N&, T&) { g.tensors[0].id = g.tensors[1].id; });
  expect_refused("same name", [](Graph& g, P&, N&, T&) { g.tensors[0].name = g.tensors[1].name; });
  expect_refused("same graph name", [](Graph& g, P&, N& n, T&) { g.name = n.graphs[1].name; });
  expect_refused("graph without a name", [](Graph& g, P&, N&, T&) { g.name = ""; });
  expect_refused("unknown priority",
                 [](Graph& g, P&, N&, T&) { g.hints.priority = c_api::Priority(7); });
  expect_refused("dimension 0", [](Graph& g, P&, N&, T&) { g.tensors[0].dimensions[1] = 0; });
  expect_refused("rank 9", [](Graph& g, P&, N&, T&) { g.tensors[0].dimensions.resize(9, 1); });
  expect_refused("overflow",
                 [](Graph& g, P&, N&, T&) { g.tensors.back().dimensions.assign(8, 0xFFFFFFFFu); });
  expect_refused("unknown tensor type",
                 [](Graph& g, P&, N&, T&) { g.tensors[0].type = c_api::TensorType(77); });
  expect_refused("unknown struct version",
                 [](Graph& g, P&, N&, T&) { g.tensors[0].version = c_api::TensorVersion(3); });
  expect_refused("quantisation without pairs",
                 [](Graph& g, P&, N&, T&) { g.tensors.back().quantization.pairs.clear(); });
  expect_refused("wrong order", [](Graph&, P& p, N&, T&) { std::swap(p.order[0], p.order[1]); });
  expect_refused("overlap", [](Graph& g, P& p, N&, T&) {
    const std::uint32_t conv = find_tensor(g, "conv"), relu = find_tensor(g, "relu");
    p.placements[relu].space = p.placements[conv].space;
    p.placements[relu].offset = p.placements[conv].offset;
  });
  expect_refused("weights outside", [](Graph& g, P& p, N&, T&) {
    p.placements[find_tensor(g, "bias")].offset = 1u << 20;
    g.tensors[find_tensor(g, "bias")].data.clear();
  });
  expect_refused("unknown memory",
                 [](Graph&, P& p, N&, T&) { p.placements.back().space = Space(6); });
  expect_refused("spill-fill not the high-water mark",
                 [](Graph&, P& p, N&, T&) { p.spill_fill_bytes += 256; });
  expect_refused("raw input in VTCM", [](Graph& g, P& p, N&, T&) {
    p.placements[find_tensor(g, "in")].space = Space::vtcm;
  });
  expect_refused("copies' size not the high-water mark",
                 [](Graph&, P& p, N&, T&) { p.io_copies_bytes += 256; });
  expect_refused("registered output with a copy", [](Graph& g, P& p, N&, T&) {
    Placement& out = p.placements[find_tensor(g, "out")];
    out.space = Space::io;
    out.offset = p.io_copies_bytes;
    p.io_copies_bytes += round_to_placement(out.size_bytes);
  });
  expect_refused("more VTCM than prepared for", [](Graph&, P&, N&, T& t) { --t.vtcm_bytes; });
  expect_refused("alignment 0", [](Graph&, P&, N&, T& t) { t.start_alignment_bytes = 0; });
  expect_refused("alignment 3", [](Graph&, P&, N&, T& t) { t.start_alignment_bytes = 3; });
  EXPECT_EQ(parse_code(serialize({}, {}, sample_target())), 30010u) << "a binary needs a graph";
}

TEST(damaged_binary, whose_graphs_share_only_a_part_of_the_weights_is_refused) {
  std::vector<std::byte> binary = sample_binary();
  set_field(std::span(binary), 116, field<std::uint64_t>(binary, 40) - 256);
  seal(binary);
  EXPECT_EQ(parse_code(binary), 30010u);
  EXPECT_EQ(inspect_code(binary), 30010u);
}

TEST(damaged_binary, makes_no_allocation_that_its_size_does_not_justify) {
  const std::vector<std::byte> original = sample_binary();
  for (std::size_t at = binary_header_bytes; at + 4 <= original.size(); ++at) {
    std::vector<std::byte> binary = original;
    set_field(std::span(binary), at, std::uint32_t{0x7FFFFFFF});
    seal(binary);
    BinaryContents contents;
    {
      const support::HeapWatch watch;
      (void)parse(binary, sample_device, contents);
    }
    ASSERT_LE(support::HeapWatch::largest_bytes(), original.size() * 16)
        << "with a large count at " << at;
  }
}

TEST(damaged_binary, of_random_bytes_behind_a_right_header_is_refused) {
  const std::vector<std::byte> original = sample_binary();
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> binary = original;
    for (std::size_t i = binary_header_bytes + random.below(800); i < binary.size(); ++i)
      binary[i] = static_cast<std::byte>(random());
    seal(binary);
    ASSERT_EQ(parse_code(binary), 30010u);
  }
}

}}  // namespace qnnpp::sim::testing
