#include "console/ds/texel_blocks.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "scene/quantize.hpp"

namespace dio::ds {
namespace {

using scene::OklabColor;

constexpr u64 k_no_limit = std::numeric_limits<u64>::max();
// The price of two more colours in the palette: half a step of five-bit brightness for each of 16 pixels.
constexpr u64 k_price_of_pair = 16 * 64 * 64;
constexpr size_t k_most_tried = 256;    // the newest palette pairs, which are tried for each block
constexpr u32 k_most_price_steps = 60;  // four steps for each doubling; after that, the price exceeds every error
constexpr int k_most_steps = 8;         // for refining the ends of a mixed pair
constexpr BlockMode k_modes[] = {BlockMode::three_and_clear, BlockMode::mixed_and_clear, BlockMode::four,
                                 BlockMode::two_mixed};

bool is_mixed_mode(BlockMode mode) { return mode == BlockMode::mixed_and_clear || mode == BlockMode::two_mixed; }
bool has_clear_color(BlockMode mode) {
  return mode == BlockMode::three_and_clear || mode == BlockMode::mixed_and_clear;
}
size_t displayed_color_count(BlockMode mode) { return has_clear_color(mode) ? 3 : 4; }
size_t stored_color_count(BlockMode mode) { return is_mixed_mode(mode) ? 2 : 4; }

OklabColor to_oklab(u16 color) {
  static const std::vector<OklabColor> k_all = [] {  // blocks are tried with thousands of colours
    std::vector<OklabColor> all(1u << 15);
    for (u16 i = 0; i < all.size(); ++i) all[i] = scene::to_oklab(rgb555_to_rgb(i));
    return all;
  }();
  return k_all[color & 0x7fff];
}

using Stored = std::array<u16, 4>;

/// The colours of a block, each once, and the index of each pixel's colour.
struct Pixels {
  std::vector<scene::WeightedColor> colors;
  std::vector<u16> values;            // the same as 15 bits
  std::vector<OklabColor> looks;      // perceptual colours
  std::array<i8, 16> color_of_pixel;  // -1: clear
  bool has_clear = false;
};

Pixels collect_block_pixels(const BlockTask& task, size_t block) {
  Pixels found;
  const size_t columns = task.width / 4, corner = block / columns * 4 * task.width + block % columns * 4;
  for (size_t i = 0; i < 16; ++i) {
    const u32 pixel = task.pixels[corner + i / 4 * task.width + i % 4];
    if (pixel >> 16 < 16) {
      found.color_of_pixel[i] = -1;
      found.has_clear = true;
      continue;
    }
    const u16 color = pixel & 0x7fff;
    const size_t at = size_t(std::find(found.values.begin(), found.values.end(), color) - found.values.begin());
    if (at == found.values.size()) {
      found.values.push_back(color);
      found.looks.push_back(to_oklab(color));
      found.colors.push_back({rgb555_to_rgb(color), 0});
    }
    ++found.colors[at].weight;
    found.color_of_pixel[i] = i8(at);
  }
  return found;
}

/// The four colours of a mode, as perceptual colours.
struct BlockPalette {
  std::array<OklabColor, 4> looks;
  size_t count;
  BlockPalette(BlockMode mode, const Stored& stored) : count(displayed_color_count(mode)) {
    const auto colors = expand_mode_colors(mode, stored);
    std::transform(colors.begin(), colors.end(), looks.begin(), to_oklab);
  }
  struct Match {
    u32 index, difference;
  };
  Match find_nearest(const OklabColor& look) const {
    Match best{0, scene::difference(look, looks[0])};
    for (u32 i = 1; i < count; ++i)
      if (const u32 far = scene::difference(look, looks[i]); far < best.difference) best = {i, far};
    return best;
  }
};

/// The sum of the differences of all pixels; any number above `limit` if the sum is above it.
u64 compute_block_error(const Pixels& pixels, BlockMode mode, const Stored& stored, u64 limit) {
  const BlockPalette shown(mode, stored);
  u64 sum = 0;
  for (size_t i = 0; i < pixels.looks.size() && sum <= limit; ++i)
    sum += u64(shown.find_nearest(pixels.looks[i]).difference) * pixels.colors[i].weight;
  return sum;
}

struct Candidate {
  BlockMode mode;
  Stored stored;
  u64 error;
};

/// The best two ends for a mixing mode: the best pair of the block's colours, refined step by step.
Candidate find_mixed_candidate(const Pixels& pixels, BlockMode mode) {
  Candidate best{mode, {pixels.values[0], pixels.values[0], 0, 0}, k_no_limit};
  for (const u16 a : pixels.values)
    for (const u16 b : pixels.values) {
      if (b < a) continue;  // the reverse order is equivalent
      const Stored pair{a, b, 0, 0};
      if (const u64 error = compute_block_error(pixels, mode, pair, best.error); error < best.error)
        best = {mode, pair, error};
    }
  for (int step = 0; step < k_most_steps && best.error; ++step) {
    Candidate moved = best;
    for (size_t end = 0; end < 2; ++end)
      for (u32 shift = 0; shift < 15; shift += 5)
        for (const int by : {-1, 1}) {
          const int channel = (best.stored[end] >> shift & 31) + by;
          if (channel < 0 || channel > 31) continue;
          Stored pair = best.stored;
          pair[end] = u16((pair[end] & ~(31u << shift)) | u32(channel) << shift);
          if (const u64 error = compute_block_error(pixels, mode, pair, moved.error); error < moved.error)
            moved = {mode, pair, error};
        }
    if (moved.error == best.error) break;
    best = moved;
  }
  return best;
}

/// The colours that the mode stores, dark ones first, so that blocks with the same colours share them.
Candidate make_plain_candidate(const Pixels& pixels, BlockMode mode) {
  const auto palette =
      scene::quantize(pixels.colors, {.most_colors = u32(displayed_color_count(mode)), .levels = k_levels});
  Stored stored{};
  for (size_t i = 0; i < 4; ++i) stored[i] = word_of(palette[std::min(i, palette.size() - 1)]);
  return {mode, stored, compute_block_error(pixels, mode, stored, k_no_limit)};
}

std::vector<Candidate> make_candidates(const Pixels& pixels) {
  std::vector<Candidate> all;
  if (pixels.values.empty()) return all;
  for (const BlockMode mode : k_modes) {
    if (pixels.has_clear != has_clear_color(mode) && mode != BlockMode::mixed_and_clear) continue;
    all.push_back(is_mixed_mode(mode) ? find_mixed_candidate(pixels, mode) : make_plain_candidate(pixels, mode));
  }
  return all;
}

// ---- the palette ----------------------------------------------------------------------------------------------------

/// Positions count pairs of colours.
class Pairs {
 public:
  Pairs(std::span<const u16> colors, size_t most) : most_(most) {
    for (size_t i = 0; i + 1 < colors.size(); i += 2) append(colors[i], colors[i + 1]);
    most_ = std::max(most_, count());
  }
  size_t count() const { return colors_.size() / 2; }
  bool has_capacity(size_t pairs) const { return count() + pairs <= most_; }

