#include "formats/platinum/game_parts.hpp"

namespace dio::platinum {

namespace {

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
    v.add("damaged", u64(tables_.notes().size()));
    return v;
  }
  const GameGraph& graph() const override {
    if (!graph_) graph_ = graph_of(tables_);
    return *graph_;
  }
  MapTable maps() const override { return maps_of(tables_); }
  Diagnostics check(bool known) const override {
    Diagnostics all = check_game(tables_);
    if (!known) {
      std::map<std::pair<std::string, u64>, std::string> digests;
      std::erase_if(all, [&](const Diagnostic& d) {
        const auto [entry, is_new] = digests.try_emplace({d.place.file, d.place.offset});
        if (is_new) entry->second = digest_of_place(d.place);
        return is_known_oddity(entry->second, d);
      });
    }
    return all;
  }
  std::vector<GameChange> diff(const Game& other) const override {
    return diff_games(tables_, static_cast<const PlatinumGame&>(other).tables_);
  }
  std::vector<std::string_view> makes() const override { return {}; }
  Result<Bytes> make(std::string_view name) const override {
    Diagnostic d;
    d.id = "game.make";
    d.place.path = name;
    d.expected = "the name of a file";
    d.found = "no file of this name that can be made";
    return refuse(std::move(d));
  }
  Result<Staged> world(std::string_view part, const WorldOptions& options) const override {
    return world_of(tables_, part, options);
  }

 private:
  /// Of the file or the member of an archive; of the record, where the finding is about one: a program whose code was
  /// changed has the same headers.
  std::string digest_of_place(const dio::Place& place) const {
    const auto bytes = tables_.files().read(place.file);
    if (!bytes) return {};
    if (place.known() && place.offset + place.size <= bytes->size())
      return digest_of(ByteView(*bytes).subspan(size_t(place.offset), size_t(place.size)));
    return digest_of(*bytes);
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

const GameKind& game_kind() {
  static const GameKind kind{"platinum", "Pokémon Platinum, and its relatives", sniff, open, game_rules};
  return kind;
}

}  // namespace dio::platinum
