// changed_files.hpp: the files of a game while an edit changes several of them.
#pragma once
#include <map>

#include "formats/contract/game.hpp"
#include "formats/platinum/game/files.hpp"
#include "layout/document.hpp"

namespace dio::platinum {

struct SourceChanges;  // sources/sources.hpp

/// Members and files with new bytes, and members that are new. Nothing is written before `files`.
class ChangedFiles {
 public:
  explicit ChangedFiles(const GameFiles& files) : files_(files) {}

  /// Of members, with those that were added.
  u32 count(FileRole) const;
  /// As it is now. Ids: file.missing, and those of the tree.
  Result<Bytes> read(FileRole, u32 number) const;
  template <class T>
  Result<T> read_as(FileRole role, u32 number) const {
    const auto bytes = read(role, number);
    if (!bytes) return refuse(bytes.error());
    auto file = load<T>(*bytes);
    if (file) return std::move(file->document.edit());
    file.error().place.file = files_.of(role).path(number);
    return refuse(std::move(file.error()));
  }
  void set_file(FileRole, u32 number, Bytes);
  /// Appends a member, and returns its number.
  u32 append_member(FileRole, Bytes);
  /// A file that is no member: by its path in the tree.
  void set_file(std::string path, Bytes bytes) { alone_.insert_or_assign(std::move(path), std::move(bytes)); }
  /// That file, as it is now.
  Result<Bytes> read(const std::string& path) const;

  /// All that has changed. Ids: those of the archives and of the sources; edit.argument if the folder has no names to
  /// go on with. Notes: what the sources cannot say.
  Result<std::vector<DependentFile>> build_changed_files(Diagnostics& notes) const;

 private:
  Result<Bytes> build_archive(FileRole, const std::map<u32, Bytes>&) const;
  /// New files of a folder, and its list of files; returns their names.
  Result<std::map<u32, std::string>> add_folder_files(FileRole, const std::map<u32, Bytes>&,
                                                      std::vector<DependentFile>&) const;
  std::optional<Diagnostic> add_source_files(SourceChanges, std::vector<DependentFile>&, Diagnostics& notes) const;
  const GameFiles& files_;
  std::map<FileRole, std::map<u32, Bytes>> members_;
  std::map<std::string, Bytes> alone_;
};

/// A value as the bytes of a new file.
template <class T>
Result<Bytes> serialize_as_file(T value) {
  Document<T> d;
  d.edit() = std::move(value);
  return save(d);
}

}  // namespace dio::platinum
