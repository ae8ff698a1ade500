// layouts.hpp: detects the layout of a pack. All packs of 2025 have version 1; their blocks follow each other without
// gaps in only one layout, which identifies it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "formats/splashpack/layout/enum_names.hpp"
#include "layout/load_options.hpp"

namespace dio::splashpack {

/// The sizes of a layout's records, without their targets, and the position of the triangle offset in an object.
struct Sizes {
  u64 header, script, object, triangle, navmesh, nav_triangle, atlas, clut;
  u64 triangles_in_object, triangle_count_in_object;
};
const Sizes& record_sizes(Layout);

/// The evidence for or against a layout.
struct LayoutScore {
  Layout layout;
  bool fits = false;    // descriptors and blocks fill the file, with zeros between them to multiples of 4
  bool inside = false;  // all blocks are in the file, after the descriptors, and no two share bytes
  size_t blocks = 0;    // number of first blocks at their expected positions
  u32 joined = 0;       // per 1,000 non-empty blocks: those that start at the end of the previous block
  std::string reason;   // "objects[1].triangles starts at 0x34 instead of 0x1B4"
};
/// One for each layout that the version allows: all of 2025 for version 1. None if the file is not a pack.
std::vector<LayoutScore> score_layouts(ByteView pack);
/// The layout chosen by the user; otherwise the one that fits. If several or none fit, the most likely: d before
/// others.
Layout detect_layout(ByteView pack, const LoadOptions& = {});
/// The header size of a pack of v20 or later, found from its contents: the smallest size, from 120 bytes up, at which
/// every script and triangle is inside the file and every row of a rotation has length 1. Nothing if there is no such
/// size, or if the pack has neither scripts nor triangles.
std::optional<u64> probe_header_size(ByteView pack);
/// Whether a pack is from PS1Godot, a fork whose headers have other fields under the same version numbers. Source:
/// README.md, Layouts.
bool is_ps1godot_pack(ByteView pack);
/// Why `detect_layout` chose its layout: "the blocks fill the file only in layout d".
std::string explain_layout(ByteView pack);

}  // namespace dio::splashpack
