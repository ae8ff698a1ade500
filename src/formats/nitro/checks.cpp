// checks.cpp: what the games, or the DS itself, would trip over.
#include "formats/nitro/parts.hpp"

namespace dio::nitro {

std::span<const Rule> rules() { return {}; }
void check(const Nsbmd&, Findings&) {}
void check(const Nsbtx&, Findings&) {}
void check(const Nsbca&, Findings&) {}
void check(const Nsbtp&, Findings&) {}
void check(const Nsbta&, Findings&) {}
void check(const Nsbma&, Findings&) {}
void check(const Nsbva&, Findings&) {}

}  // namespace dio::nitro
