# Sourced by run.sh: --quick, which asks a device the questions that the open rows of docs/hardware.md name, and writes one
# file with the answers, the chip, the versions and the log.
# shellcheck shell=bash

# Seconds for all questions. A question that begins later is not asked, and what runs then is ended.
quick_seconds=${QNNPP_QUICK_SECONDS:-180}

# print_open_rows: prints the open rows of docs/hardware.md as 'row | ids': the last cell is 'open (ID, ID)', with other words
# before the parenthesis.
print_open_rows() {
  awk -F ' *[|] *' '/^[|]/ && $(NF - 1) ~ /^open/ {
    ids = $(NF - 1)
    if (!sub(/^.*[(]/, "", ids) || !sub(/[)]$/, "", ids)) ids = ""
    print $2 " | " ids }' "${QNNPP_HARDWARE:-$conformance_top/docs/hardware.md}"
}

# quick_ids: prints the ids of all open rows, once, separated by commas.
quick_ids() { print_open_rows | sed 's/.* | //; s/, */\n/g' | awk '!seen[$0]++' | paste -sd ,; }

# property_of NAME: prints a property of the device.
property_of() { adb shell "getprop $1" 2>/dev/null | tr -d '\r' || true; }

# arch_of_chip: prints the architecture of the device's chip, such as 79, by the table of docs/devices.md.
arch_of_chip() {
  local model
  model=$(property_of ro.soc.model | tr '[:upper:]' '[:lower:]')
  [ -z "$model" ] || sed -nE "s/^\| v([0-9]+) \|.*[ ,]$model \(.*/\1/p" "$conformance_top/docs/devices.md"
}

# architectures_in KIND FILE...: prints the numbers of the architectures whose stub or skel (KIND) is among the files.
architectures_in() {
  local kind=$1
  shift
  printf '%s\n' "$@" | sed -nE "s/.*libQnnHtpV([0-9]+)$kind\.so\$/\1/p" | sort -u
}

