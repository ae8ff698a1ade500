#include "bridge/report/findings.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "core/printing.hpp"

namespace dio::report {

namespace {

const char* color_of(Severity severity) {
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

/// Each line of a text, moved to the right.
void indent(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += "  ";
    out += text.substr(0, end);
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// What is wrong, without where.
std::string message(const Diagnostic& d) {
  Diagnostic only = d;
  only.place = {};
  return to_line(only);
}

std::string_view level(Severity severity) {
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

/// A path of a file as a URI: relative ones stay relative.
std::string uri_of(std::string_view path) {
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
      uri += '%' + hex_number(u8(c), 2).substr(2);
  }
  return uri;
}

Value text_object(std::string_view text) {
  Value v = Value::object();
  v.add("text", text);
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
  v.add("shortDescription", text_object(rule->sentence));
  if (!rule->why.empty()) v.add("fullDescription", text_object(rule->why));
  v.add("defaultConfiguration", Value::object()).add("level", level(rule->severity));
  if (!rule->source.empty()) v.add("properties", Value::object()).add("source", rule->source);
  return v;
}

}  // namespace

std::string finding_text(const Diagnostic& d, ByteView file, bool color) {
  std::string out;
  if (color) out += color_of(d.severity);
  out += to_string(d.severity == Severity::stop ? Severity::error : d.severity);  // for people, it is one
  if (color) out += k_plain;
  out += ": " + to_line(d);
  if (!d.id.empty()) {
    out += color ? std::string(" ") + k_dim + '[' : std::string(" [");
    out += d.id + ']';
    if (color) out += k_plain;
  }
  out += '\n';
  indent(out, to_excerpt(d, file));
  if (!d.hint.empty()) indent(out, "help: " + printable(d.hint));
  return out;
}

std::string findings_text(const Diagnostics& all, ByteView file, bool color) {
  std::string out;
  bool was_long = false;
  for (const Diagnostic& d : all) {
    const std::string text = finding_text(d, file, color);
    const bool is_long = std::count(text.begin(), text.end(), '\n') > 1;
    if (!out.empty() && (was_long || is_long)) out += '\n';
    out += text;
    was_long = is_long;
  }
  return out;
}

std::string findings_summary(const Diagnostics& all) {
  std::string out;
  for (const Severity severity : {Severity::stop, Severity::error, Severity::warning, Severity::hint}) {
    const auto n = std::count_if(all.begin(), all.end(), [&](const Diagnostic& d) { return d.severity == severity; });
    if (n == 0) continue;
    if (!out.empty()) out += ", ";
    out += counted(u64(n), to_string(severity));
  }
  return out.empty() ? "nothing found" : out;
}

Value finding_json(const Diagnostic& d) {
  Value v = Value::object();
  v.add("severity", to_string(d.severity));
  v.add("id", d.id);
  const auto text = [&](const char* name, const std::string& s) {
    if (!s.empty()) v.add(name, s);
  };
  text("file", d.place.file);
  if (d.place.known()) {
    v.add("offset", d.place.offset);
    v.add("size", d.place.size);
    if (d.place.bit >= 0) {
      v.add("bit", d.place.bit);
      v.add("bits", d.place.bits);
    }
  }
  text("path", d.place.path);
  text("message", d.message);
  text("expected", d.expected);
  text("found", d.found);
  text("hint", d.hint);
  return v;
}

Value findings_json(const Diagnostics& all) {
  Value root = Value::object();
  root.add("schema", "diorama.check/1");
  Value& list = root.add("findings", Value::list());
  for (const Diagnostic& d : all) list.push(finding_json(d));
  return root;
}

Value findings_sarif(const Diagnostics& all, std::span<const Rule> rules, std::string_view version) {
  // Results name rules and files by their place in these lists.
  Value rule_list = Value::list(), artifacts = Value::list(), results = Value::list();
  std::map<std::string, size_t> rule_places, file_places;

  for (const Diagnostic& d : all) {
    const auto [rule, new_rule] = rule_places.try_emplace(d.id, rule_list.size());
    if (new_rule) rule_list.push(sarif_rule(d.id, find_rule(d.id, rules)));

    Value& result = results.push(Value::object());
    result.add("ruleId", d.id);
    result.add("ruleIndex", rule->second);
    result.add("level", level(d.severity));
    std::string text = message(d);
    const Rule* known = find_rule(d.id, rules);
    if (text.empty()) text = known ? std::string(known->sentence) : d.id;
    if (!d.hint.empty()) text += "\n" + d.hint;
    result.add("message", text_object(text));

    Value location = Value::object();
    if (!d.place.file.empty()) {
      const std::string uri = uri_of(d.place.file);
      const auto [file, new_file] = file_places.try_emplace(uri, artifacts.size());
      if (new_file) artifacts.push(Value::object()).add("location", Value::object()).add("uri", uri);
      Value& physical = location.add("physicalLocation", Value::object());
      Value& artifact = physical.add("artifactLocation", Value::object());
      artifact.add("uri", uri);
      artifact.add("index", file->second);
      if (d.place.known()) {
        Value& region = physical.add("region", Value::object());
        region.add("byteOffset", d.place.offset);
        region.add("byteLength", d.place.size);
      }
    }
    if (!d.place.path.empty()) {
      Value& logical = location.add("logicalLocations", Value::list());
      logical.push(Value::object()).add("fullyQualifiedName", d.place.path);
    }
    if (location.size()) result.add("locations", Value::list()).push(std::move(location));
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
  return root;
}

}  // namespace dio::report
