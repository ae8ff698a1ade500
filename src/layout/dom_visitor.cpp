#include "layout/dom_visitor.hpp"

#include <cstring>

#include "core/text_format.hpp"

namespace dio {

/// The child with that name, which a second pass finds in the same order, or a new value.
Dom::Id DomVisitor::find_or_add_member(std::string_view name) {
  Level& l = open_.back();
  const Dom::Id next = l.last ? dom_.next(l.last) : dom_.first(l.tree);
  const auto is_it = [&](Dom::Id i) { return dom_.is_tree(i) && dom_.name(i) == name; };
  Dom::Id i = next;
  if (!i || !is_it(i))
    for (i = dom_.first(l.tree); i && !is_it(i);) i = dom_.next(i);
  if (!i) i = dom_.add(l.tree, name);
  l.last = i;
  return i;
}

Dom::Id DomVisitor::find_or_add_element(u32 index) {
  Level& l = open_.back();
  if (!l.last || index < l.index) {
    l.index = 0;
    l.last = dom_.first(l.tree);
    if (!l.last) l.last = dom_.add(l.tree);
  }
  for (; l.index < index; ++l.index) {
    const Dom::Id next = dom_.next(l.last);
    l.last = next ? next : dom_.add(l.tree);
  }
  return l.last;
}

void DomVisitor::enter(Dom::Id i, Span::Kind kind) {
  // A part that the layout entered early may turn out to be a list.
  const Dom::Kind is = kind == Span::Kind::list ? Dom::Kind::list : Dom::Kind::object;
  if (!dom_.is(i, is) && !dom_.first(i)) dom_.set_tree(i, is);
  open_.push_back({i});
}

void DomVisitor::open(const Key& k, Span::Kind kind) {
  if (!k.name) return enter(find_or_add_element(k.index), kind);
  for_each_segment(k.name, [&](std::string_view part, bool last) {
    const size_t before = dom_.count();
    const Dom::Id i = find_or_add_member(part);
    if (last && k.is_derived && i >= before) dom_.set_derived(i);
    enter(i, last ? kind : Span::Kind::object);
  });
}
void DomVisitor::close(const Key& k) {
  open_.pop_back();
  if (k.name)
    for (const char* c = k.name; (c = std::strchr(c, '.')); ++c) open_.pop_back();
}

void DomVisitor::add_leaf(const Key& k, auto&& fill) {
  if (!k.name) return fill(find_or_add_element(k.index));
  size_t size = 0;
  bool is_dotted = false;
  for (; k.name[size]; ++size) is_dotted |= k.name[size] == '.';
  std::string_view name(k.name, size);
  size_t around = 0;
  if (is_dotted)
    for (size_t dot; (dot = name.find('.')) != name.npos; name.remove_prefix(dot + 1), ++around)
      enter(find_or_add_member(name.substr(0, dot)), Span::Kind::object);
  const Dom::Id i = dom_.add(open_.back().tree, name);
  if (k.is_derived) dom_.set_derived(i);
  fill(i);
  for (; around; --around) open_.pop_back();
}

void DomVisitor::set(Dom::Id i, Wire wire, u8 fraction, u64 raw) {
  if (fraction || wire == Wire::f32 || wire == Wire::f64 || wire == Wire::fourcc) {
    const Value v = number_value(wire, fraction, raw);
    if (v.is(Value::Kind::text)) return dom_.set_text(i, dom_.keep(v.text()));
    return dom_.set(i, v);
  }
  dom_.set_integer(i, raw, is_signed(wire) && i64(raw) < 0);
}

void DomVisitor::number(const Key& k, Number n) {
  add_leaf(k, [&](Dom::Id i) { set(i, n.wire, n.fraction, n.raw()); });
}
bool DomVisitor::bits_field(BitsField& f) {
  add_leaf(f.key, [&](Dom::Id i) { dom_.set_integer(i, f.value, f.is_signed && i64(f.value) < 0); });
  return false;
}
void DomVisitor::bytes(const Key& k, Raw x) {
  add_leaf(k, [&](Dom::Id i) { dom_.set_bytes(i, is_temporary() ? dom_.keep(x.view()) : x.view()); });
}
void DomVisitor::characters(const Key& k, std::string& x, TextForm, u64) {
  add_leaf(k, [&](Dom::Id i) {
    if (encoding_of(k))
      if (const auto shown = decode_text_field(k, x)) return dom_.set_text(i, dom_.keep(*shown));
    const std::string_view text = is_temporary() ? dom_.keep(x) : std::string_view(x);
    if (!encoding_of(k) && is_utf8(text)) return dom_.set_text(i, text);
    dom_.set_tree(i, Dom::Kind::object);
    dom_.set_bytes(dom_.add(i, "hex"), {reinterpret_cast<const u8*>(text.data()), text.size()});
  });
}
bool DomVisitor::numbers(const Key& k, List xs, Wire wire, u8 fraction) {
  add_leaf(k, [&](Dom::Id list) {
    dom_.set_tree(list, Dom::Kind::list);
    u8* at = static_cast<u8*>(xs.type->data(xs.at));
    for (size_t n = xs.size(); n; --n, at += size_of(wire)) set(dom_.add(list), wire, fraction, Number{at, wire}.raw());
  });
  return true;
}

}  // namespace dio
