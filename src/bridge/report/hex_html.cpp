#include <algorithm>
#include <unordered_map>

#include "bridge/report/hex.hpp"
#include "bridge/report/hex_page.hpp"
#include "core/base64.hpp"
#include "core/command_text.hpp"
#include "core/json.hpp"
#include "core/text_format.hpp"
#include "formats/contract/findings.hpp"

namespace dio::report {

namespace {

using Kind = Span::Kind;

/// The data of the page as JSON: a few texts occur many times, so each is stored once and referred to by number. The
/// rows are written directly as text, because values for all of them would take ten times the memory.
class PageData {
 public:
  PageData(const Spans& spans, std::string& out, u64 most)
      : spans_(spans), out_(out), most_(most > encoded_size() ? most - encoded_size() : 0) {}

  /// False: the page is larger than `most` bytes, and incomplete.
  bool write(const Diagnostics& findings) {
    out_ += "{\"spans\": [";
    for (u32 i = 0; i < spans_.all.size() && !is_too_large(); ++i) write_span_row(i);
    if (!is_too_large()) write_gaps();
    out_ += "], \"numbers\": {";
    bool is_first = true;
    for (u32 i = 0; i < spans_.all.size(); ++i) {
      if (is_too_large()) return false;
      if (spans_[i].kind != Kind::numbers) continue;
      out_ += (std::exchange(is_first, false) ? "\"" : ", \"") + std::to_string(i) + "\": ";
      write_element_texts(i);
    }
    if (is_too_large()) return false;
    out_ += "}, \"words\": " + json::write_script_safe(words_);
    Value list = Value::list();
    for (const Diagnostic& d : findings) list.push(finding_to_json(d));
    out_ += ", \"findings\": " + json::write_script_safe(list);
    Value texts = Value::list();
    for (std::string& text : texts_) texts.push(std::move(text));
    out_ += ", \"strings\": " + json::write_script_safe(texts);
    if (out_.size() > most_) return false;
    out_ += ", \"bytes\": \"" + encode_base64(spans_.file) + "\"}";
    return true;
  }

 private:
  static constexpr int k_gap_kind = int(Kind::inferred) + 1;

  /// Of the bytes of the file.
  u64 encoded_size() const { return (u64(spans_.file.size()) + 2) / 3 * 4; }
  bool is_too_large() const { return out_.size() + text_bytes_ > most_; }

  i64 intern_text(std::string_view s) {
    const auto [at, is_new] = known_.try_emplace(std::string(s), i64(texts_.size()));
    if (is_new) texts_.emplace_back(s), text_bytes_ += s.size();
    return at->second;
  }

  void write_numbers(std::initializer_list<i64> numbers, std::string_view before) {
    for (const i64 n : numbers) {
      out_ += std::exchange(before, ", ");
      out_ += std::to_string(n);
    }
  }
  /// Without its closing bracket.
  void begin_row(u64 parent, i64 name, int kind, u64 offset, u64 size, std::string_view type, std::string_view show,
                 i64 doc) {
    write_numbers({i64(parent), name, kind, i64(offset), i64(size), intern_text(type), intern_text(show), doc},
                  rows_++ ? ", [" : "[");
  }

  void write_span_row(u32 i) {
    const Span& s = spans_[i];
    const bool unit = s.kind == Kind::unit, bits = s.kind == Kind::bits;
    const u64 size = bits ? size_of(s.wire) : s.size, end = spans_.file.size();
    const u64 offset = std::min<u64>(s.offset, end);
    const i64 name = s.key.name ? intern_text(s.key.name) : -1 - i64(s.key.index);
    const EnumNames* words = s.key.vocabulary;
    const std::string show = unit ? format_hex(s.raw, int(2 * size_of(s.wire))) : spans_.show(i);
    std::string type = spans_.type(i);
    if (s.kind == Kind::count) type += ", count";
    begin_row(s.parent, name, int(s.kind), offset, std::min(size, end - offset), type, show,
              s.key.about ? intern_text(s.key.about) : -1);
    if (words || bits) write_numbers({words ? intern_vocabulary(*words) : -1}, ", ");
    if (bits) write_numbers({s.bit, s.bits}, ", ");
    out_ += ']';
  }

  i64 intern_vocabulary(const EnumNames& words) {
    const auto [at, is_new] = known_words_.try_emplace(&words, i64(words_.size()));
    if (is_new) {
      Value& list = words_.push(Value::list());
      for (const EnumName& w : words.words) {
        Value& pair = list.push(Value::list());
        pair.push(std::to_string(w.value));
        pair.push(w.word);
      }
    }
    return at->second;
  }

