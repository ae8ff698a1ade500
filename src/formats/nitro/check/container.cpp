// container.cpp: checks of the file header and of dictionaries.
#include <set>

#include "formats/nitro/check/checks.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_container_rule_table[] = {
    {"nitro.byte-order", error, "the byte order mark is 0xFEFF",
     "If the byte order mark is different, the game treats the file as damaged and stops.",
     "Get an undamaged copy of the file. If only the byte order mark is wrong, set the mark to 0xFEFF.",
     "src/formats/nitro/README.md#the-file"},
    {"nitro.file-version", warning, "model files have version 2, and all other Nitro files have version 1",
     "Nintendo's 3D library, which the games use, stops when it loads a model file of version 1.",
     "Set the version to 2 in a model file, and to 1 in any other file.",
     "measured on 6,968 game files; src/formats/nitro/README.md#the-file"},
    {"nitro.file-size", warning, "the size given in the header equals the file size",
     "Tools that copy only the number of bytes given in the header lose the rest of the file.",
     "Get a complete copy of the file. If the file is already complete, write it with {--canonical}, which corrects "
     "the size.",
     "measured on 6,968 game files"},
    {"nitro.tree", error, "the search tree of a dictionary finds every name in it",
     "In dictionaries with 16 or more entries, the game searches only the tree, so it cannot find a name that is "
     "missing from the tree.",
     "Write the file with {--canonical}, which rebuilds the tree.",
     "measured on 34,000 dictionaries; src/formats/nitro/README.md#dictionary", Severities{hint}},
    {"nitro.duplicate-name", error, "the names in a dictionary are unique",
     "If two entries have the same name, the game never finds the second one. A search tree cannot contain the same "
     "name twice.",
     "Rename one of the two entries with the same name.", "src/formats/nitro/README.md#dictionary"},
    {"nitro.unsorted-names", hint, "materials, textures and palettes are sorted by name",
     "The game developers' tools sort materials, textures and palettes by name, but nothing depends on the order.",
     "No action is needed.", "measured on 3,886 game models"},
    {"nitro.name", hint, "every name has at least one character, and all of its characters are printable",
     "No known tool writes empty names or unprintable characters, and text formats cannot store such names.",
     "Give the entry a name of printable ASCII characters.", "measured on 6,968 game files"},
};

}  // namespace

constinit const std::span<const Rule> k_container_rules = k_container_rule_table;

void check_header(Reporter& r, const FileHeader& h, u16 version) {
  if (h.byte_order != 0xFEFF)
    r.report("nitro.byte-order", "header.byte_order",
             {.message = text("the byte order mark is ", format_hex(h.byte_order, 4), "; it must be 0xFEFF")});
  if (h.version != version)
    r.report("nitro.file-version", "header.version",
             {.message = text("the file version is ", h.version, "; it must be ", version)});
  if (r.findings.file_size && h.size != r.findings.file_size)
    r.report("nitro.file-size", "header.size",
             {.message = text("the header gives a size of ", format_count(h.size, "byte"), ", but the file has ",
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
      in_order = false;  // one finding per dictionary is enough
      r.report("nitro.unsorted-names", field_path(element_path(list, i), "name"),
               {.message = text("\"", name, "\" comes after \"", names[i - 1], "\": the names are not sorted")});
    }
  }
  if (twice) return;
  if (const auto tree = build_tree_nodes(names); tree && *tree != d.tree)
    r.report(names.size() < 16 ? hint : error, "nitro.tree", own + ".tree",
             {.message =
                  text("the search tree does not match the ", format_count(names.size(), "name"), " of the dictionary"),
              .hint = "saving with {--canonical} rebuilds the tree"});
}

}  // namespace dio::nitro
