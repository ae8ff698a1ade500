#include "formats/brres/from_scene/clr_builder.hpp"

#include <algorithm>

#include "formats/brres/from_scene/clips.hpp"
#include "formats/brres/from_scene/material_builder.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "scene/channels.hpp"

namespace dio::brres {

static ClrMaterial build_clr_material(const std::string& name, const scene::MaterialChannel& c, const Clip& clip) {
  ClrMaterial out;
  out.name = name;
  ClrTrack& t = out.tracks[0];  // the colour of the first channel
  for (u32 f = 0; f <= clip.frames; ++f) {
    const auto [r, g, b, a] = to_display_color(scene::value_at(c, clip.seconds(f), k_near_key));
    t.colors.push_back({r, g, b, a});
  }
  constexpr u32 k_animated = 1, k_constant = 2;
  out.flags = k_animated;
  if (std::ranges::all_of(t.colors, [&](const ClrColor& x) { return x == t.colors[0]; })) {
    out.flags |= k_constant;
    t.color = t.colors[0];
    t.colors.clear();
  }
  return out;
}

BuiltClrFiles build_clr_files(const scene::Scene& s, std::span<const MadeMaterial> materials) {
  BuiltClrFiles out;
  UniqueNames names;
  for (const scene::Animation& from : s.animations) {
    const Clip clip = read_clip(from);
    ClrAnimation a;
    a.frame_count = clip.frames, a.loop = clip.is_loop;
    size_t& taken = out.taken.emplace_back();
    for (const scene::MaterialChannel& c : from.material_channels) {
      if (c.target != scene::MaterialChannel::Target::color) continue;
      bool is_taken = false;
      for (const MadeMaterial& m : materials) {
        if (m.in_scene != c.material) continue;
        is_taken = true;
        if (m.has_vertex_colors)
          out.vertex.insert(m.name);
        else if (std::ranges::find(a.materials, m.name, &ClrMaterial::name) == a.materials.end())
          a.materials.push_back(build_clr_material(m.name, c, clip));
      }
      taken += is_taken;
    }
    if (a.materials.empty()) continue;
    a.name = names(from.name, "course");
    out.files.push_back({std::move(a), {}});
  }
  return out;
}

}  // namespace dio::brres
