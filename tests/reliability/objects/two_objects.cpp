// A program of two shared objects, each with its own qnnpp.
// Usage: two_objects LIBRARY RPCMEM BINARY WAY OBJECT [OBJECT [same]]
//   shares         both objects use memory that the program lends: one right to execute, one use of
//                  weights, one log; `same`: both have one version, and pass a handle
//   unloads        an object that has loaded a backend is closed, and the library logs
//   unloads_late   the same after a load that failed: the library has kept the callback
//   stops_sharing  the second object is closed while a thread of the first one waits
// Ends with 0, or prints what is not so.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/sim/control.hpp"

#include "object.h"

namespace {

using namespace qnnpp;

bool is_well = true;
void expect(bool is_so, const char* what, const char* detail = "") {
  if (is_so) return;
  is_well = false;
  std::printf("not so: %s: %s\n", what, detail);
}
[[noreturn]] void end(const char* why) {
  std::printf("%s\n", why);
  std::exit(9);
}

/// A shared object that is open.
struct Object {
  void* library;
  const ObjectFunctions* functions;

  explicit Object(const char* path) : library(::dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (library == nullptr) end(::dlerror());
    using Functions = const ObjectFunctions* (*)();
    functions = reinterpret_cast<Functions>(::dlsym(library, "object_functions"))();
  }
  const ObjectFunctions* operator->() const { return functions; }
};
void expect(const Object& object, ObjectAnswer answer, ObjectAnswer wanted, const char* what) {
  const char* const answers[] = {"done", "would_deadlock", "in_use", "timed_out", "failed"};
  expect(answer == wanted, what,
         (std::string(answers[answer]) +
          (answer == object_done ? "" : std::string(": ") + object->message()))
             .c_str());
}

/// Expects that an object gets no lease.
void expect_none(const Object& object, void* handle, int milliseconds, ObjectAnswer wanted,
                 const char* what) {
  const ObjectAnswer answer = object->lease(handle, milliseconds);
  expect(object, answer, wanted, what);
  if (answer == object_done) object->give_back();
}

template <class Function>
void in_another_thread(Function function) {
  std::thread(function).join();
}

/// The program's arguments, its simulated HTP, and the memory that it lends.
struct Program {
  const char* htp;
  const char* binary;
  void* library;
  sim::Control control;
  void* rpcmem;

  explicit Program(char** arguments)
      : htp(arguments[1]),
        binary(arguments[3]),
        library(::dlopen(htp, RTLD_NOW | RTLD_LOCAL)),
        control(sim::Control::from(library)),
        rpcmem(::dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL)) {
    if (!control || rpcmem == nullptr) end(::dlerror());
  }

  struct Memory {
    void* data;
    int fd;
    unsigned long bytes;
  };
  Memory lend(int bytes) const {
    using Alloc = void* (*)(int heap, std::uint32_t flags, int size);
    using ToFd = int (*)(void*);
    void* const data = reinterpret_cast<Alloc>(::dlsym(rpcmem, "rpcmem_alloc"))(25, 1, bytes);
    const int fd = reinterpret_cast<ToFd>(::dlsym(rpcmem, "rpcmem_to_fd"))(data);
    return {data, fd, static_cast<unsigned long>(bytes)};
  }
  template <class Value>
  void set(Value sim::Config::* member, Value value) const {
    sim::Config config = control.config();
    config.*member = value;
    if (!control.set_config(config)) end("set_config");
  }
  /// Makes a call without a logger, whose error the library logs to the last callback.
  void log_an_error() const {
    const c_api::Interface** providers = nullptr;
    std::uint32_t count = 0;
    reinterpret_cast<c_api::InterfaceGetProvidersFn>(::dlsym(library, "QnnInterface_getProviders"))(
        &providers, &count);
    c_api::BackendHandle backend = nullptr;
    const auto bad = reinterpret_cast<c_api::LogHandle>(std::uintptr_t{1} << 40);
    expect(providers[0]->table.backend_create(bad, nullptr, &backend) != 0, "the call fails");
  }
};

void expect_turns(const Program& program, const Object& a, const Object& b) {
  program.set(&sim::Config::lockstep_executions, std::uint32_t{2});
  program.set(&sim::Config::lockstep_timeout_ms, std::uint32_t{20});
  const auto execute = [](const Object& object) {
    for (int i = 0; i < 3; ++i) expect(object, object->execute(), object_done, "an execution");
  };
  std::thread other([&] { execute(a); });
  in_another_thread([&] { execute(b); });
  other.join();
  program.set(&sim::Config::lockstep_executions, std::uint32_t{0});
  expect(program.control.misuses("BUF-12") == 0, "executions over one memory take turns",
         program.control.misuse_text(0).c_str());
}

void expect_one_right(const Object& a, const Object& b) {
  expect(a, a->lease(a->handle(), -1), object_done, "a lease in A");
  expect_none(b, b->handle(), -1, object_would_deadlock, "a second lease, in B");
  expect_none(b, b->handle(), 0, object_would_deadlock, "trying a second lease, in B");
  expect(b, b->execute(), object_would_deadlock, "an execution in B under a lease in A");
  in_another_thread([&] {
    expect_none(b, b->handle(), 0, object_in_use, "another thread's lease, in B");
    expect_none(b, b->handle(), 10, object_timed_out, "another thread's wait, in B");
  });
  a->give_back();
  expect(b, b->lease(b->handle(), 0), object_done, "a lease in B after that in A");
  in_another_thread(
      [&] { expect_none(a, a->handle(), 10, object_timed_out, "another thread's wait, in A"); });
  b->give_back();
}

