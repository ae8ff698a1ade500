// settings.cpp: the options for building a pack.
#include <algorithm>
#include <cmath>

#include "formats/contract/arguments.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/newer_parts.hpp"
#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {
namespace {

std::optional<Layout> find_layout_by_name(std::string_view name) {
  for (const EnumName& w : k_layout_words)
    if (w.word == name) return Layout(w.value);
  return {};
}

bool is_of_pack(const scene::Scene& scene) { return read_text_extra(scene.extras, "kind") == "pack"; }

Result<MakeSettings> parse_settings(std::span<const Argument> all) {
  Arguments arguments(all);
  MakeSettings out;
  const auto parse_choice = [&](std::string_view name, std::string_view yes, std::string_view no, bool otherwise) {
    if (!arguments.has(name)) return otherwise;
    const std::string_view said = arguments.text(name);
    if (said != yes && said != no)
      arguments.refuse({.message = text(name, " must be ", yes, " or ", no, ", not ", given(said))});
    return said == yes;
  };
  const auto parse_number = [&](std::string_view name, f64 low, f64 high, f64 otherwise) {
    return arguments.has(name) ? arguments.number(name, low, high) : otherwise;
  };
  bool has_layout = false;
  if (arguments.has("layout")) {
    const std::string_view said = arguments.text("layout");
    const auto layout = find_layout_by_name(said);
    if (!layout)
      arguments.refuse(
          {.message =
               text("layout must be a1, a2, a3, b, b2, c, d, e, v20, v21, v22, v23, v24 or v25, not ", given(said))});
    has_layout = layout.has_value();
    if (layout) out.layout = *layout;
  }
  if (arguments.has("version")) {
    const i64 version = arguments.whole("version", 1, i64(k_newest));
    if (version != 1 && version < i64(k_sections))
      arguments.refuse(
          {.message = text("version must be 1, or 20 to 25, not ", version, "; other versions are unknown")});
    const bool fits = version == 1 ? u32(out.layout) < k_sections : i64(out.layout) == version;
    if (has_layout && !fits)
      arguments.refuse({.message = text("version ", version, " contradicts layout ", k_layouts.of(i64(out.layout)),
                                        ", which has version ", u32(out.layout) < k_sections ? 1 : i64(out.layout))});
    else if (!has_layout)
      out.layout = version == 1 ? Layout::d : Layout(version);
  }
  out.scaling = parse_number("scaling", 1e-6, 1e9, out.scaling);
  out.is_unity = parse_choice("axes", "unity", "gltf", out.is_unity);
  if (arguments.has("depth")) {
    const std::string_view said = arguments.text("depth");
    if (said == "4" || said == "8" || said == "16")
      out.depth = u8(*parse_whole_number(said));
    else if (said != "auto")
      arguments.refuse({.message = "depth must be auto, 4, 8 or 16, not " + given(said)});
  }
  if (arguments.has("subdivide"))
    out.subdivide = arguments.text("subdivide") == "none" ? 0 : u32(arguments.whole("subdivide", 8, 256));
  out.dither = parse_choice("dither", "yes", "no", out.dither);
  out.bake = parse_choice("lights", "bake", "none", out.bake);
  out.exposure = parse_number("exposure", 0, 1e9, out.exposure);
  out.ambient = parse_number("ambient", 0, 1, out.ambient);
  if (arguments.done()) return out;
  arguments.problem->id = "make.argument";
  return refuse(*std::move(arguments.problem));
}

/// A property as it would be typed; nothing for lists and objects.
std::optional<std::string> to_argument_text(const Value& v) {
  if (v.is(Value::Kind::text)) return v.text();
  if (v.is(Value::Kind::boolean)) return v.boolean() ? "yes" : "no";
  if (!v.is(Value::Kind::integer) && !v.is(Value::Kind::real)) return {};
  // Some programs write 4 as 4.0.
  const f64 n = v.number();
  const bool is_whole = std::fabs(n) < 1e9 && n == std::floor(n);
  return is_whole ? text(i64(n)) : text(n);
}

/// Missing options come from the extras of the scene.
std::vector<Argument> merge_extras_arguments(const scene::Scene& scene, std::span<const Argument> told,
                                             Diagnostics& notes) {
  std::vector<Argument> all(told.begin(), told.end());
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(told, [&](const Argument& a) { return a.name == name; });
  };
  const auto warn_ignored = [&](std::string_view name, DiagnosticText said) {
    said.hint = text("ignoring ", name);
    notes.push_back(
        make_diagnostic(Severity::warning, "splashpack.make-property", "properties of the scene", std::move(said)));
  };
  // Both set the layout.
  const bool has_layout = is_given("layout") || is_given("version");
  for (const MakeOption& option : k_make_options) {
    const Value* value = scene.extras.find(option.name);
    const bool is_layout = option.name == "layout" || option.name == "version";
    if (!value || is_given(option.name) || (is_layout && has_layout)) continue;
    const auto said = to_argument_text(*value);
    if (!said) {
      warn_ignored(option.name, {.message = text(option.name, " must not be a list or an object")});
      continue;
    }
    Argument one{std::string(option.name), *said};
    // Older layouts become d: scenes describe the content of d, and a pack of d is converted to an older layout.
    const auto layout = option.name == "layout" ? find_layout_by_name(*said) : std::nullopt;
    if (layout && u32(*layout) < k_scripts) one.value = "d";
    auto good = parse_settings(std::span(&one, 1));
    if (!good) {
      warn_ignored(option.name, {.message = std::move(good.error().message),
                                 .expected = std::move(good.error().expected),
                                 .found = std::move(good.error().found)});
      continue;
    }
    all.push_back(std::move(one));
    if (is_layout && !parse_settings(all)) {
      warn_ignored(option.name,
                   {.message = text(option.name, " = ", *said, " does not match the layout of the scene")});
      all.pop_back();
    }
  }
  // Triangles from a pack need no subdivision.
  if (is_of_pack(scene) && !is_given("subdivide") && !scene.extras.find("subdivide"))
    all.push_back({"subdivide", "none"});
  return all;
}

}  // namespace

Result<MakeSettings> read_settings(const scene::Scene& scene, std::span<const Argument> told, Diagnostics& notes) {
  const std::vector<Argument> all = merge_extras_arguments(scene, told, notes);
  auto out = parse_settings(all);
  if (!out) return out;
  out->is_of_pack = is_of_pack(scene);
  const bool has_layout =
      std::ranges::any_of(all, [](const Argument& a) { return a.name == "layout" || a.name == "version"; });
  if (!has_layout) out->layout = std::max(out->layout, find_layout_for(scene).value_or(out->layout));
  return out;
}

}  // namespace dio::splashpack
