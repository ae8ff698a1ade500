#include <algorithm>
#include <set>
#include <tuple>

#include "core/join_rules.hpp"
#include "core/sorting.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/game/compare.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/scene/sources.hpp"

namespace dio::fft {

namespace {

constexpr std::string_view k_map_kind = "map", k_mesh_kind = "mesh", k_texture_kind = "texture";

/// The rules for files of a map taken together.
std::span<const Rule> all_rules() {
  static const std::vector<Rule> all = concat_rules({pairing_rules(), map_rules()});
  return all;
}

/// Reads maps on demand and keeps the last few.
class TacticsGame final : public Game {
 public:
  TacticsGame(const FileTree& tree, std::vector<MapFiles> maps) : tree_(tree), maps_(std::move(maps)) {}

  const FileTree& files() const { return tree_; }
  Value info() const override {
    Value v = Value::object();
    v.add("maps", u64(maps_.size()));
    u64 files = 0;
    for (const MapFiles& m : maps_) files += 1 + m.files.size();
    v.add("files", files);
    v.add("on_disc", !maps_.empty() && tree_.place(maps_[0].gns).has_value());
    return v;
  }

  const GameGraph& graph() const override {
    if (!graph_) graph_ = make_graph();
    return *graph_;
  }
  MapTable maps() const override;

  Diagnostics check(bool) const override {
    Findings findings(all_rules());
    Reporter out(findings);
    Diagnostics unreadable;
    for (u32 i = 0; i < maps_.size(); ++i) {
      const auto map = open(i);
      if (!map) {
        unreadable.push_back(map.error());
        continue;
      }
      check_pairing(**map, out);
      if ((*map)->unpaired()) continue;
      for (u32 row = 0; row < (*map)->gns().rows.size(); ++row) {
        if ((*map)->path(row).empty()) continue;
        const ReadFile& file = (*map)->read(row);
        if (file.problem) {
          if (unreadable.empty() || unreadable.back().place.file != file.problem->place.file)
            unreadable.push_back(*file.problem);
        } else if ((*map)->gns().rows[row].type == k_texture_type && file.size != k_texture_size)
          out.report(Severity::error, "fft.tex-size", dio::Location::in_file((*map)->path(row)),
                     {.message = text("the texture of row ", row, " of ", file_name((*map)->files().gns), " has ",
                                      file.size, " bytes; it must have ", k_texture_size)});
      }
      check_map(**map, out);
    }
    check_battle_bin_table(tree_, maps_, out);
    Diagnostics found = std::move(findings.list);
    std::move(unreadable.begin(), unreadable.end(), std::back_inserter(found));
    return found;
  }

  std::vector<GameChange> diff(const Game& other) const override {
    const auto& now = static_cast<const TacticsGame&>(other);
    std::vector<GameChange> out;
    const auto alone = [&](const MapFiles& m, GameChange::Kind kind) {
      out.push_back({kind, text("map/", m.number), m.name, {}, {}, {}, 1, {}});
    };
    size_t a = 0, b = 0;
    while (a < maps_.size() || b < now.maps_.size()) {
      if (b == now.maps_.size() || (a < maps_.size() && maps_[a].number < now.maps_[b].number)) {
        alone(maps_[a++], GameChange::Kind::removed);
      } else if (a == maps_.size() || now.maps_[b].number < maps_[a].number) {
        alone(now.maps_[b++], GameChange::Kind::added);
      } else {
        const auto was = open(u32(a)), is = now.open(u32(b));
        if (was && is) {
          auto changes = diff_maps(**was, **is);
          std::move(changes.begin(), changes.end(), std::back_inserter(out));
        } else if (bool(was) != bool(is)) {
          alone(now.maps_[b], GameChange::Kind::changed);
          out.back().was = was ? "readable" : "damaged", out.back().is = is ? "readable" : "damaged";
        }
        ++a, ++b;
      }
    }
    return out;
  }

