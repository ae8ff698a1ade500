// refs.hpp: who refers to a part of a file, and to what it refers.
#pragma once
#include "core/value.hpp"
#include "layout/references.hpp"

namespace dio::report {

/// `part`: `to` is the id of a part of the game, such as land/12.
/// {"path", "refers_to": [{"from", "to", "exists", "part"?}], "referred_by": [{"from", "to", "exists"}]}
Value references_of(const Spans&, const References&, const Spot& part);

}  // namespace dio::report
