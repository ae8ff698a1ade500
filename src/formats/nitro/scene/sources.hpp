// sources.hpp: maps vertices of a scene to the display list commands they come from (scene::Primitive::sources).
#pragma once
#include "formats/nitro/scene/geometry.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

/// Numbers the commands of a model across its lists: first the lists of shapes, then the lists that the SBC calls. Each
/// readable packet of a list counts as four commands.
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
