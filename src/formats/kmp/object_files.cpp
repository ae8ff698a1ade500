// object_files.cpp: the files that objects need in the course archive. Source: wszst's answer for each object
// (README.md, "Files").
#include <algorithm>

#include "formats/kmp/objects.hpp"

namespace dio::kmp {

namespace {

/// Files whose names differ from their object's name.
struct ObjectFileOverride {
  std::string_view name;
  std::string_view effect = {};      // of rk_...; empty: the name
  std::string_view animations = {};  // in brasd/NAME/, with spaces between
  std::string_view collisions = {};  // in place of NAME.kcl; "-": depends on the settings
};
constexpr ObjectFileOverride k_specials[] = {
    {"Alarm", "alarm"},
    {"Block", "block"},
    {"DKfalls", "64DKfalls"},
    {"DemoEf", "demo"},
    {"DonkyCannonGC", "dkCannon", "DonkyCannonGC"},
    {"DonkyCannon_wii", "dkCannon", "DonkyCannon_wii"},
    {"Epropeller", "epropeller"},
    {"FallBsA", "fallbasin"},
    {"FallBsB", "fallbasin"},
    {"Fall_MH", "ridgeFall"},
    {"Fall_Y", "yoshiFalls"},
    {"FireSnake", "fireSnake"},
    {"FlamePole", "flamePole"},
    {"FlamePole_v", "flamePole"},
    {"FlamePole_v_big", "flamePoleL"},
    {"Flash_B", "flashBCross"},
    {"Flash_L", "flashBeginner"},
    {"Flash_M", "flash64mario"},
    {"Flash_S", "flashSkate"},
    {"Flash_W", "flashWaluigi"},
    {"Hanabi", "stHanabi"},
    {"K_bomb_car1", "K_bomb_car"},
    {"Kamifubuki", "kamifubuki"},
    {"KoopaFigure64", "koopaFire"},
    {"PeachHunsuiGC", "hunsui"},
    {"Press", "press"},
    {"RM_ring1", {}, {}, "-"},
    {"Steam", "steam"},
    {"TownBridgeDS", {}, {}, "TownBridgeDS TownBridgeDS2 TownBridgeDS3"},
    {"TruckWagon", "truck"},
    {"VolcanoBall1", "volc"},
    {"VolcanoPiece1", {}, {}, "-"},
    {"VolcanoRock1", {}, {}, "VolcanoRock1 VolcanoRock2"},
    {"bblock1", {}, {}, "-"},
    {"choropu", "choropuMoko"},
    {"cow", {}, "eat eat_ed run surprise walk"},
    {"crab", {}, "wait walk_l walk_r"},
    {"hanachan", "hana", "head_wait2 walk"},
    {"kinoko", {}, {}, "kinoko_d_g kinoko_d_r kinoko_g kinoko_r"},
    {"koopaFigure", {}, "vomit wait"},
    {"kuribo", {}, "walk_l walk_r"},
    {"pakkun_f", {}, "attack wait"},
    {"penguin_m", {}, "walk"},
    {"penguin_s", {}, "dive stand_up walk"},
    {"pochaMori", "pochaLeaf"},
    {"poihana", {}, "throw walk"},
    {"puchi_pakkun", {}, "puchi_pakkun"},
    {"quicksand", "qsandDossun"},
    {"sanbo", {}, "revive"},
    {"tree_cannon", "dkCannon", "tree_cannon"},
    {"venice_hasi", "venice"},
};
static_assert(std::ranges::is_sorted(k_specials, {}, &ObjectFileOverride::name));

ObjectFileOverride find_file_override(std::string_view name) {
  const auto found = std::ranges::lower_bound(k_specials, name, {}, &ObjectFileOverride::name);
  return found != std::end(k_specials) && found->name == name ? *found : ObjectFileOverride{name};
}

void for_each_word(std::string_view words, auto f) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    f(std::string(words.substr(0, end)));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

}  // namespace

std::vector<std::string> object_file_names(const ObjectKind& kind) {
  std::vector<std::string> out;
  std::string_view rest = kind.model;  // name(BEK);name(B)
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const size_t open = one.find('(');
    if (open == one.npos) continue;
    const std::string name(one.substr(0, open));
    const std::string_view kinds = one.substr(open + 1);
    const auto has = [&](char c) { return kinds.find(c) != kinds.npos; };
    const ObjectFileOverride special = find_file_override(name);
    if (has('B')) out.push_back(name + ".brres");
    if (has('K') && special.collisions.empty()) out.push_back(name + ".kcl");
    if (has('K') && special.collisions != "-")
      for_each_word(special.collisions, [&](const std::string& s) { out.push_back(s + ".kcl"); });
    if (has('D'))
      for_each_word(special.animations,
                    [&](const std::string& s) { out.push_back("brasd/" + name + "/" + s + ".brasd"); });
    if (has('E'))
      for (const char* extension : {".breff", ".breft"})
        out.push_back("effect/" + name + "/rk_" + (special.effect.empty() ? name : std::string(special.effect)) +
                      extension);
  }
  return out;
}

std::string model_file_name(u16 id) {
  const ObjectKind* const kind = object_kind(id);
  if (!kind) return {};
  for (std::string& name : object_file_names(*kind))
    if (name.ends_with(".brres")) return std::move(name);
  return {};
}

}  // namespace dio::kmp
