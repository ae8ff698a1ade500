// sections.cpp: rules about parts that were added in later versions, and about the files next to a pack.
#include <algorithm>
#include <set>

#include "formats/splashpack/check/checks.hpp"
#include "formats/splashpack/companions.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_section_rule_table[] = {
    {"splashpack.counts-limit", error, "no list in a pack has more entries than the engine has room for",
     "The engine's arrays have a fixed size. If a list has too many entries, the engine drops some entries or crashes.",
     "Remove entries from the list until the number of entries is within the limit.",
     "psxsplash, headers; src/formats/splashpack/README.md#budgets"},
    {"splashpack.interior-rooms", warning, "an interior scene has rooms that are connected by portals",
     "If an interior scene has no rooms, the engine draws the whole scene, but with holes. If the rooms have no "
     "portals, no room is visible from another room.",
     "Add rooms and portals to the scene, or change the scene type to exterior.",
     "psxsplash, known issues in its documentation"},
    {"splashpack.fog-density", error, "the fog density is not 0",
     "The engine divides by the fog density to find where the fog is thickest. If the fog density is 0, the engine "
     "draws nothing or stops.",
     "Choose a fog density from 1 to 10, or turn the fog off.", "psxsplash, renderer.cpp, SetFog"},
    {"splashpack.eye-height", warning,
     "the player's eyes are at most 512 raw units above the floor (512/4,096 = 0.125)",
     "The engine looks for the floor within 512 raw units of the player's eyes. If the eyes are more than 512 raw "
     "units above the floor, the player never leaves "
     "the first region of the floor.",
     "Lower the eye height, or choose a larger scaling.", "psxsplash, navregion.hh, NAV_ATTACH_DISTANCE"},
    {"splashpack.bvh-tree", error,
     "every triangle of an active object belongs to exactly one leaf of the BVH and is inside the box of this leaf",
     "The engine uses the BVH (a tree of bounding boxes) to find visible triangles, and does not check the tree. A "
     "triangle "
     "that is missing from the BVH is never drawn.",
     "Rebuild the tree with {edit FILE rebuild-bvh}, or export the scene again.", "psxsplash, bvh.cpp"},
    {"splashpack.name-dup", warning, "the object names in a pack are unique",
     "Scripts and cutscenes find only the first object with a given name.",
     "Rename one of the two objects that have the same name.", "psxsplash, splashpack.cpp"},
    {"splashpack.name-ascii", warning, "the names in a pack contain only ASCII characters",
     "The exporter and the engine treat non-ASCII characters differently when they count characters and compare names.",
     "Change the name so that it contains only ASCII characters.", "splashedit-ng, list of mismatches (M12)"},
    {"splashpack.name-long", warning, "the names in a pack have at most 24 bytes",
     "The engine truncates names with more than 24 bytes.", "Shorten the name to at most 24 bytes.",
     "splashedit-ng, list of mismatches (M12)"},
    {"splashpack.name-end", error, "the name of an object ends with a zero byte",
     "If the zero byte is missing, the engine reads past the end of the name until the next zero byte, so scripts "
     "cannot find the object by its name.",
     "Restore the zero byte after the name with {check FILE --fix -i}.", "psxsplash, splashpack.cpp"},
    {"splashpack.key-order", warning,
     "the keyframes of an animation track are sorted by time and within the animation, and the target of the track "
     "exists",
     "To find the current keyframe, the engine searches until it reaches a keyframe later than the current frame, so "
     "the keyframes must be sorted by time. The engine skips tracks whose target does not exist.",
     "Sort the keyframes of the track by time, keep them within the animation, and check the name of the target.",
     "psxsplash, cutscene.cpp"},
    {"splashpack.m-known", warning, "the exporter and the engine interpret each value of the pack in the same way",
     "The exporter writes the start rotation of the player as an angle within a full turn, but engine versions up to "
     "v21 ignore this rotation. "
     "The engine also misreads camera H tracks in animations that are not cutscenes.",
     "Change the value as the message describes.", "splashedit-ng, list of mismatches; SplashEdit, PSXSceneWriter.cs"},
    {"splashpack.files-missing", error, "the texture and sound files of the scene are next to the pack",
     "If the .vram and .spu files are missing, the engine shows no textures, plays no sounds, and reports no error.",
     "Put the .vram, .spu and .geo files of the scene next to the pack. Their names must match the name of the pack, "
     "except for the extension.",
     "psxsplash, scenemanager.cpp", Severities{warning}},
};

