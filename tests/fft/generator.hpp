// generator.hpp: map files no tool would make: parts in any order, with anything between them, over each other or
// missing; numbers at and beyond the limits; any bits. The same seed gives the same file.
#pragma once
#include <algorithm>
#include <random>

#include "layout/reader.hpp"
#include "samples/fft/maps.hpp"

namespace dio::test {

class FftGenerator {
 public:
  explicit FftGenerator(u64 seed) : rng_(seed) {}

  /// What was put into a file: so that a test can see that nothing was left out.
  struct Oddities {
    bool page = false, wide_terrain = false, fill = false, shuffled = false, shared = false, overlapping = false,
         unknown_slope = false, at_limits = false, beyond_slots = false, no_geometry = false, tail = false,
         reserved = false;
  };
  Oddities odd;

  /// A mesh file laid out as no editor would, and the document it was made from.
  Bytes mesh_file() {
    const fft::Mesh m = mesh();
    const Bytes placed = bytes_of(m);
    if (one_in(3)) return placed;
    return laid_out_anew(placed);
  }

  fft::Mesh mesh() {
    fft::Mesh m{};
    odd.no_geometry = one_in(4);
    if (!odd.no_geometry) m.primary = geometry(true);
    if (one_in(2)) m.palettes = any_record<fft::Palettes>();
    for (auto& page : m.pages)
      if (one_in(16)) page.emplace().texels = bytes(fft::k_page_size), odd.page = true;
    if (!one_in(3)) m.lights = any_record<fft::Lights>();
    if (one_in(2)) m.terrain = terrain();
    if (one_in(3)) m.texture_animations = texture_animations();
    if (one_in(3)) m.palette_frames = any_record<fft::Palettes>();
    if (one_in(3)) m.gray_palettes = any_record<fft::Palettes>();
    if (one_in(3)) m.mesh_animations = mesh_animations();
    for (auto& g : m.animated)
      if (one_in(5)) g = geometry(false);
    if (one_in(2)) {
      m.render_properties.emplace().head = bytes(fft::RenderProperties::k_head_size);
      m.settle();
      for (auto* unused :
           {&m.render_properties->unused_textured_triangles, &m.render_properties->unused_textured_quads,
            &m.render_properties->unused_untextured_triangles, &m.render_properties->unused_untextured_quads})
        for (fft::RenderWord& w : *unused)
          if (one_in(20)) w = any_record<fft::RenderWord>();
    }
    return m;
  }

  /// Rows of any kind, command rows of 0x14 and 0x1C bytes (and other lengths), bytes behind the end.
  Bytes gns_file() {
    fft::Gns g{};
    g.rows.resize(1 + below(40));
    for (fft::GnsRow& r : g.rows) {
      r = any_record<fft::GnsRow>();
      r.type &= 0x7F;
      if (one_in(2)) r.mark = fft::k_row_mark, r.end = fft::k_row_end, r.variable = 0x22, r.comparison = 1;
    }
    g.rows.back().type |= fft::k_first_command;
    g.commands.resize(below(6));
    for (fft::GnsCommand& c : g.commands) {
      const size_t payload = one_in(3) ? below(200) : one_in(2) ? 16 : 8;
      c = {any<u16>(),
           any_record<fft::StateWord>(),
           any<u8>(),
           u8(1 + below(255)),
           any<u16>(),
           u8(fft::GnsCommand::k_head_size + payload),
           {any<u8>(), any<u8>(), any<u8>()},
           bytes(payload)};
    }
    g.commands.push_back({});
    g.commands.back().variable = any<u16>();
    g.commands.back().mark = any<u16>();
    Bytes file = bytes_of(g);
    if (one_in(3)) {
      const Bytes more = bytes(below(64));
      file.insert(file.end(), more.begin(), more.end());
    }
    return file;
  }

 private:
  std::mt19937_64 rng_;

  u32 below(u64 n) { return u32(n ? rng_() % n : 0); }
  bool one_in(u32 n) { return below(n) == 0; }
  template <class T>
  T any() {
    return T(rng_());
  }
  Bytes bytes(u64 n) {
    Bytes b(static_cast<size_t>(n));
    for (u8& x : b) x = one_in(4) ? 0 : any<u8>();
    return b;
  }
  /// A record of fixed size, read from bytes at random.
  template <class T>
  T any_record() {
    const Bytes b = bytes(wire_size<T>());
    Reader r(b, std::endian::little);
    T x{};
    r("", x);
    return x;
  }

