// models.cpp: models made from nothing. Together they have every SBC command, every command of a display list,
// every kind of node and of material.
#include "samples/nitro/models.hpp"

#include "samples/nitro/parts.hpp"

namespace dio::nitro {

using namespace make;

namespace {

constexpr u8 k_palette4 = 2, k_palette16 = 3, k_direct = 7;

/// Textures of 16 colours that the models share.
Texture planks() {
  return texture("planks", k_palette16, 16, 16, [](u32 x, u32 y) { return y % 4 == 3 ? 0 : 1 + (x * 3 + y / 4) % 15; });
}
Palette planks_colors() { return palette("planks_pl", ramp(rgb(8, 4, 1), rgb(26, 18, 9), 16)); }

/// One of two colours, of 4 in its palette; `clear`: holes.
Texture checks(std::string name, u32 size, bool clear = false) {
  Texture t = texture(std::move(name), k_palette4, 8, 8, [=](u32 x, u32 y) {
    return (x / size + y / size) % 2 ? 1 : clear ? 0 : 2;
  });
  t.color0_clear = clear;
  return t;
}

Textures textures_of(std::vector<Texture> textures, std::vector<Palette> palettes) {
  Textures t{};
  t.textures = std::move(textures);
  t.palettes = std::move(palettes);
  return t;
}

/// A square in the plane of x and y.
Drawing square(f64 half, f64 texels) {
  return Drawing().normal({0, 0, 1}).quad({-half, -half, 0}, {2 * half, 0, 0}, {0, 2 * half, 0}, texels);
}

void use_matrix(Material& m, f64 scale, f64 degrees, Point translation) {
  m.use_matrix = 1;
  m.texgen = 1;
  m.scale_one = m.rotation_zero = m.translation_zero = 0;
  m.scale = {fixed(scale), fixed(scale / 2)};
  const Frame f = turned(2, degrees);
  m.sin = fixed_16(f.x.y), m.cos = fixed_16(f.x.x);
  m.translation = {fixed(translation.x), fixed(translation.y)};
}

}  // namespace

Nsbmd crate() {
  SampleModelBuilder m("crate", 2);
  m.add(node("crate"));
  m.add(material("wood"));
  m.dress(planks(), "planks_pl");
  Drawing d;
  const auto corner = [&](u16 color, f64 s, f64 t) -> Drawing& { return d.color(color).texcoord(s, t); };
  const u16 light = rgb(31, 31, 28), dark = rgb(18, 16, 14);
  d.begin(Primitive::quads).normal({0, 0, 1});  // front, back
  corner(dark, 0, 16).vtx_16({-1, -1, 1});
  corner(dark, 16, 16).vtx_xy(1, -1);
  corner(light, 16, 0).vtx_xy(1, 1);
  corner(light, 0, 0).vtx_xy(-1, 1);
  d.normal({0, 0, -1});
  corner(dark, 0, 16).vtx_16({1, -1, -1});
  corner(dark, 16, 16).vtx_xy(-1, -1);
  corner(light, 16, 0).vtx_xy(-1, 1);
  corner(light, 0, 0).vtx_xy(1, 1);
  d.end().begin(Primitive::triangle_strip).normal({1, 0, 0});  // right
  corner(light, 0, 0).vtx_10({1, 1, 1});
  corner(dark, 0, 16).vtx_yz(-1, 1);
  corner(light, 16, 0).vtx_yz(1, -1);
  corner(dark, 16, 16).vtx_yz(-1, -1);
  d.end().begin(Primitive::triangles).normal({-1, 0, 0});  // left
  corner(dark, 0, 16).vtx_10({-1, -1, -1});
  corner(dark, 16, 16).vtx_yz(-1, 1);
  corner(light, 16, 0).vtx_yz(1, 1);
  corner(dark, 0, 16).vtx_10({-1, -1, -1});
  corner(light, 16, 0).vtx_yz(1, 1);
  corner(light, 0, 0).vtx_yz(1, -1);
  d.end().begin(Primitive::quad_strip).normal({0, 1, 0});  // top, down over the rim
  corner(light, 0, 0).vtx_10({-1, 1, -1});
  corner(light, 16, 0).vtx_xz(1, -1);
  corner(light, 0, 16).vtx_xz(-1, 1);
  corner(light, 16, 16).vtx_xz(1, 1);
  d.end();
  m.add("sides", d);

  Drawing lock;  // small: by differences
  lock.begin(Primitive::triangles).normal({0, 0, 1}).color(rgb(31, 26, 4));
  lock.vtx_16({-0.0625, 0.75, 1}).vtx_diff({0.06, -0.12, 0.02}).vtx_diff({0.06, 0.12, -0.02});
  lock.end();
  m.add(material("zinc"));
  m.add("lock", lock);
  m.nodedesc(0, 0, 0).posscale().draw(0, 0).draw(1, 1).posscale(true);
  return file_of({m.finish()}, textures_of({planks()}, {planks_colors()}));
}

Nsbmd windmill() {
  SampleModelBuilder m("windmill", 4);
  const Texture sail = checks("sail", 2, true), torn = checks("sail_torn", 1, true), water = checks("water", 4);
  m.add(node("tower"));
  m.add(node("cap", {.position = {0, 7, 0}, .rotation = turned(1, 30), .pivot = 4}));
  m.add(node("wheel", {.position = {0, 0.5, 2.25}, .rotation = turned(0, -10) * turned(2, 15)}));
  m.add(node("door", {.position = {-0.5, 0, 2}, .rotation = turned(1, -60), .pivot = 4}));
  m.add(material("roof"));
  m.model.materials.back().diffuse = rgb(24, 6, 4);
  m.add(material("sail"));
  m.model.materials.back().show_back = 1;
  m.dress(sail, "sail_pl");
  m.add(material("wall"));
  m.dress(planks(), "planks_pl");
  Material stream = material("water");
  stream.alpha = 20;
  stream.repeat_s = stream.repeat_t = 1;
  stream.polygon_id = 1;
  m.add(stream);
  m.dress(water, "water_pl");

  m.add("tower", Drawing().box({-0.5, 0, -0.5}, {0.5, 1.75, 0.5}, 16));
  Drawing roof;
  roof.begin(Primitive::triangle_strip).normal({0, 0.5, 0.5});
  for (const f64 x : {-0.625, 0.625}) roof.vertex({x, 0, 0.625}).vertex({x / 2, 0.5, 0});
  m.add("roof", roof.end());
  Drawing wheel;
  for (int i = 0; i < 4; ++i) {
    const Frame f = turned(2, 90.0 * i);
    const auto rounded = [](Point p) { return Point{std::round(p.x * 64) / 64, std::round(p.y * 64) / 64, 0}; };
    wheel.normal({0, 0, 1}).quad({}, rounded(f({0.25, 0, 0})), rounded(f({0, 1.25, 0})), 8);
  }
  m.add("wheel", wheel);
  m.add("door", Drawing().normal({0, 0, 1}).quad({0, 0, 0}, {0.25, 0, 0}, {0, 0.5, 0}, 8));
  m.add("stream", Drawing().normal({0, 1, 0}).quad({-2, 0, 1.5}, {4, 0, 0}, {0, 0, -0.5}, 32));

  m.nodedesc(0, 0, 0).posscale().draw(2, 0).draw(3, 4).posscale(true);
  m.nodedesc(1, 0, 1).posscale().draw(0, 1);
  m.nodedesc(2, 1, 2, 1).posscale().draw(1, 2);
  m.nodedesc(3, 0, 3, 0).visible(3, true).posscale().mat(2, 2).shp(3).posscale(true);
  m.model.sbc[2].options = 1;  // the wall is used again, for the door
  return file_of({m.finish()},
                 textures_of({planks(), sail, torn, water},
                             {planks_colors(), palette("sail_pl", {0, rgb(31, 31, 27), rgb(9, 9, 12), rgb(20, 0, 0)}),
                              palette("water_pl", {0, rgb(6, 12, 28), rgb(10, 18, 31), rgb(31, 31, 31)})}));
}

Nsbmd eel() {
  SampleModelBuilder m("eel");
  m.add(node("head"));
  m.add(node("neck", {.position = {0, 0, -1}, .rotation = turned(1, 8)}));
  m.add(node("spine", {.position = {0, 0, -1}, .rotation = turned(2, 90), .pivot = 8}));
  m.add(node("tail", {.position = {0, 0, -1}, .rotation = turned(0, 5) * turned(1, -8)}));
  m.add(material("skin"));
  m.nodedesc(0, 0, 0).nodedesc(1, 0, 1).nodedesc(2, 1, 2).nodedesc(3, 2, 3);
  m.nodemix(4, {{0, 0, 128}, {1, 1, 128}})
      .nodemix(5, {{1, 1, 160}, {2, 2, 96}})
      .nodemix(6, {{1, 1, 32}, {2, 2, 96}, {3, 3, 128}});
  // where blended matrices apply, vertices are those of the whole model; the last ring is in the tail's own space
  constexpr struct {
    u32 slot;
    f64 z, radius;
  } k_rings[] = {{0, 0, 0.25}, {4, -0.75, 0.5}, {5, -1.5, 0.5}, {6, -2.5, 0.375}, {3, -0.5, 0.125}};
  Drawing body;
  for (int side = 0; side < 4; ++side) {
    const Frame f = turned(2, 90.0 * side);
    const auto at = [&](f64 x, f64 y) {
      const Point p = f({x, y, 0});
      return Point{std::round(p.x * 64) / 64, std::round(p.y * 64) / 64, 0};
    };
    body.begin(Primitive::quad_strip).normal(at(0, 0.75)).color(rgb(8, u32(16 + 4 * side), 20));
    for (const auto& r : k_rings) {
      body.restore(r.slot, 1);
      for (const f64 x : {-r.radius, r.radius}) {
        Point p = at(x, r.radius);
        p.z = r.z;
        body.vertex(p);
      }
    }
    body.end();
  }
  m.add("body", body);
  m.draw(0, 0);
  return file_of({m.finish()});
}

static Model crane_of(std::string name, u8 scaling_rule) {
  SampleModelBuilder m(std::move(name));
  m.model.scaling_rule = scaling_rule;
  const u8 first = scaling_rule == 1 ? 2 : 0, both = scaling_rule == 1 ? 3 : 0, last = scaling_rule == 1 ? 1 : 0;
  m.add(node("foot", {.scale = {1, 3, 1}}));
  m.add(node("arm", {.position = {0, 1, 0}, .rotation = turned(2, 25), .pivot = 8, .scale = {2, 0.5, 0.5}}));
  m.add(node("hook", {.position = {1.5, 0, 0}, .rotation = turned(2, -25) * turned(0, 10)}));
  m.add(material("steel"));
  m.add("arm", Drawing().box({0, -0.25, -0.25}, {1.5, 0.25, 0.25}, 8));
  m.add("foot", Drawing().box({-0.5, 0, -0.5}, {0.5, 1, 0.5}, 8));
  m.add("hook", Drawing().box({-0.125, -1, -0.125}, {0.125, 0, 0.125}, 8));
  m.nodedesc(0, 0, SampleModelBuilder::k_none, SampleModelBuilder::k_none, first).draw(0, 1);
  m.nodedesc(1, 0, SampleModelBuilder::k_none, SampleModelBuilder::k_none, both).shp(0);
  m.nodedesc(2, 1, SampleModelBuilder::k_none, SampleModelBuilder::k_none, last).shp(2);
  return m.finish();
}
Nsbmd crane() { return file_of({crane_of("crane_maya", 1), crane_of("crane_softimage", 2)}); }

Nsbmd meadow() {
  SampleModelBuilder m("meadow", 2);
  const Texture leaves = checks("leaves", 2, true);
  m.add(node("meadow"));
  m.add(node("bush", {.position = {2, 1, 0}}));
  m.add(node("flower", {.position = {-2, 1, 1}, .scale = {0.5, 0.5, 0.5}}));
  m.add(node("pine", {.position = {0, 1, -2}, .rotation = turned(2, 20), .pivot = 8}));
  m.add(node("poplar", {.position = {3, 1, -2}}));
  m.add(node("sun", {.position = {0, 6, -3}}));
  m.add(material("grass"));
  m.add(material("leaves"));
  m.model.materials.back().show_back = 1;
  m.dress(leaves, "leaves_pl");
  m.add("ground", Drawing().color(rgb(8, 22, 6)).quad({-2, 0, 2}, {4, 0, 0}, {0, 0, -4}, 8));
  for (const char* name : {"bush", "flower", "pine", "poplar", "sun"}) m.add(name, square(0.5, 8));
  m.nodedesc(0, 0, 0).posscale().draw(0, 0).posscale(true);
  // full and upright ones, which store, load, both or neither
  m.nodedesc(1, 0, 1).billboard(1, false).posscale().mat(1, 1).shp(1);
  m.nodedesc(2, 0, 2, 0).billboard(2, false, 7).posscale().shp(2);
  m.nodedesc(3, 0, 3, 0).billboard(3, true, 8, 3).posscale().shp(3);
  m.nodedesc(4, 0, 4, 0).billboard(4, true).posscale().shp(4);
  m.nodedesc(5, 0, 5, 0).mtx(0).billboard(5, false, SampleModelBuilder::k_none, 5).posscale().mat(1, 2).shp(5);
  return file_of({m.finish()}, textures_of({leaves}, {palette("leaves_pl", {0, rgb(6, 20, 5), rgb(10, 26, 8), 0})}));
}

Nsbmd fountain() {
  SampleModelBuilder m("fountain");
  m.add(node("fountain"));
  m.add(node("scaffold", {.position = {0, 1, 0}}));
  Material basin = material("basin");
  basin.scale_one = 0;  // the numbers are there though nobody uses them
  basin.scale = {fixed(2), fixed(2)};
  m.add(basin);
  m.add(material("jet"));
  m.add("basin", Drawing().box({-2, 0, -2}, {2, 0.5, 2}, 16));
  m.add("jet", Drawing().box({-0.25, 0.5, -0.25}, {0.25, 3, 0.25}, 16));
  m.add("scaffold", Drawing().box({-3, 0, -3}, {3, 4, 3}, 16));
  m.nop().nodedesc(0, 0, 0).draw(0, 0).draw(1, 1);
  m.nodedesc(1, 0, 1).visible(1, false).shp(2).visible(0, true).nop().mtx(0);
  m.calldl(Drawing()
               .color(rgb(31, 31, 31))
               .begin(Primitive::triangles)
               .vertex({-1, 3, 0})
               .vertex({1, 3, 0})
               .vertex({0, 4, 0})
               .end());
  return file_of({m.finish()});
}

Nsbmd teapot() {
  SampleModelBuilder m("teapot");
  const Texture sky = texture("sky", k_direct, 8, 8, [](u32 x, u32 y) { return 0x8000u | rgb(4 * y, 4 * y, 31 - x); });
  m.add(node("teapot"));
  const auto reflecting = [&](const char* name, u8 texgen) {
    Material x = material(name);
    x.use_matrix = x.has_effect = 1;
    x.texgen = texgen;
    for (size_t i = 0; i < 4; ++i) x.effect[5 * i] = fixed(i == 1 ? -1 : 1);
    m.add(x);
    m.dress(sky);
  };
  reflecting("chrome", 2);
  reflecting("shadow", 3);
  m.add("pot", Drawing().box({-1, 0, -1}, {1, 1.5, 1}, 8));
  m.add("table", Drawing().normal({0, 1, 0}).quad({-3, 0, 3}, {6, 0, 0}, {0, 0, -6}, 8));
  m.nodedesc(0, 0, 0).mat(0).envmap(0).shp(0).mat(1).prjmap(1).shp(1);
  return file_of({m.finish()}, textures_of({sky}, {}));
}

Nsbmd banners() {
  const Texture arms = checks("arms", 4);
  std::vector<Model> models;
  const char* names[] = {"banner_maya", "banner_si3d", "banner_max", "banner_xsi"};
  for (u8 mode = 0; mode < 4; ++mode) {
    SampleModelBuilder m(names[mode]);
    m.model.texture_matrix_mode = mode;
    m.add(node("pole", {.position = {2.5 * mode, 0, 0}}));
    Material cloth = material("cloth");
    cloth.repeat_s = cloth.repeat_t = 1;
    use_matrix(cloth, 2, 30, {0.25, 0.125, 0});
    m.add(cloth);
    m.dress(arms, "arms_pl");
    m.add("cloth", square(1, 8));
    m.nodedesc(0, 0, 0).draw(0, 0);
    models.push_back(m.finish());
  }
  return file_of(std::move(models), textures_of({arms}, {palette("arms_pl", {0, rgb(28, 3, 3), rgb(30, 28, 6), 0})}));
}

Nsbmd shop_window() {
  SampleModelBuilder m("shop_window");
  const Texture glass = checks("glass", 2);
  m.add(node("window"));
  f64 left = 0;
  const auto pane = [&](const char* name, auto change) {
    Material x = material(name);
    change(x);
    const u8 index = m.add(x);
    m.dress(glass, "glass_pl");
    m.add(name, Drawing().color(rgb(31, 31, 31)).quad({left, 0, 0}, {0.5, 0, 0}, {0, 1, 0}, 16));
    left += 0.5;
    return index;
  };
  pane("back", [](Material& x) { x.show_front = 0, x.show_back = 1; });
  pane("both", [](Material& x) { x.show_back = 1; });
  pane("decal", [](Material& x) { x.polygon_mode = 1; });
  pane("flip", [](Material& x) { x.repeat_s = x.repeat_t = x.flip_s = x.flip_t = 1; });
  pane("gone", [](Material& x) { x.alpha = 0; });
  pane("lamps",
       [](Material& x) { x.light_1 = x.light_2 = x.light_3 = 1, x.emission = rgb(8, 8, 2), x.shininess_table = 1; });
  pane("repeat", [](Material& x) { x.repeat_s = 1; });
  pane("shadow", [](Material& x) { x.polygon_mode = 3, x.alpha = 12, x.polygon_id = 0; });
  pane("toon", [](Material& x) { x.polygon_mode = 2, x.fog = 1; });
  pane("translucent", [](Material& x) { x.alpha = 16, x.polygon_id = 5, x.translucent_depth = 1; });
  pane("unlit", [](Material& x) { x.light_0 = 0; });
  pane("wires", [](Material& x) { x.wireframe = 1; });
  m.nodedesc(0, 0, 0);
  for (u8 i = 0; i < m.model.materials.size(); ++i) m.draw(i, i);
  return file_of({m.finish()}, textures_of({glass}, {palette("glass_pl", {0, rgb(16, 24, 31), rgb(31, 31, 31), 0})}));
}

// ---- a model whose textures are in another file, and that file ----

static Textures swatch_textures() {
  const auto weave = [](u32 colors) { return [colors](u32 x, u32 y) { return (x + 2 * y) % colors; }; };
  Texture bricks = texture("bricks", k_palette4, 16, 8, weave(4));
  // every mode: three colours, two and their middle, four, two and two between
  const auto stone = [](u32 block) {
    constexpr u16 k_index[] = {0, 0, 2, 2};
    return std::pair(0x1B4EB1E4u + 0x01010101u * block, u16(block % 4 << 14 | k_index[block % 4]));
  };
  std::vector<Texture> all = {
      std::move(bricks),
      texture("cloth", k_palette16, 8, 16, weave(16)),
      texture("glow", 6, 8, 8, [](u32 x, u32 y) { return x | y * 4 << 3; }),
      texture("photo", k_direct, 8, 8, [](u32 x, u32 y) { return (x == y ? 0u : 0x8000u) | rgb(4 * x, 4 * y, 16); }),
      texture("photo_night", k_direct, 8, 8, [](u32 x, u32 y) { return 0x8000u | rgb(x, y, 12); }),
      texture("smoke", 1, 8, 8, [](u32 x, u32 y) { return (x + 4 * (y / 2)) | y << 5; }),
      block_texture("stone", 16, 8, stone),
      texture("sunset", 4, 8, 8, [](u32 x, u32 y) { return 8 * y + x; })};
  std::vector<u16> stones = ramp(rgb(6, 6, 7), rgb(24, 24, 22), 8);
  return textures_of(std::move(all), {palette("bricks_pl", {0, rgb(20, 6, 4), rgb(24, 9, 6), rgb(28, 26, 24)}),
                                      palette("cloth_pl", ramp(rgb(2, 2, 12), rgb(12, 16, 31), 16)),
                                      palette("glow_pl", ramp(rgb(31, 31, 20), rgb(31, 10, 0), 8)),
                                      palette("smoke_pl", ramp(rgb(3, 3, 3), rgb(28, 28, 28), 32)),
                                      palette("stone_pl", std::move(stones)),
                                      palette("sunset_pl", ramp(rgb(31, 24, 8), rgb(6, 2, 16), 64))});
}

Nsbmd swatches() {
  SampleModelBuilder m("swatches");
  m.add(node("swatches"));
  const Textures t = swatch_textures();
  f64 left = -4;
  for (const Texture& x : t.textures) {
    if (x.name == "photo_night") continue;  // a pattern animation brings it
    Material look = material(x.name);
    look.light_0 = 0;
    m.add(look);
    m.dress(x, x.format == k_direct ? "" : x.name + "_pl");
    m.add(x.name, Drawing().color(rgb(31, 31, 31)).quad({left, 0, 0}, {1, 0, 0}, {0, 1, 0}, 8));
    left += 1;
  }
  m.nodedesc(0, 0, 0);
  for (u8 i = 0; i < m.model.materials.size(); ++i) m.draw(i, i);
  return file_of({m.finish()});
}

Nsbtx swatches_textures() {
  Nsbtx f{};
  f.header.version = 1;
  f.textures = swatch_textures();
  return f;
}

/// As tools of others write them: names in any order, the same texels and colours used twice.
Nsbtx posters() {
  Nsbtx f{};
  f.header.version = 1;
  Texture copy = checks("b_side", 2);
  f.textures = textures_of({checks("winter", 2), checks("a_side", 4), std::move(copy)},
                           {palette("winter_pl", {0, rgb(20, 24, 31), rgb(31, 31, 31), 0}),
                            palette("again_pl", {0, rgb(20, 24, 31), rgb(31, 31, 31), 0}),
                            palette("dusk_pl", ramp(rgb(20, 4, 8), rgb(2, 0, 8), 16))});
  return f;
}

std::vector<Sample> nsbmd_samples() {
  Nsbmd old = crate();
  old.header.version = 1;
  old.textures.reset();
  return {
      {"crate.nsbmd", "a textured box with normals and colours: every command of a display list", bytes_of(crate())},
      {"windmill.nsbmd", "turning nodes, textures, water; its animations have the same name", bytes_of(windmill())},
      {"eel.nsbmd", "a skinned creature: blended matrices", bytes_of(eel())},
      {"crane.nsbmd", "two models: the scaling rules of Maya and Softimage", bytes_of(crane())},
      {"meadow.nsbmd", "billboards that face the camera, and upright ones", bytes_of(meadow())},
      {"fountain.nsbmd", "the remaining SBC commands: a list that is called, a hidden node", bytes_of(fountain())},
      {"teapot.nsbmd", "an environment map and a projection map", bytes_of(teapot())},
      {"banners.nsbmd", "four models: texture matrices of Maya, SI3D, 3ds Max and XSI", bytes_of(banners())},
      {"shop_window.nsbmd", "materials: translucent, wireframe, hidden, double-sided, mirrored",
       bytes_of(shop_window())},
      {"swatches.nsbmd", "a model whose textures are in swatches.nsbtx", bytes_of(swatches())},
      {"old_crate.nsbmd", "as old tools write it: version 1, no textures", bytes_of(old)},
  };
}

std::vector<Sample> nsbtx_samples() {
  return {
      {"swatches.nsbtx", "all seven formats, and all four modes of 4x4 blocks", bytes_of(swatches_textures())},
      {"posters.nsbtx", "names in any order, shared texels and colours", bytes_of(posters())},
  };
}

std::span<const SampleList> samples() {
  static constexpr SampleList all[] = {
      {"nsbmd", nsbmd_samples}, {"nsbtx", nsbtx_samples}, {"nsbca", nsbca_samples}, {"nsbtp", nsbtp_samples},
      {"nsbta", nsbta_samples}, {"nsbma", nsbma_samples}, {"nsbva", nsbva_samples},
  };
  return all;
}

}  // namespace dio::nitro
