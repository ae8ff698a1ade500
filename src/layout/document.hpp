// document.hpp: a whole file: the value its layout describes, and all unreferenced bytes, so that nothing is lost.
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

/// Unreferenced bytes, and their offset.
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
/// How many bytes placing a document adds after its last described one, which ends at an offset; nothing if it cannot
/// be placed, or if that byte would be elsewhere.
std::optional<u64> end_padding(const DocumentType&, void* document, u64 end);

/// A file in memory. Unedited, it saves to the bytes it was loaded from, whatever their order and gaps. Edited, it is
/// placed: offsets, sizes, counts and everything else that a layout derives get their canonical values. Where the parts
/// of a file refer to each other in ways that no layout describes (`static constexpr bool k_keeps_places = true;`), an
/// edited document is written at its places, too, and refused if what was edited needs more room.
template <class T>
class Document {
 public:
  Document() : edited_(true) {}  // a new document: there is no layout to keep
  const T& value() const { return value_; }
  /// The value to change; from now on `save` places the document.
  T& edit() {
    if (!edited_ && !tail_) tail_ = tail_of_file();
    edited_ = true;
    return value_;
  }
  bool edited() const { return edited_; }

  u64 size = 0;                            // of the file as read
  std::vector<UnreferencedBytes> residue;  // in order, no two touching

  /// For loaders: a document that is not edited.
  static Document make_unedited(T value, u64 size, std::vector<UnreferencedBytes> residue) {
    Document d;
    d.value_ = std::move(value);
    d.set_unedited(size, std::move(residue));
    return d;
  }
  /// The same of what was read into `edit()`.
  void set_unedited(u64 file_size, std::vector<UnreferencedBytes> rest) {
    size = file_size, residue = std::move(rest), edited_ = false, tail_.reset();
  }
  /// The unreferenced bytes at the end of the file as read, without the fill at their start.
  Bytes trailing_bytes() const {
    const FileBytes* rest = trailing_residue();
    if (!rest) return {};
    return Bytes(std::find_if(rest->begin(), rest->end(), [](u8 x) { return x != fill_of<T>(); }), rest->end());
  }
  /// Those that stay after the last described byte when the document is placed: without the padding at their start,
  /// which placing adds again where the layout needs it.
  Bytes tail() const { return tail_.value_or(Bytes()); }
  /// The same of a document that is not edited yet.
  Bytes tail_of_file() const {
    const FileBytes* rest = trailing_residue();
    if (!rest) return {};
    Bytes tail = trailing_bytes();
    if (tail.size() == rest->size() || fill_of<T>()) return tail;
    // Zeros are padding, or more than that.
    T copy = value_;
    const auto padding = end_padding(document_type<T>(), &copy, residue.back().offset);
    if (padding && *padding < rest->size() - tail.size()) tail.assign(rest->begin() + i64(*padding), rest->end());
    return tail;
  }
  /// Keeps the tail of another document, whose changed values this one has.
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

/// The result of a trace: spans up to the point where it stopped, warnings, and why it stopped if it did.
struct TraceResult {
  Spans spans;
  Diagnostics notes;
  std::optional<Diagnostic> stop;
};

// The operations on a document type. They are compiled once for each: see DIORAMA_WALKS below.

class Visitor;
template <class T>
void visit_layout(Visitor&, void*);
/// Whether a value with the residue around it is that file, without making it: large ones take long to make.
bool writes_identical_bytes(const DocumentType&, const void*, const std::vector<UnreferencedBytes>&, ByteView file);

/// The file as spans, as far as its layout can be followed.
template <class T>
TraceResult trace(ByteView bytes, const LoadOptions& = {});
/// The same of a few paths (LoadOptions::only) of a document that was read from these bytes: records of fixed size that
/// none of them leads into are passed over.
template <class T>
TraceResult trace_known(const T&, ByteView bytes, const LoadOptions&);
/// Ids: layout.*
template <class T>
Result<LoadResult<Document<T>>> load(ByteView bytes, const LoadOptions& = {});
/// Writes a value at its offsets, with the residue around it, into a file of `size` bytes.
template <class T>
Result<Bytes> write(const T& value, const std::vector<UnreferencedBytes>& residue, u64 size);
/// Ids: layout.overlap, layout.overflow, layout.requires (the document contradicts itself), layout.loses.
template <class T>
Result<Bytes> save(const Document<T>& d, SaveOptions options = {});
/// Which values may be missing where a document is made of values.
enum class MissingValues : u8 {
  none,
  derived,  // those that placing computes (Key::derived); they are 0 then
  any       // all: they are what their structure states, or lead nowhere (Words::refers)
};
/// Values (from JSON) to a document as read, or to a part of one. Ids: layout.*
template <class T>
Result<T> from_dom(const Dom&, Dom::Id document, u32 version = 0, MissingValues may_be_missing = MissingValues::none);
/// The inverse: a document, or a part of one, becomes that value. It must outlive the values.
template <class T>
void to_dom(const T&, Dom&, Dom::Id, u32 version = 0);
/// The same for values that programs look into and change.
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
/// `was` and `now`: the documents that these were read to; `now` gets the new values, but for checksums.
template <class T>
Result<bool> update_derived_values(const Document<T>& was, ByteView original, Document<T>& now, EditableCopy& patched);
/// Whether placing would leave every derived field as it is; false for files with checksums.
template <class T>
bool has_current_derived_fields(const Document<T>&);
/// Whether a document has the values that its format settles before it is placed (T::settle).
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
// Values first: they declare what the bytes define.
#define DIORAMA_WALKS(prefix, T) \
  DIORAMA_VALUES(prefix, T)      \
  DIORAMA_BYTES(prefix, T)
