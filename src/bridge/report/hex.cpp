#include "bridge/report/hex.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/sorting.hpp"
#include "core/text_format.hpp"

namespace dio::report {

namespace {

using Kind = Span::Kind;
constexpr u64 k_width = 16;

/// A field with its bytes, or (span 0) a run of unreferenced bytes.
struct Entry {
  u64 offset = 0, size = 0;
  u32 span = 0;
  std::optional<u64> element = {};

  u64 end() const { return offset + size; }
};

/// The bit fields of a unit; they follow it.
std::vector<u32> find_bit_fields(const Spans& spans, u32 unit) {
  std::vector<u32> bits;
  if (spans[unit].kind != Kind::unit) return bits;
  for (u32 i = spans[unit].next; i && spans[i].kind == Kind::bits; i = spans[i].next) bits.push_back(i);
  return bits;
}

/// The unit that contains a bit field; 0 if there is none.
u32 find_bit_field_unit(const Spans& spans, u32 bits) {
  u32 unit = 0;
  for (u32 i = spans[spans[bits].parent].first; i && i != bits; i = spans[i].next)
    if (spans[i].kind == Kind::unit) unit = i;
  return unit;
}

/// The displayed entries, and their bit fields: all, or the requested one.
struct Selection {
  std::vector<Entry> entries;  // in order of the file
  u32 only_bits = 0;
};

Selection select_hex_entries(const Spans& spans, const HexOptions& options) {
  Selection chosen;
  std::vector<Entry>& entries = chosen.entries;
  const auto add = [&](u32 i) { entries.push_back({spans[i].offset, spans[i].size, i}); };

  if (!options.path.empty()) {
    const std::optional<SpanRef> spot = spans.find(options.path);
    if (!spot) return chosen;
    if (spot->element) {
      entries.push_back({spot->offset, spot->size, spot->span, spot->element});
    } else if (spans[spot->span].kind == Kind::bits) {
      chosen.only_bits = spot->span;
      if (const u32 unit = find_bit_field_unit(spans, spot->span)) add(unit);
    } else {
      std::vector<u32> open{spot->span};
      while (!open.empty()) {
        const u32 i = open.back();
        open.pop_back();
        if (is_hex_row(spans[i])) add(i);
        spans.for_each_child(i, [&](u32 child) { open.push_back(child); });
      }
    }
  } else {
    if (!options.unknown_only) {
      for (u32 i = 1; i < spans.all.size(); ++i)
        if (is_hex_row(spans[i])) add(i);
    }
    for (const Gap& gap : spans.gaps()) entries.push_back({gap.offset, gap.size});
  }

  const u64 from = options.from - options.from % k_width;
  std::erase_if(entries, [&](const Entry& e) {
    return e.offset >= options.to || (e.end() <= from && !(e.size == 0 && e.offset >= from));
  });
  sort_stably(entries, [](const Entry& a, const Entry& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.span < b.span;
  });
  return chosen;
}

bool all_zero(ByteView bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](u8 b) { return b == 0; });
}

ByteView clamped_subspan(const Spans& spans, u64 offset, u64 size) {
  if (offset >= spans.file.size()) return {};
  return spans.file.subspan(size_t(offset), size_t(std::min<u64>(size, spans.file.size() - offset)));
}

Value part_value(const Spans& spans, const Span& s, const SpanPart& part) {
  if (s.kind != Kind::numbers) return Value(encode_hex(clamped_subspan(spans, s.offset + part.first, part.count)));
  Value list = Value::list();
  for (u64 i = part.first; i < part.first + part.count; ++i) list.push(spans.element(s, i));
  return list;
}

constexpr size_t k_most_shown = 80;  // bytes of a value

std::string bit_range(const Span& s) {
  if (s.bits <= 1) return "bit " + std::to_string(s.bit);
  return "bits " + std::to_string(s.bit) + "-" + std::to_string(s.bit + s.bits - 1);
}

// -------------------------------------------------------------------------------------------------------------- text

class TextWriter {
 public:
  TextWriter(const Spans& spans, const HexOptions& options) : spans_(spans), options_(options) {
    for (u64 n = spans.file.size() >> 16; n; n >>= 4) ++digits_;
  }

