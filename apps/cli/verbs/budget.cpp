// dio budget: what files take of what their console has.
#include "bridge/report/budget.hpp"

#include <filesystem>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/games.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "core/pattern.hpp"
#include "formats/contract/format.hpp"
#include "operations/described.hpp"
#include "operations/games.hpp"
#include "verbs.hpp"

namespace dio::cli {
namespace {

std::string rows_of(const Value& budget) {
  Table table(" >> >");
  for (const auto& [none, b] : budget.find("budgets")->members()) {
    const u64 used = b.find("used")->bits(), of = b.find("of")->bits(), share = report::share_of(used, of);
    table.row({b.find("name")->text(), grouped(used), "of " + grouped(of), b.find("unit")->text(),
               std::to_string(share / 10) + " %", share > 1000 ? "over the limit" : ""});
  }
  return table.text("  ");
}

std::string budget_text(const Opened& o, const Value& budget) {
  const Value* engine = budget.find("engine");
  return o.name + ": " + std::string(o.format->title) + (engine ? ", engine " + std::string(engine->text()) : "") +
         "\n" + rows_of(budget);
}

std::string title_of(const Value& part) {
  const Value* name = part.find("name");
  return part.find("part")->text() + (name ? " " + name->text() : "");
}

/// What each part takes the most of, and all that is over its limit.
std::string fullest_text(const std::vector<Value>& parts) {
  Table table("  >  >>");
  for (const Value& part : parts) {
    const Value* most = nullptr;
    const auto share = [](const Value& b) { return report::share_of(b.find("used")->bits(), b.find("of")->bits()); };
    const auto row = [&](const Value& b) {
      const Value* name = part.find("name");
      table.row({part.find("part")->text(), name ? name->text() : "", std::to_string(share(b) / 10) + " %",
                 b.find("name")->text(), share(b) > 1000 ? "over the limit" : "", grouped(b.find("used")->bits()),
                 "of " + grouped(b.find("of")->bits())});
    };
    for (const auto& [none, b] : part.find("budgets")->members())
      if (!most || share(b) > share(*most)) most = &b;
    if (most) row(*most);
    for (const Value& b : report::exceeded(part))
      if (!(b == *most)) row(b);
  }
  return table.text();
}

/// The maps and areas of a game, or some of its parts.
Report budget_of_game(const Request& request, const std::string& name) {
  Report report;
  const auto opened = open_game(request, name, report);
  if (!opened) return report;
  const Played& played = *opened;
  std::vector<Value> parts;
  const bool is_one = !request.part.empty() && !has_wildcard(request.part);
  if (request.part.empty()) {
    parts = budgets_of(*played.game);
    if (parts.empty()) {
      report.err += played.name + ": no limits are known for the parts of this game\n";
      report.raise(Exit::no);
      return report;
    }
  } else if (is_one) {
    auto budget = played.game->budget(request.part);
    if (!budget) {
      fail(report, request, in_game(budget.error(), played));
      return report;
    }
    parts.push_back(std::move(*budget));
  } else {
    for (const GamePart& part : played.game->graph().parts)
      if (matches(request.part, part.id()))
        if (auto budget = played.game->budget(part.id())) parts.push_back(std::move(*budget));
    if (parts.empty()) {
      report.err += played.name + ": no part with limits matches " + request.part + "\n";
      report.raise(Exit::no);
      return report;
    }
  }
  for (const Value& part : parts)
    if (!report::exceeded(part).empty()) report.raise(Exit::no);
  if (!request.picture.empty()) {
    const std::string svg = report::budget_svg(parts[0], title_of(parts[0]) + ": resource use");
    write_output(request, inputs_named({played.name}), request.picture, as_bytes(svg), report);
    if (request.picture == "-") return report;
  }
  if (request.json) {
    report.out = json_text(is_one ? budget_json(*played.kind, std::move(parts[0])) : budgets_json(*played.kind, parts));
  } else if (is_one) {
    report.out = title_of(parts[0]) + "\n" + rows_of(parts[0]);
  } else {
    report.out = fullest_text(parts);
  }
  return report;
}

Exit budget_of_games(const Request& request) {
  Report all;
  for (const std::string& name : request.inputs) {
    Report one = budget_of_game(request, name);
    all.out += (all.out.empty() || request.json ? "" : "\n") + one.out;
    all.err += one.err;
    all.raise(one.exit);
  }
  return finish(all);
}

}  // namespace

Exit run_budget(const Request& request) {
  const std::vector<Input> inputs = inputs_of(request);
  Report wrong;
  if (!request.picture.empty() && inputs.size() != 1)
    fail_usage(wrong, request, "--picture takes only one file");
  else if (!request.picture.empty() && request.picture != "-" && extension_in(request.picture) != ".svg")
    fail_usage(wrong, request, "--picture writes an SVG file; its name must end in .svg");
  else if (!request.part.empty() && !request.maps)
    fail_usage(wrong, request, "--part can only be used with --maps");
  else if (request.maps && !request.with.empty())
    fail_usage(wrong, request, "--with cannot be combined with --maps: a game has all its textures");
  else if (request.maps && !request.picture.empty() && (request.part.empty() || has_wildcard(request.part)))
    fail_usage(wrong, request, "--picture draws one part: name it by --part");
  if (wrong.exit != Exit::done) return finish(wrong);
  if (request.maps) return budget_of_games(request);
  const std::vector<Opened> others = open_others(request, wrong);
  if (wrong.exit != Exit::done) return finish(wrong);
  std::vector<Companion> with;
  for (const Opened& other : others) with.push_back({other.name, other.format, other.document.get()});
  return for_each_input(request, inputs, [&](const Input& input, size_t) {
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
      report.out = json_text(budget_json(*o, std::move(budget)), true);
    } else {
      report.is_block = true;
      report.out = budget_text(*o, budget);
    }
    return report;
  });
}

}  // namespace dio::cli
