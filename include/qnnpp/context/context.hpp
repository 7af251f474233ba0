// Context<State>: a QNN context whose type names its state.
//
//   Deferred --query()--> Queried --register_buffers()--> Registered --finalize()--> Finalized
//   restore() or adopt() ----------------------------------------------------------> Finalized
//   Composing --finalize()--> Composed
//
// A transition is called on an rvalue, consumes its object and returns a Result of the next state.
// If it fails, it releases everything that the context owns, in the right order, before it returns.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context_description.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/external_buffers.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

template <class State>
class Context;

namespace detail {

struct ListRestorer;

/// Members of a context in every state.
class QNNPP_LINEAR ContextHandle {
 public:
  /// Path or name of the binary; for a composed context, ComposeOptions::name. Valid until the
  /// context is freed.
  [[nodiscard]] QNNPP_LIVE const std::string& name() const& { return block().name; }
  /// Copy of the name of a temporary.
  [[nodiscard]] QNNPP_LIVE std::string name() const&& { return block().name; }

  /// The C handle, owned by the context.
  [[nodiscard]] QNNPP_LIVE c_api::ContextHandle native() const& { return block().handle(); }
  QNNPP_REFUSE("native() of a temporary would dangle; name the context first", c_api::ContextHandle,
               native() const&&);

  /// Frees the context now (QnnContext_free) and returns the first error. Before finalize() it
  /// deregisters the external buffers first (ORD-07). Error: `in_use` while graphs or registered
  /// tensors of the context, or members of its group, live; the last of them frees the context.
  ///
  /// `profile` records the call of QnnContext_free, unless it is null. Error: `foreign_object` for
  /// a profile of another backend; the context is then freed without it.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close(Profile* profile = nullptr) && {
    return close_context(take(), profile);
  }
  QNNPP_REFUSE("close() consumes the context; write std::move(context).close()", Result<void>,
               close(Profile* = nullptr) const&);
  // Contexts that are composed have their own serialize().
  QNNPP_REFUSE("a context from a binary is not serialised; keep its binary",
               Result<std::vector<std::byte>>, serialize() const);

 protected:
  explicit ContextHandle(Ref<ContextBlock> block) : block_(std::move(block)) {}

  [[nodiscard]] ContextBlock& block() const;
  [[nodiscard]] Ref<ContextBlock> take();

 private:
  friend struct Access;

  Ref<ContextBlock> block_;
};

}  // namespace detail

// ------------------------------------------------------------------------------------ Finalized

