#include "formats/splashpack/from_scene/newer_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/elementary.hpp"
#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/parts.hpp"
#include "scene/math.hpp"

namespace dio::splashpack {
namespace {

bool is_list(const Value* v) { return v && v->is(Value::Kind::list) && v->size(); }
bool is_agent(const Value& extras) {
  const Value* v = extras.find("agent");
  return v && (v->is(Value::Kind::object) || read_flag_extra(extras, "agent").value_or(false));
}
bool is_streamed(const Value& extras) { return read_flag_extra(extras, "streamed").value_or(false); }

/// A member as in the JSON of a pack, with default values.
Value default_entry(const char* list) {
  Pack p;
  p.form = k_newest;
  SpriteSheet& sheet = p.sprite_sheets.emplace_back();
  sheet.cell_width = sheet.cell_height = 16;
  p.sprite_animations.emplace_back();
  Agent& agent = p.agents.emplace_back();
  agent.clips.fill(Agent::k_no_clip);
  p.tilemap.emplace();
  const Value whole = to_value(p);
  const Value* found = whole.find(list);
  return found->is(Value::Kind::list) ? *found->at(0) : *found;
}

}  // namespace

std::optional<Layout> find_layout_for(const scene::Scene& s) {
  const auto any_node = [&](auto is) { return std::ranges::any_of(s.nodes, is); };
  if (s.extras.find("ordering_table_size") || s.extras.find("primitive_buffer_size")) return Layout::v25;
  if (any_node(is_runtime_light)) return Layout::v24;
  if (s.extras.find("tilemap")) return Layout::v23;
  if (is_list(s.extras.find("sprite_sheets")) || s.extras.find("scene_hash") ||
      any_node([](const scene::Node& n) { return is_agent(n.extras); }))
    return Layout::v22;
  return {};
}

// ---- sprites and tiles

class SpriteSectionsBuilder {
 public:
  SpriteSectionsBuilder(const scene::Scene& s, const MakeSettings& settings, Diagnostics& notes)
      : s_(s), settings_(settings), notes_(notes) {}

  Result<SpriteSections> build() {
    add_sheets();
    if (!fault_) add_animations();
    if (!fault_ && settings_.since(k_tilemap))
      add_tilemap();
    else if (s_.extras.find("tilemap"))
      note_lost(notes_, "tilemap", "the layout cannot store the tile map", "layout v23 or later can");
    if (fault_) return refuse(*std::move(fault_));
    return std::move(out_);
  }

 private:
  void add_sheets() {
    const Value* given = s_.extras.find("sprite_sheets");
    if (!is_list(given)) return;
    const Value usual = default_entry("sprite_sheets");
    for (size_t i = 0; i < given->size() && !fault_; ++i) {
      const Value& sheet = *given->at(i);
      const std::string path = text("sprite_sheets[", i, "]");
      Value list = Value::list();
      list.push(fill_missing_members(sheet, usual));
      // One by one, so that an invalid entry affects only itself.
      auto read = parse_pack_list(settings_.layout, "sprite_sheets", std::move(list), notes_);
      if (!read || read->sprite_sheets.empty()) continue;
      SpriteSheet& made = out_.sheets_.emplace_back(std::move(read->sprite_sheets[0]));
      made.name = read_text_extra(sheet, "name").value_or(text("sheet_", i));
      sheet_numbers_[*made.name] = out_.sheets_.size() - 1;
      add_picture(sheet, path, made);
      if (const Value* animations = sheet.find("animations"))
        for (size_t k = 0; is_list(animations) && k < animations->size(); ++k)
          add_animation(*animations->at(k), text(path, ".animations[", k, "]"), out_.sheets_.size() - 1);
    }
  }

