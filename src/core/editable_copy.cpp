#include "core/editable_copy.hpp"

#include <algorithm>

namespace dio {

void EditableCopy::replace(u64 offset, u64 size, ByteView now) {
  if (now.size() == size) {
    std::ranges::copy(now, bytes_.begin() + std::ptrdiff_t(offset));
    return mark_changed(offset, size);
  }
  if (mapping_) own_.assign(bytes_.begin(), bytes_.end());
  mapping_.reset();
  const auto from = own_.begin() + std::ptrdiff_t(offset);
  own_.insert(own_.erase(from, from + std::ptrdiff_t(size)), now.begin(), now.end());
  bytes_ = own_;
  mark_changed(0, own_.size());
}

void EditableCopy::mark_changed(u64 offset, u64 size) {
  u64 from = offset, to = offset + size;
  auto at = changed_.upper_bound(from);
  if (at != changed_.begin() && std::prev(at)->first + std::prev(at)->second >= from) --at;
  while (at != changed_.end() && at->first <= to) {
    from = std::min(from, at->first);
    to = std::max(to, at->first + at->second);
    at = changed_.erase(at);
  }
  if (to > from) changed_.emplace(from, std::min<u64>(to, bytes_.size()) - from);
}

Blocks EditableCopy::blocks() const {
  Blocks out;
  for (const auto& [offset, size] : changed_) {
    const ByteView now = bytes().subspan(size_t(offset), size_t(size));
    out.emplace(offset, Bytes(now.begin(), now.end()));
  }
  return out;
}

bool EditableCopy::is_identical_to(ByteView original) const {
  return bytes_.size() == original.size() && std::ranges::all_of(changed_, [&](const auto& run) {
           return std::ranges::equal(bytes().subspan(size_t(run.first), size_t(run.second)),
                                     original.subspan(size_t(run.first), size_t(run.second)));
         });
}

Bytes EditableCopy::take() && { return mapping_ ? Bytes(bytes_.begin(), bytes_.end()) : std::move(own_); }

}  // namespace dio
