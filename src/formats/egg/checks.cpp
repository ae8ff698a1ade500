// checks.cpp: what the game would trip over.
#include <cmath>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/egg/parts.hpp"

namespace dio::egg {

namespace {

constexpr size_t k_lights = 16, k_gradients = 32;
constexpr u16 k_flag_cutoff = 0x80;
constexpr u8 k_point = 0;
constexpr u8 k_most_stages = 2;

/// A file under check.
struct Check : Reporter {
  using Reporter::Reporter;

  void size(u64 size) {
    if (const u64 all = findings.file_size; all && size != all)
      report("egg.size", "size", {.message = text("the size is ", size, "; the file has ", all, " bytes")});
  }
  void check_version(std::string path, u8 is, u8 low, u8 high) {
    if (is < low || is > high)
      report("egg.version", std::move(path), {.message = text("the version is ", is, ", not ", high)});
  }
  void check_word(std::string path, const EnumNames& words, u64 n) {
    if (words.of(i64(n)).empty())
      report("egg.word", std::move(path), {.message = text("the value ", n, " is unknown")});
  }
  void check_number(std::string path, f32 x) {
    if (!std::isfinite(x)) report("egg.number", std::move(path), {.message = "this is no number"});
  }
  void check_point(const std::string& path, const Vec3& p) {
    check_number(path + ".x", p.x), check_number(path + ".y", p.y), check_number(path + ".z", p.z);
  }
};

std::string element(std::string_view list, size_t i) { return text(list, "[", i, "]"); }

void check_light(Check& c, const Blight& b, size_t i) {
  const Light& l = b.lights[i];
  const std::string path = element("lights", i);
  c.check_version(path + ".version", l.version, 1, 2);
  c.check_word(path + ".spot_function", k_spot_functions, l.spot_function);
  c.check_word(path + ".distance_function", k_distance_functions, l.distance_function);
  c.check_word(path + ".space", k_spaces, l.space);
  c.check_word(path + ".type", k_light_types, l.type);
  c.check_point(path + ".position", l.position);
  c.check_point(path + ".aim", l.aim);
  c.check_number(path + ".intensity", l.intensity);
  c.check_number(path + ".cutoff", l.cutoff);
  const bool follows = l.flags & k_flag_follows;
  if (follows && l.follows == i)
    c.report("egg.follows-itself", path + ".follows", {.message = text("light ", i, " follows itself")});
  if (!(l.flags & k_flag_on)) return;
  if (!follows && l.type != k_point && l.position == l.aim)
    c.report("egg.direction", path + ".aim", {.message = text("light ", i, " shines at where it is")});
  if (l.distance_function &&
      (!(l.reference_distance > 0) || !(l.reference_brightness > 0 && l.reference_brightness < 1)))
    c.report("egg.distance", path + ".reference_brightness",
             {.message = text("a brightness of ", l.reference_brightness, " at ", l.reference_distance, " units")});
  if (l.spot_function && (l.flags & k_flag_cutoff) && !(l.cutoff > 0 && l.cutoff <= 90))
    c.report("egg.cutoff", path + ".cutoff", {.message = text("the angle is ", l.cutoff, " degrees")});
}

}  // namespace

std::span<const Rule> rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"egg.size", warning, "the size in the header is that of the file", "Tools that go by it refuse the file.",
       "Write the file again: dio decode, then dio encode.", "RiiStudio"},
      {"egg.version", warning, "the version is one that courses have",
       "The game may read other versions in another way; tools refuse them.", "Set the version of the other files.",
       "RiiStudio"},
      {"egg.word", warning, "types, functions and patterns are known ones",
       "The game takes the value without looking, and does nothing or anything.", "Set one that `dio explain` lists.",
       "RiiStudio"},
      {"egg.number", error, "all numbers are finite", "What is computed from them is not drawn.",
       "Set the number again.", "layout"},
      {"egg.lights", hint, "there are 16 lights and 16 ambients", "All courses of Nintendo have so many.",
       "Add lights that are off.", "Custom Mario Kart Wiiki; real files"},
      {"egg.follows-itself", warning, "no light follows itself", "It has neither a position nor an aim.",
       "Set follows to another light, or clear the flag.", "RiiStudio"},
      {"egg.direction", warning, "a light with a direction shines at another place than its own",
       "It has no direction.", "Move position or aim.", "RiiStudio"},
      {"egg.distance", warning,
       "where a light fades with the distance, its reference is above 0 units and between 0 and 1",
       "The console does not fade the light then.", "Set reference_distance and reference_brightness, or turn it off.",
       "GX"},
      {"egg.cutoff", warning, "the angle of a cone is above 0, and 90 degrees at most",
       "The console takes the light for one without a cone.", "Set cutoff.", "GX"},
      {"egg.gradients", warning, "a light texture has 32 gradients", "Tools refuse another size.", "Add gradients.",
       "RiiStudio"},
      {"egg.texture-name", warning, "names of light textures start with lm_, and are different",
       "The game looks for textures of these names in models, and takes the first.", "Rename the texture.",
       "Custom Mario Kart Wiiki"},
      {"egg.scale", hint, "scales of gradients are 0 to 1", "The game draws nothing else.", "Set the scale.",
       "Custom Mario Kart Wiiki"},
      {"egg.fogs", error, "there are four fogs", "The game reads four.", "Add fogs of type none.", "RiiStudio"},
      {"egg.fog-order", warning, "a fog starts before it ends", "The console refuses it.", "Swap start and end.", "GX"},
      {"egg.stages", warning, "the second blur has at most two stages",
       "There are numbers for two; the game takes what lies behind them for others.", "Set stages to 2.",
       "Custom Mario Kart Wiiki"},
  };
  return k_rules;
}

