#include "formats/fft/game/maps.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "containers/disc/cd_sector.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/game/map_names.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {

namespace {

constexpr u64 k_most_gns = 4096;  // bytes that the game reads

}  // namespace

std::vector<MapFiles> find_maps(const FileTree& tree) {
  struct Found {
    MapFiles files;
    std::vector<std::pair<u32, std::string>> numbered;
  };
  std::map<std::string, std::map<u32, Found>, std::less<>> folders;
  for (const std::string& path : tree.list()) {
    const auto is = parse_map_name(path);
    if (!is) continue;
    Found& found = folders[std::string(split_map_path(path).folder)][is->number];
    if (is->file)
      found.numbered.push_back({*is->file, path});
    else if (found.files.gns.empty())
      found.files = {is->number, is->map, path, {}};
  }
  for (auto& [folder, maps] : folders)
    std::erase_if(maps, [](const auto& map) { return map.second.files.gns.empty(); });
  std::erase_if(folders, [](const auto& folder) { return folder.second.empty(); });
  auto chosen = folders.end();
  for (auto f = folders.begin(); f != folders.end(); ++f)
    if (const std::string name = upper_case(f->first); name == "MAP/" || (name.empty() && chosen == folders.end()))
      chosen = f;
  if (chosen == folders.end() && folders.size() == 1) chosen = folders.begin();
  std::vector<MapFiles> out;
  if (chosen == folders.end()) return out;
  for (auto& [number, found] : chosen->second) {
    sort_stably(found.numbered);
    for (auto& [n, path] : found.numbered) found.files.files.push_back(std::move(path));
    out.push_back(std::move(found.files));
  }
  return out;
}

std::string find_in_parent_folder(const FileTree& tree, const MapFiles& map, std::string_view name) {
  std::string_view folder = split_map_path(map.gns).folder;  // MAP/
  if (!folder.empty()) folder = folder.substr(0, folder.substr(0, folder.size() - 1).rfind('/') + 1);
  for (const std::string& path : tree.list())
    if (const PathParts p = split_map_path(path); p.folder == folder && p.name == name) return path;
  return {};
}

Result<std::shared_ptr<const GameMap>> GameMap::open(const FileTree& tree, const MapFiles& files,
                                                     std::optional<PlacedFiles>& placed) {
  auto bytes = tree.read(files.gns);
  if (!bytes) return refuse(std::move(bytes.error()));
  if (bytes->size() > k_most_gns)
    return refuse(
        "fft.gns-size", Location::in_file(files.gns),
        {.message = text("the file has ", bytes->size(), " bytes; the game reads only the first ", k_most_gns)});
  auto gns = load<Gns>(*bytes);
  if (!gns) {
    gns.error().place.file = files.gns;
    return refuse(std::move(gns.error()));
  }
  auto map = std::make_shared<GameMap>();
  map->tree_ = &tree;
  map->files_ = files;
  map->gns_ = std::move(gns->document.edit());
  map->gns_size_ = bytes->size();
  map->snows_ = has_snow(map->gns_);
  map->states_ = list_row_states(map->gns_);
  map->match_rows_to_files(placed);
  return map;
}

