// terrain.cpp: changes the terrain, and the floor with it.
#include <algorithm>
#include <vector>

#include "formats/contract/reporter.hpp"
#include "formats/fft/edit/edits.hpp"
#include "formats/fft/scene/slopes.hpp"

namespace dio::fft {

namespace {

/// A rectangle of tiles of one level.
struct Rectangle {
  Arguments::Range<i64> x, z;
  u32 level;
  i64 size() const { return (x.to - x.from + 1) * (z.to - z.from + 1); }
  bool has(const TileBinding& t) const {
    return t.level == level && x.from <= t.x && t.x <= x.to && z.from <= t.z && t.z <= z.to;
  }
};

Rectangle rectangle_of(const Terrain& t, Arguments& a) {
  Rectangle r{a.wholes("x", 0, i64(t.size_x) - 1), a.wholes("z", 0, i64(t.size_z) - 1), 0};
  if (a.has("level")) r.level = u32(a.whole("level", 0, i64(Terrain::k_levels) - 1));
  if (!a.problem && !Terrain::tile(t, r.level, u32(r.x.to), u32(r.z.to)))
    refuse_argument(a, text("the file has no tiles ", r.x.to, ",", r.z.to, " on level ", r.level,
                            ": it holds 512 tiles, and the map has more than 256 on a level"));
  return r;
}

/// How the floor follows the terrain: vertices at a corner of the tile that their polygon is bound to, on its ground or
/// on the surface of its liquid, move with that corner. All others stay where they are, and so do walls.
struct Floor {
  u64 polygons = 0, corners = 0, others = 0;  // that followed; vertices of the same polygons that did not
  u64 kept_normals = 0;                       // polygons that keep their normals

