// format.hpp: what a format tells the registry, and the templates that make it from one document type.
#pragma once
#include <memory>
#include <string>

#include "layout/document.hpp"
#include "scene/scene.hpp"

namespace dio {

/// How sure a format is that bytes are its own, and why; or, if they are not, what they are that was taken for it.
struct Sniff {
  enum class Certainty : u8 { no, possible, likely, certain } certainty = Certainty::no;
  std::string reason;
};
std::string_view to_string(Sniff::Certainty);

/// A document whose type only its format knows.
class AnyDocument {
 public:
  virtual ~AnyDocument() = default;
  virtual Result<Bytes> save(SaveOptions) const = 0;
};
template <class T>
class DocumentOf final : public AnyDocument {
 public:
  explicit DocumentOf(Document<T> d) : document(std::move(d)) {}
  Result<Bytes> save(SaveOptions o) const override { return dio::save(document, o); }
  Document<T> document;
};
template <class T>
T& edit_of(AnyDocument& d) {
  return static_cast<DocumentOf<T>&>(d).document.edit();
}
template <class T>
const T& value_of(const AnyDocument& d) {
  return static_cast<const DocumentOf<T>&>(d).document.value();
}

/// Collects what checks find. Places are paths; offsets are looked up afterwards, and only if there is a finding.
class Findings {
 public:
  explicit Findings(std::span<const Rule> rules) : rules_(rules) {}
  /// The severity is the rule's.
  void add(std::string_view id, std::string path, std::string found, std::string expected = {}, std::string hint = {});
  /// Where one rule knows two severities.
  void add_as(Severity, std::string_view id, std::string path, std::string found, std::string expected = {},
              std::string hint = {});
  Diagnostics list;
  u64 file_size = 0;  // of the file the document was read from; 0: there is none

