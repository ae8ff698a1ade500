// preserved_map.hpp: keeps the unedited parts of a reimported map.
#pragma once
#include "formats/platinum/from_scene/land_map_builder.hpp"

namespace dio::platinum {

/// The land of a map that was exported, edited and imported again: `was` plus the differences between `before`, built
/// from the exported scene, and `after`, built from the edited scene. Tiles with the same behaviour or collision keep
/// the values of `was`, and tiles with the same floors keep their heights. Props keep unchanged fields of their
/// records. A model that looks the same stays byte for byte. `edited_model`: the model of `was`, edited in place; null
/// if that was impossible.
struct PreservedLandMap {
  LandData land;
  bool has_new_model = false, is_changed = false;
};
PreservedLandMap preserve_unedited_parts(const LandData& was, const BuiltLandMap& before, const BuiltLandMap& after,
                                         const nitro::Nsbmd* edited_model, Diagnostics& notes);

}  // namespace dio::platinum
