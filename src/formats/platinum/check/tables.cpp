// tables.cpp: checks of the small files. References to other files are checked only against the game's own limits.
#include <algorithm>
#include <set>

#include "formats/contract/findings.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {

namespace {

using enum Severity;
constexpr Rule k_of_tables[] = {
    {"platinum.trailing-bytes", warning, "a file has no bytes after its contents",
     "The game does not read bytes after the contents of a file.",
     "Remove the bytes after the contents, or correct the count of entries if it is too small.",
     "src/formats/platinum/README.md#sizes"},
    {"platinum.area-light", error, "an area uses one of the four light files",
     "If the number of the light file is above 3, the game reads a file that does not exist.",
     "Choose light file 0 to 3.", "pret/pokeplatinum, area_light.c (AREA_LIGHT_FILE_COUNT)"},
    {"platinum.set-model", error, "the prop models of an area have numbers below 768",
     "The game uses the model number as an index into an array of 768 entries without checking it.",
     "Choose a model number below 768.", "pret/pokeplatinum, area_data.c"},
    {"platinum.set-twice", warning, "an area lists each prop model once",
     "If a model is listed twice, the game loads it twice and frees only one of the copies.",
     "Remove one of the two entries for the prop model.", "pret/pokeplatinum, area_data.c; measured on 71 files"},
    {"platinum.objects-many", error, "a list of preloaded objects has at most 24 objects",
     "The game has room for only 24 preloaded objects.", "Remove objects from the list until 24 are left.",
     "src/formats/platinum/README.md#preloaded-objects-props"},
    {"platinum.anime-gap", warning, "the list of a prop's animations has no animation after the first -1",
     "The game stops at the first -1 and never loads the animations after it.",
     "Move the animation before the first -1.", "pret/pokeplatinum, map_prop_animation.c"},
    {"platinum.anime-flags", warning, "has_animations and the flags of a prop match its list of animations",
     "If a prop has no animations but its flags say otherwise, the game treats the prop as animated.",
     "Set has_animations and the flags to the values in the message.",
     "pret/pokeplatinum, map_prop_animation.h; measured on 590 files"},
    {"platinum.draw-range", error, "the draws of a model are inside the table of draws",
     "If a draw is outside the table, the game reads past the end of the table.",
     "Correct the first draw or the draw count of the model, or build the file again with {maps GAME --make matshp}.",
     "src/formats/platinum/README.md#preloaded-objects-props"},
    {"platinum.draw-order", hint, "the draws of each model directly follow those of the previous model",
     "The game never uses draws that belong to no model; a change to shared draws affects several models.",
     "Build the file again with {maps GAME --make matshp}.",
     "measured on 590 models; src/formats/platinum/README.md#preloaded-objects-props"},
    {"platinum.texture-frames", error, "a texture animation has at least one picture",
     "If the animation has no picture, the game copies a picture that does not exist.",
     "Add at least one picture before the end marker (255).",
     "measured on 52 animations; src/formats/platinum/README.md#animated-textures"},
    {"platinum.texture-twice", warning, "every texture has at most one animation",
     "If a texture has two animations, both overwrite the texture in turn.",
     "Remove one of the two animations of the texture.",
     "measured on 52 animations; src/formats/platinum/README.md#animated-textures"},
    {"platinum.events-size", error, "an events file is smaller than 2,048 bytes",
     "The game reads the events file into a 2,048-byte buffer.", "Remove events from the file.",
     "pret/pokeplatinum, map_header_data.h"},
    {"platinum.warp-unused", hint, "the last four bytes of a warp are 0",
     "The game does not read the last four bytes of a warp.", "No action is needed.",
     "src/formats/platinum/README.md#events"},
    {"platinum.map-name", hint, "every header has a unique name",
     "Lists of maps show the name, and two equal names are hard to tell apart.", "Give the header another name.",
     "src/formats/platinum/README.md#map-names"},
};

constexpr Rule k_of_headers[] = {
    {"platinum.camera", error, "the camera number of a map is 0 to 16",
     "The game uses the camera number as an index into a table of 17 cameras.", "Choose a camera number from 0 to 16.",
     "pret/pokeplatinum, field_camera.c"},
    {"platinum.label-window", error, "the number of the label window (the frame around the map name) is 0 to 9",
     "The game uses the number of the label window as an index into a table of 10 windows.",
     "Choose a label window from 0 to 9.", "measured on 593 map headers"},
    {"platinum.map-type", warning, "the type of a map is 0 to 6", "The game knows only map types 0 to 6.",
     "Choose a map type from 0 to 6.", "pret/pokeplatinum, map_header.h"},
    {"platinum.battle-background", error, "the battle background of a map is 0 to 22",
     "The game uses the number of the battle background as an index into a table of 23 backgrounds.",
     "Choose a battle background from 0 to 22.", "pret/pokeplatinum, generated/battle_backgrounds.txt"},
    {"platinum.weather", warning, "the weather of a map is 0 to 36", "The game knows only weather 0 to 36.",
     "Choose a weather from 0 to 36.", "pret/pokeplatinum, overworld_weather.h"},
};

constexpr Rule k_of_matrices[] = {
    {"platinum.matrix-empty", error, "a map matrix has at least one cell",
     "The game reads the first cell of every matrix.",
     "Set the width and height of the matrix to at least 1, and add the cells.", "measured on 289 matrices"},
    {"platinum.matrix-large", error, "a map matrix has at most 900 cells",
     "The game has room for a matrix of 900 cells (30 x 30).",
     "Remove rows or columns until at most 900 cells are left.", "pret/pokeplatinum, map_matrix.c"},
    {"platinum.matrix-prefix", error, "the prefix of model names in a map matrix has at most 16 characters",
     "The game has room for a prefix of 16 characters.", "Shorten the prefix to 16 characters.",
     "pret/pokeplatinum, map_matrix.c"},
    {"platinum.matrix-flags", hint,
     "the flags has_map_header_ids and has_altitudes are 1 if the matrix has the list, and 0 otherwise",
     "The game treats every flag value other than 0 as 1.",
     "Set the flag to 1 if the matrix has the list, and to 0 otherwise.", "measured on 289 matrices"},
};

constexpr Rule k_of_lights[] = {
    {"platinum.light-grammar", error,
     "a light file consists of blocks of nine lines and an empty line, then the word \"EOF\"; each number is followed "
     "by a comma, and each line ends in CR LF",
     "If the text is in another format, the game reads past its end, or reads wrong numbers.",
     "Correct the line given in the message; compare it with another light file.",
     "pret/pokeplatinum, area_light.c (AreaLightTemplate_New); src/formats/platinum/README.md#light"},
    {"platinum.light-ending", hint, "a light file ends with the word \"EOF\", or with \"EOF\" and CR LF",
     "The game does not read past \"EOF\".", "Remove the text after \"EOF\", or replace it with CR LF.",
     "measured on 4 light files"},
    {"platinum.light-times", warning,
     "the end times of the blocks in a light file increase, and the last end time is 43200",
     "The game advances one block per frame until it reaches the block for the current time. If the end times are out "
     "of order, the game may show the wrong light.",
     "Sort the blocks by end time, and set the end time of the last block to 43200 (midnight, in units of two "
     "seconds).",
     "pret/pokeplatinum, area_light.c; src/formats/platinum/README.md#light"},
    {"platinum.light-color", warning, "the colour channels in a light file are 0 to 31",
     "A channel value above 31 also changes the next colour channel.", "Use colour channel values from 0 to 31.",
     "pret/pokeplatinum, area_light.c"},
    {"platinum.light-vector", warning, "the components of a light vector are -4096 to 4096",
     "The game clamps vector components outside -4096 to 4096.",
     "Use vector components from -4096 to 4096 (4096 means 1).", "pret/pokeplatinum, area_light.c"},
    {"platinum.light-switch", hint, "the enabled field of a light is 1 (on) or 0 (off)",
     "If the enabled field is not 1, the game treats the light as off.",
     "Set the enabled field of the light to 1 or 0.", "pret/pokeplatinum, area_light.c"},
};

std::string element_path(std::string_view list, size_t i) { return text(list, "[", i, "]"); }

/// `end`: the end of the described contents.
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
               {.message = text(field, " is ", value, "; it must be 0 to ", limit)});
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
               {.message = text("map_type is ", f.headers[i].map_type, "; it must be 0 to 6")});
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
             {.message = text("has_map_header_ids is ", f.has_map_header_ids, "; it must be 0 or 1")});
  if (f.has_altitudes > 1)
    r.report("platinum.matrix-flags", "has_altitudes",
             {.message = text("has_altitudes is ", f.has_altitudes, "; it must be 0 or 1")});
  check_trailing_bytes(r, 5 + f.model_name_prefix.size() +
                              cells * (2u + (f.has_map_header_ids ? 2u : 0u) + (f.has_altitudes ? 1u : 0u)));
}