/// On the disc, files are in the order of their numbers, except for a file that grew and was moved. If the rows have
/// the lengths of the files in another order, returns the order of the only move that explains it; nothing if there is
/// none or more than one. With other lengths, files were edited in the folder.
std::optional<std::vector<size_t>> GameMap::find_disc_order(const std::vector<std::string>& files,
                                                            const std::map<u32, std::string>& by_lba,
                                                            bool& is_order_certain) const {
  std::map<u32, u32> lengths;
  for (const GnsRow& r : gns_.rows)
    if (r.is_file() && by_lba.contains(r.lba)) lengths.try_emplace(r.lba, r.length);
  std::vector<u64> of_rows, of_files;
  for (const auto& [lba, length] : lengths) of_rows.push_back(length);
  std::vector<size_t> order(files.size());
  std::iota(order.begin(), order.end(), size_t(0));
  for (const std::string& path : files) {
    const auto bytes = tree_->read(path);
    if (!bytes) return order;
    of_files.push_back(sectors_for(bytes->size()) * k_sector_data);
  }
  const auto explains_lengths = [&](const std::vector<size_t>& o) {
    for (size_t i = 0; i < o.size(); ++i)
      if (of_files[o[i]] != of_rows[i]) return false;
    return true;
  };
  // The files of a map follow one another on the game's disc, unless one was moved or added.
  const auto follow_one_another = [&] {
    size_t i = 0;
    for (auto row = lengths.begin(); row != lengths.end() && std::next(row) != lengths.end(); ++row, ++i) {
      const u64 to_next = (std::next(row)->first - row->first) * k_sector_data;
      if (to_next != row->second && to_next != of_files[i]) return false;
    }
    return true;
  };
  std::set<u64> distinct(of_rows.begin(), of_rows.end());
  is_order_certain = follow_one_another() || distinct.size() == of_rows.size();
  if (explains_lengths(order)) return order;
  if (!std::ranges::is_permutation(of_rows, of_files))  // files have other sizes than on the disc
    return follow_one_another() ? std::optional(order) : std::nullopt;
  std::set<std::vector<size_t>> others;
  for (size_t file = 0; file < order.size(); ++file)
    for (size_t to = 0; to < order.size(); ++to) {
      std::vector<size_t> moved = order;
      moved.erase(moved.begin() + std::ptrdiff_t(file));
      moved.insert(moved.begin() + std::ptrdiff_t(to), file);
      if (explains_lengths(moved)) others.insert(std::move(moved));
    }
  if (others.size() != 1) return {};
  return *others.begin();
}

/// In a folder, files have no sectors: those added to the folder belong to the rows with their provisional sectors, and
/// the others to the other rows, in the order of both.
void GameMap::match_rows_in_order(std::map<u32, std::string>& by_lba) {
  std::map<u32, std::string> added;
  std::vector<std::string> files;
  std::set<u32> lbas;
  for (const GnsRow& r : gns_.rows)
    if (r.is_file()) lbas.insert(r.lba);
  for (const std::string& path : files_.files)
    if (const u32 lba = u32(provisional_sector(path)); lbas.erase(lba))
      added[lba] = path;
    else
      files.push_back(path);
  for (const u32 lba : lbas) by_lba[lba];
  if (by_lba.size() != files.size()) {
    unpaired_ = make_diagnostic(
        Severity::error, "fft.file-count", Location::in_file(files_.gns),
        {.message = text("the file lists ", format_count(by_lba.size() + added.size(), "file"), ", but ",
                         files_.files.size(), files_.files.size() == 1 ? " file" : " files", " named ", files_.name,
                         ".NUMBER ", files_.files.size() == 1 ? "is" : "are", " in the same folder"),
         .hint = "outside a disc image, files are matched to rows by their order, so the folder must contain exactly "
                 "these files"});
    return;
  }
  const auto order = find_disc_order(files, by_lba, is_order_certain_);
  if (!order) {
    unpaired_ = make_diagnostic(
        Severity::error, "fft.file-length", Location::in_file(files_.gns),
        {.message = text("the sectors and lengths in the rows do not match the order of the files named ", files_.name,
                         ".NUMBER, so it is unclear which file belongs to which row"),
         .hint = "files were moved on the disc that this folder comes from; use the disc image, which records the "
                 "position of each file"});
    return;
  }
  size_t next = 0;
  for (auto& [lba, path] : by_lba) path = files[(*order)[next++]];
  by_lba.merge(added);
}

