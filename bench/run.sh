#!/usr/bin/env bash
# Sets up, builds and runs the benchmarks. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

# The benchmarks, in the order of docs/performance.md.
all=(overhead setup device-memory host-memory load-time zero-copy residency prefetch arena registration headers)

usage() {
  cat <<EOT
usage: bench/run.sh [NAME...]

Installs the Debian packages that are missing, builds with -O2 and runs the benchmarks NAME (without a NAME: all).
Prints a table for each benchmark: figure, value, unit, goal, met or not, what the figure is compared with.

Writes
  build/bench/NAME.json            the table as JSON; bench/support/report.hpp describes its format
  docs/performance/NAME.md, .svg   the table and, for some benchmarks, a picture
  docs/performance.md              the rows at its top, which bench/goals.txt lists; if all benchmarks run, also the
                                   line with the date and the machine

Names: ${all[*]}

QNNPP_BUILD_ROOT in the environment names another folder than build.
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
whole=
if [ ${#names[@]} -eq 0 ]; then
  names=("${all[@]}")
  whole=yes
fi

# shellcheck disable=SC2046
need_packages $(printf '%s\n' "${packages[@]}" clang-19 libbenchmark-dev libgsl-dev valgrind gnuplot-nox | sort -u)

output=$build_root/bench
page=$repository/docs/performance.md
tables=$repository/docs/performance
mkdir -p "$output" "$tables"
build_preset bench-gcc
build_preset bench-clang-19

# replace_between <marker> <file>: replaces the lines between <!-- marker --> and <!-- end marker --> of the page.
replace_between() {
  local marker=$1 file=$2
  grep -q "<!-- $marker -->" "$page" || die "$page has no line <!-- $marker -->"
  awk -v first="<!-- $marker -->" -v last="<!-- end $marker -->" -v file="$file" '
    $0 == last { inside = 0 }
    !inside { print }
    $0 == first { inside = 1; while ((getline line < file) > 0) print line }
  ' "$page" >"$page.new"
  mv "$page.new" "$page"
}

# write_table <name>: writes the page of one benchmark.
write_table() {
  {
    printf '# %s\n\n`bench/run.sh %s` measures these figures and writes this file.\n' "$1" "$1"
    printf '[performance.md](../performance.md#%s) explains them.\n\n' "$1"
    cat "$output/$1.md"
  } >"$tables/$1.md"
}

# write_goals: writes the rows of bench/goals.txt, with the values of the tables, to docs/performance.md.
write_goals() {
  local name figure words row
  {
    printf '| figure | value | unit | goal | met | more |\n|---|---:|---|---|---|---|\n'
    while IFS='|' read -r name figure words; do
      read -r name <<<"$name" && read -r figure <<<"$figure" && read -r words <<<"$words"
      row=$(awk -F ' [|] ' -v figure="| $figure" '$1 == figure { print $2 " | " $3 " | " $4 " | " $5; exit }' "$tables/$name.md")
      [ -n "$row" ] || die "docs/performance/$name.md has no figure '$figure', which bench/goals.txt names"
      printf '| %s | %s | [%s](#%s) |\n' "$words" "$row" "$name" "$name"
    done < <(grep -v '^#' "$repository/bench/goals.txt")
  } >"$output/goals.md"
  replace_between goals "$output/goals.md"
}

failed=()
for name in "${names[@]}"; do
  say "Running $name"
  rm -f "$output/$name.json" "$output/$name.md" "$output/$name.dat"
  if ! "$build_root/bench-gcc/programs/$name" --output "$output"; then
    failed+=("$name")
    continue
  fi
  write_table "$name"
  if [ -f "$repository/bench/plots/$name.gp" ]; then
    gnuplot -e "data='$output/$name.dat'; picture='$tables/$name.svg'" \
      "$repository/bench/plots/$name.gp" || failed+=("the picture of $name")
  fi
done
write_goals
if [ -n "$whole" ] && [ ${#failed[@]} -eq 0 ]; then
  printf 'Last measured as a whole on %s: %s, %s cores, %s GiB, Linux %s; %s; %s.\n' "$(date -u +%Y-%m-%d)" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(nproc)" \
    "$(awk '/^MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo)" "$(uname -r)" \
    "$(g++ --version | head -1)" "$(clang++-19 --version | head -1)" >"$output/machine.md"
  replace_between machine "$output/machine.md"
fi

say "Goals"
for name in "${names[@]}"; do
  [ -f "$output/$name.json" ] || continue
  printf '%-14s %3d met, %d not met\n' "$name" "$(grep -c '"met": true' "$output/$name.json" || true)" \
    "$(grep -c '"met": false' "$output/$name.json" || true)"
done
[ ${#failed[@]} -eq 0 ] || die "these benchmarks failed: ${failed[*]}; their messages are above"
