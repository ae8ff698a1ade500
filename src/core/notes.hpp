// notes.hpp: a diagnostic in one line, of a part of a file.
#pragma once
#include <string>

#include "core/diagnostic.hpp"

namespace dio {

Diagnostic make_note(Severity, std::string_view id, std::string path, std::string expected, std::string found,
                     std::string hint = {});
/// One that ends the work.
Diagnostic make_fault(std::string_view id, std::string path, std::string expected, std::string found,
                      std::string hint = {});

}  // namespace dio
