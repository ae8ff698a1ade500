#include "operations/edited_tree.hpp"

#include <algorithm>

#include "operations/archive_tree.hpp"

namespace dio {

EditedTree::EditedTree(const FileTree& files) : files_(files) {
  for (std::string& path : files.list()) own_.insert(std::move(path));
  is_disc_ = std::ranges::any_of(own_, [&](const std::string& path) { return files.place(path).has_value(); });
}

std::optional<u64> EditedTree::place(std::string_view path) const {
  return is_disc_ && changed_.contains(path) && !files_.has(path) ? provisional_sector(path) : files_.place(path);
}

std::vector<std::string> EditedTree::list() const { return {own_.begin(), own_.end()}; }

std::pair<std::string_view, std::string_view> EditedTree::split_at_file(std::string_view path) const {
  for (size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string_view file = path.substr(0, end);
    if (own_.contains(file)) return {file, end == path.npos ? std::string_view() : path.substr(end + 1)};
    if (end == path.npos) return {};
  }
}

void EditedTree::set_changed(Changed changed) {
  changed_ = std::move(changed);
  own_.clear();
  for (std::string& path : files_.list()) own_.insert(std::move(path));
  for (const auto& [path, bytes] : changed_) own_.insert(path);
}

bool EditedTree::has(std::string_view path) const {
  const auto [file, inside] = split_at_file(path);
  if (inside.empty() && changed_.contains(file)) return true;
  return changed_.contains(file) && !inside.empty() ? bool(read(path)) : files_.has(path);
}

Result<Bytes> EditedTree::read(std::string_view path) const {
  const auto [file, inside] = split_at_file(path);
  if (file.empty()) return files_.read(path);
  const auto changed = changed_.find(file);
  if (inside.empty()) return changed == changed_.end() ? files_.read(path) : changed->second;
  if (changed == changed_.end() && files_.has(path)) return files_.read(path);
  auto archive = read(file);
  if (!archive) return archive;
  return read_nested_member(std::move(*archive), file, inside);
}

Result<bool> EditedTree::write_file(std::string_view path, Bytes bytes) {
  const auto [file, inside] = split_at_file(path);
  if (file.empty()) {
    const std::string_view folder = path.substr(0, path.rfind('/') + 1);
    const auto first = own_.lower_bound(folder);
    if (folder.empty() || first == own_.end() || !first->starts_with(folder)) return refuse(missing_file(path));
    own_.insert(std::string(path));
  }
  if (!inside.empty()) {
    const auto archive = read(file);
    if (!archive) return refuse(archive.error());
    auto replaced = replace_nested_member(*archive, file, inside, std::move(bytes));
    if (!replaced) return refuse(std::move(replaced.error()));
    bytes = std::move(*replaced);
  }
  changed_.insert_or_assign(std::string(file.empty() ? path : file), std::move(bytes));
  return true;
}

}  // namespace dio