  void write_element_texts(u32 i) {
    const u64 size = size_of(spans_[i].wire);
    out_ += '[';
    for (u64 e = 0; e < spans_.count(spans_[i]) && !is_too_large(); ++e)
      write_numbers({intern_text(spans_.show(SpanRef{i, e, spans_[i].offset + e * size, size}))}, e ? ", " : "");
    out_ += ']';
  }

  /// A separate list at the end of the tree.
  void write_gaps() {
    const std::vector<Gap> gaps = spans_.gaps();
    if (gaps.empty()) return;
    const u64 parent = rows_;
    u64 sum = 0;
    for (const Gap& gap : gaps) sum += gap.size;
    begin_row(0, intern_text("(gaps)"), int(Kind::list), 0, 0, "list", format_count(sum, "unreferenced byte"), -1);
    out_ += ']';
    i64 index = 0;
    for (const Gap& gap : gaps) {
      if (is_too_large()) return;
      const ByteView bytes = spans_.file.subspan(size_t(gap.offset), size_t(gap.size));
      const bool zero = std::all_of(bytes.begin(), bytes.end(), [](u8 b) { return b == 0; });
      begin_row(parent, -1 - index++, k_gap_kind, gap.offset, gap.size, "gap",
                format_count(gap.size, "byte") + (zero ? ", all zero" : ""), -1);
      out_ += ']';
    }
  }

  static Value finding_to_json(const Diagnostic& d) {
    Value v = Value::object();
    v.add("severity", to_string(d.severity));
    v.add("id", d.id);
    v.add("path", d.place.path);
    const bool known = d.place.known() && d.place.offset < (u64(1) << 52);
    v.add("offset", known ? i64(d.place.offset) : i64(-1));
    v.add("size", std::min<u64>(d.place.size, u64(1) << 52));
    Diagnostic here = d;  // the page is about one file, so its name is not repeated
    here.place.file.clear();
    v.add("line", format_one_line(here));
    v.add("hint", word_commands(d.hint, d.place.file));
    return v;
  }

  const Spans& spans_;
  std::string& out_;
  const u64 most_;      // for all but the bytes of the file
  u64 text_bytes_ = 0;  // of texts_
  u64 rows_ = 0;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, i64> known_;
  Value words_ = Value::list();
  std::unordered_map<const EnumNames*, i64> known_words_;
};

}  // namespace

Result<std::string> hex_html(const Spans& spans, std::string_view title, const Diagnostics& findings, u64 most) {
  u64 fields = 0, undescribed = 0;
  for (const Span& s : spans.all) fields += s.is_value() && s.kind != Kind::object && s.kind != Kind::list;
  for (const Gap& gap : spans.gaps()) undescribed += gap.size;

  std::string facts = format_count(spans.file.size(), "byte") + ", " + format_count(fields, "field");
  if (undescribed) facts += ", " + format_count(undescribed, "unreferenced byte");
  if (!findings.empty()) facts += ", " + format_count(findings.size(), "finding");

  std::string ruler = "<span class=\"at\"></span>";
  for (u64 i = 0; i < 16; ++i) {
    ruler += i == 8 ? "<span class=\"b mid\">" : "<span class=\"b\">";
    ruler += format_hex(i, 2).substr(2) + "</span>";
  }

  std::string page;
  page +=
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<title>";
  page += escape_markup(title);
  page += "</title>\n<style>";
  page += k_hex_style;
  page += "</style>\n</head>\n<body>\n<header><h1>";
  page += escape_markup(title);
  page += "</h1><span class=\"facts\">" + escape_markup(facts) + "</span>";
  page +=
      "<form><input type=\"search\" placeholder=\"path, 0x offset or text\" aria-label=\"Go to\"></form></header>\n"
      "<main>\n<section id=\"left\"><div id=\"ruler\" class=\"mono\">";
  page += ruler;
  page +=
      "</div><div id=\"hex\" class=\"scroll\" tabindex=\"0\" aria-label=\"Bytes\"></div></section>\n"
      "<section id=\"right\"><div id=\"detail\" aria-live=\"polite\"></div>"
      "<div id=\"tree\" class=\"scroll\" tabindex=\"0\" role=\"tree\" aria-label=\"Fields\"></div>"
      "<ul id=\"findings\" aria-label=\"Findings\"></ul></section>\n</main>\n<script type=\"application/json\" "
      "id=\"data\">";
  const bool is_whole = PageData(spans, page, most).write(findings);
  page += "</script>\n<script>";
  page += k_hex_script;
  page += "</script>\n</body>\n</html>\n";
  if (is_whole && page.size() <= most) return page;
  return refuse(
      "view.size", {},
      {.message = "the page would be larger than " + format_with_commas(most) + " bytes, because the file has " +
                  format_count(spans.file.size(), "byte") + " and " + format_count(fields, "field"),
       .hint = "{view FILE} shows the file in the viewer; {hex FILE PATH} prints a part of it"});
}

}  // namespace dio::report
