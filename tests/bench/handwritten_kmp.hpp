// handwritten_kmp.hpp: the rival: a KMP reader and writer of version 2520 as one writes them by hand, every structure
// spelled out three times, bounds checked per section. It knows no positions, no JSON, no old versions, no odd files.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace handwritten {

using Bytes = std::vector<std::uint8_t>;

struct Vec3 {
  float x, y, z;
};
struct Vec2 {
  float x, z;
};
struct Start {
  Vec3 position, rotation;
  std::int16_t player;
  std::uint16_t pad;
};
struct EnemyPoint {
  Vec3 position;
  float deviation;
  std::uint16_t mode;
  std::uint8_t drift, flags;
};
struct ItemPoint {
  Vec3 position;
  float range;
  std::uint16_t height, flags;
};
struct Group {
  std::uint8_t first, count, previous[6], next[6], dispatch[2];
};
struct CheckPoint {
  Vec2 left, right;
  std::uint8_t respawn;
  std::int8_t type;
  std::uint8_t previous, next;
};
struct Object {
  std::uint16_t id, reference;
  Vec3 position, rotation, scale;
  std::uint16_t route, settings[8], presence;
};
struct RoutePoint {
  Vec3 position;
  std::uint16_t speed, extra;
};
struct Route {
  std::uint8_t smooth, back_and_forth;
  std::vector<RoutePoint> points;
};
struct Area {
  std::uint8_t shape, type, camera, priority;
  Vec3 position, rotation, scale;
  std::uint16_t setting_1, setting_2;
  std::uint8_t route, enemy_point;
  std::uint16_t pad;
};
struct Camera {
  std::uint8_t type, next, shake, route;
  std::uint16_t route_speed, zoom_speed, view_speed;
  std::uint8_t start, movie;
  Vec3 position, rotation;
  float zoom_begin, zoom_end;
  Vec3 view_begin, view_end;
  float time;
};
struct Pose {
  Vec3 position, rotation;
  std::uint16_t id, extra;
};
struct Stage {
  std::uint8_t laps, pole, spacing, flare_flash;
  std::uint32_t flare_color;
  std::uint8_t flare_alpha, pad;
  std::uint16_t speed_modifier;
};

struct Course {
  std::uint32_t version = 0;
  std::vector<Start> ktpt;
  std::vector<EnemyPoint> enpt;
  std::vector<Group> enph, itph, ckph;
  std::vector<ItemPoint> itpt;
  std::vector<CheckPoint> ckpt;
  std::vector<Object> gobj;
  std::vector<Route> poti;
  std::vector<Area> area;
  std::vector<Camera> came;
  std::vector<Pose> jgpt, cnpt, mspt;
  std::vector<Stage> stgi;
  std::uint16_t came_extra = 0;
};

struct In {
  const std::uint8_t* p;
  void get(std::uint8_t& x) { x = *p++; }
  void get(std::int8_t& x) { x = static_cast<std::int8_t>(*p++); }
  void get(std::uint16_t& x) {
    std::memcpy(&x, p, 2);
    x = __builtin_bswap16(x);
    p += 2;
  }
  void get(std::int16_t& x) {
    std::uint16_t u;
    get(u);
    x = static_cast<std::int16_t>(u);
  }
  void get(std::uint32_t& x) {
    std::memcpy(&x, p, 4);
    x = __builtin_bswap32(x);
    p += 4;
  }
  void get(float& x) {
    std::uint32_t u;
    get(u);
    x = std::bit_cast<float>(u);
  }
  void get(Vec3& v) {
    get(v.x);
    get(v.y);
    get(v.z);
  }
  void get(Vec2& v) {
    get(v.x);
    get(v.z);
  }
  void get(Start& s) {
    get(s.position);
    get(s.rotation);
    get(s.player);
    get(s.pad);
  }
  void get(EnemyPoint& s) {
    get(s.position);
    get(s.deviation);
    get(s.mode);
    get(s.drift);
    get(s.flags);
  }
  void get(ItemPoint& s) {
    get(s.position);
    get(s.range);
    get(s.height);
    get(s.flags);
  }
  void get(Group& s) {
    std::memcpy(&s, p, 16);
    p += 16;
  }
  void get(CheckPoint& s) {
    get(s.left);
    get(s.right);
    get(s.respawn);
    get(s.type);
    get(s.previous);
    get(s.next);
  }
  void get(Object& s) {
    get(s.id);
    get(s.reference);
    get(s.position);
    get(s.rotation);
    get(s.scale);
    get(s.route);
    for (auto& x : s.settings) get(x);
    get(s.presence);
  }
  void get(RoutePoint& s) {
    get(s.position);
    get(s.speed);
    get(s.extra);
  }
  void get(Area& s) {
    get(s.shape);
    get(s.type);
    get(s.camera);
    get(s.priority);
    get(s.position);
    get(s.rotation);
    get(s.scale);
    get(s.setting_1);
    get(s.setting_2);
    get(s.route);
    get(s.enemy_point);
    get(s.pad);
  }
  void get(Camera& s) {
    get(s.type);
    get(s.next);
    get(s.shake);
    get(s.route);
    get(s.route_speed);
    get(s.zoom_speed);
    get(s.view_speed);
    get(s.start);
    get(s.movie);
    get(s.position);
    get(s.rotation);
    get(s.zoom_begin);
    get(s.zoom_end);
    get(s.view_begin);
    get(s.view_end);
    get(s.time);
  }
  void get(Pose& s) {
    get(s.position);
    get(s.rotation);
    get(s.id);
    get(s.extra);
  }
  void get(Stage& s) {
    get(s.laps);
    get(s.pole);
    get(s.spacing);
    get(s.flare_flash);
    get(s.flare_color);
    get(s.flare_alpha);
    get(s.pad);
    get(s.speed_modifier);
  }
};

