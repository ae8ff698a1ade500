// dio refs: who refers to what.
#include "bridge/report/refs.hpp"

#include <map>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/archives.hpp"
#include "../input/batch.hpp"
#include "../input/games.hpp"
#include "../input/open.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "layout/references.hpp"
#include "layout/selector.hpp"
#include "operations/game_references.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::string missing_target_text(const Spans& spans, const ResolvedReference& r) {
  if (!r.list) return "the file has no such list";
  return spans.path(r.list) + " has " + dio::format_count(spans.length(r.list), "element");
}

/// From and to in two columns.
std::string format_two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string out;
  for (const auto& [from, to] : rows)
    out += "  " + from + (to.empty() ? "" : std::string(width - from.size() + 2, ' ') + to) + "\n";
  return out;
}

/// A path without the part that it is in.
std::string strip_path_prefix(const std::string& path, const std::string& around) {
  if (around.empty() || path == around) return path;
  return path.substr(around.size() + (path[around.size()] == '.'));
}

/// Of a whole file: for each list, how many of its elements something refers to, and what leads outside.
void show_file_references(const TracedFile& file, const References& references, Report& report) {
  const Spans& spans = file.traced.spans;
  std::map<std::string, std::pair<u32, std::vector<bool>>> lists;
  std::vector<std::pair<std::string, std::string>> rows, outside;
  u64 total = 0;
  for (const ResolvedReference& r : references.all()) {
    if (!r.count) continue;
    ++total;
    if (!references.exists(r))
      outside.push_back({spans.path(r.from), references.target(r) + ", but " + missing_target_text(spans, r)});
    if (!r.list) continue;
    auto& [list, used] = lists[spans.path(r.list)];
    list = r.list;
    used.resize(size_t(spans.length(r.list)), false);
    for (u64 i = r.first; i < std::min<u64>(r.first + r.count, used.size()); ++i) used[size_t(i)] = true;
  }
  if (!total) report.out += "no value in this file refers to another element\n";
  for (const auto& [path, known] : lists) {
    const auto& used = known.second;
    std::string unused;
    u64 count = 0;
    for (u64 i = 0; i < used.size(); ++i) {
      if (used[size_t(i)]) continue;
      if (++count <= 6) unused += (unused.empty() ? "" : ", ") + std::string("[") + std::to_string(i) + "]";
    }
    rows.push_back(
        {path,
         std::to_string(used.size() - count) + " of " + dio::format_count(used.size(), "element") + " are referred to" +
             (count ? "; unreferenced: " + unused + (count > 6 ? " and " + std::to_string(count - 6) + " more" : "")
                    : "")});
  }
  report.out += format_two_columns(rows);
  if (!outside.empty()) report.out += "references to missing elements:\n" + format_two_columns(outside);
}

/// Names that an element has, or by which it means one of another file, and where these files have them.
std::string shared_names_text(const Spans& spans, const SpanRef& part, std::span<const report::NamedSpans> files) {
  std::vector<std::pair<std::string, std::string>> rows;
  const std::string around = spans.path(part);
  for (const SharedName& name : shared_names(spans, part)) {
    std::string kind = std::string(name.kind) + " ";
    append_json_string(kind, name.name);
    rows.push_back({strip_path_prefix(spans.path(name.span), around), (name.defines ? "defines " : "uses ") + kind});
    for (const report::NamedSpanRef& other : report::find_shared_name_uses(name, spans, files))
      rows.push_back(
          {"", (other.defines ? "  defined by " : "  used by ") + std::string(other.file) + " " + other.path});
  }
  return rows.empty() ? "" : "names in common with other files\n" + format_two_columns(rows);
}

/// Whether somebody who types this means a part of a game: land/12. Paths in files have no slashes.
bool looks_like_part(std::string_view path) {
  return path.find('/') != path.npos && path.find_first_of("[\"") == path.npos;
}

std::string example_part_text(const OpenedGameInput& played) {
  const GameGraph& graph = played.game->graph();
  return (graph.parts.empty() ? "land/12" : graph.parts.front().id()) + "; `dio maps " + played.name +
         "` lists its maps";
}

