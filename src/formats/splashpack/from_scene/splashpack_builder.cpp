// splashpack_builder.cpp: builds a pack from a scene: objects, floor, player, scripts. Specification: README.md, "From
// glTF".
#include "formats/splashpack/from_scene/splashpack_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "core/sorting.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/media.hpp"
#include "formats/splashpack/from_scene/memory_card.hpp"
#include "formats/splashpack/from_scene/newer_parts.hpp"
#include "formats/splashpack/from_scene/scripts.hpp"
#include "formats/splashpack/from_scene/sections.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"
#include "formats/splashpack/versions/pack_converter.hpp"
#include "scene/transforms.hpp"

namespace dio::splashpack {
namespace {

constexpr f64 k_usual_height = 1.7;       // of the eyes, in world units; the default
constexpr f64 k_longest_nav_edge = 1000;  // raw; the engine before v20 misses points on longer edges, from about 1,100
constexpr i32 k_most_height = 512;        // raw; engine of v20 and later, navregion.hh, NAV_ATTACH_DISTANCE
constexpr size_t k_most_nav_triangles = 65535;

/// The number of bytes, at most `most`, that ends at a character boundary.
size_t utf8_prefix_length(std::string_view text, size_t most) {
  size_t end = 0;
  while (end < text.size()) {
    const size_t next = end + std::max<size_t>(utf8_sequence_length(text, end), 1);
    if (next > most) break;
    end = next;
  }
  return end;
}

class SplashpackBuilder {
 public:
  SplashpackBuilder(const scene::Scene& s, const MakeSettings& settings) : s_(s), settings_(settings) {}

  Result<Made> build() {
    if (auto fault = scene::validation_error(s_)) return refuse(std::move(*fault));
    pack_.form = settings_.layout;
    roles_ = classify_nodes(s_);
    places_ = scene::world_transforms(s_);
    skins_.emplace(s_, places_, settings_, reach_);
    find_player_start();
    auto screen = Screen::from_extras(s_, settings_, made_.notes);
    if (!screen) return refuse(std::move(screen.error()));
    auto sprites = SpriteSections::from_extras(s_, settings_, made_.notes);
    if (!sprites) return refuse(std::move(sprites.error()));
    OtherTextures others = screen->textures();
    const size_t screen_wishes = others.wishes.size();
    others.wishes.insert(others.wishes.end(), sprites->wishes().begin(), sprites->wishes().end());
    auto sounds = build_sounds(s_, settings_, made_.notes);
    if (!sounds) return refuse(std::move(sounds.error()));
    auto surfaces = build_materials(s_, roles_, settings_, others, made_.notes);
    if (!surfaces) return refuse(std::move(surfaces.error()));
    for (auto step : {&SplashpackBuilder::add_objects, &SplashpackBuilder::add_navmesh, &SplashpackBuilder::add_player,
                      &SplashpackBuilder::add_scene_script}) {
      (this->*step)(*surfaces);
      if (fault_) return refuse(*std::move(fault_));
    }
    check_newer_positions();
    if (auto fault = reach_.range_error()) return refuse(*std::move(fault));
    pack_.skins = skins_->take_skins(made_.notes);
    if (settings_.since(k_sections)) {
      fault_ = add_sections({s_, settings_, places_, roles_, objects_, player_}, pack_, scripts_, made_.notes);
      if (fault_) return refuse(*std::move(fault_));
      const MakeSource source{s_, settings_, places_, roles_, objects_, player_};
      add_newer_sections(source, pack_, made_.notes);
      geo_ = extract_streamed_triangles(source, pack_, made_.notes);
    }
    for (Skin& skin : pack_.skins) skin.name = pack_.objects[skin.object].name;
    pack_.audio_clips = std::move(sounds->clips);
    const std::span placed(surfaces->others);
    std::move(*screen).add_to_pack(placed.first(screen_wishes), pack_, glyphs_);
    std::move(*sprites).add_to_pack(placed.subspan(screen_wishes), pack_);
    check_prompt_canvases();
    add_extras_sections(s_, roles_, settings_, skins_->clips(), pack_, made_.notes);
    if (settings_.since(k_memory_card) && !pack_.memory_card) {
      auto card = read_memory_card(s_, made_.notes);
      if (!card) return refuse(std::move(card.error()));
      pack_.memory_card = *std::move(card);
    }
    if (settings_.since(k_sections)) add_animations(s_, settings_, objects_, *skins_, pack_, made_.notes);
    pack_.scripts = std::move(scripts_).take();
    pack_.atlases = std::move(surfaces->placed.atlases);
    pack_.cluts = std::move(surfaces->placed.cluts);
    for (Diagnostic& d : surfaces->placed.notes) made_.notes.push_back(std::move(d));
    add_conversion_notes(surfaces->placed.textures.size());
    return save_files(sounds->spu);
  }

 private:
  void note(Severity severity, std::string_view id, std::string path, DiagnosticText said) {
    made_.notes.push_back(make_diagnostic(severity, id, std::move(path), std::move(said)));
  }

