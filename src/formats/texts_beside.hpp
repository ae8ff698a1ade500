// texts_beside.hpp: texts that a scene names and that lie beside it, as scripts do.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "layout/result.hpp"
#include "scene/scene.hpp"

namespace dio {

/// Texts that extras of the scene and its nodes name, as texts: `lua_file` of a node becomes `lua` beside it, if there
/// is such a file and no `lua` yet. `read` gives the file of a name, which leads nowhere but into the scene's folder;
/// nothing if there is none.
void take_texts(scene::Scene&, const std::function<std::optional<Bytes>(const std::string& name)>& read);

}  // namespace dio
