// dio ls: the parts of a file, or what is in an archive or a folder, one level.
#include <map>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/folders.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../system/filesystem.hpp"
#include "bridge/report/tree.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

using Kind = Span::Kind;

/// How many elements something holds: a list its own, an object those of the only list in it.
std::optional<u64> element_count(const Spans& spans, u32 span) {
  const Span& s = spans[span];
  if (s.kind == Kind::numbers) return spans.count(s);
  u64 n = 0;
  u32 list = 0;
  spans.for_each_child(span, [&](u32 i) {
    if (s.kind == Kind::object && spans[i].kind != Kind::list) return;
    n += spans[i].is_value();
    list = i;
  });
  if (s.kind == Kind::list) return n;
  return n == 1 && s.kind == Kind::object ? element_count(spans, list) : std::nullopt;
}

/// The members or elements of what is at a spot; of a value without any, that value itself.
std::vector<SpanRef> list_parts(const Spans& spans, const SpanRef& spot) {
  const Span& s = spans[spot.span];
  std::vector<SpanRef> out;
  if (s.kind == Kind::numbers && !spot.element) {
    const u64 size = size_of(s.wire);
    for (u64 e = 0; e < spans.count(s); ++e) out.push_back({spot.span, e, s.offset + e * size, size});
  } else if (s.kind == Kind::object || s.kind == Kind::list) {
    spans.for_each_child(spot.span, [&](u32 i) {
      const Span& c = spans[i];
      if (c.is_value()) out.push_back({i, {}, c.offset, c.kind == Kind::bits ? size_of(c.wire) : c.size});
    });
  } else {
    out.push_back(spot);
  }
  return out;
}

/// What a part is called in what it is part of.
std::string part_name(const Spans& spans, const SpanRef& part) {
  const Key& key = spans[part.span].key;
  if (part.element) return '[' + std::to_string(*part.element) + ']';
  return key.name ? key.name : '[' + std::to_string(key.index) + ']';
}

// ---- archives

/// Folders and files, as JSON or as a table. `before`: how much of each path is left out.
void print_listing(const Request& request, const Value& v, size_t before, Report& report) {
  if (request.json) {
    report.out = json_text(v);
    return;
  }
  Table table(" >");
  table.add_row({"name", "size", "what"});
  for (const auto& [unused, f] : v.find("folders")->members())
    table.add_row({escape_control_chars(f.find("path")->text().substr(before)) + "/",
                   std::to_string(f.find("size")->bits()), format_count(f.find("files")->bits(), "file", "files")});
  for (const auto& [unused, m] : v.find("members")->members()) {
    const Value* what = m.find("what");
    table.add_row({escape_control_chars(m.find("path")->text().substr(before)), std::to_string(m.find("size")->bits()),
                   what ? what->text() : ""});
  }
  report.out = table.text();
}

void list_members(const Request& request, const ArchiveTree& tree, const std::string& folder, Report& report) {
  print_listing(request, describe_members(tree, folder, request.all), folder.empty() ? 0 : folder.size() + 1, report);
}

/// Whether the request is for an archive or a folder in one, and was answered.
bool list_archive(const Request& request, Report& report) {
  const std::string& name = request.inputs[0];
  if (!request.path.empty() || request.as || name == "-" || is_folder(name)) return false;
  const auto inside = split_archive_path(name);
  std::error_code error;
  if (!inside && !fs::is_regular_file(name, error)) return false;
  const auto archive = ArchiveFile::open(inside ? inside->file : name);
  if (!archive) return false;  // the usual way says why
  const std::string path = inside ? inside->inside : "";
  bool listed = false;
  (*archive)->visit_tree([&](const ArchiveTree& outer) {
    const auto place = outer.resolve_and_open(path);
    if (!place) return;
    list_members(request, *place->tree, std::string(place->folder), report);
    listed = true;
  });
  return listed;
}

// ---- folders

