#include "bridge/obj/materials.hpp"

#include <algorithm>
#include <array>

#include "bridge/obj/lines.hpp"
#include "bridge/picture_file/picture_file.hpp"
#include "core/safe_path.hpp"
#include "scene/math.hpp"

namespace dio::obj {

using scene::Index;
using scene::k_none;

namespace {

/// The options of a picture, and the name behind them.
struct PictureReference {
  std::string name;
  scene::Vec2 scale{1, 1}, offset{0, 0};
  bool clamps = false;
};

/// How many words follow an option; numbers end earlier if a word is none.
size_t option_length(std::string_view option) {
  if (option == "-o" || option == "-s" || option == "-t") return 3;
  return option == "-mm" ? 2 : 1;
}

PictureReference parse_picture(Statement& s) {
  PictureReference out;
  while (s.rest.starts_with('-')) {
    const std::string_view option = s.next_word();
    const bool takes_numbers = option_length(option) == 3;
    for (size_t i = 0; i < option_length(option); ++i) {
      Statement ahead = s;
      const std::string_view word = ahead.next_word();
      const auto number = parse_number(word);
      if (takes_numbers && (!number || ahead.rest.empty())) break;
      s = ahead;
      if (option == "-s" && i < 2) out.scale[i] = *number;
      if (option == "-o" && i < 2) out.offset[i] = *number;
      if (option == "-clamp") out.clamps = word == "on";
    }
  }
  out.name = std::string(s.rest);
  return out;
}

bool is_map(std::string_view keyword, std::string_view name) { return lower_case(keyword) == name; }

}  // namespace

Diagnostics Notes::list() const {
  Diagnostics out;
  for (const auto& [note, count] : counts_) {
    const auto& [rule, message] = note;
    const std::string others = count > 1 ? " (here and in " + format_count(count - 1, "more place") + ")" : "";
    const Severity severity = rule == k_missing ? Severity::warning : Severity::hint;
    out.push_back(make_diagnostic(severity, rule, {}, {.message = message + others}));
  }
  return out;
}

std::string local_path(std::string_view name) {
  std::string path(name);
  std::ranges::replace(path, '\\', '/');
  if (const auto safe = resolve_relative_path(path)) return *safe;
  const std::string last = path.substr(path.rfind('/') + 1);
  return resolve_relative_path(last).value_or("");
}

std::vector<std::string> list_pictures(ByteView file) {
  std::vector<std::string> out;
  Statements statements(file);
  while (auto s = statements.next())
    if (is_map(s->keyword, "map_kd") || is_map(s->keyword, "map_d"))
      if (const std::string path = local_path(parse_picture(*s).name); !path.empty()) out.push_back(path);
  return out;
}

std::optional<Bytes> Materials::load(std::string_view name, const std::string& what) {
  const std::string path = local_path(name);
  if (!path.empty() && resolve_)
    if (auto bytes = resolve_(path)) return *std::move(bytes);
  notes_.add(k_missing,
             "the " + what + ' ' + in_quotes(truncate_utf8(std::string(name), 200)) + " cannot be read and is omitted");
  return {};
}

Result<void> Materials::read_file(std::string_view name) {
  if (!files_.insert(std::string(name)).second) return {};
  const auto bytes = load(name, "material file");
  if (!bytes) return {};
  Statements statements(*bytes);
  std::optional<scene::Material> material;
  Maps maps;
  const auto finish = [&]() -> Result<void> {
    if (!material || known_.contains(material->name)) return {};
    if (auto added = add_texture(*material, maps); !added) return added;
    known_.emplace(material->name, Index(s_.materials.size()));
    s_.materials.push_back(*std::move(material));
    return {};
  };
  while (auto s = statements.next()) {
    if (s->keyword == "newmtl") {
      if (auto done = finish(); !done) return done;
      material = scene::Material{.name = std::string(s->rest), .unlit = false};
      maps = {};
    } else if (material) {
      read_statement(*s, *material, maps);
    }
  }
  return finish();
}

void Materials::read_statement(Statement& s, scene::Material& m, Maps& maps) {
  const auto numbers = [&](size_t count) {
    std::vector<f32> out;
    for (size_t i = 0; i < count; ++i)
      if (const auto x = parse_number(s.next_word())) out.push_back(std::clamp(*x, 0.0f, 1.0f));
    if (out.size() == 1) out.resize(count, out[0]);  // the others are equal if they are missing
    return out.size() == count ? out : std::vector<f32>{};
  };
  if (s.keyword == "Kd") {
    if (const auto x = numbers(3); !x.empty())
      for (size_t i = 0; i < 3; ++i) m.color[i] = x[i];
  } else if (s.keyword == "d" || s.keyword == "Tr") {
    if (s.rest.starts_with("-halo")) s.next_word();
    if (const auto x = numbers(1); !x.empty()) m.color[3] = s.keyword == "d" ? x[0] : 1 - x[0];
    m.alpha = m.color[3] < 1 ? scene::Material::Alpha::blend : scene::Material::Alpha::opaque;
  } else if (s.keyword == "Ke") {
    const auto x = numbers(3);
    if (x.empty() || std::ranges::all_of(x, [](f32 light) { return light == 0; })) return;
    m.extras = Value::object();
    Value& list = m.extras.add("emission", Value::list());
    for (const f32 light : x) list.push(light);
  } else if (s.keyword == "illum") {
    m.unlit = s.rest == "0";
  } else if (is_map(s.keyword, "map_kd")) {
    const PictureReference picture = parse_picture(s);
    maps.color = picture.name, maps.clamps = picture.clamps;
    // The origin of texture coordinates is the lower left corner in OBJ files, and the upper left one in scenes.
    maps.transform.scale = picture.scale;
    maps.transform.offset = {picture.offset[0], 1 - picture.scale[1] - picture.offset[1]};
  } else if (is_map(s.keyword, "map_d")) {
    maps.alpha = parse_picture(s).name;
  } else if (is_map(s.keyword, "map_bump") || s.keyword == "bump" || s.keyword == "norm" ||
             is_map(s.keyword, "map_ke")) {
    notes_.add(k_partly, std::string(s.keyword) + " is omitted");
  }
}

Result<Index> Materials::load_image(const std::string& name) {
  const auto [known, is_new] = images_.try_emplace(local_path(name), k_none);
  if (!is_new) return known->second;
  const auto bytes = load(name, "picture");
  if (!bytes) return k_none;
  if (!is_picture_file(*bytes)) {
    notes_.add(k_missing,
               "the picture " + in_quotes(truncate_utf8(name, 200)) + " is neither PNG nor JPEG and is omitted");
    return k_none;
  }
  auto image = read_picture_file(*bytes);
  if (!image) {
    Diagnostic d = image.error();
    d.place = Location::in_file(known->first);
    return refuse(std::move(d));
  }
  const std::string file = known->first.substr(known->first.rfind('/') + 1);
  image->name = file.substr(0, file.rfind('.'));
  s_.images.push_back(*std::move(image));
  return known->second = Index(s_.images.size() - 1);
}

/// A copy of a picture with the brightness of another one as its alpha; the picture itself if that cannot be.
Result<Index> Materials::add_alpha(Index color, const Maps& maps) {
  const auto alpha = load_image(maps.alpha);
  if (!alpha || *alpha == k_none) return alpha ? Result<Index>(color) : alpha;
  const auto [known, is_new] = with_alpha_.try_emplace({color, *alpha}, color);
  if (!is_new) return known->second;
  scene::Image out = to_rgba(s_.images[color]);
  const scene::Image mask = to_rgba(s_.images[*alpha]);
  if (out.width != mask.width || out.height != mask.height) {
    notes_.add(k_partly, "map_d is omitted because its picture has another size than that of map_Kd");
    return color;
  }
  for (size_t i = 0; i + 3 < out.pixels.size(); i += 4)
    out.pixels[i + 3] = u8((u32(mask.pixels[i]) + mask.pixels[i + 1] + mask.pixels[i + 2] + 1) / 3);
  s_.images.push_back(std::move(out));
  return known->second = Index(s_.images.size() - 1);
}

Result<void> Materials::add_texture(scene::Material& m, const Maps& maps) {
  if (maps.color.empty()) return {};
  auto image = load_image(maps.color);
  if (!image) return refuse(std::move(image.error()));
  if (*image == k_none) return {};
  if (!maps.alpha.empty() && local_path(maps.alpha) != local_path(maps.color)) image = add_alpha(*image, maps);
  if (!image) return refuse(std::move(image.error()));
  using Alpha = scene::Material::Alpha;
  const scene::Transparency transparency = detect_transparency(s_.images[*image]);
  if (m.alpha == Alpha::opaque && (transparency.any_partial || transparency.any_clear))
    m.alpha = transparency.any_partial ? Alpha::blend : Alpha::mask;
  scene::Texture t;
  t.image = *image;
  t.nearest = false;
  if (maps.clamps) t.wrap_u = t.wrap_v = scene::Texture::Wrap::clamp;
  m.texture = Index(s_.textures.size());
  m.transform = maps.transform;
  m.color[0] = m.color[1] = m.color[2] = 1;  // programs write any Kd next to a picture, and do not multiply them
  s_.textures.push_back(std::move(t));
  return {};
}

Index Materials::find(std::string_view name) {
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second;
  s_.materials.push_back({.name = std::string(name), .unlit = false});
  return known_.emplace(std::string(name), Index(s_.materials.size() - 1)).first->second;
}

}  // namespace dio::obj
