#include "console/wii/cmpr.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "console/wii/texels.hpp"

namespace dio::wii {

namespace {

using scene::Rgba;
using Color = std::array<f32, 3>;

constexpr u8 k_opaque = 128;
constexpr std::array<u32, 3> k_most = {31, 63, 31}, k_shift = {11, 5, 0};  // of red, green and blue in 565

u32 channel(u16 color, size_t i) { return color >> k_shift[i] & k_most[i]; }
u16 to_rgb565(const Color& c) {
  u32 out = 0;
  for (size_t i = 0; i < 3; ++i) out |= u32(std::clamp(c[i], 0.0f, 255.0f) * f32(k_most[i]) / 255 + 0.5f) << k_shift[i];
  return u16(out);
}

/// Sixteen pixels, and the best block so far.
class BlockFitter {
 public:
  explicit BlockFitter(const std::array<Rgba, 16>& pixels) : pixels_(pixels) {
    for (size_t i = 0; i < 16; ++i)
      if (pixels[i][3] >= k_opaque) opaque_.push_back(u32(i));
    for (const u32 i : opaque_)
      for (size_t c = 0; c < 3; ++c) mean_[c] += f32(pixels_[i][c]) / f32(opaque_.size());
  }

  std::array<u8, 8> run() {
    if (opaque_.empty()) {
      try_endpoints(0, 0);
      return best_;
    }
    const Color axis = find_principal_axis();
    f32 least = 1e9f, most = -1e9f;
    for (const u32 i : opaque_) {
      f32 along = 0;
      for (size_t c = 0; c < 3; ++c) along += (f32(pixels_[i][c]) - mean_[c]) * axis[c];
      least = std::min(least, along), most = std::max(most, along);
    }
    Color from = mean_, to = mean_;
    for (size_t c = 0; c < 3; ++c) from[c] += least * axis[c], to[c] += most * axis[c];
    try_both_orders(to_rgb565(from), to_rgb565(to));
    try_pairs_of_colors();
    refine_by_least_squares();
    refine_by_steps();
    return best_;
  }

 private:
  /// By power iteration on the covariance matrix.
  Color find_principal_axis() const {
    std::array<std::array<f32, 3>, 3> m{};
    for (const u32 i : opaque_)
      for (size_t a = 0; a < 3; ++a)
        for (size_t b = 0; b < 3; ++b) m[a][b] += (f32(pixels_[i][a]) - mean_[a]) * (f32(pixels_[i][b]) - mean_[b]);
    Color axis{0.577f, 0.577f, 0.577f};
    for (size_t a = 0; a < 3; ++a)  // a start that is not perpendicular to the axis
      if (m[a][a] >= m[0][0] && m[a][a] >= m[1][1] && m[a][a] >= m[2][2]) axis = {m[a][0], m[a][1], m[a][2]};
    for (int round = 0; round < 8; ++round) {
      Color next{};
      f32 most = 0;
      for (size_t a = 0; a < 3; ++a) {
        for (size_t b = 0; b < 3; ++b) next[a] += m[a][b] * axis[b];
        most = std::max({most, next[a], -next[a]});
      }
      if (most == 0) break;
      for (size_t a = 0; a < 3; ++a) axis[a] = next[a] / most;
    }
    const f32 square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    if (square == 0) return {0, 0, 0};
    const f32 length = std::sqrt(square);
    return {axis[0] / length, axis[1] / length, axis[2] / length};
  }

