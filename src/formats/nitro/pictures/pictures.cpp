#include "formats/nitro/pictures/pictures.hpp"

#include <algorithm>
#include <map>

#include "core/text_format.hpp"
#include "formats/contract/picture_importer.hpp"
#include "formats/contract/pictures.hpp"

namespace dio::nitro {
namespace {

bool is_direct(const Texture& t) {
  return TexelFormat(t.format & 7) == TexelFormat::direct || TexelFormat(t.format & 7) == TexelFormat::none;
}

template <class Entry>
std::optional<u32> find_index(const std::vector<Entry>& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  if (found == entries.end()) return std::nullopt;
  return u32(found - entries.begin());
}

size_t common_prefix_length(std::string_view a, std::string_view b) {
  return size_t(std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(std::min(a.size(), b.size())), b.begin()).first -
                a.begin());
}

/// The number of characters that two names have in common, in the same order.
size_t common_subsequence_length(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (const char letter : a) {
    size_t corner = 0;  // of the row above
    for (size_t i = 0; i < b.size(); ++i) {
      const size_t above = row[i + 1];
      row[i + 1] = letter == b[i] ? corner + 1 : std::max(above, row[i]);
      corner = above;
    }
  }
  return row.back();
}

constexpr std::string_view k_palette_ending = "_pl";

/// Finds a palette by name, or guesses the best one. Measured on Platinum textures that models pair with a palette: 120
/// of 2,613 guesses for lands and 2 of 2,730 for props are wrong; with the longest common prefix alone, 297 and 44.
TexturePicture guess_palette(const Textures& all, u32 index) {
  const Texture& t = all.textures[index];
  const std::string longer = (t.name + std::string(k_palette_ending)).substr(0, k_name_size);
  for (const std::string& name : {t.name, longer})
    if (const auto palette = find_index(all.palettes, name)) return {{}, index, palette, PairedBy::name};
  struct Rank {
    bool has_colors, is_free;
    f64 alike;  // from 0 to 1
    size_t start;
    auto operator<=>(const Rank&) const = default;
  };
  std::optional<u32> best;
  Rank most{};
  for (u32 i = 0; i < all.palettes.size(); ++i) {
    const Palette& p = all.palettes[i];
    std::string_view name = p.name;
    if (name.ends_with(k_palette_ending)) name.remove_suffix(k_palette_ending.size());
    const size_t letters = t.name.size() + name.size();
    const Rank rank{count_texels_past_palette(texel_view(t, &p)) == 0,
                    !find_index(all.textures, p.name) && !find_index(all.textures, name),
                    letters ? 2.0 * f64(common_subsequence_length(t.name, name)) / f64(letters) : 0,
                    common_prefix_length(t.name, p.name)};
    if (best && !(rank > most)) continue;
    best = i;
    most = rank;
  }
  return {{}, index, best, best ? PairedBy::guess : PairedBy::nothing};
}

void assign_file_names(const Textures& all, std::vector<TexturePicture>& pictures) {
  PictureNames names;
  for (size_t i = 0; i < pictures.size(); ++i) {
    TexturePicture& p = pictures[i];
    std::string stem = PictureNames::escape_file_name(all.textures[p.texture].name);
    if (i && pictures[i - 1].texture == p.texture && p.palette)
      stem += "." + PictureNames::escape_file_name(all.palettes[*p.palette].name);
    p.file = names.unique_png_name(stem);
  }
}

std::string_view texture_format_name(u8 format) { return k_texture_formats.of(format); }

bool needs_palette(TexelFormat f) { return f != TexelFormat::none && f != TexelFormat::direct; }

void set_size(Texture& t, const scene::Image& image) {
  const auto code = [](u32 side) {
    u8 bits = 0;
    while (8u << bits < side) ++bits;
    return bits;
  };
  t.width_code = code(image.width), t.height_code = code(image.height);
  t.original_width = u16(image.width), t.original_height = u16(image.height);
  t.same_size = 1;
}

/// Stores one picture in its texture; the diagnostic if that is impossible.
std::optional<Diagnostic> store_picture(Textures& all, u32 index, std::optional<u32> palette, bool palette_is_shared,
                                        TexelFormat format, bool color0_clear, const scene::Image& image) {
  if (needs_palette(format) && !palette) {  // it was direct
    Palette made{};
    made.name = all.textures[index].name;
    palette = u32(all.palettes.size());
    all.palettes.push_back(std::move(made));
  }
  Texture& t = all.textures[index];
  const TexelView previous = texel_view(t, palette ? &all.palettes[*palette] : nullptr);
  const bool same = previous.format == format && previous.color0_clear == color0_clear;
  EncodeOptions options{.format = format, .color0_clear = color0_clear, .previous = same ? &previous : nullptr};
  if (palette && palette_is_shared) options.palette = previous.palette;
  auto encoded = encode_nitro_texels(image, options);
  if (!encoded) return std::move(encoded.error());
  if (image.width != t.width() || image.height != t.height()) set_size(t, image);
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

TexelView texel_view(const Texture& t, const Palette* p) {
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

std::vector<TexturePicture> list_texture_pictures(const Textures& all, std::span<const TexturePair> pairs,
                                                  bool every_palette) {
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
      const auto palette = find_index(all.palettes, pair.palette);
      const auto is_this = [&](const TexturePicture& p) { return p.palette == palette; };
      if (palette && std::none_of(pictures.begin() + std::ptrdiff_t(first), pictures.end(), is_this))
        pictures.push_back({{}, i, palette, PairedBy::material});
    }
    if (pictures.size() == first) pictures.push_back(guess_palette(all, i));
    if (!every_palette) continue;
    const std::vector<TexturePicture> known(pictures.begin() + std::ptrdiff_t(first), pictures.end());
    for (u32 p = 0; p < all.palettes.size(); ++p) {
      const bool is_known =
          std::any_of(known.begin(), known.end(), [&](const TexturePicture& k) { return k.palette == p; });
      if (!is_known && !count_texels_past_palette(texel_view(t, &all.palettes[p])))
        pictures.push_back({{}, i, p, PairedBy::colors});
    }
  }
  assign_file_names(all, pictures);
  return pictures;
}

scene::Image decode_picture(const Textures& all, const TexturePicture& p) {
  scene::Image image =
      decode_texels(texel_view(all.textures[p.texture], p.palette ? &all.palettes[*p.palette] : nullptr));
  image.name = all.textures[p.texture].name;
  return image;
}

static std::string palette_file_name(std::string picture) {
  picture.replace(picture.size() - 4, 4, ".pal");
  return picture;
}

Value build_manifest(const Textures& all, std::span<const TexturePicture> pictures, bool palette_files) {
  PictureNames names;
  std::map<u32, std::string> file_of;  // of a palette
  Value manifest = Value::object();
  Value& list = manifest.add("pictures", Value::list());
  for (const TexturePicture& p : pictures) {
    const Texture& t = all.textures[p.texture];
    Value& entry = list.push(Value::object());
    entry.add("file", p.file);
    entry.add("texture", t.name);
    entry.add("format", texture_format_name(t.format));
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
    if (palette_files) {
      std::string& file = file_of[*p.palette];
      if (file.empty()) file = palette_file_name(names.unique_png_name(PictureNames::escape_file_name(palette.name)));
      entry.add("palette_file", file);
    }
    entry.add("paired_by", to_string(p.paired_by));
    entry.add("colors", palette.colors.size());
    if (const u64 without = count_texels_past_palette(texel_view(t, &palette)))
      entry.add("texels_without_color", without);
  }
  return manifest;
}

namespace {

/// A picture of a folder, with its texture and palette.
struct PictureImportJob {
  u32 texture;
  std::optional<u32> palette;
  const NamedImage* file;
  std::string path;
  TexelFormat format;
  bool color0_clear;
  bool only_possible;  // nothing else pairs the texture with this palette
  bool edited = false;
};

/// The contents of a manifest: pictures with their files, and how often each texture and palette is used.
struct PictureImportJobs {
  std::vector<PictureImportJob> list;
  std::vector<u32> palette_uses, texture_uses;
  /// Whether a change to the colours or texels of a picture affects other pictures.
  bool is_shared(const PictureImportJob& job) const {
    return job.palette && (palette_uses[*job.palette] > 1 || texture_uses[job.texture] > 1);
  }
};

/// Inserts an entry in name order if the list is sorted by name.
template <class Entry>
void insert(std::vector<Entry>& list, Entry entry) {
  const auto by_name = [](const Entry& a, const Entry& b) { return a.name < b.name; };
  const auto at = std::ranges::is_sorted(list, by_name) ? std::ranges::upper_bound(list, entry, by_name) : list.end();
  list.insert(at, std::move(entry));
}

/// Makes a texture from a picture, for a manifest entry with "add".
std::optional<Diagnostic> add_texture(Textures& all, const Value& entry, const std::string& path,
                                      std::span<const NamedImage> files, Diagnostics& notes) {
  const auto get_text = [&](const char* name) {
    const Value* v = entry.find(name);
    return v && v->is(Value::Kind::text) ? v->text() : std::string();
  };
  const auto fault = [&](std::string_view id, DiagnosticText said) {
    return manifest_error(entry, id, path, std::move(said));
  };
  const std::string file = get_text("file"), name = get_text("texture");
  const auto picture = std::ranges::find(files, file, &NamedImage::file);
  if (picture == files.end()) return fault("nitro.manifest", {.message = "the picture \"" + file + "\" is missing"});
  if (name.empty() || name.size() > k_name_size)
    return fault("nitro.manifest",
                 {.message = "\"" + name + "\" cannot name the new texture, because a name has 1 to " +
                             std::to_string(k_name_size) + " characters",
                  .hint = "rename the file"});
  if (find_index(all.textures, name))
    return fault("nitro.manifest", {.message = "the file already has a texture \"" + name + "\""});
  const PictureNeeds needs = analyze_picture(picture->image, false);
  TexelFormat format = smallest_format(needs);
  if (const std::string wanted = get_text("format"); !wanted.empty()) {
    const auto known = std::ranges::find(k_texture_format_words, wanted, &EnumName::word);
    if (known == std::end(k_texture_format_words) || !known->value)
      return fault("nitro.manifest", {.message = "unknown texture format \"" + wanted + "\""});
    format = TexelFormat(known->value);
  }
  std::string palette = get_text("palette");
  if (palette.empty()) palette = (name + std::string(k_palette_ending)).substr(0, k_name_size);
  const auto shared = find_index(all.palettes, palette);  // its colours stay
  const bool indexed =
      format == TexelFormat::palette4 || format == TexelFormat::palette16 || format == TexelFormat::palette256;
  EncodeOptions options{.format = format, .color0_clear = indexed && needs.clear};
  if (shared) options.palette = all.palettes[*shared].colors;
  auto encoded = encode_nitro_texels(picture->image, options);
  if (!encoded) {
    encoded.error().place.path = path, encoded.error().place.file = file;
    return std::move(encoded.error());
  }
  if (encoded->changed_texels) {
    Diagnostic note = fault("nitro.texel-changed", {.message = "the new texture differs from the picture in " +
                                                               format_count(encoded->changed_texels, "pixel")});
    note.severity = Severity::warning;
    note.place.file = file;
    notes.push_back(std::move(note));
  }
  if (needs_palette(format) && !shared) {
    Palette p{};
    p.name = palette;
    p.four_colors = format == TexelFormat::palette4;
    p.colors = std::move(encoded->palette);
    insert(all.palettes, std::move(p));
  }
  Texture t{};
  t.name = name;
  t.format = u8(format), t.color0_clear = options.color0_clear;
  set_size(t, picture->image);
  t.texels = std::move(encoded->texels), t.blocks = std::move(encoded->blocks);
  insert(all.textures, std::move(t));
  return {};
}

Result<PictureImportJobs> parse_import_jobs(const Textures& all, const Value& manifest,
                                            std::span<const NamedImage> files) {
  PictureImportJobs jobs{{}, std::vector<u32>(all.palettes.size()), std::vector<u32>(all.textures.size())};
  const Value* list = manifest.find("pictures");
  if (!list || !list->is(Value::Kind::list))
    return refuse(
        manifest_error(manifest, "nitro.manifest", "pictures", {.message = "the list \"pictures\" is missing"}));
  for (size_t i = 0; i < list->size(); ++i) {
    const Value& entry = *list->at(i);
    if (is_true_member(entry, "add")) continue;
    const std::string path = "pictures[" + std::to_string(i) + "]";
    const auto text = [&](std::string_view name) {
      const Value* v = entry.find(name);
      return v && v->is(Value::Kind::text) ? &v->text() : nullptr;
    };
    const std::string *file = text("file"), *texture = text("texture"), *palette = text("palette");
    if (!file || !texture)
      return refuse(
          manifest_error(entry, "nitro.manifest", path, {.message = "the entry needs both \"file\" and \"texture\""}));
    const auto index = find_index(all.textures, *texture);
    if (!index)
      return refuse(manifest_error(entry, "nitro.manifest", path + ".texture",
                                   {.message = "the file has no texture \"" + *texture + "\""}));
    ++jobs.texture_uses[*index];
    std::optional<u32> colors;
    if (palette) {
      colors = find_index(all.palettes, *palette);
      if (!colors)
        return refuse(manifest_error(entry, "nitro.manifest", path + ".palette",
                                     {.message = "the file has no palette \"" + *palette + "\""}));
      ++jobs.palette_uses[*colors];
    } else if (!is_direct(all.textures[*index])) {
      return refuse(manifest_error(entry, "nitro.manifest", path, {.message = "the entry has no \"palette\""}));
    }
    const auto found = std::find_if(files.begin(), files.end(), [&](const NamedImage& f) { return f.file == *file; });
    if (found == files.end()) continue;
    const Texture& t = all.textures[*index];
    const std::string* pairing = text("paired_by");
    PictureImportJob job{*index,
                         colors,
                         &*found,
                         path,
                         TexelFormat(t.format & 7),
                         t.color0_clear != 0,
                         pairing && *pairing == to_string(PairedBy::colors)};
    if (const std::string* format = text("format")) {
      const auto known = std::find_if(std::begin(k_texture_format_words), std::end(k_texture_format_words),
                                      [&](const EnumName& w) { return w.value && w.word == *format; });
      if (known == std::end(k_texture_format_words))
        return refuse(manifest_error(entry, "nitro.manifest", path + ".format",
                                     {.message = "unknown texture format \"" + *format + "\"",
                                      .hint = "use a3i5, palette4, palette16, palette256, block4x4, a5i3 or direct"}));
      job.format = TexelFormat(known->value);
    }
    if (const Value* clear = entry.find("color0_clear"); clear && clear->is(Value::Kind::boolean))
      job.color0_clear = clear->boolean();
    jobs.list.push_back(std::move(job));
  }
  return jobs;
}

TexelView texel_view(const Textures& all, const PictureImportJob& job) {
  return texel_view(all.textures[job.texture], job.palette ? &all.palettes[*job.palette] : nullptr);
}

/// The colours that a picture wants at palette indices.
struct PaletteDemand {
  std::vector<std::optional<u16>> seen;  // by the indices that its pixels use
  std::vector<u16> all;                  // the whole palette, if the picture has one
};

/// Nothing if the picture does not determine its palette because its pixels were painted over.
std::optional<PaletteDemand> find_palette_demand(const Textures& all, const PictureImportJob& job) {
  const TexelView texture = texel_view(all, job);
  const scene::Image before = decode_texels(texture);
  const scene::Image& now = job.file->image;
  if (job.format != texture.format || job.color0_clear != texture.color0_clear || before.palette.empty()) return {};
  const bool translucent = job.format == TexelFormat::a3i5 || job.format == TexelFormat::a5i3;
  const u32 places = ds::max_palette_colors(job.format);
  const auto is_clear = [](const scene::Rgba& color) { return color[3] < 128; };
  const auto has = [&](u16 word) {
    return std::ranges::any_of(texture.palette, [&](u16 known) { return (known & 0x7FFF) == word; });
  };
  PaletteDemand out{std::vector<std::optional<u16>>(places), {}};
  const bool same_size = now.width == before.width && now.height == before.height;
  const bool same_pixels = same_size && !now.palette.empty() && now.pixels == before.pixels;
  if (!translucent && !now.palette.empty() && now.palette.size() <= places) {
    for (const scene::Rgba& color : now.palette) out.all.push_back(ds::word_of(color));
    if (!same_pixels) {
      bool is_new = false;
      for (const u8 index : now.pixels) {
        const scene::Rgba& color = now.palette[index];
        if (is_clear(color)) continue;
        if (job.color0_clear && index == 0) return {};  // that index is invisible
        out.seen[index] = ds::word_of(color);
        is_new |= !has(ds::word_of(color));
      }
      if (is_new) return out;
      out = {std::vector<std::optional<u16>>(places), {}};  // a program has sorted the palette
    }
  }
  if (!same_size) return {};
  const u32 mask = places - 1;
  bool is_new = same_pixels;
  for (u32 y = 0; y < now.height; ++y)
    for (u32 x = 0; x < now.width; ++x) {
      const u8 place = u8(before.pixels[size_t(y) * before.width + x] & mask);
      const scene::Rgba old = scene::color_of(before, x, y), color = scene::color_of(now, x, y);
      if (translucent ? ds::to_5_bits(old[3]) != ds::to_5_bits(color[3]) : is_clear(old) != is_clear(color)) return {};
      if (translucent ? old[3] == 0 : is_clear(old)) continue;
      const u16 word = ds::word_of(color);
      if (out.seen[place] && *out.seen[place] != word) return {};  // painted over
      out.seen[place] = word;
      is_new |= !has(word);
    }
  // Colours that the texture already has only change its texels. An unedited picture still demands its colours.
  if (!is_new && job.edited) return {};
  return out;
}

std::string format_hex_color(u16 word) {
  const scene::Rgba color = ds::rgb555_to_rgba(word, 255);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "#";
  for (size_t i = 0; i < 3; ++i) out += {digits[color[i] >> 4], digits[color[i] & 15]};
  return out;
}

/// Gives a shared palette the colours that its pictures agree on; unedited colours stay. If a picture without its own
/// palette disagrees, its pixels are replaced instead. Otherwise the diagnostic names the pictures that want different
/// colours.
std::optional<Diagnostic> update_shared_palettes(Textures& all, const PictureImportJobs& jobs) {
  struct PaletteClaim {
    u16 color;
    const PictureImportJob* by;
  };
  std::vector<std::vector<const PictureImportJob*>> users(all.palettes.size());
  for (const PictureImportJob& job : jobs.list)
    if (job.palette && needs_palette(job.format)) users[*job.palette].push_back(&job);
  std::vector<std::vector<u16>> colors(all.palettes.size());
  for (u32 p = 0; p < all.palettes.size(); ++p) {
    const std::vector<const PictureImportJob*>& its = users[p];
    if (std::ranges::none_of(its, [&](const PictureImportJob* job) { return job->edited && jobs.is_shared(*job); }))
      continue;
    // 4x4 blocks also show colours interpolated between palette colours.
    if (std::ranges::any_of(its, [](const PictureImportJob* job) { return job->format == TexelFormat::block4x4; }))
      continue;
    const std::vector<u16>& before = all.palettes[p].colors;
    std::vector<u16> after = before;
    std::vector<std::optional<PaletteClaim>> seen(256), unseen(256);
    std::optional<Diagnostic> conflict;
    bool refused = false;
    for (const PictureImportJob* job : its) {
      if (!job->edited && job->only_possible) continue;
      const auto wanted = find_palette_demand(all, *job);
      if (!wanted) continue;
      for (size_t i = 0; i < wanted->seen.size(); ++i) {
        const u16 old = i < before.size() ? before[i] & 0x7FFF : 0;
        if (!wanted->seen[i]) {
          if (job->edited && i < wanted->all.size() && wanted->all[i] != old && !unseen[i])
            unseen[i] = PaletteClaim{wanted->all[i], job};
          continue;
        }
        const u16 color = *wanted->seen[i];
        if (!seen[i]) seen[i] = PaletteClaim{color, job};
        if (seen[i]->color == color) continue;
        const PictureImportJob* other = seen[i]->by;
        const auto says_so = [](const PictureImportJob* j) { return j->edited && !j->file->image.palette.empty(); };
        refused |= says_so(job) || says_so(other);
        if (conflict) continue;
        conflict =
            manifest_error({}, "nitro.palette-conflict", job->path,
                           {.message = "colour " + std::to_string(i) + " of the palette \"" + all.palettes[p].name +
                                       "\" is " + format_hex_color(seen[i]->color) + " in " + other->file->file +
                                       ", but " + format_hex_color(color) + " in " + job->file->file,
                            .hint = "give the colour the same value in all pictures that use the palette, or delete "
                                    "the pictures that you did not edit"});
        conflict->place.file = job->file->file;
      }
    }
    if (conflict && refused) return conflict;
    if (conflict) continue;
    for (size_t i = 0; i < seen.size(); ++i) {
      const auto& claim = seen[i] ? seen[i] : unseen[i];
      if (!claim) continue;
      if (i < after.size() && (after[i] & 0x7FFF) == claim->color) continue;
      if (!claim->by->edited) continue;
      if (i >= after.size()) after.resize(i + 1);
      after[i] = claim->color;
    }
    colors[p] = std::move(after);
  }
  // Change all palettes at the end, because demands are read from the unchanged texture.
  for (u32 p = 0; p < all.palettes.size(); ++p)
    if (!colors[p].empty()) all.palettes[p].colors = std::move(colors[p]);
  return std::nullopt;
}

}  // namespace

Result<PictureImportResult> import_pictures(Textures& all, const Value& manifest, std::span<const NamedImage> files) {
  PictureImportResult taken;
  if (const Value* list = manifest.find("pictures"); list && list->is(Value::Kind::list))
    for (size_t i = 0; i < list->size(); ++i) {
      if (!is_true_member(*list->at(i), "add")) continue;
      if (auto wrong = add_texture(all, *list->at(i), "pictures[" + std::to_string(i) + "]", files, taken.notes))
        return refuse(std::move(*wrong));
      ++taken.added;
    }
  auto found = parse_import_jobs(all, manifest, files);
  if (!found) return refuse(std::move(found.error()));
  PictureImportJobs& jobs = *found;
  const auto unlike = [&](const PictureImportJob& job) {
    return count_changed_texels(texel_view(all, job), job.file->image);
  };

  // First find the edited pictures, then apply them, so that an unchanged picture does not undo the edit of a shared
  // texture.
  for (PictureImportJob& job : jobs.list) {
    const Texture& t = all.textures[job.texture];
    job.edited = unlike(job) || TexelFormat(t.format & 7) != job.format || (t.color0_clear != 0) != job.color0_clear;
    ++(job.edited ? taken.changed : taken.unchanged);
    const scene::Image& image = job.file->image;
    if ((image.width == t.width() && image.height == t.height()) || is_true_member(manifest, "rescale")) continue;
    const auto size = [](u32 width, u32 height) { return std::to_string(width) + " x " + std::to_string(height); };
    Diagnostic note = manifest_error(
        {}, "nitro.size-changed", job.path,
        {.message = "the picture is " + size(image.width, image.height) + " pixels, but the texture was " +
                    size(t.width(), t.height()),
         .hint = "texture coordinates count texels, so models now repeat the texture more or less often"});
    note.severity = Severity::warning;
    note.place.file = job.file->file;
    taken.notes.push_back(std::move(note));
  }
  if (auto conflict = update_shared_palettes(all, jobs)) return refuse(std::move(*conflict));
  for (const PictureImportJob& job : jobs.list) {
    if (!job.edited) continue;
    if (auto fault = store_picture(all, job.texture, job.palette, jobs.is_shared(job), job.format, job.color0_clear,
                                   job.file->image)) {
      fault->place.path = job.path;
      fault->place.file = job.file->file;
      return refuse(std::move(*fault));
    }
  }
  std::vector<const PictureImportJob*> first(all.textures.size());  // the main picture of each texture
  for (const PictureImportJob& job : jobs.list) {
    const PictureImportJob*& main = first[job.texture];
    if (!main) main = &job;
    const u64 pixels = unlike(job);
    if (!pixels) continue;
    const Texture& now = all.textures[job.texture];
    DiagnosticText said{.message = "the texture differs from the picture in " + std::to_string(pixels) + " of " +
                                   std::to_string(u64(now.width()) * now.height()) + " pixels"};
    const auto painted = std::ranges::find_if(jobs.list, [&](const PictureImportJob& other) {
      return &other != &job && other.edited && other.texture == job.texture;
    });
    const bool is_kept = &job == main && !job.edited && painted != jobs.list.end();
    if (is_kept)
      said = {.message = format_count(pixels, "pixel") + " changed, but " + job.file->file +
                         " shows the same texture and was not edited",
              .hint = "paint the same pixels in " + job.file->file + ", or delete " + job.file->file};
    const PictureImportJob& of = is_kept ? *painted : job;
    Diagnostic note =
        manifest_error({}, is_kept ? "nitro.shared-texels" : "nitro.texel-changed", of.path, std::move(said));
    note.place.file = of.file->file;
    if (is_kept) return refuse(std::move(note));
    note.severity = Severity::warning;
    taken.notes.push_back(std::move(note));
  }
  return taken;
}

}  // namespace dio::nitro
