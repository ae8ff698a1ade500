// dio maps: the maps of a game; and the questions that other verbs answer about all of them, with --maps.
#include <algorithm>
#include <map>

#include "../command_line/options.hpp"
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/games.hpp"
#include "../output/members.hpp"
#include "../output/results.hpp"
#include "operations/game_graph.hpp"
#include "operations/games.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// Numbers of a list as people write them: 1, 4-7, 9.
std::string ranges(const Value& list) {
  std::vector<std::string> out;
  for (size_t i = 0; i < list.size();) {
    size_t end = i + 1;
    while (end < list.size() && list.at(end)->bits() == list.at(end - 1)->bits() + 1) ++end;
    const std::string first = std::to_string(list.at(i)->bits()), last = std::to_string(list.at(end - 1)->bits());
    if (end - i > 2)
      out.push_back(first + '-' + last);
    else
      for (size_t k = i; k < end; ++k) out.push_back(std::to_string(list.at(k)->bits()));
    i = end;
  }
  constexpr size_t k_most = 8;
  const size_t n = out.size();
  if (n > k_most) {
    out.resize(k_most);
    out.push_back("... (" + std::to_string(list.size()) + ")");
  }
  return join_texts(out, " ");
}

std::string format_cell(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::integer:
      return std::to_string(v.bits());
    case Value::Kind::text:
      return v.text();
    case Value::Kind::list:
      return ranges(v);
    default:
      return "-";
  }
}

void print_maps(const Request& request, const OpenedGameInput& played, Report& report) {
  if (played.cut)
    report_error(
        report, request,
        make_diagnostic(
            "layout.truncated", Location::in_file(played.name),
            {.message = "the image is incomplete: " + format_with_commas(played.cut) + " of its " +
                        format_count(played.members, "file is", "files are") + " cut off",
             .hint = "only maps whose files are complete are listed; make a new image of the disc or cartridge"}));
  if (request.json) {
    report.out = json_text(maps_json(*played.kind, *played.game));
    return;
  }
  const MapTable maps = played.game->maps();
  Table table("> >>>>>>>");
  table.add_row(maps.columns);
  for (const Value& row : maps.rows) {
    std::vector<std::string> cells;
    for (const std::string& column : maps.columns) {
      const Value* v = row.find(column);
      cells.push_back(v ? format_cell(*v) : "-");
    }
    table.add_row(std::move(cells));
    if (const Value* problem = row.find("problem")) report.err += played.name + '/' + problem->text() + "\n";
  }
  const Value info = played.game->info();
  if (const Value* missing = info.find("missing"))
    for (size_t i = 0; i < missing->size(); ++i)
      report.err += played.name + '/' + missing->at(i)->text() + " is missing\n";
  if (const Value* looked = info.find("looked_for_headers_in")) {
    std::vector<std::string> paths;
    for (size_t i = 0; i < looked->size(); ++i) paths.push_back(looked->at(i)->text());
    report.err += "map headers could be in " + join_texts(paths, ", ") + "\n";
  }
  report.out = table.text();
  report.out += "\n" + format_count(maps.rows.size(), "map", "maps") + " of " + std::string(played.kind->title) + "\n";
  if (maps.rows.empty()) report.raise(ExitCode::no);
}

/// One part as the game uses it.
void print_part(const Request& request, const OpenedGameInput& played, Report& report) {
  if (!require_effective_options(request, played.name, played.kind->options, report)) return;
  const auto options = parse_world_options(request, report);
  if (!options) return;
  auto described = played.game->describe(request.path, *options);
  if (!described) return report_error(report, request, in_game(described.error(), played));
  if (request.json) {
    report.out = json_text(part_json(*played.kind, std::move(*described)));
  } else {
    report.out = members_text(*described, 0);
  }
}

void build_game_file(const Request& request, const OpenedGameInput& played, Report& report) {
  if (!require_effective_options(request, played.name + " --make", {}, report)) return;
  auto bytes = played.game->make(request.make);
  if (!bytes) return report_error(report, request, in_file(bytes.error(), played.name));
  if (request.output.empty()) return report_usage_error(report, request, "--make needs -o FILE");
  write_output(request, resolve_input_names({played.name}), request.output, *bytes, report);
}

// ---- tree --maps ----

/// Parts of a list by their kind: `prop: 1 tree, 2 mill`.
std::string format_parts_by_kind(const GameGraph& g, const std::vector<u32>& list, const Request& request) {
  constexpr size_t k_most = 12;
  std::string out;
  for (size_t i = 0; i < list.size();) {
    const std::string_view kind = g.parts[list[i]].kind;
    std::vector<std::string> names;
    for (; i < list.size() && g.parts[list[i]].kind == kind; ++i) {
      const GamePart& p = g.parts[list[i]];
      names.push_back(std::to_string(p.number) + (p.name.empty() ? "" : " " + p.name));
    }
    const size_t n = names.size();
    if (n > k_most && !request.all) {
      names.resize(k_most);
      names.push_back("... (" + std::to_string(n) + ", --all shows them)");
    }
    const std::string title = "    " + std::string(kind) + ": ";
    out += title + wrap_text(names, ",", std::string(title.size(), ' ')).substr(title.size());
  }
  return out;
}

