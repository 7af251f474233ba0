// Prepares context binaries for the questions and the ways, with a libQnnHtp.so that composes
// graphs:
//
//   prepare HTP DATA FOLDER
//
// HTP is Qualcomm's library for x86-64, DATA the folder of the digits network's weights. The
// binaries are segments of that network, and sheets: networks of its layers for a whole sheet of
// digits, so large that they need spill-fill memory although the HTP computes them in stripes.
// FOLDER/*.bin are for the questions. FOLDER/ways/*.bin are four sheets, each of which reads what
// the one before it wrote, and a binary for another chip.
#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "digits/compose.hpp"
#include "digits/deep_network.hpp"
#include "digits/files.hpp"
#include "digits/network.hpp"

namespace {

using namespace qnnpp;

/// A chip, the Hexagon version in the names of its binaries, and the pixels of a side of its
/// sheets.
struct Chip {
  c_api::SocModel soc;
  const char* arch;
  std::uint32_t sheet_side;
  std::uint32_t small_sheet_side;
};

Backend<Htp> load(const std::string& library, c_api::SocModel soc) {
  return value_or_throw(Backend<Htp>::load(
      {.library = library, .device = {.soc_model = static_cast<std::uint32_t>(soc)}}));
}

/// Network that finds `kinds` of strokes on a sheet of `side` x `side` pixels, with `depth` maps in
/// a row. The first map is added to the last, so both exist at once. One kind: the output is like
/// the input.
digits::Segment make_sheet(const std::string& name, std::uint32_t side, std::uint32_t depth,
                           std::uint32_t kinds, const std::string& input, const std::string& output,
                           std::span<const float> weights) {
  constexpr std::uint32_t channels = 32;
  digits::detail::SegmentBuilder sheet(name, input, {1, side, side, 1}, weights);
  const auto first = sheet.relu("first", sheet.conv("first_conv", sheet.input(), channels, 3, 1));
  auto map = first;
  for (std::uint32_t i = 0; i < depth; ++i)
    map = sheet.relu("map_" + std::to_string(i),
                     sheet.conv("conv_" + std::to_string(i), map, channels, 3, 1));
  const auto sum = sheet.sum("sum", first, map);
  return sheet.finish(sheet.conv(output, sum, kinds, 3, 1));
}

void write(const std::string& path, const std::vector<std::byte>& binary) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(binary.data()),
             static_cast<std::streamsize>(binary.size()));
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

/// Prepares one binary with a graph of each segment, for the least VTCM.
template <class Io>
void prepare(const Backend<Htp>& backend, const std::string& path,
             std::span<const digits::Segment> segments) {
  auto context = value_or_throw(Context<Composing>::create(backend, {.name = path}));
  for (const digits::Segment& segment : segments)
    value_or_throw(digits::compose<Io>(context, segment, {}, {.vtcm_mb = 1}).finalize());
  write(path, value_or_throw(std::move(context).finalize().and_then(
                  [](const auto& composed) { return composed.serialize(); })));
}

int run(const std::string& library, const std::string& data, const std::string& folder) {
  std::string error;
  const auto weights = digits::load_weights(data + "/weights.bin", error);
  if (!weights) throw std::runtime_error(error);
  const std::vector<float> formula = digits::make_block_weights(30);
  const auto digits_network = digits::make_segments(*weights);

  for (const Chip& chip : {Chip{c_api::SocModel::sm8350, "v68", 64, 48},
                           Chip{c_api::SocModel::sm8550, "v73", 128, 96}}) {
    const auto backend = load(library, chip.soc);
    const auto path = [&](const std::string& name) {
      return folder + "/" + name + "_" + chip.arch + ".bin";
    };
    // A model has no two graphs of one name.
    auto segments = digits_network;
    for (digits::Segment& segment : segments) segment.name += std::string("_") + chip.arch;
    prepare<RegisteredIo>(backend, path("classifier"), std::span(segments).last(1));
    prepare<RawIo>(backend, path("two_graphs"), std::span(segments).first(2));
    const auto sheet = make_sheet(std::string("sheet_") + chip.arch, chip.sheet_side, 5, 4, "sheet",
                                  "strokes", formula);
    prepare<RawIo>(backend, path("sheet"), std::span(&sheet, 1));
    const auto small = make_sheet(std::string("small_sheet_") + chip.arch, chip.small_sheet_side, 5,
                                  4, "sheet", "strokes", formula);
    prepare<RawIo>(backend, path("small_sheet"), std::span(&small, 1));
  }
  {
    const auto backend = load(library, c_api::SocModel::sm8550);
    for (const std::uint32_t i : {1u, 2u, 3u, 4u}) {
      const std::string number = std::to_string(i);
      const auto sheet =
          make_sheet("sheet_" + number, 128, 2 + i, 1, "strokes_" + std::to_string(i - 1),
                     "strokes_" + number, formula);
      prepare<RegisteredIo>(backend, folder + "/ways/sheet_" + number + ".bin",
                            std::span(&sheet, 1));
    }
  }
  // The library of an older chip does not load this one.
  const auto newest = load(library, c_api::SocModel::sm8850);
  for (const char* const path : {"/other_arch.bin", "/ways/other_arch.bin"})
    prepare<RegisteredIo>(newest, folder + path, std::span(digits_network).first(1));
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw std::runtime_error("usage: prepare HTP DATA FOLDER");
  return run(argv[1], argv[2], argv[3]);
} catch (const std::exception& failure) {
  std::fprintf(stderr, "prepare: %s\n", failure.what());
  return 1;
}
