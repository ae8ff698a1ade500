// outputs.cpp: an output that was given without -o, or is missing.
#include <algorithm>

#include "bridge/scene_file/scene_file.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

namespace {

bool has_output(const CommandLine& c) { return c.has({"-o", "--output", "-i", "--in-place", "-n", "--dry-run"}); }

bool is_output_name(const std::string& word) {
  static constexpr const char* k_extensions[] = {".html", ".json", ".glb", ".gltf", ".png",
                                                 ".svg",  ".gif",  ".txt", ".sarif"};
  return std::ranges::any_of(k_extensions, [&](const char* e) { return extension(word) == e; });
}

/// The output that a verb needs, by its input.
std::string usual_output(const CommandLine& c) {
  const std::string input = c.operand(0), name = stem(input);
  if (c.verb == "unpack") return exists(name) ? name + "-files" : name;
  if (c.verb == "render") return name + ".png";
  if (c.verb == "convert" && c.has({"--onto"}))
    return "new-" + stem(c.option({"--onto"})->value) + extension(c.option({"--onto"})->value);
  if (c.verb == "convert" && c.has({"--canonical"})) return "new-" + name + extension(input);
  if (c.verb == "convert") return has_scene_extension(input) ? "" : name + ".glb";
  if (c.verb == "world") return name + ".glb";
  if (c.verb == "pack") return name + (is_folder(input) ? ".szs" : extension(input) + ".szs");
  if (c.verb == "merge") return "merged" + extension(input);
  if (c.verb == "edit" || c.verb == "set") return "new-" + name + extension(input);
  if (c.verb == "check" && c.has({"--fix"})) return "fixed-" + name + extension(input);
  return {};
}

bool takes_output(const CommandLine& c, const Manual& m) {
  const VerbText* verb = m.find(c.verb);
  return verb && std::ranges::any_of(verb->options, [](const OptionText& o) {
           return std::ranges::find(o.names, "-o") != o.names.end();
         });
}

}  // namespace

void repair_misplaced_output(CommandLine& c, const Manual& m) {
  if (!takes_output(c, m) || c.operand(0).empty()) return;
  const size_t last = c.count_operands() - 1;
  const std::string name = c.operand(last);
  const bool is_scene = has_scene_extension(c.operand(0));
  if (c.verb == "convert" && last == 1 && !has_output(c) && !c.has({"--onto"}) && is_scene && is_file(name)) {
    c.add_option("--onto", name);
    c.remove_operand(1);
  } else if (!has_output(c) && last > 0 && (is_output_name(name) || name.ends_with('/')) && !exists(name)) {
    c.add_option("-o", name);
    c.remove_operand(last);
  }
  if (Word* o = c.option({"-o", "--output"});
      o && c.verb == "convert" && c.has({"--canonical"}) && extension(o->value).empty())
    o->value += extension(c.operand(0));
  if (c.verb == "convert" && c.has({"-o"})) c.remove_option({"-i"});  // the input, for other programs
  if (Word* o = c.option({"-o", "--output"}); o && c.verb == "convert") {
    constexpr const char* k_scenes[] = {".obj", ".fbx",   ".dae", ".stl", ".ply",
                                        ".3ds", ".blend", ".x3d", ".usd", ".usdz"};
    if (std::ranges::any_of(k_scenes, [&](const char* e) { return extension(o->value) == e; }))
      o->value = o->value.substr(0, o->value.rfind('.')) + ".glb";
  }
  if (Word* o = c.option({"-o", "--output"}); o && c.verb == "pack") {
    const std::string kind = extension(o->value);
    if (kind == ".zip" || kind == ".7z" || kind == ".tar" || kind == ".rar") o->value = stem(o->value) + ".szs";
  }
}

void add_missing_output(CommandLine& c, const Manual& m) {
  if (!takes_output(c, m) || c.operand(0).empty() || has_output(c)) return;
  // These print without one.
  if ((c.verb == "edit" && c.count_operands() < 2) || c.verb == "textures") return;
  std::string output = usual_output(c);
  if (output.empty()) return;
  while (exists(output)) output = "new-" + output;
  c.add_option("-o", output);
}

}  // namespace dio::cli::suggest
