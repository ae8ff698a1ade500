#include "formats/texts_beside.hpp"

#include "archives/safe_path.hpp"

namespace dio {

void take_texts(scene::Scene& scene, const std::function<std::optional<Bytes>(const std::string&)>& read) {
  const auto take = [&](Value& extras) {
    constexpr std::string_view k_end = "_file";
    if (!extras.is(Value::Kind::object)) return;
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [name, value] : extras.members()) {
      if (!name.ends_with(k_end) || name.size() == k_end.size() || !value.is(Value::Kind::text)) continue;
      const std::string text = name.substr(0, name.size() - k_end.size());
      const auto safe = safe_paths({value.text()});
      if (extras.find(text) || !safe || safe->front() != value.text()) continue;
      if (const auto bytes = read(value.text())) texts.emplace_back(text, std::string(bytes->begin(), bytes->end()));
    }
    for (auto& [name, text] : texts) extras.add(std::move(name), std::move(text));
  };
  take(scene.extras);
  for (scene::Node& node : scene.nodes) take(node.extras);
}

}  // namespace dio
