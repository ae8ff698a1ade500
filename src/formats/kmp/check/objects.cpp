// objects.cpp: objects and the routes that objects, cameras and moving roads use.
#include "formats/kmp/objects.hpp"

#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_object_rules[] = {
    {"kmp.gobj-id", warning, "every object has a known id, and a course has fewer than 200 objects",
     "The game does not show an unknown object. Many objects slow the game down, and more than 255 objects work only "
     "in slot 5.3.",
     "Choose an id that the game knows ({explain FILE#GOBJ.entries[0].id} lists them), or remove objects.",
     "316 known objects; Wiimm's wkmpt; Lorenzi's kmp-editor", Severities{hint}},
    {"kmp.gobj-route", error, "an object's route exists, and an object that needs a route has one",
     "If the route that an object needs is missing, the game reads past the last route or follows a null pointer. An "
     "object that needs no route ignores its route.",
     "Set `route` to the index of a route (section POTI), or to 65535 for none.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt", Severities{warning, hint}},
    {"kmp.gobj-scale", warning, "no number of an object's scale is 0",
     "An object with a scale of 0 is invisible. None of the 28,108 objects in real courses has a scale of 0.",
     "Set `scale` to 1,1,1, or remove the object.", "28,108 objects in real courses"},
    {"kmp.gobj-presence", hint,
     "a solid object has equal presence flags for one player and for two players, and every object has at least one "
     "presence flag",
     "If a solid object appears only for one player or only for two players, it exists in online races either only for "
     "players who share a screen or only for their opponents. An object without a presence flag never appears; some "
     "original courses contain objects without presence flags.",
     "Set the presence flags for one player and for two players to the same value.", "Custom Mario Kart Wiiki, tested"},
    {"kmp.gobj-xpf", hint, "objects do not use LE-CODE extensions",
     "LE-CODE definitions, conditions and references work only in games patched with LE-CODE.",
     "If the course is for the unpatched game, set the field to 0.", "Wiimm's wkmpt"},
    {"kmp.gobj-coin", warning, "an arena has at least 20 coins at the start, and 20 places where coins reappear",
     "With fewer than 20 coins or fewer than 20 places, Coin Runners cannot be played.",
     "Add coins (object 0x073): set `settings[1]` to a value below 50 for a coin at the start, or to 65535 for a place "
     "where coins reappear.",
     "Wiimm's wkmpt", Severities{hint}},
    {"kmp.gobj-slot", hint, "objects work in every course slot",
     "Some objects work only in the slot of the original course that contains them.",
     "Use the object only if the course replaces one of the slots named in the message.", "Custom Mario Kart Wiiki"},
    {"kmp.poti-smooth3", error, "a smooth route has at least 3 points",
     "The game reads the third point of a smooth route to compute the curve.",
     "Add a third point, or set `smooth` to 0 to make the route straight.", "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.poti-2", warning, "a route along which something moves has at least 2 points",
     "The game reads the second point of a route even if the route has no second point.",
     "Add a second point to the route.", "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.poti-unused", hint, "every route is used by an object, a camera or a moving road",
     "An unused route has no effect; perhaps the object that should use it refers to another route.",
     "Let an object, camera or area use the route, or remove the route.", "Wiimm's wkmpt"},
    {"kmp.poti-shared", warning, "no route is used by both a camera and an object",
     "If a camera and an object share a route, the game may freeze.", "Give the camera a copy of the route.",
     "Wiimm's wkmpt"},
    {"kmp.poti-came-0", hint, "a camera route has a speed above 0 at every point except the last",
     "If the speed at a point is 0, the camera stops at this point.",
     "Set the speed of the point to a value above 0, unless the camera should stop there.", "Wiimm's wkmpt"},
};

constexpr u16 k_coin = 0x073;
constexpr u16 k_coin_starts =
    50;  // settings[1] of a coin: below this, a coin at the start; 0xFFFF: a place where coins reappear
constexpr bool is_extended(u16 id) { return is_lecode_object(id) || is_lecode_definition(id); }
constexpr u16 mode_of(const Object& o) { return o.presence >> 12; }

/// Objects that work only in some slots.
struct SlotBound {
  u16 id;
  std::string_view slots;
};
constexpr SlotBound k_slot_bound[] = {
    {0x072, "slots 3.1 and 7.1"}, {0x0CE, "slot 6.2"}, {0x0EA, "slot 6.2"}, {0x144, "slots 3.1 and 7.1"}};

