// info_tables.cpp: summaries of tables.
#include <algorithm>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {

namespace {

template <class T>
Value make_value_list(const T& xs) {
  Value v = Value::list();
  for (const auto& x : xs) v.push(x);
  return v;
}

/// The number of headers with each value of a field.
template <class Header>
Value count_field_values(const std::vector<Header>& headers, u8 Header::* field, const EnumNames& words) {
  std::map<u32, u64> counts;
  for (const Header& h : headers) ++counts[h.*field];
  Value v = Value::object();
  for (const auto& [value, n] : counts) v.add(enum_name_or_number(words, value), n);
  return v;
}
template <class Header>
Value common_header_info(const std::vector<Header>& headers) {
  std::set<u32> areas, matrices;
  for (const Header& h : headers) areas.insert(h.area_data_archive_id), matrices.insert(h.map_matrix_id);
  Value v = Value::object();
  v.add("headers", u64(headers.size()));
  v.add("areas", u64(areas.size()));
  v.add("matrices", u64(matrices.size()));
  return v;
}
Value map_header_info(const std::vector<MapHeader>& headers) {
  Value v = common_header_info(headers);
  v.add("map_types", count_field_values(headers, &MapHeader::map_type, k_map_types));
  v.add("cameras", count_field_values(headers, &MapHeader::camera_type, k_cameras));
  return v;
}

}  // namespace

Value info(const MapHeaders& f) { return map_header_info(f.headers); }
Value info(const MapHeadersDp& f) { return common_header_info(f.headers); }
Value info(const MapHeadersHgss& f) { return common_header_info(f.headers); }
Value info(const Arm9& f) {
  Value v = Value::object();
  v.add("table", format_hex(f.before.size()));
  Value headers = map_header_info(f.headers);
  for (auto& [name, value] : headers.members()) v.add(std::move(name), std::move(value));
  return v;
}
Value info(const MapNames& f) {
  Value v = Value::object();
  v.add("names", u64(f.names.size()));
  if (!f.names.empty()) {
    v.add("first", escape_control_chars(f.names.front().name));
    v.add("last", escape_control_chars(f.names.back().name));
  }
  return v;
}
Value info(const MapMatrix& f) {
  std::set<u16> lands, headers;
  u64 empty = 0;
  for (const auto& row : f.land_data_ids)
    for (const u16 id : row) id == k_no_land ? void(++empty) : void(lands.insert(id));
  for (const auto& row : f.map_header_ids) headers.insert(row.begin(), row.end());
  Value v = Value::object();
  v.add("size", std::to_string(f.width) + " x " + std::to_string(f.height) + " cells");
  v.add("model_name_prefix", escape_control_chars(f.model_name_prefix));
  v.add("lands", u64(lands.size()));
  v.add("empty_cells", empty);
  if (f.has_map_header_ids) v.add("headers", u64(headers.size()));
  v.add("altitudes", f.has_altitudes != 0);
  return v;
}
Value info(const AreaData& f) {
  Value v = Value::object();
  v.add("prop_set", f.map_prop_archives_id);
  v.add("texture_set", f.map_texture_archive_id);
  v.add("light", f.area_light_archive_id);
  return v;
}
Value info(const AreaDataHgss& f) {
  Value v = Value::object();
  v.add("prop_set", f.map_prop_archives_id);
  v.add("texture_set", f.map_texture_archive_id);
  if (f.dynamic_texture_archive_id != 0xFFFF) v.add("dynamic_textures", f.dynamic_texture_archive_id);
  v.add("type", f.area_type <= 1 ? std::string(k_area_types.of(f.area_type)) : std::to_string(f.area_type));
  v.add("light", f.area_light_archive_id);
  return v;
}
Value info(const AreaBuild& f) {
  Value v = Value::object();
  v.add("props", make_value_list(f.map_prop_model_ids));
  return v;
}
Value info(const AreaLight& f) {
  Value v = Value::object();
  if (!f.light) {
    v.add("text", "not in the form that the game reads");
    return v;
  }
  Value& times = v.add("until", Value::list());
  for (const LightBlock& b : f.light->blocks) {
    const i64 minutes = i64(b.end_time) * k_seconds_per_light_time / 60;
    const auto two = [](i64 n) { return (n >= 0 && n < 10 ? "0" : "") + std::to_string(n); };
    times.push(two(minutes / 60) + ":" + two(minutes % 60));
  }
  return v;
}
Value info(const MmList& f) {
  Value v = Value::object();
  v.add("sprites", make_value_list(std::span(f.sprite_ids).first(f.sprite_ids.size() - !f.sprite_ids.empty())));
  return v;
}
static Value animation_list_info(const auto& f) {
  Value v = Value::object();
  const auto end = std::find_if(f.anime_ids.begin(), f.anime_ids.end(), [](i32 id) { return id < 0; });
  v.add("animations", make_value_list(std::span(f.anime_ids.begin(), end)));
  v.add("loaded_later", f.flags != 0xFF && (f.flags & 1) != 0);
  v.add("bicycle_slope", f.bicycle_slope != 0);
  return v;
}
Value info(const BmAnimeList& f) { return animation_list_info(f); }
Value info(const BmAnimeListHgss& f) {
  Value v = animation_list_info(f);
  v.add("by_time_of_day", f.flags == BmAnimeListHgss::k_by_time);
  v.add("door_sound", f.door_sound);
  return v;
}
Value info(const Matshp& f) {
  Value v = Value::object();
  v.add("models", u64(f.models.size()));
  v.add("without_draws",
        u64(std::count_if(f.models.begin(), f.models.end(), [](const DrawRange& m) { return !m.count; })));
  v.add("draws", u64(f.draws.size()));
  return v;
}
Value info(const Fldtanime& f) {
  Value v = Value::object();
  Value& textures = v.add("textures", Value::list());
  for (const TextureAnime& t : f.textures) textures.push(escape_control_chars(t.name));
  return v;
}
Value info(const ZoneEvent& f) {
  Value v = Value::object();
  v.add("signs", u64(f.bg_events.size()));
  v.add("objects", u64(f.object_events.size()));
  v.add("warps", u64(f.warp_events.size()));
  v.add("triggers", u64(f.coord_events.size()));
  return v;
}

}  // namespace dio::platinum
