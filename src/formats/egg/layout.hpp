// layout.hpp: describes every structure of the light, fog, bloom and focus files once. Facts and their sources:
// README.md next to this file.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "formats/egg/enum_names.hpp"
#include "layout/sizer.hpp"
#include "layout/xyz.hpp"

namespace dio::egg {

using Vec3 = Xyz<f32>;

/// A colour with components from 0 to 255.
struct Color {
  u8 red, green, blue, alpha;
  static constexpr void layout(auto& v, auto& s) {
    v("red", s.red);
    v("green", s.green);
    v("blue", s.blue);
    v("alpha", s.alpha);
  }
};
struct Pair {
  f32 s, t;
  static constexpr void layout(auto& v, auto& x) {
    v("s", x.s);
    v("t", x.t);
  }
};
static_assert(FixedSize<Color> && wire_size<Color>(0) == 4);

inline constexpr Key k_size = Key("size").placement().unit("bytes");
inline constexpr Key k_version = Key("version");

// ---- BLIGHT: the lights of a course

inline constexpr u16 k_flag_on = 1, k_flag_follows = 2, k_flag_lit = 0x40;

/// LOBJ: a light.
struct Light {
  u32 size;
  u8 version;
  std::array<u8, 3> pad_09;
  u32 unk_0c;
  u8 spot_function, distance_function, space, type;
  u16 ambient, flags;
  Vec3 position, aim;
  f32 intensity;
  Color color, specular_color;
  f32 cutoff, reference_distance, reference_brightness;
  u32 unk_48;
  u16 follows, pad_4e;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("LOBJ");
    v(Key("size").doc("0x50").unit("bytes"), s.size);
    v(k_version, s.version);
    v("pad_09", s.pad_09);
    v("unk_0c", s.unk_0c);
    v(Key("spot_function").doc("how the light fades towards the edge of its cone").words(k_spot_functions),
      s.spot_function);
    v(Key("distance_function").doc("how the light fades with distance").words(k_distance_functions),
      s.distance_function);
    v(Key("space").doc("coordinate space of position and aim").words(k_spaces), s.space);
    v(Key("type").words(k_light_types), s.type);
    v(Key("ambient").doc("index of the ambient light where this light does not shine").words(k_index_into<"ambients">),
      s.ambient);
    v(Key("flags").words(k_light_flags), s.flags);
    v(Key("position").doc("for a directional light, only the direction from here to aim matters").unit("units"),
      s.position);
    v(Key("aim").doc("point that the light shines at").unit("units"), s.aim);
    v(Key("intensity").doc("factor of the color"), s.intensity);
    v("color", s.color);
    v("specular_color", s.specular_color);
    v(Key("cutoff").doc("angle of the light's cone").unit("degrees"), s.cutoff);
    v(Key("reference_distance").doc("distance at which the brightness is reference_brightness").unit("units"),
      s.reference_distance);
    v(Key("reference_brightness").doc("above 0, below 1"), s.reference_brightness);
    v("unk_48", s.unk_48);
    v(Key("follows")
          .doc("index of the light whose position and aim this one uses, if its flags say so")
          .words(follows_reference_words(v, s)),
      s.follows);
    v("pad_4e", s.pad_4e);
  }

 private:
  /// The field is a reference only if the flags say so.
  static constexpr const EnumNames& follows_reference_words(auto& v, const auto& s) {
    if (v.reading() && !v.growing()) return k_no_words;
    return s.flags & k_flag_follows ? k_index_into<"lights"> : k_no_words;
  }
};
static_assert(FixedSize<Light> && wire_size<Light>(0) == 0x50);

struct Ambient {
  Color color;
  u32 pad_04;
  static constexpr void layout(auto& v, auto& s) {
    v("color", s.color);
    v("pad_04", s.pad_04);
  }
};
static_assert(FixedSize<Ambient> && wire_size<Ambient>(0) == 8);

