// info.cpp: summarizes the files in a few lines.
#include <bit>

#include "core/text_format.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/egg/parts.hpp"

namespace dio::egg {

namespace {

std::string format_color(const Color& c) {
  std::string s = "#";
  for (const u8 part : {c.red, c.green, c.blue}) s += format_hex(part, 2).substr(2);
  return s;
}

}  // namespace

Value info(const Blight& b) {
  Value v = Value::object();
  v.add("lights", u64(b.lights.size()));
  v.add("ambients", u64(b.ambients.size()));
  const auto is_lit = [](const Light& l) { return (l.flags & k_flag_on) && (l.flags & k_flag_lit); };
  v.add("lit", u64(std::ranges::count_if(b.lights, is_lit)));
  return v;
}

Value info(const Blmap& b) {
  Value v = Value::object();
  Value& textures = v.add("textures", Value::object());
  for (const LightTexture& t : b.textures)
    textures.add(t.name.empty() ? "(no name)" : escape_control_chars(t.name), text(std::popcount(t.lights), " lights"));
  return v;
}

Value info(const Bfg& b) {
  Value v = Value::object();
  for (size_t i = 0; i < b.fogs.size() && i < k_fogs; ++i) {
    const Fog& f = b.fogs[i];
    std::string line = enum_name_or_number(k_fog_types, f.type);
    if (f.type) line += text(", ", f.start, " to ", f.end, " units, ", format_color(f.color));
    v.add(text("fog_", i), line);
  }
  return v;
}

Value info(const Bblm& b) {
  Value v = Value::object();
  v.add("threshold", text(b.threshold, " of ", format_color(b.threshold_color)));
  v.add("tint", format_color(b.tint));
  v.add("stages", u64(b.stages));
  return v;
}

Value info(const Bdof& b) {
  Value v = Value::object();
  v.add("draw_mode", enum_name_or_number(k_draw_modes, b.draw_mode));
  v.add("focus", text(b.focus_center, ", ", b.focus_range, " around it"));
  return v;
}

}  // namespace dio::egg
