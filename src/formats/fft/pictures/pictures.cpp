// pictures.cpp: exports texels and palettes as pictures and imports edited ones. Texels are pictures of 16 colours,
// those of a palette of a mesh file; palettes are pictures of 16 x 16 pixels.
#include "formats/contract/pictures.hpp"

#include <algorithm>

#include "console/psx/palette_indices.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/picture_importer.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/pictures/texels.hpp"
#include "formats/fft/scene/polygons.hpp"

namespace dio::fft {

namespace {

using Shown = std::vector<scene::Rgba>;  // the 16 colours with which texels are shown

constexpr u32 k_side = 16;                    // width and height of a picture of palettes
constexpr const char* k_texture = "texture";  // all pages of a texture file

// ---- which palettes ----

/// The number of polygons that use a page with each palette row.
using Uses = std::array<std::array<u32, 16>, k_pages>;
void count_palette_uses(const Mesh& file, Uses& uses) {
  for_each_polygon(file, [&](const PolygonRef&, const auto& p) {
    if constexpr (k_is_textured<decltype(p)>)
      if (p.image == 3 && p.palette < 16) ++uses[p.page][p.palette];
  });
}

/// The palette rows for showing pages: the row used by most polygons or, with `every`, all rows in use. Without
/// polygons row 0, or all rows.
std::vector<u8> choose_palette_rows(const Uses& uses, size_t from, size_t to, bool every) {
  std::array<u32, 16> sum{};
  for (size_t page = from; page < to; ++page)
    for (size_t row = 0; row < sum.size(); ++row) sum[row] += uses[page][row];
  const auto most = std::max_element(sum.begin(), sum.end());
  if (!every) return {u8(most - sum.begin())};
  std::vector<u8> rows;
  for (u8 row = 0; row < sum.size(); ++row)
    if (sum[row] || *most == 0) rows.push_back(row);
  return rows;
}

// ---- export ----

std::string format_hex_color(const scene::Rgba& c) { return "#" + encode_hex({c.data(), c[3] == 255 ? 3u : 4u}); }

Value& add_entry(Value& manifest, const NamedImage& picture, std::string_view part, const char* format) {
  Value& entry = manifest.find("pictures")->push(Value::object());
  entry.add("file", picture.file);
  entry.add("part", part);
  entry.add("format", format);
  entry.add("width", picture.image.width);
  entry.add("height", picture.image.height);
  return entry;
}

PictureSet make_empty_picture_set() {
  PictureSet set;
  set.manifest = Value::object();
  set.manifest.add("pictures", Value::list());
  return set;
}

/// Adds stacked pages, with palettes or in gray.
void add_texels(PictureSet& set, std::string_view part, std::span<const TexturePage* const> pages,
                const Palettes* palettes, const Uses& uses, std::span<const u8> rows) {
  scene::Image image = build_pages_image(pages, {});
  image.name = part;
  const auto add = [&](std::string file, const Shown& colors) -> Value& {
    image.palette = colors;
    set.images.push_back({std::move(file), image});
    Value& entry = add_entry(set.manifest, set.images.back(), part, "4 bits");
    entry.add("colors", colors.size());
    return entry;
  };
  const auto add_colors = [](Value& entry, const Shown& colors) {
    Value& list = entry.add("shown_with", Value::list());
    for (const scene::Rgba& c : colors) list.push(format_hex_color(c));
  };
  if (!palettes) {
    add_colors(add(text(part, ".png"), make_gray_palette()), make_gray_palette());
    return;
  }
  for (const u8 row : rows) {
    const Shown colors = rgba_of(palettes->rows[row]);
    Value& entry = add(rows.size() > 1 ? text(part, ".palette_", row, ".png") : text(part, ".png"), colors);
    entry.add("palette", row);
    const bool is_used = std::ranges::any_of(uses, [&](const auto& page) { return page[row] != 0; });
    entry.add("paired_by", is_used ? "polygons" : "nothing");
    add_colors(entry, colors);
  }
}

void add_palettes(PictureSet& set, const char* part, const std::optional<Palettes>& palettes, bool palette_files) {
  if (!palettes) return;
  scene::Image image{part, k_side, k_side, 8, {}, {}};
  for (const Palette& row : palettes->rows)
    for (const Color& c : row) {
      const scene::Rgba color = rgba_of(c);
      image.pixels.insert(image.pixels.end(), color.begin(), color.end());
    }
  set.images.push_back({text(part, ".png"), std::move(image)});
  Value& entry = add_entry(set.manifest, set.images.back(), part, "15 bits");
  entry.add("colors", k_side * k_side);
  if (palette_files) entry.add("palette_file", text(part, ".pal"));
}

}  // namespace

Result<PictureSet> texture_pictures(const AnyDocument& d, const PictureOptions& options) {
  const Texture& texture = value_of<Texture>(d);
  PictureSet set = make_empty_picture_set();
  // As in the game, the palettes of a later file replace those of an earlier one.
  const Palettes* palettes = nullptr;
  Uses uses{};
  for (const Companion& c : options.companions) {
    if (c.format_id() != "fft-mesh") continue;
    const Mesh& file = value_of<Mesh>(*c.document);
    count_palette_uses(file, uses);
    if (file.palettes) palettes = &*file.palettes;
  }
  std::vector<const TexturePage*> pages;
  for (const TexturePage& p : texture.pages) pages.push_back(&p);
  const auto rows = choose_palette_rows(uses, 0, k_pages, options.every_palette);
  if (!pages.empty()) add_texels(set, k_texture, pages, palettes, uses, rows);
  return set;
}

Result<PictureSet> mesh_pictures(const AnyDocument& d, const PictureOptions& options) {
  const Mesh& file = value_of<Mesh>(d);
  PictureSet set = make_empty_picture_set();
  Uses uses{};
  count_palette_uses(file, uses);
  for (size_t i = 0; i < k_pages; ++i) {
    if (!file.pages[i]) continue;
    const TexturePage* page = &*file.pages[i];
    add_texels(set, Mesh::k_page_names[i], {&page, 1}, file.palettes ? &*file.palettes : nullptr, uses,
               choose_palette_rows(uses, i, i + 1, options.every_palette));
  }
  add_palettes(set, "palettes", file.palettes, options.palette_files);
  add_palettes(set, "palette_frames", file.palette_frames, options.palette_files);
  add_palettes(set, "gray_palettes", file.gray_palettes, options.palette_files);
  return set;
}

// ---- import ----

namespace {

std::optional<scene::Rgba> parse_hex_color(const Value& v) {
  if (!v.is(Value::Kind::text) || !v.text().starts_with('#')) return {};
  const auto bytes = decode_hex(std::string_view(v.text()).substr(1));
  if (!bytes || (bytes->size() != 3 && bytes->size() != 4)) return {};
  return scene::Rgba{(*bytes)[0], (*bytes)[1], (*bytes)[2], bytes->size() == 4 ? (*bytes)[3] : u8(255)};
}

/// The parts of a document shown in pictures.
struct Parts {
  std::vector<std::pair<std::string, std::vector<TexturePage*>>> texels;
  std::vector<std::pair<std::string, Palettes*>> palettes;
};

/// Imports pictures.
class FftPictureImporter final : public PictureImporter {
 public:
  explicit FftPictureImporter(Parts parts) : PictureImporter("fft.manifest"), parts_(std::move(parts)) {
    for (const auto& [name, pages] : parts_.texels) {
      before_.emplace_back();
      for (const TexturePage* p : pages) before_.back().push_back(*p);
    }
  }

