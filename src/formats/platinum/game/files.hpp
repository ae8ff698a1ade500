// files.hpp: finds the map files of a game in a ROM, in an unpacked folder, or in the source tree of the decompilation.
// Only this file knows these paths. Sources: README.md, "Games".
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/file_tree.hpp"
#include "formats/contract/any_document.hpp"

namespace dio::platinum {

class Sources;  // sources/sources.hpp
enum class SourceList : u8;

/// The role of a file in the game. The paths are in file_roles.hpp.
enum class FileRole : u8 {
  headers,
  names,
  matrices,
  areas,
  prop_sets,
  prop_textures,
  map_textures,
  lights,
  lands,
  props,
  matshp,
  animations,
  anime_lists,
  texture_motions,
  objects,
  events,
  encounters,
  scripts,
  messages,
  room_props,  // HeartGold and SoulSilver: props of indoor areas; `props` has the outdoor ones
  room_matshp,
  room_anime_lists
};
inline constexpr size_t k_roles = size_t(FileRole::room_anime_lists) + 1;

/// The word for a member in ids: land.
std::string_view kind_of(FileRole);

enum class Edition : u8 { platinum, diamond_pearl, heart_gold_soul_silver };

/// The sources of a role in the decompilation; nothing if it has none.
std::optional<SourceList> source_list(FileRole);

/// Numbered files: members of an archive, files of a folder, or sources, which are read as the built files.
class Members {
 public:
  Members() = default;
  bool there() const { return tree_ != nullptr; }
  bool in_archive() const { return archive_; }
  bool are_sources() const { return sources_ != nullptr; }
  /// The path of the archive or folder; the expected path if it is missing.
  const std::string& path() const { return path_; }
  u32 count() const { return u32(archive_ ? contents_.size() : names_.size()); }
  std::string path(u32 number) const;
  /// Ids: file.missing, and those of the tree.
  Result<Bytes> read(u32 number) const;
  /// The number of the member at a path that `path` returned.
  std::optional<u32> find_number_by_path(std::string_view path) const;
  /// The number of the member that an exported scene names, even if the scene came from a copy of the game in another
  /// folder.
  std::optional<u32> find_number_by_name(std::string_view path) const;

 private:
  friend class GameFiles;
  const FileTree* tree_ = nullptr;
  std::shared_ptr<const Sources> sources_;
  SourceList list_{};  // list of the sources
  std::string path_;
  bool archive_ = false;
  std::vector<Bytes> contents_;     // contents of the archive
  std::vector<std::string> names_;  // names in the folder, in order
};

/// The files of one game. The tree must outlive it.
class GameFiles {
 public:
  /// Whether there is a game, and which one.
  static Sniff sniff(const FileTree&);
  /// Whether the game is the source tree of a decompilation.
  static bool is_decompilation(const FileTree&);
  /// Finds the files; missing and damaged files are left out, with a note. Error ids: game.unknown.
  static Result<GameFiles> find(const FileTree&);

  const FileTree& tree() const { return *tree_; }
  Edition edition() const { return edition_; }
  /// The prefix of all paths of this game.
  const std::string& root() const { return root_; }
  const Members& of(FileRole r) const { return members_[size_t(r)]; }
  /// The path of a single file; empty if it is missing.
  const std::string& path(FileRole r) const { return of(r).there() ? of(r).path() : files_[size_t(r)]; }
  /// Reads a file or archive member by the path that `Members::path` or `path` returns. Error ids: file.missing.
  Result<Bytes> read(std::string_view path) const;
  /// The sources of a decompilation; null for other games.
  const Sources* sources() const { return sources_.get(); }
  /// Whether a file is a source that is read as its built file; positions in the built file are not positions in its
  /// text.
  bool is_source(std::string_view path) const;
  /// The files that could not be read.
  const Diagnostics& notes() const { return notes_; }
  /// The expected paths of missing files without which maps cannot be shown.
  const std::vector<std::string>& missing() const { return missing_; }
  /// If the map headers are missing: all paths where they could be.
  const std::vector<std::string>& header_paths() const { return header_paths_; }

 private:
  /// Whether the file or archive exists.
  bool find_role_files(FileRole, const std::string& path, const std::vector<std::string>& paths);
  bool find_role_sources(FileRole);
  const FileTree* tree_ = nullptr;
  std::shared_ptr<const Sources> sources_;
  Edition edition_ = Edition::platinum;
  std::string root_;
  std::array<Members, k_roles> members_;
  std::array<std::string, k_roles> files_;
  Diagnostics notes_;
  std::vector<std::string> missing_, header_paths_;
};

}  // namespace dio::platinum