  void add_picture(const Value& sheet, const std::string& path, SpriteSheet& made) {
    TextureRequest wish{nullptr};
    const Value* pictures = s_.extras.find("sheet_pictures");
    if (const auto file = read_text_extra(sheet, "file")) {
      const auto known = std::ranges::find(s_.images, *file, &scene::Image::name);
      if (known == s_.images.end()) {
        fault_ = make_diagnostic(
            "splashpack.make-picture", path + ".file",
            {.message = text("no PNG file or picture of the scene is named \"", escape_control_chars(*file), "\"")});
        return;
      }
      constexpr std::array<u8, 3> k_bits = {4, 8, 16};
      wish = {&*known, k_bits[std::min<u8>(made.depth, 2)]};
      if (!sheet.find("columns")) made.columns = u8(std::min(255u, known->width / std::max<u32>(1, made.cell_width)));
      if (!sheet.find("rows")) made.rows = u8(std::min(255u, known->height / std::max<u32>(1, made.cell_height)));
    } else if (const auto n = read_number_extra(sheet, "picture");
               n && is_list(pictures) && *n >= 0 && *n < f64(pictures->size())) {
      if (auto texels = texels_from_json(*pictures->at(size_t(*n))))
        wish.exact = &out_.texels_.emplace_back(*std::move(texels));
    }
    if (!wish.image && !wish.exact)
      return note_lost(notes_, path, "the sheet has no picture", "nothing is drawn for this sheet; give it a file");
    out_.pictures_.emplace_back(out_.sheets_.size() - 1, out_.wishes_.size());
    out_.wishes_.push_back(wish);
  }

  /// Animations of a pack belong to its own sheets, not to those of a file.
  void add_animations() {
    const Value* given = s_.extras.find("sprite_animations");
    if (s_.extras.find("sprite_sheets_file") && !s_.extras.find("sprite_animations_file")) return;
    for (size_t i = 0; is_list(given) && i < given->size(); ++i)
      add_animation(*given->at(i), text("sprite_animations[", i, "]"), 0);
  }

  void add_animation(const Value& given, const std::string& path, size_t sheet) {
    if (const auto name = read_text_extra(given, "sheet")) {
      const auto known = sheet_numbers_.find(*name);
      if (known == sheet_numbers_.end())
        return note_lost(notes_, path, text("no sheet is named \"", escape_control_chars(*name), "\""),
                         "the animation is omitted");
      sheet = known->second;
    } else if (const auto number = read_number_extra(given, "sheet")) {
      sheet = size_t(std::clamp(*number, 0.0, 255.0));
    }
    Value list = Value::list();
    Value& one = list.push(fill_missing_members(given, default_entry("sprite_animations")));
    if (Value* to = one.find("sheet")) *to = u64(sheet);
    auto read = parse_pack_list(settings_.layout, "sprite_animations", std::move(list), notes_);
    if (!read || read->sprite_animations.empty()) return;
    SpriteAnimation& made = out_.animations_.emplace_back(std::move(read->sprite_animations[0]));
    made.name = read_text_extra(given, "name").value_or(text("animation_", out_.animations_.size() - 1));
    if (const auto loop = read_flag_extra(given, "loop")) made.loop = *loop;
  }

  /// The tiles from the JSON of a pack, or `cells`: rows of numbers, -1 for empty cells, with `walkable` rows of 0 or
  /// 1; without these, all cells can be walked on.
  void add_tilemap() {
    const Value* given = s_.extras.find("tilemap");
    if (!given || !given->is(Value::Kind::object)) return;
    Value whole = fill_missing_members(*given, default_entry("tilemap"));
    const auto set = [&](std::string_view name, Value v) {
      if (Value* member = whole.find(name)) *member = std::move(v);
    };
    if (const auto name = read_text_extra(*given, "sheet")) {
      const auto known = sheet_numbers_.find(*name);
      if (known == sheet_numbers_.end())
        return note_lost(notes_, "tilemap.sheet", text("no sheet is named \"", escape_control_chars(*name), "\""),
                         "the tile map is omitted");
      set("sheet", u64(known->second));
    }
    if (const Value* cells = given->find("cells"); is_list(cells)) {
      const auto tiles = tiles_from_rows(*cells, given->find("walkable"));
      if (!tiles)
        return note_lost(notes_, "tilemap.cells", "the rows of the tile map are not number lists of equal length",
                         "the tile map is omitted");
      set("height", u64(cells->size()));
      set("width", u64(cells->at(0)->size()));
      set("tiles", *tiles);
    }
    // A single value is no list: it is read together with an otherwise empty pack.
    Diagnostics notes;
    auto read = parse_pack_list(settings_.layout, "tilemap", std::move(whole), notes);
    for (Diagnostic& d : notes) notes_.push_back(std::move(d));
    if (!read || !read->tilemap) return;
    out_.tilemap_ = std::move(read->tilemap);
    if (out_.tilemap_->sheet < out_.sheets_.size()) {
      const SpriteSheet& sheet = out_.sheets_[out_.tilemap_->sheet];
      if (!out_.tilemap_->tile_width) out_.tilemap_->tile_width = sheet.cell_width;
      if (!out_.tilemap_->tile_height) out_.tilemap_->tile_height = sheet.cell_height;
    }
  }

