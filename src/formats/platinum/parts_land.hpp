// parts_land.hpp: what the files about land data and heights provide to format.cpp, to each other and to the tests.
#pragma once
#include "formats/format.hpp"
#include "formats/platinum/land_data.hpp"

namespace dio::platinum {}  // namespace dio::platinum

// The walks over the documents are compiled once: walks_land_data.cpp, values_land_data.cpp, walks_bdhc.cpp.
#define DIORAMA_LAND_BYTES(prefix, T)                                                 \
  namespace dio {                                                                     \
  prefix template Result<Loaded<Document<T>>> load<T>(ByteView);                      \
  prefix template Result<Bytes> write<T>(const T&, const std::vector<Residue>&, u64); \
  prefix template Result<Bytes> save<T>(const Document<T>&, SaveOptions);             \
  prefix template Result<Bytes> follow<T>(ByteView, ByteView);                        \
  }
#define DIORAMA_LAND_VALUES(prefix, T)                   \
  namespace dio {                                        \
  prefix template Traced trace<T>(ByteView);             \
  prefix template Result<T> from_value<T>(const Value&); \
  }
DIORAMA_LAND_BYTES(extern, platinum::LandData)
DIORAMA_LAND_VALUES(extern, platinum::LandData)
DIORAMA_LAND_BYTES(extern, platinum::Bdhc)
DIORAMA_LAND_VALUES(extern, platinum::Bdhc)
