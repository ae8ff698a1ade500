// format.cpp: the registry entries of the Nitro formats.
#include "formats/contract/format.hpp"

#include <array>
#include <cstring>

#include "core/little_endian.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/pictures.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/nitro/from_scene/shape_editor.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/pictures/coordinates.hpp"
#include "formats/nitro/pictures/pictures.hpp"
#include "formats/nitro/scene/surfaces.hpp"

namespace dio::nitro {
namespace {

/// Nitro files are recognised by their first four characters and the byte order mark after them.
Sniff sniff_magic(ByteView bytes, std::string_view name, std::string_view magic, std::string_view extension) {
  using enum Sniff::Certainty;
  if (bytes.size() >= 6 && !std::memcmp(bytes.data(), magic.data(), 4) && bytes[4] == 0xFF && bytes[5] == 0xFE)
    return {certain, "starts with " + std::string(magic)};
  if (bytes.size() >= 4 && !std::memcmp(bytes.data(), magic.data(), 4))
    return {likely, "starts with " + std::string(magic) + ", but has no byte order mark"};
  if (name.ends_with(extension)) return {possible, "has the extension " + std::string(extension)};
  return {};
}

/// Names a format that is often mistaken for a Nitro model because of its name or purpose; empty for any other file.
std::string identify_look_alike(ByteView bytes, std::string_view name) {
  const auto starts = [&](std::string_view magic) {
    return bytes.size() >= magic.size() && !std::memcmp(bytes.data(), magic.data(), magic.size());
  };
  const auto word = [&](size_t at) { return read_u32_le(bytes.data() + at); };
  if (starts("J3D2bmd3")) return "a GameCube or Wii model (J3D BMD3)";
  if (starts("J3D1bmd1") || starts("J3D2bmd2")) return "an old GameCube model (J3D BMD)";
  if (starts("J3D2bdl4")) return "a GameCube or Wii model (J3D BDL4)";
  if (starts("BDL0")) return "a DS model of another library (BDL0)";
  // a Nitro file except for its first four characters
  if (bytes.size() >= 24 && bytes[4] == 0xFF && bytes[5] == 0xFE && (word(12) & 0xFFFF) == 16 &&
      word(16) < bytes.size() - 4) {
    const ByteView block = bytes.subspan(word(16), 4);
    for (const auto& [is, kind] : {std::pair<std::string_view, std::string_view>{"MDL0", "BMD0"},
                                   {"TEX0", "BTX0"},
                                   {"JNT0", "BCA0"},
                                   {"PAT0", "BTP0"},
                                   {"SRT0", "BTA0"},
                                   {"MAT0", "BMA0"},
                                   {"VIS0", "BVA0"}})
      if (!std::memcmp(block.data(), is.data(), 4))
        return "a file that contains the block " + std::string(is) + " but does not start with " + std::string(kind);
  }
  // Super Mario 64 DS: no magic; a header of 0x3C bytes with counts and offsets
  if (!name.ends_with(".bmd") || bytes.size() < 0x3C) return {};
  const auto table = [&](size_t count, size_t offset) {
    return word(count) < 0x1000 && word(offset) % 4 == 0 && word(offset) <= bytes.size() &&
           (word(offset) >= 0x3C || (word(offset) == 0 && word(count) == 0));
  };
  if (word(0) < 16 && word(4) > 0 && table(4, 8) && table(0x0C, 0x10) && table(0x14, 0x18) && table(0x1C, 0x20) &&
      table(0x24, 0x28))
    return "a Super Mario 64 DS model";
  return {};
}

/// The callbacks that all Nitro formats share.
template <class T>
constexpr Format add_common_callbacks(Format f) {
  f.platform = "DS";
  f.rules = rules;
  f.check = [](const AnyDocument& d, std::optional<std::span<const Companion>>, Findings& findings) {
    check(value_of<T>(d), findings);
  };
  f.info = [](const AnyDocument& d) { return info(value_of<T>(d)); };
  f.size_path = "header.size";
  return make_document_format<T>(f);
}

#define DIORAMA_SNIFF(magic, extension) \
  [](ByteView bytes, std::string_view name) { return sniff_magic(bytes, name, magic, extension); }

/// Only this format names the look-alikes.
Sniff sniff_model(ByteView bytes, std::string_view name) {
  Sniff s = sniff_magic(bytes, name, "BMD0", ".nsbmd");
  if (s.certainty <= Sniff::Certainty::possible)
    if (std::string is = identify_look_alike(bytes, name); !is.empty()) return {Sniff::Certainty::no, std::move(is)};
  return s;
}

Format make_format_record(std::string_view id, std::string_view title, std::string_view extensions,
                          std::string_view magic, Sniff (*sniffs)(ByteView, std::string_view)) {
  Format f{};
  f.id = id, f.title = title, f.extensions = extensions;
  f.sniff = sniffs, f.magic = magic;
  return f;
}

Format with_scene(Format f) {
  static constexpr std::string_view k_options[] = {"lit"},
                                    k_companion_properties[] = {k_animation_frames, k_unshown_textures};
  static constexpr NodeKind k_kinds[] = {{.kind = "nitro.model", .has_label = false}};
  static constexpr Scenes k_scenes = {
      .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Nsbmd>(d), o); },
      .options = k_options,
      .companion_properties = k_companion_properties,
      .kinds = k_kinds,
      .value_of_source =
          [](const AnyDocument& d, const Value& extras, u32 source) {
            return value_of_source(value_of<Nsbmd>(d), path_from_extras(extras), source);
          },
      .sources_of_value =
          [](const AnyDocument& d, const Value& extras, std::string_view path) {
            return sources_of_value(value_of<Nsbmd>(d), path_from_extras(extras), path);
          },
      .write_triangles = [](AnyDocument& d, const scene::TriangleDifferences& differences)
          -> Result<SceneImportResult> { return write_triangles(edit_of<Nsbmd>(d), differences); },
      .move_node = [](AnyDocument& d,
                      const NodeTransformChange& change) { return move_node(edit_of<Nsbmd>(d), change); },
      .without_alternates = without_alternate_pictures,
  };
  static constexpr CompanionOps k_belonging = {
      .names = [](const AnyDocument& d) { return companion_match_names(value_of<Nsbmd>(d)); },
      .pairs = [](const AnyDocument& d) { return collect_texture_pairs(value_of<Nsbmd>(d).models); }};
  static const Making k_making = {.make = make_model, .options = make_options()};
  f.scenes = &k_scenes;
  f.belonging = &k_belonging;
  f.making = &k_making;
  f.edits = model_edits;
  f.budget = [](const AnyDocument& d, std::span<const Companion> c) { return budget(value_of<Nsbmd>(d), c); };
  return f;
}
template <class T>
Format with_companion_ops(Format f) {
  static constexpr CompanionOps k_belonging = {
      .goes_with = "nsbmd",
      .fits = [](const AnyDocument& d,
                 const AnyDocument& m) { return matches_model(value_of<T>(d), value_of<Nsbmd>(m)); },
      .names = [](const AnyDocument& d) { return companion_match_names(value_of<T>(d)); },
      .pairs = [](const AnyDocument& d) -> std::vector<TexturePair> {
        if constexpr (std::is_same_v<T, Nsbtp>)
          return collect_texture_pairs(value_of<Nsbtp>(d).animations);
        else
          return {};
      },
      .one_name_is_enough = std::is_same_v<T, Nsbtx>,
  };
  f.belonging = &k_belonging;
  if constexpr (std::is_same_v<T, Nsbtx>) f.edits = texture_set_edits;
  return f;
}

