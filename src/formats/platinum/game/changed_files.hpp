// changed_files.hpp: the changed files of a game during an edit.
#pragma once
#include <map>

#include "formats/contract/game.hpp"
#include "formats/platinum/game/files.hpp"
#include "layout/document.hpp"

namespace dio::platinum {

struct SourceChanges;  // sources/sources.hpp

/// Collects changed members and files, and new members. Nothing is written before `build_changed_files`.
class ChangedFiles {
 public:
  explicit ChangedFiles(const GameFiles& files) : files_(files) {}

  /// The number of members, including added ones.
  u32 count(FileRole) const;
  /// The current bytes of a member. Error ids: file.missing, and those of the tree.
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
  /// Sets a file that is not a member, by its path in the tree.
  void set_file(std::string path, Bytes bytes) { alone_.insert_or_assign(std::move(path), std::move(bytes)); }
  /// The current bytes of such a file.
  Result<Bytes> read(const std::string& path) const;

  /// All changed files. Error ids: those of the archives and the sources; edit.argument if no new file name can be
  /// derived. Notes: values that the sources cannot express.
  Result<std::vector<DependentFile>> build_changed_files(Diagnostics& notes) const;

 private:
  Result<Bytes> build_archive(FileRole, const std::map<u32, Bytes>&) const;
  /// Adds new files to a folder and its file list; returns their names.
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
