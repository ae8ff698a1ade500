#include "bridge/linked_files/linked_files.hpp"

#include <algorithm>

#include "bridge/png/png.hpp"
#include "core/base64.hpp"
#include "core/json.hpp"
#include "core/safe_path.hpp"

namespace dio {
namespace {

class LinkedFileReader {
 public:
  LinkedFileReader(scene::Scene& scene, const std::function<std::optional<Bytes>(const std::string&)>& read)
      : scene_(scene), read_(read) {}

  Result<void> inline_all_files() {
    inline_named_files(scene_.extras);
    for (scene::Node& node : scene_.nodes) inline_named_files(node.extras);
    split_file_lists(scene_.extras);
    inline_nested_files(scene_.extras);
    if (fault_) return refuse(*std::move(fault_));
    return {};
  }

 private:
  /// The part of a name before a suffix, if the name has that suffix.
  static std::optional<std::string> strip_suffix(const std::string& name, std::string_view end) {
    if (!name.ends_with(end) || name.size() == end.size()) return {};
    return name.substr(0, name.size() - end.size());
  }
  std::optional<Bytes> read_linked_file(const std::string& name) const {
    const auto safe = escape_archive_paths({name});
    return safe && safe->front() == name ? read_(name) : std::nullopt;
  }
  template <class T>
  bool check_result(Result<T>& made, const std::string& name) {
    if (made || fault_) return made.has_value();
    fault_ = std::move(made.error());
    fault_->place.file = name;
    return false;
  }

  void inline_named_files(Value& extras) {
    if (!extras.is(Value::Kind::object)) return;
    std::vector<Value::Member> found;
    for (const auto& [name, value] : extras.members()) {
      const auto own = strip_suffix(name, "_file");
      const bool is_json = value.is(Value::Kind::text) && value.text().ends_with(".json");
      if (!own || !value.is(Value::Kind::text) || (extras.find(*own) && !is_json)) continue;
      const auto bytes = read_linked_file(value.text());
      if (!bytes) continue;
      std::string text(bytes->begin(), bytes->end());
      if (!is_json) {
        found.emplace_back(*own, std::move(text));
      } else if (auto read = json::read(text); check_result(read, value.text())) {
        found.emplace_back(*own, *std::move(read));
      }
    }
    for (auto& [name, value] : found)
      if (Value* kept = extras.find(name))
        *kept = std::move(value);
      else
        extras.add(std::move(name), std::move(value));
  }

  static void split_file_lists(Value& extras) {
    if (!extras.is(Value::Kind::object)) return;
    std::vector<Value::Member> found;
    for (const auto& [name, value] : extras.members()) {
      const auto own = strip_suffix(name, "_files");
      if (!own || !value.is(Value::Kind::text) || extras.find(*own)) continue;
      Value list = Value::list();
      for (std::string_view rest = value.text(); !rest.empty();) {
        const size_t comma = std::min(rest.find(','), rest.size());
        std::string_view one = rest.substr(0, comma);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        while (one.starts_with(' ')) one.remove_prefix(1);
        while (one.ends_with(' ')) one.remove_suffix(1);
        if (!one.empty()) list.push(Value::object()).add("file", one);
      }
      found.emplace_back(*own, std::move(list));
    }
    for (auto& [name, value] : found) extras.add(std::move(name), std::move(value));
  }

  void inline_nested_files(Value& value) {
    if (fault_) return;
    const Value* name = value.is(Value::Kind::object) ? value.find("file") : nullptr;
    if (name && name->is(Value::Kind::text) && !value.find("bytes")) {
      const std::string named = name->text();
      if (!named.ends_with(".png")) {
        if (const auto bytes = read_linked_file(named)) value.add("bytes", encode_base64(*bytes));
      } else if (std::ranges::find(scene_.images, named, &scene::Image::name) == scene_.images.end()) {
        load_linked_image(named);
      }
    }
    for (auto& [unused, member] : value.members()) inline_nested_files(member);
  }
  void load_linked_image(const std::string& name) {
    const auto bytes = read_linked_file(name);
    if (!bytes) return;
    auto image = png::read_png(*bytes);
    if (!check_result(image, name)) return;
    image->name = name;
    scene_.images.push_back(*std::move(image));
  }

  scene::Scene& scene_;
  const std::function<std::optional<Bytes>(const std::string&)>& read_;
  std::optional<Diagnostic> fault_;
};

}  // namespace

Result<void> inline_linked_files(scene::Scene& scene,
                                 const std::function<std::optional<Bytes>(const std::string&)>& read) {
  return LinkedFileReader(scene, read).inline_all_files();
}

}  // namespace dio
