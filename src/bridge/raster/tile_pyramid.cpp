#include "bridge/raster/tile_pyramid.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>

namespace dio::raster {

using namespace scene;

namespace {

/// Pixels of a piece drawn at once, along an axis.
constexpr u32 k_piece = 2048;
/// The minimum number of pieces, if the map is large enough, so that all processors stay busy.
constexpr u64 k_fewest_pieces = 32;
/// Levels between a piece and the square of pieces drawn in parallel: their result has at most 2048 x 2048 pixels.
constexpr u32 group_levels(u32 tile) { return tile <= 256 ? 3 : tile == 512 ? 2 : tile == 1024 ? 1 : 0; }

Image clear(u32 side) {
  Image out;
  out.width = out.height = side;
  out.pixels.resize(size_t(side) * side * 4);
  return out;
}

/// Copies a rectangle of `from` with this upper left corner, as far as both extend.
void copy(const Image& from, u32 left, u32 top, Image& to, u32 to_left, u32 to_top) {
  if (left >= from.width || top >= from.height) return;
  const u32 width = std::min(from.width - left, to.width - to_left);
  const u32 height = std::min(from.height - top, to.height - to_top);
  for (u32 y = 0; y < height; ++y)
    std::memcpy(to.pixels.data() + (size_t(to_top + y) * to.width + to_left) * 4,
                from.pixels.data() + (size_t(top + y) * from.width + left) * 4, size_t(width) * 4);
}

bool has_visible_pixels(const Image& image) {
  for (size_t i = 3; i < image.pixels.size(); i += 4)
    if (image.pixels[i]) return true;
  return false;
}

}  // namespace

PyramidShape compute_pyramid_shape(u32 width, u32 height, u32 tile) {
  PyramidShape out;
  out.tile = tile, out.width = width, out.height = height;
  while ((u64(tile) << out.deepest) < std::max(width, height)) ++out.deepest;
  return out;
}

Result<Pyramid> Pyramid::create(const Scene& scene, const RenderOptions& shot, u32 tile) {
  Pyramid out(scene);
  auto frame = prepare_frame(scene, shot);
  if (!frame) return refuse(frame.error());
  out.map_ = std::move(*frame->map);
  out.options_ = std::move(frame->options);
  out.pose_ = std::move(frame->pose);
  out.shape_ = compute_pyramid_shape(out.map_.width, out.map_.height, tile);

  // Geometry outside a piece is skipped when the piece is drawn.
  constexpr f64 k_huge = std::numeric_limits<f64>::max();
  out.extents_.assign(scene.nodes.size(), {k_huge, k_huge, -k_huge, -k_huge});
  const f64 reach = f64(std::max(out.options_.line_width, out.options_.point_size)) + 1;
  const f64 ppu = out.map_.pixels_per_unit;
  for_each_world_position(scene, out.pose_, [&](size_t node, const Point& p) {
    Extent& e = out.extents_[node];
    const f64 x = (p[0] - out.map_.west) * ppu, y = (p[2] - out.map_.north) * ppu;
    e.left = std::min(e.left, x - reach), e.right = std::max(e.right, x + reach);
    e.top = std::min(e.top, y - reach), e.bottom = std::max(e.bottom, y + reach);
  });
  return out;
}

Result<Image> Pyramid::render_window(const Window& w) const {
  Pose pose = pose_;
  std::vector<u8> used(pose.materials.size(), 0);
  bool any = false;
  for (size_t n = 0; n < scene_->nodes.size(); ++n) {
    const Extent& e = extents_[n];
    const Node& node = scene_->nodes[n];
    if (!pose.visible[n] || node.mesh == k_none) continue;
    if (node.light == k_none)  // a light also affects other nodes
      pose.visible[n] =
          e.right >= w.left && e.bottom >= w.top && e.left <= f64(w.left) + w.width && e.top <= f64(w.top) + w.height;
    if (!pose.visible[n]) continue;
    any = true;
    for (const Primitive& p : scene_->meshes[node.mesh].primitives) {
      if (p.material != k_none) used[p.material] = 1;
      for (const Primitive::VariantMapping& v : p.in_variants)
        if (v.material != k_none) used[v.material] = 1;
    }
  }
  if (!any && options_.background[3] == 0) return Image{};
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i]) pose.materials[i].texture = k_none;  // is not unpacked
  Options options = options_;
  options.window = w;
  options.each = {};  // pieces are drawn in parallel
  return render(*scene_, pose, map_.view, options);
}

/// One run: pieces of the deepest level and their upper levels.
class Pyramid::Drawing {
 public:
  Drawing(const Pyramid& of, const TileSink& give, const std::function<void(size_t, size_t)>& done)
      : of_(of), shape_(of.shape_), give_(give), done_(done) {
    // A piece is 2^depth_ tiles wide.
    while (depth_ < shape_.deepest && (shape_.tile << (depth_ + 1)) <= k_piece) ++depth_;
    while (depth_ > 0 && pieces() < k_fewest_pieces) --depth_;
  }

  Result<bool> run() {
    draw_tile_subtree(0, 0, 0);
    if (problem_) return refuse(std::move(*problem_));
    return !stopped_;
  }

