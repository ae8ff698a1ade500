// topics.cpp: what explain, help, schema, formats and check take: formats, rules, verbs, severities.
#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

namespace {

/// A format by its id, an extension, its title or its platform: course, platinum.
const Format* find_format_like(const std::string& word) {
  const std::string small = lower_case(word);
  if (const Format* f = find_format(small)) return f;
  const auto has = [&](std::string_view text) {
    return lower_case(std::string(text)).find(small) != std::string::npos;
  };
  for (const Format* f : formats())
    if (small.size() > 2 && (has(f->title) || has(f->extensions))) return f;
  for (const Format* f : formats())
    if (small.size() > 2 && has(f->platform)) return f;
  return nullptr;
}

/// The rule whose id or sentence has the words of a text: kmp.checkpoint.
std::string find_rule_like(const std::string& typed) {
  const size_t dot = typed.find('.');
  const std::string family = dot == typed.npos ? "" : typed.substr(0, dot + 1),
                    word = lower_case(typed.substr(dot == typed.npos ? 0 : dot + 1));
  if (word.size() < 3) return {};
  for (const Rule& r : rules_of_formats())
    if (r.id.starts_with(family) && std::string(r.id).find(word) != std::string::npos) return std::string(r.id);
  // An abbreviation of the word: ckpt for checkpoint.
  const auto abbreviates = [&](std::string_view id) {
    std::string_view part = id.substr(std::min(id.find('.') + 1, id.size()));
    part = part.substr(0, part.find('-'));
    size_t at = 0;
    for (const char letter : word) at += at < part.size() && part[at] == letter;
    return part.size() > 2 && at == part.size() && part[0] == word[0];
  };
  for (const Rule& r : rules_of_formats())
    if (r.id.starts_with(family) && abbreviates(r.id)) return std::string(r.id);
  for (const Rule& r : rules_of_formats())
    if (r.id.starts_with(family) && lower_case(std::string(r.sentence)).find(word) != std::string::npos)
      return std::string(r.id);
  return {};
}

/// The format of a file.
const Format* format_of(const std::string& name) {
  const auto file = trace(name);
  return file ? file->format : nullptr;
}

void repair_topic(CommandLine& c, const Manual& m) {
  const std::string topic = c.operand(0);
  if (topic.empty() || topic.find('#') != topic.npos || find_rule(topic) || c.count_operands() > 1) return;
  if (is_edit_name(topic)) return;  // explain_misplaced_word
  const auto section = std::ranges::find_if(formats(), [&](const Format* f) {
    const auto kinds = f->scenes ? f->scenes->kinds : std::span<const NodeKind>();
    return std::ranges::any_of(kinds, [&](const NodeKind& k) { return !topic.empty() && k.path == topic; });
  });
  if (section != formats().end()) {
    c.verb = "schema";
    c.set_operand(0, std::string((*section)->id));
    c.add_option("--markdown");
  } else if (m.find(topic)) {
    c.verb = "help";
  } else if (const Format* f = format_of(topic)) {
    c.set_operand(0, std::string(f->id));
  } else if (const std::string rule = topic.find('.') == topic.npos ? "" : find_rule_like(topic); !rule.empty()) {
    c.set_operand(0, rule);
  } else if (const Format* like = find_format_like(topic)) {
    c.set_operand(0, std::string(like->id));
  } else if (const std::string other = find_rule_like(topic); !other.empty()) {
    c.set_operand(0, other);
  }
}

}  // namespace

void repair_topics(CommandLine& c, const Manual& m) {
  const std::string topic = c.operand(0);
  if (c.verb == "explain") repair_topic(c, m);
  if (c.verb == "help" && !topic.empty() && !m.find(topic)) {
    c.verb = "explain";
    repair_topic(c, m);
  }
  if (c.verb == "schema") {
    if (const Format* f = format_of(topic) ? format_of(topic) : find_format_like(topic))
      c.set_operand(0, std::string(f->id));
  }
  if (c.verb == "formats") {
    if (!topic.empty() && !c.has({"--samples"})) {
      c.verb = "explain";
      repair_topic(c, m);
    }
    if (Word* w = c.option({"--samples"}); w && !w->has_value) {
      w->has_value = true;
      w->value = "samples";
    }
  }
  if (c.verb == "check") {
    for (Word& w : c.words) {
      if (!w.is_option || !w.has_value) continue;
      const bool is_severity = w.value == "hint" || w.value == "hints" || w.value == "warning" ||
                               w.value == "warnings" || w.value == "error" || w.value == "errors";
      if ((w.text == "--ignore" || w.text == "--rule") && is_severity) {
        const std::string level = w.value.ends_with('s') ? w.value.substr(0, w.value.size() - 1) : w.value;
        w.text = "--show";
        w.value = w.text == "--ignore" || level == "hint" ? "warning" : level;
      } else if ((w.text == "--rule" || w.text == "--ignore") && !find_rule(w.value)) {
        if (const std::string like = find_rule_like(w.value); !like.empty()) w.value = like;
      }
    }
    while (c.count_operands() > 1 && !exists(c.operand(1)) && is_file(c.operand(0))) {
      const std::string word = c.operand(1);
      if (!extension(word).empty() || word.find('/') != word.npos) break;
      const std::string rule = find_rule_like(word);
      c.remove_operand(1);
      if (!rule.empty()) c.add_option("--rule", rule);
    }
  }
  if (Word* w = c.option({"--as", "--layout", "--target-layout"}); w && w->has_value) {
    std::vector<std::string> names;
    for (const std::string_view layout : layout_names()) names.emplace_back(layout);
    if (w->text != "--as" && std::ranges::find(names, w->value) == names.end() &&
        std::ranges::find(names, "v" + w->value) != names.end())
      w->value = "v" + w->value;
    if (w->text == "--as" && !find_format_and_layout(w->value)) {
      const size_t dash = w->value.rfind('-');
      const std::string versioned =
          dash == w->value.npos ? "" : w->value.substr(0, dash) + "-v" + w->value.substr(dash + 1);
      if (!versioned.empty() && find_format_and_layout(versioned))
        w->value = versioned;
      else if (const Format* f = find_format_like(w->value))
        w->value = f->id;
    }
    if (w->text == "--as" && is_file(c.operand(0))) {
      const ReadAs as = find_format_and_layout(w->value);
      const auto file = as ? trace(c.operand(0), as) : nullptr;
      const auto plain = trace(c.operand(0));
      if (file && file->traced.stop && plain && !plain->traced.stop) c.remove_option({"--as"});
    }
  }
}

}  // namespace dio::cli::suggest
