// damaged.hpp: for each rule a BRRES file that breaks it, by as little as possible. For tests only.
#pragma once
#include "engine/broken_file.hpp"
#include "samples/brres/files.hpp"
#include "samples/samples.hpp"

namespace dio::brres {

namespace broken {

/// Written as it is: saving would mend dictionaries.
template <class F>
Bytes edited(SampleBrres draft, F edit) {
  Brres f = placed(std::move(draft));
  const u64 size = f.size;
  edit(f);
  return *write(f, {}, size);
}
template <class F>
Bytes hill_with(F edit) {
  return edited(hill(), edit);
}
template <class F>
Bytes drafted(SampleBrres draft, F edit) {
  edit(draft.file);
  return bytes_of(placed(std::move(draft)));
}

inline std::vector<test::BrokenFile> files() {
  std::vector<test::BrokenFile> all;
  all.push_back({"brres.byte-order", "byte_order", "brres", hill_with([](Brres& f) { f.byte_order = 0xFFFE; })});
  all.push_back({"brres.file-size", "size", "brres", hill_with([](Brres& f) { f.size += 32; })});
  all.push_back({"brres.sections", "section_count", "brres", hill_with([](Brres& f) { f.section_count = 9; })});
  all.push_back({"brres.tree", "folders[1].dictionary.entries[2]", "brres", hill_with([](Brres& f) {
                   f.folders[1].dictionary.entries[2].left = f.folders[1].dictionary.entries[2].right = 0;
                 })});
  all.push_back({"brres.name-length", "models[0].name_length", "brres", hill_with([](Brres& f) {
                   f.models[0].name_length = f.folders[0].dictionary.entries[0].name_length = 5;
                 })});
  all.push_back({"brres.plain-file", "folders[1]", "brres",
                 edited(formats_of_textures(), [](Brres& f) { f.folders[1].dictionary.size = 7; })});
  all.push_back({"brres.own-name", "models[0].bones[1].name", "brres", hill_with([](Brres& f) {
                   Bone &to = f.models[0].bones[1], &from = f.models[0].bones[2];
                   to.name = from.name;
                   to.name_offset = from.name_offset + i32(Bone::k_size_in_file);
                 })});
  all.push_back({"brres.version", "folders[3].files[0].version", "brres",
                 edited(bending(), [](Brres& f) { f.folders[3].files[0].header.version = 5; })});
  all.push_back({"brres.index", "models[0].programs[1].commands[0].shape", "brres",
                 hill_with([](Brres& f) { f.models[0].programs[1].commands[0].shape = 9; })});
  all.push_back({"brres.bone-parent", "models[0].bones[1].parent_offset", "brres",
                 hill_with([](Brres& f) { f.models[0].bones[1].parent_offset = -4; })});
  all.push_back({"brres.bone-matrix", "models[0].bones[1].to_model", "brres",
                 edited(bending(), [](Brres& f) { f.models[0].bones[1].to_model[3] += 5; })});
  all.push_back({"brres.pass", "models[0].programs[1].commands[0].material", "brres",
                 hill_with([](Brres& f) { f.models[0].materials[0].flags = Material::k_translucent; })});
  all.push_back({"brres.shader", "models[0].materials[0].shader_offset", "brres",
                 hill_with([](Brres& f) { f.models[0].materials[0].shader_offset += 32; })});
  all.push_back({"brres.link", "models[0].texture_links", "brres",
                 hill_with([](Brres& f) { f.models[0].texture_links[0].uses[0].sampler_offset += 4; })});
  all.push_back({"brres.texture", "models[0].materials[1].samplers[0].texture", "brres",
                 drafted(hill(), [](Brres& f) { f.models[0].materials[1].samplers[0].texture = "elsewhere"; })});
  all.push_back({"brres.attribute", "models[0].positions[0].type", "brres",
                 hill_with([](Brres& f) { f.models[0].positions[0].type = 7; })});
  all.push_back({"brres.attribute-list", "models[0].shapes[0].positions", "brres",
                 hill_with([](Brres& f) { f.models[0].shapes[0].positions = -1; })});
  all.push_back({"brres.polygons", "models[0].shapes[0].polygons.commands", "brres",
                 hill_with([](Brres& f) { f.models[0].shapes[0].polygons.commands[0] = 0x50; })});
  all.push_back({"brres.vertex", "models[0].shapes[0].polygons.commands", "brres",
                 hill_with([](Brres& f) { f.models[0].shapes[0].polygons.commands[3] = 200; })});
  all.push_back(
      {"brres.vertex-matrix", "models[0].shapes[0].polygons.commands", "brres", edited(bending(), [](Brres& f) {
         constexpr size_t k_first_vertex = 3 * 5 + 3;  // after three loads
         f.models[0].shapes[0].polygons.commands[k_first_vertex] = 27;
       })});
  all.push_back({"brres.vertex-count", "models[0].shapes[0].vertex_count", "brres",
                 hill_with([](Brres& f) { f.models[0].shapes[0].vertex_count = 31; })});
  all.push_back(
      {"brres.texture-format", "textures[0].format", "brres", hill_with([](Brres& f) { f.textures[0].format = 7; })});
  all.push_back({"brres.texture-size", "textures[0].width", "brres",
                 edited(formats_of_textures(), [](Brres& f) { f.textures[0].width = 0; })});
  all.push_back(
      {"brres.texture-wrap", "textures[1].width", "brres", hill_with([](Brres& f) { f.textures[1].width = 12; })});
  all.push_back(
      {"brres.texels", "textures[0].texels", "brres", hill_with([](Brres& f) { f.textures[0].level_count = 3; })});
  all.push_back({"brres.lod", "textures[0].max_lod", "brres", hill_with([](Brres& f) { f.textures[0].max_lod = 4; })});
  all.push_back(
      {"brres.palette", "textures[0].format", "brres", drafted(bending(), [](Brres& f) { f.palettes.clear(); })});
  all.push_back({"brres.srt-material", "srt_files[1].animation.materials[0].name", "brres",
                 drafted(river(), [](Brres& f) { f.srt_files[1].animation->materials[0].name = "mill"; })});
  return all;
}

}  // namespace broken
}  // namespace dio::brres
