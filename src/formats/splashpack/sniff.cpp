// sniff.cpp: what bytes of a scene pack look like.
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

Sniff sniff_pack(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  if (bytes.size() < 8 || bytes[0] != 'S' || bytes[1] != 'P') return {};
  const u32 version = bytes[2] | u32(bytes[3]) << 8;
  if (version >= u32(Layout::v20) && version <= u32(Layout::v24)) return {certain, explain_layout(bytes)};
  if (version != 1) {
    if (version && version < 100)
      return {no, "a scene pack of version " + std::to_string(version) +
                      "; dio supports 1 and 20 to 24, so export the scene again as one of these"};
    return {};
  }
  bool any = false;
  for (const LayoutScore& v : score_layouts(bytes)) any |= v.fits || v.inside;
  return {any ? certain : name.ends_with(".splashpack") ? likely : possible, explain_layout(bytes)};
}

namespace {

/// Two bytes of magic are weak evidence: the parts have to fill the file as well.
template <class T>
Sniff sniff_parts(ByteView bytes, std::string_view name, const char (&magic)[3], std::string_view extension,
                  const char* what) {
  using enum Sniff::Certainty;
  if (bytes.size() < 4 || bytes[0] != magic[0] || bytes[1] != magic[1]) return {};
  const auto loaded = load<T>(bytes);
  const bool named = name.ends_with(extension);
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

}  // namespace dio::splashpack
