// preserved_map.hpp: what of a map stays as it was where its scene was not edited.
#pragma once
#include "formats/platinum/from_scene/land_map_builder.hpp"

namespace dio::platinum {

/// The land of a map that was exported, edited and made again: `was` with all that differs between `before`, the map
/// made of the scene as it was exported, and `after`, made of the edited one. Tiles whose behaviour or collision came
/// out the same keep those of `was`, as do the heights on tiles whose floors are the same; props keep their records but
/// for what was changed; a model that looks the same stays byte for byte. `edited_model`: the model
/// of `was` with what was edited, where it could be edited in place; null: it was not.
struct PreservedLandMap {
  LandData land;
  bool has_new_model = false, is_changed = false;
};
PreservedLandMap preserve_unedited_parts(const LandData& was, const BuiltLandMap& before, const BuiltLandMap& after,
                                         const nitro::Nsbmd* edited_model, Diagnostics& notes);

}  // namespace dio::platinum
