#!/usr/bin/env bash
# android_test.sh FOLDER: tests --sdk with an Android library, which is a small library for this machine that refers to bionic.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) folder=$1
rm -rf "$folder"
mkdir -p "$folder/sdk/lib/aarch64-android" "$folder/bionic"
export QNNPP_CONFORMANCE_BUILD=$folder/build
# shellcheck source=targets.sh
source "$here/targets.sh"

fail() {
  echo "android_test: $*" >&2
  exit 1
}

# Refers to what glibc lacks or has with another meaning or layout, and to what it has too.
cat >"$folder/htp.c" <<'EOT'
#include <stddef.h>
extern char __sF[3][152];
extern const char* _ctype_;
int* __errno(void);
int fprintf(void* stream, const char* format, ...);
int open(const char* path, int flags, ...);
long read(int file, void* to, size_t size);
long sysconf(int name);
size_t strlcpy(char* to, const char* from, size_t size);
int pthread_create(unsigned long* thread, const void* attributes, void* (*function)(void*), void* argument);
int pthread_join(unsigned long thread, void** result);
void pthread_exit(void* result);
int __android_log_print(int priority, const char* tag, const char* format, ...);

const char id[] = "VERSION";
static void* leave(void* argument) { pthread_exit(argument); return 0; }
// Returns the number of the first step that fails, or 0.
int try_bionic(void) {
  unsigned long thread;
  void* result = 0;
  char text[8];
  *__errno() = 0;
  if (open("/nowhere", 0) >= 0 || *__errno() != 2) return 1;
  if (strlcpy(text, "too long to fit", sizeof text) != 15 || text[7] != 0) return 2;
  if ((_ctype_ + 1)['7'] != 4 || (_ctype_ + 1)['z'] != 2) return 3;
  if (sysconf(0x28) != sysconf(0x27) || sysconf(0x28) < 4096) return 4;
  if (pthread_create(&thread, 0, leave, text) != 0 || pthread_join(thread, &result) != 0 || result != text) return 5;
  if (fprintf(__sF[1], "chip ") != 5) return 6;
  __android_log_print(3, "tag", "said to %s", "nobody");
  const int chip = open("/sys/devices/soc0/soc_id", 0);
  const long size = read(chip, text, sizeof text);
  return size == 4 && fprintf(__sF[1], "%.3s\n", text) == 4 ? 0 : 7;
}
EOT
# Libraries with the names of Android, only to link with.
for name in __errno open read sysconf strlcpy pthread_create pthread_join pthread_exit fprintf; do
  echo "void $name(void) {}"
done >"$folder/libc.c"
echo 'char __sF[3][152]; const char* _ctype_;' >>"$folder/libc.c"
echo 'void __android_log_print(void) {}' >"$folder/liblog.c"
echo 'LIBC { global: *; };' >"$folder/bionic/map"
link() { "${CC:-gcc}" -w -fno-builtin -fno-stack-protector -nostdlib -shared -fPIC "$@"; }
link "$folder/libc.c" -o "$folder/bionic/libc.so" -Wl,-soname,libc.so,--version-script="$folder/bionic/map"
link "$folder/liblog.c" -o "$folder/bionic/liblog.so" -Wl,-soname,liblog.so
htp=$folder/sdk/lib/aarch64-android/libQnnHtp.so
# make_library VERSION: makes the library of the SDK, with this build id.
make_library() {
  sed "s/VERSION/$1/" "$folder/htp.c" >"$folder/htp_version.c"
  link "$folder/htp_version.c" "$folder/bionic"/lib{c,log}.so -o "$htp"
}

cat >"$folder/try.cpp" <<'EOT'
#include <dlfcn.h>
#include <cstdio>
int main(int, char** words) {
  void* const library = dlopen(words[1], RTLD_NOW);
  if (library == nullptr) return std::puts(dlerror()), 99;
  return reinterpret_cast<int (*)()>(dlsym(library, "try_bionic"))();
}
EOT
# expect_run CHIP: checks that the program runs on the library, which sees the chip.
expect_run() {
  choose_sdk "$folder/sdk"
  local program=$folder/build/try code=0 text
  [ -x "$program" ] || target_build "$program" "$folder/try.cpp"
  text=$(target_run "$program" '{htp}') || code=$?
  [ "$code" -eq 0 ] || fail "the library ended with code $code: $text"
  [ "$text" = "chip $1" ] || fail "wanted chip $1, got: $text"
}

make_library v2.99.3.261126120000
for arch in 73 81; do cp "$htp" "$(dirname "$htp")/libQnnHtpV${arch}Stub.so"; done
before=$(ls -lR --full-time "$folder/sdk")
expect_run 660 # of the newer stub
[ "$target_version" = 2.99.3-android ] || fail "the version is '$target_version'"
STANDIN_SOC_ID=618 expect_run 618
[ "$(ls -lR --full-time "$folder/sdk")" = "$before" ] || fail "the folder of the library has changed"
rm "$(dirname "$htp")/libQnnHtpV81Stub.so"
make_library 'no build id'
expect_run 534
[ -z "$target_version" ] || fail "a library without a build id has version '$target_version'"

# A function that is neither glibc's nor the stand-in's is named.
sed -i '1i int no_such_function(void); int call(void) { return no_such_function(); }' "$folder/htp.c"
echo 'void no_such_function(void) {}' >>"$folder/libc.c"
link "$folder/libc.c" -o "$folder/bionic/libc.so" -Wl,-soname,libc.so,--version-script="$folder/bionic/map"
make_library v2.99.3.261126120000
if (choose_sdk "$folder/sdk") 2>"$folder/error.txt"; then fail "a missing function is not noticed"; fi
grep -q 'no_such_function' "$folder/error.txt" || fail "the missing function is not named: $(cat "$folder/error.txt")"

# A glibc library is not taken for an Android library.
"${CC:-gcc}" -shared -fPIC "$folder/liblog.c" -lc -o "$htp"
choose_sdk "$folder/sdk"
[ "$target_kind" != -android ] || fail "a library for glibc is taken for an Android library"
