// shape.hpp: what files of a format can hold, as its samples show it.
#pragma once
#include "bridge/report/schema.hpp"

namespace dio {

report::Shape shape_of(const Format&);
/// Learned also from shape_samples_of: more structures are known, but fewer have a fixed offset.
report::Shape widest_shape_of(const Format&);

}  // namespace dio
