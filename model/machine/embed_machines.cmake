# SPDX-License-Identifier: Apache-2.0
# Writes the source file that holds the machine files as text.
# usage: cmake -DOUTPUT=FILE -P embed_machines.cmake -- MACHINE.json...
set(source "// SPDX-License-Identifier: Apache-2.0
// Generated from model/machine/machines by embed_machines.cmake.
#include \"model/machine/built_in_texts.hpp\"

namespace nibblecore {

std::vector<BuiltInText> built_in_texts() {
  return {
")
set(is_file FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(is_file)
    get_filename_component(name "${argument}" NAME_WLE)
    file(READ "${argument}" text)
    string(APPEND source "      {\"${name}\", R\"machine(${text})machine\"},\n")
  elseif(argument STREQUAL "--")
    set(is_file TRUE)
  endif()
endforeach()
string(APPEND source "  };
}

}  // namespace nibblecore
")
file(WRITE "${OUTPUT}" "${source}")
