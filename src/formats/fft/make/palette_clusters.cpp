#include "formats/fft/make/palette_clusters.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>

#include "console/psx/color.hpp"
#include "console/psx/palette_sharing.hpp"
#include "scene/quantize.hpp"

namespace dio::fft {

namespace {

constexpr u16 k_half_transparent = psx::k_semi_transparent;

scene::Rgb shown(u16 word) {
  const auto c = psx::rgb555_to_rgb(word & 0x7FFF);
  return {c[0], c[1], c[2]};
}

u32 distance(u16 a, u16 b) { return scene::difference(scene::to_oklab(shown(a)), scene::to_oklab(shown(b))); }

std::vector<u16> words_of(const ColorHistogram& h) {
  std::vector<u16> out;
  for (const auto& c : h.colors) out.push_back(c.word);
  return out;
}

/// A palette for these colours, all with or all without half-transparency.
std::vector<u16> quantize_words(const std::map<u16, u64>& counts, size_t most) {
  std::vector<scene::WeightedColor> colors;
  bool is_half = false;
  for (const auto& [word, pixels] : counts) {
    is_half |= (word & k_half_transparent) != 0;
    colors.push_back({shown(word), u32(std::min<u64>(pixels, 1u << 24))});
  }
  std::vector<u16> out;
  for (const scene::Rgb& c : scene::quantize(colors, {.most_colors = u32(most), .levels = psx::k_levels})) {
    u16 word = psx::word_of(c);
    if (word == psx::k_clear) word = k_darkest;
    out.push_back(is_half ? word | k_half_transparent : word);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

u64 error_of(const ColorHistogram& h, const std::vector<u16>& palette) {
  u64 sum = 0;
  for (const auto& c : h.colors) sum += u64(distance(c.word, palette[nearest_entry(palette, c.word)])) * c.pixels;
  return sum;
}

/// K-means: pictures to the palettes that show them best, palettes from the colours of their pictures.
PaletteClusters cluster_pictures(std::span<const ColorHistogram> pictures, std::span<const size_t> members,
                                 size_t most_palettes, size_t most_colors) {
  PaletteClusters out;
  out.palette_of.assign(members.size(), 0);
  const auto make_palette = [&](size_t cluster) {
    std::map<u16, u64> counts;
    for (size_t i = 0; i < members.size(); ++i)
      if (out.palette_of[i] == cluster)
        for (const auto& c : pictures[members[i]].colors) counts[c.word] += c.pixels;
    return quantize_words(counts, most_colors);
  };
  const auto assign = [&] {
    bool any = false;
    for (size_t i = 0; i < members.size(); ++i) {
      size_t best = 0;
      u64 least = ~u64(0);
      for (size_t p = 0; p < out.palettes.size(); ++p) {
        if (out.palettes[p].empty()) continue;
        const u64 error = error_of(pictures[members[i]], out.palettes[p]);
        if (error < least) least = error, best = p;
      }
      any |= out.palette_of[i] != best;
      out.palette_of[i] = best;
    }
    return any;
  };
  // Farthest first: each new palette is that of the picture which the palettes so far show worst.
  out.palettes.push_back(make_palette(0));
  while (out.palettes.size() < most_palettes && out.palettes.size() < members.size()) {
    size_t worst = members.size();
    u64 most = 0;
    for (size_t i = 0; i < members.size(); ++i)
      if (const u64 error = error_of(pictures[members[i]], out.palettes[out.palette_of[i]]); error > most)
        most = error, worst = i;
    if (worst == members.size()) break;
    out.palette_of[worst] = out.palettes.size();
    out.palettes.push_back(make_palette(out.palettes.size()));
    assign();
  }
  constexpr int k_rounds = 12;
  for (int round = 0; round < k_rounds; ++round) {
    for (size_t p = 0; p < out.palettes.size(); ++p) {
      auto palette = make_palette(p);
      if (!palette.empty()) out.palettes[p] = std::move(palette);
    }
    if (!assign()) break;
  }
  return out;
}

void measure(PaletteClusters& out, std::span<const ColorHistogram> pictures) {
  f64 sum = 0;
  for (size_t i = 0; i < pictures.size(); ++i)
    for (const auto& c : pictures[i].colors) {
      out.pixels += c.pixels;
      const auto& palette = out.palettes[out.palette_of[i]];
      const u16 is = palette[nearest_entry(palette, c.word)];
      if (is == c.word) continue;
      out.changed_pixels += c.pixels;
      const scene::Rgb a = shown(c.word), b = shown(is);
      for (size_t k = 0; k < 3; ++k) sum += f64(std::abs(int(a[k]) - int(b[k]))) * c.pixels;
    }
  out.mean_error = out.pixels ? sum / (3.0 * f64(out.pixels)) : 0;
}

/// Palettes that pictures share without a change; nothing if there are too many.
std::optional<PaletteClusters> share(const std::vector<std::vector<u16>>& sets, size_t most_palettes,
                                     size_t most_colors) {
  if (std::ranges::any_of(sets, [&](const auto& s) { return s.size() > most_colors; })) return {};
  const psx::SharedPalettes shared = psx::share_palettes(sets, most_colors);
  if (shared.palettes.size() > most_palettes) return {};
  PaletteClusters out;
  out.palettes = shared.palettes;
  out.palette_of = shared.palette_of;
  return out;
}

}  // namespace

size_t nearest_entry(std::span<const u16> palette, u16 word) {
  size_t best = 0;
  u64 least = ~u64(0);
  for (size_t i = 0; i < palette.size(); ++i) {
    constexpr u64 k_other_kind = u64(1) << 40;
    const u64 away = distance(palette[i], word) + ((palette[i] ^ word) & k_half_transparent ? k_other_kind : 0);
    if (away < least) least = away, best = i;
  }
  return best;
}

PaletteClusters cluster_palettes(std::span<const ColorHistogram> pictures, size_t most_palettes, size_t most_colors) {
  std::vector<std::vector<u16>> sets;
  for (const ColorHistogram& h : pictures) sets.push_back(words_of(h));
  auto out = share(sets, most_palettes, most_colors);
  if (!out) {
    for (size_t i = 0; i < sets.size(); ++i) {
      if (sets[i].size() <= most_colors) continue;
      std::map<u16, u64> counts;
      for (const auto& c : pictures[i].colors) counts[c.word] += c.pixels;
      sets[i] = quantize_words(counts, most_colors);
    }
    out = share(sets, most_palettes, most_colors);
  }
  if (!out) {
    // Opaque and half-transparent pictures never share a palette: it would lose one of the two.
    std::array<std::vector<size_t>, 2> members;
    std::array<u64, 2> pixels{};
    for (size_t i = 0; i < pictures.size(); ++i) {
      const bool is_half = !pictures[i].colors.empty() && (pictures[i].colors.back().word & k_half_transparent);
      members[is_half].push_back(i);
      for (const auto& c : pictures[i].colors) pixels[is_half] += c.pixels;
    }
    const size_t for_half =
        members[1].empty()
            ? 0
            : std::clamp<size_t>(size_t(most_palettes * pixels[1] / std::max<u64>(1, pixels[0] + pixels[1])), 1,
                                 most_palettes - !members[0].empty());
    out.emplace();
    out->palette_of.resize(pictures.size());
    for (const size_t half : {size_t(0), size_t(1)}) {
      if (members[half].empty()) continue;
      PaletteClusters some =
          cluster_pictures(pictures, members[half], half ? for_half : most_palettes - for_half, most_colors);
      const size_t first = out->palettes.size();
      for (auto& p : some.palettes) out->palettes.push_back(std::move(p));
      for (size_t i = 0; i < members[half].size(); ++i) out->palette_of[members[half][i]] = first + some.palette_of[i];
    }
  }
  for (auto& p : out->palettes)
    if (p.empty()) p.push_back(k_darkest);
  measure(*out, pictures);
  return *std::move(out);
}

}  // namespace dio::fft
