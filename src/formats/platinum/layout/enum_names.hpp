// enum_names.hpp: names for the numbers in the tables. Source: the names in pret/pokeplatinum.
#pragma once
#include "layout/key.hpp"

namespace dio::platinum {

inline constexpr EnumName k_map_type_words[] = {{0, "none"},    {1, "town"},           {2, "outdoors"},   {3, "cave"},
                                                {4, "indoors"}, {5, "pokemon center"}, {6, "underground"}};
inline constexpr EnumNames k_map_types{k_map_type_words};

/// The numbers are those of the table in field_camera.c.
inline constexpr EnumName k_camera_words[] = {
    {0, "default"},        {1, "pastoria gym"}, {2, "zoomed in"},        {3, "default 3"},
    {4, "interior"},       {5, "spear pillar"}, {6, "mt coronet south"}, {7, "mt coronet north"},
    {8, "stark mountain"}, {9, "oreburgh gym"}, {10, "veilstone gym"},   {11, "slightly zoomed out"},
    {12, "cave"},          {13, "iron island"}, {14, "hall of origin"},  {15, "lake acuity"},
    {16, "unused 16"}};
inline constexpr EnumNames k_cameras{k_camera_words};

inline constexpr EnumName k_weather_words[] = {{0, "clear"},
                                               {1, "cloudy"},
                                               {2, "raining"},
                                               {3, "heavy rain"},
                                               {4, "thunderstorm"},
                                               {5, "snowing"},
                                               {6, "heavy snow"},
                                               {7, "blizzard"},
                                               {8, "clear 8"},
                                               {9, "slow ashfall"},
                                               {10, "sandstorm"},
                                               {11, "hailing"},
                                               {12, "spirits"},
                                               {13, "clear 13"},
                                               {14, "fog"},
                                               {15, "deep fog"},
                                               {16, "dark, needs flash"},
                                               {32, "route 212 south, by date"},
                                               {33, "route 213, by date"},
                                               {34, "route 216, by date"},
                                               {35, "acuity lakefront, by date"},
                                               {36, "snowpoint city, by date"}};
inline constexpr EnumNames k_weathers{k_weather_words};

inline constexpr EnumName k_battle_bg_words[] = {
    {0, "plain"},          {1, "water"},           {2, "city"},
    {3, "forest"},         {4, "mountain"},        {5, "snow"},
    {6, "indoors 1"},      {7, "indoors 2"},       {8, "indoors 3"},
    {9, "cave 1"},         {10, "cave 2"},         {11, "cave 3"},
    {12, "aaron"},         {13, "bertha"},         {14, "flint"},
    {15, "lucian"},        {16, "cynthia"},        {17, "distortion world"},
    {18, "battle tower"},  {19, "battle factory"}, {20, "battle arcade"},
    {21, "battle castle"}, {22, "battle hall"}};
inline constexpr EnumNames k_battle_bgs{k_battle_bg_words};

/// HeartGold and SoulSilver.
inline constexpr EnumName k_area_type_words[] = {{0, "indoor"}, {1, "outdoor"}};
inline constexpr EnumNames k_area_types{k_area_type_words};

inline constexpr EnumName k_has_animations_words[] = {{1, "yes"}, {0xFF, "no"}};
inline constexpr EnumNames k_has_animations{k_has_animations_words};
inline constexpr EnumName k_anime_flag_words[] = {{1, "loaded later"}, {2, "added later"}, {0xFF, "none"}};
inline constexpr EnumNames k_anime_flags{k_anime_flag_words, true};
inline constexpr EnumName k_anime_flag_hgss_words[] = {
    {1, "loaded later"}, {2, "added later"}, {8, "by time of day"}, {0xFF, "none"}};
inline constexpr EnumNames k_anime_flags_hgss{k_anime_flag_hgss_words, true};
inline constexpr EnumName k_door_sound_words[] = {
    {0, "none"}, {1, "wooden door"}, {2, "automatic door"}, {3, "old door"}, {4, "sliding door"}};
inline constexpr EnumNames k_door_sounds{k_door_sound_words};

inline constexpr EnumName k_bg_event_type_words[] = {{0, "faced"}, {1, "sign on a wall"}, {2, "hidden item"}};
inline constexpr EnumNames k_bg_event_types{k_bg_event_type_words};
inline constexpr EnumName k_facing_words[] = {{0, "north"}, {1, "east"},       {2, "west"},        {3, "south"},
                                              {4, "any"},   {5, "west, east"}, {6, "north, south"}};
inline constexpr EnumNames k_facings{k_facing_words};
inline constexpr EnumName k_direction_words[] = {{0, "north"}, {1, "south"}, {2, "west"}, {3, "east"}};
inline constexpr EnumNames k_directions{k_direction_words};
inline constexpr EnumName k_trainer_type_words[] = {{0, "none"},
                                                    {1, "normal"},
                                                    {2, "looks in all directions"},
                                                    {4, "faces sides"},
                                                    {5, "turns counterclockwise"},
                                                    {6, "turns clockwise"},
                                                    {7, "spins counterclockwise"},
                                                    {8, "spins clockwise"}};
inline constexpr EnumNames k_trainer_types{k_trainer_type_words};

}  // namespace dio::platinum
