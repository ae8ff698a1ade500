// mime.hpp: what a desktop has to know to show thumbnails of files: their types, and how dio is called.
#pragma once
#include <string>

namespace dio::cli {

/// Types of all formats that can be shown and that a desktop can tell from others, by their extension or by their first
/// bytes (shared-mime-info, XML). Which bytes these are is asked of the formats themselves: those of their samples
/// without which the format is not recognised.
std::string mime_info_xml();

/// The entry for these types in share/thumbnailers.
std::string thumbnailer_entry();
/// An entry by which desktops offer `dio view` for these files, and the viewer among their programs.
std::string desktop_entry();

}  // namespace dio::cli