  std::string write_hex_text() {
    const Selection chosen = select_hex_entries(spans_, options_);
    if (chosen.entries.empty()) return {};
    write_column_header();
    for (const Entry& e : chosen.entries) {
      write_entry(e);
      for (const u32 i : find_bit_fields(spans_, e.span)) {
        if (chosen.only_bits && i != chosen.only_bits) continue;
        write_blank_columns();
        write_value_note(spans_.path(i), truncate_utf8(spans_.show(i), k_most_shown), bit_range(spans_[i]));
        out_ += '\n';
      }
    }
    return std::move(out_);
  }

 private:
  const char* entry_color(const Entry& e) const {
    if (e.span == 0) return "31";
    switch (spans_[e.span].kind) {
      case Kind::magic:
        return "35";
      case Kind::count:
        return "34";
      case Kind::text:
        return "32";
      case Kind::bytes:
        return "33";
      default:
        return "36";
    }
  }
  void begin_color(const char* color) {
    if (!options_.color) return;
    out_ += "\033[";
    out_ += color;
    out_ += 'm';
  }
  void reset_color() { begin_color("0"); }

  void write_column_header() {
    out_.append(size_t(digits_) + 2, ' ');
    for (u64 i = 0; i < k_width; ++i) {
      out_ += i == 0 || i == 8 ? "  " : " ";
      begin_color("2");
      out_ += format_hex(i, 2).substr(2);
      reset_color();
    }
    out_ += '\n';
  }

  /// The columns of offset, hex and characters in a line without bytes.
  void write_blank_columns() { out_.append(size_t(digits_) + 2 + 1 + 3 * k_width + 1 + 2 + k_width + 2, ' '); }

  /// One line for the bytes in [first, last), all within the same 16. The offset is that of the first byte; its last
  /// digit is the column.
  void bytes(u64 first, u64 last, const char* color) {
    const u64 start = first - first % k_width;
    begin_color("2");
    out_ += format_hex(first, digits_);
    reset_color();
    begin_color(color);
    std::string letters;
    for (u64 at = start; at < start + k_width; ++at) {
      out_ += at - start == 0 || at - start == 8 ? "  " : " ";
      const bool is_there = at >= first && at < last && at < spans_.file.size();
      out_ += is_there ? encode_hex(spans_.file.subspan(size_t(at), 1)) : std::string("  ");
      const u8 c = is_there ? spans_.file[size_t(at)] : u8(' ');
      letters += c >= 0x20 && c < 0x7f ? char(c) : '.';
    }
    out_ += "  ";
    out_ += letters;
    reset_color();
    out_ += "  ";
  }

  void write_value_note(std::string_view path, std::string_view value, std::string_view type) {
    out_ += path;
    out_ += " = ";
    begin_color("1");
    out_ += value;
    reset_color();
    if (type.empty()) return;
    begin_color("2");
    out_ += " (";
    out_ += type;
    out_ += ')';
    reset_color();
  }

  void annotate_entry(const Entry& e) {
    if (e.span == 0) {
      const bool zero = all_zero(clamped_subspan(spans_, e.offset, e.size));
      out_ += "gap: " + format_count(e.size, "byte") + (zero ? ", all zero" : "");
      return;
    }
    const Span& s = spans_[e.span];
    const SpanRef spot{e.span, e.element, e.offset, e.size};
    std::string value = s.kind == Kind::unit ? format_hex(s.raw, int(2 * size_of(s.wire))) : spans_.show(spot);
    if (s.kind == Kind::bytes && e.size > 1 && all_zero(clamped_subspan(spans_, e.offset, e.size)))
      value += ", all zero";
    std::string type = e.element ? std::string(to_string(s.wire)) : spans_.type(e.span);
    if (s.kind == Kind::count) type += ", count";
    // These values are self-explanatory and need no type.
    if (s.kind == Kind::magic || s.kind == Kind::bytes) type.clear();
    write_value_note(spans_.path(spot), truncate_utf8(std::move(value), k_most_shown), type);
  }

  /// The elements of a number list that start in [first, last).
  void write_elements(const Entry& e, u64 first, u64 last, bool first_line) {
    const u64 size = size_of(spans_[e.span].wire);
    u64 i = (first - e.offset + size - 1) / size;
    if (i * size + e.offset >= last) return;
    if (i > 0) out_ += (first_line ? " from [" : "[") + std::to_string(i) + "]";
    out_ += ": ";
    for (bool more = false; e.offset + i * size < last && i < spans_.count(spans_[e.span]); ++i, more = true) {
      if (more) out_ += ", ";
      out_ += spans_.show(SpanRef{e.span, i, e.offset + i * size, size});
    }
  }

