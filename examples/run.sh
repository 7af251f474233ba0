#!/usr/bin/env bash
# Sets up and builds the examples, writes the context binaries and runs the main job on the simulated HTP.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

case ${1-} in
  -h | --help)
    cat <<EOT
usage: examples/run.sh [ARGUMENT...]

Installs the Debian packages that are missing, builds the examples, writes four context binaries with
examples/make_binaries.cpp and runs examples/shared_spill_fill.cpp with them on the simulated HTP.
The arguments go to shared_spill_fill, such as: --json FILE, --counters.

The build is kept in build/examples; QNNPP_BUILD_ROOT names another folder than build.
EOT
    exit 0 ;;
esac

started_in=$PWD
need_packages cmake ninja-build g++ libexpected-dev libmsgsl-dev libfmt-dev
build_preset examples

programs=$build_root/examples/examples
sim=$build_root/examples/sim
cd "$started_in" # so that paths among the arguments mean what the caller meant
run "Writing the context binaries" "$programs/make_binaries" --backend "$sim/libQnnHtp.so" --output "$build_root/examples/binaries"
run "Running the main job" "$programs/shared_spill_fill" --backend "$sim/libQnnHtp.so" --rpcmem "$sim/libcdsprpc.so" \
  --binaries "$build_root/examples/binaries" "$@"