  /// Canvases shown near objects: the engine compares the field with their whole names.
  void check_prompt_canvases() {
    constexpr size_t k_longest = 15;  // followed by a 0; source: engine at HEAD, interactable.hh
    for (Interactable& i : pack_.interactables) {
      const std::string told = i.prompt_canvas;
      i.prompt_canvas.resize(utf8_prefix_length(told, k_longest));
      const bool is_cut = i.prompt_canvas != told;
      const auto is_it = [&](const UiCanvas& c) { return c.name == i.prompt_canvas; };
      const bool is_there = std::ranges::any_of(pack_.canvases, is_it);
      if (told.empty() || (is_there && !is_cut)) continue;
      std::string shown = "no prompt is shown";
      if (is_cut)
        shown = text("truncated to \"", escape_control_chars(i.prompt_canvas), "\"",
                     is_there ? ", so the canvas with that name is shown" : "; no canvas has that name either");
      note(Severity::warning, "splashpack.make-property", node_label(s_, objects_[i.object]),
           {.message =
                is_cut ? text("prompt_canvas \"", escape_control_chars(told), "\" is longer than ", k_longest, " bytes")
                       : text("prompt_canvas: no canvas is named \"", escape_control_chars(told), "\""),
            .hint = std::move(shown)});
    }
  }

  void find_player_start() {
    for (size_t i = 0; i < s_.nodes.size(); ++i) {
      if (roles_[i] != Role::player_start) continue;
      if (player_ == k_none)
        player_ = Index(i);
      else
        note(Severity::warning, "splashpack.make-player", node_label(s_, i),
             {.message = "the scene has more than one \"player_start\" node",
              .hint = "only the first of these nodes is used"});
    }
    if (player_ == k_none) return;
    const auto told = read_number_extra(s_.nodes[player_].extras, "height");
    height_ = told && *told >= 0 ? *told : k_usual_height;
  }

  // ---- objects

  void add_objects(const BuiltMaterials& surfaces) {
    const PackLighting lamps(s_, places_, roles_, settings_);
    assign_skinned_meshes();
    std::vector<size_t> nodes;
    for (size_t i = 0; i < s_.nodes.size(); ++i) {
      if (roles_[i] == Role::object && is_object(s_.nodes[i])) nodes.push_back(i);
      if (roles_[i] != Role::object || s_.nodes[i].mesh == k_none) continue;
      for (const scene::Primitive& p : s_.meshes[s_.nodes[i].mesh].primitives)
        lines_ += p.shape != scene::Primitive::Shape::triangles && !p.positions.empty();
    }
    // In the order of the original file; new objects last.
    sort_stably(nodes, {}, [&](size_t i) {
      const auto index = read_number_extra(s_.nodes[i].extras, "index");
      return index && *index >= 0 ? *index : HUGE_VAL;
    });
    constexpr size_t k_most_objects = 65535;
    if (nodes.size() > k_most_objects) {
      fault_ =
          make_diagnostic("splashpack.make-many", {},
                          {.message = text("the scene has ", nodes.size(), " objects (limit: ", k_most_objects, ")")});
      return;
    }
    for (const size_t i : nodes) {
      add_object(i, surfaces, lamps);
      if (fault_) return;
    }
    const std::string scaling = suggest_scaling();  // empty if the scene is flat at any scaling
    if (counts_.degenerate && !counts_.after && !reach_.is_exceeded() && !scaling.empty())
      fault_ = make_diagnostic(
          "splashpack.make-small", {},
          {.message = text("none of the ", format_count(counts_.before, "triangle", "triangles"),
                           " has an area after rounding: vertices are at most ",
                           f32(std::round(counts_.farthest * 100) / 100), " units from the middle of their object"),
           .hint = text("use a smaller scaling, which makes the scene larger: {--scaling ", scaling, "}")});
  }

  /// glTF puts skinned meshes on separate nodes, outside the hierarchy and without extras: they belong to the object
  /// without a mesh that is an ancestor of their joints.
  void assign_skinned_meshes() {
    std::vector<Index> object_above(s_.nodes.size(), k_none);
    for (size_t i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      const bool is_bare = n.mesh == k_none && read_text_extra(n.extras, "kind") == "object";
      object_above[i] = is_bare ? Index(i) : n.parent == k_none ? k_none : object_above[n.parent];
    }
    for (size_t i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      if (n.skin == k_none || read_text_extra(n.extras, "kind")) continue;
      const Index object = object_above[s_.skins[n.skin].joints.front()];
      if (object == k_none || !holders_.try_emplace(object, Index(i)).second) continue;
      roles_[i] = Role::nothing;
    }
  }

  /// Empty nodes are ignored, unless their kind is "object".
  bool is_object(const scene::Node& node) const {
    if (read_text_extra(node.extras, "kind") == "object") return true;
    return node.mesh != k_none && std::ranges::any_of(s_.meshes[node.mesh].primitives, [](const scene::Primitive& p) {
             return !triangle_indices(p).empty();
           });
  }

