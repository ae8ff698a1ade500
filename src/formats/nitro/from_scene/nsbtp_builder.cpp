#include "formats/nitro/from_scene/nsbtp_builder.hpp"

#include <charconv>
#include <map>
#include <set>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/from_scene/animation_files.hpp"
#include "scene/extras.hpp"
#include "scene/node_name_suffixes.hpp"

namespace dio::nitro {

using scene::Index;
using scene::k_none;

namespace {

constexpr u32 k_usual_frames = 8;     // default frames of a picture
constexpr size_t k_most_names = 254;  // textures or palettes; 255 means none
constexpr size_t k_most_pattern_keys = 0xFFFF;

constexpr std::string_view k_as = " as ";  // MATERIAL as PICTURE: the names of such nodes

/// Recognises a node by its extras or, if a program dropped them, by its name and its material name.
bool is_picture_node(const scene::Scene& s, const scene::Node& n) {
  if (!n.extras.is(Value::Kind::null)) return scene::read_text_extra(n.extras, "kind") == "nitro.picture";
  const size_t at = n.name.find(k_as);
  if (at == n.name.npos || n.mesh == scene::k_none || s.meshes[n.mesh].primitives.empty()) return false;
  const Index material = s.meshes[n.mesh].primitives[0].material;
  return material != scene::k_none && s.materials[material].name.starts_with(std::string_view(n.name).substr(0, at));
}

/// For each material, whether it is an alternate picture of another material: by its extras, or by the name of a node
/// that shows it and its own name, MATERIAL.PICTURE.
std::vector<bool> find_alternate_picture_materials(const scene::Scene& s) {
  std::set<std::string_view> names, shown;
  for (const scene::Material& m : s.materials)
    if (!scene::read_text_extra(m.extras, "picture_of")) names.insert(m.name);
  for (const scene::Node& n : s.nodes)
    if (is_picture_node(s, n)) shown.insert(scene::strip_copy_suffix(n.name));
  std::vector<bool> out;
  for (const scene::Material& m : s.materials) {
    const auto of = scene::read_text_extra(m.extras, "picture_of");
    const size_t dot = m.name.find('.');
    const bool is_named = m.extras.is(Value::Kind::null) && dot != m.name.npos &&
                          names.contains(m.name.substr(0, dot)) &&
                          shown.contains(m.name.substr(0, dot) + std::string(k_as) + m.name.substr(dot + 1));
    out.push_back((of && names.contains(*of)) || is_named);
  }
  return out;
}

/// One picture of a material, from a frame on.
struct PatternFrame {
  u32 frame;
  std::string texture, palette;  // no palette: keeps the previous one
};

class NsbtpBuilder {
 public:
  NsbtpBuilder(const scene::Scene& s, std::span<const BuiltMaterial> materials, NsbmdMaterialBuilder& looks, u32 rate,
               SceneClips& clips, Diagnostics& notes)
      : s_(s), materials_(materials), looks_(looks), rate_(rate), clips_(clips), notes_(notes) {}

  Result<std::vector<BuiltFile>> build_files(std::string_view name) {
    for (const BuiltMaterial& m : materials_)
      if (auto wrong = encode_pictures(m)) return refuse(std::move(*wrong));
    ClipsOf<Nsbtp> all;
    Names names;
    for (const scene::Animation& from : s_.animations) {
      if (scene::read_text_extra(from.extras, "kind") != "nitro.patterns") continue;
      auto a = build_exported_pattern(from);
      if (!a) return refuse(std::move(a.error()));
      if (a->materials.empty()) continue;
      a->name = names(SceneClips::name_of(from), "animation");
      clips_.mark_used(from);
      all.push_back({std::move(*a), clips_.file_of(from)});
    }
    auto a = build_listed_pattern();
    if (!a) return refuse(std::move(a.error()));
    if (!a->materials.empty()) {
      a->name = names(name, "animation");
      all.push_back({std::move(*a), {}});
      for (const scene::Animation& from : s_.animations)  // they only showed these pictures
        if (from.channels.empty() && from.material_channels.empty() && from.visibility_channels.empty())
          clips_.mark_used(from);
    }
    clips_.add_changed_names(names.changed());
    for (auto& each : all) sort_tracks_by_name(each.animation);
    return save_clips<Nsbtp>(std::move(all), ".nsbtp");
  }

 private:
  void add_warning(Index material, std::string message) {
    notes_.push_back(make_diagnostic(Severity::warning, "nitro.make-pictures", s_.materials[material].name,
                                     {.message = std::move(message)}));
  }

