// budgets.cpp: rules about the limits of the console and the engine.
#include "formats/splashpack/check/checks.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_budget_rule_table[] = {
    {"splashpack.tri-budget", warning, "a scene has at most 2,000 triangles",
     "The console rarely draws more triangles within a frame. The 2025 version of the engine draws the whole scene, "
     "has room for 4,857 triangles, and silently drops any others. From pack version v20 on, the engine skips "
     "triangles that the camera cannot see, and has room for 3,238 triangles in a frame.",
     "Remove or simplify objects of the scene.", "psxsplash, renderer.cpp; src/formats/splashpack/README.md#budgets",
     Severities{error}},
    {"splashpack.ram-budget", warning, "a pack takes at most 80 % of the memory that the engine leaves free",
     "Scripts and the stack need the remaining memory. If the pack takes more than 100 % of the free memory, the "
     "engine cannot load the pack.",
     "Make textures, sounds or scripts smaller, or split the scene.",
     "psxsplash; splashedit-ng; src/formats/splashpack/README.md#budgets", Severities{error}},
    {"splashpack.spu-budget", error, "the sounds of a pack fit in sound memory",
     "The sound chip (SPU) has 512 KB of memory, of which the system uses 4 KB.",
     "Shorten the sounds of the pack, or lower their sampling rate.", "src/formats/splashpack/README.md#budgets"},
};

}  // namespace
const std::span<const Rule> k_budget_rules = k_budget_rule_table;

void check_budgets(Reporter& r, const Pack& p) {
  u64 triangles = 0, sounds = 0;
  for (const Object& o : p.objects) triangles += o.triangles.size();
  for (const AudioClip& c : p.audio_clips) sounds += c.size;
  if (is_old(p) && triangles > k_old_triangles)
    r.report(error, "splashpack.tri-budget", "objects",
             {.message = text("the scene has ", triangles, " triangles; the engine has room for ", k_old_triangles)});
  else if (triangles > k_practical_triangles)
    r.report("splashpack.tri-budget", "objects",
             {.message = text("the scene has ", triangles, " triangles; the console rarely draws more than ",
                              k_practical_triangles, " within a frame")});
  const u64 size = r.findings.file_size, memory = memory_of(p);
  if (size * 5 > memory * 4)
    r.report(
        size > memory ? error : warning, "splashpack.ram-budget", "version",
        {.message = size > memory ? text("the pack has ", size, " bytes, but the engine leaves only ", memory, " free")
                                  : text("the pack takes ", size * 100 / memory, " % of the ", memory,
                                         " bytes that the engine leaves free (limit: 80 %)")});
  if (sounds > k_spu_memory)
    r.report("splashpack.spu-budget", "audio_clips",
             {.message = text("the sounds have ", sounds, " bytes, but sound memory has only ", k_spu_memory)});
}

}  // namespace dio::splashpack
