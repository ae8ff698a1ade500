#include "operations/archive_folders.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "containers/disc/disc_frame.hpp"
#include "containers/disc/iso9660.hpp"
#include "containers/nitro_fs/narc.hpp"
#include "containers/nitro_fs/nds_rom.hpp"
#include "containers/packed/yaz0.hpp"
#include "containers/u8/u8_archive.hpp"
#include "core/little_endian.hpp"
#include "core/safe_path.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "layout/reader.hpp"
#include "layout/trace.hpp"
#include "operations/archive_tree.hpp"
#include "operations/cartridge_projects.hpp"
#include "operations/file_parts.hpp"
#include "operations/operations.hpp"

namespace dio {
namespace {

using Kind = RomEntry::Kind;

Diagnostic pack_error(std::string path, DiagnosticText said) {
  return make_diagnostic("archive.pack", dio::Location::in_file(std::move(path)), std::move(said));
}

std::string system_path(std::string_view name) { return std::string(k_system_folder) + "/" + std::string(name); }

std::string numbered_file_name(size_t n) {
  std::string s = std::to_string(n);
  if (s.size() < 4) s.insert(0, 4 - s.size(), '0');
  return s + ".bin";
}

Bytes copy_range(ByteView b, u64 offset, u64 size) {
  if (offset > b.size() || size > b.size() - offset) return {};
  return Bytes(b.begin() + std::ptrdiff_t(offset), b.begin() + std::ptrdiff_t(offset + size));
}

// ---- what the members do not tell ----

/// A text of lines `name value`.
constexpr const char* k_image = "image.txt";

/// Bytes between the parts that are not fill: each with its offset and size before it.
constexpr const char* k_gaps = "gaps.bin";

/// The archive as it was compressed: there is more than one way to, and what is not changed stays as it was.
constexpr const char* k_packed_yaz0 = "packed.yaz0";

void append_u32(Bytes& to, u64 n) {
  for (int i = 0; i < 4; ++i) to.push_back(u8(n >> 8 * i));
}

void write_image_metadata(MemoryTree& tree, u64 size, ByteView tables, const std::vector<UnreferencedBytes>& residue,
                          u8 fill) {
  const std::string text = "size " + std::to_string(size) + "\ntables " + digest_of(tables) + "\n";
  tree.files[system_path(k_image)] = Bytes(text.begin(), text.end());
  Bytes gaps;
  for (const UnreferencedBytes& r : residue) {
    if (std::all_of(r.bytes.begin(), r.bytes.end(), [&](u8 b) { return b == fill; })) continue;
    append_u32(gaps, r.offset);
    append_u32(gaps, r.bytes.size());
    gaps.insert(gaps.end(), r.bytes.begin(), r.bytes.end());
  }
  if (!gaps.empty()) tree.files[system_path(k_gaps)] = std::move(gaps);
}

struct Image {
  u64 size = 0;  // 0: not known
  std::string tables, form;
  std::vector<UnreferencedBytes> gaps;
};

/// The value of a line `name value`; empty if there is none.
std::string_view value_in_lines(std::string_view text, std::string_view name) {
  const size_t at = text.starts_with(name) ? 0 : text.find("\n" + std::string(name));
  if (at == text.npos) return {};
  std::string_view rest = text.substr(at + name.size() + (at ? 1 : 0));
  rest = rest.substr(0, rest.find('\n'));
  return rest.ends_with('\r') ? rest.substr(0, rest.size() - 1) : rest;
}

/// `gaps_name`: of the file with the bytes between the parts.
Result<Image> read_image_metadata(const FileTree& tree, const PackOptions& options, const char* gaps_name = k_gaps) {
  Image image;
  if (tree.has(system_path(k_image))) {
    auto bytes = tree.read(system_path(k_image));
    if (!bytes) return refuse(std::move(bytes.error()));
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const std::string_view size = value_in_lines(text, "size ");
    const auto r = std::from_chars(size.data(), size.data() + size.size(), image.size);
    if (size.empty() || r.ec != std::errc() || r.ptr != size.data() + size.size() || image.size > k_max_file_size)
      return refuse(
          pack_error(system_path(k_image), {.message = "the file needs a line `size N`, where N is at most 1 GiB"}));
    if (options.limit && image.size > *options.limit)
      return refuse("layout.limit", dio::Location::in_file(system_path(k_image)),
                    {.message = "the size " + std::to_string(image.size) + " exceeds the limit of " +
                                format_count(*options.limit, "byte") + ", which depends on the size of the folder"});
    image.tables = value_in_lines(text, "tables ");
    image.form = value_in_lines(text, "form ");
  }
  if (tree.has(system_path(gaps_name))) {
    auto bytes = tree.read(system_path(gaps_name));
    if (!bytes) return refuse(std::move(bytes.error()));
    const Bytes& b = *bytes;
    u64 end = 0;
    const auto number = [&](size_t at) { return read_u32_le(b.data() + at); };
    for (size_t at = 0; at < b.size();) {
      const bool has_head = b.size() - at >= 8;
      const u64 offset = has_head ? number(at) : 0, size = has_head ? number(at + 4) : 0;
      if (!has_head || size > b.size() - at - 8 || offset < end || offset + size > image.size)
        return refuse(pack_error(
            system_path(gaps_name),
            {.message =
                 "the list of gaps is damaged: it must contain the offset, size and content of each gap, in order"}));
      image.gaps.push_back({offset, copy_range(b, at + 8, size)});
      at += 8 + size_t(size);
      end = offset + size;
    }
  }
  return image;
}

/// The files of a folder that no table names, but the ones that are always there.
std::optional<Diagnostic> unlisted_file_error(const FileTree& tree, const std::set<std::string>& known,
                                              const char* hint) {
  for (const std::string& path : tree.list())
    if (!known.contains(path))
      return pack_error(
          path, {.message = "the tables in " + std::string(k_system_folder) + " do not list this file", .hint = hint});
  return {};
}

/// A file that the tables name.
Result<Bytes> read_listed_file(const FileTree& tree, const std::string& path, const char* hint) {
  auto content = tree.read(path);
  if (!content && content.error().hint.empty())
    content.error().hint = "the tables in " + std::string(k_system_folder) + " list this file; " + hint;
  return content;
}

/// With members of other sizes. What lies between them has no place then.
template <class T>
Result<Bytes> rebuild_archive(T archive, Image image) {
  auto document = Document<T>::make_unedited(std::move(archive), image.size, std::move(image.gaps));
  (void)document.edit();
  auto out = save(document);
  if (!out && out.error().id == "layout.loses") {
    out.error().place.file = system_path(k_gaps);
    out.error().hint = "delete this file to discard the unreferenced bytes";
  }
  return out;
}

// ---- NARC ----

constexpr const char* k_narc_tables = "narc.bin";

Result<std::vector<std::string>> narc_paths(const Narc& n) {
  auto paths = build_paths(n.names, n.files.size());
  if (!paths) return paths;
  for (size_t i = 0; i < paths->size(); ++i)
    if ((*paths)[i].empty()) (*paths)[i] = numbered_file_name(i);
  return escape_archive_paths(*paths);
}

Result<MemoryTree> unpack_narc(ByteView archive) {
  auto loaded = load<Narc>(archive, {.stays = true});
  if (!loaded) return refuse(std::move(loaded.error()));
  const Narc& n = loaded->document.value();
  auto paths = narc_paths(n);
  if (!paths) return refuse(std::move(paths.error()));
  MemoryTree tree;
  for (size_t i = 0; i < paths->size(); ++i)
    tree.files[(*paths)[i]] = Bytes(n.files[i].content.begin(), n.files[i].content.end());
  // What a folder of these files becomes anyway needs no tables.
  if (!n.files.empty())
    if (const auto again = pack(tree); again && std::ranges::equal(*again, archive)) return tree;
  const ByteView tables = archive.first(size_t(std::min<u64>(archive.size(), data_offset(n))));
  write_image_metadata(tree, archive.size(), tables, loaded->document.residue, Narc::k_fill);
  tree.files[system_path(k_narc_tables)] = Bytes(tables.begin(), tables.end());
  return tree;
}

/// The archive again whose tables are in `_system`. `paths`: of its files; `files`: these.
template <class T>
Result<Bytes> pack_with_tables(const FileTree& tree, const PackOptions& options, const char* tables_name,
                               auto build_paths, auto files_of) {
  auto image = read_image_metadata(tree, options);
  if (!image) return refuse(std::move(image.error()));
  auto tables = tree.read(system_path(tables_name));
  if (!tables) return refuse(std::move(tables.error()));
  Bytes whole = std::move(*tables);
  whole.resize(std::max<size_t>(whole.size(), size_t(image->size)), fill_of<T>());
  for (const UnreferencedBytes& r : image->gaps)
    std::copy(r.bytes.begin(), r.bytes.end(), whole.begin() + std::ptrdiff_t(r.offset));
  auto loaded = load<T>(whole, {.stays = true});
  if (!loaded) {
    loaded.error().place.file = system_path(tables_name);
    return refuse(std::move(loaded.error()));
  }
  T archive = loaded->document.value();
  auto paths = build_paths(archive);
  if (!paths) return refuse(std::move(paths.error()));
  std::set<std::string> known(paths->begin(), paths->end());
  for (const char* name : {tables_name, k_image, k_gaps, k_packed_yaz0}) known.insert(system_path(name));
  constexpr const char* k_hint = "delete the folder _system to pack all files into a new archive";
  if (auto other = unlisted_file_error(tree, known, k_hint)) return refuse(std::move(*other));
  bool same = true;
  size_t i = 0;
  for (auto* file : files_of(archive)) {
    auto content = read_listed_file(tree, (*paths)[i++], k_hint);
    if (!content) return content;
    same &= content->size() == file->content.size();
    file->content = std::move(*content);
  }
  if (same) return write(archive, loaded->document.residue, whole.size());
  return rebuild_archive(std::move(archive), std::move(*image));
}

std::vector<NarcFile*> narc_file_pointers(Narc& n) {
  std::vector<NarcFile*> out;
  for (NarcFile& f : n.files) out.push_back(&f);
  return out;
}

/// The members of a folder in their order: as `*.order` says, or by number.
Result<std::vector<std::string>> read_member_order(const FileTree& tree) {
  std::vector<std::string> paths = tree.list(), orders;
  for (const std::string& p : paths)
    if (p.ends_with(".order") && p.find('/') == p.npos) orders.push_back(p);
  if (orders.size() > 1)
    return refuse(pack_error(orders[1], {.message = "only one .order file is allowed; there is also " + orders[0]}));
  if (orders.empty()) {
    for (size_t i = 0; i < paths.size(); ++i) {
      if (tree.has(numbered_file_name(i))) continue;
      // Either this one is missing, or there is one that is none of them.
      const auto other = std::find_if(paths.begin(), paths.end(), [](const std::string& p) {
        return p.size() < 8 || !p.ends_with(".bin") || p.find_first_not_of("0123456789") != p.size() - 4;
      });
      const bool missing = other == paths.end();
      return refuse(pack_error(
          missing ? numbered_file_name(i) : *other,
          {.message = missing ? "this member is missing; members are numbered 0000.bin, 0001.bin and so on"
                              : "this file is not a numbered member; members are numbered 0000.bin, 0001.bin and so on",
           .hint = "list the members in a .order file, or keep file names with {--named}"}));
    }
    for (size_t i = 0; i < paths.size(); ++i) paths[i] = numbered_file_name(i);
    return paths;
  }
  auto bytes = tree.read(orders[0]);
  if (!bytes) return refuse(std::move(bytes.error()));
  std::vector<std::string> out;
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty()) continue;
    if (!std::binary_search(paths.begin(), paths.end(), line)) {  // without its extension
      const auto at = std::lower_bound(paths.begin(), paths.end(), line + ".");
      if (at == paths.end() || !at->starts_with(line + ".") || at->find('/', line.size()) != at->npos)
        return refuse(pack_error(orders[0], {.message = "there is no file " + line}));
      line = *at;
    }
    out.push_back(std::move(line));
  }
  return out;
}

