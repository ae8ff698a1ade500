// game.hpp: files that belong together: the maps of a game, whatever they lie in. What a game tells the registry, and
// what one does with any game.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/file_tree.hpp"
#include "formats/contract/any_document.hpp"

namespace dio {

class ArchiveTree;

/// One thing of a game that others point to. Its id is `kind/number`: land/489.
struct GamePart {
  std::string_view kind;  // land
  u32 number = 0;
  std::string name;  // as the game's makers or players call it; may be empty
  std::string path;  // of its file in the tree; empty: it is in none of its own
  std::string id() const { return std::string(kind) + '/' + std::to_string(number); }
  /// Whether somebody who types this means it: land/489, land/0489, or its name, in any case of letters; a map also by
  /// its number alone.
  bool is_typed(std::string_view) const;
};

/// One part uses another.
struct GameLink {
  u32 from = 0, to = 0;  // into GameGraph::parts
  bool operator==(const GameLink&) const = default;
};

/// Who points to whom. Links are sorted, each is there once.
struct GameGraph {
  std::vector<GamePart> parts;  // sorted by kind as the game lists its kinds, then by number
  std::vector<GameLink> links;
  /// The part with the id `land/489`, else the only one that is typed so (GamePart::is_typed); nothing if there is
  /// none.
  std::optional<u32> find(std::string_view typed) const;
};

/// What differs between two games, said at the level of maps.
struct GameChange {
  enum class Kind : u8 { added, removed, changed } kind = Kind::changed;
  std::string part;                  // land/489
  std::string name;                  // of the part
  std::string what;                  // props[3].position.x; empty: the part itself
  std::string was, is;               // for people
  u64 count = 1;                     // of values that this line stands for, such as tiles
  std::vector<std::string> seen_in;  // headers of maps where it shows, with their names
};

/// A map as a row of a table: what `dio maps` prints. The columns are the game's.
struct MapTable {
  std::vector<std::string> columns;
  std::vector<Value> rows;  // objects; each has every column, and of what cannot be used `problem`: why
};

/// What of a world is shown, and how.
struct WorldOptions {
  u32 time = 12 * 3600;                // seconds since midnight
  bool rotation = false;               // props are turned as their files say, which the game does not do
  std::vector<std::string> show = {};  // of Game::overlays
  std::string state = {};              // what the game would be told: night,heavy-rain,arrangement=1
  bool every_state = false;            // all states in one scene: node sets and variants
  bool lamps = false;                  // light stays light, as SceneOptions has it
  f32 tick_rate = 60;                  // as SceneOptions has it
};

/// A game that was opened. It reads files when it needs them; the tree must live as long. Not for several threads at a
/// time.
class Game {
 public:
  virtual ~Game() = default;
  virtual Value info() const = 0;
  virtual const GameGraph& graph() const = 0;
  virtual MapTable maps() const = 0;
  /// What needs more than one file to be seen. Places are files of the tree and paths in them. Without `known`, what
  /// the game was sold with is left out.
  virtual Diagnostics check(bool known) const = 0;
  /// From this one to another of the same kind.
  virtual std::vector<GameChange> diff(const Game& other) const = 0;
  /// Files that follow from others: their names.
  virtual std::vector<std::string_view> makes() const = 0;
  /// One of them. Ids: game.make, and those of what it is made from.
  virtual Result<Bytes> make(std::string_view name) const = 0;
  /// What may be shown over a world: tiles.
  virtual std::span<const std::string_view> overlays() const = 0;
  /// A part, or with an empty id the largest world there is, as a scene. Ids: game.part, scene.none.
  virtual Result<Staged> world(std::string_view part, const WorldOptions&) const = 0;
  /// The files that the game shows a part with whose file alone is not all there is to see: of a mesh, the textures and
  /// palettes of its map. Paths in the tree.
  virtual std::vector<std::string> shown_with(const GamePart&) const { return {}; }
  /// One part as the game uses it: for a map with states, what each of them changes, and which file gives what. For
  /// others, what it uses and what uses it. Ids: game.part, game.state.
  virtual Result<Value> describe(std::string_view part, const WorldOptions&) const;
};

/// A file that must change because others did.
struct FollowingFile {
  std::string path;
  Bytes bytes;
};

/// A game, to everything that knows no game by name.
struct GameKind {
  std::string_view id;  // platinum
  std::string_view title;
  /// The file by which it is known, for those who have others only.
  std::string_view anchor;
  /// Whether these are its files, and why.
  Sniff (*sniff)(const FileTree&);
  Result<std::unique_ptr<Game>> (*open)(const FileTree&);
  /// Rules of `Game::check`; those of its formats are theirs.
  std::span<const Rule> (*rules)();
  /// What `Game::world` and `Game::describe` read of WorldOptions, as the command line calls it: time, show, state.
  std::span<const std::string_view> options = {};
  /// For games whose files name others by place or size: those that must be written again after the files of `changed`
  /// have got other sizes in that image (or places). Null: there are none.
  Result<std::vector<FollowingFile>> (*follow)(const ArchiveTree& image,
                                               std::span<const std::string> changed) = nullptr;
};

/// Every game, in the order of the list in games.cpp.
std::span<const GameKind* const> game_kinds();

struct OpenedGame {
  const GameKind* kind;
  Sniff sniff;
  std::unique_ptr<Game> game;
};
/// The game whose files these are. Ids: game.unknown, and those of opening it.
Result<OpenedGame> open_game(const FileTree&);

/// No part is typed so: game.part, with the nearest of its kind, or the kinds there are.
Diagnostic unknown_part(const GameGraph&, std::string_view id);

}  // namespace dio
