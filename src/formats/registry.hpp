// registry.hpp: all formats, and which one some bytes are.
#pragma once
#include "formats/contract/format.hpp"

namespace dio {

/// Every format, in the order of the list in registry.cpp.
std::span<const Format* const> formats();
/// By id; null if there is none.
const Format* find_format(std::string_view id);
/// The format that this is a layout of (`Format::layouts`); itself, if it is none.
const Format& base_of(const Format&);
/// All layouts that a user can say, of all formats: splashpack-d.
std::vector<const Format*> layouts();
/// By what stands behind the id of its format: d. Null if there is none.
const Format* find_layout(std::string_view name);
/// That: d of splashpack-d.
std::string_view layout_name(const Format& layout);

struct Detected {
  const Format* format;
  Sniff sniff;
};
/// The format whose sniffer is surest. Ids: detect.unknown, detect.tie.
Result<Detected> detect(ByteView, std::string_view name);

/// The rule of an id, of the library or of a format; null if there is none.
const Rule* find_rule(std::string_view id);

}  // namespace dio
