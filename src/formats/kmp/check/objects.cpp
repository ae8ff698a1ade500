// objects.cpp: objects and the routes that objects, cameras and moving roads use.
#include "formats/kmp/objects.hpp"

#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_object_rules[] = {
    {"kmp.gobj-id", warning, "objects are known, and there are fewer than 200",
     "For an unknown object the game shows nothing. Many objects slow the game down, and more than 255 work only in "
     "slot 5.3.",
     "Choose an object of the game; `dio explain FILE#GOBJ.entries[0].id` lists them.",
     "316 known objects; wkmpt; kmp-editor", Severities{hint}},
    {"kmp.gobj-route", error, "objects have routes that exist, and have one if they need one",
     "The game reads past the last route, or follows a null pointer. An object that needs no route ignores the one it "
     "has.",
     "Set route to the index of an entry of POTI, or to 65535 for an object without one.", "game code; wkmpt",
     Severities{warning, hint}},
    {"kmp.gobj-scale", warning, "objects have a size",
     "An object with a scale of 0 is invisible. None of 28,108 objects of real courses has one.",
     "Set scale to 1,1,1, or remove the object.", "28,108 objects of real courses"},
    {"kmp.gobj-presence", hint,
     "a solid object appears for one player if it appears for two, and the other way round; every object appears for "
     "some number of players",
     "In an online race, players who share a screen would otherwise meet other obstacles than their opponents. An "
     "object that never appears is switched off; some courses of the game have such objects.",
     "Set the flags for one player and for two players to the same value.", "Custom Mario Kart Wiiki, tested"},
    {"kmp.gobj-xpf", hint, "objects do not use the extensions of LE-CODE",
     "Definitions, conditions and references work only in games that are patched with LE-CODE.",
     "Set the field to 0 if the course is for the unpatched game.", "wkmpt"},
    {"kmp.gobj-coin", warning, "arenas have at least 20 coins at the start, and 20 places where coins reappear",
     "Coin Runners cannot be played otherwise.",
     "Add coins (object 0x073): settings[1] below 50 for a coin at the start, 65535 for a place where coins reappear.",
     "wkmpt", Severities{hint}},
    {"kmp.gobj-slot", hint, "objects work in every slot",
     "Some objects do not work outside the slot of their own course.",
     "Use the object only if the course replaces one of the slots that the message names.", "Custom Mario Kart Wiiki"},
    {"kmp.poti-smooth3", error, "smooth routes have at least 3 points",
     "The game reads the third point to compute the curve.",
     "Add a point, or make the route straight by setting smooth to 0.", "game code"},
    {"kmp.poti-2", warning, "routes along which something moves have at least 2 points",
     "The game reads the second point of such a route.", "Add a second point to the route.", "game code"},
    {"kmp.poti-unused", hint, "every route is used by an object, a camera or a moving road",
     "An unused route does nothing; perhaps the object that should use it names another one.",
     "Let an object, camera or area name the route, or remove it.", "wkmpt"},
    {"kmp.poti-shared", warning, "no route is used by both a camera and an object", "The game may freeze.",
     "Give the camera a copy of the route.", "wkmpt"},
    {"kmp.poti-came-0", hint, "camera routes have a speed at every point but the last",
     "The camera stops where the speed is 0.", "Set the speed of the point above 0 unless the camera should stop.",
     "wkmpt"},
};

constexpr u16 k_coin = 0x073;
constexpr u16 k_coin_starts = 50;  // second setting of a coin: a place to start below this, to come back at 0xFFFF
/// Ids with other uses in the extended presence flags of LE-CODE: conditions up to 0x1FFF, then definitions.
constexpr bool is_extended(u16 id) { return id >= 0x1000 && id < 0x8000; }
constexpr u16 mode_of(const Object& o) { return o.presence >> 12; }

/// Objects that work only in some slots.
struct SlotBound {
  u16 id;
  std::string_view slots;
};
constexpr SlotBound k_slot_bound[] = {
    {0x072, "slots 3.1 and 7.1"}, {0x0CE, "slot 6.2"}, {0x0EA, "slot 6.2"}, {0x144, "slots 3.1 and 7.1"}};

