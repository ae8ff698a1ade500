// dio textures: the pictures of files as PNG, and edited ones back into them.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/games.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "bridge/jasc/jasc.hpp"
#include "bridge/png/png.hpp"
#include "core/json.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/pictures.hpp"
#include "verbs.hpp"

namespace dio::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_manifest = "textures.json";
constexpr const char* k_memory = "video memory";  // what a manifest says of the picture of all of it

constexpr const char* k_palette_file = "palette_file";

/// A text of an entry of a manifest; empty if there is none.
std::string text_in(const Value& entry, const char* name) {
  const Value* v = entry.find(name);
  return v && v->is(Value::Kind::text) ? v->text() : "";
}

/// The palette of a picture; of a picture of a palette, its pixels.
std::vector<scene::Rgba> colors_of(const scene::Image& image) {
  if (!image.palette.empty()) return image.palette;
  std::vector<scene::Rgba> out;
  for (size_t at = 0; at + 4 <= image.pixels.size(); at += 4)
    out.push_back({image.pixels[at], image.pixels[at + 1], image.pixels[at + 2], image.pixels[at + 3]});
  return out;
}

/// Gives a picture the first colours of a palette: all it has room for, with its own transparency. False if the palette
/// has too few.
bool recolor(scene::Image& image, std::span<const scene::Rgba> colors) {
  const bool is_indexed = !image.palette.empty();
  const size_t wanted = is_indexed ? image.palette.size() : image.pixels.size() / 4;
  if (colors.size() < wanted) return false;
  for (size_t i = 0; i < wanted; ++i)
    std::copy_n(colors[i].begin(), 3, is_indexed ? image.palette[i].data() : &image.pixels[4 * i]);
  return true;
}

/// For a file that never has pictures; found in a folder, it is passed over.
bool has_none(const Request&, const Input& input, const Opened& o, Report& report) {
  if (o.format->pictures) return false;
  if (input.walked)
    report.skipped = true;
  else {
    report.err += input.name + ": this format has no textures (" + std::string(o.format->title) + ")" +
                  (o.format->archive ? "; name a file in it, as `dio ls " + input.name + "` lists them" : "") + "\n";
    report.raise(Exit::no);
  }
  return true;
}

/// `-o DIR`: of one file straight into the folder, of several each into one of its own.
void take_out(const Request& request, const std::vector<Input>& inputs, const Input& input,
              std::span<const Companion> with, Report& report) {
  const auto opened = open_input(request, input, report);
  if (!opened || has_none(request, input, *opened, report)) return;
  const auto companions = companions_of(*opened, {with.begin(), with.end()});
  std::vector<TexturePair> pairs;
  if (!belonging_of(*opened->format).goes_with.empty())  // models may be elsewhere in the game
    in_its_game(input, *opened->format,
                [&](const OpenedGame& in, const GamePart& part) { pairs = in.game->pairs(part.id()); });
  const auto set = opened->format->pictures->pictures(
      *opened->document,
      {.every_palette = request.all, .palette_files = request.palette_files, .companions = companions, .pairs = pairs});
  if (!set) return fail(report, request, set.error());
  tell(report, request, set->notes, input.name);
  if (set->images.empty()) {
    if (!request.quiet || !request.vram.empty()) report.err += input.name + ": no textures\n";
    if (!input.walked) report.raise(Exit::no);
    return;
  }
  Value manifest = described_by("diorama.textures/1");
  manifest.add("file", fs::path(input.name).filename().string());
  for (const auto& [name, value] : set->manifest.members()) manifest.add(name, value);
  if (request.vram == "-") {
    // A picture on standard output stands alone there.
  } else if (request.quiet && !request.json && !request.output.empty()) {
    // textures.json says the same.
  } else if (!request.json) {
    Table table("<<>>><<");
    table.row({"file", "format", "width", "height", "colours", "palette", "paired by"});
    for (size_t i = 0; i < set->images.size(); ++i) {
      const Value& e = *set->manifest.find("pictures")->at(i);
      const auto text = [&](const char* name) {
        const Value* v = e.find(name);
        return !v ? std::string("-") : v->is(Value::Kind::text) ? v->text() : json::write(*v);
      };
      table.row({text("file"), text("format"), text("width"), text("height"), text("colors"), text("palette"),
                 text("paired_by")});
    }
    report.out += (inputs.size() > 1 ? input.name + "\n" : "") + table.text(inputs.size() > 1 ? "  " : "");
  } else
    report.out += json_text(manifest);
  if (!request.vram.empty()) {
    const auto& entries = manifest.find("pictures")->members();
    const auto memory = std::ranges::find_if(entries, [](const Value::Member& e) {
      const Value* part = e.second.find("part");
      return part && part->is(Value::Kind::text) && part->text() == k_memory;
    });
    if (memory == entries.end()) {
      report.err += input.name + ": this format has no VRAM image (" + std::string(opened->format->title) + ")\n";
      return report.raise(Exit::no);
    }
    write_output(request, inputs, request.vram, png::write_png(set->images[size_t(memory - entries.begin())].image),
                 report);
  }
  if (request.output.empty() || report.exit != Exit::done) return;
  fs::path folder = request.output;
  if (inputs.size() > 1) folder /= with_extension(input.inside, "");
  for (const NamedImage& i : set->images) {
    write_output(request, inputs, (folder / i.file).string(), png::write_png(i.image), report);
    if (report.exit != Exit::done) return;
  }
  std::map<std::string, std::vector<scene::Rgba>> palettes;
  for (size_t i = 0; i < set->images.size(); ++i)
    if (const std::string file = text_in(*manifest.find("pictures")->at(i), k_palette_file); !file.empty())
      palettes.emplace(file, colors_of(set->images[i].image));
  for (const auto& [file, colors] : palettes) {
    const std::string text = jasc::write_palette(colors);
    write_output(request, inputs, (folder / file).string(), as_bytes(text), report);
    if (report.exit != Exit::done) return;
  }
  const std::string text = json_text(manifest);
  write_output(request, inputs, (folder / k_manifest).string(), as_bytes(text), report);
}

