# The libraries; the program `dio` is in other packages.
vcpkg_download_distfile(ARCHIVE URLS "@URL@" FILENAME "diorama-${VERSION}.tar.xz" SHA512 "@SHA512@")
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

# vcpkg installs stb_image.h without the folder stb/ that diorama includes it from.
set(headers "${CURRENT_BUILDTREES_DIR}/headers")
file(COPY "${CURRENT_INSTALLED_DIR}/include/stb_image.h" DESTINATION "${headers}/stb")

# The C interface is always a shared library.
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DDIORAMA_APPS=OFF -DCMAKE_UNITY_BUILD=ON "-DCMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES=${headers}"
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/diorama)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/THIRD_PARTY.md")
