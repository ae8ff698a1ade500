// container.cpp: the header of a mesh file and the parts that it points to.
#include "core/sorting.hpp"
#include "formats/fft/check/checks.hpp"
#include "formats/fft/game/merged.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_container_rules[] = {
    {"fft.mesh-size", error, "a mesh file has at most 131,072 bytes",
     "The game loads it into a buffer of that size without checking. A file below 196 bytes has no complete header and "
     "cannot be read: layout.truncated.",
     "Remove polygons, animation frames or texture pages from the file.", "specification 5, mesh-size: decompilation"},
    {"fft.ptr-range", error, "parts start after the header, which has 196 bytes",
     "The game would read numbers of the header as polygons or colours. A file with a part that starts or ends past "
     "the "
     "end of the file cannot be read: layout.offset, layout.truncated, layout.count.",
     "Let the pointer lead to a part after the header, or set it to 0 if the file lacks the part.",
     "specification 5, ptr-range, geom-size, chunk-size: 1,575 real files"},
    {"fft.ptr-align", warning, "parts start at a multiple of 4",
     "The game reads the mesh animation in units of 4 bytes, and crashes if it is misaligned. In all files of the "
     "game, all parts are aligned.",
     "Write the file with --canonical, which aligns every part.", "specification 5, ptr-align: own, decompilation",
     Severities{error}},
    {"fft.ptr-order", warning, "parts come in the order of their pointers",
     "Editors take the next pointer as the end of a part. In all files of the game, the order is right.",
     "Write the file with --canonical, which puts the parts in order.", "specification 5, ptr-order: own, Ganesha"},
    {"fft.ptr-overlap", warning, "parts do not overlap",
     "The game is not affected, but editors write shared bytes twice, or cut a part off where the next one starts.",
     "Write the file with --canonical, which gives each part bytes of its own.",
     "specification 5, ptr-overlap: own, Ganesha"},
    {"fft.ptr-reserved", error, "pointers without a known part are 0",
     "With a pointer at 0x48 the game stops with an error; with one at 0xB8 to 0xC0 it loads a mesh file inside the "
     "file. The others (0x00 to 0x3C, 0x50 to 0x60, 0x74, 0x78, 0x80 to 0x88, 0xB4) are 0 in all files of the game.",
     "Set the pointer to 0.", "specification 5, ptr-reserved: decompilation", Severities{warning}},
    {"fft.required", error, "the default state of a map has polygons, palettes, lights, terrain and gray palettes",
     "The game would use those of the previous map. A single file may lack them if another file of the map has them.",
     "Add the part to this file, or check that another file of the map has it: `dio check --maps GAME` looks at whole "
     "maps.",
     "specification 5, required: source document, libfft, 1,575 real files", Severities{hint}},
};

constexpr size_t k_fatal_slot = 0x12, k_nested_slot = 0x2E;

u64 compute_part_size(const Geometry& g) {
  return 8 + 48 * u64(g.textured_triangles.size()) + 62 * u64(g.textured_quads.size()) +
         22 * u64(g.untextured_triangles.size()) + 28 * u64(g.untextured_quads.size());
}
u64 compute_part_size(const MeshAnimations& a) {
  u64 size = 0;
  for (const MeshAnimationRecord& r : a.records)
    size += (r.type == MeshAnimationRecord::end ? 4 : 8) + r.keyframes.size() * wire_size<Keyframe>() +
            r.states.size() * wire_size<MeshState>() + r.links.size() * wire_size<MeshLink>();
  return size;
}
u64 compute_part_size(const RenderProperties&) { return RenderProperties::k_size; }
u64 compute_part_size(const TexturePage& p) { return p.texels.size(); }
template <class T>
u64 compute_part_size(const T&) {
  return wire_size<T>();
}

