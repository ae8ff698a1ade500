// hidden_faces.hpp: faces that nobody can see.
#pragma once
#include <vector>

#include "formats/fft/make/scene_faces.hpp"

namespace dio::fft {

/// Removes faces inside closed objects, such as the ground under a house: from several points of their front, the first
/// face in each of five directions (up and along both horizontal axes) is seen from behind. `solid`: the faces that
/// hide others. O(n m), with early exits for visible faces.
void remove_hidden_faces(std::vector<Face>& faces, const std::vector<Face>& solid);

}  // namespace dio::fft
