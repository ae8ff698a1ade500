// enum_names.hpp: words for the values of KMP fields. Sources: README.md.
#pragma once
#include "layout/key.hpp"
#include "layout/reference.hpp"

namespace dio::kmp {

namespace words {
inline constexpr EnumName versions[] = {
    {2520, "final game"}, {2510, "loser_demo"}, {2320, "draw_demo"}, {1600, "old_mario_gc_hayasi, _yabuki"}};
inline constexpr EnumName enemy_modes[] = {
    {0, "none"}, {1, "enter with mushroom only"}, {2, "use mushroom"}, {3, "wheelie"}, {4, "end wheelie"}};
inline constexpr EnumName enemy_drift[] = {{0, "none"}, {1, "end drift"}, {2, "no drift"}, {3, "force drift"}};
inline constexpr EnumName item_height[] = {
    {0, "height if below route"}, {1, "follow ground"}, {2, "follow route exactly"}, {3, "mushrooms"}};
inline constexpr EnumName item_flags[] = {{1, "Bullet Bill cannot stop"}, {0x0A, "low priority for shells"}};
inline constexpr EnumName check_types[] = {{0, "lap line"}, {-1, "normal"}};
inline constexpr EnumName same_respawn[] = {{0xFF, "unchanged"}};
inline constexpr EnumName presence[] = {
    {1, "one player"}, {2, "two players"}, {4, "three or four players"}, {0x1000, "LE-CODE condition"}};
// Predefined conditions of LE-CODE.
inline constexpr EnumName references[] = {{0x1000, "never"},
                                          {0x1001, "always"},
                                          {0x1002, "one local player"},
                                          {0x1003, "several local players"},
                                          {0x1004, "offline"},
                                          {0x1005, "online"},
                                          {0x1006, "at most 6 players"},
                                          {0x1007, "7 or more players"},
                                          {0x1008, "at most 9 players"},
                                          {0x1009, "10 or more players"},
                                          {0x100A, "at most 12 players"},
                                          {0x100B, "13 or more players"},
                                          {0x100C, "at most 18 players"},
                                          {0x100D, "19 or more players"},
                                          {0x100E, "7 to 9 players"},
                                          {0x100F, "not 7 to 9 players"},
                                          {0x1010, "7 to 12 players"},
                                          {0x1011, "not 7 to 12 players"},
                                          {0x1012, "7 to 18 players"},
                                          {0x1013, "not 7 to 18 players"},
                                          {0x1014, "10 to 12 players"},
                                          {0x1015, "not 10 to 12 players"},
                                          {0x1016, "10 to 18 players"},
                                          {0x1017, "not 10 to 18 players"},
                                          {0x1018, "13 to 18 players"},
                                          {0x1019, "not 13 to 18 players"},
                                          {0x101A, "time trial"},
                                          {0x101B, "no time trial"},
                                          {0x101C, "battle"},
                                          {0x101D, "race"},
                                          {0x101E, "Balloon Battle"},
                                          {0x101F, "no Balloon Battle"},
                                          {0x1020, "Coin Runners"},
                                          {0x1021, "no Coin Runners"},
                                          {0x1022, "versus"},
                                          {0x1023, "no versus"},
                                          {0x1024, "item rain"},
                                          {0x1025, "no item rain"},
                                          {0x102E, "2 local players"},
                                          {0x102F, "1, 3 or 4 local players"},
                                          {0x1030, "3 local players"},
                                          {0x1031, "1, 2 or 4 local players"},
                                          {0x1032, "4 local players"},
                                          {0x1033, "1 to 3 local players"},
                                          {0x1034, "1 or 2 local players"},
                                          {0x1035, "3 or 4 local players"},
                                          {0x1036, "1 or 3 local players"},
                                          {0x1037, "2 or 4 local players"},
                                          {0x1038, "1 or 4 local players"},
                                          {0x1039, "2 or 3 local players"}};
inline constexpr EnumName smooth[] = {{0, "straight"}, {1, "smooth"}};
inline constexpr EnumName back_and_forth[] = {{0, "cyclic"}, {1, "back and forth"}};
inline constexpr EnumName area_shapes[] = {{0, "box"}, {1, "cylinder"}};
inline constexpr EnumName area_types[] = {{0, "camera"},
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
inline constexpr EnumName camera_types[] = {{0, "goal"},
                                            {1, "fixed"},
                                            {2, "route"},
                                            {3, "follow"},
                                            {4, "fixed, moving view"},
                                            {5, "route, moving view"},
                                            {6, "follow route"},
                                            {7, "follow (7)"},
                                            {8, "follow (8)"},
                                            {9, "mission success"}};
inline constexpr EnumName cannon_effects[] = {
    {-1, "straight"}, {0, "straight (0)"}, {1, "curved"}, {2, "curved and slow"}};
inline constexpr EnumName pole[] = {{0, "left"}, {1, "right"}};
inline constexpr EnumName spacing[] = {{0, "wide"}, {1, "narrow"}};
inline constexpr EnumName flare_flash[] = {{0, "off"}, {1, "on"}};
}  // namespace words

inline constexpr EnumNames k_versions{words::versions}, k_enemy_modes{words::enemy_modes},
    k_enemy_drift{words::enemy_drift}, k_item_height{words::item_height}, k_item_flags{words::item_flags},
    k_check_types{words::check_types}, k_presence{words::presence, true}, k_references{words::references},
    k_smooth{words::smooth}, k_back_and_forth{words::back_and_forth}, k_area_shapes{words::area_shapes},
    k_area_types{words::area_types}, k_camera_types{words::camera_types}, k_cannon_effects{words::cannon_effects},
    k_pole{words::pole}, k_spacing{words::spacing}, k_flare_flash{words::flare_flash};
extern const EnumNames k_object_names;  // objects.cpp

// The parts that indices refer to; an area uses only the indices of its type.
inline constexpr Target k_points_of_groups[] = {{.list = "ENPT.entries", .in = "ENPH"},
                                                {.list = "ITPT.entries", .in = "ITPH"},
                                                {.list = "CKPT.entries", .in = "CKPH"}};
inline constexpr Target k_camera_target[] = {{.list = "CAME.entries", .when = "type", .is = 0}},
                        k_road_target[] = {{.list = "POTI.entries", .when = "type", .is = 3}},
                        k_recalculation_target[] = {{.list = "ENPT.entries", .when = "type", .is = 4}};
inline constexpr Reference k_points_reference{.targets = k_points_of_groups, .count = "count"},
    k_respawn_reference{.targets = k_target<"JGPT.entries">, .most = 127},
    k_previous_reference{.targets = k_target<"entries">, .chain = Reference::Chain::previous},
    k_next_reference{.targets = k_target<"entries">, .chain = Reference::Chain::next},
    k_self_reference{.targets = k_target<"entries">, .chain = Reference::Chain::self},
    k_camera_reference{.targets = k_camera_target}, k_road_reference{.targets = k_road_target},
    k_recalculation_reference{.targets = k_recalculation_target};
inline constexpr EnumNames k_group_points = leads_to(k_points_reference),
                           k_respawn = leads_to(k_respawn_reference, words::same_respawn),
                           k_previous_point = leads_to(k_previous_reference, k_no_u8),
                           k_next_point = leads_to(k_next_reference, k_no_u8), k_own_index = leads_to(k_self_reference),
                           k_camera_of_area = leads_to(k_camera_reference, k_no_u8),
                           k_route_of_area = leads_to(k_road_reference, k_no_u8),
                           k_enemy_point_of_area = leads_to(k_recalculation_reference, k_no_u8);

}  // namespace dio::kmp
