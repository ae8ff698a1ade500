#include "open.hpp"

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../system/filesystem.hpp"
#include "formats/contract/format.hpp"
#include "layout/selector.hpp"

namespace dio::cli {

namespace {

void report_open_failure(const Request& request, const Input& input, const Diagnostic& d, ByteView bytes,
                         Report& report) {
  if (input.walked && d.id == "detect.unknown")
    report.skipped = true;
  else
    report_error(report, request, with_format_hint(d, input.name, bytes), bytes);
}

}  // namespace

Diagnostic with_format_hint(Diagnostic d, const std::string& name, ByteView bytes) {
  if (d.id != "detect.unknown" && d.id != "archive.none" && d.id != "layout.magic") return d;
  constexpr struct {
    std::string_view magic, what;
  } k_others[] = {
      {"Yay0", "Yay0-compressed data; `wszst decompress` turns it into a .szs file"},
      {"WBZa", "an archive from Wiimm's tools (.wbz); `wszst compress --szs` turns it into a .szs file"},
      {"WU8a", "an archive from Wiimm's tools (.wu8); `wszst compress --szs` turns it into a .szs file"},
      {"DMDC", "a Mario Kart 7 course (3DS KMP); dio reads only Mario Kart Wii courses"},
      {"PK\x03\x04", "a zip archive; extract it with another tool (unzip) and use the files in it"},
      {"\x1f\x8b", "a file compressed with gzip; extract it with another tool (gunzip) and use the file in it"},
      {"7z\xbc\xaf", "a 7z archive; extract it with another tool (7z) and use the files in it"},
      {"Rar!", "a rar archive; extract it with another tool (unrar) and use the files in it"},
      {"\xfd"
       "7zXZ",
       "a file compressed with xz; extract it with another tool (unxz) and use the file in it"},
      {"BLENDER", "a Blender scene; export it as glTF (.glb) and use the exported file"},
      {"ply\n", "a PLY model; open it in Blender and export it as glTF (.glb)"},
      {"Kaydara FBX", "an FBX scene; open it in Blender and export it as glTF (.glb)"},
      {"\x89PNG",
       "a picture; `dio textures FILE -o FOLDER` extracts the pictures of a file, and `--replace FOLDER` imports "
       "edited ones"}};
  constexpr std::string_view k_scene_targets =
      "`dio convert` makes a file of the type that OUT names (-o OUT.szs, .kcl, .brres, .nsbmd, .splashpack; see `dio "
      "formats`), or applies it to a file (--onto FILE)";
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("glTF")) d.hint = "this is a glTF scene; " + std::string(k_scene_targets);
  if (file_extension(name) == ".obj") d.hint = "this is an OBJ scene; " + std::string(k_scene_targets);
  for (const auto& other : k_others)
    if (text.starts_with(other.magic)) d.hint = "this is " + std::string(other.what);
  if (text.substr(0, 200).find("\"diorama.document/") != text.npos)
    d.hint = "this is JSON from `dio decode`: `dio encode " + name + " -o FILE` converts it to a file";
  return d;
}

void note_files_inside(const Request& request, const Input& input, const Format& format, const ByteSource& file,
                       Report& report) {
  if (!format.archive || request.quiet || request.recursive || input.is_stdin || input.has_members) return;
  if (find_decoding_problem(format, file)) return;  // -r cannot reach the files either
  constexpr std::string_view k_each[] = {"verify", "check", "simulate"}, k_one[] = {"tree", "hex", "decode"},
                             k_pick[] = {"textures", "budget"};
  const auto is_in = [&](const auto& verbs) { return std::ranges::find(verbs, request.verb) != std::end(verbs); };
  if (input.walked)
    report.unsearched = is_in(k_each) || is_in(k_pick);
  else if (is_in(k_each))
    report.notes.push_back(format_skipped_members(input.name, 1));
  else if (is_in(k_one) && request.path.empty())
    report.notes.push_back(input.name + ": this shows the archive itself; `dio ls " + input.name +
                           "` lists the files in it\n");
}

