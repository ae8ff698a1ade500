// options.hpp: options that one conversion reads and another does not.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "request.hpp"

namespace dio::cli {

/// Whether everything that was said of how something is shown or made is read by what is done. If not, the report names
/// the first that is not, and what reads it. `subject`: the file or game it is about. `read`: names without dashes.
bool are_read(const Request&, const std::string& subject, std::span<const std::string_view> read, Report&);

/// What reads and writes files of the same format: --canonical and --lossy.
std::span<const std::string_view> saving_options();
/// Those of `make`, or of `remake`.
std::vector<std::string_view> making_options(const Format&, bool remakes);

}  // namespace dio::cli
