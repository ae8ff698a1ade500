// land.cpp: a scene of one map without its game: the model with the given textures, props as named empty nodes, and
// heights as an initially hidden mesh.
#include "formats/platinum/scene/land.hpp"

#include "formats/contract/node_transform_edit.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"
#include "layout/path_steps.hpp"
#include "scene/math.hpp"
#include "scene/tile_grid.hpp"

namespace dio::platinum {

using scene::Index;
using scene::k_none;

void set_vertex_sources(scene::Primitive& p, size_t number) { p.sources.resize(p.positions.size(), u32(number)); }

Value make_prop_extras(const Prop& p, size_t index) {
  Value v = Value::object();
  v.add("kind", k_prop_node);
  v.add("path", "props[" + std::to_string(index) + "]");
  v.add("model_id", p.model_id);
  if (p.rotation != std::array<u32, 3>{}) {
    Value& rotation = v.add("rotation", Value::list());
    for (const u32 angle : p.rotation) rotation.push(angle & 0xFFFF);
  }
  return v;
}

static scene::Vec3 vec3(const Vector& v) { return {f32(v.x.value()), f32(v.y.value()), f32(v.z.value())}; }

Index add_height_plates(scene::Scene& s, const Bdhc& b, Index parent, bool sources) {
  scene::Primitive surface;
  for (size_t i = 0; i < plate_count(b); ++i) {
    const auto p = find_plate_shape(b, i);
    if (!p || p->normal.y.raw == 0 || p->low.x == p->high.x || p->low.z == p->high.z) continue;
    // Slopes and floors have different colours.
    const bool is_flat = p->normal.x.raw == 0 && p->normal.z.raw == 0;
    const scene::Vec4 color = is_flat ? scene::Vec4{0.1f, 0.6f, 1, 0.5f} : scene::Vec4{1, 0.5f, 0.1f, 0.5f};
    std::vector<scene::Vec3> corners;
    for (const BdhcPoint& c : plate_outline(*p))
      corners.push_back({f32(c.x.value()), f32(p->height(c.x.raw, c.z.raw)) / 4096, f32(c.z.value())});
    scene::add_face(surface, corners, {.color = color});
    if (sources) set_vertex_sources(surface, i);
  }
  if (surface.positions.empty()) return k_none;
  scene::Material material;
  material.name = "heights";
  material.double_sided = true;
  material.alpha = scene::Material::Alpha::blend;
  surface.material = Index(s.materials.size());
  s.materials.push_back(std::move(material));
  scene::Node node;
  node.name = "heights";
  node.parent = parent;
  node.mesh = Index(s.meshes.size());
  s.meshes.push_back({"heights", {}});
  s.meshes.back().primitives.push_back(std::move(surface));
  node.visible = false;
  Value& extras = node.extras = Value::object();
  extras.add("kind", "platinum.heights");
  extras.add("path", "bdhc");
  extras.add(b.dp ? "triangles" : "plates", u64(plate_count(b)));
  s.nodes.push_back(std::move(node));
  return Index(s.nodes.size() - 1);
}

Result<SceneResult> to_scene(const LandData& land, const SceneOptions& options) {
  auto staged = nitro::to_scene(land.model, options);
  if (!staged) return staged;
  scene::Scene& s = staged->scene;
  for (Diagnostic& d : staged->notes) {
    d.place.path = "model." + d.place.path;
    if (d.id == "nitro.unbound-texture")
      d.hint =
          "show the land with the textures of its area with {world GAME land/N}, or add the NSBTX file of the area";
  }
  for (scene::Node& n : s.nodes)  // make paths relative to this file
    if (Value* path = n.extras.find("path")) *path = "model." + path->text();
  for (scene::Material& m : s.materials)
    if (Value* path = options.sources ? m.extras.find("path") : nullptr) *path = "model." + path->text();
  for (size_t i = 0; i < land.props.size(); ++i) {
    const Prop& p = land.props[i];
    scene::Node node;
    node.name = "prop " + std::to_string(i) + " (model " + std::to_string(p.model_id) + ")";
    node.translation = vec3(p.position);
    node.scale = vec3(p.scale);  // the game ignores the rotation
    node.extras = make_prop_extras(p, i);
    s.nodes.push_back(std::move(node));
  }
  add_height_plates(s, land.bdhc, k_none, options.sources);
  scene::set_tile_grid(
      s, {.tile = k_tile_units, .west = -k_half_map, .north = -k_half_map, .across = k_tiles, .down = k_tiles});
  return staged;
}

Result<std::vector<Argument>> prop_transform_arguments(const NodeTransformChange& move) {
  NodeTransformEdit moved(move);
  moved.write_translation("position");
  moved.write_scale("scale");
  return moved.values("the game ignores the rotation of props");
}

// ---- sources ----

namespace {

constexpr std::string_view k_model = "model", k_tile_rows = "attributes";

/// Whether a node shows plates: the path is bdhc in the scene of a file, and bdhc.plates in a world.
bool shows_plates(std::string_view node) { return node.starts_with("bdhc"); }

/// Removes `model.` from the start of a path.
bool strip_model_prefix(std::string_view& path) {
  if (!take_name(path, k_model)) return false;
  if (path.starts_with('.')) path.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<ValuePart> value_of_source(const LandData& land, std::string_view node, u32 source) {
  if (strip_model_prefix(node)) {
    auto part = nitro::value_of_source(land.model, node, source);
    if (part) part->path = text(k_model, ".", part->path);
    return part;
  }
  if (shows_plates(node) && source < plate_count(land.bdhc))
    return ValuePart{text("bdhc.", path_of_plates(land.bdhc), "[", source, "]")};
  if (node == k_tile_rows && source < land.attributes.size() * k_tiles)
    return ValuePart{text(k_tile_rows, "[", source / k_tiles, "][", source % k_tiles, "]")};
  return {};
}

std::vector<SourceRun> sources_of_value(const LandData& land, std::string_view node, std::string_view path) {
  if (strip_model_prefix(node)) {
    if (!strip_model_prefix(path)) return {};
    return nitro::sources_of_value(land.model, node, path);
  }
  if (shows_plates(node)) {
    const std::string_view plates = path_of_plates(land.bdhc);
    if (!take_name(path, "bdhc")) return {};
    if (path.starts_with('.')) path.remove_prefix(1);
    if (path == plates) return {{0, u32(plate_count(land.bdhc))}};
    const auto plate = take_element(path, plates);
    if (plate && *plate < plate_count(land.bdhc)) return {{u32(*plate), 1}};
  }
  if (node == k_tile_rows)
    if (const auto row = take_element(path, k_tile_rows); row && *row < land.attributes.size()) {
      const auto column = take_index(path);
      if (!column) return {{u32(*row * k_tiles), k_tiles}};
      if (*column < k_tiles) return {{u32(*row * k_tiles + *column), 1}};
    }
  return {};
}

}  // namespace dio::platinum
