#!/usr/bin/env bash
# Sets up, builds and runs the benchmarks. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"
source "$(dirname "${BASH_SOURCE[0]}")/support/pages.sh"

# The benchmarks, in the order of docs/performance.md.
all=(inference overhead setup device-memory host-memory load-time load-ahead zero-copy residency prefetch arena quantise tensors
  registration programs)
# Needs minutes, 9 GiB of memory and 3 GiB of disk.
full=(large)

usage() {
  cat <<EOT
usage: bench/run.sh [--full] [NAME...]

Installs the Debian packages that are missing, builds with -O2 and runs the benchmarks NAME (without a NAME: all).
--full runs those of 2 GiB and of 10,000 contexts, too: ${full[*]}.
Prints a table for each benchmark: figure, value, unit, goal, met or not, what the figure is compared with.

Writes
  build/bench/NAME.json            the table as JSON; bench/support/report.hpp describes its format
  docs/performance/NAME.md, .svg   the table and, for some benchmarks, a picture
  docs/performance.md              the rows at its top, which bench/goals.txt lists; if all benchmarks run, also the
                                   line with the date and the machine

Names: ${all[*]} ${full[*]}
bench/real.sh runs one more, on Qualcomm's own library.

QNNPP_BUILD_ROOT in the environment names another folder than build.
EOT
}

names=()
more=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --full) more=("${full[@]}") ;;
    -*) usage >&2; die "unknown option '$1'" ;;
    *)
      [[ " ${all[*]} ${full[*]} " == *" $1 "* ]] || die "unknown benchmark '$1'; there are: ${all[*]} ${full[*]}"
      names+=("$1") ;;
  esac
  shift
done
whole=
if [ ${#names[@]} -eq 0 ]; then
  names=("${all[@]}")
  whole=yes
fi
names+=("${more[@]}")

# shellcheck disable=SC2046
need_packages $(printf '%s\n' "${packages[@]}" clang-19 libbenchmark-dev libgsl-dev valgrind gnuplot-nox | sort -u)

output=$build_root/bench
mkdir -p "$output" "$tables"
# Only the programs that run, with the probes beside them.
targets=()
for name in "${names[@]}"; do targets+=("bench_${name//-/_}"); done
build_preset bench-gcc "${targets[@]}" execute_probe
if [[ " ${names[*]} " == *' overhead '* ]]; then build_preset bench-clang-19 execute_probe; fi

machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(
  awk '/^MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo) GiB, Linux $(uname -r)"
failed=()
for name in "${names[@]}"; do
  say "Running $name"
  rm -f "$output/$name.json" "$output/$name.md" "$output/$name.dat"
  if ! "$build_root/bench-gcc/programs/$name" --output "$output"; then
    failed+=("$name")
    continue
  fi
  write_table "$name" bench/run.sh "$name"
  if [ -f "$repository/bench/plots/$name.gp" ]; then
    gnuplot -e "data='$output/$name.dat'; picture='$tables/$name.svg'; machine='$machine'" \
      "$repository/bench/plots/$name.gp" || failed+=("the picture of $name")
  fi
done
write_goals
if [ -n "$whole" ] && [ ${#failed[@]} -eq 0 ]; then
  printf 'Last measured as a whole on %s: %s; %s; %s.\n' "$(date -u +%Y-%m-%d)" "$machine" \
    "$(g++ --version | head -1)" "$(clang++-19 --version | head -1)" >"$output/machine.md"
  replace_between machine "$output/machine.md"
fi

say "Goals"
for name in "${names[@]}"; do
  [ -f "$output/$name.json" ] || continue
  printf '%-14s %3d met, %d not met, %d undecided\n' "$name" "$(grep -c '"met": true' "$output/$name.json" || true)" \
    "$(grep -c '"met": false' "$output/$name.json" || true)" \
    "$(grep -c '"goal": "[^,]*, "met": null' "$output/$name.json" || true)"
done
[ ${#failed[@]} -eq 0 ] || die "these benchmarks failed: ${failed[*]}; their messages are above"
