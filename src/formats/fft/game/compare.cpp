#include "formats/fft/game/compare.hpp"

#include <algorithm>

#include "core/sorting.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::fft {

namespace {

constexpr std::array<size_t, 3> k_palette_slots = {Mesh::k_palettes_slot, Mesh::k_palette_frames_slot,
                                                   Mesh::k_gray_palettes_slot};

std::string format_triple(const auto& x, const auto& y, const auto& z) { return text(x, ", ", y, ", ", z); }
std::string format_color(const Rgb8& c) { return format_triple(c.red, c.green, c.blue); }

class Comparison {
 public:
  Comparison(const Parts& a, const Parts& b) : a_(a), b_(b) {}
  std::vector<Difference> run() {
    for (size_t i = 0; i < a_.geometry.size(); ++i)
      compare_part(i ? Mesh::k_animated_slot + i - 1 : Mesh::k_primary_slot, a_.geometry[i], b_.geometry[i],
                   [&](auto& was, auto& is) { compare_geometry(was, is, i == 0); });
    for (size_t i = 0; i < k_palette_slots.size(); ++i)
      compare_part(k_palette_slots[i], a_.palettes[i], b_.palettes[i],
                   [&](auto& was, auto& is) { compare_palettes(was, is); });
    for (size_t i = 0; i < k_pages; ++i)
      compare_part(Mesh::k_page_slot + i, a_.pages[i], b_.pages[i],
                   [&](auto& was, auto& is) { compare_page(was, is); });
    compare_part(Mesh::k_lights_slot, a_.lights, b_.lights, [&](auto& was, auto& is) { compare_lights(was, is); });
    compare_part(Mesh::k_terrain_slot, a_.terrain, b_.terrain, [&](auto& was, auto& is) { compare_terrain(was, is); });
    compare_part(Mesh::k_texture_animations_slot, a_.texture_animations, b_.texture_animations,
                 [&](auto& was, auto& is) { compare_texture_animations(was, is); });
    compare_part(Mesh::k_mesh_animations_slot, a_.mesh_animations, b_.mesh_animations,
                 [&](auto& was, auto& is) { compare_mesh_animations(was, is); });
    sort_stably(out_, [](const Difference& x, const Difference& y) { return x.slot < y.slot; });
    return std::move(out_);
  }

 private:
  void compare_part(size_t slot, const auto* was, const auto* is, const auto& both) {
    slot_ = slot;
    if (was && is) {
      if (was != is) both(*was, *is);
    } else if (was || is) {
      add_difference({}, was ? "present" : "missing", is ? "present" : "missing");
    }
  }
  void add_difference(std::string what, std::string was = {}, std::string is = {}, u64 count = 1) {
    out_.push_back({slot_, std::move(what), std::move(was), std::move(is), count});
  }
  void compare_number(std::string what, const auto& was, const auto& is) {
    if (was != is) add_difference(std::move(what), text(was), text(is));
  }
  /// The number of different elements of two lists of equal length; if it is one, also which.
  void compare_elements(const std::string& list, const std::string& field, const auto& was, const auto& is,
                        const auto& differ) {
    u64 count = 0;
    size_t first = 0;
    for (size_t i = 0; i < was.size(); ++i)
      if (differ(was[i], is[i]) && !count++) first = i;
    if (!count) return;
    add_difference(count == 1 ? text(list, "[", first, "]", field) : list + field, {}, {}, count);
  }

