// dio budget: what files take of what their console has.
#include "bridge/report/budget.hpp"

#include <filesystem>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "formats/contract/format.hpp"
#include "verbs.hpp"

namespace dio::cli {
namespace {

std::string budget_text(const Opened& o, const Value& budget) {
  Table table(" >> >");
  for (const auto& [none, b] : budget.find("budgets")->members()) {
    const u64 used = b.find("used")->bits(), of = b.find("of")->bits(), share = report::share_of(used, of);
    table.row({b.find("name")->text(), grouped(used), "of " + grouped(of), b.find("unit")->text(),
               std::to_string(share / 10) + " %", share > 1000 ? "over the limit" : ""});
  }
  const Value* engine = budget.find("engine");
  return o.name + ": " + std::string(o.format->title) + (engine ? ", engine " + std::string(engine->text()) : "") +
         "\n" + table.text("  ");
}

}  // namespace

Exit run_budget(const Request& request) {
  const std::vector<Input> inputs = inputs_of(request);
  Report wrong;
  if (!request.picture.empty() && inputs.size() != 1)
    fail_usage(wrong, request, "--picture takes only one file");
  else if (!request.picture.empty() && request.picture != "-" && extension_in(request.picture) != ".svg")
    fail_usage(wrong, request, "--picture writes an SVG file; its name must end in .svg");
  const std::vector<Opened> others = open_others(request, wrong);
  if (wrong.exit != Exit::done) return finish(wrong);
  std::vector<Companion> with;
  for (const Opened& other : others) with.push_back({other.name, other.format, other.document.get()});
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    if (!o->format->budget) {
      report.skipped = input.walked;
      if (report.skipped) return report;
      report.err +=
          input.name + ": no limits of a console are known for this format (" + std::string(o->format->title) + ")\n";
      report.raise(Exit::no);
      return report;
    }
    Value budget = o->format->budget(*o->document, companions_of(*o, with));
    if (!report::exceeded(budget).empty()) report.raise(Exit::no);
    if (!request.picture.empty()) {
      const std::string svg =
          report::budget_svg(budget, std::filesystem::path(o->name).filename().string() + ": resource use");
      write_output(request, inputs, request.picture, as_bytes(svg), report);
      if (request.picture == "-") return report;
    }
    if (request.json) {
      Value v = described_by("diorama.budget/1");
      v.add("file", o->name);
      v.add("format", o->format_id());
      for (auto& [name, value] : budget.members()) v.add(name, std::move(value));
      report.out = json_text(v, true);
    } else {
      report.out = (index ? "\n" : "") + budget_text(*o, budget);
    }
    return report;
  });
}

}  // namespace dio::cli
