#include "formats/splashpack/versions/pack_converter.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/sections.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {
namespace {

std::string format_count(u64 n, std::string_view one, std::string_view many) {
  return text(n, ' ', n == 1 ? one : many);
}

class PackConverter {
 public:
  PackConverter(const Pack& from, const PackCompanions& beside, const MakeSettings& settings)
      : from_(from),
        vram_(beside.vram),
        spu_(beside.spu),
        geo_(beside.geo && matches_pack(*beside.geo, from) ? beside.geo : nullptr),
        settings_(settings),
        to_(settings.layout),
        p_(geo_ && !target_has(k_memory_card) ? load_streamed_triangles(from, *geo_) : from) {}

  Result<Made> convert() {
    if (from_.form == to_ && !target_has(k_sections)) return save_files();  // the pack unchanged
    for (auto step :
         {&PackConverter::collect_pixels, &PackConverter::copy_texture_sources, &PackConverter::check_position_range,
          &PackConverter::drop_unsupported_parts, &PackConverter::convert_textures_to_layout,
          &PackConverter::convert_floor, &PackConverter::add_missing_sections, &PackConverter::check_reserved_vram}) {
      (this->*step)();
      if (fault_) return refuse(*std::move(fault_));
    }
    return save_files();
  }

 private:
  bool source_has(u32 first) const { return u32(from_.form) >= first; }
  bool target_has(u32 first) const { return u32(to_) >= first; }
  std::string name_of_target() const { return std::string(k_layouts.of(i64(to_))); }

  /// Notes parts that the new layout cannot store. `n`: their number; no note for 0.
  void report_lost(u64 n, std::string path, const std::string& what, u32 first, std::string hint = {}) {
    if (!n) return;
    made_.notes.push_back(make_diagnostic(
        Severity::warning, "splashpack.remake-lost", std::move(path),
        {.message = text("the layout cannot store ", what, "; layout ", k_layouts.of(first), " or later can"),
         .hint = std::move(hint)}));
  }
  void add_note(std::string_view id, std::string path, DiagnosticText said) {
    const Severity severity = id == "splashpack.remake-made" ? Severity::hint : Severity::warning;
    made_.notes.push_back(make_diagnostic(severity, id, std::move(path), std::move(said)));
  }

  // ---- texels and palettes: all of them in the pack, whatever its layout

  void collect_pixels() {
    if (source_has(k_sections)) {
      if (!vram_ && !(p_.atlases.empty() && p_.cluts.empty() && p_.fonts.empty()))
        return fail_missing_companion(".vram", "texels and palettes");
      if (!spu_ && !p_.audio_clips.empty() && target_has(k_sections)) return fail_missing_companion(".spu", "sounds");
      if (!geo_ && p_.stream && !p_.stream->refs.empty())
        return fail_missing_companion(".geo", "triangles of streamed objects");
      if (!vram_) return;
      p_.atlases.clear();
      p_.cluts.clear();
      for (const VramAtlas& a : vram_->atlases) p_.atlases.push_back({0, a.width, a.height, a.x, a.y, a.texels});
      for (const VramClut& c : vram_->cluts) add_clut(c.x, c.y, c.colors);
    } else if (from_.form == Layout::a2) {
      for (const Object& o : from_.objects) {
        const u8 depth = TexturePage::from_word(o.page).depth;
        if (depth > 1) continue;
        const auto is_there = [&](const Clut& c) { return c.x == o.clut_x && c.y == o.clut_y; };
        const std::vector<u16> colors(o.colors.begin(), o.colors.begin() + (depth ? 256 : 16));
        const auto old = std::ranges::find_if(p_.cluts, is_there);
        if (old == p_.cluts.end())
          add_clut(o.clut_x, o.clut_y, colors);
        else if (old->colors != colors)
          ++other_palettes_;
      }
      if (other_palettes_)
        add_note("splashpack.remake-texture", {},
                 {.message = format_count(other_palettes_, "object has", "objects have") +
                             " a palette at the same VRAM position as another object",
                  .hint = "only the first palette is kept"});
    } else {
      for (Clut& c : p_.cluts) c.colors.resize(c.length);
    }
  }
  void fail_missing_companion(const char* extension, const char* what) {
    fault_ = make_diagnostic("splashpack.remake-files", {},
                             {.message = text("the ", what, " of the pack are in a ", extension,
                                              " file, which is missing or does not match the pack")});
  }
  void add_clut(u16 x, u16 y, const std::vector<u16>& colors) {
    Clut& c = p_.cluts.emplace_back();
    c.x = x, c.y = y, c.length = u16(colors.size()), c.colors = colors;
  }

