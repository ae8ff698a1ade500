// repair.cpp: findings with a single safe repair.
#include "formats/contract/edits.hpp"
#include "formats/contract/findings.hpp"
#include "formats/splashpack/check/checks.hpp"

namespace dio::splashpack {
namespace {

/// Whether a palette can grow by a colour without overlapping anything.
bool can_grow_clut(const Pack& p, const Clut& c) {
  const Rect last{c.x * 16u + c.length, c.y, 1, 1};
  if (last.x >= k_video_width) return false;
  for (const Atlas& a : p.atlases)
    if (last.overlaps({a.x, a.y, a.width, a.height})) return false;
  for (const Clut& other : p.cluts)
    if (&other != &c && last.overlaps({other.x * 16u, other.y, other.length, 1})) return false;
  return true;
}

}  // namespace

std::vector<Repair> repair(Document<Pack>& d) {
  std::vector<Repair> done;
  const Pack& p = d.value();
  const auto add = [&](std::string_view id, std::string path, std::string about) {
    done.push_back({std::string(id), std::move(path), std::move(about)});
  };
  // Placing the document aligns all blocks to 4; a document with something to repair is placed when saved.
  Findings found({});
  Reporter r(found);
  check_container(r, d);
  for (const Diagnostic& f : found.list)
    if (f.id == "splashpack.align4") add(f.id, f.place.path, "moved to a multiple of 4");
  const bool has_colors = is_old(p) && u32(p.form) >= k_offsets_first;
  for (size_t i = 0; i < p.cluts.size() && has_colors; ++i) {
    const Clut& c = p.cluts[i];
    if (c.length % 2 == 0 || c.length == 0xFFFF || !can_grow_clut(p, c)) continue;
    add("splashpack.clut-odd", text("cluts[", i, "].length"), text(c.length, " colours became ", c.length + 1));
    Clut& now = d.edit().cluts[i];
    now.colors.push_back(now.colors.back());  // no texel should use it, so any colour will do
    now.length = u16(now.colors.size());
  }
  for (size_t i = 0; i < p.objects.size(); ++i) {
    if (p.objects[i].unk_name_end) {
      add("splashpack.name-end", object_path(i, ".unk_name_end"), text(p.objects[i].unk_name_end, " became 0"));
      d.edit().objects[i].unk_name_end = 0;
    }
    for (size_t k = 0; k < p.objects[i].triangles.size(); ++k) {
      const Triangle& t = p.objects[i].triangles[k];
      const u16 meant = is_old(p) ? 0 : 1;
      const bool is_padded = t.unk_uvs || t.colors[0].unk_3 || t.colors[1].unk_3 || t.colors[2].unk_3 ||
                             (u32(p.form) >= k_pages_in_triangles && t.flags & ~meant);
      if (!is_padded) continue;
      add("splashpack.tri-pad", triangle_path(i, k), "unused fields became 0");
      Triangle& now = d.edit().objects[i].triangles[k];
      now.unk_uvs = 0;
      now.flags &= meant;
      for (Color& c : now.colors) c.unk_3 = 0;
    }
  }
  if (!done.empty()) (void)d.edit();
  return done;
}

}  // namespace dio::splashpack
