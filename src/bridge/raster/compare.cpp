#include "bridge/raster/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <unordered_map>

#include "bridge/raster/surface.hpp"
#include "scene/math.hpp"
#include "scene/srgb_tables.hpp"
#include "scene/units.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// Formats give this number to vertices that are not in the file (Primitive::sources), so it identifies nothing.
constexpr u32 k_no_source = (u32(1) << 24) - 1;

enum class FaceChange : u8 { same, changed, moved_from, added, removed };
constexpr size_t k_marks = 5;

/// A hash of everything that was added. Equal content has equal hashes with every compiler.
class Hash {
 public:
  void update(u64 x) {
    state_ = (state_ ^ x) * 0x9e3779b97f4a7c15;
    state_ ^= state_ >> 29;
    state_ *= 0xbf58476d1ce4e5b9;
    state_ ^= state_ >> 32;
  }
  void update(std::string_view text) {
    update(text.size());
    for (const char c : text) update(u64(u8(c)));
  }
  void update_rounded(f64 x, f64 steps) { update(u64(i64(std::llround(std::clamp(x * steps, -9e15, 9e15))))); }
  u64 value() const { return state_; }

 private:
  u64 state_ = 0x243f6a8885a308d3;
};

u64 hash_visible_pixels(const Image& image) {
  Hash h;
  h.update(image.width), h.update(image.height);
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) {
      const Rgba c = color_of(image, x, y);
      h.update(c[3] ? u64(c[0]) << 24 | u64(c[1]) << 16 | u64(c[2]) << 8 | c[3] : 0);
    }
  return h.value();
}

/// The look of a material, independent of its name and position in a list.
std::vector<u64> hash_material_appearance(const Scene& scene, const Pose& pose) {
  std::vector<u64> images;
  for (const Image& i : scene.images) images.push_back(hash_visible_pixels(i));
  std::vector<u64> out;
  for (const Material& m : pose.materials) {
    Hash h;
    for (const f32 x : m.color) h.update_rounded(x, 4095);
    h.update(u64(m.unlit) | u64(m.double_sided) << 1 | u64(m.alpha) << 2);
    if (m.alpha == Material::Alpha::mask) h.update_rounded(m.alpha_cutoff, 255);
    if (m.texture != k_none) {
      const Texture& t = scene.textures[m.texture];
      h.update(t.image == k_none ? 0 : images[t.image]);
      h.update(u64(t.wrap_u) | u64(t.wrap_v) << 2 | u64(t.nearest) << 4);
      for (const f32 x : m.transform.offset) h.update_rounded(x, 4096);
      for (const f32 x : m.transform.scale) h.update_rounded(x, 4096);
      h.update_rounded(m.transform.rotation, 4096);
    }
    out.push_back(h.value());
  }
  Hash plain;
  out.push_back(plain.value());  // for primitives without a material
  return out;
}

/// A triangle, a line or a point as drawn. A scene has millions of them, so values that can be looked up are not
/// stored.
struct Face {
  u32 node = 0, primitive = 0, first = 0;  // of the primitive's mesh; of its indices
  u32 partner = ~0u;                       // in the other scene
  FaceChange mark = FaceChange::same;
  bool is_matched = false;
};

/// The faces of a scene and the data that distinguishes them.
class FaceSet {
 public:
  FaceSet(const Scene& scene, const Pose& pose)
      : scene_(scene), pose_(pose), looks_(hash_material_appearance(scene, pose)) {
    hash_node_names();
    for (u32 n = 0; n < scene.nodes.size(); ++n) {
      const Index mesh = scene.nodes[n].mesh;
      if (mesh == k_none || !pose.visible[n]) continue;
      for (u32 p = 0; p < scene.meshes[mesh].primitives.size(); ++p) {
        const Primitive& primitive = scene.meshes[mesh].primitives[p];
        const size_t count = index_count(primitive), step = vertices_per_face(primitive);
        for (size_t i = 0; i + step <= count; i += step) faces.push_back({n, p, u32(i)});
      }
    }
  }

  std::vector<Face> faces;

