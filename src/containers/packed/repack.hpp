// repack.hpp: compresses changed bytes so that what did not change keeps its compressed form.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "containers/packed/unpacked.hpp"

namespace dio {

/// Steps over bytes[first..]: the bytes before may be copied from.
using EncodeRun = std::function<std::vector<Match>(ByteView bytes, u32 first)>;

/// Calls `put` with the steps over `after`, in order. Each step over `before` is kept that still gives the right bytes;
/// a length of 1 is the byte itself. The two are aligned around at most one insertion or removal.
/// `encode` makes the steps of the other bytes, which may copy from `window` bytes back. False, without a call, if so
/// much changed that it is faster to compress all again.
bool repack_steps(ByteView before, std::span<const Match> steps, ByteView after, u32 window, const EncodeRun& encode,
                  const std::function<void(std::span<const Match>)>& put);

/// Adds what follows the data of a compressed file to a new one: zeros that pad it to a power of two
/// also pad the new one: to `usual_alignment` if that explains their number, else to 32, 16, 8 or 4 bytes.
void append_trailing_bytes(Bytes& out, ByteView packed, u64 data_end, u64 usual_alignment);

}  // namespace dio
