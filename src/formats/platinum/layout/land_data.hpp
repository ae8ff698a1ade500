// land_data.hpp: one map of 32 x 32 tiles: tiles, props, model and heights. In HeartGold and SoulSilver, sound areas
// come first.
#pragma once
#include "formats/nitro/layout/files.hpp"
#include "formats/platinum/layout/bdhc.hpp"
#include "formats/platinum/layout/behaviors.hpp"
#include "layout/xyz.hpp"

namespace dio::platinum {

inline constexpr u32 k_tiles = 32;             // tiles of a map in each direction
inline constexpr i32 k_tile_units = 16;        // units of a tile
inline constexpr i32 k_half_map = 256;         // units from the middle of a map to its edge
inline constexpr u64 k_prop_size = 48;         // bytes
inline constexpr size_t k_most_props = 32;     // the game ignores the others
inline constexpr u64 k_tiles_buffer = 2048;    // bytes in the game's buffer for tiles
inline constexpr u64 k_model_buffer = 0xF000;  // bytes in the buffer for the model of a map
inline constexpr u64 k_bdhc_buffer = 0x9000;   // bytes in the buffer for the height arrays
inline constexpr u16 k_sounds_mark = 0x1234;   // starts the sounds of HeartGold and SoulSilver

using Vector = Xyz<fx32>;

/// A model on the map.
struct Prop {
  u32 model_id;
  Vector position;
  std::array<u32, 3> rotation;
  Vector scale;
  std::array<u32, 2> dummy;
  static constexpr void make_new(auto& s) { s.scale = {{4096}, {4096}, {4096}}; }
  static constexpr void layout(auto& v, auto& s) {
    v(Key("model_id").doc("number of the prop model").words(k_part<"prop">), s.model_id);
    v(Key("position").unit("units").doc("from the middle of the map: x to the east, y up, z to the south"), s.position);
    v(Key("rotation").unit("1/65536 of a turn").doc("about x, y, z; the game ignores it"), s.rotation);
    v("scale", s.scale);
    v(Key("dummy").doc("the game does not read it; 1 at some doors"), s.dummy);
  }
  constexpr bool operator==(const Prop&) const = default;
};
static_assert(wire_size<Prop>() == k_prop_size);

/// One row of tiles, from west to east.
using TileRow = std::array<u16, k_tiles>;

/// A rectangle of tiles with a sound (HeartGold, SoulSilver).
struct SoundPlate {
  u8 sound, volume, unk_2, unk_3, x0, y0, x1, y1;
  static constexpr void layout(auto& v, auto& s) {
    v("sound", s.sound);
    v("volume", s.volume);
    v("unk_2", s.unk_2);
    v("unk_3", s.unk_3);
    v(Key("x0").unit("tiles"), s.x0);
    v(Key("y0").unit("tiles"), s.y0);
    v(Key("x1").unit("tiles").doc("inclusive"), s.x1);
    v(Key("y1").unit("tiles").doc("inclusive"), s.y1);
  }
};
static_assert(wire_size<SoundPlate>() == 8);
struct Sounds {
  u16 mark, size;
  std::vector<SoundPlate> plates;
  Bytes rest;
  static constexpr void layout(auto& v, auto& s) {
    v("mark", s.mark);
    v(Key("size").unit("bytes").placement(), s.size);
    v.implied(s.size / wire_size<SoundPlate>(), s.plates);
    v("plates", s.plates);
    v.implied(s.size % wire_size<SoundPlate>(), s.rest);
    v("rest", s.rest);
    v.derive(s.size, s.plates.size() * wire_size<SoundPlate>() + s.rest.size());
  }
};

/// A land data file. The game reads the four parts one after another, by the sizes before them.
struct LandData {
  static constexpr std::endian k_order = std::endian::little;
  u32 attributes_size, props_size, model_size, bdhc_size;
  std::optional<Sounds> sounds;
  std::vector<TileRow> attributes;
  Bytes attributes_rest;  // bytes after the last whole row
  std::vector<Prop> props;
  Bytes props_rest;  // bytes after the last whole prop
  nitro::Nsbmd model;
  Bdhc bdhc;

  static constexpr void layout(auto& v, auto& s) {
    constexpr u64 row = sizeof(TileRow);
    v(Key("attributes_size").unit("bytes").placement(), s.attributes_size);
    v(Key("props_size").unit("bytes").placement(), s.props_size);
    v(Key("model_size").unit("bytes").placement(), s.model_size);
    v(Key("bdhc_size").unit("bytes").placement(), s.bdhc_size);
    v.derive(s.attributes_size, s.attributes.size() * row + s.attributes_rest.size());
    v.derive(s.props_size, s.props.size() * k_prop_size + s.props_rest.size());
    v.maybe([&] { return has_sounds(v, s); }, Key("sounds").doc("sound areas, only in HeartGold and SoulSilver"),
            s.sounds);
    v.implied(s.attributes_size / row, s.attributes);
    v(Key("attributes")
          .doc("rows of tiles from north to south: 0x8000 is collision, the low 8 bits are the behaviour")
          .words(k_tile_words),
      s.attributes);
    v.implied(s.attributes_size % row, s.attributes_rest);
    v("attributes_rest", s.attributes_rest);
    v.implied(s.props_size / k_prop_size, s.props);
    v("props", s.props);
    v.implied(s.props_size % k_prop_size, s.props_rest);
    v(Key("props_rest").doc("bytes after the last whole prop"), s.props_rest);
    const u64 model_start = v.here();
    v.nested(s.model_size, "model", s.model);
    v.derive(s.model_size, v.end() - model_start);
    const u64 bdhc_start = v.here();
    v.nested(s.bdhc_size, "bdhc", s.bdhc);
    v.derive(s.bdhc_size, v.end() - bdhc_start);
  }
  /// Derives dependent values in the model, and rebuilds strips that no longer cover the plates.
  void settle() {
    model.settle();
    bdhc.settle();
  }
  void normalise() {
    model.normalise();
    bdhc.normalise();
  }

 private:
  static constexpr bool has_sounds(auto& v, auto& s) {
    const u32 head = v.template peek<u32>();
    return (head & 0xFFFF) == k_sounds_mark &&
           20 + u64(head >> 16) + s.attributes_size + s.props_size + s.model_size + s.bdhc_size == v.total();
  }
};

}  // namespace dio::platinum
