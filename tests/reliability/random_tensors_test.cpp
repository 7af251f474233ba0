// Allocates, registers and deregisters random lists of tensors in random order, and compares
// each step with a model.
//
// The lists are the same in every run. RC_PARAMS changes them: RC_PARAMS="seed=5 max_success=100".
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "qnnpp/memory/tensor_arena.hpp"

#include "fixture.hpp"
#include "random.hpp"

namespace support { namespace {

using namespace qnnpp;

// ---- a case: tensors, their memory, and what is done with it -----------------------------------

enum class Form : std::uint8_t { per_tensor, multi_tensor, dma_buf, scheduled };
constexpr std::array form_names = {"PerTensor", "MultiTensor", "DmaBuf",
                                   "MultiTensor by lifetimes"};

enum class Size : std::uint8_t { small, dynamic, large, vast, endless };

struct TensorCase {
  /// Equal names are rare; see names_of().
  bool has_the_name_of_the_first = false;
  c_api::DataType data_type = c_api::DataType::float_32;
  Size size = Size::small;
  std::vector<std::uint32_t> extents;
  /// Steps of its lifetime, out of four.
  std::uint8_t first_use = 0;
  std::uint8_t more_uses = 0;

  [[nodiscard]] TensorSpec spec(std::string name) const {
    TensorSpec spec{.name = std::move(name), .data_type = data_type, .dimensions = extents};
    auto& dimensions = spec.dimensions;
    if (size == Size::dynamic) spec.dynamic_dimensions.assign(extents.size(), 1);
    if (size == Size::vast || size == Size::endless)
      dimensions.resize(std::min<std::size_t>(dimensions.size(), 2));
    // 4 GiB: in 32 bits, the offsets after this tensor equal those before it
    if (size == Size::large)
      dimensions = {4, static_cast<std::uint32_t>((std::uint64_t{8} << 30) /
                                                  std::max(element_bits(data_type), 4u))};
    if (size == Size::vast)  // more than a process can map
      dimensions.insert(dimensions.end(), 2, 1u << 27);
    if (size == Size::endless) dimensions.insert(dimensions.end(), 3, UINT32_MAX);
    return spec;
  }
};

constexpr std::size_t context_count = 3;

enum class Do : std::uint8_t {
  allocate,
  register_all,
  register_some,
  register_twice,    ///< one of the names appears twice
  register_unknown,  ///< one of the names belongs to no tensor
  close,
  drop_registration,
  drop_buffer,
  drop_context,  ///< replaces the context by a new one
};
constexpr std::array do_names = {"allocate",          "register all",        "register some",
                                 "register twice",    "register an unknown", "close registration",
                                 "drop registration", "drop buffer",         "drop context"};

/// Numbers choose among the existing objects, modulo their count. A step without a matching object
/// is skipped.
struct Step {
  Do what = Do::allocate;
  std::uint8_t context = 0;
  std::uint8_t object = 0;    ///< index of the buffer or registration
  std::uint16_t tensors = 0;  ///< one bit for each tensor
};

struct Case {
  Form form = Form::per_tensor;
  std::vector<TensorCase> tensors;
  std::vector<Step> steps;
};

std::vector<std::string> names_of(const Case& one) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < one.tensors.size(); ++i)
    names.push_back("t" + std::to_string(one.tensors[i].has_the_name_of_the_first ? 0 : i));
  return names;
}

std::ostream& operator<<(std::ostream& os, const Case& one) {
  os << "memory " << form_names[static_cast<std::size_t>(one.form)];
  const auto names = names_of(one);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const TensorSpec spec = one.tensors[i].spec(names[i]);
    os << "\n  tensor " << spec.name << ": " << name_of(spec.data_type) << " "
       << to_string(spec.dimensions) << (spec.is_dynamic() ? ", dynamic" : "");
    if (one.form == Form::scheduled)
      os << ", used in steps " << int{one.tensors[i].first_use} << " to "
         << one.tensors[i].first_use + one.tensors[i].more_uses;
  }
  os << "\n  allocate";
  for (const Step& step : one.steps) {
    os << "\n  " << do_names[static_cast<std::size_t>(step.what)];
    if (step.what != Do::allocate && step.what != Do::drop_context)
      os << " (number " << int{step.object} << " of those there are)";
    if (step.what >= Do::register_all && step.what <= Do::register_unknown)
      os << " with context " << step.context % context_count;
    if (step.what >= Do::register_some && step.what <= Do::register_unknown) {
      os << ": tensors";
      for (std::size_t i = 0; i < names.size(); ++i)
        if ((step.tensors >> i & 1) != 0) os << " " << names[i];
    }
    if (step.what == Do::drop_context) os << " " << step.context % context_count;
  }
  return os;
}

