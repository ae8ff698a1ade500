#include "formats/splashpack/pictures/texels_encode.hpp"

#include <algorithm>

#include "console/psx/gpu.hpp"
#include "core/base64.hpp"
#include "core/little_endian.hpp"
#include "core/text_format.hpp"

namespace dio::splashpack {

Value value_of(const Texels& texels) {
  const auto append_word = [](Bytes& to, u16 w, bool low_first) {
    to.push_back(u8(low_first ? w : w >> 8));
    to.push_back(u8(low_first ? w >> 8 : w));
  };
  Bytes colors, indices;
  for (const u16 w : texels.palette) append_word(colors, w, false);
  for (const u16 w : texels.colors) {
    if (texels.depth == 16)
      append_word(indices, w, true);
    else
      indices.push_back(u8(std::ranges::lower_bound(texels.palette, w) - texels.palette.begin()));
  }
  Value out = Value::object();
  out.add("width", texels.width);
  out.add("height", texels.height);
  out.add("depth", texels.depth);
  if (texels.depth != 16) out.add("colors", encode_hex(colors));
  out.add("texels", encode_base64(indices));
  return out;
}

std::optional<Texels> texels_from_json(const Value& value) {
  const auto read_dimension = [&](const char* name) {
    const Value* v = value.find(name);
    const bool is_number = v && (v->is(Value::Kind::integer) || v->is(Value::Kind::real));
    return is_number && v->number() >= 1 && v->number() <= psx::k_most_side ? u32(v->number()) : 0;
  };
  const auto text = [&](const char* name) {
    const Value* v = value.find(name);
    return v && v->is(Value::Kind::text) ? std::string_view(v->text()) : std::string_view();
  };
  const u32 width = read_dimension("width"), height = read_dimension("height"), depth = read_dimension("depth");
  const u64 count = u64(width) * height;
  if (!count || (depth != 4 && depth != 8 && depth != 16)) return {};
  const auto indices = decode_base64(text("texels"));
  const auto colors = decode_hex(text("colors"));
  if (!indices || !colors || indices->size() != count * (depth == 16 ? 2 : 1)) return {};
  const auto word = [](const Bytes& b, size_t i) { return u16(b[2 * i] << 8 | b[2 * i + 1]); };
  if (depth != 16 && colors->size() / 2 > most_colors(u8(depth))) return {};
  std::vector<u16> words;
  words.reserve(size_t(count));
  for (size_t i = 0; i < count; ++i) {
    if (depth == 16) {
      words.push_back(read_u16_le(indices->data() + 2 * i));
      continue;
    }
    if ((*indices)[i] >= colors->size() / 2) return {};
    words.push_back(word(*colors, (*indices)[i]));
  }
  return make_texels(width, height, u8(depth), std::move(words));
}

Value encode_exact_texels(const VideoMemory& memory, const TexelRegion& island) {
  std::vector<u16> words;
  for (u32 v = island.v; v < island.v + island.height; ++v)
    for (u32 u = island.u; u < island.u + island.width; ++u)
      words.push_back(texel_at(memory, island.source, u8(u), u8(v)));
  return value_of(make_texels(island.width, island.height, u8(bits_of(island.source)), std::move(words)));
}

}  // namespace dio::splashpack
