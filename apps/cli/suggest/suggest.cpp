#include "suggest.hpp"

#include <algorithm>

#include "../command_line/parse.hpp"
#include "../verbs/edited_file.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "layout/selector.hpp"
#include "operations/edit_steps.hpp"
#include "operations/game_editing.hpp"
#include "repairs.hpp"

namespace dio::cli {

using namespace suggest;

namespace {

/// Whether the edits of a command can be made: they are tried, and nothing is written.
bool has_good_edits(const Request& r) {
  std::vector<EditStep> steps;
  if (r.verb == "set") {
    steps.push_back({"set"});
    for (const std::string& word : r.assignments) {
      const size_t equals = find_equals(word);
      if (equals == word.npos || equals == 0) return false;
      steps[0].arguments.push_back({word.substr(0, equals), word.substr(equals + 1)});
    }
  } else {
    auto parsed = parse_edit_steps(r.assignments);
    if (!parsed) return false;
    steps = std::move(*parsed);
  }
  if (game_in(r.inputs[0]) && std::ranges::all_of(steps, is_game_edit)) return true;
  const auto inputs = resolve_input_names({r.inputs[0]});
  Report none;
  if (inputs.size() != 1) return false;
  auto opened = open_input(r, inputs[0], none);
  SharedNames names;
  return opened && apply_edit_steps(r, std::move(*opened), steps, names, none);
}

/// Whether a command can work: its words exist, its inputs, and the values and edits that it names.
bool is_good(const CommandLine& c) {
  const Parsed parsed = parse(c.arguments());
  if (!parsed.run) return parsed.report.exit == ExitCode::done;
  const Request& r = parsed.request;
  if (r.verb == "explain" || r.verb == "help" || r.verb == "schema" || r.verb == "formats" || r.verb == "completion" ||
      r.verb == "licences") {
    const std::string& topic = r.topic.empty() && !r.inputs.empty() ? r.inputs[0] : r.topic;
    if (r.verb != "explain" || topic.empty()) return true;
    const size_t hash = topic.find('#');
    if (hash == topic.npos) return find_rule(topic) || find_format(topic);
    const auto file = trace(topic.substr(0, hash));
    const std::string path = topic.substr(hash + 1);
    return file && (path.find('@') != path.npos || select(file->traced.spans, path));
  }
  if (r.inputs.empty()) return true;
  if (r.verb == "edit" || r.verb == "set") return exists(r.inputs[0]) && has_good_edits(r);
  for (const std::string& input : r.inputs)
    if (!exists(input)) return false;
  if (!r.onto.empty() && !exists(r.onto)) return false;
  if (r.as || !r.layout.empty()) {
    const auto file = trace(r.inputs[0], r.as);
    if (!file || file->traced.stop) return false;
  }
  const bool takes_path = r.verb == "get" || r.verb == "ls" || r.verb == "tree" || r.verb == "hex" || r.verb == "refs";
  if (takes_path && !r.path.empty() && !r.maps) {
    if (r.path.find('/') != r.path.npos) {
      const auto played = game_in(r.inputs[0]);
      return played && find_part(*played, r.path);
    }
    const auto file = trace(r.inputs[0], r.as);
    return file && select(file->traced.spans, r.path);
  }
  if (!r.part.empty()) {
    const auto played = game_in(r.inputs[0]);
    if (!played || !find_part(*played, r.part)) return false;
  }
  return true;
}

bool is_same(const CommandLine& a, const CommandLine& b) { return a.arguments() == b.arguments(); }

}  // namespace

std::string suggest_command(const std::vector<std::string>& arguments) {
  const Manual m = build_manual();
  const CommandLine typed = split_words(arguments, m);
  CommandLine c = typed;
  constexpr void (*k_repairs[])(CommandLine&, const Manual&) = {repair_verb,   repair_options, repair_misplaced_output,
                                                                repair_topics, repair_files,   repair_games,
                                                                repair_edits,  repair_paths,   add_missing_output};
  for (int round = 0; round < 3; ++round) {
    const CommandLine before = c;
    for (const auto repair : k_repairs) repair(c, m);
    if (is_same(before, c)) break;
  }
  if (!c.verb.empty() && !is_same(c, typed) && is_good(c)) return c.text();
  // A word that is no value of a field: what explains the field.
  if (typed.verb != "set" || find_equals(typed.operand(1)) == std::string::npos) return {};
  const std::string word = typed.operand(1);
  CommandLine field{"explain",
                    {Word{typed.operand(0) + "#" + word.substr(0, std::min(find_equals(word), word.size()))}}};
  return is_good(field) ? field.text() : "";
}

/// An edit of a whole game: its arguments if the game was given, else the command.
static std::string explain_game_edit(const std::string& input, const std::string& word) {
  for (const GameKind* kind : game_kinds())
    for (const GameEdit& e : kind->edits) {
      if (e.name != word) continue;
      // Several games may have an edit of this name.
      if (const auto opened = game_in(input)) {
        if (opened->kind != kind) continue;
        return "the arguments of " + word + ": " + usage_line(e.parameters);
      }
      const auto archive = split_archive_path(input);
      const std::string game = archive && game_in(archive->file) ? archive->file : "GAME";
      return word + " is an edit of a whole game: dio edit " + game + " " + word + " " + usage_line(e.parameters);
    }
  return {};
}

std::string explain_misplaced_word(const std::vector<std::string>& arguments) {
  const Manual m = build_manual();
  const CommandLine c = split_words(arguments, m);
  const std::string word = c.verb == "edit" || c.verb == "set" ? c.operand(1) : c.operand(0);
  const bool takes_path = c.verb == "get" || c.verb == "refs" || c.verb == "ls" || c.verb == "tree" || c.verb == "set";
  if (takes_path && c.count_operands() == 1 && c.operand(0).find('[') != std::string::npos && !exists(c.operand(0)))
    return "the file is missing: dio " + c.verb + " FILE " + c.operand(0);
  const auto file = c.verb == "edit" ? trace(c.operand(0)) : nullptr;
  if (file && find_edit(*file->format, word)) return {};  // its arguments are wrong, not its place
  if (c.verb == "edit")
    if (std::string text = explain_game_edit(c.operand(0), word); !text.empty()) return text;
  if (c.verb == "pack" && c.count_operands() > 1 && is_file(c.operand(0)))
    return "pack takes one folder: put the files into a folder and type dio pack FOLDER -o " +
           (c.option({"-o", "--output"}) ? c.option({"-o", "--output"})->value : std::string("NEW.szs"));
  const std::string part = c.operand(2);
  if (c.verb == "edit" && word != "set-part" && find_list_edit(word) && part.find('/') != part.npos &&
      part.find('[') == part.npos && !game_in(c.operand(0)))
    return "parts such as " + part + " are edited in a whole game: dio edit GAME " + word + " " + part;
  for (const Format* f : formats())
    for (const Edit& e : edits_of(*f))
      if (e.name == word)
        return word + " is an edit of " + std::string(f->id) + " files: dio edit FILE " + word +
               (e.parameters.empty() ? "" : " ") + usage_line(e.parameters);
  if (const ListEdit* e = find_list_edit(word); e && c.verb != "edit")
    return word + " is an edit: dio edit FILE " + word + " " + usage_line(e->parameters);
  return {};
}

}  // namespace dio::cli
