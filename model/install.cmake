# SPDX-License-Identifier: Apache-2.0
# Installs the package that find_package(nibblecore) finds: the library; its interfaces in
# include/nibblecore, for C++, C and SystemVerilog; the headers of its parts below
# include/nibblecore/model; and its description.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/nibblecore)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/nibblecoreConfig.cmake.in ${PROJECT_BINARY_DIR}/nibblecoreConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/nibblecoreConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS nibblecore_model EXPORT nibblecoreTargets ARCHIVE)
install(EXPORT nibblecoreTargets NAMESPACE nibblecore:: DESTINATION ${package_folder})
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nibblecore
  FILES_MATCHING PATTERN "*.hpp"
  PATTERN interface EXCLUDE)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/interface/nibblecore
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES
  ${PROJECT_BINARY_DIR}/nibblecoreConfig.cmake
  ${PROJECT_BINARY_DIR}/nibblecoreConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/openblas.cmake
  DESTINATION ${package_folder})
