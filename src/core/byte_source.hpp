// byte_source.hpp: the bytes of a file that may be too large for memory.
#pragma once
#include <functional>
#include <optional>

#include "core/bytes.hpp"
#include "core/editable_copy.hpp"
#include "core/result.hpp"

namespace dio {

/// The bytes of a file, held in memory or read in parts on demand.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual u64 size() const = 0;
  /// All bytes, if they are in memory.
  virtual std::optional<ByteView> whole() const { return {}; }
  bool has(u64 offset, u64 bytes) const { return offset <= size() && bytes <= size() - offset; }

  /// Returns these bytes, which must all exist (`has`). The view lives as long as the source and `room`, which holds
  /// the bytes that were read. Ids: layout.truncated (the bytes do not exist), io.read.
  Result<ByteView> view(u64 offset, u64 bytes, Bytes& room) const;
  Result<Bytes> read(u64 offset, u64 bytes) const;
  /// Returns as many of these bytes as exist. At offset 0, there may be none.
  Result<ByteView> view_available(u64 offset, u64 bytes, Bytes& room) const;
  /// Like `view`, for one pass over most of a file. A mapped file would keep every visited page in memory, so its bytes
  /// are read into `room` instead.
  Result<ByteView> view_uncached(u64 offset, u64 bytes, Bytes& room) const;
  /// Same, for a part of `whole`; any other bytes are returned unchanged.
  Result<ByteView> view_uncached(ByteView part, Bytes& room) const;
  /// Calls `look` with all bytes, in pieces of up to 1 MiB. Id: io.read.
  Result<bool> for_each_chunk(const std::function<void(ByteView)>& look) const;
  /// Returns a copy of `whole` for editing.
  virtual EditableCopy draft() const {
    const ByteView all = whole().value_or(ByteView());
    return EditableCopy(Bytes(all.begin(), all.end()));
  }

 protected:
  /// Whether the bytes of `whole` are loaded into memory only on access.
  virtual bool is_mapped() const { return false; }
  /// Fills all of `to`; the range must be inside the file.
  virtual Result<bool> fetch(u64 offset, std::span<u8> to) const = 0;
};

/// Bytes in memory that the source does not own; they must outlive it.
class BorrowedByteSource final : public ByteSource {
 public:
  explicit BorrowedByteSource(ByteView bytes) : bytes_(bytes) {}
  u64 size() const override { return bytes_.size(); }
  std::optional<ByteView> whole() const override { return bytes_; }

 private:
  Result<bool> fetch(u64 offset, std::span<u8> to) const override;
  ByteView bytes_;
};

/// Bytes in memory that the source owns.
class OwnedByteSource final : public ByteSource {
 public:
  explicit OwnedByteSource(Bytes bytes) : bytes_(std::move(bytes)) {}
  u64 size() const override { return bytes_.size(); }
  std::optional<ByteView> whole() const override { return bytes_; }
  Bytes take() && { return std::move(bytes_); }

 private:
  Result<bool> fetch(u64 offset, std::span<u8> to) const override;
  Bytes bytes_;
};

/// A part of another source in memory; the part keeps that source alive.
class SliceByteSource final : public ByteSource {
 public:
  SliceByteSource(std::shared_ptr<const ByteSource> of, ByteView part) : of_(std::move(of)), part_(part) {}
  u64 size() const override { return part_.size(); }
  std::optional<ByteView> whole() const override { return part_; }

 private:
  Result<bool> fetch(u64 offset, std::span<u8> to) const override;
  std::shared_ptr<const ByteSource> of_;
  ByteView part_;
};

/// A changed copy of another source; the copy keeps that source alive.
class EditableCopySource final : public ByteSource {
 public:
  EditableCopySource(EditableCopy draft, std::shared_ptr<const ByteSource> original)
      : draft_(std::move(draft)), original_(std::move(original)) {}
  u64 size() const override { return draft_.bytes().size(); }
  std::optional<ByteView> whole() const override { return draft_.bytes(); }
  const EditableCopy& editable_copy() const { return draft_; }
  const ByteSource* original() const { return original_.get(); }

 private:
  bool is_mapped() const override { return draft_.is_mapped(); }
  Result<bool> fetch(u64 offset, std::span<u8> to) const override;
  EditableCopy draft_;
  std::shared_ptr<const ByteSource> original_;
};

/// A file read by a callback. Its first 64 KiB, which identify the format, are read once and kept. Not thread-safe.
class ChunkedByteSource final : public ByteSource {
 public:
  /// Reads bytes inside the file and returns the number of bytes read; fewer than `to` holds is an error.
  using Reader = std::function<size_t(u64 offset, std::span<u8> to)>;
  ChunkedByteSource(u64 size, Reader reader) : size_(size), reader_(std::move(reader)) {}
  u64 size() const override { return size_; }

 private:
  static constexpr u64 k_head = 64 << 10;
  Result<bool> fetch(u64 offset, std::span<u8> to) const override;
  Result<bool> read_exactly(u64 offset, std::span<u8> to) const;
  u64 size_;
  Reader reader_;
  mutable Bytes head_;
};

}  // namespace dio
