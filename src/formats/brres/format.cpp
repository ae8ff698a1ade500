// format.cpp: what the registry knows of BRRES.
#include <cstring>

#include "formats/brres/parts.hpp"

namespace dio::brres {

namespace {

Sniff sniff(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  const bool has_magic = bytes.size() >= 16 && !std::memcmp(bytes.data(), "bres", 4);
  if (has_magic && bytes[4] == 0xFE && bytes[5] == 0xFF) return {certain, "starts with bres"};
  if (has_magic) return {likely, "starts with bres, but has no byte order mark"};
  if (name.ends_with(".brres")) return {possible, "has the extension .brres"};
  return {};
}

const Format k_format = format_of<Brres>({
    .id = "brres",
    .title = "Wii models and textures",
    .platform = "Wii",
    .extensions = ".brres",
    .sniff = sniff,
    .rules = rules,
    .check = [](const AnyDocument& d, std::optional<std::span<const Companion>>,
                Findings& f) { check(value_of<Brres>(d), f); },
    .info = [](const AnyDocument& d) { return info(value_of<Brres>(d)); },
    .size_path = "size",
});

}  // namespace

std::span<const Format> formats() { return {&k_format, 1}; }

}  // namespace dio::brres
