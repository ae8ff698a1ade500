// registry.hpp: all formats, and which one some bytes are.
#pragma once
#include "formats/contract/any_document.hpp"

namespace dio {

/// Every format, in the order of the list in registry.cpp.
std::span<const Format* const> formats();
/// By id; null if there is none.
const Format* find_format(std::string_view id);

/// What the user says that a file is: its format and, where files do not say their layout, that.
struct ReadAs {
  const Format* format;  // null: nobody has said it
  LoadOptions options;
  ReadAs(const Format* f = nullptr, LoadOptions o = {}) : format(f), options(o) {}
  explicit operator bool() const { return format != nullptr; }
  /// splashpack, splashpack-d
  std::string id() const;
  bool operator==(const ReadAs& o) const { return format == o.format && options.layout == o.options.layout; }
};
/// By id, with the layout behind it or without: splashpack-d. Without a format if there is none.
ReadAs find_read_as(std::string_view id);
/// By the name of the layout alone: d.
ReadAs find_layout(std::string_view name);
/// The names of all layouts that a user can say, of all formats.
std::vector<std::string_view> layout_names();

struct Detected {
  const Format* format;
  Sniff sniff;
};
/// The format whose sniffer is surest. Ids: detect.unknown, detect.tie.
Result<Detected> detect(ByteView, std::string_view name);

/// The rule of an id, of the library or of a format; null if there is none.
const Rule* find_rule(std::string_view id);

}  // namespace dio