  static std::optional<Value> tiles_from_rows(const Value& rows, const Value* walkable) {
    Value tiles = Value::list();
    const size_t width = rows.at(0)->size();
    for (size_t y = 0; y < rows.size(); ++y) {
      const auto cells = parse_number_list(*rows.at(y), width);
      if (!cells) return {};
      const auto ways = walkable && walkable->at(y) ? parse_number_list(*walkable->at(y), width) : std::nullopt;
      for (size_t x = 0; x < width; ++x) {
        const bool is_empty = (*cells)[x] < 0;
        Value& tile = tiles.push(Value::object());
        tile.add("cell", is_empty ? u64(Tile::k_none) : u64(std::min((*cells)[x], 254.0)));
        tile.add("flags", u64(ways ? (*ways)[x] != 0 : !is_empty));
      }
    }
    return tiles;
  }

  const scene::Scene& s_;
  const MakeSettings& settings_;
  Diagnostics& notes_;
  SpriteSections out_;
  std::map<std::string, size_t, std::less<>> sheet_numbers_;
  std::optional<Diagnostic> fault_;
};

Result<SpriteSections> SpriteSections::from_extras(const scene::Scene& scene, const MakeSettings& settings,
                                                   Diagnostics& notes) {
  if (settings.since(k_agents)) return SpriteSectionsBuilder(scene, settings, notes).build();
  if (scene.extras.find("sprite_sheets"))
    note_lost(notes, "sprite_sheets", "the layout cannot store the sprite sheets", "layout v22 or later can");
  if (scene.extras.find("tilemap"))
    note_lost(notes, "tilemap", "the layout cannot store the tile map", "layout v23 or later can");
  return SpriteSections();
}

void SpriteSections::add_to_pack(std::span<const PlacedTexture> placed, Pack& pack) && {
  for (const auto& [number, wish] : pictures_) {
    const PlacedTexture& at = placed[wish];
    const TexturePage page = TexturePage::from_word(at.source.page);
    SpriteSheet& sheet = sheets_[number];
    sheet.page_x = u8(page.x / k_page_width), sheet.page_y = u8(page.y / k_page_height);
    sheet.origin = {at.u, at.v};
    sheet.clut_x = at.source.clut_x, sheet.clut_y = at.source.clut_y;
    sheet.depth = page.depth;
  }
  pack.sprite_sheets = std::move(sheets_);
  pack.sprite_animations = std::move(animations_);
  pack.tilemap = std::move(tilemap_);
}

// ---- agents and lights

namespace {

class NewerSectionBuilder {
 public:
  NewerSectionBuilder(const MakeSource& in, Pack& pack, Diagnostics& notes) : in_(in), pack_(pack), notes_(notes) {}

  void build() {
    const bool has_agents = in_.settings.since(k_agents), has_lights = in_.settings.since(k_lights);
    for (size_t i = 0; i < in_.objects.size(); ++i)
      if (const Value& extras = in_.scene.nodes[in_.objects[i]].extras; is_agent(extras)) {
        if (has_agents)
          add_agent(u16(i), extras);
        else
          note_lost(notes_, node_label(in_.scene, in_.objects[i]), "the layout cannot store an agent",
                    "layout v22 or later can");
      }
    for (size_t i = 0; i < in_.scene.nodes.size(); ++i)
      if (is_runtime_light(in_.scene.nodes[i])) {
        if (has_lights)
          add_light(i);
        else
          note_lost(notes_, node_label(in_.scene, i), "the layout cannot store a runtime light",
                    "layout v24 or later can");
      } else if (const scene::Node& node = in_.scene.nodes[i];
                 node.light == k_none && read_flag_extra(node.extras, "runtime").value_or(false)) {
        note_lost(notes_, node_label(in_.scene, i), "the node has the property runtime but no light",
                  "the pack gets no runtime light; in Blender, use a point light, and export with Data, Lighting and "
                  "Include, Punctual Lights");
      }
    if (pack_.lights) light_objects();
    const auto whole = [&](const char* name, f64 most) {
      return u32(std::clamp(read_number_extra(in_.scene.extras, name).value_or(0), 0.0, most));
    };
    if (has_agents) pack_.scene_hash = whole("scene_hash", 4294967295.0);
    if (in_.settings.since(k_buffers)) {
      pack_.ordering_table_size = whole("ordering_table_size", 65536);
      pack_.primitive_buffer_size = (whole("primitive_buffer_size", 1 << 20) + 3) / 4 * 4;
    }
  }

