/* Ways in which a plain C client ends. Usage: exits FOLDER WAY [CODE]
     well      gives everything back
     handler   gives everything back in a handler of atexit that was there before the libraries
     late      the same in a destructor of the program, which runs after all handlers
     thread    exits in another thread, and gives nothing back
     call      exits while another thread stays in a call
     fork      has a child that exits, and gives everything back itself
   It returns CODE, or 0. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "c_support.h"

static qnn_handle backend;
static int at_the_end;

static void give_back(void) {
  OK(SLOT(8, qnn_handle)(backend));
  backend = NULL;
}
__attribute__((destructor)) static void last(void) {
  if (at_the_end) give_back();
}
static void* exit_here(void* code) { exit(*(int*)code); }

/* A thread that calls again and again is stopped, until another one cannot call. */
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
  OK(SLOT(1, qnn_handle, const void**, qnn_handle*)(NULL, NULL, &backend));
  if (strcmp(way, "thread") == 0) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, exit_here, &code) != 0) return 2;
    for (;;) pause();
  }
  if (strcmp(way, "call") == 0) {
    give_back();
    keep_a_thread_in_a_call();
  }
  if (strcmp(way, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) exit(0);
    waitpid(child, NULL, 0);
  }
  if (strcmp(way, "well") == 0 || strcmp(way, "fork") == 0) give_back();
  return code;
}
