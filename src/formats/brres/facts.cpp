#include <algorithm>

#include "core/text_format.hpp"
#include "formats/brres/semantics.hpp"

namespace dio::brres {

bool has_bone(const Brres& file, std::string_view name) {
  return std::ranges::any_of(file.models, [&](const Model& m) {
    return std::ranges::any_of(m.bones, [&](const Bone& b) { return b.name == name; });
  });
}

bool has_material(const Brres& file, std::string_view model, std::string_view name) {
  const auto same = [](std::string_view a, std::string_view b) { return lower_case(a) == lower_case(b); };
  return std::ranges::any_of(file.models, [&](const Model& m) {
    return same(m.name, model) &&
           std::ranges::any_of(m.materials, [&](const Material& x) { return same(x.name, name); });
  });
}

std::vector<std::string_view> model_names(const Brres& file) {
  std::vector<std::string_view> names;
  for (const Folder& folder : file.folders)
    if (folder.kind == Kind::models)
      for (const DictionaryEntry& e : folder.dictionary.entries) names.push_back(e.name);
  return names;
}

size_t count_animations(const Brres& file, std::string_view magic) {
  const std::pair<std::string_view, size_t> lists[] = {{"CHR0", file.chr_files.size()},
                                                       {"CLR0", file.clr_files.size()},
                                                       {"PAT0", file.pat_files.size()},
                                                       {"SRT0", file.srt_files.size()},
                                                       {"VIS0", file.vis_files.size()}};
  size_t count = 0;
  for (const auto& [kind, size] : lists)
    if (kind == magic) count += size;
  for (const Folder& folder : file.folders)
    count += size_t(std::ranges::count_if(folder.files, [&](const auto& f) { return f.magic.view() == magic; }));
  return count;
}

u64 count_vertices(const Brres& file) {
  u64 count = 0;
  for (const Model& m : file.models)
    for (const Positions& p : m.positions) count += p.count;
  return count;
}

i32 find_parent_bone(const Model& m, size_t bone) {
  const i32 offset = m.bones[bone].parent_offset;
  const i64 wanted = offset_in_model(m.bones_offset, m.bone_dictionary, bone) + offset;
  for (size_t i = 0; offset && i < bone; ++i)
    if (offset_in_model(m.bones_offset, m.bone_dictionary, i) == wanted) return i32(i);
  return -1;
}

const Shader* find_shader(const Model& m, size_t material) {
  const i64 wanted =
      offset_in_model(m.materials_offset, m.material_dictionary, material) + m.materials[material].shader_offset;
  for (size_t i = 0; i < m.shaders.size(); ++i)
    if (offset_in_model(m.shaders_offset, m.shader_dictionary, i) == wanted) return &m.shaders[i];
  return nullptr;
}

}  // namespace dio::brres
