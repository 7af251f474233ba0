// Stand-in for bionic, Android's C library, for an Android library in a glibc process. It defines
// the symbols whose meaning or layout differs from glibc's; targets.sh generates the others, which
// jump to glibc's function of the same name. One file serves as libc.so, libm.so, libdl.so and
// liblog.so.
//
// Environment: STANDIN_ANDROID_LOG  1: prints Android's log, and the properties that are read, on
//                                   stderr
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Exports bionic_NAME as bionic's symbol NAME, with the version that Android libraries refer to.
// targets.sh reads these lines too.
#define BIONIC(name) __asm__(".symver bionic_" #name ", " #name "@LIBC");

static int verbose(void) {
  const char* text = getenv("STANDIN_ANDROID_LOG");
  return text && atoi(text);
}

// ---- errors and properties

BIONIC(__errno)
int* bionic___errno(void) { return __errno_location(); }
BIONIC(__assert2)
void bionic___assert2(const char* file, int line, const char* function, const char* text) {
  fprintf(stderr, "[standin] assertion %s:%d %s: %s\n", file, line, function, text);
  abort();
}
BIONIC(android_set_abort_message)
void bionic_android_set_abort_message(const char* text) {
  fprintf(stderr, "[standin] abort: %s\n", text);
}
// POSIX's function; glibc declares its own strerror_r, which returns the text.
int __xpg_strerror_r(int error, char* text, size_t size);
BIONIC(strerror_r)
int bionic_strerror_r(int error, char* text, size_t size) {
  return __xpg_strerror_r(error, text, size);
}
BIONIC(__system_property_get)
int bionic___system_property_get(const char* name, char* value) {
  if (verbose()) fprintf(stderr, "[standin] property %s\n", name);
  value[0] = '\0';
  return 0;
}

// ---- streams: stdin, stdout and stderr are the elements of __sF

BIONIC(__sF)
char bionic___sF[3][152];
static FILE* stream_of(void* stream) {
  if (stream == bionic___sF[0]) return stdin;
  if (stream == bionic___sF[1]) return stdout;
  if (stream == bionic___sF[2]) return stderr;
  return stream;
}
BIONIC(fclose)
int bionic_fclose(void* stream) { return fclose(stream_of(stream)); }
BIONIC(fflush)
int bionic_fflush(void* stream) { return fflush(stream ? stream_of(stream) : NULL); }
BIONIC(fileno)
int bionic_fileno(void* stream) { return fileno(stream_of(stream)); }
BIONIC(fputc)
int bionic_fputc(int c, void* stream) { return fputc(c, stream_of(stream)); }
BIONIC(getc)
int bionic_getc(void* stream) { return getc(stream_of(stream)); }
BIONIC(ungetc)
int bionic_ungetc(int c, void* stream) { return ungetc(c, stream_of(stream)); }
BIONIC(fread)
size_t bionic_fread(void* data, size_t size, size_t count, void* stream) {
  return fread(data, size, count, stream_of(stream));
}
BIONIC(fwrite)
size_t bionic_fwrite(const void* data, size_t size, size_t count, void* stream) {
  return fwrite(data, size, count, stream_of(stream));
}
BIONIC(fseek)
int bionic_fseek(void* stream, long offset, int from) {
  return fseek(stream_of(stream), offset, from);
}
BIONIC(fseeko)
int bionic_fseeko(void* stream, long offset, int from) {
  return fseeko(stream_of(stream), offset, from);
}
BIONIC(ftell)
long bionic_ftell(void* stream) { return ftell(stream_of(stream)); }
BIONIC(ftello)
long bionic_ftello(void* stream) { return ftello(stream_of(stream)); }
BIONIC(vfprintf)
int bionic_vfprintf(void* stream, const char* format, va_list list) {
  return vfprintf(stream_of(stream), format, list);
}
BIONIC(fprintf)
int bionic_fprintf(void* stream, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int written = vfprintf(stream_of(stream), format, list);
  va_end(list);
  return written;
}

// ---- characters and strings

