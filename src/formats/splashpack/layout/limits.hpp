// limits.hpp: the limits of the console and the engine. Sources: README.md, Budgets.
#pragma once
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

inline constexpr u64 k_ram = 2 << 20, k_program_start = 0x10000;
// Up to layout e: the program, two tables of 6,144 depths and two buffers of primitives.
inline constexpr u64 k_old_program = 187 * 1024, k_old_renderer = 2 * (6144 * 4) + 2 * 194304;
inline constexpr u64 k_old_memory = k_ram - k_program_start - k_old_program - k_old_renderer;
// From v20 on: the heap, from which the engine takes two ordering tables and two primitive buffers. Their size is that
// of the control panel; from v25 on the pack can set it. Source: README.md, Limits.
inline constexpr u64 k_heap_until_v21 = 1448584, k_heap = 1498168;
inline constexpr u64 k_ordering_table = 8192, k_primitive_buffer = 129536;
inline constexpr u64 k_bytes_per_triangle = 40;
inline constexpr u64 k_old_triangles = 194304 / k_bytes_per_triangle,
                     k_new_triangles = k_primitive_buffer / k_bytes_per_triangle;
inline constexpr u64 k_practical_triangles = 2000;
inline constexpr u64 k_spu_memory = 508 * 1024;  // 512 KB, of which the system uses 4
inline constexpr i64 k_old_depth = 6144, k_new_depth = 16384;
inline constexpr u64 k_old_pages = 22, k_new_pages = 20;  // pages of 64 x 256 words that the engine leaves free

inline constexpr u64 k_most_skin_events = 16;  // of a cutscene or an animation (engine, cutscene.hh)

/// The memory in bytes that the engine leaves free for the pack, its textures and its sounds, which are loaded one
/// after another.
u64 memory_of(const Pack&);
/// The number of triangles that fit in the primitive buffer.
u64 triangles_of(const Pack&);
inline u64 pages_of(Layout l) { return u32(l) < k_sections ? k_old_pages : k_new_pages; }

/// A limit of the engine of v20 and later.
struct EngineLimit {
  std::string_view name, unit;
  std::string path;  // the path of the first entry over the limit, or of its list
  u64 used, of;
};
std::vector<EngineLimit> collect_engine_limits(const Pack&);

/// The number of units of 64 x 256 words that contain atlases.
u64 pages_used(const Pack&);
/// The number of VRAM rows that contain palettes.
u64 clut_rows_used(const Pack&);

}  // namespace dio::splashpack
