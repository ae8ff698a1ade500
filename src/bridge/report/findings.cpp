#include "bridge/report/findings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/command_text.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"

namespace dio::report {

namespace {

const char* severity_color(Severity severity) {
  switch (severity) {
    case Severity::hint:
      return "\033[36m";
    case Severity::warning:
      return "\033[33m";
    case Severity::error:
    case Severity::stop:
      return "\033[31m";
  }
  return "\033[31m";
}

constexpr const char* k_plain = "\033[0m";
constexpr const char* k_dim = "\033[2m";

/// Indents each line of a text.
void append_indented(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += "  ";
    out += text.substr(0, end);
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The message without its location: `... (in 45 places)` if there are many.
std::string summary_message(const Finding& f) {
  Diagnostic only = f.said;
  only.place = {};
  const std::string text = format_one_line(only);
  return f.places.size() == 1 ? text : text + " (in " + std::to_string(f.places.size()) + " places)";
}

std::string_view sarif_level(Severity severity) {
  switch (severity) {
    case Severity::hint:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
    case Severity::stop:
      return "error";
  }
  return "error";
}

/// A path of a file as a URI: relative paths stay relative.
std::string path_to_uri(std::string_view path) {
  std::string uri;
  const bool drive = path.size() > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
  if (path.starts_with('/')) uri = "file://";
  if (drive) uri = "file:///";
  for (size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos || (drive && i == 1))
      uri += c;
    else if (drive && c == '\\')
      uri += '/';
    else
      uri += '%' + format_hex(u8(c), 2).substr(2);
  }
  return uri;
}

Value sarif_text(std::string_view text) {
  Value v = Value::object();
  v.add("text", word_commands(text));
  return v;
}

constexpr Severity k_severities[] = {Severity::stop, Severity::error, Severity::warning, Severity::hint};

Value summary_json(const FindingList& all, const Run& run) {
  Value v = Value::object();
  for (const Severity s : k_severities)
    v.add(std::string(to_string(s)), u64(std::ranges::count(all, s, [](const Finding& f) { return f.said.severity; })));
  v.add(run.things, run.with_findings);
  v.add("ignored", run.ignored);
  v.add("baseline", run.known);
  if (run.milder) v.add("milder", run.milder);
  return v;
}

const Rule* find_rule(std::string_view id, std::span<const Rule> rules) {
  for (const std::span<const Rule> all : {rules, library_rules()})
    for (const Rule& r : all)
      if (r.id == id) return &r;
  return nullptr;
}

Value sarif_rule(std::string_view id, const Rule* rule) {
  Value v = Value::object();
  v.add("id", id);
  if (!rule) return v;
  v.add("shortDescription", sarif_text(rule->sentence));
  if (!rule->why.empty()) v.add("fullDescription", sarif_text(rule->why));
  if (!rule->fix.empty()) v.add("help", sarif_text(rule->fix));
  v.add("defaultConfiguration", Value::object()).add("level", sarif_level(rule->severity));
  if (!rule->source.empty()) v.add("properties", Value::object()).add("source", rule->source);
  return v;
}

}  // namespace

std::string finding_line(const Finding& f, bool color) {
  Diagnostic d = f.said;
  if (f.places.size() > 1) {
    d.place.path = f.path;
    d.message = summary_message(f);
  }
  std::string out;
  if (color) out += severity_color(d.severity);
  out += shown(d.severity);
  if (color) out += k_plain;
  out += ": " + format_one_line(d);
  if (!d.id.empty()) {
    out += color ? std::string(" ") + k_dim + '[' : std::string(" [");
    out += d.id + ']';
    if (color) out += k_plain;
  }
  return out;
}

std::string finding_text(const Finding& f, ByteView file, bool color) {
  std::string out = finding_line(f, color) + '\n';
  append_indented(out, format_hex_excerpt(f.said, file));
  if (!f.said.hint.empty())
    append_indented(out, "help: " + escape_control_chars(word_commands(f.said.hint, f.said.place.file)));
  return out;
}

std::string findings_lines(const FindingList& all, bool color) {
  std::string out;
  for (const Finding& f : all) {
    out += finding_line(f, color);
    if (!f.said.hint.empty()) out += " (" + escape_control_chars(word_commands(f.said.hint, f.said.place.file)) + ')';
    out += '\n';
  }
  return out;
}

std::string findings_text(const FindingList& all, ByteView file, bool color) {
  std::string out;
  bool was_long = false;
  for (const Finding& f : all) {
    const std::string text = finding_text(f, file, color);
    const bool is_long = std::count(text.begin(), text.end(), '\n') > 1;
    if (!out.empty() && (was_long || is_long)) out += '\n';
    out += text;
    was_long = is_long;
  }
  return out;
}

std::string findings_summary(const FindingList& all) {
  std::string out;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::hint}) {
    const auto n = std::ranges::count(all, shown(severity), [](const Finding& f) { return shown(f.said.severity); });
    if (n == 0) continue;
    if (!out.empty()) out += ", ";
    out += format_count(u64(n), shown(severity));
  }
  return out.empty() ? "no problems found" : out;
}

Value finding_json(const Diagnostic& d) {
  Value v = Value::object();
  v.add("severity", to_string(d.severity));
  v.add("id", d.id);
  const auto add_text_member = [&](const char* name, const std::string& s) {
    if (!s.empty()) v.add(name, word_commands(s, d.place.file));
  };
  add_text_member("file", d.place.file);
  if (d.place.known()) {
    v.add("offset", d.place.offset);
    v.add("size", d.place.size);
    if (d.place.bit >= 0) {
      v.add("bit", d.place.bit);
      v.add("bits", d.place.bits);
    }
  }
  add_text_member("path", d.place.path);
  add_text_member("message", d.message);
  add_text_member("expected", d.expected);
  add_text_member("found", d.found);
  add_text_member("hint", d.hint);
  return v;
}

