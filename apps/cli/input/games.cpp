#include "games.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <mutex>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/folders.hpp"
#include "core/printing.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {

namespace {

namespace fs = std::filesystem;

void count_members(const Archive& archive, Played& of) {
  of.cut = archive.cut_members();
  of.members = archive.members().size();
}

/// The files of a folder in an archive: game.bin/MAP. Nothing if the name does not lead to one.
std::unique_ptr<FileTree> folder_in_archive(const std::string& name, Played& of) {
  const auto path = archive_path(name);
  if (!path) return nullptr;
  auto tree = archive_on_disk(path->file);
  if (!tree || !(*tree)->archive().has_folder(path->inside)) return nullptr;
  count_members((*tree)->archive(), of);
  return std::make_unique<BranchTree>(std::move(*tree), path->inside);
}

/// What is read of a file as an archive; of a member, of standard input, from all of its bytes.
Result<std::unique_ptr<ArchiveTree>> archive_of(const Input& input, const std::string& name) {
  if (!input.problem && !input.archive && !input.is_stdin && input.name == name) return archive_on_disk(name);
  auto bytes = read_input(input);
  if (!bytes) return refuse(std::move(bytes.error()));
  return archive_tree(std::move(*bytes), name);
}

std::string folder_of(const Input& input) {
  const std::string folder = fs::path(input.name).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Whether a name is like that of the file by which a game is known.
bool is_named_as_list(const std::string& name) {
  return std::ranges::any_of(game_kinds(), [extension = extension_in(name)](const GameKind* k) {
    return extension_in(std::string(k->anchor)) == extension;
  });
}

}  // namespace

std::optional<Played> open_game(const Request& request, const std::string& name, Report& report) {
  const auto stop = [&](Diagnostic d) -> std::optional<Played> {
    if (d.place.file.empty() || d.id == "game.unknown") d.place.file = name;
    if (d.place.file == "-") d.place.file = "standard input";
    fail(report, request, d);
    return {};
  };
  Played out;
  out.name = name;
  if (is_folder(name)) {
    out.files = std::make_unique<FolderTree>(name);
  } else if (auto folder = folder_in_archive(name, out)) {
    out.files = std::move(folder);
  } else {
    const std::vector<Input> inputs = inputs_named({name});
    if (inputs.size() != 1) {
      fail_usage(report, request, "only one game is allowed; " + name + " matches several files");
      return {};
    }
    if (auto tree = archive_of(inputs[0], name)) {
      count_members((*tree)->archive(), out);
      out.files = std::move(*tree);
    } else if (tree.error().id == "archive.none" && !inputs[0].archive && is_named_as_list(name)) {
      out.name = folder_of(inputs[0]);  // the game is all that lies beside it
      out.files = std::make_unique<FolderTree>(out.name, false);
    } else {
      return stop(std::move(tree.error()));
    }
  }
  auto opened = dio::open_game(*out.files);
  if (!opened) return stop(std::move(opened.error()));
  out.kind = opened->kind;
  out.game = std::move(opened->game);
  return out;
}

Diagnostic in_game(Diagnostic d, const Played& played) {
  d.place.file = d.place.file.empty() ? played.name : played.name + "/" + d.place.file;
  return d;
}

std::optional<WorldOptions> world_options(const Request& request, Report& report) {
  WorldOptions options;
  options.state = request.state;
  options.every_state = request.every_state;
  if (options.every_state && !options.state.empty()) {
    fail_usage(report, request, "--all-states cannot be combined with --state, which chooses one");
    return {};
  }
  options.lamps = request.lamps;
  if (!request.tick_rate.empty()) {
    constexpr f32 k_most = 1000;
    const std::string& s = request.tick_rate;
    f32 rate = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), rate);
    if (error != std::errc() || end != s.data() + s.size() || !(rate >= 1 && rate <= k_most)) {
      fail_usage(report, request,
                 "--tick-rate must be a number from 1 to 1000 (ticks per second), not " + in_quotes(s));
      return {};
    }
    options.tick_rate = rate;
  }
  return options;
}

namespace {

/// Whether a file that may list it lies beside a file: MAP001.GNS beside MAP001.9.
bool is_listed_beside(const Input& input, const Format& format) {
  if (format.archive || input.is_stdin) return false;
  const auto is_archive = [](const std::string& extension) {
    return std::ranges::any_of(formats(), [&](const Format* f) { return f->archive && has_extension(*f, extension); });
  };
  return std::ranges::any_of(game_kinds(), [&](const GameKind* k) {
    const std::string small = extension_in(std::string(k->anchor));
    if (is_archive(small)) return false;
    for (const std::string& extension : {small, upper_case(small)})
      if (std::error_code error; fs::is_regular_file(fs::path(input.name).replace_extension(extension), error))
        return true;
    return false;
  });
}

/// A game in a folder, opened once for all files in it that are looked at.
struct FolderGame {
  explicit FolderGame(const std::string& folder) : files(folder, false) {}
  FolderTree files;
  PartsByPath parts{files};
  std::mutex in_use;  // games are not thread-safe
};
std::shared_ptr<FolderGame> game_in(const std::string& folder) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<FolderGame>> games;
  const std::lock_guard lock(mutex);
  std::shared_ptr<FolderGame>& game = games[folder];
  if (!game) game = std::make_shared<FolderGame>(folder);
  return game;
}

}  // namespace

bool lists_others(const Input& input, const Format& format) {
  return !format.archive && !input.is_stdin && is_named_as_list(input.own_name());
}

void in_its_game(const Input& input, const Format& format,
                 const std::function<void(const OpenedGame&, const GamePart&)>& at) {
  if (input.archive) {
    input.archive->look_in_game(input.member, at);
  } else if (lists_others(input, format) || is_listed_beside(input, format)) {
    const auto game = game_in(folder_of(input));
    const std::lock_guard lock(game->in_use);
    const GamePart* const part = game->parts.find(fs::path(input.name).filename().string());
    if (part) at(*game->parts.game(), *part);
  }
}

Result<Bytes> read_from_game(const Input& input, const std::string& path) {
  return input.archive ? input.archive->read(path) : FolderTree(folder_of(input), false).read(path);
}

}  // namespace dio::cli
