// node_transform_edit.hpp: what it means for the values of a file that a node of its scene is moved.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/scenes.hpp"

namespace dio {

/// The values that place one node. What was changed and is stated by no value is refused.
class NodeTransformEdit {
 public:
  explicit NodeTransformEdit(const NodeTransformChange&);

  std::string_view kind() const { return kind_; }
  bool moves() const { return moves_; }
  bool turns() const { return turns_; }
  bool scales() const { return scales_; }

  /// Three members x, y and z with the translation.
  void write_translation(std::string_view member);
  /// The same with angles as those of from_euler_degrees. `now`: those of the file.
  void write_euler_degrees(std::string_view member, const scene::Vec3& now);
  void write_scale(std::string_view member);
  /// Any other value. A new position, rotation or scale is stated by it: `states_*`.
  void set(std::string_view member, f64 value);
  void states_position() { moves_ = false; }
  void states_rotation() { turns_ = false; }
  void states_scale() { scales_ = false; }

  /// `why_not`: said if something is left that no value states.
  Result<std::vector<Argument>> values(std::string_view why_not = {}) const;

 private:
  void set_changed(std::string_view member, const scene::Vec3& before, const scene::Vec3& after);

  const NodeTransformChange& move_;
  std::string_view kind_, path_;
  bool moves_ = false, turns_ = false, scales_ = false;
  std::vector<Argument> values_;
};

/// Whether two poses are the same but for what is lost on the way through other programs.
bool is_same_pose(const scene::Pose&, const scene::Pose&);

}  // namespace dio
