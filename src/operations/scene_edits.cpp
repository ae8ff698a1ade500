#include "operations/scene_edits.hpp"

#include <algorithm>
#include <set>

#include "core/printing.hpp"
#include "core/sorting.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/moves.hpp"
#include "layout/path_steps.hpp"
#include "operations/operations.hpp"
#include "scene/placing.hpp"
#include "scene/units.hpp"

namespace dio {

namespace {

using scene::Index;
using scene::k_none;

/// `object 3` of `object 3.001`, as programs name copies.
std::string_view without_number(std::string_view name) {
  const size_t dot = name.find_last_of('.');
  if (dot == name.npos || name.size() - dot < 4) return name;
  return name.find_first_not_of("0123456789", dot + 1) == name.npos ? name.substr(0, dot) : name;
}

bool is_element(std::string_view path) { return path.ends_with(']'); }
/// The list of an element, and its index in it.
std::pair<std::string, u64> split(std::string_view path) {
  const size_t open = path.find_last_of('[');
  std::string_view index = path.substr(open);
  return {std::string(path.substr(0, open)), take_index(index).value_or(0)};
}

/// Paths as they are when elements before them are gone.
class Renumbered {
 public:
  explicit Renumbered(const std::vector<std::string>& removed) {
    for (const std::string& path : removed) {
      const auto [list, index] = split(path);
      gone_[list].push_back(index);
    }
  }
  std::string now(std::string_view path) const {
    return *followed(path, [&](const std::string& list, u64 index) -> std::optional<u64> {
      const auto gone = gone_.find(list);
      if (gone == gone_.end()) return index;
      return index - u64(std::ranges::count_if(gone->second, [&](u64 g) { return g < index; }));
    });
  }

 private:
  std::map<std::string, std::vector<u64>> gone_;  // by list, as it was
};

/// Elements that stand later come first, and what is inside an element comes before the element.
bool is_later(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto i = take_index(a), j = take_index(b);
    if (i && j) {
      if (*i != *j) return *i > *j;
      continue;
    }
    if (a.front() != b.front()) return a.front() > b.front();
    a.remove_prefix(1), b.remove_prefix(1);
  }
  return a.size() > b.size();
}

bool is_near(const scene::Affine& a, const scene::Affine& b) {
  f64 size = 1, far = 0;
  for (size_t i = 0; i < 3; ++i) {
    size = std::max({size, std::fabs(a.origin[i]), std::fabs(b.origin[i])});
    far = std::max(far, std::fabs(a.origin[i] - b.origin[i]));
    for (size_t c = 0; c < 3; ++c)
      far = std::max(far, size * std::fabs(a.linear.columns[c][i] - b.linear.columns[c][i]));
  }
  return far < 1e-5 * size;
}

class Taker {
 public:
  Taker(Editing& editing, const ReadAs& as, scene::Scene& edited, Referrers referrers)
      : e_(editing), file_(editing.document()), as_(as), edited_(edited), referrers_(referrers) {}

  Result<SceneEdits> run() {
    auto staged = scenes().to_scene(file_, {});
    if (!staged) return refuse(std::move(staged.error()));
    own_ = std::move(staged->scene);
    scene::to_units(edited_, own_.metres_per_unit);
    own_places_ = scene::places_of(own_), places_ = scene::places_of(edited_);
    if (auto matched = match(); !matched) return refuse(std::move(matched.error()));
    const auto made = e_.together([&]() -> Result<bool> {
      if (auto done = move(); !done) return done;
      if (auto done = remove(); !done) return done;
      if (auto done = copy(); !done) return done;
      return add();
    });
    if (!made) {
      Diagnostic why = made.error();
      if (!doubt_.empty()) why.hint += (why.hint.empty() ? "" : "; ") + ("is it a scene of this file? " + doubt_);
      return refuse(std::move(why));
    }
    if (!doubt_.empty() && result_.any())
      result_.notes.push_back(
          make_diagnostic(Severity::warning, "scene.other", {}, {.message = doubt_ + ": is it a scene of this file?"}));
    return std::move(result_);
  }