  std::optional<u16> find(BlockMode mode, const Stored& s) const {
    if (is_mixed_mode(mode)) {
      for (const u64 key : {pair_key(s[0], s[1]), pair_key(s[1], s[0])})
        if (const auto found = pairs_.find(key); found != pairs_.end()) return found->second;
      return std::nullopt;
    }
    const auto found = quads_.find(pair_key(s[0], s[1]) << 32 | pair_key(s[2], s[3]));
    return found == quads_.end() ? std::nullopt : std::optional(found->second);
  }
  u16 add(BlockMode mode, const Stored& s) {
    const u16 place = u16(count());
    append(s[0], s[1]);
    if (!is_mixed_mode(mode)) append(s[2], s[3]);
    return place;
  }
  Stored at(size_t place) const {
    const size_t i = 2 * place;
    const bool four = i + 4 <= colors_.size();
    return {colors_[i], colors_[i + 1], four ? colors_[i + 2] : u16(0), four ? colors_[i + 3] : u16(0)};
  }
  /// Whether all colours that a mode reads are present.
  bool is_readable_at(BlockMode mode, size_t place) const { return place + stored_color_count(mode) / 2 <= count(); }
  std::vector<u16> colors() const { return colors_; }

 private:
  static u64 pair_key(u16 a, u16 b) { return u64(a & 0x7fff) << 16 | (b & 0x7fff); }
  void append(u16 a, u16 b) {
    const u16 place = u16(count());
    colors_.insert(colors_.end(), {a, b});
    pairs_.try_emplace(pair_key(a, b), place);
    if (place) {
      const u16* last = colors_.data() + 2 * (place - 1);
      quads_.try_emplace(pair_key(last[0], last[1]) << 32 | pair_key(a, b), u16(place - 1));
    }
  }