inline std::optional<Course> read(const Bytes& b) {
  if (b.size() < 16 || std::memcmp(b.data(), "RKMD", 4)) return {};
  Course c;
  In in{b.data() + 8};
  std::uint16_t sections, header;
  in.get(sections);
  in.get(header);
  in.get(c.version);
  if (b.size() < 16u + 4u * sections || header > b.size()) return {};
  const auto plain = [&](In& s, auto& list, std::size_t size, std::uint16_t count, const std::uint8_t* end) {
    if (static_cast<std::size_t>(end - s.p) < size * count) return false;
    list.resize(count);
    for (auto& x : list) s.get(x);
    return true;
  };
  for (unsigned i = 0; i < sections; ++i) {
    std::uint32_t offset;
    in.get(offset);
    const std::size_t start = std::size_t(header) + offset;
    if (start + 8 > b.size()) return {};
    const std::uint8_t* end = b.data() + b.size();
    In s{b.data() + start + 4};
    std::uint16_t count, extra;
    s.get(count);
    s.get(extra);
    const char* m = reinterpret_cast<const char*>(b.data()) + start;
    bool ok = true;
    if (!std::memcmp(m, "KTPT", 4))
      ok = plain(s, c.ktpt, 28, count, end);
    else if (!std::memcmp(m, "ENPT", 4))
      ok = plain(s, c.enpt, 20, count, end);
    else if (!std::memcmp(m, "ENPH", 4))
      ok = plain(s, c.enph, 16, count, end);
    else if (!std::memcmp(m, "ITPT", 4))
      ok = plain(s, c.itpt, 20, count, end);
    else if (!std::memcmp(m, "ITPH", 4))
      ok = plain(s, c.itph, 16, count, end);
    else if (!std::memcmp(m, "CKPT", 4))
      ok = plain(s, c.ckpt, 20, count, end);
    else if (!std::memcmp(m, "CKPH", 4))
      ok = plain(s, c.ckph, 16, count, end);
    else if (!std::memcmp(m, "GOBJ", 4))
      ok = plain(s, c.gobj, 60, count, end);
    else if (!std::memcmp(m, "AREA", 4))
      ok = plain(s, c.area, 48, count, end);
    else if (!std::memcmp(m, "CAME", 4)) {
      c.came_extra = extra;
      ok = plain(s, c.came, 72, count, end);
    } else if (!std::memcmp(m, "JGPT", 4))
      ok = plain(s, c.jgpt, 28, count, end);
    else if (!std::memcmp(m, "CNPT", 4))
      ok = plain(s, c.cnpt, 28, count, end);
    else if (!std::memcmp(m, "MSPT", 4))
      ok = plain(s, c.mspt, 28, count, end);
    else if (!std::memcmp(m, "STGI", 4))
      ok = plain(s, c.stgi, 12, count, end);
    else if (!std::memcmp(m, "POTI", 4)) {
      c.poti.resize(count);
      for (auto& r : c.poti) {
        if (end - s.p < 4) return {};
        std::uint16_t n;
        s.get(n);
        s.get(r.smooth);
        s.get(r.back_and_forth);
        if (!plain(s, r.points, 16, n, end)) return {};
      }
    }
    if (!ok) return {};
  }
  return c;
}

