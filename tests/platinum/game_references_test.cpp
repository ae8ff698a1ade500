// game_references_test.cpp: references declared in the layouts match the game graph, which is built by separate code.
#include "operations/game_references.hpp"

#include <gtest/gtest.h>

#include <set>

#include "samples/platinum/games.hpp"

namespace dio::platinum {
namespace {

/// Links without a stored number: prop textures belong to the set of the same number, and animated textures are found
/// by name.
bool is_stated(const GameGraph& graph, const GameLink& l) {
  const auto kind = [&](u32 part) { return graph.parts[part].kind; };
  if (kind(l.from) == "matrix" && graph.parts[l.to].id() == "header/0") return false;  // a cell without a header
  return kind(l.to) != "prop-textures" && kind(l.to) != "room-prop" && kind(l.to) != "texture-motion" &&
         !(kind(l.from) == "prop" && kind(l.to) == "animation");  // a list beside the model has the numbers
}

TEST(GameReferences, LayoutReferencesMatchTheGraph) {
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