rc::Gen<c_api::DataType> any_data_type() {
  using enum c_api::DataType;
  const auto of = [](std::initializer_list<c_api::DataType> types) {
    return rc::gen::elementOf(std::vector<c_api::DataType>(types));
  };
  return rc::gen::weightedOneOf<c_api::DataType>(
      {{94, of({float_32, int_8, int_16, int_32, int_64, uint_8, uint_16, uint_32, uint_64,
                float_16, float_64, sfixed_point_8, sfixed_point_16, sfixed_point_32,
                ufixed_point_8, ufixed_point_16, ufixed_point_32, bool_8, bfloat_16})},
       {4, of({sfixed_point_4, ufixed_point_4})},
       {2, of({undefined, string})}});
}

rc::Gen<std::vector<std::uint32_t>> any_extents() {
  using rc::gen::weightedElement;
  return rc::gen::mapcat(
      weightedElement<std::size_t>({{1, 0}, {20, 1}, {20, 2}, {20, 3}, {20, 4}, {19, 5}}),
      [](std::size_t rank) {
        return rc::gen::container<std::vector<std::uint32_t>>(
            rank, rc::gen::weightedElement<std::uint32_t>(
                      {{30, 1}, {20, 2}, {20, 3}, {10, 5}, {10, 8}, {9, 13}, {1, 0}}));
      });
}

rc::Gen<TensorCase> any_tensor() {
  using rc::gen::set;
  using rc::gen::weightedElement;
  return rc::gen::build<TensorCase>(
      set(&TensorCase::has_the_name_of_the_first, weightedElement<bool>({{99, false}, {1, true}})),
      set(&TensorCase::data_type, any_data_type()),
      set(&TensorCase::size, weightedElement<Size>({{94, Size::small},
                                                    {3, Size::large},
                                                    {1, Size::dynamic},
                                                    {1, Size::vast},
                                                    {1, Size::endless}})),
      set(&TensorCase::extents, any_extents()),
      set(&TensorCase::first_use, rc::gen::inRange<std::uint8_t>(0, 4)),
      set(&TensorCase::more_uses, rc::gen::inRange<std::uint8_t>(0, 3)));
}

rc::Gen<Step> any_step() {
  using rc::gen::set;
  return rc::gen::build<Step>(
      set(&Step::what, rc::gen::weightedElement<Do>({{10, Do::allocate},
                                                     {30, Do::register_all},
                                                     {25, Do::register_some},
                                                     {2, Do::register_twice},
                                                     {2, Do::register_unknown},
                                                     {15, Do::close},
                                                     {15, Do::drop_registration},
                                                     {8, Do::drop_buffer},
                                                     {4, Do::drop_context}})),
      set(&Step::context, rc::gen::inRange<std::uint8_t>(0, 3)),
      set(&Step::object, rc::gen::inRange<std::uint8_t>(0, 6)),
      set(&Step::tensors, rc::gen::arbitrary<std::uint16_t>()));
}

/// Generates at most `most` elements. A failing case is tried again with fewer.
template <class T>
rc::Gen<std::vector<T>> up_to(int most, rc::Gen<T> one) {
  constexpr int whole_ranges = 100;
  return rc::gen::resize(
      most, rc::gen::container<std::vector<T>>(rc::gen::resize(whole_ranges, std::move(one))));
}

rc::Gen<Case> any_case() {
  using rc::gen::set;
  return rc::gen::build<Case>(
      set(&Case::form,
          rc::gen::element(Form::per_tensor, Form::multi_tensor, Form::dma_buf, Form::scheduled)),
      set(&Case::tensors, up_to(12, any_tensor())), set(&Case::steps, up_to(24, any_step())));
}

