# awk -v check=CHECK -f check.awk FILE...
#
# Checks of sources and documents that users rely on, and that no compiler, clang-format or clang-tidy makes. Prints each fault
# as "FILE: what is wrong", and fails if there is one or if there was nothing to check.
#
# Headers and definitions (.hpp, .ipp), named relative to include/ or tests/:
#   layers     A header includes only its own layer and the layers below it. No header includes the umbrella, or what needs an
#              optional library. The simulated HTP, which is compared with the library, shares only the declarations of the C API.
#   budget     The layers that every program includes have no heavy standard header, and no header has a library that users may
#              lack, except the headers that are made for it.
#   namespaces An inline namespace has braces of its own, because ctags and other tools do not read the short form.
#   statics    No mutable static or inline variable, of which each shared object of a process would have a copy.
#   results    Every function that returns a Result is [[nodiscard]], because Result itself is not.
#   lasting    A function that returns a reference, pointer, span or string_view into its object is const&, so that a temporary
#              can be refused.
#   contracts  A broken contract prints a sentence: expects(), not Expects.
#   platform   Every header reaches platform.hpp before any header that only a supported system has.
#   facts      The name of each C function and the number of each error code stand in one file.
#   rows       FACTS... HEADER...: each enumerator of abi/ has a row in a table of facts (.inc), or it would not be compared with
#              an SDK.
#   advice     The detail of each invalid_argument says what to do. A detail of another variable is checked where its text is.
#   threads    The docstring of each public class says in one sentence which threads may use it: "Threads: ...". A struct whose
#              members are all public is a plain value, which needs no sentence.
# Documents:
#   fences     DOCUMENT PROGRAM...: a program contains each C++ fence of the document. Indentation may differ.
#   program    DOCUMENT PROGRAM: the first C++ fence equals the program without its first line, a comment.
#   links      Every link leads to a file or folder, and to a heading if it names one. Web addresses are not opened.
#   places     The file of each row of the section "Where is what" exists and contains its name.
#   picture    An SVG paints its own page, because it appears on light and on dark pages.
#   made       command=COMMAND PAGE: the page is what the command prints.
#
# After planted=1, the faults must be those that comments in the files announce, and no others: "FAULT CHECK: what is wrong".

BEGIN {
  RS = "\001"  # Each file is one record.
  count = split("abi core backend memory context graph model report", order, " ")
  for (i = 1; i <= count; ++i) rank[order[i]] = i
  rank["sim"] = rank["abi"] + 0.5  # above abi alone
  # Headers outside the layers: those that every layer may include, and those that may include every layer.
  set_of("platform.hpp config.hpp version.hpp fwd.hpp", common)
  set_of("qnnpp.hpp definitions.hpp format.hpp throw.hpp", top)
  # Headers that programs include by name, because they need an optional library.
  needs["format.hpp"] = "fmt/format.h"
  needs["report/format.hpp"] = "fmt/ranges.h"
  needs["report/json.hpp"] = needs["report/detail/manifest_reader.hpp"] = needs["report/trace.hpp"] = "nlohmann/json.hpp"
  needs["report/digest.hpp"] = "xxhash.h"
  set_of("memory functional iostream filesystem regex", heavy)
  system_header = "<(sys/|linux/|(dlfcn|fcntl|poll|pthread|time|unistd)[.]h)"
  # Ways to the objects that all copies of qnnpp in the process share; log callbacks, which have no user pointer; what each
  # execution reads; the number of a thread; what fork() and exit() end.
  set_of("backend/detail/error_lines.hpp:error_lines backend/detail/epoch.hpp:restart_logs " \
    "backend/detail/lost_contexts.hpp:lost_contexts core/detail/forked.hpp:has_forked impl/memory/spill_fill_lease.ipp:waits " \
    "core/detail/process_wide.hpp:process_registry backend/detail/log_sink.hpp:log_slots " \
    "memory/detail/open_ranges.hpp:open_accesses memory/spill_fill_lease.hpp:number_of_this_thread", may_change)
  # Data of the provider's library, which its owner keeps open; the caller's memory; views; an access for one call; a caught
  # exception; blocks and references, which are not public.
  set_of("backend/interface.hpp:core_version backend/interface.hpp:backend_version backend/interface.hpp:provider_name " \
    "backend/interface.hpp:native backend/shared_library.hpp:native backend/system.hpp:version graph/binding.hpp:data " \
    "memory/tensor_view.hpp:elements memory/tensor_view.hpp:operator memory/tensor_access.hpp:data " \
    "memory/tensor_access.hpp:begin memory/tensor_access.hpp:end memory/tensor_access.hpp:operator throw.hpp:error " \
    "memory/dma_buffer.hpp:data memory/tensor_memory.hpp:memory_of memory/tensor_memory.hpp:shared_memory_of " \
    "core/owner.hpp:get core/ref.hpp:get core/ref.hpp:operator core/ref.hpp:release", may_be_temporary)
}

