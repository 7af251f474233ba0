#!/usr/bin/env bash
# Exercises each public use of qnnpp on one library and compares the outcomes. See usage below, or run with --help.
set -euo pipefail
# shellcheck source=targets.sh
source "$(dirname "${BASH_SOURCE[0]}")/targets.sh"

usage() {
  cat <<EOT
usage: tests/conformance/flow.sh [--sdk FOLDER] [--device] [--binaries FOLDER] [OPTION...]

Builds qnnpp_flow, runs it and compares its lines with expected/flow-VERSION.txt.

Libraries:

  (nothing)          the simulated HTP
  --sdk FOLDER       the host library of an SDK, or of any folder with libQnnHtp.so and libQnnSystem.so. A library for
                     another processor runs with qemu-user; without a DSP, a stand-in replaces FastRPC, and for an
                     Android library, one replaces bionic
  --device           the Android device of adb; with --sdk, pushes that SDK's libraries first

Options:

  --binaries FOLDER  context binaries (*.bin); the library must load at least one of them. Default: as for run.sh
  --record           writes the outcomes to expected/
  --only WORDS       runs only the ways whose name contains WORDS
  --verbose          writes the message of each error to stderr
  --limit SECONDS    CPU time of a way, or time that it waits, after which it counts as hanging (60)
  --program FILE     the program, already built    --sim FOLDER    folder of the simulated libraries
  --make FILE        examples/make_binaries        --out FILE      file for the outcomes
EOT
}

only='' words=()
while [ $# -gt 0 ]; do
  option_words=2
  case $1 in
    --verbose) words+=(--verbose) option_words=1 ;;
    --only) only=$(target_value "$@") words+=(--only "$only") ;;
    --limit) words+=(--seconds "$(target_value "$@")") ;;
    *) target_option "$@" ;;
  esac
  shift "$option_words"
done
[ "$record" = no ] || [ -z "$only" ] || target_die "--record requires all ways; omit --only"
choose_target

# Creates the four binaries of the examples, and a binary for another architecture.
if [ -z "$binaries" ] && [ "$target_name" = sdk ]; then
  prepare_binaries
  binaries=$binaries/ways
elif [ -z "$binaries" ]; then
  prepare_to_make flow-binaries
  export QNNPP_SIM_VTCM_BYTES=32768 # little VTCM, so that they need spill-fill; the device has the same
  "${maker[@]}" --output "$binaries" >/dev/null
  QNNPP_SIM_ARCH=85 "${maker[@]}" --output "$binaries/other" >/dev/null
  mv "$binaries/other/stem.bin" "$binaries/other_arch.bin"
  rm -r "$binaries/other"
fi

[ -n "$program" ] || target_program flow "$conformance/qnnpp_flow.cpp" "$conformance_top/include/qnnpp" "-I$conformance"
target_files
[ -n "$out" ] || out=$conformance_build/flow-$target_name${target_version:+-$target_version}.txt
mkdir -p "$(dirname "$out")"
unended=0
target_run "$program" "${words[@]}" '{htp}' '{rpcmem}' "${files[@]}" >"$out" || unended=$?
[ -s "$out" ] || target_die "the program ended with code $unended"

known=$conformance/expected/flow-${target_version:-none}.txt
if [ "$record" = yes ]; then
  [ -n "$target_version" ] || target_die "the library states no version, so there is no file to record its outcomes in: $out"
  cp "$out" "$known"
  echo "flow: recorded $(wc -l <"$known") outcomes in $known"
  exit 0
fi
echo "outcomes: $out"
asked=$(wc -l <"$out")
if [ ! -f "$known" ]; then
  echo "flow: $asked ways, ${target_version:-this version} has no expected outcomes yet"
  exit "$unended"
fi
differences=$(diff <(grep -F -- "$only" "$known") "$out" | sed -n 's/^</expected:/p; s/^>/here:    /p') || true
[ -z "$differences" ] || echo "$differences"
differing=$(grep -c '^here:' <<<"$differences" || true)
echo "flow: $asked ways, $((asked - differing)) as expected, $differing differing"
[ -z "$differences" ]
