// terrain.cpp: changes the terrain and its floor.
#include <algorithm>
#include <set>
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

Rectangle parse_tile_rectangle(const Terrain& t, Arguments& a) {
  Rectangle r{a.integer_range("x", 0, i64(t.size_x) - 1), a.integer_range("z", 0, i64(t.size_z) - 1), 0};
  if (a.has("level")) r.level = u32(a.whole("level", 0, i64(Terrain::k_levels) - 1));
  if (!a.problem && !Terrain::tile(t, r.level, u32(r.x.to), u32(r.z.to)))
    refuse_argument(a, text("the file has no tile ", r.x.to, ",", r.z.to, " on level ", r.level,
                            ": the file stores 512 tiles in total, and this map has more than 256 on each level"));
  return r;
}

/// How the floor follows the terrain: a vertex at a corner of the tile that its polygon is bound to, on its ground or
/// on the surface of its liquid, moves with that corner. All other vertices stay, and so do walls.
struct Floor {
  u64 polygons = 0, corners = 0, others = 0;  // following polygons and corners; other vertices of these polygons
  u64 kept_normals = 0;                       // polygons that keep their normals

  template <size_t N>
  void follow_terrain(Textured<N>& p, const TerrainTile& before, const TerrainTile& after) {
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
    kept_normals += !rotate_face_normals(p, was);
  }
  /// `all`: also counts the vertices of these polygons that stay.
  std::string describe_changes(bool all) const {
    const auto vertices = [](u64 n) { return n == 1 ? std::string("1 vertex") : text(n, " vertices"); };
    std::string out = text("; ", format_count(polygons, "polygon"), polygons == 1 ? " follows" : " follow", " with ",
                           vertices(corners));
    if (others && all)
      out += text("; ", vertices(others), " of these polygons ", others == 1 ? "stays" : "stay",
                  " in place (not on the floor)");
    if (kept_normals)
      out += text("; ", format_count(kept_normals, "polygon"), kept_normals == 1 ? " keeps its" : " keep their",
                  " smoothed normals");
    return out;
  }
};

/// How walls follow the terrain: upright polygons along the borders of tiles. A vertex at a corner of a changed tile,
/// on its ground or on the surface of its liquid, moves with that corner if the wall covers an edge of the tile that
/// begins there. Between two tiles, the top follows the higher one and the bottom the lower one, so that a wall becomes
/// higher or lower; its texels stretch.
class Walls {
 public:
  Walls(const Terrain& before, const Terrain& now, const Rectangle& r) : before_(before), now_(now), r_(r) {}

  /// `was`: the positions before the floor followed. Vertices that moved with the floor stay.
  template <size_t N>
  void follow_terrain(std::array<Position, N>& positions, const std::array<Position, N>& was,
                      const TileBinding& bound) {
    const auto along = find_grid_line(was);
    if (!along) return;
    walled_.insert(along->edges.begin(), along->edges.end());
    u64 moved = 0;
    for (size_t i = 0; i < N; ++i) {
      if (positions[i] != was[i]) continue;
      const auto y = find_new_vertex_height(was[i], *along, bound);
      if (!y) continue;
      positions[i].y = i16(*y);
      ++moved;
    }
    polygons_ += moved > 0;
    vertices_ += moved;
  }
  /// A wall whose top and bottom change places is seen from its other side, to which its normals must point.
  template <class Polygon>
  void update_facing(Polygon& p, const decltype(p.positions)& was) {
    const auto before = face_normal(was), now = face_normal(p.positions);
    if (!now)
      ++flat_;
    else if (before && i64(before->x.raw) * now->x.raw + i64(before->z.raw) * now->z.raw < 0) {
      ++turned_;
      if constexpr (k_is_textured<Polygon&>)
        for (Normal& n : p.normals) n.x.raw = i16(-n.x.raw), n.y.raw = i16(-n.y.raw), n.z.raw = i16(-n.z.raw);
    }
  }
  std::string describe_changes() const {
    std::string out = text("; ", format_count(polygons_, "wall"), polygons_ == 1 ? " follows" : " follow", " with ",
                           vertices_ == 1 ? std::string("1 vertex") : text(vertices_, " vertices"));
    if (turned_)
      out += text("; ", format_count(turned_, "wall"), turned_ == 1 ? " now faces" : " now face", " the other way");
    if (flat_) out += text("; ", format_count(flat_, "wall"), flat_ == 1 ? " has" : " have", " lost all height");
    if (const u64 bare = count_unwalled_steps())
      out += text("; ", format_count(bare, "edge"), bare == 1 ? " is" : " are", " now a step without a wall");
    return out;
  }

 private:
  /// An edge of the grid, from its southern or western end along x or along z.
  struct Edge {
    i32 x, z;
    bool along_x;
    auto operator<=>(const Edge&) const = default;
  };
  /// The grid line below an upright polygon, and the edges that it covers.
  struct Line {
    bool along_x;
    i32 low, high;  // units, along the line
    std::vector<Edge> edges;
  };

