// kcl_builder.cpp: builds a collision file from any scene. Rules: README.md, "From glTF".
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/from_scene/simplify.hpp"
#include "formats/kcl/from_scene/surface_names.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"
#include "scene/units.hpp"

namespace dio::kcl {

std::span<const Rule> make_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"kcl.make-empty", stop, "the scene has triangles", "In a collision file without triangles, nothing can be hit.",
       "Export meshes with faces.", "src/formats/kcl/README.md, From glTF"},
      {"kcl.make-flags", warning, "each triangle's material, mesh or node gives its collision type",
       "Triangles without a collision type become a road, off-road or wall, by their slope and the material's name.",
       "Name the material after a collision type, such as \"off-road: grass\", end its name with _F and four hex "
       "digits, or give it the custom property `flags`.",
       "src/formats/kcl/README.md, From glTF"},
      {"kcl.make-dropped", hint, "every triangle has an area and occurs only once",
       "Triangles without an area cannot be hit, and duplicate triangles would be hit twice. Both are therefore "
       "omitted, and triangles that are less than 1 unit high and have no stated type.",
       "Remove triangles without an area and duplicate triangles from the scene, or ignore the note if these triangles "
       "are intended.",
       "Wiimm's wkclt"},
      {"kcl.make-simplified", warning, "the triangles of the scene fit into a collision file",
       "A collision file has at most 65,535 triangles and 65,536 normals, which is about 20,000 triangles of curved "
       "ground. Beyond this limit, edges are collapsed, those of flat ground first.",
       "Export simpler meshes for the collision, with names that begin with \"collision\".",
       "src/formats/kcl/README.md, From glTF"},
      {"kcl.make-shapes", hint, "meshes consist of triangles", "Points and lines cannot be hit, so they are omitted.",
       "Turn the points and lines into faces, or ignore the note if the points and lines are intended.",
       "src/formats/kcl/README.md, From glTF"},
  };
  return k_rules;
}

std::span<const MakeOption> make_options() {
  static constexpr MakeOption k_options[] = {
      {"units-per-metre", "N", "game units per metre of the scene; default 100"},
      {"triangles", "N", "octree cells with more triangles than this number are split; default 30"},
      {"cell", "UNITS", "size of the smallest octree cells, a power of two; default 512"},
  };
  return k_options;
}

namespace {

class KclBuilder {
 public:
  /// `units`: for each unit of the scene; `units_per_metre`: for each metre.
  KclBuilder(const scene::Scene& s, f64 units, f64 units_per_metre)
      : s_(s), places_(scene::world_transforms(s)), units_(units), units_per_metre_(units_per_metre) {}

  Result<Made> run(const OctreeOptions& options) {
    for (size_t i = 0; i < s_.nodes.size(); ++i)
      if (s_.nodes[i].mesh != scene::k_none) add_mesh_triangles(i);
    std::erase_if(unknown_, [](const auto& material) { return material.second.empty(); });  // only thin triangles
    if (triangles_.empty())
      return refuse(make_diagnostic("kcl.make-empty", {}, {.message = "the scene has no triangles"}));
    auto built = build(options);
    if (!built && !unknown_.empty())  // perhaps not meant as collision
      return refuse("kcl.make-flags", {},
                    {.message = built.error().message + "; not all triangles have a known type",
                     .hint = "name the materials of the collision after types (road, off-road: grass)"});
    if (!built) return refuse(std::move(built.error()));
    note_left_out("kcl.make-shapes", others_, format_count(others_, "primitive") + " of points or lines");
    const u64 flat = u64(std::ranges::count_if(triangles_, std::not_fn(has_area)));
    note_left_out("kcl.make-dropped", flat, format_count(flat, "triangle") + " without an area");
    note_left_out("kcl.make-dropped", thin_,
                  format_count(thin_, "triangle") + " with no known type and less than 1 unit high");
    note_left_out("kcl.make-dropped", twins_, format_count(twins_, "duplicate triangle"));
    warn_unknown_flags();
    Document<Kcl> d;
    d.edit() = std::move(built->kcl);
    auto bytes = save(d);
    if (!bytes) return refuse(std::move(bytes.error()));
    made_.files.push_back({".kcl", std::move(*bytes)});
    return std::move(made_);
  }