  static size_t vertices_per_face(const Primitive& p) {
    return p.shape == Primitive::Shape::triangles ? 3 : p.shape == Primitive::Shape::lines ? 2 : 1;
  }
  static size_t index_count(const Primitive& p) { return p.indices.empty() ? p.positions.size() : p.indices.size(); }
  const Primitive& primitive_of(const Face& f) const {
    return scene_.meshes[scene_.nodes[f.node].mesh].primitives[f.primitive];
  }
  static u32 vertex_of(const Primitive& p, size_t i) { return p.indices.empty() ? u32(i) : p.indices[i]; }
  Index material_of(const Primitive& p) const {
    Index material = p.material;
    for (const auto& v : p.in_variants)
      if (v.variant == pose_.variant) material = v.material;
    return material;
  }
  /// For a vertex in the scene.
  Point world_position(const Face& f, const Primitive& p, u32 vertex) const {
    const Node& node = scene_.nodes[f.node];
    const Vec3& at = p.positions[vertex];
    const Affine place = node.skin == k_none
                             ? pose_.places[f.node]
                             : skin_matrix(pose_, scene_.skins[node.skin], p.joints[vertex], p.weights[vertex]);
    return place * Point{at[0], at[1], at[2]};
  }
  Point world_normal(const Face& f, const Primitive& p, u32 vertex) const {
    const Vec3& n = p.normals[vertex];
    const Node& node = scene_.nodes[f.node];
    const Affine place = node.skin == k_none
                             ? pose_.places[f.node]
                             : skin_matrix(pose_, scene_.skins[node.skin], p.joints[vertex], p.weights[vertex]);
    return unit(place.linear * Point{n[0], n[1], n[2]});
  }

  /// The position and look of a face. Corners may start at any of them, but their order counts: the reverse order is
  /// the back.
  struct Keys {
    u64 place, look;
  };
  Keys face_hashes(const Face& f, f64 steps, f64 shift) const {
    const Primitive& p = primitive_of(f);
    const size_t n = vertices_per_face(p);
    const Index material = material_of(p);
    const bool lit = material != k_none && !pose_.materials[material].unlit && !p.normals.empty();
    const bool textured = material != k_none && pose_.materials[material].texture != k_none && !p.uvs.empty();
    std::array<Keys, 3> at{};
    for (size_t i = 0; i < n; ++i) {
      const u32 v = vertex_of(p, f.first + i);
      Hash place, look;
      const Point where = world_position(f, p, v);
      for (const f64 x : where) place.update_rounded(x * steps + shift, 1);
      if (textured)
        for (const f32 x : p.uvs[v]) look.update_rounded(x, 4096);
      for (size_t c = 0; c < 4; ++c) look.update_rounded(p.colors.empty() ? 1.0 : f64(p.colors[v][c]), 1023);
      if (lit)
        for (const f64 x : world_normal(f, p, v)) look.update_rounded(x, 127);
      at[i] = {place.value(), look.value()};
    }
    size_t start = 0;
    for (size_t i = 1; i < n; ++i)
      if (at[i].place < at[start].place) start = i;
    Hash place, look;
    place.update(n);
    look.update(looks_[material == k_none ? looks_.size() - 1 : material]);
    for (size_t i = 0; i < n; ++i) {
      place.update(at[(start + i) % n].place);
      look.update(at[(start + i) % n].look);
    }
    return {place.value(), look.value()};
  }

  /// Equal for nodes that stand for the same part of both files.
  u64 name_of(u32 node) const { return names_[node]; }
  const Scene& scene() const { return scene_; }
  const Pose& pose() const { return pose_; }

 private:
  void hash_node_names() {
    // Uses hashes, because a name with those of all ancestors would be as long as the scene is deep.
    std::unordered_map<u64, u32> seen;
    for (const Node& n : scene_.nodes) {
      const Value *path = n.extras.find("path"), *kind = n.extras.find("kind");
      Hash name;
      name.update(n.parent == k_none ? 0 : names_[n.parent]);
      name.update(path != nullptr);
      name.update(path ? path->text() : n.name);
      if (path && kind) name.update(kind->text());
      if (const u32 earlier = seen[name.value()]++) name.update(earlier);
      names_.push_back(name.value());
    }
  }