/// A complete context, whose graphs can be retrieved and executed.
///
/// Threads: any number of threads may call const members, retrieve graphs, execute them and
/// register tensors at the same time. Objects made from the context may be destroyed on any thread.
/// Moving or consuming the context while another thread uses it is a data race.
template <>
class QNNPP_LINEAR Context<Finalized> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Creates a complete context, without external buffers (QnnContext_createFromBinary). Destroys
  /// `binary` before it returns, unless RestoreOptions::persistent_binary keeps it. Repeats a
  /// creation that returns UNDEFINED, at most twice (RES-03).
  ///
  /// Errors:
  /// - `qnn` with the code of the C function, such as 1002 (no room), 5005 (binary refused, or no
  ///   room), 30001 (not a context binary) or 30010 (damaged binary, or one whose metadata the
  ///   system library cannot read: BIN-02).
  /// - `wrong_architecture` for a binary of a newer device (RES-04).
  /// - `version_unsupported` for a binary of a newer SDK (BIN-01).
  /// - `unknown_name` and `capability_missing` as for Context<Deferred>::create().
  /// - `foreign_object` if the head of the group belongs to another backend.
  /// - `too_small` if the binary's metadata asks for more bytes than the group has (GRP-01).
  /// - `invalid_argument` for a context that is not a group's head, for a group of 0 bytes, for
  ///   graph switching without persistent_binary (EXT-09), for an unknown priority, and for the
  ///   name of an enabled graph that contains a NUL.
  [[nodiscard]] static Result<Context> restore(const Backend<Htp>& backend, ContextBinary binary,
                                               const RestoreOptions& options = {});

  /// Makes a Context of one that the program has created itself, with its backend, and finalized.
  /// Asks QNN for its graphs (QnnGraph_retrieve), and creates nothing.
  ///
  /// A borrowed context is never freed: destructors and close() make no call for it. An owned one
  /// is freed as that of restore() is, and stays the caller's if adopt() fails. Either way the
  /// program must not, until the last object made from the context is destroyed or release() has
  /// returned the handle:
  /// - free the context (QnnContext_free), nor its binary if that is persistent, nor its memory;
  /// - register memory that qnnpp registers too, or deregister what qnnpp has registered (SHB-05);
  /// - execute its graphs while qnnpp executes them (THR-02), or while it executes those of another
  ///   context that shares the spill-fill memory (BUF-12). qnnpp does not know which contexts
  ///   share it by a group of the program's own: their graphs must not run at the same time.
  ///
  /// The context has no external buffers to qnnpp: reclaim() returns none. New contexts of the
  /// same backend may have them.
  ///
  /// Errors:
  /// - `invalid_argument` for a null handle, for a description with both a binary and graphs or
  ///   with neither, for a graph without inputs or outputs, and for a graph's name that contains a
  ///   NUL.
  /// - `no_metadata` for a binary that lists no graph, or without a system library; the errors of
  ///   System::metadata().
  /// - `unknown_name` for an enabled graph that is not described.
  /// - `in_use` if a Context of this backend has the handle.
  /// - `qnn` with the code of QnnGraph_retrieve: 5002 if the library has no such context, 6003 if
  ///   the context has no such graph, 6023 if it is not finalized; `dead`; `foreign_process`.
  /// - `slot_missing` or `slot_null` for a function that is needed.
  [[nodiscard]] static Result<Context> adopt(const Backend<Htp>& backend,
                                             c_api::ContextHandle handle, Ownership ownership,
                                             ContextDescription description);

  /// Gives the C handle back, whether it was adopted or not; the caller then frees it
  /// (QnnContext_free) before its backend. Makes no call of QNN. Errors, with which the context
  /// ends as by its destructor: `in_use` while graphs or registered tensors of the context live,
  /// which names them; `invalid_argument` for a context with external buffers, a persistent binary
  /// or a group, and for one of a list, whose memory qnnpp owns; `dead` once the process exits;
  /// `foreign_process`.
  [[nodiscard]] QNNPP_CONSUMES Result<c_api::ContextHandle> release() &&;
  QNNPP_REFUSE("release() consumes the context; write std::move(context).release()",
               Result<c_api::ContextHandle>, release() const&);

  /// Group of which this context is the head, for RestoreOptions::group of the other members. The
  /// members keep this context alive (GRP-03). Requires a context restored with
  /// ContextGroup::head().
  [[nodiscard]] QNNPP_LIVE ContextGroup as_group_head() const;

  /// Graphs of the context, with inputs and outputs; only the enabled ones if the options name
  /// some. Empty if no system library read the metadata; retrieving a graph then returns the
  /// reason. Valid until the context is freed.
  [[nodiscard]] QNNPP_LIVE const std::vector<GraphSpec>& graphs() const& { return block().graphs; }
  QNNPP_REFUSE("graphs() of a temporary would dangle; name the context first",
               const std::vector<GraphSpec>&, graphs() const&&);

  /// Whether QNN has initialized the context's graphs on all hardware threads, as its options ask
  /// (init_acceleration), by the versions of binary and library.
  [[nodiscard]] QNNPP_LIVE Acceleration acceleration() const { return block().acceleration(); }

  /// The spill-fill memory that this context shares with others. It holds a buffer only if they
  /// share an external one. Its lease() covers the graphs of all these contexts, for every way of
  /// sharing.
  [[nodiscard]] QNNPP_LIVE SharedSpillFill spill_fill() const {
    const detail::ContextBlock& context = block();
    return context.spill_fill ? context.spill_fill
                              : detail::Access::make<SharedSpillFill>(context.lock);
  }

  /// The VTCM backup buffer of this context, empty if it has none. Error: that of QnnMem_register,
  /// 1000 or 8001, if the library or the chip takes none, so that register_buffers() left it out.
  [[nodiscard]] QNNPP_LIVE Result<SharedVtcmBackup> vtcm_backup() const {
    const detail::ContextBlock& context = block();
    if (context.vtcm_backup_error) return fail(Error(context.vtcm_backup_error->error));
    return context.vtcm_backup;
  }

  /// Frees the context as close() does and returns its weights buffer for another context; the
  /// region is empty if the context had none. Errors: `in_use`; `qnn` with the code of
  /// QnnContext_free. An error also consumes the context, and the buffer is freed with it; call
  /// check_reclaim() first to prevent `in_use`.
  [[nodiscard]] QNNPP_CONSUMES Result<MemRegion<Weights>> reclaim() &&;
  QNNPP_REFUSE("reclaim() consumes the context; write std::move(context).reclaim()",
               Result<MemRegion<Weights>>, reclaim() const&);

  /// Returns `in_use` if reclaim() would: while graphs or registered tensors of the context, or
  /// members of its group, live. Consumes nothing and does not call QNN. The result is valid until
  /// another thread makes an object from the context.
  [[nodiscard]] QNNPP_LIVE Result<void> check_reclaim() const;

  QNNPP_REFUSE("this context is already finalized", Result<Context<Finalized>>, finalize() const);
  QNNPP_REFUSE("buffers are registered before finalize; use Context<Deferred>::create()",
               Result<Context<Finalized>>, register_buffers(const ExternalBuffers&) const);

 private:
  template <class>
  friend class Context;
  friend struct detail::ListRestorer;
  explicit Context(Ref<detail::ContextBlock> block) : detail::ContextHandle(std::move(block)) {}
};

