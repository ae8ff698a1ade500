// game_words.cpp: verbs of files that were given a game or a part of one, and verbs of games that were given a file.
#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "operations/edit_steps.hpp"
#include "operations/game_editing.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

namespace {

/// GAME KIND N, GAME/KIND/N and GAME#KIND/N as GAME KIND/N.
void split_part(CommandLine& c) {
  const std::string first = c.operand(0);
  if (!exists(first)) {
    const size_t cut = first.find_first_of("/#");
    if (cut != first.npos && is_file(first.substr(0, cut))) {
      const auto played = game_in(first.substr(0, cut));
      if (played && find_part(*played, first.substr(cut + 1))) {
        c.set_operand(0, first.substr(0, cut));
        c.insert_operand(1, first.substr(cut + 1));
      }
    }
    return;
  }
  const std::string kind = c.operand(1), number = c.operand(2);
  if (!number.empty() && number.find_first_not_of("0123456789") == number.npos && kind.find('=') == kind.npos) {
    const auto played = game_in(first);
    if (played && find_part(*played, kind + "/" + number)) {
      c.set_operand(1, kind + "/" + number);
      c.remove_operand(2);
    }
  }
}

std::string file_of_part(const std::string& game, const GamePart& part) {
  return part.path.empty() ? std::string() : game + "/" + part.path;
}

/// The part in `land/0.props[0]`, and what follows it.
std::optional<std::pair<GamePart, std::string>> part_at_start(const OpenedGameInput& played, const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == text.npos) return {};
  const size_t end = std::min(text.find_first_not_of("0123456789", slash + 1), text.size());
  auto part = find_part(played, text.substr(0, end));
  if (!part) return {};
  return std::pair{std::move(*part), text.substr(end < text.size() && text[end] == '.' ? end + 1 : end)};
}

void repair_game_edit(CommandLine& c, const OpenedGameInput& played) {
  const std::string game = c.operand(0);
  // Values of a part: set GAME land/0.props[0].model_id=3
  if (c.verb == "set") {
    const auto at = part_at_start(played, c.operand(1));
    if (!at || at->first.path.empty()) return;
    c.set_operand(0, file_of_part(game, at->first));
    c.set_operand(1, at->second);
    return;
  }
  const std::string name = c.operand(1);
  if (const std::string number = c.operand(3);
      !number.empty() && number.find_first_not_of("0123456789") == number.npos &&
      c.operand(2).find_first_of("/=[") == std::string::npos && find_part(played, c.operand(2) + "/" + number)) {
    c.set_operand(2, c.operand(2) + "/" + number);  // duplicate land 0
    c.remove_operand(3);
  }
  for (const GameEdit& e : played.kind->edits)
    if (e.name == name) return;
  if (name == "move" || name == "remove" || name == "duplicate" || name == "swap") {
    if (const auto part = find_part(played, c.operand(2))) {
      c.set_operand(2, part->id());
      const std::string number = c.operand(3);
      if (name == "move" && !number.empty() && number.find_first_not_of("0123456789") == number.npos)
        c.set_operand(3, "after=" + std::string(part->kind) + "/" + number);
    }
    return;
  }
  // An edit of a file, with the part as an argument: set-tiles land=0
  for (size_t n = 2; n < c.count_operands(); ++n) {
    const std::string word = c.operand(n);
    const size_t equals = word.find('=');
    if (equals == word.npos) continue;
    const auto part = find_part(played, word.substr(0, equals) + "/" + word.substr(equals + 1));
    if (!part || part->path.empty()) continue;
    c.remove_operand(n);
    c.set_operand(0, file_of_part(game, *part));
    c.remove_option({"-o", "--output"});
    if (!c.has({"-i", "-n"})) c.add_option("-i");
    return;
  }
}

/// Verbs with another way to a game's parts.
void repair_game_verb(CommandLine& c, const OpenedGameInput& played) {
  const std::string typed = c.operand(1);
  const auto part = typed.empty() ? std::nullopt : find_part(played, typed);
  const std::string id = part ? part->id() : typed;
  if (c.verb == "convert") {
    if (typed.empty() || part) c.verb = "world";
    if (part) c.set_operand(1, id);
  } else if (c.verb == "budget") {
    if (!c.has({"--maps"})) c.add_option("--maps");
    if (part) {
      c.remove_operand(1);
      c.add_option("--part", id);
    }
  } else if (c.verb == "render" || c.verb == "show") {
    if (Word* w = c.option({"--part"}); w && w->has_value && !find_part(played, w->value))
      if (const auto map = find_part(played, "map/" + w->value)) w->value = map->id();
    if (part && !c.has({"--part"})) {
      c.remove_operand(1);
      c.add_option("--part", typed);
    }
  } else if (c.verb == "check") {
    if (part) c.remove_operand(1);
    if (part && !c.has({"--maps"})) c.add_option("--maps");
  } else if (c.verb == "textures") {
    if (!c.has({"-r"})) c.add_option("-r");
  } else if (c.verb == "tree") {
    if (part && !c.has({"--maps"})) c.add_option("--maps");
    if (part) c.set_operand(1, id);
  } else if ((c.verb == "get" || c.verb == "info" || c.verb == "ls" || c.verb == "explain") && part) {
    c.verb = "maps";
    c.set_operand(1, id);
  } else if (c.verb == "refs" && part) {
    c.set_operand(1, id);
  } else if (c.verb == "world") {
    if (!typed.empty())
      if (const auto map = part ? std::nullopt : find_part(played, "map/" + typed)) c.set_operand(1, map->id());
    // Without a part, only games with worlds have one to show.
    if (typed.empty() && !played.kind->scene_parts.empty() && played.kind->scene_parts[0].is_map &&
        !played.game->world("", {}))
      for (const GamePart& p : played.game->graph().parts)
        if (p.kind == played.kind->scene_parts[0].kind) {
          c.insert_operand(1, p.id());
          break;
        }
    const Word* o = c.option({"-o", "--output"});
    const std::string kind = o ? extension(o->value) : "";
    if (kind == ".png" || kind == ".gif" || kind == ".svg") {
      c.verb = "render";
      if (!typed.empty()) {
        c.remove_operand(1);
        c.add_option("--part", typed);
      }
    }
    const auto& options = played.kind->options;
    const auto has = [&](std::string_view name) { return std::ranges::find(options, name) != options.end(); };
    if (Word* w = c.option({"--time"}); w && !has("time") && has("state")) {
      w->text = "--state";
      w->value = "night";
    }
  }
}

}  // namespace

void repair_games(CommandLine& c, const Manual&) {
  split_part(c);
  const std::string first = c.operand(0);
  if (first.empty() || !exists(first)) return;
  const auto played = game_in(first);
  if (played && (c.verb == "edit" || c.verb == "set")) return repair_game_edit(c, *played);
  if (played) return repair_game_verb(c, *played);
  if (is_folder(first)) return;
  if (c.verb == "world") {
    c.verb = "convert";
    while (c.count_operands() > 1) c.remove_operand(1);
  } else if (c.verb == "maps") {
    c.verb = "info";
    while (c.count_operands() > 1) c.remove_operand(1);
  } else if (c.verb == "render") {
    c.remove_option({"--part"});
  } else {
    c.remove_option({"--maps"});
    const size_t slash = c.operand(1).find('/');
    if (c.verb == "refs" && slash != std::string::npos) c.remove_operand(1);
  }
}

}  // namespace dio::cli::suggest
