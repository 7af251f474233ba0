#!/usr/bin/env bash
# Compares plain C, qnnpp and ONNX Runtime on Qualcomm's own library. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"
source "$(dirname "${BASH_SOURCE[0]}")/support/pages.sh"

# Versions of the Python packages; tests/conformance/package.sh has that of onnxruntime-qnn.
onnxruntime_version=1.32.0 onnx_version=1.23.2

usage() {
  cat <<EOT
usage: bench/real.sh

Runs the same graphs by plain C, by qnnpp and by ONNX Runtime with its QNN execution provider, in turn in one process, on
Qualcomm's library for x86-64, which emulates the HTP. Measures the time of an inference outside QnnGraph_execute, and
the time to load a context binary of 84 MB. Prints a table: figure, value, unit, goal, met or not, remark.

Installs the Debian packages that are missing, and ONNX Runtime $onnxruntime_version by pip in an environment of its own
beside the unpacked package of tests/conformance/package.sh (QNNPP_PACKAGE_CACHE). The licence of Qualcomm's library is in
that package. If something cannot be had, the script prints one line on stderr that says why, and returns 77.

Writes
  build/bench/real.json           the table as JSON; bench/support/report.hpp describes its format
  build/bench/real/               the models and their context binaries
  docs/performance/real.md        the table
  docs/performance.md             the rows at its top, which bench/goals.txt lists

QNNPP_BUILD_ROOT in the environment names another folder than build.
EOT
}

# unavailable <reason>: ends the script as a test that is skipped.
unavailable() {
  echo "real.sh: nothing was measured: $*" >&2
  exit 77
}

case ${1:-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; die "unknown argument '$1'" ;;
esac

[ "$(uname -sm)" = "Linux x86_64" ] || unavailable "Qualcomm's library that emulates the HTP is for Linux on x86-64"
# shellcheck disable=SC2046
need_packages $(printf '%s\n' "${packages[@]}" libbenchmark-dev libgsl-dev python3-pip python3-venv | sort -u)
qnn=$("$repository/tests/conformance/package.sh" x86_64) || exit $?

# The environment is complete if its last step, the mark, is there.
environment=$(dirname "$(dirname "$qnn")")/onnxruntime-$onnxruntime_version
if [ ! -f "$environment/complete" ]; then
  say "Installing ONNX Runtime $onnxruntime_version by pip in $environment"
  rm -rf "$environment"
  python3 -m venv "$environment" || unavailable "python3 cannot make an environment in $environment"
  reason=$("$environment/bin/python" -m pip install -q --disable-pip-version-check --only-binary :all: \
    "onnxruntime==$onnxruntime_version" "onnx==$onnx_version" 2>&1) ||
    unavailable "pip cannot install onnxruntime $onnxruntime_version and onnx $onnx_version: $(tail -n 1 <<<"$reason")"
  touch "$environment/complete"
fi
onnxruntime=$(find "$environment" -name 'libonnxruntime.so.*' | head -n 1)
[ -n "$onnxruntime" ] || unavailable "the package onnxruntime $onnxruntime_version has no libonnxruntime.so"

output=$build_root/bench
models=$output/real
mkdir -p "$models" "$tables"
build_preset bench-gcc bench_real bench_timed_htp

say "Making the models in $models"
# The package of the QNN execution provider is the folder that package.sh unpacked.
PYTHONPATH=$(dirname "$qnn") "$environment/bin/python" "$repository/bench/real/make_models.py" "$models" ||
  unavailable "ONNX Runtime cannot prepare the models; its message is above"

say "Running real"
# All clients use one folder: the library that measures, and the system library beside it.
libraries=$models/libraries
mkdir -p "$libraries"
ln -sf "$build_root/bench-gcc/programs/timed_htp.so" "$libraries/libQnnHtp.so"
ln -sf "$qnn/libQnnSystem.so" "$libraries/libQnnSystem.so"
rm -f "$output/real.json" "$output/real.md"
BENCH_QNN_HTP=$qnn/libQnnHtp.so "$build_root/bench-gcc/programs/real" --output "$output" \
  "$libraries/libQnnHtp.so" "$libraries/libQnnSystem.so" "$onnxruntime" "$qnn/libonnxruntime_providers_qnn.so" "$models" ||
  die "the benchmark failed; its message is above"
write_table real bench/real.sh
write_goals
