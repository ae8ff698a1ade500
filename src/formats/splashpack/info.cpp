// info.cpp: a pack in a few lines.
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

Value info(const Pack& p) {
  Value v = Value::object();
  v.add("layout", k_layouts.of(i64(p.form)));
  v.add("version", u64(p.version));
  u64 triangles = 0, floor = 0;
  for (const Object& o : p.objects) triangles += o.triangles.size();
  for (const Navmesh& n : p.navmeshes) floor += n.triangles.size();
  v.add("objects", u64(p.objects.size()));
  v.add("triangles", triangles);
  v.add("scripts", u64(p.scripts.size()));
  v.add("navmesh_triangles", floor);
  v.add("atlases", u64(p.atlases.size()));
  v.add("palettes", u64(p.cluts.size()));
  return v;
}

}  // namespace dio::splashpack