  /// Each triangle gets the position of its texels, or 0xFFFF if it has none, as in v20.
  void copy_texture_sources() {
    for (size_t i = 0; i < p_.objects.size(); ++i)
      for (Triangle& t : p_.objects[i].triangles) {
        const auto source = texture_of(from_, from_.objects[i], t);
        t.page = source ? source->page : k_untextured;
        t.clut_x = source ? source->clut_x : 0;
        t.clut_y = source ? source->clut_y : 0;
        if (!target_has(k_sections) && source_has(k_sections)) moving_ += t.flags & 1, t.flags = 0;
      }
    reset_baked_transforms();
    if (full_turn_of(from_.form) != full_turn_of(to_))
      for (fx16* n : {&p_.rotation.x, &p_.rotation.y, &p_.rotation.z})
        n->raw = i16(std::lround(player_angle(from_.form, *n) / (2 * std::numbers::pi) * full_turn_of(to_)) %
                     full_turn_of(to_));
    p_.form = to_;
    p_.version = target_has(k_sections) ? u16(to_) : 1;
  }

  /// Objects whose triangles are already in position move to the origin, for engines that use the position of objects.
  void reset_baked_transforms() {
    if (!target_has(k_pages_in_triangles)) return;
    u64 n = 0;
    for (Object& o : p_.objects) {
      if (uses_object_transform(from_, o)) continue;
      o.position = {};
      o.rotation = Object().rotation;
      ++n;
    }
    if (n)
      add_note("splashpack.remake-made", "objects",
               {.message = format_count(n, "object was", "objects were") +
                           " moved to the origin, because the triangles are already in position"});
  }

  void check_position_range() {
    if (target_has(k_sections)) return;
    for (size_t i = 0; i < p_.objects.size(); ++i) {
      const Vec32& at = p_.objects[i].position;
      for (const auto& [name, n] : {std::pair("x", at.x), std::pair("y", at.y), std::pair("z", at.z)})
        if (n.raw < INT16_MIN || n.raw > INT16_MAX) {
          fault_ = make_diagnostic("splashpack.remake-range", text("objects[", i, "].position.", name),
                                   {.message = text(format_real(n.value(), false), " is out of range (-8 to 8)"),
                                    .hint = "the engine of the new layout reads positions as 16-bit numbers"});
          return;
        }
    }
  }

  // ---- parts that the layout cannot store

  void drop_unsupported_parts() {
    if (!target_has(k_lights)) {
      const u64 lit = drop_flags(source_has(k_lights) ? k_lit_triangles | k_lit_vertices : 0);
      report_lost(lit, "objects", "runtime lights on " + format_count(lit, "object", "objects"), k_lights);
    }
    drop_newer_parts();
    if (source_has(k_memory_card) && !target_has(k_memory_card)) {
      report_lost(p_.memory_card.has_value(), "memory_card", "the memory card", k_memory_card);
      p_.memory_card.reset();
    }
    if (source_has(k_sections) && !target_has(k_sections)) drop_sections();
    if (!target_has(k_flags)) {
      u64 inactive = 0;
      for (const Object& o : from_.objects) inactive += source_has(k_flags) && !(o.flags & 1);
      report_lost(inactive, "objects", "the hidden state of " + format_count(inactive, "object", "objects"), k_flags,
                  "the hidden objects are visible from the start");
      report_lost(source_has(k_flags) && from_.script >= 0, "script", "the link to the scene script", k_flags,
                  "the script stays in the pack, but nothing runs it");
    }
    if (!target_has(k_scripts)) {
      report_lost(p_.scripts.size(), "scripts", format_count(p_.scripts.size(), "script", "scripts"), k_scripts);
      p_.scripts.clear();
      for (Object& o : p_.objects) o.script = -1;
      p_.script = -1;
    }
    if (source_has(k_player) && !target_has(k_player))
      report_lost(1, "start", "the start position of the player", k_player);
  }

  u64 drop_flags(u32 flags) {
    u64 n = 0;
    for (Object& o : p_.objects) {
      n += (o.flags & flags) != 0;
      o.flags &= ~flags;
    }
    return n;
  }

