#include "games.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/folders.hpp"
#include "core/printing.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {

namespace {

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
    auto tree = archive_of(inputs[0], name);
    if (!tree) return stop(std::move(tree.error()));
    count_members((*tree)->archive(), out);
    out.files = std::move(*tree);
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

bool lists_others(const Input& input, const Format& format) {
  if (format.archive || input.is_stdin) return false;
  const std::string extension = extension_in(input.own_name());
  return std::any_of(game_kinds().begin(), game_kinds().end(),
                     [&](const GameKind* k) { return extension_in(std::string(k->anchor)) == extension; });
}

void in_its_game(const Input& input, const Format& format,
                 const std::function<void(const OpenedGame&, const GamePart&)>& at) {
  if (input.archive) {
    input.archive->look_in_game(input.member, at);
  } else if (lists_others(input, format)) {
    const std::filesystem::path path(input.name);
    const std::string folder = path.parent_path().string();
    const FolderTree files(folder.empty() ? "." : folder, false);
    const PartsByPath game(files);
    if (const GamePart* part = game.find(path.filename().string())) at(*game.game(), *part);
  }
}

}  // namespace dio::cli
