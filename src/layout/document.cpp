#include "core/text_format.hpp"
#include "layout/walks.hpp"

namespace dio {

/// The described byte ranges of a finished reader, sorted and merged.
static std::vector<Gap> merge_described_runs(Reader& r) {
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

/// The bytes between the ranges and after them.
static std::vector<UnreferencedBytes> collect_residue(const std::vector<Gap>& runs, ByteView file, bool stays) {
  std::vector<UnreferencedBytes> out;
  u64 at = 0;
  const auto gap = [&](u64 to) {
    if (to <= at) return;
    const ByteView bytes = file.subspan(size_t(at), size_t(to - at));
    out.push_back({at, stays ? FileBytes::borrow(bytes) : FileBytes(Bytes(bytes.begin(), bytes.end()))});
  };
  for (const Gap& run : runs) {
    gap(run.offset);
    at = run.offset + run.size;
  }
  gap(file.size());
  return out;
}

std::optional<Diagnostic> data_loss_error(const std::vector<UnreferencedBytes>& residue, u64 size, u8 fill) {
  for (const UnreferencedBytes& r : residue) {
    if (r.offset + r.bytes.size() == size) continue;  // stays after the end
    if (std::all_of(r.bytes.begin(), r.bytes.end(), [&](u8 b) { return b == 0 || b == fill; })) continue;
    return make_diagnostic(
        "layout.loses", Location::of_bytes(r.offset, r.bytes.size()),
        {.message = format_count(r.bytes.size(), "unreferenced byte") + " would be lost: the edit changes the layout",
         .hint = "{--lossy} discards them"});
  }
  return {};
}

Diagnostic refusal_diagnostic(const KeyPathTracker& t) {
  return make_diagnostic(t.id, t.path, {.expected = t.expected, .found = t.found});
}

static ReadRest finish_read(Reader& r, ByteView bytes) {
  r.close_described_run();
  if (r.failure) return {.residue = {}, .failed = true};
  return {.residue = collect_residue(merge_described_runs(r), bytes, r.options_.stays), .doubted = r.doubted};
}

ReadRest read_document(const DocumentType& type, void* x, ByteView bytes, const LoadOptions& options) {
  if (!type.read) {
    VisitingReader v(bytes, type.order, options);
    type.visit(v, x);
    return finish_read(v.r, bytes);
  }
  Reader r(bytes, type.order, options);
  type.read(r, x);
  return finish_read(r, bytes);
}

TraceResult trace_document(const DocumentType& type, void* x, ByteView bytes, const LoadOptions& options, bool known) {
  LoadOptions for_now = options;
  for_now.stays = true;  // the document is destroyed when this function returns
  Trace t(bytes, type.order, for_now);
  if (known) t.knows_document();
  type.visit(t, x);
  t.spans.index_lists();
  TraceResult out{std::move(t.spans), std::move(t.notes), {}};
  if (!t.good()) out.stop = std::move(t.stop);
  return out;
}

static Result<Bytes> insert_residue(Writer& w, const std::vector<UnreferencedBytes>& residue, u64 size, u8 fill) {
  if (!w.good()) return refuse(refusal_diagnostic(w.trail));
  if (w.out.size() < size) w.out.resize(size_t(size), fill);
  for (const UnreferencedBytes& r : residue)
    std::copy(r.bytes.begin(), r.bytes.end(), w.out.begin() + std::ptrdiff_t(r.offset));
  return std::move(w.out);
}

/// Writes with a Writer that `begin` prepares, and returns the result of `end`.
static auto write_with(const DocumentType& type, const void* x, u64 size, auto begin, auto end) {
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

Result<Bytes> write_document(const DocumentType& type, const void* x, const std::vector<UnreferencedBytes>& residue,
                             u64 size) {
  return write_with(
      type, x, size, [&](Writer& w) { w.out.reserve(size_t(std::min(size, k_max_file_size))); },
      [&](Writer& w) { return insert_residue(w, residue, size, type.fill); });
}

bool writes_identical_bytes(const DocumentType& type, const void* x, const std::vector<UnreferencedBytes>& residue,
                            ByteView file) {
  return write_with(
      type, x, file.size(), [&](Writer& w) { w.compare_with(file); },
      [&](Writer& w) {
        for (const UnreferencedBytes& r : residue) {
          w.origin = 0;
          w.jump(r.offset);
          w.raw(k_the_structure, r.bytes);
        }
        return w.matches_expected();
      });
}

Result<bool> update_in_place(const DocumentType& type, const void* x, const std::vector<UnreferencedBytes>& residue,
                             EditableCopy& file) {
  Blocks changes;
  write_with(
      type, x, file.bytes().size(), [&](Writer& w) { w.compare_with(file.bytes(), &changes); },
      [](Writer& w) { return w.good(); });
  for (const auto& [offset, bytes] : changes) file.replace(offset, bytes.size(), bytes);
  if (writes_identical_bytes(type, x, residue, file.bytes())) return true;
  // Parts that share bytes disagree, or a value does not fit: the full walk reports which.
  const auto all = write_document(type, x, residue, file.bytes().size());
  if (!all) return refuse(all.error());
  file.replace(0, file.bytes().size(), *all);
  return true;
}

Result<Bytes> write_in_place(const DocumentType& type, const void* x, const std::vector<UnreferencedBytes>& residue,
                             u64 size) {
  return write_with(
      type, x, size ? size : k_max_file_size, [](Writer&) {},
      [&](Writer& w) {
        for (const UnreferencedBytes& r : residue) {  // overwriting these bytes would lose them
          w.origin = 0;
          w.jump(r.offset);
          w.raw(k_the_structure, r.bytes);
        }
        return insert_residue(w, {}, size, type.fill);
      });
}

Result<Bytes> assign_offsets_and_write(const DocumentType& type, void* x, const Bytes& tail) {
  OffsetAssigner p(OffsetAssigner::Mode::place, tail.size());
  type.visit(p, x);
  if (!p.good()) return refuse(refusal_diagnostic(p.trail));
  return write_document(type, x, {{p.high, FileBytes(tail)}}, p.high + tail.size());
}

bool update_derived_fields(const DocumentType& type, const void* was, u64 size_before, void* now, u64 size) {
  OffsetAssigner inspect(OffsetAssigner::Mode::inspect, size_before), follow(OffsetAssigner::Mode::follow, size);
  type.visit(inspect, const_cast<void*>(was));  // it is only looked at
  follow.as_derived = std::move(inspect.as_derived);
  type.visit(follow, now);
  return follow.derived == follow.as_derived.size();
}

bool has_canonical_derived_fields(const DocumentType& type, const void* x, u64 size) {
  OffsetAssigner inspect(OffsetAssigner::Mode::inspect, size);
  type.visit(inspect, const_cast<void*>(x));  // it is only looked at
  return inspect.good() && std::ranges::find(inspect.as_derived, false) == inspect.as_derived.end();
}

std::optional<u64> end_padding(const DocumentType& type, void* document, u64 end) {
  OffsetAssigner p(OffsetAssigner::Mode::place, 0);
  type.visit(p, document);
  if (!p.good() || p.content_end != end) return {};
  return p.high - p.content_end;
}

std::optional<Diagnostic> fill_document_from_dom(Visit visit, void* x, const Dom& dom, Dom::Id document, u32 version,
                                                 MissingValues missing) {
  Patch p(dom, document, version, missing);
  visit(p, x);
  p.refuse_unused_members();
  if (p.good()) return {};
  return std::move(p.stop);
}

void write_document_to_dom(Visit visit, const void* x, Dom& dom, Dom::Id at, u32 version) {
  DomVisitor v(dom, at, version);
  visit(v, const_cast<void*>(x));  // it is only looked at
}

}  // namespace dio