// ---- the model ---------------------------------------------------------------------------------

/// Expected result of a step.
struct Wanted {
  Wanted() = default;
  Wanted(Errc error) : success(false), kind(error) {}
  bool operator==(const Wanted&) const = default;

  bool success = true;
  Errc kind = Errc::qnn;
};
__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t mappable_bytes = std::uint64_t{1} << 47;
constexpr std::uint64_t device_tensor_bytes = (std::uint64_t{1} << 31) - 1;  // SHB-08

std::string word(const Wanted& wanted) {
  static const std::map<Errc, std::string> words = {
      {Errc::qnn, "qnn"},
      {Errc::empty, "empty"},
      {Errc::too_large, "too_large"},
      {Errc::allocation_failed, "allocation_failed"},
      {Errc::unsupported_tensor, "unsupported_tensor"},
      {Errc::duplicate_name, "duplicate_name"},
      {Errc::unknown_name, "unknown_name"},
      {Errc::already_registered, "already_registered"},
  };
  if (wanted.success) return "success";
  const auto found = words.find(wanted.kind);
  return found == words.end() ? "another error" : found->second;
}

/// Returns the bytes of a tensor, or the error of its first invalid extent from the left.
std::variant<std::uint64_t, Errc> bytes_of(const TensorSpec& spec) {
  const Wide bits = element_bits(spec.data_type);
  if (bits == 0 || spec.dimensions.empty()) return Errc::unsupported_tensor;
  Wide elements = 1;
  for (const std::uint32_t extent : spec.dimensions) {
    elements *= extent;
    if (elements == 0) return Errc::unsupported_tensor;
    if (elements >= Wide{1} << 58) return Errc::too_large;
  }
  return static_cast<std::uint64_t>((elements * bits + 7) / 8);
}

constexpr std::uint64_t rounded(std::uint64_t bytes) {
  return (bytes + tensor_alignment_bytes - 1) / tensor_alignment_bytes * tensor_alignment_bytes;
}

struct ExpectedMemory {
  Wanted outcome;
  std::vector<std::uint64_t> bytes;  ///< bytes of each tensor
  std::uint64_t total_bytes = 0;     ///< sum of all allocations; an upper limit for lifetimes
  std::uint64_t allocations = 0;
};

ExpectedMemory expected_memory(Form form, const std::vector<TensorSpec>& specs) {
  ExpectedMemory expected;
  const auto failing = [&](Errc kind) {
    expected.outcome = kind;
    return expected;
  };
  std::set<std::string> names;
  bool mappable = true;
  Wide sum = 0;
  Wide all_rounded = 0;
  std::uint64_t most_padding = 0;
  for (const TensorSpec& spec : specs) {
    const auto bytes = bytes_of(spec);
    if (const Errc* kind = std::get_if<Errc>(&bytes)) return failing(*kind);
    const std::uint64_t size = std::get<std::uint64_t>(bytes);
    expected.bytes.push_back(size);
    names.insert(spec.name);
    mappable = mappable && size < mappable_bytes;
    sum += size;
    all_rounded += rounded(size);
    most_padding = std::max(most_padding, rounded(size) - size);
  }
  if (specs.empty()) return failing(Errc::empty);
  const bool is_one_buffer = form == Form::multi_tensor || form == Form::scheduled;
  if (is_one_buffer && all_rounded > (form == Form::scheduled ? Wide{INT64_MAX} : Wide{UINT64_MAX}))
    return failing(Errc::too_large);
  if (names.size() != specs.size()) return failing(Errc::duplicate_name);
  if (!mappable) return failing(Errc::allocation_failed);
  if (!is_one_buffer) {
    expected.total_bytes = static_cast<std::uint64_t>(sum);
    expected.allocations = specs.size();
    return expected;
  }
  // The tensor that needs most padding is placed last.
  expected.total_bytes = static_cast<std::uint64_t>(all_rounded);
  if (form == Form::multi_tensor) expected.total_bytes -= most_padding;
  expected.allocations = 1;
  return expected;
}

