// suggest.hpp: a command that was probably meant, for one that failed.
#pragma once
#include <string>
#include <vector>

namespace dio::cli {

/// A command line that was probably meant: whole, of words that exist, found by trying the repairs of this folder one
/// after another. `arguments`: those of a command that failed. Empty: none was found.
std::string suggest_command(const std::vector<std::string>& arguments);
/// A sentence about a word of another list, where no whole command can be made: an edit, a format, a severity.
std::string explain_misplaced_word(const std::vector<std::string>& arguments);

}  // namespace dio::cli
