// edits.cpp: entries that are added, removed and moved, with all references to them. Courses link their lists by index:
// whoever removes a route by hand sends every later object along the wrong one.
#include <algorithm>

#include "core/printing.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kmp/parts.hpp"

namespace dio::kmp {
namespace {

using Done = Result<std::string>;

constexpr size_t k_reachable_respawns = 128;

/// Where each entry of a list goes; nothing for one that goes away.
using Places = std::vector<std::optional<size_t>>;

/// Each index of the course that leads into a section: its path, the index, and what it is for none.
template <class F>
void each_reference(Kmp& k, std::string_view section, F&& f) {
  const auto path = [](const char* list, size_t i, const char* field) {
    return text(list, ".entries[", i, "].", field);
  };
  const auto entries = [&](auto& s, const char* list, auto&& visit) {
    for (size_t i = 0; s && i < s->entries.size(); ++i)
      visit(s->entries[i], [&, i](const char* field) { return path(list, i, field); });
  };
  if (section == "POTI") {
    entries(k.came, "CAME", [&](Camera& c, auto at) { f(at("route"), c.route, k_no_link); });
    entries(k.area, "AREA", [&](Area& a, auto at) { f(at("route"), a.route, k_no_link); });
    entries(k.gobj, "GOBJ", [&](Object& o, auto at) { f(at("route"), o.route, k_no_route); });
  } else if (section == "CAME") {
    entries(k.came, "CAME", [&](Camera& c, auto at) { f(at("next"), c.next, k_no_link); });
    entries(k.area, "AREA", [&](Area& a, auto at) {
      if (a.type == 0) f(at("camera"), a.camera, k_no_link);
    });
    if (k.came) {
      f(std::string("CAME.opening"), k.came->header.opening, k_no_link);
      f(std::string("CAME.selection"), k.came->header.selection, k_no_link);
    }
  } else if (section == "JGPT") {
    entries(k.ckpt, "CKPT", [&](CheckPoint& c, auto at) {
      if (c.respawn < k_reachable_respawns) f(at("respawn"), c.respawn, k_no_link);
    });
  } else if (section == "ENPT") {
    entries(k.area, "AREA", [&](Area& a, auto at) {
      if (a.type == 4) f(at("enemy_point"), a.enemy_point, k_no_link);
    });
  } else if (section == "CKPT") {
    entries(k.ckpt, "CKPT", [&](CheckPoint& c, auto at) {
      f(at("previous"), c.previous, k_no_link);
      f(at("next"), c.next, k_no_link);
    });
  }
  const auto links = [&](auto& groups, const char* list) {
    if (section != list) return;
    entries(groups, list, [&](Group& g, auto at) {
      for (u8& link : g.previous) f(at("previous"), link, k_no_link);
      for (u8& link : g.next) f(at("next"), link, k_no_link);
    });
  };
  links(k.enph, "ENPH"), links(k.itph, "ITPH"), links(k.ckph, "CKPH");
}

/// The groups of the points of a section; null for other sections.
std::vector<Group>* groups_of(Kmp& k, std::string_view section) {
  const auto list = [](auto& s) { return s ? &s->entries : nullptr; };
  return section == "ENPT"   ? list(k.enph)
         : section == "ITPT" ? list(k.itph)
         : section == "CKPT" ? list(k.ckph)
                             : nullptr;
}

/// Checkpoints of a group follow each other; what stood between two of them may have gone.
void link_checkpoints(Kmp& k) {
  if (!k.ckpt || !k.ckph) return;
  std::vector<CheckPoint>& points = k.ckpt->entries;
  for (const Group& g : k.ckph->entries)
    for (size_t i = g.first, end = size_t(g.first) + g.count; i < std::min(end, points.size()); ++i) {
      points[i].previous = i == g.first ? k_no_link : u8(i - 1);
      points[i].next = i + 1 == end ? k_no_link : u8(i + 1);
    }
}

/// Ids that were the index of their entry.
template <class E>
void renumber_ids(std::vector<E>& entries, const std::vector<bool>& was_index) {
  if constexpr (requires(E e) { e.id; } && !std::is_same_v<E, Object>)
    for (size_t i = 0; i < entries.size(); ++i)
      if (was_index[i]) entries[i].id = decltype(entries[i].id)(i);
}

class Change {
 public:
  Change(Kmp& k, std::string section) : k_(k), section_(std::move(section)) {}

  /// `order`: the old index of each new entry; `places`: where the references to an old one lead.
  Done arrange(const std::vector<size_t>& order, const Places& places, std::string done) {
    std::string problem;
    size_t followed = 0, emptied = 0;
    each_reference(k_, section_, [&](const std::string& path, auto& index, auto none) {
      if (index == none || index >= places.size()) return;
      const auto to = places[index];
      const size_t most = section_ == "JGPT" ? k_reachable_respawns : size_t(none);
      if (to && *to >= most && problem.empty()) problem = path;
    });
    if (!problem.empty())
      return refuse("edit.argument", {}, {.message = "the new number of an entry does not fit into " + problem});
    if (auto bad = arrange_groups(order)) return refuse(std::move(*bad));
    each_reference(k_, section_, [&](const std::string&, auto& index, auto none) {
      if (index == none || index >= places.size()) return;
      const auto to = places[index];
      const auto now = to ? std::remove_cvref_t<decltype(index)>(*to) : none;
      if (now != index) ++(to ? followed : emptied);
      index = now;
    });
    with_entries([&](auto& entries) {
      auto old = std::move(entries);
      entries.clear();
      std::vector<bool> was_index;
      for (const size_t i : order) {
        if constexpr (requires { old[i].id; })
          was_index.push_back(old[i].id == i);
        else
          was_index.push_back(false);
        entries.push_back(old[i]);
      }
      renumber_ids(entries, was_index);
    });
    if (section_ == "CKPT") link_checkpoints(k_);
    if (followed) done += "; " + counted(followed, "reference") + (followed == 1 ? " was" : " were") + " renumbered";
    if (emptied) done += "; " + counted(emptied, "reference") + (emptied == 1 ? " is" : " are") + " now empty";
    return done;
  }

