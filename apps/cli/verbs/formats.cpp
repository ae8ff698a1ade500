// dio formats: what diorama knows, and samples of it.
#include <algorithm>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../output/results.hpp"
#include "../system/filesystem.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"
#include "thumbnail/mime.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// Samples that are found beside others, with those: in a folder each file lies where it is looked for.
std::vector<Sample> collect_companion_samples() {
  std::vector<Sample> out;
  for (const Format* f : formats()) {
    const auto beside = companion_ops_of(*f).beside;
    if (!beside) continue;
    for (const Sample& main : samples_of(*f)) {
      const auto names = beside(main.name);
      const size_t before = out.size();
      for (const Format* other : formats())
        for (const Sample& s : samples_of(*other))
          if (std::find(names.begin(), names.end(), s.name) != names.end()) out.push_back(s);
      if (out.size() > before) out.push_back(main);
    }
  }
  return out;
}

}  // namespace

ExitCode run_formats(const Request& request) {
  Report report;
  if (!request.samples.empty()) {
    // One folder a format: names need to differ only in there.
    u64 n = 0;
    Request quiet = request;
    quiet.quiet = !request.verbose;
    const auto write_samples = [&](std::string_view id, const std::vector<Sample>& samples) {
      const std::string folder = (fs::path(request.samples) / id).string();
      if (auto made = make_folder(folder, request.dry_run); !made) return report_error(report, request, made.error());
      for (const Sample& s : samples) {
        // A second time, the same samples are there already.
        const std::string name = (fs::path(folder) / s.name).string();
        if (const auto there = read_file(name); there && *there == s.bytes) {
          ++n;
          continue;
        }
        if (request.dry_run && !is_folder(folder)) {  // where nothing is, nothing is in the way
          report.err += "would write " + name + " (" + format_count(s.bytes.size(), "byte", "bytes") + ")\n";
          continue;
        }
        const ExitCode before = report.exit;
        report.exit = ExitCode::done;
        write_output(quiet, {}, name, s.bytes, report);
        n += report.exit == ExitCode::done;
        report.raise(before);
      }
    };
    if (auto made = make_folder(request.samples, request.dry_run); !made) {
      report_error(report, request, made.error());
    } else {
      for (const Format* f : formats()) write_samples(f->id, samples_of(*f));
      write_samples("together", collect_companion_samples());
      for (const GameKind* k : game_kinds()) write_samples("games", samples_of(*k));
    }
    if (!request.quiet && !request.dry_run && (n || report.exit == ExitCode::done))
      report.err += format_count(n, "sample", "samples") + " in " + request.samples + "\n";
  } else if (request.mime || request.thumbnailer || request.desktop) {
    if (request.mime + request.thumbnailer + request.desktop + request.json > 1)
      report_usage_error(report, request, "--json, --mime, --thumbnailer and --desktop cannot be combined");
    else
      report.out = request.mime ? mime_info_xml() : request.desktop ? desktop_entry() : thumbnailer_entry();
  } else if (request.json) {
    report.out = json_text(describe_formats([](const Format& f) { return u64(samples_of(f).size()); }));
  } else {
    Table table;
    table.add_row({"format", "files", "platform", "description", "read and write", "checks", "glTF", "samples"});
    for (const Format* f : formats())
      table.add_row({std::string(f->id), std::string(f->extensions), std::string(f->platform), std::string(f->title),
                     "byte-exact", std::to_string(f->rules().size()), f->scenes ? "yes" : "no",
                     std::to_string(samples_of(*f).size())});
    report.out = table.text();
  }
  return finish(report);
}

}  // namespace dio::cli
