// format.cpp: what the registry knows of the files of Pokémon Platinum. Each line of the list is one format.
#include "formats/platinum/known_oddities.hpp"
#include "formats/platinum/parts.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

/// A format whose document type has `check` and `info`.
template <class T>
Format record(std::string_view id, std::string_view title, std::string_view extensions,
              Sniff (*sniff)(ByteView, std::string_view), std::vector<Sample> (*samples)()) {
  Format f{};
  f.id = id, f.title = title, f.extensions = extensions;
  f.platform = "DS";
  f.sniff = sniff;
  f.samples = samples;
  f.rules = rules;
  f.is_known = is_known_oddity;
  f.check = [](const AnyDocument& d, Findings& findings) { check(value_of<T>(d), findings); };
  f.info = [](const AnyDocument& d) { return info(value_of<T>(d)); };
  return format_of<T>(f);
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> k_formats = {
      record<MapHeaders>("map-headers", "Platinum map headers", ".bin", sniff_map_headers, map_headers_samples),
      record<MapHeadersDp>("map-headers-dp", "Diamond and Pearl map headers", ".bin", sniff_map_headers_dp,
                           map_headers_dp_samples),
      record<MapHeadersHgss>("map-headers-hgss", "HeartGold and SoulSilver map headers", ".bin", sniff_map_headers_hgss,
                             map_headers_hgss_samples),
      record<Arm9>("arm9", "Platinum program with map headers", ".bin", sniff_arm9, arm9_samples),
      record<MapNames>("map-names", "Platinum map names", ".bin", sniff_map_names, map_names_samples),
      with_cells(record<MapMatrix>("map-matrix", "Platinum map matrix", ".bin", sniff_map_matrix, map_matrix_samples)),
      with_land(record<LandData>("land-data", "Platinum maps", ".bin", sniff_land_data, land_data_samples)),
      with_heights(record<Bdhc>("bdhc", "Platinum heights", ".bdhc", sniff_bdhc, bdhc_samples)),
      record<AreaData>("area-data", "Platinum area", ".bin", sniff_area_data, area_data_samples),
      record<AreaDataHgss>("area-data-hgss", "HeartGold and SoulSilver area", ".bin", sniff_area_data_hgss,
                           area_data_hgss_samples),
      record<AreaBuild>("area-build", "Platinum props of an area", ".bin", sniff_area_build, area_build_samples),
      record<AreaLight>("area-light", "Platinum light of an area", ".txt .bin", sniff_area_light, area_light_samples),
      record<MmList>("mm-list", "Platinum preloaded objects", ".bin", sniff_mm_list, mm_list_samples),
      record<BmAnimeList>("bm-anime-list", "Platinum animations of a prop", ".bin", sniff_bm_anime_list,
                          bm_anime_list_samples),
      record<Matshp>("matshp", "Platinum draw lists of props", ".dat", sniff_matshp, matshp_samples),
      record<Fldtanime>("fldtanime", "Platinum animated map textures", ".bin", sniff_fldtanime, fldtanime_samples),
      record<ZoneEvent>("zone-event", "Platinum events of a map", ".bin", sniff_zone_event, zone_event_samples),
  };
  return k_formats;
}

}  // namespace dio::platinum
