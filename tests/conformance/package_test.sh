#!/usr/bin/env bash
# package_test.sh FOLDER: tests package.sh with a replacement for python3, which serves a small wheel or fails.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) folder=$1
rm -rf "$folder"
mkdir -p "$folder/bin"
export QNNPP_PACKAGE_CACHE=$folder/cache

fail() {
  echo "package_test: $*" >&2
  exit 1
}
# expect_unavailable WORDS ARGUMENT...: checks that the script returns 77, prints nothing, and says why in one line.
script=package.sh
expect_unavailable() {
  local words=$1 code=0
  shift
  "$here/$script" "$@" >"$folder/out.txt" 2>"$folder/error.txt" || code=$?
  [ "$code" -eq 77 ] || fail "$script $* returned $code, not 77"
  [ ! -s "$folder/out.txt" ] || fail "$script $* printed a folder"
  [ "$(wc -l <"$folder/error.txt")" -eq 1 ] || fail "$script $*: more than one line: $(cat "$folder/error.txt")"
  grep -qF -- "$words" "$folder/error.txt" || fail "$script $*: no '$words' in: $(cat "$folder/error.txt")"
}

expect_unavailable "fetch it: tests/conformance/package.sh" --cached x86_64
QNNPP_PACKAGE_CACHE=cache expect_unavailable "not an absolute path: cache" --cached x86_64

printf '#!/bin/sh\nexit 1\n' >"$folder/bin/python3"
chmod +x "$folder/bin/python3"
PATH=$folder/bin:$PATH expect_unavailable "python3 has no pip" x86_64

# Has pip, but reaches no server.
printf '#!/bin/sh\ncase "$*" in *--version) exit 0 ;; esac\necho "ERROR: no matching distribution"\nexit 1\n' >"$folder/bin/python3"
PATH=$folder/bin:$PATH expect_unavailable "pip cannot download onnxruntime-qnn" x86_64
grep -q 'no matching distribution$' "$folder/error.txt" || fail "the reason of pip is missing"
[ -z "$(ls -A "$folder/cache")" ] || fail "a failed fetch left $(ls -A "$folder/cache")"

# The cache is below a file, or in a folder that takes no files (also if root writes).
QNNPP_PACKAGE_CACHE=$folder/bin/python3/cache PATH=$folder/bin:$PATH expect_unavailable "cannot be created" x86_64
QNNPP_PACKAGE_CACHE=/proc PATH=$folder/bin:$PATH expect_unavailable "cannot be written to" x86_64

# Serves a file that is no wheel. A quote in the path is no command.
printf '#!/bin/sh\ncase "$*" in *zipfile*) echo Traceback; echo "BadZipFile: no zip file"; exit 1 ;; esac\n' >"$folder/bin/python3"
export QNNPP_PACKAGE_CACHE="$folder/user's cache"
PATH=$folder/bin:$PATH expect_unavailable "cannot be unpacked: BadZipFile" x86_64
[ -z "$(ls -A "$QNNPP_PACKAGE_CACHE")" ] || fail "a failed fetch left $(ls -A "$QNNPP_PACKAGE_CACHE")"
QNNPP_PACKAGE_CACHE=$folder/cache

# Serves a wheel: a folder with the layout of the real one.
cat >"$folder/bin/python3" <<'EOT'
#!/bin/bash
case "$*" in
  *--version) ;;
  *"pip download"*) while [ "$1" != -d ]; do shift; done; mkdir -p "$2"; echo "$*" >"$2/wheel.whl" ;;
  *"zipfile -e"*) mkdir -p "$5/onnxruntime_qnn" "$5/onnxruntime_qnn.libs"; cp "$4" "$5/onnxruntime_qnn/libQnnHtp.so" ;;
  *) exit 1 ;;
esac
EOT
found=$(PATH=$folder/bin:$PATH "$here/package.sh" 2>"$folder/error.txt")
[ "$found" = "$folder/cache/x86_64/onnxruntime_qnn
$folder/cache/aarch64/onnxruntime_qnn" ] || fail "printed: $found"
[ -d "$folder/cache/x86_64/onnxruntime_qnn.libs" ] || fail "the layout of the wheel was not kept"
[ "$(grep -c Qualcomm_LICENSE.pdf "$folder/error.txt")" -eq 2 ] || fail "the licence is not named"
# The rest of a killed run is removed after a day.
QNNPP_PACKAGE_CACHE="$folder/user's cache"
mkdir -p "$QNNPP_PACKAGE_CACHE"/fetching.{old,new}
touch -d '2 days ago' "$QNNPP_PACKAGE_CACHE/fetching.old"
# Another run ends first: its folder stays.
# shellcheck disable=SC2016
sed 's|^esac|esac; case "$*" in *zipfile*) cp -r "$5" "$QNNPP_PACKAGE_CACHE/x86_64"; touch "$QNNPP_PACKAGE_CACHE/x86_64/first" ;; esac|' \
  "$folder/bin/python3" >"$folder/bin/other" && chmod +x "$folder/bin/other" && mv "$folder/bin/other" "$folder/bin/python3"
PATH=$folder/bin:$PATH "$here/package.sh" x86_64 >"$folder/out.txt" 2>"$folder/error.txt"
[ "$(cat "$folder/out.txt")" = "$QNNPP_PACKAGE_CACHE/x86_64/onnxruntime_qnn" ] || fail "printed: $(cat "$folder/out.txt")"
[ -f "$QNNPP_PACKAGE_CACHE/x86_64/first" ] || fail "the folder of another run was replaced"
[ "$(ls "$QNNPP_PACKAGE_CACHE")" = "fetching.new
x86_64" ] || fail "the cache has: $(ls "$QNNPP_PACKAGE_CACHE")"
QNNPP_PACKAGE_CACHE=$folder/cache

# Fetches nothing twice.
[ "$("$here/package.sh" --cached aarch64)" = "$folder/cache/aarch64/onnxruntime_qnn" ] || fail "the cache is not used"

# python.sh: makes nothing with --cached; says that Debian's package is missing, or what pip said; then uses what it has made.
script=python.sh
expect_unavailable "make it: tests/conformance/python.sh" --cached
printf '#!/bin/sh\necho "ensurepip is not available"\nexit 1\n' >"$folder/bin/python3"
PATH=$folder/bin:$PATH expect_unavailable "python3-venv"
cat >"$folder/bin/python3" <<'EOT'
#!/bin/sh
mkdir -p "$3/bin"
printf '#!/bin/sh\n[ ! -f "%s/refuse" ] || { echo "ERROR: no server"; exit 1; }\necho "$*" >"%s/installed"\n' "$3" "$3" >"$3/bin/pip"
[ ! -f "$(dirname "$0")/no_server" ] || touch "$3/refuse"
chmod +x "$3/bin/pip"
EOT
touch "$folder/bin/no_server"
PATH=$folder/bin:$PATH expect_unavailable "pip: ERROR: no server"
expect_unavailable "make it" --cached
rm "$folder/bin/no_server"
made=$(PATH=$folder/bin:$PATH "$here/python.sh")
grep -q 'onnxruntime-qnn==.* onnxruntime==.* onnx==' "$made/installed" || fail "installed: $(cat "$made/installed")"
[ "$("$here/python.sh" --cached)" = "$made" ] || fail "the environment is not used"
