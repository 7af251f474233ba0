# Links two sources and the definitions of qnnpp's core, in each combination of the two forms. Sources of one form link and
# run, also if some are compiled with -fno-exceptions -fno-rtti and some without. Sources of two forms do not link, and the
# linker's error says what to define.
#
#   cmake -D CXX=<compiler> -D INCLUDE_DIR=<include> -D WORK_DIR=<folder> -P two_forms.cmake
set(source "${CMAKE_CURRENT_LIST_DIR}/two_forms")
file(MAKE_DIRECTORY "${WORK_DIR}")
file(WRITE "${WORK_DIR}/definitions.cpp" "#include <qnnpp/impl/core/definitions.ipp>\n")

set(headers "")
set(separate -DQNNPP_SEPARATE)
set(plain "")
set(lean -fno-exceptions -fno-rtti)
function(compile file object)
  execute_process(COMMAND "${CXX}" -std=c++20 ${ARGN} "-I${INCLUDE_DIR}" -c "${file}" -o "${WORK_DIR}/${object}.o"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
foreach(form IN ITEMS headers separate)
  compile("${source}/library.cpp" library_${form} ${${form}})
  foreach(mode IN ITEMS plain lean)
    compile("${source}/main.cpp" main_${form}_${mode} ${${form}} ${${mode}})
  endforeach()
endforeach()
compile("${WORK_DIR}/definitions.cpp" definitions -DQNNPP_SEPARATE)

foreach(library IN ITEMS headers separate)
  foreach(main IN ITEMS headers_plain headers_lean separate_plain separate_lean)
    set(definitions "")
    if("${library} ${main}" MATCHES separate)
      set(definitions "${WORK_DIR}/definitions.o")
    endif()
    set(program "${WORK_DIR}/${library}_${main}")
    file(REMOVE "${program}")
    execute_process(COMMAND "${CXX}" "${WORK_DIR}/main_${main}.o" "${WORK_DIR}/library_${library}.o" ${definitions}
      -o "${program}" RESULT_VARIABLE result ERROR_VARIABLE message)
    if(main MATCHES "^${library}")
      if(NOT result EQUAL 0)
        message(FATAL_ERROR "sources of one form do not link: ${library} ${main}: ${message}")
      endif()
      execute_process(COMMAND "${program}" COMMAND_ERROR_IS_FATAL ANY)
    elseif(result EQUAL 0)
      message(FATAL_ERROR "sources of two forms link: ${library} ${main}")
    elseif(NOT message MATCHES "all_sources_of_a_program_define_QNNPP_SEPARATE_or_none_does")
      message(FATAL_ERROR "the linker does not say what is wrong: ${message}")
    endif()
  endforeach()
endforeach()
