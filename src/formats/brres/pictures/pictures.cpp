#include "formats/brres/pictures/pictures.hpp"

#include <algorithm>

#include "console/wii/texels.hpp"
#include "formats/contract/picture_importer.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/path_steps.hpp"

namespace dio::brres {

namespace {

std::vector<scene::Rgba> decode_palette(const Palette* palette) {
  std::vector<scene::Rgba> colors;
  if (palette && palette->format < 3)
    for (const u16 c : palette->colors) colors.push_back(wii::expand_color(wii::ColorFormat(palette->format), c));
  return colors;
}

bool has_all_texels(const Texture& t, u32 levels) {
  return wii::is_texel_format(t.format) && t.width && t.height && levels <= 16 &&
         wii::texture_size_bytes(wii::TexelFormat(t.format), t.width, t.height, levels) <= t.texels.size();
}

class BrresPictureImporter final : public PictureImporter {
 public:
  explicit BrresPictureImporter(Brres& file) : PictureImporter("brres.manifest"), file_(file) {}

 private:
  std::optional<Diagnostic> put(const Value& entry, const std::string& part, const scene::Image& image) override {
    std::string_view path = part;
    const auto index = take_element(path, "textures");
    if (!index || *index >= file_.textures.size() || !path.empty())
      return manifest_entry_error(entry, "brres.manifest", ".part",
                                  {.message = text("the file has no texture \"", part, "\"")});
    Texture& t = file_.textures[*index];
    if (!has_all_texels(t, std::max(1u, t.level_count)))
      return manifest_entry_error(entry, "brres.manifest", ".part",
                                  {.message = text("texture ", in_quotes(t.name), " is damaged")});
    if (image.width != t.width || image.height != t.height)
      return manifest_entry_error(entry, "brres.picture-size", {},
                                  {.message = text("the picture has ", image.width, " x ", image.height,
                                                   " pixels; it must have ", t.width, " x ", t.height)});
    wii::Encoded made = wii::encode(wii::TexelFormat(t.format), image, std::max(1u, t.level_count), t.texels,
                                    decode_palette(find_palette(file_, t)));
    count(made.changed);
    if (made.changed) t.texels = std::move(made.texels);
    if (made.unlike)
      add_picture_warning(
          "brres.picture-color",
          {.message = text(format_count(made.unlike, "pixel"), made.unlike == 1 ? " has a colour" : " have colours",
                           " that the palette does not contain; the nearest palette ",
                           made.unlike == 1 ? "colour is" : "colours are", " used")});
    return {};
  }
  Brres& file_;
};

}  // namespace

std::optional<scene::Image> decode_texture(const Texture& t, const Palette* palette) {
  if (!has_all_texels(t, 1)) return {};
  scene::Image image = wii::decode(wii::TexelFormat(t.format), t.width, t.height, t.texels, decode_palette(palette));
  image.name = t.name;
  return image;
}

std::optional<scene::Image> decode_texture(const Brres& file, std::string_view texture, std::string_view palette) {
  const auto t = std::ranges::find(file.textures, texture, &Texture::name);
  if (t == file.textures.end()) return {};
  const auto p = std::ranges::find(file.palettes, palette.empty() ? texture : palette, &Palette::name);
  return decode_texture(*t, p == file.palettes.end() ? nullptr : &*p);
}

const Palette* find_palette(const Brres& file, const Texture& t) {
  if (!wii::is_texel_format(t.format) || !wii::has_palette(wii::TexelFormat(t.format))) return nullptr;
  const auto find_palette_named = [&](std::string_view name) -> const Palette* {
    const auto p = std::ranges::find(file.palettes, name, &Palette::name);
    return p == file.palettes.end() ? nullptr : &*p;
  };
  for (const Model& m : file.models)
    for (const Material& material : m.materials)
      for (const Sampler& s : material.samplers)
        if (s.texture == t.name)
          if (const Palette* p = find_palette_named(s.palette)) return p;
  return find_palette_named(t.name);
}

PictureSet export_pictures(const Brres& file) {
  PictureSet set;
  set.manifest = Value::object();
  set.manifest.add("pictures", Value::list());
  PictureNames names;
  for (size_t i = 0; i < file.textures.size(); ++i) {
    const Texture& t = file.textures[i];
    const Palette* palette = find_palette(file, t);
    auto image = decode_texture(t, palette);
    if (!image) continue;
    const auto format = wii::TexelFormat(t.format);
    if (format == wii::TexelFormat::i4 || format == wii::TexelFormat::i8)
      for (size_t at = 3; at < image->pixels.size(); at += 4) image->pixels[at] = 255;
    const std::string name = names.unique_png_name(PictureNames::escape_file_name(t.name));
    Value& entry = set.manifest.find("pictures")->push(Value::object());
    entry.add("file", name);
    entry.add("part", text("textures[", i, "]"));
    entry.add("name", t.name);
    entry.add("format", k_texture_formats.of(t.format));
    entry.add("width", t.width);
    entry.add("height", t.height);
    entry.add("levels", t.level_count);
    if (palette) {
      entry.add("palette_name", palette->name);
      entry.add("colors", u64(palette->colors.size()));
    }
    set.images.push_back({name, std::move(*image)});
  }
  return set;
}

Result<PictureImportResult> import_pictures(Brres& file, const Value& manifest, std::span<const NamedImage> images) {
  return BrresPictureImporter(file).import_all(manifest, images);
}

std::span<const Rule> picture_rules() {
  static constexpr Rule k_rules[] = {
      {"brres.manifest", Severity::stop, "the manifest of a picture folder names only textures that the file has",
       "A picture of a texture that does not exist cannot be imported.",
       "Correct the name in textures.json, or export the pictures again.", "diorama's own rule"},
      {"brres.picture-size", Severity::stop, "a picture is as large as its texture",
       "Parts of a BRRES file keep their positions, so the size of a texture cannot change.",
       "Scale or crop the picture to the size of the texture.", "diorama's own rule"},
      {"brres.picture-color", Severity::warning, "a picture uses only colours from its texture's palette",
       "The texels of the texture are indices into its palette, and the palette stays unchanged.",
       "Use only colours from the palette of the texture.", "diorama's own rule"},
  };
  return k_rules;
}

}  // namespace dio::brres
