#include "formats/platinum/game/files.hpp"

#include <algorithm>
#include <charconv>

#include "containers/nitro_fs/narc.hpp"
#include "core/sorting.hpp"
#include "formats/platinum/game/dspre_folders.hpp"
#include "formats/platinum/game/file_roles.hpp"
#include "formats/platinum/sources/sources.hpp"

namespace dio::platinum {

namespace {

/// The names of the files of a role; their paths are in file_roles.hpp.
struct RoleText {
  FileRole role;
  std::string_view id;    // id of the role
  std::string_view kind;  // kind of its members
};
constexpr RoleText k_texts[] = {{FileRole::headers, "arm9", "header"},
                                {FileRole::names, "map_names", "names"},
                                {FileRole::matrices, "map_matrix", "matrix"},
                                {FileRole::areas, "area_data", "area"},
                                {FileRole::prop_sets, "area_build", "prop-set"},
                                {FileRole::prop_textures, "areabm_texset", "prop-textures"},
                                {FileRole::map_textures, "map_tex_set", "texture-set"},
                                {FileRole::lights, "arealight", "light"},
                                {FileRole::lands, "land_data", "land"},
                                {FileRole::props, "build_model", "prop"},
                                {FileRole::matshp, "matshp", "matshp"},
                                {FileRole::animations, "bm_anime", "animation"},
                                {FileRole::anime_lists, "bm_anime_list", "anime-list"},
                                {FileRole::texture_motions, "fldtanime", "texture-motion"},
                                {FileRole::objects, "mm_list", "objects"},
                                {FileRole::events, "zone_event", "events"},
                                {FileRole::encounters, "encounters", "encounters"},
                                {FileRole::scripts, "scripts", "scripts"},
                                {FileRole::messages, "", "messages"},
                                {FileRole::room_props, "build_model_room", "room-prop"},
                                {FileRole::room_matshp, "matshp_room", "room-matshp"},
                                {FileRole::room_anime_lists, "bm_anime_list_room", "room-anime-list"}};

/// A file arrangement, and the file that identifies it.
struct Arrangement {
  Edition edition;
  bool sources;
  std::string_view title;
  std::string_view anchor;
};
constexpr Arrangement k_arrangements[] = {
    {Edition::platinum, false, "a Platinum cartridge", "fielddata/land_data/land_data.narc"},
    {Edition::platinum, false, "a Platinum cartridge", "fielddata/land_data/land_data/0000.bin"},
    {Edition::diamond_pearl, false, "a Diamond or Pearl cartridge", "fielddata/land_data/land_data_release.narc"},
    {Edition::diamond_pearl, false, "a Diamond or Pearl cartridge", "fielddata/land_data/land_data_release/0000.bin"},
    {Edition::diamond_pearl, false, "the Diamond and Pearl decompilation",
     "fielddata/land_data/land_data_release/narc_0000.bin"},
    {Edition::heart_gold_soul_silver, false, "a HeartGold or SoulSilver cartridge",
     "fielddata/build_model/bm_field_matshp.dat"},
    {Edition::platinum, true, "the Platinum decompilation", "res/field/maps/data/map_data.order"},
    {Edition::platinum, true, "the Platinum decompilation", "res/field/maps/data/map_data_000.bin"},
};

/// Files that the decompilation builds under other names.
constexpr std::pair<FileRole, std::string_view> k_built[] = {
    {FileRole::headers, "tables/map_headers.bin"},
    {FileRole::headers, "build/main.sbin"},
    {FileRole::prop_sets, "build/res/field/props/model_sets/prop_model_sets.narc"},
    {FileRole::lights, "build/res/field/lighting/lighting.narc"},
    {FileRole::encounters, "build/res/field/encounters/pl_enc_data.narc"},
    {FileRole::scripts, "build/res/field/scripts/scr_seq.narc"},
    {FileRole::messages, "build/res/text/pl_msg.narc"},
};

/// Member names in the Diamond and Pearl decompilation.
constexpr std::string_view k_dp_source = "narc_0000.bin";
/// The lights of Diamond and Pearl are single files in a shared folder: area00light.txt.
constexpr std::string_view k_dp_lights = "data/", k_light_before = "area", k_light_after = "light.txt";
constexpr u32 k_no_member = 0xFFFF;

std::string_view stem(std::string_view name) { return name.substr(0, name.find_last_of('.')); }

/// The possible paths of a file in a cartridge or a decompilation, below the root.
std::vector<std::string> original_paths(const Arrangement& a, const RoleText& text) {
  std::vector<std::string> out;
  const FileRolePath* role = find_file_role_path(text.id);
  if (role && role->platinum.empty() && a.edition != Edition::heart_gold_soul_silver) return out;
  if (a.sources) {
    for (const auto& [built, path] : k_built)
      if (built == text.role) out.emplace_back(path);
    if (!role) return out;
    const std::string name(file_name(role->platinum));
    out.push_back("tables/" + name);
    out.push_back("res/prebuilt/" + std::string(role->platinum));
    if (role->folder.empty()) return out;
    out.push_back("build/" + std::string(role->folder) + '/' + name);
    out.push_back(std::string(role->folder) + '/');
    return out;
  }
  if (text.role == FileRole::headers) {
    if (a.anchor.ends_with(k_dp_source))
      out = {"../arm9/build/diamond.us/arm9.sbin", "../arm9/build/pearl.us/arm9.sbin"};
    // Beside the files: _system of `unpack`, ndstool, ds-rom.
    out.insert(out.end(), {"arm9.bin", "_system/arm9.bin", "../arm9.bin", "../arm9/arm9.bin", "map_headers.bin"});
    return out;
  }
  if (text.role == FileRole::messages) return {"msgdata/pl_msg.narc", "msgdata/msg.narc"};
  if (!role) return out;
  if (a.edition == Edition::heart_gold_soul_silver) {
    if (text.role == FileRole::matshp) return {std::string(a.anchor)};
    if (text.role == FileRole::names) return {std::string(role->platinum)};
    if (!role->hgss.empty()) out.emplace_back(role->hgss);
    return out;
  }
  // Outside Japan, some archives of Diamond and Pearl have "_release" in their names.
  const std::string_view path = role->platinum;
  out.emplace_back(path);
  out.push_back(std::string(stem(path)) + "_release" + std::string(path.substr(stem(path).size())));
  if (text.role == FileRole::encounters) out.emplace_back("fielddata/encountdata/d_enc_data.narc");
  if (text.role == FileRole::lights) out.emplace_back(k_dp_lights);
  return out;
}

/// The possible paths of a file below the root, the likeliest first. A path with a final slash is a folder of members.
std::vector<std::string> candidate_paths(const Arrangement& a, const RoleText& text) {
  std::vector<std::string> all = original_paths(a, text);
  if (a.sources) return all;
  std::vector<std::string> unpacked;  // what DSPRE has unpacked is newer than the archive
  for (const std::string& path : all)
    if (const std::string folder = dspre_folder_of(path); !folder.empty()) unpacked.push_back("../" + folder);
  all.insert(all.begin(), std::make_move_iterator(unpacked.begin()), std::make_move_iterator(unpacked.end()));
  return all;
}

constexpr bool is_archive(FileRole r) {
  return r != FileRole::headers && r != FileRole::names && r != FileRole::matshp && r != FileRole::room_matshp;
}

struct Found {
  const Arrangement* arrangement = nullptr;
  std::string root;
};

/// Whether maps cannot be shown without a role. The other editions are less well known.
constexpr bool is_needed(FileRole r, Edition e) {
  switch (r) {
    case FileRole::names:
    case FileRole::objects:
    case FileRole::events:
    case FileRole::encounters:
    case FileRole::scripts:
    case FileRole::messages:
      return false;
    case FileRole::lights:
    case FileRole::matshp:
    case FileRole::room_matshp:
    case FileRole::animations:
    case FileRole::anime_lists:
    case FileRole::room_anime_lists:
    case FileRole::texture_motions:
      return e == Edition::platinum;
    default:
      return true;
  }
}

/// The shortest root wins: the game, not a copy of it in one of its folders.
Found find_arrangement(const std::vector<std::string>& paths) {
  Found best;
  for (const Arrangement& a : k_arrangements)
    for (const std::string& p : paths) {
      if (!p.ends_with(a.anchor)) continue;
      const std::string_view root(p.data(), p.size() - a.anchor.size());
      if (!root.empty() && !root.ends_with('/')) continue;
      if (!best.arrangement || root.size() < best.root.size()) best = {&a, std::string(root)};
    }
  return best;
}

/// Resolves `data/../arm9.bin`; empty if the path leaves the tree.
std::string resolve_below_root(std::string_view root, std::string_view path) {
  while (path.starts_with("../")) {
    path.remove_prefix(3);
    if (root.empty()) return {};
    root.remove_suffix(1);
    const size_t cut = root.find_last_of('/');
    root = cut == root.npos ? std::string_view() : root.substr(0, cut + 1);
  }
  return std::string(root) + std::string(path);
}

/// The number at the end of a name (12 for land_012.bin), or of a light.
std::optional<u32> parse_member_number(std::string_view name, bool is_light) {
  if (is_light) {
    if (!name.starts_with(k_light_before) || !name.ends_with(k_light_after)) return {};
    name.remove_suffix(k_light_after.size());
  } else {
    name = stem(name);
  }
  const size_t cut = name.find_last_not_of("0123456789");
  if (cut != name.npos) name.remove_prefix(cut + 1);
  u32 n = 0;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), n);
  if (name.empty() || end.ec != std::errc() || end.ptr != name.data() + name.size()) return {};
  return n;
}

