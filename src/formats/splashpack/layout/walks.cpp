// walks.cpp: packs from bytes and to bytes, as spans, and from JSON.
#include "layout/walks.hpp"

#include "formats/splashpack/parts.hpp"

DIORAMA_WALKS(, splashpack::Pack)

namespace dio::splashpack {

std::optional<Diagnostic> place(Pack& pack) {
  Placer p(Placer::Mode::place, 0);
  visit(p, pack);
  if (p.good()) return {};
  return refusal_of(p.trail);
}

}  // namespace dio::splashpack
