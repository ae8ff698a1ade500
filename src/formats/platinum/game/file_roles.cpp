#include "formats/platinum/game/file_roles.hpp"

#include <charconv>
#include <vector>

#include "core/file_tree.hpp"
#include "formats/platinum/game/dspre_folders.hpp"

namespace dio::platinum {

namespace {

// Archive names from pret/pokeplatinum (platinum.us/filesys.csv), for HeartGold and SoulSilver from DSPRE.
constexpr FileRolePath k_places[] = {
    {"map_matrix", "map matrix", "map-matrix", "fielddata/mapmatrix/map_matrix.narc", "a/0/4/1", "res/field/matrices"},
    {"land_data", "land data", "land-data", "fielddata/land_data/land_data.narc", "a/0/6/5", "res/field/maps/data",
     "map_data"},
    {"area_data",
     "area data",
     "area-data",
     "fielddata/areadata/area_data.narc",
     "a/0/4/2",
     "res/field/area_data",
     {},
     true,
     "area-data-hgss"},
    {"area_build", "area props", "area-build", "fielddata/areadata/area_build_model/area_build.narc", "a/0/4/3",
     "res/field/props/model_sets", "prop_model_set"},
    {"areabm_texset", "prop textures", "nsbtx", "fielddata/areadata/area_build_model/areabm_texset.narc", "a/0/7/0",
     "res/field/props/texture_sets", "prop_texture_set"},
    {"map_tex_set", "map textures", "nsbtx", "fielddata/areadata/area_map_tex/map_tex_set.narc", "a/0/4/4",
     "res/field/maps/texture_sets", "map_texture_set"},
    {"build_model", "prop model", "nsbmd", "fielddata/build_model/build_model.narc", "a/0/4/0",
     "res/field/props/models", "prop_model"},
    {"build_model_room", "indoor prop model", "nsbmd", {}, "a/1/4/8"},
    {"bm_anime", "prop animation", "", "arc/bm_anime.narc", "a/1/0/6", "res/field/props/animations", "prop_animation"},
    {"bm_anime_list",
     "prop animation list",
     "bm-anime-list",
     "arc/bm_anime_list.narc",
     "a/1/0/7",
     {},
     {},
     true,
     "bm-anime-hgss"},
    {"bm_anime_list_room", "indoor prop animation list", "bm-anime-hgss", {}, "a/1/0/8"},
    {"arealight", "area light", "area-light", "data/arealight.narc", "data/arealight.narc", "res/field/lighting",
     "lighting_set"},
    {"fldtanime", "animated map textures", "fldtanime", "data/fldtanime.narc"},
    {"map_motion", "map animation", "nsbta", {}, "a/1/4/0"},
    {"mm_list", "preloaded objects", "mm-list", "fielddata/mm_list/move_model_list.narc"},
    {"zone_event", "events", "zone-event", "fielddata/eventdata/zone_event.narc", "a/0/3/2", "res/field/events"},
    {"encounters", "encounters", "", "fielddata/encountdata/pl_enc_data.narc"},
    {"scripts", "scripts", "", "fielddata/script/scr_seq.narc", "a/0/1/2"},
    {"matshp", "prop draw lists", "matshp", "fielddata/build_model/build_model_matshp.dat", {}, {}, {}, false},
    {"matshp_room", "indoor prop draw lists", "matshp", {}, "fielddata/build_model/bm_room_matshp.dat", {}, {}, false},
    {"map_names", "map names", "map-names", "fielddata/maptable/mapname.bin", {}, {}, {}, false},
    {"map_headers", "map headers", "map-headers", "map_headers.bin", {}, {}, {}, false},
    {"arm9", "program", "arm9", "arm9.bin", {}, {}, {}, false},
};

std::string_view name_stem(std::string_view name) { return name.substr(0, name.find('.')); }
/// Whether a path is `tail`, or ends with '/' and `tail`.
bool path_ends_with(std::string_view path, std::string_view tail) {
  return !tail.empty() && path.ends_with(tail) &&
         (path.size() == tail.size() || path[path.size() - tail.size() - 1] == '/');
}
std::optional<u32> parse_number(std::string_view digits) {
  u32 n = 0;
  const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (r.ec != std::errc() || r.ptr != digits.data() + digits.size()) return {};
  return n;
}
/// The number in `stem_0012`.
std::optional<u32> parse_number_after_stem(std::string_view name, std::string_view stem) {
  if (stem.empty() || !name.starts_with(stem) || name.size() <= stem.size() + 1 || name[stem.size()] != '_') return {};
  return parse_number(name.substr(stem.size() + 1));
}
/// Without the final slash.
std::string_view unpacked_folder_name(std::string_view folder) { return folder.substr(0, folder.size() - 1); }
/// An archive's path without its extension: the folder it may be unpacked to.
std::string_view unpacked_folder(std::string_view archive) { return archive.substr(0, archive.rfind('.')); }

}  // namespace

std::span<const FileRolePath> file_role_paths() { return k_places; }

const FileRolePath* find_file_role_path(std::string_view id) {
  for (const FileRolePath& r : k_places)
    if (r.id == id) return &r;
  return nullptr;
}

std::string RoleMatch::title() const {
  return std::string(place->title) + (number ? " " + std::to_string(*number) : "");
}

std::optional<RoleMatch> match_file_role(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::string_view folder = name.size() < path.size() ? path.substr(0, path.size() - name.size() - 1) : "";
  if (name.ends_with(".json")) return {};  // a source of the decompilation, or output of `decode`
  const std::string_view own = name_stem(name);
  // In the Diamond and Pearl decompilation: narc_0012.bin in a folder whose name may have `_release`.
  const auto member = parse_number(own);
  const auto number = member ? member : parse_number_after_stem(own, "narc");
  constexpr std::string_view k_release = "_release";
  const std::string_view plain =
      folder.ends_with(k_release) ? folder.substr(0, folder.size() - k_release.size()) : folder;
  const bool is_numbered = own.find('_') != own.npos;
  for (const FileRolePath& r : k_places) {
    if (path_ends_with(path, r.platinum) || (!r.archive && !r.platinum.empty() && name == file_name(r.platinum)))
      return RoleMatch{&r, {}};
    if (!r.archive && path_ends_with(path, r.hgss)) return RoleMatch{&r, {}, true};
    if (!r.archive) continue;
    if (path_ends_with(path, r.hgss)) return RoleMatch{&r, {}, true};
    if (number) {
      if (path_ends_with(folder, r.hgss)) return RoleMatch{&r, number, true};
      if (const std::string unpacked = dspre_folder_of(r.platinum);
          !unpacked.empty() && path_ends_with(folder, unpacked_folder_name(unpacked)))
        return RoleMatch{&r, number};
      for (const std::string_view at :
           {r.platinum, unpacked_folder(r.platinum), file_name(r.platinum), file_name(unpacked_folder(r.platinum))})
        if (path_ends_with(folder, at) || path_ends_with(plain, at)) return RoleMatch{&r, number};
    }
    if (is_numbered)
      for (const std::string_view stem : {file_name(unpacked_folder(r.platinum)), r.id, r.stem})
        if (const auto n = parse_number_after_stem(own, stem)) return RoleMatch{&r, n};
    if (path_ends_with(folder, r.folder) && !r.format.empty() && name.ends_with("." + std::string(r.format)))
      return RoleMatch{&r, {}};
  }
  return {};
}

std::string describe_member_role(std::string_view archive_path, u64 member) {
  const auto placed = match_file_role(std::string(archive_path) + '/' + std::to_string(member));
  return placed && placed->number ? placed->title() : std::string();
}

}  // namespace dio::platinum
