// plan.hpp: a map drawn from above, independent of size: lines and areas in map units, symbols and names in pixels on
// top of them. bridge/svg renders it to a page.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scene/image.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

/// x and z of the map, in its units: to the right and down on a plan with north (-Z) up, as with `--camera top`.
using PlanPoint = std::array<f64, 2>;

/// A drawing style. A missing stroke or fill is not drawn.
struct PlanStyle {
  std::string name;  // of letters, digits and hyphens: "checkpoint-key"
  std::optional<Rgba> stroke, fill;
  f32 width = 1;  // of the stroke, in pixels
  f32 dash = 0;   // length of dashes and gaps in pixels; 0 for a solid line
};

/// Lines, or areas if they are closed.
struct PlanShape {
  Index ink = 0;
  std::vector<std::vector<PlanPoint>> runs = {};
  bool is_closed = false;
  bool has_arrows = false;  // along the lines, in the direction of their points
};

/// A symbol of a fixed size.
struct PlanMarker {
  enum class Form : u8 { disc, square, diamond, camera, arrow };
  Index ink = 0;
  Form form = Form::disc;
  PlanPoint at{};
  f32 radius = 4;                      // pixels
  std::optional<PlanPoint> heading{};  // of length 1: the direction that it faces
  f32 pointer = 0;                     // pixels from the middle to the tip of an arrow along the heading; 0: no arrow
};

/// A name next to a point. It is left out if none of its positions has room.
struct PlanName {
  /// The preferred position: `gap` pixels from the point, in this direction; otherwise somewhere around the point.
  struct LabelAnchor {
    PlanPoint at{};
    PlanPoint direction{1, -1};
    f32 gap = 6;
  };
  std::string text;
  Index ink = 0;  // the colour of its stroke is used for the text
  std::vector<LabelAnchor> places = {};
  f32 size = 10;  // pixels
  int rank = 0;   // higher ranks are placed first
  bool is_bold = false;
  bool is_shared = false;  // equal names close to each other are merged: "itembox x5"
};

/// An item on the map, or a group of items.
struct PlanItem {
  std::string id;          // CKPT-3; unique, of letters, digits and hyphens
  std::string title = {};  // CKPT[3] key 2, respawn 4
  std::vector<PlanShape> shapes = {};
  std::vector<PlanMarker> signs = {};
  std::vector<PlanName> names = {};
  std::vector<PlanItem> items = {};  // drawn after its own shapes
};

/// A line of the legend below the line of its layer.
struct LegendRow {
  enum class Sample : u8 { line, field, disc, square, diamond, camera, arrow, none } sample = Sample::none;
  Index ink = 0;
  std::string text = {}, count = {};
};

struct PlanLayer {
  std::string id;     // CKPT
  std::string name;   // checkpoints
  std::string count;  // for the legend: "24"
  std::vector<PlanItem> items;
  std::vector<LegendRow> legend;
};

/// A layer by its user-visible name and an alternative: {"ENPT", "ENPH"}. Case does not matter.
struct PlanLayerName {
  std::string_view id, also = {};
};

struct Plan {
  std::string about;  // race, 3 laps, pole on the left
  std::string unit = "units";
  f64 metres_per_unit = 1;
  std::vector<PlanStyle> inks;
  std::vector<PlanLayer> layers;   // from the bottom up
  std::vector<Index> legend;       // the layers in legend order
  std::vector<PlanPoint> matters;  // important points: the page is fitted to them, except for points that are
                                   // far from all others
  std::vector<PlanPoint> more;     // included if close enough
};

}  // namespace dio::scene