  /// Parts added in v21 and later.
  void drop_newer_parts() {
    const auto drop = [&](auto& part, const char* name, std::string what, u32 first) {
      if (target_has(first)) return;
      report_lost(part ? 1 : 0, name, std::move(what), first);
      part.reset();
    };
    drop(p_.stream, "stream", "streamed objects (their triangles are now in the pack)", k_memory_card);
    if (!target_has(k_lights)) drop_light_tracks();
    drop(p_.lights, "lights", "the lights", k_lights);
    drop(p_.tilemap, "tilemap", "the tile map", k_tilemap);
    if (!target_has(k_buffers)) p_.ordering_table_size = p_.primitive_buffer_size = 0;
    if (target_has(k_agents)) return;
    report_lost(p_.agents.size(), "agents", format_count(p_.agents.size(), "agent", "agents"), k_agents);
    report_lost(p_.sprite_sheets.size(), "sprite_sheets",
                format_count(p_.sprite_sheets.size(), "sprite sheet", "sprite sheets"), k_agents);
    p_.agents.clear(), p_.sprite_sheets.clear(), p_.sprite_animations.clear();
    p_.sprite_offset = p_.sprite_sheet_count = p_.sprite_animation_count = 0;
    p_.scene_hash = 0;
  }

  void drop_light_tracks() {
    u64 n = 0;
    const auto drop_from = [&](auto& list) {
      for (auto& c : list) n += std::erase_if(c.tracks, [](const Track& t) { return t.is_of_light(); });
    };
    drop_from(p_.cutscenes), drop_from(p_.animations);
    report_lost(n, "cutscenes", format_count(n, "light track", "light tracks"), k_lights);
  }

  void drop_sections() {
    const auto report_lost_list = [&](const auto& part, const char* path, const char* one, const char* many,
                                      std::string hint = {}) {
      report_lost(part.size(), path, format_count(part.size(), one, many), k_sections, std::move(hint));
    };
    report_lost_list(p_.colliders, "colliders", "collider", "colliders");
    report_lost_list(p_.triggers, "triggers", "trigger", "triggers");
    report_lost_list(p_.interactables, "interactables", "interactable", "interactables");
    report_lost_list(p_.rooms, "rooms", "room", "rooms");
    report_lost_list(p_.audio_clips, "audio_clips", "sound", "sounds");
    report_lost_list(p_.cutscenes, "cutscenes", "cutscene", "cutscenes");
    report_lost_list(p_.animations, "animations", "animation", "animations");
    report_lost_list(p_.skins, "skins", "skin", "skins", "the objects no longer move");
    report_lost_list(p_.fonts, "fonts", "font", "fonts");
    report_lost_list(p_.canvases, "canvases", "canvas", "canvases");
    report_lost(p_.fog != 0, "fog", "fog", k_sections);
    u64 names = 0, bytecode = 0;
    for (const Object& o : p_.objects) names += !o.name.empty();
    report_lost(names, "objects", format_count(names, "object name", "object names"), k_sections);
    report_lost(moving_, "objects", "moving textures on " + format_count(moving_, "triangle", "triangles"), k_sections);
    for (const Script& s : p_.scripts) bytecode += s.is_bytecode();
    if (bytecode && target_has(k_scripts))
      add_note("splashpack.remake-lost", "scripts",
               {.message = format_count(bytecode, "script is", "scripts are") +
                           " bytecode; the engine of the new layout needs text",
                .hint = "the source text is not in the file"});
    for (Object& o : p_.objects) o.flags &= 1;
  }

  // ---- textures, for layouts with fewer ways to store them

