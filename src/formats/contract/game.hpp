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

/// A part of a game that other parts can refer to. Its id is `kind/number`: land/489.
struct GamePart {
  std::string_view kind;  // land
  u32 number = 0;
  std::string name;          // a name used by makers or players of the game; may be empty
  std::string path;          // of its file in the tree; empty: no file of its own
  std::string element = {};  // headers[411]: the part of the file; empty: the whole file
  std::string id() const { return std::string(kind) + '/' + std::to_string(number); }
  /// Whether a typed name means this part: land/489, land/0489, or its name in any case; for a map also its number
  /// alone.
  bool matches_typed_name(std::string_view) const;
};

/// One part uses another.
struct GameLink {
  u32 from = 0, to = 0;  // into GameGraph::parts
  bool operator==(const GameLink&) const = default;
};

/// The references between parts. Links are sorted and unique.
struct GameGraph {
  std::vector<GamePart> parts;  // by kind in the order of the game, then by number
  std::vector<GameLink> links;
  /// The index of the part with the id `land/489`, or else of the only part that the typed name matches
  /// (GamePart::matches_typed_name), of the first kind with a match: a map rather than its model. Nothing if there is
  /// none.
  std::optional<u32> find(std::string_view typed) const;
};

/// A difference between two games at the level of maps.
struct GameChange {
  enum class Kind : u8 { added, removed, changed } kind = Kind::changed;
  std::string part;                  // land/489
  std::string name;                  // of the part
  std::string what;                  // props[3].position.x; empty: the part itself
  std::string was, is;               // for display
  u64 count = 1;                     // the number of values, such as tiles, that this line represents
  std::vector<std::string> seen_in;  // the headers and names of the maps that show it
};

/// The table of maps that `dio maps` prints. The columns depend on the game.
struct MapTable {
  std::vector<std::string> columns;
  std::vector<Value> rows;  // objects; each has every column, and `problem` if it cannot be used
};

/// The options for showing a world.
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

/// A file to update because other files changed.
struct DependentFile {
  std::string path;
  Bytes bytes;
};

/// A list whose positions are the numbers of parts: the members of an archive, the rows of a table.
struct NumberedList {
  std::string file, list;  // the path of the file in the tree, and of the list in the file
};

/// A part that is a source, as the file that a build makes of it.
struct BuiltPart {
  Bytes file;
  std::string_view format;   // id
  std::string element = {};  // as in GamePart
};

struct GameEdited;

/// An open game. It reads files on demand, so the tree must outlive it. Not thread-safe.
class Game {
 public:
  virtual ~Game() = default;
  virtual Value info() const = 0;
  virtual const GameGraph& graph() const = 0;
  virtual MapTable maps() const = 0;
  /// Findings that need more than one file. Locations are files of the tree and paths in them. Without `known`, known
  /// findings of the retail game are left out.
  virtual Diagnostics check(bool known) const = 0;
  /// Counts of field values whose meaning is not proven, without contents of the game, for `dio verify --report`.
  virtual Value count_unproven_values() const { return Value::object(); }
  /// The differences from another game of the same kind.
  virtual std::vector<GameChange> diff(const Game& other) const = 0;
  /// The names of files that can be derived from other files.
  virtual std::vector<std::string_view> makes() const = 0;
  /// Derives one of these files. Ids: game.make, and those of its sources.
  virtual Result<Bytes> make(std::string_view name) const = 0;
  /// The overlays that a world can have: tiles.
  virtual std::span<const std::string_view> overlays() const = 0;
  /// A part as a scene; with an empty id, the largest world. Ids: game.part, scene.none.
  virtual Result<SceneResult> world(std::string_view part, const WorldOptions&) const = 0;
  /// The other files that the game needs to show a part, by their paths in the tree: for a mesh, the files with the
  /// textures and palettes of its map.
  virtual std::vector<std::string> shown_with(const GamePart&) const { return {}; }
  /// A description of one part: for a map with states, the changes in each state and the source file of each part; for
  /// other parts, the parts that they use and that use them. Ids: game.part, game.state.
  virtual Result<Value> describe(std::string_view part, const WorldOptions&) const;
  /// The resource use of a part against the limits of the console and the game: {"part", "name"?, "budgets": [...]},
  /// with entries like those of Format::budget. Ids: game.part, game.budget (no limits are known for parts of this
  /// kind).
  virtual Result<Value> budget(std::string_view part) const;
  /// The kinds of parts in the summary of a game: each part of these kinds has a budget.
  virtual std::span<const std::string_view> budget_kinds() const { return {}; }
  /// All lists whose positions are the numbers of the parts of a kind, which are therefore edited together. None if the
  /// numbers are fixed, follow from file names, or are those of another kind.
  virtual std::vector<NumberedList> numbered(std::string_view /*kind*/) const { return {}; }
  /// Why the parts of a kind have no such lists, if there is more to say than that.
  virtual std::string_view why_not_numbered(std::string_view /*kind*/) const { return {}; }
  /// For parts that are sources of a decompilation: the built file. Nothing for other parts. Ids: those of the files.
  virtual Result<std::optional<BuiltPart>> build_part(const GamePart&) const { return std::nullopt; }
  /// Changes the sources so that the build makes this file. Ids: edit.limit, and those of the files.
  virtual Result<GameEdited> change_built_part(const GamePart&, Bytes) const;
  /// Copies a part whose kind has no numbered lists to the next number. Ids: edit.argument if its kind cannot be
  /// copied, and those of the files.
  virtual Result<GameEdited> duplicate_part(const GamePart&) const;
  /// For a part with textures: the texture and palette pairs that the game shows. Other parts have none.
  virtual std::vector<TexturePair> pairs(std::string_view part) const;
};

