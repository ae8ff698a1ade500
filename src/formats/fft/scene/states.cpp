// states.cpp: builds a scene from a map in one or several states. Specification: README.md, "Scenes".
#include <algorithm>
#include <cstring>

#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/scene/builder.hpp"
#include "scene/tile_grid.hpp"

namespace dio::fft {

using scene::Index;
using scene::k_none;

namespace {

template <class T>
bool have_equal_bytes(const T* a, const T* b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return a == b || (a && b && std::memcmp(a, b, sizeof(T)) == 0);
}

/// Whether the parts of both come from the same files.
bool have_same_files(const MergedMap& a, const MergedMap& b, size_t first, size_t last) {
  const auto files = [&](const MergedMap& m) {
    std::vector<std::tuple<u32, std::string_view, const Mesh*>> out;
    for (const PartSource& s : m.supplies)
      if (s.slot >= first && s.slot <= last) {
        const MapFile& f = m.files[s.file];
        out.emplace_back(s.slot, f.path, f.path.empty() ? f.mesh.get() : nullptr);
      }
    return out;
  };
  return files(a) == files(b);
}

/// Whether two states differ only in textures and palettes.
bool differ_only_in_textures(const MergedMap& a, const MergedMap& b) {
  constexpr size_t k_last_animated = Mesh::k_animated_slot + k_animated_meshes - 1;
  const auto same = [&](size_t first, size_t last) { return have_same_files(a, b, first, last); };
  return same(Mesh::k_primary_slot, Mesh::k_primary_slot) && same(Mesh::k_animated_slot, k_last_animated) &&
         same(Mesh::k_render_slot, Mesh::k_render_slot) &&
         same(Mesh::k_mesh_animations_slot, Mesh::k_mesh_animations_slot) && have_equal_bytes(a.lights, b.lights) &&
         have_equal_bytes(a.terrain, b.terrain) && have_equal_bytes(a.texture_animations, b.texture_animations) &&
         !a.palette_frames == !b.palette_frames &&
         std::ranges::equal(a.pages, b.pages, [](const auto* x, const auto* y) { return !x == !y; });
}

/// The source files of each part of a state.
Value make_supplier_extras(const MergedMap& m) {
  Value v = Value::object();
  for (size_t i = 0; i < m.supplies.size();) {
    Value files = Value::list();
    const u32 slot = m.supplies[i].slot;
    for (; i < m.supplies.size() && m.supplies[i].slot == slot; ++i)
      if (const std::string& path = m.files[m.supplies[i].file].path; !path.empty()) files.push(path);
    if (files.size()) v.add(part_name(slot), std::move(files));
  }
  return v;
}

}  // namespace

std::span<const Rule> scene_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"fft.no-palettes", hint, "the files include the palettes of the map",
       "Without palettes, the texture is shown in shades of gray. The palettes may be in another mesh file of the map.",
       "Also pass the mesh file that contains the palettes, or pass the .GNS file of the map instead.",
       "src/formats/fft/README.md#scenes"},
      {"fft.no-texture", hint, "every textured polygon has texels to show",
       "The texels of a map are usually in a texture file, and rarely in the mesh file. Without texels, textured "
       "polygons are shown without their texture.",
       "Also pass the texture file of the map, or pass the .GNS file of the map instead.",
       "src/formats/fft/README.md#scenes"},
      {"fft.foreign-texture", hint, "polygons are drawn with the texture and palettes of the map",
       "No file of a map contains interface graphics or palettes above 15, so polygons that use them have no picture.",
       "No action is needed: the affected polygons are shown without a texture.", "src/formats/fft/README.md#scenes"},
      {"fft.bright-light", hint, "the light on each polygon is not too bright for vertex colours",
       "Vertex colours cannot make a texel brighter. If the light is brighter than vertex colours can show, diorama "
       "brightens the texture where possible, and clamps the brightest texels.",
       "No action is needed: the file keeps its lights.", "src/formats/fft/README.md#light"},
  };
  return k_rules;
}

namespace {

/// Combines the stages of a map in one scene: states that differ in more than textures and palettes get their own
/// nodes; the others are material variants of one node.
class MapBuilder {
 public:
  MapBuilder(std::span<const MergedMap> states, const FftSceneOptions& options)
      : states_(states), options_(options), scene_(out_.scene), surfaces_(scene_) {}

  SceneResult build() {
    const MergedMap& first = states_.front();
    scene_.name = first.name;
    scene_.metres_per_unit = k_metres_per_unit;
    if (first.lights) scene_.background = mean_background_color(*first.lights);
    group_states();
    root_ = add_node(first.name.empty() ? "map" : first.name, k_none);
    for (FftMapStates& stage : stages_) add_state_group(stage);
    add_all_texture_animations();
    add_scene_extras();
    return std::move(out_);
  }

 private:
  void group_states() {
    for (const MergedMap& m : states_) {
      auto at = std::ranges::find_if(
          stages_, [&](const FftMapStates& x) { return differ_only_in_textures(*x.states.front(), m); });
      if (at == stages_.end()) {
        at = stages_.insert(stages_.end(), FftMapStates{});
        if (&m != &states_.front()) at->suffix = text(" (", m.state_name, ")");
      }
      at->states.push_back(&m);
      at->variants.push_back(at->states.size() == 1 ? k_none : Index(scene_.variants.size()));
      if (at->states.size() > 1) scene_.variants.push_back(m.state_name);
    }
  }