// ---- a device for all cases, and one case on it ------------------------------------------------

using Buffer = std::variant<std::monostate, SharedBuffer<PerTensor>, SharedBuffer<MultiTensor>,
                            SharedBuffer<DmaBuf>>;

struct Bench {
  const Backend<Htp>* backend = nullptr;
  RpcmemAllocator rpcmem;
  std::vector<std::byte> binary;

  [[nodiscard]] Context<Finalized> new_context() const {
    return must(Context<Finalized>::restore(
        *backend, must(ContextBinary::borrow(std::span<const std::byte>(binary), "random.bin"))));
  }
};

/// Allocated memory: the model's expectations, and the wrapper while it is held.
struct Memory {
  std::vector<std::uint64_t> bytes;
  std::vector<std::uint64_t> offsets;
  std::uint64_t total_bytes = 0;
  std::uint64_t allocations = 0;
  Buffer buffer;
  std::size_t registrations = 0;

  [[nodiscard]] bool held() const { return buffer.index() != 0; }
};

struct Registration {
  std::size_t memory = 0;
  std::uint64_t context = 0;
  std::set<std::size_t> tensors;
  std::set<std::uint64_t> handles;
  std::optional<RegisteredTensors> real;
};

/// Runs a case step by step with new contexts, so that no case depends on an earlier one. The
/// device may already hold something: only differences count.
class Runner {
 public:
  Runner(const Bench& bench, const Case& one) : bench_(bench), case_(one), names_(names_of(one)) {
    for (std::size_t i = 0; i < names_.size(); ++i)
      specs_.push_back(one.tensors[i].spec(names_[i]));
    device_before_ = control().counters();
    rpcmem_before_ = rpcmem_control().counters();
    for (std::uint64_t id = 0; id < context_count; ++id) {
      contexts_.push_back(bench.new_context());
      context_ids_.push_back(id);
    }
  }

  /// Returns the difference from the model; empty if there is none.
  std::string run() {
    step(Step{});
    for (std::size_t i = 0; i < case_.steps.size() && difference_.empty(); ++i) {
      at_ = "step " + std::to_string(i + 1) + " (" +
            do_names[static_cast<std::size_t>(case_.steps[i].what)] + ")";
      step(case_.steps[i]);
    }
    if (!difference_.empty()) return difference_;
    at_ = "the end";
    // Registrations outlive contexts and buffers in some cases only.
    const auto drop_contexts = [&] {
      contexts_.clear();
      context_ids_.clear();
    };
    const auto drop_buffers = [&] {
      for (Memory& memory : memories_) memory.buffer = {};
    };
    if (specs_.size() % 2 == 0) drop_buffers();
    if (specs_.size() % 3 == 0) drop_contexts();
    compare();
    while (!registrations_.empty()) forget(registrations_.size() - 1);
    drop_buffers();
    drop_contexts();
    compare();
    return difference_;
  }

 private:
  void differs(const std::string& what, const std::string& model, const std::string& library) {
    if (difference_.empty())
      difference_ = at_ + ": " + what + ": the model says " + model + ", it is " + library;
  }
  template <class Number>
  void equal(const std::string& what, Number model, Number library) {
    if (model != library) differs(what, std::to_string(model), std::to_string(library));
  }
  template <class T>
  bool as_wanted(const std::string& what, const Wanted& wanted, const Result<T>& result) {
    const Wanted found = result ? Wanted() : Wanted(result.error().kind);
    if (found != wanted) differs(what, word(wanted), result ? "success" : result.error().message());
    return result.has_value() && difference_.empty();
  }

  std::optional<std::size_t> held_memory(std::uint8_t number) const {
    std::vector<std::size_t> held;
    for (std::size_t i = 0; i < memories_.size(); ++i)
      if (memories_[i].held()) held.push_back(i);
    if (held.empty()) return {};
    return held[number % held.size()];
  }

