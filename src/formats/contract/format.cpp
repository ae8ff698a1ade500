#include "formats/contract/format.hpp"

#include "core/notes.hpp"

namespace dio {

std::string_view to_string(Sniff::Certainty c) {
  constexpr std::string_view names[] = {"no", "possible", "likely", "certain"};
  return names[size_t(c)];
}

void Findings::add(std::string_view id, std::string path, std::string found, std::string expected, std::string hint) {
  Severity severity = Severity::error;
  for (const Rule& r : rules_)
    if (r.id == id) severity = r.severity;
  add_as(severity, id, std::move(path), std::move(found), std::move(expected), std::move(hint));
}

void Findings::add_as(Severity severity, std::string_view id, std::string path, std::string found, std::string expected,
                      std::string hint) {
  list.push_back(make_note(severity, id, std::move(path), std::move(expected), std::move(found), std::move(hint)));
}

std::string digest_of(ByteView bytes) {  // FNV-1a: tells an edit from none, protects against nobody
  u64 h = 0xcbf29ce484222325;
  for (u8 b : bytes) h = (h ^ b) * 0x100000001b3;
  std::string s = "fnv1a64:";
  for (int i = 60; i >= 0; i -= 4) s += "0123456789abcdef"[h >> i & 15];
  return s;
}

}  // namespace dio
