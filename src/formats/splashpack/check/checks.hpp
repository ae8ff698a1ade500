// checks.hpp: shared by the rules of packs.
#pragma once
#include <array>
#include <bitset>
#include <map>

#include "formats/contract/reporter.hpp"
#include "formats/splashpack/layout/limits.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"

namespace dio::splashpack {

using enum Severity;

extern const std::span<const Rule> k_container_rules, k_script_rules, k_floor_rules, k_geometry_rules, k_video_rules,
    k_budget_rules, k_section_rules, k_newer_rules;

/// The layouts of 2025: one engine, the whole scene drawn at once, floors of triangles.
inline bool is_old(const Pack& p) { return u32(p.form) < k_sections; }

std::string object_path(size_t object, std::string_view field = {});
std::string triangle_path(size_t object, size_t triangle, std::string_view field = {});

/// Calls f(object, triangle, object index, triangle index).
void for_each_triangle(const Pack& p, auto f) {
  for (size_t i = 0; i < p.objects.size(); ++i)
    for (size_t k = 0; k < p.objects[i].triangles.size(); ++k) f(p.objects[i], p.objects[i].triangles[k], i, k);
}

/// Twice the area as a vector: opposite to the normal in a valid triangle.
constexpr std::array<i64, 3> triangle_cross_product(const Triangle& t) {
  const auto& p = t.positions;
  const i64 ax = i64(p[1].x.raw) - p[0].x.raw, ay = i64(p[1].y.raw) - p[0].y.raw, az = i64(p[1].z.raw) - p[0].z.raw;
  const i64 bx = i64(p[2].x.raw) - p[0].x.raw, by = i64(p[2].y.raw) - p[0].y.raw, bz = i64(p[2].z.raw) - p[0].z.raw;
  return {ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx};
}

/// A vertex of an object in scene coordinates, raw 20.12.
std::array<i64, 3> transform_vertex(const Object&, const Vec16&);

/// container.cpp
void check_container(Reporter&, const Document<Pack>&);
/// scripts.cpp
void check_scripts(Reporter&, const Document<Pack>&);
/// The first error in the strings, comments, brackets and block ends of a Lua text; none if they are well-formed.
struct LuaProblem {
  size_t line;
  std::string message;
};
std::optional<LuaProblem> lua_problem(std::string_view text);
/// floor.cpp
void check_floor(Reporter&, const Pack&);
/// geometry.cpp
void check_geometry(Reporter&, const Pack&);
/// video.cpp. Null: the texels of v20 and later are unknown.
void check_video(Reporter&, const Pack&, const Vram*);
/// budgets.cpp
void check_budgets(Reporter&, const Pack&);
/// sections.cpp
void check_sections(Reporter&, const Pack&);
void check_companions(Reporter&, const Pack&, const PackCompanions&);
/// newer_sections.cpp
void check_newer_sections(Reporter&, const Pack&);
/// Tells the findings which references refer to triangles in the .geo file.
void note_streamed_references(const Pack&, Findings&);

}  // namespace dio::splashpack
