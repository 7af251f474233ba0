# awk -f links.awk FILE...: requires that each link of the HTML leads to one of the files, and its #anchor to an id there.
# The files are named from the folder of the HTML, in which the script runs. Web addresses are not visited.

function fault(text) { if (!reported[text]++) print text > "/dev/stderr"; faults++ }

BEGIN {
  for (i = 1; i < ARGC; ++i) {
    is_file[ARGV[i]]
    if (ARGV[i] !~ /^[^\/]*\.html$|^menudata\.js$/) ARGV[i] = ""
  }
}
{
  gsub(/url:"/, "href=\"")
  while (match($0, /[ ,{](href|src|data|id|name)="[^"]*"/)) {
    attribute = substr($0, RSTART + 1, RLENGTH - 2)
    $0 = substr($0, RSTART + RLENGTH)
    value = attribute
    sub(/^[a-z]*="/, "", value)
    if (attribute ~ /^(id|name)=/) is_anchor[FILENAME "#" value]
    else if (value !~ /^(https?|javascript):/) pages[value ~ /^#/ ? FILENAME value : value] = FILENAME
  }
}
END {
  for (link in pages) {
    ++count
    file = link
    sub(/#.*/, "", file)
    if (!(file in is_file)) fault(pages[link] " links to " link ", which is no file")
    # Doxygen links to the members of anonymous unions, but gives them no anchors.
    else if (link ~ /#./ && link !~ /#a[0-9a-f]+$/ && !(link in is_anchor))
      fault(pages[link] " links to " link ", which has no such anchor")
  }
  if (!count) fault("no link is in the HTML")
  if (!faults) print count " different links lead to a file and an anchor"
  exit faults > 0
}
