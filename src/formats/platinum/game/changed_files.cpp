#include "formats/platinum/game/changed_files.hpp"

#include <algorithm>

#include "containers/nitro_fs/narc.hpp"
#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/sources/sources.hpp"

namespace dio::platinum {

namespace {

/// Animations of all kinds share a folder; the extension shows the kind.
std::string animation_extension(ByteView animation) {
  const std::string_view magic(reinterpret_cast<const char*>(animation.data()), std::min<size_t>(animation.size(), 4));
  for (const auto& [known, extension] :
       {std::pair("BTA0", ".nsbta"), {"BTP0", ".nsbtp"}, {"BMA0", ".nsbma"}, {"BVA0", ".nsbva"}})
    if (magic == known) return extension;
  return ".nsbca";
}

}  // namespace

u32 ChangedFiles::count(FileRole role) const {
  const u32 there = files_.of(role).count();
  const auto changed = members_.find(role);
  return changed == members_.end() ? there : std::max(there, changed->second.rbegin()->first + 1);
}

Result<Bytes> ChangedFiles::read(FileRole role, u32 number) const {
  if (const auto changed = members_.find(role); changed != members_.end())
    if (const auto member = changed->second.find(number); member != changed->second.end()) return member->second;
  return files_.of(role).read(number);
}

void ChangedFiles::set_file(FileRole role, u32 number, Bytes bytes) {
  if (number < files_.of(role).count())
    if (const auto was = files_.of(role).read(number); was && *was == bytes) {  // unchanged
      if (const auto changed = members_.find(role); changed != members_.end()) {
        changed->second.erase(number);
        if (changed->second.empty()) members_.erase(changed);
      }
      return;
    }
  members_[role].insert_or_assign(number, std::move(bytes));
}

u32 ChangedFiles::append_member(FileRole role, Bytes bytes) {
  const u32 number = count(role);
  set_file(role, number, std::move(bytes));
  return number;
}

Result<Bytes> ChangedFiles::read(const std::string& path) const {
  const auto changed = alone_.find(path);
  return changed == alone_.end() ? files_.read(path) : changed->second;
}

Result<Bytes> ChangedFiles::build_archive(FileRole role, const std::map<u32, Bytes>& members) const {
  const std::string& path = files_.of(role).path();
  const auto bytes = files_.tree().read(path);
  if (!bytes) return bytes;
  auto narc = load<Narc>(*bytes);
  if (!narc) {
    narc.error().place.file = path;
    return refuse(std::move(narc.error()));
  }
  auto& files = narc->document.edit().files;
  for (const auto& [number, content] : members) {
    if (number >= files.size()) files.resize(number + 1);
    files[number].content = content;
  }
  return save(narc->document);
}

Result<std::map<u32, std::string>> ChangedFiles::add_folder_files(FileRole role, const std::map<u32, Bytes>& members,
                                                                  std::vector<DependentFile>& out) const {
  const Members& all = files_.of(role);
  if (!all.count())
    return refuse("edit.argument", Location::in_file(all.path()),
                  {.message = "the folder has no file whose name could serve as a pattern for a new file"});
  // map_data_665.bin is followed by map_data_666.bin.
  const std::string last = all.path(all.count() - 1);
  const size_t end = last.find_last_of("0123456789");
  const size_t start = end == last.npos ? last.npos : last.find_last_not_of("0123456789", end) + 1;
  if (end == last.npos)
    return refuse("edit.argument", Location::in_file(last),
                  {.message = "the file name has no number, so it cannot serve as a pattern for a new file"});
  const std::string prefix = last.substr(0, start), suffix = last.substr(end + 1);
  const size_t width = end + 1 - start;
  std::map<u32, std::string> names;
  std::vector<std::string> added;
  for (const auto& [number, content] : members) {
    if (number < all.count()) continue;
    std::string digits = std::to_string(number);
    digits.insert(0, width - std::min(width, digits.size()), '0');
    out.push_back({prefix + digits + (role == FileRole::animations ? animation_extension(content) : suffix), content});
    added.emplace_back(file_name(out.back().path));
    names[number] = added.back();
  }
  auto lists = add_to_member_lists(files_.tree(), all.path(), file_name(last), added);
  if (!lists) return refuse(std::move(lists.error()));
  for (DependentFile& f : *lists) out.push_back(std::move(f));
  return names;
}

std::optional<Diagnostic> ChangedFiles::add_source_files(SourceChanges changes, std::vector<DependentFile>& out,
                                                         Diagnostics& notes) const {
  const Sources* sources = files_.sources();
  if (!sources) return {};
  changes.lands = count(FileRole::lands);
  auto files = sources->build_changed_sources(changes, notes);
  if (!files) return std::move(files.error());
  for (DependentFile& f : *files) out.push_back(std::move(f));
  return {};
}

Result<std::vector<DependentFile>> ChangedFiles::build_changed_files(Diagnostics& notes) const {
  std::vector<DependentFile> out;
  SourceChanges sources;
  for (const auto& [role, members] : members_) {
    const Members& all = files_.of(role);
    if (all.are_sources()) {
      sources.members[*source_list(role)] = members;
      continue;
    }
    if (all.in_archive() && members.rbegin()->first >= all.count()) {
      auto bytes = build_archive(role, members);
      if (!bytes) return refuse(std::move(bytes.error()));
      out.push_back({all.path(), std::move(*bytes)});
      continue;
    }
    for (const auto& [number, content] : members)
      if (number < all.count()) out.push_back({all.path(number), content});
    if (members.rbegin()->first < all.count()) continue;
    auto names = add_folder_files(role, members, out);
    if (!names) return refuse(std::move(names.error()));
    // Names in the sources: area textures without the extension, models with it.
    for (auto& [number, name] : *names) {
      if (role == FileRole::props) sources.names[Space::props][number] = to_c_identifier(name);
      if (role == FileRole::map_textures)
        sources.names[Space::texture_sets][number] = to_c_identifier(name.substr(0, name.rfind('.')));
    }
  }
  for (const auto& [path, bytes] : alone_)
    if (files_.sources() && path == files_.sources()->headers_path())
      sources.headers = bytes;
    else if (const auto was = files_.tree().read(path); !was || *was != bytes)
      out.push_back({path, bytes});
  if (auto stop = add_source_files(std::move(sources), out, notes)) return refuse(std::move(*stop));
  return out;
}

}  // namespace dio::platinum
