// game.hpp: whole games: maps made of several files, in a folder or an archive. The record of a game in the registry,
// and the operations on any game.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/file_tree.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"

namespace dio {

class ArchiveTree;

/// A part of a game that others refer to. Its id is `kind/number`: land/489.
struct GamePart {
  std::string_view kind;  // land
  u32 number = 0;
  std::string name;          // as the game's makers or players call it; may be empty
  std::string path;          // of its file in the tree; empty: it has no file of its own
  std::string element = {};  // headers[411]: the part of the file that it is; empty: all of it
  std::string id() const { return std::string(kind) + '/' + std::to_string(number); }
  /// Whether somebody who types this means it: land/489, land/0489, or its name, in any case of letters; a map also by
  /// its number alone.
  bool matches_typed_name(std::string_view) const;
};

/// One part uses another.
struct GameLink {
  u32 from = 0, to = 0;  // into GameGraph::parts
  bool operator==(const GameLink&) const = default;
};

/// Which parts refer to which. Links are sorted and unique.
struct GameGraph {
  std::vector<GamePart> parts;  // sorted by kind as the game lists its kinds, then by number
  std::vector<GameLink> links;
  /// The index of the part with the id `land/489`, or else of the only one that is typed so
  /// (GamePart::matches_typed_name), of the first kind that has any: of a map rather than of its model. Nothing if
  /// there is none.
  std::optional<u32> find(std::string_view typed) const;
};

/// A difference between two games, at the level of maps.
struct GameChange {
  enum class Kind : u8 { added, removed, changed } kind = Kind::changed;
  std::string part;                  // land/489
  std::string name;                  // of the part
  std::string what;                  // props[3].position.x; empty: the part itself
  std::string was, is;               // for display
  u64 count = 1;                     // number of values, such as tiles, that this line represents
  std::vector<std::string> seen_in;  // the headers of the maps that show it, with their names
};

/// The table of maps that `dio maps` prints. The columns depend on the game.
struct MapTable {
  std::vector<std::string> columns;
  std::vector<Value> rows;  // objects; each has every column, and `problem` if it cannot be used
};

/// What to show of a world, and how.
struct WorldOptions {
  u32 time = 12 * 3600;                // seconds since midnight
  bool rotation = false;               // apply the prop rotations in the files, which the game ignores
  std::vector<std::string> show = {};  // of Game::overlays
  std::string state = {};              // as typed: night,heavy-rain,arrangement=1
  bool every_state = false;            // all states in one scene: node sets and variants
  bool lamps = false;                  // as in SceneOptions
  f32 tick_rate = 60;                  // as in SceneOptions
  bool sources = false;                // as in SceneOptions
};

/// A file that must be updated because others changed.
struct DependentFile {
  std::string path;
  Bytes bytes;
};

/// A list whose places are the numbers of parts: the members of an archive, the rows of a table.
struct NumberedList {
  std::string file, list;  // the path of the file in the tree, and of the list in it
};

/// An open game. It reads files when it needs them, so the tree must outlive it. Not thread-safe.
class Game {
 public:
  virtual ~Game() = default;
  virtual Value info() const = 0;
  virtual const GameGraph& graph() const = 0;
  virtual MapTable maps() const = 0;
  /// Findings that take more than one file. Places are files of the tree and paths in them. Without `known`, findings
  /// known in the retail game are left out.
  virtual Diagnostics check(bool known) const = 0;
  /// The differences to another game of the same kind.
  virtual std::vector<GameChange> diff(const Game& other) const = 0;
  /// The names of files that can be derived from others.
  virtual std::vector<std::string_view> makes() const = 0;
  /// One of them. Ids: game.make, and those of its sources.
  virtual Result<Bytes> make(std::string_view name) const = 0;
  /// The overlays that a world can have: tiles.
  virtual std::span<const std::string_view> overlays() const = 0;
  /// A part as a scene; with an empty id, the largest world. Ids: game.part, scene.none.
  virtual Result<SceneResult> world(std::string_view part, const WorldOptions&) const = 0;
  /// The other files that the game needs to show a part, by their paths in the tree: for a mesh, those with the
  /// textures and palettes of its map.
  virtual std::vector<std::string> shown_with(const GamePart&) const { return {}; }
  /// A description of one part: for a map with states, what each state changes and which file provides what; for other
  /// parts, what they use and what uses them. Ids: game.part, game.state.
  virtual Result<Value> describe(std::string_view part, const WorldOptions&) const;
  /// What a part takes of what the console and the game have for it: {"part", "name"?, "budgets": [...]}, entries as
  /// those of Format::budget. Ids: game.part, game.budget (no limits are known for parts of this kind).
  virtual Result<Value> budget(std::string_view part) const;
  /// The kinds of parts by which a game is summed up: each part of them has a budget.
  virtual std::span<const std::string_view> budget_kinds() const { return {}; }
  /// All lists whose places are the numbers of the parts of a kind, which are therefore edited together. None: the
  /// numbers are fixed, follow from the names of files, or are those of parts of another kind.
  virtual std::vector<NumberedList> numbered(std::string_view /*kind*/) const { return {}; }
  /// Of a part that is textures: those that the game shows with it put together, and how. Others have none.
  virtual std::vector<TexturePair> pairs(std::string_view part) const;
};

/// A file of an image that has other bytes now.
struct ChangedFile {
  std::string path;
  std::optional<u64> was_at;  // on a disc: the sector in which it started
};
/// What an edit of a game changes: files by their paths in the tree, also those in archives.
struct GameEdited {
  std::string done;                  // in a line
  std::vector<DependentFile> files;  // also new ones, in folders that are there
  Diagnostics notes = {};            // what could not be kept
};
/// An edit that takes several files: `dio edit GAME add-prop land=12 model=40 x=8 z=24`.
struct GameEdit {
  std::string_view name, usage, about;
  /// Ids: edit.argument, edit.limit, and those of the files.
  Result<GameEdited> (*apply)(const Game&, std::span<const Argument>);
  /// Instead of `apply`, for edits that bring in a scene, from the file of the argument `scene`. The same ids, and
  /// those of what is made of it.
  Result<GameEdited> (*bring)(const Game&, const scene::Scene&, std::span<const Argument>) = nullptr;
};

/// Parts of one kind, for lists that people choose from.
struct PartKind {
  std::string_view kind, title;  // "header", "Maps"
  bool is_map = false;           // players know them as the places of the game; else what those consist of
};

/// A game, for code that knows no game by name.
struct GameKind {
  std::string_view id;  // platinum
  std::string_view title;
  /// The file that identifies the game, for messages.
  std::string_view anchor;
  /// How sure it is that these are its files, and why.
  Sniff (*sniff)(const FileTree&);
  Result<std::unique_ptr<Game>> (*open)(const FileTree&);
  /// The rules of `Game::check`; formats have their own.
  std::span<const Rule> (*rules)();
  /// The members of WorldOptions that `Game::world` and `Game::describe` use, by their command-line names: time, show,
  /// state.
  std::span<const std::string_view> options = {};
  /// The kinds of parts that `Game::world` makes scenes of, in the order in which they are listed.
  std::span<const PartKind> scene_parts = {};
  /// For games in which files store the positions or sizes of others: the files to update after those in `changed` have
  /// new sizes or positions in the image. Null: none.
  Result<std::vector<DependentFile>> (*follow)(const ArchiveTree& image,
                                               std::span<const ChangedFile> changed) = nullptr;
  /// The same when a folder has become an image: by their paths in that, and notes on those that cannot be updated.
  /// None changes its size. Null: none.
  Result<GameEdited> (*follow_packing)(const FileTree& folder, const ArchiveTree& image) = nullptr;
  /// Whether the game finds a file of a disc in another sector, once those have been updated. Null: none.
  bool (*finds_elsewhere)(const FileTree& image, std::string_view path) = nullptr;
  /// The edits that take several of its files.
  std::span<const GameEdit> edits = {};
};

/// Every game, in the order of the list in games.cpp.
std::span<const GameKind* const> game_kinds();

struct OpenedGame {
  const GameKind* kind;
  Sniff sniff;
  std::unique_ptr<Game> game;
};
/// Detects and opens a game. Ids: game.unknown, and those of opening it.
Result<OpenedGame> open_game(const FileTree&);

/// The refusal of an unknown part (game.part), with the nearest one of its kind, or with the kinds that exist.
Diagnostic unknown_part(const GameGraph&, std::string_view id);

}  // namespace dio
