// dio render -o x.svg: the plan of a file, drawn from above.

#include "../../command_line/print.hpp"
#include "../../input/batch.hpp"
#include "../../input/open.hpp"
#include "../../output/results.hpp"
#include "../../system/filesystem.hpp"
#include "bridge/svg/plan_page.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/plans.hpp"
#include "formats/registry.hpp"
#include "render.hpp"

namespace dio::cli {
namespace {

/// kmp (Mario Kart Wii course)
std::string formats_with_plans() {
  std::string out;
  for (const Format* f : formats())
    if (f->plans) out += (out.empty() ? "" : ", ") + std::string(f->id) + " (" + std::string(f->title) + ")";
  return out;
}

/// Where everything is on the page: with it, a program puts something on the plan.
Value describe_plan_page(const std::string& name, const svg::Page& page, const scene::Plan& plan) {
  Value v = json_with_schema("diorama.plan/1");
  v.add("file", name);
  v.add("width", page.width);
  v.add("height", page.height);
  v.add("metres_per_unit", plan.metres_per_unit);
  v.add("pixels_per_unit", page.pixels_per_unit);
  Value& origin = v.add("origin", Value::list());
  for (const f64 x : page.origin) origin.push(x);
  v.add("outside", u64(page.outside));
  v.add("unnamed", u64(page.unnamed));
  return v;
}

}  // namespace

ExitCode render_plan(const Request& request, Report wrong) {
  const std::vector<Input> inputs = resolve_request_inputs(request);
  const std::pair<const char*, bool> no_effect[] = {
      {"camera", !request.camera.empty()},       {"samples", !request.samples_across.empty()},
      {"animation", !request.animation.empty()}, {"time", !request.time.empty()},
      {"frame", !request.frame.empty()},         {"strip", !request.strip.empty()},
      {"part", !request.part.empty()},           {"lit", request.lit},
      {"look", !request.look.empty()},           {"zoom", !request.zoom.empty()},
      {"scale", !request.scale.empty()},         {"state", !request.state.empty()},
      {"all-states", request.every_state},       {"lamps", request.lamps},
      {"tick-rate", !request.tick_rate.empty()}};
  for (const auto& [name, is_given] : no_effect)
    if (is_given) {
      report_usage_error(wrong, request, "--" + std::string(name) + " has no effect on a plan (.svg)");
      return finish(wrong);
    }
  if (inputs.size() != 1) {
    report_usage_error(wrong, request, "a plan (.svg) shows only one file");
    return finish(wrong);
  }
  return for_each_input(request, inputs, [&](const Input& input, size_t) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    if (!o->format->plans) {
      report.err +=
          input.name + ": this format (" + std::string(o->format->title) + ") cannot be drawn as a plan\n    " +
          (o->format->archive
               ? "name a file in it; `dio ls " + input.name + "` lists them"
               : "plans show only " + formats_with_plans() + " files; for a picture, use a name ending in .png") +
          "\n";
      report.raise(ExitCode::no);
      return report;
    }
    svg::PageOptions options;
    options.title = fs::path(input.name).filename().string();
    options.kind = o->format->title;
    const std::pair<const char*, const std::string*> told[] = {
        {"size", &request.size}, {"background", &request.background}, {"show", &request.show}};
    for (const auto& [name, value] : told)
      if (!value->empty())
        if (const auto problem = svg::set_option(options, o->format->plans->layers, name, *value)) {
          report_usage_error(report, request, "--" + std::string(name) + " " + *problem);
          return report;
        }
    const auto companions = collect_companions(*o);
    const scene::Plan plan = o->format->plans->plan(*o->document, {.companions = companions, .race = request.race});
    const svg::Page page = svg::page_of(plan, options);
    if (request.json) report.out += json_text(describe_plan_page(input.name, page, plan), true);
    write_output(request, inputs, request.output, as_bytes(page.text), report);
    return report;
  });
}

}  // namespace dio::cli
