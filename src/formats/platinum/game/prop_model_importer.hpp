// prop_model_importer.hpp: adds prop models and their textures to the sets of areas.
#pragma once
#include "formats/platinum/game/changed_files.hpp"
#include "formats/platinum/game/tables.hpp"
#include "formats/platinum/game/texture_sets.hpp"

namespace dio::platinum {

/// Adds a prop model, and the textures of the model and its animations, to prop sets.
class PropModelImporter {
 public:
  /// `role`: props, or room_props.
  PropModelImporter(const GameTables&, ChangedFiles&, u32 model, FileRole role);
  /// Adds the model to a set, with textures copied from other sets. Error ids: edit.argument, edit.limit, and those of
  /// the files.
  std::optional<Diagnostic> import_into_set(u32 set);
  /// A summary to append to a sentence: "; model added to 1 prop set".
  std::string summary() const;

 private:
  const std::vector<std::shared_ptr<const nitro::Nsbtx>>& find_donor_sets();
  Result<u64> copy_missing_entries(auto& to, auto list, const std::set<std::string>& wanted, std::string_view what,
                                   u32 set);
  std::optional<Diagnostic> import_textures_into_set(u32 set);

  const GameTables& t_;
  ChangedFiles& changed_;
  u32 model_;
  FileRole role_;
  TextureNames wanted_;
  std::vector<std::shared_ptr<const nitro::Nsbtx>> donors_;
  u64 sets_ = 0, textures_ = 0, palettes_ = 0;
};

/// The names that a prop model of the game and its animations look up.
TextureNames find_texture_names(const GameTables&, u32 model, FileRole);

/// Adds a model to a set; true if it was not there.
Result<bool> add_model_to_prop_set(ChangedFiles&, u32 set, u32 model);

/// The error if the textures of an area exceed the texture memory (edit.limit).
std::optional<Diagnostic> area_memory_error(const ChangedFiles&, u32 area);

}  // namespace dio::platinum
