// sniff_tables.cpp: recognises tables, which have no magic, by path and by valid bytes.
#include <algorithm>
#include <cstring>
#include <set>

#include "formats/platinum/game/file_roles.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {

namespace {

using Certainty = Sniff::Certainty;

u32 u16_at(ByteView b, size_t at) { return u32(b[at]) | u32(b[at + 1]) << 8; }
u64 u32_at(ByteView b, size_t at) { return u16_at(b, at) | u64(u16_at(b, at + 2)) << 16; }

/// `alone`: the certainty from the bytes alone; `no`: the bytes are invalid for the format.
Sniff combine_with_path_match(std::string_view format, std::string_view name, Certainty alone, const char* reason) {
  if (const auto placed = match_file_role(name)) {
    if (placed->format() != format || (placed->place->archive && !placed->number)) return {};
    const std::string where = "has the path of " + placed->title();
    if (alone == Certainty::no) return {Certainty::possible, where};
    return {Certainty::certain, where + ", and " + reason};
  }
  if (alone == Certainty::no) return {};
  return {alone, reason};
}
Certainty certainty_if(bool so, Certainty c = Certainty::likely) { return so ? c : Certainty::no; }

bool are_all_headers(ByteView b, HeaderForm form) {
  if (b.empty() || b.size() % k_header_size) return false;
  for (size_t at = 0; at < b.size(); at += k_header_size)
    if (!can_be_header(b.subspan(at), form)) return false;
  return true;
}

/// Whether the bytes are letters, digits, '_' and '.', then zeros up to the end.
bool is_padded_name(ByteView b) {
  size_t n = 0;
  while (n < b.size() && (std::isalnum(b[n]) || b[n] == '_' || b[n] == '.')) ++n;
  return n > 0 && std::all_of(b.begin() + std::ptrdiff_t(n), b.end(), [](u8 c) { return c == 0; });
}

/// Whether the bytes can be a Platinum area.
bool can_be_area(ByteView b) {
  return b.size() == 8 && u16_at(b, 0) < 256 && u16_at(b, 2) < 256 && u16_at(b, 4) < 16 && u16_at(b, 6) < 4;
}

}  // namespace

