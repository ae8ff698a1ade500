// registry.hpp: all formats, and detection.
#pragma once
#include "formats/contract/any_document.hpp"

namespace dio {

/// Every format, in the order of the list in registry.cpp.
std::span<const Format* const> formats();
/// By id; null if there is none.
const Format* find_format(std::string_view id);

/// The format with which archives of this format are built, such as courses for Yaz0 files (Making::make_archive); null
/// if there is none.
const Format* find_archive_maker(const Format& archive);

/// How to read a file: its format and, for formats that do not record it, its layout.
struct ReadAs {
  const Format* format;  // null: not specified
  LoadOptions options;
  ReadAs(const Format* f = nullptr, LoadOptions o = {}) : format(f), options(o) {}
  explicit operator bool() const { return format != nullptr; }
  /// splashpack, splashpack-d
  std::string id() const;
  bool operator==(const ReadAs& o) const { return format == o.format && options.layout == o.options.layout; }
};
/// By id, with or without a layout: splashpack-d. `format` is null if there is none.
ReadAs find_format_and_layout(std::string_view id);
/// By the name of the layout alone: d.
ReadAs find_layout(std::string_view name);
/// The names of all layouts that users can choose, of all formats.
std::vector<std::string_view> layout_names();

struct Detected {
  const Format* format;
  Sniff sniff;
};
/// The best matching format. Ids: detect.unknown, detect.tie.
Result<Detected> detect(ByteView, std::string_view name);

/// The rule with this id, from the library, a format or a game; null if there is none.
const Rule* find_rule(std::string_view id);
/// The rules of all formats and games, without those of the library.
std::vector<Rule> rules_of_formats();

}  // namespace dio