/// A changed file of an image.
struct ChangedFile {
  std::string path;
  std::optional<u64> was_at;  // on a disc: the sector where it started
};
/// The result of a game edit: files by their paths in the tree, including files in archives.
struct GameEdited {
  std::string done;                  // in a line
  std::vector<DependentFile> files;  // including new files, in existing folders
  Diagnostics notes = {};            // parts that could not be kept
  u64 lost = 0;                      // as in Made: notes about parts of a scene that the game does not have
};
/// An edit that may change several files: `dio edit GAME add-prop land=12 model=40 x=8 z=24`.
struct GameEdit {
  std::string_view name;
  std::span<const Parameter> parameters;
  std::string_view about;
  /// Ids: edit.argument, edit.limit, and those of the files.
  Result<GameEdited> (*apply)(const Game&, std::span<const Argument>);
  /// Replaces `apply` for edits that import a scene from the file of the argument `scene`. Same ids, and those of
  /// building its files.
  Result<GameEdited> (*bring)(const Game&, const scene::Scene&, std::span<const Argument>) = nullptr;
  /// Replaces `apply` for edits that can store a file of the user's, which the argument `source` names. Same ids.
  Result<GameEdited> (*store)(const Game&, std::optional<ByteView> source, std::span<const Argument>) = nullptr;
  /// Whether arguments of the kind `file` name files of the user's, whose contents `apply` gets; else files of the
  /// game.
  bool reads_files = false;
};

/// Parts of one kind, for selection lists.
struct PartKind {
  std::string_view kind, title;  // "header", "Maps"
  bool is_map =
      false;  // players know these parts as the places of the game; otherwise they are components of such places
};

/// A game, for code that knows no game by name.
struct GameKind {
  std::string_view id;  // platinum
  std::string_view title;
  /// The file that identifies the game, for messages.
  std::string_view anchor;
  /// How certain it is that these are its files, and why.
  Sniff (*sniff)(const FileTree&);
  Result<std::unique_ptr<Game>> (*open)(const FileTree&);
  /// The rules of `Game::check`; formats have their own.
  std::span<const Rule> (*rules)();
  /// The members of WorldOptions that `Game::world` and `Game::describe` use, by their command-line names: time, show,
  /// state.
  std::span<const std::string_view> options = {};
  /// The kinds of parts that `Game::world` can show, in list order.
  std::span<const PartKind> scene_parts = {};
  /// For games whose files store the positions or sizes of other files: the files to update after those in `changed`
  /// have new sizes or positions in the image. Null: none.
  Result<std::vector<DependentFile>> (*follow)(const ArchiveTree& image,
                                               std::span<const ChangedFile> changed) = nullptr;
  /// Same, after a folder was packed into an image: files by their paths in the image, and notes on those that cannot
  /// be updated. No file changes its size. Null: none.
  Result<GameEdited> (*follow_packing)(const FileTree& folder, const ArchiveTree& image) = nullptr;
  /// For projects that keep archives unpacked in folders (DSPRE): the path of the archive of such a folder (maps) in a
  /// cartridge. Empty: not known. Null: none.
  std::string (*find_packed_archive)(std::string_view folder, std::string_view game_code,
                                     const FileTree& cartridge) = nullptr;
  /// Whether a folder is a source tree that the game is built from. Null: there are none.
  bool (*is_source_tree)(const FileTree&) = nullptr;
  /// The files of the folder of a cartridge that change if the maps of a source tree replace those of the cartridge.
  /// Notes: what is not taken from the tree. Ids: archive.pack, game.unknown, file.missing, and those of the files.
  Result<std::vector<DependentFile>> (*build_cartridge_files)(const FileTree& sources, const FileTree& cartridge,
                                                              Diagnostics& notes) = nullptr;
  /// Whether the game finds a moved file of a disc after these updates. Null: none.
  bool (*finds_elsewhere)(const FileTree& image, std::string_view path) = nullptr;
  /// Edits that change several files of the game.
  std::span<const GameEdit> edits = {};
};

/// Every game, in the order of the list in games.cpp.
std::span<const GameKind* const> game_kinds();

/// The game whose family a format belongs to; null if it belongs to none.
const GameKind* game_kind_of(const Format&);

struct OpenedGame {
  const GameKind* kind;
  Sniff sniff;
  std::unique_ptr<Game> game;
};
/// Detects and opens a game. Ids: game.unknown, and those of opening the game.
Result<OpenedGame> open_game(const FileTree&);

/// The error for an unknown part (game.part), with the closest part of its kind, or with the existing kinds.
Diagnostic unknown_part(const GameGraph&, std::string_view id);

}  // namespace dio