  /// How many polygons of a kind: few, none, as many as the greatest map has, as the game can hold, or more than there
  /// are slots for in the table of render properties.
  size_t count(size_t most_seen, size_t most_held, size_t slots) {
    switch (below(12)) {
      case 0:
        return odd.at_limits = true, most_seen;
      case 1:
        return odd.at_limits = true, most_held;
      case 2:
        return odd.beyond_slots = true, slots + 1 + below(3);
      default:
        return below(6);
    }
  }
  fft::Geometry geometry(bool large) {
    fft::Geometry g{};
    const bool limits = large && one_in(4);
    g.textured_triangles.resize(limits ? count(350, 360, 512) : below(5));
    g.textured_quads.resize(limits ? count(683, 710, 768) : below(5));
    g.untextured_triangles.resize(limits ? count(58, 64, 64) : below(3));
    g.untextured_quads.resize(limits ? count(241, 256, 256) : below(3));
    const auto textured = [&](auto& polygons) {
      for (auto& p : polygons) {
        for (auto& position : p.positions) position = any_record<fft::Position>();
        for (auto& normal : p.normals) normal = any_record<fft::Normal>();
        for (auto& uv : p.uvs) uv = any_record<fft::Uv>();
        p.clut_unk_15 = u8(below(2)), p.clut_y = u16(below(512)), p.palette = u8(below(64));
        p.page_unk_9 = u8(below(128)), p.color_depth = u8(below(4)), p.blend = u8(below(4)), p.page_y = u8(below(2));
        p.image = u8(below(4)), p.page = u8(below(4));
        p.tile = any_record<fft::TileBinding>();
        p.render = any_record<fft::RenderWord>();
      }
    };
    textured(g.textured_triangles);
    textured(g.textured_quads);
    const auto untextured = [&](auto& polygons) {
      for (auto& p : polygons) {
        for (auto& position : p.positions) position = any_record<fft::Position>();
        p.unread = {any<u8>(), any<u8>(), any<u8>(), any<u8>()};
        p.render = any_record<fft::RenderWord>();
      }
    };
    untextured(g.untextured_triangles);
    untextured(g.untextured_quads);
    return g;
  }

  fft::Terrain terrain() {
    fft::Terrain t = any_record<fft::Terrain>();
    odd.unknown_slope = true;  // any bits
    if (one_in(3))
      t.size_x = 17, t.size_z = 16, odd.wide_terrain = true;
    else if (one_in(2))
      t.size_x = u8(1 + below(16)), t.size_z = u8(1 + below(16));
    return t;
  }
  fft::TextureAnimations texture_animations() {
    fft::TextureAnimations t{};
    for (fft::TextureAnimation& row : t.rows) {
      if (one_in(2)) continue;
      row = any_record<fft::TextureAnimation>();
      if (one_in(2)) row.mode = u8(below(0x20));
    }
    return t;
  }
  fft::MeshAnimations mesh_animations() {
    using Record = fft::MeshAnimationRecord;
    fft::MeshAnimations m{};
    m.records.resize(one_in(2) ? 3 : below(5));
    for (Record& r : m.records) {
      r.type = 1 + below(3);
      r.count = any<u32>();
      if (r.type == Record::keyframe) r.keyframes.resize(one_in(3) ? 128 : below(5));
      if (r.type == Record::state) r.states.resize(Record::k_states);
      if (r.type == Record::link) r.links.resize(one_in(2) ? 64 : below(10));
      for (auto& k : r.keyframes) k = any_record<fft::Keyframe>();
      for (auto& s : r.states) s = any_record<fft::MeshState>();
      for (auto& l : r.links) l = any_record<fft::MeshLink>();
    }
    m.records.push_back({});
    return m;
  }

  /// The parts of a file in another order, with other bytes between them, on the same place where two are the same, one
  /// over another, and slots of no meaning filled.
  Bytes laid_out_anew(const Bytes& file) {
    struct Part {
      size_t slot, from, to;
    };
    std::vector<Part> parts;
    const auto slot_at = [](const Bytes& b, size_t slot) {
      u32 x = 0;
      for (size_t i = 0; i < 4; ++i) x |= u32(b[4 * slot + i]) << 8 * i;
      return x;
    };
    for (size_t slot = 0; slot < fft::k_slots; ++slot)
      if (const u32 at = slot_at(file, slot)) parts.push_back({slot, at, file.size()});
    for (size_t i = 0; i + 1 < parts.size(); ++i) parts[i].to = parts[i + 1].from;  // with the fill behind it
    if (one_in(2)) std::shuffle(parts.begin(), parts.end(), rng_), odd.shuffled = true;
    Bytes out(file.begin(), file.begin() + fft::k_mesh_header);
    const auto set_slot = [&](size_t slot, size_t at) {
      for (size_t i = 0; i < 4; ++i) out[4 * slot + i] = u8(at >> 8 * i);
    };
    for (const Part& p : parts) {
      if (one_in(3)) {
        const Bytes fill = bytes(1 + below(9));
        out.insert(out.end(), fill.begin(), fill.end());
        odd.fill = true;
      }
      set_slot(p.slot, out.size());
      out.insert(out.end(), file.begin() + std::ptrdiff_t(p.from), file.begin() + std::ptrdiff_t(p.to));
    }
    if (one_in(4)) {  // the same palettes for two
      const u32 at = slot_at(out, fft::Mesh::k_palettes_slot);
      if (at) set_slot(fft::Mesh::k_gray_palettes_slot, at), odd.shared = true;
    }
    if (one_in(4)) {  // palettes that begin within the terrain
      const u32 at = slot_at(out, fft::Mesh::k_terrain_slot);
      if (at) set_slot(fft::Mesh::k_palette_frames_slot, at + below(3000)), odd.overlapping = true;
    }
    if (one_in(6)) set_slot(one_in(2) ? 0x12 : below(0x10), below(2) ? any<u32>() : 4), odd.reserved = true;
    if (one_in(4)) {
      const Bytes tail = bytes(1 + below(40));
      out.insert(out.end(), tail.begin(), tail.end());
      odd.tail = true;
    }
    return out;
  }
};

}  // namespace dio::test
