// walks.cpp: compiles the walks for packs: bytes, spans and JSON.
#include "layout/walks.hpp"

#include "formats/splashpack/parts.hpp"

DIORAMA_WALKS(, splashpack::Pack)

namespace dio::splashpack {

std::optional<Diagnostic> assign_offsets(Pack& pack) {
  OffsetAssigner p(OffsetAssigner::Mode::place, 0);
  visit(p, pack);
  if (p.good()) return {};
  return refusal_diagnostic(p.trail);
}

}  // namespace dio::splashpack
