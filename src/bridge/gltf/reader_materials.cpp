#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "bridge/gltf/combined_picture.hpp"
#include "bridge/gltf/reader_parts.hpp"
#include "bridge/picture_file/picture_file.hpp"

namespace dio::gltf {
namespace {

class Materials {
 public:
  explicit Materials(Reading& reading) : r_(reading), in_(reading.source) {}

  void read_textures_and_materials() {
    read_images();
    const Item textures = in_.list("textures"), materials = in_.list("materials");
    for (size_t i = 0; i < textures.size() && !in_.failed(); ++i) read_texture(textures.at(i));
    for (size_t i = 0; i < materials.size() && !in_.failed(); ++i) read_material(materials.at(i));
  }

 private:
  /// Pictures with the same bytes are shared.
  void read_images() {
    const Item images = in_.list("images");
    const size_t views = r_.count("bufferViews");
    std::map<std::pair<std::uintptr_t, size_t>, Index> known;  // by the position of the bytes
    for (size_t i = 0; i < images.size() && !in_.failed(); ++i) {
      const Item item = images.at(i);
      ByteView bytes;
      if (item.has("bufferView"))
        bytes = in_.load_buffer_view(item.index("bufferView", views));
      else if (item.has("uri"))
        bytes = in_.load_resource(item).value_or(ByteView());
      else
        item.report_fault({.message = "the image has neither a bufferView nor a uri"});
      const auto [place, is_new] =
          known.try_emplace({reinterpret_cast<std::uintptr_t>(bytes.data()), bytes.size()}, k_none);
      if (is_new) place->second = read_image(item, bytes);
      images_.push_back(place->second);
    }
  }

  /// Without its folder and extension.
  static std::string file_stem(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    return name.substr(0, name.rfind('.'));
  }

  Index read_image(const Item& item, ByteView bytes) {
    if (in_.failed()) return k_none;
    if (!is_picture_file(bytes)) {
      in_.add_note(item.path(), "the image is neither PNG nor JPEG and is omitted");
      return k_none;
    }
    auto image = read_picture_file(bytes, in_.remaining_memory_budget() / 4);
    if (!image) {
      Diagnostic d = image.error();
      const std::string file = in_.external_path(item);
      d.place = Location::in_file(file, file.empty() ? item.path() : "");
      in_.report_fault(std::move(d));
      return k_none;
    }
    // Only pictures that share bytes can need this much.
    constexpr u64 k_packs_well = 2;
    if (!in_.charge_memory_budget(item.path(), image->pixels.size() / k_packs_well)) return k_none;
    image->name = item.text("name");
    if (image->name.empty()) image->name = file_stem(in_.external_path(item));
    r_.scene.images.push_back(std::move(*image));
    return Index(r_.scene.images.size() - 1);
  }

  void read_texture(const Item& item) {
    scene::Texture out{.name = item.text("name")};
    const Index source = item.index("source", images_.size());
    if (source != k_none) out.image = images_[source];
    const Index sampler = item.index("sampler", r_.count("samplers"));
    out.nearest = false;
    if (sampler != k_none) {
      const Item how = in_.list("samplers").at(sampler);
      out.nearest = how.unsigned_integer("magFilter", 9729) == 9728;
      out.wrap_u = read_wrap_mode(how, "wrapS");
      out.wrap_v = read_wrap_mode(how, "wrapT");
    }
    if (source == k_none) in_.add_note(item.path(), "the texture has no supported image and is omitted");
    r_.textures.push_back(out.image == k_none ? k_none : Index(r_.scene.textures.size()));
    if (out.image != k_none) r_.scene.textures.push_back(std::move(out));
  }

  static scene::Texture::Wrap read_wrap_mode(const Item& sampler, std::string_view name) {
    using enum scene::Texture::Wrap;
    switch (sampler.unsigned_integer(name, 10497)) {
      case 10497:
        return repeat;
      case 33071:
        return clamp;
      case 33648:
        return mirror;
      default:
        sampler.report_fault({.message = std::string(name) + " " + std::to_string(sampler.unsigned_integer(name, 0)) +
                                         " is unknown; it must be 10497, 33071 or 33648"});
        return repeat;
    }
  }

