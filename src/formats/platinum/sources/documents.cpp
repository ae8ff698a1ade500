#include "formats/platinum/sources/documents.hpp"

#include <algorithm>
#include <cmath>

#include "core/text_format.hpp"
#include "core/tree_matcher.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::platinum {

namespace {

using Kind = Value::Kind;
using Id = SourceText::Id;
using MaybeDiagnostic = std::optional<Diagnostic>;

// ---- matrices ----

/// Reads rows of cells. All rows have the length of the first list's first row, because the build concatenates them.
template <class F>
Rows<u16> parse_rows(const SourceText& s, Id list, const F& cell, size_t width, size_t height) {
  const Dom& d = s.dom();
  Rows<u16> out;
  for (Id row = list ? d.first(list) : 0; row && !s.problem; row = d.next(row)) {
    if (!d.is(row, Kind::list) || d.size(row) != width) {
      s.report_expected(row, text("a row of ", format_count(width, "cell")));
      return {};
    }
    auto& cells = out.emplace_back();
    for (Id one = d.first(row); one && !s.problem; one = d.next(one)) cells.push_back(u16(cell(one)));
  }
  if (!s.problem && !out.empty() && out.size() != height)
    s.report_expected(list, text(format_count(height, "row"), ", as in maps"));
  return out;
}

/// Replaces the cells of rows. Unchanged cells keep their text.
template <class F>
MaybeDiagnostic update_rows(SourceText& s, std::string_view name, const Rows<u16>& was, const Rows<u16>& now,
                            const F& cell) {
  if (was == now) return {};
  const Dom& d = s.dom();
  const Id list = d.find(0, name);
  const bool same_shape = was.size() == now.size() && (was.empty() || was[0].size() == now[0].size());
  std::vector<std::pair<Id, std::string>> rows;
  Id row = d.first(list);
  for (size_t z = 0; z < now.size(); ++z) {
    std::string line = "[";
    Id one = same_shape ? d.first(row) : 0;
    for (size_t x = 0; x < now[z].size(); ++x) {
      if (same_shape && was[z][x] == now[z][x]) {
        one = d.next(one);
        continue;
      }
      Named shown = cell(text(name, '[', z, "][", x, ']'), now[z][x]);
      if (shown.problem) return std::move(shown.problem);
      if (same_shape) {
        s.replace(one, std::move(shown.text));
        one = d.next(one);
      } else {
        (line += x ? ", " : "") += shown.text;
      }
    }
    if (same_shape)
      row = d.next(row);
    else
      rows.emplace_back(0, line + ']');
  }
  if (!same_shape) s.replace_elements(list, rows);
  return {};
}

// ---- light ----

constexpr std::string_view k_light_time = "endTime";
/// The names of a block's colours, after its lights.
constexpr std::string_view k_color_names[] = {"diffuseColor", "ambientColor", "specularColor", "emissionColor"};

/// The converter writes the values of an object in their order, whatever their names.
std::array<Id, 3> parse_three_values(const SourceText& s, Id object, std::string_view name) {
  std::array<Id, 3> out{};
  const Id all = s.member(object, name, Kind::object);
  if (!all) return out;
  if (s.dom().size(all) != 3) {
    s.report_expected(all, "three values");
    return out;
  }
  size_t i = 0;
  for (Id one = s.dom().first(all); one; one = s.dom().next(one)) out[i++] = one;
  return out;
}
i32 parse_i32(const SourceText& s, Id id) { return id ? i32(s.read_integer(id, INT32_MIN, INT32_MAX)) : 0; }
LightColor parse_color(const SourceText& s, Id object, std::string_view name) {
  const auto c = parse_three_values(s, object, name);
  return {parse_i32(s, c[0]), parse_i32(s, c[1]), parse_i32(s, c[2])};
}
/// In 1/4096, rounded away from zero.
i32 parse_direction(const SourceText& s, Id id) {
  if (!id) return 0;
  constexpr f64 k_one = 4096, k_most = 500000;
  const f64 x = s.dom().is_number(id) ? s.dom().number(id).number() : HUGE_VAL;
  if (!(std::fabs(x) < k_most)) {
    s.report_expected(id, "a number");
    return 0;
  }
  return i32(x > 0 ? std::ceil(x * k_one) : std::floor(x * k_one));
}

}  // namespace

