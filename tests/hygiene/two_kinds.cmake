# Links a function of one unit with a call in another unit, each compiled with std::expected or with tl::expected. Units of one
# kind link and run. Units of two kinds do not link, and the linker names the missing kind.
#
#   cmake -D CXX=<compiler> -D INCLUDE_DIR=<include> -D WORK_DIR=<folder> -P two_kinds.cmake
set(source "${CMAKE_CURRENT_LIST_DIR}/two_kinds")
file(MAKE_DIRECTORY "${WORK_DIR}")

set(std 1)
set(tl 0)
foreach(kind IN ITEMS std tl)
  foreach(unit IN ITEMS defines calls)
    execute_process(COMMAND "${CXX}" -std=c++20 -isystem "${source}/pretended" -DPRETEND_STD_EXPECTED=${${kind}}
      "-I${INCLUDE_DIR}" -c "${source}/${unit}.cpp" -o "${WORK_DIR}/${kind}_${unit}.o" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()

foreach(defined IN ITEMS std tl)
  foreach(called IN ITEMS std tl)
    set(program "${WORK_DIR}/${defined}_${called}")
    file(REMOVE "${program}")
    execute_process(COMMAND "${CXX}" "${WORK_DIR}/${defined}_defines.o" "${WORK_DIR}/${called}_calls.o" -o "${program}"
      RESULT_VARIABLE result ERROR_VARIABLE message)
    if(defined STREQUAL called)
      if(NOT result EQUAL 0)
        message(FATAL_ERROR "two units with ${defined}::expected do not link: ${message}")
      endif()
      execute_process(COMMAND "${program}" COMMAND_ERROR_IS_FATAL ANY)
      continue()
    endif()
    set(missing "use\\(qnnpp::v[0-9]+_[0-9]+_${called}_expected::Context<qnnpp::v[0-9]+_[0-9]+_${called}_expected::Finalized> const&\\)")
    if(result EQUAL 0)
      message(FATAL_ERROR "a unit with ${defined}::expected links with one with ${called}::expected")
    elseif(NOT message MATCHES "${missing}")
      message(FATAL_ERROR "the linker does not say what it misses: ${message}")
    endif()
  endforeach()
endforeach()
