#!/usr/bin/env bash
# without_a_device.sh PAGE SOURCE QNNPP_RUN FOLDER: runs the commands of PAGE in FOLDER and checks the program's last line. What
# fetches and builds is there already: the commands of the first fence are replaced by links to it.
set -euo pipefail
page=$1 source=$2 program=$3 folder=$4
python=$("$source/tests/conformance/python.sh" --cached) || exit 77
"$source/tests/conformance/package.sh" --cached x86_64 >/dev/null || exit 77

rm -rf "$folder"
mkdir -p "$folder/qnnpp-build/examples"
ln -s "$(dirname "$program")/../sim" "$folder/qnnpp-build/sim"
cd "$folder"
ln -s "$source" qnnpp
ln -s "$python" qnn
ln -s "$program" qnnpp-build/examples/qnnpp-run
# The fences of shell commands, without the first one.
awk '/^```sh$/ { fence++; next } /^```$/ { inside = 0 } fence > 1 && !ended[fence] { if ($0 == "```") ended[fence] = 1; else print }' \
  "$page" >commands.sh
[ "$(grep -c '^qnn' commands.sh)" -ge 2 ] || { echo "the page has no commands" >&2; exit 1; }
bash -euo pipefail commands.sh | tee out.txt
[ "$(grep -c 'ok, largest difference 0' out.txt)" = 2 ] || { echo "the simulated HTP with its engine has other numbers" >&2; exit 1; }
grep -q 'all is well: no misuse and nothing left alive' report.txt
grep -q 'injected; no misuse and nothing left alive' fault.txt
[ "$(grep -c 'no misuse and nothing left alive' out.txt)" = 2 ] || { echo "the page shows no report, or none of the fault" >&2; exit 1; }
grep -q 'external weights and spill-fill, bytes' report.txt
