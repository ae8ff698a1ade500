// parts.hpp: callbacks of callers as sources of bytes, and files that are scenes.
#pragma once
#include <memory>

#include "capi/diorama.h"
#include "core/byte_source.hpp"
#include "core/diagnostic.hpp"
#include "scene/scene.hpp"

namespace dio::capi {

/// `read` may be null in WebAssembly alone. Id: capi.argument.
Result<std::shared_ptr<const ByteSource>> make_byte_source(u64 size, dio_read read, void* user);

/// Whether a file is a scene, be it readable or not: its name says so, or its bytes, if they are of no format.
bool is_scene(const dio_file&);
/// The scene in a file, with the files that it names; notes are added to.
Result<scene::Scene> read_scene(const dio_file&, Diagnostics& notes);

}  // namespace dio::capi
