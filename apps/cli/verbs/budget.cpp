// dio budget: what files take of what their console has.
#include "bridge/report/budget.hpp"

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/games.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "../system/filesystem.hpp"
#include "core/glob.hpp"
#include "formats/contract/format.hpp"
#include "operations/describe_json.hpp"
#include "operations/games.hpp"
#include "verbs.hpp"

namespace dio::cli {
namespace {

/// kmp, nsbmd, splashpack
std::string formats_with_limits() {
  std::vector<std::string> ids;
  for (const Format* f : formats())
    if (f->budget) ids.emplace_back(f->id);
  return join_texts(ids, ", ");
}

std::string budget_rows_text(const Value& budget) {
  Table table(" >> >");
  for (const auto& [none, b] : budget.find("budgets")->members()) {
    const u64 used = b.find("used")->bits(), of = b.find("of")->bits(), share = report::share_of(used, of);
    table.add_row({b.find("name")->text(), format_with_commas(used), "of " + format_with_commas(of),
                   b.find("unit")->text(), std::to_string(share / 10) + " %", share > 1000 ? "over the limit" : ""});
  }
  return table.text("  ");
}

std::string budget_text(const OpenedFile& o, const Value& budget) {
  const Value* engine = budget.find("engine");
  return o.name + ": " + std::string(o.format->title) + (engine ? ", engine " + std::string(engine->text()) : "") +
         "\n" + budget_rows_text(budget);
}

std::string part_title(const Value& part) {
  const Value* name = part.find("name");
  return part.find("part")->text() + (name ? " " + name->text() : "");
}

/// What each part takes the most of, and all that is over its limit.
std::string fullest_budgets_text(const std::vector<Value>& parts) {
  Table table("  >  >>");
  for (const Value& part : parts) {
    const Value* most = nullptr;
    const auto share = [](const Value& b) { return report::share_of(b.find("used")->bits(), b.find("of")->bits()); };
    const auto add_row = [&](const Value& b) {
      const Value* name = part.find("name");
      table.add_row({part.find("part")->text(), name ? name->text() : "", std::to_string(share(b) / 10) + " %",
                     b.find("name")->text(), share(b) > 1000 ? "over the limit" : "",
                     format_with_commas(b.find("used")->bits()), "of " + format_with_commas(b.find("of")->bits())});
    };
    for (const auto& [none, b] : part.find("budgets")->members())
      if (!most || share(b) > share(*most)) most = &b;
    if (most) add_row(*most);
    for (const Value& b : report::find_exceeded_budgets(part))
      if (!(b == *most)) add_row(b);
  }
  return table.text();
}

/// The maps and areas of a game, or some of its parts.
Report report_game_budget(const Request& request, const std::string& name) {
  Report report;
  const auto opened = open_game(request, name, report);
  if (!opened) return report;
  const OpenedGameInput& played = *opened;
  std::vector<Value> parts;
  const bool is_one = !request.part.empty() && !has_wildcard(request.part);
  if (request.part.empty()) {
    parts = collect_budgets(*played.game);
    if (parts.empty()) {
      report.err += played.name + ": no limits are known for the parts of this game\n";
      report.raise(ExitCode::no);
      return report;
    }
  } else if (is_one) {
    auto budget = played.game->budget(request.part);
    if (!budget) {
      report_error(report, request, in_game(budget.error(), played));
      return report;
    }
    parts.push_back(std::move(*budget));
  } else {
    for (const GamePart& part : played.game->graph().parts)
      if (matches_wildcard(request.part, part.id()))
        if (auto budget = played.game->budget(part.id())) parts.push_back(std::move(*budget));
    if (parts.empty()) {
      report.err += played.name + ": no part with limits matches " + request.part + "\n";
      report.raise(ExitCode::no);
      return report;
    }
  }
  for (const Value& part : parts)
    if (!report::find_exceeded_budgets(part).empty()) report.raise(ExitCode::no);
  if (!request.picture.empty()) {
    const std::string svg = report::budget_svg(parts[0], part_title(parts[0]) + ": resource use");
    write_output(request, resolve_input_names({played.name}), request.picture, as_bytes(svg), report);
    if (request.picture == "-") return report;
  }
  if (request.json) {
    report.out = json_text(is_one ? budget_json(*played.kind, std::move(parts[0])) : budgets_json(*played.kind, parts));
  } else if (is_one) {
    report.out = part_title(parts[0]) + "\n" + budget_rows_text(parts[0]);
  } else {
    report.out = fullest_budgets_text(parts);
  }
  return report;
}

ExitCode print_game_budgets(const Request& request) {
  Report all;
  for (const std::string& name : request.inputs) {
    Report one = report_game_budget(request, name);
    all.out += (all.out.empty() || request.json ? "" : "\n") + one.out;
    all.err += one.err;
    all.raise(one.exit);
  }
  return finish(all);
}

}  // namespace

ExitCode run_budget(const Request& request) {
  const std::vector<Input> inputs = resolve_request_inputs(request);
  Report wrong;
  if (!request.picture.empty() && inputs.size() != 1)
    report_usage_error(wrong, request, "--picture takes only one file");
  else if (!request.picture.empty() && request.picture != "-" && file_extension(request.picture) != ".svg")
    report_usage_error(wrong, request, "--picture writes an SVG file; its name must end in .svg");
  else if (!request.part.empty() && !request.maps)
    report_usage_error(wrong, request, "--part can only be used with --maps");
  else if (request.maps && !request.with.empty())
    report_usage_error(wrong, request, "--with cannot be combined with --maps, which uses the textures in the game");
  else if (request.maps && !request.picture.empty() && (request.part.empty() || has_wildcard(request.part)))
    report_usage_error(wrong, request, "--picture draws only one part: choose it with --part");
  if (wrong.exit != ExitCode::done) return finish(wrong);
  if (request.maps) return print_game_budgets(request);
  const std::vector<OpenedFile> others = open_with_files(request, wrong);
  if (wrong.exit != ExitCode::done) return finish(wrong);
  std::vector<Companion> with;
  for (const OpenedFile& other : others) with.push_back({other.name, other.format, other.document.get()});
  return for_each_input(request, inputs, [&](const Input& input, size_t) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    if (!o->format->budget) {
      report.skipped = input.walked || (request.recursive && o->format->archive);
      if (report.skipped) return report;
      report.err += input.name + ": no console limits are known for this format (" + std::string(o->format->title) +
                    "), only for " + formats_with_limits() + "\n";
      report.raise(ExitCode::no);
      return report;
    }
    Value budget = o->format->budget(*o->document, collect_companions(*o, with));
    if (!report::find_exceeded_budgets(budget).empty()) report.raise(ExitCode::no);
    if (!request.picture.empty()) {
      const std::string svg = report::budget_svg(budget, fs::path(o->name).filename().string() + ": resource use");
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
