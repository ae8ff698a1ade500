// prisms.cpp: prisms by themselves: numbers, normals, shape; and what no prism uses.
#include <bit>
#include <cmath>
#include <map>

#include "core/sorting.hpp"
#include "formats/kcl/check/checks.hpp"

namespace dio::kcl {

namespace {

using enum Severity;
constexpr Rule k_prism_rules[] = {
    {"kcl.index", error, "numbers of positions and normals lead to one",
     "The game reads whatever stands there in memory.", "Set the number to that of a position or normal.", "layout"},
    {"kcl.no-triangle", warning, "a prism has a triangle",
     "With edges that are parallel, or numbers that are none, a prism cannot be hit, or is hit from anywhere.",
     "Remove the prism.", "wkclt"},
    {"kcl.thin", hint, "a triangle has at least 1 square unit, and a height of at least 1 unit",
     "It is too small to be hit, and its normals may be wrong.", "Remove the prism.", "wkclt; real files have a few"},
    {"kcl.normal", warning, "normals of prisms have a length of 1", "Distances to the prism are wrong.",
     "Divide the normal by its length.", "game code"},
    {"kcl.edges", warning, "normals of edges are at right angles to that of the face, and point out of the triangle",
     "The prism is hit beside its triangle, or not at all.",
     "Calculate the normals from the corners of the triangle again.", "game code"},
    {"kcl.face-down", hint, "roads can be hit from above",
     "A road that faces down is hit by karts below it only: those above fall through.",
     "Swap two corners of the triangle, unless it is a ceiling.", "wkclt"},
    {"kcl.twin", hint, "no two prisms are the same", "The second one is tested for nothing.", "Remove one of them.",
     "wkclt"},
    {"kcl.unused", hint, "prisms use all positions and normals", "The others only take up room.", "Remove them.",
     "real files have none"},
};

constexpr f64 k_slack = 0.01;  // of lengths and cosines: files of small size have normals that are 0.006 too long

void check_numbers(Check& c) {
  const Kcl& k = c.kcl;
  for (size_t i = 0; i < k.prisms.size(); ++i) {
    if (c.prisms[i].shape) continue;
    const Prism& p = k.prisms[i];
    const auto check_index = [&](const char* field, u16 n, size_t size, const char* what) {
      if (n >= size)
        c.report("kcl.index", text("prisms[", i, "].", field),
                 {.message = text(what, " ", n, " does not exist: there are ", size)});
    };
    check_index("position", p.position, k.positions.size(), "position");
    check_index("face_normal", p.face_normal, k.normals.size(), "normal");
    check_index("edge_a", p.edge_a, k.normals.size(), "normal");
    check_index("edge_b", p.edge_b, k.normals.size(), "normal");
    check_index("edge_c", p.edge_c, k.normals.size(), "normal");
  }
}

void check_shapes(Check& c) {
  const Kcl& k = c.kcl;
  std::vector<u32> none, thin, edges, down, twins;
  std::vector<u32> bad_normals;
  std::vector<bool> is_bad(k.normals.size());
  for (size_t i = 0; i < k.normals.size(); ++i) is_bad[i] = !(std::abs(length(point_of(k.normals[i])) - 1) <= k_slack);
  std::vector<bool> is_reported(k.normals.size());
  std::map<std::array<u64, 3>, u32> seen;
  for (u32 i = 0; i < k.prisms.size(); ++i) {
    const Checked& checked = c.prisms[i];
    const Prism& p = k.prisms[i];
    if (!checked.shape) continue;
    if (!checked.triangle) {
      none.push_back(i);
      continue;
    }
    if (checked.thin) {
      thin.push_back(i);
      continue;
    }
    bool unit_length = true;
    for (const u16 n : {p.face_normal, p.edge_a, p.edge_b, p.edge_c})
      if (is_bad[n]) {
        unit_length = false;
        if (!is_reported[n]) bad_normals.push_back(n);
        is_reported[n] = true;
      }
    const Shape& s = *checked.shape;
    const Triangle& t = *checked.triangle;
    const bool square = std::abs(dot(s.a, s.face)) <= k_slack && std::abs(dot(s.b, s.face)) <= k_slack &&
                        std::abs(dot(s.c, s.face)) <= k_slack;
    const bool out = s.height > 0 && dot(t[1] - t[0], s.a) < 0 && dot(t[2] - t[0], s.b) < 0 &&
                     dot(cross(t[1] - t[0], t[2] - t[0]), s.face) > 0;
    if (unit_length && !(square && out)) edges.push_back(i);
    if (k.is_mario_kart_wii() && use_of(p.type) == SurfaceUse::road && s.face[1] < -k_slack) down.push_back(i);
    const u64 first = u64(p.position) << 48 | u64(p.face_normal) << 32 | u64(p.edge_a) << 16 | p.edge_b;
    const u64 second =
        u64(p.edge_c) << 48 | u64(flags_of(p, k.is_mario_kart_wii())) << 32 | std::bit_cast<u32>(p.height);
    if (!seen.try_emplace({first, second, 0}, i).second) twins.push_back(i);
  }
  sort_stably(bad_normals);
  c.report_all("kcl.no-triangle", "prisms", none, {"prism", "prisms", "has no triangle", "have no triangle"});
  c.report_all("kcl.thin", "prisms", thin, {"prism", "prisms", "is hardly a triangle", "are hardly triangles"});
  c.report_all("kcl.normal", "normals", bad_normals, {"normal", "normals", "is not 1 long", "are not 1 long"});
  c.report_all(
      "kcl.edges", "prisms", edges,
      {"prism", "prisms", "has normals that contradict each other", "have normals that contradict each other"});
  c.report_all("kcl.face-down", "prisms", down, {"road prism", "road prisms", "faces down", "face down"});
  c.report_all("kcl.twin", "prisms", twins,
               {"prism", "prisms", "is the same as an earlier one", "are the same as earlier ones"});
}

void check_unused(Check& c) {
  const Kcl& k = c.kcl;
  std::vector<bool> positions(k.positions.size()), normals(k.normals.size());
  const auto mark = [](std::vector<bool>& used, u16 n) {
    if (n < used.size()) used[n] = true;
  };
  for (const Prism& p : k.prisms) {
    mark(positions, p.position);
    for (const u16 n : {p.face_normal, p.edge_a, p.edge_b, p.edge_c}) mark(normals, n);
  }
  const auto list_unused = [](const std::vector<bool>& used) {
    std::vector<u32> out;
    for (u32 i = 0; i < used.size(); ++i)
      if (!used[i]) out.push_back(i);
    return out;
  };
  c.report_all("kcl.unused", "positions", list_unused(positions),
               {"position", "positions", "is not used", "are not used"});
  c.report_all("kcl.unused", "normals", list_unused(normals), {"normal", "normals", "is not used", "are not used"});
}

void check_prisms(Check& c) {
  check_numbers(c);
  check_shapes(c);
  check_unused(c);
}

}  // namespace

const Topic k_prism_checks{k_prism_rules, check_prisms};

}  // namespace dio::kcl
