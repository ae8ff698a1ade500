// plan_page.hpp: a plan as an SVG page: the map, fitted to the important points, with its layers as groups; a legend,
// the scale, the coordinates, and as many names as there is room for.
#pragma once
#include <optional>
#include <span>

#include "scene/plan.hpp"

namespace dio::svg {

struct PageOptions {
  u32 width = 0;                        // pixels; 0: 1600, or more if there are many names
  u32 height = 0;                       // 0: as the map needs
  std::string title;                    // the name of the file
  std::string kind;                     // Mario Kart Wii course
  std::vector<std::string> shown = {};  // ids of layers; the others are in the file but hidden. Empty: all
  scene::Rgba ground{255, 255, 255, 255};
};

/// Sets "size" (1600x1200), "background" (as for pictures) or "show" (names of layers separated by commas). Returns an
/// error, if any.
std::optional<std::string> set_option(PageOptions&, std::span<const scene::PlanLayerName>, std::string_view name,
                                      std::string_view value);

struct Page {
  std::string text;
  u32 width = 0, height = 0;
  f64 pixels_per_unit = 0;
  scene::PlanPoint origin{};  // the position of (0, 0) of the map on the page, in pixels
  size_t outside = 0;         // symbols outside the plan, shown at its edge
  size_t unnamed = 0;         // names of visible layers without room
};

Page page_of(const scene::Plan&, const PageOptions&);

}  // namespace dio::svg
