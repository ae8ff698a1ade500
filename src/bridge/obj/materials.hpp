// materials.hpp: reads the materials of MTL files into a scene.
#pragma once
#include <map>
#include <optional>
#include <set>

#include "bridge/obj/obj.hpp"

namespace dio::obj {

struct Statement;

inline constexpr std::string_view k_partly = "obj.partly", k_missing = "obj.missing";

/// Notes, each kind once with the number of its occurrences.
class Notes {
 public:
  /// `rule` is obj.partly or obj.missing.
  void add(std::string_view rule, const std::string& message) { ++counts_[{std::string(rule), message}]; }
  Diagnostics list() const;

 private:
  std::map<std::pair<std::string, std::string>, u64> counts_;  // by rule and message
};

class Materials {
 public:
  Materials(scene::Scene& s, const Resolve& resolve, Notes& notes) : s_(s), resolve_(resolve), notes_(notes) {}

  /// Reads a file that `mtllib` names. A file that does not exist is a note.
  Result<void> read_file(std::string_view name);
  /// The material of a name, which `usemtl` states; a white one if no file has it.
  scene::Index find(std::string_view name);

 private:
  struct Maps {
    std::string color, alpha;  // paths of pictures
    scene::TextureTransform transform;
    bool clamps = false;
  };
  std::optional<Bytes> load(std::string_view name, const std::string& what);
  Result<scene::Index> load_image(const std::string& name);
  Result<void> add_texture(scene::Material&, const Maps&);
  Result<scene::Index> add_alpha(scene::Index color, const Maps&);
  void read_statement(Statement&, scene::Material&, Maps&);

  scene::Scene& s_;
  const Resolve& resolve_;
  Notes& notes_;
  std::map<std::string, scene::Index, std::less<>> known_;                    // by name
  std::map<std::string, scene::Index> images_;                                // by path
  std::map<std::pair<scene::Index, scene::Index>, scene::Index> with_alpha_;  // by the pictures of colour and alpha
  std::set<std::string> files_;
};

/// The path of a file in the folder of the .obj, or its name alone if the path leaves that folder, as those of other
/// computers do.
std::string local_path(std::string_view name);

/// The pictures that a material file names.
std::vector<std::string> list_pictures(ByteView file);

}  // namespace dio::obj
