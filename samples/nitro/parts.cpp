#include "samples/nitro/parts.hpp"

#include <algorithm>
#include <cstring>

#include "core/elementary.hpp"

namespace dio::nitro::make {

// ---- matrices ----

static Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static Point operator*(Point a, f64 s) { return {a.x * s, a.y * s, a.z * s}; }
static Point operator*(Point a, Point b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
static Point inverse_of(Point a) { return {1 / a.x, 1 / a.y, 1 / a.z}; }
static f64 dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Point cross(Point a, Point b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

static Point turned_by(const Frame& f, Point p) { return f.x * p.x + f.y * p.y + f.z * p.z; }
Point Frame::operator()(Point p) const { return turned_by(*this, p) + origin; }
Frame operator*(const Frame& a, const Frame& b) {
  return {turned_by(a, b.x), turned_by(a, b.y), turned_by(a, b.z), a(b.origin)};
}
Frame inverse(const Frame& f) {
  const f64 volume = dot(f.x, cross(f.y, f.z));
  // the rows of the inverse are the cross products of the columns
  const Point r0 = cross(f.y, f.z) * (1 / volume), r1 = cross(f.z, f.x) * (1 / volume),
              r2 = cross(f.x, f.y) * (1 / volume);
  Frame i{{r0.x, r1.x, r2.x}, {r0.y, r1.y, r2.y}, {r0.z, r1.z, r2.z}, {}};
  i.origin = turned_by(i, f.origin) * -1;
  return i;
}
Frame moved(Point by) { return {.origin = by}; }
Frame scaled(Point by) { return {{by.x, 0, 0}, {0, by.y, 0}, {0, 0, by.z}, {}}; }
Frame turned(int axis, f64 degrees) {
  const f64 angle = degrees * 3.14159265358979323846 / 180, c = elementary::cos(angle), s = elementary::sin(angle);
  if (axis == 0) return {{1, 0, 0}, {0, c, s}, {0, -s, c}, {}};
  if (axis == 1) return {{c, 0, -s}, {0, 1, 0}, {s, 0, c}, {}};
  return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}, {}};
}
/// Element i of a rotation as files count them: column after column.
static std::array<f64, 9> elements(const Frame& f) {
  return {f.x.x, f.x.y, f.x.z, f.y.x, f.y.y, f.y.z, f.z.x, f.z.y, f.z.z};
}

// ---- display lists ----

static u32 low_half(f64 x) { return u16(fixed_16(x).raw); }
static u32 ten_bits(f64 x, f64 unit) { return u32(std::lround(x / unit)) & 0x3FF; }
static u32 ten_bits(Point p, f64 unit) {
  return ten_bits(p.x, unit) | ten_bits(p.y, unit) << 10 | ten_bits(p.z, unit) << 20;
}

Drawing& Drawing::command(gx::Code code, std::initializer_list<u32> words) {
  list_.insert(list_.end(), {u8(code), 0, 0, 0});  // a packet each; packed() packs them
  for (const u32 w : words)
    for (int i = 0; i < 4; ++i) list_.push_back(u8(w >> 8 * i));
  return *this;
}
Drawing& Drawing::reach(Point p) {
  last_ = p;
  drawn_.push_back({slot_, p});
  return *this;
}
Drawing& Drawing::begin(Primitive p) { return command(gx::begin, {u32(p)}); }
Drawing& Drawing::end() { return command(gx::end); }
Drawing& Drawing::color(u16 c) { return command(gx::color, {c}); }
Drawing& Drawing::normal(Point p) {
  const auto most = [](f64 x) { return std::min(x, 511.0 / 512); };
  return command(gx::normal, {ten_bits({most(p.x), most(p.y), most(p.z)}, 1.0 / 512)});
}
Drawing& Drawing::texcoord(f64 s, f64 t) {
  const auto sixteenths = [](f64 x) { return u32(u16(std::lround(x * 16))); };
  return command(gx::texcoord, {sixteenths(s) | sixteenths(t) << 16});
}
Drawing& Drawing::vertex(Point p) {
  const auto coarse = [](f64 x) { return std::abs(x) < 8 && std::floor(x * 64) == x * 64; };
  return coarse(p.x) && coarse(p.y) && coarse(p.z) ? vtx_10(p) : vtx_16(p);
}
Drawing& Drawing::vtx_16(Point p) {
  return reach(p).command(gx::vtx_16, {low_half(p.x) | low_half(p.y) << 16, low_half(p.z)});
}
Drawing& Drawing::vtx_10(Point p) { return reach(p).command(gx::vtx_10, {ten_bits(p, 1.0 / 64)}); }
Drawing& Drawing::vtx_xy(f64 x, f64 y) {
  return reach({x, y, last_.z}).command(gx::vtx_xy, {low_half(x) | low_half(y) << 16});
}
Drawing& Drawing::vtx_xz(f64 x, f64 z) {
  return reach({x, last_.y, z}).command(gx::vtx_xz, {low_half(x) | low_half(z) << 16});
}
Drawing& Drawing::vtx_yz(f64 y, f64 z) {
  return reach({last_.x, y, z}).command(gx::vtx_yz, {low_half(y) | low_half(z) << 16});
}
Drawing& Drawing::vtx_diff(Point by) { return reach(last_ + by).command(gx::vtx_diff, {ten_bits(by, 1.0 / 4096)}); }
Drawing& Drawing::restore(u32 slot, f64 scale) {
  slot_ = int(slot);
  const u32 s = u32(fixed(scale).raw);
  return command(gx::mtx_restore, {slot}).command(gx::mtx_scale, {s, s, s});
}
Drawing& Drawing::quad(Point corner, Point right, Point up, f64 texels) {
  begin(Primitive::quads);
  texcoord(0, texels).vertex(corner);
  texcoord(texels, texels).vertex(corner + right);
  texcoord(texels, 0).vertex(corner + right + up);
  texcoord(0, 0).vertex(corner + up);
  return end();
}
Drawing& Drawing::box(Point low, Point high, f64 texels) {
  const Point size = high - low, x{size.x, 0, 0}, y{0, size.y, 0}, z{0, 0, size.z};
  normal({0, 0, 1}).quad(low + z, x, y, texels);
  normal({0, 0, -1}).quad(low + x, x * -1, y, texels);
  normal({1, 0, 0}).quad(low + x + z, z * -1, y, texels);
  normal({-1, 0, 0}).quad(low, z, y, texels);
  normal({0, 1, 0}).quad(low + y + z, x, z * -1, texels);
  return normal({0, -1, 0}).quad(low, x, z, texels);
}

// ---- nodes, materials, models ----

static Vec3 vector(Point p) { return {fixed(p.x), fixed(p.y), fixed(p.z)}; }

/// The four elements that are neither in the row nor in the column of element p.
static std::array<int, 4> besides(int p) {
  std::array<int, 4> rest{};
  int n = 0;
  for (int i = 0; i < 9; ++i)
    if (i / 3 != p / 3 && i % 3 != p % 3) rest[size_t(n++)] = i;
  return rest;
}
template <class P>
static void fill_pivot(P& pivot, fx16& a, fx16& b, const Frame& rotation, int p) {
  const auto m = elements(rotation);
  const auto rest = besides(p);
  const auto at = [&](int i) { return fixed_16(m[size_t(rest[size_t(i)])]); };
  pivot.pivot_index = u8(p);
  pivot.pivot_negative = m[size_t(p)] < 0;
  a = at(0), b = at(1);
  pivot.c_negative = at(2).raw != b.raw;
  pivot.d_negative = at(3).raw != a.raw;
}

Node node(std::string name, const Placement& p) {
  Node n{};
  n.name = std::move(name);
  n.stack = 31;
  const auto is = [](Point a, f64 x) { return a.x == x && a.y == x && a.z == x; };
  n.no_translation = is(p.position, 0);
  n.translation = vector(p.position);
  n.no_rotation = !p.rotation;
  n.m00 = fixed_16(p.rotation ? p.rotation->x.x : 1);
  if (p.rotation && p.pivot >= 0) {
    n.is_pivot = 1;
    fill_pivot(n, n.pivot[0], n.pivot[1], *p.rotation, p.pivot);
  } else if (p.rotation) {
    const auto m = elements(*p.rotation);
    for (size_t i = 0; i < 8; ++i) n.rotation[i] = fixed_16(m[i + 1]);
  }
  n.no_scale = is(p.scale, 1);
  n.scale = vector(p.scale);
  n.inverse_scale = vector(inverse_of(p.scale));
  return n;
}

Material material(std::string name) {
  Material m{};
  m.name = std::move(name);
  m.diffuse = rgb(25, 25, 25), m.ambient = rgb(12, 12, 12);
  m.specular = rgb(4, 4, 4), m.emission = rgb(0, 0, 0);
  m.vertex_color = 1;
  m.light_0 = 1;
  m.show_front = 1;
  m.alpha = 31;
  m.polygon_mask = 0x3F1FF8FF;
  m.texture_mask = 0xFFFFFFFF;
  m.scale_one = m.rotation_zero = m.translation_zero = 1;
  m.own_diffuse = m.own_ambient = m.own_vertex_color = m.own_specular = m.own_emission = m.own_shininess = 1;
  m.own_palette_base = 1;
  m.mag_width = m.mag_height = fixed(1);
  return m;
}

static f64 value(fx32 x) { return x.value(); }
static Point point(const Vec3& v) { return {value(v.x), value(v.y), value(v.z)}; }

SampleModelBuilder::SampleModelBuilder(std::string name, f64 pos_scale) : pos_scale_(pos_scale) {
  model.name = std::move(name);
  model.pos_scale = fixed(pos_scale);
}

u8 SampleModelBuilder::add(Node n) {
  Rest r;
  // as the file has it: rounded
  Frame turn{};
  if (!n.no_rotation && !n.is_pivot) {
    const auto& m = n.rotation;
    turn = {{n.m00.value(), m[0].value(), m[1].value()},
            {m[2].value(), m[3].value(), m[4].value()},
            {m[5].value(), m[6].value(), m[7].value()},
            {}};
  } else if (!n.no_rotation) {
    std::array<f64, 9> m{};
    const auto rest = besides(n.pivot_index);
    const f64 a = n.pivot[0].value(), b = n.pivot[1].value();
    const f64 four[] = {a, b, n.c_negative ? -b : b, n.d_negative ? -a : a};
    for (size_t i = 0; i < 4; ++i) m[size_t(rest[i])] = four[i];
    m[n.pivot_index] = n.pivot_negative ? -1 : 1;
    turn = {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}, {}};
  }
  r.placement = turn;
  if (!n.no_translation) r.placement.origin = point(n.translation);
  if (!n.no_scale) r.scale = point(n.scale);
  rest_.push_back(r);
  model.nodes.push_back(std::move(n));
  return u8(model.nodes.size() - 1);
}
u8 SampleModelBuilder::add(Material m) {
  model.materials.push_back(std::move(m));
  return u8(model.materials.size() - 1);
}
u8 SampleModelBuilder::add(std::string shape, const Drawing& d) {
  Shape s{};
  s.name = std::move(shape);
  s.list = d.packed();
  model.shapes.push_back(std::move(s));
  drawings_.push_back(d);
  return u8(model.shapes.size() - 1);
}
void SampleModelBuilder::dress(const Texture& t, std::string_view palette) {
  Material& m = model.materials.back();
  m.original_width = u16(t.width()), m.original_height = u16(t.height());
  m.same_size = 1;
  const u8 index = u8(model.materials.size() - 1);
  const auto pair = [&](std::vector<Pairing>& list, std::string_view name) {
    if (name.empty()) return;
    auto i = std::lower_bound(list.begin(), list.end(), name, [](const Pairing& p, auto n) { return p.name < n; });
    if (i == list.end() || i->name != name) {
      i = list.insert(i, Pairing{});
      i->name = name;
    }
    i->materials.push_back(index);
  };
  pair(model.textures, t.name);
  pair(model.palettes, palette);
}

