// adpcm.hpp: samples as the console's sound processor has them: blocks of 16 bytes, 28 samples of 4 bits each, which a
// filter of the two samples before foretells. Source: psx-spx, SPU ADPCM samples.
#pragma once
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::psx::adpcm {

inline constexpr size_t k_block_bytes = 16, k_block_samples = 28;
/// In the second byte of a block: what comes behind it.
inline constexpr u8 k_end = 1, k_repeat = 2, k_loop_start = 4;

/// Blocks that so many samples fill, the last one perhaps in part.
constexpr size_t whole_blocks(size_t samples) { return (samples + k_block_samples - 1) / k_block_samples; }

/// Of all filters and shifts, each block has those with the least squared error. The last block says that the sound
/// ends there, or, if it loops, that it goes on with the first, which then follows the last one. Nothing for no
/// samples.
Bytes encoded(std::span<const i16> samples, bool is_looping);

/// All samples of whole blocks, whatever their flags say.
std::vector<i16> decoded(ByteView blocks);

}  // namespace dio::psx::adpcm
