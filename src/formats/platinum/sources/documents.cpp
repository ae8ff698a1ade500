#include "formats/platinum/sources/documents.hpp"

#include <algorithm>
#include <cmath>

#include "core/matching.hpp"
#include "core/printing.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::platinum {

namespace {

using Kind = Value::Kind;
using Id = SourceText::Id;
using Stop = std::optional<Diagnostic>;

// ---- matrices ----

/// Rows of cells. All have the length of the first list's first row: the build writes them one after another.
template <class F>
Rows<u16> rows_in(const SourceText& s, Id list, const F& cell, size_t width, size_t height) {
  const Dom& d = s.dom();
  Rows<u16> out;
  for (Id row = list ? d.first(list) : 0; row && !s.problem; row = d.next(row)) {
    if (!d.is(row, Kind::list) || d.size(row) != width) {
      s.stop(row, text("a row of ", counted(width, "cell")));
      return {};
    }
    auto& cells = out.emplace_back();
    for (Id one = d.first(row); one && !s.problem; one = d.next(one)) cells.push_back(u16(cell(one)));
  }
  if (!s.problem && !out.empty() && out.size() != height) s.stop(list, text(counted(height, "row"), ", as maps has"));
  return out;
}

/// Gives a list of rows other cells. Those that are as they were keep their text.
template <class F>
Stop set_rows(SourceText& s, std::string_view name, const Rows<u16>& was, const Rows<u16>& now, const F& cell) {
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
/// The colours of a block, after its lights.
constexpr std::string_view k_color_names[] = {"diffuseColor", "ambientColor", "specularColor", "emissionColor"};

/// The converter writes the values of an object in their order, whatever their names.
std::array<Id, 3> three_in(const SourceText& s, Id object, std::string_view name) {
  std::array<Id, 3> out{};
  const Id all = s.member(object, name, Kind::object);
  if (!all) return out;
  if (s.dom().size(all) != 3) {
    s.stop(all, "three values");
    return out;
  }
  size_t i = 0;
  for (Id one = s.dom().first(all); one; one = s.dom().next(one)) out[i++] = one;
  return out;
}
i32 whole_at(const SourceText& s, Id id) { return id ? i32(s.whole(id, INT32_MIN, INT32_MAX)) : 0; }
LightColor color_in(const SourceText& s, Id object, std::string_view name) {
  const auto c = three_in(s, object, name);
  return {whole_at(s, c[0]), whole_at(s, c[1]), whole_at(s, c[2])};
}
/// In 1/4096, rounded away from zero.
i32 direction_in(const SourceText& s, Id id) {
  if (!id) return 0;
  constexpr f64 k_one = 4096, k_most = 500000;
  const f64 x = s.dom().is_number(id) ? s.dom().number(id).number() : HUGE_VAL;
  if (!(std::fabs(x) < k_most)) {
    s.stop(id, "a number");
    return 0;
  }
  return i32(x > 0 ? std::ceil(x * k_one) : std::floor(x * k_one));
}

}  // namespace

Named name_text(const SourceText& s, std::string_view place, i64 number, const SourceNames& names, Space space,
                std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes)
    if (const std::string_view name = names.of(space).name(number, prefix); !name.empty()) return {quoted(name), {}};
  Diagnostic d =
      make_diagnostic("edit.limit", Place::in_file(s.path(), std::string(place)),
                      {.message = text("the number ", number, " has no name in ", SourceNames::file_of(space))});
  return {{}, std::move(d)};
}

std::vector<std::optional<u32>> partners(const Value& was, const Value& now) {
  Matching m;
  m.learn(was), m.learn(now);
  std::vector<std::optional<u32>> out;
  for (const u32 p : m.partners(now, was)) out.push_back(p == Matching::k_nobody ? std::nullopt : std::optional(p));
  return out;
}

MapMatrix matrix_in(const SourceText& s, const SourceNames& names) {
  const Dom& d = s.dom();
  MapMatrix out{};
  if (const Id name = s.member(0, "name", Kind::text)) {
    out.model_name_prefix = d.text(name);
    if (out.model_name_prefix.size() > 255 ||
        std::ranges::any_of(out.model_name_prefix, [](char c) { return u8(c) > 127; }))
      s.stop(name, "at most 255 characters of ASCII");
  }
  const Id headers = s.member(0, "headers", Kind::list), altitudes = s.member(0, "altitudes", Kind::list),
           maps = s.member(0, "maps", Kind::list);
  if (s.problem) return out;
  const size_t height = d.size(maps), width = height ? d.size(d.first(maps)) : 0;
  if (height > 255 || width > 255) {
    s.stop(maps, "at most 255 x 255 cells");
    return out;
  }
  out.width = u8(width), out.height = u8(height);
  out.land_data_ids = rows_in(s, maps, [&](Id id) { return s.named(id, names, Space::lands); }, width, height);
  out.map_header_ids = rows_in(s, headers, [&](Id id) { return s.named(id, names, Space::headers); }, width, height);
  out.altitudes = rows_in(s, altitudes, [&](Id id) { return s.whole(id, 0, 255); }, width, height);
  out.has_map_header_ids = !out.map_header_ids.empty(), out.has_altitudes = !out.altitudes.empty();
  return out;
}

