#include "formats/brres/layout/animation_placement.hpp"

#include <algorithm>

#include "core/sorting.hpp"

namespace dio::brres {

namespace {

/// Allocates the header, the dictionary and its entries. `place_entry` allocates an entry and returns its offset.
/// `place_rest` allocates the other parts and receives the offset of the animation.
template <class A, class Entry>
void place_parts_of(OffsetAllocator& p, A& a, std::vector<Entry>& entries, u32 header_size, auto place_entry,
                    auto place_rest) {
  const u32 start = p.take(header_size);
  a.data_offset = i32(p.at - start);
  const u32 dictionary = p.take(dictionary_size(entries.size()));
  a.dictionary.entries.resize(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    a.dictionary.entries[i].name = entries[i].name;
    a.dictionary.entries[i].data_offset = i32(p.at - dictionary);
    p.name(entries[i], place_entry(entries[i]));
  }
  place_rest(start);
  p.dictionary(a.dictionary, dictionary);
  p.name(a, start);
  a.user_data_offset = a.source_path_offset = 0;
  a.header.size = p.at - start;
}

/// Places curves after the entries that refer to them.
template <class Track>
class CurvePlacer {
 public:
  /// `from`: the position that the offset counts from.
  void add(Track& t, i32& offset, u32 from) { curves_.push_back({&t, &offset, from}); }
  /// The games' SRT0 files have the last curves first, and larger ones before smaller ones.
  void sort_by_size(auto size_of) {
    std::ranges::reverse(curves_);
    sort_stably(curves_, [&](const Curve& x, const Curve& y) { return size_of(*x.track) > size_of(*y.track); });
  }
  void place(OffsetAllocator& p, auto is_same, auto size_of) {
    std::vector<std::pair<const Track*, u32>> placed;
    for (const Curve& c : curves_) {
      auto known = std::ranges::find_if(placed, [&](const auto& x) { return is_same(*x.first, *c.track); });
      if (known == placed.end()) {
        p.align(4);
        known = placed.insert(known, {c.track, p.take(size_of(*c.track))});
      }
      *c.offset = i32(known->second - c.from);
    }
  }