SbcCommand& SampleModelBuilder::command(sbc::Code code, u8 index) {
  SbcCommand& c = model.sbc.emplace_back();
  c.code = code;
  c.index = index;
  return c;
}
void SampleModelBuilder::slots(SbcCommand& c, int store, int load) {
  if (store != k_none) c.options |= sbc::k_store, c.store = u8(store);
  if (load != k_none) c.options |= sbc::k_load, c.load = u8(load);
}
Frame SampleModelBuilder::local(u8 index, u8 parent, u8 flags) const {
  const Rest& r = rest_[index];
  Frame turn = r.placement;
  turn.origin = {};
  const Frame own = scaled(r.scale);
  if (model.scaling_rule == 2) {
    const Point above = index == parent ? Point{1, 1, 1} : rest_[parent].all_scales;
    return scaled(inverse_of(above)) * moved(r.placement.origin * above) * turn * scaled(above) * own;
  }
  const bool undo = model.scaling_rule == 1 && flags & 1;
  return moved(r.placement.origin) * (undo ? scaled(inverse_of(rest_[parent].scale)) : Frame{}) * turn * own;
}
SampleModelBuilder& SampleModelBuilder::nodedesc(u8 index, u8 parent, int store, int load, u8 flags) {
  SbcCommand& c = command(sbc::nodedesc, index);
  c.parent = parent;
  c.flags = flags;
  slots(c, store, load);
  if (load != k_none) current_ = stack_[size_t(load)];
  Rest& r = rest_[index];
  r.all_scales = index == parent ? r.scale : rest_[parent].all_scales * r.scale;
  current_ = current_ * local(index, parent, flags);
  r.bind = current_;
  if (store != k_none) stack_[size_t(store)] = current_;
  return *this;
}
SampleModelBuilder& SampleModelBuilder::visible(u8 node, bool is) {
  command(sbc::node, node).visible = is;
  return *this;
}
SampleModelBuilder& SampleModelBuilder::mtx(u8 slot) {
  command(sbc::mtx, slot);
  current_ = stack_[slot];
  return *this;
}
SampleModelBuilder& SampleModelBuilder::mat(u8 material, u8 use) {
  command(sbc::mat, material).options = use;
  return *this;
}
SampleModelBuilder& SampleModelBuilder::shp(u8 shape) {
  command(sbc::shp, shape);
  see(drawings_[shape]);  // hidden nodes are in the box, too
  return *this;
}
SampleModelBuilder& SampleModelBuilder::billboard(u8 node, bool upright, int store, int load) {
  slots(command(upright ? sbc::bby : sbc::bb, node), store, load);
  if (load != k_none) current_ = stack_[size_t(load)];
  if (store != k_none) stack_[size_t(store)] = current_;  // the box takes them as they lie
  return *this;
}
SampleModelBuilder& SampleModelBuilder::nodemix(u8 store, std::vector<Mix> mix) {
  mixes_ = true;
  Frame sum{{}, {}, {}, {}};
  for (const Mix& m : mix) {
    const Frame f = stack_[m.slot] * inverse(rest_[m.node].bind);
    const f64 w = m.weight / 256.0;
    sum = {sum.x + f.x * w, sum.y + f.y * w, sum.z + f.z * w, sum.origin + f.origin * w};
  }
  current_ = stack_[store] = sum;
  SbcCommand& c = command(sbc::nodemix);
  c.store = store;
  c.mix = std::move(mix);
  return *this;
}
SampleModelBuilder& SampleModelBuilder::calldl(const Drawing& d) {
  command(sbc::calldl).list = d.packed();
  see(d);
  return *this;
}
SampleModelBuilder& SampleModelBuilder::posscale(bool inverted) {
  command(sbc::posscale).options = inverted ? 1 : 0;
  const f64 s = inverted ? 1 / pos_scale_ : pos_scale_;
  current_ = current_ * scaled({s, s, s});
  return *this;
}
SampleModelBuilder& SampleModelBuilder::envmap(u8 material) {
  command(sbc::envmap, material);
  return *this;
}
SampleModelBuilder& SampleModelBuilder::prjmap(u8 material) {
  command(sbc::prjmap, material);
  return *this;
}
SampleModelBuilder& SampleModelBuilder::nop() {
  command(sbc::nop);
  return *this;
}
void SampleModelBuilder::see(const Drawing& d) {
  for (const auto& [slot, at] : d.drawn()) {
    const Point p = slot == Drawing::k_current ? current_(at) : stack_[size_t(slot)](at * pos_scale_);
    if (empty_) low_ = high_ = p;
    empty_ = false;
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
  }
}
Model SampleModelBuilder::finish() {
  command(sbc::ret);
  const Point size = high_ - low_;
  f64 scale = 1;
  for (const f64 x : {low_.x, low_.y, low_.z, size.x, size.y, size.z})
    while (std::abs(x) >= 7.99 * scale) scale *= 2;
  const auto inside = [&](f64 x) { return fixed_16(x / scale); };
  model.box = {inside(low_.x), inside(low_.y), inside(low_.z), inside(size.x), inside(size.y), inside(size.z)};
  model.box_scale = fixed(scale);
  model.inverse_box_scale = fixed(1 / scale);
  if (mixes_)
    for (const Rest& r : rest_) {
      const Frame f = inverse(r.bind);
      Envelope& e = model.envelopes.emplace_back();
      const auto m = elements(f);
      for (size_t i = 0; i < 9; ++i) e.inverse_bind[i] = e.inverse_normal[i] = fixed(m[i]);
      e.inverse_bind[9] = fixed(f.origin.x), e.inverse_bind[10] = fixed(f.origin.y),
      e.inverse_bind[11] = fixed(f.origin.z);
    }
  return std::move(model);
}

