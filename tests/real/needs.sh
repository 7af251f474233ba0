#!/usr/bin/env bash
# Asks Qualcomm's library for aarch64 what context binaries need: needs.sh BUILD_FOLDER BINARY... Prints for each a line
# "binary FILE", and what needs_probe.cpp and the library's log say of it. If something is missing to run it, prints one
# line on stderr that says what, and returns 77.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export QNNPP_CONFORMANCE_BUILD=$1
shift
. "$here/../conformance/targets.sh"
usage() { sed -n '2,4s/^# //p' "$0"; }

folder=$("$here/../conformance/package.sh" --cached aarch64) || exit 77
if [ "$(uname -m)" != aarch64 ] && ! { command -v qemu-aarch64 && command -v aarch64-linux-gnu-g++; } >/dev/null; then
  echo "needs.sh: an aarch64 library needs: apt-get install qemu-user g++-aarch64-linux-gnu" >&2
  exit 77
fi
mkdir -p "$QNNPP_CONFORMANCE_BUILD"
exec 9>"$QNNPP_CONFORMANCE_BUILD/lock"
flock 9 # the tests of two chips may build at once
STANDIN_SOC_ID=660 choose_sdk "$folder" # a chip with a v81 HTP, which loads binaries for v73 too
target_program needs "$here/needs_probe.cpp" "$conformance_top/include"
flock -u 9
for file; do
  echo "binary $file"
  target_run "$program" '{htp}' '{system}' "{file:$file}" 2>&1
done