  const Scene& scene_;
  const Pose& pose_;
  std::vector<u64> looks_;
  std::vector<u64> names_;
};

void pair_faces(FaceSet& a, u32 i, FaceSet& b, u32 j, FaceChange mark) {
  a.faces[i].is_matched = b.faces[j].is_matched = true;
  a.faces[i].mark = b.faces[j].mark = mark;
  a.faces[i].partner = j, b.faces[j].partner = i;
}

/// Pairs faces at the same position: first those that also look the same.
void match_faces_by_position(FaceSet& a, FaceSet& b, f64 steps, f64 shift) {
  struct Entry {
    u64 place, look;
    u32 face;
    bool operator<(const Entry& o) const { return std::tie(place, look, face) < std::tie(o.place, o.look, o.face); }
  };
  const auto sorted_unmatched_faces = [&](const FaceSet& d) {
    std::vector<Entry> out;
    for (u32 i = 0; i < d.faces.size(); ++i)
      if (!d.faces[i].is_matched) {
        const FaceSet::Keys k = d.face_hashes(d.faces[i], steps, shift);
        out.push_back({k.place, k.look, i});
      }
    std::sort(out.begin(), out.end());
    return out;
  };
  const std::vector<Entry> of_a = sorted_unmatched_faces(a), of_b = sorted_unmatched_faces(b);
  for (const bool by_look : {true, false})
    for (size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
      const Entry &x = of_a[i], &y = of_b[j];
      if (a.faces[x.face].is_matched)
        ++i;
      else if (b.faces[y.face].is_matched)
        ++j;
      else if (x.place != y.place)
        x.place < y.place ? ++i : ++j;
      else if (by_look && x.look != y.look)
        x.look < y.look ? ++i : ++j;
      else
        pair_faces(a, x.face, b, y.face, by_look ? FaceChange::same : FaceChange::changed), ++i, ++j;
    }
}

/// Among the remaining faces: faces of the same part of both files.
void match_faces_by_part(FaceSet& a, FaceSet& b) {
  const auto face_part_hash = [](const FaceSet& d, const Face& f) {
    const Primitive& p = d.primitive_of(f);
    const size_t n = FaceSet::vertices_per_face(p);
    Hash out;
    out.update(d.name_of(f.node)), out.update(f.primitive), out.update(n);
    std::array<u32, 3> sources{};
    bool has_sources = !p.sources.empty();
    for (size_t i = 0; i < n && has_sources; ++i) {
      sources[i] = p.sources[FaceSet::vertex_of(p, f.first + i)];
      has_sources = sources[i] != k_no_source;
    }
    out.update(has_sources);
    if (!has_sources) {  // by index, if the numbers of faces are equal
      out.update(FaceSet::index_count(p)), out.update(f.first);
      return out.value();
    }
    std::rotate(sources.begin(), std::min_element(sources.begin(), sources.begin() + i64(n)), sources.begin() + i64(n));
    for (size_t i = 0; i < n; ++i) out.update(sources[i]);
    return out.value();
  };
  // Runs of equal keys, the earliest face first. `taken`: at the start of a run, the number of used faces.
  std::vector<std::pair<u64, u32>> left;
  for (u32 i = 0; i < a.faces.size(); ++i)
    if (!a.faces[i].is_matched) left.emplace_back(face_part_hash(a, a.faces[i]), i);
  if (left.empty()) return;
  std::sort(left.begin(), left.end());
  std::vector<u32> taken(left.size());
  for (u32 j = 0; j < b.faces.size(); ++j) {
    if (b.faces[j].is_matched) continue;
    const u64 wanted = face_part_hash(b, b.faces[j]);
    const auto run = size_t(std::lower_bound(left.begin(), left.end(), std::pair(wanted, 0u)) - left.begin());
    if (run == left.size() || left[run].first != wanted) continue;
    const size_t next = run + taken[run];
    if (next == left.size() || left[next].first != wanted) continue;
    ++taken[run];
    pair_faces(a, left[next].second, b, j, FaceChange::changed);
  }
}

