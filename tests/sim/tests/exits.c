/* Ways in which a plain C client ends. Usage: exits FOLDER WAY [CODE]
     well      gives everything back
     handler   gives everything back in a handler of atexit that was there before the libraries
     late      the same in a destructor of the program, which runs after all handlers
     thread    exits in another thread, and gives nothing back
     fork      has a child that exits, and gives everything back itself
   It returns CODE, or 0. */
#include <pthread.h>
#include <sys/wait.h>
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
  if (strcmp(way, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) exit(0);
    waitpid(child, NULL, 0);
  }
  if (strcmp(way, "well") == 0 || strcmp(way, "fork") == 0) give_back();
  return code;
}
