// operations.hpp: operations on files of any format, for the command line, the C interface and the tests.
#pragma once
#include <functional>
#include <optional>

#include "core/file_tree.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/registry.hpp"

namespace dio {

/// Describes all formats: {"schema": "diorama.formats/1", "formats": [{"id", "title", "platform", "extensions",
/// "checks", "gltf", "placed"?, "node_kinds"?, "simulates"?, "samples", "options"}]}. `placed` lists the kinds of scene
/// nodes that can be moved in other programs and imported again. `node_kinds` describes how viewers show nodes
/// (NodeKind): {"kind", "path"?, "layer"?, "overlay"?, "content"?, "faint"?, "hidden"?, "state"?, "label"?: false or a
/// member of the extras, "hides_as_game"?, "tiles"?, "tile_grid"?, "height"?, "point"?, "added_with"?, "cell"?}.
/// `simulates` is true if the format has a simulation of the game's rules. `options` lists the {"name", "usage",
/// "about", "remakes"} for making a file from a scene, if the format supports this; if `remakes` is true, the option
/// also applies to making a file from another file of the format. The parameter `samples` returns the number of samples
/// of a format; without it, the member `samples` is left out.
Value describe_formats(const std::function<u64(const Format&)>& samples = {});

/// A file that was read: its bytes, format, document and warnings.
struct OpenedFile {
  std::string name;
  std::shared_ptr<const ByteSource> file;  // completely in memory, or mapped into it
  ByteView bytes;                          // all bytes
  const Format* format = nullptr;
  LoadOptions options;  // used to read the file
  Sniff sniff;
  std::shared_ptr<AnyDocument> document;  // shared by copies
  Diagnostics notes;
  bool looked_beside = false;                   // whether companions in the same folder were looked for
  std::vector<OpenedFile> beside;               // existing companions
  Diagnostics beside_problems;                  // why existing companions cannot be read
  std::shared_ptr<const FileTree> folder = {};  // in its archive, for formats that check it

  /// The id of the format, such as splashpack, or splashpack-d if a layout was specified.
  std::string format_id() const { return ReadAs{format, options}.id(); }
  TraceResult trace() const;
  /// Traces only the spans of these paths.
  TraceResult trace(const PathTree& only) const;
};

/// Returns `course` for `maps/course.kmp`.
std::string file_stem(std::string_view file_name);

/// Detects the format (or uses `as`) and loads the file. `strict` turns warnings into errors. Moves the bytes into the
/// result; they stay unchanged if the function fails.
Result<OpenedFile> open(Bytes&& bytes, std::string name, const ReadAs& as = {}, bool strict = false);
inline Result<OpenedFile> open(ByteView bytes, std::string name, const ReadAs& as = {}, bool strict = false) {
  return open(Bytes(bytes.begin(), bytes.end()), std::move(name), as, strict);
}
/// Opens a file from a source with all of its bytes in memory (`whole`).
Result<OpenedFile> open(std::shared_ptr<const ByteSource>, std::string name, const ReadAs& as = {},
                        bool strict = false);

/// Opens the companions of a file in its folder (CompanionOps::beside). `open_file` and `read` return a file of the
/// folder by its name, or nothing if it does not exist.
void open_sibling_files(OpenedFile&,
                        const std::function<std::shared_ptr<const ByteSource>(const std::string& name)>& open_file);
void open_sibling_files(OpenedFile&, const std::function<std::optional<Bytes>(const std::string& name)>& read);

/// Returns the given companions, and those in the folder of the file unless a companion of the same format was given.
std::vector<Companion> collect_companions(const OpenedFile&, std::vector<Companion> given = {});

/// The member with the digest of the file, in the extras of a scene that can be applied to the file again.
inline constexpr const char* k_digest_in_scenes = "digest";
/// Adds the digest to a scene that the game of the file made; `to_scene` adds it by itself.
void add_digest(scene::Scene&, const OpenedFile&);
/// Creates the scene of a file. A scene without a name gets the name of the file. Errors: scene.none (nothing to show).
Result<SceneResult> to_scene(const OpenedFile&, const SceneOptions& = {});

/// Returns the notes about companions that do not match, from a scene with all companions. Hints are left out.
Diagnostics find_companion_mismatches(const OpenedFile&, std::span<const Companion> others);

/// Returns the warnings of loading and the findings of the format's checks, with offsets, ordered by offset. If
/// companions were looked for, also returns their problems. Without `known`, findings known in retail files are left
/// out.
Diagnostics check(const OpenedFile&, bool known = true);

/// Checks a document with the rules of its format, without companions and offsets. `spans`: the spans of the file, for
/// formats whose references are checked; null: no references are checked.
Diagnostics run_format_rules(const Format&, const AnyDocument&, u64 file_size, const Spans*);

/// Checks a file in a tree, with all related files in its folder. Errors: those of FileTree::read and of opening the
/// file.
Result<Diagnostics> check_archive_member(std::shared_ptr<const FileTree>, std::string_view path, bool known = true);

/// Simulates the game's rules, with the companions of the file, and returns the findings. The format must have
/// `simulate`.
Diagnostics simulate(const OpenedFile&);

/// Returns the whole file, byte-exact: {"schema": "diorama.document/1", "format", "size", "digest", "residue"?,
/// "document"}.
Value decode(const OpenedFile&);
/// Like `decode`, but returns views of the opened file, which must outlive them. Used for writing JSON.
Dom decode_to_dom(const OpenedFile&);

/// Returns the bytes of a file from its JSON; also from lean JSON (omit_derived.hpp) and from JSON with ids instead of
/// indices (id_references.hpp). Unedited values give the original bytes; edited values get a new layout. `limit`: the
/// largest file size that the JSON may state (core/memory_budget.hpp); default: 1 GiB. Errors: layout.*,
/// detect.unknown.
Result<Bytes> encode(const Dom&, SaveOptions = {}, std::optional<u64> limit = {});
inline Result<Bytes> encode(const Value& v, SaveOptions options = {}, std::optional<u64> limit = {}) {
  return encode(Dom(v), options, limit);
}

/// Of a file that is compressed as a whole: why it cannot be decompressed. Nothing for other files.
std::optional<Diagnostic> find_decoding_problem(const Format&, const ByteSource& file);

/// The result of verify: whether reading and writing is byte-exact, directly and through decode and encode.
struct RoundTripResult {
  bool straight = false, through_json = false;
  bool decodes = true;  // false: the file is compressed, and its data cannot be decompressed
  std::string problem;  // why it does not decode, or the first difference
  bool identical() const { return straight && through_json && decodes; }
};
/// A JsonRoundTrip writes values as JSON text, parses the text, and passes the result to `Parsed`. It is a parameter
/// because this folder does not depend on JSON text.
using Parsed = std::function<Result<Bytes>(const Dom&)>;
using JsonRoundTrip = std::function<Result<Bytes>(const Dom&, const Parsed&)>;
RoundTripResult verify(const OpenedFile&, const JsonRoundTrip&);

/// Adds the offset and the size of its path to each diagnostic.
void add_offsets(Diagnostics&, const Spans&);

}  // namespace dio
