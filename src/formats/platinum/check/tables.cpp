// tables.cpp: what the game would trip over in one of its small files. Numbers that lead into other files are
// not judged here, but where the game has a limit of its own.
#include <algorithm>
#include <set>

#include "formats/contract/findings.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {

namespace {

using enum Severity;
constexpr Rule k_of_tables[] = {
    {"platinum.trailing-bytes", warning, "a file ends with what it describes",
     "The game does not read further; what stands there is lost or belongs elsewhere.",
     "MTX-1, ARE-2, ANI-1, EVT-1; README, Sizes"},
    {"platinum.area-light", error, "an area has one of the four light files",
     "The game reads a file that is not there.", "ARE-1; AREA_LIGHT_FILE_COUNT in area_light.c"},
    {"platinum.set-model", error, "props of an area are below 768",
     "The game keeps 768 places for prop models, and looks into the one of the number.", "ARE-2; README, Areas"},
    {"platinum.set-twice", warning, "an area names each prop once",
     "It is loaded twice, and only one of both is ever freed.", "ARE-2; none of 71 real files"},
    {"platinum.objects-many", error, "at most 24 objects are loaded beforehand", "The game has room for 24.",
     "HDR-2; README, Preloaded objects"},
    {"platinum.anime-gap", warning, "animations of a prop stand before the first -1",
     "The game stops at it: those behind are never loaded.", "ANI-1; map_prop_animation.c"},
    {"platinum.anime-flags", warning, "a prop says whether it has animations as its list does",
     "Flags of a prop without animations are read as those of one that has some.", "ANI-1; none of 590 real files"},
    {"platinum.draw-range", error, "the draws of a model lie inside the table", "The game reads behind the table.",
     "MSH-1; no bounds check in build_model_matshp.c"},
    {"platinum.draw-order", hint, "the draws of the models follow each other without gaps",
     "Draws that no model has are dead, and shared ones change several models.", "MSH-1; all 590 real models"},
    {"platinum.texture-frames", error, "an animated texture has a picture to show first",
     "The game copies a picture that is not there.", "README, Animated textures; none of 52 real records"},
    {"platinum.texture-twice", warning, "a texture is animated once",
     "Both animations write the same texture in turns.", "README, Animated textures; none of 52 real records"},
    {"platinum.events-size", error, "a file of events is smaller than 2048 bytes", "The game reads it into 2048 bytes.",
     "EVT-1; MapHeaderData in map_header_data.h"},
    {"platinum.warp-unused", hint, "the last four bytes of a warp are 0", "The game does not read them.",
     "README, Events"},
    {"platinum.map-name", hint, "each header has a name of its own", "Lists of maps show it.",
     "README, Map names; mapname.bin"},
};

constexpr Rule k_of_headers[] = {
    {"platinum.camera", error, "a map has one of 17 cameras", "The game looks into a table of 17.",
     "HDR-3; field_camera.c"},
    {"platinum.label-window", error, "a map has one of 10 label windows", "The game looks into a table of 10.",
     "HDR-3; none of 593 real headers"},
    {"platinum.map-type", warning, "a map has a type from 0 to 6", "The game knows no other.", "HDR-3; map_header.h"},
    {"platinum.battle-background", error, "a map has one of 23 battle backgrounds",
     "The game looks into a table of 23.", "HDR-3; generated/battle_backgrounds.txt"},
    {"platinum.weather", warning, "a map has a weather below 37", "The game knows no other.",
     "HDR-3; overworld_weather.h"},
};

constexpr Rule k_of_matrices[] = {
    {"platinum.matrix-empty", error, "a matrix has cells", "The game takes cell 0 of it.",
     "MTX-1; none of 289 real files"},
    {"platinum.matrix-large", error, "a matrix has at most 900 cells", "The game has room for 30 x 30.",
     "MTX-2; map_matrix.c"},
    {"platinum.matrix-prefix", error, "the prefix of model names has at most 16 characters",
     "The game has room for 16.", "MTX-2; map_matrix.c"},
    {"platinum.matrix-flags", hint, "a list is there, 1, or not, 0", "Other values count as there.",
     "MTX-1; none of 289 real files"},
};

constexpr Rule k_of_lights[] = {
    {"platinum.light-grammar", error,
     "a light file is blocks of nine lines and an empty one, each number followed by a comma, lines by CR LF, then EOF",
     "The game reads on behind the end, or takes other numbers.", "LGT-1; AreaLightTemplate_New in area_light.c"},
    {"platinum.light-ending", hint, "behind EOF stands CR LF, or nothing", "The game does not read further.",
     "LGT-1; 4 real files"},
    {"platinum.light-times", warning, "times grow from block to block, up to 43200",
     "The game steps from block to block, one each frame, until it finds one that holds.", "LGT-2; area_light.c"},
    {"platinum.light-color", warning, "colours are 0 to 31", "What is larger spills into the next colour.",
     "LGT-3; GX_RGB in area_light.c"},
    {"platinum.light-vector", warning, "the parts of a light's vector are -4096 to 4096", "The game clamps them.",
     "LGT-3; area_light.c"},
    {"platinum.light-switch", hint, "a light is on, 1, or off, 0", "All but 1 is off.", "area_light.c"},
};

std::string at(std::string_view list, size_t i) { return text(list, "[", i, "]"); }

/// `end`: where what is described ends.
void check_end(Reporter& r, u64 end) {
  const u64 size = r.findings.file_size;
  if (size > end)
    r.report("platinum.trailing-bytes", Place::of_bytes(end, size - end),
             {.expected = "a file of " + counted(end, "byte"), .found = counted(size - end, "byte") + " more"});
}

void check_header(Reporter& r, const MapHeader& h, size_t i) {
  const auto most = [&](const char* rule, const char* field, u32 value, u32 limit) {
    if (value > limit)
      r.report(rule, at("headers", i) + "." + field, {.expected = text("0 to ", limit), .found = text(value)});
  };
  most("platinum.camera", "camera_type", h.camera_type, 16);
  most("platinum.label-window", "map_label_window_id", h.map_label_window_id, 9);
  most("platinum.map-type", "map_type", h.map_type, 6);
  most("platinum.battle-background", "battle_bg", h.battle_bg, 22);
  most("platinum.weather", "weather", h.weather, 36);
}

}  // namespace

