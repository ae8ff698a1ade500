// Thousands of random Platinum tables: each round-trips byte for byte, directly and through JSON, keeps every offset in
// a canonical save, and is recognized by its path. DIORAMA_SEED=n sets the first seed, DIORAMA_FILES=n the number of
// files per kind.
#include <gtest/gtest.h>

#include <random>

#include "core/json.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "invented/laws.hpp"
#include "operations/operations.hpp"
#include "samples/nitro/parts.hpp"
#include "samples/platinum/table_parts.hpp"

namespace dio::test {
namespace {

using namespace platinum;

/// Documents with arbitrary valid field values.
class Generator {
 public:
  explicit Generator(u64 seed) : random_(seed) {}

  Bytes file(std::string_view format) {
    if (format == "map-headers") return made(MapHeaders{list<MapHeader>(40, [&] { return header(); })});
    if (format == "map-headers-dp") return made(MapHeadersDp{list<MapHeaderDp>(40, [&] { return header_dp(); })});
    if (format == "map-headers-hgss")
      return made(MapHeadersHgss{list<MapHeaderHgss>(40, [&] { return header_hgss(); })});
    if (format == "arm9") return program();
    if (format == "map-names") return made(MapNames{list<MapName>(40, [&] { return MapName{text(16)}; })});
    if (format == "map-matrix") return made(matrix());
    if (format == "area-data") return made(AreaData{n16(), n16(), n16(), n16()});
    if (format == "area-data-hgss") return made(AreaDataHgss{n16(), n16(), n16(), n8(), n8()});
    if (format == "area-build") return made(AreaBuild{list<u16>(200, [&] { return n16(); })});
    if (format == "area-light") return made(light());
    if (format == "mm-list") return made(objects());
    if (format == "bm-anime-hgss")
      return made(BmAnimeListHgss{n8(), n8(), n8(), n8(), n8(), n8(), n8(), n8(), {i32(n32()), -1, i32(n32()), 5}});
    if (format == "bm-anime-list") return made(BmAnimeList{n8(), n8(), n8(), n8(), {i32(n32()), -1, i32(n32()), 5}});
    if (format == "matshp")
      return made(Matshp{list<DrawRange>(40, [&] { return DrawRange{n16(), n16()}; }),
                         list<Draw>(90, [&] { return Draw{n16(), n16()}; })});
    if (format == "fldtanime") return made(Fldtanime{list<TextureAnime>(9, [&] { return texture(); })});
    if (format == "zone-event") return made(events());
    return {};
  }

