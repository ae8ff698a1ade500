// course_builder.cpp: builds a whole course from a scene: models, collision, paths, minimap and sky in one archive.
#include <algorithm>
#include <cmath>
#include <set>

#include "containers/packed/yaz0.hpp"
#include "containers/u8/u8_archive.hpp"
#include "core/elementary.hpp"
#include "core/text_format.hpp"
#include "formats/brres/parts.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/parts.hpp"
#include "formats/kmp/course_kind.hpp"
#include "formats/kmp/from_scene/exported_nodes.hpp"
#include "formats/kmp/from_scene/kmp_builder.hpp"
#include "formats/kmp/from_scene/minimap.hpp"
#include "formats/kmp/from_scene/sky.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/parts.hpp"
#include "layout/document.hpp"
#include "scene/extras.hpp"
#include "scene/units.hpp"

namespace dio::kmp {

namespace {

constexpr f64 k_whole_metre = 100;  // units
constexpr std::string_view k_collision_file = "course.kcl", k_course_file = "course.kmp";

/// The options of a part, without those of the others.
std::vector<Argument> select_options(std::span<const Argument> all, std::span<const MakeOption> known) {
  std::vector<Argument> out;
  for (const Argument& a : all)
    if (std::ranges::find(known, a.name, &MakeOption::name) != known.end()) out.push_back(a);
  return out;
}

bool has_meshes(const scene::Scene& s) {
  return std::ranges::any_of(s.nodes, [](const scene::Node& n) { return n.mesh != scene::k_none; });
}

/// By its extension: folders of users have other files as well.
bool is_course_file(std::string_view path) {
  constexpr std::string_view k_extensions[] = {".brres", ".kcl",    ".kmp",    ".breff",  ".breft", ".brasd",
                                               ".bmm",   ".btiEnv", ".btiMat", ".blight", ".blmap", ".bfg",
                                               ".bblm",  ".bdof",   ".bmg",    ".baa",    ".bas"};
  return std::ranges::any_of(k_extensions, [&](std::string_view e) { return path.ends_with(e); });
}

class ArchiveBuilder {
 public:
  ArchiveBuilder(const scene::Scene& s, std::span<const Argument> options, const FileTree& own,
                 const UpdateFile& update)
      : s_(s), options_(options), own_(own), update_(update), roles_(classify_nodes(s)) {}

  /// How far the whole course must be raised so that online races can send its positions, in units; 0: it need not, or
  /// cannot, because given files belong to it. After `run`.
  f64 needed_lift() const { return is_same_course_ || edits_model_ || has_exported_course(s_) ? 0 : needed_lift_; }

  Result<Made> run(f64 units_per_metre) {
    const f64 units = units_of_scene(s_, units_per_metre);
    for (auto step : {&ArchiveBuilder::add_collision, &ArchiveBuilder::add_course, &ArchiveBuilder::add_model,
                      &ArchiveBuilder::add_minimap, &ArchiveBuilder::add_sky})
      if (auto problem = (this->*step)(units)) return refuse(std::move(*problem));
    add_object_files();
    return pack();
  }

 private:
  using Problem = std::optional<Diagnostic>;

  /// Takes a file that the user gives; false if there is none.
  bool take_own(std::string_view name) {
    if (!own_.has(name)) return false;
    auto bytes = own_.read(name);
    if (!bytes) return false;
    files_.emplace_back(name, std::move(*bytes));
    return true;
  }
  /// The same, for a part that the scene lacks.
  bool take_missing(std::string_view name, std::string why) {
    if (!take_own(name)) return false;
    made_.notes.push_back(make_diagnostic(Severity::hint, "kmp.make-own", std::string(name),
                                          {.message = "taken from the given files, because " + std::move(why)}));
    return true;
  }
  /// Notes name the file that they are about.
  void add_notes(std::string_view file, Diagnostics notes) {
    for (Diagnostic& d : notes) {
      d.place.path = d.place.path.empty() ? std::string(file) : text(file, ", ", d.place.path);
      made_.notes.push_back(std::move(d));
    }
  }

  Problem add_collision(f64) {
    auto built = build_course_collision(s_, roles_, select_options(options_, kcl::make_options()));
    const bool lacks_types =
        built ? std::ranges::find(built->notes, "kcl.make-flags", &Diagnostic::id) != built->notes.end()
              : built.error().id == "kcl.make-empty" || built.error().id == "kcl.make-flags";
    if (lacks_types && take_missing(k_collision_file, "materials of the scene have no collision type")) {
      auto loaded = load<kcl::Kcl>(files_.back().second);
      if (!loaded) return std::move(loaded.error());
      collision_ = loaded->document.value();
      is_same_course_ = true;
      return {};
    }
    if (!built) return std::move(built.error());
    collision_ = std::move(built->collision);
    files_.emplace_back(k_collision_file, std::move(built->bytes));
    add_notes(k_collision_file, std::move(built->notes));
    return {};
  }