// ----------------------------------------------------------------------------------- Registered

/// A deferred context whose external buffers are registered (ORD-03).
/// Threads: only one at a time may use it; others may use other contexts.
template <>
class QNNPP_LINEAR Context<Registered> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Initializes the graphs and writes the weights to their buffer (QnnContext_finalize). Destroys
  /// the binary then, unless DeferredOptions::persistent_binary keeps it.
  ///
  /// Errors: `slot_missing` if the core API is older than 2.27; `qnn`, such as 1002 if no process
  /// domain has room, or UNDEFINED after an earlier load failed (RES-03); `wrong_architecture`
  /// (RES-04). QNN allows one try: after an error, create the context again (ORD-13), as
  /// model::load() and model::Residency do. An error that says how many bytes stay in use has lost
  /// the context: its buffers live until the process ends (RES-05).
  ///
  /// `profile` records the call, also if it fails, unless it is null. Error: `foreign_object` for a
  /// profile of another backend, which consumes the context too.
  [[nodiscard]] QNNPP_CONSUMES Result<Context<Finalized>> finalize(Profile* profile = nullptr) &&;
  QNNPP_REFUSE("finalize() consumes the context; write std::move(context).finalize()",
               Result<Context<Finalized>>, finalize(Profile* = nullptr) const&);

  QNNPP_REFUSE("the buffers are registered already; call std::move(context).finalize()",
               Result<Context<Registered>>, register_buffers(const ExternalBuffers&) const);

 private:
  template <class>
  friend class Context;
  explicit Context(Ref<detail::ContextBlock> block) : detail::ContextHandle(std::move(block)) {}
};

// -------------------------------------------------------------------------------------- Queried

