#include "bridge/report/tree.hpp"

#include <optional>
#include <vector>

#include "core/text_format.hpp"

namespace dio::report {

namespace {

using Kind = Span::Kind;

std::string name_of(const Key& key) { return key.name ? key.name : '[' + std::to_string(key.index) + ']'; }

class TreeText {
 public:
  TreeText(const Spans& spans, const TreeOptions& options) : spans_(spans), options_(options) {}

  std::string write_span(u32 span) {
    if (is_leaf(span)) {
      const bool is_text = spans_[span].kind == Kind::text;
      write_line(0, name_of(spans_[span].key), is_text ? spans_.show(span) : format_leaf(span));
    } else if (const auto text = span ? format_inline(span) : std::nullopt) {
      write_line(0, name_of(spans_[span].key), *text);
    } else {
      write_members(span, 0, options_.depth);
    }
    return std::move(out_);
  }

  /// The first members of an object, with those one level below in brackets.
  std::string summarize_members(u32 span, size_t columns) const {
    if (is_leaf(span)) return format_leaf(span);
    if (spans_[span].kind == Kind::list) return spans_.show(span);
    std::string text;
    for (const u32 i : value_children(span)) {
      const std::optional<std::string> inside = is_leaf(i) ? std::nullopt : format_inline(i, true);
      const std::string part = spans_[i].key.name + (' ' + (inside       ? parenthesize(i, *inside)
                                                            : is_leaf(i) ? as_part(i)
                                                                         : spans_.show(i)));
      if (!text.empty() && text.size() + part.size() + 2 > columns) return text + ", ...";
      text += (text.empty() ? "" : ", ") + part;
    }
    if (spans_[span].key.measure) text += std::string(" ") + spans_[span].key.measure;
    return text.empty() ? "none" : text;
  }

 private:
  static constexpr size_t k_columns = 110;
  static constexpr u64 k_numbers = 16;               // of a plain number list, on one line
  static constexpr u64 k_letters = 140;              // of a text: those of discs have up to 128 bytes
  static constexpr u64 k_elements = 5, k_shown = 3;  // longer lists show only this many

  bool is_leaf(u32 i) const { return spans_[i].kind != Kind::object && spans_[i].kind != Kind::list; }

  std::vector<u32> value_children(u32 span) const {
    std::vector<u32> out;
    spans_.for_each_child(span, [&](u32 i) {
      if (spans_[i].is_value()) out.push_back(i);
    });
    return out;
  }

  std::string format_leaf(u32 i) const {
    const Span& s = spans_[i];
    if (s.kind == Kind::text && s.size > k_letters && !options_.all) return truncate_text(i);
    if (s.kind != Kind::numbers) return spans_.show(i);
    const u64 n = spans_.count(s), shown = options_.all || n <= k_numbers ? n : k_shown;
    std::string text;
    for (u64 e = 0; e < shown; ++e) {
      const u64 size = size_of(s.wire);
      text += (e ? ", " : "") + spans_.show(SpanRef{i, e, s.offset + e * size, size});
    }
    if (shown < n) text += ", ... " + std::to_string(n - shown) + " more";
    return n ? text : "none";
  }

  /// Shortens a long text: scripts are texts.
  std::string truncate_text(u32 i) const {
    const Value v = spans_.value(i);
    if (!v.is(Value::Kind::text)) return truncate_utf8(spans_.show(i), k_letters);
    if (v.text().size() <= k_letters) return spans_.show(i);  // the rest is padding
    const std::string text = truncate_utf8(v.text(), k_letters);
    std::string out;
    append_json_string(out, std::string_view(text).substr(0, text.size() - 3));
    return out + "...";
  }

  std::string as_part(u32 i) const {
    return spans_[i].kind == Kind::numbers ? '[' + format_leaf(i) + ']' : format_leaf(i);
  }
  std::string parenthesize(u32 i, const std::string& text) const {
    const char* unit = spans_[i].key.measure;
    return '(' + text + ')' + (unit ? std::string(" ") + unit : "");
  }

