#include "operations/game_references.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "layout/references.hpp"
#include "operations/source_tree.hpp"

namespace dio {

namespace {

/// The references to parts in files that are read when they are needed, each once.
class Files {
 public:
  Files(const GameGraph& graph, const FileTree& tree) : tree_(tree) {
    for (const GamePart& p : graph.parts)
      if (!p.path.empty()) parts_[p.path].push_back(&p);
  }

  const std::vector<PartReferral>& referrals_in_file(const std::string& file) {
    const auto [known, is_new] = read_.try_emplace(file);
    if (is_new) collect_referrals(file, known->second);
    return known->second;
  }

 private:
  const FileTree& tree_;
  std::map<std::string, std::vector<const GamePart*>> parts_;
  std::map<std::string, std::vector<PartReferral>> read_;

  void collect_referrals(const std::string& file, std::vector<PartReferral>& out) {
    const auto bytes = read_file_or_member(tree_, file);
    const auto found = bytes ? detect(*bytes, file) : refuse(bytes.error());
    if (!found) return;
    const TraceResult traced = found->format->trace(*bytes, {});
    const auto& parts = parts_[file];
    for (const References references(traced.spans); const ResolvedReference& r : references.all()) {
      if (!r.is_part() || !r.count) continue;
      std::string path = traced.spans.path(r.from);
      // Of several parts in one file, the one with the index of the element.
      size_t own = 0;
      if (const size_t bracket = path.find('['); parts.size() > 1 && bracket != path.npos)
        own = std::min<size_t>(size_t(std::atoi(path.c_str() + bracket + 1)), parts.size() - 1);
      out.push_back({file, std::move(path), parts.empty() ? "" : parts[own]->id(), references.target(r)});
    }
  }
};

Value referrals_to_json(const std::vector<PartReferral>& all) {
  Value list = Value::list();
  for (const PartReferral& r : all) {
    Value& one = list.push(Value::object());
    one.add("file", r.file);
    one.add("path", r.path);
    one.add("from", r.from);
    one.add("to", r.to);
  }
  return list;
}

}  // namespace

Value PartReferences::value() const {
  Value v = Value::object();
  v.add("part", part);
  v.add("refers_to", referrals_to_json(out));
  v.add("referred_by", referrals_to_json(in));
  return v;
}

Result<PartReferences> collect_references(const Game& game, const FileTree& tree, std::string_view typed) {
  const GameGraph& graph = game.graph();
  const auto at = graph.find(typed);
  if (!at) return refuse(unknown_part(graph, typed));
  Files files(graph, tree);
  PartReferences found;
  found.part = graph.parts[*at].id();
  std::set<std::string> seen;
  for (const GameLink& l : graph.links) {
    if (l.to != *at || graph.parts[l.from].path.empty() || !seen.insert(graph.parts[l.from].path).second) continue;
    for (const PartReferral& r : files.referrals_in_file(graph.parts[l.from].path))
      if (r.to == found.part) found.in.push_back(r);
  }
  for (const PartReferral& r : files.referrals_in_file(graph.parts[*at].path))
    if (r.from == found.part) found.out.push_back(r);
  return found;
}

}  // namespace dio
