#include "core/printing.hpp"
#include "layout/walks.hpp"

namespace dio {

/// The described runs of a finished reader, sorted and merged.
static std::vector<Gap> merged_runs(Reader& r) {
  std::sort(r.described.begin(), r.described.end());
  std::vector<Gap> out;
  for (const auto& [from, to] : r.described) {
    if (!out.empty() && from <= out.back().offset + out.back().size) {
      const u64 end = std::max(to, out.back().offset + out.back().size);
      out.back().size = end - out.back().offset;
    } else
      out.push_back({from, to - from});
  }
  return out;
}

/// The bytes between the runs and after them.
static std::vector<Residue> residue_between(const std::vector<Gap>& runs, ByteView file, bool stays) {
  std::vector<Residue> out;
  u64 at = 0;
  const auto gap = [&](u64 to) {
    if (to <= at) return;
    const ByteView bytes = file.subspan(size_t(at), size_t(to - at));
    out.push_back({at, stays ? FileBytes::in(bytes) : FileBytes(Bytes(bytes.begin(), bytes.end()))});
  };
  for (const Gap& run : runs) {
    gap(run.offset);
    at = run.offset + run.size;
  }
  gap(file.size());
  return out;
}

std::optional<Diagnostic> would_lose(const std::vector<Residue>& residue, u64 size, u8 fill) {
  for (const Residue& r : residue) {
    if (r.offset + r.bytes.size() == size) continue;  // stays after the end
    if (std::all_of(r.bytes.begin(), r.bytes.end(), [&](u8 b) { return b == 0 || b == fill; })) continue;
    return make_diagnostic(
        "layout.loses", Place::of_bytes(r.offset, r.bytes.size()),
        {.message = counted(r.bytes.size(), "unreferenced byte") + " would be lost: the edit changes the layout",
         .hint = "--lossy discards them"});
  }
  return {};
}

Diagnostic refusal_of(const Trail& t) {
  return make_diagnostic(t.id, t.path, {.expected = t.expected, .found = t.found});
}

static ReadRest rest_of(Reader& r, ByteView bytes) {
  r.describe();
  if (r.failure) return {.residue = {}, .failed = true};
  return {.residue = residue_between(merged_runs(r), bytes, r.options_.stays), .doubted = r.doubted};
}

ReadRest read_document(const DocumentType& type, void* x, ByteView bytes, const LoadOptions& options) {
  if (!type.read) {
    VisitingReader v(bytes, type.order, options);
    type.visit(v, x);
    return rest_of(v.r, bytes);
  }
  Reader r(bytes, type.order, options);
  type.read(r, x);
  return rest_of(r, bytes);
}

Traced trace_document(const DocumentType& type, void* x, ByteView bytes, const LoadOptions& options, bool known) {
  LoadOptions for_now = options;
  for_now.stays = true;  // the document is gone when this ends
  Trace t(bytes, type.order, for_now);
  if (known) t.knows_document();
  type.visit(t, x);
  t.spans.index_lists();
  Traced out{std::move(t.spans), std::move(t.notes), {}};
  if (!t.good()) out.stop = std::move(t.stop);
  return out;
}

static Result<Bytes> with_residue(Writer& w, const std::vector<Residue>& residue, u64 size, u8 fill) {
  if (!w.good()) return refuse(refusal_of(w.trail));
  if (w.out.size() < size) w.out.resize(size_t(size), fill);
  for (const Residue& r : residue) std::copy(r.bytes.begin(), r.bytes.end(), w.out.begin() + std::ptrdiff_t(r.offset));
  return std::move(w.out);
}

/// Writes with a Writer that `begin` prepares, and returns what `end` makes of it.
static auto written(const DocumentType& type, const void* x, u64 size, auto begin, auto end) {
  if (!type.write) {
    VisitingWriter v(type.order, size, type.fill);
    begin(v.w);
    type.visit(v, const_cast<void*>(x));  // it is only looked at
    return end(v.w);
  }
  Writer w(type.order, size, type.fill);
  begin(w);
  type.write(w, x);
  return end(w);
}

Result<Bytes> write_document(const DocumentType& type, const void* x, const std::vector<Residue>& residue, u64 size) {
  return written(
      type, x, size, [&](Writer& w) { w.out.reserve(size_t(std::min(size, k_max_file_size))); },
      [&](Writer& w) { return with_residue(w, residue, size, type.fill); });
}

bool writes_same(const DocumentType& type, const void* x, const std::vector<Residue>& residue, ByteView file) {
  return written(
      type, x, file.size(), [&](Writer& w) { w.compare_with(file); },
      [&](Writer& w) {
        for (const Residue& r : residue) {
          w.origin = 0;
          w.jump(r.offset);
          w.raw(k_the_structure, r.bytes);
        }
        return w.is_same();
      });
}

Result<bool> write_over(const DocumentType& type, const void* x, const std::vector<Residue>& residue, Draft& file) {
  Blocks changes;
  written(
      type, x, file.bytes().size(), [&](Writer& w) { w.compare_with(file.bytes(), &changes); },
      [](Writer& w) { return w.good(); });
  for (const auto& [offset, bytes] : changes) file.replace(offset, bytes.size(), bytes);
  if (writes_same(type, x, residue, file.bytes())) return true;
  // Parts that share bytes do not agree, or something does not fit: the whole walk says what.
  const auto all = write_document(type, x, residue, file.bytes().size());
  if (!all) return refuse(all.error());
  file.replace(0, file.bytes().size(), *all);
  return true;
}

Result<Bytes> write_in_place(const DocumentType& type, const void* x, const std::vector<Residue>& residue, u64 size) {
  return written(
      type, x, size ? size : k_max_file_size, [](Writer&) {},
      [&](Writer& w) {
        for (const Residue& r : residue) {  // what was written there instead would be lost
          w.origin = 0;
          w.jump(r.offset);
          w.raw(k_the_structure, r.bytes);
        }
        return with_residue(w, {}, size, type.fill);
      });
}

Result<Bytes> place_document(const DocumentType& type, void* x, const Bytes& tail) {
  Placer p(Placer::Mode::place, tail.size());
  type.visit(p, x);
  if (!p.good()) return refuse(refusal_of(p.trail));
  return write_document(type, x, {{p.high, FileBytes(tail)}}, p.high + tail.size());
}

bool follow_document(const DocumentType& type, const void* was, u64 size_before, void* now, u64 size) {
  Placer inspect(Placer::Mode::inspect, size_before), follow(Placer::Mode::follow, size);
  type.visit(inspect, const_cast<void*>(was));  // it is only looked at
  follow.as_derived = std::move(inspect.as_derived);
  type.visit(follow, now);
  return follow.derived == follow.as_derived.size();
}

bool is_derived_document(const DocumentType& type, const void* x, u64 size) {
  Placer inspect(Placer::Mode::inspect, size);
  type.visit(inspect, const_cast<void*>(x));  // it is only looked at
  return inspect.good() && std::ranges::find(inspect.as_derived, false) == inspect.as_derived.end();
}

std::optional<u64> end_padding(const DocumentType& type, void* document, u64 end) {
  Placer p(Placer::Mode::place, 0);
  type.visit(p, document);
  if (!p.good() || p.content_end != end) return {};
  return p.high - p.content_end;
}

std::optional<Diagnostic> take_values(Visit visit, void* x, const Dom& dom, Dom::Id document, u32 version,
                                      Missing missing) {
  Patch p(dom, document, version, missing);
  visit(p, x);
  p.finish();
  if (p.good()) return {};
  return std::move(p.stop);
}

void make_values(Visit visit, const void* x, Dom& dom, Dom::Id at, u32 version) {
  ToDom v(dom, at, version);
  visit(v, const_cast<void*>(x));  // it is only looked at
}

}  // namespace dio
