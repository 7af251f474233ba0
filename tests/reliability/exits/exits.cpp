// Ways in which a program of qnnpp can end. Usage: exits LIBRARY WAY [PLUGIN]
//   global, member, local   the objects are older than the library, of static storage
//   younger                 a static object of a function, made after the library was loaded
//   between                 the same, made before the other objects of its backend
//   thread_local            objects of the main thread; other_thread_local: of one that goes on
//   thread                  another thread calls exit() with global objects
//   quick                   quick_exit() with global objects
//   late_calls              a global object calls its members in its destructor
//   plugin                  objects of a shared object; two: also those of this program
//   closed_plugin           the shared object is closed first, and its functions called again
// PLUGIN is the path of the shared object. Ends with 0, or 3 if a late call was made after all.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <thread>

#include "objects.hpp"

namespace {

using exits::Objects;

struct LateCalls {
  Objects objects;
  ~LateCalls() {
    if (!objects.backend) return;
    const auto is_dead = [](const auto& result) {
      return !result && result.error().kind == qnnpp::Errc::dead;
    };
    const qnnpp::Backend<qnnpp::Htp>& backend = *objects.backend;
    const bool all_dead =
        is_dead(objects.graph->execute()) && is_dead(objects.graph->execute(&*objects.profile)) &&
        is_dead(objects.graph->execute({.at_most = std::chrono::hours(2)})) &&
        is_dead(objects.graph->execute({.stop = objects.stop})) &&
        is_dead(qnnpp::Graph<qnnpp::Retrieved>::retrieve(*objects.context, "net")) &&
        is_dead(qnnpp::Context<qnnpp::Composing>::create(backend, {.name = "new"})) &&
        is_dead(backend.build_id()) && is_dead(backend.platform_info()) &&
        is_dead(qnnpp::Performance::vote(backend, qnnpp::PerformanceMode::burst)) &&
        is_dead(objects.composed->serialize()) &&
        backend.capability(qnnpp::c_api::PropertyKey::group_backend) ==
            qnnpp::Capability::unknown &&
        std::move(*objects.profile).close() &&
        std::move(*objects.backend).share().close().has_value() == false;
    if (!all_dead) std::_Exit(3);
  }
};

struct Program {
  int number = 0;
  Objects objects;
};

Objects global;
Program member;
LateCalls late_calls;
thread_local Objects of_thread;

Objects& local() {
  static Objects objects;
  return objects;
}
const bool local_is_old = (static_cast<void>(local()), true);

Objects& younger(const char* library) {
  static Objects objects = [library] {
    Objects made;
    made.make(library);
    return made;
  }();
  return objects;
}

Objects& between(const char* library) {
  static Objects objects = [library] {
    Objects made;
    made.load(library);
    return made;
  }();
  return objects;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || !local_is_old) return 2;
  const char* const library = argv[1];
  const std::string way = argv[2];
  void* plugin = nullptr;
  void (*make)(const char*) = nullptr;
  bool (*executes)() = nullptr;
  if (argc == 4) {
    plugin = ::dlopen(argv[3], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) return 2;
    make = reinterpret_cast<decltype(make)>(::dlsym(plugin, "exits_make"));
    executes = reinterpret_cast<decltype(executes)>(::dlsym(plugin, "exits_executes"));
    make(library);
  }
  if (way == "global" || way == "thread" || way == "quick" || way == "two") global.make(library);
  if (way == "member") member.objects.make(library);
  if (way == "local") local().make(library);
  if (way == "younger") (void)younger(library);
  if (way == "between") between(library).make_others();
  if (way == "late_calls") late_calls.objects.make(library);
  if (way == "thread_local") of_thread.make(library);
  if (way == "other_thread_local") {
    sem_t made;
    ::sem_init(&made, 0, 0);
    std::thread([&] {
      of_thread.make(library);
      ::sem_post(&made);
      for (;;) ::pause();
    }).detach();
    while (::sem_wait(&made) != 0) {
    }
  }
  if (way == "thread") {
    std::thread([] { std::exit(0); }).detach();
    for (;;) ::pause();
  }
  if (way == "quick") std::quick_exit(0);
  if (way == "closed_plugin") {
    ::dlclose(plugin);
    if (!executes()) return 3;
  }
  return 0;
}