/// The files of a folder in the order of its *.order file, or by the numbers in their names.
std::vector<std::string> folder_members(const FileTree& tree, const std::vector<std::string>& paths,
                                        const std::string& folder, bool are_lights) {
  std::vector<std::string> files;
  std::string order;
  for (auto p = std::lower_bound(paths.begin(), paths.end(), folder); p != paths.end() && p->starts_with(folder); ++p) {
    const std::string_view name = std::string_view(*p).substr(folder.size());
    if (name.find('/') != name.npos || name.ends_with(".bak") || name.ends_with(".backup")) continue;
    if (name.ends_with(".order"))
      order = *p;
    else
      files.emplace_back(name);
  }
  if (!order.empty()) {
    const auto text = tree.read(order);
    if (!text) return {};
    // Lines name files with or without the extension.
    std::map<std::string_view, std::string_view> by_stem;
    for (const std::string& f : files)
      if (!f.ends_with(".build") && !f.ends_with(".json")) by_stem[stem(f)] = f;
    std::vector<std::string> out;
    bool any = false;
    const std::string_view all(reinterpret_cast<const char*>(text->data()), text->size());
    for (const std::string_view line : split_lines(all)) {
      const auto like = by_stem.find(stem(line));
      any |= like != by_stem.end();
      out.emplace_back(like == by_stem.end() ? file_name(line) : like->second);  // never outside the folder
    }
    if (!any) out.clear();  // these files are built from others
    return out;
  }
  std::vector<std::pair<u32, std::string>> numbered;
  for (std::string& f : files)
    if (const auto n = parse_member_number(f, are_lights)) numbered.push_back({*n, std::move(f)});
  sort_stably(numbered);
  std::vector<std::string> out;
  for (auto& [number, name] : numbered) {
    if (number != out.size()) break;  // after a gap, numbers would differ from those of the game
    out.push_back(std::move(name));
  }
  return out;
}

}  // namespace