Value finding_json(const Finding& f) {
  Value v = finding_json(f.said);
  if (f.places.size() == 1) return v;
  Value& list = v.add("places", Value::list());
  for (const Location& p : f.places) {
    Value& one = list.push(Value::object());
    one.add("path", p.path);
    if (!p.known()) continue;
    one.add("offset", p.offset);
    one.add("size", p.size);
  }
  return v;
}

Value findings_json(const FindingList& all, const Run& run) {
  Value root = Value::object();
  root.add("schema", "diorama.check/1");
  Value& list = root.add("findings", Value::list());
  for (const Finding& f : all) list.push(finding_json(f));
  root.add("summary", summary_json(all, run));
  root.add(run.things, run.all);
  return root;
}

std::vector<RuleCount> rule_counts(const FindingList& all) {
  std::map<std::pair<std::string, Severity>, RuleCount> counts;
  std::map<const RuleCount*, std::set<std::string_view>> files;
  for (const Finding& f : all) {
    RuleCount& c =
        counts.try_emplace({f.said.id, f.said.severity}, RuleCount{f.said.id, f.said.severity}).first->second;
    ++c.findings;
    c.places += f.places.size();
    files[&c].insert(f.said.place.file);
  }
  std::vector<RuleCount> out;
  for (auto& [key, c] : counts) {
    c.files = files[&c].size();
    out.push_back(c);
  }
  sort_stably(out, [](const RuleCount& a, const RuleCount& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.findings > b.findings;
  });
  return out;
}

Value rule_counts_json(const FindingList& all, const Run& run) {
  Value root = Value::object();
  root.add("schema", "diorama.check-summary/1");
  Value& list = root.add("rules", Value::list());
  for (const RuleCount& c : rule_counts(all)) {
    Value& one = list.push(Value::object());
    one.add("id", c.id);
    one.add("severity", to_string(c.severity));
    one.add("count", c.findings);
    one.add("places", c.places);
    one.add("files", c.files);
  }
  root.add("summary", summary_json(all, run));
  root.add(run.things, run.all);
  return root;
}

void add_rule_severities(Value& v, const Rule& rule) {
  v.add("severity", to_string(rule.severity));
  if (rule.also.empty()) return;
  Value& also = v.add("also", Value::list());
  for (const Severity s : k_severities)
    if (rule.also.has(s)) also.push(to_string(s));
}

Value rule_json(const Rule& rule) {
  Value v = Value::object();
  v.add("schema", "diorama.explain/1");
  v.add("rule", rule.id);
  add_rule_severities(v, rule);
  if (rule.can_be(Severity::stop)) v.add("cause", name_of(rule.cause));
  v.add("sentence", word_commands(rule.sentence));
  v.add("why", word_commands(rule.why));
  v.add("fix", word_commands(rule.fix));
  v.add("source", rule.source);
  return v;
}

Value findings_sarif(const FindingList& all, const Run& of, std::span<const Rule> rules, std::string_view version) {
  // Results refer to rules and files by their index in these lists.
  Value rule_list = Value::list(), artifacts = Value::list(), results = Value::list();
  std::map<std::string, size_t> rule_places, file_places;

  for (const Finding& f : all) {
    const Diagnostic& d = f.said;
    const auto [rule, new_rule] = rule_places.try_emplace(d.id, rule_list.size());
    if (new_rule) rule_list.push(sarif_rule(d.id, find_rule(d.id, rules)));

    Value& result = results.push(Value::object());
    result.add("ruleId", d.id);
    result.add("ruleIndex", rule->second);
    result.add("level", sarif_level(d.severity));
    std::string text = summary_message(f);
    const Rule* known = find_rule(d.id, rules);
    if (text.empty()) text = known ? std::string(known->sentence) : d.id;
    if (!d.hint.empty()) text += "\n" + d.hint;
    result.add("message", sarif_text(text));

    Value locations = Value::list();
    for (const Location& place : f.places) {
      Value location = Value::object();
      if (!place.file.empty()) {
        const std::string uri = path_to_uri(place.file);
        const auto [file, new_file] = file_places.try_emplace(uri, artifacts.size());
        if (new_file) artifacts.push(Value::object()).add("location", Value::object()).add("uri", uri);
        Value& physical = location.add("physicalLocation", Value::object());
        Value& artifact = physical.add("artifactLocation", Value::object());
        artifact.add("uri", uri);
        artifact.add("index", file->second);
        if (place.known()) {
          Value& region = physical.add("region", Value::object());
          region.add("byteOffset", place.offset);
          region.add("byteLength", place.size);
        }
      }
      if (!place.path.empty()) {
        Value& logical = location.add("logicalLocations", Value::list());
        logical.push(Value::object()).add("fullyQualifiedName", place.path);
      }
      if (location.size()) locations.push(std::move(location));
    }
    if (locations.size()) result.add("locations", std::move(locations));
  }

  Value root = Value::object();
  root.add("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  root.add("version", "2.1.0");
  Value& run = root.add("runs", Value::list()).push(Value::object());
  Value& driver = run.add("tool", Value::object()).add("driver", Value::object());
  driver.add("name", "diorama");
  if (!version.empty()) driver.add("version", version);
  driver.add("rules", std::move(rule_list));
  run.add("artifacts", std::move(artifacts));
  run.add("results", std::move(results));
  run.add("properties", Value::object()).add("summary", summary_json(all, of));
  return root;
}

}  // namespace dio::report
