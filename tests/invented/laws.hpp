// laws.hpp: what holds for every file of every layout. The invented formats beside this file are held to it, whole and
// damaged; every_format_test.cpp holds the real ones to it through the registry.
#pragma once
#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "core/json.hpp"
#include "core/text_format.hpp"
#include "layout/walks.hpp"
#include "layout/write_value.hpp"

namespace dio::test {

/// Bytes as written by hand: hex digits, 'texts' in quotes, anything else separates. `hex("'ABC' 00 ff:0102")`
inline Bytes hex(std::string_view s) {
  Bytes out;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '\'') {
      for (++i; s[i] != '\''; ++i) out.push_back(u8(s[i]));
    } else if (std::isxdigit(u8(s[i]))) {
      out.push_back(u8(std::stoi(std::string(s.substr(i++, 2)), nullptr, 16)));
    }
  }
  return out;
}
inline std::string as_hex(ByteView b) {
  std::string s;
  for (size_t i = 0; i < b.size(); ++i) {
    if (i) s += i % 16 ? " " : "\n";
    s += "0123456789abcdef"[b[i] >> 4];
    s += "0123456789abcdef"[b[i] & 15];
  }
  return s;
}
inline std::string compact(const Value& v) { return json::write(v, {.indent = 0}); }
/// A heap block of exactly that size: the address sanitizer sees every step outside.
class Exact {
 public:
  explicit Exact(ByteView b) : block_(new u8[b.size()]), size_(b.size()) {
    std::copy(b.begin(), b.end(), block_.get());
  }
  ByteView view() const { return {block_.get(), size_}; }

 private:
  std::unique_ptr<u8[]> block_;
  size_t size_;
};

/// Calls f(bytes, what) for every truncation of a file, and for every byte of it changed to 0, to FF, to one more, and
/// in each of its bits. `stride` leaves out all but every so-manieth, beginning with the `first`.
inline void each_damage(ByteView file, auto f, size_t stride = 1, size_t first = 0) {
  size_t n = first;
  for (size_t size = 0; size < file.size(); ++size)
    if (n++ % stride == 0) f(Exact(file.first(size)).view(), "cut to " + std::to_string(size) + " bytes");
  for (size_t at = 0; at < file.size(); ++at) {
    std::set<u8> values{0x00, 0xff, u8(file[at] + 1)};
    for (int bit = 0; bit < 8; ++bit) values.insert(u8(file[at] ^ 1 << bit));
    values.erase(file[at]);
    for (const u8 value : values) {
      if (n++ % stride) continue;
      Bytes b(file.begin(), file.end());
      b[at] = value;
      f(Exact(b).view(), "byte " + format_hex(at) + " changed to " + format_hex(value, 2));
    }
  }
}

/// What is wrong with a diagnostic that stops; nothing if it says what is wrong with the file, and where.
inline std::string unclear(const Diagnostic& d, ByteView file) {
  if (d.severity != Severity::stop) return "does not stop";
  const auto rules = library_rules();
  if (std::none_of(rules.begin(), rules.end(), [&](const Rule& r) { return r.id == d.id; }))
    return "no rule has the id \"" + d.id + "\"";
  if (d.message.empty() && d.expected.empty()) return "does not say what is wrong";
  if (!d.place.known() || d.place.offset > file.size()) return "is not in the file";
  return {};
}

/// The laws that hold for the spans of any file, whatever its format. `whole`: also those that take long.
inline std::string broken_law(const Spans& spans, bool whole) {
  const ByteView file = spans.file;
  u64 at = 0;
  for (const u32 i : spans.leaves()) {
    const Span& s = spans[i];
    if (s.offset + s.size > file.size()) return spans.path(i) + " reaches out of the file";
  }
  std::vector<bool> covered(file.size());
  for (const u32 i : spans.leaves())
    for (at = spans[i].offset; at < spans[i].offset + spans[i].size; ++at) covered[at] = true;
  for (const Gap& g : spans.gaps())
    for (at = g.offset; at < g.offset + g.size; ++at) {
      if (covered[at]) return "a gap under a span at " + format_hex(at);
      covered[at] = true;
    }
  for (at = 0; at < covered.size(); ++at)
    if (!covered[at]) return "neither span nor gap at " + format_hex(at);
  if (!whole) return {};
  std::set<std::string> paths;
  for (u32 i = 1; i < spans.all.size(); ++i) {
    if (!spans[i].is_value()) continue;
    const std::string path = spans.path(i);
    if (!paths.insert(path).second) return "two values at " + path;
    const auto spot = spans.find(path);
    if (!spot || spot->span != i) return path + " is not found by its path";
    if (spans[i].kind != Span::Kind::numbers) continue;
    for (u64 e = 0; e < spans.count(spans[i]); ++e) {
      const auto element = spans.find(path + "[" + std::to_string(e) + "]");
      if (!element || element->span != i || element->element != e)
        return path + "[" + std::to_string(e) + "] is not found";
    }
  }
  return {};
}

