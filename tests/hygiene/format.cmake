# Every source is formatted as .clang-format says. Needs CLANG_FORMAT and ROOT. Headers that are made to fail a check stay
# as they are.
file(GLOB_RECURSE sources "${ROOT}/include/*.[hi]pp" "${ROOT}/tests/*.[hc]" "${ROOT}/tests/*.[hc]pp"
  "${ROOT}/bench/*.[hc]" "${ROOT}/bench/*.[hc]pp" "${ROOT}/examples/*.[hc]" "${ROOT}/examples/*.[hc]pp")
list(FILTER sources EXCLUDE REGEX "/tests/hygiene/faulty/")
list(LENGTH sources count)
if(count LESS 400)
  message(FATAL_ERROR "only ${count} sources were found in ${ROOT}")
endif()
execute_process(COMMAND "${CLANG_FORMAT}" --dry-run -Werror ${sources} RESULT_VARIABLE code ERROR_VARIABLE report)
if(NOT code EQUAL 0)
  string(REGEX MATCHALL "[^\n]*error: code should be clang-formatted" faults "${report}")
  list(JOIN faults "\n" faults)
  message(FATAL_ERROR "${faults}\nFormat them: clang-format-19 -i FILE")
endif()
