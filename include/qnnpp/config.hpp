// The home of macros: refusals, move-only handles, where definitions are, the slow path, contracts,
// and clang's consumed attributes. (The namespace of a build is in version.hpp.)
//
// A refusal is an overload that exists to be read: choosing it is a compile error whose first line
// says what is wrong and what to write instead. A `requires` probe sees it as "not callable".
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>

#include "qnnpp/version.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Words of a refusal as a template argument, so that a compiler prints them in a signature. No
/// constructor, which the compiler would have to run for each.
template <std::size_t N>
struct Words {
  char text[N];
};
template <std::size_t N>
Words(const char (&)[N]) -> Words<N>;

/// Never defined: only its name, with the words in it, is wanted.
template <Words>
struct Because;

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

// QNNPP_REFUSE("what is wrong; what to write instead", ReturnType, name(parameters) qualifiers);
//   clang: the words are the first line of the error.
//   others: the function is deleted and the words ride in its printed signature.
// QNNPP_REFUSE_CONSTRUCTOR("words", Type, parameters): the same for a constructor.
// QNNPP_MOVE_ONLY(Type, "words"): a refused copy with its defaulted moves.
#if defined(__clang__)
#define QNNPP_REFUSE(why, ret, ...) __attribute__((unavailable(why))) ret __VA_ARGS__
#define QNNPP_REFUSE_CONSTRUCTOR(why, type, ...) __attribute__((unavailable(why))) type(__VA_ARGS__)
#elif defined(__cpp_deleted_function)
#define QNNPP_REFUSE(why, ret, ...) ret __VA_ARGS__ = delete (why)
#define QNNPP_REFUSE_CONSTRUCTOR(why, type, ...) type(__VA_ARGS__) = delete (why)
#else
#define QNNPP_REFUSE(why, ret, ...) \
  ::qnnpp::detail::Because<::qnnpp::detail::Words{why}> __VA_ARGS__ = delete
#define QNNPP_REFUSE_CONSTRUCTOR(why, type, ...) \
  type(__VA_ARGS__, ::qnnpp::detail::Because<::qnnpp::detail::Words{why}>* = nullptr) = delete
#endif
// Written out, as each macro within a macro costs a message three lines.
#if defined(__clang__) || defined(__cpp_deleted_function)
#define QNNPP_MOVE_ONLY(type, why)                  \
  QNNPP_REFUSE_CONSTRUCTOR(why, type, const type&); \
  type& operator=(const type&) = delete;            \
  type(type&&) noexcept = default;                  \
  type& operator=(type&&) noexcept = default
#else
#define QNNPP_MOVE_ONLY(type, why)                                                              \
  type(const type&, ::qnnpp::detail::Because<::qnnpp::detail::Words{why}>* = nullptr) = delete; \
  type& operator=(const type&) = delete;                                                        \
  type(type&&) noexcept = default;                                                              \
  type& operator=(type&&) noexcept = default
#endif

// Where functions that are no templates are defined: by the header itself through impl/<layer>/,
// inline; or, with QNNPP_SEPARATE defined for all sources of a program, by the one of them that
// includes qnnpp/definitions.hpp. QNNPP_ON_USE before a declaration and QNNPP_INLINE_ON_USE before
// its definition are for large functions: inline they are templates, which cost next to nothing in
// a source that does not call them.
#if defined(QNNPP_SEPARATE)
#define QNNPP_INLINE
#define QNNPP_ON_USE
#define QNNPP_INLINE_ON_USE
#else
#define QNNPP_INLINE inline
#define QNNPP_ON_USE template <class = void>
#define QNNPP_INLINE_ON_USE template <class>
#endif

// A function of the slow path: kept out of its callers, so that the fast path is short. Calls of a
// cold one are put far away too, unless the jumps there and back would be longer than the call:
// then it is only out of line. Always in line is what is smaller than a call of it.
#if defined(__GNUC__) || defined(__clang__)
#define QNNPP_COLD [[gnu::cold, gnu::noinline]]
#define QNNPP_OUT_OF_LINE [[gnu::noinline]]
#define QNNPP_ALWAYS_INLINE [[gnu::always_inline]]
#else
#define QNNPP_COLD
#define QNNPP_OUT_OF_LINE
#define QNNPP_ALWAYS_INLINE
#endif

// A contract: ends the program with the sentence unless the condition holds. The sentence names the
// object and says what to do instead. Needs qnnpp/core/detail/contract.hpp.
#define QNNPP_EXPECTS(condition, sentence) \
  ((condition) ? static_cast<void>(0) : ::qnnpp::detail::contract_broken(sentence))

// Use after a transition: clang's -Wconsumed follows objects whose class carries these.
#if defined(__clang__)
#define QNNPP_LINEAR [[clang::consumable(unconsumed)]]
#define QNNPP_FRESH [[clang::return_typestate(unconsumed)]]
#define QNNPP_LIVE [[clang::callable_when("unconsumed", "unknown")]]
#define QNNPP_CONSUMES \
  [[clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)]]
// On a parameter `Object& object`: the function leaves the object usable.
#define QNNPP_KEEPS [[clang::param_typestate(unconsumed), clang::return_typestate(unconsumed)]]
#else
#define QNNPP_LINEAR
#define QNNPP_FRESH
#define QNNPP_LIVE
#define QNNPP_CONSUMES
#define QNNPP_KEEPS
#endif