  /// An object or a list on one line, if it is short and not nested more than one level.
  std::optional<std::string> format_inline(u32 span, bool nested = false) const {
    std::string text;
    for (const u32 i : value_children(span)) {
      std::string part;
      if (is_leaf(i)) {
        part = as_part(i);
      } else if (value_children(i).empty()) {
        part = "none";
      } else if (!nested && spans_[i].kind == Kind::object) {
        const std::optional<std::string> inner = format_inline(i, true);
        if (!inner) return {};
        part = parenthesize(i, *inner);
      } else {
        return {};
      }
      if (!text.empty()) text += ", ";
      if (spans_[i].key.name) text += std::string(spans_[i].key.name) + ' ';
      text += part;
      if (text.size() > k_columns) return {};
    }
    if (text.empty()) return "none";
    if (!nested && spans_[span].key.measure) text += std::string(" ") + spans_[span].key.measure;
    return text;
  }

  void write_line(size_t indent, const std::string& name, const std::string& text) {
    out_.append(indent, ' ');
    out_ += options_.color ? "\033[36m" + name + "\033[0m" : name;
    if (!text.empty()) out_ += ": " + text;
    out_ += '\n';
  }

  void write_members(u32 span, size_t indent, int depth) {
    const std::vector<u32> all = value_children(span);
    const bool folded = spans_[span].kind == Kind::list && !options_.all && all.size() > k_elements;
    for (size_t n = 0; n < (folded ? k_shown : all.size()); ++n) write_node(all[n], indent, depth);
    if (folded) out_ += std::string(indent, ' ') + "... " + std::to_string(all.size() - k_shown) + " more\n";
  }

  void write_node(u32 i, size_t indent, int depth) {
    const std::string name = name_of(spans_[i].key);
    if (is_leaf(i)) return write_line(indent, name, format_leaf(i));
    if (const auto text = format_inline(i); text && indent + name.size() + text->size() <= k_columns)
      return write_line(indent, name, *text);
    const bool is_list = spans_[i].kind == Kind::list;
    write_line(indent, name, is_list || depth == 1 ? spans_.show(i) : "");
    if (depth != 1) write_members(i, indent + 2, depth - (depth > 0));
  }

  const Spans& spans_;
  TreeOptions options_;
  std::string out_;
};

}  // namespace

std::string line_text(const Spans& spans, u32 span) { return TreeText(spans, {}).summarize_members(span, 80); }

std::string tree_text(const Spans& spans, u32 span, const TreeOptions& options) {
  return TreeText(spans, options).write_span(span);
}

Value tree_json(const Spans& spans, u32 span, int depth) {
  const Span& s = spans[span];
  Value v = Value::object();
  if (span != 0) {
    if (s.key.name)
      v.add("name", s.key.name);
    else
      v.add("index", s.key.index);
  }
  v.add("type", spans.type(span));
  if (s.kind != Kind::inferred) {
    v.add("offset", s.offset);
    v.add("size", span ? s.size : u64(spans.file.size()));
  }
  if (s.kind == Kind::bits) {
    v.add("bit", s.bit);
    v.add("bits", s.bits);
  }
  if (s.key.about) v.add("doc", s.key.about);
  if (s.key.measure) v.add("unit", s.key.measure);
  if (s.kind != Kind::object && s.kind != Kind::list) {
    v.add("value", spans.value(span));
    if (s.key.vocabulary && !s.key.vocabulary->words.empty()) v.add("show", spans.show(span));
  } else if (depth != 0) {
    Value& members = v.add(s.kind == Kind::list ? "elements" : "members", Value::list());
    spans.for_each_child(span, [&](u32 i) {
      if (spans[i].is_value()) members.push(tree_json(spans, i, depth - (depth > 0)));
    });
  }
  return v;
}

Value value_json(const Spans& spans, const SpanRef& spot) {
  const Span& s = spans[spot.span];
  Value v = Value::object();
  v.add("path", spans.path(spot));
  v.add("type", spot.element ? std::string(to_string(s.wire)) : spans.type(spot.span));
  if (s.kind != Span::Kind::inferred) {
    v.add("offset", spot.offset);
    v.add("size", spot.size);
  }
  v.add("show", spans.show(spot));
  if (s.key.about) v.add("doc", s.key.about);
  if (s.key.measure) v.add("unit", s.key.measure);
  if (s.key.vocabulary && !s.key.vocabulary->words.empty()) {
    Value& words = v.add("words", Value::list());
    for (const EnumName& w : s.key.vocabulary->words) {
      Value& one = words.push(Value::object());
      one.add("value", w.value);
      one.add("word", w.word);
      if (s.key.vocabulary->is_mask(w)) one.add("flag", true);
    }
  }
  return v;
}

}  // namespace dio::report
