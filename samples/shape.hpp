// shape.hpp: what files of a format can hold, as its samples show it.
#pragma once
#include "bridge/report/schema.hpp"

namespace dio {

report::Shape shape_of(const Format&);

}  // namespace dio
