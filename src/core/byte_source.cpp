#include "core/byte_source.hpp"

#include <algorithm>

#include "core/text_format.hpp"

namespace dio {

namespace {

/// A file larger than this cannot be read at once.
constexpr u64 k_most = u64(1) << 30;

void copy(ByteView from, u64 offset, std::span<u8> to) {
  std::ranges::copy(from.subspan(size_t(offset), to.size()), to.begin());
}

}  // namespace

Result<ByteView> ByteSource::view(u64 offset, u64 bytes, Bytes& room) const {
  if (!has(offset, bytes))
    return refuse("layout.truncated", Location::of_bytes(offset, 0),
                  {.expected = format_count(bytes, "byte"), .found = "the end of the file at " + format_hex(size())});
  if (const auto all = whole()) return all->subspan(size_t(offset), size_t(bytes));
  if (bytes > k_most)
    return refuse("io.read", Location::of_bytes(offset, 0),
                  {.message = "cannot read " + format_count(bytes, "byte") + " at once (limit: 1 GiB)"});
  room.resize(size_t(bytes));
  if (auto done = fetch(offset, room); !done) return refuse(std::move(done.error()));
  return ByteView(room);
}

Result<Bytes> ByteSource::read(u64 offset, u64 bytes) const {
  Bytes room;
  auto seen = view(offset, bytes, room);
  if (!seen) return refuse(std::move(seen.error()));
  return room.empty() ? Bytes(seen->begin(), seen->end()) : std::move(room);
}

Result<ByteView> ByteSource::view_available(u64 offset, u64 bytes, Bytes& room) const {
  if (offset >= size()) return ByteView();
  return view(offset, std::min(bytes, size() - offset), room);
}

Result<ByteView> ByteSource::view_uncached(u64 offset, u64 bytes, Bytes& room) const {
  if (!is_mapped() || !has(offset, bytes)) return view(offset, bytes, room);
  room.resize(size_t(bytes));
  if (auto done = fetch(offset, room); !done) return refuse(std::move(done.error()));
  return ByteView(room);
}

Result<ByteView> ByteSource::view_uncached(ByteView part, Bytes& room) const {
  const ByteView all = whole().value_or(ByteView());
  const std::less_equal<const u8*> not_after;
  if (!is_mapped() || !not_after(all.data(), part.data()) ||
      !not_after(part.data() + part.size(), all.data() + all.size()))
    return part;
  return view_uncached(u64(part.data() - all.data()), part.size(), room);
}

Result<bool> ByteSource::for_each_chunk(const std::function<void(ByteView)>& look) const {
  constexpr u64 k_piece = 1 << 20;
  Bytes room;
  for (u64 at = 0; at < size(); at += k_piece) {
    const auto piece = view_uncached(at, std::min(k_piece, size() - at), room);
    if (!piece) return refuse(piece.error());
    look(*piece);
  }
  return true;
}

Result<bool> BorrowedByteSource::fetch(u64 offset, std::span<u8> to) const {
  copy(bytes_, offset, to);
  return true;
}

Result<bool> OwnedByteSource::fetch(u64 offset, std::span<u8> to) const {
  copy(bytes_, offset, to);
  return true;
}
Result<bool> SliceByteSource::fetch(u64 offset, std::span<u8> to) const {
  copy(part_, offset, to);
  return true;
}

Result<bool> EditableCopySource::fetch(u64 offset, std::span<u8> to) const {
  if (!draft_.is_mapped()) {
    copy(draft_.bytes(), offset, to);
    return true;
  }
  // Unreplaced bytes come from the original, which does not stay in memory.
  Bytes room;
  const auto part = original_->view_uncached(offset, to.size(), room);
  if (!part) return refuse(part.error());
  std::ranges::copy(*part, to.begin());
  for (const auto& [from, size] : draft_.changed()) {
    const u64 first = std::max(from, offset), last = std::min(from + size, offset + to.size());
    if (first < last) copy(draft_.bytes(), first, to.subspan(size_t(first - offset), size_t(last - first)));
  }
  return true;
}

Result<bool> ChunkedByteSource::read_exactly(u64 offset, std::span<u8> to) const {
  if (to.empty()) return true;
  const size_t got = reader_(offset, to);
  if (got >= to.size()) return true;
  return refuse("io.read", Location::of_bytes(offset, to.size()),
                {.message = "only " + std::to_string(got) + " of " + format_count(to.size(), "byte") + " at " +
                            format_hex(offset) + " could be read",
                 .hint = "the file may have been changed, moved or shortened since it was opened; open it again"});
}

Result<bool> ChunkedByteSource::fetch(u64 offset, std::span<u8> to) const {
  const u64 head = std::min(size_, k_head);
  if (offset + to.size() > head) return read_exactly(offset, to);
  if (head_.empty()) {
    Bytes read(static_cast<size_t>(head));
    if (auto done = read_exactly(0, read); !done) return done;
    head_ = std::move(read);
  }
  copy(head_, offset, to);
  return true;
}

}  // namespace dio
