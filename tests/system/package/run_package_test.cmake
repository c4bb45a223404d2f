# SPDX-License-Identifier: Apache-2.0
# Installs the build, moves what was installed, and builds and runs a consumer of it and the examples
# in C and C++.
# Runs a command, which must succeed; its standard output goes to the variable `output`.
function(run)
  execute_process(COMMAND ${ARGV}
    RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${text}${errors}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

function(expect_output expected)
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "expected '${expected}', found '${output}'")
  endif()
endfunction()

# No file of the package's description may name a folder of the build.
function(expect_no_path folder)
  file(GLOB_RECURSE files ${PREFIX}/*.cmake)
  list(LENGTH files count)
  if(count LESS 4)
    message(FATAL_ERROR "the package has ${count} CMake files, not at least 4")
  endif()
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(FIND "${text}" "${folder}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names ${folder}")
    endif()
  endforeach()
endfunction()

# Configures and builds a project on the package, the only place where the library is found.
function(build_project source folder)
  run(${CMAKE_COMMAND} -S ${source} -B ${folder} -G ${GENERATOR}
    -D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_C_FLAGS=${flags}
    -D CMAKE_CXX_COMPILER=${CXX_COMPILER} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_PREFIX_PATH=${PREFIX} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
  run(${CMAKE_COMMAND} --build ${folder} --config Release)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/first --config ${CONFIG})
set(PREFIX ${WORK_DIR}/moved)
file(RENAME ${WORK_DIR}/first ${PREFIX})
expect_no_path(${BUILD_DIR})
expect_no_path(${SOURCE_DIR})
expect_no_path(${WORK_DIR})
# The BLAS is found where the package is used, not where it was built.
expect_no_path(libopenblas)

set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()
build_project(${CONSUMER_DIR} ${WORK_DIR}/consumer -D NIBBLECORE_VERSION=${VERSION})
find_program(consumer consumer PATHS ${WORK_DIR}/consumer ${WORK_DIR}/consumer/Release
  NO_DEFAULT_PATH REQUIRED)
run(${consumer})
expect_output("ok\n")

build_project(${EXAMPLES_DIR} ${WORK_DIR}/examples)
foreach(language c cpp)
  find_program(${language}_example nibblecore_${language}_example
    PATHS ${WORK_DIR}/examples/${language} ${WORK_DIR}/examples/${language}/Release
    NO_DEFAULT_PATH REQUIRED)
  run(${${language}_example})
  expect_output("nibblecore ${VERSION}\nall bits as expected\n")
endforeach()
# What a simulator is given.
foreach(name nibblecore.sv nibblecore_dpi.h)
  if(NOT EXISTS ${PREFIX}/include/nibblecore/${name})
    message(FATAL_ERROR "the package has no ${name}")
  endif()
endforeach()

run(${PREFIX}/bin/nibblecore --version)
expect_output("${VERSION}\n")
file(REMOVE_RECURSE ${WORK_DIR})
