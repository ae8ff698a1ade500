// container.cpp: the header of a mesh file and the parts that it points to.
#include "core/sorting.hpp"
#include "formats/fft/check/checks.hpp"
#include "formats/fft/game/merged.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_container_rules[] = {
    {"fft.mesh-size", error, "a mesh file has at most 131,072 bytes",
     "The game loads the file into a buffer of 131,072 bytes without checking the length of the file. A file shorter "
     "than 196 bytes has no complete header and cannot be read (layout.truncated).",
     "Remove polygons, animation frames or texture pages from the file.", "a decompilation of the game"},
    {"fft.ptr-range", error, "the parts of a mesh file start after its 196-byte header",
     "Otherwise, the game would read header bytes as polygons or colours. A file with a part that extends beyond the "
     "end of the file cannot be read (layout.offset, layout.truncated, layout.count).",
     "Correct the pointer to the part. If the file does not have the part, set the pointer to 0.",
     "measured on the game's 1,575 files"},
    {"fft.ptr-align", warning, "the parts of a mesh file start at offsets that are multiples of 4",
     "The game reads the mesh animation in units of 4 bytes and crashes if the mesh animation is misaligned. All parts "
     "in the game's "
     "files are aligned.",
     "Write the file with {--canonical}, which aligns every part of the file.",
     "diorama's own rule; a decompilation of the game", Severities{error}},
    {"fft.ptr-order", warning, "the parts of a mesh file are stored in the order of their pointers",
     "Editors assume that each part of a mesh file ends where the next pointer points. All files of the game store the "
     "parts in the "
     "order of their pointers.",
     "Write the file with {--canonical}, which puts the parts in order.", "diorama's own rule; the map editor Ganesha"},
    {"fft.ptr-overlap", warning, "the parts of a mesh file do not overlap",
     "The game can read a file with overlapping parts, but editors write the shared bytes twice, or truncate a part "
     "where the next part starts.",
     "Write the file with {--canonical}, which gives each part of the file its own bytes.",
     "diorama's own rule; the map editor Ganesha"},
    {"fft.ptr-reserved", error, "in the header of a mesh file, pointers that belong to no known part are 0",
     "A pointer other than 0 at offset 0x48 stops the game with an error. A pointer other than 0 at 0xB8 to 0xC0 makes "
     "the "
     "game load a mesh file inside "
     "this file. The other unused pointers (0x00 to 0x3C, 0x50 to 0x60, 0x74, 0x78, 0x80 to 0x88, 0xB4) are 0 in all "
     "files of the game.",
     "Set the unused pointer to 0.", "a decompilation of the game", Severities{warning}},
    {"fft.required", error, "the default state of a map has polygons, palettes, lights, terrain and gray palettes",
     "If a part is missing, the game uses the corresponding part of the previous map. The missing part may be in "
     "another file of the same map.",
     "Add the missing part to this file, or check that another file of the map contains the part: {check --maps GAME} "
     "checks whole maps.",
     "libfft; measured on the game's 1,575 files", Severities{hint}},
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
std::string describe_extent(const Extent& e) {
  return text("\"", part_name(e.slot), "\" (at ", format_hex(e.from), ")");
}

void check_pointers(MeshCheck& c) {
  for (size_t slot = 0; slot < k_slots; ++slot) {
    const u32 start = c.mesh.slots[slot];
    if (start == 0) continue;
    if (!is_known_slot(slot)) {
      const bool is_fatal = slot == k_fatal_slot || slot >= k_nested_slot;
      c.report(is_fatal ? error : warning, "fft.ptr-reserved", slot_path(slot),
               {.message = text("the pointer at ", format_hex(4 * slot), " is ", format_hex(start), "; it must be 0")});
    } else if (start < k_mesh_header) {
      c.report("fft.ptr-range", slot_path(slot),
               {.message = text("pointer ", format_hex(start), " (", part_name(slot),
                                ") points into the header, which ends at ", format_hex(k_mesh_header))});
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
               {.message = text("the part ", describe_extent(extents[i]), " comes before the part ",
                                describe_extent(extents[i - 1]),
                                " in the file, but its pointer comes later in the pointer table"),
                .hint = "saving with {--canonical} puts the parts in order"});
      break;
    }
  sort_stably(extents, {}, &Extent::from);
  for (size_t i = 1, furthest = 0; i < extents.size(); ++i) {
    if (extents[i].from < extents[furthest].to)
      c.report("fft.ptr-overlap", slot_path(extents[i].slot),
               {.message = text("the part ", describe_extent(extents[i]), " starts inside the part \"",
                                part_name(extents[furthest].slot), "\" (", format_hex(extents[furthest].from), " to ",
                                format_hex(extents[furthest].to), ")")});
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
  if (!m.primary) return;  // a file for a state that gets the rest from other files
  std::string missing;
  const auto need = [&](const auto& part, std::string_view name) {
    if (!part) missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
  need(m.palettes, "palettes");
  need(m.lights, "lights");
  need(m.terrain, "terrain");
  need(m.gray_palettes, "gray palettes");
  if (!missing.empty())
    c.report(
        hint, "fft.required", "slots",
        {.message = "the file has no " + missing, .hint = "another file of the map must contain the missing parts"});
}

}  // namespace

constinit const Topic k_container_checks{k_container_rules, check_container};

}  // namespace dio::fft
