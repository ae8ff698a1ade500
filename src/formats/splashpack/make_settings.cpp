// make_settings.cpp: what making a pack was told.
#include <cmath>

#include "formats/arguments.hpp"
#include "formats/reporter.hpp"
#include "formats/splashpack/make_parts.hpp"

namespace dio::splashpack {
namespace {

std::optional<Layout> layout_named(std::string_view name) {
  for (const Word& w : k_layout_words)
    if (w.word == name) return Layout(w.value);
  return {};
}

bool is_of_pack(const scene::Scene& scene) { return text_in(scene.extras, "kind") == "pack"; }

/// What is not told is as the scene's extras say it.
std::vector<Argument> with_extras(const scene::Scene& scene, std::span<const Argument> told) {
  std::vector<Argument> all(told.begin(), told.end());
  const auto is_told = [&](std::string_view name) {
    return std::ranges::any_of(told, [&](const Argument& a) { return a.name == name; });
  };
  for (const MakeOption& option : k_make_options) {
    const Value* value = scene.extras.find(option.name);
    const bool is_other = (option.name == "layout" && is_told("version")) || option.name == "version";
    if (!value || is_other || is_told(option.name)) continue;
    // Older packs become d: scenes say what d has, and a pack of d becomes an older one.
    const auto layout =
        option.name == "layout" ? layout_named(text_in(scene.extras, "layout").value_or("")) : std::nullopt;
    if (layout && u32(*layout) < k_scripts)
      all.push_back({"layout", "d"});
    else if (value->is(Value::Kind::text))
      all.push_back({std::string(option.name), value->text()});
    else if (value->is(Value::Kind::integer) || value->is(Value::Kind::real)) {
      // Programs write 4 as 4.0.
      const f64 n = value->number();
      const bool is_whole = std::fabs(n) < 1e9 && n == std::floor(n);
      all.push_back({std::string(option.name), is_whole ? text(i64(n)) : text(n)});
    }
  }
  // What comes from a pack has triangles as they should be.
  if (is_of_pack(scene) && !is_told("subdivide") && !scene.extras.find("subdivide"))
    all.push_back({"subdivide", "none"});
  return all;
}

}  // namespace

Result<MakeSettings> settings_of(const scene::Scene& scene, std::span<const Argument> told) {
  const std::vector<Argument> all = with_extras(scene, told);
  Arguments arguments(all);
  MakeSettings out;
  const auto choice = [&](std::string_view name, std::string_view yes, std::string_view no, bool otherwise) {
    if (!arguments.has(name)) return otherwise;
    const std::string_view said = arguments.text(name);
    if (said != yes && said != no) arguments.refuse(name, text(yes, " or ", no), given(said));
    return said == yes;
  };
  const auto number = [&](std::string_view name, f64 low, f64 high, f64 otherwise) {
    return arguments.has(name) ? arguments.number(name, low, high) : otherwise;
  };
  out.is_of_pack = is_of_pack(scene);
  bool has_layout = false;
  if (arguments.has("layout")) {
    const std::string_view said = arguments.text("layout");
    const auto layout = layout_named(said);
    if (!layout) arguments.refuse("layout", "a1, a2, a3, b, b2, c, d, e, v20, v21, v22, v23 or v24", given(said));
    has_layout = layout.has_value();
    if (layout) out.layout = *layout;
  }
  if (arguments.has("version")) {
    const i64 version = arguments.whole("version", 1, 24);
    if (version != 1 && version < i64(k_sections))
      arguments.refuse("version", "1, or 20 to 24: those between were never published", text(version));
    const bool fits = version == 1 ? u32(out.layout) < k_sections : i64(out.layout) == version;
    if (has_layout && !fits)
      arguments.refuse("version", "the version of the layout", text(version));
    else if (!has_layout)
      out.layout = version == 1 ? Layout::d : Layout(version);
  }
  out.scaling = number("scaling", 1e-6, 1e9, out.scaling);
  out.is_unity = choice("axes", "unity", "gltf", out.is_unity);
  if (arguments.has("depth")) {
    const std::string_view said = arguments.text("depth");
    if (said == "4" || said == "8" || said == "16")
      out.depth = u8(*whole_of(said));
    else if (said != "auto")
      arguments.refuse("depth", "auto, 4, 8 or 16", given(said));
  }
  if (arguments.has("subdivide"))
    out.subdivide = arguments.text("subdivide") == "none" ? 0 : u32(arguments.whole("subdivide", 8, 256));
  out.dither = choice("dither", "yes", "no", out.dither);
  out.bake = choice("lights", "bake", "none", out.bake);
  out.exposure = number("exposure", 0, 1e9, out.exposure);
  out.ambient = number("ambient", 0, 1, out.ambient);
  if (arguments.done()) return out;
  arguments.problem->id = "make.argument";
  return refuse(*std::move(arguments.problem));
}

}  // namespace dio::splashpack
