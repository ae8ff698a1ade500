// walks.hpp: what one does with a document, by walks over its layout. For the source files that compile them: everyone
// else needs no more than document.hpp.
#pragma once
#include "layout/document.hpp"
#include "layout/patch.hpp"
#include "layout/placer.hpp"
#include "layout/reader.hpp"
#include "layout/to_value.hpp"
#include "layout/trace.hpp"
#include "layout/writer.hpp"

namespace dio {

/// The described runs of a finished reader, sorted and merged.
std::vector<Gap> merged_runs(Reader&);
/// What lies between the runs and behind them.
std::vector<Residue> residue_between(const std::vector<Gap>& runs, ByteView file);
/// The refusal of a placement that would drop bytes, if it would. Zeros and fill are nothing to lose.
std::optional<Diagnostic> would_lose(const std::vector<Residue>&, u64 size, u8 fill);
/// Why a document could not be written or placed.
Diagnostic refusal_of(const Trail&);

template <class T>
Traced trace(ByteView bytes, const LoadOptions& options) {
  Trace t(bytes, T::k_order, options);
  T value{};
  visit(t, value);
  Traced out{std::move(t.spans), std::move(t.notes), {}};
  if (!t.good()) out.stop = std::move(t.stop);
  return out;
}

template <class T>
Result<Loaded<Document<T>>> load(ByteView bytes, const LoadOptions& options) {
  Reader r(bytes, T::k_order, options);
  T value{};
  T::layout(r, value);
  r.describe();
  if (r.failure) {
    Traced t = trace<T>(bytes, options);
    return refuse(std::move(*t.stop));
  }
  auto residue = residue_between(merged_runs(r), bytes);
  Loaded<Document<T>> out{Document<T>::as_read(std::move(value), bytes.size(), std::move(residue)), {}};
  if (r.doubted) out.notes = trace<T>(bytes, options).notes;
  return out;
}

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

template <class T>
Result<Bytes> save(const Document<T>& d, SaveOptions options) {
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
  visit(p, value);
  if (!p.good()) return refuse(refusal_of(p.trail));
  return sealed<T>(write(value, {{p.high, tail}}, p.high + tail.size()));
}

template <class T>
Result<T> from_value(const Value& document, u32 version) {
  Patch p(document, version);
  T value{};
  visit(p, value);
  p.finish();
  if (!p.good()) return refuse(std::move(p.stop));
  return value;
}

template <class T>
Value to_value(const T& x, u32 version) {
  ToValue v(version);
  visit(v, const_cast<T&>(x));  // it is only looked at
  return v.finish();
}

template <class T>
Result<Bytes> follow(ByteView original, ByteView patched, const LoadOptions& options) {
  auto before = load<T>(original, options), after = load<T>(patched, options);
  if (!before) return refuse(std::move(before.error()));
  if (!after) return refuse(std::move(after.error()));
  Placer inspect(Placer::Mode::inspect, original.size()), follow(Placer::Mode::follow, patched.size());
  T was = before->document.value(), value = after->document.value();
  visit(inspect, was);
  follow.as_derived = std::move(inspect.as_derived);
  visit(follow, value);
  Result<Bytes> out = follow.derived != follow.as_derived.size()
                          ? Bytes(patched.begin(), patched.end())  // other parts than before
                          : write(value, after->document.residue, after->document.size);
  const auto same = sealed<T>(Bytes(original.begin(), original.end()));
  return std::ranges::equal(*same, original) ? sealed<T>(std::move(out)) : std::move(out);
}

}  // namespace dio

// For files that others embed: `extern` where these are compiled, without it where their own walks are.
#define DIORAMA_EMBEDDED_BYTES(prefix, T)                                  \
  namespace dio {                                                          \
  prefix template void walk_file<Reader, T>(Reader&, Key, T&);             \
  prefix template void walk_file<Writer, const T>(Writer&, Key, const T&); \
  }
#define DIORAMA_EMBEDDED_VALUES(prefix, T)                       \
  namespace dio {                                                \
  prefix template void walk_file<Visitor, T>(Visitor&, Key, T&); \
  }
