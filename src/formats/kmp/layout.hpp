// layout.hpp: describes every structure of a KMP course once. Facts and their sources: README.md next to this file.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/sorting.hpp"
#include "formats/kmp/enum_names.hpp"
#include "layout/sizer.hpp"
#include "layout/xyz.hpp"

namespace dio::kmp {

// The first version with each change.
inline constexpr u32 k_start_player = 1;      // KTPT 0x18; no version lacks it by itself, see entry_version
inline constexpr u32 k_start_count = 1831;    // KTPT has a count; before, exactly one entry after the magic
inline constexpr u32 k_camera_time = 1601;    // CAME 0x44
inline constexpr u32 k_route_in_area = 2200;  // AREA 0x2C
inline constexpr u32 k_flare_alpha = 2320;    // STGI 0x08 is stored (the game uses it only above 2320)
inline constexpr u32 k_point_settings = 1;    // ENPT has more than a position
inline constexpr u32 k_final = 2520;          // every retail and custom file

inline constexpr u8 k_no_link = 0xFF;
inline constexpr u16 k_no_route = 0xFFFF;

struct Vec2 {
  f32 x, z;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("x").unit("units"), s.x);
    v(Key("z").unit("units"), s.z);
  }
  constexpr bool operator==(const Vec2&) const = default;
};
using Vec3 = Xyz<f32>;
inline constexpr Key k_position = Key("position").doc("position on the course").unit("units");
inline constexpr Key k_rotation = Key("rotation").doc("rotation about X, then Y, then Z").unit("degrees");

/// KTPT: a start position.
struct StartPoint {
  Vec3 position, rotation;
  i16 player;
  u16 pad_1a;
  std::array<u8, 3> pad_19;  // old files
  static constexpr void make_new(auto& s) { s.player = -1; }
  static constexpr void layout(auto& v, auto& s) {
    constexpr Key player = Key("player").doc("-1 in races; 0 to 11 in arenas");
    v(k_position, s.position);
    v(k_rotation, s.rotation);
    if (v.since(k_start_count)) {
      v(player, s.player);
      v("pad_1a", s.pad_1a);
    } else if (v.since(k_start_player)) {
      v.as(i8{}, player, s.player);
      v("pad_19", s.pad_19);
    }
  }
};

/// ENPT: a point of the computer drivers' paths.
struct EnemyPoint {
  Vec3 position;
  f32 deviation;
  u16 mode;
  u8 drift, flags;
  static constexpr void make_new(auto& s) { s.deviation = 10; }
  static constexpr void layout(auto& v, auto& s) {
    v(k_position, s.position);
    if (!v.since(k_point_settings)) return;
    v(Key("deviation").doc("how far drivers stray to either side, in steps of 50 units"), s.deviation);
    v(Key("mode").words(k_enemy_modes), s.mode);
    v(Key("drift").words(k_enemy_drift), s.drift);
    v(Key("flags").doc("only 0x80 is known to occur"), s.flags);
  }
};

/// ITPT: a point of the items' paths.
struct ItemPoint {
  Vec3 position;
  f32 range;
  u16 height, flags;
  static constexpr void make_new(auto& s) { s.range = 10; }
  static constexpr void layout(auto& v, auto& s) {
    v(k_position, s.position);
    v(Key("range").doc("how far a Bullet Bill may move to either side, in steps of about 10 units"), s.range);
    v(Key("height").words(k_item_height), s.height);
    v(Key("flags").words(k_item_flags), s.flags);
  }
};

/// ENPH, ITPH, CKPH: a run of points, and the groups before and after it.
struct Group {
  u8 first, count;
  std::array<u8, 6> previous, next;
  std::array<u8, 2> dispatch;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("first").doc("index of the group's first point").words(k_group_points), s.first);
    v(Key("count").doc("number of points in the group"), s.count);
    v(Key("previous").doc("indices of the groups that lead here; 255: none").words(k_index_or<"entries", k_no_u8>),
      s.previous);
    v(Key("next")
          .doc("indices of the groups that follow; 255: none; a group listed twice is chosen twice as often")
          .words(k_index_or<"entries", k_no_u8>),
      s.next);
    v(Key("dispatch").doc("set only for dispatch points of arenas; meaning unknown"), s.dispatch);
  }
};

