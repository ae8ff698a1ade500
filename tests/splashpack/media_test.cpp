// media_test.cpp: console sounds from .wav and .vag files; fonts, canvases and their pictures from hand-written and
// from invalid properties.
#include "formats/splashpack/from_scene/media.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "console/psx/adpcm.hpp"
#include "core/base64.hpp"
#include "formats/contract/edits.hpp"
#include "formats/splashpack/from_scene/sound_files.hpp"
#include "formats/splashpack/layout/limits.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "samples/splashpack/packs.hpp"

namespace dio::splashpack {
namespace {

namespace adpcm = psx::adpcm;

// ---- blocks of the console

Bytes block(u8 head, u8 flags, std::vector<u8> digits) {
  digits.resize(14);
  Bytes b{head, flags};
  b.insert(b.end(), digits.begin(), digits.end());
  return b;
}

TEST(SplashpackAdpcm, DecodesBlocksToHandComputedSamples) {
  // Shift 0, no filter: nibbles are the upper four bits; the low half of a byte comes first.
  auto s = adpcm::decode_adpcm(block(0x00, 0, {0x21, 0x8F}));
  ASSERT_EQ(s.size(), 28u);
  EXPECT_EQ(s[0], 1 * 4096);
  EXPECT_EQ(s[1], 2 * 4096);
  EXPECT_EQ(s[2], -1 * 4096);
  EXPECT_EQ(s[3], -8 * 4096);
  // Shift 12: nibbles are the samples. Filter 1 adds 60/64 of the previous sample: 7, then 7 * 60 / 64 = 6.56, rounded
  // to 7.
  s = adpcm::decode_adpcm(block(0x1C, 0, {0x07}));
  EXPECT_EQ(s[0], 7);
  EXPECT_EQ(s[1], 7);
  // Filter 2: 115/64 of the previous sample and -52/64 of the one before it. 4096; (4096 * 115 + 32) >> 6 = 7360; (7360
  // * 115 - 4096 * 52 + 32) >> 6 = 9897.
  s = adpcm::decode_adpcm(block(0x20, 0, {0x01}));
  EXPECT_EQ(s[0], 4096);
  EXPECT_EQ(s[1], 7360);
  EXPECT_EQ(s[2], 9897);
  // Shifts of 13 and more act like 9: the nibble 1 is 8.
  EXPECT_EQ(adpcm::decode_adpcm(block(0x0F, 0, {0x01}))[0], 8);
  // Samples are clamped to 16 bits: 28672, and 28672 * 122 / 64 + 28672.
  s = adpcm::decode_adpcm(block(0x40, 0, {0x77}));
  EXPECT_EQ(s[1], 32767);
  EXPECT_TRUE(adpcm::decode_adpcm(Bytes(15)).empty());
}

f64 rms(std::span<const i16> a, std::span<const i16> b) {
  f64 sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (f64(a[i]) - b[i]) * (f64(a[i]) - b[i]);
  return std::sqrt(sum / f64(a.size()));
}

TEST(SplashpackAdpcm, RoundTripsExactlyRepresentableSamples) {
  std::vector<i16> samples;
  for (int i = 0; i < 280; ++i) samples.push_back(i16((i * 5 % 16 - 8) * 256));  // digits at shift 4
  const Bytes blocks = adpcm::encode_adpcm(samples, false);
  ASSERT_EQ(blocks.size(), 160u);
  EXPECT_EQ(adpcm::decode_adpcm(blocks), samples);
  EXPECT_TRUE(adpcm::encode_adpcm({}, true).empty());
}

TEST(SplashpackAdpcm, EncodingErrorsStayWithinBounds) {
  // Shift 0 without a filter rounds to multiples of 4096 from -8 to 7: the error is at most 2048 between -32768 and
  // 30719. The best encoding has no larger mean error per block.
  u32 seed = 1;
  std::vector<i16> noise;
  for (int i = 0; i < 28 * 100; ++i) {
    seed = seed * 1664525 + 1013904223;
    noise.push_back(i16(i32(seed >> 16) % 30000 * (seed & 1 ? 1 : -1)));
  }
  EXPECT_LE(rms(noise, adpcm::decode_adpcm(adpcm::encode_adpcm(noise, false))), 2048);
  // Quiet noise: within 7 * 16 in steps of 16 (shift 8), so the error is at most 8.
  for (i16& x : noise) x = i16(x % 112);
  EXPECT_LE(rms(noise, adpcm::decode_adpcm(adpcm::encode_adpcm(noise, false))), 8);
  // 440 Hz with amplitude 10000 at 44100 Hz: a sample differs from 60/64 of the previous one by 10000 * |1 - 0.9375
  // e^-iw| = 863 (w = 0.0627), plus 0.94 of the previous error: within 7 * 256 at shift 4, so the error is at most 128.
  std::vector<i16> sine;
  for (int i = 0; i < 28 * 100; ++i)
    sine.push_back(i16(std::lround(10000 * std::sin(2 * std::numbers::pi * 440 * i / 44100))));
  const Bytes once = adpcm::encode_adpcm(sine, false);
  EXPECT_LE(rms(sine, adpcm::decode_adpcm(once)), 128);
  EXPECT_EQ(once, adpcm::encode_adpcm(sine, false));
}

TEST(SplashpackAdpcm, FlagsMarkLoopStartAndEnd) {
  const std::vector<i16> samples(28 * 3 - 5, 100);
  const auto flags = [](const Bytes& b) {
    std::vector<int> all;
    for (size_t i = 1; i < b.size(); i += 16) all.push_back(b[i]);
    return all;
  };
  EXPECT_EQ(flags(adpcm::encode_adpcm(samples, false)), (std::vector{0, 0, 1}));
  EXPECT_EQ(flags(adpcm::encode_adpcm(samples, true)), (std::vector{4, 0, 3}));
  EXPECT_EQ(flags(adpcm::encode_adpcm(std::span(samples).first(5), true)), (std::vector{7}));
}

// ---- files

void put(Bytes& b, u64 n, u32 bytes) {
  for (u32 i = 0; i < bytes; ++i) b.push_back(u8(n >> 8 * i));
}
void put(Bytes& b, std::string_view letters) { b.insert(b.end(), letters.begin(), letters.end()); }

Bytes wav(u32 code, u32 bits, u32 channels, u32 rate, const Bytes& samples, bool loops = false) {
  Bytes b;
  put(b, "RIFF"), put(b, 36 + samples.size(), 4), put(b, "WAVE");
  put(b, "fmt "), put(b, 16, 4), put(b, code, 2), put(b, channels, 2), put(b, rate, 4);
  put(b, rate * channels * bits / 8, 4), put(b, channels * bits / 8, 2), put(b, bits, 2);
  if (loops) put(b, "smpl"), put(b, 36, 4), b.resize(b.size() + 28), put(b, 1, 4), put(b, 0, 4);
  put(b, "data"), put(b, samples.size(), 4);
  b.insert(b.end(), samples.begin(), samples.end());
  return b;
}

TEST(SplashpackSounds, DecodesAllWavFormatsAlike) {
  // 56 samples, multiples of 4096: exact at shift 0.
  std::vector<i16> expected;
  for (int i = 0; i < 56; ++i) expected.push_back(i16((i % 15 - 7) * 4096));
  const auto in = [&](u32 channels, auto write) {
    Bytes b;
    for (const i16 x : expected)
      for (u32 c = 0; c < channels; ++c) write(b, i32(x), c);
    return b;
  };
  const Bytes files[] = {
      wav(1, 16, 1, 22050, in(1, [](Bytes& b, i32 x, u32) { put(b, u64(i64(x)), 2); })),
      wav(1, 8, 1, 22050, in(1, [](Bytes& b, i32 x, u32) { put(b, u64(x / 256 + 128), 1); })),
      wav(1, 24, 1, 22050, in(1, [](Bytes& b, i32 x, u32) { put(b, u64(i64(x) * 256), 3); })),
      wav(1, 32, 1, 22050, in(1, [](Bytes& b, i32 x, u32) { put(b, u64(i64(x) * 65536), 4); })),
      wav(3, 32, 1, 22050, in(1, [](Bytes& b, i32 x, u32) { put(b, std::bit_cast<u32>(f32(x) / 32768), 4); })),
      // Left and right differ; their mean is the sound.
      wav(1, 16, 2, 22050, in(2, [](Bytes& b, i32 x, u32 c) { put(b, u64(i64(x + (c ? -1000 : 1000))), 2); })),
  };
  for (const Bytes& file : files) {
    const auto sound = convert_to_console_sound(file, {});
    ASSERT_TRUE(sound) << format_one_line(sound.error());
    EXPECT_EQ(sound->rate, 22050);
    EXPECT_FALSE(sound->is_looping);
    EXPECT_EQ(adpcm::decode_adpcm(sound->samples), expected);
  }
  const auto looping = convert_to_console_sound(wav(1, 16, 1, 8000, Bytes(200), true), {});
  ASSERT_TRUE(looping);
  EXPECT_TRUE(looping->is_looping);
}

TEST(SplashpackSounds, ResamplesToTheRequestedRate) {
  // A constant stays constant with half as many samples; rates above 44100 Hz are reduced.
  Bytes samples;
  for (int i = 0; i < 560; ++i) put(samples, 4096, 2);
  auto sound = convert_to_console_sound(wav(1, 16, 1, 32000, samples), {.rate = 16000, .loop = true});
  ASSERT_TRUE(sound);
  EXPECT_EQ(sound->rate, 16000);
  EXPECT_EQ(adpcm::decode_adpcm(sound->samples), std::vector<i16>(280, 4096));
  EXPECT_TRUE(sound->is_looping);
  sound = convert_to_console_sound(wav(1, 16, 1, 96000, samples), {});
  ASSERT_TRUE(sound);
  EXPECT_EQ(sound->rate, 44100);
  EXPECT_EQ(sound->samples.size(), 10u * 16);  // 560 * 441 / 960 = 257.25: 258 samples
  // A line stays a line between its ends.
  samples.clear();
  for (int i = 0; i < 280; ++i) put(samples, u64(i * 64), 2);
  sound = convert_to_console_sound(wav(1, 16, 1, 10000, samples), {.rate = 20000, .loop = {}});
  ASSERT_TRUE(sound);
  const auto line = adpcm::decode_adpcm(sound->samples);
  ASSERT_EQ(line.size(), 560u);
  for (size_t i = 28; i < 532; ++i) EXPECT_NEAR(line[i], f64(i) * 32, 40) << i;
}

/// A wave with `count` samples and ten periods.
Bytes ten_waves(size_t count) {
  Bytes samples;
  for (size_t i = 0; i < count; ++i)
    put(samples, u64(std::lround(10000 * std::cos(20 * std::numbers::pi * f64(i) / f64(count)))), 2);
  return samples;
}

TEST(SplashpackSounds, LoopsRepeatWithoutASeam) {
  struct Case {
    size_t count;
    u32 rate, told, samples, rate_after;
  };
  for (const auto& [count, rate, told, samples, rate_after] :
       {Case{1000, 22050, 0, 1008, 22226},      // 36 blocks; 22050 * 1008 / 1000
        Case{1008, 22050, 0, 1008, 22050},      // nothing to do
        Case{981, 44100, 0, 980, 44055},        // fewer: more than 44100 a second are not played
        Case{2001, 22050, 11025, 1008, 11108},  // 1000.5 at the rate that was told
        Case{976, 96000, 0, 448, 44066}}) {     // 448.35 at 44100
    const auto sound =
        convert_to_console_sound(wav(1, 16, 1, rate, ten_waves(count), true), {.rate = u16(told), .loop = {}});
    ASSERT_TRUE(sound);
    EXPECT_EQ(sound->rate, rate_after);
    ASSERT_EQ(sound->samples.size(), samples / 28 * 16);
    Bytes twice = sound->samples;
    twice.insert(twice.end(), sound->samples.begin(), sound->samples.end());
    const auto heard = adpcm::decode_adpcm(twice);
    const auto step = [&](size_t i) { return std::abs(heard[i] - heard[i - 1]); };
    int most = 0;
    for (size_t i = samples + 1; i < 2 * samples; ++i) most = std::max(most, step(i));
    EXPECT_LE(step(samples), most) << count;
    // From the second repetition on, it is the wave: as close as 4 bits allow, and resampled with means that are
    // slightly lower.
    for (size_t i = samples; i < 2 * samples; ++i)
      ASSERT_NEAR(heard[i], 10000 * std::cos(20 * std::numbers::pi * f64(i) / f64(samples)), 200) << count << " " << i;
  }
  // The last block of a sound without a loop is filled with silence, as always.
  const auto once = convert_to_console_sound(wav(1, 16, 1, 22050, ten_waves(1000)), {});
  ASSERT_TRUE(once);
  EXPECT_EQ(once->rate, 22050);
  EXPECT_NEAR(adpcm::decode_adpcm(once->samples).back(), 0, 200);
}

TEST(SplashpackSounds, ShortLoopsKeepTheirPitch) {
  struct Case {
    size_t count;
    u32 rate, told, samples, rate_after;
  };
  for (const auto& [count, rate, told, samples, rate_after] :
       {Case{10, 44100, 0, 140, 44100},   // 14 turns
        Case{30, 44100, 0, 420, 44100},   // 14 turns; 13 would be 392 samples, but 44335 a second
        Case{30, 22050, 0, 392, 22163},   // 13 turns: 390 samples
        Case{100, 44100, 0, 700, 44100},  // 7 turns
        Case{31, 44100, 0, 308, 43815},   // 10 turns: 310 samples
        Case{9, 8000, 0, 224, 7964},      // 25 turns: 225 samples
        Case{2, 22050, 0, 28, 22050},     // 14 turns
        Case{10, 96000, 0, 112, 43008},   // 25 turns: 114.8 at 44100
        Case{40, 22050, 11025, 140, 11025}, Case{12, 8000, 16000, 168, 16000}}) {
    Bytes wave;
    for (size_t i = 0; i < count; ++i)
      put(wave, u64(std::lround(10000 * std::cos(2 * std::numbers::pi * (f64(i) + 0.3) / f64(count)))), 2);
    const auto sound = convert_to_console_sound(wav(1, 16, 1, rate, wave, true), {.rate = u16(told), .loop = {}});
    ASSERT_TRUE(sound) << format_one_line(sound.error());
    EXPECT_EQ(sound->samples.size(), samples / 28 * 16) << count;
    EXPECT_EQ(sound->rate, rate_after) << count;
    // The pitch, as rising edges per second.
    Bytes twice = sound->samples;
    twice.insert(twice.end(), sound->samples.begin(), sound->samples.end());
    const auto heard = adpcm::decode_adpcm(twice);
    size_t ups = 0;
    for (size_t i = samples; i < 2 * samples; ++i) ups += heard[i - 1] < 0 && heard[i] >= 0;
    const f64 pitch = f64(rate) / f64(count);
    EXPECT_NEAR(f64(ups) * sound->rate / f64(samples), pitch, pitch / 1000) << count << " at " << rate;
  }
  // Every length works, at rates the sound processor supports.
  for (size_t count = 1; count <= 300; ++count)
    for (const auto& [rate, told] : {std::pair(44100, 0), {22050, 0}, {400000, 0}, {8000, 0}, {44100, 22050}}) {
      const auto sound = convert_to_console_sound(wav(1, 16, 1, u32(rate), Bytes(count * 2), true), {u16(told), {}});
      ASSERT_TRUE(sound);
      ASSERT_LE(sound->rate, 44100) << count;
      const f64 turns = f64(sound->samples.size() / 16 * 28) / sound->rate * rate / f64(count);
      ASSERT_GE(turns, 0.999);
      ASSERT_NEAR(turns, std::round(turns), turns / 1000) << count << " at " << rate;
      if (rate <= 44100 && !told) {
        ASSERT_NEAR(sound->rate, rate, rate / 100.0) << count;
      }
    }
}

TEST(SplashpackSounds, UsesTheSamplesOfATruncatedWav) {
  const Bytes whole = wav(1, 16, 1, 22050, ten_waves(1120));
  Bytes cut = whole;
  cut.resize(cut.size() - 1120 - 1);  // half of its samples, and half a sample
  const auto sound = convert_to_console_sound(cut, {}), all = convert_to_console_sound(whole, {});
  ASSERT_TRUE(sound && all);
  ASSERT_EQ(sound->samples.size(), 20 * 16u);  // 559 samples
  const auto heard = adpcm::decode_adpcm(sound->samples), before = adpcm::decode_adpcm(all->samples);
  for (size_t i = 0; i < 500; ++i) ASSERT_EQ(heard[i], before[i]) << i;
}

Bytes vag(u32 size, u32 rate, const Bytes& blocks) {
  Bytes b(48);
  std::copy_n("VAGp", 4, b.begin());
  for (u32 i = 0; i < 4; ++i) b[12 + i] = u8(size >> (24 - 8 * i)), b[16 + i] = u8(rate >> (24 - 8 * i));
  b.insert(b.end(), blocks.begin(), blocks.end());
  return b;
}

TEST(SplashpackSounds, VagFilesKeepTheirBlocks) {
  Bytes blocks = block(0x12, 4, {1, 2, 3});
  for (const u8 x : block(0x34, 3, {4, 5, 6})) blocks.push_back(x);
  auto sound = convert_to_console_sound(vag(32, 11025, blocks), {});
  ASSERT_TRUE(sound) << format_one_line(sound.error());
  EXPECT_EQ(sound->rate, 11025);
  EXPECT_EQ(sound->samples, blocks);
  EXPECT_TRUE(sound->is_looping);
  // With loop=false, it ends there.
  sound = convert_to_console_sound(vag(32, 11025, blocks), {.rate = 0, .loop = false});
  ASSERT_TRUE(sound);
  EXPECT_FALSE(sound->is_looping);
  EXPECT_EQ(sound->samples[17], adpcm::k_end);
  // Repeating silence after a sound is its end.
  for (const u8 last : {u8(0), u8(adpcm::k_end)}) {
    Bytes once = block(0x12, 0, {1, 2, 3});
    for (const Bytes& b : {block(0x12, last, {3, 2, 1}), block(0, 7, std::vector<u8>(14, last ? 0 : 0x77))})
      once.insert(once.end(), b.begin(), b.end());
    sound = convert_to_console_sound(vag(48, 11025, once), {});
    ASSERT_TRUE(sound);
    EXPECT_FALSE(sound->is_looping);
    EXPECT_EQ(sound->samples, once);
    sound = convert_to_console_sound(vag(48, 11025, once), {.rate = 0, .loop = true});
    ASSERT_TRUE(sound);
    EXPECT_TRUE(sound->is_looping);
    EXPECT_EQ(sound->samples[1], 0);
    EXPECT_EQ(sound->samples[17], adpcm::k_end | adpcm::k_repeat);
  }
}

TEST(SplashpackSounds, KeepsSingleBlockLoopsInVagFiles) {
  // The loop is a single block, but it is not silence.
  const auto with = [](const std::vector<Bytes>& all) {
    Bytes blocks;
    for (const Bytes& b : all) blocks.insert(blocks.end(), b.begin(), b.end());
    return blocks;
  };
  std::vector<u8> nearly(14, 0x77);
  nearly.back() = 0x76;
  for (const std::vector<u8>& tone : {std::vector<u8>{4, 5, 6}, nearly, std::vector<u8>{0x77}}) {
    const Bytes blocks = with({block(0x12, 0, {1}), block(0x12, 7, tone), block(0, 3, {})});
    auto sound = convert_to_console_sound(vag(48, 11025, blocks), {});
    ASSERT_TRUE(sound);
    EXPECT_TRUE(sound->is_looping);
    EXPECT_EQ(sound->samples, blocks);
    sound = convert_to_console_sound(vag(48, 11025, blocks), {.rate = 0, .loop = false});
    ASSERT_TRUE(sound);
    EXPECT_FALSE(sound->is_looping);
    EXPECT_EQ(sound->samples[17], adpcm::k_end | adpcm::k_loop_start);
    EXPECT_EQ(sound->samples[1], 0);
  }
}

TEST(SplashpackSounds, AddsAMissingEndToVagFiles) {
  for (const u8 flags : {0, 2, 4, 6}) {
    Bytes blocks = block(0x12, 4, {1, 2, 3});
    for (const u8 x : block(0x34, flags, {4, 5, 6})) blocks.push_back(x);
    for (const std::optional<bool> told : {std::optional<bool>(), std::optional(false), std::optional(true)}) {
      const auto sound = convert_to_console_sound(vag(32, 11025, blocks), {.rate = 0, .loop = told});
      ASSERT_TRUE(sound);
      EXPECT_EQ(sound->is_looping, told == true);
      Bytes expected = blocks;
      expected[17] = u8((flags & adpcm::k_loop_start) | adpcm::k_end | (told == true ? adpcm::k_repeat : 0));
      EXPECT_EQ(sound->samples, expected) << int(flags);
    }
  }
}

TEST(SplashpackSounds, RejectsDamagedSoundFiles) {
  const auto refused = [](const Bytes& file, std::string_view expected) {
    const auto sound = convert_to_console_sound(file, {});
    ASSERT_FALSE(sound);
    EXPECT_EQ(sound.error().id, "splashpack.make-sound");
    EXPECT_NE(format_one_line(sound.error()).find(expected), std::string::npos) << format_one_line(sound.error());
  };
  refused({}, ".wav or .vag");
  refused(Bytes(100), ".wav or .vag");
  refused(vag(33, 11025, Bytes(32)), "32 bytes of blocks");
  refused(vag(0xFFFFFFFF, 11025, Bytes(32)), "32 bytes of blocks");
  refused(vag(16, 0, Bytes(32)), "a rate of 1 to 65535 Hz");
  refused(Bytes{'V', 'A', 'G', 'p'}, "48 bytes");
  refused(vag(600000, 22050, Bytes(600000)), "sound memory");
  refused(wav(2, 4, 1, 22050, Bytes(32)), "integers of 8, 16");
  refused(wav(1, 16, 0, 22050, Bytes(32)), "integers of 8, 16");
  refused(wav(1, 16, 1, 0, Bytes(32)), "integers of 8, 16");
  refused(wav(1, 16, 1, 22050, Bytes(2000000)), "sound memory");  // a million samples
  Bytes whole = wav(1, 16, 1, 22050, Bytes(64));
  for (size_t n = 0; n < whole.size(); ++n) {
    const auto sound = convert_to_console_sound(ByteView(whole).first(n), {});
    EXPECT_EQ(sound.has_value(), n >= 44) << n;  // what is there of the samples is heard
  }
}

// ---- what scenes say

struct Done {
  Pack pack;
  Vram vram;
  Spu spu;
  Diagnostics notes;
};
Result<Done> done(const scene::Scene& s, std::vector<Argument> told = {}) {
  auto made = make_pack_from_scene(s, told);
  if (!made) return refuse(std::move(made.error()));
  Done out;
  out.pack = load<Pack>(made->files[0].bytes)->document.value();
  if (made->files.size() == 3) {
    out.vram = load<Vram>(made->files[1].bytes)->document.value();
    out.spu = load<Spu>(made->files[2].bytes)->document.value();
  }
  out.notes = std::move(made->notes);
  return out;
}
scene::Scene empty_scene() {
  scene::Scene s;
  s.extras = Value::object();
  return s;
}
size_t count(const Done& d, std::string_view id, std::string_view path) {
  return size_t(std::ranges::count_if(
      d.notes, [&](const Diagnostic& n) { return n.id == id && n.place.path.starts_with(path); }));
}

TEST(SplashpackMedia, ImportsSoundsFromFiles) {
  scene::Scene s = empty_scene();
  const Bytes file = wav(1, 16, 1, 22050, Bytes(112));
  const auto one = [&](const char* list, const char* name) -> Value& {
    Value* all = s.extras.find(list);
    Value& entry = (all ? *all : s.extras.add(list, Value::list())).push(Value::object());
    entry.add("file", name);
    entry.add("bytes", encode_base64(file));
    return entry;
  };
  Value& told = one("audio_clips", "door.wav");
  told.add("name", "knock"), told.add("loop", true), told.add("rate", 11025.0);
  one("sound", "beep.wav");
  one("looping_sound", "music.old.wav");
  const auto d = done(s);
  ASSERT_TRUE(d) << format_one_line(d.error());
  ASSERT_EQ(d->pack.audio_clips.size(), 3u);
  EXPECT_EQ(d->pack.audio_clips[0].name, "knock");
  EXPECT_EQ(d->pack.audio_clips[1].name, "beep");
  EXPECT_EQ(d->pack.audio_clips[2].name, "music.old");
  EXPECT_EQ(d->pack.audio_clips[0].rate, 11025);
  EXPECT_EQ(d->pack.audio_clips[0].loop, 1);
  EXPECT_EQ(d->pack.audio_clips[1].loop, 0);
  EXPECT_EQ(d->pack.audio_clips[2].loop, 1);
  EXPECT_EQ(d->spu.clips[1].samples.size(), 32u);
  ASSERT_EQ(d->spu.clips[2].samples.size(), 32u);
  EXPECT_EQ(d->spu.clips[1].samples[17], adpcm::k_end);
  EXPECT_EQ(d->spu.clips[2].samples[17], adpcm::k_end | adpcm::k_repeat) << "else the console falls silent";
  EXPECT_EQ(d->spu.clips[0].samples.size(), 16u);
  EXPECT_TRUE(matches_pack(d->spu, d->pack));
  // Older layouts have no sounds, which is noted.
  const auto old = done(s, {{"layout", "d"}});
  ASSERT_TRUE(old);
  EXPECT_EQ(count(*old, "splashpack.make-lost", ""), 3u);
  // A missing file.
  s.extras.find("sound")->push(Value::object()).add("file", "gone.wav");
  const auto gone = done(s);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().id, "splashpack.make-sound");
  EXPECT_EQ(gone.error().place.path, "sound[1].file");
}

TEST(SplashpackMedia, ReportsSoundsBeyondTheLimits) {
  scene::Scene s = empty_scene();
  Value& list = s.extras.add("audio_clips", Value::list());
  for (int i = 0; i < 34; ++i) list.push(Value::object()).add("samples", encode_base64(Bytes(16)));
  auto d = done(s);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->pack.audio_clips.size(), 34u);
  EXPECT_EQ(count(*d, "splashpack.make-sounds", "audio_clips"), 1u);
  list.members().resize(2);
  *list.members()[0].second.find("samples") = encode_base64(Bytes(k_spu_memory - 32));
  d = done(s);
  ASSERT_TRUE(d);
  EXPECT_EQ(count(*d, "splashpack.make-sounds", "audio_clips"), 0u);  // exactly all
  *list.members()[1].second.find("samples") = encode_base64(Bytes(17));
  d = done(s);
  ASSERT_TRUE(d);
  EXPECT_EQ(count(*d, "splashpack.make-sounds", "audio_clips"), 1u);
}

