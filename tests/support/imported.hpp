// Tensor memory of others, imported by its descriptor: a memfd that the simulated HTP accepts as a
// dma-buf, and that no allocator of the library made.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"

#include "networks.hpp"

namespace support {

/// Counts the memory that was imported, and the memory that its owner got back.
struct Lender {
  int lent = 0;
  int returned = 0;
};

/// Imports new memory of this size. Its owner closes the descriptor at once.
inline qnnpp::Result<qnnpp::MemRegion<qnnpp::TensorIo>> import_memory(std::uint64_t bytes,
                                                                      Lender& lender) {
  using namespace qnnpp;
  const struct File {
    ~File() { ::close(fd); }
    int fd = ::memfd_create("dmabuf", MFD_CLOEXEC);
  } file;
  if (::ftruncate(file.fd, static_cast<off_t>(bytes)) != 0) std::abort();
  auto buffer = DmaBuffer::from_native(file.fd, bytes, {.needs_sync = false},
                                       [&lender] { ++lender.returned; });
  if (!buffer) return fail(std::move(buffer).error());
  ++lender.lent;
  return MemRegion<TensorIo>::from_buffer(std::move(*buffer));
}

/// Tensor memory of a form for a network's x and y.
template <class Form>
struct ImportedIo {
  /// A buffer for each tensor; for MultiTensor one buffer for both.
  std::vector<qnnpp::SharedBuffer<Form>> buffers;

  const qnnpp::SharedBuffer<Form>& of_x() const { return buffers.front(); }
  const qnnpp::SharedBuffer<Form>& of_y() const { return buffers.back(); }

  static qnnpp::Result<ImportedIo> make(const Network& network, Lender& lender) {
    using namespace qnnpp;
    ImportedIo io;
    const auto keep = [&io](Result<SharedBuffer<Form>> made) -> Result<void> {
      if (!made) return fail(std::move(made).error());
      io.buffers.push_back(std::move(*made));
      return {};
    };
    if constexpr (std::is_same_v<Form, MultiTensor>) {
      // The memory begins with something else; y lies before x.
      const std::uint64_t y_at = 256, x_at = y_at + (network.io_bytes() + 127) / 128 * 128;
      auto kept = keep(import_memory(x_at + network.io_bytes(), lender).and_then([&](auto region) {
        return SharedBuffer<MultiTensor>::from_region(
            std::move(region), {{network.spec("x"), x_at}, {network.spec("y"), y_at}});
      }));
      if (!kept) return fail(std::move(kept).error());
    } else {
      for (const char* tensor : {"x", "y"}) {
        auto kept = keep(import_memory(network.io_bytes(), lender).and_then([&](auto region) {
          return SharedBuffer<Form>::from_region(std::move(region), network.spec(tensor));
        }));
        if (!kept) return fail(std::move(kept).error());
      }
    }
    return io;
  }

  /// Registers the memory with the network's context.
  [[nodiscard]] qnnpp::Result<std::vector<qnnpp::RegisteredTensors>> register_with(
      const qnnpp::Context<qnnpp::Finalized>& context) const {
    std::vector<qnnpp::RegisteredTensors> all;
    for (const auto& buffer : buffers) {
      auto tensors = qnnpp::RegisteredTensors::create(context, buffer);
      if (!tensors) return qnnpp::fail(std::move(tensors).error());
      all.push_back(std::move(*tensors));
    }
    return all;
  }

  /// Registers the memory, executes the network in it, and returns the largest difference from the
  /// reference.
  [[nodiscard]] qnnpp::Result<float> execute(const qnnpp::Context<qnnpp::Finalized>& context,
                                             const Network& network) const {
    using namespace qnnpp;
    const auto registrations = register_with(context);
    if (!registrations) return fail(registrations.error());
    const std::vector<float> input = network.input();
    if (auto filled =
            write_elements(of_x().template access<float>(network.x_name, CpuUse::write), input);
        !filled)
      return fail(std::move(filled).error());
    auto bound =
        Graph<Retrieved, RegisteredIo>::retrieve(context, network.name)
            .and_then([&](Graph<Retrieved, RegisteredIo> graph) {
              return std::move(graph).bind({registered(registrations->front(), network.x_name),
                                            registered(registrations->back(), network.y_name)});
            });
    if (!bound) return fail(std::move(bound).error());
    if (auto executed = bound->execute(); !executed) return fail(std::move(executed).error());
    return of_y()
        .template access<const float>(network.y_name, CpuUse::read)
        .transform([&](const auto& y) { return largest_difference(y, network.reference(input)); });
  }
};

}  // namespace support
