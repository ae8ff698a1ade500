// sound_files.hpp: converts sound files to the format of the console.
#pragma once
#include <optional>

#include "core/result.hpp"

namespace dio::splashpack {

struct SoundOptions {
  u16 rate = 0;              // Hz; 0: the rate of the file, at most 44100
  std::optional<bool> loop;  // nothing: as in the file
};
struct ConsoleSound {
  u16 rate = 0;  // Hz
  bool is_looping = false;
  Bytes samples;  // ADPCM
};
/// Converts a .wav (integers of 8 to 32 bits, or 32-bit floats; channels are mixed) or a .vag, whose blocks stay
/// unchanged, except for the flags of the last one if `loop` differs or no block ends the sound. Sounds longer than
/// sound memory are rejected. Id: splashpack.make-sound.
Result<ConsoleSound> convert_to_console_sound(ByteView file, const SoundOptions&);

}  // namespace dio::splashpack
