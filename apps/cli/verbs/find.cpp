// dio find: files inside any other file.
#include <map>
#include <set>

#include "../command_line/print.hpp"
#include "../command_line/progress.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../output/results.hpp"
#include "../system/filesystem.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "operations/find_files.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::vector<FoundFile> scan_for_files(const Request& request, ByteView bytes, const std::string& name, bool only,
                                      Report& report) {
  Progress progress(request, only);
  FindOptions options{.every_byte = request.every_byte};
  size_t unreadable = 0;
  options.progress = [&](u64 at) { progress.show(std::to_string(100 * at / bytes.size()) + "% of " + name); };
  options.unreadable = [&](u64 at, const Format& format, Diagnostic d) {
    ++unreadable;
    if (!request.verbose) return;
    d.place.file.clear();
    report.err += name + ": " + format_hex(at, 8) + ": the data looks like " + std::string(format.title) +
                  ", but cannot be read: " + format_one_line(d) + "\n";
  };
  auto found = find_files(bytes, options);
  if (unreadable && !request.verbose && !request.quiet)
    report.err += name + ": " +
                  format_count(unreadable, "place looks like a file, but cannot be read",
                               "places look like files, but cannot be read") +
                  "; -v lists them\n";
  return found;
}

/// What the files that are found in an input are called, before their offsets; with its extension, where another input
/// is called the same without.
std::vector<std::string> output_stems(const Request& request, const std::vector<Input>& inputs, Report& report) {
  std::map<std::string, size_t> alike;
  for (const Input& i : inputs) ++alike[with_extension(i.inside, "")];
  std::vector<std::string> out;
  std::set<std::string> all;
  for (const Input& i : inputs) {
    const std::string stem = with_extension(i.inside, "");
    out.push_back(alike[stem] > 1 ? i.inside : stem);
    if (!all.insert(out.back()).second) {
      report_usage_error(report, request,
                         "the files found in two of the inputs would have the same names, " +
                             (fs::path(request.output) / out.back()).string() +
                             "-...: search these inputs one at a time");
      break;
    }
  }
  return out;
}

}  // namespace

ExitCode run_find(const Request& request) {
  const std::vector<Input> inputs = resolve_request_inputs(request);
  Report wrong;
  if (!request.output.empty() && !request.output.ends_with('/') && !is_folder(request.output))
    report_usage_error(wrong, request, "-o must name a folder for the found files: -o " + request.output + "/");
  std::vector<std::string> stems;
  if (wrong.exit == ExitCode::done && !request.output.empty()) stems = output_stems(request, inputs, wrong);
  if (wrong.exit != ExitCode::done) return finish(wrong);
  const ExitCode exit = for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    const auto file = open_input_source(request, input, report);
    if (!file) return report;
    const ByteView bytes = *file->whole();
    const std::vector<FoundFile> found = scan_for_files(request, bytes, input.name, inputs.size() == 1, report);
    if (found.empty()) report.raise(ExitCode::no);
    if (request.json) {
      report.out = json_text(found_json(input.name, found, {.every_byte = request.every_byte}));
    } else {
      Table table("> >");
      for (const FoundFile& f : found)
        table.add_row({format_hex(f.offset, 8), std::string(f.format->id), std::to_string(f.size),
                       std::string(f.format->title) + (f.damaged ? ", damaged" : "")});
      report.out =
          (inputs.size() > 1 && !found.empty() ? input.name + "\n" : "") + table.text(inputs.size() > 1 ? "  " : "");
      if (found.empty() && !request.quiet) report.err += input.name + ": nothing found\n";
    }
    if (!request.output.empty()) {
      for (const FoundFile& f : found) {
        if (report.exit > ExitCode::no) break;
        const ByteView part = bytes.subspan(size_t(f.offset), size_t(f.size));
        write_output(
            request, inputs,
            (fs::path(request.output) / (stems[index] + "-" + format_hex(f.offset, 8) + primary_extension(*f.format)))
                .string(),
            part, report);
      }
    }
    return report;
  });
  Report end;
  end.exit = exit;
  if (!request.every_byte && !request.quiet && !request.json)
    end.err = "searched at multiples of " + std::to_string(k_find_alignment) +
              "; --every-byte also finds files at other offsets\n";
  return finish(end);
}

}  // namespace dio::cli
