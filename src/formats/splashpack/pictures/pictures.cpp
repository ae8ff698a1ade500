// pictures.cpp: exports islands of texels, images of canvases and palettes as pictures, and imports edited ones;
// exports VRAM as one picture. Texels of a pack of v20 or later are in its .vram file, which imports these pictures.
#include "formats/contract/pictures.hpp"

#include <map>

#include "console/psx/palette_indices.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/picture_importer.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/companions.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/pictures/texels.hpp"
#include "formats/splashpack/pictures/video_picture.hpp"

namespace dio::splashpack {

namespace {

constexpr const char *k_texture_kind = "texture", *k_palette_kind = "palette", *k_memory_kind = "video memory";

// ---- out ----

/// A palette used by islands.
struct PaletteOf {
  u16 clut_x, clut_y;
  u32 length;
  auto operator<=>(const PaletteOf&) const = default;
};

Value& add_manifest_entry(PictureSet& set, scene::Image image, std::string file, const char* part,
                          std::string_view format) {
  Value& entry = set.manifest.find("pictures")->push(Value::object());
  entry.add("file", file);
  entry.add("part", part);
  entry.add("format", format);
  entry.add("width", image.width);
  entry.add("height", image.height);
  image.name = file.substr(0, file.rfind('.'));
  set.images.push_back({std::move(file), std::move(image)});
  return entry;
}

/// A valid file name; the number if there is no name.
std::string file_name_or_number(const std::optional<std::string>& name, u32 number) {
  return name && !name->empty() ? PictureNames::escape_file_name(*name) : text(number);
}

PictureSet export_pictures(const Pack& pack, const Vram* vram, const PictureOptions& options) {
  PictureSet set;
  set.manifest = Value::object();
  set.manifest.add("pictures", Value::list());
  const VideoMemory memory = build_video_memory(pack, vram);
  if (memory.blocks.empty()) return set;
  std::map<PaletteOf, size_t> palettes;  // and their numbers
  u64 texels = 0;
  const auto is_exportable = [&](const TexelRegion& island) {
    if (!is_region_filled(memory, island)) return false;
    texels += u64(island.width) * island.height;
    return texels <= k_most_texels;
  };
  const auto add_texels = [&](const TexelRegion& island, std::string file, const char* paired_by) -> Value& {
    const u32 bits = bits_of(island.source);
    Value& entry = add_manifest_entry(set, picture_of(memory, island), std::move(file), k_texture_kind,
                                      k_depths.of(TexturePage::from_word(island.source.page).depth));
    entry.add("page", island.source.page);
    entry.add("u", island.u);
    entry.add("v", island.v);
    if (bits == 16) return entry;
    entry.add("clut_x", island.source.clut_x);
    entry.add("clut_y", island.source.clut_y);
    entry.add("colors", 1u << bits);
    const auto known =
        palettes.try_emplace({island.source.clut_x, island.source.clut_y, 1u << bits}, palettes.size()).first;
    entry.add("palette", known->second);
    entry.add("paired_by", paired_by);
    return entry;
  };
  std::vector<TexelRegion> islands = TexelRegions(pack).all();
  for (size_t i = 0; i < islands.size(); ++i)
    if (is_exportable(islands[i])) add_texels(islands[i], text("texture_", i, ".png"), "triangles");
  PictureNames names;
  for (const CanvasImage& image : collect_canvas_images(pack)) {
    if (!is_exportable(image.island)) continue;
    islands.push_back(image.island);
    const auto& [first_canvas, first_element] = image.shown_by.front();
    const UiCanvas& canvas = pack.canvases[first_canvas];
    const std::string stem = text("canvas_", file_name_or_number(canvas.name, first_canvas), "_",
                                  file_name_or_number(canvas.elements[first_element].name, first_element));
    Value& entry = add_texels(image.island, names.unique_png_name(stem), "canvases");
    Value& elements = entry.add("elements", Value::list());
    for (const auto& [c, e] : image.shown_by) elements.push(text("canvases[", c, "].elements[", e, "]"));
  }
  std::vector<PaletteOf> in_order(palettes.size());
  for (const auto& [p, number] : palettes) in_order[number] = p;
  for (size_t i = 0; i < in_order.size(); ++i) {
    const PaletteOf& p = in_order[i];
    scene::Image image{{}, 16, p.length / 16, 8, {}, {}};
    for (u32 k = 0; k < p.length; ++k) {
      const scene::Rgba c = rgb555_to_rgba(memory.at(p.clut_x * 16u + k, p.clut_y));
      image.pixels.insert(image.pixels.end(), c.begin(), c.end());
    }
    Value& entry = add_manifest_entry(set, std::move(image), text("palette_", i, ".png"), k_palette_kind, "15 bits");
    entry.add("clut_x", p.clut_x);
    entry.add("clut_y", p.clut_y);
    entry.add("colors", p.length);
    if (options.palette_files) entry.add("palette_file", text("palette_", i, ".pal"));
  }
  add_manifest_entry(set, render_video_memory(pack, memory, islands), "video_memory.png", k_memory_kind, "map");
  return set;
}

/// With a note if the texels belong to another pack.
PictureSet export_pictures_with_notes(const Pack& pack, const Vram* vram, const PictureOptions& options) {
  PictureSet set = export_pictures(pack, vram, options);
  if (auto d = companion_mismatch(vram, pack)) set.notes.push_back(*std::move(d));
  if (!vram && !pack.atlases.empty() && pack.form >= Layout::v20)
    set.notes.push_back(make_diagnostic(Severity::hint, "splashpack.no-texels", {},
                                        {.message = "the file has no texels or palettes", .hint = k_in_vram}));
  return set;
}

// ---- back ----

/// The file positions of VRAM words: the last owner of each.
class VramWords {
 public:
  VramWords(VideoMemory memory) : before_(memory), owners_(before_.words.size(), k_unmatched) {
    for (u32 b = 0; b < before_.blocks.size(); ++b) {
      const Rect& r = before_.blocks[b].rect;
      for (u32 y = r.y; y < r.y + r.height; ++y) std::fill_n(owners_.begin() + y * k_video_width + r.x, r.width, b);
    }
  }
  const VideoMemory& before() const { return before_; }
  bool is_stored(u32 x, u32 y) const { return owners_[place(x, y)] != k_unmatched; }
  /// `bits` of a word, from `shift` on. Only changes are stored, because pictures may share words.
  bool set_bits(u32 x, u32 y, u32 bits, u32 shift, u16 value) {
    const u16 mask = u16(((1u << bits) - 1) << shift), was = before_.words[place(x, y)];
    if ((was & mask) == u16(value << shift)) return false;
    u16& now = now_.try_emplace(place(x, y), was).first->second;
    now = u16((now & ~mask) | value << shift);
    return true;
  }
  /// Calls `write(block, x, y, word)` for each changed word; x and y are relative to its block.
  template <class Write>
  void for_each_changed_word(Write write) const {
    for (const auto& [at, word] : now_) {
      const VideoBlock& b = before_.blocks[owners_[at]];
      write(b, u32(at % k_video_width) - b.rect.x, u32(at / k_video_width) - b.rect.y, word);
    }
  }