Named format_name(const SourceText& s, std::string_view place, i64 number, const SourceNames& names, Space space,
                  std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes)
    if (const std::string_view name = names.table_of(space).name(number, prefix); !name.empty())
      return {quote_json(name), {}};
  Diagnostic d =
      make_diagnostic("edit.limit", Location::in_file(s.path(), std::string(place)),
                      {.message = text("the number ", number, " has no name in ", SourceNames::file_of(space))});
  return {{}, std::move(d)};
}

std::vector<std::optional<u32>> match_list_elements(const Value& was, const Value& now) {
  TreeMatcher m;
  m.compute_digests(was), m.compute_digests(now);
  std::vector<std::optional<u32>> out;
  for (const u32 p : m.match_elements(now, was))
    out.push_back(p == TreeMatcher::k_unmatched ? std::nullopt : std::optional(p));
  return out;
}

MapMatrix parse_matrix(const SourceText& s, const SourceNames& names) {
  const Dom& d = s.dom();
  MapMatrix out{};
  if (const Id name = s.member(0, "name", Kind::text)) {
    out.model_name_prefix = d.text(name);
    if (out.model_name_prefix.size() > 255 ||
        std::ranges::any_of(out.model_name_prefix, [](char c) { return u8(c) > 127; }))
      s.report_expected(name, "at most 255 ASCII characters");
  }
  const Id headers = s.member(0, "headers", Kind::list), altitudes = s.member(0, "altitudes", Kind::list),
           maps = s.member(0, "maps", Kind::list);
  if (s.problem) return out;
  const size_t height = d.size(maps), width = height ? d.size(d.first(maps)) : 0;
  if (height > 255 || width > 255) {
    s.report_expected(maps, "at most 255 x 255 cells");
    return out;
  }
  out.width = u8(width), out.height = u8(height);
  out.land_data_ids =
      parse_rows(s, maps, [&](Id id) { return s.read_named_number(id, names, Space::lands); }, width, height);
  out.map_header_ids =
      parse_rows(s, headers, [&](Id id) { return s.read_named_number(id, names, Space::headers); }, width, height);
  out.altitudes = parse_rows(s, altitudes, [&](Id id) { return s.read_integer(id, 0, 255); }, width, height);
  out.has_map_header_ids = !out.map_header_ids.empty(), out.has_altitudes = !out.altitudes.empty();
  return out;
}

MaybeDiagnostic update_matrix_source(SourceText& s, const MapMatrix& now, const SourceNames& names) {
  const MapMatrix was = parse_matrix(s, names);
  if (s.problem) return s.take_problem();
  if (was.model_name_prefix != now.model_name_prefix)
    s.replace(s.dom().find(0, "name"), quote_json(now.model_name_prefix));
  const auto named = [&](Space space) {
    return [&, space](std::string_view place, u16 n) { return format_name(s, place, n, names, space); };
  };
  if (auto stop = update_rows(s, "headers", was.map_header_ids, now.map_header_ids, named(Space::headers))) return stop;
  if (auto stop = update_rows(s, "altitudes", was.altitudes, now.altitudes,
                              [](std::string_view, u16 n) { return Named{std::to_string(n), {}}; }))
    return stop;
  return update_rows(s, "maps", was.land_data_ids, now.land_data_ids, named(Space::lands));
}

AreaData parse_area(const SourceText& s, const SourceNames& names) {
  AreaData out{};
  out.map_prop_archives_id = u16(s.read_named_number(0, "mapPropSet", names, Space::prop_sets));
  out.map_texture_archive_id = u16(s.read_named_number(0, "mapTextureSet", names, Space::texture_sets));
  out.area_light_archive_id = u16(s.read_named_number(0, "lightingSet", names, Space::lights));
  if (s.dom().find(0, "dummy")) out.dummy = u16(s.read_integer(0, "dummy", 0, 65535));
  return out;
}

