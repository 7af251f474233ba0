#!/usr/bin/env bash
# Sets up and builds the examples, writes the context binaries and runs programs on the simulated HTP.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

usage() {
  cat <<EOT
usage: examples/run.sh [--all] [ARGUMENT...]

Installs the Debian packages that are missing, builds the programs that it runs, writes four context binaries with
examples/make_binaries.cpp and runs examples/shared_spill_fill.cpp with them on the simulated HTP.
The script passes its arguments to shared_spill_fill, for instance --json FILE or --counters.
Then it runs examples/camera_ring.cpp, examples/decoder.cpp and examples/assistant.cpp, and with examples/qnnpp-run.cpp all
four binaries as one pipeline. Prints the seconds and CPU seconds of the run at the end.

  --all       first builds all examples
  -h, --help  this text

The build is kept in build/examples; QNNPP_BUILD_ROOT in the environment names another folder than build.
EOT
}

programs_run=(make_binaries shared_spill_fill camera_ring decoder assistant qnnpp-run)
case ${1-} in
  -h | --help) usage; exit 0 ;;
  --all) programs_run=() && shift ;;
esac

started_in=$PWD
need_packages "${packages[@]}"
build_preset examples "${programs_run[@]}"

programs=$build_root/examples/examples
binaries=$build_root/examples/binaries
sim=$build_root/examples/sim
# A VTCM so small that every context spills, both when the binaries are prepared and when they are executed.
export QNNPP_SIM_VTCM_BYTES=${QNNPP_SIM_VTCM_BYTES:-32768}
cd "$started_in" # relative paths among the arguments start at the caller's folder
run "Writing the context binaries" "$programs/make_binaries" --backend "$sim/libQnnHtp.so" --output "$binaries" \
  --input_output_tensor_mem_type memhandle
run "Running the main job" "$programs/shared_spill_fill" --backend "$sim/libQnnHtp.so" --rpcmem "$sim/libcdsprpc.so" \
  --folder "$binaries" "$@"
run "Running a camera's ring of buffers" "$programs/camera_ring" --backend "$sim/libQnnHtp.so" \
  --rpcmem "$sim/libcdsprpc.so"
run "Running a decoder with its cache" "$programs/decoder" --backend "$sim/libQnnHtp.so" --rpcmem "$sim/libcdsprpc.so"
run "Running a complete app" "$programs/assistant" --backend "$sim/libQnnHtp.so" --rpcmem "$sim/libcdsprpc.so" \
  --folder "$binaries" --trace "$build_root/examples/assistant.json"
run "Measuring the four binaries as one pipeline" "$programs/qnnpp-run" --backend "$sim/libQnnHtp.so" \
  --rpcmem "$sim/libcdsprpc.so" "$binaries"/{stem,features,gate,classifier}.bin \
  --pipeline stem,features,gate,classifier --repeat 20 --warmup 2

read_cpu
printf '\n%s s, %s CPU s\n' "$SECONDS" "$cpu"
