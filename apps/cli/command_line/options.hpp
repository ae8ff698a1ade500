// options.hpp: options that only some conversions use.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "request.hpp"

namespace dio::cli {

/// Whether all given options for showing and making have an effect. If not, the report names the first one that has
/// none, and what it applies to. `subject`: the file or game. `read`: the options with an effect, without dashes.
bool require_effective_options(const Request&, const std::string& subject, std::span<const std::string_view> read,
                               Report&);

/// The options for writing a file in its own format: --canonical and --lossy.
std::span<const std::string_view> saving_option_names();
/// Those of `make`, or of `remake`.
std::vector<std::string_view> making_option_names(const Format&, bool remakes);
/// Those of `make_archive`.
std::vector<std::string_view> archive_option_names(const Format&);
/// An option of a conversion as it is typed, without dashes: what a format calls layout is --target-layout, for
/// --layout is that of the input.
std::string typed_option_name(std::string_view name);

}  // namespace dio::cli