/// A deferred context whose memory requirements are known.
/// Threads: only one at a time may use it; others may use other contexts.
template <>
class QNNPP_LINEAR Context<Queried> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Sizes and alignment that external buffers of this context must have.
  [[nodiscard]] QNNPP_LIVE BufferRequirements requirements() const;

  /// Registers external buffers for the context, all or none (QnnMem_register). The context owns
  /// them from then on. Does not register a buffer that the context does not need (BUF-09);
  /// ExternalBuffers says what may be left out.
  ///
  /// Errors before any C call:
  /// - `too_small` for a buffer (BUF-03, BUF-10, BUF-19), and for a file that is smaller than its
  ///   buffer (BUF-16).
  /// - `misaligned` (BUF-02).
  /// - `purpose_mismatch` for the same memory in two of the buffers (BUF-07).
  /// - `in_use` for weights in bytes that have another context's weights, even if the buffers
  ///   differ (BUF-08); and for the VTCM backup of contexts of another priority (BUF-19).
  /// - `invalid_argument` for a buffer that was moved from; for VTCM backup and spill-fill with
  ///   separate rights to execute (BUF-19); and for weights at an offset in their file while
  ///   Backend::external_weights() is not `confirmed`, because host libraries for Linux crash on
  ///   them (EXT-08).
  ///
  /// Errors of the call: `qnn` with the code of QnnMem_register. An error also consumes the context
  /// and frees the buffers; call check_buffers() first to prevent the errors before the call.
  [[nodiscard]] QNNPP_CONSUMES Result<Context<Registered>> register_buffers(
      ExternalBuffers buffers) &&;
  QNNPP_REFUSE(
      "register_buffers() consumes the context; write std::move(context).register_buffers()",
      Result<Context<Registered>>, register_buffers(ExternalBuffers) const&);

  /// Returns the error that register_buffers() would return before any C call. Consumes and
  /// registers nothing.
  [[nodiscard]] QNNPP_LIVE Result<void> check_buffers(const ExternalBuffers& buffers) const;

  QNNPP_REFUSE("this context is already queried; see requirements()", Result<Context<Queried>>,
               query() const);
  QNNPP_REFUSE("buffers are not registered; call std::move(context).register_buffers() first",
               Result<Context<Finalized>>, finalize() const);

 private:
  template <class>
  friend class Context;
  Context(Ref<detail::ContextBlock> block, const BufferRequirements& requirements)
      : detail::ContextHandle(std::move(block)), requirements_(requirements) {}

  BufferRequirements requirements_;
};

// ------------------------------------------------------------------------------------- Deferred

/// A context created from a binary with DEFER_GRAPH_INIT: its graphs are not initialized yet
/// (ORD-01). Threads: only one at a time may use it; others may use other contexts.
template <>
class QNNPP_LINEAR Context<Deferred> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Creates the context (QnnContext_createFromBinary with DEFER_GRAPH_INIT). It owns the binary
  /// and the configuration until finalize() returns, because QNN reads both again there (ORD-05).
  /// Repeats a creation that returns UNDEFINED, at most twice (RES-03).
  ///
  /// Errors:
  /// - `capability_missing` if the backend cannot defer (EXT-07) or is older than an option
  ///   (CFG-04).
  /// - `unknown_name` for an enabled graph that the binary does not have (CFG-03). Without a system
  ///   library, only execution reports this.
  /// - `invalid_argument` for an unknown priority, and for an enabled graph's name that contains a
  ///   NUL.
  /// - `wrong_architecture` for a binary of a newer device (RES-04).
  /// - `version_unsupported` for a binary of a newer SDK (BIN-01).
  /// - `qnn` with the code of the C function: 5005, 30001 or 30010 for a bad binary; 30010 also for
  ///   one whose metadata the system library cannot read (BIN-02).
  [[nodiscard]] static Result<Context> create(const Backend<Htp>& backend, ContextBinary binary,
                                              const DeferredOptions& options = {});
  // A template, so that options in braces that fit both structures make DeferredOptions.
  template <class = void>
  static QNNPP_REFUSE(
      "external buffers exclude groups and switching; use Context<Finalized>::restore()",
      Result<Context>, create(const Backend<Htp>&, ContextBinary, const RestoreOptions&));

  /// Reads the sizes and the alignment that the context needs (QnnContext_getProperty, ORD-02).
  /// A failed query never counts as a need of 0 bytes. Errors: `slot_missing` if the core API is
  /// older than 2.23; `qnn`; `invalid_argument` for an alignment that is no power of two.
  [[nodiscard]] QNNPP_CONSUMES Result<Context<Queried>> query() &&;
  QNNPP_REFUSE("query() consumes the context; write std::move(context).query()",
               Result<Context<Queried>>, query() const&);

  QNNPP_REFUSE("needs are not queried; call std::move(context).query() first", BufferRequirements,
               requirements() const);
  QNNPP_REFUSE("sizes are not known yet; call std::move(context).query() first",
               Result<Context<Registered>>, register_buffers(const ExternalBuffers&) const);
  QNNPP_REFUSE("a deferred context has no buffers yet; query() and register_buffers() first",
               Result<Context<Finalized>>, finalize() const);

 private:
  template <class>
  friend class Context;
  explicit Context(Ref<detail::ContextBlock> block) : detail::ContextHandle(std::move(block)) {}
};

