#!/usr/bin/env bash
# Fetches Qualcomm's own QNN libraries by pip, for the tests that run on them. See usage below, or run with --help.
set -euo pipefail

# Version of the package onnxruntime-qnn, and the version of QNN in it.
package_version=2.7.0 qnn_version=2.51.0
# Folder of the unpacked wheels, one folder for each machine; the layout inside is the wheel's.
package_cache=${QNNPP_PACKAGE_CACHE:-${XDG_CACHE_HOME:-${HOME-~}/.cache}/qnnpp/onnxruntime-qnn-$package_version}

usage() {
  cat <<EOT
usage: tests/conformance/package.sh [--cached] [MACHINE...]

Fetches QNN $qnn_version from Qualcomm's Python package onnxruntime-qnn $package_version by pip into $package_cache,
unless it is there, and prints for each MACHINE (x86_64, aarch64; default: both) the folder of its libraries, which
--sdk of run.sh and flow.sh takes. The library for x86-64 composes, prepares and executes graphs for every chip by
emulation of the HTP; the library for aarch64 Linux needs a DSP or a stand-in for it.

  --cached   fetches nothing: prints the folders only if they are there
  --version  prints the version of QNN

QNNPP_PACKAGE_CACHE in the environment names another folder, by an absolute path. If a folder cannot be had, the script prints one line on
stderr that says why, and returns 77.
EOT
}

# unavailable <reason>: ends the script as CTest expects of a test that is skipped.
unavailable() {
  echo "package.sh: QNN $qnn_version is not available: $*" >&2
  exit 77
}

fetch=yes machines=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --version) echo "$qnn_version"; exit 0 ;;
    --cached) fetch=no ;;
    x86_64 | aarch64) machines+=("$1") ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
[ ${#machines[@]} -gt 0 ] || machines=(x86_64 aarch64)
# Tests run in other folders than the caller's.
[[ $package_cache == /* ]] || unavailable "the folder of the cache is not an absolute path: $package_cache"

# folder_for <machine>: prints the folder of the libraries in the cache.
folder_for() { echo "$package_cache/$1/onnxruntime_qnn"; }
# is_there <machine>: succeeds if the cache has the libraries.
is_there() { [ -f "$(folder_for "$1")/libQnnHtp.so" ]; }

# fetch_for <machine>: unpacks the wheel beside its place, then renames the folder, so that no interrupted run leaves half a
# package there. Of two runs at once, the one that ends later keeps the folder of the other one.
fetch_for() {
  local machine=$1 platform reason
  case $machine in x86_64) platform=manylinux_2_35_x86_64 ;; aarch64) platform=manylinux_2_34_aarch64 ;; esac
  python3 -m pip --version >/dev/null 2>&1 || unavailable "python3 has no pip (Debian: python3-pip)"
  mkdir -p "$package_cache" 2>/dev/null || unavailable "$package_cache cannot be created"
  # Removes what killed runs have left.
  find "$package_cache" -maxdepth 1 -name 'fetching.*' -mmin +1440 -exec rm -rf {} + 2>/dev/null || true
  unpacked=$(mktemp -d "$package_cache/fetching.XXXXXX" 2>/dev/null) || unavailable "$package_cache cannot be written to"
  trap 'rm -rf "$unpacked"' EXIT
  reason=$(python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --implementation cp --python-version 3.11 \
    --platform "$platform" -d "$unpacked" "onnxruntime-qnn==$package_version" 2>&1) ||
    unavailable "pip cannot download onnxruntime-qnn $package_version for $machine: $(tail -n 1 <<<"$reason")"
  reason=$(python3 -m zipfile -e "$unpacked"/*.whl "$unpacked/wheel" 2>&1) ||
    unavailable "the wheel for $machine cannot be unpacked: $(tail -n 1 <<<"$reason")"
  [ -f "$unpacked/wheel/onnxruntime_qnn/libQnnHtp.so" ] || unavailable "the wheel for $machine has no libQnnHtp.so"
  if ! is_there "$machine"; then
    rm -rf "${package_cache:?}/$machine"
    mv -T "$unpacked/wheel" "$package_cache/$machine" 2>/dev/null || is_there "$machine" ||
      unavailable "$package_cache/$machine cannot be written"
  fi
  rm -rf "$unpacked"
  trap - EXIT
  echo "package.sh: fetched QNN $qnn_version for $machine; its licence is $(folder_for "$machine")/Qualcomm_LICENSE.pdf" >&2
}

for machine in "${machines[@]}"; do
  if ! is_there "$machine"; then
    [ "$fetch" = yes ] || unavailable "$(folder_for "$machine") is not there; fetch it: tests/conformance/package.sh"
    fetch_for "$machine"
  fi
  folder_for "$machine"
done
