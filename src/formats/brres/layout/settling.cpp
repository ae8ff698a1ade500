// settling.cpp: keeps dictionaries and parts consistent when an edit changes a BRRES file.
#include <algorithm>

#include "core/text_format.hpp"
#include "formats/brres/layout/part_lists.hpp"
#include "formats/brres/layout/placement.hpp"
#include "formats/brres/semantics.hpp"

namespace dio::brres {

namespace {

/// Where a part was in its model when the file was read.
template <class T>
i64 old_offset(const T& x) {
  return -i64(x.model_offset);
}

/// Makes the offsets of bones to each other those of a list without gaps, in which the bones may have another order.
void update_bone_offsets(Model& m) {
  std::vector<i64> old;
  for (const Bone& b : m.bones) old.push_back(old_offset(b));
  for (size_t i = 0; i < m.bones.size(); ++i)
    for (i32* offset :
         {&m.bones[i].parent_offset, &m.bones[i].child_offset, &m.bones[i].next_offset, &m.bones[i].previous_offset}) {
      if (!*offset) continue;
      const auto bone = std::ranges::find(old, old[i] + *offset);
      *offset = bone == old.end() ? 0 : i32((bone - old.begin() - i64(i)) * i64(Bone::k_size_in_file));
    }
  const bool have_moved = !std::ranges::is_sorted(old);
  for (size_t i = 0; i < m.bones.size() && have_moved; ++i) m.bones[i].index = u32(i);
}

/// Lists the shaders anew, one for each material.
void list_shaders_of_materials(Model& m) {
  std::vector<Shader> shaders;
  for (const Material& x : m.materials) {
    const auto shader = std::ranges::find(m.shaders, old_offset(x) + x.shader_offset, old_offset<Shader>);
    if (shader != m.shaders.end()) shaders.push_back(*shader);
  }
  m.shaders = std::move(shaders);
}

/// Whether the commands of each program are of the kind that its name states. Programs have no names of their own.
bool have_programs_their_names(const Model& m) {
  if (m.programs.size() != m.program_dictionary.entries.size()) return false;
  for (size_t i = 0; i < m.programs.size(); ++i) {
    const std::string& name = m.program_dictionary.entries[i].name;
    for (const Command& c : m.programs[i].commands) {
      const bool is_drawn = c.code == code::draw, is_bone = c.code == code::node;
      if (name.starts_with("Draw") ? is_bone : name == "NodeTree" || name == "NodeMix" ? is_drawn : false) return false;
      if (name == "NodeMix" && is_bone) return false;
    }
  }
  return true;
}

/// Whether a link leads to a sampler that its material had, but no longer has. Links to other places stay: some tools
/// write them, and games find textures by name.
bool has_link_to_removed_sampler(const Model& m) {
  constexpr i64 k_most_samplers = 8;
  const auto is_removed = [&](i64 material, i64 sampler) {
    const auto x = std::ranges::find(m.materials, material, old_offset<Material>);
    if (x == m.materials.end()) return false;
    const i64 bytes = sampler - material - x->samplers_offset, size = i64(Sampler::k_least_size);
    return bytes % size == 0 && bytes / size >= i64(x->samplers.size()) && bytes / size < k_most_samplers;
  };
  const auto leads_to_removed = [&](i32 offset, const Dictionary& d, const std::vector<Link>& links) {
    for (size_t i = 0; i < links.size(); ++i)
      for (const i64 at = offset_in_model(offset, d, i); const Use& use : links[i].uses)
        if (is_removed(at + use.material_offset, at + use.sampler_offset)) return true;
    return false;
  };
  return leads_to_removed(m.texture_links_offset, m.texture_link_dictionary, m.texture_links) ||
         leads_to_removed(m.palette_links_offset, m.palette_link_dictionary, m.palette_links);
}

Diagnostic placement_refusal(std::string path, std::string message, std::string hint = {}) {
  return make_diagnostic(
      "brres.placement", std::move(path),
      {.message = "the edit moves parts of the file: " + std::move(message), .hint = std::move(hint)});
}

std::optional<Diagnostic> model_placement_error(const Model& m, const std::string& path) {
  if (m.bones.size() != m.bone_dictionary.entries.size())
    return placement_refusal(path + ".bones", "bones cannot be added or removed");
  std::vector<i64> places;
  for (const Bone& b : m.bones) places.push_back(old_offset(b));
  for (size_t i = 0; i < m.bones.size(); ++i) {
    const Bone& b = m.bones[i];
    const auto leads_nowhere = [&](i32 offset) {
      return offset && std::ranges::find(places, places[i] + offset) == places.end();
    };
    if (leads_nowhere(b.parent_offset) || leads_nowhere(b.child_offset) || leads_nowhere(b.next_offset) ||
        leads_nowhere(b.previous_offset))
      return placement_refusal(path + ".bones[" + std::to_string(i) + "]", "the bone refers to a place without a bone");
    if (b.parent_offset && std::ranges::find(places, places[i] + b.parent_offset) - places.begin() >= i64(i))
      return placement_refusal(path + ".bones[" + std::to_string(i) + "]", "a bone must come after its parent");
  }
  std::ranges::sort(places);
  if (std::ranges::adjacent_find(places) != places.end())
    return placement_refusal(path + ".bones", "two bones have the same model_offset");
  if (!have_programs_their_names(m))
    return placement_refusal(path + ".programs", "programs cannot be added, removed or moved; edit their commands");
  for (size_t i = 0; i < m.materials.size(); ++i)
    if (std::ranges::find(m.shaders, old_offset(m.materials[i]) + m.materials[i].shader_offset, old_offset<Shader>) ==
        m.shaders.end())
      return placement_refusal(path + ".materials[" + std::to_string(i) + "].shader_offset",
                               "the material has no shader; duplicate another material instead of adding one");
  return {};
}

}  // namespace

void Brres::settle() {
  for_each_part_list(*this, [](Dictionary& d, const auto& xs) {
    bool is_stale = false;
    for (size_t i = 0; i < xs.size() && i < d.entries.size(); ++i) {
      DictionaryEntry& e = d.entries[i];
      if (const Named* part = named_part(xs[i]); part && part->name_offset && part->name != e.name)
        e.name = part->name, is_stale = true;
      is_stale = is_stale || find(d, e.name) != &e;
    }
    if (is_stale) build_dictionary_tree(d);
  });
}

bool Brres::must_be_placed() const {
  bool must = false;
  for_each_part_list(*this, [&](const Dictionary& d, const auto& xs) {
    must = must || xs.size() != d.entries.size();
    for (size_t i = 0; i < xs.size() && !must; ++i)
      if (const Named* part = named_part(xs[i])) must = part->name_offset && part->name != d.entries[i].name;
  });
  must = must || !std::ranges::all_of(models, have_programs_their_names);
  must = must || std::ranges::any_of(models, has_link_to_removed_sampler);
  for_each_folder_list(*this, [&](Kind kind, const auto& xs) {
    must = must || (!xs.empty() && std::ranges::find(folders, kind, &Folder::kind) == folders.end());
  });
  return must;
}

std::optional<Diagnostic> Brres::placement_error() const {
  if (folders.size() != root.entries.size())
    return placement_refusal("folders", "folders cannot be added or removed; edit the files in them");
  for (size_t i = 0; i < folders.size(); ++i)
    if (const std::string_view name = folder_name(folders[i].kind); !name.empty() && name != root.entries[i].name)
      return placement_refusal("folders[" + std::to_string(i) + "]",
                               "a folder with " + std::string(k_kinds.of(u64(folders[i].kind))) + " must be named " +
                                   std::string(name) + ", but this folder is named " + root.entries[i].name);
  if (const std::string lost = find_unplaceable_parts(*this); !lost.empty())
    return placement_refusal({}, "they cannot move, because it has " + lost, "edits that keep all sizes are possible");
  for (size_t i = 0; i < models.size(); ++i)
    if (auto why = model_placement_error(models[i], "models[" + std::to_string(i) + "]")) return why;
  return {};
}

void Brres::place() {
  // Files whose section_count counts otherwise stay so.
  const auto count_files = [&] {
    size_t files = 0;
    for (const Folder& x : folders) files += x.dictionary.entries.size();
    return files;
  };
  const size_t count = section_count - count_files();
  add_missing_folders(*this);
  for (Model& m : models) update_bone_offsets(m), list_shaders_of_materials(m);
  place_parts(*this, SharedShaders::as_read);
  section_count = u16(count + count_files());
}

}  // namespace dio::brres