  void convert_textures_to_layout() {
    if (target_has(k_sections)) return;
    assign_white_texture();
    if (fault_ || target_has(k_pages_in_triangles)) return;
    std::vector<Object> objects;
    u64 no_palette = 0;
    for (Object& o : p_.objects) {
      std::map<TextureSource, std::vector<Triangle>> by_source;
      for (Triangle& t : o.triangles) by_source[{t.page, t.clut_x, t.clut_y}].push_back(t);
      o.triangles.clear();
      if (by_source.empty()) objects.push_back(o);
      for (auto& [source, triangles] : by_source) {
        Object& part = objects.emplace_back(o);
        part.page = source.page, part.clut_x = source.clut_x, part.clut_y = source.clut_y;
        part.triangles = std::move(triangles);
        if (TexturePage::from_word(source.page).depth > 1) continue;
        const auto clut =
            std::ranges::find_if(p_.cluts, [&](const Clut& c) { return c.x == source.clut_x && c.y == source.clut_y; });
        if (to_ == Layout::a1 || clut == p_.cluts.end()) {
          no_palette += part.triangles.size();
          continue;
        }
        part.colors = {};
        std::copy_n(clut->colors.begin(), std::min<size_t>(clut->colors.size(), 256), part.colors.begin());
      }
    }
    if (objects.size() != p_.objects.size())
      add_note("splashpack.remake-made", "objects",
               {.message = text(format_count(p_.objects.size(), "object", "objects"), " became ", objects.size(),
                                ", each with a single texture page and palette")});
    if (no_palette)
      add_note("splashpack.remake-texture", "objects",
               {.message = format_count(no_palette, "triangle has", "triangles have") + " no palette in layout " +
                           name_of_target(),
                .hint = "the triangles use unrelated contents of VRAM as colours"});
    p_.objects = std::move(objects);
    p_.cluts.clear();
  }

  /// Before v20, every triangle has a texture: untextured ones get a white one, and their colours are halved, because
  /// 128 then means the former 255.
  void assign_white_texture() {
    u64 n = 0;
    for (const Object& o : p_.objects) n += u64(std::ranges::count(o.triangles, k_untextured, &Triangle::page));
    if (!n) return;
    const scene::Image white{"white", 8, 8, 8, {}, std::vector<u8>(8 * 8 * 4, 255)};
    const TextureRequest wish{&white, u8(to_ == Layout::a1 ? 16 : 4)};
    auto placed = place_textures({&wish, 1}, {occupied_vram_rects(), false, 8});
    if (!placed) {
      fault_ = std::move(placed.error());
      return;
    }
    const PlacedTexture& texture = placed->textures.front();
    for (Object& o : p_.objects)
      for (Triangle& t : o.triangles) {
        if (t.page != k_untextured) continue;
        t.page = texture.source.page, t.clut_x = texture.source.clut_x, t.clut_y = texture.source.clut_y;
        t.uvs = {Uv{texture.u, texture.v}, Uv{u8(texture.u + 7), texture.v}, Uv{texture.u, u8(texture.v + 7)}};
        for (Color& c : t.colors) c.red = half(c.red), c.green = half(c.green), c.blue = half(c.blue);
      }
    std::ranges::move(placed->atlases, std::back_inserter(p_.atlases));
    std::ranges::move(placed->cluts, std::back_inserter(p_.cluts));
    add_note("splashpack.remake-made", "objects",
             {.message = format_count(n, "triangle", "triangles") + " without a texture got a white texture",
              .hint = "the vertex colours lose the lowest bit"});
  }
  static u8 half(u8 n) { return u8((n + 1) / 2); }

  std::vector<Rect> occupied_vram_rects() const {
    std::vector<Rect> all = reserved_areas(to_);
    for (const Atlas& a : p_.atlases) all.push_back({a.x, a.y, a.width, a.height});
    for (const Clut& c : p_.cluts) all.push_back({c.x * 16u, c.y, c.length, 1});
    return all;
  }

  // ---- the floor

  void convert_floor() {
    if (source_has(k_sections) == target_has(k_sections)) {
      if (target_has(k_navmeshes)) return;
      report_lost(p_.navmeshes.size(), "navmeshes", "the floor", k_navmeshes);
      return p_.navmeshes.clear();
    }
    if (target_has(k_sections)) return convert_floor_to_regions();
    const u64 regions = p_.nav ? p_.nav->regions.size() : 0;
    if (!target_has(k_navmeshes)) return report_lost(regions, "nav", "the floor", k_navmeshes);
    Navmesh mesh;
    for (u64 i = 0; i < regions; ++i) {
      const NavRegion& r = p_.nav->regions[i];
      const auto corner = [&](size_t c) {
        const i64 x = r.xs[c].raw, z = r.zs[c].raw;
        const i64 y = (i64(r.plane_a.raw) * x >> 12) + (i64(r.plane_b.raw) * z >> 12) + r.plane_d.raw;
        return Vec32{{i32(x)}, {i32(std::clamp<i64>(y, INT32_MIN, INT32_MAX))}, {i32(z)}};
      };
      for (size_t c = 2; c < std::min<size_t>(r.corner_count, 8); ++c)
        mesh.triangles.push_back({{corner(0), corner(c - 1), corner(c)}});
    }
    if (mesh.triangles.size() > 0xFFFF) {
      fault_ = make_diagnostic("splashpack.remake-range", "nav.regions",
                               {.message = text("the floor has ", mesh.triangles.size(), " triangles (limit: 65535)")});
      return;
    }
    if (mesh.triangles.empty())
      return add_note("splashpack.remake-lost", "nav",
                      {.message = "the pack has no floor",
                       .hint = "without a navmesh, the engine of the new layout reads past the end of a list"});
    add_note("splashpack.remake-made", "navmeshes[0]",
             {.message = text("the floor of ", format_count(regions, "region", "regions"), " was converted to ",
                              format_count(mesh.triangles.size(), "triangle", "triangles"))});
    p_.navmeshes = {std::move(mesh)};
    p_.nav.reset();
  }

