#!/usr/bin/env bash
# Sets up, builds and runs the benchmarks. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

# In the order of docs/performance.md.
all=(overhead setup device-memory host-memory load-time zero-copy residency prefetch arena registration headers)

usage() {
  cat <<EOT
usage: bench/run.sh [NAME...]

Installs the Debian packages that are missing, builds with -O2, runs the benchmarks (all of them without a NAME) and
prints a table of each: figure, unit, goal, met or not. Writes build/bench/NAME.json, whose schema stands in
bench/support/report.hpp, and the pictures of docs/performance.md.

Names: ${all[*]}
QNNPP_BUILD_ROOT names another folder than build.
EOT
}

names=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; die "unknown option '$1'" ;;
    *)
      [[ " ${all[*]} " == *" $1 "* ]] || die "unknown benchmark '$1'; there are: ${all[*]}"
      names+=("$1") ;;
  esac
  shift
done
[ ${#names[@]} -gt 0 ] || names=("${all[@]}")

# shellcheck disable=SC2046
need_packages $(printf '%s\n' "${packages[@]}" clang-19 libbenchmark-dev libgsl-dev valgrind gnuplot-nox | sort -u)

output=$build_root/bench
mkdir -p "$output"
build_preset bench-gcc
build_preset bench-clang-19
programs=$build_root/bench-gcc/programs
failed=()
for name in "${names[@]}"; do
  say "Running $name"
  "$programs/$name" --output "$output" || failed+=("$name")
done

say "Goals"
for name in "${names[@]}"; do
  [ -f "$output/$name.json" ] || continue
  printf '%-14s %3d met, %d not met\n' "$name" "$(grep -c '"met": true' "$output/$name.json" || true)" \
    "$(grep -c '"met": false' "$output/$name.json" || true)"
done
[ ${#failed[@]} -eq 0 ] || die "did not run to the end: ${failed[*]}"