void check(const Blight& b, Findings& f) {
  Check c(f);
  c.size(b.size);
  c.check_version("version", b.version, 2, 2);
  if (b.lights.size() != k_lights || b.ambients.size() != k_lights)
    c.report("egg.lights", b.lights.size() != k_lights ? "light_count" : "ambient_count",
             {.message = text(b.lights.size(), " lights and ", b.ambients.size(), " ambients")});
  for (size_t i = 0; i < b.lights.size(); ++i) check_light(c, b, i);
}

void check(const Blmap& b, Findings& f) {
  Check c(f);
  c.size(b.size);
  c.check_version("version", b.version, 0, 0);
  for (size_t i = 0; i < b.textures.size(); ++i) {
    const LightTexture& t = b.textures[i];
    const std::string path = element("textures", i);
    c.check_version(path + ".version", t.version, 0, 0);
    c.check_word(path + ".base", k_base_layers, t.base);
    const bool is_second = std::ranges::find(b.textures, t.name, &LightTexture::name) != b.textures.begin() + i64(i);
    if (!t.name.starts_with("lm_") || is_second)
      c.report("egg.texture-name", path + ".name",
               {.message = text("the name is \"", escape_control_chars(t.name),
                                is_second ? "\", as that of an earlier one" : "\"")});
    if (t.gradients.size() != k_gradients)
      c.report("egg.gradients", path + ".gradient_count", {.message = text(t.gradients.size(), " gradients")});
    for (size_t n = 0; n < std::min(t.gradients.size(), k_gradients); ++n) {
      if (!(t.lights >> n & 1)) continue;  // what is not drawn may be anything
      const std::string one = path + "." + element("gradients", n);
      c.check_word(one + ".pattern", k_patterns, t.gradients[n].pattern);
      if (!(t.gradients[n].scale >= 0 && t.gradients[n].scale <= 1))
        c.report("egg.scale", one + ".scale", {.message = text("the scale is ", t.gradients[n].scale)});
    }
  }
}

void check(const Bfg& b, Findings& f) {
  Check c(f);
  if (b.fogs.size() != k_fogs) c.report("egg.fogs", "fogs", {.message = text(b.fogs.size(), " fogs")});
  for (size_t i = 0; i < b.fogs.size(); ++i) {
    const Fog& fog = b.fogs[i];
    const std::string path = element("fogs", i);
    c.check_word(path + ".type", k_fog_types, fog.type);
    c.check_number(path + ".start", fog.start);
    c.check_number(path + ".end", fog.end);
    c.check_number(path + ".fade_speed", fog.fade_speed);
    if (fog.type && fog.start > fog.end)
      c.report("egg.fog-order", path + ".end", {.message = text("it starts at ", fog.start, " and ends at ", fog.end)});
  }
}

void check(const Bblm& b, Findings& f) {
  Check c(f);
  c.size(b.size);
  c.check_version("version", b.version, 1, 1);
  c.check_number("threshold", b.threshold);
  const auto check_blur = [&](const std::string& path, const Blur& x) {
    c.check_number(path + ".radius", x.radius);
    c.check_number(path + ".intensity", x.intensity);
  };
  check_blur("first_blur", b.first_blur);
  for (size_t i = 0; i < b.second_blur.size(); ++i) check_blur(element("second_blur", i), b.second_blur[i]);
  if (b.stages > k_most_stages) c.report("egg.stages", "stages", {.message = text(b.stages, " stages")});
}

void check(const Bdof& b, Findings& f) {
  Check c(f);
  c.size(b.size);
  c.check_version("version", b.version, 0, 0);
  c.check_word("draw_mode", k_draw_modes, b.draw_mode);
  c.check_word("taps", k_taps, b.taps);
  c.check_number("focus_center", b.focus_center);
  c.check_number("focus_range", b.focus_range);
  c.check_number("radius", b.radius);
}

}  // namespace dio::egg
