// edits.cpp: named edits of packs: parts are moved and copied together with the data that the engine keeps about them.
#include "formats/contract/edits.hpp"

#include <algorithm>
#include <cmath>

#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/edit/placement.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {

namespace {

using Done = Result<std::string>;
constexpr f64 k_most = 8;  // of pack numbers: positions of vertices are -8 to 8
constexpr f64 k_one = 4096;

Done refuse_edit(std::string message, std::string hint = {}) {
  return refuse("edit.argument", {}, {.message = std::move(message), .hint = std::move(hint)});
}

/// `by=X,Y,Z`, in raw numbers.
std::array<i32, 3> parse_shift(Arguments& a) {
  std::array<i32, 3> out{};
  const auto numbers = a.list("by", 3, -65536 * k_most, 65536 * k_most);
  for (size_t i = 0; i < numbers.size(); ++i) out[i] = i32(std::lround(numbers[i] * k_one));
  return out;
}

/// Finds an object by number or by name.
size_t parse_object_index(const Pack& p, Arguments& a) {
  const std::string_view typed = a.text("object");
  if (a.problem) return 0;
  const auto number = parse_whole_number(typed);
  if (number && *number >= 0 && *number < std::ssize(p.objects)) return size_t(*number);
  const auto named = std::ranges::find(p.objects, typed, &Object::name);
  if (!number && named != p.objects.end()) return size_t(named - p.objects.begin());
  std::vector<std::string> names;
  for (const Object& o : p.objects) names.emplace_back(o.name);
  const std::string like = closest_match(typed, names);
  a.refuse({.message =
                text("object must be a name or a number from 0 to ", std::ssize(p.objects) - 1, ", not ", given(typed)),
            .hint = like.empty() ? "" : "did you mean object=" + like + "?"});
  return 0;
}

std::string too_far_message(const Object& o) {
  return text("the object ", given(o.name), " would leave the coordinate range");
}
std::string object_label(const Object& o, size_t i) {
  return o.name.empty() ? text("object ", i) : text("object ", i, " (", o.name, ")");
}

Done move_object(Pack& p, Arguments a) {
  const size_t i = parse_object_index(p, a);
  const auto by = parse_shift(a);
  if (!a.done()) return refuse(std::move(*a.problem));
  if (!move_object_by(p, i, by)) return refuse_edit(too_far_message(p.objects[i]));
  u64 boxes = 0;
  for (Collider& c : p.colliders) {
    if (c.object != i) continue;
    if (!translate_box(c.box, by)) return refuse_edit(too_far_message(p.objects[i]));
    ++boxes;
  }
  update_boxes_around(p, i);
  return text("moved ", object_label(p.objects[i], i), boxes ? text(" with ", format_count(boxes, "collider")) : "");
}

Done copy_object(Pack& p, Arguments a) {
  const size_t i = parse_object_index(p, a);
  const auto by = parse_shift(a);
  const std::string name(a.has("name") ? a.text("name") : p.objects.empty() ? "" : p.objects[i].name + "_copy");
  if (!a.done()) return refuse(std::move(*a.problem));
  if (p.objects.size() >= 0xFFFF) return refuse_edit("a pack has at most 65535 objects");
  if (p.objects[i].flags & k_skinned)
    return refuse_edit("an object with bones cannot be copied: its skin belongs to one object");
  if (is_streamed(p, i))
    return refuse_edit("a streamed object cannot be copied: its triangles are in the .geo file",
                       "copy the object in the scene of the pack, and build the pack again with {convert}");
  if (!p.rooms.empty())
    return refuse_edit("objects of a pack with rooms cannot be copied, because each room has a list of its triangles",
                       "copy the object in the scene of the pack, and build the pack again with {convert}");
  if (!is_old(p)) {
    if (name.size() > 255) return refuse_edit("a name has at most 255 characters");
    if (std::ranges::find(p.objects, name, &Object::name) != p.objects.end())
      return refuse_edit(text("the name ", given(name), " is already taken"), "choose another name with name=...");
  }
  const size_t made = p.objects.size();
  p.objects.push_back(p.objects[i]);
  if (!is_old(p)) p.objects.back().name = name;
  p.objects.back().interactable = k_no_index;  // it belongs to the original
  if (!move_object_by(p, made, by)) return refuse_edit(too_far_message(p.objects[i]));
  const size_t colliders = p.colliders.size();
  for (size_t c = 0; c < colliders; ++c) {
    if (p.colliders[c].object != i) continue;
    Collider copy = p.colliders[c];
    copy.object = u16(made);
    if (!translate_box(copy.box, by)) return refuse_edit(too_far_message(p.objects[i]));
    p.colliders.push_back(copy);
  }
  if (!p.bvh_nodes.empty() && !build_bvh(p))
    return refuse_edit("with the copy, the pack would have more than 65535 triangles");
  return text("copied ", object_label(p.objects[i], i), " as ", object_label(p.objects[made], made));
}

Done rebuild_bvh(Pack& p, Arguments a) {
  if (!a.done()) return refuse(std::move(*a.problem));
  if (is_old(p)) return refuse_edit("a pack of this layout has no BVH");
  if (!build_bvh(p)) return refuse_edit("the pack has more than 65535 triangles");
  return text("rebuilt the BVH: ", format_count(p.bvh_nodes.size(), "node"), " over ",
              format_count(p.bvh_refs.size(), "triangle"));
}
/// Whether the references of the BVH refer to other triangles than before. Objects that were only moved or renamed
/// count as equal.
bool is_bvh_stale(const AnyDocument& before, const AnyDocument& after) {
  const Pack &was = value_of<Pack>(before), &is = value_of<Pack>(after);
  const auto is_same = [](const Object& a, const Object& b) {
    if (a.triangles.size() != b.triangles.size() || (a.flags & k_skinned) != (b.flags & k_skinned)) return false;
    if (a.triangles.empty() || a.name == b.name) return true;
    const Triangle &x = a.triangles[0], &y = b.triangles[0];
    return a.position == b.position && x.positions == y.positions && x.colors == y.colors;
  };
  return !was.bvh_nodes.empty() && !std::ranges::equal(was.objects, is.objects, is_same);
}

Done move_trigger(Pack& p, Arguments a) {
  const size_t i = size_t(a.whole("trigger", 0, i64(p.triggers.size()) - 1));
  const auto by = parse_shift(a);
  if (!a.done()) return refuse(std::move(*a.problem));
  if (!translate_box(p.triggers[i].box, by)) return refuse_edit("the trigger would leave the coordinate range");
  return text("moved trigger ", i);
}

/// A rejected edit leaves the document unchanged.
template <Done (*change)(Pack&, Arguments)>
Done edit_pack(AnyDocument& d, std::span<const Argument> arguments) {
  Pack now = value_of<Pack>(d);
  Done done = change(now, Arguments(arguments));
  if (done) edit_of<Pack>(d) = std::move(now);
  return done;
}

constexpr Parameter k_move_object_parameters[] = {required("object", "N|NAME", ParameterKind::text),
                                                  required("by", "X,Y,Z", ParameterKind::vector)};
constexpr Parameter k_copy_object_parameters[] = {required("object", "N|NAME", ParameterKind::text),
                                                  required("by", "X,Y,Z", ParameterKind::vector),
                                                  optional("name", "NAME", ParameterKind::text)};
constexpr Parameter k_move_trigger_parameters[] = {required("trigger", "N", ParameterKind::integer),
                                                   required("by", "X,Y,Z", ParameterKind::vector)};

}  // namespace

std::span<const Edit> pack_edits() {
  static constexpr std::string_view k_bvh[] = {"bvh_nodes", "bvh_refs"};
  static constexpr Edit k_edits[] = {
      {"move-object", k_move_object_parameters,
       "moves an object with its box and colliders, and enlarges the BVH nodes and room cells that contain it. X, Y "
       "and Z are pack numbers (scene units divided by the scaling); Y points down",
       edit_pack<move_object>},
      {"copy-object", k_copy_object_parameters,
       "copies an object and its colliders, and rebuilds the BVH; not possible in packs with rooms",
       edit_pack<copy_object>},
      {"rebuild-bvh",
       {},
       "rebuilds the BVH, the tree that the engine searches for triangles to draw. Edits that add, remove or reorder "
       "objects rebuild it automatically",
       edit_pack<rebuild_bvh>,
       is_bvh_stale,
       k_bvh},
      {"move-trigger", k_move_trigger_parameters, "moves the box of a trigger", edit_pack<move_trigger>},
  };
  return k_edits;
}

}  // namespace dio::splashpack
