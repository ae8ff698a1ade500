// graph.cpp: references between parts, and the table of maps.
#include <algorithm>
#include <map>
#include <set>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

namespace {

/// The kinds of parts, each before the kinds it refers to.
constexpr FileRole k_order[] = {
    FileRole::headers, FileRole::matrices,   FileRole::areas,         FileRole::events,         FileRole::objects,
    FileRole::lands,   FileRole::prop_sets,  FileRole::prop_textures, FileRole::map_textures,   FileRole::lights,
    FileRole::props,   FileRole::room_props, FileRole::animations,    FileRole::texture_motions};

class GameGraphBuilder {
 public:
  explicit GameGraphBuilder(const GameTables& t) : t_(t) {}
  GameGraph build();

 private:
  u32 part_count(FileRole role) const {
    if (role == FileRole::headers) return u32(t_.headers.size());
    const u32 n = t_.files().of(role).count();
    return role == FileRole::texture_motions ? n - (n > 0) : n;  // the first member is the list
  }
  std::string part_name(FileRole role, u32 number) const {
    if (role == FileRole::headers) return t_.header_name(number);
    if (role == FileRole::props || role == FileRole::room_props)
      if (const auto p = t_.prop(number, role); p && !p->models.empty()) return p->models[0].name;
    if (role == FileRole::lands)
      if (const auto l = t_.land(number); l && !l->model.models.empty()) return l->model.models[0].name;
    if (role == FileRole::matrices && number < t_.matrices.size() && t_.matrices[number])
      return t_.matrices[number]->prefix;
    if (role == FileRole::texture_motions && t_.texture_motions && number < t_.texture_motions->textures.size())
      return t_.texture_motions->textures[number].name;
    return {};
  }
  void add_link(FileRole from_role, u32 from, FileRole to_role, u32 to) {
    if (from < part_count(from_role) && to < part_count(to_role))
      graph_.links.push_back({first_[size_t(from_role)] + from, first_[size_t(to_role)] + to});
  }

  const GameTables& t_;
  GameGraph graph_;
  std::array<u32, k_roles> first_{};
};

GameGraph GameGraphBuilder::build() {
  for (const FileRole role : k_order) {
    first_[size_t(role)] = u32(graph_.parts.size());
    for (u32 i = 0; i < part_count(role); ++i) {
      std::string path, element;
      if (role == FileRole::headers) {
        path = t_.files().path(role);
        const bool is_table = !t_.files().sources() || path.ends_with(".bin");  // otherwise text of a program
        if (is_table) element = text("headers[", i, ']');
      } else
        path = t_.files().of(role).path(role == FileRole::texture_motions ? i + 1 : i);
      graph_.parts.push_back({kind_of(role), i, part_name(role, i), std::move(path), std::move(element)});
    }
  }
  for (u32 i = 0; i < t_.headers.size(); ++i) {
    const Header& h = t_.headers[i];
    add_link(FileRole::headers, i, FileRole::matrices, h.matrix);
    add_link(FileRole::headers, i, FileRole::areas, h.area);
    add_link(FileRole::headers, i, FileRole::events, h.events);
    add_link(FileRole::headers, i, FileRole::objects, h.objects);
  }
  for (u32 i = 0; i < t_.matrices.size(); ++i) {
    if (!t_.matrices[i]) continue;
    for (const u16 h : t_.matrices[i]->headers) add_link(FileRole::matrices, i, FileRole::headers, h);
    for (const u16 l : t_.matrices[i]->lands) add_link(FileRole::matrices, i, FileRole::lands, l);
  }
  for (u32 i = 0; i < t_.areas.size(); ++i) {
    if (!t_.areas[i]) continue;
    add_link(FileRole::areas, i, FileRole::prop_sets, t_.areas[i]->prop_set);
    add_link(FileRole::areas, i, FileRole::prop_textures, t_.areas[i]->prop_set);
    add_link(FileRole::areas, i, FileRole::map_textures, t_.areas[i]->texture_set);
    add_link(FileRole::areas, i, FileRole::lights, t_.areas[i]->light);
  }
  for (u32 i = 0; i < t_.events.size(); ++i)
    if (t_.events[i])
      for (const WarpEvent& w : t_.events[i]->warp_events)
        add_link(FileRole::events, i, FileRole::headers, w.dest_header_id);
  std::map<u32, std::set<FileRole>> shown_with;  // by land: prop roles of its areas
  if (part_count(FileRole::room_props))
    for (const Use& use : t_.list_land_uses())
      if (use.area < t_.areas.size() && t_.areas[use.area])
        shown_with[use.land].insert(t_.prop_role_of_area(*t_.areas[use.area]));
  for (u32 i = 0; i < part_count(FileRole::lands); ++i)
    if (const auto land = t_.land(i)) {
      const auto& roles = shown_with.try_emplace(i, std::set{FileRole::props}).first->second;
      for (const Prop& p : land->props)
        for (const FileRole role : roles) add_link(FileRole::lands, i, role, p.model_id);
    }
  for (u32 i = 0; i < t_.prop_sets.size(); ++i)
    if (t_.prop_sets[i])
      for (const u16 p : *t_.prop_sets[i]) add_link(FileRole::prop_sets, i, t_.prop_role_of_set(i), p);
  for (const FileRole role : {FileRole::props, FileRole::room_props})
    for (u32 i = 0; i < part_count(role); ++i)
      if (const PropMotion* motion = t_.motion(i, role))
        for (const u32 a : motion->animations) add_link(role, i, FileRole::animations, a);
  if (t_.texture_motions) {
    std::map<std::string_view, u32> motions;
    for (u32 i = 0; i < t_.texture_motions->textures.size(); ++i)
      motions.try_emplace(t_.texture_motions->textures[i].name, i);
    for (u32 i = 0; i < part_count(FileRole::map_textures); ++i)
      if (const auto set = t_.map_textures(i))
        for (const auto& x : set->textures.textures)
          if (const auto m = motions.find(x.name); m != motions.end())
            add_link(FileRole::map_textures, i, FileRole::texture_motions, m->second);
  }
  const auto key = [](const GameLink& l) { return std::pair(l.from, l.to); };
  sort_stably(graph_.links, [&](auto& a, auto& b) { return key(a) < key(b); });
  graph_.links.erase(std::unique(graph_.links.begin(), graph_.links.end()), graph_.links.end());
  return std::move(graph_);
}

}  // namespace

