#include <algorithm>

#include "core/printing.hpp"
#include "formats/contract/game.hpp"
#include "formats/families.hpp"

namespace dio {

#define DECLARE(name)          \
  namespace name {             \
  const GameKind& game_kind(); \
  }
DIORAMA_GAMES(DECLARE)

std::span<const GameKind* const> game_kinds() {
#define APPEND(name) &name::game_kind(),
  static const std::vector<const GameKind*> all = {DIORAMA_GAMES(APPEND)};
  return all;
}

std::optional<u32> GameGraph::find(std::string_view id) const {
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].id() == id) return u32(i);
  return {};
}

Result<OpenedGame> open_game(const FileTree& files) {
  OpenedGame best{nullptr, {}, nullptr};
  for (const GameKind* kind : game_kinds()) {
    Sniff s = kind->sniff(files);
    if (s.certainty > best.sniff.certainty) best.kind = kind, best.sniff = std::move(s);
  }
  if (best.kind) {
    auto game = best.kind->open(files);
    if (!game) return refuse(std::move(game.error()));
    best.game = std::move(*game);
    return best;
  }
  const size_t count = files.list().size();
  std::string anchors;
  for (const GameKind* kind : game_kinds())
    anchors += (anchors.empty() ? "" : " or ") + std::string(kind->anchor) + " (" + std::string(kind->title) + ")";
  return refuse(
      "game.unknown", {},
      {.message = count ? "unknown game: " + counted(count, "file") + ", but none that identifies a known game"
                        : std::string("there are no files"),
       .hint = "use an image of a cartridge or a disc, or a folder that contains " + anchors});
}

std::vector<TexturePair> Game::pairs(std::string_view) const { return {}; }

Result<Value> Game::describe(std::string_view part, const WorldOptions&) const {
  const GameGraph& all = graph();
  const auto found = all.find(part);
  if (!found) return refuse(unknown_part(all, part));
  const GamePart& p = all.parts[*found];
  Value out = Value::object();
  out.add("part", p.id());
  if (!p.name.empty()) out.add("name", p.name);
  if (!p.path.empty()) out.add("file", p.path);
  Value uses = Value::list(), used_by = Value::list();
  for (const GameLink& l : all.links) {
    if (l.from == *found) uses.push(all.parts[l.to].id());
    if (l.to == *found) used_by.push(all.parts[l.from].id());
  }
  out.add("uses", std::move(uses));
  out.add("used_by", std::move(used_by));
  return out;
}

Diagnostic unknown_part(const GameGraph& graph, std::string_view id) {
  const std::string_view wanted = id.substr(0, id.find('/'));
  std::vector<std::string_view> kinds;
  u32 last = 0;
  for (const GamePart& p : graph.parts) {
    if (kinds.empty() || kinds.back() != p.kind) kinds.push_back(p.kind);
    if (p.kind == wanted) last = std::max(last, p.number);
  }
  std::string hint = "the parts of this game are";
  if (std::find(kinds.begin(), kinds.end(), wanted) != kinds.end())
    hint += " " + std::string(wanted) + "/0 to " + std::string(wanted) + '/' + std::to_string(last);
  else
    for (const std::string_view k : kinds) hint += (k == kinds.front() ? " " : ", ") + std::string(k) + "/N";
  return make_diagnostic("game.part", id, {.message = "no such part", .hint = std::move(hint)});
}

}  // namespace dio