  void convert_floor_to_regions() {
    std::vector<NavTriangle> floor;
    for (const Navmesh& n : p_.navmeshes) floor.insert(floor.end(), n.triangles.begin(), n.triangles.end());
    if (p_.navmeshes.size() > 1)
      add_note("splashpack.remake-made", "navmeshes",
               {.message = text(p_.navmeshes.size(), " navmeshes became one floor"),
                .hint = "the engine of the original layout uses only the first navmesh"});
    p_.navmeshes.clear();
    if (floor.empty()) return;
    BuiltNavmesh made = build_nav_regions(floor, {{p_.start.x.raw}, {p_.start.y.raw}, {p_.start.z.raw}});
    if (made.too_many)
      return add_note("splashpack.remake-lost", "nav",
                      {.message = text("the floor of ", floor.size(), " triangles needs more than 65534 regions"),
                       .hint = "the pack has no floor"});
    if (made.degenerate + made.steep)
      add_note("splashpack.remake-lost", "nav",
               {.message = format_count(made.degenerate + made.steep,
                                        "triangle of the floor is a wall or, seen from above, has",
                                        "triangles of the floor are walls or, seen from above, have") +
                           " no area",
                .hint = "these triangles are omitted from the floor"});
    if (!made.nav) return;
    add_note(
        "splashpack.remake-made", "nav",
        {.message = text("the floor was converted to ", format_count(made.nav->regions.size(), "region", "regions"),
                         " with ", format_count(made.nav->portals.size(), "portal", "portals"))});
    p_.nav = std::move(made.nav);
  }

  // ---- parts that the original layout lacks

  void add_missing_sections() {
    if (target_has(k_flags) && !target_has(k_sections) && p_.script < 0)
      add_note(
          "splashpack.remake-lost", "script",
          {.message = "the scene has no script", .hint = "the engine of layout e stops if there is no scene script"});
    if (!target_has(k_sections) || source_has(k_sections)) return;
    for (size_t i = 0; i < p_.objects.size(); ++i) {
      p_.objects[i].name = text("object_", i);
      p_.objects[i].flags &= 1;
    }
    if (!add_derived_sections(p_, settings_.scaling))
      add_note("splashpack.remake-lost", "bvh_nodes",
               {.message = "a BVH holds at most 65535 triangles",
                .hint = "the pack has no BVH, so the engine draws all objects"});
    add_note("splashpack.remake-made", "objects",
             {.message = text("added for layout ", name_of_target(), ": names object_0 to object_",
                              p_.objects.empty() ? 0 : p_.objects.size() - 1, ", boxes, a BVH of ",
                              format_count(p_.bvh_nodes.size(), "node", "nodes"),
                              " and the editor's default speeds at this scaling")});
  }

  /// Textures keep their positions, which the engine may reserve.
  void check_reserved_vram() {
    const auto before = reserved_areas(from_.form), now = reserved_areas(to_);
    const auto is_in = [](const std::vector<Rect>& all, const Rect& r) {
      return std::ranges::any_of(all, [&](const Rect& o) { return o.overlaps(r); });
    };
    const auto check_rect = [&](const std::string& path, const Rect& r) {
      if (is_in(now, r) && !is_in(before, r))
        add_note("splashpack.remake-texture", path,
                 {.message = text("the position (", r.x, ", ", r.y, ") in VRAM is reserved by the engine of layout ",
                                  name_of_target()),
                  .hint = "the data was not moved; convert the pack to glTF and back to move it"});
    };
    for (size_t i = 0; i < p_.atlases.size(); ++i) {
      const Atlas& a = p_.atlases[i];
      check_rect(text("atlases[", i, "]"), {a.x, a.y, a.width, a.height});
    }
    for (size_t i = 0; i < p_.cluts.size(); ++i) {
      const Clut& c = p_.cluts[i];
      check_rect(text("cluts[", i, "]"), {c.x * 16u, c.y, c.length, 1});
    }
  }