/// The bytes of a part.
struct Extent {
  size_t slot;
  u64 from, to;
};
std::vector<Extent> list_part_extents(const Mesh& m) {
  std::vector<Extent> out;
  const auto add = [&](size_t slot, const auto& part) {
    if (part && m.slots[slot]) out.push_back({slot, m.slots[slot], m.slots[slot] + compute_part_size(*part)});
  };
  add(Mesh::k_primary_slot, m.primary);
  add(Mesh::k_palettes_slot, m.palettes);
  for (size_t i = 0; i < k_pages; ++i) add(Mesh::k_page_slot + i, m.pages[i]);
  add(Mesh::k_lights_slot, m.lights);
  add(Mesh::k_terrain_slot, m.terrain);
  add(Mesh::k_texture_animations_slot, m.texture_animations);
  add(Mesh::k_palette_frames_slot, m.palette_frames);
  add(Mesh::k_gray_palettes_slot, m.gray_palettes);
  add(Mesh::k_mesh_animations_slot, m.mesh_animations);
  for (size_t i = 0; i < k_animated_meshes; ++i) add(Mesh::k_animated_slot + i, m.animated[i]);
  add(Mesh::k_render_slot, m.render_properties);
  return out;
}
bool is_known_slot(size_t slot) {
  return slot == Mesh::k_primary_slot || slot == Mesh::k_palettes_slot || slot == Mesh::k_page_slot ||
         (slot >= Mesh::k_lights_slot && slot <= Mesh::k_palette_frames_slot) || slot == Mesh::k_gray_palettes_slot ||
         (slot >= Mesh::k_mesh_animations_slot && slot <= Mesh::k_render_slot);
}

std::string slot_path(size_t slot) { return text("slots[", slot, "]"); }
std::string describe_extent(const Extent& e) { return text(part_name(e.slot), " at ", format_hex(e.from)); }

void check_pointers(MeshCheck& c) {
  for (size_t slot = 0; slot < k_slots; ++slot) {
    const u32 start = c.mesh.slots[slot];
    if (start == 0) continue;
    if (!is_known_slot(slot)) {
      const bool is_fatal = slot == k_fatal_slot || slot >= k_nested_slot;
      c.report(is_fatal ? error : warning, "fft.ptr-reserved", slot_path(slot),
               {.message = text("the pointer at ", format_hex(4 * slot), " is ", format_hex(start), "; must be 0")});
    } else if (start < k_mesh_header) {
      c.report("fft.ptr-range", slot_path(slot),
               {.message = text("pointer ", format_hex(start), " (", part_name(slot),
                                ") leads into the header, which ends at ", format_hex(k_mesh_header))});
    } else if (start % 4) {
      c.report(slot == Mesh::k_mesh_animations_slot ? error : warning, "fft.ptr-align", slot_path(slot),
               {.message = text("pointer ", format_hex(start), " (", part_name(slot), ") is not a multiple of 4")});
    }
  }
}

void check_extents(MeshCheck& c) {
  std::vector<Extent> extents = list_part_extents(c.mesh);
  for (size_t i = 1; i < extents.size(); ++i)
    if (extents[i].from < extents[i - 1].from) {  // one finding is enough
      c.report("fft.ptr-order", slot_path(extents[i].slot),
               {.message = text("in the order of the pointers, ", describe_extent(extents[i]), " should come after ",
                                describe_extent(extents[i - 1])),
                .hint = "saving with --canonical puts the parts in order"});
      break;
    }
  sort_stably(extents, {}, &Extent::from);
  for (size_t i = 1, furthest = 0; i < extents.size(); ++i) {
    if (extents[i].from < extents[furthest].to)
      c.report("fft.ptr-overlap", slot_path(extents[i].slot),
               {.message = text("the part (", describe_extent(extents[i]), ") starts inside another one (",
                                describe_extent(extents[furthest]), " to ", format_hex(extents[furthest].to), ")")});
    if (extents[i].to > extents[furthest].to) furthest = i;
  }
}

void check_container(MeshCheck& c) {
  const Mesh& m = c.mesh;
  if (c.findings.file_size > k_load_buffer)
    c.report("fft.mesh-size", Location::of_bytes(k_load_buffer, c.findings.file_size - k_load_buffer),
             {.message = text("the file has ", c.findings.file_size, " bytes; the game has room for ", k_load_buffer,
                              " bytes")});
  check_pointers(c);
  check_extents(c);
  if (!m.primary) return;  // made for a state that gets the rest from other files
  std::string missing;
  const auto need = [&](const auto& part, std::string_view name) {
    if (!part) missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
  need(m.palettes, "palettes");
  need(m.lights, "lights");
  need(m.terrain, "terrain");
  need(m.gray_palettes, "gray palettes");
  if (!missing.empty())
    c.report(hint, "fft.required", "slots",
             {.message = "the file has no " + missing, .hint = "another file of the map must have them"});
}

}  // namespace

constinit const Topic k_container_checks{k_container_rules, check_container};

}  // namespace dio::fft