MaybeDiagnostic update_area_source(SourceText& s, const AreaData& now, const SourceNames& names) {
  struct Part {
    std::string_view key;
    u16 AreaData::* member;
    Space space;
  };
  constexpr Part k_parts[] = {{"mapPropSet", &AreaData::map_prop_archives_id, Space::prop_sets},
                              {"mapTextureSet", &AreaData::map_texture_archive_id, Space::texture_sets},
                              {"lightingSet", &AreaData::area_light_archive_id, Space::lights}};
  for (const Part& p : k_parts) {
    const Id id = s.member(0, p.key, Kind::text);
    if (!id) return s.take_problem();
    if (names.table_of(p.space).number(s.dom().text(id)) == now.*p.member) continue;
    Named name = format_name(s, p.key, now.*p.member, names, p.space);
    if (name.problem) return std::move(name.problem);
    s.replace(id, std::move(name.text));
  }
  const Id dummy = s.dom().find(0, "dummy");
  if (dummy && s.read_integer(dummy, 0, 65535) != now.dummy) s.replace(dummy, std::to_string(now.dummy));
  if (!dummy && now.dummy) s.add_member(s.dom().find(0, "lightingSet"), "dummy", std::to_string(now.dummy));
  if (s.problem) return s.take_problem();
  return {};
}

AreaBuild parse_prop_set(const SourceText& s, const SourceNames& names) {
  AreaBuild out;
  const Id all = s.member(0, "mapPropModels", Kind::list);
  if (all && s.dom().size(all) > 65535) s.report_expected(all, "at most 65535 models");
  for (Id one = all ? s.dom().first(all) : 0; one && !s.problem; one = s.dom().next(one))
    out.map_prop_model_ids.push_back(u16(s.read_named_number(one, names, Space::props)));
  return out;
}

MaybeDiagnostic update_prop_set_source(SourceText& s, const AreaBuild& now, const SourceNames& names) {
  const AreaBuild was = parse_prop_set(s, names);
  if (s.problem) return s.take_problem();
  if (was.map_prop_model_ids == now.map_prop_model_ids) return {};
  const Id list = s.dom().find(0, "mapPropModels");
  std::map<u16, Id> there;
  size_t i = 0;
  for (Id one = s.dom().first(list); one; one = s.dom().next(one)) there.emplace(was.map_prop_model_ids[i++], one);
  std::vector<std::pair<Id, std::string>> elements;
  for (const u16 model : now.map_prop_model_ids) {
    if (const auto found = there.find(model); found != there.end()) {
      elements.emplace_back(found->second, std::string());
      continue;
    }
    Named name = format_name(s, text("mapPropModels[", elements.size(), ']'), model, names, Space::props);
    if (name.problem) return std::move(name.problem);
    elements.emplace_back(0, std::move(name.text));
  }
  s.replace_elements(list, elements);
  return {};
}

AreaLight parse_area_light(const SourceText& s, bool ends_in_line) {
  const Dom& d = s.dom();
  AreaLight out;
  LightBlocks& light = out.light.emplace();
  if (!d.is(0, Kind::list)) s.report_expected(0, "a list");
  for (Id one = d.first(0); one && !s.problem; one = d.next(one)) {
    LightBlock& b = light.blocks.emplace_back();
    b.end_time = i32(s.read_integer(one, k_light_time, INT32_MIN, INT32_MAX));
    const Id lights = s.member(one, "lights", Kind::list);
    if (lights && d.size(lights) != b.lights.size()) s.report_expected(lights, "four lights");
    if (s.problem) return out;
    Id at = d.first(lights);
    for (LightLine& l : b.lights) {
      const Id enabled = s.member(at, "enabled", Kind::boolean);
      l.enabled = enabled && d.number(enabled).boolean();
      const LightColor c = parse_color(s, at, "color");
      l.red = c.red, l.green = c.green, l.blue = c.blue;
      const auto direction = parse_three_values(s, at, "direction");
      l.x = parse_direction(s, direction[0]), l.y = parse_direction(s, direction[1]),
      l.z = parse_direction(s, direction[2]);
      at = d.next(at);
    }
    LightColor* const colors[] = {&b.diffuse, &b.ambient, &b.specular, &b.emission};
    for (size_t i = 0; i < std::size(colors); ++i) *colors[i] = parse_color(s, one, k_color_names[i]);
  }
  if (ends_in_line) light.ending = "\r\n";
  return out;
}

}  // namespace dio::platinum
