// newer_parts.cpp: agents with their waypoints, and runtime lights, as nodes; sprites and tile maps as extras.
#include "formats/splashpack/pictures/texels.hpp"
#include "formats/splashpack/pictures/texels_encode.hpp"
#include "formats/splashpack/scene/builder.hpp"
#include "scene/image.hpp"

namespace dio::splashpack {

/// On the node of its object, in pack numbers; waypoints are nodes.
void SceneBuilder::add_agents() {
  const Value* all = sections_.find("agents");
  for (size_t i = 0; all && i < std::min(all->size(), pack_.agents.size()); ++i) {
    const Agent& agent = pack_.agents[i];
    if (agent.object >= object_nodes_.size()) continue;
    Value fields = Value::object();
    for (const auto& [name, value] : all->at(i)->members())
      if (name != "object" && name != "waypoints" && name != "waypoint_count") fields.add(name, value);
    extras_of(object_nodes_[agent.object]).add("agent", std::move(fields));
    for (size_t k = 0; k < agent.waypoints.size(); ++k) {
      const Index node = add_node(text("waypoint_", i, "_", k), "waypoint", text("agents[", i, "].waypoints[", k, "]"));
      s_.nodes[node].translation = to_scene_position(agent.waypoints[k]);
      extras_of(node).add("object", agent.object);
      extras_of(node).add("index", u64(k));
    }
  }
}

void SceneBuilder::add_runtime_lights() {
  if (!pack_.lights) return;
  for (size_t i = 0; i < pack_.lights->entries.size(); ++i) {
    const PackLight& from = pack_.lights->entries[i];
    const Index node = add_node(from.name ? escape_control_chars(*from.name) : text("light_", i), "runtime_light",
                                text("lights.entries[", i, "]"));
    s_.nodes[node].translation = to_scene_position(from.position);
    Value& extras = extras_of(node);
    extras.add("runtime", true);
    extras.add("intensity", from.intensity.value());
    extras.add("range", from.radius.raw * k_world_per_raw);  // Blender drops it from lights
    if (!(from.flags & PackLight::k_on)) extras.add("enabled", false);
    scene::Light light;
    light.name = s_.nodes[node].name;
    light.kind = scene::Light::Kind::point;
    const scene::Vec4 color =
        scene::srgb_to_linear(scene::Vec4{from.red / 255.0f, from.green / 255.0f, from.blue / 255.0f, 1});
    light.color = {color[0], color[1], color[2]};
    light.range = f32(std::max(0.0, from.radius.raw * k_world_per_raw));
    light.intensity = f32(from.intensity.value());
    s_.nodes[node].light = Index(s_.lights.size());
    s_.lights.push_back(std::move(light));
  }
}

/// The texels of sheets, as exact words of video memory.
void SceneBuilder::add_sheet_pictures(const VideoMemory& memory) {
  Value* sheets = s_.extras.find("sprite_sheets");
  if (!sheets) return;
  Value pictures = Value::list();
  for (size_t i = 0; i < std::min(sheets->size(), pack_.sprite_sheets.size()); ++i) {
    const TexelRegion region = sheet_texel_region(pack_.sprite_sheets[i]);
    if (!region.width || !region.height || !is_region_filled(memory, region)) continue;
    sheets->members()[i].second.add("picture", u64(pictures.size()));
    pictures.push(encode_exact_texels(memory, region));
  }
  if (pictures.size()) s_.extras.add("sheet_pictures", std::move(pictures));
}

}  // namespace dio::splashpack
