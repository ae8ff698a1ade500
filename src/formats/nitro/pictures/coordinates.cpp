#include "formats/nitro/pictures/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::nitro {
namespace {

using Factors = std::array<f64, 2>;  // for S and T
constexpr Factors k_same{1, 1};

/// False if a coordinate does not fit in 16 bits.
bool scale_texcoords(Bytes& list, const Factors& by) {
  bool fits = true;
  for_each_gx_command(list, [&](u8 code, const u8* parameters) {
    if (code != gx::texcoord) return;
    u8* const at = list.data() + (parameters - list.data());
    const u32 word = gx_read_word(parameters);
    for (size_t i = 0; i < 2; ++i) {
      const f64 scaled = std::round(i16(word >> 16 * i) * by[i]);
      fits &= scaled >= -32768 && scaled <= 32767;
      const u16 stored = u16(i16(std::clamp(scaled, -32768.0, 32767.0)));
      at[2 * i] = u8(stored), at[2 * i + 1] = u8(stored >> 8);
    }
  });
  return fits;
}

tl::unexpected<Diagnostic> refuse_rescale(const Model& m, std::string_view list, std::string_view why) {
  return refuse("nitro.rescale", {}, {.message = text(list, " of the model \"", m.name, "\" ", why)});
}

}  // namespace

TextureSizes list_texture_sizes(const Textures& all) {
  TextureSizes out;
  for (const Texture& t : all.textures) out.try_emplace(t.name, std::array{t.width(), t.height()});
  return out;
}

Result<u64> rescale_texcoords(Nsbmd& file, const TextureSizes& before) {
  if (!file.textures) return 0;
  std::map<std::string, Factors> changed;
  for (const auto& [name, now] : list_texture_sizes(*file.textures))
    if (const auto was = before.find(name); was != before.end() && was->second != now)
      changed[name] = {f64(now[0]) / was->second[0], f64(now[1]) / was->second[1]};
  u64 count = 0;
  for (Model& m : file.models) {
    std::vector<Factors> of_material(m.materials.size(), k_same);
    for (const Pairing& p : m.textures)
      if (const auto by = changed.find(p.name); by != changed.end())
        for (const u8 i : p.materials)
          if (i < m.materials.size()) of_material[i] = by->second;
    std::vector<std::optional<Factors>> of_shape(m.shapes.size());
    size_t material = m.materials.size();
    for (SbcCommand& c : m.sbc) {
      if (c.code == sbc::mat) material = c.index;
      const Factors by = material < m.materials.size() ? of_material[material] : k_same;
      if (c.code == sbc::calldl && by != k_same && !scale_texcoords(c.list, by))
        return refuse_rescale(m, "a display list", "would need texture coordinates of more than 16 bits");
      if (c.code != sbc::shp || c.index >= m.shapes.size()) continue;
      if (of_shape[c.index] && *of_shape[c.index] != by)
        return refuse_rescale(m, text("shape \"", m.shapes[c.index].name, "\""),
                              "is drawn with textures whose sizes changed by different factors");
      of_shape[c.index] = by;
    }
    for (size_t i = 0; i < m.shapes.size(); ++i) {
      if (of_shape[i].value_or(k_same) == k_same) continue;
      if (!scale_texcoords(m.shapes[i].list, *of_shape[i]))
        return refuse_rescale(m, text("shape \"", m.shapes[i].name, "\""),
                              "would need texture coordinates of more than 16 bits");
      ++count;
    }
    for (size_t i = 0; i < m.materials.size(); ++i) {
      Material& x = m.materials[i];
      x.original_width = u16(std::lround(x.original_width * of_material[i][0]));
      x.original_height = u16(std::lround(x.original_height * of_material[i][1]));
    }
  }
  return count;
}

}  // namespace dio::nitro
