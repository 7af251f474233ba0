// P: contextGetProperty. R: memRegister of weights and spill-fill.
#include "host.hpp"

namespace conformance {
namespace {

const char* word_of(std::uint64_t value) { return value == 77 ? "untouched" : "filled"; }

/// Queries several sizes in one list; reports the code and the values that were filled.
void ask_list(Host& host, const Context& context, const std::vector<unsigned>& options) {
  std::vector<HtpContextCustomProperty> customs(options.size());
  std::vector<ContextProperty> properties(options.size());
  std::vector<ContextProperty*> list;
  for (std::size_t i = 0; i < options.size(); ++i) {
    customs[i].option = static_cast<HtpContextPropertyOption>(options[i]);
    customs[i].buffer_start_alignment = 77;
    properties[i].option = ContextPropertyOption::custom;
    properties[i].custom_property = &customs[i];
    list.push_back(&properties[i]);
  }
  list.push_back(nullptr);
  say_code("property", host.qnn.context_get_property(context.handle, list.data()));
  for (const HtpContextCustomProperty& custom : customs)
    say("%s", word_of(custom.buffer_start_alignment));
}

/// Reports whether the three sizes equal the binary's known needs.
void say_sizes(const Context& context) {
  const Binary& binary = *given.main;
  const std::uint64_t expected[] = {binary.alignment, binary.spill_fill, binary.weights};
  for (unsigned option = 1; option <= 3; ++option) {
    std::uint64_t value = 0;
    const ErrorHandle code =
        context.property(static_cast<HtpContextPropertyOption>(option), &value);
    say("%llu %s", static_cast<unsigned long long>(code),
        code != 0                       ? ""
        : value == expected[option - 1] ? "same"
                                        : "other");
  }
}

/// Returns a spill-fill descriptor with the binary's need plus `more` bytes, at an offset.
MemDescriptor spill_of(Host& host, std::int64_t more, std::uint64_t offset = 0) {
  Buffer buffer = host.allocate(given.main->spill_fill + 2 * page_bytes);
  buffer.size = given.main->spill_fill + static_cast<std::uint64_t>(more);
  return spill_fill(buffer, offset);
}
MemDescriptor weights_of(Host& host, std::int64_t more, std::uint64_t offset = 0) {
  Buffer buffer = host.allocate(given.main->weights + 2 * page_bytes);
  buffer.size = given.main->weights + static_cast<std::uint64_t>(more);
  return weights(buffer, offset);
}

void register_alone(Host& host, const MemDescriptor& descriptor) {
  host.start();
  host.deferred().add(descriptor);
}

/// VTCM of every chip that the questions meet.
constexpr std::uint64_t vtcm_bytes = std::uint64_t{8} << 20;

/// Returns a descriptor of a VTCM backup buffer, whose file is not empty.
MemDescriptor backup_of(Host& host, std::uint64_t bytes) {
  return external(HtpMemType::shared_vtcmbackup_buffer,
                  host.allocate(bytes == 0 ? page_bytes : bytes).fd, bytes);
}

/// Registers buffers with a context, one call each, finalizes it and executes its graph.
void bring_up(Host& host, std::initializer_list<MemDescriptor> descriptors) {
  host.start();
  const Context context = host.deferred();
  for (const MemDescriptor& descriptor : descriptors) context.add(descriptor);
  if (context.finalize() == 0) host.execute(context.retrieve());
}

}  // namespace

void ask_properties(Catalogue& ask) {
  ask("P-1a", "sizes before and after register", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    say_sizes(context);
    context.add(spill_fill(host.spill_buffer()));
    say_sizes(context);
  });
  ask("P-1b", "sizes after finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.finalize();
    say_sizes(context);
  });
  ask("P-1c", "alignment of external buffers", [](Host& host) {
    host.start();
    std::uint64_t value = 0;
    say_code("property",
             host.deferred().property(HtpContextPropertyOption::buffer_start_alignment, &value));
    say("%llu", static_cast<unsigned long long>(value));
  });
  ask("P-2", "a context that is not deferred: alignment, spill-fill, weights, each alone",
      [](Host& host) {
        host.start();
        const Context context = host.create();
        for (const unsigned option : {1u, 2u, 3u}) ask_list(host, context, {option});
      });
  for (const auto& [id, text, answer] : std::initializer_list<Question>{
           {"P-3a", "property 4",
            [](Host& host) { host.start(), ask_list(host, host.deferred(), {4}); }},
           {"P-3b", "property 5",
            [](Host& host) { host.start(), ask_list(host, host.deferred(), {5}); }},
           {"P-3c", "property 6",
            [](Host& host) { host.start(), ask_list(host, host.deferred(), {6}); }},
           {"P-3d", "property 7",
            [](Host& host) { host.start(), ask_list(host, host.deferred(), {7}); }},
           {"P-3e", "property 99",
            [](Host& host) { host.start(), ask_list(host, host.deferred(), {99}); }},
           {"P-3f", "property undefined",
            [](Host& host) { host.start(), ask_list(host, host.deferred(), {0x7FFFFFFF}); }},
       })
    ask(id, text, answer);
  ask("P-3g", "an unknown property between two known ones", [](Host& host) {
    host.start();
    ask_list(host, host.deferred(), {1, 99, 3});
  });
  ask("P-3h", "an outer option that is unknown", [](Host& host) {
    host.start();
    HtpContextCustomProperty custom{};
    ContextProperty property{};
    property.option = static_cast<ContextPropertyOption>(9);
    property.custom_property = &custom;
    ContextProperty* list[] = {&property, nullptr};
    say_code("property", host.qnn.context_get_property(host.deferred().handle, list));
  });
  ask("P-4a", "list NULL", [](Host& host) {
    host.start();
    say_code("property", host.qnn.context_get_property(host.deferred().handle, nullptr));
  });
  ask("P-4b", "empty list", [](Host& host) {
    host.start();
    ask_list(host, host.deferred(), {});
  });
  ask("P-4c", "custom property NULL", [](Host& host) {
    host.start();
    ContextProperty property{};
    property.option = ContextPropertyOption::custom;
    ContextProperty* list[] = {&property, nullptr};
    say_code("property", host.qnn.context_get_property(host.deferred().handle, list));
  });
  ask("P-5", "a binary without spill-fill: its spill-fill bytes, weights at least 2 MiB",
      [](Host& host) {
        host.start();
        const Context context = host.create(Options().deferred(), given.no_spill);
        std::uint64_t spill = 0, bytes = 0;
        say_code("property",
                 context.property(HtpContextPropertyOption::max_spillfill_buffer_size, &spill));
        say_code("property",
                 context.property(HtpContextPropertyOption::weights_buffer_size, &bytes));
        say("%llu B", static_cast<unsigned long long>(spill));
        say("%s", bytes >= 2097152 ? "yes" : "no");
      });
}

