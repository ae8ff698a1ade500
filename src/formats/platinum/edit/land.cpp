// land.cpp: named edits of maps: `dio edit land.bin raise-plate plate=3 by=16 -o out.bin`.
#include <cmath>
#include <functional>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/edit/land_mesh.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

using Done = Result<std::string>;

constexpr f64 k_fixed_one = 4096;  // 1 in fx32

/// Converts up to `k_most_units` units, which always fit.
fx32 clamp_to_fx32(f64 units) { return to_fx32(units).value_or(fx32{}); }
Done argument_error(Arguments& a) { return refuse(std::move(*a.problem)); }

// ---- tiles ----

void report_unknown_behavior(Arguments& a, std::string_view word) {
  if (a.problem) return;
  a.refuse({.message = text("behavior must be a number from 0 to 255 or a name, not ", given(word))});
  std::vector<std::string> names;
  for (const Behavior& b : behaviors()) names.emplace_back(b.name);
  if (const std::string like = closest_match(word, names); !like.empty()) {
    a.problem->hint = "did you mean " + like + "?";
    return;
  }
  // Suggest only names that contain this word, if there are any.
  const auto has_word = [&](const std::string& name) {
    return (" " + name + " ").find(" " + lower_case(word) + " ") != name.npos;
  };
  if (std::ranges::any_of(names, has_word)) std::erase_if(names, std::not_fn(has_word));
  a.problem->hint = names.size() < behaviors().size() ? "names that contain this word:" : "known names:";
  for (const std::string& name : names) a.problem->hint += (&name == names.data() ? " " : ", ") + name;
}

Done set_tiles(LandData& land, Arguments a) {
  const auto x = a.integer_range("x", 0, k_tiles - 1), z = a.integer_range("z", 0, i64(land.attributes.size()) - 1);
  std::optional<u8> behavior;
  std::optional<bool> collision;
  if (a.has("behavior")) {
    const std::string_view word = a.text("behavior");
    behavior = find_behavior_by_name(word);
    if (!behavior) {
      if (const auto n = parse_whole_number(word); n && *n >= 0 && *n <= 255)
        behavior = u8(*n);
      else
        report_unknown_behavior(a, word);
    }
  }
  if (a.has("collision")) collision = a.whole("collision", 0, 1) != 0;
  if (!a.done()) return argument_error(a);
  if (!behavior && !collision)
    return refuse("edit.argument", {}, {.message = "nothing to change: give behavior=... or collision=..."});
  u64 changed = 0;
  for (i64 row = z.from; row <= z.to; ++row)
    for (i64 column = x.from; column <= x.to; ++column) {
      u16& tile = land.attributes[size_t(row)][size_t(column)];
      const u16 was = tile;
      if (behavior) tile = u16((tile & ~k_behavior_bits) | *behavior);
      if (collision) tile = u16((tile & ~k_collision) | (*collision ? k_collision : 0));
      changed += tile != was;
    }
  return text("changed ", changed, " of ", format_count(u64((x.to - x.from + 1) * (z.to - z.from + 1)), "tile"));
}

// ---- props ----

/// Sets the given coordinates.
void set_prop_position(Arguments& a, Prop& p) {
  for (const auto& [name, coordinate] :
       {std::pair{"x", &p.position.x}, std::pair{"y", &p.position.y}, std::pair{"z", &p.position.z}})
    if (a.has(name)) *coordinate = clamp_to_fx32(a.number(name, -k_most_units, k_most_units));
}
std::string format_prop_position(const Prop& p) {
  return text(p.position.x.value(), ", ", p.position.y.value(), ", ", p.position.z.value());
}

Done move_prop(LandData& land, Arguments a) {
  const i64 i = a.whole("prop", 0, i64(land.props.size()) - 1);
  if (a.problem) return argument_error(a);
  Prop& p = land.props[size_t(i)];
  set_prop_position(a, p);
  if (!a.done()) return argument_error(a);
  if (!a.has("x") && !a.has("y") && !a.has("z"))
    return refuse("edit.argument", {}, {.message = "nothing to change: give x=..., y=... or z=..."});
  return text("moved prop ", i, " to ", format_prop_position(p));
}