Sniff sniff_map_headers(ByteView b, std::string_view name) {
  const auto has_windows = [&] {  // Diamond and Pearl have zeros there
    for (size_t at = 0; at < b.size(); at += k_header_size)
      if (b[at + 19]) return true;
    return false;
  };
  return combine_with_path_match("map-headers", name,
                                 certainty_if(are_all_headers(b, HeaderForm::platinum) && has_windows()),
                                 "all records are valid map headers");
}
Sniff sniff_map_headers_dp(ByteView b, std::string_view name) {
  return combine_with_path_match("map-headers-dp", name,
                                 certainty_if(are_all_headers(b, HeaderForm::diamond_pearl), Certainty::possible),
                                 "all records are valid map headers");
}
Sniff sniff_map_headers_hgss(ByteView b, std::string_view name) {
  return combine_with_path_match(
      "map-headers-hgss", name, certainty_if(are_all_headers(b, HeaderForm::heartgold_soulsilver), Certainty::possible),
      "all records are valid map headers");
}
Sniff sniff_arm9(ByteView b, std::string_view name) {
  const auto placed = match_file_role(name);
  const bool named = placed && placed->place->format == "arm9";
  constexpr size_t k_least = 0x80000, k_most = 0x200000;  // files of other sizes are not searched
  if (!named && (placed || b.size() < k_least || b.size() > k_most)) return {};
  const auto table = find_header_table(b);
  // A program without a table belongs to another game.
  if (!table || !table->offset) return {};
  return combine_with_path_match("arm9", name, Certainty::likely, "it contains a table of map headers");
}
Sniff sniff_map_names(ByteView b, std::string_view name) {
  bool is = !b.empty() && b.size() % MapName::k_least_size == 0;
  for (size_t at = 0; is && at < b.size(); at += MapName::k_least_size)
    is = is_padded_name(b.subspan(at, MapName::k_least_size));
  return combine_with_path_match("map-names", name, certainty_if(is), "it consists of names in fields of 16 bytes");
}
Sniff sniff_map_matrix(ByteView b, std::string_view name) {
  const bool is = [&] {
    if (b.size() < 7 || !b[0] || !b[1] || b[2] > 1 || b[3] > 1 || b[4] > 16 || 5u + b[4] > b.size()) return false;
    const u64 cells = u64(b[0]) * b[1], size = 5 + b[4] + cells * (2 + (b[2] ? 2 : 0) + (b[3] ? 1 : 0));
    return size == b.size() && std::all_of(b.begin() + 5, b.begin() + 5 + b[4], [](u8 c) { return c > 32 && c < 127; });
  }();
  return combine_with_path_match("map-matrix", name, certainty_if(is), "its size matches its cells");
}
Sniff sniff_area_data(ByteView b, std::string_view name) {
  const bool zeros = std::all_of(b.begin(), b.end(), [](u8 c) { return c == 0; });  // zeros are valid in many formats
  return combine_with_path_match("area-data", name,
                                 certainty_if(can_be_area(b) && (!zeros || match_file_role(name)), Certainty::possible),
                                 "its values are valid for an area");
}
Sniff sniff_area_data_hgss(ByteView b, std::string_view name) {
  const bool is = b.size() == 8 && u16_at(b, 0) < 256 && u16_at(b, 2) < 256 &&
                  (u16_at(b, 4) == 0xFFFF || u16_at(b, 4) < 256) && b[6] <= 1 && b[7] < 16;
  const bool hgss = match_file_role(name) || !can_be_area(b);  // only the path may tell the two apart
  return combine_with_path_match("area-data-hgss", name, certainty_if(is && hgss, Certainty::possible),
                                 "its values are valid for an area");
}
Sniff sniff_area_build(ByteView b, std::string_view name) {
  constexpr u32 k_many = 4;  // lists that match by chance are shorter
  u32 n = 0;
  const bool is = [&] {
    if (b.size() < 4 || (n = u16_at(b, 0)) == 0 || b.size() != 2 + 2 * size_t(n)) return false;
    std::set<u32> ids;
    for (size_t at = 2; at < b.size(); at += 2)
      if (u16_at(b, at) >= 768 || !ids.insert(u16_at(b, at)).second) return false;
    return true;
  }();
  return combine_with_path_match("area-build", name,
                                 certainty_if(is, n >= k_many ? Certainty::likely : Certainty::possible),
                                 "its count matches its numbers, which are unique");
}
Sniff sniff_area_light(ByteView b, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(b.data()), b.size());
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  const bool is = digits && text.substr(digits).starts_with(",\r\n") && text.find("\r\nEOF") != text.npos;
  return combine_with_path_match("area-light", name, certainty_if(is),
                                 "it consists of lines of numbers, then the word \"EOF\"");
}
Sniff sniff_mm_list(ByteView b, std::string_view name) {
  const bool is = [&] {
    size_t at = 0;
    while (at + 2 <= b.size() && u16_at(b, at) < 1024) at += 2;
    if (b.size() % 4 || at + 2 > b.size() || u16_at(b, at) != k_end_of_objects || at + 4 < b.size()) return false;
    return std::all_of(b.begin() + std::ptrdiff_t(at) + 2, b.end(), [](u8 c) { return c == 0; });
  }();
  return combine_with_path_match("mm-list", name, certainty_if(is, Certainty::possible),
                                 "it is a list of numbers that ends with 65535");
}
Sniff sniff_bm_anime_list(ByteView b, std::string_view name) {
  const bool is = [&] {
    if (b.size() != 20 || (b[0] != 1 && b[0] != 0xFF) || (b[1] > 3 && b[1] != 0xFF) || b[2] > 1 || b[3]) return false;
    for (size_t at = 4; at < 20; at += 4)
      if (u32_at(b, at) != 0xFFFFFFFF && u32_at(b, at) >= 1024) return false;
    return true;
  }();
  return combine_with_path_match("bm-anime-list", name, certainty_if(is), "its values are valid for animations");
}
Sniff sniff_bm_anime_list_hgss(ByteView b, std::string_view name) {
  const bool is = [&] {
    if (b.size() != 24 || (b[0] != 1 && b[0] != 0xFF) || (b[1] > 8 && b[1] != 0xFF) || b[2] > 1 || b[3] > 1 || b[5])
      return false;
    for (size_t at = 8; at < 24; at += 4)
      if (u32_at(b, at) != 0xFFFFFFFF && u32_at(b, at) >= 1024) return false;
    return true;
  }();
  return combine_with_path_match("bm-anime-hgss", name, certainty_if(is), "its values are valid for animations");
}
Sniff sniff_matshp(ByteView b, std::string_view name) {
  const bool is = [&] {
    if (b.size() < 8 || !u16_at(b, 0) || b.size() != 4 + 4 * (u64(u16_at(b, 0)) + u16_at(b, 2))) return false;
    for (size_t i = 0; i < u16_at(b, 0); ++i) {
      const u32 count = u16_at(b, 4 + 4 * i), first = u16_at(b, 6 + 4 * i);
      if (count ? first + count > u16_at(b, 2) : first != k_no_draws) return false;
    }
    return true;
  }();
  return combine_with_path_match("matshp", name, certainty_if(is), "its lists lie inside the file");
}
Sniff sniff_fldtanime(ByteView b, std::string_view name) {
  constexpr size_t k_record = TextureAnime::k_least_size;
  const bool is = [&] {
    if (b.size() < 4 + k_record || b.size() != 4 + k_record * u32_at(b, 0)) return false;
    for (size_t at = 4; at < b.size(); at += k_record)
      if (!is_padded_name(b.subspan(at, 16))) return false;
    return true;
  }();
  return combine_with_path_match("fldtanime", name, certainty_if(is),
                                 "its count matches its records, which have names");
}
Sniff sniff_zone_event(ByteView b, std::string_view name) {
  u64 at = 0;
  bool any = false;
  for (const u64 record : {20u, 32u, 12u, 16u}) {
    if (at > b.size() || b.size() - at < 4) {
      at = ~u64(0);
      break;
    }
    any |= u32_at(b, size_t(at)) != 0;
    at += 4 + record * u32_at(b, size_t(at));
  }
  if (!any && !match_file_role(name)) return {};  // sixteen zeros can be anything
  return combine_with_path_match("zone-event", name,
                                 certainty_if(at == b.size(), any ? Certainty::likely : Certainty::possible),
                                 "its four lists fill the file exactly");
}

}  // namespace dio::platinum
