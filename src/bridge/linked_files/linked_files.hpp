// linked_files.hpp: files that the extras of a scene refer to: scripts, sounds, pictures in the same folder.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio {

/// Loads the files that the extras of a scene refer to, if they exist:
/// - `lua_file` of the scene or of a node adds `lua`, the text, unless it exists; a .json file is parsed
///   (`canvases_file`: "screen.json" adds `canvases`, or replaces those that a pack had);
/// - `sound_files` of the scene, a list of names separated by commas, adds `sound`, a list of {"file"};
/// - an object with `file` anywhere in the extras of the scene gets `bytes`, in Base64; a .png file is added to the
///   pictures of the scene under its name instead.
/// `read` returns a file of the scene's folder by name; nothing if it does not exist. Ids: those of JSON and PNG files.
Result<void> inline_linked_files(scene::Scene&,
                                 const std::function<std::optional<Bytes>(const std::string& name)>& read);

}  // namespace dio
