// texture_motion.cpp: texture animations in a scene. Texel frames are in the map's own texture, so a canvas moves by
// shifting the texture coordinates of its content; palette frames are further cells of the image.
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/scene/motion.hpp"
#include "scene/scene.hpp"

namespace dio::fft {

using scene::Index;
using TextureMotionTarget = TextureMotionKind::TextureMotionTarget;
using TextureMotionLoop = TextureMotionKind::TextureMotionLoop;

// ---- rows ----

static Value describe_row(size_t number, const TextureAnimation& r) {
  const TextureMotionKind kind = decode_texture_motion(r);
  Value v = Value::object();
  v.add("row", u64(number));
  v.add("mode", r.mode);
  switch (kind.what) {
    case TextureMotionTarget::texels:
    case TextureMotionTarget::palette:
      v.add("moves", kind.what == TextureMotionTarget::texels ? "texels" : "palette");
      v.add("on_trigger", kind.on_trigger);
      if (kind.what == TextureMotionTarget::palette) {
        v.add("palette", r.canvas_x / 16);
        v.add("first_frame", r.frame_x);
      }
      v.add("frames", r.frame_count);
      v.add("duration", r.duration);
      break;
    case TextureMotionTarget::polygons:
      v.add("moves", "polygons");
      v.add("first_polygon", r.canvas_x);
      v.add("polygons", r.width);
      v.add("duration", r.duration);
      break;
    default:
      v.add("moves", "nothing");
  }
  return v;
}

TextureMotion::TextureMotion(const TextureAnimations* animations, const Palettes* frames) {
  if (!animations) return;
  for (size_t i = 0; i < animations->rows.size(); ++i) {
    const TextureAnimation& r = animations->rows[i];
    const std::string path = text("texture_animations.rows[", i, "]");
    Row row{.number = u8(i), .kind = decode_texture_motion(r), .walk = build_frame_walk(r)};
    if (row.kind.what == TextureMotionTarget::none) continue;
    if (described_.is(Value::Kind::null)) described_ = Value::list();
    described_.push(describe_row(i, r));
    const auto report_not_shown = [&](DiagnosticText said) {
      said.hint = "the row is not shown";
      add_motion_note(notes_, "fft.motion-row", path, std::move(said));
    };
    if (row.kind.what == TextureMotionTarget::unknown)
      report_not_shown({.message = text("mode is ", r.mode, "; it must be 0 to 29 or 128 to 130")});
    if (row.kind.what == TextureMotionTarget::polygons)
      add_motion_note(
          notes_, "fft.motion-polygons", path,
          {.message = text("mode 29 (", r.width, " polygons starting at ", r.canvas_x, ") has an unknown effect"),
           .hint = "the row is not shown; the extras of the scene contain the numbers of the row"});
    if (!row.kind.shows_frames()) continue;
    if (row.walk.steps.empty())
      report_not_shown({.message = "the row has no frames"});
    else if (row.kind.what == TextureMotionTarget::texels)
      add_texel_row(std::move(row), r, path);
    else
      add_palette_row(std::move(row), r, path, frames != nullptr);
  }
  note_overlaps();
}

void TextureMotion::add_texel_row(Row row, const TextureAnimation& r, const std::string& path) {
  const auto place = [&](const VramRect& rect) -> std::optional<TexelRect> {
    const auto out = to_texel_rect(rect);
    if (!out)
      add_motion_note(notes_, "fft.motion-row", path,
                      {.message = text("the VRAM rectangle ", rect.width, " x ", rect.height, " at ", rect.x, ", ",
                                       rect.y, " is not inside one texture page of the map"),
                       .hint = "the row is not shown"});
    return out;
  };
  const auto canvas = place(canvas_rect(r));
  if (!canvas) return;
  row.canvas = *canvas;
  for (const VramRect& frame : compute_frame_rects(r)) {
    const auto texels = place(frame);
    if (!texels) return;
    row.texels.push_back(*texels);
  }
  rows_.push_back(std::move(row));
}

void TextureMotion::add_palette_row(Row row, const TextureAnimation& r, const std::string& path, bool has_frames) {
  const auto report_not_shown = [&](DiagnosticText said) {
    said.hint = "the row is not shown";
    add_motion_note(notes_, "fft.motion-row", path, std::move(said));
  };
  const auto palette = replaced_palette(r);
  if (!palette) return report_not_shown({.message = text("palette ", r.canvas_x / 16, " is out of range (0 to 15)")});
  if (!has_frames) return report_not_shown({.message = "the map has no palette frames"});
  row.palette = *palette;
  for (u32 k = 0; k < r.frame_count; ++k) {
    const auto frame = palette_frame(r, k);
    if (!frame)
      return report_not_shown({.message = text("palette frames ", r.frame_x, " to ", r.frame_x + r.frame_count - 1,
                                               " are out of range (0 to 15)")});
    row.palette_frames.push_back(*frame);
  }
  rows_.push_back(std::move(row));
}

/// The game copies the current texels, which another row, or this one, may have overwritten.
void TextureMotion::note_overlaps() {
  const auto overlaps = [](const TexelRect& a, const TexelRect& b) {
    return a.page == b.page && a.u < b.u + b.width && b.u < a.u + a.width && a.v < b.v + b.height &&
           b.v < a.v + a.height;
  };
  for (const Row& row : rows_) {
    const auto over = std::find_if(rows_.begin(), rows_.end(), [&](const Row& other) {
      return other.kind.what == TextureMotionTarget::texels &&
             std::any_of(row.texels.begin(), row.texels.end(),
                         [&](const auto& t) { return overlaps(t, other.canvas); });
    });
    if (over != rows_.end())
      add_motion_note(
          notes_, "fft.motion-overlap", text("texture_animations.rows[", row.number, "]"),
          {.message = text("the canvas of row ", over->number, " overlaps the frames of this row"),
           .hint = "the scene shows the frames stored in the file; in the game, the canvas overwrites these frames"});
  }
}

std::vector<u8> TextureMotion::list_palette_frames(MotionRows moving) const {
  std::vector<u8> out;
  for (const Row& row : rows_)
    if (moving >> row.number & 1)
      for (const u8 frame : row.palette_frames)
        if (std::find(out.begin(), out.end(), frame) == out.end()) out.push_back(frame);
  return out;
}

// ---- pieces ----

namespace {

/// A convex part of a triangle during cutting.
struct ClippedPolygon {
  struct ClipVertex {
    std::array<f64, 4> weights;
    std::array<f64, 2> uv;
  };
  std::vector<ClipVertex> corners;
  MotionRows rows = 0;
};

/// The parts on the lower and on the upper side of a line of texels; empty: none. Points on the line are on the upper
/// side: a texel begins at its number.
struct SplitPolygon {
  ClippedPolygon below, above;
};
SplitPolygon split_at_line(ClippedPolygon whole, size_t axis, f64 line) {
  constexpr f64 k_nothing = 1e-9;  // texels
  const auto signed_distance = [&](const ClippedPolygon::ClipVertex& c) {
    const f64 d = c.uv[axis] - line;
    return std::fabs(d) < k_nothing ? 0 : d;
  };
  bool below = false, above = false;
  for (const ClippedPolygon::ClipVertex& c : whole.corners)
    below |= signed_distance(c) < 0, above |= signed_distance(c) > 0;
  if (!below) return {{}, std::move(whole)};
  if (!above) return {std::move(whole), {}};
  SplitPolygon out;
  out.below.rows = out.above.rows = whole.rows;
  for (size_t i = 0; i < whole.corners.size(); ++i) {
    const ClippedPolygon::ClipVertex &a = whole.corners[i], &b = whole.corners[(i + 1) % whole.corners.size()];
    const f64 da = signed_distance(a), db = signed_distance(b);
    if (da <= 0) out.below.corners.push_back(a);
    if (da >= 0) out.above.corners.push_back(a);
    if (da * db >= 0) continue;
    // From below, whatever the direction of the edge: neighbours cut it at the same position.
    const ClippedPolygon::ClipVertex &from = da < 0 ? a : b, &to = da < 0 ? b : a;
    const f64 t = (line - from.uv[axis]) / (to.uv[axis] - from.uv[axis]);
    ClippedPolygon::ClipVertex between;
    for (size_t w = 0; w < 4; ++w) between.weights[w] = from.weights[w] + t * (to.weights[w] - from.weights[w]);
    for (size_t x = 0; x < 2; ++x) between.uv[x] = from.uv[x] + t * (to.uv[x] - from.uv[x]);
    between.uv[axis] = line;
    out.below.corners.push_back(between);
    out.above.corners.push_back(between);
  }
  return out;
}

}  // namespace

size_t MovingFragment::find_corner(const std::array<f64, 4>& weights) {
  return size_t(std::find(weights.begin(), weights.end(), 1) - weights.begin());
}

std::vector<MovingFragment> TextureMotion::split_by_canvases(std::span<const Uv> uvs, u8 page, u8 palette) {
  MotionRows of_palette = 0;
  for (const Row& row : rows_)
    if (row.kind.what == TextureMotionTarget::palette && row.palette == palette)
      of_palette |= MotionRows(1) << row.number;

  std::vector<ClippedPolygon> parts;
  const auto triangle = [&](std::array<size_t, 3> corners) {
    ClippedPolygon& c = parts.emplace_back();
    for (const size_t i : corners) {
      std::array<f64, 4> weights{};
      weights[i] = 1;
      c.corners.push_back({weights, {f64(uvs[i].u), f64(uvs[i].v)}});
    }
  };
  triangle({0, 1, 2});
  if (uvs.size() == 4) triangle({1, 3, 2});
  const size_t triangles = parts.size();

  constexpr size_t k_most_of_a_polygon = 64;
  const auto uncut_polygon = [&]() -> std::vector<MovingFragment> {
    if (std::none_of(notes_.begin(), notes_.end(), [](const auto& d) { return d.id == "fft.motion-pieces"; }))
      add_motion_note(
          notes_, "fft.motion-pieces", "texture_animations",
          {.message = text("the canvases of texture animations split polygons into too many pieces (limit: ",
                           k_most_of_a_polygon, " for a polygon, ", k_most_pieces, " in all)"),
           .hint = "polygons with too many pieces stay whole, and their textures do not move"});
    return {MovingFragment{of_palette}};
  };
  if (!pieces_left_ && std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
        return row.kind.what == TextureMotionTarget::texels && row.canvas.page == page;
      }))
    return uncut_polygon();
  for (const Row& row : rows_) {
    if (row.kind.what != TextureMotionTarget::texels || row.canvas.page != page) continue;
    const TexelRect& c = row.canvas;
    const std::array<f64, 4> lines = {f64(c.u), f64(c.u + c.width), f64(c.v), f64(c.v + c.height)};
    std::vector<ClippedPolygon> cut;
    for (ClippedPolygon& part : parts) {
      const size_t before = cut.size();
      ClippedPolygon inside = part;
      for (size_t i = 0; i < 4 && !inside.corners.empty(); ++i) {
        SplitPolygon h = split_at_line(std::move(inside), i / 2, lines[i]);
        inside = std::move(i % 2 ? h.below : h.above);
        ClippedPolygon& outside = i % 2 ? h.above : h.below;
        if (!outside.corners.empty()) cut.push_back(std::move(outside));
      }
      if (inside.corners.empty()) {  // already outside the canvas: no cut needed
        cut.resize(before);
        cut.push_back(std::move(part));
        continue;
      }
      inside.rows |= MotionRows(1) << row.number;
      cut.push_back(std::move(inside));
    }
    parts = std::move(cut);
    if (parts.size() > k_most_of_a_polygon) break;
  }

  const bool is_whole =
      parts.size() == triangles &&
      std::all_of(parts.begin(), parts.end(), [&](const ClippedPolygon& c) { return c.rows == parts[0].rows; });
  if (is_whole) return {MovingFragment{parts[0].rows | of_palette}};
  const bool fits = parts.size() <= std::min<size_t>(k_most_of_a_polygon, pieces_left_);
  pieces_left_ -= std::min(pieces_left_, u32(parts.size()));  // unsuccessful cuts also take time
  if (!fits) return uncut_polygon();
  std::vector<MovingFragment> out;
  for (const ClippedPolygon& part : parts) {
    MovingFragment& p = out.emplace_back();
    p.rows = part.rows | of_palette;
    for (const ClippedPolygon::ClipVertex& corner : part.corners) p.corners.push_back(corner.weights);
  }
  return out;
}

