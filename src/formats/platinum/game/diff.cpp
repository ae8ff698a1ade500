// diff.cpp: the differences between two games, by map.
#include <algorithm>
#include <map>
#include <set>

#include "formats/contract/reporter.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/layout/behaviors.hpp"
#include "formats/platinum/layout/heights.hpp"

namespace dio::platinum {

namespace {

std::string format_units(i32 raw) { return format_real(raw / 4096.0, false); }
std::string format_position(const Vector& v) {
  return format_units(v.x.raw) + ", " + format_units(v.y.raw) + ", " + format_units(v.z.raw);
}

class GameDiff {
 public:
  GameDiff(const GameTables& a, const GameTables& b) : a_(a), b_(b) {}
  std::vector<GameChange> compare_games();

 private:
  using Kind = GameChange::Kind;
  void add_change(FileRole role, u32 number, std::string what, std::string was, std::string is, u64 count = 1,
                  Kind kind = Kind::changed) {
    if (changes_.size() >= k_most) return;
    changes_.push_back(
        {kind, text(kind_of(role), "/", number), {}, std::move(what), std::move(was), std::move(is), count, {}});
  }
  template <class N>
  void compare_numbers(FileRole role, u32 n, std::string what, N was, N is) {
    if (was != is) add_change(role, n, std::move(what), text(was), text(is));
  }
  /// Adds parts that only one game has; calls `both` for the others.
  void for_each_common_part(FileRole role, size_t was, size_t is, const auto& both) {
    for (u32 i = 0; i < std::max(was, is); ++i)
      if (i >= is)
        add_change(role, i, {}, {}, {}, 1, Kind::removed);
      else if (i >= was)
        add_change(role, i, {}, {}, {}, 1, Kind::added);
      else
        both(i);
  }
  /// Like for_each_common_part, but only for members whose bytes differ.
  void for_each_changed_member(FileRole role, const auto& both) {
    const Members &a = a_.files().of(role), &b = b_.files().of(role);
    for_each_common_part(role, a.count(), b.count(), [&](u32 i) {
      const auto was = a.read(i), is = b.read(i);
      if (bool(was) != bool(is) || (was && *was != *is)) both(i);
    });
  }

  void compare_headers();
  void compare_matrices();
  void compare_areas();
  void compare_lands();
  void compare_textures(FileRole, std::shared_ptr<const nitro::Nsbtx> (GameTables::*of)(u32) const);
  void compare_models();
  void compare_events();
  void add_part_names_and_users();

