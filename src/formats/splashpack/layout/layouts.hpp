// layouts.hpp: which layout a pack has. All packs of 2025 have version 1; what tells them apart is that their blocks
// follow each other without a gap in one layout only.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "formats/splashpack/layout/enum_names.hpp"
#include "layout/load_options.hpp"

namespace dio::splashpack {

/// Bytes of a layout's records, what they point to left out, and where in an object its triangles are named.
struct Sizes {
  u64 header, script, object, triangle, navmesh, nav_triangle, atlas, clut;
  u64 triangles_in_object, triangle_count_in_object;
};
const Sizes& record_sizes(Layout);

/// What speaks for or against a layout.
struct LayoutScore {
  Layout layout;
  bool fits = false;    // descriptors and blocks fill the file, with zeros between them to multiples of 4
  bool inside = false;  // all blocks lie in the file, after the descriptors, and no two share bytes
  size_t blocks = 0;    // how many of the first ones lie where they should
  u32 joined = 0;       // of 1,000 blocks that are not empty: those that begin where the one before ends
  std::string reason;   // "objects[1].triangles starts at 0x34 instead of 0x1B4"
};
/// One for each layout that the version allows: all of 2025 for version 1. None if it is no pack.
std::vector<LayoutScore> score_layouts(ByteView pack);
/// The layout that the user chose; else the one that fits. If several do, or none does, the likeliest: d before others.
Layout detect_layout(ByteView pack, const LoadOptions& = {});
/// The header size of a pack of v20 or later, found from its contents: the smallest size, from 120 bytes up, at which
/// every script and triangle is inside the file and every row of a rotation has length 1. Nothing if there is no such
/// size, or if the pack has neither scripts nor triangles.
std::optional<u64> probe_header_size(ByteView pack);
/// Whether a pack is one of PS1Godot, a fork whose headers have other fields under the same version numbers. Source:
/// README.md, Layouts.
bool is_ps1godot_pack(ByteView pack);
/// Why `detect_layout` chose its layout: "the blocks fill the file only in layout d".
std::string explain_layout(ByteView pack);

}  // namespace dio::splashpack