/// CKPT: a line across the road. It has no height.
struct CheckPoint {
  Vec2 left, right;
  u8 respawn;
  i8 type;
  u8 previous, next;
  static constexpr void make_new(auto& s) { s.type = -1; }
  static constexpr void layout(auto& v, auto& s) {
    v("left", s.left);
    v("right", s.right);
    v(Key("respawn").doc("index into JGPT; 128 to 255: the respawn point stays the same").words(k_respawn), s.respawn);
    v(Key("type").doc("0: lap line; 1 to 127: key; -1: normal; other values are neither").words(k_check_types), s.type);
    v(Key("previous").doc("index of the checkpoint before this one; 255: first of the group").words(k_previous_point),
      s.previous);
    v(Key("next").doc("index of the checkpoint after this one; 255: last of the group").words(k_next_point), s.next);
  }
};

/// GOBJ: an object.
struct Object {
  u16 id, reference;
  Vec3 position, rotation, scale;
  u16 route;
  std::array<u16, 8> settings;
  u16 presence;
  static constexpr void make_new(auto& s) { s.scale = {1, 1, 1}, s.presence = 0x3F; }
  static constexpr void layout(auto& v, auto& s) {
    v(Key("id").words(k_object_names), s.id);
    v(Key("reference")
          .doc("the condition of LE-CODE for an object whose presence has its bit: a predefined one, engine classes "
               "(0x1E00 "
               "to 0x1E7F), random scenarios (0x1F00 to 0x1FFF), or the id of a definition object (0x2000 to 0x7FFF, "
               "plus 0x1000 for its opposite); otherwise 0")
          .words(k_references),
      s.reference);
    v(k_position, s.position);
    v(k_rotation, s.rotation);
    v("scale", s.scale);
    v(Key("route").doc("index into POTI").words(k_index_or<"POTI.entries", k_no_u16>), s.route);
    v(Key("settings").doc("meaning depends on the object"), s.settings);
    v(Key("presence")
          .doc("the game reads only bits 0 to 2; bits 12 to 15 are the LE-CODE mode, 1 for objects with a condition")
          .words(k_presence),
      s.presence);
  }
};

/// POTI: a route, for cameras and objects.
struct RoutePoint {
  Vec3 position;
  u16 speed, extra;
  static constexpr void layout(auto& v, auto& s) {
    v(k_position, s.position);
    v(Key("speed").doc("0: the object's own speed").unit("units/frame"), s.speed);
    v(Key("extra").doc("meaning depends on the object"), s.extra);
  }
};
struct Route {
  u8 smooth, back_and_forth;
  std::vector<RoutePoint> points;
  static constexpr u64 k_least_size = 4;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u16{}, "count", s.points);
    v(Key("smooth").words(k_smooth), s.smooth);
    v(Key("back_and_forth").words(k_back_and_forth), s.back_and_forth);
    v("points", s.points);
  }
};

/// AREA: a box or cylinder with a special effect.
struct Area {
  u8 shape, type, camera, priority;
  Vec3 position, rotation, scale;
  u16 setting_1, setting_2;
  u8 route, enemy_point;
  u16 pad_2e;
  static constexpr void make_new(auto& s) { s.scale = {1, 1, 1}; }
  static constexpr void layout(auto& v, auto& s) {
    v(Key("shape").words(k_area_shapes), s.shape);
    v(Key("type").words(k_area_types), s.type);
    v(Key("camera").doc("index into CAME, for type 0").words(k_camera_of_area), s.camera);
    v(Key("priority").doc("the highest of overlapping areas wins"), s.priority);
    v(k_position, s.position);
    v(k_rotation, s.rotation);
    v(Key("scale").doc("1 is 10,000 units in each direction; the position is the middle of the floor"), s.scale);
    v(Key("setting_1").doc("meaning depends on the type; for type 10, LE-CODE and Pulsar read a condition, see route"),
      s.setting_1);
    v(Key("setting_2").doc("meaning depends on the type"), s.setting_2);
    if (!v.since(k_route_in_area)) return;
    v(Key("route")
          .doc("index into POTI, for type 3. For type 10 with LE-CODE or Pulsar, 255: active from checkpoint setting_1 "
               "to "
               "before setting_2 (if setting_1 is greater, except from setting_2 to before setting_1; both 0: always); "
               "1: "
               "active while the last key checkpoint is setting_2 (setting_1 is 1: while it is another one)")
          .words(k_route_of_area),
      s.route);
    v(Key("enemy_point").doc("index into ENPT, for type 4").words(k_enemy_point_of_area), s.enemy_point);
    v("pad_2e", s.pad_2e);
  }
};

