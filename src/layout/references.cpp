#include "layout/references.hpp"

#include "layout/leaf.hpp"

namespace dio {

References::References(const Spans& spans) : spans_(spans) {
  for (u32 i = 1; i < spans.all.size(); ++i) {
    const Span& s = spans[i];
    const Reference* r = s.key.vocabulary ? s.key.vocabulary->refers : nullptr;
    if (!r || !s.is_value()) continue;
    if (r->is_opaque) {
      for (const Target& t : r->targets)
        if (const u32 list = s.size ? find_target_list(i, t) : 0) opaque_.push_back({i, list});
      continue;
    }
    if (s.kind == Span::Kind::numbers) {
      const u64 size = size_of(s.wire);
      for (u64 n = spans.count(s), e = 0; e < n; ++e)
        add_reference({i, e, s.offset + e * size, size}, *r, spans.element(s, e).bits());
    } else if (s.kind == Span::Kind::bytes) {
      for (u64 e = 0; e < s.size; ++e) add_reference({i, e, s.offset + e, 1}, *r, spans.file[size_t(s.offset + e)]);
    } else if (s.kind == Span::Kind::text) {
      if (!r->name.empty()) add_name_reference(i, *r);
    } else if (s.kind == Span::Kind::number || s.kind == Span::Kind::bits)
      add_reference({i, {}, s.offset, s.kind == Span::Kind::bits ? size_of(s.wire) : s.size}, *r, s.raw);
  }
}

/// A number in the same structure as another number.
static const Span* find_sibling(const Spans& spans, u32 span, std::string_view name, u32* at = nullptr) {
  const Span* found = nullptr;
  spans.for_each_child(spans[span].parent, [&](u32 i) {
    if (found || !spans[i].is_value() || !spans[i].key.name || spans[i].key.name != name) return;
    found = &spans[i];
    if (at) *at = i;
  });
  return found;
}

static bool target_applies(const Spans& spans, u32 span, const Target& t) {
  if (!t.when.empty()) {
    const Span* s = find_sibling(spans, span, t.when);
    if (!s || i64(s->raw) != t.is) return false;
  }
  if (t.in.empty()) return true;
  for (u32 around = spans[span].parent; around; around = spans[around].parent)
    if (spans[around].key.name && spans[around].key.name == t.in) return true;
  return false;
}

u32 References::find_target_list(u32 span, const Target& t) const {
  for (u32 around = spans_[span].parent;; around = spans_[around].parent) {
    // Lists have many elements, most of them without inner lists: the inner lists of one element stand for all.
    const bool is_object = spans_[around].kind == Span::Kind::object;
    auto known = lists_.find({around, t.list.data()});
    if (known == lists_.end() && is_object) {
      const auto spot = spans_.find(t.list, around);
      const bool is_list =
          spot && !spot->element &&
          (spans_[spot->span].kind == Span::Kind::list || spans_[spot->span].kind == Span::Kind::numbers);
      known = lists_.insert({{around, t.list.data()}, is_list ? spot->span : 0}).first;
    }
    if (known != lists_.end() && known->second) {
      if (t.by.empty()) return known->second;
      const Span* index = find_sibling(spans_, span, t.by);
      return index ? find_inner_list(known->second, index->raw, t.inner) : 0;
    }
    if (!around) return 0;
  }
}

u32 References::find_inner_list(u32 list, u64 index, std::string_view inner) const {
  const auto [known, is_new] = inner_lists_.try_emplace({list, index}, 0);
  if (is_new) {
    const auto spot = spans_.find("[" + std::to_string(index) + "]." + std::string(inner), list);
    if (spot && !spot->element && spans_[spot->span].kind == Span::Kind::list) known->second = spot->span;
  }
  return known->second;
}

u64 References::find_element_by_name(u32 list, std::string_view member, std::string_view text) const {
  const auto [known, is_new] = names_.try_emplace(list);
  if (is_new) {
    u64 i = 0;
    spans_.for_each_child(list, [&](u32 element) {
      if (const auto name = spans_.find(member, element); name && spans_[name->span].kind == Span::Kind::text)
        known->second.try_emplace(spans_.value(name->span).text(), i);
      ++i;
    });
  }
  const auto found = known->second.find(text);
  return found == known->second.end() ? spans_.length(list) : found->second;
}

void References::add_name_reference(u32 span, const Reference& reference) {
  const Target* target = nullptr;
  for (const Target& t : reference.targets)
    if (!target && target_applies(spans_, span, t)) target = &t;
  const std::string text = spans_.value(span).text();
  if (!target || text.empty()) return;
  ResolvedReference r{
      {span, {}, spans_[span].offset, spans_[span].size}, &reference, find_target_list(span, *target), 0, 1};
  if (r.list) {
    const size_t slash = reference.inner.empty() ? text.npos : text.find('/');
    r.first = find_element_by_name(r.list, reference.name, std::string_view(text).substr(0, slash));
    if (slash != text.npos) {
      r.list = find_inner_list(r.list, r.first, reference.inner);
      if (r.list) r.first = find_element_by_name(r.list, reference.name, std::string_view(text).substr(slash + 1));
    }
  }
  if (r.list) by_list_[r.list].push_back(u32(all_.size()));
  all_.push_back(r);
}

void References::add_reference(SpanRef from, const Reference& reference, u64 value) {
  const Span& s = spans_[from.span];
  const Target* target = nullptr;
  for (const Target& t : reference.targets)
    if (!target && target_applies(spans_, from.span, t)) target = &t;
  if (!target && reference.part.empty()) return;
  ResolvedReference r{from, &reference, target ? find_target_list(from.span, *target) : 0,
                      value - std::min(value, reference.base)};
  const u64 bits = s.kind == Span::Kind::bits ? s.bits : s.kind == Span::Kind::bytes ? 8 : 8 * size_of(s.wire);
  const bool leads = value >= reference.base && value <= reference.most && value <= low_bits(unsigned(bits)) &&
                     s.key.vocabulary->of(i64(value)).empty();
  if (!reference.count.empty()) {
    const Span* n = find_sibling(spans_, from.span, reference.count, &r.count_span);
    r.count = leads && n ? n->raw : 0;
  } else
    r.count = leads;
  if (r.list && r.count) by_list_[r.list].push_back(u32(all_.size()));
  all_.push_back(r);
}

std::string References::target(const ResolvedReference& r) const {
  if (r.count && r.is_part()) return std::string(r.reference->part) + "/" + std::to_string(r.first);
  if (!r.list || !r.count) return {};
  std::string path = spans_.path(r.list) + "[" + std::to_string(r.first);
  if (r.count > 1) path += "-" + std::to_string(r.first + r.count - 1);
  return path + "]";
}

std::vector<const ResolvedReference*> References::to(u32 list, u64 index) const {
  std::vector<const ResolvedReference*> out;
  if (const auto found = by_list_.find(list); found != by_list_.end())
    for (const u32 i : found->second)
      if (all_[i].leads_to(index)) out.push_back(&all_[i]);
  return out;
}

bool is_inside(const Spans& spans, u32 span, u32 around) {
  while (span && span != around) span = spans[span].parent;
  return span == around;
}

std::vector<SharedName> shared_names(const Spans& spans, const SpanRef& part) {
  std::vector<SharedName> out;
  for (u32 i = part.span; i < spans.all.size(); ++i)
    if (const Reference* name = shared_name_reference(spans[i]); name && is_inside(spans, i, part.span))
      out.push_back({i, name->shared, spans.value(i).text(), name->defines});
  return out;
}

References::OfPart References::of(const SpanRef& part) const {
  const Span& s = spans_[part.span];
  // The elements that the part consists of.
  u32 list = 0;
  u64 first = 0, count = 0;
  if (part.element)
    list = part.span, first = *part.element, count = 1;
  else if (part.span && !s.key.name)
    list = s.parent, first = s.key.index, count = 1;
  else if (s.kind == Span::Kind::list || s.kind == Span::Kind::numbers)
    list = part.span, count = spans_.length(part.span);
  OfPart found;
  for (const ResolvedReference& r : all_) {
    if (!r.count) continue;
    const bool starts_here = part.element ? r.from.span == part.span && r.from.element == part.element
                                          : is_inside(spans_, r.from.span, part.span);
    if (starts_here) {
      found.out.push_back(&r);
      continue;
    }
    const bool leads_here = list ? r.list == list && r.first < first + count && first < r.first + r.count
                                 : part.span != 0 && is_inside(spans_, r.list, part.span);
    if (leads_here) found.in.push_back(&r);
  }
  return found;
}

std::optional<i64> none_value_of(const Span& number) {
  const EnumNames* w = number.key.vocabulary;
  return w && !w->words.empty() ? std::optional(w->words.front().value) : std::nullopt;
}

const Reference* shared_name_reference(const Span& s) {
  const EnumNames* w = s.key.vocabulary;
  return s.kind == Span::Kind::text && w && w->refers && !w->refers->shared.empty() ? w->refers : nullptr;
}

}  // namespace dio
