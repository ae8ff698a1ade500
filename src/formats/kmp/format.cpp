// format.cpp: the registry entry of KMP.
#include "formats/contract/format.hpp"

#include <cstring>
#include <set>

#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/plans.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/kmp/check/files.hpp"
#include "formats/kmp/ground/checks.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/race/race_overlay.hpp"
#include "formats/kmp/race/simulate.hpp"

namespace dio::kmp {

static Sniff sniff(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  if (bytes.size() >= 4 && !std::memcmp(bytes.data(), "RKMD", 4)) return {certain, "starts with RKMD"};
  if (name.ends_with(".kmp")) return {possible, "is named .kmp"};
  return {};
}

std::span<const Rule> rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> rules(check_rules().begin(), check_rules().end());
    rules.insert(rules.end(), file_rules().begin(), file_rules().end());
    rules.insert(rules.end(), ground_rules().begin(), ground_rules().end());
    rules.insert(rules.end(), race_rules().begin(), race_rules().end());
    rules.insert(rules.end(), make_rules().begin(), make_rules().end());
    rules.insert(rules.end(), make_archive_rules().begin(), make_archive_rules().end());
    return rules;
  }();
  return all;
}

const Companion* find_collision_companion(std::span<const Companion> beside) {
  for (const Companion& c : beside)
    if (c.format_id() == "kcl" && value_of<kcl::Kcl>(*c.document).is_mario_kart_wii()) return &c;
  return nullptr;
}
const kcl::Kcl* find_collision(std::span<const Companion> beside) {
  const Companion* c = find_collision_companion(beside);
  return c ? &value_of<kcl::Kcl>(*c->document) : nullptr;
}

const Companion* find_course_model(std::span<const Companion> beside) {
  for (const Companion& c : beside)
    if (c.format_id() == "brres" && c.name.ends_with(k_course_model)) return &c;
  return nullptr;
}

static constexpr std::string_view k_scene_options[] = {"race"};
static const Scenes k_scenes = {
    .to_scene = [](const AnyDocument& d, const SceneOptions& o) -> Result<SceneResult> {
      SceneResult staged{to_scene(value_of<Kmp>(d), o), {}};
      if (o.race) draw_race(staged.scene, value_of<Kmp>(d), find_collision(o.companions));
      return staged;
    },
    .options = k_scene_options,
    .notes_companions = false,
    .placed = placed_kinds(),
    .beside = kinds_beside(),
    .kinds = node_kinds(),
    .place = [](const AnyDocument& d, const NodeTransformChange& move) { return place(value_of<Kmp>(d), move); },
};

static constexpr scene::PlanLayerName k_layers[] = {
    {"KTPT"}, {"ENPT", "ENPH"}, {"ITPT", "ITPH"}, {"CKPT", "CKPH"}, {"GOBJ"},        {"POTI"}, {"AREA"},
    {"CAME"}, {"JGPT"},         {"CNPT"},         {"MSPT"},         {"KCL", "road"}, {"RACE"}};
static constexpr Plans k_plans = {[](const AnyDocument& d, const PlanOptions& o) {
                                    scene::Plan plan = to_plan(value_of<Kmp>(d), o);
                                    if (o.race) draw_race(plan, value_of<Kmp>(d), find_collision(o.companions));
                                    return plan;
                                  },
                                  k_layers};

/// Companions: course.kcl for course.kmp; also the models that every course needs, if the file has that name.
static std::vector<std::string> names_beside(std::string_view name) {
  const std::string stem(name.substr(0, name.rfind('.')));
  std::vector<std::string> names{stem + ".kcl"};
  if (stem == "course")
    for (const std::string_view model : {k_course_model, k_map_model, k_sky_model}) names.emplace_back(model);
  return names;
}
/// Companions: the models of its objects, if the course is in an archive.
static std::vector<std::string> model_file_names(const AnyDocument& d, std::string_view name) {
  if (name.substr(0, name.rfind('.')) != "course") return {};
  const Kmp& k = value_of<Kmp>(d);
  std::set<std::string> names;
  if (k.gobj)
    for (const Object& o : k.gobj->entries) names.insert(model_file_name(o.id));
  names.erase("");
  return {names.begin(), names.end()};
}
static bool takes(const AnyDocument&, const Companion& c) { return c.format_id() == "kcl" || c.format_id() == "brres"; }
static constexpr CompanionOps k_belonging = {.takes = takes, .beside = names_beside, .named = model_file_names};

static const Making k_making = {.make = make,
                                .options = make_options(),
                                .make_archive = make_archive,
                                .archive_extension = ".szs",
                                .archive_options = make_archive_options};

static const Format k_format = make_document_format<Kmp>({
    .id = "kmp",
    .title = "Mario Kart Wii course",
    .platform = "Wii",
    .extensions = ".kmp",
    .sniff = sniff,
    .magic = "RKMD",
    .rules = rules,
    .check =
        [](const AnyDocument& d, std::optional<std::span<const Companion>> beside, Findings& f) {
          const Document<Kmp>& document = static_cast<const DocumentOf<Kmp>&>(d).document;
          check(document.value(), f, document.trailing_bytes().empty());
          if (const kcl::Kcl* collision = find_collision(beside.value_or(std::span<const Companion>())))
            check_ground(document.value(), *collision, f);
        },
    .info = [](const AnyDocument& d) { return info(value_of<Kmp>(d)); },
    .check_folder =
        [](const AnyDocument& d, const FileTree& folder, std::span<const Companion> beside, Findings& f) {
          check_files(value_of<Kmp>(d), find_collision(beside), folder, f);
          check_models(value_of<Kmp>(d), beside, folder, f);
        },
    .scenes = &k_scenes,
    .plans = &k_plans,
    .making = &k_making,
    .belonging = &k_belonging,
    .edits = course_edits,
    .questions = questions,
    .simulate = [](const AnyDocument& d, std::span<const Companion> beside,
                   Findings& f) { simulate(value_of<Kmp>(d), find_collision(beside), f); },
    .size_path = "length",
});

std::span<const Format> formats() { return {&k_format, 1}; }

}  // namespace dio::kmp