  std::vector<std::string_view> makes() const override { return {}; }
  Result<Bytes> make(std::string_view name) const override {
    return refuse("game.make", name, {.message = "no file of this game can be built from others"});
  }
  std::span<const std::string_view> overlays() const override { return {}; }

  Result<SceneResult> world(std::string_view part, const WorldOptions& options) const override {
    const auto map = open_typed_map(part);
    if (!map) return refuse(map.error());
    const auto state = parse_state(options.state);
    if (!state) return refuse(state.error());
    const GameMap& m = **map;
    Diagnostics notes;
    std::vector<MergedMap> states;
    states.push_back(m.merge_for_state(*state, &notes));
    if (!(*state == MapState{}) && find_loaded_rows(m.gns(), *state) == find_loaded_rows(m.gns(), {})) {
      notes.push_back(make_diagnostic("game.state", Location::in_file(m.files().gns),
                                      {.message = "the map has no files for the state " + m.state_name(*state) +
                                                  ": the game shows the default state"}));
    }
    if (options.every_state)
      for (const MapState& s : m.states()) {
        if (s == *state) continue;
        if (states.size() == k_most_states) {
          notes.push_back(make_diagnostic("game.state", Location::in_file(m.files().gns),
                                          {.message = text("the map has ", m.states().size(),
                                                           " states; the scene has only ", k_most_states, " of them"),
                                           .hint = "show the others one at a time with {--state}"}));
          break;
        }
        states.push_back(m.merge_for_state(s, &notes));
      }
    auto staged = build_state_scene(states, options);
    if (!staged) {
      if (!notes.empty()) return refuse(std::move(notes.front()));  // the file that could not be read is the cause
      if (staged.error().place.file.empty()) staged.error().place.file = m.files().gns;
      return staged;
    }
    for (Diagnostic& d : staged->notes) {
      if (const auto slot = find_slot_by_path(d.place.path); slot && d.place.file.empty() && states.size() == 1)
        if (const MapFile* file = states[0].supplier(*slot)) d.place.file = file->path;
      if (d.place.file.empty()) d.place.file = m.files().gns;
    }
    for (Diagnostic& d : notes) d.severity = Severity::warning;  // the rest is shown
    staged->notes.insert(staged->notes.begin(), notes.begin(), notes.end());
    return staged;
  }

  /// The texels and palettes of the state in which the mesh is shown.
  std::vector<std::string> shown_with(const GamePart& part) const override {
    if (part.kind != k_mesh_kind) return {};
    // Its own map first: other maps are opened only if none of its rows names the file.
    for (const bool is_own : {true, false})
      for (u32 i = 0; i < maps_.size(); ++i) {
        if ((std::ranges::find(maps_[i].files, part.path) != maps_[i].files.end()) != is_own) continue;
        const auto map = open(i);
        if (!map || (*map)->unpaired()) continue;
        if (auto files = shown_with(part.path, **map)) return *std::move(files);
      }
    return {};
  }

  Result<Value> describe(std::string_view part, const WorldOptions& options) const override {
    const bool is_map = std::ranges::any_of(
        maps_, [&](const MapFiles& m) { return GamePart{k_map_kind, m.number, m.name, {}}.matches_typed_name(part); });
    if (!part.empty() && !is_map && graph().find(part)) return Game::describe(part, options);
    const auto map = open_typed_map(part);
    if (!map) return refuse(map.error());
    if (options.state.empty()) return describe_map(**map, nullptr);
    const auto state = parse_state(options.state);
    if (!state) return refuse(state.error());
    return describe_map(**map, &*state);
  }

