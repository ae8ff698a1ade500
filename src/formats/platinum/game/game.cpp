#include <algorithm>
#include <utility>

#include "core/join_rules.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "formats/platinum/game/decompilation_files.hpp"
#include "formats/platinum/game/dspre_folders.hpp"
#include "formats/platinum/game/file_roles.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/layout/matshp.hpp"
#include "formats/platinum/parts.hpp"
#include "formats/platinum/scene/world.hpp"

namespace dio::platinum {

namespace {

constexpr std::string_view k_matshp = "matshp";

class PlatinumGame final : public Game {
 public:
  explicit PlatinumGame(GameTables t) : tables_(std::move(t)) {}

  Value info() const override {
    Value v = Value::object();
    constexpr std::string_view k_editions[] = {"Platinum", "Diamond or Pearl", "HeartGold or SoulSilver"};
    v.add("edition", k_editions[size_t(tables_.files().edition())]);
    v.add("headers", u64(tables_.headers.size()));
    Value& members = v.add("members", Value::object());
    for (size_t r = 0; r < k_roles; ++r)
      if (const Members& m = tables_.files().of(FileRole(r)); m.there())
        members.add(std::string(kind_of(FileRole(r))), u64(m.count()));
    Value& missing = v.add("missing", Value::list());
    for (const std::string& path : tables_.files().missing()) missing.push(path);
    if (const auto& paths = tables_.files().header_paths(); !paths.empty()) {
      Value& looked = v.add("looked_for_headers_in", Value::list());
      for (const std::string& path : paths) looked.push(path);
    }
    v.add("damaged", u64(tables_.notes().size()));
    return v;
  }
  const GameGraph& graph() const override {
    if (!graph_) graph_ = build_game_graph(tables_);
    return *graph_;
  }
  MapTable maps() const override { return list_maps(tables_); }
  Diagnostics check(bool known) const override {
    Diagnostics all = check_game(tables_);
    if (!known) {
      std::map<std::pair<std::string, u64>, std::string> digests;
      std::erase_if(all, [&](const Diagnostic& d) {
        const auto [entry, is_new] = digests.try_emplace({d.place.file, d.place.offset});
        if (is_new) entry->second = digest_at_location(tables_.files(), d.place);
        return is_known_oddity(entry->second, d);
      });
    }
    // Byte positions in a built file do not exist in its source.
    for (Diagnostic& d : all)
      if (d.place.known() && tables_.files().is_source(d.place.file))
        d.place = dio::Location::in_file(d.place.file, d.place.path);
    return all;
  }
  Value count_unproven_values() const override { return platinum::count_unproven_values(tables_); }
  std::vector<GameChange> diff(const Game& other) const override {
    return diff_games(tables_, static_cast<const PlatinumGame&>(other).tables_);
  }
  std::vector<std::string_view> makes() const override { return {k_matshp}; }
  Result<Bytes> make(std::string_view name) const override {
    if (name == k_matshp) return build_matshp();
    return refuse("game.make", name,
                  {.message = text("only \"", k_matshp, "\" can be built from other files of the game")});
  }
  std::vector<TexturePair> pairs(std::string_view part) const override {
    std::vector<TexturePair> out;
    const auto add_texture_pairs = [&](std::span<const nitro::Model> models) {
      for (TexturePair& pair : nitro::collect_texture_pairs(models))
        if (std::ranges::find(out, pair) == out.end()) out.push_back(std::move(pair));
    };
    const auto found = graph().find(part);
    if (!found) return out;
    const auto& [kind, number, name, path, element] = graph().parts[*found];
    if (kind == kind_of(FileRole::map_textures)) {
      u32 last = ~0u;  // uses are sorted by land
      for (const Use& use : tables_.list_land_uses())
        if (use.area < tables_.areas.size() && tables_.areas[use.area] &&
            tables_.areas[use.area]->texture_set == number && std::exchange(last, use.land) != use.land)
          if (const auto land = tables_.land(use.land)) add_texture_pairs(land->model.models);
    } else if (kind == kind_of(FileRole::prop_textures) && number < tables_.prop_sets.size() &&
               tables_.prop_sets[number]) {
      for (const u16 prop : *tables_.prop_sets[number])
        if (const auto model = tables_.prop(prop, tables_.prop_role_of_set(number))) add_texture_pairs(model->models);
    }
    return out;
  }
  Result<Value> budget(std::string_view part) const override {
    if (const auto found = graph().find(part))
      if (auto budget = compute_budget(tables_, graph().parts[*found])) return std::move(*budget);
    return Game::budget(part);
  }
  std::span<const std::string_view> budget_kinds() const override { return platinum::budget_kinds(); }
  std::vector<NumberedList> numbered(std::string_view kind) const override {
    return platinum::find_numbered_lists(tables_.files(), kind);
  }
  std::string_view why_not_numbered(std::string_view kind) const override {
    if (kind == kind_of(FileRole::headers))
      return "the program contains the table of headers and their number, and the table of spawn points follows it "
             "without a gap, so no header can be added or removed";
    if (tables_.files().sources()) return "the sources of a decompilation refer to parts by name";
    return {};
  }
  Result<std::optional<BuiltPart>> build_part(const GamePart& part) const override {
    return platinum::build_part(tables_, part);
  }
  Result<GameEdited> change_built_part(const GamePart& part, Bytes bytes) const override {
    return platinum::change_built_part(tables_, part, std::move(bytes));
  }
  Result<GameEdited> duplicate_part(const GamePart& part) const override {
    auto copied = platinum::duplicate_part(tables_, part);
    return copied ? std::move(*copied) : Game::duplicate_part(part);
  }
  const GameTables& tables() const { return tables_; }
  std::span<const std::string_view> overlays() const override { return overlay_names(); }
  Result<SceneResult> world(std::string_view part, const WorldOptions& options) const override {
    auto staged = build_world_scene(tables_, part, options);
    if (staged || staged.error().id != "game.part") return staged;
    // Not of the form kind/N: perhaps a map name such as TOWN, or land/001.
    const auto found = graph().find(part);
    if (!found) return refuse(unknown_part(graph(), part));
    const std::string id = graph().parts[*found].id();
    return id == part ? std::move(staged) : build_world_scene(tables_, id, options);
  }

