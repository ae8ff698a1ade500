#include "formats/splashpack/from_scene/memory_card.hpp"

#include <algorithm>

#include "formats/contract/reporter.hpp"
#include "formats/splashpack/pictures/texels_encode.hpp"

namespace dio::splashpack {

bool is_authored_card(const Value& card) { return card.is(Value::Kind::object) && !card.find("colors"); }

Result<std::optional<MemoryCard>> read_memory_card(const scene::Scene& scene, Diagnostics& notes) {
  constexpr u32 k_side = 16;
  const Value* card = scene.extras.find("memory_card");
  if (!card || !is_authored_card(*card)) return std::optional<MemoryCard>();
  MemoryCard out;
  const auto read_text = [&](const char* name, std::string_view otherwise, size_t most) {
    std::string all(read_text_extra(*card, name).value_or(otherwise));
    if (all.size() <= most) return all;
    note_lost(notes, text("memory_card.", name), text("the text has ", all.size(), " bytes (limit: ", most, ")"),
              "the text is truncated");
    return all.substr(0, most);
  };
  out.region = read_text("region", "BA", 2);
  out.product = read_text("product", "SLUS-00000", 10);
  out.title = read_text("title", scene.name, 32);
  const Value* given = card->find("icons");
  if (!given || !given->is(Value::Kind::list) || !given->size()) {
    note_lost(notes, "memory_card.icons", "the memory card has no icons",
              "the memory card is omitted; give it 1 to 3 pictures");
    return std::optional<MemoryCard>();
  }
  const Value& icons = *given;
  const size_t count = std::min(icons.size(), out.icons.size());
  if (icons.size() > count)
    note_lost(notes, "memory_card.icons", text("the memory card has ", icons.size(), " icons (limit: ", count, ")"),
              "the icons beyond the limit are omitted");
  // The icons are stacked, because they share a palette.
  scene::Image all;
  all.width = k_side, all.height = u32(k_side * count);
  for (size_t i = 0; i < count; ++i) {
    const auto file = read_text_extra(*icons.at(i), "file");
    const auto image = std::ranges::find(scene.images, file.value_or(""), &scene::Image::name);
    const std::string path = text("memory_card.icons[", i, "].file");
    if (!file || image == scene.images.end())
      return refuse("splashpack.make-picture", path,
                    {.message = text("no PNG file or picture of the scene is named \"",
                                     escape_control_chars(file.value_or("")), "\"")});
    if (image->width != k_side || image->height != k_side) {
      note_lost(notes, path, text("the icon has ", image->width, " x ", image->height, " pixels; it must have 16 x 16"),
                "the memory card is omitted");
      return std::optional<MemoryCard>();
    }
    for (u32 y = 0; y < k_side; ++y)
      for (u32 x = 0; x < k_side; ++x) {
        const scene::Rgba color = scene::color_of(*image, x, y);
        all.pixels.insert(all.pixels.end(), color.begin(), color.end());
      }
  }
  const psx::Texels texels = psx::encode_texels(all, 4, 4, false).texels;
  std::ranges::copy(texels.palette, out.colors.begin());
  out.icon_count = u8(count);
  for (size_t n = 0; n < texels.colors.size(); ++n) {
    const u8 index = u8(std::ranges::lower_bound(texels.palette, texels.colors[n]) - texels.palette.begin());
    u8& pair = out.icons[n / (k_side * k_side)][n % (k_side * k_side) / 2];
    pair = n % 2 ? u8(pair | index << 4) : index;
  }
  return std::optional(std::move(out));
}

}  // namespace dio::splashpack
