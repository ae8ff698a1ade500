// prisms.cpp: checks of single prisms: numbers, normals, shape; and of unused positions and normals.
#include <bit>
#include <cmath>
#include <map>

#include "core/sorting.hpp"
#include "formats/kcl/check/checks.hpp"

namespace dio::kcl {

namespace {

using enum Severity;
constexpr Rule k_prism_rules[] = {
    {"kcl.index", error, "a prism refers only to positions and normals that exist",
     "If the index of a position or normal is wrong, the game reads whatever happens to be in memory outside the list.",
     "Replace the wrong index with the index of a position or normal in the file.", "src/formats/kcl/README.md"},
    {"kcl.no-triangle", warning, "every prism forms a triangle",
     "A prism with parallel edges or invalid numbers cannot be hit, or is hit from anywhere.", "Remove the prism.",
     "Wiimm's wkclt"},
    {"kcl.thin", hint, "a triangle has an area of at least 1 square unit and a height of at least 1 unit",
     "A triangle below these limits cannot be hit, and its normals may be wrong.", "Remove the prism.",
     "Wiimm's wkclt; real files have a few smaller ones"},
    {"kcl.normal", warning, "a normal has a length of 1",
     "If the length of a normal is not 1, the game computes wrong distances to the prism.",
     "Divide the normal by its length.", "Kinoko (decompiled game)"},
    {"kcl.edges", warning, "edge normals are perpendicular to the face normal and point out of the triangle",
     "If an edge normal is wrong, karts and items hit the prism next to its triangle, or not at all.",
     "Recalculate the normals from the corners of the triangle.", "Kinoko (decompiled game)"},
    {"kcl.face-down", hint, "roads can be hit from above",
     "A road that faces down can be hit only from below; karts above the road fall through it.",
     "Swap two corners of the triangle, unless it is a ceiling.", "Wiimm's wkclt"},
    {"kcl.twin", hint, "no two prisms are identical",
     "The game tests the second of two identical prisms unnecessarily.", "Remove one of the two identical prisms.",
     "Wiimm's wkclt"},
    {"kcl.unused", hint, "every position and every normal is used by a prism",
     "Unused positions and normals waste space.", "Remove the unused positions and normals.", "real files have none"},
};

constexpr f64 k_slack = 0.01;  // of lengths and cosines: small real files have normals that are 0.006 too long

void check_numbers(Check& c) {
  const Kcl& k = c.kcl;
  for (size_t i = 0; i < k.prisms.size(); ++i) {
    if (c.prisms[i].shape) continue;
    const Prism& p = k.prisms[i];
    const auto check_index = [&](const char* field, u16 n, size_t size, const char* what) {
      if (n >= size)
        c.report("kcl.index", text("prisms[", i, "].", field),
                 {.message = text(what, " ", n, " does not exist; the file has ", format_count(size, what),
                                  ", counted from 0")});
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
  c.report_all("kcl.no-triangle", "prisms", none, {"prism", "prisms", "forms no triangle", "form no triangle"});
  c.report_all("kcl.thin", "prisms", thin,
               {"prism", "prisms", "is too small or too thin", "are too small or too thin"});
  c.report_all("kcl.normal", "normals", bad_normals,
               {"normal", "normals", "does not have a length of 1", "do not have a length of 1"});
  c.report_all("kcl.edges", "prisms", edges,
               {"prism", "prisms", "has edge normals that do not fit its face",
                "have edge normals that do not fit their faces"});
  c.report_all("kcl.face-down", "prisms", down, {"road prism", "road prisms", "faces down", "face down"});
  c.report_all("kcl.twin", "prisms", twins,
               {"prism", "prisms", "is identical to an earlier prism", "are identical to earlier prisms"});
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
