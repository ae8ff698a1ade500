// format.hpp: what a format tells the registry, and the templates that make it from one document type. What only some
// formats can do is in headers of its own (scenes.hpp, pictures.hpp, ...), for those who use it.
#pragma once
#include "formats/contract/any_document.hpp"

namespace dio {

/// A format, to everything that knows no format by name.
struct Format {
  std::string_view id;          // kmp
  std::string_view title;       // Mario Kart Wii course
  std::string_view platform;    // Wii
  std::string_view extensions;  // ".kmp", several with spaces between
  Sniff (*sniff)(ByteView, std::string_view name);
  std::span<const Rule> (*rules)();
  /// `beside`: what lies beside the file and belongs to it; nothing if nobody has looked.
  void (*check)(const AnyDocument&, std::optional<std::span<const Companion>> beside, Findings&);
  Value (*info)(const AnyDocument&);

  // What follows from the document type alone: format_of fills it in.
  Result<Loaded<std::unique_ptr<AnyDocument>>> (*load)(ByteView, const LoadOptions&) = nullptr;
  Traced (*trace)(ByteView, const LoadOptions&) = nullptr;
  /// Values to bytes: those of `Encoding::digest` if nothing was edited, else placed.
  Result<Bytes> (*encode)(const Value& document, const Encoding&, SaveOptions) = nullptr;
  Result<Bytes> (*follow)(ByteView original, ByteView patched, const LoadOptions&) = nullptr;

  /// Whether `sniff` is never certain of bytes without a name, so that no file of it can be found inside another.
  bool needs_name = false;

  // What only some can do. Null: it cannot.
  const Scenes* scenes = nullptr;
  const PictureOps* pictures = nullptr;
  const Making* making = nullptr;
  const ArchiveOps* archive = nullptr;
  const Belonging* belonging = nullptr;
  std::span<const Edit> (*edits)() = nullptr;
  std::span<const Question> (*questions)() = nullptr;
  /// Repairs what has one safe repair, and edits the document.
  std::vector<Repair> (*repair)(AnyDocument&) = nullptr;
  /// What a console has of everything and what the file takes of it: {"budgets": [{"name", "used", "of", "unit"}],
  /// ...}.
  Value (*budget)(const AnyDocument&, std::span<const Companion>) = nullptr;
  /// {"document", "places": {"objects": [1, 0]}}: `b` with its parts in the order of those of `a` that they match by
  /// content, and where in `b` each was; each with what lies beside its file. For formats in whose files the order of
  /// some lists says nothing.
  Value (*matched)(const Value& a, std::span<const Companion> beside_a, const Value& b,
                   std::span<const Companion> beside_b) = nullptr;
  /// Layouts that files do not say of themselves, so that a user can (LoadOptions::layout): their names.
  const Words* layouts = nullptr;
  /// The path of a value that says how many bytes the file has, where it may have more than are described: length.
  std::string_view size_path = {};
  /// Whether the makers of the game shipped the file with this finding: not to be reported. By the digest of the file.
  bool (*is_known)(std::string_view digest, const Diagnostic&) = nullptr;
};

template <class T>
Result<Loaded<std::unique_ptr<AnyDocument>>> load_any(ByteView bytes, const LoadOptions& options) {
  auto r = dio::load<T>(bytes, options);
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