void ask_registration(Catalogue& ask) {
  ask("R-1a", "spill-fill of exactly the need",
      [](Host& host) { register_alone(host, spill_of(host, 0)); });
  ask("R-1b", "spill-fill one byte too small",
      [](Host& host) { register_alone(host, spill_of(host, -1)); });
  ask("R-1c", "spill-fill of the need at an offset of one page",
      [](Host& host) { register_alone(host, spill_of(host, 0, page_bytes)); });
  ask("R-1d", "spill-fill of need and offset at an offset of one page", [](Host& host) {
    register_alone(host, spill_of(host, static_cast<std::int64_t>(page_bytes), page_bytes));
  });
  ask("R-1e", "spill-fill with an offset larger than the size", [](Host& host) {
    register_alone(host, spill_of(host, 0, given.main->spill_fill + page_bytes));
  });
  ask("R-1f", "spill-fill with a size above 4 GiB",
      [](Host& host) { register_alone(host, spill_of(host, std::int64_t{1} << 33)); });
  ask("R-1g", "weights one byte too small",
      [](Host& host) { register_alone(host, weights_of(host, -1)); });
  ask("R-1h", "weights of the need at an offset of one page",
      [](Host& host) { register_alone(host, weights_of(host, 0, page_bytes)); });
  ask("R-1i", "weights of need and offset at an offset of one page", [](Host& host) {
    register_alone(host, weights_of(host, static_cast<std::int64_t>(page_bytes), page_bytes));
  });
  ask("R-1j", "spill-fill of size 0", [](Host& host) {
    register_alone(host, spill_of(host, -static_cast<std::int64_t>(given.main->spill_fill)));
  });
  ask("R-1k", "one page too small, then a buffer that fits", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(spill_of(host, -static_cast<std::int64_t>(page_bytes)));
    context.add(spill_of(host, 0));
    context.finalize();
  });
  ask("R-2", "larger buffers than needed", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(weights_of(host, static_cast<std::int64_t>(page_bytes)));
    context.add(spill_of(host, static_cast<std::int64_t>(page_bytes)));
  });
  ask("R-3", "spill-fill at offset 100",
      [](Host& host) { register_alone(host, spill_of(host, 100, 100)); });
  ask("R-3b", "weights at offset 100",
      [](Host& host) { register_alone(host, weights_of(host, 100, 100)); });
  ask("R-4a", "spill-fill with fd -1", [](Host& host) {
    register_alone(host, external(HtpMemType::shared_spillfill_buffer, -1, given.main->spill_fill));
  });
  ask("R-4b", "weights with fd -1", [](Host& host) {
    register_alone(host, external(HtpMemType::weights_buffer, -1, given.main->weights));
  });
  ask("R-4c", "spill-fill with an fd that is not open", [](Host& host) {
    register_alone(host,
                   external(HtpMemType::shared_spillfill_buffer, 987, given.main->spill_fill));
  });
  ask("R-4d", "weights with an fd that is not open", [](Host& host) {
    register_alone(host, external(HtpMemType::weights_buffer, 987, given.main->weights));
  });
  ask("R-5a", "one fd as weights and as spill-fill of a context", [](Host& host) {
    host.start();
    const Buffer buffer = host.allocate(given.main->weights + given.main->spill_fill);
    const Context context = host.deferred();
    context.add(weights(buffer));
    context.add(spill_fill(buffer));
  });
  ask("R-5b", "weights fd of one context in another, as weights and as spill-fill", [](Host& host) {
    host.start();
    const Buffer buffer = host.allocate(given.main->weights + given.main->spill_fill);
    host.deferred().add(weights(buffer));
    host.deferred().add(weights(buffer));
    host.deferred().add(spill_fill(buffer));
  });
  ask("R-5c", "a weights fd as ION tensor of another context", [](Host& host) {
    host.start();
    const Buffer buffer = host.allocate(given.main->weights);
    host.deferred().add(weights(buffer));
    host.create().add(ion(buffer.fd, {64, 64}));
  });
  ask("R-5d", "one spill-fill fd in two contexts, both finalized and executed", [](Host& host) {
    host.start();
    const Buffer buffer = host.spill_buffer();
    for (int i = 0; i < 2; ++i) {
      const Context context = host.deferred();
      context.add(spill_fill(buffer));
      context.finalize();
      host.execute(context.retrieve());
    }
  });
  ask("R-6", "spill-fill for a binary that needs none", [](Host& host) {
    host.start();
    const Context context = host.create(Options().deferred(), given.no_spill);
    context.add(spill_fill(host.allocate(page_bytes)));
    context.finalize();
  });
  ask("R-7a", "a second spill-fill, another fd", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(spill_fill(host.spill_buffer()));
    context.add(spill_fill(host.spill_buffer()));
  });
  ask("R-7b", "a second spill-fill, the same fd", [](Host& host) {
    host.start();
    const Buffer buffer = host.spill_buffer();
    const Context context = host.deferred();
    context.add(spill_fill(buffer));
    context.add(spill_fill(buffer));
  });
  ask("R-7c", "a second weights buffer, another fd", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(weights(host.weights_buffer()));
    context.add(weights(host.weights_buffer()));
  });
  ask("R-8a", "spill-fill on a context that is not deferred", [](Host& host) {
    host.start();
    host.create().add(spill_fill(host.spill_buffer()));
  });
  ask("R-8b", "spill-fill on a finalized context", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.finalize();
    context.add(spill_fill(host.spill_buffer()));
  });
  ask("R-8c", "weights on a context that is not deferred", [](Host& host) {
    host.start();
    host.create().add(weights(host.weights_buffer()));
  });
  ask("R-9a", "two descriptors of rank 0 in one call", [](Host& host) {
    host.start();
    host.deferred().add({weights(host.weights_buffer()), spill_fill(host.spill_buffer())});
  });
  ask("R-9b", "rank 1 with extents, one descriptor",
      [](Host& host) { register_alone(host, with_shape(spill_of(host, 0), 1, true)); });
  ask("R-9c", "rank 2 with extents, two descriptors in one call", [](Host& host) {
    host.start();
    host.deferred().add(
        {with_shape(weights_of(host, 0), 2, true), with_shape(spill_of(host, 0), 2, true)});
  });
  ask("R-9d", "rank 1 with NULL extents",
      [](Host& host) { register_alone(host, with_shape(spill_of(host, 0), 1, false)); });
  ask("R-9e", "data type FLOAT_32", [](Host& host) {
    MemDescriptor descriptor = spill_of(host, 0);
    descriptor.data_type = DataType::float_32;
    register_alone(host, descriptor);
  });
  ask("R-9f", "data type 12345", [](Host& host) {
    MemDescriptor descriptor = spill_of(host, 0);
    descriptor.data_type = static_cast<DataType>(12345);
    register_alone(host, descriptor);
  });
  ask("R-10a", "two in one call (rank 1), the second with fd -1; then the first alone",
      [](Host& host) {
        host.start();
        const Buffer buffer = host.weights_buffer();
        const Context context = host.deferred();
        context.add(
            {with_shape(weights(buffer), 1, true),
             with_shape(external(HtpMemType::shared_spillfill_buffer, -1, given.main->spill_fill),
                        1, true)});
        context.add(weights(buffer));
      });
  ask("R-10b", "the same, spill-fill first, then finalize and free", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.add(
        {with_shape(spill_of(host, 0), 1, true),
         with_shape(external(HtpMemType::weights_buffer, -1, given.main->weights), 1, true)});
    context.finalize();
    context.free();
    host.tear_down();
  });
  ask("R-11a", "handle after a refused size",
      [](Host& host) { register_alone(host, spill_of(host, -1)); });
  ask("R-11b", "handle after a refused fd", [](Host& host) {
    register_alone(host, external(HtpMemType::shared_spillfill_buffer, -1, given.main->spill_fill));
  });
  for (const auto& [id, text, answer] : std::initializer_list<Question>{
           {"R-12a", "HTP memory type 4",
            [](Host& host) {
              register_alone(host, external(static_cast<HtpMemType>(4),
                                            host.allocate(page_bytes).fd, page_bytes));
            }},
           {"R-12b", "HTP memory type 77",
            [](Host& host) {
              register_alone(host, external(static_cast<HtpMemType>(77),
                                            host.allocate(page_bytes).fd, page_bytes));
            }},
           {"R-12c", "HTP memory type undefined",
            [](Host& host) {
              register_alone(
                  host, external(HtpMemType::undefined, host.allocate(page_bytes).fd, page_bytes));
            }},
           {"R-12d", "HTP memory type QURT",
            [](Host& host) {
              register_alone(host,
                             external(HtpMemType::qurt, host.allocate(page_bytes).fd, page_bytes));
            }},
           {"R-12e", "HTP memory type QURT with shape and data type",
            [](Host& host) {
              MemDescriptor descriptor =
                  with_shape(external(HtpMemType::qurt, 0, page_bytes), 2, true);
              descriptor.data_type = DataType::uint_8;
              register_alone(host, descriptor);
            }},
       })
    ask(id, text, answer);
  ask("R-13a", "customInfo NULL", [](Host& host) {
    MemDescriptor descriptor = spill_of(host, 0);
    descriptor.custom_info = nullptr;
    register_alone(host, descriptor);
  });
  ask("R-13b", "memory type DMA_BUF", [](Host& host) {
    const Buffer buffer = host.allocate(page_bytes);
    MemDescriptor descriptor = ion(buffer.fd, {64, 64});
    descriptor.mem_type = MemType::dma_buf;
    descriptor.dma_buf_info = {buffer.fd, buffer.start};
    register_alone(host, descriptor);
  });
  ask("R-13c", "memory type 9", [](Host& host) {
    MemDescriptor descriptor = ion(host.allocate(page_bytes).fd, {64, 64});
    descriptor.mem_type = static_cast<MemType>(9);
    register_alone(host, descriptor);
  });
  ask("R-14a", "deregister spill-fill after finalize", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    const MemHandle spill = context.add(spill_fill(host.spill_buffer()));
    context.finalize();
    host.deregister({spill});
    context.free();
    host.tear_down();
  });
  ask("R-14b", "deregister spill-fill and a tensor in one array after finalize, then the tensor",
      [](Host& host) {
        host.start();
        const Context context = host.deferred();
        const MemHandle spill = context.add(spill_fill(host.spill_buffer()));
        const MemHandle tensor = context.add(ion(host.allocate(page_bytes).fd, {64, 64}));
        context.finalize();
        host.deregister({spill, tensor});
        host.deregister({tensor});
      });
  ask("R-15a", "weights buffer registered with a context that was freed", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    context.free();
    context.add(spill_of(host, 0));
  });
  ask("R-15b", "a foreign handle to deregister, before any registration", [](Host& host) {
    host.start();
    host.deferred();
    host.deregister({no_such<MemHandle>()});
  });
  ask("R-15c", "deregister the same handle twice, in two calls", [](Host& host) {
    host.start();
    const MemHandle spill = host.deferred().add(spill_of(host, 0));
    host.deregister({spill});
    host.deregister({spill});
  });
  ask("R-15d", "deregister spill-fill before finalize, while the context lives", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    host.deregister({context.add(spill_of(host, 0))});
    context.free();
    host.tear_down();
  });
  ask("R-16a", "VTCM backup of size 0",
      [](Host& host) { register_alone(host, backup_of(host, 0)); });
  for (const auto& [id, text, answer] : std::initializer_list<Question>{
           {"R-16b", "VTCM backup of 1 byte, finalized and executed",
            [](Host& host) { bring_up(host, {backup_of(host, 1)}); }},
           {"R-16c", "VTCM backup of the chip's VTCM, finalized and executed",
            [](Host& host) { bring_up(host, {backup_of(host, vtcm_bytes)}); }},
           {"R-16d", "VTCM backup after weights and spill-fill, finalized and executed",
            [](Host& host) {
              bring_up(host, {weights_of(host, 0), spill_of(host, 0), backup_of(host, vtcm_bytes)});
            }},
           {"R-16e", "VTCM backup before spill-fill, finalized",
            [](Host& host) { bring_up(host, {backup_of(host, vtcm_bytes), spill_of(host, 0)}); }},
       })
    ask(id, text, answer);
  ask("R-16f", "a second VTCM backup, another fd, then the same one", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    const MemDescriptor first = backup_of(host, vtcm_bytes);
    context.add(first);
    context.add(backup_of(host, vtcm_bytes));
    context.add(first);
  });
  ask("R-16g", "four contexts with one VTCM backup, all finalized and executed", [](Host& host) {
    host.start();
    const MemDescriptor shared = backup_of(host, vtcm_bytes);
    for (int i = 0; i < 4; ++i) {
      const Context context = host.deferred();
      context.add(shared);
      context.finalize();
      host.execute(context.retrieve());
    }
  });
  ask("R-16h", "one VTCM backup in two contexts with other sizes", [](Host& host) {
    host.start();
    const Buffer buffer = host.allocate(vtcm_bytes);
    for (const std::uint64_t bytes : {vtcm_bytes, vtcm_bytes - page_bytes}) {
      const Context context = host.deferred();
      context.add(external(HtpMemType::shared_vtcmbackup_buffer, buffer.fd, bytes));
      context.finalize();
    }
  });
  ask("R-16i", "VTCM backup on a context that is not deferred, and on a finalized one",
      [](Host& host) {
        host.start();
        host.create().add(backup_of(host, vtcm_bytes));
        const Context context = host.deferred();
        context.finalize();
        context.add(backup_of(host, vtcm_bytes));
      });
  ask("R-16j", "VTCM backup with fd -1, and with an fd that is not open, then finalize",
      [](Host& host) {
        host.start();
        for (const int fd : {-1, 987}) {
          const Context context = host.deferred();
          context.add(external(HtpMemType::shared_vtcmbackup_buffer, fd, vtcm_bytes));
          context.finalize();
        }
      });
  ask("R-16k", "VTCM backup larger than its file, finalized", [](Host& host) {
    bring_up(host, {external(HtpMemType::shared_vtcmbackup_buffer, host.allocate(page_bytes).fd,
                             vtcm_bytes)});
  });
  ask("R-16l", "VTCM backup with an offset larger than the size, finalized", [](Host& host) {
    bring_up(host, {external(HtpMemType::shared_vtcmbackup_buffer, host.allocate(vtcm_bytes).fd,
                             page_bytes, 2 * page_bytes)});
  });
  ask("R-16m", "one fd as spill-fill and as VTCM backup, finalized", [](Host& host) {
    const Buffer buffer = host.allocate(given.main->spill_fill + vtcm_bytes);
    bring_up(host, {spill_fill(buffer),
                    external(HtpMemType::shared_vtcmbackup_buffer, buffer.fd, buffer.size)});
  });
  ask("R-16n", "VTCM backup deregistered before finalize, and after it", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    host.deregister({context.add(backup_of(host, vtcm_bytes))});
    const MemHandle again = context.add(backup_of(host, vtcm_bytes));
    context.finalize();
    host.deregister({again});
    context.free();
    host.tear_down();
  });
  ask("R-16o", "VTCM backup freed before finalize", [](Host& host) {
    host.start();
    const Buffer buffer = host.allocate(vtcm_bytes);
    const Context context = host.deferred();
    context.add(external(HtpMemType::shared_vtcmbackup_buffer, buffer.fd, buffer.size));
    host.release(buffer);
    context.finalize();
  });
}

}  // namespace conformance
