// parts_land.hpp: what the files about land data and heights provide to format.cpp, to each other and to the tests.
#pragma once
#include "formats/format.hpp"
#include "formats/platinum/land_data.hpp"

namespace dio::platinum {

// format_land.cpp: what the records of land data and heights have besides what all have
Sniff sniff_land_data(ByteView, std::string_view name);
Sniff sniff_bdhc(ByteView, std::string_view name);
Format with_land(Format);
Format with_heights(Format);

// checks_land.cpp, checks_bdhc.cpp
extern const std::span<const Rule> k_land_rules, k_bdhc_rules;
void check(const LandData&, Findings&);
void check(const Bdhc&, Findings&);
/// Whether the game opens it before the player.
bool is_door_model(u32 id);

// info_land.cpp
Value info(const LandData&);
Value info(const Bdhc&);

// edits_land.cpp
std::span<const Edit> land_edits();
std::span<const Edit> bdhc_edits();

// questions_land.cpp
std::span<const Question> land_questions();
std::span<const Question> bdhc_questions();

// scene_land.cpp: the map with the textures that are given, its props as empty nodes, its heights
Result<Staged> to_scene(const LandData&, const SceneOptions&);

// samples_land.cpp
LandData meadow_land();
LandData town_land();
LandData stray_land();
LandData sounds_land();
LandData cameras_land();
LandData diamond_land();
Bytes bytes_of(const LandData&);  // placed
Bytes bytes_of(const Bdhc&);
std::vector<Sample> land_data_samples();
std::vector<Sample> bdhc_samples();

}  // namespace dio::platinum

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