struct Out {
  Bytes b;
  void put(std::uint8_t x) { b.push_back(x); }
  void put(std::int8_t x) { b.push_back(static_cast<std::uint8_t>(x)); }
  void put(std::uint16_t x) {
    x = __builtin_bswap16(x);
    add(&x, 2);
  }
  void put(std::int16_t x) { put(static_cast<std::uint16_t>(x)); }
  void put(std::uint32_t x) {
    x = __builtin_bswap32(x);
    add(&x, 4);
  }
  void put(float x) { put(std::bit_cast<std::uint32_t>(x)); }
  void put(const Vec3& v) {
    put(v.x);
    put(v.y);
    put(v.z);
  }
  void put(const Vec2& v) {
    put(v.x);
    put(v.z);
  }
  void put(const Start& s) {
    put(s.position);
    put(s.rotation);
    put(s.player);
    put(s.pad);
  }
  void put(const EnemyPoint& s) {
    put(s.position);
    put(s.deviation);
    put(s.mode);
    put(s.drift);
    put(s.flags);
  }
  void put(const ItemPoint& s) {
    put(s.position);
    put(s.range);
    put(s.height);
    put(s.flags);
  }
  void put(const Group& s) { add(&s, 16); }
  void put(const CheckPoint& s) {
    put(s.left);
    put(s.right);
    put(s.respawn);
    put(s.type);
    put(s.previous);
    put(s.next);
  }
  void put(const Object& s) {
    put(s.id);
    put(s.reference);
    put(s.position);
    put(s.rotation);
    put(s.scale);
    put(s.route);
    for (auto x : s.settings) put(x);
    put(s.presence);
  }
  void put(const RoutePoint& s) {
    put(s.position);
    put(s.speed);
    put(s.extra);
  }
  void put(const Route& s) {
    put(static_cast<std::uint16_t>(s.points.size()));
    put(s.smooth);
    put(s.back_and_forth);
    for (auto& x : s.points) put(x);
  }
  void put(const Area& s) {
    put(s.shape);
    put(s.type);
    put(s.camera);
    put(s.priority);
    put(s.position);
    put(s.rotation);
    put(s.scale);
    put(s.setting_1);
    put(s.setting_2);
    put(s.route);
    put(s.enemy_point);
    put(s.pad);
  }
  void put(const Camera& s) {
    put(s.type);
    put(s.next);
    put(s.shake);
    put(s.route);
    put(s.route_speed);
    put(s.zoom_speed);
    put(s.view_speed);
    put(s.start);
    put(s.movie);
    put(s.position);
    put(s.rotation);
    put(s.zoom_begin);
    put(s.zoom_end);
    put(s.view_begin);
    put(s.view_end);
    put(s.time);
  }
  void put(const Pose& s) {
    put(s.position);
    put(s.rotation);
    put(s.id);
    put(s.extra);
  }
  void put(const Stage& s) {
    put(s.laps);
    put(s.pole);
    put(s.spacing);
    put(s.flare_flash);
    put(s.flare_color);
    put(s.flare_alpha);
    put(s.pad);
    put(s.speed_modifier);
  }
  void add(const void* x, std::size_t n) {
    auto p = static_cast<const std::uint8_t*>(x);
    b.insert(b.end(), p, p + n);
  }
  void set32(std::size_t at, std::uint32_t x) {
    x = __builtin_bswap32(x);
    std::memcpy(&b[at], &x, 4);
  }
};

inline Bytes write(const Course& c, std::size_t size_hint) {
  Out o;
  o.b.reserve(size_hint);
  o.add("RKMD", 4);
  o.put(std::uint32_t(0));
  o.put(std::uint16_t(15));
  o.put(std::uint16_t(0x4C));
  o.put(c.version);
  for (int i = 0; i < 15; ++i) o.put(std::uint32_t(0));
  unsigned n = 0;
  const auto section = [&](const char* name, const auto& list, std::uint16_t extra) {
    o.set32(0x10 + 4 * n++, static_cast<std::uint32_t>(o.b.size() - 0x4C));
    o.add(name, 4);
    o.put(static_cast<std::uint16_t>(list.size()));
    o.put(extra);
    for (auto& x : list) o.put(x);
  };
  std::uint16_t points = 0;
  for (auto& r : c.poti) points = static_cast<std::uint16_t>(points + r.points.size());
  section("KTPT", c.ktpt, 0);
  section("ENPT", c.enpt, 0);
  section("ENPH", c.enph, 0);
  section("ITPT", c.itpt, 0);
  section("ITPH", c.itph, 0);
  section("CKPT", c.ckpt, 0);
  section("CKPH", c.ckph, 0);
  section("GOBJ", c.gobj, 0);
  section("POTI", c.poti, points);
  section("AREA", c.area, 0);
  section("CAME", c.came, c.came_extra);
  section("JGPT", c.jgpt, 0);
  section("CNPT", c.cnpt, 0);
  section("MSPT", c.mspt, 0);
  section("STGI", c.stgi, 0);
  o.set32(4, static_cast<std::uint32_t>(o.b.size()));
  return std::move(o.b);
}

}  // namespace handwritten
