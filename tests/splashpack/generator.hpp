// generator.hpp: scene packs no tool would make: blocks in any order, with anything between them, shared or
// empty; any numbers; palettes of odd lengths; scripts whose length is short. The same seed gives the same file.
#pragma once
#include <algorithm>
#include <random>

#include "samples/splashpack/packs.hpp"

namespace dio::test {

class SplashpackGenerator {
 public:
  SplashpackGenerator(u64 seed, splashpack::Layout l) : rng_(seed * 31 + u64(l)), layout_(l) {}

  /// What was put into a file: so that a test can see that nothing was left out.
  struct Oddities {
    bool gap = false, junk = false, shuffled = false, shared = false, empty = false, tail = false, odd_clut = false,
         short_script = false, padding = false;
  };
  Oddities odd;

  /// As an exporter writes it: every block at the padded end of the one before.
  Bytes placed_file() { return bytes_of(pack()); }

  /// The same with its blocks laid out as no exporter would.
  Bytes odd_file() {
    splashpack::Pack made = pack();
    made.agents.clear();  // what follows them has to be in its place
    const Bytes placed = bytes_of(made);
    auto loaded = load<splashpack::Pack>(placed, {.layout = i64(layout_)});
    if (!loaded) return {};
    splashpack::Pack p = loaded->document.value();
    std::vector<Block> blocks = blocks_of(p);
    u64 end = placed.size();
    if (!is_later() && !blocks.empty()) {
      end = placed.size();
      for (const Block& b : blocks)
        if (b.size) end = std::min<u64>(end, *b.offset);
    }
    odd.shuffled = one_in(2);
    if (odd.shuffled) std::shuffle(blocks.begin(), blocks.end(), rng_);
    Bytes junk(placed.begin(), placed.begin() + std::ptrdiff_t(end));  // what lies where nothing is put
    for (size_t i = 0; i < blocks.size(); ++i) {
      Block& b = blocks[i];
      const auto twin = std::find_if(blocks.begin(), blocks.begin() + std::ptrdiff_t(i), [&](const Block& other) {
        return other.size == b.size && b.size && other.content == b.content;
      });
      if (twin != blocks.begin() + std::ptrdiff_t(i) && one_in(2)) {
        *b.offset = *twin->offset;
        odd.shared = true;
        continue;
      }
      if (!b.size && one_in(2)) {  // an empty list may point anywhere
        *b.offset = u32(below(1u << 31));
        odd.empty = true;
        continue;
      }
      if (one_in(4)) pad(junk, 1 + below(9)), odd.gap = true;
      while (!one_in(8) && junk.size() % 4) junk.push_back(0);
      *b.offset = u32(junk.size());
      junk.resize(junk.size() + b.size);
      // A writer that counted characters wrote more bytes than it said.
      if (b.is_script && one_in(3)) junk.insert(junk.end(), {0xC3, 0xA4}), odd.short_script = true;
    }
    if (one_in(4)) pad(junk, 1 + below(20)), odd.tail = true;
    return written(p, std::move(junk));
  }

