// animation_placement.hpp: places animations: the entries of their dictionaries, then the curves. Equal curves are
// stored once.
#pragma once
#include "formats/brres/layout/animations.hpp"
#include "formats/brres/layout/offset_allocator.hpp"

namespace dio::brres {

void place_animation(OffsetAllocator&, SrtAnimation&);
void place_animation(OffsetAllocator&, ChrAnimation&);
void place_animation(OffsetAllocator&, ClrAnimation&);
void place_animation(OffsetAllocator&, PatAnimation&);
void place_animation(OffsetAllocator&, VisAnimation&);

/// The bytes of a curve of CHR0, without those that align the next one.
u64 size_of_curve(const ChrTrack&);

}  // namespace dio::brres
