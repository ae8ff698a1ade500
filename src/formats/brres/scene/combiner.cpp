#include "formats/brres/scene/combiner.hpp"

#include <algorithm>

namespace dio::brres {

namespace {

using scene::Vec4;

u32 read_bytes(const Bytes& b, size_t at, size_t bytes) {
  u32 n = 0;
  for (size_t i = 0; i < bytes; ++i) n = n << 8 | b[at + i];
  return n;
}

/// A signed 11-bit number; 255 is 1.
f32 decode_color_component(u32 bits) {
  const i32 n = i32(bits & 0x7FF);
  return f32(n >= 0x400 ? n - 0x800 : n) / 255;
}

// inputs of colour stages
constexpr u32 k_texture_color = 8, k_texture_alpha = 9, k_raster_color = 10, k_raster_alpha = 11, k_one = 12,
              k_half = 13, k_constant = 14;
constexpr u32 k_none_channel = 7;

/// Combines the inputs a, b, c, d of a stage.
f32 evaluate_stage(u32 stage, f32 a, f32 b, f32 c, f32 d) {
  const u32 bias = stage >> 16 & 3;
  const bool subtracts = stage >> 18 & 1, clamps = stage >> 19 & 1;
  f32 x;
  if (bias == 3) {  // a comparison
    x = d + ((subtracts ? a == b : a > b) ? c : 0);
  } else {
    const f32 mixed = (1 - c) * a + c * b;
    constexpr f32 k_scales[] = {1, 2, 4, 0.5f}, k_biases[] = {0, 0.5f, -0.5f};
    x = (d + (subtracts ? -mixed : mixed) + k_biases[bias]) * k_scales[stage >> 20 & 3];
  }
  return clamps ? std::clamp(x, 0.0f, 1.0f) : std::clamp(x, -4.0f, 4.0f);
}

}  // namespace

void Combiner::run_commands(const Bytes& b) {
  for (size_t at = 0; at < b.size();) {
    const u8 code = b[at];
    if (code == 0) {
      ++at;
    } else if (code == 0x61 && b.size() - at >= 5) {
      const u8 address = b[at + 1];
      const u32 value = read_bytes(b, at + 2, 3);
      bp_[address] = value;
      if (address >= 0xE0 && address < 0xE8) {  // colours, in two halves
        Vec4& c = (value >> 23 ? constants_ : colors_)[size_t(address - 0xE0) / 2];
        const bool second = address & 1;
        c[second ? 2 : 0] = decode_color_component(value);
        c[second ? 1 : 3] = decode_color_component(value >> 12);
      }
      at += 5;
    } else if (code == 0x08 && b.size() - at >= 6) {
      at += 6;
    } else if (code == 0x10 && b.size() - at >= 5) {
      const size_t count = read_bytes(b, at + 1, 2) + 1, address = read_bytes(b, at + 3, 2);
      at += 5;
      if (b.size() - at < 4 * count) return;
      for (size_t i = 0; i < count; ++i, at += 4)
        if (address + i >= 0x1040 && address + i < 0x1048) texgens_[address + i - 0x1040] = read_bytes(b, at, 4);
    } else
      return;
  }
}

u32 Combiner::source_row(u32 coordinate) const {
  return coordinate < texgens_.size() && texgens_[coordinate] ? *texgens_[coordinate] >> 7 & 31 : 5 + coordinate;
}

void Combiner::decode_stages(u32 count) {
  for (u32 i = 0; i < std::min(count, 16u); ++i) {
    const auto order = bp_[0x28 + i / 2], color = bp_[0xC0 + 2 * i], alpha = bp_[0xC1 + 2 * i];
    if (!order || !color || !alpha) continue;
    const u32 half = *order >> (i % 2 ? 12 : 0), constants = bp_[0xF6 + i / 2].value_or(0);
    TevStage s{.map = half & 7,
               .coordinate = half >> 3 & 7,
               .channel = half >> 7 & 7,
               .color = *color,
               .alpha = *alpha,
               .constant_color = constants >> (i % 2 ? 14 : 4) & 31,
               .constant_alpha = constants >> (i % 2 ? 19 : 9) & 31,
               .has_texture = bool(half >> 6 & 1)};
    bool texture = false;
    for (u32 shift = 0; shift < 16; shift += 4) {
      const u32 input = s.color >> shift & 15;
      texture |= input == k_texture_color || input == k_texture_alpha;
      has_raster_ |= (input == k_raster_color || input == k_raster_alpha) && s.channel != k_none_channel;
    }
    if (texture && s.has_texture && is_of_vertices(s.coordinate) && (!map_ || s.map < *map_))
      map_ = s.map, coordinate_ = s.coordinate;
    stages_.push_back(s);
  }
}

Vec4 Combiner::stage_constant(const TevStage& s) const {
  const auto part = [&](u32 select) {
    return select < 8 ? f32(8 - select) / 8 : select < 16 ? 0 : constants_[select & 3][(select - 16) / 4];
  };
  Vec4 out{};
  for (size_t i = 0; i < 3; ++i)
    out[i] =
        s.constant_color >= 12 && s.constant_color < 16 ? constants_[s.constant_color & 3][i] : part(s.constant_color);
  out[3] = part(s.constant_alpha);
  return out;
}

Vec4 Combiner::color(const Vec4& vertex) const {
  if (stages_.empty()) return vertex;
  std::array<Vec4, 4> registers = colors_;
  for (const TevStage& s : stages_) {
    const Vec4& texel = textures_[s.map];
    const Vec4 raster = s.channel == k_none_channel ? Vec4{} : vertex, constant_color = stage_constant(s);
    Vec4 result{};
    for (size_t i = 0; i < 3; ++i) {
      const auto input = [&](u32 shift) -> f32 {
        const u32 from = s.color >> shift & 15;
        switch (from) {
          case k_texture_color:
            return texel[i];
          case k_texture_alpha:
            return texel[3];
          case k_raster_color:
            return raster[i];
          case k_raster_alpha:
            return raster[3];
          case k_one:
            return 1;
          case k_half:
            return 0.5f;
          case k_constant:
            return constant_color[i];
          default:
            return from < 8 ? registers[from / 2][from % 2 ? 3 : i] : 0;
        }
      };
      result[i] = evaluate_stage(s.color, input(12), input(8), input(4), input(0));
    }
    const auto input = [&](u32 shift) -> f32 {
      const u32 from = s.alpha >> shift & 7;
      switch (from) {
        case 4:
          return texel[3];
        case 5:
          return raster[3];
        case 6:
          return constant_color[3];
        default:
          return from < 4 ? registers[from][3] : 0;
      }
    };
    result[3] = evaluate_stage(s.alpha, input(13), input(10), input(7), input(4));
    Vec4& color = registers[s.color >> 22 & 3];
    for (size_t i = 0; i < 3; ++i) color[i] = result[i];
    registers[s.alpha >> 22 & 3][3] = result[3];
  }
  Vec4 out = registers[0];
  for (f32& x : out) x = std::clamp(x, 0.0f, 1.0f);
  return out;
}

}  // namespace dio::brres
