// matched.cpp: matches the parts of two packs. The exporter writes objects in a changing order, so they are identified
// by content.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "core/sorting.hpp"
#include "formats/contract/companions.hpp"
#include "formats/splashpack/companions.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"

namespace dio::splashpack {
namespace {

constexpr size_t k_unmatched = ~size_t(0);

/// Content only, without offsets in the file.
u64 digest(const Value& v, u64 hash = 0xcbf29ce484222325) {
  const auto mix = [&](u64 n) { hash = (hash ^ n) * 0x100000001b3 ^ hash >> 29; };
  mix(u64(v.kind()));
  if (v.is(Value::Kind::text))
    for (const char c : v.text()) mix(u8(c));
  else if (v.is(Value::Kind::real))
    mix(u64(i64(v.number() * 4096)));
  else
    mix(v.bits());
  for (const auto& [name, member] : v.members())
    if (name != "offset") hash = digest(member, hash * 31);
  return hash;
}

/// A property by which two elements may be matched; nothing: not by this one.
using IdentityKey = std::function<std::optional<u64>(const Value&)>;
IdentityKey by_content() {
  return [](const Value& v) { return digest(v); };
}
IdentityKey by_member(std::string_view member) {
  return [member](const Value& v) -> std::optional<u64> {
    const Value* m = v.find(member);
    const bool is_empty =
        !m || (m->is(Value::Kind::text) ? m->text().empty() : m->size() == 0 && !m->is(Value::Kind::integer));
    return is_empty ? std::nullopt : std::optional(digest(*m));
  };
}

/// The corners of an object's triangles: its textures move as soon as another object comes first.
IdentityKey by_vertex_positions() {
  return [](const Value& v) -> std::optional<u64> {
    const Value* all = v.find("triangles");
    if (!all || all->size() == 0) return {};
    u64 hash = 1;
    for (const auto& [name, t] : all->members())
      if (const Value* p = t.find("positions")) hash = digest(*p, hash * 31);
    return hash;
  };
}

/// For each element of `b`, its position according to the matching element of `a`: first elements matched by a
/// property, property by property, then the others in order.
std::vector<size_t> match_order(const Value& a, const Value& b, const std::vector<IdentityKey>& marks) {
  std::vector<size_t> partner(a.size(), k_unmatched);
  std::vector<bool> taken(b.size());
  for (const IdentityKey& mark : marks) {
    std::multimap<u64, size_t> free;
    for (size_t j = 0; j < b.size(); ++j)
      if (!taken[j])
        if (const auto m = mark(*b.at(j))) free.emplace(*m, j);
    for (size_t i = 0; i < a.size(); ++i) {
      if (partner[i] != k_unmatched) continue;
      const auto m = mark(*a.at(i));
      const auto found = m ? free.find(*m) : free.end();  // the first of equal ones
      if (found == free.end()) continue;
      partner[i] = found->second;
      taken[found->second] = true;
      free.erase(found);
    }
  }
  std::vector<size_t> order;
  size_t next = 0;
  const auto append_unmatched = [&] {
    while (next < b.size() && taken[next]) ++next;
    if (next < b.size()) order.push_back(next++);
  };
  for (const size_t j : partner) {
    if (j != k_unmatched)
      order.push_back(j);
    else
      append_unmatched();
  }
  while (order.size() < b.size()) append_unmatched();
  return order;
}

/// A pack whose lists are reordered.
class Reordered {
 public:
  Reordered(const Value& a, const Value& b) : a_(a), b_(b) {}

  void reorder_to_match(const std::string& list, const std::vector<IdentityKey>& marks) {
    reorder_to_match(list, a_.find(list), b_.find(list), marks);
  }
  /// A list in each element of another list.
  void reorder_nested(const std::string& outer, const std::string& inner, const std::vector<IdentityKey>& marks) {
    const Value* was = a_.find(outer);
    Value* is = b_.find(outer);
    for (size_t i = 0; was && is && i < std::min(was->size(), is->size()); ++i)
      reorder_to_match(outer + "[" + std::to_string(i) + "]." + inner, was->at(i)->find(inner),
                       is->members()[i].second.find(inner), marks);
  }
  /// References by index to elements of the list that was reordered last.
  void renumber_reference(Value& holder, std::string_view member) const {
    Value* n = holder.find(member);
    if (n && n->is(Value::Kind::integer) && !n->negative() && n->bits() < now_.size())
      *n = u64(now_[size_t(n->bits())]);
  }
  void renumber_references(std::string_view list, std::string_view member) {
    if (Value* all = b_.find(list))
      for (auto& [name, element] : all->members()) renumber_reference(element, member);
  }
  Value& document() { return b_; }
  Value result() && {
    Value v = Value::object();
    v.add("document", std::move(b_));
    v.add("places", std::move(places_));
    return v;
  }

 private:
  void reorder_to_match(const std::string& path, const Value* was, Value* is, const std::vector<IdentityKey>& marks) {
    if (!was || !is || !was->is(Value::Kind::list) || !is->is(Value::Kind::list)) return;
    const std::vector<size_t> order = match_order(*was, *is, marks);
    std::vector<Value::Member> parts;
    Value& numbers = places_.add(path, Value::list());
    now_.assign(order.size(), 0);
    for (const size_t j : order) {
      now_[j] = parts.size();
      parts.push_back(std::move(is->members()[j]));
      numbers.push(u64(j));
    }
    is->members() = std::move(parts);
  }

