// enum_names.hpp: names for the values of lights, fog and post effects. Sources: README.md.
#pragma once
#include "layout/key.hpp"
#include "layout/reference.hpp"

namespace dio::egg {

namespace words {
inline constexpr EnumName spot_functions[] = {{0, "off"},   {1, "flat"},   {2, "cosine"}, {3, "squared cosine"},
                                              {4, "sharp"}, {5, "ring 1"}, {6, "ring 2"}};
inline constexpr EnumName distance_functions[] = {{0, "off"}, {1, "gentle"}, {2, "medium"}, {3, "steep"}};
inline constexpr EnumName spaces[] = {
    {0, "space 0"}, {1, "world"}, {2, "view"}, {3, "orthographic, top"}, {4, "orthographic, bottom"}};
inline constexpr EnumName light_types[] = {{0, "point"}, {1, "directional"}, {2, "spot"}};
inline constexpr EnumName light_flags[] = {{0x001, "computed"},
                                           {0x002, "follows another light"},
                                           {0x020, "in light maps"},
                                           {0x040, "lit"},
                                           {0x080, "cut off at an angle"},
                                           {0x100, "fixed distances"},
                                           {0x200, "color in models"},
                                           {0x400, "alpha in models"},
                                           {0x800, "shininess of 16"}};
inline constexpr EnumName fog_types[] = {{0, "none"},
                                         {1, "perspective, linear"},
                                         {2, "perspective, exponential"},
                                         {3, "perspective, squared exponential"},
                                         {4, "perspective, inverse exponential"},
                                         {5, "perspective, inverse squared exponential"},
                                         {6, "orthographic, linear"},
                                         {7, "orthographic, exponential"},
                                         {8, "orthographic, squared exponential"},
                                         {9, "orthographic, inverse exponential"},
                                         {10, "orthographic, inverse squared exponential"}};
inline constexpr EnumName draw_modes[] = {{0, "mode 0"}, {1, "inverse"}, {2, "normal and inverse"}};
inline constexpr EnumName taps[] = {{0, "4"}, {1, "2"}};
inline constexpr EnumName blur_filters[] = {{0x2, "warped by posteffect.bti"}};
inline constexpr EnumName base_layers[] = {{0, "sphere"}, {1, "square"}, {2, "sphere 2"}};
inline constexpr EnumName patterns[] = {{0, "linear 32-64"},
                                        {1, "linear 0-64"},
                                        {2, "linear 16-64"},
                                        {3, "quadratic 32-64"},
                                        {4, "quartic 32-64"},
                                        {5, "sextic 32-64"},
                                        {6, "octic 32-64"},
                                        {7, "linear 4-45"},
                                        {8, "reverse quadratic 10-42"},
                                        {9, "reverse quadratic 13-45"}};
inline constexpr EnumName drawn_lights[] = {
    {0x0001, "light 0"},  {0x0002, "light 1"},  {0x0004, "light 2"},  {0x0008, "light 3"},
    {0x0010, "light 4"},  {0x0020, "light 5"},  {0x0040, "light 6"},  {0x0080, "light 7"},
    {0x0100, "light 8"},  {0x0200, "light 9"},  {0x0400, "light 10"}, {0x0800, "light 11"},
    {0x1000, "light 12"}, {0x2000, "light 13"}, {0x4000, "light 14"}, {0x8000, "light 15"}};
}  // namespace words

inline constexpr EnumNames k_spot_functions{words::spot_functions}, k_distance_functions{words::distance_functions},
    k_spaces{words::spaces}, k_light_types{words::light_types}, k_light_flags{words::light_flags, true},
    k_fog_types{words::fog_types}, k_draw_modes{words::draw_modes}, k_taps{words::taps},
    k_blur_filters{words::blur_filters, true}, k_base_layers{words::base_layers}, k_patterns{words::patterns},
    k_drawn_lights{words::drawn_lights, true}, k_no_words{};

}  // namespace dio::egg
