// flat_scene.hpp: a scene as a text and arrays in one byte range, for programs that draw scenes themselves.
#pragma once
#include "core/value.hpp"
#include "scene/scene.hpp"

namespace dio::flat {

/// The size of the JSON text (u32, least significant byte first); the text, filled with spaces so that it ends at a
/// multiple of four; the arrays. An array in the text is {"at": its first byte, counted from the end of the text and a
/// multiple of four; "count": its numbers}, which are in the byte order of the machine:
///
///   images      pixels: u8, four each (red, green, blue, alpha; sRGB)
///   primitives  positions, normals, weights, uvs: f32, as in scene.hpp; colors: u16, four each, 65535 is 1; joints:
///   u16, four
///               each; sources, indices: u32. Empty ones are left out
///   skins       inverseBind: f32, 16 each
///   animations  times: f32; values: f32, for translation and scale three each, for the field of view one, else four;
///               visible: u8
///
/// Names are those of scene.hpp, joined: metresPerUnit. Indices that are none are -1. `notes` becomes a member of the
/// text.
Bytes write(const scene::Scene&, Value notes);
/// Same, for programs that keep the data of the previous scene: {"same": N} stands for an array of pixels or of a
/// primitive that equals array N of the previous scene. Arrays are counted from 0, over all pictures and then over all
/// primitives in the order positions, normals, colors, uvs, joints, weights, sources, indices.
Bytes write_changes(const scene::Scene&, const scene::Scene& before, Value notes);

}  // namespace dio::flat
