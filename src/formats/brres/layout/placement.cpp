// placement.cpp: gives the parts of a BRRES file new offsets, in the order of the games' own tools.
#include "formats/brres/layout/placement.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "formats/brres/layout/animation_placement.hpp"
#include "formats/brres/layout/part_lists.hpp"
#include "formats/brres/semantics.hpp"

namespace dio::brres {

namespace {

u64 size_of(const Command& c) {
  switch (c.code) {
    case code::node:
    case code::matrix:
    case code::copy:
      return 5;
    case code::mix:
      return 4 + 6 * c.weights.size();
    case code::draw:
      return 8;
    default:
      return 1;
  }
}

/// Places one model; its dictionaries come first, one after the other.
class ModelPlacer {
 public:
  ModelPlacer(OffsetAllocator& p, Model& m, SharedShaders shared)
      : p_(p), m_(m), start_(p.at), has_fur_(m.header.version >= k_with_fur), shared_(shared) {}

  void run() {
    place_header();
    collect_texture_users();
    reserve_dictionaries();
    place_links_and_programs();
    place_bones();
    place_materials();
    place_shaders();
    place_shapes();
    place_attributes(m_.position_dictionary, m_.positions, 0x38);
    place_attributes(m_.normal_dictionary, m_.normals, 0x20);
    place_attributes(m_.color_dictionary, m_.colors, 0x20);
    place_attributes(m_.texcoord_dictionary, m_.texcoords, 0x30);
    set_links(texture_users_, m_.texture_links_offset, m_.texture_link_dictionary, m_.texture_links);
    set_links(palette_users_, m_.palette_links_offset, m_.palette_link_dictionary, m_.palette_links);
    for (const auto& [d, place] : places_) p_.dictionary(*d, place);
    p_.align(32);
    m_.header.size = p_.at - start_;
  }

 private:
  void place_header() {
    p_.take(0x40 + (has_fur_ ? 8 : 0) + (m_.header.version >= k_with_user_data_of_models ? 4 : 0));
    const u32 info = p_.take(0x40);
    m_.info.size = 0x40;
    m_.info.model_offset = i32(start_ - info);
    m_.info.table_offset = 0x40;
    p_.take(4 + 4 * m_.matrix_bones.size());
    p_.name(m_, start_);
  }
  /// The samplers that use each texture or palette, as the indices of material and sampler.
  struct Users {
    std::string name;
    std::vector<std::pair<size_t, size_t>> samplers;
  };
  /// In the order of the names, as in the games' files; if existing links have another order, new ones follow.
  void collect_texture_users() {
    texture_users_ = collect_users(m_.texture_link_dictionary, &Sampler::texture);
    palette_users_ = collect_users(m_.palette_link_dictionary, &Sampler::palette);
    make_links(texture_users_, m_.texture_link_dictionary, m_.texture_links);
    make_links(palette_users_, m_.palette_link_dictionary, m_.palette_links);
  }
  std::vector<Users> collect_users(const Dictionary& known, std::string Sampler::* name) const {
    std::vector<Users> all;
    std::map<std::string, size_t> indices;
    for (const DictionaryEntry& e : known.entries)
      if (indices.try_emplace(e.name, all.size()).second) all.push_back({e.name, {}});
    for (size_t i = 0; i < m_.materials.size(); ++i)
      for (size_t k = 0; k < m_.materials[i].samplers.size(); ++k) {
        const std::string& used = m_.materials[i].samplers[k].*name;
        if (used.empty()) continue;
        const auto [at, is_new] = indices.try_emplace(used, all.size());
        if (is_new) all.push_back({used, {}});
        all[at->second].samplers.push_back({i, k});
      }
    std::erase_if(all, [](const Users& x) { return x.samplers.empty(); });
    if (std::ranges::is_sorted(known.entries, {}, &DictionaryEntry::name)) std::ranges::sort(all, {}, &Users::name);
    return all;
  }
  static void make_links(const std::vector<Users>& all, Dictionary& d, std::vector<Link>& links) {
    d.entries.clear(), links.clear();
    for (const Users& x : all) {
      d.entries.emplace_back().name = x.name;
      links.push_back({std::vector<Use>(x.samplers.size())});
    }
  }

