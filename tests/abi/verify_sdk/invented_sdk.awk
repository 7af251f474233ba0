# awk -f invented_sdk.awk TABLES: prints a header as the newest SDK would have it if its declarations were those of abi/, from the
# tables of tests/abi/facts. verify_sdk.hpp finds no difference between the two.
BEGIN {
  print "#pragma once\n#include <cstddef>\n#include <cstdint>"
  print "#define QNN_API_VERSION_MAJOR 2"
}
/^SDK/ { split($0, sdk, /[,)] */) }
FNR == 1 && FILENAME !~ /sdks/ {
  includes = includes "#include \"qnnpp/abi/" substr(FILENAME, 1, length(FILENAME) - 4) ".hpp\"\n"
}
!/^[A-Z_]+\(/ || /[( ]unnamed,/ || /, none\)/ { next }
{
  kind = substr($0, 1, index($0, "(") - 1)
  sub(/^[A-Z_]+\(/, "")
  split($0, a, /, |\)/)
}
kind == "VALUE" { body = body "inline constexpr auto " a[3] " = " a[1] "::" a[2] ";\n" }
kind == "RECORD" || (kind == "TABLE" && a[2] !~ /^QNN_/) { body = body "using " a[2] " = " a[1] ";\n" }
kind == "TABLE" && a[2] ~ /^QNN_/ { macros[a[2]] = a[1] }
kind == "FIELD" { macros[a[3]] = a[2] }
kind == "SLOT" || kind == "SYSTEM_SLOT" { macros[a[2]] = a[1] }
kind == "KEY" { macros[a[2]] = "::qnnpp::c_api::PropertyKey::" a[1] }
kind == "CONSTANT" || kind == "TEXT" { macros[a[2]] = "::qnnpp::c_api::" a[1] }
END {
  print "#define QNN_API_VERSION_MINOR " sdk[2] "\n#define QNN_HTP_API_VERSION_MINOR " sdk[3]
  print "#define QNN_SYSTEM_API_VERSION_MINOR " sdk[4] "\n" includes "using namespace qnnpp::c_api;\n" body
  for (name in macros)
    if (name != macros[name]) print "#define " name " " macros[name]
}
