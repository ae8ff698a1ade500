// work.hpp: from the arguments to opened files, one after another or several at a time, and from results to outputs.
#pragma once
#include <functional>
#include <optional>

#include "files.hpp"
#include "operations/operations.hpp"
#include "print.hpp"

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
/// For verbs that take one file: a folder, or a pattern that several match, is a slip.
Exit for_one_input(const Request&, const Job& one);

/// Where nothing was done, because folders held no file of a known format, the report says so. Exit::unreadable.
void say_if_none(const Request&, const Summary&, Report&);

/// Reads and opens an input. If there is nothing, the report says why.
std::optional<Opened> open_input(const Request&, const Input&, Report&);

/// Opens what belongs to an opened input and lies beside it, on disk or in its archive. What cannot be read is left
/// out; the report, if there is one, says so.
void open_neighbours(const Request&, const Input&, Opened&, Report*);

/// The same diagnostic; where a file is of no known format, its hint says what it may be instead.
Diagnostic with_guess(Diagnostic, const std::string& name, ByteView file);

/// A file traced as far as it goes: a damaged one too. The report says why it stopped, if it did.
struct TracedFile {
  std::string name;
  Bytes bytes;
  const Format* format = nullptr;
  LoadOptions options;
  std::string format_id() const { return ReadAs{format, options}.id(); }
  Traced traced;
};
std::optional<TracedFile> trace_input(const Request&, const Input&, Report&);

/// Where a path leads to. If it leads nowhere the report says how far it goes, and what there is instead.
std::optional<Spot> find_path(const Request&, const Spans&, const std::string& file, const std::string& path, Report&);

/// `.kmp`
std::string extension_of(const Format&);
/// Whether files of a format are called so: `.kmp`.
bool has_extension(const Format&, std::string_view extension);

/// How many nodes, triangles, cameras and animations there are.
std::string scene_summary(const scene::Scene&);

/// Where the results of the inputs go: `-o FILE` for one input; `-o FOLDER` (a folder, or a name with a slash at its
/// end) with the inputs' own names and another extension, or, where only their extensions tell inputs apart, one more.
struct Outputs {
  bool is_folder = false;
  std::vector<std::string> names;
  std::string name(size_t input, std::string_view extension) const {
    return is_folder ? with_extension(names[input], extension) : names[input];
  }
};
/// Nothing if that cannot be; the report says why. `extension`: of the results, empty where each has one of its own.
std::optional<Outputs> outputs_of(const Request&, const std::vector<Input>&, std::string_view extension, Report&);
inline ByteView as_bytes(std::string_view text) { return {reinterpret_cast<const u8*>(text.data()), text.size()}; }
/// Writes an output, or puts it on standard output ("-"). Refuses to touch an input.
void write_output(const Request&, const std::vector<Input>& inputs, const std::string& name, ByteView, Report&);
/// Writes files that belong together: the first under that name, the others beside it, with their own extensions. If
/// one of them cannot be written, none is.
void write_outputs(const Request&, const std::vector<Input>& inputs, const std::string& name,
                   const std::vector<MadeFile>&, Report&);
/// Where a file is written under another name than its own: which files belong to it and stay behind.
void say_what_stays(const Request&, const Input&, const Format&, const std::string& output, Report&);
/// Writes over the input itself (-i), with a backup if there shall be one.
void write_in_place(const Request&, const Input&, ByteView, Report&);

}  // namespace dio::cli
