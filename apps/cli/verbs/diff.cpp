// dio diff: how two files differ.
#include <algorithm>
#include <array>
#include <map>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/folders.hpp"
#include "../input/open.hpp"
#include "../input/scenes.hpp"
#include "../output/byte_diff.hpp"
#include "../system/filesystem.hpp"
#include "answers/differences.hpp"
#include "core/text_format.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "render/differences.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

void diff_bytes(const Request& request, const std::vector<Input>& inputs, Report& report) {
  Bytes bytes[2];
  for (size_t i = 0; i < 2; ++i) {
    auto b = read_input(inputs[i]);
    if (!b) return report_error(report, request, b.error());
    bytes[i] = std::move(*b);
  }
  // Paths help, but bytes of no known format can be compared as well.
  std::optional<TraceResult> traced;
  ReadAs as = request.as;
  if (!as)
    if (const auto d = detect(bytes[0], inputs[0].name)) as = {d->format};
  if (as) traced = as.format->trace(bytes[0], as.options);
  const auto runs = report::byte_diff(bytes[0], bytes[1], traced ? &traced->spans : nullptr);
  report.out = request.json ? json_text(report::byte_diff_json(runs)) : byte_diff_text(runs);
  if (!runs.empty()) report.raise(ExitCode::no);
}

/// What lies beside a file that was only traced.
OpenedFile open_sibling_documents(const Request& request, const Input& input, const TracedFile& file, Report& report) {
  OpenedFile near;
  near.name = file.name;
  near.format = file.format;
  near.options = file.options;
  if (file.format->matched) open_sibling_companions(request, input, near, &report);
  return near;
}

// ---- archives: which members differ

/// Nothing if they are no archives.
std::optional<std::vector<MemberChange>> diff_archive_members(const std::vector<Input>& inputs) {
  std::unique_ptr<ArchiveTree> trees[2];
  for (size_t i = 0; i < 2; ++i) {
    std::error_code error;
    const bool is_pipe = inputs[i].is_stdin || (!inputs[i].archive && !fs::is_regular_file(inputs[i].name, error));
    if (inputs[i].problem || is_pipe) return {};  // what is read of a pipe is gone
    auto bytes = read_input(inputs[i]);
    if (!bytes) return {};
    auto tree = open_archive_tree(std::move(*bytes), inputs[i].name);
    if (!tree) return {};
    trees[i] = std::move(*tree);
  }
  if (&trees[0]->archive().format() != &trees[1]->archive().format()) return {};
  auto out = diff_members(*trees[0], *trees[1]);
  // Nothing to say of members: then what is around them is compared.
  if (out.empty()) return {};
  return out;
}

/// Two folders, file by file: those of the same path are compared.
std::vector<MemberChange> diff_folders(const Request& request, const std::string& a, const std::string& b,
                                       Report& report) {
  std::map<std::string, std::array<std::string, 2>> paths;  // below the folders: the files
  for (const auto& [at, folder] : {std::pair<size_t, std::string>{0, a}, {1, b}}) {
    std::error_code error;
    for (std::string& file : list_files(folder, true, error))
      paths[fs::path(file).lexically_relative(folder).generic_string()][at] = std::move(file);
    if (error)
      report_error(report, request, io_error("io.read", folder, "the folder cannot be read: " + error.message()));
  }
  std::vector<MemberChange> out;
  for (const auto& [path, files] : paths) {
    if (files[0].empty() || files[1].empty()) {
      std::error_code ignored;
      const u64 size = fs::file_size(files[0].empty() ? files[1] : files[0], ignored);
      out.push_back({files[0].empty() ? "added" : "removed", path, format_count(size, "byte", "bytes")});
      continue;
    }
    auto was = read_regular_file(files[0]), is = read_regular_file(files[1]);
    if (!was || !is) {
      report_error(report, request, was ? is.error() : was.error());
      continue;
    }
    if (*was == *is) continue;
    const auto inner_a = open_archive_tree(*was, files[0]), inner_b = open_archive_tree(*is, files[1]);
    std::vector<MemberChange> inside;
    if (inner_a && inner_b) inside = diff_members(**inner_a, **inner_b, path + "/");
    if (inside.empty()) inside.push_back({"changed", path, describe_file_change(path, *was, *is)});
    std::move(inside.begin(), inside.end(), std::back_inserter(out));
  }
  return out;
}

void print_member_changes(const Request& request, const std::vector<MemberChange>& changes, Report& report) {
  if (!changes.empty()) report.raise(ExitCode::no);
  if (request.json) {
    report.out = json_text(member_changes_json(changes));
    return;
  }
  Table table;
  for (const MemberChange& c : changes) table.add_row({c.kind, escape_control_chars(c.path), c.what});
  report.out = table.text();
}

