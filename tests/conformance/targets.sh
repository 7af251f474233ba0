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
#                               for this machine; an aarch64 library with qemu-user, and standin/ for FastRPC and, for
#                               an Android library, for bionic. STANDIN_SOC_ID is the chip that standin/ reports
#   choose_device [FOLDER]      an Android device by adb; pushes the libraries of an SDK or of a folder. Names everything
#                               that is missing before; with $quick, also what find_parts of quick.sh finds missing
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
#   $target_kind                                 the kind of the library's answers: -x86_64, -android, or empty
#   $target_version                              the library's version and kind, such as 2.43.1 or 2.43.1-android, or
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

target_name="" target_kind="" target_version="" target_libraries="" target_compiler=() target_runner=() target_environment=()
target_limit=() # a command that ends what runs on the device

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

# set_target_version FILE: sets $target_version by the build id of a QNN library.
set_target_version() {
  target_version=$(build_id_of "$1" | sed -nE 's/^v([0-9]+\.[0-9]+\.[0-9]+)\..*/\1/p')
  target_version+=${target_version:+$target_kind}
}

# is_for_android FILE: whether a library refers to bionic; glibc's name is libc.so.6.
is_for_android() { [[ $(readelf -dW "$1") == *'Shared library: [libc.so]'* ]]; }

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

sdk='' device=no quick=no binaries='' record=no program='' sim='' make='' out=''

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
  target_name=simulated target_kind='' target_version=simulated
  for folder in "$folder" "${QNNPP_BUILD_ROOT:-$conformance_top/build}"/{gcc,examples,gcc-release,clang-14}/sim; do
    [ -n "$folder" ] && [ -f "$folder/libQnnHtp.so" ] && break
  done
  [ -f "$folder/libQnnHtp.so" ] || target_die "the simulated HTP is not built; build it: cmake --preset examples && cmake --build build/examples"
  target_libraries=$(realpath "$folder")
  target_compiler=("${CXX:-g++}")
  target_runner=()
}

# chip_for FOLDER: prints the number of the chip that the stand-in reports: the first one whose HTP has a stub in FOLDER.
# Phones with an Android library have a v79 or v81 HTP. Without a known stub the library refuses any chip.
chip_for() {
  local chip chips=(73:534 75:557 79:618 81:660)
  [ "$target_kind" != -android ] || chips=(79:618 81:660 75:557 73:534)
  for chip in "${chips[@]}"; do
    [ ! -f "$1/libQnnHtpV${chip%:*}Stub.so" ] || { echo "${chip#*:}"; return; }
  done
  echo "${chips[0]#*:}"
}

# make_bionic FOLDER COMPILER: writes the stand-in for bionic to FOLDER, for the libraries in $target_libraries: what
# standin/bionic.c defines, and for each other symbol of bionic that they refer to a jump to glibc's.
make_bionic() {
  local folder=$1 source=$conformance/standin/bionic.c library name jump=b by='' libraries=()
  [ "$(arch_of "$target_libraries/libQnnHtp.so")" != x86_64 ] || jump=jmp by=@PLT
  for library in "$target_libraries"/libQnn{Htp,System,HtpPrepare,HtpV*Stub}.so; do
    [ ! -f "$library" ] || libraries+=("$library")
  done
  mkdir -p "$folder"
  {
    echo .text
    nm -D --undefined-only "${libraries[@]}" | sed -nE 's/.* ([^ ]+)@LIBC$/\1/p' | sort -u |
      { grep -vxF "$(sed -nE 's/^BIONIC\((.*)\)$/\1/p' "$source")" || true; } | while read -r name; do
        echo ".globl bionic_$name; .type bionic_$name, %function; .symver bionic_$name, $name@LIBC; bionic_$name: $jump $name$by"
      done
    echo '.section .note.GNU-stack, "", %progbits'
  } >"$folder/jumps.$$.S"
  "$2" -shared -fPIC -O1 -Wl,-z,defs,-soname,libc.so,--version-script=<(echo 'LIBC { };') "$folder/jumps.$$.S" "$source" \
    -o "$folder/libc.so.$$" -lm -ldl -lpthread ||
    target_die "the library needs functions of Android that neither glibc nor standin/bionic.c has"
  mv -f "$folder/libc.so.$$" "$folder/libc.so"
  rm "$folder/jumps.$$.S"
  for name in libm libdl liblog; do ln -sfn libc.so "$folder/$name.so"; done
}

