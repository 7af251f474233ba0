#!/usr/bin/env bash
# Asks one library the conformance questions and compares the answers. See usage below, or run with --help.
set -euo pipefail
# shellcheck source=targets.sh
source "$(dirname "${BASH_SOURCE[0]}")/targets.sh"
# shellcheck source=compare.sh
source "$conformance/compare.sh"
# shellcheck source=quick.sh
source "$conformance/quick.sh"

usage() {
  cat <<EOT
usage: tests/conformance/run.sh [--sdk FOLDER] [--device] [--binaries FOLDER] [OPTION...]

Builds the conformance program, asks its questions and compares the answers with the files in expected/. Then flow.sh
exercises each public use of qnnpp on the same library, unless --program, --expected, --only or --out is given.

Libraries:

  (nothing)          the simulated HTP
  --sdk FOLDER       the host library of an SDK, or of any folder with libQnnHtp.so and libQnnSystem.so. A library for
                     another processor runs with qemu-user; without a DSP, a stand-in replaces FastRPC, and for an
                     Android library, one replaces bionic
  --device           the Android device of adb; with --sdk, pushes that SDK's libraries first. If there are several
                     devices, ANDROID_SERIAL names one

Options:

  --quick            with --device: asks only what the open rows of docs/hardware.md need, in at most
                     $quick_seconds seconds, and writes one file to attach to an issue. First names everything that
                     is missing
  --binaries FOLDER  context binaries (*.bin). Default: for the simulated HTP binaries from the examples, for --sdk
                     binaries that the library of package.sh prepares (QNN $("$conformance/package.sh" --version))
  --record           writes the answers to expected/, and differences.md and changes.md again
  --check            only checks that these two pages match the files of expected/
  --only PREFIX      asks only the questions whose id begins with PREFIX
  --log              writes the library's log to stderr
  --limit SECONDS    CPU time of a question, or time that it waits, after which it counts as hanging (20)
  --program FILE     the program, already built    --sim FOLDER    folder of the simulated libraries
  --make FILE        examples/make_binaries        --out FILE      file for the answers
  --expected FOLDER  folder to use instead of expected/
EOT
}

expected=$conformance/expected
check=no words=()
while [ $# -gt 0 ]; do
  option_words=2
  case $1 in
    --check) check=yes option_words=1 ;;
    --quick) quick=yes option_words=1 ;;
    --log) words+=(--log) option_words=1 ;;
    --expected) expected=$(target_value "$@") ;;
    --only | --limit) words+=("$1" "$(target_value "$@")") ;;
    *) target_option "$@" ;;
  esac
  shift "$option_words"
done

# go_every_way: runs flow.sh on the same library, unless the options select only a part.
flow=("$conformance/flow.sh")
[ "$device" = no ] || flow+=(--device)
[ "$record" = no ] || flow+=(--record)
[ -z "$sdk" ] || flow+=(--sdk "$sdk")
[ -z "$binaries" ] || flow+=(--binaries "$binaries")
[ -z "$sim" ] || flow+=(--sim "$sim")
[ -z "$make" ] || flow+=(--make "$make")
if [ -n "$program$out" ] || [ "$expected" != "$conformance/expected" ] || [[ " ${words[*]} " == *" --only "* ]]; then
  flow=(true)
fi
go_every_way() { env -u QNNPP_SIM_LINUX_WEIGHTS -u QNNPP_SIM_RECYCLED_HANDLES "${flow[@]}"; }

# expect_page PAGE FUNCTION: checks that a generated page matches the files that it is made of.
expect_page() {
  diff "$expected/$1" <("$2" "$expected") ||
    target_die "$1 does not match the other files of $expected; write it again: tests/conformance/run.sh --record"
}
if [ "$check" = yes ]; then
  expect_page differences.md print_differences
  expect_page changes.md print_changes
  ! grep -q '| open |$' "$expected/changes.md" || target_die "changes.md has answers without a reason"
  exit 0
fi

[ "$quick" = no ] || [ "$device" = yes ] || target_die "--quick asks a device; add --device"
choose_target
# The libraries of expected/ are Linux libraries, so the simulated HTP behaves like one. They give numbers again.
[ "$target_name" != simulated ] || export QNNPP_SIM_LINUX_WEIGHTS=1 QNNPP_SIM_RECYCLED_HANDLES=1

