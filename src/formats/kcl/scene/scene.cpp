// scene.cpp: builds a scene from a collision file: a node for each type, with child nodes for each value of the flags.
// Prisms have a front and no back, because they can be hit only from the front.
#include "scene/scene.hpp"

#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"
#include "formats/kcl/scene/colors.hpp"
#include "scene/math.hpp"

namespace dio::kcl {

namespace {

using scene::Index;
using scene::Node;
using scene::Primitive;

std::string format_flags_hex(u16 flags) {
  static constexpr char k_digits[] = "0123456789ABCDEF";
  std::string s = "0x0000";
  for (size_t i = 0; i < 4; ++i) s[5 - i] = k_digits[flags >> 4 * i & 15];
  return s;
}

/// Shades a colour as if light came from above and slightly from the side, so that shapes are visible.
scene::Vec4 apply_shading(const scene::Vec4& color, const Point& face) {
  constexpr Point k_light{0.36, 0.86, 0.36};
  const f32 light = f32(0.7 + 0.3 * std::clamp(dot(face, k_light), -1.0, 1.0));
  const scene::Vec4 linear = scene::srgb_to_linear(color);
  return {linear[0] * light, linear[1] * light, linear[2] * light, color[3]};
}

/// The game that defines the meaning of flags.
enum class Game : u8 { mario_kart_wii, mario_kart_ds, other };

/// The flags by name, without zeros, except for type and variant.
Value flags_to_json(const Prism& p, Game game) {
  const bool wii = game == Game::mario_kart_wii;
  Value v = Value::object();
  v.add("kind", "collision");
  if (game == Game::mario_kart_ds) {
    const u16 flags = p.attribute;
    v.add("attribute", format_flags_hex(flags));
    v.add("type", enum_name_or_number(k_ds_types, ds_type_of(flags)));
    v.add("variant", enum_name_or_number(k_ds_variants[ds_type_of(flags)], ds_variant_of(flags)));
    v.add("use", name_of(use_of_ds(flags)));
    if (flags >> 2 & 3) v.add("light", flags >> 2 & 3);
    if (flags & 0x2000) v.add("ignored_by_items", true);
    if (flags & 0x0010) v.add("ignored_by_drivers", true);
    if (flags & 0x0002) v.add("map_shadow", true);
    return v;
  }
  if (!wii) {  // no flags: files made from scenes are Mario Kart Wii files
    v.add("attribute", p.attribute);
    return v;
  }
  v.add("flags", format_flags_hex(flags_of(p, wii)));
  v.add("type", enum_name_or_number(k_types, p.type));
  v.add("variant", enum_name_or_number(k_variants[p.type & 31], p.variant));
  v.add("use", name_of(use_of(p.type)));
  if (p.light) v.add("light", p.light);
  if (p.wheel_depth) v.add("wheel_depth", p.wheel_depth);
  if (p.trickable) v.add("trickable", true);
  if (p.reject_road) v.add("reject_road", true);
  if (p.soft_wall) v.add("soft_wall", true);
  return v;
}

class KclSceneBuilder {
 public:
  KclSceneBuilder(const Kcl& k, bool sources, Game game, Drawn drawn)
      : kcl_(k), sources_(sources), game_(game), drawn_(drawn) {}

  SceneResult run() {
    scene_.metres_per_unit = f32(k_metres);
    if (game_ == Game::other) {
      std::set<u16> attributes;
      for (const Prism& p : kcl_.prisms) attributes.insert(p.attribute);
      is_one_ = attributes.size() > k_most_attributes;
    }
    std::map<u32, std::map<u16, std::vector<u32>>> types;  // in drawing order
    u64 missing = 0;
    for (u32 i = 0; i < kcl_.prisms.size(); ++i) {
      const Prism& p = kcl_.prisms[i];
      if (!compute_prism_triangle(kcl_, p)) {
        ++missing;
        continue;
      }
      // transparent surfaces after opaque ones
      const bool is_clear = color(p)[3] < 1;
      if (is_clear && drawn_ == Drawn::visible) continue;
      const u32 type = has_types() ? type_of(p) : is_one_ ? 0 : p.attribute;
      types[is_clear ? type + 0x10000 : type][is_one_ ? 0 : flags_of(p, is_wii())].push_back(i);
    }
    for (const auto& [unused, by_flags] : types) add_type(by_flags);
    SceneResult staged{std::move(scene_), {}};
    if (missing)
      staged.notes.push_back(make_diagnostic(
          Severity::warning, "kcl.scene-left-out", "prisms",
          {.message = text(format_count(missing, "prism"), missing == 1 ? " forms no triangle and is not drawn"
                                                                        : " form no triangle and are not drawn")}));
    return staged;
  }

 private:
  bool is_wii() const { return game_ == Game::mario_kart_wii; }
  bool has_types() const { return game_ != Game::other; }
  u8 type_of(const Prism& p) const { return is_wii() ? p.type : ds_type_of(p.attribute); }
  std::string surface(const Prism& p) const {
    return game_ == Game::mario_kart_ds ? surface_of_ds(p.attribute) : surface_of(p, is_wii());
  }
  SurfaceUse use(const Prism& p) const { return is_wii() ? use_of(p.type) : use_of_ds(p.attribute); }

  scene::Vec4 color(const Prism& p) const {
    return is_wii()      ? color_of_type(p.type)
           : has_types() ? color_of_type(type_of_ds(type_of(p)))
           : is_one_     ? scene::Vec4{.75f, .75f, .75f, 1}
                         : color_of_attribute(p.attribute);
  }

