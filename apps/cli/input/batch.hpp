// batch.hpp: work on the inputs of a request, one after another or several at a time.
#pragma once
#include <functional>

#include "inputs.hpp"

namespace dio::cli {

/// How the files of a batch went.
struct Summary {
  size_t files = 0, skipped = 0;
  size_t negative = 0;  // where the answer is no
  size_t failed = 0;    // that could not be done
  Exit exit = Exit::done;
};

/// Does `one` for every input, -j at a time, and prints the reports in the order of the inputs, with a progress line
/// for long work on a terminal. What is thrown becomes a report as well.
using Job = std::function<Report(const Input&, size_t index)>;
Summary for_each(const Request&, const std::vector<Input>&, const Job& one);
/// The same for the inputs of a request, and says how many failed if there were several.
Exit for_each_input(const Request&, const Job& one);
Exit for_each_input(const Request&, const std::vector<Input>&, const Job& one);
/// The one file that a name means. Nothing if that is a folder, or a pattern that several match; the report says so.
std::optional<Input> one_input(const Request&, const std::string& name, Report&);
/// For verbs that take one file.
Exit for_one_input(const Request&, const Job& one);

/// Where nothing was done, because folders held no file of a known format, the report says so. Exit::unreadable.
void say_if_none(const Request&, const Summary&, Report&);

}  // namespace dio::cli
