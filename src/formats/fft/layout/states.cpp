#include "formats/fft/layout/states.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <tuple>
#include <utility>

#include "core/sorting.hpp"
#include "core/text_format.hpp"

namespace dio::fft {

namespace {

constexpr u16 k_low = 0xFFF;
constexpr u32 k_weather_count = 8;
constexpr u8 k_rain_command = 0x88, k_snow_command = 0x89;

/// Names of weather, with rain or snow, depending on the commands of the GNS file.
constexpr std::array<std::string_view, 5> k_weather_names = {"no-weather", "weather-alternate", "light-rain",
                                                             "normal-rain", "heavy-rain"};
constexpr std::array<std::string_view, 5> k_snow_names = {"", "", "light-snow", "normal-snow", "heavy-snow"};

Diagnostic invalid_state_error(std::string_view state, std::string message) {
  return make_diagnostic(
      "game.state", state,
      {.message = std::move(message),
       .hint =
           "words, separated by commas: day or night; no-weather, weather-alternate, light-rain, normal-rain, "
           "heavy-rain, light-snow, normal-snow, heavy-snow or weather=0 to 7; arrangement=0 to 4095; crystals=0 to "
           "4095"});
}

std::optional<u16> parse_number(std::string_view digits, u16 most) {
  u16 n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc() || end != digits.data() + digits.size() || n > most) return {};
  return n;
}

/// The value that the game compares with the row: the variable named by the row, and weather and time.
StateWord requested_state_word(const GnsRow& row, const MapState& s) {
  u16 low = 0;
  if (row.variable == k_crystals_variable) low = s.crystals;
  if (row.variable == k_arrangement_variable) low = s.arrangement;
  // The variable of weather and time contains no arrangement; a row with one is compared with it anyway.
  if (row.variable == k_weather_variable && row.state.arrangement) low = s.arrangement;
  return {s.night, s.weather, low};
}

/// The state of a row; for a row that matches several, the nearest.
std::optional<MapState> find_matching_state(GnsRow row) {
  StateWord& w = row.state;
  const GnsRow asked = row;
  if (row.comparison == 2) {  // one that is below
    if (w.arrangement)
      --w.arrangement;
    else if (w.weather)
      --w.weather;
    else if (!w.night)
      w.night = true;
    else
      return {};
  } else if (row.comparison == 3) {
    const bool counts = row.variable == k_arrangement_variable || row.variable == k_crystals_variable;
    if (w.arrangement < k_low && (counts || w.arrangement))
      ++w.arrangement;
    else if (w.weather < k_weather_count - 1)
      w = {w.night, u8(w.weather + 1), 0};
    else if (w.night)
      w = {};
    else
      return {};
  } else if (row.comparison != 1) {
    return {};
  }
  const MapState s = named_state(row);
  if (!row_matches_state(asked, s)) return {};  // unknown variables are treated as 0
  return s;
}

}  // namespace

MapState named_state(const GnsRow& row) {
  MapState s;
  s.night = row.state.night;
  s.weather = row.state.weather;
  (row.variable == k_crystals_variable ? s.crystals : s.arrangement) = row.state.arrangement;
  return s;
}

Result<MapState> parse_state(std::string_view state) {
  MapState out;
  bool time = false, weather = false, arrangement = false, crystals = false;
  const std::string lower = lower_case(state);
  std::string_view rest = lower;
  const auto once = [&](bool& said) { return !std::exchange(said, true); };
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view word = rest.substr(0, comma);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    rest.remove_prefix(std::min(rest.size(), comma + 1));
    const auto wrong = [&] {
      std::string alike;
      for (const auto& names : {k_weather_names, k_snow_names})
        for (const std::string_view known : names)
          if (word.size() > 2 && known.find(word) != known.npos)
            alike += (alike.empty() ? "" : ", ") + std::string(known);
      return refuse(invalid_state_error(state, "unknown word \"" + std::string(word) + "\" in the state" +
                                                   (alike.empty() ? "" : "; did you mean " + alike + "?")));
    };
    const auto twice = [&] {
      return refuse(invalid_state_error(state, "\"" + std::string(word) + "\" contradicts or repeats an earlier word"));
    };
    const size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto number = [&](u16 most) {
      return equals == word.npos ? std::nullopt : parse_number(word.substr(equals + 1), most);
    };
    if (word.empty() || word == "default") continue;
    if (word == "day" || word == "night") {
      if (!once(time)) return twice();
      out.night = word == "night";
    } else if (name == "arrangement" || name == "crystals") {
      const auto n = number(k_low);
      if (!n) return wrong();
      if (!once(name == "crystals" ? crystals : arrangement)) return twice();
      (name == "crystals" ? out.crystals : out.arrangement) = *n;
    } else {
      std::optional<u16> n;
      if (name == "weather") n = number(k_weather_count - 1);
      for (u16 i = 0; i < k_weather_names.size(); ++i)
        if (word == k_weather_names[i] || word == k_snow_names[i]) n = i;
      if (!n) return wrong();
      if (!once(weather)) return twice();
      out.weather = u8(*n);
    }
  }
  return out;
}

