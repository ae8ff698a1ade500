#include "formats/contract/format.hpp"

#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/making.hpp"

namespace dio {

std::string_view to_string(Sniff::Certainty c) {
  constexpr std::string_view names[] = {"no", "possible", "likely", "certain"};
  return names[size_t(c)];
}

std::string_view Companion::format_id() const { return format->id; }

const Belonging& belonging_of(const Format& f) {
  static constexpr Belonging k_none;
  return f.belonging ? *f.belonging : k_none;
}
std::span<const Edit> edits_of(const Format& f) { return f.edits ? f.edits() : std::span<const Edit>(); }
std::span<const Question> questions_of(const Format& f) {
  return f.questions ? f.questions() : std::span<const Question>();
}
std::span<const MakeOption> make_options_of(const Format& f) {
  return f.making ? f.making->options : std::span<const MakeOption>();
}

std::string digest_of(ByteView bytes) {  // FNV-1a: detects edits, not attacks
  u64 h = 0xcbf29ce484222325;
  for (u8 b : bytes) h = (h ^ b) * 0x100000001b3;
  std::string s = "fnv1a64:";
  for (int i = 60; i >= 0; i -= 4) s += "0123456789abcdef"[h >> i & 15];
  return s;
}

}  // namespace dio
