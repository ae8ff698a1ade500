// checks.cpp: the rules of all topics.
#include "formats/fft/parts.hpp"

namespace dio::fft {

std::span<const Rule> rules() { return {}; }
void check(const Gns&, Findings&) {}
void check(const Mesh&, Findings&) {}
void check(const Texture&, Findings&) {}

}  // namespace dio::fft