  /// Endpoints in both orders: four colours, or three colours and transparency.
  bool try_both_orders(u16 a, u16 b) {
    const bool has_clear = opaque_.size() < 16;
    bool better = try_endpoints(std::min(a, b), std::max(a, b));
    if (!has_clear && a != b) better |= try_endpoints(std::max(a, b), std::min(a, b));
    return better;
  }
  bool try_endpoints(u16 a, u16 b) {
    std::array<u8, 8> made{u8(a >> 8), u8(a), u8(b >> 8), u8(b)};
    const auto shown = decode_cmpr_colors(made.data());
    u64 error = 0;
    std::array<u8, 16> indices{};
    indices.fill(3);
    for (const u32 i : opaque_) {
      u32 nearest = ~0u;
      for (u8 k = 0; k < 4; ++k) {
        if (!shown[k][3]) continue;
        u32 d = 0;
        for (size_t c = 0; c < 3; ++c)
          d += u32((i32(shown[k][c]) - pixels_[i][c]) * (i32(shown[k][c]) - pixels_[i][c]));
        if (d < nearest) nearest = d, indices[i] = k;
      }
      error += nearest;
      if (error >= least_) return false;
    }
    least_ = error;
    for (size_t i = 0; i < 16; ++i) made[4 + i / 4] = u8(made[4 + i / 4] | indices[i] << (6 - i % 4 * 2));
    best_ = made, indices_ = indices, shown_ = shown, a_ = a, b_ = b;
    return true;
  }

  /// Pictures with few colours: two of those as the endpoints.
  void try_pairs_of_colors() {
    constexpr size_t k_few = 4;
    std::vector<u16> colors;
    for (const u32 i : opaque_)
      colors.push_back(to_rgb565(Color{f32(pixels_[i][0]), f32(pixels_[i][1]), f32(pixels_[i][2])}));
    std::ranges::sort(colors);
    colors.erase(std::unique(colors.begin(), colors.end()), colors.end());
    if (colors.size() > k_few) return;
    for (size_t i = 0; i < colors.size(); ++i)
      for (size_t k = 0; k <= i; ++k) try_both_orders(colors[i], colors[k]);
  }

  /// The best endpoints for the chosen indices, as long as they help.
  void refine_by_least_squares() {
    for (int round = 0; round < 4 && least_; ++round) {
      // How much of the second endpoint each index has.
      const std::array<f32, 4> share =
          a_ > b_ ? std::array<f32, 4>{0, 1, 0.375f, 0.625f} : std::array<f32, 4>{0, 1, 0.5f, 0};
      f32 aa = 0, ab = 0, bb = 0;
      Color a{}, b{};
      for (const u32 i : opaque_) {
        const f32 second = share[indices_[i]], first = 1 - second;
        aa += first * first, ab += first * second, bb += second * second;
        for (size_t c = 0; c < 3; ++c) a[c] += first * f32(pixels_[i][c]), b[c] += second * f32(pixels_[i][c]);
      }
      const f32 determinant = aa * bb - ab * ab;
      if (determinant < 1e-4f) return;
      Color from, to;
      for (size_t c = 0; c < 3; ++c) {
        from[c] = (a[c] * bb - b[c] * ab) / determinant;
        to[c] = (b[c] * aa - a[c] * ab) / determinant;
      }
      if (!try_both_orders(to_rgb565(from), to_rgb565(to))) return;
    }
  }
  /// Moves each channel of each endpoint by one step.
  void refine_by_steps() {
    for (int round = 0; round < 3 && least_; ++round) {
      bool better = false;
      for (const bool second : {false, true})
        for (size_t c = 0; c < 3; ++c)
          for (const i32 step : {-1, 1}) {
            const u16 from = second ? b_ : a_;
            const i32 now = i32(channel(from, c)) + step;
            if (now < 0 || now > i32(k_most[c])) continue;
            const u16 moved = u16((from & ~(k_most[c] << k_shift[c])) | u32(now) << k_shift[c]);
            better |= second ? try_both_orders(a_, moved) : try_both_orders(moved, b_);
          }
      if (!better) return;
    }
  }

  const std::array<Rgba, 16>& pixels_;
  std::vector<u32> opaque_;
  Color mean_{};
  u64 least_ = ~u64(0);
  std::array<u8, 8> best_{};
  std::array<u8, 16> indices_{};
  std::array<Rgba, 4> shown_{};
  u16 a_ = 0, b_ = 0;
};

}  // namespace

void encode_cmpr_block(const std::array<Rgba, 16>& pixels, u8* to) {
  const std::array<u8, 8> made = BlockFitter(pixels).run();
  std::copy(made.begin(), made.end(), to);
}

}  // namespace dio::wii
