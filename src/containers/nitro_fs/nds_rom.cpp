#include "containers/nitro_fs/nds_rom.hpp"

#include <set>

#include "containers/packed/blz.hpp"
#include "core/crc16.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "layout/walks.hpp"

namespace dio {
namespace {

constexpr u64 k_align = 0x200;

u64 align_up(u64 n, u64 to) { return (n + to - 1) / to * to; }

/// The size of the table when placed.
u64 name_table_size(const NameTable& t) {
  u64 n = 8 * t.folders.size();
  if (t.has_names())
    for (const NameFolder& f : t.folders)
      for (const NameEntry& e : f.entries) n += 1 + e.name.size() + (e.is_folder ? 2 : 0);
  return n;
}

u64 content_end(const NdsRom& r) {
  const RomHeader& h = r.header;
  u64 end = k_rom_header_bytes + r.header_rest.size();
  for (const auto& p : {h.names, h.files, h.arm9_overlays, h.arm7_overlays})
    end = std::max(end, u64(p.offset) + p.size);
  end = std::max(end, NdsRom::arm9_end(h) + r.arm9_footer.size());
  end = std::max(end, u64(h.arm7.offset) + h.arm7.size);
  end = std::max(end, u64(h.banner_offset) + r.banner.size());
  for (const RomFile& f : r.files) end = std::max(end, u64(f.end));
  return end;
}

}  // namespace

void NdsRom::seal(Bytes& file) {
  if (file.size() < k_rom_header_bytes) return;
  const u16 crc = crc16(ByteView(file).first(0x15E));
  file[0x15E] = u8(crc);
  file[0x15F] = u8(crc >> 8);
}

void NdsRom::seal_again(ByteView original, EditableCopy& file) {
  const auto sealed_head = [](ByteView rom) {
    Bytes head(rom.begin(), rom.begin() + std::ptrdiff_t(k_rom_header_bytes));
    seal(head);
    return head;
  };
  if (std::min(original.size(), file.bytes().size()) < k_rom_header_bytes) return;
  if (std::ranges::equal(sealed_head(original), original.first(k_rom_header_bytes)))
    file.replace(0, k_rom_header_bytes, sealed_head(file.bytes()));
}

void NdsRom::assign_offsets(bool dense) {
  RomHeader& h = header;
  const u64 old_end = content_end(*this);
  struct Part {
    u32* offset;
    u64 size, align;
    const FileBytes* content;  // of a file; two files may share their bytes
    u32 old;
  };
  std::vector<Part> parts;
  const auto add = [&](u32& offset, u64 size, u64 align, const FileBytes* content = nullptr) {
    if (size) parts.push_back({&offset, size, align, content, offset});
  };
  // If the size fields of an overlay matched its file, they follow the file's new size.
  for (auto* overlays : {&arm9_overlays, &arm7_overlays})
    for (RomOverlay& o : *overlays) {
      if (o.file >= files.size()) continue;
      const RomFile& f = files[o.file];
      const u64 old = u64(f.end) - f.start, now = f.content.size();
      if (!old || old == now) continue;
      if (o.packed_size == old) o.packed_size = u32(now);
      if (!(o.flags & 1))
        o.size = o.size == old ? u32(now) : o.size;
      else if (const auto unpacked = blz_decode(f.content))
        o.size = u32(unpacked->size());
    }
  h.arm9.size = u32(arm9.size());
  h.arm7.size = u32(arm7.size());
  h.names.size = u32(name_table_size(names));
  h.files.size = u32(8 * files.size());
  h.arm9_overlays.size = u32(32 * arm9_overlays.size());
  h.arm7_overlays.size = u32(32 * arm7_overlays.size());
  add(h.arm9.offset, arm9.size() + arm9_footer.size(),
      header_rest.size() + k_rom_header_bytes >= 0x4000 ? 0x4000 : k_align);
  add(h.arm9_overlays.offset, h.arm9_overlays.size, k_align);
  add(h.arm7.offset, arm7.size(), k_align);
  add(h.arm7_overlays.offset, h.arm7_overlays.size, k_align);
  add(h.names.offset, h.names.size, k_align);
  add(h.files.offset, h.files.size, k_align);
  add(h.banner_offset, banner.size(), k_align);
  for (RomFile& f : files) add(f.start, f.content.size(), k_align, &f.content);
  // Parts without an offset come last, in the order above.
  sort_stably(parts, [](const Part& a, const Part& b) { return a.old - 1 < b.old - 1; });
  u64 cursor = k_rom_header_bytes + header_rest.size();
  const Part* before = nullptr;
  u64 place_before = 0;
  for (const Part& p : parts) {
    u64 place = p.old;
    if (before && p.old && before->old == p.old && p.content && before->content && *p.content == *before->content)
      place = place_before;
    else if (dense || place < cursor)
      place = align_up(cursor, p.align);
    cursor = std::max(cursor, place + p.size);
    // Offsets beyond 4 GiB need no distinction: the writer rejects such images earlier.
    *p.offset = u32(std::min<u64>(place, ~u32(0) - p.size));
    before = &p;
    place_before = place;
  }
  for (RomFile& f : files) f.end = u32(f.start + f.content.size());
  const u64 end = content_end(*this);
  if (end != old_end || h.used_size < end) h.used_size = u32(align_up(end, 4));
  const u64 needed = signature.empty() ? align_up(end, 4) : h.used_size + signature.size();
  if (padded_to <= align_up(old_end, 4) + signature.size())
    padded_to = u32(needed);  // the image was not padded
  else if (padded_to < needed)
    padded_to = u32(align_up(needed, 128 << 10));
  while (h.capacity < 15 && (u64(128 << 10) << h.capacity) < needed) ++h.capacity;
}

void drop_padding(std::vector<UnreferencedBytes>& residue, u64 size) {
  if (residue.empty() || residue.back().offset + residue.back().bytes.size() != size) return;
  const FileBytes& b = residue.back().bytes;
  if (std::all_of(b.begin(), b.end(), [](u8 x) { return x == 0; })) residue.pop_back();
}

static Result<RomTables> parse_rom_tables(ByteView rom) {
  Reader r(rom, RomTables::k_order);
  RomTables t;
  RomTables::layout(r, t);
  r.close_described_run();
  if (!r.good()) return refuse(std::move(*trace<RomTables>(rom).stop));
  return t;
}

Result<RomTables> read_rom_tables(const ByteSource& rom) {
  if (const auto bytes = rom.whole()) return parse_rom_tables(*bytes);
  // Reads the header and the tables and joins them: with adjusted offsets in the header, they form a cartridge without
  // contents.
  constexpr size_t k_first_part = 0x40;  // of the four that are read: offset and size of each
  constexpr u64 k_most = 16 << 20;       // the largest name table has 9 MiB
  auto small = rom.read(0, std::min(rom.size(), k_rom_header_bytes));
  if (!small) return refuse(std::move(small.error()));
  if (small->size() < k_rom_header_bytes) return parse_rom_tables(*small);
  RomHeader header{};
  Reader r(*small, RomTables::k_order);
  RomHeader::layout(r, header);
  struct RelocatedRange {
    u64 from, to, size;
  };
  std::vector<RelocatedRange> moved;
  for (const auto& [name, part] : {std::pair("names", &header.names),
                                   {"files", &header.files},
                                   {"arm9_overlays", &header.arm9_overlays},
                                   {"arm7_overlays", &header.arm7_overlays}}) {
    const size_t field = k_first_part + 8 * moved.size();
    moved.push_back({part->offset, small->size(), part->size});
    for (size_t i = 0; i < 4; ++i) (*small)[field + i] = u8(small->size() >> 8 * i);
    if (part->size > k_most)
      return refuse("layout.requires", Location::of_bytes(field, 8, std::string("header.") + name),
                    {.expected = "a table of at most 16 MiB", .found = format_count(part->size, "byte")});
    Bytes room;
    const auto bytes = rom.view(part->offset, part->size, room);
    if (!bytes) {
      if (part->size == 0) continue;  // at any offset
      Diagnostic d = bytes.error();
      d.place.path = name;
      return refuse(std::move(d));
    }
    small->insert(small->end(), bytes->begin(), bytes->end());
  }
  auto tables = parse_rom_tables(*small);
  if (tables) {
    tables->header = header;
    return tables;
  }
  Location& place = tables.error().place;
  for (const RelocatedRange& m : moved)
    if (place.known() && place.offset >= m.to && place.offset < m.to + m.size) {
      place.offset += m.from - m.to;
      break;
    }
  return tables;
}

Result<std::vector<RomEntry>> list_rom_entries(const RomTables& t, const ByteSource& rom) {
  using enum RomEntry::Kind;
  const RomHeader& h = t.header;
  auto paths = build_paths(t.names, t.files.size());
  if (!paths) return refuse(std::move(paths.error()));
  const auto numbered_path = [](const char* folder, u64 n) {
    std::string digits = std::to_string(n);
    if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
    return "_system/" + std::string(folder) + "/" + digits + ".bin";
  };
  std::vector<std::string> others(paths->size());  // paths of files without names
  const auto name_overlays = [&](const std::vector<RomOverlay>& overlays, const char* folder) {
    std::set<u32> ids;  // a duplicate id is a fault, but paths must still be unique
    for (const RomOverlay& o : overlays)
      if (o.file < others.size() && others[o.file].empty() && ids.insert(o.id).second)
        others[o.file] = numbered_path(folder, o.id);
  };
  name_overlays(t.arm9_overlays, "overlays");
  name_overlays(t.arm7_overlays, "overlays7");
  std::vector<RomEntry> all;
  all.reserve(t.files.size() + 10);
  for (size_t i = 0; i < t.files.size(); ++i) {
    const RomFile& f = t.files[i];
    RomEntry e{file, {}, f.start, f.end > f.start ? u64(f.end) - f.start : 0, !(*paths)[i].empty()};
    e.path = e.is_named          ? std::move((*paths)[i])
             : others[i].empty() ? numbered_path("unnamed", i)
                                 : std::move(others[i]);
    all.push_back(std::move(e));
  }
  std::optional<Diagnostic> problem;
  const auto word = [&](u64 at, size_t bytes) {
    u32 n = 0;
    if (!rom.has(at, bytes)) return n;
    Bytes room;
    if (const auto read = rom.view(at, bytes, room))
      for (size_t i = bytes; i-- > 0;) n = n << 8 | (*read)[i];
    else
      problem = read.error();
    return n;
  };
  const auto add = [&](RomEntry::Kind kind, const char* name, u64 offset, u64 size) {
    if (size) all.push_back({kind, "_system/" + std::string(name) + ".bin", offset, size});
  };
  add(header, "header", 0, k_rom_header_bytes + NdsRom::header_rest_size(h));
  add(arm9, "arm9", h.arm9.offset, h.arm9.size);
  add(arm9_footer, "arm9_footer", NdsRom::arm9_end(h), word(NdsRom::arm9_end(h), 4) == NdsRom::k_footer_magic ? 12 : 0);
  add(arm7, "arm7", h.arm7.offset, h.arm7.size);
  add(arm9_overlays, "arm9_overlays", h.arm9_overlays.offset, 32 * t.arm9_overlays.size());
  add(arm7_overlays, "arm7_overlays", h.arm7_overlays.offset, 32 * t.arm7_overlays.size());
  add(names, "fnt", h.names.offset, h.names.size);
  add(files, "fat", h.files.offset, 8 * t.files.size());
  add(banner, "banner", h.banner_offset, h.banner_offset ? NdsRom::banner_size(u16(word(h.banner_offset, 2))) : 0);
  add(signature, "signature", h.used_size,
      rom.has(h.used_size, 0x88) && word(h.used_size, 4) == NdsRom::k_signature_magic ? 0x88 : 0);
  if (problem) return refuse(std::move(*problem));
  return all;
}

}  // namespace dio
