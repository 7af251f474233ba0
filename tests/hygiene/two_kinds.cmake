# Links a function of one unit with a call in another unit. Each is compiled with tl::expected or with std::expected, with the
# containers of libstdc++'s debug mode, or with another patch version of qnnpp. Units of one kind link and run. Units of two
# kinds do not link, and the linker names the missing kind.
#
#   cmake -D CXX=<compiler> -D INCLUDE_DIR=<include> -D WORK_DIR=<folder> -P two_kinds.cmake
set(source "${CMAKE_CURRENT_LIST_DIR}/two_kinds")
file(MAKE_DIRECTORY "${WORK_DIR}")

file(READ "${INCLUDE_DIR}/qnnpp/version.hpp" version)
string(REGEX REPLACE "(#define QNNPP_VERSION) [0-9]+" "\\1 999" version "${version}")
file(WRITE "${WORK_DIR}/patch/qnnpp/version.hpp" "${version}")

set(kinds std tl debug patch)
set(std -DPRETEND_STD_EXPECTED=1)
set(tl -DPRETEND_STD_EXPECTED=0)
set(debug -DPRETEND_STD_EXPECTED=0 -D_GLIBCXX_DEBUG)
set(patch -DPRETEND_STD_EXPECTED=0 "-I${WORK_DIR}/patch")
set(name_std "[0-9]+_std_expected")
set(name_tl "[0-9]+_tl_expected")
set(name_debug "[0-9]+_tl_expected_debug")
set(name_patch "999_tl_expected")
foreach(kind IN LISTS kinds)
  foreach(unit IN ITEMS defines calls)
    execute_process(COMMAND "${CXX}" -std=c++20 -isystem "${source}/pretended" ${${kind}}
      "-I${INCLUDE_DIR}" -c "${source}/${unit}.cpp" -o "${WORK_DIR}/${kind}_${unit}.o" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()

foreach(defined IN LISTS kinds)
  foreach(called IN LISTS kinds)
    set(program "${WORK_DIR}/${defined}_${called}")
    file(REMOVE "${program}")
    execute_process(COMMAND "${CXX}" "${WORK_DIR}/${defined}_defines.o" "${WORK_DIR}/${called}_calls.o" -o "${program}"
      RESULT_VARIABLE result ERROR_VARIABLE message)
    if(defined STREQUAL called)
      if(NOT result EQUAL 0)
        message(FATAL_ERROR "two units of the kind ${defined} do not link: ${message}")
      endif()
      execute_process(COMMAND "${program}" COMMAND_ERROR_IS_FATAL ANY)
      continue()
    endif()
    set(name "qnnpp::v${name_${called}}")
    set(missing "use\\(${name}::Context<${name}::Finalized> const&\\)")
    if(result EQUAL 0)
      message(FATAL_ERROR "a unit of the kind ${defined} links with one of the kind ${called}")
    elseif(NOT message MATCHES "${missing}")
      message(FATAL_ERROR "the linker does not say what it misses: ${message}")
    endif()
  endforeach()
endforeach()
