// tables.cpp: what breaks the game in one of its small files. Numbers of other files are not checked here, except
// against limits of the game itself.
#include <algorithm>
#include <set>

#include "formats/contract/findings.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {

namespace {

using enum Severity;
constexpr Rule k_of_tables[] = {
    {"platinum.trailing-bytes", warning, "nothing follows the contents of a file",
     "The game does not read the bytes after that.", "Remove the bytes, or correct the count if it is too small.",
     "MTX-1, ARE-2, ANI-1, EVT-1; README, Sizes"},
    {"platinum.area-light", error, "an area uses one of the four light files",
     "The game reads a file that does not exist.", "Choose light file 0 to 3.",
     "ARE-1; AREA_LIGHT_FILE_COUNT in area_light.c"},
    {"platinum.set-model", error, "the prop models of an area have numbers below 768",
     "The game uses the number as an index into an array of 768 entries.", "Choose a model below 768.",
     "ARE-2; README, Areas"},
    {"platinum.set-twice", warning, "an area lists each prop model once",
     "The model is loaded twice, and only one of the two is ever freed.", "Remove one of the two entries.",
     "ARE-2; none of 71 real files"},
    {"platinum.objects-many", error, "at most 24 objects are preloaded", "The game has room for 24.",
     "Remove objects until 24 are left.", "HDR-2; README, Preloaded objects"},
    {"platinum.anime-gap", warning, "the animations of a prop come before the first -1",
     "The game stops there: the animations after it are never loaded.", "Move the animation before the first -1.",
     "ANI-1; map_prop_animation.c"},
    {"platinum.anime-flags", warning, "has_animations and flags of a prop match its list of animations",
     "The game reads the flags of a prop without animations as if it had some.",
     "Set has_animations and the flags as the message says.", "ANI-1; none of 590 real files"},
    {"platinum.draw-range", error, "the draws of a model lie inside the table",
     "The game reads past the end of the table.",
     "Correct the first draw or the count of the model, or build the file again: `dio maps GAME --make matshp`.",
     "MSH-1; no bounds check in build_model_matshp.c"},
    {"platinum.draw-order", hint, "the draws of the models follow each other without gaps",
     "Draws outside the range of every model are unused, and shared ones change several models.",
     "Build the file again: `dio maps GAME --make matshp`.", "MSH-1; all 590 real models"},
    {"platinum.texture-frames", error, "the animation of a texture has at least one picture",
     "The game copies a picture that does not exist.", "Give the animation at least one picture before its end (255).",
     "README, Animated textures; none of 52 real records"},
    {"platinum.texture-twice", warning, "each texture has one animation at most",
     "Both animations overwrite the same texture in turn.", "Remove one of the two animations.",
     "README, Animated textures; none of 52 real records"},
    {"platinum.events-size", error, "an events file is smaller than 2048 bytes",
     "The game reads it into a buffer of 2048 bytes.", "Remove events, or shorten the lists of the map.",
     "EVT-1; MapHeaderData in map_header_data.h"},
    {"platinum.warp-unused", hint, "the last four bytes of a warp are 0", "The game does not read them.",
     "Nothing has to be done.", "README, Events"},
    {"platinum.map-name", hint, "every header has a unique name",
     "The name is shown in lists of maps; two equal ones are hard to tell apart.", "Give the header another name.",
     "README, Map names; mapname.bin"},
};

constexpr Rule k_of_headers[] = {
    {"platinum.camera", error, "the camera of a map is one of 17",
     "The game uses the number as an index into a table of 17 entries.", "Choose a camera from 0 to 16.",
     "HDR-3; field_camera.c"},
    {"platinum.label-window", error, "the label window of a map is one of 10",
     "The game uses the number as an index into a table of 10 entries.", "Choose a window from 0 to 9.",
     "HDR-3; none of 593 real headers"},
    {"platinum.map-type", warning, "the type of a map is 0 to 6", "The game knows no other types.",
     "Choose a type from 0 to 6.", "HDR-3; map_header.h"},
    {"platinum.battle-background", error, "the battle background of a map is one of 23",
     "The game uses the number as an index into a table of 23 entries.", "Choose a background from 0 to 22.",
     "HDR-3; generated/battle_backgrounds.txt"},
    {"platinum.weather", warning, "the weather of a map is below 37", "The game knows no other weather.",
     "Choose a weather from 0 to 36.", "HDR-3; overworld_weather.h"},
};

constexpr Rule k_of_matrices[] = {
    {"platinum.matrix-empty", error, "a matrix has cells", "The game reads cell 0 of every matrix.",
     "Set the width and the height to at least 1, with as many cells.", "MTX-1; none of 289 real files"},
    {"platinum.matrix-large", error, "a matrix has at most 900 cells", "The game has room for 30 x 30.",
     "Remove rows or columns until at most 900 cells are left.", "MTX-2; map_matrix.c"},
    {"platinum.matrix-prefix", error, "the prefix of model names has at most 16 characters",
     "The game has room for 16.", "Shorten the prefix.", "MTX-2; map_matrix.c"},
    {"platinum.matrix-flags", hint, "the flag of a list is 1 if the list is present, otherwise 0",
     "The game takes every other value as 1.", "Set the flag to 1 or 0.", "MTX-1; none of 289 real files"},
};

constexpr Rule k_of_lights[] = {
    {"platinum.light-grammar", error,
     "a light file consists of blocks of nine lines and an empty one, with a comma after each number and CR LF after "
     "each line, then the word \"EOF\"",
     "The game reads past the end, or reads other numbers.",
     "Correct the line that the message names, by the lines of another light file.",
     "LGT-1; AreaLightTemplate_New in area_light.c"},
    {"platinum.light-ending", hint, "CR LF or nothing follows the word \"EOF\"", "The game does not read further.",
     "Remove what follows \"EOF\", or replace it with CR LF.", "LGT-1; 4 real files"},
    {"platinum.light-times", warning, "the times of the blocks increase up to 43200",
     "The game moves on by one block per frame until it finds the block of the current time, so it may show the wrong "
     "light.",
     "Sort the blocks by time; the last one ends at 43200 (midnight, in units of two seconds).", "LGT-2; area_light.c"},
    {"platinum.light-color", warning, "colours are 0 to 31", "A larger value spills into the next channel.",
     "Use values from 0 to 31.", "LGT-3; GX_RGB in area_light.c"},
    {"platinum.light-vector", warning, "the components of a light's vector are -4096 to 4096", "The game clamps them.",
     "Use values from -4096 to 4096; 4096 is 1.", "LGT-3; area_light.c"},
    {"platinum.light-switch", hint, "a light is on (1) or off (0)", "The game treats every value except 1 as off.",
     "Set the value to 1 or 0.", "area_light.c"},
};

std::string element_path(std::string_view list, size_t i) { return text(list, "[", i, "]"); }

/// `end`: where the described contents end.
void check_trailing_bytes(Reporter& r, u64 end) {
  const u64 size = r.findings.file_size;
  if (size > end)
    r.report("platinum.trailing-bytes", Location::of_bytes(end, size - end),
             {.message = text("the contents end at byte ", end, ", but ", format_count(size - end, "more byte"),
                              size - end == 1 ? " follows" : " follow")});
}

void check_header(Reporter& r, const MapHeader& h, size_t i) {
  const auto check_max = [&](const char* rule, const char* field, u32 value, u32 limit) {
    if (value > limit)
      r.report(rule, element_path("headers", i) + "." + field,
               {.message = text(field, " is ", value, "; must be 0 to ", limit)});
  };
  check_max("platinum.camera", "camera_type", h.camera_type, 16);
  check_max("platinum.label-window", "map_label_window_id", h.map_label_window_id, 9);
  check_max("platinum.map-type", "map_type", h.map_type, 6);
  check_max("platinum.battle-background", "battle_bg", h.battle_bg, 22);
  check_max("platinum.weather", "weather", h.weather, 36);
}

}  // namespace