Result<Bytes> pack_narc(const FileTree& tree, const PackOptions& options) {
  Narc n = make_narc({});
  if (options.other_order) n.byte_order = 0xFEFF, n.version = 0x0001;
  std::vector<std::string> paths;
  std::vector<u16> numbers;
  if (options.named) {
    paths = tree.list();
    std::vector<std::string> names;
    for (const std::string& p : paths) names.push_back(unescape_path(p));
    auto table = build_name_table(names, 0, numbers);
    if (!table) return refuse(std::move(table.error()));
    n.names = std::move(*table);
  } else {
    auto order = read_member_order(tree);
    if (!order) return refuse(std::move(order.error()));
    paths = std::move(*order);
    if (paths.size() > Narc::k_most_files)
      return refuse(pack_error({}, {.message = std::to_string(paths.size()) + " members exceed the limit of 61,440"}));
    for (size_t i = 0; i < paths.size(); ++i) numbers.push_back(u16(i));
  }
  n.files.resize(paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    auto content = tree.read(paths[i]);
    if (!content) return content;
    n.files[numbers[i]].content = std::move(*content);
  }
  Document<Narc> document;
  document.edit() = std::move(n);
  return save(document);
}

// ---- U8 ----

constexpr const char* k_u8_tables = "u8.bin";

