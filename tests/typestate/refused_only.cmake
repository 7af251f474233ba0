# cmake -DMESSAGES=<folder> -P refused_only.cmake
# Requires that refused_at_once.cmake has found no error outside the misuses, for example in a positive twin or in a header.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/misuses.cmake")
file(READ "${MESSAGES}/none.txt" text)
if(text MATCHES "error:")
  untame(text)
  fail("said of no misuse:\n${text}")
endif()