/// Passes a handle from A to B, which have one version.
void expect_one_handle(const Object& a, const Object& b) {
  in_another_thread([&] {
    expect(a, a->lease(a->handle(), -1), object_done, "a lease in A");
    in_another_thread([&] {
      expect_none(b, a->handle(), 10, object_timed_out, "A's handle in B, another thread");
    });
    expect_none(b, a->handle(), 0, object_would_deadlock, "A's handle in B, the same thread");
    a->give_back();
  });
}

void expect_one_use_of_weights(const Program& program, const Object& a, const Object& b) {
  const auto weights = program.lend(4 << 20);
  expect(a, a->put_weights(weights.data, weights.fd, weights.bytes), object_done, "weights in A");
  expect(b, b->put_weights(weights.data, weights.fd, weights.bytes), object_in_use,
         "B gets weights that A uses");
}

/// The library logs to the callback that was installed last, of A.
void expect_one_log(const Program& program, const Object& b) {
  const auto weights = program.lend(4 << 20);
  program.control.fail_call(sim::Slot::context_create_from_binary, 1, 1004);
  const ObjectAnswer answer = b->put_weights(weights.data, weights.fd, weights.bytes);
  expect(b, answer, object_failed, "a call that fails, in B");
  expect(std::strstr(b->message(), "log: ") != nullptr, "B's error has what QNN logged",
         b->message());
}

void share(const Object& object, const Program::Memory& memory) {
  expect(object, object->share(memory.data, memory.fd, memory.bytes), object_done, "a handle");
}

/// Two threads take two leases crosswise: that of a memory in A, and that of another memory in B.
void expect_no_circle(const Program& program, const Object& a, const Object& b) {
  share(b, program.lend(4 << 20));
  std::barrier<> both_have_one(2);
  std::atomic<int> refused{0};
  const auto take_both = [&](const Object& first, const Object& second) {
    expect(first, first->lease(first->handle(), -1), object_done, "the first lease of a thread");
    both_have_one.arrive_and_wait();
    if (second->lease(second->handle(), -1) == object_done)
      second->give_back();
    else
      ++refused;
    first->give_back();
  };
  std::thread other([&] { take_both(a, b); });
  take_both(b, a);
  other.join();
  expect(refused == 1, "one of two threads that would wait for each other is refused");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 6) end("usage: two_objects LIBRARY RPCMEM BINARY WAY OBJECT [OBJECT [same]]");
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  ::alarm(20);  // A thread that waits for ever is a fault.
  const Program program(arguments);
  const std::string way = arguments[4];
  const auto memory = program.lend(4 << 20);

  if (way == "shares") {
    const Object a(arguments[5]);
    const Object b(arguments[6]);
    share(a, memory);
    share(b, memory);
    expect(b, b->load(program.htp, program.binary), object_done, "a graph in B");
    expect(a, a->load(program.htp, program.binary), object_done, "a graph in A");
    if (!is_well) return 1;
    expect_turns(program, a, b);
    expect_one_right(a, b);
    if (count > 7) expect_one_handle(a, b);
    expect_one_use_of_weights(program, a, b);
    expect_one_log(program, b);
    expect_no_circle(program, a, b);
  }
  if (way == "unloads" || way == "unloads_late") {
    const bool is_late = way == "unloads_late";
    const Object a(arguments[5]);
    share(a, memory);
    if (is_late)
      program.set(&sim::Config::start_failure,
                  static_cast<std::uint32_t>(sim::StartFailure::unknown_soc));
    expect(a, a->load(program.htp, program.binary), is_late ? object_failed : object_done, "load");
    ::dlclose(a.library);
    program.log_an_error();
    if (!is_late) expect(a, a->execute(), object_done, "an execution in the closed object");
  }
  if (way == "stops_sharing") {
    const Object a(arguments[5]);
    Object b(arguments[6]);
    share(b, memory);
    share(a, memory);
    expect(a, a->lease(a->handle(), -1), object_done, "a lease in A");
    std::thread waits([&] {
      expect(a, a->lease(a->handle(), -1), object_done, "a wait in A");
      a->give_back();
    });
    expect_none(b, b->handle(), 0, object_would_deadlock, "a second lease, in B");
    ::dlclose(b.library);
    a->give_back();
    waits.join();
    b = Object(arguments[6]);
    share(b, memory);
    expect(b, b->lease(b->handle(), 0), object_done, "a lease in B, opened again");
    in_another_thread(
        [&] { expect_none(a, a->handle(), 0, object_in_use, "another thread's lease, in A"); });
    ::dlclose(b.library);
    in_another_thread(
        [&] { expect(a, a->lease(a->handle(), 0), object_done, "a lease in A after B's end"); });
    a->give_back();
  }
  return is_well ? 0 : 1;
}