/// Whether nobody meets it.
constexpr bool is_off(const Object& o) { return !is_extended(o.id) && !mode_of(o) && !(o.presence & 7); }

std::string field(size_t i, std::string_view name) { return entry("GOBJ", i, name); }
std::string object_label(const Object& o, const ObjectKind* kind) {
  return kind ? std::string(kind->name) : "object " + format_hex(o.id, 3);
}

void check_object(Check& c, size_t i, const Object& o, size_t routes, bool routes_known) {
  if (o.reference || mode_of(o))
    c.report("kmp.gobj-xpf", field(i, o.reference ? "reference" : "presence"),
             {.message = text(o.reference ? text("reference ", format_hex(o.reference)) : text("mode ", mode_of(o)),
                              " works only in games patched with LE-CODE")});
  if (is_extended(o.id))
    return c.report(
        "kmp.gobj-xpf", field(i, "id"),
        {.message = text("id ", format_hex(o.id), " is a definition or condition of LE-CODE, not an object")});
  const ObjectKind* kind = object_kind(o.id);
  if (!kind)
    c.report(o.id ? warning : hint, "kmp.gobj-id", field(i, "id"),
             {.message = text("unknown object ", format_hex(o.id, 3))});
  if (o.route != k_no_route) {
    if (o.route >= routes && routes_known)
      c.report("kmp.gobj-route", field(i, "route"),
               {.message = text("route ", o.route, " does not exist; POTI has ", format_count(routes, "route"))});
    else if (kind && kind->route == RouteNeed::never)
      c.report(hint, "kmp.gobj-route", field(i, "route"),
               {.message = text(kind->name, " does not use its route ", o.route)});
  } else if (kind && kind->route == RouteNeed::always)
    c.report(warning, "kmp.gobj-route", field(i, "route"), {.message = text(kind->name, " needs a route")});
  if (o.scale.x == 0 || o.scale.y == 0 || o.scale.z == 0)
    c.report("kmp.gobj-scale", field(i, "scale"),
             {.message = object_label(o, kind) + " has no size: its scale is " + format_real(f64(o.scale.x), true) +
                         ", " + format_real(f64(o.scale.y), true) + ", " + format_real(f64(o.scale.z), true)});
  if (mode_of(o)) return;  // the low bits then mean something else
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
               {.message = text("there are ", n, " ", what, " (minimum 20)")});
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
      bound[j] = true;  // one finding for all of a kind
      c.report("kmp.gobj-slot", field(i, "id"),
               {.message = text(object_kind(objects[i].id)->name, " works only in ", k_slot_bound[j].slots)});
    }
  }
  for_each_run(
      0, objects.size(), [&](size_t i) { return is_off(objects[i]); },
      [&](size_t first, size_t last) {
        c.report("kmp.gobj-presence", field(first, "presence"),
                 {.message = first == last ? object_label(objects[first], object_kind(objects[first].id)) +
                                                 " is switched off: it never appears"
                                           : describe_index_range(first, last, "object") +
                                                 " are switched off: they never appear"});
      });
  if (objects.size() >= 200)
    c.report(objects.size() > 255 ? warning : hint, "kmp.gobj-id", c.count_field_path(c.course.gobj),
             {.message = text("there are ", objects.size(), " objects; fewer than 200 are safe"),
              .hint = objects.size() > 255 ? "use slot 5.3" : ""});
  if (c.kind.arena && c.is_reliable(c.course.gobj)) check_coins(c, objects);
}

/// Who uses a route: the last camera, object and area, counted from 1; and whether anything moves along it.
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
    // sounds are heard along the whole route: they need no second point
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
               {.message = text("the camera shares route ", i, " with an object, ", entry("GOBJ", u.object - 1))});
    for (size_t j = 0; u.camera && j + 1 < n; ++j)
      if (!r.points[j].speed) {
        c.report("kmp.poti-came-0", entry("POTI", i, "points[", j, "].speed"),
                 {.message = "the speed at this point of a camera route is 0, so the camera stops there"});
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
