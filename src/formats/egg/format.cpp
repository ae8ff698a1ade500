// format.cpp: the registry entries of the light, fog, bloom and focus files.
#include <array>
#include <cmath>
#include <cstring>

#include "formats/egg/parts.hpp"

namespace dio::egg {

namespace {

/// Recognises a file by its first four characters, because the extension can differ from the format.
Sniff sniff(ByteView bytes, std::string_view name, std::string_view magic, std::string_view extension) {
  using enum Sniff::Certainty;
  if (bytes.size() >= 4 && !std::memcmp(bytes.data(), magic.data(), 4))
    return {certain, "starts with " + std::string(magic)};
  if (name.ends_with(extension)) return {possible, "has the extension " + std::string(extension)};
  return {};
}
/// Fog files have no magic.
Sniff sniff_fog(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  if (!name.ends_with(".bfg")) return {};
  bool is_fog = bytes.size() == k_fogs * wire_size<Fog>(0);
  for (size_t at = 0; is_fog && at < bytes.size(); at += wire_size<Fog>(0))
    is_fog = !bytes[at] && !bytes[at + 1] && !bytes[at + 2] && bytes[at + 3] <= 10;
  return is_fog ? Sniff{certain, "has four fogs and the extension .bfg"} : Sniff{possible, "has the extension .bfg"};
}

template <class T>
constexpr Format make_egg_format(std::string_view id, std::string_view title, std::string_view extension,
                                 std::string_view magic, Sniff (*sniffs)(ByteView, std::string_view)) {
  Format f{};
  f.id = id, f.title = title, f.platform = "Wii", f.extensions = extension, f.sniff = sniffs, f.magic = magic,
  f.rules = rules;
  f.check = [](const AnyDocument& d, std::optional<std::span<const Companion>>, Findings& findings) {
    check(value_of<T>(d), findings);
  };
  f.info = [](const AnyDocument& d) { return info(value_of<T>(d)); };
  f.looks_for_references = std::is_same_v<T, Blight>;
  f.needs_name = std::is_same_v<T, Bfg>;
  return make_document_format<T>(f);
}

#define DIORAMA_SNIFF_EGG(magic, extension) \
  [](ByteView bytes, std::string_view name) { return sniff(bytes, name, magic, extension); }

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 5> k_formats = {
      make_egg_format<Blight>("blight", "Mario Kart Wii lights", ".blight", "LGHT",
                              DIORAMA_SNIFF_EGG("LGHT", ".blight")),
      make_egg_format<Blmap>("blmap", "Mario Kart Wii light textures", ".blmap", "LMAP",
                             DIORAMA_SNIFF_EGG("LMAP", ".blmap")),
      make_egg_format<Bfg>("bfg", "Mario Kart Wii fog", ".bfg", "", sniff_fog),
      make_egg_format<Bblm>("bblm", "Mario Kart Wii bloom", ".bblm", "PBLM", DIORAMA_SNIFF_EGG("PBLM", ".bblm")),
      make_egg_format<Bdof>("bdof", "Mario Kart Wii depth of field", ".bdof", "PDOF",
                            DIORAMA_SNIFF_EGG("PDOF", ".bdof")),
  };
  return k_formats;
}

}  // namespace dio::egg
