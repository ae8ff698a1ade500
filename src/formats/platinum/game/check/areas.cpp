// areas.cpp: checks that lands and props of areas find their models and textures, and that these fit in memory.
#include <algorithm>
#include <map>
#include <set>

#include "formats/nitro/scene/surfaces.hpp"
#include "formats/platinum/game/check/checks.hpp"
#include "formats/platinum/game/memory_limits.hpp"

namespace dio::platinum {

namespace {

constexpr u32 k_stand_in = 0;  // the prop model that is always loaded

using Names = std::set<std::string_view>;

Names collect_names(const auto& list) {
  Names out;
  for (const auto& x : list) out.insert(x.name);
  return out;
}

}  // namespace

std::vector<std::string> missing_names(const nitro::Model& model, const nitro::Textures& set) {
  const nitro::Textures* only[] = {&set};
  return nitro::missing_names(model, only);
}

void GameCheck::check_areas() {
  for (u32 i = 0; i < t.areas.size(); ++i) {
    if (!t.areas[i]) continue;
    const Area& a = *t.areas[i];
    const auto check_index_range = [&](std::string_view field, u32 value, FileRole role) {
      const u32 n = t.files().of(role).count();
      if (n && value >= n)
        out.report("platinum.area-range", dio::Location::in_file(path(FileRole::areas, i), std::string(field)),
                   {.message = text(field, " is ", value, ", but ", t.files().path(role), " has only ",
                                    format_count(n, "member"))});
    };
    check_index_range("map_prop_archives_id", a.prop_set, FileRole::prop_sets);
    check_index_range("map_texture_archive_id", a.texture_set, FileRole::map_textures);
    check_index_range("area_light_archive_id", a.light, FileRole::lights);

    const TextureMemory memory = compute_texture_memory(t, a);
    const auto check_memory_limit = [&](u64 size, u64 room, std::string_view what) {
      if (size > room)
        out.report("platinum.texture-memory", dio::Location::in_file(path(FileRole::areas, i)),
                   {.message = text("the ", what, " of the area take ", size, " bytes (at most ", room, ")")});
    };
    check_memory_limit(memory.texels, TextureMemory::k_most_texels, "textures");
    check_memory_limit(memory.blocks, TextureMemory::k_most_blocks, "textures of 4x4 blocks");
    check_memory_limit(memory.palettes, TextureMemory::k_most_palettes, "palettes");
  }

  // Checks every use of a land: its textures and props.
  std::set<std::pair<u32, u32>> props_told;
  for (const Use& use : uses) {
    const auto land = t.land(use.land);
    if (!land || use.area >= t.areas.size() || !t.areas[use.area]) continue;
    const Area& area = *t.areas[use.area];
    const bool filler = use.header == k_everywhere;
    const std::string where = text("area ", use.area, ", matrix ", use.matrix, ", ", header_text(use.header));
    if (const auto set = t.map_textures(area.texture_set); set && !land->model.models.empty())
      if (const auto missing = missing_names(land->model.models[0], set->textures); !missing.empty())
        out.report(filler ? Severity::hint : Severity::warning, "platinum.map-texture",
                   dio::Location::in_file(path(FileRole::lands, use.land), "model.models[0]"),
                   {.message = text("texture set ", area.texture_set, " lacks ", join_first_names(missing)),
                    .hint = "the land is shown in " + where});
    if (!props_told.insert({use.land, use.area}).second) continue;
    if (area.prop_set >= t.prop_sets.size() || !t.prop_sets[area.prop_set]) continue;
    const auto& models = *t.prop_sets[area.prop_set];
    std::set<u32> told;
    for (size_t p = 0; p < std::min(land->props.size(), k_most_props); ++p) {
      const u32 model = land->props[p].model_id;
      if (model == k_stand_in || std::find(models.begin(), models.end(), model) != models.end()) continue;
      if (told.insert(model).second)
        out.report("platinum.prop-not-in-set",
                   dio::Location::in_file(path(FileRole::lands, use.land), text("props[", p, "].model_id")),
                   {.message = text("model ", model, " is not in prop set ", area.prop_set),
                    .hint = "the land is shown in " + where});
    }
  }
  for (u32 n = 0; n < t.files().of(FileRole::lands).count(); ++n) {
    const u32 models = std::max(t.files().of(FileRole::props).count(), t.files().of(FileRole::room_props).count());
    const auto land = models ? t.land(n) : nullptr;
    for (size_t p = 0; land && p < std::min(land->props.size(), k_most_props); ++p)
      if (land->props[p].model_id >= models)
        out.report("platinum.prop-range",
                   dio::Location::in_file(path(FileRole::lands, n), text("props[", p, "].model_id")),
                   {.message = text("prop model ", land->props[p].model_id, " does not exist; there are ",
                                    format_count(models, "model"), ", counted from 0")});
  }
}

void GameCheck::check_prop_sets() {
  for (u32 i = 0; i < t.prop_sets.size(); ++i)
    if (t.prop_sets[i]) check_prop_set(i);
}

void GameCheck::check_prop_set(u32 i) {
  const FileRole role = t.prop_role_of_set(i);
  const u32 model_count = t.files().of(role).count();
  const std::string file = path(FileRole::prop_sets, i);
  const auto place = [](size_t k) { return text("map_prop_model_ids[", k, "]"); };
  const auto textures = t.prop_textures(i);
  bool all_read = t.files().missing().empty();  // a missing file could use any texture
  std::set<std::string_view> used;
  std::vector<std::shared_ptr<const nitro::Nsbmd>> models;  // own the names
  std::vector<std::shared_ptr<const Animation>> animations;
  for (size_t k = 0; k < t.prop_sets[i]->size(); ++k) {
    const u32 id = (*t.prop_sets[i])[k];
    if (id >= model_count) {
      if (model_count)
        out.report("platinum.set-range", dio::Location::in_file(file, place(k)),
                   {.message = text("prop model ", id, " does not exist; there are ",
                                    format_count(model_count, "model"), ", counted from 0")});
      continue;
    }
    if (const PropMotion* motion = t.motion(id, role))
      for (const u32 animation : motion->animations) {
        const auto a = t.animation(animation);
        all_read &= a != nullptr;
        const auto* patterns = a ? std::get_if<nitro::Nsbtp>(&*a) : nullptr;
        if (!patterns || !textures) continue;
        animations.push_back(a);
        std::vector<std::string> missing;
        const Names there = collect_names(textures->textures.textures),
                    colors = collect_names(textures->textures.palettes);
        for (const auto& one : patterns->animations) {
          for (const auto& name : one.texture_names) {
            used.insert(name.name);
            if (!there.contains(name.name)) missing.push_back(name.name);
          }
          for (const auto& name : one.palette_names)
            if (!colors.contains(name.name)) missing.push_back("palette " + name.name);
        }
        if (!missing.empty())
          out.report("platinum.animation-texture", dio::Location::in_file(file, place(k)),
                     {.message = text(path(FileRole::prop_textures, i), " lacks ", join_first_names(missing),
                                      ", which animation ", animation, " of prop ", id, " uses")});
      }
    const auto model = t.prop(id, role);
    all_read &= model != nullptr;
    if (!model || model->models.empty()) continue;
    models.push_back(model);
    for (const auto& w : model->models[0].textures) used.insert(w.name);
    if (!textures) continue;
    if (const auto missing = missing_names(model->models[0], textures->textures); !missing.empty())
      out.report("platinum.prop-texture", dio::Location::in_file(file, place(k)),
                 {.message = text(path(FileRole::prop_textures, i), " lacks ", join_first_names(missing),
                                  ", which prop ", id, " uses")});
  }
  const PropSetLoad load = compute_prop_set_load(t, i);
  if (load.bytes > PropSetLoad::k_most_bytes)
    out.report("platinum.prop-memory", dio::Location::in_file(file),
               {.message = text("the models of the set take ", load.bytes, " bytes (at most ",
                                PropSetLoad::k_most_bytes, ")")});
  if (load.animations.size() > PropSetLoad::k_most_animations)
    out.report("platinum.animations-alive", dio::Location::in_file(file),
               {.message = text(load.animations.size(), " animations start with the map (at most ",
                                PropSetLoad::k_most_animations, "): ", join_first_names(load.animations))});
  if (!textures || !all_read) return;
  std::vector<std::string> unused;
  for (const auto& x : textures->textures.textures)
    if (!used.contains(x.name)) unused.push_back(x.name);
  if (!unused.empty())
    out.report("platinum.texture-unused", dio::Location::in_file(path(FileRole::prop_textures, i), "textures.textures"),
               {.message = text("no model or animation of prop set ", i, " uses ", join_first_names(unused))});
}

/// Reports land textures that no land with their texture set uses.
void GameCheck::check_unused_land_textures() {
  std::map<u32, std::set<std::string>> used;  // by texture set
  for (const Use& use : uses) {
    if (use.area >= t.areas.size() || !t.areas[use.area]) continue;
    const auto land = t.land(use.land);
    if (!land || land->model.models.empty()) continue;
    for (const auto& w : land->model.models[0].textures) used[t.areas[use.area]->texture_set].insert(w.name);
  }
  for (const auto& [set, names] : used) {
    const auto textures = t.map_textures(set);
    std::vector<std::string> unused;
    for (size_t k = 0; textures && k < textures->textures.textures.size(); ++k)
      if (!names.contains(textures->textures.textures[k].name)) unused.push_back(textures->textures.textures[k].name);
    if (!unused.empty())
      out.report("platinum.texture-unused",
                 dio::Location::in_file(path(FileRole::map_textures, set), "textures.textures"),
                 {.message = text("no land that is shown with texture set ", set, " uses ", join_first_names(unused))});
  }
}

/// Reports palettes that the hardware cannot address: most texture formats address palettes in units of 16 bytes.
void GameCheck::check_palette_alignments() {
  const auto check_palette_alignment = [&](const nitro::Nsbtx& file, FileRole role, u32 number) {
    for (size_t k = 0; k < file.textures.palettes.size(); ++k) {
      const auto& p = file.textures.palettes[k];
      if (p.offset % 2 != 0 && !p.four_colors)
        out.report("platinum.palette-alignment",
                   dio::Location::in_file(path(role, number), text("textures.palettes[", k, "].offset")),
                   {.message = text("the palette ", p.name, " of ", p.colors.size(), " colours starts at ",
                                    u32(p.offset) * 8, ", which is not a multiple of 16")});
    }
  };
  for (u32 i = 0; i < t.files().of(FileRole::map_textures).count(); ++i)
    if (const auto x = t.map_textures(i)) check_palette_alignment(*x, FileRole::map_textures, i);
  for (u32 i = 0; i < t.files().of(FileRole::prop_textures).count(); ++i)
    if (const auto x = t.prop_textures(i)) check_palette_alignment(*x, FileRole::prop_textures, i);
}

void GameCheck::check_bicycle_slopes() {
  for (u32 n = 0; n < t.files().of(FileRole::lands).count(); ++n) {
    const auto land = t.land(n);
    if (!land) continue;
    const u64 slopes = count_bicycle_slopes(t, *land);
    if (slopes > k_most_slopes)
      out.report("platinum.bicycle-slopes", dio::Location::in_file(path(FileRole::lands, n), "props"),
                 {.message = text("the land has ", slopes, " bicycle slopes (at most ", k_most_slopes, ")")});
  }
}

void GameCheck::check_texture_animations() {
  if (!t.texture_motions) return;
  for (u32 k = 0; k < t.texture_motions->textures.size(); ++k) {
    const TextureAnime& record = t.texture_motions->textures[k];
    const auto pictures = t.motion_textures(k);
    if (!pictures) continue;
    const auto& frames = pictures->textures.textures;
    const std::string list = path(FileRole::texture_motions, 0);
    for (size_t f = 0; f < record.frames.size() && record.frames[f].frame != k_end_of_frames; ++f)
      if (record.frames[f].frame >= frames.size())
        out.report("platinum.motion-size",
                   dio::Location::in_file(list, text("textures[", k, "].frames[", f, "].frame")),
                   {.message = text("picture ", u32(record.frames[f].frame), " does not exist; the texture has ",
                                    format_count(frames.size(), "picture"), ", counted from 0")});
    for (u32 set = 0; set < t.files().of(FileRole::map_textures).count(); ++set) {
      const auto textures = t.map_textures(set);
      if (!textures) continue;
      for (size_t x = 0; x < textures->textures.textures.size(); ++x) {
        const auto& texture = textures->textures.textures[x];
        if (texture.name != record.name) continue;
        for (const auto& frame : frames) {
          if (frame.format == texture.format && frame.width() == texture.width() && frame.height() == texture.height())
            continue;
          const auto shape = [](const nitro::Texture& of) {
            return text(of.width(), " x ", of.height(), " ", nitro::k_texture_formats.of(of.format));
          };
          out.report(
              "platinum.motion-size",
              dio::Location::in_file(path(FileRole::map_textures, set), text("textures.textures[", x, "]")),
              {.message = text("the texture ", texture.name, " is ", shape(texture), ", but its picture ", frame.name,
                               " in ", path(FileRole::texture_motions, k + 1), " is ", shape(frame))});
          break;
        }
      }
    }
  }
}

}  // namespace dio::platinum
