// game_graph.hpp: which parts of a game refer to which, for programs that draw it. No game is known here.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/value.hpp"
#include "formats/contract/game.hpp"

namespace dio {

/// The links of a graph in both directions, by part.
struct PartLinks {
  explicit PartLinks(const GameGraph&);
  std::vector<std::vector<u32>> uses, used_by;
};

/// land/489 Sandgem Town
std::string part_label(const GamePart&);

/// {"schema": "diorama.graph/1", "game", "parts": [{"part", "name"?, "path"?, "uses": [ids], "used_by": [ids]}]}. Of
/// one part alone, with its neighbours described as it is.
Value graph_json(const GameKind&, const GameGraph&, std::optional<u32> part = {});
/// For Graphviz and Mermaid: all of it, or a part with all that it uses and all that uses it, directly or through
/// others.
std::string graph_dot(const GameGraph&, std::optional<u32> part = {});
std::string graph_mermaid(const GameGraph&, std::optional<u32> part = {});

}  // namespace dio
