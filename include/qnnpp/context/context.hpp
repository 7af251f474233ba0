// Context<State>: a QNN context whose type says how far it has come.
//
//   Deferred --query()--> Queried --register_buffers()--> Registered --finalize()--> Finalized
//   restore() ---------------------------------------------------------------------> Finalized
//   Composing --finalize()--> Composed
//
// A transition is called on an rvalue, consumes its object and returns Result of the next state. On
// failure everything that the context owned is released, in the right order, before it returns.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/external_buffers.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

template <class State>
class Context;

namespace detail {

struct ListRestorer;

/// What a context has in every state.
class QNNPP_LINEAR ContextHandle {
 public:
  /// The binary's file or name; of a composed context, the name given.
  [[nodiscard]] QNNPP_LIVE const std::string& name() const& { return block().name; }
  /// Of a temporary a copy, which does not dangle.
  [[nodiscard]] QNNPP_LIVE std::string name() const&& { return block().name; }

  /// The C handle, owned by this object.
  [[nodiscard]] QNNPP_LIVE c_api::ContextHandle native() const& { return block().handle(); }
  QNNPP_REFUSE("native() of a temporary would dangle; name the context first", c_api::ContextHandle,
               native() const&&);

  /// Frees the context now (QnnContext_free), after giving back registrations that are not QNN's
  /// yet (ORD-07), and returns the first error. While graphs or registered tensors of it live it is
  /// `in_use`: the last of them frees it then.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() && { return close_context(take()); }
  QNNPP_REFUSE("close() consumes the context; write std::move(context).close()", Result<void>,
               close() const&);

 protected:
  QNNPP_FRESH explicit ContextHandle(Ref<ContextBlock> block) : block_(std::move(block)) {}

  [[nodiscard]] ContextBlock& block() const;
  [[nodiscard]] Ref<ContextBlock> take();

 private:
  friend struct Access;

  Ref<ContextBlock> block_;
};

}  // namespace detail

// ------------------------------------------------------------------------------------ Finalized

/// A complete context: its graphs can be retrieved and executed.
///
/// Threads: any number of them may call its const members, retrieve graphs of it, execute them and
/// register tensors with it at the same time; what is made from it may be destroyed on any thread.
/// Moving or consuming the object while another thread uses it is a race. In every other state a
/// context is used by one thread at a time, and different contexts by different threads.
template <>
class QNNPP_LINEAR Context<Finalized> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Creates a context at once, without external buffers (QnnContext_createFromBinary). The binary
  /// is dropped before this returns, unless the context is persistent.
  ///
  /// Errors: `qnn` with what the C function returns, e.g. 1002 (no room), 5005, 30001 (not a
  /// context binary), 30010 (a damaged one); a creation that returns UNDEFINED is repeated, at most
  /// twice (RES-03); `wrong_architecture` for a binary of a newer device (RES-04); `foreign_object`
  /// for the head of a group of another backend, `invalid_argument` for a head that is none, a
  /// group of 0 bytes, or a memory limit without persistent_binary (EXT-09); `too_small` for a
  /// group of fewer bytes than the binary's metadata asks for (GRP-01); `unknown_name` and
  /// `capability_missing` as for Context<Deferred>::create().
  [[nodiscard]] static Result<Context> restore(const Backend<Htp>& backend, ContextBinary binary,
                                               const RestoreOptions& options = {});

  /// This context as the head of a group, for RestoreOptions of the others. They keep it alive
  /// (GRP-03). It must have been restored with ContextGroup::head().
  [[nodiscard]] QNNPP_LIVE ContextGroup as_group_head() const;

  /// Its graphs that are brought up, with inputs and outputs; empty where no system library could
  /// tell, and retrieving one says why. The vector is valid until the context is destroyed.
  [[nodiscard]] QNNPP_LIVE const std::vector<GraphSpec>& graphs() const& { return block().graphs; }
  QNNPP_REFUSE("graphs() of a temporary would dangle; name the context first",
               const std::vector<GraphSpec>&, graphs() const&&);

  /// Takes the right to execute graphs of all contexts that share this one's spill-fill memory, as
  /// SharedSpillFill::lease() does. Errors: `would_deadlock`.
  [[nodiscard]] QNNPP_LIVE Result<SpillFillLease> lease() const {
    return detail::Access::make<SpillFillLease>(block().lock, block().name);
  }
  /// The same without waiting. Errors: `would_deadlock`, `in_use`.
  [[nodiscard]] QNNPP_LIVE Result<SpillFillLease> try_lease() const {
    return detail::Access::make<SpillFillLease>(block().lock, block().name, 0.0, Errc::in_use);
  }
  /// The same, waiting for a std::chrono::duration at most. Errors: `would_deadlock`, `timed_out`.
  template <detail::Duration Time>
  [[nodiscard]] QNNPP_LIVE Result<SpillFillLease> lease_for(const Time& at_most) const {
    return detail::Access::make<SpillFillLease>(block().lock, block().name,
                                                detail::seconds_of(at_most), Errc::timed_out);
  }

  /// Frees the context as close() does and returns its weights buffer for another context; empty if
  /// it had none. Errors: `in_use`, and what QnnContext_free returns. The context is consumed then
  /// too, and the buffer is freed with it: check_reclaim() asks beforehand.
  [[nodiscard]] QNNPP_CONSUMES Result<MemRegion<Weights>> reclaim() &&;
  QNNPP_REFUSE("reclaim() consumes the context; write std::move(context).reclaim()",
               Result<MemRegion<Weights>>, reclaim() const&);

  /// Whether reclaim() would find the context unused: `in_use` while graphs, registered tensors or
  /// members of its group live. Nothing is consumed, and QNN is not called. The answer holds until
  /// another thread makes something of the context.
  [[nodiscard]] QNNPP_LIVE Result<void> check_reclaim() const;

  QNNPP_REFUSE("this context is already finalized", Result<Context<Finalized>>, finalize() const);
  QNNPP_REFUSE("buffers are registered before finalize; use Context<Deferred>::create()",
               Result<Context<Finalized>>, register_buffers(const ExternalBuffers&) const);
  QNNPP_REFUSE("a context from a binary is not serialised; keep its binary",
               Result<std::vector<std::byte>>, serialize() const);

 private:
  template <class>
  friend class Context;
  friend struct detail::ListRestorer;
  QNNPP_FRESH explicit Context(Ref<detail::ContextBlock> block)
      : detail::ContextHandle(std::move(block)) {}
};