 private:
  /// The files with textures and palettes for a mesh of a map; nothing if no row of the map names it.
  static std::optional<std::vector<std::string>> shown_with(const std::string& mesh, const GameMap& map) {
    const auto& rows = map.gns().rows;
    for (u32 row = 0; row < rows.size(); ++row) {
      if (is_texels(rows[row].type) || map.path(row) != mesh) continue;
      const MergedMap merged = map.merge_for_state(is_default(rows[row]) ? MapState{} : named_state(rows[row]));
      std::vector<std::string> out;
      for (const PartSource& s : merged.supplies) {
        const std::string& path = merged.files[s.file].path;
        const bool is_shown =
            s.slot == Mesh::k_palettes_slot || (s.slot >= Mesh::k_page_slot && s.slot < Mesh::k_page_slot + k_pages);
        if (is_shown && path != mesh && std::ranges::find(out, path) == out.end()) out.push_back(path);
      }
      return out;
    }
    return {};
  }
  /// Ids: those of GameMap::open.
  Result<std::shared_ptr<const GameMap>> open(u32 map) const {
    for (const auto& [number, kept] : kept_)
      if (number == map) return kept;
    auto opened = GameMap::open(tree_, maps_[map], placed_);
    if (!opened) return opened;
    if (kept_.size() == k_kept) kept_.erase(kept_.begin());
    kept_.push_back({map, *opened});
    return opened;
  }
  /// A map as typed: `map/1`, `MAP001`, `1`; if the game has only one map, also nothing. Ids: game.part,
  /// fft.file-count, and those of GameMap::open.
  Result<std::shared_ptr<const GameMap>> open_typed_map(std::string_view part) const {
    for (u32 i = 0; i < maps_.size(); ++i) {
      const bool is_only = part.empty() && maps_.size() == 1;
      if (!is_only && !GamePart{k_map_kind, maps_[i].number, maps_[i].name, {}}.matches_typed_name(part)) continue;
      auto map = open(i);
      if (!map || !(*map)->unpaired()) return map;
      Diagnostic d = *(*map)->unpaired();
      d.severity = Severity::stop;
      return refuse(std::move(d));
    }
    return refuse(unknown_map_error(part));
  }
  /// game.part, with the closest map.
  Diagnostic unknown_map_error(std::string_view part) const {
    if (part.empty())
      return make_diagnostic("game.part", {},
                             {.message = text("no map given: name one of the ", maps_.size(), " maps"),
                              .hint = text("for example ", maps_[0].name, "; {maps GAME} lists them")});
    if (graph().find(part))
      return make_diagnostic(
          "game.part", {},
          {.message = text(part, " is a file of a map; only maps can be shown"), .hint = "{maps GAME} lists them"});
    return dio::unknown_part(graph(), part);
  }
  GameGraph make_graph() const;
  static constexpr size_t k_kept = 4, k_most_states = 64;
  const FileTree& tree_;
  std::vector<MapFiles> maps_;
  mutable std::vector<std::pair<u32, std::shared_ptr<const GameMap>>> kept_;  // most recently read last
  mutable std::optional<GameGraph> graph_;
  mutable std::optional<PlacedFiles> placed_;
};

/// Maps, and their files by the type in their rows. Files are numbered across all maps.
GameGraph TacticsGame::make_graph() const {
  struct FilePart {
    std::string path;
    bool texels;
    std::vector<u32> users;  // maps
  };
  std::vector<FilePart> files;  // by map, then by N
  std::map<std::pair<std::string, bool>, size_t> seen;
  GameGraph g;
  for (u32 i = 0; i < maps_.size(); ++i) {
    g.parts.push_back({k_map_kind, maps_[i].number, maps_[i].name, maps_[i].gns});
    const auto map = open(i);
    if (!map) continue;
    std::vector<std::tuple<size_t, std::string, bool>> own;
    for (u32 row = 0; row < (*map)->gns().rows.size(); ++row) {
      const std::string& path = (*map)->path(row);
      if (path.empty()) continue;
      const auto at = std::find(maps_[i].files.begin(), maps_[i].files.end(), path);
      own.emplace_back(size_t(at - maps_[i].files.begin()), path, is_texels((*map)->gns().rows[row].type));
    }
    sort_stably(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (auto& [number, path, texels] : own) {
      const auto [entry, is_new] = seen.try_emplace({path, texels}, files.size());
      if (is_new) files.push_back({path, texels, {}});
      files[entry->second].users.push_back(i);
    }
  }
  for (const bool texels : {false, true}) {
    u32 number = 0;
    for (const FilePart& f : files) {
      if (f.texels != texels) continue;
      for (const u32 map : f.users) g.links.push_back({map, u32(g.parts.size())});
      g.parts.push_back({texels ? k_texture_kind : k_mesh_kind, number++, std::string(file_name(f.path)), f.path});
    }
  }
  sort_stably(g.links,
              [](const GameLink& a, const GameLink& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  return g;
}

/// Adds the content of a map in its default state to its table row.
void add_map_counts(Value& row, const GameMap& m) {
  std::set<std::string_view> textures;
  for (u32 r = 0; r < m.gns().rows.size(); ++r)
    if (is_texels(m.gns().rows[r].type) && !m.path(r).empty()) textures.insert(m.path(r));
  u32 arrangements = 0;
  for (const MapState& s : m.states()) arrangements = std::max(arrangements, u32(s.arrangement));
  Diagnostics problems;
  const MergedMap base = m.merge_meshes_for_state({}, &problems);
  u64 polygons = 0, animated = 0, moving = 0;
  const auto count = [&](const Geometry& g) {
    for (const size_t n : count_polygons_by_kind(g)) polygons += n;
  };
  if (base.primary) count(*base.primary);
  for (const auto& g : base.animated)
    if (g) count(*g), ++animated;
  if (base.texture_animations)
    for (const TextureAnimation& t : base.texture_animations->rows) moving += t.mode != 0;
  row.add("states", u64(m.states().size()));
  row.add("arrangements", arrangements + 1);
  row.add("terrain", base.terrain ? Value(text(base.terrain->size_x, " x ", base.terrain->size_z)) : Value());
  row.add("polygons", polygons);
  row.add("animated", animated);
  row.add("textures", u64(textures.size()));
  row.add("texture_animations", moving);
  if (!problems.empty()) row.add("problem", format_one_line(problems.front()));
}

MapTable TacticsGame::maps() const {
  MapTable out;
  out.columns = {"map",     "name",     "files",    "states",   "arrangements",
                 "terrain", "polygons", "animated", "textures", "texture_animations"};
  for (u32 i = 0; i < maps_.size(); ++i) {
    Value row = Value::object();
    row.add("map", maps_[i].number);
    row.add("name", maps_[i].name);
    row.add("files", u64(maps_[i].files.size()));
    const auto map = open(i);
    if (map && !(*map)->unpaired()) {
      add_map_counts(row, **map);
    } else {
      for (size_t c = 3; c < out.columns.size(); ++c) row.add(out.columns[c], Value());
      row.add("problem", format_one_line(map ? *(*map)->unpaired() : map.error()));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

Sniff sniff(const FileTree& files) {
  const std::vector<MapFiles> maps = find_maps(files);
  if (maps.empty()) return {};
  return {maps[0].files.empty() ? Sniff::Certainty::possible : Sniff::Certainty::likely,
          format_count(maps.size(), "map list") + ", the first is " + maps[0].gns};
}

Result<std::unique_ptr<Game>> open(const FileTree& files) {
  return std::make_unique<TacticsGame>(files, find_maps(files));
}

}  // namespace

const GameKind& game_kind() {
  static constexpr std::string_view k_options[] = {"state", "all-states", "lamps", "tick-rate"};
  static constexpr PartKind k_scene_parts[] = {{"map", "Maps", true}};
  static const GameKind kind{.id = "fft",
                             .title = "Final Fantasy Tactics",
                             .anchor = "MAP/MAP001.GNS",
                             .sniff = sniff,
                             .open = open,
                             .rules = all_rules,
                             .options = k_options,
                             .scene_parts = k_scene_parts,
                             .follow = follow,
                             .follow_packing = follow_packing,
                             .finds_elsewhere = finds_elsewhere,
                             .edits = game_edits()};
  return kind;
}

const FileTree& tree_of(const Game& game) { return static_cast<const TacticsGame&>(game).files(); }

}  // namespace dio::fft
