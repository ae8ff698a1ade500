#include "viewed.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../input/batch.hpp"
#include "../../input/games.hpp"
#include "../../system/filesystem.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {
namespace {

/// Larger files are not opened to see what belongs to them: they are images of discs and cartridges.
constexpr u64 k_most_opened = u64(64) << 20;

bool is_on_disk(const Input& input) {
  std::error_code error;
  return !input.archive && !input.is_stdin && fs::is_regular_file(input.name, error);
}

/// A file beside another one, on disk or in its archive; nothing if there is none.
std::optional<Input> find_sibling_input(const Input& input, const std::string& name) {
  const std::string& own = input.own_name();
  Input out;
  out.member = own.substr(0, own.find_last_of('/') + 1) + name;
  out.inside = (fs::path(input.inside).parent_path() / name).string();
  if (input.archive) {
    bool is_there = false;
    input.archive->visit_tree([&](const ArchiveTree& tree) { is_there = tree.has(out.member); });
    if (!is_there) return {};
    out.archive = input.archive;
    out.name = input.archive->name() + "/" + out.member;
    out.id = input.id;
    return out;
  }
  out.name = std::exchange(out.member, {});
  out.id = file_id(out.name);
  return is_on_disk(out) ? std::optional(out) : std::nullopt;
}

/// The names of the files beside one that belong to it.
std::vector<std::string> companion_file_names(const Input& input, const Format& format) {
  if (input.is_stdin) return {};
  std::vector<std::string> names;
  const std::string& own = input.own_name();
  if (const auto of = companion_ops_of(format).beside) names = of(own.substr(own.find_last_of('/') + 1));
  if (is_game_index_file(input, format))
    visit_input_game_part(input, format, [&](const OpenedGame& in, const GamePart& part) {
      const GameGraph& graph = in.game->graph();
      const u32 map = u32(&part - graph.parts.data());
      for (const GameLink& link : graph.links)
        if (link.from == map) names.emplace_back(file_name(graph.parts[link.to].path));
    });
  std::erase_if(names, [](const std::string& n) { return n.empty() || n.find('/') != n.npos; });
  return names;
}

class ViewedFileCollector {
 public:
  ViewedFileCollector(const Request& request, bool in_parts, Report& report)
      : request_(request),
        in_parts_(in_parts),
        limit_(std::min(request.limit.value_or(k_page_bytes), k_most_page_bytes)),
        report_(report) {}

  /// `belongs`: to another file, so that it is wanted whatever it is.
  bool add(const Input&, bool belongs = false);
  std::vector<ViewedFile> take_with_unique_names() &&;

 private:
  /// Whether the files of a folder are a game, so that it needs all of them.
  bool is_game_folder(const std::string& folder);
  bool report_failure(const Diagnostic& d) {
    report_error(report_, request_, d);
    return false;
  }
  bool report_size_limit(const Input&, u64 size);

