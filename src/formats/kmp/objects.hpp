// objects.hpp: the known objects of GOBJ.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "layout/key.hpp"

namespace dio::kmp {

enum class RouteNeed : u8 { unknown, never, optional, always };

struct ObjectKind {
  u16 id;
  std::string_view name;
  RouteNeed route;
  bool solid;              // karts and items collide with it
  u8 named_settings;       // how many of the eight settings have a known meaning
  std::string_view model;  // name of the .brres in the course archive; several games' notes add (B), (E)
};

/// All known objects, sorted by id.
std::span<const ObjectKind> object_kinds();
/// The object with this id; null if the id is unknown.
const ObjectKind* object_kind(u16 id);
/// Ids of LE-CODE: objects that exist only there, and definitions of conditions, by bits or by other conditions.
inline constexpr u16 k_object_of_lecode = 0x3FF, k_lecode_or = 0x4000, k_lecode_and = 0x6000;
constexpr bool is_lecode_object(u16 id) { return id >= 0x1000 && id < 0x2000; }
constexpr bool is_lecode_definition(u16 id) { return id >= 0x2000 && id < 0x8000; }
/// `itembox`, `itembox (LE-CODE)`, `object 0x3ff`
std::string object_label(u16 id);
/// The files that an object needs in the course archive, as paths inside it: itembox.brres,
/// effect/Hanabi/rk_stHanabi.breff. Collision files that depend on the object's settings are left out.
std::vector<std::string> object_file_names(const ObjectKind&);
/// The file of an object's visible model in the course archive; empty if it has none.
std::string model_file_name(u16 id);

}  // namespace dio::kmp
