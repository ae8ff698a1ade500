# Debian puts header-only libraries beside the host's C headers. For other systems, links to those we use keep the host's
# out of sight.
set(headers ${CMAKE_BINARY_DIR}/third_party)
file(MAKE_DIRECTORY ${headers})
foreach(name tl stb CLI)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "the headers of ${name} are not installed: run ./dev test, which installs them")
  endif()
  file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
endforeach()
target_include_directories(diorama_deps SYSTEM INTERFACE $<BUILD_INTERFACE:${headers}>)