  template <class T>
  void reserve(i32& offset, Dictionary& d, const std::vector<T>& xs) {
    offset = 0;
    if (xs.empty()) return;
    d.entries.resize(xs.size());
    if constexpr (std::is_base_of_v<Named, T>)
      for (size_t i = 0; i < xs.size(); ++i) d.entries[i].name = xs[i].name;
    places_[&d] = p_.at;
    offset = i32(p_.at - start_);
    p_.take(dictionary_size(d.entries.size()));
  }
  void reserve_dictionaries() {
    reserve(m_.programs_offset, m_.program_dictionary, m_.programs);
    reserve(m_.bones_offset, m_.bone_dictionary, m_.bones);
    reserve(m_.positions_offset, m_.position_dictionary, m_.positions);
    reserve(m_.normals_offset, m_.normal_dictionary, m_.normals);
    reserve(m_.colors_offset, m_.color_dictionary, m_.colors);
    reserve(m_.texcoords_offset, m_.texcoord_dictionary, m_.texcoords);
    reserve(m_.materials_offset, m_.material_dictionary, m_.materials);
    reserve(m_.shaders_offset, m_.shader_dictionary, m_.shaders);
    for (size_t i = 0; i < m_.shaders.size(); ++i) m_.shader_dictionary.entries[i].name = m_.materials[i].name;
    reserve(m_.shapes_offset, m_.shape_dictionary, m_.shapes);
    reserve(m_.texture_links_offset, m_.texture_link_dictionary, m_.texture_links);
    reserve(m_.palette_links_offset, m_.palette_link_dictionary, m_.palette_links);
  }

  /// Places the parts of a list; `place(part, number, start)` takes their room.
  template <class T>
  void place_list(Dictionary& d, std::vector<T>& xs, u32 alignment, auto place) {
    for (size_t i = 0; i < xs.size(); ++i) {
      p_.align(alignment);
      d.entries[i].data_offset = i32(p_.at - places_.at(&d));
      place(xs[i], i, p_.at);
    }
  }
  void place_links_and_programs() {
    const auto place_link = [&](Link& l, size_t, u32) { p_.take(4 + 8 * l.uses.size()); };
    place_list(m_.texture_link_dictionary, m_.texture_links, 4, place_link);
    place_list(m_.palette_link_dictionary, m_.palette_links, 4, place_link);
    place_list(m_.program_dictionary, m_.programs, 1, [&](Program& x, size_t, u32) {
      for (const Command& c : x.commands) p_.take(size_of(c));
    });
  }
  void place_bones() {
    place_list(m_.bone_dictionary, m_.bones, 4, [&](Bone& b, size_t i, u32 at) {
      p_.take(Bone::k_size_in_file);
      b.size = Bone::k_size_in_file;
      if (shared_ != SharedShaders::as_read) b.index = u32(i);
      b.model_offset = i32(start_ - at);
      p_.name(b, at);
    });
  }
  void place_materials() {
    place_list(m_.material_dictionary, m_.materials, 4, [&](Material& x, size_t i, u32 at) {
      p_.take(has_fur_ ? 0x418 : 0x414);
      x.index = u32(i);
      x.model_offset = i32(start_ - at);
      x.samplers_offset = x.samplers.empty() ? 0 : i32(p_.at - at);
      for (Sampler& s : x.samplers) {
        const u32 sampler = p_.take(Sampler::k_least_size);
        p_.text(s.texture, s.texture_offset, sampler);
        p_.text(s.palette, s.palette_offset, sampler);
      }
      p_.align(32);
      x.commands_offset = i32(p_.at - at);
      p_.take(x.commands.size());
      x.size = p_.at - at;
      p_.name(x, at);
    });
  }
  /// Shader i is that of material i.
  void place_shaders() {
    struct Identity {
      i64 number;
      Bytes commands;
      std::array<u8, 8> texture_slots;
      auto operator<=>(const Identity&) const = default;
    };
    std::map<Identity, std::pair<u32, u32>> known;  // offset and index
    Dictionary& d = m_.shader_dictionary;
    for (size_t i = 0; i < m_.shaders.size(); ++i) {
      Shader& x = m_.shaders[i];
      const i64 number = shared_ == SharedShaders::none      ? i64(i)
                         : shared_ == SharedShaders::as_read ? x.model_offset
                                                             : 0;
      const auto [place, is_new] = known.try_emplace({number, x.commands, x.texture_slots}, 0u, 0u);
      if (is_new) {
        p_.align(32);
        const u32 index = shared_ == SharedShaders::none      ? u32(i)
                          : shared_ == SharedShaders::as_read ? x.index
                                                              : u32(known.size() - 1);
        place->second = {p_.take(Shader::k_least_size + x.commands.size()), index};
      }
      const auto [at, index] = place->second;
      x.size = u32(Shader::k_least_size + x.commands.size());
      x.index = index;
      x.model_offset = i32(start_ - at);
      d.entries[i].data_offset = i32(at - places_.at(&d));
      m_.materials[i].shader_offset =
          i32(at - (start_ + u32(offset_in_model(m_.materials_offset, m_.material_dictionary, i))));
    }
  }
  void place_shapes() {
    place_list(m_.shape_dictionary, m_.shapes, 32, [&](Shape& s, size_t i, u32 at) {
      p_.take(has_fur_ ? 0x68 : 0x64);
      s.index = u32(i);
      s.model_offset = i32(start_ - at);
      s.matrices_offset = i32(p_.at - at);
      p_.take(4 + std::max<u64>(4, 2 * s.matrices.size()));
      const auto commands = [&](CommandList& l, u32 from) {
        p_.align(32);
        l.offset = i32(p_.at - (at + from));
        l.buffer_size = u32(l.commands.size());
        if (!l.size) l.size = l.buffer_size;
        p_.take(l.commands.size());
      };
      commands(s.setup, 0x18);
      commands(s.polygons, 0x24);
      s.size = p_.at - at;
      p_.name(s, at);
    });
  }
  template <class T>
  void place_attributes(Dictionary& d, std::vector<T>& lists, u32 header) {
    place_list(d, lists, 32, [&](AttributeList& l, size_t i, u32 at) {
      p_.take(header);
      p_.align(32);
      l.index = u32(i);
      l.data_offset = i32(p_.at - at);
      p_.take(l.data.size());
      p_.align(32);
      l.size = p_.at - at;
      l.model_offset = i32(start_ - at);
      p_.name(l, at);
    });
  }
  void set_links(const std::vector<Users>& users, i32 offset, const Dictionary& d, std::vector<Link>& links) {
    for (size_t link = 0; link < users.size(); ++link) {
      const i64 at = offset_in_model(offset, d, link);
      for (size_t k = 0; k < users[link].samplers.size(); ++k) {
        const auto [i, sampler_index] = users[link].samplers[k];
        const i64 material = offset_in_model(m_.materials_offset, m_.material_dictionary, i);
        const i64 sampler =
            material + m_.materials[i].samplers_offset + i64(Sampler::k_least_size) * i64(sampler_index);
        links[link].uses[k] = {i32(material - at), i32(sampler - at)};
      }
    }
  }

