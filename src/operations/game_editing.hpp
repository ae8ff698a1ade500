// game_editing.hpp: a game that is edited: edits that take several of its files, and parts that get other numbers,
// which everything that refers to them follows. No game is known here.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "formats/contract/game.hpp"
#include "operations/edit_steps.hpp"
#include "operations/edited_tree.hpp"
#include "operations/editing.hpp"

namespace dio {

/// The edits of parts, land/12, that every game has whose parts are numbered by their places in lists
/// (Game::numbered).
std::span<const ListEdit> part_edits();
/// Whether an edit is one of a game, and not of a file: by its name, and by what it is applied to.
bool is_game_edit(const EditStep&);

/// The file of which an edit brings the scene: that of its argument `scene`. Nothing if it brings none; empty if the
/// argument is missing.
std::optional<std::string> scene_argument_path(const GameKind&, const EditStep&);

/// Likewise, the file whose bytes an edit stores: that of its argument `source`. Nothing if it stores none.
std::optional<std::string> source_argument_path(const GameKind&, const EditStep&);

/// {"schema": "diorama.edits/1", "game", "edits": [{"edit", "usage", "about"}]}
Value describe_game_edits(const OpenedGame&);
/// The edits of parts that a game has: none, if no numbers of its parts can change.
std::span<const ListEdit> part_edits_of(const Game&);

class GameEditing {
 public:
  /// The files must outlive it. Ids: game.unknown, and those of opening the game.
  static Result<GameEditing> begin(const FileTree&);

  /// Goes on from files that were changed before. Ids: game.unknown, and those of opening the game.
  Result<bool> resume(EditedTree::Changed);

  /// Makes an edit; if it is refused, nothing has changed. Returns what was done, in a line. Ids: edit.argument,
  /// edit.referred (a part is still referred to), edit.limit, game.part, and those of the files.
  /// `scene`: what the file is that `scene_argument_path` names. `source`: the bytes of the one that
  /// `source_argument_path` names.
  Result<std::string> run(const EditStep&, Referrers = Referrers::refuse, const scene::Scene* scene = nullptr,
                          std::optional<ByteView> source = {});

  /// All files, as they are now.
  const FileTree& files() const { return *files_; }
  const GameKind& kind() const { return *game_.kind; }
  const Game& game() const { return *game_.game; }
  /// The files that have other bytes, by path.
  const EditedTree::Changed& changed() const { return files_->changed(); }
  /// What the last edit has set: map_matrix.narc/0: land_data_ids[3][4]: 12 -> 13.
  const std::vector<std::string>& last() const { return last_; }
  /// What the last edit could not keep.
  const Diagnostics& notes() const { return notes_; }
  /// Parts of scenes that the game does not have after all edits.
  u64 lost() const { return lost_; }

 private:
  /// A value that leads to a part, and what it shall be.
  struct DependentUpdates {
    std::string file, path, was, is;
  };
  GameEditing() = default;
  Result<bool> reopen();
  Result<std::string> run_game_edit(const GameEdit&, const EditStep&, const scene::Scene*,
                                    std::optional<ByteView> source);
  Result<std::string> run_part_edit(const EditStep&, Referrers);
  Result<std::string> run_unnumbered_part_edit(const EditStep&, const GamePart&);
  Result<std::string> set_values(const EditStep&);
  /// Writes the files of an edit. Returns what was done.
  Result<std::string> take(Result<GameEdited>);
  /// The part that is meant, or refuses. `kind`: of parts that may be typed as a number alone; may be empty.
  Result<const GamePart*> find_part(std::string_view typed, std::string_view kind) const;
  /// Every value that leads to a part of that kind whose number changes. `now`: by number; nothing: it is removed.
  Result<std::vector<DependentUpdates>> collect_reference_updates(std::string_view kind,
                                                                  const std::vector<std::optional<u32>>& now,
                                                                  Referrers) const;
  Result<bool> set(const std::vector<DependentUpdates>&);

  std::unique_ptr<EditedTree> files_;
  OpenedGame game_{};
  std::vector<std::string> last_;
  Diagnostics notes_;
  u64 lost_ = 0;
};

}  // namespace dio