constexpr size_t k_longest_name = 24;
constexpr i64 k_slack = 64;  // raw: tools round boxes

// ---- names

void check_names(Reporter& r, const Pack& p) {
  std::map<std::string_view, size_t> seen;
  const auto check_name = [&](const std::string& name, std::string path) {
    if (std::any_of(name.begin(), name.end(), [](char c) { return u8(c) >= 0x80; }))
      r.report("splashpack.name-ascii", path,
               {.message = text("the name \"", escape_control_chars(name), "\" is not ASCII")});
    if (name.size() > k_longest_name)
      r.report("splashpack.name-long", std::move(path),
               {.message = text("the name has ", name.size(), " bytes (limit: ", k_longest_name, ")")});
  };
  for (size_t i = 0; i < p.objects.size(); ++i) {
    const Object& o = p.objects[i];
    if (o.unk_name_end)
      r.report("splashpack.name-end", object_path(i, ".unk_name_end"),
               {.message = text("the name ends with byte ", o.unk_name_end, " instead of 0")});
    if (o.name.empty()) continue;
    check_name(o.name, object_path(i, ".name"));
    if (const auto [first, is_new] = seen.emplace(o.name, i); !is_new)
      r.report("splashpack.name-dup", object_path(i, ".name"),
               {.message = text("the name \"", escape_control_chars(o.name), "\" is also used by ",
                                object_path(first->second))});
  }
  const auto check_list_names = [&](const char* list, const auto& those) {
    for (size_t i = 0; i < those.size(); ++i)
      if (those[i].name) check_name(*those[i].name, text(list, "[", i, "].name"));
  };
  check_list_names("audio_clips", p.audio_clips);
  check_list_names("cutscenes", p.cutscenes);
  check_list_names("animations", p.animations);
  check_list_names("canvases", p.canvases);
  check_list_names("sprite_sheets", p.sprite_sheets);
  check_list_names("sprite_animations", p.sprite_animations);
  if (p.lights) check_list_names("lights.entries", p.lights->entries);
}

// ---- the BVH

struct Tree {
  Reporter& r;
  const Pack& p;
  std::vector<bool> visited;
  std::map<TriangleRef, size_t> shown;  // by which reference
  std::map<u16, u16> streamed;          // see streamed_triangle_counts

  std::string node_path(size_t node, std::string_view field) const { return text("bvh_nodes[", node, "]", field); }
  void report_tree(std::string path, DiagnosticText said) {
    r.report("splashpack.bvh-tree", std::move(path), std::move(said));
  }

