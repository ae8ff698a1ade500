// repack.hpp: compresses changed data so that unchanged parts keep their compressed form.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "containers/packed/unpacked.hpp"

namespace dio {

/// Steps over bytes[first..]: the bytes before may be copied from.
using EncodeRun = std::function<std::vector<Match>(ByteView bytes, u32 first)>;

/// Calls `put` with the steps over `after`, in order. Keeps each step over `before` that still produces the right
/// bytes; a length of 1 is the byte itself. The two are aligned around at most one insertion or removal. `encode`
/// creates the steps of the other bytes, which may copy from `window` bytes back. Returns false, without a call, if so
/// much changed that compressing everything again is faster.
bool repack_steps(ByteView before, std::span<const Match> steps, ByteView after, u32 window, const EncodeRun& encode,
                  const std::function<void(std::span<const Match>)>& put);

/// Appends the bytes that follow the data of a compressed file to the new file. Zero padding to a power of two is
/// recomputed: to `usual_alignment` if that explains the number of zeros, else to 32, 16, 8 or 4 bytes.
void append_trailing_bytes(Bytes& out, ByteView packed, u64 data_end, u64 usual_alignment);

}  // namespace dio
