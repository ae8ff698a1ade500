// edits.cpp: edits by name.
#include "formats/brres/parts.hpp"
#include "formats/brres/scene/rest.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::brres {

static Result<std::string> update_bones(AnyDocument& d, std::span<const Argument> all) {
  Arguments a(all);
  if (!a.done()) return refuse(std::move(*a.problem));
  Brres& file = edit_of<Brres>(d);
  u64 updated = 0;
  for (Model& m : file.models) {
    const std::vector<Rest> rest = rest_of(m);
    for (size_t i = 0; i < rest.size(); ++i) {
      const scene::Affine back = scene::inverse(rest[i].to_model).value_or(scene::Affine{});
      if (is_near(m.bones[i].to_model, rest[i].to_model) && is_near(m.bones[i].from_model, back)) continue;
      m.bones[i].to_model = rows_of(rest[i].to_model);
      m.bones[i].from_model = rows_of(back);
      ++updated;
    }
  }
  return text("updated the matrices of ", counted(updated, "bone"));
}

std::span<const Edit> edits() {
  static constexpr Edit k_edits[] = {
      {"update-bones", "",
       "Sets the matrices of bones to what follows from their scale, rotation and translation, where they differ.",
       update_bones},
  };
  return k_edits;
}

}  // namespace dio::brres
