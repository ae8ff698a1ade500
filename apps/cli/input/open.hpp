// open.hpp: inputs as documents and as traces, and paths of values in them.
#pragma once
#include "inputs.hpp"
#include "operations/operations.hpp"

namespace dio::cli {

/// Reads and opens an input. If there is nothing, the report says why.
std::optional<OpenedFile> open_input(const Request&, const Input&, Report&);

/// Opens what belongs to an opened input and lies beside it, on disk or in its archive. What cannot be read is left
/// out; the report, if there is one, says so.
void open_sibling_companions(const Request&, const Input&, OpenedFile&, Report*);

/// Where a verb works on an archive as one file: a note that the files in it were not looked at. Archives that were
/// found in a folder are only marked (Report::unsearched); the batch counts them.
void note_files_inside(const Request&, const Input&, const Format&, const ByteSource& file, Report&);

/// The files of `--with FILE` or `--with FILE:FORMAT`; --as is for the main one.
std::vector<OpenedFile> open_with_files(const Request&, Report&);

/// The same diagnostic; if a file has no known format, or not the one of its name, the hint says what it may be.
Diagnostic with_format_hint(Diagnostic, const std::string& name, ByteView file);

/// A file traced as far as it goes: a damaged one too. The report says why it stopped, if it did.
struct TracedFile {
  std::string name;
  std::shared_ptr<const ByteSource> file;  // as in Opened
  ByteView bytes;
  const Format* format = nullptr;
  LoadOptions options;
  TraceResult traced;
  /// splashpack; splashpack-d if somebody has said its layout.
  std::string format_id() const { return ReadAs{format, options}.id(); }
};
std::optional<TracedFile> trace_input(const Request&, const Input&, Report&);

/// Where a path leads to. If it leads nowhere the report says how far it goes, and what there is instead.
std::optional<SpanRef> resolve_path(const Request&, const TracedFile&, const std::string& path, Report&);

}  // namespace dio::cli
