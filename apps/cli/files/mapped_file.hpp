// mapped_file.hpp: large files, of which only what is looked at comes into memory.
#pragma once
#include <memory>
#include <string>

#include "core/byte_source.hpp"

namespace dio::cli {

/// Files of at least this size are mapped; smaller ones are read sooner.
inline constexpr u64 k_large = 32 << 20;

/// A large file that is mapped into memory. Null for what is small or no regular file, and where there is no room for
/// addresses: that is read.
///
/// Whoever shortens a file while it is mapped takes away what is looked at next. The program then ends with a message
/// and Exit::system, and removes its temporaries; nothing else is possible there. What others write into the file shows
/// in the bytes: those who need to know compare its state (file_state) in the end.
std::shared_ptr<const ByteSource> map_large_file(const std::string& name);

}  // namespace dio::cli
