// nds_rom.hpp: DS cartridge images: the header, the programs, and the files in folders.
#pragma once
#include <functional>

#include "containers/nitro_fs/name_table.hpp"
#include "core/byte_source.hpp"
#include "layout/document.hpp"
#include "layout/sizer.hpp"

namespace dio {

/// The position of a program in the image and in memory.
struct RomProgram {
  u32 offset, entry, address, size;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v(Key("entry").doc("the entry point in memory"), s.entry);
    v(Key("address").doc("the load address in memory"), s.address);
    v(Key("size").unit("bytes").placement(), s.size);
  }
};
struct RomPart {
  u32 offset, size;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v(Key("size").unit("bytes").placement(), s.size);
  }
};

/// The first 0x160 bytes. Source: GBATEK, "DS Cartridge Header".
struct RomHeader {
  std::array<u8, 12> title;
  std::array<u8, 4> game_code;
  std::array<u8, 2> maker_code;
  u8 unit_code, encryption_seed, capacity;
  std::array<u8, 8> unk_15;
  u8 region, revision, autostart;
  RomProgram arm9, arm7;
  RomPart names, files, arm9_overlays, arm7_overlays;
  u32 port_normal, port_secure, banner_offset;
  u16 secure_checksum, secure_delay;
  u32 arm9_autoload, arm7_autoload;
  std::array<u8, 8> secure_disable;
  u32 used_size, header_size;
  std::array<u8, 0x38> unk_88;
  std::array<u8, 0x9c> logo;
  u16 logo_checksum, header_checksum;
  static constexpr void layout(auto& v, auto& s) {
    v("title", s.title);
    v("game_code", s.game_code);
    v("maker_code", s.maker_code);
    v("unit_code", s.unit_code);
    v("encryption_seed", s.encryption_seed);
    v(Key("capacity").doc("capacity of the chip: 128 KiB times 2 to this power"), s.capacity);
    v("unk_15", s.unk_15);
    v("region", s.region);
    v("revision", s.revision);
    v("autostart", s.autostart);
    v("arm9", s.arm9);
    v("arm7", s.arm7);
    v("names", s.names);
    v("files", s.files);
    v("arm9_overlays", s.arm9_overlays);
    v("arm7_overlays", s.arm7_overlays);
    v("port_normal", s.port_normal);
    v("port_secure", s.port_secure);
    v(Key("banner_offset").placement(), s.banner_offset);
    v("secure_checksum", s.secure_checksum);
    v("secure_delay", s.secure_delay);
    v("arm9_autoload", s.arm9_autoload);
    v("arm7_autoload", s.arm7_autoload);
    v("secure_disable", s.secure_disable);
    v(Key("used_size").unit("bytes").placement(), s.used_size);
    v(Key("header_size").unit("bytes"), s.header_size);
    v("unk_88", s.unk_88);
    v("logo", s.logo);
    v("logo_checksum", s.logo_checksum);
    v(Key("header_checksum").doc("CRC-16 of all header bytes before this field").placement(), s.header_checksum);
  }
};
inline constexpr u64 k_rom_header_bytes = 0x160;
static_assert(FixedSize<RomHeader> && wire_size<RomHeader>() == k_rom_header_bytes);

/// A part of a program that is loaded on demand. Source: GBATEK, "DS Cartridge Overlays".
struct RomOverlay {
  u32 id, address, size, zeros, constructors_start, constructors_end, file;
  u32 packed_size;
  u8 flags;  // bit 0: compressed (BLZ)
  static constexpr void layout(auto& v, auto& s) {
    v("id", s.id);
    v(Key("address").doc("the load address in memory"), s.address);
    v(Key("size").unit("bytes"), s.size);
    v(Key("zeros").unit("bytes").doc("memory to clear after the overlay (BSS)"), s.zeros);
    v("constructors_start", s.constructors_start);
    v("constructors_end", s.constructors_end);
    v(Key("file").doc("number of the file that contains the overlay"), s.file);
    v.bits(u32{}, bit<8>("flags", s.flags), bit<24>(Key("packed_size").unit("bytes"), s.packed_size));
  }
};
static_assert(FixedSize<RomOverlay> && wire_size<RomOverlay>() == 32);

struct RomFile {
  static constexpr u64 k_least_size = 8;
  u32 start = 0, end = 0;
  FileBytes content;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("start").placement(), s.start);
    v(Key("end").placement(), s.end);
  }
};

/// The header and the tables.
struct RomTables {
  static constexpr std::endian k_order = std::endian::little;
  static constexpr u8 k_fill = 0xff;
  RomHeader header{};
  NameTable names;
  std::vector<RomFile> files;
  std::vector<RomOverlay> arm9_overlays, arm7_overlays;