constinit const std::span<const Rule> k_table_rules = k_of_tables;
constinit const std::span<const Rule> k_header_rules = k_of_headers;
constinit const std::span<const Rule> k_matrix_rules = k_of_matrices;
constinit const std::span<const Rule> k_light_rules = k_of_lights;

void check(const MapHeaders& f, Findings& findings) {
  Reporter r(findings);
  for (size_t i = 0; i < f.headers.size(); ++i) check_header(r, f.headers[i], i);
  check_trailing_bytes(r, f.headers.size() * k_header_size);
}
void check(const Arm9& f, Findings& findings) {
  Reporter r(findings);
  for (size_t i = 0; i < f.headers.size(); ++i) check_header(r, f.headers[i], i);
}
void check(const MapHeadersDp& f, Findings& findings) {
  Reporter r(findings);
  for (size_t i = 0; i < f.headers.size(); ++i)
    if (f.headers[i].map_type > 6)
      r.report("platinum.map-type", element_path("headers", i) + ".map_type",
               {.message = text("map_type is ", f.headers[i].map_type, "; must be 0 to 6")});
  check_trailing_bytes(r, f.headers.size() * k_header_size);
}
void check(const MapHeadersHgss& f, Findings& findings) {
  Reporter r(findings);
  check_trailing_bytes(r, f.headers.size() * k_header_size);
}

