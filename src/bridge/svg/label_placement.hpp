// label_placement.hpp: places the names of a plan so that they hide neither each other nor the symbols.
#pragma once
#include <functional>

#include "scene/plan.hpp"

namespace dio::svg {

/// A rectangle of the page, in pixels.
struct Box {
  f64 left = 0, top = 0, right = 0, bottom = 0;
  bool contains(const scene::PlanPoint& p) const {
    return p[0] >= left && p[0] <= right && p[1] >= top && p[1] <= bottom;
  }
};

inline f64 square(f64 x) { return x * x; }

/// The approximate width of a text in pixels, because fonts differ.
f64 width_of(std::string_view text, f64 size, bool is_bold);

/// The covered parts of the map, in cells of a few pixels.
class Covered {
 public:
  explicit Covered(const Box& map);
  void mark_sign_cells(const Box&);
  void mark_name_cells(const Box&);
  void mark_line_cells(const scene::PlanPoint& a, const scene::PlanPoint& b);
  /// The cost of a name at a position: 0 where there is nothing; nothing is returned where it must not be.
  std::optional<f64> placement_cost(const Box&) const;

 private:
  struct Cell {
    bool name = false, sign = false;
    u8 lines = 0;
  };
  struct Range {
    size_t left, top, right, bottom;
  };
  Range cell_range(const Box&) const;
  Box map_;
  size_t across_, down_;
  std::vector<Cell> cells_;
};

struct PlacedName {
  size_t layer;
  const scene::PlanName* name;
  std::string text;
  f64 x, y;            // of the baseline
  const char* anchor;  // start, middle, end
};

/// A name to place, with its points on the page.
struct WantedName {
  size_t layer;
  const scene::PlanName* name;
  bool is_shown;  // the layer is visible: placed before the names of hidden layers
};

struct PlacedNames {
  std::vector<PlacedName> names;
  size_t without_room = 0;  // of visible layers
};
PlacedNames placed(std::vector<WantedName>, const std::function<scene::PlanPoint(const scene::PlanPoint&)>& on_page,
                   const Box& map, Covered&);

}  // namespace dio::svg
