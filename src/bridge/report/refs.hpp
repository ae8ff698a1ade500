// refs.hpp: who refers to a part of a file, and to what it refers.
#pragma once
#include "core/value.hpp"
#include "layout/references.hpp"

namespace dio::report {

/// {"path", "refers_to": [{"from", "to", "exists"}], "referred_by": [{"from", "to", "exists"}]}
Value references_of(const Spans&, const References&, const Spot& part);

}  // namespace dio::report
