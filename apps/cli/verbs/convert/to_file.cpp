// Files of consoles: of scenes, and of files of the same format.
#include <algorithm>

#include "../../command_line/options.hpp"
#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../files/archives.hpp"
#include "../../files/folders.hpp"
#include "../../input/scenes.hpp"
#include "bridge/report/budget.hpp"
#include "convert.hpp"
#include "formats/contract/format.hpp"
#include "operations/make_archive.hpp"

namespace dio::cli {
namespace {

/// The formats whose files can be made of scenes.
std::string list_buildable_formats() {
  std::vector<std::string> ids;
  for (const Format* f : formats()) {
    if (f->making) ids.emplace_back(f->id);
    if (f->making && f->making->make_archive) ids.emplace_back(f->making->archive_extension);
  }
  return join_texts(ids, ", ");
}

/// What can be made from a scene, for those who wanted something else.
std::string unsupported_target_message(const Target& wanted) {
  for (const Format* f : formats())
    if (f->making && !wanted.from.empty() && has_extension(*f, wanted.from))
      return "several formats have the extension " + wanted.from + "; to turn the scene into a " +
             std::string(f->title) + ", add --to " + std::string(f->id);
  if (wanted.format && !(wanted.format->scenes && wanted.format->scenes->supports_scene_import()))
    return "a scene cannot be converted to the format " + std::string(wanted.format->id) + " (" +
           std::string(wanted.format->title) + "), only to " + list_buildable_formats() +
           "; to change an existing file, use `dio set`, `dio edit` or JSON (`dio decode`, `dio encode`)";
  return "a scene can be converted only to " + list_buildable_formats() +
         "; to apply an edited scene to the file it was made from, use --onto FILE";
}

/// What was made, with its notes told. `missing` parts of the scene could not be found.
std::optional<ConversionResult> make_conversion_result(const Conversion& c, Result<Made> made, u64 missing = 0) {
  if (!made) {
    if (made.error().id != "make.argument") c.report.raise(ExitCode::refused);
    return c.report_failure(made.error());
  }
  report_notes(c.report, c.request, made->notes, c.input.name);
  report_losses(c.report, c.request, made->lost + missing, c.input.name);
  return ConversionResult(std::move(made->files));
}

/// What files of a format can be converted to, by the names that --to takes.
std::string list_conversion_targets(const Format& format) {
  return std::string(format.scenes ? "glb, gltf, " : "") + "json and " + std::string(format.id);
}

}  // namespace

/// The files of the user that go into a built archive: of a folder, or of another archive.
Result<std::unique_ptr<FileTree>> open_own_files(const std::string& name) {
  if (name.empty()) return std::make_unique<MemoryTree>();
  if (is_folder(name)) return std::make_unique<FolderTree>(name);
  auto archive = open_archive_file(name);
  if (!archive) return refuse(std::move(archive.error()));
  return std::unique_ptr<FileTree>(std::move(*archive));
}

std::optional<ConversionResult> build_from_scene(const Conversion& c, const Bytes& bytes) {
  const Format* const archived =
      c.target.format && !c.target.format->making ? find_archive_maker(*c.target.format) : nullptr;
  const Format* format = archived ? archived : c.target.format;
  if (!format || !format->making) return c.report_usage_problem(unsupported_target_message(c.target));
  if (!archived && !c.request.own_files.empty())
    return c.report_usage_problem("--files has an effect only if a whole archive is made, such as a course (.szs)");
  if (!c.request.layout.empty()) {
    report_usage_error(
        c.report, c.request,
        c.input.name +
            ": --layout sets the layout of the input, but a scene has none; for the output, use --target-layout " +
            c.request.layout);
    return {};
  }
  if (c.request.as || c.request.strict) {
    report_usage_error(c.report, c.request, c.input.name + ": --as and --strict have no effect on scenes");
    return {};
  }
  const auto names = archived ? archive_option_names(*format) : making_option_names(*format, false);
  if (!require_effective_options(c.request, c.input.name, names, c.report)) return {};
  u64 missing = 0;
  auto scene = read_scene(c.request, c.input, bytes, c.report, &missing);
  if (!scene || !take_files(c.request, *scene, c.input, c.report)) return {};
  if (!archived) return make_conversion_result(c, format->making->make(*scene, c.request.making), missing);
  const auto own = open_own_files(c.request.own_files);
  if (!own) return c.report_failure(own.error());
  return make_conversion_result(c, make_archive(*format->making, *scene, c.request.making, **own), missing);
}

/// Why a conversion to the same format is a copy of the input.
std::string describe_plain_copy(const Conversion& c, const AnyDocument& document, ByteView copy) {
  const std::string copied = ": the output has the same format as the input and is a copy of it";
  if (!c.request.layout.empty())
    return copied + "; --layout sets the layout of the input, --target-layout the layout of the output";
  const auto canonical = document.save({.canonical = true});
  return copied +
         (canonical && !std::ranges::equal(*canonical, copy) ? "; --canonical would put it in canonical layout" : "");
}

std::optional<ConversionResult> convert_to_same_format(const Conversion& c, OpenedFile& opened) {
  const Format &format = *opened.format, *wanted = c.target.format;
  const bool is_shared = !c.target.from.empty() && has_extension(format, c.target.from);
  if (wanted && wanted != &format && !is_shared)
    // An extension says little of what was meant: .txt belongs to a format, too.
    return c.report_usage_problem(
        "this format (" + std::string(format.title) + ") cannot be converted to " +
        (c.target.from.empty() ? std::string(wanted->title) : "a " + c.target.from + " file") + ", only to " +
        list_conversion_targets(format));
  if (format.making && format.making->remake && !c.request.making.empty()) {
    if (!c.check_options(making_option_names(format, true), true)) return {};
    open_sibling_companions(c.request, c.input, opened, &c.report);
    return make_conversion_result(c,
                                  format.making->remake(*opened.document, c.companions.of(opened), c.request.making));
  }
  if (!c.check_options({}, true)) return {};
  auto saved = opened.document->save(c.request.save);
  if (!saved) return c.report_failure(saved.error(), opened.bytes);
  if (std::ranges::equal(*saved, opened.bytes) && !c.request.save.canonical && !c.request.quiet)
    c.report.err += c.input.name + describe_plain_copy(c, *opened.document, *saved) + "\n";
  return ConversionResult(std::move(*saved));
}

void report_over_budget(const Request& request, const Format& format, const std::vector<BuiltFile>& files,
                        const std::string& name, Report& report) {
  if (request.quiet || !format.budget) return;
  auto made = dio::open(files.front().bytes, name, &format);
  if (!made) return;
  open_sibling_files(*made, [&](const std::string& beside) -> std::optional<Bytes> {
    for (const BuiltFile& f : files)
      if (f.extension == file_extension(beside)) return f.bytes;
    return {};
  });
  for (const Value& b : report::find_exceeded_budgets(format.budget(*made->document, collect_companions(*made))))
    report.err += (name == "-" ? "standard output" : name) +
                  ": the file exceeds a console limit: " + b.find("name")->text() + ": " +
                  format_with_commas(b.find("used")->bits()) + " " + b.find("unit")->text() +
                  " (limit: " + format_with_commas(b.find("of")->bits()) + "); `dio budget` shows details\n";
}

}  // namespace dio::cli
