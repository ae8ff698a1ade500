// meshes.cpp: converts polygons to primitives, one for each material, with the light of the game as vertex colours.
#include <algorithm>
#include <cmath>

#include "formats/contract/reporter.hpp"
#include "formats/fft/scene/builder.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "scene/math.hpp"

namespace dio::fft {

using scene::Index;
using scene::k_none;
using scene::Point;

namespace {

constexpr f32 k_brightest = 255;

Point to_point(const Position& p) { return {f64(p.x), f64(p.y), f64(p.z)}; }
Point to_point(const Normal& n) { return {n.x.value(), n.y.value(), n.z.value()}; }

/// A channel of a texel as it is drawn.
f64 lit_texel_value(u32 texel, f64 intensity) {
  return std::min<f64>(k_brightest, texel * intensity / k_plain_intensity);
}

/// A polygon and its value, as a list of two.
Value make_pair_value(u64 polygon, u64 value) {
  Value v = Value::list();
  v.push(polygon);
  v.push(value);
  return v;
}

}  // namespace

/// The texture pages used with each palette in this stage.
void FftSceneBuilder::find_palette_pages() {
  const auto look = [&](const Geometry& g) {
    const auto polygons = [&](const auto& list) {
      for (const auto& p : list)
        if (p.palette < pages_of_palettes_.size()) pages_of_palettes_[p.palette] |= u8(1 << p.page);
    };
    polygons(g.textured_triangles);
    polygons(g.textured_quads);
  };
  if (map().primary) look(*map().primary);
  for (const auto& g : map().animated)
    if (g) look(*g);
}

void FftSceneBuilder::add_meshes(Index parent) {
  find_palette_pages();
  std::optional<LightRig> rig;
  if (map().lights && !options_.lamps) rig = light_rig(*map().lights);
  if (map().primary) add_mesh(*map().primary, 0, add_node("primary", parent), rig ? &*rig : nullptr);

  std::array<bool, k_animated_meshes> there{};
  for (size_t i = 0; i < there.size(); ++i) there[i] = map().animated[i].has_value();
  std::optional<MeshMotion> motion;
  if (map().mesh_animations) motion.emplace(*map().mesh_animations);
  const AnimatedNodes nodes = add_animated_nodes(s_, parent, motion ? &*motion : nullptr, there, notes_);
  for (size_t i = 0; i < there.size(); ++i) {
    if (!there[i] || nodes.meshes[i] == k_none) continue;
    std::optional<LightRig> own;
    if (rig) own = rotate_light_rig(*rig, light_rotation(motion ? &*motion : nullptr, i));
    add_mesh(*map().animated[i], i + 1, nodes.meshes[i], own ? &*own : nullptr);
  }
  if (motion) add_mesh_animations(s_, *motion, nodes, options_.tick_rate, notes_, stage_.suffix);

  if (foreign_)
    add_note(Severity::hint, "fft.foreign-texture", "primary",
             {.message = text(format_count(foreign_, "polygon"), foreign_ == 1 ? " uses" : " use",
                              " an image or palette that is not in the files of the map"),
              .hint = "these polygons are gray in the scene; in the game, they show interface graphics"});
  if (pageless_)
    add_note(
        Severity::hint, "fft.no-texture", "primary",
        {.message = text(format_count(pageless_, "polygon"), pageless_ == 1 ? " has" : " have", " no texture"),
         .hint =
             "these polygons are gray in the scene; pass the texture file of the map as well, or the .GNS of the map"});
  if (dulled_)
    add_note(Severity::hint, "fft.bright-light", "lights",
             {.message = text(format_count(dulled_, "polygon"), dulled_ == 1 ? " is" : " are",
                              " lit more brightly than vertex colours can show", stage_.suffix),
              .hint = text("the colours of texels (0 to 255) are up to ", std::lround(most_dulled_),
                           " darker than in the game; {--lamps} exports the lights instead")});
}

void FftSceneBuilder::add_mesh(const Geometry& g, size_t mesh, Index node, const LightRig* rig) {
  parts_.clear();
  is_primary_ = mesh == 0;
  collect_mesh_file_parts(mesh);
  const auto corners = [&]<size_t N>(const std::array<Position, N>& positions, PolygonKind kind, u32 index) {
    std::array<Corner, N> out;
    for (size_t i = 0; i < N; ++i) {
      out[i].position = to_point(positions[i]);
      out[i].source = source_number_in_file(g, kind, index, u32(i));
    }
    return out;
  };
  const auto textured = [&](const auto& list, PolygonKind kind) {
    for (u32 i = 0; i < list.size(); ++i) {
      auto c = corners(list[i].positions, kind, i);
      add_textured_polygon(list[i], std::span(c), rig);
    }
  };
  const auto untextured = [&](const auto& list, PolygonKind kind) {
    for (u32 i = 0; i < list.size(); ++i) {
      const auto c = corners(list[i].positions, kind, i);
      add_polygon_part({.kind = FftMaterialKey::Kind::untextured}, c, c.size() == 4);
    }
  };
  textured(g.textured_triangles, PolygonKind::textured_triangle);
  textured(g.textured_quads, PolygonKind::textured_quad);
  untextured(g.untextured_triangles, PolygonKind::untextured_triangle);
  untextured(g.untextured_quads, PolygonKind::untextured_quad);

  s_.nodes[node].mesh = Index(s_.meshes.size());
  s_.nodes[node].extras = make_mesh_extras(g, mesh);
  scene::Mesh& out = s_.meshes.emplace_back();
  out.name = s_.nodes[node].name;
  for (auto& [look, primitive] : parts_) {
    set_materials(primitive, look);
    const auto is_white = [](const scene::Vec4& c) { return c == scene::Vec4{1, 1, 1, 1}; };
    if (std::ranges::all_of(primitive.colors, is_white)) primitive.colors.clear();
    out.primitives.push_back(std::move(primitive));
  }
}

template <size_t N>
void FftSceneBuilder::add_textured_polygon(const Textured<N>& p, std::span<Corner, N> corners, const LightRig* rig) {
  const std::optional<Normal> face = face_normal(p.positions);
  const bool lit = !is_primary_ || p.render.lit;
  bool bright = false;
  for (size_t i = 0; i < N; ++i) {
    Corner& c = corners[i];
    c.normal = to_point(p.normals[i]);
    if (scene::length(c.normal) == 0) c.normal = face ? to_point(*face) : Point{0, -1, 0};
    c.uv = {f64(p.uvs[i].u), f64(p.uvs[i].v)};
    const Intensity intensity = lit && rig ? compute_vertex_intensity(*rig, p.normals[i]) : k_unlit;
    for (size_t k = 0; k < 3; ++k) {
      c.intensity[k] = intensity[k];
      bright |= intensity[k] > k_plain_intensity;
    }
  }
  FftMaterialKey look;
  look.lit = lit && options_.lamps && map().lights;
  look.palette = p.palette;
  const bool is_foreign = p.image != k_map_image || p.page_y != 0 || p.color_depth != 0 || p.palette > 15;
  if (is_foreign || !map().pages[p.page]) {
    ++(is_foreign ? foreign_ : pageless_);
    look.kind = FftMaterialKey::Kind::foreign;
    look.palette = 0;
    return add_polygon_part(look, corners, N == 4);
  }
  if (bright)
    look.headroom =
        options_.brightest_textures ? u8(k_headrooms.size() - 1) : choose_headroom(p.uvs, p.page, p.palette, corners);
  for (Corner& c : corners)
    c.uv = {c.uv[0] / k_page_texels, (c.uv[1] + p.page * k_page_texels) / (k_pages * k_page_texels)};
  for (const MovingFragment& piece : surfaces_.motion(stage_.motion).split_by_canvases(p)) {
    look.rows = piece.rows;
    if (piece.corners.empty()) {
      add_polygon_part(look, corners, N == 4);
      continue;
    }
    std::vector<Corner> cut;
    for (const std::array<f64, 4>& weights : piece.corners) {
      Corner& c = cut.emplace_back();
      if (options_.sources) c.source = corners[0].source;  // of the same polygon
      if (const size_t own = MovingFragment::find_corner(weights); own < N) {
        c = corners[own];
        continue;
      }
      for (size_t i = 0; i < N; ++i) {
        const f64 w = weights[i];
        for (size_t k = 0; k < 3; ++k) {
          c.position[k] += w * corners[i].position[k];
          c.normal[k] += w * corners[i].normal[k];
          c.intensity[k] += w * corners[i].intensity[k];
        }
        for (size_t k = 0; k < 2; ++k) c.uv[k] += w * corners[i].uv[k];
      }
    }
    add_polygon_part(look, cut, false);
  }
}

/// The texture that shows the texels of the polygon with the smallest error.
u8 FftSceneBuilder::choose_headroom(std::span<const Uv> uvs, u8 page, u8 palette, std::span<const Corner> corners) {
  std::optional<TexelCounts>& counts = counts_[page];
  if (!counts) counts.emplace(*map().pages[page]);
  u32 u0 = 255, v0 = 255, u1 = 0, v1 = 0;
  for (const Uv& uv : uvs) {
    u0 = std::min<u32>(u0, uv.u), u1 = std::max<u32>(u1, uv.u);
    v0 = std::min<u32>(v0, uv.v), v1 = std::max<u32>(v1, uv.v);
  }
  const auto texels = counts->count_in_rect(u0, v0, u1, v1);
  const std::vector<scene::Rgba> colors = map().palettes ? rgba_of(map().palettes->rows[palette]) : make_gray_palette();
  u8 best = 0;
  std::array<f64, k_headrooms.size()> squares{}, sums{};
  f64 count = 0;
  for (size_t i = 0; i < colors.size(); ++i) {
    if (!texels[i] || !colors[i][3]) continue;
    count += f64(texels[i]) * f64(corners.size()) * 3;
    for (const Corner& c : corners)
      for (size_t k = 0; k < 3; ++k)
        for (size_t h = 0; h < k_headrooms.size(); ++h) {
          const f64 error = lit_texel_value(colors[i][k], c.intensity[k]) -
                            psx::shown_texel(colors[i][k], c.intensity[k], k_headrooms[h]);
          squares[h] += texels[i] * error * error;
          sums[h] += texels[i] * std::fabs(error);
        }
  }
  for (u8 h = 1; h < k_headrooms.size(); ++h)
    if (squares[h] < squares[best]) best = h;
  constexpr f64 k_visible = 4;  // of 255: half a step of the game's colours
  if (const f64 dulled = count > 0 ? sums[best] / count : 0; dulled > k_visible) {
    ++dulled_;
    most_dulled_ = std::max(most_dulled_, dulled);
  }
  return best;
}

/// Convex, clockwise; a quad is the strip that the game draws.
void FftSceneBuilder::add_polygon_part(const FftMaterialKey& look, std::span<const Corner> corners, bool is_quad) {
  scene::Primitive& out = parts_[look];
  const u32 first = u32(out.positions.size());
  for (const Corner& c : corners) {
    extend_bounds(c.position);
    out.positions.push_back(to_scene_axes(c.position[0], c.position[1], c.position[2]));
    out.sources.push_back(c.source);
    if (look.kind == FftMaterialKey::Kind::untextured) continue;
    out.normals.push_back(scene::unit(c.normal[0], -c.normal[1], -c.normal[2], scene::k_axis_y));
    if (look.kind == FftMaterialKey::Kind::textured) out.uvs.push_back({f32(c.uv[0]), f32(c.uv[1])});
    if (look.lit) continue;
    const f64 headroom = k_headrooms[look.headroom];
    const auto channel = [&](size_t k) {
      return scene::srgb_to_linear(f32(std::min(c.intensity[k], headroom) / headroom));
    };
    out.colors.push_back({channel(0), channel(1), channel(2), 1});
  }
  const auto triangle = [&](u32 a, u32 b, u32 c) {
    for (const u32 i : {a, b, c}) out.indices.push_back(first + i);
  };
  if (is_quad) {
    triangle(0, 2, 1);
    triangle(1, 2, 3);
  } else {
    for (u32 i = 2; i < corners.size(); ++i) triangle(0, i, i - 1);
  }
}

/// Sets the material for each state of the stage.
void FftSceneBuilder::set_materials(scene::Primitive& p, const FftMaterialKey& look) {
  const u8 pages = pages_of_palettes_[look.palette];
  for (size_t i = 0; i < stage_.states.size(); ++i) {
    const MergedMap& state = *stage_.states[i];
    const std::string suffix = i ? text(" (", state.state_name, ")") : stage_.suffix;
    const Index material = surfaces_.find_or_add_material(look, pictures_of(state), pages, stage_.motion, suffix);
    if (i == 0)
      p.material = material;
    else if (material != p.material)
      p.in_variants.push_back({stage_.variants[i], material});
  }
}

void FftSceneBuilder::collect_mesh_file_parts(size_t mesh) {
  files_of_mesh_.clear();
  if (!options_.sources || !mesh) return;  // the primary mesh comes from one file
  std::array<u32, 4> before{};
  for (const PartSource& supply : map().supplies) {
    if (supply.slot != Mesh::k_animated_slot + mesh - 1) continue;
    const MapFile& file = map().files[supply.file];
    const Geometry& own = *file.mesh->animated[mesh - 1];
    u32 polygons = 0;
    for (const u32 n : before) polygons += n;
    files_of_mesh_.push_back({&file.path, &own, before, 4 * polygons});
    const auto counts = count_polygons_by_kind(own);
    for (size_t k = 0; k < counts.size(); ++k) before[k] += u32(counts[k]);
  }
  if (files_of_mesh_.size() < 2) files_of_mesh_.clear();
}

/// The number of a corner; in a mesh from several files, the number in its own file after those of the files before.
u32 FftSceneBuilder::source_number_in_file(const Geometry& g, PolygonKind kind, u32 index, u32 corner) const {
  const auto part = std::ranges::find_if(files_of_mesh_.rbegin(), files_of_mesh_.rend(),
                                         [&](const Part& p) { return index >= p.before[size_t(kind)]; });
  if (part == files_of_mesh_.rend()) return source_number(g, {kind, index, corner});
  return part->first + source_number(*part->own, {kind, index - part->before[size_t(kind)], corner});
}

Value FftSceneBuilder::make_mesh_extras(const Geometry& g, size_t mesh) const {
  Value v = Value::object();
  v.add("kind", k_mesh_node);
  v.add("path", mesh_name(mesh));
  const u32 slot = u32(mesh ? Mesh::k_animated_slot + mesh - 1 : Mesh::k_primary_slot);
  Value files = Value::list();
  for (const PartSource& supply : map().supplies)
    if (supply.slot == slot && !map().files[supply.file].path.empty()) files.push(map().files[supply.file].path);
  if (files.size() == 1)
    v.add("file", std::move(files.members()[0].second));
  else if (files.size())
    v.add("files", std::move(files));  // one after the other
  for (const Part& part : files_of_mesh_) {
    if (!v.find("parts")) v.add("parts", Value::list());
    Value& one = v.find("parts")->push(Value::object());
    one.add("file", *part.file);
    one.add("first_source", part.first);
  }

  Value& counts = v.add("polygons", Value::object());
  for (size_t k = 0; k < k_polygon_kinds.size(); ++k) counts.add(k_polygon_kinds[k], u64(count_polygons_by_kind(g)[k]));
  // By the number of the polygon, counted across all kinds.
  Value tiles = Value::list(), hidden = Value::list(), unlit = Value::list(), blends = Value::list();
  bool any_tile = false;
  u64 polygon = 0;
  const auto textured = [&](const auto& list) {
    for (const auto& p : list) {
      any_tile |= !p.tile.is_none();
      if (p.tile.is_none()) {
        tiles.push(Value());
      } else {
        Value& tile = tiles.push(Value::list());
        tile.push(p.tile.x);
        tile.push(p.tile.z);
        tile.push(p.tile.level);
      }
      if (p.render.hidden_from) hidden.push(make_pair_value(polygon, p.render.hidden_from));
      if (!p.render.lit) unlit.push(polygon);
      if (p.blend) blends.push(make_pair_value(polygon, p.blend));
      ++polygon;
    }
  };
  const auto untextured = [&](const auto& list) {
    for (const auto& p : list) {
      if (p.render.hidden_from) hidden.push(make_pair_value(polygon, p.render.hidden_from));
      ++polygon;
    }
  };
  textured(g.textured_triangles);
  textured(g.textured_quads);
  untextured(g.untextured_triangles);
  untextured(g.untextured_quads);
  if (any_tile) v.add("tiles", std::move(tiles));
  if (mesh == 0 && map().render_unknown) v.add("render_unknown", true);
  if (hidden.size()) v.add("hidden_from", std::move(hidden));
  if (mesh == 0 && unlit.size()) v.add("unlit", std::move(unlit));
  if (blends.size()) v.add("blend", std::move(blends));
  return v;
}

}  // namespace dio::fft