// ----------------------------------------------------------------------------------- Registered

/// A deferred context whose external buffers QNN knows (ORD-03).
template <>
class QNNPP_LINEAR Context<Registered> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Brings the graphs up (QnnContext_finalize): weights are written to their buffer. The binary is
  /// dropped then, unless the context is persistent. Errors: `qnn`, e.g. 1002 if no process domain
  /// has room, or UNDEFINED after an earlier load failed (RES-03); everything is released. QNN
  /// allows one try: to try again, create the context anew (ORD-13), as model::load() and
  /// model::Residency do.
  [[nodiscard]] QNNPP_CONSUMES Result<Context<Finalized>> finalize() &&;
  QNNPP_REFUSE("finalize() consumes the context; write std::move(context).finalize()",
               Result<Context<Finalized>>, finalize() const&);

  QNNPP_REFUSE("the buffers are registered already; call std::move(context).finalize()",
               Result<Context<Registered>>, register_buffers(const ExternalBuffers&) const);
  QNNPP_REFUSE("a context from a binary is not serialised; keep its binary",
               Result<std::vector<std::byte>>, serialize() const);

 private:
  template <class>
  friend class Context;
  QNNPP_FRESH explicit Context(Ref<detail::ContextBlock> block)
      : detail::ContextHandle(std::move(block)) {}
};

// -------------------------------------------------------------------------------------- Queried

/// A deferred context whose needs are known.
template <>
class QNNPP_LINEAR Context<Queried> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// What it needs of external buffers.
  [[nodiscard]] QNNPP_LIVE BufferRequirements requirements() const;

  /// Gives it external buffers (QnnMem_register); see ExternalBuffers for what may be left out.
  /// All or nothing is registered, and only what has a need (BUF-09).
  ///
  /// Errors, before any C call: `too_small` (BUF-03, BUF-10, and a file that is smaller than its
  /// buffer, BUF-16), `misaligned` (BUF-02),
  /// `purpose_mismatch` for one memory in both roles (BUF-07); `in_use` for weights in bytes that
  /// another context has, by whatever buffer (BUF-08); `invalid_argument` for a buffer that
  /// was moved from, and for weights
  /// at an offset in their file while Backend::external_weights() is not `confirmed`, because host
  /// libraries for Linux crash on them (EXT-08); then `qnn` with what QnnMem_register returns.
  /// The context is consumed then too, and the buffers are freed: check_buffers() asks beforehand.
  [[nodiscard]] QNNPP_CONSUMES Result<Context<Registered>> register_buffers(
      ExternalBuffers buffers) &&;
  QNNPP_REFUSE(
      "register_buffers() consumes the context; write std::move(context).register_buffers()",
      Result<Context<Registered>>, register_buffers(ExternalBuffers) const&);

  /// Whether register_buffers() would take these: the same errors before any C call, but nothing is
  /// consumed or registered.
  [[nodiscard]] QNNPP_LIVE Result<void> check_buffers(const ExternalBuffers& buffers) const;

  QNNPP_REFUSE("this context is already queried; see requirements()", Result<Context<Queried>>,
               query() const);
  QNNPP_REFUSE("buffers are not registered; call std::move(context).register_buffers() first",
               Result<Context<Finalized>>, finalize() const);
  QNNPP_REFUSE("a context from a binary is not serialised; keep its binary",
               Result<std::vector<std::byte>>, serialize() const);

 private:
  template <class>
  friend class Context;
  QNNPP_FRESH Context(Ref<detail::ContextBlock> block, const BufferRequirements& requirements)
      : detail::ContextHandle(std::move(block)), requirements_(requirements) {}

  BufferRequirements requirements_;
};

// ------------------------------------------------------------------------------------- Deferred

