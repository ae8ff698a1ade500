// scripts.hpp: the Lua files of a scene.
#pragma once
#include <map>
#include <span>
#include <string>

#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {

/// The scripts of a pack: those listed by the scene, in order, then those of nodes; equal texts are stored once.
class Scripts {
 public:
  /// `scripts` in the extras of the scene.
  explicit Scripts(const scene::Scene&);
  /// The script named in extras: `lua`, a text, or `lua_file`, a name from the list. -1: none. Id:
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