std::vector<U8Node*> u8_file_pointers(U8Archive& a) {
  std::vector<U8Node*> out;
  for (U8Node& n : a.nodes)
    if (!n.is_folder()) out.push_back(&n);
  return out;
}
Result<std::vector<std::string>> u8_file_paths(const U8Archive& a) {
  const auto paths = build_file_paths(a);
  return paths ? escape_archive_paths(*paths) : paths;
}

Result<Bytes> pack_u8(const FileTree& tree) {
  std::vector<std::pair<std::string, Bytes>> files;
  std::vector<std::string> names;
  for (const std::string& path : tree.list()) {
    if (path.starts_with(system_path(""))) continue;
    auto content = tree.read(path);
    if (!content) return content;
    files.push_back({unescape_path(path), std::move(*content)});
    names.push_back(files.back().first);
  }
  if (auto safe = escape_archive_paths(names); !safe) return refuse(std::move(safe.error()));  // two files of one name
  Document<U8Archive> document;
  document.edit() = make_u8(files);
  return save(document);
}

Result<MemoryTree> unpack_u8(ByteView archive) {
  auto loaded = load<U8Archive>(archive, {.stays = true});
  if (!loaded) return refuse(std::move(loaded.error()));
  U8Archive& a = loaded->document.edit();
  auto paths = u8_file_paths(a);
  if (!paths) return refuse(std::move(paths.error()));
  MemoryTree tree;
  size_t i = 0;
  for (const U8Node* n : u8_file_pointers(a)) tree.files[(*paths)[i++]] = Bytes(n->content.begin(), n->content.end());
  // What a folder of these files becomes anyway needs no tables.
  if (const auto again = pack_u8(tree); again && std::ranges::equal(*again, archive)) return tree;
  const u64 names = a.nodes_offset + U8Archive::k_node_size * (1 + a.nodes.size());
  u64 end = names + a.root.name_offset + a.root.name.size() + 1;
  for (const U8Node& n : a.nodes) end = std::max(end, names + n.name_offset + n.name.size() + 1);
  const ByteView tables = archive.first(size_t(std::min<u64>(archive.size(), end)));
  write_image_metadata(tree, archive.size(), tables, loaded->document.residue, fill_of<U8Archive>());
  tree.files[system_path(k_u8_tables)] = Bytes(tables.begin(), tables.end());
  return tree;
}

Result<Bytes> pack_to_u8(const FileTree& tree, const PackOptions& options) {
  if (!tree.has(system_path(k_u8_tables))) return pack_u8(tree);
  return pack_with_tables<U8Archive>(tree, options, k_u8_tables, u8_file_paths, u8_file_pointers);
}

/// Compressed again, or as it was if that still says the same.
Result<Bytes> repack_yaz0(const FileTree& tree, Bytes content) {
  if (!tree.has(system_path(k_packed_yaz0))) return yaz0_encode(content);
  const auto packed = tree.read(system_path(k_packed_yaz0));
  if (!packed) return packed;
  const NewContent changed{0, std::move(content)};
  auto out = find_format("yaz0")->archive->replace(*packed, {&changed, 1});
  if (!out) out.error().place.file = system_path(k_packed_yaz0);
  return out;
}