/// A context created from a binary with DEFER_GRAPH_INIT: nothing is brought up yet (ORD-01).
template <>
class QNNPP_LINEAR Context<Deferred> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Creates it (QnnContext_createFromBinary with DEFER_GRAPH_INIT). It owns the binary and the
  /// configuration until finalize has returned, because QNN reads both again then (ORD-05).
  ///
  /// Errors: `capability_missing` if the backend cannot defer (EXT-07) or is older than an option
  /// (CFG-04); `unknown_name` for an enabled graph that the binary lacks (CFG-03), which without a
  /// system library only execution finds; `wrong_architecture` (RES-04); and what the C function
  /// returns: 5005, 30001 or 30010 for a bad binary.
  [[nodiscard]] static Result<Context> create(const Backend<Htp>& backend, ContextBinary binary,
                                              const DeferredOptions& options = {});
  // A template, so that options which both structures have are those of a deferred context.
  template <class = void>
  static QNNPP_REFUSE(
      "external buffers exclude groups and switching; use Context<Finalized>::restore()",
      Result<Context>, create(const Backend<Htp>&, ContextBinary, const RestoreOptions&));

  /// Asks for its needs (QnnContext_getProperty, ORD-02). Errors: `slot_missing` before core 2.23,
  /// `qnn`; `invalid_argument` for an alignment that is no power of two. A need that could not be
  /// asked for is never a size.
  [[nodiscard]] QNNPP_CONSUMES Result<Context<Queried>> query() &&;
  QNNPP_REFUSE("query() consumes the context; write std::move(context).query()",
               Result<Context<Queried>>, query() const&);

  QNNPP_REFUSE("needs are not queried; call std::move(context).query() first", BufferRequirements,
               requirements() const);
  QNNPP_REFUSE("sizes are not known yet; call std::move(context).query() first",
               Result<Context<Registered>>, register_buffers(const ExternalBuffers&) const);
  QNNPP_REFUSE("a deferred context has no buffers yet; query() and register_buffers() first",
               Result<Context<Finalized>>, finalize() const);
  QNNPP_REFUSE("a context from a binary is not serialised; keep its binary",
               Result<std::vector<std::byte>>, serialize() const);

 private:
  template <class>
  friend class Context;
  QNNPP_FRESH explicit Context(Ref<detail::ContextBlock> block)
      : detail::ContextHandle(std::move(block)) {}
};

// -------------------------------------------------------------------------------------- Composed

/// A context composed online, all of whose graphs are finalized.
template <>
class QNNPP_LINEAR Context<Composed> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// The context as a binary, for a file or for ContextBinary::own() (QnnContext_getBinarySize,
  /// QnnContext_getBinary). Errors: `qnn`.
  [[nodiscard]] QNNPP_LIVE Result<std::vector<std::byte>> serialize() const;

 private:
  template <class>
  friend class Context;
  QNNPP_FRESH explicit Context(Ref<detail::ContextBlock> block)
      : detail::ContextHandle(std::move(block)) {}
};

// ------------------------------------------------------------------------------------- Composing

/// An empty or growing context: graphs are composed in it (Graph<Composing>::create).
template <>
class QNNPP_LINEAR Context<Composing> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Creates an empty context (QnnContext_create). Errors: `qnn`.
  [[nodiscard]] static Result<Context> create(const Backend<Htp>& backend,
                                              const ComposeOptions& options = {});
  template <detail::AnyResult Parent>
  static QNNPP_REFUSE("this is a Result; test it and pass *backend, or use value_or_throw()",
                      Result<Context>, create(const Parent&, const ComposeOptions& = {}));

  /// Ends the composing (ORD-10). Error: `incomplete` while a graph of it is not finalized; the
  /// context is released then, as the object is consumed: check_finalize() asks beforehand.
  [[nodiscard]] QNNPP_CONSUMES Result<Context<Composed>> finalize() &&;
  QNNPP_REFUSE("finalize() consumes the context; write std::move(context).finalize()",
               Result<Context<Composed>>, finalize() const&);

  /// Whether finalize() would succeed: the same error, but nothing is consumed.
  [[nodiscard]] QNNPP_LIVE Result<void> check_finalize() const;

  QNNPP_REFUSE("graphs are still open; call std::move(context).finalize() before serialize()",
               Result<std::vector<std::byte>>, serialize() const);

 private:
  QNNPP_FRESH explicit Context(Ref<detail::ContextBlock> block)
      : detail::ContextHandle(std::move(block)) {}
};

// ------------------------------------------------------------------------------ steps of a chain

/// Steps of a chain, as arguments of Result::and_then().
namespace step {

/// `create(...).and_then(step::query)`: Context<Deferred>::query().
inline constexpr struct Query {
  [[nodiscard]] Result<Context<Queried>> operator()(Context<Deferred> context) const;
} query;

/// `register_buffers(...).and_then(step::finalize)`: calls the object's finalize().
inline constexpr auto finalize = [](auto&& object) {
  return std::forward<decltype(object)>(object).finalize();
};

}  // namespace step

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/context.ipp"
#endif
