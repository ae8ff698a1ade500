// game_references_test.cpp: what the layouts state about numbers of parts of the game is what the graph of the game
// has, which was made by code of its own.
#include "operations/game_references.hpp"

#include <gtest/gtest.h>

#include <set>

#include "samples/platinum/games.hpp"

namespace dio::platinum {
namespace {

/// What no single number states: textures of props belong to sets by the same number, and textures that move are found
/// by their name.
bool is_stated(const GameGraph& graph, const GameLink& l) {
  const auto kind = [&](u32 part) { return graph.parts[part].kind; };
  if (kind(l.from) == "matrix" && graph.parts[l.to].id() == "header/0") return false;  // a cell without a header
  return kind(l.to) != "prop-textures" && kind(l.to) != "room-prop" && kind(l.to) != "texture-motion" &&
         !(kind(l.from) == "prop" && kind(l.to) == "animation");  // a list beside the model has the numbers
}

TEST(GameReferences, AreThoseOfTheGraph) {
  const MemoryTree files = game_sample().files();
  const auto opened = open_game(files);
  ASSERT_TRUE(opened);
  const GameGraph& graph = opened->game->graph();
  size_t links = 0;
  for (u32 p = 0; p < graph.parts.size(); ++p) {
    const std::string id = graph.parts[p].id();
    SCOPED_TRACE(id);
    const auto found = collect_references(*opened->game, files, id);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->part, id);
    std::set<std::string> from_graph, from_values, to_graph, to_values;
    for (const GameLink& l : graph.links) {
      if (!is_stated(graph, l)) continue;
      if (l.to == p) from_graph.insert(graph.parts[l.from].id()), ++links;
      if (l.from == p) to_graph.insert(graph.parts[l.to].id());
    }
    for (const PartReferral& r : found->in) from_values.insert(r.from);
    for (const PartReferral& r : found->out)
      if (graph.find(r.to)) to_values.insert(r.to);
    EXPECT_EQ(from_values, from_graph);
    EXPECT_EQ(to_values, to_graph);
  }
  EXPECT_GT(links, 20u);
  EXPECT_FALSE(collect_references(*opened->game, files, "land/999"));
}

}  // namespace
}  // namespace dio::platinum
