// checks.cpp: what a game, the DS or another tool would trip over.
#include <algorithm>
#include <map>
#include <numeric>

#include "containers/packed/blz.hpp"
#include "containers/parts.hpp"
#include "core/crc16.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/writer.hpp"

namespace dio::containers {
namespace {

using enum Severity;

constexpr u16 k_logo_checksum = 0xCF56;

std::string at(std::string_view list, u64 i) { return text(list, "[", i, "]"); }

/// What a reader of names or of packed bytes says becomes a finding.
void report_problem(Reporter& r, const Diagnostic& d, std::string path) {
  r.report(d.id, std::move(path), {.expected = d.expected, .found = d.found});
}

/// The rest of the file has this fill between its parts; `residue` is what has no meaning.
void check_fill(Reporter& r, std::string_view id, const std::vector<Residue>& residue, u8 fill) {
  for (const Residue& gap : residue)
    if (const auto other = std::find_if(gap.bytes.begin(), gap.bytes.end(), [&](u8 b) { return b != fill; });
        other != gap.bytes.end())
      r.report(id, Place::of_bytes(gap.offset, gap.bytes.size()),
               {.expected = text("only ", hex_number(fill, 2)),
                .found = text("bytes such as ", hex_number(*other, 2), " between members")});
}

/// Calls report(i, before) for each element that begins before an earlier one ends.
void each_overlap(const auto& list, auto report) {
  std::vector<u32> order(list.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return list[a].start < list[b].start; });
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
      {"archives.form", warning, "a NARC begins with FE FF 00 01 or FF FE 01 00 behind its name",
       "No game is known to have another; some libraries look at these bytes.", "README, NARC; NARC-1"},
      {"archives.sizes", error, "the sizes in a NARC add up",
       "The game finds each block by adding the sizes of those before it, and never looks at their names.",
       "README, NARC; NARC-1"},
      {"archives.overlap", error, "no two files share bytes", "Whoever changes one of them changes the other.",
       "README, NARC; NARC-1"},
      {"archives.outside", error, "a member lies inside the data block of its NARC",
       "The game reads as many bytes as the table says, from wherever they are.", "README, NARC; NARC-1"},
      {"archives.alignment", hint, "members begin at multiples of 4",
       "The hardware copies words; the games' own tools leave no member elsewhere.", "README, NARC; NARC-2"},
      {"archives.gap", hint, "between members there is nothing but 0xFF",
       "The games' own tools fill gaps so, and a repacked archive has no other bytes there.", "README, NARC; NARC-2"},
      {"archives.empty-member", warning, "no member has a size of 0",
       "A game that reads all of it takes 0 for the wish to read everything; most never ask for it.",
       "README, NARC; NARC-3"},
      {"archives.file-count", error, "an archive has at most 61440 files",
       "Numbers from 0xF000 on are those of folders.", "README, Names"},
      {"archives.names", error, "every folder and every name leads to one file",
       "A file without a way to it cannot be opened by name, and one with two is opened as the wrong one.",
       "README, Names"},
      {"archives.header-checksum", error, "the header of a cartridge has the right checksum",
       "The menu of the console does not start the game.", "GBATEK, DS Cartridge Header"},
      {"archives.logo", warning, "the logo of a cartridge and its checksum are the usual ones",
       "A console compares them before it starts the game; emulators do not.", "GBATEK, DS Cartridge Header"},
      {"archives.used-size", warning, "all parts of a cartridge end before its used size",
       "Tools that cut off what is not used cut off what is behind it.", "GBATEK, DS Cartridge Header"},
      {"archives.capacity", warning, "a cartridge is large enough for what is on it",
       "Copiers and emulators take as many bytes as the header tells.", "GBATEK, DS Cartridge Header"},
      {"archives.program", error, "the programs of a cartridge lie behind its header and share no bytes",
       "The console loads them from there before anything else runs.", "GBATEK, DS Cartridge Header"},
      {"archives.overlay", error, "overlays are numbered in order, and each has a file",
       "The game finds an overlay by its place in the table and loads the file it names.",
       "GBATEK, DS Cartridge Overlays"},
      {"archives.blz", error, "packed programs can be unpacked to their size",
       "The game unpacks them over themselves; damaged ones overwrite what is around them.", "README, Packed data"},
      {"archives.lz", error, "packed data can be unpacked to its size",
       "The BIOS copies from wherever the data tells it to, and stops when it has written enough.",
       "README, Packed data"},
      {"archives.lz-rest", hint, "behind packed data there are at most a few zeros",
       "Nothing reads them; they are lost when the data is repacked.", "README, Packed data"},
      {"archives.disc-directory", error, "every folder of a disc can be read, and is led to once",
       "What lies in it cannot be found; a folder that leads back to itself has no end.", "ECMA-119, 6.8 and 9.1"},
      {"archives.disc-orders", error, "numbers that are there in both byte orders are the same in both",
       "Consoles read the one, other machines the other.", "ECMA-119, 7.2 and 7.3"},
      {"archives.disc-outside", error, "the files of a disc lie inside of its image",
       "The drive finds no sector there; mostly, the image was cut.", "ECMA-119, 9.1"},
      {"archives.disc-overlap", error, "no two files of a disc share some of their sectors",
       "Whoever changes one of them changes the other.", "ECMA-119, 6.4"},
      {"archives.disc-path-table", error, "the path tables of a disc have the folders that its directories have",
       "Many systems, the PlayStation's among them, find a folder by these tables alone.", "ECMA-119, 6.9"},
      {"archives.disc-order", hint, "the records of a folder are sorted by name",
       "A system may stop looking at the first name that is larger.", "ECMA-119, 9.3"},
      {"archives.disc-volume", warning, "an image has all the sectors of its volume",
       "It was cut, or lacks tracks that follow.", "ECMA-119, 8.4.8"},
      {"archives.disc-edc", error, "the check sum (EDC) of every sector is that of its data",
       "The drive takes the sector for damaged; some emulators stop, too.", "ECMA-130, 14.3"},
      {"archives.disc-ecc", warning, "the correction code (ECC) of every sector is that of its data",
       "A drive that corrects by it makes other data of it; emulators look away.", "ECMA-130, annex A"},
      {"archives.disc-address", warning, "every sector tells its own address", "A drive finds a sector by it.",
       "ECMA-130, 14.2"},
  };
  return k_rules;
}

