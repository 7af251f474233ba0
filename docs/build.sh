#!/usr/bin/env bash
# Builds the reference of all public names, with the pages of docs/, in build/docs/html. A warning of Doxygen is an error, and
# so is a link that leads nowhere or a template<> or requires() that is not the member's own.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

need_packages doxygen
cd "$repository"
out=$build_root/docs
rm -rf "$out"
mkdir -p "$out/sources"

pages=(README.md docs .github tests/conformance)
# The sources and folders that pages link to: Doxygen shows a source as an example, a folder as a page with its files. It looks
# for a source at all files below a folder, so this has links to the folders with sources, and not to build/.
find "${pages[@]}" -name '*.md' -exec awk -v sources=1 -f docs/doxygen/pages.awk {} + |
  sort | while read -r path; do
  top=${path%%/*}
  [ -e "$out/sources/$top" ] || ln -s "$repository/$top" "$out/sources/$top"
  if [ -d "$path" ]; then
    printf '/** \\page folder_%s %s\n' "${path//[^A-Za-z0-9]/_}" "$path"
    find "$path" -mindepth 1 -maxdepth 1 -printf '- `%P`\n' | sort
    printf '*/\n'
  else
    printf '/** \\example{lineno} %s */\n' "$path"
  fi
done >"$out/sources.dox"

{
  cat docs/Doxyfile
  printf 'OUTPUT_DIRECTORY = "%s"\nINPUT += %s "%s"\n' "$out" "${pages[*]}" "$out/sources.dox"
  printf 'EXAMPLE_PATH = "%s"\n' "$out/sources"
  # An older Doxygen has light colours only, and no such option.
  ! doxygen -g - | grep '^HTML_COLORSTYLE ' >/dev/null || echo 'HTML_COLORSTYLE = LIGHT'
} | doxygen - 2>"$out/warnings.txt" || true
if [ -s "$out/warnings.txt" ] || [ ! -e "$out/html/index.html" ]; then
  cat "$out/warnings.txt"
  die "Doxygen reports what is above"
fi
awk -f docs/doxygen/heads.awk "$out"/xml/{class,struct,namespace,concept}*.xml
(cd "$out/html" && shopt -s globstar && awk -f "$repository/docs/doxygen/links.awk" -- **)
say "The reference is $out/html/index.html"
