// checks.cpp: what is wrong with files, of diorama.h: findings, what repairs them, whether files come back.
#include <algorithm>

#include "bridge/report/selection.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "core/glob.hpp"
#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "operations/describe_json.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

/// What of findings is wanted: the options of dio_report.
struct CheckSelection {
  std::vector<std::string> rules;
  report::Selection selection;
};
Result<CheckSelection> parse_check_options(const char* const* options, size_t count) {
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return refuse(told.error());
  CheckSelection out;
  for (const Argument& a : *told) {
    if (a.name == "rule") {
      out.rules.push_back(a.value);
    } else if (a.name == "ignore") {
      out.selection.ignored.push_back(a.value);
    } else if (a.name == "baseline") {
      const auto json = json::read(a.value);
      if (!json) return refuse(json.error());
      auto baseline = report::Baseline::parse(*json);
      if (!baseline) return refuse(std::move(baseline.error()));
      out.selection.baseline = std::move(*baseline);
    } else {
      return refuse(
          argument_error({.message = in_quotes(a.name) + " is no option; they are rule, ignore and baseline"}));
    }
  }
  return out;
}

}  // namespace

extern "C" {

dio_buffer* dio_check(const dio_file* file) {
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  if (file->parts) return make_buffer(not_opened_error(*file), file);
  Diagnostics found;
  if (file->opened) {
    found = check(*file->opened, file->known);
    Diagnostics others = find_companion_mismatches(*file->opened, collect_companions(*file->opened));
    found.insert(found.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  } else {
    found.push_back(not_opened_error(*file));
  }
  return make_findings_buffer(std::move(found));
}

dio_buffer* dio_simulate(const dio_file* file) {
  return with_opened(file, [](const OpenedFile& o) {
    if (!o.format->simulate) return make_buffer(unsupported_by_format("simulations", o));
    return make_findings_buffer(simulate(o));
  });
}

dio_buffer* dio_report(const dio_buffer* const* checks, size_t checks_count, const char* form,
                       const char* const* options, size_t count) {
  if (checks_count && !checks)
    return make_buffer(argument_error({.message = "the list of checks is null, but its count is not 0"}));
  const auto wanted = parse_check_options(options, count);
  if (!wanted) return make_buffer(wanted.error());
  report::FindingList all;
  report::Run run{.all = checks_count};
  for (size_t i = 0; i < checks_count; ++i) {
    if (!has_handle_tag(checks[i], k_buffer_tag) || !checks[i]->findings)
      return make_buffer(argument_error({.message = "result " + std::to_string(i) + " is not one of a check"}));
    Diagnostics found = *checks[i]->findings;
    if (!wanted->rules.empty())
      std::erase_if(found, [&](const Diagnostic& d) {
        return std::ranges::none_of(wanted->rules, [&](const std::string& r) { return d.id.starts_with(r); });
      });
    report::Selected selected = report::filter_findings(std::move(found), wanted->selection);
    run.with_findings += !selected.findings.empty();
    run.ignored += selected.ignored;
    run.known += selected.known;
    std::move(selected.findings.begin(), selected.findings.end(), std::back_inserter(all));
  }
  const std::string_view as = text_of(form);
  if (as == "json") return make_buffer(report::findings_json(all, run));
  if (as == "sarif") return make_buffer(report::findings_sarif(all, run, rules_of_formats(), DIORAMA_VERSION));
  if (as == "summary") return make_buffer(report::rule_counts_json(all, run));
  if (as == "text") return make_buffer(report::findings_lines(all));
  return make_buffer(
      argument_error({.message = "unknown form " + in_quotes(as) + "; it can be json, sarif, summary or text"}));
}

dio_buffer* dio_repair(const dio_file* file) {
  return with_opened(file, [&](const OpenedFile& o) {
    if (!o.format->repair) return make_buffer(unsupported_by_format("repairs", o));
    OpenedFile mended = again(o);
    Value repairs = Value::list();
    for (const Repair& r : mended.format->repair(*mended.document)) {
      Value& one = repairs.push(Value::object());
      one.add("id", r.id);
      one.add("path", r.path);
      one.add("about", r.about);
    }
    auto saved = repairs.size() ? mended.document->save({}) : Result<Bytes>(copy_of(o.bytes));
    if (!saved) return make_buffer(saved.error(), file);
    std::vector<Value::Member> more;
    more.emplace_back("repairs", std::move(repairs));
    return make_buffer(std::move(*saved), {}, *file, std::move(more));
  });
}

dio_buffer* dio_verify(const dio_file* file) {
  return with_opened(file, [](const OpenedFile& o) {
    return make_buffer(verified_json(o, verify(o, json::round_trip_as_json())), on_one_line());
  });
}

}  // extern "C"