 private:
  const Scenes& scenes() const { return *as_.format->scenes; }
  const scene::Node& own(Index i) const { return own_.nodes[i]; }
  std::string_view path_of(Index own) const { return path_in(own_.nodes[own].extras); }

  /// Which nodes of the edited scene are which of the file.
  Result<bool> match() {
    std::map<std::string_view, Index> by_path, by_name;
    std::set<std::string_view> ambiguous;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      const std::string_view path = path_of(i);
      // Of several nodes with one path, the one that can be placed counts.
      if (!path.empty() && (is_placed(scenes(), own(i)) || !by_path.contains(path))) by_path[path] = i;
      if (!by_name.try_emplace(own(i).name, i).second) ambiguous.insert(own(i).name);
    }
    for (const std::string_view name : ambiguous) by_name.erase(name);
    there_.resize(own_.nodes.size());
    of_.assign(edited_.nodes.size(), k_none);
    bool any = false;
    std::vector<std::string> absent;
    size_t same = 0, renamed = 0;  // of those known by their paths
    for (Index i = 0; i < edited_.nodes.size(); ++i) {
      const scene::Node& n = edited_.nodes[i];
      const std::string_view path = path_in(n.extras);
      const Value* kind = n.extras.find("kind");
      auto found = path.empty() ? by_path.end() : by_path.find(path);
      if (found != by_path.end() && kind) {
        const Value* own_kind = own(found->second).extras.find("kind");
        if (own_kind && own_kind->text() != kind->text()) found = by_path.end();  // another node of the same value
      }
      if (found != by_path.end())
        ++(own(found->second).name == without_number(n.name) ? same : renamed);
      else if (!path.empty() && !is_no_part(i) && !e_.spans().find(path))
        absent.emplace_back(path);
      if (found == by_path.end()) {
        found = by_name.find(n.name);
        if (found == by_name.end()) found = by_name.find(without_number(n.name));
        if (found == by_name.end()) continue;
        // With the extras of something else it is not meant.
        if (!path.empty() && path != path_of(found->second)) continue;
      }
      of_[i] = found->second;
      there_[found->second].push_back(i);
      any |= !path_of(found->second).empty();
    }
    if (!any)
      return refuse(
          "scene.source", {},
          {.message = "no node of the scene comes from this file",
           .hint = "export a scene that `dio convert` made of it, with custom properties if the program asks"});
    if (!absent.empty())
      doubt_ = "it has " + first_few(absent) + ", which this file does not have";
    else if (renamed > same && !edited_.extras.find(k_digest_in_scenes))
      doubt_ = "most of its nodes have other names than in this file";
    // The first is the one that has the name of the original, if one has.
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      auto& all = there_[i];
      const auto same = std::ranges::find_if(all, [&](Index n) { return edited_.nodes[n].name == own(i).name; });
      if (same != all.end()) std::rotate(all.begin(), same, same + 1);
    }
    return true;
  }

  Diagnostic at(Diagnostic d, std::string_view node) const {
    d.place.path = std::string(node);
    return d;
  }

  /// The values that bring an element to where a node of the edited scene is; none if it is there.
  Result<std::vector<Assignment>> values_for(Index own_node, Index node) {
    const Index parent = own(own_node).parent, edited_parent = edited_.nodes[node].parent;
    const scene::Pose before = scene::pose_of(own(own_node));
    // Below the same node, where that was, it is where it says: a transform that was taken apart may be another one.
    const bool is_below_same = edited_parent == k_none ? parent == k_none
                                                       : parent != k_none && of_[edited_parent] == parent &&
                                                             is_near(own_places_[parent], places_[edited_parent]);
    if (is_below_same && is_same_place(before, scene::pose_of(edited_.nodes[node]))) return std::vector<Assignment>();
    const auto back =
        parent == k_none ? scene::Affine{} : scene::inverse(own_places_[parent]).value_or(scene::Affine{});
    const scene::Affine place = back * places_[node];
    // Programs that know no hidden nodes give them no size.
    if (scene::determinant(place.linear) == 0 && scene::determinant(scene::affine_of(before).linear) != 0)
      return std::vector<Assignment>();
    const std::string& name = edited_.nodes[node].name;
    const std::optional<scene::Pose> after =
        is_below_same ? scene::pose_of(edited_.nodes[node]) : scene::pose_of(place);
    if (!after) return refuse("scene.place", name, {.message = "it is skewed, which the file cannot state"});
    if (is_same_place(before, *after)) return std::vector<Assignment>();
    const auto values = scenes().place(file_, {own(own_node).extras, before, *after});
    if (!values) return refuse(at(values.error(), name));
    std::vector<Assignment> out;
    for (const Argument& a : *values) out.push_back({a.name, a.value});
    return out;
  }

  Result<bool> move() {
    std::vector<Assignment> all;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (there_[i].empty() || !is_placed(scenes(), own(i))) continue;
      const auto values = values_for(i, there_[i].front());
      if (!values) return refuse(values.error());
      if (values->empty()) continue;
      ++result_.moved;
      all.insert(all.end(), values->begin(), values->end());
    }
    if (all.empty()) return true;
    if (auto made = e_.set(all); !made) return refuse(std::move(made.error()));
    return true;
  }

  /// Whether a node was taken out of the scene, and is not only missing together with what it was below.
  bool is_deleted(Index i) const {
    if (!there_[i].empty()) return false;
    const Index parent = own(i).parent;
    if (parent != k_none) return !there_[parent].empty() || goes_[parent];
    for (Index n = 0; n < own_.nodes.size(); ++n)  // beside what is still there
      if (own(n).parent == k_none && n != i && !there_[n].empty()) return true;
    return false;
  }

  Result<bool> remove() {
    // An element that is shown by a node above those of its parts goes with all of them: a route, a group of points.
    std::vector<u32> parts(own_.nodes.size()), gone_parts(own_.nodes.size());
    for (Index i = u32(own_.nodes.size()); i-- > 0;) {
      const bool counts = is_placed(scenes(), own(i)) || (parts[i] && is_element(path_of(i)));
      if (!counts || own(i).parent == k_none) continue;
      ++parts[own(i).parent];
      gone_parts[own(i).parent] += there_[i].empty();
    }
    goes_.assign(own_.nodes.size(), false);
    u64 kept = 0;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (!is_element(path_of(i))) continue;
      const bool placed = is_placed(scenes(), own(i));
      if (!placed && !(parts[i] && gone_parts[i] == parts[i])) continue;
      goes_[i] = is_deleted(i);
      kept += placed && there_[i].empty() && !goes_[i];
      if (!goes_[i]) continue;
      const bool is_inside =
          std::ranges::any_of(removed_, [&](const std::string& r) { return path_of(i).starts_with(r + "."); });
      if (!is_inside) removed_.emplace_back(path_of(i));
      result_.removed += placed;
    }
    if (kept)
      result_.notes.push_back(make_diagnostic(
          Severity::hint, "scene.kept", {},
          {.message = counted(kept, "element") + " of the file " + (kept == 1 ? "is" : "are") +
                      " not in the scene, and neither is the node they were below; they stay as they are"}));
    if (removed_.empty()) return true;
    if (auto made = e_.remove(removed_, referrers_); !made) return refuse(std::move(made.error()));
    return true;
  }

  Result<bool> copy() {
    std::vector<Index> originals;
    for (Index i = 0; i < own_.nodes.size(); ++i)
      if (there_[i].size() > 1 && is_placed(scenes(), own(i)) && is_element(path_of(i))) originals.push_back(i);
    sort_stably(originals, [&](Index a, Index b) { return is_later(path_of(a), path_of(b)); });
    const Renumbered renumbered(removed_);
    for (const Index i : originals) {
      const std::string path = renumbered.now(path_of(i));
      const auto [list, index] = split(path);
      const std::string copied = list + "[" + std::to_string(index + 1) + "]";
      for (size_t c = there_[i].size(); c-- > 1;) {
        const Index node = there_[i][c];
        auto values = values_for(i, node);
        if (!values) return refuse(values.error());
        if (auto made = e_.duplicate(path); !made) return refuse(at(made.error(), edited_.nodes[node].name));
        ++result_.added;
        for (Assignment& a : *values) a.path = copied + a.path.substr(path_of(i).size());
        if (values->empty()) continue;
        if (auto made = e_.set(*values); !made) return refuse(at(made.error(), edited_.nodes[node].name));
      }
    }
    return true;
  }

  /// The list whose elements have their nodes directly below a node; empty if there is none.
  std::string list_below(Index section) const {
    std::string list;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (own(i).parent != section || !is_placed(scenes(), own(i)) || !is_element(path_of(i))) continue;
      const std::string of = split(path_of(i)).first;
      if (!list.empty() && of != list) return {};
      list = of;
    }
    return list;
  }

  /// Whether a node, or one above it, shows another file, or what a check or a simulation has found.
  bool is_no_part(Index i) const {
    for (; i != k_none; i = edited_.nodes[i].parent)
      if (edited_.nodes[i].extras.find("file") || edited_.nodes[i].extras.find("rule")) return true;
    return false;
  }

  Result<bool> add() {
    std::vector<std::string> left_out;
    const Renumbered renumbered(removed_);
    for (Index i = 0; i < edited_.nodes.size(); ++i) {
      const scene::Node& n = edited_.nodes[i];
      if (of_[i] != k_none || is_no_part(i)) continue;
      if (is_beside(scenes(), n)) continue;
      const Index section = n.parent == k_none ? k_none : of_[n.parent];
      const std::string list = section == k_none ? std::string() : renumbered.now(list_below(section));
      if (list.empty()) {
        if (n.mesh != k_none) left_out.push_back(n.name);
        continue;
      }
      const auto spot = e_.spans().find(list);
      const u64 at_end = spot ? e_.spans().length(spot->span) : 0;
      const std::string element = list + "[" + std::to_string(at_end) + "]";
      Destination to;
      if (at_end) to.after = at_end - 1;
      if (auto made = e_.add(list, {}, to); !made) return refuse(at(made.error(), n.name));
      ++result_.added;
      // What its extras say of fields that it has.
      std::vector<Assignment> fields;
      for (const auto& [name, value] : n.extras.members()) {
        const bool is_number = value.is(Value::Kind::integer) && e_.spans().find(element + "." + name);
        if (!is_number) continue;
        fields.push_back({element + "." + name, value});
      }
      if (!fields.empty())
        if (auto made = e_.set(fields); !made) return refuse(at(made.error(), n.name));
      const auto back = scene::inverse(own_places_[section]).value_or(scene::Affine{});
      const auto pose = scene::pose_of(back * places_[i]);
      if (!pose) return refuse("scene.place", n.name, {.message = "it is skewed, which the file cannot state"});
      std::vector<Argument> told;
      const auto tell = [&](const char* name, const auto& numbers) {
        std::string text;
        for (const f32 x : numbers) text += (text.empty() ? "" : ",") + real_digits(f64(x), true);
        told.push_back({name, std::move(text)});
      };
      tell("translation", pose->translation), tell("rotation", pose->rotation), tell("scale", pose->scale);
      if (auto made = e_.place(element, told); !made) return refuse(at(made.error(), n.name));
    }
    if (left_out.empty()) return true;
    result_.notes.push_back(
        make_diagnostic(Severity::hint, "scene.new", {},
                        {.message = "the file has no place for what is new in the scene: " + first_few(left_out),
                         .hint = "copy a node of the file, or put the new one below the node of a section"}));
    return true;
  }

  Editing& e_;
  const AnyDocument& file_;  // before the edits
  const ReadAs& as_;
  scene::Scene& edited_;
  Referrers referrers_;
  scene::Scene own_;
  std::vector<scene::Affine> own_places_, places_;
  std::vector<std::vector<Index>> there_;  // by node of the file: those of the edited scene, copies after the original
  std::vector<Index> of_;                  // by node of the edited scene
  std::string doubt_;                      // why the scene may be of another file
  std::vector<bool> goes_;
  std::vector<std::string> removed_;
  SceneEdits result_;
};

}  // namespace

