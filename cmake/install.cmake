# What `cmake --install` and `cpack` put on a machine.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS diorama diorama_deps EXPORT diorama)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/diorama FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
if(TARGET diorama_capi)
  install(TARGETS diorama_capi EXPORT diorama)
endif()
if(TARGET dio)
  install(TARGETS dio)
  # Thumbnails in file managers: the program itself says which formats there are. (A desktop has to update its database
  # of types after that; packages do it by a trigger, `update-mime-database PREFIX/share/mime` by hand.)
  if(NOT CMAKE_CROSSCOMPILING)
    function(install_output file)  # of dio with these arguments
      list(JOIN ARGN "\" \"" arguments)
      install(CODE "execute_process(COMMAND \"$<TARGET_FILE:dio>\" \"${arguments}\" OUTPUT_FILE \"${CMAKE_BINARY_DIR}/${file}\" COMMAND_ERROR_IS_FATAL ANY)")
    endfunction()
    install_output(diorama.mime formats --mime)
    install_output(diorama.thumbnailer formats --thumbnailer)
    install_output(dio.1 help --man)
    foreach(shell bash zsh fish)
      install_output(dio.${shell} completion ${shell})
    endforeach()
    install(FILES ${CMAKE_BINARY_DIR}/diorama.mime DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME diorama.xml)
    install(FILES ${CMAKE_BINARY_DIR}/diorama.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers)
    install(FILES ${CMAKE_BINARY_DIR}/dio.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${CMAKE_BINARY_DIR}/dio.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dio)
    foreach(folder site-functions vendor-completions)  # below /usr, the zsh of Debian looks in the second only
      install(FILES ${CMAKE_BINARY_DIR}/dio.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder} RENAME _dio)
    endforeach()
    install(FILES ${CMAKE_BINARY_DIR}/dio.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
    # The viewer, if its page was built (`./dev viewer`): `dio view` looks for it relative to itself.
    set(page ${PROJECT_SOURCE_DIR}/build/viewer/diorama.html)
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DATADIR}/diorama OPTIONAL)
    install(CODE "file(REMOVE \"${CMAKE_BINARY_DIR}/diorama.desktop\")
if(EXISTS \"${page}\")
  execute_process(COMMAND \"$<TARGET_FILE:dio>\" formats --desktop OUTPUT_FILE \"${CMAKE_BINARY_DIR}/diorama.desktop\" COMMAND_ERROR_IS_FATAL ANY)
endif()")
    install(FILES ${CMAKE_BINARY_DIR}/diorama.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications OPTIONAL)
  endif()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/diorama)
install(EXPORT diorama NAMESPACE diorama:: FILE diorama-targets.cmake DESTINATION ${package_dir})
file(WRITE ${CMAKE_BINARY_DIR}/diorama-config.cmake
"include(CMakeFindDependencyMacro)
find_dependency(tl-expected)
include(\${CMAKE_CURRENT_LIST_DIR}/diorama-targets.cmake)
")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/diorama-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/diorama-config.cmake ${CMAKE_BINARY_DIR}/diorama-config-version.cmake DESTINATION ${package_dir})

# For pkg-config. The prefix follows from where the file is, so that `cmake --install --prefix` counts.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH to_prefix /${pc_dir} /)
function(install_pc name about libs)  # and the folder of its headers
  file(CONFIGURE OUTPUT ${name}.pc @ONLY CONTENT
"prefix=\${pcfiledir}/@to_prefix@
Name: @name@
Description: @about@
Version: @PROJECT_VERSION@
Cflags: -I\${prefix}/include/diorama@ARGV3@
Libs: -L\${prefix}/@CMAKE_INSTALL_LIBDIR@ @libs@
")
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${pc_dir})
endfunction()
install_pc(diorama "${PROJECT_DESCRIPTION}" -ldiorama "")
if(TARGET diorama_capi)
  install_pc(diorama_capi "${PROJECT_DESCRIPTION} (C interface)" -ldiorama_capi /capi)
endif()
install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY licenses DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the diorama authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_STRIP_FILES ON)
include(CPack)