 private:
  struct Curve {
    Track* track;
    i32* offset;
    u32 from;
  };
  std::vector<Curve> curves_;
};

/// A track has keys or samples in one of six formats.
bool is_same_curve(const ChrTrack& a, const ChrTrack& b) {
  return a.unused == b.unused && a.frame_scale == b.frame_scale && a.value_scale == b.value_scale &&
         a.value_offset == b.value_offset && a.keys_32 == b.keys_32 && a.keys_48 == b.keys_48 &&
         a.keys_96 == b.keys_96 && a.samples_8 == b.samples_8 && a.samples_16 == b.samples_16 &&
         a.samples_32 == b.samples_32;
}

}  // namespace

u64 size_of_curve(const ChrTrack& t) {
  constexpr u64 k_count = 8, k_scale = 8;
  if (!t.keys_32.empty()) return k_count + k_scale + 4 * t.keys_32.size();
  if (!t.keys_48.empty()) return k_count + k_scale + 6 * t.keys_48.size();
  if (!t.keys_96.empty()) return k_count + 12 * t.keys_96.size();
  if (!t.samples_8.empty()) return k_scale + t.samples_8.size();
  if (!t.samples_16.empty()) return k_scale + 2 * t.samples_16.size();
  if (!t.samples_32.empty()) return 4 * t.samples_32.size();
  return k_count + k_scale;
}

void place_animation(OffsetAllocator& p, SrtAnimation& a) {
  CurvePlacer<SrtTrack> curves;
  const auto place_material = [&](SrtMaterial& m) {
    const u32 start = p.take(12 + 4 * m.textures.size());
    for (SrtTexture& t : m.textures) {
      t.offset = i32(p.take(4) - start);
      SrtTexture::for_each_track(t, [&](const Key&, SrtTrack& track, bool is_constant) {
        const u32 field = p.take(4);
        if (!is_constant) curves.add(track, track.curve_offset, field);
      });
    }
    return start;
  };
  const u32 header_size = a.header.version >= k_with_user_data_of_srts ? 0x2C : 0x28;
  const auto size_of = [](const SrtTrack& t) { return 8 + 12 * t.keys.size(); };
  place_parts_of(p, a, a.materials, header_size, place_material, [&](u32) {
    curves.sort_by_size(size_of);
    curves.place(
        p,
        [](const SrtTrack& known, SrtTrack& t) {
          if (known.keys != t.keys) return false;
          t.unused = known.unused, t.frame_scale = known.frame_scale;
          return true;
        },
        size_of);
  });
  a.material_count = u16(a.materials.size());
}

void place_animation(OffsetAllocator& p, ChrAnimation& a) {
  CurvePlacer<ChrTrack> curves;
  const auto place_bone = [&](ChrBone& b) {
    const u32 start = p.take(8);
    ChrBone::for_each_track(b, [&](u32, ChrTrack& track, u8 format) {
      p.take(4);
      if (format != curve_format::constant) curves.add(track, track.curve_offset, start);
    });
    return start;
  };
  place_parts_of(p, a, a.bones, 0x2C, place_bone, [&](u32) { curves.place(p, is_same_curve, size_of_curve); });
  a.entry_count = u16(a.bones.size());
}

void place_animation(OffsetAllocator& p, ClrAnimation& a) {
  CurvePlacer<ClrTrack> curves;
  const auto place_material = [&](ClrMaterial& m) {
    const u32 start = p.take(8);
    for (size_t i = 0; i < m.tracks.size(); ++i) {
      if (!(m.flags >> 2 * i & 1)) continue;
      const u32 field = p.take(8) + 4;
      if (!(m.flags >> 2 * i & 2)) curves.add(m.tracks[i], m.tracks[i].colors_offset, field);
    }
    return start;
  };
  place_parts_of(p, a, a.materials, 0x28, place_material, [&](u32) {
    curves.place(
        p, [](const ClrTrack& x, const ClrTrack& y) { return x.colors == y.colors; },
        [](const ClrTrack& t) { return 4 * t.colors.size(); });
  });
  a.entry_count = u16(a.materials.size());
}

void place_animation(OffsetAllocator& p, PatAnimation& a) {
  CurvePlacer<PatTrack> curves;
  const auto place_material = [&](PatMaterial& m) {
    const u32 start = p.take(8);
    for (size_t i = 0; i < m.tracks.size(); ++i) {
      if (!(m.flags >> 4 * i & 1)) continue;
      p.take(4);
      if (!(m.flags >> 4 * i & 2)) curves.add(m.tracks[i], m.tracks[i].keys_offset, start);
    }
    return start;
  };
  place_parts_of(p, a, a.materials, 0x3C, place_material, [&](u32 start) {
    curves.place(
        p,
        [](const PatTrack& x, const PatTrack& y) {
          return x.unused == y.unused && x.frame_scale == y.frame_scale && x.keys == y.keys;
        },
        [](const PatTrack& t) { return 8 + 8 * t.keys.size(); });
    const auto place_names = [&](std::vector<PatName>& names, i32& offset) {
      const u32 list = p.take(4 * names.size());
      offset = i32(list - start);
      for (PatName& name : names) p.name(name, list);
    };
    place_names(a.texture_names, a.texture_names_offset);
    place_names(a.palette_names, a.palette_names_offset);
    a.textures_offset = i32(p.take(4 * a.texture_names.size()) - start);
    a.palettes_offset = i32(p.take(4 * a.palette_names.size()) - start);
  });
  a.entry_count = u16(a.materials.size());
}

void place_animation(OffsetAllocator& p, VisAnimation& a) {
  const auto place_bone = [&](VisBone& b) {
    return p.take(8 + (b.flags & VisBone::k_constant ? 0 : 4 * b.visible.size()));
  };
  place_parts_of(p, a, a.bones, 0x28, place_bone, [](u32) {});
  a.entry_count = u16(a.bones.size());
}

}  // namespace dio::brres
