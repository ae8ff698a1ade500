// options.cpp: options of other programs, and options of one verb given to another.
#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "operations/edit_steps.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

namespace {

struct OtherOption {
  const char* verb;             // "": of every verb
  const char* option;           // as it was typed
  const char* name;             // as it is here; "": it is left out
  const char* value = nullptr;  // null: the one that was typed
};

/// The first one that fits counts.
constexpr OtherOption k_other_options[] = {
    {"ls", "-R", "-a"},
    {"ls", "--recursive", "-a"},
    {"", "-R", "-r"},
    {"", "--threads", "-j"},
    {"", "--silent", "-q"},
    {"", "-y", "-f"},
    {"", "--yes", "-f"},
    {"", "--overwrite", "-f"},
    {"", "-w", "-i"},
    {"", "--write", "-i"},
    {"", "--inplace", "-i"},
    {"", "--no-color", "--color", "never"},
    {"", "--no-colour", "--color", "never"},
    {"", "--out", "-o"},
    {"", "--outdir", "-o"},
    {"", "--output-dir", "-o"},
    {"tree", "-L", "--depth"},
    {"tree", "--level", "--depth"},
    {"budget", "-o", "--picture"},
    {"budget", "--output", "--picture"},
    {"diff", "-o", "--render"},
    {"diff", "--output", "--render"},
    {"merge", "--ours", "--favor", "ours"},
    {"merge", "--theirs", "--favor", "theirs"},
    {"textures", "--import", "--replace"},
    {"textures", "--insert", "--replace"},
    {"textures", "--extract", "-o", "pictures/"},
    {"textures", "--export", "-o", "pictures/"},
    {"unpack", "-d", "-o"},
    {"unpack", "-C", "-o"},
    {"unpack", "-x", ""},
    {"encode", "--as", ""},
    {"render", "--map", "--part"},
    {"world", "--night", "--time", "22:00"},
    {"render", "--night", "--time", "22:00"},
    {"convert", "--night", "--state", "night"},
    {"check", "--map", "--maps", ""},
    {"check", "--level", "--show"},
    {"check", "--severity", "--show"},
    {"check", "--max-warnings", "--fail-on", "warning"},
    {"check", "--werror", "--fail-on", "warning"},
    {"check", "-Werror", "--fail-on", "warning"},
    {"ls", "-r", "-a"},
    {"ls", "-R", "-a"},
    {"world", "--weather", "--state"},
    {"convert", "--weather", "--state"},

    {"textures", "--name", ""},
    {"textures", "--texture", ""},
    {"budget", "--map", "--part"},
    {"render", "--textures", "--with"},
    {"edit", "--file", "--script"},
    {"edit", "-f", "--script"},
    {"refs", "--from", ""},
    {"check", "--severity", "--show"},
    {"check", "--min-severity", "--show"},
    {"check", "--no-warnings", "--show", "error"},
    {"check", "--no-hints", "--show", "warning"},
    {"check", "--errors-only", "--show", "error"},
    {"check", "--errors", "--show", "error"},
    {"check", "--quiet-hints", "--show", "warning"},
    {"check", "--disable", "--ignore"},
    {"check", "--exclude", "--ignore"},
    {"check", "--skip", "--ignore"},
    {"check", "--suppress", "--ignore"},
    {"check", "--only", "--rule"},
    {"check", "--select", "--rule"},
    {"check", "--enable", "--rule"},
    {"check", "--id", "--rule"},
    {"check", "--all-maps", "--maps", ""},
    {"check", "--game", "--maps", ""},
    {"check", "--output-format", "--format"},
    {"check", "--repair", "--fix", ""},
    {"check", "--autofix", "--fix", ""},
    {"diff", "--binary", "--bytes", ""},
    {"diff", "--hex", "--bytes", ""},
    {"diff", "--picture", "--render"},
    {"diff", "--image", "--render"},
    {"get", "--csv", "--each", ""},
    {"get", "--tsv", "--each", ""},
    {"get", "--table", "--each", ""},
    {"get", "--fields", "--columns"},
    {"get", "--column", "--columns"},
    {"get", "--select", "--columns"},
    {"get", "--all", "--each", ""},
    {"get", "-a", "--each", ""},
    {"decode", "--minimal", "--lean", ""},
    {"decode", "--compact", "--lean", ""},
    {"decode", "--short", "--lean", ""},
    {"render", "--layers", "--show"},
    {"render", "--layer", "--show"},
    {"render", "--overlay", "--show"},
    {"render", "--bg", "--background"},
    {"render", "--bgcolor", "--background"},
    {"render", "--color-background", "--background"},
    {"render", "--topdown", "--camera", "top"},
    {"render", "--top", "--camera", "top"},
    {"render", "--ortho", "--camera", "top"},
    {"render", "--above", "--camera", "top"},
    {"render", "--angle", "--camera"},
    {"render", "--view", "--camera"},
    {"render", "--resolution", "--size"},
    {"render", "--dimensions", "--size"},
    {"render", "--night", "--time", "22:00"},
    {"render", "--fps", ""},
    {"show", "--animate", "--play", ""},
    {"show", "--loop", "--play", ""},
    {"show", "--map", "--part"},
    {"set", "--save", "-i", ""},
    {"edit", "--save", "-i", ""},
    {"set", "--edit", "-i", ""},
    {"", "--in-place-edit", "-i", ""},
    {"", "--dryrun", "-n", ""},
    {"", "--simulate", "-n", ""},
    {"", "--what-if", "-n", ""},
    {"", "--verbose-output", "-v", ""},
    {"", "--debug", "-v", ""},
    {"pack", "--names", "--named", ""},
    {"pack", "--with-names", "--named", ""},
    {"unpack", "--outdir", "-o"},
    {"unpack", "--directory", "-o"},
    {"unpack", "--target", "-o"},
    {"textures", "--palettes", "-a", ""},
    {"textures", "--all-palettes", "-a", ""},
    {"textures", "--insert", "--replace"},
    {"textures", "--put", "--replace"},
    {"textures", "--update", "--replace"},
    {"convert", "--version", "--target-layout"},
    {"convert", "--output-format", "--to"},
    {"convert", "--type", "--to"},
    {"convert", "--apply", "--onto"},
    {"convert", "--base", "--onto"},
    {"convert", "--into", "--onto"},
    {"convert", "--back", "--onto"},
    {"convert", "--target", "--onto"},
    {"convert", "--original", "--onto"},
    {"world", "--night", "--time", "22:00"},

    {"view", "--listen", "--serve", ""},
    {"view", "--server", "--serve", ""},
    {"hex", "--all", "-a", ""},
    {"merge", "--prefer", "--favor"},
    {"merge", "--strategy", "--favor"},
    {"merge", "--favour", "--favor"},
    {"", "--exclude", "--ignore"},
    {"", "--parallel", "-j"},
    {"", "--workers", "-j"},
    {"", "--cores", "-j"},
    {"", "--colour", "--color"},
    {"", "--list", "--files-from"},
    {"", "--file-list", "--files-from"},
    {"", "-T", "--files-from"},
    {"", "--from", "--as"},
    {"", "--in", "--as"},
    {"", "--type", "--as"},
};

void rename_option(CommandLine& c, Word& w, const OtherOption& o) {
  if (!*o.name) return c.remove_option({o.option});
  w.text = o.name;
  if (o.value) {
    w.value = o.value;
    w.has_value = *o.value != 0;
  }
}

bool has_option(const VerbText& verb, const Manual& m, const std::string& name) {
  for (const auto* list : {&verb.options, &m.common})
    for (const OptionText& o : *list)
      if (std::ranges::find(o.names, name) != o.names.end()) return true;
  return false;
}

/// --format json, --format glb, --format land-data.
bool repair_format(Word& w, const VerbText& verb, const Manual& m) {
  if (w.text != "--format" && w.text != "--output-format") return false;
  if (has_option(verb, m, "--format") && (w.value == "sarif" || w.value == "text" || w.value == "json")) {
    w.text = "--format";
    return true;
  }
  const std::string value = lower_case(w.value);
  if (value == "json" && has_option(verb, m, "--json")) {
    w = {"--json", true};
    return true;
  }
  const bool is_output = value == "glb" || value == "gltf" || value == "json";
  w.text = is_output && has_option(verb, m, "--to") ? "--to" : "--as";
  return true;
}

/// -s 0x100 -n 64 as a range.
void repair_range(CommandLine& c) {
  std::string start, length;
  for (const char* name : {"-s", "--offset", "--start", "--seek", "--skip"})
    if (const Word* w = c.option({name}); w && w->has_value) {
      start = w->value;
      c.remove_option({name});
    }
  for (const char* name : {"-n", "-l", "--length", "--count", "--size"})
    if (const Word* w = c.option({name}); w && w->has_value) {
      length = w->value;
      c.remove_option({name});
    }
  if (!start.empty() || !length.empty())
    c.add_option("--range", (start.empty() ? "0" : start) + (length.empty() ? "" : "+" + length));
}

void repair_size(CommandLine& c) {
  const Word *width = c.option({"--width"}), *height = c.option({"--height"});
  if (!width && !height) return;
  const std::string w = width ? width->value : "640", h = height ? height->value : "480";
  c.remove_option({"--width", "--height"});
  c.add_option("--size", w + "x" + h);
}

/// An edit, a field or a verb that was typed as an option.
bool repair_unknown(CommandLine& c, const std::string& option) {
  const Word w = *c.option({option.c_str()});
  const std::string name = option.substr(option.find_first_not_of('-'));
  const auto file = trace(c.operand(0));
  if (!file) return false;
  const Edit* edit = find_edit(*file->format, name);
  if (edit && (c.verb == "edit" || c.verb == "set" || c.verb == "convert")) {
    c.verb = "edit";
    c.remove_option({option.c_str()});
    c.insert_operand(1, name);
    if (w.has_value) c.insert_operand(2, w.value);
    return true;
  }
  // A field: set --laps 5.
  const std::string path = find_path_like(*file, name);
  if (!w.has_value || path.empty()) return false;
  c.verb = "set";
  c.remove_option({option.c_str()});
  c.insert_operand(1, path + "=" + w.value);
  if (!c.has({"-o", "--output", "-i", "-n"})) c.add_option("-i");
  return true;
}

/// An option by one of its values (--kitty for --graphics kitty), by its start, or of another verb that takes the file.
bool repair_by_meaning(CommandLine& c, size_t i, const VerbText& verb, const Manual& m) {
  const std::string name = c.words[i].text.substr(c.words[i].text.find_first_not_of('-'));
  if (name.size() < 2) return false;
  for (const OptionText& o : verb.options)
    if (std::ranges::find(o.choices, name) != o.choices.end()) {
      c.words[i] = {o.names.back(), true, true, name};
      return true;
    }
  for (const char* other : {"tree", "ls", "check", "convert", "render", "diff", "world"}) {
    const VerbText* v = m.find(other);
    const bool takes = v && std::ranges::any_of(v->options, [&](const OptionText& o) {
                         return std::ranges::find(o.names, c.words[i].text) != o.names.end();
                       });
    if (!takes || c.verb == other || (c.verb != "info" && c.verb != "ls" && c.verb != "tree")) continue;
    c.verb = other;
    return true;
  }
  return false;
}

}  // namespace

