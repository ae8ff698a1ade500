// enum_names.hpp: words for the numbers of scene packs, and dimensions of VRAM. Sources: README.md.
#pragma once
#include "console/psx/gpu.hpp"
#include "layout/reference.hpp"

namespace dio::splashpack {

/// The layout of a pack, in chronological order. Layouts of 2025 all have version 1; later ones are named by their
/// version.
enum class Layout : u8 { a1, a2, a3, b, b2, c, d, e, v20 = 20, v21, v22, v23, v24, v25 };
inline constexpr EnumName k_layout_words[] = {{0, "a1"},   {1, "a2"},   {2, "a3"},   {3, "b"},    {4, "b2"},
                                              {5, "c"},    {6, "d"},    {7, "e"},    {20, "v20"}, {21, "v21"},
                                              {22, "v22"}, {23, "v23"}, {24, "v24"}, {25, "v25"}};
inline constexpr EnumNames k_layouts{k_layout_words};

// The first layout with a feature, for `since`.
inline constexpr u32 k_palettes_in_objects = u32(Layout::a2);  // and in no other
inline constexpr u32 k_pages_in_triangles = u32(Layout::a3);
inline constexpr u32 k_offsets_first = u32(Layout::b);
inline constexpr u32 k_navmeshes = u32(Layout::b2);
inline constexpr u32 k_player = u32(Layout::c);
inline constexpr u32 k_scripts = u32(Layout::d);
inline constexpr u32 k_flags = u32(Layout::e);
inline constexpr u32 k_sections = u32(Layout::v20);  // pixels and sounds in separate files
inline constexpr u32 k_memory_card = u32(Layout::v21);
inline constexpr u32 k_agents = u32(Layout::v22);
inline constexpr u32 k_tilemap = u32(Layout::v23);
inline constexpr u32 k_lights = u32(Layout::v24);
inline constexpr u32 k_buffers = u32(Layout::v25);
inline constexpr Layout k_newest = Layout::v25;

inline constexpr EnumName k_depth_words[] = {{0, "4 bits"}, {1, "8 bits"}, {2, "16 bits"}};
inline constexpr EnumNames k_depths{k_depth_words};
inline constexpr EnumName k_scene_type_words[] = {{0, "exterior"}, {1, "interior"}};
inline constexpr EnumNames k_scene_types{k_scene_type_words};
inline constexpr EnumName k_collider_type_words[] = {{0, "none"}, {1, "solid"}};
inline constexpr EnumNames k_collider_types{k_collider_type_words};
inline constexpr EnumName k_surface_words[] = {{0, "flat"}, {1, "ramp"}, {2, "stairs"}};
inline constexpr EnumNames k_surfaces{k_surface_words};
inline constexpr EnumName k_track_type_words[] = {
    {0, "camera position"},  {1, "camera rotation"},   {2, "object position"}, {3, "object rotation"},
    {4, "object active"},    {5, "canvas visible"},    {6, "element visible"}, {7, "progress"},
    {8, "element position"}, {9, "element color"},     {10, "camera h"},       {11, "small rumble"},
    {12, "large rumble"},    {13, "object uv offset"}, {14, "light position"}, {15, "light color"},
    {16, "light intensity"}, {17, "light radius"},     {18, "light on"}};
inline constexpr EnumNames k_track_types{k_track_type_words};
// A track names an object, a canvas, or an element of a canvas.
inline constexpr Target k_track_targets[] = {
    {.list = "objects", .when = "type", .is = 2},  {.list = "objects", .when = "type", .is = 3},
    {.list = "objects", .when = "type", .is = 4},  {.list = "canvases", .when = "type", .is = 5},
    {.list = "canvases", .when = "type", .is = 6}, {.list = "canvases", .when = "type", .is = 7},
    {.list = "canvases", .when = "type", .is = 8}, {.list = "canvases", .when = "type", .is = 9},
    {.list = "objects", .when = "type", .is = 13}};
inline constexpr Reference k_track_reference{.targets = k_track_targets, .name = "name", .inner = "elements"};
inline constexpr EnumNames k_track_target = leads_to(k_track_reference);
inline constexpr EnumName k_no_font[] = {{0, "the system font"}};
inline constexpr Reference k_font_reference{.targets = k_target<"fonts">, .base = 1};
inline constexpr EnumNames k_font_of_text = leads_to(k_font_reference, k_no_font);
inline constexpr EnumName k_interpolation_words[] = {
    {0, "linear"}, {1, "step"}, {2, "ease in"}, {3, "ease out"}, {4, "ease in and out"}};
inline constexpr EnumNames k_interpolations{k_interpolation_words};
inline constexpr EnumName k_ui_type_words[] = {{0, "image"}, {1, "box"}, {2, "text"}, {3, "progress"}, {4, "line"}};
inline constexpr EnumNames k_ui_types{k_ui_type_words};

inline constexpr u32 k_default_scaling = 100;  // world units per 1.0 of the pack; not stored in the pack
/// Flags of an object: a skin moves it; from v24 on, runtime lights affect it.
inline constexpr u32 k_skinned = 16;
inline constexpr u32 k_lit_triangles = 1u << 16, k_lit_vertices = 1u << 17;
inline constexpr std::string_view k_lit_by_vertex = "vertices";  // value of the property `lit`, instead of true
inline constexpr u16 k_untextured = 0xFFFF;                      // replaces the texture page, from v20 on

using psx::k_neutral, psx::k_page_height, psx::k_page_width, psx::k_video_height, psx::k_video_width, psx::TexturePage;

}  // namespace dio::splashpack
