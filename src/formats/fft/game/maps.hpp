// maps.hpp: the maps of a game and their files: which file a row of a GNS file names, on a disc and in a loose
// folder. Sources: README.md, "Which file a row names".
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/file_tree.hpp"
#include "formats/fft/game/merged.hpp"

namespace dio::fft {

/// A map by the names of its files; nothing was read.
struct MapFiles {
  u32 number = 0;                  // 1 of MAP001
  std::string name;                // MAP001
  std::string gns;                 // paths in the tree
  std::vector<std::string> files;  // MAP001.N by N
};
/// The maps of a tree, by number: files called MAPnnn.GNS, in any case and with or without the version that names on
/// discs have (;1), in a folder MAP, in the tree itself or, if there is but one, in any folder.
std::vector<MapFiles> find_maps(const FileTree&);

/// Whether a row of this type names a texture or a page of one: k_resources.
constexpr bool is_texels(u8 type) { return type >= k_page_type && type <= k_texture_type; }

/// The path of a file in the folder that holds the folder of the maps, such as BATTLE.BIN, in any case and version;
/// `name` is in capitals. Empty if there is none.
std::string find_in_parent_folder(const FileTree&, const MapFiles&, std::string_view name);

/// The files of all maps by the LBA they start at. There are many: they are looked up once, and only if a row names a
/// file of another map.
using PlacedFiles = std::map<u32, std::string>;

/// A file of a map that was read: a mesh or a texture, as its row says, or why it could not be.
struct ReadFile {
  u64 size = 0;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const Texture> texture;
  std::optional<Diagnostic> problem;  // with its path as the file
};

/// A map whose GNS file was read. Its files are read once, on demand. The tree must outlive it.
class GameMap {
 public:
  /// `placed`: a cache that the maps of a tree share. Ids: file.missing, layout.*, fft.gns-size.
  static Result<std::shared_ptr<const GameMap>> open(const FileTree&, const MapFiles&,
                                                     std::optional<PlacedFiles>& placed);
  static Result<std::shared_ptr<const GameMap>> open(const FileTree& tree, const MapFiles& files) {
    std::optional<PlacedFiles> placed;
    return open(tree, files, placed);
  }

  const MapFiles& files() const { return files_; }
  const Gns& gns() const { return gns_; }
  u64 gns_size() const { return gns_size_; }  // bytes
  bool snows() const { return snows_; }
  bool on_disc() const { return on_disc_; }
  /// The path of the file that a row names; empty if it names none, or one that does not exist.
  const std::string& path(u32 row) const { return paths_[row]; }
  /// Why no row has a file (fft.file-count, fft.file-length); nothing if they have.
  const std::optional<Diagnostic>& unpaired() const { return unpaired_; }
  /// Files of the map that no row names.
  std::vector<std::string> unreferenced_files() const;
  /// The file of a row; reads it the first time.
  const ReadFile& read(u32 row) const;

  /// Every state that rows ask for, the default first.
  const std::vector<MapState>& states() const { return states_; }
  std::string state_name(const MapState& s) const { return to_string(s, snows_); }
  /// The map in a state. Files that cannot be read are left out, each with a note.
  MergedMap merge_for_state(const MapState&, Diagnostics* notes = nullptr) const;
  /// The same without reading texels that have a file of their own.
  MergedMap merge_meshes_for_state(const MapState&, Diagnostics* notes = nullptr) const;

 private:
  void match_rows_to_files(std::optional<PlacedFiles>& placed);
  std::optional<std::vector<size_t>> find_disc_order() const;
  MergedMap merge_for_state(const MapState&, bool with_texels, Diagnostics* notes) const;
  const FileTree* tree_ = nullptr;
  MapFiles files_;
  Gns gns_;
  u64 gns_size_ = 0;
  bool snows_ = false, on_disc_ = false;
  std::vector<std::string> paths_;  // by row
  std::optional<Diagnostic> unpaired_;
  std::vector<MapState> states_;
  mutable std::map<std::pair<std::string, bool>, ReadFile> read_;  // by path, and whether as texels
};

}  // namespace dio::fft
