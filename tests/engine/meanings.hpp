// meanings.hpp: who refers to whom in a file. Elements are known by their content without references, not by their
// numbers.
#pragma once
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "layout/references.hpp"

namespace dio::test {

/// What an element is, whatever its number and those of others: its values that lead nowhere and follow from nothing.
inline std::string likeness(const Spans& spans, u32 span) {
  const Span& s = spans[span];
  if ((s.key.vocabulary && s.key.vocabulary->refers) || s.key.is_derived || s.key.is_placement || !s.is_value())
    return {};
  if (s.kind == Span::Kind::list || s.kind == Span::Kind::object) {
    if (const auto name = spans.find("name", span); name && spans[name->span].kind == Span::Kind::text)
      return spans.show(*name);
    std::vector<std::string> parts;  // in any order, without lists: they may be edited, too
    spans.for_each_child(span, [&](u32 i) {
      const Span& c = spans[i];
      if (c.kind == Span::Kind::list && s.kind == Span::Kind::object) return;
      // The number of elements of a run is part of a reference.
      if (c.key.name && std::string_view(c.key.name).find("count") != std::string_view::npos) return;
      parts.push_back((c.key.name ? c.key.name : "") + std::string("(") + likeness(spans, i) + ")");
    });
    std::ranges::sort(parts);
    std::string all;
    for (const std::string& part : parts) all += part;
    return all;
  }
  return spans.show(span);
}
inline std::string likeness(const Spans& spans, u32 list, u64 index) {
  const auto spot = spans.find("[" + std::to_string(index) + "]", list);
  if (!spot) return "nothing";
  return spot->element ? spans.show(*spot) : likeness(spans, spot->span);
}

/// The element that a number is in, and the field that it is.
inline std::string holder(const Spans& spans, const ResolvedReference& r) {
  std::string field = spans.path(r.from);
  for (u32 i = r.from.span; i; i = spans[i].parent)
    if (!spans[i].key.name && spans[spans[i].parent].kind == Span::Kind::list) {
      const std::string element = spans.path(i);
      std::string list;  // without indices: what is around it may move
      for (const char c : element.substr(0, element.find_last_of('[')))
        if (!std::isdigit(u8(c))) list += c;
      return list + " " + likeness(spans, i) + " " +
             field.substr(element.size(), field.find('[', element.size()) - element.size());
    }
  return field.substr(0, field.find('['));
}

/// What BDHC makes of its plates whenever they change.
inline bool is_made_again(const std::string& path) {
  return path.find("strips") != path.npos || path.find("access_list") != path.npos;
}

using Meanings = std::multiset<std::pair<std::string, std::string>>;
/// Who refers to whom. `runs`: with what groups consist of, too.
inline Meanings meanings(const Spans& spans, bool runs) {
  const References references(spans);
  Meanings out;
  for (const ResolvedReference& r : references.all()) {
    if (!r.count || r.reference->chain != Reference::Chain::none || (r.is_run() && !runs)) continue;
    std::string what;
    for (u64 i = r.first; i < r.first + r.count; ++i) what += likeness(spans, r.list, i) + "; ";
    if (!references.exists(r) || is_made_again(spans.path(r.from))) continue;  // it may lead to what is added
    out.insert({holder(spans, r), what});
  }
  return out;
}
inline u64 outside(const Spans& spans) {
  const References references(spans);
  return u64(std::ranges::count_if(references.all(),
                                   [&](const ResolvedReference& r) { return r.count && !references.exists(r); }));
}

inline std::vector<u32> lists_of(const Spans& spans) {
  std::vector<u32> out;
  for (u32 i = 1; i < spans.all.size(); ++i)
    if (spans[i].kind == Span::Kind::list && spans.length(i) > 0) out.push_back(i);
  return out;
}

}  // namespace dio::test
