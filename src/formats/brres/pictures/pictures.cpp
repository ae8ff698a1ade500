#include "formats/brres/pictures/pictures.hpp"

#include <algorithm>

#include "console/wii/texels.hpp"
#include "formats/brres/layout/placement.hpp"
#include "formats/brres/pictures/texture_builder.hpp"
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
  bool needs_placement = false;

 private:
  /// The format and the number of levels that the manifest asks for.
  std::optional<Diagnostic> read_wanted(const Value& entry, const Texture& t, u32& format, u32& levels) const {
    format = t.format, levels = std::max(1u, t.level_count);
    if (const Value* word = entry.find("format")) {
      const auto known = std::ranges::find(k_texture_formats.words, word->text(), &EnumName::word);
      if (known == k_texture_formats.words.end())
        return manifest_entry_error(entry, "brres.manifest", ".format",
                                    {.message = text("there is no texture format ", in_quotes(word->text()))});
      format = u32(known->value);
    }
    if (const Value* count = entry.find("levels")) {
      if (!count->is(Value::Kind::integer) || count->number() < 1 || count->number() > 11)
        return manifest_entry_error(entry, "brres.manifest", ".levels",
                                    {.message = "the number of levels must be 1 to 11"});
      levels = u32(count->number());
    }
    return {};
  }
  /// A texture of another size or format: everything behind it moves.
  std::optional<Diagnostic> remake(const Value& entry, Texture& t, const scene::Image& image, u32 format, u32 levels) {
    const auto refuse_change = [&](std::string why) {
      return manifest_entry_error(entry, "brres.picture-size", {},
                                  {.message = text("the texture ", in_quotes(t.name), " cannot become ", image.width,
                                                   " x ", image.height, " ", k_texture_formats.of(format), ": ", why)});
    };
    constexpr u32 k_most = 1024;
    if (image.width > k_most || image.height > k_most) return refuse_change("at most 1024 x 1024 are possible");
    if (wii::has_palette(wii::TexelFormat(t.format)) || wii::has_palette(wii::TexelFormat(format)))
      return refuse_change("textures with a palette keep their size and format");
    if (const auto why = file_.placement_error()) return refuse_change(why->message);
    u32 most_levels = 1;
    while (std::max(image.width, image.height) >> most_levels) ++most_levels;
    if (levels > most_levels)
      return refuse_change(text("a picture of this size has at most ", most_levels, " levels, not ", levels));
    t.width = u16(image.width), t.height = u16(image.height);
    t.format = format, t.level_count = levels, t.max_lod = f32(levels - 1);
    t.texels = wii::encode(wii::TexelFormat(format), image, levels);
    needs_placement = true;
    count(1);
    return {};
  }

  std::optional<Diagnostic> add(const Value& entry, const std::string& name, const scene::Image& image) override {
    if (name.empty() || std::ranges::find(file_.textures, name, &Texture::name) != file_.textures.end())
      return manifest_entry_error(entry, "brres.manifest", ".texture",
                                  {.message = text("the file already has a texture ", in_quotes(name))});
    if (const auto why = file_.placement_error())
      return manifest_entry_error(
          entry, "brres.picture-size", {},
          {.message = text("the texture ", in_quotes(name), " cannot be added: ", why->message)});
    TextureOptions options;
    if (entry.find("format") || entry.find("levels")) {
      Texture wanted;
      wanted.format = u32(wii::TexelFormat::cmpr), wanted.level_count = 1;
      u32 format = 0, levels = 0;
      if (auto problem = read_wanted(entry, wanted, format, levels)) return problem;
      if (wii::has_palette(wii::TexelFormat(format)))
        return manifest_entry_error(entry, "brres.manifest", ".format",
                                    {.message = "a new texture cannot have a palette"});
      if (entry.find("format")) options.format = wii::TexelFormat(format);
      if (entry.find("levels")) options.most_mipmaps = levels - 1;
    }
    BuiltTexture made = build_texture(name, image, options);
    if (made.is_resized)
      return manifest_entry_error(
          entry, "brres.picture-size", {},
          {.message = text("the picture of the new texture ", in_quotes(name), " has ", image.width, " x ",
                           image.height, " pixels; width and height must be powers of two from 4 to 1024"),
           .hint = "resize the picture"});
    file_.textures.push_back(std::move(made.texture));
    needs_placement = true;
    return {};
  }
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
    u32 format = 0, levels = 0;
    if (auto problem = read_wanted(entry, t, format, levels)) return problem;
    if (image.width != t.width || image.height != t.height || format != t.format ||
        levels != std::max(1u, t.level_count))
      return remake(entry, t, image, format, levels);
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

Result<PictureImportResult> import_pictures(Brres& file, const Value& manifest, std::span<const NamedImage> images,
                                            bool& is_placed_anew) {
  BrresPictureImporter importer(file);
  auto taken = importer.import_all(manifest, images);
  is_placed_anew = taken && importer.needs_placement;
  if (is_placed_anew) file.place();
  return taken;
}

std::span<const Rule> picture_rules() {
  static constexpr Rule k_rules[] = {
      {"brres.manifest", Severity::stop, "the manifest of a picture folder names only textures that the file has",
       "A picture of a texture that does not exist cannot be imported.",
       "Correct the name in textures.json, or export the pictures again.", "diorama's own rule"},
      {"brres.picture-size", Severity::stop, "a texture can have the size and format of its picture",
       "Another size or format moves all parts behind the texture. That is not possible in files with user data "
       "or with animations of shapes (SHP0), nor for textures with a palette.",
       "Scale the picture to the size of the texture, and keep its format.", "diorama's own rule"},
      {"brres.picture-color", Severity::warning, "a picture uses only colours from its texture's palette",
       "The texels of the texture are indices into its palette, and the palette stays unchanged.",
       "Use only colours from the palette of the texture.", "diorama's own rule"},
  };
  return k_rules;
}

}  // namespace dio::brres