TEST(SplashpackMedia, BuildsHandWrittenCanvases) {
  scene::Scene s = empty_scene();
  scene::Image logo{"logo.png", 3, 2, 8, {}, {}};
  for (u8 i = 0; i < 6; ++i) logo.pixels.insert(logo.pixels.end(), {u8(i * 40), u8(255 - i * 40), 99, 255});
  s.images.push_back(logo);
  Value& canvas = s.extras.add("canvases", Value::list()).push(Value::object());
  canvas.add("name", "hud"), canvas.add("visible", false);
  Value& elements = canvas.add("elements", Value::list());
  Value& image = elements.push(Value::object());
  image.add("type", "image"), image.add("name", "logo"), image.add("file", "logo.png"), image.add("x", 8.0);
  Value& words = elements.push(Value::object());
  words.add("type", "text"), words.add("text", "Hello"), words.add("y", 200), words.add("red", 255);
  words.add("visible", false);
  const auto d = done(s);
  ASSERT_TRUE(d) << format_one_line(d.error());
  ASSERT_EQ(d->pack.canvases.size(), 1u);
  const UiCanvas& hud = d->pack.canvases[0];
  EXPECT_EQ(hud.name, "hud");
  EXPECT_EQ(hud.flags, 0);
  ASSERT_EQ(hud.elements.size(), 2u);
  const UiElement &a = hud.elements[0], &b = hud.elements[1];
  EXPECT_EQ(a.type, UiType::image);
  EXPECT_EQ(std::tie(a.name, a.x, a.width, a.height, a.flags, a.red),
            std::tuple(std::optional<std::string>("logo"), 8, 3, 2, 1, 128));
  EXPECT_EQ(b.type, UiType::text);
  EXPECT_EQ(b.text, "Hello");
  EXPECT_EQ(std::tuple(b.y, b.red, b.green, b.flags), std::tuple(200, 255, 128, 0));
  // The picture: 5 bits of each channel.
  EXPECT_EQ(a.to_uv.u - a.from.u, 2);
  EXPECT_EQ(a.to_uv.v - a.from.v, 1);
  const VideoMemory memory = build_video_memory(d->pack, &d->vram);
  const TextureSource source{TexturePage{u16(a.page_x * 64), u16(a.page_y * 256), a.depth, 0, false}.word(), a.clut_x,
                             a.clut_y};
  const u16 first = texel_at(memory, source, a.from.u, a.from.v);
  EXPECT_EQ(first, 0 | 31 << 5 | 12 << 10);  // 99 * 31 / 255 = 12.04
  // A missing picture.
  *elements.members()[0].second.find("file") = "gone.png";
  const auto gone = done(s);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().id, "splashpack.make-picture");
  EXPECT_EQ(gone.error().place.path, "canvases[0].elements[0].file");
}

