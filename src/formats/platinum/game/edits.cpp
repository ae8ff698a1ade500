// edits.cpp: game edits that change several files, and the lists that are numbered like parts.
#include <algorithm>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/game/changed_files.hpp"
#include "formats/platinum/game/file_roles.hpp"
#include "formats/platinum/game/make_map.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/game/prop_model_importer.hpp"
#include "formats/platinum/game/replace_prop.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

std::vector<NumberedList> find_numbered_lists(const GameFiles& files, std::string_view kind) {
  constexpr FileRole k_alone[] = {FileRole::matrices, FileRole::areas,        FileRole::events, FileRole::objects,
                                  FileRole::lands,    FileRole::map_textures, FileRole::lights};
  // Files that are looked up by the number of another part share its numbering.
  constexpr FileRole k_sets[] = {FileRole::prop_sets, FileRole::prop_textures};
  constexpr FileRole k_props[] = {FileRole::props, FileRole::anime_lists};
  std::vector<NumberedList> out;
  if (files.sources()) return out;  // sources refer to parts by name, not by number
  const auto add_role_lists = [&](std::span<const FileRole> roles) {
    for (const FileRole role : roles) {
      const Members& members = files.of(role);
      if (!members.there()) continue;
      if (!members.in_archive()) return out.clear();
      out.push_back({members.path(), "files"});
    }
  };
  for (const FileRole& role : k_alone)
    if (kind == kind_of(role)) add_role_lists({&role, 1});
  if (kind == kind_of(FileRole::prop_sets)) add_role_lists(k_sets);
  if (kind == kind_of(FileRole::props)) {
    add_role_lists(k_props);
    if (const std::string& path = files.path(FileRole::matshp); !out.empty() && !path.empty())
      out.push_back({path, "models"});
  }
  return out;
}

namespace {

using Done = Result<GameEdited>;

Done add_prop(const Game& game, std::span<const Argument> all) {
  const GameTables& t = tables_of(game);
  std::vector<Argument> of_prop;
  for (const Argument& a : all)
    if (a.name != "land") of_prop.push_back(a);
  Arguments a(all);
  const Members& lands = t.files().of(FileRole::lands);
  const u32 number = u32(a.whole("land", 0, i64(lands.count()) - 1));
  const u32 most = std::max(t.files().of(FileRole::props).count(), t.files().of(FileRole::room_props).count());
  const u32 model = u32(a.whole("model", 0, i64(most) - 1));
  if (a.problem) return refuse(std::move(*a.problem));
  const auto bytes = lands.read(number);
  if (!bytes) return refuse(bytes.error());
  auto land = load<LandData>(*bytes);
  if (!land) {
    land.error().place.file = lands.path(number);
    return refuse(std::move(land.error()));
  }
  if (land->document.value().props.size() >= k_most_props)
    return refuse("edit.limit", {},
                  {.message = text("land ", number, " already has ", land->document.value().props.size(),
                                   " props (at most ", k_most_props, ")")});
  auto done = platinum::add_prop(land->document.edit(), Arguments(of_prop));
  if (!done) return refuse(std::move(done.error()));
  auto edited = save(land->document);
  if (!edited) return refuse(std::move(edited.error()));
  GameEdited out;
  ChangedFiles changed(t.files());
  changed.set_file(FileRole::lands, number, std::move(*edited));
  out.done = text("land ", number, ": ", *done);

  std::map<FileRole, std::set<u32>> sets;
  std::set<u32> areas;
  for (const Use& use : t.list_land_uses())
    if (use.land == number && use.area < t.areas.size() && t.areas[use.area] &&
        t.areas[use.area]->prop_set < t.prop_sets.size() && t.prop_sets[t.areas[use.area]->prop_set]) {
      sets[t.prop_role_of_area(*t.areas[use.area])].insert(t.areas[use.area]->prop_set);
      areas.insert(use.area);
    }
  for (const auto& [role, numbers] : sets) {
    if (model >= t.files().of(role).count())
      return refuse("edit.argument", {},
                    {.message = text("an area that shows land ", number, " uses the models in ", t.files().path(role),
                                     ", which has no model ", model)});
    PropModelImporter bringer(t, changed, model, role);
    for (const u32 set : numbers)
      if (auto stop = bringer.import_into_set(set)) return refuse(std::move(*stop));
    out.done += bringer.summary();
    for (const u32 area : areas)
      if (auto stop = area_memory_error(changed, area)) return refuse(std::move(*stop));
  }
  auto files = changed.build_changed_files(out.notes);
  if (!files) return refuse(std::move(files.error()));
  out.files = std::move(*files);
  out.done += areas.empty() ? "; no area shows this land" : text("; shown in ", format_count(areas.size(), "area"));
  return out;
}

constexpr Parameter k_add_prop_parameters[] = {
    required("land", "N", ParameterKind::integer), required("model", "N", ParameterKind::integer),
    required("x", "UNITS", ParameterKind::number), required("z", "UNITS", ParameterKind::number),
    optional("y", "UNITS", ParameterKind::number), optional("scale", "N", ParameterKind::number)};

std::optional<FileRole> role_of_kind(std::string_view kind) {
  for (size_t r = 0; r < k_roles; ++r)
    if (kind_of(FileRole(r)) == kind) return FileRole(r);
  return {};
}

Done build_edited(const ChangedFiles& changed, std::string done) {
  GameEdited out;
  auto files = changed.build_changed_files(out.notes);
  if (!files) return refuse(std::move(files.error()));
  out.files = std::move(*files);
  out.done = std::move(done);
  return out;
}

}  // namespace