GameGraph build_game_graph(const GameTables& t) { return GameGraphBuilder(t).build(); }

MapTable list_maps(const GameTables& t) {
  MapTable out;
  out.columns = {"header", "name", "matrix", "width", "height", "area", "texture_set", "prop_set", "light", "lands"};
  for (u32 i = 0; i < t.headers.size(); ++i) {
    const Header& h = t.headers[i];
    u32 width = 0, height = 0;
    std::vector<u16> lands;
    if (h.matrix < t.matrices.size() && t.matrices[h.matrix]) {
      const Matrix& m = *t.matrices[h.matrix];
      size_t x0 = m.width, x1 = 0, z0 = m.height, z1 = 0;
      for (size_t c = 0; c < m.cells(); ++c) {
        if (!m.headers.empty() && m.headers[c] != i) continue;
        const size_t x = c % m.width, z = c / m.width;
        x0 = std::min(x0, x), x1 = std::max(x1, x + 1), z0 = std::min(z0, z), z1 = std::max(z1, z + 1);
        if (m.lands[c] != k_no_land) lands.push_back(m.lands[c]);
      }
      if (x0 < x1) width = u32(x1 - x0), height = u32(z1 - z0);
    }
    sort_stably(lands);
    lands.erase(std::unique(lands.begin(), lands.end()), lands.end());
    const auto area = h.area < t.areas.size() ? t.areas[h.area] : std::nullopt;
    const auto of_area = [&](u32 Area::* field) { return area ? Value((*area).*field) : Value(); };
    Value row = Value::object();
    row.add("header", i);
    row.add("name", t.header_name(i));
    row.add("matrix", h.matrix);
    row.add("width", width);
    row.add("height", height);
    row.add("area", h.area);
    row.add("texture_set", of_area(&Area::texture_set));
    row.add("prop_set", of_area(&Area::prop_set));
    row.add("light", of_area(&Area::light));
    Value& list = row.add("lands", Value::list());
    for (const u16 l : lands) list.push(l);
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace dio::platinum