Nsbmd file_of(std::vector<Model> models, std::optional<Textures> textures) {
  Nsbmd f{};
  f.header.version = 2;
  f.models = std::move(models);
  f.textures = std::move(textures);
  return f;
}

// ---- textures ----

static u8 size_code(u32 size) {
  u8 code = 0;
  while (8u << code < size) ++code;
  return code;
}
static Texture blank(std::string name, u8 format, u32 width, u32 height) {
  Texture t{};
  t.name = std::move(name);
  t.format = format;
  t.width_code = size_code(width), t.height_code = size_code(height);
  t.original_width = u16(width), t.original_height = u16(height);
  t.same_size = 1;
  return t;
}

Texture texture(std::string name, u8 format, u32 width, u32 height, const std::function<u32(u32, u32)>& texel) {
  Texture t = blank(std::move(name), format, width, height);
  t.texels.assign(size_t(t.texel_size()), 0);
  const u64 bits = t.texel_size() * 8 / (u64(t.width()) * t.height());
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x) {
      const u64 at = (u64(y) * t.width() + x) * bits;
      const u32 n = texel(x, y) << at % 8;
      t.texels[size_t(at / 8)] |= u8(n);
      if (bits > 8) t.texels[size_t(at / 8 + 1)] |= u8(n >> 8);
    }
  return t;
}
Texture block_texture(std::string name, u32 width, u32 height,
                      const std::function<std::pair<u32, u16>(u32 block)>& block) {
  Texture t = blank(std::move(name), k_block4x4, width, height);
  for (u32 i = 0; i < width * height / 16; ++i) {
    const auto [texels, index] = block(i);
    for (int b = 0; b < 4; ++b) t.texels.push_back(u8(texels >> 8 * b));
    for (int b = 0; b < 2; ++b) t.blocks.push_back(u8(index >> 8 * b));
  }
  return t;
}
Palette palette(std::string name, std::vector<u16> colors) {
  Palette p{};
  p.name = std::move(name);
  p.four_colors = colors.size() <= 4;
  p.colors = std::move(colors);
  return p;
}
std::vector<u16> ramp(u16 from, u16 to, u32 count) {
  std::vector<u16> colors;
  for (u32 i = 0; i < count; ++i) {
    const auto part = [&](int shift) {
      const u32 a = from >> shift & 31, b = to >> shift & 31;
      return (a * (count - 1 - i) + b * i) / std::max(1u, count - 1);
    };
    colors.push_back(rgb(part(0), part(5), part(10)));
  }
  return colors;
}

