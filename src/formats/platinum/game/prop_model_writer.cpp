#include "formats/platinum/game/prop_model_writer.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/game/prop_model_importer.hpp"
#include "formats/platinum/layout/matshp.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {

using MaybeDiagnostic = std::optional<Diagnostic>;

MaybeDiagnostic PropModelWriter::store(u32 number, PropModelFiles files) {
  if (files.animations.size() > k_most_animations)
    return make_diagnostic(
        "edit.limit", {},
        {.message = text("a prop has at most ", k_most_animations, " animations, not ", files.animations.size())});
  std::vector<u32> before;
  if (const PropMotion* motion = number < t_.files().of(role_).count() ? t_.motion(number, role_) : nullptr)
    std::ranges::copy_if(motion->animations, std::back_inserter(before),
                         [&](u32 animation) { return !is_shared_animation(animation, number); });
  changed_.set_file(role_, number, std::move(files.model));
  textures_of_[number] = std::move(files.textures);
  std::array<i32, k_most_animations> ids;
  ids.fill(k_no_anime);
  std::vector<u32>& animations = animations_of_[number];
  for (size_t i = 0; i < files.animations.size(); ++i) {
    const u32 id = i < before.size() ? before[i] : changed_.count(FileRole::animations);
    changed_.set_file(FileRole::animations, id, std::move(files.animations[i]));
    ids[i] = i32(id);
    animations.push_back(id);
  }
  auto bytes = make_animation_list(number, ids, u8(files.animations.size()), files.is_deferred);
  if (!bytes) return std::move(bytes.error());
  changed_.set_file(list_role(), number, std::move(*bytes));
  return {};
}

MaybeDiagnostic PropModelWriter::store_with_old_animations(u32 number, Bytes model, Bytes textures) {
  changed_.set_file(role_, number, std::move(model));
  textures_of_[number] = std::move(textures);
  if (const PropMotion* motion = t_.motion(number, role_)) animations_of_[number] = motion->animations;
  return {};
}

/// Makes the animation list file of a prop model. What an old list says besides animations stays.
Result<Bytes> PropModelWriter::make_animation_list(u32 number, const std::array<i32, k_most_animations>& ids, u8 count,
                                                   bool is_deferred) const {
  constexpr u8 k_none = 0xFF, k_has = 1, k_deferred = 3;
  const u8 has = count ? k_has : k_none, flags = !count ? k_none : is_deferred ? k_deferred : u8(0);
  const auto make = [&]<class T>(T list, const auto& set_counts) {
    if (auto old = changed_.read_as<T>(list_role(), number)) list = std::move(*old);
    list.has_animations = has, list.flags = flags, list.anime_ids = ids;
    set_counts(list);
    return serialize_as_file(std::move(list));
  };
  if (t_.files().edition() != Edition::heart_gold_soul_silver) return make(BmAnimeList{}, [](BmAnimeList&) {});
  return make(BmAnimeListHgss{}, [&](BmAnimeListHgss& list) { list.together = count, list.actions = u8(count != 0); });
}

bool PropModelWriter::is_shared_animation(u32 animation, u32 model) const {
  for (const FileRole role : {FileRole::props, FileRole::room_props})
    for (u32 other = 0; other < t_.files().of(role).count(); ++other) {
      const PropMotion* motion = t_.motion(other, role);
      const bool is_other = other != model || role != role_;
      if (is_other && motion && std::ranges::find(motion->animations, animation) != motion->animations.end())
        return true;
    }
  return false;
}

std::set<u32> PropModelWriter::find_sets_with(u32 model) const {
  std::set<u32> out;
  for (u32 set = 0; set < t_.prop_sets.size(); ++set)
    if (t_.prop_sets[set] && t_.prop_role_of_set(set) == role_ &&
        std::ranges::find(*t_.prop_sets[set], model) != t_.prop_sets[set]->end())
      out.insert(set);
  return out;
}

MaybeDiagnostic PropModelWriter::add_to_sets(u32 model, const std::set<u32>& sets) {
  for (const u32 set : sets)
    if (const auto added = add_model_to_prop_set(changed_, set, model); !added) return added.error();
  const auto renamed = merge_textures(FileRole::prop_textures, sets, textures_of_.at(model));
  return renamed ? rename_textures(model, *renamed) : MaybeDiagnostic(renamed.error());
}

