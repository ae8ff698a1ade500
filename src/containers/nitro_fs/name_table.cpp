#include "containers/nitro_fs/name_table.hpp"

#include <map>

#include "core/text_format.hpp"

namespace dio {
namespace {

constexpr size_t k_longest_path = 512, k_most_folders = 4096;

struct Tree {
  std::map<std::pair<std::string, std::string>, size_t> files;  // by folded name, then by name
  std::map<std::pair<std::string, std::string>, Tree> folders;
};

}  // namespace

NameTable make_nameless_table() {
  NameTable t;
  NameFolder& root = t.folders.emplace_back();
  root.offset = NameTable::k_nameless;
  root.parent = 1;
  return t;
}

Result<std::vector<std::string>> build_paths(const NameTable& table, size_t count) {
  std::vector<std::string> paths(count);
  if (!table.has_names()) return paths;
  std::vector<bool> named(count), reached(table.folders.size());
  struct Step {
    size_t folder;
    std::string path;  // of the folder, with a / at its end
  };
  std::vector<Step> open{{0, {}}};
  reached[0] = true;
  while (!open.empty()) {
    const Step step = std::move(open.back());
    open.pop_back();
    const NameFolder& folder = table.folders[step.folder];
    const std::string place = "folders[" + std::to_string(step.folder) + "]";
    size_t number = folder.first_file;
    for (const NameEntry& e : folder.entries) {
      if (e.is_end()) break;
      std::string path = step.path + e.name;
      if (path.size() > k_longest_path)
        return refuse("archives.names", place,
                      {.message = "a path has " + std::to_string(path.size()) + " bytes; the maximum is 512"});
      if (e.is_folder) {
        const size_t next = size_t(e.folder) - NameTable::k_first_folder;
        if (e.folder < NameTable::k_first_folder || next >= table.folders.size())
          return refuse(make_diagnostic(
              "archives.names", place,
              {.message = "the folder " + escape_control_chars(path) + " has the id " + format_hex(e.folder) +
                          ", which is out of range (0xf000 to " + format_hex(0xEFFF + table.folders.size()) + ")"}));
        if (reached[next])
          return refuse(
              "archives.names", place,
              {.message = "folder " + format_hex(e.folder) + " has a second path: " + escape_control_chars(path)});
        reached[next] = true;
        open.push_back({next, path + "/"});
        continue;
      }
      if (number >= count)
        return refuse(
            "archives.names", place,
            {.message = escape_control_chars(path) + " refers to file " + std::to_string(number) +
                        ", which does not exist; there are " + format_count(count, "file") + ", counted from 0"});
      if (named[number])
        return refuse("archives.names", place,
                      {.message = "file " + std::to_string(number) + " has two paths, " +
                                  escape_control_chars(paths[number]) + " and " + escape_control_chars(path)});
      named[number] = true;
      paths[number++] = std::move(path);
    }
  }
  return paths;
}

Result<NameTable> build_name_table(const std::vector<std::string>& paths, u16 first, std::vector<u16>& numbers) {
  Tree root;
  for (size_t i = 0; i < paths.size(); ++i) {
    Tree* folder = &root;
    for (std::string_view rest = paths[i];;) {
      const size_t slash = rest.find('/');
      const std::string part(rest.substr(0, slash));
      if (part.empty() || part.size() > 127)
        return refuse(
            "archives.names", {},
            {.message = "a name in the path " + escape_control_chars(paths[i]) + " is empty or longer than 127 bytes"});
      const std::pair key(lower_case(part), part);
      if (slash == rest.npos ? folder->folders.contains(key) || !folder->files.try_emplace(key, i).second
                             : folder->files.contains(key))
        return refuse("archives.names", {},
                      {.message = "the name occurs twice in its folder: " + escape_control_chars(paths[i])});
      if (slash == rest.npos) break;
      folder = &folder->folders[key];
      rest.remove_prefix(slash + 1);
    }
  }
  NameTable table;
  numbers.assign(paths.size(), 0);
  struct Step {
    const Tree* tree;
    u16 parent;
  };
  std::vector<Step> open{{&root, 0}};
  size_t number = first;
  for (size_t at = 0; at < open.size(); ++at) {  // level by level, so that the ids of folders are consecutive
    NameFolder folder;
    folder.first_file = u16(number);
    folder.parent = open[at].parent;
    for (const auto& [name, i] : open[at].tree->files) {
      if (number >= NameTable::k_first_folder)
        return refuse("archives.names", {},
                      {.message = std::to_string(paths.size()) +
                                  " files are too many for the name table; the maximum is 61,440"});
      numbers[i] = u16(number++);
      NameEntry& e = folder.entries.emplace_back();
      e.length = u8(name.second.size());
      e.name = name.second;
    }
    for (const auto& [name, tree] : open[at].tree->folders) {
      if (open.size() >= k_most_folders)
        return refuse("archives.names", {},
                      {.message = "the name table would have more than 4,096 folders, which is the maximum"});
      NameEntry& e = folder.entries.emplace_back();
      e.is_folder = 1;
      e.length = u8(name.second.size());
      e.name = name.second;
      e.folder = u16(NameTable::k_first_folder + open.size());
      open.push_back({&tree, u16(NameTable::k_first_folder + at)});
    }
    folder.entries.emplace_back();
    table.folders.push_back(std::move(folder));
  }
  table.folders[0].parent = u16(table.folders.size());
  return table;
}

}  // namespace dio
