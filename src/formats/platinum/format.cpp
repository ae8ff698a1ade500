// format.cpp: the registry records of the Pokémon Platinum formats; each line of the list is one format.
#include "formats/contract/format.hpp"

#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/platinum/check/known_oddities.hpp"
#include "formats/platinum/parts.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

/// A format whose document type has `check` and `info`.
template <class T>
Format make_format(std::string_view id, std::string_view title, std::string_view extensions,
                   Sniff (*sniff)(ByteView, std::string_view)) {
  Format f{};
  f.id = id, f.title = title, f.extensions = extensions;
  f.platform = "DS";
  f.sniff = sniff;
  f.needs_name = true;
  f.rules = rules;
  f.is_known = is_known_oddity;
  f.check = [](const AnyDocument& d, std::optional<std::span<const Companion>>, Findings& findings) {
    check(value_of<T>(d), findings);
  };
  f.info = [](const AnyDocument& d) { return info(value_of<T>(d)); };
  return make_document_format<T>(f);
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> k_formats = {
      make_format<MapHeaders>("map-headers", "Platinum map headers", ".bin", sniff_map_headers),
      make_format<MapHeadersDp>("map-headers-dp", "Diamond and Pearl map headers", ".bin", sniff_map_headers_dp),
      make_format<MapHeadersHgss>("map-headers-hgss", "HeartGold and SoulSilver map headers", ".bin",
                                  sniff_map_headers_hgss),
      make_format<Arm9>("arm9", "Platinum program with map headers", ".bin", sniff_arm9),
      make_format<MapNames>("map-names", "Platinum map names", ".bin", sniff_map_names),
      add_matrix_edits(make_format<MapMatrix>("map-matrix", "Platinum map matrix", ".bin", sniff_map_matrix)),
      add_land_operations(make_format<LandData>("land-data", "Platinum maps", ".bin", sniff_land_data)),
      add_bdhc_operations(make_format<Bdhc>("bdhc", "Platinum heights", ".bdhc", sniff_bdhc)),
      make_format<AreaData>("area-data", "Platinum area", ".bin", sniff_area_data),
      make_format<AreaDataHgss>("area-data-hgss", "HeartGold and SoulSilver area", ".bin", sniff_area_data_hgss),
      make_format<AreaBuild>("area-build", "Platinum area props", ".bin", sniff_area_build),
      make_format<AreaLight>("area-light", "Platinum area light", ".txt .bin", sniff_area_light),
      make_format<MmList>("mm-list", "Platinum preloaded objects", ".bin", sniff_mm_list),
      make_format<BmAnimeList>("bm-anime-list", "Platinum prop animations", ".bin", sniff_bm_anime_list),
      make_format<BmAnimeListHgss>("bm-anime-hgss", "HeartGold and SoulSilver animations", ".bin",
                                   sniff_bm_anime_list_hgss),
      make_format<Matshp>("matshp", "Platinum prop draw lists", ".dat", sniff_matshp),
      make_format<Fldtanime>("fldtanime", "Platinum animated map textures", ".bin", sniff_fldtanime),
      make_format<ZoneEvent>("zone-event", "Platinum map events", ".bin", sniff_zone_event),
  };
  return k_formats;
}

}  // namespace dio::platinum
