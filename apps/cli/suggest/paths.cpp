// paths.cpp: paths of values as other languages write them, and names of things instead of paths.
#include <algorithm>
#include <cctype>
#include <functional>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "layout/selector.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

namespace {

bool is_number(std::string_view s) { return !s.empty() && s.find_first_not_of("0123456789") == s.npos; }

bool resolves(const Spans& spans, const std::string& path) {
  if (path.empty()) return false;
  const auto found = select(spans, path);
  return found && !found->empty();
}

/// A path in steps: names, and what stands in brackets.
struct Step {
  std::string text;
  bool in_brackets = false;
};

std::vector<Step> split_path(std::string path) {
  std::ranges::replace(path, '/', '.');
  std::vector<Step> out;
  for (size_t i = 0; i < path.size();) {
    if (path[i] == '.' || path[i] == '$') {
      ++i;
    } else if (path[i] == '[') {
      const size_t close = std::min(path.find(']', i), path.size());
      out.push_back({path.substr(i + 1, close - i - 1), true});
      i = close + 1;
    } else {
      const size_t end = std::min(path.find_first_of(".[", i), path.size());
      const std::string name = path.substr(i, end - i);
      out.push_back({name, is_number(name)});
      i = end;
    }
  }
  return out;
}

std::string join_path(const std::vector<Step>& steps) {
  std::string out;
  for (const Step& s : steps) out += s.in_brackets ? "[" + s.text + "]" : (out.empty() ? "" : ".") + s.text;
  return out;
}

std::string without(std::string text, std::string_view letters) {
  std::erase_if(text, [&](char c) { return letters.find(c) != letters.npos; });
  return text;
}

/// What stands in brackets, as paths have it: after the path before it.
std::vector<Step> respell_bracket(const Spans& spans, const std::string& before, const std::string& typed) {
  std::string text = without(typed, "\"'");
  if (text.starts_with("?(@.")) text = without(text.substr(4), ")");                             // JSONPath
  if (text != typed && text.find('=') == text.npos && !is_number(text)) return {{text, false}};  // ['laps']
  if (const size_t twice = text.find("=="); twice != text.npos) text.erase(twice, 1);
  const auto length = [&]() -> u64 {
    const auto list = select_list(spans, before);
    return list ? spans.length(*list) : 0;
  };
  if (text.starts_with('-') && is_number(text.substr(1))) {
    const u64 n = length(), back = std::stoull(text.substr(1, 8));
    return {{std::to_string(n >= back ? n - back : 0), true}};
  }
  if (const size_t colon = text.find(':'); colon != text.npos) {
    const std::string from = text.substr(0, colon), to = text.substr(colon + 1);
    if ((from.empty() || is_number(from)) && (to.empty() || is_number(to))) {
      const u64 last = to.empty() ? length() : std::stoull(to.substr(0, 8));
      return {{(from.empty() ? "0" : from) + "-" + std::to_string(last ? last - 1 : 0), true}};
    }
  }
  if (const size_t comma = text.find(','); comma != text.npos && is_number(text.substr(0, comma)))
    return {{text.substr(0, comma), true}, {text.substr(comma + 1), true}};
  return {{text, true}};
}

/// The value of a key of elements that is this word: id=itembox, name=floor.
std::string find_condition(const Spans& spans, const std::string& list, const std::string& word) {
  for (const char* key : {"name", "id", "type", "kind"}) {
    const std::string condition = std::string(key) + "=" + word;
    if (resolves(spans, list + "[" + condition + "]")) return condition;
  }
  return {};
}

/// Whether a text has a word, singular or plural.
bool has_word(std::string_view text, std::string word) {
  if (word.ends_with('s')) word.pop_back();
  const std::string all = lower_case(std::string(text));
  for (size_t at = all.find(word); at != all.npos; at = all.find(word, at + 1)) {
    const bool starts = at == 0 || !std::isalpha(u8(all[at - 1]));
    const std::string_view rest = std::string_view(all).substr(at + word.size());
    if (starts && (rest.empty() || !std::isalpha(u8(rest[0])) || rest.starts_with("s"))) return true;
  }
  return false;
}

/// The span that `wanted` accepts first; the nearest to the root wins.
u32 find_span(const Spans& spans, const std::function<bool(const Span&)>& wanted) {
  std::vector<u32> level{0};
  for (size_t seen = 0; seen < level.size() && seen < 20000; ++seen) {
    u32 found = 0;
    spans.for_each_child(level[seen], [&](u32 i) {
      if (!found && spans[i].is_value() && wanted(spans[i])) found = i;
      level.push_back(i);
    });
    if (found) return found;
  }
  return 0;
}

/// A thing by the name that other programs, the viewer or the file have for it.
std::string find_thing(const TracedFile& file, const std::string& word) {
  const Spans& spans = file.traced.spans;
  const std::string small = lower_case(word);
  const auto is_named = [&](const Span& s, auto&& test) { return s.key.name && test(std::string(s.key.name)); };
  // A layer of the viewer: objects for GOBJ.
  const auto kinds = file.format->scenes ? file.format->scenes->kinds : std::span<const NodeKind>();
  for (const bool exactly : {true, false})
    for (const NodeKind& k : kinds) {
      const std::string title = lower_case(std::string(k.layer));
      const bool fits = exactly ? title == small || title == small + "s" : small.size() > 3 && has_word(title, small);
      if (!k.path.empty() && fits && resolves(spans, std::string(k.path))) return std::string(k.path);
    }
  // A field of this name, in any case.
  if (const u32 i = find_span(spans, [&](const Span& s) {
        return is_named(s, [&](const std::string& name) { return lower_case(name) == small; });
      }))
    return spans.path(i);
  // A list whose description has the word.
  if (small.size() > 2)
    if (const u32 i = find_span(spans, [&](const Span& s) {
          return (s.kind == Span::Kind::object || s.kind == Span::Kind::list) && s.key.about &&
                 has_word(s.key.about, small);
        }))
      return spans.path(i);
  // An element that has it as its name or number.
  std::string element;
  for (u32 i = 0; i < spans.all.size() && element.empty(); ++i) {
    const Span& s = spans[i];
    if (s.kind == Span::Kind::object || s.kind == Span::Kind::list || !s.is_value() || !s.key.name) continue;
    if (std::string_view(s.key.name) != "name" && std::string_view(s.key.name) != "id") continue;
    const std::string path = spans.path(i), list = path.substr(0, path.rfind('['));
    if (list.size() == path.size()) continue;
    const std::string condition = std::string(s.key.name) + "=" + word;
    const std::string shown = spans.show(i);
    if (lower_case(shown).find(small) == shown.npos) continue;
    if (resolves(spans, list + "[" + condition + "]")) element = list + "[" + condition + "]";
    // A list that is alone in its structure need not be named: GOBJ[id=PalmTree].
    const size_t dot = element.empty() ? element.npos : list.rfind('.');
    const std::string shorter = dot == list.npos ? "" : list.substr(0, dot) + "[" + condition + "]";
    if (resolves(spans, shorter)) element = shorter;
  }
  if (!element.empty()) return element;
  // A slip of the fingers.
  std::vector<std::string> names;
  spans.for_each_child(0, [&](u32 i) {
    if (spans[i].key.name && spans[i].is_value()) names.emplace_back(spans[i].key.name);
  });
  if (const std::string like = closest_match(word, names); !like.empty()) return like;
  // The start of a field: fog_color for fog_red.
  const size_t cut = small.rfind('_');
  if (cut != small.npos && cut > 1)
    if (const u32 i = find_span(spans, [&](const Span& s) {
          return is_named(
              s, [&](const std::string& name) { return lower_case(name).starts_with(small.substr(0, cut + 1)); });
        }))
      return spans.path(i);
  return {};
}

}  // namespace

