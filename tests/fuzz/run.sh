#!/usr/bin/env bash
# Runs the fuzzers. See usage below, or run with --help.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../../cmake/setup.sh"

usage() {
  cat <<EOT
usage: tests/fuzz/run.sh [TARGET [SECONDS]]
       tests/fuzz/run.sh --runs NUMBER PROGRAM

Builds the fuzzers in preset asan (clang 19) and runs each for SECONDS (default: 3600). TARGET names one fuzzer, of:
$(cd "$folder/corpus" && echo *).

Inputs that reach new code are kept in build/fuzz/TARGET. The next run begins with them and with the inputs of
tests/fuzz/corpus/TARGET. An input that ends the program is kept in build/fuzz/TARGET.crashes. To run it alone:
build/asan/tests/fuzz/fuzz_TARGET FILE. After the defect is fixed, add the input to tests/fuzz/corpus/TARGET.

--runs tries a fixed number of inputs, the same in every run; ctest uses it in preset asan (ctest -L fuzz). Both forms print
"fuzz executions: NUMBER" for each target.
EOT
}

# No valid input needs more than this.
limits=(-malloc_limit_mb=64 -rss_limit_mb=2048 -timeout=20 -print_final_stats=1)

# fuzz <program> <kept inputs> <option>...: runs a fuzzer. The last line of its output is the number of executions.
fuzz() {
  local program=$1 kept=$2 name log
  shift 2
  local options=("$@")
  name=$(basename "$program")
  name=${name#fuzz_}
  mkdir -p "$kept" "$kept.crashes"
  log=$kept.log
  [ ! -f "$folder/$name.dict" ] || options+=(-dict="$folder/$name.dict")
  # Leaks of tapes are checked at the end only, because the check of a tape needs more time than the tape.
  [ "$name" != tape ] || options+=(-max_len=600 -detect_leaks=0)
  "$program" "${limits[@]}" -artifact_prefix="$kept.crashes/" "${options[@]}" "$kept" "$folder/corpus/$name" >"$log" 2>&1 || {
    tail -n 60 "$log"
    die "fuzzer $name found an input; it is in $kept.crashes"
  }
  sed -n "s/^stat::number_of_executed_units: */fuzz executions: /p" "$log"
}

case ${1-} in
  -h | --help) usage; exit 0 ;;
  --runs)
    runs=$2 program=$3
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    fuzz "$program" "$scratch/kept" -runs="$runs" -seed=1
    exit 0
    ;;
  -*) usage >&2; die "unknown option '$1'" ;;
esac

need_packages "${packages[@]}" clang-19 libclang-rt-19-dev libgtest-dev librapidcheck-dev pkgconf
targets=("$folder"/corpus/*)
[ $# -eq 0 ] || targets=("$folder/corpus/$1")
[ -d "${targets[0]}" ] || die "there is no fuzzer '$1'; there are: $(cd "$folder/corpus" && echo *)"
cd "$repository"
run "Configuring asan" cmake --preset asan -B "$build_root/asan"
run "Building the fuzzers" cmake --build "$build_root/asan" -j "$jobs" --target fuzzers
for target in "${targets[@]}"; do
  name=$(basename "$target")
  say "Fuzzing $name for ${2-3600} seconds: log in $build_root/fuzz/$name.log"
  fuzz "$build_root/asan/tests/fuzz/fuzz_$name" "$build_root/fuzz/$name" -max_total_time="${2-3600}"
done
