#include "formats/kmp/check/files.hpp"

#include <set>

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

}  // namespace dio::kmp
