// format.hpp: the record of a format in the registry, and the templates that create it from a document type. Features
// that only some formats support have their own headers (scenes.hpp, pictures.hpp, ...).
#pragma once
#include "formats/contract/any_document.hpp"

namespace dio {

/// A format, for code that handles all formats in the same way.
struct Format {
  std::string_view id;          // kmp
  std::string_view title;       // Mario Kart Wii course
  std::string_view platform;    // Wii
  std::string_view extensions;  // ".kmp"; spaces separate several
  Sniff (*sniff)(ByteView, std::string_view name);
  /// The magic that every file of the format begins with. Empty: there is none, or it is elsewhere in the file.
  std::string_view magic = {};
  std::span<const Rule> (*rules)();
  /// Checks a document. `beside`: the companions in the same folder; nothing if they were not looked for.
  void (*check)(const AnyDocument&, std::optional<std::span<const Companion>> beside, Findings&);
  Value (*info)(const AnyDocument&);
  /// Checks a file together with all files in the same folder of its archive. `beside`: the companions among these
  /// files. Null: there is no such check.
  void (*check_folder)(const AnyDocument&, const FileTree& folder, std::span<const Companion> beside,
                       Findings&) = nullptr;

  // These members follow from the document type; make_document_format fills them in.
  Result<LoadResult<std::unique_ptr<AnyDocument>>> (*load)(ByteView, const LoadOptions&) = nullptr;
  TraceResult (*trace)(ByteView, const LoadOptions&) = nullptr;
  /// Creates a document from values, as if it had been read from a file with the size and the residue of the Encoding.
  Result<std::unique_ptr<AnyDocument>> (*from_values)(const Dom&, Dom::Id document, const Encoding&) = nullptr;
  /// Adds the missing values to a document (MissingValues::any).
  Result<Value> (*complete)(const Value& document) = nullptr;

  /// Whether `sniff` is never certain without a file name. Files of such a format cannot be found inside other data.
  bool needs_name = false;

  /// Whether the library checks for references to elements that do not exist, because no rule of the format does.
  bool looks_for_references = false;

  // Features that only some formats support. Null: not supported.
  const Scenes* scenes = nullptr;
  const Plans* plans = nullptr;
  const PictureOps* pictures = nullptr;
  const Sounds* sounds = nullptr;
  const Making* making = nullptr;
  const ArchiveOps* archive = nullptr;
  const CompanionOps* belonging = nullptr;
  const FileParts* parts = nullptr;
  std::span<const Edit> (*edits)() = nullptr;
  std::span<const Question> (*questions)() = nullptr;
  /// Applies every safe repair to the document.
  std::vector<Repair> (*repair)(AnyDocument&) = nullptr;
  /// Simulates the game's rules, and adds the findings: problems that only show during play.
  void (*simulate)(const AnyDocument&, std::span<const Companion> beside, Findings&) = nullptr;
  /// Returns the use of resources and the limits of the console: {"budgets": [{"name", "used", "of", "unit"}], ...}.
  Value (*budget)(const AnyDocument&, std::span<const Companion>) = nullptr;
  /// Returns {"document", "places": {"objects": [1, 0]}}: `b` with its parts in the order of the equal parts of `a`,
  /// and the index of each part in `b`. `beside_a` and `beside_b` are the companions of the two documents. For formats
  /// in which the order of some lists has no meaning.
  Value (*matched)(const Value& a, std::span<const Companion> beside_a, const Value& b,
                   std::span<const Companion> beside_b) = nullptr;
  /// The names of layouts that files do not record, so that the user has to choose one (LoadOptions::layout).
  const EnumNames* layouts = nullptr;
  /// The path of the value with the size of the file, such as `length`. The file may be larger than its described
  /// bytes.
  std::string_view size_path = {};
  /// Whether a finding is known in the retail file with this digest, so that it is not reported.
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

/// Fills in the members of a record that follow from the document type.
template <class T>
constexpr Format make_document_format(Format f) {
  f.load = load_any<T>;
  f.trace = dio::trace<T>;
  f.from_values = any_from_values<T>;
  f.complete = complete_missing_values<T>;
  return f;
}

}  // namespace dio
