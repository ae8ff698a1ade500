// sniff.cpp: recognises the bytes of a scene pack.
#include "core/little_endian.hpp"
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

Sniff sniff_pack(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  if (bytes.size() < 8 || bytes[0] != 'S' || bytes[1] != 'P') return {};
  const u32 version = bytes[2] | u32(bytes[3]) << 8;
  if (is_ps1godot_pack(bytes))
    return {no, "a scene pack of PS1Godot (version " + std::to_string(version) +
                    "), a fork of psxsplash with other fields; only psxsplash packs are supported"};
  if (version >= u32(Layout::v20) && version <= u32(k_newest)) return {certain, explain_layout(bytes)};
  if (version != 1) {
    if (version && version < 100)
      return {no, "a scene pack of version " + std::to_string(version) +
                      "; versions 1 and 20 to 25 are supported, so export the scene again as one of these"};
    return {};
  }
  bool any = false;
  for (const LayoutScore& v : score_layouts(bytes)) any |= v.fits || v.inside;
  return {any ? certain : name.ends_with(".splashpack") ? likely : possible, explain_layout(bytes)};
}

namespace {

/// Skips parts, each a header and its stated number of bytes, padded to four. Much faster than reading them, for
/// `find`, which asks wherever two bytes match the magic.
class PartSkipper {
 public:
  PartSkipper(ByteView bytes, size_t at) : bytes_(bytes), at_(at) {}
  template <class SizeOf>
  bool skip(u32 count, size_t header_size, SizeOf size_of) {
    for (; count; --count) {
      if (at_ > bytes_.size() || bytes_.size() - at_ < header_size) return false;
      const u64 size = size_of(bytes_.data() + at_);
      if (size > bytes_.size() - at_ - header_size) return false;
      at_ = (at_ + header_size + size_t(size) + 3) & ~size_t(3);
    }
    return true;
  }

 private:
  ByteView bytes_;
  size_t at_;
};

bool has_all_parts(const Vram*, ByteView bytes) {
  if (bytes.size() < 8) return false;
  PartSkipper parts(bytes, 8);
  return parts.skip(read_u16_le(&bytes[2]), 8,
                    [](const u8* p) { return 2 * u64(read_u16_le(p + 4)) * read_u16_le(p + 6); }) &&
         parts.skip(read_u16_le(&bytes[4]), 8, [](const u8* p) { return 2 * u64(read_u16_le(p + 4)); }) &&
         parts.skip(bytes[6], 12, [](const u8* p) { return u64(read_u32_le(p + 8)); });
}
bool has_all_parts(const Spu*, ByteView bytes) {
  return PartSkipper(bytes, 4).skip(read_u16_le(&bytes[2]), 8, [](const u8* p) { return u64(read_u32_le(p)); });
}

/// A magic of two bytes is weak evidence, so the parts must also fill the file.
template <class T>
Sniff sniff_parts(ByteView bytes, std::string_view name, const char (&magic)[3], std::string_view extension,
                  const char* what) {
  using enum Sniff::Certainty;
  if (bytes.size() < 4 || bytes[0] != magic[0] || bytes[1] != magic[1]) return {};
  const bool named = name.ends_with(extension);
  if (!has_all_parts(static_cast<const T*>(nullptr), bytes)) return {named ? possible : no, {}};
  const auto loaded = load<T>(bytes);
  if (!loaded) return {named ? possible : no, {}};
  const auto& residue = loaded->document.residue;
  for (const UnreferencedBytes& r : residue)
    if (r.bytes.size() > 3) return {named ? likely : possible, std::string(what) + ", followed by other bytes"};
  return {bytes.size() > 8 || named ? certain : possible, std::string(what) + " fill the file"};
}

}  // namespace

Sniff sniff_vram(ByteView bytes, std::string_view name) {
  return sniff_parts<Vram>(bytes, name, "VR", ".vram", "the VRAM blocks");
}
Sniff sniff_spu(ByteView bytes, std::string_view name) {
  return sniff_parts<Spu>(bytes, name, "SA", ".spu", "the sounds");
}
Sniff sniff_geo(ByteView, std::string_view name) {
  return name.ends_with(".geo") ? Sniff{Sniff::Certainty::possible, "is named .geo"} : Sniff{};
}

}  // namespace dio::splashpack
