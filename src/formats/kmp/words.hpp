// words.hpp: words for the values of KMP fields. Sources: README.md.
#pragma once
#include "layout/key.hpp"

namespace dio::kmp {

namespace words {
inline constexpr Word versions[] = {
    {2520, "final game"}, {2510, "loser_demo"}, {2320, "draw_demo"}, {1600, "old_mario_gc_hayasi, _yabuki"}};
inline constexpr Word enemy_modes[] = {
    {0, "none"}, {1, "enter with mushroom only"}, {2, "use mushroom"}, {3, "wheelie"}, {4, "end wheelie"}};
inline constexpr Word enemy_drift[] = {{0, "none"}, {1, "end drift"}, {2, "no drift"}, {3, "force drift"}};
inline constexpr Word item_height[] = {
    {0, "height if below route"}, {1, "follow ground"}, {2, "follow route exactly"}, {3, "mushrooms"}};
inline constexpr Word item_flags[] = {{1, "Bullet Bill cannot stop"}, {0x0A, "low priority for shells"}};
inline constexpr Word check_types[] = {{0, "lap line"}, {-1, "normal"}};
inline constexpr Word no_link[] = {{0xFF, "none"}};
inline constexpr Word no_route[] = {{0xFFFF, "none"}};
inline constexpr Word presence[] = {{1, "one player"}, {2, "two players"}, {4, "three or four players"}};
inline constexpr Word smooth[] = {{0, "straight"}, {1, "smooth"}};
inline constexpr Word back_and_forth[] = {{0, "cyclic"}, {1, "back and forth"}};
inline constexpr Word area_shapes[] = {{0, "box"}, {1, "cylinder"}};
inline constexpr Word area_types[] = {{0, "camera"},
                                      {1, "environment effect"},
                                      {2, "fog"},
                                      {3, "moving road"},
                                      {4, "enemy recalculation"},
                                      {5, "minimap frame"},
                                      {6, "bloom"},
                                      {7, "Boos"},
                                      {8, "object group"},
                                      {9, "object unload"},
                                      {10, "fall boundary"}};
inline constexpr Word camera_types[] = {{0, "goal"},
                                        {1, "fixed"},
                                        {2, "route"},
                                        {3, "follow"},
                                        {4, "fixed, moving view"},
                                        {5, "route, moving view"},
                                        {6, "follow route"},
                                        {7, "follow (7)"},
                                        {8, "follow (8)"},
                                        {9, "mission success"}};
inline constexpr Word cannon_effects[] = {{-1, "straight"}, {0, "straight (0)"}, {1, "curved"}, {2, "curved and slow"}};
inline constexpr Word pole[] = {{0, "left"}, {1, "right"}};
inline constexpr Word spacing[] = {{0, "wide"}, {1, "narrow"}};
inline constexpr Word flare_flash[] = {{0, "off"}, {1, "on"}};
}  // namespace words

inline constexpr Words k_versions{words::versions}, k_enemy_modes{words::enemy_modes},
    k_enemy_drift{words::enemy_drift}, k_item_height{words::item_height}, k_item_flags{words::item_flags},
    k_check_types{words::check_types}, k_no_link_word{words::no_link}, k_no_route_word{words::no_route},
    k_presence{words::presence, true}, k_smooth{words::smooth}, k_back_and_forth{words::back_and_forth},
    k_area_shapes{words::area_shapes}, k_area_types{words::area_types}, k_camera_types{words::camera_types},
    k_cannon_effects{words::cannon_effects}, k_pole{words::pole}, k_spacing{words::spacing},
    k_flare_flash{words::flare_flash};
extern const Words k_object_names;  // objects.cpp

}  // namespace dio::kmp
