// dio merge: two edits of one file as one.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/inputs.hpp"
#include "../output/results.hpp"
#include "formats/contract/format.hpp"
#include "operations/merging.hpp"
#include "verbs.hpp"

namespace dio::cli {

ExitCode run_merge(const Request& request) {
  Report report;
  if (!check_single_output(request, report, "the file OURS")) return finish(report);
  const std::vector<Input> inputs = resolve_input_names({request.inputs[0], request.other, request.theirs});
  if (inputs.size() != 3) {
    report_usage_error(report, request, "give three files, not patterns");
    return finish(report);
  }
  std::vector<Bytes> files;
  for (const Input& input : inputs) {
    auto bytes = read_input(request, input, report);
    if (!bytes) return finish(report);
    files.push_back(std::move(*bytes));
  }
  const std::string name = request.called.empty() ? inputs[1].name : request.called;
  const ConflictPreference favor = request.favor == "ours"     ? ConflictPreference::ours
                                   : request.favor == "theirs" ? ConflictPreference::theirs
                                                               : ConflictPreference::none;
  const auto merged = dio::merge(files[0], files[1], files[2], name, request.as, favor);
  if (!merged) {
    report_error(report, request, in_file(merged.error(), name));
    return finish(report);
  }
  const auto& collisions = merged->collisions;
  const bool is_made = collisions.empty() || favor != ConflictPreference::none;
  if (request.json) {
    Value v = json_with_schema("diorama.merge/1");
    v.add("file", name);
    v.add("merged", is_made);
    Value& list = v.add("collisions", Value::list());
    for (const MergeConflict& c : collisions) {
      Value& one = list.push(Value::object());
      one.add("path", c.path);
      one.add("what", c.what);
    }
    (request.output == "-" ? report.err : report.out) = json_text(v);
  } else if (!request.quiet || !is_made) {
    for (const MergeConflict& c : collisions) report.err += name + ": " + c.path + ": " + c.what + "\n";
    if (!is_made)
      report.err += format_count(collisions.size(), "conflict", "conflicts") +
                    "; nothing was written. --favor ours or --favor theirs resolves conflicts\n";
  }
  if (!is_made)
    report.raise(ExitCode::no);
  else if (request.in_place)
    write_in_place(request, inputs[1], merged->bytes, report);
  else
    write_output(request, inputs, request.output, merged->bytes, report);
  return finish(report);
}

}  // namespace dio::cli
