// scripts.hpp: the Lua files of a scene.
#pragma once
#include <map>
#include <span>
#include <string>

#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {

/// The scripts of a pack: those that the scene lists, in their order, then what nodes have; equal texts are one.
class Scripts {
 public:
  /// `scripts` of the scene's extras.
  explicit Scripts(const scene::Scene&);
  /// The script that extras name: `lua`, a text, or `lua_file`, the name of one in the list. -1: none. Id:
  /// splashpack.make-script.
  Result<i16> find_or_add(const Value& extras, const std::string& place);
  std::vector<Script> take() && { return std::move(scripts_); }
  size_t size() const { return scripts_.size(); }

 private:
  static constexpr size_t k_most = 32767;  // an i16 names them
  std::vector<Script> scripts_;
  std::map<std::string, size_t, std::less<>> by_name_;
  std::map<std::string, size_t, std::less<>> by_text_;
};

}  // namespace dio::splashpack
