// budget.hpp: the resource use of a file against the limits of its console, as a picture. The value is that of
// Format::budget:
// {"engine"?, "budgets": [{"name", "used", "of", "unit", "about"}], "map"?: {"title", "width", "height", "unit",
// "grid": {"width", "height"}, "areas": [{"kind", "name", "x", "y", "width", "height"}]}}. Kinds of areas are reserved,
// texels, palette and letters.
#pragma once
#include <string>
#include <vector>

#include "core/value.hpp"

namespace dio::report {

/// An SVG: a bar for each budget, and the map with its grid and areas.
std::string budget_svg(const Value& budget, std::string_view title);

/// Use in thousandths of the limit; 0 if the limit is 0.
u64 share_of(u64 used, u64 of);

/// The exceeded budgets.
std::vector<Value> find_exceeded_budgets(const Value& budget);

}  // namespace dio::report
