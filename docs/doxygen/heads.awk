# awk -f heads.awk XML...: compares each template<> and requires() of the reference, which Doxygen has written as XML, with the
# declaration in the header. Fails if a member has another one, lacks one, or is refused, and if a name or a type has a macro,
# which the Doxyfile then lacks. Runs in the repository.

function fault(text) { print text > "/dev/stderr"; faults++ }

# Text of an XML element, without spaces.
function text_of(xml) {
  gsub(/<[^>]*>/, "", xml)
  gsub(/&lt;/, "<", xml)
  gsub(/&gt;/, ">", xml)
  gsub(/&quot;/, "\"", xml)
  gsub(/&amp;/, "\\&", xml)
  gsub(/[ \t]/, "", xml)
  return xml
}

function value_of(attribute, xml) {
  if (!match(xml, " " attribute "=\"[^\"]*\"")) return ""
  return substr(xml, RSTART + length(attribute) + 3, RLENGTH - length(attribute) - 4)
}

function read_header(file,    line) {
  for (lines[file] = 0; (getline line < file) > 0;) {
    sub(/ *\/\/.*/, "", line)
    source[file, ++lines[file]] = line
  }
  close(file)
  if (lines[file] == 0) fault(file " cannot be read")
}

# The declaration whose name is on a line of a header, without spaces, from its template<> to its body.
function declaration_of(file, line,    text) {
  if (!(file in lines)) read_header(file)
  text = source[file, line]
  for (last = line; text !~ /[;{]/ && last < lines[file];) text = text source[file, ++last]
  while (--line > 0 && source[file, line] !~ /[;{}:]$|^ *$|^#/) text = source[file, line] text
  gsub(/[ \t]/, "", text)
  return text
}

function compare(name, head, condition, file, line,    declaration) {
  declaration = declaration_of(file, line)
  compared += head != ""
  if (declaration ~ /QNNPP_REFUSE/) fault(file ":" line ": " name " is a refusal")
  # Outside of its class, a member's template<> stands behind that of the class.
  else if (head == "" ? declaration ~ /^template</ : index(declaration, head) != 1 && !index(declaration, ">" head))
    fault(file ":" line ": " name " has `" head "` in the reference")
  else if (condition == "" ? declaration ~ /^template<.*>requires/ : !index(declaration, "requires" condition))
    fault(file ":" line ": " name " has `requires" condition "` in the reference")
}

# A member's elements stand between those of its class.
/<compounddef / { depth = 0 }
/<memberdef / { depth = 1 }
/<(compounddef|memberdef) / { kind[depth] = value_of("kind", $0); name[depth] = head[depth] = condition[depth] = "" }
/<(compoundname|qualifiedname)>/ { name[depth] = text_of($0) }
/<(compoundname|qualifiedname|type|definition|argsstring)>.*QNNPP_/ { fault(name[depth] " has a macro: " $0) }
/<templateparamlist>/ { in_head = 1; parameters = "" }
in_head && /<param>/ { parameters = parameters (parameters == "" ? "" : ",") }
in_head && /<(type|declname)>/ { parameters = parameters text_of($0) }
in_head && /<defval>/ { parameters = parameters "=" text_of($0) }
/<\/templateparamlist>/ { in_head = 0; head[depth] = "template<" parameters ">" }
/<requiresclause>/ { condition[depth] = text_of($0) }
/<location / && kind[depth] !~ /namespace|file/ {
  compare(name[depth], head[depth], condition[depth], value_of("file", $0), value_of("line", $0))
}
/<\/memberdef>/ { depth = 0 }

END {
  if (!compared) fault("no member with a template<> is in the XML")
  if (!faults) print compared " template<> of the reference are those of the headers"
  exit faults > 0
}
