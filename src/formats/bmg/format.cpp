// format.cpp: the registry entry of BMG.
#include <cstring>

#include "formats/bmg/parts.hpp"

namespace dio::bmg {

static Sniff sniff(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  if (bytes.size() >= k_header_size && !std::memcmp(bytes.data(), "MESGbmg1", 8)) {
    const auto is_few = [&](size_t at) { return !bytes[at] && !bytes[at + 1]; };  // sections
    if (is_few(14) && !is_few(12)) return {no, "is a DS BMG file (little-endian)"};
    return {certain, "starts with MESGbmg1"};
  }
  if (name.ends_with(".bmg")) return {possible, "has the extension .bmg"};
  return {};
}

static const Format k_format = make_document_format<Bmg>({
    .id = "bmg",
    .title = "GameCube and Wii messages",
    .platform = "Wii",
    .extensions = ".bmg",
    .sniff = sniff,
    .magic = "MESGbmg1",
    .rules = rules,
    .check = [](const AnyDocument& d, std::optional<std::span<const Companion>>,
                Findings& f) { check(value_of<Bmg>(d), f); },
    .info = [](const AnyDocument& d) { return info(value_of<Bmg>(d)); },
    .edits = edits,
    .size_path = "size",
});

std::span<const Format> formats() { return {&k_format, 1}; }

}  // namespace dio::bmg
