// damaged.hpp: for each rule a course that breaks it, by as little as possible. For tests only.
#pragma once
#include <bit>
#include <cmath>
#include <limits>

#include "engine/broken_file.hpp"
#include "formats/kmp/parts.hpp"
#include "samples/kmp/courses.hpp"

namespace dio::kmp {

namespace broken {

template <class F>
Bytes race_with(F edit) {
  Kmp k = race();
  edit(k);
  return bytes_of(k);
}
template <class F>
Bytes arena_with(F edit) {
  Kmp k = arena();
  edit(k);
  return bytes_of(k);
}

/// The bytes of a file, changed where a document cannot be.
class File {
 public:
  explicit File(Bytes b = bytes_of(race())) : bytes(std::move(b)) {}
  u32 get(size_t at, size_t size) const {
    u32 n = 0;
    for (size_t i = 0; i < size; ++i) n = n << 8 | bytes[at + i];
    return n;
  }
  File& set(size_t at, size_t size, u64 n) {
    for (size_t i = size; i-- > 0; n >>= 8) bytes[at + i] = u8(n);
    return *this;
  }
  /// Zeros, counted in the length.
  File& insert(size_t at, size_t size) {
    bytes.insert(bytes.begin() + std::ptrdiff_t(at), size, 0);
    return set(4, 4, bytes.size());
  }
  static size_t offset_field(size_t section) { return 0x10 + 4 * section; }
  size_t start(size_t section) const { return 0x4C + get(offset_field(section), 4); }
  Bytes bytes;
};
enum SectionIndex : size_t { k_enph = 2, k_gobj = 7, k_poti = 8, k_jgpt = 11, k_stgi = 14 };

inline Bytes with_section(FourCc name, Bytes content) {
  Kmp k = race();
  k.settle();
  content.insert(content.begin(), name.chars.begin(), name.chars.end());
  k.sections.push_back({0, name, {}, std::move(content)});
  return bytes_of(k);
}

inline void exchange_sides(CheckPoint& c) { std::swap(c.left, c.right); }

inline std::array<u8, 6> links(std::initializer_list<u8> groups) {
  std::array<u8, 6> all;
  all.fill(k_no_link);
  std::copy(groups.begin(), groups.end(), all.begin());
  return all;
}

}  // namespace broken

/// One for each rule, and one for each way in which a course cannot be read at all.
inline std::vector<test::BrokenFile> broken_files() {
  using namespace broken;
  std::vector<test::BrokenFile> all;
  const auto add = [&](std::string_view id, std::string_view path, Bytes bytes) {
    all.push_back({id, path, "kmp", std::move(bytes)});
  };
  const auto race_where = [&](std::string_view id, std::string_view path, auto edit) {
    add(id, path, race_with(edit));
  };
  const auto arena_where = [&](std::string_view id, std::string_view path, auto edit) {
    add(id, path, arena_with(edit));
  };

  // ---- not readable ----
  add("layout.magic", "magic", File().set(0, 4, 0x524B4D45).bytes);
  add("layout.requires", "", File().set(8, 2, 17).bytes);
  add("layout.truncated", "section_count", [] {
    Bytes b = bytes_of(race());
    b.resize(9);
    return b;
  }());
  add("layout.raw", "GOBJ.count", File().set(File().start(k_gobj) + 4, 2, 0xFFFF).bytes);

  // ---- container ----
  add("kmp.hdr-size", "header_size", File().insert(0x0C, 2).set(0x0A, 2, 0x4E).bytes);
  add("kmp.hdr-len", "length", File().set(4, 4, bytes_of(race()).size() + 4).bytes);
  race_where("kmp.ver", "version", [](Kmp& k) { k.version = 2510; });
  add("kmp.sec-offset", "sections[14].offset", File().set(File::offset_field(k_stgi), 4, 0x00FFFF00).bytes);
  add("kmp.sec-count", "JGPT.count", File().set(File().start(k_jgpt) + 4, 2, 4).bytes);
  race_where("kmp.sec-missing", "section_count", [](Kmp& k) { k.cnpt.reset(); });
  race_where("kmp.sec-order", "sections[1].offset", [](Kmp& k) {
    k.settle();
    std::rotate(k.sections.begin(), k.sections.end() - 1, k.sections.end());
  });
  add("kmp.sec-unknown", "sections[15].offset", with_section(fourcc("XPND"), {0, 1, 0, 0, 1, 2, 3, 4}));
  add("kmp.sec-double", "sections[15].offset",
      with_section(fourcc("STGI"), {0, 1, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  add("kmp.sec-overlap", "", [] {
    File f;
    return f.insert(f.start(k_stgi), 4)
        .set(File::offset_field(k_stgi), 4, f.get(File::offset_field(k_stgi), 4) + 4)
        .bytes;
  }());
  add("kmp.trailing", "", File().insert(bytes_of(race()).size(), 4).set(bytes_of(race()).size(), 4, 1).bytes);
  race_where("kmp.float", "KTPT.entries[0].rotation.y",
             [](Kmp& k) { k.ktpt->entries[0].rotation.y = std::numeric_limits<f32>::quiet_NaN(); });

  // ---- paths ----
  race_where("kmp.grp-empty", "ENPH.count", [](Kmp& k) { k.enph->entries.clear(); });
  race_where("kmp.grp-range", "ITPH.entries[1].count", [](Kmp& k) { k.itph->entries[1].count = 13; });
  race_where("kmp.grp-contig", "ENPT.entries[26]", [](Kmp& k) { k.enph->entries[3].count = 2; });
  race_where("kmp.grp-link-range", "ITPH.entries[0].next[1]", [](Kmp& k) { k.itph->entries[0].next[1] = 5; });
  race_where("kmp.grp-link-packed", "ENPH.entries[0].next[2]",
             [](Kmp& k) { k.enph->entries[0].next = {1, k_no_link, 3, k_no_link, k_no_link, k_no_link}; });
  race_where("kmp.grp-next", "ENPH.entries[3].next", [](Kmp& k) { k.enph->entries[3].next = links({}); });
  race_where("kmp.grp-prev", "ENPH.entries[3].previous", [](Kmp& k) { k.enph->entries[3].previous = links({}); });
  race_where("kmp.grp-symmetric", "ENPH.entries[3].next[0]", [](Kmp& k) { k.enph->entries[2].previous = links({1}); });
  race_where("kmp.grp-reach", "ENPH.entries[3]", [](Kmp& k) { k.enph->entries[0].next = links({1}); });
  race_where("kmp.grp-dup", "ENPH.entries[1].next[1]", [](Kmp& k) { k.enph->entries[1].next = links({2, 2}); });
  race_where("kmp.itph-default", "ITPH.entries[1].next[0]", [](Kmp& k) { k.itph->entries[1].next = links({}); });
  race_where("kmp.itph-self1", "ITPH.entries[2].next[0]", [](Kmp& k) {
    k.itph->entries[1].count = 11;
    k.itph->entries.push_back({23, 1, links({2}), links({2}), {}});
  });
  race_where("kmp.itph-self", "ITPH.entries[0].next[0]",
             [](Kmp& k) { k.itph->entries = {{0, 24, links({0}), links({0}), {}}}; });
  race_where("kmp.itph-1pt", "ITPH.entries[1].count", [](Kmp& k) {
    k.itph->entries[0].count = 23;
    k.itph->entries[1].first = 23;
    k.itph->entries[1].count = 1;
  });
  race_where("kmp.pt-count", "ENPT.count", [](Kmp& k) { k.enpt->entries.resize(256, k.enpt->entries.back()); });
  race_where("kmp.pt-online", "ITPT.entries[0].position.y", [](Kmp& k) { k.itpt->entries[0].position.y = -10; });
  race_where("kmp.pt-dev", "ITPT.entries[0].range", [](Kmp& k) { k.itpt->entries[0].range = 0; });
  arena_where("kmp.arena-itpt", "ITPT.count", [](Kmp& k) { k.itpt->entries = {{{0, 40, 0}, 25, 1, 0}}; });

  // ---- checkpoints ----
  race_where("kmp.ckpt-none", "CKPT.count", [](Kmp& k) {
    k.ckpt->entries.clear();
    k.ckph->entries.clear();
  });
  race_where("kmp.ckpt-lap", "CKPT", [](Kmp& k) { k.ckpt->entries[0].type = -1; });
  race_where("kmp.ckpt-lap0", "CKPT.entries[0].type",
             [](Kmp& k) { std::swap(k.ckpt->entries[0].type, k.ckpt->entries[1].type); });
  race_where("kmp.ckpt-key", "CKPT.entries[20].type", [](Kmp& k) { k.ckpt->entries[12].type = -1; });
  race_where("kmp.ckpt-type", "CKPT.entries[3].type", [](Kmp& k) { k.ckpt->entries[3].type = -5; });
  race_where("kmp.ckpt-respawn", "CKPT.entries[3].respawn", [](Kmp& k) { k.ckpt->entries[3].respawn = 9; });
  race_where("kmp.ckpt-links", "CKPT.entries[5].next", [](Kmp& k) { k.ckpt->entries[5].next = 9; });
  race_where("kmp.ckpt-convex", "CKPT.entries[10]", [](Kmp& k) { exchange_sides(k.ckpt->entries[10]); });
  race_where("kmp.ckpt-orient", "CKPT.entries[11]", [](Kmp& k) {
    exchange_sides(k.ckpt->entries[10]);
    exchange_sides(k.ckpt->entries[11]);
  });
  race_where("kmp.ckpt-near", "CKPT.entries[7]", [](Kmp& k) {
    const Vec2 before = k.ckpt->entries[6].right;
    Vec2& right = k.ckpt->entries[7].right;
    right = {before.x + (right.x - before.x) / 400, before.z + (right.z - before.z) / 400};
  });
  race_where("kmp.pt-quad", "ENPT.entries[6]", [](Kmp& k) { k.enpt->entries[6].position = {0, 40, 0}; });
  race_where("kmp.ktpt-line", "KTPT.entries[0].position", [](Kmp& k) { k.ktpt->entries[0].position.x -= 3000; });
  race_where("kmp.jgpt-none", "JGPT.count", [](Kmp& k) {
    k.jgpt->entries.clear();
    for (CheckPoint& p : k.ckpt->entries) p.respawn = 255;
  });
  race_where("kmp.jgpt-127", "JGPT.entries[128]", [](Kmp& k) {
    for (u16 i = 3; i < 129; ++i) k.jgpt->entries.push_back({{0, 0, 0}, {0, 0, 0}, i, -1});
  });
  race_where("kmp.jgpt-unused", "JGPT.entries[3]",
             [](Kmp& k) { k.jgpt->entries.push_back({{0, 0, 0}, {0, 0, 0}, 3, -1}); });
  arena_where("kmp.arena-ckpt", "CKPT.count", [](Kmp& k) { k.ckpt->entries.push_back(race().ckpt->entries[1]); });

  // ---- objects and routes ----
  race_where("kmp.gobj-id", "GOBJ.entries[4].id", [](Kmp& k) { k.gobj->entries[4].id = 0x300; });
  race_where("kmp.gobj-route", "GOBJ.entries[5].route", [](Kmp& k) { k.gobj->entries[5].route = 40; });
  race_where("kmp.gobj-scale", "GOBJ.entries[0].scale", [](Kmp& k) { k.gobj->entries[0].scale = {0, 0, 0}; });
  race_where("kmp.gobj-presence", "GOBJ.entries[0].presence", [](Kmp& k) { k.gobj->entries[0].presence = 0x3D; });
  race_where("kmp.gobj-xpf", "GOBJ.entries[0].reference", [](Kmp& k) { k.gobj->entries[0].reference = 0x1000; });
  arena_where("kmp.gobj-coin", "GOBJ.count", [](Kmp& k) { k.gobj->entries.pop_back(); });
  race_where("kmp.gobj-slot", "GOBJ.entries[4].id", [](Kmp& k) { k.gobj->entries[4].id = 0x144; });
  race_where("kmp.poti-smooth3", "POTI.entries[1]", [](Kmp& k) { k.poti->entries[1].points.resize(2); });
  race_where("kmp.poti-2", "POTI.entries[2]", [](Kmp& k) { k.poti->entries[2].points.resize(1); });
  race_where("kmp.poti-unused", "POTI.entries[4]",
             [](Kmp& k) { k.poti->entries.push_back(Route(k.poti->entries[0])); });
  race_where("kmp.poti-shared", "CAME.entries[1].route", [](Kmp& k) { k.came->entries[1].route = 2; });
  race_where("kmp.poti-came-0", "POTI.entries[0].points[1].speed",
             [](Kmp& k) { k.poti->entries[0].points[1].speed = 0; });

  // ---- areas and cameras ----
  race_where("kmp.area-shape", "AREA.entries[0].shape", [](Kmp& k) { k.area->entries[0].shape = 2; });
  race_where("kmp.area-type", "AREA.entries[3].type", [](Kmp& k) { k.area->entries[3].type = 11; });
  race_where("kmp.area-came", "AREA.entries[0].camera", [](Kmp& k) { k.area->entries[0].camera = 9; });
  race_where("kmp.area-none", "AREA.count", [](Kmp& k) { k.area->entries[0].type = 1; });
  race_where("kmp.area-3", "AREA.entries[1].route", [](Kmp& k) { k.area->entries[1].route = k_no_link; });
  race_where("kmp.area-4", "AREA.entries[2].enemy_point", [](Kmp& k) { k.area->entries[2].enemy_point = 200; });
  race_where("kmp.area-scale", "AREA.entries[2].scale", [](Kmp& k) { k.area->entries[2].scale.y = 0; });
  race_where("kmp.came-opening", "CAME.entries[2].next", [](Kmp& k) { k.came->entries[2].next = 1; });
  race_where("kmp.came-select", "CAME.selection", [](Kmp& k) { k.came->header.selection = 9; });
  race_where("kmp.came-goal", "CAME.entries[3].type", [](Kmp& k) { k.came->entries[3].type = 0; });
  race_where("kmp.came-route", "CAME.entries[1].route", [](Kmp& k) { k.came->entries[1].route = k_no_link; });
  race_where("kmp.came-next", "CAME.entries[3].next", [](Kmp& k) { k.came->entries[3].next = 77; });
  race_where("kmp.came-type", "CAME.entries[3].type", [](Kmp& k) { k.came->entries[3].type = 12; });
  race_where("kmp.came-fov", "CAME.entries[3].zoom_end", [](Kmp& k) { k.came->entries[3].zoom_end = 0; });

  // ---- places ----
  race_where("kmp.ktpt-none", "KTPT.count", [](Kmp& k) { k.ktpt->entries.clear(); });
  race_where("kmp.ktpt-race", "KTPT.entries[0].player", [](Kmp& k) { k.ktpt->entries[0].player = 0; });
  arena_where("kmp.ktpt-arena", "KTPT.entries[5].player", [](Kmp& k) { k.ktpt->entries[5].player = 4; });
  race_where("kmp.cnpt-id", "CNPT.entries[0].id", [](Kmp& k) { k.cnpt->entries[0].id = 1; });
  arena_where("kmp.mspt-id", "MSPT.entries[1].id", [](Kmp& k) { k.mspt->entries[1].id = 0; });
  race_where("kmp.cnpt-effect", "CNPT.entries[0].effect", [](Kmp& k) { k.cnpt->entries[0].effect = 3; });
  arena_where("kmp.mspt-arena", "MSPT.count", [](Kmp& k) { k.mspt->entries.pop_back(); });
  race_where("kmp.stgi", "STGI.entries[0].pole", [](Kmp& k) { k.stgi->entries[0].pole = 2; });
  return all;
}

}  // namespace dio::kmp
