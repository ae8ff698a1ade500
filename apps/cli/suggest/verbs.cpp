// verbs.cpp: words that are no verbs. Other programs call the same things otherwise, and the viewer has panes.
#include <algorithm>

#include "../files/archives.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "operations/edit_steps.hpp"
#include "operations/game_editing.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

namespace {

struct OtherName {
  const char* word;
  const char* verb;
  const char* option = "";  // that goes with it
};

constexpr OtherName k_other_names[] = {
    // archives
    {"x", "unpack"},
    {"extract", "unpack"},
    {"unzip", "unpack"},
    {"7z", "unpack"},
    {"decompress", "unpack"},
    {"unarchive", "unpack"},
    {"compress", "pack"},
    {"create", "pack"},
    {"zip", "pack"},
    {"archive", "pack"},
    {"build", "pack"},
    {"list", "ls"},
    {"dir", "ls"},
    {"l", "ls"},
    {"add", "convert"},
    {"cp", "convert"},
    {"copy", "convert"},
    {"replace", "convert"},
    {"insert", "convert"},
    {"rm", "unpack"},
    {"delete", "unpack"},
    // looking
    {"identify", "info"},
    {"inspect", "info"},
    {"stat", "info"},
    {"file", "info"},
    {"describe", "info"},
    {"summary", "info"},
    {"cat", "tree"},
    {"dump", "tree"},
    {"print", "tree"},
    {"structure", "tree"},
    {"grep", "tree", "--all"},
    {"xxd", "hex"},
    {"hexdump", "hex"},
    {"bytes", "hex"},
    {"open", "view"},
    {"serve", "view", "--serve"},
    {"gui", "view"},
    {"draw", "render"},
    {"screenshot", "render"},
    {"preview", "render"},
    {"image", "render"},
    {"picture", "render"},
    {"plot", "render"},
    // checking
    {"validate", "check"},
    {"lint", "check"},
    {"findings", "check"},
    {"errors", "check"},
    {"fix", "check", "--fix"},
    {"repair", "check", "--fix"},
    {"test", "verify"},
    {"roundtrip", "verify"},
    {"round-trip", "verify"},
    {"compare", "diff"},
    {"cmp", "diff"},
    {"play", "simulate"},
    {"race", "simulate"},
    {"memory", "budget"},
    {"limits", "budget"},
    {"size", "budget"},
    // converting
    {"export", "convert"},
    {"import", "convert"},
    {"gltf", "convert"},
    {"glb", "convert"},
    {"obj", "convert"},
    {"json", "decode"},
    {"png", "textures"},
    {"search", "find"},
    {"scan", "find"},
    {"change", "set"},
    {"write", "set"},
    {"samples", "formats", "--samples"},
    {"version", "", "--version"},
    {"man", "help"},

    {"untar", "unpack"},
    {"expand", "unpack"},
    {"unzip2", "unpack"},
    {"explode", "unpack"},
    {"split", "unpack"},
    {"open-archive", "unpack"},
    {"repack", "pack"},
    {"rebuild", "pack"},
    {"tar", "pack"},
    {"archive-create", "pack"},
    {"make", "pack"},
    {"contents", "ls"},
    {"members", "ls"},
    {"files", "ls"},
    {"ll", "ls"},
    {"update-file", "convert"},
    {"put", "convert"},
    {"update", "convert"},
    {"inject", "convert"},
    {"metadata", "info"},
    {"about", "info"},
    {"details", "info"},
    {"header", "info"},
    {"probe", "info"},
    {"detect", "info"},
    {"what", "info"},
    {"properties", "info"},
    {"type", "info"},
    {"sniff", "info"},
    {"analyze", "info"},
    {"analyse", "info"},
    {"examine", "info"},
    {"values", "tree"},
    {"fields", "tree"},
    {"read", "tree"},
    {"parse", "tree"},
    {"text", "tree"},
    {"inspect-all", "tree"},
    {"references", "refs"},
    {"reference", "refs"},
    {"xref", "refs"},
    {"xrefs", "refs"},
    {"uses", "refs"},
    {"usages", "refs"},
    {"used-by", "refs"},
    {"links", "refs"},
    {"deps", "refs"},
    {"dependencies", "refs"},
    {"od", "hex"},
    {"hd", "hex"},
    {"raw", "hex"},
    {"hexedit", "hex"},
    {"binary", "hex"},
    {"viewer", "view"},
    {"browse", "view"},
    {"window", "view"},
    {"launch", "view"},
    {"start", "view"},
    {"paint", "render"},
    {"snapshot", "render"},
    {"shot", "render"},
    {"export-image", "render"},
    {"map-image", "render"},
    {"svg", "render"},
    {"thumb", "thumbnail"},
    {"icon", "thumbnail"},
    {"display", "show"},
    {"animate", "show", "--play"},
    {"why", "explain"},
    {"doc", "explain"},
    {"docs", "explain"},
    {"meaning", "explain"},
    {"lookup", "explain"},
    {"whatis", "explain"},
    {"verify-rules", "check"},
    {"fsck", "check"},
    {"audit", "check"},
    {"problems", "check"},
    {"issues", "check"},
    {"warnings", "check"},
    {"inspect-errors", "check"},
    {"diagnose", "check"},
    {"doctor", "check"},
    {"validate-all", "check"},
    {"sanity", "check"},
    {"checksum", "verify"},
    {"selftest", "verify"},
    {"identical", "verify"},
    {"difference", "diff"},
    {"differences", "diff"},
    {"delta", "diff"},
    {"changes", "diff"},
    {"cmpfiles", "diff"},
    {"drive", "simulate"},
    {"run", "simulate"},
    {"laps", "simulate"},
    {"sim", "simulate"},
    {"lap", "simulate"},
    {"vram", "budget"},
    {"usage", "budget"},
    {"stats", "budget"},
    {"du", "budget"},
    {"capacity", "budget"},
    {"resources", "budget"},
    {"blender", "convert"},
    {"to-gltf", "convert"},
    {"to-glb", "convert"},
    {"fbx", "convert"},
    {"dae", "convert"},
    {"save-as", "convert"},
    {"transcode", "convert"},
    {"translate", "convert"},
    {"apply", "convert"},
    {"port", "convert"},
    {"tojson", "decode"},
    {"jsonify", "decode"},
    {"disassemble", "decode"},
    {"serialize", "decode"},
    {"export-json", "decode"},
    {"fromjson", "encode"},
    {"from-json", "encode"},
    {"assemble", "encode"},
    {"compile", "encode"},
    {"deserialize", "encode"},
    {"import-json", "encode"},
    {"images", "textures"},
    {"pictures", "textures"},
    {"tex", "textures"},
    {"extract-textures", "textures"},
    {"dump-textures", "textures"},
    {"binwalk", "find"},
    {"carve", "find"},
    {"strings", "find"},
    {"foremost", "find"},
    {"locate", "find"},
    {"modify", "set"},
    {"assign", "set"},
    {"put-value", "set"},

    {"patch", "set"},
    {"replace-value", "set"},
    {"value", "get"},
    {"read-value", "get"},
    {"query", "get"},
    {"show-value", "get"},
    {"cut", "get"},
    {"areas", "maps"},
    {"levels", "maps"},
    {"parts", "maps"},
    {"scene", "world"},
    {"export-map", "world"},
    {"level", "world"},
    {"supported", "formats"},
    {"types", "formats"},
    {"rules", "explain"},
    {"usage-help", "help"},
    {"manual", "help"},
    {"commands", "help"},
    {"?", "help"},
    {"merge3", "merge"},
    {"combine", "merge"},
    {"join", "merge"},

    {"count", "ls"},
    {"len", "ls"},
    {"palettes", "textures", "--pal"},
    {"mount", "unpack"},
    {"diff3", "merge"},
    {"update-archive", "convert"},
    {"show-3d", "show"},
    {"spin", "show", "--play"},
};

/// The verb for a word that is none, and an option that goes with it.
OtherName find_other_name(const std::string& typed, const Manual& m) {
  const std::string word = lower_case(typed);
  for (const OtherName& o : k_other_names)
    if (word == o.word) return o;
  for (const char* sign : {"2gltf", "2glb", "2obj"})
    if (word.ends_with(sign)) return {"", "convert"};
  for (const VerbText& v : m.verbs) {
    if (word.starts_with(v.name + "-") || word.starts_with(v.name + "_")) return {"", v.name.c_str()};
  }
  if (word.starts_with("to-") || word.starts_with("to_")) return find_other_name(word.substr(3), m);
  const std::string like = closest_match(word, m.names());
  return {"", like.empty() ? nullptr : m.find(like)->name.c_str()};
}

/// Without a word that could be a verb: by the output, or by an option that is a verb.
void repair_missing_verb(CommandLine& c, const Manual& m) {
  for (size_t n = 1; n < c.count_operands(); ++n) {  // FILE VERB
    const std::string word = c.operand(n);
    if (!m.find(word) || exists(word)) continue;
    c.verb = word;
    c.remove_operand(n);
    return;
  }
  for (Word& w : c.words) {
    if (!w.is_option) continue;
    const std::string name = w.text.substr(w.text.find_first_not_of('-'));
    const VerbText* verb = m.find(name);
    const OtherName other = verb                                            ? OtherName{"", verb->name.c_str()}
                            : name.size() > 2 || name == "x" || name == "l" ? find_other_name(name, m)
                                                                            : OtherName{};
    if (!other.verb || !*other.verb || w.text == "--output" || w.text == "--help") continue;
    const std::string option = w.text;
    c.verb = other.verb;
    c.remove_option({option.c_str()});
    if (*other.option) c.add_option(other.option);
    return;
  }
  const std::string last = c.operand(c.count_operands() - 1);
  const bool has_output =
      c.has({"-o", "--output"}) || (c.count_operands() == 2 && !exists(last) && !extension(last).empty());
  if (!has_output) return;
  const Word* o = c.option({"-o", "--output"});
  const std::string kind = extension(o ? o->value : last);
  c.verb = kind == ".png" || kind == ".svg" || kind == ".gif" ? "render" : kind == ".json" ? "decode" : "convert";
  c.remove_option({"-i"});  // the input, for ffmpeg
}

}  // namespace

