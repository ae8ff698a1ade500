#include "archives.hpp"

#include <algorithm>

#include "../system/filesystem.hpp"
#include "containers/disc/cue_sheet.hpp"
#include "core/glob.hpp"
#include "core/safe_path.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {

// ---- one archive ---------------------------------------------------------------------------------------------------

Result<std::unique_ptr<ArchiveTree>> open_archive_tree(Bytes bytes, const std::string& name, std::optional<u64> limit) {
  auto archive = Archive::open(std::move(bytes), name);
  if (!archive) return refuse(std::move(archive.error()));
  return std::make_unique<ArchiveTree>(std::move(*archive), name, limit);
}

Result<std::unique_ptr<ArchiveTree>> open_archive_file(const std::string& name, std::optional<u64> limit) {
  if (auto source = open_file_source(name); source && detect_archive_in_parts(**source, name)) {
    auto archive = Archive::open(std::move(*source), name);
    if (!archive) return refuse(std::move(archive.error()));
    return std::make_unique<ArchiveTree>(std::move(*archive), name, limit);
  }
  auto bytes = read_file(name);
  if (!bytes) return refuse(std::move(bytes.error()));
  return open_archive_tree(std::move(*bytes), name, limit);
}

Result<std::shared_ptr<ArchiveFile>> ArchiveFile::open(const std::string& given, std::optional<u64> limit) {
  const auto name = resolve_disc_image(given);
  if (!name) return refuse(name.error());
  const auto state = file_state(*name);
  auto tree = open_archive_file(*name, limit);
  if (!tree) return refuse(std::move(tree.error()));
  return std::make_shared<ArchiveFile>(*name, std::move(*tree), state, limit);
}

ArchiveFile::ArchiveFile(std::string name, std::unique_ptr<ArchiveTree> tree, std::optional<FileState> state,
                         std::optional<u64> limit)
    : name_(std::move(name)), tree_(std::move(tree)), state_(state), limit_(limit) {}

void ArchiveFile::release() {
  const std::lock_guard lock(mutex_);
  if (written_) return;
  game_.reset();
  tree_.reset();
}

Result<const ArchiveTree*> ArchiveFile::tree() {
  if (tree_) return tree_.get();
  if (file_state(name_) != state_)
    return refuse(
        io_error("io.read", name_, "another program has changed the file while it was read", "run the command again"));
  auto opened = open_archive_file(name_, limit_);
  if (!opened) return refuse(std::move(opened.error()));
  tree_ = std::move(*opened);
  return tree_.get();
}

Result<Bytes> ArchiveFile::read(const std::string& member) {
  const std::lock_guard lock(mutex_);
  const auto opened = tree();
  if (!opened) return refuse(opened.error());
  return (*opened)->read(member);
}

Result<std::shared_ptr<const ByteSource>> ArchiveFile::open_member(const std::string& member) {
  const std::lock_guard lock(mutex_);
  const auto opened = tree();
  if (!opened) return refuse(opened.error());
  return (*opened)->open_file(member);
}

void ArchiveFile::visit_tree(const std::function<void(const ArchiveTree&)>& at) {
  const std::lock_guard lock(mutex_);
  if (const auto opened = tree()) at(**opened);
}

std::vector<std::string> FilesOf::list() const {
  std::vector<std::string> paths;
  archive_->visit_tree([&](const ArchiveTree& tree) { paths = tree.list(); });
  return paths;
}
bool FilesOf::has(std::string_view path) const {
  bool has = false;
  archive_->visit_tree([&](const ArchiveTree& tree) { has = tree.has(path); });
  return has;
}

PartsByPath::PartsByPath(const FileTree& files) {
  auto opened = open_game(files);
  if (!opened) return;
  game_ = std::move(*opened);
  const auto& parts = game_->game->graph().parts;
  for (const GamePart& part : parts)
    if (!part.path.empty()) parts_.try_emplace(part.path, &part);
}

const GamePart* PartsByPath::find(std::string_view path) const {
  auto part = parts_.find(path);
  // Members without a name are called by their number, as files of this extension.
  if (part == parts_.end() && path.ends_with(".bin")) part = parts_.find(path.substr(0, path.size() - 4));
  return part == parts_.end() ? nullptr : part->second;
}