void check(const MapNames& f, Findings& findings) {
  Reporter r(findings);
  std::set<std::string_view> names;
  for (size_t i = 0; i < f.names.size(); ++i) {
    const std::string& name = f.names[i].name;
    if (name.empty())
      r.report("platinum.map-name", element_path("names", i) + ".name", {.message = "the header has no name"});
    else if (!names.insert(name).second)
      r.report("platinum.map-name", element_path("names", i) + ".name",
               {.message = "duplicate name \"" + escape_control_chars(name) + "\""});
  }
  check_trailing_bytes(r, f.names.size() * MapName::k_least_size);
}

void check(const MapMatrix& f, Findings& findings) {
  Reporter r(findings);
  const u64 cells = u64(f.width) * f.height;
  if (!cells)
    r.report("platinum.matrix-empty", f.width ? "height" : "width",
             {.message = text("the matrix has no cells: its size is ", f.width, " x ", f.height)});
  if (cells > 900)
    r.report("platinum.matrix-large", "width",
             {.message = text("the matrix has ", f.width, " x ", f.height, " = ", cells, " cells (at most 900)")});
  if (f.model_name_prefix.size() > 16)
    r.report("platinum.matrix-prefix", "model_name_prefix",
             {.message = text("the prefix has ", f.model_name_prefix.size(), " characters (at most 16)")});
  if (f.has_map_header_ids > 1)
    r.report("platinum.matrix-flags", "has_map_header_ids",
             {.message = text("has_map_header_ids is ", f.has_map_header_ids, "; must be 0 or 1")});
  if (f.has_altitudes > 1)
    r.report("platinum.matrix-flags", "has_altitudes",
             {.message = text("has_altitudes is ", f.has_altitudes, "; must be 0 or 1")});
  check_trailing_bytes(r, 5 + f.model_name_prefix.size() +
                              cells * (2u + (f.has_map_header_ids ? 2u : 0u) + (f.has_altitudes ? 1u : 0u)));
}

void check(const AreaData& f, Findings& findings) {
  Reporter r(findings);
  if (f.area_light_archive_id >= 4)
    r.report("platinum.area-light", "area_light_archive_id",
             {.message = text("light file ", f.area_light_archive_id, " does not exist; the game has 0 to 3")});
  check_trailing_bytes(r, 8);
}
void check(const AreaDataHgss&, Findings& findings) {
  Reporter r(findings);
  check_trailing_bytes(r, 8);
}
void check(const AreaBuild& f, Findings& findings) {
  Reporter r(findings);
  std::set<u16> seen;
  for (size_t i = 0; i < f.map_prop_model_ids.size(); ++i) {
    const u16 id = f.map_prop_model_ids[i];
    if (id >= 768)
      r.report("platinum.set-model", element_path("map_prop_model_ids", i),
               {.message = text("prop model ", id, " is out of range (0 to 767)")});
    if (!seen.insert(id).second)
      r.report("platinum.set-twice", element_path("map_prop_model_ids", i),
               {.message = text("prop model ", id, " is listed more than once")});
  }
  check_trailing_bytes(r, 2 + 2 * f.map_prop_model_ids.size());
}
void check(const MmList& f, Findings& findings) {
  Reporter r(findings);
  constexpr size_t k_most = 24;
  if (f.sprite_ids.size() - 1 > k_most)
    r.report("platinum.objects-many", element_path("sprite_ids", k_most),
             {.message = text("the list has ", f.sprite_ids.size() - 1, " objects (at most 24)")});
  check_trailing_bytes(r, (2 * f.sprite_ids.size() + 3) / 4 * 4);
}

