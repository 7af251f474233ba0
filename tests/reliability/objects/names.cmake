# cmake -DNM=<nm> -DONE=<object> -DOTHER=<object> -P names.cmake
# Requires that the shared objects of two versions of qnnpp have no variable of qnnpp in common, nor a function outside c_api: the
# system would bind both to one of them.
cmake_minimum_required(VERSION 3.20)

foreach(object IN ITEMS ONE OTHER)
  execute_process(COMMAND "${NM}" -D --defined-only --format=posix "${${object}}" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  # "name type", of symbols of qnnpp
  string(REGEX MATCHALL "[^\n ]*5qnnpp[^\n ]* [A-Za-z]" symbols_${object} "${text}")
  list(LENGTH symbols_${object} count)
  if(count LESS 100)
    message(FATAL_ERROR "${${object}} shows only ${count} symbols of qnnpp")
  endif()
  list(REMOVE_DUPLICATES symbols_${object})
  list(FILTER symbols_${object} INCLUDE REGEX "5qnnpp[0-9]+v[0-9]| [uVvBDRG]$")
endforeach()

set(all ${symbols_ONE} ${symbols_OTHER})
list(LENGTH all together)
list(REMOVE_DUPLICATES all)
list(LENGTH all apart)
if(apart LESS together)
  foreach(symbol IN LISTS symbols_ONE)
    if(symbol IN_LIST symbols_OTHER)
      message(FATAL_ERROR "both objects have ${symbol}")
    endif()
  endforeach()
endif()
