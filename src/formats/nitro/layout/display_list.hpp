// display_list.hpp: commands for the DS's geometry engine, packed four to a word. Specification: README.md, "Display
// lists".
#pragma once
#include <array>
#include <vector>

#include "core/little_endian.hpp"
#include "layout/field_types.hpp"

namespace dio::nitro {

/// Commands of the geometry engine. Models use only the commands named here; for the others, only the size matters.
namespace gx {
enum Code : u8 {
  nop = 0x00,
  mtx_restore = 0x14,
  mtx_scale = 0x1B,
  color = 0x20,
  normal = 0x21,
  texcoord = 0x22,
  vtx_16 = 0x23,
  vtx_10 = 0x24,
  vtx_xy = 0x25,
  vtx_xz = 0x26,
  vtx_yz = 0x27,
  vtx_diff = 0x28,
  begin = 0x40,
  end = 0x41,
};
}
inline constexpr int k_no_command = -1;
/// The number of parameter words of a command; k_no_command if the command does not exist.
inline constexpr std::array<i8, 256> k_gx_words = [] {
  std::array<i8, 256> words{};
  words.fill(k_no_command);
  for (const u8 code : {0x00, 0x11, 0x15, 0x41}) words[code] = 0;  // NOP, MTX_PUSH, MTX_IDENTITY, END_VTXS
  words[0x16] = words[0x18] = 16;                                  // 4x4 matrices
  words[0x17] = words[0x19] = 12;                                  // 4x3 matrices
  words[0x1A] = 9;                                                 // 3x3 matrix
  words[0x1B] = words[0x1C] = words[0x70] = 3;                     // MTX_SCALE, MTX_TRANS, BOX_TEST
  words[0x23] = words[0x71] = 2;                                   // VTX_16, POS_TEST
  words[0x34] = 32;                                                // SHININESS
  for (const u8 code : {0x10, 0x12, 0x13, 0x14, 0x20, 0x21, 0x22, 0x24, 0x25, 0x26, 0x27, 0x28,
                        0x29, 0x2A, 0x2B, 0x30, 0x31, 0x32, 0x33, 0x40, 0x50, 0x60, 0x72})
    words[code] = 1;
  return words;
}();
constexpr int gx_parameter_count(u8 code) { return k_gx_words[code]; }

/// The cycles of a command, from GBATEK, "DS 3D Geometry Commands". For NORMAL with one light; each further light adds
/// a cycle.
constexpr u32 gx_cycles(u8 code) {
  switch (code) {
    case 0x11:  // MTX_PUSH
    case 0x13:  // MTX_STORE
      return 17;
    case 0x12:  // MTX_POP
    case 0x14:  // MTX_RESTORE
      return 36;
    case 0x15:  // MTX_IDENTITY
      return 19;
    case 0x16:  // MTX_LOAD_4x4
      return 34;
    case 0x17:  // MTX_LOAD_4x3
      return 30;
    case 0x18:  // MTX_MULT_4x4
      return 35;
    case 0x19:  // MTX_MULT_4x3
      return 31;
    case 0x1A:  // MTX_MULT_3x3
      return 28;
    case 0x1B:  // MTX_SCALE
    case 0x1C:  // MTX_TRANS
      return 22;
    case 0x21:  // NORMAL
    case 0x23:  // VTX_16
    case 0x71:  // POS_TEST
      return 9;
    case 0x24:  // the other vertices
    case 0x25:
    case 0x26:
    case 0x27:
    case 0x28:
      return 8;
    case 0x30:  // DIF_AMB
    case 0x31:  // SPE_EMI
      return 4;
    case 0x32:  // LIGHT_VECTOR
      return 6;
    case 0x34:  // SHININESS
      return 32;
    case 0x50:  // SWAP_BUFFERS
      return 392;
    case 0x70:  // BOX_TEST
      return 103;
    case 0x72:  // VEC_TEST
      return 5;
    default:
      return code && gx_parameter_count(code) >= 0 ? 1 : 0;
  }
}

inline constexpr EnumName k_gx_code_words[] = {{0x00, "nop"},
                                               {0x10, "mtx_mode"},
                                               {0x11, "mtx_push"},
                                               {0x12, "mtx_pop"},
                                               {0x13, "mtx_store"},
                                               {0x14, "mtx_restore"},
                                               {0x15, "mtx_identity"},
                                               {0x16, "mtx_load_4x4"},
                                               {0x17, "mtx_load_4x3"},
                                               {0x18, "mtx_mult_4x4"},
                                               {0x19, "mtx_mult_4x3"},
                                               {0x1A, "mtx_mult_3x3"},
                                               {0x1B, "mtx_scale"},
                                               {0x1C, "mtx_trans"},
                                               {0x20, "color"},
                                               {0x21, "normal"},
                                               {0x22, "texcoord"},
                                               {0x23, "vtx_16"},
                                               {0x24, "vtx_10"},
                                               {0x25, "vtx_xy"},
                                               {0x26, "vtx_xz"},
                                               {0x27, "vtx_yz"},
                                               {0x28, "vtx_diff"},
                                               {0x29, "polygon_attr"},
                                               {0x2A, "teximage_param"},
                                               {0x2B, "pltt_base"},
                                               {0x30, "dif_amb"},
                                               {0x31, "spe_emi"},
                                               {0x32, "light_vector"},
                                               {0x33, "light_color"},
                                               {0x34, "shininess"},
                                               {0x40, "begin"},
                                               {0x41, "end"},
                                               {0x50, "swap_buffers"},
                                               {0x60, "viewport"},
                                               {0x70, "box_test"},
                                               {0x71, "pos_test"},
                                               {0x72, "vec_test"}};
inline constexpr EnumNames k_gx_codes{k_gx_code_words};
inline constexpr EnumName k_gx_begin_words[] = {
    {0, "triangles"}, {1, "quads"}, {2, "triangle_strip"}, {3, "quad_strip"}};
inline constexpr EnumNames k_gx_begins{k_gx_begin_words};

using Texel = FixedPoint<i16, 4>;  // sixteenths of a texel

/// A command and its parameters.
struct GxCommand {
  u8 code;
  u8 red, green, blue;  // color
  i16 x, y, z;          // normal, vtx_10, vtx_diff: 10 bits
  fx16 fx, fy, fz;      // vtx_16, vtx_xy, vtx_xz, vtx_yz
  Texel s, t;           // texcoord
  u32 word;             // begin, mtx_restore: the number
  std::array<fx32, 3> scale;
  u16 pad;
  std::vector<u32> words;  // parameters of any other command
  static constexpr u64 k_least_size = 1;
  static constexpr void parameters(auto& v, auto& c) {
    constexpr Key x = Key("x").unit("model units"), y = Key("y").unit("model units"), z = Key("z").unit("model units");
    const auto ten_bits = [&] {
      v.bits(u32{}, bit<2>(Key("unused_30"), c.pad), bit<10>("z", c.z), bit<10>("y", c.y), bit<10>("x", c.x));
    };
    switch (c.code) {
      case gx::color:
        return v.bits(u32{}, bit<17>("unused_15", c.word), bit<5>("blue", c.blue), bit<5>("green", c.green),
                      bit<5>("red", c.red));
      case gx::normal:
      case gx::vtx_10:
      case gx::vtx_diff:
        return ten_bits();
      case gx::texcoord:
        v(Key("s").unit("texels"), c.s);
        return v(Key("t").unit("texels"), c.t);
      case gx::vtx_16:
        v(x, c.fx);
        v(y, c.fy);
        v(z, c.fz);
        return v("pad", c.pad);
      case gx::vtx_xy:
        v(x, c.fx);
        return v(y, c.fy);
      case gx::vtx_xz:
        v(x, c.fx);
        return v(z, c.fz);
      case gx::vtx_yz:
        v(y, c.fy);
        return v(z, c.fz);
      case gx::mtx_restore:
        return v("slot", c.word);
      case gx::begin:
        return v(Key("primitive").words(k_gx_begins), c.word);
      case gx::mtx_scale:
        return v("scale", c.scale);
      default:
        if (const int n = gx_parameter_count(c.code); n > 0) {
          v.implied(u64(n), c.words);
          v("words", c.words);
        }
    }
  }
};

/// Up to four commands in a word, then their parameters.
struct GxPacket {
  std::vector<GxCommand> commands;
  static constexpr u64 k_least_size = 4;
  static constexpr void layout(auto& v, auto& s) {
    v.implied(4, s.commands);
    v.each("commands", s.commands, [&](auto& c) {
      v(Key("code").words(k_gx_codes), c.code);
      v.require(gx_parameter_count(c.code) != k_no_command, "a geometry engine command");
    });
    v.each("commands", s.commands, [&](auto& c) { GxCommand::parameters(v, c); });
  }
};

struct DisplayList {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<GxPacket> packets;
  static constexpr void layout(auto& v, auto& s) {
    v.until("packets", s.packets, [&](auto&) { return v.here() >= v.total(); });
  }
  /// Packs the commands like the game developers' tools: without NOPs, four per word, and with a zero word after a word
  /// whose last command has no parameters (END_VTXS).
  void pack();
  /// Packs the list if a packet of an edited document does not have four commands.
  void settle();
};

/// Calls f(code, parameters) for each command, including NOPs, as far as the list can be read; false if it ends inside
/// a command or has an unknown one. `parameters` points to words that may be unaligned.
template <class F>
bool for_each_gx_command(ByteView list, F&& f) {
  const u8* p = list.data();
  const u8* const last = p + list.size();
  while (last - p >= 4) {
    const u8* const codes = p;
    p += 4;
    for (int i = 0; i < 4; ++i) {
      const int words = gx_parameter_count(codes[i]);
      if (words < 0 || last - p < 4 * words) return false;
      f(codes[i], p);
      p += 4 * words;
    }
  }
  return p == last;
}
constexpr u32 gx_read_word(const u8* p) { return read_u32_le(p); }
/// A signed 10-bit field of a parameter.
constexpr i32 gx_signed_10_bits(u32 word, int at) { return i32(word << (22 - at)) >> 22; }

/// Packs a list given as bytes; empty if the list cannot be read.
Bytes repack_display_list(ByteView list);

}  // namespace dio::nitro
