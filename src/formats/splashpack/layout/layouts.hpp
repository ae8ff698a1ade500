// layouts.hpp: which layout a pack has. All packs of 2025 say version 1; what tells them apart is that their blocks lie
// one behind the other without a gap in one layout only.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "formats/splashpack/layout/words.hpp"

namespace dio::splashpack {

/// The sizes of a layout's parts, as the table of specification 1.2 has them.
struct Sizes {
  u64 header, object, triangle, clut;
};
constexpr Sizes sizes_of(Layout l) {
  switch (l) {
    case Layout::a1:
      return {8, 56, 44, 0};
    case Layout::a2:
      return {8, 572, 44, 0};
    case Layout::a3:
      return {12, 56, 52, 520};
    case Layout::b:
    case Layout::b2:
      return {16, 56, 52, 12};
    case Layout::c:
      return {28, 56, 52, 12};
    case Layout::d:
      return {32, 56, 52, 12};
    default:
      return {32, 60, 52, 12};
  }
}

/// What speaks for or against a layout.
struct Verdict {
  Layout layout;
  bool fits = false;    // descriptors and blocks fill the file, with zeros between them to multiples of 4
  bool inside = false;  // all blocks lie in the file, behind the descriptors, and no two share bytes
  size_t blocks = 0;    // how many of the first ones lie where they should
  u32 joined = 0;       // of 1,000 blocks that are not empty: those that begin where the one before ends
  std::string reason;   // "objects[1].triangles at 0x34, expected at 0x1B4"
};
/// One for each layout that the version allows: all of 2025 for version 1. None if it is no pack.
std::vector<Verdict> verdicts(ByteView pack);
/// The layout that fits; if several do, or none does, the likeliest: d before others.
Layout layout_of(ByteView pack);
/// Why `layout_of` says what it says: "the blocks fill the file in layout d only".
std::string reason_of(ByteView pack);

/// While one of these lives, `layout_of` takes the layout from it: what the user says of a file goes before what the
/// file looks like. Of the current thread.
class ToldLayout {
 public:
  explicit ToldLayout(Layout);
  ~ToldLayout();
  ToldLayout(const ToldLayout&) = delete;
  ToldLayout& operator=(const ToldLayout&) = delete;

 private:
  std::optional<Layout> before_;
};

}  // namespace dio::splashpack
