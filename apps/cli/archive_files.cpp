#include "archive_files.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include "text.hpp"

namespace dio::cli {

namespace fs = std::filesystem;

// ---- one archive ---------------------------------------------------------------------------------------------------

Result<std::shared_ptr<ArchiveFile>> ArchiveFile::open(const std::string& given) {
  const auto meant = file_meant(given);
  if (!meant) return refuse(meant.error());
  const std::string& name = *meant;
  const auto state = file_state(name);
  auto bytes = read_file(name);
  if (!bytes) return refuse(std::move(bytes.error()));
  auto archive = Archive::open(std::move(*bytes), name);
  if (!archive) return refuse(std::move(archive.error()));
  return std::make_shared<ArchiveFile>(name, std::move(*archive), state);
}

ArchiveFile::ArchiveFile(std::string name, Archive archive, std::optional<FileState> state)
    : name_(std::move(name)), tree_(std::make_unique<ArchiveTree>(std::move(archive), name_)), state_(state) {}

Result<Bytes> ArchiveFile::read(const std::string& member) {
  const std::lock_guard lock(mutex_);
  return tree_->read(member);
}

void ArchiveFile::look(const std::function<void(const ArchiveTree&)>& at) {
  const std::lock_guard lock(mutex_);
  at(*tree_);
}

Result<bool> ArchiveFile::replace(const std::string& member, ByteView content, const WriteOptions& options) {
  const std::lock_guard lock(mutex_);
  auto bytes = replace_inside(*tree_, member, Bytes(content.begin(), content.end()));
  if (!bytes) return refuse(std::move(bytes.error()));
  if (file_state(name_) != state_)
    return refuse(io_problem("io.write", name_, "the file as it was read", "it was changed since"));
  WriteOptions once = options;
  if (written_) once.backup.clear();
  if (auto done = write_file(name_, *bytes, once); !done) return done;
  written_ = true;
  state_ = file_state(name_);
  auto archive = Archive::open(std::move(*bytes), name_);
  if (!archive) return refuse(std::move(archive.error()));
  tree_ = std::make_unique<ArchiveTree>(std::move(*archive), name_);
  return true;
}

// ---- paths ---------------------------------------------------------------------------------------------------------

std::optional<ArchivePath> archive_path(const std::string& name) {
  std::error_code error;
  if (fs::exists(name, error)) return {};
  for (size_t slash = name.find('/', 1); slash != name.npos; slash = name.find('/', slash + 1)) {
    const std::string file = name.substr(0, slash);
    if (!fs::is_regular_file(file, error)) continue;
    std::string inside = name.substr(slash + 1);
    inside.erase(0, inside.find_first_not_of('/'));
    while (inside.ends_with('/')) inside.pop_back();
    if (inside.empty()) return {};
    return ArchivePath{file_meant(file).value_or(file), inside};
  }
  return {};
}

bool looks_like_archive(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  std::array<char, 44'000> head{};  // of a disc, its first two volume descriptors
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), head.size());
  const ByteView bytes(reinterpret_cast<const u8*>(head.data()), size_t(stream.gcount()));
  return std::any_of(formats().begin(), formats().end(), [&](const Format* f) {
    if (!f->archive) return false;
    const bool named =
        !extension.empty() && (" " + std::string(f->extensions) + " ").find(" " + extension + " ") != std::string::npos;
    const auto certainty = f->sniff(bytes, named ? file : "").certainty;
    return certainty == Sniff::Certainty::certain || (named && certainty != Sniff::Certainty::no);
  });
}

namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t slash = path.find('/');
    parts.emplace_back(path.substr(0, slash));
    if (slash == path.npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

/// How much of the pattern may stand for all of these parts: where it goes on. `**` stands for any folders, or none.
std::vector<size_t> after(const std::vector<std::string>& pattern, std::vector<size_t> at,
                          const std::vector<std::string>& parts) {
  const auto with_skips = [&](std::vector<size_t> places) {
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i] < pattern.size() && pattern[places[i]] == "**") places.push_back(places[i] + 1);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  };
  at = with_skips(std::move(at));
  for (const std::string& part : parts) {
    std::vector<size_t> next;
    for (const size_t i : at) {
      if (i == pattern.size()) continue;
      if (pattern[i] == "**")
        next.push_back(i);
      else if (matches(pattern[i], part))
        next.push_back(i + 1);
    }
    at = with_skips(std::move(next));
  }
  return at;
}

void match(const ArchiveTree& tree, const std::string& before, const std::vector<std::string>& pattern,
           const std::vector<size_t>& at, std::vector<std::string>& out) {
  const auto& members = tree.archive().members();
  for (size_t m = 0; m < members.size(); ++m) {
    const auto next = after(pattern, at, parts_of(members[m].path));
    if (next.empty()) continue;
    if (next.back() == pattern.size()) out.push_back(before + members[m].path);
    if (next.front() == pattern.size()) continue;
    if (const auto inner = tree.inner(m)) match(**inner, before + members[m].path + "/", pattern, next, out);
  }
}

/// `folder` is empty, or ends with a slash.
void add_below(const ArchiveTree& tree, const std::string& before, std::string_view folder, bool all,
               std::vector<std::string>& out) {
  const auto& members = tree.archive().members();
  for (size_t m = 0; m < members.size(); ++m) {
    const std::string& path = members[m].path;
    if (!path.starts_with(folder)) continue;
    if (!all && !folder.empty() && path.find('/', folder.size()) != path.npos) continue;
    out.push_back(before + path);
    if (!all) continue;
    if (const auto inner = tree.inner(m)) add_below(**inner, before + path + "/", "", true, out);
  }
}

}  // namespace

std::vector<std::string> members_matching(const ArchiveTree& tree, const std::vector<std::string>& pattern) {
  std::vector<std::string> out;
  match(tree, "", pattern, {0}, out);
  return out;
}

std::vector<std::string> members_below(const ArchiveTree& tree, const std::string& path, bool all) {
  std::vector<std::string> out;
  const auto place = tree.enter(path);
  if (!place) return out;
  const std::string folder = place->folder.empty() ? "" : std::string(place->folder) + "/";
  // What of the path leads to the archive that the members are of.
  std::string before = path.substr(0, path.size() - place->folder.size());
  if (!before.empty() && !before.ends_with('/')) before += '/';
  add_below(*place->tree, before, folder, all, out);
  return out;
}

// ---- folders -------------------------------------------------------------------------------------------------------

std::string FolderTree::at(std::string_view path) const { return (fs::path(folder_) / path).string(); }

std::vector<std::string> FolderTree::list() const {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator i(folder_, fs::directory_options::skip_permission_denied, error), end;
       !error && i != end; i.increment(error)) {
    std::error_code ignored;
    if (!below_) i.disable_recursion_pending();
    if (i->is_regular_file(ignored)) paths.push_back(i->path().lexically_relative(folder_).generic_string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool FolderTree::has(std::string_view path) const {
  std::error_code error;
  return fs::is_regular_file(at(path), error);
}

Result<Bytes> FolderTree::read(std::string_view path) const {
  if (!has(path)) return refuse(missing_file(at(path)));
  return read_file(at(path));
}

}  // namespace dio::cli
