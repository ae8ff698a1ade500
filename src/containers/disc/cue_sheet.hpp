// cue_sheet.hpp: the text beside an image that tells its tracks (.cue).
#pragma once
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace dio {

/// The file with the first data track, as the sheet names it: an image that begins with its sector 0. Id: archive.cue
/// (no data track, one of another kind, or behind something else in its file).
Result<std::string> cue_data_file(std::string_view sheet);

}  // namespace dio
