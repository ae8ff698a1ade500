// node_transform_edit.hpp: converts the movement of a scene node to values of a file.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/scenes.hpp"

namespace dio {

/// The values that place one node. Changes that no value can express are rejected.
class NodeTransformEdit {
 public:
  explicit NodeTransformEdit(const NodeTransformChange&);

  std::string_view kind() const { return kind_; }
  bool moves() const { return moves_; }
  bool turns() const { return turns_; }
  bool scales() const { return scales_; }

  /// Three members x, y and z with the translation.
  void write_translation(std::string_view member);
  /// Same, with angles as in from_euler_degrees. `now`: the angles in the file.
  void write_euler_degrees(std::string_view member, const scene::Vec3& now);
  void write_scale(std::string_view member);
  /// Sets any other value. It expresses a new position, rotation or scale: `states_*`.
  void set(std::string_view member, f64 value);
  void states_position() { moves_ = false; }
  void states_rotation() { turns_ = false; }
  void states_scale() { scales_ = false; }

  /// `why_not`: the reason to report if a change remains that no value expresses.
  Result<std::vector<Argument>> values(std::string_view why_not = {}) const;

 private:
  void set_changed(std::string_view member, const scene::Vec3& before, const scene::Vec3& after);

  const NodeTransformChange& move_;
  std::string_view kind_, path_;
  bool moves_ = false, turns_ = false, scales_ = false;
  std::vector<Argument> values_;
};

/// Whether two poses are equal within the precision lost in other programs.
bool is_same_pose(const scene::Pose&, const scene::Pose&);

}  // namespace dio
