// file_bytes.hpp: large contents of documents without a copy of the file.
#pragma once
#include <algorithm>
#include <utility>

#include "core/bytes.hpp"

namespace dio {

/// Bytes inside a file in memory that must outlive them (LoadOptions::stays), or bytes of their own. They are replaced
/// as a whole, never changed.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(Bytes own) : own_(std::move(own)) {}
  static FileBytes borrow(ByteView file) {
    FileBytes b;
    b.expect(file.size());
    if (!file.empty()) b.lent_ = file.data();
    return b;
  }
  /// A number of bytes, which the calling walk reads next.
  void expect(size_t n) {
    static constexpr u8 k_nothing = 0;
    own_.clear();
    lent_ = n ? &k_nothing : nullptr;
    size_ = n;
  }
  size_t size() const { return lent_ ? size_ : own_.size(); }
  bool empty() const { return size() == 0; }
  const u8* data() const { return lent_ ? lent_ : own_.data(); }
  const u8* begin() const { return data(); }
  const u8* end() const { return data() + size(); }
  u8 operator[](size_t i) const { return data()[i]; }
  bool operator==(const FileBytes& o) const { return std::equal(begin(), end(), o.begin(), o.end()); }

 private:
  const u8* lent_ = nullptr;
  size_t size_ = 0;  // of what is lent
  Bytes own_;
};

}  // namespace dio
