// compared_flags.cpp: the flags of triangles in an edited scene, which names and extras of materials and nodes state.
#include <algorithm>
#include <cmath>
#include <set>

#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/from_scene/surface_names.hpp"
#include "formats/kcl/parts.hpp"
#include "scene/node_name_suffixes.hpp"

namespace dio::kcl {
namespace {

using scene::Index;
using scene::k_none;

constexpr std::string_view k_compared_material = "collision";

scene::Vec2 encode_flags(u16 flags) { return {f32(flags & 0xFF), f32(flags >> 8)}; }

Value without_flags(const Value& extras) {
  Value out = Value::object();
  for (const auto& [name, value] : extras.members())
    if (name != "flags") out.add(name, value);
  return out;
}

class FlagComparison {
 public:
  explicit FlagComparison(ComparedScenes& s) : s_(s) {}

  void run() {
    for (Index i = 0; i < s_.edited.nodes.size(); ++i) {
      const scene::Node& n = s_.edited.nodes[i];
      if (n.mesh == k_none || !s_.edited_parts[i]) continue;
      // A mesh may have several nodes.
      s_.edited.meshes.push_back(s_.edited.meshes[n.mesh]);
      for (scene::Primitive& p : s_.edited.meshes.back().primitives) take_edited(i, p);
      s_.edited.nodes[i].mesh = Index(s_.edited.meshes.size() - 1);
    }
    const Index own_material = Index(s_.original.materials.size());
    for (Index i = 0; i < s_.original.nodes.size(); ++i)
      if (const Index mesh = s_.original.nodes[i].mesh; mesh != k_none && s_.original_parts[i])
        for (scene::Primitive& p : s_.original.meshes[mesh].primitives)
          if (const auto flags = parse_flags_from_extras(s_.original.nodes[i].extras)) encode(p, *flags, own_material);
    for (scene::Scene* s : {&s_.original, &s_.edited})
      s->materials.push_back({.name = std::string(k_compared_material)});
    for (const std::string& name : unknown_) {
      ++s_.lost;
      s_.notes.push_back(make_diagnostic(
          Severity::warning, "kcl.make-flags", {},
          {.message = text("the material ", given(name), " names no collision type, so its triangles keep their flags"),
           .hint = "name the material after a type (off-road: grass), or end its name with _F and four hex digits"}));
    }
  }

 private:
  static void encode(scene::Primitive& p, u16 flags, Index material) {
    p.uvs.assign(p.positions.size(), encode_flags(flags));
    p.material = material;
  }
  void take_edited(Index node, scene::Primitive& p) {
    const Index own = s_.original_nodes[node];
    const auto before = own == k_none ? std::nullopt : parse_flags_from_extras(s_.original.nodes[own].extras);
    const auto now = find_flags(node, p, own, before);
    if (!now) return;  // its material stays, which the file does not draw
    if (p.material != k_none && now == before && is_unknown(s_.edited.materials[p.material], s_.original.nodes[own]))
      unknown_.insert(s_.edited.materials[p.material].name);
    encode(p, *now, Index(s_.edited.materials.size()));
  }
  static bool is_unknown(const scene::Material& m, const scene::Node& own) {
    return scene::strip_copy_suffix(m.name) != own.name && m.name != own.name && !parse_flags_from_name(m.name) &&
           !parse_flags_from_extras(m.extras);
  }
  /// The flags that something states otherwise than in the file: the material, the mesh, the node or a node above.
  std::optional<u16> find_flags(Index node, const scene::Primitive& p, Index own, std::optional<u16> before) const {
    const Value* own_extras = own == k_none ? nullptr : &s_.original.nodes[own].extras;
    std::vector<std::optional<u16>> stated;
    if (p.material != k_none) {
      const scene::Material& m = s_.edited.materials[p.material];
      stated.push_back(flags_in(m.extras, own_extras, before));
      stated.push_back(parse_flags_from_name(m.name));
    }
    stated.push_back(parse_flags_from_name(s_.edited.meshes[s_.edited.nodes[node].mesh].name));
    for (Index i = node; i != k_none; i = own == k_none ? s_.edited.nodes[i].parent : k_none) {
      stated.push_back(flags_in(s_.edited.nodes[i].extras, own_extras, before));
      stated.push_back(parse_flags_from_name(s_.edited.nodes[i].name));
    }
    for (const auto& flags : stated)
      if (flags && flags != before) return flags;
    return before;
  }
  /// Extras state all flags as one number, and each part of them.
  static std::optional<u16> flags_in(const Value& extras, const Value* own, std::optional<u16> before) {
    const auto flags = parse_flags_from_extras(extras);
    if (!own || !flags || flags != before) return flags;
    const auto parts = parse_flags_from_extras(without_flags(extras));
    return parts && parts != parse_flags_from_extras(without_flags(*own)) ? parts : flags;
  }

  ComparedScenes& s_;
  std::set<std::string> unknown_;  // materials
};

}  // namespace

void encode_flags_as_uvs(const Kcl& k, ComparedScenes& s) {
  if (k.is_mario_kart_wii()) FlagComparison(s).run();
}
std::optional<u16> decode_flags(const scene::EditedVertex& v) {
  if (!v.uv) return {};
  const auto byte = [](f32 x) { return u16(std::clamp(std::round(x), 0.0f, 255.0f)); };
  return u16(byte((*v.uv)[0]) | byte((*v.uv)[1]) << 8);
}

}  // namespace dio::kcl
