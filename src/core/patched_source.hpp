// patched_source.hpp: a file with other bytes in some places.
#pragma once
#include <memory>

#include "core/byte_source.hpp"

namespace dio {

/// A file of which some blocks change. Nothing of it is written; `blocks` is what has to be.
class PatchedSource final : public ByteSource {
 public:
  explicit PatchedSource(std::shared_ptr<const ByteSource> file) : file_(std::move(file)) {}
  u64 size() const override { return file_->size(); }

  /// The bytes of a block, to be changed. Two blocks are the same or share no bytes. Ids: layout.truncated, io.read.
  Result<std::span<u8>> block(u64 offset, u64 bytes);
  /// What has changed, by offset.
  const Blocks& blocks() const { return blocks_; }
  /// Changes a copy of the file in memory.
  void apply_to(std::span<u8> file) const;

 private:
  Result<bool> fetch(u64 offset, std::span<u8> to) const override;
  std::shared_ptr<const ByteSource> file_;
  Blocks blocks_;
};

}  // namespace dio
