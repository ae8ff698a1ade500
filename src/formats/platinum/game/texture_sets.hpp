// texture_sets.hpp: adds textures of models to the sets of areas.
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

/// New names for textures and palettes whose names a set already uses.
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

/// Adds the textures of a model to shared sets. Existing equal textures are shared; a texture whose name is already
/// used by a different one in any set gets a new name, the same in all sets. Error ids: edit.limit.
Result<TextureImportCounts> merge_textures_into_sets(std::span<nitro::Textures* const> sets,
                                                     const nitro::Textures& from);

/// Removes entries of `old` that are no longer wanted; returns the numbers of textures and palettes.
u64 erase_unwanted_textures(nitro::Textures& set, const TextureNames& old, const TextureNames& wanted);

}  // namespace dio::platinum