  const Request& request_;
  bool in_parts_;
  u64 limit_, held_ = 0;
  Report& report_;
  std::set<std::pair<std::pair<u64, u64>, std::string>> seen_;  // files and members, whatever names lead to them
  std::map<std::string, bool> game_folders_;
  std::vector<ViewedFile> out_;
  std::vector<std::string> full_names_;
};

bool ViewedFileCollector::report_size_limit(const Input& input, u64 size) {
  const std::string limit =
      limit_ % (1 << 20) ? format_with_commas(limit_) + " bytes" : format_with_commas(limit_ >> 20) + " MiB";
  std::string hint = in_parts_ ? "name the archive itself, which is read in parts"
                               : "--serve shows files of any size, because it reads them in parts";
  if (limit_ < k_most_page_bytes)
    hint += in_parts_ ? "; --limit 256M allows more" : "; --limit 256M allows larger pages";
  return report_failure(make_diagnostic(
      "view.size", Location::in_file(input.name),
      {.message = in_parts_ ? "archive members and piped data are kept in memory, at most " + limit +
                                  " in total; with this file, the total would be " + format_with_commas(held_ + size) +
                                  " bytes"
                            : "a page holds at most " + limit + " of files; with this file, the total would be " +
                                  format_with_commas(held_ + size) + " bytes",
       .hint = hint}));
}

bool ViewedFileCollector::is_game_folder(const std::string& folder) {
  const auto [known, is_new] = game_folders_.try_emplace(folder);
  Report ignored;
  if (is_new) known->second = open_game(request_, folder.empty() ? "." : folder, ignored).has_value();
  return known->second;
}

/// The folder that a file was found in, as it was typed, and the name of that; empty if it was named itself.
std::pair<std::string, std::string> walked_folder(const Input& input) {
  if (!input.walked || input.archive || !input.name.ends_with(input.inside)) return {};
  const std::string folder = input.name.substr(0, input.name.size() - input.inside.size());
  std::error_code error;
  const fs::path whole = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  return {folder, (whole.has_filename() ? whole : whole.parent_path()).filename().string()};
}

bool ViewedFileCollector::add(const Input& input, bool belongs) {
  if (input.problem) return report_failure(*input.problem);
  if (input.id && !seen_.insert({{input.id->device, input.id->number}, input.member}).second) return true;
  const auto state = is_on_disk(input) ? file_state(input.name) : std::nullopt;
  const bool is_held = !(in_parts_ && state);
  if (state && is_held && held_ + state->size > limit_) return report_size_limit(input, state->size);
  ViewedFile file;
  const auto [folder, folder_name] = walked_folder(input);
  const bool is_hidden = input.inside.starts_with('.') || input.inside.find("/.") != std::string::npos;
  if (!folder_name.empty() && is_hidden) return true;
  file.name = folder_name.empty() ? input.inside : folder_name + "/" + input.inside;
  const Format* format = nullptr;
  if (state && (state->size > k_most_opened || looks_like_archive(input.name))) {
    file.size = state->size;
    if (is_held) {
      auto bytes = read_input(input);
      if (!bytes) return report_failure(bytes.error());
      file.bytes = std::move(*bytes);
    }
  } else {
    auto bytes = read_input(input);
    if (!bytes) return report_failure(bytes.error());
    const auto found = detect(*bytes, input.name);
    if (!found && input.walked && !is_game_folder(folder)) return true;
    if (!found && !belongs && !input.walked && !request_.quiet)
      report_.err +=
          input.name +
          ": the format is unknown; the viewer shows the bytes and can read the file as a format that you choose\n";
    if (found && !belongs) format = found->format;
    file.size = bytes->size();
    file.bytes = std::move(*bytes);
  }
  if (is_held) {
    file.size = file.bytes.size();
    if (held_ + file.size > limit_) return report_size_limit(input, file.size);
    held_ += file.size;
  } else {
    file.path = input.name;
    file.bytes = {};
  }
  out_.push_back(std::move(file));
  full_names_.push_back(input.name);
  if (format)
    for (const std::string& name : companion_file_names(input, *format))
      if (const auto other = find_sibling_input(input, name); other && !add(*other, true)) return false;
  return true;
}

std::vector<ViewedFile> ViewedFileCollector::take_with_unique_names() && {
  // Files of one name in several folders are called as they were typed.
  std::map<std::string, size_t> count;
  for (const ViewedFile& f : out_) ++count[f.name];
  for (size_t i = 0; i < out_.size(); ++i) {
    if (count[out_[i].name] < 2) continue;
    out_[i].name = full_names_[i];
    while (out_[i].name.starts_with('/') || out_[i].name.starts_with("./"))
      out_[i].name.erase(0, out_[i].name.starts_with('/') ? 1 : 2);
  }
  return std::move(out_);
}

}  // namespace

std::optional<std::vector<ViewedFile>> collect_viewed_files(const Request& request, const std::vector<Input>& inputs,
                                                            bool in_parts, Report& report) {
  ViewedFileCollector gathering(request, in_parts, report);
  for (const Input& i : inputs)
    if (!gathering.add(i)) return {};
  auto files = std::move(gathering).take_with_unique_names();
  if (!files.empty() || request.inputs.empty()) return files;
  report_no_inputs(request, {}, report);
  return {};
}

}  // namespace dio::cli
