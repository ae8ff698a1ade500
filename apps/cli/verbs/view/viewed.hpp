// viewed.hpp: which files go into a page, and what they are called there.
#pragma once
#include <optional>

#include "../../input/inputs.hpp"

namespace dio::cli {

/// A file of the page.
struct ViewedFile {
  std::string name;  // in the page: with / between its parts, and of no other file
  std::string path;  // on disk, where it can be read in parts; empty: `bytes` are all there is
  Bytes bytes;
  u64 size = 0;
};

/// The most bytes of files that a page may hold, before compression: by default, and at all.
constexpr u64 k_page_bytes = u64(64) << 20, k_most_page_bytes = u64(256) << 20;

/// The files that the arguments name, each followed by its companions in the same folder (the textures and
/// sounds of a pack, what a .GNS lists). `in_parts`: regular files on disk are not read; what else there is counts
/// against the limit. Damaged files are wanted, and so are those of unknown formats that were named; the report says
/// which. Nothing if one cannot be read or there are too many bytes; the report says why.
std::optional<std::vector<ViewedFile>> collect_viewed_files(const Request&, const std::vector<Input>&, bool in_parts,
                                                            Report&);

}  // namespace dio::cli