 private:
  /// Builds the draw lists of all props from their models. Keeps the order of an old list with the same draws.
  Result<Bytes> build_matshp() const {
    const Members& props = tables_.files().of(FileRole::props);
    if (!props.there())
      return refuse("game.make", dio::Location::in_file(props.path()),
                    {.message = "the archive of prop models is missing"});
    std::vector<std::vector<Draw>> lists;
    for (u32 i = 0; i < props.count(); ++i) {
      lists.emplace_back();
      if (i < tables_.motions.size() && tables_.motions[i] && !tables_.motions[i]->animations.empty()) continue;
      const auto file = tables_.prop(i);
      if (!file || file->models.empty())
        return refuse("game.make", dio::Location::in_file(props.path(i)),
                      {.message = file ? "the file has no model" : "the prop model cannot be read"});
      lists.back() = derive_sbc_draws(file->models[0]);
      if (tables_.draw_lists)
        lists.back() = prefer_existing_order(find_model_draws(*tables_.draw_lists, i), std::move(lists.back()));
    }
    auto table = platinum::build_matshp(lists);
    if (!table)
      return refuse("game.make", dio::Location::in_file(props.path()),
                    {.message = text("one file holds at most 65535 models and 65535 draws; the game has ",
                                     format_count(lists.size(), "model"), " and too many draws")});
    Document<Matshp> file;
    file.edit() = std::move(*table);
    return save(file);
  }

  GameTables tables_;
  mutable std::optional<GameGraph> graph_;
};

Sniff sniff(const FileTree& files) { return GameFiles::sniff(files); }

Result<std::unique_ptr<Game>> open(const FileTree& files) {
  auto tables = GameTables::load(files);
  if (!tables) return refuse(std::move(tables.error()));
  return std::make_unique<PlatinumGame>(std::move(*tables));
}

}  // namespace

std::string digest_at_location(const GameFiles& files, const dio::Location& place) {
  const auto bytes = files.read(place.file);
  if (!bytes) return {};
  if (place.known() && place.offset + place.size <= bytes->size())
    return digest_of(ByteView(*bytes).subspan(size_t(place.offset), size_t(place.size)));
  return digest_of(*bytes);
}

/// The rules of checks across files, and of differences between worlds and the game.
static std::span<const Rule> all_game_rules() {
  static const std::vector<Rule> all = concat_rules({game_rules(), world_rules()});
  return all;
}

const GameKind& game_kind() {
  static constexpr std::string_view k_options[] = {"time", "show", "rotation"};
  static constexpr PartKind k_scene_parts[] = {
      {"matrix", "Worlds", true}, {"header", "Maps", true}, {"land", "Land"}, {"area", "Areas"}};
  static const GameKind kind{.id = "platinum",
                             .title = "Pokémon Platinum and related games",
                             .anchor = find_file_role_path("land_data")->platinum,
                             .sniff = sniff,
                             .open = open,
                             .rules = all_game_rules,
                             .options = k_options,
                             .scene_parts = k_scene_parts,
                             .find_packed_archive = find_packed_archive,
                             .is_source_tree = is_decompilation,
                             .build_cartridge_files = build_cartridge_files,
                             .edits = game_edits()};
  return kind;
}

const GameTables& tables_of(const Game& game) { return static_cast<const PlatinumGame&>(game).tables(); }

}  // namespace dio::platinum
