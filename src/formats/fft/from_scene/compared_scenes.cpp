#include "formats/fft/from_scene/compared_scenes.hpp"

#include "formats/contract/reporter.hpp"
#include "formats/fft/from_scene/compared_texels.hpp"
#include "formats/fft/from_scene/terrain_importer.hpp"
#include "formats/fft/scene/builder.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "scene/math.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"

namespace dio::fft {
namespace {

using scene::Index;
using scene::k_none;

/// What a material says about its polygons.
struct MaterialMeaning {
  enum class Kind : u8 {
    palette,     // texels of the map
    foreign,     // textured, shown without the texels of the map
    untextured,  // near black
    unknown,     // not a material of a file
  } kind = Kind::unknown;
  u8 palette = 0;
  f64 headroom = k_plain_intensity;  // the light represented by a colour of 1
};

bool has_text(const Value* v, std::string_view is) { return v && v->is(Value::Kind::text) && v->text() == is; }
/// The digits at the start of a text.
std::optional<u32> take_number(std::string_view text) {
  std::optional<u32> out;
  for (const char c : text) {
    if (c < '0' || c > '9' || out.value_or(0) > 999) break;
    out = out.value_or(0) * 10 + u32(c - '0');
  }
  return out;
}

/// By its extras; if another program dropped these, by its name: "palette 3 for light up to 181", "untextured".
MaterialMeaning read_material(const scene::Material& m) {
  using Kind = MaterialMeaning::Kind;
  MaterialMeaning out;
  constexpr std::string_view k_palette = "palette ", k_light = " for light up to ";
  const std::string_view name = m.name;
  std::optional<u32> palette = palette_from_extras(m.extras);
  if (!palette && name.starts_with(k_palette)) palette = take_number(name.substr(k_palette.size()));
  if (palette && *palette < 16) {
    out.kind = Kind::palette, out.palette = u8(*palette);
    if (const size_t at = name.find(k_light); at != name.npos)
      out.headroom = take_number(name.substr(at + k_light.size())).value_or(k_plain_intensity);
    if (const Value* times = m.extras.find("texels_times");
        times && (times->is(Value::Kind::real) || times->is(Value::Kind::integer)))
      out.headroom = k_plain_intensity * times->number();
  } else if (name.starts_with("untextured")) {
    out.kind = Kind::untextured;
  } else if (has_text(m.extras.find("kind"), "fft.material") || name.starts_with("not in the files of the map")) {
    out.kind = Kind::foreign;
  }
  return out;
}

/// The mesh that a name stands for: "primary", "animated 1 mesh"; "animated 1" is its parent.
std::optional<size_t> mesh_of_name(std::string_view given) {
  std::string name(scene::strip_copy_suffix(given));
  std::ranges::replace(name, ' ', '_');
  if (name.ends_with("_mesh")) name.resize(name.size() - 5);
  for (size_t m = 0; m < k_meshes; ++m)
    if (name == mesh_name(m)) return m;
  return {};
}
std::optional<size_t> mesh_of_node(const scene::Scene& s, const scene::Node& node) {
  const Value *kind = node.extras.find("kind"), *path = node.extras.find("path");
  if (kind && path && kind->is(Value::Kind::text) && path->is(Value::Kind::text))
    return kind->text() == k_mesh_node ? mesh_of_name(path->text()) : std::nullopt;
  if (const auto by_node = mesh_of_name(node.name)) return by_node;
  return mesh_of_name(s.meshes[node.mesh].name);
}
/// The animated mesh that a node moves.
std::optional<size_t> moved_mesh_of_node(const scene::Node& node) {
  const Value *kind = node.extras.find("kind"), *mesh = node.extras.find("mesh");
  if (has_text(kind, k_animated_node) && mesh && mesh->is(Value::Kind::integer) && mesh->bits() < k_meshes)
    return size_t(mesh->bits());
  if (kind || node.mesh != k_none) return {};
  const auto out = mesh_of_name(node.name);
  return out && *out && !scene::strip_copy_suffix(node.name).ends_with("mesh") ? out : std::nullopt;
}

class SceneComparison {
 public:
  SceneComparison(const Mesh& file, const scene::Scene& edited) : file_(file) {
    out_.edited = edited;
    mesh_nodes_.fill(k_none), moving_nodes_.fill(k_none);
  }