  void add_type(const std::map<u16, std::vector<u32>>& by_flags) {
    const Prism& any = kcl_.prisms[by_flags.begin()->second.front()];
    const Index parent = Index(scene_.nodes.size());
    Node type{.name = has_types() ? enum_name_or_number(is_wii() ? k_types : k_ds_types, type_of(any))
                      : is_one_   ? "collision"
                                  : surface(any)};
    type.extras = Value::object();
    type.extras.add("kind", "collision type");
    if (has_types()) type.extras.add("use", name_of(use(any)));
    scene_.nodes.push_back(std::move(type));
    for (const auto& [flags, prisms] : by_flags) {
      const Prism& first = kcl_.prisms[prisms.front()];
      // material names from which from_scene/kcl_builder.cpp rebuilds the same file
      const std::string name =
          is_one_ ? "collision" : surface(first) + (is_wii() ? " _F" + format_flags_hex(flags).substr(2) : "");
      Value extras = is_one_ ? Value::object() : flags_to_json(first, game_);
      if (is_one_) extras.add("kind", "collision");
      const scene::Vec4 c = color(first);
      scene_.materials.push_back({.name = name,
                                  .color = {1, 1, 1, 1},
                                  .alpha = c[3] < 1 ? scene::Material::Alpha::blend : scene::Material::Alpha::opaque,
                                  .extras = extras});
      Primitive primitive{.material = Index(scene_.materials.size() - 1)};
      for (const u32 i : prisms) {
        const Triangle t = *compute_prism_triangle(kcl_, kcl_.prisms[i]);
        const scene::Vec4 shade = apply_shading(c, point_of(kcl_.normals[kcl_.prisms[i].face_normal]));
        for (const Point& corner : t) {
          primitive.positions.push_back({f32(corner[0]), f32(corner[1]), f32(corner[2])});
          primitive.colors.push_back(shade);
          if (sources_) primitive.sources.push_back(i);
        }
      }
      scene_.meshes.push_back({name, {std::move(primitive)}});
      extras.add("path", "prisms");
      extras.add("prisms", u64(prisms.size()));
      if (prisms.size() <= k_most_named) {
        Value& list = extras.add("prism", Value::list());
        for (const u32 i : prisms) list.push(i);
      }
      scene_.nodes.push_back(
          {.name = name, .parent = parent, .mesh = Index(scene_.meshes.size() - 1), .extras = std::move(extras)});
    }
  }

  static constexpr size_t k_most_named = 64, k_most_attributes = 64;
  const Kcl& kcl_;
  const bool sources_;
  const Game game_;
  const Drawn drawn_;
  bool is_one_ = false;  // nearly every prism has its own attribute, so types are meaningless
  scene::Scene scene_;
};

}  // namespace

std::span<const Rule> scene_rules() {
  static constexpr Rule k_rules[] = {
      {"kcl.scene-left-out", Severity::warning, "every prism can be drawn",
       "Prisms whose values form no triangle cannot be drawn; {check FILE} lists these prisms.",
       "Remove prisms that form no triangle from the file.", "src/formats/kcl/README.md"},
  };
  return k_rules;
}

Result<SceneResult> to_scene(const Kcl& k, bool sources, Drawn drawn) {
  return KclSceneBuilder(k, sources, k.is_mario_kart_wii() ? Game::mario_kart_wii : Game::other, drawn).run();
}
Result<SceneResult> to_scene(const DsKcl& ds, bool sources) {
  return KclSceneBuilder(to_wii_units(ds), sources, ds.is_mario_kart_ds() ? Game::mario_kart_ds : Game::other,
                         Drawn::all)
      .run();
}

std::optional<ValuePart> value_of_source(const Kcl& k, u32 source) {
  if (source >= k.prisms.size()) return {};
  return ValuePart{text("prisms[", source, "]"), 0, 0};
}

std::vector<SourceRun> sources_of_value(const Kcl& k, std::string_view path) {
  const auto index_in_path = [&](std::string_view list) -> std::optional<size_t> {
    if (!path.starts_with(list) || path.size() <= list.size() || path[list.size()] != '[') return {};
    size_t n = 0, i = list.size() + 1;
    for (; i < path.size() && path[i] >= '0' && path[i] <= '9' && n < 1'000'000; ++i)
      n = 10 * n + size_t(path[i] - '0');
    return i < path.size() && path[i] == ']' ? std::optional(n) : std::nullopt;
  };
  if (path == "prisms") return {{0, u32(k.prisms.size())}};
  if (const auto i = index_in_path("prisms"))
    return *i < k.prisms.size() ? std::vector{SourceRun{u32(*i), 1}} : std::vector<SourceRun>{};
  // a position or a normal: the prisms that use it
  const auto position = index_in_path("positions"), normal = index_in_path("normals");
  std::vector<SourceRun> runs;
  for (u32 i = 0; i < k.prisms.size() && (position || normal); ++i) {
    const Prism& p = k.prisms[i];
    const bool uses =
        position ? p.position == *position
                 : p.face_normal == *normal || p.edge_a == *normal || p.edge_b == *normal || p.edge_c == *normal;
    if (!uses) continue;
    if (!runs.empty() && runs.back().first + runs.back().count == i)
      ++runs.back().count;
    else
      runs.push_back({i, 1});
  }
  return runs;
}

}  // namespace dio::kcl
