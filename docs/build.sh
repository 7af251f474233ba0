#!/usr/bin/env bash
# Builds the reference of all public names, with the pages of docs/, in build/docs/html. A warning of Doxygen is an error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

need_packages doxygen
mkdir -p "$build_root/docs"
cd "$repository"
{ cat docs/Doxyfile && printf 'OUTPUT_DIRECTORY = "%s"\n' "$build_root/docs"; } | doxygen -
say "The reference is $build_root/docs/html/index.html"