// ---- pictures ----

PaletteCells::PaletteCells(size_t palettes) {
  constexpr u32 k_most_columns = 16;  // 4096 pixels: the maximum of browsers on small devices
  while (columns < palettes && columns < k_most_columns) columns *= 2;
  while (u64(columns) * rows < palettes) rows *= 2;
}
scene::TextureTransform PaletteCells::cell_transform(size_t i) const {
  const f32 width = 1.0f / f32(columns), height = 1.0f / f32(rows);
  return {.offset = {f32(i % columns) * width, f32(i / columns) * height}, .scale = {width, height}};
}

scene::Image make_palette_cell_image(const scene::Image& texture, std::span<const std::vector<scene::Rgba>> frames) {
  const PaletteCells cells(1 + frames.size());
  scene::Image out;
  out.name = texture.name;
  out.width = texture.width * cells.columns;
  out.height = texture.height * cells.rows;
  // Colours of all palettes, without duplicates: an index fits in a byte unless nearly all differ.
  std::map<scene::Rgba, size_t> known;
  std::vector<scene::Rgba> colors;
  std::vector<std::vector<size_t>> places;  // of each palette's colours
  const auto take = [&](const std::vector<scene::Rgba>& palette) {
    auto& to = places.emplace_back();
    for (const scene::Rgba& c : palette) {
      const auto [at, is_new] = known.try_emplace(c, colors.size());
      if (is_new) colors.push_back(c);
      to.push_back(at->second);
    }
  };
  take(texture.palette);
  for (const auto& palette : frames) take(palette);
  const bool indexed = colors.size() <= 256;
  const size_t bytes = indexed ? 1 : 4;
  if (indexed) out.palette = colors;
  out.pixels.resize(size_t(out.width) * out.height * bytes);
  for (size_t i = 0; i < places.size(); ++i)
    for (u32 y = 0; y < texture.height; ++y) {
      const u8* from = &texture.pixels[size_t(y) * texture.width];
      u8* to = &out.pixels[((i / cells.columns * texture.height + y) * out.width + i % cells.columns * texture.width) *
                           bytes];
      for (u32 x = 0; x < texture.width; ++x, to += bytes) {
        const size_t place = from[x] < places[i].size() ? places[i][from[x]] : 0;
        if (indexed)
          *to = u8(place);
        else
          std::copy_n(colors[place].begin(), 4, to);
      }
    }
  return out;
}

