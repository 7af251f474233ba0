#!/usr/bin/env bash
# compile_once.sh COMPILER ARGUMENT...: a compiler launcher for the ways in, which compile the same programs.
# Each way preprocesses for itself. If the text and the flags are those of another way, it gets that way's object, from
# the folder $QNNPP_COMPILED_ONCE.
set -euo pipefail

command=("$@") preprocess=("$1") flags=("$1") object='' compiles=no
shift
while [ $# -gt 0 ]; do
  case $1 in
    -c) compiles=yes preprocess+=(-E -P) ;;
    -o) object=$2; shift ;;
    -MF | -MT | -MQ | -isystem | -I) preprocess+=("$1" "$2"); shift ;;
    -M* | -I* | [!-]*) preprocess+=("$1") ;;
    *) preprocess+=("$1"); flags+=("$1") ;;
  esac
  shift
done
if [ $compiles = no ] || [ -z "$object" ]; then
  exec "${command[@]}"
fi

text=$object.text
"${preprocess[@]}" -o "$text"
key=$({ printf '%s\n' "${flags[@]}"; "${command[0]}" --version; cat "$text"; } | sha256sum)
kept=$QNNPP_COMPILED_ONCE/${key%% *}
rm "$text"
mkdir -p "$QNNPP_COMPILED_ONCE"
exec 9>"$kept.lock"
flock 9
if [ ! -e "$kept.o" ]; then
  "${command[@]}"
  cp "$object" "$kept.new"
  mv "$kept.new" "$kept.o"
fi
cp "$kept.o" "$object"