  static constexpr size_t k_most = 100000;  // changes
  const GameTables &a_, &b_;
  std::vector<GameChange> changes_;
};

void GameDiff::compare_headers() {
  for_each_common_part(FileRole::headers, a_.headers.size(), b_.headers.size(), [&](u32 i) {
    const Header &a = a_.headers[i], &b = b_.headers[i];
    constexpr std::pair<std::string_view, u32 Header::*> k_fields[] = {
        {"area", &Header::area},         {"matrix", &Header::matrix},         {"events", &Header::events},
        {"objects", &Header::objects},   {"scripts", &Header::scripts},       {"init_scripts", &Header::init_scripts},
        {"messages", &Header::messages}, {"encounters", &Header::encounters}, {"camera", &Header::camera},
        {"type", &Header::type},         {"weather", &Header::weather},       {"label", &Header::label}};
    for (const auto& [name, field] : k_fields)
      compare_numbers(FileRole::headers, i, std::string(name), a.*field, b.*field);
    if (a_.header_name(i) != b_.header_name(i))
      add_change(FileRole::headers, i, "name", a_.header_name(i), b_.header_name(i));
  });
}

void GameDiff::compare_matrices() {
  for_each_common_part(FileRole::matrices, a_.matrices.size(), b_.matrices.size(), [&](u32 i) {
    if (!a_.matrices[i] || !b_.matrices[i]) {
      if (a_.matrices[i] || b_.matrices[i])
        add_change(FileRole::matrices, i, {}, a_.matrices[i] ? "readable" : "damaged",
                   b_.matrices[i] ? "readable" : "damaged");
      return;
    }
    const Matrix &a = *a_.matrices[i], &b = *b_.matrices[i];
    if (a.width != b.width || a.height != b.height)
      return add_change(FileRole::matrices, i, "size", text(a.width, " x ", a.height), text(b.width, " x ", b.height));
    const auto compare_cells = [&](std::string_view name, const auto& was, const auto& is) {
      if (was.size() != is.size())
        return add_change(FileRole::matrices, i, std::string(name), was.empty() ? "absent" : "present",
                          is.empty() ? "absent" : "present");
      for (size_t c = 0; c < was.size(); ++c)
        compare_numbers(FileRole::matrices, i, text(name, "[", c / a.width, "][", c % a.width, "]"), u32(was[c]),
                        u32(is[c]));
    };
    compare_cells("lands", a.lands, b.lands);
    compare_cells("headers", a.headers, b.headers);
    compare_cells("altitudes", a.altitudes, b.altitudes);
  });
}

void GameDiff::compare_areas() {
  for_each_common_part(FileRole::areas, a_.areas.size(), b_.areas.size(), [&](u32 i) {
    const Area a = a_.areas[i].value_or(Area()), b = b_.areas[i].value_or(Area());
    compare_numbers(FileRole::areas, i, "prop_set", a.prop_set, b.prop_set);
    compare_numbers(FileRole::areas, i, "texture_set", a.texture_set, b.texture_set);
    compare_numbers(FileRole::areas, i, "light", a.light, b.light);
  });
  for_each_common_part(FileRole::prop_sets, a_.prop_sets.size(), b_.prop_sets.size(), [&](u32 i) {
    const auto a = a_.prop_sets[i].value_or(std::vector<u16>()), b = b_.prop_sets[i].value_or(std::vector<u16>());
    if (a == b) return;
    const std::set<u16> was(a.begin(), a.end()), is(b.begin(), b.end());
    bool any = false;
    for (const u16 p : was)
      if (!is.contains(p))
        any = true, add_change(FileRole::prop_sets, i, text("prop/", p), "in the set", "not in the set");
    for (const u16 p : is)
      if (!was.contains(p))
        any = true, add_change(FileRole::prop_sets, i, text("prop/", p), "not in the set", "in the set");
    if (!any) add_change(FileRole::prop_sets, i, "order", {}, {});
  });
  for_each_changed_member(FileRole::lights, [&](u32 i) { add_change(FileRole::lights, i, "light", {}, {}); });
}

void GameDiff::compare_lands() {
  for_each_changed_member(FileRole::lands, [&](u32 i) {
    const auto a = a_.land(i), b = b_.land(i);
    if (!a || !b) return add_change(FileRole::lands, i, {}, a ? "readable" : "damaged", b ? "readable" : "damaged");
    const size_t before = changes_.size();
    // The number of changed tiles, and their bounding rectangle.
    u32 tiles = 0, heights = 0, x0 = k_tiles, x1 = 0, z0 = k_tiles, z1 = 0;
    i64 most = 0;
    std::string first_was, first_is;
    const auto describe_tile = [](u16 tile) {
      return behavior_name(behavior_in(tile)) + (is_blocked(tile) ? ", blocked" : "");
    };
    for (u32 z = 0; z < k_tiles; ++z)
      for (u32 x = 0; x < k_tiles; ++x) {
        const auto tile = [&](const LandData& l) { return z < l.attributes.size() ? l.attributes[z][x] : u16(0xFFFF); };
        if (tile(*a) != tile(*b)) {
          if (!tiles++) first_was = describe_tile(tile(*a)), first_is = describe_tile(tile(*b));
          x0 = std::min(x0, x), x1 = std::max(x1, x), z0 = std::min(z0, z), z1 = std::max(z1, z);
        }
        const auto was = ground_height_at(a->bdhc, tile_middle(x), tile_middle(z));
        const auto is = ground_height_at(b->bdhc, tile_middle(x), tile_middle(z));
        if (was == is) continue;
        ++heights;
        const i64 step = i64(is.value_or(0)) - was.value_or(0);
        if (std::abs(step) > std::abs(most)) most = step;
      }
    if (tiles)
      add_change(FileRole::lands, i,
                 tiles == 1 ? text("tile ", x0, ", ", z0) : text("tiles ", x0, ", ", z0, " to ", x1, ", ", z1),
                 first_was, first_is, tiles);
    if (heights)
      add_change(FileRole::lands, i, "heights", {},
                 text("by up to ", format_units(i32(std::clamp<i64>(most, INT32_MIN, INT32_MAX))), " units"), heights);
    // Equal props are matched first, so that an inserted prop does not change those after it.
    std::vector<size_t> was, is;
    std::vector<bool> taken(b->props.size());
    for (size_t p = 0; p < a->props.size(); ++p) {
      size_t k = 0;
      while (k < b->props.size() && (taken[k] || !(b->props[k] == a->props[p]))) ++k;
      if (k < b->props.size())
        taken[k] = true;
      else
        was.push_back(p);
    }
    for (size_t k = 0; k < b->props.size(); ++k)
      if (!taken[k]) is.push_back(k);
    const auto describe_prop = [](const Prop& p) {
      return text("prop/", p.model_id, " at ", format_position(p.position));
    };
    for (size_t k = 0; k < std::max(was.size(), is.size()); ++k) {
      if (k >= is.size())
        add_change(FileRole::lands, i, text("props[", was[k], "]"), describe_prop(a->props[was[k]]), {}, 1,
                   Kind::removed);
      else if (k >= was.size())
        add_change(FileRole::lands, i, text("props[", is[k], "]"), {}, describe_prop(b->props[is[k]]), 1, Kind::added);
      else {
        std::string old = describe_prop(a->props[was[k]]), now = describe_prop(b->props[is[k]]);
        if (old == now)
          old = "scale " + format_position(a->props[was[k]].scale),
          now = "scale " + format_position(b->props[is[k]].scale);
        if (old == now) old = now = "the rotation or the last two numbers differ";
        add_change(FileRole::lands, i, text("props[", is[k], "]"), std::move(old), std::move(now));
      }
    }
    // Compares the bytes of the model and of the parts after it.
    const auto section_bytes = [](const LandData& l, const Bytes& file, u64 from_end, u64 size) -> ByteView {
      const u64 end = 16 + u64(l.attributes_size) + l.props_size + l.model_size + l.bdhc_size;
      const u64 start = file.size() > end ? file.size() - end : 0;  // sounds
      const u64 at = start + end - from_end;
      return at + size <= file.size() ? ByteView(file).subspan(size_t(at), size_t(size)) : ByteView();
    };
    const auto file_a = a_.files().of(FileRole::lands).read(i), file_b = b_.files().of(FileRole::lands).read(i);
    if (file_a && file_b) {
      const auto model_bytes = [&](const LandData& l, const Bytes& f) {
        return section_bytes(l, f, u64(l.model_size) + l.bdhc_size, l.model_size);
      };
      const ByteView model_a = model_bytes(*a, *file_a), model_b = model_bytes(*b, *file_b);
      if (!std::equal(model_a.begin(), model_a.end(), model_b.begin(), model_b.end())) {
        const auto describe_model = [](const LandData& l) {
          if (l.model.models.empty()) return std::string("no model");
          const nitro::Model& m = l.model.models[0];
          return text(m.name, ": ", m.polygon_count, " polygons, ", m.materials.size(), " materials");
        };
        add_change(FileRole::lands, i, "model", describe_model(*a), describe_model(*b));
      }
      const ByteView heights_a = section_bytes(*a, *file_a, a->bdhc_size, a->bdhc_size),
                     heights_b = section_bytes(*b, *file_b, b->bdhc_size, b->bdhc_size);
      if (!heights && !std::equal(heights_a.begin(), heights_a.end(), heights_b.begin(), heights_b.end()))
        add_change(FileRole::lands, i, "bdhc", text(a->bdhc.plates.size(), " plates"),
                   text(b->bdhc.plates.size(), " plates with the same height at the middle of every tile"));
    }
    if (changes_.size() == before) add_change(FileRole::lands, i, "other bytes", {}, {});
  });
}

void GameDiff::compare_textures(FileRole role, std::shared_ptr<const nitro::Nsbtx> (GameTables::*of)(u32) const) {
  for_each_changed_member(role, [&](u32 i) {
    const auto a = (a_.*of)(i), b = (b_.*of)(i);
    if (!a || !b) return add_change(role, i, {}, a ? "readable" : "damaged", b ? "readable" : "damaged");
    const size_t before = changes_.size();
    const auto compare_by_name = [&](std::string_view word, const auto& was, const auto& is, const auto& same) {
      std::map<std::string_view, size_t> old, now;
      for (size_t k = 0; k < was.size(); ++k) old.try_emplace(was[k].name, k);
      for (size_t k = 0; k < is.size(); ++k) now.try_emplace(is[k].name, k);
      for (const auto& [name, k] : old)
        if (const auto n = now.find(name); n == now.end())
          add_change(role, i, text(word, name), {}, {}, 1, Kind::removed);
        else if (!same(was[k], is[n->second]))
          add_change(role, i, text(word, name), {}, {});
      for (const auto& [name, k] : now)
        if (!old.contains(name)) add_change(role, i, text(word, name), {}, {}, 1, Kind::added);
    };
    compare_by_name("texture ", a->textures.textures, b->textures.textures, [](const auto& x, const auto& y) {
      return x.format == y.format && x.width_code == y.width_code && x.height_code == y.height_code &&
             x.color0_clear == y.color0_clear && x.texels == y.texels && x.blocks == y.blocks;
    });
    compare_by_name("palette ", a->textures.palettes, b->textures.palettes,
                    [](const auto& x, const auto& y) { return x.colors == y.colors; });
    if (changes_.size() == before) add_change(role, i, "other bytes", {}, {});
  });
}

void GameDiff::compare_models() {
  for_each_changed_member(FileRole::props, [&](u32 i) {
    const auto a = a_.prop(i), b = b_.prop(i);
    const auto describe_model = [](const auto& file) {
      if (!file || file->models.empty()) return std::string("damaged");
      const nitro::Model& m = file->models[0];
      return text(m.name, ": ", m.polygon_count, " polygons, ", m.materials.size(), " materials");
    };
    add_change(FileRole::props, i, "model", describe_model(a), describe_model(b));
  });
  for_each_changed_member(FileRole::animations,
                          [&](u32 i) { add_change(FileRole::animations, i, "animation", {}, {}); });
  for_each_common_part(FileRole::anime_lists, a_.motions.size(), b_.motions.size(), [&](u32 i) {
    const PropMotion a = a_.motions[i].value_or(PropMotion()), b = b_.motions[i].value_or(PropMotion());
    const auto format_list = [](const PropMotion& m) {
      std::string out;
      for (const u32 id : m.animations) out += (out.empty() ? "" : ", ") + text("animation/", id);
      return out.empty() ? std::string("none") : out;
    };
    if (a.animations != b.animations) add_change(FileRole::props, i, "animations", format_list(a), format_list(b));
    const auto format_motion_flags = [](const PropMotion& m) {
      return text(m.deferred_load ? "loaded later" : "loaded at once", m.deferred_add ? ", added later" : "",
                  m.bicycle_slope ? ", bicycle slope" : "");
    };
    if (format_motion_flags(a) != format_motion_flags(b))
      add_change(FileRole::props, i, "motion", format_motion_flags(a), format_motion_flags(b));
  });
  if (a_.draw_lists && b_.draw_lists) {
    const auto format_list = [](const Matshp& m, u32 i) {
      std::string out;
      const DrawRange& r = m.models[i];
      for (u32 k = r.first; k < u32(r.first) + r.count && k < m.draws.size(); ++k)
        out += text(out.empty() ? "" : " ", m.draws[k].material_id, ":", m.draws[k].shape_id);
      return out.empty() ? std::string("none") : out;
    };
    const size_t n = std::min(a_.draw_lists->models.size(), b_.draw_lists->models.size());
    for (u32 i = 0; i < n; ++i)
      if (const std::string was = format_list(*a_.draw_lists, i), is = format_list(*b_.draw_lists, i); was != is)
        add_change(FileRole::props, i, "draw list", was, is);
  }
}

void GameDiff::compare_events() {
  for_each_changed_member(FileRole::events, [&](u32 i) {
    if (i >= a_.events.size() || i >= b_.events.size() || !a_.events[i] || !b_.events[i])
      return add_change(FileRole::events, i, "other bytes", {}, {});
    const ZoneEvent &a = *a_.events[i], &b = *b_.events[i];
    const size_t before = changes_.size();
    const auto compare_event_lists = [&](std::string_view name, const auto& was, const auto& is, const auto& show) {
      for (size_t k = 0; k < std::max(was.size(), is.size()); ++k) {
        const std::string what = text(name, "[", k, "]");
        if (k >= is.size())
          add_change(FileRole::events, i, what, show(was[k]), {}, 1, Kind::removed);
        else if (k >= was.size())
          add_change(FileRole::events, i, what, {}, show(is[k]), 1, Kind::added);
        else if (show(was[k]) != show(is[k]))
          add_change(FileRole::events, i, what, show(was[k]), show(is[k]));
      }
    };
    compare_event_lists("bg_events", a.bg_events, b.bg_events, [](const BgEvent& e) {
      return text("script ", e.script, ", type ", e.type, " at ", e.x, ", ", e.z, ", ", e.y, " facing ",
                  e.player_facing_dir);
    });
    compare_event_lists("object_events", a.object_events, b.object_events, [](const ObjectEvent& e) {
      return text("object ", e.local_id, ", sprite ", e.graphics_id, ", script ", e.script, " at ", e.x, ", ", e.z,
                  ", ", e.y.raw / 65536.0, ", moves ", e.movement_type, " within ", e.movement_range_x, ", ",
                  e.movement_range_z, ", looks ", e.dir, ", trainer ", e.trainer_type, ", flag ", e.hidden_flag,
                  ", data ", e.data[0], " ", e.data[1], " ", e.data[2]);
    });
    compare_event_lists("warp_events", a.warp_events, b.warp_events, [](const WarpEvent& e) {
      return text("at ", e.x, ", ", e.z, " to warp ", e.dest_warp_id, " of header/", e.dest_header_id);
    });
    compare_event_lists("coord_events", a.coord_events, b.coord_events, [](const CoordEvent& e) {
      return text("script ", e.script, " at ", e.x, ", ", e.z, ", ", e.y, ", ", e.width, " x ", e.length,
                  " tiles, if variable ", e.var, " is ", e.value);
    });
    if (changes_.size() == before) add_change(FileRole::events, i, "other bytes", {}, {});
  });
}

/// Adds the names of parts, and the maps where they are visible.
void GameDiff::add_part_names_and_users() {
  if (changes_.empty()) return;
  const GameGraph graph = build_game_graph(b_);
  std::vector<std::vector<u32>> users(graph.parts.size());
  for (const GameLink& l : graph.links) users[l.to].push_back(l.from);
  const u32 header_count = u32(b_.headers.size());  // headers are the first parts
  std::map<u32, std::set<u32>> of_land;
  for (const Use& u : b_.list_land_uses())
    for (u32 h = 0; h < header_count; ++h)
      if (h == u.header ||
          (b_.headers[h].matrix == u.matrix && b_.headers[h].area == u.area && b_.matrices[u.matrix]->headers.empty()))
        of_land[u.land].insert(h);
  std::map<std::string, u32, std::less<>> index;
  for (u32 i = 0; i < graph.parts.size(); ++i) index.emplace(graph.parts[i].id(), i);
  std::map<u32, std::vector<std::string>> seen;
  for (GameChange& c : changes_) {
    const auto part = index.find(c.part);
    if (part == index.end()) continue;
    c.name = graph.parts[part->second].name;
    const auto [entry, is_new] = seen.try_emplace(part->second);
    if (is_new) {
      std::set<u32> headers, done;
      std::vector<u32> open = {part->second};
      while (!open.empty()) {
        const u32 at = open.back();
        open.pop_back();
        if (!done.insert(at).second) continue;
        const GamePart& p = graph.parts[at];
        if (at < header_count) {
          headers.insert(at);
        } else if (p.kind == kind_of(FileRole::lands)) {
          headers.insert(of_land[p.number].begin(), of_land[p.number].end());
        } else {
          // A model is visible where it is placed, not wherever its set is loaded; a map is not visible through a warp
          // to it.
          for (const u32 user : users[at])
            if (!(p.kind == kind_of(FileRole::props) && graph.parts[user].kind == kind_of(FileRole::prop_sets)))
              open.push_back(user);
        }
      }
      for (const u32 h : headers) {
        const std::string name = b_.header_name(h);
        entry->second.push_back(text("header/", h) + (name.empty() ? "" : " " + name));
      }
    }
    c.seen_in = entry->second;
  }
}

std::vector<GameChange> GameDiff::compare_games() {
  compare_headers();
  compare_matrices();
  compare_areas();
  compare_lands();
  compare_textures(FileRole::map_textures, &GameTables::map_textures);
  compare_textures(FileRole::prop_textures, &GameTables::prop_textures);
  compare_models();
  compare_events();
  for_each_changed_member(FileRole::texture_motions, [&](u32 i) {
    if (i) add_change(FileRole::texture_motions, i - 1, "pictures", {}, {});
  });
  for_each_changed_member(FileRole::objects, [&](u32 i) { add_change(FileRole::objects, i, "list", {}, {}); });
  add_part_names_and_users();
  return std::move(changes_);
}

}  // namespace

std::vector<GameChange> diff_games(const GameTables& a, const GameTables& b) { return GameDiff(a, b).compare_games(); }

}  // namespace dio::platinum
