#include "operations/cartridge_projects.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "containers/nitro_fs/narc.hpp"
#include "containers/nitro_fs/nds_rom.hpp"
#include "containers/packed/blz.hpp"
#include "core/little_endian.hpp"
#include "core/safe_path.hpp"
#include "core/text_format.hpp"
#include "formats/contract/game.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/reader.hpp"
#include "operations/archive_folders.hpp"

namespace dio {

namespace {

constexpr std::string_view k_unpacked = "unpacked/";
constexpr u64 k_stored_header = 0x200;  // bytes of the header that ndstool stores
constexpr u64 k_most_gap = 1000;        // missing members, to name the first one
constexpr u64 k_footer = 12;            // bytes after arm9 that are not loaded

Diagnostic project_error(std::string path, DiagnosticText said) {
  return make_diagnostic("archive.pack", dio::Location::in_file(std::move(path)), std::move(said));
}

std::string system_path(std::string_view name) { return text("_system/", name); }

std::string overlay_path(u64 id) {
  std::string digits = std::to_string(id);
  return system_path("overlays/" + std::string(4 - std::min<size_t>(4, digits.size()), '0') + digits + ".bin");
}

/// The digits at the end of a name without its extension.
std::optional<u64> number_of(std::string_view path) {
  std::string_view name = file_name(path);
  name = name.substr(0, name.find('.'));
  name.remove_prefix(name.find_last_not_of("0123456789") + 1);
  u64 n = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), n);
  return error == std::errc() && !name.empty() ? std::optional(n) : std::nullopt;
}

/// The value of a line `key: value` of a YAML file at its first level; empty if there is none.
std::string yaml_value(const Bytes& yaml, std::string_view key) {
  const std::string_view all(reinterpret_cast<const char*>(yaml.data()), yaml.size());
  for (std::string_view rest = all; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!line.starts_with(key) || line.substr(key.size()).substr(0, 1) != ":") continue;
    line.remove_prefix(key.size() + 1);
    const size_t start = line.find_first_not_of(" \"'"), end = line.find_last_not_of(" \"'\r");
    return start == line.npos ? "" : std::string(line.substr(start, end + 1 - start));
  }
  return {};
}

bool is_below(std::string_view path, std::string_view folder) { return path.starts_with(folder); }
bool is_backup(std::string_view path) { return path.ends_with(".bak") || path.ends_with(".backup"); }

/// The first names in parentheses; empty if there are none.
std::string list_some(std::string_view before, const std::vector<std::string>& names) {
  constexpr size_t k_most = 3;
  std::string out;
  for (size_t i = 0; i < names.size() && i < k_most; ++i) out += (i ? ", " : std::string(before)) + names[i];
  if (names.size() > k_most) out += ", and " + std::to_string(names.size() - k_most) + " more";
  return out.empty() ? out : out + ")";
}

}  // namespace

std::string_view title_of(CartridgeTool tool) {
  constexpr std::string_view k_titles[] = {"ndstool", "ds-rom", "a decompilation", ""};
  return k_titles[size_t(tool)];
}

std::optional<CartridgeTool> detect_cartridge_project(const FileTree& tree) {
  if (tree.has("config.yaml")) {
    const auto config = tree.read("config.yaml");
    if (config && !yaml_value(*config, "arm9_bin").empty()) return CartridgeTool::ds_rom;
  }
  if (tree.has("header.bin") && tree.has("arm9.bin")) return CartridgeTool::ndstool;
  const bool is_source_tree = std::ranges::any_of(
      game_kinds(), [&](const GameKind* kind) { return kind->is_source_tree && kind->is_source_tree(tree); });
  return is_source_tree ? std::optional(CartridgeTool::sources) : std::nullopt;
}

namespace {

/// Reads a project into the folder of a cartridge, over the files of the base if there is one.
class ProjectReader {
 public:
  ProjectReader(const FileTree& project, MemoryTree base, bool has_base, Diagnostics& notes)
      : project_(project), tree_(std::move(base)), has_base_(has_base), notes_(notes) {
    for (const auto& [path, bytes] : tree_.files) places_.try_emplace(unescape_path(path), path);
  }