std::string_view kind_of(FileRole r) { return k_texts[size_t(r)].kind; }

std::optional<SourceList> source_list(FileRole role) {
  switch (role) {
    case FileRole::matrices:
      return SourceList::matrices;
    case FileRole::areas:
      return SourceList::areas;
    case FileRole::prop_sets:
      return SourceList::prop_sets;
    case FileRole::lights:
      return SourceList::lights;
    case FileRole::events:
      return SourceList::events;
    default:
      return {};
  }
}

std::string Members::path(u32 number) const {
  if (archive_) return path_ + '/' + std::to_string(number);
  return number < names_.size() ? path_ + names_[number] : path_ + std::to_string(number);
}

Result<Bytes> Members::read(u32 number) const {
  if (!tree_ || number >= count()) return refuse(missing_file(path(number)));
  if (sources_) return sources_->read(list_, number);
  if (!archive_) return tree_->read(path(number));
  return contents_[number];
}

std::optional<u32> Members::find_number_by_path(std::string_view path) const {
  if (!tree_ || !path.starts_with(path_)) return {};
  path.remove_prefix(path_.size());
  if (archive_) {
    u32 n = 0;
    const auto end = path.starts_with('/') ? std::from_chars(path.data() + 1, path.data() + path.size(), n)
                                           : std::from_chars_result{nullptr, std::errc::invalid_argument};
    return end.ec == std::errc() && end.ptr == path.data() + path.size() && n < count() ? std::optional(n)
                                                                                        : std::nullopt;
  }
  const auto found = std::find(names_.begin(), names_.end(), path);
  return found == names_.end() ? std::nullopt : std::optional(u32(found - names_.begin()));
}

std::optional<u32> Members::find_number_by_name(std::string_view path) const {
  const std::string_view name = file_name(path);
  if (const auto found = std::ranges::find(names_, name); found != names_.end()) return u32(found - names_.begin());
  u32 n = 0;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), n);
  const bool is_number = end.ec == std::errc() && end.ptr == name.data() + name.size() && n < k_no_member;
  return is_number ? std::optional(n) : std::nullopt;
}

