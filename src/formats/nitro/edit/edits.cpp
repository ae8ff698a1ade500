// edits.cpp: edits of texture sets by name.
#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"

namespace dio::nitro {
namespace {

using Done = Result<std::string>;

/// What of a texture set is removed, and what materials name it by.
struct Removable {
  std::string_view word;  // texture
  std::vector<Pairing> Model::* pairings;
};

template <class T, auto k_list>
Done remove_entry(AnyDocument& d, std::span<const Argument> all, const Removable& what) {
  Arguments a(all);
  const std::string name(a.text(what.word));
  const std::string_view unlink = a.has("unlink") ? a.text("unlink") : "no";
  if (unlink != "yes" && unlink != "no") a.refuse({.expected = "yes or no", .found = given(unlink)});
  if (!a.done()) return refuse(std::move(*a.problem));
  T& file = edit_of<T>(d);
  Textures* textures = nullptr;
  std::span<Model> models;
  if constexpr (std::is_same_v<T, Nsbmd>) {
    if (file.textures) textures = &*file.textures;
    models = file.models;
  } else {
    textures = &file.textures;
  }
  const auto is_it = [&](const auto& x) { return x.name == name; };
  if (!textures || std::ranges::none_of(textures->*k_list, is_it))
    return refuse("edit.argument", {}, {.expected = text("a ", what.word, " of the file"), .found = given(name)});
  std::vector<std::string> users;
  for (const Model& m : models)
    for (const Pairing& p : m.*what.pairings)
      if (is_it(p))
        for (const u8 i : p.materials) users.push_back(i < m.materials.size() ? m.materials[i].name : "?");
  if (!users.empty() && unlink == "no") {
    constexpr size_t k_named = 4;
    std::string list;
    for (size_t i = 0; i < std::min(users.size(), k_named); ++i) list += (i ? ", " : "") + users[i];
    if (users.size() > k_named) list += text(" and ", users.size() - k_named, " more");
    return refuse("nitro.texture-used", {},
                  {.message = text("the ", what.word, " \"", name, "\" is used by ", list),
                   .hint = text("unlink=yes leaves what uses it without a ", what.word)});
  }
  for (Model& m : models) std::erase_if(m.*what.pairings, is_it);
  std::erase_if(textures->*k_list, is_it);
  return text("removed the ", what.word, " ", name,
              users.empty() ? std::string() : ", which " + format_count(users.size(), "material") + " used");
}
template <class T>
Done remove_texture(AnyDocument& d, std::span<const Argument> all) {
  return remove_entry<T, &Textures::textures>(d, all, {"texture", &Model::textures});
}
template <class T>
Done remove_palette(AnyDocument& d, std::span<const Argument> all) {
  return remove_entry<T, &Textures::palettes>(d, all, {"palette", &Model::palettes});
}

template <class T>
constexpr Edit k_edits[] = {
    {"remove-texture", "texture=NAME [unlink=yes]",
     "Removes a texture. One that a material of the file uses stays, unless unlink=yes; its palette stays.",
     remove_texture<T>},
    {"remove-palette", "palette=NAME [unlink=yes]",
     "Removes a palette. One that a material of the file uses stays, unless unlink=yes.", remove_palette<T>},
};

}  // namespace

std::span<const Edit> model_edits() { return k_edits<Nsbmd>; }
std::span<const Edit> texture_set_edits() { return k_edits<Nsbtx>; }

std::span<const Rule> edit_rules() {
  static constexpr Rule k_rules[] = {{"nitro.texture-used", Cause::limit,
                                      "a texture or palette that is removed is used by no material of the file",
                                      "The game would find nothing of that name, and draw without a picture.",
                                      "Give the materials another texture first, or say unlink=yes.", "diorama"}};
  return k_rules;
}

}  // namespace dio::nitro
