#!/usr/bin/env bash
# Makes a virtual environment with ONNX Runtime and Qualcomm's package, for the tests that make binaries of models. See usage below.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
page=$here/../../docs/without-a-device.md
cache=${QNNPP_PACKAGE_CACHE:-${XDG_CACHE_HOME:-${HOME-~}/.cache}/qnnpp}
# The packages are those that the page tells its reader to install.
packages=$(sed -n 's|^qnn/bin/pip install ||p' "$page")
folder=$cache/python-$(cksum <<<"$packages" | cut -d' ' -f1)

usage() {
  cat <<EOT
usage: tests/conformance/python.sh [--cached]

Makes a virtual environment in $folder by pip, unless it is there, with
$packages, and prints its folder.

  --cached  makes nothing: prints the folder only if it is there

If the environment cannot be had, the script prints one line on stderr that says why, and returns 77.
EOT
}

unavailable() {
  echo "python.sh: ONNX Runtime is not available: $*" >&2
  exit 77
}

case ${1-} in
  '' | --cached) ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
if [ ! -f "$folder/complete" ]; then
  [ "${1-}" != --cached ] || unavailable "$folder is not there; make it: tests/conformance/python.sh"
  rm -rf "$folder"
  reason=$(python3 -m venv "$folder" 2>&1) || unavailable "no virtual environment (Debian: python3-venv): $(tail -n 1 <<<"$reason")"
  # shellcheck disable=SC2086
  reason=$("$folder/bin/pip" install -q --disable-pip-version-check $packages 2>&1) || unavailable "pip: $(tail -n 1 <<<"$reason")"
  touch "$folder/complete"
fi
echo "$folder"