// ---- animations ----

namespace {

using Rows = std::vector<const TextureMotion::Row*>;

/// The tick at which the row last changed its frame.
u64 last_change_tick(const TextureMotion::Row& row, u64 tick) {
  const FrameWalk& w = row.walk;
  const u64 start = w.loops ? tick - tick % w.ticks : 0;
  const auto behind = std::upper_bound(w.steps.begin(), w.steps.end(), tick - start,
                                       [](u64 t, const FrameWalk::Step& s) { return t < s.tick; });
  return start + std::prev(behind)->tick;
}

/// Among the rows with the same target, the one that moved it last, which is the visible one; in the same tick, the
/// last.
const TextureMotion::Row* find_visible_row(const Rows& rows, TextureMotionTarget what, u64 tick) {
  const TextureMotion::Row* out = nullptr;
  for (const TextureMotion::Row* row : rows)
    if (row->kind.what == what && (!out || last_change_tick(*row, tick) >= last_change_tick(*out, tick))) out = row;
  return out;
}

/// One material while its rows run.
class MaterialMotion {
 public:
  MaterialMotion(const TextureMotion& motion, const MovingMaterial& m, Rows rows)
      : frames_(motion.list_palette_frames(m.rows)),
        cells_(1 + frames_.size()),
        material_(m.material),
        rows_(std::move(rows)) {}