  splashpack::Pack pack() {
    using namespace splashpack;
    if (is_later() && one_in(3)) return later_pack();
    Pack p;
    p.form = layout_;
    p.version = is_later() ? u16(layout_) : 1;
    p.start = any<Vec16>(), p.rotation = any<Vec16>(), p.height.raw = u16(rng_());
    odd.padding = one_in(4);
    if (odd.padding)
      p.unk_a = u16(rng_()), p.unk_c = u16(rng_()), p.unk_e = u16(rng_()), p.unk_1a = u16(rng_()),
      p.unk_1c = u32(rng_()), p.unk_1e = u16(rng_());
    if (since(k_scripts))
      for (u64 n = below(4); n--;) p.scripts.push_back({0, script()});
    for (u64 n = one_in(30) ? 0 : 1 + below(4); n--;) p.objects.push_back(object());
    if (since(k_navmeshes) && !is_later())
      for (u64 n = below(3); n--;) {
        p.navmeshes.push_back({0, u16(odd.padding ? rng_() : 0), {}});
        for (u64 t = below(5); t--;) p.navmeshes.back().triangles.push_back(any<NavTriangle>());
      }
    for (u64 n = below(3); n--;) p.atlases.push_back(atlas());
    if (since(k_pages_in_triangles))
      for (u64 n = below(4); n--;) p.cluts.push_back(clut());
    p.script = i16(rng_());
    if (!is_later()) return p;
    p.scene_type = u16(below(3));
    fill(p.colliders), fill(p.triggers), fill(p.bvh_nodes), fill(p.interactables, [&] { return interactable(); });
    if (!p.bvh_nodes.empty()) fill(p.bvh_refs);
    fill(p.rooms);
    if (!p.rooms.empty()) fill(p.room_portals), fill(p.room_refs), fill(p.room_cells), fill(p.room_portal_refs);
    if (one_in(2)) {
      p.nav.emplace();
      fill(p.nav->regions), fill(p.nav->portals);
      p.nav->regions.push_back(any<NavRegion>());
    }
    if (one_in(6)) {
      WorldCollision w;
      w.mesh_count = u16(1 + below(2)), w.triangle_count = u16(below(3)), w.chunks_x = u16(below(3)),
      w.chunks_z = u16(below(3));
      w.content = bytes(WorldCollision::size_of(w));
      p.world_collision = std::move(w);
    }
    if (one_in(2))
      for (Object& o : p.objects) o.name = name().value_or("x");
    fill(p.audio_clips, [&] {
      AudioClip c;
      c.size = u32(below(99)), c.rate = u16(rng_()), c.name = name();
      return c;
    });
    fill(p.cutscenes, [&] {
      Cutscene c;
      c.frame_count = u16(rng_()), c.name = name();
      fill(c.tracks, [&] { return track(); });
      fill(c.audio_events), fill(c.skin_events);
      return c;
    });
    fill(p.animations, [&] {
      Animation a;
      a.frame_count = u16(rng_()), a.name = name();
      fill(a.tracks, [&] { return track(); });
      fill(a.skin_events);
      return a;
    });
    fill(p.skins, [&] { return skin(p); });
    fill(p.fonts);
    fill(p.canvases, [&] {
      UiCanvas c;
      c.name = name();
      fill(c.elements, [&] { return element(); });
      return c;
    });
    if (since(k_memory_card) && one_in(2)) {
      p.memory_card.emplace();
      p.memory_card->title = name().value_or(""), p.memory_card->product = "SLUS-00001";
      for (u16& c : p.memory_card->colors) c = u16(rng_());
    }
    if (!since(k_agents)) return p;
    const auto offset = [&] { return fx32{i32(rng_() % 65536) - 32768}; };
    const auto place = [&] { return splashpack::Vec32{offset(), offset(), offset()}; };
    fill(p.agents, [&] {
      splashpack::Agent a;
      a.object = u16(rng_()), a.flags = u8(rng_()), a.speed.raw = u16(rng_()), a.view_cosine.raw = i16(rng_());
      for (u64 n = below(9); n-- > 0;) a.waypoints.push_back(place());
      return a;
    });
    p.scene_hash = u32(rng_());
    fill(p.sprite_sheets, [&] {
      splashpack::SpriteSheet e;
      e.columns = u8(rng_()), e.rows = u8(rng_()), e.cell_width = u8(rng_()), e.depth = u8(below(3));
      e.name = name();
      return e;
    });
    fill(p.sprite_animations, [&] {
      splashpack::SpriteAnimation e;
      e.sheet = u8(rng_()), e.cell_count = u8(rng_()), e.name = name();
      return e;
    });
    if (one_in(2)) {
      auto& stream = p.stream.emplace();
      stream.slot_count = u16(rng_()), stream.slot_size = u32(rng_());
      fill(stream.regions), fill(stream.refs);
    }
    if (since(k_tilemap) && one_in(2)) {
      auto& map = p.tilemap.emplace();
      map.width = u16(below(9)), map.height = u16(below(9)), map.sheet = u8(rng_());
      map.tiles.resize(size_t(map.width) * map.height);
      for (auto& t : map.tiles) t = {u8(rng_()), u8(below(2))};
      fill(map.tile_objects);
    }
    if (since(k_lights) && one_in(2)) {
      fill(p.lights.emplace().entries, [&] {
        splashpack::PackLight e;
        e.position = place(), e.radius = offset(), e.intensity.raw = u16(rng_()), e.name = name();
        return e;
      });
    }
    if (u32(layout_) >= splashpack::k_buffers) p.ordering_table_size = u32(rng_());
    return p;
  }

 private:
  struct Block {
    u32* offset;
    u64 size;
    Bytes content;
    bool is_script;
  };

  bool is_later() const { return layout_ >= splashpack::Layout::v20; }
  bool since(u32 first) const { return u32(layout_) >= first; }
  u64 below(u64 n) { return rng_() % n; }
  bool one_in(u64 n) { return !below(n); }
  Bytes bytes(u64 n) {
    Bytes b(n);
    for (u8& x : b) x = u8(rng_());
    return b;
  }
  /// A record of fixed size with any bits.
  template <class T>
  T any() {
    const Bytes b = bytes(wire_size<T>(u32(layout_)));
    Reader r(b, std::endian::little);
    r.version(u32(layout_));
    T t{};
    r("", t);
    return t;
  }
  template <class T>
  void fill(std::vector<T>& list, auto make) {
    for (u64 n = one_in(2) ? 0 : below(4); n--;) list.push_back(make());
  }
  template <class T>
  void fill(std::vector<T>& list) {
    fill(list, [&] { return any<T>(); });
  }
  void pad(Bytes& b, u64 n) {
    const bool zeros = one_in(2);
    if (!zeros) odd.junk = true;
    while (n--) b.push_back(zeros ? 0 : u8(1 + below(255)));
  }

