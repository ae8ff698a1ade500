// land_parts.cpp: the parts of land data, as Pokemon DS Map Studio and DSPRE store them. Sources: README.md, "Parts".
#include <algorithm>

#include "core/little_endian.hpp"
#include "core/text_format.hpp"
#include "formats/contract/file_parts.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

constexpr FilePart k_parts[] = {{"tiles", ".per"},         {"props", ".bld"},         {"model", ".nsbmd"},
                                {"bdhc", ".bdhc .bdhcam"}, {"sounds", ".bgs", false}, {"rest", ".rest", false}};
enum Part : size_t { k_tiles_part, k_props_part, k_model_part, k_bdhc_part, k_sounds_part, k_rest_part };
constexpr size_t k_sizes = 4;     // parts with a size at the start of the file
constexpr u64 k_sounds_head = 4;  // bytes: the mark and the size
constexpr u64 k_row = sizeof(TileRow);

bool starts_with(ByteView bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

Result<PartContents> split(ByteView file) {
  PartContents out(std::size(k_parts));
  const auto loaded = load<LandData>(file);
  if (!loaded) return refuse(loaded.error());
  u64 at = 4 * k_sizes;
  const auto take = [&](size_t part, u64 size) {
    out[part].emplace(file.begin() + i64(at), file.begin() + i64(at + size));
    at += size;
  };
  const auto& land = loaded->document.value();
  u64 total = at + land.attributes_size + land.props_size + land.model_size + land.bdhc_size;
  if (land.sounds) total += k_sounds_head + read_u16_le(file.data() + at + 2);
  if (total > file.size())
    return refuse("layout.truncated", {},
                  {.expected = format_count(total, "byte"), .found = format_count(file.size(), "byte")});
  if (land.sounds) take(k_sounds_part, k_sounds_head + read_u16_le(file.data() + at + 2));
  for (size_t part = 0; part < k_sizes; ++part) take(part, read_u32_le(file.data() + 4 * part));
  if (at < file.size()) take(k_rest_part, file.size() - at);
  return out;
}

Bytes join(const PartContents& parts) {
  Bytes out;
  const auto append = [&](size_t part) {
    if (parts[part]) out.insert(out.end(), parts[part]->begin(), parts[part]->end());
  };
  for (size_t part = 0; part < k_sizes; ++part)
    for (int shift = 0; shift < 32; shift += 8) out.push_back(u8(parts[part]->size() >> shift));
  append(k_sounds_part);
  for (size_t part = 0; part < k_sizes; ++part) append(part);
  append(k_rest_part);
  return out;
}

std::optional<DiagnosticText> find_size_fault(const FilePart& part, ByteView bytes) {
  const size_t i = size_t(&part - k_parts);
  if (i == k_tiles_part && bytes.size() != k_tiles * k_row)
    return DiagnosticText{.expected = text(k_tiles * k_row, " bytes (32 rows of 32 tiles)"),
                          .found = format_count(bytes.size(), "byte")};
  const u64 record = i == k_props_part ? k_prop_size : 1;
  if (bytes.size() % record == 0) return {};
  return DiagnosticText{.expected = text("a multiple of ", record, " bytes"),
                        .found = format_count(bytes.size(), "byte")};
}

template <class T>
std::optional<DiagnosticText> find_load_fault(const Result<LoadResult<Document<T>>>& loaded) {
  if (loaded) return {};
  return DiagnosticText{.message = format_one_line(loaded.error())};
}

std::optional<DiagnosticText> find_model_fault(ByteView bytes) {
  if (!starts_with(bytes, "BMD0"))
    return DiagnosticText{.expected = "a model, which starts with BMD0", .found = "other data"};
  return find_load_fault(load<nitro::Nsbmd>(bytes));
}

std::optional<DiagnosticText> find_bdhc_fault(ByteView bytes) {
  const auto loaded = load<Bdhc>(bytes);
  if (auto fault = find_load_fault(loaded)) return fault;
  const Bdhc& bdhc = loaded->document.value();
  if (bdhc.dp || bdhc.sizes || sniff_bdhc(bytes, {}).certainty == Sniff::Certainty::certain) return {};
  return DiagnosticText{.expected = "heights, which start with BDHC", .found = "other data"};
}

std::optional<DiagnosticText> find_sounds_fault(ByteView bytes) {
  const bool has_head = bytes.size() >= k_sounds_head && read_u16_le(bytes.data()) == k_sounds_mark;
  if (has_head && k_sounds_head + read_u16_le(bytes.data() + 2) == bytes.size()) return {};
  return DiagnosticText{.expected = "sounds, which start with the bytes 34 12 and the size of the rest",
                        .found = has_head ? format_count(bytes.size(), "byte") : "other data"};
}

std::optional<DiagnosticText> find_fault(const FilePart& part, ByteView bytes) {
  switch (&part - k_parts) {
    case k_model_part:
      return find_model_fault(bytes);
    case k_bdhc_part:
      return find_bdhc_fault(bytes);
    case k_sounds_part:
      return find_sounds_fault(bytes);
    default:
      return {};
  }
}

}  // namespace

const FileParts& land_parts() {
  static constexpr FileParts k_land_parts = {k_parts, split, find_fault, find_size_fault, join};
  return k_land_parts;
}

}  // namespace dio::platinum