# ---- helpers

function set_of(words, set,  word, i) {
  for (i = split(words, word, " "); i > 0; --i) set[word[i]] = 1
}

function fail(words) {
  print words
  failed = 1
}

function fault(words) {
  words = file ": " words
  found[words] = 1
  if (!planted) fail(words)
}

# The folder of include/qnnpp, or of its impl/, that a header is in: its layer.
function layer_of(header) {
  sub(/^impl\//, "", header)
  return header ~ /\// ? substr(header, 1, index(header, "/") - 1) : ""
}

function code_of(text) {
  gsub(/\/\/[^\n]*/, "", text)
  return text
}

# Sets list to the includes of a text, as "path or <path.
function includes_of(text, list,  lines, count, i, found_count) {
  count = split(text, lines, "\n")
  for (i = 1; i <= count; ++i)
    if (match(lines[i], /^ *# *include *("[^"]*|<[^>]*)/)) {
      lines[i] = substr(lines[i], 1, RLENGTH)
      sub(/^[^"<]*/, "", lines[i])
      list[++found_count] = lines[i]
    }
  return found_count + 0
}

# Splits a text at semicolons, braces and access specifiers, without comments, strings and line ends. <private> marks
# statements after private: or protected:.
function statements_of(text, list) {
  gsub(/\/\/[^\n]*|"[^"\n]*"/, "", text)
  gsub(/[ \n]+/, " ", text)
  gsub(/ ?(private|protected): ?/, ";<private>", text)
  gsub(/ ?(;|[{}]|public:) ?/, ";", text)
  return split(text, list, ";")
}

# The text of a file; empty if there is none.
function text_of(path,  text) {
  if ((getline text < path) <= 0) text = ""
  close(path)
  return text
}

# A text without its first element of an SVG's kind.
function without(text, element,  at) {
  if (!match(text, "<" element "[ >]")) return text
  at = RSTART
  match(text, "</" element ">")
  return substr(text, 1, at - 1) substr(text, RSTART + RLENGTH)
}

# ---- every file

{
  file = FILENAME
  text = $0
  while (planted && match(text, /[^\n]*FAULT [a-z]+: [^\n]*/)) {
    row = substr(text, RSTART, RLENGTH)
    text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    sub(/^.*FAULT /, "", row)
    sub(/ -->$/, "", row)
    if (index(row, check ": ") == 1) announced[file ": " substr(row, length(check) + 3)] = 1
  }
  header = file
  sub(/^qnnpp\//, "", header)
  layer = layer_of(header)
  folder = file
  sub(/[^\/]*$/, "", folder)
}

# ---- headers

check == "layers" && header != "platform.hpp" {  # Its includes are parts of sentences.
  ++checked
  if (layer == "" ? !(header in common || header in top) : !(layer in rank)) fault("is in no layer")
  count = includes_of(text, include)
  for (i = 1; i <= count; ++i) {
    target = substr(include[i], 2)
    if (include[i] ~ /^</ || (file ~ /^sim\// && target ~ /^(sim|abi\/facts)\//)) continue
    target_layer = layer_of(substr(target, 7))
    if (!sub(/^qnnpp\//, "", target)) {
      fault("includes " target ", which does not start with qnnpp/")
    } else if (target in needs) {
      if (!(header in needs)) fault("includes " target ", which needs <" needs[target] ">")
    } else if (target in top) {
      if (!(header in top) || target == "qnnpp.hpp") fault("includes " target ", which no header includes")
    } else if (target in common) {
      if (layer ~ /^(abi|sim)$/ && target != "platform.hpp") fault("includes " target ", but " layer " stands alone")
    } else if (header in common && header != "fwd.hpp") {
      fault("includes " target ", but is in no layer")
    } else if (layer in rank && layer != target_layer &&
               (!(target_layer in rank) || target_layer == "sim" || rank[target_layer] > rank[layer])) {
      fault("includes " target ", which is not below " layer)
    }
  }
}

check == "budget" {
  count = includes_of(text, include)
  for (i = 1; i <= count; ++i) {
    target = substr(include[i], 2)
    if (include[i] !~ /^</) continue
    ++checked
    if (target in heavy && layer in rank && rank[layer] <= rank["graph"] && layer != "sim") {
      fault("includes <" target ">, which is too heavy for " layer)
    } else if (target ~ /[\/.]/ && include[i] !~ ("^" system_header) && target !~ /^(tl\/expected[.]hpp|gsl\/assert)$/ &&
               !(header in needs && target == needs[header]) && header != "abi/verify_sdk.hpp") {
      fault("includes <" target ">, which users may lack")
    }
  }
}

check == "namespaces" {
  checked += text ~ /inline namespace /
  if (text ~ /namespace [a-z_:]*::inline /) fault("has a short inline namespace; write namespace a { inline namespace b {")
}

check == "statics" {
  ++checked
  count = split(text, line, "\n")
  for (i = 1; i <= count; ++i)
    if (line[i] ~ /^ *(static|inline|thread_local|constinit) [^(]*[={;]/ &&
        line[i] !~ /[ (](const|constexpr|consteval|namespace) /) {
      sub(/ *[={;].*/, "", line[i])
      sub(/.* /, "", line[i])
      if (!((header ":" line[i]) in may_change)) fault("has the mutable static " line[i])
    }
}

# Declarations only: a separate definition does not repeat the attribute.
check == "results" && header !~ /^impl\// {
  count = statements_of(text, statement)
  for (i = 1; i <= count; ++i) {
    if (statement[i] !~ /(^| |<private>)Result<[^()]*> [a-z_0-9]+\(/) continue
    ++checked
    if (statement[i] !~ /nodiscard|QNNPP_REFUSE|return /) fault("lacks [[nodiscard]]: " statement[i])
  }
}

check == "lasting" && header !~ /^(impl|abi)\/|\/detail\// {
  count = statements_of(text, statement)
  is_private = 0
  for (i = 1; i <= count; ++i) {
    words = statement[i]
    if (words ~ /^(namespace|(template <[^>]*> )?(class|struct)) /) is_private = 0
    else if (words ~ /^<private>/) is_private = 1
    if (is_private || words ~ /static |friend |QNNPP_REFUSE|return / ||
        words !~ /nodiscard.* ([^ ()]*[&*]|(std::)?(span<[^()]*>|string_view)) (operator|[a-z_]+)[^ ]*\([^()]*\)+ const( noexcept)?$/)
      continue
    ++checked
    match(words, / (operator|[a-z_]+)[^ ]*\([^()]*\)+ const( noexcept)?$/)
    words = substr(words, RSTART + 1)
    sub(/[^a-z_].*/, "", words)
    if (!((header ":" words) in may_be_temporary)) fault("what " words "() returns may outlive its object; write const&")
  }
}

check == "contracts" {
  ++checked
  if (header != "impl/core/contract.ipp" && code_of(text) ~ /(^|[^A-Za-z0-9_])(Expects|Ensures) *\(/)
    fault("has Expects or Ensures; write expects(condition, \"sentence\")")
}

check == "platform" && header != "platform.hpp" {
  ++checked
  count = includes_of(text, include)
  for (i = 1; i <= count && include[i] !~ ("^(\"(qnnpp|sim)/|" system_header ")"); ++i) {}
  if (i > count) fault("includes no header of qnnpp, hence not platform.hpp")
  else if (include[i] ~ /^</) fault("includes " include[i] "> before a header of qnnpp")
}

# verify_sdk compares each declaration with an SDK, so it repeats the names.
check == "facts" && header !~ /^abi\/verify_sdk/ {
  text = code_of(text)
  rest = text
  while (match(rest, /"Qnn[A-Za-z]+_[A-Za-z]+"/)) {
    words = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    if (!(words in home)) home[words] = header
    if (home[words] != header) fault("has " words ", which stands in " home[words])
    ++checked
  }
  if (header == "abi/error.hpp")  # Comes before the headers of other layers.
    while (match(text, /= [0-9][0-9][0-9][0-9]+,/)) {
      codes = codes (codes == "" ? "" : "|") substr(text, RSTART + 2, RLENGTH - 3)
      text = substr(text, RSTART + RLENGTH)
    }
  if (layer != "" && layer != "abi") {
    gsub(/"[^"\n]*"/, "", text)
    if (codes == "") fault("is read before abi/error.hpp, or this has no codes")
    while (codes != "" && match(text, "[^A-Za-z0-9_.'](" codes ")[uUlL]*[^A-Za-z0-9_.']")) {
      fault("has " substr(text, RSTART + 1, RLENGTH - 2) ", an error code's number; write code_of() of its enumerator")
      text = substr(text, RSTART + RLENGTH - 1)
    }
  }
}

check == "rows" && file ~ /[.]inc$/ { rows = rows text }

check == "rows" && header ~ /^abi\// && header !~ /^abi\/verify_sdk/ {
  text = code_of(text)
  while (match(text, /enum class [A-Za-z0-9_]+[^{}]*\{[^{}]*\}/)) {
    rest = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    split(rest, word, " ")
    type = word[3]
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]* = /)) {
      words = substr(rest, RSTART, RLENGTH - 3)
      rest = substr(rest, RSTART + RLENGTH)
      if (type == "Slot" && words ~ /^perf_/) continue  # A slot of another table.
      ++checked
      row = type == "PropertyKey" ? "KEY(" : type == "Slot" ? "SLOT(" : "VALUE(" type ", "
      if (!index(rows, row words ", ") && !index(rows, type "::" words)) fault(type "::" words " has no row of facts")
    }
  }
}

check == "advice" {
  while (match(text, /(fail|make)\(Errc::invalid_argument,/)) {
    text = substr(text, RSTART)
    words = substr(text, 1, index(text ";\n", ";\n"))
    text = substr(text, length(words) + 1)
    gsub(/\n */, " ", words)
    ++checked
    if (words !~ /; / && words !~ /[ ,:](why|wrong|needs|detail|unknown_priority|moved_[a-z_]+(<[A-Za-z]+>)?)[)},]/)
      fault("does not say what to do: " words)
  }
}

# A class must say it at once, a struct at its first private or protected member.
check == "threads" {
  count = split(text, line, "\n")
  head = doc = ""
  is_hidden = 0
  for (i = 1; i <= count; ++i) {
    if (line[i] ~ /^namespace .*detail.* \{/) is_hidden = 1
    if (line[i] ~ /^}+  \/\/ namespace .*detail/) is_hidden = 0
    if (line[i] ~ /^(class|struct) / && (line[i] !~ /;/ || line[i] ~ /\{\};/) && !is_hidden) {
      head = line[i]
      sub(/ *\{.*/, "", head)
      class_doc = doc
    }
    if (head != "" && (head ~ /^class/ || line[i] ~ /^ (private|protected):/)) {
      ++checked
      if (class_doc !~ /Threads: [a-z]/) fault(head " says nothing of threads; write \"Threads: ...\"")
      head = ""
    }
    if (line[i] ~ /^};/) head = ""
    if (line[i] ~ /^\/\/\//) doc = doc " " line[i]
    else if (line[i] !~ /^(template|  *requires|  *class)/) doc = ""
  }
}

# ---- documents

check ~ /^(fences|program)$/ && NR == 1 {
  document = text
  document_file = file
}

check == "fences" && NR > 1 {
  text = "\n" text
  gsub(/\n +/, "\n", text)
  programs = programs text
}

check == "program" && NR > 1 { programs = substr(text, index(text, "\n") + 1) }

check == "links" {
  ++checked
  gsub(/```[^`]*```|`[^`\n]*`/, "", text)
  while (match(text, /\]\([^() \n]+\)/)) {
    link = substr(text, RSTART + 2, RLENGTH - 3)
    text = substr(text, RSTART + RLENGTH)
    if (link ~ /^[a-z]+:/) continue
    path = heading = link
    sub(/#.*/, "", path)
    sub(/^[^#]*#?/, "", heading)
    path = path == "" ? file : folder path
    if (!(path in exists)) exists[path] = system("test -e '" path "'") == 0
    if (!exists[path]) fault("links to " link ", which does not exist")
    else if (heading != "" && path ~ /[.]md$/ && !has_heading(path, heading)) fault("links to " link ", which is no heading")
  }
}

# Whether a document has a heading with this anchor, or an element <a id="anchor">.
function has_heading(path, anchor,  text, line, count, i) {
  if (!(path in document_of)) {
    text = document_of[path] = text_of(path)
    gsub(/\n```[^`]*```/, "", text)
    count = split(text, line, "\n")
    for (i = 1; i <= count; ++i)
      if (line[i] ~ /^##* /) {
        sub(/^#* /, "", line[i])
        gsub(/\]\([^)]*\)/, "", line[i])
        line[i] = tolower(line[i])
        gsub(/[^a-z0-9 _-]/, "", line[i])
        gsub(/ /, "-", line[i])
        headings[path "#" line[i]] = 1
      }
  }
  return (path "#" anchor) in headings || index(document_of[path], "<a id=\"" anchor "\">") != 0
}

check == "places" {
  count = split(text, line, "\n")
  is_section = 0
  for (i = 1; i <= count; ++i) {
    if (line[i] ~ /^## /) is_section = line[i] == "## Where is what"
    if (!is_section || line[i] !~ /^\|/ || line[i] ~ /^\|(---| where )/) continue
    ++checked
    if (line[i] !~ /^\| [^|]+ \| \[[^|]*\]\([^|]+\) \| `[^|`]+` \|$/) {
      fault("has no file and name in the row " line[i])
      continue
    }
    split(line[i], cell, " [|] ")
    sub(/^.*\]\(/, "", cell[2])
    sub(/\)$/, "", cell[2])
    gsub(/^`|` \|$/, "", cell[3])
    body = text_of(folder cell[2])
    if (body == "") fault(cell[2] " does not exist")
    else if (index(body, cell[3]) == 0) fault(cell[2] " has no " cell[3])
  }
}

# The first shape is an opaque rectangle as large as the picture. If a style defines its colour, there is one for each colour
# scheme of the style.
check == "picture" {
  ++checked
  if (!match(text, /viewBox="0 0 [0-9]+ [0-9]+"/)) fault("has no viewBox that begins at 0 0")
  split(substr(text, RSTART + 13, RLENGTH - 14), size, " ")
  colours = gsub(/\.page \{ fill: #[0-9a-f]+ \}/, "&", text)
  schemes = 1 + gsub(/@media \(prefers-color-scheme/, "&", text)
  text = without(without(without(text, "defs"), "pattern"), "style")
  match(text, /<(rect|path|circle|ellipse|line|polyline|polygon|text|image|use)[ >][^>]*/)
  first = substr(text, RSTART, RLENGTH)
  if (first !~ /^<rect / || index(first, " width=\"" size[1] "\"") == 0 || index(first, " height=\"" size[2] "\"") == 0 ||
      first ~ / [xy]="[^0]|opacity|transform/)
    fault("begins with no page of " size[1] " x " size[2])
  else if (first ~ / class="page"/ ? colours != schemes : first !~ / fill="#f[0-9a-f]f[0-9a-f]f[0-9a-f]"/)
    fault("has no colour of its page for each scheme")
}

check == "made" {
  ++checked
  made = ""
  command | getline made
  if (close(command) != 0 || made != text) fault("is not what is made for it; write it by: " command " > " file)
}

END {
  file = document_file
  while (check == "fences" && (at = index(document, "```cpp\n"))) {
    document = substr(document, at + 7)
    words = "\n" substr(document, 1, index(document, "```") - 1)
    document = substr(document, index(document, "```") + 3)
    gsub(/\n +/, "\n", words)
    count = split(substr(words, 2), line, "\n")
    ++checked
    words = ""
    for (i = 1; i < count && index(programs, words "\n" line[i] "\n"); ++i) words = words "\n" line[i]
    if (i < count) fault("no program has this code from the line: " line[i])
  }
  if (check == "program" && (at = index(document, "```cpp\n"))) {
    ++checked
    if (substr(document, at + 7, length(programs) + 3) != programs "```") fault("its program differs from " ARGV[ARGC - 1])
  }
  if (planted) {
    checked = 0
    for (words in announced) {
      ++checked
      if (!(words in found)) fail("announced, but not reported: " words)
    }
    for (words in found)
      if (!(words in announced)) fail("reported, but not announced: " words)
  }
  if (!checked) fail(check ": there was nothing to check")
  if (!failed) print checked " checked"
  exit failed
}