 private:
  std::optional<Diagnostic> put(const Value& entry, const std::string& part, const scene::Image& image) override {
    for (size_t i = 0; i < parts_.texels.size(); ++i)
      if (parts_.texels[i].first == part) return import_texels(entry, i, image);
    for (const auto& [name, palettes] : parts_.palettes)
      if (name == part) return import_palettes(entry, *palettes, image);
    return manifest_entry_error(entry, "fft.manifest", ".part",
                                {.message = text("the file has no part \"", part, "\"")});
  }

  std::optional<Diagnostic> check_picture_size(const Value& entry, const scene::Image& image, u32 width, u32 height) {
    if (image.width == width && image.height == height) return {};
    return manifest_entry_error(entry, "fft.picture-size", {},
                                {.message = text("the picture has ", image.width, " x ", image.height,
                                                 " pixels; it must have ", width, " x ", height)});
  }

  std::optional<Diagnostic> import_texels(const Value& entry, size_t which, const scene::Image& image) {
    const auto& pages = parts_.texels[which].second;
    if (auto wrong = check_picture_size(entry, image, k_page_texels, u32(k_page_texels * pages.size()))) return wrong;
    const Value* list = entry.find("shown_with");
    Shown colors;
    if (list && list->is(Value::Kind::list) && list->size() == k_palette_colors)
      for (const auto& [name, typed] : list->members())
        if (const auto c = parse_hex_color(typed)) colors.push_back(*c);
    if (colors.size() != k_palette_colors)
      return manifest_entry_error(entry, "fft.manifest", ".shown_with",
                                  {.message = "shown_with must be a list of 16 colours such as \"#ff8800\""});
    // Compares with the file: a part may have several pictures, and only edited texels count.
    psx::PaletteIndices indices(image, colors);
    u64 changed = 0;
    for (u32 y = 0; y < image.height; ++y)
      for (u32 x = 0; x < image.width; ++x) {
        const size_t page = y / k_page_texels;
        const u8 was = before_[which][page].texel(x, y % k_page_texels);
        const u8 is = indices.of(x, y, was);
        if (is == was) continue;
        ++changed;
        u8& two = pages[page]->texels[(y % k_page_texels) * (k_page_texels / 2) + x / 2];
        two = x % 2 ? u8((two & 15) | is << 4) : u8((two & 0xF0) | is);
      }
    count(changed);
    if (indices.unlike)
      add_picture_warning("fft.picture-color",
                          {.message = text(format_count(indices.unlike, "pixel"),
                                           indices.unlike == 1 ? " has a colour" : " have colours",
                                           " outside the palette; the nearest palette colour is used"),
                           .hint = "to change colours, edit the picture of the palettes"});
    return {};
  }

