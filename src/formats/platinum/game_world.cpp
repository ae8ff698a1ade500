#include "formats/platinum/game_parts.hpp"

namespace dio::platinum {

Result<Staged> world_of(const GameTables&, std::string_view part, const WorldOptions&) {
  Diagnostic d;
  d.id = "scene.none";
  d.place.path = part;
  d.expected = "a part that can be shown";
  d.found = "worlds are not built yet";
  return refuse(std::move(d));
}

}  // namespace dio::platinum