/// Whether the object never appears.
constexpr bool is_off(const Object& o) { return !is_extended(o.id) && !mode_of(o) && !(o.presence & 7); }

std::string field(size_t i, std::string_view name) { return entry("GOBJ", i, name); }

void check_object(Check& c, size_t i, const Object& o, size_t routes, bool routes_known) {
  if (o.reference || mode_of(o)) {
    const std::string_view word = k_references.of(o.reference);
    c.report("kmp.gobj-xpf", field(i, o.reference ? "reference" : "presence"),
             {.message = text(o.reference ? text("reference ", format_hex(o.reference)) : text("mode ", mode_of(o)),
                              word.empty() ? "" : text(" (", word, ")"), " works only in games patched with LE-CODE")});
  }
  if (is_extended(o.id))
    return c.report(
        "kmp.gobj-xpf", field(i, "id"),
        {.message = text(
             "id ", format_hex(o.id), " is ",
             is_lecode_object(o.id) ? "an object that exists only in games patched with LE-CODE: " : "not an object: ",
             object_label(o.id))});
  const ObjectKind* kind = object_kind(o.id);
  if (!kind)
    c.report(o.id ? warning : hint, "kmp.gobj-id", field(i, "id"),
             {.message = text("unknown object ", format_hex(o.id, 3))});
  if (o.route != k_no_route) {
    if (o.route >= routes && routes_known)
      c.report("kmp.gobj-route", field(i, "route"),
               {.message = text("route ", o.route, " does not exist; POTI has ", format_count(routes, "route"),
                                ", counted from 0")});
    else if (kind && kind->route == RouteNeed::never)
      c.report(hint, "kmp.gobj-route", field(i, "route"),
               {.message = text(kind->name, " does not use its route ", o.route)});
  } else if (kind && kind->route == RouteNeed::always)
    c.report(warning, "kmp.gobj-route", field(i, "route"), {.message = text(kind->name, " needs a route")});
  if (o.scale.x == 0 || o.scale.y == 0 || o.scale.z == 0)
    c.report("kmp.gobj-scale", field(i, "scale"),
             {.message = object_label(o.id) + " is invisible: its scale is " + format_real(f64(o.scale.x), true) +
                         ", " + format_real(f64(o.scale.y), true) + ", " + format_real(f64(o.scale.z), true)});
  if (mode_of(o)) return;  // the low bits then have another meaning
  if (is_off(o)) return;
  if (kind && kind->solid && (o.presence & 1) != (o.presence >> 1 & 1))
    c.report("kmp.gobj-presence", field(i, "presence"),
             {.message = text(kind->name, " appears for ",
                              o.presence & 1 ? "one player but not for two" : "two players but not for one")});
}

void check_coins(Check& c, const std::vector<Object>& objects) {
  size_t start = 0, back = 0;
  for (const Object& o : objects) {
    if (o.id != k_coin) continue;
    if (o.settings[1] < k_coin_starts)
      ++start;
    else if (o.settings[1] == 0xFFFF)
      ++back;
  }
  const auto report = [&](size_t n, std::string_view what) {
    if (n < 20)
      c.report(n ? hint : warning, "kmp.gobj-coin", c.count_field_path(c.course.gobj),
               {.message = text("the arena has ", n, " ", what, "; the minimum is 20")});
  };
  report(start, "coins at the start");
  report(back, "places where coins reappear");
}

void check_objects(Check& c) {
  const std::vector<Object>& objects = entries(c.course.gobj);
  const size_t routes = entries(c.course.poti).size();
  const bool routes_known = c.is_reliable(c.course.poti);
  std::array<bool, std::size(k_slot_bound)> bound{};
  for (size_t i = 0; i < objects.size(); ++i) {
    check_object(c, i, objects[i], routes, routes_known);
    for (size_t j = 0; j < bound.size(); ++j) {
      if (objects[i].id != k_slot_bound[j].id || bound[j]) continue;
      bound[j] = true;  // one finding for each kind of object
      c.report("kmp.gobj-slot", field(i, "id"),
               {.message = text(object_kind(objects[i].id)->name, " works only in ", k_slot_bound[j].slots)});
    }
  }
  for_each_run(
      0, objects.size(), [&](size_t i) { return is_off(objects[i]); },
      [&](size_t first, size_t last) {
        c.report("kmp.gobj-presence", field(first, "presence"),
                 {.message = first == last ? object_label(objects[first].id) + " is switched off: it never appears"
                                           : describe_index_range(first, last, "object") +
                                                 " are switched off: they never appear"});
      });
  if (objects.size() >= 200)
    c.report(objects.size() > 255 ? warning : hint, "kmp.gobj-id", c.count_field_path(c.course.gobj),
             {.message = text("the course has ", objects.size(), " objects; fewer than 200 are safe"),
              .hint = objects.size() > 255 ? "more than 255 objects work only in slot 5.3" : ""});
  if (c.kind.arena && c.is_reliable(c.course.gobj)) check_coins(c, objects);
}