/// CAME: a camera.
struct Camera {
  u8 type, next, shake, route;
  u16 route_speed, zoom_speed, view_speed;
  u8 start, movie;
  Vec3 position, rotation;
  f32 zoom_begin, zoom_end;
  Vec3 view_begin, view_end;
  f32 time;
  static constexpr void make_new(auto& s) { s.zoom_begin = s.zoom_end = 85; }
  static constexpr void layout(auto& v, auto& s) {
    v(Key("type").words(k_camera_types), s.type);
    v(Key("next").doc("index of the camera after this one").words(k_index_or<"entries", k_no_u8>), s.next);
    v("shake", s.shake);
    v(Key("route").doc("index into POTI").words(k_index_or<"POTI.entries", k_no_u8>), s.route);
    v(Key("route_speed").unit("units/100 frames"), s.route_speed);
    v(Key("zoom_speed").unit("degrees/100 frames"), s.zoom_speed);
    v(Key("view_speed").unit("units/100 frames"), s.view_speed);
    v("start", s.start);
    v("movie", s.movie);
    v(k_position, s.position);
    v(k_rotation, s.rotation);
    v(Key("zoom_begin").doc("vertical field of view at the start").unit("degrees"), s.zoom_begin);
    v(Key("zoom_end").doc("vertical field of view at the end").unit("degrees"), s.zoom_end);
    v(Key("view_begin")
          .doc("point that the camera looks at, at the start; for type 3, its position behind the kart")
          .unit("units"),
      s.view_begin);
    v(Key("view_end").doc("point that the camera looks at, at the end").unit("units"), s.view_end);
    if (!v.since(k_camera_time)) return;
    v(Key("time").doc("how long the opening pan shows this camera").unit("frames"), s.time);
  }
};

/// JGPT: a respawn point, where Lakitu puts a kart down.
struct Respawn {
  Vec3 position, rotation;
  u16 id;
  i16 sound_trigger;
  static constexpr void make_new(auto& s) { s.sound_trigger = -1; }
  static constexpr void layout(auto& v, auto& s) {
    v(k_position, s.position);
    v(k_rotation, s.rotation);
    v(Key("id").doc("the entry's own index; not read by the game").words(k_own_index), s.id);
    v(Key("sound_trigger").doc("-1: none; else 199 + 100 * trigger"), s.sound_trigger);
  }
};
/// CNPT: the target of a cannon.
struct Cannon {
  Vec3 position, rotation;
  u16 id;
  i16 effect;
  static constexpr void layout(auto& v, auto& s) {
    v(k_position, s.position);
    v(k_rotation, s.rotation);
    v(Key("id").doc("the entry's own index; the game uses the variant of the KCL trigger instead").words(k_own_index),
      s.id);
    v(Key("effect").words(k_cannon_effects), s.effect);
  }
};
/// MSPT: a position where a player stands after a battle or competition.
struct EndPoint {
  Vec3 position, rotation;
  u16 id, unk_1a;
  static constexpr void layout(auto& v, auto& s) {
    v(k_position, s.position);
    v(k_rotation, s.rotation);
    v(Key("id").doc("the entry's own index").words(k_own_index), s.id);
    v("unk_1a", s.unk_1a);
  }
};
/// STGI: the stage.
struct Stage {
  u8 laps, pole, spacing, flare_flash;
  u32 flare_color;
  u8 flare_alpha, pad_09;
  u16 speed_modifier;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("laps").doc("number of laps; read only by cheat codes"), s.laps);
    v(Key("pole").doc("side of the first starter").words(k_pole), s.pole);
    v(Key("spacing").doc("distance between starters").words(k_spacing), s.spacing);
    v(Key("flare_flash").words(k_flare_flash), s.flare_flash);
    v(Key("flare_color").doc("0x00RRGGBB"), s.flare_color);
    if (!v.since(k_flare_alpha)) return;
    v(Key("flare_alpha").doc("up to version 2320, the game uses 75 instead"), s.flare_alpha);
    v("pad_09", s.pad_09);
    v(Key("speed_modifier").doc("upper half of a float, for a cheat code; 0: none"), s.speed_modifier);
  }
};

