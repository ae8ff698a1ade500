// budget.hpp: what a file takes of what its console has, as a picture. The value is that of Format::budget:
// {"engine", "budgets": [{"name", "used", "of", "unit", "about"}], "map"?: {"title", "width", "height", "unit",
// "grid": {"width", "height"}, "areas": [{"kind", "name", "x", "y", "width", "height"}]}}. Kinds of areas are reserved,
// texels, palette and letters.
#pragma once
#include <string>
#include <vector>

#include "core/value.hpp"

namespace dio::report {

/// An SVG: a bar for each budget, and the map with its raster and areas.
std::string budget_svg(const Value& budget, std::string_view title);

/// In parts of 1,000 of what there is; 0 of what there is none of.
u64 share_of(u64 used, u64 of);

/// Those of which more is used than there is.
std::vector<Value> exceeded(const Value& budget);

}  // namespace dio::report
