// operations.hpp: what the command line, the C interface and the tests do with a file of any format.
#pragma once
#include <functional>
#include <optional>

#include "core/file_tree.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/registry.hpp"

namespace dio {

/// All formats and what they support: {"schema": "diorama.formats/1", "formats": [{"id", "title", "platform",
/// "extensions", "checks", "gltf", "placed"?, "node_kinds"?, "simulates"?, "samples", "options"}]}; `placed` are the
/// kinds of nodes in its scenes that can be moved in other programs, and come back; `node_kinds` say how viewers show
/// nodes (NodeKind): {"kind", "path"?, "layer"?, "overlay"?, "content"?, "faint"?, "hidden"?, "state"?, "label"?: false
/// or a member of the extras, "hides_as_game"?, "tiles"?, "tile_grid"?, "height"?, "point"?, "added_with"?, "cell"?};
/// `simulates` is true if it can be played by the rules of the game; `options` are the {"name", "usage", "about",
/// "remakes"} for making a file from a scene, if the format supports it; `remakes`: also from another file of the
/// format. `samples` returns their number for a format; without it, the member is left out.
Value describe_formats(const std::function<u64(const Format&)>& samples = {});

/// A file that was read: its bytes, format, document and warnings.
struct OpenedFile {
  std::string name;
  std::shared_ptr<const ByteSource> file;  // it is all in memory, or mapped into it
  ByteView bytes;                          // all of it
  const Format* format = nullptr;
  LoadOptions options;  // used for reading it
  Sniff sniff;
  std::shared_ptr<AnyDocument> document;  // of copies, too
  Diagnostics notes;
  bool looked_beside = false;                   // whether companions in the same folder were looked for
  std::vector<OpenedFile> beside;               // those that exist
  Diagnostics beside_problems;                  // why existing ones cannot be read
  std::shared_ptr<const FileTree> folder = {};  // its folder of an archive, for formats that check it

  /// splashpack; splashpack-d if a layout was specified.
  std::string format_id() const { return ReadAs{format, options}.id(); }
  TraceResult trace() const;
  /// With only the spans of these paths.
  TraceResult trace(const PathTree& only) const;
};

/// `course` of `maps/course.kmp`.
std::string file_stem(std::string_view file_name);

/// Detects the format (or uses `as`) and loads the file. `strict` turns warnings into errors. Takes the bytes, unless
/// it refuses.
Result<OpenedFile> open(Bytes&& bytes, std::string name, const ReadAs& as = {}, bool strict = false);
inline Result<OpenedFile> open(ByteView bytes, std::string name, const ReadAs& as = {}, bool strict = false) {
  return open(Bytes(bytes.begin(), bytes.end()), std::move(name), as, strict);
}
/// The same of a file with all of its bytes (`whole`).
Result<OpenedFile> open(std::shared_ptr<const ByteSource>, std::string name, const ReadAs& as = {},
                        bool strict = false);

/// Opens the companions of a file in its folder (`Belonging::beside`). `read` returns a file of the folder by name,
/// nothing if it does not exist.
void open_sibling_files(OpenedFile&,
                        const std::function<std::shared_ptr<const ByteSource>(const std::string& name)>& open_file);
void open_sibling_files(OpenedFile&, const std::function<std::optional<Bytes>(const std::string& name)>& read);

/// The companions that were given, and those in the folder of the file, unless one of the same format was given.
std::vector<Companion> collect_companions(const OpenedFile&, std::vector<Companion> given = {});

/// In the extras of a scene that can be applied to the file again: the digest of the file.
inline constexpr const char* k_digest_in_scenes = "digest";
/// Adds it to a scene that was made of the file otherwise: by its game.
void add_digest(scene::Scene&, const OpenedFile&);
/// The scene of a file, named after the file if it has no name. Ids: scene.none (nothing to show).
Result<SceneResult> to_scene(const OpenedFile&, const SceneOptions& = {});

/// Findings about companions that do not match: the notes of a scene with all of them, without hints.
Diagnostics find_companion_mismatches(const OpenedFile&, std::span<const Companion> others);

/// Warnings of loading and findings of the format's checks, with offsets, in the order of the file. If companions were
/// looked for, also what is wrong with them. Without `known`, findings known in retail files are left out.
Diagnostics check(const OpenedFile&, bool known = true);

/// What the rules of a format find in a document, by its path alone: no companions, no offsets. `spans`: of the file,
/// for formats in which references are looked for; null: they are not.
Diagnostics run_format_rules(const Format&, const AnyDocument&, u64 file_size, const Spans*);

/// The same of a file in a tree, with all that it belongs to in its folder. Ids: as FileTree::read, and those of
/// opening it.
Result<Diagnostics> check_archive_member(std::shared_ptr<const FileTree>, std::string_view path, bool known = true);

/// Findings of playing it by the rules of the game, with what lies beside it. The format must have `simulate`.
Diagnostics simulate(const OpenedFile&);

/// {"schema": "diorama.document/1", "format", "size", "digest", "residue"?, "document"}: the whole file, byte-exact.
Value decode(const OpenedFile&);
/// The same, as views of what was opened, which must outlive them: what is written to files.
Dom decode_to_dom(const OpenedFile&);

/// The inverse, also of lean JSON (omit_derived.hpp) and of JSON with ids in place of numbers (id_references.hpp).
/// Unedited values give the original bytes; edited ones get a new layout. `limit`: the largest size that the file may
/// be said to have (core/memory_budget.hpp); without it, 1 GiB. Ids: layout.*, detect.unknown.
Result<Bytes> encode(const Dom&, SaveOptions = {}, std::optional<u64> limit = {});
inline Result<Bytes> encode(const Value& v, SaveOptions options = {}, std::optional<u64> limit = {}) {
  return encode(Dom(v), options, limit);
}

/// The result of verify: whether reading and writing is byte-exact, directly and through decode and encode.
struct RoundTripResult {
  bool straight = false, through_json = false;
  std::string problem;  // the first difference
  bool identical() const { return straight && through_json; }
};
/// Writes values as text, parses it, and passes what it parsed on. It is passed in because this folder does not know
/// JSON text.
using Parsed = std::function<Result<Bytes>(const Dom&)>;
using JsonRoundTrip = std::function<Result<Bytes>(const Dom&, const Parsed&)>;
RoundTripResult verify(const OpenedFile&, const JsonRoundTrip&);

/// Adds the offset and size of its path to each diagnostic.
void add_offsets(Diagnostics&, const Spans&);

}  // namespace dio
