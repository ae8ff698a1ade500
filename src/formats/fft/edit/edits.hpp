// edits.hpp: the named edits listed in edits.cpp, by the part that they change.
#pragma once
#include "formats/contract/arguments.hpp"
#include "formats/fft/scene/polygons.hpp"

namespace dio::fft {

using Done = Result<std::string>;  // what was done
using Change = Done(Mesh&, Arguments);

// terrain.cpp
Change set_tiles, raise_tiles, resize_terrain;
// polygons.cpp
Change move_polygons, copy_polygons, remove_polygons, set_polygons, move_uvs, set_normals;
// edits.cpp
Change set_light, set_palette, set_animation;

inline constexpr EnumName k_yes_words[] = {{0, "no"}, {1, "yes"}};
inline constexpr EnumNames k_yes{k_yes_words};

inline Done refuse_edit(Arguments& a) { return refuse(std::move(*a.problem)); }
/// Rejects the edit with a message. Id: edit.argument.
inline Done refuse_edit(std::string message, std::string hint = {}) {
  return refuse("edit.argument", {}, {.message = std::move(message), .hint = std::move(hint)});
}
/// Reports an invalid argument, unless an earlier one was already invalid.
inline void refuse_argument(Arguments& a, std::string message) {
  if (!a.problem) a.problem = make_diagnostic("edit.argument", {}, {.message = std::move(message)});
}
/// The edit is for a part missing from the file.
inline Done refuse_missing_part(std::string_view part) { return refuse_edit("the file has no " + std::string(part)); }

/// Updates the normals of a polygon whose vertices moved: normals of its old face become those of its new face. Other
/// normals were smoothed on purpose and stay. `was`: the old positions. False if normals stay although the face turned.
template <size_t N>
bool rotate_face_normals(Textured<N>& polygon, const std::array<Position, N>& was);

}  // namespace dio::fft