  template <size_t N>
  static std::optional<Line> find_grid_line(const std::array<Position, N>& p) {
    const auto all_equal = [&](i16 Position::* axis) {
      return std::ranges::all_of(p, [&](const Position& q) { return q.*axis == p[0].*axis; });
    };
    const bool same_x = all_equal(&Position::x), same_z = all_equal(&Position::z);
    if (same_x == same_z || (same_x ? p[0].x : p[0].z) % i32(k_tile_units)) return {};
    const auto axis = same_x ? &Position::z : &Position::x;
    const auto [low, high] = std::ranges::minmax(p, {}, axis);
    Line line{!same_x, low.*axis, high.*axis, {}};
    constexpr i32 unit = i32(k_tile_units);
    const i32 across = (same_x ? p[0].x : p[0].z) / unit;
    for (i32 at = line.low / unit; at * unit < line.high; ++at)
      line.edges.push_back(line.along_x ? Edge{at, across, true} : Edge{across, at, false});
    return line;
  }
  const TerrainTile* tile(const Terrain& t, i32 x, i32 z) const {
    return x < 0 || z < 0 || x >= t.size_x || z >= t.size_z ? nullptr : Terrain::tile(t, r_.level, u32(x), u32(z));
  }
  bool is_changed_tile(i32 x, i32 z) const {
    return r_.x.from <= x && x <= r_.x.to && r_.z.from <= z && z <= r_.z.to && tile(before_, x, z) && tile(now_, x, z);
  }
  /// The two tiles next to an edge.
  static std::array<std::pair<i32, i32>, 2> adjacent_tiles(const Edge& e) {
    return {std::pair{e.x, e.z}, e.along_x ? std::pair{e.x, e.z - 1} : std::pair{e.x - 1, e.z}};
  }
  /// The new height of the ground, or of the surface of the liquid, at a corner, if it was at `y`.
  std::optional<i32> find_new_corner_height(i32 x, i32 z, const Position& p) const {
    const TerrainTile &was = *tile(before_, x, z), &is = *tile(now_, x, z);
    for (const bool liquid : {false, true}) {
      const auto there = corner_positions(was, u32(x), u32(z), liquid ? was.depth : 0),
                 here = corner_positions(is, u32(x), u32(z), liquid ? is.depth : 0);
      for (size_t i = 0; i < there.size(); ++i)
        if (there[i][0] == p.x && there[i][1] == p.y && there[i][2] == p.z) return here[i][1];
    }
    return {};
  }
  /// The new height of a vertex. If two tiles disagree, the tile that the wall is bound to counts.
  std::optional<i32> find_new_vertex_height(const Position& p, const Line& line, const TileBinding& bound) const {
    constexpr i32 unit = i32(k_tile_units);
    const i32 at = line.along_x ? p.x : p.z, across = line.along_x ? p.z : p.x;
    if (at % unit) return {};
    std::optional<i32> out;
    bool is_bound = false, differ = false;
    for (const i32 start : {at, at - unit}) {  // the edges that begin and end here
      if (start < line.low || start + unit > line.high) continue;
      const Edge edge =
          line.along_x ? Edge{start / unit, across / unit, true} : Edge{across / unit, start / unit, false};
      for (const auto& [x, z] : adjacent_tiles(edge)) {
        if (!is_changed_tile(x, z)) continue;
        const auto y = find_new_corner_height(x, z, p);
        if (!y || is_bound) continue;
        is_bound = bound.level == r_.level && bound.x == x && bound.z == z;
        differ = !is_bound && (differ || (out && *out != *y));
        out = y;
      }
    }
    return differ ? std::nullopt : out;
  }
  /// Edges without a wall whose two tiles had the same height and now differ.
  u64 count_unwalled_steps() const {
    std::set<Edge> found;
    const auto count_if_new_step = [&](const Edge& e) {
      const auto [a, b] = adjacent_tiles(e);
      if (walled_.contains(e) || !tile(now_, a.first, a.second) || !tile(now_, b.first, b.second)) return;
      const auto is_step = [&](const Terrain& t) {
        const TerrainTile &one = *tile(t, a.first, a.second), &other = *tile(t, b.first, b.second);
        if (one.absent || other.absent) return false;
        const auto of_one = corner_positions(one, u32(a.first), u32(a.second)),
                   of_other = corner_positions(other, u32(b.first), u32(b.second));
        for (const auto& p : of_one)
          for (const auto& q : of_other)
            if (p[0] == q[0] && p[2] == q[2] && p[1] != q[1]) return true;
        return false;
      };
      if (!is_step(before_) && is_step(now_)) found.insert(e);
    };
    for (i32 z = i32(r_.z.from); z <= i32(r_.z.to); ++z)
      for (i32 x = i32(r_.x.from); x <= i32(r_.x.to); ++x)
        for (const Edge& e : {Edge{x, z, true}, Edge{x, z + 1, true}, Edge{x, z, false}, Edge{x + 1, z, false}})
          count_if_new_step(e);
    return found.size();
  }