# make_simulated: creates the four binaries of the examples, prepared for little VTCM, so that they need spill-fill; a binary
# without spill-fill, prepared for all VTCM of the device; and a binary for another architecture.
make_simulated() {
  export QNNPP_SIM_VTCM_BYTES=8388608 # VTCM of the device
  prepare_to_make binaries
  local some=$conformance_build/some
  QNNPP_SIM_VTCM_BYTES=32768 "${maker[@]}" --output "$binaries" >/dev/null
  QNNPP_SIM_VTCM_BYTES=8388608 "${maker[@]}" --output "$some" >/dev/null
  mv "$some/stem.bin" "$binaries/no_spill.bin"
  QNNPP_SIM_VTCM_BYTES=32768 QNNPP_SIM_ARCH=85 "${maker[@]}" --output "$some" >/dev/null
  mv "$some/stem.bin" "$binaries/other_arch.bin"
  rm -r "$some"
}
if [ -z "$binaries" ]; then
  if [ "$target_name" = sdk ]; then prepare_binaries; else make_simulated; fi
fi
[ -n "$program" ] || target_program program "$conformance/all.cpp" "$conformance_top/include/qnnpp/abi"
target_files
if [ "$quick" = yes ]; then
  ask_quick
  exit
fi
[ -n "$out" ] || out=$conformance_build/answers-${target_version:-$target_name}.txt
mkdir -p "$(dirname "$out")"
target_run "$program" '{htp}' '{system}' '{rpcmem}' "${words[@]}" "${files[@]}" >"$out" ||
  target_die "the program ended with code $?"

# The first line of the answers has the library's version.
version=$(sed -nE '1s/^# library v?([0-9]+\.[0-9]+\.[0-9]+).*/\1/p' "$out")
version+=${version:+$target_kind}
grep -q '^# library qnnpp-sim' "$out" && version=simulated
known=$expected/${version:-none}.txt
if [ "$record" = yes ]; then
  [ -n "$version" ] || target_die "the library states no version, so there is no file to record its answers in: $out"
  answers_to_record "$known" "$out" >"$out.record"
  # Writes the version and the answers. With --only, replaces only the lines of these questions.
  if [[ " ${words[*]} " == *" --only "* ]]; then
    merged=$(awk "$conformance_awk"'
      FILENAME != last { ++file; last = FILENAME }
      file == 1 { old[++olds] = $0; known[id_of($0)] = 1; next }
      { new[++news] = $0; place[id_of($0)] = news }
      END {
        for (i = 1; i <= olds; ++i) {
          id = id_of(old[i])
          if (!(id in place)) { print old[i]; continue }
          at = place[id]
          do { print new[at]; printed[at] = 1 }
          while (++at <= news && !(id_of(new[at]) in known)) # new questions follow
        }
        for (at = 1; at <= news; ++at) if (!(at in printed)) print new[at] # a new section
      }' "$known" "$out.record")
    printf '%s\n' "$merged" >"$known"
  else
    { echo "# library $version"; cat "$out.record"; } >"$known"
  fi
  rm "$out.record"
  print_differences "$expected" >"$expected/differences.md"
  print_changes "$expected" >"$expected/changes.md"
  echo "conformance: recorded $(grep -c ' | ' "$known") answers in $known"
  go_every_way
  exit
fi
echo "answers: $out"
strict=''
[ "$target_name" != simulated ] || [[ " ${words[*]} " == *" --only "* ]] || strict=strict
outcome=0
if [ "$target_name" = sdk ] && [ -f "$known" ]; then
  # Some answers depend on the order of threads. Asks again what differs, once.
  again=$({ compare_answers "$known" "$out" || true; } | sed -n 's/^differs: \([^ ]*\) .*/\1/p')
  for id in $again; do
    answer=$(target_run "$program" '{htp}' '{system}' '{rpcmem}' "${words[@]}" --only "$id" "${files[@]}" | grep -F -- "$id | ") || continue
    awk -v id="$id" -v answer="${answer//\\/\\\\}" "$conformance_awk"'/ \| / && id_of($0) == id { $0 = answer } { print }' "$out" >"$out.again"
    mv "$out.again" "$out"
  done
  [ -z "$again" ] || echo "conformance: asked again, because the answer differed: ${again//$'\n'/ }"
fi
compare_answers "$known" "$out" "$strict" || outcome=$?
if [ -n "$strict" ]; then
  differences=$(print_differences "$expected" "$out" | grep 'unexplained differences')
  echo "conformance: ${differences#*; }"
  [[ $differences == *" 0 unexplained "* ]] || outcome=1
fi
go_every_way || outcome=$?
exit "$outcome"
