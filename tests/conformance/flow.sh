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

sdk='' device=no binaries='' record=no program='' sim='' make='' out='' only='' words=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --device) device=yes ;;
    --record) record=yes ;;
    --verbose) words+=(--verbose) ;;
    --sdk | --binaries | --program | --sim | --make | --out | --only | --limit)
      [ $# -ge 2 ] || { usage >&2; exit 2; }
      case $1 in
        --sdk) sdk=$2 ;;
        --binaries) binaries=$2 ;;
        --program) program=$2 ;;
        --sim) sim=$2 ;;
        --make) make=$2 ;;
        --out) out=$2 ;;
        --only) only=$2 words+=(--only "$2") ;;
        --limit) words+=(--seconds "$2") ;;
      esac
      shift ;;
    *) usage >&2; target_die "unknown option '$1'" ;;
  esac
  shift
done

if [ "$device" = yes ]; then
  choose_device "$sdk"
elif [ -n "$sdk" ]; then
  choose_sdk "$sdk"
else
  choose_simulated "$sim"
fi

# The four binaries of the examples, and one for another architecture.
if [ -z "$binaries" ]; then
  [ "$target_name" = simulated ] || target_die "--binaries must name a folder with context binaries (*.bin)"
  [ -n "$make" ] || make=$target_libraries/../examples/make_binaries
  [ -x "$make" ] || target_die "$make is missing; build the examples"
  binaries=$conformance_build/flow-binaries
  mkdir -p "$binaries"
  rm -f "$binaries"/*.bin
  maker=("$make" --backend "$target_libraries/libQnnHtp.so" --input_output_tensor_mem_type memhandle)
  export QNNPP_SIM_VTCM_BYTES=32768 # so little that they spill; the device that executes them has as much
  "${maker[@]}" --output "$binaries" >/dev/null
  QNNPP_SIM_ARCH=85 "${maker[@]}" --output "$binaries/other" >/dev/null
  mv "$binaries/other/stem.bin" "$binaries/other_arch.bin"
  rm -r "$binaries/other"
fi

if [ -z "$program" ]; then
  program=$conformance_build/flow-$target_name-$(basename "${target_compiler[0]}")
  if [ ! -x "$program" ] ||
    [ -n "$(find "$conformance" "$conformance_top/include/qnnpp" -name '*.?pp' -newer "$program")" ]; then
    target_build "$program" "$conformance/qnnpp_flow.cpp" -- "-I$conformance"
  fi
fi

files=()
for file in "$binaries"/*.bin; do [ -f "$file" ] && files+=("{file:$file}"); done
[ ${#files[@]} -gt 0 ] || target_die "no *.bin in $binaries"
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
