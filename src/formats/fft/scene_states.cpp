// scene_states.cpp: a map in one state, or several of them, as a scene. Specification: README.md, "Scenes".
#include <algorithm>
#include <cstring>

#include "formats/fft/parts.hpp"
#include "formats/fft/scene_builder.hpp"
#include "formats/reporter.hpp"

namespace dio::fft {

using scene::Index;
using scene::k_none;

namespace {

template <class T>
bool is_same(const T* a, const T* b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return a == b || (a && b && std::memcmp(a, b, sizeof(T)) == 0);
}

/// Whether both get a part of the same files.
bool is_from_same(const MergedMap& a, const MergedMap& b, size_t first, size_t last) {
  const auto files = [&](const MergedMap& m) {
    std::vector<std::tuple<u32, std::string_view, const Mesh*>> out;
    for (const Supply& s : m.supplies)
      if (s.slot >= first && s.slot <= last) {
        const MapFile& f = m.files[s.file];
        out.emplace_back(s.slot, f.path, f.path.empty() ? f.mesh.get() : nullptr);
      }
    return out;
  };
  return files(a) == files(b);
}

/// Whether two states differ in pictures only.
bool is_one_stage(const MergedMap& a, const MergedMap& b) {
  constexpr size_t k_last_animated = Mesh::k_animated_slot + k_animated_meshes - 1;
  const auto same = [&](size_t first, size_t last) { return is_from_same(a, b, first, last); };
  return same(Mesh::k_primary_slot, Mesh::k_primary_slot) && same(Mesh::k_animated_slot, k_last_animated) &&
         same(Mesh::k_render_slot, Mesh::k_render_slot) &&
         same(Mesh::k_mesh_animations_slot, Mesh::k_mesh_animations_slot) && is_same(a.lights, b.lights) &&
         is_same(a.terrain, b.terrain) && is_same(a.texture_animations, b.texture_animations) &&
         !a.palette_frames == !b.palette_frames &&
         std::ranges::equal(a.pages, b.pages, [](const auto* x, const auto* y) { return !x == !y; });
}

/// Which file gives each part of a state.
Value supply_extras(const MergedMap& m) {
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
      {"fft.no-palettes", hint, "a map that is shown has palettes",
       "Without them, the texture is shown in shades of gray. They are in a mesh file; others of the map give more.",
       "README, Scenes"},
      {"fft.no-texture", hint, "polygons that are shown have their texels",
       "They are in a file of their own, or, rarely, in the mesh file.", "README, Scenes"},
      {"fft.foreign-texture", hint, "polygons are drawn with the texture and palettes of the map",
       "Pictures of the interface, and palettes above 15, are in no file of the map.", "README, Scenes"},
      {"fft.bright-light", hint, "vertex colours can say how bright a polygon is",
       "They cannot make a texel brighter. Pictures are made brighter where that shows more; some texels are then cut "
       "off.",
       "README, Light"},
  };
  return k_rules;
}

Result<Staged> stage_map(std::span<const MergedMap> states, const StageOptions& options) {
  const auto has_something = [](const MergedMap& m) {
    return m.primary || m.terrain || std::ranges::any_of(m.animated, [](const auto& g) { return g.has_value(); });
  };
  if (states.empty() || !std::ranges::any_of(states, has_something)) {
    Diagnostic d;
    d.id = "scene.none";
    d.expected = "polygons or terrain";
    d.found = "none";
    d.hint = "palettes and lights alone are shown with the primary mesh file of the map";
    return refuse(std::move(d));
  }

  Staged out;
  scene::Scene& s = out.scene;
  const MergedMap& first = states.front();
  s.name = first.name;
  s.metres_per_unit = k_metres_per_unit;
  if (first.lights) s.background = background_of(*first.lights);

  std::vector<Stage> stages;
  for (const MergedMap& m : states) {
    auto at = std::ranges::find_if(stages, [&](const Stage& x) { return is_one_stage(*x.states.front(), m); });
    if (at == stages.end()) {
      at = stages.insert(stages.end(), Stage{});
      if (&m != &first) at->suffix = text(" (", m.state_name, ")");
    }
    at->states.push_back(&m);
    at->variants.push_back(at->states.size() == 1 ? k_none : Index(s.variants.size()));
    if (at->states.size() > 1) s.variants.push_back(m.state_name);
  }

  Surfaces surfaces(s);
  const auto add_node = [&](std::string name, Index parent) {
    scene::Node& n = s.nodes.emplace_back();
    n.name = std::move(name);
    n.parent = parent;
    return Index(s.nodes.size() - 1);
  };
  const Index root = add_node(first.name.empty() ? "map" : first.name, k_none);
  std::vector<const MergedMap*> motions;  // whose texture animations were met
  std::vector<std::string> suffixes;
  std::set<std::string> noted;
  for (Stage& x : stages) {
    const MergedMap& m = *x.states.front();
    const auto known = std::ranges::find_if(motions, [&](const MergedMap* other) {
      return is_same(other->texture_animations, m.texture_animations) && !other->palette_frames == !m.palette_frames;
    });
    x.motion = size_t(known - motions.begin());
    if (known == motions.end()) {
      motions.push_back(&m);
      suffixes.push_back(x.suffix);
      surfaces.add_motion(TextureMotion(m.texture_animations, m.palette_frames));
    }

    const Index node = stages.size() == 1 ? root : add_node(m.state_name, root);
    s.nodes[node].visible = &x == &stages.front();
    Value& extras = s.nodes[node].extras = Value::object();
    extras.add("kind", "fft.state");
    Value& names = extras.add("states", Value::list());
    for (const MergedMap* state : x.states) names.push(state->state_name);
    if (m.lights) add_light_extras(extras, *m.lights);
    if (const Value& rows = surfaces.motion(x.motion).described(); rows.size()) extras.add("texture_animations", rows);
    if (Value files = supply_extras(m); files.size()) extras.add("files", std::move(files));

    Diagnostics notes;
    if (!m.palettes && m.primary) {
      Diagnostic d;
      d.severity = Severity::hint;
      d.id = "fft.no-palettes";
      d.place.path = "palettes";
      d.expected = "palettes, here or in another mesh file of the map";
      d.found = "none";
      d.hint = "shown in shades of gray";
      notes.push_back(std::move(d));
    }
    StageBuilder builder(x, options, surfaces, s, notes);
    builder.build(node);
    if (&x == &stages.front()) builder.add_cameras(root);
    for (Diagnostic& d : notes)  // what several stages say is said once
      if (noted.insert(text(d.id, "\n", d.place.path, "\n", d.found)).second) out.notes.push_back(std::move(d));
  }
  for (size_t i = 0; i < motions.size(); ++i) {
    const TextureMotion& motion = surfaces.motion(i);
    out.notes.insert(out.notes.end(), motion.notes().begin(), motion.notes().end());
    add_texture_animations(s, motion, surfaces.moving(i), options.tick_rate, out.notes, suffixes[i]);
  }

  s.extras = Value::object();
  s.extras.add("kind", "fft.map");
  s.extras.add("state", first.state_name);
  if (states.size() > 1) {
    Value& all = s.extras.add("states", Value::list());
    for (const MergedMap& m : states) all.push(m.state_name);
  }
  if (first.lights) add_light_extras(s.extras, *first.lights);
  return out;
}

}  // namespace dio::fft
