// notes.hpp: what showing, making and remaking a pack say about a part of it.
#pragma once
#include <string>

#include "layout/diagnostic.hpp"

namespace dio::splashpack {

Diagnostic make_note(Severity, std::string_view id, std::string path, std::string expected, std::string found,
                     std::string hint = {});
/// One that ends the work.
Diagnostic make_fault(std::string_view id, std::string path, std::string expected, std::string found,
                      std::string hint = {});

}  // namespace dio::splashpack