/// What a file of a folder is; empty: of no known format, or large.
std::string identify_file(const std::string& path) {
  constexpr u64 k_quickly_read = 4 << 20;
  std::error_code error;
  if (fs::file_size(path, error) > k_quickly_read || error) return {};
  const auto bytes = read_regular_file(path);
  const auto found = bytes ? detect(*bytes, path) : Result<Detected>(refuse(bytes.error()));
  return found ? std::string(found->format->id) : "";
}

/// Whether the request is for a folder, and was answered.
bool list_folder(const Request& request, Report& report) {
  const std::string& name = request.inputs[0];
  if (!request.path.empty() || request.as || name == "-" || !is_folder(name)) return false;
  std::error_code error;
  const auto files = list_files(name, true, error);
  if (error) {
    report_error(report, request, io_error("io.read", name, "the folder cannot be read: " + error.message()));
    return true;
  }
  struct Folder {
    u64 files = 0, size = 0;
  };
  std::map<std::string, Folder> folders;
  Value members = Value::list();
  for (const std::string& file : files) {
    const std::string path = fs::path(file).lexically_relative(name).generic_string();
    std::error_code ignored;
    const u64 size = fs::file_size(file, ignored);
    if (const size_t slash = path.find('/'); slash != path.npos && !request.all) {
      Folder& f = folders[path.substr(0, slash)];
      ++f.files;
      f.size += size;
      continue;
    }
    Value& v = members.push(Value::object());
    v.add("path", path);
    v.add("size", size);
    if (std::string about = identify_file(file); !about.empty()) v.add("what", std::move(about));
  }
  Value v = json_with_schema("diorama.folder/1");
  v.add("file", name);
  Value& list = v.add("folders", Value::list());
  for (const auto& [path, f] : folders) {
    Value& one = list.push(Value::object());
    one.add("path", path);
    one.add("files", f.files);
    one.add("size", f.size);
  }
  v.add("members", std::move(members));
  print_listing(request, v, 0, report);
  return true;
}

}  // namespace

ExitCode run_ls(const Request& request) {
  if (Report listed; list_archive(request, listed) || list_folder(request, listed)) return finish(listed);
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = trace_input(request, input, report);
    if (!file) return report;
    const Spans& spans = file->traced.spans;
    const auto spot = resolve_path(request, *file, request.path, report);
    if (!spot) return report;

    Table table(" >>>");
    table.add_row({"name", "count", "offset", "size", "type", "value"});
    Value list = Value::list();
    for (const SpanRef& part : list_parts(spans, *spot)) {
      const Span& s = spans[part.span];
      const std::string name = part_name(spans, part);
      const std::string type = part.element ? std::string(to_string(s.wire)) : spans.type(part.span);
      const auto count = part.element ? std::nullopt : element_count(spans, part.span);
      const bool has_place = s.kind != Kind::inferred, is_leaf = s.kind != Kind::object && s.kind != Kind::list;
      if (request.json) {
        Value& v = list.push(Value::object());
        v.add("name", name);
        v.add("path", spans.path(part));
        v.add("type", type);
        if (count) v.add("count", *count);
        if (has_place) {
          v.add("offset", part.offset);
          v.add("size", part.size);
        }
        if (is_leaf) v.add("show", spans.show(part));
        continue;
      }
      // What is no list and holds none shows its first members.
      std::string value;
      if (part.element)
        value = spans.show(part);
      else if (!count || s.kind == Kind::numbers)
        value = report::line_text(spans, part.span);
      table.add_row({name, count ? std::to_string(*count) : "", has_place ? format_hex(part.offset, 4) : "",
                     has_place ? std::to_string(part.size) : "", type, value});
    }
    if (!request.json) {
      report.out = table.text();
      return report;
    }
    Value v = json_with_schema("diorama.ls/1");
    v.add("file", file->name);
    v.add("format", file->format_id());
    v.add("path", request.path.empty() ? request.path : spans.path(*spot));
    v.add("parts", std::move(list));
    report.out = json_text(v);
    return report;
  });
}

}  // namespace dio::cli