 private:
  const scene::Scene& s_;
  const std::vector<scene::Affine> places_;
  const f64 units_, units_per_metre_;
  std::vector<FlaggedTriangle> triangles_;
  std::set<std::array<u32, 10>> seen_;
  u64 others_ = 0, twins_ = 0, thin_ = 0;
  std::map<std::string, std::map<u16, u64>> unknown_;  // triangles without stated flags, by material and default flags
  Made made_;

  void note_left_out(std::string_view id, u64 n, std::string what) {
    if (n)
      made_.notes.push_back(make_diagnostic(Severity::hint, id, {},
                                            {.message = std::move(what) + (n == 1 ? " is omitted" : " are omitted")}));
  }

  Result<Built> build(const OctreeOptions& options) {
    const auto is_far = [](f32 x) { return !(std::abs(f64(x)) <= 2 * k_farthest); };
    for (const FlaggedTriangle& t : triangles_)
      for (const Vec3& v : t.corners)
        if (is_far(v.x) || is_far(v.y) || is_far(v.z)) return refuse(far_triangle_error());
    auto built = build_collision(triangles_, options);
    const bool is_too_large =
        !built && (built.error().id == "kcl.build-prisms" || built.error().id == "kcl.build-numbers");
    return is_too_large ? build_simplified(options, std::move(built.error())) : std::move(built);
  }
  /// Simplifies the triangles until they fit.
  Result<Built> build_simplified(const OctreeOptions& options, Diagnostic too_large) {
    constexpr size_t k_most = 65'535;
    Simplifier simplifier(triangles_);
    for (size_t most = std::min(triangles_.size(), k_most);;) {
      const std::vector<FlaggedTriangle> all = simplifier.run(most);
      if (all.size() > most || all.empty()) return refuse(std::move(too_large));
      const size_t numbers = count_numbers(all);
      most = size_t(f64(all.size()) * std::clamp(f64(k_most_numbers) / f64(numbers), 0.5, 0.97));
      if (numbers > k_most_numbers) continue;
      auto built = build_collision(all, options);
      if (!built) return built;
      const f64 distance = std::ceil(greatest_distance(triangles_, built->kcl) * 100) / 100;
      made_.notes.push_back(make_diagnostic(
          Severity::warning, "kcl.make-simplified", {},
          {.message = text(too_large.message, "; simplified to ", format_with_commas(all.size()), " triangles; ",
                           distance > 0 ? "corners of the scene are at most " + format_real(distance, true) +
                                              " units from the new surface"
                                        : "every corner of the scene is on the new surface")}));
      return built;
    }
  }

  void warn_unknown_flags() {
    constexpr size_t k_most = 3;  // materials with their own note
    const auto note = [&](std::string path, std::map<u16, u64> kinds, std::string of) {
      u64 n = 0;
      std::vector<std::string> surfaces;
      for (const auto& [flags, count] : kinds) {
        Prism p{};
        set_flags(p, flags, true);
        n += count;
        surfaces.push_back(kinds.size() == 1 ? surface_of(p, true)
                                             : text(surface_of(p, true), " (", format_with_commas(count), ")"));
      }
      made_.notes.push_back(make_diagnostic(
          Severity::warning, "kcl.make-flags", std::move(path),
          {.message = text(format_count(n, "triangle"), of, " with no known type became ", join_first_few(surfaces)),
           .hint = "name the material after a type (off-road: grass), or end its name with _F and four hex digits"}));
    };
    size_t at = 0, more = 0;
    std::map<u16, u64> of_more;
    for (const auto& [name, kinds] : unknown_)
      if (unknown_.size() <= k_most + 1 || at++ < k_most) {
        note(name, kinds, "");
      } else {
        ++more;
        for (const auto& [flags, n] : kinds) of_more[flags] += n;
      }
    if (more) note("", of_more, text(" of ", format_count(more, "more material")));
  }