Done remove_prop(LandData& land, Arguments a) {
  const i64 i = a.whole("prop", 0, i64(land.props.size()) - 1);
  if (!a.done()) return argument_error(a);
  const u32 model = land.props[size_t(i)].model_id;
  land.props.erase(land.props.begin() + i);
  return text("removed prop ", i, " with model ", model);
}

// ---- plates ----

Done table_full_error() {
  return refuse("edit.argument", {},
                {.message = "no more plates fit, because a table of the heights holds at most 65,535 entries"});
}
/// The error for heights without plates.
std::optional<Diagnostic> missing_plates_error(const Bdhc& b) {
  if (b.dp)
    return make_diagnostic("edit.argument", {},
                           {.message = "the heights are in the Diamond and Pearl format, which has no plates"});
  return {};
}
std::string format_corner_heights(const PlateShape& p) {
  const auto at = [&](i32 x, i32 z) { return f64(p.height(x, z)) / 4096; };
  const f64 north_west = at(p.low.x.raw, p.low.z.raw), north_east = at(p.high.x.raw, p.low.z.raw),
            south_west = at(p.low.x.raw, p.high.z.raw), south_east = at(p.high.x.raw, p.high.z.raw);
  if (north_west == north_east && north_west == south_west && north_west == south_east)
    return text("at height ", north_west);
  return text("with corner heights ", north_west, ", ", north_east, ", ", south_west, ", ", south_east);
}

Done raise_plate(Bdhc& b, Arguments a) {
  if (auto none = missing_plates_error(b)) return refuse(std::move(*none));
  const i64 i = a.whole("plate", 0, i64(b.plates.size()) - 1);
  const f64 by = a.number("by", -k_most_units, k_most_units);
  if (!a.done()) return argument_error(a);
  auto shape = find_plate_shape(b, size_t(i));
  if (!shape)
    return refuse("edit.argument", {},
                  {.message = text("plate ", i, " refers to points, normals or constants that do not exist")});
  if (shape->normal.y.raw == 0)
    return refuse("edit.argument", {}, {.message = text("plate ", i, " is vertical and has no height")});
  const auto constant = raise_plane_constant(*shape, by);
  if (!constant)
    return refuse("edit.argument", {},
                  {.message = text("raising the plate by ", by, " makes it too high or too low to be stored")});
  shape->constant = *constant;
  if (!replace_plate(b, size_t(i), *shape)) return table_full_error();
  const f64 raw = by * k_fixed_one;
  const std::string rounded =
      raw == std::round(raw) ? "" : text(" by ", std::abs(std::round(raw)) / k_fixed_one, " (rounded to 1/4096)");
  return text(by < 0 ? "lowered" : "raised", " plate ", i, rounded, ", now ", format_corner_heights(*shape));
}

Done add_plate(Bdhc& b, Arguments a) {
  if (auto none = missing_plates_error(b)) return refuse(std::move(*none));
  const auto x = a.number_range("x", -k_most_units, k_most_units), z = a.number_range("z", -k_most_units, k_most_units);
  const BdhcPoint low{clamp_to_fx32(x.from), clamp_to_fx32(z.from)}, high{clamp_to_fx32(x.to), clamp_to_fx32(z.to)};
  std::optional<PlateShape> shape;
  if (a.has("heights") && (a.has("y") || a.has("normal")))
    return refuse("edit.argument", {}, {.message = "heights=... cannot be combined with y=... or normal=..."});
  if (a.has("heights")) {
    if (const auto h = a.list("heights", 3, -k_most_units, k_most_units); !a.problem)
      shape = make_plate_through(low, high, h[0], h[1], h[2]);
  } else {
    const f64 y = a.number("y", -k_most_units, k_most_units);
    std::vector<f64> n = {0, 1, 0};
    if (a.has("normal")) n = a.list("normal", 3, -k_most_units, k_most_units);
    // Convert the normal to corner heights, so that there is only one way to make a plate.
    if (!a.problem && n[1] > 0)
      shape = make_plate_through(low, high, y, y - (x.to - x.from) * n[0] / n[1], y - (z.to - z.from) * n[2] / n[1]);
    else if (!a.problem)
      a.refuse({.message = text("normal must be X,Y,Z with Y above 0, not ", given(a.text("normal")))});
  }
  if (!a.done()) return argument_error(a);
  const f64 width = high.x.value() - low.x.value(), depth = high.z.value() - low.z.value();
  if (width == 0 || depth == 0)
    return refuse("edit.argument", {},
                  {.message = text("the plate has no area: it is ", width, " x ", depth, " units")});
  if (!shape)
    return refuse(make_diagnostic("edit.argument", {},
                                  {.message = "the slope is too steep: the y of its normal is below 1/4096"}));
  if (!add_plate(b, *shape)) return table_full_error();
  return text("added plate ", b.plates.size() - 1, " ", format_corner_heights(*shape));
}