struct Blight {
  static constexpr std::endian k_order = std::endian::big;
  u32 size;
  u8 version;
  std::array<u8, 7> pad_09;
  Color background;
  std::array<u8, 16> pad_18;
  std::vector<Light> lights;
  std::vector<Ambient> ambients;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("LGHT");
    v(k_size, s.size);
    v(k_version, s.version);
    v("pad_09", s.pad_09);
    v.count(u16{}, "light_count", s.lights);
    v.count(u16{}, "ambient_count", s.ambients);
    v(Key("background").doc("color where no light shines"), s.background);
    v("pad_18", s.pad_18);
    v(Key("lights").doc("16 in Nintendo courses; collision files refer to the first 8"), s.lights);
    v("ambients", s.ambients);
    v.derive(s.size, v.total());
  }
};

// ---- BLMAP: the textures that lights draw

/// A gradient: how a light is drawn into the texture.
struct Gradient {
  f32 scale;
  u8 pattern;
  std::array<u8, 3> unk_05;  // leftover memory from when the file was written
  static constexpr void make_new(auto& s) { s.scale = 1; }
  static constexpr void layout(auto& v, auto& s) {
    v(Key("scale").doc("0 to 1: how far the light reaches"), s.scale);
    v(Key("pattern").doc("how the light fades across 64 columns").words(k_patterns), s.pattern);
    v("unk_05", s.unk_05);
  }
};
static_assert(FixedSize<Gradient> && wire_size<Gradient>(0) == 8);

/// LTEX: a texture.
struct LightTexture {
  u32 size;
  u8 version;
  std::array<u8, 7> pad_09;
  std::array<u8, 2> pad_12;
  std::string name;
  u8 base;
  std::array<u8, 3> pad_35;
  u32 lights;
  std::vector<Gradient> gradients;
  static constexpr u64 k_least_size = 0x3C;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("LTEX");
    v(k_size, s.size);
    v(k_version, s.version);
    v("pad_09", s.pad_09);
    v.count(u16{}, "gradient_count", s.gradients);
    v("pad_12", s.pad_12);
    v.text(32, Key("name").doc("name of the texture in models, such as lm_0"), s.name);
    v(Key("base").words(k_base_layers), s.base);
    v("pad_35", s.pad_35);
    v(Key("lights").doc("the lights that are drawn").words(k_drawn_lights), s.lights);
    v(Key("gradients").doc("one for each light"), s.gradients);
    v.derive(s.size, v.end() - start);
  }
};

struct Blmap {
  static constexpr std::endian k_order = std::endian::big;
  u32 size;
  u8 version;
  std::array<u8, 7> pad_09;
  std::array<u8, 14> pad_12;
  std::vector<LightTexture> textures;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("LMAP");
    v(k_size, s.size);
    v(k_version, s.version);
    v("pad_09", s.pad_09);
    v.count(u16{}, "texture_count", s.textures);
    v("pad_12", s.pad_12);
    v("textures", s.textures);
    v.derive(s.size, v.total());
  }
};

// ---- BFG: fog

struct Fog {
  u32 type;
  f32 start, end;
  Color color;
  u16 corrected, center;
  f32 fade_speed;
  u16 unk_18, unk_1a;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("type").doc("how the fog thickens between start and end").words(k_fog_types), s.type);
    v(Key("start").doc("distance from the camera where the fog starts").unit("units"), s.start);
    v(Key("end").doc("distance from the camera where the fog hides everything").unit("units"), s.end);
    v(Key("color").doc("alpha is not used"), s.color);
    v(Key("corrected").doc("1: equally thick across the screen, not thinner at the sides"), s.corrected);
    v(Key("center").doc("screen column around which the fog is corrected").unit("pixels"), s.center);
    v(Key("fade_speed").doc("how fast the game fades to this fog; 1: at once"), s.fade_speed);
    v("unk_18", s.unk_18);
    v("unk_1a", s.unk_1a);
  }
};
static_assert(FixedSize<Fog> && wire_size<Fog>(0) == 0x1C);
inline constexpr u64 k_fogs = 4;

