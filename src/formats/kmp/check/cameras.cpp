// cameras.cpp: areas and cameras.
#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_camera_rules[] = {
    {"kmp.area-shape", error, "the shape of an area is 0 (box) or 1 (cylinder)",
     "The game does not create an area whose shape is neither 0 nor 1.", "Set `shape` to 0 or 1.",
     "decompiled game (riidefi/mkw, Kinoko); RiiStudio"},
    {"kmp.area-type", warning, "an area's type is 0 to 10", "The game knows only area types 0 to 10.",
     "Set `type` to one of the eleven types; {explain FILE#AREA.entries[0].type} lists them.",
     "decompiled game (riidefi/mkw, Kinoko); RiiStudio"},
    {"kmp.area-came", warning, "a camera area refers to a camera that exists",
     "If the camera does not exist, the game may crash in the opening pan, in the replay or at the end of the race.",
     "Set `camera` to the index of a camera (section CAME), or add the camera.",
     "Wiimm's wkmpt; Custom Mario Kart Wiiki"},
    {"kmp.area-none", warning, "a race course has a camera area",
     "Without a camera area, the game has no camera to show the course after the race.",
     "Add an area of type 0 that refers to a replay camera.", "Custom Mario Kart Wiiki; 316 of 320 real courses"},
    {"kmp.area-3", error, "a moving-road area (type 3) refers to a route that exists",
     "If the route does not exist, the game follows a null pointer.",
     "Set `route` to the index of a route (section POTI).", "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.area-4", warning, "an enemy recalculation area (type 4) refers to an enemy point that exists",
     "If the enemy point does not exist, the game sends the computer-controlled drivers to the wrong place.",
     "Set `enemy_point` to the index of an enemy point (section ENPT).", "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.area-scale", warning, "an area's scale is above 0 in every direction",
     "An area contains nothing and has no effect if its scale is 0 or less in any direction.",
     "Set all three numbers of `scale` to values above 0; a scale of 1 is 10,000 units.", "diorama's own rule"},
    {"kmp.came-opening", warning,
     "the opening pan starts with a camera that exists, continues with cameras of type 4 or 5, and never returns to an "
     "earlier camera",
     "If the opening pan uses a wrong camera, the game crashes, or the pan never ends.",
     "Set `CAME.opening` to the first camera of the pan, and set `next` of the last camera to 255.",
     "Wiimm's wkmpt; the pan ends in 319 of 320 real courses"},
    {"kmp.came-select", hint, "the course preview starts with a camera that exists",
     "Editing tools show the preview camera; the game ignores this setting.",
     "The game needs no fix. To fix the preview in tools, set `CAME.selection` to the index of a camera.",
     "Wiimm's wkmpt"},
    {"kmp.came-goal", hint, "a race has exactly one goal camera (type 0)",
     "The game shows the end of the race with the goal camera, and uses only one goal camera.",
     "Keep or add one camera of type 0. Change the type of any other goal camera.",
     "Wiimm's wkmpt; 310 of 320 real courses", Severities{warning}},
    {"kmp.came-route", warning,
     "a moving camera (types 2, 5 and 6) has a route that exists, and the goal camera has no route",
     "A moving camera without a route does not move. If the route of a camera does not exist, the game reads past the "
     "last route.",
     "Set `route` to the index of a route (section POTI), or to 255 for the goal camera.",
     "Wiimm's wkmpt; decompiled game (riidefi/mkw, Kinoko) for type 2", Severities{hint}},
    {"kmp.came-next", warning, "a camera's `next` field refers to a camera that exists",
     "If the next camera does not exist, the game reads past the last camera.",
     "Set `next` to the index of a camera, or to 255 for none.", "Wiimm's wkmpt"},
    {"kmp.came-type", warning, "a camera's type is 0 to 6",
     "The game knows camera types 0 to 9, but very few courses use types 7 to 9.",
     "Set `type` to a number from 0 to 6; {explain FILE#CAME.entries[0].type} lists them.", "Wiimm's wkmpt; RiiStudio",
     Severities{hint}},
    {"kmp.came-fov", warning, "a camera's field of view is above 0 and below 180 degrees",
     "If the field of view is 0 degrees or less, or 180 degrees or more, the picture is distorted.",
     "Set the field of view to a value above 0 and below 180 degrees.", "318 of 320 real courses"},
};

/// The first version whose files name the first camera of the opening pan.
constexpr u32 k_first_cameras = 1920;

std::string area(size_t i, std::string_view field) { return entry("AREA", i, field); }
std::string camera(size_t i, std::string_view field) { return entry("CAME", i, field); }
std::string missing_entry_message(std::string_view what, u8 n, size_t all, std::string_view section) {
  return n == k_no_link ? text("no ", what, " is set")
                        : text(what, " ", n, " does not exist; ", section, " has ", all,
                               all == 1 ? " entry" : " entries", ", counted from 0");
}