  void traverse() {
    std::vector<u16> open = {0};
    visited.assign(p.bvh_nodes.size(), false);
    visited[0] = true;
    while (!open.empty()) {
      const u16 n = open.back();
      open.pop_back();
      const BvhNode& node = p.bvh_nodes[n];
      if (node.is_leaf()) {
        check_leaf(n, node);
        continue;
      }
      for (const auto& [child, field] : {std::pair(node.left, ".left"), std::pair(node.right, ".right")}) {
        if (child == k_no_index) continue;
        if (child >= p.bvh_nodes.size())
          report_tree(node_path(n, field), {.message = text("node ", child, " does not exist; the BVH has ",
                                                            format_count(p.bvh_nodes.size(), "node"))});
        else if (visited[child])
          report_tree(node_path(n, field), {.message = text("node ", child, " is reached more than once")});
        else {
          visited[child] = true;
          open.push_back(child);
        }
      }
    }
  }
  void check_leaf(size_t n, const BvhNode& node) {
    if (size_t(node.first_ref) + node.ref_count > p.bvh_refs.size())
      return report_tree(node_path(n, ".ref_count"),
                         {.message = text("the leaf uses ", format_count(node.ref_count, "reference"), " starting at ",
                                          node.first_ref, ", but there are only ", p.bvh_refs.size())});
    for (size_t k = node.first_ref; k < size_t(node.first_ref) + node.ref_count; ++k) {
      const TriangleRef& ref = p.bvh_refs[k];
      const std::string path = text("bvh_refs[", k, "]");
      if (const auto elsewhere = streamed.find(ref.object);
          elsewhere != streamed.end() && ref.triangle < elsewhere->second)
        continue;
      if (ref.object >= p.objects.size() || ref.triangle >= p.objects[ref.object].triangles.size()) {
        report_tree(path, {.message = text("triangle ", ref.triangle, " of object ", ref.object, " does not exist")});
        continue;
      }
      shown.emplace(ref, k);
      const Object& o = p.objects[ref.object];
      const std::array<i64, 3> low = {node.box.min.x.raw, node.box.min.y.raw, node.box.min.z.raw},
                               high = {node.box.max.x.raw, node.box.max.y.raw, node.box.max.z.raw};
      for (const Vec16& v : o.triangles[ref.triangle].positions) {
        const auto place = transform_vertex(o, v);
        bool inside = true;
        for (size_t a = 0; a < 3; ++a) inside &= place[a] >= low[a] - k_slack && place[a] <= high[a] + k_slack;
        if (inside) continue;
        report_tree(path, {.message = text("triangle ", ref.triangle, " of object ", ref.object,
                                           " is not inside the box of node ", n)});
        break;
      }
    }
  }
  void report_unreachable_triangles() {
    for (size_t i = 0; i < p.objects.size(); ++i) {
      const Object& o = p.objects[i];
      if (!(o.flags & 1) || (o.flags & k_skinned)) continue;  // skinned objects are drawn separately
      size_t count = 0, first = 0;
      for (size_t k = o.triangles.size(); k-- > 0;)
        if (!shown.contains({u16(i), u16(k)})) ++count, first = k;
      if (count)
        report_tree(triangle_path(i, first), {.message = text(format_count(count, "triangle"), " of the object ",
                                                              count == 1 ? "is" : "are", " missing from the BVH")});
    }
  }
};

// ---- motion

void check_tracks(Reporter& r, const Pack& p, const char* list, const auto& those, bool is_animation) {
  std::set<std::string_view> objects, canvases;
  for (const Object& o : p.objects) objects.insert(o.name);
  for (const UiCanvas& c : p.canvases)
    if (c.name) canvases.insert(*c.name);
  for (size_t i = 0; i < those.size(); ++i)
    for (size_t k = 0; k < those[i].tracks.size(); ++k) {
      const Track& t = those[i].tracks[k];
      const std::string path = text(list, "[", i, "].tracks[", k, "]");
      for (size_t n = 0; n < t.keys.size(); ++n) {
        const u16 frame = t.keys[n].frame;
        if (n && frame < t.keys[n - 1].frame)
          r.report("splashpack.key-order", text(path, ".keys[", n, "].frame"),
                   {.message = text("the keyframe at frame ", frame, " is listed after the keyframe at frame ",
                                    t.keys[n - 1].frame)});
        else if (frame > those[i].frame_count)
          r.report("splashpack.key-order", text(path, ".keys[", n, "].frame"),
                   {.message = text("the keyframe at frame ", frame, " is after the end of the animation (frame ",
                                    those[i].frame_count, ")")});
      }
      const bool of_object = (t.type >= 2 && t.type <= 4) || t.type == 13, of_canvas = t.type >= 5 && t.type <= 9;
      if (of_object || of_canvas) {
        const std::string_view target = t.target ? std::string_view(*t.target) : std::string_view();
        const bool is_there =
            of_object ? objects.contains(target) : canvases.contains(target.substr(0, target.find('/')));
        if (target.empty() || !is_there)
          r.report(
              "splashpack.key-order", t.target ? path + ".target" : path,
              {.message = target.empty()
                              ? text("the track names no ", of_object ? "object" : "canvas")
                              : text("the track names ", of_object ? "object" : "canvas", " \"",
                                     escape_control_chars(target.substr(0, of_object ? target.npos : target.find('/'))),
                                     "\", which does not exist")});
      }
      constexpr u8 k_camera_h = 10;
      if (is_animation && t.type == k_camera_h)
        r.report("splashpack.m-known", path + ".type",
                 {.message = "the animation has a camera H track, which only cutscenes support",
                  .hint = "in animations, the exporter omits the values of such tracks"});
    }
}

