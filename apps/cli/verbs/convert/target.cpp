// What is to be made: by --to, or by the name of the result.

#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../system/filesystem.hpp"
#include "convert.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {
namespace {

constexpr std::string_view k_exchanged[] = {"glb", "gltf", "json"};

std::optional<Target> find_target(const std::string& said) {
  std::string name = lower_case(said);
  if (name.starts_with('.')) name.erase(0, 1);
  if (std::ranges::find(k_exchanged, name) != std::end(k_exchanged)) return Target{name};
  for (const Format* f : formats())
    if (f->id == name || has_extension(*f, "." + name))
      return Target{std::string(f->id), f, f->id == name ? "" : "." + name};
  return {};
}

}  // namespace

std::optional<Target> parse_target(const Request& request, Report& report) {
  // Which formats a file can become besides depends on it: the list of all would promise too much.
  static constexpr const char* k_known = "glb, gltf, json, or a format id (`dio formats` lists the ids)";
  const std::string& result = request.in_place ? request.inputs[0] : request.output;
  const std::string name = request.to.empty() ? fs::path(result).extension().string() : request.to;
  const bool folder = request.output.ends_with('/') || is_folder(request.output);
  if (name.empty() || (folder && request.to.empty())) {
    report_usage_error(report, request, std::string("no output type given: use --to with ") + k_known);
    return {};
  }
  auto target = find_target(name);
  // Of files without an extension, MAP001.8, the name does not say what they are.
  if (!target && request.to.empty() && has_numeric_extension(result)) return Target{};
  if (!target) {
    const bool is_picture = name == ".png" || name == ".gif" || name == ".svg" || name == ".apng";
    report_usage_error(report, request,
                       "unknown output type " + in_quotes(name) +
                           (is_picture ? "; `dio render` draws pictures, `dio textures` extracts textures"
                                       : std::string("; it can be ") + k_known));
  }
  return target;
}

}  // namespace dio::cli