bool is_edit_name(const std::string& word) {
  if (find_list_edit(word)) return true;
  for (const Format* f : formats())
    if (find_edit(*f, word)) return true;
  for (const GameKind* kind : game_kinds())
    for (const GameEdit& e : kind->edits)
      if (e.name == word) return true;
  return false;
}

void repair_verb(CommandLine& c, const Manual& m) {
  if (!c.verb.empty()) return;
  const std::string first = c.operand(0);
  if (first.empty() || exists(first)) return repair_missing_verb(c, m);
  if (is_edit_name(first) && !(c.count_operands() == 2 && first == "add") && first != "remove-all") {
    // add FILE, remove FILE: of an archive
    c.verb = "edit";
    c.remove_operand(0);
    c.insert_operand(1, first);
    const bool is_archive_member = (first == "add") && exists(c.operand(0)) && exists(c.operand(2));
    if (!is_archive_member) return;
    c.remove_operand(1);
    c.insert_operand(0, first);
  }
  OtherName other = find_other_name(first, m);
  const std::string next = c.operand(1);
  if (find_rule(next)) other = {"", "explain"};
  if (!other.verb && next.find('=') == next.npos && find_equals(c.operand(2)) != std::string::npos) other = {"", "set"};
  if (!other.verb && !next.empty() && exists(next))
    other = {"", c.has({"-o", "--output"}) ? "convert" : c.operand(2).empty() ? "info" : nullptr};
  if (!other.verb) return;
  c.verb = other.verb;
  c.remove_operand(0);
  if (first == "play" || first == "animate" || first == "run") {
    const auto file = trace(c.operand(0));
    if (file && !file->format->simulate && file->format->scenes) {
      c.verb = "show";
      if (!c.has({"--play"})) c.add_option("--play");
    }
  }
  if (first == "strings" || first == "text") {
    const auto file = trace(c.operand(0));
    if (file && !file->format->archive) c.verb = "tree";
  }
  if (first == "samples")
    while (c.count_operands()) c.remove_operand(0);
  if (first == "mount" && c.count_operands() > 1) c.remove_operand(1);
  if (first == "update" && find_equals(c.operand(1)) != std::string::npos) c.verb = "set";
  if (*other.option) c.add_option(other.option);
  if (first == "rm" || first == "delete") {
    const std::string member = c.operand(0);
    const size_t slash = member.find('/');
    if (slash != member.npos && !is_file(member)) c.set_operand(0, member.substr(0, slash));
  }
  if (first == "grep" && c.count_operands() == 2) c.remove_operand(0);
  if ((first == "replace" || first == "insert" || first == "add" || first == "inject" || first == "put") &&
      c.count_operands() == 3 && is_file(c.operand(0))) {
    c.set_operand(0, c.operand(0) + "/" + c.operand(1));  // ARCHIVE MEMBER NEW
    c.remove_operand(1);
    c.verb = "convert";
  }
  if (c.verb == "convert" &&
      (first == "add" || first == "cp" || first == "copy" || first == "replace" || first == "insert" ||
       first == "inject" || first == "put") &&
      c.count_operands() == 2) {
    // Into an archive: ARCHIVE NEW, MEMBER NEW, or NEW MEMBER.
    std::string a = c.operand(0), b = c.operand(1);
    if (first == "cp" || first == "copy") std::swap(a, b);
    if (!is_file(b)) std::swap(a, b);
    const auto inside = is_file(a) ? trace(a) : nullptr;
    std::string to = a;
    if (inside && inside->format->archive) {
      const std::string wanted = extension(b);
      to = a + "/" + b;
      Report none;
      if (const auto tree = open_archive_file(a))
        for (const std::string& member : (*tree)->list())
          if (extension(member) == wanted) to = a + "/" + member;
    }
    c.remove_operand(1);
    c.set_operand(0, b);
    c.add_option("-o", to);
    c.add_option("-f");
  }
  if (first == "import" && c.count_operands() == 2 && !c.has({"--onto"})) {
    c.add_option("--onto", c.operand(1));
    c.remove_operand(1);
  }
}

}  // namespace dio::cli::suggest
