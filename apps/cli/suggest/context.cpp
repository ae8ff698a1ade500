#include <algorithm>

#include "../files/archives.hpp"
#include "../system/filesystem.hpp"
#include "core/result.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

bool is_file(const std::string& name) {
  std::error_code error;
  return !name.empty() && fs::is_regular_file(name, error);
}

bool is_folder(const std::string& name) {
  std::error_code error;
  return !name.empty() && fs::is_directory(name, error);
}

bool exists(const std::string& name) {
  if (is_file(name) || is_folder(name)) return true;
  if (name.find('/') == name.npos || name.find_first_of("*?[") != name.npos) return false;
  const auto inputs = resolve_input_names({name});
  if (!inputs.empty() && !inputs[0].problem) return true;
  // A folder in an archive.
  const size_t slash = name.find('/');
  const auto tree =
      is_file(name.substr(0, slash)) ? open_archive_file(name.substr(0, slash)) : refuse("archive.none", {}, {});
  const std::string inside = name.substr(slash + 1) + "/";
  return tree &&
         std::ranges::any_of((*tree)->list(), [&](const std::string& member) { return member.starts_with(inside); });
}

std::unique_ptr<TracedFile> trace(const std::string& name, const ReadAs& as) {
  if (!exists(name) || is_folder(name)) return nullptr;
  Request request;
  request.as = as;
  Report none;
  const auto inputs = resolve_input_names({name});
  if (inputs.size() != 1 || inputs[0].problem) return nullptr;
  auto traced = trace_input(request, inputs[0], none);
  return traced ? std::make_unique<TracedFile>(std::move(*traced)) : nullptr;
}

std::optional<OpenedGameInput> game_in(const std::string& name) {
  if (!exists(name)) return {};
  Report none;
  return open_game({}, name, none);
}

std::optional<GamePart> find_part(const OpenedGameInput& played, const std::string& typed) {
  const GameGraph& graph = played.game->graph();
  if (const auto found = graph.find(typed)) return graph.parts[*found];
  const size_t slash = typed.find('/');
  if (slash == typed.npos) return {};
  const std::string number = typed.substr(slash + 1), kind = lower_case(typed.substr(0, slash));
  std::vector<std::string> kinds = {kind.ends_with('s') ? kind.substr(0, kind.size() - 1) : kind};
  // What the game calls its maps: header/1 for map/1.
  for (const PartKind& k : played.kind->scene_parts)
    if (lower_case(std::string(k.title)) == kinds[0] + "s") kinds.emplace_back(k.kind);
  if (const auto named = graph.find(number); named && graph.parts[*named].kind == kinds[0]) return graph.parts[*named];
  for (const std::string& k : kinds)
    if (const auto found = graph.find(k + "/" + number)) return graph.parts[*found];
  return {};
}

std::string stem(const std::string& name) { return fs::path(name).stem().string(); }

std::string extension(const std::string& name) { return lower_case(fs::path(name).extension().string()); }

}  // namespace dio::cli::suggest
