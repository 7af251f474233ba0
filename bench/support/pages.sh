# Sourced by bench/run.sh and bench/real.sh: writes the tables of benchmarks to docs/performance.
# Requires cmake/setup.sh and the folder $output with the tables. `page` and `tables` are set here.
# shellcheck shell=bash disable=SC2154,SC2016

page=$repository/docs/performance.md
tables=$repository/docs/performance

# replace_between <marker> <file>: replaces the lines between <!-- marker --> and <!-- end marker --> of the page.
replace_between() {
  local marker=$1 file=$2
  grep -q "<!-- $marker -->" "$page" || die "$page has no line <!-- $marker -->"
  awk -v first="<!-- $marker -->" -v last="<!-- end $marker -->" -v file="$file" '
    $0 == last { inside = 0 }
    !inside { print }
    $0 == first { inside = 1; while ((getline line < file) > 0) print line }
  ' "$page" >"$page.new"
  mv "$page.new" "$page"
}

# write_table <name> <command>...: writes the page of one benchmark, which the command measures.
write_table() {
  local name=$1
  shift
  {
    printf '# %s\n\n`%s` measures these figures and writes this file.\n' "$name" "$*"
    printf '[performance.md](../performance.md#%s) explains them.\n\n' "$name"
    cat "$output/$name.md"
  } >"$tables/$name.md"
}

# write_goals: writes the rows of bench/goals.txt, with the values of the tables, to docs/performance.md.
write_goals() {
  local name figure words row
  {
    printf '| figure | value | unit | goal | met | more |\n|---|---:|---|---|---|---|\n'
    while IFS='|' read -r name figure words; do
      read -r name <<<"$name" && read -r figure <<<"$figure" && read -r words <<<"$words"
      row=$(awk -F ' [|] ' -v figure="| $figure" '$1 == figure { print $2 " | " $3 " | " $4 " | " $5; exit }' "$tables/$name.md")
      [ -n "$row" ] || die "docs/performance/$name.md has no figure '$figure', which bench/goals.txt names"
      printf '| %s | %s | [%s](#%s) |\n' "$words" "$row" "$name" "$name"
    done < <(grep -v '^#' "$repository/bench/goals.txt")
  } >"$output/goals.md"
  replace_between goals "$output/goals.md"
}