f64 brightness(f64 r, f64 g, f64 b) { return 0.2126 * r + 0.7152 * g + 0.0722 * b; }

/// Light grey with little contrast, for everything around the marks. Transparent parts stay transparent.
Image fade_to_grey(const Image& image) {
  Image out = to_rgba(image);
  for (size_t i = 0; i + 3 < out.pixels.size(); i += 4) {
    u8* c = out.pixels.data() + i;
    const f64 light = brightness(srgb_to_light(c[0]), srgb_to_light(c[1]), srgb_to_light(c[2]));
    c[0] = c[1] = c[2] = u8(150 + light_to_srgb(u32(light)) * 90 / 255);
  }
  return out;
}

/// Builds the displayed scene: faces by mark and material.
class Marker {
 public:
  explicit Marker(Scene& out) : out_(out) {
    out.meshes.resize(2);
    out.meshes[0].name = "same", out.meshes[1].name = "different";
    out.nodes.resize(2);
    for (u32 i = 0; i < 2; ++i) out.nodes[i].name = out.meshes[i].name, out.nodes[i].mesh = i;
  }

  void add(const FaceSet& from, const Face& f, FaceChange mark) {
    const Primitive& p = from.primitive_of(f);
    const size_t n = FaceSet::vertices_per_face(p);
    Primitive& to = find_or_add_primitive(from, from.material_of(p), p.shape, mark);
    std::array<Point, 3> at{};
    for (size_t i = 0; i < n; ++i) at[i] = from.world_position(f, p, FaceSet::vertex_of(p, f.first + i));
    f64 shade = 1;
    if (n == 3) {  // like a lamp above the viewer of the default camera
      const Point normal = unit(cross(Point{at[1][0] - at[0][0], at[1][1] - at[0][1], at[1][2] - at[0][2]},
                                      Point{at[2][0] - at[0][0], at[2][1] - at[0][1], at[2][2] - at[0][2]}));
      shade = 0.75 + 0.25 * std::fabs(dot(normal, unit(Point{0.35, 0.8, 0.5})));
    }
    for (size_t i = 0; i < n; ++i) {
      const u32 v = FaceSet::vertex_of(p, f.first + i);
      f64 light = 1, alpha = 1;
      if (!p.colors.empty()) {
        const Vec4& c = p.colors[v];
        light = 0.6 + 0.4 * std::sqrt(std::clamp(brightness(c[0], c[1], c[2]), 0.0, 1.0));
        alpha = mark == FaceChange::same ? f64(c[3]) : std::max(f64(c[3]), 0.85);
      }
      to.positions.push_back({f32(at[i][0]), f32(at[i][1]), f32(at[i][2])});
      const f32 grey = f32(light * shade);
      to.colors.push_back({grey, grey, grey, f32(std::clamp(alpha, 0.0, 1.0))});
      to.uvs.push_back(p.uvs.empty() ? Vec2{0, 0} : p.uvs[v]);
    }
  }