  void step(const Step& step) {
    const std::size_t slot = step.context % context_count;
    switch (step.what) {
      case Do::allocate: allocate(); break;
      case Do::register_all:
      case Do::register_some:
      case Do::register_twice:
      case Do::register_unknown:
        if (const auto memory = held_memory(step.object)) register_with(slot, *memory, step);
        break;
      case Do::close:
        if (!registrations_.empty()) {
          Registration& one = registrations_[step.object % registrations_.size()];
          (void)as_wanted("close", Wanted(), std::move(*one.real).close());
          forget(step.object % registrations_.size());
        }
        break;
      case Do::drop_registration:
        if (!registrations_.empty()) forget(step.object % registrations_.size());
        break;
      case Do::drop_buffer:
        if (const auto memory = held_memory(step.object)) memories_[*memory].buffer = {};
        break;
      case Do::drop_context:
        contexts_[slot] = bench_.new_context();
        context_ids_[slot] = next_context_id_++;
        break;
    }
    compare();
  }

  void allocate() {
    const ExpectedMemory expected = expected_memory(case_.form, specs_);
    const auto keep = [&](auto made) {
      if (!as_wanted("allocate", expected.outcome, made)) return;
      Memory memory{.bytes = expected.bytes,
                    .offsets = {},
                    .total_bytes = expected.total_bytes,
                    .allocations = expected.allocations,
                    .buffer = {}};
      look_at(*made, memory);
      memory.buffer = std::move(*made);
      memories_.push_back(std::move(memory));
    };
    switch (case_.form) {
      case Form::per_tensor: keep(SharedBuffer<PerTensor>::allocate(bench_.rpcmem, specs_)); break;
      case Form::dma_buf: keep(SharedBuffer<DmaBuf>::allocate(bench_.rpcmem, specs_)); break;
      case Form::multi_tensor:
        keep(SharedBuffer<MultiTensor>::allocate(bench_.rpcmem, specs_));
        break;
      case Form::scheduled: {
        std::vector<ScheduledTensor> scheduled;
        for (std::size_t i = 0; i < specs_.size(); ++i)
          scheduled.push_back({specs_[i], first_use(i), last_use(i)});
        keep(SharedBuffer<MultiTensor>::allocate(bench_.rpcmem,
                                                 std::span<const ScheduledTensor>(scheduled)));
        break;
      }
    }
  }
  bool one_buffer() const {
    return case_.form == Form::multi_tensor || case_.form == Form::scheduled;
  }
  std::uint64_t first_use(std::size_t tensor) const { return case_.tensors[tensor].first_use; }
  std::uint64_t last_use(std::size_t tensor) const {
    return first_use(tensor) + case_.tensors[tensor].more_uses;
  }

