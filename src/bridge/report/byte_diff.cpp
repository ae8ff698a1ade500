#include "bridge/report/byte_diff.hpp"

#include <algorithm>

#include "core/text_format.hpp"

namespace dio::report {

namespace {

/// The value at an offset, looked up fast, because files with many values have many runs of different bytes.
class ValuesByOffset {
 public:
  explicit ValuesByOffset(const Spans& spans) : spans_(spans), leaves_(spans.leaves()) {}

  std::optional<SpanRef> at(u64 offset) const {
    auto i = std::upper_bound(leaves_.begin(), leaves_.end(), offset,
                              [&](u64 o, u32 span) { return o < spans_[span].offset; });
    if (i == leaves_.begin()) return {};
    const u32 span = *--i;
    const Span& s = spans_[span];
    if (offset - s.offset >= s.size) return spans_.at(offset);  // in a gap, or inside a shared part
    if (s.kind != Span::Kind::numbers) return SpanRef{span, {}, s.offset, s.size};
    const u64 size = size_of(s.wire), element = (offset - s.offset) / size;
    return SpanRef{span, element, s.offset + element * size, size};
  }

 private:
  const Spans& spans_;
  std::vector<u32> leaves_;
};

}  // namespace

std::vector<ByteRun> byte_diff(ByteView a, ByteView b, const Spans* spans) {
  constexpr size_t k_equal = 4;
  const size_t both = std::min(a.size(), b.size()), most = std::max(a.size(), b.size());
  const auto differs = [&](size_t i) { return i >= both || a[i] != b[i]; };
  std::optional<ValuesByOffset> values;
  if (spans) values.emplace(*spans);
  std::vector<ByteRun> out;
  for (size_t i = 0; i < most;) {
    if (!differs(i)) {
      ++i;
      continue;
    }
    const size_t start = i;
    size_t end = i + 1;
    for (i = end; i < most && i < end + k_equal; ++i)
      if (differs(i)) end = i + 1;
    ByteRun run;
    run.offset = start;
    const auto copy_changed_bytes = [&](ByteView v) {
      const auto from = v.begin() + std::ptrdiff_t(std::min(start, v.size())),
                 to = v.begin() + std::ptrdiff_t(std::min(end, v.size()));
      return Bytes(from, to);
    };
    run.before = copy_changed_bytes(a);
    run.after = copy_changed_bytes(b);
    if (values)
      if (const auto spot = values->at(start)) run.path = spans->path(*spot);
    out.push_back(std::move(run));
    i = end;
  }
  return out;
}

std::vector<ByteRun> value_diff(ByteView a, ByteView b, const Spans& spans) {
  const ValuesByOffset values(spans);
  std::vector<ByteRun> out;
  for (u64 i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[size_t(i)] == b[size_t(i)]) continue;
    ByteRun run;
    run.offset = i;
    u64 size = 1;
    if (const auto spot = values.at(i)) {
      run.offset = spot->offset;
      size = std::min<u64>(spot->size, std::min(a.size(), b.size()) - spot->offset);
      run.path = spans.path(*spot);
    }
    const auto copy_changed_bytes = [&](ByteView v) {
      const ByteView p = v.subspan(size_t(run.offset), size_t(size));
      return Bytes(p.begin(), p.end());
    };
    run.before = copy_changed_bytes(a);
    run.after = copy_changed_bytes(b);
    i = run.offset + size - 1;
    out.push_back(std::move(run));
  }
  return out;
}

Value byte_diff_json(const std::vector<ByteRun>& runs) {
  Value v = Value::object();
  v.add("schema", "diorama.diff-bytes/1");
  Value& list = v.add("changes", Value::list());
  for (const ByteRun& r : runs) {
    Value& one = list.push(Value::object());
    one.add("offset", r.offset);
    one.add("old", encode_hex(r.before));
    one.add("new", encode_hex(r.after));
    if (!r.path.empty()) one.add("path", r.path);
  }
  return v;
}

}  // namespace dio::report
