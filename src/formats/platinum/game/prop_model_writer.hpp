// prop_model_writer.hpp: stores prop models with their animations, textures and draw lists.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "formats/platinum/game/changed_files.hpp"
#include "formats/platinum/game/tables.hpp"
#include "formats/platinum/game/texture_sets.hpp"

namespace dio::platinum {

/// The files of a prop model.
struct PropModelFiles {
  Bytes model;     // NSBMD
  Bytes textures;  // NSBTX, or empty
  std::vector<Bytes> animations;
  bool is_deferred = false;  // the game starts the animations on demand, like those of doors
};

/// Writes new prop models to all files that a prop has. Several models can be written; the draw lists come last.
class PropModelWriter {
 public:
  static constexpr size_t k_most_animations = 4;

  PropModelWriter(const GameTables& t, ChangedFiles& changed) : t_(t), changed_(changed) {}

  /// Chooses the list of prop models: props, or room_props.
  void set_role(FileRole role) { role_ = role; }
  FileRole role() const { return role_; }
  /// Stores a model under the number of an old one, or under the next number. Its animations replace those that only
  /// the old model has; others are added. Error ids: edit.limit.
  std::optional<Diagnostic> store(u32 number, PropModelFiles);
  /// Same, but the model keeps the animations of the old model.
  std::optional<Diagnostic> store_with_old_animations(u32 number, Bytes model, Bytes textures);
  /// Whether a model was stored.
  bool has_stored(u32 model) const { return textures_of_.contains(model); }

  /// The prop sets that have a model.
  std::set<u32> find_sets_with(u32 model) const;
  /// Adds a stored model and its textures to prop sets. Textures whose names are used by others get new names, and the
  /// model and its animations refer to these. Error ids: edit.limit, and those of the files.
  std::optional<Diagnostic> add_to_sets(u32 model, const std::set<u32>& sets);
  /// The names that all models of a prop set and their animations look up, but those of one model.
  std::optional<Diagnostic> collect_texture_names(u32 set, TextureNames& wanted, std::optional<u32> without = {}) const;
  /// Writes the draw lists of all props, including new ones. Error ids: edit.limit.
  std::optional<Diagnostic> write_draw_lists();

  /// Adds textures to sets; returns their names there. `role`: prop_textures or map_textures.
  Result<TextureRenames> merge_textures(FileRole role, const std::set<u32>& sets, const Bytes& nsbtx);
  /// Removes textures from a set that were wanted and are no more. Error ids: those of the files.
  std::optional<Diagnostic> remove_unwanted(FileRole role, u32 set, const TextureNames& old,
                                            const TextureNames& wanted);
  u64 textures_added() const { return textures_added_; }
  u64 textures_removed() const { return textures_removed_; }

 private:
  FileRole list_role() const {
    return role_ == FileRole::room_props ? FileRole::room_anime_lists : FileRole::anime_lists;
  }
  std::vector<u32> animations_of(u32 model, FileRole) const;
  bool is_shared_animation(u32 animation, u32 model) const;
  std::optional<Diagnostic> rename_textures(u32 model, const TextureRenames&);
  Result<Bytes> make_animation_list(u32 number, const std::array<i32, k_most_animations>& ids, u8 count,
                                    bool is_deferred) const;

  const GameTables& t_;
  ChangedFiles& changed_;
  FileRole role_ = FileRole::props;
  std::map<u32, Bytes> textures_of_;               // by stored model: NSBTX, or empty
  std::map<u32, std::vector<u32>> animations_of_;  // by stored model
  u64 textures_added_ = 0, textures_removed_ = 0;
};

}  // namespace dio::platinum