TEST(SplashpackMedia, ReportsUnknownCanvasProperties) {
  scene::Scene s = empty_scene();
  Value& canvas = s.extras.add("canvases", Value::list()).push(Value::object());
  Value& elements = canvas.add("elements", Value::list());
  Value& wrong = elements.push(Value::object());
  wrong.add("type", "immage");
  Value& right = elements.push(Value::object());
  right.add("type", "text"), right.add("text", "hello"), right.add("x", 8), right.add("visible", false);
  right.add("colour", 3);
  auto d = done(s);
  ASSERT_TRUE(d) << format_one_line(d.error());
  EXPECT_EQ(count(*d, "splashpack.make-property", "canvases[0].elements[0].type"), 1u);
  EXPECT_EQ(count(*d, "splashpack.make-property", "canvases[0].elements[1]"), 1u);
  EXPECT_EQ(count(*d, "splashpack.make-property", ""), 2u);
  // All properties written for packs are known.
  const auto files = sample_scene_with_everything();
  Document<Pack> whole;
  whole.edit() = files.pack;
  s.extras = Value::object();
  s.extras.add("canvases", *trace<Pack>(*save(whole)).spans.value(0).find("canvases"));
  d = done(s);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->pack.canvases.size(), files.pack.canvases.size());
  EXPECT_EQ(count(*d, "splashpack.make-property", ""), 0u);
  // A missing picture file.
  s.extras = Value::object();
  s.extras.add("canvases_file", "screen.json");
  const auto gone = done(s);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().id, "splashpack.make-picture");
  EXPECT_EQ(gone.error().place.path, "canvases_file");
}

