# awk -v check=CHECK -f comments.awk FILE...
#
# Checks the comments of headers that .clang-format has formatted:
#   plain    no sentence begins with "Of", because its subject would come last; none begins with "The same", which leaves to another
#            docstring what the function does; and none says "an X that is none" for a value that is no X
#   threads  the docstring of each public class says in one sentence which threads may use it: "Threads: ...". A struct whose
#            members are all public is a plain value, which needs no sentence

function fault(words) {
  print words
  failed = 1
}

# ---- plain: joins the lines of a comment, and looks at its sentences

check == "plain" {
  line = $0
  gsub(/"([^"\\]|\\.)*"/, "0", line)
  at = index(line, "//")
  is_whole_line = line ~ /^ *\/\//
  if (at == 0 || !is_whole_line || line ~ /^ *\/\/+$/ || FNR == 1) end_comment()
  if (at != 0) {
    line = substr(line, at)
    sub(/^\/\/+<? */, "", line)
    if (comment == "") start = FILENAME ":" FNR
    comment = comment == "" ? line : comment " " line
  }
  next
}

function end_comment() {
  if (comment ~ /(that|which) (is|are) none([ .,;:]|$)/) fault(start ": says \"that is none\"; name the values that are valid: " comment)
  if (comment ~ /(^|[.;:] )(Does the|The) same([.;,]| (as|for|with|under|in|of) )/) fault(start ": says \"The same\"; say what the function does: " comment)
  if (comment ~ /(^|[.;:] )Of /) fault(start ": begins with \"Of\"; begin with the verb or the subject: " comment)
  comment = ""
}

# ---- threads: a class must say it at once, a struct at its first private or protected member

function check_threads() {
  if (head == "") return
  ++classes
  if (class_doc !~ /Threads: [a-z]/) fault(head " says nothing of threads; write \"Threads: ...\"")
  head = ""
}

/^namespace .*detail.* \{/ { is_hidden = 1 }
/^}  \/\/ namespace .*detail/ { is_hidden = 0 }
/^\/\/\// { doc = doc " " $0; next }
/^(template|  *requires|  *class)/ { next }
/^(class|struct) / && (!/;/ || /\{\};/) && !is_hidden {
  head = FILENAME ":" FNR ": " $0
  class_doc = doc
  if ($1 == "class") check_threads()
}
/^ (private|protected):/ { check_threads() }
/^};/ { head = "" }
{ doc = "" }

END {
  end_comment()
  if (check == "threads" && !failed) print classes + 0 " classes say which threads may use them"
  exit failed
}