  void read_material(const Item& item) {
    scene::Material out{.name = item.text("name"), .unlit = false};
    const Item surface = item.member("pbrMetallicRoughness");
    out.color = surface.reals<4>("baseColorFactor", out.color);
    for (f32& x : out.color) x = std::clamp(x, 0.0f, 1.0f);
    u32 uv_set = 0;
    const Item base = surface.member("baseColorTexture"), glow = item.member("emissiveTexture");
    if (const Item texture = base.exists() ? base : glow; texture.exists()) {
      const Index index = texture.index("index", r_.textures.size());
      if (index == k_none) texture.report_fault({.message = "the texture reference has no index"});
      if (!in_.failed()) out.texture = r_.textures[index];
      const Item transform = texture.extension("KHR_texture_transform");
      out.transform.offset = transform.reals<2>("offset", out.transform.offset);
      out.transform.rotation = transform.real("rotation", out.transform.rotation);
      out.transform.scale = transform.reals<2>("scale", out.transform.scale);
      uv_set =
          u32(std::min<u64>(transform.unsigned_integer("texCoord", texture.unsigned_integer("texCoord", 0)), 1 << 16));
    }
    const std::string alpha = item.text("alphaMode");
    using Alpha = scene::Material::Alpha;
    if (alpha == "MASK") {
      out.alpha = Alpha::mask;
      out.alpha_cutoff = std::clamp(item.real("alphaCutoff", 0.5f), 0.0f, 1.0f);
    } else if (alpha == "BLEND") {
      out.alpha = Alpha::blend;
    } else if (!alpha.empty() && alpha != "OPAQUE") {
      item.report_fault({.message = "unknown alphaMode " + alpha + "; it must be OPAQUE, MASK or BLEND"});
    }
    out.double_sided = item.flag("doubleSided", false);
    out.unlit = item.extension("KHR_materials_unlit").exists();
    out.extras = item.extras();
    const bool has_own_glow =
        base.exists() && glow.exists() && glow.unsigned_integer("index", 0) != base.unsigned_integer("index", 0);
    if (!in_.failed() && base.exists() && out.texture != k_none) combine_textures(item, base, out);
    if (!has_own_glow) add_emission_extra(item, out.extras);
    note_ignored_properties(item, surface);
    r_.uv_sets.push_back(uv_set);
    r_.scene.materials.push_back(std::move(out));
  }

