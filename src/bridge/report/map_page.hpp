// map_page.hpp: a page that shows the tiles of a map: it opens from disk and loads only the pictures next to it.
#pragma once
#include <string>

#include "core/value.hpp"

namespace dio::report {

/// `about`: the content of tiles.json (docs/guide/pictures.md): name, tile_size, width, height, maxzoom, map, places,
/// levels.
std::string map_page(const Value& about);

}  // namespace dio::report
