// disc_image.hpp: a disc image, from its first byte to its last: descriptors and directories as records, the rest as
// runs of bytes. Sources: ECMA-119 (ISO 9660), "System Description CD-ROM XA".
#pragma once
#include <optional>

#include "containers/disc/iso9660.hpp"
#include "layout/document.hpp"

namespace dio::containers {

inline constexpr EnumName k_form_words[] = {
    {0, "2048-byte sectors"},
    {1, "2336-byte sectors"},
    {2, "2352-byte sectors, Mode 1"},
    {3, "2352-byte sectors, Mode 2"},
};
inline constexpr EnumNames k_forms{k_form_words};

enum class DiscPartKind : u8 { other, system, descriptor, path_table, directory, file };
inline constexpr EnumName k_disc_part_words[] = {{0, "between"},    {1, "system"},    {2, "descriptor"},
                                                 {3, "path table"}, {4, "directory"}, {5, "file"}};
inline constexpr EnumNames k_disc_parts{k_disc_part_words};

/// The big-endian copy of a number.
template <class T>
struct BigEndian {
  static constexpr std::endian k_order = std::endian::big;
  T number = 0;
  static constexpr void layout(auto& v, auto& s) { v("number", s.number); }
};

/// Visits the copy, which is updated with the number if the two were equal before.
constexpr void visit_big_endian_copy(auto& v, Key key, auto& copy, const auto& number) {
  v.nested(sizeof number, key, copy);
  v.derive(copy.number, number);
}

/// A directory record: a file or a folder. Source: ECMA-119, 9.1.
struct DiscRecord {
  static constexpr u64 k_least_size = 34;
  u8 length = 0, extended = 0;
  u32 lba = 0, size = 0;
  BigEndian<u32> lba_big, size_big;
  std::array<u8, 7> date{};
  u8 flags = 0, unit_size = 0, gap_size = 0;
  u16 volume = 0;
  BigEndian<u16> volume_big;
  std::string name;
  Bytes rest;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("length").unit("bytes").doc("length of this record"), s.length);
    v(Key("extended").unit("sectors").doc("length of the attributes before the data"), s.extended);
    v(Key("lba").unit("sectors").doc("number of the first sector"), s.lba);
    visit_big_endian_copy(v, Key("lba_big").doc("big-endian copy"), s.lba_big, s.lba);
    v(Key("size").unit("bytes"), s.size);
    visit_big_endian_copy(v, Key("size_big").doc("big-endian copy"), s.size_big, s.size);
    v(Key("date").doc("years since 1900, month, day, hour, minute, second, offset from GMT in quarter hours"), s.date);
    v(Key("flags").doc("2: a folder; 0x80: the file continues in the next record"), s.flags);
    v(Key("unit_size").doc("for interleaved files"), s.unit_size);
    v(Key("gap_size").doc("for interleaved files"), s.gap_size);
    v("volume", s.volume);
    visit_big_endian_copy(v, "volume_big", s.volume_big, s.volume);
    v.count(u8{}, "name_length", s.name);
    v(Key("name").doc("a single byte 0: the folder itself; a single byte 1: its parent"), s.name);
    v.require(s.length >= 33 + s.name.size(), "a record that holds its name");
    v.upto([&] { return s.length - 33 - s.name.size(); }, s.rest);
    v(Key("rest").doc("padding to an even length; attributes of CD-ROM XA and other systems"), s.rest);
    v.derive(s.length, 33 + s.name.size() + s.rest.size());
  }
};

