#include "formats/platinum/check/known_oddities.hpp"

#include <algorithm>

namespace dio::platinum {

namespace {

// Sorted. tests/platinum/list_known_oddities.cpp makes the list from the game files. Run it again after changing the
// message of a finding.
constexpr u64 k_known[] = {
    0,
#include "formats/platinum/check/known_oddities.inc"
};

u64 mix(u64 h, std::string_view part) {  // FNV-1a
  for (const char c : part) h = (h ^ u8(c)) * 0x100000001b3;
  return (h ^ 0xFF) * 0x100000001b3;  // each part ends with a byte that no text contains
}

}  // namespace

u64 oddity_hash(std::string_view digest, const Diagnostic& d) {
  u64 h = mix(mix(0xcbf29ce484222325, digest), d.id);
  return mix(mix(h, d.place.path), d.message.empty() ? d.found : d.message);
}

bool is_known_oddity(std::string_view digest, const Diagnostic& d) {
  return std::binary_search(std::begin(k_known), std::end(k_known), oddity_hash(digest, d));
}

}  // namespace dio::platinum
