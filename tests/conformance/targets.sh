# Sourced by run.sh and flow.sh: their common options, and the three kinds of libraries that they run on: the simulated
# HTP, a host library, or a device.
# shellcheck shell=bash
#
#   target_option OPTION...     reads the first option, if it is common to both scripts, into the variable of its
#                               name; $option_words is the number of words. Requires the function usage
#   target_value OPTION...      prints the value of the first option; an empty one is an error
#   choose_target               one of the next three functions, according to the options
#   choose_simulated [FOLDER]   the simulated HTP of FOLDER (default: the sim folder of a build)
#   choose_sdk FOLDER           the host library of an SDK, or of any folder with libQnnHtp.so: directly if it is
#                               for this machine; an aarch64 library with qemu-user, and standin/ for FastRPC
#   choose_device [FOLDER]      an Android device by adb; pushes the libraries of an SDK or of a folder
#
# Afterwards these functions and variables work for each of them:
#
#   prepare_to_make NAME                         empties $binaries, a folder NAME of the build, for binaries of the
#                                                simulated HTP; ${maker[@]} --output FOLDER writes them
#   prepare_binaries                             for --sdk without --binaries: writes binaries to $binaries and its
#                                                folder ways, with the library of package.sh for x86-64
#   target_program NAME SOURCE HEADERS [FLAG...] compiles $program if a source or a file in HEADERS is newer
#   target_files                                 ${files[@]}: the context binaries of $binaries, for target_run
#   target_build OUTPUT SOURCE... [-- FLAG...]   compiles for the target, with qnnpp's headers
#   target_run PROGRAM ARGUMENT...               runs a program on the target. In arguments, {htp}, {system} and
#                                                {rpcmem} are replaced by the three libraries, and {file:PATH} by the
#                                                target's path of a local file. Returns the program's exit code
#   $target_name                                 simulated, sdk or device
#   $target_version                              the library's version, such as 2.43.1, for x86-64 2.51.0-x86_64, or
#                                                "simulated"; empty if unknown

conformance=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
conformance_top=$(cd "$conformance/../.." && pwd)
# Folder for all build output.
conformance_build=${QNNPP_CONFORMANCE_BUILD:-${QNNPP_BUILD_ROOT:-$conformance_top/build}/conformance}
# Folder on the device; adb can write to it on every Android.
device_folder=${QNNPP_DEVICE_FOLDER:-/data/local/tmp/qnnpp-conformance}

target_die() {
  echo "conformance: $*" >&2
  exit 2
}

target_name="" target_version="" target_libraries="" target_compiler=() target_runner=() target_environment=()

# arch_of FILE: prints the machine of an ELF file: aarch64, x86_64 or its number.
arch_of() {
  local number
  number=$(od -An -t u2 -j 18 -N 2 "$1" | tr -d ' ')
  case $number in 183) echo aarch64 ;; 62) echo x86_64 ;; *) echo "$number" ;; esac
}

# build_id_of FILE: prints the build id of a QNN library, such as v2.43.1.260218230411_193851: the longest id in the file.
build_id_of() {
  { grep -aoE 'v2\.[0-9]+\.[0-9]+\.[0-9]{12}(_[0-9]+)?' "$1" || true; } | awk 'length > best { best = length; id = $0 } END { print id }'
}

# folder_of SDK KIND...: prints SDK if it has libQnnHtp.so, otherwise the first folder SDK/lib/KIND that has it.
folder_of() {
  local sdk=$1 kind
  shift
  for kind in "" "$@"; do
    [ -f "$sdk${kind:+/lib/$kind}/libQnnHtp.so" ] && { realpath "$sdk${kind:+/lib/$kind}"; return 0; }
  done
  return 1
}

# ---- options

sdk='' device=no binaries='' record=no program='' sim='' make='' out=''

target_value() {
  [ $# -ge 2 ] || { usage >&2; target_die "$1 needs a value"; }
  [ -n "$2" ] || target_die "the value of $1 is empty"
  printf '%s\n' "$2"
}

target_option() {
  option_words=2
  case $1 in
    -h | --help) usage; exit 0 ;;
    --device) device=yes option_words=1 ;;
    --record) record=yes option_words=1 ;;
    --sdk) sdk=$(target_value "$@") ;;
    --binaries) binaries=$(target_value "$@") ;;
    --program) program=$(target_value "$@") ;;
    --sim) sim=$(target_value "$@") ;;
    --make) make=$(target_value "$@") ;;
    --out) out=$(target_value "$@") ;;
    *) usage >&2; target_die "unknown option '$1'" ;;
  esac
}

# ---- choosing

choose_target() {
  if [ "$device" = yes ]; then
    choose_device "$sdk"
  elif [ -n "$sdk" ]; then
    choose_sdk "$sdk"
  else
    choose_simulated "$sim"
  fi
}

choose_simulated() {
  local folder=${1:-}
  target_name=simulated target_version=simulated
  for folder in "$folder" "${QNNPP_BUILD_ROOT:-$conformance_top/build}"/{gcc,examples,gcc-release,clang-14}/sim; do
    [ -n "$folder" ] && [ -f "$folder/libQnnHtp.so" ] && break
  done
  [ -f "$folder/libQnnHtp.so" ] || target_die "the simulated HTP is not built; build it: cmake --preset examples && cmake --build build/examples"
  target_libraries=$(realpath "$folder")
  target_compiler=("${CXX:-g++}")
  target_runner=()
}