std::string find_path_like(const TracedFile& file, const std::string& typed) {
  const Spans& spans = file.traced.spans;
  if (typed.empty() || spans.find(typed) || resolves(spans, typed)) return typed;
  const auto steps = split_path(typed);
  if (typed.find_first_of(".[/") == typed.npos) return find_thing(file, typed);
  // Step by step, each as it may be meant.
  std::vector<Step> out;
  for (const Step& step : steps) {
    const std::string before = join_path(out);
    std::vector<Step> next = step.in_brackets ? respell_bracket(spans, before, step.text) : std::vector{step};
    auto with = [&](const std::vector<Step>& more) {
      std::vector<Step> all = out;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    if (!resolves(spans, join_path(with(next)))) {
      const std::string word = next[0].text;
      const std::string condition = before.empty() ? "" : find_condition(spans, before, word);
      if (!condition.empty()) {
        next = {{condition, true}};
      } else if (next[0].in_brackets && is_number(word) && std::stoull(word.substr(0, 4)) < 4) {  // position[0]
        const std::string axis(1, "xyzw"[std::stoull(word)]);
        if (resolves(spans, join_path(with({{axis, false}})))) next = {{axis, false}};
      } else if (!next[0].in_brackets) {
        const Step first{"0", true};
        if (resolves(spans, join_path(with({first, next[0]})))) {
          next = {first, next[0]};  // STGI.laps
        } else if (before.empty()) {
          const std::string thing = find_thing(file, word);
          if (!thing.empty()) next = split_path(thing);
        } else {
          std::vector<std::string> names;
          const auto spot = spans.find(before);
          if (spot && !spot->element)
            spans.for_each_child(spot->span, [&](u32 i) {
              if (spans[i].key.name) names.emplace_back(spans[i].key.name);
            });
          if (const std::string like = closest_match(word, names); !like.empty()) next = {{like, false}};
        }
      }
    }
    out = with(next);
  }
  const std::string path = join_path(out);
  return resolves(spans, path) ? path : std::string();
}

namespace {

/// The one member of an archive in which a path exists.
bool move_into_archive(CommandLine& c, const TracedFile& file, const std::string& path) {
  if (!file.format->archive && !file.format->id.starts_with("yaz")) return false;
  const auto tree = open_archive_file(c.operand(0));
  if (!tree) return false;
  size_t tried = 0;
  for (const std::string& member : (*tree)->list()) {
    if (++tried > 64) break;
    const std::string name = c.operand(0) + "/" + member;
    const auto inside = trace(name);
    if (!inside || inside->traced.stop || !resolves(inside->traced.spans, path)) continue;
    c.set_operand(0, name);
    return true;
  }
  return false;
}

}  // namespace

void repair_paths(CommandLine& c, const Manual&) {
  const bool takes_path = c.verb == "get" || c.verb == "ls" || c.verb == "tree" || c.verb == "refs" || c.verb == "hex";
  if (c.verb == "explain") {
    // FILE PATH, FILE QUESTION@..., FILE@X,Z
    std::string topic = c.operand(0);
    if (const size_t at = topic.find('@');
        at != topic.npos && topic.find('#') == topic.npos && is_file(topic.substr(0, at))) {
      const auto file = trace(topic.substr(0, at));
      const auto questions = file ? questions_of(*file->format) : std::span<const Question>();
      if (!questions.empty())
        c.set_operand(0, topic.substr(0, at) + "#" + std::string(questions[0].name) + topic.substr(at));
      return;
    }
    while (c.count_operands() > 3 && exists(topic)) {  // FILE QUESTION X Z
      c.set_operand(2, c.operand(2) + "," + c.operand(3));
      c.remove_operand(3);
    }
    if (c.count_operands() == 3 && exists(topic)) {  // FILE QUESTION X,Z
      c.set_operand(1, c.operand(1) + "@" + c.operand(2));
      c.remove_operand(2);
    }
    if (c.count_operands() == 2 && exists(topic)) {
      topic += "#" + c.operand(1);
      c.remove_operand(1);
      c.set_operand(0, topic);
    }
    const size_t hash = topic.find('#');
    if (hash == topic.npos || topic.find('@') != topic.npos) {
      const auto file = hash == topic.npos ? nullptr : trace(topic.substr(0, hash));
      if (file && questions_of(*file->format).empty() && topic.find('@') != topic.npos)
        c.set_operand(0, topic.substr(0, hash));
      return;
    }
    const auto file = trace(topic.substr(0, hash));
    const std::string path = file ? find_path_like(*file, topic.substr(hash + 1)) : "";
    if (!path.empty()) c.set_operand(0, topic.substr(0, hash) + "#" + path);
    return;
  }
  if (!takes_path || c.count_operands() < 2) return;
  const auto file = trace(c.operand(0));
  if (!file) return;
  std::string typed = c.operand(1);
  if (c.count_operands() == 3 && is_number(c.operand(2))) {  // GOBJ 0
    typed += "[" + c.operand(2) + "]";
    c.remove_operand(2);
    c.set_operand(1, typed);
  }
  if (typed.starts_with("0x") && typed.size() > 2) {
    c.verb = "hex";
    c.remove_operand(1);
    c.add_option("--range", typed);
    return;
  }
  if (const std::string path = find_path_like(*file, typed); !path.empty())
    c.set_operand(1, path);
  else
    move_into_archive(c, *file, typed);
}

}  // namespace dio::cli::suggest