  /// A scaling, rounded to two digits, that makes the scene large enough; empty if there is none.
  std::string suggest_scaling() const {
    constexpr f64 k_wanted = 16384;   // units: half the maximum distance of vertices from the middle of their object
    constexpr f64 k_least = 1e-6;     // the minimum for the option
    constexpr f64 k_tallest = 60000;  // units: slightly below the maximum height of the player
    const f64 scaling =
        settings_.scaling * std::max(counts_.farthest / k_wanted, settings_.to_pack_units(height_) / k_tallest);
    if (!(counts_.farthest > 0) || !(counts_.farthest < k_wanted / 2) || !(scaling >= k_least)) return {};
    f64 digit = 1;  // the second one
    while (digit * 100 <= scaling) digit *= 10;
    while (digit * 10 > scaling) digit /= 10;
    return text(f32(std::ceil(scaling / digit) * digit));
  }

  void add_object(size_t i, const BuiltMaterials& surfaces, const PackLighting& lamps) {
    const scene::Node& node = s_.nodes[i];
    const auto here = [&] { return node_label(s_, i); };
    const auto held = holders_.find(Index(i));
    const size_t holder = held == holders_.end() ? i : held->second;
    const scene::Node& shown = s_.nodes[holder];
    MeshInstance placed;
    if (shown.mesh != k_none)
      placed = make_mesh_instance(s_, places_, holder);
    else
      placed.object = places_[i];
    const bool is_moving = shown.skin != k_none && settings_.since(k_sections) && bind_to_skin(placed, i, holder);
    if (holder != i && !is_moving) move_pose_to_object_space(placed, i);
    Object out;
    set_object_rotation(node, placed, out);
    BuiltTriangles made;
    if (shown.mesh != k_none) {
      auto triangles = build_triangles(s_, holder, placed, surfaces, lamps, settings_, player_ == k_none ? 0 : height_,
                                       reach_, counts_);
      if (!triangles) {
        fault_ = std::move(triangles.error());
        return;
      }
      made = *std::move(triangles);
      out.triangles = std::move(made.triangles);
    }
    if (out.triangles.empty() && read_text_extra(node.extras, "kind") != "object") return;
    const Point at = settings_.to_pack_units(placed.object.origin);
    // 32 bits from v20 on, of which the engine uses 16. Source: engine, renderer.cpp, setupObjectTransform.
    out.position = {
        {reach_.round_to_i16(at[0], here)}, {reach_.round_to_i16(at[1], here)}, {reach_.round_to_i16(at[2], here)}};
    auto script = scripts_.find_or_add(node.extras, here());
    if (!script) {
      fault_ = std::move(script.error());
      return;
    }
    out.script = *script;
    const auto others = read_number_extra(node.extras, "flags");
    out.flags = others && *others >= 0 && *others <= 4294967295.0 ? u32(*others) & ~1u : 0;
    out.flags |= read_flag_extra(node.extras, "active").value_or(node.visible) ? 1 : 0;
    out.flags = is_moving ? out.flags | k_skinned : out.flags & ~k_skinned;
    if (const auto uv = read_number_list_extra(node.extras, "uv_offset", 2))
      out.uv_offset = {u8(std::clamp((*uv)[0], 0.0, 255.0)), u8(std::clamp((*uv)[1], 0.0, 255.0))};
    if (is_moving)
      skins_->add_skin(u16(pack_.objects.size()), node, std::move(made.bones));
    else
      unmoved_ += shown.skin != k_none;
    objects_.push_back(Index(i));
    pack_.objects.push_back(std::move(out));
  }

  /// A mesh animated by its joints, in the coordinates of its object.
  bool bind_to_skin(MeshInstance& placed, size_t object, size_t holder) {
    const bool is_ours = holder != object;
    const Index frame = is_ours ? Index(object) : skins_->find_object_frame(holder);
    MeshInstance moved = placed;
    moved.object = {};
    if (frame != k_none)
      moved.object = rotation_from_extras(s_.nodes[frame], places_[frame].linear)
                         ? places_[frame]
                         : extract_rigid_transform(places_[frame]);
    if (!skins_->bind_skin(holder, frame, is_ours, moved)) return false;
    placed = std::move(moved);
    placed.posed.clear();
    return true;
  }

  /// Converts a skinned mesh from the coordinates of its joints to those of its object.
  void move_pose_to_object_space(MeshInstance& placed, size_t object) const {
    const auto back = inverse(places_[object]);
    if (!back) return;
    for (auto& points : placed.posed)
      for (Point& p : points) p = *back * p;
    placed.object = places_[object];
  }

