// parts.hpp: the functions that the files in this folder provide to format.cpp, samples and tests.
#pragma once
#include "formats/bmg/layout.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "layout/document.hpp"

namespace dio::bmg {

/// The encoding of the texts of a file.
inline const TextEncoding& encoding_of(const Bmg& b) {
  return *k_text_words[b.encoding % k_text_words.size()].encoding;
}

// checks.cpp
std::span<const Rule> rules();
void check(const Bmg&, Findings&);

// info.cpp
Value info(const Bmg&);

// edits.cpp
std::span<const Edit> edits();

}  // namespace dio::bmg

// The walks over the document are compiled once: walks.cpp.
DIORAMA_WALKS(extern, bmg::Bmg)
