#include "formats/platinum/sources/names.hpp"

#include <algorithm>

#include "core/json.hpp"

namespace dio::platinum {

namespace {

enum class Form : u8 { order, enumeration, c, sounds, texts };
struct SpaceText {
  Space space;
  Form form;
  std::string_view file;
};
constexpr SpaceText k_files[] = {
    {Space::headers, Form::enumeration, "generated/map_headers.txt"},
    {Space::lands, Form::enumeration, "generated/maps.txt"},
    {Space::matrices, Form::order, "res/field/matrices/map_matrices.order"},
    {Space::areas, Form::order, "res/field/area_data/area_data.order"},
    {Space::prop_sets, Form::order, "res/field/props/model_sets/prop_model_sets.order"},
    {Space::texture_sets, Form::order, "res/field/maps/texture_sets/map_texture_sets.order"},
    {Space::lights, Form::order, "res/field/lighting/lighting_sets.order"},
    {Space::props, Form::order, "res/field/props/models/map_prop_models.order"},
    {Space::events, Form::order, "res/field/events/zone_event.order"},
    {Space::scripts, Form::order, "res/field/scripts/scripts.order"},
    {Space::encounters, Form::order, "res/field/encounters/encounters.order"},
    {Space::messages, Form::enumeration, "generated/text_banks.txt"},
    {Space::music, Form::sounds, "res/sound/pl_sound_data.json"},
    {Space::labels, Form::texts, "res/text/location_names.json"},
    {Space::weathers, Form::c, "include/constants/overworld_weather.h"},
    {Space::cameras, Form::c, "include/constants/camera_types.h"},
    {Space::backgrounds, Form::enumeration, "generated/battle_backgrounds.txt"},
    {Space::constants, Form::c, "include/data/map_headers.h"},
    {Space::facings, Form::enumeration, "generated/bg_event_dirs.txt"},
    {Space::graphics, Form::enumeration, "generated/object_events_gfx.txt"},
    {Space::movements, Form::enumeration, "generated/movement_types.txt"},
    {Space::trainer_types, Form::enumeration, "generated/trainer_types.txt"},
    {Space::trainers, Form::enumeration, "generated/trainers.txt"},
    {Space::flags, Form::enumeration, "generated/vars_flags.txt"},
};
static_assert(std::size(k_files) == k_spaces);

/// Adds archive members in list order; a repeated name gets a number.
void add_names_of_order_file(NameTable& to, std::string_view text) {
  std::map<std::string_view, u32> before;
  i64 number = 0;
  for (const std::string_view line : split_lines(text)) {
    const u32 hits = before[line]++;
    to.add(to_c_identifier(line) + (hits ? "_" + std::to_string(hits) : ""), number++);
  }
}

/// Adds one constant per line, with or without a value.
void add_names_of_enumeration(NameTable& to, std::string_view text) {
  i64 next = 0;
  for (std::string_view line : split_lines(text)) {
    line = line.substr(0, std::min(line.find('#'), line.find("//")));
    const size_t equals = line.find('=');
    std::string_view name = line.substr(0, equals);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
    if (name.empty()) continue;
    if (equals != line.npos) {
      const auto value =
          evaluate_c_expression(line.substr(equals + 1), [&](std::string_view other) { return to.number(other); });
      if (!value) continue;
      next = *value;
    }
    to.add(std::string(name), next++);
  }
}

/// Adds names from a JSON list: sequences by file, texts by id.
void add_names_of_json_list(NameTable& to, std::string_view text, std::string_view list, std::string_view key) {
  const auto dom = json::read_dom(text);
  if (!dom) return;
  std::map<std::string_view, u32> before;
  i64 number = 0;
  const Dom::Id all = dom->find(0, list);
  for (Dom::Id one = all ? dom->first(all) : 0; one; one = dom->next(one), ++number) {
    const Dom::Id name = dom->find(one, key);
    if (!name || dom->text(name).empty()) continue;
    const u32 hits = before[dom->text(name)]++;
    to.add(to_c_identifier(dom->text(name)) + (hits ? "_" + std::to_string(hits) : ""), number);
  }
}

}  // namespace

void NameTable::add(std::string name, i64 number) {
  if (numbers_.emplace(name, number).second) names_.emplace(number, std::move(name));
}

std::optional<i64> NameTable::number(std::string_view name) const {
  const auto found = numbers_.find(std::string(name));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::string_view NameTable::name(i64 number, std::string_view prefix) const {
  const auto [first, last] = names_.equal_range(number);
  for (auto it = first; it != last; ++it)
    if (it->second.starts_with(prefix)) return it->second;
  return {};
}

std::string_view SourceNames::file_of(Space space) { return k_files[size_t(space)].file; }

const NameTable& SourceNames::table_of(Space space) const {
  auto& table = tables_[size_t(space)];
  if (!table) table = load_table(space);
  return *table;
}

void SourceNames::add(Space space, std::string name, u32 number) {
  table_of(space);
  tables_[size_t(space)]->add(std::move(name), number);
}

NameTable SourceNames::load_table(Space space) const {
  NameTable out;
  out.source = root_ + std::string(file_of(space));
  const auto read_text = [&](std::string_view file) -> std::string {
    const auto bytes = tree_->read(root_ + std::string(file));
    return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
  };
  const std::string text = read_text(file_of(space));
  switch (k_files[size_t(space)].form) {
    case Form::order:
      add_names_of_order_file(out, text);
      break;
    case Form::enumeration:
      add_names_of_enumeration(out, text);
      break;
    case Form::sounds:
      add_names_of_json_list(out, text, "seqInfo", "fileName");
      break;
    case Form::texts:
      add_names_of_json_list(out, text, "messages", "id");
      break;
    case Form::c:
      for (const auto& [name, value] : parse_c_constants(text)) out.add(std::string(name), value);
      if (space == Space::constants) {
        const std::string more = read_text("include/map_header.h");
        for (const auto& [name, value] : parse_c_constants(more)) out.add(std::string(name), value);
        out.add("FALSE", 0), out.add("TRUE", 1);
      }
      break;
  }
  return out;
}

std::string to_c_identifier(std::string_view file) {
  std::string out(file);
  for (char& c : out)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
  return out;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (!line.empty()) out.push_back(line);
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace dio::platinum
