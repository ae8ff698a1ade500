// file.cpp: checks of the header, dictionaries, names and versions.
#include "formats/brres/check/checks.hpp"

namespace dio::brres {

namespace {

using enum Severity;
constexpr Rule k_file_rules[] = {
    {"brres.byte-order", error, "the byte order mark is 0xFEFF",
     "The game rejects a file with any other byte order mark.",
     "Get an undamaged copy of the file. If the rest of the file is correct, set the byte order mark to 0xFEFF.",
     "measured on 43 files"},
    {"brres.file-size", warning, "the size in the header is the file size",
     "Tools copy only as many bytes as the header states.",
     "Get a complete copy of the file. If no data is missing, set `size` to the file size.", "measured on 43 files"},
    {"brres.sections", hint, "section_count is the number of contained files, plus 1 for the root",
     "The game finds files by the dictionaries. Tools that rely on section_count do not find all files if it is too "
     "small.",
     "Set `section_count` to the number given in the message.", "measured on 43 files"},
    {"brres.tree", error, "the search tree of a dictionary finds every name in the dictionary",
     "The game looks names up in the search tree, and does not find names that are missing from the tree.",
     "Rebuild the file with the tool that made it.",
     "over 500 real dictionaries; src/formats/brres/README.md, Dictionaries"},
    {"brres.name-length", error, "the length stored before a name is the length of the name",
     "The game compares lengths before names, so it does not find a name whose length is wrong.",
     "Set the length of the name to the value given in the message.", "measured on 43 files"},
    {"brres.plain-file", hint, "each entry of the root is a folder",
     "The game ignores entries that are no folders. Some tools store texts there. diorama keeps the bytes.",
     "Ignore the finding, or remove the entry with the tool that made the file.", "a file of BrawlBox"},
    {"brres.own-name", hint, "a part has the same name as its dictionary entry",
     "The game finds a part by its name in the dictionary, but tools show the name that is stored in the part.",
     "Rebuild the file with the tool that made it.", "measured on 43 files"},
    {"brres.version", warning, "every part has the version that Mario Kart Wii uses",
     "The game's library reads only certain versions of each kind of part: MDL0 11, TEX0 3 (also 1), PLT0 3, CHR0 5, "
     "SRT0 5, CLR0 4, PAT0 4, VIS0 4, SHP0 4, SCN0 5.",
     "Convert the part to the version that Mario Kart Wii uses, with the tool that made the part.",
     "measured on 43 files; Wiimm's szs-tools, lib-brres.c"},
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
      c.report("brres.version", path,
               {.message = text("the ", magic, " part has version ", h.version, "; it must be ", k.version)});
}

void check_name(Check& c, const Named& n, const std::string& path, std::string_view expected) {
  if (n.name_offset && n.name_length != n.name.size())
    c.report("brres.name-length", path + ".name_length",
             {.message = text("the length stored before the name ", in_quotes(n.name), " is ", n.name_length,
                              "; it must be ", n.name.size())});
  if (n.name_offset && n.name != expected)
    c.report("brres.own-name", path + ".name",
             {.message = text("the part is named ", in_quotes(n.name), ", but its dictionary entry is named ",
                              in_quotes(expected))});
}

/// `name_of(i)`: the part that the entry leads to, if it has its own name.
void check_dictionary(Check& c, const Dictionary& d, const std::string& path) {
  for (size_t i = 0; i < d.entries.size(); ++i) {
    const DictionaryEntry& e = d.entries[i];
    const std::string at = text(path, ".entries[", i, "]");
    check_name(c, e, at, e.name);
    if (find(d, e.name) != &e)
      c.report("brres.tree", at, {.message = text("the search tree does not find ", in_quotes(e.name))});
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

/// `list_of(animation)`: what is animated, with the names of the dictionary.
void check_animation_files(Check& c, const Dictionary& d, const std::string& dictionary, const auto& files,
                           const std::string& list, std::string_view magic, const std::string& entries, auto list_of) {
  check_dictionary(c, d, dictionary);
  for (size_t i = 0; i < files.size() && i < d.entries.size(); ++i) {
    if (!files[i].animation) continue;
    const auto& a = *files[i].animation;
    const std::string path = text(list, "[", i, "].animation");
    check_name(c, a, path, d.entries[i].name);
    check_version(c, magic, a.header, path + ".version");
    check_list(c, a.dictionary, path + ".dictionary", list_of(a), path + entries);
  }
}

void check_folder(Check& c, const Folder& folder, const std::string& path) {
  const Brres& f = c.file;
  const Dictionary& d = folder.dictionary;
  const std::string dictionary = path + ".dictionary";
  const auto materials = [](const auto& a) -> const auto& { return a.materials; };
  const auto bones = [](const auto& a) -> const auto& { return a.bones; };
  switch (folder.kind) {
    case Kind::models:
      return check_list(c, d, dictionary, f.models, "models");
    case Kind::textures:
      return check_list(c, d, dictionary, f.textures, "textures");
    case Kind::palettes:
      return check_list(c, d, dictionary, f.palettes, "palettes");
    case Kind::srt_files:
      return check_animation_files(c, d, dictionary, f.srt_files, "srt_files", "SRT0", ".materials", materials);
    case Kind::clr_files:
      return check_animation_files(c, d, dictionary, f.clr_files, "clr_files", "CLR0", ".materials", materials);
    case Kind::pat_files:
      return check_animation_files(c, d, dictionary, f.pat_files, "pat_files", "PAT0", ".materials", materials);
    case Kind::vis_files:
      return check_animation_files(c, d, dictionary, f.vis_files, "vis_files", "VIS0", ".bones", bones);
    case Kind::chr_files:
      return check_animation_files(c, d, dictionary, f.chr_files, "chr_files", "CHR0", ".bones", bones);
    default:
      return check_list(c, d, dictionary, folder.files, path + ".files");
  }
}

void check_file(Check& c) {
  const Brres& f = c.file;
  if (f.byte_order != 0xFEFF)
    c.report("brres.byte-order", "byte_order",
             {.message = text("the byte order mark is ", format_hex(f.byte_order, 4), "; it must be 0xfeff")});
  if (c.findings.file_size && f.size != c.findings.file_size)
    c.report("brres.file-size", "size",
             {.message = text("the header states a size of ", format_count(f.size, "byte"), ", but the file has ",
                              c.findings.file_size)});
  u64 files = 0;
  check_dictionary(c, f.root, "root");
  for (size_t i = 0; i < f.folders.size(); ++i) {
    const Folder& folder = f.folders[i];
    const std::string path = text("folders[", i, "]");
    files += folder.dictionary.entries.size();
    if (folder.kind == Kind::plain_file)
      c.report("brres.plain-file", path,
               {.message = text(i < f.root.entries.size() ? in_quotes(f.root.entries[i].name) : "an entry",
                                " is not a folder of files")});
    if (folder.kind == Kind::plain_files)
      c.report(
          "brres.plain-file", path,
          {.message = text("a file in ", i < f.root.entries.size() ? in_quotes(f.root.entries[i].name) : "a folder",
                           " has no header, or is beyond the file; the files of this folder are not described")});
    check_folder(c, folder, path);
    for (size_t k = 0; k < folder.files.size(); ++k)
      check_version(c, folder.files[k].magic.view(), folder.files[k].header, text(path, ".files[", k, "].version"));
  }
  if (f.section_count != files + 1)
    c.report("brres.sections", "section_count",
             {.message = text("section_count is ", f.section_count, "; it should be ", files + 1)});
  for (size_t i = 0; i < f.models.size(); ++i) {
    check_version(c, "MDL0", f.models[i].header, text("models[", i, "].version"));
    check_model(c, f.models[i], text("models[", i, "]"));
  }
}

}  // namespace

constinit const Topic k_file_checks{k_file_rules, check_file};

}  // namespace dio::brres
