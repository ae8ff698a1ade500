// sources.hpp: the map tables in the sources of a decompilation tree: read as the files that the build makes, and
// written in the style of the project. Sources: README.md, "The decompilation".
#pragma once
#include <memory>
#include <set>

#include "core/file_tree.hpp"
#include "formats/contract/game.hpp"
#include "formats/platinum/sources/header_source.hpp"
#include "formats/platinum/sources/names.hpp"
#include "formats/platinum/sources/source_text.hpp"

namespace dio::platinum {

/// The lists of JSON sources. The header table is one C file.
enum class SourceList : u8 { matrices, areas, prop_sets, lights, events };
inline constexpr size_t k_source_lists = size_t(SourceList::events) + 1;

/// The changes of an edit, in the form of the built game.
struct SourceChanges {
  std::map<SourceList, std::map<u32, Bytes>> members;  // including new members
  std::optional<Bytes> headers;                        // the header table, as in map_headers.bin
  u32 lands = 0;                                       // number of lands
  std::map<Space, std::map<u32, std::string>> names;   // names of new members in other archives
};

class Sources {
 public:
  /// Opens the sources of a tree; reads only the file lists.
  Sources(const FileTree&, std::string root);
  /// The paths of the sources in a list, in number order; empty if the tree lacks the list.
  const std::vector<std::string>& files(SourceList list) const { return files_[size_t(list)]; }
  /// The folder of a list, with a slash at its end.
  std::string folder(SourceList) const;
  /// The path of the header table; empty if there is none.
  const std::string& headers_path() const { return headers_path_; }
  /// The file that the build makes from a source. Error ids: file.missing, layout.type, and those of JSON.
  Result<Bytes> read(SourceList, u32 number) const;
  Result<Bytes> headers() const;
  /// The number of a header given by its constant, MAP_HEADER_JUBILIFE_CITY, with or without MAP_HEADER_.
  std::optional<u32> find_header_by_name(std::string_view) const;

  /// Builds the changed files. Error ids: edit.limit, and those of reading.
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

/// Adds new members to the lists of a folder, its .order file and its meson.build, after the last member. `names`: the
/// names of the new files. A list that does not name the last member stays unchanged.
Result<std::vector<DependentFile>> add_to_member_lists(const FileTree&, const std::string& folder,
                                                       std::string_view last, const std::vector<std::string>& names);

}  // namespace dio::platinum
