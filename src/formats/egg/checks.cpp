// checks.cpp: checks for problems in the game.
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
      report("egg.size", "size",
             {.message = text("the header states a size of ", size, " bytes, but the file has ", all, " bytes")});
  }
  void check_version(std::string path, u8 is, u8 low, u8 high) {
    if (is < low || is > high)
      report("egg.version", std::move(path), {.message = text("the version is ", is, " instead of ", high)});
  }
  void check_word(std::string path, const EnumNames& words, u64 n) {
    if (words.of(i64(n)).empty())
      report("egg.word", std::move(path), {.message = text("the value ", n, " is unknown")});
  }
  void check_number(std::string path, f32 x) {
    if (!std::isfinite(x)) report("egg.number", std::move(path), {.message = "the value is not a finite number"});
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
    c.report("egg.direction", path + ".aim", {.message = text("light ", i, " aims at its own position")});
  if (l.distance_function &&
      (!(l.reference_distance > 0) || !(l.reference_brightness > 0 && l.reference_brightness < 1)))
    c.report("egg.distance", path + ".reference_brightness",
             {.message = text("the reference brightness is ", l.reference_brightness, " at a reference distance of ",
                              l.reference_distance,
                              " units; the brightness must be between 0 and 1, and the distance above 0")});
  if (l.spot_function && (l.flags & k_flag_cutoff) && !(l.cutoff > 0 && l.cutoff <= 90))
    c.report("egg.cutoff", path + ".cutoff",
             {.message = text("the cutoff angle is ", l.cutoff, " degrees; it must be above 0 and at most 90")});
}

}  // namespace

std::span<const Rule> rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"egg.size", warning, "the size in the header is the file size",
       "Tools that rely on the size in the header reject the file if the size is wrong.",
       "Write the file again with {decode}, then {encode}.", "RiiStudio"},
      {"egg.version", warning, "the version is the same as in real courses",
       "If the version is different, the game may read the file incorrectly, and tools reject the file.",
       "Set the version to the number given in the message.", "RiiStudio"},
      {"egg.word", warning, "every type, function and pattern has a known value",
       "The game does not check whether a value is known, so the result of an unknown value is unpredictable.",
       "Set the field to one of the values that {explain} lists.", "RiiStudio"},
      {"egg.number", error, "every number is finite",
       "The game does not draw anything that it computes from an infinite or invalid number.",
       "Set the value to a finite number.", "diorama's own rule"},
      {"egg.lights", hint, "a light file has 16 lights and 16 ambient lights",
       "All Nintendo courses have 16 lights and 16 ambient lights.",
       "Add switched-off lights and ambient lights until the file has 16 of each.",
       "Custom Mario Kart Wiiki; real files"},
      {"egg.follows-itself", warning, "no light follows itself",
       "A light that follows itself has neither a position nor an aim.",
       "Set `follows` to another light, or clear flag 0x002 (follows another light).", "RiiStudio"},
      {"egg.direction", warning, "a light with a direction aims at a point other than its own position",
       "A light that aims at its own position has no direction.", "Change `position` or `aim` of the light.",
       "RiiStudio"},
      {"egg.distance", warning,
       "a light that fades with distance has a reference distance above 0 and a reference brightness between 0 and 1",
       "If one of the two values is out of range, the console does not fade the light.",
       "Correct `reference_distance` and `reference_brightness`, or set `distance_function` to `off`.",
       "GX, the Wii's graphics library"},
      {"egg.cutoff", warning, "a spotlight's cutoff angle is above 0 and at most 90 degrees",
       "If the cutoff angle is out of range, the console treats the spotlight as a light without a cone.",
       "Set `cutoff` to an angle above 0 and at most 90 degrees.", "GX, the Wii's graphics library"},
      {"egg.gradients", warning, "a light texture has 32 gradients", "Tools reject any other number of gradients.",
       "Add or remove gradients until the light texture has 32.", "RiiStudio"},
      {"egg.texture-name", warning, "every light texture has its own name, which starts with lm_",
       "The game looks in models for textures with the names of light textures, and uses the first match.",
       "Rename the texture.", "Custom Mario Kart Wiiki"},
      {"egg.scale", hint, "the scale of a gradient is 0 to 1",
       "The game does not draw a gradient whose scale is below 0 or above 1.",
       "Set the scale of the gradient to a number from 0 to 1.", "Custom Mario Kart Wiiki"},
      {"egg.fogs", error, "a fog file has four fogs", "The game always reads four fogs.",
       "Add fogs of the type `none` until the file has four fogs.", "RiiStudio"},
      {"egg.fog-order", warning, "a fog starts before it ends", "The console rejects a fog that ends before it starts.",
       "Swap `start` and `end` of the fog.", "GX, the Wii's graphics library"},
      {"egg.stages", warning, "the second blur has at most two stages",
       "The file has settings for only two stages. If the number of stages is higher, the game reads the bytes after "
       "these settings as settings.",
       "Set `stages` to 2 or less.", "Custom Mario Kart Wiiki"},
  };
  return k_rules;
}

void check(const Blight& b, Findings& f) {
  Check c(f);
  c.size(b.size);
  c.check_version("version", b.version, 2, 2);
  if (b.lights.size() != k_lights || b.ambients.size() != k_lights)
    c.report("egg.lights", b.lights.size() != k_lights ? "light_count" : "ambient_count",
             {.message = text("the file has ", b.lights.size(), " lights and ", b.ambients.size(),
                              " ambient lights instead of 16 of each")});
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
      c.report(
          "egg.texture-name", path + ".name",
          {.message = text("the name \"", escape_control_chars(t.name),
                           is_second ? "\" is also the name of an earlier texture" : "\" does not start with lm_")});
    if (t.gradients.size() != k_gradients)
      c.report("egg.gradients", path + ".gradient_count",
               {.message = text("the texture has ", t.gradients.size(), " gradients instead of 32")});
    for (size_t n = 0; n < std::min(t.gradients.size(), k_gradients); ++n) {
      if (!(t.lights >> n & 1)) continue;  // gradients that are not drawn may have any values
      const std::string one = path + "." + element("gradients", n);
      c.check_word(one + ".pattern", k_patterns, t.gradients[n].pattern);
      if (!(t.gradients[n].scale >= 0 && t.gradients[n].scale <= 1))
        c.report("egg.scale", one + ".scale",
                 {.message = text("the scale is ", t.gradients[n].scale, "; it must be from 0 to 1")});
    }
  }
}

void check(const Bfg& b, Findings& f) {
  Check c(f);
  if (b.fogs.size() != k_fogs)
    c.report("egg.fogs", "fogs", {.message = text("the file has ", b.fogs.size(), " fogs instead of 4")});
  for (size_t i = 0; i < b.fogs.size(); ++i) {
    const Fog& fog = b.fogs[i];
    const std::string path = element("fogs", i);
    c.check_word(path + ".type", k_fog_types, fog.type);
    c.check_number(path + ".start", fog.start);
    c.check_number(path + ".end", fog.end);
    c.check_number(path + ".fade_speed", fog.fade_speed);
    if (fog.type && fog.start > fog.end)
      c.report("egg.fog-order", path + ".end",
               {.message = text("the fog starts at ", fog.start, ", but ends at ", fog.end)});
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
  if (b.stages > k_most_stages)
    c.report("egg.stages", "stages", {.message = text("the second blur has ", b.stages, " stages; the maximum is 2")});
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
