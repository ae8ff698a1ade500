// kinds.cpp: detects the kind of the files in a folder.
#include <cstring>

#include "formats/brres/layout/file.hpp"

namespace dio::brres {

static Kind detect_file_kind(ByteView all, u64 at) {
  if (at > all.size() || all.size() - at < 12) return Kind::others;
  const u8* p = all.data() + at;
  const u32 version = u32(p[8]) << 24 | u32(p[9]) << 16 | u32(p[10]) << 8 | p[11];
  const auto is = [&](const char* magic) { return !std::memcmp(p, magic, 4); };
  if (is("MDL0") && version >= k_oldest_model && version <= k_newest_model) return Kind::models;
  const bool is_known = version == 1 || version == k_with_user_data;
  if (is("TEX0") && is_known) return Kind::textures;
  if (is("PLT0") && is_known) return Kind::palettes;
  return Kind::others;
}

Kind Brres::detect_folder_kind(ByteView all, u64 dictionary, const Dictionary& d) {
  Kind kind = Kind::others;
  for (const DictionaryEntry& e : d.entries) {
    kind = detect_file_kind(all, from(dictionary, e.data_offset));
    if (kind == Kind::others || kind != detect_file_kind(all, from(dictionary, d.entries[0].data_offset)))
      return Kind::others;
  }
  return kind;
}

}  // namespace dio::brres
