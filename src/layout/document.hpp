// document.hpp: a whole file: what its layout describes, and every byte nobody described, so that nothing is lost.
#pragma once
#include "layout/patch.hpp"
#include "layout/placer.hpp"
#include "layout/reader.hpp"
#include "layout/result.hpp"
#include "layout/trace.hpp"
#include "layout/writer.hpp"

namespace dio {

/// Bytes nobody described, and where they lay.
struct Residue {
  u64 offset;
  Bytes bytes;
};

struct SaveOptions {
  bool canonical =
      false;           // places even an unedited document, drops bytes behind the end, and lets the format normalise
  bool lossy = false;  // placing may drop bytes that nobody described and that are not zero
};

/// A file in memory. Unedited it saves to the bytes it was loaded from, whatever their order and gaps; edited it is
/// placed: offsets, sizes, counts and whatever else a layout derives get their canonical values.
template <class T>
class Document {
 public:
  Document() : edited_(true) {}  // made from nothing: there is no order to keep
  const T& value() const { return value_; }
  /// The value to change; from now on `save` places the document.
  T& edit() {
    edited_ = true;
    return value_;
  }
  bool edited() const { return edited_; }

  u64 size = 0;                  // of the file as read
  std::vector<Residue> residue;  // in order, no two touching

  /// For loaders: takes the value as it was read.
  static Document as_read(T value, u64 size, std::vector<Residue> residue) {
    Document d;
    d.value_ = std::move(value), d.size = size, d.residue = std::move(residue), d.edited_ = false;
    return d;
  }
  /// What stays behind the last described byte when the document is placed: without the fill it starts with (zeros,
  /// mostly), for that is padding, which place makes anew where the layout says so.
  Bytes tail() const {
    if (residue.empty() || residue.back().offset + residue.back().bytes.size() != size) return {};
    const Bytes& b = residue.back().bytes;
    return Bytes(std::find_if(b.begin(), b.end(), [](u8 x) { return x != fill_of<T>(); }), b.end());
  }

 private:
  T value_{};
  bool edited_;
};

/// What a trace gives: spans as far as it came, doubts, and why it stopped if it did.
struct Traced {
  Spans spans;
  Diagnostics notes;
  std::optional<Diagnostic> stop;
};

/// The described runs of a finished reader, sorted and merged.
std::vector<Gap> merged_runs(Reader&);
/// What lies between the runs and behind them.
std::vector<Residue> residue_between(const std::vector<Gap>& runs, ByteView file);
/// The refusal of a placement that would drop bytes, if it would. Zeros and fill are nothing to lose.
std::optional<Diagnostic> would_lose(const std::vector<Residue>&, u64 size, u8 fill);
/// Why a document could not be written or placed.
Diagnostic refusal_of(const Trail&);

template <class T>
Traced trace(ByteView bytes) {
  static_assert(!k_is_ambiguous<T>, "two fields of one structure have the same name");
  Trace t(bytes, T::k_order);
  T value{};
  T::layout(t, value);
  Traced out{std::move(t.spans), std::move(t.notes), {}};
  if (!t.good()) out.stop = std::move(t.stop);
  return out;
}

template <class T>
Result<Loaded<Document<T>>> load(ByteView bytes) {
  Reader r(bytes, T::k_order);
  T value{};
  T::layout(r, value);
  r.describe();
  if (r.failure) {
    Traced t = trace<T>(bytes);
    return refuse(std::move(*t.stop));
  }
  auto residue = residue_between(merged_runs(r), bytes);
  Loaded<Document<T>> out{Document<T>::as_read(std::move(value), bytes.size(), std::move(residue)), {}};
  if (r.doubted) out.notes = trace<T>(bytes).notes;
  return out;
}

/// Writes a value where its offsets say, with the residue around it, into a file of that size.
template <class T>
Result<Bytes> write(const T& value, const std::vector<Residue>& residue, u64 size) {
  Writer w(T::k_order, size, fill_of<T>());
  T::layout(w, value);
  if (!w.good()) return refuse(refusal_of(w.trail));
  if (w.out.size() < size) w.out.resize(size_t(size), fill_of<T>());
  for (const Residue& r : residue) std::copy(r.bytes.begin(), r.bytes.end(), w.out.begin() + std::ptrdiff_t(r.offset));
  return std::move(w.out);
}

/// Puts the checksums over a finished file into it, if its structure has any: `static void seal(Bytes&)`, which must
/// take bytes of any kind and length, and leave sealed ones as they are.
template <class T>
Result<Bytes> sealed(Result<Bytes> file) {
  if constexpr (requires { T::seal(*file); })
    if (file) T::seal(*file);
  return file;
}

/// Ids: layout.overlap, layout.overflow, layout.requires (the document contradicts itself), layout.loses.
template <class T>
Result<Bytes> save(const Document<T>& d, SaveOptions options = {}) {
  if (!d.edited() && !options.canonical) return write(d.value(), d.residue, d.size);
  if (!options.lossy && !options.canonical)
    if (auto loss = would_lose(d.residue, d.size, fill_of<T>())) return refuse(std::move(*loss));
  T value = d.value();
  if constexpr (requires { value.settle(); }) value.settle();
  if constexpr (requires { value.normalise(); }) {
    if (options.canonical) value.normalise();
  }
  const Bytes tail = options.canonical ? Bytes() : d.tail();
  Placer p(Placer::Mode::place, tail.size());
  T::layout(p, value);
  if (!p.good()) return refuse(refusal_of(p.trail));
  return sealed<T>(write(value, {{p.high, tail}}, p.high + tail.size()));
}

/// Values (from JSON) to a document as read.
template <class T>
Result<T> from_value(const Value& document) {
  Patch p(document);
  T value{};
  T::layout(p, value);
  p.finish();
  if (!p.good()) return refuse(std::move(p.stop));
  return value;
}

/// After some bytes of `original` were changed into `patched`: derived fields and checksums that were right before are
/// so again.
template <class T>
Result<Bytes> follow(ByteView original, ByteView patched) {
  auto before = load<T>(original), after = load<T>(patched);
  if (!before) return refuse(std::move(before.error()));
  if (!after) return refuse(std::move(after.error()));
  Placer inspect(Placer::Mode::inspect, original.size()), follow(Placer::Mode::follow, patched.size());
  T was = before->document.value(), value = after->document.value();
  T::layout(inspect, was);
  follow.as_derived = std::move(inspect.as_derived);
  T::layout(follow, value);
  Result<Bytes> out = follow.derived != follow.as_derived.size()
                          ? Bytes(patched.begin(), patched.end())  // other parts than before
                          : write(value, after->document.residue, after->document.size);
  const auto same = sealed<T>(Bytes(original.begin(), original.end()));
  return std::ranges::equal(*same, original) ? sealed<T>(std::move(out)) : std::move(out);
}

}  // namespace dio
