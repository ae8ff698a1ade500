#include "scenes.hpp"

#include <algorithm>
#include <filesystem>

#include "archives/safe_path.hpp"
#include "bridge/gltf/reader.hpp"

namespace dio::cli {

namespace fs = std::filesystem;

bool is_gltf(const std::string& name) { return name.ends_with(".glb") || name.ends_with(".gltf"); }

std::optional<scene::Scene> read_scene(const Request& request, const Input& input, Report& report) {
  const auto stop = [&](Diagnostic d, ByteView bytes = {}) {
    if (d.place.file.empty()) d.place.file = input.name;
    fail(report, request, d, bytes);
    return std::nullopt;
  };
  const auto bytes = read_input(input);
  if (!bytes) return stop(bytes.error());
  const fs::path folder = fs::path(input.name).parent_path();
  auto read = gltf::read(*bytes, [&](const std::string& name) { return read_file((folder / name).string()); });
  if (!read) return stop(read.error(), *bytes);
  if (!request.quiet)
    for (Diagnostic d : read->notes) {
      d.place.file = input.name;
      report.err += to_line(d) + "\n";
    }
  if (request.verbose) report.err += input.name + ": " + scene_summary(read->document) + "\n";
  return std::move(read->document);
}

void take_texts(scene::Scene& scene, const Input& input) {
  if (input.is_stdin) return;
  const fs::path folder = fs::path(input.name).parent_path();
  const auto take = [&](Value& extras) {
    constexpr std::string_view k_end = "_file";
    if (!extras.is(Value::Kind::object)) return;
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [name, value] : extras.members()) {
      if (!name.ends_with(k_end) || name.size() == k_end.size() || !value.is(Value::Kind::text)) continue;
      const std::string text = name.substr(0, name.size() - k_end.size());
      const auto safe = safe_paths({value.text()});
      if (extras.find(text) || !safe || safe->front() != value.text()) continue;
      if (const auto bytes = read_file((folder / value.text()).string()))
        texts.emplace_back(text, std::string(bytes->begin(), bytes->end()));
    }
    for (auto& [name, text] : texts) extras.add(std::move(name), std::move(text));
  };
  take(scene.extras);
  for (scene::Node& node : scene.nodes) take(node.extras);
}

}  // namespace dio::cli
