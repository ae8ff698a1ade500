// parts.hpp: callbacks of callers as sources of bytes.
#pragma once
#include <memory>

#include "capi/diorama.h"
#include "core/byte_source.hpp"

namespace dio::capi {

/// `read` may be null in WebAssembly alone. Id: capi.argument.
Result<std::shared_ptr<const ByteSource>> source_of(u64 size, dio_read read, void* user);

}  // namespace dio::capi
