// format.cpp: what the registry knows of the Nitro formats.
#include <array>
#include <cstring>

#include "formats/nitro/parts.hpp"

namespace dio::nitro {
namespace {

/// All of them are told by their first four characters and the byte order mark behind them.
Sniff sniff(ByteView bytes, std::string_view name, std::string_view magic, std::string_view extension) {
  using enum Sniff::Certainty;
  if (bytes.size() >= 6 && !std::memcmp(bytes.data(), magic.data(), 4) && bytes[4] == 0xFF && bytes[5] == 0xFE)
    return {certain, "starts with " + std::string(magic)};
  if (bytes.size() >= 4 && !std::memcmp(bytes.data(), magic.data(), 4))
    return {likely, "starts with " + std::string(magic) + ", but without the byte order mark"};
  if (name.ends_with(extension)) return {possible, "is named " + std::string(extension)};
  return {};
}

/// What the registry records have in common.
template <class T>
constexpr Format nitro_format(Format f) {
  f.platform = "DS";
  f.rules = rules;
  f.check = [](const AnyDocument& d, Findings& findings) { check(value_of<T>(d), findings); };
  f.info = [](const AnyDocument& d) { return info(value_of<T>(d)); };
  return format_of<T>(f);
}

#define DIORAMA_SNIFF(magic, extension) \
  [](ByteView bytes, std::string_view name) { return sniff(bytes, name, magic, extension); }

Format record(std::string_view id, std::string_view title, std::string_view extensions,
              Sniff (*sniffs)(ByteView, std::string_view), std::vector<Sample> (*samples)()) {
  Format f{};
  f.id = id, f.title = title, f.extensions = extensions;
  f.sniff = sniffs;
  f.samples = samples;
  return f;
}

}  // namespace

namespace {

Format shown(Format f) {
  f.to_scene = [](const AnyDocument& d, const SceneOptions& options) { return to_scene(value_of<Nsbmd>(d), options); };
  return f;
}
template <class T>
Format companion(Format f) {
  f.goes_with = "nsbmd";
  f.fits = [](const AnyDocument& d, const AnyDocument& model) { return fits(value_of<T>(d), value_of<Nsbmd>(model)); };
  return f;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 7> k_formats = {
      shown(nitro_format<Nsbmd>(
          record("nsbmd", "Nitro models", ".nsbmd", DIORAMA_SNIFF("BMD0", ".nsbmd"), nsbmd_samples))),
      companion<Nsbtx>(nitro_format<Nsbtx>(
          record("nsbtx", "Nitro textures", ".nsbtx", DIORAMA_SNIFF("BTX0", ".nsbtx"), nsbtx_samples))),
      companion<Nsbca>(nitro_format<Nsbca>(
          record("nsbca", "Nitro joint animations", ".nsbca", DIORAMA_SNIFF("BCA0", ".nsbca"), nsbca_samples))),
      companion<Nsbtp>(nitro_format<Nsbtp>(record("nsbtp", "Nitro texture pattern animations", ".nsbtp",
                                                  DIORAMA_SNIFF("BTP0", ".nsbtp"), nsbtp_samples))),
      companion<Nsbta>(nitro_format<Nsbta>(record("nsbta", "Nitro texture motion animations", ".nsbta",
                                                  DIORAMA_SNIFF("BTA0", ".nsbta"), nsbta_samples))),
      companion<Nsbma>(nitro_format<Nsbma>(record("nsbma", "Nitro material colour animations", ".nsbma",
                                                  DIORAMA_SNIFF("BMA0", ".nsbma"), nsbma_samples))),
      companion<Nsbva>(nitro_format<Nsbva>(
          record("nsbva", "Nitro visibility animations", ".nsbva", DIORAMA_SNIFF("BVA0", ".nsbva"), nsbva_samples))),
  };
  return k_formats;
}

}  // namespace dio::nitro