 private:
  u16 read_length(size_t node, std::string_view name, f64 otherwise, f64 divisor = 1) {
    const f64 length = read_number_extra(in_.scene.nodes[node].extras, name).value_or(otherwise);
    return store_length(in_.settings, length / divisor, name, node_label(in_.scene, node), notes_);
  }

  void add_agent(u16 object, const Value& extras) {
    const Value& fields = *extras.find("agent");
    Agent agent;
    if (fields.is(Value::Kind::object)) {  // in pack numbers
      Value list = Value::list();
      Value& one = list.push(fill_missing_members(fields, default_entry("agents")));
      if (Value* waypoints = one.find("waypoints")) *waypoints = Value::list();
      auto read = parse_pack_list(in_.settings.layout, "agents", std::move(list), notes_);
      if (!read || read->agents.empty()) return;
      agent = std::move(read->agents[0]);
    } else {
      agent.clips.fill(Agent::k_no_clip);
      agent.portal_hops = 2;
    }
    set_agent_properties(agent, in_.objects[object], fields.is(Value::Kind::object));
    agent.object = object;
    add_waypoints(agent);
    if (!fields.is(Value::Kind::object) && !agent.waypoints.empty()) agent.flags |= Agent::k_patrols;
    pack_.agents.push_back(std::move(agent));
  }

  /// In metres, seconds and degrees. An agent from a pack keeps the fields without a property.
  void set_agent_properties(Agent& agent, size_t node, bool is_of_pack) {
    const Value& extras = in_.scene.nodes[node].extras;
    const auto takes = [&](std::string_view name) { return !is_of_pack || read_number_extra(extras, name); };
    constexpr f64 k_frames = 30;  // a second
    if (takes("agent_speed")) agent.speed.raw = read_length(node, "agent_speed", 3, k_frames);
    if (takes("agent_stop")) agent.stop_distance.raw = read_length(node, "agent_stop", 0.2);
    if (takes("agent_view")) {
      const f64 view = std::clamp(read_number_extra(extras, "agent_view").value_or(90), 0.0, 360.0);
      agent.view_cosine.raw = i16(std::lround(4096 * elementary::cos(view / 2 * std::numbers::pi / 180)));
    }
    if (takes("agent_timeout"))
      agent.alert_timeout = u16(std::clamp(read_number_extra(extras, "agent_timeout").value_or(60), 0.0, 65535.0));
    const auto set_range = [&](std::string_view name, ufx16& range, u8 flag) {
      if (!takes(name)) return;
      range.raw = read_length(node, name, 0);
      agent.flags = u8(range.raw ? agent.flags | flag : agent.flags & ~flag);
    };
    set_range("agent_sight", agent.sight_range, Agent::k_sees);
    set_range("agent_hearing", agent.hearing_range, Agent::k_hears);
  }

  /// Nodes called waypoint below the node of the object, or with its number or name as `object`; sorted by `index`,
  /// otherwise by name.
  void add_waypoints(Agent& agent) {
    const Index own = in_.objects[agent.object];
    const auto index = read_number_extra(in_.scene.nodes[own].extras, "index");
    std::vector<size_t> nodes;
    for (size_t i = 0; i < in_.scene.nodes.size(); ++i) {
      if (in_.roles[i] != Role::waypoint) continue;
      const Value& extras = in_.scene.nodes[i].extras;
      const auto number = read_number_extra(extras, "object");
      const auto name = read_text_extra(extras, "object");
      bool is_its = (number && index && *number == *index) || (name && *name == in_.scene.nodes[own].name);
      for (Index n = in_.scene.nodes[i].parent; n != k_none && !is_its; n = in_.scene.nodes[n].parent)
        is_its = n == own;
      if (is_its) nodes.push_back(i);
    }
    sort_stably(nodes, {}, [&](size_t i) {
      const scene::Node& n = in_.scene.nodes[i];
      return std::pair(read_number_extra(n.extras, "index").value_or(HUGE_VAL), n.name);
    });
    for (const size_t i : nodes) {
      if (agent.waypoints.size() == Agent::k_most_waypoints) {
        note_lost(notes_, node_label(in_.scene, own),
                  text("the agent has ", nodes.size(), " waypoints (limit: ", Agent::k_most_waypoints, ")"),
                  "the waypoints beyond the limit are omitted");
        break;
      }
      agent.waypoints.push_back(position_of(i));
    }
  }