  /// Encodes the pictures of an export under the names it states.
  std::optional<Diagnostic> encode_pictures(const BuiltMaterial& made) {
    const auto add = [&](Index i) -> std::optional<Diagnostic> {
      const scene::Material& m = s_.materials[i];
      if (m.texture == k_none || s_.textures[m.texture].image == k_none) return {};
      const Index image = s_.textures[m.texture].image;
      alpha_[{made.scene, image}] = m.alpha;
      auto encoded = looks_.encode_texture(image, m.alpha);
      if (!encoded) return encoded.error();
      if (const auto texture = scene::read_text_extra(m.extras, "texture")) {
        const std::string name(*texture), palette(scene::read_text_extra(m.extras, "palette").value_or(""));
        known_.try_emplace({name, palette}, *encoded);
        images_.try_emplace({made.scene, name + "." + palette}, image);
      }
      return {};
    };
    if (auto wrong = add(made.scene)) return wrong;
    for (Index i = 0; i < s_.materials.size(); ++i)
      if (scene::read_text_extra(s_.materials[i].extras, "picture_of") == s_.materials[made.scene].name)
        if (auto wrong = add(i)) return wrong;
    return {};
  }

  Result<PatternAnimation> build_exported_pattern(const scene::Animation& from) {
    PatternAnimation a{};
    const auto at_rate = [&](f64 frame) { return std::clamp(std::round(frame * rate_ / k_usual_rate), 0.0, 65535.0); };
    a.frames = u16(std::max(1.0, at_rate(scene::read_number_extra(from.extras, "frames").value_or(1))));
    const Value* list = from.extras.find("materials");
    if (!list || !list->is(Value::Kind::list)) return a;
    for (const auto& [unused, one] : list->members()) {
      const auto name = scene::read_text_extra(one, "material");
      const auto made =
          std::ranges::find_if(materials_, [&](const BuiltMaterial& m) { return s_.materials[m.scene].name == name; });
      const Value* keys = one.find("keys");
      if (!name || made == materials_.end() || !keys || !keys->is(Value::Kind::list)) continue;
      std::vector<PatternFrame> shown;
      for (const auto& [no_name, key] : keys->members()) {
        const auto texture = scene::read_text_extra(key, "texture"), palette = scene::read_text_extra(key, "palette");
        const auto frame = scene::read_number_extra(key, "frame");
        if (!texture || !frame) continue;
        PatternFrame k{u32(at_rate(*frame)), truncate_name(*texture), truncate_name(palette.value_or(""))};
        const auto found = known_.find({std::string(*texture), std::string(palette.value_or(""))});
        if (found != known_.end()) k.texture = found->second.texture, k.palette = found->second.palette;
        shown.push_back(std::move(k));
      }
      said_.insert(made->scene);
      if (auto wrong = add_track(a, *made, shown)) return refuse(std::move(*wrong));
    }
    return a;
  }

  /// Builds the animation from the property `pictures` of materials.
  Result<PatternAnimation> build_listed_pattern() {
    PatternAnimation a{};
    for (const BuiltMaterial& made : materials_) {
      const scene::Material& m = s_.materials[made.scene];
      const auto said = scene::read_text_extra(m.extras, "pictures");
      if (!said || said_.contains(made.scene)) continue;
      if (m.texture == k_none || s_.textures[m.texture].image == k_none) {
        add_warning(made.scene, "the material has no picture of its own that the listed pictures could replace");
        continue;
      }
      std::vector<PatternFrame> shown;
      u32 frame = 0;
      for (std::string_view rest = *said; !rest.empty();) {
        const size_t comma = rest.find(',');
        const auto [image, frames] = parse_picture_item(rest.substr(0, comma), made.scene);
        rest = comma == rest.npos ? "" : rest.substr(comma + 1);
        if (image == k_none) continue;
        const auto alpha = alpha_.find({made.scene, image});
        auto encoded = looks_.encode_texture(image, alpha == alpha_.end() ? m.alpha : alpha->second);
        if (!encoded) return refuse(std::move(encoded.error()));
        if (encoded->width != made.material->original_width || encoded->height != made.material->original_height)
          add_warning(made.scene,
                      text("the texture of the picture \"", s_.images[image].name, "\" is ", encoded->width, " x ",
                           encoded->height, ", but the material's own texture is ", made.material->original_width,
                           " x ", made.material->original_height, ", so the game repeats or crops the picture"));
        if (frame < k_most_frames) shown.push_back({frame, encoded->texture, encoded->palette});
        frame += frames;
      }
      a.frames = u16(std::max<u32>(a.frames, std::min(frame, k_most_frames)));
      if (auto wrong = add_track(a, made, shown)) return refuse(std::move(*wrong));
    }
    return a;
  }
  struct Item {
    Index image = k_none;
    u32 frames = k_usual_frames;
  };
  /// Parses "NAME" or "NAME FRAMES"; no picture and a warning if there is no picture with that name.
  Item parse_picture_item(std::string_view item, Index material) {
    const auto trim = [](std::string_view s) {
      const size_t first = s.find_first_not_of(' '), last = s.find_last_not_of(' ');
      return first == s.npos ? std::string_view() : s.substr(first, last - first + 1);
    };
    item = trim(item);
    if (item.empty()) return {};
    const auto find_image_named = [&](std::string_view name) {
      const auto i = std::ranges::find(s_.images, name, &scene::Image::name);
      return i == s_.images.end() ? k_none : Index(i - s_.images.begin());
    };
    // Blender treats the part of a name after a dot as an extension and drops it.
    const auto find_picture_named = [&](std::string_view name) {
      if (const Index i = find_image_named(name); i != k_none) return i;
      if (const auto i = images_.find({material, std::string(name)}); i != images_.end()) return i->second;
      const size_t dot = name.rfind('.');
      return dot == name.npos || name.find(' ', dot) != name.npos ? k_none : find_image_named(name.substr(0, dot));
    };
    Item out;
    if ((out.image = find_picture_named(item)) != k_none) return out;
    std::string_view name = item;
    if (const size_t space = item.rfind(' '); space != item.npos) {
      const std::string_view number = item.substr(space + 1);
      u32 frames = 0;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), frames);
      if (error == std::errc() && end == number.data() + number.size() && frames && frames <= k_most_frames) {
        name = trim(item.substr(0, space));
        out.frames = frames;
      }
    }
    if ((out.image = find_picture_named(name)) == k_none)
      add_warning(material, text("the scene has no picture named ", given(name)));
    return out;
  }

