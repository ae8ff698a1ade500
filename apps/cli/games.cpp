#include "games.hpp"

#include "archive_files.hpp"

namespace dio::cli {

std::optional<Played> open_game(const Request& request, const std::string& name, Report& report) {
  const auto stop = [&](Diagnostic d) -> std::optional<Played> {
    if (d.place.file.empty() || d.id == "game.unknown") d.place.file = name;
    fail(report, request, d);
    return {};
  };
  Played out;
  out.name = name;
  if (is_folder(name)) {
    out.files = std::make_unique<FolderTree>(name);
  } else {
    const std::vector<Input> inputs = expand({name}, false);
    if (inputs.size() != 1) {
      fail_usage(report, request, "one game at a time: " + name + " means several files");
      return {};
    }
    auto bytes = read_input(inputs[0]);
    if (!bytes) return stop(std::move(bytes.error()));
    auto archive = Archive::open(std::move(*bytes), name);
    if (!archive) return stop(std::move(archive.error()));
    out.files = std::make_unique<ArchiveTree>(std::move(*archive), name);
  }
  auto opened = dio::open_game(*out.files);
  if (!opened) return stop(std::move(opened.error()));
  out.kind = opened->kind;
  out.game = std::move(opened->game);
  return out;
}

}  // namespace dio::cli