void check(const AreaData& f, Findings& findings) {
  Reporter r(findings);
  if (f.area_light_archive_id >= 4)
    r.report("platinum.area-light", "area_light_archive_id",
             {.message = text("light file ", f.area_light_archive_id, " does not exist; the game has files 0 to 3")});
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
                              none ? "; it must be 255, because there are no animations"
                                   : "; it must be 1, because there are animations")});
  if (none != (f.flags == 0xFF))
    r.report("platinum.anime-flags", "flags",
             {.message = text("the flags field is ", f.flags,
                              none ? std::string("; it must be 255, because there are no animations")
                                   : text("; it must be ", flags, ", because there are animations"))});
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
                 {.message = text("the model has no draws, but its first draw is ", first, "; it must be 65535")});
      continue;
    }
    if (u32(first) + count > f.draws.size())
      r.report(
          "platinum.draw-range", path,
          {.message = text("the model has draws ", first, " to ", u32(first) + count - 1, ", but the table has only ",
                           format_count(f.draws.size(), "draw"), ", counted from 0")});
    else if (first != next)
      r.report("platinum.draw-order", path,
               {.message = text("the first draw of the model is ", first, "; it should be ", next,
                                ", right after the draws of the previous model")});
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
               {.message = "the animation has no pictures: its first entry is the end marker, 255"});
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
               {.message = text("unused_8 is ", f.warp_events[i].unused_8, "; it must be 0")});
  check_trailing_bytes(r, end);
}

