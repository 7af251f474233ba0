#!/usr/bin/env bash
# Goes every public way through qnnpp on one library and compares the outcomes. See usage below, or run with --help.
set -euo pipefail
# shellcheck source=targets.sh
source "$(dirname "${BASH_SOURCE[0]}")/targets.sh"

usage() {
  cat <<EOT
usage: tests/conformance/flow.sh [--sdk FOLDER] [--device] [--binaries FOLDER] [OPTION...]

Builds qnnpp_flow, runs it and compares its lines with those in expected/flow-VERSION.txt. On which library:

  (nothing)          the simulated HTP
  --sdk FOLDER       the host library of an SDK, or of any folder that holds libQnnHtp.so and libQnnSystem.so. One for
                     another processor runs under qemu-user; if there is no DSP, a stand-in answers for FastRPC
  --device           the Android device that adb reaches; with --sdk, that SDK's libraries are pushed first

  --binaries FOLDER  context binaries (*.bin), at least one that the library loads; the simulated HTP gets its own from
                     the examples
  --record           writes the outcomes to expected/
  --only WORDS       only the ways whose name holds these words
  --verbose          the message of each error on stderr
  --limit SECONDS    after which a way counts as hanging (60)
  --program FILE     the program, already built    --sim FOLDER    the simulated libraries
  --make FILE        examples/make_binaries        --out FILE      where the outcomes go
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
choose_target

# The four binaries of the examples, and one for another architecture.
if [ -z "$binaries" ]; then
  prepare_to_make flow-binaries
  export QNNPP_SIM_VTCM_BYTES=32768 # so little that they spill; the device that executes them has as much
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
  [ -z "$only" ] || target_die "--record needs every way; leave out --only"
  cp "$out" "$known"
  echo "flow: recorded $(wc -l <"$known") outcomes in $known"
  exit 0
fi
echo "outcomes: $out"
asked=$(wc -l <"$out")
if [ ! -f "$known" ]; then
  echo "flow: $asked ways, nothing is expected of ${target_version:-this version} yet"
  exit "$unended"
fi
differences=$(diff <(grep -F -- "$only" "$known") "$out" | sed -n 's/^</expected:/p; s/^>/here:    /p') || true
[ -z "$differences" ] || echo "$differences"
differing=$(grep -c '^here:' <<<"$differences" || true)
echo "flow: $asked ways, $((asked - differing)) as expected, $differing differing"
[ -z "$differences" ]