Result<MemoryTree> unpack_yaz0(const Archive& archive) {
  auto content = archive.read(0);
  if (!content) return refuse(std::move(content.error()));
  MemoryTree tree;
  tree.files[archive.members()[0].path] = std::move(*content);
  tree.files[system_path(k_packed_yaz0)] = Bytes(archive.bytes().begin(), archive.bytes().end());
  return tree;
}

// ---- cartridges ----

Result<MemoryTree> unpack_rom(ByteView archive) {
  auto loaded = load<NdsRom>(archive, {.stays = true});
  if (!loaded) return refuse(std::move(loaded.error()));
  const NdsRom& rom = loaded->document.value();
  auto entries = list_rom_entries(rom, BorrowedByteSource(archive));
  if (!entries) return refuse(std::move(entries.error()));
  MemoryTree tree;
  std::vector<std::string> names;
  for (const RomEntry& e : *entries)
    if (e.is_named) names.push_back(e.path);
  auto safe = escape_archive_paths(names);
  if (!safe) return refuse(std::move(safe.error()));
  size_t name = 0;
  for (const RomEntry& e : *entries)
    tree.files[e.is_named ? (*safe)[name++] : e.path] = copy_range(archive, e.offset, e.size);
  write_image_metadata(tree, archive.size(), archive.first(k_rom_header_bytes), loaded->document.residue,
                       NdsRom::k_fill);
  return tree;
}

/// A structure that is a file of its own, all of it.
template <class T>
Result<T> parse_record(const Bytes& bytes, const std::string& path) {
  Reader r(bytes, std::endian::little);
  T value{};
  T::layout(r, value);
  if (r.good()) return value;
  Diagnostic d = Trace::describe_failure(r.failure, bytes);
  d.place.file = path;
  return refuse(std::move(d));
}
template <class T>
Result<std::vector<T>> parse_records(const Bytes& bytes, u64 record, const std::string& path) {
  std::vector<T> list(size_t(bytes.size() / record));
  Reader r(bytes, std::endian::little);
  r("list", list);
  if (r.good() && bytes.size() % record == 0) return list;
  return refuse(
      pack_error(path, {.message = "the size of " + format_count(bytes.size(), "byte") +
                                   " is not a multiple of the record size (" + format_count(record, "byte") + ")"}));
}

/// Numbers the files of a folder without tables, behind the overlays, and names them.
std::optional<Diagnostic> build_file_table(NdsRom& rom, const FileTree& tree) {
  size_t first = 0;
  for (const auto* all : {&rom.arm9_overlays, &rom.arm7_overlays})
    for (const RomOverlay& o : *all) first = std::max<size_t>(first, size_t(o.file) + 1);
  std::vector<std::string> paths;
  for (const std::string& p : tree.list())
    if (!p.starts_with(system_path(""))) paths.push_back(unescape_path(p));
  if (first + paths.size() > NameTable::k_first_folder)
    return pack_error({}, {.message = std::to_string(first + paths.size()) + " files exceed the limit of 61,440"});
  std::vector<u16> numbers;
  auto table = build_name_table(paths, u16(first), numbers);
  if (!table) return std::move(table.error());
  rom.names = std::move(*table);
  rom.files.resize(first + paths.size());
  return {};
}