  void compare_geometry(const Geometry& was, const Geometry& is, bool primary) {
    compare_polygons("textured_triangles", was.textured_triangles, is.textured_triangles, primary);
    compare_polygons("textured_quads", was.textured_quads, is.textured_quads, primary);
    compare_polygons("untextured_triangles", was.untextured_triangles, is.untextured_triangles, primary);
    compare_polygons("untextured_quads", was.untextured_quads, is.untextured_quads, primary);
  }
  template <class P>
  void compare_polygons(const std::string& list, const std::vector<P>& was, const std::vector<P>& is, bool primary) {
    if (was.size() != is.size())
      return add_difference(list, format_count(was.size(), "polygon"), format_count(is.size(), "polygon"),
                            std::max(was.size(), is.size()) - std::min(was.size(), is.size()));
    const auto field = [&](const char* name, auto member) {
      compare_elements(list, name, was, is, [&](const P& x, const P& y) { return x.*member != y.*member; });
    };
    field(".positions", &P::positions);
    if constexpr (requires(P p) { p.normals; }) {
      field(".normals", &P::normals);
      field(".uvs", &P::uvs);
      field(".palette", &P::palette);
      compare_elements(list, ".page", was, is, [](const P& x, const P& y) {
        const auto all = [](const P& p) {
          return std::tuple(p.page, p.image, p.page_y, p.blend, p.color_depth, p.page_unk_9, p.clut_y, p.clut_unk_15);
        };
        return all(x) != all(y);
      });
      field(".tile", &P::tile);
    } else {
      field(".unread", &P::unread);
    }
    if (primary) field(".render", &P::render);
  }
  void compare_palettes(const Palettes& was, const Palettes& is) {
    for (size_t row = 0; row < was.rows.size(); ++row)
      compare_elements(text("rows[", row, "]"), {}, was.rows[row], is.rows[row],
                       [](const Color& x, const Color& y) { return x != y; });
  }
  void compare_page(const TexturePage& was, const TexturePage& is) {
    u64 count = 0;
    for (size_t i = 0; i < std::min(was.texels.size(), is.texels.size()); ++i) {
      const unsigned bits = was.texels[i] ^ is.texels[i];
      count += ((bits & 15) != 0) + ((bits >> 4) != 0);
    }
    if (count) add_difference("texels", {}, {}, count);
  }
  void compare_lights(const Lights& was, const Lights& is) {
    for (size_t i = 0; i < was.directions.size(); ++i) {
      const auto color = [&](const Lights& l) { return format_triple(l.red[i].raw, l.green[i].raw, l.blue[i].raw); };
      const auto direction = [&](const Normal& n) { return format_triple(n.x.raw, n.y.raw, n.z.raw); };
      compare_number(text("light ", i + 1, " colour"), color(was), color(is));
      compare_number(text("light ", i + 1, " direction"), direction(was.directions[i]), direction(is.directions[i]));
    }
    compare_number("ambient", format_color(was.ambient), format_color(is.ambient));
    compare_number("top", format_color(was.top), format_color(is.top));
    compare_number("bottom", format_color(was.bottom), format_color(is.bottom));
  }
  void compare_terrain(const Terrain& was, const Terrain& is) {
    if (was.size_x != is.size_x || was.size_z != is.size_z)
      return add_difference("size", text(was.size_x, " x ", was.size_z), text(is.size_x, " x ", is.size_z));
    using T = TerrainTile;
    const auto field = [&](std::string_view name, auto member, const EnumNames* words = nullptr) {
      const auto said = [&](const T* t) {
        return words ? enum_name_or_number(*words, i64(t->*member)) : text(unsigned(t->*member));
      };
      for (u32 level = 0; level < Terrain::k_levels; ++level) {
        u64 count = 0;
        std::string first, from, to;
        for (u32 z = 0; z < was.size_z; ++z)
          for (u32 x = 0; x < was.size_x; ++x) {
            const T *a = Terrain::tile(was, level, x, z), *b = Terrain::tile(is, level, x, z);
            if (!a || !b || a->*member == b->*member) continue;
            if (count++) {
              if (said(a) != from || said(b) != to) from.clear(), to.clear();
            } else {
              first = text("tile ", x, ",", z, " ", name), from = said(a), to = said(b);
            }
          }
        const std::string where = level ? text(" of level ", level) : std::string();
        if (count) add_difference((count == 1 ? first : text(name, " of tiles")) + where, from, to, count);
      }
    };
    field("height", &T::height);
    field("depth", &T::depth);
    field("slope", &T::slope, &k_slopes);
    field("slope_height", &T::slope_height);
    field("surface", &T::surface, &k_surfaces);
    field("thickness", &T::thickness);
    field("pass_only", &T::pass_only);
    field("untargetable", &T::untargetable);
    field("absent", &T::absent);
    field("shading", &T::shading);
    field("cameras", &T::cameras);
    field("marks", &T::marks);
    field("unk_0", &T::unk_0);
    field("unk_1", &T::unk_1);
    field("unk_6", &T::unk_6);
  }
  void compare_texture_animations(const TextureAnimations& was, const TextureAnimations& is) {
    for (size_t i = 0; i < was.rows.size(); ++i) {
      const TextureAnimation &a = was.rows[i], &b = is.rows[i];
      if (a == b) continue;
      const std::string row = text("rows[", i, "]");
      const size_t before = out_.size();
      if (a.mode != b.mode)
        add_difference(row + ".mode", enum_name_or_number(k_texture_modes, a.mode),
                       enum_name_or_number(k_texture_modes, b.mode));
      const auto canvas = [](const TextureAnimation& t) {
        return text(t.canvas_x, ", ", t.canvas_y, ", ", t.width, " x ", t.height);
      };
      compare_number(row + ".canvas", canvas(a), canvas(b));
      compare_number(row + ".frame_x", a.frame_x, b.frame_x);
      compare_number(row + ".frame_y", a.frame_y, b.frame_y);
      compare_number(row + ".frame_count", a.frame_count, b.frame_count);
      compare_number(row + ".duration", a.duration, b.duration);
      if (out_.size() == before) add_difference(row);
    }
  }
  void compare_mesh_animations(const MeshAnimations& was, const MeshAnimations& is) {
    if (was.records.size() != is.records.size())
      return add_difference("records", text(was.records.size()), text(is.records.size()));
    for (size_t i = 0; i < was.records.size(); ++i) {
      const MeshAnimationRecord &a = was.records[i], &b = is.records[i];
      const std::string record = text("records[", i, "]");
      if (a.type != b.type || a.keyframes.size() != b.keyframes.size() || a.links.size() != b.links.size() ||
          a.states.size() != b.states.size()) {
        add_difference(record);
        continue;
      }
      compare_elements(record + ".keyframes", {}, a.keyframes, b.keyframes,
                       [](const Keyframe& x, const Keyframe& y) { return x != y; });
      compare_elements(record + ".states", {}, a.states, b.states,
                       [](const MeshState& x, const MeshState& y) { return x.meshes != y.meshes; });
      compare_elements(record + ".links", {}, a.links, b.links,
                       [](const MeshLink& x, const MeshLink& y) { return x != y; });
    }
  }