  void write_entry(const Entry& e) {
    constexpr u64 k_shown = 4, k_folded_from = 8;
    if (e.size == 0) {
      write_blank_columns();
      annotate_entry(e);
      out_ += '\n';
      return;
    }
    const u64 from = options_.from - options_.from % k_width;
    const u64 to = options_.to >= spans_.file.size() ? e.end() : (options_.to + k_width - 1) / k_width * k_width;
    const u64 begin = std::max(e.offset, from), end = std::min(e.end(), to);
    const u64 first_line = begin / k_width, lines = (end - 1) / k_width - first_line + 1;
    const u64 shown = options_.full || lines < k_folded_from ? lines : k_shown;
    const bool numbers = e.span && spans_[e.span].kind == Kind::numbers && !e.element;
    const bool tells_all = numbers && spans_.show(e.span).starts_with('[');
    for (u64 line = 0; line < shown; ++line) {
      const u64 start = (first_line + line) * k_width;
      const u64 first = std::max(begin, start), last = std::min(end, start + k_width);
      bytes(first, last, entry_color(e));
      if (line == 0) annotate_entry(e);
      if (numbers && !tells_all) write_elements(e, first, last, line == 0);
      while (out_.back() == ' ') out_.pop_back();
      out_ += '\n';
    }
    if (shown < lines) {
      const u64 rest = (first_line + shown) * k_width;
      begin_color("2");
      out_ += format_hex(rest, digits_) + "  ... " + format_count(end - rest, "more byte") + ", to " +
              format_hex(end - 1, digits_);
      reset_color();
      out_ += '\n';
    }
  }

  const Spans& spans_;
  const HexOptions& options_;
  std::string out_;
  int digits_ = 4;
};

}  // namespace

bool is_hex_row(const Span& s) {
  switch (s.kind) {
    case Kind::object:
    case Kind::list:
    case Kind::bits:
      return false;
    case Kind::inferred:
      return true;
    default:
      return s.size > 0;
  }
}

std::string hex_text(const Spans& spans, const HexOptions& options) {
  return TextWriter(spans, options).write_hex_text();
}

Value span_json(const Spans& spans, const SpanRef& spot, u32 only_bits, std::optional<SpanPart> part) {
  const Span& s = spans[spot.span];
  const auto describe_value = [&](Value& to, const SpanRef& what) {
    const Key& key = spans[what.span].key;
    const bool is_part = part && what.span == spot.span;
    Value value = is_part ? part_value(spans, s, *part) : spans.value(what);
    const std::string words = spans.show(what);
    const bool says_more = key.measure || key.vocabulary;
    if (is_part) to.add("from", part->first);
    to.add("value", std::move(value));
    if (says_more) to.add("show", words);
    if (key.about) to.add("doc", key.about);
  };
  Value span = Value::object();
  span.add("path", spans.path(spot));
  span.add("offset", spot.offset);
  span.add("size", spot.size);
  span.add("type", spot.element ? std::string(to_string(s.wire)) : spans.type(spot.span));
  if (s.kind == Kind::count) span.add("role", "count");
  if (s.kind == Kind::unit) span.add("role", "unit");
  describe_value(span, spot);
  const std::vector<u32> bits = find_bit_fields(spans, spot.span);
  if (bits.empty()) return span;
  Value& fields = span.add("bits", Value::list());
  for (const u32 i : bits) {
    if (only_bits && i != only_bits) continue;
    Value& field = fields.push(Value::object());
    field.add("path", spans.path(i));
    field.add("bit", spans[i].bit);
    field.add("bits", spans[i].bits);
    describe_value(field, SpanRef{i, {}, spot.offset, spot.size});
  }
  return span;
}

Value hex_json(const Spans& spans, const HexOptions& options) {
  const Selection chosen = select_hex_entries(spans, options);
  Value root = Value::object();
  root.add("schema", "diorama.hex/1");
  root.add("size", u64(spans.file.size()));
  Value list = Value::list(), gaps = Value::list();
  for (const Entry& e : chosen.entries) {
    if (e.span == 0) {
      Value& gap = gaps.push(Value::object());
      gap.add("offset", e.offset);
      gap.add("size", e.size);
      gap.add("hex", encode_hex(clamped_subspan(spans, e.offset, e.size)));
      continue;
    }
    list.push(span_json(spans, {e.span, e.element, e.offset, e.size}, chosen.only_bits));
  }
  root.add("spans", std::move(list));
  root.add("gaps", std::move(gaps));
  return root;
}

}  // namespace dio::report
