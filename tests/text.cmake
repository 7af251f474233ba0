# Text in CMake scripts: a ; or a bracket would change how CMake cuts a text into a list, so texts are tamed while worked on.

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

# The tamed text of a file.
function(read_tame file variable)
  file(READ "${file}" text)
  tame(text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Ends a script with `text` as it is; message(FATAL_ERROR) alone would wrap its lines.
function(fail text)
  message(NOTICE "${text}")
  message(FATAL_ERROR "failed")
endfunction()
