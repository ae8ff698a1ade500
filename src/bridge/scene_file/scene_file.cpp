#include "bridge/scene_file/scene_file.hpp"

#include <algorithm>

#include "bridge/gltf/reader.hpp"
#include "bridge/obj/obj.hpp"
#include "core/text_format.hpp"

namespace dio {

namespace {

bool is_obj(std::string_view name) { return lower_case(name).ends_with(".obj"); }

}  // namespace

bool has_scene_extension(std::string_view name) {
  const std::string lower = lower_case(name);
  return lower.ends_with(".glb") || lower.ends_with(".gltf") || lower.ends_with(".obj");
}

Result<LoadResult<scene::Scene>> read_scene_file(ByteView file, std::string_view name,
                                                 const std::function<Result<Bytes>(const std::string&)>& resolve) {
  return is_obj(name) ? obj::read(file, resolve) : gltf::read(file, resolve);
}

Result<std::vector<std::string>> list_external_files(ByteView file, std::string_view name,
                                                     const std::function<Result<Bytes>(const std::string&)>& resolve) {
  return is_obj(name) ? obj::list_external_files(file, resolve) : gltf::list_external_files(file);
}

}  // namespace dio
