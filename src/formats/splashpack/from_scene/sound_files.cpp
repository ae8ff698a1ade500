#include "formats/splashpack/from_scene/sound_files.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "console/psx/adpcm.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/layout/limits.hpp"

namespace dio::splashpack {
namespace {

namespace adpcm = psx::adpcm;

constexpr u32 k_highest_rate = 44100;  // of the SPU: at higher rates it skips samples
constexpr u64 k_most_blocks = k_spu_memory / adpcm::k_block_bytes;
constexpr u64 k_most_samples = k_most_blocks * adpcm::k_block_samples;

Diagnostic sound_error(DiagnosticText said) { return make_diagnostic("splashpack.make-sound", {}, std::move(said)); }
tl::unexpected<Diagnostic> refuse_too_long(const std::string& found) {
  return refuse(sound_error(
      {.message = text("the sound is too long for the ", k_spu_memory, " bytes of sound memory (", found, ")"),
       .hint = "shorten the sound, or set a lower `rate`"}));
}

u32 read_le(ByteView b, size_t at, u32 bytes) {
  u32 n = 0;
  for (u32 i = 0; i < bytes; ++i) n |= u32(b[at + i]) << (8 * i);
  return n;
}
u32 read_be32(ByteView b, size_t at) {
  return u32(b[at]) << 24 | u32(b[at + 1]) << 16 | u32(b[at + 2]) << 8 | u32(b[at + 3]);
}
bool has_tag_at(ByteView b, size_t at, std::string_view letters) {
  return at + letters.size() <= b.size() && std::equal(letters.begin(), letters.end(), b.begin() + std::ptrdiff_t(at));
}

// ---- .vag -----------------------------------------------------------------------------------------------------------

/// Source: psx-spx, CDROM File Audio: VAG files.
constexpr size_t k_vag_header = 48;

/// Whether a block is silent, as usual after a sound that does not loop.
bool is_silent(ByteView block) {
  const auto all = [&](u8 digits) { return std::ranges::all_of(block.subspan(2), [=](u8 b) { return b == digits; }); };
  return all(0) || all(0x77);
}

/// Whether a sound loops: the flags of the first block that ends it decide. A silent block after the first one that
/// repeats only itself ends a sound without a loop. `told` overrides this and changes the flags of that block; if no
/// block ends the sound, the last one gets the flag.
bool apply_loop_flags(Bytes& blocks, std::optional<bool> told) {
  using adpcm::k_block_bytes, adpcm::k_end, adpcm::k_repeat, adpcm::k_loop_start;
  if (blocks.empty()) return told.value_or(false);
  const auto flags = [&](size_t block) -> u8& { return blocks[block * k_block_bytes + 1]; };
  const size_t last = blocks.size() / k_block_bytes - 1;
  size_t end = 0;
  while (end < last && !(flags(end) & k_end)) ++end;
  constexpr u8 k_loop = k_end | k_repeat;
  const bool any_end = flags(end) & k_end;
  bool loops = (flags(end) & k_loop) == k_loop;
  if (loops && end > 0 && (flags(end) & k_loop_start) &&
      is_silent(ByteView(blocks).subspan(end * k_block_bytes, k_block_bytes)))
    --end, loops = false;
  const bool is_looping = told.value_or(loops);
  if (is_looping != loops || !any_end) flags(end) = u8((flags(end) & ~k_loop) | (is_looping ? k_loop : k_end));
  return is_looping;
}

Result<ConsoleSound> parse_vag(ByteView file, const SoundOptions& options) {
  if (file.size() < k_vag_header)
    return refuse(sound_error({.expected = "a header of 48 bytes", .found = text(file.size(), " bytes")}));
  const u32 size = read_be32(file, 12), rate = read_be32(file, 16);
  const ByteView rest = file.subspan(k_vag_header);
  if (size > rest.size())
    return refuse(sound_error(
        {.expected = text("at most ", format_count(rest.size(), "byte"), " of blocks"), .found = text(size)}));
  if (rate < 1 || rate > 65535)
    return refuse(sound_error({.expected = "a rate of 1 to 65535 Hz", .found = text(rate, " Hz")}));
  if (size > k_spu_memory) return refuse_too_long(format_count(size, "byte"));
  const ByteView blocks = rest.first(size / adpcm::k_block_bytes * adpcm::k_block_bytes);
  ConsoleSound out{options.rate ? options.rate : u16(rate), false, Bytes(blocks.begin(), blocks.end())};
  out.is_looping = apply_loop_flags(out.samples, options.loop);
  return out;
}

// ---- .wav -----------------------------------------------------------------------------------------------------------

struct Wave {
  u32 rate = 0;
  std::vector<f64> samples;  // -1 to 1
  bool is_looping = false;
};

/// The format of samples: the chunk `fmt `.
struct WaveFormat {
  u32 code = 0, channels = 0, rate = 0, bits = 0;
  static constexpr u32 k_whole = 1, k_float = 3, k_extensible = 0xFFFE;
  bool is_known() const {
    if (channels < 1 || channels > 8 || rate < 1000 || rate > 400000) return false;
    return (code == k_whole && (bits == 8 || bits == 16 || bits == 24 || bits == 32)) ||
           (code == k_float && bits == 32);
  }
  f64 read_sample(ByteView b, size_t at) const {
    const u32 n = read_le(b, at, bits / 8);
    if (code == k_float) {
      const f32 x = std::bit_cast<f32>(n);
      return std::isfinite(x) ? std::clamp(f64(x), -1.0, 1.0) : 0;
    }
    if (bits == 8) return (f64(n) - 128) / 128;  // alone without a sign
    return f64(i32(n << (32 - bits))) / 2147483648.0;
  }
};

Result<Wave> parse_wav(ByteView file, u32 rate_told) {
  WaveFormat format;
  Wave out;
  ByteView samples;
  bool any_samples = false;
  for (size_t at = 12; at + 8 <= file.size();) {
    const u64 size = std::min<u64>(read_le(file, at + 4, 4), file.size() - at - 8);
    const ByteView content = file.subspan(at + 8, size_t(size));
    if (has_tag_at(file, at, "fmt ") && size >= 16) {
      format = {read_le(content, 0, 2), read_le(content, 2, 2), read_le(content, 4, 4), read_le(content, 14, 2)};
      if (format.code == WaveFormat::k_extensible && size >= 26) format.code = read_le(content, 24, 2);
    } else if (has_tag_at(file, at, "data") && !any_samples) {
      samples = content;
      any_samples = true;
    } else if (has_tag_at(file, at, "smpl") && size >= 36) {
      out.is_looping = read_le(content, 28, 4) != 0;  // how many loops there are
    }
    at += 8 + size_t(size) + size_t(size & 1);
  }
  if (!any_samples) return refuse(sound_error({.expected = "a data chunk with samples", .found = "none"}));
  if (!format.is_known())
    return refuse(sound_error(
        {.expected = "integers of 8, 16, 24 or 32 bits or 32-bit floats, 1 to 8 channels, 1000 to 400000 Hz",
         .found = text("format ", format.code, " with ", format_count(format.bits, "bit"), ", ",
                       format_count(format.channels, "channel"), ", ", format.rate, " Hz")}));
  const size_t frame = format.channels * format.bits / 8;
  const u64 count = samples.size() / frame;
  const f64 rate = rate_told ? rate_told : std::min(format.rate, k_highest_rate);
  if (f64(count) * rate / format.rate > f64(k_most_samples))
    return refuse_too_long(text(format_count(count, "sample"), " at ", format.rate, " Hz"));
  out.rate = format.rate;
  out.samples.reserve(size_t(count));
  for (size_t i = 0; i < count; ++i) {
    f64 sum = 0;
    for (u32 c = 0; c < format.channels; ++c) sum += format.read_sample(samples, i * frame + c * format.bits / 8);
    out.samples.push_back(sum / format.channels);
  }
  return out;
}

/// How a loop fills whole blocks, because the console continues from the last block to the first.
struct LoopFit {
  u64 turns = 0, samples = 0;
};
/// The fewest repetitions that fill the blocks with hardly any change of the rate (28 always do if there is no other
/// rate), without exceeding the rate of the SPU.
LoopFit fit_loop_to_blocks(size_t count, u32 from, u32 to) {
  constexpr u64 k_most_turns = adpcm::k_block_samples;
  constexpr f64 k_most_stretch = 0.01;
  const u64 highest = std::max(to, k_highest_rate);
  LoopFit best;
  f64 least = HUGE_VAL;
  for (u64 turns = 1; least > k_most_stretch && (turns <= k_most_turns || best.turns == 0); ++turns) {
    const u64 length = count * turns;
    const f64 wanted = f64(length) * to / from;
    const u64 nearest = std::max<u64>(1, u64(wanted / adpcm::k_block_samples + 0.5));
    const u64 samples = std::min(nearest, length * highest / from / adpcm::k_block_samples) * adpcm::k_block_samples;
    const f64 stretch = std::fabs(f64(samples) / wanted - 1);
    if (samples == 0 || stretch >= least) continue;
    best = {turns, samples};
    least = stretch;
  }
  return best;
}

/// A loop with a few samples more or less, by polynomials through the four samples to each side: no tone is lost,
/// unlike with averages.
std::vector<f64> resample_loop(const std::vector<f64>& in, size_t count, f64 step) {
  constexpr i64 k_side = 4;
  std::vector<f64> out(count);
  for (size_t i = 0; i < count; ++i) {
    const f64 x = f64(i) * step;
    const size_t before = size_t(x);
    const f64 t = x - f64(before);
    for (i64 k = 1 - k_side; k <= k_side; ++k) {
      f64 weight = 1;
      for (i64 j = 1 - k_side; j <= k_side; ++j)
        if (j != k) weight *= (t - f64(j)) / f64(k - j);
      out[i] += weight * in[(before + k_side * (in.size() - 1) + size_t(k + k_side)) % in.size()];
    }
  }
  return out;
}

/// Resamples to another rate: each sample is the mean of the time that it covers, with linear interpolation between
/// samples. A loop continues at its start.
std::vector<f64> resample_by_averaging(const std::vector<f64>& in, size_t count, f64 step, bool is_looping) {
  const size_t n = in.size();
  const auto next = [&](size_t i) { return i + 1 < n ? in[i + 1] : is_looping ? in.front() : in.back(); };
  // The area below the lines, up to each sample and to the end; `integral_to(x)` between them.
  std::vector<f64> sums(n + 1);
  for (size_t i = 0; i < n; ++i) sums[i + 1] = sums[i] + (in[i] + next(i)) / 2;
  const auto integral_to = [&](f64 x) {
    const f64 turns = is_looping ? std::floor(x / f64(n)) : 0;
    x -= turns * f64(n);
    if (x <= 0) return turns * sums[n] + x * in.front();
    if (x >= f64(n)) return (turns * sums[n] + sums[n]) + (x - f64(n)) * in.back();
    const size_t i = size_t(x);
    const f64 t = x - f64(i);
    return turns * sums[n] + sums[i] + t * in[i] + t * t / 2 * (next(i) - in[i]);
  };
  const f64 width = std::max(step, 1.0);
  std::vector<f64> out(count);
  for (size_t i = 0; i < count; ++i) {
    const f64 x = f64(i) * step;
    out[i] = (integral_to(x + width / 2) - integral_to(x - width / 2)) / width;
  }
  return out;
}

}  // namespace

Result<ConsoleSound> convert_to_console_sound(ByteView file, const SoundOptions& options) {
  if (has_tag_at(file, 0, "VAGp")) return parse_vag(file, options);
  if (!has_tag_at(file, 0, "RIFF") || !has_tag_at(file, 8, "WAVE"))
    return refuse(sound_error({.expected = "a .wav or .vag file", .found = "another format"}));
  auto wave = parse_wav(file, options.rate);
  if (!wave) return refuse(std::move(wave.error()));
  const u32 rate = options.rate ? options.rate : std::min(wave->rate, k_highest_rate);
  ConsoleSound out{u16(rate), options.loop.value_or(wave->is_looping), {}};
  const std::vector<f64>& in = wave->samples;
  std::vector<f64> heard;
  if (out.is_looping && !in.empty()) {
    const LoopFit fit = fit_loop_to_blocks(in.size(), wave->rate, rate);
    const f64 step = f64(in.size() * fit.turns) / f64(fit.samples);
    heard =
        rate == wave->rate ? resample_loop(in, fit.samples, step) : resample_by_averaging(in, fit.samples, step, true);
    // The rate follows the number of samples, so that the duration stays the same.
    out.rate = u16(std::floor(wave->rate / step + 0.5));
  } else if (!in.empty() && rate != wave->rate) {
    const f64 step = f64(wave->rate) / rate;
    heard = resample_by_averaging(in, size_t(std::ceil(f64(in.size()) / step)), step, false);
  } else {
    heard = in;
  }
  std::vector<i16> samples;
  samples.reserve(heard.size());
  for (const f64 x : heard) samples.push_back(i16(std::clamp(std::floor(x * 32768 + 0.5), -32768.0, 32767.0)));
  out.samples = adpcm::encode_adpcm(samples, out.is_looping);
  return out;
}

}  // namespace dio::splashpack
