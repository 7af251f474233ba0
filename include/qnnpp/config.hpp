// Macros of qnnpp: refusals, move-only classes, where definitions are, and clang's consumed
// attributes. The namespace's macros are in version.hpp, those of propagation in core/result.hpp.
//
// A refusal is an overload that no program may call. Calling it is a compile error whose first line
// says what is wrong and what to write instead. A `requires` expression finds it not callable.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>

#include "qnnpp/version.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Sentence of a refusal as a template argument, which compilers print in a signature. Has no
/// constructor, because the compiler would run it for every refusal.
template <std::size_t N>
struct Words {
  char text[N];  ///< The sentence and its NUL.
};
template <std::size_t N>
Words(const char (&)[N]) -> Words<N>;

/// Carries a sentence in its name. Never defined.
template <Words>
struct Because;

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

// QNNPP_REFUSE("what is wrong; what to write instead", ReturnType, name(parameters) qualifiers);
//   Refuses a function. The sentence is the first line of the error with clang and with compilers
//   that know `= delete("reason")`. Other compilers print it in the deleted function's signature.
// QNNPP_REFUSE_CONSTRUCTOR("sentence", Type, parameters): refuses a constructor.
// QNNPP_MOVE_ONLY(Type, "sentence"): refuses copies and defaults both moves.
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
// The #else branch repeats the macro above, because each nested macro adds three lines to an error.
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

// QNNPP_INLINE: where definitions are. By default, each header includes the definitions of its
// functions from impl/<layer>/, and the functions are inline. If all sources of a program define
// QNNPP_SEPARATE, only the source that includes qnnpp/definitions.hpp has the definitions.
#if defined(QNNPP_SEPARATE)
#define QNNPP_INLINE
#else
#define QNNPP_INLINE inline
#endif

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {
/// The sentence of the linker's error if a program has both forms: it reports that one source
/// declares this name as thread-local and another does not. Nothing uses the object. A program that
/// the linkers gold and mold link, and Android before API 29, have no such error.
#if defined(QNNPP_SEPARATE)
[[gnu::visibility("hidden")]] extern thread_local const char
    all_sources_of_a_program_define_QNNPP_SEPARATE_or_none_does;
#else
[[gnu::visibility("hidden"),
  gnu::used]] inline constexpr char all_sources_of_a_program_define_QNNPP_SEPARATE_or_none_does = 0;
#endif
}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

// Attributes for clang's -Wconsumed, which reports a use of an object that a transition consumed.
// g++ warns of attributes that it does not know, so there they are empty.
#if defined(__clang__)
// A class whose objects are consumed.
#define QNNPP_LINEAR [[clang::consumable(unconsumed)]]
// A member function that needs an object which is not consumed.
#define QNNPP_LIVE [[clang::callable_when("unconsumed", "unknown")]]
// A transition: it needs an object that is not consumed, and consumes it.
#define QNNPP_CONSUMES \
  [[clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)]]
// A parameter `Object& object` that the function leaves usable.
#define QNNPP_KEEPS [[clang::param_typestate(unconsumed), clang::return_typestate(unconsumed)]]
#else
#define QNNPP_LINEAR
#define QNNPP_LIVE
#define QNNPP_CONSUMES
#define QNNPP_KEEPS
#endif