void check_known_mismatches(Reporter& r, const Pack& p) {
  for (const auto& [n, axis] :
       {std::pair(p.rotation.x, "x"), std::pair(p.rotation.y, "y"), std::pair(p.rotation.z, "z")})
    if (n.raw > k_full_turn_in_radians || n.raw < -k_full_turn_in_radians)
      r.report("splashpack.m-known", text("rotation.", axis),
               {.message = text("angle ", n.raw, " is beyond a full turn (", k_full_turn_in_radians, ")"),
                .hint = "the exporter writes angles as radians * 4096"});
}

void check_rooms(Reporter& r, const Pack& p) {
  constexpr u16 k_interior = 1;
  if (p.scene_type != k_interior) return;
  // The last room is for everything outside the rooms.
  if (p.rooms.size() < 2)
    r.report("splashpack.interior-rooms", "scene_type", {.message = "the interior has no rooms"});
  else if (p.rooms.size() > 2 && p.room_portals.empty())
    r.report("splashpack.interior-rooms", "rooms",
             {.message = text("no portal connects the ", p.rooms.size() - 1, " rooms")});
}

}  // namespace
const std::span<const Rule> k_section_rules = k_section_rule_table;

void check_sections(Reporter& r, const Pack& p) {
  if (is_old(p)) return;
  if (p.fog && !p.fog_density)
    r.report("splashpack.fog-density", "fog_density", {.message = "the fog density is 0; it must be 1 to 10"});
  constexpr i32 k_highest_eyes = 512;
  if (p.nav && p.height.raw > k_highest_eyes)
    r.report(
        "splashpack.eye-height", "height",
        {.message = text("the eyes are ", p.height.raw, " raw units above the floor (limit: ", k_highest_eyes, ")")});
  for (const EngineLimit& c : collect_engine_limits(p))
    if (c.used > c.of)
      r.report("splashpack.counts-limit", c.path,
               {.message = text(
                    c.unit.empty() ? text("too many ", c.name, ": ", c.used) : text(c.name, ": ", c.used, " ", c.unit),
                    " (limit: ", c.of, ")")});
  check_rooms(r, p);
  if (!p.bvh_nodes.empty()) {
    Tree tree{r, p, {}, {}, streamed_triangle_counts(p)};
    tree.traverse();
    tree.report_unreachable_triangles();
  }
  check_names(r, p);
  check_tracks(r, p, "cutscenes", p.cutscenes, false);
  check_tracks(r, p, "animations", p.animations, true);
  check_known_mismatches(r, p);
}

void check_companions(Reporter& r, const Pack& p, const PackCompanions& b) {
  if (is_old(p) || !b.looked) return;
  const auto check_companion = [&](const char* extension, u64 needed, const char* list, bool is_there, bool is_right) {
    if (needed && !is_there)
      r.report("splashpack.files-missing", list,
               {.message = text("the folder of the pack has no readable ", extension,
                                " file with the same name as the pack")});
    else if (is_there && !is_right)
      r.report("splashpack.files-missing", list,
               {.message = text("the ", extension, " file next to the pack does not match the pack"),
                .hint = "counts, positions or sizes differ, so the file is probably from another scene"});
  };
  const char* textures = !p.atlases.empty() ? "atlases" : !p.cluts.empty() ? "cluts" : "fonts";
  check_companion(".vram", p.atlases.size() + p.cluts.size() + p.fonts.size(), textures, b.vram,
                  b.vram && matches_pack(*b.vram, p));
  check_companion(".spu", p.audio_clips.size(), "audio_clips", b.spu, b.spu && matches_pack(*b.spu, p));
  check_companion(".geo", p.stream ? p.stream->regions.size() : 0, "stream", b.geo, b.geo && matches_pack(*b.geo, p));
}

}  // namespace dio::splashpack