  size_t most_;
  std::vector<u16> colors_;
  std::unordered_map<u64, u16> pairs_, quads_;
};

struct Choice {
  BlockMode mode = BlockMode::three_and_clear;
  u16 place = 0;
};

/// The best palette position from `first` on; `error` is the error to beat.
std::optional<Choice> search_palette(const Pixels& pixels, const Pairs& pairs, size_t first, u64& error) {
  std::optional<Choice> best;
  for (size_t place = first; place < pairs.count() && error; ++place)
    for (const BlockMode mode : k_modes) {
      if ((pixels.has_clear && !has_clear_color(mode)) || !pairs.is_readable_at(mode, place)) continue;
      if (const u64 found = compute_block_error(pixels, mode, pairs.at(place), error - 1); found < error) {
        error = found;
        best = Choice{mode, u16(place)};
      }
    }
  return best;
}

/// Chooses the mode and colours of a block. An exact choice wins if there is one; otherwise two more colours in the
/// palette must be worth their price. Sets `lacks_room` if a full palette made the choice worse.
Choice choose_block_colors(const Pixels& pixels, std::span<const Candidate> candidates, Pairs& pairs, u64 price,
                           bool& lacks_room) {
  if (pixels.values.empty()) return {};
  const bool exact = price == k_price_of_pair &&
                     std::any_of(candidates.begin(), candidates.end(), [](auto& c) { return c.error == 0; });
  const Candidate* best = nullptr;
  u64 least = k_no_limit, least_without_room = k_no_limit;
  for (const Candidate& candidate : candidates) {
    if (exact && candidate.error) continue;
    const bool found = pairs.find(candidate.mode, candidate.stored).has_value();
    const size_t more = found ? 0 : stored_color_count(candidate.mode) / 2;
    const u64 cost = candidate.error + price * more;
    if (!pairs.has_capacity(more)) {
      least_without_room = std::min(least_without_room, cost);
    } else if (cost < least) {
      least = cost;
      best = &candidate;
    }
  }
  // Colours of other blocks may be as good. If no colours can be added, all of them are tried.
  const size_t first = best && pairs.count() > k_most_tried ? pairs.count() - k_most_tried : 0;
  u64 error = exact && best ? std::min<u64>(least, 1) : least;
  const auto shared = search_palette(pixels, pairs, first, error);
  lacks_room |= least_without_room < (shared ? error : least);
  if (shared) return *shared;
  if (const auto place = pairs.find(best->mode, best->stored)) return {best->mode, *place};
  return {best->mode, pairs.add(best->mode, best->stored)};
}

u32 encode_block_texels(const Pixels& pixels, const Choice& choice, const Pairs& pairs) {
  if (pixels.values.empty()) return ~u32(0);
  const BlockPalette shown(choice.mode, pairs.at(choice.place));
  u32 texels = 0;
  for (size_t i = 0; i < 16; ++i) {
    const i8 color = pixels.color_of_pixel[i];
    texels |= (color < 0 ? 3 : shown.find_nearest(pixels.looks[size_t(color)]).index) << (2 * i);
  }
  return texels;
}

bool is_block_unchanged(const BlockTask& task, size_t block) {
  if (task.before.empty()) return false;
  const size_t columns = task.width / 4, corner = block / columns * 4 * task.width + block % columns * 4;
  for (size_t i = 0; i < 16; ++i) {
    const size_t at = corner + i / 4 * task.width + i % 4;
    const u32 now = task.pixels[at], then = task.before[at];
    if (now != then && (now >> 16 || then >> 16)) return false;
  }
  return true;
}

}  // namespace

EncodedBlocks encode_blocks(const BlockTask& task) {
  const size_t count = size_t(task.width) * task.height / 16;
  std::vector<bool> kept(count);
  std::vector<Pixels> pixels(count);
  std::vector<std::vector<Candidate>> candidates(count);
  for (size_t i = 0; i < count; ++i) {
    kept[i] = is_block_unchanged(task, i);
    if (kept[i]) continue;
    pixels[i] = collect_block_pixels(task, i);
    if (!task.palette) candidates[i] = make_candidates(pixels[i]);
  }

  std::span<const u16> start;
  if (task.previous) start = task.previous->palette;
  if (task.palette) start = *task.palette;
  start = start.first(std::min<size_t>(start.size(), k_most_block_colors));
  const size_t most =
      task.most_colors ? std::clamp<size_t>(task.most_colors, 4, k_most_block_colors) : k_most_block_colors;

  // If the palette has no room for all colours at the usual price, searches for a higher price at which few blocks lose
  // colours.
  const auto encode_at_price = [&](u64 price, u64& error, bool& lacks_room) {
    Pairs pairs(start, most / 2);
    EncodedBlocks out;
    for (size_t i = 0; i < count; ++i) {
      if (kept[i]) {
        const auto copy = [i](Bytes& to, ByteView from, size_t size) {
          for (size_t at = i * size; at < (i + 1) * size; ++at) to.push_back(at < from.size() ? from[at] : u8(0));
        };
        copy(out.texels, task.previous->texels, 4);
        copy(out.words, task.previous->blocks, 2);
        continue;
      }
      const Choice choice = choose_block_colors(pixels[i], candidates[i], pairs, price, lacks_room);
      if (!pixels[i].values.empty())
        error += compute_block_error(pixels[i], choice.mode, pairs.at(choice.place), k_no_limit);
      const u32 texels = encode_block_texels(pixels[i], choice, pairs);
      const u16 word = u16(u32(choice.mode) << 14 | choice.place);
      for (u32 shift = 0; shift < 32; shift += 8) out.texels.push_back(u8(texels >> shift));
      out.words.insert(out.words.end(), {u8(word), u8(word >> 8)});
    }
    out.palette = task.palette ? std::vector<u16>(task.palette->begin(), task.palette->end()) : pairs.colors();
    return out;
  };
  EncodedBlocks best;
  u64 least = k_no_limit;
  for (u32 step = 0, low = 0, high = k_most_price_steps; low <= high; step = (low + high) / 2) {
    u64 error = 0;
    bool lacks_room = false;
    EncodedBlocks now = encode_at_price((k_price_of_pair / 4 * (4 + step % 4)) << step / 4, error, lacks_room);
    if (error < least) {
      least = error;
      best = std::move(now);
    }
    if (step == 0 && !lacks_room) break;
    if (lacks_room)
      low = step + 1;
    else
      high = step - 1;
  }
  return best;
}

}  // namespace dio::ds
