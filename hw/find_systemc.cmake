# SPDX-License-Identifier: Apache-2.0
# Defines SystemC::systemc. Debian ships pkg-config files only; SYSTEMC_HOME (variable or
# environment) names another installation.
if(NOT SYSTEMC_HOME)
  set(SYSTEMC_HOME "$ENV{SYSTEMC_HOME}")
endif()
add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
if(SYSTEMC_HOME)
  find_path(SYSTEMC_INCLUDE_DIR systemc HINTS ${SYSTEMC_HOME}/include REQUIRED)
  find_library(SYSTEMC_LIBRARY systemc HINTS ${SYSTEMC_HOME} PATH_SUFFIXES lib lib64 lib-linux64 REQUIRED)
  target_include_directories(SystemC::systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE_DIR})
  target_link_libraries(SystemC::systemc INTERFACE ${SYSTEMC_LIBRARY} Threads::Threads)
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET GLOBAL systemc)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC Threads::Threads)
endif()

# The library's symbols carry the C++ version it was built for: say so here rather than at the link.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES SystemC::systemc)
set(CMAKE_REQUIRED_FLAGS -std=c++17)
check_cxx_source_compiles(
  "#include <systemc>\nint sc_main(int, char**) { sc_core::sc_signal<bool> s; return s.read(); }"
  NIBBLECORE_SYSTEMC_LINKS)
if(NOT NIBBLECORE_SYSTEMC_LINKS)
  message(FATAL_ERROR
    "SystemC was found but a C++17 program does not link with it. Its library must be built with "
    "-std=c++17 (Debian's libsystemc-dev is); set SYSTEMC_HOME to one that is.")
endif()
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
