// texture_sets.hpp: textures of models brought into the sets of areas.
#pragma once
#include <map>
#include <set>
#include <span>
#include <string>

#include "core/result.hpp"
#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/layout/material_animations.hpp"

namespace dio::platinum {

/// Names that models and animations look up.
struct TextureNames {
  std::set<std::string> textures, palettes;
  void add(const nitro::Model&);
  void add(const nitro::Nsbtp&);
};

/// Other names, for those whose names a set has for something else.
struct TextureRenames {
  std::map<std::string, std::string> textures, palettes;
  void apply(nitro::Model&) const;
  void apply(nitro::Nsbtp&) const;
};

/// How many textures and palettes were added to a set.
struct TextureImportCounts {
  u64 textures = 0, palettes = 0;
  TextureRenames renamed;
};

/// Adds the textures of a model to sets that other models use as well: those that are there already are shared; those
/// whose name means something else in one of the sets get another, the same in all. Ids: edit.limit.
Result<TextureImportCounts> merge_textures_into_sets(std::span<nitro::Textures* const> sets,
                                                     const nitro::Textures& from);

/// Removes those of `old` that nobody wants; returns how many textures and palettes.
u64 erase_unwanted_textures(nitro::Textures& set, const TextureNames& old, const TextureNames& wanted);

}  // namespace dio::platinum
