// parts.hpp: what the files of this folder provide to format.cpp, to each other, to other families, samples and tests.
#pragma once
#include "formats/brres/layout/file.hpp"
#include "formats/contract/format.hpp"

namespace dio::brres {

// check/checks.cpp
std::span<const Rule> rules();
void check(const Brres&, Findings&);

// info.cpp
Value info(const Brres&);

}  // namespace dio::brres

// The walks over the document are compiled once: layout/walks.cpp for bytes, layout/values.cpp for the rest.
DIORAMA_WALKS(extern, brres::Brres)
