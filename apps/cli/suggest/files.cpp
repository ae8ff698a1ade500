// files.cpp: FILE that is not the first word, two words that belong together, and names that nearly exist.
#include <algorithm>

#include "../system/filesystem.hpp"
#include "bridge/scene_file/scene_file.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "layout/selector.hpp"
#include "operations/edit_steps.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

namespace {

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// All files that a name may lead to: in its folder and one below, or in its archive.
std::vector<std::string> files_near(const std::string& name) {
  std::vector<std::string> out;
  for (size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
    const std::string archive = name.substr(0, slash);
    if (!is_file(archive)) continue;
    if (const auto tree = open_archive_file(archive))
      for (const std::string& member : (*tree)->list()) out.push_back(archive + "/" + member);
    return out;
  }
  std::error_code error;
  size_t seen = 0;
  for (fs::recursive_directory_iterator i(".", fs::directory_options::skip_permission_denied, error), end;
       i != end && ++seen < 5000; i.increment(error)) {
    if (error) break;
    if (i.depth() >= 1) i.disable_recursion_pending();
    out.push_back(i->path().lexically_normal().string());
  }
  return out;
}

/// A file that exists, for a name that does not; empty: none is like it.
std::string find_near_file(std::string name) {
  std::ranges::replace(name, '\\', '/');
  if (exists(name)) return name;
  if (const size_t colon = name.find(':'); colon != name.npos) {
    std::string joined = name;
    joined[colon] = '/';
    if (exists(joined)) return joined;
  }
  if (name.ends_with(']')) {
    const size_t bracket = name.rfind('[');
    const std::string member = name.substr(0, bracket) + "/" + name.substr(bracket + 1, name.size() - bracket - 2);
    if (bracket != name.npos && exists(member)) return member;
  }
  const std::string wanted = lower_case(base_name(name));
  for (const std::string& file : files_near(name))
    if (lower_case(base_name(file)) == wanted) return file;
  return {};
}

/// Whether the first argument of a verb is a file.
bool takes_file(const Manual& m, const std::string& verb) {
  const VerbText* text = m.find(verb);
  return text && !text->arguments.empty() && verb != "explain" && verb != "help" && verb != "schema" &&
         verb != "completion" && verb != "licences" && verb != "formats";
}

bool is_word_of_value(const std::string& word) { return word.find('=') != word.npos || word.find('[') != word.npos; }

/// FILE to the front.
void move_file_first(CommandLine& c) {
  const std::string first = c.operand(0);
  if (exists(first)) return;
  for (size_t n = 1; n < c.count_operands(); ++n) {
    const std::string file = c.operand(n);
    if (!exists(file)) continue;
    if (c.verb == "pack" && is_folder(file)) {  // pack NEW FOLDER
      c.remove_operand(0);
      if (!c.has({"-o", "--output"})) c.add_option("-o", first);
      return;
    }
    if (!extension(first).empty() && !is_word_of_value(first) && c.verb != "ls" && c.verb != "get" && c.verb != "tree")
      return;
    c.remove_operand(n);
    c.insert_operand(0, file);
    return;
  }
}

/// ARCHIVE MEMBER as one path.
bool join_member(CommandLine& c) {
  const std::string archive = c.operand(0), member = c.operand(1);
  if (member.empty() || is_file(member) || !is_file(archive)) return false;
  if (c.verb == "world" || c.verb == "maps" || c.verb == "refs" || c.verb == "set" || c.verb == "edit") return false;
  if (member.find_first_not_of("0123456789") == member.npos) return false;
  const std::string joined = archive + "/" + member;
  if (!exists(joined) && !exists(find_near_file(joined))) return false;
  c.set_operand(0, exists(joined) ? joined : find_near_file(joined));
  c.remove_operand(1);
  return true;
}

}  // namespace