Done remove_plate(Bdhc& b, Arguments a) {
  if (auto none = missing_plates_error(b)) return refuse(std::move(*none));
  const i64 i = a.whole("plate", 0, i64(b.plates.size()) - 1);
  if (!a.done()) return argument_error(a);
  remove_plate(b, size_t(i));
  return text("removed plate ", i);
}

}  // namespace

Result<std::string> add_prop(LandData& land, Arguments a) {
  Prop p{};
  p.model_id = u32(a.whole("model", 0, 0xFFFF));
  if (!a.has("x")) a.number("x", 0, 0);  // reports it as missing
  if (!a.has("z")) a.number("z", 0, 0);
  set_prop_position(a, p);
  // On the ground, unless y is given.
  if (!a.has("y")) p.position.y.raw = ground_height_at(land.bdhc, p.position.x.raw, p.position.z.raw).value_or(0);
  const fx32 scale = clamp_to_fx32(a.has("scale") ? a.number("scale", 0, 64) : 1);
  p.scale = {scale, scale, scale};
  if (!a.done()) return argument_error(a);
  land.props.push_back(p);
  return text("added prop ", land.props.size() - 1, " with model ", p.model_id, " at ", format_prop_position(p));
}

namespace {

// ---- edits by document type ----

template <Done (*change)(LandData&, Arguments)>
Done edit_land(AnyDocument& d, std::span<const Argument> arguments) {
  return change(edit_of<LandData>(d), Arguments(arguments));
}
template <Done (*change)(Bdhc&, Arguments)>
Done edit_land_bdhc(AnyDocument& d, std::span<const Argument> arguments) {
  return change(edit_of<LandData>(d).bdhc, Arguments(arguments));
}
constexpr EnumName k_follow_words[] = {{0, "stay"}, {1, "follow"}};
constexpr EnumNames k_follow{k_follow_words};

/// `raise-plate` with mesh=follow and props=follow, which heights files alone do not support.
Done raise_plate_with_mesh(AnyDocument& d, std::span<const Argument> all) {
  LandData land = value_of<LandData>(d);
  Arguments a(all);
  const bool mesh = a.has("mesh") && a.word("mesh", k_follow, 1) == 1,
             props = a.has("props") && a.word("props", k_follow, 1) == 1;
  if (a.problem) return argument_error(a);
  std::vector<Argument> of_plate;
  for (const Argument& x : all)
    if (x.name != "mesh" && x.name != "props") of_plate.push_back(x);
  Arguments plate(of_plate);
  const auto was =
      plate.has("plate") ? find_plate_shape(land.bdhc, size_t(plate.whole("plate", 0, 0xFFFF))) : std::nullopt;
  const Bdhc heights = land.bdhc;
  auto done = raise_plate(land.bdhc, Arguments(of_plate));
  if (!done || !was) return done;
  const f64 by = plate.number("by", -k_most_units, k_most_units);
  if (mesh) {
    if (land.model.models.empty()) return refuse("edit.argument", {}, {.message = "the file has no model"});
    const auto raised = raise_mesh_on_plate(land.model.models[0], heights, size_t(plate.whole("plate", 0, 0xFFFF)), by);
    if (!raised) return refuse(raised.error());
    *done += *raised == 1 ? "; 1 vertex moved along" : text("; ", *raised, " vertices moved along");
  }
  if (props) {
    u64 follow = 0;
    for (Prop& p : land.props) {
      const i32 x = p.position.x.raw, z = p.position.z.raw;
      if (!was->contains(x, z) || std::abs(i64(was->height(x, z)) - p.position.y.raw) > k_fixed_one) continue;
      p.position.y = clamp_to_fx32(p.position.y.value() + by);
      ++follow;
    }
    *done += text("; ", format_count(follow, "prop"), " moved along");
  }
  edit_of<LandData>(d) = std::move(land);
  return done;
}
template <Done (*change)(Bdhc&, Arguments)>
Done edit_bdhc(AnyDocument& d, std::span<const Argument> arguments) {
  return change(edit_of<Bdhc>(d), Arguments(arguments));
}

constexpr Parameter k_raise_plate_parameters[] = {
    required("plate", "N", ParameterKind::integer), required("by", "UNITS", ParameterKind::number),
    optional_one_of("mesh", {"follow"}), optional_one_of("props", {"follow"})};
constexpr Parameter k_add_plate_parameters[] = {required("x", "WEST..EAST", ParameterKind::range),
                                                required("z", "NORTH..SOUTH", ParameterKind::range),
                                                required("y", "HEIGHT", ParameterKind::number).either(1),
                                                optional("normal", "X,Y,Z", ParameterKind::vector).either(1),
                                                required("heights", "NW,NE,SW", ParameterKind::vector).either(2)};
constexpr Parameter k_remove_plate_parameters[] = {required("plate", "N", ParameterKind::integer)};
constexpr Parameter k_set_tiles_parameters[] = {
    required("x", "FROM..TO", ParameterKind::range), required("z", "FROM..TO", ParameterKind::range),
    optional("behavior", "NAME|N", ParameterKind::text), optional_one_of("collision", {"0", "1"})};
constexpr Parameter k_add_prop_parameters[] = {
    required("model", "N", ParameterKind::integer), required("x", "UNITS", ParameterKind::number),
    required("z", "UNITS", ParameterKind::number), optional("y", "UNITS", ParameterKind::number),
    optional("scale", "N", ParameterKind::number)};
constexpr Parameter k_move_prop_parameters[] = {
    required("prop", "N", ParameterKind::integer), optional("x", "UNITS", ParameterKind::number),
    optional("y", "UNITS", ParameterKind::number), optional("z", "UNITS", ParameterKind::number)};
constexpr Parameter k_remove_prop_parameters[] = {required("prop", "N", ParameterKind::integer)};

constexpr Edit make_raise_plate_edit(Done (*apply)(AnyDocument&, std::span<const Argument>)) {
  return {"raise-plate", k_raise_plate_parameters, "Raises a plate, or lowers it if UNITS is negative.", apply};
}
constexpr Edit make_add_plate_edit(Done (*apply)(AnyDocument&, std::span<const Argument>)) {
  return {"add-plate", k_add_plate_parameters,
          "Adds a plate at a position in units from the middle of the map. The plate is flat, unless the heights of "
          "three corners are given, or a normal and the height of the north-west corner.",
          apply};
}
constexpr Edit make_remove_plate_edit(Done (*apply)(AnyDocument&, std::span<const Argument>)) {
  return {"remove-plate", k_remove_plate_parameters, "Removes a plate; the plates after it are renumbered.", apply};
}

}  // namespace