/// The first line, counted from 1, where a raw text deviates from the form of the game; 0 if it does not.
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
                                     " is not in the format that the game reads; a light file must consist of blocks "
                                     "of nine lines and an empty line, each ending in CR LF, then the word \"EOF\"")});
  }
  const auto& blocks = f.light->blocks;
  i64 before = -1;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const LightBlock& b = blocks[i];
    const std::string path = element_path("light.blocks", i);
    if (b.end_time <= before)
      r.report("platinum.light-times", path + ".end_time",
               {.message = text("end_time is ", b.end_time,
                                i ? text("; it must be greater than the end_time of the previous block, ", before)
                                  : std::string("; it must not be negative"))});
    before = b.end_time;
    const auto check_color = [&](const std::string& of, const auto& c) {
      for (const auto& [field, n] : {std::pair{"red", c.red}, {"green", c.green}, {"blue", c.blue}})
        if (n < 0 || n > 31)
          r.report("platinum.light-color", of + "." + field,
                   {.message = text(field, " is ", n, "; it must be 0 to 31")});
    };
    for (size_t l = 0; l < b.lights.size(); ++l) {
      const LightLine& light = b.lights[l];
      const std::string of = path + "." + element_path("lights", l);
      if (light.enabled != 0 && light.enabled != 1)
        r.report("platinum.light-switch", of + ".enabled",
                 {.message = text("enabled is ", light.enabled, "; it must be 0 or 1")});
      check_color(of, light);
      for (const auto& [field, n] : {std::pair{"x", light.x}, {"y", light.y}, {"z", light.z}})
        if (n < -4096 || n > 4096)
          r.report("platinum.light-vector", of + "." + field,
                   {.message = text(field, " is ", n, "; it must be -4096 to 4096")});
    }
    check_color(path + ".diffuse", b.diffuse);
    check_color(path + ".ambient", b.ambient);
    check_color(path + ".specular", b.specular);
    check_color(path + ".emission", b.emission);
  }
  if (before >= 0 && before != k_light_times_per_day)
    r.report("platinum.light-times", element_path("light.blocks", blocks.size() - 1) + ".end_time",
             {.message = text("the last block ends at ", before, "; it must end at ", k_light_times_per_day,
                              ", the end of the day")});
  if (!f.light->ending.empty() && f.light->ending != "\r\n")
    r.report("platinum.light-ending", "light.ending",
             {.message = text(format_count(f.light->ending.size(), "byte"),
                              f.light->ending.size() == 1 ? " follows" : " follow",
                              " the word \"EOF\"; only CR LF, or nothing, may follow")});
}

}  // namespace dio::platinum
