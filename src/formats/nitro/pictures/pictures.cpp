#include "formats/nitro/pictures/pictures.hpp"

#include <algorithm>

#include "core/printing.hpp"
#include "formats/contract/picture_manifest.hpp"
#include "formats/contract/pictures.hpp"

namespace dio::nitro {
namespace {

bool is_direct(const Texture& t) {
  return TexelFormat(t.format & 7) == TexelFormat::direct || TexelFormat(t.format & 7) == TexelFormat::none;
}

template <class Entry>
std::optional<u32> index_of(const std::vector<Entry>& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  if (found == entries.end()) return std::nullopt;
  return u32(found - entries.begin());
}

size_t common_start(std::string_view a, std::string_view b) {
  return size_t(std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(std::min(a.size(), b.size())), b.begin()).first -
                a.begin());
}

/// By name, or the best guess.
TexturePicture guess_palette(const Textures& all, u32 index) {
  const Texture& t = all.textures[index];
  const std::string longer = (t.name + "_pl").substr(0, k_name_size);
  for (const std::string& name : {t.name, longer})
    if (const auto palette = index_of(all.palettes, name)) return {{}, index, palette, PairedBy::name};
  std::optional<u32> best;
  std::pair<bool, size_t> most;  // has all colours, number of equal characters
  for (u32 i = 0; i < all.palettes.size(); ++i) {
    const Palette& p = all.palettes[i];
    const std::pair rank{texels_without_color(view_of(t, &p)) == 0, common_start(t.name, p.name)};
    if (best && rank <= most) continue;
    best = i;
    most = rank;
  }
  return {{}, index, best, best ? PairedBy::guess : PairedBy::nothing};
}

void name_files(const Textures& all, std::vector<TexturePicture>& pictures) {
  PictureNames names;
  for (size_t i = 0; i < pictures.size(); ++i) {
    TexturePicture& p = pictures[i];
    std::string stem = PictureNames::plain(all.textures[p.texture].name);
    if (i && pictures[i - 1].texture == p.texture && p.palette)
      stem += "." + PictureNames::plain(all.palettes[*p.palette].name);
    p.file = names.file_of(stem);
  }
}

std::string_view name_of(u8 format) { return k_texture_formats.of(format); }

bool needs_palette(TexelFormat f) { return f != TexelFormat::none && f != TexelFormat::direct; }

/// Stores one picture in its texture; the diagnostic if that is impossible.
std::optional<Diagnostic> put(Textures& all, u32 index, std::optional<u32> palette, bool palette_is_shared,
                              TexelFormat format, bool color0_clear, const scene::Image& image) {
  if (needs_palette(format) && !palette) {  // it was direct
    Palette made{};
    made.name = all.textures[index].name;
    palette = u32(all.palettes.size());
    all.palettes.push_back(std::move(made));
  }
  Texture& t = all.textures[index];
  const TexelView previous = view_of(t, palette ? &all.palettes[*palette] : nullptr);
  const bool same = previous.format == format && previous.color0_clear == color0_clear;
  EncodeOptions options{.format = format, .color0_clear = color0_clear, .previous = same ? &previous : nullptr};
  if (palette && palette_is_shared) options.palette = previous.palette;
  auto encoded = encode_texels(image, options);
  if (!encoded) return std::move(encoded.error());
  if (image.width != t.width() || image.height != t.height()) {
    const auto code = [](u32 side) {
      u8 bits = 0;
      while (8u << bits < side) ++bits;
      return bits;
    };
    t.width_code = code(image.width), t.height_code = code(image.height);
    t.original_width = u16(image.width), t.original_height = u16(image.height);
    t.same_size = 1;
  }
  t.texels = std::move(encoded->texels);
  t.blocks = std::move(encoded->blocks);
  t.format = u8(format);
  t.color0_clear = color0_clear;
  if (palette && needs_palette(format)) {
    all.palettes[*palette].colors = std::move(encoded->palette);
    if (!palette_is_shared) all.palettes[*palette].four_colors = format == TexelFormat::palette4;
  }
  return std::nullopt;
}

}  // namespace

