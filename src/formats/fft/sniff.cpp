// sniff.cpp: recognises files by their names and bytes.
#include <algorithm>
#include <cstring>

#include "core/little_endian.hpp"
#include "formats/fft/game/map_names.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {
namespace {

using enum Sniff::Certainty;

/// Map files are called MAP001.9; the number after the dot only gives their order.
bool has_map_file_name(std::string_view name) {
  if (name.empty()) return false;
  const auto is = parse_map_name(name);
  return is && is->file;
}

/// The minimum size of a part in bytes; 0 if the slot has no known meaning.
u64 min_part_size(size_t slot) {
  using M = Mesh;
  if (slot == M::k_primary_slot) return 8;
  if (slot == M::k_palettes_slot || slot == M::k_palette_frames_slot || slot == M::k_gray_palettes_slot)
    return wire_size<Palettes>();
  if (slot >= M::k_page_slot && slot < M::k_page_slot + k_pages) return k_page_size;
  if (slot == M::k_lights_slot) return wire_size<Lights>();
  if (slot == M::k_terrain_slot) return wire_size<Terrain>();
  if (slot == M::k_texture_animations_slot) return wire_size<TextureAnimations>();
  if (slot == M::k_mesh_animations_slot) return 4;
  if (slot >= M::k_animated_slot && slot < M::k_animated_slot + k_animated_meshes) return 8;
  return slot == M::k_render_slot ? RenderProperties::k_size : 0;
}

}  // namespace

Sniff sniff_gns(ByteView bytes, std::string_view name) {
  constexpr size_t mark = 6, end = 16;
  if (bytes.size() >= k_row_size && bytes[mark] == (k_row_mark & 0xFF) && bytes[mark + 1] == k_row_mark >> 8 &&
      std::equal(k_row_end.begin(), k_row_end.end(), bytes.begin() + end))
    return {certain, "has 33 33 and 55 66 77 88 in the first row"};
  if (name.ends_with(".GNS") || name.ends_with(".gns")) return {possible, "is named .GNS"};
  return {};
}

/// The start of the first part of a mesh; nothing if some slots point outside the file, or all are 0.
static std::optional<u64> find_first_part(ByteView bytes) {
  if (bytes.size() < k_mesh_header) return {};
  u64 first = bytes.size();
  for (size_t slot = 0; slot < k_slots; ++slot) {
    const u64 start = read_u32_le(&bytes[4 * slot]);
    if (!start) continue;
    const u64 size = min_part_size(slot);
    if (!size || start < k_mesh_header || start + size > bytes.size()) return {};
    first = std::min(first, start);
  }
  if (first == bytes.size()) return {};
  return first;
}

Sniff sniff_mesh(ByteView bytes, std::string_view name) {
  const auto first = find_first_part(bytes);
  if (!first) {
    if (bytes.size() >= k_mesh_header && bytes.size() != k_texture_size && has_map_file_name(name))
      return {possible, "has the name of a map file"};
    return name.ends_with(".fft-mesh") ? Sniff{possible, "is named .fft-mesh"} : Sniff{};
  }
  if (*first == k_mesh_header) return {certain, "its 49 slots point to parts of the file or are 0"};
  return {likely, "its 49 slots point into the file or are 0"};
}

Sniff sniff_texture(ByteView bytes, std::string_view name) {
  if (bytes.size() == k_texture_size && has_map_file_name(name))
    return {likely, "has 131072 bytes and the name of a map file"};
  if (name.ends_with(".fft-texture")) return {possible, "is named .fft-texture"};
  return {};
}

}  // namespace dio::fft