Result<Bytes> pack_rom(const FileTree& tree, const PackOptions& options) {
  auto image = read_image_metadata(tree, options);
  if (!image) return refuse(std::move(image.error()));
  std::set<std::string> known = {system_path(k_image), system_path(k_gaps)};
  std::optional<Diagnostic> problem;
  /// A part, or nothing where there is no such file.
  const auto part = [&](const char* name, bool needed) {
    const std::string path = system_path(name);
    known.insert(path);
    if (!needed && !tree.has(path)) return Bytes();
    auto bytes = tree.read(path);
    if (!bytes && !problem) problem = std::move(bytes.error());
    return bytes ? std::move(*bytes) : Bytes();
  };
  NdsRom rom;
  const Bytes header = part("header.bin", true);
  if (problem) return refuse(std::move(*problem));
  if (header.size() < 0x200)
    return refuse(
        pack_error(system_path("header.bin"),
                   {.message = "the header has " + format_count(header.size(), "byte") + "; it needs at least 512"}));
  auto head = parse_record<RomHeader>(header, system_path("header.bin"));
  if (!head) return refuse(std::move(head.error()));
  rom.header = *head;
  RomHeader& h = rom.header;
  rom.header_rest = Bytes(header.begin() + std::ptrdiff_t(k_rom_header_bytes), header.end());
  if (rom.header_rest.size() != NdsRom::header_rest_size(h))
    return refuse(pack_error(
        system_path("header.bin"),
        {.message = "the header has " + format_count(header.size(), "byte") + ", but its size field states " +
                    std::to_string(NdsRom::header_rest_size(h) + k_rom_header_bytes)}));
  rom.arm9 = part("arm9.bin", h.arm9.size);
  rom.arm9_footer = part("arm9_footer.bin", false);
  rom.arm7 = part("arm7.bin", h.arm7.size);
  rom.banner = part("banner.bin", h.banner_offset);
  rom.signature = part("signature.bin", false);
  const Bytes overlays9 = part("arm9_overlays.bin", h.arm9_overlays.size),
              overlays7 = part("arm7_overlays.bin", h.arm7_overlays.size);
  const bool anew = !tree.has(system_path("fnt.bin")) && !tree.has(system_path("fat.bin"));
  const Bytes names = part("fnt.bin", !anew && h.names.size), files = part("fat.bin", !anew && h.files.size);
  if (problem) return refuse(std::move(*problem));
  auto list9 = parse_records<RomOverlay>(overlays9, 32, system_path("arm9_overlays.bin"));
  auto list7 = parse_records<RomOverlay>(overlays7, 32, system_path("arm7_overlays.bin"));
  auto list = parse_records<RomFile>(files, 8, system_path("fat.bin"));
  if (!list9) return refuse(std::move(list9.error()));
  if (!list7) return refuse(std::move(list7.error()));
  if (!list) return refuse(std::move(list.error()));
  rom.arm9_overlays = std::move(*list9), rom.arm7_overlays = std::move(*list7), rom.files = std::move(*list);
  if (anew) {
    if (auto problem = build_file_table(rom, tree)) return refuse(std::move(*problem));
    h.names.size = 0, h.files.size = 0;  // they stay at their places, if they fit
  } else if (!names.empty()) {
    auto table = parse_record<NameTable>(names, system_path("fnt.bin"));
    if (!table) return refuse(std::move(table.error()));
    rom.names = std::move(*table);
  }
  rom.padded_to = u32(image->size);

  auto entries = list_rom_entries(rom, BorrowedByteSource({}));
  if (!entries) return refuse(std::move(entries.error()));
  // Paths in the folder, which may be escaped or not, by those in the archive.
  std::map<std::string, std::string> safe;
  for (const std::string& path : tree.list()) safe.try_emplace(unescape_path(path), path);
  const auto matches_header_size = [](const Bytes& table, const RomPart& part, u64 record) {
    return table.size() == part.size / record * record;
  };
  bool same = !anew && image->size && rom.arm9.size() == h.arm9.size && rom.arm7.size() == h.arm7.size &&
              matches_header_size(names, h.names, 1) && matches_header_size(files, h.files, 8) &&
              matches_header_size(overlays9, h.arm9_overlays, 32) &&
              matches_header_size(overlays7, h.arm7_overlays, 32);
  constexpr const char* k_hint = "delete _system/fnt.bin and _system/fat.bin to rebuild the name table";
  for (size_t i = 0; i < rom.files.size(); ++i) {
    RomFile& f = rom.files[i];
    const RomEntry& entry = (*entries)[i];
    const auto at = entry.is_named ? safe.find(entry.path) : safe.end();
    const std::string& path = at == safe.end() ? entry.path : at->second;
    known.insert(path);
    auto content = read_listed_file(tree, path, k_hint);
    if (!content) return content;
    same &= f.start <= f.end && content->size() == f.end - f.start;
    f.content = std::move(*content);
  }
  if (auto other = unlisted_file_error(tree, known, k_hint)) return refuse(std::move(*other));
  if (!same) {
    drop_padding(image->gaps, image->size);
    return rebuild_archive(std::move(rom), std::move(*image));
  }
  auto out = write(rom, image->gaps, image->size);
  // A header that was edited gets its checksum; one that came with a wrong one keeps it.
  if (out && digest_of(ByteView(header).first(k_rom_header_bytes)) != image->tables) NdsRom::seal(*out);
  return out;
}

/// Of the folder of a cartridge, or of the project of another tool.
Result<Bytes> pack_cartridge(const FileTree& tree, const PackOptions& options, Diagnostics* notes) {
  if (tree.has(system_path("header.bin"))) {
    if (!options.base) return pack_rom(tree, options);
    return refuse(pack_error({}, {.message = "the folder has all parts of its cartridge, so it needs no base"}));
  }
  const auto tool = detect_cartridge_project(tree).value_or(CartridgeTool::none);
  Diagnostics said;
  const auto project = read_cartridge_project(tree, tool, options.base, said);
  if (!project) return refuse(project.error());
  if (notes) notes->insert(notes->end(), said.begin(), said.end());
  return pack_rom(*project, options);
}

// ---- packed data ----

/// The data as it was packed: there is more than one way to pack, and what is not changed stays as it was.
constexpr const char* k_packed = "packed.lz";

Result<MemoryTree> unpack_lz(const Archive& archive) {
  auto content = archive.read(0);
  if (!content) return refuse(std::move(content.error()));
  MemoryTree tree;
  tree.files[archive.members()[0].path] = std::move(*content);
  tree.files[system_path(k_packed)] = Bytes(archive.bytes().begin(), archive.bytes().end());
  return tree;
}

Result<Bytes> pack_lz(const FileTree& tree, const PackOptions& options) {
  std::vector<std::string> paths = tree.list();
  const bool has_packed = std::erase(paths, system_path(k_packed));
  if (paths.size() != 1)
    return refuse(pack_error({}, {.message = "compressed data contains exactly one file, but the folder has " +
                                             format_count(paths.size(), "file")}));
  auto content = tree.read(paths[0]);
  if (!content || !has_packed) return content ? lz_encode(*content, options.lz.value_or(LzKind::lz10)) : content;
  const auto packed = tree.read(system_path(k_packed));
  if (!packed) return packed;
  const auto header = parse_lz_header(*packed);
  if (header && options.lz.value_or(header->kind) != header->kind) return lz_encode(*content, *options.lz);
  const NewContent changed{0, std::move(*content)};
  auto out = find_format("lz")->archive->replace(*packed, {&changed, 1});
  if (!out) out.error().place.file = system_path(k_packed);
  return out;
}