/// The second half-word of a section header.
struct PlainExtra {
  u16 extra;
  static constexpr void layout(auto& v, auto& s, const auto&) { v(Key("extra").doc("0"), s.extra); }
};
struct RouteTotal {
  u16 point_total;
  static constexpr void layout(auto& v, auto& s, const auto& entries) {
    v.derive(s.point_total, [&] {
      size_t n = 0;
      for (const Route& r : entries) n += r.points.size();
      return u16(n);
    });
    v(Key("point_total").placement().doc("number of points in all routes"), s.point_total);
  }
};
struct FirstCameras {
  u8 opening, selection;
  static constexpr void layout(auto& v, auto& s, const auto&) {
    v(Key("opening").doc("first camera of the opening pan; the game reads it as signed").words(k_index_into<"entries">),
      s.opening);
    v(Key("selection").doc("first camera of the course preview; not read by the game").words(k_index_into<"entries">),
      s.selection);
  }
};

/// A section: its name, the entry count, and the entries.
template <class E, class X, char... Name>
struct Section {
  using Entry = E;
  static constexpr char k_name[5] = {Name..., 0};
  X header;
  std::vector<E> entries;
  static constexpr void layout(auto& v, auto& s) {
    v.magic(k_name);
    if constexpr (std::is_same_v<E, StartPoint>)
      if (!v.since(k_start_count)) {
        v.implied(1, s.entries);
        v("entries", s.entries);
        return;
      }
    v.count(u16{}, "count", s.entries);
    X::layout(v, s.header, s.entries);
    v("entries", s.entries);
  }
};
using Ktpt = Section<StartPoint, PlainExtra, 'K', 'T', 'P', 'T'>;
using Enpt = Section<EnemyPoint, PlainExtra, 'E', 'N', 'P', 'T'>;
using Enph = Section<Group, PlainExtra, 'E', 'N', 'P', 'H'>;
using Itpt = Section<ItemPoint, PlainExtra, 'I', 'T', 'P', 'T'>;
using Itph = Section<Group, PlainExtra, 'I', 'T', 'P', 'H'>;
using Ckpt = Section<CheckPoint, PlainExtra, 'C', 'K', 'P', 'T'>;
using Ckph = Section<Group, PlainExtra, 'C', 'K', 'P', 'H'>;
using Gobj = Section<Object, PlainExtra, 'G', 'O', 'B', 'J'>;
using Poti = Section<Route, RouteTotal, 'P', 'O', 'T', 'I'>;
using AreaSection = Section<Area, PlainExtra, 'A', 'R', 'E', 'A'>;
using Came = Section<Camera, FirstCameras, 'C', 'A', 'M', 'E'>;
using Jgpt = Section<Respawn, PlainExtra, 'J', 'G', 'P', 'T'>;
using Cnpt = Section<Cannon, PlainExtra, 'C', 'N', 'P', 'T'>;
using Mspt = Section<EndPoint, PlainExtra, 'M', 'S', 'P', 'T'>;
using Stgi = Section<Stage, PlainExtra, 'S', 'T', 'G', 'I'>;

/// An entry of the section table.
struct Slot {
  u32 offset;                     // from the end of the header
  std::optional<FourCc> name;     // of the section at this offset; none: outside the file
  std::optional<u16> entry_size;  // if the section's extent implies another size than the version
  std::optional<Bytes> raw;       // unknown, doubled or damaged: the section as it is
};

/// A whole course.
struct Kmp {
  static constexpr std::endian k_order = std::endian::big;

  u32 length;
  u16 header_size;
  std::optional<u32> version;
  std::vector<Slot> sections;  // in the order of the table
  std::optional<Ktpt> ktpt;
  std::optional<Enpt> enpt;
  std::optional<Enph> enph;
  std::optional<Itpt> itpt;
  std::optional<Itph> itph;
  std::optional<Ckpt> ckpt;
  std::optional<Ckph> ckph;
  std::optional<Gobj> gobj;
  std::optional<Poti> poti;
  std::optional<AreaSection> area;
  std::optional<Came> came;
  std::optional<Jgpt> jgpt;
  std::optional<Cnpt> cnpt;
  std::optional<Mspt> mspt;
  std::optional<Stgi> stgi;