/// Every value that has bytes of its own: f(spot).
inline void each_value(const Spans& spans, auto f) {
  for (u32 i = 1; i < spans.all.size(); ++i) {
    const Span& s = spans[i];
    if (s.kind == Span::Kind::numbers) {
      for (u64 e = 0; e < spans.count(s); ++e) f(*spans.find(spans.path(i) + "[" + std::to_string(e) + "]"));
    } else if (s.kind == Span::Kind::number || s.kind == Span::Kind::bits || s.kind == Span::Kind::text ||
               s.kind == Span::Kind::bytes) {
      if (const auto spot = spans.find(spans.path(i)); spot && spot->span == i) f(*spot);
    }
  }
}

/// Each value set to itself changes nothing; set to another one it changes its own bytes, and `get` tells the new one.
/// Of the latter only every so-manieth is tried.
inline std::string broken_poke(const Spans& spans, auto trace_again, size_t stride = 1) {
  const Bytes file(spans.file.begin(), spans.file.end());
  std::string problem;
  size_t n = 0;
  each_value(spans, [&](const SpanRef& spot) {
    if (!problem.empty()) return;
    const Span& s = spans[spot.span];
    const std::string path = spans.path(spot);
    Bytes same = file;
    if (auto done = write_value(same, spans, spot, spans.value(spot)); !done)
      problem = path + " cannot be set to itself: " + format_one_line(done.error());
    else if (same != file)
      problem = path + " set to itself changes something";
    if (!problem.empty() || spot.size == 0 || n++ % stride) return;
    Bytes other = file;
    Value value;  // something else that fits
    for (u8 flip : {0x01, 0x02, 0x03}) {
      Bytes changed = file;
      u64 at = spot.offset;
      if (s.kind == Span::Kind::bits) at += s.big ? spot.size - 1 - s.bit / 8 : s.bit / 8, flip = u8(1 << s.bit % 8);
      changed[at] ^= flip;
      const auto traced = trace_again(changed);
      if (traced.stop) continue;
      const auto again = traced.spans.find(path);
      if (!again || again->offset != spot.offset || again->size != spot.size ||
          traced.spans.all.size() != spans.all.size())
        continue;
      value = traced.spans.value(*again);
      if (auto done = write_value(other, spans, spot, value); !done)
        problem = path + " cannot be set to " + compact(value) + ": " + format_one_line(done.error());
      else if (other != changed)
        problem = path + " set to " + compact(value) + " changes other bytes than its own";
      break;
    }
  });
  return problem;
}

/// The laws of one layout.
template <class T>
struct LawsOf {
  /// Through text of JSON and back, to bytes.
  static Result<Bytes> through_json(const Spans& spans) {
    auto text = json::read(json::write(spans.value(0)));
    if (!text) return refuse(std::move(text.error()));
    auto value = from_value<T>(*text);
    if (!value) return refuse(std::move(value.error()));
    std::vector<UnreferencedBytes> residue;
    for (const Gap& g : spans.gaps())
      residue.push_back({g.offset, Bytes(spans.file.begin() + std::ptrdiff_t(g.offset),
                                         spans.file.begin() + std::ptrdiff_t(g.offset + g.size))});
    return write(*value, residue, spans.file.size());
  }
  /// Placed, as an edited document is; whatever lay between its parts is dropped.
  static Result<Bytes> placed(ByteView file) {
    auto r = load<T>(file);
    if (!r) return refuse(std::move(r.error()));
    (void)r->document.edit();
    return save(r->document, {.lossy = true});
  }

  /// Walks that are compiled for the type read and write as the Visitor does, whichever of both `load` takes.
  static std::string broken_fast(ByteView file, const Result<LoadResult<Document<T>>>& loaded) {
    DocumentType visited = document_type<T>(), fast = visited;
    visited.read = nullptr, visited.write = nullptr;
    fast.read = read_layout<T>, fast.write = write_layout<T>;
    for (const DocumentType& type : {visited, fast}) {
      const std::string which = type.read ? "fast" : "visiting";
      T value{};
      const ReadRest rest = read_document(type, &value, file, {});
      if (rest.failed != !loaded) return "the " + which + " reader refuses, or load does";
      if (rest.failed) continue;
      if (rest.doubted != !loaded->notes.empty()) return "the " + which + " reader doubts, or load does";
      if (to_value(value) != to_value(loaded->document.value())) return "the " + which + " reader reads differently";
      const auto bytes = write_document(type, &value, rest.residue, file.size());
      if (!bytes) return "the " + which + " writer refuses: " + format_one_line(bytes.error());
      if (!std::ranges::equal(*bytes, file))
        return "the " + which + " writer writes\n" + as_hex(*bytes) + "\nnot\n" + as_hex(file);
    }
    return {};
  }