void ArchiveFile::visit_game_part(const std::string& member,
                                  const std::function<void(const OpenedGame&, const GamePart&)>& at) {
  const std::lock_guard lock(mutex_);
  if (!tree()) return;
  if (!game_) game_.emplace(*tree_);
  if (const GamePart* part = game_->find(member)) at(*game_->game(), *part);
}

Result<Written> ArchiveFile::replace(const std::string& member, ByteView content, const WriteOptions& options) {
  const std::lock_guard lock(mutex_);
  if (const auto opened = tree(); !opened) return refuse(opened.error());
  WriteOptions once = options;
  once.only_if = state_;
  if (written_) once.backup.clear();
  Bytes bytes(content.begin(), content.end());
  auto changed = can_patch_in_place(*tree_) ? replace_member_blocks(member, std::move(bytes), once)
                                            : rewrite_with_member(member, std::move(bytes), once);
  if (!changed) return refuse(std::move(changed.error()));
  written_ = true;
  if (!options.dry_run) state_ = changed->first.state;
  game_.reset();
  tree_ = std::move(changed->second);
  return std::move(changed->first);
}

Result<ArchiveFile::Changed> ArchiveFile::rewrite_with_member(const std::string& member, Bytes content,
                                                              const WriteOptions& options) {
  auto bytes = replace_nested_member(*tree_, member, std::move(content));
  if (!bytes) return refuse(std::move(bytes.error()));
  auto done = write_file(name_, *bytes, options);
  if (!done) return refuse(std::move(done.error()));
  auto tree = open_archive_tree(std::move(*bytes), name_);
  if (!tree) return refuse(std::move(tree.error()));
  return Changed{std::move(*done), std::move(*tree)};
}

Result<ArchiveFile::Changed> ArchiveFile::replace_member_blocks(const std::string& member, Bytes content,
                                                                const WriteOptions& options) {
  auto image = patch_nested_member(*tree_, member, std::move(content));
  if (!image) return refuse(std::move(image.error()));
  auto done = write_file(name_, Contents(name_, **image), options);
  if (!done) return refuse(std::move(done.error()));
  auto archive = Archive::open(*image, name_);  // its file is the old one, with the new blocks
  if (!archive) return refuse(std::move(archive.error()));
  return Changed{std::move(*done), std::make_unique<ArchiveTree>(std::move(*archive), name_)};
}

// ---- names ---------------------------------------------------------------------------------------------------------

namespace {

/// The one file in the folder of another that is called so, whatever the case of the letters.
std::optional<std::string> find_sibling_by_name(const fs::path& file, const std::string& name) {
  std::optional<std::string> found;
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    std::error_code ignored;
    if (lower_case(i->path().filename().string()) != lower_case(name) || !i->is_regular_file(ignored)) continue;
    const std::string path = (file.parent_path() / i->path().filename()).string();
    if (i->path().filename() == name) return path;
    if (found) return {};
    found = path;
  }
  return found;
}

}  // namespace

Result<std::string> resolve_disc_image(const std::string& name) {
  const fs::path sheet(name);
  if (lower_case(sheet.extension().string()) != ".cue") return name;
  const auto text = read_file(name);
  if (!text) return refuse(text.error());
  auto file = find_cue_data_file({reinterpret_cast<const char*>(text->data()), text->size()});
  if (!file) {
    file.error().place.file = name;
    return file;
  }
  const auto below = resolve_relative_path(*file);  // anything else could be a file that nobody wants to be changed
  const std::string data = below ? (sheet.parent_path() / *below).string() : *file;
  std::error_code error;
  if (below && fs::is_regular_file(data, error)) return data;
  // Sheets travel with their images: what another machine wrote names a folder of it, or other small and capital
  // letters.
  const std::string bare = file->substr(file->find_last_of("/\\") + 1);
  if (const auto beside = find_sibling_by_name(sheet, bare)) return *beside;
  if (below) return refuse(io_error("io.read", name, "the cue sheet refers to " + data + ", which does not exist"));
  return refuse(
      make_diagnostic("archive.cue", Location::in_file(name),
                      {.message = "the cue sheet refers to " + data + ", which is outside the folder of the sheet",
                       .hint = "put the image next to the cue sheet, or open the image itself"}));
}