TEST(SplashpackMedia, MovesOverlappingFontsInVideoMemory) {
  scene::Scene s = empty_scene();
  Value& list = s.extras.add("fonts", Value::list());
  const auto font = [&](int x, int y, int height) {
    Value& f = list.push(Value::object());
    f.add("name", "letters");  // says nothing
    f.add("x", x), f.add("y", y), f.add("height", height);
    f.add("texels", encode_base64(Bytes(size_t(128 * height), u8(list.size()))));
  };
  font(960, 0, 24);    // as SplashEdit has the first
  font(960, 10, 24);   // over it
  font(100, 100, 32);  // on the screen
  font(960, 440, 60);  // over the letters of the system
  const auto d = done(s);
  ASSERT_TRUE(d) << format_one_line(d.error());
  ASSERT_EQ(d->vram.fonts.size(), 4u);
  const auto at = [&](size_t i) { return std::pair(d->vram.fonts[i].x, d->vram.fonts[i].y); };
  EXPECT_EQ(at(0), (std::pair<u16, u16>(960, 0)));
  EXPECT_EQ(at(1), (std::pair<u16, u16>(960, 256)));
  EXPECT_EQ(at(2), (std::pair<u16, u16>(896, 0)));
  EXPECT_EQ(at(3), (std::pair<u16, u16>(896, 256)));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(d->vram.fonts[i].texels[0], i + 1);
    EXPECT_EQ(std::pair(d->pack.fonts[i].x, d->pack.fonts[i].y), at(i));
    EXPECT_EQ(d->pack.fonts[i].size, d->vram.fonts[i].texels.size());
  }
  EXPECT_EQ(count(*d, "splashpack.make-lost", "fonts["), 3u);
  // No atlas overlaps them.
  for (const VramAtlas& a : d->vram.atlases)
    for (const VramFont& f : d->vram.fonts)
      EXPECT_FALSE((Rect{a.x, a.y, a.width, a.height}.overlaps({f.x, f.y, 64, f.height})));
}