// ---- curves ----

u16 last_of(u8 step, u32 frames) {
  const u32 n = frames_per_sample(step);
  return u16(n == 1 ? frames : (frames - 1) / n * n);
}
std::vector<u32> sampled_frames(u8 step, u32 frames) {
  std::vector<u32> all;
  const u32 n = frames_per_sample(step), last = n == 1 ? frames - 1 : last_of(step, frames);
  for (u32 f = 0; f <= last; f += n) all.push_back(f);
  for (u32 f = last + 1; f < frames; ++f) all.push_back(f);
  return all;
}
static Curve curve_of(u8 step, bool narrow, u32 frames) {
  Curve c{};
  c.step = step, c.narrow = narrow, c.last = last_of(step, frames);
  return c;
}
TranslationChannel still(f64 x) {
  TranslationChannel c{};
  c.constant = 1, c.value = fixed(x);
  return c;
}
TranslationChannel moving(u8 step, bool narrow, u32 frames, const std::function<f64(f64)>& f) {
  TranslationChannel c{};
  c.curve = curve_of(step, narrow, frames);
  for (const u32 i : sampled_frames(step, frames)) c.samples.push_back(fixed(f(i)).raw);
  return c;
}
ScaleChannel still_scale(f64 x) {
  ScaleChannel c{};
  c.constant = 1, c.value = fixed(x), c.inverse = fixed(1 / x);
  return c;
}
ScaleChannel growing(u8 step, bool narrow, u32 frames, const std::function<f64(f64)>& f) {
  ScaleChannel c{};
  c.curve = curve_of(step, narrow, frames);
  for (const u32 i : sampled_frames(step, frames)) {
    c.samples.push_back(fixed(f(i)).raw);
    c.samples.push_back(fixed(1 / f(i)).raw);
  }
  return c;
}
Track track(u8 node) {
  Track t{};
  t.node = node;
  t.translation_model = t.rotation_model = t.scale_model = 1;
  return t;
}