 private:
  Primitive& find_or_add_primitive(const FaceSet& from, Index material, Primitive::Shape shape, FaceChange mark) {
    const bool is_mark = mark != FaceChange::same;
    auto& all = out_.meshes[is_mark].primitives;
    const auto [at, is_new] = primitives_.try_emplace({&from.scene(), material, shape, mark}, all.size());
    if (is_new) {
      Primitive p;
      p.shape = shape;
      p.material = Index(out_.materials.size());
      out_.materials.push_back(make_mark_material(from, material, mark));
      all.push_back(std::move(p));
    }
    return all[at->second];
  }
  Material make_mark_material(const FaceSet& from, Index index, FaceChange mark) {
    constexpr Vec4 k_colors[k_marks] = {{0.5f, 0.5f, 0.5f, 1},
                                        {1, 0.5f, 0, 1},
                                        {1, 0.5f, 0, 0.35f},
                                        {0.03f, 0.62f, 0.1f, 1},
                                        {0.85f, 0.03f, 0.03f, 0.6f}};
    const Vec4& color = k_colors[size_t(mark)];
    Material out;
    out.color = color;
    out.double_sided = true;
    if (index != k_none) {
      const Material& m = from.pose().materials[index];
      out.name = m.name;
      out.double_sided = m.double_sided;
      out.alpha = m.alpha, out.alpha_cutoff = m.alpha_cutoff;
      out.transform = m.transform;
      if (m.texture != k_none) out.texture = find_or_add_texture(from.scene(), m.texture);
      const f64 light = 0.6 + 0.4 * std::sqrt(std::clamp(brightness(m.color[0], m.color[1], m.color[2]), 0.0, 1.0));
      if (mark == FaceChange::same)
        for (size_t c = 0; c < 3; ++c) out.color[c] *= f32(light);
      out.color[3] = mark == FaceChange::same ? m.color[3] : std::max(m.color[3], 0.85f) * color[3];
    }
    if (color[3] < 1) {
      out.alpha = Material::Alpha::blend;
    }
    return out;
  }
  Index find_or_add_texture(const Scene& scene, Index texture) {
    const Texture& t = scene.textures[texture];
    const auto [image, is_new] = images_.try_emplace({&scene, t.image}, Index(out_.images.size()));
    if (is_new) out_.images.push_back(fade_to_grey(scene.images[t.image]));
    const auto [at, first] = textures_.try_emplace({&scene, texture}, Index(out_.textures.size()));
    if (first) {
      out_.textures.push_back(t);
      out_.textures.back().image = image->second;
    }
    return at->second;
  }

  Scene& out_;
  std::map<std::tuple<const Scene*, Index, Primitive::Shape, FaceChange>, size_t> primitives_;
  std::map<std::pair<const Scene*, Index>, Index> images_, textures_;
};

/// One step for each millionth of the size of both scenes.
f64 quantization_steps_per_unit(const Scene& a, const Pose& pose_a, const Scene& b, const Pose& pose_b) {
  f64 size = 0;
  for (const auto& bounds : {compute_bounds(a, pose_a), compute_bounds(b, pose_b)})
    if (bounds)
      for (size_t i = 0; i < 3; ++i) size = std::max({size, std::fabs(bounds->low[i]), std::fabs(bounds->high[i])});
  return size > 0 ? 1e6 / size : 1;
}

/// A frame around marks that are easily overlooked because they are small.
void draw_frame_around_marks(Image& to, const Image& marks) {
  i64 left = marks.width, top = marks.height, right = -1, bottom = -1;
  for (i64 y = 0; y < marks.height; ++y)
    for (i64 x = 0; x < marks.width; ++x)
      if (marks.pixels[size_t(y * marks.width + x) * 4 + 3]) {
        left = std::min(left, x), right = std::max(right, x);
        top = std::min(top, y), bottom = std::max(bottom, y);
      }
  if (right < 0 || (right - left) * 8 > marks.width || (bottom - top) * 8 > marks.height) return;
  const i64 away = 6;
  constexpr Rgba k_ink{200, 30, 120, 255};
  const auto put_frame_pixel = [&](i64 x, i64 y) {
    if (x >= 0 && y >= 0 && x < to.width && y < to.height)
      std::copy(k_ink.begin(), k_ink.end(), to.pixels.begin() + (y * i64(to.width) + x) * 4);
  };
  for (i64 thick = 0; thick < 2; ++thick) {
    const i64 d = away + thick;
    for (i64 x = left - d; x <= right + d; ++x) put_frame_pixel(x, top - d), put_frame_pixel(x, bottom + d);
    for (i64 y = top - d; y <= bottom + d; ++y) put_frame_pixel(left - d, y), put_frame_pixel(right + d, y);
  }
}

/// Hidden marks shine through: some of a picture of the marks alone, over the full picture.
void blend_hidden_marks(Image& to, const Image& marks) {
  for (size_t i = 0; i + 3 < to.pixels.size(); i += 4) {
    const u32 alpha = marks.pixels[i + 3] * 60u / 100, below = to.pixels[i + 3];
    if (!alpha) continue;
    const u32 under = below * (255 - alpha), all = alpha * 255 + under;
    for (size_t c = 0; c < 3; ++c)
      to.pixels[i + c] = u8((marks.pixels[i + c] * alpha * 255 + to.pixels[i + c] * under + all / 2) / all);
    to.pixels[i + 3] = u8((all + 127) / 255);
  }
}

}  // namespace

