// area_light.hpp: the light of an area by the time of day: a text file.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "layout/field_types.hpp"

namespace dio::platinum {

/// Seconds in a unit of `LightBlock::end_time`.
inline constexpr i32 k_seconds_per_light_time = 2;
inline constexpr i32 k_light_times_per_day = 43200;

/// A colour with channels of 0 to 31.
struct LightColor {
  i32 red, green, blue;
  static constexpr void layout(auto& v, auto& s) {
    v.decimal("red", s.red, ",");
    v.decimal("green", s.green, ",");
    v.decimal("blue", s.blue, ",\r\n");
  }
};

/// One of the four lights of the DS. The vector is the direction the light travels in, in 1/4096.
struct LightLine {
  i32 enabled;
  i32 red, green, blue;
  i32 x, y, z;
  static constexpr void layout(auto& v, auto& s) {
    v.decimal(Key("enabled").doc("1: the light is on"), s.enabled, ",");
    v.decimal("red", s.red, ",");
    v.decimal("green", s.green, ",");
    v.decimal("blue", s.blue, ",");
    v.decimal(Key("x").unit("/4096"), s.x, ",");
    v.decimal(Key("y").unit("/4096"), s.y, ",");
    v.decimal(Key("z").unit("/4096"), s.z, ",\r\n");
  }
};

/// The light that applies until a time of day.
struct LightBlock {
  i32 end_time;
  std::array<LightLine, 4> lights;
  LightColor diffuse, ambient, specular, emission;
  static constexpr u64 k_least_size = 76;  // 9 lines of zeros and an empty one
  static constexpr void layout(auto& v, auto& s) {
    v.decimal(Key("end_time").unit("x 2 s").doc("the light applies until this time of day"), s.end_time, ",\r\n");
    v("lights", s.lights);
    v("diffuse", s.diffuse);
    v("ambient", s.ambient);
    v("specular", s.specular);
    v("emission", s.emission);
    v.magic("\r\n");
  }
};

struct LightBlocks {
  std::vector<LightBlock> blocks;
  std::string ending;  // CR LF or nothing
  static constexpr void layout(auto& v, auto& s) {
    v.until("blocks", s.blocks, [&](const LightBlock&) {
      const u8 next = v.template peek<u8>();  // 0: the file ends, or this is not reading
      return next == 'E' || next == 0;
    });
    v.magic("EOF");
    v.upto([&] { return v.total() - v.here(); }, s.ending);
    v(Key("ending").doc("the text after EOF"), s.ending);
  }
};

/// An area light file. Text in any other form is kept as raw bytes.
struct AreaLight {
  static constexpr std::endian k_order = std::endian::little;
  std::optional<LightBlocks> light;
  std::optional<Bytes> raw;
  static constexpr void layout(auto& v, auto& s) {
    v.or_raw("light", s.light, true, AtCursor{}, s.raw, [&] { return v.total() - v.here(); });
  }
};

}  // namespace dio::platinum