/// One of the two is /dev/null, which is how git calls a file that is not there.
void print_existence_change(const Request& request, const std::vector<Input>& inputs, Report& report) {
  const bool is_new = is_dev_null(inputs[0]);
  const Input& input = inputs[is_new];
  const auto bytes = read_input(request, input, report);
  if (!bytes) return;
  const auto format = detect(*bytes, input.name);
  print_member_changes(
      request,
      {{is_new ? "added" : "removed", input.name,
        (format ? std::string(format->format->id) + ", " : "") + format_count(bytes->size(), "byte", "bytes")}},
      report);
}

/// Whether bytes only fill a gap: zeros, or FF as in what cartridges hold.
bool is_fill(ByteView bytes) {
  return std::ranges::none_of(bytes, [&](u8 b) { return (b != 0 && b != 0xFF) || b != bytes[0]; });
}

/// The bytes that nothing describes, but for those that only fill gaps.
Bytes collect_undescribed_bytes(const TracedFile& file) {
  Bytes out;
  for (const Gap& gap : file.traced.spans.gaps()) {
    const ByteView bytes = ByteView(file.bytes).subspan(size_t(gap.offset), size_t(gap.size));
    if (!is_fill(bytes)) out.insert(out.end(), bytes.begin(), bytes.end());
  }
  return out;
}

/// The edit that makes all that differs from the rest of a file, which is equal; null if there is none.
const Edit* find_edit_making_all(const Format& format, const std::vector<report::Change>& changes) {
  for (const Edit& edit : edits_of(format)) {
    const auto makes = [&](const report::Change& c) {
      return edit.is_generated_path(c.path_a.empty() ? c.path_b : c.path_a);
    };
    if (edit.is_stale && !changes.empty() && std::ranges::all_of(changes, makes)) return &edit;
  }
  return nullptr;
}

/// The JSON of files whose values are equal, with the number of bytes in each that nothing describes.
Value undescribed_json(const Bytes& a, const Bytes& b) {
  Value v = report::diff_json({});
  Value& undescribed = v.add("undescribed", Value::list());
  for (const Bytes* rest : {&a, &b}) undescribed.push(Value(u64(rest->size())));
  return v;
}

/// The bytes after compressed data, if they are more than fill.
Bytes collect_trailing_bytes(const Format& format, ByteView file) {
  const auto size = format.archive->packed_size ? format.archive->packed_size(file) : Result<u64>(u64(file.size()));
  if (!size) return {};
  const ByteView rest = file.subspan(size_t(*size));
  return is_fill(rest) ? Bytes() : Bytes(rest.begin(), rest.end());
}

/// Files that are compressed as a whole become what they hold. True if that is equal. `trailing`: what follows the
/// compressed data of each.
bool unwrap_compressed(const Request& request, std::vector<Input>& inputs, std::array<Bytes, 2>& trailing) {
  if (request.as) return false;
  std::optional<Bytes> contents[2];
  for (size_t i = 0; i < 2; ++i) {
    auto bytes = read_input(inputs[i]);
    const auto found = bytes ? detect(*bytes, inputs[i].name) : refuse(bytes.error());
    if (!found || !found->format->archive || !found->format->archive->is_wrapping) return false;
    const BorrowedByteSource source(*bytes);
    const auto members = found->format->archive->members(source);
    auto content = members && !members->empty() ? found->format->archive->content(source, members->front())
                                                : Result<Bytes>(Bytes());
    if (!content) return false;
    contents[i] = std::move(*content);
    trailing[i] = collect_trailing_bytes(*found->format, *bytes);
  }
  if (*contents[0] == *contents[1]) return true;
  for (size_t i = 0; i < 2; ++i)
    if (!detect(*contents[i], inputs[i].name)) return false;
  for (size_t i = 0; i < 2; ++i) inputs[i].held = std::make_shared<Bytes>(std::move(*contents[i]));
  return false;
}

