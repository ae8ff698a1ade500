// parts.hpp: the functions that the files in this folder provide to format.cpp, samples and tests.
#pragma once
#include "formats/contract/format.hpp"
#include "formats/egg/layout.hpp"
#include "layout/document.hpp"

namespace dio::egg {

// checks.cpp
std::span<const Rule> rules();
void check(const Blight&, Findings&);
void check(const Blmap&, Findings&);
void check(const Bfg&, Findings&);
void check(const Bblm&, Findings&);
void check(const Bdof&, Findings&);

// info.cpp
Value info(const Blight&);
Value info(const Blmap&);
Value info(const Bfg&);
Value info(const Bblm&);
Value info(const Bdof&);

}  // namespace dio::egg

// The walks over the documents are compiled once: walks.cpp.
DIORAMA_WALKS(extern, egg::Blight)
DIORAMA_WALKS(extern, egg::Blmap)
DIORAMA_WALKS(extern, egg::Bfg)
DIORAMA_WALKS(extern, egg::Bblm)
DIORAMA_WALKS(extern, egg::Bdof)
