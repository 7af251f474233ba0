#!/usr/bin/env bash
# quick_test.sh FOLDER --program FILE --sim FOLDER --make FILE: tests run.sh --device --quick on the simulated HTP, with the
# replacements of standin/device.sh: its report, what it names as missing, and programs that end too early.
set -euo pipefail
# shellcheck source=targets.sh
source "$(dirname "${BASH_SOURCE[0]}")/targets.sh"
# shellcheck source=quick.sh
source "$conformance/quick.sh"
# shellcheck source=standin/device.sh
source "$conformance/standin/device.sh"
folder=$1 program=$3 sim=$5 make=$7
fail() { echo "quick_test: $*"; exit 1; }
rm -rf "$folder"
make_device "$folder" "$program"

# Binaries of the simulated HTP, and an SDK with its libraries, and a stub and a skel of two architectures.
QNNPP_SIM_VTCM_BYTES=32768 "$make" --backend "$sim/libQnnHtp.so" --input_output_tensor_mem_type memhandle \
  --output "$folder/binaries" >/dev/null
sdk=$folder/sdk libraries=$folder/sdk/lib/aarch64-android
mkdir -p "$libraries" "$sdk"/lib/hexagon-v{73,79}/unsigned
cp "$sim"/lib*.so "$libraries"
for arch in 73 79; do
  touch "$libraries/libQnnHtpV${arch}Stub.so" "$sdk/lib/hexagon-v$arch/unsigned/libQnnHtpV${arch}Skel.so"
done

use_device "$folder"
export QNNPP_CONFORMANCE_BUILD=$folder/build QNNPP_SIM_VTCM_BYTES=8388608 QNNPP_SIM_LINUX_WEIGHTS=1 QNNPP_SIM_RECYCLED_HANDLES=1
report=$folder/report.md
quick() { "$conformance/run.sh" --device --quick --sdk "$sdk" --binaries "$folder/binaries" --out "$report"; }

# expect_stop WORDS... -- COMMAND...: checks that the command ends with code 2 before it asks, and that it says the words.
expect_stop() {
  local words=() word code=0
  while [ "$1" != -- ]; do words+=("$1"); shift; done
  shift
  rm -f "$report"
  "$@" >"$folder/output.txt" 2>&1 || code=$?
  [ "$code" -eq 2 ] && [ ! -e "$report" ] || fail "code $code for '${words[0]}': $(cat "$folder/output.txt")"
  for word in "${words[@]}"; do
    grep -qF -- "$word" "$folder/output.txt" || fail "'$word' is not said: $(cat "$folder/output.txt")"
  done
}
# with VARIABLE=VALUE... COMMAND: runs a function with these variables.
with() (
  while [[ $1 == *=* ]]; do export "${1?}"; shift; done
  "$@"
)
# without FILE...: asks without these files.
without() (
  local file
  for file in "$@"; do mv "$file" "$folder/$(basename "$file").away"; done
  quick || code=$?
  for file in "$@"; do mv "$folder/$(basename "$file").away" "$file"; done
  exit "${code:-0}"
)

# Every open row has questions, and there are at most 60.
print_open_rows | grep -q . || fail "no row is open"
! print_open_rows | grep ' | $' || fail "an open row names no question"
ids=$(quick_ids | tr , '\n')
count=$(wc -l <<<"$ids")
[ "$count" -le 60 ] || fail "$count questions"
while read -r id; do
  grep -q "^$id | " "$conformance/expected/simulated.txt" || fail "there is no question $id"
done <<<"$ids"
sed 's/| open (W-8) |$/| open |/' "$conformance_top/docs/hardware.md" >"$folder/hardware.md"
[ "$(QNNPP_HARDWARE=$folder/hardware.md print_open_rows | grep -c ' | $')" -eq 1 ] || fail "a row without questions is not noticed"

# Everything is there.
STANDIN_CHIP=SM8750 quick >"$folder/output.txt" 2>&1 || fail "$(cat "$folder/output.txt")"
grep -q "^conformance: complete: $count answers$" "$folder/output.txt" || fail "not complete: $(cat "$folder/output.txt")"
while read -r id; do
  answer=$(grep "^$id | " "$conformance/expected/simulated.txt")
  grep -qF -- "    $answer" "$report" || fail "the report has not: $answer"
done <<<"$ids"
while read -r row; do
  grep -qxF -- "## ${row% | *}" "$report" || fail "the report has no section ${row% | *}"
done < <(print_open_rows)
for words in "| outcome | complete: $count answers |" '| chip |  SM8750' '| library | qnnpp-sim' '| headers | not compared' \
  '| binary | stem.bin, ' '# D-1a: chip ' '# W-8: creation: ' '## Log' '    == W-8' 'log 3: '; do
  grep -qF -- "$words" "$report" || fail "the report has not '$words'"
done
! grep -q 'no answer$\|serial1' "$report" || fail "the report lacks an answer, or has the serial number"
! grep -qF "$sdk" "$report" || fail "the report has a folder of this machine"

