// plan.hpp: a map drawn from above, before it has a size: lines and fields in units of the map, signs and names in
// pixels on top of them. bridge/svg puts it on a page.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scene/image.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

/// x and z of the map, in its units: to the right and down on a plan, whose north is -Z, as that of `--camera top`.
using PlanPoint = std::array<f64, 2>;

/// How something is drawn. A stroke or fill that is absent is not drawn.
struct PlanStyle {
  std::string name;  // of letters, digits and hyphens: "checkpoint-key"
  std::optional<Rgba> stroke, fill;
  f32 width = 1;  // of the stroke, in pixels
  f32 dash = 0;   // length of dashes and of the gaps between them, in pixels; 0: none
};

/// Lines, or fields if they are closed.
struct PlanShape {
  Index ink = 0;
  std::vector<std::vector<PlanPoint>> runs = {};
  bool is_closed = false;
  bool has_arrows = false;  // along the runs, in the direction of their points
};

/// A mark of a fixed size.
struct PlanMarker {
  enum class Form : u8 { disc, square, diamond, camera, arrow };
  Index ink = 0;
  Form form = Form::disc;
  PlanPoint at{};
  f32 radius = 4;                      // pixels
  std::optional<PlanPoint> heading{};  // of length 1: which way it faces
  f32 pointer = 0;                     // pixels from its middle to the tip of an arrow along the heading; 0: no arrow
};

/// A name beside a point. It is left out if there is no room for it at any of its places.
struct PlanName {
  /// The name stands `gap` pixels from the point, in the direction, if there is room; else around the point.
  struct LabelAnchor {
    PlanPoint at{};
    PlanPoint direction{1, -1};
    f32 gap = 6;
  };
  std::string text;
  Index ink = 0;  // its stroke is the colour of the text
  std::vector<LabelAnchor> places = {};
  f32 size = 10;  // pixels
  int rank = 0;   // higher ones are placed first
  bool is_bold = false;
  bool is_shared = false;  // equal ones that are near become one: "itembox x5"
};

/// One thing on the map, or a group of things.
struct PlanItem {
  std::string id;          // CKPT-3; unique, of letters, digits and hyphens
  std::string title = {};  // CKPT[3] key 2, respawn 4
  std::vector<PlanShape> shapes = {};
  std::vector<PlanMarker> signs = {};
  std::vector<PlanName> names = {};
  std::vector<PlanItem> items = {};  // drawn after its own shapes
};

/// A line of the legend below that of its layer.
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

/// A layer as users name it, and another name for it: {"ENPT", "ENPH"}. Upper and lower case are the same.
struct PlanLayerName {
  std::string_view id, also = {};
};

struct Plan {
  std::string about;  // race, 3 laps, pole on the left
  std::string unit = "units";
  f64 metres_per_unit = 1;
  std::vector<PlanStyle> inks;
  std::vector<PlanLayer> layers;   // from the bottom up
  std::vector<Index> legend;       // the layers in the order of the legend
  std::vector<PlanPoint> matters;  // what has to be seen: the page is fitted to these points, but for those that lie
                                   // far from the others
  std::vector<PlanPoint> more;     // seen as well if it lies near
};

}  // namespace dio::scene
