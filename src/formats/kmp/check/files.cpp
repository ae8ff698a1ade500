#include "formats/kmp/check/files.hpp"

#include <algorithm>
#include <set>

#include "formats/brres/facts.hpp"
#include "formats/kcl/facts.hpp"
#include "formats/kmp/check/checks.hpp"
#include "formats/kmp/objects.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_rules[] = {
    {"kmp.file-missing", warning, "the archive of a course has the files that every course needs",
     "The game loads them by their names, and freezes or shows nothing.",
     "Add the file: course_model.brres is the course, vrcorn_model.brres the sky, map_model.brres the small map, "
     "course.kcl the collision.",
     "wszst"},
    {"kmp.gobj-file", warning, "the archive of a course has the files of all its objects",
     "The game freezes when it loads the object, or shows nothing in its place.",
     "Add the file, from the archive of a course that has the object, or remove the object.", "wszst"},
    {"kmp.file-unused", hint, "files of objects are in the archive only if such an object is on the course",
     "The game loads the whole archive: the file takes memory for nothing.",
     "Remove the file, unless a model or a script of the game uses it in some other way.", "wszst"},
    {"kmp.kcl-ice", warning, "a collision with fall boundaries of variant 3 has the file ice.brres beside it",
     "The game shows a kart frozen in ice where it fell, and may freeze itself without the file.",
     "Add ice.brres, from the archive of Sherbet Land (N64), or give the boundary another variant.", "wszst"},
    {"kmp.map-bones", warning, "the small map has the bones posLD and posRU",
     "The game places the small map by them: they are the corners of the part of the course that it shows.",
     "Add the bones to the model of map_model.brres, at the lower left and the upper right corner.", "wszst"},
    {"kmp.model-vertices", hint, "models have no more vertices than the console draws in time",
     "The game becomes slow where much of the course is seen, above all with several players.",
     "Remove vertices, or leave out what is not seen.",
     "wszst: 20,000 vertices of a course, 2,500 of a small map, 300 "
     "of a sky; a warning above 50,000, 5,000 and 1,000",
     Severities{warning}},
};

using Files = std::set<std::string, std::less<>>;

void check_needed(Reporter& r, const Files& there) {
  const auto missing = [&](const std::string& file, std::string_view what) {
    r.report("kmp.file-missing", "", {.message = text("the archive has no ", file, ": ", what)});
  };
  if (!there.contains("course_model.brres") && !there.contains("course_d_model.brres"))
    missing("course_model.brres", "the course itself");
  if (!there.contains("vrcorn_model.brres")) missing("vrcorn_model.brres", "the sky");
  if (!there.contains("map_model.brres")) missing("map_model.brres", "the small map");
  if (!there.contains("course.kcl")) missing("course.kcl", "the collision");
}

void check_objects(Reporter& r, const Kmp& course, const Files& there) {
  constexpr u16 k_ice = 0x017;  // its file is only there for falls: kmp.kcl-ice
  std::set<u16> seen;
  Files needed, said;
  const auto& objects = entries(course.gobj);
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectKind* kind = object_kind(objects[i].id);
    if (!kind || kind->id == k_ice || !seen.insert(kind->id).second) continue;
    std::vector<std::string> missing;
    for (std::string& file : files_of(*kind)) {
      if (!there.contains(file) && said.insert(file).second) missing.push_back(file);
      needed.insert(std::move(file));
    }
    if (missing.empty()) continue;
    std::string all;
    for (const std::string& file : missing) all += (all.empty() ? "" : ", ") + file;
    r.report("kmp.gobj-file", entry("GOBJ", i),
             {.message = text("the object ", kind->name, " needs ", all, ", which ", missing.size() == 1 ? "is" : "are",
                              " not in the archive")});
  }
  Files unused;
  for (const ObjectKind& kind : object_kinds())
    if (kind.id != k_ice)
      for (const std::string& file : files_of(kind))
        if (there.contains(file) && !needed.contains(file)) unused.insert(file);
  for (const std::string& file : unused)
    r.report("kmp.file-unused", "GOBJ", {.message = text(file, " is in the archive, but no object needs it")});
}

void check_ice(Reporter& r, const kcl::Kcl& collision, const Files& there) {
  if (there.contains("ice.brres")) return;
  constexpr u8 k_frozen = 3;
  for (size_t i = 0; i < collision.prisms.size(); ++i) {
    if (kcl::flags_of(collision.prisms[i], true) != (kcl::k_fall_boundary | k_frozen << 5)) continue;
    return r.report("kmp.kcl-ice", "",
                    {.message = text("prism ", i,
                                     " of the collision is a fall boundary of variant 3, but the archive "
                                     "has no ice.brres")});
  }
}

struct Limit {
  std::string_view file, what;
  u64 hinted, warned;
};
constexpr Limit k_limits[] = {{k_map_model, "the small map", 2500, 5000},
                              {k_sky_model, "the sky", 300, 1000},
                              {k_course_model, "the course", 20000, 50000}};

void check_vertices(Reporter& r, const Companion& model) {
  const Limit* limit = std::ranges::find_if(k_limits, [&](const Limit& l) { return model.name.ends_with(l.file); });
  if (limit == std::end(k_limits)) return;
  u64 vertices = 0;
  for (const brres::Model& m : value_of<brres::Brres>(*model.document).models) vertices += m.info.vertex_count;
  if (vertices < limit->hinted) return;
  r.report(vertices < limit->warned ? hint : warning, "kmp.model-vertices", "",
           {.message = text("the model of ", limit->what, " has ", vertices, " vertices; from ",
                            vertices < limit->warned ? limit->hinted : limit->warned, " on the game may become slow")});
}

void check_map(Reporter& r, const brres::Brres& map) {
  const bool has_left = brres::has_bone(map, "posLD"), has_right = brres::has_bone(map, "posRU");
  if (has_left && has_right) return;
  r.report("kmp.map-bones", "",
           {.message = text("map_model.brres has no bone", has_left || has_right ? " " : "s ", has_left ? "" : "posLD",
                            has_left || has_right ? "" : " and ", has_right ? "" : "posRU")});
}

}  // namespace

std::span<const Rule> file_rules() { return k_rules; }

void check_files(const Kmp& course, const kcl::Kcl* collision, std::span<const std::string> paths, Findings& findings) {
  const Files there(paths.begin(), paths.end());
  if (!there.contains("course.kmp")) return;
  Reporter r(findings);
  check_needed(r, there);
  check_objects(r, course, there);
  if (collision) check_ice(r, *collision, there);
}

void check_models(std::span<const Companion> models, Findings& findings) {
  Reporter r(findings);
  for (const Companion& c : models) {
    if (c.format_id() != "brres") continue;
    check_vertices(r, c);
    if (c.name.ends_with(k_map_model)) check_map(r, value_of<brres::Brres>(*c.document));
  }
}

}  // namespace dio::kmp
