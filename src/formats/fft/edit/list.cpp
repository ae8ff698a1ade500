// list.cpp: named edits of GNS files: `dio edit MAP001.GNS add-state state=night,heavy-rain like=night -o NEW`.
#include <algorithm>

#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/edit/edits.hpp"
#include "formats/fft/layout/states.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {

namespace {

std::optional<MapState> parse_state_argument(Arguments& a, std::string_view name) {
  auto state = parse_state(a.text(name));
  if (state) return *state;
  if (!a.problem) a.problem = std::move(state.error());
  return {};
}

/// The rows that apply to a state and to no other.
std::vector<size_t> find_rows_of_state(const Gns& list, const MapState& state) {
  std::vector<size_t> out;
  for (size_t i = 0; i < list.rows.size(); ++i) {
    const GnsRow& row = list.rows[i];
    if (row.is_file() && row.comparison == 1 && !is_default(row) && row_matches_state(row, state) &&
        named_state(row) == state)
      out.push_back(i);
  }
  return out;
}

std::string describe_states_with_rows(const Gns& list) {
  std::string out;
  for (const MapState& s : list_row_states(list))
    if (!find_rows_of_state(list, s).empty()) out += (out.empty() ? "" : "; ") + to_string(s, has_snow(list));
  return out.empty() ? "the list has only the default state" : "these states have their own rows: " + out;
}

Done add_state(Gns& list, Arguments a) {
  const auto state = parse_state_argument(a, "state"), like = parse_state_argument(a, "like");
  if (!a.done()) return refuse_edit(a);
  const std::string name = to_string(*state, has_snow(list));
  if (*state == MapState{}) return refuse_edit("every list already has the default state");
  if (!find_rows_of_state(list, *state).empty()) return refuse_edit("the list already has rows for the state " + name);
  const std::vector<size_t> rows = find_rows_of_state(list, *like);
  if (rows.empty())
    return refuse_edit("no row belongs to the state " + to_string(*like, has_snow(list)) + " alone",
                       describe_states_with_rows(list));
  size_t at = rows.back() + 1;
  const std::vector<GnsRow> before = list.rows;
  for (const size_t i : rows) insert_row(list, at++, make_row_for_state(before[i], *state));
  return text(format_count(rows.size(), "row"), " added for the state ", name);
}

Done remove_state(Gns& list, Arguments a) {
  const auto state = parse_state_argument(a, "state");
  if (!a.done()) return refuse_edit(a);
  std::vector<size_t> rows = find_rows_of_state(list, *state);
  if (rows.empty())
    return refuse_edit("no row belongs to the state " + to_string(*state, has_snow(list)) + " alone",
                       describe_states_with_rows(list));
  for (size_t i = rows.size(); i-- > 0;) erase_row(list, rows[i]);
  return text(format_count(rows.size(), "row"), " removed");
}

template <Done (*change)(Gns&, Arguments)>
Done apply_gns_edit(AnyDocument& d, std::span<const Argument> arguments) {
  Gns now = value_of<Gns>(d);
  Done done = change(now, Arguments(arguments));
  if (done) edit_of<Gns>(d) = std::move(now);
  return done;
}

constexpr Parameter k_add_state_parameters[] = {required("state", "STATE", ParameterKind::text),
                                                required("like", "STATE", ParameterKind::text)};
constexpr Parameter k_remove_state_parameters[] = {required("state", "STATE", ParameterKind::text)};

}  // namespace

std::span<const Edit> gns_edits() {
  static constexpr Edit k_edits[] = {
      {"add-state", k_add_state_parameters,
       "adds a state, such as night,heavy-rain,arrangement=1, that loads the same files as another state",
       apply_gns_edit<add_state>},
      {"remove-state", k_remove_state_parameters, "removes the rows that apply only to this state",
       apply_gns_edit<remove_state>},
  };
  return k_edits;
}

}  // namespace dio::fft