constinit const std::span<const Rule> k_table_rules = k_of_tables;
constinit const std::span<const Rule> k_header_rules = k_of_headers;
constinit const std::span<const Rule> k_matrix_rules = k_of_matrices;
constinit const std::span<const Rule> k_light_rules = k_of_lights;

void check(const MapHeaders& f, Findings& findings) {
  Reporter r(findings);
  for (size_t i = 0; i < f.headers.size(); ++i) check_header(r, f.headers[i], i);
  check_end(r, f.headers.size() * k_header_size);
}
void check(const Arm9& f, Findings& findings) {
  Reporter r(findings);
  for (size_t i = 0; i < f.headers.size(); ++i) check_header(r, f.headers[i], i);
}
void check(const MapHeadersDp& f, Findings& findings) {
  Reporter r(findings);
  for (size_t i = 0; i < f.headers.size(); ++i)
    if (f.headers[i].map_type > 6)
      r.report("platinum.map-type", at("headers", i) + ".map_type",
               {.expected = "0 to 6", .found = text(f.headers[i].map_type)});
  check_end(r, f.headers.size() * k_header_size);
}
void check(const MapHeadersHgss& f, Findings& findings) {
  Reporter r(findings);
  check_end(r, f.headers.size() * k_header_size);
}

void check(const MapNames& f, Findings& findings) {
  Reporter r(findings);
  std::set<std::string_view> names;
  for (size_t i = 0; i < f.names.size(); ++i) {
    const std::string& name = f.names[i].name;
    if (name.empty())
      r.report("platinum.map-name", at("names", i) + ".name", {.expected = "one", .found = "no name"});
    else if (!names.insert(name).second)
      r.report("platinum.map-name", at("names", i) + ".name",
               {.expected = "a name of its own", .found = "\"" + printable(name) + "\" once more"});
  }
  check_end(r, f.names.size() * MapName::k_least_size);
}