 private:
  static constexpr u32 k_unmatched = ~u32(0);
  static size_t place(u32 x, u32 y) { return size_t(y % k_video_height) * k_video_width + x % k_video_width; }
  const VideoMemory before_;
  std::vector<u32> owners_;
  std::map<size_t, u16> now_;
};

/// A colour as a word, with the semi-transparency bit of the old word. Opaque black has that bit.
u16 encode_color(const scene::Rgba& c, u16 was) {
  if (!psx::is_drawn(c)) return psx::k_clear;
  const u16 color = psx::word_of(c);
  return color == psx::k_clear ? psx::k_opaque_black : u16(color | (was & psx::k_semi_transparent));
}

class SplashpackPictureImporter final : public PictureImporter {
 public:
  explicit SplashpackPictureImporter(VramWords& words) : PictureImporter("splashpack.manifest"), words_(words) {}

 private:
  std::optional<Diagnostic> put(const Value& entry, const std::string& part, const scene::Image& image) override {
    if (part == k_memory_kind) return {};  // a view of all others
    if (part == k_texture_kind) return import_texels(entry, image);
    if (part == k_palette_kind) return import_palette(entry, image);
    return manifest_entry_error(entry, "splashpack.manifest", ".part",
                                {.expected = "texture or palette", .found = part});
  }

