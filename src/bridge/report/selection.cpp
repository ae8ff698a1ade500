#include "bridge/report/selection.hpp"

#include <algorithm>

#include "bridge/report/path_shape.hpp"
#include "core/glob.hpp"
#include "core/text_format.hpp"

namespace dio::report {

namespace {

auto invalid_baseline(std::string path, std::string message) {
  return refuse("check.baseline", std::move(path),
                {.message = std::move(message), .hint = "{check FILES --json -o BASELINE} writes a baseline"});
}

/// A path as JSON returns it, where it is valid UTF-8.
std::string to_utf8_path(std::string_view path) {
  std::string out;
  append_json_string(out, path);
  return out;
}

/// The text members of a finding. False if one has another type.
bool read_finding_texts(const Value& finding, Diagnostic& d) {
  const std::pair<const char*, std::string*> texts[] = {
      {"id", &d.id},           {"file", &d.place.file},   {"path", &d.place.path},
      {"message", &d.message}, {"expected", &d.expected}, {"found", &d.found},
      {"hint", &d.hint}};
  for (const auto& [name, to] : texts) {
    const Value* v = finding.find(name);
    if (v && !v->is(Value::Kind::text)) return false;
    if (v) *to = v->text();
  }
  return finding.is(Value::Kind::object) && !d.id.empty();
}

/// Removes the matching findings from the list, keeping its order.
Diagnostics extract_matching(Diagnostics& list, auto is_meant) {
  const auto rest = std::stable_partition(list.begin(), list.end(), [&](const Diagnostic& d) { return !is_meant(d); });
  Diagnostics out(std::make_move_iterator(rest), std::make_move_iterator(list.end()));
  list.erase(rest, list.end());
  return out;
}

}  // namespace

Result<Baseline> Baseline::parse(const Value& v) {
  const Value *schema = v.find("schema"), *list = v.find("findings");
  if (!schema || schema->text() != "diorama.check/1" || !list || !list->is(Value::Kind::list))
    return invalid_baseline({}, "the file is not the output of {check --json}");
  Baseline b;
  for (size_t i = 0; i < list->size(); ++i) {
    const Value& finding = *list->at(i);
    const std::string path = "findings[" + std::to_string(i) + "]";
    Diagnostic d;
    if (!read_finding_texts(finding, d))
      return invalid_baseline(path, "the entry is not a finding printed by {check --json}");
    std::multiset<std::string>& paths = b.paths_[diagnostic_key(d)];
    const Value* places = finding.find("places");
    if (!places) paths.insert(to_utf8_path(d.place.path));
    for (const auto& [none, place] : places ? places->members() : std::vector<Value::Member>()) {
      const Value* at = place.find("path");
      if (!at || !at->is(Value::Kind::text)) return invalid_baseline(path + ".places", "the location has no path");
      paths.insert(to_utf8_path(at->text()));
    }
  }
  return b;
}

Diagnostics Baseline::extract_known(Diagnostics& list) const {
  std::map<std::string, std::vector<const Diagnostic*>> alike;
  for (const Diagnostic& d : list)
    if (const std::string key = diagnostic_key(d); paths_.contains(key)) alike[key].push_back(&d);
  std::set<const Diagnostic*> known;
  for (const auto& [key, those] : alike) {
    std::multiset<std::string> left = paths_.at(key);
    // A finding at the same path is the same; others may have moved.
    for (const Diagnostic* d : those)
      if (const auto same = left.find(to_utf8_path(d->place.path)); same != left.end()) {
        left.erase(same);
        known.insert(d);
      }
    for (const Diagnostic* d : those)
      if (!left.empty() && known.insert(d).second) left.erase(left.begin());
  }
  Diagnostics taken, rest;
  for (Diagnostic& d : list) (known.contains(&d) ? taken : rest).push_back(std::move(d));
  list = std::move(rest);
  return taken;
}

Selected filter_findings(Diagnostics all, const Selection& s) {
  Selected out;
  const auto is_ignored = [&](const Diagnostic& d) {
    return std::ranges::any_of(s.ignored, [&](const std::string& id) { return matches_wildcard(id, d.id); });
  };
  // Counted as they would be displayed.
  out.ignored = group_findings(extract_matching(all, is_ignored)).size();
  out.known = group_findings(s.baseline.extract_known(all)).size();
  out.findings = group_findings(std::move(all));
  return out;
}

}  // namespace dio::report