TEST(SplashpackMedia, IgnoresInvalidExtrasWithANote) {
  const Value garbage[] = {Value(),      Value("nonsense"),   Value(true),   Value(-1),
                           Value(1e300), Value(u64(1) << 63), Value::list(), Value::object()};
  for (const char* name : {"audio_clips", "sound", "fonts", "canvases", "canvas_pictures", "cutscenes"})
    for (const Value& g : garbage) {
      scene::Scene s = empty_scene();
      s.extras.add(name, g);
      EXPECT_TRUE(done(s)) << name;
      *s.extras.find(name) = Value::list();
      s.extras.find(name)->push(g);
      EXPECT_TRUE(done(s)) << name;
    }
  // Each field of each entry in turn.
  for (const auto& [list, fields] : {std::pair("audio_clips", std::vector{"samples", "name", "rate", "loop", "size"}),
                                     std::pair("fonts", std::vector{"texels", "x", "y", "height", "advances", "size"}),
                                     std::pair("canvases", std::vector{"name", "elements", "flags", "sort_order"})})
    for (const char* field : fields)
      for (const Value& g : garbage) {
        scene::Scene s = empty_scene();
        s.extras.add(list, Value::list()).push(Value::object()).add(field, g);
        const auto d = done(s);
        ASSERT_TRUE(d) << list << "." << field << ": " << format_one_line(d.error());
      }
  for (const char* field :
       {"type", "picture", "from", "to", "depth", "anchors", "text", "name", "x", "font", "visible"})
    for (const Value& g : garbage) {
      scene::Scene s = empty_scene();
      Value& canvas = s.extras.add("canvases", Value::list()).push(Value::object());
      canvas.add("elements", Value::list()).push(Value::object()).add(field, g);
      const auto d = done(s);
      ASSERT_TRUE(d) << field << ": " << format_one_line(d.error());
    }
  // Pictures whose size does not match their texels, and indices beyond the palette.
  const auto picture = [](Value width, Value height, Value depth, const char* colors, const Bytes& texels) {
    Value p = Value::object();
    p.add("width", std::move(width)), p.add("height", std::move(height)), p.add("depth", std::move(depth));
    p.add("colors", colors), p.add("texels", encode_base64(texels));
    return p;
  };
  EXPECT_TRUE(texels_from_json(picture(2, 2, 4, "00001234", {0, 1, 0, 1})));
  EXPECT_FALSE(texels_from_json(picture(1 << 30, 1 << 30, 4, "00001234", {0, 1, 0, 1})));
  EXPECT_FALSE(texels_from_json(picture(2, 3, 4, "00001234", {0, 1, 0, 1})));
  EXPECT_FALSE(texels_from_json(picture(2, 2, 4, "00001234", {0, 1, 0, 2})));
  EXPECT_FALSE(texels_from_json(picture(2, 2, 5, "00001234", {0, 1, 0, 1})));
  EXPECT_FALSE(texels_from_json(picture(2, 2, 16, "", {0, 1, 0, 1})));
  EXPECT_TRUE(texels_from_json(picture(2, 1, 16, "", {0, 1, 0, 1})));
  EXPECT_FALSE(texels_from_json(picture("2", 2, 4, "00001234", {0, 1, 0, 1})));
  EXPECT_FALSE(texels_from_json(picture(2, 2, 4, "0000123", {0, 1, 0, 1})));
  // A cutscene with a missing sound.
  SceneFiles f = sample_scene(Layout::v21);
  Pack with;
  with.form = Layout::v21;
  Cutscene c;
  c.name = "gone", c.audio_events = {{1, 200, 1, 1, {}}};
  with.cutscenes.push_back(c);
  scene::Scene s = empty_scene();
  s.extras.add("cutscenes", *to_value(with).find("cutscenes"));
  const auto d = done(s);
  ASSERT_TRUE(d);
  ASSERT_EQ(d->pack.cutscenes.size(), 1u);
  EXPECT_TRUE(d->pack.cutscenes[0].audio_events.empty());
  EXPECT_EQ(count(*d, "splashpack.make-lost", "cutscenes"), 1u);
}

TEST(SplashpackMedia, RejectsTooManyFontsOrSounds) {
  for (const auto& [list, most] : {std::pair("fonts", 255), std::pair("audio_clips", 65535)}) {
    scene::Scene s = empty_scene();
    Value& all = s.extras.add(list, Value::list());
    for (int i = 0; i <= most; ++i) all.push(Value::object());
    const auto d = done(s);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().id, "splashpack.make-many");
  }
}

}  // namespace
}  // namespace dio::splashpack