/// Whether it is the name of a part of the game in an archive: LAKE.
bool names_game_part(const Request& request) {
  if (request.path.empty() || !looks_like_archive(request.inputs[0])) return false;
  Report none;
  const auto played = open_game(request, request.inputs[0], none);
  return played && played->game->graph().find(request.path);
}

void show_part_references(const Request& request, Report& report) {
  const auto played = open_game(request, request.inputs[0], report);
  if (!played) return;
  if (request.path.empty())
    return report_usage_error(report, request, "name a part of the game, such as " + example_part_text(*played));
  const auto found = collect_references(*played->game, *played->files, request.path);
  if (!found) return report_error(report, request, in_game(found.error(), *played));
  if (request.json) {
    Value json = json_with_schema("diorama.refs/1");
    json.add("game", played->name);
    json.add("parts", Value::list()).push(found->value());
    report.out = json_text(json);
    return;
  }
  const auto rows = [](const std::vector<PartReferral>& all, bool to) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const PartReferral& r : all) out.push_back({(to ? "" : r.file + " ") + r.path, to ? r.to : ""});
    return format_two_columns(out);
  };
  report.out = found->part + (found->out.empty() ? " refers to nothing\n" : " refers to\n") + rows(found->out, true);
  report.out += found->in.empty() ? "nothing refers to it\n" : "and is referred to by\n" + rows(found->in, false);
}

}  // namespace

ExitCode run_refs(const Request& request) {
  if (looks_like_part(request.path) || is_folder(request.inputs[0]) || names_game_part(request)) {
    Report report;
    show_part_references(request, report);
    return finish(report);
  }
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = trace_input(request, input, report);
    if (!file) return report;
    const Spans& spans = file->traced.spans;
    const References references(spans);
    std::vector<SpanRef> parts{*spans.find("")};
    if (!request.path.empty()) {
      auto selected = select(spans, request.path);
      if (!selected) {
        Report none;
        const bool is_name = request.path.find_first_of(".[") == std::string::npos;
        const auto played = is_name && file->format->archive ? open_game(request, input.name, none) : std::nullopt;
        report_error(report, request,
                     played ? in_game(unknown_part(played->game->graph(), request.path), *played)
                            : in_file(selected.error(), file->name));
        return report;
      }
      parts = std::move(*selected);
    }
    if (!request.json && request.path.empty()) {
      show_file_references(*file, references, report);
      Report none;
      if (const auto played = file->format->archive ? open_game(request, input.name, none) : std::nullopt)
        report.out += "`dio refs " + input.name + " PART` shows the references to a part of the game, such as " +
                      example_part_text(*played) + "\n";
      return report;
    }
    std::vector<TracedFile> others;
    others.reserve(request.with.size());
    std::vector<report::NamedSpans> files{{file->name, &spans}};
    for (const Input& other : resolve_input_names(request.with)) {
      auto traced = trace_input(request, other, report);
      if (!traced) return report;
      others.push_back(std::move(*traced));
      files.push_back({others.back().name, &others.back().traced.spans});
    }
    Value json = json_with_schema("diorama.refs/1");
    json.add("file", file->name);
    Value& list = json.add("parts", Value::list());
    for (const SpanRef& part : parts) {
      const auto found = references.of(part);
      const std::string path = spans.path(part);
      if (request.json) {
        list.push(report::collect_references(spans, references, part, files));
        continue;
      }
      if (!report.out.empty()) report.out += "\n";
      std::vector<std::pair<std::string, std::string>> rows;
      for (const ResolvedReference* r : found.out) {
        rows.push_back(
            {strip_path_prefix(spans.path(r->from), path),
             references.target(*r) + (references.exists(*r) ? "" : ", but " + missing_target_text(spans, *r))});
      }
      report.out += (path.empty() ? file->name : path) + (rows.empty() ? " refers to nothing\n" : " refers to\n") +
                    format_two_columns(rows);
      rows.clear();
      for (const ResolvedReference* r : found.in)
        rows.push_back({spans.path(r->from), references.target(*r) == path ? "" : references.target(*r)});
      report.out += rows.empty() ? "nothing refers to it\n" : "and is referred to by\n" + format_two_columns(rows);
      report.out += shared_names_text(spans, part, files);
    }
    if (request.json) report.out = json_text(json);
    return report;
  });
}

}  // namespace dio::cli