Result<SceneEdits> take_scene(Editing& editing, const ReadAs& as, scene::Scene edited, Referrers referrers) {
  return Taker(editing, as, edited, referrers).run();
}

namespace {

Result<PutBack> put_vertices_back(Opened& file, scene::Scene edited, SaveOptions options) {
  auto taken = from_scene(file, std::move(edited));
  if (!taken) return refuse(std::move(taken.error()));
  std::string what =
      counted(taken->changed, "polygon") + " changed, " + std::to_string(taken->unchanged) + " unchanged";
  if (taken->added) what += ", " + std::to_string(taken->added) + " added";
  if (taken->removed) what += ", " + std::to_string(taken->removed) + " removed";
  PutBack out{copy_of(file.bytes), std::move(what), {}, std::move(taken->notes)};
  if (!taken->any()) return out;
  auto saved = file.document->save(options);
  if (!saved) {
    saved.error().place.file = file.name;
    return refuse(std::move(saved.error()));
  }
  out.bytes = std::move(*saved);
  return out;
}

Result<PutBack> put_places_back(const Opened& file, scene::Scene edited, SaveOptions options, Referrers referrers) {
  const ReadAs as{file.format, file.options};
  const auto of_file = [&](Diagnostic d) {
    if (d.place.file.empty()) d.place.file = file.name;
    return refuse(std::move(d));
  };
  auto editing = Editing::begin(file, {.lossy = options.lossy});
  if (!editing) return of_file(std::move(editing.error()));
  auto taken = take_scene(*editing, as, std::move(edited), referrers);
  if (!taken) return refuse(std::move(taken.error()));
  auto bytes = taken->any() ? editing->save(options) : Result<Bytes>(copy_of(file.bytes));
  if (!bytes) return of_file(std::move(bytes.error()));
  taken->notes.insert(taken->notes.end(), editing->notes().begin(), editing->notes().end());
  return PutBack{std::move(*bytes),
                 std::to_string(taken->moved) + " moved, " + std::to_string(taken->added) + " added, " +
                     std::to_string(taken->removed) + " removed",
                 taken->any() ? editing->last() : Changes(), std::move(taken->notes)};
}

/// Whether a scene says that it was made of other bytes.
bool is_of_other_bytes(const scene::Scene& s, const Opened& file) {
  const Value* digest = s.extras.find(k_digest_in_scenes);
  return digest && digest->text() != digest_of(file.bytes);
}

}  // namespace

Result<PutBack> put_back(Opened& file, scene::Scene edited, SaveOptions options, Referrers referrers) {
  const bool is_older = is_of_other_bytes(edited, file);
  auto out = file.format->scenes->from_scene ? put_vertices_back(file, std::move(edited), options)
                                             : put_places_back(file, std::move(edited), options, referrers);
  if (!out || !is_older || std::ranges::equal(out->bytes, file.bytes)) return out;
  if (std::ranges::find(out->notes, "scene.other", &Diagnostic::id) != out->notes.end()) return out;
  out->notes.insert(out->notes.begin(),
                    make_diagnostic(Severity::warning, "scene.older", {},
                                    {.message = "the scene was made of another file, or of this one before it was "
                                                "changed: what was added or changed since then may be undone",
                                     .hint = "`dio convert` makes a scene of the file as it is now"}));
  return out;
}

}  // namespace dio
