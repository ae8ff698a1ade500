// sources.hpp: the tables of maps in a tree of the decompilation as its sources have them: read as what the build makes
// of them, and written as its people would. Sources: README.md, "The decompilation".
#pragma once
#include <memory>
#include <set>

#include "core/file_tree.hpp"
#include "formats/contract/game.hpp"
#include "formats/platinum/sources/header_source.hpp"
#include "formats/platinum/sources/names.hpp"
#include "formats/platinum/sources/source_text.hpp"

namespace dio::platinum {

/// The lists of sources in JSON. The table of headers is one file of C.
enum class SourceList : u8 { matrices, areas, prop_sets, lights, events };
inline constexpr size_t k_source_lists = size_t(SourceList::events) + 1;

/// What an edit changes, as the game has it.
struct SourceChanges {
  std::map<SourceList, std::map<u32, Bytes>> members;  // also new ones
  std::optional<Bytes> headers;                        // the table, as in map_headers.bin
  u32 lands = 0;                                       // how many there are
  std::map<Space, std::map<u32, std::string>> names;   // new members of other archives: what the build calls them
};

class Sources {
 public:
  /// Those of a tree; nothing is read but the lists of files.
  Sources(const FileTree&, std::string root);
  /// The paths of the sources of a list, in the order of their numbers; empty if the tree does not have it.
  const std::vector<std::string>& files(SourceList list) const { return files_[size_t(list)]; }
  /// The folder of a list, with a slash at its end.
  std::string folder(SourceList) const;
  /// The path of the table of headers; empty if there is none.
  const std::string& headers_path() const { return headers_path_; }
  /// What the build makes of a source. Ids: file.missing, layout.type, and those of JSON.
  Result<Bytes> read(SourceList, u32 number) const;
  Result<Bytes> headers() const;
  /// The number of a header that is typed as its constant, MAP_HEADER_JUBILIFE_CITY; with or without MAP_HEADER_.
  std::optional<u32> find_header_by_name(std::string_view) const;

  /// The files that change. Ids: edit.limit, and those of reading.
  Result<std::vector<DependentFile>> build_changed_sources(const SourceChanges&, Diagnostics& notes) const;

 private:
  Result<std::string> read_text(const std::string& path) const;
  Result<SourceText> read_json_source(const std::string& path) const;
  bool build_adds_newline(const std::string& path) const;
  void note_broken_scripts(const std::string& events, const std::vector<std::string>& gone, Diagnostics& notes) const;
  const FileTree* tree_;
  std::string root_;
  SourceNames names_;
  std::array<std::vector<std::string>, k_source_lists> files_;
  std::string headers_path_;
};

/// The files of a folder that say which members there are, with new ones after the last: its .order file and its
/// meson.build. `names`: of the new files. Files that do not name the last one stay as they are.
Result<std::vector<DependentFile>> add_to_member_lists(const FileTree&, const std::string& folder,
                                                       std::string_view last, const std::vector<std::string>& names);

}  // namespace dio::platinum