  /// The flags nearest to the triangles win: of the material, the mesh, its node, then the nodes above.
  std::optional<u16> find_surface_flags(size_t node, const scene::Primitive& p) const {
    if (p.material != scene::k_none) {
      const scene::Material& m = s_.materials[p.material];
      if (const auto flags = parse_flags_from_extras(m.extras)) return flags;
      if (const auto flags = parse_flags_from_name(m.name)) return flags;
    }
    if (const auto flags = parse_flags_from_name(s_.meshes[s_.nodes[node].mesh].name)) return flags;
    for (scene::Index i = scene::Index(node); i != scene::k_none; i = s_.nodes[i].parent) {
      if (const auto flags = parse_flags_from_extras(s_.nodes[i].extras)) return flags;
      if (const auto flags = parse_flags_from_name(s_.nodes[i].name)) return flags;
    }
    return {};
  }

  void add_mesh_triangles(size_t node) {
    const scene::Affine& place = places_[node];
    const bool is_mirrored = scene::determinant(place.linear) < 0;
    for (const scene::Primitive& p : s_.meshes[s_.nodes[node].mesh].primitives) {
      const std::vector<scene::Index> corners = triangle_indices(p);
      if (corners.empty()) {
        others_ += !p.positions.empty();
        continue;
      }
      const auto flags = find_surface_flags(node, p);
      const std::string material = p.material != scene::k_none ? s_.materials[p.material].name : "";
      std::map<u16, u64>* unknown = nullptr;
      if (!flags)
        unknown = &unknown_[p.material != scene::k_none ? "material " + escape_control_chars(material)
                                                        : "node " + escape_control_chars(s_.nodes[node].name)];
      for (size_t i = 0; i + 3 <= corners.size(); i += 3) {
        FlaggedTriangle t{{}, flags.value_or(0)};
        for (size_t c = 0; c < 3; ++c) {
          const scene::Vec3& v = p.positions[corners[i + c]];
          const Point at = place * Point{v[0], v[1], v[2]};
          t.corners[is_mirrored ? 2 - c : c] = {f32(at[0] * units_), f32(at[1] * units_), f32(at[2] * units_)};
        }
        if (unknown && has_area(t) &&
            is_thin({point_of(t.corners[0]), point_of(t.corners[1]), point_of(t.corners[2])})) {
          ++thin_;
          continue;
        }
        if (unknown) {
          t.flags = default_flags(t, material, units_per_metre_);
          ++(*unknown)[t.flags];
        }
        if (insert_if_new(t))
          triangles_.push_back(t);
        else
          ++twins_;
      }
    }
  }
  /// Whether the triangle is new. The order of corners does not matter, as long as the front stays the same.
  bool insert_if_new(const FlaggedTriangle& t) {
    std::array<std::array<u32, 3>, 3> corners;
    for (size_t c = 0; c < 3; ++c)
      corners[c] = {std::bit_cast<u32>(t.corners[c].x), std::bit_cast<u32>(t.corners[c].y),
                    std::bit_cast<u32>(t.corners[c].z)};
    std::rotate(corners.begin(), std::ranges::min_element(corners), corners.end());
    std::array<u32, 10> key{t.flags};
    for (size_t i = 0; i < 9; ++i) key[1 + i] = corners[i / 3][i % 3];
    return seen_.insert(key).second;
  }
};

}  // namespace

Result<Made> make(const scene::Scene& given, std::span<const Argument> all) {
  Arguments a(all);
  const f64 units = a.has("units-per-metre") ? a.number("units-per-metre", 1e-3, 1e6) : 1 / k_metres;
  const OctreeOptions options = parse_octree_options(a);
  if (!a.done()) {
    a.problem->id = "make.argument";
    return refuse(*std::move(a.problem));
  }
  if (auto fault = scene::validation_error(given)) return refuse(std::move(*fault));
  // 1 except for rounding: an exported collision file, whose corners stay unchanged
  const f64 factor = units * f64(given.metres_per_unit);
  return KclBuilder(given, std::abs(factor - 1) < 1e-6 ? 1 : factor, units).run(options);
}

}  // namespace dio::kcl
