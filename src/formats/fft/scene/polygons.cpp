#include "formats/fft/scene/polygons.hpp"

#include <algorithm>
#include <cmath>

#include "core/sorting.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/scene/texture_animation_player.hpp"
#include "scene/affine.hpp"

namespace dio::fft {

std::string polygon_path(const PolygonRef& r) {
  return text(mesh_name(r.mesh), ".", k_polygon_kinds[size_t(r.kind)], "[", r.index, "]");
}

namespace {

tl::unexpected<Diagnostic> refuse_message(std::string message) {
  return refuse({}, {}, {.message = std::move(message)});
}

std::optional<size_t> find_mesh_by_name(std::string_view name) {
  for (size_t m = 0; m < k_meshes; ++m)
    if (name == mesh_name(m)) return m;
  return {};
}
std::optional<PolygonKind> find_polygon_kind(std::string_view name) {
  for (size_t k = 0; k < k_polygon_kinds.size(); ++k)
    if (name == k_polygon_kinds[k]) return PolygonKind(k);
  return {};
}

/// Adds the polygons of one item: a mesh, a kind of polygons, or some of a kind.
Result<bool> parse_polygon_item(const Mesh& file, const std::string_view typed, std::vector<PolygonRef>& out) {
  std::string_view item = typed;
  const auto unclear = [&] {
    return refuse_message(
        given(typed) +
        " does not name polygons; examples: textured_quads[3..9], animated_1.untextured_triangles, animated_2");
  };
  const size_t dot = item.find('.');
  const auto named = find_mesh_by_name(item.substr(0, std::min(dot, item.find('['))));
  const size_t mesh = named.value_or(0);
  const Geometry* g = geometry_of(file, mesh);
  if (!g) return refuse_message(text("the file has no mesh ", mesh_name(mesh)));
  const auto add = [&](PolygonKind kind, u64 from, u64 to) {
    for (u64 i = from; i < to; ++i) out.push_back({u8(mesh), kind, u32(i)});
  };
  const auto counts = count_polygons_by_kind(*g);
  if (named && item == mesh_name(mesh)) {
    for (size_t k = 0; k < counts.size(); ++k) add(PolygonKind(k), 0, counts[k]);
    return true;
  }
  if (named) item.remove_prefix(std::min(dot, item.size() - 1) + 1);
  const size_t bracket = item.find('[');
  const auto kind = find_polygon_kind(item.substr(0, bracket));
  if (!kind) return unclear();
  const size_t count = counts[size_t(*kind)];
  if (bracket == item.npos) {
    add(*kind, 0, count);
    return true;
  }
  std::string_view range = item.substr(bracket + 1);
  if (!range.ends_with(']')) return unclear();
  range.remove_suffix(1);
  const size_t dots = range.find("..");
  const auto from = parse_whole_number(range.substr(0, dots)),
             to = dots == range.npos ? from : parse_whole_number(range.substr(dots + 2));
  if (!from || !to || *from < 0 || *from > *to) return unclear();
  if (u64(*to) >= count)
    return refuse_message(text("the file has ", count ? text("only ", count) : "no", " ", mesh_name(mesh), ".",
                               k_polygon_kinds[size_t(*kind)], count ? text(" ([0] to [", count - 1, "])") : ""));
  add(*kind, u64(*from), u64(*to) + 1);
  return true;
}

}  // namespace

Result<std::vector<PolygonRef>> parse_polygon_refs(const Mesh& file, std::string_view typed) {
  std::vector<PolygonRef> out;
  for (const std::string_view item : split(typed, ',')) {
    if (auto added = parse_polygon_item(file, item, out); !added) return refuse(std::move(added.error()));
    sort_stably(out);  // here, so that repeated items do not fill the memory
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
  return out;
}

std::array<size_t, 4> count_all_polygons(const Mesh& file) {
  std::array<size_t, 4> sum{};
  for (size_t m = 0; m < k_meshes; ++m)
    if (const Geometry* g = geometry_of(file, m)) {
      const auto counts = count_polygons_by_kind(*g);
      for (size_t k = 0; k < counts.size(); ++k) sum[k] += counts[k];
    }
  return sum;
}

void erase_polygons(Mesh& file, std::span<const PolygonRef> refs) {
  for (size_t i = 0; i < refs.size();) {  // each list once, so that large files stay fast
    const PolygonRef& first = refs[i];
    visit_polygon_list(*geometry_of(file, first.mesh), first.kind, [&](auto& list) {
      size_t kept = first.index;
      for (size_t from = first.index; from < list.size(); ++from) {
        if (!first.mesh && from >= k_render_slots[size_t(first.kind)]) list[from].render = k_plain_render;
        const bool gone = i < refs.size() && refs[i] == PolygonRef{first.mesh, first.kind, u32(from)};
        if (gone)
          ++i;
        else
          list[kept++] = list[from];
      }
      list.resize(kept);
    });
  }
}

std::string list_polygon_number_rows(const Mesh& file) {
  std::string rows;
  if (file.texture_animations)
    for (size_t i = 0; i < file.texture_animations->rows.size(); ++i)
      if (decode_texture_motion(file.texture_animations->rows[i]).what ==
          TextureMotionKind::TextureMotionTarget::polygons)
        rows += text(rows.empty() ? "" : ", ", i);
  return rows;
}

std::optional<Normal> face_normal(std::span<const Position> corners) {
  const auto edge = [&](size_t from, size_t to) {
    const Position &a = corners[from], &b = corners[to];
    return scene::Point{f64(b.x) - a.x, f64(b.y) - a.y, f64(b.z) - a.z};
  };
  // Seen from the front A, B, C and B, D, C are clockwise.
  scene::Point n = scene::cross(edge(0, 2), edge(0, 1));
  if (corners.size() == 4) {
    const scene::Point other = scene::cross(edge(1, 2), edge(1, 3));
    for (size_t i = 0; i < 3; ++i) n[i] += other[i];
  }
  if (scene::length(n) == 0) return {};
  n = scene::unit(n);
  const auto fixed = [](f64 x) { return fx16{i16(std::lround(x * 4096))}; };
  return Normal{fixed(n[0]), fixed(n[1]), fixed(n[2])};
}

}  // namespace dio::fft