  Result<ComparedScenes> run() {
    for (const scene::Material& m : edited().materials) materials_.push_back(read_material(m));
    compares_colors_ = has_light_of_file();
    if (auto made = make_original(); !made) return refuse(std::move(made.error()));
    if (auto problem = find_parts()) return refuse(std::move(*problem));
    const Index textured = Index(edited().materials.size());
    edited().materials.push_back({.name = k_compared_textured});
    edited().materials.push_back({.name = k_compared_untextured});
    for (scene::Mesh& mesh : edited().meshes)
      for (scene::Primitive& p : mesh.primitives) make_comparable(p, textured);
    note_what_is_left_out();
    for (Index i = 0; i < edited().nodes.size(); ++i)
      out_.edited_overlays.push_back(terrain_level_of_node(edited(), i).has_value());
    return std::move(out_);
  }

 private:
  using Kind = MaterialMeaning::Kind;
  scene::Scene& edited() { return out_.edited; }

  /// Whether colours of the edited scene follow from the light of the file.
  bool has_light_of_file() {
    if (!file_.lights) return false;
    Value own = Value::object();
    add_light_extras(own, *file_.lights);
    bool is_said = std::ranges::any_of(edited().meshes, [](const scene::Mesh& m) {
      return std::ranges::any_of(m.primitives, [](const scene::Primitive& p) { return !p.sources.empty(); });
    });
    for (const char* name : {"lights", "ambient"}) {
      const Value* said = edited().extras.find(name);
      if (said && *said != *own.find(name)) return false;
      is_said |= said != nullptr;
    }
    return is_said;  // programs that drop both also round colours
  }

  // ---- the scene of the file

  Result<bool> make_original() {
    // With texels if the edited scene has some: then animated textures cut polygons.
    Texture texels;
    texels.pages.resize(k_pages);
    for (TexturePage& page : texels.pages) page.texels.resize(k_page_size);
    const bool has_texels = std::ranges::find(materials_, Kind::palette, &MaterialMeaning::kind) != materials_.end();
    const MergedMap map = merge_mesh_and_texture(file_, has_texels ? &texels : nullptr);
    auto made = build_map_scene(std::span(&map, 1), {.sources = true, .brightest_textures = true});
    if (!made) return refuse(std::move(made.error()));
    scene::Scene& s = out_.original = std::move(made->scene);
    std::vector<MaterialMeaning> meanings;
    for (const scene::Material& m : s.materials) meanings.push_back(read_material(m));
    out_.original_parts.resize(s.nodes.size());
    for (Index i = 0; i < s.nodes.size(); ++i) {
      scene::Node& n = s.nodes[i];
      if (const auto moved = moved_mesh_of_node(n)) {
        moving_nodes_[*moved] = i;
        for (f32& x : n.scale)
          x = x == 0 ? 1 : x;  // an animation may start with a scale of 0, which hides all positions
      }
      if (n.mesh == k_none || !has_text(n.extras.find("kind"), k_mesh_node)) continue;
      const auto mesh = mesh_of_node(s, n);
      if (!mesh) continue;
      out_.original_parts[i] = true;
      mesh_nodes_[*mesh] = i;
      merge_primitives(s.meshes[n.mesh], meanings, *geometry_of(file_, *mesh));
    }
    s.materials.resize(2);
    s.materials[0] = {.name = k_compared_textured}, s.materials[1] = {.name = k_compared_untextured};
    return true;
  }
  void merge_primitives(scene::Mesh& mesh, const std::vector<MaterialMeaning>& meanings, const Geometry& g) const {
    std::array<scene::Primitive, 2> merged;
    merged[0].material = 0, merged[1].material = 1;
    for (const scene::Primitive& p : mesh.primitives) {
      const MaterialMeaning& meaning = meanings[p.material];
      const bool is_untextured = meaning.kind == Kind::untextured;
      scene::Primitive& to = merged[is_untextured];
      const u32 first = u32(to.positions.size());
      const auto append = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
      append(to.positions, p.positions), append(to.sources, p.sources);
      for (const u32 i : scene_indices(p)) to.indices.push_back(first + i);
      if (is_untextured) continue;
      append(to.normals, p.normals);
      for (size_t v = 0; v < p.positions.size(); ++v) {
        to.uvs.push_back(original_texel(meaning, p, v, g).encode());
        if (compares_colors_)
          to.colors.push_back(to_intensity(p.colors.empty() ? scene::Vec4{1, 1, 1, 1} : p.colors[v], meaning.headroom));
      }
    }
    mesh.primitives.assign(merged.begin(), merged.end());
  }
  static std::vector<u32> scene_indices(const scene::Primitive& p) {
    if (!p.indices.empty()) return p.indices;
    std::vector<u32> out(p.positions.size());
    for (u32 i = 0; i < out.size(); ++i) out[i] = i;
    return out;
  }
  static ComparedTexel original_texel(const MaterialMeaning& meaning, const scene::Primitive& p, size_t v,
                                      const Geometry& g) {
    if (meaning.kind == Kind::palette && !p.uvs.empty()) return texel_of(p.uvs[v], meaning.palette);
    ComparedTexel out{.palette = ComparedTexel::k_foreign};
    if (const auto corner = find_corner(g, p.sources[v])) {
      const auto take = [&](const auto& list) {
        const auto& polygon = list[corner->index];
        if constexpr (k_is_textured<decltype(polygon)>)
          out.u = polygon.uvs[corner->corner].u, out.v = polygon.uvs[corner->corner].v + k_page_texels * polygon.page;
      };
      visit_polygon_list(g, corner->kind, take);
    }
    return out;
  }
  static ComparedTexel texel_of(const scene::Vec2& uv, u8 palette) {
    return {f64(uv[0]) * k_page_texels, f64(uv[1]) * k_page_texels * k_pages, palette};
  }
  /// Converts a material colour to the light that the game uses.
  static scene::Vec4 to_intensity(const scene::Vec4& color, f64 headroom) {
    scene::Vec4 out{0, 0, 0, 1};
    for (size_t k = 0; k < 3; ++k)
      out[k] = scene::srgb_to_linear(f32(scene::linear_to_srgb(std::clamp(f64(color[k]), 0.0, 1.0)) * headroom / 255));
    return out;
  }