  template <size_t N>
  void follow(Textured<N>& p, const TerrainTile& before, const TerrainTile& after) {
    const auto was = p.positions;
    const auto ground = corner_positions(before, p.tile.x, p.tile.z),
               ground_now = corner_positions(after, p.tile.x, p.tile.z),
               liquid = corner_positions(before, p.tile.x, p.tile.z, before.depth),
               liquid_now = corner_positions(after, p.tile.x, p.tile.z, after.depth);
    u64 moved = 0;
    for (Position& c : p.positions) {
      bool is_floor = false;
      for (size_t i = 0; i < ground.size() && !is_floor; ++i) {
        if (c.x != ground[i][0] || c.z != ground[i][2]) continue;
        if (c.y == ground[i][1])
          c.y = i16(ground_now[i][1]), is_floor = true;
        else if (c.y == liquid[i][1])
          c.y = i16(liquid_now[i][1]), is_floor = true;
      }
      moved += is_floor;
    }
    if (p.positions == was) return;
    ++polygons;
    corners += moved;
    others += N - moved;
    kept_normals += !turn_normals(p, was);
  }
  std::string told() const {
    const auto vertices = [](u64 n) { return n == 1 ? std::string("1 vertex") : text(n, " vertices"); };
    std::string out =
        text("; ", counted(polygons, "polygon"), polygons == 1 ? " follows" : " follow", " with ", vertices(corners));
    if (others)
      out +=
          text("; ", vertices(others), " of the same polygons ", others == 1 ? "stays" : "stay", ", not on the floor");
    if (kept_normals)
      out += text("; ", counted(kept_normals, "polygon"), kept_normals == 1 ? " keeps its" : " keep their",
                  " smoothed normals");
    return out;
  }
};

constexpr Word k_floor_words[] = {{0, "stay"}, {1, "follow"}};
constexpr Words k_floor{k_floor_words};

/// Changes the tiles of a rectangle: `change` gets the tile and its x and z.
Done change_tiles(Mesh& file, Arguments& a, const Rectangle& r, auto&& change) {
  const bool follows = a.has("floor") && a.word("floor", k_floor, 1) == 1;
  if (!a.done()) return refusal(a);
  Terrain& t = *file.terrain;
  const Terrain before = t;
  u64 changed = 0;
  for (i64 z = r.z.from; z <= r.z.to; ++z)
    for (i64 x = r.x.from; x <= r.x.to; ++x) {
      TerrainTile& tile = *Terrain::tile(t, r.level, u32(x), u32(z));
      const TerrainTile was = tile;
      if (auto problem = change(tile, x, z)) return refuse(std::move(*problem));
      changed += tile != was;
    }
  std::string done = text(changed, " of ", counted(u64(r.size()), "tile"), " changed");
  if (!follows) return done;
  Floor floor;
  if (file.primary) {
    const auto follow = [&](auto& polygons) {
      for (auto& p : polygons)
        if (r.has(p.tile))
          floor.follow(p, *Terrain::tile(before, r.level, p.tile.x, p.tile.z),
                       *Terrain::tile(t, r.level, p.tile.x, p.tile.z));
    };
    follow(file.primary->textured_triangles);
    follow(file.primary->textured_quads);
  }
  return done + floor.told();
}

}  // namespace

Done set_tiles(Mesh& file, Arguments a) {
  if (!file.terrain) return missing("terrain");
  const Rectangle r = rectangle_of(*file.terrain, a);
  std::vector<std::pair<u8 TerrainTile::*, u8>> numbers;
  std::vector<std::pair<bool TerrainTile::*, bool>> flags;
  const auto number = [&](std::string_view name, u8 TerrainTile::* field, i64 high) {
    if (a.has(name)) numbers.push_back({field, u8(a.whole(name, 0, high))});
  };
  const auto word = [&](std::string_view name, u8 TerrainTile::* field, const Words& words, i64 high) {
    if (a.has(name)) numbers.push_back({field, u8(a.word(name, words, high))});
  };
  const auto flag = [&](std::string_view name, bool TerrainTile::* field) {
    if (a.has(name)) flags.push_back({field, a.word(name, k_yes, 1) == 1});
  };
  number("height", &TerrainTile::height, 255);
  number("depth", &TerrainTile::depth, 7);
  word("slope", &TerrainTile::slope, k_slopes, 255);
  number("slope-height", &TerrainTile::slope_height, 31);
  word("surface", &TerrainTile::surface, k_surfaces, 63);
  number("shading", &TerrainTile::shading, 3);
  number("thickness", &TerrainTile::thickness, 31);
  flag("absent", &TerrainTile::absent);
  flag("untargetable", &TerrainTile::untargetable);
  flag("pass-only", &TerrainTile::pass_only);
  word("cameras", &TerrainTile::cameras, k_cameras, 255);
  return change_tiles(file, a, r, [&](TerrainTile& tile, i64, i64) -> std::optional<Diagnostic> {
    if (numbers.empty() && flags.empty())
      return make_diagnostic("edit.argument", {},
                             {.message = "nothing to set", .hint = "give height=..., surface=... or another field"});
    for (const auto& [field, value] : numbers) tile.*field = value;
    for (const auto& [field, value] : flags) tile.*field = value;
    return {};
  });
}

Done raise_tiles(Mesh& file, Arguments a) {
  if (!file.terrain) return missing("terrain");
  const Rectangle r = rectangle_of(*file.terrain, a);
  const i64 by = a.whole("by", -255, 255);
  return change_tiles(file, a, r, [&](TerrainTile& tile, i64 x, i64 z) -> std::optional<Diagnostic> {
    const i64 height = tile.height + by;
    if (height < 0 || height > 255)
      return make_diagnostic(
          "edit.argument", {},
          {.message = text("tile ", x, ",", z, " would have height ", height, "; must be 0 to 255")});
    tile.height = u8(height);
    return {};
  });
}

Done resize_terrain(Mesh& file, Arguments a) {
  if (!file.terrain) return missing("terrain");
  Terrain& t = *file.terrain;
  const i64 x = a.whole("x", 1, 255), z = a.whole("z", 1, 255);
  if (!a.done()) return refusal(a);
  if (x * z > i64(Terrain::k_tiles) || t.size_x * t.size_z > i64(Terrain::k_tiles))
    return refusal(text("the terrain would change from ", t.size_x * t.size_z, " to ", x * z, " tiles; at most ",
                        Terrain::k_tiles, " are possible before and after"));
  const Terrain before = t;
  t.size_x = u8(x), t.size_z = u8(z);
  TerrainTile none{};
  none.absent = true;
  u64 added = 0;
  for (u32 level = 0; level < Terrain::k_levels; ++level)
    for (u32 row = 0; row < u32(z); ++row)
      for (u32 column = 0; column < u32(x); ++column) {
        const TerrainTile* was = Terrain::tile(before, level, column, row);
        *Terrain::tile(t, level, column, row) = was ? *was : none;
        added += !was;
      }
  u64 outside = 0;
  each_polygon(file, [&](const PolygonRef&, const auto& p) {
    if constexpr (k_is_textured<decltype(p)>) outside += !p.tile.is_none() && (p.tile.x >= x || p.tile.z >= z);
  });
  std::string done = text("the terrain now has ", x, " x ", z, " tiles (was ", before.size_x, " x ", before.size_z,
                          "); ", counted(added, "new tile"), added == 1 ? " is" : " are", " absent");
  if (outside)
    done += text("; ", counted(outside, "polygon"), outside == 1 ? " is" : " are", " bound to tiles that do not exist");
  return done;
}

}  // namespace dio::fft
