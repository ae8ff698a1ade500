#include "formats/splashpack/from_scene/scripts.hpp"

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::splashpack {

Scripts::Scripts(const scene::Scene& scene) {
  const Value* list = scene.extras.find("scripts");
  if (!list || !list->is(Value::Kind::list)) return;
  for (const auto& [unused, item] : list->members()) {
    if (scripts_.size() == k_most) break;
    std::string content;
    if (const auto text = read_text_extra(item, "text")) {
      content = *text;
    } else if (const auto hex = read_text_extra(item, "bytes")) {
      const Bytes bytes = decode_hex(*hex).value_or(Bytes());
      content.assign(bytes.begin(), bytes.end());
    }
    const size_t index = scripts_.size();
    if (const auto name = read_text_extra(item, "name")) by_name_.try_emplace(std::string(*name), index);
    by_text_.try_emplace(content, index);
    scripts_.emplace_back().text = std::move(content);
  }
}

Result<i16> Scripts::find_or_add(const Value& extras, const std::string& place) {
  const auto file = read_text_extra(extras, "lua_file"), inside = read_text_extra(extras, "lua");
  if (file && !inside)
    if (const auto known = by_name_.find(*file); known != by_name_.end()) return i16(known->second);
  if (!inside && !file) return i16(-1);
  if (!inside)
    return refuse("splashpack.make-script", place + ", lua_file",
                  {.message = text("the scene has no script \"", escape_control_chars(*file),
                                   "\", and its folder has no such file")});
  auto known = by_text_.find(std::string(*inside));
  if (known == by_text_.end()) {
    if (scripts_.size() == k_most)
      return refuse("splashpack.make-script", place + ", lua", {.message = "the scene has more than 32767 scripts"});
    known = by_text_.emplace(std::string(*inside), scripts_.size()).first;
    scripts_.emplace_back().text = *inside;
  }
  if (file) by_name_.try_emplace(std::string(*file), known->second);
  return i16(known->second);
}

}  // namespace dio::splashpack