Stop set_matrix(SourceText& s, const MapMatrix& now, const SourceNames& names) {
  const MapMatrix was = matrix_in(s, names);
  if (s.problem) return s.take_problem();
  if (was.model_name_prefix != now.model_name_prefix) s.replace(s.dom().find(0, "name"), quoted(now.model_name_prefix));
  const auto named = [&](Space space) {
    return [&, space](std::string_view place, u16 n) { return name_text(s, place, n, names, space); };
  };
  if (auto stop = set_rows(s, "headers", was.map_header_ids, now.map_header_ids, named(Space::headers))) return stop;
  if (auto stop = set_rows(s, "altitudes", was.altitudes, now.altitudes,
                           [](std::string_view, u16 n) { return Named{std::to_string(n), {}}; }))
    return stop;
  return set_rows(s, "maps", was.land_data_ids, now.land_data_ids, named(Space::lands));
}

AreaData area_in(const SourceText& s, const SourceNames& names) {
  AreaData out{};
  out.map_prop_archives_id = u16(s.named(0, "mapPropSet", names, Space::prop_sets));
  out.map_texture_archive_id = u16(s.named(0, "mapTextureSet", names, Space::texture_sets));
  out.area_light_archive_id = u16(s.named(0, "lightingSet", names, Space::lights));
  if (s.dom().find(0, "dummy")) out.dummy = u16(s.whole(0, "dummy", 0, 65535));
  return out;
}

Stop set_area(SourceText& s, const AreaData& now, const SourceNames& names) {
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
    if (names.of(p.space).number(s.dom().text(id)) == now.*p.member) continue;
    Named name = name_text(s, p.key, now.*p.member, names, p.space);
    if (name.problem) return std::move(name.problem);
    s.replace(id, std::move(name.text));
  }
  const Id dummy = s.dom().find(0, "dummy");
  if (dummy && s.whole(dummy, 0, 65535) != now.dummy) s.replace(dummy, std::to_string(now.dummy));
  if (!dummy && now.dummy) s.add_member(s.dom().find(0, "lightingSet"), "dummy", std::to_string(now.dummy));
  if (s.problem) return s.take_problem();
  return {};
}

AreaBuild prop_set_in(const SourceText& s, const SourceNames& names) {
  AreaBuild out;
  const Id all = s.member(0, "mapPropModels", Kind::list);
  if (all && s.dom().size(all) > 65535) s.stop(all, "at most 65535 models");
  for (Id one = all ? s.dom().first(all) : 0; one && !s.problem; one = s.dom().next(one))
    out.map_prop_model_ids.push_back(u16(s.named(one, names, Space::props)));
  return out;
}

Stop set_prop_set(SourceText& s, const AreaBuild& now, const SourceNames& names) {
  const AreaBuild was = prop_set_in(s, names);
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
    Named name = name_text(s, text("mapPropModels[", elements.size(), ']'), model, names, Space::props);
    if (name.problem) return std::move(name.problem);
    elements.emplace_back(0, std::move(name.text));
  }
  s.replace_elements(list, elements);
  return {};
}

AreaLight light_in(const SourceText& s, bool ends_in_line) {
  const Dom& d = s.dom();
  AreaLight out;
  LightBlocks& light = out.light.emplace();
  if (!d.is(0, Kind::list)) s.stop(0, "a list");
  for (Id one = d.first(0); one && !s.problem; one = d.next(one)) {
    LightBlock& b = light.blocks.emplace_back();
    b.end_time = i32(s.whole(one, k_light_time, INT32_MIN, INT32_MAX));
    const Id lights = s.member(one, "lights", Kind::list);
    if (lights && d.size(lights) != b.lights.size()) s.stop(lights, "four lights");
    if (s.problem) return out;
    Id at = d.first(lights);
    for (LightLine& l : b.lights) {
      const Id enabled = s.member(at, "enabled", Kind::boolean);
      l.enabled = enabled && d.number(enabled).boolean();
      const LightColor c = color_in(s, at, "color");
      l.red = c.red, l.green = c.green, l.blue = c.blue;
      const auto direction = three_in(s, at, "direction");
      l.x = direction_in(s, direction[0]), l.y = direction_in(s, direction[1]), l.z = direction_in(s, direction[2]);
      at = d.next(at);
    }
    LightColor* const colors[] = {&b.diffuse, &b.ambient, &b.specular, &b.emission};
    for (size_t i = 0; i < std::size(colors); ++i) *colors[i] = color_in(s, one, k_color_names[i]);
  }
  if (ends_in_line) light.ending = "\r\n";
  return out;
}

}  // namespace dio::platinum
