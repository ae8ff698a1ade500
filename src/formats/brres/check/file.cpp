// file.cpp: the header, dictionaries, names and versions.
#include "formats/brres/check/checks.hpp"

namespace dio::brres {

namespace {

using enum Severity;
constexpr Rule k_file_rules[] = {
    {"brres.byte-order", error, "the byte order mark is 0xFEFF", "The game does not take the file.",
     "Get an undamaged copy; if the rest is right, set the mark to 0xFEFF.", "43 real files"},
    {"brres.file-size", warning, "the size in the header is the size of the file",
     "Tools copy as many bytes as the header gives and lose the rest.",
     "Get a complete copy; if nothing is missing, set the size.", "43 real files"},
    {"brres.sections", warning, "the header counts the root and all files", "Tools that count with it lose files.",
     "Set the number.", "43 real files"},
    {"brres.tree", error, "the tree of a dictionary leads to each of its names",
     "The game looks names up in the tree: what it misses is not found.",
     "Build the file again with the tool that made it.", "over 500 real dictionaries; README, Dictionaries"},
    {"brres.name-length", error, "the length before a name is that of the name",
     "The game compares lengths before it compares names.", "Correct the length.", "43 real files"},
    {"brres.own-name", hint, "a part has the name that its dictionary gives it",
     "The game finds parts by the dictionary; tools show the name of the part.", "Build the file again.",
     "43 real files"},
    {"brres.version", warning, "parts have the versions of Mario Kart Wii",
     "The library of the game reads the versions it was made with: MDL0 11, TEX0 3 (1 is read as well), PLT0 3, CHR0 "
     "5, "
     "SRT0 5, CLR0 4, PAT0 4, VIS0 4, SHP0 4, SCN0 5.",
     "Convert the part with the tool that made it.", "43 real files; wiimms-szs-tools, lib-brres.c"},
};

struct KnownVersion {
  std::string_view magic;
  u32 version, other;
};
constexpr KnownVersion k_versions[] = {{"MDL0", 11, 11}, {"TEX0", 3, 1}, {"PLT0", 3, 1}, {"CHR0", 5, 5},
                                       {"SRT0", 5, 5},   {"CLR0", 4, 4}, {"PAT0", 4, 4}, {"VIS0", 4, 4},
                                       {"SHP0", 4, 4},   {"SCN0", 5, 5}};

void check_version(Check& c, std::string_view magic, const FileHeader& h, const std::string& path) {
  for (const KnownVersion& k : k_versions)
    if (k.magic == magic && h.version != k.version && h.version != k.other)
      c.report("brres.version", path, {.message = text(magic, " is version ", h.version, "; must be ", k.version)});
}

void check_name(Check& c, const Named& n, const std::string& path, std::string_view expected) {
  if (n.name_offset && n.name_length != n.name.size())
    c.report("brres.name-length", path + ".name_length",
             {.message = text("the length of ", in_quotes(n.name), " is given as ", n.name_length, "; must be ",
                              n.name.size())});
  if (n.name_offset && n.name != expected)
    c.report("brres.own-name", path + ".name",
             {.message = text("the part is named ", in_quotes(n.name), "; its dictionary says ", in_quotes(expected))});
}

/// `name_of(i)`: what has that entry, if it has a name of its own.
void check_dictionary(Check& c, const Dictionary& d, const std::string& path) {
  for (size_t i = 0; i < d.entries.size(); ++i) {
    const DictionaryEntry& e = d.entries[i];
    const std::string at = text(path, ".entries[", i, "]");
    check_name(c, e, at, e.name);
    if (find(d, e.name) != &e)
      c.report("brres.tree", at, {.message = text("the tree does not lead to ", in_quotes(e.name))});
  }
}

template <class T>
void check_list(Check& c, const Dictionary& d, const std::string& dictionary, const std::vector<T>& list,
                const std::string& path) {
  check_dictionary(c, d, dictionary);
  if constexpr (std::is_base_of_v<Named, T>)
    for (size_t i = 0; i < list.size() && i < d.entries.size(); ++i)
      check_name(c, list[i], text(path, "[", i, "]"), d.entries[i].name);
}

void check_model(Check& c, const Model& m, const std::string& path) {
  const auto list = [&](const Dictionary& d, const char* dictionary, const auto& all, const char* name) {
    check_list(c, d, path + dictionary, all, path + name);
  };
  list(m.program_dictionary, ".program_dictionary", m.programs, ".programs");
  list(m.bone_dictionary, ".bone_dictionary", m.bones, ".bones");
  list(m.position_dictionary, ".position_dictionary", m.positions, ".positions");
  list(m.normal_dictionary, ".normal_dictionary", m.normals, ".normals");
  list(m.color_dictionary, ".color_dictionary", m.colors, ".colors");
  list(m.texcoord_dictionary, ".texcoord_dictionary", m.texcoords, ".texcoords");
  list(m.material_dictionary, ".material_dictionary", m.materials, ".materials");
  list(m.shader_dictionary, ".shader_dictionary", m.shaders, ".shaders");
  list(m.shape_dictionary, ".shape_dictionary", m.shapes, ".shapes");
  list(m.texture_link_dictionary, ".texture_link_dictionary", m.texture_links, ".texture_links");
  list(m.palette_link_dictionary, ".palette_link_dictionary", m.palette_links, ".palette_links");
}

void check_file(Check& c) {
  const Brres& f = c.file;
  if (f.byte_order != 0xFEFF)
    c.report("brres.byte-order", "byte_order",
             {.message = text("the byte order mark is ", format_hex(f.byte_order, 4), "; must be 0xFEFF")});
  if (c.findings.file_size && f.size != c.findings.file_size)
    c.report("brres.file-size", "size",
             {.message = text("the header gives a size of ", format_count(f.size, "byte"), "; the file has ",
                              c.findings.file_size)});
  u64 files = 0;
  check_dictionary(c, f.root, "root");
  for (size_t i = 0; i < f.folders.size(); ++i) {
    const Folder& folder = f.folders[i];
    const std::string path = text("folders[", i, "]"), dictionary = path + ".dictionary";
    files += folder.dictionary.entries.size();
    if (folder.kind == Kind::models)
      check_list(c, folder.dictionary, dictionary, f.models, "models");
    else if (folder.kind == Kind::textures)
      check_list(c, folder.dictionary, dictionary, f.textures, "textures");
    else if (folder.kind == Kind::palettes)
      check_list(c, folder.dictionary, dictionary, f.palettes, "palettes");
    else
      check_list(c, folder.dictionary, dictionary, folder.files, path + ".files");
    for (size_t k = 0; k < folder.files.size(); ++k)
      check_version(c, folder.files[k].magic.view(), folder.files[k].header, text(path, ".files[", k, "].version"));
  }
  if (f.section_count != files + 1)
    c.report(
        "brres.sections", "section_count",
        {.message = text("the header counts ", format_count(f.section_count, "section"), "; there are ", files + 1)});
  for (size_t i = 0; i < f.models.size(); ++i) {
    check_version(c, "MDL0", f.models[i].header, text("models[", i, "].version"));
    check_model(c, f.models[i], text("models[", i, "]"));
  }
}

}  // namespace

constinit const Topic k_file_checks{k_file_rules, check_file};

}  // namespace dio::brres
