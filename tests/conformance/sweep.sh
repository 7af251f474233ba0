#!/usr/bin/env bash
# Lets each load of one library fail at each place, and checks that the next load succeeds. See usage below, or run with --help.
set -euo pipefail
# shellcheck source=targets.sh
source "$(dirname "${BASH_SOURCE[0]}")/targets.sh"

usage() {
  cat <<EOT
usage: tests/conformance/sweep.sh [--sdk FOLDER] [--binaries FOLDER] [OPTION...]

Builds qnnpp_sweep and runs it. It fails if a load after a failure fails without saying that the process must be started again,
if freed memory is used, if the backend does not close, or if the process crashes or hangs after a failure.

Libraries:

  (nothing)          the simulated HTP, as the library of QNNPP_SIM_HOST_LIBRARY
  --sdk FOLDER       the host library of an SDK, or of any folder with libQnnHtp.so and libQnnSystem.so, on the stand-in
                     for FastRPC. A library for another processor runs with qemu-user

Options:

  --binaries FOLDER  context binaries (*.bin); the library must load at least one of them. Default: as for run.sh
  --only WORDS       only ways and failures that contain WORDS, such as "automatic, restart_once"
  --places N         only the first N places of each failure
  --verbose          writes what each failure does
  --limit SECONDS    time limit of a place, after which it counts as hanging (60)
  --program FILE     the program, already built    --sim FOLDER    folder of the simulated libraries
  --make FILE        examples/make_binaries        --out FILE      file for the lines
EOT
}

words=()
while [ $# -gt 0 ]; do
  option_words=2
  case $1 in
    --verbose) words+=(--verbose) option_words=1 ;;
    --only) words+=(--only "$(target_value "$@")") ;;
    --places) words+=(--places "$(target_value "$@")") ;;
    --limit) words+=(--seconds "$(target_value "$@")") ;;
    *) target_option "$@" ;;
  esac
  shift "$option_words"
done
[ "$device" = no ] || target_die "a device cannot be made to fail"
[ "$record" = no ] || target_die "a sweep records nothing"
choose_target

if [ -z "$binaries" ] && [ "$target_name" = sdk ]; then
  prepare_binaries
  binaries=$binaries/ways
elif [ -z "$binaries" ]; then
  prepare_to_make sweep-binaries
  QNNPP_SIM_VTCM_BYTES=32768 "${maker[@]}" --output "$binaries" >/dev/null # little VTCM, so that they need spill-fill
fi
[ -n "$program" ] || target_program sweep "$conformance/sweep.cpp" "$conformance_top/include/qnnpp" "-I$conformance"
target_files
[ -n "$out" ] || out=$conformance_build/sweep-$target_name${target_version:+-$target_version}.txt
mkdir -p "$(dirname "$out")"
outcome=0
target_run "$program" "${words[@]}" '{htp}' '{rpcmem}' "${files[@]}" >"$out" || outcome=$?
echo "lines: $out"
tail -n 20 "$out"
exit "$outcome"
