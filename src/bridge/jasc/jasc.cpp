#include "bridge/jasc/jasc.hpp"

#include <charconv>

#include "core/text_format.hpp"

namespace dio::jasc {
namespace {

constexpr size_t k_most_colors = 256;

/// The lines of a text, one after another.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  size_t number() const { return number_; }
  /// The next line without its line end and surrounding spaces; nothing after the last line.
  std::optional<std::string_view> next_line() {
    if (rest_.empty()) return {};
    ++number_;
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    return line;
  }

 private:
  std::string_view rest_;
  size_t number_ = 0;
};

/// Removes the number at the start of a line and returns it.
std::optional<u32> parse_leading_number(std::string_view& line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  u32 n = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), n);
  if (error != std::errc()) return {};
  line.remove_prefix(size_t(end - line.data()));
  if (!line.empty() && line.front() != ' ' && line.front() != '\t') return {};
  return n;
}

}  // namespace

std::string write_palette(std::span<const scene::Rgba> colors) {
  std::string out = "JASC-PAL\r\n0100\r\n" + std::to_string(colors.size()) + "\r\n";
  for (const scene::Rgba& c : colors)
    out += std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + "\r\n";
  return out;
}

Result<std::vector<scene::Rgba>> read_palette(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Lines lines(text);
  const auto syntax_error = [&](std::string expected, std::optional<std::string_view> found) {
    return refuse("jasc.syntax", "line " + std::to_string(lines.number() + !found),
                  {.expected = std::move(expected),
                   .found = found ? "\"" + std::string(found->substr(0, 40)) + "\"" : "the end of the file"});
  };
  for (const char* head : {"JASC-PAL", "0100"})
    if (const auto line = lines.next_line(); line != head) return syntax_error(std::string("\"") + head + "\"", line);
  const auto count_line = lines.next_line();
  std::string_view digits = count_line.value_or("");
  const auto count = parse_leading_number(digits);
  if (!count || *count < 1 || *count > k_most_colors || !digits.empty())
    return syntax_error("the number of colours, 1 to 256", count_line);
  std::vector<scene::Rgba> out;
  while (out.size() < *count) {
    const auto line = lines.next_line();
    std::string_view rest = line.value_or("");
    const auto red = parse_leading_number(rest), green = parse_leading_number(rest), blue = parse_leading_number(rest);
    const bool has_more = rest.find_first_not_of(" \t") != rest.npos;
    const auto alpha = has_more ? parse_leading_number(rest) : std::optional<u32>(255);
    if (!red || !green || !blue || !alpha || !rest.empty() || std::max({*red, *green, *blue, *alpha}) > 255)
      return syntax_error("red, green and blue, each 0 to 255", line);
    out.push_back({u8(*red), u8(*green), u8(*blue), 255});
  }
  return out;
}

}  // namespace dio::jasc
