// dio check: what is wrong with files.
#include <algorithm>
#include <map>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/companions.hpp"
#include "../input/games.hpp"
#include "../output/results.hpp"
#include "bridge/report/findings.hpp"
#include "explain.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::vector<Rule> rules_of_formats() {
  std::vector<Rule> out;
  for (const Format* f : formats())
    for (const Rule& r : f->rules()) out.push_back(r);
  for (const GameKind* k : game_kinds()) out.insert(out.end(), k->rules().begin(), k->rules().end());
  return out;
}

/// A rule that --rule names but nobody knows would never find anything.
bool known_rules(const Request& request, Report& report) {
  std::vector<std::string> ids;
  for (const Rule& r : rules_of_formats()) ids.emplace_back(r.id);
  for (const Rule& r : library_rules()) ids.emplace_back(r.id);
  for (const std::string& wanted : request.rules) {
    if (std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return id.starts_with(wanted); })) continue;
    const std::string like = nearest(wanted, ids);
    fail_usage(report, request,
               "--rule " + wanted + ": no rule begins so" +
                   (like.empty() ? "; `dio explain` lists them" : "; did you mean " + like + "?"));
    return false;
  }
  return true;
}

/// The findings of a file. Of many of one rule the first few stand for all; with -v each rule says once why it matters.
std::string text_of(const Request& request, const Diagnostics& findings, ByteView file, const std::string& name) {
  constexpr size_t k_many = 4, k_shown = 3;
  const bool color = request.output.empty() && colors_of(request).out;
  std::map<std::string_view, size_t> total, seen;
  for (const Diagnostic& d : findings) ++total[d.id];
  Diagnostics shown;
  std::vector<std::string> folded;
  for (const Diagnostic& d : findings) {
    const size_t n = ++seen[d.id], all = total[d.id];
    if (request.all || !request.rules.empty() || all <= k_many || n <= k_shown) {
      shown.push_back(d);
      const Rule* rule = n == 1 && request.verbose ? find_rule(d.id) : nullptr;
      if (rule && !rule->why.empty()) shown.back().hint += (d.hint.empty() ? "" : "; ") + std::string(rule->why);
    } else if (n == all) {
      folded.push_back(grouped(all - k_shown) + " more [" + d.id + "]");
    }
  }
  // The bytes are those of the file itself, not of what lies beside it.
  const auto beside =
      std::stable_partition(shown.begin(), shown.end(), [&](const Diagnostic& d) { return d.place.file == name; });
  std::string out = report::findings_text({shown.begin(), beside}, file, color) +
                    report::findings_text({beside, shown.end()}, {}, color);
  if (!folded.empty()) out += "\n... " + joined(folded, ", ") + ": --all shows them\n";
  return out;
}

/// Those of the rules that --rule names.
void keep_wanted(const Request& request, Diagnostics& findings) {
  if (request.rules.empty()) return;
  std::erase_if(findings, [&](const Diagnostic& d) {
    return std::none_of(request.rules.begin(), request.rules.end(),
                        [&](const std::string& r) { return d.id.starts_with(r); });
  });
}

/// One file: its findings, or why it could not be read.
struct Checked {
  Bytes bytes;
  Diagnostics findings;
};
Checked check_file(const Request& request, const Input& input, const Companions& companions, Report& report) {
  Checked out;
  const auto stop = [&](Diagnostic d) {
    report.skipped = input.walked && d.id == "detect.unknown";
    if (report.skipped) return;
    report.raise(exit_of(d));
    out.findings = {std::move(d)};
  };
  auto bytes = read_input(input);
  if (!bytes) {
    stop(bytes.error());
    return out;
  }
  out.bytes = std::move(*bytes);
  auto opened = dio::open(std::move(out.bytes), input.name, request.as, request.strict);
  if (!opened) {
    stop(with_guess(opened.error(), input.name, out.bytes));
    return out;
  }
  open_neighbours(request, input, *opened, nullptr);
  out.findings = dio::check(*opened, request.known);
  Diagnostics others = unfit(*opened, companions.meant_for(*opened));
  out.findings.insert(out.findings.end(), std::make_move_iterator(others.begin()),
                      std::make_move_iterator(others.end()));
  keep_wanted(request, out.findings);
  out.bytes = std::move(opened->bytes);
  return out;
}

/// Whether a finding makes the exit code 1.
bool counts(const Request& request, const Diagnostic& d) {
  return request.fail_on != "never" && d.severity >= (request.fail_on == "hint"      ? Severity::hint
                                                      : request.fail_on == "warning" ? Severity::warning
                                                                                     : Severity::error);
}

/// How findings are asked for: text, json or sarif.
std::string form_of(const Request& request) { return request.json ? "json" : request.format; }

/// Findings for programs. `counted`: what they are of, and how many.
std::string text_in_form(const std::string& form, const Diagnostics& all, const char* counted, u64 n) {
  if (form == "sarif") return json_text(report::findings_sarif(all, rules_of_formats(), DIORAMA_VERSION));
  Value v = report::findings_json(all);
  v.add(counted, n);
  return json_text(v);
}

