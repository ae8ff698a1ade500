// damaged.hpp: for each rule a file that breaks it, by as little as possible. For tests only.
#pragma once
#include "engine/broken_file.hpp"
#include "samples/fft/maps.hpp"

namespace dio::fft {

namespace broken {

/// The bytes of a mesh file, changed where a document cannot be.
class File {
 public:
  u32 get(size_t at) const {
    u32 n = 0;
    for (size_t i = 4; i-- > 0;) n = n << 8 | bytes[at + i];
    return n;
  }
  File& set(size_t at, u32 n) {
    for (size_t i = 0; i < 4; ++i, n >>= 8) bytes[at + i] = u8(n);
    return *this;
  }
  /// Zeros.
  File& insert(size_t at, size_t size) {
    bytes.insert(bytes.begin() + std::ptrdiff_t(at), size, 0);
    return *this;
  }
  u32 start(size_t slot) const { return get(4 * slot); }
  File& move(size_t slot, u32 to) { return set(4 * slot, to); }
  Bytes bytes = bytes_of(valley_mesh());
};

}  // namespace broken

/// One for each rule, and one for each way in which a file cannot be read at all.
inline std::vector<test::BrokenFile> broken_files() {
  using broken::File;
  std::vector<test::BrokenFile> all;
  const auto add = [&](std::string_view id, std::string_view path, std::string_view format, Bytes bytes) {
    all.push_back({id, path, format, std::move(bytes)});
  };
  const auto gns = [&](std::string_view id, std::string_view path, auto edit) {
    Gns g = valley_gns(k_valley_lba);
    edit(g);
    add(id, path, "fft-gns", bytes_of(g));
  };
  const auto mesh = [&](std::string_view id, std::string_view path, auto edit) {
    Mesh m = valley_mesh();
    edit(m);
    add(id, path, "fft-mesh", bytes_of(m));
  };
  const auto quad = [&](std::string_view id, std::string_view path, auto edit) {
    mesh(id, path, [&](Mesh& m) { edit(m.primary->textured_quads[0]); });
  };
  const auto tile = [&](std::string_view id, std::string_view path, auto edit) {
    mesh(id, path, [&](Mesh& m) { edit(m.terrain->levels[0][0]); });
  };
  const auto row = [&](std::string_view id, std::string_view path, size_t i, auto edit) {
    mesh(id, path, [&](Mesh& m) { edit(m.texture_animations->rows[i]); });
  };
  const auto record = [&](std::string_view id, std::string_view path, size_t i, auto edit) {
    mesh(id, path, [&](Mesh& m) { edit(m.mesh_animations->records[i]); });
  };

  // ---- not readable ----
  add("layout.truncated", "commands[3].variable", "fft-gns", [] {
    Bytes b = bytes_of(valley_gns(k_valley_lba));
    b.resize(b.size() - GnsCommand::k_end_size);  // no command of type 0
    return b;
  }());
  add("layout.offset", "slots[16]", "fft-mesh", File().move(Mesh::k_primary_slot, 0x00FFFF00).bytes);
  add("layout.count", "primary.textured_quad_count", "fft-mesh", [] {
    File f;
    return f.set(f.start(Mesh::k_primary_slot), 0xFFFF0001).bytes;
  }());
  add("layout.requires", "mesh_animations.records[0]", "fft-mesh", [] {
    File f;
    return f.set(f.start(Mesh::k_mesh_animations_slot), 7).bytes;
  }());

  // ---- the list of files ----
  gns("fft.gns-size", "", [](Gns& g) { g.rows.insert(g.rows.end() - 1, 140, g.rows[6]); });
  gns("fft.gns-row-const", "rows[0].mark", [](Gns& g) { g.rows[0].mark = 0x3334; });
  gns("fft.gns-type", "rows[0].type", [](Gns& g) { g.rows[0].type = 0x32; });
  gns("fft.gns-compare", "rows[2].comparison", [](Gns& g) { g.rows[2].comparison = 0; });
  gns("fft.gns-var", "rows[2].variable", [](Gns& g) { g.rows[2].variable = 0x31; });
  gns("fft.gns-filler", "rows[6].lba", [](Gns& g) { ++g.rows[6].lba; });
  gns("fft.gns-default", "rows", [](Gns& g) { g.rows[1].type = 0x30; });
  gns("fft.gns-dup-state", "rows[2]", [](Gns& g) { g.rows[4].state = g.rows[2].state; });
  gns("fft.gns-unreachable", "rows[4].state.weather", [](Gns& g) { g.rows[4].state.weather = 6; });
  gns("fft.gns-command", "commands[0].type", [](Gns& g) { g.commands[0].type = 0x90; });
  add("fft.tex-size", "pages", "fft-texture", [] {
    Texture t = valley_texture();
    t.pages.pop_back();
    return bytes_of(t);
  }());

  // ---- container ----
  add("fft.mesh-size", "", "fft-mesh", [] {
    File f;
    f.bytes.resize(k_load_buffer + 1);
    return f.bytes;
  }());
  add("fft.ptr-range", "slots[17]", "fft-mesh", File().move(Mesh::k_palettes_slot, 100).bytes);
  add("fft.ptr-align", "slots[44]", "fft-mesh", [] {
    File f;
    const u32 start = f.start(Mesh::k_render_slot);
    return f.insert(start, 2).move(Mesh::k_render_slot, start + 2).bytes;
  }());
  add("fft.ptr-order", "slots[25]", "fft-mesh", [] {
    File f;
    const u32 colors = f.start(Mesh::k_palettes_slot), gray = f.start(Mesh::k_gray_palettes_slot);
    return f.move(Mesh::k_palettes_slot, gray).move(Mesh::k_gray_palettes_slot, colors).bytes;
  }());
  add("fft.ptr-overlap", "slots[31]", "fft-mesh", [] {
    File f;
    return f.move(Mesh::k_gray_palettes_slot, f.start(Mesh::k_palette_frames_slot) + 256).bytes;
  }());
  add("fft.ptr-reserved", "slots[18]", "fft-mesh", File().move(0x12, 0x100).bytes);
  mesh("fft.required", "slots", [](Mesh& m) { m.lights.reset(); });

  // ---- polygons ----
  mesh("fft.poly-count", "animated_3.textured_quads", [](Mesh& m) {
    auto& quads = m.animated[2]->textured_quads;
    quads.resize(710 - m.primary->textured_quads.size(), quads[0]);
  });
  mesh("fft.poly-count-high", "primary.untextured_triangles", [](Mesh& m) {
    auto& triangles = m.primary->untextured_triangles;
    triangles.resize(59, triangles[0]);
  });
  mesh("fft.poly-count-slots", "primary.untextured_triangles", [](Mesh& m) {
    auto& triangles = m.primary->untextured_triangles;
    triangles.resize(65, triangles[0]);
  });
  mesh("fft.polygon-shape", "primary.untextured_quads[0]",
       [](Mesh& m) { m.primary->untextured_quads[0].positions[3].z += 9; });
  mesh("fft.vertex-range", "primary.untextured_triangles[0].positions[1]",
       [](Mesh& m) { m.primary->untextured_triangles[0].positions[1].z += 1000; });
  quad("fft.winding", "primary.textured_quads[0].normals", [](TexturedQuad& q) {
    for (Normal& n : q.normals) n.y.raw = i16(-n.y.raw);
  });
  quad("fft.normal-length", "primary.textured_quads[0].normals[2]", [](TexturedQuad& q) { q.normals[2] = {}; });
  quad("fft.clut-row", "primary.textured_quads[0].palette", [](TexturedQuad& q) { q.palette = 17; });
  quad("fft.tpage", "primary.textured_quads[0].image", [](TexturedQuad& q) { q.image = 2; });
  quad("fft.uv-range", "primary.textured_quads[0].uvs[3]", [](TexturedQuad& q) { q.uvs[3].u = 253; });
  mesh("fft.untex-record", "primary.untextured_quads[0].unread",
       [](Mesh& m) { m.primary->untextured_quads[0].unread[3] = 1; });
  quad("fft.tile-binding", "primary.textured_quads[0].tile", [](TexturedQuad& q) { q.tile.x = 8; });
  quad("fft.terrain-fit", "primary.textured_quads[0].positions", [](TexturedQuad& q) {
    for (Position& p : q.positions) p.y += 6;
  });
  tile("fft.terrain-hole", "primary.textured_quads[0].tile", [](TerrainTile& t) { t.absent = true; });

  // ---- colours ----
  mesh("fft.palette-transparent", "palettes.rows[0][0]", [](Mesh& m) { m.palettes->rows[0][0].red = 1; });
  mesh("fft.gray-mismatch", "gray_palettes.rows[2][5]", [](Mesh& m) { m.gray_palettes->rows[2][5].red ^= 1; });
  mesh("fft.lights", "lights.red[0]", [](Mesh& m) { m.lights->red[0].raw = 2048; });

  // ---- terrain ----
  mesh("fft.terrain-size", "terrain.size_z", [](Mesh& m) { m.terrain->size_z = 0; });
  tile("fft.terrain-surface", "terrain.levels[0][0].surface", [](TerrainTile& t) { t.surface = 0x30; });
  tile("fft.terrain-slope", "terrain.levels[0][0].slope", [](TerrainTile& t) { t.slope = 0x55; });
  tile("fft.terrain-slope-height", "terrain.levels[0][0].slope_height", [](TerrainTile& t) { t.slope_height = 2; });
  tile("fft.terrain-marks", "terrain.levels[0][0].marks", [](TerrainTile& t) { t.marks = 1; });

  // ---- what moves ----
  row("fft.texanim-mode", "texture_animations.rows[0].mode", 0, [](TextureAnimation& a) { a.mode = 0x1E; });
  row("fft.texanim-rect", "texture_animations.rows[0].frame_x", 0, [](TextureAnimation& a) { a.frame_x = 0x2FE; });
  row("fft.texanim-kind", "texture_animations.rows[3].canvas_y", 3, [](TextureAnimation& a) { a.mode = 2; });
  row("fft.texanim-palette", "texture_animations.rows[3].frame_x", 3, [](TextureAnimation& a) { a.frame_x = 13; });
  row("fft.texanim-count", "texture_animations.rows[0].frame_count", 0, [](TextureAnimation& a) { a.frame_count = 1; });
  record("fft.meshanim-records", "mesh_animations.records[0].keyframes", 0,
         [](MeshAnimationRecord& r) { r.keyframes.resize(129); });
  record("fft.meshanim-keyframe", "mesh_animations.records[1].states[1].meshes[2][0].keyframe", 1,
         [](MeshAnimationRecord& r) { r.states[1].meshes[2][0].keyframe = 129; });
  record("fft.meshanim-next", "mesh_animations.records[1].states[1].meshes[2][0].next", 1,
         [](MeshAnimationRecord& r) { r.states[1].meshes[2][0].next = 17; });
  record("fft.meshanim-duration", "mesh_animations.records[1].states[0].meshes[1][1].duration", 1,
         [](MeshAnimationRecord& r) { r.states[0].meshes[1][1].duration = 0; });
  record("fft.meshanim-mode", "mesh_animations.records[0].keyframes[4].modes[4]", 0,
         [](MeshAnimationRecord& r) { r.keyframes[4].modes[4] = 0x02; });
  record("fft.meshanim-parent", "mesh_animations.records[2].links[0].parent", 2,
         [](MeshAnimationRecord& r) { r.links[0].parent = 2; });

  // ---- render properties ----
  mesh("fft.render-header", "render_properties.head", [](Mesh& m) { m.render_properties->head[4] = 0; });
  mesh("fft.render-missing", "primary", [](Mesh& m) { m.render_properties.reset(); });
  mesh("fft.render-unused", "render_properties.unused_textured_quads[3]",
       [](Mesh& m) { m.render_properties->unused_textured_quads[3].unk_14 = 1; });
  quad("fft.render-hidden", "primary.textured_quads[0].render", [](TexturedQuad& q) { q.render.hidden_from = 0xFFF; });
  return all;
}

}  // namespace dio::fft
