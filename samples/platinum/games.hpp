// games.hpp: a whole small game made from nothing: a town, a road, a house, and what they need. For tests, and
// as a cartridge for the demo.
#pragma once
#include "containers/nitro_fs/nds_rom.hpp"
#include "formats/nitro/layout/files.hpp"
#include "formats/platinum/game/files.hpp"
#include "formats/platinum/layout/land_data.hpp"
#include "formats/platinum/layout/tables.hpp"
#include "samples/samples.hpp"

namespace dio::platinum {

/// Its files as values: a test changes some, and makes files of all.
struct GameSample {
  std::vector<MapHeader> headers;
  std::vector<std::string> names;  // of headers
  std::vector<MapMatrix> matrices;
  std::vector<AreaData> areas;
  std::vector<AreaBuild> prop_sets;
  std::vector<nitro::Nsbtx> prop_textures, map_textures;
  std::vector<AreaLight> lights;
  std::vector<LandData> lands;
  std::vector<nitro::Nsbmd> props;
  Matshp draw_lists;
  std::vector<Bytes> animations;
  std::vector<BmAnimeList> anime_lists;
  Fldtanime texture_motions;
  std::vector<nitro::Nsbtx> motion_pictures;  // of each record
  std::vector<MmList> objects;
  std::vector<ZoneEvent> events;

  /// By the paths of a cartridge; the program with the table of headers is `_system/arm9.bin`.
  MemoryTree files() const;
  NdsRom cartridge() const;
};

/// A game without faults. Its numbers:
/// - headers: 0 everywhere, 1 TOWN, 2 ROAD, 3 HOUSE (0 and 1 of 593 in the game mean the same: nothing, and a town)
/// - matrix 0: 30 x 2 cells, with the town at (0, 0), the road at (1, 0), a wood of no map at (0, 1) and (1, 1);
///   matrix 1: the house
/// - lands: 0 town, 1 road, 2 wood, 3 house
/// - areas: 0 nothing's, 1 outdoors, 2 indoors; each with the prop set, textures and light of that number less one, but
///   for area 0, which is as area 1
/// - props: 0 the box that stands in, 1 tree, 2 mill (its wheel turns, its flag changes), 3 door, 4 table
GameSample game_sample();

/// The same as files of Diamond: heights are triangles, lights are files of their own, some archives have other names.
MemoryTree as_diamond(const GameSample&);
/// The same as files of HeartGold. With `rooms`, area 2 is indoors, and its props are those.
MemoryTree as_heart_gold(const GameSample&, const std::vector<nitro::Nsbmd>& rooms = {});
/// By the game.
MemoryTree files_of(const GameSample&, Edition);

std::vector<Sample> game_samples();

}  // namespace dio::platinum