void check(const Document<Narc>& document, Findings& findings) {
  Reporter r(findings);
  const Narc& n = document.value();
  if (!(n.byte_order == 0xFFFE && n.version == 0x0100) && !(n.byte_order == 0xFEFF && n.version == 0x0001))
    r.report("archives.form", "byte_order",
             {.expected = "0xfffe and 0x0100, or 0xfeff and 0x0001",
              .found = text(hex_number(n.byte_order, 4), ", version ", hex_number(n.version, 4))});
  const auto size = [&](const char* path, u64 is, u64 should) {
    if (is != should) r.report("archives.sizes", path, {.expected = text(should), .found = text(is)});
  };
  if (findings.file_size) size("size", n.size, findings.file_size);
  size("header_size", n.header_size, 16);
  size("sections", n.sections, 3);
  size("table_size", n.table_size, 12 + 8 * u64(n.files.size()));
  const u64 data = data_offset(n);
  if (findings.file_size && data >= 8) size("data_size", n.data_size, findings.file_size - (data - 8));
  if (n.files.size() > Narc::k_most_files)
    r.report("archives.file-count", "files",
             {.expected = text("at most ", Narc::k_most_files), .found = text(n.files.size())});
  if (const auto paths = paths_of(n.names, n.files.size()); !paths) report_problem(r, paths.error(), "names");
  for (size_t i = 0; i < n.files.size(); ++i) {
    const NarcFile& f = n.files[i];
    if (u64(f.end) + 8 > n.data_size)
      r.report("archives.outside", at("files", i),
               {.expected = text("at most ", hex_number(n.data_size < 8 ? 0 : n.data_size - 8)),
                .found = text("it ends at ", hex_number(f.end), " of the data")});
    if (f.start % 4)
      r.report("archives.alignment", at("files", i), {.found = text("it begins at ", hex_number(f.start))});
    if (f.start == f.end)
      r.report("archives.empty-member", at("files", i), {.expected = "at least one", .found = "0 bytes"});
  }
  each_overlap(n.files, [&](u32 i, u32 before) {
    r.report("archives.overlap", at("files", i), {.found = text("it begins inside of ", at("files", before))});
  });
  check_fill(r, "archives.gap", document.residue, Narc::k_fill);
}