  Vec32 position_of(size_t node) const {
    const Point at = in_.settings.to_pack_units(in_.places[node].origin);
    const auto raw = [](f64 n) { return fx32{i32(std::clamp(std::floor(n + 0.5), -2147483648.0, 2147483647.0))}; };
    return {raw(at[0]), raw(at[1]), raw(at[2])};
  }

  /// The objects lit by runtime lights: by their property `lit`, otherwise those within reach of a light. The engine
  /// lights no skinned objects. Source: engine, light math.
  void light_objects() {
    const auto reaches = [](const PackLight& light, const Box& box) {
      f64 squared = 0;
      for (const auto& [at, low, high] :
           {std::tuple(light.position.x, box.min.x, box.max.x), std::tuple(light.position.y, box.min.y, box.max.y),
            std::tuple(light.position.z, box.min.z, box.max.z)}) {
        const f64 away = std::max({f64(low.raw) - at.raw, f64(at.raw) - high.raw, 0.0});
        squared += away * away;
      }
      return squared <= f64(light.radius.raw) * light.radius.raw;
    };
    for (size_t i = 0; i < pack_.objects.size(); ++i) {
      Object& o = pack_.objects[i];
      const Value& extras = in_.scene.nodes[in_.objects[i]].extras;
      if (o.flags & k_skinned) continue;
      const bool is_by_vertex = read_text_extra(extras, "lit") == k_lit_by_vertex;
      const auto told = is_by_vertex ? std::optional(true) : read_flag_extra(extras, "lit");
      const bool is_lit =
          told ? *told
               : std::ranges::any_of(pack_.lights->entries, [&](const PackLight& l) { return reaches(l, o.box); });
      const u32 wanted = is_by_vertex ? k_lit_vertices : is_lit ? k_lit_triangles : 0;
      const u32 had = o.flags & k_lit_vertices ? k_lit_vertices : o.flags & k_lit_triangles;
      if (wanted == had) continue;  // also if a pack has only the second flag
      o.flags &= ~(k_lit_triangles | k_lit_vertices);
      o.flags |= is_by_vertex ? k_lit_triangles | k_lit_vertices : wanted;
    }
  }

  void add_light(size_t node) {
    constexpr f64 k_usual_range = 10;
    const scene::Node& n = in_.scene.nodes[node];
    if (in_.scene.lights[n.light].kind != scene::Light::Kind::point)
      note_lost(notes_, node_label(in_.scene, node), "a runtime light shines in all directions",
                "the spot or sun became a point light");
    const scene::Light& from = in_.scene.lights[n.light];
    PackLight light;
    light.position = position_of(node);
    const f64 range = from.range > 0 ? f64(from.range) : read_number_extra(n.extras, "range").value_or(k_usual_range);
    light.radius.raw = i32(std::clamp(std::round(in_.settings.to_pack_units(range)), 0.0, 2147483647.0));
    const f64 intensity = read_number_extra(n.extras, "intensity").value_or(1);
    light.intensity.raw = u16(std::clamp(std::round(intensity * 4096), 0.0, 65535.0));
    const auto channel = [&](size_t k) {
      return u8(std::clamp(std::lround(scene::linear_to_srgb(from.color[k]) * 255), 0L, 255L));
    };
    light.red = channel(0), light.green = channel(1), light.blue = channel(2);
    light.flags = read_flag_extra(n.extras, "enabled").value_or(true) ? PackLight::k_on : 0;
    light.name = names_.make_unique_name(n.name.empty() ? text("light_", node) : n.name);
    if (!pack_.lights) pack_.lights.emplace();
    pack_.lights->entries.push_back(std::move(light));
  }

