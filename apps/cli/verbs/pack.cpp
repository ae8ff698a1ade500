// dio pack: an archive of a folder, and packed data of a file.

#include "../command_line/print.hpp"
#include "../files/folders.hpp"
#include "../input/batch.hpp"
#include "../output/results.hpp"
#include "../system/filesystem.hpp"
#include "core/memory_budget.hpp"
#include "formats/contract/format.hpp"
#include "operations/archive_folders.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// By the extension of the output; .bin and .img may be those of any file, and folders that say what they are packed to
/// are that.
std::optional<SectorForm> disc_sector_form(const Request& request, const FileTree& folder) {
  const std::string extension = file_extension(request.output);
  if (extension == ".iso") return SectorForm::plain;
  if ((extension == ".bin" || extension == ".img") && !request.named && !is_unpacked_archive(folder))
    return SectorForm::mode2;
  return {};
}

/// As somebody has said, or as the extension of the output does where the folder says nothing.
std::optional<LzKind> requested_lz_kind(const Request& request, const FileTree& folder) {
  if (!request.lz.empty()) return request.lz == "lz11" ? LzKind::lz11 : LzKind::lz10;
  if (file_extension(request.output) == ".lz" && !is_unpacked_archive(folder)) return LzKind::lz10;
  return {};
}

bool has_output_extension(const Request& request, std::initializer_list<std::string_view> extensions) {
  return std::ranges::find(extensions, file_extension(request.output)) != extensions.end();
}

/// The files of what is packed, and how many bytes they have.
struct Source {
  std::unique_ptr<FileTree> files;
  u64 size = 0;
};

/// Whether a folder is one of those around it, so many levels up.
bool links_to_ancestor(const fs::path& folder, int levels) {
  std::error_code error;
  fs::path around = folder;
  while (levels--)
    if (fs::equivalent(folder, around = around.parent_path(), error)) return true;
  return false;
}

/// Nothing if there is a link in it, which may lead anywhere, unless links are meant; the report says so.
std::optional<Source> open_source_folder(const Request& request, const std::string& folder, Report& report) {
  using fs::directory_options;
  Source source;
  std::optional<Diagnostic> problem;
  std::error_code error, ignored;
  const auto options = request.follow ? directory_options::follow_directory_symlink : directory_options::none;
  for (fs::recursive_directory_iterator i(folder, options, error), end; !error && !problem && i != end;
       i.increment(error)) {
    const std::string name = i->path().string();
    if (!request.follow && i->is_symlink(ignored))
      problem = io_error("io.read", name, "this is a symbolic link", "--follow packs the targets of links");
    else if (request.follow && i->is_directory(ignored) && links_to_ancestor(i->path(), i.depth() + 1))
      problem = io_error("io.read", name, "the target of this link is a folder that contains the link");
    else if (i->is_symlink(ignored) && !i->exists(ignored))
      problem = io_error("io.read", name, "the target of this symbolic link does not exist");
    else if (!i->is_directory(ignored) && !i->is_regular_file(ignored))
      problem = io_error("io.read", name, "this is neither a file nor a folder");
    else if (i->is_regular_file(ignored))
      source.size += i->file_size(ignored);
  }
  if (error) problem = io_error("io.read", folder, "the folder cannot be read: " + error.message());
  if (problem) {
    report_error(report, request, *problem);
    return {};
  }
  source.files = std::make_unique<FolderTree>(folder, true, request.follow);
  return source;
}

/// A file alone, which can only become packed data.
std::optional<Source> read_source_file(const Request& request, const std::string& name, Report& report) {
  const auto input = resolve_single_input(request, name, report);
  if (!input) return {};
  auto bytes = read_input(request, *input, report);
  if (!bytes) return {};
  auto tree = std::make_unique<MemoryTree>();
  Source source{nullptr, bytes->size()};
  tree->files["data"] = std::move(*bytes);
  source.files = std::move(tree);
  return source;
}

/// Whether the name of the output is that of what is made: others would be read as something that they are not.
bool check_output_extension(const Request& request, const Format& made, Report& report) {
  const std::string extension = file_extension(request.output);
  if (extension.empty() || extension == ".bin" || has_extension(made, extension)) return true;
  for (const Format* f : formats()) {
    if (!f->archive || !has_extension(*f, extension)) continue;
    const std::string& name = request.inputs[0];
    report_usage_error(report, request,
                       (is_folder(name) ? "folder \"" : "file \"") + name + "\" can only be packed to " +
                           primary_extension(made) + ", not to " + extension + ": use -o NAME" +
                           primary_extension(made));
    return false;
  }
  return true;
}

}  // namespace

ExitCode run_pack(const Request& request) {
  Report report;
  const std::string& name = request.inputs[0];
  if (request.output.empty()) {
    report_usage_error(report, request, "no output given: use -o FILE");
    return finish(report);
  }
  const bool is_file = !is_folder(name);
  if (std::error_code error; is_file && name != "-" && !fs::exists(name, error) && !split_archive_path(name)) {
    report_error(report, request, io_error("io.read", name, "no such folder or file"));
    return finish(report);
  }
  const auto source = is_file ? read_source_file(request, name, report) : open_source_folder(request, name, report);
  if (!source) return finish(report);
  std::optional<Bytes> base;
  if (is_folder(request.base)) {
    report_usage_error(report, request, "--base must be a cartridge image, but " + request.base + " is a folder");
    return finish(report);
  }
  if (!request.base.empty()) {
    auto bytes = read_input(resolve_input_names({request.base}).front());
    if (!bytes) {
      report_error(report, request, bytes.error());
      return finish(report);
    }
    base = std::move(*bytes);
  }
  const PackOptions options{.named = request.named,
                            .other_order = request.byte_order == "ff-fe",
                            .disc = is_file ? std::nullopt : disc_sector_form(request, *source->files),
                            .lz = requested_lz_kind(request, *source->files),
                            .u8 = !is_file && has_output_extension(request, {".arc", ".u8"}),
                            .yaz0 = has_output_extension(request, {".szs", ".yaz0"}),
                            .one_file = is_file,
                            .base = base ? std::optional<ByteView>(*base) : std::nullopt,
                            .limit = request.limit.value_or(default_memory_budget(source->size))};
  const Format& made = choose_pack_format(*source->files, options);
  if (is_file && made.id != "lz" && made.id != "yaz0") {
    report_usage_error(
        report, request,
        name +
            " is a file, not a folder; a file can only be compressed: use -o NAME.lz, -o NAME.szs, or --lz "
            "lz10");
    return finish(report);
  }
  if (!check_output_extension(request, made, report)) return finish(report);
  Diagnostics notes;
  auto bytes = pack(*source->files, options, &notes);
  if (bytes) {
    for (Diagnostic& d : notes) d.place.file.insert(0, (fs::path(name) / "").string());
    report_notes(report, request, notes, name);
    if (std::ranges::any_of(notes, [](const Diagnostic& d) { return d.id == "archive.unpacked"; }))
      report.raise(ExitCode::no);  // files of the folder are missing in the archive
    write_output(request, is_file ? resolve_input_names({name}) : std::vector<Input>(), request.output, *bytes, report);
  } else {
    Diagnostic d = std::move(bytes.error());
    // Problems of files are told with the whole path, those of an archive with the path in it.
    const std::string before = is_file ? name : (fs::path(name) / "").string();
    if (!d.place.file.starts_with(before)) d.place.file.insert(0, before);
    if (d.id == "layout.limit") d.hint = "raise the limit with --limit SIZE";
    report_error(report, request, d);
  }
  return finish(report);
}

}  // namespace dio::cli
