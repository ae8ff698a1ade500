// format.cpp: what the registry knows of KCL.
#include "formats/contract/format.hpp"

#include <bit>

#include "core/joined.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/kcl/facts.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

u32 word_at(ByteView b, size_t at) {
  u32 n = 0;
  for (size_t i = 0; i < 4; ++i) n = n << 8 | b[at + i];
  return n;
}

/// Nothing in the file says what it is, so everything in its header must fit together: the offsets and the parts
/// between them, masks, shifts and the size of the first level.
bool is_plausible(ByteView b) {
  if (b.size() < k_short_header) return false;
  const u64 positions = word_at(b, 0), normals = word_at(b, 4), prisms = u64(word_at(b, 8)) + k_prism_size,
            octree = word_at(b, 12);
  if (positions != k_short_header && positions != k_long_header) return false;
  if (normals < positions || prisms < normals || octree < prisms || octree >= b.size()) return false;
  if ((normals - positions) % 12 > 3 || (prisms - normals) % 12 > 3 || (octree - prisms) % k_prism_size > 3)
    return false;
  for (size_t at = 16; at < 32; at += 4)
    if (!(std::abs(std::bit_cast<f32>(word_at(b, at))) < 1e8f)) return false;
  Kcl k{};
  k.area_mask = {word_at(b, 32), word_at(b, 36), word_at(b, 40)};
  k.block_shift = word_at(b, 44), k.x_shift = word_at(b, 48), k.xy_shift = word_at(b, 52);
  return root_cells(k)[0] && 4 * k.grid().roots() <= b.size() - octree;
}

Sniff sniff(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  if (is_plausible(bytes)) return {certain, "offsets, masks and shifts that fit together"};
  if (name.ends_with(".kcl")) return {possible, "has the extension .kcl"};
  return {};
}

/// The rules of checks, and those of drawing and making.
std::span<const Rule> all_rules() {
  static const std::vector<Rule> all = joined({rules(), scene_rules(), build_rules(), make_rules()});
  return all;
}

const Scenes k_scenes = {
    .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Kcl>(d), o.sources); },
    .value_of_source = [](const AnyDocument& d, const Value&, u32 s) { return value_of_source(value_of<Kcl>(d), s); },
    .sources_of_value = [](const AnyDocument& d, const Value&,
                           std::string_view path) { return sources_of_value(value_of<Kcl>(d), path); },
};

const Making k_making = {.make = make, .options = make_options()};

const Format k_format = format_of<Kcl>({
    .id = "kcl",
    .title = "Mario Kart Wii collision",
    .platform = "Wii",
    .extensions = ".kcl",
    .sniff = sniff,
    .rules = all_rules,
    .check = [](const AnyDocument& d, std::optional<std::span<const Companion>>,
                Findings& f) { check(value_of<Kcl>(d), f); },
    .info = [](const AnyDocument& d) { return info(value_of<Kcl>(d)); },
    .scenes = &k_scenes,
    .making = &k_making,
    .edits = edits,
    .questions = questions,
});

}  // namespace

std::span<const Format> formats() { return {&k_format, 1}; }

}  // namespace dio::kcl
