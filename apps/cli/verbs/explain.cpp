// dio explain: a rule, a format, or a field of a file.
#include "explain.hpp"

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/members.hpp"
#include "../system/filesystem.hpp"
#include "bridge/report/findings.hpp"
#include "bridge/report/schema.hpp"
#include "bridge/report/tree.hpp"
#include "core/command_text.hpp"
#include "core/text_format.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "operations/describe_json.hpp"
#include "samples/samples.hpp"
#include "samples/shape.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::string rule_text(const Rule& r) {
  std::string out = std::string(r.id) + " (" + describe_severities(r) + ")\n\n";
  out += wrap_text("Rule: " + word_commands(r.sentence) + ".", "");
  if (!r.why.empty()) out += "\n" + wrap_text("Why it matters: " + word_commands(r.why), "");
  if (!r.fix.empty()) out += "\n" + wrap_text("What to do: " + word_commands(r.fix), "");
  if (!r.source.empty()) out += "\n" + wrap_text("Source: " + std::string(r.source), "");
  return out;
}

std::string format_text(const Format& f) {
  std::string out = std::string(f.id) + ": " + std::string(f.title) + " (" + std::string(f.platform) + ", " +
                    std::string(f.extensions) + ")\n";
  Table rules;
  for (const Rule& r : f.rules()) rules.add_row({std::string(r.id), describe_severities(r), word_commands(r.sentence)});
  if (!rules.empty()) out += "\nRules of `dio check`\n" + rules.text("  ");
  Table questions;
  for (const Question& q : questions_of(f))
    questions.add_row({std::string(q.name) + "@" + std::string(q.usage), word_commands(q.about)});
  if (!questions.empty()) out += "\nQuestions for `dio explain FILE#QUESTION`\n" + questions.text("  ");
  Table samples;
  for (const Sample& s : samples_of(f)) samples.add_row({s.name, s.about});
  if (!samples.empty()) out += "\nSamples (`dio formats --samples FOLDER`)\n" + samples.text("  ");
  return out + "\n`dio schema " + std::string(f.id) + " --markdown` shows its fields.\n";
}

Value format_json(const Format& f) {
  Value v = json_with_schema("diorama.explain/1");
  v.add("format", f.id);
  v.add("title", f.title);
  v.add("platform", f.platform);
  v.add("extensions", f.extensions);
  Value& rules = v.add("rules", Value::list());
  for (const Rule& r : f.rules()) {
    Value& one = rules.push(Value::object());
    one.add("rule", r.id);
    report::add_rule_severities(one, r);
    one.add("sentence", word_commands(r.sentence));
  }
  if (questions_of(f).empty()) return v;
  Value& questions = v.add("questions", Value::list());
  for (const Question& q : questions_of(f)) {
    Value& one = questions.push(Value::object());
    one.add("question", q.name);
    one.add("usage", q.usage);
    one.add("about", word_commands(q.about));
  }
  return v;
}

Table words_table(const EnumNames& words) {
  Table t(">");
  for (const EnumName& w : words.words)
    t.add_row({words.is_mask(w) ? format_hex(u64(w.value)) : std::to_string(w.value), std::string(w.word)});
  return t;
}

/// What is known of a field, whatever file it is in.
std::string field_text(const char* about, const char* unit, const EnumNames* words) {
  std::string out;
  if (about) out += wrap_text(about, "  ");
  if (unit) out += std::string("  unit: ") + unit + "\n";
  if (words && !words->words.empty())
    out += std::string(words->values  ? "  flags (in hexadecimal), combined with one of the other values:\n"
                       : words->flags ? "  flags:\n"
                                      : "  values:\n") +
           words_table(*words).text("    ");
  return out;
}

/// `FILE#QUESTION@ARGUMENT`: what is at a place of what the file describes.
void answer_question(const Request& request, const Input& input, const std::string& question, Report& report) {
  const auto o = open_input(request, input, report);
  if (!o) return;
  const size_t at = question.find('@');
  const std::string name = question.substr(0, at), argument = question.substr(at + 1);
  std::vector<std::string> usages;
  for (const Question& q : questions_of(*o->format)) {
    usages.push_back(std::string(q.name) + "@" + std::string(q.usage));
    if (q.name != name) continue;
    const auto answer = q.answer(*o->document, argument);
    if (!answer) {
      Diagnostic d = answer.error();
      d.place.file = o->name;
      d.place.path = question;
      if (d.hint.empty()) d.hint = usages.back() + ": " + std::string(q.about);
      report_error(report, request, d);
      return;
    }
    if (request.json) {
      report.out = json_text(answer_json(o->name, question, *answer));
    } else {
      report.out = question + " in " + o->name + "\n" + members_text(*answer, 2, true);
    }
    return;
  }
  report_usage_error(
      report, request,
      "the format " + o->format_id() + " has no question " + in_quotes(name) +
          (usages.empty() ? "; this format has no questions" : "; the questions are " + join_texts(usages, ", ")));
}

