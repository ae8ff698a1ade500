// damaged_land.hpp: for each rule of land data and heights a file that breaks it, by as little as possible. For
// tests only.
#pragma once
#include "engine/broken_file.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"
#include "layout/write_value.hpp"
#include "samples/nitro/models.hpp"
#include "samples/nitro/parts.hpp"
#include "samples/platinum/land.hpp"

namespace dio::platinum {

inline std::vector<test::BrokenFile> broken_lands() {
  std::vector<test::BrokenFile> all;
  const auto units = [](f64 x) { return fx32{i32(x * 4096)}; };
  // A document with something changed, placed as any edited one.
  const auto land = [&](std::string_view id, std::string_view path, auto edit) {
    LandData file = town_land();
    edit(file);
    all.push_back({id, path, "land-data", bytes_of(file)});
  };
  // Bytes with one value changed, and nothing that follows from it.
  const auto poke_land = [&](std::string_view id, std::string_view path, const Value& value,
                             std::string_view place = {}) {
    Bytes bytes = bytes_of(town_land());
    const TraceResult t = trace<LandData>(Bytes(bytes));
    const auto spot = t.spans.find(place.empty() ? path : place);
    if (!spot || !write_value(bytes, t.spans, *spot, value)) bytes.clear();
    all.push_back({id, path, "land-data", std::move(bytes)});
  };
  const auto poke_bdhc_of = [&](const LandData& land_of, std::string_view id, std::string_view path, const Value& value,
                                std::string_view place = {}) {
    Bytes bytes = bytes_of(land_of.bdhc);
    const Bytes before = bytes;
    const TraceResult t = trace<Bdhc>(before);
    const auto spot = t.spans.find(place.empty() ? path : place);
    if (!spot || !write_value(bytes, t.spans, *spot, value)) bytes.clear();
    all.push_back({id, path, "bdhc", std::move(bytes)});
  };
  const auto poke_bdhc = [&](std::string_view id, std::string_view path, const Value& value,
                             std::string_view place = {}) { poke_bdhc_of(town_land(), id, path, value, place); };
  const auto bdhc = [&](std::string_view id, std::string_view path, auto edit) {
    Bdhc file = town_land().bdhc;
    edit(file);
    all.push_back({id, path, "bdhc", bytes_of(file)});
  };

  // ---- sizes ----
  land("platinum.attribute-size", "attributes_size", [](LandData& l) { l.attributes.push_back({}); });
  land("platinum.land-size", "attributes_size", [](LandData&) {});
  all.back().bytes.push_back(0);
  land("platinum.prop-bytes", "props_rest", [](LandData& l) { l.props_rest = {0x0D, 0x0A, 0, 0}; });
  land("platinum.prop-count", "props[32]", [](LandData& l) {
    while (l.props.size() < 33) {
      l.props.push_back(l.props[0]);
      l.props.back().position.x.raw += i32(l.props.size()) * 4096;
    }
  });
  poke_land("platinum.model-size", "model_size", 4000, "model.header.size");
  land("platinum.model-count", "model.models", [](LandData& l) {
    nitro::Model second = l.model.models[0];
    second.name = "map01_01b";
    l.model.models.push_back(std::move(second));
  });
  land("platinum.model-textures", "model.textures", [](LandData& l) {
    const nitro::Nsbtx posters = nitro::posters();
    l.model.textures = posters.textures;
  });
  land("platinum.model-align", "model", [](LandData& l) { l.props_rest = {0x0D, 0x0A}; });

  // ---- tiles ----
  land("platinum.tile-bits", "attributes[20][3]", [](LandData& l) { l.attributes[20][3] |= 0x0400; });
  land("platinum.tile-not-loaded", "attributes[20][3]", [](LandData& l) { l.attributes[20][3] = 0xFF; });
  land("platinum.no-ground", "attributes[0][0]", [](LandData& l) { remove_plate(l.bdhc, 0); });
  land("platinum.height-step", "attributes[15][3]", [](LandData& l) { l.attributes[15][3] = 0; });

  // ---- props ----
  land("platinum.prop-model", "props[0].model_id", [](LandData& l) { l.props[0].model_id = 768; });
  land("platinum.prop-rotation", "props[0].rotation", [](LandData& l) { l.props[0].rotation[1] = 0x4000; });
  land("platinum.prop-scale", "props[0].scale", [](LandData& l) { l.props[0].scale.y.raw = 0; });
  land("platinum.prop-twice", "props[3]", [](LandData& l) { l.props.push_back(l.props[0]); });
  land("platinum.prop-outside", "props[0].position", [&](LandData& l) { l.props[0].position.z = units(288); });
  land("platinum.door-prop", "attributes[20][20]", [](LandData& l) { l.attributes[20][20] = k_door; });
  land("platinum.door-tile", "props[1]", [&](LandData& l) { l.props[1].position.z = units(150); });
  land("platinum.prop-dummy", "props[0].dummy", [](LandData& l) { l.props[0].dummy[0] = 1; });

  // ---- heights ----
  bdhc("platinum.bdhc-size", "access_list", [](Bdhc& b) { b.access_list.resize(19000); });
  poke_bdhc("platinum.bdhc-index", "plates[1].normal", 7);
  poke_bdhc("platinum.plate-upright", "plates[1].normal", 0, "normals[1].y");
  poke_bdhc("platinum.strip-order", "strips[1].scanline", -100);
  poke_bdhc("platinum.strip-cover", "strips[1]", 1, "strips[1].count");
  land("platinum.plates-over-point", "bdhc.plates[14]", [](LandData& l) {
    for (int i = 0; i < 11; ++i) {
      PlateShape p = *find_plate_shape(l.bdhc, 0);
      p.constant.raw -= i * 30 * 4096;
      add_plate(l.bdhc, p);
    }
  });
  bdhc("platinum.plates-near", "plates[6]", [](Bdhc& b) {
    PlateShape p = *find_plate_shape(b, 0);
    p.constant = *raise_plane_constant(p, 10);
    add_plate(b, p);
  });
  bdhc("platinum.normal-length", "normals[1]", [&](Bdhc& b) { b.normals[1].y = units(2); });
  bdhc("platinum.normal-down", "plates[1].normal", [](Bdhc& b) { b.normals[1].y.raw *= -1; });
  bdhc("platinum.plate-empty", "plates[6]", [](Bdhc& b) {
    PlateShape p = *find_plate_shape(b, 0);
    p.high.z = p.low.z;
    add_plate(b, p);
  });
  bdhc("platinum.plate-corners", "plates[0].first_point",
       [](Bdhc& b) { std::swap(b.plates[0].first_point, b.plates[0].second_point); });
  bdhc("platinum.bdhc-unused", "constants[3]", [](Bdhc& b) {
    while (b.constants.size() < 4) b.constants.push_back({i32(b.constants.size()) * 77});
  });
  poke_bdhc("platinum.bdhc-magic", "magic", "HEIG");

  // ---- heights of Diamond and Pearl ----
  const auto triangles = [&](std::string_view id, std::string_view path, auto edit) {
    Bdhc file = diamond_land().bdhc;
    edit(*file.dp);
    all.push_back({id, path, "bdhc", bytes_of(file)});
  };
  poke_bdhc_of(diamond_land(), "platinum.cell-grid", "dp.grid", 2, "dp.grid.rows");
  poke_bdhc_of(diamond_land(), "platinum.cell-strips", "dp.cells[0]", 7, "dp.cells[0].first");
  triangles("platinum.triangle-turned", "dp.triangles[3].corners",
            [](BdhcDp& b) { std::swap(b.triangles[3].corners[0], b.triangles[3].corners[1]); });
  triangles("platinum.triangle-plane", "dp.triangles[0]", [&](BdhcDp& b) { b.points[0].height = units(3); });
  triangles("platinum.heights-cut", "dp.cut", [](BdhcDp&) {});
  all.back().bytes.pop_back();
  return all;
}

}  // namespace dio::platinum
