// What a shared object with its own qnnpp offers to the program two_objects, in C.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended, the same in every version of qnnpp.
enum ObjectAnswer {
  object_done,
  object_would_deadlock,
  object_in_use,
  object_timed_out,
  object_failed,  ///< otherwise; message() says how
};

/// Functions of an object. Its objects live until it is unloaded.
struct ObjectFunctions {
  /// Makes a handle of spill-fill memory that the program lends.
  enum ObjectAnswer (*share)(void* data, int fd, unsigned long bytes);
  /// The handle of share(), a qnnpp::SharedSpillFill.
  void* (*handle)(void);
  /// Acquires a lease of a handle, and keeps it: without limit if `milliseconds` is negative.
  enum ObjectAnswer (*lease)(void* handle, int milliseconds);
  void (*give_back)(void);
  /// Loads a backend, and binds the graph `net` of a binary over the memory of share().
  enum ObjectAnswer (*load)(const char* htp, const char* binary);
  enum ObjectAnswer (*execute)(void);
  /// Makes a context with weights in memory that the program lends, and keeps it.
  enum ObjectAnswer (*put_weights)(void* data, int fd, unsigned long bytes);
  /// Message of the last answer of this thread that was not object_done.
  const char* (*message)(void);
};

/// The only symbol of an object.
const struct ObjectFunctions* object_functions(void);

#ifdef __cplusplus
}
#endif
