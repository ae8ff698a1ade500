#include "formats/fft/make/scene_faces.hpp"

#include <algorithm>

#include "core/elementary.hpp"
#include "core/text_format.hpp"
#include "formats/fft/layout/enum_names.hpp"
#include "scene/extras.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::fft {

using scene::Index;
using scene::k_none;

namespace {

/// Words of material names, for the surfaces that they suggest. Longer phrases are the names of the game.
constexpr std::pair<std::string_view, u8> k_surface_synonyms[] = {
    {"grass", 0x03},     {"sand", 0x01},   {"beach", 0x01},     {"snow", 0x05},   {"rock", 0x06},
    {"cliff", 0x06},     {"gravel", 0x07}, {"swamp", 0x09},     {"ice", 0x0D},    {"river", 0x0F},
    {"stream", 0x0F},    {"water", 0x10},  {"lake", 0x10},      {"sea", 0x11},    {"ocean", 0x11},
    {"lava", 0x12},      {"road", 0x13},   {"path", 0x13},      {"wood", 0x14},   {"wooden", 0x14},
    {"planks", 0x14},    {"floor", 0x15},  {"stone", 0x15},     {"cobble", 0x15}, {"roof", 0x16},
    {"salt", 0x1A},      {"rug", 0x1D},    {"carpet", 0x1D},    {"tree", 0x1E},   {"box", 0x1F},
    {"crate", 0x1F},     {"brick", 0x20},  {"chimney", 0x21},   {"mud", 0x22},    {"bridge", 0x23},
    {"stairs", 0x25},    {"steps", 0x25},  {"furniture", 0x26}, {"ivy", 0x27},    {"deck", 0x28},
    {"machine", 0x29},   {"iron", 0x2A},   {"metal", 0x2A},     {"moss", 0x2B},   {"tombstone", 0x2C},
    {"waterfall", 0x2D}, {"coffin", 0x2E},
};

/// Lower case, with single spaces between words of letters.
std::string plain_words(std::string_view name) {
  std::string out;
  for (const char c : lower_case(name)) {
    const bool is_letter = c >= 'a' && c <= 'z';
    if (is_letter)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// The value of a property for a message: `surface` is "gras".
std::string describe_property(const Value& extras, std::string_view name) {
  std::string shown = "a value of another type";
  if (const auto text = scene::read_text_extra(extras, name)) shown = in_quotes(*text);
  if (const auto number = scene::read_number_extra(extras, name)) shown = format_real(*number, false);
  if (shown.ends_with(".0")) shown.resize(shown.size() - 2);
  return "`" + std::string(name) + "` is " + shown;
}

/// A number or a name.
std::optional<u8> read_surface_extra(const Value& extras, std::vector<std::string>& invalid) {
  if (!extras.find("surface")) return {};
  if (const auto number = scene::read_number_extra(extras, "surface"); number && *number >= 0 && *number < 64)
    return u8(*number);
  if (const auto name = scene::read_text_extra(extras, "surface"))
    if (const auto found = find_surface_by_name(*name)) return found;
  // The terrain of an export lists the surfaces of all its tiles.
  if (!extras.find("surface")->is(Value::Kind::list)) invalid.push_back(describe_property(extras, "surface"));
  return {};
}
std::optional<bool> read_flag(const Value& extras, std::string_view name, std::vector<std::string>& invalid) {
  const auto flag = scene::read_flag_extra(extras, name);
  if (!flag && extras.find(name) && !extras.find(name)->is(Value::Kind::list))
    invalid.push_back(describe_property(extras, name));
  return flag;
}

/// "SW+NNE", as in edits, or "SW NNE".
std::optional<u16> parse_hidden(std::string_view typed) {
  u16 out = 0;
  size_t at = 0;
  while (at < typed.size()) {
    const size_t end = std::min(typed.find_first_of(" +,", at), typed.size());
    const std::string_view word = typed.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const auto found = std::ranges::find(k_hidden_words, word, &EnumName::word);
    if (found == std::end(k_hidden_words)) return {};
    out |= u16(found->value);
  }
  return out;
}

void read_extras(const Value& extras, FaceKind& kind, bool& has_floor, std::vector<std::string>& invalid) {
  if (!kind.surface) kind.surface = read_surface_extra(extras, invalid);
  if (const Value* depth = extras.find("depth"); depth && !kind.depth && !depth->is(Value::Kind::list)) {
    const auto steps = scene::read_number_extra(extras, "depth");
    if (steps && *steps >= 0 && *steps <= 7)
      kind.depth = u8(*steps);
    else
      invalid.push_back(describe_property(extras, "depth"));
  }
  if (!kind.is_walkable) kind.is_walkable = read_flag(extras, "walkable", invalid);
  if (!kind.hidden_from && extras.find("hidden-from")) {
    if (const auto hidden = scene::read_text_extra(extras, "hidden-from")) kind.hidden_from = parse_hidden(*hidden);
    if (!kind.hidden_from) invalid.push_back(describe_property(extras, "hidden-from"));
  }
  if (read_flag(extras, "both-sides", invalid).value_or(false)) kind.has_both_sides = true;
  if (const auto floor = read_flag(extras, "floor", invalid); floor && !has_floor)
    kind.is_floor = *floor, has_floor = true;
}

/// The part that an object plays, by its properties or its name.
enum class Role { drawn, terrain, liquid, left_out };

Role own_role(const scene::Scene& s, const scene::Node& n) {
  const auto kind = scene::read_text_extra(n.extras, "kind");
  if (kind == "fft.terrain" || scene::node_mark_kind(s, n) == "navmesh") return Role::terrain;
  if (kind == "fft.depth") return Role::liquid;
  const std::string_view name = scene::strip_copy_suffix(n.name);
  if (lower_case(name) == "terrain") return Role::terrain;
  const std::string_view mark = scene::node_mark_kind(s, n);
  return mark.empty() || mark == "object" ? Role::drawn : Role::left_out;
}

std::vector<Role> find_roles(const scene::Scene& s) {
  std::vector<Role> out;
  for (const scene::Node& n : s.nodes) {
    Role role = own_role(s, n);
    const Role around = n.parent == k_none ? Role::drawn : out[n.parent];
    if (around == Role::terrain) {
      if (lower_case(n.name).starts_with("depth")) role = Role::liquid;
      if (role == Role::drawn) role = Role::terrain;
    }
    // A terrain that is only shown on demand is still the terrain.
    if (around == Role::left_out || (role == Role::drawn && !n.visible)) role = Role::left_out;
    if (around == Role::liquid) role = Role::liquid;
    out.push_back(role);
  }
  return out;
}

std::array<f64, 2> transform_uv(const scene::TextureTransform& t, const scene::Vec2& uv) {
  const f64 c = elementary::cos(f64(t.rotation)), s = elementary::sin(f64(t.rotation));
  const f64 x = f64(uv[0]) * t.scale[0], y = f64(uv[1]) * t.scale[1];
  return {c * x + s * y + t.offset[0], -s * x + c * y + t.offset[1]};
}

class FaceCollector {
 public:
  FaceCollector(const scene::Scene& s, f64 units) : s_(s), units_(units), places_(scene::world_transforms(s)) {}

  SceneFaces collect() {
    const std::vector<Role> roles = find_roles(s_);
    for (Index i = 0; i < s_.nodes.size(); ++i)
      out_.has_own_terrain |= roles[i] == Role::terrain && s_.nodes[i].mesh != k_none;
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      if (s_.nodes[i].mesh == k_none || roles[i] == Role::left_out) continue;
      for (const scene::Primitive& p : s_.meshes[s_.nodes[i].mesh].primitives) {
        if (p.shape != scene::Primitive::Shape::triangles) {
          ++out_.not_triangles;
          continue;
        }
        add_primitive(i, roles[i], p);
      }
    }
    std::ranges::sort(out_.invalid_properties);
    const auto end = std::ranges::unique(out_.invalid_properties).begin();
    out_.invalid_properties.erase(end, out_.invalid_properties.end());
    return std::move(out_);
  }

 private:
  u32 kind_number(Index node, Role role, const scene::Primitive& p) {
    FaceKind kind;
    bool has_floor = false;
    kind.material = p.material;
    if (p.material != k_none) read_extras(s_.materials[p.material].extras, kind, has_floor, out_.invalid_properties);
    for (Index i = node; i != k_none; i = s_.nodes[i].parent)
      read_extras(s_.nodes[i].extras, kind, has_floor, out_.invalid_properties);
    if (!kind.surface && p.material != k_none) kind.surface = find_surface_by_name(s_.materials[p.material].name);
    if (role == Role::liquid && (!kind.surface || !is_liquid(*kind.surface))) kind.surface = k_lake;
    kind.is_drawn = role == Role::drawn;
    if (out_.has_own_terrain && role == Role::drawn) kind.is_floor = false;
    const auto known = std::ranges::find(out_.kinds, kind);
    if (known != out_.kinds.end()) return u32(known - out_.kinds.begin());
    out_.kinds.push_back(kind);
    return u32(out_.kinds.size() - 1);
  }

  void add_primitive(Index node, Role role, const scene::Primitive& p) {
    const u32 kind = kind_number(node, role, p);
    const scene::Material* material = p.material == k_none ? nullptr : &s_.materials[p.material];
    const std::vector<Index> indices = scene::triangle_indices(p);
    const scene::Skin* skin =
        s_.nodes[node].skin == k_none || p.joints.empty() ? nullptr : &s_.skins[s_.nodes[node].skin];
    const scene::Affine place = skin ? scene::Affine{} : places_[node];
    const bool is_mirrored = scene::determinant(place.linear) < 0;
    if (material && material->double_sided && !out_.kinds[kind].has_both_sides && role == Role::drawn)
      out_.one_sided += indices.size() / 3;
    for (size_t i = 0; i + 2 < indices.size(); i += 3) {
      Face face;
      face.kind = kind, face.node = node;
      for (size_t k = 0; k < 3; ++k) {
        const Index v = indices[i + (is_mirrored ? (3 - k) % 3 : k)];
        face.corners.push_back(
            make_vertex(p, material, v, skin ? scene::skin_matrix(places_, *skin, p.joints[v], p.weights[v]) : place));
      }
      const Point flat = face_normal(face.corners);
      if (scene::length(flat) == 0) continue;
      for (FaceVertex& c : face.corners)
        if (scene::length(c.normal) == 0) c.normal = flat;
      out_.faces.push_back(face);
      if (!out_.kinds[kind].has_both_sides || role != Role::drawn) continue;
      std::ranges::reverse(face.corners);
      for (FaceVertex& c : face.corners)
        for (f64& x : c.normal) x = -x;
      out_.faces.push_back(std::move(face));
    }
  }

  FaceVertex make_vertex(const scene::Primitive& p, const scene::Material* material, Index v,
                         const scene::Affine& place) {
    FaceVertex c;
    c.position = place * Point{p.positions[v][0], p.positions[v][1], p.positions[v][2]};
    for (f64& x : c.position) x *= units_;
    if (!p.normals.empty()) {
      const Point own{p.normals[v][0], p.normals[v][1], p.normals[v][2]};
      // Normals follow the inverse transpose.
      if (const auto back = scene::inverse(place.linear)) {
        Point turned{};
        for (size_t r = 0; r < 3; ++r) turned[r] = scene::dot(back->columns[r], own);
        c.normal = scene::unit(turned);
      }
    }
    if (!p.uvs.empty())
      c.uv = material ? transform_uv(material->transform, p.uvs[v]) : std::array<f64, 2>{p.uvs[v][0], p.uvs[v][1]};
    if (!p.colors.empty())
      for (size_t k = 0; k < 3; ++k) c.color[k] = p.colors[v][k];
    for (const f64 x : c.color) out_.has_colors |= std::fabs(x - 1) > 1e-3;
    return c;
  }

  static constexpr u8 k_lake = 0x10;
  const scene::Scene& s_;
  f64 units_;
  std::vector<scene::Affine> places_;
  SceneFaces out_;
};

}  // namespace

std::optional<u8> find_surface_by_name(std::string_view name) {
  const std::string words = plain_words(scene::strip_copy_suffix(name));
  for (const EnumName& e : k_surface_words)
    if (e.word == words) return u8(e.value);
  const std::string padded = ' ' + words + ' ';
  for (const EnumName& e : k_surface_words)
    if (padded.find(' ' + std::string(e.word) + ' ') != padded.npos) return u8(e.value);
  for (const auto& [word, surface] : k_surface_synonyms)
    if (padded.find(' ' + std::string(word) + ' ') != padded.npos) return surface;
  return {};
}

bool is_liquid(u8 surface) { return surface >= 0x09 && surface <= 0x12 && surface != 0x0C && surface != 0x0D; }

Point face_normal(const std::vector<FaceVertex>& corners) {
  Point sum{};
  for (size_t i = 1; i + 1 < corners.size(); ++i) {
    Point a, b;
    for (size_t k = 0; k < 3; ++k)
      a[k] = corners[i].position[k] - corners[0].position[k],
      b[k] = corners[i + 1].position[k] - corners[0].position[k];
    const Point across = scene::cross(a, b);
    for (size_t k = 0; k < 3; ++k) sum[k] += across[k];
  }
  if (!(scene::length(sum) > 1e-6)) return {};
  return scene::unit(sum);
}

SceneFaces collect_faces(const scene::Scene& s, f64 units) { return FaceCollector(s, units).collect(); }

std::string object_label(const scene::Scene& s, Index node) {
  const std::string& name = s.nodes[node].name;
  return name.empty() ? "object " + std::to_string(node) : in_quotes(name);
}

}  // namespace dio::fft
