#include "formats/kmp/check/files.hpp"

#include <algorithm>
#include <set>

#include "formats/brres/semantics.hpp"
#include "formats/contract/format.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kmp/check/checks.hpp"
#include "formats/kmp/objects.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_rules[] = {
    {"kmp.file-missing", warning, "a course archive contains the files that every course needs",
     "The game loads the course model, the sky, the minimap and the collision by name. If one of these files is "
     "missing, the game freezes or shows nothing.",
     "Add the file: course_model.brres is the course model, vrcorn_model.brres the sky, map_model.brres the minimap, "
     "course.kcl the collision.",
     "Wiimm's wszst"},
    {"kmp.gobj-file", warning, "a course archive contains the files of all objects on the course",
     "If a file of an object is missing, the game freezes when it loads the object, or does not show the object.",
     "Copy the missing file from the archive of a course that contains this object, or remove the object.",
     "Wiimm's wszst"},
    {"kmp.file-unused", hint, "a course archive contains no files of objects that are not on the course",
     "The game loads the whole archive, so an unused file wastes memory.",
     "Remove the file, unless a model or a script of the game uses it for another purpose.", "Wiimm's wszst"},
    {"kmp.kcl-ice", warning,
     "a course archive contains ice.brres if its collision file has fall boundaries of variant 3",
     "On a fall boundary of variant 3, the game shows the fallen kart frozen in ice. Without ice.brres, the game may "
     "freeze.",
     "Add ice.brres from the archive of Sherbet Land (N64), or give the boundary another variant.", "Wiimm's wszst"},
    {"kmp.model-name", error, "the models of a course have the names by which the game finds them",
     "The game looks for the model `course` in course_model.brres, `vrcorn` in vrcorn_model.brres and `map` in "
     "map_model.brres. If a file has no model of this name, the game crashes when it loads the course.",
     "Rename the model with the tool that made it, or build it with {convert scene.glb -o course_model.brres}, which "
     "names models after their file.",
     "decompiled game (riidefi/mkw); Custom Mario Kart Wiiki, Common Crash Causes; `map`: abmatt and 21 real courses",
     Severities{warning}},
    {"kmp.model-animations", warning, "the course model has at most 8 animations of each kind",
     "The game supports at most 8 animations of a kind on the course model. With more, it may crash.",
     "Merge animations that have the same length: one SRT0 animation can move the textures of all materials.",
     "riidefi (RiiStudio, issue 75); at most 2 in 21 real courses"},
    {"kmp.map-bones", warning, "the minimap model has the bones posLD and posRU",
     "The bones posLD and posRU mark the corners of the area that the minimap shows. The game places the minimap by "
     "these bones.",
     "Add the bones posLD and posRU to the model in map_model.brres, at the lower left and upper right corners of the "
     "minimap.",
     "Wiimm's wszst"},
    {"kmp.model-vertices", hint, "models have few enough vertices for the console to draw in time",
     "If the models have too many vertices, the game slows down where much of the course is visible, especially with "
     "several players.",
     "Simplify the models, or remove parts that players never see.",
     "Wiimm's wszst: hints from 20,000 vertices for the course, 2,500 for the minimap, 300 for the sky and 25,000 for "
     "all models; warnings from 50,000, 5,000, 1,000 and 60,000",
     Severities{warning}},
    {"kmp.slot42-materials", hint,
     "the model of a course with the objects car_body and kart_truck has the materials that slot 4.2 needs",
     "In slot 4.2, the game looks for the materials of Moonview Highway, and freezes if one is missing.",
     "Rename materials of the model `course` in course_model.brres to the missing names, or put the course in another "
     "slot.",
     "Wiimm's wszst"},
};

using Files = std::set<std::string, std::less<>>;

void check_required_files(Reporter& r, const Files& there) {
  const auto missing = [&](const std::string& file, std::string_view what) {
    r.report("kmp.file-missing", "", {.message = text("the archive has no ", file, " (", what, ")")});
  };
  if (!there.contains("course_model.brres") && !there.contains("course_d_model.brres"))
    missing("course_model.brres", "the course model");
  if (!there.contains("vrcorn_model.brres")) missing("vrcorn_model.brres", "the sky model");
  if (!there.contains("map_model.brres")) missing("map_model.brres", "the minimap model");
  if (!there.contains("course.kcl")) missing("course.kcl", "the collision");
}

