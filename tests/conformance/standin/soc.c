// Part of the stand-in, effective when it is preloaded. The host library reads the chip from
// /sys/devices/soc0. This file redirects that folder to the folder of STANDIN_SOC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* redirected(const char* path, char* buffer, size_t size) {
  static const char folder[] = "/sys/devices/soc0/";
  const char* instead = getenv("STANDIN_SOC");
  if (!path || !instead || strncmp(path, folder, sizeof folder - 1) != 0) return path;
  snprintf(buffer, size, "%s/%s", instead, path + sizeof folder - 1);
  return buffer;
}
#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

static int open_by(const char* name, const char* path, int flags, int mode) {
  char buffer[512];
  return NEXT(int (*)(const char*, int, int), name)(redirected(path, buffer, sizeof buffer), flags,
                                                    mode);
}
static FILE* fopen_by(const char* name, const char* path, const char* mode) {
  char buffer[512];
  return NEXT(FILE * (*)(const char*, const char*), name)(redirected(path, buffer, sizeof buffer),
                                                          mode);
}

int access(const char* path, int mode) {
  char buffer[512];
  return NEXT(int (*)(const char*, int), "access")(redirected(path, buffer, sizeof buffer), mode);
}
int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = va_arg(arguments, int);
  va_end(arguments);
  return open_by("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = va_arg(arguments, int);
  va_end(arguments);
  return open_by("open64", path, flags, mode);
}
// open() of a library that was compiled with _FORTIFY_SOURCE.
int __open_2(const char* path, int flags) { return open_by("open", path, flags, 0); }
FILE* fopen(const char* path, const char* mode) { return fopen_by("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return fopen_by("fopen64", path, mode); }
