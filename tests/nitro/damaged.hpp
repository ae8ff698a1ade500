// damaged.hpp: for each rule a file that breaks it, by as little as possible. For tests only.
#pragma once
#include "engine/broken_file.hpp"
#include "layout/write_value.hpp"
#include "samples/nitro/models.hpp"
#include "samples/nitro/parts.hpp"

namespace dio::nitro {

namespace broken {

template <class T>
constexpr std::string_view k_id = "";
template <>
inline constexpr std::string_view k_id<Nsbmd> = "nsbmd";
template <>
inline constexpr std::string_view k_id<Nsbtx> = "nsbtx";
template <>
inline constexpr std::string_view k_id<Nsbca> = "nsbca";
template <>
inline constexpr std::string_view k_id<Nsbtp> = "nsbtp";
template <>
inline constexpr std::string_view k_id<Nsbta> = "nsbta";
template <>
inline constexpr std::string_view k_id<Nsbma> = "nsbma";
template <>
inline constexpr std::string_view k_id<Nsbva> = "nsbva";

/// A document with something changed, placed as any edited one.
template <class T>
Bytes edited(T file, auto edit) {
  edit(file);
  Document<T> d;
  d.edit() = std::move(file);
  auto bytes = save(d);
  return bytes ? std::move(*bytes) : Bytes();
}
/// Bytes with one value changed, and nothing that follows from it.
template <class T>
Bytes encoded_value(const T& file, std::string_view path, const Value& value) {
  Bytes bytes = make::bytes_of(file);
  const Bytes before = bytes;
  const TraceResult t = trace<T>(before);
  const auto spot = t.spans.find(path);
  if (!spot || !write_value(bytes, t.spans, *spot, value)) return {};
  return bytes;
}

inline size_t find_command(const Model& m, u8 code, size_t nth = 0) {
  for (size_t i = 0; i < m.sbc.size(); ++i)
    if (m.sbc[i].code == code && nth-- == 0) return i;
  return 0;
}
inline void erase_command(Model& m, u8 code) { m.sbc.erase(m.sbc.begin() + std::ptrdiff_t(find_command(m, code))); }

}  // namespace broken

inline std::vector<test::BrokenFile> broken_files() {
  using namespace broken;
  using namespace make;
  std::vector<test::BrokenFile> all;
  const auto edit = [&]<class T>(std::string_view id, std::string_view path, const T& file, auto change) {
    all.push_back({id, path, k_id<T>, edited(file, change)});
  };
  const auto corrupt_at = [&]<class T>(std::string_view id, std::string_view path, const T& file, const Value& value) {
    all.push_back({id, path, k_id<T>, encoded_value(file, path, value)});
  };
  const auto model = [&](std::string_view id, std::string_view path, const Nsbmd& file, auto change) {
    edit(id, path, file, [&](Nsbmd& f) { change(f.models[0]); });
  };

  // ---- header, dictionaries ----
  corrupt_at("nitro.byte-order", "header.byte_order", crate(), 0xFFFE);
  corrupt_at("nitro.file-version", "header.version", windmill_joints(), 2);
  corrupt_at("nitro.file-size", "header.size", crate(), 99);
  {
    SampleModelBuilder m("pins");  // enough nodes for the tree to matter
    for (int i = 0; i < 17; ++i) m.nodedesc(m.add(node("pin_" + std::to_string(i))), 0);
    all.push_back({"nitro.tree", "models[0].node_dictionary.tree", "nsbmd",
                   encoded_value(file_of({m.finish()}), "models[0].node_dictionary.tree[3].left", 9)});
  }
  corrupt_at("nitro.duplicate-name", "models[0].nodes[2].name", windmill(), "cap");
  corrupt_at("nitro.unsorted-names", "models[0].materials[2].name", windmill(), "aisle");
  corrupt_at("nitro.name", "models[0].nodes[2].name", windmill(), "");

  // ---- models ----
  model("nitro.sbc-index", "models[0].sbc[3].shape", crate(), [](Model& m) { m.sbc[3].index = 7; });
  model("nitro.slot-range", "models[0].sbc[0].store", crate(), [](Model& m) { m.sbc[0].store = 31; });
  model("nitro.slot-unset", "models[0].shapes[0].list", eel(),
        [](Model& m) { m.sbc.erase(m.sbc.begin() + std::ptrdiff_t(find_command(m, sbc::nodemix, 2))); });
  model("nitro.node-order", "models[0].sbc[2].parent", eel(), [](Model& m) { m.sbc[2].parent = 3; });
  model("nitro.weights", "models[0].sbc[4].mix", eel(), [](Model& m) { m.sbc[4].mix[0].weight = 100; });
  model("nitro.envelope-missing", "models[0].envelopes_offset", eel(), [](Model& m) { m.envelopes.clear(); });
  model("nitro.material-unset", "models[0].sbc[2].shape", crate(), [](Model& m) { erase_command(m, sbc::mat); });
  model("nitro.material-never-drawn", "models[0].materials[2]", crate(),
        [](Model& m) { m.materials.push_back(material("zzz")); });
  model("nitro.shape-never-drawn", "models[0].shapes[0]", crate(), [](Model& m) { erase_command(m, sbc::shp); });
  model("nitro.material-use", "models[0].sbc[2].options", crate(), [](Model& m) { m.sbc[2].options = 2; });
  model("nitro.invisible-node", "models[0].sbc[16].visible", windmill(),
        [](Model& m) { m.sbc[find_command(m, sbc::node)].visible = 0; });
  model("nitro.map-material", "models[0].materials[0].texgen", teapot(), [](Model& m) { m.materials[0].texgen = 0; });
  corrupt_at("nitro.first-unused-slot", "models[0].first_unused_slot", crate(), 9);
  corrupt_at("nitro.counts", "models[0].polygon_count", crate(), 9);
  model("nitro.gx-budget", "models[0].polygon_count", crate(), [](Model& m) {
    Drawing d;
    d.begin(Primitive::triangle_strip);
    for (int i = 0; i < 2051; ++i) d.vtx_10({0, i % 2 ? 1.0 : 0, (i % 64) / 64.0});
    m.shapes[0].list = d.end().packed();
  });
  corrupt_at("nitro.box", "models[0].box.height", crate(), 1.5);
  all.back().path = "models[0].box.y";
  corrupt_at("nitro.scale", "models[0].nodes[0].inverse_scale.y", crane(), 1.5);
  corrupt_at("nitro.scaling-rule", "models[0].scaling_rule", crane(), 3);
  corrupt_at("nitro.pivot-index", "models[0].nodes[1].pivot_index", windmill(), 9);
  corrupt_at("nitro.rotation", "models[0].nodes[2].rotation[3]", windmill(), 0.25);
  all.back().path = "models[0].nodes[2].rotation";
  corrupt_at("nitro.node-stack", "models[0].nodes[0].stack", crate(), 3);
  model("nitro.zero-scale", "models[0].nodes[1].scale.z", crane(),
        [](Model& m) { m.nodes[1].scale.z = m.nodes[1].inverse_scale.z = fixed(0); });

  // ---- display lists ----
  const auto list = [&](std::string_view id, Bytes bytes) {
    model(id, "models[0].shapes[1].list", crate(), [&](Model& m) { m.shapes[1].list = std::move(bytes); });
  };
  list("nitro.display-list", {0x29, 0x7F, 0, 0, 0, 0, 0, 0});
  list("nitro.begin-end", Drawing().begin(Primitive::triangles).vtx_10({}).vtx_10({}).vtx_10({}).packed());
  list("nitro.primitive", Drawing().begin(Primitive::quads).vtx_10({}).vtx_10({}).vtx_10({}).end().packed());
  list("nitro.restore-scale", {gx::mtx_restore, 0, 0, 0, 0, 0, 0, 0});
  list("nitro.list-command", {0x29, 0, 0, 0, 0x80, 0, 0x1F, 0});
  corrupt_at("nitro.shape-flags", "models[0].shapes[0].has_color", crate(), 0);
  list("nitro.list-packing", {gx::color, 0, 0, 0, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0});

  // ---- materials ----
  model("nitro.pairing-index", "models[0].textures[0].materials", crate(),
        [](Model& m) { m.textures[0].materials = {5}; });
  model("nitro.pairing-twice", "models[0].textures[0].materials", crate(),
        [](Model& m) { m.textures[0].materials = {0, 0}; });
  model("nitro.texture-missing", "models[0].palettes[0].name", crate(), [](Model& m) { m.palettes[0].name = "gone"; });
  edit("nitro.texture-unnamed", "textures.textures[1].name", crate(), [](Nsbmd& f) {
    f.textures->textures.push_back(f.textures->textures[0]);
    f.textures->textures[1].name = "zzz";
  });
  model("nitro.texture-size", "models[0].materials[0].original_width", crate(),
        [](Model& m) { m.materials[0].original_width = 8; });
  model("nitro.alpha-zero", "models[0].materials[0].alpha", crate(), [](Model& m) { m.materials[0].alpha = 0; });
  model("nitro.flip-without-repeat", "models[0].materials[0].flip_t", crate(),
        [](Model& m) { m.materials[0].flip_t = 1; });
  model("nitro.culled", "models[0].materials[0].show_front", crate(), [](Model& m) { m.materials[0].show_front = 0; });
  corrupt_at("nitro.material-bits", "models[0].materials[0].palette_base", crate(), 2);
  model("nitro.polygon-id", "models[0].materials[0].polygon_id", crate(), [](Model& m) {
    Material& x = m.materials[0];
    x.polygon_mode = 3, x.polygon_id = 4, x.show_front = 0, x.show_back = 1;
  });

  // ---- textures ----
  edit("nitro.texture-format", "textures.textures[0].format", swatches_textures(), [](Nsbtx& f) {
    f.textures.textures[0].format = 0;
    f.textures.textures[0].texels.clear();
  });
  corrupt_at("nitro.vram", "textures.texels_4x4_size", swatches_textures(), 0x9000);
  corrupt_at("nitro.palette-alignment", "textures.palettes[5].offset", swatches_textures(), 33);
  corrupt_at("nitro.palette-flag", "textures.flag_32", swatches_textures(), 0);
  edit("nitro.palette-short", "textures.textures[6]", swatches_textures(),
       [](Nsbtx& f) { f.textures.textures[6].blocks[1] |= 0x3F; });
  corrupt_at("nitro.original-size", "textures.textures[0].original_width", swatches_textures(), 15);

  // ---- animations ----
  corrupt_at("nitro.frames-zero", "animations[0].frames", windmill_patterns(), 0);
  corrupt_at("nitro.track-node", "animations[0].tracks[1].node", crane_joints(), 2);
  edit("nitro.curve-last", "animations[0].tracks[0].scale[1].curve.last", crane_joints(), [](Nsbca& f) {
    ScaleChannel& c = f.animations[0].tracks[0].scale[1];
    c.curve.last = 7;
    c.samples.resize(14, 4096);
  });
  edit("nitro.curve-step", "animations[0].tracks[0].scale[1].curve.step", crane_joints(),
       [](Nsbca& f) { f.animations[0].tracks[0].scale[1].curve.step = 3; });
  edit("nitro.rotation-index", "animations[0].tracks[0].rotation.index", eel_joints(),
       [](Nsbca& f) { f.animations[0].tracks[0].rotation.index = 99; });
  edit("nitro.table-rotation", "animations[0].pivots[1]", crane_joints(),
       [](Nsbca& f) { f.animations[0].pivots[1].a = fixed_16(0.5); });
  edit("nitro.animated-zero-scale", "animations[0].tracks[0].scale[0].value", crane_joints(), [](Nsbca& f) {
    ScaleChannel& c = f.animations[0].tracks[0].scale[0];
    c.value = c.inverse = fixed(0);
  });
  edit("nitro.animated-scale", "animations[0].tracks[0].scale[0].value", crane_joints(),
       [](Nsbca& f) { f.animations[0].tracks[0].scale[0].value = fixed(2); });
  const auto keys = [&](std::string_view id, std::string_view path, auto change) {
    edit(id, path, windmill_patterns(), [&](Nsbtp& f) { change(f.animations[0].materials[0].keys); });
  };
  keys("nitro.pattern-keys", "animations[0].materials[0].keys[2].frame", [](auto& k) { k[2].frame = 12; });
  keys("nitro.pattern-first", "animations[0].materials[0].keys[0].frame", [](auto& k) { k[0].frame = 2; });
  keys("nitro.pattern-frame", "animations[0].materials[0].keys[3].frame", [](auto& k) { k[3].frame = 40; });
  keys("nitro.pattern-index", "animations[0].materials[0].keys[1].palette", [](auto& k) { k[1].palette = 7; });
  corrupt_at("nitro.pattern-ratio", "animations[0].materials[0].ratio", windmill_patterns(), 1.0);
  edit("nitro.pattern-unused", "animations[0].palette_names[2].name", windmill_patterns(),
       [](Nsbtp& f) { f.animations[0].palette_names.push_back({"planks_pl"}); });
  corrupt_at("nitro.matrix-mode", "animations[0].texture_matrix_mode", windmill_textures(), 28);
  edit("nitro.sine-cosine", "animations[0].materials[0].rotation.value", windmill_textures(),
       [](Nsbta& f) { f.animations[0].materials[0].rotation.data = 0x10001000; });
  edit("nitro.color-range", "animations[0].materials[1].alpha.samples[20]", windmill_colors(),
       [](Nsbma& f) { f.animations[0].materials[1].alpha.samples[20] = 32; });
  corrupt_at("nitro.nodes-zero", "animations[0].node_count", windmill_visibility(), 0);
  return all;
}

}  // namespace dio::nitro