void repair_files(CommandLine& c, const Manual& m) {
  if (!takes_file(m, c.verb)) return;
  if (c.verb == "edit" && !exists(c.operand(0)) && find_list_edit(c.operand(0)) && exists(c.operand(1))) {
    const std::string name = c.operand(0);  // edit remove FILE ELEMENT
    c.remove_operand(0);
    c.insert_operand(1, name);
  }
  move_file_first(c);
  const std::string first = c.operand(0);
  if (c.verb == "edit" && c.count_operands() == 2 && is_file(c.operand(1)) && !find_list_edit(c.operand(1))) {
    const std::string script = c.operand(1);
    c.remove_operand(1);
    c.add_option("--script", script);
  }
  if (c.verb == "refs" && c.count_operands() == 2 && is_file(c.operand(1))) {
    const std::string other = c.operand(1);
    c.remove_operand(1);
    c.add_option("--with", other);
  }
  if (Word* o = c.option({"-o", "--output"});
      o && c.count_operands() > 1 && extension(o->value).empty() && !o->value.ends_with('/') && c.verb == "render")
    o->value += '/';                                                 // a folder for several results
  if (c.verb == "show" || c.verb == "render" || c.verb == "info") {  // a path of values, or a file that is none
    const std::string path = c.operand(1);
    const auto file = path.empty() || exists(path) ? nullptr : trace(first);
    if (file && !file->format->archive && !find_path_like(*file, path).empty()) {
      c.verb = "tree";
      c.remove_option({"-o", "--output"});
      return;
    }
  }
  if (c.verb == "encode" && trace(first) && extension(first) != ".json") c.verb = "decode";
  if (c.verb == "pack" && is_file(first) && is_folder(c.operand(1))) {  // pack ARCHIVE FOLDER
    c.remove_operand(0);
    if (!c.has({"-o", "--output"})) c.add_option("-o", first);
    if (!c.has({"-f", "--force"})) c.add_option("-f");
    return;
  }
  if (c.verb == "get" && c.count_operands() == 1 && is_file(first)) c.verb = "ls";
  if (c.verb == "unpack" && is_file(first)) {
    const auto file = trace(first);
    if (file && !file->format->archive) {
      c.verb = "decode";
      c.remove_option({"-o", "--output"});
      c.add_option("-o", stem(first) + ".json");
      return;
    }
  }
  if (c.verb == "check" && c.has({"--fix"}) && is_file(first)) {
    const auto file = trace(first);
    if (file && !file->format->repair) {
      c.verb = "convert";
      c.remove_option({"--fix"});
      c.add_option("--canonical");
    }
  }
  if (first.empty()) return;
  if (!exists(first)) {
    // FILE/PATH and FILE#PATH
    const size_t cut = first.find_first_of("/#", 1);
    for (size_t at = cut; at != first.npos; at = first.find_first_of("/#", at + 1)) {
      const std::string file = first.substr(0, at);
      if (!is_file(file)) continue;
      const auto traced = trace(file);
      if (!traced || (traced->format->archive && first[at] == '/')) break;
      c.set_operand(0, file);
      c.insert_operand(1, first.substr(at + 1));
      return;
    }
    if (const std::string near = find_near_file(first); !near.empty()) c.set_operand(0, near);
    return;
  }
  const bool one_file = c.verb == "ls" || c.verb == "unpack" || c.verb == "get" || c.verb == "tree" || c.verb == "hex";
  if (join_member(c)) return;
  if (one_file && c.count_operands() == 2 && exists(c.operand(1))) {
    if (c.verb == "unpack")
      c.remove_operand(1);
    else
      c.verb = "info";
    return;
  }
  if (c.verb == "convert")
    if (const Word* onto = c.option({"--onto"});
        onto && !has_scene_extension(first) && has_scene_extension(onto->value)) {
      const std::string scene = onto->value;
      c.option({"--onto"})->value = first;
      c.set_operand(0, scene);
    }
  if (c.verb == "diff")
    while (c.count_operands() > 2) {
      c.remove_operand(2);
      if (!c.has({"--maps"})) c.add_option("--maps");
    }
  if (c.verb == "textures") {
    if (Word* w = c.option({"--replace"}); w && is_file(w->value)) w->value = fs::path(w->value).parent_path().string();
    while (c.count_operands() > 1 && !exists(c.operand(1))) c.remove_operand(1);
  }
  if (c.verb == "find" && c.count_operands() > 1 && !exists(c.operand(1))) c.remove_operand(1);
  if (c.verb == "simulate" && extension(first) == ".kcl") {
    const std::string course = first.substr(0, first.size() - 4) + ".kmp";
    if (is_file(course)) c.set_operand(0, course);
  }
}

}  // namespace dio::cli::suggest