Result<std::optional<BuiltPart>> build_part(const GameTables& t, const GamePart& part) {
  const auto role = role_of_kind(part.kind);
  if (!role || !t.files().is_source(part.path)) return std::nullopt;
  const bool is_header = role == FileRole::headers;
  auto bytes = is_header ? t.files().read(part.path) : t.files().of(*role).read(part.number);
  if (!bytes) return refuse(std::move(bytes.error()));
  if (is_header)
    return BuiltPart{std::move(*bytes), find_file_role_path("map_headers")->format, text("headers[", part.number, ']')};
  for (const FileRolePath& place : file_role_paths())
    if (!place.folder.empty() && t.files().of(*role).path().ends_with(text(place.folder, "/")))
      return BuiltPart{std::move(*bytes), place.format};
  return std::nullopt;
}

Result<GameEdited> change_built_part(const GameTables& t, const GamePart& part, Bytes bytes) {
  ChangedFiles changed(t.files());
  const auto role = role_of_kind(part.kind);
  if (role == FileRole::headers)
    changed.set_file(part.path, std::move(bytes));
  else
    changed.set_file(role.value(), part.number, std::move(bytes));
  return build_edited(changed, part.id());
}

std::optional<Result<GameEdited>> duplicate_part(const GameTables& t, const GamePart& part) {
  constexpr FileRole k_alone[] = {FileRole::lands, FileRole::matrices, FileRole::areas, FileRole::events,
                                  FileRole::map_textures};
  const auto role = role_of_kind(part.kind);
  if (!role || std::ranges::find(k_alone, *role) == std::end(k_alone) || t.files().of(*role).in_archive()) return {};
  auto bytes = t.files().of(*role).read(part.number);
  if (!bytes) return refuse(std::move(bytes.error()));
  ChangedFiles changed(t.files());
  const u32 number = changed.append_member(*role, std::move(*bytes));
  return build_edited(changed, text(part.kind, '/', number, " is a copy of ", part.id()));
}

std::span<const GameEdit> game_edits() {
  static constexpr GameEdit k_edits[] = {
      {"add-prop", k_add_prop_parameters,
       "Adds a prop to a land at a position in units from the middle of its map. Without y, the prop is on the ground. "
       "Also adds the model to the prop sets of all areas that show the land, and copies the textures of the model and "
       "its animations from other prop sets.",
       add_prop},
      {"make-map", k_make_map_parameters,
       "Turns a scene into a map and writes all files of the map: one land per 512 x 512 units, with its model, "
       "heights, tiles and props; the matrix; the textures and prop set of the area; new prop models; and events. "
       "`header` names the map. The new lands replace the cells of a matrix from at=X,Z on, or all cells of the matrix "
       "that belongs to the map.",
       nullptr, make_map},
      {"replace-prop", k_replace_prop_parameters,
       "Replaces the model of a prop, its animations and its draw list, and its textures in all prop sets that have "
       "it. "
       "Textures come from `textures`, or from the model file, or stay. Textures that only the old model used are "
       "removed. Without `animation`, the prop keeps its animations, or has none.",
       replace_prop, nullptr, nullptr, true},
  };
  return k_edits;
}

}  // namespace dio::platinum