  const Value& a_;
  Value b_, places_ = Value::object();
  std::vector<size_t> now_;  // for each element of the list reordered last: its new index
};

// ---- textures, whose positions follow the order of the objects

constexpr u64 k_most_texels = u64(1) << 26;  // compared in two files

/// Two packs and the VRAM contents after loading each.
struct Screens {
  const Pack &a, &b;
  VideoMemory in_a, in_b;
  u64 left = k_most_texels;

  /// Whether two triangles show the same texels, each at the position in its own pack.
  bool show_same_texels(const Object& of_a, const Triangle& t, const Object& of_b, const Triangle& u) {
    const auto from = texture_of(a, of_a, t), other = texture_of(b, of_b, u);
    if (!from && !other) return t.page == u.page && t.uvs == u.uvs;
    if (!from || !other || TexturePage::from_word(from->page).depth != TexturePage::from_word(other->page).depth)
      return false;
    const int du = t.uvs[0].u - u.uvs[0].u, dv = t.uvs[0].v - u.uvs[0].v;
    u8 u0 = 255, u1 = 0, v0 = 255, v1 = 0;
    for (size_t c = 0; c < 3; ++c) {
      if (t.uvs[c].u - u.uvs[c].u != du || t.uvs[c].v - u.uvs[c].v != dv) return false;
      u0 = std::min(u0, u.uvs[c].u), u1 = std::max(u1, u.uvs[c].u);
      v0 = std::min(v0, u.uvs[c].v), v1 = std::max(v1, u.uvs[c].v);
    }
    const u64 count = u64(u1 - u0 + 1) * u64(v1 - v0 + 1);
    if (count > left) return false;
    left -= count;
    for (int y = v0; y <= v1; ++y)
      for (int x = u0; x <= u1; ++x)
        if (texel_at(in_a, *from, u8(x + du), u8(y + dv)) != texel_at(in_b, *other, u8(x), u8(y))) return false;
    return true;
  }
};

/// All texels, or all palettes, independent of their positions.
std::vector<u8> sorted_texels(const Pack& p, const Vram* vram) {
  std::vector<u8> all;
  const auto add = [&](const auto& atlases) {
    for (const auto& a : atlases) all.insert(all.end(), a.texels.begin(), a.texels.end());
  };
  vram ? add(vram->atlases) : add(p.atlases);
  sort_stably(all);
  return all;
}
std::vector<std::vector<u16>> sorted_palettes(const Pack& p, const Vram* vram) {
  std::vector<std::vector<u16>> all;
  const auto add = [&](const auto& cluts) {
    for (const auto& c : cluts) all.emplace_back(c.colors.begin(), c.colors.end());
  };
  vram ? add(vram->cluts) : add(p.cluts);
  sort_stably(all);
  return all;
}

/// Triangles that show the same texels as before get their old positions; if all do, so do texels and palettes. From
/// v20 on, texels are in the .vram files: without both, the shown texels are unknown.
void restore_texture_positions(const Value& a, const Vram* vram_a, Value& b, const Vram* vram_b) {
  const auto was = from_value<Pack>(a), is = from_value<Pack>(b);
  if (!was || !is || was->form != is->form) return;
  if (u32(was->form) < k_sections)
    vram_a = vram_b = nullptr;
  else if (!vram_a || !vram_b)
    return;
  Screens screens{*was, *is, build_video_memory(*was, vram_a), build_video_memory(*is, vram_b)};
  bool all_same = was->objects.size() == is->objects.size();
  for (size_t i = 0; i < std::min(was->objects.size(), is->objects.size()); ++i) {
    const Object &before = was->objects[i], &now = is->objects[i];
    all_same &= before.triangles.size() == now.triangles.size();
    for (size_t k = 0; k < std::min(before.triangles.size(), now.triangles.size()); ++k) {
      const Triangle &t = before.triangles[k], &u = now.triangles[k];
      if (!screens.show_same_texels(before, t, now, u)) {
        all_same = false;
        continue;
      }
      const Value& from = *a.find("objects")->at(i)->find("triangles")->at(k);
      Value& to = b.find("objects")->members()[i].second.find("triangles")->members()[k].second;
      for (const char* member : {"uvs", "page", "clut_x", "clut_y"})
        if (const Value* v = from.find(member)) *to.find(member) = *v;
    }
  }
  if (!all_same || was->form == Layout::a2) return;
  if (was->atlases.size() == is->atlases.size() && sorted_texels(*was, vram_a) == sorted_texels(*is, vram_b))
    *b.find("atlases") = *a.find("atlases");
  if (b.find("cluts") && sorted_palettes(*was, vram_a) == sorted_palettes(*is, vram_b))
    *b.find("cluts") = *a.find("cluts");
}

}  // namespace

Value match_packs(const Value& a, std::span<const Companion> beside_a, const Value& b,
                  std::span<const Companion> beside_b) {
  Reordered r(a, b);
  r.reorder_to_match("scripts", {by_content()});
  r.renumber_reference(r.document(), "script");
  r.renumber_references("objects", "script");
  r.renumber_references("triggers", "script");
  r.reorder_to_match("objects", {by_content(), by_vertex_positions(), by_member("name"), by_member("position")});
  for (const char* list : {"colliders", "interactables", "bvh_refs", "room_refs", "skins"})
    r.renumber_references(list, "object");
  r.reorder_nested("navmeshes", "triangles", {by_content()});
  r.reorder_to_match("atlases", {by_content(), by_member("texels"), by_member("x")});
  r.reorder_to_match("cluts", {by_content(), by_member("colors")});
  restore_texture_positions(a, pack_companions(beside_a).vram, r.document(), pack_companions(beside_b).vram);
  return std::move(r).result();
}

}  // namespace dio::splashpack
