// edits.cpp: edits of the game that take several of its files, and which lists have the numbers of parts.
#include <algorithm>
#include <map>
#include <set>

#include "formats/contract/arguments.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/game/texture_memory.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

std::vector<NumberedList> numbered(const GameFiles& files, std::string_view kind) {
  constexpr FileRole k_alone[] = {FileRole::matrices, FileRole::areas,        FileRole::events, FileRole::objects,
                                  FileRole::lands,    FileRole::map_textures, FileRole::lights};
  // What is looked up by the number of another part has its number.
  constexpr FileRole k_sets[] = {FileRole::prop_sets, FileRole::prop_textures};
  constexpr FileRole k_props[] = {FileRole::props, FileRole::anime_lists};
  std::vector<NumberedList> out;
  const auto add = [&](std::span<const FileRole> roles) {
    for (const FileRole role : roles) {
      const Members& members = files.of(role);
      if (!members.there()) continue;
      if (!members.in_archive()) return out.clear();
      out.push_back({members.path(), "files"});
    }
  };
  for (const FileRole& role : k_alone)
    if (kind == kind_of(role)) add({&role, 1});
  if (kind == kind_of(FileRole::prop_sets)) add(k_sets);
  if (kind == kind_of(FileRole::props)) {
    add(k_props);
    if (const std::string& path = files.path(FileRole::matshp); !out.empty() && !path.empty())
      out.push_back({path, "models"});
  }
  return out;
}

namespace {

using Done = Result<GameEdited>;

template <class T>
Result<Bytes> bytes_with(T value) {
  Document<T> d;
  d.edit() = std::move(value);
  return save(d);
}

/// Makes sets of props have a model, and the textures that it and its animations are shown with.
class PropBringer {
 public:
  PropBringer(const GameTables& t, u32 model, FileRole role) : t_(t), model_(model), role_(role) {
    if (const auto m = t.prop(model, role)) wants(nitro::pairs_of(m->models));
    if (role == FileRole::props && model < t.motions.size() && t.motions[model])
      for (const u32 n : t.motions[model]->animations)
        if (const auto a = t.animation(n))
          if (const auto* patterns = std::get_if<nitro::Nsbtp>(&*a)) wants(nitro::pairs_of(patterns->animations));
  }

  /// What becomes of a set and its textures. Ids: edit.argument, edit.limit, and those of the files.
  Result<bool> bring(u32 set, std::vector<FollowingFile>& files) {
    auto models = *t_.prop_sets[set];
    if (std::ranges::find(models, model_) == models.end()) {
      models.push_back(u16(model_));
      auto bytes = bytes_with(AreaBuild{std::move(models)});
      if (!bytes) return refuse(std::move(bytes.error()));
      files.push_back({t_.files().of(FileRole::prop_sets).path(set), std::move(*bytes)});
      ++sets_;
    }
    return bring_textures(set, files);
  }

  std::string told() const {
    std::string out;
    if (sets_) out += text("; ", counted(sets_, "prop set"), " gets the model");
    if (textures_ || palettes_)
      out += text("; ", counted(textures_, "texture"), " and ", counted(palettes_, "palette"), " copied");
    return out;
  }

 private:
  void wants(const std::vector<TexturePair>& pairs) {
    for (const TexturePair& p : pairs) {
      if (!p.texture.empty()) wanted_textures_.insert(p.texture);
      if (!p.palette.empty()) wanted_palettes_.insert(p.palette);
    }
  }
  /// The sets of textures in which those of the model are: first those of props that have the model.
  const std::vector<std::shared_ptr<const nitro::Nsbtx>>& donors() {
    if (!donors_.empty()) return donors_;
    for (const bool has_model : {true, false})
      for (u32 i = 0; i < t_.prop_sets.size(); ++i) {
        if (!t_.prop_sets[i] || t_.props_of_set(i) != role_) continue;
        if ((std::ranges::find(*t_.prop_sets[i], model_) != t_.prop_sets[i]->end()) != has_model) continue;
        if (auto set = t_.prop_textures(i)) donors_.push_back(std::move(set));
      }
    return donors_;
  }
  /// Copies what a list lacks from the sets that have it; returns how many.
  Result<u64> copy(auto& to, auto list, const std::set<std::string>& wanted, std::string_view what, u32 set) {
    u64 copied = 0;
    for (const std::string& name : wanted) {
      const auto is_it = [&](const auto& x) { return x.name == name; };
      if (std::ranges::any_of(to, is_it)) continue;
      bool found = false;
      for (const auto& donor : donors()) {
        const auto& there = donor->textures.*list;
        const auto at = std::ranges::find_if(there, is_it);
        if (at == there.end()) continue;
        to.push_back(*at);
        found = true;
        ++copied;
        break;
      }
      if (!found)
        return refuse("edit.argument", {},
                      {.message = text("prop set ", set, " lacks the ", what, " ", given(name), " of model ", model_,
                                       ", and no other set of props has it"),
                       .hint = "add it to the set first: dio textures"});
      if (to.size() > 255)
        return refuse("edit.limit", {}, {.message = text("the textures of prop set ", set, " would be more than 255")});
    }
    return copied;
  }

