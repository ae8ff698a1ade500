// operations.hpp: what the command line, the C interface and the tests do with a file of any format.
#pragma once
#include <functional>
#include <optional>

#include "formats/contract/scenes.hpp"
#include "formats/registry.hpp"

namespace dio {

/// All formats and what can be done with them: {"schema": "diorama.formats/1", "formats": [{"id", "title", "platform",
/// "extensions", "checks", "gltf", "samples", "options"}]}; `options` are {"name", "usage", "about", "remakes"} of
/// what makes a file of a scene, where the format can do that; `remakes`: of another file of the format, too. `samples`
/// tells how many there are of a format; without it the member is left out.
Value describe_formats(const std::function<u64(const Format&)>& samples = {});

/// A file that was read: its bytes, its format, the document and the doubts.
struct Opened {
  std::string name;
  Bytes bytes;
  const Format* format = nullptr;
  LoadOptions options;  // that it was read with
  Sniff sniff;
  std::unique_ptr<AnyDocument> document;
  Diagnostics notes;
  bool looked_beside = false;   // whether anybody has looked for the files that belong to it
  std::vector<Opened> beside;   // those that are there
  Diagnostics beside_problems;  // why one that is there cannot be read

  /// splashpack; splashpack-d if somebody has said its layout.
  std::string format_id() const { return ReadAs{format, options}.id(); }
  Traced trace() const;
  /// With the spans alone that these paths lead to.
  Traced trace(const PathTree& only) const;
};

/// `course` of `maps/course.kmp`.
std::string stem_of(std::string_view file_name);

/// Detects (or takes `as`) and loads. `strict` makes a doubt a stop. Takes the bytes, unless it refuses.
Result<Opened> open(Bytes&& bytes, std::string name, const ReadAs& as = {}, bool strict = false);
inline Result<Opened> open(const Bytes& bytes, std::string name, const ReadAs& as = {}, bool strict = false) {
  return open(Bytes(bytes), std::move(name), as, strict);
}

/// Opens what lies beside a file and belongs to it (`Belonging::beside`). `read` gives the file of a name in its
/// folder, nothing if there is none.
void open_beside(Opened&, const std::function<std::optional<Bytes>(const std::string& name)>& read);

/// Those that were given, and what lies beside the file, unless one of that format was given.
std::vector<Companion> companions_of(const Opened&, std::vector<Companion> given = {});

/// The scene of a file, named after it if nothing in it has a name. Ids: scene.none (there is nothing to show).
Result<Staged> to_scene(const Opened&, const SceneOptions& = {});

/// Puts an edited scene back into the file it was made of, in whatever units it is. The format has `from_scene`. Ids:
/// scene.source, and those of the format.
Result<TakenScene> from_scene(Opened&, scene::Scene);

/// What files that belong to this one do not fit: what a scene of all of them says, without hints.
Diagnostics unfit(const Opened&, std::span<const Companion> others);

/// Doubts of loading and findings of the format's checks, with offsets, in the order of the file. If somebody has
/// looked beside the file, also what is wrong with what lies there. Without `known`, what the makers of the game
/// shipped the file with is left out.
Diagnostics check(const Opened&, bool known = true);

/// {"schema": "diorama.document/1", "format", "size", "digest", "residue"?, "document"}: everything needed for the same
/// bytes.
Value decode(const Opened&);
Value decode(const Spans&, const Format&);
/// All of it but `document`, for those that write that from the spans.
Value document_head(const Spans&, const Format&);

/// The inverse. Unedited values give the bytes they came from; edited ones are placed. `limit`: how many bytes the file
/// may say it has (core/budget.hpp); else 1 GiB. Ids: layout.*, detect.unknown.
Result<Bytes> encode(const Value&, SaveOptions = {}, std::optional<u64> limit = {});

struct Assignment {
  std::string path, value;  // as typed: 3, 0x1F, 1.5, moving road, "text"
};
/// Changes the bytes of these values and what must follow from them (derived sizes, counts, trees). Id: path.unknown.
Result<Bytes> set_values(const Opened&, std::span<const Assignment>);
/// The same of a file that was traced to its end. The diagnostic names no file.
Result<Bytes> set_values(const ReadAs&, const Spans&, std::span<const Assignment>);

/// What verify found: whether the file comes back byte for byte, straight and through decode and encode.
struct Verified {
  bool straight = false, through_json = false;
  std::string problem;  // the first difference
  bool identical() const { return straight && through_json; }
};
/// Makes text of what is decoded (`document_head`, and the spans of `document`) and reads it back. It is passed in
/// because JSON text is no business of formats.
using ThroughText = std::function<Result<Value>(const Value& head, const Spans&)>;
Verified verify(const Opened&, const ThroughText&);

/// Gives each diagnostic the offset and size of what its path names.
void locate(Diagnostics&, const Spans&);

}  // namespace dio
