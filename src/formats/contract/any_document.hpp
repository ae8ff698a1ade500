// any_document.hpp: documents whose type only their format knows, and descriptions of these types. The record of a
// format is in format.hpp.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/byte_source.hpp"
#include "layout/document.hpp"

namespace dio {

namespace scene {
struct Scene;
}

/// How certain a format is that a file is its own, and why; for other files, the similar format that it belongs to.
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
  /// Whether an unedited document saves to these bytes.
  virtual bool round_trips_to(ByteView) const = 0;
  /// From now on, `save` places the document, as after an edit.
  virtual void touch() = 0;
  /// The document as a value; it must outlive the value.
  virtual void show(Dom&, Dom::Id) const = 0;
  /// The spans of a few paths (LoadOptions::only), in the bytes of `source`, which must not be null.
  virtual TraceResult trace(const LoadOptions&) const = 0;
  /// Updates the derived fields and checksums of `patched`, a changed copy of the `original` that `was` was read from,
  /// if they were correct before. This document was read from `patched`.
  virtual Result<bool> follow(const AnyDocument& was, ByteView original, EditableCopy& patched) = 0;
  /// Whether placement would leave every derived field unchanged.
  virtual bool has_current_derived_fields() const = 0;
  /// The bytes at the end of the file that placement keeps.
  virtual Bytes tail() const = 0;
  /// Whether the document already has the values that the format settles before placement.
  virtual bool is_settled() const = 0;
  /// The unreferenced bytes of the source file.
  virtual const std::vector<UnreferencedBytes>& residue() const = 0;
  /// The source file, in memory, for checks that need its bytes; `Opened` owns both. Null if the document was not
  /// opened from a file, or was edited.
  const ByteSource* source = nullptr;
};
template <class T>
class DocumentOf final : public AnyDocument {
 public:
  explicit DocumentOf(Document<T> d) : document(std::move(d)) {}
  Result<Bytes> save(SaveOptions o) const override { return dio::save(document, o); }
  bool round_trips_to(ByteView file) const override {
    return document.size == file.size() &&
           writes_identical_bytes(document_type<T>(), &document.value(), document.residue, file);
  }
  void touch() override { document.edit(); }
  void show(Dom& dom, Dom::Id at) const override { to_dom(document.value(), dom, at); }
  TraceResult trace(const LoadOptions& some) const override {
    return trace_known(document.value(), *source->whole(), some);
  }
  Result<bool> follow(const AnyDocument& was, ByteView original, EditableCopy& patched) override {
    return dio::update_derived_values(static_cast<const DocumentOf&>(was).document, original, document, patched);
  }
  bool has_current_derived_fields() const override { return dio::has_current_derived_fields(document); }
  Bytes tail() const override { return document.edited() ? document.tail() : document.tail_of_file(); }
  bool is_settled() const override { return dio::is_settled(document); }
  const std::vector<UnreferencedBytes>& residue() const override { return document.residue; }
  Document<T> document;
};
template <class T>
T& edit_of(AnyDocument& d) {
  d.source = nullptr;
  return static_cast<DocumentOf<T>&>(d).document.edit();
}
template <class T>
const T& value_of(const AnyDocument& d) {
  return static_cast<const DocumentOf<T>&>(d).document.value();
}

/// The data that JSON stores besides the values of a document.
struct Encoding {
  u64 size = 0;
  std::vector<UnreferencedBytes> residue;
  std::string digest;              // of the decoded file; empty: written by hand
  bool omit_derived = false;       // values computed by placement may be missing
  std::optional<Bytes> tail = {};  // the bytes at the end that stay after an edit (AnyDocument::tail)
};
std::string digest_of(ByteView);
/// Same, for a file. Id: io.read.
Result<std::string> digest_of(const ByteSource&);

class Findings;
struct ArchiveOps;    // archive.hpp
struct CompanionOps;  // companions.hpp
class FileTree;       // core/file_tree.hpp
struct Companion;     // companions.hpp
struct Edit;          // edits.hpp
struct FileParts;     // file_parts.hpp
struct Format;        // format.hpp
struct Making;        // building.hpp
struct NamedImage;    // pictures.hpp
struct PictureOps;    // pictures.hpp
struct PictureOptions;
struct PictureSet;
struct Plans;                // plans.hpp
struct Question;             // edits.hpp
struct Repair;               // edits.hpp
struct SceneOptions;         // scenes.hpp
struct Scenes;               // scenes.hpp
struct Sound;                // sounds.hpp
struct Sounds;               // sounds.hpp
struct SourceRun;            // scenes.hpp
struct SceneResult;          // scenes.hpp
struct PictureImportResult;  // pictures.hpp
struct SceneImportResult;    // scenes.hpp
struct ValuePart;            // scenes.hpp

}  // namespace dio