std::optional<OpenedFile> open_input(const Request& request, const Input& input, Report& report) {
  const auto source = open_input_source(request, input, report);
  if (!source) return {};
  auto opened = dio::open(source, input.name, request.as, request.strict);
  if (opened) {
    note_files_inside(request, input, *opened->format, *source, report);
    open_sibling_companions(request, input, *opened, &report);
    return std::move(*opened);
  }
  report_open_failure(request, input, opened.error(), *source->whole(), report);
  return {};
}

void open_sibling_companions(const Request& request, const Input& input, OpenedFile& opened, Report* report) {
  if (input.is_stdin) return;
  const std::string& own = input.own_name();
  const std::string folder = own.substr(0, own.find_last_of('/') + 1);
  open_sibling_files(opened, [&](const std::string& name) -> std::shared_ptr<const ByteSource> {
    if (input.archive) {
      const auto member = input.archive->open_member(folder + name);
      return member ? *member : nullptr;
    }
    std::error_code error;
    if (!fs::exists(folder + name, error)) return nullptr;
    auto bytes = read_regular_file(folder + name);
    if (bytes) return std::make_shared<OwnedByteSource>(std::move(*bytes));
    opened.beside_problems.push_back(bytes.error());
    return nullptr;
  });
  if (input.archive && opened.format->check_folder)
    opened.folder =
        std::make_shared<BranchTree>(std::make_shared<FilesOf>(input.archive), std::string(parent_folder(own)));
  if (report) report_notes(*report, request, opened.beside_problems, opened.name);
}

std::optional<TracedFile> trace_input(const Request& request, const Input& input, Report& report) {
  auto source = open_input_source(request, input, report);
  if (!source) return {};
  TracedFile file;
  file.name = input.name;
  file.file = std::move(source);
  file.bytes = *file.file->whole();
  file.format = request.as.format;
  file.options = request.as.options;
  if (!file.format) {
    const auto found = detect(file.bytes, file.name);
    if (!found) {
      report_open_failure(request, input, found.error(), file.bytes, report);
      return {};
    }
    file.format = found->format;
  }
  note_files_inside(request, input, *file.format, *file.file, report);
  file.traced = file.format->trace(file.bytes, file.options);
  if (file.traced.stop) {
    Diagnostic stop = *file.traced.stop;
    stop.place.file = file.name;
    report_error(report, request, with_format_hint(stop, file.name, file.bytes), file.bytes);
  }
  return file;
}

std::optional<SpanRef> resolve_path(const Request& request, const TracedFile& file, const std::string& path,
                                    Report& report) {
  const Spans& spans = file.traced.spans;
  if (const auto spot = spans.find(path)) return spot;
  const auto chosen = select(spans, path);  // GOBJ[3].route, GOBJ[id=itembox]
  const auto selection_failed = [&] {
    Diagnostic d = chosen.error();
    d.place.file = file.name;
    report_error(report, request, d);
    return std::nullopt;
  };
  if (chosen) {
    if (chosen->size() == 1) return chosen->front();
    report_error(report, request,
                 make_diagnostic("path.unknown", Location::in_file(file.name, path),
                                 {.message = "the path selects " + format_count(chosen->size(), "value", "values") +
                                             ", but `dio " + request.verb + "` accepts only one",
                                  .hint = request.verb == "get" ? "--each prints all of them"
                                                                : "the first is " + spans.path(chosen->front())}));
    return {};
  }
  if (chosen.error().id == "path.syntax") return selection_failed();
  Diagnostic d = explain_unknown_path(spans, path);
  d.place.file = file.name;
  report_error(report, request, d);
  return {};
}

std::vector<OpenedFile> open_with_files(const Request& request, Report& report) {
  std::vector<OpenedFile> out;
  for (const std::string& said : request.with) {
    Request its = request;
    its.as = {};
    std::string name = said;
    std::error_code error;
    const size_t colon = said.rfind(':');
    if (colon != said.npos && !fs::exists(said, error))
      if (const ReadAs as = find_format_and_layout(said.substr(colon + 1))) its.as = as, name.resize(colon);
    for (const Input& i : resolve_input_names({name}))
      if (auto o = open_input(its, i, report)) out.push_back(std::move(*o));
  }
  return out;
}

}  // namespace dio::cli
