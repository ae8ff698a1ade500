#include "samples/platinum/decompilation.hpp"

#include <algorithm>

#include "containers/nitro_fs/narc.hpp"
#include "containers/u8/u8_archive.hpp"
#include "core/text_format.hpp"
#include "samples/nitro/parts.hpp"

namespace dio::platinum {

namespace {

std::string three(size_t n) {
  std::string digits = std::to_string(n);
  return std::string(3 - std::min<size_t>(3, digits.size()), '0') + digits;
}
std::string joined(const std::vector<std::string>& all, std::string_view between) {
  std::string out;
  for (const std::string& one : all) (out += out.empty() ? "" : std::string(between)) += one;
  return out;
}

/// The tree, and how its files are written.
class Tree {
 public:
  MemoryTree tree;
  void put(const std::string& path, std::string_view text) { tree.files[path] = Bytes(text.begin(), text.end()); }
  void put_archive(const std::string& path, std::vector<Bytes> files) {
    tree.files[path] = nitro::make::bytes_of(make_narc(std::move(files)));
  }
  /// A folder of members, with its list and what the build has to know.
  void put_folder(const std::string& folder, const std::string& order, const std::vector<std::string>& files,
                  const std::vector<Bytes>& contents, bool is_bare) {
    std::string lines, build = "files(\n";
    for (size_t i = 0; i < files.size(); ++i) {
      tree.files[folder + files[i]] = contents[i];
      lines += (is_bare ? files[i].substr(0, files[i].rfind('.')) : files[i]) + "\n";
      build += "    '" + files[i] + (i + 1 < files.size() || is_bare ? "',\n" : "'\n");
    }
    put(folder + order, lines);
    put(folder + "meson.build", build + ")\n");
  }
  template <class T>
  void put_members(const std::string& folder, const std::string& order, const std::string& stem,
                   const std::string& extension, const std::vector<T>& all, bool is_bare) {
    std::vector<std::string> names;
    std::vector<Bytes> contents;
    for (const T& one : all) {
      names.push_back(stem + "_" + three(names.size()) + extension);
      contents.push_back(nitro::make::bytes_of(one));
    }
    put_folder(folder, order, names, contents, is_bare);
  }
  void put_texts(const std::string& folder, const std::string& order, const std::vector<std::string>& names,
                 const std::vector<std::string>& texts) {
    std::vector<Bytes> contents;
    for (const std::string& text : texts) contents.emplace_back(text.begin(), text.end());
    put_folder(folder, order, names, contents, true);
  }
  /// NAME_0 to the last number, a line each.
  void put_enum(const std::string& path, const std::string& prefix, size_t count, const std::string& rest = {}) {
    std::string lines;
    for (size_t i = 0; i < count; ++i) lines += prefix + std::to_string(i) + "\n";
    put(path, lines + rest);
  }
};

std::vector<std::string> numbered(const std::string& stem, size_t count) {
  std::vector<std::string> out;
  for (size_t i = 0; i < count; ++i) out.push_back(stem + "_" + three(i) + ".json");
  return out;
}

template <class F>
std::string rows(const Rows<u16>& all, const F& cell) {
  if (all.empty()) return "[]";
  std::vector<std::string> lines;
  for (const auto& row : all) {
    std::vector<std::string> cells;
    for (const u16 one : row) cells.push_back(cell(one));
    lines.push_back("        [" + joined(cells, ", ") + "]");
  }
  return "[\n" + joined(lines, ",\n") + "\n    ]";
}

/// An object of JSON, a member a line.
std::string object(const std::vector<std::pair<std::string, std::string>>& members, size_t indent) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : members) lines.push_back(std::string(indent + 4, ' ') + '"' + name + "\": " + value);
  return std::string(indent, ' ') + "{\n" + joined(lines, ",\n") + "\n" + std::string(indent, ' ') + "}";
}
std::string list_of(const std::vector<std::string>& elements, size_t indent) {
  return elements.empty() ? "[]" : "[\n" + joined(elements, ",\n") + "\n" + std::string(indent, ' ') + "]";
}
std::string word(std::string_view text) { return '"' + std::string(text) + '"'; }
std::string n(i64 number) { return std::to_string(number); }

class Writer {
 public:
  explicit Writer(const GameSample& g) : g_(g) {}

  std::string header(u32 number) const { return "MAP_HEADER_" + g_.names[number]; }
  std::string flag(u32 number) const { return number ? word("FLAG_" + n(number)) : word("0"); }

