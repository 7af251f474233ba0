#!/usr/bin/env bash
# compile_once.sh COMPILER ARGUMENT...: a compiler launcher for tests that compile the same programs. Each test preprocesses by
# itself. If an earlier test had the same text and flags, the launcher copies its object from the folder $QNNPP_COMPILED_ONCE. A
# call that also links gets its object in the same way, and links it by itself. $QNNPP_FASTER has flags that only make the compiler
# faster. If $QNNPP_OBJECT is set, this object is kept instead of a compiled one.
set -euo pipefail

compiler=$1 command=("$@") compile=("$1") flags=("$1") link=("$1") object='' source='' compiles=no
read -ra faster <<<"${QNNPP_FASTER:-}"
shift
while [ $# -gt 0 ]; do
  case $1 in
    -c) compiles=yes ;;
    -o) object=$2 link+=("$1" "$2"); shift ;;
    -MF | -MT | -MQ | -isystem | -I) compile+=("$1" "$2"); shift ;;
    *.cpp) source=$1 compile+=("$1") link+=("SOURCE") ;;
    -M* | -I* | -D*) compile+=("$1") ;;
    -pthread) compile+=("$1") link+=("$1") ;; # to the compiler, this is a macro definition
    -l* | [!-]*) link+=("$1") ;;
    *) compile+=("$1") flags+=("$1") link+=("$1") ;;
  esac
  shift
done
if [ -z "$object" ] || [ -z "$source" ]; then
  exec "${command[@]}"
fi
if [ $compiles = no ]; then
  object=$object.o
  "${BASH_SOURCE[0]}" "${compile[@]}" -c -o "$object"
  exec "${link[@]/#SOURCE/$object}"
fi

text=$object.text
"${compile[@]}" -E -P -o "$text"
key=$({ printf '%s\n' "${flags[@]}"; "$compiler" --version; cat "$text"; } | sha256sum)
kept=$QNNPP_COMPILED_ONCE/${key%% *}
rm "$text"
mkdir -p "$QNNPP_COMPILED_ONCE"
exec 9>"$kept.lock"
flock 9
if [ ! -e "$kept.o" ]; then
  if [ -n "${QNNPP_OBJECT:-}" ]; then cp "$QNNPP_OBJECT" "$object"; else "${command[@]}" "${faster[@]}"; fi
  cp "$object" "$kept.new"
  mv "$kept.new" "$kept.o"
fi
cp "$kept.o" "$object"