 private:
  std::mt19937_64 random_;
  u64 below(u64 n) { return random_() % n; }
  u8 n8() { return u8(random_()); }
  u16 n16() { return u16(random_()); }
  u32 n32() { return u32(random_()); }
  /// A small value, a large one, or a limit.
  i32 whole() {
    constexpr i32 k_edges[] = {0, -1, 1, 31, 4096, -4096, INT32_MAX, INT32_MIN, 10, -10};
    return below(3) ? i32(below(200)) - 100 : below(2) ? k_edges[below(std::size(k_edges))] : i32(n32());
  }
  template <class T, class F>
  std::vector<T> list(u64 most, F make) {
    std::vector<T> v;
    for (u64 n = below(most + 1); n > 0; --n) v.push_back(make());
    return v;
  }
  std::string text(u64 most) {
    std::string s;
    for (u64 n = below(most + 1); n > 0; --n) s += char('0' + below(70));
    return s;
  }
  template <class T>
  static Bytes made(const T& file) {
    return make::bytes_of(file);
  }
  MapHeader header() {
    MapHeader h = make::header(n8(), n16(), u8(below(128)));
    h.weather = n8(), h.camera_type = n8(), h.map_label_window_id = n8(), h.battle_bg = u8(below(32));
    h.is_bike_allowed = u8(below(2)), h.is_running_allowed = u8(below(2));
    h.is_escape_rope_allowed = u8(below(2)), h.is_fly_allowed = u8(below(2));
    return h;
  }
  MapHeaderDp header_dp() {
    return {n8(),  n8(),  n16(), n16(), n16(), n16(), n16(),         n16(),
            n16(), n16(), n16(), n8(),  n8(),  n8(),  u8(below(16)), u8(below(16))};
  }
  MapHeaderHgss header_hgss() {
    MapHeaderHgss h{};
    h.wild_encounters_archive_id = n8(), h.area_data_archive_id = n8();
    h.unk_2 = u8(below(16)), h.world_x = u8(below(64)), h.world_y = u8(below(64));
    h.map_matrix_id = n16(), h.day_music_id = n16(), h.events_archive_id = n16();
    h.area_icon = u8(below(16)), h.mom_call = u8(below(16));
    h.is_kanto = u8(below(2)), h.weather = u8(below(128)), h.map_type = u8(below(16)), h.camera_type = u8(below(64));
    h.follow_mode = u8(below(4)), h.battle_bg = u8(below(32)), h.flags = u8(below(128));
    return h;
  }
  Bytes program() {
    Arm9 f = make::program();
    f.before.resize(4 * below(200));
    for (u8& b : f.before) b = n8();
    f.after.resize(below(500));
    for (u8& b : f.after) b = n8();
    for (u64 more = below(20); more > 0; --more) f.headers.push_back(make::header(n8(), u16(below(900)), u8(below(7))));
    f.header_count = f.headers.size();
    return made(f);
  }
  MapMatrix matrix() {
    MapMatrix f{};
    const u64 width = 1 + below(12), height = 1 + below(12);
    const auto rows = [&](u64 most) {
      Rows<u16> all(height, std::vector<u16>(width));
      for (auto& row : all)
        for (u16& cell : row) cell = u16(below(most));
      return all;
    };
    f.model_name_prefix = text(16);
    if (below(2)) f.map_header_ids = rows(0x10000), f.has_map_header_ids = u8(1 + below(255));
    if (below(2)) f.altitudes = rows(0x100), f.has_altitudes = u8(1 + below(255));
    f.land_data_ids = rows(0x10000);
    return f;
  }
  AreaLight light() {
    LightBlocks f;
    const auto color = [&] { return LightColor{whole(), whole(), whole()}; };
    const auto line = [&] { return LightLine{i32(below(2)), whole(), whole(), whole(), whole(), whole(), whole()}; };
    for (u64 n = 1 + below(15); n > 0; --n)
      f.blocks.push_back({whole(), {line(), line(), line(), line()}, color(), color(), color(), color()});
    f.ending = below(2) ? "\r\n" : text(3);
    return {f, {}};
  }
  MmList objects() {
    MmList f{list<u16>(30, [&] { return u16(below(k_end_of_objects)); })};
    f.sprite_ids.push_back(k_end_of_objects);
    return f;
  }
  TextureAnime texture() {
    TextureAnime t{text(16), {}};
    for (TextureFrame& f : t.frames) f = {n8(), n8()};
    return t;
  }
  ZoneEvent events() {
    return {list<BgEvent>(9, [&] { return BgEvent{n16(), n16(), whole(), whole(), whole(), n16(), n16()}; }),
            list<ObjectEvent>(9,
                              [&] {
                                return ObjectEvent{n16(),      n16(),      n16(),      n16(),
                                                   n16(),      n16(),      i16(n16()), {n16(), n16(), n16()},
                                                   i16(n16()), i16(n16()), n16(),      n16(),
                                                   {whole()}};
                              }),
            list<WarpEvent>(9, [&] { return WarpEvent{n16(), n16(), n16(), n16(), n32()}; }),
            list<CoordEvent>(9, [&] { return CoordEvent{n16(), n16(), n16(), n16(), n16(), n16(), n16(), n16()}; })};
  }
};

constexpr const char* k_kinds[] = {"map-headers",   "map-headers-dp", "map-headers-hgss", "arm9",
                                   "map-names",     "map-matrix",     "area-data",        "area-data-hgss",
                                   "area-build",    "area-light",     "bm-anime-hgss",    "mm-list",
                                   "bm-anime-list", "matshp",         "fldtanime",        "zone-event"};

class GeneratedTables : public testing::TestWithParam<const char*> {
 protected:
  const Format& format() const { return *find_format(GetParam()); }
  template <class F>
  void each_file(u64 files, F f) {
    each_seed(files, [&](u64 seed) {
      auto o = open(Generator(seed).file(GetParam()), "generated", &format());
      ASSERT_TRUE(o) << format_one_line(o.error());
      f(*o);
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, GeneratedTables, testing::ValuesIn(k_kinds), [](const auto& p) {
  std::string name = p.param;
  std::erase(name, '-');
  return name;
});

TEST_P(GeneratedTables, RoundTripsByteForByte) {
  u64 n = 0;
  each_file(200, [&](const OpenedFile& o) {
    EXPECT_TRUE(o.notes.empty()) << format_one_line(o.notes.front());
    const RoundTripResult v = verify(o, json::round_trip_as_json());
    ASSERT_TRUE(v.identical()) << v.problem << as_hex(o.bytes);
    const TraceResult t = format().trace(o.bytes, {});
    ASSERT_FALSE(t.stop) << format_one_line(*t.stop);
    ASSERT_EQ(broken_law(t.spans, n++ % 10 == 0), "");
  });
}

TEST_P(GeneratedTables, CanonicalSaveKeepsEveryOffset) {
  each_file(200, [&](const OpenedFile& o) {
    const auto again = o.document->save({.canonical = true});
    ASSERT_TRUE(again) << format_one_line(again.error());
    ASSERT_EQ(as_hex(*again), as_hex(o.bytes));
    // as if edited by hand: there is no digest to compare
    Value v = decode(o);
    std::erase_if(v.members(), [](const Value::Member& m) { return m.first == "digest"; });
    const auto encoded = encode(v);
    ASSERT_TRUE(encoded) << format_one_line(encoded.error());
    ASSERT_EQ(as_hex(*encoded), as_hex(o.bytes));
  });
}

}  // namespace
}  // namespace dio::test