Exit check_all(const Request& request) {
  const std::string form = form_of(request);
  const std::vector<Input> inputs = inputs_of(request);
  std::vector<Input> shown = inputs;
  Report of_companions;  // what is wrong with one is said where it is checked itself
  const Companions companions = Companions::take_from(request, shown, of_companions).value_or(Companions());
  std::vector<Diagnostics> found(inputs.size());
  std::vector<std::string> texts(inputs.size());  // only for an output file
  const Summary summary = for_each(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    Checked checked = check_file(request, input, companions, report);
    if (std::any_of(checked.findings.begin(), checked.findings.end(),
                    [&](const Diagnostic& d) { return counts(request, d); }))
      report.raise(Exit::no);
    if (form == "text" && !report.skipped && (!request.quiet || !checked.findings.empty()))
      (request.output.empty() ? report.out : texts[index]) =
          text_of(request, checked.findings, checked.bytes, input.name) +
          (report.exit == Exit::system ? "" : input.name + ": " + report::findings_summary(checked.findings) + "\n");
    found[index] = std::move(checked.findings);
    return report;
  });

  Report end;
  end.exit = summary.exit;
  const size_t without =
      size_t(std::count_if(found.begin(), found.end(), [](const Diagnostics& d) { return d.empty(); })) -
      summary.skipped;
  Diagnostics all;
  for (Diagnostics& d : found) std::move(d.begin(), d.end(), std::back_inserter(all));
  std::string out = joined(texts, "");
  if (form != "text")
    out = text_in_form(form, all, "files", summary.files);
  else if (inputs.size() > 1)
    out += "\n" + counted(summary.files, "file", "files") + ", " + grouped(without) +
           " without findings: " + report::findings_summary(all) + "\n";
  write_output(request, inputs, request.output, as_bytes(out), end);
  say_if_none(request, summary, end);
  return finish(end);
}

/// --maps: what needs more than one file of a game to be seen.
Exit check_games(const Request& request) {
  const std::string form = form_of(request);
  Report report;
  Diagnostics all;
  std::string out;
  for (const std::string& name : request.inputs) {
    const auto played = open_game(request, name, report);
    if (!played) continue;
    Diagnostics found = played->game->check(request.known);
    keep_wanted(request, found);
    for (Diagnostic& d : found) {
      if (counts(request, d)) report.raise(Exit::no);
      if (request.inputs.size() > 1) d.place.file = name + '/' + d.place.file;
    }
    if (form == "text" && (!request.quiet || !found.empty()))
      out += text_of(request, found, {}, name) + name + ": " + report::findings_summary(found) + "\n";
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }
  if (form != "text") out = text_in_form(form, all, "games", request.inputs.size());
  write_output(request, {}, request.output, as_bytes(out), report);
  return finish(report);
}

/// --fix: repairs what has one safe repair, writes a new file and says what remains.
Report fix_file(const Request& request, const Input& input) {
  Report report;
  auto opened = open_input(request, input, report);
  if (!opened) return report;
  if (!opened->format->repair) {
    report.err += input.name + ": --fix does not support " + std::string(opened->format->title) + " yet\n";
    report.raise(Exit::usage);
    return report;
  }
  const std::vector<Repair> done = opened->format->repair(*opened->document);
  std::string out;
  for (const Repair& r : done) out += "repaired " + r.path + ": " + r.about + " [" + r.id + "]\n";
  auto saved = done.empty() ? Result<Bytes>(opened->bytes) : opened->document->save({});
  if (!saved) {
    fail(report, request, in_file(saved.error(), input.name));
    return report;
  }
  // What remains, with what lies beside the file.
  auto now = dio::open(*saved, input.name, {opened->format, opened->options});
  if (!now) {
    fail(report, request, now.error(), *saved);
    return report;
  }
  // A copy all the same: whoever asked for the file finds it.
  if (done.empty()) out += input.name + ": nothing to repair, the new file is a copy\n";
  write_output(request, {input}, request.output, *saved, report);
  say_what_stays(request, input, *opened->format, request.output, report);
  if (report.exit != Exit::done) return report;
  open_neighbours(request, input, *now, nullptr);
  Diagnostics left = dio::check(*now, request.known);
  keep_wanted(request, left);
  if (std::any_of(left.begin(), left.end(), [&](const Diagnostic& d) { return counts(request, d); }))
    report.raise(Exit::no);
  Request shown = request;
  shown.output.clear();
  out += text_of(shown, left, *saved, input.name) + "what remains: " + report::findings_summary(left) + "\n";
  // A file on standard output stands alone there.
  (request.output == "-" ? report.err : report.out) += out;
  return report;
}

}  // namespace

Exit run_check(const Request& request) {
  if (request.fix) {
    Report wrong;
    if (request.output.empty())
      fail_usage(wrong, request, "say where the repaired file goes: -o NEW");
    else if (request.maps || request.json || request.format != "text" || !request.topic.empty())
      fail_usage(wrong, request, "--fix does nothing else: without --maps, --json, --format and --explain");
    else if (request.inputs.empty())
      fail_usage(wrong, request, "FILE is missing");
    else if (known_rules(request, wrong))
      return for_one_input(request, [&](const Input& input, size_t) { return fix_file(request, input); });
    return finish(wrong);
  }
  Report report;
  if (!request.topic.empty())
    explain_topic(request, request.topic, report);
  else if (request.inputs.empty())
    fail_usage(report, request, "FILE is missing");
  else if (known_rules(request, report))
    return request.maps ? check_games(request) : check_all(request);
  return finish(report);
}

}  // namespace dio::cli
