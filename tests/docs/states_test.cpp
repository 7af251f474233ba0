// The arrows of docs/states.svg are the transitions that compile: no more and no less.
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/qnnpp.hpp"

namespace states_picture {
namespace {

namespace q = qnnpp;
using Bytes = std::vector<std::byte>;

/// What an arrow begins or ends at, as data-arrow names it.
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

/// Any object, for expressions that are never evaluated.
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

  /// Steps that are members of what they begin at, and those that are members of one type.
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
  /// Steps that are static members of what they make.
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

std::multiset<std::string> arrows_of(const char* file) {
  std::ifstream stream(file);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  const std::string key = "data-arrow=\"";
  std::multiset<std::string> arrows;
  for (std::size_t at = svg.find(key); at != std::string::npos; at = svg.find(key, at)) {
    at += key.size();
    arrows.insert(svg.substr(at, svg.find('"', at) - at));
  }
  return arrows;
}

TEST(the_picture_of_the_states, has_an_arrow_for_each_transition_that_compiles_and_no_other) {
  EXPECT_EQ(arrows_of(QNNPP_DOCS "/states.svg"), Transitions().found);
}

// What the picture says in words: each context and each graph can be closed, and no pipeline is
// made of graphs for raw memory.
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

}  // namespace
}  // namespace states_picture
