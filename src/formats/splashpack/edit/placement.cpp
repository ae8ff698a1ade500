// placement.cpp: boxes of objects, of the BVH, of rooms and of streamed regions.
#include "formats/splashpack/edit/placement.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {

namespace {

bool add_checked(auto& number, i32 by) {
  const i64 sum = i64(number.raw) + by;
  using Raw = decltype(number.raw);
  if (sum < std::numeric_limits<Raw>::min() || sum > std::numeric_limits<Raw>::max()) return false;
  number.raw = Raw(sum);
  return true;
}
bool add_checked(auto& x, auto& y, auto& z, const std::array<i32, 3>& by) {
  return add_checked(x, by[0]) && add_checked(y, by[1]) && add_checked(z, by[2]);
}
/// Streamed triangles count with the box of their object.
Bounds compute_bounds(const Pack& p, std::span<const TriangleRef> refs) {
  Bounds all;
  for (const TriangleRef& ref : refs) {
    if (ref.object >= p.objects.size()) continue;
    const Object& o = p.objects[ref.object];
    if (ref.triangle < o.triangles.size())
      for (const Vec16& v : o.triangles[ref.triangle].positions) all.add(transform_vertex_exact(o, v));
    else if (is_streamed(p, ref.object))
      all.add(o.box);
  }
  return all;
}
bool is_empty(const Bounds& b) { return b.low[0] > b.high[0]; }

std::span<const TriangleRef> clamped_subspan(const std::vector<TriangleRef>& refs, size_t first, size_t count) {
  if (first > refs.size()) return {};
  return std::span(refs).subspan(first, std::min(count, refs.size() - first));
}

class BoundsUpdater {
 public:
  BoundsUpdater(Pack& p, size_t object) : p_(p), object_(object), seen_(p.bvh_nodes.size()) {}
  void update_boxes() {
    if (!p_.bvh_nodes.empty()) update_node(0);
    for (RoomCell& cell : p_.room_cells) {
      const auto refs = clamped_subspan(p_.room_refs, cell.first_ref, cell.ref_count);
      if (has(refs)) cell.box = compute_bounds(p_, refs).to_box();
    }
  }

 private:
  bool has(std::span<const TriangleRef> refs) const {
    return std::ranges::any_of(refs, [&](const TriangleRef& r) { return r.object == object_; });
  }
  struct SubtreeBounds {
    Bounds bounds;
    bool has_object = false;
  };
  SubtreeBounds update_node(size_t n) {
    if (n >= p_.bvh_nodes.size() || seen_[n]) return {};
    seen_[n] = true;
    BvhNode& node = p_.bvh_nodes[n];
    SubtreeBounds out;
    if (node.is_leaf()) {
      const auto refs = clamped_subspan(p_.bvh_refs, node.first_ref, node.ref_count);
      out = {compute_bounds(p_, refs), has(refs)};
    } else {
      for (const u16 child : {node.left, node.right}) {
        if (child == k_no_index) continue;
        const SubtreeBounds below = this->update_node(child);
        if (!is_empty(below.bounds)) out.bounds.add(below.bounds);
        out.has_object |= below.has_object;
      }
    }
    if (out.has_object && !is_empty(out.bounds)) p_.bvh_nodes[n].box = out.bounds.to_box();
    return out;
  }

  Pack& p_;
  size_t object_;
  std::vector<bool> seen_;
};

/// Regions are loaded by the positions of their objects: they are enlarged to contain a moved one.
void grow_regions(WorldStream& stream, size_t object, const Box& box) {
  for (StreamRegion& r : stream.regions)
    for (size_t k = r.first_ref; k < std::min(size_t(r.first_ref) + r.ref_count, stream.refs.size()); ++k) {
      if (stream.refs[k].object != object) continue;
      r.min_x.raw = std::min(r.min_x.raw, box.min.x.raw), r.max_x.raw = std::max(r.max_x.raw, box.max.x.raw);
      r.min_z.raw = std::min(r.min_z.raw, box.min.z.raw), r.max_z.raw = std::max(r.max_z.raw, box.max.z.raw);
    }
}

}  // namespace

bool translate(Vec32& p, const std::array<i32, 3>& by) { return add_checked(p.x, p.y, p.z, by); }
bool translate(Vec16& p, const std::array<i32, 3>& by) { return add_checked(p.x, p.y, p.z, by); }
bool translate_box(Box& b, const std::array<i32, 3>& by) {
  return add_checked(b.min.x, b.min.y, b.min.z, by) && add_checked(b.max.x, b.max.y, b.max.z, by);
}

bool is_streamed(const Pack& p, size_t object) {
  return p.stream && std::ranges::any_of(p.stream->refs, [&](const StreamRef& r) { return r.object == object; });
}

bool move_object_by(Pack& p, size_t i, const std::array<i32, 3>& by) {
  Object& o = p.objects[i];
  if (uses_object_transform(p, o)) {
    if (!add_checked(o.position.x, o.position.y, o.position.z, by)) return false;
    // The engine reads the number as 16 bits.
    for (const fx32 n : {o.position.x, o.position.y, o.position.z})
      if (n.raw < INT16_MIN || n.raw > INT16_MAX) return false;
  } else {  // its triangles keep their positions
    for (Triangle& t : o.triangles)
      for (Vec16& v : t.positions)
        if (!add_checked(v.x, v.y, v.z, by)) return false;
  }
  if (is_old(p)) return true;
  if (is_streamed(p, i)) {
    if (!translate_box(o.box, by)) return false;
    grow_regions(*p.stream, i, o.box);
    return true;
  }
  update_object_box(p, i);
  return true;
}
void update_object_box(Pack& p, size_t i) {
  Object& o = p.objects[i];
  const auto skin = std::ranges::find(p.skins, u16(i), &Skin::object);
  o.box = skin == p.skins.end() ? compute_object_box(o) : compute_object_box(o, *skin);
}

void update_boxes_around(Pack& p, size_t object) { BoundsUpdater(p, object).update_boxes(); }

}  // namespace dio::splashpack
