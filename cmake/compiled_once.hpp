// compiled_once.hpp: templates that nearly every file uses, and would compile again. Included by precompiled.hpp;
// compiled_once_text.cpp and compiled_once_lists.cpp compile them for speed, compiled_once_scenes.cpp for size.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/value.hpp"
#include "layout/document.hpp"
#include "scene/scene.hpp"

#define DIORAMA_TEXT_COMPILED_ONCE(prefix)                  \
  prefix template class std::basic_string<char>;            \
  prefix template class std::vector<std::string>;           \
  prefix template class std::vector<std::string_view>;      \
  prefix template class std::map<std::string, std::string>; \
  prefix template class std::map<std::string, dio::u32>;
#define DIORAMA_LISTS_COMPILED_ONCE(prefix)                 \
  prefix template class std::vector<bool>;                  \
  prefix template class std::vector<dio::u8>;               \
  prefix template class std::vector<dio::u16>;              \
  prefix template class std::vector<dio::u32>;              \
  prefix template class std::vector<dio::u64>;              \
  prefix template class std::vector<int>;                   \
  prefix template class std::vector<float>;                 \
  prefix template class std::vector<dio::Bytes>;            \
  prefix template class std::vector<dio::Diagnostic>;       \
  prefix template class std::vector<dio::Value::Member>;    \
  prefix template class std::vector<dio::UnreferencedBytes>;          \
  prefix template class std::vector<dio::scene::Vec2>;      \
  prefix template class std::vector<dio::scene::Vec3>;      \
  prefix template class std::vector<dio::scene::Vec4>;
#define DIORAMA_SCENES_COMPILED_ONCE(prefix)                \
  prefix template class std::vector<dio::scene::Animation>; \
  prefix template class std::vector<dio::scene::Camera>;    \
  prefix template class std::vector<dio::scene::Channel>;   \
  prefix template class std::vector<dio::scene::Image>;     \
  prefix template class std::vector<dio::scene::Light>;     \
  prefix template class std::vector<dio::scene::Material>;  \
  prefix template class std::vector<dio::scene::Mesh>;      \
  prefix template class std::vector<dio::scene::Node>;      \
  prefix template class std::vector<dio::scene::Primitive>; \
  prefix template class std::vector<dio::scene::Skin>;      \
  prefix template class std::vector<dio::scene::Texture>;

DIORAMA_TEXT_COMPILED_ONCE(extern)
DIORAMA_LISTS_COMPILED_ONCE(extern)
DIORAMA_SCENES_COMPILED_ONCE(extern)