/// The colours of the palettes of a folder, if there are any, for the pictures that name them.
bool take_palettes(const Request& request, PictureSet& set, Report& report) {
  const Value* pictures = set.manifest.find("pictures");
  for (size_t i = 0; pictures && pictures->is(Value::Kind::list) && i < pictures->size(); ++i) {
    const std::string picture = text_in(*pictures->at(i), "file"), file = text_in(*pictures->at(i), k_palette_file);
    const auto image = std::ranges::find(set.images, picture, &NamedImage::file);
    const std::string path = (fs::path(request.replace) / file).string();
    std::error_code error;
    if (file.empty() || file.find('/') != file.npos || image == set.images.end() || !fs::exists(path, error)) continue;
    const auto bytes = read_regular_file(path);
    Result<std::vector<scene::Rgba>> colors = std::vector<scene::Rgba>();
    if (bytes)
      colors = jasc::read_palette({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    else
      colors = refuse(bytes.error());
    if (!colors)
      fail(report, request, in_file(colors.error(), path));
    else if (!recolor(image->image, *colors))
      fail(report, request,
           make_diagnostic("jasc.syntax", Place::in_file(path),
                           {.message = "the palette has only " + counted(colors->size(), "colour", "colours") + "; " +
                                       picture + " needs " + std::to_string(colors_of(image->image).size())}));
    else
      continue;
    return false;
  }
  return true;
}

/// A picture of the folder. Nothing if it cannot be read; the report says why.
std::optional<scene::Image> read_picture(const Request& request, const std::string& file, Report& report) {
  const std::string path = (fs::path(request.replace) / file).string();
  const auto bytes = read_regular_file(path);
  if (!bytes) {
    fail(report, request, bytes.error());
    return {};
  }
  auto image = png::read_png(*bytes);
  if (!image) {
    fail(report, request, in_file(image.error(), path), *bytes);
    return {};
  }
  return std::move(*image);
}

/// The manifest and the pictures of a folder. Nothing if one cannot be read; the report says why.
std::optional<PictureSet> read_folder(const Request& request, Report& report) {
  PictureSet set;
  const std::string name = (fs::path(request.replace) / k_manifest).string();
  const auto text = read_regular_file(name);
  if (!text) {
    fail(report, request, text.error());
    return {};
  }
  auto manifest = json::read({reinterpret_cast<const char*>(text->data()), text->size()});
  if (!manifest) {
    fail(report, request, in_file(manifest.error(), name));
    return {};
  }
  set.manifest = std::move(*manifest);
  // Those of the folder that the manifest names, each once.
  std::set<std::string> files;
  if (const Value* pictures = set.manifest.find("pictures"); pictures && pictures->is(Value::Kind::list))
    for (size_t i = 0; i < pictures->size(); ++i)
      if (const Value* file = pictures->at(i)->find("file"); file && file->is(Value::Kind::text))
        files.emplace(file->text());
  for (const std::string& file : files) {
    std::error_code error;
    const std::string path = (fs::path(request.replace) / file).string();
    if (file.find('/') != file.npos || !fs::exists(path, error)) continue;  // deleted: that picture stays as it is
    auto image = read_picture(request, file, report);
    if (!image) return {};
    set.images.push_back({file, std::move(*image)});
  }
  if (!take_palettes(request, set, report)) return {};
  return set;
}

/// `--add`: the pictures of the folder that the manifest does not name, as entries for new textures.
bool add_others(const Request& request, PictureSet& set, Report& report) {
  Value* pictures = set.manifest.find("pictures");
  if (!pictures || !pictures->is(Value::Kind::list)) return true;  // refused when it is read
  std::set<std::string> named;
  for (size_t i = 0; i < pictures->size(); ++i) named.insert(text_in(*pictures->at(i), "file"));
  std::set<std::string> others;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(request.replace, error)) {
    const std::string file = entry.path().filename().string();
    if (entry.path().extension() == ".png" && !named.contains(file)) others.insert(file);
  }
  for (const std::string& file : others) {
    auto image = read_picture(request, file, report);
    if (!image) return false;
    set.images.push_back({file, std::move(*image)});
    Value& entry = pictures->push(Value::object());
    entry.add("file", file);
    entry.add("texture", fs::path(file).stem().string());
    entry.add("add", true);
  }
  return true;
}

/// `--replace DIR -o OUT`.
void put_back(const Request& request, const Input& input, Report& report) {
  auto opened = open_input(request, input, report);
  if (!opened || has_none(request, input, *opened, report)) return;
  if ((request.adds || request.rescales) && !opened->format->pictures->extends)
    return fail_usage(report, request, "--add and --rescale are for models and textures of the DS (nsbmd, nsbtx)");
  auto set = read_folder(request, report);
  if (!set || (request.adds && !add_others(request, *set, report))) return;
  if (request.rescales && set->manifest.is(Value::Kind::object) && !set->manifest.find("rescale"))
    set->manifest.add("rescale", true);
  const auto taken = opened->format->pictures->take(*opened->document, set->manifest, set->images);
  if (!taken) {
    Diagnostic d = taken.error();
    if (d.place.file.empty() || d.place.file.find('/') == std::string::npos)
      d.place.file = (fs::path(request.replace) / (d.place.file.empty() ? k_manifest : d.place.file)).string();
    return fail(report, request, d);
  }
  if (!request.quiet) {
    for (Diagnostic d : taken->notes) {
      d.place.file = (fs::path(request.replace) / d.place.file).string();
      report.err += note_line(d);
    }
    report.err += input.name + ": " + counted(taken->changed, "picture", "pictures") + " changed, " +
                  std::to_string(taken->unchanged) + " unchanged" +
                  (taken->added ? ", " + std::to_string(taken->added) + " added" : "") + "\n";
  }
  Bytes bytes = opened->bytes;
  if (taken->changed || taken->added) {
    auto saved = opened->document->save(request.save);
    if (!saved) {
      return fail(report, request, in_file(saved.error(), input.name));
    }
    bytes = std::move(*saved);
  }
  write_changed(request, input, *opened->format, bytes, report);
}

}  // namespace