  const Terrain &before_, &now_;
  Rectangle r_;
  std::set<Edge> walled_;
  u64 polygons_ = 0, vertices_ = 0, turned_ = 0, flat_ = 0;
};

constexpr EnumName k_floor_words[] = {{0, "stay"}, {1, "follow"}};
constexpr EnumNames k_floor{k_floor_words};

/// Changes the tiles of a rectangle: `change` gets the tile and its x and z.
Done change_tiles(Mesh& file, Arguments& a, const Rectangle& r, auto&& change) {
  const bool follows = a.has("floor") && a.word("floor", k_floor, 1) == 1,
             walls_follow = a.has("walls") && a.word("walls", k_floor, 1) == 1;
  if (!a.done()) return refuse_edit(a);
  Terrain& t = *file.terrain;
  const Terrain before = t;
  u64 changed = 0, absent = 0;
  for (i64 z = r.z.from; z <= r.z.to; ++z)
    for (i64 x = r.x.from; x <= r.x.to; ++x) {
      TerrainTile& tile = *Terrain::tile(t, r.level, u32(x), u32(z));
      const TerrainTile was = tile;
      if (auto problem = change(tile, x, z)) return refuse(std::move(*problem));
      changed += tile != was;
      absent += tile != was && tile.absent && was.absent;
    }
  std::string done = text(changed, " of ", format_count(u64(r.size()), "tile"), " changed");
  if (absent)
    done += text("; ", absent, absent == 1 ? " is" : " are",
                 " absent, so nobody can stand there (absent=no makes them present)");
  if (!file.primary || (!follows && !walls_follow)) return done;
  Floor floor;
  Walls walls(before, t, r);
  for_each_polygon(file, [&](const PolygonRef& ref, auto& p) {
    if (ref.mesh) return;
    const auto was = p.positions;
    TileBinding bound{TileBinding::k_no_z, 0, TileBinding::k_no_x};
    if constexpr (k_is_textured<decltype(p)>) {
      bound = p.tile;
      if (follows && r.has(p.tile))
        floor.follow_terrain(p, *Terrain::tile(before, r.level, p.tile.x, p.tile.z),
                             *Terrain::tile(t, r.level, p.tile.x, p.tile.z));
    }
    const auto on_floor = p.positions;
    if (walls_follow) walls.follow_terrain(p.positions, was, bound);
    if (p.positions != on_floor) walls.update_facing(p, on_floor);
  });
  if (follows) done += floor.describe_changes(!walls_follow);
  return walls_follow ? done + walls.describe_changes() : done;
}

}  // namespace

Done set_tiles(Mesh& file, Arguments a) {
  if (!file.terrain) return refuse_missing_part("terrain");
  const Rectangle r = parse_tile_rectangle(*file.terrain, a);
  std::vector<std::pair<u8 TerrainTile::*, u8>> numbers;
  std::vector<std::pair<bool TerrainTile::*, bool>> flags;
  const auto number = [&](std::string_view name, u8 TerrainTile::* field, i64 high) {
    if (a.has(name)) numbers.push_back({field, u8(a.whole(name, 0, high))});
  };
  const auto word = [&](std::string_view name, u8 TerrainTile::* field, const EnumNames& words, i64 high) {
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
  if (!file.terrain) return refuse_missing_part("terrain");
  const Rectangle r = parse_tile_rectangle(*file.terrain, a);
  const i64 by = a.whole("by", -255, 255);
  return change_tiles(file, a, r, [&](TerrainTile& tile, i64 x, i64 z) -> std::optional<Diagnostic> {
    const i64 height = tile.height + by;
    if (height < 0 || height > 255)
      return make_diagnostic("edit.argument", {},
                             {.message = text("tile ", x, ",", z, " would have height ", height,
                                              "; the height of a tile must be 0 to 255")});
    tile.height = u8(height);
    return {};
  });
}

Done resize_terrain(Mesh& file, Arguments a) {
  if (!file.terrain) return refuse_missing_part("terrain");
  Terrain& t = *file.terrain;
  const i64 x = a.whole("x", 1, 255), z = a.whole("z", 1, 255);
  if (!a.done()) return refuse_edit(a);
  if (x * z > i64(Terrain::k_tiles) || t.size_x * t.size_z > i64(Terrain::k_tiles))
    return refuse_edit(text("a terrain can be resized only if it has at most ", Terrain::k_tiles,
                            " tiles before and after the change; this terrain would change from ", t.size_x * t.size_z,
                            " to ", x * z));
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
  for_each_polygon(file, [&](const PolygonRef&, const auto& p) {
    if constexpr (k_is_textured<decltype(p)>) outside += !p.tile.is_none() && (p.tile.x >= x || p.tile.z >= z);
  });
  std::string done = text("the terrain now has ", x, " x ", z, " tiles (was ", before.size_x, " x ", before.size_z,
                          "); ", format_count(added, "new tile"), added == 1 ? " is" : " are", " absent");
  if (outside)
    done += text("; ", format_count(outside, "polygon"), outside == 1 ? " is" : " are",
                 " bound to tiles that do not exist");
  return done;
}

}  // namespace dio::fft