  scene::Vec4 offset_at(u64 tick) const {
    size_t cell = 0;
    if (const auto* row = find_visible_row(rows_, TextureMotionTarget::palette, tick)) {
      const u8 frame = row->palette_frames[row->walk.at(tick)];
      cell = 1 + size_t(std::find(frames_.begin(), frames_.end(), frame) - frames_.begin());
    }
    const scene::TextureTransform t = cells_.cell_transform(cell);
    scene::Vec4 out{t.offset[0], t.offset[1], 0, 0};
    if (const auto* row = find_visible_row(rows_, TextureMotionTarget::texels, tick)) {
      const TexelRect &to = row->texels[row->walk.at(tick)], &from = row->canvas;
      out[0] += (f32(to.u) - f32(from.u)) / f32(k_page_texels) * t.scale[0];
      out[1] += (f32(to.texture_v()) - f32(from.texture_v())) / f32(k_page_texels * k_pages) * t.scale[1];
    }
    return out;
  }

  /// Up to a tick, at which the following frame starts.
  scene::MaterialChannel make_channel(u64 ticks, f32 tick_rate) const {
    scene::MaterialChannel out{.material = material_,
                               .target = scene::MaterialChannel::Target::offset,
                               .interpolation = scene::Channel::Interpolation::step,
                               .times = {},
                               .values = {}};
    std::vector<u64> changes = {ticks};
    for (const TextureMotion::Row* row : rows_)
      for (u64 start = 0; start < ticks; start += row->walk.loops ? row->walk.ticks : ticks)
        for (const FrameWalk::Step& s : row->walk.steps)
          if (start + s.tick < ticks) changes.push_back(start + s.tick);
    sort_stably(changes);
    changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
    for (const u64 tick : changes) {
      const scene::Vec4 value = offset_at(tick);
      if (tick < ticks && !out.values.empty() && out.values.back() == value) continue;
      out.times.push_back(f32(f64(tick) / tick_rate));
      out.values.push_back(value);
    }
    return out;
  }