choose_sdk() {
  local host arch compiler=gcc build path soc
  host=$(uname -m)
  target_name=sdk target_kind='' target_runner=() target_environment=()
  local kinds=(aarch64-oe-linux-gcc11.2 aarch64-ubuntu-gcc9.4 aarch64-android)
  [ "$host" != x86_64 ] || kinds=(x86_64-linux-clang "${kinds[@]}")
  target_libraries=$(folder_of "$1" "${kinds[@]}") ||
    target_die "no libQnnHtp.so in $1, nor in its folders lib/${kinds[0]}$(printf ', lib/%s' "${kinds[@]:1}")"
  arch=$(arch_of "$target_libraries/libQnnHtp.so")
  if is_for_android "$target_libraries/libQnnHtp.so"; then
    target_kind=-android
  elif [ "$arch" = x86_64 ]; then
    target_kind=-x86_64 # Qualcomm's emulation of the HTP: other answers than of a device's library
  fi
  set_target_version "$target_libraries/libQnnHtp.so"
  case $host/$arch in
    "$arch/$arch") target_compiler=("${CXX:-g++}") ;;
    x86_64/aarch64)
      command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-g++ >/dev/null ||
        target_die "an aarch64 library needs: apt-get install qemu-user g++-aarch64-linux-gnu"
      compiler=aarch64-linux-gnu-gcc target_compiler=(aarch64-linux-gnu-g++)
      target_runner=(qemu-aarch64 -L /usr/aarch64-linux-gnu) ;;
    *) target_die "$target_libraries/libQnnHtp.so is for $arch, this machine is $host" ;;
  esac
  build=$conformance_build/$arch/standin path=$target_libraries
  if [ "$target_kind" = -android ]; then
    make_bionic "$build/bionic-${target_version:-unknown}" "$compiler"
    path=$build/bionic-${target_version:-unknown}:$path
  fi
  if [ "$host" != aarch64 ] || [ ! -e /dev/fastrpc-cdsp ]; then # there is no DSP
    soc=${STANDIN_SOC_ID:-$(chip_for "$target_libraries")}
    mkdir -p "$build/soc$soc"
    # A program that another script runs now may open both files, so they are replaced whole.
    "$compiler" -shared -fPIC -O1 -Wl,-soname,libcdsprpc.so "$conformance"/standin/{fastrpc,soc}.c \
      -o "$build/libcdsprpc.so.$$" -ldl -lpthread
    mv -f "$build/libcdsprpc.so.$$" "$build/libcdsprpc.so"
    echo "$soc" >"$build/soc$soc/soc_id.$$"
    mv -f "$build/soc$soc/soc_id.$$" "$build/soc$soc/soc_id"
    path=$build:$path
    # By its name only, because a space ends a path there.
    target_environment=(STANDIN_ID="$(build_id_of "$target_libraries/libQnnHtp.so")" STANDIN_SOC="$build/soc$soc" LD_PRELOAD=libcdsprpc.so)
  fi
  [ ${#target_runner[@]} -eq 0 ] || path=$path:/usr/aarch64-linux-gnu/lib
  target_environment+=(LD_LIBRARY_PATH="$path")
}

# missing WORDS: notes a part that a device needs, and what to do about it. stop_if_missing names all of them.
missing_parts=()
missing() { missing_parts+=("$*"); }
stop_if_missing() {
  [ ${#missing_parts[@]} -gt 0 ] || return 0
  printf 'conformance: %s\n' "${missing_parts[@]}" >&2
  exit 2
}

# find_ndk: sets $target_compiler to the NDK's newest compiler for aarch64.
find_ndk() {
  [ -n "${ANDROID_NDK_HOME:-}" ] ||
    { missing "ANDROID_NDK_HOME must name an Android NDK; download one from developer.android.com/ndk"; return; }
  local ndk
  ndk=$({ find "$ANDROID_NDK_HOME/toolchains/llvm/prebuilt" -path '*/bin/aarch64-linux-android*-clang++' 2>/dev/null || true; } |
    sort -V | tail -n 1)
  [ -n "$ndk" ] || { missing "no aarch64-linux-android*-clang++ in $ANDROID_NDK_HOME; set ANDROID_NDK_HOME to the folder of an NDK"; return; }
  target_compiler=("$ndk" -static-libstdc++)
}

# find_serial: finds the device that adb uses: the one of ANDROID_SERIAL, or the only one.
find_serial() {
  command -v adb >/dev/null ||
    { missing "adb is not on the PATH; install Android's platform tools (Debian: apt-get install adb)"; return; }
  local devices ready
  # A line is a serial number and a state, which may have several words.
  devices=$(adb devices | awk '!/^([*]|List of)/ && NF >= 2 { serial = $1; sub(/^[^ \t]+[ \t]+/, ""); print serial ": " $0 }')
  ready=$(sed -n 's/: device$//p' <<<"$devices")
  if [ -z "$devices" ]; then
    missing "adb finds no device; connect one by USB and enable USB debugging in its developer options"
  elif [ -n "${ANDROID_SERIAL:-}" ]; then
    grep -qxF -- "$ANDROID_SERIAL" <<<"$ready" ||
      missing "ANDROID_SERIAL is $ANDROID_SERIAL, adb finds: ${devices//$'\n'/, }; set it to a device that is ready"
  elif [ -z "$ready" ]; then
    missing "no device is ready (${devices//$'\n'/, }); unlock it and accept the key of this computer"
  elif [ "$(wc -l <<<"$ready")" -gt 1 ]; then
    missing "adb finds several devices: ${ready//$'\n'/, }; set ANDROID_SERIAL to the serial number of one"
  fi
}

choose_device() {
  local library libraries=()
  target_name=device target_kind=-android target_version='' target_runner=()
  find_ndk
  find_serial
  if [ -n "${1:-}" ]; then
    if target_libraries=$(folder_of "$1" aarch64-android); then
      set_target_version "$target_libraries/libQnnHtp.so"
    else
      missing "no libQnnHtp.so in $1, nor in its lib/aarch64-android; name the folder of an SDK, or of its Android libraries"
    fi
  fi
  [ "$quick" = no ] || find_parts "${1:-}"
  stop_if_missing
  adb shell "mkdir -p $device_folder" || target_die "adb cannot write to $device_folder; check: adb shell"
  [ -n "${1:-}" ] || return 0
  for library in "$target_libraries"/libQnn{Htp,System,HtpPrepare,HtpV*Stub}.so "$target_libraries"/libcdsprpc.so \
    "$1"/lib/hexagon-v*/unsigned/libQnnHtpV*Skel.so "$target_libraries"/libQnnHtpV*Skel.so; do
    [ -f "$library" ] && libraries+=("$library")
  done
  adb push "${libraries[@]}" "$device_folder/" >/dev/null || target_die "adb push of the libraries failed"
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
      "${target_limit[@]}" adb shell "cd $device_folder && chmod 755 program && LD_LIBRARY_PATH=$device_folder:/vendor/lib64:/system/vendor/lib64 ADSP_LIBRARY_PATH='$device_folder;/vendor/dsp/cdsp;/vendor/lib/rfsa/adsp;/dsp' ${QNNPP_SIM_VTCM_BYTES:+QNNPP_SIM_VTCM_BYTES=$QNNPP_SIM_VTCM_BYTES }./program$(printf " '%s'" "${arguments[@]}")" ;;
  esac
}
