// Scenes of Final Fantasy Tactics maps without sources, extras and order, with polygons moved, deleted and copied:
// applying them equals the same edits in the file. Polygons drawn alike in one place are interchangeable.
// DIORAMA_SEED=n sets the first seed, DIORAMA_FILES=n the number of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/seeds.hpp"
#include "fft/edited_scenes.hpp"
#include "fft/generator.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "operations/operations.hpp"
#include "samples/fft/maps.hpp"
#include "samples/samples.hpp"
#include "scene/math.hpp"

namespace dio::test {
namespace {

using namespace dio::fft;
using scene::Scene;
using scene::Vec3;
using testing::HasSubstr;
using Random = std::mt19937_64;

size_t below(Random& random, size_t n) { return size_t(random() % n); }

Scene scene_of(const Mesh& m, bool sources = false) {
  const Texture texels = valley_texture();
  const DocumentOf<Texture> texture(Document<Texture>::make_unedited(texels, 0, {}));
  const Companion with{"MAP001.8", find_format("fft-texture"), &texture};
  auto staged = to_scene(m, {.companions = {&with, 1}, .sources = sources});
  EXPECT_TRUE(staged) << format_one_line(staged.error());
  return staged ? std::move(staged->scene) : Scene{};
}

// ---- changes by other programs

/// The data that a program loses or changes on its own.
struct Program {
  const char* name;
  bool keeps_sources, keeps_extras, shuffles;
};
constexpr Program k_programs[] = {{"keeps all", true, true, false},
                                  {"no extras", true, false, false},
                                  {"shuffles", true, true, true},
                                  {"no sources", false, true, false},
                                  {"no sources, no extras", false, false, false},
                                  {"no sources, shuffles", false, false, true}};

/// Gives each triangle its own vertices, starting at any corner, and shuffles the triangles.
void shuffle_triangles(scene::Primitive& p, Random& random) {
  std::vector<std::array<u32, 3>> triangles;
  for (size_t t = 0; t + 3 <= p.indices.size(); t += 3) {
    const size_t turn = below(random, 3);
    std::array<u32, 3> one{};
    for (size_t k = 0; k < 3; ++k) one[k] = p.indices[t + (k + turn) % 3];
    triangles.push_back(one);
  }
  std::shuffle(triangles.begin(), triangles.end(), random);
  const auto list = [&](auto& of) {
    if (of.empty()) return;
    auto old = std::exchange(of, {});
    for (const auto& t : triangles)
      for (const u32 i : t) of.push_back(old[i]);
  };
  list(p.positions), list(p.normals), list(p.uvs), list(p.colors), list(p.sources);
  p.indices.resize(3 * triangles.size());
  for (u32 i = 0; i < p.indices.size(); ++i) p.indices[i] = i;
}

void through(const Program& program, Scene& s, Random& random) {
  for (scene::Mesh& mesh : s.meshes)
    for (scene::Primitive& p : mesh.primitives) {
      if (!program.keeps_sources) p.sources.clear();
      if (program.shuffles && p.shape == scene::Primitive::Shape::triangles) shuffle_triangles(p, random);
      // Applies to all primitives of a mesh, as in Blender.
      if (p.uvs.empty()) p.uvs.assign(p.positions.size(), {0, 0});
    }
  if (program.keeps_extras) return;
  s.extras = {};
  for (scene::Node& n : s.nodes) n.extras = {};
  for (scene::Material& m : s.materials) m.extras = {};
}

// ---- edits of scenes that still have their sources

void each_primitive(Scene& s, size_t mesh, auto&& f) {
  for (const scene::Node& n : s.nodes)
    if (n.mesh != scene::k_none && path_from_extras(n.extras) == mesh_name(mesh))
      for (scene::Primitive& p : s.meshes[n.mesh].primitives)
        if (!p.sources.empty()) f(p);
}
u32 number_of(const Mesh& m, const PolygonRef& r) {
  return source_number(*geometry_of(m, r.mesh), {r.kind, r.index, 0}) / 4;
}
/// `by` is in scene axes.
void move_corner(Scene& s, const Mesh& m, const PolygonRef& r, u32 corner, const Vec3& by) {
  each_primitive(s, r.mesh, [&](scene::Primitive& p) {
    for (size_t i = 0; i < p.sources.size(); ++i)
      if (p.sources[i] == 4 * number_of(m, r) + corner) p.positions[i] = scene::add(p.positions[i], by);
  });
}
void delete_polygon(Scene& s, const Mesh& m, const PolygonRef& r) {
  each_primitive(s, r.mesh, [&](scene::Primitive& p) {
    std::vector<u32> left;
    for (size_t t = 0; t + 3 <= p.indices.size(); t += 3)
      if (p.sources[p.indices[t]] / 4 != number_of(m, r))
        left.insert(left.end(), p.indices.begin() + std::ptrdiff_t(t), p.indices.begin() + std::ptrdiff_t(t + 3));
    p.indices = left;
  });
  for (scene::Mesh& mesh : s.meshes)
    std::erase_if(mesh.primitives, [](const scene::Primitive& p) { return !p.sources.empty() && p.indices.empty(); });
}
/// Appends a copy, as programs do.
void copy_polygon(Scene& s, const Mesh& m, const PolygonRef& r, const Vec3& by) {
  // Cut vertices have no source in `s`; here they get the source of their polygon.
  Scene told = scene_of(m, true);
  std::vector<const scene::Primitive*> all_told;
  each_primitive(told, r.mesh, [&](scene::Primitive& p) { all_told.push_back(&p); });
  size_t number = 0;
  each_primitive(s, r.mesh, [&](scene::Primitive& p) {
    std::map<u32, u32> fresh;
    const std::vector<u32>& sources = all_told.at(number++)->sources;
    const size_t all = p.indices.size();
    for (size_t t = 0; t < all; ++t) {
      const u32 i = p.indices[t];
      if (i >= sources.size() || sources[i] / 4 != number_of(m, r)) continue;
      const auto [at, is_fresh] = fresh.try_emplace(i, u32(p.positions.size()));
      if (is_fresh) {
        p.positions.push_back(scene::add(p.positions[i], by));
        p.sources.push_back(p.sources[i]);
        const auto twice = [i](auto& list) {
          if (!list.empty()) list.push_back(typename std::remove_cvref_t<decltype(list)>::value_type(list[i]));
        };
        twice(p.normals), twice(p.uvs), twice(p.colors);
      }
      p.indices.push_back(at->second);
    }
  });
}

// ---- maps

/// Flat ground of equal tiles in rows, each with its own tile and render word; some have a second polygon: the back,
/// another palette, or a triangle.
Mesh flat_ground(Random& random) {
  Mesh m{};
  Geometry& g = m.primary.emplace();
  m.lights.emplace();
  m.render_properties.emplace().head.resize(RenderProperties::k_head_size);
  const size_t width = 2 + below(random, 7), depth = 1 + below(random, 6), kinds = 1 + below(random, 3);
  for (size_t z = 0; z < depth; ++z)
    for (size_t x = 0; x < width; ++x) {
      const i16 west = i16(28 * x), south = i16(28 * z), height = i16(-12 * i16(below(random, 8) == 0));
      const u8 kind = u8(below(random, kinds));
      TexturedQuad q{};
      q.positions = {Position{west, height, south}, Position{west, height, i16(south + 28)},
                     Position{i16(west + 28), height, south}, Position{i16(west + 28), height, i16(south + 28)}};
      q.normals.fill({{0}, {-4096}, {0}});
      const u8 u = u8(40 * kind);
      q.uvs = {Uv{u, 28}, Uv{u, 0}, Uv{u8(u + 28), 28}, Uv{u8(u + 28), 0}};
      q.clut_y = 480, q.image = 3, q.page = 1, q.palette = kind;
      q.tile = {u8(z), 0, u8(x)};
      q.render = {1, 0, u16(below(random, 4)), 0, 0};
      g.textured_quads.push_back(q);
      switch (below(random, 8)) {
        case 0:  // its back
          std::swap(q.positions[1], q.positions[2]), std::swap(q.uvs[1], q.uvs[2]);
          q.normals.fill({{0}, {4096}, {0}});
          q.tile = {TileBinding::k_no_z, 0, TileBinding::k_no_x};
          q.render.hidden_from = u16(100 + g.textured_quads.size());  // all of them differ
          g.textured_quads.push_back(q);
          break;
        case 1:  // something on it
          q.palette = 7;
          g.textured_quads.push_back(q);
          break;
        case 2: {
          TexturedTriangle t{};
          for (size_t i = 0; i < 3; ++i)
            t.positions[i] = q.positions[i], t.normals[i] = q.normals[i], t.uvs[i] = q.uvs[i];
          t.clut_y = 480, t.image = 3, t.page = 1, t.palette = q.palette, t.tile = q.tile, t.render = q.render;
          g.textured_triangles.push_back(t);
          break;
        }
        case 3: {
          UntexturedQuad below_it{};
          below_it.positions = q.positions;
          for (Position& p : below_it.positions) p.y += 40;
          below_it.unread = {u8(x), u8(z), 0, 0};
          below_it.render = k_plain_render;
          g.untextured_quads.push_back(below_it);
          break;
        }
        default:;
      }
    }
  m.settle();
  return m;
}

/// Animates part of each tile of the first kind as water; scenes cut these tiles along one to four lines.
Mesh flowing(Mesh m, Random& random) {
  const u32 left = u32(below(random, 3)) * 4, top = u32(below(random, 12));
  const u32 width = std::min<u32>(28 - left, 8 + 4 * u32(below(random, 4)));
  const u32 height = std::min<u32>(28 - top, 5 + u32(below(random, 20)));
  TextureAnimation& row = m.texture_animations.emplace().rows[0];
  row.canvas_x = i16(0x300 + 64 + left / 4), row.canvas_y = i16(top);
  row.width = i16(width / 4), row.height = i16(height);
  row.frame_x = 0x300 + 64 + 32, row.frame_y = 64;
  row.mode = 1, row.frame_count = 2, row.duration = 8;
  return m;
}

std::vector<PolygonRef> all_of(const Mesh& m) {
  std::vector<PolygonRef> out;
  for_each_polygon(m, [&](const PolygonRef& r, const auto&) { out.push_back(r); });
  return out;
}

Bytes edited(const Mesh& m, std::string_view edit, std::vector<Argument> arguments) {
  auto document = std::move(find_format("fft-mesh")->load(bytes_of(m), {})->document);
  for (const Edit& e : mesh_edits())
    if (e.name == edit) {
      const auto done = e.apply(*document, arguments);
      EXPECT_TRUE(done) << format_one_line(done.error());
    }
  return *document->save({});
}

/// Applies the scene and returns the resulting bytes.
struct Back {
  Bytes bytes;
  SceneImportResult taken;
  std::string refused;
};
Back back(const Mesh& m, const Scene& s) {
  Mesh now = m;
  auto taken = apply_edited_scene(now, s);
  if (!taken) return {bytes_of(m), {}, taken.error().id + ": " + format_one_line(taken.error())};
  now.settle();
  return {bytes_of(now), std::move(*taken), {}};
}
std::string lines(const Diagnostics& notes) {
  std::string out;
  for (const Diagnostic& d : notes) out += format_one_line(d) + "\n";
  return out;
}

/// The triangles that a file draws.
std::multiset<std::vector<i32>> drawn_triangles(const Mesh& m) {
  std::multiset<std::vector<i32>> out;
  for_each_polygon(m, [&](const PolygonRef& r, const auto& p) {
    const auto add = [&](std::array<size_t, 3> corners) {
      std::vector<i32> least;
      for (size_t turn = 0; turn < 3; ++turn) {
        std::vector<i32> one{r.mesh, k_is_textured<decltype(p)>};
        for (size_t k = 0; k < 3; ++k) {
          const size_t c = corners[(k + turn) % 3];
          one.insert(one.end(), {p.positions[c].x, p.positions[c].y, p.positions[c].z});
          if constexpr (k_is_textured<decltype(p)>) one.insert(one.end(), {p.uvs[c].u, p.uvs[c].v, p.page, p.palette});
        }
        if (least.empty() || one < least) least = one;
      }
      out.insert(least);
    };
    add({0, 1, 2});
    if (p.positions.size() == 4) add({1, 3, 2});
  });
  return out;
}
bool draws_the_same(const Bytes& a, const Bytes& b) {
  const auto x = load<Mesh>(a), y = load<Mesh>(b);
  return x && y && drawn_triangles(x->document.value()) == drawn_triangles(y->document.value());
}

TEST(FftSceneMatching, UneditedScenesChangeNothing) {
  Random random(1);
  std::vector<Mesh> maps;
  for (const Sample& sample : samples_of(*find_format("fft-mesh"))) {
    auto o = dio::open(sample.bytes, sample.name, find_format("fft-mesh"));
    ASSERT_TRUE(o);
    maps.push_back(value_of<Mesh>(*o->document));
  }
  for (u64 seed = 0; seed < 40; ++seed) maps.push_back(FftGenerator(seed).mesh()), maps.push_back(flat_ground(random));
  for (const Mesh& m : maps) {
    if (all_of(m).empty()) continue;
    for (const Program& program : k_programs) {
      Scene s = scene_of(m);
      through(program, s, random);
      const Back b = back(m, s);
      ASSERT_EQ(b.refused, "") << program.name;
      ASSERT_EQ(b.taken.changed, 0u) << program.name << "\n" << lines(b.taken.notes);
      ASSERT_EQ(b.taken.added + b.taken.removed, 0u) << program.name << "\n" << lines(b.taken.notes);
      ASSERT_EQ(b.taken.unchanged, all_of(m).size()) << program.name << "\n" << lines(b.taken.notes);
    }
  }
}

/// Moves one vertex together with all others at its position, or the vertex of a single polygon.
TEST(FftSceneMatching, AppliesMovedVertices) {
  u64 all = 0, others = 0;
  each_seed(150, [&](u64 seed) {
    Random random(seed);
    const Mesh m = seed % 10 == 9 ? valley_mesh() : flat_ground(random);
    const auto polygons = all_of(m);
    const PolygonRef r = polygons[below(random, polygons.size())];
    Position at{};
    u32 of = 0;
    visit_polygon(m, r, [&](const auto& p) { of = u32(below(random, p.positions.size())), at = p.positions[of]; });
    const bool with_all = random() % 2;
    const i16 up = i16(1 + below(random, 20));
    Mesh expected = m;
    Scene s = scene_of(m);
    for_each_polygon(expected, [&](const PolygonRef& other, auto& p) {
      for (u32 i = 0; i < p.positions.size(); ++i)
        if (with_all ? other.mesh == r.mesh && p.positions[i] == at : other == r && i == of) {
          p.positions[i].y -= up, p.positions[i].x += 3;
          move_corner(s, m, other, i, {3, f32(up), 0});
        }
    });
    for (const Program& program : k_programs) {
      Scene now = s;
      through(program, now, random);
      const Back b = back(m, now);
      ++all;
      ASSERT_EQ(b.refused, "") << program.name;
      ASSERT_EQ(b.taken.lost, 0u) << program.name << lines(b.taken.notes);
      if (b.bytes == bytes_of(expected)) continue;
      // One of two equal polygons at the same place was moved: the scene does not show which.
      ++others;
      ASSERT_TRUE(draws_the_same(b.bytes, bytes_of(expected))) << program.name << " " << polygon_path(r) << "\n"
                                                               << lines(b.taken.notes);
    }
  });
  EXPECT_LT(others * 10, all);
}

/// Moves whole polygons. If equal polygons remain, the result only has to draw the same.
TEST(FftSceneMatching, AppliesMovedPolygons) {
  u64 all = 0, others = 0;
  each_seed(150, [&](u64 seed) {
    Random random(seed);
    const Mesh m = flat_ground(random);
    const auto polygons = all_of(m);
    const size_t first = below(random, polygons.size()), count = 1 + below(random, 3);
    Mesh expected = m;
    Scene s = scene_of(m);
    // Moves a row by one tile width, or any polygons by any distance.
    const i16 by = seed % 3 ? i16(7 + below(random, 90)) : i16(28);
    for (size_t i = first; i < std::min(first + count, polygons.size()); ++i)
      visit_polygon(expected, polygons[i], [&](auto& p) {
        for (u32 k = 0; k < p.positions.size(); ++k) {
          p.positions[k].x += by, p.positions[k].y -= 60;
          move_corner(s, m, polygons[i], k, {f32(by), 60, 0});
        }
      });
    for (const Program& program : k_programs) {
      Scene now = s;
      through(program, now, random);
      const Back b = back(m, now);
      ASSERT_EQ(b.refused, "") << program.name;
      ASSERT_EQ(b.taken.lost, 0u) << program.name << lines(b.taken.notes);
      if (b.bytes == bytes_of(expected)) continue;
      ASSERT_TRUE(draws_the_same(b.bytes, bytes_of(expected))) << program.name << "\n" << lines(b.taken.notes);
      ++others;
    }
    all += std::size(k_programs);
  });
  EXPECT_LT(others * 5, all) << others << " of " << all;
}

TEST(FftSceneMatching, RemovesDeletedPolygons) {
  each_seed(150, [](u64 seed) {
    Random random(seed);
    const Mesh m = seed % 10 == 9 ? valley_mesh() : flat_ground(random);
    auto polygons = all_of(m);
    std::erase_if(polygons, [](const PolygonRef& r) { return r.mesh != 0; });
    std::shuffle(polygons.begin(), polygons.end(), random);
    polygons.resize(std::min<size_t>(1 + below(random, 5), polygons.size() / 3 + 1));
    if (polygons.size() >= all_of(m).size()) return;
    std::string names;
    Scene s = scene_of(m);
    for (const PolygonRef& r : polygons) {
      names += (names.empty() ? "" : ",") + polygon_path(r);
      delete_polygon(s, m, r);
    }
    const Bytes expected = edited(m, "remove-polygons", {{"of", names}});
    for (const Program& program : k_programs) {
      Scene now = s;
      through(program, now, random);
      const Back b = back(m, now);
      ASSERT_EQ(b.refused, "") << program.name;
      ASSERT_EQ(b.taken.removed, polygons.size()) << program.name << " " << names << "\n" << lines(b.taken.notes);
      ASSERT_TRUE(b.bytes == expected) << program.name << " " << names << "\n" << lines(b.taken.notes);
    }
  });
}

/// Copies inherit properties that the scene does not show from their originals, if these are known.
TEST(FftSceneMatching, AddsCopiedPolygons) {
  each_seed(150, [](u64 seed) {
    Random random(seed);
    const Mesh m = seed % 10 == 9 ? valley_mesh() : flat_ground(random);
    const auto polygons = all_of(m);
    const PolygonRef r = polygons[below(random, polygons.size())];
    if (r.mesh) return;
    const i64 up = 400 + i64(below(random, 50)), east = i64(below(random, 200)) - 100;
    Scene s = scene_of(m);
    copy_polygon(s, m, r, {f32(east), f32(up), 0});
    const Bytes expected = edited(
        m, "copy-polygons", {{"of", polygon_path(r)}, {"by", std::to_string(east) + "," + std::to_string(-up) + ",0"}});
    const auto loaded = load<Mesh>(expected);
    ASSERT_TRUE(loaded);
    for (const Program& program : k_programs) {
      Scene now = s;
      through(program, now, random);
      const Back b = back(m, now);
      ASSERT_EQ(b.refused, "") << program.name;
      ASSERT_EQ(b.taken.added, 1u) << program.name << " " << polygon_path(r) << "\n" << lines(b.taken.notes);
      ASSERT_EQ(b.taken.removed, 0u) << program.name;
      const bool is_unsure = lines(b.taken.notes).find("may be a copy of more than one") != std::string::npos;
      if (!is_unsure) {
        ASSERT_TRUE(b.bytes == expected) << program.name << " " << polygon_path(r) << "\n" << lines(b.taken.notes);
        continue;
      }
      const auto got = load<Mesh>(b.bytes);
      ASSERT_TRUE(got);
      visit_polygon_list(*got->document.value().primary, r.kind, [&](const auto& list) {
        auto copy = list.back();
        visit_polygon_list(*loaded->document.value().primary, r.kind, [&](const auto& of_edit) {
          if constexpr (std::is_same_v<decltype(list), decltype(of_edit)>) {
            ASSERT_EQ(copy.positions, of_edit.back().positions);
            if constexpr (k_is_textured<decltype(copy)>) {
              ASSERT_EQ(copy.uvs, of_edit.back().uvs);
              ASSERT_EQ(copy.palette, of_edit.back().palette);
              ASSERT_TRUE(copy.tile.is_none() || copy.tile == of_edit.back().tile);
            }
            ASSERT_TRUE(copy.render == k_plain_render || copy.render == of_edit.back().render);
          }
        });
      });
    }
  });
}

/// Part of the polygon has an animated texture: the scene contains the polygon in pieces, some without any of its
/// corners.
TEST(FftSceneMatching, AddsCopiesOfCutPolygons) {
  u32 cut = 0, inner = 0;
  each_seed(150, [&](u64 seed) {
    Random random(seed);
    const Mesh m = flowing(flat_ground(random), random);
    const auto polygons = all_of(m);
    const PolygonRef r = polygons[below(random, polygons.size())];
    if (r.kind != PolygonKind::textured_quad && r.kind != PolygonKind::textured_triangle) return;
    const i64 up = 400 + i64(below(random, 50)), east = i64(below(random, 200)) - 100;
    Scene s = scene_of(m);
    size_t pieces = 0, without = 0;
    each_primitive(s, 0, [&](scene::Primitive& p) {
      for (const u32 source : p.sources) without += source == k_no_source;
    });
    const size_t before = without;
    copy_polygon(s, m, r, {f32(east), f32(up), 0});
    copy_polygon(s, m, r, {f32(east), f32(up + 500), 3});
    without = 0;
    each_primitive(s, 0, [&](scene::Primitive& p) {
      for (const u32 source : p.sources) without += source == k_no_source;
      for (size_t t = 0; t + 3 <= p.indices.size(); t += 3) {
        size_t own = 0;
        for (size_t k = 0; k < 3; ++k) own += p.sources[p.indices[t + k]] != k_no_source;
        pieces += own == 0;
      }
    });
    if (without == before) return;  // the polygon is not cut
    ++cut, inner += pieces > 0;
    const auto with_copies = [&](std::array<i64, 2> heights) {
      Mesh out = m;
      visit_polygon_list(*out.primary, r.kind, [&](auto& list) {
        for (const i64 height : heights) {
          auto copy = list[r.index];
          for (Position& p : copy.positions) p.x += i16(east), p.y -= i16(height), p.z -= height == up ? 0 : 3;
          list.push_back(copy);
        }
      });
      out.settle();
      return bytes_of(out);
    };
    const Bytes expected = with_copies({up, up + 500}), other_way_round = with_copies({up + 500, up});
    for (const Program& program : k_programs) {
      Scene now = s;
      through(program, now, random);
      const Back b = back(m, now);
      ASSERT_EQ(b.refused, "") << program.name << " " << polygon_path(r);
      ASSERT_EQ(b.taken.added, 2u) << program.name << " " << polygon_path(r) << "\n" << lines(b.taken.notes);
      ASSERT_EQ(b.taken.removed, 0u) << program.name;
      ASSERT_THAT(lines(b.taken.notes), testing::Not(HasSubstr("ignored"))) << program.name;
      if (lines(b.taken.notes).find("may be a copy of more than one") == std::string::npos)
        ASSERT_TRUE(b.bytes == expected || (program.shuffles && b.bytes == other_way_round))
            << program.name << " " << polygon_path(r) << lines(b.taken.notes);
    }
  });
  EXPECT_GT(cut, 20u);
  EXPECT_GT(inner, 5u);
}

/// A rotated polygon is not a copy: its pieces become new polygons, and all others stay unchanged.
TEST(FftSceneMatching, AddsRotatedCopiesAsNewPolygons) {
  each_seed(50, [&](u64 seed) {
    Random random(seed);
    const Mesh m = flowing(flat_ground(random), random);
    const PolygonRef r{0, PolygonKind::textured_quad, 0};
    Scene s = scene_of(m);
    std::vector<size_t> sizes;
    each_primitive(s, 0, [&](scene::Primitive& p) { sizes.push_back(p.positions.size()); });
    copy_polygon(s, m, r, {0, 300, 0});
    size_t number = 0, cut = 0;
    each_primitive(s, 0, [&](scene::Primitive& p) {
      for (size_t i = sizes[number++]; i < p.positions.size(); ++i) {
        std::swap(p.positions[i][0], p.positions[i][2]);
        cut += p.sources[i] == k_no_source;
      }
    });
    if (!cut) return;
    Mesh turned = m;
    TexturedQuad copy = m.primary->textured_quads[0];
    for (size_t i = 0; i < 4; ++i) {
      Position& p = copy.positions[i];
      p = {i16(-p.z), i16(p.y - 300), i16(-p.x)};
    }
    turned.primary->textured_quads.push_back(copy);
    turned.settle();
    for (const Program& program : k_programs) {
      Scene now = s;
      through(program, now, random);
      const Back b = back(m, now);
      ASSERT_EQ(b.refused, "") << program.name;
      if (b.bytes == bytes_of(turned)) continue;
      ASSERT_GT(b.taken.added, 0u) << program.name;
      ASSERT_EQ(b.taken.changed + b.taken.removed + b.taken.lost, 0u) << program.name << lines(b.taken.notes);
      const auto now_drawn = drawn_triangles(load<Mesh>(b.bytes)->document.value());
      ASSERT_TRUE(std::ranges::includes(now_drawn, drawn_triangles(m))) << program.name << lines(b.taken.notes);
    }
  });
}

/// All edits in one scene.
TEST(FftSceneMatching, AppliesSeveralEditsTogether) {
  each_seed(100, [](u64 seed) {
    Random random(seed);
    const Mesh m = flat_ground(random);
    auto polygons = all_of(m);
    if (polygons.size() < 6) return;
    std::shuffle(polygons.begin(), polygons.end(), random);
    const PolygonRef gone = polygons[0], copied = polygons[1], moved = polygons[2];
    Scene s = scene_of(m);
    copy_polygon(s, m, copied, {0, 300, 5});
    delete_polygon(s, m, gone);
    move_corner(s, m, moved, 2, {1, 2, 3});
    Mesh expected = m;
    visit_polygon(expected, moved,
                  [](auto& p) { p.positions[2].x += 1, p.positions[2].y -= 2, p.positions[2].z -= 3; });
    visit_polygon_list(*expected.primary, copied.kind, [&](auto& list) {
      auto copy = list[copied.index];
      for (Position& p : copy.positions) p.y -= 300, p.z -= 5;
      list.push_back(copy);
    });
    visit_polygon_list(*expected.primary, gone.kind, [&](auto& list) { list.erase(list.begin() + gone.index); });
    expected.settle();
    for (const Program& program : k_programs) {
      Scene now = s;
      through(program, now, random);
      const Back b = back(m, now);
      if (b.bytes == bytes_of(expected)) continue;
      // A result with other bytes must draw the same.
      ASSERT_EQ(b.refused, "") << program.name;
      ASSERT_TRUE(draws_the_same(b.bytes, bytes_of(expected)))
          << program.name << ": gone " << polygon_path(gone) << ", copied " << polygon_path(copied) << ", moved "
          << polygon_path(moved) << ", changed " << b.taken.changed << " added " << b.taken.added << " removed "
          << b.taken.removed << lines(b.taken.notes);
    }
  });
}

}  // namespace
}  // namespace dio::test
