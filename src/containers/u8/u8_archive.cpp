#include "containers/u8/u8_archive.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"

namespace dio {

Result<std::vector<std::string>> build_paths(const U8Archive& a) {
  struct Folder {
    u32 node, end;
    std::string path;  // with a slash
  };
  std::vector<Folder> around{{0, a.root.end, {}}};
  std::vector<std::string> out;
  for (u32 i = 0; i < a.nodes.size(); ++i) {
    const u32 node = i + 1;
    while (node >= around.back().end && around.size() > 1) around.pop_back();
    const U8Node& n = a.nodes[i];
    const auto bad = [&](const char* field, std::string message) {
      return refuse("archives.u8-tree", text("nodes[", i, "].", field), {.message = std::move(message)});
    };
    if (n.type > 1) return bad("type", text("the type is ", n.type, "; it must be 0 (file) or 1 (folder)"));
    if (!n.is_folder()) {
      out.push_back(around.back().path + n.name);
      continue;
    }
    if (n.end <= node)
      return bad("end", text("the folder is node ", node, ", but its end is node ", n.end,
                             "; the end must come after the folder"));
    const bool is_here = around.size() == 1 && n.name == ".";
    out.push_back(is_here ? "." : around.back().path + n.name);
    // The game searches the nodes of one folder after another: nodes beyond the end of the parent folder are not in
    // this
    // folder either. Archives of some tools rely on this.
    around.push_back({node, std::min(n.end, around.back().end), is_here ? "" : out.back() + "/"});
  }
  return out;
}

Result<std::vector<std::string>> build_file_paths(const U8Archive& a) {
  const auto paths = build_paths(a);
  if (!paths) return paths;
  std::set<std::string_view> taken;
  for (size_t i = 0; i < a.nodes.size(); ++i)
    if (a.nodes[i].is_folder()) taken.insert((*paths)[i]);
  std::vector<size_t> repeated;  // indices in `out`
  std::vector<std::string> out;
  for (size_t i = 0; i < a.nodes.size(); ++i) {
    if (a.nodes[i].is_folder()) continue;
    if (!taken.insert((*paths)[i]).second) repeated.push_back(out.size());
    out.push_back((*paths)[i]);
  }
  // After all others, so that no name changes because of a suffix.
  std::set<std::string> suffixed;
  std::map<std::string, u32> last;
  for (const size_t file : repeated) {
    const std::string path = out[file];
    const size_t name = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
    size_t dot = path.rfind('.');
    if (dot == path.npos || dot <= name) dot = path.size();
    do out[file] = path.substr(0, dot) + text("_", ++last.try_emplace(path, 1).first->second) + path.substr(dot);
    while (taken.contains(out[file]) || !suffixed.insert(out[file]).second);
  }
  return out;
}

Result<bool> check_nesting(const U8Archive& a) {
  struct Folder {
    u32 node, end;
  };
  std::vector<Folder> around{{0, a.root.end}};
  for (u32 i = 0; i < a.nodes.size(); ++i) {
    const u32 node = i + 1;
    while (node >= around.back().end && around.size() > 1) around.pop_back();
    const U8Node& n = a.nodes[i];
    if (!n.is_folder()) continue;
    const auto bad = [&](const char* field, std::string message) {
      return refuse("archives.u8-tree", text("nodes[", i, "].", field), {.message = std::move(message)});
    };
    if (n.parent != around.back().node)
      return bad("parent", text("the folder is inside node ", around.back().node, ", but its parent field names node ",
                                n.parent));
    if (n.end > around.back().end)
      return bad("end", text("the folder ends before node ", n.end,
                             ", but the enclosing folder already ends before node ", around.back().end));
    around.push_back({node, n.end});
  }
  return true;
}

namespace {

std::string lower(std::string s) {
  for (char& c : s)
    if ('A' <= c && c <= 'Z') c = char(c - 'A' + 'a');
  return s;
}

/// A folder during the creation of an archive.
struct Packing {
  using Name = std::pair<std::string, std::string>;  // in lower case, then as stored
  std::map<Name, const Bytes*> files;
  std::map<Name, Packing> folders;

  void add_file(std::string_view path, const Bytes& content) {
    const size_t slash = path.find('/');
    const std::string name(path.substr(0, slash));
    if (slash == path.npos)
      files[{lower(name), name}] = &content;
    else
      folders[{lower(name), name}].add_file(path.substr(slash + 1), content);
  }
  void append_children(std::vector<U8Node>& nodes, u32 self) const {
    for (const auto& [name, content] : files) nodes.push_back({.name = name.second, .content = FileBytes(*content)});
    for (const auto& [name, folder] : folders) folder.append_folder(nodes, self, name.second);
  }
  void append_folder(std::vector<U8Node>& nodes, u32 parent, std::string name) const {
    nodes.push_back({.type = 1, .parent = parent, .name = std::move(name)});
    const u32 self = u32(nodes.size());
    append_children(nodes, self);
    nodes[self - 1].end = u32(nodes.size()) + 1;
  }
};

}  // namespace

U8Archive make_u8(const std::vector<std::pair<std::string, Bytes>>& files) {
  Packing all;
  for (const auto& [path, content] : files) all.add_file(path, content);
  U8Archive out;
  all.append_folder(out.nodes, 0, ".");
  return out;
}

}  // namespace dio
