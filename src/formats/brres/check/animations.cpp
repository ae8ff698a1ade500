// animations.cpp: checks of the animations of texture transforms (SRT0).
#include <algorithm>
#include <set>

#include "formats/brres/check/checks.hpp"

namespace dio::brres {

namespace {

using enum Severity;
constexpr Rule k_animation_rules[] = {
    {"brres.srt-material", hint, "an animation of texture transforms moves materials of a model in the file",
     "The game finds animated materials by name. An animation without its material has no effect, unless the game "
     "plays "
     "it on a model of another file.",
     "Rename the animated material to the name of a material, or ignore the finding.",
     "measured on 80 animations; src/formats/brres/README.md"},
};

void check_animations(Check& c) {
  if (c.file.models.empty()) return;
  std::set<std::string_view> names;
  for (const Model& m : c.file.models)
    for (const Material& x : m.materials) names.insert(x.name);
  for (size_t i = 0; i < c.file.srt_files.size(); ++i) {
    if (!c.file.srt_files[i].animation) continue;
    const SrtAnimation& a = *c.file.srt_files[i].animation;
    for (size_t k = 0; k < a.materials.size(); ++k)
      if (!names.contains(a.materials[k].name))
        c.report("brres.srt-material", text("srt_files[", i, "].animation.materials[", k, "].name"),
                 {.message = text("the animation ", in_quotes(a.name), " moves the material ",
                                  in_quotes(a.materials[k].name), ", but no model in the file has it")});
  }
}

}  // namespace

constinit const Topic k_animation_checks{k_animation_rules, check_animations};

}  // namespace dio::brres
