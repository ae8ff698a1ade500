// batch.hpp: work on the inputs of a request, one after another or several at a time.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "inputs.hpp"

namespace dio::cli {

class Manifest;

/// How the files of a batch went.
struct Summary {
  size_t files = 0, skipped = 0;
  size_t negative = 0;    // where the answer is no
  size_t failed = 0;      // that could not be done
  size_t unsearched = 0;  // archives from folders, whose files were not looked at
  size_t before = 0;      // that were done before (--manifest): they count as they went then
  ExitCode exit = ExitCode::done;
  std::shared_ptr<Manifest> manifest = {};  // ManifestTime::at_end: to record these files in
  std::vector<std::pair<const Input*, ExitCode>> unrecorded = {};
};

/// When files are recorded in the manifest: a file that is recorded is skipped by later runs, so its results must be
/// written before.
enum class ManifestTime : u8 { after_each_file, at_end };

/// Calls `one` for every input, -j in parallel, and prints the reports in the order of the inputs, with a progress line
/// for long work on a terminal. Exceptions become reports as well.
using Job = std::function<Report(const Input&, size_t index)>;
Summary process_inputs(const Request&, const std::vector<Input>&, const Job& one,
                       ManifestTime = ManifestTime::after_each_file);
/// For ManifestTime::at_end: records all files. Raises the exit code if the manifest cannot be written.
void record_inputs(const Request&, const Summary&, ExitCode&);
/// The same for the inputs of a request, and says how many failed if there were several.
ExitCode for_each_input(const Request&, const Job& one);
ExitCode for_each_input(const Request&, const std::vector<Input>&, const Job& one,
                        const std::function<void(const Summary&)>& at_end = {});
/// The one file that a name stands for. Nothing if that is a folder, or a pattern that matches several: a usage error,
/// which the report has.
std::optional<Input> resolve_single_input(const Request&, const std::string& name, Report&);
/// Files may have line breaks in their names: shown as they are, they would forge lines of output. For reports that
/// were not made by a job.
void escape_line_breaks(Report&, const std::string& name);
/// For verbs that take one file.
ExitCode for_one_input(const Request&, const Job& one);

/// Reports how many files were skipped because their format is unknown, unless the request is quiet.
void report_unknown_formats(const Request&, const Summary&, Report&);

/// Reports that the folders have no file of a known format, if nothing was processed: Exit::unreadable.
void report_no_inputs(const Request&, const Summary&, Report&);

}  // namespace dio::cli
