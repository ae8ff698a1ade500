// find_files.hpp: files inside any other bytes: a dump of memory, an unknown archive.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value.hpp"
#include "formats/registry.hpp"

namespace dio {

/// A file that lies in other bytes.
struct FoundFile {
  u64 offset, size;
  const Format* format;
  u64 damaged;  // parts that do not read as they should
};
/// Files are searched at multiples of this offset, unless every byte is tried.
inline constexpr u64 k_find_alignment = 4;
struct FindOptions {
  bool every_byte = false;
  /// Called now and then with the offset that is tried next.
  std::function<void(u64 offset)> progress = {};
  /// Called for what starts like a file, but cannot be read.
  std::function<void(u64 offset, const Format&, const Diagnostic&)> unreadable = {};
};
/// Only files of formats that are known by their first bytes. The size of a file is where its last described byte ends,
/// if it reads as well without what follows, or what it states itself. Compressed data ends where it decompresses to
/// its size, and is not searched.
std::vector<FoundFile> find_files(ByteView, const FindOptions& = {});

/// {"schema": "diorama.find/1", "file", "alignment", "found": [{"offset", "size", "format", "damaged_parts"}]}
Value found_json(std::string_view file, const std::vector<FoundFile>&, const FindOptions&);

}  // namespace dio