  template <class T>
  void add_file(T value, const char* extension) {
    if (fault_) return;
    Document<T> document;
    document.edit() = std::move(value);
    auto bytes = save(document);
    if (bytes)
      made_.files.push_back({extension, *std::move(bytes)});
    else
      fault_ = std::move(bytes.error());
  }

  Result<Made> save_files() {
    if (to_ == Layout::a3)
      for (Clut& c : p_.cluts) c.colors.resize(256);
    if (target_has(k_sections)) {
      Vram vram = extract_vram(p_);
      if (vram_ && source_has(k_sections)) vram.fonts = vram_->fonts;
      const bool is_streamed = p_.stream && geo_;
      add_file(std::move(p_), ".splashpack");
      add_file(std::move(vram), ".vram");
      add_file(spu_ && source_has(k_sections) ? *spu_ : Spu(), ".spu");
      if (is_streamed) add_file(*geo_, ".geo");
    } else {
      add_file(std::move(p_), ".splashpack");
    }
    if (fault_) return refuse(*std::move(fault_));
    return std::move(made_);
  }

  const Pack& from_;
  const Vram* vram_;
  const Spu* spu_;
  const Geo* geo_;
  const MakeSettings& settings_;
  const Layout to_;
  Pack p_;
  Made made_;
  u64 other_palettes_ = 0, moving_ = 0;
  std::optional<Diagnostic> fault_;
};

}  // namespace

Result<Made> convert_pack_layout(const Pack& pack, const PackCompanions& beside, std::span<const Argument> told) {
  for (const Argument& a : told)
    for (const MakeOption& o : k_make_options)
      if (o.name == a.name && !o.remakes)
        return refuse(
            "make.argument", {},
            {.message =
                 text(a.name, " has no effect on a pack made from another pack; only layout, version and scaling do")});
  const scene::Scene none{};
  Diagnostics notes;
  const auto settings = read_settings(none, told, notes);
  if (!settings) return refuse(settings.error());
  auto made = PackConverter(pack, beside, *settings).convert();
  for (auto& d : {companion_mismatch(beside.vram, pack),
                  companion_mismatch(beside.spu, pack, "the sounds are from another scene")})
    if (d && made) made->notes.insert(made->notes.begin(), *d);
  return made;
}

std::span<const Rule> remake_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"splashpack.remake-files", stop, "the .vram and .spu files of a pack of v20 or later are next to the pack",
       "From v20 on, texels and sounds are not in the pack itself but in the .vram and .spu files.",
       "Put the .vram and .spu files of the scene next to the pack. Their names must match the name of the pack, "
       "except for the extension.",
       "src/formats/splashpack/README.md#the-files"},
      {"splashpack.remake-range", Cause::limit, "object positions fit in the 16-bit numbers of the new pack layout",
       "Engine versions before v20 read positions as 16-bit numbers. If a number does not fit in 16 bits, it wraps "
       "around, and the object appears on the opposite side of the scene.",
       "Move the object closer to the origin, or choose layout v20 or later.",
       "psxsplash; src/formats/splashpack/README.md#from-one-layout-to-another"},
      {"splashpack.remake-lost", warning, "the new layout can store all data of the pack",
       "Older versions of the engine do not support sounds, cutscenes, colliders or object names.",
       "If you need the lost data, choose a later layout.",
       "src/formats/splashpack/README.md#from-one-layout-to-another"},
      {"splashpack.remake-texture", warning, "textures look the same in the new pack layout",
       "Pack layouts differ in the number of palettes and in the areas of VRAM that are free, so textures may look "
       "different.",
       "Check the textures of the new pack with {render FILE}.",
       "src/formats/splashpack/README.md#from-one-layout-to-another"},
      {"splashpack.remake-made", hint,
       "data that the old pack layout does not contain, or stores differently, is generated for the new layout",
       "Generated data may differ from the output of the exporter.",
       "Check the new pack with {budget FILE} and {render FILE}.",
       "src/formats/splashpack/README.md#from-one-layout-to-another"},
  };
  return k_rules;
}

}  // namespace dio::splashpack
