#include "bridge/report/windows.hpp"

#include <algorithm>

#include "bridge/report/hex.hpp"
#include "core/text_format.hpp"
#include "layout/selector.hpp"

namespace dio::report {

namespace {

using Kind = Span::Kind;

bool has_children(const Span& s) { return s.kind == Kind::object || s.kind == Kind::list; }

}  // namespace

Windows::Windows(Spans spans) : spans_(std::move(spans)) {
  const auto& all = spans_.all;
  first_child_.reserve(all.size() + 1);
  for (u32 i = 0; i < all.size(); ++i) {
    first_child_.push_back(u32(children_.size()));
    spans_.for_each_child(i, [&](u32 child) {
      if (all[child].is_value()) children_.push_back(child);
    });
    if (i && is_hex_row(all[i])) entries_.push_back(i);
  }
  first_child_.push_back(u32(children_.size()));
  std::stable_sort(entries_.begin(), entries_.end(), [&](u32 a, u32 b) { return all[a].offset < all[b].offset; });
  while (leaves_ < entries_.size()) leaves_ *= 2;
  reach_.resize(2 * leaves_);
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Span& s = all[entries_[i]];
    reach_[leaves_ + i] = s.offset + std::max<u64>(s.size, 1);
  }
  for (size_t i = leaves_ - 1; i > 0; --i) reach_[i] = std::max(reach_[2 * i], reach_[2 * i + 1]);
  gaps_ = spans_.gaps();
}

template <class F>
void Windows::for_each_overlapping(u64 from, u64 to, F&& f) const {
  const auto end =
      size_t(std::ranges::lower_bound(entries_, to, {}, [&](u32 i) { return spans_[i].offset; }) - entries_.begin());
  const auto visit_subtree = [&](auto& self, size_t node, size_t first, size_t width) -> void {
    if (first >= end || reach_[node] <= from) return;
    if (width == 1) return f(first);
    self(self, 2 * node, first, width / 2);
    self(self, 2 * node + 1, first + width / 2, width / 2);
  };
  visit_subtree(visit_subtree, 1, 0, leaves_);
}

u64 Windows::child_count(u32 span) const {
  const Span& s = spans_[span];
  return s.kind == Kind::numbers ? spans_.count(s) : first_child_[span + 1] - first_child_[span];
}

Value Windows::value_summary_json(const SpanRef& spot) const {
  const Span& s = spans_[spot.span];
  Value v = Value::object();
  v.add("path", spans_.path(spot));
  const auto indexed = [](u64 i) { return "[" + std::to_string(i) + "]"; };
  v.add("name", spot.element ? indexed(*spot.element)
                : s.key.name ? std::string(s.key.name)
                : !spot.span ? std::string()
                             : indexed(s.key.index));
  v.add("type", spot.element ? std::string(to_string(s.wire)) : spans_.type(spot.span));
  if (s.kind != Kind::inferred) {
    v.add("offset", spot.offset);
    v.add("size", spot.size);
  }
  if (s.kind == Kind::bits) {
    v.add("bit", s.bit);
    v.add("bits", s.bits);
  }
  const bool is_scalar = spot.element || (!has_children(s) && s.kind != Kind::numbers && s.kind != Kind::bytes);
  if (is_scalar) v.add("value", spans_.value(spot));
  const u64 count = spot.element ? 0 : child_count(spot.span);
  if (has_children(s))  // Spans::show would count them
    v.add("show", format_count(count, s.kind == Kind::object ? "member" : "element"));
  else if (!is_scalar || s.key.vocabulary || s.key.measure)
    v.add("show", spans_.show(spot));
  if (s.key.about && !spot.element) v.add("doc", s.key.about);
  if (s.key.measure) v.add("unit", s.key.measure);
  v.add("count", count);
  return v;
}

std::optional<SpanRef> Windows::find_spot(std::string_view path) const {
  if (const auto spot = spans_.find(path)) return spot;
  const auto meant = select(spans_, path);
  return meant && meant->size() == 1 ? std::optional(meant->front()) : std::nullopt;
}

std::optional<Value> Windows::branch_json(std::string_view path, u64 from, u64 count) const {
  const auto spot = find_spot(path);
  if (!spot) return {};
  const Span& s = spans_[spot->span];
  Value v = value_summary_json(*spot);
  const u64 total = spot->element ? 0 : child_count(spot->span);
  v.add("total", total);
  Value& members = v.add("members", Value::list());
  from = std::min(from, total);
  for (u64 i = from; i < from + std::min(count, total - from); ++i) {
    if (s.kind == Kind::numbers) {
      const u64 size = size_of(s.wire);
      members.push(value_summary_json({spot->span, i, s.offset + i * size, size}));
    } else {
      const u32 child = children_[size_t(first_child_[spot->span] + i)];
      const Span& c = spans_[child];
      members.push(value_summary_json({child, {}, c.offset, c.kind == Kind::bits ? size_of(c.wire) : c.size}));
    }
  }
  return v;
}

Value Windows::spans_json(u64 offset, u64 size) const {
  const u64 total = spans_.file.size();
  offset = std::min(offset, total);
  const bool to_end = size >= total - offset;
  const u64 end = to_end ? total : offset + size;
  Value v = Value::object();
  v.add("schema", "diorama.hex/1");
  v.add("size", total);
  Value& list = v.add("spans", Value::list());
  for_each_overlapping(offset, to_end ? ~u64(0) : end, [&](size_t i) {
    const u32 span = entries_[i];
    const Span& s = spans_[span];
    std::optional<SpanPart> part;
    if ((s.kind == Kind::numbers || s.kind == Kind::bytes) && (s.offset < offset || s.offset + s.size > end)) {
      const u64 unit = s.kind == Kind::numbers ? size_of(s.wire) : 1;
      const u64 first = (std::max(s.offset, offset) - s.offset) / unit;
      part = SpanPart{first, (std::min(s.offset + s.size, end) - s.offset + unit - 1) / unit - first};
    }
    list.push(span_json(spans_, {span, {}, s.offset, s.size}, 0, part));
  });
  Value& gaps = v.add("gaps", Value::list());
  const auto first = std::ranges::upper_bound(gaps_, offset, {}, [](const Gap& g) { return g.offset + g.size; });
  for (auto gap = first; gap != gaps_.end() && gap->offset < end; ++gap) {
    Value& one = gaps.push(Value::object());
    one.add("offset", gap->offset);
    one.add("size", gap->size);
    const u64 from = std::max(gap->offset, offset), to = std::min(gap->offset + gap->size, end);
    if (to - from < gap->size) one.add("from", from - gap->offset);
    one.add("hex", encode_hex(spans_.file.subspan(size_t(from), size_t(to - from))));
  }
  return v;
}

std::optional<Windows::Range> Windows::find_byte_range(std::string_view path) const {
  const auto spot = find_spot(path);
  if (!spot) return {};
  return Range{spot->offset, spot->size};
}

std::optional<std::string> Windows::path_at(u64 offset) const {
  u32 best = 0;
  for_each_overlapping(offset, offset + 1, [&](size_t i) {
    const u32 span = entries_[i];
    if (spans_[span].size > 0 && (!best || spans_[span].size < spans_[best].size)) best = span;
  });
  if (!best) return {};
  const Span& s = spans_[best];
  SpanRef spot{best, {}, s.offset, s.size};
  if (s.kind == Kind::numbers) spot.element = (offset - s.offset) / size_of(s.wire);
  if (s.kind == Kind::unit && s.next && spans_[s.next].kind == Kind::bits) spot.span = s.next;
  return spans_.path(spot);
}

}  // namespace dio::report
