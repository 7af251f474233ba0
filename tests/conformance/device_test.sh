#!/usr/bin/env bash
# device_test.sh FOLDER --program FILE --sim FOLDER --make FILE [SCRIPT BINARIES VTCM]: runs SCRIPT --device (run.sh) with
# the replacements of standin/device.sh. SCRIPT creates binaries in the folder BINARIES; VTCM is the size on the "device".
# Its answers must equal the answers of the simulated HTP without adb.
set -euo pipefail
# shellcheck source=targets.sh
source "$(dirname "${BASH_SOURCE[0]}")/targets.sh"
# shellcheck source=standin/device.sh
source "$conformance/standin/device.sh"
run=$(dirname "${BASH_SOURCE[0]}")/${8:-run.sh}
binaries=$1/build/${9:-binaries}
folder=$1 program=$3 sim=$5 make=$7
rm -rf "$folder"
make_device "$folder" "$program"

export QNNPP_CONFORMANCE_BUILD=$folder/build
"$run" --program "$program" --sim "$sim" --make "$make" --out "$folder/here.txt"

use_device "$folder"
export QNNPP_SIM_VTCM_BYTES=${10:-8388608}
# run.sh uses the simulated HTP as a Linux library, flow.sh as an Android library.
[ "${run##*/}" != run.sh ] || export QNNPP_SIM_LINUX_WEIGHTS=1 QNNPP_SIM_RECYCLED_HANDLES=1
"$run" --device --sdk "$sim" --binaries "$binaries" --out "$folder/device.txt"
diff <(grep -v '^# [A-Z]-' "$folder/here.txt") <(grep -v '^# [A-Z]-' "$folder/device.txt") # without measured times
for word in push shell compiled; do
  grep -qx "$word" "$folder/adb.log" || { echo "device_test: adb.log has no '$word'"; exit 1; }
done

# The error names the missing part.
if ANDROID_NDK_HOME='' "$run" --device --binaries "$binaries" 2>"$folder/error.txt"; then exit 1; fi
grep -q 'ANDROID_NDK_HOME must name an Android NDK' "$folder/error.txt"