  /// The matrix of the object: the rotation of the node, or the nine numbers of the original pack, if the node still
  /// has that rotation; these may also contain other transforms.
  void set_object_rotation(const scene::Node& node, MeshInstance& placed, Object& out) const {
    const Mat3d turn = settings_.convert_axes(placed.object.linear);
    for (size_t row = 0; row < 3; ++row)
      for (size_t column = 0; column < 3; ++column)
        out.rotation[row * 3 + column].raw = i32(std::floor(turn.columns[column][row] * 4096 + 0.5));
    const auto told = rotation_from_extras(node, placed.object.linear * placed.own.linear);
    if (!told || node.skin != k_none) return;
    const Mat3d whole = settings_.convert_axes(*told);
    for (size_t row = 0; row < 3; ++row)
      for (size_t column = 0; column < 3; ++column)
        out.rotation[row * 3 + column].raw = i32(whole.columns[column][row] * 4096);
    placed.own.linear = {};
    placed.object.linear = *told;
    placed.is_mirrored = false;
  }

  /// The nine numbers, in the axes of the scene, if they are close to the rotation of the node.
  std::optional<Mat3d> rotation_from_extras(const scene::Node& node, const Mat3d& node_does) const {
    const auto told = read_number_list_extra(node.extras, "rotation", 9);
    if (!told) return {};
    Mat3d whole;
    for (size_t row = 0; row < 3; ++row)
      for (size_t column = 0; column < 3; ++column)
        whole.columns[column][row] = std::clamp((*told)[row * 3 + column], -2147483648.0, 2147483647.0) / 4096;
    const bool was_hidden = read_flag_extra(node.extras, "was_hidden").value_or(false);
    const Mat3d does = settings_.convert_axes(node_does);
    constexpr f64 k_near = 0.25;  // between a matrix and its nearest rotation
    for (size_t column = 0; column < 3; ++column)
      for (size_t row = 0; row < 3; ++row)
        if (!was_hidden && !(std::fabs(does.columns[column][row] - whole.columns[column][row]) < k_near)) return {};
    return settings_.convert_axes(whole);
  }

  // ---- floor

  void add_navmesh(const BuiltMaterials&) {
    // Regions of a later pack also serve as the floor if a layout has none.
    const bool is_told = std::ranges::find(roles_, Role::navmesh) != roles_.end();
    const Role floor = is_told || settings_.since(k_sections) ? Role::navmesh : Role::nav_region;
    Navmesh out;
    bool any = false;
    for (size_t i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& node = s_.nodes[i];
      if (roles_[i] != floor || node.mesh == k_none) continue;
      any = true;
      const bool is_mirrored = determinant(places_[i].linear) < 0;
      for (const scene::Primitive& p : s_.meshes[node.mesh].primitives) {
        const std::vector<u32> corners = triangle_indices(p);
        for (size_t c = 0; c + 3 <= corners.size() && !fault_; c += 3) {
          std::array<Point, 3> points;
          for (size_t k = 0; k < 3; ++k) {
            const scene::Vec3& v = p.positions[corners[c + k]];
            points[k] = settings_.to_pack_units(places_[i] * Point{v[0], v[1], v[2]});
          }
          if (!is_mirrored) std::swap(points[1], points[2]);
          add_floor_triangle(points, i, corners[c], out.triangles);
        }
      }
    }
    if (!any || fault_) return;
    pack_.navmeshes.push_back(std::move(out));
  }

