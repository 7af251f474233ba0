// Misuses of ContextBinary, and arguments that are not a ContextBinary.
#include "qnnpp/context/context_binary.hpp"

#include "qnnpp/context/context.hpp"

using namespace qnnpp;

// EXPECT: a context binary has one owner; write std::move(binary)
ContextBinary a_context_binary_is_not_copied(ContextBinary& binary) {
#if MISUSE == 1
  return ContextBinary(binary);
#else
  return ContextBinary(std::move(binary));
#endif
}

// EXPECT: a path is no binary; pass what ContextBinary::map(path) returns
bool a_path_is_no_binary(const Backend<Htp>& backend, const std::string& path) {
#if MISUSE == 2
  return Context<Deferred>::create(backend, path).has_value();
#else
  auto binary = ContextBinary::map(path);
  return binary && Context<Deferred>::create(backend, *std::move(binary)).has_value();
#endif
}

// EXPECT: a path is no binary; pass what ContextBinary::map(path) returns
bool a_literal_is_no_binary(const Backend<Htp>& backend) {
#if MISUSE == 3
  return Context<Finalized>::restore(backend, "a.bin").has_value();
#else
  auto binary = ContextBinary::map("a.bin");
  return binary && Context<Finalized>::restore(backend, *std::move(binary)).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(binary), or use value_or_throw()
bool a_result_is_no_binary(const Backend<Htp>& backend) {
#if MISUSE == 4
  return Context<Deferred>::create(backend, ContextBinary::map("a.bin")).has_value();
#else
  auto binary = ContextBinary::map("a.bin");
  return binary && Context<Deferred>::create(backend, *std::move(binary)).has_value();
#endif
}

// EXPECT: bytes of a temporary would dangle; name them first, or pass them to own()
bool bytes_of_a_temporary_are_not_borrowed(std::vector<std::byte> file) {
#if MISUSE == 5
  return ContextBinary::borrow(std::move(file), "file").has_value();
#else
  return ContextBinary::borrow(file, "file").has_value();
#endif
}

// EXPECT: bytes() of a temporary would dangle; name the binary first
std::span<const std::byte> the_bytes_of_a_temporary_binary_are_not_handed_out(
    ContextBinary& binary) {
#if MISUSE == 6
  return std::move(binary).bytes();
#else
  return binary.bytes();
#endif
}