cp "$folder/build/quick-answers.txt" "$folder/answers.txt"

# The device's own libraries, which are here the pushed ones.
own() { "$conformance/run.sh" --device --quick --binaries "$folder/binaries" --out "$report"; }
own >"$folder/output.txt" 2>&1 || fail "$(cat "$folder/output.txt")"
grep -q "| library | qnnpp-sim, the device's |" "$report" || fail "the report does not say whose library it is"

# What is missing is named before anything runs: all of it at once.
expect_stop 'no device; connect one' -- with STANDIN_DEVICES= quick
expect_stop 'several devices: first, second; set ANDROID_SERIAL' -- with STANDIN_DEVICES=$'first\tdevice\nsecond\tdevice' quick
expect_stop 'accept the key' -- with STANDIN_DEVICES=$'first\tunauthorized' quick
expect_stop 'first: no permissions (udev), second: offline' -- with STANDIN_DEVICES=$'first\tno permissions (udev)\nsecond\toffline' quick
expect_stop 'ANDROID_SERIAL is third, adb finds: first: device;' -- with ANDROID_SERIAL=third STANDIN_DEVICES=$'first\tdevice' quick
expect_stop 'no stub (libQnnHtpV79Stub.so) for the chip (v79); the SDK has it in lib/' \
  -- with STANDIN_CHIP=SM8750 without "$libraries/libQnnHtpV79Stub.so"
expect_stop 'no skel (libQnnHtpV79Skel.so) for the chip (v79); the SDK has it in lib/hexagon-v79/' \
  -- with STANDIN_CHIP=SM8750 without "$sdk/lib/hexagon-v79/unsigned/libQnnHtpV79Skel.so"
expect_stop 'no stub (' -- without "$libraries"/libQnnHtpV{73,79}Stub.so
expect_stop 'no skel (' -- without "$sdk"/lib/hexagon-v{73,79}/unsigned/*
expect_stop 'other architectures: v79 and v73' \
  -- without "$libraries/libQnnHtpV73Stub.so" "$sdk/lib/hexagon-v79/unsigned/libQnnHtpV79Skel.so"
rm "$folder/device"/*Skel.so
expect_stop 'the device has no skel (' -- own
expect_stop 'no libQnnSystem.so' -- without "$libraries/libQnnSystem.so"
expect_stop 'no libQnnHtp.so in' -- without "$libraries/libQnnHtp.so"
expect_stop 'headers of C++20' "'concepts' file not found" 'newer NDK' -- with STANDIN_HEADERS=none quick
expect_stop 'must name an Android NDK' -- with ANDROID_NDK_HOME= quick
expect_stop 'no aarch64-linux-android*-clang++ in /nowhere' -- with ANDROID_NDK_HOME=/nowhere quick
expect_stop 'context binaries' -- "$conformance/run.sh" --device --quick --sdk "$sdk" --out "$report"
mkdir "$folder/empty"
expect_stop 'no *.bin in' -- "$conformance/run.sh" --device --quick --sdk "$sdk" --binaries "$folder/empty" --out "$report"
expect_stop 'add --device' -- "$conformance/run.sh" --quick --out "$report"
# A PATH with everything except adb.
mkdir "$folder/path"
ln -s /usr/bin/* "$folder/path/"
rm -f "$folder/path/adb"
expect_stop 'adb is not on the PATH; install' 'must name an Android NDK' -- with PATH="$folder/path" ANDROID_NDK_HOME= quick

# expect_part WORDS SECONDS END: asks with a program that prints the first 12 answers and ends so; the report says that it is incomplete.
expect_part() {
  local words=$1 seconds=$2 end=$3
  cat >"$folder/early" <<EOT
#!/usr/bin/env bash
awk '/ [|] / { ++count } { print } count == 12 { exit }' "$folder/answers.txt"
$end
EOT
  chmod +x "$folder/early"
  rm -f "$report"
  if QNNPP_QUICK_SECONDS=$seconds "$conformance/run.sh" --device --quick --sdk "$sdk" --binaries "$folder/binaries" \
    --out "$report" --program "$folder/early" >"$folder/output.txt" 2>&1; then fail "$words is no failure"; fi
  grep -qF -- "| outcome | INCOMPLETE: 12 of $count answers; $words" "$report" || fail "wanted '$words': $(cat "$folder/output.txt")"
  grep -qF -- "$words" "$folder/output.txt" || fail "'$words' is not said"
  grep -qF 'no answer' "$report" || fail "the report names no question without an answer"
  grep -qF -- "    $(grep '^M-4 | ' "$conformance/expected/simulated.txt")" "$report" || fail "the report lacks the first answers"
}
expect_part "the program ended with code 139, the last answer is of " 180 'kill -SEGV $$'
expect_part "the program did not end in 5 seconds, the last answer is of " 5 'sleep 300'
