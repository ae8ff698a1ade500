#include "bridge/obj/obj.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "bridge/obj/lines.hpp"
#include "bridge/obj/materials.hpp"
#include "scene/math.hpp"
#include "scene/polygon_triangles.hpp"

namespace dio::obj {

using scene::Index;
using scene::k_none;
using scene::Primitive;

namespace {

Diagnostic fault_at(const Statement& s, DiagnosticText said) {
  return make_diagnostic("obj.syntax", "line " + std::to_string(s.line), std::move(said));
}

/// A corner of a face: numbers of its values, from 0.
struct Corner {
  std::array<u32, 3> values{k_none, k_none, k_none};  // position, texture coordinates, normal
  auto operator<=>(const Corner&) const = default;
};

/// A primitive that grows, with its vertices by corner.
struct PrimitiveBuilder {
  Primitive primitive;
  std::map<Corner, u32> known;
  bool has_uvs = false, has_normals = true, has_colors = false;
};

class Reader {
 public:
  Reader(const Resolve& resolve, scene::Scene& s) : s_(s), materials_(s, resolve, notes_) {}

  Result<void> run(ByteView file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    has_objects_ = text.starts_with("o ") || text.find("\no ") != text.npos;
    Statements statements(file);
    while (auto s = statements.next())
      if (auto read = read_statement(*s); !read) return read;
    finish();
    return {};
  }
  Diagnostics notes() const { return notes_.list(); }

 private:
  Result<void> read_statement(Statement& s) {
    const std::string_view k = s.keyword;
    const bool has_numbers = k.starts_with('v') || k == "f" || k == "fo" || k == "l" || k == "p";
    if (has_numbers) s.rest = trim_blanks(s.rest.substr(0, s.rest.find('#')));  // a comment at the end
    if (k == "v") return read_position(s);
    if (k == "vt") return read_numbers(s, uvs_, 1);
    if (k == "vn") return read_numbers(s, normals_, 3);
    if (k == "f" || k == "fo") return read_element(s, Primitive::Shape::triangles);
    if (k == "l") return read_element(s, Primitive::Shape::lines);
    if (k == "p") return read_element(s, Primitive::Shape::points);
    if (k == "o" && is_material_used_) material_ = k_none;
    if (k == "o" || (k == "g" && !has_objects_))
      part_ = s.rest;
    else if (k == "usemtl")
      material_ = s.rest.empty() ? k_none : materials_.find(s.rest), is_material_used_ = false;
    else if (k == "mtllib")
      return materials_.read_file(s.rest);
    else if (k != "g" && k != "s")
      notes_.add(k_partly, in_quotes(truncate_utf8(std::string(k), 30)) + " statements are omitted");
    return {};
  }

  /// Position, perhaps with a weight or a colour.
  Result<void> read_position(Statement& s) {
    std::vector<f32> numbers;
    while (!s.rest.empty()) {
      const std::string_view word = s.next_word();
      const auto x = parse_number(word);
      if (!x)
        return refuse(fault_at(s, {.expected = "a number", .found = in_quotes(truncate_utf8(std::string(word), 40))}));
      if (numbers.size() < 8) numbers.push_back(*x);
    }
    if (numbers.size() < 3)
      return refuse(fault_at(s, {.expected = "3 numbers", .found = std::to_string(numbers.size())}));
    positions_.push_back({numbers[0], numbers[1], numbers[2]});
    if (numbers.size() < 6) return {};
    colors_.resize(positions_.size(), {1, 1, 1, 1});
    for (size_t i = 0; i < 3; ++i) colors_.back()[i] = scene::srgb_to_linear(std::clamp(numbers[3 + i], 0.0f, 1.0f));
    return {};
  }

  template <size_t N>
  Result<void> read_numbers(Statement& s, std::vector<std::array<f32, N>>& to, size_t least) {
    std::array<f32, N> out{};
    size_t count = 0;
    for (; count < N && !s.rest.empty(); ++count) {
      const std::string_view word = s.next_word();
      const auto x = parse_number(word);
      if (!x)
        return refuse(fault_at(s, {.expected = "a number", .found = in_quotes(truncate_utf8(std::string(word), 40))}));
      out[count] = *x;
    }
    if (count < least)
      return refuse(fault_at(s, {.expected = std::to_string(least) + " numbers", .found = std::to_string(count)}));
    to.push_back(out);
    return {};
  }

  /// `1`, `1/2`, `1//3` or `1/2/3`: numbers from 1, or from the end if negative.
  Result<Corner> parse_corner(const Statement& s, std::string_view word) const {
    Corner out;
    const std::array<size_t, 3> counts{positions_.size(), uvs_.size(), normals_.size()};
    static constexpr std::array<std::string_view, 3> k_names{"vertices", "texture coordinates", "normals"};
    std::string_view left = word;
    for (size_t i = 0; i < 3; ++i) {
      const size_t end = std::min(left.find('/'), left.size());
      const std::string_view digits = left.substr(0, end);
      left = left.substr(std::min(end + 1, left.size()));
      if (digits.empty() && i) continue;
      const f64 n = digits.empty() || digits.find_first_not_of("-0123456789") != digits.npos ? 0 : parse_real(digits);
      const f64 index = n < 0 ? f64(counts[i]) + n : n - 1;
      if (!(index >= 0 && index < f64(counts[i])))
        return refuse(
            fault_at(s, {.message = "the element refers to " + in_quotes(truncate_utf8(std::string(word), 40)) +
                                    ", but there are " + std::to_string(counts[i]) + ' ' + std::string(k_names[i]) +
                                    " before it"}));
      out.values[i] = u32(index);
    }
    return out;
  }