  /// Whether a texture of a material is placed like its base colour, so that both can be one picture.
  bool is_placed_like(const Item& texture, const Item& base) {
    const auto place = [](const Item& t) {
      const Item transform = t.extension("KHR_texture_transform");
      return std::tuple(transform.reals<2>("offset", {0, 0}), transform.real("rotation", 0),
                        transform.reals<2>("scale", {1, 1}),
                        transform.unsigned_integer("texCoord", t.unsigned_integer("texCoord", 0)));
    };
    return place(texture) == place(base);
  }
  /// The texture in the scene; none if it is missing, or placed in another way than the base colour.
  Index find_layer(const Item& item, std::string_view name, const Item& base) {
    const Item texture = item.member(name);
    if (!texture.exists()) return k_none;
    const Index index = texture.index("index", r_.textures.size());
    const Index found = index == k_none || in_.failed() ? k_none : r_.textures[index];
    if (found != k_none && is_placed_like(texture, base)) return found;
    in_.add_note(item.path(), std::string(name) + " is omitted");
    return k_none;
  }
  /// Puts occlusion and emission into the picture of the base colour: materials of scenes have one texture.
  void combine_textures(const Item& item, const Item& base, scene::Material& out) {
    const scene::Vec3 factor = emission_factor(item);
    const Index occlusion = find_layer(item, "occlusionTexture", base);
    Index emission = factor == scene::Vec3{} ? k_none : find_layer(item, "emissiveTexture", base);
    if (emission == out.texture) emission = k_none;
    if (in_.failed() || (occlusion == k_none && emission == k_none)) return;
    const f32 strength = std::clamp(item.member("occlusionTexture").real("strength", 1), 0.0f, 1.0f);
    const auto picture = [&](Index texture) -> const scene::Image* {
      return texture == k_none ? nullptr : &r_.scene.images[r_.scene.textures[texture].image];
    };
    const CombinedKey key{out.texture, occlusion, emission,
                          strength,    factor,    scene::Vec3{out.color[0], out.color[1], out.color[2]}};
    const auto known = std::ranges::find(combined_, key, &std::pair<CombinedKey, Index>::first);
    Index texture_index = known == combined_.end() ? k_none : known->second;
    if (texture_index == k_none) {
      const PictureLayers layers{
          picture(out.texture), std::get<5>(key), picture(occlusion), strength, picture(emission), factor};
      const auto [width, height] = combined_size(layers);
      if (!in_.charge_memory_budget(item.path(), u64(width) * height * 4)) return;
      scene::Image image = combine_pictures(layers);
      scene::Texture texture = r_.scene.textures[out.texture];
      texture.image = Index(r_.scene.images.size());
      r_.scene.images.push_back(std::move(image));
      texture_index = Index(r_.scene.textures.size());
      combined_.push_back({key, texture_index});
      r_.scene.textures.push_back(std::move(texture));
    }
    out.texture = texture_index;
    for (size_t k = 0; k < 3; ++k) out.color[k] = 1;
    in_.add_note(item.path(), std::string(occlusion == k_none  ? "emissiveTexture is"
                                          : emission == k_none ? "occlusionTexture is"
                                                               : "occlusionTexture and emissiveTexture are") +
                                  " combined with the base colour into one picture");
  }

  static scene::Vec3 emission_factor(const Item& item) {
    scene::Vec3 light = item.reals<3>("emissiveFactor", scene::Vec3{});
    const f32 strength = item.extension("KHR_materials_emissive_strength").real("emissiveStrength", 1);
    for (f32& x : light) x = std::clamp(x, 0.0f, 1.0f) * std::max(strength, 0.0f);
    return light;
  }
  /// Scenes have no emissive materials: the light is kept in extras for formats that support it.
  static void add_emission_extra(const Item& item, Value& extras) {
    const scene::Vec3 light = emission_factor(item);
    if (light == scene::Vec3{} || extras.find("emission")) return;
    if (extras.is(Value::Kind::null)) extras = Value::object();
    if (!extras.is(Value::Kind::object)) return;
    Value& list = extras.add("emission", Value::list());
    for (const f32 x : light) list.push(x);
  }

  void note_ignored_properties(const Item& item, const Item& surface) {
    if (item.has("normalTexture")) in_.add_note(item.path(), "normalTexture is omitted");
    if (item.has("occlusionTexture") && !surface.has("baseColorTexture"))
      in_.add_note(item.path(), "occlusionTexture is omitted");
    if (surface.has("metallicRoughnessTexture")) in_.add_note(item.path(), "metallicRoughnessTexture is omitted");
    const Item extensions = item.member("extensions");
    if (!extensions.exists() || !extensions.value()->is(Value::Kind::object)) return;
    for (const auto& [name, value] : extensions.value()->members())
      if (name != "KHR_materials_unlit" && name != "KHR_materials_emissive_strength")
        in_.add_note(item.path(), name + " is omitted");
  }

  Reading& r_;
  Source& in_;
  std::vector<Index> images_;  // index in the scene, by index in the file
  /// Textures of base colour, occlusion and emission, strength, factors of emission and colour.
  using CombinedKey = std::tuple<Index, Index, Index, f32, scene::Vec3, scene::Vec3>;
  std::vector<std::pair<CombinedKey, Index>> combined_;
};

}  // namespace

void read_materials(Reading& reading) { Materials(reading).read_textures_and_materials(); }

}  // namespace dio::gltf