MaybeDiagnostic PropModelWriter::rename_textures(u32 model, const TextureRenames& renamed) {
  if (renamed.textures.empty() && renamed.palettes.empty()) return {};
  auto file = changed_.read_as<nitro::Nsbmd>(role_, model);
  if (!file) return std::move(file.error());
  for (nitro::Model& m : file->models) renamed.apply(m);
  auto bytes = serialize_as_file(std::move(*file));
  if (!bytes) return std::move(bytes.error());
  changed_.set_file(role_, model, std::move(*bytes));
  for (const u32 n : animations_of(model, role_)) {
    auto patterns = changed_.read_as<nitro::Nsbtp>(FileRole::animations, n);
    if (!patterns) continue;
    if (is_shared_animation(n, model))
      return make_diagnostic(
          "edit.argument", {},
          {.message = text("textures of the new model have names that the prop sets already use, and "
                           "animation/",
                           n, ", which other props have as well, shows them"),
           .hint = "rename the textures, or give the prop an animation of its own"});
    renamed.apply(*patterns);
    auto again = serialize_as_file(std::move(*patterns));
    if (!again) return std::move(again.error());
    changed_.set_file(FileRole::animations, n, std::move(*again));
  }
  return {};
}

Result<TextureRenames> PropModelWriter::merge_textures(FileRole role, const std::set<u32>& numbers,
                                                       const Bytes& nsbtx) {
  if (nsbtx.empty()) return TextureRenames{};
  const auto from = load<nitro::Nsbtx>(nsbtx);
  if (!from) return refuse(from.error());
  std::vector<nitro::Nsbtx> files;
  for (const u32 number : numbers) {
    auto file = changed_.read_as<nitro::Nsbtx>(role, number);
    if (!file) return refuse(std::move(file.error()));
    files.push_back(std::move(*file));
  }
  std::vector<nitro::Textures*> sets;
  for (nitro::Nsbtx& f : files) sets.push_back(&f.textures);
  const auto brought = merge_textures_into_sets(sets, from->document.value().textures);
  if (!brought) return refuse(brought.error());
  textures_added_ += brought->textures;
  auto number = numbers.begin();
  for (nitro::Nsbtx& f : files) {
    auto bytes = serialize_as_file(std::move(f));
    if (!bytes) return refuse(std::move(bytes.error()));
    changed_.set_file(role, *number++, std::move(*bytes));
  }
  return brought->renamed;
}

MaybeDiagnostic PropModelWriter::remove_unwanted(FileRole role, u32 set, const TextureNames& old,
                                                 const TextureNames& wanted) {
  auto now = changed_.read_as<nitro::Nsbtx>(role, set);
  if (!now) return std::move(now.error());
  const u64 removed = erase_unwanted_textures(now->textures, old, wanted);
  if (!removed) return {};
  textures_removed_ += removed;
  auto bytes = serialize_as_file(std::move(*now));
  if (!bytes) return std::move(bytes.error());
  changed_.set_file(role, set, std::move(*bytes));
  return {};
}

std::vector<u32> PropModelWriter::animations_of(u32 model, FileRole role) const {
  const auto stored = animations_of_.find(model);
  if (stored != animations_of_.end() && role == role_) return stored->second;
  const PropMotion* motion = t_.motion(model, role);
  return motion ? motion->animations : std::vector<u32>();
}

MaybeDiagnostic PropModelWriter::collect_texture_names(u32 set, TextureNames& wanted,
                                                       std::optional<u32> without) const {
  const auto models = changed_.read_as<AreaBuild>(FileRole::prop_sets, set);
  if (!models) return models.error();
  const FileRole role = set < t_.prop_sets.size() ? t_.prop_role_of_set(set) : role_;
  for (const u16 model : models->map_prop_model_ids) {
    if (without && model == *without) continue;
    const auto file = changed_.read_as<nitro::Nsbmd>(role, model);
    if (!file) continue;
    for (const nitro::Model& m : file->models) wanted.add(m);
    for (const u32 n : animations_of(model, role))
      if (const auto patterns = changed_.read_as<nitro::Nsbtp>(FileRole::animations, n)) wanted.add(*patterns);
  }
  return {};
}

MaybeDiagnostic PropModelWriter::write_draw_lists() {
  const bool of_rooms = role_ == FileRole::room_props;
  const std::string& path = t_.files().path(of_rooms ? FileRole::room_matshp : FileRole::matshp);
  const auto& known = of_rooms ? t_.room_draw_lists : t_.draw_lists;
  if (textures_of_.empty() || path.empty() || !known) return {};
  std::vector<std::vector<Draw>> lists;
  for (u32 i = 0; i < changed_.count(role_); ++i) {
    const auto before = find_model_draws(*known, i);
    lists.emplace_back(before.begin(), before.end());
    if (!has_stored(i)) continue;
    lists.back().clear();
    if (!animations_of(i, role_).empty()) continue;
    const auto file = changed_.read_as<nitro::Nsbmd>(role_, i);
    if (!file) return file.error();
    lists.back() = derive_sbc_draws(file->models.at(0));
  }
  auto table = platinum::build_matshp(lists);
  if (!table)
    return make_diagnostic("edit.limit", dio::Location::in_file(path),
                           {.message = "the draw lists of all props would have "
                                       "more than 65,535 draws"});
  auto bytes = serialize_as_file(std::move(*table));
  if (!bytes) return std::move(bytes.error());
  changed_.set_file(path, std::move(*bytes));
  return {};
}

}  // namespace dio::platinum
