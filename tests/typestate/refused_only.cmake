# cmake -DMESSAGES=<folder> -P refused_only.cmake
# What refused_at_once.cmake kept has no error that belongs to no misuse, in a positive twin or in a header for example.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/misuses.cmake")
file(READ "${MESSAGES}/none.txt" text)
if(text MATCHES "error:")
  untame(text)
  fail("said of no misuse:\n${text}")
endif()
