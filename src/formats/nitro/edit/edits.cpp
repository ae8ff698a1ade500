// edits.cpp: named edits of texture sets.
#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"

namespace dio::nitro {
namespace {

using Done = Result<std::string>;

/// The kind of entry that is removed, and the pairings through which materials refer to it.
struct Removable {
  std::string_view word;  // texture
  std::vector<Pairing> Model::* pairings;
};

template <class T, auto k_list>
Done remove_entry(AnyDocument& d, std::span<const Argument> all, const Removable& what) {
  Arguments a(all);
  const std::string name(a.text(what.word));
  const std::string_view unlink = a.has("unlink") ? a.text("unlink") : "no";
  if (unlink != "yes" && unlink != "no") a.refuse({.message = text("unlink must be yes or no, not ", given(unlink))});
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
    return refuse("edit.argument", {}, {.message = text("the file has no ", what.word, " ", given(name))});
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
                  {.message = text("the ", what.word, " \"", name, "\" is used by ",
                                   users.size() == 1 ? "material " : "materials ", list),
                   .hint = text("unlink=yes removes it and leaves these materials without a ", what.word)});
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

constexpr Parameter k_remove_texture_parameters[] = {required("texture", "NAME", ParameterKind::text),
                                                     optional_one_of("unlink", {"yes"})};
constexpr Parameter k_remove_palette_parameters[] = {required("palette", "NAME", ParameterKind::text),
                                                     optional_one_of("unlink", {"yes"})};

template <class T>
constexpr Edit k_edits[] = {
    {"remove-texture", k_remove_texture_parameters,
     "Removes a texture and keeps its palette. The edit is refused if a material in the file uses the texture, unless "
     "unlink=yes is given.",
     remove_texture<T>},
    {"remove-palette", k_remove_palette_parameters,
     "Removes a palette. The edit is refused if a material in the file uses the palette, unless unlink=yes is given.",
     remove_palette<T>},
};

}  // namespace

std::span<const Edit> model_edits() { return k_edits<Nsbmd>; }
std::span<const Edit> texture_set_edits() { return k_edits<Nsbtx>; }

std::span<const Rule> edit_rules() {
  static constexpr Rule k_rules[] = {
      {"nitro.texture-used", Cause::limit, "only textures and palettes that no material uses are removed",
       "The game would not find the texture or palette that the material names, and would draw the material "
       "incorrectly.",
       "Give the materials another texture or palette first, or add unlink=yes.", "diorama's own rule"}};
  return k_rules;
}

}  // namespace dio::nitro
