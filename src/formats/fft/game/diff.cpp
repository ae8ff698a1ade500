// diff.cpp: compares a map in two games: rows, files and their parts, with the states in which each difference shows.
#include <algorithm>
#include <set>

#include "formats/fft/game/compare.hpp"
#include "formats/fft/game/parts.hpp"

namespace dio::fft {

namespace {

constexpr size_t k_most_changes = 10000;  // of a map; nobody would read more

/// The identity of a row in both games; rows with the same key are matched by their order.
auto make_row_key(const GnsRow& r) { return std::tuple(r.type, r.variable, r.state.word(), r.comparison); }

class MapDiff {
 public:
  MapDiff(const GameMap& a, const GameMap& b) : a_(a), b_(b) {}
  std::vector<GameChange> run() {
    if (a_.unpaired() || b_.unpaired()) {
      if (bool(a_.unpaired()) != bool(b_.unpaired()))
        add_change("files", a_.unpaired() ? a_.unpaired()->message : "all rows have files",
                   b_.unpaired() ? b_.unpaired()->message : "all rows have files");
      return std::move(changes_);
    }
    diff_rows();
    diff_commands();
    return std::move(changes_);
  }

 private:
  using Kind = GameChange::Kind;
  GameChange* add_change(std::string what, std::string was = {}, std::string is = {}, u64 count = 1,
                         Kind kind = Kind::changed) {
    if (changes_.size() >= k_most_changes) return nullptr;
    changes_.push_back({kind,
                        text("map/", b_.files().number),
                        b_.files().name,
                        std::move(what),
                        std::move(was),
                        std::move(is),
                        count,
                        {}});
    return &changes_.back();
  }

  void diff_rows() {
    const auto group_rows_by_key = [](const GameMap& m) {
      std::map<decltype(make_row_key(m.gns().rows[0])), std::vector<u32>> out;
      for (u32 i = 0; i < m.gns().rows.size(); ++i)
        if (m.gns().rows[i].is_file()) out[make_row_key(m.gns().rows[i])].push_back(i);
      return out;
    };
    auto was = group_rows_by_key(a_), is = group_rows_by_key(b_);
    for (const auto& [key, rows] : was) is[key];
    for (const auto& [key, now] : is) {
      const std::vector<u32>& before = was[key];
      for (size_t i = 0; i < std::max(before.size(), now.size()); ++i)
        if (i >= now.size())
          add_change("row " + describe_row(a_, before[i]), {}, {}, 1, Kind::removed);
        else if (i >= before.size())
          add_change("row " + describe_row(b_, now[i]), {}, {}, 1, Kind::added);
        else
          diff_file(before[i], now[i]);
    }
  }
  /// `primary mesh for night (MAP001.9)`
  static std::string describe_row(const GameMap& m, u32 row) {
    const GnsRow& r = m.gns().rows[row];
    std::string out(k_resources.of(r.type));
    if (out.empty()) out = text("type ", r.type);
    if (!is_default(r)) out += " for " + m.state_name(named_state(r));
    return out + text(" (", file_name(m.path(row)), ")");
  }
  /// A file named by several rows is compared once.
  void diff_file(u32 was, u32 is) {
    if (!compared_.insert({a_.path(was), b_.path(is)}).second) return;
    const ReadFile &before = a_.read(was), &now = b_.read(is);
    const std::string name(file_name(b_.path(is).empty() ? a_.path(was) : b_.path(is)));
    if (before.problem || now.problem) {
      if (bool(before.problem) != bool(now.problem))
        if (GameChange* c =
                add_change(name, before.problem ? "damaged" : "readable", now.problem ? "damaged" : "readable"))
          c->seen_in = find_states_using_file(is);
      return;
    }
    for (Difference& d : compare(collect_map_parts(before), collect_map_parts(now)))
      if (GameChange* c = add_change(name + " " + part_name(d.slot) + (d.what.empty() ? "" : " ") + d.what,
                                     std::move(d.was), std::move(d.is), d.count))
        c->seen_in = find_states_using_file(is, d.slot);
  }
  /// The states in which the file of a row is loaded, or supplies that part.
  std::vector<std::string> find_states_using_file(u32 row, std::optional<size_t> slot = {}) {
    if (merged_.empty())
      for (const MapState& s : b_.states()) merged_.push_back(b_.merge_for_state(s));
    std::vector<std::string> out;
    for (const MergedMap& m : merged_) {
      const auto is_it = [&](const MapFile& f) { return f.path == b_.path(row); };
      const bool seen =
          slot ? std::any_of(m.supplies.begin(), m.supplies.end(),
                             [&](const PartSource& s) { return s.slot == *slot && is_it(m.files[s.file]); })
               : std::any_of(m.files.begin(), m.files.end(), is_it);
      if (seen) out.push_back(b_.state_name(m.state));
    }
    return out;
  }
  void diff_commands() {
    const auto list_command_names = [](const GameMap& m) {
      std::vector<std::string> out;
      for (const GnsCommand& c : m.gns().commands) {
        if (c.type == 0) continue;
        std::string name(k_commands.of(c.type));
        if (name.empty()) name = text("command ", c.type);
        if (c.state.word())
          name += text(" for ", m.state_name({c.state.arrangement, c.state.weather, c.state.night, 0}));
        const bool said = std::any_of(c.payload.begin(), c.payload.end(), [](u8 b) { return b; });
        out.push_back(said ? name + " " + encode_hex(c.payload) : name);
      }
      return out;
    };
    const auto was = list_command_names(a_), is = list_command_names(b_);
    for (size_t i = 0; i < std::max(was.size(), is.size()); ++i) {
      const std::string before = i < was.size() ? was[i] : std::string(), now = i < is.size() ? is[i] : std::string();
      if (before != now) add_change(text("commands[", i, "]"), before, now);
    }
  }

  const GameMap &a_, &b_;
  std::set<std::pair<std::string, std::string>> compared_;  // files
  std::vector<MergedMap> merged_;                           // of the second map, in each state
  std::vector<GameChange> changes_;
};

}  // namespace

std::vector<GameChange> diff_maps(const GameMap& was, const GameMap& is) { return MapDiff(was, is).run(); }

}  // namespace dio::fft