// ---- discs ----

constexpr const char* k_disc = "disc.bin";

/// How image.txt names the form of the sectors.
constexpr std::pair<SectorForm, std::string_view> k_form_names[] = {{SectorForm::plain, "2048"},
                                                                    {SectorForm::headless, "2336"},
                                                                    {SectorForm::mode1, "2352-mode1"},
                                                                    {SectorForm::mode2, "2352-mode2"}};

/// Images above 1 GiB are not packed again, so nothing is kept of them.
Result<bool> write_disc_frame(MemoryTree& tree, const ByteSource& image, const std::vector<std::string>& paths) {
  if (image.size() > k_max_file_size) return false;
  const auto disc = read_disc(image);
  if (!disc) return refuse(disc.error());
  std::vector<DiscContent> files;
  for (const DiscEntry& e : disc->entries)
    if (e.is_file()) files.push_back({e, tree.files[paths[files.size()]]});
  const auto frame = extract_disc_frame(image, disc->form, files);
  if (!frame) return refuse(frame.error());
  Bytes kept;
  for (const DiscFrame::Run& run : frame->runs) {
    append_u32(kept, run.offset);
    append_u32(kept, run.bytes.size());
    kept.insert(kept.end(), run.bytes.begin(), run.bytes.end());
  }
  const std::string_view form = std::ranges::find(k_form_names, disc->form, [](auto& f) { return f.first; })->second;
  const std::string text = "size " + std::to_string(image.size()) + "\nform " + std::string(form) + "\n";
  tree.files[system_path(k_image)] = Bytes(text.begin(), text.end());
  tree.files[system_path(k_disc)] = std::move(kept);
  return true;
}

Result<DiscFrame> read_disc_frame(const FileTree& tree, const PackOptions& options) {
  auto image = read_image_metadata(tree, options, k_disc);
  if (!image) return refuse(std::move(image.error()));
  const auto form = std::ranges::find(k_form_names, image->form, [](auto& f) { return f.second; });
  if (!image->size || form == std::end(k_form_names))
    return refuse(pack_error(
        system_path(k_image),
        {.message = "the file needs a line `size N` and a line `form F`, where F is 2048, 2336, 2352-mode1 or "
                    "2352-mode2",
         .hint = "delete the folder _system to pack all files into a new image"}));
  DiscFrame frame{form->first, image->size, {}};
  for (UnreferencedBytes& gap : image->gaps)
    frame.runs.push_back({gap.offset, Bytes(gap.bytes.begin(), gap.bytes.end())});
  return frame;
}

/// The files of a folder that go onto a disc.
std::vector<std::string> disc_file_paths(const FileTree& tree) {
  std::vector<std::string> paths = tree.list();
  std::erase_if(paths, [](const std::string& path) { return path.starts_with(system_path("")); });
  return paths;
}

/// A folder whose files have the sectors that they had on a disc; new files have provisional ones.
class PlacedTree final : public FileTree {
 public:
  using Sectors = std::map<std::string, u64, std::less<>>;
  PlacedTree(const FileTree& tree, const Sectors& sectors) : tree_(tree), sectors_(sectors) {}
  std::vector<std::string> list() const override { return tree_.list(); }
  bool has(std::string_view path) const override { return tree_.has(path); }
  Result<Bytes> read(std::string_view path) const override { return tree_.read(path); }
  std::optional<u64> place(std::string_view path) const override {
    if (sectors_.empty()) return {};
    const auto known = sectors_.find(path);
    return known == sectors_.end() ? provisional_sector(path) : known->second;
  }

 private:
  const FileTree& tree_;
  const Sectors& sectors_;
};

/// A new image of the files of a folder. `before`: the sectors that they had; empty if that is unknown.
Result<Bytes> pack_new_disc(const FileTree& tree, const DiscOptions& options, const PlacedTree::Sectors& before,
                            Diagnostics* notes) {
  std::vector<DiscFile> files;
  for (const std::string& path : disc_file_paths(tree)) {
    auto content = tree.read(path);
    if (!content) return content;
    files.push_back({unescape_path(path), std::move(*content)});
  }
  // Games find files by their order where nothing else is known of their places.
  sort_stably(
      files, [](const DiscFile& a, const DiscFile& b) { return natural_less(upper_case(a.path), upper_case(b.path)); });
  auto image = make_disc_image(files, options);
  if (!image) {
    image.error().place.file = std::exchange(image.error().place.path, {});
    return image;
  }
  files = {};
  // Files of some games say where others are on the disc.
  for (const GameKind* game : game_kinds()) {
    if (!game->follow_packing || game->sniff(tree).certainty == Sniff::Certainty::no) continue;
    auto archive = Archive::open(std::move(*image), "image.bin");
    if (!archive) return refuse(std::move(archive.error()));
    ArchiveTree packed(std::move(*archive));
    auto following = game->follow_packing(PlacedTree(tree, before), packed);
    if (!following) return refuse(std::move(following.error()));
    if (notes) std::ranges::move(following->notes, std::back_inserter(*notes));
    std::vector<NewContent> news;
    for (DependentFile& f : following->files) {
      const auto member = packed.archive().find(f.path);
      if (!member) return refuse(missing_file(f.path));
      news.push_back({*member, std::move(f.bytes)});
    }
    image = news.empty() ? std::move(packed).take_bytes() : packed.archive().replace(news);
    if (!image) return image;
  }
  return image;
}

