// explain.hpp: what `dio explain` knows, for the verbs that need some of it.
#pragma once
#include "../command_line/request.hpp"
#include "bridge/report/schema.hpp"

namespace dio::cli {

/// A rule, a format or a field, explained in the report.
void explain_topic(const Request&, const std::string& topic, Report&);

/// All samples of a format laid over each other.
report::Shape shape_of(const Format&);

}  // namespace dio::cli