  std::optional<Diagnostic> read_ndstool() {
    files_ = "data/";
    if (auto stop = read_header()) return stop;
    if (auto stop = read_arm9()) return stop;
    struct Part {
      const char *from, *to;
      size_t in_header;  // where the header has its offset or size; 0 there: the cartridge has no such part
    };
    constexpr Part k_parts[] = {{"arm7.bin", "arm7.bin", 0x3C},
                                {"banner.bin", "banner.bin", 0x68},
                                {"y9.bin", "arm9_overlays.bin", 0x54},
                                {"y7.bin", "arm7_overlays.bin", 0x5C}};
    const Bytes header = tree_.files[system_path("header.bin")];
    for (const Part& part : k_parts) {
      if (!read_u32_le(header.data() + part.in_header)) continue;
      if (!has_base_ && !project_.has(part.from)) return missing_file(part.from);
      if (auto stop = copy(part.from, system_path(part.to))) return stop;
    }
    for (const std::string& path : project_.list())
      if (is_below(path, "overlay/") && number_of(path))
        if (auto stop = copy(path, overlay_path(*number_of(path)))) return stop;
    return read_files();
  }

  std::optional<Diagnostic> read_ds_rom() {
    const auto config = project_.read("config.yaml");
    if (!config) return config.error();
    const auto path_in = [&](std::string_view key, std::string_view usual) {
      const std::string path = yaml_value(*config, key);
      return path.empty() ? std::string(usual) : path;
    };
    files_ = path_in("files_dir", "files/");
    if (!files_.ends_with('/')) files_ += '/';
    if (const auto header = project_.read(path_in("header", "header.yaml")))
      if (auto stop = check_game_code("header.yaml", yaml_value(*header, "gamecode"))) return stop;
    if (auto stop = read_plain_arm9(path_in("arm9_bin", "arm9/arm9.bin"))) return stop;
    if (auto stop = copy(path_in("arm7_bin", "arm7/arm7.bin"), system_path("arm7.bin"))) return stop;
    if (auto stop = read_plain_overlays()) return stop;
    notes_.push_back(make_diagnostic(
        Severity::hint, "archive.base", {},
        {.message = "the header, the banner, the settings of the programs and the order of the files are those of the "
                    "base: the YAML files, the pictures and path_order.txt of the project are not read"}));
    return read_files();
  }

  /// The maps of a decompilation.
  std::optional<Diagnostic> read_sources() {
    for (const GameKind* kind : game_kinds()) {
      if (!kind->is_source_tree || !kind->is_source_tree(project_)) continue;
      auto changed = kind->build_cartridge_files(project_, tree_, notes_);
      if (!changed) return std::move(changed.error());
      for (DependentFile& file : *changed) tree_.files[file.path] = std::move(file.bytes);
    }
    return {};
  }

  /// Only files that the cartridge has.
  std::optional<Diagnostic> read_some_files() {
    for (const std::string& path : project_.list()) {
      const auto place = places_.find(unescape_path(path));
      if (place == places_.end())
        return project_error(path, {.message = "the base has no file of this path",
                                    .hint = "the paths in the folder must be those of the cartridge"});
      auto bytes = project_.read(path);
      if (!bytes) return std::move(bytes.error());
      tree_.files[place->second] = std::move(*bytes);
    }
    return {};
  }

  MemoryTree take() { return std::move(tree_); }

 private:
  /// A file of the project, if it is there.
  Result<std::optional<Bytes>> read(const std::string& path) const {
    if (!project_.has(path)) return std::nullopt;
    auto bytes = project_.read(path);
    if (!bytes) return refuse(std::move(bytes.error()));
    return std::move(*bytes);
  }
  std::optional<Diagnostic> copy(const std::string& from, const std::string& to) {
    auto bytes = read(from);
    if (!bytes) return std::move(bytes.error());
    if (*bytes && (!(*bytes)->empty() || tree_.has(to))) tree_.files[to] = std::move(**bytes);
    return {};
  }

  std::optional<Diagnostic> check_game_code(const std::string& path, const std::string& code) const {
    if (!has_base_ || code.empty() || code == game_code()) return {};
    return project_error(path,
                         {.message = text("the project is of the game ", code, ", but the base is ", game_code())});
  }