  const MakeSource& in_;
  Pack& pack_;
  Diagnostics& notes_;
  Names names_;
};

}  // namespace

void add_newer_sections(const MakeSource& source, Pack& pack, Diagnostics& notes) {
  NewerSectionBuilder(source, pack, notes).build();
}

// ---- streamed objects

Geo extract_streamed_triangles(const MakeSource& source, Pack& pack, Diagnostics& notes) {
  Geo geo;
  constexpr u64 k_most_region = 64 << 10;  // bytes: the target of SplashEdit
  std::vector<u16> objects;
  for (size_t i = 0; i < source.objects.size(); ++i)
    if (const auto& extras = source.scene.nodes[source.objects[i]].extras;
        is_streamed(extras) && !pack.objects[i].triangles.empty()) {
      if (pack.objects[i].flags & k_skinned)
        note_lost(notes, node_label(source.scene, source.objects[i]), "an object with bones cannot be streamed",
                  "the object stays in the pack");
      else
        objects.push_back(u16(i));
    }
  if (objects.empty()) return geo;
  if (!source.settings.since(k_memory_card)) {
    note_lost(notes, "stream", format_count(objects.size(), "streamed object") + " stay in the pack",
              "streaming needs layout v21 or later");
    return geo;
  }
  // From west to east, and from north to south, so that neighbours share a region.
  const auto middle = [&](u16 i) {
    const Box& b = pack.objects[i].box;
    return std::pair((i64(b.min.z.raw) + b.max.z.raw) / 2 / 8192, i64(b.min.x.raw) + b.max.x.raw);
  };
  sort_stably(objects, {}, [&](u16 i) { return std::pair(middle(i), i); });
  WorldStream& stream = pack.stream.emplace();
  for (const u16 i : objects) {
    GeoTriangles triangles;
    triangles.triangles = std::move(pack.objects[i].triangles);
    pack.objects[i].triangles.clear();
    const u16 count = u16(triangles.triangles.size());
    Document<GeoTriangles> document;
    document.edit() = std::move(triangles);
    const auto bytes = save(document, {});
    if (!bytes) continue;
    const Box& box = pack.objects[i].box;
    if (stream.regions.empty() || stream.regions.back().size + bytes->size() > k_most_region) {
      geo.sectors.resize((geo.sectors.size() + WorldStream::k_sector - 1) / WorldStream::k_sector *
                         WorldStream::k_sector);
      stream.regions.push_back({box.min.x, box.min.z, box.max.x, box.max.z,
                                u32(geo.sectors.size() / WorldStream::k_sector), 0, u16(stream.refs.size()), 0, 0});
    }
    StreamRegion& r = stream.regions.back();
    r.min_x.raw = std::min(r.min_x.raw, box.min.x.raw), r.min_z.raw = std::min(r.min_z.raw, box.min.z.raw);
    r.max_x.raw = std::max(r.max_x.raw, box.max.x.raw), r.max_z.raw = std::max(r.max_z.raw, box.max.z.raw);
    stream.refs.push_back({i, count, r.size});
    r.size += u32(bytes->size());
    ++r.ref_count;
    geo.sectors.insert(geo.sectors.end(), bytes->begin(), bytes->end());
  }
  geo.sectors.resize((geo.sectors.size() + WorldStream::k_sector - 1) / WorldStream::k_sector * WorldStream::k_sector);
  for (StreamRegion& r : stream.regions) {
    r.size = u32((r.size + WorldStream::k_sector - 1) / WorldStream::k_sector * WorldStream::k_sector);
    stream.slot_size = std::max(stream.slot_size, r.size);
  }
  constexpr size_t k_most_slots = 32;
  constexpr i32 k_far = 20000;  // distance of full fog at density 1
  stream.slot_count = u16(std::min(stream.regions.size() + 1, k_most_slots));
  const i32 seen = std::min<i32>(8192, pack.fog && pack.fog_density ? k_far / pack.fog_density : 8192);
  stream.load_radius.raw = seen * 5 / 4;
  stream.unload_radius.raw = stream.load_radius.raw * 3 / 2;
  return geo;
}

}  // namespace dio::splashpack
