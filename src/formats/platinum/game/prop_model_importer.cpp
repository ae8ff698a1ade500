#include "formats/platinum/game/prop_model_importer.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/game/memory_limits.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {

TextureNames find_texture_names(const GameTables& t, u32 model, FileRole role) {
  TextureNames out;
  if (const auto file = t.prop(model, role))
    for (const nitro::Model& m : file->models) out.add(m);
  if (const PropMotion* motion = t.motion(model, role))
    for (const u32 n : motion->animations)
      if (const auto animation = t.animation(n))
        if (const auto* patterns = std::get_if<nitro::Nsbtp>(&*animation)) out.add(*patterns);
  return out;
}

PropModelImporter::PropModelImporter(const GameTables& t, ChangedFiles& changed, u32 model, FileRole role)
    : t_(t), changed_(changed), model_(model), role_(role), wanted_(find_texture_names(t, model, role)) {}

Result<bool> add_model_to_prop_set(ChangedFiles& changed, u32 set, u32 model) {
  auto models = changed.read_as<AreaBuild>(FileRole::prop_sets, set);
  if (!models) return refuse(std::move(models.error()));
  auto& ids = models->map_prop_model_ids;
  if (std::ranges::find(ids, model) != ids.end()) return false;
  ids.push_back(u16(model));
  auto bytes = serialize_as_file(std::move(*models));
  if (!bytes) return refuse(std::move(bytes.error()));
  changed.set_file(FileRole::prop_sets, set, std::move(*bytes));
  return true;
}

std::optional<Diagnostic> PropModelImporter::import_into_set(u32 set) {
  const auto added = add_model_to_prop_set(changed_, set, model_);
  if (!added) return added.error();
  sets_ += *added;
  return import_textures_into_set(set);
}

std::string PropModelImporter::summary() const {
  std::string out;
  if (sets_) out += text("; model added to ", format_count(sets_, "prop set"));
  if (textures_ || palettes_)
    out += text("; ", format_count(textures_, "texture"), " and ", format_count(palettes_, "palette"), " copied");
  return out;
}

/// The texture sets to copy from; sets of prop sets that contain the model come first.
const std::vector<std::shared_ptr<const nitro::Nsbtx>>& PropModelImporter::find_donor_sets() {
  if (!donors_.empty()) return donors_;
  for (const bool has_model : {true, false})
    for (u32 i = 0; i < t_.prop_sets.size(); ++i) {
      if (!t_.prop_sets[i] || t_.prop_role_of_set(i) != role_) continue;
      if ((std::ranges::find(*t_.prop_sets[i], model_) != t_.prop_sets[i]->end()) != has_model) continue;
      if (auto set = t_.prop_textures(i)) donors_.push_back(std::move(set));
    }
  return donors_;
}

/// Copies missing entries from donor sets; returns their number.
Result<u64> PropModelImporter::copy_missing_entries(auto& to, auto list, const std::set<std::string>& wanted,
                                                    std::string_view what, u32 set) {
  u64 copied = 0;
  for (const std::string& name : wanted) {
    const auto has_name = [&](const auto& x) { return x.name == name; };
    if (name.empty() || std::ranges::any_of(to, has_name)) continue;
    bool found = false;
    for (const auto& donor : find_donor_sets()) {
      const auto& there = donor->textures.*list;
      const auto at = std::ranges::find_if(there, has_name);
      if (at == there.end()) continue;
      to.push_back(*at);
      found = true;
      ++copied;
      break;
    }
    if (!found)
      return refuse("edit.argument", {},
                    {.message = text("prop set ", set, " lacks the ", what, " ", given(name), " of model ", model_,
                                     ", and no other prop set has it"),
                     .hint = "add the missing texture or palette to the set first with {textures}"});
    if (to.size() > 255)
      return refuse("edit.limit", {}, {.message = text("prop set ", set, " would have more than 255 ", what, "s")});
  }
  return copied;
}

std::optional<Diagnostic> PropModelImporter::import_textures_into_set(u32 set) {
  if (set >= changed_.count(FileRole::prop_textures)) return {};
  auto now = changed_.read_as<nitro::Nsbtx>(FileRole::prop_textures, set);
  if (!now) return {};  // `check` reports it
  const auto textures =
      copy_missing_entries(now->textures.textures, &nitro::Textures::textures, wanted_.textures, "texture", set);
  if (!textures) return textures.error();
  const auto palettes =
      copy_missing_entries(now->textures.palettes, &nitro::Textures::palettes, wanted_.palettes, "palette", set);
  if (!palettes) return palettes.error();
  if (!*textures && !*palettes) return {};
  textures_ += *textures, palettes_ += *palettes;
  auto bytes = serialize_as_file(std::move(*now));
  if (!bytes) return std::move(bytes.error());
  changed_.set_file(FileRole::prop_textures, set, std::move(*bytes));
  return {};
}

std::optional<Diagnostic> area_memory_error(const ChangedFiles& changed, u32 number) {
  // HeartGold and SoulSilver store these two numbers at the same offsets.
  const auto area = changed.read_as<AreaData>(FileRole::areas, number);
  if (!area) return area.error();
  TextureMemory memory;
  for (const auto& [role, set] : {std::pair(FileRole::prop_textures, area->map_prop_archives_id),
                                  {FileRole::map_textures, area->map_texture_archive_id}})
    if (set < changed.count(role))
      if (const auto file = changed.read_as<nitro::Nsbtx>(role, set)) memory.add(file->textures);
  for (const auto& [what, size, room] : {std::tuple("textures", memory.texels, TextureMemory::k_most_texels),
                                         {"palettes", memory.palettes, TextureMemory::k_most_palettes},
                                         {"4x4 textures", memory.blocks, TextureMemory::k_most_blocks}})
    if (size > room)
      return make_diagnostic(
          "edit.limit", {},
          {.message = text("the ", what, " of area ", number, " would take ", size, " bytes (at most ", room, ")"),
           .hint = "remove another prop from its prop set, use smaller pictures, or choose another area"});
  return {};
}

}  // namespace dio::platinum
