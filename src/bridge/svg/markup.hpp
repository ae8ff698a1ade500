// markup.hpp: SVG text: elements that are well-formed whatever texts they contain, and numbers with the same digits
// from every compiler.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"
#include "scene/image.hpp"

namespace dio::svg {

/// At most two decimals, without trailing zeros: 12.5. Larger numbers become a million; 0 if it is not a number.
std::string format_number(f64 x);
/// "12.5,3"
std::string pair(f64 x, f64 y);

/// #rrggbb, without alpha.
std::string color(const scene::Rgba&);
/// 0 to 1, as `number`.
std::string opacity(const scene::Rgba&);

/// Elements in call order, one per line.
class Markup {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  void open(std::string_view element, Attributes = {});
  void close();
  /// An element without content, or with a text. Empty attributes are left out.
  void add(std::string_view element, Attributes);
  void add(std::string_view element, Attributes, std::string_view text);
  /// Closes all open elements and returns the text.
  std::string finish() &&;

 private:
  void write_start_tag(std::string_view element, Attributes);
  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace dio::svg
