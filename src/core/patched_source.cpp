#include "core/patched_source.hpp"

#include <algorithm>

namespace dio {

Result<std::span<u8>> PatchedSource::block(u64 offset, u64 bytes) {
  auto at = blocks_.find(offset);
  if (at == blocks_.end()) {
    auto read = offset >= file_->size() && offset + bytes <= size() ? Result<Bytes>(Bytes(size_t(bytes)))
                                                                    : file_->read(offset, bytes);
    if (!read) return refuse(std::move(read.error()));
    at = blocks_.emplace(offset, std::move(*read)).first;
  }
  return std::span<u8>(at->second);
}

void PatchedSource::apply_to(std::span<u8> file) const {
  for (const auto& [offset, bytes] : blocks_) std::ranges::copy(bytes, file.begin() + std::ptrdiff_t(offset));
}

Result<bool> PatchedSource::fetch(u64 offset, std::span<u8> to) const {
  Bytes room;
  const u64 in_file = std::min<u64>(to.size(), file_->size() - std::min(file_->size(), offset));
  if (in_file) {
    const auto old = file_->view(offset, in_file, room);
    if (!old) return refuse(old.error());
    std::ranges::copy(*old, to.begin());
  }
  std::ranges::fill(to.subspan(size_t(in_file)), u8(0));
  const u64 end = offset + to.size();
  auto at = blocks_.upper_bound(offset);
  if (at != blocks_.begin() && std::prev(at)->first + std::prev(at)->second.size() > offset) --at;
  for (; at != blocks_.end() && at->first < end; ++at) {
    const u64 from = std::max(offset, at->first), upto = std::min(end, at->first + at->second.size());
    std::copy_n(at->second.begin() + std::ptrdiff_t(from - at->first), upto - from,
                to.begin() + std::ptrdiff_t(from - offset));
  }
  return true;
}

}  // namespace dio
