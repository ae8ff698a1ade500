// maps.hpp: the maps of a game and their files: the file of each GNS row, on a disc and in a loose folder. Sources:
// README.md, "Which file a row names".
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/file_tree.hpp"
#include "formats/fft/game/merged.hpp"

namespace dio::fft {

/// A map by the names of its files, which have not been read.
struct MapFiles {
  u32 number = 0;                  // 1 of MAP001
  std::string name;                // MAP001
  std::string gns;                 // paths in the tree
  std::vector<std::string> files;  // MAP001.N by N
};
/// The maps of a tree, by number: files called MAPnnn.GNS, in any case and with or without the version in names on
/// discs (;1), in a folder MAP, in the tree itself or, if there is only one, in any folder.
std::vector<MapFiles> find_maps(const FileTree&);

/// Whether a row of this type names a texture or a page of one: k_resources.
constexpr bool is_texels(u8 type) { return type >= k_page_type && type <= k_texture_type; }

/// The path of a file in the parent folder of the map folder, such as BATTLE.BIN, in any case and version; `name` is in
/// capitals. Empty if there is none.
std::string find_in_parent_folder(const FileTree&, const MapFiles&, std::string_view name);

/// The files of all maps by their first LBA. There are many: they are looked up once, and only if a row names a file of
/// another map.
using PlacedFiles = std::map<u32, std::string>;

/// A file of a map after reading: a mesh or a texture, depending on its row, or the reason why it could not be read.
struct ReadFile {
  u64 size = 0;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const Texture> texture;
  std::optional<Diagnostic> problem;  // with its path as the file
};

/// A map whose GNS file was read. Its files are read once, on demand. The tree must outlive it.
class GameMap {
 public:
  /// `placed`: a cache shared by the maps of a tree. Ids: file.missing, layout.*, fft.gns-size.
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
  /// The path of the file named by a row; empty if the row names none, or a missing one.
  const std::string& path(u32 row) const { return paths_[row]; }
  /// Why rows could not be matched to files (fft.file-count, fft.file-length); nothing if they were.
  const std::optional<Diagnostic>& unpaired() const { return unpaired_; }
  /// Whether no two files of the same length could have been exchanged; false only for folders of discs on which files
  /// were moved or added.
  bool is_order_certain() const { return is_order_certain_; }
  /// Files of the map that no row names.
  std::vector<std::string> unreferenced_files() const;
  /// The file of a row; read on first use.
  const ReadFile& read(u32 row) const;

  /// Every state named by rows, the default first.
  const std::vector<MapState>& states() const { return states_; }
  std::string state_name(const MapState& s) const { return to_string(s, snows_); }
  /// The map in a state. Files that cannot be read are left out, each with a note.
  MergedMap merge_for_state(const MapState&, Diagnostics* notes = nullptr) const;
  /// Same, without reading texels stored in separate files.
  MergedMap merge_meshes_for_state(const MapState&, Diagnostics* notes = nullptr) const;

 private:
  void match_rows_to_files(std::optional<PlacedFiles>& placed);
  void match_rows_in_order(std::map<u32, std::string>& by_lba);
  std::optional<std::vector<size_t>> find_disc_order(const std::vector<std::string>& files,
                                                     const std::map<u32, std::string>& by_lba,
                                                     bool& is_order_certain) const;
  MergedMap merge_for_state(const MapState&, bool with_texels, Diagnostics* notes) const;
  const FileTree* tree_ = nullptr;
  MapFiles files_;
  Gns gns_;
  u64 gns_size_ = 0;
  bool snows_ = false, on_disc_ = false, is_order_certain_ = true;
  std::vector<std::string> paths_;  // by row
  std::optional<Diagnostic> unpaired_;
  std::vector<MapState> states_;
  mutable std::map<std::pair<std::string, bool>, ReadFile> read_;  // by path, and whether as texels
};

}  // namespace dio::fft
