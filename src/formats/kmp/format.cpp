// format.cpp: what the registry knows of KMP.
#include "formats/contract/format.hpp"

#include <cstring>

#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/plans.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/kmp/ground/checks.hpp"
#include "formats/kmp/parts.hpp"
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
    rules.insert(rules.end(), ground_rules().begin(), ground_rules().end());
    rules.insert(rules.end(), race_rules().begin(), race_rules().end());
    return rules;
  }();
  return all;
}

static const Scenes k_scenes = {
    .to_scene = [](const AnyDocument& d, const SceneOptions&) -> Result<Staged> {
      auto scene = to_scene(value_of<Kmp>(d));
      if (!scene) return refuse(std::move(scene.error()));
      return Staged{std::move(*scene), {}};
    },
    .placed = placed_kinds(),
    .place = [](const AnyDocument& d, const NodeMove& move) { return place(value_of<Kmp>(d), move); },
};

static constexpr scene::PlanLayerName k_layers[] = {{"KTPT"}, {"ENPT", "ENPH"}, {"ITPT", "ITPH"}, {"CKPT", "CKPH"},
                                                    {"GOBJ"}, {"POTI"},         {"AREA"},         {"CAME"},
                                                    {"JGPT"}, {"CNPT"},         {"MSPT"}};
static constexpr Plans k_plans = {[](const AnyDocument& d) { return to_plan(value_of<Kmp>(d)); }, k_layers};

/// course.kcl of course.kmp.
static constexpr Belonging k_belonging = {.beside = [](std::string_view name) {
  return std::vector<std::string>{std::string(name.substr(0, name.rfind('.'))) + ".kcl"};
}};

static const Format k_format = format_of<Kmp>({
    .id = "kmp",
    .title = "Mario Kart Wii course",
    .platform = "Wii",
    .extensions = ".kmp",
    .sniff = sniff,
    .rules = rules,
    .check =
        [](const AnyDocument& d, std::optional<std::span<const Companion>> beside, Findings& f) {
          const Document<Kmp>& document = static_cast<const DocumentOf<Kmp>&>(d).document;
          check(document.value(), f, document.tail().empty());
          for (const Companion& c : beside.value_or(std::span<const Companion>()))
            if (c.format_id() == "kcl") check_ground(document.value(), value_of<kcl::Kcl>(*c.document), f);
        },
    .info = [](const AnyDocument& d) { return info(value_of<Kmp>(d)); },
    .scenes = &k_scenes,
    .plans = &k_plans,
    .belonging = &k_belonging,
    .edits = course_edits,
    .questions = questions,
#ifndef __wasm__  // no function of the module asks for it, and pages are loaded sooner without
    .simulate = [](const AnyDocument& d, Findings& f) { simulate(value_of<Kmp>(d), f); },
#endif
    .size_path = "length",
});

std::span<const Format> formats() { return {&k_format, 1}; }

}  // namespace dio::kmp
