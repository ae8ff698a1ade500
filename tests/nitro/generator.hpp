// generator.hpp: Nitro documents no tool would make: every flag and number at random, lists of any length, broken
// display lists, tables shared or empty. The same seed gives the same document.
#pragma once
#include <string>
#include <vector>

#include "formats/nitro/parts.hpp"

namespace dio::test {

class NitroGenerator {
 public:
  explicit NitroGenerator(u64 seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}

  static constexpr const char* k_kinds[] = {"nsbmd", "nsbtx", "nsbca", "nsbtp", "nsbta", "nsbma", "nsbva"};
  /// A file of that kind, placed.
  Result<Bytes> file(std::string_view kind) {
    if (kind == "nsbmd") return placed(models());
    if (kind == "nsbtx") return placed(texture_set());
    if (kind == "nsbca") return placed(joints());
    if (kind == "nsbtp") return placed(patterns());
    if (kind == "nsbta") return placed(texture_motion());
    if (kind == "nsbma") return placed(colors());
    return placed(visibility());
  }

 private:
  u64 state_;
  u64 names_ = 0;

  u64 next() {
    u64 z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  u64 below(u64 n) { return n ? next() % n : 0; }
  bool one_in(u64 n) { return below(n) == 0; }
  Bytes bytes(u64 n) {
    Bytes b;
    while (n--) b.push_back(one_in(4) ? 0 : u8(next()));
    return b;
  }
  /// No two are the same; some are as long as can be.
  std::string name() {
    std::string s = std::to_string(names_++);
    while (s.size() < 16 && !one_in(3)) s.insert(s.begin(), char('a' + below(26)));
    return one_in(2) || s.size() == 16 ? s : std::string(s.rbegin(), s.rend()) + "_";
  }
  /// A structure read from bytes at random: whatever its flags say. `most`: longer than any.
  template <class T>
  T any(auto read, u64 most = 256) {
    const Bytes b = bytes(most);
    Reader r(b, std::endian::little);
    T x{};
    read(r, x);
    return x;
  }
  template <class T>
  T any() {
    return any<T>([](auto& r, T& x) { T::layout(r, x); });
  }
  template <class T>
  T any_entry() {
    T x = any<T>([](auto& r, T& e) { T::entry(r, e); });
    x.name = name();
    return x;
  }
  template <class T>
  T named() {
    T x = any<T>();
    x.name = name();
    return x;
  }
  void some(u64 most, auto&& list, auto make) {
    for (u64 n = below(most + 1); n > 0; --n) list.push_back(make());
  }
  template <class T>
  static Result<Bytes> placed(T file) {
    Document<T> d;
    d.edit() = std::move(file);
    return save(d, {.canonical = true});
  }

  // ---- models ----

  /// Mostly commands of the geometry engine, with parameters at random.
  Bytes display_list() {
    if (one_in(10)) return bytes(below(20));
    Bytes b;
    for (u64 packets = below(6); packets > 0; --packets) {
      u64 words = 0;
      for (int i = 0; i < 4; ++i) {
        u8 code;
        do code = u8(one_in(8) ? 0 : one_in(6) ? next() : 0x20 + below(9));
        while (nitro::gx_parameter_count(code) < 0 && !one_in(50));
        b.push_back(code);
        words += u64(std::max(0, nitro::gx_parameter_count(code)));
      }
      const Bytes parameters = bytes(4 * words);
      b.insert(b.end(), parameters.begin(), parameters.end());
    }
    return b;
  }
  nitro::SbcCommand command() {
    auto c = any<nitro::SbcCommand>([&](auto& r, nitro::SbcCommand& x) { nitro::SbcCommand::layout(r, x); }, 1024);
    c.code = u8(below(14));
    if (c.code == nitro::sbc::ret) c.code = nitro::sbc::nop;
    if (c.code == nitro::sbc::nodemix) {
      c.mix.clear();
      some(4, c.mix, [&] { return any<nitro::Mix>(); });
    }
    c.list.clear();
    if (c.code == nitro::sbc::calldl) c.list = display_list();
    return c;
  }
  nitro::Pairing pairing() {
    auto p = any_entry<nitro::Pairing>();
    p.materials = bytes(below(4));
    return p;
  }
  nitro::Model model() {
    auto m = any<nitro::Model>([](auto& r, nitro::Model& x) {  // the numbers of the header
      r("", x.pos_scale);
      r("", x.box);
      r("", x.box_scale);
      r("", x.inverse_box_scale);
      r("", x.sbc_type);
      r("", x.scaling_rule);
      r("", x.texture_matrix_mode);
    });
    m.name = name();
    some(20, m.nodes, [&] { return named<nitro::Node>(); });
    some(12, m.sbc, [&] { return command(); });
    m.sbc.emplace_back().code = nitro::sbc::ret;
    some(5, m.materials, [&] { return named<nitro::Material>(); });
    some(3, m.textures, [&] { return pairing(); });
    some(3, m.palettes, [&] { return pairing(); });
    some(4, m.shapes, [&] {
      auto s = named<nitro::Shape>();
      s.list = display_list();
      return s;
    });
    if (one_in(3))
      for (size_t i = 0; i < m.nodes.size(); ++i) m.envelopes.push_back(any<nitro::Envelope>());
    return m;
  }
  nitro::Nsbmd models() {
    nitro::Nsbmd f{};
    f.header.version = u16(1 + below(2));
    some(2, f.models, [&] { return model(); });
    if (one_in(2)) f.textures = textures();
    return f;
  }

  // ---- textures ----

  nitro::Textures textures() {
    nitro::Textures t{};
    some(6, t.textures, [&] {
      auto x = any_entry<nitro::Texture>();
      x.width_code = u8(below(2)), x.height_code = u8(below(2));
      x.texels = bytes(x.texel_size());
      if (x.format == nitro::k_block4x4) x.blocks = bytes(x.texel_size() / 2);
      if (one_in(4) && !t.textures.empty()) {  // another look of the same
        const nitro::Texture& o = t.textures.back();
        x.format = o.format, x.width_code = o.width_code, x.height_code = o.height_code, x.texels = o.texels;
        if (x.blocks.size() != o.blocks.size() || one_in(2)) x.blocks = o.blocks;
      }
      return x;
    });
    some(6, t.palettes, [&] {
      auto p = any_entry<nitro::Palette>();
      p.four_colors &= 1;
      for (u64 n = below(20); n > 0; --n) p.colors.push_back(u16(next()));
      if (one_in(4) && !t.palettes.empty()) p.colors = t.palettes.back().colors;
      return p;
    });
    return t;
  }
  nitro::Nsbtx texture_set() {
    nitro::Nsbtx f{};
    f.header.version = 1;
    f.textures = textures();
    return f;
  }

  // ---- animations ----

  i32 sample(bool narrow) { return narrow ? i32(i16(next())) : i32(next()); }
  /// Samples as many as step and last say.
  void fill(u8 step, auto& last, u32 frames, u64 width, bool narrow, auto& samples) {
    if (one_in(2)) last = std::remove_reference_t<decltype(last)>(below(frames + 2));
    last = std::min<std::remove_reference_t<decltype(last)>>(last, 60);
    samples.clear();
    const u64 n = nitro::sample_count(step, last, frames) * width;
    for (u64 i = 0; i < n; ++i)
      samples.push_back(typename std::remove_cvref_t<decltype(samples)>::value_type(sample(narrow)));
  }
  nitro::Track joint_track(u32 frames) {
    auto t = any<nitro::Track>();
    for (auto& c : t.translation) fill(c.curve.step, c.curve.last, frames, 1, c.curve.narrow, c.samples);
    fill(t.rotation.curve.step, t.rotation.curve.last, frames, 1, true, t.rotation.samples);
    for (auto& c : t.scale) fill(c.curve.step, c.curve.last, frames, 2, c.curve.narrow, c.samples);
    return t;
  }
  nitro::Nsbca joints() {
    nitro::Nsbca f{};
    f.header.version = 1;
    some(3, f.animations, [&] {
      if (one_in(4) && !f.animations.empty()) {
        auto again = f.animations.back();
        again.name = name();
        return again;
      }
      nitro::JointAnimation a{};
      a.name = name();
      a.frames = u16(1 + below(20));
      a.interpolate = u8(below(2)), a.interpolate_last = u8(below(2)), a.unused_2 = u32(below(1 << 30));
      some(5, a.tracks, [&] { return joint_track(a.frames); });
      some(3, a.pivots, [&] { return any<nitro::PivotRotation>(); });
      some(3, a.bases, [&] { return any<nitro::BasisRotation>(); });
      return a;
    });
    return f;
  }
  nitro::Nsbtp patterns() {
    nitro::Nsbtp f{};
    f.header.version = 1;
    some(3, f.animations, [&] {
      nitro::PatternAnimation a{};
      a.name = name();
      a.frames = u16(below(100));
      some(20, a.materials, [&] {
        auto m = any_entry<nitro::PatternTrack>();
        m.keys.clear();
        some(4, m.keys, [&] { return any<nitro::PatternKey>(); });
        return m;
      });
      some(4, a.texture_names, [&] { return nitro::TextureName{{name()}}; });
      some(4, a.palette_names, [&] { return nitro::PaletteName{{name()}}; });
      return a;
    });
    return f;
  }
  nitro::Nsbta texture_motion() {
    nitro::Nsbta f{};
    f.header.version = 1;
    some(3, f.animations, [&] {
      nitro::TextureAnimation a{};
      a.name = name();
      a.frames = u16(1 + below(20));
      a.flag = u8(next()), a.texture_matrix_mode = u8(next());
      some(3, a.materials, [&] {
        auto m = any_entry<nitro::TextureTrack>();
        for (auto* c : {&m.scale_s, &m.scale_t, &m.rotation, &m.translation_s, &m.translation_t}) {
          const bool rotation = c == &m.rotation;
          if (!c->constant) fill(c->step, c->last, a.frames, rotation ? 2 : 1, c->narrow || rotation, c->samples);
        }
        return m;
      });
      return a;
    });
    return f;
  }
  nitro::Nsbma colors() {
    nitro::Nsbma f{};
    f.header.version = 1;
    some(3, f.animations, [&] {
      nitro::ColorAnimation a{};
      a.name = name();
      a.frames = u16(1 + below(20));
      a.flag = u16(next());
      some(3, a.materials, [&] {
        auto m = any_entry<nitro::ColorTrack>();
        for (auto* c : {&m.diffuse, &m.ambient, &m.specular, &m.emission, &m.alpha}) {
          fill(c->step, c->last, a.frames, 1, false, c->samples);
          if (c == &m.alpha)
            for (u16& x : c->samples) x &= 0xFF;
        }
        return m;
      });
      return a;
    });
    return f;
  }
  nitro::Nsbva visibility() {
    nitro::Nsbva f{};
    f.header.version = 1;
    some(3, f.animations, [&] {
      nitro::VisibilityAnimation a{};
      a.name = name();
      a.frames = u16(below(40)), a.node_count = u16(below(10)), a.pad_0a = u16(below(3));
      for (u64 n = (u64(a.frames) * a.node_count + 31) / 32; n > 0; --n) a.words.push_back(u32(next()));
      return a;
    });
    return f;
  }
};

}  // namespace dio::test