  /// Halves a triangle at its longest edge while that is too long for the engine of its version.
  void add_floor_triangle(const std::array<Point, 3>& p, size_t node, u32 vertex, std::vector<NavTriangle>& out) {
    const auto where = [&] { return text(node_label(s_, node), ", vertex ", vertex); };
    NavTriangle triangle;
    for (size_t k = 0; k < 3; ++k) {
      const auto number = [&](f64 x) {
        return fx32{settings_.since(k_sections) ? reach_.round_to_i32(x, where) : i32(reach_.round_to_i16(x, where))};
      };
      triangle.positions[k] = {number(p[k][0]), number(p[k][1]), number(p[k][2])};
    }
    const auto edge_length = [&](size_t e) {
      const Point &a = p[e], &b = p[(e + 1) % 3];
      return scene::length(Point{a[0] - b[0], a[1] - b[1], a[2] - b[2]});
    };
    size_t longest = 0;
    for (size_t e = 1; e < 3; ++e)
      if (edge_length(e) > edge_length(longest)) longest = e;
    const bool is_split = settings_.subdivide && !settings_.since(k_sections);
    if (is_split && edge_length(longest) > k_longest_nav_edge && edge_length(longest) < 1e6) {
      const Point &a = p[longest], &b = p[(longest + 1) % 3], &c = p[(longest + 2) % 3];
      const Point m{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
      add_floor_triangle({a, m, c}, node, vertex, out);
      add_floor_triangle({m, b, c}, node, vertex, out);
      return;
    }
    if (out.size() < k_most_nav_triangles)
      out.push_back(triangle);
    else if (!fault_)
      fault_ = make_diagnostic("splashpack.make-many", node_label(s_, node),
                               {.message = text("the floor has more than ", k_most_nav_triangles, " triangles")});
  }

  /// Agents walk to their waypoints, and the engine uses 16 bits of their positions; a light has 32 bits.
  void check_newer_positions() {
    for (size_t i = 0; i < s_.nodes.size(); ++i) {
      const bool is_waypoint = settings_.since(k_agents) && roles_[i] == Role::waypoint;
      const bool is_light = settings_.since(k_lights) && is_runtime_light(s_.nodes[i]);
      const auto here = [&] { return node_label(s_, i); };
      for (const f64 raw : settings_.to_pack_units(places_[i].origin)) {
        if (is_waypoint) (void)reach_.round_to_i16(raw, here);
        if (is_light) (void)reach_.round_to_i32(raw, here);
      }
    }
  }

  // ---- player, scene

  void add_player(const BuiltMaterials&) {
    const f64 height = settings_.to_pack_units(height_);
    if (!(height <= 65535)) {
      fault_ = make_diagnostic("splashpack.make-range", "height of the player",
                               {.message = "the height is more than 65535 units of the pack",
                                .hint = fitting_scaling(settings_, height / 65535, "the height")});
      return;
    }
    pack_.height.raw = u16(std::floor(height + 0.5));
    if (player_ == k_none) return;
    const scene::Node& node = s_.nodes[player_];
    const auto here = [&] { return node_label(s_, player_); };
    Point eyes = settings_.to_pack_units(places_[player_].origin);
    eyes[1] -= pack_.height.raw;  // Y points down
    pack_.start = {{reach_.round_to_i16(eyes[0], here)},
                   {reach_.round_to_i16(eyes[1], here)},
                   {reach_.round_to_i16(eyes[2], here)}};
    pack_.rotation = unity_euler_angles(orthonormal_rotation(places_[player_].linear));
    // The numbers of the original pack, unless the player was rotated.
    if (const auto told = read_number_list_extra(node.extras, "rotation", 3)) {
      const auto whole = [&](size_t k) { return fx16{i16(std::clamp((*told)[k], -32768.0, 32767.0))}; };
      const Vec16 before = {whole(0), whole(1), whole(2)};
      if (is_same_angle(before.x, pack_.rotation.x) && is_same_angle(before.y, pack_.rotation.y) &&
          is_same_angle(before.z, pack_.rotation.z))
        pack_.rotation = before;
    }
  }

  bool is_same_angle(fx16 a, fx16 b) const {
    constexpr f64 k_tolerance = 0.002;  // the rotation of the node has single precision
    const f64 difference =
        std::remainder(player_angle(pack_.form, a) - player_angle(pack_.form, b), 2 * std::numbers::pi);
    return std::abs(difference) < k_tolerance;
  }

  static Mat3d orthonormal_rotation(const Mat3d& m) {
    const Point z = scene::unit(m.columns[2]);
    const f64 along = scene::dot(z, m.columns[1]);
    const Point y = scene::unit(
        Point{m.columns[1][0] - along * z[0], m.columns[1][1] - along * z[1], m.columns[1][2] - along * z[2]});
    return {{scene::cross(y, z), y, z}};
  }

  /// Angles as the exporter writes them for Unity, from 0 to a full turn: first around Z, then X, then Y. The player
  /// looks along -Z of its node, like a camera. Source: SplashEdit, PSXSceneWriter.cs.
  Vec16 unity_euler_angles(const Mat3d& turn) const {
    const auto column = [&](Point p) { return settings_.convert_axes(turn * p); };
    const Point ahead = column({0, 0, -1}), right = column({1, 0, 0}), down = column({0, -1, 0});
    const f64 flat = scene::length(Point{ahead[0], 0, ahead[2]});
    const f64 yaw = elementary::atan2(ahead[0], ahead[2]), pitch = elementary::atan2(ahead[1], flat);
    const f64 roll = elementary::atan2(-right[1], down[1]);
    const i32 full_turn = full_turn_of(pack_.form);
    const auto to_full_turn_angle = [&](f64 x) {
      const f64 unit = full_turn == k_full_turn ? 4096 / std::numbers::pi : 4096;
      const i32 raw = i32(std::floor(x * unit + 0.5));
      return fx16{i16(raw < 0 ? raw + full_turn : raw)};
    };
    return {to_full_turn_angle(pitch), to_full_turn_angle(yaw), to_full_turn_angle(roll)};
  }

  void add_scene_script(const BuiltMaterials&) {
    auto script = scripts_.find_or_add(s_.extras, "scene");
    if (!script)
      fault_ = std::move(script.error());
    else
      pack_.script = *script;
    if (fault_ || u32(settings_.layout) >= k_flags || pack_.script < 0) return;
    note(Severity::warning, "splashpack.make-lost", "scene",
         {.message = text("layout ", k_layouts.of(i64(settings_.layout)),
                          " cannot run a scene script; layout e and later can"),
          .hint = "the script is stored, but nothing runs it"});
    pack_.script = -1;
  }

  void add_conversion_notes(size_t textures) {
    const bool is_old = !settings_.since(k_sections);
    if (player_ == k_none)
      note(Severity::hint, "splashpack.make-player", {},
           {.message = "no node is named \"player_start\"", .hint = "the player starts at the origin of the scene"});
    if (is_old && pack_.objects.size() < 2)
      note(
          Severity::warning, "splashpack.make-engine", {},
          {.message = text("the pack has ", format_count(pack_.objects.size(), "object", "objects")),
           .hint =
               "the engine of this layout uses the first two objects without checking that they exist; add an object"});
    if (is_old && pack_.navmeshes.empty())
      note(Severity::warning, "splashpack.make-engine", {},
           {.message = "no node is named \"navmesh\"",
            .hint = "without a navmesh, the engine of this layout reads past the end of a list"});
    if (!is_old && !pack_.nav)
      note(Severity::warning, "splashpack.make-floor", {},
           {.message = "the pack has no floor",
            .hint = "the player moves only on a floor; to add one, name a mesh \"navmesh\""});
    if (!is_old && pack_.height.raw > k_most_height)
      note(Severity::warning, "splashpack.make-engine", {},
           {.message =
                text("the eyes are ", pack_.height.raw, " raw units above the floor (limit: ", k_most_height, ")"),
            .hint = "if the eyes are above the limit, the engine does not find the floor; use a larger {--scaling}"});
    if (counts_.degenerate) {
      const bool is_small = counts_.degenerate > counts_.after && !suggest_scaling().empty();
      note(is_small ? Severity::warning : Severity::hint, "splashpack.make-degenerate", {},
           {.message =
                text(format_count(counts_.degenerate, "triangle has", "triangles have"), " no area after rounding"),
            .hint =
                is_small
                    ? text("triangles without an area are omitted from the pack; the scene is small: try {--scaling ",
                           suggest_scaling(), "}")
                    : "triangles without an area are omitted from the pack"});
    }
    if (counts_.one_sided)
      note(Severity::hint, "splashpack.make-one-sided", {},
           {.message = text(format_count(counts_.one_sided, "triangle has", "triangles have"),
                            " double-sided materials; the console draws front faces only"),
            .hint = "to see what the console shows, turn on Backface Culling in Blender; to add back faces, set "
                    "both_sides = true in the properties of the material"});
    if (counts_.lit && counts_.cut_off * 2 > counts_.lit)
      note(Severity::hint, "splashpack.make-bright", {},
           {.message = text(counts_.cut_off, " of ", counts_.lit, " lit vertices are clamped to the brightest colour"),
            .hint = "use a smaller {--exposure}, or export from Blender with Lighting Mode Unitless"});
    if (lines_)
      note(Severity::hint, "splashpack.make-lost", {},
           {.message =
                text("points and lines cannot be stored in a pack: ", format_count(lines_, "primitive", "primitives")),
            .hint = "points and lines are omitted from the pack; use faces instead"});
    if (counts_.cut_bright)
      note(Severity::warning, "splashpack.make-lost", {},
           {.message = text(format_count(counts_.cut_bright, "vertex was", "vertices were"),
                            " brighter in the original pack; the brightness is lost without the attribute _SOURCE"),
            .hint = "the vertices are clamped to the brightest vertex colour; in Blender, export with Data, Mesh, "
                    "Attributes"});
    if (unmoved_ && is_old)
      note(Severity::warning, "splashpack.make-lost", {},
           {.message =
                format_count(unmoved_, "skinned mesh requires", "skinned meshes require") + " layout v20 or later",
            .hint = "skinned meshes are stored in the rest pose"});
    if (is_old && !s_.animations.empty())
      note(Severity::warning, "splashpack.make-lost", {},
           {.message =
                format_count(s_.animations.size(), "animation requires", "animations require") + " layout v20 or later",
            .hint = "the animations are omitted from the pack"});
    note(Severity::hint, "splashpack.make-made", {},
         {.message = text(format_count(pack_.objects.size(), "object", "objects"), ", ",
                          format_count(counts_.after, "triangle", "triangles"), " (", counts_.before,
                          " in the scene), ", format_count(textures, "texture", "textures"), " on ",
                          format_count(pack_.atlases.size(), "page", "pages"), ", ",
                          format_count(pack_.cluts.size(), "palette", "palettes"), ", ",
                          format_count(pack_.scripts.size(), "script", "scripts"))});
  }

  static std::string format_count(u64 n, std::string_view one, std::string_view several) {
    return text(n, " ", n == 1 ? one : several);
  }

  template <class T>
  bool add_file(T value, std::string extension) {
    Document<T> document;
    document.edit() = std::move(value);
    auto bytes = save(document, {});
    if (bytes)
      made_.files.push_back({std::move(extension), *std::move(bytes)});
    else
      fault_ = std::move(bytes.error());
    return !fault_;
  }

  Result<Made> save_files(Spu& spu) {
    if (settings_.since(k_sections)) {
      Vram vram = extract_vram(pack_);
      vram.fonts = std::move(glyphs_);
      (void)(add_file(std::move(pack_), ".splashpack") && add_file(std::move(vram), ".vram") &&
             add_file(std::move(spu), ".spu") && (geo_.sectors.empty() || add_file(std::move(geo_), ".geo")));
    } else {
      (void)add_file(std::move(pack_), ".splashpack");
    }
    if (fault_) return refuse(*std::move(fault_));
    return std::move(made_);
  }

  const scene::Scene& s_;
  MakeSettings settings_;
  Pack pack_;
  std::vector<VramFont> glyphs_;
  Geo geo_;
  Made made_;
  std::vector<Role> roles_;
  std::vector<Affine> places_;
  std::vector<Index> objects_;      // the node of each
  std::map<Index, Index> holders_;  // of skinned meshes, by the node of the object
  CoordinateRange reach_{settings_};
  Scripts scripts_{s_};
  TriangleCounts counts_;
  std::optional<SkinSectionBuilder> skins_;
  Index player_ = k_none;
  f64 height_ = k_usual_height;
  u64 lines_ = 0, unmoved_ = 0;  // skinned meshes that stay in the rest pose
  std::optional<Diagnostic> fault_;
};

u64 count_lost(const Diagnostics& notes) {
  return u64(std::ranges::count_if(
      notes, [](const Diagnostic& d) { return d.id == "splashpack.make-lost" && d.severity == Severity::warning; }));
}

}  // namespace

Result<Made> make_pack_from_scene(const scene::Scene& given, std::span<const Argument> told) {
  // Programs without hidden nodes keep hidden nodes of a scene from a pack with a scale of 0.
  const auto is_hidden = [](const scene::Node& n) {
    return n.scale == scene::Vec3{} && read_text_extra(n.extras, "kind").has_value();
  };
  scene::Scene shown;
  const bool any_hidden = std::ranges::any_of(given.nodes, is_hidden);
  if (any_hidden) {
    shown = given;
    for (scene::Node& n : shown.nodes)
      if (is_hidden(n)) n.scale = {1, 1, 1}, n.extras.add("was_hidden", true);
  }
  const scene::Scene& scene = any_hidden ? shown : given;
  Diagnostics notes;
  auto settings = read_settings(scene, told, notes);
  if (!settings) return refuse(std::move(settings.error()));
  add_property_notes(scene, notes);
  const auto with_notes = [&](Result<Made> made) {
    if (!made) return made;
    made->notes.insert(made->notes.begin(), notes.begin(), notes.end());
    made->lost = count_lost(made->notes);
    return made;
  };
  const Layout layout = settings->layout;
  if (u32(layout) >= k_scripts) return with_notes(SplashpackBuilder(scene, *settings).build());
  // Older layouts store less than d: they are converted from a pack of d.
  settings->layout = Layout::d;
  auto made = SplashpackBuilder(scene, *settings).build();
  if (!made) return made;
  const auto pack = load<Pack>(made->files.front().bytes);
  if (!pack) return refuse(pack.error());
  auto older = convert_pack_layout(pack->document.value(), {},
                                   std::array{Argument{"layout", std::string(k_layouts.of(i64(layout)))}});
  if (!older) return older;
  // The summary must be the last note.
  older->notes.insert(older->notes.begin(), made->notes.begin(), made->notes.end() - 1);
  older->notes.push_back(std::move(made->notes.back()));
  return with_notes(std::move(older));
}

std::span<const Rule> make_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"splashpack.make-range", Cause::limit,
       "coordinates that the pack stores in 16 bits are at most 32,767 pack units from the origin",
       "The engine reads positions as 16-bit numbers. If a number does not fit in 16 bits, it wraps around, and the "
       "object appears on the opposite side of the scene.",
       "Choose a larger {--scaling}, or move the object closer to the origin.",
       "psx-spx, GTE; psxsplash, renderer.cpp"},
      {"splashpack.make-small", Cause::limit, "at least one triangle of the scene has an area after rounding",
       "Pack coordinates are whole numbers, so a scene that is smaller than one pack unit shrinks to a point.",
       "Convert the scene again with a smaller {--scaling}.", "src/formats/splashpack/README.md#from-gltf"},
      {"splashpack.make-tiles", Cause::limit, "a texture repeats at most 1024 times on a triangle",
       "The engine cannot repeat textures, so each repetition of a texture needs separate triangles.",
       "Repeat the texture less often on the triangle, or split the triangle.",
       "SplashEdit, issue 23; src/formats/splashpack/README.md#from-gltf"},
      {"splashpack.make-many", Cause::limit, "an object has at most 65535 triangles, and a pack at most 65535 objects",
       "The pack stores triangle counts and object counts as 16-bit numbers.",
       "Split the object or the scene into smaller ones.", "src/formats/splashpack/README.md#layouts"},
      {"splashpack.make-script", stop, "every script that a node names exists",
       "The engine does not check that a script exists.",
       "Put the script file next to the scene, or correct the script name in the node.", "psxsplash, lua.cpp"},
      {"splashpack.make-sound", stop, "sound files are .wav or .vag files that fit in sound memory",
       "Only .wav and .vag files can be converted to the ADPCM format of the console.",
       "Convert the sound to .wav or .vag, or shorten the sound.", "psx-spx, SPU ADPCM"},
      {"splashpack.make-sounds", warning, "a scene has at most 32 sounds, and all sounds together fit in sound memory",
       "The engine drops sounds beyond the 32nd, and sounds that do not fit in sound memory.",
       "Remove sounds, shorten them, or lower their sampling rate.", "psxsplash, audiomanager.cpp"},
      {"splashpack.make-picture", stop,
       "every canvas file that a scene names exists, and every picture that a canvas file names exists",
       "If a picture is missing, the pack has no texels to draw for a canvas element.",
       "Put the missing file next to the scene, or correct the file name.",
       "src/formats/splashpack/README.md#from-gltf"},
      {"splashpack.make-property", warning, "the custom properties of a scene have known names and valid values",
       "Custom properties with unknown names or invalid values are ignored.",
       "Correct the name or the value of the property as the message suggests.",
       "src/formats/splashpack/README.md#scenes", Severities{hint}},
      {"splashpack.make-player", hint, "exactly one node marks where the player starts",
       "Without a start node, the player starts at the origin of the scene, even if the floor is elsewhere.",
       "Name a node \"player_start\" where the player should start.", "src/formats/splashpack/README.md#from-gltf",
       Severities{warning}},
      {"splashpack.make-engine", warning,
       "the pack contains all the data that the engine uses without checking that it exists",
       "If the data is missing, the engine reads past the end of a list, or does not find the floor.",
       "Add the missing data that the message names to the scene.",
       "psxsplash at b5b0ae4; psxsplash, 441acbb to 8699ea7"},
      {"splashpack.make-names", warning, "the names in a scene are unique and have at most 24 ASCII characters",
       "Scripts find objects and clips by their names, so a changed name can break a script.",
       "Give the object or clip a unique name of at most 24 ASCII characters.",
       "src/formats/splashpack/README.md#from-gltf"},
      {"splashpack.make-floor", warning, "the player can walk on the floor",
       "The player cannot stand on walls, or on triangles without an area.",
       "Make the floor flat enough to walk on, and remove floor triangles without an area.",
       "src/formats/splashpack/README.md#from-gltf"},
      {"splashpack.make-degenerate", hint, "the triangles of a scene have an area",
       "Triangles without an area are never visible.", "No action is needed: the pack omits triangles without an area.",
       "measured on real packs, which have 4 to 72 such triangles", Severities{warning}},
      {"splashpack.make-bright", hint, "the lights of a scene exceed the maximum brightness at only a few vertices",
       "Vertex colours above the maximum brightness are clamped. All clamped colours are equally bright, so shading is "
       "lost.",
       "Reduce the light in the scene.", "src/formats/splashpack/README.md#from-gltf"},
      {"splashpack.make-one-sided", hint, "the materials of a scene are single-sided",
       "The engine draws no back faces. Showing both sides of a material takes twice as many triangles, which take "
       "twice as long to draw.",
       "Make the material single-sided, and model both sides only where both are visible.",
       "src/formats/splashpack/README.md#from-gltf"},
      {"splashpack.make-rooms", warning,
       "the rooms of a scene have a size, and each portal is flat and connects two rooms",
       "The engine shows a room only if the camera is in the room or sees it through portals.",
       "Give each room a size, make each portal flat, and put each portal between two rooms.",
       "psxsplash, renderer.cpp, RenderWithRooms"},
      {"splashpack.make-bones", hint,
       "each vertex of a skinned mesh follows one bone, and the mesh has at most 64 bones",
       "The engine supports at most 64 bones in a mesh, and only one bone for each vertex. If a mesh has too many "
       "bones, vertices of the excess bones follow the nearest parent bone within the limit.",
       "Use at most 64 bones, and one bone for each vertex.", "psxsplash, skinmesh.hh", Severities{warning}},
      {"splashpack.make-blend", warning, "the texels and materials of a scene are opaque or fully transparent",
       "The engine cannot draw partial transparency.",
       "Make the material opaque. Make each partially transparent pixel opaque or fully transparent.",
       "src/formats/splashpack/README.md#textures"},
      {"splashpack.make-lost", warning, "the pack can store all data of the scene",
       "Scene data that the pack layout cannot store is lost.",
       "If you need the lost data, choose another {--target-layout}. Otherwise, no action is needed.",
       "src/formats/splashpack/README.md#from-gltf", Severities{hint}},
      {"splashpack.make-made", hint, "every conversion ends with a summary",
       "The numbers in the summary show how much of the console's memory and other limits the pack uses.",
       "To see the limits, run {budget FILE}.", "src/formats/splashpack/README.md#from-gltf"},
  };
  return k_rules;
}

}  // namespace dio::splashpack
