#include "bridge/svg/markup.hpp"

#include <algorithm>
#include <cmath>

#include "core/text_format.hpp"

namespace dio::svg {

std::string format_number(f64 x) {
  if (!(x == x)) return "0";
  const i64 hundredths = std::llround(std::clamp(x, -1e6, 1e6) * 100);
  const u64 size = hundredths < 0 ? u64(-hundredths) : u64(hundredths);
  std::string out = hundredths < 0 ? "-" : "";
  out += std::to_string(size / 100);
  if (const u64 rest = size % 100) {
    out += '.';
    out += char('0' + rest / 10);
    if (rest % 10) out += char('0' + rest % 10);
  }
  return out;
}

std::string pair(f64 x, f64 y) { return format_number(x) + ',' + format_number(y); }

std::string color(const scene::Rgba& c) { return '#' + encode_hex(ByteView(c.data(), 3)); }
std::string opacity(const scene::Rgba& c) { return format_number(c[3] / 255.0); }

void Markup::write_start_tag(std::string_view element, Attributes attributes) {
  out_.append(open_.size(), ' ');
  out_ += '<';
  out_ += element;
  for (const auto& [name, value] : attributes) {
    if (value.empty()) continue;
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    out_ += escape_markup(value);
    out_ += '"';
  }
}

void Markup::open(std::string_view element, Attributes attributes) {
  write_start_tag(element, attributes);
  out_ += ">\n";
  open_.emplace_back(element);
}

void Markup::close() {
  const std::string element = std::move(open_.back());
  open_.pop_back();
  out_.append(open_.size(), ' ');
  out_ += "</" + element + ">\n";
}

void Markup::add(std::string_view element, Attributes attributes) {
  write_start_tag(element, attributes);
  out_ += "/>\n";
}

void Markup::add(std::string_view element, Attributes attributes, std::string_view text) {
  write_start_tag(element, attributes);
  out_ += '>';
  out_ += escape_markup(text);
  out_ += "</";
  out_ += element;
  out_ += ">\n";
}

std::string Markup::finish() && {
  while (!open_.empty()) close();
  return std::move(out_);
}

}  // namespace dio::svg