# find_parts [SDK]: notes what else is missing: stub and skel of the chip, headers, binaries. Without an SDK, the libraries
# are the device's.
find_parts() {
  local sdk=${1:-} stubs skels chip='' where errors
  if [ ${#missing_parts[@]} -eq 0 ]; then # there is a device
    chip=$(arch_of_chip)
    if [ -n "$sdk" ]; then
      where=$sdk
      stubs=$(architectures_in Stub "$target_libraries"/libQnnHtpV*Stub.so)
      skels=$(architectures_in Skel "$sdk"/lib/hexagon-v*/unsigned/libQnnHtpV*Skel.so "$target_libraries"/libQnnHtpV*Skel.so)
      [ -f "$target_libraries/libQnnSystem.so" ] || missing "no libQnnSystem.so in $target_libraries; copy it from the SDK that has libQnnHtp.so"
    else
      where='the device'
      # shellcheck disable=SC2046
      stubs=$(architectures_in Stub $(adb shell "ls $device_folder /vendor/lib64 /system/vendor/lib64" 2>/dev/null | tr -d '\r'))
      # shellcheck disable=SC2046
      skels=$(architectures_in Skel $(adb shell "ls $device_folder /vendor/dsp/cdsp /vendor/lib/rfsa/adsp /dsp" 2>/dev/null | tr -d '\r'))
    fi
    find_part "$chip" "$where" 'stub (libQnnHtpV..Stub.so)' "$stubs" "$skels" 'the SDK has it in lib/aarch64-android'
    find_part "$chip" "$where" 'skel (libQnnHtpV..Skel.so)' "$skels" "$stubs" 'the SDK has it in lib/hexagon-v../unsigned'
  fi
  if [ ${#target_compiler[@]} -gt 0 ]; then
    errors=$("${target_compiler[@]}" -std=c++20 -fsyntax-only "-I$conformance_top/include" -x c++ - 2>&1 \
      <<<$'#include <concepts>\n#include <span>\n#include "qnnpp/abi/system_interface.hpp"') ||
      missing "the compiler of ANDROID_NDK_HOME does not find the headers of C++20 ($(grep -m 1 error <<<"$errors" || echo "$errors")); use a newer NDK"
  fi
  if [ -z "$binaries" ]; then
    missing "--binaries must name a folder with context binaries (*.bin) for the chip; docs/without-a-device.md says how to make one"
  elif [ -z "$(find "$binaries" -maxdepth 1 -name '*.bin' 2>/dev/null)" ]; then
    missing "no *.bin in $binaries; --binaries must name a folder with context binaries for the chip"
  fi
}

# find_part CHIP WHERE NAME FOUND OTHERS HINT: notes that the part of the chip's architecture is missing. If the chip is not
# known, one of an architecture that also has the other part must be among those found.
find_part() {
  local chip=$1 where=$2 name=$3 found=$4 others=$5 hint=$6
  if [ -n "$chip" ]; then
    ! grep -qx "$chip" <<<"$found" || return 0
    missing "$where has no ${name/../$chip} for the chip (v$chip); ${hint/../$chip}"
  elif [ -z "$found" ]; then
    missing "$where has no $name; $hint"
  elif [ -n "$others" ] && [ -z "$(comm -12 <(echo "$found") <(echo "$others"))" ]; then
    missing "$where has a stub and a skel, but of other architectures: v${found//$'\n'/, v} and v${others//$'\n'/, v}; take both from one SDK"
  fi
}

# headers_of SDK: prints whether qnnpp's declarations equal the SDK's headers.
headers_of() {
  local sdk=$1 errors
  [ -f "$sdk/include/QNN/QnnInterface.h" ] || { echo "not compared: no include/QNN/QnnInterface.h in the folder of --sdk"; return; }
  if errors=$("${target_compiler[@]}" -std=c++20 -fsyntax-only "-I$conformance_top/include" "-I$sdk/include/QNN" -x c++ - 2>&1 \
    <<<$'#include <QnnInterface.h>\n#include "qnnpp/abi/verify_sdk.hpp"'); then
    echo "as the SDK's"
  else
    errors=${errors//"$sdk"/SDK}
    echo "differ from the SDK's: $(grep -m 1 error <<<"$errors" || head -n 1 <<<"$errors")"
  fi
}

# print_report ANSWERS LOG OUTCOME: prints the file to attach to an issue.
print_report() {
  local answers=$1 log=$2 outcome=$3 file row ids id
  cat <<EOT
# qnnpp on a device

| | |
|---|---|
| outcome | $outcome |
| qnnpp | $(git -C "$conformance_top" rev-parse --short HEAD 2>/dev/null || sed -nE 's/^#define QNNPP_VERSION //p' "$conformance_top/include/qnnpp/version.hpp") |
| chip | $(property_of ro.soc.manufacturer) $(property_of ro.soc.model), soc_id $(adb shell 'cat /sys/devices/soc0/soc_id' 2>/dev/null | tr -d '\r' || true) |
| device | $(property_of ro.product.model), Android $(property_of ro.build.version.release), kernel $(adb shell 'uname -r' 2>/dev/null | tr -d '\r' || true) |
| library | $(sed -nE '1s/^# library //p' "$answers"), $([ -n "$sdk" ] && echo pushed || echo "the device's") |
| headers | $(headers_of "$sdk") |
| compiler | $("${target_compiler[@]}" --version 2>/dev/null | head -n 1) |
EOT
  for file in "$binaries"/*.bin; do
    echo "| binary | $(basename "$file"), $(wc -c <"$file") bytes $(build_id_of "$file") |"
  done
  while read -r row; do
    ids=${row##* | } row=${row% | *}
    printf '\n## %s\n\n' "$row"
    for id in ${ids//,/ }; do
      grep -F -e "# $id: " -e "$id | " "$answers" | awk -v id="$id" 'index($0, id " | ") == 1 || index($0, "# " id ": ") == 1' | sed 's/^/    /' | grep . ||
        echo "    $id | no answer"
    done
  done < <(print_open_rows)
  printf '\n## Log\n\n'
  sed 's/\r$//; s/^/    /' "$log"
}

# ask_quick: asks the questions and writes the report to $out. Returns 1 if answers are missing.
ask_quick() {
  local ids answers=$conformance_build/quick-answers.txt log=$conformance_build/quick-log.txt code=0 asked got late outcome
  ids=$(quick_ids)
  asked=$(tr ',' '\n' <<<"$ids" | wc -l)
  [ -n "$out" ] || out=$conformance_build/qnnpp-device.md
  mkdir -p "$(dirname "$out")" "$conformance_build"
  target_limit=(timeout -k 5 "$quick_seconds")
  target_run "$program" '{htp}' '{system}' '{rpcmem}' --log --ids "$ids" \
    --within "$((quick_seconds > 60 ? quick_seconds - 30 : quick_seconds))" "${files[@]}" >"$answers" 2>"$log" || code=$?
  sed -i 's/\r$//' "$answers"
  got=$(grep -c '^[A-Z]-.* | .* | ' "$answers" || true)
  late=$(grep -c ' | not asked: no time left$' "$answers" || true)
  if [ "$code" -eq 0 ] && [ "$got" -eq "$asked" ] && [ "$late" -eq 0 ]; then
    outcome="complete: $asked answers"
  else
    outcome="INCOMPLETE: $((got - late)) of $asked answers; "
    case $code in
      0) outcome+="there was no time for the others" ;;
      124 | 137) outcome+="the program did not end in $quick_seconds seconds" ;;
      *) outcome+="the program ended with code $code" ;;
    esac
    [ "$got" -eq 0 ] || outcome+=", the last answer is of $(sed -nE '/not asked: no time left$/d; s/^([A-Z]-[^ ]*) \| .*/\1/p' "$answers" | tail -n 1)"
  fi
  print_report "$answers" "$log" "$outcome" >"$out"
  echo "conformance: $outcome"
  if [ "$got" -eq 0 ]; then tail -n 3 "$log"; fi
  echo "conformance: attach this file to an issue: $out"
  [[ $outcome == complete* ]]
}
