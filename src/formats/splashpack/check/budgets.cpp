// Rules of what the console and the engine have of everything.
#include "formats/splashpack/check/checks.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_budget_rule_table[] = {
    {"splashpack.tri-budget", warning, "a scene has at most 2,000 triangles",
     "More are seldom drawn in time. The engine of 2025 draws all of the scene, and has room for 4,857: the rest is "
     "left "
     "out without a word. From v20 on what the camera does not see is left out, and 3,238 are.",
     "specification 6, tri-budget, and 4: engine, renderer.cpp", Severities{error}},
    {"splashpack.ram-budget", warning, "a pack takes at most 80 % of the memory that the engine leaves",
     "The scripts and the stack need some, too. At 100 % it cannot be loaded.",
     "specification 6, ram-budget, and 4: engine, splashedit-ng", Severities{error}},
    {"splashpack.spu-budget", error, "sounds fit into the memory of the sound processor",
     "It has 512 KB, of which the system takes 4.", "specification 6, spu-budget, and 4"},
};

}  // namespace
const std::span<const Rule> k_budget_rules = k_budget_rule_table;

void check_budgets(Reporter& r, const Pack& p) {
  u64 triangles = 0, sounds = 0;
  for (const Object& o : p.objects) triangles += o.triangles.size();
  for (const AudioClip& c : p.audio_clips) sounds += c.size;
  if (is_old(p) && triangles > k_old_triangles)
    r.report(error, "splashpack.tri-budget", "objects",
             {.expected = text("at most ", k_old_triangles), .found = text(triangles, " triangles")});
  else if (triangles > k_practical_triangles)
    r.report("splashpack.tri-budget", "objects",
             {.expected = text("at most ", k_practical_triangles), .found = text(triangles, " triangles")});
  const u64 size = r.findings.file_size, memory = memory_of(p.form);
  if (size * 5 > memory * 4)
    r.report(size > memory ? error : warning, "splashpack.ram-budget", "version",
             {.expected = text("at most ", memory * 4 / 5, " of ", memory), .found = text(size, " bytes")});
  if (sounds > k_spu_memory)
    r.report("splashpack.spu-budget", "audio_clips",
             {.expected = text("at most ", k_spu_memory), .found = text(sounds, " bytes")});
}

}  // namespace dio::splashpack