  std::optional<size_t> size() {
    std::optional<size_t> n;
    with_entries([&](auto& entries) { n = entries.size(); });
    return n;
  }

 private:
  Kmp& k_;
  std::string section_;

  template <class F>
  void with_entries(F&& f) {
    std::apply(
        [&](auto&... sections) {
          ((sections && section_ == std::remove_reference_t<decltype(*sections)>::k_name ? f(sections->entries)
                                                                                         : void()),
           ...);
        },
        Kmp::typed(k_));
  }

  /// Groups keep their points: what stands after a point of a group is in it, too.
  std::optional<Diagnostic> arrange_groups(const std::vector<size_t>& order) {
    std::vector<Group>* groups = groups_of(k_, section_);
    if (!groups) return {};
    std::vector<Group> now = *groups;
    for (size_t g = 0; g < now.size(); ++g) {
      const size_t first = (*groups)[g].first, end = first + (*groups)[g].count;
      const auto before = size_t(std::ranges::count_if(order, [&](size_t i) { return i < first; }));
      const auto inside = size_t(std::ranges::count_if(order, [&](size_t i) { return first <= i && i < end; }));
      if (before > k_no_link || inside > k_no_link)
        return make_diagnostic("edit.argument", {},
                               {.message = "a group can have at most 255 points, and start at point 255 at most"});
      now[g].first = u8(before), now[g].count = u8(inside);
    }
    *groups = std::move(now);
    return {};
  }
};

struct Chosen {
  Change change;
  size_t size;
  std::string section;
};

/// The section that an edit names, in any case of the letters.
std::optional<Chosen> chosen(Kmp& k, Arguments& a) {
  const std::string section = upper_case(a.text("section"));
  if (a.problem) return {};
  Change change(k, section);
  if (const auto size = change.size()) return Chosen{change, *size, section};
  a.refuse({.message = text("section must be one that the course has, such as POTI, not ", given(a.text("section")))});
  return {};
}

tl::unexpected<Diagnostic> refusal(const Arguments& a) { return refuse(Diagnostic(*a.problem)); }

std::string named(const Chosen& c, i64 from, i64 to) {
  return from == to ? text(c.section, ".entries[", from, "]") : text(c.section, ".entries[", from, "-", to, "]");
}

Done remove(Kmp& k, Arguments a) {
  auto c = chosen(k, a);
  const auto range = a.wholes("entry", 0, c ? i64(c->size) - 1 : 0);
  if (!a.done()) return refusal(a);
  std::vector<size_t> order;
  Places places(c->size);
  for (size_t i = 0; i < c->size; ++i) {
    if (i64(i) >= range.from && i64(i) <= range.to) continue;
    places[i] = order.size();
    order.push_back(i);
  }
  return c->change.arrange(order, places, "removed " + named(*c, range.from, range.to));
}

Done duplicate(Kmp& k, Arguments a) {
  auto c = chosen(k, a);
  const i64 entry = a.whole("entry", 0, c ? i64(c->size) - 1 : 0);
  if (!a.done()) return refusal(a);
  std::vector<size_t> order;
  Places places(c->size);
  for (size_t i = 0; i < c->size; ++i) {
    places[i] = order.size();
    order.push_back(i);
    if (i64(i) == entry) order.push_back(i);
  }
  return c->change.arrange(order, places,
                           text("copied ", named(*c, entry, entry), " to ", named(*c, entry + 1, entry + 1)));
}

Done move(Kmp& k, Arguments a) {
  auto c = chosen(k, a);
  const i64 entry = a.whole("entry", 0, c ? i64(c->size) - 1 : 0), to = a.whole("to", 0, c ? i64(c->size) - 1 : 0);
  if (!a.done()) return refusal(a);
  if (groups_of(k, c->section))
    return refuse("edit.argument", {},
                  {.message = "points of a path cannot be moved: their order is the path; use duplicate and remove"});
  std::vector<size_t> order;
  for (size_t i = 0; i < c->size; ++i)
    if (i64(i) != entry) order.push_back(i);
  order.insert(order.begin() + std::ptrdiff_t(to), size_t(entry));
  Places places(c->size);
  for (size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return c->change.arrange(order, places, text("moved ", named(*c, entry, entry), " to ", named(*c, to, to)));
}

template <Done (*change)(Kmp&, Arguments)>
Done of_course(AnyDocument& d, std::span<const Argument> arguments) {
  Kmp k = value_of<Kmp>(d);  // what is refused changes nothing
  auto done = change(k, Arguments(arguments));
  if (done) edit_of<Kmp>(d) = std::move(k);
  return done;
}

}  // namespace

std::span<const Edit> edits() {
  static constexpr Edit k_edits[] = {
      {"remove", "section=NAME entry=N|FROM..TO",
       "removes entries of a section; references to later ones are renumbered, those to removed ones become empty, and "
       "groups lose the points",
       of_course<remove>},
      {"duplicate", "section=NAME entry=N",
       "puts a copy of an entry after it; references to later ones are renumbered, and a group of the point gets the "
       "copy as well",
       of_course<duplicate>},
      {"move", "section=NAME entry=N to=N", "moves an entry to another index; references follow it", of_course<move>},
  };
  return k_edits;
}

}  // namespace dio::kmp
