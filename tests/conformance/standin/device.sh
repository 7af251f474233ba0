# Sourced by the tests of --device: replacements for adb and for an Android NDK. The "device" is a folder.
# shellcheck shell=bash
#
#   make_device FOLDER PROGRAM   writes both to FOLDER; the NDK's compiler "compiles" by copying PROGRAM
#   use_device FOLDER            puts adb on the PATH, and sets ANDROID_NDK_HOME
#
# adb copies what is pushed to FOLDER/device, and runs the device's shell commands here. It finds the devices of
# STANDIN_DEVICES, which are "SERIAL STATE" lines, and answers getprop ro.soc.model with STANDIN_CHIP. FOLDER/adb.log has the
# commands. The compiler refuses headers if STANDIN_HEADERS is "none".

make_device() {
  local folder=$1 program=$2
  mkdir -p "$folder/bin" "$folder/device" "$folder/ndk/toolchains/llvm/prebuilt/linux-x86_64/bin"
  cat >"$folder/bin/adb" <<EOT
#!/usr/bin/env bash
echo "\$1" >>"$folder/adb.log"
arguments=("\${@:2}")
arguments=("\${arguments[@]//"$device_folder"/"$folder/device"}")
case \$1 in
  devices) printf '* daemon started successfully\nList of devices attached\n%s\n\n' "\${STANDIN_DEVICES-serial1	device}" ;;
  push) cp "\${arguments[@]}" ;;
  shell)
    case \${arguments[*]} in
      'getprop ro.soc.model') echo "\${STANDIN_CHIP:-}" ;;
      getprop*) echo ;;
      *) exec bash -c "\${arguments[*]}" ;;
    esac ;;
  *) exit 1 ;;
esac
EOT
  cat >"$folder/ndk/toolchains/llvm/prebuilt/linux-x86_64/bin/aarch64-linux-android31-clang++" <<EOT
#!/usr/bin/env bash
if [[ " \$* " == *' -fsyntax-only '* ]]; then
  [ "\${STANDIN_HEADERS:-}" != none ] || { echo "<stdin>:1:10: fatal error: 'concepts' file not found"; exit 1; }
  exit 0
fi
[ "\$1" != --version ] && [ "\$2" != --version ] || { echo 'Android clang, replaced'; exit 0; }
echo compiled >>"$folder/adb.log"
while [ "\$1" != -o ]; do shift; done
cp "$program" "\$2"
EOT
  chmod +x "$folder/bin/adb" "$folder"/ndk/toolchains/llvm/prebuilt/linux-x86_64/bin/*
}

use_device() { export PATH=$1/bin:$PATH ANDROID_NDK_HOME=$1/ndk; }