// One byte of class bits for each character, after one for EOF.
BIONIC(_ctype_)
static unsigned char classes[257];
const char* bionic__ctype_ = (const char*)classes;
__attribute__((constructor)) static void classify(void) {
  for (int c = 0; c < 128; ++c) {
    unsigned char* bits = &classes[c + 1];
    if (c >= 'A' && c <= 'Z') *bits |= 0x01;
    if (c >= 'a' && c <= 'z') *bits |= 0x02;
    if (c >= '0' && c <= '9') *bits |= 0x04;
    if (c == ' ' || (c >= 9 && c <= 13)) *bits |= 0x08;
    if (c > 32 && c < 127 && !(*bits & 0x07)) *bits |= 0x10;
    if (c < 32 || c == 127) *bits |= 0x20;
    if ((c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f')) *bits |= 0x40;
    if (c == ' ') *bits |= 0x80;
  }
}
BIONIC(strlcpy)
size_t bionic_strlcpy(char* to, const char* from, size_t size) {
  const size_t length = strlen(from);
  if (size) {
    const size_t copied = length < size ? length : size - 1;
    memcpy(to, from, copied);
    to[copied] = '\0';
  }
  return length;
}
BIONIC(__strlen_chk)
size_t bionic___strlen_chk(const char* text, size_t size) {
  const size_t length = strlen(text);
  if (length >= size) abort();
  return length;
}

// ---- threads

// pthread_attr_t is 8 bytes shorter than glibc's, so it is only cleared: attributes have no effect.
// Mutexes and condition variables fit, because glibc uses no more bytes of them than bionic has.
BIONIC(pthread_attr_init)
int bionic_pthread_attr_init(void* attributes) { return memset(attributes, 0, 56), 0; }

// Bionic's pthread_exit does not unwind the stack. glibc's does, and fails at frames of another
// unwinder; so pthread_exit jumps to the start of the thread.
typedef struct {
  void* (*function)(void*);
  void* argument;
  void* result;
  jmp_buf end;
} Start;
static pthread_key_t start_key;
__attribute__((constructor)) static void make_start_key(void) {
  pthread_key_create(&start_key, NULL);
}
static void* start_thread(void* given) {
  Start* start = given;
  pthread_setspecific(start_key, start);
  if (setjmp(start->end) == 0) start->result = start->function(start->argument);
  void* result = start->result;
  free(start);
  return result;
}
BIONIC(pthread_create)
int bionic_pthread_create(pthread_t* thread, const void* attributes, void* (*function)(void*),
                          void* argument) {
  (void)attributes;
  Start* start = malloc(sizeof *start);
  if (!start) return EAGAIN;
  start->function = function;
  start->argument = argument;
  const int error = pthread_create(thread, NULL, start_thread, start);
  if (error) free(start);
  return error;
}
BIONIC(pthread_exit)
void bionic_pthread_exit(void* result) {
  Start* start = pthread_getspecific(start_key);
  if (!start) pthread_exit(result);
  start->result = result;
  longjmp(start->end, 1);
}

// ---- the system: sysconf has other numbers

BIONIC(sysconf)
long bionic_sysconf(int name) {
  switch (name) {
    case 0x06: return sysconf(_SC_CLK_TCK);
    case 0x27:
    case 0x28: return sysconf(_SC_PAGESIZE);
    case 0x60: return sysconf(_SC_NPROCESSORS_CONF);
    case 0x61: return sysconf(_SC_NPROCESSORS_ONLN);
    case 0x62: return sysconf(_SC_PHYS_PAGES);
  }
  fprintf(stderr, "[standin] sysconf %d is unknown\n", name);
  return -1;
}

// ---- Android's log; its symbols have no version

int __android_log_vprint(int priority, const char* tag, const char* format, va_list list) {
  if (!verbose()) return 0;
  fprintf(stderr, "[standin] log %d %s: ", priority, tag);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  return 0;
}
int __android_log_print(int priority, const char* tag, const char* format, ...) {
  va_list list;
  va_start(list, format);
  __android_log_vprint(priority, tag, format, list);
  va_end(list);
  return 0;
}
int __android_log_write(int priority, const char* tag, const char* text) {
  return __android_log_print(priority, tag, "%s", text);
}