 private:
  std::span<const Rule> rules_;
};

struct Format;

/// A file that belongs to the one that is shown: textures of a model, its animations.
struct Companion {
  std::string name;  // of the file
  const Format* format;
  const AnyDocument* document;
};

struct SceneOptions {
  std::span<const Companion> companions = {};
  /// Light as the game computes it goes into the vertex colours; else colours are those of the file.
  bool lit = false;
  /// Light stays light: the scene has lamps, and materials that they shine on.
  bool lamps = false;
  /// How often a second the game counts, for formats that count time in ticks of unknown length.
  f32 tick_rate = 60;
};

/// A scene, and what of the files is not in it or not as the game shows it.
struct Staged {
  scene::Scene scene;
  Diagnostics notes;
};

/// A file that was made, beside others of the same name: scene.splashpack, scene.vram.
struct MadeFile {
  std::string extension;  // with the dot: .vram
  Bytes bytes;
};
/// What was made of a scene, or of a file in another version of its format.
struct Made {
  std::vector<MadeFile> files;  // the first is of the format that was asked for
  Diagnostics notes;            // what is not as it was in the source
};

/// A repair that was done.
struct Repair {
  std::string id;     // of the rule that found it
  std::string path;   // what was repaired
  std::string about;  // "17 colours became 18"
};

/// A picture of a file, under the name it has in a folder of pictures.
struct NamedImage {
  std::string file;
  scene::Image image;
};
struct PictureOptions {
  bool every_palette = false;  // each picture with each palette that has all its colours
  /// Files that have the palettes, for formats that keep them elsewhere.
  std::span<const Companion> companions = {};
};
/// The pictures of a file; `manifest` says what each is: for people, and for putting them back.
struct PictureSet {
  std::vector<NamedImage> images;
  Value manifest;
  Diagnostics notes = {};  // what of the pictures is not as the game shows it
};
/// What has become of pictures that were put back.
struct TakenPictures {
  u32 unchanged = 0, changed = 0;
  Diagnostics notes;  // pictures that cannot be shown exactly
};

/// What has become of a scene that was put back.
struct TakenScene {
  u32 unchanged = 0, changed = 0;  // polygons
  Diagnostics notes;               // what cannot be kept exactly
};

/// What a document is built from when it comes from JSON: what its values cannot say.
struct Encoding {
  u64 size = 0;
  std::vector<Residue> residue;
  std::string digest;  // of the file as it was decoded; empty: made by hand
};
std::string digest_of(ByteView);

/// A file inside an archive.
struct Member {
  std::string path;          // its name, with folders; of members without names: their number. Parts are separated by /
  u64 offset = 0, size = 0;  // in the archive; what `content` gives may be longer, where the archive packs it
};
/// Other bytes for a member of an archive.
struct NewContent {
  size_t member;
  Bytes bytes;
};
/// What an archive can do besides what every file can. It works on the bytes of the archive, so that nothing is copied
/// to look into a large one. Ids: layout.*, and those of the format.
struct ArchiveOps {
  /// In the order of their numbers. Paths are as the archive has them: not to be trusted as names of files.
  Result<std::vector<Member>> (*members)(ByteView archive);
  /// A member as the game gets it: unpacked where the archive packs it.
  Result<Bytes> (*content)(ByteView archive, const Member&);
  /// The archive with other bytes for some members. The others stay where they are if the new ones fit.
  Result<Bytes> (*replace)(ByteView archive, std::span<const NewContent>);
};

/// What an edit is given, as typed: plate=3.
struct Argument {
  std::string name, value;
};
/// A change that has a name, besides setting values: `dio edit FILE raise-plate plate=3 by=16`.
struct Edit {
  std::string_view name;   // raise-plate
  std::string_view usage;  // "plate=N by=UNITS"
  std::string_view about;  // one line
  /// Edits the document; says what was done. Ids: edit.argument, and those of the format.
  Result<std::string> (*apply)(AnyDocument&, std::span<const Argument>);
};
/// What making a file needs to be told, and may be: `dio convert scene.glb -o scene.splashpack --scaling 50`.
struct MakeOption {
  std::string_view name;   // scaling
  std::string_view usage;  // "UNITS"
  std::string_view about;  // one line
  bool remakes = false;    // `remake` reads it, too
};
/// A question about a place in what a file describes: `dio explain land.bin#height@8,24`.
struct Question {
  std::string_view name;   // height
  std::string_view usage;  // "X,Z"
  std::string_view about;  // one line
  /// Ids: question.argument.
  Result<Value> (*answer)(const AnyDocument&, std::string_view argument);
};

/// A format, to everything that knows no format by name.
struct Format {
  std::string_view id;          // kmp
  std::string_view title;       // Mario Kart Wii course
  std::string_view platform;    // Wii
  std::string_view extensions;  // ".kmp", several with spaces between
  Sniff (*sniff)(ByteView, std::string_view name);
  Result<Loaded<std::unique_ptr<AnyDocument>>> (*load)(ByteView);
  Traced (*trace)(ByteView);
  /// Values to bytes: those of `Encoding::digest` if nothing was edited, else placed.
  Result<Bytes> (*encode)(const Value& document, const Encoding&, SaveOptions);
  Result<Bytes> (*follow)(ByteView original, ByteView patched);
  std::span<const Rule> (*rules)();
  void (*check)(const AnyDocument&, Findings&);
  Value (*info)(const AnyDocument&);
  Result<Staged> (*to_scene)(const AnyDocument&, const SceneOptions&);  // null: nothing to show
  std::string_view goes_with = {};  // the format whose files these belong to: textures and animations go with models
  /// Whether it can be used with that file, judged by what is in them.
  bool (*fits)(const AnyDocument& companion, const AnyDocument& main) = nullptr;
  /// Whether it can use a file that goes with another format: a map has the textures of models.
  bool (*takes)(const AnyDocument& main, const Companion&) = nullptr;
  Result<PictureSet> (*pictures)(const AnyDocument&, const PictureOptions&) = nullptr;  // null: it never has any
  /// Puts pictures back into what the manifest says they are from, and edits the document.
  Result<TakenPictures> (*take_pictures)(AnyDocument&, const Value& manifest, std::span<const NamedImage>) = nullptr;
  /// Puts a scene back that `to_scene` made of this file and that was edited: what still says where it comes from
  /// (`Primitive::sources`). Ids: scene.source, and those of the format. Null: it cannot.
  Result<TakenScene> (*from_scene)(AnyDocument&, const scene::Scene&) = nullptr;
  /// What `to_scene` reads of SceneOptions, as the command line calls it: lit, lamps, tick-rate.
  std::span<const std::string_view> scene_options = {};
  /// The names of files that belong to the one of this name and lie beside it: scene.vram of scene.splashpack. Who
  /// finds them gives them along as companions. Null: none.
  std::vector<std::string> (*beside)(std::string_view name) = nullptr;
  /// As `check`, for formats whose rules look at what lies beside the file, too. Null: `check` is all.
  void (*check_with)(const AnyDocument&, std::span<const Companion>, Findings&) = nullptr;
  /// Repairs what has one safe repair, and edits the document.
  std::vector<Repair> (*repair)(AnyDocument&) = nullptr;
  /// What a console has of everything and what the file takes of it: {"budgets": [{"name", "used", "of", "unit"}],
  /// ...}.
  Value (*budget)(const AnyDocument&, std::span<const Companion>) = nullptr;
  /// Makes files of this format from a scene of any origin. Null: it cannot. Ids: make.argument, and those of the
  /// format.
  Result<Made> (*make)(const scene::Scene&, std::span<const Argument>) = nullptr;
  /// The same file in another version or layout of its format. Ids: make.argument, and those of the format.
  Result<Made> (*remake)(const AnyDocument&, std::span<const Companion>, std::span<const Argument>) = nullptr;
  std::span<const MakeOption> make_options = {};
  /// {"document", "places": {"objects": [1, 0]}}: `b` with its parts in the order of those of `a` that they match by
  /// content, and where in `b` each was; each with what lies beside its file. For formats in whose files the order of
  /// some lists says nothing.
  Value (*matched)(const Value& a, std::span<const Companion> beside_a, const Value& b,
                   std::span<const Companion> beside_b) = nullptr;
  /// The same format in a layout that the file does not say: `--as splashpack-d`, found by `find_format` only.
  std::span<const Format> (*layouts)() = nullptr;
  const ArchiveOps* archive = nullptr;  // null: no archive
  std::span<const Edit> edits = {};
  std::span<const Question> questions = {};
  /// Whether the makers of the game shipped the file with this finding: not to be reported. By the digest of the file.
  bool (*is_known)(std::string_view digest, const Diagnostic&) = nullptr;
};

template <class T>
Result<Loaded<std::unique_ptr<AnyDocument>>> load_any(ByteView bytes) {
  auto r = dio::load<T>(bytes);
  if (!r) return refuse(std::move(r.error()));
  return Loaded<std::unique_ptr<AnyDocument>>{std::make_unique<DocumentOf<T>>(std::move(r->document)),
                                              std::move(r->notes)};
}

template <class T>
Result<Bytes> encode_any(const Value& document, const Encoding& e, SaveOptions options) {
  auto value = from_value<T>(document);
  if (!value) return refuse(std::move(value.error()));
  if (!options.canonical && !e.digest.empty()) {  // unedited: its bytes are the ones it came from
    auto bytes = write(*value, e.residue, e.size);
    if (bytes && digest_of(*bytes) == e.digest) return bytes;
  }
  auto d = Document<T>::as_read(std::move(*value), e.size, e.residue);
  (void)d.edit();
  return save(d, options);
}

/// Fills the parts of a record that follow from the document type alone.
template <class T>
constexpr Format format_of(Format f) {
  f.load = load_any<T>;
  f.trace = dio::trace<T>;
  f.encode = encode_any<T>;
  f.follow = dio::follow<T>;
  return f;
}

}  // namespace dio
