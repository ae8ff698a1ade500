// models.cpp: the models of lands and props, with their textures, light and animations from the game.
#include <algorithm>

#include "formats/contract/reporter.hpp"
#include "formats/platinum/scene/cameras.hpp"
#include "formats/platinum/scene/world_builder.hpp"
#include "scene/math.hpp"

namespace dio::platinum {

using scene::Index;

// ---- textures ----

WorldBuilder::TextureSet& WorldBuilder::map_textures(u32 number) {
  const auto [entry, fresh] = map_sets_.try_emplace(number);
  TextureSet& set = entry->second;
  if (!fresh) return set;
  set.file = t_.map_textures(number);
  std::vector<const nitro::Textures*> sources;
  if (set.file) {
    find_texture_animations(set, number);
    sources = {&set.file->textures, &set.moved};
  } else if (number != k_no_set) {
    add_note_once(Severity::warning, "platinum.missing-file",
                  dio::Location::in_file(path_of(FileRole::map_textures, number)),
                  {.message = "the map textures cannot be read"});
  }
  set.surfaces = std::make_unique<nitro::Surfaces>(std::move(sources), s_, model_notes_, true);
  return set;
}

WorldBuilder::TextureSet& WorldBuilder::prop_textures(u32 number) {
  const auto [entry, fresh] = prop_sets_.try_emplace(number);
  TextureSet& set = entry->second;
  if (!fresh) return set;
  set.file = t_.prop_textures(number);
  std::vector<const nitro::Textures*> sources;
  if (set.file)
    sources = {&set.file->textures};
  else
    add_note_once(Severity::warning, "platinum.missing-file",
                  dio::Location::in_file(path_of(FileRole::prop_textures, number)),
                  {.message = "the prop textures cannot be read"});
  set.surfaces = std::make_unique<nitro::Surfaces>(std::move(sources), s_, model_notes_, true);
  return set;
}

/// The textures in the prop model file itself.
WorldBuilder::TextureSet& WorldBuilder::own_textures(FileRole role, u32 prop) {
  const auto [entry, fresh] = own_sets_.try_emplace({role, prop});
  TextureSet& set = entry->second;
  if (!fresh) return set;
  set.model = t_.prop(prop, role);
  std::vector<const nitro::Textures*> sources;
  if (set.model && set.model->textures) sources = {&*set.model->textures};
  set.surfaces = std::make_unique<nitro::Surfaces>(std::move(sources), s_, model_notes_, true);
  return set;
}

/// The game copies each animation picture over the texture, with the byte count, format, size and palette of the
/// texture.
void WorldBuilder::find_texture_animations(TextureSet& set, u32 number) {
  if (!t_.texture_motions) return;
  const auto& records = t_.texture_motions->textures;
  for (u32 i = 0; i < records.size(); ++i) {
    const auto& own = set.file->textures.textures;
    const auto rest =
        std::find_if(own.begin(), own.end(), [&](const nitro::Texture& x) { return x.name == records[i].name; });
    if (rest == own.end()) continue;
    const auto pictures = t_.motion_textures(i);
    if (!pictures) continue;
    nitro::PatternAnimation a{};
    a.name = rest->name;
    std::map<u8, u8> known;  // texture_names by picture
    u32 tick = 0;
    std::vector<nitro::PatternKey> keys;
    for (const TextureFrame& f : records[i].frames) {
      if (f.frame == k_end_of_frames) break;
      const auto& all = pictures->textures.textures;
      const size_t size = f.frame < all.size() ? all[f.frame].texels.size() : 0;
      if (size != rest->texels.size())
        add_note_once(Severity::hint, "platinum.unfit-picture",
                      dio::Location::in_file(path_of(FileRole::texture_motions, i + 1)),
                      {.message = f.frame < all.size()
                                      ? text("picture ", int(f.frame), " has ", size, " bytes, but the texture ",
                                             rest->name, " of texture set ", number, " has ", rest->texels.size())
                                      : text("picture ", int(f.frame), " does not exist; there are ",
                                             format_count(all.size(), "picture"), ", counted from 0")});
      if (size < rest->texels.size()) continue;
      const auto [name, fresh] = known.try_emplace(f.frame, u8(a.texture_names.size()));
      if (fresh) {
        nitro::Texture moved = *rest;
        const Bytes& texels = all[f.frame].texels;
        moved.texels.assign(texels.begin(), texels.begin() + std::ptrdiff_t(rest->texels.size()));
        if (moved.texels != rest->texels) {
          moved.name = text(rest->name, "@", int(f.frame));
          set.moved.textures.push_back(moved);
        }
        a.texture_names.push_back({moved.name});
      }
      keys.push_back({u16(tick), name->second, nitro::k_no_palette});
      tick += f.wait + 1u;
    }
    if (keys.size() < 2) continue;
    a.frames = u16(tick);
    nitro::PatternTrack track{};
    track.keys = std::move(keys);
    a.materials.push_back(std::move(track));
    set.moves.push_back(std::move(a));
  }
}

/// The animations of a set that change materials of a model.
std::vector<nitro::PatternAnimation> WorldBuilder::select_model_animations(const nitro::Model& model,
                                                                           const TextureSet& set) const {
  std::vector<nitro::PatternAnimation> out;
  for (const nitro::PatternAnimation& moving : set.moves) {
    nitro::PatternAnimation a = moving;
    const nitro::PatternTrack track = std::move(a.materials[0]);
    a.materials.clear();
    for (const nitro::Pairing& p : model.textures)
      if (p.name == moving.name)
        for (const u8 m : p.materials)
          if (m < model.materials.size()) {
            a.materials.push_back(track);
            a.materials.back().name = model.materials[m].name;
          }
    if (!a.materials.empty()) out.push_back(std::move(a));
  }
  return out;
}

// ---- light ----

const MapLight* WorldBuilder::map_light_of(const Area* area) {
  if (!area) return nullptr;
  const auto [entry, fresh] = lights_.try_emplace(area->light);
  std::optional<MapLight>& light = entry->second;
  if (fresh) {
    const auto* file = area->light < t_.lights.size() && t_.lights[area->light] ? &*t_.lights[area->light] : nullptr;
    if (file && file->light && !file->light->blocks.empty()) {
      const auto& blocks = file->light->blocks;
      light = compute_map_light(blocks[light_block_at(blocks, options_.time)], area->light, camera_types()[0].pitch);
    } else {
      add_note_once(Severity::warning, "platinum.missing-file",
                    dio::Location::in_file(path_of(FileRole::lights, area->light)),
                    {.message = "the area light cannot be read"});
    }
  }
  return light ? &*light : nullptr;
}

// ---- models ----

Index WorldBuilder::add_model_copy(std::map<WorldMaterialKey, Built>& all, const WorldMaterialKey& key, Index parent,
                                   auto build) {
  const auto [entry, fresh] = all.try_emplace(key);
  Built& b = entry->second;
  if (!fresh) return b.copies ? b.copies->place(parent) : k_none;
  b.root = build();
  if (b.root != k_none) b.copies = std::make_unique<scene::NodeCloner>(s_, b.root);
  return b.root;
}

Index WorldBuilder::build_model(const nitro::Model& model, TextureSet& set, const nitro::ModelAnimations& motions,
                                const MapLight* light, nitro::Program program, Index parent, const std::string& file,
                                std::string path) {
  nitro::Setting setting{
      .motions = motions, .surfaces = *set.surfaces, .scene = s_, .notes = model_notes_, .path = std::move(path)};
  setting.lighting = light ? &light->lighting : nullptr;
  setting.parent = parent;
  setting.frames_per_second = k_ticks_per_second;
  setting.sources = options_.sources;
  const Index root = nitro::ModelBuilder(model, setting, std::move(program)).build();
  if (options_.sources) s_.nodes[root].extras.add("file", file);
  for (Diagnostic& d : model_notes_) {
    d.place.file = file;
    if (d.id == "nitro.unbound-texture") d.hint = "the game also draws this material without a texture";
    notes_.push_back(std::move(d));
  }
  model_notes_.clear();
  return root;
}

/// Merges animations of the same name from one file, which play together.
void WorldBuilder::merge_animations(size_t first, bool waits) {
  size_t kept = first;
  for (size_t i = first; i < s_.animations.size(); ++i) {
    scene::Animation& a = s_.animations[i];
    const auto read_text_extra = [&](const char* name) {
      const Value* v = a.extras.find(name);
      return v ? v->text() : std::string();
    };
    const std::string key = read_text_extra("kind") + '\n' + read_text_extra("file") + '\n' + read_text_extra("name");
    const auto [entry, fresh] = animations_.try_emplace(key, Index(kept));
    if (fresh) {
      if (waits) a.extras.add("starts", "when the game requests it");
      if (kept != i) s_.animations[kept] = std::move(a);
      ++kept;
      continue;
    }
    scene::Animation& to = s_.animations[entry->second];
    const auto append_all = [](auto& from, auto& into) {
      into.insert(into.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append_all(a.channels, to.channels);
    append_all(a.material_channels, to.material_channels);
    append_all(a.visibility_channels, to.visibility_channels);
  }
  s_.animations.resize(kept);
}

void WorldBuilder::add_land_model(const LandInstance& p, const LandData& land, Index parent) {
  const std::string file = path_of(FileRole::lands, p.land);
  if (land.model.models.empty())
    return add_note_once(Severity::warning, "platinum.missing-file", dio::Location::in_file(file, "model"),
                         {.message = "the land has no model"});
  const Area* area = area_of(p);
  const u32 number = area ? area->texture_set : k_no_set;
  // The altitude moves only the model.
  const Index host = p.altitude ? add_node("altitude", parent, {0, f32(p.altitude * k_altitude_step), 0}) : parent;
  add_model_copy(lands_, {p.land, number, area ? area->light : k_no_set, FileRole::lands}, host, [&] {
    TextureSet& set = map_textures(number);
    const MapLight* light = map_light_of(area);
    const nitro::Model* model = &land.model.models[0];
    std::optional<nitro::Model> painted;
    if (light && light->paint) {
      painted = *model;
      apply_material_paint(*painted, *light->paint);
      model = &*painted;
    }
    const auto moves = select_model_animations(*model, set);
    const std::string name = t_.texture_motions ? t_.files().path(FileRole::texture_motions) : std::string();
    nitro::ModelAnimations motions;
    for (const auto& a : moves) motions.patterns.push_back({&a, &name});
    const size_t first = s_.animations.size();
    const Index root = build_model(*model, set, motions, light, nitro::run_sbc(*model), host, file, "model.models[0]");
    merge_animations(first, false);
    return root;
  });
}

// ---- props ----

Index WorldBuilder::add_prop(u32 number, const Area* area, bool in_set, Index parent) {
  const u32 number_of_set = in_set && area ? area->prop_set : k_no_set;
  const FileRole role = area ? t_.prop_role_of_area(*area) : FileRole::props;
  return add_model_copy(props_, {number, number_of_set, area ? area->light : k_no_set, role}, parent, [&]() -> Index {
    const std::string file = path_of(role, number);
    const auto model_file = t_.prop(number, role);
    if (!model_file || model_file->models.empty()) {
      add_note_once(Severity::warning, "platinum.missing-file", dio::Location::in_file(file),
                    {.message = "the prop model cannot be read"});
      return k_none;
    }
    TextureSet& set = number_of_set == k_no_set ? own_textures(role, number) : prop_textures(number_of_set);
    const MapLight* light = map_light_of(area);
    const nitro::Model* model = &model_file->models[0];
    std::optional<nitro::Model> painted;
    if (light && light->paint) {
      painted = *model;
      apply_material_paint(*painted, *light->paint);
      model = &*painted;
    }

    std::vector<std::shared_ptr<const Animation>> held;
    std::vector<std::string> names;
    nitro::ModelAnimations motions;
    const bool of_room = role == FileRole::room_props;
    const PropMotion* motion = t_.motion(number, role);
    if (motion) {
      std::vector<u32> playing = motion->animations;
      if (const size_t now = time_of_day(options_.time); motion->by_time && now < playing.size())
        playing = {playing[now]};
      names.reserve(playing.size());
      for (const u32 a : playing) {
        auto animation = t_.animation(a);
        names.push_back(path_of(FileRole::animations, a));
        if (!animation) {
          add_note_once(Severity::warning, "platinum.missing-file", dio::Location::in_file(names.back()),
                        {.message = "the animation cannot be read"});
          continue;
        }
        const auto add_with_file_name = [&](auto& into, const auto& list) {
          for (const auto& one : list) into.push_back({&one, &names.back()});
        };
        if (const auto* x = std::get_if<nitro::Nsbca>(animation.get()))
          add_with_file_name(motions.joints, x->animations);
        if (const auto* x = std::get_if<nitro::Nsbta>(animation.get()))
          add_with_file_name(motions.textures, x->animations);
        if (const auto* x = std::get_if<nitro::Nsbtp>(animation.get()))
          add_with_file_name(motions.patterns, x->animations);
        if (const auto* x = std::get_if<nitro::Nsbma>(animation.get()))
          add_with_file_name(motions.colors, x->animations);
        if (const auto* x = std::get_if<nitro::Nsbva>(animation.get()))
          add_with_file_name(motions.visibilities, x->animations);
        held.push_back(std::move(animation));
      }
    }

    // For a prop without animations, the game sends the shapes in list order and without nodes.
    nitro::Program program = nitro::run_sbc(*model);
    const auto& lists = of_room ? t_.room_draw_lists : t_.draw_lists;
    if (lists && number < lists->models.size() && lists->models[number].count) {
      const DrawRange& range = lists->models[number];
      const auto& draws = lists->draws;
      std::vector<nitro::MaterialShape> list;
      for (size_t i = range.first; i < std::min<size_t>(size_t(range.first) + range.count, draws.size()); ++i)
        list.push_back({draws[i].material_id, draws[i].shape_id});
      program = nitro::build_program(*model, list);
    }
    const size_t first = s_.animations.size();
    const Index root = build_model(*model, set, motions, light, std::move(program), parent, file, "models[0]");
    merge_animations(first, motion && (motion->deferred_load || motion->deferred_add));
    return root;
  });
}

void WorldBuilder::add_props(const LandInstance& p, const LandData& land, Index parent) {
  const std::string file = path_of(FileRole::lands, p.land);
  const Area* area = area_of(p);
  const std::vector<u16>* set = nullptr;
  if (area && area->prop_set < t_.prop_sets.size() && t_.prop_sets[area->prop_set])
    set = &*t_.prop_sets[area->prop_set];
  if (land.props.size() > k_most_props)
    add_note_once(
        Severity::warning, "platinum.hidden-props", dio::Location::in_file(file, "props"),
        {.message = text("the map has ", land.props.size(), " props; only the first ", k_most_props, " are shown"),
         .hint = "the game also ignores all further props"});
  for (size_t i = 0; i < std::min(land.props.size(), k_most_props); ++i) {
    const Prop& prop = land.props[i];
    const std::string path = text("props[", i, "]");
    bool in_set = !area;  // if the set is unknown
    u32 number = prop.model_id;
    if (set) in_set = std::find(set->begin(), set->end(), prop.model_id) != set->end();
    if (!in_set) {
      add_note_once(Severity::hint, "platinum.dummy-prop", dio::Location::in_file(file, path + ".model_id"),
                    {.message = text("model ", prop.model_id,
                                     " is not in the prop set of the area, so the prop is shown as model 0"),
                     .hint = "the game also shows model 0 instead of the missing model"});
      number = 0;
      in_set = set && std::find(set->begin(), set->end(), 0) != set->end();
    }
    const auto at = [](const Vector& v) { return scene::Vec3{f32(v.x.value()), f32(v.y.value()), f32(v.z.value())}; };
    const Index node = add_node(text("prop ", number), parent, at(prop.position));
    s_.nodes[node].scale = at(prop.scale);
    if (options_.rotation) {
      const auto degrees = [](u32 turn) { return f32((turn & 0xFFFF) * (360.0 / 65536)); };
      s_.nodes[node].rotation =
          scene::from_euler_degrees({degrees(prop.rotation[0]), degrees(prop.rotation[1]), degrees(prop.rotation[2])});
    }
    Value& extras = set_node_extras(node, "platinum.prop", FileRole::lands, p.land, path);
    extras.add("model", number);
    if (number != prop.model_id) extras.add("instead_of", prop.model_id);
    add_prop(number, area, in_set, node);
  }
}

}  // namespace dio::platinum
