// scene.cpp: converts a pack to a scene, including parts that are not nodes.
#include "formats/contract/scenes.hpp"
#include "formats/splashpack/companions.hpp"
#include "formats/splashpack/layout/vram.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/scene/builder.hpp"

namespace dio::splashpack {

SceneBuilder::SceneBuilder(const Pack& pack, const Vram* vram, const Spu* spu, bool sources, bool is_streamed)
    : pack_(pack),
      vram_(vram),
      spu_(spu),
      sources_(sources),
      is_streamed_(is_streamed),
      surfaces_(pack, build_video_memory(pack, vram), s_) {}

/// `path`: of the part that the node stands for.
scene::Index SceneBuilder::add_node(std::string name, const char* kind, std::string path) {
  scene::Node n;
  n.name = std::move(name);
  n.extras = Value::object();
  n.extras.add("kind", kind);
  if (!path.empty()) n.extras.add("path", std::move(path));
  s_.nodes.push_back(std::move(n));
  return Index(s_.nodes.size() - 1);
}

void SceneBuilder::note(Severity severity, const char* id, std::string path, DiagnosticText said) {
  out_.notes.push_back(make_diagnostic(severity, id, std::move(path), std::move(said)));
}

static std::string script_name(size_t i) { return text("script_", i, ".lua"); }

void SceneBuilder::add_scripts() {
  if (pack_.scripts.empty()) return;
  Value& list = s_.extras.add("scripts", Value::list());
  for (size_t i = 0; i < pack_.scripts.size(); ++i) {
    const std::string& words = pack_.scripts[i].text;
    Value& script = list.push(Value::object());
    script.add("name", script_name(i));
    // Text unchanged, unless it contains a NUL, which some programs drop in JSON.
    if (is_utf8(words) && words.find('\0') == words.npos)
      script.add("text", words);
    else
      script.add("bytes", encode_hex({reinterpret_cast<const u8*>(words.data()), words.size()}));
  }
}

void SceneBuilder::add_script_reference(Value& extras, i64 script, const std::string& path) {
  if (script == -1) return;
  if (script >= 0 && size_t(script) < pack_.scripts.size()) {
    extras.add("lua_file", script_name(size_t(script)));
    return;
  }
  extras.add("script", script);
  note(Severity::warning, "splashpack.lua-index", path,
       {.message =
            text("script ", script, " does not exist; the pack has ", format_count(pack_.scripts.size(), "script"))});
}

/// The lists that a scene cannot represent, as in the JSON of the pack.
void SceneBuilder::add_sections() {
  Pack p;
  p.form = pack_.form;
  p.interactables = pack_.interactables;
  p.audio_clips = pack_.audio_clips;
  p.cutscenes = pack_.cutscenes;
  p.animations = pack_.animations;
  p.fonts = pack_.fonts;
  p.canvases = pack_.canvases;
  p.memory_card = pack_.memory_card;
  p.agents = pack_.agents;
  p.sprite_sheets = pack_.sprite_sheets;
  p.sprite_animations = pack_.sprite_animations;
  p.tilemap = pack_.tilemap;
  if (auto fault = assign_offsets(p)) {
    out_.notes.push_back(*std::move(fault));
  } else {
    sections_ = to_value(p);
    for (const char* name : {"audio_clips", "cutscenes", "animations", "fonts", "canvases", "memory_card",
                             "sprite_sheets", "sprite_animations", "tilemap"})
      if (const Value* v = sections_.find(name); v && v->size()) s_.extras.add(name, *v);
  }
  if (spu_) add_sound_samples(*spu_);
  if (vram_ && matches_pack(*vram_, pack_)) add_font_glyphs(*vram_);
  add_canvas_pictures(surfaces_.memory());
  add_sheet_pictures(surfaces_.memory());
  if (pack_.scene_hash) s_.extras.add("scene_hash", pack_.scene_hash);
  if (pack_.ordering_table_size) s_.extras.add("ordering_table_size", pack_.ordering_table_size);
  if (pack_.primitive_buffer_size) s_.extras.add("primitive_buffer_size", pack_.primitive_buffer_size);
  if (!spu_ && !pack_.audio_clips.empty())
    note(Severity::hint, "splashpack.no-sounds", "audio_clips",
         {.message = "there is no .spu file next to the pack",
          .hint = "the scene contains the names of the sounds but not their samples"});
  s_.extras.add("scene_type", pack_.scene_type);
  Value& movement = s_.extras.add("movement", Value::object());
  movement.add("move_speed", pack_.move_speed.raw);
  movement.add("sprint_speed", pack_.sprint_speed.raw);
  movement.add("jump_velocity", pack_.jump_velocity.raw);
  movement.add("gravity", pack_.gravity.raw);
  movement.add("player_radius", pack_.player_radius.raw);
  Value& fog = s_.extras.add("fog", Value::object());
  fog.add("enabled", pack_.fog);
  fog.add("red", pack_.fog_red);
  fog.add("green", pack_.fog_green);
  fog.add("blue", pack_.fog_blue);
  fog.add("density", pack_.fog_density);
  if (pack_.fog && pack_.fog_density) {  // where it is full, and where it starts; in scene units
    constexpr u32 k_far_of_density_1 = 20000;
    const u32 far = k_far_of_density_1 / pack_.fog_density;
    fog.add("near", (far >> 3) * k_world_per_raw);
    fog.add("far", far * k_world_per_raw);
  }
  const auto channel = [](u8 n) { return n / 255.0f; };
  s_.background =
      scene::srgb_to_linear(scene::Vec4{channel(pack_.fog_red), channel(pack_.fog_green), channel(pack_.fog_blue), 1});
}

SceneResult SceneBuilder::build() && {
  s_.extras = Value::object();
  s_.extras.add("kind", "pack");
  s_.extras.add("layout", k_layouts.of(i64(pack_.form)));
  s_.extras.add("scaling", k_default_scaling);
  add_scripts();
  if (u32(pack_.form) >= k_flags) add_script_reference(s_.extras, pack_.script, "script");
  s_.background = {0, 0, 0, 1};  // the engine clears the picture with this colour
  if (u32(pack_.form) >= k_sections) add_sections();
  for (size_t i = 0; i < pack_.skins.size(); ++i) {
    const Skin& skin = pack_.skins[i];
    if (skin.object < pack_.objects.size() && skin.bone_count) skins_.try_emplace(skin.object, i);
  }
  joints_.resize(pack_.skins.size());
  for (size_t i = 0; i < pack_.objects.size(); ++i) add_object(i);
  for (size_t i = 0; i < pack_.navmeshes.size(); ++i) add_navmesh(i);
  if (u32(pack_.form) >= k_player) add_player();
  if (u32(pack_.form) >= k_sections) {
    add_colliders_and_triggers();
    add_nav_regions();
    add_rooms();
    add_agents();
    add_runtime_lights();
    add_animations();
    for (const auto& [object, skin] : skins_) add_clips(skin);
  }
  if (turned_)
    note(Severity::warning, "splashpack.rot-matrix", "objects",
         {.message = text(turned_, turned_ == 1 ? " object has a matrix that is not a rotation"
                                                : " objects have matrices that are not rotations"),
          .hint = "the scene shows the nearest rotation"});
  const auto add_count_note = [&](Severity severity, const char* id, const char* path, size_t n, const char* one,
                                  const char* several, const char* hint) {
    if (n) note(severity, id, path, {.message = text(n, " ", n == 1 ? one : several), .hint = hint});
  };
  add_count_note(Severity::hint, "splashpack.bone-matrix", "skins", bent_, "bone matrix of a frame is not a rotation",
                 "bone matrices of frames are not rotations", "the scene shows the nearest rotation");
  add_count_note(Severity::warning, "splashpack.track-target", "cutscenes", lost_tracks_,
                 "track names an object that does not exist", "tracks name objects that do not exist",
                 "the scene omits tracks without a target, as the engine does");
  add_count_note(Severity::warning, "splashpack.key-order", "cutscenes", unordered_,
                 "keyframe is not later than the keyframe before it",
                 "keyframes are not later than the keyframes before them",
                 "these keyframes are omitted from the scene");
  add_count_note(Severity::hint, "splashpack.track-unshown", "cutscenes", unshown_tracks_,
                 "track animates a value that a scene cannot show", "tracks animate values that a scene cannot show",
                 "these tracks are kept in the extras of the scene");
  add_count_note(Severity::warning, "splashpack.keys", "cutscenes", too_many_keys_,
                 "track is over the limit of a million keyframes", "tracks are over the limit of a million keyframes",
                 "tracks over the limit are omitted from the scene");
  if (pack_.stream && !is_streamed_)
    note(Severity::hint, "splashpack.scene-lost", "stream",
         {.message = text(format_count(pack_.stream->refs.size(), "streamed object"),
                          pack_.stream->refs.size() == 1 ? " is" : " are", " not shown"),
          .hint = "the triangles are in the .geo file of the same name; put the .geo file next to the pack"});
  if (surfaces_.unfilled())
    note(Severity::hint, "splashpack.no-texels", "objects",
         {.message = text("the texels of ", format_count(surfaces_.unfilled(), "triangle"), " are not in the file"),
          .hint = u32(pack_.form) >= k_sections ? k_in_vram : "these triangles are shown in gray"});
  if (surfaces_.unpictured())
    note(Severity::warning, "splashpack.pictures", "objects",
         {.message = text(format_count(surfaces_.unpictured(), "picture"),
                          surfaces_.unpictured() == 1 ? " exceeds" : " exceed",
                          " the limit of eight times the texels of VRAM"),
          .hint = "their materials are gray"});
  return std::move(out_);
}

Result<SceneResult> to_scene(const Pack& pack, const SceneOptions& options) {
  const PackCompanions beside = pack_companions(options.companions);
  const bool is_heard = beside.spu && matches_pack(*beside.spu, pack);
  const bool is_streamed = pack.stream && beside.geo && matches_pack(*beside.geo, pack);
  const Pack whole = is_streamed ? load_streamed_triangles(pack, *beside.geo) : Pack();
  SceneResult out = SceneBuilder(is_streamed ? whole : pack, beside.vram, is_heard ? beside.spu : nullptr,
                                 options.sources, is_streamed)
                        .build();
  if (auto d = companion_mismatch(beside.vram, pack)) out.notes.push_back(*std::move(d));
  if (auto d = companion_mismatch(beside.spu, pack, "the sounds are omitted")) out.notes.push_back(*std::move(d));
  return out;
}

std::span<const Rule> scene_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"splashpack.no-texels", hint, "the texels and palettes of the pack's triangles are available",
       "From version v20 on, the texels and palettes of a pack are in a separate .vram file. If the .vram file is "
       "missing, triangles are shown without textures.",
       "Put the .vram file of the scene next to the pack. Its name must match the name of the pack, except for the "
       "extension.",
       "src/formats/splashpack/README.md#the-files"},
      {"splashpack.no-sounds", hint, "the sounds of the pack are available",
       "From version v20 on, the sounds of a pack are in a separate .spu file. If the .spu file is missing, the scene "
       "has no sound samples.",
       "Put the .spu file of the scene next to the pack. Its name must match the name of the pack, except for the "
       "extension.",
       "src/formats/splashpack/README.md#the-files"},
      {"splashpack.scene-lost", hint, "the triangles of streamed objects are available",
       "From version v21 on, the triangles of streamed objects can be in a separate .geo file. If the .geo file is "
       "missing, the scene does not show the streamed objects.",
       "Put the .geo file of the scene next to the pack. Its name must match the name of the pack, except for the "
       "extension.",
       "src/formats/splashpack/README.md#parts"},
      {"splashpack.pictures", warning,
       "all pictures of a scene together have at most eight times as many texels as VRAM",
       "Without this limit, even a small pack could request more pictures than fit in memory.",
       "Check whether the pack is damaged. The scene omits the pictures beyond the limit.", "diorama's own rule"},
      {"splashpack.bone-matrix", hint, "the bone matrices of a pack are rotations",
       "A scene stores the rotation and scale of a bone, but the engine accepts any matrix, so the scene may differ "
       "from the game.",
       "No action is needed: the pack keeps its matrices.", "psxsplash, renderer.cpp"},
      {"splashpack.track-target", warning, "the target object of every animation track exists",
       "If the target of an animation track does not exist, the engine silently drops the track.",
       "Correct the target name of the track, or remove the track.", "psxsplash, splashpack.cpp"},
      {"splashpack.track-unshown", hint, "each animation track animates a value that a scene can show",
       "A scene cannot show changing texts, bars, rumble or moving textures. Their tracks are kept in the extras of "
       "the scene.",
       "No action is needed: the extras of the scene contain the tracks that it cannot show.", "diorama's own rule"},
      {"splashpack.keys", warning, "all animations of a pack together have at most a million keyframes",
       "In a pack, lists of keyframes can share bytes, so a small file can claim billions of keyframes. Tracks that "
       "exceed the limit are omitted.",
       "Check whether the pack is damaged.", "diorama's own rule"},
  };
  return k_rules;
}

}  // namespace dio::splashpack