std::string to_string(const MapState& s, bool snow) {
  std::string out;
  const auto add = [&](std::string_view word) { out += (out.empty() ? "" : ",") + std::string(word); };
  if (s.night) add("night");
  if (s.weather >= k_weather_names.size())
    add("weather=" + std::to_string(s.weather));
  else if (s.weather)
    add(snow && !k_snow_names[s.weather].empty() ? k_snow_names[s.weather] : k_weather_names[s.weather]);
  if (s.arrangement) add("arrangement=" + std::to_string(s.arrangement));
  if (s.crystals) add("crystals=" + std::to_string(s.crystals));
  return out.empty() ? "default" : out;
}

bool has_snow(const Gns& gns) {
  bool snow = false;
  for (const GnsCommand& c : gns.commands) {
    if (c.type == k_rain_command) snow = false;
    if (c.type == k_snow_command) snow = true;
  }
  return snow;
}

bool is_default(const GnsRow& r) {
  return (r.variable == k_weather_variable || r.variable == k_arrangement_variable) && r.state.word() == 0;
}

bool row_matches_state(const GnsRow& row, const MapState& s) {
  if (is_default(row)) return false;
  const auto of = i16(row.state.word()),
             is = i16(requested_state_word(row, s).word());  // the game compares signed words
  switch (row.comparison) {
    case 1:
      return is == of;
    case 2:
      return is < of;
    case 3:
      return is > of;
    default:
      return false;
  }
}

std::vector<u32> find_loaded_rows(const Gns& gns, const MapState& s) {
  // The order in which the types are applied: k_resources.
  constexpr std::array<u8, 8> k_order = {k_primary_type, k_override_type, k_alternate_type, k_texture_type,
                                         k_page_type,    k_page_type + 1, k_page_type + 2,  k_page_type + 3};
  std::array<std::optional<u32>, k_order.size()> pending;
  const auto loaded = [](const GnsRow& r) { return r.is_file() && r.end.back() != 0; };
  const auto place = [&](const GnsRow& r) {
    return size_t(std::find(k_order.begin(), k_order.end(), r.type) - k_order.begin());
  };
  for (u32 i = 0; i < gns.rows.size(); ++i) {
    const GnsRow& r = gns.rows[i];
    if (!loaded(r)) continue;
    if (r.type == k_primary_type || r.type == k_override_type || (r.type == k_texture_type && is_default(r)))
      pending[place(r)] = i;
  }
  for (u32 i = 0; i < gns.rows.size(); ++i) {
    const GnsRow& r = gns.rows[i];
    if (const size_t at = place(r); loaded(r) && at < k_order.size() && row_matches_state(r, s)) pending[at] = i;
  }
  std::vector<u32> out;
  for (const auto& row : pending)
    if (row) out.push_back(*row);
  return out;
}

std::vector<MapState> list_row_states(const Gns& gns) {
  std::vector<MapState> out = {{}};
  for (const GnsRow& r : gns.rows)
    if (r.is_file() && !is_default(r))
      if (const auto s = find_matching_state(r)) out.push_back(*s);
  const auto key = [](const MapState& s) { return std::tuple(s.arrangement, s.crystals, s.night, s.weather); };
  sort_stably(out, [&](const MapState& a, const MapState& b) { return key(a) < key(b); });
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

GnsRow make_row_for_state(GnsRow file, const MapState& s) {
  file.variable = s.crystals ? k_crystals_variable : s.arrangement ? k_arrangement_variable : k_weather_variable;
  file.state = {s.night, s.weather, s.crystals ? s.crystals : s.arrangement};
  file.comparison = 1;
  return file;
}

namespace {

void edit_rows_updating_filler(Gns& list, auto change) {
  const auto find_last_file_row = [&]() -> const GnsRow* {
    const GnsRow* last = nullptr;
    for (const GnsRow& row : list.rows)
      if (row.is_file()) last = &row;
    return last;
  };
  const GnsRow* last = find_last_file_row();
  const auto repeats = [](const GnsRow& filler, const GnsRow& row) {
    return filler.lba == row.lba && filler.length == row.length;
  };
  const std::optional<GnsRow> was = last ? std::optional(*last) : std::nullopt;
  change();
  const GnsRow* now = find_last_file_row();
  if (!was || !now) return;
  for (GnsRow& row : list.rows)
    if (row.type == k_filler && repeats(row, *was)) row.lba = now->lba, row.length = now->length;
}

}  // namespace

void insert_row(Gns& list, size_t at, const GnsRow& row) {
  edit_rows_updating_filler(list, [&] { list.rows.insert(list.rows.begin() + std::ptrdiff_t(at), row); });
}
void erase_row(Gns& list, size_t at) {
  edit_rows_updating_filler(list, [&] { list.rows.erase(list.rows.begin() + std::ptrdiff_t(at)); });
}

}  // namespace dio::fft