  static constexpr void layout(auto& v, auto& s) {
    v("header", s.header);
    const RomHeader& h = s.header;
    if (h.names.size) v.there(h.names.offset, [&] { v.nested(h.names.size, "names", s.names); });
    const auto table = [&](const RomPart& part, u64 record, const char* name, auto& list) {
      v.there(part.offset, [&] {
        v.implied(part.size / record, list);
        v(name, list);
      });
    };
    table(h.files, 8, "files", s.files);
    table(h.arm9_overlays, 32, "arm9_overlays", s.arm9_overlays);
    table(h.arm7_overlays, 32, "arm7_overlays", s.arm7_overlays);
  }
};

/// A cartridge with all its contents.
struct NdsRom : RomTables {
  u32 padded_to = 0;  // the size of the image, with the padding at its end
  Bytes header_rest;  // up to header_size
  Bytes arm9, arm7;
  Bytes arm9_footer;  // 12 bytes after arm9 that are not loaded, or nothing
  Bytes banner;       // title and icon
  Bytes signature;    // of the manufacturer, after everything else, or nothing

  static constexpr u32 k_footer_magic = 0xDEC00621, k_signature_magic = 0x00016361;

  static constexpr void layout(auto& v, auto& s) {
    RomTables::layout(v, s);
    const RomHeader& h = s.header;
    v.infer(Key("padded_to").unit("bytes").placement(), s.padded_to, [&] { return u32(v.total()); });
    const auto part = [&](u64 offset, auto size, const char* name, auto& bytes) {
      v.there(offset, [&] {
        v.upto(size, bytes);
        v(name, bytes);
      });
    };
    part(k_rom_header_bytes, [&] { return header_rest_size(h); }, "header_rest", s.header_rest);
    part(h.arm9.offset, [&] { return u64(h.arm9.size); }, "arm9", s.arm9);
    part(arm9_end(h), [&] { return size_if_magic(v, k_footer_magic, 12); }, "arm9_footer", s.arm9_footer);
    part(h.arm7.offset, [&] { return u64(h.arm7.size); }, "arm7", s.arm7);
    part(
        h.banner_offset, [&] { return h.banner_offset ? banner_size(v.template peek<u16>()) : 0; }, "banner", s.banner);
    v.each("files", s.files, [&](auto& f) {
      v.require(f.start <= f.end, "a file that starts at or before its end");
      v.there(f.start, [&] {
        v.upto([&] { return u64(f.end) - f.start; }, f.content);
        v("content", f.content);
      });
    });
    part(signature_offset(v, s), [&] { return size_if_magic(v, k_signature_magic, 0x88); }, "signature", s.signature);
    v.round(0, std::max<u64>(1, s.padded_to));
  }
  static constexpr u64 header_rest_size(const RomHeader& h) {
    return std::clamp<u64>(h.header_size, 0x200, 0x4000) - k_rom_header_bytes;
  }
  static constexpr u64 arm9_end(const RomHeader& h) { return u64(h.arm9.offset) + h.arm9.size; }
  static constexpr u64 banner_size(u16 version) {
    return version == 0x0103 ? 0x23C0 : version == 3 ? 0xA40 : version == 2 ? 0x940 : 0x840;
  }

  /// Places everything: at its old offset if it still fits there, else after the previous part.
  void settle() { assign_offsets(false); }
  /// Places everything densely, in its current order.
  void normalise() { assign_offsets(true); }
  static void seal(Bytes& file);
  static void seal_again(ByteView original, EditableCopy& file);

 private:
  /// `size` if the data here has this magic and is complete.
  static constexpr u64 size_if_magic(auto& v, u32 word, u64 size) {
    return v.template peek<u32>() == word && v.total() - v.here() >= size ? size : 0;
  }
  /// Some tools truncate the image after its last file, so the offset may be outside the image when reading.
  static constexpr u64 signature_offset(auto& v, auto& s) {
    if (v.growing())
      return std::min<u64>(s.header.used_size, v.total());
    else
      return s.signature.empty() ? 0 : s.header.used_size;  // otherwise it can have any value
  }
  void assign_offsets(bool dense);
};

/// Zeros at the end, up to that size, are padding from other tools, not content.
void drop_padding(std::vector<UnreferencedBytes>&, u64 size);

/// Reads only the header and the tables of a cartridge. Ids: layout.*, io.read.
Result<RomTables> read_rom_tables(const ByteSource& rom);

/// A part of a cartridge as a separate file: `_system/arm9.bin`, `fielddata/land_data/land_data.narc`.
struct RomEntry {
  enum class Kind : u8 {
    file,
    header,
    arm9,
    arm9_footer,
    arm7,
    arm9_overlays,
    arm7_overlays,
    names,
    files,
    banner,
    signature
  } kind = Kind::file;
  std::string path;
  u64 offset = 0, size = 0;
  bool is_named = false;  // from the name table; the path may contain anything
};
/// All parts: first the files by number, then the rest. Overlays without a name are `_system/overlays/0005.bin` (by
/// overlay id), or `_system/overlays7/0000.bin` for the second processor; other files without a name are
/// `_system/unnamed/0012.bin`.
/// Ids: layout.*, archives.names, io.read.
Result<std::vector<RomEntry>> list_rom_entries(const RomTables&, const ByteSource& rom);

}  // namespace dio

DIORAMA_WALKS(extern, NdsRom)