std::span<const Edit> land_edits() {
  static constexpr Edit k_edits[] = {
      {"set-tiles", k_set_tiles_parameters,
       "Sets the behaviour or collision of a rectangle of tiles, counted from the north-west.", edit_land<set_tiles>},
      {"add-prop", k_add_prop_parameters,
       "Adds a prop at a position in units from the middle of the map. Without y, the prop is on the ground.",
       edit_land<add_prop>},
      {"move-prop", k_move_prop_parameters, "Moves a prop to a position in units from the middle of the map.",
       edit_land<move_prop>},
      {"remove-prop", k_remove_prop_parameters, "Removes a prop; the props after it are renumbered.",
       edit_land<remove_prop>},
      {"raise-plate", k_raise_plate_parameters,
       "Raises a plate, or lowers it if UNITS is negative. With mesh=follow, the model vertices from the plate up to "
       "the next plate above it move along; with props=follow, the props on the plate also move along.",
       raise_plate_with_mesh},
      make_add_plate_edit(edit_land_bdhc<add_plate>),
      make_remove_plate_edit(edit_land_bdhc<remove_plate>),
  };
  return k_edits;
}

std::span<const Edit> bdhc_edits() {
  static constexpr Edit k_edits[] = {make_raise_plate_edit(edit_bdhc<raise_plate>),
                                     make_add_plate_edit(edit_bdhc<add_plate>),
                                     make_remove_plate_edit(edit_bdhc<remove_plate>)};
  return k_edits;
}

}  // namespace dio::platinum