static void check_animations(Reporter& r, const auto& f, const char* flags) {
  const auto first = std::find_if(f.anime_ids.begin(), f.anime_ids.end(), [](i32 id) { return id < 0; });
  for (auto i = first; i != f.anime_ids.end(); ++i)
    if (*i >= 0)
      r.report("platinum.anime-gap", element_path("anime_ids", size_t(i - f.anime_ids.begin())),
               {.message = text("animation ", *i, " comes after -1, which ends the list")});
  const bool none = first == f.anime_ids.begin();
  if (f.has_animations != (none ? 0xFF : 1))
    r.report("platinum.anime-flags", "has_animations",
             {.message = text("has_animations is ", f.has_animations,
                              none ? "; must be 255, because there are no animations"
                                   : "; must be 1, because there are animations")});
  if (none != (f.flags == 0xFF))
    r.report("platinum.anime-flags", "flags",
             {.message = text("flags is ", f.flags,
                              none ? std::string("; must be 255, because there are no animations")
                                   : text("; must be ", flags, ", because there are animations"))});
}
void check(const BmAnimeList& f, Findings& findings) {
  Reporter r(findings);
  check_animations(r, f, "0 to 3");
  check_trailing_bytes(r, wire_size<BmAnimeList>());
}
void check(const BmAnimeListHgss& f, Findings& findings) {
  Reporter r(findings);
  check_animations(r, f, "0 to 3, or 8");
  check_trailing_bytes(r, wire_size<BmAnimeListHgss>());
}
void check(const Matshp& f, Findings& findings) {
  Reporter r(findings);
  u32 next = 0;
  for (size_t i = 0; i < f.models.size(); ++i) {
    const auto [count, first] = f.models[i];
    const std::string path = element_path("models", i) + ".first";
    if (count == 0) {
      if (first != k_no_draws)
        r.report("platinum.draw-order", path,
                 {.message = text("the model has no draws, but its first draw is ", first, "; must be 65535")});
      continue;
    }
    if (u32(first) + count > f.draws.size())
      r.report("platinum.draw-range", path,
               {.message = text("the model has draws ", first, " to ", u32(first) + count - 1, "; the table has ",
                                format_count(f.draws.size(), "draw"))});
    else if (first != next)
      r.report("platinum.draw-order", path,
               {.message = text("the first draw of the model is ", first, "; it should be ", next,
                                ", the one after the draws of the previous model")});
    next = u32(first) + count;
  }
  if (next < f.draws.size())
    r.report("platinum.draw-order", element_path("draws", next),
             {.message = text(format_count(f.draws.size() - next, "draw"), f.draws.size() - next == 1
                                                                               ? " at the end belongs to no model"
                                                                               : " at the end belong to no model")});
  check_trailing_bytes(r, 4 + 4 * f.models.size() + 4 * f.draws.size());
}
void check(const Fldtanime& f, Findings& findings) {
  Reporter r(findings);
  std::set<std::string_view> names;
  for (size_t i = 0; i < f.textures.size(); ++i) {
    const TextureAnime& t = f.textures[i];
    if (t.frames[0].frame == k_end_of_frames)
      r.report("platinum.texture-frames", element_path("textures", i) + ".frames[0].frame",
               {.message = "the animation has no pictures: its first entry is 255, the end"});
    if (!names.insert(t.name).second)
      r.report("platinum.texture-twice", element_path("textures", i) + ".name",
               {.message = "the texture \"" + escape_control_chars(t.name) + "\" already has an animation"});
  }
  check_trailing_bytes(r, 4 + TextureAnime::k_least_size * f.textures.size());
}
void check(const ZoneEvent& f, Findings& findings) {
  Reporter r(findings);
  const u64 end = 16 + 20 * f.bg_events.size() + 32 * f.object_events.size() + 12 * f.warp_events.size() +
                  16 * f.coord_events.size();
  if (const u64 size = std::max(end, findings.file_size); size > k_events_room)
    r.report("platinum.events-size", Location::of_bytes(0, size),
             {.message = text("the events take ", size, " bytes (at most ", k_events_room, ")")});
  for (size_t i = 0; i < f.warp_events.size(); ++i)
    if (f.warp_events[i].unused_8)
      r.report("platinum.warp-unused", element_path("warp_events", i) + ".unused_8",
               {.message = text("unused_8 is ", f.warp_events[i].unused_8, "; must be 0")});
  check_trailing_bytes(r, end);
}