/// The users of a route: the last camera, object and area, counted from 1; and whether anything moves along it.
struct RouteUse {
  u32 camera = 0, object = 0, area = 0;
  bool moving = false;
};

std::vector<RouteUse> collect_route_uses(const Check& c) {
  const Kmp& k = c.course;
  std::vector<RouteUse> uses(entries(k.poti).size());
  const auto use = [&](u32 RouteUse::* who, size_t route, size_t i, bool moving) {
    if (route >= uses.size()) return;
    uses[route].*who = u32(i + 1);
    uses[route].moving |= moving;
  };
  const auto by_byte = [&](u8 route) { return route == k_no_link ? uses.size() : route; };
  for (size_t i = 0; i < entries(k.came).size(); ++i) {
    const Camera& a = k.came->entries[i];
    use(&RouteUse::camera, by_byte(a.route), i, travels(a));
  }
  for (size_t i = 0; i < entries(k.gobj).size(); ++i) {
    const Object& o = k.gobj->entries[i];
    if (is_extended(o.id)) continue;
    // sounds play along the whole route and need no second point
    const ObjectKind* kind = o.route < uses.size() ? object_kind(o.id) : nullptr;
    use(&RouteUse::object, o.route, i, kind && kind->route == RouteNeed::always && !kind->name.starts_with("sound_"));
  }
  for (size_t i = 0; i < entries(k.area).size() && c.has_area_links(); ++i)
    if (const Area& a = k.area->entries[i]; a.type == 3) use(&RouteUse::area, by_byte(a.route), i, true);
  return uses;
}

void check_routes(Check& c) {
  const std::vector<Route>& routes = entries(c.course.poti);
  if (routes.empty()) return;
  const std::vector<RouteUse> uses = collect_route_uses(c);
  const bool users_known = c.is_reliable(c.course.came) && c.is_reliable(c.course.gobj) &&
                           c.is_reliable(c.course.area) && c.has_area_links();
  const auto is_used = [&](size_t i) { return uses[i].camera || uses[i].object || uses[i].area; };
  if (users_known)
    for_each_run(
        0, routes.size(), [&](size_t i) { return !is_used(i); },
        [&](size_t first, size_t last) {
          c.report("kmp.poti-unused", entry("POTI", first),
                   {.message = text("nothing uses ", describe_index_range(first, last, "route"))});
        });
  for (size_t i = 0; i < routes.size(); ++i) {
    const Route& r = routes[i];
    const RouteUse& u = uses[i];
    const size_t n = r.points.size();
    if (r.smooth && n < 3)
      c.report(
          "kmp.poti-smooth3", entry("POTI", i),
          {.message = text("the route is smooth, but has only ", format_count(n, "point"), "; it needs at least 3")});
    else if ((u.moving && n < 2) || (is_used(i) && !n))
      c.report("kmp.poti-2", entry("POTI", i),
               {.message =
                    text(n ? "the route has one point, but needs 2 for " : "the route has no points, but needs 2 for ",
                         u.camera   ? entry("CAME", u.camera - 1)
                         : u.object ? entry("GOBJ", u.object - 1)
                                    : entry("AREA", u.area - 1))});
    if (u.camera && u.object)
      c.report("kmp.poti-shared", entry("CAME", u.camera - 1, "route"),
               {.message = text("the camera shares route ", i, " with the object ", entry("GOBJ", u.object - 1))});
    for (size_t j = 0; u.camera && j + 1 < n; ++j)
      if (!r.points[j].speed) {
        c.report("kmp.poti-came-0", entry("POTI", i, "points[", j, "].speed"),
                 {.message = "the speed at this point of a camera route is 0: the camera stops there"});
        break;  // one finding for a route
      }
  }
}

}  // namespace

constinit const Topic k_object_checks{k_object_rules, [](Check& c) {
                                        check_objects(c);
                                        check_routes(c);
                                      }};

}  // namespace dio::kmp
