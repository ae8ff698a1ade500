// registry.hpp: all formats, and which one some bytes are.
#pragma once
#include "formats/format.hpp"

namespace dio {

/// Every format, in the order of the list in registry.cpp.
std::span<const Format* const> formats();
/// By id; null if there is none.
const Format* find_format(std::string_view id);

struct Detected {
  const Format* format;
  Sniff sniff;
};
/// The format whose sniffer is surest. Ids: detect.unknown, detect.tie.
Result<Detected> detect(ByteView, std::string_view name);

/// The rule of an id, of the library or of a format; null if there is none.
const Rule* find_rule(std::string_view id);

}  // namespace dio
