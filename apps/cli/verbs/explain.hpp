// explain.hpp: what `dio explain` knows, for the verbs that need some of it.
#pragma once
#include "../command_line/request.hpp"

namespace dio::cli {

/// A rule, a format or a field, explained in the report.
void explain_topic(const Request&, const std::string& topic, Report&);

}  // namespace dio::cli
