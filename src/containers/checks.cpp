// checks.cpp: checks for problems in games, consoles and other tools.
#include <algorithm>
#include <map>
#include <numeric>

#include "containers/packed/blz.hpp"
#include "containers/parts.hpp"
#include "core/crc16.hpp"
#include "core/sorting.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/writer.hpp"

namespace dio::containers {
namespace {

using enum Severity;

constexpr u16 k_logo_checksum = 0xCF56;

std::string at(std::string_view list, u64 i) { return text(list, "[", i, "]"); }

/// Reports a diagnostic from reading names or packed data as a finding.
void report_problem(Reporter& r, const Diagnostic& d, std::string path) {
  r.report(d.id, std::move(path), {.message = d.message, .expected = d.expected, .found = d.found, .hint = d.hint});
}

/// Reports bytes in `residue`, the unused parts of a file, that differ from the fill.
void check_fill(Reporter& r, std::string_view id, const std::vector<UnreferencedBytes>& residue, u8 fill) {
  for (const UnreferencedBytes& gap : residue)
    if (const auto other = std::find_if(gap.bytes.begin(), gap.bytes.end(), [&](u8 b) { return b != fill; });
        other != gap.bytes.end())
      r.report(id, Location::of_bytes(gap.offset, gap.bytes.size()),
               {.message = text("the padding between members contains ", format_hex(*other, 2), "; it should be all ",
                                format_hex(fill, 2))});
}

/// The position of a member.
struct Extent {
  u64 start, end;
  size_t node;
};

/// Calls report(i, before) for each element that begins before an earlier one ends.
void for_each_overlap(const auto& list, auto report) {
  std::vector<u32> order(list.size());
  std::iota(order.begin(), order.end(), 0u);
  sort_stably(order, [&](u32 a, u32 b) { return list[a].start < list[b].start; });
  u64 end = 0;
  u32 last = 0;
  for (const u32 i : order) {
    if (list[i].start == list[i].end) continue;
    if (list[i].start < end) report(i, last);
    if (list[i].end > end) end = list[i].end, last = i;
  }
}

}  // namespace

std::span<const Rule> rules() {
  static constexpr Rule k_rules[] = {
      {"archives.form", warning, "a NARC archive has the bytes FE FF 00 01 or FF FE 01 00 after its magic",
       "All known games use FE FF 00 01 or FF FE 01 00, and some libraries check for these bytes.",
       "Pack the archive again with {pack FOLDER}; {--byte-order} selects one of the two forms.",
       "src/containers/README.md, NARC"},
      {"archives.sizes", error, "the size fields of a NARC archive match its contents",
       "The game finds each block by adding up the sizes of the earlier blocks. If a size is wrong, the game reads the "
       "wrong bytes.",
       "Unpack the archive and pack it again: {pack FOLDER} computes the sizes.", "src/containers/README.md, NARC"},
      {"archives.overlap", error, "no two files share bytes",
       "Changing one of two overlapping files also changes the other file.",
       "Unpack the archive and pack it again: {pack FOLDER} gives each file its own bytes.",
       "src/containers/README.md, NARC"},
      {"archives.outside", error, "every member is inside the data block of its NARC archive",
       "If a member is outside the data block, the game reads past the end of the archive.",
       "Get an undamaged copy, or unpack the archive, restore the member and pack it again.",
       "src/containers/README.md, NARC"},
      {"archives.alignment", hint, "members of a NARC archive start at multiples of 4 bytes",
       "The hardware copies whole 4-byte words, so the game may read an unaligned member from the wrong position. The "
       "games' own tools align every member.",
       "Unpack the archive and pack it again: {pack FOLDER} aligns every member.", "src/containers/README.md, NARC"},
      {"archives.gap", hint, "the padding between members is 0xFF",
       "The games' own tools fill gaps with 0xFF. Any other padding is lost when the archive is packed again.",
       "No action is needed; {pack FOLDER} fills gaps with 0xFF.", "src/containers/README.md, NARC"},
      {"archives.empty-member", warning, "no member has a size of 0",
       "If a game loads an empty member, the games' own library treats the size of 0 as the size of the whole archive. "
       "Most games never load an empty member.",
       "Put at least one byte into the member, or make sure that the game never loads the member.",
       "src/containers/README.md, NARC"},
      {"archives.file-count", error, "an archive has at most 61,440 files",
       "In the name table, numbers of 0xF000 (61,440) or more identify folders, not files.",
       "Remove files, or split the archive into several archives.", "src/containers/README.md, Names"},
      {"archives.names", error, "every folder and every file has exactly one path",
       "A file without a path cannot be opened by name. If two files have the same path, the game may open the wrong "
       "file.",
       "Unpack the archive, check the names of its files and folders, and pack it again with {--named}.",
       "src/containers/README.md, Names"},
      {"archives.header-checksum", error, "a cartridge's header checksum is correct",
       "The console refuses to start a game with a wrong header checksum.",
       "Unpack the cartridge and pack it again: {pack FOLDER} computes the checksum.", "GBATEK, DS Cartridge Header"},
      {"archives.logo", warning, "a cartridge contains Nintendo's logo and the checksum of the logo",
       "The console checks the logo and its checksum before it starts the game; emulators do not.",
       "Copy the logo (156 bytes from 0xC0) from an undamaged image, and set logo_checksum to 0xCF56.",
       "GBATEK, DS Cartridge Header"},
      {"archives.used-size", warning, "all parts of a cartridge are within its used size",
       "Tools that trim unused space cut off everything beyond the used size.",
       "Unpack the cartridge and pack it again: {pack FOLDER} computes the used size.", "GBATEK, DS Cartridge Header"},
      {"archives.capacity", warning, "the capacity of a cartridge is large enough for its contents",
       "Copiers and emulators read only as many bytes as the header states.",
       "Raise header.capacity: 0 is 128 KiB, and each step doubles the size.", "GBATEK, DS Cartridge Header"},
      {"archives.program", error, "a cartridge's programs come after its header and do not overlap",
       "The console loads the ARM9 and ARM7 programs before any other file of the cartridge, so the positions of both "
       "programs must be valid.",
       "Get an undamaged image, or unpack the cartridge and pack it again; {pack FOLDER} places both programs.",
       "GBATEK, DS Cartridge Header"},
      {"archives.overlay", error, "overlays are numbered in order, and each refers to an existing file",
       "The game finds an overlay by its index in the overlay table. If an entry of the table refers to the wrong "
       "file, the game runs other data as a program.",
       "Set `id` of the overlay to its index in the overlay table, and set `file` to the number of an existing file.",
       "GBATEK, DS Cartridge Overlays"},
      {"archives.blz", error, "a compressed program decompresses to its stated size",
       "The game decompresses programs in place; a damaged program overwrites the memory around it.",
       "Compress the program again, or set its size field to its decompressed size.",
       "src/containers/README.md, Packed data"},
      {"archives.lz", error, "LZ data decompresses to its stated size",
       "The BIOS decompresses until it has written the stated number of bytes, and does not check the data. If the "
       "data is damaged, the BIOS may overwrite other memory.",
       "Get an undamaged copy; the original data cannot be recovered from a damaged copy.",
       "src/containers/README.md, Packed data"},
      {"archives.lz-rest", hint, "LZ data is followed by at most a few zeros",
       "The game does not read bytes after the compressed data. When the data is compressed again, these bytes are "
       "lost.",
       "No action is needed; {pack FOLDER} compresses the data again and drops the bytes after it.",
       "src/containers/README.md, Packed data"},
      {"archives.u8-tree", error, "the folders of a U8 archive are properly nested",
       "The game looks for a folder's files among the nodes that follow the folder's node, up to the folder's end.",
       "Unpack the archive with another program and pack it again with {pack FOLDER}.", "src/containers/README.md, U8"},
      {"archives.u8-sizes", warning, "the size fields of a U8 archive match its contents",
       "The game does not read the size fields, but other tools use them to find the data of the archive.",
       "Unpack the archive, remove _system/u8.bin, and pack the folder again: {pack FOLDER} computes the sizes.",
       "src/containers/README.md, U8"},
      {"archives.u8-alignment", hint, "members of a U8 archive start at multiples of 32 bytes",
       "The game uses models and textures directly from the archive in memory, and the hardware can use them only at "
       "multiples of 32 bytes.",
       "Unpack the archive, remove _system/u8.bin, and pack the folder again: {pack FOLDER} aligns every member.",
       "src/containers/README.md, U8"},
      {"archives.yaz0", error, "Yaz0 data decompresses to its stated size",
       "The game decompresses until it has written the stated number of bytes, and does not check the data. If the "
       "data is damaged, the game may overwrite other memory.",
       "Get an undamaged copy; the original data cannot be recovered from a damaged copy.",
       "src/containers/README.md, Packed data"},
      {"archives.yaz0-rest", hint, "Yaz0 data is followed by at most a few zeros",
       "The game does not read bytes after the compressed data. When the data is compressed again, these bytes are "
       "lost.",
       "No action is needed; {pack FOLDER} compresses the data again and drops the bytes after it.",
       "src/containers/README.md, Packed data"},
      {"archives.disc-directory", error, "every folder on a disc can be read and has exactly one parent",
       "Files in an unreadable folder cannot be found, and a search through a folder that contains itself never "
       "terminates.",
       "Get an undamaged image, or unpack the files and create a new image with {pack FOLDER}.",
       "ECMA-119, 6.8 and 9.1"},
      {"archives.disc-orders", error, "the two copies of a number, big-endian and little-endian, agree",
       "Some systems read the big-endian copy and others the little-endian copy. If the two copies differ, these "
       "systems read different values.",
       "Set the wrong copy to the value of the other copy; usually, the little-endian copy is correct.",
       "ECMA-119, 7.2 and 7.3"},
      {"archives.disc-outside", error, "the files of a disc are inside its image",
       "If sectors of a file are missing from the image, the image was probably truncated.", "Get a complete image.",
       "ECMA-119, 9.1"},
      {"archives.disc-overlap", error, "files on a disc do not overlap",
       "Changing one of two overlapping files also changes the other file.",
       "Unpack the files and create a new image with {pack FOLDER}, which gives each file its own sectors.",
       "ECMA-119, 6.4"},
      {"archives.disc-path-table", error, "the path tables of a disc list the same folders as its directories",
       "Many systems, including the PlayStation, find folders only through the path tables.",
       "Unpack the files and create a new image with {pack FOLDER}, which writes the path tables.", "ECMA-119, 6.9"},
      {"archives.disc-order", hint, "the records of a folder are sorted by name",
       "Some systems stop searching at the first name that sorts after the wanted name. If the records are not sorted, "
       "these systems do not find every file.",
       "Unpack the files and create a new image with {pack FOLDER}, which sorts the records.", "ECMA-119, 9.3"},
      {"archives.disc-volume", warning, "a disc image has all the sectors of its volume",
       "If sectors are missing, the image was truncated, or it lacks the tracks after the data track.",
       "Get a complete image. If only the tracks after the data track are missing, no action is needed.",
       "ECMA-119, 8.4.8"},
      {"archives.disc-edc", error, "the error detection code (EDC) of every sector matches the data of the sector",
       "Drives and some emulators treat a sector with a wrong EDC as damaged.",
       "Get an undamaged image. If a tool changed the data on purpose, edit the sector: any edit recomputes its EDC.",
       "ECMA-130, 14.3"},
      {"archives.disc-ecc", warning, "the error correction code (ECC) of every sector matches the data of the sector",
       "A drive that corrects errors with a wrong ECC damages the data; emulators ignore the ECC.",
       "Get an undamaged image. If a tool changed the data on purpose, edit the sector: any edit recomputes its ECC.",
       "ECMA-130, annex A"},
      {"archives.disc-address", warning, "every sector header contains the address of the sector",
       "A drive finds sectors by the addresses in their headers.",
       "Get an undamaged image, or unpack the files and create a new image with {pack FOLDER}.", "ECMA-130, 14.2"},
  };
  return k_rules;
}

void check(const Document<Narc>& document, Findings& findings) {
  Reporter r(findings);
  const Narc& n = document.value();
  if (!(n.byte_order == 0xFFFE && n.version == 0x0100) && !(n.byte_order == 0xFEFF && n.version == 0x0001))
    r.report("archives.form", "byte_order",
             {.message =
                  text("the byte order mark is ", format_hex(n.byte_order, 4), " and the version is ",
                       format_hex(n.version, 4), "; these fields should be 0xfffe and 0x0100, or 0xfeff and 0x0001")});
  const auto size = [&](const char* path, u64 is, u64 should, const char* unit = " bytes") {
    if (is != should)
      r.report("archives.sizes", path, {.message = text("the value is ", is, "; it should be ", should, unit)});
  };
  if (findings.file_size) size("size", n.size, findings.file_size);
  size("header_size", n.header_size, 16);
  size("sections", n.sections, 3, " sections");
  size("table_size", n.table_size, 12 + 8 * u64(n.files.size()));
  const u64 data = data_offset(n);
  if (findings.file_size && data >= 8) size("data_size", n.data_size, findings.file_size - (data - 8));
  if (n.files.size() > Narc::k_most_files)
    r.report("archives.file-count", "files",
             {.message = text("the archive has ", n.files.size(), " files; the maximum is 61,440")});
  if (const auto paths = build_paths(n.names, n.files.size()); !paths) report_problem(r, paths.error(), "names");
  for (size_t i = 0; i < n.files.size(); ++i) {
    const NarcFile& f = n.files[i];
    if (u64(f.end) + 8 > n.data_size)
      r.report("archives.outside", at("files", i),
               {.message =
                    text("the member ends at offset ", format_hex(f.end), " of the data block, but the block ends at ",
                         format_hex(n.data_size < 8 ? 0 : n.data_size - 8))});
    if (f.start % 4)
      r.report("archives.alignment", at("files", i),
               {.message = text("the member starts at ", format_hex(f.start), ", which is not a multiple of 4")});
    if (f.start == f.end) r.report("archives.empty-member", at("files", i), {.message = "the member is empty"});
  }
  for_each_overlap(n.files, [&](u32 i, u32 before) {
    r.report("archives.overlap", at("files", i), {.message = text("the file overlaps ", at("files", before))});
  });
  check_fill(r, "archives.gap", document.residue, Narc::k_fill);
}

void check(const Document<NdsRom>& document, Findings& findings) {
  Reporter r(findings);
  const NdsRom& rom = document.value();
  const RomHeader& h = rom.header;
  // the checksum of the header as stored in the file
  Writer writer(NdsRom::k_order, k_rom_header_bytes);
  writer("header", h);
  if (writer.good())
    if (const u16 right = crc16(ByteView(writer.out).first(0x15E)); right != h.header_checksum)
      r.report("archives.header-checksum", "header.header_checksum",
               {.message = text("the header checksum is ", format_hex(h.header_checksum, 4), "; it should be ",
                                format_hex(right, 4)),
                .hint = "to correct the checksum, unpack the cartridge and pack it again with {pack FOLDER}"});
  if (h.logo_checksum != k_logo_checksum || crc16(h.logo) != k_logo_checksum)
    r.report(
        "archives.logo", "header.logo_checksum",
        {.message = text("the checksum of the logo is ", format_hex(crc16(h.logo), 4), ", and logo_checksum is ",
                         format_hex(h.logo_checksum, 4), "; both values must be ", format_hex(k_logo_checksum, 4))});
  if (rom.files.size() > NameTable::k_first_folder)
    r.report("archives.file-count", "files",
             {.message = text("the cartridge has ", rom.files.size(), " files; the maximum is 61,440")});
  if (h.names.size) {
    if (const auto paths = build_paths(rom.names, rom.files.size()); !paths) report_problem(r, paths.error(), "names");
  }
  u64 end = 0;
  struct Program {
    const char* path;
    u64 start, end;
  };
  const std::vector<Program> programs = {{"header.arm9", h.arm9.offset, NdsRom::arm9_end(h)},
                                         {"header.arm7", h.arm7.offset, u64(h.arm7.offset) + h.arm7.size}};
  for (const Program& p : programs) {
    end = std::max(end, p.end);
    if (p.end > p.start && p.start < k_rom_header_bytes)
      r.report("archives.program", std::string(p.path) + ".offset",
               {.message = text("the program starts at ", format_hex(p.start), ", inside the header, which ends at ",
                                format_hex(k_rom_header_bytes))});
  }
  for_each_overlap(programs, [&](u32 i, u32 before) {
    r.report("archives.program", std::string(programs[i].path) + ".offset",
             {.message = text("the program overlaps ", programs[before].path)});
  });
  for (const RomFile& f : rom.files) end = std::max(end, u64(f.end));
  for_each_overlap(rom.files, [&](u32 i, u32 before) {
    const RomFile &a = rom.files[i], &b = rom.files[before];
    if (a.start == b.start && a.end == b.end) return;  // one file under two numbers
    r.report("archives.overlap", at("files", i), {.message = text("the file overlaps ", at("files", before))});
  });
  if (h.used_size < end)
    r.report("archives.used-size", "header.used_size",
             {.message =
                  text("the used size is ", format_hex(h.used_size), ", but the last part ends at ", format_hex(end))});
  const u64 capacity = u64(128 << 10) << std::min<u32>(h.capacity, 31);
  if (capacity < std::max<u64>(end, h.used_size))
    r.report("archives.capacity", "header.capacity",
             {.message = text("the capacity is ", capacity, " bytes, but the contents need ",
                              std::max<u64>(end, h.used_size), " bytes")});
  std::map<u32, std::optional<u64>> sizes;  // unpacked, by file: any number of overlays may name one
  const auto check_overlays = [&](const char* list, const std::vector<RomOverlay>& all) {
    for (size_t i = 0; i < all.size(); ++i) {
      const RomOverlay& o = all[i];
      if (o.id != i)
        r.report("archives.overlay", at(list, i) + ".id",
                 {.message = text("overlay ", i, " has the id ", o.id, "; it should be ", i)});
      if (o.file >= rom.files.size()) {
        r.report("archives.overlay", at(list, i) + ".file",
                 {.message = text("file ", o.file, " does not exist; the cartridge has ",
                                  format_count(rom.files.size(), "file"), ", counted from 0")});
      } else if (o.flags & 1) {
        const auto [known, is_new] = sizes.try_emplace(o.file);
        if (is_new) {
          if (const auto unpacked = blz_decode(rom.files[o.file].content))
            known->second = unpacked->size();
          else
            report_problem(r, unpacked.error(), at("files", o.file));
        }
        if (known->second && *known->second != o.size)
          r.report("archives.blz", at(list, i) + ".size",
                   {.message = text("the overlay decompresses to ", *known->second, " bytes, but its size field is ",
                                    o.size)});
      }
    }
  };
  check_overlays("arm9_overlays", rom.arm9_overlays);
  check_overlays("arm7_overlays", rom.arm7_overlays);
  if (const auto arm9 = decompress_arm9(rom.arm9, h.arm9.address); !arm9) report_problem(r, arm9.error(), "arm9");
}

void check(const Document<U8Archive>& document, Findings& findings) {
  Reporter r(findings);
  const U8Archive& a = document.value();
  const auto paths = build_paths(a), file_paths = build_file_paths(a);
  if (!paths) return report_problem(r, paths.error(), paths.error().place.path);
  if (const auto nested = check_nesting(a); !nested) report_problem(r, nested.error(), nested.error().place.path);
  u64 first = ~u64(0);
  std::map<std::string_view, size_t> by_path;
  std::vector<Extent> contents;
  size_t file = 0;
  for (size_t i = 0; i < a.nodes.size(); ++i) {
    const U8Node& n = a.nodes[i];
    const std::string& listed = n.is_folder() ? (*paths)[i] : (*file_paths)[file++];
    if (const auto [same, is_new] = by_path.try_emplace((*paths)[i], i); !is_new)
      r.report(
          "archives.names", at("nodes", i) + ".name",
          {.message = text(escape_control_chars((*paths)[i]), " is also the path of ", at("nodes", same->second),
                           listed == (*paths)[i] ? "" : "; this file is listed as " + escape_control_chars(listed))});
    if (n.is_folder()) continue;
    contents.push_back({n.offset, u64(n.offset) + n.size, i});
    if (!n.size) continue;
    first = std::min<u64>(first, n.offset);
    if (n.offset % U8Archive::k_alignment)
      r.report("archives.u8-alignment", at("nodes", i) + ".offset",
               {.message = text("the member starts at ", format_hex(n.offset), ", which is not a multiple of 32")});
  }
  u64 names = 0;
  for (const U8Node& n : a.nodes) names = std::max<u64>(names, n.name_offset + n.name.size() + 1);
  const u64 size = U8Archive::k_node_size * (1 + a.nodes.size()) + std::max<u64>(names, 1);
  if (a.table_size < size)
    r.report("archives.u8-sizes", "table_size",
             {.message = text("table_size is ", a.table_size, ", but the nodes and names need ", size, " bytes")});
  if (first != ~u64(0) && a.data_offset > first)
    r.report("archives.u8-sizes", "data_offset",
             {.message = text("data_offset is ", format_hex(a.data_offset), ", but the first member is at ",
                              format_hex(first))});
  for_each_overlap(contents, [&](u32 i, u32 before) {
    const Extent &x = contents[i], &y = contents[before];
    if (x.start == y.start && x.end == y.end) return;  // one file under two names
    r.report("archives.overlap", at("nodes", x.node), {.message = text("the file overlaps ", at("nodes", y.node))});
  });
}

namespace {

/// `decode`: decompresses the data, which may be padded to a multiple of `unit`; `id`: rule for other bytes after it.
void check_packed(const auto& document, Findings& findings, auto decode, const char* id, size_t unit) {
  Reporter r(findings);
  auto bytes = save(document);
  if (!bytes) return;
  const auto unpacked = decode(*bytes);
  if (!unpacked) return report_problem(r, unpacked.error(), "data");
  const ByteView rest = ByteView(*bytes).subspan(size_t(unpacked->packed_size));
  const bool is_padding = rest.size() < unit && std::ranges::all_of(rest, [](u8 b) { return b == 0; });
  if (!is_padding)
    r.report(id, Location::of_bytes(unpacked->packed_size, rest.size()),
             {.message = text("the compressed data is followed by ", format_count(rest.size(), "unused byte"),
                              "; only zero padding to a multiple of ", unit, " is expected")});
}

}  // namespace

void check(const Document<LzFile>& document, Findings& findings) {
  check_packed(document, findings, lz_decode, "archives.lz-rest", 4);
}

void check(const Document<Yaz0File>& document, Findings& findings) {
  check_packed(document, findings, yaz0_decode, "archives.yaz0-rest", 32);
}

}  // namespace dio::containers
