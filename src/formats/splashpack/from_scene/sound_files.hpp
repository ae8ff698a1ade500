// sound_files.hpp: sounds as files of other programs have them, as the console plays them.
#pragma once
#include <optional>

#include "core/result.hpp"

namespace dio::splashpack {

struct SoundOptions {
  u16 rate = 0;              // Hz; 0: that of the file, at most 44100
  std::optional<bool> loop;  // nothing: as the file says
};
struct ConsoleSound {
  u16 rate = 0;  // Hz
  bool is_looping = false;
  Bytes samples;  // ADPCM
};
/// Of a .wav (whole numbers of 8 to 32 bits, or 32 bit floats; channels are mixed) or a .vag, whose blocks stay as they
/// are, but for the flags of the last one where `loop` says otherwise or none ends it. What is longer than sound memory
/// is refused. Id: splashpack.make-sound.
Result<ConsoleSound> convert_to_console_sound(ByteView file, const SoundOptions&);

}  // namespace dio::splashpack
