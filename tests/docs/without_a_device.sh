#!/usr/bin/env bash
# without_a_device.sh PAGE SOURCE QNNPP_RUN FOLDER: runs the commands of PAGE in FOLDER and checks the program's last line. What
# fetches and builds is there already: the commands of the first fence are replaced by links to it.
set -euo pipefail
page=$1 source=$2 program=$3 folder=$4
python=$("$source/tests/conformance/python.sh" --cached) || exit 77
"$source/tests/conformance/package.sh" --cached x86_64 >/dev/null || exit 77

rm -rf "$folder"
mkdir -p "$folder/qnnpp-build/examples"
cd "$folder"
ln -s "$source" qnnpp
ln -s "$python" qnn
ln -s "$program" qnnpp-build/examples/qnnpp-run
# The fences of shell commands, without the first one.
awk '/^```sh$/ { fence++; next } /^```$/ { inside = 0 } fence > 1 && !ended[fence] { if ($0 == "```") ended[fence] = 1; else print }' \
  "$page" >commands.sh
[ "$(grep -c '^qnn' commands.sh)" -ge 2 ] || { echo "the page has no commands" >&2; exit 1; }
bash -euo pipefail commands.sh | tee out.txt
grep -q 'ok, largest difference 0' out.txt