/// The first 16 sectors of an image, in another form if that is asked for.
Bytes system_area_of(const Bytes& image, SectorForm from, SectorForm to) {
  const u64 size = sector_size(to);
  if (from == to) return copy_range(image, 0, k_first_descriptor * size);
  Bytes out(static_cast<size_t>(k_first_descriptor * size));
  for (u32 lba = 0; lba < k_first_descriptor; ++lba) {
    const std::span<u8> sector = std::span(out).subspan(size_t(lba * size), size_t(size));
    init_sector(sector, to, lba);
    std::ranges::copy(disc_sector(image, from, lba), sector.begin() + std::ptrdiff_t(data_in_sector(to)));
    seal_sector(sector, to);
  }
  return out;
}

/// A disc that is packed again: its files, with what the folder has of them.
struct RepackedDisc {
  Bytes image;                         // with the files whose size is the same
  std::vector<DependentFile> changed;  // those of another size, and new ones
  PlacedTree::Sectors sectors;         // of the files of the image
  std::string difference;              // why this image cannot hold the files of the folder; empty: it can
};
Result<RepackedDisc> refill_disc(const FileTree& tree, const DiscFrame& frame) {
  RepackedDisc out{make_empty_disc(frame), {}, {}, {}};
  const auto disc = read_disc(out.image);
  if (!disc) return refuse(disc.error());
  std::vector<DiscContent> files;
  std::vector<std::string> paths;
  for (const DiscEntry& e : disc->entries)
    if (e.is_file()) files.push_back({e, {}}), paths.push_back(e.path);
  auto safe = escape_archive_paths(paths);
  if (!safe) return refuse(std::move(safe.error()));
  std::set<std::string> missing(safe->begin(), safe->end());
  for (size_t i = 0; i < files.size(); ++i) out.sectors.emplace((*safe)[i], files[i].entry.lba);
  for (const std::string& path : disc_file_paths(tree)) {
    if (missing.erase(path)) continue;
    auto content = tree.read(path);
    if (!content) return refuse(std::move(content.error()));
    out.changed.push_back({upper_case(unescape_path(path)), std::move(*content)});
  }
  if (!missing.empty()) out.difference = "the folder does not contain " + *missing.begin();
  if (!out.difference.empty()) {
    fill_disc(out.image, frame, {});
    return out;
  }
  std::vector<Bytes> contents(files.size());
  for (size_t i = 0; i < files.size(); ++i) {
    auto content = tree.read((*safe)[i]);
    if (!content) return refuse(std::move(content.error()));
    if (content->size() == disc_content_size(out.image, frame.form, files[i].entry))
      files[i].content = contents[i] = std::move(*content);
    else
      out.changed.push_back({paths[i], std::move(*content)});
  }
  fill_disc(out.image, frame, files);
  // Files may share sectors: then only one content is stored.
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].content.empty()) continue;
    const auto stored = read_disc_file(out.image, frame.form, files[i].entry);
    if (!stored || !std::ranges::equal(*stored, files[i].content))
      out.difference = (*safe)[i] + " shares sectors with a file that has other content";
  }
  return out;
}

/// The image that was unpacked. If it has no room for the files, a new one with the same system area.
Result<Bytes> pack_known_disc(const FileTree& tree, const PackOptions& options, Diagnostics* notes) {
  const auto frame = read_disc_frame(tree, options);
  if (!frame) return refuse(frame.error());
  const SectorForm form = options.disc.value_or(frame->form);
  auto disc = refill_disc(tree, *frame);
  if (!disc) return refuse(std::move(disc.error()));
  if (form != frame->form && disc->difference.empty()) disc->difference = "the sectors have another size";
  if (disc->difference.empty()) {
    if (disc->changed.empty()) return std::move(disc->image);
    auto archive = Archive::open(Bytes(disc->image), "image.bin");
    if (!archive) return refuse(std::move(archive.error()));
    auto out = replace_files(ArchiveTree(std::move(*archive)), std::move(disc->changed));
    if (out || (out.error().id != "archive.full" && out.error().id != "file.missing")) return out;
    disc->difference = format_one_line(out.error());
  }
  if (notes)
    notes->push_back(make_diagnostic(Severity::warning, "archive.repacked", {},
                                     {.message = "this is a new image, with files in other sectors, because the "
                                                 "original image cannot hold the files: " +
                                                 disc->difference}));
  return pack_new_disc(tree, {.form = form, .system_area = system_area_of(disc->image, frame->form, form)},
                       disc->sectors, notes);
}

Result<Bytes> pack_disc(const FileTree& tree, const PackOptions& options, Diagnostics* notes) {
  if (tree.has(system_path(k_disc))) return pack_known_disc(tree, options, notes);
  return pack_new_disc(tree, {.form = options.disc.value_or(SectorForm::mode2)}, {}, notes);
}

/// Why an archive has no files: for a disc, what is wrong with its folders.
Diagnostic empty_archive_error(const Archive& archive) {
  if (const auto disc = read_disc(archive.source()); disc && !disc->faults.empty()) {
    Diagnostic fault = disc->faults.front();
    if (fault.place.path.empty()) fault.place.path = "/";
    return fault;
  }
  return make_diagnostic("archives.disc-directory", {}, {.message = "the root folder contains no files"});
}

}  // namespace