/// The line, counted from 1, where a text that is kept as raw bytes leaves the form of the game; 0: it does not.
static u64 find_malformed_line(const Bytes& file) {
  const auto again = dio::load<AreaLight>(file);
  if (!again) return 0;
  for (const Diagnostic& d : again->notes)
    if (d.id == "layout.raw" && d.place.known()) {
      const auto wrong = file.begin() + std::ptrdiff_t(std::min<u64>(d.place.offset, file.size()));
      return 1 + u64(std::count(file.begin(), wrong, u8('\n')));
    }
  return 0;
}

void check(const AreaLight& f, Findings& findings) {
  Reporter r(findings);
  if (!f.light) {
    const u64 line = f.raw ? find_malformed_line(*f.raw) : 0;
    return r.report("platinum.light-grammar", "raw",
                    {.message = text(line ? text("line ", line) : std::string("the text"),
                                     " is not in the form that the game reads: blocks of nine lines and an empty one, "
                                     "each ending in CR LF, then the word \"EOF\"")});
  }
  const auto& blocks = f.light->blocks;
  i64 before = -1;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const LightBlock& b = blocks[i];
    const std::string path = element_path("light.blocks", i);
    if (b.end_time <= before)
      r.report("platinum.light-times", path + ".end_time",
               {.message = text("end_time is ", b.end_time,
                                i ? text("; must be greater than that of the previous block, ", before)
                                  : std::string("; must not be negative"))});
    before = b.end_time;
    const auto check_color = [&](const std::string& of, const auto& c) {
      for (const auto& [field, n] : {std::pair{"red", c.red}, {"green", c.green}, {"blue", c.blue}})
        if (n < 0 || n > 31)
          r.report("platinum.light-color", of + "." + field, {.message = text(field, " is ", n, "; must be 0 to 31")});
    };
    for (size_t l = 0; l < b.lights.size(); ++l) {
      const LightLine& light = b.lights[l];
      const std::string of = path + "." + element_path("lights", l);
      if (light.enabled != 0 && light.enabled != 1)
        r.report("platinum.light-switch", of + ".enabled",
                 {.message = text("enabled is ", light.enabled, "; must be 0 or 1")});
      check_color(of, light);
      for (const auto& [field, n] : {std::pair{"x", light.x}, {"y", light.y}, {"z", light.z}})
        if (n < -4096 || n > 4096)
          r.report("platinum.light-vector", of + "." + field,
                   {.message = text(field, " is ", n, "; must be -4096 to 4096")});
    }
    check_color(path + ".diffuse", b.diffuse);
    check_color(path + ".ambient", b.ambient);
    check_color(path + ".specular", b.specular);
    check_color(path + ".emission", b.emission);
  }
  if (before >= 0 && before != k_light_times_per_day)
    r.report("platinum.light-times", element_path("light.blocks", blocks.size() - 1) + ".end_time",
             {.message = text("the last block ends at ", before, "; must be ", k_light_times_per_day,
                              ", the end of the day")});
  if (!f.light->ending.empty() && f.light->ending != "\r\n")
    r.report("platinum.light-ending", "light.ending",
             {.message = text(format_count(f.light->ending.size(), "byte"),
                              f.light->ending.size() == 1 ? " follows" : " follow",
                              " the word \"EOF\"; it must be CR LF or nothing")});
}

}  // namespace dio::platinum