  std::string script() {
    static constexpr std::string_view k_texts[] = {"", "-- x", "function f() end\n", "-- \xC3\xA4\n", "x = 1"};
    const std::string_view s = k_texts[below(std::size(k_texts))];
    if (!one_in(5)) return std::string(s);
    const Bytes any = bytes(below(40));
    return {any.begin(), any.end()};
  }
  std::optional<std::string> name() {
    static constexpr std::string_view k_names[] = {"", "a", "crate", "hud/title", "\xC3\xA4", "\xFF\xFE"};
    if (one_in(4)) return {};
    return std::string(k_names[below(std::size(k_names))]);
  }
  splashpack::Object object() {
    using namespace splashpack;
    Object o;
    o.position = any<Vec32>();
    for (auto& n : o.rotation) n.raw = i32(rng_());
    o.page = u16(rng_()), o.clut_x = u16(rng_()), o.clut_y = u16(rng_());
    for (u16& c : o.colors) c = u16(rng_());
    o.script = i16(rng_()), o.flags = u32(rng_()), o.interactable = u16(rng_()), o.box = any<Box>();
    if (odd.padding) o.unk_54 = u16(rng_()), o.unk_64 = u32(rng_());
    const u64 n = one_in(6) ? 0 : 1 + below(6);
    const bool same = one_in(4);  // objects with equal triangles may share them
    for (u64 i = 0; i < n; ++i) o.triangles.push_back(same ? Triangle{} : any<Triangle>());
    return o;
  }
  splashpack::Atlas atlas() {
    splashpack::Atlas a;
    a.width = u16(1 + below(8)), a.height = u16(one_in(8) ? 0 : 1 + below(6)), a.x = u16(rng_()), a.y = u16(rng_());
    if (!is_later()) a.texels = bytes(u64(a.width) * a.height * 2);
    return a;
  }
  splashpack::Clut clut() {
    splashpack::Clut c;
    c.x = u16(rng_()), c.y = u16(rng_()), c.length = u16(below(20));
    const bool is_inside = !since(splashpack::k_offsets_first);
    odd.odd_clut = odd.odd_clut || (!is_inside && c.length % 2);
    if (is_later()) return c;
    c.colors.resize(is_inside ? 256 : c.length);
    for (u16& color : c.colors) color = u16(rng_());
    return c;
  }
  splashpack::Interactable interactable() {
    splashpack::Interactable i;
    i.radius_squared.raw = i32(rng_()), i.flags = u8(rng_()), i.prompt_canvas = name().value_or("");
    return i;
  }
  splashpack::Track track() {
    splashpack::Track t;
    t.type = u8(below(16)), t.target = name();
    fill(t.keys);
    return t;
  }
  splashpack::Skin skin(const splashpack::Pack& p) {
    using namespace splashpack;
    Skin s;
    s.object = u16(one_in(5) ? 999 : below(4)), s.bone_count = u8(below(3)), s.name = name();
    if (s.object < p.objects.size()) s.corner_bones.resize(p.objects[s.object].triangles.size());
    fill(s.clips, [&] {
      SkinClip c;
      c.name = name().value_or(""), c.fps = u8(rng_()), c.frame_count = u16(below(3));
      for (u64 n = u64(c.frame_count) * s.bone_count; n--;) c.frames.push_back(any<BoneMatrix>());
      return c;
    });
    return s;
  }
  splashpack::UiElement element() {
    using namespace splashpack;
    UiElement e;
    e.type = UiType(below(7)), e.name = name(), e.text = name();
    e.x = i16(rng_()), e.x1 = u16(rng_()), e.depth = u8(rng_()), e.value = u8(rng_()), e.font = u8(rng_());
    return e;
  }
  /// The sample with something in every part, in the layout.
  splashpack::Pack later_pack() {
    splashpack::Pack p = splashpack::sample_scene_with_everything().pack;
    p.form = layout_, p.version = u16(layout_);
    return p;
  }

  template <class List>
  static Bytes wire(const List& list, u32 version) {
    Writer w(std::endian::little, k_max_file_size);
    w.version(version);
    w("", list);
    return std::move(w.out);
  }
  std::vector<Block> blocks_of(splashpack::Pack& p) {
    std::vector<Block> all;
    const auto add = [&](u32& offset, const auto& list, bool is_script = false) {
      Bytes content = wire(list, u32(layout_));
      const u64 size = content.size();
      all.push_back({&offset, size, std::move(content), is_script});
    };
    for (auto& s : p.scripts) add(s.offset, s.text, true);
    for (auto& o : p.objects) add(o.offset, o.triangles);
    if (is_later()) return all;
    for (auto& n : p.navmeshes) add(n.offset, n.triangles);
    for (auto& a : p.atlases) add(a.offset, a.texels);
    if (since(splashpack::k_offsets_first))
      for (auto& c : p.cluts) add(c.offset, c.colors);
    return all;
  }
  /// The document where its offsets say, over the junk.
  static Bytes written(const splashpack::Pack& p, Bytes junk) {
    Writer w(std::endian::little, junk.size());
    splashpack::Pack::layout(w, p);
    if (!w.good()) return {};
    w.written.resize(w.out.size(), w.ordered);
    for (size_t i = 0; i < w.out.size(); ++i)
      if (w.ordered || w.written[i]) junk[i] = w.out[i];
    return junk;
  }

  std::mt19937_64 rng_;
  splashpack::Layout layout_;
};

}  // namespace dio::test