void check_objects(Reporter& r, const Kmp& course, const Files& there) {
  constexpr u16 k_ice = 0x017;  // needed only for falls: kmp.kcl-ice
  std::set<u16> seen;
  Files needed, said;
  const auto& objects = entries(course.gobj);
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectKind* kind = object_kind(objects[i].id);
    if (!kind || kind->id == k_ice || !seen.insert(kind->id).second) continue;
    std::vector<std::string> missing;
    for (std::string& file : object_file_names(*kind)) {
      if (!there.contains(file) && said.insert(file).second) missing.push_back(file);
      needed.insert(std::move(file));
    }
    if (missing.empty()) continue;
    std::string all;
    for (const std::string& file : missing) all += (all.empty() ? "" : ", ") + file;
    r.report("kmp.gobj-file", entry("GOBJ", i),
             {.message = text("object ", kind->name, " needs ", all, ", which ", missing.size() == 1 ? "is" : "are",
                              " not in the archive")});
  }
  Files unused;
  for (const ObjectKind& kind : object_kinds())
    if (kind.id != k_ice)
      for (const std::string& file : object_file_names(kind))
        if (there.contains(file) && !needed.contains(file)) unused.insert(file);
  for (const std::string& file : unused)
    r.report("kmp.file-unused", "GOBJ", {.message = text(file, " is in the archive, but no object needs it")});
}

void check_ice(Reporter& r, const kcl::Kcl& collision, const Files& there) {
  if (there.contains("ice.brres")) return;
  constexpr u8 k_frozen = 3;
  for (size_t i = 0; i < collision.prisms.size(); ++i) {
    if (kcl::flags_of(collision.prisms[i], true) != (kcl::k_fall_boundary | k_frozen << 5)) continue;
    return r.report(
        "kmp.kcl-ice", "",
        {.message =
             text("prism ", i, " of the collision is a fall boundary of variant 3, but the archive has no ice.brres")});
  }
}

struct Limit {
  std::string_view file, what;
  u64 hinted, warned;
};
constexpr Limit k_limits[] = {{k_map_model, "the minimap model has ", 2500, 5000},
                              {k_sky_model, "the sky model has ", 300, 1000},
                              {k_course_model, "the course model has ", 20000, 50000}};
constexpr Limit k_limit_of_all = {{}, "all models in the archive together have ", 25000, 60000};

void check_vertices(Reporter& r, const Limit& limit, u64 vertices) {
  if (vertices < limit.hinted) return;
  r.report(vertices < limit.warned ? hint : warning, "kmp.model-vertices", "",
           {.message = text(limit.what, format_with_commas(vertices), " vertices; with ",
                            format_with_commas(vertices < limit.warned ? limit.hinted : limit.warned),
                            " or more, the game may slow down")});
}

/// The materials that the game looks for in slot 4.2.
constexpr std::string_view k_slot42_materials[] = {"Goal_Merg",  "Iwa",           "Iwa_alfa",    "Nuki_Ryoumen",
                                                   "WallMerg00", "moon_kabe0000", "moon_road00", "road",
                                                   "road01",     "road02",        "road03",      "siba00"};
constexpr u16 k_kart_truck = 0x0D0, k_car_body = 0x0D1;

void check_slot42(Reporter& r, const Kmp& course, const brres::Brres& model) {
  const auto& objects = entries(course.gobj);
  const auto has = [&](u16 id) { return std::ranges::find(objects, id, &Object::id) != objects.end(); };
  if (!has(k_kart_truck) || !has(k_car_body)) return;
  std::string missing;
  for (const std::string_view name : k_slot42_materials)
    if (!brres::has_material(model, "course", name)) missing += (missing.empty() ? "" : ", ") + std::string(name);
  if (missing.empty()) return;
  const size_t truck = size_t(std::ranges::find(objects, k_kart_truck, &Object::id) - objects.begin());
  r.report(
      "kmp.slot42-materials", entry("GOBJ", truck, "id"),
      {.message = text("the objects car_body and kart_truck need materials that are missing from course_model.brres: ",
                       missing)});
}