void diff_documents(const Request& request, std::vector<Input> inputs, Report& report) {
  if (is_dev_null(inputs[0]) != is_dev_null(inputs[1])) return print_existence_change(request, inputs, report);
  std::array<Bytes, 2> trailing;
  const bool are_contents_equal = unwrap_compressed(request, inputs, trailing);
  const bool is_trailing_equal = trailing[0] == trailing[1];
  if (!is_trailing_equal) {
    report.raise(ExitCode::no);
    report.err = "the bytes after the compressed data differ: the first file has " +
                 dio::format_count(trailing[0].size(), "byte") + ", the second " +
                 dio::format_count(trailing[1].size(), "byte") + "; --bytes shows where\n";
  }
  if (are_contents_equal) {
    const auto a = read_input(inputs[0]), b = read_input(inputs[1]);
    if (!request.quiet && is_trailing_equal && a && b && *a != *b)
      report.err = "the contents are equal; only their compression differs\n";
    if (request.json)
      report.out = json_text(is_trailing_equal ? report::diff_json({}) : undescribed_json(trailing[0], trailing[1]));
    return;
  }
  if (const auto members = request.as ? std::nullopt : diff_archive_members(inputs))
    return print_member_changes(request, *members, report);
  const auto a = trace_input(request, inputs[0], report), b = trace_input(request, inputs[1], report);
  if (!a || !b || report.exit > ExitCode::no) return;
  if (a->format != b->format) {
    report.err += "the files have different formats: " + std::string(a->format->title) + " and " +
                  std::string(b->format->title) + "\n";
    if (request.json) {
      Value v = report::diff_json({});
      Value& formats = v.add("formats", Value::list());
      for (const auto* each : {&*a, &*b}) formats.push(Value(each->format_id()));
      report.out = json_text(v);
    }
    return report.raise(ExitCode::no);
  }
  const OpenedFile near_a = open_sibling_documents(request, inputs[0], *a, report),
                   near_b = open_sibling_documents(request, inputs[1], *b, report);
  auto changes =
      diff_values(*a->format, a->traced.spans, b->traced.spans, collect_companions(near_a), collect_companions(near_b));
  if (const Edit* edit = request.verbose ? nullptr : find_edit_making_all(*a->format, changes)) {
    report.err += "equal except for " + dio::format_count(changes.size(), "value") + " that " +
                  std::string(edit->name) + " computes from other values; -v shows them\n";
    changes.clear();
  }
  report.out =
      request.json ? json_text(report::diff_json(changes)) : report::diff_text(changes, detect_colors(request).out);
  if (!changes.empty()) return report.raise(ExitCode::no);
  if (std::ranges::equal(a->bytes, b->bytes)) return;
  const Bytes rest_a = collect_undescribed_bytes(*a), rest_b = collect_undescribed_bytes(*b);
  if (rest_a != rest_b) {
    report.raise(ExitCode::no);
    if (request.json) report.out = json_text(undescribed_json(rest_a, rest_b));
  }
  if (request.quiet) return;
  report.err += rest_a == rest_b ? "the values are equal, but the bytes differ; --bytes shows where\n"
                                 : "the values are equal, but unreferenced bytes differ: the first file has " +
                                       dio::format_count(rest_a.size(), "byte") + ", the second " +
                                       dio::format_count(rest_b.size(), "byte") + "; --bytes shows where\n";
}

/// Scenes of 3D programs are compared by what they draw alone.
bool are_scenes(const std::vector<Input>& inputs) {
  return std::ranges::any_of(
      inputs, [](const Input& i) { return i.is_stdin ? i.held && is_scene(i, *i.held) : has_scene_extension(i.name); });
}

/// What is wrong with the options for pictures; empty: nothing.
std::string check_picture_options(const Request& request) {
  if (request.render.empty()) {
    const std::pair<const char*, bool> options[] = {{"--size", !request.size.empty()},
                                                    {"--camera", !request.camera.empty()},
                                                    {"--background", !request.background.empty()},
                                                    {"--time", !request.time.empty()},
                                                    {"--with", !request.with.empty()},
                                                    {"-f", request.overwrite},
                                                    {"-n", request.dry_run}};
    for (const auto& [name, given] : options)
      if (given) return std::string(name) + " has no effect without --render";
    return {};
  }
  const std::string extension = file_extension(request.render);
  if (request.render != "-" && extension != ".png" && extension != ".apng" && extension != ".gif")
    return "cannot write " + request.render + ": use a name ending in .png, or in .apng or .gif for a blinking picture";
  if (request.render == "-" && request.json) return "--render - and --json cannot both write to standard output";
  if (request.bytes || request.maps)
    return std::string("--render cannot be combined with ") + (request.maps ? "--maps" : "--bytes");
  return {};
}

}  // namespace

ExitCode run_diff(const Request& request) {
  Report report;
  if (const std::string problem = check_picture_options(request); !problem.empty()) {
    report_usage_error(report, request, problem);
    return finish(report);
  }
  if (request.maps) return print_game_diff(request);
  const std::string &a = request.inputs[0], &b = request.other;
  if (is_folder(a) || is_folder(b)) {
    if (!is_folder(a) || !is_folder(b))
      report_usage_error(report, request, "a folder can only be compared with a folder, a file with a file");
    else if (request.bytes || request.as || !request.render.empty())
      report_usage_error(report, request, "--bytes, --as and --render work only with two files, not with folders");
    else
      print_member_changes(request, diff_folders(request, a, b, report), report);
    return finish(report);
  }
  std::vector<Input> inputs = resolve_input_names({request.inputs[0], request.other});
  // The values and the pictures are both read.
  for (Input& i : inputs)
    if (auto held = buffer_stream_input(i); !held) {
      report_error(report, request, held.error());
      return finish(report);
    }
  if (inputs.size() != 2 || inputs[0].walked || inputs[1].walked)
    report_usage_error(report, request, "give two files or two folders, not patterns");
  else if (request.bytes)
    diff_bytes(request, inputs, report);
  else if (request.render.empty() && are_scenes(inputs))
    report_usage_error(report, request,
                       "glTF scenes can only be compared as pictures (--render OUT.png) or as bytes (--bytes)");
  else {
    if (request.render.empty() || !are_scenes(inputs)) diff_documents(request, inputs, report);
    if (!request.render.empty() && report.exit <= ExitCode::no) draw_differences(request, inputs, report);
  }
  return finish(report);
}

}  // namespace dio::cli
