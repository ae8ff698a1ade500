// cue_sheet.hpp: the text file that describes the tracks of an image (.cue).
#pragma once
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace dio {

/// The file of the first data track, as named in the sheet: an image that starts with sector 0. Id: archive.cue (no
/// data track, an unsupported mode, or not the first track in its file).
Result<std::string> find_cue_data_file(std::string_view sheet);

}  // namespace dio
