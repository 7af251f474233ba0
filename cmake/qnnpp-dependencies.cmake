# Finds what the headers of qnnpp include: tl/expected.hpp, gsl/assert, threads, dl.
# Shared by the build of qnnpp and by its installed package; a library that comes without a CMake
# package is found by its header. In a build that embeds qnnpp the targets are visible to all of it.

# Defines the imported target `target` from the CMake package `package`, else from the folder of `header`.
function(qnnpp_find_header_library target package header debian_package)
  if(TARGET ${target})
    return()
  endif()
  find_package(${package} CONFIG QUIET)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "QNNPP_${package}_INCLUDE_DIR" variable)
  find_path(${variable} ${header})
  mark_as_advanced(${variable})
  if(NOT ${variable})
    message(FATAL_ERROR "qnnpp: <${header}> was not found; on Debian install ${debian_package}")
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${${variable}}")
endfunction()

qnnpp_find_header_library(tl::expected tl-expected tl/expected.hpp libexpected-dev)
qnnpp_find_header_library(Microsoft.GSL::GSL Microsoft.GSL gsl/assert libmsgsl-dev)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
get_target_property(qnnpp_threads_global Threads::Threads IMPORTED_GLOBAL)
if(NOT qnnpp_threads_global)
  set_target_properties(Threads::Threads PROPERTIES IMPORTED_GLOBAL TRUE)
endif()
unset(qnnpp_threads_global)
