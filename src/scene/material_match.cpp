#include "scene/material_match.hpp"

#include <cmath>
#include <map>

#include "scene/extras.hpp"
#include "scene/math.hpp"
#include "scene/node_name_suffixes.hpp"

namespace dio::scene {
namespace {

constexpr f64 k_same_factor = 0.01;  // of a colour, linear
constexpr int k_same_channel = 2;    // of 255: for pictures that were converted twice

std::set<Index> find_used_materials(const Scene& s, const std::vector<bool>& parts) {
  std::set<Index> out;
  for (Index i = 0; i < s.nodes.size(); ++i) {
    if (s.nodes[i].mesh == k_none || !parts[i]) continue;
    for (const Primitive& p : s.meshes[s.nodes[i].mesh].primitives)
      if (p.material != k_none) out.insert(p.material);
  }
  return out;
}

bool is_same_picture(const Image& a, const Image& b, bool is_opaque) {
  if (a.width != b.width || a.height != b.height) return false;
  for (u32 y = 0; y < a.height; ++y)
    for (u32 x = 0; x < a.width; ++x) {
      const Rgba one = color_of(a, x, y), other = color_of(b, x, y);
      if (!is_opaque && one[3] == 0 && other[3] == 0) continue;
      for (size_t k = 0; k < (is_opaque ? 3u : 4u); ++k)
        if (std::abs(int(one[k]) - int(other[k])) > k_same_channel) return false;
    }
  return true;
}
const Image* find_picture(const Scene& s, const Material& m) {
  if (m.texture == k_none || s.textures[m.texture].image == k_none) return nullptr;
  return &s.images[s.textures[m.texture].image];
}

MaterialDifference compare(const Scene& original, const Material& was, const Scene& edited, const Material& now) {
  MaterialDifference out{was.name};
  for (size_t i = 0; i < 3; ++i) out.color |= std::fabs(f64(was.color[i]) - f64(now.color[i])) > k_same_factor;
  out.transparency = (was.alpha == Material::Alpha::opaque) != (now.alpha == Material::Alpha::opaque) ||
                     (now.alpha == Material::Alpha::blend && std::fabs(was.color[3] - now.color[3]) > k_same_factor);
  const Image *before = find_picture(original, was), *after = find_picture(edited, now);
  // A picture missing from the original may come from another file, such as the textures of a model.
  out.picture = before && (!after || !is_same_picture(*before, *after, was.alpha == Material::Alpha::opaque));
  return out;
}
size_t count(const MaterialDifference& d) { return size_t(d.color) + d.picture + d.transparency; }

}  // namespace

namespace {

/// The only original name that begins with a name which Blender has cut off at 63 bytes, or earlier before the number
/// of a copy.
std::optional<std::string_view> complete_cut_name(std::string_view name, const std::set<std::string_view>& names) {
  constexpr size_t k_least = 59 - 3, k_most = 63;  // characters of several bytes are not cut apart
  const std::string_view stem = strip_copy_suffix(name);
  if (stem.size() < k_least || name.size() > k_most) return {};
  const auto first = names.lower_bound(stem);
  if (first == names.end() || !first->starts_with(stem)) return {};
  const auto second = std::next(first);
  const bool is_unique = second == names.end() || !second->starts_with(stem);
  return is_unique ? std::optional(*first) : std::nullopt;
}

}  // namespace

std::string_view original_material_name(const Material& edited, const std::set<std::string_view>& names) {
  if (const auto of = read_text_extra(edited.extras, "picture_of")) return *of;
  for (const std::string_view name : {std::string_view(edited.name), strip_copy_suffix(edited.name)})
    if (names.contains(name)) return name;
  return complete_cut_name(edited.name, names).value_or(edited.name);
}

std::vector<MaterialDifference> compare_materials(const Scene& original, const Scene& edited,
                                                  const std::vector<bool>& original_parts,
                                                  const std::vector<bool>& edited_parts) {
  std::multimap<std::string_view, const Material*> own;
  std::set<std::string_view> names;
  for (const Index i : find_used_materials(original, original_parts)) {
    own.emplace(original.materials[i].name, &original.materials[i]);
    names.insert(original.materials[i].name);
  }
  std::map<std::string_view, MaterialDifference> differences;
  for (const Index i : find_used_materials(edited, edited_parts)) {
    const Material& now = edited.materials[i];
    if (read_text_extra(now.extras, "picture_of")) continue;  // one of the pictures of an animation
    // Among several materials with the same name, the most similar one.
    const auto [from, to] = own.equal_range(original_material_name(now, names));
    std::optional<MaterialDifference> least;
    for (auto one = from; one != to; ++one) {
      MaterialDifference d = compare(original, *one->second, edited, now);
      if (!least || count(d) < count(*least)) least = std::move(d);
    }
    if (least && count(*least)) differences.emplace(from->first, std::move(*least));
  }
  std::vector<MaterialDifference> out;
  for (auto& [name, d] : differences) out.push_back(std::move(d));
  return out;
}

}  // namespace dio::scene
