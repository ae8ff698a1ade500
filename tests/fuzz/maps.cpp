// maps.cpp: any bytes as a glTF scene that a map of a small game is made of, in the way that the last byte picks. What
// is refused changes nothing and says why; what is made is a game that can be checked, and made again it is the same.
#include "bridge/gltf/reader.hpp"
#include "fuzz/require.hpp"
#include "operations/archive_tree.hpp"
#include "operations/game_editing.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

using namespace dio;

namespace {

/// What may be typed beside the scene.
const std::vector<Argument> k_told[] = {{},
                                        {{"header", "3"}},
                                        {{"header", "3"}, {"area", "new"}},
                                        {{"header", "2"}, {"matrix", "0"}, {"at", "3,0"}},
                                        {{"header", "1"}, {"matrix", "new"}, {"units-per-metre", "16"}},
                                        {{"header", "1"}, {"matrix", "0"}, {"at", "0,0"}, {"middle", "0,0"}}};

/// The sample games that take scenes, with the edits that bring one.
struct SampleGame {
  std::unique_ptr<ArchiveTree> files;
  std::string edit;
};
const std::vector<SampleGame>& games() {
  static const std::vector<SampleGame> all = [] {
    std::vector<SampleGame> out;
    for (const GameKind* kind : game_kinds())
      for (const GameEdit& edit : kind->edits)
        if (edit.bring) {
          const std::vector<Sample> samples = samples_of(*kind);
          require(!samples.empty(), "there is a sample of the game");
          auto archive = Archive::open(samples[0].bytes, samples[0].name);
          require(archive.has_value(), "the sample is an archive");
          out.push_back({std::make_unique<ArchiveTree>(std::move(*archive), samples[0].name), std::string(edit.name)});
        }
    return out;
  }();
  return all;
}

void make(const SampleGame& game, const scene::Scene& scene, u8 way) {
  auto editing = GameEditing::begin(*game.files);
  require(editing.has_value(), "the sample is a game");
  EditStep step{game.edit, {}, k_told[way % std::size(k_told)]};
  step.arguments.insert(step.arguments.begin(), {"scene", "scene.glb"});
  const auto done = editing->run(step, Referrers::refuse, &scene);
  if (!done) {
    require(!done.error().id.empty() && !format_one_line(done.error()).empty(), "a refusal says why");
    require(editing->changed().empty(), "a refusal changes nothing");
    return;
  }
  for (const Diagnostic& note : editing->notes()) require(!format_one_line(note).empty(), "a note says something");
  static_cast<void>(editing->game().check(true));
  const EditedTree::Changed first = editing->changed();
  const auto again = editing->run(step, Referrers::refuse, &scene);
  require(again.has_value(), "the same scene can be brought again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  if (size < 1) return 0;
  const auto read = gltf::read(ByteView(data, size));
  if (!read) return 0;
  for (const SampleGame& game : games()) make(game, read->document, data[size - 1]);
  return 0;
}
