// editable_copy.hpp: a changed copy of a file that records its changes.
#pragma once
#include <map>
#include <memory>

#include "core/bytes.hpp"

namespace dio {

/// Bytes by their offset in a file.
using Blocks = std::map<u64, Bytes>;

/// A copy of a file with some bytes replaced. For a mapped file (ByteSource::draft), only the replaced bytes take
/// memory.
class EditableCopy {
 public:
  explicit EditableCopy(Bytes copy) : own_(std::move(copy)), bytes_(own_) {}
  /// `mapping` keeps the bytes alive.
  EditableCopy(std::span<u8> copy, std::shared_ptr<void> mapping) : mapping_(std::move(mapping)), bytes_(copy) {}
  EditableCopy(EditableCopy&&) = default;
  EditableCopy& operator=(EditableCopy&&) = default;

  ByteView bytes() const { return bytes_; }
  bool is_mapped() const { return mapping_ != nullptr; }
  /// Replaces a number of bytes with others; later bytes move if the numbers differ.
  void replace(u64 offset, u64 size, ByteView now);
  /// Replaced byte ranges by offset; ranges do not touch. If bytes have moved, this is the whole file.
  const std::map<u64, u64>& changed() const { return changed_; }
  /// The current bytes.
  Blocks blocks() const;
  bool is_identical_to(ByteView original) const;
  Bytes take() &&;

 private:
  void mark_changed(u64 offset, u64 size);
  std::shared_ptr<void> mapping_;
  Bytes own_;
  std::span<u8> bytes_;
  std::map<u64, u64> changed_;
};

}  // namespace dio
