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
  if (is("SRT0") && version >= k_oldest_srt && version <= k_newest_srt) return Kind::srt_files;
  if (version == k_animation_version) {
    if (is("CLR0")) return Kind::clr_files;
    if (is("PAT0")) return Kind::pat_files;
    if (is("VIS0")) return Kind::vis_files;
  }
  if (is("CHR0") && version == k_bone_animation_version) return Kind::chr_files;
  const bool is_known = version == 1 || version == k_with_user_data;
  if (is("TEX0") && is_known) return Kind::textures;
  if (is("PLT0") && is_known) return Kind::palettes;
  return Kind::others;
}

constexpr u64 k_size_at = 8;  // the size of the file in its header

/// Whether there is room for the header and the bytes that it states.
static bool has_header(ByteView all, u64 at) {
  if (at > all.size() || all.size() - at < OtherFile::k_least_size) return false;
  const u8* p = all.data() + at;
  const u32 size = u32(p[4]) << 24 | u32(p[5]) << 16 | u32(p[6]) << 8 | p[7];
  return size >= OtherFile::k_least_size && size <= all.size() - at;
}

Kind Brres::detect_folder_kind(ByteView all, u64 dictionary) {
  const auto number = [&](u64 at) {
    const u8* p = all.data() + at;
    return u32(p[0]) << 24 | u32(p[1]) << 16 | u32(p[2]) << 8 | p[3];
  };
  if (dictionary > all.size() || all.size() - dictionary < dictionary_size(0)) return Kind::plain_file;
  const u32 size = number(dictionary), count = number(dictionary + 4);
  if (count > all.size() / DictionaryEntry::k_least_size || size != dictionary_size(count) ||
      all.size() - dictionary < size)
    return Kind::plain_file;
  const bool is_complete = number(k_size_at) <= all.size();
  Kind kind = Kind::others;
  for (u32 i = 0; i < count; ++i) {
    const u64 at = from(dictionary, i32(number(dictionary + dictionary_size(i) + 12)));
    const Kind now = detect_file_kind(all, at);
    if (now == Kind::others && is_complete && !has_header(all, at)) return Kind::plain_files;
    kind = i && now != kind ? Kind::others : now;
  }
  return kind;
}

}  // namespace dio::brres
