#!/usr/bin/env bash
# Compiles qnnpp with the headers of Android. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

levels=(21 26 29 33 35)

usage() {
  cat <<EOT
usage: tests/android.sh [--bionic FOLDER] [LEVEL...]

Compiles for arm64 and each API level of Android (default: ${levels[*]}), with warnings as errors, and links nothing:
  * each header alone, and all definitions, without exceptions and RTTI
  * the examples, qnnpp-run, qnnpp-plan and the simulated HTP, with exceptions
It takes the compiler and the headers of the NDK that ANDROID_NDK_HOME names. Other libraries' headers are Debian's.

  --bionic FOLDER  without an NDK: clang 19 and libc++ 19 of Debian with the headers in FOLDER/libc/include and
                   FOLDER/libc/kernel, which a clone of https://android.googlesource.com/platform/bionic has
  -h, --help       this text
EOT
}

bionic='' chosen=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --bionic) bionic=${2:?--bionic needs a folder}; shift ;;
    [1-9]*) chosen+=("$1") ;;
    *) usage >&2; die "unknown option '$1'" ;;
  esac
  shift
done
[ ${#chosen[@]} -eq 0 ] || levels=("${chosen[@]}")

if [ -n "$bionic" ]; then
  bionic=$(realpath "$bionic")
  [ -f "$bionic/libc/include/unistd.h" ] || die "$bionic/libc/include has no unistd.h; --bionic names a folder of bionic's sources"
  packages+=(clang-19 libc++-19-dev)
  compiler=(clang++-19 -nostdinc++ -nostdlibinc -isystem /usr/lib/llvm-19/include/c++/v1)
  for folder in include kernel/uapi kernel/uapi/asm-arm64 kernel/android/uapi; do
    compiler+=(-isystem "$bionic/libc/$folder")
  done
  headers="bionic's headers"
else
  [ -n "${ANDROID_NDK_HOME:-}" ] || die "ANDROID_NDK_HOME must name an Android NDK; or pass --bionic FOLDER"
  compiler=("$(find "$ANDROID_NDK_HOME/toolchains/llvm/prebuilt" -path '*/bin/clang++' 2>/dev/null | head -n 1)")
  [ -n "${compiler[0]}" ] || die "no clang++ in $ANDROID_NDK_HOME/toolchains/llvm/prebuilt"
  headers="the NDK's headers"
fi
need_packages "${packages[@]}"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Other headers of /usr/include belong to another system.
mkdir "$scratch/include"
for header in gsl tl fmt CLI nlohmann xxhash.h xxh3.h; do ln -s "/usr/include/$header" "$scratch/include/$header"; done

cd "$repository"
# Needs the headers of a QNN SDK before it.
mapfile -t alone < <(git ls-files 'include/*.hpp' | grep -v '^include/qnnpp/abi/verify_sdk.hpp$')
mapfile -t programs < <(git ls-files 'examples/*.cpp' 'tests/sim/*.cpp' | grep -v '^tests/sim/tests/')
[ ${#alone[@]} -gt 100 ] && [ ${#programs[@]} -gt 10 ] || die "the repository's files were not found"

options=(-std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude -Iexamples -Itests
  -isystem "$scratch/include" -DFMT_HEADER_ONLY -DXXH_INLINE_ALL "-DQNNPP_DIGITS_DATA=\"\"")
# compile <level> <name> <flag>...: compiles what stdin has. If that fails, prints the first errors.
compile() {
  local level=$1 name=$2 log
  shift 2
  log=$(mktemp -p "$scratch")
  "${compiler[@]}" "--target=aarch64-linux-android$level" "${options[@]}" "$@" -x c++ - 2>"$log" && return
  printf '\nAPI %s: %s does not compile:\n%s\n' "$level" "$name" "$(grep -m 5 -A 2 'error' "$log")"
  return 1
}

running=0 failed=0
# start <name> <file> <flag>...: compiles an include of the file at this level, beside others.
start() {
  local name=$1 file=$2
  shift 2
  if [ "$running" -eq "$jobs" ]; then
    wait -n || failed=$((failed + 1))
    running=$((running - 1))
  fi
  compile "$level" "$name" "$@" <<<"#include \"$file\"" &
  running=$((running + 1))
}

without=(-fno-exceptions -fno-rtti)
for level in "${levels[@]}"; do
  say "API $level: ${#alone[@]} headers, all definitions, ${#programs[@]} programs"
  for header in "${alone[@]}"; do
    flags=("${without[@]}")
    [ "$header" != include/qnnpp/throw.hpp ] || flags=() # the only one that throws
    start "$header" "${header#include/}" -DQNNPP_SEPARATE "${flags[@]}"
  done
  start "the definitions in the headers" qnnpp/definitions.hpp "${without[@]}"
  for program in "${programs[@]}"; do
    start "$program" "$repository/$program" -DQNNPP_SEPARATE
  done
done
while [ "$running" -gt 0 ]; do
  wait -n || failed=$((failed + 1))
  running=$((running - 1))
done
[ "$failed" -eq 0 ] || die "$failed of ${#levels[@]} x $((${#alone[@]} + 1 + ${#programs[@]})) sources do not compile with $headers"
printf '\nAPI %s: %d headers, all definitions and %d programs compile with %s; %d seconds\n' \
  "$(IFS=,; echo "${levels[*]}" | sed 's/,/, /g')" "${#alone[@]}" "${#programs[@]}" "$headers" "$SECONDS"