  std::optional<Diagnostic> add_track(PatternAnimation& a, const BuiltMaterial& made,
                                      const std::vector<PatternFrame>& shown) {
    if (shown.empty()) return {};
    PatternTrack t{};
    t.name = made.material->name;
    if (std::ranges::find(a.materials, t.name, &PatternTrack::name) != a.materials.end()) return {};
    const auto read_number_extra = [](auto& names, const std::string& name) {
      const auto i = std::ranges::find_if(names, [&](const auto& n) { return n.name == name; });
      if (i != names.end()) return size_t(i - names.begin());
      names.emplace_back();
      names.back().name = name;
      return names.size() - 1;
    };
    for (const PatternFrame& s : shown) {
      if (t.keys.size() == k_most_pattern_keys) break;
      const size_t texture = read_number_extra(a.texture_names, s.texture);
      const size_t palette = s.palette.empty() ? k_no_palette : read_number_extra(a.palette_names, s.palette);
      if (a.texture_names.size() > k_most_names || a.palette_names.size() > k_most_names)
        return make_diagnostic(
            "nitro.make-many", s_.materials[made.scene].name,
            {.message = text("with this material, the animation has more than ", k_most_names, " pictures")});
      t.keys.push_back({u16(s.frame), u8(texture), u8(palette)});
    }
    sort_stably(t.keys, {}, &PatternKey::frame);
    a.materials.push_back(std::move(t));
    return {};
  }

  const scene::Scene& s_;
  const std::span<const BuiltMaterial> materials_;
  NsbmdMaterialBuilder& looks_;
  const u32 rate_;
  SceneClips& clips_;
  Diagnostics& notes_;
  std::map<std::pair<std::string, std::string>, BuiltTexture> known_;  // by stated names
  std::map<std::pair<Index, std::string>, Index> images_;            // by material and the names of texture and palette
  std::map<std::pair<Index, Index>, scene::Material::Alpha> alpha_;  // by material and picture
  std::set<Index> said_;                                             // materials that animations change
};

}  // namespace

scene::Scene without_alternate_pictures(const scene::Scene& given) {
  scene::Scene s = given;
  const std::vector<bool> other = find_alternate_picture_materials(s);
  for (scene::Mesh& m : s.meshes)
    std::erase_if(m.primitives, [&](const scene::Primitive& p) { return p.material != k_none && other[p.material]; });
  for (scene::Node& n : s.nodes) {
    if (!is_picture_node(given, n)) continue;
    // For programs without visibility animations, exports hide nodes by scale.
    n.translation = {0, 0, 0}, n.rotation = scene::k_no_rotation, n.scale = {1, 1, 1};
    n.visible = true;
    if (n.mesh == k_none || n.parent == k_none) continue;
    scene::Node& parent = s.nodes[n.parent];
    if (parent.mesh != k_none && (parent.skin != n.skin || parent.mesh == n.mesh)) continue;
    if (parent.mesh == k_none) {
      parent.mesh = n.mesh, parent.skin = n.skin;
    } else {
      if (std::ranges::count(s.nodes, parent.mesh, &scene::Node::mesh) > 1) {  // keep meshes that other nodes use
        s.meshes.push_back(scene::Mesh(s.meshes[parent.mesh]));
        parent.mesh = Index(s.meshes.size() - 1);
      }
      auto& to = s.meshes[parent.mesh].primitives;
      const auto more = s.meshes[n.mesh].primitives;
      to.insert(to.end(), more.begin(), more.end());
    }
    n.mesh = k_none, n.skin = k_none;
  }
  const auto shows_picture = [&](const auto& c) { return is_picture_node(given, given.nodes[c.node]); };
  for (scene::Animation& a : s.animations) {
    std::erase_if(a.channels, shows_picture);
    std::erase_if(a.visibility_channels, shows_picture);
  }
  return s;
}

Result<std::vector<BuiltFile>> build_nsbtp(const scene::Scene& s, std::span<const BuiltMaterial> materials,
                                           NsbmdMaterialBuilder& looks, std::string_view name, u32 frames_per_second,
                                           SceneClips& clips, Diagnostics& notes) {
  return NsbtpBuilder(s, materials, looks, frames_per_second, clips, notes).build_files(name);
}

}  // namespace dio::nitro