 private:
  std::vector<u8> frames_;
  PaletteCells cells_;
  Index material_;
  Rows rows_;
};

}  // namespace

void add_texture_animations(scene::Scene& s, const TextureMotion& motion, std::span<const MovingMaterial> materials,
                            f32 tick_rate, Diagnostics& notes, std::string_view suffix) {
  u64 keys_left = u64(1) << 20;  // for all channels: more than any map needs
  const auto most_ticks = [&] {
    return std::clamp<u64>(keys_left / std::max<size_t>(1, materials.size()), 1, k_most_motion_ticks);
  };
  const auto select_rows = [&](MotionRows moving, auto is_wanted) {
    Rows out;
    for (const TextureMotion::Row& row : motion.rows())
      if (moving >> row.number & 1 && is_wanted(row)) out.push_back(&row);
    return out;
  };
  const auto runs_once = [](const TextureMotion::Row& row) {
    return row.kind.way == TextureMotionLoop::once || row.kind.way == TextureMotionLoop::once_backwards;
  };
  const auto animate = [&](const std::string& name, const char* kind, u64 ticks, auto is_moved, auto is_wanted) {
    scene::Animation a{.name = name + std::string(suffix)};
    for (const MovingMaterial& m : materials) {
      if (!is_moved(m.rows)) continue;
      Rows rows = select_rows(m.rows, is_wanted);
      if (!rows.empty()) a.material_channels.push_back(MaterialMotion(motion, m, rows).make_channel(ticks, tick_rate));
    }
    if (a.material_channels.empty()) return;
    for (const scene::MaterialChannel& c : a.material_channels) keys_left -= std::min<u64>(keys_left, c.times.size());
    a.extras = Value::object();
    a.extras.add("kind", kind);
    a.extras.add("ticks", ticks);
    a.extras.add("tick_rate", tick_rate);
    s.animations.push_back(std::move(a));
  };

  MotionRows used = 0;
  for (const MovingMaterial& m : materials) used |= m.rows;
  u64 ticks = 1, meet = 1;
  const u64 most = most_ticks();
  for (const TextureMotion::Row* row : select_rows(used, [&](const auto& r) { return !runs_once(r); })) {
    const u64 own = row->walk.loops ? row->walk.ticks : 1;
    if (meet <= k_most_motion_ticks) meet = std::lcm(meet, own);
    if (std::lcm(ticks, own) <= most) ticks = std::lcm(ticks, own);
  }
  if (meet > ticks) {  // at least one whole period of each row
    add_motion_note(notes, "fft.motion-cut", "texture_animations",
                    {.message = text("the animation is truncated: its loops take at least ", meet,
                                     " ticks to start together again; the limit is ", most, " ticks")});
    ticks *= most / ticks;
  }
  animate(
      "texture animation", "fft.texture_animation", ticks, [](MotionRows) { return true; },
      [&](const auto& r) { return !runs_once(r); });
  for (const TextureMotion::Row& row : motion.rows()) {
    if (!runs_once(row)) continue;
    const u64 run = std::min<u64>(row.walk.ticks, most_ticks());
    if (run < row.walk.ticks && used >> row.number & 1)
      add_motion_note(notes, "fft.motion-cut", text("texture_animations.rows[", row.number, "]"),
                      {.message = text("the animation is truncated: it lasts ", row.walk.ticks, " ticks; the limit is ",
                                       run, " ticks")});
    animate(
        text("field object ", row.number), "fft.field_object", run, [&](MotionRows m) { return m >> row.number & 1; },
        [&](const auto& r) { return &r == &row || !runs_once(r); });
  }
}

}  // namespace dio::fft