  Result<void> read_element(Statement& s, Primitive::Shape shape) {
    std::vector<Corner> corners;
    while (!s.rest.empty()) {
      auto corner = parse_corner(s, s.next_word());
      if (!corner) return refuse(std::move(corner.error()));
      corners.push_back(*corner);
    }
    if (corners.size() < size_t(shape) + 1) {
      notes_.add(k_partly, "elements with too few vertices are omitted");
      return {};
    }
    is_material_used_ = true;
    PrimitiveBuilder& b = builder(shape);
    std::vector<u32> vertices;
    for (const Corner& c : corners) vertices.push_back(add_vertex(b, c));
    std::vector<u32>& indices = b.primitive.indices;
    if (shape == Primitive::Shape::points) {
      indices.insert(indices.end(), vertices.begin(), vertices.end());
    } else if (shape == Primitive::Shape::lines) {
      for (size_t i = 0; i + 1 < vertices.size(); ++i) indices.insert(indices.end(), {vertices[i], vertices[i + 1]});
    } else {
      std::vector<scene::Vec3> places;
      for (const Corner& c : corners) places.push_back(positions_[c.values[0]]);
      for (const auto& t : scene::triangulate_polygon(places))
        for (const u32 corner : t) indices.push_back(vertices[corner]);
    }
    return {};
  }

  u32 add_vertex(PrimitiveBuilder& b, const Corner& c) {
    const auto [known, is_new] = b.known.try_emplace(c, u32(b.primitive.positions.size()));
    if (!is_new) return known->second;
    Primitive& p = b.primitive;
    const auto& [position, uv, normal] = c.values;
    p.positions.push_back(positions_[position]);
    b.has_uvs |= uv != k_none;
    p.uvs.push_back(uv == k_none ? scene::Vec2{0, 0} : scene::Vec2{uvs_[uv][0], 1 - uvs_[uv][1]});
    b.has_normals &= normal != k_none;
    p.normals.push_back(normal == k_none ? scene::k_axis_y : scene::unit(normals_[normal], scene::k_axis_y));
    b.has_colors |= position < colors_.size();
    p.colors.push_back(position < colors_.size() ? colors_[position] : scene::Vec4{1, 1, 1, 1});
    return known->second;
  }

  PrimitiveBuilder& builder(Primitive::Shape shape) {
    const auto [node, is_new_node] = nodes_.try_emplace(std::string(part_), parts_.size());
    if (is_new_node) parts_.push_back({std::string(part_), {}});
    Part& part = parts_[node->second];
    const auto [place, is_new] = part.by_material.try_emplace({material_, shape}, part.primitives.size());
    if (is_new) {
      part.primitives.emplace_back();
      part.primitives.back().primitive.shape = shape;
      part.primitives.back().primitive.material = material_;
    }
    return part.primitives[place->second];
  }

  void finish() {
    for (Part& part : parts_) {
      scene::Mesh mesh{part.name, {}};
      for (PrimitiveBuilder& b : part.primitives) {
        const bool needs_uvs = b.primitive.material != k_none && s_.materials[b.primitive.material].texture != k_none;
        if (!b.has_uvs && needs_uvs)
          notes_.add(k_partly, "a part has a texture but no texture coordinates, so it shows a single texel");
        if (!b.has_uvs && !needs_uvs) b.primitive.uvs.clear();
        if (!b.has_normals) b.primitive.normals.clear();
        if (!b.has_colors) b.primitive.colors.clear();
        mesh.primitives.push_back(std::move(b.primitive));
      }
      scene::Node node;
      node.name = part.name;
      node.mesh = Index(s_.meshes.size());
      s_.meshes.push_back(std::move(mesh));
      s_.nodes.push_back(std::move(node));
    }
  }

  struct Part {
    std::string name;
    std::vector<PrimitiveBuilder> primitives;
    std::map<std::pair<Index, Primitive::Shape>, size_t> by_material = {};
  };

  scene::Scene& s_;
  Notes notes_;
  Materials materials_;
  bool has_objects_ = false;
  std::vector<scene::Vec3> positions_, normals_;
  std::vector<scene::Vec4> colors_;  // as many as positions, or fewer
  std::vector<scene::Vec2> uvs_;
  std::vector<Part> parts_;
  std::map<std::string, size_t> nodes_;  // by name
  std::string part_;
  Index material_ = k_none;
  /// Whether an element has it. Then a new object starts without: Blender states no material for objects without one.
  bool is_material_used_ = false;
};

}  // namespace

Result<LoadResult<scene::Scene>> read(ByteView file, const Resolve& resolve) {
  LoadResult<scene::Scene> out;
  Reader reader(resolve, out.document);
  if (auto done = reader.run(file); !done) return refuse(std::move(done.error()));
  if (out.document.nodes.empty())
    return refuse("obj.syntax", {}, {.message = "the file has no faces, lines or points"});
  if (auto fault = scene::validation_error(out.document))
    return refuse("obj.syntax", {}, {.message = std::move(fault->message)});
  out.notes = reader.notes();
  return out;
}

Result<std::vector<std::string>> list_external_files(ByteView file, const Resolve& resolve) {
  std::vector<std::string> out;
  std::set<std::string> known;
  const auto add = [&](const std::string& name) {
    const bool is_new = !name.empty() && known.insert(name).second;
    if (is_new) out.push_back(name);
    return is_new;
  };
  Statements statements(file);
  while (auto s = statements.next()) {
    if (s->keyword != "mtllib") continue;
    const std::string name = local_path(s->rest);
    if (!add(name) || !resolve) continue;
    if (const auto materials = resolve(name))
      for (const std::string& picture : list_pictures(*materials)) add(picture);
  }
  return out;
}

}  // namespace dio::obj
