// container.cpp: the header that all files have, and dictionaries.
#include <set>

#include "formats/nitro/check/checks.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_container_rule_table[] = {
    {"nitro.byte-order", error, "the byte order mark is 0xFEFF", "The game treats the file as damaged and stops.",
     "Get an undamaged copy; if the rest is right, set the mark to 0xFEFF.", "README, The file"},
    {"nitro.file-version", warning, "models are version 2, all other files version 1",
     "The library of the games stops at a model of version 1.",
     "Set the version to 2 for a model, and to 1 for all other files.", "6,968 real files; README, The file"},
    {"nitro.file-size", warning, "the size in the header is the size of the file",
     "Tools copy as many bytes as the header gives and lose the rest.",
     "Get a complete copy; if nothing is missing, write the file with --canonical.", "6,968 real files"},
    {"nitro.tree", error, "the tree of a dictionary leads to each of its names",
     "In dictionaries of 16 entries or more, the game looks names up only in the tree: names that the tree misses are "
     "not found.",
     "Write the file with --canonical, which builds the tree again.", "34,000 real dictionaries; README, Dictionary",
     Severities{hint}},
    {"nitro.duplicate-name", error, "the names in a dictionary are unique",
     "The second entry is never found, and no tree can be built.", "Rename one of the two entries.",
     "README, Dictionary"},
    {"nitro.unsorted-names", hint, "materials, textures and palettes are sorted by name",
     "The games' own tools sort them; nothing depends on it.", "Nothing has to be done.", "3,886 real models"},
    {"nitro.name", hint, "names have at least one character, and only printable ones",
     "No tool writes other names, and text formats cannot hold them.",
     "Give the entry a name of printable ASCII characters.", "6,968 real files"},
};

}  // namespace

constinit const std::span<const Rule> k_container_rules = k_container_rule_table;

void check_header(Reporter& r, const FileHeader& h, u16 version) {
  if (h.byte_order != 0xFEFF)
    r.report("nitro.byte-order", "header.byte_order",
             {.message = text("the byte order mark is ", format_hex(h.byte_order, 4), "; must be 0xFEFF")});
  if (h.version != version)
    r.report("nitro.file-version", "header.version",
             {.message = text("the file is version ", h.version, "; must be ", version)});
  if (r.findings.file_size && h.size != r.findings.file_size)
    r.report("nitro.file-size", "header.size",
             {.message = text("the header gives a size of ", format_count(h.size, "byte"), "; the file has ",
                              r.findings.file_size)});
}

void check_names(Reporter& r, const std::string& own, const Dictionary& d, const std::string& list,
                 const std::vector<std::string_view>& names, bool sorted) {
  std::set<std::string_view> seen;
  bool twice = false, in_order = true;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    if (!seen.insert(name).second) {
      twice = true;
      r.report("nitro.duplicate-name", field_path(element_path(list, i), "name"),
               {.message = text("duplicate name \"", name, "\"")});
    }
    if (name.empty() || std::any_of(name.begin(), name.end(), [](char c) { return u8(c) < 0x20 || u8(c) > 0x7E; }))
      r.report("nitro.name", field_path(element_path(list, i), "name"),
               {.message = name.empty() ? "the name is empty" : "the name has unprintable characters"});
    if (sorted && in_order && i && name < names[i - 1]) {
      in_order = false;  // one finding for a dictionary is enough
      r.report("nitro.unsorted-names", field_path(element_path(list, i), "name"),
               {.message = text("\"", name, "\" comes after \"", names[i - 1], "\": the names are not sorted")});
    }
  }
  if (twice) return;
  if (const auto tree = build_tree_nodes(names); tree && *tree != d.tree)
    r.report(names.size() < 16 ? hint : error, "nitro.tree", own + ".tree",
             {.message = text("the tree does not match the ", format_count(names.size(), "name"), " of the dictionary"),
              .hint = "saving with --canonical rebuilds it"});
}

}  // namespace dio::nitro