Comparison compare(const Scene& a, const Pose& pose_a, const Scene& b, const Pose& pose_b) {
  FaceSet of_a(a, pose_a), of_b(b, pose_b);
  const f64 steps = quantization_steps_per_unit(a, pose_a, b, pose_b);
  match_faces_by_position(of_a, of_b, steps, 0);
  match_faces_by_position(of_a, of_b, steps, 0.5);  // rounding separates positions on both sides of a step
  match_faces_by_part(of_a, of_b);
  Comparison out;
  Marker marker(out.marked);
  for (const Face& f : of_b.faces) {
    const FaceChange mark = f.is_matched ? f.mark : FaceChange::added;
    ++(mark == FaceChange::same ? out.found.same : mark == FaceChange::changed ? out.found.changed : out.found.added);
    marker.add(of_b, f, mark);
  }
  for (const Face& f : of_a.faces) {
    if (!f.is_matched) {
      ++out.found.removed;
      marker.add(of_a, f, FaceChange::removed);
    } else if (f.mark == FaceChange::changed &&
               of_a.face_hashes(f, steps, 0).place != of_b.face_hashes(of_b.faces[f.partner], steps, 0).place) {
      marker.add(of_a, f, FaceChange::moved_from);
    }
  }
  return out;
}

Result<ComparedPictures> render_comparison(const Scene& a, const Scene& given_b, const RenderOptions& shot) {
  Scene scaled;
  if (given_b.metres_per_unit != a.metres_per_unit) scaled = given_b, convert_units(scaled, a.metres_per_unit);
  const Scene& b = given_b.metres_per_unit != a.metres_per_unit ? scaled : given_b;
  const Scene* const scenes[2] = {&a, &b};
  Pose poses[2];
  for (size_t i = 0; i < 2; ++i) {
    auto moment = resolve_moment(*scenes[i], shot);
    if (!moment) return refuse(moment.error());
    poses[i] = evaluate_pose(*scenes[i], *moment);
  }
  Comparison comparison = compare(a, poses[0], b, poses[1]);
  Scene& marked = comparison.marked;
  marked.background = b.background;
  auto view = make_view(marked, evaluate_pose(marked, {}), shot);
  if (!view) view = make_view(b, poses[1], shot);
  if (!view)
    if (const auto of_first = make_view(a, poses[0], shot)) view = of_first;
  if (!view) return refuse(view.error());

  const auto render_pose = [&](const Scene& scene, const Pose& pose, bool on_nothing = false) {
    Options options = shot.options;
    options.background = on_nothing        ? Vec4{0, 0, 0, 0}
                         : shot.background ? to_linear_light(*shot.background)
                                           : scene.background;
    return render(scene, pose, *view, options);
  };
  auto first = render_pose(a, poses[0]), second = render_pose(b, poses[1]),
       third = render_pose(marked, evaluate_pose(marked, {}));
  marked.nodes[0].visible = false;
  const auto marks = render_pose(marked, evaluate_pose(marked, {}), true);
  for (const Result<Image>* picture : std::initializer_list<const Result<Image>*>{&first, &second, &third, &marks})
    if (!*picture) return refuse(picture->error());
  blend_hidden_marks(*third, *marks);
  draw_frame_around_marks(*third, *marks);
  ComparedPictures out{std::move(*first), std::move(*second), std::move(*third), comparison.found};
  for (size_t i = 0; i < out.a.pixels.size(); i += 4)
    out.differing_pixels += std::memcmp(out.a.pixels.data() + i, out.b.pixels.data() + i, 4) != 0;
  return out;
}