/// How many parts of each kind there are, and what they point to.
std::string part_kinds_table(const GameGraph& g) {
  std::vector<std::string_view> kinds;
  std::map<std::string_view, u64> count;
  std::map<std::pair<std::string_view, std::string_view>, u64> links;
  for (const GamePart& p : g.parts) {
    if (kinds.empty() || kinds.back() != p.kind) kinds.push_back(p.kind);
    ++count[p.kind];
  }
  for (const GameLink& l : g.links) ++links[{g.parts[l.from].kind, g.parts[l.to].kind}];
  Table table(" >");
  for (const std::string_view kind : kinds) {
    std::vector<std::string> to;
    for (const std::string_view other : kinds)
      if (const auto n = links.find({kind, other}); n != links.end())
        to.push_back(std::string(other) + " (" + format_with_commas(n->second) + ")");
    table.add_row({std::string(kind), format_with_commas(count[kind]), to.empty() ? "" : "-> " + join_texts(to, ", ")});
  }
  return table.text();
}

}  // namespace

ExitCode run_maps(const Request& request) {
  Report report;
  if (!request.output.empty() && request.make.empty())
    report_usage_error(report, request, "-o can only be used with --make");
  else if (const auto played = open_game(request, request.inputs[0], report))
    !request.make.empty()                           ? build_game_file(request, *played, report)
    : request.path.empty() && request.state.empty() ? print_maps(request, *played, report)
                                                    : print_part(request, *played, report);
  return finish(report);
}

ExitCode print_game_tree(const Request& request) {
  Report report;
  const auto played = open_game(request, request.inputs[0], report);
  if (played) {
    const GameGraph& g = played->game->graph();
    const PartLinks d(g);
    const auto part = request.path.empty() ? std::nullopt : g.find(request.path);
    if (!part && !request.path.empty()) {
      Diagnostic wrong = unknown_part(g, request.path);
      wrong.place.file = played->name;
      report_error(report, request, wrong);
    } else if (request.graph == "dot" || request.graph == "mermaid") {
      report.out = request.graph == "dot" ? graph_dot(g, part) : graph_mermaid(g, part);
    } else if (request.json) {
      report.out = json_text(graph_json(*played->kind, g, part));
    } else if (!part) {
      report.out = part_kinds_table(g);
    } else {
      const GamePart& p = g.parts[*part];
      report.out = part_label(p) + (p.path.empty() ? "" : "  (" + p.path + ")") + "\n";
      const auto list = [&](std::string_view title, const std::vector<u32>& of) {
        report.out +=
            "  " + std::string(title) + (of.empty() ? ": nothing\n" : "\n") + format_parts_by_kind(g, of, request);
      };
      list("uses", d.uses[*part]);
      list("used by", d.used_by[*part]);
    }
  }
  return finish(report);
}

ExitCode print_game_diff(const Request& request) {
  Report report;
  const auto a = open_game(request, request.inputs[0], report), b = open_game(request, request.other, report);
  if (a && b && a->kind != b->kind) {
    report.err = "the games are of different kinds: " + std::string(a->kind->title) + " and " +
                 std::string(b->kind->title) + "\n";
    report.raise(ExitCode::no);
  } else if (a && b) {
    const auto changes = a->game->diff(*b->game);
    if (!changes.empty()) report.raise(ExitCode::no);
    if (request.json) {
      report.out = json_text(changes_json(changes));
    } else {
      const bool color = detect_colors(request).out;
      const auto seen = [&](const GameChange& c) {
        std::vector<std::string> maps = c.seen_in;
        const size_t n = maps.size();
        if (n > 3 && !request.all) maps.resize(3), maps.push_back("and " + std::to_string(n - 3) + " more");
        return maps.empty() || c.part.starts_with("header/") ? "" : "  in " + join_texts(maps, ", ");
      };
      std::string last;
      bool together = true;  // what changed in a part shows in the same places
      for (const GameChange& c : changes) {
        if (c.part != last) {
          last = c.part;
          const auto of_part = std::span(changes).subspan(size_t(&c - changes.data()));
          const auto end = std::ranges::find_if(of_part, [&](const GameChange& o) { return o.part != c.part; });
          together = std::all_of(of_part.begin(), end, [&](const GameChange& o) { return o.seen_in == c.seen_in; });
          report.out += styled(color, AnsiStyle::bold, c.part + (c.name.empty() ? "" : " " + c.name)) +
                        (together ? seen(c) : "") + "\n";
        }
        const char* sign = c.kind == GameChange::Kind::added ? "+" : c.kind == GameChange::Kind::removed ? "-" : "~";
        const AnsiStyle paint = c.kind == GameChange::Kind::added     ? AnsiStyle::green
                                : c.kind == GameChange::Kind::removed ? AnsiStyle::red
                                                                      : AnsiStyle::yellow;
        std::string line = "  " + std::string(sign) + " " + (c.what.empty() ? std::string(to_string(c.kind)) : c.what);
        if (c.count > 1) line += " (" + format_with_commas(c.count) + ")";
        if (!c.was.empty() || !c.is.empty())
          line += ": " + c.was + (c.was.empty() || c.is.empty() ? "" : " -> ") + c.is;
        report.out += styled(color, paint, line) + (together ? "" : seen(c)) + "\n";
      }
      if (changes.empty() && !request.quiet) report.err = "the maps are identical\n";
    }
  }
  return finish(report);
}

}  // namespace dio::cli