Exit run_textures(const Request& asked) {
  Request request = asked;
  if (request.replace.empty() && !request.output.empty() && !request.output.ends_with('/')) request.output += '/';
  // The folder is meant, whichever of the two is named.
  if (const fs::path named = request.replace; named.filename() == k_manifest && !is_folder(request.replace))
    request.replace = named.parent_path().empty() ? "." : named.parent_path().string();
  const std::vector<Input> inputs = inputs_of(request);
  Report wrong;
  if (request.vram == "-" && request.json)
    fail_usage(wrong, request, "--vram - and --json cannot both write to standard output");
  else if (request.palette_files && request.output.empty() && request.replace.empty())
    fail_usage(wrong, request, "--pal needs a folder for the palettes: -o FOLDER/");
  else if (!request.vram.empty() && (inputs.size() != 1 || !request.replace.empty()))
    fail_usage(wrong, request, "--vram takes one file and cannot be combined with --replace");
  else if (request.replace.empty()) {
    if (request.in_place) fail_usage(wrong, request, "-i can only be used with --replace");
    if (request.adds || request.rescales)
      fail_usage(wrong, request, "--add and --rescale can only be used with --replace");
  } else if (inputs.size() != 1)
    fail_usage(wrong, request, "--replace takes one file");
  else if (!request.with.empty())
    fail_usage(wrong, request, "--with cannot be combined with --replace; the palettes are in textures.json");
  else if (request.all || request.json)
    fail_usage(wrong, request, "--all-palettes and --json cannot be combined with --replace");
  else if (request.palette_files)
    fail_usage(wrong, request,
               "--pal has no effect with --replace, which takes the .pal files that textures.json names");
  else
    has_one_place(request, wrong);
  const std::vector<Opened> others = open_others(request, wrong);
  if (wrong.exit != Exit::done) return finish(wrong);
  std::vector<Companion> with;
  for (const Opened& o : others) with.push_back({o.name, o.format, o.document.get()});
  return for_each_input(request, inputs, [&](const Input& input, size_t) {
    Report report;
    if (request.replace.empty())
      take_out(request, inputs, input, with, report);
    else
      put_back(request, input, report);
    return report;
  });
}

}  // namespace dio::cli
