// format.cpp: what the registry knows of scene packs.
#include "core/joined.hpp"
#include "formats/splashpack/beside_files.hpp"
#include "formats/splashpack/make/make.hpp"
#include "formats/splashpack/make/texture_packing.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/remake/remake.hpp"

namespace dio::splashpack {

std::span<const Format> formats();

namespace {

/// What checks find, and what making a pack says.
std::span<const Rule> all_rules() {
  static const std::vector<Rule> all =
      joined({rules(), scene_rules(), picture_rules(), packing_rules(), make_rules(), remake_rules()});
  return all;
}

const Document<Pack>& document_of(const AnyDocument& d) { return static_cast<const DocumentOf<Pack>&>(d).document; }

Format record(std::string_view id, std::string_view title) {
  Format f = format_of<Pack>({
      .id = id,
      .title = title,
      .platform = "PlayStation",
      .extensions = ".splashpack .bin",
      .sniff = sniff_pack,
      .load = {},
      .trace = {},
      .encode = {},
      .follow = {},
      .rules = all_rules,
      .check = [](const AnyDocument& d, Findings& f) { check(document_of(d), {}, f); },
      .info = [](const AnyDocument& d) { return info(value_of<Pack>(d)); },
      .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Pack>(d), o); },
  });
  f.beside = beside;
  f.check_with = [](const AnyDocument& d, std::span<const Companion> c, Findings& f) {
    check(document_of(d), beside_of(c), f);
  };
  f.repair = [](AnyDocument& d) { return repair(static_cast<DocumentOf<Pack>&>(d).document); };
  f.budget = [](const AnyDocument& d, std::span<const Companion> c) {
    // Its size as it is written: an edited one has none yet.
    const auto bytes = d.save({});
    return budget(value_of<Pack>(d), beside_of(c), bytes ? bytes->size() : 0);
  };
  f.matched = matched;
  f.pictures = pack_pictures;
  f.take_pictures = take_pack_pictures;
  return f;
}

/// The record of packs in a layout that the user says.
template <Layout L>
Format in_layout(std::string_view id) {
  Format f = formats().front();
  f.id = id;
  f.layouts = nullptr;
  f.load = [](ByteView b) {
    const ToldLayout told(L);
    return load_any<Pack>(b);
  };
  f.trace = [](ByteView b) {
    const ToldLayout told(L);
    return trace<Pack>(b);
  };
  f.follow = [](ByteView a, ByteView b) {
    const ToldLayout told(L);
    return follow<Pack>(a, b);
  };
  return f;
}

/// The record of files that lie beside a pack.
template <class T>
Format part(std::string_view id, std::string_view title, std::string_view extension,
            Sniff (*sniff)(ByteView, std::string_view), std::span<const Rule> (*rules)()) {
  return format_of<T>({
      .id = id,
      .title = title,
      .platform = "PlayStation",
      .extensions = extension,
      .sniff = sniff,
      .load = {},
      .trace = {},
      .encode = {},
      .follow = {},
      .rules = rules,
      .check = [](const AnyDocument&, Findings&) {},
      .info = [](const AnyDocument& d) { return info(value_of<T>(d)); },
      .to_scene = nullptr,
      .goes_with = "splashpack",
      .fits = [](const AnyDocument& a, const AnyDocument& b) { return fits(value_of<T>(a), value_of<Pack>(b)); },
  });
}

std::span<const Format> layouts() {
  static const std::array<Format, 13> all = {
      in_layout<Layout::a1>("splashpack-a1"),   in_layout<Layout::a2>("splashpack-a2"),
      in_layout<Layout::a3>("splashpack-a3"),   in_layout<Layout::b>("splashpack-b"),
      in_layout<Layout::b2>("splashpack-b2"),   in_layout<Layout::c>("splashpack-c"),
      in_layout<Layout::d>("splashpack-d"),     in_layout<Layout::e>("splashpack-e"),
      in_layout<Layout::v20>("splashpack-v20"), in_layout<Layout::v21>("splashpack-v21"),
      in_layout<Layout::v22>("splashpack-v22"), in_layout<Layout::v23>("splashpack-v23"),
      in_layout<Layout::v24>("splashpack-v24"),
  };
  return all;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 3> all = {
      [] {
        Format f = record("splashpack", "scene pack");
        f.layouts = layouts;
        f.make = make;
        f.make_options = k_make_options;
        f.remake = [](const AnyDocument& d, std::span<const Companion> c, std::span<const Argument> told) {
          const Beside others = beside_of(c);
          return remake(value_of<Pack>(d), others.vram, others.spu, told);
        };
        return f;
      }(),
      [] {
        Format f = part<Vram>("splashpack-vram", "scene pack textures", ".vram", sniff_vram, picture_rules);
        f.pictures = vram_pictures;
        f.take_pictures = take_vram_pictures;
        return f;
      }(),
      part<Spu>("splashpack-spu", "scene pack sounds", ".spu", sniff_spu, [] { return std::span<const Rule>(); })};
  return all;
}

}  // namespace dio::splashpack
