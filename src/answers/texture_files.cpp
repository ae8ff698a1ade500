#include "answers/texture_files.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "bridge/jasc/jasc.hpp"
#include "bridge/png/png.hpp"
#include "core/json.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"

namespace dio {

namespace {

constexpr const char* k_memory = "video memory";  // what a manifest says of the picture of all of it
constexpr const char* k_palette_file = "palette_file";

/// A text of an entry of a manifest; empty if there is none.
std::string text_member_or_empty(const Value& entry, const char* name) {
  const Value* v = entry.find(name);
  return v && v->is(Value::Kind::text) ? v->text() : "";
}

const Value* manifest_pictures(const Value& manifest) {
  const Value* pictures = manifest.find("pictures");
  return pictures && pictures->is(Value::Kind::list) ? pictures : nullptr;
}

/// The palette of a picture; of a picture of a palette, its pixels.
std::vector<scene::Rgba> palette_or_pixel_colors(const scene::Image& image) {
  if (!image.palette.empty()) return image.palette;
  std::vector<scene::Rgba> out;
  for (size_t at = 0; at + 4 <= image.pixels.size(); at += 4)
    out.push_back({image.pixels[at], image.pixels[at + 1], image.pixels[at + 2], image.pixels[at + 3]});
  return out;
}

/// Gives a picture the first colours of a palette: all it has room for, with its own transparency. False if the palette
/// has too few.
bool apply_palette_colors(scene::Image& image, std::span<const scene::Rgba> colors) {
  const bool is_indexed = !image.palette.empty();
  const size_t wanted = is_indexed ? image.palette.size() : image.pixels.size() / 4;
  if (colors.size() < wanted) return false;
  for (size_t i = 0; i < wanted; ++i)
    std::copy_n(colors[i].begin(), 3, is_indexed ? image.palette[i].data() : &image.pixels[4 * i]);
  return true;
}

template <class T>
tl::unexpected<Diagnostic> refuse_with_file(Result<T>& wrong, const std::string& file) {
  Diagnostic d = std::move(wrong.error());
  if (d.place.file.empty()) d.place.file = file;
  return refuse(std::move(d));
}

std::string_view as_text(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// A picture that is there.
Result<NamedImage> read_picture(const std::string& file, Result<Bytes> bytes) {
  if (!bytes) return refuse_with_file(bytes, file);
  auto image = png::read_png(*bytes);
  if (!image) return refuse_with_file(image, file);
  return NamedImage{file, std::move(*image)};
}

/// The colours of the palettes of a folder, if there are any, for the pictures that name them.
Result<bool> apply_palette_files(PictureSet& set, const ReadTexture& read) {
  const Value* pictures = manifest_pictures(set.manifest);
  for (size_t i = 0; pictures && i < pictures->size(); ++i) {
    const std::string picture = text_member_or_empty(*pictures->at(i), "file"),
                      file = text_member_or_empty(*pictures->at(i), k_palette_file);
    const auto image = std::ranges::find(set.images, picture, &NamedImage::file);
    if (file.empty() || file.find('/') != file.npos || image == set.images.end()) continue;
    auto bytes = read(file);
    if (!bytes) continue;
    if (!*bytes) return refuse_with_file(*bytes, file);
    auto colors = jasc::read_palette(as_text(**bytes));
    if (!colors) return refuse_with_file(colors, file);
    if (!apply_palette_colors(image->image, *colors))
      return refuse(make_diagnostic(
          "jasc.syntax", Location::in_file(file),
          {.message = "the palette has only " + format_count(colors->size(), "colour") + "; " + picture + " needs " +
                      std::to_string(palette_or_pixel_colors(image->image).size())}));
  }
  return true;
}

/// The manifest and the pictures of a folder.
Result<PictureSet> read_texture_folder(const ReadTexture& read) {
  PictureSet set;
  auto text = read(k_texture_manifest);
  if (!text) return refuse(missing_file(k_texture_manifest));
  if (!*text) return refuse_with_file(*text, k_texture_manifest);
  auto manifest = json::read(as_text(**text));
  if (!manifest) return refuse_with_file(manifest, k_texture_manifest);
  set.manifest = std::move(*manifest);
  // Those of the folder that the manifest names, each once.
  std::set<std::string> files;
  if (const Value* pictures = manifest_pictures(set.manifest))
    for (size_t i = 0; i < pictures->size(); ++i)
      if (std::string file = text_member_or_empty(*pictures->at(i), "file"); file.find('/') == file.npos)
        files.insert(std::move(file));
  for (const std::string& file : files) {
    auto bytes = file.empty() ? std::nullopt : read(file);
    if (!bytes) continue;  // deleted: that picture stays as it is
    auto image = read_picture(file, std::move(*bytes));
    if (!image) return refuse(std::move(image.error()));
    set.images.push_back(std::move(*image));
  }
  if (auto taken = apply_palette_files(set, read); !taken) return refuse(std::move(taken.error()));
  return set;
}

/// The files that the manifest does not name, as entries for new textures.
Result<bool> add_unlisted_textures(PictureSet& set, const std::vector<std::string>& files, const ReadTexture& read) {
  Value* pictures = set.manifest.find("pictures");
  if (!pictures || !pictures->is(Value::Kind::list)) return true;  // refused when it is read
  std::set<std::string> named;
  for (size_t i = 0; i < pictures->size(); ++i) named.insert(text_member_or_empty(*pictures->at(i), "file"));
  for (const std::string& file : std::set<std::string>(files.begin(), files.end())) {
    if (!file.ends_with(".png") || named.contains(file)) continue;
    auto bytes = read(file);
    if (!bytes) continue;
    auto image = read_picture(file, std::move(*bytes));
    if (!image) return refuse(std::move(image.error()));
    set.images.push_back(std::move(*image));
    Value& entry = pictures->push(Value::object());
    entry.add("file", file);
    entry.add("texture", file.substr(0, file.rfind('.')));
    entry.add("add", true);
  }
  return true;
}

}  // namespace

const scene::Image* TextureFolder::video_memory() const {
  for (size_t i = 0; i < images.size(); ++i)
    if (text_member_or_empty(*manifest.find("pictures")->at(i), "part") == k_memory) return &images[i].image;
  return nullptr;
}

void TextureFolder::write(const std::function<bool(const std::string&, ByteView)>& give) const {
  for (const NamedImage& i : images)
    if (!give(i.file, png::write_png(i.image))) return;
  std::map<std::string, std::vector<scene::Rgba>> palettes;
  for (size_t i = 0; i < images.size(); ++i)
    if (const std::string file = text_member_or_empty(*manifest.find("pictures")->at(i), k_palette_file); !file.empty())
      palettes.emplace(file, palette_or_pixel_colors(images[i].image));
  for (const auto& [file, colors] : palettes)
    if (!give(file, as_bytes(jasc::write_palette(colors)))) return;
  if (!images.empty()) give(k_texture_manifest, as_bytes(json::write(manifest) + '\n'));
}

Result<TextureFolder> export_textures(const OpenedFile& o, const PictureOptions& options) {
  auto set = o.format->pictures->pictures(*o.document, options);
  if (!set) return refuse(std::move(set.error()));
  TextureFolder out{std::move(set->images), Value::object(), std::move(set->notes)};
  out.manifest.add("schema", "diorama.textures/1");
  out.manifest.add("file", file_name(o.name));
  for (auto& [name, value] : set->manifest.members()) out.manifest.add(name, std::move(value));
  return out;
}

Result<PictureImportResult> import_textures(OpenedFile& o, const ReadTexture& read, const TakeOptions& options) {
  auto set = read_texture_folder(read);
  if (!set) return refuse(std::move(set.error()));
  if (auto added = add_unlisted_textures(*set, options.added, read); !added) return refuse(std::move(added.error()));
  if (options.rescale && set->manifest.is(Value::Kind::object) && !set->manifest.find("rescale"))
    set->manifest.add("rescale", true);
  auto taken = o.format->pictures->take(*o.document, set->manifest, set->images);
  if (!taken) return refuse_with_file(taken, k_texture_manifest);
  return taken;
}

std::vector<std::string> find_unlisted_pictures(const ReadTexture& read, const std::vector<std::string>& files) {
  const auto text = read(k_texture_manifest);
  const auto manifest = text && *text ? json::read(as_text(**text)) : refuse(missing_file(k_texture_manifest));
  const Value* pictures = manifest ? manifest_pictures(*manifest) : nullptr;
  std::set<std::string> unlisted;
  for (const std::string& file : files)
    if (pictures && file.ends_with(".png")) unlisted.insert(file);
  for (size_t i = 0; pictures && i < pictures->size(); ++i)
    unlisted.erase(text_member_or_empty(*pictures->at(i), "file"));
  return {unlisted.begin(), unlisted.end()};
}

}  // namespace dio
