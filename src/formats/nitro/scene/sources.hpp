// sources.hpp: which command of a display list a vertex of a scene comes from (scene::Primitive::sources).
#pragma once
#include "formats/nitro/scene/geometry.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

/// The commands of a model, numbered through its lists: those of the shapes, then those that the SBC calls. Each list
/// has four for each of its packets, as far as it can be read.
class CommandNumbers {
 public:
  explicit CommandNumbers(const Model&);

  /// Numbers the corners of a primitive, unless there are too many commands.
  void add_sources(scene::Primitive&, const Draw&, const Geometry&) const;

  /// A display list: that of a shape, or of a command of the SBC.
  struct List {
    bool is_shape = true;
    u32 index = 0;      // into Model::shapes or Model::sbc
    u32 first = 0;      // the number of its first command
    u32 count = 0;      // of commands
    bool whole = true;  // it can be read to its end, so that its commands are values of the file
    const Bytes* bytes = nullptr;
  };
  const std::vector<List>& lists() const { return lists_; }

 private:
  std::vector<List> lists_;
};

}  // namespace dio::nitro
