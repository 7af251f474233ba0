# Filters a page of Markdown for Doxygen, which runs in the repository: awk -f pages.awk PAGE.
# - Gives the page and its headings labels: the page's name, and after it GitHub's anchor.
# - Makes a link to another page, heading, header, source or folder a reference, which Doxygen resolves or reports.
# awk -v sources=1 -f pages.awk PAGE...: prints the files and folders that the pages link to and that are neither pages nor
# documented headers.

# docs/kv-cache.md -> docs_kv_cache
function label_of(path) {
  sub(/\.md$/, "", path)
  gsub(/[^A-Za-z0-9]/, "_", path)
  return path
}

# The anchor that GitHub gives to a heading; the second one of a page ends in -1.
function slug_of(title) {
  title = tolower(title)
  gsub(/[^a-z0-9 _-]/, "", title)
  gsub(/ /, "-", title)
  return title (seen[page, title]++ ? "-" (seen[page, title] - 1) : "")
}

# Path of a link's file or folder in the repository.
function path_of(link) {
  link = folder link
  sub(/\/$/, "", link)
  while (sub(/[^\/]+\/\.\.(\/|$)/, "", link)) { }
  return link
}

# What replaces the target of a link.
function target_of(link,    anchor, path) {
  if (link ~ /^[a-z]+:/) return link
  if (match(link, /#.*/)) {
    anchor = substr(link, RSTART + 1)
    link = substr(link, 1, RSTART - 1)
  }
  path = link == "" ? page : path_of(link)
  if (anchor != "") return "#" label_of(path) "__" anchor
  if (path == "README.md") return "#index"
  if (path ~ /\.md$/) return "#" label_of(path)
  if (path ~ /\.svg$/) { sub(/.*\//, "", path); return path }
  if (path == "docs") return "pages.html"
  if (path ~ /^include/ && path !~ /\/(detail|impl|verify_sdk)\/|format\.hpp$/) {  # As EXCLUDE in docs/Doxyfile.
    if (path ~ /\.hpp$/) sub(/^include\//, "", path)
    return "@ref " path
  }
  if (sources && !is_source[path]++) print path
  return path ~ /\.[a-z]+$/ ? "@ref " path : "#folder_" label_of(path)
}

FNR == 1 {
  page = FILENAME
  if (index(page, ENVIRON["PWD"] "/") == 1) page = substr(page, length(ENVIRON["PWD"]) + 2)
  folder = page
  sub(/[^\/]*$/, "", folder)
  in_code = 0
  $0 = $0 " {#" (page == "README.md" ? "mainpage" : label_of(page)) "}"
}
/^ *```/ { in_code = !in_code }
!in_code && FNR > 1 && /^#+ / { $0 = $0 " {#" label_of(page) "__" slug_of(substr($0, index($0, " ") + 1)) "}" }
!in_code {
  if (match($0, /^<a id="[^"]*"><\/a>$/)) $0 = "\\anchor " label_of(page) "__" substr($0, 8, length($0) - 13)
  while (match($0, /\[[^][`]*`[^][]*\]\(/)) {  # A reference has no code in its text.
    text = substr($0, RSTART, RLENGTH)
    gsub(/`/, "", text)
    $0 = substr($0, 1, RSTART - 1) text substr($0, RSTART + RLENGTH)
  }
  # In code between backticks, Doxygen would show the \ before a |, and link what follows a :: that no name precedes.
  while (match($0, /`(::|[^`]*([*]std::|\\\|))[^`]*`/)) {
    text = substr($0, RSTART + 1, RLENGTH - 2)
    gsub(/::|--/, "\\\\&", text)
    gsub(/</, "\\&lt;", text)
    $0 = substr($0, 1, RSTART - 1) "<code>" text "</code>" substr($0, RSTART + RLENGTH)
  }
  line = ""
  while (match($0, /\]\([A-Za-z0-9_.\/#:-]+\)/)) {
    link = substr($0, RSTART + 2, RLENGTH - 3)
    line = line substr($0, 1, RSTART + 1)
    $0 = substr($0, RSTART + RLENGTH - 1)
    line = line target_of(link)
  }
  $0 = line $0
}
!sources { print }