void check_areas(Check& c) {
  const Kmp& k = c.course;
  const size_t cameras = entries(k.came).size(), routes = entries(k.poti).size(), enemies = entries(k.enpt).size();
  const bool cameras_known = c.is_reliable(k.came), routes_known = c.is_reliable(k.poti),
             enemies_known = c.is_reliable(k.enpt);
  const bool has_links = c.has_area_links();
  bool has_camera_area = !c.is_reliable(k.area);
  for (size_t i = 0; i < entries(k.area).size(); ++i) {
    const Area& a = k.area->entries[i];
    if (a.shape > 1)
      c.report("kmp.area-shape", area(i, "shape"),
               {.message = text("the shape is ", a.shape, "; it must be 0 (box) or 1 (cylinder)")});
    if (a.type > 10)
      c.report("kmp.area-type", area(i, "type"), {.message = text("type ", a.type, " is out of range (0 to 10)")});
    has_camera_area |= a.type == 0;
    if (a.type == 0 && a.camera >= cameras && (cameras_known || a.camera == k_no_link))
      c.report("kmp.area-came", area(i, "camera"),
               {.message = missing_entry_message("camera", a.camera, cameras, "CAME")});
    if (has_links && a.type == 3 && (a.route == k_no_link || (a.route >= routes && routes_known)))
      c.report("kmp.area-3", area(i, "route"), {.message = missing_entry_message("route", a.route, routes, "POTI")});
    if (has_links && a.type == 4 && a.enemy_point >= enemies && enemies_known)
      c.report("kmp.area-4", area(i, "enemy_point"),
               {.message = missing_entry_message("enemy point", a.enemy_point, enemies, "ENPT")});
    if (a.scale.x <= 0 || a.scale.y <= 0 || a.scale.z <= 0)
      c.report("kmp.area-scale", area(i, "scale"),
               {.message = text("the scale is ", a.scale.x, ", ", a.scale.y, ", ", a.scale.z,
                                "; each number must be above 0")});
  }
  if (!has_camera_area && !c.kind.arena)
    c.report("kmp.area-none", c.count_field_path(k.area), {.message = "the course has no camera area (type 0)"});
}

void check_opening(Check& c, const std::vector<Camera>& cameras, const FirstCameras& first) {
  std::array<bool, 256> seen{};
  if (first.opening >= cameras.size() || first.opening > 127)  // the game reads it as signed
    return c.report(
        "kmp.came-opening", "CAME.opening",
        {.message = missing_entry_message("camera", first.opening, std::min<size_t>(cameras.size(), 128), "CAME")});
  size_t i = first.opening;
  for (size_t before = i; i < cameras.size() && i < seen.size(); before = i, i = cameras[i].next) {
    if (seen[i])
      return c.report("kmp.came-opening", camera(before, "next"),
                      {.message = text("the opening pan never ends: it returns to camera ", i)});
    seen[i] = true;
    if (cameras[i].type != 4 && cameras[i].type != 5)
      c.report(
          "kmp.came-opening", camera(i, "type"),
          {.message = text("the camera has type ", cameras[i].type, ", but the opening pan shows only types 4 and 5")});
  }
}

void check_camera(Check& c, size_t i, const Camera& a, size_t cameras, size_t routes, bool routes_known) {
  if (a.type > 6)
    c.report(a.type > 9 ? warning : hint, "kmp.came-type", camera(i, "type"),
             {.message = text("type ", a.type, " is out of range (0 to 6)")});
  if (a.next != k_no_link && a.next >= cameras)
    c.report("kmp.came-next", camera(i, "next"), {.message = missing_entry_message("camera", a.next, cameras, "CAME")});
  if (a.route != k_no_link && a.route >= routes && routes_known)
    c.report("kmp.came-route", camera(i, "route"),
             {.message = missing_entry_message("route", a.route, routes, "POTI")});
  else if (a.route != k_no_link && a.type == 0)
    c.report("kmp.came-route", camera(i, "route"),
             {.message = text("the camera has route ", a.route, ", which a goal camera does not use")});
  else if (a.route == k_no_link && travels(a))
    c.report(a.type == 2 ? hint : warning, "kmp.came-route",
             camera(i, "route"),  // some original courses do this for type 2
             {.message = text("the camera has type ", a.type, ", but no route")});
  const auto check_zoom = [&](f32 zoom, std::string_view field) {
    if (zoom <= 0 || zoom >= 180)
      c.report("kmp.came-fov", camera(i, field),
               {.message = text("the field of view is ", degrees(zoom), "; it must be above 0 and below 180")});
  };
  check_zoom(a.zoom_begin, "zoom_begin");
  check_zoom(a.zoom_end, "zoom_end");
}

void check_cameras(Check& c) {
  check_areas(c);
  const Kmp& k = c.course;
  if (!c.is_reliable(k.came)) return;
  const std::vector<Camera>& cameras = entries(k.came);
  const size_t routes = entries(k.poti).size();
  const bool routes_known = c.is_reliable(k.poti);
  size_t goals = 0, last_goal = 0;
  for (size_t i = 0; i < cameras.size(); ++i) {
    check_camera(c, i, cameras[i], cameras.size(), routes, routes_known);
    if (cameras[i].type == 0) ++goals, last_goal = i;
  }
  if (!goals && !c.kind.arena)
    c.report("kmp.came-goal", c.count_field_path(k.came), {.message = "the course has no goal camera (type 0)"});
  else if (goals > 1)
    c.report(warning, "kmp.came-goal", camera(last_goal, "type"),
             {.message = text("the course has ", goals, " goal cameras; the game uses only one")});
  if (!k.came || c.version < k_first_cameras) return;
  check_opening(c, cameras, k.came->header);
  if (k.came->header.selection >= cameras.size())
    c.report("kmp.came-select", "CAME.selection",
             {.message = missing_entry_message("camera", k.came->header.selection, cameras.size(), "CAME")});
}

}  // namespace

constinit const Topic k_camera_checks{k_camera_rules, check_cameras};

}  // namespace dio::kmp
