// checks.cpp: checks for faults that break in the games or on the DS. Each rule is next to its code in the file of its
// topic.
#include "formats/nitro/check/checks.hpp"

#include "core/join_rules.hpp"
#include "formats/contract/findings.hpp"
#include "formats/nitro/pictures/texels.hpp"

namespace dio::nitro {

std::span<const Rule> check_rules() {
  static const std::vector<Rule> all = concat_rules({k_container_rules, k_model_rules, k_box_rules, k_shape_rules,
                                                     k_material_rules, k_texture_rules, k_animation_rules});
  return all;
}

std::span<const Rule> rules() {
  static const std::vector<Rule> all =
      concat_rules({check_rules(), scene_rules(), texel_rules(), make_rules(), edit_rules()});
  return all;
}

void check(const Nsbmd& f, Findings& findings) {
  Reporter r(findings);
  check_header(r, f.header, 2);
  check_dictionary(r, "block.dictionary", f.block.dictionary, "models", f.models);
  for (size_t i = 0; i < f.models.size(); ++i) {
    const std::string path = element_path("models", i);
    check_model(r, f.models[i], path);
    check_box(r, f.models[i], path);
    check_shapes(r, f.models[i], path);
    check_materials(r, f.models[i], path, f.textures ? &*f.textures : nullptr);
  }
  if (!f.textures) return;
  check_textures(r, *f.textures);
  const auto collect_names = [&](const std::string& name, auto list) {
    return std::any_of(f.models.begin(), f.models.end(), [&](const Model& m) {
      return std::any_of((m.*list).begin(), (m.*list).end(), [&](const Pairing& p) { return p.name == name; });
    });
  };
  for (size_t i = 0; i < f.textures->textures.size(); ++i)
    if (!collect_names(f.textures->textures[i].name, &Model::textures))
      r.report("nitro.texture-unnamed", field_path(element_path("textures.textures", i), "name"),
               {.message = text("no material uses the texture \"", f.textures->textures[i].name, "\""),
                .hint = "a texture pattern animation (NSBTP) may use it"});
}

void check(const Nsbtx& f, Findings& findings) {
  Reporter r(findings);
  check_header(r, f.header, 1);
  check_textures(r, f.textures);
}

}  // namespace dio::nitro
