// write_scene FILE.glb|FILE.gltf: writes the scene with every feature for the judges.
#include <cstdio>
#include <string_view>

#include "bridge/gltf/gltf.hpp"
#include "scene/scene_of_everything.hpp"

template <class T>
static int write(const char* path, const dio::Result<T>& content) {
  if (!content) return std::fprintf(stderr, "%s\n", format_one_line(content.error()).c_str()), 1;
  std::FILE* file = std::fopen(path, "wb");
  if (!file) return std::perror(path), 1;
  const bool whole = std::fwrite(content->data(), 1, content->size(), file) == content->size();
  return std::fclose(file) == 0 && whole ? 0 : 1;
}

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: write_scene FILE.glb|FILE.gltf\n"), 2;
  const dio::scene::Scene scene = dio::scene::SceneOfEverything::make();
  const bool text = std::string_view(arguments[1]).ends_with(".gltf");
  return text ? write(arguments[1], dio::gltf::write_gltf(scene)) : write(arguments[1], dio::gltf::write_glb(scene));
}
