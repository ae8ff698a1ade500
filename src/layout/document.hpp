// document.hpp: a whole file: the value that its layout describes and all unreferenced bytes, so that nothing is lost.
#pragma once
#include <algorithm>
#include <optional>

#include "core/diagnostic.hpp"
#include "core/dom.hpp"
#include "core/editable_copy.hpp"
#include "core/file_bytes.hpp"
#include "core/result.hpp"
#include "layout/field_types.hpp"
#include "layout/load_options.hpp"
#include "layout/spans.hpp"

namespace dio {

/// Unreferenced bytes with their offset.
struct UnreferencedBytes {
  u64 offset;
  FileBytes bytes;
};

struct SaveOptions {
  bool canonical =
      false;  // rewrites even an unedited document, discards bytes after the end, and lets the format normalise
  bool lossy = false;  // a new layout may discard unreferenced bytes that are not zero
};

struct DocumentType;  // walks.hpp
template <class T>
const DocumentType& document_type();
/// The number of bytes that placement adds after the last described byte, which ends at the given offset; nothing if
/// the document cannot be placed or that byte would move.
std::optional<u64> end_padding(const DocumentType&, void* document, u64 end);

/// A file in memory. An unedited document saves to the bytes it was loaded from, whatever their order and gaps. An
/// edited document is placed: offsets, sizes, counts and all other derived values become canonical. If the parts of a
/// file refer to each other in ways that no layout describes (`static constexpr bool k_keeps_places = true;`), an
/// edited document is also written at its original places, and rejected if the edit needs more room.
template <class T>
class Document {
 public:
  Document() : edited_(true) {}  // a new document has no layout to keep
  const T& value() const { return value_; }
  /// The value to edit; from now on, `save` places the document.
  T& edit() {
    if (!edited_ && !tail_) tail_ = tail_of_file();
    edited_ = true;
    return value_;
  }
  bool edited() const { return edited_; }

  u64 size = 0;                            // of the file as read
  std::vector<UnreferencedBytes> residue;  // in order; no two ranges touch

  /// For loaders: an unedited document.
  static Document make_unedited(T value, u64 size, std::vector<UnreferencedBytes> residue) {
    Document d;
    d.value_ = std::move(value);
    d.set_unedited(size, std::move(residue));
    return d;
  }
  /// Same, for the value that was read into `edit()`.
  void set_unedited(u64 file_size, std::vector<UnreferencedBytes> rest) {
    size = file_size, residue = std::move(rest), edited_ = false, tail_.reset();
  }
  /// The unreferenced bytes at the end of the file as read, without leading fill.
  Bytes trailing_bytes() const {
    const FileBytes* rest = trailing_residue();
    if (!rest) return {};
    return Bytes(std::find_if(rest->begin(), rest->end(), [](u8 x) { return x != fill_of<T>(); }), rest->end());
  }
  /// The bytes that stay after the last described byte when the document is placed, without leading padding; placement
  /// adds the padding again if the layout needs it.
  Bytes tail() const { return tail_.value_or(Bytes()); }
  /// Same, for an unedited document.
  Bytes tail_of_file() const {
    const FileBytes* rest = trailing_residue();
    if (!rest) return {};
    if constexpr (requires { T::k_keeps_places; }) return {};  // written at its offset, or lost
    Bytes tail = trailing_bytes();
    if (tail.size() == rest->size() || fill_of<T>()) return tail;
    // Zeros may be padding or data.
    T copy = value_;
    const auto padding = end_padding(document_type<T>(), &copy, residue.back().offset);
    if (padding && *padding < rest->size() - tail.size()) tail.assign(rest->begin() + i64(*padding), rest->end());
    return tail;
  }
  /// Takes over the tail of another document, whose changed values this document has.
  void set_tail(Bytes tail) { tail_ = std::move(tail); }