// -------------------------------------------------------------------------------------- Composed

/// A context composed online. All its graphs are finalized.
/// Threads: only one at a time may use it; others may use other contexts.
template <>
class QNNPP_LINEAR Context<Composed> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Returns the context as a binary, for a file or for ContextBinary::own()
  /// (QnnContext_getBinarySize, QnnContext_getBinary). Errors: `qnn`; `too_large` if QNN announces
  /// more bytes than an object can have; `size_mismatch` if QNN writes more than it announced;
  /// `wrong_architecture` if the binary is for another architecture than DeviceOptions asked for
  /// (CFG-05), which the system library reads.
  [[nodiscard]] QNNPP_LIVE Result<std::vector<std::byte>> serialize() const;

 private:
  template <class>
  friend class Context;
  explicit Context(Ref<detail::ContextBlock> block) : detail::ContextHandle(std::move(block)) {}
};

// ------------------------------------------------------------------------------------- Composing

/// A context in which graphs are composed (Graph<Composing>::create).
/// Threads: only one at a time may use it and all its graphs; others may use other contexts.
template <>
class QNNPP_LINEAR Context<Composing> : public detail::ContextHandle {
 public:
  QNNPP_MOVE_ONLY(Context, "a context has one owner; write std::move(context)");
  template <detail::ResultOf<Context> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(context), or use value_or_throw()", Context,
      const R&);

  /// Creates an empty context (QnnContext_create). Errors: `qnn`; `invalid_argument` for an unknown
  /// priority; `capability_missing` if the backend is older than an option (CFG-04).
  [[nodiscard]] static Result<Context> create(const Backend<Htp>& backend,
                                              const ComposeOptions& options = {});
  template <detail::AnyResult Parent>
  static QNNPP_REFUSE("this is a Result; test it and pass *backend, or use value_or_throw()",
                      Result<Context>, create(const Parent&, const ComposeOptions& = {}));

  /// Ends the composing (ORD-10). Error: `incomplete` while a graph of the context is not
  /// finalized. An error also consumes and releases the context; call check_finalize() first to
  /// prevent it.
  [[nodiscard]] QNNPP_CONSUMES Result<Context<Composed>> finalize() &&;
  QNNPP_REFUSE("finalize() consumes the context; write std::move(context).finalize()",
               Result<Context<Composed>>, finalize() const&);

  /// Returns the error that finalize() would return. Consumes nothing.
  [[nodiscard]] QNNPP_LIVE Result<void> check_finalize() const;

  QNNPP_REFUSE("graphs are still open; call std::move(context).finalize() before serialize()",
               Result<std::vector<std::byte>>, serialize() const);

 private:
  explicit Context(Ref<detail::ContextBlock> block) : detail::ContextHandle(std::move(block)) {}
};

// ---------------------------------------------------------------------------- transitions of a
// chain

/// Transitions of a chain, as arguments of Result::and_then().
namespace transition {

/// Calls Context<Deferred>::query(), as in `create(...).and_then(transition::query)`.
inline constexpr auto query = [](Context<Deferred> context) { return std::move(context).query(); };

/// Calls the object's finalize(), as in `register_buffers(...).and_then(transition::finalize)`.
inline constexpr auto finalize = [](auto&& object) {
  return std::forward<decltype(object)>(object).finalize();
};

}  // namespace transition

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/context.ipp"
#include "qnnpp/impl/context/context_adoption.ipp"
#endif
