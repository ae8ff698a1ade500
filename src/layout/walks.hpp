// walks.hpp: the operations on documents, as walks over their layouts. Only for source files that compile them: all
// others need only document.hpp.
#pragma once
#include "layout/document.hpp"
#include "layout/dom_visitor.hpp"
#include "layout/offset_assigner.hpp"
#include "layout/patch.hpp"
#include "layout/reader.hpp"
#include "layout/trace.hpp"
#include "layout/visiting_reader.hpp"
#include "layout/visiting_writer.hpp"
#include "layout/writer.hpp"

namespace dio {

/// Whether layouts are compiled only for the Visitor: less code, slower reading and writing.
#ifdef DIORAMA_SMALL
inline constexpr bool k_small = true;
#else
inline constexpr bool k_small = false;
#endif

/// Calls a layout on a walk and a document whose types are known only at run time.
using Visit = void (*)(Visitor&, void*);
template <class T>
void visit_layout(Visitor& v, void* x) {
  dio::visit(v, *static_cast<T*>(x));
}

/// A document type as a value, so that document operations are compiled once for all types.
struct DocumentType {
  std::endian order;
  u8 fill;
  Visit visit;
  // Without these, the Visitor does this work as well.
  void (*read)(Reader&, void*) = nullptr;
  void (*write)(Writer&, const void*) = nullptr;
};
/// Whether documents of a type are read and written by walks compiled for it, for speed. Types declare this with
/// DIORAMA_FAST_BYTES: formats of which people have thousands of files, or megabytes.
template <class T>
inline constexpr bool k_has_fast_walks = false;
/// The two fast walks.
template <class T>
void read_layout(Reader& r, void* x) {
  T::layout(r, *static_cast<T*>(x));
}
template <class T>
void write_layout(Writer& w, const void* x) {
  T::layout(w, *static_cast<const T*>(x));
}
/// Compiled once: otherwise Reader and Writer would be compiled again, and slower.
template <class T>
const DocumentType& document_type() {
  static constexpr DocumentType type = [] {
    DocumentType t{T::k_order, fill_of<T>(), visit_layout<T>};
    if constexpr (k_has_fast_walks<T>) t.read = read_layout<T>, t.write = write_layout<T>;
    return t;
  }();
  return type;
}

/// The result of reading besides the document.
struct ReadRest {
  std::vector<UnreferencedBytes> residue;
  bool failed = false, doubted = false;  // a trace says why
};
ReadRest read_document(const DocumentType&, void*, ByteView, const LoadOptions&);
/// `known`: the document was read from these bytes, and only some of its spans (`only`) are wanted.
TraceResult trace_document(const DocumentType&, void*, ByteView, const LoadOptions&, bool known = false);
Result<Bytes> write_document(const DocumentType&, const void*, const std::vector<UnreferencedBytes>&, u64 size);
/// Writes an edited document that keeps its offsets; a new document (size 0) is written at the offsets it contains.
Result<Bytes> write_in_place(const DocumentType&, const void*, const std::vector<UnreferencedBytes>&, u64 size);
/// Places the document. `tail`: the bytes that stay after its end.
Result<Bytes> assign_offsets_and_write(const DocumentType&, void*, const Bytes& tail);
/// The error of a placement that would drop bytes other than zeros and fill; nothing if no bytes are lost.
std::optional<Diagnostic> data_loss_error(const std::vector<UnreferencedBytes>&, u64 size, u8 fill);
/// Recomputes the derived fields that were correct before the document was changed. False if the document has other
/// parts than before.
bool update_derived_fields(const DocumentType&, const void* was, u64 size_before, void* now, u64 size);
/// Whether every derived field of a document has its placed value.
bool has_canonical_derived_fields(const DocumentType&, const void*, u64 size);
/// Changes a file to the bytes of a value and its residue of the same size. Ids: as write.
Result<bool> update_in_place(const DocumentType&, const void*, const std::vector<UnreferencedBytes>&,
                             EditableCopy& file);
std::optional<Diagnostic> fill_document_from_dom(Visit, void*, const Dom&, Dom::Id document, u32 version,
                                                 MissingValues);
void write_document_to_dom(Visit, const void*, Dom&, Dom::Id, u32 version);
/// The reason why a document could not be written or placed.
Diagnostic refusal_diagnostic(const KeyPathTracker&);

template <class T>
TraceResult trace(ByteView bytes, const LoadOptions& options) {
  T value{};
  return trace_document(document_type<T>(), &value, bytes, options);
}

template <class T>
TraceResult trace_known(const T& known, ByteView bytes, const LoadOptions& options) {
  T value = known;
  return trace_document(document_type<T>(), &value, bytes, options, true);
}

template <class T>
Result<LoadResult<Document<T>>> load(ByteView bytes, const LoadOptions& options) {
  Result<LoadResult<Document<T>>> out(tl::in_place);  // read in place: moving takes much code for each type
  Document<T>& d = out->document;
  ReadRest rest = read_document(document_type<T>(), &d.edit(), bytes, options);
  d.set_unedited(bytes.size(), std::move(rest.residue));
  if (rest.failed || rest.doubted) {
    TraceResult t = trace<T>(bytes, options);
    out->notes = std::move(t.notes);
    if (rest.failed) out = refuse(std::move(*t.stop));
  }
  return out;
}

template <class T>
Result<Bytes> write(const T& value, const std::vector<UnreferencedBytes>& residue, u64 size) {
  return write_document(document_type<T>(), &value, residue, size);
}

/// Updates the checksums of a finished file, if its structure has any: `static void seal(Bytes&)`, which must accept
/// bytes of any kind and length, and leave files with correct checksums unchanged. For large files, `static void
/// seal_again(ByteView original, Draft&)` does so only where bytes have changed and checksums were correct before.
template <class T>
Result<Bytes> with_checksums(Result<Bytes> file) {
  if constexpr (requires { T::seal(*file); })
    if (file) T::seal(*file);
  return file;
}

/// For files whose parts refer to each other in ways that no layout describes. They may also be placed by themselves:
/// `bool must_be_placed() const` (an edit changed lists), `std::optional<Diagnostic> placement_error() const`,
/// `void settle()` and `void place()`.
template <class T>
Result<Bytes> save_keeping_places(const Document<T>& d, SaveOptions options) {
  T value = d.value();
  if constexpr (requires { value.place(); }) {
    const bool may_stay = !value.must_be_placed() && !options.canonical;
    value.settle();
    if (may_stay)
      if (auto file = write_in_place(document_type<T>(), &value, d.residue, d.size ? d.size : value.size)) return file;
    if (auto why = value.placement_error()) return refuse(std::move(*why));
    if (!options.lossy && !options.canonical)
      if (auto loss = data_loss_error(d.residue, d.size, fill_of<T>())) return refuse(std::move(*loss));
    value.place();
    return write_in_place(document_type<T>(), &value, {}, value.size);
  } else
    return write_in_place(document_type<T>(), &value, d.residue, d.size);
}

template <class T>
Result<Bytes> save(const Document<T>& d, SaveOptions options) {
  if (!d.edited() && !options.canonical) return write(d.value(), d.residue, d.size);
  if constexpr (requires { T::k_keeps_places; })
    return save_keeping_places(d, options);
  else if (!options.lossy && !options.canonical)
    if (auto loss = data_loss_error(d.residue, d.size, fill_of<T>())) return refuse(std::move(*loss));
  T value = d.value();
  if constexpr (requires { value.settle(); }) value.settle();
  if constexpr (requires { value.normalise(); }) {
    if (options.canonical) value.normalise();
  }
  const Bytes tail = options.canonical ? Bytes() : d.tail();
  auto file = assign_offsets_and_write(document_type<T>(), &value, tail);
  // Positions beyond the end of the file may be wrong in a longer file: `std::optional<Diagnostic> data_loss_error(u64
  // size) const`, and `void lose()`.
  if constexpr (requires { value.data_loss_error(u64{}); })
    if (auto loss = file ? value.data_loss_error(file->size()) : std::nullopt) {
      if (!options.lossy && !options.canonical) return refuse(std::move(*loss));
      value.lose();
      file = assign_offsets_and_write(document_type<T>(), &value, tail);
    }
  return with_checksums<T>(std::move(file));
}

template <class T>
Result<T> from_dom(const Dom& dom, Dom::Id document, u32 version, MissingValues missing) {
  T value{};
  if (auto stop = fill_document_from_dom(visit_layout<T>, &value, dom, document, version, missing))
    return refuse(std::move(*stop));
  return value;
}

template <class T>
void to_dom(const T& x, Dom& dom, Dom::Id at, u32 version) {
  write_document_to_dom(visit_layout<T>, &x, dom, at, version);
}

template <class T>
Result<bool> update_derived_values(const Document<T>& was, ByteView original, Document<T>& now, EditableCopy& patched) {
  T& value =
      const_cast<T&>(now.value());  // the value equals the content of the file, so this is no edit that needs placement
  if (update_derived_fields(document_type<T>(), &was.value(), original.size(), &value, patched.bytes().size()))
    if (auto done = update_in_place(document_type<T>(), &value, now.residue, patched); !done) return done;
  if constexpr (requires { T::seal_again(original, patched); }) {
    T::seal_again(original, patched);
  } else if constexpr (requires(Bytes& file) { T::seal(file); }) {
    Bytes was_sealed = copy_of(original), is = copy_of(patched.bytes());
    T::seal(was_sealed);
    T::seal(is);
    if (std::ranges::equal(was_sealed, original)) patched.replace(0, is.size(), is);
  }
  return true;
}

template <class T>
bool has_current_derived_fields(const Document<T>& d) {
  if constexpr (requires(Bytes& file) { T::seal(file); }) return false;  // checksums are no values
  return has_canonical_derived_fields(document_type<T>(), &d.value(), d.size);
}

template <class T>
bool is_settled(const Document<T>& d) {
  if constexpr (requires(T& value) { value.settle(); }) {
    T copy = d.value();
    copy.settle();
    const auto as_is = write(d.value(), d.residue, d.size), settled = write(copy, d.residue, d.size);
    return as_is && settled && *as_is == *settled;
  }
  return true;
}

}  // namespace dio

// Instead of DIORAMA_BYTES, in a separate file compiled for speed: documents of this type are read and written by their
// own walks.
#define DIORAMA_FAST_BYTES(prefix, T)                   \
  namespace dio {                                       \
  template <>                                           \
  inline constexpr bool k_has_fast_walks<T> = !k_small; \
  }                                                     \
  DIORAMA_BYTES(prefix, T)
// For files that others embed: `extern` where they are embedded, without it where their own walks are compiled.
#ifdef DIORAMA_SMALL
#define DIORAMA_EMBEDDED_BYTES(prefix, T)
#else
#define DIORAMA_EMBEDDED_BYTES(prefix, T)                                         \
  namespace dio {                                                                 \
  prefix template void walk_file<Reader, T>(Reader&, const Key&, T&);             \
  prefix template void walk_file<Writer, const T>(Writer&, const Key&, const T&); \
  }
#endif
#define DIORAMA_EMBEDDED_VALUES(prefix, T)                              \
  namespace dio {                                                       \
  prefix template void walk_file<Visitor, T>(Visitor&, const Key&, T&); \
  }