void check(const MapMatrix& f, Findings& findings) {
  Reporter r(findings);
  const u64 cells = u64(f.width) * f.height;
  if (!cells) r.report("platinum.matrix-empty", f.width ? "height" : "width", {.expected = "1 or more", .found = "0"});
  if (cells > 900)
    r.report("platinum.matrix-large", "width",
             {.expected = "at most 900", .found = text(f.width, " x ", f.height, " cells")});
  if (f.model_name_prefix.size() > 16)
    r.report("platinum.matrix-prefix", "model_name_prefix",
             {.expected = "at most 16", .found = counted(f.model_name_prefix.size(), "character")});
  if (f.has_map_header_ids > 1)
    r.report("platinum.matrix-flags", "has_map_header_ids",
             {.expected = "0 or 1", .found = text(f.has_map_header_ids)});
  if (f.has_altitudes > 1)
    r.report("platinum.matrix-flags", "has_altitudes", {.expected = "0 or 1", .found = text(f.has_altitudes)});
  check_end(r, 5 + f.model_name_prefix.size() +
                   cells * (2u + (f.has_map_header_ids ? 2u : 0u) + (f.has_altitudes ? 1u : 0u)));
}

void check(const AreaData& f, Findings& findings) {
  Reporter r(findings);
  if (f.area_light_archive_id >= 4)
    r.report("platinum.area-light", "area_light_archive_id",
             {.expected = "0 to 3", .found = text(f.area_light_archive_id)});
  check_end(r, 8);
}
void check(const AreaDataHgss&, Findings& findings) {
  Reporter r(findings);
  check_end(r, 8);
}
void check(const AreaBuild& f, Findings& findings) {
  Reporter r(findings);
  std::set<u16> seen;
  for (size_t i = 0; i < f.map_prop_model_ids.size(); ++i) {
    const u16 id = f.map_prop_model_ids[i];
    if (id >= 768)
      r.report("platinum.set-model", at("map_prop_model_ids", i), {.expected = "0 to 767", .found = text(id)});
    if (!seen.insert(id).second)
      r.report("platinum.set-twice", at("map_prop_model_ids", i),
               {.expected = "a prop that is not there yet", .found = text(id, " once more")});
  }
  check_end(r, 2 + 2 * f.map_prop_model_ids.size());
}
void check(const MmList& f, Findings& findings) {
  Reporter r(findings);
  constexpr size_t k_most = 24;
  if (f.sprite_ids.size() - 1 > k_most)
    r.report("platinum.objects-many", at("sprite_ids", k_most),
             {.expected = "at most 24", .found = text(f.sprite_ids.size() - 1, " objects")});
  check_end(r, (2 * f.sprite_ids.size() + 3) / 4 * 4);
}