  /// A number from the manifest, at most `most`; otherwise sets `problem`.
  u32 read_number(const Value& entry, const char* name, u32 most, std::optional<Diagnostic>& problem) {
    const Value* v = entry.find(name);
    if (v && v->is(Value::Kind::integer) && !v->negative() && v->bits() <= most) return u32(v->bits());
    problem =
        manifest_entry_error(entry, "splashpack.manifest", text(".", name),
                             {.expected = text("a number from 0 to ", most), .found = v ? "another value" : "none"});
    return 0;
  }

  std::optional<Diagnostic> import_texels(const Value& entry, const scene::Image& image) {
    std::optional<Diagnostic> problem;
    TexelRegion island;
    island.source.page = u16(read_number(entry, "page", 0xFFFF, problem));
    island.u = read_number(entry, "u", 255, problem);
    island.v = read_number(entry, "v", 255, problem);
    island.width = read_number(entry, "width", 256 - island.u, problem);
    island.height = read_number(entry, "height", 256 - island.v, problem);
    const u32 bits = bits_of(island.source);
    if (bits < 16) {
      island.source.clut_x = u16(read_number(entry, "clut_x", 0xFFFF, problem));
      island.source.clut_y = u16(read_number(entry, "clut_y", 0xFFFF, problem));
    }
    if (problem) return problem;
    if (!is_region_filled(words_.before(), island))
      return manifest_entry_error(entry, "splashpack.manifest", ".page",
                                  {.message = "the file has no texels or no palette at the given position"});
    if (image.width != island.width || image.height != island.height)
      return manifest_entry_error(entry, "splashpack.picture-size", {},
                                  {.message = text("the picture has ", image.width, " x ", image.height,
                                                   " pixels; it must have ", island.width, " x ", island.height)});
    const TexturePage page = TexturePage::from_word(island.source.page);
    const u32 per_word = page.texels_per_word();
    const scene::Image was = picture_of(words_.before(), island);
    psx::PaletteIndices indices(image, was.palette);
    u64 changed = 0;
    for (u32 y = 0; y < image.height; ++y)
      for (u32 x = 0; x < image.width; ++x) {
        const u32 u = island.u + x, at_x = page.x + u / per_word, at_y = page.y + island.v + y;
        if (!words_.is_stored(at_x, at_y)) continue;
        u16 value = 0;
        if (bits == 16) {
          const u16 before = words_.before().at(at_x, at_y);
          const scene::Rgba color = color_of(image, x, y);
          value = psx::same(color, rgb555_to_rgba(before)) ? before : encode_color(color, before);
        } else {
          value = indices.of(x, y, was.pixels[size_t(y) * image.width + x]);
        }
        changed += words_.set_bits(at_x, at_y, bits, bits == 16 ? 0 : u % per_word * bits, value);
      }
    count(changed);
    if (indices.unlike)
      add_picture_warning(
          "splashpack.picture-color",
          {.message = text(format_count(indices.unlike, "pixel"),
                           indices.unlike == 1 ? " has a colour" : " have colours", " outside the palette of ",
                           format_count(was.palette.size(), "colour"), ", replaced by the nearest palette colour"),
           .hint = "to change colours, edit the picture of the palette"});
    return {};
  }

  std::optional<Diagnostic> import_palette(const Value& entry, const scene::Image& image) {
    std::optional<Diagnostic> problem;
    const u32 x = read_number(entry, "clut_x", 0xFFFF, problem) * 16, y = read_number(entry, "clut_y", 0xFFFF, problem);
    const u32 length = read_number(entry, "colors", 256, problem) / 16 * 16;
    if (problem) return problem;
    if (image.width != 16 || image.height != length / 16)
      return manifest_entry_error(entry, "splashpack.picture-size", {},
                                  {.message = text("the picture has ", image.width, " x ", image.height,
                                                   " pixels; it must have 16 x ", length / 16)});
    u64 changed = 0;
    for (u32 i = 0; i < length; ++i) {
      if (!words_.is_stored(x + i, y)) continue;
      const u16 was = words_.before().at(x + i, y);
      const scene::Rgba now = color_of(image, i % 16, i / 16);
      if (!psx::same(now, rgb555_to_rgba(was))) changed += words_.set_bits(x + i, y, 16, 0, encode_color(now, was));
    }
    count(changed);
    return {};
  }

