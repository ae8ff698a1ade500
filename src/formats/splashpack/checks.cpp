// checks.cpp: the rules of scene packs.
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

std::span<const Rule> rules() {
  static constexpr Rule k_rules[] = {
      {"splashpack.script-index", Severity::error, "scripts are named by their place in the list, or by -1",
       "the engine does not look whether there is one", "specification 6, lua-index"},
  };
  return k_rules;
}

void check(const Pack& p, std::span<const Companion>, Findings& findings) {
  for (size_t i = 0; i < p.objects.size(); ++i) {
    const i16 n = p.objects[i].script;
    if (n < -1 || n >= i64(p.scripts.size()))
      findings.add("splashpack.script-index", "objects[" + std::to_string(i) + "].script", std::to_string(n),
                   "-1 to " + std::to_string(i64(p.scripts.size()) - 1));
  }
}

}  // namespace dio::splashpack
