// sounds.cpp: the sounds of a pack, decoded.
#include "formats/contract/sounds.hpp"

#include "console/psx/adpcm.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/companions.hpp"

namespace dio::splashpack {

std::vector<Sound> decode_sounds(const Spu& spu) {
  std::vector<Sound> out;
  for (size_t i = 0; i < spu.clips.size(); ++i) {
    const SpuClip& clip = spu.clips[i];
    out.push_back(
        {std::to_string(i), text("clips[", i, "]"), clip.rate, clip.loop != 0, psx::adpcm::decode_adpcm(clip.samples)});
  }
  return out;
}

std::vector<Sound> decode_sounds(const Pack& pack, ByteView file, const Spu* spu) {
  std::vector<Sound> out;
  for (size_t i = 0; i < pack.audio_clips.size(); ++i) {
    const AudioClip& clip = pack.audio_clips[i];
    ByteView blocks;
    if (!clip.offset && spu && i < spu->clips.size())
      blocks = spu->clips[i].samples;
    else if (clip.offset && clip.offset <= file.size() && clip.size <= file.size() - clip.offset)
      blocks = file.subspan(clip.offset, clip.size);
    const bool is_named = clip.name && !clip.name->empty();
    out.push_back({is_named ? *clip.name : std::to_string(i), text("audio_clips[", i, "]"), clip.rate, clip.loop != 0,
                   psx::adpcm::decode_adpcm(blocks)});
  }
  return out;
}

}  // namespace dio::splashpack