void check_model_name(Reporter& r, Severity severity, const brres::Brres& model, std::string_view file,
                      std::string_view wanted) {
  const auto names = brres::model_names(model);
  if (std::ranges::find(names, wanted) != names.end()) return;
  std::string found;
  for (const std::string_view name : names) found += (found.empty() ? "" : ", ") + in_quotes(name);
  r.report(severity, "kmp.model-name", "",
           {.message = text(file, " has no model ", in_quotes(wanted), found.empty() ? "" : ", only ", found)});
}

/// The kinds of animations that the game binds to models; visibility is not one of them.
constexpr std::string_view k_bound_animations[] = {"CHR0", "CLR0", "SRT0", "PAT0", "SHP0"};

void check_animation_counts(Reporter& r, const brres::Brres& model) {
  for (const std::string_view kind : k_bound_animations)
    if (const size_t count = brres::count_animations(model, kind); count > brres::k_most_animations)
      r.report("kmp.model-animations", "",
               {.message = text(k_course_model, " has ", count, " ", kind, " animations; the game supports at most ",
                                brres::k_most_animations, " of a kind")});
}

void check_minimap_bones(Reporter& r, const brres::Brres& map) {
  const bool has_left = brres::has_bone(map, "posLD"), has_right = brres::has_bone(map, "posRU");
  if (has_left && has_right) return;
  r.report("kmp.map-bones", "",
           {.message = text("map_model.brres has no bone", has_left || has_right ? " " : "s ", has_left ? "" : "posLD",
                            has_left || has_right ? "" : " and ", has_right ? "" : "posRU")});
}

/// Whether a folder contains one course, as the game loads it. Other folders may contain thousands of courses, and
/// searching all files for each would take too long.
bool is_course_folder(const FileTree& folder) { return folder.has("course.kmp"); }

}  // namespace

std::span<const Rule> file_rules() { return k_rules; }

void check_files(const Kmp& course, const kcl::Kcl* collision, const FileTree& folder, Findings& findings) {
  if (!is_course_folder(folder)) return;
  const auto paths = folder.list();
  const Files there(paths.begin(), paths.end());
  Reporter r(findings);
  check_required_files(r, there);
  check_objects(r, course, there);
  if (collision) check_ice(r, *collision, there);
}

void check_models(const Kmp& course, std::span<const Companion> models, const FileTree& folder, Findings& findings) {
  Reporter r(findings);
  u64 all = 0;
  std::set<std::string_view> counted;
  for (const Companion& c : models) {
    if (c.format_id() != "brres") continue;
    const auto& model = value_of<brres::Brres>(*c.document);
    const u64 vertices = brres::count_vertices(model);
    all += vertices;
    counted.insert(file_name(c.name));
    for (const Limit& limit : k_limits)
      if (c.name.ends_with(limit.file)) check_vertices(r, limit, vertices);
    if (c.name.ends_with(k_map_model)) {
      check_model_name(r, warning, model, k_map_model, "map");
      check_minimap_bones(r, model);
    }
    if (c.name.ends_with(k_sky_model)) check_model_name(r, error, model, k_sky_model, "vrcorn");
    if (c.name.ends_with(k_course_model)) {
      check_model_name(r, error, model, k_course_model, "course");
      check_animation_counts(r, model);
      check_slot42(r, course, model);
    }
  }
  if (!is_course_folder(folder)) return check_vertices(r, k_limit_of_all, all);
  for (const std::string& path : folder.list()) {
    if (!path.ends_with(".brres") || counted.contains(path)) continue;
    if (const auto bytes = folder.read(path))
      if (const auto model = load<brres::Brres>(*bytes)) all += brres::count_vertices(model->document.value());
  }
  check_vertices(r, k_limit_of_all, all);
}

}  // namespace dio::kmp