  VramWords& words_;
};

template <class T>
const T* find_companion(std::span<const Companion> all, std::string_view id) {
  for (const Companion& c : all)
    if (c.format_id() == id) return &value_of<T>(*c.document);
  return nullptr;
}

/// A pack whose texels are in a .vram file.
Pack make_v21_pack() {
  Pack p;
  p.form = Layout::v21;
  p.version = u16(p.form);
  return p;
}

void put_word(Bytes& texels, size_t i, u16 word) {
  if (2 * i + 1 < texels.size()) texels[2 * i] = u8(word), texels[2 * i + 1] = u8(word >> 8);
}

}  // namespace

Result<PictureSet> pack_pictures(const AnyDocument& d, const PictureOptions& options) {
  return export_pictures_with_notes(value_of<Pack>(d), find_companion<Vram>(options.companions, "splashpack-vram"),
                                    options);
}

Result<PictureSet> vram_pictures(const AnyDocument& d, const PictureOptions& options) {
  // Without a pack the depth of the texels is unknown.
  const Pack* pack = find_companion<Pack>(options.companions, "splashpack");
  return pack ? export_pictures_with_notes(*pack, &value_of<Vram>(d), options)
              : export_pictures(make_v21_pack(), &value_of<Vram>(d), options);
}

// Rejected pictures change nothing.

Result<PictureImportResult> import_pack_pictures(AnyDocument& d, const Value& manifest,
                                                 std::span<const NamedImage> files) {
  if (u32(value_of<Pack>(d).form) >= k_sections)
    return refuse(manifest_error({}, "splashpack.manifest", {},
                                 {.message = "the texels of a pack of v20 or later are in its .vram file",
                                  .hint = "{textures FILE.vram --replace FOLDER} imports the pictures of the pack"}));
  VramWords words(build_video_memory(value_of<Pack>(d), nullptr));
  auto taken = SplashpackPictureImporter(words).import_all(manifest, files);
  if (!taken || !taken->changed) return taken;
  Pack& pack = edit_of<Pack>(d);
  words.for_each_changed_word([&](const VideoBlock& b, u32 x, u32 y, u16 word) {
    if (b.kind == VideoBlock::Kind::atlas)
      put_word(pack.atlases[b.index].texels, size_t(y) * pack.atlases[b.index].width + x, word);
    else if (pack.form == Layout::a2)
      pack.objects[b.index].colors[x] = word;
    else
      pack.cluts[b.index].colors[x] = word;
  });
  return taken;
}

Result<PictureImportResult> import_vram_pictures(AnyDocument& d, const Value& manifest,
                                                 std::span<const NamedImage> files) {
  const Vram& before = value_of<Vram>(d);
  VramWords words(build_video_memory(make_v21_pack(), &before));
  auto taken = SplashpackPictureImporter(words).import_all(manifest, files);
  if (!taken || !taken->changed) return taken;
  Vram& vram = edit_of<Vram>(d);
  words.for_each_changed_word([&](const VideoBlock& b, u32 x, u32 y, u16 word) {
    if (b.kind == VideoBlock::Kind::atlas)
      put_word(vram.atlases[b.index].texels, size_t(y) * vram.atlases[b.index].width + x, word);
    else if (b.kind == VideoBlock::Kind::font)
      put_word(vram.fonts[b.index].texels, size_t(y) * 64 + x, word);
    else if (b.index < vram.cluts.size())  // palettes of fonts belong to the engine
      vram.cluts[b.index].colors[x] = word;
  });
  return taken;
}

std::span<const Rule> picture_rules() {
  static constexpr Rule k_rules[] = {
      {"splashpack.manifest", Severity::stop,
       "the manifest of a picture folder names only texels and palettes that exist in the file",
       "If textures.json names texels or palettes that do not exist in the file, the picture cannot be imported.",
       "Correct the texel or palette name in textures.json, or export the pictures again.", "diorama's own rule"},
      {"splashpack.picture-size", Severity::stop,
       "an edited texture picture has the same size as the exported picture; a palette picture has 16 x 1 or 16 x 16 "
       "pixels",
       "A larger picture would overwrite texels of other textures in the same texture page.",
       "Scale or crop the picture to the size that it had when it was exported.", "diorama's own rule"},
      {"splashpack.picture-color", Severity::warning,
       "an edited texture picture contains only the colours of its palette",
       "Texels are indices into a palette, and the palette is a separate picture, so a texture picture cannot add "
       "colours.",
       "Use only colours of the palette, or change the colours in the palette picture.",
       "psx-spx, GPU, texture palettes"},
  };
  return k_rules;
}

}  // namespace dio::splashpack
