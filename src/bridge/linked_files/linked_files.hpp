// linked_files.hpp: files that a scene names in its extras and that lie beside it: scripts, sounds, pictures.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio {

/// Puts files into a scene that its extras name, where they are there:
/// - `lua_file` of the scene or of a node becomes `lua` beside it, the text, if there is none yet; of a .json file,
/// what
///   it says (`canvases_file`: "screen.json" becomes `canvases`);
/// - `sound_files` of the scene, names with commas between them, becomes `sound`, a list of {"file"};
/// - an object with `file` anywhere in the extras of the scene gets `bytes` beside it, in base64; of a .png file, the
///   scene has the picture under that name instead.
/// `read` gives the file of a name, which leads nowhere but into the scene's folder; nothing if there is none. Ids:
/// those of JSON and PNG files.
Result<void> take_files(scene::Scene&, const std::function<std::optional<Bytes>(const std::string& name)>& read);

}  // namespace dio
