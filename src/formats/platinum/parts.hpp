// parts.hpp: declarations shared by the files of this folder and the tests.
#pragma once
#include "formats/contract/any_document.hpp"
#include "formats/platinum/layout/tables.hpp"
#include "layout/document.hpp"

namespace dio::platinum {

// checks.cpp: the rules of all topics
std::span<const Rule> rules();
extern const std::span<const Rule> k_header_rules, k_matrix_rules, k_table_rules, k_light_rules;  // check/tables.cpp

// check/tables.cpp
void check(const MapHeaders&, Findings&);
void check(const MapHeadersDp&, Findings&);
void check(const MapHeadersHgss&, Findings&);
void check(const Arm9&, Findings&);
void check(const MapNames&, Findings&);
void check(const MapMatrix&, Findings&);
void check(const AreaData&, Findings&);
void check(const AreaDataHgss&, Findings&);
void check(const AreaBuild&, Findings&);
void check(const AreaLight&, Findings&);
void check(const MmList&, Findings&);
void check(const BmAnimeList&, Findings&);
void check(const BmAnimeListHgss&, Findings&);
void check(const Matshp&, Findings&);
void check(const Fldtanime&, Findings&);
void check(const ZoneEvent&, Findings&);

// edit/tables.cpp
Format add_matrix_edits(Format);

// info_tables.cpp
Value info(const MapHeaders&);
Value info(const MapHeadersDp&);
Value info(const MapHeadersHgss&);
Value info(const Arm9&);
Value info(const MapNames&);
Value info(const MapMatrix&);
Value info(const AreaData&);
Value info(const AreaDataHgss&);
Value info(const AreaBuild&);
Value info(const AreaLight&);
Value info(const MmList&);
Value info(const BmAnimeList&);
Value info(const BmAnimeListHgss&);
Value info(const Matshp&);
Value info(const Fldtanime&);
Value info(const ZoneEvent&);

// sniff_tables.cpp: recognition by the path and the bytes of a file
Sniff sniff_map_headers(ByteView, std::string_view name);
Sniff sniff_map_headers_dp(ByteView, std::string_view name);
Sniff sniff_map_headers_hgss(ByteView, std::string_view name);
Sniff sniff_arm9(ByteView, std::string_view name);
Sniff sniff_map_names(ByteView, std::string_view name);
Sniff sniff_map_matrix(ByteView, std::string_view name);
Sniff sniff_area_data(ByteView, std::string_view name);
Sniff sniff_area_data_hgss(ByteView, std::string_view name);
Sniff sniff_area_build(ByteView, std::string_view name);
Sniff sniff_area_light(ByteView, std::string_view name);
Sniff sniff_mm_list(ByteView, std::string_view name);
Sniff sniff_bm_anime_list(ByteView, std::string_view name);
Sniff sniff_bm_anime_list_hgss(ByteView, std::string_view name);
Sniff sniff_matshp(ByteView, std::string_view name);
Sniff sniff_fldtanime(ByteView, std::string_view name);
Sniff sniff_zone_event(ByteView, std::string_view name);

}  // namespace dio::platinum

// The document walks are compiled once, in walks*.cpp and, optimised for speed, in fast_walks*.cpp.
#define DIORAMA_PLATINUM_TABLES(WALKS, prefix) \
  WALKS(prefix, platinum::MapHeaders)          \
  WALKS(prefix, platinum::MapHeadersDp)        \
  WALKS(prefix, platinum::MapHeadersHgss)      \
  WALKS(prefix, platinum::Arm9)                \
  WALKS(prefix, platinum::MapNames)            \
  WALKS(prefix, platinum::MapMatrix)           \
  WALKS(prefix, platinum::AreaData)            \
  WALKS(prefix, platinum::AreaDataHgss)        \
  WALKS(prefix, platinum::AreaBuild)           \
  WALKS(prefix, platinum::AreaLight)           \
  WALKS(prefix, platinum::MmList)              \
  WALKS(prefix, platinum::BmAnimeList)         \
  WALKS(prefix, platinum::BmAnimeListHgss)     \
  WALKS(prefix, platinum::Matshp)              \
  WALKS(prefix, platinum::Fldtanime)           \
  WALKS(prefix, platinum::ZoneEvent)
DIORAMA_PLATINUM_TABLES(DIORAMA_WALKS, extern)
