// game_references.hpp: which values of a game refer to a part of it, and to which parts a part refers. No game is known
// here: the layouts of its files state what their numbers count (Reference::part), the game knows where its parts are.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/game.hpp"

namespace dio {

/// A value that leads to a part.
struct PartReferral {
  std::string file, path;  // of the value: map_matrix.narc/0, land_data_ids[3][4]
  std::string from, to;    // ids of parts: matrix/0, land/12
};
struct PartReferences {
  std::string part;  // its id
  std::vector<PartReferral> out, in;
  /// {"part", "refers_to": [{"file", "path", "from", "to"}], "referred_by": [the same]}
  Value value() const;
};

/// Ids: game.part.
Result<PartReferences> collect_references(const Game&, const FileTree&, std::string_view part);

}  // namespace dio