void GameMap::match_rows_to_files(std::optional<PlacedFiles>& placed) {
  paths_.resize(gns_.rows.size());
  on_disc_ = tree_->place(files_.gns).has_value();
  std::map<u32, std::string> by_lba;
  if (on_disc_) {
    for (const std::string& path : files_.files)
      if (const auto lba = tree_->place(path); lba && *lba <= ~u32(0)) by_lba[u32(*lba)] = path;
  } else {
    match_rows_in_order(by_lba);
    if (unpaired_) return;
  }
  bool missing = false;
  const auto pair = [&](const auto& files) {
    missing = false;
    for (size_t i = 0; i < gns_.rows.size(); ++i) {
      if (!gns_.rows[i].is_file() || !paths_[i].empty()) continue;
      if (const auto at = files.find(gns_.rows[i].lba); at != files.end())
        paths_[i] = at->second;
      else
        missing = true;
    }
  };
  pair(by_lba);
  if (!missing || !on_disc_) return;
  // A row may also name a file of another map.
  if (!placed) {
    placed.emplace();
    const std::string_view folder = split_map_path(files_.gns).folder;
    for (const std::string& path : tree_->list())
      if (split_map_path(path).folder == folder && parse_map_name(path))
        if (const auto lba = tree_->place(path); lba && *lba <= ~u32(0)) placed->try_emplace(u32(*lba), path);
  }
  pair(*placed);
}

std::vector<std::string> GameMap::unreferenced_files() const {
  const std::set<std::string_view> used(paths_.begin(), paths_.end());
  std::vector<std::string> out;
  for (const std::string& path : files_.files)
    if (!used.contains(path)) out.push_back(path);
  return out;
}

const ReadFile& GameMap::read(u32 row) const {
  const bool texels = is_texels(gns_.rows[row].type);
  const auto [entry, is_new] = read_.try_emplace({paths_[row].empty() ? text("#", row) : paths_[row], texels});
  ReadFile& out = entry->second;
  if (!is_new) return out;
  const auto store_loaded = [&](auto loaded, auto& to) {
    using T = std::remove_cvref_t<decltype(*to)>;
    if (loaded)
      to = std::make_shared<const T>(std::move(loaded->document.edit()));
    else
      out.problem = std::move(loaded.error());
  };
  if (paths_[row].empty()) {
    out.problem =
        make_diagnostic("file.missing", text("rows[", row, "].lba"),
                        {.message = text("no file named ", files_.name, ".NUMBER starts at LBA ", gns_.rows[row].lba)});
  } else if (auto bytes = tree_->read(paths_[row]); !bytes) {
    out.problem = std::move(bytes.error());
  } else {
    out.size = bytes->size();
    if (!texels && bytes->size() > k_load_buffer) {
      out.problem = make_diagnostic(
          "fft.mesh-size", {},
          {.message = text("the file has ", bytes->size(), " bytes; the game has room for ", k_load_buffer, " bytes")});
    } else if (texels)
      store_loaded(load<Texture>(*bytes), out.texture);
    else
      store_loaded(load<Mesh>(*bytes), out.mesh);
  }
  if (out.problem) out.problem->place.file = paths_[row].empty() ? files_.gns : paths_[row];
  return out;
}

MergedMap GameMap::merge_for_state(const MapState& state, Diagnostics* notes) const {
  return merge_for_state(state, true, notes);
}
MergedMap GameMap::merge_meshes_for_state(const MapState& state, Diagnostics* notes) const {
  return merge_for_state(state, false, notes);
}

MergedMap GameMap::merge_for_state(const MapState& state, bool with_texels, Diagnostics* notes) const {
  std::vector<MapFile> files;
  if (!unpaired_)
    for (const u32 row : find_loaded_rows(gns_, state)) {
      if (is_texels(gns_.rows[row].type) && !with_texels) continue;
      const ReadFile& file = read(row);
      if (file.problem) {
        if (notes) notes->push_back(*file.problem);
        continue;
      }
      files.push_back({paths_[row], row, gns_.rows[row].type, file.mesh, file.texture});
    }
  MergedMap map = merge_map_files(std::move(files), state, files_.name);
  map.state_name = state_name(state);
  return map;
}

}  // namespace dio::fft