  const Parts &a_, &b_;
  size_t slot_ = 0;
  std::vector<Difference> out_;
};

}  // namespace

Parts collect_map_parts(const MergedMap& m) {
  Parts p;
  if (m.primary) p.geometry[0] = &*m.primary;
  for (size_t i = 0; i < k_animated_meshes; ++i)
    if (m.animated[i]) p.geometry[i + 1] = &*m.animated[i];
  p.palettes = {m.palettes, m.palette_frames, m.gray_palettes};
  p.pages = m.pages;
  p.lights = m.lights;
  p.terrain = m.terrain;
  p.texture_animations = m.texture_animations;
  p.mesh_animations = m.mesh_animations;
  return p;
}

Parts collect_map_parts(const ReadFile& f) {
  Parts p;
  const auto at = [](const auto& x) { return x ? &*x : nullptr; };
  if (f.mesh) {
    const Mesh& m = *f.mesh;
    p.geometry[0] = at(m.primary);
    for (size_t i = 0; i < k_animated_meshes; ++i) p.geometry[i + 1] = at(m.animated[i]);
    p.palettes = {at(m.palettes), at(m.palette_frames), at(m.gray_palettes)};
    for (size_t i = 0; i < k_pages; ++i) p.pages[i] = at(m.pages[i]);
    p.lights = at(m.lights);
    p.terrain = at(m.terrain);
    p.texture_animations = at(m.texture_animations);
    p.mesh_animations = at(m.mesh_animations);
  }
  if (f.texture)
    for (size_t i = 0; i < std::min<size_t>(k_pages, f.texture->pages.size()); ++i) p.pages[i] = &f.texture->pages[i];
  return p;
}

std::vector<Difference> compare(const Parts& was, const Parts& is) { return Comparison(was, is).run(); }

std::string to_string(const Difference& d) {
  std::string out = d.what;
  if (d.count > 1) out += text(" (", d.count, ")");
  if (!d.was.empty() || !d.is.empty()) out += text(out.empty() ? "" : " ", d.was, " -> ", d.is);
  return out;
}

}  // namespace dio::fft