  Problem add_course(f64 units) {
    auto built = build_course(s_, roles_, collision_, units);
    if (!built && built.error().id == "kmp.make-path" && take_missing(k_course_file, built.error().message)) {
      auto loaded = load<Kmp>(files_.back().second);
      if (!loaded) return std::move(loaded.error());
      course_ = loaded->document.value();
      is_same_course_ = true;
      return {};
    }
    if (!built) return std::move(built.error());
    course_ = built->course;
    Document<Kmp> d;
    d.edit() = std::move(built->course);
    auto bytes = save(d);
    if (!bytes) return std::move(bytes.error());
    files_.emplace_back(k_course_file, std::move(*bytes));
    add_notes(k_course_file, std::move(built->notes));
    made_.lost += built->lost;
    if (built->lowest < 0) needed_lift_ = (std::ceil(-built->lowest / k_whole_metre) + 1) * k_whole_metre;
    return {};
  }

  Problem build_model(std::string_view file, const scene::Scene& part, std::string_view model) {
    std::vector<Argument> options = select_options(options_, brres::make_options());
    options.push_back({"model-name", std::string(model)});
    auto built = brres::make_model(part, options);
    if (!built) {
      if (built.error().place.path.empty()) built.error().place.path = file;
      return std::move(built.error());
    }
    files_.emplace_back(file, std::move(built->files.at(0).bytes));
    add_notes(file, std::move(built->notes));
    made_.lost += built->lost;
    return {};
  }
  Problem add_model(f64) {
    if (update_given_model()) return {};
    return build_model(k_course_model, extract_model(s_, roles_), "course");
  }
  static std::string removed_text(u64 removed) {
    return removed ? text(", without ", format_count(removed, "part"), " that the scene lacks") : std::string();
  }
  /// Changes the given course model if the scene was exported from it: this keeps what a scene does not show, such as
  /// further textures of a material.
  bool update_given_model() {
    const bool is_exported = std::ranges::any_of(
        s_.nodes, [](const scene::Node& n) { return scene::read_text_extra(n.extras, "kind") == "model"; });
    if (!update_ || !(is_exported || is_same_course_) || !own_.has(k_course_model)) return false;
    auto given = own_.read(k_course_model);
    if (!given) return false;
    std::vector<bool> keep;
    for (const NodeRole role : roles_) keep.push_back(role == NodeRole::course || role == NodeRole::model);
    auto updated = update_(k_course_model, std::move(*given), extract_nodes(s_, keep));
    const bool is_plain = updated && !updated->removed;
    made_.notes.push_back(make_diagnostic(
        is_plain ? Severity::hint : Severity::warning, "kmp.make-model", std::string(k_course_model),
        {.message = updated
                        ? "taken from the given files, with the changes of the scene" + removed_text(updated->removed)
                        : "rebuilt, with one texture for each material, because the scene was not exported from "
                          "the given file, or does not fit it: " +
                              updated.error().message}));
    if (!updated) return false;
    edits_model_ = true;
    files_.emplace_back(k_course_model, std::move(updated->bytes));
    add_notes(k_course_model, std::move(updated->notes));
    return true;
  }
  Problem add_minimap(f64) {
    scene::Scene map = extract_role(s_, roles_, NodeRole::minimap);
    map.animations.clear();
    if (!has_meshes(map)) {
      if (is_same_course_ && take_missing(k_map_model, "the scene has no minimap")) return {};
      map = build_minimap(collision_, course_);
    }
    add_minimap_corners(map);
    return build_model(k_map_model, map, "map");
  }
  Problem add_sky(f64) {
    scene::Scene sky = extract_role(s_, roles_, NodeRole::sky);
    if (!has_meshes(sky)) {
      if (take_missing(k_sky_model, "the scene has no sky")) return {};
      made_.notes.push_back(make_diagnostic(Severity::hint, "kmp.make-sky", std::string(k_sky_model),
                                            {.message = "the scene has no sky; the course has a plain blue one",
                                             .hint = "give a dome around the course the name `sky`"}));
      sky = build_sky(collision_);
    }
    return build_model(k_sky_model, sky, "vrcorn");
  }