/// A volume descriptor. Source: ECMA-119, 8.4 and 8.5. Other kinds of descriptors are kept as bytes.
struct VolumeDescriptor {
  u8 type = 1, version = 1;
  u8 flags = 0;
  std::string system, name;
  std::array<u8, 8> unused_72{};
  u32 sectors = 0;
  BigEndian<u32> sectors_big;
  std::array<u8, 32> escapes{};
  u16 set_size = 1, number = 1, sector_size = 2048;
  BigEndian<u16> set_size_big, number_big, sector_size_big;
  u32 table_size = 0;
  BigEndian<u32> table_size_big;
  u32 table = 0, table_copy = 0;
  BigEndian<u32> big_table, big_table_copy;
  DiscRecord root;
  std::string set, publisher, preparer, application, copyright, abstract, bibliography;
  std::string created, changed, expires, effective;
  u8 structure = 1, unused_882 = 0;
  Bytes application_use;
  Bytes rest;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("type").doc("1: primary; 2: another directory tree of the same files; 255: the last descriptor"), s.type);
    v.magic("CD001");
    v("version", s.version);
    if (s.type != 1 && s.type != 2) {
      v.implied(2041, s.rest);
      v("rest", s.rest);
      return;
    }
    v("flags", s.flags);
    v.text(32, "system", s.system);
    v.text(32, "name", s.name);
    v("unused_72", s.unused_72);
    v(Key("sectors").doc("number of sectors in the volume"), s.sectors);
    visit_big_endian_copy(v, "sectors_big", s.sectors_big, s.sectors);
    v(Key("escapes").doc("character set of the names, if type is 2"), s.escapes);
    v("set_size", s.set_size);
    visit_big_endian_copy(v, "set_size_big", s.set_size_big, s.set_size);
    v("number", s.number);
    visit_big_endian_copy(v, "number_big", s.number_big, s.number);
    v(Key("sector_size").unit("bytes"), s.sector_size);
    visit_big_endian_copy(v, "sector_size_big", s.sector_size_big, s.sector_size);
    v(Key("table_size").unit("bytes").doc("size of a path table"), s.table_size);
    visit_big_endian_copy(v, "table_size_big", s.table_size_big, s.table_size);
    v(Key("table").unit("sectors").doc("sector of the little-endian path table"), s.table);
    v(Key("table_copy").unit("sectors").doc("sector of a second copy; 0: none"), s.table_copy);
    v.nested(4, Key("big_table").unit("sectors").doc("sector of the big-endian path table"), s.big_table);
    v.nested(4, Key("big_table_copy").unit("sectors").doc("sector of a second copy; 0: none"), s.big_table_copy);
    v("root", s.root);
    v.text(128, "set", s.set);
    v.text(128, "publisher", s.publisher);
    v.text(128, "preparer", s.preparer);
    v.text(128, "application", s.application);
    v.text(37, "copyright", s.copyright);
    v.text(37, "abstract", s.abstract);
    v.text(37, "bibliography", s.bibliography);
    v.text(17,
           Key("created").doc(
               "year, month, day, hour, minute, second, hundredths as digits; then the offset from GMT as in dates"),
           s.created);
    v.text(17, "changed", s.changed);
    v.text(17, "expires", s.expires);
    v.text(17, "effective", s.effective);
    v("structure", s.structure);
    v("unused_882", s.unused_882);
    v.implied(512, s.application_use);
    v(Key("application_use").doc("CD-ROM XA: CD-XA001 at byte 141"), s.application_use);
    v.implied(653, s.rest);
    v("rest", s.rest);
  }
};

/// A run of bytes of the image.
struct DiscPart {
  static constexpr u64 k_least_size = 1;
  DiscPartKind kind = DiscPartKind::other;
  u32 lba = 0;
  std::optional<VolumeDescriptor> descriptor;
  std::vector<DiscRecord> records;
  FileBytes bytes;
};

/// The offsets of the parts of an image, which follow one another without gaps.
struct DiscMap {
  struct Part {
    DiscPartKind kind;
    u64 offset, size;
    u32 records = 0;
    u64 records_size = 0;
  };
  std::optional<SectorForm> form;
  std::vector<Part> parts;
};
DiscMap map_disc(ByteView image);

struct DiscImage {
  static constexpr std::endian k_order = std::endian::little;
  SectorForm form = SectorForm::plain;
  std::vector<DiscPart> parts;

  static constexpr void layout(auto& v, auto& s) {
    std::optional<DiscMap> map;  // in reading
    const auto part = [&](size_t i) { return map->parts[i]; };
    bool is_disc = true;
    v.infer(Key("form").words(k_forms), s.form, [&] {
      map.emplace(map_disc(v.ahead()));
      is_disc = map->form.has_value();
      return map->form.value_or(SectorForm::plain);
    });
    v.require(is_disc, "a volume descriptor in sector 16 (CD001)");
    v.upto([&] { return u64(map->parts.size()); }, s.parts);
    size_t next = 0;
    v.each("parts", s.parts, [&](auto& p) {
      const size_t i = next++;
      v.infer(Key("kind").words(k_disc_parts), p.kind, [&] { return part(i).kind; });
      v.infer(Key("lba").doc("number of the first sector"), p.lba,
              [&] { return u32(sector_at(*map->form, part(i).offset)); });
      v.maybe([&] { return part(i).kind == DiscPartKind::descriptor; }, "descriptor", p.descriptor);
      if (p.kind == DiscPartKind::descriptor) return;
      if (p.kind == DiscPartKind::directory) {
        v.upto([&] { return u64(part(i).records); }, p.records);
        v("records", p.records);
      }
      v.upto([&] { return part(i).size - part(i).records_size; }, p.bytes);
      v("bytes", p.bytes);
    });
  }
  /// Updates EDC and ECC of all sectors that have data.
  static void seal(Bytes& image);
  /// Updates EDC and ECC of changed sectors whose codes were correct.
  static void seal_again(ByteView original, EditableCopy& image);
};

}  // namespace dio::containers

DIORAMA_WALKS(extern, containers::DiscImage)
