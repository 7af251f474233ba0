/* Ways in which a plain C client can end. Usage: exits FOLDER WAY [CODE]
     well      releases everything
     handler   releases everything in an atexit handler that was registered before the libraries,
               so too late (PRC-04)
     late      releases everything in a destructor of the program, which runs after all handlers
     thread    exits in another thread, and releases nothing
     call      exits while another thread is inside a call
     log       frees a logger of level verbose, whose callback prints "at exit" later
     quiet     the same with level info
     fork      forks a child that exits, and releases everything itself
     inherit   forks a child that releases everything, too (PRC-01)
     hang      waits for ever, with the backend
     first     forks a child before the first call; each calls the library itself
   Returns CODE, or 0. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "c_support.h"

static qnn_handle backend;
static int at_the_end;

static int after_main;
static void print_at_exit(const char* format, uint32_t level, uint64_t time, va_list arguments) {
  (void)format, (void)level, (void)time, (void)arguments;
  if (after_main) fprintf(stderr, "at exit\n");
}
static void log_until_the_end(uint32_t level) {
  qnn_handle logger = NULL;
  OK(SLOT(25, void (*)(const char*, uint32_t, uint64_t, va_list), uint32_t, qnn_handle*)(
      print_at_exit, level, &logger));
  OK(SLOT(27, qnn_handle)(logger));
}
static void give_back(void) {
  OK(SLOT(8, qnn_handle)(backend));
  backend = NULL;
}
__attribute__((destructor)) static void last(void) {
  if (at_the_end) give_back();
}
static void* exit_here(void* code) { exit(*(int*)code); }

/* Stops a thread that calls in a loop, at random points, until it holds the lock of a call: a
   second thread then cannot call. */
static sem_t stopped, goes_on, got_through;
static void* ask(void* once) {
  do SLOT(0, uint32_t)(101);
  while (once == NULL);
  sem_post(&got_through);
  return NULL;
}
static void stop_here(int number) {
  (void)number;
  sem_post(&stopped);
  sem_wait(&goes_on);
}
static void keep_a_thread_in_a_call(void) {
  pthread_t stays, tries;
  sem_init(&stopped, 0, 0), sem_init(&goes_on, 0, 0), sem_init(&got_through, 0, 0);
  signal(SIGUSR1, stop_here);
  CHECK(pthread_create(&stays, NULL, ask, NULL) == 0);
  for (;;) {
    struct timespec until;
    pthread_kill(stays, SIGUSR1);
    sem_wait(&stopped);
    CHECK(pthread_create(&tries, NULL, ask, &until) == 0);
    clock_gettime(CLOCK_REALTIME, &until);
    ++until.tv_sec;
    if (sem_timedwait(&got_through, &until) != 0) return;
    pthread_join(tries, NULL);
    sem_post(&goes_on);
  }
}

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  const char* const way = argv[2];
  int code = argc == 4 ? atoi(argv[3]) : 0;
  if (strcmp(way, "handler") == 0) atexit(give_back);
  at_the_end = strcmp(way, "late") == 0;
  open_libraries(argv[1]);
  if (strcmp(way, "first") == 0) {
    const pid_t child = fork();
    if (child != 0) waitpid(child, NULL, 0);
  }
  OK(SLOT(1, qnn_handle, const void**, qnn_handle*)(NULL, NULL, &backend));
  if (strcmp(way, "thread") == 0) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, exit_here, &code) != 0) return 2;
    for (;;) pause();
  }
  if (strcmp(way, "hang") == 0)
    for (;;) pause();
  if (strcmp(way, "call") == 0) {
    give_back();
    keep_a_thread_in_a_call();
  }
  if (strcmp(way, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) exit(0);
    waitpid(child, NULL, 0);
  }
  if (strcmp(way, "inherit") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      give_back();
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  if (strcmp(way, "log") == 0 || strcmp(way, "quiet") == 0)
    log_until_the_end(strcmp(way, "log") == 0 ? 4 : 3);
  const char* const releasing[] = {"well", "fork", "inherit", "first", "log", "quiet"};
  for (int i = 0; i < 6; ++i)
    if (strcmp(way, releasing[i]) == 0) give_back();
  after_main = 1;
  return code;
}