  /// Copies the files of the objects on the course, and the settings of light, fog and bloom.
  void add_object_files() {
    std::set<std::string> needed, missing;
    for (const Object& o : entries(course_.gobj))
      if (const ObjectKind* kind = object_kind(o.id))
        for (std::string& file : object_file_names(*kind)) needed.insert(std::move(file));
    for (const std::string& file : needed)
      if (!take_own(file)) missing.insert(file);
    // Lights, fog and bloom; of the same course, all that has no counterpart in the scene.
    const auto is_built = [&](std::string_view path) {
      return std::ranges::find(files_, path, &std::pair<std::string, Bytes>::first) != files_.end();
    };
    std::vector<std::string> others;
    for (const std::string& path : own_.list()) {
      if (is_built(path) || !(is_same_course_ || path.starts_with("posteffect/"))) continue;
      if (is_course_file(path))
        take_own(path);
      else if (!path.starts_with("_system/"))  // unpacked archives keep their order there
        others.push_back(path);
    }
    if (!others.empty())
      made_.notes.push_back(make_diagnostic(
          Severity::hint, "kmp.make-others", {},
          {.message = text(format_count(others.size(), "given file"), others.size() == 1 ? " is" : " are",
                           " left out, because courses have no files with such names: ", join_first_few(others))}));
    for (const std::string& file : missing)
      made_.notes.push_back(make_diagnostic(
          Severity::warning, "kmp.make-file", std::string(k_course_file),
          {.message = text("an object on the course needs ", file, ", which is not in the archive"),
           .hint = "copy it from a course that has the object into a folder, and give {--files FOLDER}"}));
    made_.lost += missing.size();
  }

  Result<Made> pack() {
    Document<U8Archive> archive;
    archive.edit() = make_u8(files_);
    auto bytes = save(archive);
    if (!bytes) return refuse(std::move(bytes.error()));
    auto packed = yaz0_encode(*bytes);
    if (!packed) return refuse(std::move(packed.error()));
    made_.files.push_back({".szs", std::move(*packed)});
    return std::move(made_);
  }

  const scene::Scene& s_;
  const std::span<const Argument> options_;
  const FileTree& own_;
  const UpdateFile& update_;
  const std::vector<NodeRole> roles_;
  std::vector<std::pair<std::string, Bytes>> files_;
  kcl::Kcl collision_;
  Kmp course_;
  bool is_same_course_ = false;  // the given files are of the course in the scene
  bool edits_model_ = false;     // the given course model is edited
  f64 needed_lift_ = 0;
  Made made_;
};

}  // namespace

std::span<const Rule> make_archive_rules() {
  using enum Severity;
  constexpr const char* k_where = "src/formats/kmp/README.md, From glTF";
  static constexpr Rule k_rules[] = {
      {"kmp.make-sky", hint, "the scene has a dome with the name `sky`",
       "Every course needs a sky; without one in the scene, it is plain blue.",
       "Give a dome around the course the name `sky`, or ignore the note.", k_where},
      {"kmp.make-own", hint, "the scene has a course path, a sky, and materials with collision types",
       "Parts that the scene lacks are taken from the given files, if they have them.",
       "Ignore the note if that is intended.", k_where},
      {"kmp.make-model", hint, "an exported course model fits the given course_model.brres",
       "If a scene was exported from the given course model, its changes are applied to that file, as by {convert "
       "--onto}. A rebuilt model has one texture for each material, and neither lights nor fog.",
       "Export the scene from the given course model, or ignore the note.", k_where},
      {"kmp.make-others", hint, "the given files are files of courses",
       "If the given files are of the same course, every file that the game can use is copied.",
       "Copy the others into the archive yourself if another program needs them ({pack FOLDER}).", k_where},
      {"kmp.make-file", warning, "the folder of {--files} has the files of all objects on the course",
       "The game freezes when it loads an object whose file is missing.",
       "Copy the file from the archive of a course that has the object.", "Wiimm's wszst"},
  };
  return k_rules;
}

std::span<const MakeOption> make_archive_options() {
  static const std::vector<MakeOption> k_all = [] {
    std::vector<MakeOption> all;
    for (const auto options : {make_options(), kcl::make_options(), brres::make_options()})
      for (const MakeOption& o : options)
        if (o.name != "model-name" && std::ranges::find(all, o.name, &MakeOption::name) == all.end()) all.push_back(o);
    return all;
  }();
  return k_all;
}

Result<Made> make_archive(const scene::Scene& given, std::span<const Argument> all, const FileTree& own,
                          const UpdateFile& update) {
  Arguments a(all);
  for (const MakeOption& o : make_archive_options())  // the parts check their values
    if (a.has(o.name)) (void)a.text(o.name);
  const f64 units = a.has("units-per-metre") ? a.number("units-per-metre", 1e-3, 1e6) : k_units_per_metre;
  if (!a.done()) {
    a.problem->id = "make.argument";
    return refuse(*std::move(a.problem));
  }
  if (auto fault = scene::validation_error(given)) return refuse(std::move(*fault));
  ArchiveBuilder builder(given, all, own, update);
  auto made = builder.run(units);
  const f64 lift = builder.needed_lift();
  if (!made || lift == 0) return made;
  scene::Scene raised = given;
  scene::raise_roots(raised, f32(lift / units_of_scene(given, units)));
  made = ArchiveBuilder(raised, all, own, update).run(units);
  if (made)
    made->notes.push_back(make_diagnostic(Severity::hint, "kmp.make-low", std::string(k_course_file),
                                          {.message = text("the whole course is ", std::llround(lift),
                                                           " units higher than in the scene, because online "
                                                           "races cannot send positions below height 0")}));
  return made;
}

}  // namespace dio::kmp
