// editable_copy.hpp: a changed copy of a file, which knows what has changed.
#pragma once
#include <map>
#include <memory>

#include "core/bytes.hpp"

namespace dio {

/// Bytes by their offset in a file.
using Blocks = std::map<u64, Bytes>;

/// A copy of a file of which some bytes are replaced. Of a mapped file (ByteSource::draft), only those take memory.
class EditableCopy {
 public:
  explicit EditableCopy(Bytes copy) : own_(std::move(copy)), bytes_(own_) {}
  /// `mapping` holds the bytes.
  EditableCopy(std::span<u8> copy, std::shared_ptr<void> mapping) : mapping_(std::move(mapping)), bytes_(copy) {}
  EditableCopy(EditableCopy&&) = default;
  EditableCopy& operator=(EditableCopy&&) = default;

  ByteView bytes() const { return bytes_; }
  bool is_mapped() const { return mapping_ != nullptr; }
  /// Other bytes in place of so many; those after them move if they are more or fewer.
  void replace(u64 offset, u64 size, ByteView now);
  /// Where bytes were replaced, by offset; runs do not touch. All of it, if bytes have moved.
  const std::map<u64, u64>& changed() const { return changed_; }
  /// The bytes that are there now.
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