 private:
  u32 piece_level() const { return shape_.deepest - depth_; }
  u64 pieces() const { return u64(shape_.across(piece_level())) * shape_.down(piece_level()); }

  /// Draws a tile and all tiles below it. Empty if there is nothing to see.
  Image draw_tile_subtree(u32 level, u32 x, u32 y) {
    if (piece_level() - level <= group_levels(shape_.tile)) return draw_piece_group(level, x, y);
    std::array<Image, 4> four;
    for (u32 i = 0; i < 4; ++i)
      if (const u32 cx = x * 2 + i % 2, cy = y * 2 + i / 2; is_in(level + 1, cx, cy))
        four[i] = draw_tile_subtree(level + 1, cx, cy);
    return merge_child_tiles(level, x, y, four);
  }
  /// Same, for a tile whose pieces are drawn in parallel.
  Image draw_piece_group(u32 top, u32 x, u32 y) {
    const u32 times = 1u << (piece_level() - top);
    const u32 left = x * times, across = std::min(times, shape_.across(piece_level()) - left);
    const u32 above = y * times, down = std::min(times, shape_.down(piece_level()) - above);
    std::vector<Image> tiles(size_t(times) * times);
    std::vector<std::optional<Diagnostic>> problems(tiles.size());
    const auto piece = [&](size_t i) {
      const u32 px = u32(i) % across, py = u32(i) / across, at = py * times + px;
      if (!stopped_) tiles[at] = draw_piece(left + px, above + py, problems[at]);
      if (done_ && !stopped_) done_(++drawn_, pieces());
    };
    const size_t count = size_t(across) * down;
    if (of_.options_.each)
      of_.options_.each(count, piece);
    else
      for (size_t i = 0; i < count; ++i) piece(i);
    for (auto& p : problems)
      if (p && !problem_) problem_ = std::move(p);
    for (u32 level = piece_level(), side = times; level > top;) {
      --level, side /= 2;
      std::vector<Image> next(size_t(side) * side);
      for (u32 j = 0; j < side; ++j)
        for (u32 i = 0; i < side; ++i) {
          std::array<Image, 4> four;
          for (u32 k = 0; k < 4; ++k) four[k] = std::move(tiles[(j * 2 + k / 2) * side * 2 + i * 2 + k % 2]);
          next[j * side + i] = merge_child_tiles(level, x * side + i, y * side + j, four);
        }
      tiles = std::move(next);
    }
    return std::move(tiles.front());
  }

  /// All tiles of a piece; returns the uppermost.
  Image draw_piece(u32 x, u32 y, std::optional<Diagnostic>& problem) {
    const u32 side = shape_.tile << depth_;
    const Window w{x * side, y * side, std::min(side, shape_.width - x * side),
                   std::min(side, shape_.height - y * side)};
    auto image = of_.render_window(w);
    if (!image) {
      problem = std::move(image.error());
      stopped_ = true;
      return {};
    }
    if (!has_visible_pixels(*image)) return {};
    Image piece = clear(side);
    copy(*image, 0, 0, piece, 0, 0);
    image->pixels = {};
    for (u32 up = 0;; ++up) {
      const u32 count = 1u << (depth_ - up);
      for (u32 j = 0; j < count; ++j)
        for (u32 i = 0; i < count; ++i) {
          Image tile = clear(shape_.tile);
          copy(piece, i * shape_.tile, j * shape_.tile, tile, 0, 0);
          emit_tile(shape_.deepest - up, x * count + i, y * count + j, tile);
        }
      if (count == 1) return piece;
      piece = downsample(piece, 2);
    }
  }

  /// The parent of four tiles, from left to right and down.
  Image merge_child_tiles(u32 level, u32 x, u32 y, const std::array<Image, 4>& four) {
    if (stopped_ || std::ranges::all_of(four, [](const Image& i) { return i.pixels.empty(); })) return {};
    Image all = clear(shape_.tile * 2);
    for (u32 i = 0; i < 4; ++i)
      if (!four[i].pixels.empty()) copy(four[i], 0, 0, all, i % 2 * shape_.tile, i / 2 * shape_.tile);
    Image tile = downsample(all, 2);
    emit_tile(level, x, y, tile);
    return tile;
  }

  bool is_in(u32 level, u32 x, u32 y) const { return x < shape_.across(level) && y < shape_.down(level); }
  void emit_tile(u32 level, u32 x, u32 y, const Image& tile) {
    if (!stopped_ && has_visible_pixels(tile) && !give_(level, x, y, tile)) stopped_ = true;
  }

  const Pyramid& of_;
  const PyramidShape& shape_;
  const TileSink& give_;
  const std::function<void(size_t, size_t)>& done_;
  u32 depth_ = 0;
  std::optional<Diagnostic> problem_;
  std::atomic<bool> stopped_ = false;
  std::atomic<size_t> drawn_ = 0;
};

Result<bool> Pyramid::draw(const TileSink& give, const std::function<void(size_t, size_t)>& done) const {
  return Drawing(*this, give, done).run();
}

}  // namespace dio::raster
