// edits.hpp: the changes with a name that edits.cpp lists, by what they change.
#pragma once
#include "formats/contract/arguments.hpp"
#include "formats/fft/scene/polygons.hpp"

namespace dio::fft {

using Done = Result<std::string>;  // what was done
using Change = Done(Mesh&, Arguments);

// edits_terrain.cpp
Change set_tiles, raise_tiles, resize_terrain;
// edits_polygons.cpp
Change move_polygons, copy_polygons, remove_polygons, set_polygons;
// edits.cpp
Change set_light, set_palette, set_animation;

inline constexpr Word k_yes_words[] = {{0, "no"}, {1, "yes"}};
inline constexpr Words k_yes{k_yes_words};

inline Done refusal(Arguments& a) { return refuse(std::move(*a.problem)); }
/// The edit is for a part that the file does not have.
inline Done missing(std::string_view part) {
  return refuse("edit.argument", {}, {.expected = "a file with " + std::string(part), .found = "one without"});
}

/// Turns the normals of a polygon that was bent: those of its face become those of its new face. Others were made
/// round on purpose and stay. `was`: where its corners were. False where they stay though the face turned.
template <size_t N>
bool turn_normals(Textured<N>& polygon, const std::array<Position, N>& was);

}  // namespace dio::fft
