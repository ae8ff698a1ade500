// adpcm.hpp: ADPCM samples of the SPU: blocks of 16 bytes with 28 samples of 4 bits each, relative to a prediction from
// the two previous samples. Source: psx-spx, SPU ADPCM samples.
#pragma once
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::psx::adpcm {

inline constexpr size_t k_block_bytes = 16, k_block_samples = 28;
/// Flags in the second byte of a block: what follows the block.
inline constexpr u8 k_end = 1, k_repeat = 2, k_loop_start = 4;

/// The number of blocks for `samples`; the last may be partly filled.
constexpr size_t whole_blocks(size_t samples) { return (samples + k_block_samples - 1) / k_block_samples; }

/// Each block uses the filter and shift with the least squared error. The flags of the last block end the sound or, if
/// it loops, continue with the first block. Empty if there are no samples.
Bytes encode_adpcm(std::span<const i16> samples, bool is_looping);

/// All samples of whole blocks, whatever their flags.
std::vector<i16> decode_adpcm(ByteView blocks);

}  // namespace dio::psx::adpcm
