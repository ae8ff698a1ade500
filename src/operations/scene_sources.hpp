// scene_sources.hpp: which bytes of which file a vertex of a scene comes from, and what of a scene shows a value.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "operations/operations.hpp"

namespace dio {

/// Opens a file by the name that extras of a scene give it; null: it is missing or unreadable. It outlives the scene,
/// so it has to keep what it reads from.
using OpenSource = std::function<std::shared_ptr<const OpenedFile>(const std::string& file)>;

/// A value of a file; with `size`, only some bytes of it.
struct FileSource {
  std::string file, path;
  u64 offset = 0, size = 0;  // in the file; 0 bytes: not known
};

/// A node that shows a value; with `sources`, only its vertices with these sources.
struct ShownSource {
  scene::Index node = scene::k_none;
  std::vector<SourceRun> sources;  // sorted; empty: the whole node
};

/// Between a scene and the files that it was made of. Not thread-safe: it opens files when it needs them.
class SceneSources {
 public:
  /// `name`: the file of nodes whose extras name none; may be empty. The scene must outlive this.
  SceneSources(const scene::Scene&, std::string name, OpenSource);

  /// Where a vertex comes from: its node and its number in Primitive::sources; without a number, what the node stands
  /// for. Nothing if that is not in a file.
  std::optional<FileSource> find_value_source(scene::Index node, std::optional<u32> source = {}) const;
  /// The other way: the nodes that show a value or a part of it or, if there are none, what it is a field of. With
  /// them, what stands below them and comes from other files, such as the model of a prop.
  std::vector<ShownSource> find_nodes_showing(const std::string& file, std::string_view path) const;

 private:
  /// Where a node comes from: what its extras say, or those of the nearest node above.
  struct Origin {
    const std::string* file = nullptr;
    scene::Index node = scene::k_none;  // whose extras have the path
    bool own = false;                   // its own extras have it
  };
  const OpenedFile* open(const std::string& file) const;
  std::optional<SpanRef> find(const OpenedFile&, const std::string& path) const;
  /// The parts of what shows a node, each with its file: one, except of a mesh of several files.
  struct Part {
    const std::string* file;
    u32 first;  // its sources are numbered from here on
  };
  std::vector<Part> collect_parts(const Origin&) const;
  std::string_view path_of(const Origin&) const;

  const scene::Scene& scene_;
  const std::string name_;
  std::vector<Origin> origins_;  // of each node
  OpenSource open_;
  mutable std::map<std::string, std::shared_ptr<const OpenedFile>> opened_;
  // The file that was asked for last, and its trace, once it was asked for twice.
  mutable const OpenedFile* last_ = nullptr;
  mutable std::optional<TraceResult> traced_;
};

}  // namespace dio