std::optional<ArchivePath> split_archive_path(const std::string& name) {
  std::error_code error;
  if (fs::exists(name, error)) return {};
  for (size_t slash = name.find('/', 1); slash != name.npos; slash = name.find('/', slash + 1)) {
    const std::string file = name.substr(0, slash);
    if (!fs::is_regular_file(file, error)) continue;
    std::string inside = name.substr(slash + 1);
    inside.erase(0, inside.find_first_not_of('/'));
    while (inside.ends_with('/')) inside.pop_back();
    if (inside.empty()) return {};
    return ArchivePath{resolve_disc_image(file).value_or(file), inside};
  }
  return {};
}

bool looks_like_archive(const std::string& file) {
  const auto source = open_file_source(file);  // what is read of a pipe is gone
  if (!source) return false;
  constexpr u64 k_head = 44'000;  // of a disc, its first two volume descriptors
  Bytes room;
  const ByteView bytes = (*source)->view_available(0, k_head, room).value_or(ByteView());
  const std::string extension = file_extension(file);
  return std::any_of(formats().begin(), formats().end(), [&](const Format* f) {
    if (!f->archive) return false;
    const bool named = !extension.empty() && has_extension(*f, extension);
    const auto certainty = f->sniff(bytes, named ? file : "").certainty;
    return certainty == Sniff::Certainty::certain || (named && certainty != Sniff::Certainty::no);
  });
}

namespace {

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t slash = path.find('/');
    parts.emplace_back(path.substr(0, slash));
    if (slash == path.npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

/// How much of the pattern may stand for all of these parts: where it goes on. `**` stands for any folders, or none.
std::vector<size_t> advance_pattern(const std::vector<std::string>& pattern, std::vector<size_t> at,
                                    const std::vector<std::string>& parts) {
  const auto add_double_star_skips = [&](std::vector<size_t> places) {
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i] < pattern.size() && pattern[places[i]] == "**") places.push_back(places[i] + 1);
    sort_stably(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  };
  at = add_double_star_skips(std::move(at));
  for (const std::string& part : parts) {
    std::vector<size_t> next;
    for (const size_t i : at) {
      if (i == pattern.size()) continue;
      if (pattern[i] == "**")
        next.push_back(i);
      else if (matches_wildcard(pattern[i], part))
        next.push_back(i + 1);
    }
    at = add_double_star_skips(std::move(next));
  }
  return at;
}

void collect_matching_members(const ArchiveTree& tree, const std::string& before,
                              const std::vector<std::string>& pattern, const std::vector<size_t>& at,
                              std::vector<std::string>& out) {
  const auto& members = tree.archive().members();
  for (size_t m = 0; m < members.size(); ++m) {
    const auto next = advance_pattern(pattern, at, split_path(members[m].path));
    if (next.empty()) continue;
    if (next.back() == pattern.size()) out.push_back(before + members[m].path);
    if (next.front() == pattern.size()) continue;
    if (const auto inner = tree.open_nested_archive(m))
      collect_matching_members(**inner, before + members[m].path + "/", pattern, next, out);
  }
}

/// `folder` is empty, or ends with a slash.
void collect_members_below(const ArchiveTree& tree, const std::string& before, std::string_view folder, bool all,
                           std::vector<std::string>& out) {
  const auto& members = tree.archive().members();
  for (size_t m = 0; m < members.size(); ++m) {
    const std::string& path = members[m].path;
    if (!path.starts_with(folder)) continue;
    if (!all && !folder.empty() && path.find('/', folder.size()) != path.npos) continue;
    out.push_back(before + path);
    if (!all) continue;
    if (const auto inner = tree.open_nested_archive(m))
      collect_members_below(**inner, before + path + "/", "", true, out);
  }
}

}  // namespace

std::vector<std::string> members_matching(const ArchiveTree& tree, const std::vector<std::string>& pattern) {
  std::vector<std::string> out;
  collect_matching_members(tree, "", pattern, {0}, out);
  return out;
}

std::vector<std::string> members_below(const ArchiveTree& tree, const std::string& path, bool all) {
  std::vector<std::string> out;
  const auto place = tree.resolve_and_open(path);
  if (!place) return out;
  const std::string folder = place->folder.empty() ? "" : std::string(place->folder) + "/";
  // What of the path leads to the archive that the members are of.
  std::string before = path.substr(0, path.size() - place->folder.size());
  if (!before.empty() && !before.ends_with('/')) before += '/';
  collect_members_below(*place->tree, before, folder, all, out);
  return out;
}

}  // namespace dio::cli