  Result<bool> bring_textures(u32 set, std::vector<FollowingFile>& files) {
    const auto there = t_.prop_textures(set);
    if (!there) return true;
    nitro::Nsbtx now = *there;
    const auto textures = copy(now.textures.textures, &nitro::Textures::textures, wanted_textures_, "texture", set);
    if (!textures) return refuse(textures.error());
    const auto palettes = copy(now.textures.palettes, &nitro::Textures::palettes, wanted_palettes_, "palette", set);
    if (!palettes) return refuse(palettes.error());
    if (!*textures && !*palettes) return true;
    textures_ += *textures, palettes_ += *palettes;
    auto bytes = bytes_with(std::move(now));
    if (!bytes) return refuse(std::move(bytes.error()));
    const auto settled = load<nitro::Nsbtx>(*bytes);
    if (!settled) return refuse(settled.error());
    if (auto full = full_area(set, settled->document.value().textures)) return refuse(std::move(*full));
    files.push_back({t_.files().of(FileRole::prop_textures).path(set), std::move(*bytes)});
    return true;
  }
  /// An area with this set of props in which the textures take more memory than there is.
  std::optional<Diagnostic> full_area(u32 set, const nitro::Textures& props) const {
    for (u32 i = 0; i < t_.areas.size(); ++i) {
      if (!t_.areas[i] || t_.areas[i]->prop_set != set) continue;
      TextureMemory memory;
      memory.add(props);
      if (const auto map = t_.map_textures(t_.areas[i]->texture_set)) memory.add(map->textures);
      for (const auto& [what, size, room] : {std::tuple("textures", memory.texels, TextureMemory::k_most_texels),
                                             {"palettes", memory.palettes, TextureMemory::k_most_palettes},
                                             {"textures of 4x4 blocks", memory.blocks, TextureMemory::k_most_blocks}})
        if (size > room)
          return make_diagnostic(
              "edit.limit", {},
              {.message = text("the ", what, " of area ", i, " would take ", size, " bytes; there are ", room),
               .hint = "remove another prop from its prop set, or use a smaller one"});
    }
    return {};
  }

  const GameTables& t_;
  u32 model_;
  FileRole role_;
  std::set<std::string> wanted_textures_, wanted_palettes_;
  std::vector<std::shared_ptr<const nitro::Nsbtx>> donors_;
  u64 sets_ = 0, textures_ = 0, palettes_ = 0;
};

Done add_prop(const Game& game, std::span<const Argument> all) {
  const GameTables& t = tables_of(game);
  std::vector<Argument> of_prop;
  for (const Argument& a : all)
    if (a.name != "land") of_prop.push_back(a);
  Arguments a(all);
  const Members& lands = t.files().of(FileRole::lands);
  const u32 number = u32(a.whole("land", 0, i64(lands.count()) - 1));
  const u32 most = std::max(t.files().of(FileRole::props).count(), t.files().of(FileRole::room_props).count());
  const u32 model = u32(a.whole("model", 0, i64(most) - 1));
  if (a.problem) return refuse(std::move(*a.problem));
  const auto bytes = lands.read(number);
  if (!bytes) return refuse(bytes.error());
  auto land = load<LandData>(*bytes);
  if (!land) {
    land.error().place.file = lands.path(number);
    return refuse(std::move(land.error()));
  }
  if (land->document.value().props.size() >= k_most_props)
    return refuse("edit.limit", {},
                  {.message = text("land ", number, " has ", land->document.value().props.size(),
                                   " props; the game shows ", k_most_props)});
  auto done = platinum::add_prop(land->document.edit(), Arguments(of_prop));
  if (!done) return refuse(std::move(done.error()));
  auto edited = save(land->document);
  if (!edited) return refuse(std::move(edited.error()));
  GameEdited out;
  out.files.push_back({lands.path(number), std::move(*edited)});
  out.done = text("land ", number, ": ", *done);

  std::map<FileRole, std::set<u32>> sets;
  std::set<u32> areas;
  for (const Use& use : t.uses())
    if (use.land == number && use.area < t.areas.size() && t.areas[use.area] &&
        t.areas[use.area]->prop_set < t.prop_sets.size() && t.prop_sets[t.areas[use.area]->prop_set]) {
      sets[t.props_of(*t.areas[use.area])].insert(t.areas[use.area]->prop_set);
      areas.insert(use.area);
    }
  for (const auto& [role, numbers] : sets) {
    if (model >= t.files().of(role).count())
      return refuse("edit.argument", {},
                    {.message = text("an area that shows land ", number, " has its models in ", t.files().path(role),
                                     ", which has no model ", model)});
    PropBringer bringer(t, model, role);
    for (const u32 set : numbers)
      if (auto brought = bringer.bring(set, out.files); !brought) return refuse(std::move(brought.error()));
    out.done += bringer.told();
  }
  out.done += areas.empty() ? "; no area shows this land" : text("; shown in ", counted(areas.size(), "area"));
  return out;
}

}  // namespace

std::span<const GameEdit> game_edits() {
  static constexpr GameEdit k_edits[] = {
      {"add-prop", "land=N model=N x=UNITS z=UNITS [y=UNITS] [scale=N]",
       "Adds a prop to a land, in units from the middle of its map; on the ground if y is not given. The prop sets of "
       "all areas that show the land get the model, and their textures those of the model and of its animations, "
       "copied "
       "from the other sets.",
       add_prop},
  };
  return k_edits;
}

}  // namespace dio::platinum