  OffsetAllocator& p_;
  Model& m_;
  const u32 start_;
  const bool has_fur_;
  const SharedShaders shared_;
  std::map<Dictionary*, u32> places_;
  std::vector<Users> texture_users_, palette_users_;
};

template <class T>
void set_start(T& x, u32 at) {
  x.header.brres_offset = -i32(at);
}
template <class T>
void set_start(AnimationFile<T>& x, u32 at) {
  if (x.animation) return set_start(*x.animation, at);
  for (u32 i = 0; i < 4 && x.raw && x.raw->size() >= 16; ++i) (*x.raw)[12 + i] = u8(-at >> (24 - 8 * i));
}

void place_file(OffsetAllocator& p, Model& m, SharedShaders shared) { ModelPlacer(p, m, shared).run(); }
void place_with_data(OffsetAllocator& p, auto& x, u64 bytes) {
  const u32 start = p.take(0x40);
  x.data_offset = 0x40;
  p.take(bytes);
  x.header.size = p.at - start;
  p.name(x, start);
}
void place_file(OffsetAllocator& p, Texture& t, SharedShaders) { place_with_data(p, t, t.texels.size()); }
void place_file(OffsetAllocator& p, Palette& t, SharedShaders) { place_with_data(p, t, 2 * t.colors.size()); }
template <class T>
void place_file(OffsetAllocator& p, AnimationFile<T>& x, SharedShaders) {
  if (x.animation)
    place_animation(p, *x.animation);
  else if (x.raw)
    p.take(x.raw->size());
}

}  // namespace

void add_missing_folders(Brres& f) {
  for_each_folder_list(f, [&](Kind kind, auto& xs) {
    auto folder = std::ranges::find(f.folders, kind, &Folder::kind);
    if (folder == f.folders.end()) {
      if (xs.empty()) return;
      folder = f.folders.emplace(folder);
      folder->kind = kind;
      f.root.entries.emplace_back().name = folder_name(kind);
    }
    folder->dictionary.entries.resize(xs.size());
    for (size_t i = 0; i < xs.size(); ++i)
      if (const Named* part = named_part(xs[i])) folder->dictionary.entries[i].name = part->name;
  });
}

void place_parts(Brres& f, SharedShaders shared) {
  OffsetAllocator p;
  p.size_before = f.size;
  f.root_offset = 16;
  p.take(16 + 8);
  const u32 root = p.take(dictionary_size(f.root.entries.size()));
  std::vector<u32> dictionaries;
  for (size_t i = 0; i < f.folders.size(); ++i) {
    dictionaries.push_back(p.take(dictionary_size(f.folders[i].dictionary.entries.size())));
    f.root.entries[i].data_offset = i32(dictionaries[i] - root);
  }
  f.root_size = p.at - f.root_offset;
  f.section_count = 1;
  for (size_t i = 0; i < f.folders.size(); ++i) {
    Folder& folder = f.folders[i];
    const bool is_aligned =
        folder.kind == Kind::models || folder.kind == Kind::textures || folder.kind == Kind::palettes;
    const auto each = [&](auto& xs, auto place) {
      for (size_t k = 0; k < xs.size(); ++k) {
        p.align(is_aligned ? 32 : 4);
        folder.dictionary.entries[k].data_offset = i32(p.at - dictionaries[i]);
        set_start(xs[k], p.at);
        place(xs[k]);
      }
      f.section_count = u16(f.section_count + xs.size());
    };
    for_each_folder_list(f, [&](Kind kind, auto& xs) {
      if (kind == folder.kind) each(xs, [&](auto& x) { place_file(p, x, shared); });
    });
    each(folder.files,
         [&](OtherFile& x) { x.header.size = u32(OtherFile::k_least_size + x.content.size()), p.take(x.header.size); });
  }
  p.dictionary(f.root, root);
  for (size_t i = 0; i < f.folders.size(); ++i) p.dictionary(f.folders[i].dictionary, dictionaries[i]);
  p.align(4);
  p.finish_names();
  p.align(128);
  f.size = p.at;
}

std::string find_unplaceable_parts(const Brres& f) {
  std::string out;
  const auto add = [&](bool has, std::string_view what) {
    if (has) out += (out.empty() ? "" : ", ") + std::string(what);
  };
  add(std::ranges::any_of(f.folders,
                          [](const Folder& x) {
                            return x.kind == Kind::plain_file || x.kind == Kind::plain_files || x.kind == Kind::others;
                          }),
      "files of other kinds");
  const auto add_animations = [&](const auto& files, std::string_view what) {
    add(std::ranges::any_of(files,
                            [](const auto& x) {
                              return !x.animation || x.animation->user_data_offset || x.animation->source_path_offset;
                            }),
        what);
  };
  add_animations(f.srt_files, "texture animations (SRT0) that are damaged or have user data");
  add_animations(f.chr_files, "bone animations (CHR0) that are damaged or have user data");
  add_animations(f.clr_files, "colour animations (CLR0) that are damaged or have user data");
  add_animations(f.pat_files, "pattern animations (PAT0) that are damaged or have user data");
  add_animations(f.vis_files, "visibility animations (VIS0) that are damaged or have user data");
  const auto has_source_path = [](const auto& xs) {
    return std::ranges::any_of(xs, [](const auto& x) { return x.source_path_offset || x.user_data_offset; });
  };
  add(has_source_path(f.textures) || has_source_path(f.palettes) ||
          std::ranges::any_of(f.models, [](const Model& m) { return m.info.source_path_offset != 0; }),
      "paths of source files or user data of textures");
  const auto has_user_data = [](const auto& xs) {
    return std::ranges::any_of(xs, [](const auto& x) { return x.user_data_offset != 0; });
  };
  add(std::ranges::any_of(f.models,
                          [&](const Model& m) {
                            return m.user_data_offset || m.fur_vectors_offset || m.fur_layers_offset ||
                                   has_user_data(m.bones) || has_user_data(m.materials) ||
                                   std::ranges::any_of(m.materials,
                                                       [](const Material& x) { return x.fur_offset != 0; });
                          }),
      "models with user data or fur");
  return out;
}

}  // namespace dio::brres
