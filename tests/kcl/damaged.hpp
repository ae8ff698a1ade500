// damaged.hpp: for each rule a collision file that breaks it, by as little as possible. For tests only.
#pragma once
#include <limits>

#include "engine/broken_file.hpp"
#include "formats/kcl/geometry.hpp"
#include "samples/kcl/courses.hpp"
#include "samples/samples.hpp"

namespace dio::kcl {

namespace broken {

template <class F>
Bytes box_with(F edit) {
  Kcl k = built(box());
  edit(k);
  return bytes_of(k);
}
/// With an octree for what was edited.
template <class F>
Bytes box_built_with(F edit) {
  Kcl k = built(box());
  edit(k);
  return build_octree(k) ? bytes_of(k) : Bytes();
}

inline std::vector<test::BrokenFile> files() {
  constexpr f32 k_nan = std::numeric_limits<f32>::quiet_NaN();
  std::vector<test::BrokenFile> all;
  all.push_back({"kcl.thickness", "thickness", "kcl", box_with([](Kcl& k) { k.thickness = 0; })});
  all.push_back({"kcl.sphere", "sphere_radius", "kcl", box_with([](Kcl& k) { k.sphere_radius = -250; })});
  all.push_back({"kcl.usual", "thickness", "kcl", box_with([](Kcl& k) { k.thickness = 301; })});
  all.push_back(
      {"kcl.most", "prisms", "kcl", box_with([](Kcl& k) { k.prisms.resize(k_most_prisms + 1, k.prisms[0]); })});
  all.push_back(
      {"kcl.index", "prisms[2].edge_b", "kcl", box_with([](Kcl& k) { k.prisms[2].edge_b = u16(k.normals.size()); })});
  all.push_back({"kcl.no-triangle", "prisms[3]", "kcl", box_with([&](Kcl& k) { k.prisms[3].height = k_nan; })});
  all.push_back({"kcl.thin", "prisms[3]", "kcl", box_with([](Kcl& k) { k.prisms[3].height = 0.5f; })});
  all.push_back({"kcl.normal", "normals[0]", "kcl", box_with([](Kcl& k) { k.normals[0] = {0, 1.1f, 0}; })});
  all.push_back({"kcl.edges", "prisms[0]", "kcl", box_with([](Kcl& k) {
                   // swapped, they point into the triangle
                   std::swap(k.prisms[0].edge_a, k.prisms[0].edge_b);
                 })});
  all.push_back({"kcl.face-down", "prisms[0]", "kcl", [] {
                   auto t = box();
                   std::swap(t[0].corners[1], t[0].corners[2]);
                   return bytes_of(built(t));
                 }()});
  all.push_back({"kcl.twin", "prisms[10]", "kcl", box_built_with([](Kcl& k) { k.prisms.push_back(k.prisms[4]); })});
  all.push_back({"kcl.unused", "normals[16]", "kcl", box_with([](Kcl& k) { k.normals.push_back({1, 0, 0}); })});
  all.push_back({"kcl.oct-area", "area_mask", "kcl", box_with([](Kcl& k) { k.area_mask.y = 0xFFFFF000 | 1; })});
  all.push_back(
      {"kcl.oct-node", "octree.nodes[5]", "kcl", box_with([](Kcl& k) { k.octree.nodes[5].offset += 0x10000; })});
  all.push_back({"kcl.oct-list", "octree.nodes[0]", "kcl", box_with([](Kcl& k) {
                   Kcl one = built({box()[0]}, {.smallest_cell = 1 << 15});
                   one.octree.lists[0].prisms[0] = 2;
                   k = one;
                 })});
  all.push_back({"kcl.oct-missing", "prisms[0]", "kcl", box_with([](Kcl& k) {
                   for (PrismList& l : k.octree.lists)  // but for one list, the road is in none
                     if (&l != &k.octree.lists[0])
                       for (u16& n : l.prisms)
                         if (n == 1) n = 2;
                   for (u16& n : k.octree.lists[0].prisms)
                     if (n != 0) {
                       n = 1;
                       break;
                     }
                 })});
  all.push_back({"kcl.oct-near", "prisms[0]", "kcl", [] {
                   // an octree for small spheres
                   Kcl k = built(hills());
                   k.sphere_radius = 100;
                   if (!build_octree(k, {.most_prisms = 8})) return Bytes();
                   k.sphere_radius = k_usual_sphere_radius;
                   return bytes_of(k);
                 }()});
  all.push_back({"kcl.oct-never", "prisms[10]", "kcl", box_with([](Kcl& k) {
                   Prism p = k.prisms[0];
                   p.variant = 1;
                   k.prisms.push_back(p);
                 })});
  all.push_back(
      {"kcl.oct-outside", "prisms[4]", "kcl", box_with([](Kcl& k) { k.positions[k.prisms[4].position].x -= 9000; })});
  all.push_back({"kcl.oct-more", "octree.lists", "kcl", [] {
                   // an octree for large spheres
                   Kcl k = built(hills());
                   k.sphere_radius = 2000;
                   if (!build_octree(k)) return Bytes();
                   k.sphere_radius = k_usual_sphere_radius;
                   return bytes_of(k);
                 }()});
  all.push_back({"kcl.oct-large", "octree.nodes", "kcl", [] {
                   // eight cells that are the cells of each other
                   Kcl k = built({box()[0]}, {.smallest_cell = 1 << 15});
                   k.octree.nodes.assign(9, {0, 0});
                   k.octree.nodes[0] = {0, 4};
                   k.octree.lists.clear();
                   return bytes_of(k);
                 }()});
  return all;
}

}  // namespace broken
}  // namespace dio::kcl