  // ---- the edited scene

  std::optional<Diagnostic> find_parts() {
    out_.original_nodes.assign(edited().nodes.size(), k_none);
    out_.edited_parts.assign(edited().nodes.size(), false);
    const bool is_of_states = std::ranges::count_if(edited().nodes, [](const scene::Node& n) {
                                return n.extras.find("states") != nullptr;
                              }) > 1;
    std::array<bool, k_meshes> is_there{};
    std::vector<bool> is_terrain(edited().nodes.size());
    for (Index i = 0; i < edited().nodes.size(); ++i) {
      const scene::Node& n = edited().nodes[i];
      is_terrain[i] = (n.parent != k_none && is_terrain[n.parent]) || is_terrain_node(n);
      if (const auto moved = moved_mesh_of_node(n)) put_to_rest(i, moving_nodes_[*moved]);
      if (n.mesh == k_none || is_terrain[i]) continue;
      const auto mesh = mesh_of_node(edited(), n);
      if (!mesh && n.extras.find("kind")) continue;  // of something else
      if (mesh) {
        if (is_of_states && std::exchange(is_there[*mesh], true)) continue;
        if (auto problem = check_mesh_node(*mesh, n)) return problem;
        out_.original_nodes[i] = mesh_nodes_[*mesh];
        flattened_ += scene::determinant(scene::local_transform(n).linear) == 0;
      }
      out_.edited_parts[i] = true;
      for (const scene::Primitive& p : edited().meshes[n.mesh].primitives)
        lines_ += p.shape != scene::Primitive::Shape::triangles;
    }
    return {};
  }
  /// For a node animated in the file, exporters without animations write a pose.
  void put_to_rest(Index node, Index original) {
    out_.original_nodes[node] = original;
    const auto moves = [](const scene::Scene& s, Index i) {
      return std::ranges::any_of(s.animations, [&](const scene::Animation& a) {
        return std::ranges::find(a.channels, i, &scene::Channel::node) != a.channels.end();
      });
    };
    if (original == k_none || moves(edited(), node) || !moves(out_.original, original)) return;
    const scene::Node& rest = out_.original.nodes[original];
    scene::Node& n = edited().nodes[node];
    n.translation = rest.translation, n.rotation = rest.rotation, n.scale = rest.scale;
  }
  static bool is_terrain_node(const scene::Node& n) {
    if (const Value* kind = n.extras.find("kind")) return has_text(kind, "fft.terrain") || has_text(kind, "fft.depth");
    return scene::strip_copy_suffix(n.name) == "terrain";
  }