TexelView view_of(const Texture& t, const Palette* p) {
  return {TexelFormat(t.format & 7),
          t.width(),
          t.height(),
          t.color0_clear != 0,
          t.texels,
          t.blocks,
          p ? std::span<const u16>(p->colors) : std::span<const u16>()};
}

std::string_view to_string(PairedBy by) {
  constexpr std::string_view words[] = {"nothing", "material", "name", "guess", "colors"};
  return words[size_t(by)];
}

std::vector<TexturePair> pairs_of(std::span<const Model> models) {
  std::vector<TexturePair> pairs;
  for (const Model& m : models) {
    std::vector<TexturePair> of_material(m.materials.size());
    for (const Pairing& p : m.textures)
      for (const u8 material : p.materials)
        if (material < of_material.size()) of_material[material].texture = p.name;
    for (const Pairing& p : m.palettes)
      for (const u8 material : p.materials)
        if (material < of_material.size()) of_material[material].palette = p.name;
    for (TexturePair& pair : of_material)
      if (!pair.texture.empty() && std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
        pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::vector<TexturePicture> pictures_of(const Textures& all, std::span<const TexturePair> pairs, bool every_palette) {
  std::vector<TexturePicture> pictures;
  for (u32 i = 0; i < all.textures.size(); ++i) {
    const Texture& t = all.textures[i];
    if (is_direct(t)) {
      pictures.push_back({{}, i, std::nullopt, PairedBy::nothing});
      continue;
    }
    const size_t first = pictures.size();
    for (const TexturePair& pair : pairs) {
      if (pair.texture != t.name) continue;
      if (const auto palette = index_of(all.palettes, pair.palette))
        pictures.push_back({{}, i, palette, PairedBy::material});
    }
    if (pictures.size() == first) pictures.push_back(guess_palette(all, i));
    if (!every_palette) continue;
    const std::vector<TexturePicture> known(pictures.begin() + std::ptrdiff_t(first), pictures.end());
    for (u32 p = 0; p < all.palettes.size(); ++p) {
      const bool is_known =
          std::any_of(known.begin(), known.end(), [&](const TexturePicture& k) { return k.palette == p; });
      if (!is_known && !texels_without_color(view_of(t, &all.palettes[p])))
        pictures.push_back({{}, i, p, PairedBy::colors});
    }
  }
  name_files(all, pictures);
  return pictures;
}

scene::Image image_of(const Textures& all, const TexturePicture& p) {
  scene::Image image = decode_texels(view_of(all.textures[p.texture], p.palette ? &all.palettes[*p.palette] : nullptr));
  image.name = all.textures[p.texture].name;
  return image;
}

Value manifest_of(const Textures& all, std::span<const TexturePicture> pictures) {
  Value manifest = Value::object();
  Value& list = manifest.add("pictures", Value::list());
  for (const TexturePicture& p : pictures) {
    const Texture& t = all.textures[p.texture];
    Value& entry = list.push(Value::object());
    entry.add("file", p.file);
    entry.add("texture", t.name);
    entry.add("format", name_of(t.format));
    entry.add("width", t.width());
    entry.add("height", t.height());
    if (!t.same_size) {
      entry.add("original_width", t.original_width);
      entry.add("original_height", t.original_height);
    }
    entry.add("color0_clear", t.color0_clear != 0);
    if (!p.palette) continue;
    const Palette& palette = all.palettes[*p.palette];
    entry.add("palette", palette.name);
    entry.add("paired_by", to_string(p.paired_by));
    entry.add("colors", palette.colors.size());
    if (const u64 without = texels_without_color(view_of(t, &palette))) entry.add("texels_without_color", without);
  }
  return manifest;
}

Result<TakenPictures> take_pictures(Textures& all, const Value& manifest, std::span<const NamedImage> files) {
  struct Job {
    u32 texture;
    std::optional<u32> palette;
    const NamedImage* file;
    std::string path;
    TexelFormat format;
    bool color0_clear;
  };
  std::vector<Job> jobs;
  std::vector<u32> uses(all.palettes.size());
  const Value* list = manifest.find("pictures");
  if (!list || !list->is(Value::Kind::list))
    return refuse(
        manifest_fault(manifest, "nitro.manifest", "pictures", {.message = "the list of pictures is missing"}));
  for (size_t i = 0; i < list->size(); ++i) {
    const Value& entry = *list->at(i);
    const std::string path = "pictures[" + std::to_string(i) + "]";
    const auto text = [&](std::string_view name) {
      const Value* v = entry.find(name);
      return v && v->is(Value::Kind::text) ? &v->text() : nullptr;
    };
    const std::string *file = text("file"), *texture = text("texture"), *palette = text("palette");
    if (!file || !texture)
      return refuse(
          manifest_fault(entry, "nitro.manifest", path, {.message = "the entry needs both file and texture"}));
    const auto index = index_of(all.textures, *texture);
    if (!index)
      return refuse(manifest_fault(entry, "nitro.manifest", path + ".texture",
                                   {.message = "no texture \"" + *texture + "\" in this file"}));
    std::optional<u32> colors;
    if (palette) {
      colors = index_of(all.palettes, *palette);
      if (!colors)
        return refuse(manifest_fault(entry, "nitro.manifest", path + ".palette",
                                     {.message = "no palette \"" + *palette + "\" in this file"}));
      ++uses[*colors];
    } else if (!is_direct(all.textures[*index])) {
      return refuse(manifest_fault(entry, "nitro.manifest", path, {.message = "the palette is missing"}));
    }
    const auto found = std::find_if(files.begin(), files.end(), [&](const NamedImage& f) { return f.file == *file; });
    if (found == files.end()) continue;
    const Texture& t = all.textures[*index];
    Job job{*index, colors, &*found, path, TexelFormat(t.format & 7), t.color0_clear != 0};
    if (const std::string* format = text("format")) {
      const auto known = std::find_if(std::begin(k_texture_format_words), std::end(k_texture_format_words),
                                      [&](const Word& w) { return w.value && w.word == *format; });
      if (known == std::end(k_texture_format_words))
        return refuse(manifest_fault(entry, "nitro.manifest", path + ".format",
                                     {.message = "unknown texture format \"" + *format + "\"",
                                      .hint = "one of a3i5, palette4, palette16, palette256, block4x4, a5i3, direct"}));
      job.format = TexelFormat(known->value);
    }
    if (const Value* clear = entry.find("color0_clear"); clear && clear->is(Value::Kind::boolean))
      job.color0_clear = clear->boolean();
    jobs.push_back(std::move(job));
  }

  const auto unlike = [&](const Job& job) {
    return texels_unlike(view_of(all.textures[job.texture], job.palette ? &all.palettes[*job.palette] : nullptr),
                         job.file->image);
  };
  // First find those that were edited, then edit: an unchanged picture does not undo the edit of what it shares.
  TakenPictures taken;
  std::vector<const Job*> edited;
  for (const Job& job : jobs) {
    const Texture& t = all.textures[job.texture];
    if (unlike(job) || TexelFormat(t.format & 7) != job.format || (t.color0_clear != 0) != job.color0_clear)
      edited.push_back(&job);
  }
  taken.changed = u32(edited.size());
  taken.unchanged = u32(jobs.size() - edited.size());
  for (const Job* job : edited) {
    if (auto fault = put(all, job->texture, job->palette, job->palette && uses[*job->palette] > 1, job->format,
                         job->color0_clear, job->file->image)) {
      fault->place.path = job->path;
      fault->place.file = job->file->file;
      return refuse(std::move(*fault));
    }
  }
  for (const Job& job : jobs)
    if (const u64 pixels = unlike(job)) {
      const Texture& now = all.textures[job.texture];
      Diagnostic note =
          manifest_fault({}, "nitro.texel-changed", job.path,
                         {.message = std::to_string(pixels) + " of " + std::to_string(u64(now.width()) * now.height()) +
                                     " pixels changed their colour"});
      note.severity = Severity::warning;
      note.place.file = job.file->file;
      taken.notes.push_back(std::move(note));
    }
  return taken;
}

}  // namespace dio::nitro