  /// The first law that these bytes break, read as a T. `whole`: they are a good file.
  static std::string broken(ByteView file, bool whole = false) {
    auto r = load<T>(file);
    const TraceResult t = trace<T>(file);
    if (const auto law = broken_fast(file, r); !law.empty()) return law;
    if (!r) {
      if (whole) return "does not load: " + format_one_line(r.error());
      if (!t.stop || format_one_line(*t.stop) != format_one_line(r.error()))
        return "the trace stops otherwise than the reader";
      if (const auto why = unclear(r.error(), file); !why.empty())
        return "\"" + format_one_line(r.error()) + "\": " + why;
      return {};
    }
    if (t.stop) return "loads, but the trace stops: " + format_one_line(*t.stop);
    if (whole && !r->notes.empty()) return "there is a doubt: " + format_one_line(r->notes.front());
    if (r->notes.size() != t.notes.size()) return "reader and trace doubt differently";
    if (const auto law = broken_law(t.spans, whole); !law.empty()) return law;
    const auto gaps = t.spans.gaps();
    const auto& residue = r->document.residue;
    if (!std::equal(
            gaps.begin(), gaps.end(), residue.begin(), residue.end(),
            [](const Gap& g, const UnreferencedBytes& n) { return g.offset == n.offset && g.size == n.bytes.size(); }))
      return "the gaps of the trace are not the residue of the reader";

    const auto same = [&](const Result<Bytes>& b) {
      return b && std::equal(b->begin(), b->end(), file.begin(), file.end());
    };
    const auto said = [&](const Result<Bytes>& b) {
      return b ? "\n" + as_hex(*b) + "\nis not\n" + as_hex(file) : format_one_line(b.error());
    };
    if (auto b = save(r->document); !same(b)) return "save: " + said(b);
    if (auto b = through_json(t.spans); !same(b)) return "through JSON: " + said(b);
    // As text: a number of 32 bits is here what its digits say, there what the file holds.
    if (const Value shown = to_value(r->document.value()); compact(shown) != compact(t.spans.value(0)))
      return "the document is shown as " + compact(shown) + ", not as its trace: " + compact(t.spans.value(0));
    if (auto b = followed(file, Bytes(file.begin(), file.end())); !same(b))
      return "follow without a change: " + said(b);

    if (!r->notes.empty()) return {};  // a cut part may become whole beside other bytes
    auto once = placed(file);
    if (!once)
      return whole ? "place: " + format_one_line(once.error())
             : once.error().id.empty() || format_one_line(once.error()).empty() ? "place fails without a reason"
                                                                                : "";
    const auto twice = placed(*once);
    if (!twice) return "what was placed cannot be placed again: " + format_one_line(twice.error());
    if (*once != *twice) return "placing twice:\n" + as_hex(*twice) + "\nis not\n" + as_hex(*once);
    if (!whole) return {};
    return broken_poke(t.spans, [](ByteView b) { return trace<T>(b); });
  }

  static std::string decoded(const Bytes& file) {
    const TraceResult t = trace<T>(file);
    return t.stop ? format_one_line(*t.stop) : compact(t.spans.value(0));
  }
  static Result<Bytes> followed(ByteView file, Bytes patched) {
    EditableCopy draft(std::move(patched));
    auto before = load<T>(file), after = load<T>(draft.bytes());
    if (!before) return refuse(std::move(before.error()));
    if (!after) return refuse(std::move(after.error()));
    if (auto done = update_derived_values(before->document, file, after->document, draft); !done)
      return refuse(std::move(done.error()));
    return std::move(draft).take();
  }
  static std::string refusal(const Bytes& file) {
    auto r = load<T>(file);
    return r ? "loads" : r.error().id + ": " + format_one_line(r.error());
  }
  /// A value set at its path, and what follows from it.
  static std::string set(const Bytes& file, std::string_view path, const Value& value, Bytes& out) {
    const TraceResult t = trace<T>(file);
    const auto spot = t.spans.find(path);
    if (!spot) return "no such path";
    Bytes patched = file;
    if (auto done = write_value(patched, t.spans, *spot, value); !done)
      return done.error().id + ": " + format_one_line(done.error());
    auto changed = followed(file, std::move(patched));
    if (!changed) return changed.error().id + ": " + format_one_line(changed.error());
    out = std::move(*changed);
    return {};
  }
};

}  // namespace dio::test
