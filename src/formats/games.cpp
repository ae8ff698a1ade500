#include <algorithm>
#include <cstdlib>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/families.hpp"

namespace dio {

#define DECLARE(name)                \
  namespace name {                   \
  const GameKind& game_kind();       \
  std::span<const Format> formats(); \
  }
DIORAMA_GAMES(DECLARE)

std::span<const GameKind* const> game_kinds() {
#define APPEND(name) &name::game_kind(),
  static const std::vector<const GameKind*> all = {DIORAMA_GAMES(APPEND)};
  return all;
}

const GameKind* game_kind_of(const Format& format) {
  const auto is_it = [&](const Format& f) { return &f == &format; };
#define FIND(name) \
  if (std::ranges::any_of(name::formats(), is_it)) return &name::game_kind();
  DIORAMA_GAMES(FIND)
  return nullptr;
}

bool GamePart::matches_typed_name(std::string_view typed) const {
  const std::string said = lower_case(std::string(typed));
  if (!name.empty() && said == lower_case(name)) return true;
  const size_t slash = said.find('/');
  const std::string_view before = slash == said.npos ? "map" : std::string_view(said).substr(0, slash);
  std::string_view digits = slash == said.npos ? std::string_view(said) : std::string_view(said).substr(slash + 1);
  if (before != kind || digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return false;
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits == std::to_string(number);
}

std::optional<u32> GameGraph::find(std::string_view typed) const {
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].id() == typed) return u32(i);
  std::optional<u32> found;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].matches_typed_name(typed)) {
      if (!found)
        found = u32(i);
      else if (parts[*found].kind == parts[i].kind)
        return {};  // a name of several parts
    }
  return found;
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
      {.message = count ? "unknown game: none of the " + format_count(count, "file") + " identifies a known game"
                        : std::string("there are no files"),
       .hint = "use an image of a cartridge or a disc, or a folder that contains " + anchors});
}

std::vector<TexturePair> Game::pairs(std::string_view) const { return {}; }

Result<GameEdited> Game::change_built_part(const GamePart& part, Bytes) const {
  return refuse("edit.argument", Location::in_file(part.path), {.message = part.id() + " is not a source"});
}

Result<GameEdited> Game::duplicate_part(const GamePart& part) const {
  const std::string_view why = why_not_numbered(part.kind);
  return refuse("edit.argument", {},
                {.message = text("parts of the kind ", part.kind, " cannot be renumbered: ",
                                 why.empty() ? "their numbers are not positions in an archive, or are shared with "
                                               "other parts"
                                             : why)});
}

Result<Value> Game::budget(std::string_view part) const {
  const auto found = graph().find(part);
  if (!found) return refuse(unknown_part(graph(), part));
  return refuse("game.budget", part, {.message = "no limits are known for parts of this kind"});
}

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
  const std::string said = lower_case(std::string(id));
  const std::string wanted = said.find('/') == said.npos ? "map" : said.substr(0, said.find('/'));
  std::vector<std::string_view> kinds;
  std::vector<const GamePart*> alike;
  for (const GamePart& p : graph.parts) {
    if (kinds.empty() || kinds.back() != p.kind) kinds.push_back(p.kind);
    if (p.kind == wanted) alike.push_back(&p);
  }
  std::string named;
  for (const GamePart& p : graph.parts)
    if (p.matches_typed_name(id)) named += (named.empty() ? "" : ", ") + p.id();
  if (!named.empty()) return make_diagnostic("game.part", id, {.message = "several parts have this name: " + named});
  if (alike.empty() && said.find('/') == said.npos) {
    std::vector<std::string> names;
    for (const GamePart& p : graph.parts)
      if (!p.name.empty()) names.push_back(p.name);
    const std::string like = closest_match(id, names);
    return make_diagnostic(
        "game.part", id,
        {.message = "no part of the game has this name",
         .hint = (like.empty() ? "" : "did you mean " + like + "? ") + std::string("{maps GAME} lists the maps")});
  }
  if (alike.empty()) {
    std::string hint = "the parts of this game are";
    for (const std::string_view k : kinds) hint += (k == kinds.front() ? " " : ", ") + std::string(k) + "/N";
    return make_diagnostic("game.part", id, {.message = "no such part", .hint = std::move(hint)});
  }
  i64 number = 0;
  for (const char c : said)
    if ('0' <= c && c <= '9' && number < 1'000'000) number = 10 * number + (c - '0');
  const GamePart& near =
      **std::ranges::min_element(alike, {}, [&](const GamePart* p) { return std::abs(i64(p->number) - number); });
  return make_diagnostic(
      "game.part", {},
      {.message = "there is no " + wanted + " \"" + std::string(id) + '"',
       .hint = "did you mean " + (near.name.empty() ? near.id() : near.name + " (" + near.id() + ")") +
               "? the game has " + alike.front()->id() + " to " + alike.back()->id()});
}

}  // namespace dio
