# Sourced by tests/run.sh, examples/run.sh and bench/run.sh: messages, Debian packages, configuring and building a preset.
# shellcheck shell=bash

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_root=$(realpath -m "${QNNPP_BUILD_ROOT:-$repository/build}")
jobs=$(nproc)
# Debian packages that every build needs.
packages=(cmake ninja-build g++ libexpected-dev libmsgsl-dev libfmt-dev libcli11-dev nlohmann-json3-dev libxxhash-dev)
export NINJA_STATUS='[%f/%t, %es] '

say() { printf '\n==> %s\n' "$*"; }

die() {
  printf '\n%s: %s\n' "$(basename "$(dirname "$0")")/$(basename "$0")" "$*" >&2
  exit 1
}

# run <what> <command> <argument>...: prints and runs the command. Stops the script if the command fails.
run() {
  local what=$1 code=0
  shift
  say "$what: $*"
  "$@" || code=$?
  [ "$code" -eq 0 ] || die "$what failed (exit code $code): $*"
}

# read_cpu: sets cpu to the user and system seconds of all commands that this script has run so far.
read_cpu() {
  local scratch
  scratch=$(mktemp)
  times >"$scratch"
  cpu=$(awk 'NR == 2 { gsub(/[ms]/, " "); printf "%d", ($1 + $3) * 60 + $2 + $4 }' "$scratch")
  rm "$scratch"
}

# need_packages <package>...: installs the Debian packages that are missing.
need_packages() {
  local package missing=() sudo=()
  command -v dpkg-query >/dev/null || {
    say "This is not Debian: the script assumes that these packages are installed: $*"
    return 0
  }
  for package in "$@"; do
    # shellcheck disable=SC2016
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "packages are missing, and the script cannot install them without root or sudo: ${missing[*]}"
    sudo=(sudo)
  fi
  say "Installing with apt-get: ${missing[*]}"
  "${sudo[@]}" apt-get update -q </dev/null || die "apt-get update failed"
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}" </dev/null ||
    die "apt-get install failed: ${missing[*]}"
}

# build_preset <preset> [<target>...]: configures a preset of CMakePresets.json in $build_root/<preset> and builds all of it,
# or only the targets.
build_preset() {
  local preset=$1
  shift
  cd "$repository" || die "cannot enter $repository"
  run "Configuring $preset" cmake --preset "$preset" -B "$build_root/$preset"
  run "Building $preset" cmake --build "$build_root/$preset" -j "$jobs" ${1:+--target "$@"}
}
