// sniff.cpp: what bytes of a scene pack look like.
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

Sniff sniff_pack(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  if (bytes.size() < 8 || bytes[0] != 'S' || bytes[1] != 'P') return {};
  const u32 version = bytes[2] | u32(bytes[3]) << 8;
  if (version >= u32(Layout::v20) && version <= u32(Layout::v24)) return {certain, reason_of(bytes)};
  if (version != 1) {
    if (version && version < 100)
      return {no, "a scene pack of version " + std::to_string(version) +
                      ": version 1 and versions 20 to 24 can be read; the exporter can save it as one of these"};
    return {};
  }
  bool any = false;
  for (const Verdict& v : verdicts(bytes)) any |= v.fits || v.inside;
  return {any ? certain : name.ends_with(".splashpack") ? likely : possible, reason_of(bytes)};
}

}  // namespace dio::splashpack
