// part_lists.hpp: the lists of a BRRES file that have dictionaries.
#pragma once
#include <type_traits>

#include "formats/brres/layout/file.hpp"

namespace dio::brres {

/// The name under which games look for a folder; empty for folders of unknown kinds.
constexpr std::string_view folder_name(Kind kind) {
  switch (kind) {
    case Kind::models:
      return "3DModels(NW4R)";
    case Kind::textures:
      return "Textures(NW4R)";
    case Kind::palettes:
      return "Palettes(NW4R)";
    case Kind::srt_files:
      return "AnmTexSrt(NW4R)";
    case Kind::clr_files:
      return "AnmClr(NW4R)";
    case Kind::pat_files:
      return "AnmTexPat(NW4R)";
    case Kind::vis_files:
      return "AnmVis(NW4R)";
    case Kind::chr_files:
      return "AnmChr(NW4R)";
    default:
      return {};
  }
}

/// Calls `visit(kind, list)` for the lists whose parts are in folders, in the games' order of the folders.
void for_each_folder_list(auto& file, auto visit) {
  visit(Kind::models, file.models);
  visit(Kind::textures, file.textures);
  visit(Kind::palettes, file.palettes);
  visit(Kind::chr_files, file.chr_files);
  visit(Kind::vis_files, file.vis_files);
  visit(Kind::clr_files, file.clr_files);
  visit(Kind::pat_files, file.pat_files);
  visit(Kind::srt_files, file.srt_files);
}

/// The name of a part; null for parts without one and damaged animations.
template <class T>
const Named* named_part(const T& x) {
  if constexpr (std::is_base_of_v<Named, T>)
    return &x;
  else if constexpr (requires { x.animation; })
    return x.animation ? &*x.animation : nullptr;
  else
    return nullptr;
}

/// Calls `visit(dictionary, list)` for all lists of a model whose parts are edited, not computed.
void for_each_model_list(auto& m, auto visit) {
  visit(m.program_dictionary, m.programs);
  visit(m.bone_dictionary, m.bones);
  visit(m.position_dictionary, m.positions);
  visit(m.normal_dictionary, m.normals);
  visit(m.color_dictionary, m.colors);
  visit(m.texcoord_dictionary, m.texcoords);
  visit(m.material_dictionary, m.materials);
  visit(m.shader_dictionary, m.shaders);
  visit(m.shape_dictionary, m.shapes);
}

/// Calls `visit(dictionary, list)` for all lists of the file whose parts are edited, not computed.
void for_each_part_list(auto& file, auto visit) {
  for_each_folder_list(file, [&](Kind kind, auto& xs) {
    for (auto& folder : file.folders)
      if (folder.kind == kind) return visit(folder.dictionary, xs);
  });
  for (auto& folder : file.folders)
    if (folder.kind == Kind::others) visit(folder.dictionary, folder.files);
  for (auto& m : file.models) for_each_model_list(m, visit);
  const auto in_animations = [&](auto& files, auto list_of) {
    for (auto& x : files)
      if (x.animation) visit(x.animation->dictionary, list_of(*x.animation));
  };
  const auto materials = [](auto& a) -> auto& { return a.materials; };
  const auto bones = [](auto& a) -> auto& { return a.bones; };
  in_animations(file.srt_files, materials);
  in_animations(file.clr_files, materials);
  in_animations(file.pat_files, materials);
  in_animations(file.vis_files, bones);
  in_animations(file.chr_files, bones);
}

}  // namespace dio::brres
