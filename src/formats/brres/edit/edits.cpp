// edits.cpp: named edits of BRRES files.
#include "formats/brres/parts.hpp"
#include "formats/brres/scene/bone_matrices.hpp"
#include "formats/brres/scene/rest_pose.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::brres {

static Result<std::string> update_bones(AnyDocument& d, std::span<const Argument> all) {
  Arguments a(all);
  if (!a.done()) return refuse(std::move(*a.problem));
  Brres& file = edit_of<Brres>(d);
  u64 updated = 0;
  for (Model& m : file.models) {
    const std::vector<BoneRestPose> rest = compute_rest_poses(m);
    std::vector<i32> parents;
    for (const BoneRestPose& r : rest) parents.push_back(r.parent);
    const std::vector<BoneMatrices> exact = compute_bone_matrices(m.bones, parents, m.info.scaling_rule);
    for (size_t i = 0; i < rest.size(); ++i) {
      const scene::Affine back = scene::inverse(rest[i].to_model).value_or(scene::Affine{});
      if (matches_matrix(m.bones[i].to_model, rest[i].to_model) && matches_matrix(m.bones[i].from_model, back))
        continue;
      m.bones[i].to_model = exact[i].to_model;
      m.bones[i].from_model = exact[i].from_model;
      ++updated;
    }
  }
  return text("updated the matrices of ", format_count(updated, "bone"));
}

std::span<const Edit> edits() {
  static constexpr Edit k_edits[] = {
      {"update-bones",
       {},
       "Recomputes the matrices of bones that do not match the bone's scale, rotation and translation.",
       update_bones},
  };
  return k_edits;
}

std::span<const Rule> edit_rules() {
  static constexpr Rule k_rules[] = {
      {"brres.placement", Severity::stop, "edits that move parts keep all parts of the file",
       "The parts of a BRRES file refer to each other by offsets. When an edit changes a size, all parts are laid out "
       "again, which is only possible for parts that diorama describes.",
       "Make edits that keep the sizes, or convert the file to a scene and make a new file from it.",
       "diorama's own rule"},
  };
  return k_rules;
}

}  // namespace dio::brres
