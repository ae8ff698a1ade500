// enum_names.hpp: words for the numbers of map files. Sources: README.md.
#pragma once
#include "layout/reference.hpp"

namespace dio::fft {

inline constexpr EnumName k_surface_words[] = {{0x00, "natural surface"},
                                               {0x01, "sand area"},
                                               {0x02, "stalactite"},
                                               {0x03, "grassland"},
                                               {0x04, "thicket"},
                                               {0x05, "snow"},
                                               {0x06, "rocky cliff"},
                                               {0x07, "gravel"},
                                               {0x08, "wasteland"},
                                               {0x09, "swamp"},
                                               {0x0A, "marsh"},
                                               {0x0B, "poisoned marsh"},
                                               {0x0C, "lava rocks"},
                                               {0x0D, "ice"},
                                               {0x0E, "waterway"},
                                               {0x0F, "river"},
                                               {0x10, "lake"},
                                               {0x11, "sea"},
                                               {0x12, "lava"},
                                               {0x13, "road"},
                                               {0x14, "wooden floor"},
                                               {0x15, "stone floor"},
                                               {0x16, "roof"},
                                               {0x17, "stone wall"},
                                               {0x18, "sky"},
                                               {0x19, "darkness"},
                                               {0x1A, "salt"},
                                               {0x1B, "book"},
                                               {0x1C, "obstacle"},
                                               {0x1D, "rug"},
                                               {0x1E, "tree"},
                                               {0x1F, "box"},
                                               {0x20, "brick"},
                                               {0x21, "chimney"},
                                               {0x22, "mud wall"},
                                               {0x23, "bridge"},
                                               {0x24, "water plant"},
                                               {0x25, "stairs"},
                                               {0x26, "furniture"},
                                               {0x27, "ivy"},
                                               {0x28, "deck"},
                                               {0x29, "machine"},
                                               {0x2A, "iron plate"},
                                               {0x2B, "moss"},
                                               {0x2C, "tombstone"},
                                               {0x2D, "waterfall"},
                                               {0x2E, "coffin"},
                                               {0x3F, "cross section"}};
inline constexpr EnumNames k_surfaces{k_surface_words};

/// Two bits for each side, from the highest: north, south, west, east; the number of high corners of the side, 0 to 2.
inline constexpr EnumName k_slope_words[] = {
    {0x00, "flat"},       {0x85, "incline N"},  {0x52, "incline E"}, {0x25, "incline S"}, {0x58, "incline W"},
    {0x41, "convex NE"},  {0x11, "convex SE"},  {0x14, "convex SW"}, {0x44, "convex NW"}, {0x96, "concave NE"},
    {0x66, "concave SE"}, {0x69, "concave SW"}, {0x99, "concave NW"}};
inline constexpr EnumNames k_slopes{k_slope_words};

/// With the names used in editors; the decompilation of the game swaps east and west.
inline constexpr EnumName k_camera_words[] = {{0x80, "NW top"},    {0x40, "SW top"},    {0x20, "SE top"},
                                              {0x10, "NE top"},    {0x08, "NW bottom"}, {0x04, "SW bottom"},
                                              {0x02, "SE bottom"}, {0x01, "NE bottom"}};
inline constexpr EnumNames k_cameras{k_camera_words, true};

/// Camera directions from which a polygon is not drawn.
inline constexpr EnumName k_hidden_words[] = {{0x800, "SW"}, {0x400, "NW"}, {0x200, "NE"}, {0x100, "SE"},
                                              {0x80, "SSW"}, {0x40, "WSW"}, {0x20, "WNW"}, {0x10, "NNW"},
                                              {0x08, "NNE"}, {0x04, "ENE"}, {0x02, "ESE"}, {0x01, "SSE"}};
inline constexpr EnumNames k_hidden{k_hidden_words, true};

inline constexpr EnumName k_texture_mode_words[] = {{0x00, "off"},
                                                    {0x01, "texels, loop"},
                                                    {0x02, "texels, ping-pong"},
                                                    {0x03, "palette, loop"},
                                                    {0x04, "palette, ping-pong"},
                                                    {0x05, "texels, once"},
                                                    {0x0D, "palette, once"},
                                                    {0x15, "texels, once backwards"},
                                                    {0x1D, "polygons"},
                                                    {0x80, "texels, running back"},
                                                    {0x81, "palette, running back"},
                                                    {0x82, "texels, once running back"}};
inline constexpr EnumNames k_texture_modes{k_texture_mode_words};

inline constexpr EnumName k_tween_words[] = {
    {0x01, "to"}, {0x02, "by"}, {0x04, "linear"}, {0x08, "sine"}, {0x10, "sine + 1"}};
inline constexpr EnumNames k_tweens{k_tween_words, true};

inline constexpr EnumName k_resource_words[] = {
    {0x12, "fatal"},          {0x13, "texture page 0"}, {0x14, "texture page 1"}, {0x15, "texture page 2"},
    {0x16, "texture page 3"}, {0x17, "texture"},        {0x2E, "primary mesh"},   {0x2F, "override mesh"},
    {0x30, "alternate mesh"}, {0x31, "filler"}};
inline constexpr EnumNames k_resources{k_resource_words};

inline constexpr EnumName k_command_words[] = {{0x00, "end"},     {0x83, "camera focus"}, {0x84, "camera rotation"},
                                               {0x85, "indoors"}, {0x86, "outdoors"},     {0x88, "rain"},
                                               {0x89, "snow"},    {0x8A, "reserved"},     {0x8B, "weather modifier"}};
inline constexpr EnumNames k_commands{k_command_words};

inline constexpr EnumName k_variable_words[] = {{0x22, "weather and time"}, {0x30, "arrangement"}, {0x70, "crystals"}};
inline constexpr EnumNames k_variables{k_variable_words};

inline constexpr EnumName k_weather_words[] = {
    {0, "none"}, {1, "none-alternate"}, {2, "light"}, {3, "normal"}, {4, "heavy"}};
inline constexpr EnumNames k_weathers{k_weather_words};

inline constexpr EnumName k_comparison_words[] = {{1, "equal"}, {2, "requested is below"}, {3, "requested is above"}};
inline constexpr EnumNames k_comparisons{k_comparison_words};

}  // namespace dio::fft
