// patched_source.hpp: a file with some bytes replaced.
#pragma once
#include <memory>

#include "core/byte_source.hpp"

namespace dio {

/// A file with changed blocks, and with new bytes at its end. The file itself is not written; `blocks` lists the
/// changes to write.
class PatchedSource final : public ByteSource {
 public:
  explicit PatchedSource(std::shared_ptr<const ByteSource> file) : file_(std::move(file)) {}
  u64 size() const override { return file_->size() + added_; }

  /// Adds zeros to the end of the file. A block is either in the file or in its new end.
  void grow(u64 bytes) { added_ += bytes; }
  /// The bytes of a block, for editing. Two blocks are identical or share no bytes. Ids: layout.truncated, io.read.
  Result<std::span<u8>> block(u64 offset, u64 bytes);
  /// The changed blocks, by offset.
  const Blocks& blocks() const { return blocks_; }
  /// Applies the changes to a copy of the file in memory, which has the new size.
  void apply_to(std::span<u8> file) const;

 private:
  Result<bool> fetch(u64 offset, std::span<u8> to) const override;
  std::shared_ptr<const ByteSource> file_;
  Blocks blocks_;
  u64 added_ = 0;
};

}  // namespace dio