choose_sdk() {
  local host arch id
  host=$(uname -m)
  target_name=sdk
  if [ "$host" = x86_64 ]; then
    target_libraries=$(folder_of "$1" x86_64-linux-clang aarch64-oe-linux-gcc11.2 aarch64-ubuntu-gcc9.4)
  else
    target_libraries=$(folder_of "$1" aarch64-oe-linux-gcc11.2 aarch64-ubuntu-gcc9.4)
  fi || target_die "no libQnnHtp.so in $1, nor in its lib/x86_64-linux-clang or lib/aarch64-oe-linux-gcc11.2"
  arch=$(arch_of "$target_libraries/libQnnHtp.so")
  id=$(build_id_of "$target_libraries/libQnnHtp.so")
  target_version=$(sed -nE 's/^v([0-9]+\.[0-9]+\.[0-9]+)\..*/\1/p' <<<"$id")
  [ "$arch" != x86_64 ] || target_version+=-x86_64 # Qualcomm's emulation of the HTP: other answers than of a device's library
  local build=$conformance_build/$arch compiler=gcc path
  target_runner=()
  case $host/$arch in
    "$arch/$arch") target_compiler=("${CXX:-g++}") ;;
    x86_64/aarch64)
      command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-g++ >/dev/null ||
        target_die "an aarch64 library needs: apt-get install qemu-user g++-aarch64-linux-gnu"
      compiler=aarch64-linux-gnu-gcc target_compiler=(aarch64-linux-gnu-g++)
      target_runner=(qemu-aarch64 -L /usr/aarch64-linux-gnu) ;;
    *) target_die "$target_libraries/libQnnHtp.so is for $arch, this machine is $host" ;;
  esac
  mkdir -p "$build/standin/soc0"
  path=$target_libraries
  if [ "$host" != aarch64 ] || [ ! -e /dev/fastrpc-cdsp ]; then # there is no DSP
    # A program that another script runs now may open both files, so they are replaced whole.
    "$compiler" -shared -fPIC -O1 -Wl,-soname,libcdsprpc.so "$conformance"/standin/{fastrpc,soc}.c \
      -o "$build/standin/libcdsprpc.so.$$" -ldl -lpthread
    mv -f "$build/standin/libcdsprpc.so.$$" "$build/standin/libcdsprpc.so"
    echo "${STANDIN_SOC_ID:-534}" >"$build/standin/soc0/soc_id.$$" # 534: a chip with a v73 HTP
    mv -f "$build/standin/soc0/soc_id.$$" "$build/standin/soc0/soc_id"
    path=$build/standin:$path
    # By its name only, because a space ends a path there.
    target_environment=(STANDIN_ID="$id" STANDIN_SOC="$build/standin/soc0" LD_PRELOAD=libcdsprpc.so)
  else
    target_environment=()
  fi
  [ ${#target_runner[@]} -eq 0 ] || path=$path:/usr/aarch64-linux-gnu/lib
  target_environment+=(LD_LIBRARY_PATH="$path")
}

choose_device() {
  local ndk library libraries=()
  command -v adb >/dev/null || target_die "adb is not on the PATH"
  [ -n "${ANDROID_NDK_HOME:-}" ] || target_die "ANDROID_NDK_HOME must name an Android NDK"
  ndk=$(find "$ANDROID_NDK_HOME/toolchains/llvm/prebuilt" -path '*/bin/aarch64-linux-android*-clang++' 2>/dev/null | sort -V | tail -n 1)
  [ -n "$ndk" ] || target_die "no aarch64-linux-android*-clang++ in $ANDROID_NDK_HOME"
  target_name=device target_version='' target_compiler=("$ndk" -static-libstdc++) target_runner=()
  adb shell "mkdir -p $device_folder" || target_die "adb finds no device, or cannot write to $device_folder; check: adb devices"
  if [ -n "${1:-}" ]; then
    target_libraries=$(folder_of "$1" aarch64-android) || target_die "no libQnnHtp.so in $1, nor in its lib/aarch64-android"
    target_version=$(build_id_of "$target_libraries/libQnnHtp.so" | sed -nE 's/^v([0-9]+\.[0-9]+\.[0-9]+)\..*/\1/p')
    for library in "$target_libraries"/libQnn{Htp,System,HtpPrepare,HtpV*Stub}.so "$target_libraries"/libcdsprpc.so \
      "$1"/lib/hexagon-v*/unsigned/libQnnHtpV*Skel.so "$target_libraries"/libQnnHtpV*Skel.so; do
      [ -f "$library" ] && libraries+=("$library")
    done
    adb push "${libraries[@]}" "$device_folder/" >/dev/null || target_die "adb push of the libraries failed"
  fi
}

# ---- building and running

# Prints a folder with the header-only libraries that qnnpp includes, without the other headers of /usr/include.
needed_headers() {
  local header
  mkdir -p "$conformance_build/include"
  for header in tl gsl fmt nlohmann CLI xxhash.h xxh3.h; do
    [ -e "/usr/include/$header" ] && ln -sfn "/usr/include/$header" "$conformance_build/include/$header"
  done
  echo "$conformance_build/include"
}

target_build() {
  local output=$1 sources=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do sources+=("$1"); shift; done
  [ $# -eq 0 ] || shift
  mkdir -p "$(dirname "$output")"
  "${target_compiler[@]}" -std=c++20 -O0 -g1 -DFMT_HEADER_ONLY -DXXH_INLINE_ALL "-I$conformance_top/include" -isystem "$(needed_headers)" \
    "$@" "${sources[@]}" -o "$output" -ldl -pthread
}

prepare_to_make() {
  [ "$target_name" = simulated ] || target_die "--binaries must name a folder with context binaries (*.bin)"
  [ -n "$make" ] || make=$target_libraries/../examples/make_binaries
  [ -x "$make" ] || target_die "$make is missing; build the examples: cmake --preset examples && cmake --build build/examples"
  binaries=$conformance_build/$1
  mkdir -p "$binaries"
  rm -f "$binaries"/*.bin
  maker=("$make" --backend "$target_libraries/libQnnHtp.so" --input_output_tensor_mem_type memhandle)
}

# A library loads binaries of its own and of older versions only.
prepare_binaries() {
  local folder program=$conformance_build/prepare source=$conformance/prepare.cpp
  folder=$("$conformance/package.sh" --cached x86_64) ||
    target_die "--binaries must name a folder with context binaries (*.bin), or tests/conformance/package.sh must have fetched the library that prepares them"
  binaries=$conformance_build/prepared-$("$conformance/package.sh" --version)
  mkdir -p "$binaries/ways"
  if [ ! -x "$program" ] || [ -n "$(find "$source" "$conformance_top"/{include,examples/digits} -name '*.?pp' -newer "$program")" ]; then
    "${CXX:-g++}" -std=c++20 -O0 "-I$conformance_top/include" "-I$conformance_top/examples" "$source" -o "$program" -ldl -pthread
    rm -f "$binaries"/{,ways/}*.bin
  fi
  [ -f "$binaries/ways/other_arch.bin" ] || "$program" "$folder/libQnnHtp.so" "$conformance_top/examples/digits/data" "$binaries" >/dev/null
}

target_program() {
  local name=$1 source=$2 headers=$3
  shift 3
  program=$conformance_build/$name-$target_name-$(basename "${target_compiler[0]}")
  if [ ! -x "$program" ] || [ -n "$(find "$conformance" "$headers" -name '*.?pp' -newer "$program")" ]; then
    target_build "$program" "$source" -- "$@"
  fi
}

target_files() {
  local file
  files=()
  for file in "$binaries"/*.bin; do [ -f "$file" ] && files+=("{file:$file}"); done
  [ ${#files[@]} -gt 0 ] || target_die "no *.bin in $binaries"
}

target_run() {
  local program=$1 argument arguments=() folder=$target_libraries/ rpcmem=libcdsprpc.so
  shift
  [ "$target_name" != simulated ] || rpcmem=${folder}libcdsprpc.so
  [ "$target_name" != device ] || folder='' # found by name: the pushed library, otherwise the device's
  for argument in "$@"; do
    case $argument in
      '{htp}') argument=${folder}libQnnHtp.so ;;
      '{system}') argument=${folder}libQnnSystem.so ;;
      '{rpcmem}') argument=$rpcmem ;;
      '{file:'*'}')
        argument=${argument#'{file:'} argument=${argument%'}'}
        if [ "$target_name" = device ]; then
          adb push "$argument" "$device_folder/$(basename "$argument")" >/dev/null || return 1
          argument=$device_folder/$(basename "$argument")
        else
          argument=$(realpath "$argument")
        fi ;;
    esac
    arguments+=("$argument")
  done
  case $target_name in
    simulated) env QNNPP_SIM_VTCM_BYTES="${QNNPP_SIM_VTCM_BYTES:-32768}" "$program" "${arguments[@]}" ;;
    sdk)
      if [ ${#target_runner[@]} -gt 0 ]; then
        local variables=() variable
        for variable in "${target_environment[@]}"; do variables+=(-E "$variable"); done
        "${target_runner[@]}" "${variables[@]}" "$program" "${arguments[@]}"
      else
        env "${target_environment[@]}" "$program" "${arguments[@]}"
      fi ;;
    device)
      adb push "$program" "$device_folder/program" >/dev/null || return 1
      adb shell "cd $device_folder && chmod 755 program && LD_LIBRARY_PATH=$device_folder:/vendor/lib64:/system/vendor/lib64 ADSP_LIBRARY_PATH='$device_folder;/vendor/dsp/cdsp;/vendor/lib/rfsa/adsp;/dsp' ${QNNPP_SIM_VTCM_BYTES:+QNNPP_SIM_VTCM_BYTES=$QNNPP_SIM_VTCM_BYTES }./program$(printf " '%s'" "${arguments[@]}")" ;;
  esac
}