  /// All typed sections, in canonical order.
  static constexpr auto typed(auto& s) {
    return std::tie(s.ktpt, s.enpt, s.enph, s.itpt, s.itph, s.ckpt, s.ckph, s.gobj, s.poti, s.area, s.came, s.jgpt,
                    s.cnpt, s.mspt, s.stgi);
  }

  static constexpr void layout(auto& v, auto& s) {
    v.magic("RKMD");
    v(Key("length").placement().doc("length of the file; not read by the game").unit("bytes"), s.length);
    v.count(u16{}, Key("section_count"), s.sections);
    v.derive(s.header_size, (s.version ? 16 : 12) + 4 * s.sections.size());
    v(Key("header_size").placement().doc("size of the header; section offsets count from its end").unit("bytes"),
      s.header_size);
    v.require(s.header_size >= 12 + 4 * s.sections.size(), "a header with room for the offsets of all sections");
    const u64 base = s.header_size, table = base - 4 * s.sections.size();
    v.there(table - 4, [&] {
      v.maybe(table > 12, Key("version").doc("not stored in the oldest files").words(k_versions), s.version);
    });
    v.version(s.version.value_or(0));
    v.there(table, [&] {
      v.each("sections", s.sections, [&](auto& slot) {
        v(Key("offset").placement().doc("offset of the section, from the end of the header").unit("bytes"),
          slot.offset);
      });
    });
    Extents extents;
    v.each("sections", s.sections, [&](auto& slot) {
      v.infer("name", slot.name, [&] { return peek_section_name(v, base + slot.offset); });
      v.infer(Key("entry_size")
                  .doc("present only if the section's extent implies a different entry size than the version")
                  .unit("bytes"),
              slot.entry_size, [&] { return infer_entry_size(v, s, slot, extents); });
    });
    SeenSections taken{};
    for (size_t i = 0; i < s.sections.size(); ++i) {
      auto& slot = s.sections[i];
      if (slot.name) v.at(base, to(slot.offset).align(4), [&] { visit_section(v, s, i, taken, extents); });
    }
    v.derive(s.length, v.total());
  }

  /// A truncated file has table entries that point past its end. In a file of this size, they would point to other
  /// data.
  std::optional<Diagnostic> data_loss_error(u64 size) const;
  /// Drops these table entries.
  void lose();
  /// Makes table and sections agree before placing: adds entries for sections without one, and removes entries without
  /// a section.
  void settle();
  /// Puts the 15 sections in their usual order, followed by all others. For `--canonical`.
  void normalise();

  /// Old entry sizes are known from few files, so the extent of a section decides.
  struct TwoSizes {
    FourCc name;
    u32 since;
    u16 before, after;
  };
  static constexpr TwoSizes k_two_sizes[] = {{fourcc("KTPT"), k_start_player, 0x18, 0x1C},
                                             {fourcc("ENPT"), k_point_settings, 0x0C, 0x14},
                                             {fourcc("AREA"), k_route_in_area, 0x2C, 0x30},
                                             {fourcc("CAME"), k_camera_time, 0x44, 0x48},
                                             {fourcc("STGI"), k_flare_alpha, 0x08, 0x0C}};
  /// The version whose layout the entries of a section have.
  static constexpr u32 entry_version(const Slot& slot, u32 version) {
    if (slot.entry_size)
      for (const TwoSizes& t : k_two_sizes)
        if (*slot.name == t.name)
          return *slot.entry_size == t.after ? std::max(version, t.since) : std::min(version, t.since - 1);
    return *slot.name == fourcc("KTPT") ? std::max(version, k_start_player)
                                        : version;  // 0x18 follows only from its extent
  }

