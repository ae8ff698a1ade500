// format.hpp: the record of a format in the registry, and the templates that make it from a document type. What only
// some formats support has its own headers (scenes.hpp, pictures.hpp, ...).
#pragma once
#include "formats/contract/any_document.hpp"

namespace dio {

/// A format, for code that knows no format by name.
struct Format {
  std::string_view id;          // kmp
  std::string_view title;       // Mario Kart Wii course
  std::string_view platform;    // Wii
  std::string_view extensions;  // ".kmp", several with spaces between
  Sniff (*sniff)(ByteView, std::string_view name);
  /// How files of the format begin, all of which have this magic. Empty: they have none, or not in this place.
  std::string_view magic = {};
  std::span<const Rule> (*rules)();
  /// `beside`: companions in the same folder; nothing if they were not looked for.
  void (*check)(const AnyDocument&, std::optional<std::span<const Companion>> beside, Findings&);
  Value (*info)(const AnyDocument&);
  /// What is wrong with a file and all that lies in the same folder of its archive. `beside`: those of them that are
  /// companions. Null: nothing.
  void (*check_folder)(const AnyDocument&, const FileTree& folder, std::span<const Companion> beside,
                       Findings&) = nullptr;

  // What follows from the document type; filled in by make_document_format.
  Result<LoadResult<std::unique_ptr<AnyDocument>>> (*load)(ByteView, const LoadOptions&) = nullptr;
  TraceResult (*trace)(ByteView, const LoadOptions&) = nullptr;
  /// Values to a document, as if it had been read from a file with the size and residue of the Encoding.
  Result<std::unique_ptr<AnyDocument>> (*from_values)(const Dom&, Dom::Id document, const Encoding&) = nullptr;
  /// A document in which values may be missing, with all of them: Missing::any.
  Result<Value> (*complete)(const Value& document) = nullptr;

  /// Whether `sniff` is never certain without a file name, so that its files cannot be found inside others.
  bool needs_name = false;

  /// Whether no rules of its own find references that lead outside of their list: then they are looked for.
  bool looks_for_references = false;

  // What only some formats support. Null: not supported.
  const Scenes* scenes = nullptr;
  const Plans* plans = nullptr;
  const PictureOps* pictures = nullptr;
  const Sounds* sounds = nullptr;
  const Making* making = nullptr;
  const ArchiveOps* archive = nullptr;
  const CompanionOps* belonging = nullptr;
  std::span<const Edit> (*edits)() = nullptr;
  std::span<const Question> (*questions)() = nullptr;
  /// Edits the document: applies every repair that is safe.
  std::vector<Repair> (*repair)(AnyDocument&) = nullptr;
  /// What only shows when it is played: findings of a simulation of the game's rules.
  void (*simulate)(const AnyDocument&, std::span<const Companion> beside, Findings&) = nullptr;
  /// The resource use of the file against the limits of the console: {"budgets": [{"name", "used", "of", "unit"}],
  /// ...}.
  Value (*budget)(const AnyDocument&, std::span<const Companion>) = nullptr;
  /// {"document", "places": {"objects": [1, 0]}}: `b` with its parts in the order of the parts of `a` with the same
  /// content, and the index of each in `b`; each with its companions. For formats in which the order of some lists has
  /// no meaning.
  Value (*matched)(const Value& a, std::span<const Companion> beside_a, const Value& b,
                   std::span<const Companion> beside_b) = nullptr;
  /// The names of layouts that files do not record, so that the user can choose one (LoadOptions::layout).
  const EnumNames* layouts = nullptr;
  /// The path of the value with the size of the file, which may be larger than what is described: length.
  std::string_view size_path = {};
  /// Whether a retail file is known to have this finding, so that it is not reported. By the digest of the file.
  bool (*is_known)(std::string_view digest, const Diagnostic&) = nullptr;
};

template <class T>
Result<LoadResult<std::unique_ptr<AnyDocument>>> load_any(ByteView bytes, const LoadOptions& options) {
  auto r = dio::load<T>(bytes, options);
  if (!r) return refuse(std::move(r.error()));
  return LoadResult<std::unique_ptr<AnyDocument>>{std::make_unique<DocumentOf<T>>(std::move(r->document)),
                                                  std::move(r->notes)};
}

template <class T>
Result<std::unique_ptr<AnyDocument>> any_from_values(const Dom& dom, Dom::Id document, const Encoding& e) {
  auto value = from_dom<T>(dom, document, 0, e.omit_derived ? MissingValues::derived : MissingValues::none);
  if (!value) return refuse(std::move(value.error()));
  auto made = std::make_unique<DocumentOf<T>>(Document<T>::make_unedited(std::move(*value), e.size, e.residue));
  if (e.tail) made->document.set_tail(*e.tail);
  return made;
}

template <class T>
Result<Value> complete_missing_values(const Value& document) {
  auto value = from_dom<T>(Dom(document), 0, 0, MissingValues::any);
  if (!value) return refuse(std::move(value.error()));
  return to_value(*value);
}

/// Fills in the parts of a record that follow from the document type.
template <class T>
constexpr Format make_document_format(Format f) {
  f.load = load_any<T>;
  f.trace = dio::trace<T>;
  f.from_values = any_from_values<T>;
  f.complete = complete_missing_values<T>;
  return f;
}

}  // namespace dio
