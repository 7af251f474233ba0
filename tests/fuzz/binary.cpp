// Fuzzes context binaries of the simulated HTP: its parser and system library, which are part of
// this program, and the metadata that qnnpp reads. Each input is used unchanged, and once more with
// correct checksums, so that the code behind the checksums is reached.
#include "sim/binary/binary.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/model/survey.hpp"

#include "checks.hpp"
#include "sealed_binary.hpp"

extern "C" qnnpp::c_api::ErrorHandle QnnSystemInterface_getProviders(
    const qnnpp::c_api::SystemInterface* const** list, std::uint32_t* count);

namespace {

using namespace qnnpp;

void read(const std::vector<std::byte>& bytes) {
  const auto binary = ContextBinary::borrow(bytes, "fuzzed.bin");
  if (!binary) {
    fuzz::expect(binary.error().kind == Errc::empty, "only an empty binary is none");
    return;
  }
  sim::BinaryContents contents;
  const bool is_whole = sim::take_apart(binary->bytes(), sim::WithWeights::yes, contents).ok();
  if (is_whole) (void)sim::check_fit(contents, {});

  const c_api::SystemInterface* const* providers = nullptr;
  std::uint32_t count = 0;
  (void)QnnSystemInterface_getProviders(&providers, &count);
  const c_api::SystemInterfaceTable& table = providers[0]->table;
  c_api::SystemContextHandle handle = nullptr;
  fuzz::expect(table.system_context_create(&handle) == 0, "a system context is made");
  const c_api::SystemContextBinaryInfo* info = nullptr;
  const auto code = table.system_context_get_meta_data(handle, binary->bytes().data(),
                                                       binary->bytes().size(), &info);
  if (code == 0) {
    const auto spec =
        detail::context_spec(*info, sizeof(c_api::SystemContextGraphInfo), binary->name());
    if (spec) {
      fuzz::expect(spec->graphs.size() == info->context_binary_info_v3.num_graphs,
                   "all graphs are read");
      model::ContextMemory memory;
      model::detail::add_told(spec->graphs, detail::needs_of(spec->graphs), memory);
      fuzz::expect(memory.spill_fill.value == spec->spill_fill_bytes(), "the largest need");
    } else {
      fuzz::expect_sound(spec.error());
    }
  } else {
    fuzz::expect(!is_whole, "what the HTP takes has metadata");
    fuzz::expect_sound(detail::explain_unreadable(
        Error::from_qnn(code, detail::metadata_step, binary->name()), binary->bytes(), "reader"));
  }
  fuzz::expect(table.system_context_free(handle) == 0, "it is freed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  std::vector<std::byte> bytes(input.begin(), input.end());
  read(bytes);
  support::seal(bytes);
  read(bytes);
  return 0;
}