void repair_options(CommandLine& c, const Manual& m) {
  if (c.verb == "hex") repair_range(c);
  if (c.verb == "check" && c.has({"--list-rules", "--rules", "--list"}) && c.count_operands() == 0) {
    c.verb = "explain";
    c.words.clear();
    return;
  }
  if (const Word* w = c.option({"-o", "--output"}); w && w->has_value && c.verb == "thumbnail") {
    const std::string to = w->value;
    c.remove_option({"-o", "--output"});
    c.insert_operand(1, to);
  }
  if (c.verb == "world" || c.verb == "maps" || c.verb == "refs")
    if (const Word* w = c.option({"--map", "--part"}); w && w->has_value) {
      const std::string part = w->value;
      c.remove_option({"--map", "--part"});
      c.insert_operand(1, part);
    }
  if (Word* w = c.option({"--baseline"}); w && c.verb == "check" && (!w->has_value || !exists(w->value))) {
    c.remove_option({"--baseline"});
    c.add_option("--json");
    c.add_option("-o", "known.json");
  }
  if (c.verb == "merge" && c.has({"--base"})) {  // BASE OURS THEIRS is the order anyway
    const Word base = *c.option({"--base"});
    const size_t at = size_t(c.option({"--base"}) - c.words.data());
    c.words.erase(c.words.begin() + std::ptrdiff_t(at));
    if (base.has_value) c.insert_operand(0, base.value);
  }
  if (c.verb == "refs")
    for (const char* name : {"--to", "--of", "--element", "--path"})
      if (const Word* w = c.option({name}); w && w->has_value) {
        const std::string path = w->value;
        c.remove_option({name});
        c.insert_operand(1, path);
      }
  if (c.verb == "textures" && c.has({"--delete", "--remove"})) {
    const Word gone = *c.option({"--delete", "--remove"});
    c.remove_option({"--delete", "--remove"});
    c.verb = "edit";
    c.insert_operand(1, "remove-texture");
    if (gone.has_value) c.insert_operand(2, "texture=" + gone.value);
  }
  if ((c.verb == "edit" || c.verb == "set") && c.has({"--gui", "--viewer"})) {
    c.verb = "view";
    c.remove_option({"--gui", "--viewer"});
    while (c.count_operands() > 1) c.remove_operand(1);
    c.add_option("--serve");
    c.add_option("--edit");
  }
  if (Word* w = c.option({"--scale", "--unit-scale"}); w && c.verb == "convert") {
    const Word* o = c.option({"-o", "--output"});
    w->text = o && extension(o->value) == ".splashpack" ? "--scaling" : "--units-per-metre";
  }
  if (Word* w = c.option({"--time"}); w && (w->value == "night" || w->value == "day"))
    w->value = w->value == "night" ? "22:00" : "12:00";
  if (c.verb == "budget" && c.has({"--part", "--map"}) && !c.has({"--maps"})) c.add_option("--maps");
  if (c.verb == "verify" && c.has({"--compare", "--against"}) && c.count_operands() == 2) c.verb = "diff";
  for (const char* name :
       {"--animation", "--anim", "--with", "--add", "--textures"})  // files that belong together are all inputs
    if (const Word* w = c.option({name});
        w && w->has_value && is_file(w->value) && (c.verb == "convert" || c.verb == "render" || c.verb == "show")) {
      const std::string file = w->value;
      c.remove_option({name});
      c.insert_operand(c.count_operands(), file);
    }
  if (c.verb == "find" && c.has({"-name", "--name"})) {
    c.remove_option({"-name", "--name"});
    c.verb = "info";
    c.add_option("-r");
    return;
  }
  const VerbText* verb = m.find(c.verb);
  if (!verb) return;
  if (has_option(*verb, m, "--size")) repair_size(c);
  for (size_t i = 0; i < c.words.size(); ++i) {
    if (!c.words[i].is_option || has_option(*verb, m, c.words[i].text)) continue;
    if (repair_format(c.words[i], *verb, m)) continue;
    const auto other = std::ranges::find_if(k_other_options, [&](const OtherOption& o) {
      return (!*o.verb || c.verb == o.verb) && c.words[i].text == o.option &&
             (!*o.name || has_option(*verb, m, o.name));
    });
    if (other != std::end(k_other_options)) {
      rename_option(c, c.words[i], *other);
      i = size_t(-1);  // words may have moved
      continue;
    }
    const std::string name = c.words[i].text;
    if (repair_unknown(c, name)) return repair_options(c, m);
    // A word with one slip.
    std::vector<std::string> names;
    for (const auto* list : {&verb->options, &m.common})
      for (const OptionText& o : *list)
        for (const std::string& n : o.names)
          if (n.starts_with("--")) names.push_back(n.substr(2));
    const std::string like = name.starts_with("--") ? closest_match(name.substr(2), names) : "";
    if (!like.empty()) {
      c.words[i].text = "--" + like;
      continue;
    }
    if (repair_by_meaning(c, i, *verb, m)) return repair_options(c, m);
    // What is left may be what was meant: ls -l.
    const Word lost = c.words[i];
    c.words.erase(c.words.begin() + std::ptrdiff_t(i--));
    if (lost.has_value && exists(lost.value)) c.insert_operand(c.count_operands(), lost.value);
  }
}

}  // namespace dio::cli::suggest