void check(const Document<NdsRom>& document, Findings& findings) {
  Reporter r(findings);
  const NdsRom& rom = document.value();
  const RomHeader& h = rom.header;
  // the checksum over the header as it is in the file
  Writer writer(NdsRom::k_order, k_rom_header_bytes);
  writer("header", h);
  if (writer.good())
    if (const u16 right = crc16(ByteView(writer.out).first(0x15E)); right != h.header_checksum)
      r.report("archives.header-checksum", "header.header_checksum",
               {.expected = hex_number(right, 4),
                .found = hex_number(h.header_checksum, 4),
                .hint = "`dio pack` and any edit that changes the layout correct it"});
  if (h.logo_checksum != k_logo_checksum || crc16(h.logo) != k_logo_checksum)
    r.report("archives.logo", "header.logo_checksum",
             {.expected = hex_number(k_logo_checksum, 4), .found = hex_number(crc16(h.logo), 4) + " of the logo"});
  if (rom.files.size() > NameTable::k_first_folder)
    r.report("archives.file-count", "files", {.expected = "at most 61440", .found = text(rom.files.size())});
  if (h.names.size) {
    if (const auto paths = paths_of(rom.names, rom.files.size()); !paths) report_problem(r, paths.error(), "names");
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
               {.expected = text("at least ", hex_number(k_rom_header_bytes)), .found = hex_number(p.start)});
  }
  each_overlap(programs, [&](u32 i, u32 before) {
    r.report("archives.program", std::string(programs[i].path) + ".offset",
             {.found = text("inside of ", programs[before].path)});
  });
  for (const RomFile& f : rom.files) end = std::max(end, u64(f.end));
  each_overlap(rom.files, [&](u32 i, u32 before) {
    const RomFile &a = rom.files[i], &b = rom.files[before];
    if (a.start == b.start && a.end == b.end) return;  // one file under two numbers
    r.report("archives.overlap", at("files", i), {.found = text("it begins inside of ", at("files", before))});
  });
  if (h.used_size < end)
    r.report("archives.used-size", "header.used_size",
             {.expected = text("at least ", hex_number(end)), .found = hex_number(h.used_size)});
  const u64 capacity = u64(128 << 10) << std::min<u32>(h.capacity, 31);
  if (capacity < std::max<u64>(end, h.used_size))
    r.report("archives.capacity", "header.capacity",
             {.expected = text("at least ", std::max<u64>(end, h.used_size)), .found = text(capacity, " bytes")});
  std::map<u32, std::optional<u64>> sizes;  // unpacked, by file: any number of overlays may name one
  const auto overlays = [&](const char* list, const std::vector<RomOverlay>& all) {
    for (size_t i = 0; i < all.size(); ++i) {
      const RomOverlay& o = all[i];
      if (o.id != i) r.report("archives.overlay", at(list, i) + ".id", {.expected = text(i), .found = text(o.id)});
      if (o.file >= rom.files.size()) {
        r.report("archives.overlay", at(list, i) + ".file",
                 {.expected = text("below ", rom.files.size()), .found = text(o.file)});
      } else if (o.flags & 1) {
        const auto [known, is_new] = sizes.try_emplace(o.file);
        if (is_new) {
          if (const auto unpacked = blz_decode(rom.files[o.file].content))
            known->second = unpacked->size();
          else
            report_problem(r, unpacked.error(), at("files", o.file));
        }
        if (known->second && *known->second != o.size)
          r.report("archives.blz", at(list, i) + ".size", {.expected = text(*known->second), .found = text(o.size)});
      }
    }
  };
  overlays("arm9_overlays", rom.arm9_overlays);
  overlays("arm7_overlays", rom.arm7_overlays);
  if (const auto arm9 = decompressed_arm9(rom.arm9, h.arm9.address); !arm9) report_problem(r, arm9.error(), "arm9");
}

void check(const Document<LzFile>& document, Findings& findings) {
  Reporter r(findings);
  auto bytes = save(document);
  if (!bytes) return;
  const auto unpacked = lz_decode(*bytes);
  if (!unpacked) return report_problem(r, unpacked.error(), "data");
  const ByteView rest = ByteView(*bytes).subspan(size_t(unpacked->packed_size));
  if (rest.size() > 3 || std::any_of(rest.begin(), rest.end(), [](u8 b) { return b != 0; }))
    r.report("archives.lz-rest", Place::of_bytes(unpacked->packed_size, rest.size()),
             {.expected = "zeros up to a multiple of 4", .found = text(rest.size(), " bytes")});
}

}  // namespace dio::containers
