// The steps of docs/states.txt, from which docs/states.svg is drawn, are exactly the transitions
// that compile.
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/qnnpp.hpp"

namespace states_table { namespace {

namespace q = qnnpp;
using Bytes = std::vector<std::byte>;

/// Name of a step's first or last state in the table.
template <class T>
constexpr const char* name_of = nullptr;
template <>
constexpr const char* name_of<q::Backend<q::Htp>> = "backend";
template <>
constexpr const char* name_of<q::ContextBinary> = "binary";
template <>
constexpr const char* name_of<Bytes> = "binary";
template <>
constexpr const char* name_of<q::MemRegion<q::Weights>> = "weights";
template <>
constexpr const char* name_of<q::Context<q::Deferred>> = "Context.Deferred";
template <>
constexpr const char* name_of<q::Context<q::Queried>> = "Context.Queried";
template <>
constexpr const char* name_of<q::Context<q::Registered>> = "Context.Registered";
template <>
constexpr const char* name_of<q::Context<q::Finalized>> = "Context.Finalized";
template <>
constexpr const char* name_of<q::Context<q::Composing>> = "Context.Composing";
template <>
constexpr const char* name_of<q::Context<q::Composed>> = "Context.Composed";
template <>
constexpr const char* name_of<q::Graph<q::Composing>> = "Graph.Composing";
template <>
constexpr const char* name_of<q::Graph<q::Retrieved>> = "Graph.Retrieved";
template <>
constexpr const char* name_of<q::Graph<q::Bound>> = "Graph.Bound";
template <>
constexpr const char* name_of<q::Pipeline> = "Pipeline";

template <class... T>
struct Types {};
using All = Types<q::Backend<q::Htp>, q::ContextBinary, q::Context<q::Deferred>,
                  q::Context<q::Queried>, q::Context<q::Registered>, q::Context<q::Finalized>,
                  q::Context<q::Composing>, q::Context<q::Composed>, q::Graph<q::Composing>,
                  q::Graph<q::Retrieved>, q::Graph<q::Bound>, q::Pipeline>;

/// Returns any object, for expressions that are never evaluated.
template <class T>
T any();

/// Adds "From step To" for each From and To between which a step compiles.
class Transitions {
 public:
  Transitions() { from_each(All{}); }
  std::multiset<std::string> found;

 private:
  template <class... From>
  void from_each(Types<From...>) {
    (from<From>(), ...);
    (to_each<From>(All{}), ...);
  }

  /// Adds steps that are members of their first state, and steps that only one type has.
  template <class From>
  void from() {
    if constexpr (requires { any<From>().query(); })
      add<From, decltype(any<From>().query())>("query");
    if constexpr (requires { any<From>().register_buffers(any<q::ExternalBuffers>()); })
      add<From, decltype(any<From>().register_buffers(any<q::ExternalBuffers>()))>(
          "register_buffers");
    if constexpr (requires { any<From>().finalize(); })
      add<From, decltype(any<From>().finalize())>("finalize");
    if constexpr (requires { any<From>().serialize(); })
      add<From, decltype(any<From>().serialize())>("serialize");
    if constexpr (requires { any<From>().reclaim(); })
      add<From, decltype(any<From>().reclaim())>("reclaim");
    if constexpr (requires { any<From>().bind(any<const q::RegisteredTensors&>()); })
      add<From, decltype(any<From>().bind(any<const q::RegisteredTensors&>()))>("bind");
    if constexpr (requires { any<From>().unbind(); })
      add<From, decltype(any<From>().unbind())>("unbind");
    if constexpr (requires { any<From&>().execute(); }) add<From, From>("execute");
    if constexpr (requires {
                    q::Pipeline::create(any<q::MemfdAllocator>(), any<std::vector<From>>());
                  })
      add<From, q::Pipeline>("create");
  }

  template <class From, class... To>
  void to_each(Types<To...>) {
    (to<From, To>(), ...);
  }
  /// Adds steps that are static members of their last state.
  template <class From, class To>
  void to() {
    using Text = std::string;
    if constexpr (requires { To::create(any<const From&>()); }) add<From, To>("create");
    if constexpr (requires { To::create(any<q::Backend<q::Htp>>(), any<From>()); })
      add<From, To>("create");
    if constexpr (requires { To::restore(any<q::Backend<q::Htp>>(), any<From>()); })
      add<From, To>("restore");
    if constexpr (requires { To::create(any<const From&>(), any<Text>()); })
      add<From, To>("create");
    if constexpr (requires { To::retrieve(any<const From&>(), any<Text>()); })
      add<From, To>("retrieve");
  }

  template <class T>
  struct Held {
    using type = T;
  };
  template <class T>
  struct Held<q::Result<T>> {
    using type = T;
  };
  template <class From, class Outcome>
  void add(const char* step) {
    using To = typename Held<Outcome>::type;
    static_assert(name_of<From> != nullptr && name_of<To> != nullptr);
    found.insert(std::string(name_of<From>) + " " + step + " " + name_of<To>);
  }
};

struct Table {
  std::multiset<std::string> states;
  std::multiset<std::string> steps;  ///< "From step To"
};

Table read_table(const char* file) {
  Table table;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream columns(line);
    std::string kind, first, second, third;
    columns >> kind >> first >> second >> third;
    if (kind == "state") table.states.insert(first);
    if (kind == "step") table.steps.insert(first + " " + second + " " + third);
  }
  return table;
}

TEST(the_table_of_the_states, has_a_step_for_each_transition_that_compiles_and_no_other) {
  EXPECT_EQ(read_table(QNNPP_DOCS "/states.txt").steps, Transitions().found);
}

template <class... T>
std::multiset<std::string> names_of(Types<T...>) {
  return {name_of<T>...};
}

TEST(the_table_of_the_states, has_each_state_once) {
  EXPECT_EQ(read_table(QNNPP_DOCS "/states.txt").states, names_of(All{}));
}

// The picture says this in words: each context and each graph can be closed, and no pipeline
// consists of graphs for raw memory.
template <class T>
concept closes = requires { any<T>().close(); };
static_assert(closes<q::Context<q::Deferred>> && closes<q::Context<q::Queried>> &&
              closes<q::Context<q::Registered>> && closes<q::Context<q::Finalized>> &&
              closes<q::Context<q::Composing>> && closes<q::Context<q::Composed>> &&
              closes<q::Graph<q::Composing>> && closes<q::Graph<q::Retrieved>> &&
              closes<q::Graph<q::Bound>>);
template <class Io>
concept makes_a_pipeline = requires {
  q::Pipeline::create(any<q::MemfdAllocator>(), any<std::vector<q::Graph<q::Retrieved, Io>>>());
};
static_assert(makes_a_pipeline<q::AnyIo> && makes_a_pipeline<q::RegisteredIo> &&
              !makes_a_pipeline<q::RawIo>);

}}  // namespace states_table
