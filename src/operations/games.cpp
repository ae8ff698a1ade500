#include "operations/games.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"

namespace dio {

Value maps_json(const GameKind& kind, const Game& game) {
  const MapTable maps = game.maps();
  Value v = Value::object();
  v.add("schema", "diorama.maps/1");
  v.add("game", kind.id);
  v.add("files", game.info());
  Value& columns = v.add("columns", Value::list());
  for (const std::string& column : maps.columns) columns.push(column);
  Value& list = v.add("maps", Value::list());
  for (const Value& row : maps.rows) list.push(row);
  return v;
}

Value parts_json(const GameKind& kind, const Game& game) {
  Value v = Value::object();
  v.add("schema", "diorama.parts/1");
  v.add("game", kind.id);
  Value& list = v.add("parts", Value::list());
  for (const GamePart& part : game.graph().parts) {
    Value& one = list.push(Value::object());
    one.add("id", part.id());
    one.add("kind", part.kind);
    one.add("number", part.number);
    if (!part.name.empty()) one.add("name", part.name);
    if (!part.path.empty()) one.add("path", part.path);
    if (!part.element.empty()) one.add("element", part.element);
  }
  return v;
}

Value budget_json(const GameKind& kind, Value budget) {
  Value v = Value::object();
  v.add("schema", "diorama.budget/1");
  v.add("game", kind.id);
  for (auto& [name, value] : budget.members()) v.add(name, std::move(value));
  return v;
}

std::vector<Value> collect_budgets(const Game& game) {
  const auto kinds = game.budget_kinds();
  std::vector<Value> out;
  for (const GamePart& part : game.graph().parts) {
    if (std::ranges::find(kinds, part.kind) == kinds.end()) continue;
    if (auto budget = game.budget(part.id())) out.push_back(std::move(*budget));
  }
  return out;
}

Value budgets_json(const GameKind& kind, const std::vector<Value>& budgets) {
  Value v = Value::object();
  v.add("schema", "diorama.budgets/1");
  v.add("game", kind.id);
  Value& list = v.add("parts", Value::list());
  for (const Value& one : budgets) list.push(one);
  return v;
}

Value part_json(const GameKind& kind, Value described) {
  Value v = Value::object();
  v.add("schema", "diorama.part/1");
  v.add("game", kind.id);
  for (auto& [name, value] : described.members()) v.add(name, std::move(value));
  return v;
}

std::string_view to_string(GameChange::Kind k) {
  return k == GameChange::Kind::added ? "added" : k == GameChange::Kind::removed ? "removed" : "changed";
}

Value changes_json(const std::vector<GameChange>& changes) {
  Value v = Value::object();
  v.add("schema", "diorama.map-diff/1");
  Value& list = v.add("changes", Value::list());
  for (const GameChange& c : changes) {
    Value& one = list.push(Value::object());
    one.add("kind", to_string(c.kind));
    one.add("part", c.part);
    if (!c.name.empty()) one.add("name", c.name);
    if (!c.what.empty()) one.add("what", c.what);
    if (!c.was.empty()) one.add("old", c.was);
    if (!c.is.empty()) one.add("new", c.is);
    if (c.count > 1) one.add("count", c.count);
    Value& maps = one.add("maps", Value::list());
    for (const std::string& m : c.seen_in) maps.push(m);
  }
  return v;
}

namespace {

std::string join_names(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

/// Seconds since midnight of `20:30`.
std::optional<u32> parse_time_of_day(std::string_view time) {
  const size_t colon = time.find(':');
  if (colon == time.npos) return {};
  const auto is_number = [](std::string_view s) {
    return !s.empty() && s.size() <= 2 && std::ranges::all_of(s, [](char c) { return c >= '0' && c <= '9'; });
  };
  const std::string_view hours = time.substr(0, colon), minutes = time.substr(colon + 1);
  if (!is_number(hours) || !is_number(minutes)) return {};
  const auto h = *parse_whole_number(hours), m = *parse_whole_number(minutes);
  if (h > 23 || m > 59) return {};
  return u32(h * 3600 + m * 60);
}

std::optional<std::string> parse_shown_overlays(WorldOptions& options, const Game& game, std::string_view typed) {
  const auto overlays = game.overlays();
  if (overlays.empty()) return "has no effect: this game has no overlays";
  options.show.clear();
  for (const std::string_view name : split(typed, ',')) {
    if (name.empty()) continue;
    if (std::ranges::find(overlays, name) == overlays.end())
      return "accepts only " + join_names(overlays) + ", not " + given(name);
    options.show.emplace_back(name);
  }
  return {};
}

std::optional<std::string> parse_yes_no(bool& flag, std::string_view typed) {
  if (typed != "yes" && typed != "no") return "must be yes or no, not " + given(typed);
  flag = typed == "yes";
  return {};
}

}  // namespace

std::optional<std::string> set_world_option(WorldOptions& options, const GameKind& kind, const Game& game,
                                            std::string_view name, std::string_view typed) {
  const auto known = kind.options;
  if (std::ranges::find(known, name) == known.end())
    return "has no effect in " + std::string(kind.title) + "; its options are " + join_names(known);
  if (name == "show") return parse_shown_overlays(options, game, typed);
  if (name == "state") {
    options.state = typed;
    return {};
  }
  if (name == "time") {
    const auto time = parse_time_of_day(typed);
    if (!time) return "must be hours and minutes from 0:00 to 23:59, not " + given(typed);
    options.time = *time;
    return {};
  }
  if (name == "tick-rate") {
    const auto rate = parse_number(typed);
    if (!rate || !(*rate >= 1 && *rate <= 1000))
      return "must be a number from 1 to 1000 (ticks per second), not " + given(typed);
    options.tick_rate = f32(*rate);
    return {};
  }
  return parse_yes_no(name == "rotation" ? options.rotation
                      : name == "lamps"  ? options.lamps
                                         : options.every_state,
                      typed);
}

}  // namespace dio
