#!/usr/bin/env bash
# device_test.sh FOLDER --program FILE --sim FOLDER --make FILE [SCRIPT BINARIES VTCM]: runs SCRIPT --device (run.sh) with
# replacements for adb and for an NDK. SCRIPT creates binaries in the folder BINARIES; VTCM is the size on the "device".
# The "device" is a folder. Its answers must equal the answers of the simulated HTP without adb.
set -euo pipefail
# shellcheck source=targets.sh
source "$(dirname "${BASH_SOURCE[0]}")/targets.sh"
run=$(dirname "${BASH_SOURCE[0]}")/${8:-run.sh}
binaries=$1/build/${9:-binaries}
folder=$1 program=$3 sim=$5 make=$7
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/ndk/toolchains/llvm/prebuilt/linux-x86_64/bin"

# Copies pushed files to the folder, and runs the device's shell commands locally.
cat >"$folder/bin/adb" <<EOT
#!/usr/bin/env bash
echo "\$1" >>"$folder/adb.log"
arguments=("\${@:2}")
arguments=("\${arguments[@]//"$device_folder"/"$folder/device"}")
case \$1 in
  push) cp "\${arguments[@]}" ;;
  shell) bash -c "\${arguments[*]}" ;;
  *) exit 1 ;;
esac
EOT
# "Compiles" by copying the program that is built already.
cat >"$folder/ndk/toolchains/llvm/prebuilt/linux-x86_64/bin/aarch64-linux-android31-clang++" <<EOT
#!/usr/bin/env bash
echo compiled >>"$folder/adb.log"
while [ "\$1" != -o ]; do shift; done
cp "$program" "\$2"
EOT
chmod +x "$folder/bin/adb" "$folder"/ndk/toolchains/llvm/prebuilt/linux-x86_64/bin/*

export QNNPP_CONFORMANCE_BUILD=$folder/build
"$run" --program "$program" --sim "$sim" --make "$make" --out "$folder/here.txt"

export PATH=$folder/bin:$PATH ANDROID_NDK_HOME=$folder/ndk QNNPP_SIM_VTCM_BYTES=${10:-8388608}
# run.sh uses the simulated HTP as a Linux library, flow.sh as an Android library.
[ "${run##*/}" != run.sh ] || export QNNPP_SIM_LINUX_WEIGHTS=1 QNNPP_SIM_RECYCLED_HANDLES=1
"$run" --device --sdk "$sim" --binaries "$binaries" --out "$folder/device.txt"
diff "$folder/here.txt" "$folder/device.txt"
for word in push shell compiled; do
  grep -qx "$word" "$folder/adb.log" || { echo "device_test: adb.log has no '$word'"; exit 1; }
done

# The error names the missing part.
if ANDROID_NDK_HOME='' "$run" --device --binaries "$binaries" 2>"$folder/error.txt"; then exit 1; fi
grep -q 'ANDROID_NDK_HOME must name an Android NDK' "$folder/error.txt"
