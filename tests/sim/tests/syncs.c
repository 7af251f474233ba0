/* A plain C client that opens the memory of its tensors for the CPU by DMA_BUF_IOCTL_SYNC.
   Usage: syncs FOLDER WAY
     seen     the simulated HTP sees the calls (QNNPP_SIM_SEE_SYNCS=1): three executions have an
              open tensor (SHB-07), four have none
     unseen   the kernel refuses the calls, because the memory is no dma-buf
     orphan   the calls are seen; a forked child makes one after this process has ended, and prints
              "refused" to stderr
   Returns 0 if each call has the expected answer. */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "c_support.h"

static qnn_handle graph, handles[2];

/* Returns 0 or the errno. */
static int sync_memory(int fd, uint64_t flags) {
  struct dma_buf_sync sync = {.flags = flags};
  return ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync) == 0 ? 0 : errno;
}
enum {
  OPEN = DMA_BUF_SYNC_START | DMA_BUF_SYNC_WRITE,
  CLOSE = DMA_BUF_SYNC_END | DMA_BUF_SYNC_WRITE
};

static void execute(void) { OK(execute_registered(graph, handles[0], handles[1], NULL)); }

static void open_and_execute(int fd) {
  step = "accesses in order";
  CHECK(sync_memory(fd, OPEN) == 0);
  CHECK(sync_memory(fd, CLOSE) == 0);
  execute();
  step = "an access that is open";
  CHECK(sync_memory(fd, OPEN) == 0);
  execute(); /* SHB-07 */
  CHECK(sync_memory(fd, CLOSE) == 0);
  execute();
  step = "an access that begins twice and ends once";
  CHECK(sync_memory(fd, OPEN) == 0);
  CHECK(sync_memory(fd, OPEN) == 0);
  CHECK(sync_memory(fd, CLOSE) == 0);
  execute(); /* SHB-07 */
  CHECK(sync_memory(fd, CLOSE) == 0);
  execute();
  step = "an end without a start";
  CHECK(sync_memory(fd, CLOSE) == 0);
  CHECK(sync_memory(fd, OPEN) == 0);
  execute(); /* SHB-07 */
  CHECK(sync_memory(fd, CLOSE) == 0);
}

static void be_refused(int fd) {
  step = "refused syncs";
  const int other = open("/dev/null", O_RDWR);
  CHECK(sync_memory(-1, OPEN) == EBADF);
  CHECK(sync_memory(other, OPEN) == ENOTTY);
  close(other);
  CHECK(sync_memory(other, OPEN) == EBADF);
  CHECK(sync_memory(fd, DMA_BUF_SYNC_START) == EINVAL);
  CHECK(sync_memory(fd, OPEN | 64) == EINVAL);
  CHECK(ioctl(fd, DMA_BUF_IOCTL_SYNC, NULL) == -1 && errno == EFAULT);
}

static void leave_a_child(int fd) {
  const pid_t parent = getpid();
  if (fork() != 0) return;
  alarm(30); /* should the call wait for ever */
  while (getppid() == parent) usleep(1000);
  step = "a child that is left";
  CHECK(sync_memory(fd, OPEN) == ENOSYS);
  fprintf(stderr, "refused\n");
  _exit(0);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  make_network();
  open_libraries(argv[1]);
  qnn_handle backend = NULL, context = NULL;
  OK(SLOT(1, qnn_handle, const void**, qnn_handle*)(NULL, NULL, &backend));
  OK(SLOT(9, qnn_handle, qnn_handle, const void**, qnn_handle*)(backend, NULL, NULL, &context));
  OK(SLOT(15, qnn_handle, const char*, const qnn_option**, qnn_handle*)(context, "digits", NULL,
                                                                        &graph));
  compose(graph);
  OK(SLOT(19, qnn_handle, qnn_handle, qnn_handle)(graph, NULL, NULL));
  void* const in = rpcmem_alloc(25, 1, sizeof input);
  void* const out = rpcmem_alloc(25, 1, sizeof expected);
  memcpy(in, input, sizeof input);
  handles[0] = register_tensor(context, in, WIDTH);
  handles[1] = register_tensor(context, out, CLASSES);
  if (strcmp(argv[2], "seen") == 0) {
    open_and_execute(rpcmem_to_fd(in));
    be_refused(rpcmem_to_fd(in));
    execute(); /* a refused sync opens nothing */
    CHECK(is_expected(out));
  } else if (strcmp(argv[2], "orphan") == 0) {
    leave_a_child(rpcmem_to_fd(in));
  } else {
    CHECK(sync_memory(rpcmem_to_fd(in), OPEN) == ENOTTY);
    execute();
  }
  step = "tear-down";
  OK(SLOT(36, const qnn_handle*, uint32_t)(handles, 2));
  OK(SLOT(14, qnn_handle, qnn_handle)(context, NULL));
  OK(SLOT(8, qnn_handle)(backend));
  rpcmem_free(in);
  rpcmem_free(out);
  return 0;
}