  std::string matrix(const MapMatrix& m) const {
    return "{\n    \"name\": " + word(m.model_name_prefix) +
           ",\n    \"headers\": " + rows(m.map_header_ids, [&](u16 h) { return word(header(h)); }) +
           ",\n    \"altitudes\": " + rows(m.altitudes, [](u16 a) { return n(a); }) + ",\n    \"maps\": " +
           rows(m.land_data_ids, [](u16 l) { return l == k_no_land ? word("MAP_NONE") : word("MAP_" + three(l)); }) +
           "\n}\n";
  }
  static std::string area(const AreaData& a) {
    return object({{"mapPropSet", word("prop_model_set_" + three(a.map_prop_archives_id))},
                   {"mapTextureSet", word("map_texture_set_" + three(a.map_texture_archive_id))},
                   {"lightingSet", word("lighting_set_" + three(a.area_light_archive_id))},
                   {"dummy", n(a.dummy)}},
                  0) +
           "\n";
  }
  static std::string prop_set(const AreaBuild& b) {
    std::vector<std::string> models;
    for (const u16 id : b.map_prop_model_ids) models.push_back("        " + word("prop_model_" + three(id) + "_nsbmd"));
    return "{\n    \"mapPropModels\": " + list_of(models, 4) + "\n}\n";
  }
  std::string events(const ZoneEvent& e) const {
    std::vector<std::string> signs, objects, warps, triggers;
    for (const BgEvent& b : e.bg_events)
      signs.push_back(object({{"script", n(b.script)},
                              {"type", n(b.type)},
                              {"x", n(b.x)},
                              {"z", n(b.z)},
                              {"y", n(b.y)},
                              {"player_facing_dir", word("BG_EVENT_DIR_" + n(b.player_facing_dir))}},
                             8));
    for (const ObjectEvent& o : e.object_events)
      objects.push_back(object({{"id", word("LOCALID_" + n(i64(objects.size())))},
                                {"graphics_id", word("OBJ_EVENT_GFX_" + n(o.graphics_id))},
                                {"movement_type", word("MOVEMENT_TYPE_" + n(o.movement_type))},
                                {"trainer_type", word("TRAINER_TYPE_" + n(o.trainer_type))},
                                {"hidden_flag", flag(o.hidden_flag)},
                                {"script", n(o.script)},
                                {"initial_dir", n(o.dir)},
                                {"data", "[]"},
                                {"movement_range_x", n(o.movement_range_x)},
                                {"movement_range_z", n(o.movement_range_z)},
                                {"x", n(o.x)},
                                {"z", n(o.z)},
                                {"y", n(o.y.raw >> 16)}},
                               8));
    for (const WarpEvent& w : e.warp_events)
      warps.push_back(object({{"x", n(w.x)},
                              {"z", n(w.z)},
                              {"dest_header_id", word(header(w.dest_header_id))},
                              {"dest_warp_id", n(w.dest_warp_id)}},
                             8));
    for (const CoordEvent& c : e.coord_events)
      triggers.push_back(object({{"script", n(c.script)},
                                 {"x", n(c.x)},
                                 {"z", n(c.z)},
                                 {"y", n(c.y)},
                                 {"width", n(c.width)},
                                 {"length", n(c.length)},
                                 {"var", flag(c.var)},
                                 {"value", n(c.value)}},
                                8));
    return "{\n    \"bg_events\": " + list_of(signs, 4) + ",\n    \"object_events\": " + list_of(objects, 4) +
           ",\n    \"warp_events\": " + list_of(warps, 4) + ",\n    \"coord_events\": " + list_of(triggers, 4) +
           "\n}\n";
  }
  static std::string light(const AreaLight& l) {
    std::vector<std::string> blocks;
    const auto three_of = [](std::array<const char*, 3> names, std::array<std::string, 3> values, size_t indent) {
      return object({{names[0], values[0]}, {names[1], values[1]}, {names[2], values[2]}}, indent).substr(indent);
    };
    const auto color = [&](i32 r, i32 g, i32 b, size_t indent) {
      return three_of({"red", "green", "blue"}, {n(r), n(g), n(b)}, indent);
    };
    for (const LightBlock& b : l.light->blocks) {
      std::vector<std::string> lines;
      for (const LightLine& o : b.lights)
        lines.push_back(
            object({{"enabled", o.enabled ? "true" : "false"},
                    {"color", color(o.red, o.green, o.blue, 16)},
                    {"direction", three_of({"x", "y", "z"},
                                           {format_real(o.x / 4096.0, false), format_real(o.y / 4096.0, false),
                                            format_real(o.z / 4096.0, false)},
                                           16)}},
                   12));
      const auto of = [&](const LightColor& c) { return color(c.red, c.green, c.blue, 8); };
      blocks.push_back(object({{"endTime", n(b.end_time)},
                               {"lights", list_of(lines, 8)},
                               {"diffuseColor", of(b.diffuse)},
                               {"ambientColor", of(b.ambient)},
                               {"specularColor", of(b.specular)},
                               {"emissionColor", of(b.emission)}},
                              4));
    }
    return list_of(blocks, 0) + "\n";
  }
  std::string header_table() const {
    std::string out =
        "#include \"map_header.h\"\n\n// Backgrounds of names.\nenum MapLabelWindowID {\n    MAP_LABEL_WINDOW_NONE = "
        "0,\n"
        "    MAP_LABEL_WINDOW_1,\n    MAP_LABEL_WINDOW_2,\n    MAP_LABEL_WINDOW_3,\n};\n\nenum MapType {\n"
        "    MAP_TYPE_0,\n    MAP_TYPE_1,\n    MAP_TYPE_2,\n    MAP_TYPE_3,\n    MAP_TYPE_4,\n};\n\n"
        "static const MapHeader sMapHeaders[] = {\n";
    const auto flag_of = [](bool is) { return is ? "TRUE" : "FALSE"; };
    for (u32 i = 0; i < g_.headers.size(); ++i) {
      const MapHeader& h = g_.headers[i];
      out += "    [" + header(i) + "] = {\n";
      const std::pair<const char*, std::string> members[] = {
          {"areaDataArchiveID", "area_data_" + three(h.area_data_archive_id)},
          {"preloadedMapObjectsArchiveID", format_hex(h.preloaded_map_objects_archive_id)},
          {"mapMatrixID", "map_matrix_" + three(h.map_matrix_id)},
          {"scriptsArchiveID", "scripts_" + n(h.scripts_archive_id)},
          {"initScriptsArchiveID", "scripts_" + n(h.init_scripts_archive_id)},
          {"msgArchiveID", "TEXT_BANK_" + n(h.msg_archive_id)},
          {"dayMusicID", n(h.day_music_id)},
          {"nightMusicID", n(h.night_music_id)},
          {"wildEncountersArchiveID",
           h.wild_encounters_archive_id == k_no_encounters ? "ENCOUNTERS_NONE" : n(h.wild_encounters_archive_id)},
          {"eventsArchiveID", events_name(h.events_archive_id)},
          {"mapLabelTextID", "LocationNames_Text_" + n(h.map_label_text_id)},
          {"mapLabelWindowID", n(h.map_label_window_id)},
          {"weather", "OVERWORLD_WEATHER_CLEAR + " + n(h.weather)},
          {"cameraType", n(h.camera_type)},
          {"mapType", "MAP_TYPE_" + n(h.map_type)},
          {"battleBG", "BACKGROUND_" + n(h.battle_bg)},
          {"isBikeAllowed", flag_of(h.is_bike_allowed)},
          {"isRunningAllowed", flag_of(h.is_running_allowed)},
          {"isEscapeRopeAllowed", flag_of(h.is_escape_rope_allowed)},
          {"isFlyAllowed", flag_of(h.is_fly_allowed)}};
      for (const auto& [name, value] : members) out += std::string("        .") + name + " = " + value + ",\n";
      out += "    },\n";
    }
    return out + "};\n";
  }
  std::string events_name(u32 number) const {
    return number < g_.names.size() ? "events_" + lower_case(g_.names[number]) : n(number);
  }

