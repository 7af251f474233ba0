# awk [-v list=1] -f size.awk FILE...
#
# Counts, in headers and files of definitions that .clang-format has formatted:
#   files             files
#   longest_file      lines of the longest file
#   code_lines        lines that are not blank and not only a comment
#   comment_lines     lines that are only a comment
#   comment_permille  comment_lines per mille of both
#   public_classes    classes and structs that are defined directly in a namespace, except namespaces named detail (not public)
#                     and c_api (records of the C API). A template and its specializations count once; a specialization of
#                     another library's template does not count
#   options           data members of the public classes whose names end with Options
#   macros            names that a #define defines and the same file does not #undef
# -v list=1 prints the names of classes, options and macros before the counts.

FNR > longest { longest = FNR }
FNR == 1 { ++files; depth = 0; statement = ""; is_directive = 0 }

/^[ \t]*$/ { next }
/^[ \t]*\/\// { ++comment_lines; next }
{ ++code_lines }

# A directive with its continuation lines.
is_directive || /^[ \t]*#/ {
  if (!is_directive && $1 == "#define") {
    name = $2
    sub(/\(.*/, "", name)
    home[name] = FILENAME
  }
  if (!is_directive && $1 == "#undef" && home[$2] == FILENAME) delete home[$2]
  is_directive = /\\$/
  next
}

# Splits the rest into statements.
{
  line = $0
  gsub(/'[^']'|'\\.'/, "0", line)
  gsub(/"([^"\\]|\\.)*"/, "0", line)
  sub(/\/\/.*/, "", line)
  gsub(/\[\[[^]]*\]\]/, "", line)
  while (match(line, /[{};]/)) {
    statement = statement " " substr(line, 1, RSTART - 1)
    sign = substr(line, RSTART, 1)
    line = substr(line, RSTART + 1)
    if (sign == "{") open_brace()
    else if (sign == "}") close_brace()
    else end_statement()
  }
  statement = statement " " line
}

function open_brace() {
  simplify()
  ++depth
  opened_by[depth] = statement
  kind[depth] = "other"
  if (statement ~ /^(inline )?namespace/) {
    kind[depth] = statement ~ /[ :](detail|c_api)( |:|$)/ ? "hidden" : "namespace"
  } else if (statement ~ /^(template )?(requires .*)?(class|struct) / && statement !~ /=/) {
    kind[depth] = "class"
    name = statement
    sub(/ final$| :.*| final :.*/, "", name)
    sub(/.* /, "", name)
    if (is_in_namespaces() && name !~ /::/) {
      kind[depth] = "public class"
      class_at[depth] = name
      if (!((opened_by[1], opened_by[depth - 1], name) in classes)) note("class " name)
      classes[opened_by[1], opened_by[depth - 1], name]
    }
  }
  statement = ""
}

# After the brace of an initializer the statement goes on.
function close_brace() {
  statement = kind[depth] == "other" && opened_by[depth] !~ /\)[^=]*$/ ? opened_by[depth] " 0" : ""
  --depth
}

function end_statement() {
  simplify()
  sub(/ *=.*/, "", statement)
  if (kind[depth] == "public class" && class_at[depth] ~ /Options$/ && statement !~ /\(|^0?$/ &&
      statement !~ /^(using|friend|static|template|struct|class|enum|union) /) {
    ++options
    sub(/ 0$/, "", statement)
    sub(/.* /, "", statement)
    note("option " class_at[depth] "::" statement)
  }
  statement = ""
}

# `public: template <class T = void> class A<T, int>` becomes `template class A`.
function simplify() {
  while (match(statement, / *<[^<>]*>/)) statement = substr(statement, 1, RSTART - 1) substr(statement, RSTART + RLENGTH)
  gsub(/ +/, " ", statement)
  sub(/^ ?((public|private|protected): )*/, "", statement)
  sub(/ $/, "", statement)
}

function is_in_namespaces(  level) {
  for (level = 1; level < depth; ++level)
    if (kind[level] != "namespace") return 0
  return 1
}

function note(words) { if (list) print words }

function count_of(table,  key, count) {
  for (key in table) ++count
  return count + 0
}

END {
  for (name in home) note("macro " name)
  print "files", files + 0
  print "longest_file", longest + 0
  print "code_lines", code_lines + 0
  print "comment_lines", comment_lines + 0
  print "comment_permille", files == 0 ? 0 : int(1000 * comment_lines / (comment_lines + code_lines))
  print "public_classes", count_of(classes)
  print "options", options + 0
  print "macros", count_of(home)
}
