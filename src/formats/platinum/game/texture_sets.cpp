#include "formats/platinum/game/texture_sets.hpp"

#include <algorithm>

#include "formats/contract/reporter.hpp"

namespace dio::platinum {

namespace {

constexpr size_t k_most = 255;         // entries of a dictionary
constexpr size_t k_longest_name = 16;  // length of entry names

/// Two textures are the same if they look the same with any palette.
bool is_same(const nitro::Texture& a, const nitro::Texture& b) {
  return a.format == b.format && a.width_code == b.width_code && a.height_code == b.height_code &&
         a.color0_clear == b.color0_clear && a.texels == b.texels && a.blocks == b.blocks;
}
/// Two palettes are the same if they differ only in padding colours.
bool is_same(const nitro::Palette& a, const nitro::Palette& b) {
  const size_t common = std::min(a.colors.size(), b.colors.size());
  const auto is_zero_fill = [&](const std::vector<u16>& colors) {
    return std::all_of(colors.begin() + std::ptrdiff_t(common), colors.end(), [](u16 c) { return c == 0; });
  };
  return a.four_colors == b.four_colors &&
         std::equal(a.colors.begin(), a.colors.begin() + std::ptrdiff_t(common), b.colors.begin()) &&
         is_zero_fill(a.colors) && is_zero_fill(b.colors);
}

template <class T>
Result<u64> merge_entries(std::span<nitro::Textures* const> sets, std::vector<T> nitro::Textures::* list,
                          const std::vector<T>& from, std::map<std::string, std::string>& renamed,
                          std::string_view what) {
  u64 added = 0;
  for (const T& one : from) {
    const auto find_by_name = [&](const nitro::Textures& set, std::string_view name) -> const T* {
      const auto it = std::ranges::find(set.*list, name, &T::name);
      return it == (set.*list).end() ? nullptr : &*it;
    };
    const auto is_free = [&](const std::string& name) {
      return std::ranges::all_of(sets, [&](const nitro::Textures* set) {
        const T* there = find_by_name(*set, name);
        return !there || is_same(*there, one);
      });
    };
    std::string name = one.name;
    for (u32 i = 2; !is_free(name); ++i) {
      const std::string suffix = text("_", i);
      name = one.name.substr(0, k_longest_name - suffix.size()) + suffix;
    }
    if (name != one.name) renamed[one.name] = name;
    for (nitro::Textures* set : sets) {
      if (find_by_name(*set, name)) continue;
      if ((set->*list).size() >= k_most)
        return refuse("edit.limit", {}, {.message = text("the texture set would have more than ", k_most, " ", what)});
      (set->*list).push_back(one);
      (set->*list).back().name = name;
      ++added;
    }
  }
  return added;
}

void apply_rename(std::string& name, const std::map<std::string, std::string>& renamed) {
  if (const auto to = renamed.find(name); to != renamed.end()) name = to->second;
}

}  // namespace

void TextureNames::add(const nitro::Model& m) {
  for (const nitro::Pairing& p : m.textures) textures.insert(p.name);
  for (const nitro::Pairing& p : m.palettes) palettes.insert(p.name);
}
void TextureNames::add(const nitro::Nsbtp& file) {
  for (const auto& a : file.animations) {
    for (const auto& n : a.texture_names) textures.insert(n.name);
    for (const auto& n : a.palette_names) palettes.insert(n.name);
  }
}

void TextureRenames::apply(nitro::Model& m) const {
  for (nitro::Pairing& p : m.textures) apply_rename(p.name, textures);
  for (nitro::Pairing& p : m.palettes) apply_rename(p.name, palettes);
}
void TextureRenames::apply(nitro::Nsbtp& file) const {
  for (auto& a : file.animations) {
    for (auto& n : a.texture_names) apply_rename(n.name, textures);
    for (auto& n : a.palette_names) apply_rename(n.name, palettes);
  }
}

Result<TextureImportCounts> merge_textures_into_sets(std::span<nitro::Textures* const> sets,
                                                     const nitro::Textures& from) {
  TextureImportCounts out;
  const auto textures =
      merge_entries(sets, &nitro::Textures::textures, from.textures, out.renamed.textures, "textures");
  if (!textures) return refuse(textures.error());
  const auto palettes =
      merge_entries(sets, &nitro::Textures::palettes, from.palettes, out.renamed.palettes, "palettes");
  if (!palettes) return refuse(palettes.error());
  out.textures = *textures, out.palettes = *palettes;
  return out;
}

u64 erase_unwanted_textures(nitro::Textures& set, const TextureNames& old, const TextureNames& wanted) {
  const auto erase_unwanted = [](auto& list, const std::set<std::string>& had, const std::set<std::string>& wants) {
    return std::erase_if(list, [&](const auto& x) { return had.contains(x.name) && !wants.contains(x.name); });
  };
  return erase_unwanted(set.textures, old.textures, wanted.textures) +
         erase_unwanted(set.palettes, old.palettes, wanted.palettes);
}

}  // namespace dio::platinum