 private:
  const GameSample& g_;
};

}  // namespace

MemoryTree decompilation_of(const GameSample& g) {
  Tree t;
  const Writer w(g);
  const auto all = [](const auto& list, const auto& text) {
    std::vector<std::string> out;
    for (const auto& one : list) out.push_back(text(one));
    return out;
  };
  t.put_members("res/field/maps/data/", "map_data.order", "map_data", ".bin", g.lands, false);
  t.put_members("res/field/maps/texture_sets/", "map_texture_sets.order", "map_texture_set", ".nsbtx", g.map_textures,
                true);
  t.put_members("res/field/props/texture_sets/", "prop_texture_sets.order", "prop_texture_set", ".nsbtx",
                g.prop_textures, false);
  t.put_members("res/field/props/models/", "map_prop_models.order", "prop_model", ".nsbmd", g.props, false);
  std::vector<std::string> animations;
  for (const Bytes& a : g.animations) {
    const char kind = a.size() > 2 ? char(a[2]) : 'C';  // BCA0, BTA0, BTP0
    const char texture = a.size() > 1 ? char(a[1]) : 'C';
    animations.push_back("prop_animation_" + three(animations.size()) +
                         (texture != 'T' ? ".nsbca"
                          : kind == 'P'  ? ".nsbtp"
                                         : ".nsbta"));
  }
  t.put_folder("res/field/props/animations/", "prop_animations.order", animations, g.animations, false);
  t.put_texts("res/field/matrices/", "map_matrices.order", numbered("map_matrix", g.matrices.size()),
              all(g.matrices, [&](const MapMatrix& m) { return w.matrix(m); }));
  t.put_texts("res/field/area_data/", "area_data.order", numbered("area_data", g.areas.size()), all(g.areas, w.area));
  t.put_texts("res/field/props/model_sets/", "prop_model_sets.order", numbered("prop_model_set", g.prop_sets.size()),
              all(g.prop_sets, w.prop_set));
  t.put_texts("res/field/lighting/", "lighting_sets.order", numbered("lighting_set", g.lights.size()),
              all(g.lights, w.light));
  // Two lists: to the files of the second, the build adds a line break.
  std::string plain, ended;
  for (size_t i = 0; i < g.lights.size(); ++i)
    (g.lights[i].light->ending.empty() ? plain : ended) += "    'lighting_set_" + three(i) + ".json',\n";
  t.put("res/field/lighting/meson.build",
        "process(files(\n" + plain + "))\nprocess(files(\n" + ended + "),\n    extra_args: [ '--eofnewline' ],\n)\n");
  std::vector<std::string> events;
  for (size_t i = 0; i < g.events.size(); ++i) events.push_back(w.events_name(u32(i)) + ".json");
  t.put_texts("res/field/events/", "zone_event.order", events,
              all(g.events, [&](const ZoneEvent& e) { return w.events(e); }));
  t.put("include/data/map_headers.h", w.header_table());
  t.put("include/map_header.h",
        "#ifndef MAP_HEADER_H\n#define MAP_HEADER_H\n\n#define ENCOUNTERS_NONE 0xFFFF\n\n#endif\n");
  t.put("include/constants/overworld_weather.h", "#define OVERWORLD_WEATHER_CLEAR 0\n");
  t.put("include/constants/camera_types.h", "enum CameraType {\n    CAMERA_TYPE_DEFAULT,\n};\n");

  std::string headers, lands;
  for (u32 i = 0; i < g.names.size(); ++i) headers += w.header(i) + "\n";
  t.put("generated/map_headers.txt", headers + "MAP_HEADER_COUNT\nMAP_HEADER_DYNAMIC = 4095\n");
  for (size_t i = 0; i < g.lands.size(); ++i) lands += "MAP_" + three(i) + (i ? "\n" : " = 0\n");
  t.put("generated/maps.txt", lands + "MAP_NONE = 65535\n");
  t.put_enum("generated/text_banks.txt", "TEXT_BANK_", 32);
  t.put_enum("generated/battle_backgrounds.txt", "BACKGROUND_", 24);
  t.put_enum("generated/bg_event_dirs.txt", "BG_EVENT_DIR_", 7);
  t.put_enum("generated/object_events_gfx.txt", "OBJ_EVENT_GFX_", 276);
  t.put_enum("generated/movement_types.txt", "MOVEMENT_TYPE_", 69);
  t.put_enum("generated/trainer_types.txt", "TRAINER_TYPE_", 12);
  t.put_enum("generated/trainers.txt", "TRAINER_", 8);
  t.put_enum("generated/vars_flags.txt", "FLAG_", 8, "VARS_START = 0x4000\nVAR_0 = VARS_START\nVAR_1\n");
  t.put_enum("res/field/scripts/scripts.order", "scripts_", 32);
  std::vector<std::string> labels;
  for (int i = 0; i < 32; ++i) labels.push_back(object({{"id", word("LocationNames_Text_" + n(i))}}, 8));
  t.put("res/text/location_names.json", "{\n    \"messages\": " + list_of(labels, 4) + "\n}\n");

  const auto binaries = [&](const char* path, const auto& list) {
    std::vector<Bytes> files;
    for (const auto& one : list) files.push_back(nitro::make::bytes_of(one));
    t.put_archive(path, std::move(files));
  };
  binaries("res/prebuilt/arc/bm_anime_list.narc", g.anime_lists);
  binaries("res/prebuilt/fielddata/mm_list/move_model_list.narc", g.objects);
  std::vector<Bytes> motions = {nitro::make::bytes_of(g.texture_motions)};
  for (const auto& pictures : g.motion_pictures) motions.push_back(nitro::make::bytes_of(pictures));
  t.put_archive("res/prebuilt/data/fldtanime.narc", std::move(motions));
  MapNames names;
  for (const std::string& name : g.names) names.names.push_back({name});
  t.tree.files["res/prebuilt/fielddata/maptable/mapname.bin"] = nitro::make::bytes_of(names);
  t.tree.files["res/prebuilt/fielddata/build_model/build_model_matshp.dat"] = nitro::make::bytes_of(g.draw_lists);
  return std::move(t.tree);
}

std::vector<Sample> decompilation_samples() {
  const MemoryTree tree = decompilation_of(game_sample());
  const std::vector<std::pair<std::string, Bytes>> files(tree.files.begin(), tree.files.end());
  return {{"small_sources.arc", "the small game as the source tree of a decompilation", bytes_of(make_u8(files))}};
}

}  // namespace dio::platinum