u16 Rotations::pivot(int axis, f64 degrees) {
  PivotRotation p{};
  fill_pivot(p, p.a, p.b, turned(axis, degrees), 4 * axis);
  const auto same = [&](const PivotRotation& o) {
    return o.pivot_index == p.pivot_index && o.a.raw == p.a.raw && o.b.raw == p.b.raw && o.c_negative == p.c_negative &&
           o.d_negative == p.d_negative;
  };
  const auto i = std::find_if(pivots.begin(), pivots.end(), same);
  const u16 index = u16(0x8000 | (i - pivots.begin()));
  if (i == pivots.end()) pivots.push_back(p);
  return index;
}
u16 Rotations::basis(const Frame& f) {
  const auto m = elements(f);
  const auto part = [&](size_t i) { return u32(fixed_16(m[i]).raw); };
  const u32 third = part(5);  // its bits stand below those of the other five
  BasisRotation b{};
  for (size_t i = 0; i < 5; ++i) b.words[i] = u16(part(i) << 3 | (third >> (i == 4 ? 12 : 9 - 3 * i) & 7));
  const auto i = std::find_if(bases.begin(), bases.end(), [&](auto& o) { return o.words == b.words; });
  const u16 index = u16(i - bases.begin());
  if (i == bases.end()) bases.push_back(b);
  return index;
}
RotationChannel still_rotation(u16 index) {
  RotationChannel c{};
  c.constant = 1, c.index = index;
  return c;
}
RotationChannel turning(u8 step, u32 frames, const std::function<u16(f64)>& f) {
  RotationChannel c{};
  c.curve = curve_of(step, false, frames);
  for (const u32 i : sampled_frames(step, frames)) c.samples.push_back(f(i));
  return c;
}

