# Replaces the NDK's toolchain file. It compiles for this machine, but finds packages, headers and libraries only in an empty
# sysroot. FetchContent uses the folders sources/... beside this file instead of downloads.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_FIND_ROOT_PATH "${CMAKE_CURRENT_LIST_DIR}/sysroot")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
foreach(library IN ITEMS gsl expected fmt json xxhash)
  string(TOUPPER ${library} name)
  set(FETCHCONTENT_SOURCE_DIR_${name} "${CMAKE_CURRENT_LIST_DIR}/sources/${library}" CACHE PATH "")
endforeach()
