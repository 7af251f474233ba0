# Filters a header for Doxygen: awk -f headers.awk HEADER. Each line keeps its number.
# - Removes each refusal with its template<> and requires(), which Doxygen would give to the next function. docs/refusals.md
#   lists the refusals.
# - Removes the inline namespace, because programs write qnnpp:: without it.
# - Removes what is in a namespace detail, except the classes whose members a graph or a context inherits.
# - Makes the comment at the top the description of the file.

/^#pragma once/ { print "/// @file"; in_code = 1; next }
!in_code { sub(/^\/\/($| )/, "/&") }
# Code and drawings in a comment stand below an empty line, indented by two spaces; Doxygen wants four more.
{ is_drawing = /^ *\/\/\/   / && (is_drawing || before ~ /^ *\/\/\/$/); before = $0 }
is_drawing { sub(/\/\/\/ /, "///     ") }
!is_drawing && !in_code { gsub(/[#<]/, "\\\\&") }

# A macro that has no description is not for programs.
/^#define/ && last !~ /^\/\/\// { is_macro = 1 }
{ last = $0 }
is_macro { is_macro = /\\$/; print ""; next }

sub(/ inline namespace QNNPP_NAMESPACE \{/, "") { }
/^\}\}+  \/\/ namespace qnnpp::QNNPP_NAMESPACE/ { sub(/^\}/, "") }

/^\}.* namespace .*detail$/ { is_hidden = 0 }
is_hidden && /^class QNNPP_LINEAR [A-Za-z]+Handle / {
  is_hidden = 0
  is_base = 1
  $0 = "/** Members in every state. */ " $0
}
is_base && /^ (protected|private):/ { print; is_hidden = 1; next }
is_base && /^\};/ { is_hidden = 0 }
is_hidden { print ""; next }

# A declaration begins with its template<>, its requires() or a refusal, and ends with the line that ends in ; { or }.
/^ *(template <|(static )?QNNPP_REFUSE)/ && !/\\$/ { is_declaration = 1 }
{ text = text $0 "\n" }
/[;{}]( +\/\/.*)?$/ || !is_declaration {
  if (is_declaration && text ~ /QNNPP_REFUSE/) gsub(/[^\n]/, "", text)
  printf "%s", text
  text = ""
  is_declaration = 0
}
/namespace .*detail \{$/ || is_base && /^\};/ {
  is_hidden = 1
  is_base = 0
}
END {
  printf "%s", text
  if (is_hidden) print FILENAME ": no line `}  // namespace detail` ends the namespace" > "/dev/stderr"
}