static u32 sine_and_cosine(f64 degrees) {
  const Frame f = turned(2, degrees);
  return low_half(f.x.y) | low_half(f.x.x) << 16;
}
/// Constants have the number of frames as their last.
static TextureChannel texture_constant(u32 data) {
  TextureChannel c{};
  c.constant = 1;
  c.data = data;
  return c;
}
TextureChannel texture_still(f64 x, bool narrow) {
  TextureChannel c = texture_constant(u32(fixed(x).raw));
  c.narrow = narrow;
  return c;
}
TextureChannel texture_still_angle(f64 degrees) { return texture_constant(sine_and_cosine(degrees)); }
static TextureChannel texture_curve(u8 step, bool narrow, u32 frames) {
  TextureChannel c{};
  c.step = step, c.narrow = narrow, c.last = last_of(step, frames);
  return c;
}
TextureChannel texture_moving(u8 step, bool narrow, u32 frames, const std::function<f64(f64)>& f) {
  TextureChannel c = texture_curve(step, narrow, frames);
  for (const u32 i : sampled_frames(step, frames)) c.samples.push_back(fixed(f(i)).raw);
  return c;
}
TextureChannel texture_turning(u8 step, u32 frames, const std::function<f64(f64)>& degrees) {
  TextureChannel c = texture_curve(step, false, frames);
  for (const u32 i : sampled_frames(step, frames)) {
    const u32 both = sine_and_cosine(degrees(i));
    c.samples.push_back(i16(both));
    c.samples.push_back(i16(both >> 16));
  }
  return c;
}
ColorChannel color_still(u16 x) {
  ColorChannel c{};
  c.constant = 1, c.data = x;
  return c;
}
ColorChannel color_moving(u8 step, u32 frames, const std::function<u16(f64)>& f) {
  ColorChannel c{};
  c.step = step, c.last = last_of(step, frames);
  for (const u32 i : sampled_frames(step, frames)) c.samples.push_back(f(i));
  return c;
}

}  // namespace dio::nitro::make
