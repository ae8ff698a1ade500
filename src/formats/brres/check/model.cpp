// model.cpp: checks of bones, commands, materials and texture links.
#include <algorithm>

#include "formats/brres/check/checks.hpp"
#include "formats/brres/scene/rest_pose.hpp"

namespace dio::brres {

namespace {

using enum Severity;
constexpr Rule k_model_rules[] = {
    {"brres.index", error, "every index in a model refers to a part that exists",
     "If an index is wrong, the game reads outside the list of parts.",
     "Correct the index, or remove the part that contains it.", "measured on 47 models"},
    {"brres.bone-parent", error, "a bone's parent comes before the bone in the list",
     "The game computes bone matrices in list order, and needs the parent's matrix first.",
     "Rebuild the model with the tool that made it.", "measured on 47 models"},
    {"brres.bone-matrix", warning, "a bone's matrices match its position, rotation and scale",
     "The game uses the stored matrices only for vertices that follow several bones. In other models, the finding is a "
     "hint.",
     "Recompute the matrices with {edit FILE update-bones}.", "measured on 47 models; RiiStudio"},
    {"brres.pass", hint,
     "translucent materials are drawn in the translucent pass (DrawXlu), and all other materials in the opaque pass "
     "(DrawOpa)",
     "In the wrong pass, a surface hides objects that should be visible behind it, or other objects hide the surface.",
     "Set flag 0x80000000 for a translucent material, clear it for an opaque material, or move the draw command to the "
     "other pass.",
     "measured on 47 models; RiiStudio"},
    {"brres.shader", error, "every material has a shader",
     "If a material has no shader, the game reads the commands of another part as a shader.",
     "Rebuild the model with the tool that made it.", "measured on 47 models"},
    {"brres.link", hint, "the model's texture links list every texture of every material, and nothing else",
     "The game finds textures by the names in the materials, but some tools use the texture links.",
     "Rebuild the model with the tool that made it.", "measured on 47 models"},
    {"brres.texture", hint, "a file contains every texture that its materials use",
     "The game looks for a missing texture in other loaded files; if no file contains the texture, it stays empty.",
     "Add the missing texture, unless another loaded file contains it.", "measured on 47 models"},
};

void check_bones(Check& c, const Model& m, const std::string& path) {
  const std::vector<BoneRestPose> rest = compute_rest_poses(m);
  std::vector<size_t> other;  // bones whose matrices do not match
  for (size_t i = 0; i < m.bones.size(); ++i) {
    const Bone& b = m.bones[i];
    const std::string at = text(path, ".bones[", i, "]");
    if (b.matrix >= m.matrix_bones.size())
      c.report("brres.index", at + ".matrix",
               {.message = text("matrix ", b.matrix, " does not exist; the model has ", m.matrix_bones.size(),
                                ", counted from 0")});
    if (b.parent_offset && rest[i].parent < 0)
      c.report("brres.bone-parent", at + ".parent_offset",
               {.message =
                    text("the parent of bone ", in_quotes(b.name), " must be a bone that comes earlier in the list")});
    else if (!matches_matrix(b.to_model, rest[i].to_model))
      other.push_back(i);
  }
  if (other.empty()) return;
  const bool has_mixes = std::ranges::any_of(m.programs, [](const Program& p) {
    return std::ranges::any_of(p.commands, [](const Command& command) { return command.code == code::mix; });
  });
  const Bone& first = m.bones[other[0]];
  c.report(
      has_mixes ? warning : hint, "brres.bone-matrix", text(path, ".bones[", other[0], "].to_model"),
      {.message = other.size() == 1 ? text("the matrix of bone ", in_quotes(first.name),
                                           " does not match its position, rotation and scale")
                                    : text("the matrices of ", other.size(), " bones, from ", in_quotes(first.name),
                                           " on, do not match their positions, rotations and scales"),
       .hint = "recompute the matrices with {edit FILE update-bones}"});
}

void check_programs(Check& c, const Model& m, const std::string& path) {
  u64 other_pass = 0;                         // draws of materials for the other pass
  std::pair<std::string, std::string> first;  // path and message
  for (size_t p = 0; p < m.programs.size() && p < m.program_dictionary.entries.size(); ++p) {
    const std::string& name = m.program_dictionary.entries[p].name;
    for (size_t i = 0; i < m.programs[p].commands.size(); ++i) {
      const Command& command = m.programs[p].commands[i];
      const std::string at = text(path, ".programs[", p, "].commands[", i, "]");
      const auto in = [&](const char* field, const char* what, u64 index, u64 count) {
        if (index < count) return true;
        c.report("brres.index", at + field,
                 {.message = text(what, " ", index, " does not exist; the model has ", count, ", counted from 0")});
        return false;
      };
      const u64 matrices = m.matrix_bones.size();
      switch (command.code) {
        case code::node:
          in(".bone", "bone", command.bone, m.bones.size());
          in(".parent", "matrix", command.from, matrices);
          break;
        case code::mix:
          in(".matrix", "matrix", command.matrix, matrices);
          for (size_t w = 0; w < command.weights.size(); ++w)
            in(text(".weights[", w, "].matrix").c_str(), "matrix", command.weights[w].matrix, matrices);
          break;
        case code::draw: {
          in(".shape", "shape", command.shape, m.shapes.size());
          in(".bone", "bone", command.bone, m.bones.size());
          if (!in(".material", "material", command.material, m.materials.size())) break;
          const Material& material = m.materials[command.material];
          const bool translucent = material.flags & Material::k_translucent;
          if (translucent == (name == "DrawXlu")) break;
          if (!other_pass++)
            first = {at + ".material", text("material ", in_quotes(material.name), " is ", translucent ? "" : "not ",
                                            "translucent, but is drawn by ", name)};
          break;
        }
        case code::matrix:
          in(".matrix", "matrix", command.matrix, matrices);
          in(".bone", "bone", command.bone, m.bones.size());
          break;
        case code::copy:
          in(".matrix", "matrix", command.matrix, matrices);
          in(".from", "matrix", command.from, matrices);
          break;
      }
    }
  }
  if (other_pass)
    c.report("brres.pass", first.first,
             {.message = first.second + (other_pass > 1 ? text("; ", other_pass - 1, " more") : "")});
}

void check_tables(Check& c, const Model& m, const std::string& path) {
  const auto in = [&](const std::string& at, const char* what, i64 index, u64 count, bool may_be_none) {
    if (index < (may_be_none ? -1 : 0) || index >= i64(count))
      c.report("brres.index", at,
               {.message = text(what, " ", index, " does not exist; the model has ", count, ", counted from 0")});
  };
  const u64 matrices = m.matrix_bones.size();
  for (size_t i = 0; i < matrices; ++i)
    in(text(path, ".matrix_bones[", i, "]"), "bone", m.matrix_bones[i], m.bones.size(), true);
  for (size_t k = 0; k < m.shapes.size(); ++k) {
    const Shape& s = m.shapes[k];
    const std::string at = text(path, ".shapes[", k, "]");
    in(at + ".matrix", "matrix", s.matrix, matrices, true);
    for (size_t i = 0; i < s.matrices.size(); ++i)
      in(text(at, ".matrices[", i, "]"), "matrix", s.matrices[i], matrices, false);
    in(at + ".positions", "position list", s.positions, m.positions.size(), true);
    in(at + ".normals", "normal list", s.normals, m.normals.size(), true);
    for (size_t i = 0; i < s.colors.size(); ++i)
      in(text(at, ".colors[", i, "]"), "color list", s.colors[i], m.colors.size(), true);
    for (size_t i = 0; i < s.texcoords.size(); ++i)
      in(text(at, ".texcoords[", i, "]"), "texcoord list", s.texcoords[i], m.texcoords.size(), true);
  }
}

void check_materials(Check& c, const Model& m, const std::string& path) {
  struct MaterialSampler {
    i64 material, sampler;  // in the model
    auto operator<=>(const MaterialSampler&) const = default;
  };
  const auto collect_links = [&](i32 offset, const Dictionary& d, const std::vector<Link>& links) {
    std::vector<std::pair<std::string_view, MaterialSampler>> out;
    for (size_t i = 0; i < links.size() && i < d.entries.size(); ++i)
      for (const Use& u : links[i].uses) {
        const i64 at = offset_in_model(offset, d, i);
        out.push_back({d.entries[i].name, {at + u.material_offset, at + u.sampler_offset}});
      }
    return out;
  };
  const auto links = collect_links(m.texture_links_offset, m.texture_link_dictionary, m.texture_links);
  size_t found = 0;
  constexpr i64 k_sampler_size = i64(Sampler::k_least_size);
  for (size_t i = 0; i < m.materials.size(); ++i) {
    const Material& material = m.materials[i];
    const std::string at = text(path, ".materials[", i, "]");
    if (!find_shader(m, i))
      c.report("brres.shader", at + ".shader_offset",
               {.message = text("material ", in_quotes(material.name), " has no shader")});
    const i64 start = offset_in_model(m.materials_offset, m.material_dictionary, i);
    for (size_t k = 0; k < material.samplers.size(); ++k) {
      const Sampler& s = material.samplers[k];
      const std::pair<std::string_view, MaterialSampler> wanted{
          s.texture, {start, start + material.samplers_offset + k_sampler_size * i64(k)}};
      if (std::ranges::find(links, wanted) != links.end())
        ++found;
      else
        c.report("brres.link", text(at, ".samplers[", k, "]"),
                 {.message = text("texture ", in_quotes(s.texture), " of material ", in_quotes(material.name),
                                  " is missing from the texture links")});
      if (std::ranges::find(c.file.textures, s.texture, &Texture::name) == c.file.textures.end())
        c.report("brres.texture", text(at, ".samplers[", k, "].texture"),
                 {.message = text("texture ", in_quotes(s.texture), " is not in this file")});
    }
  }
  if (found < links.size())
    c.report(
        "brres.link", path + ".texture_links",
        {.message = text(format_count(links.size() - found, "texture link"),
                         links.size() - found == 1 ? " refers" : " refer", " to no material that uses the texture")});
}

void check_models(Check& c) {
  for (size_t i = 0; i < c.file.models.size(); ++i) {
    const Model& m = c.file.models[i];
    const std::string path = text("models[", i, "]");
    check_bones(c, m, path);
    check_programs(c, m, path);
    check_tables(c, m, path);
    check_materials(c, m, path);
  }
}

}  // namespace

constinit const Topic k_model_checks{k_model_rules, check_models};

}  // namespace dio::brres
