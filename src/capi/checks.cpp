// checks.cpp: what is wrong with files, of diorama.h: findings, what repairs them, whether files come back.
#include <algorithm>

#include "bridge/report/selection.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "core/pattern.hpp"
#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "operations/described.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

/// What of findings is wanted: the options of dio_report.
struct Wanted {
  std::vector<std::string> rules;
  report::Selection selection;
};
Result<Wanted> wanted_of(const char* const* options, size_t count) {
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return refuse(told.error());
  Wanted out;
  for (const Argument& a : *told) {
    if (a.name == "rule") {
      out.rules.push_back(a.value);
    } else if (a.name == "ignore") {
      out.selection.ignored.push_back(a.value);
    } else if (a.name == "baseline") {
      const auto json = json::read(a.value);
      if (!json) return refuse(json.error());
      auto baseline = report::Baseline::from(*json);
      if (!baseline) return refuse(std::move(baseline.error()));
      out.selection.baseline = std::move(*baseline);
    } else {
      return refuse(
          wrong_argument({.message = in_quotes(a.name) + " is no option; they are rule, ignore and baseline"}));
    }
  }
  return out;
}

}  // namespace

extern "C" {

dio_buffer* dio_check(const dio_file* file) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  if (file->parts) return buffer_of(not_opened(*file), file);
  Diagnostics found;
  if (file->opened) {
    found = check(*file->opened, file->known);
    Diagnostics others = unfit(*file->opened, companions_of(*file->opened));
    found.insert(found.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  } else {
    found.push_back(not_opened(*file));
  }
  return findings_buffer(std::move(found));
}

dio_buffer* dio_simulate(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    if (!o.format->simulate) return buffer_of(without("simulations", o));
    return findings_buffer(simulate(o));
  });
}

dio_buffer* dio_report(const dio_buffer* const* checks, size_t checks_count, const char* form,
                       const char* const* options, size_t count) {
  if (checks_count && !checks)
    return buffer_of(wrong_argument({.message = "the list of checks is null, but its count is not 0"}));
  const auto wanted = wanted_of(options, count);
  if (!wanted) return buffer_of(wanted.error());
  report::FindingList all;
  report::Run run{.all = checks_count};
  for (size_t i = 0; i < checks_count; ++i) {
    if (!is(checks[i], k_buffer_tag) || !checks[i]->findings)
      return buffer_of(wrong_argument({.message = "result " + std::to_string(i) + " is not one of a check"}));
    Diagnostics found = *checks[i]->findings;
    if (!wanted->rules.empty())
      std::erase_if(found, [&](const Diagnostic& d) {
        return std::ranges::none_of(wanted->rules, [&](const std::string& r) { return d.id.starts_with(r); });
      });
    report::Selected selected = report::select(std::move(found), wanted->selection);
    run.with_findings += !selected.findings.empty();
    run.ignored += selected.ignored;
    run.known += selected.known;
    std::move(selected.findings.begin(), selected.findings.end(), std::back_inserter(all));
  }
  const std::string_view as = text_of(form);
  if (as == "json") return buffer_of(report::findings_json(all, run));
  if (as == "sarif") return buffer_of(report::findings_sarif(all, run, rules_of_formats(), DIORAMA_VERSION));
  if (as == "summary") return buffer_of(report::rule_counts_json(all, run));
  if (as == "text") return buffer_of(report::findings_lines(all));
  return buffer_of(
      wrong_argument({.message = "unknown form " + in_quotes(as) + "; it can be json, sarif, summary or text"}));
}

dio_buffer* dio_repair(const dio_file* file) {
  return with_opened(file, [&](const Opened& o) {
    if (!o.format->repair) return buffer_of(without("repairs", o));
    Opened mended = again(o);
    Value repairs = Value::list();
    for (const Repair& r : mended.format->repair(*mended.document)) {
      Value& one = repairs.push(Value::object());
      one.add("id", r.id);
      one.add("path", r.path);
      one.add("about", r.about);
    }
    auto saved = repairs.size() ? mended.document->save({}) : Result<Bytes>(copy_of(o.bytes));
    if (!saved) return buffer_of(saved.error(), file);
    std::vector<Value::Member> more;
    more.emplace_back("repairs", std::move(repairs));
    return buffer_of(std::move(*saved), {}, *file, std::move(more));
  });
}

dio_buffer* dio_verify(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    return buffer_of(verified_json(o, verify(o, json::through_text())), on_one_line());
  });
}

}  // extern "C"
