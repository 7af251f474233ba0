# Text in CMake scripts. A ; or a bracket changes how CMake splits a text into a list, so scripts tame texts before they use
# them.

function(tame variable)
  string(REPLACE ";" "<semicolon>" text "${${variable}}")
  string(REPLACE "[" "<bracket>" text "${text}")
  string(REPLACE "]" "</bracket>" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

function(untame variable)
  string(REPLACE "<semicolon>" ";" text "${${variable}}")
  string(REPLACE "<bracket>" "[" text "${text}")
  string(REPLACE "</bracket>" "]" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Reads a file and tames its text.
function(read_tame file variable)
  file(READ "${file}" text)
  tame(text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Splits a tamed text into a list of lines. A \ at the end of a line would join it to the next line.
function(lines_of text_variable lines_variable)
  string(REPLACE "\\\n" "\\ \n" text "${${text_variable}}")
  string(REGEX REPLACE "\n$" "" text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  set(${lines_variable} "${lines}" PARENT_SCOPE)
endfunction()

# Appends a line to `faults` for each element of the first list that the second list lacks: `text` with the element in place of
# @.
function(report_missing faults_variable wanted_variable known_variable text)
  foreach(element IN LISTS ${wanted_variable})
    if(NOT element IN_LIST ${known_variable})
      string(REPLACE "@" "${element}" line "${text}")
      string(APPEND ${faults_variable} "\n  ${line}")
    endif()
  endforeach()
  set(${faults_variable} "${${faults_variable}}" PARENT_SCOPE)
endfunction()

# Ends a script with the unchanged `text`; message(FATAL_ERROR) alone would wrap its lines.
function(fail text)
  message(NOTICE "${text}")
  message(FATAL_ERROR "failed")
endfunction()