  Index add_node(std::string name, Index parent) {
    scene::Node& n = scene_.nodes.emplace_back();
    n.name = std::move(name);
    n.parent = parent;
    return Index(scene_.nodes.size() - 1);
  }

  void add_state_group(FftMapStates& stage) {
    const MergedMap& m = *stage.states.front();
    const bool is_first = &stage == &stages_.front();
    stage.motion = find_or_add_motion(stage);
    const Index node = stages_.size() == 1 ? root_ : add_node(m.state_name, root_);
    scene_.nodes[node].visible = is_first;
    scene_.nodes[node].extras = make_state_extras(stage);

    Diagnostics notes;
    if (!m.palettes && m.primary) notes.push_back(no_palettes());
    FftSceneBuilder builder(stage, options_, surfaces_, scene_, notes);
    builder.build(node);
    if (is_first) builder.add_cameras(root_);
    for (Diagnostic& d : notes)  // notes shared by several stages are listed once
      if (noted_.insert(text(d.id, "\n", d.place.path, "\n", d.message)).second) out_.notes.push_back(std::move(d));
  }

  /// The texture animations of a stage among those of the surfaces; stages with the same animations share them.
  size_t find_or_add_motion(const FftMapStates& stage) {
    const MergedMap& m = *stage.states.front();
    const auto known = std::ranges::find_if(motions_, [&](const FftMapStates* other) {
      const MergedMap& o = *other->states.front();
      return have_equal_bytes(o.texture_animations, m.texture_animations) && !o.palette_frames == !m.palette_frames;
    });
    const size_t at = size_t(known - motions_.begin());
    if (known == motions_.end()) {
      motions_.push_back(&stage);
      surfaces_.add_texture_motion(TextureMotion(m.texture_animations, m.palette_frames));
    }
    return at;
  }
  void add_all_texture_animations() {
    for (size_t i = 0; i < motions_.size(); ++i) {
      const TextureMotion& motion = surfaces_.motion(i);
      out_.notes.insert(out_.notes.end(), motion.notes().begin(), motion.notes().end());
      add_texture_animations(scene_, motion, surfaces_.moving_materials(i), options_.tick_rate, out_.notes,
                             motions_[i]->suffix);
    }
  }

  Value make_state_extras(const FftMapStates& stage) {
    const MergedMap& m = *stage.states.front();
    Value v = Value::object();
    v.add("kind", "fft.state");
    Value& names = v.add("states", Value::list());
    for (const MergedMap* state : stage.states) names.push(state->state_name);
    if (m.lights) add_light_extras(v, *m.lights);
    if (const Value& rows = surfaces_.motion(stage.motion).row_extras(); rows.size()) v.add("texture_animations", rows);
    if (Value files = make_supplier_extras(m); files.size()) v.add("files", std::move(files));
    return v;
  }
  void add_scene_extras() {
    const MergedMap& first = states_.front();
    scene_.extras = Value::object();
    scene_.extras.add("kind", "fft.map");
    scene_.extras.add("state", first.state_name);
    if (states_.size() > 1) {
      Value& all = scene_.extras.add("states", Value::list());
      for (const MergedMap& m : states_) all.push(m.state_name);
    }
    if (first.lights) add_light_extras(scene_.extras, *first.lights);
    if (first.terrain && first.terrain->size_x && first.terrain->size_z) {
      // The game counts from the south-west corner to the north, which is -Z in a scene.
      const i32 across = first.terrain->size_x, down = first.terrain->size_z;
      scene::set_tile_grid(scene_, {.tile = k_tile_units,
                                    .north = -f64(down) * k_tile_units,
                                    .across = u32(across),
                                    .down = u32(down),
                                    .first_z = down - 1,
                                    .counts_north = true});
    }
  }

  static Diagnostic no_palettes() {
    return make_diagnostic(Severity::hint, "fft.no-palettes", "palettes",
                           {.message = "the files contain no palettes, so textures are shown in shades of gray",
                            .hint = "also pass the mesh file of the map that contains palettes"});
  }

  std::span<const MergedMap> states_;
  const FftSceneOptions& options_;
  SceneResult out_;
  scene::Scene& scene_;
  Surfaces surfaces_;
  std::vector<FftMapStates> stages_;  // complete before pointers to its elements are taken
  Index root_ = k_none;
  std::vector<const FftMapStates*> motions_;  // for each motion of the surfaces, the stage that added it
  std::set<std::string> noted_;
};

}  // namespace

Result<SceneResult> build_map_scene(std::span<const MergedMap> states, const FftSceneOptions& options) {
  const auto has_something = [](const MergedMap& m) {
    return m.primary || m.terrain || std::ranges::any_of(m.animated, [](const auto& g) { return g.has_value(); });
  };
  if (states.empty() || !std::ranges::any_of(states, has_something)) {
    return refuse("scene.none", {},
                  {.message = "nothing to show: the files have no polygons and no terrain",
                   .hint = "palettes and lights can be shown only with the primary mesh file of the map"});
  }
  return MapBuilder(states, options).build();
}

}  // namespace dio::fft
