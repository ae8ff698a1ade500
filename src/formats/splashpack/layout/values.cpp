// values.cpp: the files as spans, and from JSON.
#include "formats/splashpack/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, splashpack::Pack)
DIORAMA_VALUES(, splashpack::Vram)
DIORAMA_VALUES(, splashpack::Spu)
DIORAMA_PART(, splashpack::UiFont)
DIORAMA_PART(, splashpack::UiCanvas)
DIORAMA_PART(, splashpack::UiElement)

namespace dio::splashpack {

std::optional<Diagnostic> place(Pack& pack) {
  Placer p(Placer::Mode::place, 0);
  visit(p, pack);
  if (p.good()) return {};
  return refusal_of(p.trail);
}

}  // namespace dio::splashpack
