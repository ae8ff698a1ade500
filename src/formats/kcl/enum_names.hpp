// enum_names.hpp: words for the flags of prisms. Sources: README.md.
#pragma once
#include <array>

#include "layout/key.hpp"

namespace dio::kcl {

namespace words {
inline constexpr EnumName types[] = {{0x00, "road"},
                                     {0x01, "slippery road"},
                                     {0x02, "weak off-road"},
                                     {0x03, "off-road"},
                                     {0x04, "heavy off-road"},
                                     {0x05, "slippery road 2"},
                                     {0x06, "boost panel"},
                                     {0x07, "boost ramp"},
                                     {0x08, "jump pad"},
                                     {0x09, "item road"},
                                     {0x0A, "solid fall"},
                                     {0x0B, "moving water"},
                                     {0x0C, "wall"},
                                     {0x0D, "invisible wall"},
                                     {0x0E, "item wall"},
                                     {0x0F, "wall 2"},
                                     {0x10, "fall boundary"},
                                     {0x11, "cannon trigger"},
                                     {0x12, "force recalculation"},
                                     {0x13, "half-pipe ramp"},
                                     {0x14, "player-only wall"},
                                     {0x15, "moving road"},
                                     {0x16, "sticky road"},
                                     {0x17, "road 2"},
                                     {0x18, "sound trigger"},
                                     {0x19, "weak wall"},
                                     {0x1A, "effect trigger"},
                                     {0x1B, "item state modifier"},
                                     {0x1C, "half-pipe invisible wall"},
                                     {0x1D, "rotating road"},
                                     {0x1E, "special wall"},
                                     {0x1F, "invisible wall 2"}};

// names of variants, by type; variants without a name are not known to differ from others
inline constexpr EnumName road[] = {{0, "normal"}, {1, "dirt, dust"}, {2, "dirt"},        {3, "smooth"},
                                    {4, "wood"},   {5, "snow"},       {6, "metal grate"}, {7, "normal, sound cut off"}};
inline constexpr EnumName slippery_road[] = {
    {0, "white sand"}, {1, "dirt"},        {2, "water"},           {3, "snow"},
    {4, "grass"},      {5, "yellow sand"}, {6, "sand, no effect"}, {7, "dirt, no effect"}};
inline constexpr EnumName weak_off_road[] = {
    {0, "orange sand"}, {1, "dirt"},   {2, "water"},  {3, "dark grass"},
    {4, "sand"},        {5, "carpet"}, {6, "gravel"}, {7, "gravel, other sound"}};
inline constexpr EnumName off_road[] = {{0, "sand"},  {1, "dirt"},        {2, "mud"},    {3, "water, no effect"},
                                        {4, "grass"}, {5, "sand, light"}, {6, "gravel"}, {7, "carpet"}};
inline constexpr EnumName heavy_off_road[] = {{0, "sand"},  {1, "dirt"}, {2, "mud"},         {3, "flowers"},
                                              {4, "grass"}, {5, "snow"}, {6, "sand, light"}, {7, "dirt, no effect"}};
inline constexpr EnumName slippery_road_2[] = {
    {0, "ice"}, {1, "mud, no effect"}, {2, "water, no effect"}, {6, "normal"}};
inline constexpr EnumName boost_panel[] = {{0, "fixed"}, {1, "rotating"}};
inline constexpr EnumName boost_ramp[] = {{0, "double flip"}, {1, "single flip"}, {2, "stunt"}};
inline constexpr EnumName jump_pad[] = {{0, "speed 50, up 35"}, {1, "speed 50, up 47"}, {2, "speed 59, up 30"},
                                        {3, "speed 73, up 45"}, {4, "mushroom"},        {5, "speed 56, up 50"},
                                        {6, "speed 55, up 35"}};
inline constexpr EnumName item_road[] = {{2, "metal grate"}, {3, "wood"}, {6, "grass"}};
inline constexpr EnumName solid_fall[] = {{0, "sand"}, {1, "sand under water"}, {3, "ice"}, {4, "dirt"}, {5, "grass"},
                                          {6, "wood"}, {7, "dark sand"}};
inline constexpr EnumName moving_water[] = {
    {0, "route, light pull down"}, {1, "route, strong pull down"},  {2, "route"},
    {3, "route, no acceleration"}, {4, "asphalt, light pull down"}, {6, "road, light pull down"}};
inline constexpr EnumName wall[] = {{0, "normal"}, {1, "rock"}, {2, "metal"}, {3, "wood"},
                                    {4, "ice"},    {5, "bush"}, {6, "rope"},  {7, "rubber"}};
inline constexpr EnumName invisible_wall[] = {{0, "no sparks"}, {1, "sparks"}};
inline constexpr EnumName item_wall[] = {{1, "rock"}, {2, "metal"}, {5, "bush"}};
inline constexpr EnumName fall_boundary[] = {{0, "air"},       {1, "water"},           {2, "lava"},
                                             {3, "icy water"}, {4, "lava, no effect"}, {5, "burning"},
                                             {6, "quicksand"}, {7, "short fall"}};
inline constexpr EnumName cannon_trigger[] = {{0, "cannon 0"}, {1, "cannon 1"}, {2, "cannon 2"}, {3, "cannon 3"},
                                              {4, "cannon 4"}, {5, "cannon 5"}, {6, "cannon 6"}, {7, "cannon 7"}};
inline constexpr EnumName half_pipe_ramp[] = {{0, "normal"}, {1, "boost"}};
inline constexpr EnumName player_only_wall[] = {{0, "normal"}, {1, "rock"}, {2, "metal"}, {3, "wood"},
                                                {4, "ice"},    {5, "bush"}, {6, "rope"},  {7, "no effect"}};
inline constexpr EnumName moving_road[] = {{0, "west, BeltCrossing"},    {1, "east, BeltCrossing"},
                                           {2, "east, BeltEasy"},        {3, "west, BeltEasy"},
                                           {4, "clockwise, BeltCurveA"}, {5, "counterclockwise, BeltCurveA"}};
inline constexpr EnumName sticky_road[] = {
    {0, "wood"},   {1, "gravel"}, {2, "carpet"}, {3, "dirt, no effect"}, {4, "sand"}, {5, "normal, other sound"},
    {6, "normal"}, {7, "mud"}};
inline constexpr EnumName road_2[] = {{0, "normal"}, {1, "carpet"}, {2, "grass, effect"}, {3, "green mushroom"},
                                      {4, "grass"},  {5, "glass"},  {6, "dirt"},          {7, "normal, other sound"}};
inline constexpr EnumName sound_trigger[] = {{0, "sound 0"}, {1, "sound 1"}, {2, "sound 2"}, {3, "sound 3"},
                                             {4, "sound 4"}, {5, "sound 5"}, {6, "sound 6"}, {7, "sound 7"}};
inline constexpr EnumName effect_trigger[] = {{0, "light"},     {1, "light (1)"},        {2, "water splash"},
                                              {3, "star gate"}, {4, "end of half-pipe"}, {5, "coin"}};
inline constexpr EnumName rotating_road[] = {{0, "carpet"},
                                             {1, "normal, other sound"},
                                             {2, "normal"},
                                             {3, "glass"},
                                             {4, "carpet, other sound"},
                                             {5, "star crash sound"},
                                             {6, "sand"},
                                             {7, "dirt"}};
inline constexpr EnumName special_wall[] = {
    {0, "cactus"},   {1, "no effect"},   {2, "bouncy"},          {4, "Rainbow Road rail"},
    {5, "mushroom"}, {6, "metal sound"}, {7, "competition gate"}};
}  // namespace words

inline constexpr EnumNames k_types{words::types};

/// Words for the variants of each type.
inline constexpr std::array<EnumNames, 32> k_variants{EnumNames{words::road},
                                                      EnumNames{words::slippery_road},
                                                      EnumNames{words::weak_off_road},
                                                      EnumNames{words::off_road},
                                                      EnumNames{words::heavy_off_road},
                                                      EnumNames{words::slippery_road_2},
                                                      EnumNames{words::boost_panel},
                                                      EnumNames{words::boost_ramp},
                                                      EnumNames{words::jump_pad},
                                                      EnumNames{words::item_road},
                                                      EnumNames{words::solid_fall},
                                                      EnumNames{words::moving_water},
                                                      EnumNames{words::wall},
                                                      EnumNames{words::invisible_wall},
                                                      EnumNames{words::item_wall},
                                                      EnumNames{words::wall},
                                                      EnumNames{words::fall_boundary},
                                                      EnumNames{words::cannon_trigger},
                                                      EnumNames{},
                                                      EnumNames{words::half_pipe_ramp},
                                                      EnumNames{words::player_only_wall},
                                                      EnumNames{words::moving_road},
                                                      EnumNames{words::sticky_road},
                                                      EnumNames{words::road_2},
                                                      EnumNames{words::sound_trigger},
                                                      EnumNames{},
                                                      EnumNames{words::effect_trigger},
                                                      EnumNames{},
                                                      EnumNames{},
                                                      EnumNames{words::rotating_road},
                                                      EnumNames{words::special_wall},
                                                      EnumNames{}};
inline constexpr EnumNames k_no_words{};

// ---- Mario Kart DS

namespace words {
inline constexpr EnumName ds_types[] = {{0, "road"},
                                        {1, "slippery road"},
                                        {2, "weak off-road"},
                                        {3, "off-road"},
                                        {4, "sound trigger"},
                                        {5, "heavy off-road"},
                                        {6, "slippery road 2"},
                                        {7, "boost panel"},
                                        {8, "wall"},
                                        {9, "invisible wall"},
                                        {10, "out of bounds"},
                                        {11, "fall boundary"},
                                        {12, "jump pad"},
                                        {13, "item road"},
                                        {14, "item wall"},
                                        {15, "cannon trigger"},
                                        {16, "edge wall"},
                                        {17, "waterfall"},
                                        {18, "boost panel with a lowest speed"},
                                        {19, "loop"},
                                        {20, "special road"},
                                        {21, "wall 3"},
                                        {22, "force recalculation"}};
inline constexpr EnumName ds_road[] = {{0, "asphalt"},    {1, "dirt"},          {2, "stone"},      {3, "concrete"},
                                       {4, "wood board"}, {5, "snow or grass"}, {6, "metal grid"}, {7, "iron plate"}};
inline constexpr EnumName ds_slippery_road[] = {{0, "sand"}, {1, "dirt"}, {2, "grass"}, {3, "water"}, {4, "snow"}};
inline constexpr EnumName ds_weak_off_road[] = {{0, "sand"}, {1, "water"}, {2, "snow"}, {3, "dirt"}};
inline constexpr EnumName ds_off_road[] = {{0, "dirt"}, {1, "mud"},   {2, "grass"},
                                           {3, "sand"}, {4, "cloud"}, {5, "snow"}};
inline constexpr EnumName ds_heavy_off_road[] = {{0, "dirt"}, {1, "mud"}, {2, "grass"}, {3, "sand"}, {4, "flowers"}};
inline constexpr EnumName ds_slippery_road_2[] = {{0, "ice"}, {1, "mud"}};
inline constexpr EnumName ds_boost_panel[] = {
    {0, "normal"}, {1, "rainbow"}, {2, "pinball"}, {3, "dirt, entrance of the pinball cannon"}};
inline constexpr EnumName ds_wall[] = {{0, "concrete"}, {1, "rock"},     {2, "metal"}, {3, "wood"},
                                       {4, "bush"},     {5, "no sound"}, {6, "rope"},  {7, "ice or metal grid"}};
inline constexpr EnumName ds_out_of_bounds[] = {
    {0, "dirt"}, {1, "sand"}, {2, "dirt, no effects"}, {3, "snow"}, {4, "water"}};
inline constexpr EnumName ds_fall_boundary[] = {{0, "air"}, {1, "water"}, {2, "lava"}};
inline constexpr EnumName ds_jump_pad[] = {
    {0, "low"},     {1, "medium"},       {2, "high"},    {3, "no jump, sound of dirt"},
    {4, "highest"}, {5, "far too high"}, {6, "farther"}, {7, "farthest"}};
inline constexpr EnumName ds_loop[] = {{0, "rainbow or boost panel"}, {1, "rainbow or boost panel (1)"}};
inline constexpr EnumName ds_special_road[] = {{0, "dirt or sand"}, {1, "carpet"}, {2, "rainbow"}, {3, "grass"},
                                               {4, "stairs"},       {5, "sand"},   {6, "dirt"}};
}  // namespace words

inline constexpr EnumNames k_ds_types{words::ds_types};

/// Words for the variants of each type.
inline constexpr std::array<EnumNames, 32> k_ds_variants{EnumNames{words::ds_road},
                                                         EnumNames{words::ds_slippery_road},
                                                         EnumNames{words::ds_weak_off_road},
                                                         EnumNames{words::ds_off_road},
                                                         EnumNames{words::sound_trigger},
                                                         EnumNames{words::ds_heavy_off_road},
                                                         EnumNames{words::ds_slippery_road_2},
                                                         EnumNames{words::ds_boost_panel},
                                                         EnumNames{words::ds_wall},
                                                         EnumNames{words::ds_wall},
                                                         EnumNames{words::ds_out_of_bounds},
                                                         EnumNames{words::ds_fall_boundary},
                                                         EnumNames{words::ds_jump_pad},
                                                         EnumNames{words::ds_wall},
                                                         EnumNames{words::ds_wall},
                                                         EnumNames{words::cannon_trigger},
                                                         EnumNames{words::ds_wall},
                                                         EnumNames{},
                                                         EnumNames{words::ds_boost_panel},
                                                         EnumNames{words::ds_loop},
                                                         EnumNames{words::ds_special_road},
                                                         EnumNames{words::ds_wall}};

}  // namespace dio::kcl
