// fft_disc.hpp: as many map files as the game's disc has, of the same sizes, made from nothing.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "samples/fft/maps.hpp"

namespace dio::bench {

/// A file of the disc: its place and size.
struct IndexRow {
  u32 lba, size;
  std::string name;
};

/// From a table with the columns lba, bytes, sectors, file; if there is none, 121 maps in which the sizes are as
/// frequent as on the disc [README of the format, X, L].
inline std::vector<IndexRow> disc_index(const char* table) {
  std::vector<IndexRow> rows;
  if (table) {
    std::ifstream file(table);
    for (std::string line; std::getline(file, line);) {
      std::istringstream in(line);
      std::string lba, size, sectors, name;
      if (!std::getline(in, lba, ',') || !std::getline(in, size, ',') || !std::getline(in, sectors, ',') ||
          !std::getline(in, name) || name.empty() || lba.empty() || lba[0] < '0' || lba[0] > '9')
        continue;
      while (!name.empty() && name.back() < ' ') name.pop_back();
      rows.push_back({u32(std::strtoul(lba.c_str(), nullptr, 10)), u32(std::strtoul(size.c_str(), nullptr, 10)), name});
    }
    return rows;
  }
  u32 lba = 10000, small = 0;
  for (u32 map = 0; map < 121; ++map) {
    char name[16];
    u32 number = 8;
    const auto add = [&](u32 size, const std::string& extension) {
      std::snprintf(name, sizeof name, "MAP%03u.", map);
      rows.push_back({lba, size, name + extension});
      lba += (size + 2047) / 2048;
    };
    add(388, "GNS");
    for (u32 i = 0; i < (map < 53 ? 6 : 5); ++i) add(u32(fft::k_texture_size), std::to_string(number++));
    add(20000 + map * 390, std::to_string(number++));  // up to 67 kB
    for (u32 i = 0; i < (map < 70 ? 6 : 5); ++i, ++small)
      add(small % 8 < 4 ? 753 : small % 8 < 6 ? 241 : small % 8 == 6 ? 4342 : 1268, std::to_string(number++));
  }
  return rows;
}

/// A mesh file of that size: parts without polygons if they make it up exactly, else a map with as many polygons as
/// fit.
inline fft::Mesh mesh_of_size(u64 size, const fft::Mesh& model) {
  using namespace fft;
  struct Part {
    u64 size;
    void (*take)(Mesh&, const Mesh&);
  };
  static constexpr Part parts[] = {{512, [](Mesh& m, const Mesh& o) { m.palettes = o.palettes; }},
                                   {45, [](Mesh& m, const Mesh& o) { m.lights = o.lights; }},
                                   {4098, [](Mesh& m, const Mesh& o) { m.terrain = o.terrain; }},
                                   {640, [](Mesh& m, const Mesh& o) { m.texture_animations = o.texture_animations; }},
                                   {512, [](Mesh& m, const Mesh& o) { m.palette_frames = o.palette_frames; }},
                                   {512, [](Mesh& m, const Mesh& o) { m.gray_palettes = o.gray_palettes; }},
                                   {14620, [](Mesh& m, const Mesh& o) { m.mesh_animations = o.mesh_animations; }},
                                   {4096, [](Mesh& m, const Mesh& o) { m.render_properties = o.render_properties; }}};
  for (u32 set = 1; set < 1u << std::size(parts); ++set) {
    u64 end = k_mesh_header;
    for (size_t i = 0; i < std::size(parts); ++i)
      if (set >> i & 1) end = (end + 3) / 4 * 4 + parts[i].size;
    if (end != size) continue;
    Mesh m{};
    for (size_t i = 0; i < std::size(parts); ++i)
      if (set >> i & 1) parts[i].take(m, model);
    m.settle();
    return m;
  }
  Mesh m{};
  m.primary = model.primary;
  for (const Part& p : parts)
    if (bytes_of(m).size() + p.size + 4000 < size) p.take(m, model);
  m.settle();
  Geometry& g = *m.primary;
  const auto quads = g.textured_quads;
  const i64 left = i64(size) - i64(bytes_of(m).size());
  for (i64 i = 0; i < left / 62; ++i) {
    TexturedQuad q = quads[size_t(i) % quads.size()];
    for (auto& p : q.positions) p.y = i16(p.y - 12 * (1 + i / i64(quads.size())));
    g.textured_quads.push_back(q);
  }
  while (left < 0 && !g.textured_quads.empty() && bytes_of(m).size() > size) g.textured_quads.pop_back();
  m.settle();
  return m;
}

/// The files by their names below MAP/.
inline std::map<std::string, Bytes, std::less<>> made_disc(const std::vector<IndexRow>& index) {
  using namespace fft;
  std::map<std::string, Bytes, std::less<>> files;
  const Mesh model = valley_mesh();
  const Bytes texture = bytes_of(valley_texture());
  std::map<std::string, std::vector<IndexRow>> maps;
  for (const IndexRow& row : index) maps[row.name.substr(0, 6)].push_back(row);
  for (auto& [map, rows] : maps) {
    std::sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.lba < b.lba; });
    // The largest mesh is the map, the others are its states.
    const auto is_mesh = [](const IndexRow& r) { return !r.name.ends_with(".GNS") && r.size != k_texture_size; };
    const auto primary = std::max_element(rows.begin(), rows.end(), [&](auto& a, auto& b) {
      return (is_mesh(a) ? a.size : 0) < (is_mesh(b) ? b.size : 0);
    });
    Gns g{};
    bool has_texture = false;
    u32 states = 0;
    for (const IndexRow& row : rows) {
      if (row.name.ends_with(".GNS")) continue;
      GnsRow r{0x22, {}, 1, 0x30, k_row_mark, row.lba, (row.size + 2047) / 2048 * 2048, k_row_end};
      const bool is_first = is_mesh(row) ? &row == &*primary : !has_texture;
      if (!is_mesh(row)) r.type = 0x17, has_texture = true;
      if (is_mesh(row) && is_first) r.type = 0x2E;
      if (!is_first) {
        ++states;
        r.state = {states % 2 == 1, u8(states / 2 % 5), u16(states / 10)};
      }
      g.rows.push_back(r);
      files["MAP/" + row.name] = is_mesh(row) ? bytes_of(mesh_of_size(row.size, model)) : texture;
    }
    if (g.rows.empty()) continue;
    GnsRow filler = g.rows.back();
    filler.type = k_filler;
    g.rows.push_back(filler);
    g.rows.push_back({0x22, {}, 1, k_first_command, k_row_mark, 0, 0, k_row_end});
    g.commands.push_back({});
    files["MAP/" + map + ".GNS"] = bytes_of(g);
  }
  return files;
}

}  // namespace dio::bench