ComparedTextures compare_textures(const std::vector<LabelledImage>& a, const std::vector<LabelledImage>& b) {
  ComparedTextures out;
  std::multimap<std::string, const LabelledImage*> of_b;
  for (const LabelledImage& l : b) of_b.emplace(l.label, &l);
  const auto same = [](const Rgba& x, const Rgba& y) { return x == y || (x[3] == 0 && y[3] == 0); };
  /// Pixels that differ get the colour; all others are grey.
  const auto highlight_changes = [&](const Image& is, const Image* was, const Rgba& color) {
    Image picture = fade_to_grey(is);
    for (u32 y = 0; y < is.height; ++y)
      for (u32 x = 0; x < is.width; ++x) {
        const bool fits = was && x < was->width && y < was->height;
        if (fits && same(color_of(*was, x, y), color_of(is, x, y))) continue;
        std::copy(color.begin(), color.end(), picture.pixels.begin() + (i64(y) * is.width + x) * 4);
      }
    return picture;
  };
  constexpr Rgba k_changed{255, 200, 0, 255}, k_added{40, 180, 60, 255}, k_removed{220, 50, 50, 255};
  const auto add_texture_row = [&](const LabelledImage* was, const LabelledImage* is, const Rgba& color,
                                   const char* what) {
    out.cells.push_back(was ? *was : LabelledImage{"-", {}});
    out.cells.push_back(is ? *is : LabelledImage{"-", {}});
    out.cells.push_back({what, highlight_changes((is ? is : was)->image, was && is ? &was->image : nullptr, color)});
  };
  for (const LabelledImage& was : a) {
    const auto found = of_b.find(was.label);
    if (found == of_b.end()) {
      ++out.removed;
      add_texture_row(&was, nullptr, k_removed, "removed");
      continue;
    }
    const LabelledImage& is = *found->second;
    of_b.erase(found);
    if (hash_visible_pixels(was.image) == hash_visible_pixels(is.image)) {
      ++out.same;
      continue;
    }
    ++out.changed;
    add_texture_row(&was, &is, k_changed, "changed");
  }
  for (const LabelledImage& is : b) {  // in file order
    const auto [from, end] = of_b.equal_range(is.label);
    const bool is_new = std::any_of(from, end, [&](const auto& e) { return e.second == &is; });
    if (!is_new) continue;
    ++out.added;
    add_texture_row(nullptr, &is, k_added, "added");
  }
  return out;
}

Image draw_labelled_row(const std::vector<LabelledImage>& cells, const SheetOptions& o) {
  const u32 gap = 4, scale = o.cell_width >= 320 ? 2 : 1;
  const u32 text = u32(k_text_height) * scale + gap;
  Image out;
  out.width = u32(cells.size()) * (o.cell_width + gap) + gap;
  out.height = o.cell_height + 2 * gap + text;
  out.pixels.resize(size_t(out.width) * out.height * 4);
  for (size_t i = 0; i < out.pixels.size(); i += 4)
    std::copy(o.background.begin(), o.background.end(), out.pixels.begin() + i64(i));
  for (size_t i = 0; i < cells.size(); ++i) {
    const u32 left = u32(i) * (o.cell_width + gap) + gap;
    const Image& image = cells[i].image;
    for (u32 y = 0; y < std::min(image.height, o.cell_height); ++y)
      for (u32 x = 0; x < std::min(image.width, o.cell_width); ++x) {
        const Rgba c = color_of(image, x, y);
        u8* to = out.pixels.data() + (size_t(y + gap) * out.width + left + x) * 4;
        const u32 below = u32(to[3]) * (255 - c[3]), all = u32(c[3]) * 255 + below;
        if (!all) continue;
        for (size_t k = 0; k < 3; ++k) to[k] = u8((u32(c[k]) * c[3] * 255 + to[k] * below + all / 2) / all);
        to[3] = u8((all + 127) / 255);
      }
    const u32 letter = u32(k_text_width) * scale, room = o.cell_width / letter, kept = room > 2 ? room - 2 : 0;
    std::string label = cells[i].label;
    if (label.size() > room)
      label = cells[i].is_sentence ? label.substr(0, kept) + ".." : ".." + label.substr(label.size() - kept);
    draw_text(out, i32(left + (o.cell_width - std::min(o.cell_width, u32(label.size()) * letter)) / 2),
              i32(o.cell_height + 2 * gap), label, o.ink, scale);
  }
  return out;
}

}  // namespace dio::raster
