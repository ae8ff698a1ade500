// dio check: what is wrong with files.
#include <algorithm>
#include <map>

#include "../explain.hpp"
#include "../text.hpp"
#include "../verbs.hpp"
#include "../work.hpp"
#include "bridge/report/findings.hpp"

namespace dio::cli {

namespace {

std::vector<Rule> rules_of_formats() {
  std::vector<Rule> out;
  for (const Format* f : formats())
    for (const Rule& r : f->rules()) out.push_back(r);
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
std::string text_of(const Request& request, const Diagnostics& findings, ByteView file) {
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
  std::string out = report::findings_text(shown, file, color);
  if (!folded.empty()) out += "\n... " + joined(folded, ", ") + ": --all shows them\n";
  return out;
}

}  // namespace

Exit run_check(const Request& request) {
  Report head;
  if (!request.topic.empty()) {
    explain_topic(request, request.topic, head);
  } else if (request.inputs.empty()) {
    fail_usage(head, request, "FILE is missing");
  } else if (!known_rules(request, head)) {
  } else {
    const std::string form = request.json ? "json" : request.format;
    constexpr std::string_view k_levels[] = {"hint", "warning", "error"};
    const auto level = std::find(std::begin(k_levels), std::end(k_levels), request.fail_on);
    const auto counts = [&](const Diagnostic& d) {  // d makes the exit code 1
      return level != std::end(k_levels) && d.severity >= Severity(level - std::begin(k_levels));
    };

    const std::vector<Input> inputs = expand(request.inputs, request.recursive);
    std::vector<Diagnostics> found(inputs.size());
    std::string text;
    std::vector<std::string> texts(inputs.size());
    const Summary summary = for_each(request, inputs, [&](const Input& input, size_t index) {
      Report report;
      const auto stop = [&](Diagnostic d) {
        if (input.walked && d.id == "detect.unknown") {
          report.skipped = true;
          return;
        }
        report.exit = exit_of(d);
        found[index] = {std::move(d)};
      };
      auto bytes = read_input(input);
      ByteView view;
      std::optional<Opened> opened;
      if (!bytes) {
        stop(bytes.error());
      } else {
        view = *bytes;
        if (auto o = dio::open(*bytes, input.name, request.as, request.strict))
          opened = std::move(*o);
        else
          stop(with_guess(o.error(), input.name, *bytes));
      }
      if (report.skipped) return report;
      Diagnostics& mine = found[index];
      if (opened) {
        mine = dio::check(*opened);
        if (!request.rules.empty())
          std::erase_if(mine, [&](const Diagnostic& d) {
            return std::none_of(request.rules.begin(), request.rules.end(),
                                [&](const std::string& r) { return d.id.starts_with(r); });
          });
        if (std::any_of(mine.begin(), mine.end(), counts)) report.raise(Exit::no);
      }
      if (form != "text") return report;
      std::string& out = texts[index];
      out = text_of(request, mine, view);
      if (!request.quiet || !mine.empty()) out += input.name + ": " + report::findings_summary(mine) + "\n";
      if (request.output.empty()) std::swap(report.out, out);
      return report;
    });

    head.exit = summary.exit;
    Diagnostics all;
    for (Diagnostics& d : found) std::move(d.begin(), d.end(), std::back_inserter(all));
    std::string out = joined(texts, "");
    if (form == "text" && inputs.size() > 1) {
      const size_t clean =
          size_t(std::count_if(found.begin(), found.end(), [](const Diagnostics& d) { return d.empty(); })) -
          summary.skipped;
      out += "\n" + counted(summary.files, "file", "files") + ", " + grouped(clean) +
             " without findings: " + report::findings_summary(all) + "\n";
    }
    if (form == "json") {
      Value v = report::findings_json(all);
      v.add("files", u64(summary.files));
      out = json_text(v);
    }
    if (form == "sarif") out = json_text(report::findings_sarif(all, rules_of_formats(), DIORAMA_VERSION));
    if (summary.files == 0 && summary.exit == Exit::done) {
      head.err += "there is no file of a known format" +
                  std::string(request.recursive ? "" : "; -r looks into folders as well") + "\n";
      head.raise(Exit::unreadable);
    }
    if (request.output.empty())
      head.out += out;
    else
      write_output(request, inputs, request.output, ByteView(reinterpret_cast<const u8*>(out.data()), out.size()),
                   head);
  }
  if (!print(head)) head.raise(Exit::system);
  return head.exit;
}

}  // namespace dio::cli
