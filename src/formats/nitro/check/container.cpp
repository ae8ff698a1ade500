// container.cpp: the header that all files have, and dictionaries.
#include <set>

#include "formats/nitro/check/checks.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_container_rule_table[] = {
    {"nitro.byte-order", error, "the byte order mark is 0xFEFF", "The game takes it for a damaged file and stops.",
     "README, The file"},
    {"nitro.file-version", warning, "models are version 2, all other files version 1",
     "Games of the released library stop at a model of version 1.", "6,968 real files; README, The file"},
    {"nitro.file-size", warning, "the header says how long the file is",
     "Tools copy as much as it says, and what lies behind is lost.", "6,968 real files"},
    {"nitro.tree", error, "the tree of a dictionary leads to each of its names",
     "From 16 entries on the game looks names up in the tree alone: what it does not lead to is not found.",
     "34,000 real dictionaries; README, Dictionary", Severities{hint}},
    {"nitro.duplicate-name", error, "no two entries of a dictionary have the same name",
     "The second is never found, and there is no tree over both.", "README, Dictionary"},
    {"nitro.unsorted-names", hint, "materials, textures and palettes stand in the order of their names",
     "The games' own tools write models so; nothing depends on it.", "3,886 real models"},
    {"nitro.name", hint, "names have at least one character, and only printable ones",
     "No tool makes others, and text formats cannot hold them.", "6,968 real files"},
};

}  // namespace

constinit const std::span<const Rule> k_container_rules = k_container_rule_table;

void check_header(Reporter& r, const FileHeader& h, u16 version) {
  if (h.byte_order != 0xFEFF)
    r.report("nitro.byte-order", "header.byte_order", {.expected = "0xFEFF", .found = hex_number(h.byte_order, 4)});
  if (h.version != version)
    r.report("nitro.file-version", "header.version", {.expected = text(version), .found = text(h.version)});
  if (r.findings.file_size && h.size != r.findings.file_size)
    r.report("nitro.file-size", "header.size",
             {.expected = text(r.findings.file_size, " bytes"), .found = text(h.size, " bytes")});
}

void check_names(Reporter& r, const std::string& own, const Dictionary& d, const std::string& list,
                 const std::vector<std::string_view>& names, bool sorted) {
  std::set<std::string_view> seen;
  bool twice = false, in_order = true;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    if (!seen.insert(name).second) {
      twice = true;
      r.report("nitro.duplicate-name", in(at(list, i), "name"),
               {.expected = "a name of its own", .found = text("\"", name, "\" once more")});
    }
    if (name.empty() || std::any_of(name.begin(), name.end(), [](char c) { return u8(c) < 0x20 || u8(c) > 0x7E; }))
      r.report("nitro.name", in(at(list, i), "name"),
               {.expected = "a name of printable characters",
                .found = name.empty() ? "no name" : "characters that cannot be printed"});
    if (sorted && in_order && i && name < names[i - 1]) {
      in_order = false;  // the others would say the same
      r.report("nitro.unsorted-names", in(at(list, i), "name"),
               {.expected = text("a name behind \"", names[i - 1], "\""), .found = text("\"", name, "\"")});
    }
  }
  if (twice) return;
  if (const auto tree = patricia(names); tree && *tree != d.tree)
    r.report(names.size() < 16 ? hint : error, "nitro.tree", own + ".tree",
             {.expected = "the one that follows from the names",
              .found = text("a tree over other names, of ", names.size()),
              .hint = "canonical output has it"});
}

}  // namespace dio::nitro