  /// ndstool stores 512 bytes; what follows is that of the base, or zeros.
  std::optional<Diagnostic> read_header() {
    auto bytes = project_.read("header.bin");
    if (!bytes) return std::move(bytes.error());
    if (bytes->size() >= k_stored_header)
      if (auto stop = check_game_code("header.bin", {bytes->begin() + 0x0C, bytes->begin() + 0x10})) return stop;
    if (bytes->size() < k_stored_header)
      return project_error("header.bin", {.expected = format_count(k_stored_header, "byte"),
                                          .found = format_count(bytes->size(), "byte")});
    Bytes& header = tree_.files[system_path("header.bin")];
    const u64 size = std::clamp<u64>(read_u32_le(bytes->data() + 0x84), k_stored_header, 0x4000);
    header.resize(size_t(std::max<u64>(size, bytes->size())));
    std::copy(bytes->begin(), bytes->end(), header.begin());
    header.resize(size_t(size));
    return {};
  }

  /// As stored on the cartridge, with its footer.
  std::optional<Diagnostic> read_arm9() {
    auto bytes = project_.read("arm9.bin");
    if (!bytes) return std::move(bytes.error());
    const bool has_footer =
        bytes->size() > k_footer && read_u32_le(bytes->data() + bytes->size() - k_footer) == NdsRom::k_footer_magic;
    if (has_footer) {
      tree_.files[system_path("arm9_footer.bin")] = Bytes(bytes->end() - k_footer, bytes->end());
      bytes->resize(bytes->size() - k_footer);
    }
    return set_program(std::move(*bytes));
  }
  /// A program that says the same as that of the base keeps its bytes.
  std::optional<Diagnostic> set_program(Bytes program) {
    Bytes& arm9 = tree_.files[system_path("arm9.bin")];
    const auto plain = has_base_ ? decompress_arm9(arm9, arm9_address()) : Result<Bytes>(Bytes());
    if (!has_base_ || !plain || *plain != program) arm9 = std::move(program);
    return {};
  }
  u32 arm9_address() const {
    const Bytes& header = tree_.files.find(system_path("header.bin"))->second;
    return read_u32_le(header.data() + 0x28);
  }

  /// ds-rom stores the program decompressed, up to the memory that it clears; the blocks behind it are files of their
  /// own.
  std::optional<Diagnostic> read_plain_arm9(const std::string& path) {
    auto program = project_.read(path);
    if (!program) return std::move(program.error());
    Bytes& arm9 = tree_.files[system_path("arm9.bin")];
    auto plain = decompress_arm9(arm9, arm9_address());
    if (!plain) return std::move(plain.error());
    if (program->size() > plain->size())
      return project_error(path, {.message = text("the program has ", format_count(program->size(), "byte"),
                                                  ", more than that of the base (", plain->size(),
                                                  "): longer programs cannot be packed")});
    if (auto stop = check_autoload_blocks(path, *program, *plain)) return stop;
    if (std::equal(program->begin(), program->end(), plain->begin())) return {};
    std::copy(program->begin(), program->end(), plain->begin());
    arm9 = compress_arm9(*plain, arm9, arm9_address());
    return {};
  }
  std::optional<Diagnostic> check_autoload_blocks(const std::string& program_path, const Bytes& program,
                                                  const Bytes& plain) {
    const std::string folder(parent_folder(program_path));
    for (const std::string& path : project_.list()) {
      const std::string_view name = file_name(path);
      const bool is_block = name == "itcm.bin" || name == "dtcm.bin" || name.starts_with("unk_autoload_");
      if (parent_folder(path) != folder || !is_block || !name.ends_with(".bin")) continue;
      const auto block = project_.read(path);
      if (!block) return block.error();
      if (std::search(plain.begin() + i64(program.size()), plain.end(), block->begin(), block->end()) == plain.end())
        return project_error(path, {.message = "this block of the program is not that of the base: changed blocks "
                                               "cannot be packed"});
    }
    return {};
  }