 private:
  const FileBytes* trailing_residue() const {
    const bool has = !residue.empty() && residue.back().offset + residue.back().bytes.size() == size;
    return has ? &residue.back().bytes : nullptr;
  }
  T value_{};
  std::optional<Bytes> tail_;
  bool edited_;
};

/// The result of a trace: spans up to the point where it stopped, warnings, and the reason if it stopped.
struct TraceResult {
  Spans spans;
  Diagnostics notes;
  std::optional<Diagnostic> stop;
};

// The operations on a document type, compiled once for each type: see DIORAMA_WALKS below.

class Visitor;
template <class T>
void visit_layout(Visitor&, void*);
/// Whether a value and its residue make up this file. Does not build the file, because that takes long for large files.
bool writes_identical_bytes(const DocumentType&, const void*, const std::vector<UnreferencedBytes>&, ByteView file);

/// The file as spans, as far as its layout can be followed.
template <class T>
TraceResult trace(ByteView bytes, const LoadOptions& = {});
/// Same, for a few paths (LoadOptions::only) of a document that was read from these bytes: skips fixed-size records
/// that contain none of the paths.
template <class T>
TraceResult trace_known(const T&, ByteView bytes, const LoadOptions&);
/// Ids: layout.*
template <class T>
Result<LoadResult<Document<T>>> load(ByteView bytes, const LoadOptions& = {});
/// Writes a value at its offsets, with its residue, into a file of `size` bytes.
template <class T>
Result<Bytes> write(const T& value, const std::vector<UnreferencedBytes>& residue, u64 size);
/// Ids: layout.overlap, layout.overflow, layout.requires (the document contradicts itself), layout.loses.
template <class T>
Result<Bytes> save(const Document<T>& d, SaveOptions options = {});
/// The bytes of a new file. Same ids.
template <class T>
Result<Bytes> save_new(T value) {
  Document<T> d;
  d.edit() = std::move(value);
  return save(d);
}
/// The values that may be missing when a document is made from values.
enum class MissingValues : u8 {
  none,
  derived,  // values computed by placement (Key::derived); they are 0 then
  any       // all values: they get the defaults of their structure, or refer to nothing (Words::refers)
};
/// Converts values (from JSON) to a document, or to a part of one. Ids: layout.*
template <class T>
Result<T> from_dom(const Dom&, Dom::Id document, u32 version = 0, MissingValues may_be_missing = MissingValues::none);
/// The inverse: converts a document, or a part of one, to a value. The document must outlive the value.
template <class T>
void to_dom(const T&, Dom&, Dom::Id, u32 version = 0);
/// Same, for values that programs inspect and change.
template <class T>
Result<T> from_value(const Value& document) {
  return from_dom<T>(Dom(document), 0);
}
template <class T>
Value to_value(const T& x) {
  Dom dom;
  to_dom(x, dom, 0);
  return dom.value();
}
/// Updates the derived fields and checksums of `patched`, a changed copy of `original`, if they were correct before.
/// `was` and `now` are the documents read from these two; `now` gets the new values, except for checksums.
template <class T>
Result<bool> update_derived_values(const Document<T>& was, ByteView original, Document<T>& now, EditableCopy& patched);
/// Whether placing would leave every derived field as it is; false for files with checksums.
template <class T>
bool has_current_derived_fields(const Document<T>&);
/// Whether the document already has the values that its format settles before placement (T::settle).
template <class T>
bool is_settled(const Document<T>&);

}  // namespace dio

// Walks are the largest templates of the library, so they are compiled in one place for each document type:
//
//   a header of the format   DIORAMA_WALKS(extern, bmg::Bmg)
//   walks.cpp                #include "layout/walks.hpp"
//                            DIORAMA_WALKS(, bmg::Bmg)
//
// Files of which people have thousands, or megabytes, are read and written by walks of their own:
//
//   walks.cpp                DIORAMA_VALUES(, kmp::Kmp)       spans, values and places, compiled for size
//   fast_walks.cpp           DIORAMA_FAST_BYTES(, kmp::Kmp)   bytes to a document and back, compiled for speed
//
// DIORAMA_PART does the same for what becomes values, or is made of them, by itself. All stand outside of any
// namespace.
#define DIORAMA_BYTES(prefix, T)                                                                \
  namespace dio {                                                                               \
  prefix template const DocumentType& document_type<T>();                                       \
  prefix template Result<LoadResult<Document<T>>> load<T>(ByteView, const LoadOptions&);        \
  prefix template Result<Bytes> write<T>(const T&, const std::vector<UnreferencedBytes>&, u64); \
  }
#define DIORAMA_PART(prefix, T)                                                   \
  namespace dio {                                                                 \
  prefix template Result<T> from_dom<T>(const Dom&, Dom::Id, u32, MissingValues); \
  prefix template void to_dom<T>(const T&, Dom&, Dom::Id, u32);                   \
  }
#define DIORAMA_VALUES(prefix, T)                                                                                   \
  DIORAMA_PART(prefix, T)                                                                                           \
  namespace dio {                                                                                                   \
  prefix template void visit_layout<T>(Visitor&, void*);                                                            \
  extern template const DocumentType& document_type<T>();                                                           \
  prefix template TraceResult trace<T>(ByteView, const LoadOptions&);                                               \
  prefix template TraceResult trace_known<T>(const T&, ByteView, const LoadOptions&);                               \
  prefix template Result<Bytes> save<T>(const Document<T>&, SaveOptions);                                           \
  prefix template Result<bool> update_derived_values<T>(const Document<T>&, ByteView, Document<T>&, EditableCopy&); \
  prefix template bool has_current_derived_fields<T>(const Document<T>&);                                           \
  prefix template bool is_settled<T>(const Document<T>&);                                                           \
  }
// Values first: they declare what the byte functions define.
#define DIORAMA_WALKS(prefix, T) \
  DIORAMA_VALUES(prefix, T)      \
  DIORAMA_BYTES(prefix, T)