struct Bfg {
  static constexpr std::endian k_order = std::endian::big;
  std::vector<Fog> fogs;
  static constexpr void layout(auto& v, auto& s) {
    v.upto([&] { return std::max<u64>(v.total() / wire_size<Fog>(0), 1); }, s.fogs);
    v(Key("fogs").doc("course areas of type 2 choose one of them"), s.fogs);
  }
};

// ---- BBLM: bloom

struct Blur {
  f32 radius, intensity;
  std::array<u8, 24> unk_08;
  static constexpr void layout(auto& v, auto& s) {
    v("radius", s.radius);
    v(Key("intensity").doc("0 to 1"), s.intensity);
    v("unk_08", s.unk_08);
  }
};
static_assert(FixedSize<Blur> && wire_size<Blur>(0) == 0x20);

struct Bblm {
  static constexpr std::endian k_order = std::endian::big;
  u32 size;
  u8 version;
  std::array<u8, 7> pad_09;
  f32 threshold;
  Color threshold_color, tint;
  u16 flags, unk_1e;
  Blur first_blur;
  std::array<Blur, 2> second_blur;
  u8 blend_mode, stages;
  std::array<u8, 26> unk_82;
  std::array<f32, 2> color_scale;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("PBLM");
    v(k_size, s.size);
    v(k_version, s.version);
    v("pad_09", s.pad_09);
    v(Key("threshold").doc("how bright a pixel must be to glow; multiplied with threshold_color"), s.threshold);
    v("threshold_color", s.threshold_color);
    v(Key("tint").doc("the color of the glow"), s.tint);
    v("flags", s.flags);
    v("unk_1e", s.unk_1e);
    v("first_blur", s.first_blur);
    v(Key("second_blur").doc("stages of the second blur"), s.second_blur);
    v(Key("blend_mode").doc("how the glow is blended with the picture"), s.blend_mode);
    v(Key("stages").doc("number of stages of the second blur; the file has settings for 2"), s.stages);
    v("unk_82", s.unk_82);
    v(Key("color_scale").doc("color scale of the blurs"), s.color_scale);
    v.derive(s.size, v.total());
  }
};

// ---- BDOF: depth of field

struct Bdof {
  static constexpr std::endian k_order = std::endian::big;
  u32 size;
  u8 version;
  std::array<u8, 7> pad_09;
  u16 flags;
  u8 inverse_alpha, alpha, draw_mode, taps, curve, unk_17;
  f32 focus_center, focus_range, unk_20, radius;
  Pair scroll, warp_scale, texture_scale;
  std::array<u8, 16> pad_40;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("PDOF");
    v(k_size, s.size);
    v(k_version, s.version);
    v("pad_09", s.pad_09);
    v(Key("flags").words(k_blur_filters), s.flags);
    v(Key("inverse_alpha").doc("strength of the blur on one side of the focus; 255: full"), s.inverse_alpha);
    v(Key("alpha").doc("strength of the blur on the other side of the focus"), s.alpha);
    v(Key("draw_mode").words(k_draw_modes), s.draw_mode);
    v(Key("taps").doc("number of picture copies that make up the blur").words(k_taps), s.taps);
    v(Key("curve").doc("how the blur grows with the distance from the focus"), s.curve);
    v("unk_17", s.unk_17);
    v(Key("focus_center").doc("distance of the focus from the camera").unit("units"), s.focus_center);
    v(Key("focus_range").unit("units"), s.focus_range);
    v("unk_20", s.unk_20);
    v(Key("radius").doc("radius of the blur"), s.radius);
    v(Key("scroll").doc("scroll speed of the warp texture").unit("1/frame"), s.scroll);
    v(Key("warp_scale").doc("how far the warp texture shifts the picture"), s.warp_scale);
    v(Key("texture_scale").doc("how often the warp texture repeats"), s.texture_scale);
    v("pad_40", s.pad_40);
    v.derive(s.size, v.total());
  }
};

}  // namespace dio::egg