/// `FILE#PATH`
void explain_value(const Request& request, const std::string& file_name, const std::string& path, Report& report) {
  const auto input = resolve_single_input(request, file_name, report);
  if (!input) return;
  if (path.find('@') != path.npos) return answer_question(request, *input, path, report);
  const auto file = trace_input(request, *input, report);
  if (!file) return;
  const Spans& spans = file->traced.spans;
  const auto spot = resolve_path(request, *file, path, report);
  if (!spot) return;
  const Span& s = spans[spot->span];
  const std::string type = spot->element ? std::string(to_string(s.wire)) : spans.type(spot->span);
  const bool has_place = s.kind != Span::Kind::inferred;
  if (request.json) {
    Value v = json_with_schema("diorama.explain/1");
    v.add("file", file->name);
    Value known = report::value_json(spans, *spot);
    for (auto& [name, value] : known.members()) v.add(name, std::move(value));
    report.out = json_text(v);
    return;
  }
  const bool is_tree = s.kind == Span::Kind::object || s.kind == Span::Kind::list;
  report.out = (path.empty() ? file->name : spans.path(*spot)) + " = " +
               (is_tree ? report::line_text(spans, spot->span) : spans.show(*spot)) + "\n";
  report.out += "  " + type +
                (has_place ? " at " + format_hex(spot->offset) + ", " + format_count(spot->size, "byte", "bytes")
                           : ", derived from the whole file") +
                "\n";
  report.out += field_text(s.key.about, s.key.measure, s.key.vocabulary);
}

/// `kmp#CAME.entries.type`: a field without a file.
void explain_field(const Request& request, const Format& format, const std::string& path, Report& report) {
  const report::Shape shape = shape_of(format);
  const auto* field = shape.find(path);
  if (!field || field->kinds.empty()) {
    const std::string id(format.id);
    return report_error(report, request,
                        make_diagnostic("path.unknown", path,
                                        {.message = "the format " + id + " has no such field",
                                         .hint = "`dio schema " + id + " --markdown` lists the fields"}));
  }
  if (request.json) {
    Value v = json_with_schema("diorama.explain/1");
    v.add("format", format.id);
    v.add("path", path);
    v.add("type", report::format_type(*field));
    if (field->doc) v.add("doc", field->doc);
    if (field->unit) v.add("unit", field->unit);
    report.out = json_text(v);
    return;
  }
  report.out = path + " (" + std::string(format.title) + ")\n  " + report::format_type(*field) + "\n" +
               field_text(field->doc, field->unit, field->words);
}

void list_topics(const Request& request, Report& report) {
  Table formats_table, rules;
  Value v = json_with_schema("diorama.explain/1");
  Value& topics = v.add("topics", Value::list());
  for (const Format* f : formats()) {
    formats_table.add_row({std::string(f->id), std::string(f->title)});
    topics.push(f->id);
  }
  const auto add = [&](std::span<const Rule> list) {
    for (const Rule& r : list) {
      rules.add_row({std::string(r.id), describe_severities(r), word_commands(r.sentence)});
      topics.push(r.id);
    }
  };
  for (const Format* f : formats()) add(f->rules());
  for (const GameKind* k : game_kinds()) add(k->rules());
  add(library_rules());
  report.out = request.json ? json_text(v) : "Formats\n" + formats_table.text("  ") + "\nRules\n" + rules.text("  ");
}

}  // namespace

void explain_topic(const Request& request, const std::string& topic, Report& report) {
  if (topic.empty()) return list_topics(request, report);
  if (const Rule* rule = find_rule(topic)) {
    report.out = request.json ? json_text(report::rule_json(*rule)) : rule_text(*rule);
    return;
  }
  if (const Format* format = find_format_and_layout(topic).format) {
    report.out = request.json ? json_text(format_json(*format)) : format_text(*format);
    return;
  }
  // A name may hold a '#' itself: the last one counts.
  if (const size_t hash = topic.rfind('#'); hash != topic.npos) {
    const std::string name = topic.substr(0, hash), path = topic.substr(hash + 1);
    std::error_code error;
    const Format* format = find_format_and_layout(name).format;
    if (format && !fs::exists(name, error)) return explain_field(request, *format, path, report);
    return explain_value(request, name, path, report);
  }
  std::vector<std::string> known;
  for (const Format* f : formats()) {
    known.emplace_back(f->id);
    for (const Rule& r : f->rules()) known.emplace_back(r.id);
  }
  for (const GameKind* k : game_kinds())
    for (const Rule& r : k->rules()) known.emplace_back(r.id);
  for (const Rule& r : library_rules()) known.emplace_back(r.id);
  const std::string like = nearest_id(topic, known);
  std::error_code error;
  if (fs::is_directory(topic, error))
    report_usage_error(report, request,
                       in_quotes(topic) + " is a folder: `dio info " + topic +
                           "` lists its files, and `dio explain FILE#PATH` explains a field of a file");
  else if (fs::exists(topic, error))
    report_usage_error(report, request,
                       in_quotes(topic) + " is a file: `dio info " + topic + "` describes it, and `dio explain " +
                           topic + "#PATH` explains one of its fields");
  else
    report_usage_error(report, request,
                       in_quotes(topic) + " is not a rule id, a format id or a field (FILE#PATH)" +
                           (like.empty() ? "" : "; did you mean " + like + "?"));
}

ExitCode run_explain(const Request& request) {
  Report report;
  explain_topic(request, request.topic, report);
  return finish(report);
}

}  // namespace dio::cli
