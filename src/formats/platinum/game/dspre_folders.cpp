#include "formats/platinum/game/dspre_folders.hpp"

#include <algorithm>
#include <array>

namespace dio::platinum {

namespace {

/// An archive. Source: DSPRE 2.1.8, RomInfo.cs, SetNarcDirs.
struct DspreFolder {
  std::string_view folder;
  std::string_view archive;
  std::string_view game_codes =
      {};  // the first letters of the games that use it, if other games have this archive, too
};
constexpr DspreFolder k_folders[] = {
    {"areaData", "fielddata/areadata/area_data.narc"},
    {"areaData", "a/0/4/2"},
    {"battleBg", "battle/graphic/pl_batt_bg.narc"},
    {"battleBg", "battle/graphic/batt_bg.narc"},
    {"battleBg", "a/0/0/7"},
    {"battleObj", "battle/graphic/pl_batt_obj.narc"},
    {"battleObj", "a/0/0/8"},
    {"battleTowerPokemon", "battle/b_pl_tower/pl_btdpm.narc"},
    {"battleTowerPokemon", "battle/b_tower/btdpm.narc"},
    {"battleTowerPokemon", "a/2/0/3"},
    {"battleTowerTrainers", "battle/b_pl_tower/pl_btdtr.narc"},
    {"battleTowerTrainers", "battle/b_tower/btdtr.narc"},
    {"battleTowerTrainers", "a/2/0/2"},
    {"buildingConfigFiles", "fielddata/areadata/area_build_model/area_build.narc"},
    {"buildingConfigFiles", "a/0/4/3"},
    {"buildingTextures", "fielddata/areadata/area_build_model/areabm_texset.narc"},
    {"buildingTextures", "a/0/7/0"},
    {"dynamicHeaders", "debug/cb_edit/d_test.narc"},
    {"dynamicHeaders", "a/0/5/0"},
    {"eggMoves", "a/2/2/9"},
    {"encounterExtended", "arc/encdata_ex.narc"},
    {"encounters", "fielddata/encountdata/pl_enc_data.narc"},
    {"encounters", "fielddata/encountdata/d_enc_data.narc", "ADA"},
    {"encounters", "fielddata/encountdata/p_enc_data.narc", "APA"},
    {"encounters", "a/0/3/7", "IPK"},
    {"encounters", "a/1/3/6", "IPG"},
    {"eventFiles", "fielddata/eventdata/zone_event.narc"},
    {"eventFiles", "fielddata/eventdata/zone_event_release.narc"},
    {"eventFiles", "a/0/3/2"},
    {"evolutions", "poketool/personal/evo.narc"},
    {"evolutions", "a/0/3/4"},
    {"exteriorBuildingModels", "fielddata/build_model/build_model.narc"},
    {"exteriorBuildingModels", "a/0/4/0"},
    {"headbutt", "a/2/5/2"},
    {"interiorBuildingModels", "a/1/4/8"},
    {"itemData", "itemtool/itemdata/pl_item_data.narc"},
    {"itemData", "itemtool/itemdata/item_data.narc"},
    {"itemData", "a/0/1/7"},
    {"itemIcons", "itemtool/itemdata/item_icon.narc"},
    {"itemIcons", "a/0/1/8"},
    {"learnsets", "poketool/personal/wotbl.narc"},
    {"learnsets", "a/0/3/3"},
    {"mapTextures", "fielddata/areadata/area_map_tex/map_tex_set.narc"},
    {"mapTextures", "a/0/4/4"},
    {"maps", "fielddata/land_data/land_data.narc"},
    {"maps", "fielddata/land_data/land_data_release.narc"},
    {"maps", "a/0/6/5"},
    {"matrices", "fielddata/mapmatrix/map_matrix.narc"},
    {"matrices", "a/0/4/1"},
    {"monIcons", "poketool/icongra/pl_poke_icon.narc"},
    {"monIcons", "poketool/icongra/poke_icon.narc"},
    {"monIcons", "a/0/2/0"},
    {"moveData", "poketool/waza/pl_waza_tbl.narc"},
    {"moveData", "poketool/waza/waza_tbl.narc"},
    {"moveData", "a/0/1/1"},
    {"otherPokemonBattleSprites", "poketool/pokegra/pl_otherpoke.narc"},
    {"otherPokemonBattleSprites", "poketool/pokegra/otherpoke.narc"},
    {"otherPokemonBattleSprites", "a/1/1/4"},
    {"OWSprites", "data/mmodel/mmodel.narc"},
    {"OWSprites", "a/0/8/1"},
    {"personalPokeData", "poketool/personal/pl_personal.narc"},
    {"personalPokeData", "poketool/personal_pearl/personal.narc", "APA"},
    {"personalPokeData", "poketool/personal/personal.narc"},
    {"personalPokeData", "a/0/0/2"},
    {"pokeHeight", "poketool/pokegra/height.narc"},
    {"pokeHeight", "a/0/0/5"},
    {"pokeHeightForms", "poketool/pokegra/height_o.narc"},
    {"pokemonBattleSprites", "poketool/pokegra/pl_pokegra.narc"},
    {"pokemonBattleSprites", "poketool/pokegra/pokegra.narc"},
    {"pokemonBattleSprites", "a/0/0/4"},
    {"pokemonSpriteOffsets", "poketool/poke_edit/pl_poke_data.narc"},
    {"pokemonSpriteOffsets", "a/1/8/0"},
    {"pokeShadow", "poketool/pokegra/poke_shadow.narc"},
    {"pokeShadowOfx", "poketool/pokegra/poke_shadow_ofx.narc"},
    {"pokeYofs", "poketool/pokegra/poke_yofs.narc"},
    {"rockSmash", "a/2/5/3"},
    {"safariZone", "a/2/3/0"},
    {"scripts", "fielddata/script/scr_seq.narc"},
    {"scripts", "fielddata/script/scr_seq_release.narc"},
    {"scripts", "a/0/1/2"},
    {"synthOverlay", "data/weather_sys.narc"},
    {"synthOverlay", "a/0/2/8"},
    {"textArchives", "msgdata/pl_msg.narc"},
    {"textArchives", "msgdata/msg.narc"},
    {"textArchives", "a/0/2/7"},
    {"tradeData", "fielddata/pokemon_trade/fld_trade.narc"},
    {"tradeData", "a/1/1/2"},
    {"trainerGraphics", "poketool/trgra/trfgra.narc"},
    {"trainerGraphics", "a/0/5/8"},
    {"trainerParty", "poketool/trainer/trpoke.narc"},
    {"trainerParty", "a/0/5/6"},
    {"trainerProperties", "poketool/trainer/trdata.narc"},
    {"trainerProperties", "a/0/5/5"},
    {"trainerTextOffset", "poketool/trmsg/trtblofs.narc"},
    {"trainerTextOffset", "a/1/3/1"},
    {"trainerTextTable", "poketool/trmsg/trtbl.narc"},
    {"trainerTextTable", "a/0/5/7"},
};

}  // namespace

std::string dspre_folder_of(std::string_view archive) {
  const auto found = std::ranges::find(k_folders, archive, &DspreFolder::archive);
  return found == std::end(k_folders) ? "" : "unpacked/" + std::string(found->folder) + "/";
}

std::string find_packed_archive(std::string_view folder, std::string_view game_code, const FileTree& cartridge) {
  for (const DspreFolder& known : k_folders)
    if (known.folder == folder && cartridge.has(known.archive) &&
        (known.game_codes.empty() || game_code.starts_with(known.game_codes)))
      return std::string(known.archive);
  return {};
}

}  // namespace dio::platinum
