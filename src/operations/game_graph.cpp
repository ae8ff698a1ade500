#include "operations/game_graph.hpp"

#include <algorithm>

namespace dio {

PartLinks::PartLinks(const GameGraph& g) : uses(g.parts.size()), used_by(g.parts.size()) {
  for (const GameLink& l : g.links) uses[l.from].push_back(l.to), used_by[l.to].push_back(l.from);
}

std::string part_label(const GamePart& p) { return p.id() + (p.name.empty() ? "" : " " + p.name); }

namespace {

Value describe_part(const GamePart& p) {
  Value v = Value::object();
  v.add("part", p.id());
  if (!p.name.empty()) v.add("name", p.name);
  if (!p.path.empty()) v.add("path", p.path);
  return v;
}
Value describe_parts(const GameGraph& g, const std::vector<u32>& list) {
  Value v = Value::list();
  for (const u32 i : list) v.push(describe_part(g.parts[i]));
  return v;
}

/// A part, with all it uses and all that use it, directly or through others; or what is used by everything.
std::vector<bool> reachable_parts(const GameGraph& g, const PartLinks& d, std::optional<u32> part) {
  std::vector<bool> in(g.parts.size(), !part);
  if (!part) return in;
  const auto mark_reachable = [&](const std::vector<std::vector<u32>>& links) {
    std::vector<bool> seen(g.parts.size());
    std::vector<u32> open = {*part};
    while (!open.empty()) {
      const u32 at = open.back();
      open.pop_back();
      if (seen[at]) continue;
      seen[at] = in[at] = true;
      // From map to map one would come everywhere.
      if (at != *part && g.parts[at].kind == g.parts[*part].kind) continue;
      for (const u32 next : links[at])
        if (!(g.parts[next].kind == g.parts[*part].kind)) open.push_back(next);
    }
  };
  mark_reachable(d.uses);
  mark_reachable(d.used_by);
  return in;
}

}  // namespace

Value graph_json(const GameKind& kind, const GameGraph& g, std::optional<u32> part) {
  const PartLinks links(g);
  Value v = Value::object();
  v.add("schema", "diorama.graph/1");
  v.add("game", kind.id);
  Value& list = v.add("parts", Value::list());
  for (u32 i = 0; i < g.parts.size(); ++i) {
    if (part && i != *part) continue;
    Value one = describe_part(g.parts[i]);
    const auto ids_to_json = [&](const std::vector<u32>& of) {
      Value names = Value::list();
      for (const u32 k : of) names.push(g.parts[k].id());
      return names;
    };
    one.add("uses", part ? describe_parts(g, links.uses[i]) : ids_to_json(links.uses[i]));
    one.add("used_by", part ? describe_parts(g, links.used_by[i]) : ids_to_json(links.used_by[i]));
    list.push(std::move(one));
  }
  return v;
}

std::string graph_dot(const GameGraph& g, std::optional<u32> part) {
  const auto in = reachable_parts(g, PartLinks(g), part);
  const auto quote_dot_id = [](std::string s) {
    std::string out;
    for (const char c : s) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return '"' + out + '"';
  };
  std::string out = "digraph maps {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (u32 i = 0; i < g.parts.size(); ++i)
    if (in[i])
      out += "  " + quote_dot_id(g.parts[i].id()) +
             (g.parts[i].name.empty() ? "" : " [label=" + quote_dot_id(part_label(g.parts[i])) + "]") + ";\n";
  for (const GameLink& l : g.links)
    if (in[l.from] && in[l.to])
      out += "  " + quote_dot_id(g.parts[l.from].id()) + " -> " + quote_dot_id(g.parts[l.to].id()) + ";\n";
  return out + "}\n";
}

std::string graph_mermaid(const GameGraph& g, std::optional<u32> part) {
  const auto in = reachable_parts(g, PartLinks(g), part);
  const auto id = [&](u32 i) {
    std::string s = g.parts[i].id();
    std::replace_if(s.begin(), s.end(), [](char c) { return c == '/' || c == '-'; }, '_');
    return s;
  };
  std::string out = "flowchart LR\n";
  for (u32 i = 0; i < g.parts.size(); ++i) {
    if (!in[i]) continue;
    std::string name = part_label(g.parts[i]);
    std::replace(name.begin(), name.end(), '"', '\'');
    out += "  " + id(i) + "[\"" + name + "\"]\n";
  }
  for (const GameLink& l : g.links)
    if (in[l.from] && in[l.to]) out += "  " + id(l.from) + " --> " + id(l.to) + "\n";
  return out;
}

}  // namespace dio
