// behaviors.cpp: the tile behaviours that have a name or a flag. Source: pret/pokeplatinum.
#include "formats/platinum/layout/behaviors.hpp"

#include <algorithm>
#include <array>

namespace dio::platinum {
namespace {

using enum TileGroup;
constexpr Behavior k_behaviors[] = {
    {0x00, "none", plain, false, false},
    {0x02, "tall grass", grass, true, false},
    {0x03, "very tall grass", grass, true, false},
    {0x05, "unused x05", plain, true, false},
    {0x06, "unused x06", plain, true, false},
    {0x08, "cave floor", floor, true, false},
    {0x0B, "old chateau floor", floor, true, false},
    {0x0C, "mountain floor", floor, false, false},
    {0x10, "water river", water, true, true},
    {0x11, "unused x11", plain, true, true},
    {0x12, "unused x12", plain, true, true},
    {0x13, "waterfall", water, false, true},
    {0x14, "unused x14", plain, false, true},
    {0x15, "water sea", water, true, true},
    {0x16, "puddle", puddle, false, false},
    {0x17, "shallow water", puddle, false, false},
    {0x19, "unused x19", plain, false, true},
    {0x1D, "puddle no splashing", puddle, false, false},
    {0x20, "ice", slide, false, false},
    {0x21, "sand", sand, false, false},
    {0x22, "unused x22", plain, true, true},
    {0x24, "unused x24", plain, true, false},
    {0x25, "unused x25", plain, true, false},
    {0x2A, "unused x2a", plain, true, true},
    {0x2C, "reflective", puddle, false, false},
    {0x2D, "forbids exploration kit", plain, false, false},
    {0x30, "block eastward", edge, false, false},
    {0x31, "block westward", edge, false, false},
    {0x32, "block northward", edge, false, false},
    {0x33, "block southward", edge, false, false},
    {0x34, "block north and east", edge, false, false},
    {0x35, "block north and west", edge, false, false},
    {0x36, "block south and east", edge, false, false},
    {0x37, "block south and west", edge, false, false},
    {0x38, "jump east", ledge, false, false},
    {0x39, "jump west", ledge, false, false},
    {0x3A, "jump north", ledge, false, false},
    {0x3B, "jump south", ledge, false, false},
    {0x3C, "unknown x3c", plain, false, false},
    {0x3D, "unknown x3d", plain, false, false},
    {0x3E, "unknown x3e", plain, false, false},
    {0x3F, "unknown x3f", plain, false, false},
    {0x40, "slide eastward", slide, false, false},
    {0x41, "slide westward", slide, false, false},
    {0x42, "slide northward", slide, false, false},
    {0x43, "slide southward", slide, false, false},
    {0x49, "block north and south", edge, false, false},
    {0x4A, "block east and west", edge, false, false},
    {0x4B, "rock climb n s", climb, false, false},
    {0x4C, "rock climb e w", climb, false, false},
    {0x50, "unused x50", plain, false, true},
    {0x51, "unused x51", plain, false, true},
    {0x52, "unused x52", plain, false, true},
    {0x53, "unused x53", plain, false, true},
    {0x56, "pastoria gym h ground", dynamic, false, false},
    {0x57, "pastoria gym m ground", dynamic, false, false},
    {0x58, "pastoria gym l ground", dynamic, false, false},
    {0x59, "dynamic height collision", dynamic, false, false},
    {0x5A, "jump north twice", ledge, false, false},
    {0x5B, "jump south twice", ledge, false, false},
    {0x5C, "jump west twice", ledge, false, false},
    {0x5D, "jump east twice", ledge, false, false},
    {0x5E, "warp stairs east", warp, false, false},
    {0x5F, "warp stairs west", warp, false, false},
    {0x60, "unknown x60", plain, false, false},
    {0x62, "warp entrance east", warp, false, false},
    {0x63, "warp entrance west", warp, false, false},
    {0x64, "warp entrance north", warp, false, false},
    {0x65, "warp entrance south", warp, false, false},
    {0x67, "warp panel", warp, false, false},
    {0x69, "door", door, false, false},
    {0x6A, "escalator flip face", warp, false, false},
    {0x6B, "escalator", warp, false, false},
    {0x6C, "warp east", warp, false, false},
    {0x6D, "warp west", warp, false, false},
    {0x6E, "warp north", warp, false, false},
    {0x6F, "warp south", warp, false, false},
    {0x70, "bridge start", bridge, false, false},
    {0x71, "bridge", bridge, false, false},
    {0x72, "bridge over cave", bridge, true, false},
    {0x73, "bridge over water", bridge, false, true},
    {0x74, "bridge over sand", bridge, false, false},
    {0x75, "bridge over snow", bridge, false, false},
    {0x76, "bike bridge n s", bridge, false, false},
    {0x77, "bike bridge n s over encs", bridge, true, false},
    {0x78, "bike bridge n s over water", bridge, false, true},
    {0x79, "bike bridge n s over sand", bridge, false, false},
    {0x7A, "bike bridge e w", bridge, false, false},
    {0x7B, "bike bridge e w over encs", bridge, true, false},
    {0x7C, "bike bridge e w over water", bridge, false, true},
    {0x7D, "bike bridge e w over sand", bridge, false, false},
    {0x80, "table", thing, false, false},
    {0x83, "pc", thing, false, false},
    {0x85, "town map", thing, false, false},
    {0x86, "tv", thing, false, false},
    {0x88, "unknown x88", plain, false, false},
    {0x8E, "unknown x8e", plain, false, false},
    {0x8F, "unknown x8f", plain, false, false},
    {0xA0, "berry patch", thing, false, false},
    {0xA1, "snow deep", snow, false, false},
    {0xA2, "snow deeper", snow, false, false},
    {0xA3, "snow deepest", snow, false, false},
    {0xA4, "mud", mud, false, false},
    {0xA5, "mud deep", mud, false, false},
    {0xA6, "mud with grass", grass, true, false},
    {0xA7, "mud deep with grass", grass, true, false},
    {0xA8, "snow shallow", snow, false, false},
    {0xA9, "snow with shadows", snow, false, false},
    {0xD7, "bike ramp eastward", bike, false, false},
    {0xD8, "bike ramp westward", bike, false, false},
    {0xD9, "bike slope top", bike, false, false},
    {0xDA, "bike slope bottom", bike, false, false},
    {0xDB, "bike parking", bike, false, false},
    {0xE0, "small bookshelf 1", thing, false, false},
    {0xE1, "bookshelf 1", thing, false, false},
    {0xE2, "bookshelf 2", thing, false, false},
    {0xE4, "trash can", thing, false, false},
    {0xE5, "mart shelf 1", thing, false, false},
    {0xEA, "small bookshelf 2", thing, false, false},
    {0xEB, "mart shelf 2", thing, false, false},
    {0xEC, "mart shelf 3", thing, false, false},
};
static_assert(std::ranges::is_sorted(k_behaviors, {}, &Behavior::value));

constexpr auto k_words = [] {
  std::array<EnumName, std::size(k_behaviors) + 1> words{{{k_collision, "collision"}}};
  for (size_t i = 0; i < std::size(k_behaviors); ++i) words[i + 1] = {k_behaviors[i].value, k_behaviors[i].name};
  return words;
}();

}  // namespace

constexpr EnumNames k_tile_words{k_words, true, k_behavior_bits};

std::span<const Behavior> behaviors() { return k_behaviors; }

const Behavior* find_behavior(u8 value) {
  const auto i = std::ranges::lower_bound(k_behaviors, value, {}, &Behavior::value);
  return i != std::end(k_behaviors) && i->value == value ? i : nullptr;
}

std::string behavior_name(u8 value) {
  const Behavior* b = find_behavior(value);
  return b ? std::string(b->name) : "unknown";
}

std::optional<u8> find_behavior_by_name(std::string_view name) {
  for (const Behavior& b : k_behaviors)
    if (b.name == name) return b.value;
  return {};
}

}  // namespace dio::platinum