  /// Checks the placement of the tensors: sizes, alignment, and no overlap of tensors that are in
  /// use at the same time.
  template <class Of>
  void look_at(const SharedBuffer<Of>& buffer, Memory& memory) {
    if (case_.form == Form::scheduled) {
      if (buffer.size_bytes() > memory.total_bytes)
        differs("bytes of the buffer", "at most " + std::to_string(memory.total_bytes),
                std::to_string(buffer.size_bytes()));
      memory.total_bytes = buffer.size_bytes();
    }
    equal("bytes of the buffer", memory.total_bytes, buffer.size_bytes());
    equal("tensors of the buffer", specs_.size(), buffer.tensors().size());
    std::vector<std::span<std::byte>> spans;
    for (std::size_t i = 0; i < buffer.tensors().size() && difference_.empty(); ++i) {
      const TensorPlacement& placement = buffer.tensors()[i];
      const std::uint64_t offset = placement.offset_bytes;
      if (placement.spec.name != names_[i]) differs("a tensor", names_[i], placement.spec.name);
      equal("bytes of " + names_[i], memory.bytes[i], placement.size_bytes);
      if (one_buffer() ? offset % tensor_alignment_bytes != 0 : offset != 0)
        differs("offset of " + names_[i], one_buffer() ? "a multiple of 128" : "0",
                std::to_string(offset));
      if (one_buffer() && offset + placement.size_bytes > memory.total_bytes)
        differs("end of " + names_[i], "at most " + std::to_string(memory.total_bytes),
                std::to_string(offset + placement.size_bytes));
      memory.offsets.push_back(offset);
      const auto span = buffer.template access<std::byte>(names_[i], CpuUse::read);
      if (!span) return differs("elements of " + names_[i], "success", span.error().message());
      equal("elements of " + names_[i], memory.bytes[i], std::uint64_t{span->size()});
      spans.push_back(span->elements());
    }
    for (std::size_t i = 0; i < spans.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (spans[i].data() < spans[j].data() + spans[j].size() &&
            spans[j].data() < spans[i].data() + spans[i].size() && meet(i, j))
          differs("bytes of " + names_[j] + " and " + names_[i], "apart", "overlapping");
  }
  bool meet(std::size_t a, std::size_t b) const {
    return case_.form != Form::scheduled ||
           (first_use(a) <= last_use(b) && first_use(b) <= last_use(a));
  }

  /// Tensors with equal keys have the same handle. A key stands for a buffer and an offset in it.
  std::uint64_t key(const Memory& memory, std::size_t tensor) const {
    return one_buffer() ? memory.offsets[tensor] : tensor;
  }

  Wanted expected_registration(const Memory& memory, std::size_t index, std::uint64_t context,
                               const Step& step, const std::set<std::size_t>& tensors) const {
    if (step.what == Do::register_unknown) return Errc::unknown_name;
    if (step.what == Do::register_twice && !tensors.empty()) return Errc::duplicate_name;
    if (tensors.empty()) return Errc::empty;
    for (const std::size_t tensor : tensors)
      if (memory.bytes[tensor] > device_tensor_bytes) return Errc::too_large;
    for (const Registration& other : registrations_)
      if (other.memory == index && other.context == context)
        for (const std::size_t theirs : other.tensors)
          for (const std::size_t ours : tensors)
            if (key(memory, theirs) == key(memory, ours)) return Errc::already_registered;
    for (const std::size_t tensor : tensors)
      if (element_bits(specs_[tensor].data_type) < 8)
        // the device refuses this tensor, and with it the whole registration (SHB-03)
        return Errc::qnn;
    return {};
  }

  void register_with(std::size_t slot, std::size_t index, const Step& step) {
    Memory& memory = memories_[index];
    std::set<std::size_t> tensors;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (step.what == Do::register_all || (step.tensors >> i & 1) != 0) {
        tensors.insert(i);
        names.push_back(names_[i]);
      }
    if (step.what == Do::register_twice && !names.empty()) names.push_back(names.front());
    if (step.what == Do::register_unknown) names.push_back("nobody");
    const std::uint64_t context = context_ids_[slot];
    const Wanted wanted = expected_registration(memory, index, context, step, tensors);
    auto made = std::visit(
        [&]<class Real>(const Real& buffer) -> Result<RegisteredTensors> {
          if constexpr (std::is_same_v<Real, std::monostate>)
            std::abort();
          else if (step.what == Do::register_all)
            return RegisteredTensors::create(contexts_[slot], buffer);
          else
            return RegisteredTensors::create(contexts_[slot], buffer, names);
        },
        memory.buffer);
    if (!as_wanted("register", wanted, made)) return;

    Registration one{.memory = index,
                     .context = context,
                     .tensors = tensors,
                     .handles = {},
                     .real = std::move(*made)};
    std::map<std::uint64_t, c_api::MemHandle> by_key;
    for (const std::size_t tensor : tensors) one.handles.insert(key(memory, tensor));
    equal("handles", one.handles.size(), one.real->handle_count());
    for (std::size_t i = 0; i < specs_.size() && difference_.empty(); ++i) {
      const auto handle = one.real->native(names_[i]);
      const bool known = tensors.contains(i);
      if (!as_wanted("handle of " + names_[i], known ? Wanted() : Errc::unknown_name, handle))
        continue;
      const auto [at, is_first] = by_key.emplace(key(memory, i), *handle);
      if (!is_first && at->second != *handle)
        differs("handle of " + names_[i], "that of the tensor at the same byte", "another");
    }
    std::set<c_api::MemHandle> distinct;
    for (const auto& [bytes, handle] : by_key) distinct.insert(handle);
    equal("distinct handles", by_key.size(), distinct.size());
    ++memory.registrations;
    registrations_.push_back(std::move(one));
  }

  void forget(std::size_t index) {
    --memories_[registrations_[index].memory].registrations;
    registrations_.erase(registrations_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  /// Compares the device and the allocator with the model.
  void compare() {
    if (!difference_.empty()) return;
    std::uint64_t handles = 0;
    std::uint64_t mapped_bytes = 0;
    std::set<std::pair<std::size_t, std::size_t>> files;
    std::set<std::uint64_t> contexts(context_ids_.begin(), context_ids_.end());
    for (const Registration& one : registrations_) {
      const Memory& memory = memories_[one.memory];
      handles += one.handles.size();
      contexts.insert(one.context);
      std::set<std::uint64_t> counted;
      for (const std::size_t tensor : one.tensors) {
        files.emplace(one.memory, one_buffer() ? 0 : tensor);
        if (counted.insert(key(memory, tensor)).second) mapped_bytes += memory.bytes[tensor];
      }
    }
    std::uint64_t allocations = 0;
    std::uint64_t allocated_bytes = 0;
    for (const Memory& memory : memories_)
      if (memory.held() || memory.registrations != 0) {
        allocations += memory.allocations;
        allocated_bytes += memory.total_bytes;
      }
    const sim::Counters device = control().counters();
    const auto since = [&](std::uint64_t sim::Counters::* member) {
      return device.*member - device_before_.*member;
    };
    equal("registrations on the device", handles, since(&sim::Counters::live_tensor_registrations));
    equal("bytes mapped by the device", mapped_bytes, since(&sim::Counters::mapped_bytes));
    equal("buffers mapped by the device", std::uint64_t{files.size()},
          since(&sim::Counters::device_mappings));
    equal("contexts", std::uint64_t{contexts.size()}, since(&sim::Counters::live_contexts));
    equal("misuses", std::uint64_t{0}, since(&sim::Counters::misuses));
    equal("registrations that a context had to drop", std::uint64_t{0},
          since(&sim::Counters::left_registrations));
    const sim::RpcmemCounters rpcmem = rpcmem_control().counters();
    equal("allocations", allocations, rpcmem.live_allocations - rpcmem_before_.live_allocations);
    equal("allocated bytes", allocated_bytes, rpcmem.live_bytes - rpcmem_before_.live_bytes);
    equal("descriptors", allocations, rpcmem.live_fds - rpcmem_before_.live_fds);
    equal("memory freed while the device maps it", rpcmem_before_.freed_while_mapped,
          rpcmem.freed_while_mapped);
  }

  const Bench& bench_;
  const Case& case_;
  std::vector<std::string> names_;
  std::vector<TensorSpec> specs_;
  std::vector<Memory> memories_;
  std::vector<Registration> registrations_;
  std::vector<Context<Finalized>> contexts_;
  std::vector<std::uint64_t> context_ids_;
  std::uint64_t next_context_id_ = context_count;
  sim::Counters device_before_{};
  sim::RpcmemCounters rpcmem_before_{};
  std::string at_ = "the first allocate";
  std::string difference_;
};

// ---- the property ------------------------------------------------------------------------------

/// Number of cases: ten thousand in the optimised build, a tenth in the others.
#if defined(NDEBUG)
constexpr int cases = 10'000;
#else
constexpr int cases = 1'000;
#endif

class random_tensors : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    set(&sim::Config::dma_buf, 1);
    bench_.push_back({&backend(), allocator(), binary_of(backend(), {Network{}})});
  }
  void TearDown() override {
    bench_.clear();
    LoadedTest::TearDown();
  }
  const Bench& bench() const { return bench_.front(); }

 private:
  std::vector<Bench> bench_;
};

TEST_F(random_tensors, ION_03_SHB_02_SHB_03_SHB_05_random_lists_do_as_the_model_says) {
  EXPECT_TRUE(holds("random_tensors", {.seed = 20220630, .count = cases}, [&] {
    const Case one = *any_case();
    const std::string difference = Runner(bench(), one).run();
    if (!difference.empty()) RC_FAIL(difference);
  }));
}

}}  // namespace support