void check(const BmAnimeList& f, Findings& findings) {
  Reporter r(findings);
  const auto first = std::find_if(f.anime_ids.begin(), f.anime_ids.end(), [](i32 id) { return id < 0; });
  for (auto i = first; i != f.anime_ids.end(); ++i)
    if (*i >= 0)
      r.report("platinum.anime-gap", at("anime_ids", size_t(i - f.anime_ids.begin())),
               {.expected = "-1", .found = text(*i, " behind -1")});
  const bool none = first == f.anime_ids.begin();
  if (f.has_animations != (none ? 0xFF : 1))
    r.report("platinum.anime-flags", "has_animations",
             {.expected = none ? "255 (no)" : "1 (yes)", .found = text(f.has_animations)});
  if (none != (f.flags == 0xFF))
    r.report("platinum.anime-flags", "flags", {.expected = none ? "255 (none)" : "0 to 3", .found = text(f.flags)});
  check_end(r, 20);
}
void check(const Matshp& f, Findings& findings) {
  Reporter r(findings);
  u32 next = 0;
  for (size_t i = 0; i < f.models.size(); ++i) {
    const auto [count, first] = f.models[i];
    const std::string path = at("models", i) + ".first";
    if (count == 0) {
      if (first != k_no_draws)
        r.report("platinum.draw-order", path, {.expected = "65535", .found = text(first, " of a model without draws")});
      continue;
    }
    if (u32(first) + count > f.draws.size())
      r.report("platinum.draw-range", path,
               {.expected = text("draws below ", f.draws.size()), .found = text(count, " from ", first)});
    else if (first != next)
      r.report("platinum.draw-order", path, {.expected = text(next), .found = text(first)});
    next = u32(first) + count;
  }
  if (next < f.draws.size())
    r.report("platinum.draw-order", at("draws", next),
             {.expected = "none", .found = text(f.draws.size() - next, " draws of no model")});
  check_end(r, 4 + 4 * f.models.size() + 4 * f.draws.size());
}
void check(const Fldtanime& f, Findings& findings) {
  Reporter r(findings);
  std::set<std::string_view> names;
  for (size_t i = 0; i < f.textures.size(); ++i) {
    const TextureAnime& t = f.textures[i];
    if (t.frames[0].frame == k_end_of_frames)
      r.report("platinum.texture-frames", at("textures", i) + ".frames[0].frame",
               {.expected = "a picture", .found = "255, the end"});
    if (!names.insert(t.name).second)
      r.report("platinum.texture-twice", at("textures", i) + ".name",
               {.expected = "a texture that is not animated yet", .found = "\"" + printable(t.name) + "\" once more"});
  }
  check_end(r, 4 + TextureAnime::k_least_size * f.textures.size());
}
void check(const ZoneEvent& f, Findings& findings) {
  Reporter r(findings);
  const u64 end = 16 + 20 * f.bg_events.size() + 32 * f.object_events.size() + 12 * f.warp_events.size() +
                  16 * f.coord_events.size();
  constexpr u64 k_room = 2048;
  if (const u64 size = std::max(end, findings.file_size); size >= k_room)
    r.report("platinum.events-size", Place::of_bytes(0, size),
             {.expected = "at most 2047", .found = counted(size, "byte")});
  for (size_t i = 0; i < f.warp_events.size(); ++i)
    if (f.warp_events[i].unused_8)
      r.report("platinum.warp-unused", at("warp_events", i) + ".unused_8",
               {.expected = "0", .found = text(f.warp_events[i].unused_8)});
  check_end(r, end);
}

void check(const AreaLight& f, Findings& findings) {
  Reporter r(findings);
  if (!f.light)
    return r.report("platinum.light-grammar", "raw",
                    {.expected = "blocks of nine lines, then EOF", .found = "other text"});
  const auto& blocks = f.light->blocks;
  i64 before = -1;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const LightBlock& b = blocks[i];
    const std::string path = at("light.blocks", i);
    if (b.end_time <= before)
      r.report("platinum.light-times", path + ".end_time",
               {.expected = text("more than ", before), .found = text(b.end_time)});
    before = b.end_time;
    const auto color = [&](const std::string& of, const auto& c) {
      for (const auto& [field, n] : {std::pair{"red", c.red}, {"green", c.green}, {"blue", c.blue}})
        if (n < 0 || n > 31)
          r.report("platinum.light-color", of + "." + field, {.expected = "0 to 31", .found = text(n)});
    };
    for (size_t l = 0; l < b.lights.size(); ++l) {
      const LightLine& light = b.lights[l];
      const std::string of = path + "." + at("lights", l);
      if (light.enabled != 0 && light.enabled != 1)
        r.report("platinum.light-switch", of + ".enabled", {.expected = "0 or 1", .found = text(light.enabled)});
      color(of, light);
      for (const auto& [field, n] : {std::pair{"x", light.x}, {"y", light.y}, {"z", light.z}})
        if (n < -4096 || n > 4096)
          r.report("platinum.light-vector", of + "." + field, {.expected = "-4096 to 4096", .found = text(n)});
    }
    color(path + ".diffuse", b.diffuse);
    color(path + ".ambient", b.ambient);
    color(path + ".specular", b.specular);
    color(path + ".emission", b.emission);
  }
  if (before >= 0 && before != k_light_times_per_day)
    r.report("platinum.light-times", at("light.blocks", blocks.size() - 1) + ".end_time",
             {.expected = text(k_light_times_per_day, ", the end of the day"), .found = text(before)});
  if (!f.light->ending.empty() && f.light->ending != "\r\n")
    r.report("platinum.light-ending", "light.ending",
             {.expected = "CR LF or nothing", .found = counted(f.light->ending.size(), "byte")});
}

}  // namespace dio::platinum
