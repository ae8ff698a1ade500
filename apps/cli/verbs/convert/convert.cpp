// dio convert: files to glTF and JSON, JSON and scenes to files, files in a new layout.
#include "convert.hpp"

#include "../../command_line/options.hpp"
#include "../../command_line/print.hpp"
#include "../../files/archives.hpp"
#include "../../input/batch.hpp"
#include "../../input/encode.hpp"
#include "../../input/main_member.hpp"
#include "../../input/open.hpp"
#include "../../input/scenes.hpp"
#include "../../output/results.hpp"
#include "../verbs.hpp"
#include "core/json.hpp"
#include "core/text_format.hpp"

namespace dio::cli {

bool Conversion::check_options(std::vector<std::string_view> options, bool is_saved) const {
  if (is_saved || from_json) options.insert(options.end(), saving_option_names().begin(), saving_option_names().end());
  return input.walked || require_effective_options(request, input.name, options, report);
}

std::nullopt_t Conversion::report_failure(const Diagnostic& d, ByteView file) const {
  report_error(report, request, in_file(d, input.name), file);
  return std::nullopt;
}

std::nullopt_t Conversion::report_usage_problem(const std::string& problem) const {
  report.err += input.name + ": " + problem + "\n";
  report.raise(ExitCode::usage);
  return std::nullopt;
}

std::optional<ConversionResult> convert_to_json(const Conversion& c, const OpenedFile& opened) {
  if (!c.check_options({})) return {};
  const std::string text = json::write(dio::decode_to_dom(opened)) + '\n';
  return ConversionResult(Bytes(text.begin(), text.end()));
}

namespace {

bool is_json(const Input& input, const Bytes& bytes) {
  return file_extension(input.name) == ".json" || (input.is_stdin && !bytes.empty() && bytes.front() == '{');
}

/// The way that leads from what the input is to what is wanted. Nothing if there is none; the report says why.
std::optional<ConversionResult> convert(Conversion c) {
  auto bytes = read_input(c.request, c.input, c.report);
  if (!bytes) return {};
  if (is_scene(c.input, *bytes)) return build_from_scene(c, *bytes);
  ReadAs as = c.request.as;
  // JSON becomes the file it describes, and that what was asked for.
  if (is_json(c.input, *bytes)) {
    auto encoded = encode_input(c.request, c.input, *bytes, c.report);
    if (!encoded) return {};
    bytes = std::move(encoded->bytes);
    as = {encoded->format};
    c.from_json = true;
    if (c.target.is_file() && (!c.target.format || c.target.format == as.format))
      return c.check_options({}) ? std::optional<ConversionResult>(std::move(*bytes)) : std::nullopt;
  }
  auto opened = dio::open(std::move(*bytes), c.input.name, as, c.request.strict);
  if (!opened) {
    c.report.skipped = c.input.walked && opened.error().id == "detect.unknown";
    if (c.report.skipped) return {};
    Diagnostic d = with_format_hint(opened.error(), c.input.name, *bytes);
    if (!c.request.layout.empty() && c.target.is_file() && d.hint.empty())
      d.hint = "--layout sets the layout of the input, --target-layout the layout of the output";
    return c.report_failure(d, *bytes);
  }
  if (c.target.is_file()) return convert_to_same_format(c, *opened);
  open_sibling_companions(c.request, c.input, *opened, &c.report);
  return c.target.name == "json" ? convert_to_json(c, *opened) : convert_to_gltf(c, *opened);
}

/// Writes the result and prints its notes.
void write(const Conversion& c, const std::vector<Input>& all, const ConversionResult& made, const std::string& name) {
  if (c.request.in_place) {
    if (made.files.size() == 1) return write_in_place(c.request, c.input, made.files.front().bytes, c.report);
    return report_usage_error(c.report, c.request,
                              "the result consists of several files, so -i cannot be used; use -o OUT");
  }
  write_outputs(c.request, all, name, made.files, c.report);
  if (!c.target.format || c.report.exit != ExitCode::done) return;
  if (made.is_made)
    report_over_budget(c.request, *c.target.format, made.files, name, c.report);
  else
    report_uncopied_companions(c.request, c.input, *c.target.format, name, c.report);
}

/// For an archive of files that belong together, the one that is meant: the course of a course archive.
void name_main_member(const Request& request, Input& input, Report& report) {
  if (input.problem || input.is_stdin || input.archive || !looks_like_archive(input.name)) return;
  std::vector<std::string> candidates;
  if (auto main = find_main_member(input, candidates)) {
    if (!request.quiet) report.err = input.name + ": converting " + main->member + "\n";
    input = std::move(*main);
  } else if (candidates.size() > 1) {
    report_usage_error(report, request,
                       input.name + " contains several files with scenes: " + join_first_few(candidates) +
                           "; name one (" + input.name + "/" + candidates.front() +
                           "), or convert all of them with -r -o FOLDER/");
  }
}

}  // namespace

ExitCode run_convert(const Request& request) {
  if (!request.onto.empty()) return run_convert_onto(request);
  std::vector<Input> inputs = resolve_request_inputs(request);
  Report main_file;
  const bool makes_scene = request.to != "json" && file_extension(request.output) != ".json";
  if (inputs.size() == 1 && !request.recursive && makes_scene) name_main_member(request, inputs[0], main_file);
  if (main_file.exit != ExitCode::done) return finish(main_file);
  print_report(main_file);
  const std::vector<Input> all = inputs;
  Report wrong;
  std::optional<Target> target;
  std::optional<Companions> companions = Companions();
  std::optional<Outputs> outputs;
  if (check_single_output(request, wrong, "the file itself", false)) target = parse_target(request, wrong);
  if (target && (target->name == "glb" || target->name == "gltf"))
    companions = Companions::extract_from(request, inputs, wrong);
  if (target && companions && !request.in_place) outputs = resolve_outputs(request, inputs, target->extension(), wrong);
  if (request.in_place && target && !target->is_file())
    report_usage_error(wrong, request, "-i cannot change the type of a file; use -o OUT");
  if (wrong.exit != ExitCode::done) return finish(wrong);
  Pictures pictures;
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    const Conversion c{request, input, *target, *companions, pictures, report};
    if (const auto made = convert(c)) write(c, all, *made, outputs ? outputs->name(index, target->extension()) : "");
    return report;
  });
}

}  // namespace dio::cli