  /// ds-rom stores overlays decompressed.
  std::optional<Diagnostic> read_plain_overlays() {
    for (const std::string& path : project_.list()) {
      if (!is_below(path, "arm9_overlays/") || !path.ends_with(".bin") || !number_of(path)) continue;
      auto bytes = project_.read(path);
      if (!bytes) return std::move(bytes.error());
      const std::string place = overlay_path(*number_of(path));
      const auto known = tree_.files.find(place);
      if (known == tree_.files.end())
        return project_error(path, {.message = "the base has no such overlay, so it cannot be packed"});
      if (known->second == *bytes) continue;
      const auto plain = blz_decode(known->second);
      if (plain && *plain == *bytes) continue;
      auto packed = plain ? blz_encode(*bytes) : std::nullopt;
      if (plain && !packed)
        return project_error(path, {.message = "the overlay is compressed in the base, but does not get smaller"});
      known->second = packed ? std::move(*packed) : std::move(*bytes);
    }
    return {};
  }

  std::optional<Diagnostic> read_files() {
    std::set<std::string> missing;
    for (const auto& [path, place] : places_)
      if (!path.starts_with("_system/")) missing.insert(path);
    std::vector<std::string> added;
    bool is_other_set = !has_base_;
    for (const std::string& path : project_.list()) {
      if (!is_below(path, files_)) continue;
      auto bytes = project_.read(path);
      if (!bytes) return std::move(bytes.error());
      std::string name = unescape_path(path.substr(files_.size()));
      const auto place = places_.find(name);
      if (place == places_.end() && is_backup(path)) {
        notes_.push_back(make_diagnostic(Severity::warning, "archive.base", dio::Location::in_file(path),
                                         {.message = "this backup was not packed"}));
        continue;
      }
      is_other_set |= !missing.erase(name);
      if (place == places_.end()) place_new(name), added.push_back(name);
      Bytes& content = tree_.files[places_[name]];
      if (has_base_ && content != *bytes) originals_[places_[name]] = std::move(content);
      content = std::move(*bytes);
    }
    for (const std::string& path : missing) tree_.files.erase(places_[path]), is_other_set = true;
    if (is_other_set) tree_.files.erase(system_path("fnt.bin")), tree_.files.erase(system_path("fat.bin"));
    if (is_other_set && has_base_)
      notes_.push_back(make_diagnostic(
          Severity::warning, "archive.base", {},
          {.message =
               text("the project has other files than the base", list_some(" (new: ", added),
                    list_some(" (missing: ", {missing.begin(), missing.end()}),
                    "; all files get new numbers: a program that opens files by number may open the wrong ones")}));
    return read_unpacked_archives();
  }
  void place_new(const std::string& name) {
    const auto safe = escape_archive_paths({name});
    places_[name] = safe ? safe->front() : name;
  }