  std::optional<Diagnostic> import_palettes(const Value& entry, Palettes& palettes, const scene::Image& image) {
    if (auto wrong = check_picture_size(entry, image, k_side, k_side)) return wrong;
    u64 changed = 0, black = 0;
    for (u32 row = 0; row < k_side; ++row)
      for (u32 i = 0; i < k_side; ++i) {
        Color& c = palettes.rows[row][i];
        const scene::Rgba now = scene::color_of(image, i, row);
        if (psx::same(now, rgba_of(c))) continue;
        ++changed;
        c = psx::is_drawn(now) ? color_of(now, c.stp) : Color{};
        if (!psx::is_drawn(now) || !c.is_clear()) continue;
        c.blue = 1;
        ++black;
      }
    count(changed);
    if (black)
      add_picture_warning("fft.picture-black",
                          {.message = text(format_count(black, "pixel"), " of pure black became the darkest blue"),
                           .hint = "pure black is transparent in the game, unless its STP bit is set"});
    return {};
  }

  Parts parts_;
  std::vector<std::vector<TexturePage>> before_;
};

}  // namespace

// Rejected pictures change nothing.

Result<PictureImportResult> import_texture_pictures(AnyDocument& d, const Value& manifest,
                                                    std::span<const NamedImage> files) {
  Texture now = value_of<Texture>(d);
  Parts parts;
  parts.texels.push_back({k_texture, {}});
  for (TexturePage& p : now.pages) parts.texels.back().second.push_back(&p);
  auto taken = FftPictureImporter(std::move(parts)).import_all(manifest, files);
  if (taken && taken->changed) edit_of<Texture>(d) = std::move(now);
  return taken;
}

Result<PictureImportResult> import_mesh_pictures(AnyDocument& d, const Value& manifest,
                                                 std::span<const NamedImage> files) {
  Mesh now = value_of<Mesh>(d);
  Parts parts;
  for (size_t i = 0; i < k_pages; ++i)
    if (now.pages[i]) parts.texels.push_back({Mesh::k_page_names[i], {&*now.pages[i]}});
  if (now.palettes) parts.palettes.push_back({"palettes", &*now.palettes});
  if (now.palette_frames) parts.palettes.push_back({"palette_frames", &*now.palette_frames});
  if (now.gray_palettes) parts.palettes.push_back({"gray_palettes", &*now.gray_palettes});
  auto taken = FftPictureImporter(std::move(parts)).import_all(manifest, files);
  if (taken && taken->changed) edit_of<Mesh>(d) = std::move(now);
  return taken;
}

std::span<const Rule> picture_rules() {
  static constexpr Rule k_rules[] = {
      {"fft.manifest", Severity::stop, "the manifest of a picture folder names only parts that the file has",
       "A picture cannot be imported if the file does not contain the part that the picture replaces.",
       "Correct the part name in textures.json, or export the pictures again.", "diorama's own rule"},
      {"fft.picture-size", Severity::stop,
       "texel pictures are 256 pixels wide, and 256 pixels high for each texture page; palette pictures are 16 x 16 "
       "pixels",
       "The game copies whole texture pages and whole palettes, so pictures must keep their sizes.",
       "Scale or crop the picture to the size that the message names.", "src/formats/fft/README.md#textures"},
      {"fft.picture-color", Severity::warning,
       "an edited texel picture contains only the colours that it had when it was exported",
       "Texels are indices into a palette, and the file stores the palette separately.",
       "Change colours in the palette picture; in the texel picture, only rearrange the existing colours.",
       "src/formats/fft/README.md#textures"},
      {"fft.picture-black", Severity::warning, "opaque black has the STP bit set (0x8000)",
       "If the STP bit is not set, black has the value 0x0000, which is transparent in the game.",
       "If the black pixels should be transparent, make them fully transparent. Otherwise, no action is needed.",
       "src/formats/fft/README.md#editing"},
  };
  return k_rules;
}

}  // namespace dio::fft