Result<Bytes> GameFiles::read(std::string_view path) const {
  for (const Members& m : members_)
    if (const auto number = m.find_number_by_path(path)) return m.read(*number);
  if (sources_ && path == sources_->headers_path()) return sources_->headers();
  return tree_->read(path);
}

bool GameFiles::is_source(std::string_view path) const {
  if (sources_ && !path.empty() && path == sources_->headers_path()) return true;
  return std::ranges::any_of(members_,
                             [&](const Members& m) { return m.are_sources() && m.find_number_by_path(path); });
}

bool GameFiles::find_role_sources(FileRole role) {
  if (role == FileRole::headers && !sources_->headers_path().empty()) {
    files_[size_t(role)] = sources_->headers_path();
    return true;
  }
  const auto list = source_list(role);
  if (!list || sources_->files(*list).empty()) return false;
  Members& members = members_[size_t(role)];
  members.tree_ = tree_, members.sources_ = sources_, members.list_ = *list;
  members.path_ = sources_->folder(*list);
  for (const std::string& path : sources_->files(*list)) members.names_.push_back(path.substr(members.path_.size()));
  return true;
}

Sniff GameFiles::sniff(const FileTree& tree) {
  const Found found = find_arrangement(tree.list());
  if (!found.arrangement) return {};
  return {Sniff::Certainty::certain, std::string(found.arrangement->title)};
}

bool GameFiles::is_decompilation(const FileTree& tree) {
  const Found found = find_arrangement(tree.list());
  return found.arrangement && (found.arrangement->sources || found.arrangement->anchor.ends_with(k_dp_source));
}

bool GameFiles::find_role_files(FileRole role, const std::string& path, const std::vector<std::string>& paths) {
  Members& members = members_[size_t(role)];
  const auto set_found = [&](bool archive, std::string where) {
    members.archive_ = archive;
    members.path_ = std::move(where);
    members.tree_ = tree_;
    return true;
  };
  if (!path.ends_with('/') && tree_->has(path)) {
    if (!is_archive(role)) {
      files_[size_t(role)] = path;
      return true;
    }
    auto bytes = tree_->read(path);
    auto narc = bytes ? load<Narc>(*bytes, {.stays = true})
                      : Result<LoadResult<Document<Narc>>>(refuse(std::move(bytes.error())));
    if (!narc) {
      Diagnostic d = std::move(narc.error());
      d.place.file = path;
      notes_.push_back(std::move(d));
      return true;  // the file is recognised but damaged
    }
    for (const NarcFile& f : narc->document.value().files)
      members.contents_.emplace_back(f.content.begin(), f.content.end());
    return set_found(true, path);
  }
  if (!is_archive(role)) return false;
  // An unpacked archive is a folder with its name, with or without the extension.
  for (const std::string& folder : {path.ends_with('/') ? path : path + '/', std::string(stem(path)) + '/'}) {
    members.names_ = folder_members(*tree_, paths, folder, path.ends_with(k_dp_lights));
    if (!members.names_.empty()) return set_found(false, folder);
  }
  return false;
}

Result<GameFiles> GameFiles::find(const FileTree& tree) {
  const std::vector<std::string> paths = tree.list();
  const Found found = find_arrangement(paths);
  if (!found.arrangement) {
    return refuse("game.unknown", {}, {.message = "no Pokémon Platinum map files found"});
  }
  GameFiles out;
  out.tree_ = &tree;
  out.edition_ = found.arrangement->edition;
  out.root_ = found.root;
  if (found.arrangement->sources) out.sources_ = std::make_shared<const Sources>(tree, found.root);
  for (const RoleText& text : k_texts) {
    if (out.sources_ && out.find_role_sources(text.role)) continue;
    std::string usual;  // its most common path
    const bool is_there =
        std::ranges::any_of(candidate_paths(*found.arrangement, text), [&](const std::string& candidate) {
          const std::string path = resolve_below_root(found.root, candidate);
          if (usual.empty() && !candidate.starts_with("../unpacked/")) usual = path;
          return !path.empty() && out.find_role_files(text.role, path, paths);
        });
    if (is_there || usual.empty()) continue;
    if (text.role == FileRole::headers)
      for (const std::string& candidate : candidate_paths(*found.arrangement, text))
        if (std::string path = resolve_below_root(found.root, candidate); !path.empty())
          out.header_paths_.push_back(std::move(path));
    if (is_archive(text.role)) {
      Members& members = out.members_[size_t(text.role)];
      members.archive_ = true;
      members.path_ = usual;
    }
    if (is_needed(text.role, out.edition_)) out.missing_.push_back(std::move(usual));
  }
  return out;
}

}  // namespace dio::platinum
