#!/usr/bin/env bash
# Sets up, builds and runs the tests. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

matrix=(gcc gcc-release clang-14 clang-19 consumed noexcept asan tsan)

usage() {
  cat <<EOT
usage: tests/run.sh [--matrix | PRESET]

Installs the Debian packages that are missing, configures, builds and runs the tests.

  (nothing)   the default build: preset gcc
  PRESET      only this one of: ${matrix[*]}
  --matrix    all of them, one after another, and a table at the end
  -h, --help  this text

Builds are kept in build/<preset>; QNNPP_BUILD_ROOT names another folder than build.
EOT
}

presets=(gcc)
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --matrix) presets=("${matrix[@]}") ;;
    -*) usage >&2; die "unknown option '$1'" ;;
    *)
      [[ " ${matrix[*]} " == *" $1 "* ]] || die "unknown preset '$1'; there are: ${matrix[*]}"
      presets=("$1") ;;
  esac
  shift
done

# Packages of one preset beside those of every build.
packages_of() {
  case $1 in
    clang-14) echo clang-14 ;;
    clang-19 | consumed) echo clang-19 ;;
    asan | tsan) echo clang-19 libclang-rt-19-dev ;;
  esac
}

# One line a preset: its name, number of tests, seconds, outcome.
rows=()
table() {
  [ ${#presets[@]} -gt 1 ] || return 0
  printf '\n%-12s %6s %8s  %s\n' preset tests seconds outcome
  local row
  # shellcheck disable=SC2086
  for row in "${rows[@]}"; do printf '%-12s %6s %8s  %s\n' $row; done
}

current='' started=$SECONDS
finish() {
  local code=$?
  if [ "$code" -ne 0 ] && [ -n "$current" ]; then
    rows+=("$current - $((SECONDS - started)) FAILED")
    table
  fi
}
trap finish EXIT

packages+=(libgtest-dev librapidcheck-dev pkgconf valgrind)
for preset in "${presets[@]}"; do
  # shellcheck disable=SC2207
  packages+=($(packages_of "$preset"))
done
# shellcheck disable=SC2046
need_packages $(printf '%s\n' "${packages[@]}" | sort -u)

for preset in "${presets[@]}"; do
  current=$preset started=$SECONDS
  build_preset "$preset"
  log=$build_root/$preset/ctest.log
  say "Testing $preset: ctest --test-dir $build_root/$preset"
  ctest --test-dir "$build_root/$preset" --output-on-failure --no-tests=error -j "$jobs" </dev/null | tee "$log" ||
    die "tests failed in preset $preset; one of them again: ctest --test-dir $build_root/$preset -R '<name>' --output-on-failure"
  count=$(sed -n 's/^.* tests failed out of \([0-9]*\)$/\1/p' "$log")
  rows+=("$preset ${count:--} $((SECONDS - started)) ok")
  current=''
done
table
