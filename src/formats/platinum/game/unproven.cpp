// unproven.cpp: counts of values in land data that no public file proves. See README.md, "HeartGold and SoulSilver".
#include <map>

#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

/// How often each value occurs; beyond 32 values, only their number.
class Histogram {
 public:
  void add(u64 value) { ++counts_[value]; }
  void write(Value& to, std::string name) const {
    constexpr size_t k_most = 32;
    if (counts_.size() > k_most) {
      to.add(std::move(name), std::to_string(counts_.size()) + " different values");
      return;
    }
    std::string text;
    for (const auto& [value, count] : counts_)
      text += (text.empty() ? "" : ", ") + std::to_string(value) + " (" + std::to_string(count) + ")";
    to.add(std::move(name), text.empty() ? "none" : text);
  }

 private:
  std::map<u64, u64> counts_;
};

}  // namespace

Value count_unproven_values(const GameTables& tables) {
  const Members& lands = tables.files().of(FileRole::lands);
  Histogram marks, plates, unk_2, unk_3, tile_bits, tile_sizes, props, dummy_0, dummy_1, texture_blocks, rest;
  u64 unreadable = 0;
  for (u32 i = 0; i < lands.count(); ++i) {
    const auto bytes = lands.read(i);
    const auto loaded = bytes ? load<LandData>(*bytes) : Result<LoadResult<Document<LandData>>>(refuse(bytes.error()));
    if (!loaded) {
      ++unreadable;
      continue;
    }
    const LandData& land = loaded->document.value();
    if (land.sounds) {
      marks.add(land.sounds->mark);
      plates.add(land.sounds->plates.size());
      for (const SoundPlate& plate : land.sounds->plates) unk_2.add(plate.unk_2), unk_3.add(plate.unk_3);
    }
    tile_sizes.add(land.attributes_size);
    for (const TileRow& row : land.attributes)
      for (const u16 tile : row) tile_bits.add(tile >> 8 & 0x7F);
    props.add(land.props.size());
    for (const Prop& prop : land.props) dummy_0.add(prop.dummy[0]), dummy_1.add(prop.dummy[1]);
    texture_blocks.add(land.model.textures ? 1 : 0);
    u64 unread = 0;
    for (const UnreferencedBytes& piece : loaded->document.residue) unread += piece.bytes.size();
    rest.add(unread);
  }
  Value out = Value::object();
  out.add("lands", u64(lands.count()));
  out.add("unreadable lands", unreadable);
  marks.write(out, "sound marks");
  plates.write(out, "sound plates of a land");
  unk_2.write(out, "sound plate byte 2");
  unk_3.write(out, "sound plate byte 3");
  tile_sizes.write(out, "bytes of tiles");
  tile_bits.write(out, "tile bits 8 to 14");
  props.write(out, "props of a land");
  dummy_0.write(out, "prop word 10");
  dummy_1.write(out, "prop word 11");
  texture_blocks.write(out, "texture blocks of a model");
  rest.write(out, "unreferenced bytes of a land");
  return out;
}

}  // namespace dio::platinum