  /// Polygons of each file are counted from 0, so a scene of several files cannot be applied to one.
  std::optional<Diagnostic> check_mesh_node(size_t mesh, const scene::Node& node) {
    const auto several = [&](std::string message) {
      return make_diagnostic("scene.source", mesh_name(mesh),
                             {.message = std::move(message),
                              .hint = "make the scene from this file alone with {convert ORIGINAL -o SCENE.glb}"});
    };
    if (node.extras.find("files")) return several("the mesh was combined from several files");
    if (const Value* file = node.extras.find("file"); file && file->is(Value::Kind::text)) {
      if (!of_file_.empty() && of_file_ != file->text())
        return several(text("the meshes are from two files: ", of_file_, " and ", file->text()));
      of_file_ = file->text();
    }
    const Geometry* g = geometry_of(file_, mesh);
    const auto is_drawn = [](const scene::Primitive& p) { return !p.positions.empty(); };
    if (!g && std::ranges::any_of(edited().meshes[node.mesh].primitives, is_drawn))
      return make_diagnostic("scene.source", mesh_name(mesh),
                             {.message = "the file has no such mesh",
                              .hint = "the scene was made from another file, or this file has changed since"});
    for (const scene::Primitive& p : edited().meshes[node.mesh].primitives)
      for (const u32 source : p.sources)
        if (g && source != k_no_source && !find_corner(*g, source))
          return make_diagnostic("scene.source", mesh_name(mesh),
                                 {.message = text("_SOURCE names vertex ", source % 4, " of polygon ", source / 4,
                                                  ", but the file has no such vertex"),
                                  .hint = "the scene was made from another file, or this file has changed since"});
    return {};
  }

  void make_comparable(scene::Primitive& p, Index textured) const {
    const MaterialMeaning meaning = p.material == k_none ? MaterialMeaning{} : materials_[p.material];
    const bool is_lit = p.material != k_none && !out_.edited.materials[p.material].unlit;
    p.material = textured + (meaning.kind == Kind::untextured);
    constexpr f32 k_farthest = 1e6f;  // units: outside the range of the file
    for (scene::Vec3& at : p.positions)
      for (f32& x : at) x = x >= -k_farthest ? std::min(x, k_farthest) : -k_farthest;
    if (!compares_colors_ || is_lit || meaning.kind != Kind::palette) p.colors.clear();
    for (scene::Vec4& color : p.colors) color = to_intensity(color, meaning.headroom);
    if (meaning.kind == Kind::unknown) p.uvs.resize(p.positions.size());
    if (meaning.kind == Kind::untextured || meaning.kind == Kind::foreign) p.uvs.clear();
    for (scene::Vec2& uv : p.uvs)
      uv = texel_of(uv, meaning.kind == Kind::palette ? meaning.palette : ComparedTexel::k_unknown).encode();
  }

  void note_what_is_left_out() {
    out_.lost += lines_;
    if (lines_)
      out_.notes.push_back(make_diagnostic(Severity::hint, "fft.scene-new", {},
                                           {.message = text(format_count(lines_, "primitive"), " of points or lines",
                                                            lines_ == 1 ? " is" : " are", " ignored"),
                                            .hint = "only triangles can be imported"}));
    if (flattened_)
      out_.notes.push_back(
          make_diagnostic(Severity::hint, "fft.scene-flattened", {},
                          {.message = text(format_count(flattened_, "node"), flattened_ == 1 ? " has" : " have",
                                           " a scale of 0; the transform of such a node is ignored")}));
  }

  const Mesh& file_;
  ComparedScenes out_;
  std::vector<MaterialMeaning> materials_;                 // of the edited scene
  std::array<Index, k_meshes> mesh_nodes_, moving_nodes_;  // of the original, by mesh
  bool compares_colors_ = false;
  std::string of_file_;  // the file named by nodes of the edited scene
  u64 lines_ = 0, flattened_ = 0;
};

}  // namespace

std::optional<u32> palette_from_extras(const Value& extras) {
  const Value* number = extras.find("palette");
  if (!number || !number->is(Value::Kind::integer) || number->bits() >= 16) return {};
  return u32(number->bits());
}
Result<ComparedScenes> prepare_comparison(const Mesh& file, const scene::Scene& edited) {
  return SceneComparison(file, edited).run();
}

}  // namespace dio::fft
