# SPDX-License-Identifier: Apache-2.0
# Defines nibblecore::openblas from what find_package(OpenBLAS) found. The build and the installed
# package both read this file, so the package names no path of the machine that built it.
if(NOT TARGET nibblecore::openblas)
  add_library(nibblecore::openblas INTERFACE IMPORTED GLOBAL)
  target_include_directories(nibblecore::openblas INTERFACE ${OpenBLAS_INCLUDE_DIRS})
  target_link_libraries(nibblecore::openblas INTERFACE ${OpenBLAS_LIBRARIES})
endif()
