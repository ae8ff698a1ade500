// map_page.hpp: a page that shows the tiles of a map: it opens from disk and loads nothing but the pictures beside it.
#pragma once
#include <string>

#include "core/value.hpp"

namespace dio::report {

/// `about`: what tiles.json says (docs/guide/pictures.md): name, tile_size, width, height, maxzoom, map, places,
/// levels.
std::string map_page(const Value& about);

}  // namespace dio::report