  /// DSPRE: unpacked/maps/0012 is a member of an archive, whatever the archive in the files has.
  std::optional<Diagnostic> read_unpacked_archives() {
    std::map<std::string, std::vector<std::string>> folders;
    for (const std::string& path : project_.list()) {
      if (!is_below(path, k_unpacked) || is_backup(path)) continue;
      const std::string_view rest = std::string_view(path).substr(k_unpacked.size());
      folders[std::string(rest.substr(0, rest.find('/')))].push_back(path);
    }
    for (auto& [folder, paths] : folders) {
      std::string archive;
      for (const GameKind* kind : game_kinds())
        if (kind->find_packed_archive && archive.empty())
          archive = kind->find_packed_archive(folder, game_code(), tree_);
      if (archive.empty()) {
        notes_.push_back(make_diagnostic(
            Severity::warning, "archive.unpacked", dio::Location::in_file(std::string(k_unpacked) + folder),
            {.message = text("the archive of this folder is not known: ", format_count(paths.size(), "file"),
                             " not packed")}));
        continue;
      }
      if (auto stop = rebuild_archive(archive, paths)) return stop;
    }
    return {};
  }
  std::string game_code() const {
    const Bytes& header = tree_.files.find(system_path("header.bin"))->second;
    return std::string(header.begin() + 0x0C, header.begin() + 0x10);
  }
  /// The number of a member: 0012, directly in its folder.
  static std::optional<u64> member_number(std::string_view path) {
    const std::string_view name = file_name(path);
    const std::string_view stem = name.ends_with(".bin") ? name.substr(0, name.size() - 4) : name;
    const bool is_direct = std::ranges::count(path, '/') == 2;
    if (!is_direct || stem.empty() || stem.find_first_not_of("0123456789") != stem.npos) return {};
    return number_of(stem);
  }
  /// DSPRE numbers members by their sorted names, so these must be the numbers of all members.
  std::optional<Diagnostic> rebuild_archive(const std::string& archive, std::vector<std::string> paths) {
    Bytes& bytes = tree_.files[archive];
    auto narc = load<Narc>(bytes);
    if (!narc) {
      narc.error().place.file = files_ + archive;
      return std::move(narc.error());
    }
    std::vector<std::optional<Bytes>> numbered;
    for (const std::string& path : paths) {
      const auto number = member_number(path);
      if (!number || *number >= paths.size() + numbered.size() + k_most_gap)
        return project_error(path,
                             {.message = "this file is not a numbered member of its archive: DSPRE would count it, "
                                         "and the members behind it would get other numbers",
                              .hint = "move the file to another folder"});
      if (*number >= numbered.size()) numbered.resize(size_t(*number) + 1);
      if (numbered[size_t(*number)])
        return project_error(path, {.message = text("there are two files for member ", *number)});
      auto member = project_.read(path);
      if (!member) return std::move(member.error());
      numbered[size_t(*number)] = std::move(*member);
    }
    std::vector<Bytes> members;
    for (auto& member : numbered) {
      if (!member)
        return project_error(std::string(parent_folder(paths[0])),
                             {.message = text("member ", members.size(),
                                              " is missing: DSPRE would give the members "
                                              "behind it other numbers")});
      members.push_back(std::move(*member));
    }
    const auto& were = narc->document.value().files;
    const bool is_same = std::ranges::equal(
        were, members, [](const NarcFile& a, const Bytes& b) { return std::ranges::equal(a.content, b); });
    if (is_same) return {};
    if (const auto original = originals_.find(archive); original != originals_.end() && original->second != bytes)
      notes_.push_back(make_diagnostic(
          Severity::warning, "archive.base", dio::Location::in_file(files_ + archive),
          {.message = text("this archive was changed, but ", parent_folder(paths[0]), " is packed instead")}));
    auto& files = narc->document.edit().files;
    files.resize(members.size());
    for (size_t i = 0; i < members.size(); ++i) files[i].content = std::move(members[i]);
    auto packed = save(narc->document);
    if (!packed) return std::move(packed.error());
    bytes = std::move(*packed);
    return {};
  }

  const FileTree& project_;
  MemoryTree tree_;
  bool has_base_;
  Diagnostics& notes_;
  std::string files_;                          // the folder with the files
  std::map<std::string, Bytes> originals_;     // of files that the project has changed
  std::map<std::string, std::string> places_;  // paths in the folder of a cartridge, by those in the cartridge
};

}  // namespace

Result<MemoryTree> read_cartridge_project(const FileTree& project, CartridgeTool tool, std::optional<ByteView> base,
                                          Diagnostics& notes) {
  MemoryTree original;
  if (base) {
    auto unpacked = unpack(*base, "base.nds");
    if (!unpacked) return refuse(std::move(unpacked.error()));
    if (!unpacked->has(system_path("header.bin")))
      return refuse(project_error({}, {.message = "the base is not a cartridge image"}));
    original = std::move(*unpacked);
  } else if (tool != CartridgeTool::ndstool) {
    return refuse(project_error(tool == CartridgeTool::ds_rom ? "config.yaml" : "",
                                {.message = text(tool == CartridgeTool::ds_rom ? "a project of " : "", title_of(tool),
                                                 " can only be packed together with its original cartridge"),
                                 .hint = "pass it with {--base ORIGINAL.nds}"}));
  }
  ProjectReader reader(project, std::move(original), base.has_value(), notes);
  auto stop = tool == CartridgeTool::ndstool   ? reader.read_ndstool()
              : tool == CartridgeTool::ds_rom  ? reader.read_ds_rom()
              : tool == CartridgeTool::sources ? reader.read_sources()
                                               : reader.read_some_files();
  if (stop) return refuse(std::move(*stop));
  return reader.take();
}

}  // namespace dio