Result<MemoryTree> unpack(ByteView archive, std::string_view name, std::string_view folder) {
  auto opened = Archive::open(Bytes(archive.begin(), archive.end()), name);
  if (opened) return unpack(*opened, name, folder);
  const auto detected = detect(archive, name);
  if (folder.empty() && detected && detected->format->parts)
    return unpack_parts(*detected->format, archive, file_stem(name));
  return refuse(std::move(opened.error()));
}

Result<MemoryTree> unpack(const Archive& archive, std::string_view name, std::string_view folder) {
  const auto in_file = [&](Result<MemoryTree> tree) {
    if (!tree) tree.error().place.file = name;
    return tree;
  };
  const std::string_view format = archive.format().id;
  if (folder.empty() && format == "lz") return in_file(unpack_lz(archive));
  if (folder.empty() && format == "yaz0") return in_file(unpack_yaz0(archive));
  if (folder.empty() && (format == "narc" || format == "nds" || format == "u8")) {
    Bytes room;
    const auto bytes = archive.source().view(0, archive.source().size(), room);
    if (!bytes) return in_file(refuse(bytes.error()));
    auto tree = format == "narc" ? unpack_narc(*bytes) : format == "nds" ? unpack_rom(*bytes) : unpack_u8(*bytes);
    if (tree && archive.packed_as())
      tree->files[system_path(k_packed_yaz0)] = Bytes(archive.packed().begin(), archive.packed().end());
    return in_file(std::move(tree));
  }
  const std::string start = folder.empty() ? "" : std::string(folder) + "/";
  std::vector<std::string> paths;
  std::vector<size_t> members;
  for (size_t i = 0; i < archive.members().size(); ++i) {
    const std::string& path = archive.members()[i].path;
    if (!path.starts_with(start)) continue;
    paths.push_back(path.substr(start.size()));
    members.push_back(i);
  }
  if (paths.empty() && folder.empty()) return in_file(refuse(empty_archive_error(archive)));
  if (paths.empty()) return refuse(missing_file(std::string(name) + "/" + std::string(folder)));
  auto safe = escape_archive_paths(paths);
  if (!safe) return in_file(refuse(std::move(safe.error())));
  MemoryTree tree;
  for (size_t i = 0; i < paths.size(); ++i) {
    auto content = archive.read(members[i]);
    if (!content) return in_file(refuse(std::move(content.error())));
    tree.files[(*safe)[i]] = std::move(*content);
  }
  if (folder.empty() && format == "iso")
    if (auto kept = write_disc_frame(tree, archive.source(), *safe); !kept) return in_file(refuse(kept.error()));
  return tree;
}

/// Whether a folder says that it is an archive whose members have an order.
static bool has_member_order(const FileTree& tree) {
  return std::ranges::any_of(tree.list(), [](const std::string& path) {
    return path == numbered_file_name(0) || (path.ends_with(".order") && path.find('/') == path.npos);
  });
}

bool is_unpacked_archive(const FileTree& tree) {
  const auto is_system = [](const std::string& path) { return path.starts_with(system_path("")); };
  return has_member_order(tree) || std::ranges::any_of(tree.list(), is_system) || find_format_of_parts(tree) ||
         detect_cartridge_project(tree);
}

const Format& choose_pack_format(const FileTree& tree, const PackOptions& options) {
  // Of what a cartridge or a NARC was, no other archive could keep `_system`. An archive may contain a decompilation.
  const auto project = detect_cartridge_project(tree);
  const bool is_decompilation = project == CartridgeTool::sources;
  const bool is_cartridge = tree.has(system_path("header.bin")) || (project && !is_decompilation) || options.base;
  if (!options.lz && is_cartridge) return *find_format("nds");
  if (!options.lz && tree.has(system_path(k_narc_tables))) return *find_format("narc");
  if (options.disc || tree.has(system_path(k_disc))) return *find_format("iso");
  if (options.yaz0 || (!options.u8 && tree.has(system_path(k_packed_yaz0)))) return *find_format("yaz0");
  if (options.u8 || tree.has(system_path(k_u8_tables))) return *find_format("u8");
  if (options.lz || tree.has(system_path(k_packed))) return *find_format("lz");
  const bool is_narc = options.named || options.other_order || has_member_order(tree);
  if (is_decompilation && !is_narc) return *find_format("nds");
  const Format* of_parts = is_narc ? nullptr : find_format_of_parts(tree);
  return of_parts ? *of_parts : *find_format("narc");
}

Result<Bytes> pack(const FileTree& tree, const PackOptions& options, Diagnostics* notes) {
  const Format& made = choose_pack_format(tree, options);
  const std::string_view format = made.id;
  if (made.parts) return pack_parts(made, tree, notes);
  if (format == "iso") return pack_disc(tree, options, notes);
  if (format == "lz") return pack_lz(tree, options);
  if (format == "nds") return pack_cartridge(tree, options, notes);
  if (format == "yaz0") {
    std::vector<std::string> paths = tree.list();
    std::erase(paths, system_path(k_packed_yaz0));
    auto content =
        options.one_file || paths == std::vector<std::string>{"data"} ? tree.read(paths[0]) : pack_to_u8(tree, options);
    return content ? repack_yaz0(tree, std::move(*content)) : content;
  }
  if (format == "u8") return pack_to_u8(tree, options);
  if (tree.has(system_path(k_narc_tables)))
    return pack_with_tables<Narc>(tree, options, k_narc_tables, narc_paths, narc_file_pointers);
  if (tree.list().empty()) return refuse(pack_error({}, {.message = "the folder has no files"}));
  return pack_narc(tree, options);
}

}  // namespace dio
