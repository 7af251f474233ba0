// A ring of camera buffers: the HTP reads the camera's pixels where the camera wrote them. Each
// buffer is imported and registered once. For each frame, rebind() selects its buffer; nothing is
// copied, converted or allocated. While one frame is processed, the camera fills the next ones.
//
//   camera_ring --backend libQnnHtp.so --rpcmem libcdsprpc.so
//
// With --rpcmem memfd it runs on a library that emulates the HTP, which copies the tensors.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/format.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "digits/camera.hpp"
#include "digits/compose.hpp"
#include "digits/program.hpp"
#include "digits/task.hpp"
#include "tool/tolerance.hpp"

namespace {

using namespace qnnpp;

/// A buffer of the camera, as memory of the graph's input.
struct Imported {
  SharedBuffer<PerTensor> memory;
  Binding<> binding;  ///< Keeps the registration alive.
};

Imported import_buffer(const Context<Composed>& context, const TensorSpec& image, int fd) {
  auto buffer = value_or_throw(DmaBuffer::from_native(fd, digits::Camera::frame_bytes,
                                                      {.needs_sync = digits::Camera::needs_sync}));
  auto memory = value_or_throw(
      MemRegion<TensorIo>::from_buffer(std::move(buffer)).and_then([&](MemRegion<TensorIo> region) {
        return SharedBuffer<PerTensor>::from_region(std::move(region), image);
      }));
  const auto tensors = value_or_throw(RegisteredTensors::create(context, memory));
  return {std::move(memory), registered(tensors, "image")};
}

void run(const digits::Arguments& arguments) {
  const digits::Task task = digits::load_task(arguments.data);
  const digits::Images images = digits::load_all_images(arguments.data);
  const auto backend = value_or_throw(
      Backend<Htp>::load({.library = arguments.backend, .tensor_memory = TensorMemory::either}));
  const auto allocator = digits::open_memory(arguments);

  // The first segment of the network. Its input has a byte for each pixel: number = byte / 255.
  auto composing = value_or_throw(Context<Composing>::create(backend, {.name = "camera"}));
  value_or_throw(
      digits::compose<RegisteredIo>(composing, task.segments[0], {1.0F / 255.0F, 0}).finalize());
  const auto context = value_or_throw(std::move(composing).finalize());
  auto graph = value_or_throw(Graph<Retrieved>::retrieve(context, task.segments[0].name));
  const TensorSpec image = graph.inputs()[0];
  fmt::print("{}: {} B\n", image, value_or_throw(image.size_bytes()));

  digits::Camera camera(images, 3, 12);
  std::vector<Imported> ring;
  for (std::size_t i = 0; i < camera.buffers(); ++i)
    ring.push_back(import_buffer(context, image, camera.fd(i)));
  const auto strokes =
      value_or_throw(SharedBuffer<PerTensor>::allocate(allocator, graph.outputs()));
  const auto outputs = value_or_throw(RegisteredTensors::create(context, strokes));
  auto bound =
      value_or_throw(std::move(graph).bind({ring[0].binding, registered(outputs, "strokes")}));

  std::size_t frames = 0;
  float difference = 0;
  std::uint64_t light = 0;
  while (const auto frame = camera.next()) {
    value_or_throw(bound.rebind(ring[frame->buffer].binding));
    value_or_throw(bound.execute());
    {
      // The CPU may read the pixels too. The access synchronises its caches if the memory needs it.
      const auto pixels = value_or_throw(
          ring[frame->buffer].memory.access<const std::uint8_t>("image", CpuUse::read));
      light = std::accumulate(pixels.elements().begin(), pixels.elements().end(), light);
    }
    camera.release(*frame);  // From here on, the camera may overwrite the pixels.
    ++frames;
    const auto found = value_or_throw(strokes.access<const float>("strokes", CpuUse::read));
    const auto expected =
        digits::run_segment(task.segments[0], digits::input_batch(images, frame->first_image));
    difference = std::max(difference, digits::largest_difference(found.elements(), expected));
  }
  fmt::print("{} frames in {} buffers, mean brightness {}, largest difference {:.3g}\n", frames,
             ring.size(), light / (frames * digits::Camera::frame_bytes), difference);
  digits::print_copied(arguments.backend);
  if (!(difference < tool::tolerance(backend).digits))
    throw std::runtime_error("the numbers differ from the float reference");
}

}  // namespace

int main(int argc, char** argv) {
  return digits::run_program(argc, argv, "camera_ring",
                             "Processes the frames of a camera in the camera's own buffers; with "
                             "--rpcmem memfd on a library that emulates the HTP",
                             run);
}