 private:
  static std::optional<FourCc> peek_section_name(auto& v, u64 position) {
    std::optional<FourCc> name;
    if (position + 4 <= v.total()) v.there(position, [&] { name = v.template peek<FourCc>(); });
    return name;
  }
  /// Bytes up to the next section or the end of the file.
  struct Extents {
    std::vector<u32> offsets;  // sorted on first use
    u64 bytes_until_next_section(u64 end, const auto& s, const Slot& slot) {
      if (offsets.empty()) {
        for (const Slot& x : s.sections) offsets.push_back(x.offset);
        sort_stably(offsets);
      }
      end -= std::min<u64>(end, s.header_size);
      const auto next = std::upper_bound(offsets.begin(), offsets.end(), slot.offset);
      if (next != offsets.end()) end = std::min<u64>(end, *next);
      return end > slot.offset ? end - slot.offset : 0;
    }
  };
  static std::optional<u16> infer_entry_size(auto& v, const auto& s, const Slot& slot, Extents& extents) {
    if (!slot.name) return {};
    for (const TwoSizes& t : k_two_sizes) {
      if (!(*slot.name == t.name)) continue;
      const bool uncounted = *slot.name == fourcc("KTPT");
      if (uncounted && v.since(k_start_count)) return {};
      const u64 bytes = extents.bytes_until_next_section(v.total(), s, slot) + (uncounted ? 4 : 0);
      u16 count = uncounted;
      if (bytes >= 8 && !uncounted) v.there(s.header_size + slot.offset + 4, [&] { count = v.template peek<u16>(); });
      if (bytes < 8 || !count || (bytes - 8) % count) return {};
      const u64 size = (bytes - 8) / count;
      const u16 by_version = uncounted || v.since(t.since) ? t.after : t.before;
      if (size != by_version && (size == t.before || size == t.after)) return u16(size);
    }
    return {};
  }
  /// The game uses the first section with a name; later ones are kept as bytes.
  using SeenSections = std::array<bool, 15>;
  static constexpr void visit_section(auto& v, auto& s, size_t i, SeenSections& taken, Extents& extents) {
    auto& slot = s.sections[i];
    const auto rest = [&] { return extents.bytes_until_next_section(v.total(), s, slot); };
    bool done = false;
    size_t kind = 0;
    const auto try_section_type = [&](auto& x) {
      using S = typename std::remove_cvref_t<decltype(x)>::value_type;
      const size_t k = kind++;
      if (done || !(*slot.name == fourcc(S::k_name)) || taken[k]) return;
      done = taken[k] = true;
      v.with_version(entry_version(slot, v.version()),
                     [&] { v.or_raw(S::k_name, x, true, Element{"sections", i}, slot.raw, rest); });
    };
    std::apply([&](auto&... x) { (try_section_type(x), ...); }, typed(s));
    if (!done) {
      std::optional<Group> none;
      v.or_raw("", none, false, Element{"sections", i}, slot.raw, rest);
    }
  }
};

static_assert(FixedSize<StartPoint> && wire_size<StartPoint>(k_final) == 0x1C);
static_assert(FixedSize<EnemyPoint> && wire_size<EnemyPoint>(k_final) == 0x14 && wire_size<EnemyPoint>(0) == 0x0C);
static_assert(FixedSize<ItemPoint> && wire_size<ItemPoint>(k_final) == 0x14);
static_assert(FixedSize<Group> && wire_size<Group>(k_final) == 0x10);
static_assert(FixedSize<CheckPoint> && wire_size<CheckPoint>(k_final) == 0x14);
static_assert(FixedSize<Object> && wire_size<Object>(k_final) == 0x3C);
static_assert(FixedSize<RoutePoint> && wire_size<RoutePoint>(k_final) == 0x10);
static_assert(FixedSize<Area> && wire_size<Area>(k_final) == 0x30 && wire_size<Area>(1600) == 0x2C);
static_assert(FixedSize<Camera> && wire_size<Camera>(k_final) == 0x48 && wire_size<Camera>(1600) == 0x44);
static_assert(FixedSize<Respawn> && wire_size<Respawn>(k_final) == 0x1C);
static_assert(FixedSize<Cannon> && wire_size<Cannon>(k_final) == 0x1C);
static_assert(FixedSize<EndPoint> && wire_size<EndPoint>(k_final) == 0x1C);
static_assert(FixedSize<Stage> && wire_size<Stage>(k_final) == 0x0C && wire_size<Stage>(1600) == 0x08);

}  // namespace dio::kmp
