#include "games.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/folders.hpp"
#include "../system/filesystem.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {

namespace {

void count_members(const Archive& archive, OpenedGameInput& of) {
  of.cut = archive.cut_members();
  of.members = archive.members().size();
}

/// The files of a folder in an archive: game.bin/MAP. Nothing if the name does not lead to one.
std::unique_ptr<FileTree> open_archive_folder(const std::string& name, OpenedGameInput& of) {
  const auto path = split_archive_path(name);
  if (!path) return nullptr;
  auto tree = open_archive_file(path->file);
  if (!tree || !(*tree)->archive().has_folder(path->inside)) return nullptr;
  count_members((*tree)->archive(), of);
  return std::make_unique<BranchTree>(std::move(*tree), path->inside);
}

/// What is read of a file as an archive; of a member, of standard input, from all of its bytes.
Result<std::unique_ptr<ArchiveTree>> open_input_archive(const Input& input, const std::string& name) {
  if (!input.problem && !input.archive && !input.is_stdin && input.name == name) return open_archive_file(name);
  auto bytes = read_input(input);
  if (!bytes) return refuse(std::move(bytes.error()));
  return open_archive_tree(std::move(*bytes), name);
}

std::string containing_folder(const Input& input) {
  const std::string folder = fs::path(input.name).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Whether a name is like that of the file by which a game is known.
bool has_game_index_extension(const std::string& name) {
  return std::ranges::any_of(game_kinds(), [extension = file_extension(name)](const GameKind* k) {
    return file_extension(std::string(k->anchor)) == extension;
  });
}

}  // namespace

std::optional<OpenedGameInput> open_game(const Request& request, const std::string& name, Report& report) {
  const auto report_open_failure = [&](Diagnostic d) -> std::optional<OpenedGameInput> {
    if (d.place.file.empty() || d.id == "game.unknown") d.place.file = name;
    if (d.place.file == "-") d.place.file = "standard input";
    report_error(report, request, d);
    return {};
  };
  OpenedGameInput out;
  out.name = name;
  if (is_folder(name)) {
    out.files = std::make_unique<FolderTree>(name);
  } else if (auto folder = open_archive_folder(name, out)) {
    out.files = std::move(folder);
  } else {
    const std::vector<Input> inputs = resolve_input_names({name});
    if (inputs.size() != 1) {
      report_usage_error(report, request, "only one game is allowed; " + name + " matches several files");
      return {};
    }
    if (auto tree = open_input_archive(inputs[0], name)) {
      count_members((*tree)->archive(), out);
      out.files = std::move(*tree);
    } else if (tree.error().id == "archive.none" && !inputs[0].archive && has_game_index_extension(name)) {
      out.name = containing_folder(inputs[0]);  // the game is the whole folder
      out.files = std::make_unique<FolderTree>(out.name, false);
    } else {
      return report_open_failure(std::move(tree.error()));
    }
  }
  auto opened = dio::open_game(*out.files);
  if (!opened) return report_open_failure(std::move(opened.error()));
  out.kind = opened->kind;
  out.game = std::move(opened->game);
  return out;
}

Diagnostic in_game(Diagnostic d, const OpenedGameInput& played) {
  d.place.file = d.place.file.empty() ? played.name : played.name + "/" + d.place.file;
  return d;
}

std::optional<WorldOptions> parse_world_options(const Request& request, Report& report) {
  WorldOptions options;
  options.state = request.state;
  options.every_state = request.every_state;
  if (options.every_state && !options.state.empty()) {
    report_usage_error(report, request, "--all-states and --state cannot be combined");
    return {};
  }
  options.lamps = request.lamps;
  if (!request.tick_rate.empty()) {
    constexpr f32 k_most = 1000;
    const std::string& s = request.tick_rate;
    f32 rate = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), rate);
    if (error != std::errc() || end != s.data() + s.size() || !(rate >= 1 && rate <= k_most)) {
      report_usage_error(report, request,
                         "--tick-rate must be a number from 1 to 1000 (ticks per second), not " + in_quotes(s));
      return {};
    }
    options.tick_rate = rate;
  }
  return options;
}

namespace {

/// Whether a file that may list it lies beside a file: MAP001.GNS beside MAP001.9.
bool has_sibling_index_file(const Input& input, const Format& format) {
  if (format.archive || input.is_stdin) return false;
  const auto is_archive = [](const std::string& extension) {
    return std::ranges::any_of(formats(), [&](const Format* f) { return f->archive && has_extension(*f, extension); });
  };
  return std::ranges::any_of(game_kinds(), [&](const GameKind* k) {
    const std::string small = file_extension(std::string(k->anchor));
    if (is_archive(small)) return false;
    for (const std::string& extension : {small, upper_case(small)})
      if (std::error_code error; fs::is_regular_file(fs::path(input.name).replace_extension(extension), error))
        return true;
    return false;
  });
}

/// A game in a folder, opened once for all files in it that are looked at.
struct GameInFolder {
  explicit GameInFolder(const std::string& folder) : files(folder, false) {}
  FolderTree files;
  PartsByPath parts{files};
  std::mutex in_use;  // games are not thread-safe
};
std::shared_ptr<GameInFolder> cached_folder_game(const std::string& folder) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<GameInFolder>> games;
  const std::lock_guard lock(mutex);
  std::shared_ptr<GameInFolder>& game = games[folder];
  if (!game) game = std::make_shared<GameInFolder>(folder);
  return game;
}

}  // namespace

bool is_game_index_file(const Input& input, const Format& format) {
  return !format.archive && !input.is_stdin && has_game_index_extension(input.own_name());
}

void visit_input_game_part(const Input& input, const Format& format,
                           const std::function<void(const OpenedGame&, const GamePart&)>& at) {
  if (input.archive) {
    input.archive->visit_game_part(input.member, at);
  } else if (is_game_index_file(input, format) || has_sibling_index_file(input, format)) {
    const auto game = cached_folder_game(containing_folder(input));
    const std::lock_guard lock(game->in_use);
    const GamePart* const part = game->parts.find(fs::path(input.name).filename().string());
    if (part) at(*game->parts.game(), *part);
  }
}

Result<Bytes> read_game_file(const Input& input, const std::string& path) {
  return input.archive ? input.archive->read(path) : FolderTree(containing_folder(input), false).read(path);
}

}  // namespace dio::cli