std::span<const Model> models_of(const Nsbmd& f) { return f.models; }
std::span<const Model> models_of(const Nsbtx&) { return {}; }
/// The textures of a file, or null; const or not.
auto find_textures(auto& file) {
  if constexpr (requires { file.textures.has_value(); })
    return file.textures ? &*file.textures : nullptr;
  else
    return &file.textures;
}

template <class T>
Result<PictureSet> pictures(const AnyDocument& d, const PictureOptions& options) {
  const T& file = value_of<T>(d);
  PictureSet out;
  const Textures* all = find_textures(file);
  static const Textures k_none{};
  if (!all) all = &k_none;
  std::vector<TexturePair> pairs = collect_texture_pairs(models_of(file));
  for (const Companion& c : options.companions)
    if (const auto read = companion_ops_of(*c.format).pairs) {
      const auto more = read(*c.document);
      pairs.insert(pairs.end(), more.begin(), more.end());
    }
  pairs.insert(pairs.end(), options.pairs.begin(), options.pairs.end());
  const auto list = list_texture_pictures(*all, pairs, options.every_palette);
  for (const TexturePicture& p : list) out.images.push_back({p.file, decode_picture(*all, p)});
  out.manifest = build_manifest(*all, list, options.palette_files);
  return out;
}
template <class T>
Result<PictureImportResult> import_picture_folder(AnyDocument& d, const Value& manifest,
                                                  std::span<const NamedImage> images) {
  T& file = edit_of<T>(d);
  const Value* said = manifest.find("rescale");
  const bool rescales = said && said->is(Value::Kind::boolean) && said->boolean();
  Textures* all = find_textures(file);
  if constexpr (std::is_same_v<T, Nsbmd>) {
    if (!all) all = &file.textures.emplace();
  } else if (rescales) {
    return refuse("nitro.rescale", {},
                  {.message = "a texture set has no texture coordinates to rescale",
                   .hint = "the models that use the set contain the coordinates, which count texels"});
  }
  const TextureSizes before = list_texture_sizes(*all);
  auto taken = import_pictures(*all, manifest, images);
  if constexpr (std::is_same_v<T, Nsbmd>) {
    if (all->textures.empty() && all->palettes.empty()) file.textures.reset();
    if (taken && rescales)
      if (const auto followed = rescale_texcoords(file, before); !followed) return refuse(followed.error());
  }
  return taken;
}
template <class T>
Format with_pictures(Format f) {
  static constexpr PictureOps k_pictures = {pictures<T>, import_picture_folder<T>, true};
  f.pictures = &k_pictures;
  return f;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 7> k_formats = {
      with_scene(with_pictures<Nsbmd>(
          add_common_callbacks<Nsbmd>(make_format_record("nsbmd", "Nitro models", ".nsbmd", "BMD0", sniff_model)))),
      with_companion_ops<Nsbtx>(with_pictures<Nsbtx>(add_common_callbacks<Nsbtx>(
          make_format_record("nsbtx", "Nitro textures", ".nsbtx", "BTX0", DIORAMA_SNIFF("BTX0", ".nsbtx"))))),
      with_companion_ops<Nsbca>(add_common_callbacks<Nsbca>(
          make_format_record("nsbca", "Nitro joint animations", ".nsbca", "BCA0", DIORAMA_SNIFF("BCA0", ".nsbca")))),
      with_companion_ops<Nsbtp>(add_common_callbacks<Nsbtp>(make_format_record(
          "nsbtp", "Nitro texture pattern animations", ".nsbtp", "BTP0", DIORAMA_SNIFF("BTP0", ".nsbtp")))),
      with_companion_ops<Nsbta>(add_common_callbacks<Nsbta>(make_format_record(
          "nsbta", "Nitro texture SRT animations", ".nsbta", "BTA0", DIORAMA_SNIFF("BTA0", ".nsbta")))),
      with_companion_ops<Nsbma>(add_common_callbacks<Nsbma>(
          make_format_record("nsbma", "Nitro material animations", ".nsbma", "BMA0", DIORAMA_SNIFF("BMA0", ".nsbma")))),
      with_companion_ops<Nsbva>(add_common_callbacks<Nsbva>(make_format_record(
          "nsbva", "Nitro visibility animations", ".nsbva", "BVA0", DIORAMA_SNIFF("BVA0", ".nsbva")))),
  };
  return k_formats;
}

}  // namespace dio::nitro
