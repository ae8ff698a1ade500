// settle.cpp: derives the dependent values of an edited file before it is placed; also its canonical layout.
#include <cmath>

#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::nitro {

static void settle(Textures& t) {
  bool four = false;
  for (Palette& p : t.palettes) {
    // Palettes start and end at multiples of 16 bytes; an empty palette would share the colours of the next one.
    p.colors.resize(std::max<size_t>(1, (p.colors.size() + 7) / 8) * 8);
    four |= p.four_colors & 1;
  }
  t.flag_32 = u16((t.flag_32 & 0x7FFF) | (four ? 0x8000 : 0));
}

static void settle(Model& m) {
  ShapeFacts sum;
  for (Shape& s : m.shapes) {
    const ShapeFacts f = analyze_display_list(s.list);
    s.has_normal = f.has_normal, s.has_color = f.has_color;
    s.has_texcoord = f.has_texcoord, s.has_matrix = f.has_matrix;
    sum += f;
  }
  m.vertex_count = u16(std::min<u64>(sum.vertices, 0xFFFF));
  m.triangle_count = u16(std::min<u64>(sum.triangles, 0xFFFF));
  m.quad_count = u16(std::min<u64>(sum.quads, 0xFFFF));
  m.polygon_count = u16(std::min<u64>(sum.triangles + sum.quads, 0xFFFF));
  m.first_unused_slot = first_unused_slot(m.sbc);
  if (m.pos_scale.raw > 0) m.inverse_pos_scale.raw = i32(std::lround(f64(1 << 24) / m.pos_scale.raw));
}

void Nsbmd::settle() {
  for (Model& m : models) nitro::settle(m);
  if (textures) nitro::settle(*textures);
}

void Nsbmd::normalise() {
  const auto pack = [](Bytes& list) {
    if (Bytes packed = repack_display_list(list); !packed.empty()) list = std::move(packed);
  };
  for (Model& m : models) {
    for (Shape& s : m.shapes) pack(s.list);
    for (SbcCommand& c : m.sbc) pack(c.list);
  }
}

void Nsbtx::settle() { nitro::settle(textures); }

void Nsbtp::settle() {
  for (PatternAnimation& a : animations)
    for (PatternTrack& m : a.materials)
      if (a.frames) m.ratio.raw = i16(m.keys.size() * 4096 / a.frames);
}

void Nsbta::normalise() {
  for (TextureAnimation& a : animations)
    for (TextureTrack& m : a.materials) {
      for (TextureChannel* c : {&m.scale_s, &m.scale_t, &m.translation_s, &m.translation_t}) {
        if (!c->constant) continue;
        if (c->narrow)
          c->narrow_copy = u16(c->data);
        else
          c->copy = c->data;
      }
      if (m.rotation.constant) m.rotation.copy = m.rotation.data;
    }
}

}  // namespace dio::nitro
