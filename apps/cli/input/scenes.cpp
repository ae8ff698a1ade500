#include "scenes.hpp"

#include <algorithm>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../system/filesystem.hpp"
#include "bridge/gltf/reader.hpp"
#include "bridge/linked_files/linked_files.hpp"

namespace dio::cli {

bool is_scene(const Input& input, ByteView bytes) {
  return input.is_stdin ? gltf::looks_like_gltf(bytes) : has_scene_extension(input.name);
}

std::string scene_summary(const scene::Scene& s) {
  u64 triangles = 0;
  for (const auto& m : s.meshes)
    for (const auto& p : m.primitives)
      if (p.shape == scene::Primitive::Shape::triangles)
        triangles += (p.indices.empty() ? p.positions.size() : p.indices.size()) / 3;
  std::string out =
      format_count(s.nodes.size(), "node", "nodes") + ", " + format_count(triangles, "triangle", "triangles");
  if (!s.cameras.empty()) out += ", " + format_count(s.cameras.size(), "camera", "cameras");
  if (!s.animations.empty()) out += ", " + format_count(s.animations.size(), "animation", "animations");
  return out;
}

std::optional<scene::Scene> read_scene(const Request& request, const Input& input, const Bytes& bytes, Report& report,
                                       u64* missing) {
  const fs::path folder = fs::path(input.name).parent_path();
  auto read = read_scene_file(bytes, input.name,
                              [&](const std::string& name) { return read_regular_file((folder / name).string()); });
  if (!read) {
    report_error(report, request, in_file(read.error(), input.name), bytes);
    return {};
  }
  report_notes(report, request, read->notes, input.name);
  const auto is_warning = [](const Diagnostic& d) { return d.severity == Severity::warning; };
  if (missing) *missing = u64(std::ranges::count_if(read->notes, is_warning));
  if (request.verbose) report.err += input.name + ": " + scene_summary(read->document) + "\n";
  return std::move(read->document);
}

bool take_files(const Request& request, scene::Scene& scene, const Input& input, Report& report) {
  if (input.is_stdin) return true;
  const fs::path folder = fs::path(input.name).parent_path();
  const auto taken = dio::inline_linked_files(scene, [&](const std::string& name) {
    auto bytes = read_regular_file((folder / name).string());
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
  });
  if (!taken) report_error(report, request, taken.error());
  return taken.has_value();
}

}  // namespace dio::cli
